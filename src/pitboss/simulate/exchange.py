"""When to bet after an exchange of cards, the discards dead.

Which cards to give up is solved exactly and kept; whether to bet with what then comes depends on the final hand, the up
card and the discards, too many to keep. With most hands no discards could change it: however many of the dealer's hands
they take away, the rest still pays more, or less, than a fold. With all others a pair at most is held, and the dealer's
hands that leave the unseen cards are counted by ranks, straights and flushes apart, on the spot.
"""

from math import comb

import numpy as np

from pitboss.exact.draw import DUEL, FIVE, GAME, DrawSolved
from pitboss.exact.draw_kernels import ABSENT, FIELD, fact_code
from pitboss.exact.redraw import HIDDEN, gains_of, paid_after
from pitboss.games.rules import Rules
from pitboss.simulate.decisions import RANKS, places_of
from pitboss.simulate.evaluators import Evaluator
from pitboss.simulate.operations import ALWAYS, NEVER
from pitboss.simulate.words import Flags, Ints, Words

COUNTED = "pair", "ace_king", "high_card"
"""Final hands against which the dealer's can be counted on the spot."""


def bet_from(rules: Rules, solved: DrawSolved, player: Evaluator) -> tuple[Words, bool]:
    """By place of the entry, up card and flush: whether to bet, or where the gains begin with which to reckon it.

    The gains are at the end. False if a hand that is not counted would need it: there the discards are left out.
    """
    assert DUEL.order.categories[-len(COUNTED) :] == COUNTED
    assert DUEL.qualifies == DUEL.order.at_least("ace_king")
    counts, pay = solved.counts, paid_after(rules, solved.counts)
    gains = gains_of(pay)
    most = max(option.draws.most for option in GAME.course.decides[0].options(rules, None) if option.draws)
    left = comb(counts.deck.size - FIVE - 1 - most, HIDDEN)
    size = len(player.entries) * RANKS * 2
    lowest, highest = np.full(size, np.iinfo(np.int64).max), np.full(size, np.iinfo(np.int64).min)
    plain, facts = np.zeros(size, np.int64), np.zeros(size, np.int64)
    for up, packed in enumerate(counts.five_counts):
        rows = np.flatnonzero(packed != ABSENT)
        hands, fact = counts.five_hands[rows], counts.five_facts[rows]
        at = places_of(hands, np.full(len(rows), up), player.rows, player.bias, RANKS)
        cells = _cells(packed[rows], pay.qualifies[fact], counts.five_dealer_hands)
        np.minimum.at(lowest, at, _least(cells, gains[fact], left))
        np.maximum.at(highest, at, -_least(cells, -gains[fact], left))
        plain[at], facts[at] = (cells * gains[fact]).sum(axis=1), fact
    counted = np.array([fact_code(int(code)).category in COUNTED for code in counts.five_codes])[facts]
    certain = (lowest > 0) | (highest <= 0)
    sure = np.where(np.where(certain, lowest, plain) > 0, ALWAYS, NEVER)
    table = np.where(counted & ~certain, np.uint64(size) + np.uint64(gains.shape[1]) * facts.astype(np.uint64), sure)
    return np.concatenate([table, gains.reshape(-1).astype(np.uint64)]), bool((counted | certain).all())


def _cells(packed: Ints, qualifies: Flags, hands: int) -> Ints:
    """Dealer's hands that do not qualify, and of the others the better, level and worse ones."""
    mask = (1 << FIELD) - 1
    below, level, none = packed & mask, packed >> FIELD & mask, packed >> 2 * FIELD
    better, same = np.where(qualifies, below - none, 0), np.where(qualifies, level, 0)
    return np.stack([none, hands - none - better - same, same, better], axis=1)


def _least(cells: Ints, gains: Ints, left: int) -> Ints:
    """The least that so many of these dealer's hands can gain together."""
    order = gains.argsort(axis=1)
    total, free = np.zeros(len(cells), np.int64), np.full(len(cells), left)
    for column in order.T:
        here = np.arange(len(cells)), column
        taken = np.minimum(cells[here], free)
        total += taken * gains[here]
        free -= taken
    return total
