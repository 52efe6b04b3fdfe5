"""Which single change of a pay row brings a hold into a given range."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Any

from pitboss.exact.edge import MAIN, Variant, counted_result, main_result, optimal_play
from pitboss.exact.progressive import progressive_report
from pitboss.exact.side import side_result
from pitboss.games.contract import Game
from pitboss.games.repaying import with_rows
from pitboss.games.rules import Rules
from pitboss.law.odds import ForOne, Odds, ToOne

MOST = 100_000
"""No row is tried above this."""


@dataclass(frozen=True)
class Change:
    """A row that, paid otherwise, brings the hold into the range: the whole odds that do, with their holds."""

    row: str
    was: Odds
    least: Odds
    most: Odds
    hold_at_least: Fraction
    """The hold when the row pays the least of these odds, hence the largest hold."""
    hold_at_most: Fraction
    left_out: str = ""
    """What these holds leave out of the game, besides what the reading itself does."""

    def as_dict(self) -> dict[str, Any]:
        return {
            "row": self.row,
            "was": str(self.was),
            "least": str(self.least),
            "most": str(self.most),
            "house_edge_at_least": float(self.hold_at_least),
            "house_edge_at_most": float(self.hold_at_most),
            **({"restriction": self.left_out} if self.left_out else {}),
        }


def hold(game: Game, rules: Rules, variant: Variant, stake: int) -> Fraction:
    """The house edge: of the required wagers for a main game, in the long run for a progressive, else of the wager."""
    if variant.wager == MAIN:
        if game.scope(variant.reading).draws:
            return main_result(game, rules, variant.reading).house_edge_required
        return optimal_play(game, rules).result.house_edge_required
    if feeds_meter(rules, variant):
        return progressive_report(game, rules, variant.wager, (0,), stake).long_run_hold
    return side_result(game, rules, variant.wager, stake).house_edge


def denominator_of(variant: Variant) -> str:
    """What ``hold`` is a share of."""
    return "required wagers" if variant.wager == MAIN else "wager"


def feeds_meter(rules: Rules, variant: Variant) -> bool:
    """Whether a meter pays for the wager, so that its hold is that of the long run with one seat."""
    wager = rules.wagers.get(variant.wager)
    return wager is not None and wager.meter in rules.meters


def targets(
    game: Game, rules: Rules, variant: Variant, low: Fraction, high: Fraction, stake: int = 500
) -> Iterator[Change]:
    """Rows of the wager's pay table with whole odds for which the hold lies in ``low`` to ``high``, both included.

    Paying more never raises the hold, even when play is chosen anew, so the ends of each range are found by narrowing.
    """
    left_out = ""
    for row, was in rules.tables[variant.table].rows.items():
        if not isinstance(was, ToOne | ForOne):
            continue
        make = type(was)
        at = _holds(game, rules, variant, row, make, stake)
        if at(0) == at(MOST):
            continue  # another wager of the same table is paid by this row
        least = _first(at, high)
        if least is None or at(least) < low:
            continue
        above = _first(at, low, strictly=True)
        most = MOST if above is None else above - 1
        if variant.wager == MAIN and game.scope(variant.reading).draws:
            changed = with_rows(rules, variant.table, {row: make(Fraction(least))})
            left_out = counted_result(game, changed, variant.reading)[1]
        yield Change(row, was, make(Fraction(least)), make(Fraction(most)), at(least), at(most), left_out)


def _holds(
    game: Game, rules: Rules, variant: Variant, row: str, make: type[ToOne | ForOne], stake: int
) -> Callable[[int], Fraction]:
    """The hold as a function of what one row pays; each rate is asked for once."""
    seen: dict[int, Fraction] = {}

    def at(rate: int) -> Fraction:
        if rate not in seen:
            changed = with_rows(rules, variant.table, {row: make(Fraction(rate))})
            seen[rate] = hold(game, changed, variant, stake)
        return seen[rate]

    return at


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
