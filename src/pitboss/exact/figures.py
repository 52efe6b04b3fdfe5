"""The figures of a wager as a record, with the rules and conditions they hold under, and the outcomes behind them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import gcd, lcm
from typing import TYPE_CHECKING, Any

from pitboss.exact.conditions import Conditions
from pitboss.exact.duel import Progress
from pitboss.exact.edge import (
    DEFAULT_STAKE,
    MAIN,
    Variant,
    conditions_of_variant,
    counted_result,
    optimal_play,
    tables_behind,
)
from pitboss.exact.facets import line_counts
from pitboss.exact.limit import Limited, limited
from pitboss.exact.progressive import BY_SEATS, NoMeterError, ProgressiveReport, progressive_report
from pitboss.exact.side import Jackpot, SideResult, line_of, net_per_unit, reads_folded, side_result
from pitboss.exact.value import Moments, Result
from pitboss.games.contract import Game
from pitboss.games.registry import GAMES
from pitboss.games.repaying import with_rows
from pitboss.games.rules import Rules
from pitboss.games.settlement import LineResult
from pitboss.law.model import PayTable, source_of
from pitboss.law.odds import FixedSum, ForOne, MeterShare, Odds, ToOne
from pitboss.money import Cents
from pitboss.names import shown

if TYPE_CHECKING:
    from pitboss.exact.exposed import KnownCards

METER = "shares of a meter count as lost stakes in every figure of the row"


@dataclass(frozen=True)
class EdgeFigures:
    """The exact figures of one wager, or of the main wagers together, and everything they hold under."""

    rules: Rules
    """The rules of the count: its pay tables, reading and stake."""
    variant: Variant
    conditions: Conditions
    expected_value: Fraction
    """Per unit, to the player."""
    result: Moments | None = None
    """The distribution behind the figures; ``None`` where only the expected value is counted."""
    title: str = ""
    stake: Cents | None = None
    """At which fixed sums become odds; of main wagers, the stake asked for."""
    folding: SideResult | None = None
    """The wager with best play of the main wagers, where a fold forfeits it; nobody folds in the other figures."""
    progressive: ProgressiveReport | None = None
    limit: Limited | None = None
    """The hold by stake under a payout limit."""
    choices: Mapping[str, Fraction] = field(default_factory=dict)
    """How often each choice is made, where there are choices."""
    by_card: Mapping[str, Fraction] = field(default_factory=dict)
    """The expected value by what the player knows of the dealer's hand."""
    same_as: str = ""
    """The wager whose count this one shares."""

    @property
    def wager(self) -> str:
        return self.conditions.wager

    @property
    def name(self) -> str:
        return self.title or shown(self.wager)

    @property
    def game(self) -> Game:
        return GAMES[self.rules.game]

    @property
    def letter(self) -> str:
        return self.conditions.letter

    @property
    def reading(self) -> str:
        return self.conditions.reading

    @property
    def unit(self) -> str:
        """What the figures are a share of, in words."""
        return self.conditions.unit

    @property
    def hold(self) -> Fraction:
        return -self.expected_value

    @property
    def main(self) -> Result | None:
        """The result of the main wagers, if the figures are theirs."""
        return self.result if isinstance(self.result, Result) else None

    @property
    def jackpots(self) -> tuple[Jackpot, ...]:
        return self.result.jackpots if isinstance(self.result, SideResult) else ()

    @property
    def at_seed(self) -> SideResult | None:
        """The wager with its meter at the seed."""
        if self.progressive is None or not isinstance(self.result, SideResult):
            return None
        return self.result.with_meters({tier.tier: tier.seed for tier in self.progressive.tiers})

    @property
    def tables(self) -> tuple[PayTable, ...]:
        """The pay tables behind the figures."""
        return tuple(self.rules.tables[name] for name in tables_behind(self.game, self.rules, self.variant.wager))

    @property
    def fixed_sums(self) -> bool:
        """Whether a row pays a sum of money, so that the figures depend on the stake."""
        return any(isinstance(odds, FixedSum) for table in self.tables for odds in table.rows.values())

    @property
    def sources(self) -> tuple[str, ...]:
        """What unprinted pay tables behind the figures rest on."""
        return tuple(f"pay table of {shown(each.wager)} {source_of(each)}" for each in self.tables if source_of(each))

    def as_dict(self) -> dict[str, Any]:
        """As ``pitboss edge --json`` prints it."""
        game, result = self.game, self.result
        found: dict[str, Any] = {
            "game": game.name,
            "wager": self.variant.wager,
            "paytable": self.letter,
            "reading": self.reading,
            "cite": self.conditions.cite,
            "expected_value": str(self.expected_value),
            "house_edge": float(self.hold),
            "denominator": game.course.unit if self.wager == MAIN else "wager",
        }
        if isinstance(result, Result):
            found |= _main_dict(result, "" if self.conditions.known else self.conditions.restriction)
        elif isinstance(result, SideResult):
            found |= _side_dict(result)
        elif self.choices:
            found["choices"] = {name: float(share) for name, share in self.choices.items()}
        if self.conditions.known:
            found["known"] = self.conditions.known
            found["house_edge_by_known_card"] = {card: float(-worth) for card, worth in self.by_card.items()}
        elif self.wager == MAIN:
            found |= {} if self.stake is None else {"stake": self.stake}
            found |= {} if self.limit is None else {"payout_limit": self.limit.as_dict()}
        if self.folding is not None:
            found["optimal_play"] = {
                "restriction": game.restriction or None,
                "expected_value": str(self.folding.expected_value),
                "house_edge": float(self.folding.house_edge),
                **_side_dict(self.folding),
                "changed": [each.as_dict() for each in self.conditions.main_changes],
            }
        found |= self._meter_dict() | self.conditions.as_dict()
        return found | ({"rests_on": [*self.sources]} if self.sources else {})

    def _meter_dict(self) -> dict[str, Any]:
        if not self.jackpots:
            return {}
        if self.progressive is None or self.at_seed is None:
            return {"meter": METER}
        return {
            "meter": METER,
            "with_the_meter_at_its_seed": {
                "expected_value": str(self.at_seed.expected_value),
                "house_edge": float(self.at_seed.house_edge),
                **_side_dict(self.at_seed),
            },
            "hold_by_seats_is_for": f"{BY_SEATS}; {self.progressive.plays}",
            "hold_by_seats": [each.as_dict() for each in self.progressive.by_seats()],
        }


def _main_dict(result: Result, restriction: str) -> dict[str, Any]:
    return {
        "restriction": restriction or None,
        "house_edge_required": float(result.house_edge_required),
        "element_of_risk": float(result.element_of_risk),
        "average_total_wager": float(result.average_total_wager),
        "standard_deviation": result.standard_deviation,
        "hit_frequency": float(result.hit_frequency),
        "largest_pay": float(result.largest_pay),
        "choices": {name: float(share) for name, share in result.choices.items()},
        "deals": result.deals,
    }


def _side_dict(result: SideResult) -> dict[str, Any]:
    return {
        "standard_deviation": result.standard_deviation,
        "hit_frequency": float(result.hit_frequency),
        "largest_pay": float(result.largest_pay),
        **({"jackpots": result.jackpots_dict()} if result.jackpots else {}),
    }


def figures_of(
    game: Game,
    rules: Rules,
    variant: Variant,
    stake: Cents | None = None,
    progress: Progress | None = None,
    known: "KnownCards | None" = None,
    chances: Mapping[str, Fraction] | None = None,
) -> EdgeFigures:
    """Count one wager under given rules, which no law need have.

    With a ``stake`` the main wagers are played and paid at it, payout limits included. ``known`` cards are those that
    the player sees too early; ``chances`` are those with which the system selects a card or a place.
    """
    if known is not None:
        return _exposed_figures(game, rules, variant, known, progress)
    if variant.wager != MAIN:
        return _side_figures(game, rules, variant, stake or DEFAULT_STAKE, chances)
    at = rules if stake is None else rules.at_stake(stake)
    result, restriction = counted_result(game, at, variant.reading, progress)
    return EdgeFigures(
        at,
        variant,
        conditions_of_variant(at, variant, restriction),
        result.expected_value,
        result,
        stake=at.unit_stake,
        limit=limited(game, at, () if stake is None else (stake,), progress, best=None if stake is None else True),
        choices=result.choices,
    )


def _side_figures(
    game: Game, rules: Rules, variant: Variant, stake: Cents, chances: Mapping[str, Fraction] | None
) -> EdgeFigures:
    result = side_result(game, rules, variant.wager, stake)
    folds = reads_folded(game, line_of(game, variant.wager))
    return EdgeFigures(
        rules,
        variant,
        conditions_of_variant(rules, variant),
        result.expected_value,
        result,
        stake=stake,
        folding=side_result(game, rules, variant.wager, stake, folds=optimal_play(game, rules)) if folds else None,
        progressive=_progressive(game, rules, result, variant.wager, chances),
    )


def _progressive(
    game: Game, rules: Rules, result: SideResult, wager: str, chances: Mapping[str, Fraction] | None
) -> ProgressiveReport | None:
    if not result.jackpots:
        return None
    try:
        return progressive_report(game, rules, wager, range(rules.seats), result.stake, chances=chances)
    except NoMeterError:
        return None


def _exposed_figures(
    game: Game, rules: Rules, variant: Variant, known: "KnownCards", progress: Progress | None
) -> EdgeFigures:
    from pitboss.exact.exposed import exposed

    found = exposed(game, rules, known, progress=progress)
    conditions = conditions_of_variant(rules, variant, known=str(known))
    return EdgeFigures(
        rules,
        variant,
        conditions,
        found.expected_value,
        found.result,
        choices=found.choices,
        by_card=found.by_card,
    )


@dataclass(frozen=True)
class PaidRow:
    """A row of a pay table that pays outcomes of a wager."""

    table: str
    row: str
    odds: Odds

    def net(self, stake: Cents) -> Fraction:
        """Per unit wagered; a share of a meter counts as a lost stake."""
        match self.odds:
            case ToOne(rate):
                return rate
            case ForOne(rate):
                return rate - 1
            case FixedSum(amount):
                return Fraction(amount, stake)
        return Fraction(-1)


@dataclass(frozen=True)
class EdgeOutcome:
    """The results of a wager that one row pays alike, or that no row pays."""

    net: Fraction
    """Per unit wagered; a share of a meter counts as a lost stake."""
    ways: int
    result: str = ""
    """Win, lose or push; of main wagers, which are several lines together, nothing."""
    paid_by: PaidRow | None = None
    """The row that alone decides the net: changing its odds changes the net with them."""


def outcomes_of(figures: EdgeFigures) -> tuple[EdgeOutcome, ...]:
    """The outcomes behind figures, from the rules of these figures, the largest loss first.

    Their mean is the expected value, exactly: anything else is a fault of ours and raises ``AssertionError``.
    """
    if figures.result is None:
        return ()
    found = _of_side(figures) if isinstance(figures.result, SideResult) else _of_main(figures.result)
    total = sum(each.ways for each in found)
    mean = sum((each.net * each.ways for each in found), Fraction(0)) / total
    assert mean == figures.expected_value, f"the outcomes of {figures.name} mean {mean}, not {figures.expected_value}"
    common = gcd(*(each.ways for each in found)) if total > 2**53 else 1
    return tuple(replace(each, ways=each.ways // common) for each in found)


def _of_main(result: Moments) -> list[EdgeOutcome]:
    whole = lcm(*(Fraction(count).denominator for count in result.distribution.values()))
    return [EdgeOutcome(net, int(count * whole)) for net, count in sorted(result.distribution.items()) if count]


def _of_side(figures: EdgeFigures) -> list[EdgeOutcome]:
    game, rules, stake = figures.game, figures.rules, figures.stake or DEFAULT_STAKE
    line = line_of(game, figures.variant.wager)
    counts, pays = line_counts(game, line, rules=rules).counts, game.lines.tabulate(line, rules)
    paying = paying_rows(game, rules, line, tables_behind(game, rules, figures.variant.wager))
    ways: dict[tuple[Fraction, str, PaidRow | None], int] = {}
    for code, count in counts.items():
        pay = pays[code]
        net, row = net_per_unit(pay, stake), paying.get(code)
        key = net, "" if pay is None else str(pay.result.value), row if row and row.net(stake) == net else None
        ways[key] = ways.get(key, 0) + count
    listed = [EdgeOutcome(net, count, result, row) for (net, result, row), count in ways.items() if count]
    return sorted(listed, key=lambda each: (each.net, each.result))


def paying_rows(game: Game, rules: Rules, line: str, tables: Iterable[str]) -> dict[tuple[Any, ...], PaidRow]:
    """By the facts of a result, the one row that pays it: the row whose odds the pay has when they are changed."""
    now = game.lines.tabulate(line, rules)
    found: dict[tuple[Any, ...], list[PaidRow | None]] = {}
    for table in tables:
        for row, odds in rules.tables[table].rows.items():
            other = _other(odds)
            then = game.lines.tabulate(line, with_rows(rules, table, {row: other}))
            for code, pay in then.items():
                if pay != now[code]:
                    paid = pay is not None and pay.odds == other and pay.result == LineResult.WIN
                    found.setdefault(code, []).append(PaidRow(table, row, odds) if paid else None)
    alone = ((code, rows[0]) for code, rows in found.items() if len(rows) == 1)
    return {code: paid_by for code, paid_by in alone if paid_by is not None}


def _other(odds: Odds) -> Odds:
    """The same way of paying, with an amount that no table has."""
    match odds:
        case ToOne():
            return ToOne(Fraction(9973, 7))
        case ForOne():
            return type(odds)(Fraction(9973, 7))
        case MeterShare(_, tier):
            return MeterShare(Fraction(1, 9973), tier)
        case FixedSum():
            return FixedSum(997_301)
