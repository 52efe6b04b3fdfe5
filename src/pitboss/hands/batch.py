"""Scores of many hands at once, and of all hands of a size, as NumPy arrays. Needs the extra ``batch``.

No category is stated here. A score depends only on the ranks and on whether all suits are equal, so the scalar
order is asked once for each multiset of ranks (and once more where one suit is possible); the rest is look-up.
An order whose scores depend on more is refused: each table is compared with the scalar order on sampled hands.

Hands of k cards are numbered in colex order: cards ``c0 < c1 < ...`` have the index ``C(c0, 1) + C(c1, 2) + ...``.
All hands whose highest card is ``top`` are then neighbours, and their lower cards run through the first
``C(top, k - 1)`` hands of k - 1 cards; every table below is built from that.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations, combinations_with_replacement, pairwise
from math import comb
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt

from pitboss.cards import DECK, RANKS, Hand, card_of, rank_of, show_cards
from pitboss.findings import PitbossError, UnreadableError
from pitboss.hands.orders import RankOrder

Cards = npt.NDArray[np.uint8]
Scores = npt.NDArray[np.int32]
Index = npt.NDArray[np.intp]

_DECK = len(DECK)
_SUITS = _DECK // len(RANKS)
_SUIT_BITS = np.uint8(_SUITS - 1)
SAMPLED = 50
"""Hands of each kind that are sampled to compare a table with the scalar order."""
# Rows treated together: small enough that the columns of a chunk stay in the processor's cache.
_CHUNK = 1 << 15


def subset_chunks(size: int) -> Iterator[Cards]:
    """All hands of ``size`` cards in colex order, one array for each highest card; rows ascend."""
    if size < 1:
        raise UnreadableError(f"a hand has at least one card, not {size}")
    below = subsets(size - 1) if size > 1 else np.empty((1, 0), np.uint8)
    for top in range(size - 1, _DECK):
        lower = comb(top, size - 1)
        chunk = np.empty((size, lower), np.uint8)
        chunk[:-1] = below[:lower].T
        chunk[-1] = top
        yield chunk.T


def subsets(size: int) -> Cards:
    """All hands of ``size`` cards in colex order as one array; six cards take 122 MB, so prefer chunks there.

    >>> subsets(2)[:4].tolist(), len(subsets(3))
    ([[0, 1], [0, 2], [1, 2], [0, 3]], 22100)
    """
    hands = np.empty((size, comb(_DECK, size)), np.uint8)
    start = 0
    for chunk in subset_chunks(size):
        hands[:, start : start + len(chunk)] = chunk.T
        start += len(chunk)
    return hands.T


def subset_index(hands: npt.ArrayLike) -> Index:
    """The place of each row, in any order of its cards, among all hands of its size.

    >>> subset_index([[1, 0], [3, 0]]).tolist()
    [0, 3]
    """
    rows = _rows(hands)
    weights = np.array([[comb(card, place + 1) for card in range(_DECK)] for place in range(rows.shape[1])], np.intp)
    index = np.empty(len(rows), np.intp)
    for start in range(0, len(rows), _CHUNK):
        index[start : start + _CHUNK] = _weigh(_ascending(rows[start : start + _CHUNK]), weights)
    return index


def evaluate(order: RankOrder, hands: npt.ArrayLike) -> Scores:
    """The score of each row, in any order of its cards; of rows longer than the order's hands, the best score.

    >>> from pitboss.hands.orders import THREE_CARD
    >>> from pitboss.cards import parse_cards
    >>> hand = parse_cards("3h Ac 2d")
    >>> int(evaluate(THREE_CARD, [hand])[0]) == THREE_CARD.score(hand)
    True
    """
    rows = _rows(hands)
    if rows.shape[1] < order.size:
        raise UnreadableError(f"{order.name} ranks {order.size} cards, not {rows.shape[1]}")
    table, weights = _rank_table(order)
    scores = np.zeros(len(rows), np.int32)
    for start in range(0, len(rows), _CHUNK):
        chunk = scores[start : start + _CHUNK]
        for hand in combinations(_ascending(rows[start : start + _CHUNK]), order.size):
            key = _weigh(hand, weights)
            key += _one_suit(hand)
            np.maximum(chunk, table.take(key), out=chunk)
    return scores


def scores(order: RankOrder) -> Scores:
    """The scores of all hands of the order's size, by ``subset_index``."""
    return evaluate(order, subsets(order.size))


def best_scores(order: RankOrder, size: int) -> Scores:
    """The best score that can be selected from each of all hands of ``size`` cards, by ``subset_index``.

    The best of k cards is the best over the k hands that lack one of them, so each size is read off the size below.
    """
    if size < order.size:
        raise UnreadableError(f"{order.name} ranks {order.size} cards, not {size}")
    best = scores(order)
    for larger in range(order.size + 1, size + 1):
        best = _best_lacking_one(best, larger)
    return best


def category_counts(order: RankOrder, scored: Scores) -> dict[str, int]:
    """How many of the scores fall in each category, the highest first."""
    at_least = [int(np.count_nonzero(scored >= order.at_least(name))) for name in order.categories]
    return {
        name: reached - higher
        for name, reached, higher in zip(order.categories, at_least, [0, *at_least[:-1]], strict=True)
    }


def _best_lacking_one(best: Scores, size: int) -> Scores:
    larger = np.empty(comb(_DECK, size), np.int32)
    lacking = _lacking_one(size - 1)
    for top in range(size - 1, _DECK):
        lower = comb(top, size - 1)
        block = larger[comb(top, size) : comb(top + 1, size)]
        block[:] = best[:lower]
        with_top = best[lower : comb(top + 1, size - 1)]
        for start in range(0, lower, _CHUNK):
            part = block[start : start + _CHUNK]
            for indices in lacking[:, start : min(start + _CHUNK, lower)]:
                np.maximum(part, with_top.take(indices), out=part)
    return larger


def _lacking_one(size: int) -> Index:
    """For each hand of ``size`` cards, by column, the indices of the hands that lack its first, second, ... card."""
    below = _lacking_one(size - 1) if size > 1 else np.empty((0, 1), np.intp)
    indices = np.empty((size, comb(_DECK, size)), np.intp)
    for top in range(size - 1, _DECK):
        lower = comb(top, size - 1)
        block = indices[:, comb(top, size) : comb(top + 1, size)]
        block[:-1] = below[:, :lower] + lower
        block[-1] = np.arange(lower)
    return indices


class RankingError(PitbossError, ValueError):
    """A ranking that depends on more than the ranks of the cards and whether one suit is full."""

    def __init__(self, order: str, hand: Hand, what: str) -> None:
        self.order, self.hand, self.what = order, hand, what
        super().__init__(
            f"The {order} ranking depends on more than ranks and one full suit: by the rules "
            f"{show_cards(hand)} {what}. Tables of hands can't hold such a ranking."
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.order, self.hand, self.what)


@lru_cache(maxsize=32)
def sampled_hands(size: int) -> tuple[Hand, ...]:
    """Hands to compare a table with: from the whole deck, from three, two and one suits, and from few ranks."""
    rng = Random(size)
    decks = [[card for card in DECK if card & 3 < suits] for suits in (4, 3, 2, 1)]
    decks += [[card for card in DECK if low <= rank_of(card) <= low + 4] for low in (0, 4, 8)]
    return tuple(tuple(rng.sample(deck, size)) for deck in decks if len(deck) >= size for _ in range(SAMPLED))


@lru_cache
def _rank_table(order: RankOrder) -> tuple[Scores, Index]:
    """``_rank_table_of``, compared with the scalar order. Raise ``RankingError`` where they differ."""
    table, weights = _rank_table_of(order)
    hands = sampled_hands(order.size)
    columns = _ascending(np.array(hands, np.uint8))
    found = table.take(_weigh(columns, weights) + _one_suit(tuple(columns)))
    for hand, score in zip(hands, found.tolist(), strict=True):
        if score != (scalar := order.score(hand)):
            raise RankingError(order.name, hand, f"scores {scalar}, by their ranks {score}")
    return table, weights


def _rank_table_of(order: RankOrder) -> tuple[Scores, Index]:
    """Scores by multiset of ranks, each as mixed suits then as one suit, and what each card adds to that index.

    Ranks ``r0 <= r1 <= ...`` become a set by adding 0, 1, ..., so the colex index serves multisets too.
    """
    ranks = range(len(RANKS))
    weight = [[2 * comb(rank + place, place + 1) for rank in ranks] for place in range(order.size)]
    table = np.zeros(2 * comb(len(RANKS) + order.size - 1, order.size), np.int32)
    for multiset in combinations_with_replacement(ranks, order.size):
        if max(map(multiset.count, multiset)) > _SUITS:
            continue
        key = sum(weight[place][rank] for place, rank in enumerate(multiset))
        table[key] = order.score(tuple(card_of(rank, place % _SUITS) for place, rank in enumerate(multiset)))
        if len(set(multiset)) == order.size:
            table[key + 1] = order.score(tuple(card_of(rank, 0) for rank in multiset))
    weights = np.array([[by_rank[rank_of(card)] for card in DECK] for by_rank in weight], np.intp)
    return table, weights


def _rows(hands: npt.ArrayLike) -> Cards:
    try:
        rows: npt.NDArray[Any] = np.asarray(hands)
    except ValueError:
        raise UnreadableError("hands are a table of card numbers, as many in each row") from None
    if rows.ndim != 2 or not rows.shape[1] or not np.issubdtype(rows.dtype, np.integer):
        raise UnreadableError("hands are a table of card numbers, one hand in each row")
    if rows.size and not 0 <= int(rows.min()) <= int(rows.max()) < _DECK:
        raise UnreadableError(f"a card is a number from 0 to {_DECK - 1}")
    return rows.astype(np.uint8, copy=False)


def _ascending(rows: Cards) -> list[Cards]:
    """The columns of the rows once each row ascends: neighbours are exchanged, column against column."""
    columns = list(np.ascontiguousarray(rows.T))
    for step in range(len(columns)):
        for left in range(step % 2, len(columns) - 1, 2):
            one, other = columns[left : left + 2]
            columns[left : left + 2] = np.minimum(one, other), np.maximum(one, other)
    if any(np.equal(*pair).any() for pair in pairwise(columns)):
        raise UnreadableError("a hand holds the same card twice")
    return columns


def _weigh(columns: list[Cards] | tuple[Cards, ...], weights: Index) -> Index:
    total: Index = weights[0].take(columns[0])
    for column, weight in zip(columns[1:], weights[1:], strict=True):
        total += weight.take(column)
    return total


def _one_suit(columns: tuple[Cards, ...]) -> npt.NDArray[np.bool_]:
    differing = np.zeros_like(columns[0])
    for column in columns[1:]:
        differing |= columns[0] ^ column
    one_suit: npt.NDArray[np.bool_] = differing & _SUIT_BITS == 0
    return one_suit
