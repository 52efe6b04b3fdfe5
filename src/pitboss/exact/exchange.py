"""A duel with exchange of cards: exact values of single states, and a lower bound for the game.

After an exchange the player knows the final cards, the discards and the up card. The discards are dead: the dealer
cannot hold them and they cannot be drawn. For one state of five cards and an up card every draw is valued exactly
by the same rank sweep, on the deck without those six cards, so that only the drawn cards are left to exclude.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from math import comb, sqrt

import numpy as np
import numpy.typing as npt

from pitboss.exact import draw_kernels
from pitboss.exact import exchange_kernels as kernels
from pitboss.exact.decks import BINOMIAL, FULL, Ints, Places, SmallDeck, subsets_of
from pitboss.exact.draw import (
    DUEL,
    FIVE,
    GAME,
    LITERAL,
    DrawPays,
    DrawSolved,
    facts_of,
    fold_bet_buy,
    options_after_draw,
    pays,
)
from pitboss.exact.draw_kernels import ABSENT, Codes, fact_code
from pitboss.exact.duel import SUITS, Progress, hand_scores
from pitboss.exact.sweep import Ranks
from pitboss.games.rules import Rules
from pitboss.games.structure import Keep

_MORE = DUEL.dealer_cards - 1
_STEPS: Ints = np.ascontiguousarray(BINOMIAL.T)


class DrawValues:
    """Exact values of single states of a deck under given rules: the interface that an exact solution would fill."""

    def __init__(self, rules: Rules, deck: SmallDeck = FULL, reading: str = LITERAL) -> None:
        self.rules, self.deck, self.reading = rules, deck, reading
        scores = hand_scores(DUEL.order, deck, FIVE)
        self._levels = np.unique(scores)
        self._ranks: Ranks = np.searchsorted(self._levels, scores).astype(np.int32)
        assert DUEL.qualifies is not None
        self._least = int(np.searchsorted(self._levels, DUEL.qualifies))
        codes = facts_of(deck.cards[subsets_of(deck.size, FIVE)])[1]
        self._codes, facts = np.unique(codes, return_inverse=True)
        self._facts: Codes = facts.reshape(-1).astype(np.int32)
        self._drawn = pays(rules, self._codes, options_after_draw, reading)
        self._first = pays(rules, self._codes, DUEL.options, reading)
        self._draws = {count: subsets_of(deck.size - FIVE - 1, count) for count in range(FIVE + 1)}

    def first(self, cards: Sequence[int], up: int) -> dict[str, Fraction]:
        """What each choice without a draw is worth, by places."""
        number = int(kernels.number(np.array(sorted(cards), np.uint8), BINOMIAL))
        fact = int(self._facts[number])
        rest, ranks = self._rest([*cards, up], up)
        own = self._ranks[number]
        lower, upto, none = (int((ranks < level).sum()) for level in (own, own + 1, self._least))
        packed, cells = np.zeros(1, np.int64), np.zeros(draw_kernels.CELL_COUNT, np.int64)
        draw_kernels.pack(np.array([[lower, upto, none]]), np.zeros(1, np.int64), packed)
        hands = comb(len(rest), _MORE)
        draw_kernels.cells_of(int(packed[0]), bool(self._first.qualifies[fact]), hands, cells)
        return {
            name: Fraction(int((cells * self._first.nets[fact, place]).sum()), hands * self._first.unit)
            for place, name in enumerate(self._first.names)
            if self._first.legal[fact, place]
        }

    def buy(self, cards: Sequence[int], up: int) -> Fraction:
        """The value of buying a sixth card, the fee paid."""
        rest, ranks = self._rest([*cards, up], up)
        drawn = self._draws[1]
        final = np.sort(np.hstack([np.tile(np.array(cards, np.uint8), (len(drawn), 1)), rest[drawn]]), axis=1)
        best, codes = facts_of(self.deck.cards[final])
        kinds, facts = np.unique(codes, return_inverse=True)
        own = np.searchsorted(self._levels, best).astype(np.int32)
        pay = pays(self.rules, kinds, options_after_draw, self.reading)
        return self._mean(rest, ranks, drawn, own, facts.reshape(-1).astype(np.int32), pay)

    def exchange(self, cards: Sequence[int], up: int, discard: Sequence[int], dead: bool = True) -> Fraction:
        """The value of exchanging some cards, the fee paid and the best of bet and fold taken after each draw.

        With ``dead`` false the discards are wrongly taken for cards that the dealer may hold.
        """
        keep = np.array(sorted(set(cards) - set(discard)), np.uint8)
        gone = [*cards, up] if dead else [*keep, up]
        rest, ranks = self._rest(gone, up)
        drawable = np.flatnonzero(~np.isin(rest, discard)).astype(np.uint8)
        drawn = drawable[self._draws[len(discard)]]
        numbers = np.empty(len(drawn), np.int64)
        kernels.number_joined(keep, rest, drawn, BINOMIAL, numbers)
        return self._mean(rest, ranks, drawn, self._ranks[numbers], self._facts[numbers], self._drawn)

    def _rest(self, gone: Sequence[int], up: int) -> tuple[Places, Ranks]:
        """The places left, and the rank of every four of them together with the up card."""
        rest = np.setdiff1d(np.arange(self.deck.size, dtype=np.uint8), np.array(gone, np.uint8))
        ranks = np.empty(comb(len(rest), _MORE), np.int32)
        kernels.ranks_with_up(rest, up, self._ranks, BINOMIAL, ranks)
        return rest, ranks

    def _mean(self, rest: Places, ranks: Ranks, drawn: Places, own: Ranks, facts: Codes, pay: DrawPays) -> Fraction:
        hands = comb(len(rest) - drawn.shape[1], _MORE)
        # A hand that would not qualify is paid alike whatever an unqualified dealer holds; then nobody need compare.
        low = pay.nets[~pay.qualifies]
        alike = bool((low[:, :, :1] == low[:, :, :3]).all())
        total = kernels.draw_total(
            len(rest),
            ranks,
            self._least,
            drawn,
            own,
            facts,
            pay.nets,
            pay.qualifies,
            hands,
            self._least if alike else 0,
            _STEPS,
        )
        return Fraction(int(total), len(drawn) * hands * pay.unit)


STRATEGY = """\
With two pair, a straight or better, or where fold, bet or buy is worth a quarter of an Ante or more: the best of these.
With three of a kind: exchange the other two. With a pair: exchange the other three. With ace-king: exchange the rest.
With less: exchange all but the two highest cards, or all but the highest.
An exchange is chosen only if its exact value, discards dead, is more than that of fold, bet and buy; among several
the best is chosen. After the draw: bet if that is worth more than folding, all known cards counted."""

RICH = Fraction(1, 4)
"""Other choices worth this much are taken without looking at an exchange, three of a kind aside."""


def holds(category: str, cards: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """The cards to keep that the strategy looks at, by places in ascending order."""
    ranks = [place >> 2 for place in cards]
    same = tuple(place for place, rank in zip(cards, ranks, strict=True) if ranks.count(rank) > 1)
    ways = {Keep.SAME: same, Keep.TWO_HIGHEST: tuple(cards[-2:]), Keep.HIGHEST: tuple(cards[-1:])}
    yield from (ways[way] for way in GAME.exchanges[category])


@dataclass(frozen=True)
class LowerBound:
    """What an explicit strategy is worth: no more than the best play, up to the error of sampling states."""

    value: float
    standard_error: float
    strategy: str
    deals: int
    """States sampled; for each all draws and all hands of the dealer are counted."""
    exchanges: float
    """How often the strategy exchanges, estimated."""
    without_exchange: Fraction
    """The exact value of fold, bet and buy alone, to which the sample adds the mean gain."""


@dataclass(frozen=True)
class _Frame:
    """The states in which the strategy looks at an exchange, like ones next to each other."""

    ups: npt.NDArray[np.int64]
    rows: npt.NDArray[np.int64]
    ends: Ints
    """Running total of weights: how many pairs of hand and up card the states up to here stand for."""


def _frame(solved: DrawSolved) -> _Frame:
    counts = solved.counts
    categories = np.array([DUEL.order.categories.index(fact_code(int(code)).category) for code in counts.five_codes])
    category = categories[counts.five_facts]
    looks = np.isin(category, [DUEL.order.categories.index(name) for name in GAME.exchanges])
    ranks = counts.five_hands >> 2
    three = (ranks[:, 2:] == ranks[:, :-2]).any(axis=1)
    poor = solved.totals < RICH.numerator * solved.scale // RICH.denominator
    present = counts.five_counts != ABSENT
    ups, rows = np.nonzero(present & looks[None, :] & (poor | three[None, :]))
    best = facts_of(counts.deck.cards[counts.five_hands])[0]
    matches = (counts.five_hands[rows] >> 2 == ups[:, None]).sum(axis=1)
    # Back and forth from one up card to the next, so that neighbours are alike there too.
    sign = 1 - 2 * (ups % 2)
    order = np.lexsort(
        (
            sign * best[rows],
            sign * matches,
            sign * solved.totals[ups, rows],
            ups,
            solved.picked[ups, rows],
            category[rows],
        )
    )
    ups, rows = ups[order], rows[order]
    return _Frame(ups, rows, np.cumsum(counts.five_weights[rows] * SUITS))


def full_lower_bound(
    rules: Rules,
    hands: int = 2000,
    seed: int = 1,
    solved: DrawSolved | None = None,
    dead: bool = True,
    progress: Progress | None = None,
    workers: int = 2,
) -> LowerBound:
    """The value of the explicit strategy: exact without exchange, plus the mean gain of a stratified sample.

    The states where an exchange is looked at are put in order, like ones together, and cut into strata of equal
    weight; two states are drawn from each, and their difference tells the error. With ``dead`` false the discards
    are wrongly taken for cards the dealer may hold: the number this gives is no bound of anything.
    """
    tell = progress or (lambda _what, _share: None)
    solved = solved or fold_bet_buy(rules, progress)
    counts = solved.counts
    table = DrawValues(rules, counts.deck, solved.reading)
    frame = _frame(solved)
    strata = max(1, hands // 2)
    weight = int(frame.ends[-1])
    drawn = (np.arange(strata)[:, None] + np.random.default_rng(seed).random((strata, 2))) * (weight / strata)
    states = np.minimum(np.searchsorted(frame.ends, drawn, side="right"), len(frame.ends) - 1).reshape(-1)
    done = 0

    def gain(state: int) -> float:
        nonlocal done
        up, row = int(frame.ups[state]), int(frame.rows[state])
        cards = tuple(int(place) for place in counts.five_hands[row])
        category = fact_code(int(counts.five_codes[counts.five_facts[row]])).category
        discards = [tuple(sorted(set(cards) - set(keep))) for keep in holds(category, cards)]
        best = max(table.exchange(cards, SUITS * up, discard, dead) for discard in discards)
        done += 1
        tell("valuing exchanges", done / len(states))
        return max(0.0, float(best - Fraction(int(solved.totals[up, row]), solved.scale)))

    with ThreadPoolExecutor(workers) as pool:
        gains = np.array(list(pool.map(gain, states))).reshape(strata, 2)
    share = weight / counts.pairs
    error = share * sqrt(float(((gains[:, 0] - gains[:, 1]) ** 2).sum()) / 4) / strata
    exact = solved.result.expected_value
    return LowerBound(
        float(exact) + share * float(gains.mean()),
        error,
        STRATEGY,
        len(states),
        share * float((gains > 0).mean()),
        exact,
    )
