"""Hands by table look-up. Which hand is what is asked of the rank orders and facets; here is only how to find it fast.
Each table is compared with them on sampled hands, and one that differs is not used.

A card's key is a number such that the keys of up to six cards add up to another sum for every multiset of ranks, with
a counter for each suit above it; seven cards have wider keys of their own. The sum leads, through a displaced row, to
one entry: how high the hand is and what it is called as long as suits do not matter. Where so many cards share a suit
that they do, a second entry is found by the ranks held in that suit, and the higher of the two counts.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement

import numpy as np
from numba import njit

from pitboss.cards import CLUBS, DIAMONDS, RANKS, SPADES, Hand, is_red, rank_of, suit_of
from pitboss.exact.cache import Arrays, fingerprint, kept
from pitboss.exact.decks import FULL
from pitboss.exact.facets import labels_of
from pitboss.hands import batch
from pitboss.hands.batch import RankingError
from pitboss.hands.facets import Facet
from pitboss.hands.orders import RankOrder
from pitboss.simulate.words import Bytes, Entries, Flags, Ints, Rows, Scores, Word

RANK_KEYS = (0, 1, 5, 22, 98, 422, 1734, 5760, 14270, 37951, 90838, 206930, 436437)
"""Sums of up to six of these, none taken more than four times, are all different: the least such numbers, in order."""
WIDE_RANK_KEYS = (0, 1, 5, 22, 98, 453, 2031, 8698, 22854, 83661, 262349, 636345, 1479181)
"""The same for sums of seven."""
MOST_NARROW = 6
"""Cards whose keys need not be wide."""
SUITS = 4
_ROW_BITS, _SUIT_SHIFT, _NIBBLE = 8, 32, 4
_SUM_MASK = np.uint64((1 << _SUIT_SHIFT) - 1)
_ROW_SHIFT = np.uint64(_ROW_BITS)
_IN_ROW = np.uint64((1 << _ROW_BITS) - 1)
FULL_NIBBLES = np.uint64(0x8888 << _SUIT_SHIFT)
SUIT_SHIFT, NIBBLE = np.uint64(_SUIT_SHIFT), np.uint64(_NIBBLE)
_ONES = 0x1111
LEVEL_BITS = np.uint32(16)
LEVEL = np.uint32(0xFFFF)
LABEL = np.uint32(0xFF)
OTHER_BITS = np.uint32(24)

CARD_KEYS, WIDE_CARD_KEYS = (
    np.array([keys[card >> 2] + (1 << _SUIT_SHIFT + _NIBBLE * (card & 3)) for card in range(FULL.size)], np.uint64)
    for keys in (RANK_KEYS, WIDE_RANK_KEYS)
)


@njit(cache=True, nogil=True, inline="always")
def row_of(key: Word) -> Word:
    """The row to which a sum of keys belongs: its entry stands at ``rows[row_of(key)] + column_of(key)``."""
    return (key & _SUM_MASK) >> _ROW_SHIFT


@njit(cache=True, nogil=True, inline="always")
def column_of(key: Word) -> Word:
    return key & _IN_ROW


@njit(cache=True, nogil=True, inline="always")
def suited(key: Word, bias: Word) -> Word:
    """Whether so many cards share a suit that it may matter; the bias says how many that is."""
    return (key + bias) & FULL_NIBBLES != np.uint64(0)


def bias_of(size: int) -> Word:
    return np.uint64((8 - size) * _ONES << _SUIT_SHIFT)


@dataclass(frozen=True)
class Evaluator:
    """All hands of so many cards under one ranking, with the labels of up to two facets.

    An entry has the level of the best hand, from 1, and above it the label of each facet as a place in its list.
    """

    cards: int
    rows: Rows
    entries: Entries
    one_colour: Entries
    """Entries where all cards have one colour but not one suit; empty where no label looks at colours."""
    flushes: Entries
    """By suit and by the ranks held in it."""
    bias: np.uint64
    levels: Scores
    """The score behind each level."""

    def level(self, score: int) -> int:
        """The least level of a hand with at least this score."""
        return int(np.searchsorted(self.levels, score)) + 1

    def entry(self, hand: Hand) -> np.uint32:
        """The entry of one hand: the scalar way to read the tables."""
        wide, cards = self.cards > MOST_NARROW, list(hand)
        key = np.uint64((WIDE_CARD_KEYS if wide else CARD_KEYS)[cards].sum())
        coloured = len(self.one_colour) and len({is_red(card) for card in hand}) == 1
        base = self.one_colour if coloured else self.entries
        found = np.uint32(base[(1 + wide) * int(self.rows[int(row_of(key))]) + int(column_of(key))])
        if suited(key, self.bias):
            suits = [suit_of(card) for card in hand]
            suit = max(range(SUITS), key=suits.count)
            flush = self.flushes[suit, sum(1 << rank_of(card) for card in hand if suit_of(card) == suit)]
            found = np.uint32(flush) if flush & LEVEL > found & LEVEL else found
        return found


@lru_cache(maxsize=16)
def _multisets(cards: int) -> tuple[tuple[int, ...], ...]:
    ranks = range(len(RANKS))
    every = combinations_with_replacement(ranks, cards)
    return tuple(held for held in every if max(map(held.count, held)) <= SUITS)


@lru_cache(maxsize=16)
def rows_of(cards: int) -> tuple[Rows, Ints, int]:
    """Where each row of sums is put so that no two entries meet, the place of each multiset, and the size of it all."""
    keys = RANK_KEYS if cards <= MOST_NARROW else WIDE_RANK_KEYS
    sums = np.array([sum(keys[rank] for rank in held) for held in _multisets(cards)])
    assert len(set(sums.tolist())) == len(sums), "the keys of the ranks do not tell all hands apart"
    ascending = np.sort(sums)
    first = np.searchsorted(ascending >> _ROW_BITS, np.arange((ascending[-1] >> _ROW_BITS) + 2))
    fullest = np.argsort(first[:-1] - first[1:], kind="stable")
    taken = np.zeros(2 * len(sums) + (2 << _ROW_BITS), np.bool_)
    rows = np.zeros(len(fullest), np.uint16)
    # Seven cards have more entries than a row's place has numbers: their rows start at every second place.
    apart = 1 if cards <= MOST_NARROW else 2
    _fit(ascending & (1 << _ROW_BITS) - 1, first, fullest, apart, taken, rows)
    places = apart * rows[sums >> _ROW_BITS].astype(np.int64) + (sums & (1 << _ROW_BITS) - 1)
    assert len(np.unique(places)) == len(places), "two hands share an entry"
    # A hand of no such sum is never asked for, but its place must exist.
    return rows, places, apart * int(rows.max()) + (1 << _ROW_BITS)


@njit(cache=True)
def _fit(columns: Ints, first: Ints, fullest: Ints, apart: int, taken: Flags, rows: Rows) -> None:
    """Rows that hold the most first, each at the first place where it meets no other."""
    for row in fullest:
        start = 0
        free = False
        while not free:
            free = True
            for place in range(first[row], first[row + 1]):
                if taken[start + columns[place]]:
                    free = False
                    start += apart
                    break
        for place in range(first[row], first[row + 1]):
            taken[start + columns[place]] = True
        rows[row] = start // apart


def _hands(cards: int, suits: tuple[int, ...]) -> Bytes:
    """A hand of each multiset; suits follow each other."""
    return np.array(
        [[4 * rank + suits[place % len(suits)] for place, rank in enumerate(held)] for held in _multisets(cards)],
        np.uint8,
    )


@lru_cache(maxsize=16)
def evaluator(order: RankOrder, cards: int, facets: tuple[Facet, ...], names: tuple[tuple[str, ...], ...]) -> Evaluator:
    """The tables, built once and cached; ``names`` lists the labels that each facet can yield.

    Raise ``RankingError`` where the scalar order or a label says something else of a sampled hand.
    """
    labels = tuple((facet.label.__name__, facet.cards, facet.colours, facet.suited_from) for facet in facets)
    key = fingerprint((order.name, order.size, order.categories, cards, labels, names), _TABLES_CODE)
    arrays, _ = kept("hands", key, lambda: (_built(order, cards, facets, names), {}))
    tables = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    made = Evaluator(cards=cards, bias=bias_of(order.size), **tables)
    _check(made, order, facets, names)
    return made


def _check(made: Evaluator, order: RankOrder, facets: tuple[Facet, ...], names: tuple[tuple[str, ...], ...]) -> None:
    """Compare a table with the rules: also one that was cached, because the rules may have changed since."""
    for hand in batch.sampled_hands(made.cards):
        entry = made.entry(hand)
        scalar, looked_up = order.best(hand)[0], int(made.levels[int(entry & LEVEL) - 1])
        if scalar != looked_up:
            raise RankingError(order.name, hand, f"scores {scalar}, in the table {looked_up}")
        for shift, facet, listed in zip((LEVEL_BITS, OTHER_BITS), facets, names, strict=False):
            label, in_table = facet.label(hand), listed[int(entry >> shift & LABEL)]
            if label != in_table:
                raise RankingError(facet.label.__name__, hand, f"is {label!r}, in the table {in_table!r}")


_TABLES_CODE = ("cards.py", "hands/orders.py", "hands/batch.py", "hands/labels.py", "simulate/evaluators.py")


def _built(order: RankOrder, cards: int, facets: tuple[Facet, ...], names: tuple[tuple[str, ...], ...]) -> Arrays:
    rows, places, size = rows_of(cards)
    levels = np.unique(batch.scores(order))
    entries = np.zeros(size, np.uint32)
    hands = _hands(cards, tuple(range(SUITS)))
    scored = np.searchsorted(levels, batch.evaluate(order, hands)).astype(np.uint32) + np.uint32(1)
    entries[places] = scored | _labelled(facets, names, hands)
    colours = any(facet.colours for facet in facets)
    one_colour = np.zeros(size if colours else 0, np.uint32)
    if colours:
        possible = np.array([max(map(held.count, held)) <= 2 for held in _multisets(cards)])
        black = _hands(cards, (CLUBS, SPADES))[possible]
        one_colour[places[possible]] = scored[possible] | _labelled(facets, names, black)
    flushes = _flushes(order, cards, facets, names, levels)
    return {"rows": rows, "entries": entries, "one_colour": one_colour, "flushes": flushes, "levels": levels}


def _labelled(facets: tuple[Facet, ...], names: tuple[tuple[str, ...], ...], hands: Bytes) -> Entries:
    """The labels of hands, moved to their bits; those that depend on the suit itself are asked for one by one."""
    packed = np.zeros(len(hands), np.uint32)
    for shift, facet, listed in zip((LEVEL_BITS, OTHER_BITS), facets, names, strict=False):
        ascending = np.sort(hands, axis=1)
        found, known = labels_of(facet, FULL, ascending)
        codes = np.array([listed.index(name) for name in found], np.int64)[known]
        for row in np.flatnonzero(known < 0):
            codes[row] = listed.index(facet.label(FULL.hand(ascending[row])))
        packed |= codes.astype(np.uint32) << shift
    return packed


def _flushes(
    order: RankOrder,
    cards: int,
    facets: tuple[Facet, ...],
    names: tuple[tuple[str, ...], ...],
    levels: Scores,
) -> Entries:
    """Entries by suit and ranks held in it; other cards of the hand are taken such that they make nothing better."""
    found = np.zeros((SUITS, 1 << len(RANKS)), np.uint32)
    for suit, masks, hands in flush_hands(order.size, cards):
        scores = batch.evaluate(order, hands)
        packed = np.searchsorted(levels, scores).astype(np.uint32) + np.uint32(1)
        found[suit, masks] = packed | _labelled(facets, names, hands)
        held = int(masks[0]).bit_count()
        assert (scores == batch.evaluate(order, hands[:, :held])).all(), "another suit has made a hand better"
    return found


def flush_hands(size: int, cards: int) -> Iterator[tuple[int, Ints, Bytes]]:
    """Hands with at least ``size`` cards of a suit: the suit, the ranks held in it as bits, and a hand of each.

    The cards of the suit come first; the others have the lowest of their ranks.
    """
    for held in range(size, cards + 1):
        masks = np.array([mask for mask in range(1 << len(RANKS)) if mask.bit_count() == held])
        ranks = np.array([[rank for rank in range(len(RANKS)) if mask >> rank & 1] for mask in masks], np.uint8)
        for suit in range(SUITS):
            other = DIAMONDS if suit != DIAMONDS else CLUBS
            yield suit, masks, np.concatenate([4 * ranks + suit, 4 * ranks[:, : cards - held] + other], axis=1)


def plain_hands(cards: int) -> tuple[Ints, Bytes]:
    """The place of the entry of every multiset of ranks, and a hand of it without a flush."""
    return rows_of(cards)[1], _hands(cards, tuple(range(SUITS)))
