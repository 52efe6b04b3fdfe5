"""Decks of some ranks in four suits, their hands by number, and hands that differ only by the names of suits.

A hand is a row of ascending *places*, 0 to n - 1. In the full deck a place is a card; a small deck, for checking the
counting against plain enumeration, leaves ranks out. Hands of k places are numbered in colex order.
"""

from dataclasses import dataclass
from functools import cached_property
from math import comb

import numpy as np
import numpy.typing as npt
from numba import njit

from pitboss.cards import RANKS, Card, Hand

Places = npt.NDArray[np.uint8]
Ints = npt.NDArray[np.int64]

SUITS = 4
_MOST = 52
_LARGEST = 8
BINOMIAL: Ints = np.array([[comb(n, k) for k in range(_LARGEST + 1)] for n in range(_MOST + 1)], np.int64)


@dataclass(frozen=True)
class SmallDeck:
    """Some ranks in four suits; all thirteen make the full deck."""

    ranks: tuple[int, ...] = tuple(range(len(RANKS)))

    @property
    def size(self) -> int:
        return SUITS * len(self.ranks)

    @cached_property
    def cards(self) -> npt.NDArray[np.uint8]:
        """The card at each place."""
        return np.array([SUITS * rank + suit for rank in self.ranks for suit in range(SUITS)], np.uint8)

    def hand(self, places: npt.ArrayLike) -> Hand:
        return tuple(Card(int(self.cards[place])) for place in np.asarray(places))

    def places(self, cards: Hand) -> tuple[int, ...]:
        where = {int(card): place for place, card in enumerate(self.cards)}
        return tuple(sorted(where[card] for card in cards))


FULL = SmallDeck()


@dataclass(frozen=True)
class Classes:
    """Hands up to the names of interchangeable suits: one of each, and how many hands it stands for."""

    hands: Places
    weights: Ints


def suit_classes(deck: SmallDeck, size: int, fixed_suits: int = 0) -> Classes:
    """One hand of each class; the first ``fixed_suits`` suits keep their names. With all four, every hand is a class.

    >>> len(suit_classes(FULL, 5).hands), int(suit_classes(FULL, 5).weights.sum())
    (134459, 2598960)
    """
    total = comb(deck.size, size)
    hands = np.empty((total, size), np.uint8)
    weights = np.empty(total, np.int64)
    found = _suit_classes(deck.size, size, fixed_suits, hands, weights)
    return Classes(hands[:found].copy(), weights[:found].copy())


def suit_masks(hands: Places) -> Ints:
    """The ranks that each hand holds in each suit, as bits."""
    masks = np.zeros((len(hands), SUITS), np.int64)
    rows = np.arange(len(hands))
    for column in hands.T.astype(np.int64):
        masks[rows, column & 3] |= 1 << (column >> 2)
    return masks


def suit_keys(hands: Places, renamed: bool = True) -> Ints:
    """One number for the hands of a class: the ranks held in each suit, the suits in order of them."""
    masks = suit_masks(hands)
    if renamed:
        masks.sort(axis=1)
    return masks @ (1 << 13 * np.arange(SUITS, dtype=np.int64))


@njit(cache=True, nogil=True)
def next_subset(hand: npt.NDArray[np.uint8], size: int) -> None:
    """Step to the next hand in colex order; after the last one the row leaves the deck."""
    place = 0
    while place + 1 < size and hand[place] + 1 == hand[place + 1]:
        hand[place] = place
        place += 1
    hand[place] += 1


@njit(cache=True, nogil=True)
def _suit_classes(n: int, size: int, fixed: int, hands: Places, weights: Ints) -> int:
    hand = np.empty(size + 1, np.uint8)
    for place in range(size):
        hand[place] = place
    masks = np.empty(4, np.int64)
    found = 0
    while hand[size - 1] < n:
        masks[:] = 0
        for place in range(size):
            masks[hand[place] & 3] |= 1 << (hand[place] >> 2)
        canonical = True
        for suit in range(fixed, 3):
            if masks[suit] < masks[suit + 1]:
                canonical = False
                break
        if canonical:
            free = 4 - fixed
            weight = 1
            for factor in range(2, free + 1):
                weight *= factor
            run = 1
            for suit in range(fixed + 1, 4):
                run = run + 1 if masks[suit] == masks[suit - 1] else 1
                weight //= run
            hands[found] = hand[:size]
            weights[found] = weight
            found += 1
        next_subset(hand, size)
    return found


@njit(cache=True, nogil=True)
def all_subsets(n: int, size: int, hands: Places) -> None:
    """Every hand in colex order."""
    hand = np.empty(size + 1, np.uint8)
    for place in range(size):
        hand[place] = place
    row = 0
    while hand[size - 1] < n:
        hands[row] = hand[:size]
        row += 1
        next_subset(hand, size)


def subsets_of(n: int, size: int) -> Places:
    """Every hand of ``size`` of n places, by number."""
    hands = np.empty((comb(n, size), size), np.uint8)
    if size:
        all_subsets(n, size, hands)
    return hands
