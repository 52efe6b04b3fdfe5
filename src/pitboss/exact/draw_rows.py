"""The larger results of a game with a draw, kept: counting six-card states and valuing exchanges takes a while."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from pitboss.exact.cache import COUNTING_CODE, fingerprint, keep, kept_figures
from pitboss.exact.decks import FULL
from pitboss.exact.draw import (
    DUEL,
    GAME,
    DrawCounts,
    DrawSolved,
    count_states,
    fold_bet_buy,
    options_after_draw,
    pays,
)
from pitboss.exact.draw_kernels import ABSENT, fact_code
from pitboss.exact.duel import SUITS, Progress
from pitboss.exact.edge import tables_behind
from pitboss.exact.facets import NotCountedError
from pitboss.exact.guide import after_buying, played
from pitboss.exact.redraw import (
    AFTER,
    ExchangeQuestion,
    Exchanges,
    ends_of,
    kept_exchanges,
    shipped,
    whole_game,
    worth_of,
)
from pitboss.exact.side import RED_PAIRS, on_own_cards, own_column, side_result
from pitboss.exact.value import CELLS, Result
from pitboss.games.contract import Versus
from pitboss.games.rules import Rules
from pitboss.games.structure import Guide

CODE = (
    *COUNTING_CODE,
    "exact/value.py",
    "exact/guide.py",
    "exact/draw.py",
    "exact/draw_kernels.py",
    "exact/redraw.py",
    "exact/redraw_kernels.py",
    "exact/exchanges.npz",
    f"games/{type(GAME).__module__.rpartition('.')[2]}.py",
    "games/second_combination.py",
)

_COUNTS: list[DrawCounts] = []
_SOLVED: dict[str, DrawSolved] = {}


def key_of(rules: Rules, what: str, tables: tuple[str, ...]) -> str:
    """What a result depends on: pay tables of the main game, the figures of the law on that day, and the code."""
    rows = tuple((name, *((row, str(odds)) for row, odds in rules.tables[name].rows.items())) for name in tables)
    figures = tuple((figure.name, figure.value) for figure in rules.chapter.figures)
    at = () if rules.unit_stake is None else (rules.unit_stake,)
    return fingerprint((what, rows, figures, readings_of(rules), *at), CODE)


def readings_of(rules: Rules) -> tuple[tuple[str, str], ...]:
    """The pay tables of the main game that are not read as printed."""
    return tuple((name, rules.reading(name)) for name in tables_behind(GAME, rules) if rules.reading(name))


def solved_states(rules: Rules, progress: Progress | None = None) -> DrawSolved:
    """Every state without exchanges; the counts are held for the next question."""
    key = key_of(rules, "", tables_behind(GAME, rules))
    if key not in _SOLVED:
        if not _COUNTS:
            _COUNTS.append(count_states(FULL, progress))
        _SOLVED.clear()
        _SOLVED[key] = fold_bet_buy(rules, progress, counts=_COUNTS[0])
    return _SOLVED[key]


AS_THE_LAW_PAYS = (
    "valued again, not solved again: cards are exchanged, and bets made after it, as is best under the pays of the "
    "law; all other choices are the best under these (pitboss solve finds the exchanges that are)"
)
"""What the whole game leaves out under pays for which the exchanges were not solved."""


def drawing_result(
    rules: Rules, reading: str, progress: Progress | None = None, *, anew: bool = False
) -> tuple[Result, str]:
    """The main game with cards drawn, and what its player leaves out besides what the reading itself does.

    Figures are kept; ``anew`` counts them again, because exchanges have been solved since.
    """

    def make() -> dict[str, Any]:
        solved, left_out = solved_states(rules, progress), ""
        result = solved.result
        if GAME.scope(reading).exchanges:
            found, left_out = exchanged(solved)
            result = whole_game(rules, solved.counts, found)
        return _figures(result) | {"left_out": left_out}

    name, key = f"{GAME.name}-draw", key_of(rules, reading, tables_behind(GAME, rules))
    if anew:
        keep(name, key, {}, make())
    figures = kept_figures(name, key, make)
    return _result(figures), figures["left_out"]


def _figures(result: Result) -> dict[str, Any]:
    """A result as it is kept."""
    return {
        "deals": str(result.deals),
        "distribution": {str(net): str(count) for net, count in result.distribution.items()},
        "choices": {name: str(share) for name, share in result.choices.items()},
        "average_total_wager": str(result.average_total_wager),
        "required": str(result.required),
    }


def _result(figures: Mapping[str, Any]) -> Result:
    return Result(
        deals=int(figures["deals"]),
        distribution={Fraction(net): int(count) for net, count in figures["distribution"].items()},
        choices={name: Fraction(share) for name, share in figures["choices"].items()},
        average_total_wager=Fraction(figures["average_total_wager"]),
        required=Fraction(figures["required"]),
    )


@dataclass(frozen=True)
class DrawList:
    """A list to learn for the whole game, with its exact value and its cost against the best play."""

    name: str
    sentences: tuple[str, ...]
    result: Result
    best: Fraction
    """The expected value of the best play, in units."""

    @property
    def expected_value(self) -> Fraction:
        return self.result.expected_value

    @property
    def cost(self) -> Fraction:
        return self.best - self.expected_value


def draw_lists(rules: Rules, reading: str, progress: Progress | None = None) -> tuple[DrawList, ...]:
    """The lists of a game in which cards are drawn, priced exactly under any pays."""
    best, lists = drawing_result(rules, reading, progress)[0].expected_value, []
    for guide in GAME.guides:
        key = key_of(rules, f"{reading}, {guide.name}", tables_behind(GAME, rules))
        figures = kept_figures(f"{GAME.name}-list", key, partial(_priced, guide, rules, progress))
        sentences = (*(each.words for each in guide.first), guide.then)
        lists.append(DrawList(guide.name, sentences, _result(figures), best))
    return tuple(lists)


def _priced(guide: Guide, rules: Rules, progress: Progress | None) -> dict[str, Any]:
    solved = solved_states(rules, progress)
    made = played(guide, solved)
    found = Exchanges(made.picked, ends_of(made.key))
    six = after_buying(guide, solved.counts)
    return _figures(whole_game(rules, solved.counts, found, made.forced, six))


def drawn_covariance(rules: Rules, line: str, progress: Progress | None = None) -> Fraction:
    """The covariance of the whole game with a wager on the player's own first cards."""
    if not on_own_cards(GAME, line):
        raise NotCountedError(
            f"The covariance with {line!r} is not computed: it depends on more than the player's first cards."
        )

    def make() -> dict[str, Any]:
        solved = solved_states(rules, progress)
        column, counts = own_column(GAME, rules, line), solved.counts
        assert column.facet is not None
        worth = dict(worth_of(ExchangeQuestion(solved).key, column.facet.label.__name__))
        if not worth:
            raise NotCountedError("The covariance with the whole game is known under the pays of the law only.")
        first = pays(rules, counts.five_codes, DUEL.options)
        none = np.flatnonzero(~first.legal[counts.five_facts, first.names.index(AFTER[1])])
        for change in RED_PAIRS:
            hands = counts.five_hands[none]
            hands = np.sort(hands & 252 | np.array(change, np.uint8)[hands & 3], axis=1)
            for row, hand in zip(none, hands, strict=True):
                ups = int((counts.five_counts[:, row] != ABSENT).sum())
                deals = SUITS * ups * int(counts.five_weights[row])
                (at,) = np.flatnonzero(first.legal[counts.five_facts[row]])
                paid = Fraction(int(first.nets[counts.five_facts[row], at, 0]), first.unit)
                worth[column.facet.label(counts.deck.hand(hand))] += paid * Fraction(
                    deals, counts.pairs * len(RED_PAIRS)
                )
        return {
            "mean": str(sum(worth.values())),
            "product": str(sum(w * column.net(name) for name, w in worth.items())),
        }

    figures = kept_figures(f"{GAME.name}-with", key_of(rules, line, tuple(rules.tables)), make)
    assert Fraction(figures["mean"]) == drawing_result(rules, GAME.readings[0], progress)[0].expected_value
    return Fraction(figures["product"]) - Fraction(figures["mean"]) * side_result(GAME, rules, line).expected_value


def exchanged(solved: DrawSolved) -> tuple[Exchanges, str]:
    """The exchanges that are best, or those under the pays of the law where nothing better has been solved; and so."""
    asked = ExchangeQuestion(solved)
    keys, found = shipped()
    if asked.key in keys:
        return found, ""
    own = kept_exchanges(asked)
    return (found, AS_THE_LAW_PAYS) if own is None else (own, "")


def exchange_question(rules: Rules, progress: Progress | None = None) -> ExchangeQuestion:
    """What ``solve_exchanges`` answers for the full deck."""
    return ExchangeQuestion(solved_states(rules, progress))


def drawn_differs(one: Rules, other: Rules) -> bool:
    """Whether a hand that can come of a draw is paid otherwise under other rules: no draw is counted to find out.

    Five cards exchanged may become any hand. Which of the dealer's hands it can meet follows from its rank: one that
    would qualify itself is not below an unqualified hand, and one that would not is not above a qualified one.
    """
    codes = np.arange(1 << 14, step=1 << 10, dtype=np.int32)[: len(DUEL.order.categories)]
    assert [fact_code(int(code)).category for code in codes] == list(DUEL.order.categories)
    before, after = (pays(rules, codes, options_after_draw) for rules in (one, other))
    meets = np.array(
        [
            [own == dealer or versus == (Versus.HIGHER if own else Versus.LOWER) for dealer, versus in CELLS]
            for own in before.qualifies.tolist()
        ]
    )
    differ = before.nets * after.unit != after.nets * before.unit
    return bool((differ & meets[:, None, :]).any())
