"""The payout slip as a document: what is paid, why, out of which meter, and who signs for it."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from pitboss.clock import day_words
from pitboss.games.registry import game_named
from pitboss.ledger.slips import PayoutSlip
from pitboss.money import show_dollars
from pitboss.paper.model import CellKind, Column, Datum, Figures, Listing, Paper, Passage, Remark, Row, passages
from pitboss.reports.settlement import PARAGRAPH, SEAT, WAGER
from pitboss.reports.stamp import imprint
from pitboss.table.words import meter_words

SIGNATURES: Final = Figures(
    tuple(Datum(name, None, CellKind.BLANK) for name in ("Dealer", "Floorperson or above", "Patron"))
)
PAID: Final = (
    Column("table", "Table", rank=0),
    Column("round", "Round", CellKind.COUNT, rank=0),
    Column("slip of seat", "Slip of seat", CellKind.COUNT, rank=0),
    SEAT,
    WAGER,
    Column("stake", "Stake", CellKind.MONEY, rank=2),
    Column("odds", "Odds or share", CellKind.ODDS, rank=2),
    Column("amount", "Amount", CellKind.MONEY),
    PARAGRAPH,
    Column("why", "Why", CellKind.SENTENCE, rank=3),
)
MOVED: Final = (
    Column("meter", "Meter"),
    Column("jackpot", "Jackpot", CellKind.NAME, rank=2),
    Column("before", "Before", CellKind.MONEY),
    Column("after", "After", CellKind.MONEY),
)


def slip_paper(slips: Sequence[PayoutSlip], printed: int | None = None) -> Paper:
    """The payout slips of a round, each on a sheet of its own."""
    first = slips[0]
    place, game = f"Table {first.table}, round {first.round}", game_named(first.game).chapter.title
    title = f"Payout slip: {show_dollars(first.amount)}" if len(slips) == 1 else f"{len(slips)} payout slips"
    parts = slip_passages(first)
    for slip in slips[1:]:
        who, *others = slip_passages(slip)
        parts += (replace(who, title=f"Payout slip: {show_dollars(slip.amount)}", new_sheet=True), *others)
    head = imprint(first.as_of, printed, period=f"Gaming day {day_words(first.day)}")
    return Paper("slip", title, (game, place), parts, head, main="paid")


def slip_passages(slip: PayoutSlip) -> tuple[Passage, ...]:
    """One slip: who, what is paid, the meters, and lines to sign on."""
    who = (
        Datum("Table, round, seat", f"{slip.table}, {slip.round}, {slip.seat}"),
        Datum("Patron", slip.player),
        Datum("Hand turned up", slip.hand or "none", CellKind.CARDS),
        Datum("Dealer's hand", slip.dealers_hand or "none", CellKind.CARDS),
        Datum("Dealer", slip.dealer),
        Datum("Validated by", slip.by or "not yet validated"),
        Datum("Gaming day", day_words(slip.day)),
        Datum("Time", slip.at, CellKind.TIME),
    )
    meters = tuple(
        (meter_words(each.name), "" if each.tier == "meter" else each.tier, each.before, each.after)
        for each in slip.meters
    )
    return passages(
        ("Who", [Figures(who)]),
        ("What is paid", [Listing("paid", PAID, _paid(slip))]),
        ("Meters", [Listing("meters", MOVED, meters)] if meters else ()),
        ("Signatures", [Remark("A supervisor validates the payout.", slip.cites), SIGNATURES]),
    )


def _paid(slip: PayoutSlip) -> tuple[Row, ...]:
    place = slip.table, slip.round, slip.seat
    return tuple(
        (*place, each.seat, each.wager, each.stake, each.odds, each.amount, (each.cite,), each.why)
        for each in slip.lines
    )
