"""The inner loops of other seats' cards: what each choice is worth when some hidden cards have left the deck."""

import numpy as np
import numpy.typing as npt
from numba import njit

from pitboss.exact.cache import forget_stale
from pitboss.exact.decks import Ints, Places, next_subset
from pitboss.exact.seats_stages import settle
from pitboss.exact.sweep import Ranks

Bools = npt.NDArray[np.bool_]
Levels = npt.NDArray[np.int16]
CELLS = 6


@njit(cache=True, nogil=True)
def _best_and_basic(cells: Ints, nets: Ints, legal: Bools, basic: int) -> np.int64:
    """What the best choice is worth over the basic one."""
    best, usual, first = np.int64(0), np.int64(0), True
    for choice in range(len(legal)):
        if legal[choice]:
            worth = np.int64(0)
            for cell in range(CELLS):
                worth += cells[cell] * nets[choice, cell]
            if first or worth > best:
                best, first = worth, False
            if choice == basic:
                usual = worth
    return best - usual


@njit(cache=True, nogil=True)
def gains_facing(
    n: int,
    deals: Places,
    up: bool,
    size: int,
    ranks: Levels,
    own: Ranks,
    least: int,
    facts: Ranks,
    basic: Ranks,
    nets: Ints,
    legal: Bools,
    binomial: Ints,
    gains: Ints,
) -> None:
    """``gains[row]``: the best choice's gain over the basic one, over all hands that the dealer can still have.

    A row of ``deals`` has the known cards, with the up card last if there is one.
    """
    hidden = size - 1 if up else size
    left, taken = np.empty(n, np.int64), np.empty(n, np.bool_)
    whole, many, at = np.zeros(hidden + 1, np.int64), np.zeros(hidden + 1, np.int64), np.zeros(hidden + 1, np.int64)
    cells, shift = np.zeros(CELLS, np.int64), np.zeros(hidden + 1, np.int64)
    for row in range(len(deals)):
        taken[:] = False
        for card in deals[row]:
            taken[card] = True
        shown = deals[row, deals.shape[1] - 1] if up else n
        found, under = 0, 0
        for card in range(n):
            if not taken[card]:
                left[found] = card
                found += 1
                if card < shown:
                    under = found
        # A hand's number: each card by its place among the cards, the up card by how many are below it.
        for lower in range(hidden + 1):
            shift[lower] = binomial[shown, lower + 1] if up else 0
        mine = own[row]
        below, upto, none, hands = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
        place = hidden - 1
        at[place] = place
        whole[hidden], many[hidden] = 0, 0
        # From the highest card down; the lowest runs in loops of its own, under the up card and over it.
        while place < hidden:
            if place == 0:
                top = at[1]
                start = whole[1] + shift[many[1] + 1] if up else whole[1]
                for lowest in range(min(top, under)):
                    theirs = ranks[start + left[lowest]]
                    below += theirs < mine
                    upto += theirs <= mine
                    none += theirs < least
                start = whole[1] + shift[many[1]]
                for lowest in range(under, top):
                    theirs = ranks[start + binomial[left[lowest], 2]]
                    below += theirs < mine
                    upto += theirs <= mine
                    none += theirs < least
                hands += top
                place = 1
                at[1] += 1
                continue
            most = found if place == hidden - 1 else at[place + 1]
            if at[place] >= most:
                place += 1
                if place < hidden:
                    at[place] += 1
                continue
            card = left[at[place]]
            over = 1 if card > shown else 0
            whole[place] = whole[place + 1] + binomial[card, place + 1 + over]
            many[place] = many[place + 1] + (1 - over)
            place -= 1
            if place > 0:
                at[place] = place
        cells[:] = 0
        cells[4] = upto - below
        if mine < least:
            cells[0], cells[1], cells[2], cells[3], cells[4] = none - upto, cells[4], below, hands - none, 0
        else:
            cells[2], cells[3], cells[5] = none, hands - upto, below - none
        gains[row] = _best_and_basic(cells, nets[facts[row]], legal[facts[row]], basic[row])


@njit(cache=True, nogil=True)
def gain_beside_one(
    n: int, own: Places, rank: int, least: int, ranks: Levels, nets: Ints, legal: Bools, basic: int, binomial: Ints
) -> np.int64:
    """The gain summed over every hand of three that one other seat can hold, all dealer's hands of three counted.

    The dealer's hands by card, by pair and by themselves are taken from all of them: those that avoid both seats.
    """
    size, cells = 3, np.zeros(CELLS, np.int64)
    left = np.empty(n, np.int64)
    found = 0
    for card in range(n):
        if card != own[0] and card != own[1] and card != own[2]:
            left[found] = card
            found += 1
    every = np.zeros(CELLS, np.int64)
    single, double = np.zeros((found, CELLS), np.int64), np.zeros((found, found, CELLS), np.int64)
    hands = found * (found - 1) * (found - 2) // 6
    triple = np.empty(hands, np.int64)
    hand = np.empty(size + 1, np.uint8)
    for place in range(size):
        hand[place] = place
    for row in range(hands):
        a, b, c = hand[0], hand[1], hand[2]
        theirs = ranks[binomial[left[a], 1] + binomial[left[b], 2] + binomial[left[c], 3]]
        cell = 0 if theirs > rank else 1 if theirs == rank else 2
        if theirs >= least:
            cell += 3
        triple[row] = cell
        every[cell] += 1
        single[a, cell] += 1
        single[b, cell] += 1
        single[c, cell] += 1
        double[a, b, cell] += 1
        double[a, c, cell] += 1
        double[b, c, cell] += 1
        next_subset(hand, size)
    total = np.int64(0)
    for place in range(size):
        hand[place] = place
    for row in range(hands):
        a, b, c = hand[0], hand[1], hand[2]
        for cell in range(CELLS):
            cells[cell] = every[cell] - single[a, cell] - single[b, cell] - single[c, cell]
            cells[cell] += double[a, b, cell] + double[a, c, cell] + double[b, c, cell]
        cells[triple[row]] -= 1
        total += _best_and_basic(cells, nets, legal, basic)
        next_subset(hand, size)
    return total


@njit(cache=True, nogil=True)
def _number(own: Places, added: Ints, binomial: Ints) -> int:
    """The number of the hand of own cards and others."""
    hand = np.empty(len(own) + len(added), np.int64)
    hand[: len(own)] = own
    hand[len(own) :] = added
    hand.sort()
    number = 0
    for place in range(len(hand)):
        number += binomial[hand[place], place + 1]
    return number


@njit(cache=True, nogil=True)
def gains_turning(
    n: int,
    own: Places,
    others: Places,
    turned: int,
    pays: Ints,
    pay_of: Ints,
    times: Ints,
    kinds: Ranks,
    mode: Ints,
    which: Ints,
    columns: Ints,
    legal: Bools,
    follows: Ints,
    ended: Ints,
    best_of: Ints,
    usual_of: Ints,
    binomial: Ints,
    gains: Ints,
) -> np.int64:
    """``gains[row]``: best play's gain, with some cards of others known, over the play of a seat that knows none.

    Two or three cards are turned up one by one. What the last one brings is summed over all cards once for each node,
    the cards before it; known cards are taken out of the sums. A final history pays ``times`` one of ``pays``. Stages
    run from the node to no card, each with its columns. Return what the play of a seat that knows none is worth.
    """
    before, bases, finals = turned - 1, len(pays), np.zeros(len(pay_of), np.int64)
    nodes = n * n if before > 1 else n
    live = np.ones(n, np.bool_)
    for card in own:
        live[card] = False
    start = np.flatnonzero(live)
    worth, whole = np.zeros((nodes, n, bases), np.int64), np.zeros((nodes, bases), np.int64)
    added = np.zeros(turned, np.int64)
    for high in start:
        for low in start:
            if (before > 1 and low >= high) or (before == 1 and low != high):
                continue
            node = high * n + low if before > 1 else high
            for last in start:
                if last != high and last != low:
                    added[0], added[before - 1], added[before] = low, high, last
                    kind = kinds[_number(own, added, binomial)]
                    for base in range(bases):
                        worth[node, last, base] = pays[base, kind]
                        whole[node, base] += pays[base, kind]
    most, histories = mode.shape[1], legal.shape[1]
    policies = np.zeros((turned, nodes, histories), np.uint8)
    each, every, normal = np.zeros(most, np.int64), np.zeros((n, most), np.int64), np.int64(0)
    summed, found = np.zeros(most, np.int64), np.zeros(most, np.int64)
    for row in range(-1, len(others)):
        deciding = row < 0
        if not deciding:
            for card in others[row]:
                live[card] = False
        m = int(live.sum())
        every[:] = 0
        for high in start:
            if not live[high]:
                continue
            for low in start:
                if before > 1 and low >= high:
                    break
                if not live[low] or (before == 1 and low != high):
                    continue
                node = high * n + low if before > 1 else high
                for final in range(len(finals)):
                    finals[final] = whole[node, pay_of[final]]
                    if not deciding:
                        for card in others[row]:
                            finals[final] -= worth[node, card, pay_of[final]]
                    finals[final] *= times[final]
                settle(
                    finals, m - before, mode[0, : columns[0]], which[0], legal[0], follows[0], ended[0], best_of[0],
                    usual_of[0], policies[0, node], deciding, each,
                )  # fmt: skip
                for column in range(columns[0]):
                    every[high, column] += each[column]
                    if before > 1:
                        every[low, column] += each[column]
        if before > 1:
            summed[:] = 0
            for card in start:
                if live[card]:
                    settle(
                        every[card], (m - 1) * (m - 2), mode[1, : columns[1]], which[1], legal[1], follows[1],
                        ended[1], best_of[1], usual_of[1], policies[1, card], deciding, each,
                    )  # fmt: skip
                    summed[: columns[1]] += each[: columns[1]]
        else:
            summed[:] = every.sum(axis=0)
        ways = m * (m - 1) * (m - 2) if before > 1 else m * (m - 1)
        settle(
            summed, ways, mode[before, : columns[before]], which[before], legal[before], follows[before],
            ended[before], best_of[before], usual_of[before], policies[before, 0], deciding, found,
        )  # fmt: skip
        if deciding:
            normal = found[1]
        else:
            gains[row] = found[0] - found[1]
            for card in others[row]:
                live[card] = True
    return normal


forget_stale(gains_turning, "exact/decks.py", "exact/seats_stages.py")
