"""Every pay table from one run: outcome codes do not depend on pay tables, so one tally serves all letters."""

from collections.abc import Iterator
from dataclasses import replace

from pitboss.exact.edge import Variant, main_tables, rules_of_variant, variants
from pitboss.exact.engine import duel_of, solved
from pitboss.exact.lunar_rows import buying_result
from pitboss.exact.side import reads_folded, side_result
from pitboss.exact.value import Result, value
from pitboss.games.rules import Rules
from pitboss.simulate.groups import MAIN
from pitboss.simulate.lines import LineOf, line_of, lines_at_stake, main_line
from pitboss.simulate.plan import Plan
from pitboss.simulate.results import Known, Row, row
from pitboss.simulate.strategies import NO_DRAW, NO_EXCHANGE, OPTIMAL, draws_cards
from pitboss.simulate.totals import Totals

_DRAWS = {NO_DRAW: "fold-bet", NO_EXCHANGE: "fold-bet-buy", OPTIMAL: "full"}
"""The part of Lunar Poker that each strategy plays."""


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

    A reading that changes what a second combination is would need codes of its own.
    """
    if variant.wager != MAIN:
        return variant.wager in plan.wagers[plan.numbers[0]]
    part = _DRAWS.get(plan.strategy.name) if draws_cards(plan.game) else variant.reading
    return variant.reading == part


def _as_changed(rules: Rules, changed: Rules, variant: Variant) -> Rules:
    """These rules with the changed pay table in place of the one that a row is about."""
    tables = {**rules.tables, variant.table: changed.tables[variant.table]}
    return replace(rules, tables=tables)


def _line(plan: Plan, rules: Rules, variant: Variant) -> LineOf:
    game, wager = plan.game, variant.wager
    if wager == MAIN:
        return main_line(game, rules, plan.groups, plan.wagers, 0)
    wanted = next(each for each in lines_at_stake(game, rules, plan.wagers, plan.magic) if each.wager == wager)
    return line_of(game, rules, plan.groups, wanted)


def _known(plan: Plan, rules: Rules, variant: Variant) -> Known | None:
    game, strategy = plan.game, plan.strategy
    if variant.wager == MAIN:
        result = main_result(plan, rules, variant.reading)
        return None if result is None else Known(result.expected_value, result.standard_deviation)
    folds = strategy.valued if reads_folded(game, variant.wager) else None
    found = side_result(game, rules, variant.wager, plan.wagers[plan.numbers[0]][variant.wager], folds)
    return Known(found.expected_value, found.standard_deviation)


def main_result(plan: Plan, rules: Rules, reading: str) -> Result | None:
    """The main game under other pay tables, played exactly as the run was."""
    strategy, duel = plan.strategy, duel_of(plan.game)
    if strategy.valued is not None:
        return value(plan.game, rules, solved(plan.game), duel, strategy.valued.picked).result
    if strategy.name == NO_EXCHANGE and _same_decisions(plan, rules):
        return buying_result(rules, reading)
    return None


def _same_decisions(plan: Plan, other: Rules) -> bool:
    """Whether two Lunar tables are decided alike: an instant payout leaves nothing to choose, so it may differ."""
    names = [name for name in main_tables(plan.game, plan.rules) if name != "instant_payout"]
    return all(plan.rules.tables[name].rows == other.tables[name].rows for name in names)
