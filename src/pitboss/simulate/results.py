"""Totals as figures: mean, deviation and standard error of each wager, beside the exact value and how far off it is.

A mean is per unit wagered, or per Ante for the main wagers, and counts shares of a meter as lost stakes, as the exact
figures do; so do hits and deviations. Bonuses that are paid on the stake of another wager, Envy Bonuses among them, are
per unit of that wager, and each row names its denominator. ``deviation`` is that of one seat's wager in one round,
``table_deviation`` that of all such wagers of a round together, in units of their mean stake: seats share the dealer's
hand, so their results hang together. The standard error is that of the exact deviation where that is known and one seat
plays; with several it is that of the round totals, and at least what independent seats would have.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import exp, sqrt
from typing import Any

import numpy as np

from pitboss.exact.conditions import changes_behind
from pitboss.exact.engine import same_play
from pitboss.exact.facets import NotCountedError, line_counts
from pitboss.exact.limit import cut_from
from pitboss.exact.progressive import envy_amounts
from pitboss.exact.side import fold_counts, reads_folded, side_lines, side_result, table_of
from pitboss.exact.value import Result, root
from pitboss.games.facts import Chosen
from pitboss.games.repaying import ChangedRow
from pitboss.games.rules import Rules
from pitboss.money import Cents
from pitboss.names import shown
from pitboss.simulate.groups import CHOICE, MAIN
from pitboss.simulate.lines import LineOf, envies
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
    largest: Fraction = Fraction(0)
    """The most that one round can move, in units of the wagers made."""
    stakes: tuple[Cents, ...] = ()
    """The amounts that were wagered; several where seats differ."""
    changes: tuple[ChangedRow, ...] = ()
    """Rows behind it that do not pay what the law's tables pay."""

    @property
    def z(self) -> float | None:
        """How many standard errors the mean lies above the exact value."""
        if self.exact is None or not self.standard_error:
            return None
        return float(self.mean - self.exact) / self.standard_error

    @property
    def alarm(self) -> str:
        """A sentence where the mean lies more than ``FAR`` standard errors from the exact value; else empty."""
        if self.z is None or abs(self.z) <= FAR:
            return ""
        sentence = f"The mean of {shown(self.wager)} lies {self.z:+.1f} standard errors from its exact value"
        if self.chance_by_luck > BY_LUCK:
            return f"{sentence}. A pay so rare that these rounds should hardly meet it can explain that; play more."
        return f"{sentence}: simulation and exact count contradict each other. Trust neither until the cause is known."

    @property
    def wrong(self) -> bool:
        """Whether no luck explains how far the mean lies from the exact value."""
        return bool(self.alarm) and self.chance_by_luck <= BY_LUCK

    @property
    def chance_by_luck(self) -> float:
        """A bound of the chance that the mean lies so far off by luck, rare large pays included (Bernstein)."""
        if self.exact is None:
            return 1.0
        off = self.rounds * abs(float(self.mean - self.exact))
        spread = (self.rounds * self.standard_error) ** 2 + float(self.largest + 1) * off / 3
        return min(1.0, 2 * exp(-(off**2) / 2 / spread)) if spread else 1.0

    def as_dict(self) -> dict[str, Any]:
        return {
            "wager": self.wager,
            "paytable": self.paytable,
            "changed": [each.as_dict() for each in self.changes],
            "rounds": self.rounds,
            "denominator": self.denominator,
            "stakes_dollars": [stake / 100 for stake in self.stakes],
            "mean": float(self.mean),
            "standard_error": self.standard_error,
            "exact": None if self.exact is None else float(self.exact),
            "z": self.z,
            "hit_frequency": float(self.hit_frequency),
            "deviation": self.deviation,
            "table_deviation": self.table_deviation,
        }


FAR = 6.0
"""Standard errors from the exact value beyond which a row raises the alarm."""
BY_LUCK = 1e-8
"""The chance below which luck is no explanation."""


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
        exact = known_of(plan, wager, lines[0]) or envy_of(plan, lines)
        squares = totals.squares[place] if plan.several else None
        figures = row(totals, wager, letter_of(plan.rules, lines[0].line), lines, exact, squares)
        counted = wager == MAIN or lines[0].line in plan.game.lines.rules
        found.append(replace(figures, changes=changes_behind(plan.game, plan.rules, lines[0].line) if counted else ()))
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
        Fraction(sum(int(np.abs(line.cents).max()) for line in lines), staked),
        tuple(sorted({*stakes.values()})),
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
        main = _main_result(plan)
        return None if main is None else Known(main.expected_value, main.standard_deviation)
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


def envy_of(plan: Plan, lines: list[LineOf]) -> Known | None:
    """What the Envy Bonuses of a wager are worth, from the counts of the hands that earn them.

    Hands of a round share a deck; the deviation takes them for independent, as that of several seats does.
    """
    game, rules, played = plan.game, plan.rules, plan.strategy.valued
    paid_on = lines[0].paid_on
    earning = next(((post, reads) for post, reads in envies(game, rules, plan.wagers) if post.wager == paid_on), None)
    if earning is None or lines[0].line != rules.envies[paid_on][0].line:
        return None
    post, reads = earning
    folding = any(isinstance(game.lines.facts.by_name[name], Chosen) for name in reads)
    if folding and (played is None or not reads_folded(game, post.line)):
        return None
    try:
        counted = (
            line_counts(game, post.line) if played is None or not folding else fold_counts(game, post.line, played)
        )
    except NotCountedError:
        return None
    stakes = {(line.seat, line.wager): line.stake for line in lines}
    mean = variance = Fraction(0)
    for line in lines:
        amounts = [*envy_amounts(rules, paid_on, counted, line.stake)]
        first, second = (sum((amount**power * chance for amount, chance in amounts), Fraction(0)) for power in (1, 2))
        mean, variance = mean + first, variance + second - first**2
    staked = sum(stakes.values())
    return Known(mean / staked, root(variance * len(stakes)) / staked)


def _main_result(plan: Plan) -> Result | None:
    """The main wagers as the strategy plays them, under a payout limit at the stakes of the run.

    None where it isn't known; ``unknown_main`` says why.
    """
    strategy, played = plan.strategy, plan.strategy.valued
    units = _cut_units(plan)
    if not units or strategy.result is None:
        return strategy.result
    if len(units) > 1 or played is None:
        return None
    return same_play(plan.game, plan.rules.at_stake(*units), played)


def _cut_units(plan: Plan) -> set[int]:
    """The stakes of the unit in a run, if a payout limit can cut pays at any of them; else nothing."""
    game, rules = plan.game, plan.rules
    units = {made[game.course.unit] for made in plan.wagers.values() if game.course.unit in made}
    cuts = [cut for cap in rules.caps if (cut := cut_from(game, rules, cap)) is not None]
    return units if units and cuts and max(units) >= min(cuts) else set()


def unknown_main(plan: Plan) -> str:
    """Why the main wagers have no exact value; empty where they have one, or where the strategy's note says it."""
    if not _cut_units(plan) or plan.strategy.result is None or _main_result(plan) is not None:
        return ""
    several = len(_cut_units(plan)) > 1
    why = (
        "seats wager different amounts" if several else f"the play of {plan.strategy.name} isn't counted at this stake"
    )
    return f"A payout limit cuts pays here, and {why}, so the main wagers have no exact value"


def choices(totals: Totals) -> Mapping[str, Fraction]:
    """How often each choice was made, of all seats that had one."""
    group = totals.plan.groups[0]
    if CHOICE not in group.facts:
        return {}
    tallied: Ints = totals.counts[:, : group.size].sum(axis=0).reshape(len(group.values[0]), -1).sum(axis=1)
    whole = int(tallied.sum())
    return {name: Fraction(int(count), whole) for name, count in zip(group.values[0], tallied, strict=True) if count}
