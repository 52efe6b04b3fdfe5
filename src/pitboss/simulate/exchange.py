"""Exchanges: what keeping some cards is worth, discards dead, and when to bet afterwards.

No exact table of exchanges is known, so an explicit strategy is computed. A hand after the draw is first valued as if
the dealer could hold the discards: that is counted exactly. What the discards change is mainly how often the dealer
does not qualify, so the value is then corrected to first order. If U is what a bet returns against a dealer who does
not qualify, L what it returns on average against one who does, and P how often the dealer does not, a bet is worth
P U + (1 - P) L; the discards move P and leave U and L alone. P is counted by ranks: four more cards that make no pair
with each other or the up card and no ace-king, each rank as often as it has cards not seen. Straights and flushes,
about one hand in a hundred of these, are left out there and put back by a factor from the exact count.
"""

from math import comb

import numpy as np
from numba import njit

from pitboss.exact.decks import BINOMIAL, FULL
from pitboss.exact.draw import DUEL, FIVE, GAME, LITERAL, DrawSolved, options_after_draw, pays
from pitboss.exact.draw_kernels import ABSENT, CELL_COUNT, cells_of, fact_code
from pitboss.exact.duel import SUITS
from pitboss.games.rules import Rules
from pitboss.hands.batch import subsets
from pitboss.simulate.decisions import RANKS, keys_of
from pitboss.simulate.evaluators import CARD_KEYS, Evaluator, column_of, row_of, suited
from pitboss.simulate.operations import CERTAIN, KEEP_SAME, UP_CARD_FIRST, unqualified
from pitboss.simulate.words import Bytes, Flags, Floats, Ints, Rows, Scores, Word

_MORE = 4
"""Cards of the dealer that the player does not see."""


def exchange_tables(rules: Rules, solved: DrawSolved, bought: Bytes, player: Evaluator) -> tuple[Bytes, Ints]:
    """The first choices with exchanges in place where they are worth more, and when to bet after an exchange.

    ``bought`` has the choices without exchanges. The second table has, by place of the entry, up card and flush, the
    least share of unqualified dealers, in parts of ``CERTAIN``, with which a bet is worth more than a fold.
    """
    # ``unqualified`` counts hands without a pair and without ace-king: the strategy holds for this qualification only.
    assert DUEL.qualifies == DUEL.order.at_least("ace_king")
    counts = solved.counts
    pay = pays(rules, counts.five_codes, options_after_draw, LITERAL)
    assert pay.names == GAME.course.decides[1].names
    ways = [GAME.exchanges.get(fact_code(int(code)).category, ()) for code in counts.five_codes]
    looks = np.array([sum(1 << way for way in each) for each in ways], np.uint8)[counts.five_facts]
    keys, every = (
        keys_of(hands, np.zeros(len(hands), np.uint8), UP_CARD_FIRST) for hands in (counts.five_hands, subsets(FIVE))
    )
    order = np.argsort(keys)
    class_of = order[np.searchsorted(keys[order], every)].astype(np.int32)
    starts = np.cumsum([0, *(comb(FULL.size, size) for size in range(FIVE + 1))]).astype(np.int64)
    size = len(player.entries) * RANKS * 2
    least, weights = np.zeros(size), np.zeros(size)
    picked = bought.copy()
    classes = len(counts.five_hands)
    for up in range(len(picked)):
        worth, slope = np.zeros(classes), np.zeros(classes)
        packed = counts.five_counts[up]
        _value(
            counts.five_hands,
            counts.five_weights,
            packed,
            counts.five_facts,
            pay.nets / pay.unit,
            pay.qualifies,
            counts.five_dealer_hands,
            up,
            player.rows,
            player.bias,
            worth,
            slope,
            least,
            weights,
        )
        sums = np.zeros((2, int(starts[-1])))
        _sum_subsets(class_of, worth, slope, SUITS * up, BINOMIAL, sums, starts)
        base = solved.totals[up] / solved.scale
        _exchange(counts.five_hands, packed, looks, base, up, BINOMIAL, sums, starts, picked[up])
    shares = np.divide(least, weights, out=np.ones(size), where=weights > 0)
    return picked, np.rint(np.clip(shares, 0, 1) * CERTAIN).astype(np.int64)


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
    worth: Floats,
    slope: Floats,
    least: Floats,
    weights: Floats,
) -> None:
    """Of each class with this up card: its value after a draw, how that grows with the share of unqualified dealers,
    and the share from which a bet is worth more than a fold, added up by place."""
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
        bet = (without + against) / dealer_hands
        seen[:] = 0
        seen[up] = 1
        key = np.uint64(0)
        for place in range(5):
            seen[hands[row, place] >> 2] += 1
            key += CARD_KEYS[hands[row, place]]
        share = unqualified(seen, up) / whole
        factor = none / dealer_hands / share if share > 0 else 1.0
        worth[row] = max(bet, fold)
        slope[row] = factor * (upper - lower) if bet > fold else 0.0
        needed = 0.0
        if upper > lower:
            needed = (fold - lower) / (factor * (upper - lower))
        place = np.uint64(rows[row_of(key)]) + column_of(key)
        at = ((place * np.uint64(RANKS) + np.uint64(up)) << np.uint64(1)) + np.uint64(suited(key, bias))
        least[at] += hand_weights[row] * min(max(needed, 0.0), 1.0)
        weights[at] += hand_weights[row]


@njit(cache=True, nogil=True)
def _sum_subsets(
    class_of: Scores, worth: Floats, slope: Floats, up: int, binomial: Ints, sums: Floats, starts: Ints
) -> None:
    """For every set of cards, the sums of values and slopes of all hands that contain it and not the up card.

    Sets are numbered through all sizes; those of k cards begin at ``starts[k]``.
    """
    hand = np.empty(5, np.int64)
    for e in range(52):
        for d in range(e):
            for c in range(d):
                for b in range(c):
                    for a in range(b):
                        if up in (a, b, c, d, e):
                            continue
                        hand[0], hand[1], hand[2], hand[3], hand[4] = a, b, c, d, e
                        found = class_of[a + binomial[b, 2] + binomial[c, 3] + binomial[d, 4] + binomial[e, 5]]
                        for mask in range(1, 32):
                            index, taken = 0, 0
                            for place in range(5):
                                if mask >> place & 1:
                                    taken += 1
                                    index += binomial[hand[place], taken]
                            sums[0, starts[taken] + index] += worth[found]
                            sums[1, starts[taken] + index] += slope[found]


@njit(cache=True, nogil=True)
def _mean(hand: Bytes, keep: int, binomial: Ints, sums: Floats, starts: Ints) -> Word:
    """The mean over all draws to the kept cards; discards are not drawn again."""
    total = 0.0
    held = 0
    for place in range(5):
        held += keep >> place & 1
    for mask in range(1, 32):
        if mask & keep == keep:
            index, taken = 0, 0
            for place in range(5):
                if mask >> place & 1:
                    taken += 1
                    index += binomial[hand[place], taken]
            found = sums[starts[taken] + index]
            total += -found if (taken - held) & 1 else found
    return total / binomial[46, 5 - held]


@njit(cache=True, nogil=True)
def _shift(hand: Bytes, keep: int, up: int, binomial: Ints) -> Word:
    """How much more often the dealer does not qualify because the discards are dead."""
    kept, everything = np.zeros(RANKS, np.int64), np.zeros(RANKS, np.int64)
    kept[up] += 1
    everything[up] += 1
    held = 0
    for place in range(5):
        rank = hand[place] >> 2
        everything[rank] += 1
        if keep >> place & 1:
            kept[rank] += 1
            held += 1
    return unqualified(everything, up) / binomial[46, 4] - unqualified(kept, up) / binomial[51 - held, 4]


@njit(cache=True, nogil=True)
def _exchange(
    hands: Bytes,
    packed: Ints,
    looks: Bytes,
    base: Floats,
    up: int,
    binomial: Ints,
    sums: Floats,
    starts: Ints,
    picked: Bytes,
) -> None:
    """Put an exchange in place of the choice of each class where it is worth more."""
    for row in range(len(hands)):
        if packed[row] == ABSENT or looks[row] == 0:
            continue
        hand = hands[row]
        best = base[row]
        for kind in range(3):
            if looks[row] >> kind & 1:
                keep = 0b11000 if kind == 1 else 0b10000
                if kind == 0:
                    keep = 0
                    for place in range(5):
                        for other in range(5):
                            if other != place and hand[other] >> 2 == hand[place] >> 2:
                                keep |= 1 << place
                value = _mean(hand, keep, binomial, sums[0], starts)
                value += _mean(hand, keep, binomial, sums[1], starts) * _shift(hand, keep, up, binomial)
                if value > best:
                    best = value
                    picked[row] = KEEP_SAME + kind
