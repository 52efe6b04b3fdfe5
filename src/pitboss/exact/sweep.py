"""Counting dealer's hands by rank sweep and inclusion-exclusion.

Dealer's hands are taken from the lowest to the highest. For every set S of a few cards a counter tells how many of
the hands taken so far contain S. At the moment when all hands below a threshold have been taken, the number of those
that avoid the known cards K is the alternating sum of the counters of the subsets of K. Work per question falls from
millions of dealer's hands to 2^|K| look-ups, and no pay table is involved.

A card that lies face up is part of every dealer's hand; it is left out of hands and deck, and the rest is the same.
"""

import numpy as np
import numpy.typing as npt
from numba import njit

from pitboss.exact.decks import BINOMIAL, Ints, Places, next_subset, subsets_of

Ranks = npt.NDArray[np.int32]


@njit(cache=True, nogil=True)
def _ranks_with(n: int, size: int, up: int, ranks: Ranks, binomial: Ints, hands: Places, out: Ranks) -> None:
    """Hands of ``size`` places of the deck without ``up``, in colex order, and the rank of each with ``up``."""
    hand = np.empty(size + 1, np.uint8)
    for place in range(size):
        hand[place] = place
    row = 0
    while hand[size - 1] < n - 1:
        index = 0
        taken = 0
        placed = False
        for place in range(size):
            card = hand[place]
            if card >= up:
                if not placed:
                    taken += 1
                    index += binomial[up, taken]
                    placed = True
                card += 1
            taken += 1
            index += binomial[card, taken]
        if not placed:
            index += binomial[up, taken + 1]
        hands[row] = hand[:size]
        out[row] = ranks[index]
        row += 1
        next_subset(hand, size)


@njit(cache=True, nogil=True)
def _in_order(keys: Ranks, most: int) -> npt.NDArray[np.int64]:
    """Rows by ascending key, by counting."""
    starts = np.zeros(most + 2, np.int64)
    for key in keys:
        starts[key + 1] += 1
    for key in range(1, most + 2):
        starts[key] += starts[key - 1]
    order = np.empty(len(keys), np.int64)
    for row in range(len(keys)):
        order[starts[keys[row]]] = row
        starts[keys[row]] += 1
    return order


@njit(cache=True, nogil=True)
def _sweep(
    n: int,
    hands: Places,
    ranks: Ranks,
    order: npt.NDArray[np.int64],
    known: Places,
    asked_row: npt.NDArray[np.int32],
    asked_rank: Ranks,
    asked_order: npt.NDArray[np.int64],
    binomial: Ints,
    answers: Ints,
) -> None:
    """``answers[q]``: how many hands with a rank below ``asked_rank[q]`` avoid the places ``known[asked_row[q]]``."""
    # Unsigned numbers index without a test for a negative index, which is a third of the time.
    size, held = hands.shape[1], known.shape[1]
    largest = min(size - 1, held)
    subsets = 1 << max(size, held)
    first = np.zeros(largest + 2, np.uint32)
    for cards in range(largest + 1):
        first[cards + 1] = first[cards] + np.uint32(binomial[n, cards])
    counters = np.zeros(first[largest + 1], np.int32)
    bits = np.zeros(subsets, np.uint8)
    for mask in range(1, subsets):
        bits[mask] = bits[mask >> 1] + (mask & 1)
    chosen = binomial.astype(np.uint32)
    number = np.zeros(subsets, np.uint32)
    odd = np.uint64(1)
    taken = 0
    for q in asked_order:
        while taken < len(order) and ranks[order[taken]] < asked_rank[q]:
            row = order[taken]
            counters[0] += 1
            for place in range(size):
                card = np.uint64(hands[row, place])
                with_card = odd << np.uint64(place)
                for rest in range(with_card):
                    k = np.uint64(bits[rest] + 1)
                    found = number[rest] + chosen[card, k]
                    number[np.uint64(rest) | with_card] = found
                    if k <= largest:
                        counters[np.uint64(first[k] + found)] += 1
            taken += 1
        row = asked_row[q]
        total = np.int64(counters[0])
        for place in range(held):
            card = np.uint64(known[row, place])
            with_card = odd << np.uint64(place)
            for rest in range(with_card):
                k = np.uint64(bits[rest] + 1)
                found = number[rest] + chosen[card, k]
                number[np.uint64(rest) | with_card] = found
                if k <= largest:
                    counted = np.int64(counters[np.uint64(first[k] + found)])
                    total += -counted if k & odd else counted
                elif k == size and ranks[np.uint64(found)] < asked_rank[q]:
                    # The known cards hold a whole dealer's hand: it contains them, so it counts once.
                    total += -1 if k & odd else 1
        answers[q] = total


def count_below(
    n: int, ranks: Ranks, size: int, known: Places, thresholds: npt.NDArray[np.int32], up: int | None = None
) -> Ints:
    """For each row of known places and each of its thresholds: dealer's hands of lower rank that avoid the places.

    ``ranks`` has the rank of every hand of ``size`` places by number, as small integers. With ``up`` only hands that
    contain this place are counted; known places must not contain it. ``thresholds`` is one row per known row.
    """
    binomial = BINOMIAL
    if up is None:
        hands, dealt, deck = subsets_of(n, size), ranks.astype(np.int32, copy=False), n
    else:
        rest = int(binomial[n - 1, size - 1])
        hands, dealt, deck = np.empty((rest, size - 1), np.uint8), np.empty(rest, np.int32), n - 1
        _ranks_with(n, size - 1, up, ranks, binomial, hands, dealt)
        known = known - (known > up).astype(np.uint8)
    most = int(max(ranks.max(), thresholds.max())) + 1
    asked = thresholds.reshape(-1).astype(np.int32)
    rows = np.repeat(np.arange(len(known), dtype=np.int32), thresholds.shape[1])
    answers = np.empty(len(asked), np.int64)
    _sweep(
        deck,
        hands,
        dealt,
        _in_order(dealt, most),
        np.ascontiguousarray(known),
        rows,
        asked,
        _in_order(asked, most),
        binomial,
        answers,
    )
    return answers.reshape(thresholds.shape)
