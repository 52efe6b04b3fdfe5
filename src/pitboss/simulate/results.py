"""Totals as figures: mean, deviation and standard error of each wager, beside the exact value and how far off it is.

A mean is per unit wagered, or per Ante for the main wagers, and counts shares of a meter as lost stakes, as the exact
figures do; so do hits and deviations. Bonuses that are paid on the stake of another wager, Envy Bonuses among them, are
per unit of that wager, and each row names its denominator. ``deviation`` is that of one seat's wager in one round,
``table_deviation`` that of all such wagers of a round together, in units of their mean stake: seats share the dealer's
hand, so their results hang together. The standard error is that of the exact deviation where that is known and one seat
plays; with several it is that of the round totals, and at least what independent seats would have.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Any

import numpy as np

from pitboss.exact.facets import NotCountedError
from pitboss.exact.side import reads_folded, side_lines, side_result, table_of
from pitboss.exact.value import root
from pitboss.games.rules import Rules
from pitboss.simulate.groups import CHOICE, MAIN
from pitboss.simulate.lines import LineOf
from pitboss.simulate.plan import Plan
from pitboss.simulate.totals import Totals
from pitboss.simulate.words import Ints


@dataclass(frozen=True)
class Row:
    """One wager under one pay table."""

    wager: str
    paytable: str
    rounds: int
    denominator: str
    """The wager whose stakes the mean is a share of."""
    mean: Fraction
    deviation: float
    """Of one seat's wager in one round, per unit wagered, as sampled."""
    table_deviation: float
    """Of all these wagers of a round together, in units of their mean stake, as sampled."""
    standard_error: float
    exact: Fraction | None
    hit_frequency: Fraction
    """Wins for each wager made, shares of a meter left out."""
    reading: str = ""

    @property
    def z(self) -> float | None:
        """How many standard errors the mean lies above the exact value."""
        if self.exact is None or not self.standard_error:
            return None
        return float(self.mean - self.exact) / self.standard_error

    def as_dict(self) -> dict[str, Any]:
        return {
            "wager": self.wager,
            "paytable": self.paytable,
            "rounds": self.rounds,
            "denominator": self.denominator,
            "mean": float(self.mean),
            "standard_error": self.standard_error,
            "exact": None if self.exact is None else float(self.exact),
            "z": self.z,
            "hit_frequency": float(self.hit_frequency),
            "deviation": self.deviation,
            "table_deviation": self.table_deviation,
        }


@dataclass(frozen=True)
class Known:
    """What is known exactly of a wager: expected value and deviation per unit."""

    value: Fraction
    deviation: float


def rows(totals: Totals) -> list[Row]:
    """Every wager of a run under its own rules."""
    plan = totals.plan
    found = []
    for place, wager in enumerate(plan.wager_names):
        lines = [line for line in plan.lines if line.row == wager]
        exact = known_of(plan, wager, lines[0])
        squares = totals.squares[place] if plan.several else None
        found.append(row(totals, wager, letter_of(plan.rules, lines[0].line), lines, exact, squares))
    return found


def row(
    totals: Totals,
    wager: str,
    letter: str,
    lines: list[LineOf],
    exact: Known | None,
    squares: int | None,
    reading: str = "",
) -> Row:
    """The figures of some lines from the tallies; ``squares`` of round totals where they hang on several codes."""
    total, hits, rounds = 0, 0, totals.rounds
    single = Fraction(0)
    # A seat is paid Envy Bonuses for several hands on one stake: a line for each hand, one wager.
    stakes = {(line.seat, line.wager): line.stake for line in lines}
    staked, made = sum(stakes.values()), len(stakes)
    for line in lines:
        counts = counts_of(totals, line)
        moved, variance = _moments(counts, line.cents, rounds)
        total, single = total + moved, single + variance / line.stake**2
        hits += sum(count for count, value in zip(counts, line.cents, strict=True) if value > 0)
    if squares is None:
        _, spread = _moments(counts_of(totals, lines[0]), np.sum([line.cents for line in lines], axis=0), rounds)
    else:
        spread = Fraction(squares, rounds) - Fraction(total, rounds) ** 2
    error = root(spread) / staked / sqrt(rounds)
    if exact is not None:
        # Rare pays that a run has not met are missing from its own deviation, but not from the exact one.
        alone = exact.deviation / sqrt(rounds * made)
        error = alone if squares is None else max(alone, error)
    return Row(
        wager,
        letter,
        rounds,
        lines[0].paid_on,
        Fraction(total, staked * rounds),
        root(single / made),
        root(spread) * made / staked,
        error,
        None if exact is None else exact.value,
        Fraction(hits, made * rounds),
        reading,
    )


def _moments(counts: list[int], cents: Ints, rounds: int) -> tuple[int, Fraction]:
    """What codes moved in all, and the variance of what they move in a round."""
    counted = [(count, int(value)) for count, value in zip(counts, cents, strict=True)]
    moved, second = sum(count * value for count, value in counted), sum(count * value**2 for count, value in counted)
    return moved, Fraction(second, rounds) - Fraction(moved, rounds) ** 2


def counts_of(totals: Totals, line: LineOf) -> list[int]:
    """How often each code of a line's group came."""
    start = totals.plan.offsets[line.group]
    found: list[int] = totals.counts[line.holder, start : start + len(line.cents)].tolist()
    return found


def letter_of(rules: Rules, line: str) -> str:
    from pitboss.games.registry import GAMES

    game = GAMES[rules.game]
    name = game.paytable or table_of(game, game.course.unit) if line == MAIN else table_of(game, line)
    table = rules.tables.get(name)
    return "" if table is None else table.letter


def known_of(plan: Plan, wager: str, line: LineOf) -> Known | None:
    """The exact figures of a wager, from the exact engine; none where it has none."""
    game, rules, strategy = plan.game, plan.rules, plan.strategy
    if wager == MAIN:
        if strategy.result is None or _cut(plan):
            return None
        return Known(strategy.result.expected_value, strategy.result.standard_deviation)
    if line.line not in side_lines(game):
        return None
    asked = reads_folded(game, line.line) and all(game.course.unit in made for made in plan.wagers.values())
    if asked and strategy.valued is None and wager in game.course.forfeited:
        return None
    folds = strategy.valued if asked else None
    try:
        result = side_result(game, rules, line.line, line.stake, folds)
    except NotCountedError:
        return None
    return Known(result.expected_value, result.standard_deviation)


def _cut(plan: Plan) -> bool:
    """Whether a bound on what some wagers pay together can cut the pays of a run; the exact figures know none."""
    game, unit = plan.game, max(made.get(plan.game.course.unit, 0) for made in plan.wagers.values())
    return any(game.most_won(plan.rules, cap.wagers, unit) > cap.most for cap in plan.rules.caps)


def choices(totals: Totals) -> Mapping[str, Fraction]:
    """How often each choice was made, of all seats that had one."""
    group = totals.plan.groups[0]
    if CHOICE not in group.facts:
        return {}
    tallied: Ints = totals.counts[:, : group.size].sum(axis=0).reshape(len(group.values[0]), -1).sum(axis=1)
    whole = int(tallied.sum())
    return {name: Fraction(int(count), whole) for name, count in zip(group.values[0], tallied, strict=True) if count}


def report(totals: Totals) -> dict[str, Any]:
    """Everything a run has to say, as plain values."""
    plan = totals.plan
    shown: dict[str, Any] = {
        "game": plan.rules.game,
        "as_of": str(plan.rules.as_of),
        "seats": len(plan.wagers),
        "strategy": plan.strategy.name,
        "seed": totals.seed,
        "rounds": totals.rounds,
        "plan": plan.fingerprint,
        "rows": [each.as_dict() for each in rows(totals)],
        "choices": {name: float(share) for name, share in choices(totals).items()},
    }
    if plan.strategy.note:
        shown["note"] = plan.strategy.note
    if totals.meters.meters:
        shown["meters"] = {name: dict(amounts) for name, amounts in totals.meters.displayed().items()}
        shown["jackpots"] = jackpots(totals)
    if totals.session:
        shown["sessions"] = {"rounds": totals.session, "house": side(totals.house), "player": side(totals.player)}
    return shown


def jackpots(totals: Totals) -> dict[str, Any]:
    """Each row that pays a share of a meter: hits, mean rounds between them, and what the meter paid, in cents.

    A jackpot that several seats divide is one hit, and what it paid is what they got together.
    """
    return {
        name: {
            "hits": row.hits,
            "rounds_between": totals.rounds / row.hits,
            "mean_paid": row.paid / row.hits,
            "least_paid": row.least,
            "most_paid": row.most,
        }
        for name, row in totals.meters.rows.items()
    }


def side(part: Any) -> dict[str, Any]:
    """The sessions of the house or of a player, in cents."""
    results, falls = part.results, part.drawdowns
    return {
        "sessions": results.count,
        "mean": results.mean / 10_000,
        "deviation": results.deviation / 10_000,
        "least": results.least / 10_000,
        "most": results.most / 10_000,
        "losing_share": results.losing / results.count if results.count else None,
        "quantiles": {
            str(share): results.quantile(share) / 10_000 for share in (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
        },
        "quantiles_to_the": results.grain / 10_000,
        "mean_drawdown": falls.mean / 10_000,
        "drawdown_quantiles": {str(share): falls.quantile(share) / 10_000 for share in (0.5, 0.95, 0.99)},
        "largest_drawdown": falls.most / 10_000,
    }
