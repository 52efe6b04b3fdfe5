"""Decisions as tables: what is chosen by the ranks held and the rank shown, and by suits only where they matter.

A solved game lists its states up to the names of suits. For nearly all of them the ranks alone say what is chosen;
those are found with one look-up. The others are kept by the suits as the solution names them: the up card's suit
first, then the suits by the ranks held in them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numba import njit

from pitboss.exact.duel import NO_UP
from pitboss.exact.value import Valued
from pitboss.simulate.evaluators import CARD_KEYS, Evaluator, column_of, row_of, suited
from pitboss.simulate.felt import Lookups
from pitboss.simulate.words import Bytes, Flags, Rows, Word, Words

SUITS_MATTER = np.uint8(255)
BY_SUIT, UP_TO_SUITS, UP_CARD_FIRST = range(3)
"""Suits keep their names; may all be renamed; or may be renamed but for the up card's."""
RANKS = 13
_RANKS = np.uint64(RANKS)
_U0, _U1, _U2, _U3 = (np.uint64(number) for number in range(4))
_UP_SHIFT = np.uint64(4 * RANKS)


@dataclass(frozen=True)
class Decisions:
    """What is chosen in every state, as places in ``names``."""

    names: tuple[str, ...]
    first: Bytes
    """By place of the hand's entry, rank of the up card and whether a flush is possible; 255 where suits matter."""
    keys: Words
    """States in which suits matter, in ascending order."""
    picks: Bytes
    mode: int


@njit(cache=True, nogil=True)
def state_key(decks: Bytes, number: Word, places: Bytes, row: Word, more: Bytes, up: Word, mode: int) -> Word:
    """The ranks held in each suit, suits named as the solution does, and the rank of the up card."""
    m0, m1, m2, m3 = _U0, _U0, _U0, _U0
    turn = up & _U3 if mode == UP_CARD_FIRST else _U0
    for column in range(np.uint64(places.shape[1] + more.shape[1])):
        own = np.uint64(places.shape[1])
        place = places[row, column] if column < own else more[_U0, column - own]
        card = np.uint64(decks[number, place])
        bit = _U1 << (card >> _U2)
        suit = ((card & _U3) - turn) & _U3
        if suit == _U0:
            m0 |= bit
        elif suit == _U1:
            m1 |= bit
        elif suit == _U2:
            m2 |= bit
        else:
            m3 |= bit
    if mode == UP_TO_SUITS:
        if m0 < m1:
            m0, m1 = m1, m0
        if m2 < m3:
            m2, m3 = m3, m2
        if m0 < m2:
            m0, m2 = m2, m0
        if m1 < m3:
            m1, m3 = m3, m1
    elif mode == UP_CARD_FIRST and m2 < m3:
        m2, m3 = m3, m2
    if mode != BY_SUIT:
        if m1 < m2:
            m1, m2 = m2, m1
        if mode == UP_CARD_FIRST and m2 < m3:
            m2, m3 = m3, m2
    rank = up >> _U2 if mode == UP_CARD_FIRST else _U0
    return m0 | m1 << _RANKS | m2 << _U2 * _RANKS | m3 << _U3 * _RANKS | rank << _UP_SHIFT


@njit(cache=True, nogil=True, inline="always")
def first_place(place: Word, key: Word, bias: Word, up_rank: Word, ranks: Word) -> Word:
    """Where the first look-up goes, from the place of the hand's entry; without an up card ``ranks`` is 1."""
    return ((place * ranks + up_rank) << _U1) + np.uint64(suited(key, bias))


@njit(cache=True, nogil=True)
def found(keys: Words, picks: Bytes, key: Word) -> Word:
    """The pick of a key that is in the table."""
    low, high = 0, len(keys)
    while low < high:
        middle = (low + high) >> 1
        if keys[middle] < key:
            low = middle + 1
        else:
            high = middle
    return picks[low]


def lookups_of(decisions: Decisions) -> Lookups:
    ranks = RANKS if decisions.mode == UP_CARD_FIRST else 1
    return Lookups(decisions.first, decisions.keys, decisions.picks, decisions.mode, np.uint64(ranks))


def decisions_of(valued: Valued, own: Evaluator, suit_blind: bool, names: tuple[str, ...] = ()) -> Decisions:
    """The choices of a solved game, optimal or forced."""
    solved = valued.solved
    shown = bool(len(solved.ups) and solved.ups[0] != NO_UP)
    mode = UP_CARD_FIRST if shown else UP_TO_SUITS if suit_blind else BY_SUIT
    cards = solved.deck.cards
    ups = cards[solved.ups] if shown else np.zeros(len(solved.ups), np.uint8)
    states = cards[solved.hands], ups, valued.picked
    return tabulated([lambda: states], own, mode, names or valued.grid.names)


States = tuple[Bytes, Bytes, Bytes]
"""Hands, up cards and picks, row by row."""


def tabulated(parts: Sequence[Callable[[], States]], own: Evaluator, mode: int, names: tuple[str, ...]) -> Decisions:
    """Tables from lists of states, suits named as ``mode`` says; each list is made twice and never kept."""
    ranks = RANKS if mode == UP_CARD_FIRST else 1
    least = np.full(len(own.entries) * ranks * 2, SUITS_MATTER, np.uint8)
    most = np.zeros(len(own.entries) * ranks * 2, np.uint8)
    for part in parts:
        _range(*part(), own.rows, own.bias, ranks, least, most)
    first = np.where(least == most, least, SUITS_MATTER)
    found_keys, found_picks = [], []
    for part in parts:
        hands, ups, picked = part()
        rows = np.flatnonzero(_matters(hands, ups, own.rows, own.bias, ranks, first))
        keys = np.empty(len(rows), np.uint64)
        _keys(np.ascontiguousarray(hands[rows]), np.ascontiguousarray(ups[rows]), mode, keys)
        found_keys.append(keys)
        found_picks.append(picked[rows])
    keys, picks = np.concatenate(found_keys), np.concatenate(found_picks)
    order = np.argsort(keys)
    keys = keys[order]
    assert (keys[1:] != keys[:-1]).all(), "a state is listed twice"
    return Decisions(names, first, keys, np.ascontiguousarray(picks[order]), mode)


@njit(cache=True, nogil=True)
def _place(hand: Bytes, up: int, rows: Rows, bias: Word, ranks: int) -> Word:
    key = _U0
    for place in range(len(hand)):
        key += CARD_KEYS[hand[place]]
    place = np.uint64(rows[row_of(key)]) + column_of(key)
    return first_place(place, key, bias, np.uint64(up >> 2 if ranks > 1 else 0), np.uint64(ranks))


@njit(cache=True, nogil=True)
def _range(
    hands: Bytes, ups: Bytes, picked: Bytes, rows: Rows, bias: Word, ranks: int, least: Bytes, most: Bytes
) -> None:
    for state in range(len(hands)):
        place = _place(hands[state], ups[state], rows, bias, ranks)
        least[place] = min(least[place], picked[state])
        most[place] = max(most[place], picked[state])


@njit(cache=True, nogil=True)
def _matters(hands: Bytes, ups: Bytes, rows: Rows, bias: Word, ranks: int, first: Bytes) -> Flags:
    matters = np.zeros(len(hands), np.bool_)
    for state in range(len(hands)):
        matters[state] = first[_place(hands[state], ups[state], rows, bias, ranks)] == SUITS_MATTER
    return matters


@njit(cache=True, nogil=True)
def _keys(hands: Bytes, ups: Bytes, mode: int, keys: Words) -> None:
    places = np.arange(hands.shape[1]).astype(np.uint8).reshape(1, -1)
    for state in range(len(hands)):
        keys[state] = state_key(hands, np.uint64(state), places, _U0, places[:, :0], np.uint64(ups[state]), mode)
