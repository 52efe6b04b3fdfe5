"""Compiled parts of valuing one state with an exchange: every draw against every hand that the dealer may hold."""

import numpy as np
import numpy.typing as npt
from numba import njit

from pitboss.exact.decks import Ints, Places
from pitboss.exact.draw_kernels import CELL_COUNT, FIELD, Codes, cells_of


@njit(cache=True, nogil=True)
def number(hand: Places, binomial: Ints) -> int:
    """The number of an ascending hand."""
    index = 0
    for place in range(len(hand)):
        index += binomial[hand[place], place + 1]
    return index


@njit(cache=True, nogil=True)
def number_joined(keep: Places, rest: Places, drawn: Places, binomial: Ints, numbers: Ints) -> None:
    """The number of the hand made of the kept places and each row of places drawn from ``rest``; all ascend."""
    kept, count = len(keep), drawn.shape[1]
    for row in range(len(drawn)):
        index = 0
        one, other = 0, 0
        for taken in range(1, kept + count + 1):
            if other == count or (one < kept and keep[one] < rest[drawn[row, other]]):
                index += binomial[keep[one], taken]
                one += 1
            else:
                index += binomial[rest[drawn[row, other]], taken]
                other += 1
        numbers[row] = index


@njit(cache=True, nogil=True)
def ranks_with_up(rest: Places, up: int, ranks: Codes, binomial: Ints, out: Codes) -> None:
    """The rank of every four places of ``rest`` together with ``up``, in colex order."""
    n = len(rest)
    step = np.empty((n, 6), np.int64)
    after = np.empty(n, np.int64)
    for place in range(n):
        after[place] = 1 if rest[place] > up else 0
        for k in range(6):
            step[place, k] = binomial[rest[place], k]
    row = 0
    for d in range(3, n):
        for c in range(2, d):
            for b in range(1, c):
                for a in range(b):
                    below = 4 - after[a] - after[b] - after[c] - after[d]
                    index = binomial[up, below + 1]
                    index += step[a, 1 + after[a]] + step[b, 2 + after[b]] + step[c, 3 + after[c]]
                    index += step[d, 4 + after[d]]
                    out[row] = ranks[index]
                    row += 1


@njit(cache=True, nogil=True)
def _avoiding(
    drawn: Places, singles: Ints, pairs: Ints, triples: Ints, taken: int, ranks: Codes, below: int, steps: Ints
) -> int:
    """How many of the dealer's hands taken so far, those of rank under ``below``, avoid the drawn places."""
    total = taken
    for i in range(len(drawn)):
        a = drawn[i]
        total -= singles[a]
        for j in range(i):
            b = drawn[j]
            total += pairs[steps[2, a] + b]
            for k in range(j):
                c = drawn[k]
                total -= triples[steps[3, a] + steps[2, b] + c]
                for h in range(k):
                    # The drawn cards hold all of the dealer's other four: one hand, counted by its rank.
                    if ranks[steps[4, a] + steps[3, b] + steps[2, c] + drawn[h]] < below:
                        total += 1
    return total


@njit(cache=True, nogil=True)
def _best(packed: int, fact: int, nets: Ints, qualifies: bool, dealer_hands: int, cells: Ints) -> int:
    cells_of(packed, qualifies, dealer_hands, cells)
    best = 0
    for choice in range(nets.shape[1]):
        total = 0
        for cell in range(CELL_COUNT):
            total += cells[cell] * nets[fact, choice, cell]
        if choice == 0 or total > best:
            best = total
    return best


@njit(cache=True, nogil=True)
def draw_total(
    n: int,
    ranks: Codes,
    least: int,
    drawn: Places,
    own: Codes,
    facts: Codes,
    nets: Ints,
    qualifies: npt.NDArray[np.bool_],
    dealer_hands: int,
    from_rank: int,
    steps: Ints,
) -> int:
    """The sum, over rows of places drawn from n, of the best choice's total over the dealer's hands they leave.

    ``ranks`` are those of the dealer's four other places with the up card, in colex order; ``own`` those of the
    player's final hands. One sweep as in ``sweep.py``, but every row has the same few cards to exclude. How hands
    below ``from_rank`` compare with the dealer's is not asked. ``steps[k, place]`` is ``place`` choose ``k``.
    """
    most = max(ranks.max(), own.max()) + 1
    starts = np.zeros(most + 2, np.int64)
    for rank in ranks:
        starts[rank + 1] += 1
    mine = np.zeros(most + 2, np.int64)
    for rank in own:
        mine[rank + 1] += 1
    for rank in range(1, most + 2):
        starts[rank] += starts[rank - 1]
        mine[rank] += mine[rank - 1]
    hands = np.empty((len(ranks), 4), np.uint8)
    filled = starts.copy()
    row = 0
    for d in range(3, n):
        for c in range(2, d):
            for b in range(1, c):
                for a in range(b):
                    place = filled[ranks[row]]
                    hands[place, 0], hands[place, 1], hands[place, 2], hands[place, 3] = a, b, c, d
                    filled[ranks[row]] += 1
                    row += 1
    order = np.empty(len(own), np.int64)
    filled = mine.copy()
    for row in range(len(own)):
        order[filled[own[row]]] = row
        filled[own[row]] += 1
    singles = np.zeros(n, np.int64)
    pairs = np.zeros(n * (n - 1) // 2, np.int64)
    triples = np.zeros(n * (n - 1) * (n - 2) // 6, np.int64)
    two, three = steps[2], steps[3]
    none = np.zeros(len(own), np.int64)
    lower = np.zeros(len(own), np.int64)
    cells = np.zeros(CELL_COUNT, np.int64)
    everything = 0
    for rank in range(most + 1):
        if rank == least:
            for row in range(len(own)):
                none[row] = _avoiding(drawn[row], singles, pairs, triples, starts[rank], ranks, rank, steps)
        first = mine[rank] if rank >= from_rank else mine[rank + 1]
        for place in range(first, mine[rank + 1]):
            row = order[place]
            lower[row] = _avoiding(drawn[row], singles, pairs, triples, starts[rank], ranks, rank, steps)
        for place in range(starts[rank], starts[rank + 1]):
            w, x, y, z = hands[place]
            singles[w] += 1
            singles[x] += 1
            singles[y] += 1
            singles[z] += 1
            pairs[two[x] + w] += 1
            pairs[two[y] + w] += 1
            pairs[two[y] + x] += 1
            pairs[two[z] + w] += 1
            pairs[two[z] + x] += 1
            pairs[two[z] + y] += 1
            triples[three[y] + two[x] + w] += 1
            triples[three[z] + two[x] + w] += 1
            triples[three[z] + two[y] + w] += 1
            triples[three[z] + two[y] + x] += 1
        for place in range(first, mine[rank + 1]):
            row = order[place]
            upto = _avoiding(drawn[row], singles, pairs, triples, starts[rank + 1], ranks, rank + 1, steps)
            lower[row] |= (upto - lower[row]) << FIELD
    for row in range(len(own)):
        packed = lower[row] | none[row] << 2 * FIELD
        everything += _best(packed, facts[row], nets, qualifies[facts[row]], dealer_hands, cells)
    return everything
