"""The search for pay tables, compiled: rows are set from the lowest hand up, and bounded by what the rest can pay."""

import numpy as np
import numpy.typing as npt
from numba import njit

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
ALL, STEADY, LIVELY, MIDDLE, NEAR = range(5)
ANY_ORDER = -1


@njit(cache=True)
def _least_after(place: int, pay: int, ways: Ints, least: Ints, gap: int) -> int:
    """The least that the rows after a place add, if the row at it pays so much."""
    total, floor = 0, pay
    for after in range(place + 1, len(ways)):
        floor = least[after] if gap == ANY_ORDER else max(floor + gap, least[after])
        total += ways[after] * floor
    return total


@njit(cache=True)
def search(
    ways: Ints,
    least: Ints,
    most: Ints,
    gap: int,
    least_sum: int,
    most_sum: int,
    spread: Floats,
    taste: int,
    aim: int,
    law: Floats,
    unit: float,
    off: float,
    kept: Ints,
    scores: Floats,
    most_steps: int,
    seen_ways: Ints,
    seen_most: Ints,
) -> tuple[int, int, int]:
    """Fill ``kept`` with tables in order of score; return how many tables there are, how many are kept, and the steps.

    With any taste but ``ALL`` only tables that can enter ``kept`` are visited, so the first figure is of those.
    ``spread``: the least and the most variance, the deals, and what all other results add to the nets and to their
    squares. ``seen_ways``: the ways of each row by the card that is known, whose sums with the pays lie at or below
    ``seen_most``.
    """
    rows, room = len(ways), len(scores)
    least_variance, most_variance, deals, other_nets, other_squares = spread
    all_off = off * ways.sum()
    low_mean = (unit * least_sum + all_off + other_nets) / deals
    high_mean = (unit * most_sum + all_off + other_nets) / deals
    far = max(low_mean * low_mean, high_mean * high_mean)
    near = 0.0 if low_mean < 0 < high_mean else min(low_mean * low_mean, high_mean * high_mean)
    most_after = np.zeros(rows, np.int64)
    ways_after = np.zeros(rows, np.int64)
    for place in range(rows - 2, -1, -1):
        most_after[place] = most_after[place + 1] + ways[place + 1] * most[place + 1]
        ways_after[place] = ways_after[place + 1] + ways[place + 1]
    pays = np.zeros(rows, np.int64)
    total = np.zeros(rows + 1, np.int64)
    square = np.zeros(rows + 1, np.float64)
    score = np.zeros(rows + 1, np.float64)
    seen = np.zeros((rows + 1, len(seen_most)), np.int64)
    found, held, steps, place = 0, 0, 0, 0
    begin = True
    while place >= 0:
        if begin:
            low = least[place]
            if gap != ANY_ORDER and place > 0:
                low = max(low, pays[place - 1] + gap)
            needed = least_sum - total[place] - most_after[place]
            low = max(low, -((-needed) // ways[place]))
            pays[place] = low
            begin = False
        else:
            pays[place] += 1
        pay = pays[place]
        steps += 1
        if steps > most_steps:
            return found, held, steps
        if pay > most[place]:
            place -= 1
            continue
        now = total[place] + ways[place] * pay
        if now + _least_after(place, pay, ways, least, gap) > most_sum:
            place -= 1
            continue
        too_good = False
        for card in range(len(seen_most)):
            worth_now = seen[place, card] + seen_ways[card, place] * pay
            seen[place + 1, card] = worth_now
            if worth_now + _least_after(place, pay, seen_ways[card], least, gap) > seen_most[card]:
                too_good = True
        if too_good:  # and so is every larger pay
            place -= 1
            continue
        net = unit * pay + off
        added = square[place] + ways[place] * net * net
        last = place == rows - 1
        # What the squares of the other rows add up to, at least and at most.
        under = over = 0.0
        if not last:
            rest_low = unit * (least_sum - now) + off * ways_after[place]
            rest_high = unit * (most_sum - now) + off * ways_after[place]
            if rest_low > 0:
                under = rest_low * rest_low / ways_after[place]
            highest = 0.0
            for after in range(place + 1, rows):
                alone = min(unit * most[after] + off, rest_high / ways[after])
                highest = max(highest, alone)
            over = highest * max(rest_high, 0.0)
        if (added + under + other_squares) / deals - far > most_variance:
            continue
        if (added + over + other_squares) / deals - near < least_variance:
            continue
        if last:
            mean = (unit * now + all_off + other_nets) / deals
            variance = (added + other_squares) / deals - mean * mean
            if not least_variance <= variance <= most_variance:
                continue
        worth = 0.0
        if taste == STEADY:
            worth = added + under
        elif taste == LIVELY:
            worth = -(added + over)
        elif taste == MIDDLE:
            if now + _least_after(place, pay, ways, least, gap) > aim:
                worth = float(now + _least_after(place, pay, ways, least, gap) - aim)
            elif now + most_after[place] < aim:
                worth = float(aim - now - most_after[place])
        elif taste == NEAR:
            worth = score[place] + (1e9 + abs(pay - law[place]) if pay != law[place] else 0.0)
        if taste != ALL and held == room and worth >= scores[room - 1]:
            continue
        if not last:
            total[place + 1] = now
            square[place + 1] = added
            score[place + 1] = worth
            place += 1
            begin = True
            continue
        found += 1
        if taste == ALL:
            if held < room:
                kept[held] = pays
                held += 1
            continue
        at = min(held, room - 1)
        while at > 0 and scores[at - 1] > worth:
            scores[at] = scores[at - 1]
            kept[at] = kept[at - 1]
            at -= 1
        scores[at] = worth
        kept[at] = pays
        held = min(held + 1, room)
    return found, held, steps
