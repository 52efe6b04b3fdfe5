"""Decisions where cards can be drawn, from the solution; bets after an exchange by counting the dealer's hands."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from pitboss.exact import draw_kernels
from pitboss.exact.cache import Arrays, fingerprint, kept
from pitboss.exact.decks import suit_classes
from pitboss.exact.draw import (
    DUEL,
    FIVE,
    GAME,
    SIX,
    DrawCounts,
    fact_table,
    facts_of,
    options_after_draw,
    pays,
    second_of,
)
from pitboss.exact.draw_kernels import ABSENT, FREE
from pitboss.exact.draw_kernels import BUY as BOUGHT
from pitboss.exact.draw_rows import CODE, drawing_result, exchanged, readings_of, solved_states
from pitboss.exact.duel import SUITS
from pitboss.exact.edge import tables_behind
from pitboss.games.contract import Game
from pitboss.games.facts import Derived
from pitboss.games.rules import Rules
from pitboss.simulate.decisions import RANKS, Decisions, States, tabulated
from pitboss.simulate.evaluators import OTHER_BITS, Evaluator, evaluator, flush_hands, plain_hands
from pitboss.simulate.exchange import bet_from
from pitboss.simulate.operations import BUY, EXCHANGE, UP_CARD_FIRST
from pitboss.simulate.strategies import INSTANT, NO_EXCHANGE, OPTIMAL, DrawTables, Strategy, part_played, strategy_of
from pitboss.simulate.words import Bytes, Ints

THEN = GAME.course.decides[1].names
"""What may be chosen after a draw: to go on, or to stop."""
NAMES = (*THEN, INSTANT, "buy", "exchange")
"""In the order of the kernel's choices."""
_ORDER = DUEL.order
_LABELS = _ORDER.categories
_FACET = next(facet for facet in GAME.facets.values() if facet.order == _ORDER)
BETS_BY_RULE = (
    "whether to bet after an exchange with two pair or better is decided as if the dealer could hold discards"
)
NEVER_ASKED = Decisions(
    THEN, SIX, np.uint64(0), UP_CARD_FIRST, RANKS, np.zeros(1, np.uint8), np.zeros(0, np.uint64), np.zeros(0, np.uint8)
)
_SIMULATING = (
    *CODE,
    "simulate/drawing.py",
    "simulate/exchange.py",
    "simulate/operations.py",
    "simulate/decisions.py",
    "simulate/evaluators.py",
)


def seconds_of(rules: Rules, seconds: tuple[str, ...]) -> Bytes:
    """The second combination by fact code, as a place in the list of its values."""
    return np.array(
        [seconds.index(second_of(rules, code)) if code >> 10 & 15 < len(_LABELS) else 0 for code in range(1 << 15)],
        np.uint8,
    )


def with_seconds(hands: Evaluator, second: Bytes) -> Evaluator:
    """The evaluator with the second combination in its other label; six cards of which five share a suit have none."""
    places, rows = plain_hands(hands.cards)
    entries, flushes = hands.entries.copy(), hands.flushes.copy()
    entries[places] |= second[facts_of(np.sort(rows, axis=1))[1]].astype(np.uint32) << OTHER_BITS
    if hands.cards == FIVE:
        for suit, masks, cards in flush_hands(_ORDER.size, FIVE):
            flushes[suit, masks] |= second[facts_of(np.sort(cards, axis=1))[1]].astype(np.uint32) << OTHER_BITS
    return replace(hands, entries=entries, flushes=flushes)


def drawing_strategy(game: Game, rules: Rules, name: str) -> Strategy:
    """``optimal`` plays the solution, ``no-exchange`` a part of the game, all others never draw."""
    final = [fact for fact in game.lines.facts.by_name.values() if isinstance(fact, Derived)]
    second = seconds_of(rules, tuple(final[-1].values))
    five, six = (
        with_seconds(evaluator(_ORDER, cards, (replace(_FACET, cards=cards),), (_LABELS,)), second)
        for cards in (FIVE, SIX)
    )
    draws = DrawTables(_ORDER, five, six, NEVER_ASKED, np.zeros(1, np.uint64), second, fact_table(), 0)
    if name not in (OPTIMAL, NO_EXCHANGE):
        return replace(strategy_of(game, rules, name), draws=draws)
    stated = tuple((f.name, f.value) for f in rules.chapter.figures)
    tables = tuple(
        (t, *((row, str(odds)) for row, odds in rules.tables[t].rows.items())) for t in tables_behind(game, rules)
    )
    result, left_out = drawing_result(rules, part_played(game, name))
    key = fingerprint((stated, tables, readings_of(rules), left_out), _SIMULATING)
    arrays, figures = kept(f"{game.name}-play", key, partial(_make, rules, five))

    def decisions(part: str, cards: int, names: tuple[str, ...]) -> Decisions:
        first, keys, picks = (np.asarray(arrays[f"{part}_{what}"]) for what in ("first", "keys", "picks"))
        return Decisions(names, cards, five.bias, UP_CARD_FIRST, RANKS, first, keys, picks)

    after = decisions("buying", SIX, THEN)
    draws = replace(draws, after_buying=after, bet_from=np.asarray(arrays["bet_from"]), most_drawn=FIVE)
    if name == NO_EXCHANGE:
        note = f"only a part of the game is played: {game.scope(part_played(game, name)).restriction}"
        return Strategy(name, (decisions("buy", FIVE, NAMES),), None, result, draws, note)
    note = "; ".join(filter(None, (left_out, "" if figures["bets_counted"] else BETS_BY_RULE)))
    return Strategy(name, (decisions("full", FIVE, NAMES),), None, result, draws, note)


def _make(rules: Rules, five_cards: Evaluator) -> tuple[Arrays, Mapping[str, Any]]:
    """Solve without caching."""
    solved = solved_states(rules)
    counts = solved.counts
    five, six = counts.five_hands, suit_classes(counts.deck, SIX, fixed_suits=1).hands
    arrays: dict[str, npt.NDArray[Any]] = {}

    def keep(part: str, hands: Bytes, packed: Ints, picked: Bytes, names: tuple[str, ...]) -> None:
        parts = [partial(_states, hands, packed, picked, up) for up in range(len(packed))]
        table = tabulated(parts, hands.shape[1], _ORDER.size, UP_CARD_FIRST, RANKS, names)
        arrays[f"{part}_first"], arrays[f"{part}_keys"], arrays[f"{part}_picks"] = table.first, table.keys, table.picks

    keep("buying", six, counts.six_counts, _after_buying(rules, counts), THEN)
    named = {name: place for place, name in enumerate(NAMES)}
    places = np.zeros(256, np.uint8)
    places[[*range(len(solved.names)), BOUGHT]] = [*(named[name] for name in solved.names), BUY]
    bought = places[solved.picked]
    keep("buy", five, counts.five_counts, bought, NAMES)
    picked = exchanged(solved)[0].picked
    keep("full", five, counts.five_counts, np.where(picked, EXCHANGE + picked, bought).astype(np.uint8), NAMES)
    arrays["bet_from"], counted = bet_from(rules, solved, five_cards)
    return arrays, {"bets_counted": counted}


def _states(hands: Bytes, packed: Ints, picked: Bytes, up: int) -> States:
    rows = np.flatnonzero(packed[up] != ABSENT)
    ups = np.full(len(rows), SUITS * up, np.uint8)
    return hands[rows], ups, np.full(len(rows), up, np.int64), picked[up][rows]


def _after_buying(rules: Rules, counts: DrawCounts) -> Bytes:
    """Bet or fold with six cards, by up card and class."""
    pay = pays(rules, counts.six_codes, options_after_draw)
    assert pay.names == THEN
    packed = counts.six_counts
    picked, value = np.zeros(packed.shape, np.uint8), np.zeros(packed.shape[1], np.int64)
    ones, rows = np.ones(packed.shape[1], np.int64), np.arange(packed.shape[1], dtype=np.int32)[:, None]
    free = np.full(packed.shape[1], FREE, np.uint8)
    for up in range(len(packed)):
        state = packed[up], counts.six_facts, ones, rows
        draw_kernels.after_buying(*state, pay.nets, pay.qualifies, counts.six_dealer_hands, free, picked[up], value)
    return picked
