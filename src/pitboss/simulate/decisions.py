"""Decisions as tables: what is chosen by the ranks seen and the context, and by suits only where they matter.

A solved game lists its states up to the names of suits. For nearly all of them the ranks alone say what is chosen;
those are found with one look-up. The others are kept by the suits as the solution names them: the up card's suit
first, then the suits by the ranks held in them. The context is the rank of an up card, the choices made before, or
both.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import product

import numpy as np
from numba import njit

from pitboss.cards import Hand
from pitboss.exact.board import BoardPlay
from pitboss.exact.board_classes import PAIR
from pitboss.exact.board_counts import BoardCounts
from pitboss.exact.cache import kept
from pitboss.exact.duel import NO_UP
from pitboss.exact.solo import Street
from pitboss.exact.value import Valued
from pitboss.games.facts import Fact, Look
from pitboss.simulate.evaluators import CARD_KEYS, bias_of, column_of, row_of, rows_of, suited
from pitboss.simulate.operations import (
    BY_SUIT,
    CONTEXT_SHIFT,
    NOT_ASKED,
    SUITS_MATTER,
    UP_CARD_FIRST,
    UP_TO_SUITS,
    state_key,
)
from pitboss.simulate.words import Bytes, Ints, Rows, Word, Words

RANKS = 13
_U0 = np.uint64(0)


@dataclass(frozen=True)
class Decisions:
    """What is chosen at one step in every state, as places in ``names``."""

    names: tuple[str, ...]
    cards: int
    """How many cards the player sees, an up card of the dealer's not counted."""
    bias: np.uint64
    """From how many cards of a suit on a flush is told apart."""
    mode: int
    contexts: int
    """How many contexts are told apart."""
    first: Bytes
    """By place of the hand's entry, context and whether a flush is possible; 255 where suits matter."""
    keys: Words
    """States in which suits matter, in ascending order."""
    picks: Bytes

    @cached_property
    def rows(self) -> Rows:
        return rows_of(self.cards)[0]

    @property
    def told(self) -> bool:
        """Whether choices made before are told apart."""
        return self.contexts > (RANKS if self.mode == UP_CARD_FIRST else 1)

    def place(self, cards: Hand, context: int) -> int:
        """Where the first look-up goes."""
        return int(places_of(np.array([cards], np.uint8), np.array([context]), self.rows, self.bias, self.contexts)[0])

    def pick(self, cards: Hand, up: int = 0, context: int = 0) -> int:
        """The choice of one state: the scalar way to read the table."""
        place = self.place(cards, context)
        if self.first[place] != SUITS_MATTER:
            return int(self.first[place])
        (key,) = keys_of(np.array([cards], np.uint8), np.array([up], np.uint8), self.mode)
        return int(self.picks[np.searchsorted(self.keys, key | np.uint64(context) << CONTEXT_SHIFT)])


@dataclass(frozen=True)
class Looked:
    """What is chosen at one step by facts of the cards seen, as places in ``names``."""

    names: tuple[str, ...]
    look: Look

    @property
    def facts(self) -> tuple[Fact, ...]:
        return self.look.facts

    @cached_property
    def table(self) -> list[int]:
        """By the values of the facts, the last of them running fastest."""
        every = product(*(fact.values for fact in self.facts))
        return [self.names.index(self.look.choice(*values)) for values in every]


@dataclass(frozen=True)
class OnBoard:
    """What is chosen at one step with two cards and a board, as places in ``names``: by class of boards and pair."""

    names: tuple[str, ...]
    counts: BoardCounts
    cards: int
    """Of the board, as far as it lies."""
    contexts: Mapping[tuple[str, ...], int]
    """Options keyed by the choices made so far; empty if the seat has no further decision."""
    planes: int
    """Bits of a choice, each in a table of its own."""
    picks: Bytes
    """By context, bit, class and pair."""

    @property
    def keys(self) -> Ints:
        return self.counts.levels[self.cards].keys

    @property
    def stride(self) -> int:
        return len(self.picks) // (len(set(self.contexts.values())) * self.planes)

    def context(self, made: Iterable[str]) -> int:
        return self.contexts.get(tuple(made), NOT_ASKED)

    def pick(self, cards: Hand, up: Hand, made: Iterable[str]) -> int:
        """The choice of one state: the scalar way to read the table."""
        board = np.array([self.counts.deck.places(up)], np.uint8).reshape(1, len(up))
        (row,), (pair,) = self.counts.where(self.counts.deck.places(cards), board)
        at, first = int(row) * self.counts.pairs + int(pair), self.context(made) * self.planes * self.stride
        bits = (
            int(self.picks[first + plane * self.stride + (at >> 3)]) >> (at & 7) & 1 for plane in range(self.planes)
        )
        return sum(bit << plane for plane, bit in enumerate(bits))


def on_board(play: BoardPlay) -> tuple[OnBoard, ...]:
    """The choices of a game whose hands share a board; kept, because finding them takes as long as solving it."""
    found = []
    for number, (step, asked) in enumerate(zip(play.plan.steps, play.plan.ways, strict=True)):
        histories, planes = sorted(set(asked.values())), max(1, (len(step.names) - 1).bit_length())
        packing = partial(_packed, play, number, histories, planes)
        name = f"picks-{play.game.name}-{step.step.name}"
        arrays, _ = kept(name, play.key, packing) if play.key else packing()
        contexts = {path: histories.index(history) for path, history in asked.items()}
        found.append(OnBoard(step.names, play.counts, step.seen - PAIR, contexts, planes, arrays["picks"]))
    return tuple(found)


def _packed(play: BoardPlay, number: int, histories: list[int], planes: int) -> tuple[dict[str, Bytes], dict[str, int]]:
    """The choices of every state of one step, eight to a byte."""
    street = play.streets[number]
    rows = len(street.level.boards)
    parts: list[list[Bytes]] = [[] for _ in range(len(histories) * planes)]
    for start in range(0, rows, _TOGETHER):
        picks = street.picks(slice(start, start + _TOGETHER))
        for place, history in enumerate(histories):
            for plane in range(planes):
                bits = (picks[history] >> plane & 1).reshape(-1)
                parts[place * planes + plane].append(np.packbits(bits, bitorder="little"))
    return {"picks": np.concatenate([part for each in parts for part in each])}, {}


_TOGETHER = 1024
"""Classes of boards looked at together; their pairs fill whole bytes."""


def decisions_of(valued: Valued, suit_blind: bool, order_size: int) -> Decisions:
    """The choices of a solved game that asks once, optimal or forced."""
    solved = valued.solved
    shown = bool(len(solved.ups) and solved.ups[0] != NO_UP)
    mode = UP_CARD_FIRST if shown else UP_TO_SUITS if suit_blind else BY_SUIT
    cards = solved.deck.cards
    ups = cards[solved.ups] if shown else np.zeros(len(solved.ups), np.uint8)
    states = cards[solved.hands], ups, ups.astype(np.int64) >> 2, valued.picked
    contexts = RANKS if shown else 1
    return tabulated([lambda: states], solved.hands.shape[1], order_size, mode, contexts, valued.grid.names)


def every_decision(hands: Bytes, picked: Bytes, names: tuple[str, ...]) -> Decisions:
    """The choices with every hand, of a game that asks once and shows no card of the dealer's; suits may matter."""
    states = hands, np.zeros(len(hands), np.uint8), np.zeros(len(hands), np.int64), picked
    return tabulated([lambda: states], hands.shape[1], hands.shape[1], BY_SUIT, 1, names)


def street_decisions(street: Street) -> Decisions:
    """The choices at one step of a game that asks after cards have been turned up, by what was chosen before."""
    hands, picked = street.level.classes.hands, street.picked
    facet, seen = street.counts.solo.facet, hands.shape[1]
    order_size = seen if facet.order is None else min(facet.order.size, seen)
    mode = UP_TO_SUITS if street.counts.renamed else BY_SUIT
    alike = bool((picked == picked[:, :1]).all())
    histories = 1 if alike else picked.shape[1]

    def states(history: int) -> States:
        many = len(hands)
        return hands, np.zeros(many, np.uint8), np.full(many, history, np.int64), picked[:, history]

    parts = [partial(states, history) for history in range(histories)]
    return tabulated(parts, seen, order_size, mode, histories, street.names)


States = tuple[Bytes, Bytes, Ints, Bytes]
"""Hands, up cards, contexts and picks, row by row."""


def tabulated(
    parts: Sequence[Callable[[], States]], cards: int, flush: int, mode: int, contexts: int, names: tuple[str, ...]
) -> Decisions:
    """Tables from lists of states, suits named as ``mode`` says; each list is made twice and never kept."""
    rows, _, size = rows_of(cards)
    bias = bias_of(flush)
    least = np.full(size * contexts * 2, SUITS_MATTER, np.uint8)
    most = np.zeros(size * contexts * 2, np.uint8)
    for part in parts:
        hands, _, context, picked = part()
        at = places_of(hands, context, rows, bias, contexts)
        np.minimum.at(least, at, picked)
        np.maximum.at(most, at, picked)
    first = np.where(least == most, least, SUITS_MATTER).astype(np.uint8)
    found_keys, found_picks = [], []
    for part in parts:
        hands, ups, context, picked = part()
        at = np.flatnonzero(first[places_of(hands, context, rows, bias, contexts)] == SUITS_MATTER)
        found_keys.append(keys_of(hands[at], ups[at], mode) | context[at].astype(np.uint64) << CONTEXT_SHIFT)
        found_picks.append(picked[at])
    keys, picks = np.concatenate(found_keys), np.concatenate(found_picks)
    order = np.argsort(keys)
    keys = keys[order]
    assert (keys[1:] != keys[:-1]).all(), "a state is listed twice"
    return Decisions(names, cards, bias, mode, contexts, first, keys, np.ascontiguousarray(picks[order]))


def places_of(hands: Bytes, contexts: Ints, rows: Rows, bias: np.uint64, many: int) -> Ints:
    """Where the first look-up of each hand goes."""
    key = CARD_KEYS[hands].sum(axis=1)
    place = rows[row_of(key).astype(np.int64)].astype(np.int64) + column_of(key).astype(np.int64)
    return np.asarray(2 * (place * many + contexts) + suited(key, bias))


def keys_of(hands: Bytes, ups: Bytes, mode: int) -> Words:
    """The ranks held in each suit, one number for each hand, suits named as ``mode`` says."""
    keys = np.empty(len(hands), np.uint64)
    _keys(np.ascontiguousarray(hands), np.ascontiguousarray(ups), np.uint64(mode), keys)
    return keys


@njit(cache=True, nogil=True)
def _keys(hands: Bytes, ups: Bytes, mode: Word, keys: Words) -> None:
    places = np.arange(hands.shape[1]).astype(np.uint8)
    count = np.uint64(hands.shape[1])
    for state in range(len(hands)):
        keys[state] = state_key(hands, np.uint64(state), places, _U0, count, np.uint64(ups[state]), mode)
