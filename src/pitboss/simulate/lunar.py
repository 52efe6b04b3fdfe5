"""Lunar Poker's decisions as tables: fold, bet, buy a sixth card, or exchange.

Fold, bet and buy are the exact optimum. For an exchange no exact table is known, so an explicit strategy is written
down. It looks at the same cards to keep as ``exact.lunar_exchange``. The value of keeping them is the mean over all
draws from the cards not seen, the discards among those seen, of the better of bet and fold, where the dealer's hands
are counted without the five cards held afterwards; that the dealer cannot hold the discards either is left out. Those
means come from sums over all hands that contain a set of cards, by inclusion and exclusion of the discards.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import njit

from pitboss.exact import lunar_kernels
from pitboss.exact.cache import Arrays, fingerprint, kept
from pitboss.exact.decks import BINOMIAL, FULL, suit_classes
from pitboss.exact.duel import SUITS
from pitboss.exact.lunar import (
    FIVE,
    LITERAL,
    LunarCounts,
    LunarSolved,
    _five_card_scores,
    count_states,
    facts_of,
    fold_bet_buy,
    options_after_draw,
    pays,
    second_of,
)
from pitboss.exact.lunar_kernels import ABSENT
from pitboss.exact.lunar_kernels import BUY as BOUGHT
from pitboss.exact.lunar_rows import CODE, buying_result
from pitboss.games.contract import Game
from pitboss.games.lunar_poker import LINES
from pitboss.games.rules import Rules
from pitboss.hands import LUNAR
from pitboss.hands.facets import Facet
from pitboss.hands.labels import lunar_label
from pitboss.simulate import felt as laid
from pitboss.simulate.decisions import UP_CARD_FIRST, Decisions, States, lookups_of, tabulated
from pitboss.simulate.evaluators import OTHER_BITS, Evaluator, evaluator, flush_hands, hands_of, plain_hands
from pitboss.simulate.lunar_rounds import BUY, KEEP_SAME
from pitboss.simulate.strategies import NO_EXCHANGE, OPTIMAL, LunarTables, Strategy, strategy_of
from pitboss.simulate.words import Bytes, Floats, Ints, Scores, Word

NAMES = ("bet", "fold", "instant", "buy", "exchange, keep the pair or three", "exchange, keep the two highest",
         "exchange, keep the highest")  # fmt: skip
"""In the order of the kernel's choices."""
_SIX = Facet(6, lunar_label, LUNAR)
_LABELS = tuple(LUNAR.categories)
_SIMULATING = (*CODE, "simulate/lunar.py", "simulate/decisions.py", "simulate/evaluators.py")


def seconds_of(rules: Rules, seconds: tuple[str, ...]) -> Bytes:
    """The second combination by fact code, as a place in the list of its values."""
    return np.array(
        [seconds.index(second_of(rules, code)) if code >> 10 & 15 < len(_LABELS) else 0 for code in range(1 << 15)],
        np.uint8,
    )


def with_seconds(hands: Evaluator, rules: Rules) -> Evaluator:
    """The evaluator with the second combination in its other label; six cards of which five share a suit have none."""
    second = seconds_of(rules, tuple(LINES.domains["second"]))
    places, rows = plain_hands(hands.cards)
    entries, flushes = hands.entries.copy(), hands.flushes.copy()
    entries[places] |= second[facts_of(np.sort(rows, axis=1))[1]].astype(np.uint32) << OTHER_BITS
    if hands.cards == FIVE:
        for suit, masks, cards in flush_hands(LUNAR.size, FIVE):
            flushes[suit, masks] |= second[facts_of(np.sort(cards, axis=1))[1]].astype(np.uint32) << OTHER_BITS
    return replace(hands, entries=entries, flushes=flushes)


def six_cards(rules: Rules) -> Evaluator:
    return with_seconds(evaluator(LUNAR, 6, (_SIX,), (_LABELS,)), rules)


def draws_of(rules: Rules, tables: LunarTables) -> laid.Draws:
    second = seconds_of(rules, tuple(LINES.domains["second"]))
    return laid.Draws(
        hands_of(tables.six),
        lookups_of(tables.after_buying),
        lookups_of(tables.after_exchange),
        second,
        _five_card_scores(),
    )


def lunar_strategy(game: Game, rules: Rules, name: str, player: Evaluator) -> Strategy:
    """``optimal`` exchanges by the best strategy known, ``no-exchange`` is exact, all others never draw."""
    if name not in (OPTIMAL, NO_EXCHANGE):
        return strategy_of(game, rules, name, player)
    figures = tuple((f.name, f.value) for f in rules.chapter.figures)
    tables = tuple(
        (t, *((row, str(odds)) for row, odds in rules.tables[t].rows.items()))
        for t in ("bet", "ante_unqualified", "instant_payout")
    )
    arrays, _ = kept("lunar-play", fingerprint((figures, tables), _SIMULATING), partial(_make, rules, player))
    six = six_cards(rules)

    def decisions(part: str, names: tuple[str, ...]) -> Decisions:
        first, keys, picks = (np.asarray(arrays[f"{part}_{what}"]) for what in ("first", "keys", "picks"))
        return Decisions(names, first, keys, picks, UP_CARD_FIRST)

    then = ("bet", "fold")
    draws = LunarTables(six, decisions("buying", then), decisions("exchange", then))
    if name == NO_EXCHANGE:
        result = buying_result(rules, "fold-bet-buy")
        return Strategy(name, decisions("buy", NAMES), None, result, draws)
    return Strategy(name, decisions("full", NAMES), None, None, draws, "no exact value is known with exchanges")


def _make(rules: Rules, player: Evaluator) -> tuple[Arrays, Mapping[str, Any]]:
    """Count, decide and tabulate; the counts themselves are not kept."""
    counts = count_states(FULL)
    solved = fold_bet_buy(rules, counts=counts)
    five, six = suit_hands(counts)
    arrays: dict[str, npt.NDArray[Any]] = {}

    def keep(
        part: str,
        hands: Bytes,
        packed: Ints,
        picked: Bytes,
        own: Evaluator,
        names: tuple[str, ...],
    ) -> None:
        parts = [partial(_states, hands, packed, picked, up) for up in range(len(packed))]
        table = tabulated(parts, own, UP_CARD_FIRST, names)
        arrays[f"{part}_first"], arrays[f"{part}_keys"], arrays[f"{part}_picks"] = table.first, table.keys, table.picks

    then = ("bet", "fold")
    keep(
        "buying",
        six,
        counts.six_counts,
        _after_draw(rules, counts, 6)[0],
        evaluator(LUNAR, 6, (_SIX,), (_LABELS,)),
        then,
    )
    picked, worth, unit = _after_draw(rules, counts, FIVE)
    keep("exchange", five, counts.five_counts, picked, player, then)
    named = {name: place for place, name in enumerate(NAMES)}
    places = np.zeros(256, np.uint8)
    places[[*range(len(solved.names)), BOUGHT]] = [*(named[name] for name in solved.names), BUY]
    bought = places[solved.picked]
    keep("buy", five, counts.five_counts, bought, player, NAMES)
    keep("full", five, counts.five_counts, _exchanged(solved, bought, worth, unit), player, NAMES)
    return arrays, {}


def suit_hands(counts: LunarCounts) -> tuple[Bytes, Bytes]:
    return counts.five_hands, suit_classes(counts.deck, 6, fixed_suits=1).hands


def _states(hands: Bytes, packed: Ints, picked: Bytes, up: int) -> States:
    rows = np.flatnonzero(packed[up] != ABSENT)
    return hands[rows], np.full(len(rows), SUITS * up, np.uint8), picked[up][rows]


def _after_draw(rules: Rules, counts: LunarCounts, cards: int) -> tuple[Bytes, Ints, int]:
    """Bet or fold after a draw, and the value of the better, by up card and class; discards are not looked at."""
    five = cards == FIVE
    codes, facts = (counts.five_codes, counts.five_facts) if five else (counts.six_codes, counts.six_facts)
    packed = counts.five_counts if five else counts.six_counts
    dealer_hands = counts.five_dealer_hands if five else counts.six_dealer_hands
    pay = pays(rules, codes, options_after_draw, LITERAL)
    assert pay.names == ("bet", "fold")
    picked, worth = np.zeros(packed.shape, np.uint8), np.zeros(packed.shape if five else (0, 0), np.int64)
    ones, rows = np.ones(packed.shape[1], np.int64), np.arange(packed.shape[1], dtype=np.int32)[:, None]
    for up in range(len(packed)):
        value = worth[up] if five else np.zeros(packed.shape[1], np.int64)
        lunar_kernels.after_buying(
            packed[up], facts, ones, rows, pay.nets, pay.qualifies, dealer_hands, picked[up], value
        )
    return picked, worth, dealer_hands * pay.unit


def _exchanged(solved: LunarSolved, bought: Bytes, worth: Ints, unit: int) -> Bytes:
    """The choices with exchanges, where one is worth more than fold, bet and buy."""
    counts = solved.counts
    class_of = np.empty(comb(FULL.size, FIVE), np.int32)
    rows = np.full(comb(FULL.size, FIVE), ABSENT, np.int32)
    lunar_kernels.number_classes(counts.five_hands, BINOMIAL, rows)
    _classes(rows, BINOMIAL, class_of)
    category = np.array(
        [LUNAR.categories.index(lunar_kernels.fact_code(int(code)).category) for code in counts.five_codes]
    )
    looks = np.zeros(len(LUNAR.categories), np.uint8)
    for name, kept_by in (("three_of_a_kind", 1), ("pair", 1), ("ace_king", 2), ("high_card", 6)):
        looks[LUNAR.categories.index(name)] = kept_by
    kinds = looks[category[counts.five_facts]]
    picked = bought.copy()
    starts = np.cumsum([0, *(comb(FULL.size, size) for size in range(FIVE + 1))]).astype(np.int64)
    for up in range(len(picked)):
        sums = np.zeros(int(starts[-1]), np.float64)
        _sum_subsets(class_of, worth[up] / unit, SUITS * up, BINOMIAL, sums, starts)
        base = solved.totals[up] / solved.scale
        present = counts.five_counts[up]
        _exchange(counts.five_hands, present, kinds, base, BINOMIAL, sums, starts, picked[up])
    return picked


@njit(cache=True, nogil=True)
def _classes(rows: Scores, binomial: Ints, class_of: Scores) -> None:
    """The class of every hand when suit 0 keeps its name."""
    masks = np.zeros(4, np.int64)
    number = 0
    for e in range(52):
        for d in range(e):
            for c in range(d):
                for b in range(c):
                    for a in range(b):
                        index = binomial[a, 1] + binomial[b, 2] + binomial[c, 3] + binomial[d, 4] + binomial[e, 5]
                        masks[:] = 0
                        for card in (a, b, c, d, e):
                            masks[card & 3] |= 1 << (card >> 2)
                        for one, other in ((1, 2), (2, 3), (1, 2)):
                            if masks[one] < masks[other]:
                                masks[one], masks[other] = masks[other], masks[one]
                        number, taken = 0, 0
                        for rank in range(13):
                            for suit in range(4):
                                if masks[suit] >> rank & 1:
                                    taken += 1
                                    number += binomial[4 * rank + suit, taken]
                        class_of[index] = rows[number]


@njit(cache=True, nogil=True)
def _sum_subsets(class_of: Scores, worth: Floats, up: int, binomial: Ints, sums: Floats, starts: Ints) -> None:
    """For every set of cards, the sum of the values of all hands that contain it and not the up card.

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
                        value = worth[class_of[a + binomial[b, 2] + binomial[c, 3] + binomial[d, 4] + binomial[e, 5]]]
                        for mask in range(1, 32):
                            index, taken = 0, 0
                            for place in range(5):
                                if mask >> place & 1:
                                    taken += 1
                                    index += binomial[hand[place], taken]
                            sums[starts[taken] + index] += value


@njit(cache=True, nogil=True)
def _mean(hand: Bytes, keep: int, binomial: Ints, sums: Floats, starts: Ints) -> Word:
    """The mean over all draws to the kept cards of what the hand is then worth; discards are not drawn again."""
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
def _exchange(
    hands: Bytes, packed: Ints, kinds: Bytes, base: Floats, binomial: Ints, sums: Floats, starts: Ints, picked: Bytes
) -> None:
    """Put an exchange in place of the choice of each class where it is worth more."""
    for row in range(len(hands)):
        if packed[row] == ABSENT or kinds[row] == 0:
            continue
        hand = hands[row]
        best = base[row]
        for kind in range(3):
            if kinds[row] >> kind & 1:
                keep = 0b11000 if kind == 1 else 0b10000
                if kind == 0:
                    keep = 0
                    for place in range(5):
                        for other in range(5):
                            if other != place and hand[other] >> 2 == hand[place] >> 2:
                                keep |= 1 << place
                value = _mean(hand, keep, binomial, sums, starts)
                if value > best:
                    best = value
                    picked[row] = KEEP_SAME + kind
