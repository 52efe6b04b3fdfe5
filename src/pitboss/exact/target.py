"""Which single change of a pay row brings a hold into a given range."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import ceil
from typing import Any

from pitboss.exact.conditions import Conditions
from pitboss.exact.duel import Progress
from pitboss.exact.edge import MAIN, Variant, conditions_of_variant, counted_result, main_result, optimal_play
from pitboss.exact.progressive import ALONE, progressive_report
from pitboss.exact.side import side_result
from pitboss.exact.whatif import tables_of
from pitboss.games.contract import Game
from pitboss.games.repaying import with_rows
from pitboss.games.rules import Rules
from pitboss.law.odds import ForOne, Odds, ToOne
from pitboss.money import Cents

MOST = 100_000
"""No row is tried above this."""


@dataclass(frozen=True)
class Change:
    """A row that, paid otherwise, brings the hold into the range: the whole odds that do, with their holds."""

    table: str
    row: str
    was: Odds
    least: Odds
    most: Odds
    hold_at_least: Fraction
    """The hold when the row pays the least of these odds, hence the largest hold."""
    hold_at_most: Fraction
    left_out: str = ""
    """What these holds leave out of the game, besides what the reading itself does."""

    @property
    def path(self) -> str:
        """The row as ``--pay`` reads it: ``bet.flush``."""
        return f"{self.table}.{self.row}"

    def as_dict(self) -> dict[str, Any]:
        return {
            "path": self.path,
            "table": self.table,
            "row": self.row,
            "was": str(self.was),
            "least": str(self.least),
            "most": str(self.most),
            "house_edge_at_least": float(self.hold_at_least),
            "house_edge_at_most": float(self.hold_at_most),
            **({"restriction": self.left_out} if self.left_out else {}),
        }


@dataclass(frozen=True)
class TargetSearch:
    """The hold of a wager, and every single row that brings it into a range, with the conditions of these figures."""

    rules: Rules
    conditions: Conditions
    low: Fraction
    high: Fraction
    stake: Cents
    now: Fraction
    changes: tuple[Change, ...]
    contains: str = ""
    """What the holds are for, where that isn't plain."""

    @property
    def denominator(self) -> str:
        """What the holds are a share of."""
        return denominator_of(self.conditions.wager)

    @property
    def restriction(self) -> str:
        return next((change.left_out for change in self.changes if change.left_out), "")

    def as_dict(self) -> dict[str, Any]:
        return {
            "restriction": self.restriction or None,
            "house_edge": float(self.now),
            "denominator": self.denominator,
            **({"house_edge_is_for": self.contains} if self.contains else {}),
            "changes": [change.as_dict() for change in self.changes],
        }


def search(
    game: Game,
    rules: Rules,
    variant: Variant,
    low: Fraction,
    high: Fraction,
    stake: Cents = 500,
    progress: Progress | None = None,
) -> TargetSearch:
    """The hold and the changes of ``targets``."""
    if progress is not None:
        progress("counting", 0.0)
    now = hold(game, rules, variant, stake)
    changes = tuple(targets(game, rules, variant, low, high, stake, progress))
    contains = ALONE if feeds_meter(rules, variant) else ""
    return TargetSearch(rules, conditions_of_variant(rules, variant), low, high, stake, now, changes, contains)


def hold(game: Game, rules: Rules, variant: Variant, stake: int) -> Fraction:
    """The house edge: of the required wagers for a main game, in the long run for a progressive, else of the wager."""
    if variant.wager == MAIN:
        if game.scope(variant.reading).draws:
            return main_result(game, rules, variant.reading).house_edge_required
        return optimal_play(game, rules).result.house_edge_required
    if feeds_meter(rules, variant):
        return progressive_report(game, rules, variant.wager, (0,), stake).long_run_hold
    return side_result(game, rules, variant.wager, stake).house_edge


def denominator_of(wager: str) -> str:
    """What ``hold`` is a share of."""
    return "required wagers" if wager == MAIN else "wager"


def feeds_meter(rules: Rules, variant: Variant) -> bool:
    """Whether a meter pays for the wager, so that its hold is that of the long run with one seat."""
    wager = rules.wagers.get(variant.wager)
    return wager is not None and wager.meter in rules.meters


def targets(
    game: Game,
    rules: Rules,
    variant: Variant,
    low: Fraction,
    high: Fraction,
    stake: int = 500,
    progress: Progress | None = None,
) -> Iterator[Change]:
    """Rows of all pay tables behind the wager with whole odds for which the hold lies in ``low`` to ``high``, both
    included. A row that could only pay what it pays already is left out.

    Paying more never raises the hold, even when play adapts to it, so the ends of each range are found by narrowing.
    """
    rows = [(table, row, odds) for table in tables_of(rules, variant) for row, odds in rules.tables[table].rows.items()]
    for done, (table, row, was) in enumerate(rows):
        if progress is not None:
            progress(f"{table}.{row}", done / len(rows))
        if isinstance(was, ToOne | ForOne):
            found = _change(game, rules, variant, table, row, was, low, high, stake)
            if found is not None and not found.least == found.most == was:
                yield found


def _change(
    game: Game,
    rules: Rules,
    variant: Variant,
    table: str,
    row: str,
    was: ToOne | ForOne,
    low: Fraction,
    high: Fraction,
    stake: int,
) -> Change | None:
    """The odds of one row that bring the hold into the range, if any do and the row has a part in the wager."""
    make = type(was)

    @cache
    def at(rate: int) -> Fraction:
        return hold(game, with_rows(rules, table, {row: make(Fraction(rate))}), variant, stake)

    if at(0) == at(MOST):
        return None
    least = _first(at, high)
    if least is None or at(least) < low:
        return None
    above = _first(at, low, strictly=True)
    most = MOST if above is None else above - 1
    left_out = ""
    if variant.wager == MAIN and game.scope(variant.reading).draws:
        changed = with_rows(rules, table, {row: make(Fraction(least))})
        left_out = counted_result(game, changed, variant.reading)[1]
    return Change(table, row, was, make(Fraction(least)), make(Fraction(most)), at(least), at(most), left_out)


def _first(at: Callable[[int], Fraction], bound: Fraction, strictly: bool = False) -> int | None:
    """The smallest whole rate whose hold is at most the bound (or below it), if any up to ``MOST`` is."""

    def reached(rate: int) -> bool:
        return at(rate) < bound if strictly else at(rate) <= bound

    if not reached(MOST):
        return None
    if reached(0):
        return 0
    low, high, halve = 0, MOST, False
    while high - low > 1:
        # As if the hold fell evenly between the two, which it does while nobody plays otherwise; else by halves.
        share = (at(low) - bound) / (at(low) - at(high))
        middle = (low + high) // 2 if halve else min(max(low + ceil(share * (high - low)), low + 1), high - 1)
        before = high - low
        low, high = (low, middle) if reached(middle) else (middle, high)
        halve = not halve and 2 * (high - low) > before
    return high
