"""How the results of two seats against one dealer vary together, counted exactly.

For each dealer's hand, what all pairs of disjoint hands win is the alternating sum of the squares of what the hands win
that hold a card, two cards or three. So the second player's hands are never looped over.
"""

from collections.abc import Mapping
from fractions import Fraction
from math import comb
from typing import Final

import numpy as np
import numpy.typing as npt
from numba import njit

from pitboss.exact.cache import COUNTING_CODE, fingerprint, kept_figures
from pitboss.exact.decks import BINOMIAL, FULL, Ints, Places, SmallDeck, next_subset, subsets_of
from pitboss.exact.duel import hand_scores
from pitboss.exact.edge import MAIN
from pitboss.exact.facets import NotCountedError, labels_of
from pitboss.exact.side import own_column
from pitboss.exact.value import Valued
from pitboss.findings import UnreadableError
from pitboss.games.contract import Game
from pitboss.games.course import FOLD
from pitboss.games.rules import Rules
from pitboss.money import Cents

_SMALL: Final = 3


def seats_covariance(
    game: Game, rules: Rules, stakes: Mapping[str, Cents], best: Valued, deck: SmallDeck = FULL
) -> Fraction:
    """The covariance of what two seats win in a round, each with these wagers under best play.

    Raise ``NotCountedError`` unless player and dealer have three cards each, all of them hidden.
    """
    duel = game.duel
    if duel is None or duel.up_card or not duel.player_cards == duel.dealer_cards == _SMALL:
        raise NotCountedError(f"The covariance of two seats is not counted in {game.name}: its hands are too many.")
    solved, grid = best.solved, best.grid
    hands = subsets_of(deck.size, _SMALL)
    assert len(solved.hands) == len(hands), "suits are told apart, so every hand is a state"
    row_of = np.empty(len(hands), np.int64)
    row_of[(BINOMIAL[solved.hands, np.arange(1, _SMALL + 1)]).sum(axis=1)] = np.arange(len(hands))
    facts, picked = grid.fact_of_kind[solved.kinds][row_of], best.picked[row_of]
    ranks = np.unique(hand_scores(duel.order, deck, _SMALL), return_inverse=True)[1].reshape(-1)
    scores = hand_scores(duel.order, deck, _SMALL)
    reaches = np.ones(len(hands), np.bool_) if duel.qualifies is None else scores >= duel.qualifies
    nets: Ints = grid.nets[facts, picked] * int(stakes.get(MAIN, 0))
    units, sides = grid.unit, []
    gone = picked == grid.names.index(FOLD.name)
    for name, stake in stakes.items():
        if name != MAIN:
            column = own_column(game, rules, name)
            assert column.facet is not None, "a side wager looks at the name of a hand"
            label = column.facet.label
            played, folded = (
                {each: Fraction(net, column.unit) * stake for each, net in nets_of.items()} for nets_of in column.nets
            )
            labels, codes = labels_of(column.facet, deck, hands)
            worth = np.array([[nets_of[each] for each in labels] for nets_of in (played, folded)], object)
            each_hand = worth[gone.astype(np.int64), codes]
            for row in np.flatnonzero(codes < 0):
                each_hand[row] = (folded if gone[row] else played)[label(deck.hand(hands[row]))]
            sides.append(each_hand)
    extra = sum(sides, np.full(len(hands), Fraction(0), object))
    common = int(np.lcm.reduce([units, *(value.denominator for value in extra)]))
    nets = nets * (common // units)
    added = np.array([int(value * common) for value in extra], np.int64)
    shared = int(np.gcd.reduce(np.concatenate([nets.reshape(-1), added]))) or 1
    nets, added = nets // shared, added // shared

    def make() -> dict[str, list[str]]:
        once, both = np.zeros(len(hands), np.int64), np.zeros(len(hands), np.int64)
        _pairs(deck.size, hands, ranks.astype(np.int64), reaches, nets, added, BINOMIAL, once, both)
        return {"sums": [str(sum(once.tolist())), str(sum(both.tolist()))]}

    largest = int(np.abs(nets).max() + np.abs(added).max()) * comb(deck.size, _SMALL)
    if largest > 3 * 10**9:
        raise UnreadableError("These stakes and odds are too large, or too fine, to be counted exactly together.")
    key = fingerprint((nets.tolist(), added.tolist()), (*COUNTING_CODE, "exact/seat_pairs.py"))
    figures = make() if deck != FULL else kept_figures(f"seats-together-{game.name}", key, make)
    once, both = map(int, figures["sums"])
    left = deck.size - _SMALL
    mean = Fraction(once, comb(deck.size, _SMALL) * comb(left, _SMALL))
    product = Fraction(both, comb(deck.size, _SMALL) * comb(left, _SMALL) * comb(left - _SMALL, _SMALL))
    return (product - mean * mean) * Fraction(shared, common) ** 2


@njit(cache=True, nogil=True)
def _pairs(
    n: int,
    hands: Places,
    ranks: Ints,
    reaches: npt.NDArray[np.bool_],
    nets: Ints,
    added: Ints,
    binomial: Ints,
    once: Ints,
    both: Ints,
) -> None:
    """By the dealer's hand: what all hands that avoid it win, and the products over all ordered pairs of such hands."""
    left, hand = np.empty(n, np.int64), np.empty(4, np.uint8)
    single, double = np.zeros(n, np.int64), np.zeros((n, n), np.int64)
    for dealer in range(len(hands)):
        found = 0
        for card in range(n):
            if card != hands[dealer, 0] and card != hands[dealer, 1] and card != hands[dealer, 2]:
                left[found] = card
                found += 1
        single[:] = 0
        double[:] = 0
        total, squares = np.int64(0), np.int64(0)
        hand[0], hand[1], hand[2] = 0, 1, 2
        base = 3 if reaches[dealer] else 0
        for _ in range(found * (found - 1) * (found - 2) // 6):
            a, b, c = hand[0], hand[1], hand[2]
            row = binomial[left[a], 1] + binomial[left[b], 2] + binomial[left[c], 3]
            cell = 0 if ranks[row] < ranks[dealer] else 1 if ranks[row] == ranks[dealer] else 2
            won = nets[row, base + cell] + added[row]
            total += won
            squares += won * won
            single[a] += won
            single[b] += won
            single[c] += won
            double[a, b] += won
            double[a, c] += won
            double[b, c] += won
            next_subset(hand, 3)
        product = total * total - squares
        for a in range(found):
            product -= single[a] * single[a]
            for b in range(a + 1, found):
                product += double[a, b] * double[a, b]
        once[dealer], both[dealer] = total, product
