"""Progressive wagers as documents: the long run, jackpots, meters, when they break even, and holds by seats."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from pitboss.exact.conditions import Conditions
from pitboss.exact.progressive import ALONE, BY_SEATS, HOLDS_OF_LINKED, ROUNDS_OF_LINKED, ProgressiveReport
from pitboss.games.rules import Rules
from pitboss.money import show_dollars
from pitboss.names import several, shown
from pitboss.paper.model import (
    Block,
    CellKind,
    Column,
    Datum,
    Figures,
    Listing,
    Paper,
    Passage,
    Remark,
    Row,
    passages,
)
from pitboss.reports.stamp import imprint_for

JACKPOTS: Final = (
    Column("jackpot", "Pays"),
    Column("share", "Share", CellKind.PERCENT, places=0),
    Column("one in", "One in", CellKind.FIGURE, places=1),
    Column("probability", "Probability, exactly", CellKind.EXACT, rank=2),
)
METERS: Final = (
    Column("meter", "Meter", CellKind.NAME),
    Column("seed", "Seed", CellKind.MONEY, rank=2),
    Column("reseed", "Reseed", CellKind.MONEY, rank=3),
    Column("mean", "Long-run mean", CellKind.MONEY),
    Column("break-even", "Break-even, alone", CellKind.MONEY),
    Column("break-even with all", "Break-even, full table", CellKind.MONEY, rank=2),
    Column("wagers between hits", "Wagers between hits", CellKind.FIGURE, rank=2, places=0),
    Column("rate", "Increment", CellKind.PERCENT, rank=3),
    Column("reserve", "Reserve", CellKind.PERCENT, rank=3, zeros=False),
    Column("charged", "Prizes charged", CellKind.PERCENT, rank=3, zeros=False),
    Column("paid", "Pays, of each wager", CellKind.PERCENT, rank=3),
    Column("house cost", "Costs the house", CellKind.PERCENT, rank=3),
    Column("unspent", "Reserve never spent", CellKind.PERCENT, rank=3, zeros=False),
    Column("slope", "Worth of one unit on the meter", CellKind.EXACT, rank=3),
)
EVEN: Final = (
    Column("meter", "Meter", CellKind.NAME),
    Column("others", "Other seats", CellKind.COUNT),
    Column("without envy", "Without Envy Bonuses", CellKind.MONEY),
    Column("with envy", "With Envy Bonuses", CellKind.MONEY),
    Column("exactly", "With them, in dollars, exactly", CellKind.EXACT, rank=2),
)
SEATS: Final = (
    Column("seats", "Seats", CellKind.COUNT),
    Column("also wagered", "Also wagered on this meter", rank=2),
    Column("meter", "Meter pays", CellKind.PERCENT, rank=2),
    Column("envy", "Envy pays", CellKind.PERCENT, rank=2, zeros=False),
    Column("hold", "Hold", CellKind.PERCENT),
    Column("house", "Stays with the house", CellKind.PERCENT, rank=2),
    Column("exactly", "Hold, exactly", CellKind.EXACT, rank=2),
)
LINKED: Final = (
    Column("meter", "Meter", CellKind.NAME),
    Column("seats", "Seats at each table", CellKind.COUNT),
    Column("rounds", "Rounds between hits", CellKind.FIGURE, places=1),
)


@dataclass(frozen=True)
class MeteredWager:
    """A progressive wager with the rules and conditions that its figures hold under."""

    rules: Rules
    conditions: Conditions
    report: ProgressiveReport
    tables: int = 1
    """Tables that feed the meter together."""

    @property
    def title(self) -> str:
        return self.rules.wagers[self.report.wager].title

    def as_dict(self) -> dict[str, Any]:
        linked = {"linked": self.report.linked(self.tables).as_dict()} if self.tables > 1 else {}
        return self.report.as_dict() | linked


def progressive_paper(found: MeteredWager, printed: int | None = None, plots: Sequence[Block] = ()) -> Paper:
    """A progressive wager as a document, with plots where somebody drew them."""
    report = found.report
    lead = f"Pay table {found.conditions.lettered}, " if found.conditions.letter.isalnum() else ""
    return Paper(
        "progressive_wager",
        f"{found.rules.chapter.title}: {found.title}",
        (f"{lead}{show_dollars(report.stake)} wagered; {report.plays}. {found.rules}.",),
        progressive_passages(found, plots),
        imprint_for(found.rules.as_of, printed),
        main="seats",
    )


def progressive_passages(found: MeteredWager, plots: Sequence[Block] = ()) -> tuple[Passage, ...]:
    """The parts of the document, for a page or another document."""
    report = found.report
    linked = [*_linked(found)]
    return passages(
        (f"The long run: {ALONE}", [*_long_run(found)]),
        ("Jackpots", [Listing("jackpots", JACKPOTS, tuple(_jackpots(report)))] if report.jackpots else []),
        ("Meters", [*_meters(found), *plots]),
        ("When the meter breaks even", [Listing("break_even_by_seats", EVEN, tuple(_evens(report)))]),
        (
            "Long-run hold by seats",
            [
                Remark(f"{BY_SEATS[0].upper()}{BY_SEATS[1:]}; {report.plays}."),
                Listing("seats", SEATS, tuple(_seats(found))),
            ],
        ),
        (f"{found.tables} linked tables", linked),
    )


def _long_run(found: MeteredWager) -> Iterator[Block]:
    report = found.report
    if found.conditions.changed:
        yield Remark(f"Not the law's table; {found.conditions.changed}.", tone="warning")
    extras = tuple(
        Datum(f"Of this the {shown(name)} adds", worth, CellKind.PERCENT) for name, worth in report.extras.items()
    )
    worth = report.envy_per_seat
    envy = (
        Datum("Envy Bonus, each other seat", worth, CellKind.PERCENT),
        Datum("Envy Bonus, exactly", worth, CellKind.EXACT),
    )
    yield Figures(
        (
            Datum("Hold, meter included", report.long_run_hold, CellKind.PERCENT, "hold"),
            Datum("Hold, exactly", report.long_run_hold, CellKind.EXACT),
            Datum("Return, meter included", report.long_run_return, CellKind.PERCENT),
            Datum("Stays with the house", report.long_run_house_hold, CellKind.PERCENT),
            Datum("Hold without any meter", -report.fixed, CellKind.PERCENT),
            Datum("Expected value without any meter, exactly", report.fixed, CellKind.EXACT),
            *extras,
            *(envy if worth else ()),
        )
    )


def _jackpots(report: ProgressiveReport) -> Iterator[Row]:
    for each in report.jackpots:
        yield each.name, each.share, 1 / each.probability if each.probability else None, each.probability


def _meters(found: MeteredWager) -> Iterator[Block]:
    report = found.report
    unit, most = report.stake, max(report.other_seats)
    rows = tuple(
        (
            each.tier,
            unit * each.seed,
            unit * each.reseed,
            unit * each.mean_meter,
            unit * report.break_even(each.tier),
            unit * report.break_even(each.tier, most),
            each.rounds_between_hits,
            each.rate,
            each.reserve,
            each.charged,
            each.paid,
            each.house_cost,
            each.unspent_reserve,
            each.slope,
        )
        for each in report.tiers
    )
    yield Listing("meters", METERS, rows)
    seats = several(most, "other seat")
    yield Remark(f"Full table: {seats} on the same wager, Envy Bonuses included. Other jackpots stand at their seed.")


def _evens(report: ProgressiveReport) -> Iterator[Row]:
    unit = Fraction(report.stake)
    for tier in report.tiers:
        for others in report.other_seats:
            alone, envied = (unit * report.break_even(tier.tier, others, envy) for envy in (False, True))
            yield tier.tier, others, alone, envied, envied / 100


def _seats(found: MeteredWager) -> Iterator[Row]:
    alone = "nothing else" if len(found.report.feeds) > 1 else ""
    for each in found.report.by_seats():
        also = ", ".join(found.rules.wagers[name].title for name in each.others) or alone
        yield each.seats, also, each.meter, each.envy, each.hold, each.house_hold, each.hold


def _linked(found: MeteredWager) -> Iterator[Block]:
    if found.tables < 2:
        return
    hits = found.report.linked(found.tables).rounds_between_hits
    rows = tuple((tier, seats, rounds) for tier, by_seats in hits.items() for seats, rounds in by_seats.items())
    yield Remark(f"Holds are {HOLDS_OF_LINKED}.")
    yield Listing("linked", LINKED, rows)
    yield Remark(f"One round is {ROUNDS_OF_LINKED}.")
