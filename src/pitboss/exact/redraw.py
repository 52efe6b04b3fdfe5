"""Exchanging cards against a hidden hand, the discards dead: the whole game, exactly.

The work is ordered by the player's *final* hand and the up card. One sum over the dealer's hidden cards serves every
hand that could have kept a part of the final cards and thrown away given others (``redraw_kernels.py``). The totals
know the pays of a final hand only as four numbers: against a dealer who does not qualify, a better, a level and a
worse hand. Up cards of different rank are independent of each other: the unit of progress and of parallel work.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations
from math import comb, lcm
from typing import Any, Final, Protocol

import numpy as np
import numpy.typing as npt

from pitboss.exact import redraw_kernels as kernels
from pitboss.exact.decks import BINOMIAL, Ints, Places, SmallDeck, all_subsets
from pitboss.exact.draw import DUEL, FIVE, DrawSolved, facts_of, options_after_draw, pays
from pitboss.exact.draw_kernels import Codes
from pitboss.exact.duel import SUITS, Progress, hand_scores

LEAST_DISCARDS: Final = 2
HIDDEN = DUEL.dealer_cards - 1
ENDS = 5
"""How a round with an exchange ends: fold; bet against a dealer who does not qualify, who is better, level, worse."""


@dataclass(frozen=True)
class Facing:
    """One up card: cards are places of the deck without it, hands one of each class of suits."""

    n: int
    ranks: npt.NDArray[np.uint16]
    """The rank of the dealer's hand with every four other cards."""
    least: int
    """The lowest rank with which the dealer qualifies."""
    hands: Places
    weights: Ints
    own: Codes
    values: Ints
    """What a bet with this final hand gains over a fold, by what the dealer has."""
    names: Places
    """The renamings of suits that leave the up card as it is."""


class Engine(Protocol):
    """Carries out the three passes over one up card: compiled here, or on a graphics card."""

    def best(self, facing: Facing, stay: Ints, factors: Mapping[int, int]) -> tuple[Places, Ints]: ...

    def tally(self, facing: Facing, picked: Places, counts: list[int]) -> dict[int, Ints]: ...


class Compiled:
    """The passes on the processor."""

    def best(self, facing: Facing, stay: Ints, factors: Mapping[int, int]) -> tuple[Places, Ints]:
        """For each hand the best discards as a mask, 0 where staying is as good, and what they are worth."""
        picked, best = np.zeros(len(facing.hands), np.uint8), stay.copy()
        for count, factor in factors.items():
            totals = np.zeros((comb(facing.n, FIVE - count), comb(facing.n, count)), np.int64)
            final = facing.hands, facing.weights, facing.own, facing.values
            kernels.spread(facing.n, facing.ranks, facing.least, *final, count, BINOMIAL, totals)
            kernels.choose(facing.hands, facing.names, count, totals, factor, BINOMIAL, picked, best)
        return picked, best

    def tally(self, facing: Facing, picked: Places, counts: list[int]) -> dict[int, Ints]:
        """By number of discards: how the rounds of every final hand end, times six."""
        found = {}
        for count in counts:
            chosen = np.zeros((comb(facing.n, FIVE - count), comb(facing.n, count)), np.uint8)
            kernels.mark(facing.hands, facing.weights, facing.names, count, picked, BINOMIAL, chosen)
            found[count] = np.zeros((len(facing.hands), ENDS), np.int64)
            final = facing.hands, facing.weights, facing.own, facing.values
            kernels.tally(facing.n, facing.ranks, facing.least, *final, count, chosen, BINOMIAL, found[count])
        return found


def renamings(n: int, up: int) -> Places:
    """Every order of the three suits that the up card does not have, as the new place of each place."""
    rows = []
    for order in permutations(range(1, SUITS)):
        suits = (0, *order)
        row = []
        for place in range(n + 1):
            if place != up:
                new = place - place % SUITS + suits[place % SUITS]
                row.append(new - (new > up))
        rows.append(row)
    return np.array(rows, np.uint8)


@dataclass(frozen=True)
class Deck:
    """What all up cards share."""

    solved: DrawSolved
    levels: npt.NDArray[np.int32]
    scores: npt.NDArray[np.int32]
    own: Codes
    values: Ints
    fold: int
    unit: int


def prepare(solved: DrawSolved) -> Deck:
    """Pays of final hands asked of the game, by class of hands."""
    counts, deck = solved.counts, solved.counts.deck
    unit = solved.scale // (counts.five_dealer_hands * counts.draws)
    pay = pays(solved.rules, counts.five_codes, options_after_draw, solved.reading, unit)
    assert pay.unit == unit, "the pays after a draw have the denominators of those before it"
    bet, fold = (pay.nets[:, pay.names.index(name)] for name in ("bet", "fold"))
    assert (fold == fold[0, 0]).all(), "a fold after a draw loses the same with every hand"
    low = bet[~pay.qualifies]
    assert (low[:, :1] == low[:, :3]).all(), "an unqualified dealer pays a lower hand as he pays a higher one"
    by_fact = np.stack([bet[:, 2], bet[:, 3], bet[:, 4], bet[:, 5]], axis=1) - fold[0, 0]
    scores = hand_scores(DUEL.order, deck, DUEL.dealer_cards)
    levels = np.unique(scores)
    best = facts_of(deck.cards[counts.five_hands])[0]
    own = np.searchsorted(levels, best).astype(np.int32)
    return Deck(solved, levels, scores, own, np.ascontiguousarray(by_fact[counts.five_facts]), int(fold[0, 0]), unit)


def facing(shared: Deck, up: int) -> tuple[Facing, npt.NDArray[np.intp]]:
    """The up card of one rank, and the rows of the classes of hands that do not hold it."""
    counts = shared.solved.counts
    n, place = counts.deck.size - 1, SUITS * up
    rows = np.flatnonzero(~(counts.five_hands == place).any(axis=1))
    hands = counts.five_hands[rows]
    others = np.empty((comb(n, HIDDEN), HIDDEN), np.uint8)
    all_subsets(n, HIDDEN, others)
    others += others >= place
    dealt = np.sort(np.hstack([others, np.full((len(others), 1), place, np.uint8)]), axis=1)
    index = sum(BINOMIAL[dealt[:, k], k + 1] for k in range(HIDDEN + 1))
    assert DUEL.qualifies is not None
    return (
        Facing(
            n,
            np.searchsorted(shared.levels, shared.scores[index]).astype(np.uint16),
            int(np.searchsorted(shared.levels, DUEL.qualifies)),
            hands - (hands > place).astype(np.uint8),
            counts.five_weights[rows],
            shared.own[rows],
            shared.values[rows],
            renamings(n, place),
        ),
        rows,
    )


def scales(deck: SmallDeck) -> tuple[int, dict[int, int]]:
    """A number that the ways to draw any number of cards divide, and how often each goes into it."""
    left = deck.size - FIVE - DUEL.dealer_cards
    counts = range(LEAST_DISCARDS, FIVE + 1)
    common = lcm(left, *(comb(left, count) for count in counts))
    return common, {count: common // comb(left, count) for count in counts}
