"""The inner loops of other seats' cards: what each choice is worth when some hidden cards have left the deck."""

import numpy as np
import numpy.typing as npt
from numba import njit

from pitboss.exact.decks import Ints, Places, next_subset
from pitboss.exact.plan import ENDED
from pitboss.exact.sweep import Ranks

Bools = npt.NDArray[np.bool_]
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
    ranks: Ranks,
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
    parts, below = np.empty((hidden, n), np.int64), np.empty(n, np.int64)
    whole, many, at = np.zeros(hidden + 1, np.int64), np.zeros(hidden + 1, np.int64), np.zeros(hidden + 1, np.int64)
    cells, shift = np.zeros(CELLS, np.int64), np.zeros(hidden + 1, np.int64)
    for row in range(len(deals)):
        taken[:] = False
        for card in deals[row]:
            taken[card] = True
        found = 0
        for card in range(n):
            if not taken[card]:
                left[found] = card
                found += 1
        shown = deals[row, deals.shape[1] - 1] if up else n
        # A hand's number: each card by its place among the cards, the up card by how many are below it.
        for at_card in range(found):
            card = left[at_card]
            below[at_card] = 1 if card < shown else 0
            for place in range(hidden):
                parts[place, at_card] = binomial[card, place + 1 + (1 if card > shown else 0)]
        for lower in range(hidden + 1):
            shift[lower] = binomial[shown, lower + 1] if up else 0
        cells[:] = 0
        mine = own[row]
        place = hidden - 1
        at[place] = place
        whole[hidden], many[hidden] = 0, 0
        # From the highest card down; the lowest runs in a loop of its own.
        while place < hidden:
            if place == 0:
                top = at[1] if hidden > 1 else found
                for lowest in range(top):
                    number = whole[1] + parts[0, lowest] + shift[many[1] + below[lowest]]
                    theirs = ranks[number]
                    if theirs > mine:
                        compared = 0
                    elif theirs == mine:
                        compared = 1
                    else:
                        compared = 2
                    cells[compared if theirs < least else 3 + compared] += 1
                place = 1
                if hidden == 1:
                    break
                at[1] += 1
                continue
            most = found if place == hidden - 1 else at[place + 1]
            if at[place] >= most:
                place += 1
                if place < hidden:
                    at[place] += 1
                continue
            card_at = at[place]
            whole[place] = whole[place + 1] + parts[place, card_at]
            many[place] = many[place + 1] + below[card_at]
            place -= 1
            if place > 0:
                at[place] = place
        gains[row] = _best_and_basic(cells, nets[facts[row]], legal[facts[row]], basic[row])


@njit(cache=True, nogil=True)
def gain_beside_one(
    n: int, own: Places, rank: int, least: int, ranks: Ranks, nets: Ints, legal: Bools, basic: int, binomial: Ints
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
def _end(own: Places, left: Ints, used: Bools, seen: Ints, nets: Ints, kinds: Ranks, binomial: Ints, out: Ints) -> int:
    """What each final history is worth, summed over the last card; and how many cards that can be."""
    held = len(own) + len(seen) - 1
    hand, counts = np.empty(held, np.int64), np.zeros(nets.shape[1], np.int64)
    hand[: len(own)] = own
    hand[len(own) :] = seen[: len(seen) - 1]
    hand.sort()
    # A hand's number: the last card goes in at a place, the cards above it move up by one.
    under, over = np.zeros(held + 1, np.int64), np.zeros(held + 1, np.int64)
    for place in range(held):
        under[place + 1] = under[place] + binomial[hand[place], place + 1]
    for place in range(held - 1, -1, -1):
        over[place] = over[place + 1] + binomial[hand[place], place + 2]
    place, ways = 0, 0
    for at in range(len(left)):
        card = left[at]
        while place < held and hand[place] < card:
            place += 1
        if not used[at]:
            counts[kinds[under[place] + binomial[card, place + 1] + over[place]]] += 1
            ways += 1
    for final in range(nets.shape[0]):
        worth = np.int64(0)
        for kind in range(nets.shape[1]):
            if counts[kind] > 0:
                worth += counts[kind] * nets[final, kind]
        out[final] = worth
    return ways


@njit(cache=True, nogil=True)
def _decide(
    step: int,
    node: int,
    ways: int,
    legal: Bools,
    follows: Ints,
    ended: Ints,
    policy: Ranks,
    deciding: bool,
    best: Ints,
    usual: Ints,
) -> None:
    """Take the best choice of each history and the policy's, which is written where ``deciding``."""
    after, after_usual = best.copy(), usual.copy()
    for history in range(legal.shape[1]):
        first = True
        for choice in range(legal.shape[2]):
            if legal[step, history, choice]:
                follow = follows[step, history, choice]
                worth = ended[step, history, choice] * ways if follow == ENDED else after[follow]
                if first or worth > best[history]:
                    best[history], first = worth, False
                    if deciding:
                        policy[step, node, history] = choice
        if not first:
            choice = policy[step, node, history]
            follow = follows[step, history, choice]
            usual[history] = ended[step, history, choice] * ways if follow == ENDED else after_usual[follow]


@njit(cache=True, nogil=True)
def _walk(
    n: int,
    own: Places,
    left: Ints,
    turned: int,
    step_at: Ints,
    legal: Bools,
    follows: Ints,
    ended: Ints,
    nets: Ints,
    kinds: Ranks,
    binomial: Ints,
    policy: Ranks,
    deciding: bool,
) -> np.int64:
    """Best play's gain over the policy, summed over all orders of the cards to come; where ``deciding``, find it."""
    most = max(nets.shape[0], legal.shape[1])
    best, usual = np.zeros((turned, most), np.int64), np.zeros((turned, most), np.int64)
    ways, at, node = np.zeros(turned, np.int64), np.full(turned, -1), np.zeros(turned, np.int64)
    seen, used = np.zeros(turned, np.int64), np.zeros(len(left), np.bool_)
    depth = 0
    while True:
        if depth == turned - 1:
            ways[depth] = _end(own, left, used, seen, nets, kinds, binomial, best[depth])
            usual[depth] = best[depth]
        else:
            if at[depth] >= 0:
                used[at[depth]] = False
                best[depth] += best[depth + 1]
                usual[depth] += usual[depth + 1]
                ways[depth] += ways[depth + 1]
            at[depth] += 1
            while at[depth] < len(left) and used[at[depth]]:
                at[depth] += 1
            if at[depth] < len(left):
                used[at[depth]] = True
                seen[depth] = left[at[depth]]
                depth += 1
                node[depth] = node[depth - 1] * n + seen[depth - 1]
                at[depth], ways[depth] = -1, 0
                best[depth], usual[depth] = 0, 0
                continue
        if step_at[depth] >= 0:
            _decide(
                step_at[depth], node[depth], ways[depth], legal, follows, ended, policy, deciding,
                best[depth], usual[depth],
            )  # fmt: skip
        if depth == 0:
            return np.int64(best[0, 0] - usual[0, 0])
        depth -= 1


@njit(cache=True, nogil=True)
def gains_turning(
    n: int,
    own: Places,
    others: Places,
    turned: int,
    step_at: Ints,
    legal: Bools,
    follows: Ints,
    ended: Ints,
    nets: Ints,
    kinds: Ranks,
    binomial: Ints,
    gains: Ints,
) -> None:
    """``gains[row]``: best play's gain, with some cards of others known, over the play of a seat that knows none."""
    nodes = 1
    for _ in range(turned - 1):
        nodes *= n
    policy = np.zeros((legal.shape[0], nodes, legal.shape[1]), np.int32)
    gone = np.zeros(n, np.bool_)
    for row in range(-1, len(others)):
        gone[:] = False
        for card in own:
            gone[card] = True
        if row >= 0:
            for card in others[row]:
                gone[card] = True
        gain = _walk(
            n, own, np.flatnonzero(~gone), turned, step_at, legal, follows, ended, nets, kinds, binomial, policy,
            row < 0,
        )  # fmt: skip
        if row >= 0:
            gains[row] = gain
