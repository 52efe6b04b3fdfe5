"""Every pay table from one run: outcome codes do not depend on pay tables, so one tally serves all letters."""

from collections.abc import Iterator
from dataclasses import replace

from pitboss.exact import solo
from pitboss.exact.board import BoardPlay
from pitboss.exact.draw_rows import drawing_result
from pitboss.exact.edge import Variant, rules_of_variant, tables_behind, variants
from pitboss.exact.engine import duel_of, solved
from pitboss.exact.side import reads_folded, side_result
from pitboss.exact.solo import Play
from pitboss.exact.value import Result, Valued, value
from pitboss.games.facts import Followed
from pitboss.games.repaying import with_rows
from pitboss.games.rules import Rules
from pitboss.games.structure import PRINTED
from pitboss.law.odds import ForOne, ToOne
from pitboss.simulate.groups import MAIN
from pitboss.simulate.lines import LineOf, line_of, lines_at_stake, main_line
from pitboss.simulate.plan import Plan
from pitboss.simulate.results import Known, Row, counts_of, row, rows
from pitboss.simulate.strategies import NO_EXCHANGE, draws_cards, part_played
from pitboss.simulate.totals import Totals


def every_row(totals: Totals, changed: Rules | None = None) -> Iterator[Row]:
    """One row for every letter and reading of every wager that the run had at stake, seen from its only seat.

    With ``changed`` the tallies are weighed by those rules instead, whatever letter they stand for: a check of this
    check, for a pay table with a planted error.
    """
    plan = totals.plan
    if len(plan.wagers) != 1:
        raise ValueError("every pay table is checked from a run with one seat")
    for variant in variants(plan.game, plan.rules.as_of):
        if _played(plan, variant):
            rules = rules_of_variant(plan.game, plan.rules.as_of, variant)
            weighed = rules if changed is None else _as_changed(rules, changed, variant)
            line, exact = _line(plan, weighed, variant), _known(plan, rules, variant)
            yield row(totals, variant.wager, variant.letter, [line], exact, None, variant.reading)


def _played(plan: Plan, variant: Variant) -> bool:
    """Whether the run had the wager at stake and was played as the reading has it.

    A reading that changes what a second combination is, or what comes of a throw, would need codes of its own; so
    would another device.
    """
    elsewhere = {*plan.game.chapter.devices(plan.rules.as_of)} - {plan.rules.choices.device}
    if variant.wager != MAIN:
        facts, lines = plan.game.lines.facts.by_name, [line for line in plan.lines if line.row == variant.wager]
        followed = any(isinstance(facts[name], Followed) for line in lines for name in line.reads)
        return bool(lines) and variant.reading not in elsewhere and not (followed and variant.reading != PRINTED)
    return not draws_cards(plan.game) or variant.reading == part_played(plan.game, plan.strategy.name)


def _as_changed(rules: Rules, changed: Rules, variant: Variant) -> Rules:
    """These rules with the changed pay table in place of the one that a row is about."""
    tables = {**rules.tables, variant.table: changed.tables[variant.table]}
    return replace(rules, tables=tables)


def _line(plan: Plan, rules: Rules, variant: Variant) -> LineOf:
    game, wager = plan.game, variant.wager
    if wager == MAIN:
        return main_line(game, rules, plan.groups, plan.wagers, 0)
    wanted = next(each for each in lines_at_stake(game, rules, plan.wagers, plan.magic) if each.row == wager)
    return line_of(game, rules, plan.groups, wanted)


def _known(plan: Plan, rules: Rules, variant: Variant) -> Known | None:
    game, strategy = plan.game, plan.strategy
    if variant.wager == MAIN:
        result = main_result(plan, rules, variant.reading)
        return None if result is None else Known(result.expected_value, result.standard_deviation)
    line = next(line for line in plan.lines if line.row == variant.wager)
    folded = reads_folded(game, line.line)
    forfeited = variant.wager in game.course.forfeited or variant.reading != PRINTED
    if folded and strategy.valued is None and forfeited:
        return None
    folds = strategy.valued if folded else None
    found = side_result(game, rules, line.line, line.stake, folds)
    return Known(found.expected_value, found.standard_deviation)


def main_result(plan: Plan, rules: Rules, reading: str) -> Result | None:
    """The main game under other pay tables, played exactly as the run was."""
    game, strategy = plan.game, plan.strategy
    if isinstance(strategy.valued, Play):
        counts, picks = strategy.valued.counts, [street.picked for street in strategy.valued.streets]
        paid = solo.plan_of(game, rules, counts)
        return None if paid is None else solo.played(game, rules, counts, paid, picks).result
    if isinstance(strategy.valued, BoardPlay):
        return strategy.valued.under(rules)
    if isinstance(strategy.valued, Valued):
        return value(game, rules, solved(game), duel_of(game), strategy.valued.picked).result
    if strategy.name == NO_EXCHANGE and _same_decisions(plan, rules):
        return drawing_result(rules, reading)[0]
    return None


def _same_decisions(plan: Plan, other: Rules) -> bool:
    """Whether two tables with a draw are decided alike: what is paid at once leaves nothing to choose."""
    names = [name for name in tables_behind(plan.game, plan.rules) if name != plan.game.paytable]
    return all(plan.rules.tables[name].rows == other.tables[name].rows for name in names)


def with_planted_error(totals: Totals) -> tuple[Row, Row]:
    """One wager as it is and as if a row of its table paid one more: the row that moves a mean of known value most."""
    plan = totals.plan
    deviations = {row.wager: row.deviation for row in rows(totals) if row.z is not None}
    found = []
    for variant in variants(plan.game, plan.rules.as_of):
        table = plan.rules.tables[variant.table]
        usual = variant.letter == table.letter and variant.reading in (PRINTED, plan.rules.choices.device)
        if not usual or variant.wager not in deviations or not _played(plan, variant):
            continue
        right = _line(plan, plan.rules, variant)
        for hand, odds in table.rows.items():
            if isinstance(odds, ToOne | ForOne):
                changed = with_rows(plan.rules, variant.table, {hand: replace(odds, rate=odds.rate + 1)})
                more = _line(plan, changed, variant).cents - right.cents
                moved = sum(n * int(cents) for n, cents in zip(counts_of(totals, right), more, strict=True))
                found.append((moved / right.stake / deviations[variant.wager], variant, changed))
    _, variant, changed = max(found, key=lambda each: each[0])
    one, other = (
        next(row for row in listed if (row.wager, row.paytable, row.reading) == _named(variant))
        for listed in (every_row(totals), every_row(totals, changed))
    )
    return one, other


def _named(variant: Variant) -> tuple[str, str, str]:
    return variant.wager, variant.letter, variant.reading
