"""Lunar Poker's decisions as tables: fold, bet and buying a sixth card exactly, exchanges by an explicit strategy."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from pitboss.exact import lunar_kernels
from pitboss.exact.cache import Arrays, fingerprint, kept
from pitboss.exact.decks import FULL, suit_classes
from pitboss.exact.duel import SUITS
from pitboss.exact.engine import duel_of
from pitboss.exact.lunar import (
    FIVE,
    LITERAL,
    LunarCounts,
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
from pitboss.simulate.exchange import exchange_tables
from pitboss.simulate.lunar_rounds import BUY
from pitboss.simulate.strategies import NO_EXCHANGE, OPTIMAL, LunarTables, Strategy, strategy_of
from pitboss.simulate.words import Bytes, Ints

NAMES = ("bet", "fold", "instant", "buy", "exchange, keep the pair or three", "exchange, keep the two highest",
         "exchange, keep the highest")  # fmt: skip
"""In the order of the kernel's choices."""
THEN = ("bet", "fold")
_SIX = Facet(6, lunar_label, LUNAR)
_LABELS = tuple(LUNAR.categories)
_SIMULATING = (
    *CODE,
    "simulate/lunar.py",
    "simulate/exchange.py",
    "simulate/lunar_rounds.py",
    "simulate/decisions.py",
    "simulate/evaluators.py",
)


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
        tables.bet_from,
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

    draws = LunarTables(six, decisions("buying", THEN), np.asarray(arrays["bet_from"]))
    if name == NO_EXCHANGE:
        result = buying_result(rules, "fold-bet-buy")
        part = duel_of(game).scope("fold-bet-buy").restriction
        return Strategy(
            name, decisions("buy", NAMES), None, result, draws, f"only a part of the game is played: {part}"
        )
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

    plain = evaluator(LUNAR, 6, (_SIX,), (_LABELS,))
    keep("buying", six, counts.six_counts, _after_buying(rules, counts), plain, THEN)
    named = {name: place for place, name in enumerate(NAMES)}
    places = np.zeros(256, np.uint8)
    places[[*range(len(solved.names)), BOUGHT]] = [*(named[name] for name in solved.names), BUY]
    bought = places[solved.picked]
    keep("buy", five, counts.five_counts, bought, player, NAMES)
    full, arrays["bet_from"] = exchange_tables(rules, solved, bought, player)
    keep("full", five, counts.five_counts, full, player, NAMES)
    return arrays, {}


def suit_hands(counts: LunarCounts) -> tuple[Bytes, Bytes]:
    return counts.five_hands, suit_classes(counts.deck, 6, fixed_suits=1).hands


def _states(hands: Bytes, packed: Ints, picked: Bytes, up: int) -> States:
    rows = np.flatnonzero(packed[up] != ABSENT)
    return hands[rows], np.full(len(rows), SUITS * up, np.uint8), picked[up][rows]


def _after_buying(rules: Rules, counts: LunarCounts) -> Bytes:
    """Bet or fold with six cards, by up card and class."""
    pay = pays(rules, counts.six_codes, options_after_draw, LITERAL)
    assert pay.names == ("bet", "fold")
    packed = counts.six_counts
    picked, value = np.zeros(packed.shape, np.uint8), np.zeros(packed.shape[1], np.int64)
    ones, rows = np.ones(packed.shape[1], np.int64), np.arange(packed.shape[1], dtype=np.int32)[:, None]
    for up in range(len(packed)):
        state = packed[up], counts.six_facts, ones, rows
        lunar_kernels.after_buying(*state, pay.nets, pay.qualifies, counts.six_dealer_hands, picked[up], value)
    return picked
