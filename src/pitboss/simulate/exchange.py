"""When to bet after an exchange of cards, the discards dead.

Which cards to give up is solved exactly and kept; whether to bet with what then comes depends on the final hand, the up
card and the discards, too many to keep. A hand after the draw is first valued as if the dealer could hold the discards:
that is counted exactly. What the discards change is mainly how often the dealer does not qualify, so the value is then
corrected to first order. If U is what a bet returns against a dealer who does not qualify, L what it returns on average
against one who does, and P how often the dealer does not, a bet is worth P U + (1 - P) L; the discards move P and leave
U and L alone. P is counted by ranks: four more cards that make no pair with each other or the up card and no ace-king,
each rank as often as it has cards not seen. Straights and flushes, about one hand in a hundred of these, are left out
there and put back by a factor from the exact count.
"""

import numpy as np
from numba import njit

from pitboss.exact.draw import DUEL, GAME, LITERAL, DrawSolved, options_after_draw, pays
from pitboss.exact.draw_kernels import ABSENT, CELL_COUNT, cells_of
from pitboss.games.rules import Rules
from pitboss.simulate.decisions import RANKS
from pitboss.simulate.evaluators import CARD_KEYS, Evaluator, column_of, row_of, suited
from pitboss.simulate.operations import CERTAIN, unqualified
from pitboss.simulate.words import Bytes, Flags, Floats, Ints, Rows, Scores, Word

_MORE = 4
"""Cards of the dealer that the player does not see."""


def bet_from(rules: Rules, solved: DrawSolved, player: Evaluator) -> Ints:
    """By place of the entry, up card and flush, the least share of unqualified dealers, in parts of ``CERTAIN``, with
    which a bet is worth more than a fold."""
    # ``unqualified`` counts hands without a pair and without ace-king: the rule holds for this qualification only.
    assert DUEL.qualifies == DUEL.order.at_least("ace_king")
    counts = solved.counts
    pay = pays(rules, counts.five_codes, options_after_draw, LITERAL)
    assert pay.names == GAME.course.decides[1].names
    size = len(player.entries) * RANKS * 2
    least, weights = np.zeros(size), np.zeros(size)
    for up in range(len(counts.five_counts)):
        _value(
            counts.five_hands,
            counts.five_weights,
            counts.five_counts[up],
            counts.five_facts,
            pay.nets / pay.unit,
            pay.qualifies,
            counts.five_dealer_hands,
            up,
            player.rows,
            player.bias,
            least,
            weights,
        )
    shares = np.divide(least, weights, out=np.ones(size), where=weights > 0)
    return np.rint(np.clip(shares, 0, 1) * CERTAIN).astype(np.int64)


@njit(cache=True, nogil=True)
def _value(
    hands: Bytes,
    hand_weights: Ints,
    packed: Ints,
    facts: Scores,
    nets: Floats,
    qualifies: Flags,
    dealer_hands: int,
    up: int,
    rows: Rows,
    bias: Word,
    least: Floats,
    weights: Floats,
) -> None:
    """Of each class with this up card: the share from which a bet is worth more than a fold, added up by place."""
    cells = np.zeros(CELL_COUNT, np.int64)
    seen = np.zeros(RANKS, np.int64)
    whole = 1.0
    for number in range(_MORE):
        whole *= (46 - number) / (number + 1)
    for row in range(len(hands)):
        if packed[row] == ABSENT:
            continue
        fact = facts[row]
        cells_of(packed[row], qualifies[fact], dealer_hands, cells)
        none = cells[0] + cells[1] + cells[2]
        against, without = 0.0, 0.0
        for cell in range(3):
            without += cells[cell] * nets[fact, 0, cell]
            against += cells[cell + 3] * nets[fact, 0, cell + 3]
        upper, lower = without / none, against / (dealer_hands - none)
        fold = nets[fact, 1, 0]
        seen[:] = 0
        seen[up] = 1
        key = np.uint64(0)
        for place in range(5):
            seen[hands[row, place] >> 2] += 1
            key += CARD_KEYS[hands[row, place]]
        share = unqualified(seen, up) / whole
        factor = none / dealer_hands / share if share > 0 else 1.0
        needed = 0.0
        if upper > lower:
            needed = (fold - lower) / (factor * (upper - lower))
        place = np.uint64(rows[row_of(key)]) + column_of(key)
        at = ((place * np.uint64(RANKS) + np.uint64(up)) << np.uint64(1)) + np.uint64(suited(key, bias))
        least[at] += hand_weights[row] * min(max(needed, 0.0), 1.0)
        weights[at] += hand_weights[row]
