"""The larger results of a game with a draw, kept: counting six-card states and valuing exchanges takes a while."""

from dataclasses import asdict
from fractions import Fraction
from typing import Any

import numpy as np

from pitboss.exact.cache import COUNTING_CODE, fingerprint, kept_figures
from pitboss.exact.decks import FULL
from pitboss.exact.draw import (
    DUEL,
    GAME,
    LITERAL,
    DrawCounts,
    DrawSolved,
    count_states,
    fold_bet_buy,
    options_after_draw,
    pays,
)
from pitboss.exact.draw_kernels import fact_code
from pitboss.exact.duel import Progress
from pitboss.exact.edge import tables_behind, tables_read
from pitboss.exact.exchange import full_lower_bound
from pitboss.exact.value import CELLS, Result
from pitboss.games.contract import Versus
from pitboss.games.rules import Rules
from pitboss.games.second_combination import DISTINCT

CODE = (
    *COUNTING_CODE,
    "exact/value.py",
    "exact/draw.py",
    "exact/draw_kernels.py",
    "exact/exchange_kernels.py",
    "exact/exchange.py",
    f"games/{type(GAME).__module__.rpartition('.')[2]}.py",
    "games/second_combination.py",
)

_COUNTS: list[DrawCounts] = []
_SOLVED: dict[str, DrawSolved] = {}


def _key(rules: Rules, what: str, tables: tuple[str, ...]) -> str:
    """What a result depends on: pay tables of the main game, the figures of the law on that day, and the code."""
    rows = tuple((name, *((row, str(odds)) for row, odds in rules.tables[name].rows.items())) for name in tables)
    figures = tuple((figure.name, figure.value) for figure in rules.chapter.figures)
    return fingerprint((what, rows, figures), CODE)


def _solved(rules: Rules, reading: str, progress: Progress | None) -> DrawSolved:
    key = _key(rules, reading, tables_behind(GAME, rules))
    if key not in _SOLVED:
        if not _COUNTS:
            _COUNTS.append(count_states(FULL, progress))
        how = DISTINCT if reading.endswith(DISTINCT) else LITERAL
        _SOLVED.clear()
        _SOLVED[key] = fold_bet_buy(rules, progress, counts=_COUNTS[0], reading=how)
    return _SOLVED[key]


def buying_result(rules: Rules, reading: str, progress: Progress | None = None) -> Result:
    """The main game with the sixth card, without exchanges."""

    def make() -> dict[str, Any]:
        result = _solved(rules, reading, progress).result
        return {
            "deals": str(result.deals),
            "distribution": {str(net): str(count) for net, count in result.distribution.items()},
            "choices": {name: str(share) for name, share in result.choices.items()},
            "average_total_wager": str(result.average_total_wager),
            "required": str(result.required),
        }

    figures = kept_figures(f"{GAME.name}-buy", _key(rules, reading, tables_behind(GAME, rules)), make)
    return Result(
        deals=int(figures["deals"]),
        distribution={Fraction(net): int(count) for net, count in figures["distribution"].items()},
        choices={name: Fraction(share) for name, share in figures["choices"].items()},
        average_total_wager=Fraction(figures["average_total_wager"]),
        required=Fraction(figures["required"]),
    )


def exchange_bound(rules: Rules, progress: Progress | None = None) -> dict[str, Any]:
    """The main game with exchanges: what an explicit strategy is worth, with its standard error.

    Exchanging adds its gain to the exact value without it. A hand with an instant payout never draws, so the gain is
    the same under every table of instant payouts.
    """

    def make() -> dict[str, Any]:
        bound = full_lower_bound(rules, solved=_solved(rules, "fold-bet-buy", progress), progress=progress)
        figures = asdict(bound)
        gain = bound.value - float(bound.without_exchange)
        return {"gain": gain} | {name: figures[name] for name in ("standard_error", "strategy", "deals")}

    lines = sorted({line for outlay in GAME.after_draw(rules) for line in outlay.stakes})
    found = kept_figures(f"{GAME.name}-exchange", _key(rules, "full", tables_read(GAME, rules, lines)), make)
    without = buying_result(rules, "fold-bet-buy", progress).expected_value
    return {"value": float(without) + found["gain"], **found}


def drawn_differs(one: Rules, other: Rules) -> bool:
    """Whether a hand that can come of a draw is paid otherwise under other rules: no draw is counted to find out.

    Five cards exchanged may become any hand. Which of the dealer's hands it can meet follows from its rank: one that
    would qualify itself is not below an unqualified hand, and one that would not is not above a qualified one.
    """
    codes = np.arange(1 << 14, step=1 << 10, dtype=np.int32)[: len(DUEL.order.categories)]
    assert [fact_code(int(code)).category for code in codes] == list(DUEL.order.categories)
    before, after = (pays(rules, codes, options_after_draw, LITERAL) for rules in (one, other))
    meets = np.array(
        [
            [own == dealer or versus == (Versus.HIGHER if own else Versus.LOWER) for dealer, versus in CELLS]
            for own in before.qualifies.tolist()
        ]
    )
    differ = before.nets * after.unit != after.nets * before.unit
    return bool((differ & meets[:, None, :]).any())
