"""Counting codes. Everything that is added up is a whole number, so batches can be added in any way."""

import numpy as np
from numba import njit

from pitboss.simulate.operations import Codes
from pitboss.simulate.words import Bytes, Ints, Word, Words

Limbs = Words
"""Sums of squares in two limbs, the lower first: they outgrow 64 bits."""


@njit(cache=True, nogil=True)
def _add_square(limbs: Limbs, row: int, value: Word) -> None:
    square = np.uint64(value * value)
    low = limbs[row, 0] + square
    if low < square:
        limbs[row, 1] += np.uint64(1)
    limbs[row, 0] = low


@njit(cache=True, nogil=True)
def count(codes: Codes, offsets: Ints, nets: Ints, rare: Bytes, tallies: Ints, moved: Ints, flagged: Bytes) -> None:
    """Add the codes of some rounds to the tallies (seats by codes), with the net of each and whether a code is rare."""
    for place in range(np.uint64(codes.shape[0])):
        net = np.int64(0)
        seldom = np.uint8(0)
        for seat in range(np.uint64(codes.shape[1])):
            for group in range(np.uint64(len(offsets))):
                code = np.uint64(offsets[group]) + np.uint64(codes[place, seat, group])
                tallies[seat, code] += 1
                net += nets[seat, code]
                seldom |= rare[seat, code]
        moved[place] = net
        flagged[place] = seldom


@njit(cache=True, nogil=True)
def add_moments(moved: Ints, sums: Ints, squares: Limbs, row: int) -> None:
    total = np.int64(0)
    for value in moved:
        total += value
        _add_square(squares, row, value)
    sums[row] += total


@njit(cache=True, nogil=True)
def add_wagers(
    codes: Codes,
    seats: Ints,
    groups: Ints,
    starts: Ints,
    wagers: Ints,
    pays: Ints,
    totals: Ints,
    sums: Ints,
    squares: Limbs,
) -> None:
    """Sums and squares of what each wager moves in a round, over all seats together."""
    for place in range(np.uint64(codes.shape[0])):
        totals[:] = 0
        for line in range(np.uint64(len(seats))):
            code = np.int64(codes[place, np.uint64(seats[line]), np.uint64(groups[line])])
            totals[np.uint64(wagers[line])] += pays[np.uint64(starts[line] + code)]
        for wager in range(len(totals)):
            sums[wager] += totals[wager]
            _add_square(squares, wager, totals[wager])


@njit(cache=True, nogil=True)
def fall(nets: Ints, session: int, results: Ints, drawdowns: Ints) -> None:
    """Of each whole session its result and the largest fall from its best standing, the start included."""
    for number in range(len(results)):
        standing, best, worst = np.int64(0), np.int64(0), np.int64(0)
        for place in range(number * session, (number + 1) * session):
            standing += nets[place]
            best = max(best, standing)
            worst = max(worst, best - standing)
        results[number] = standing
        drawdowns[number] = worst
