"""Boards that differ only by the names of suits are one class, and a state is a class of boards with a pair.

A class knows the classes of its boards with a card less, and which renaming of suits makes such a board the one that
stands for its class: values go down, and numbers of orders go up, from one size of boards to the next.

Where cards of the dealer are known no board has them, and suits that they have keep their names: those are the first.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations

import numpy as np
import numpy.typing as npt

from pitboss.exact.decks import SUITS, Classes, Ints, Places, SmallDeck, suit_classes, suit_masks

PAIR = 2
"""Cards of a holding."""
NAMES: Places = np.array(list(permutations(range(SUITS))), np.uint8)
"""Every way to rename suits: what each suit is called afterwards."""


@dataclass(frozen=True)
class BoardLevel:
    """Boards of one size, one of each class, and the classes that they become without one of their cards."""

    classes: Classes
    keys: Ints
    """Of the classes, ascending, and in their order."""
    masks: Ints
    """The ranks held in each suit."""
    lacking: npt.NDArray[np.int32]
    turned: Places
    """The renaming of suits with which a board that lacks a card is its class, an index of ``NAMES``."""

    @property
    def boards(self) -> Places:
        return self.classes.hands

    @property
    def size(self) -> int:
        return int(self.boards.shape[1])


@lru_cache(maxsize=4)
def board_levels(deck: SmallDeck, cards: int, known: tuple[int, ...] = ()) -> tuple[BoardLevel, ...]:
    """Boards by how many cards lie, from none, beside known cards of the dealer."""
    found: list[BoardLevel] = []
    fixed, keys = named_suits(known), np.zeros(1, np.int64)
    for size in range(cards + 1):
        classes = suit_classes(deck, size, fixed) if size else Classes(np.zeros((1, 0), np.uint8), np.ones(1, np.int64))
        rows = np.flatnonzero(~np.isin(classes.hands, known).any(axis=1))
        rows = rows[np.argsort(board_keys(classes.hands[rows], fixed))]
        hands = classes.hands[rows]
        lacking, turned = np.zeros((len(hands), size), np.int32), np.zeros((len(hands), size), np.uint8)
        for place in range(size):
            less = np.delete(hands, place, axis=1)
            lacking[:, place] = np.searchsorted(keys, board_keys(less, fixed))
            turned[:, place] = renaming(less, fixed)
        keys = board_keys(hands, fixed)
        found.append(BoardLevel(Classes(hands, classes.weights[rows]), keys, suit_masks(hands), lacking, turned))
    return tuple(found)


def named_suits(known: Sequence[int]) -> int:
    """How many suits known cards have; they are the first of all."""
    return len({place % SUITS for place in known})


def board_keys(boards: Places, fixed: int) -> Ints:
    """One number for the boards of a class: the ranks held in each suit, those that may change names in order."""
    masks = suit_masks(boards)
    masks[:, fixed:].sort(axis=1)
    return masks @ (1 << 13 * np.arange(SUITS, dtype=np.int64))


def renaming(boards: Places, fixed: int = 0) -> Places:
    """The way to rename suits with which each board is the one that stands for its class: the most cards first."""
    digits = SUITS ** np.arange(SUITS)
    number = np.zeros(SUITS**SUITS, np.uint8)
    number[NAMES @ digits] = np.arange(len(NAMES))
    names = np.broadcast_to(np.arange(SUITS), (len(boards), SUITS)).copy()
    names[:, fixed:] = fixed + np.argsort(np.argsort(-suit_masks(boards)[:, fixed:], axis=1, kind="stable"), axis=1)
    found: Places = number[names @ digits]
    return found


@lru_cache(maxsize=4)
def every_pair(deck: SmallDeck) -> Places:
    """Two places of a deck, the lower one first, by number."""
    return np.array([(low, high) for high in range(deck.size) for low in range(high)], np.uint8)


@lru_cache(maxsize=4)
def renamed_pairs(deck: SmallDeck) -> npt.NDArray[np.uint16]:
    """Every pair by number under every renaming of suits."""
    pairs = every_pair(deck)
    cards = (pairs & ~np.uint8(3))[None] | NAMES[:, pairs & 3]
    low, high = (each.astype(np.int64) for each in (cards.min(axis=2), cards.max(axis=2)))
    found: npt.NDArray[np.uint16] = (high * (high - 1) // 2 + low).astype(np.uint16)
    return found


def pair_of(places: Sequence[int]) -> int:
    """The number of two places."""
    low, high = sorted(places)
    return high * (high - 1) // 2 + low
