"""The register of slips as a document."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from pitboss.clock import day_words
from pitboss.ledger.register import RegisteredSlip, SlipFilter
from pitboss.paper.model import CellKind, Column, Listing, Paper, Remark, Row, passages
from pitboss.reports.stamp import imprint

SLIPS: Final = (
    Column("slip", "Slip", CellKind.COUNT),
    Column("kind", "Kind"),
    Column("amount", "Amount", CellKind.MONEY),
    Column("time", "Time", CellKind.TIME, rank=2),
    Column("table", "Table"),
    Column("round", "Round", CellKind.COUNT, rank=2),
    Column("player", "Player", rank=2),
    Column("by", "By", rank=2),
    Column("job function", "Job function", rank=0),
    Column("gaming day", "Gaming day", rank=0),
    Column("event", "Event", CellKind.COUNT, rank=0),
)
TOTALS: Final = (
    Column("kind", "Kind"),
    Column("slips", "Slips", CellKind.COUNT),
    Column("amount", "Amount", CellKind.MONEY),
)


def register_paper(slips: Sequence[RegisteredSlip], wanted: SlipFilter, printed: int | None = None) -> Paper:
    """Every slip, the total of each kind, and the numbers that a series leaves out."""
    rows = tuple(
        (s.number, s.kind, s.amount, s.at, s.table, s.round, s.player, s.who, s.role, str(s.day), s.seq) for s in slips
    )
    counts, amounts = Counter(slip.kind for slip in slips), Counter[str]()
    for slip in slips:
        amounts[slip.kind] += slip.amount
    totals: tuple[Row, ...] = tuple((kind, count, amounts[kind]) for kind, count in counts.items())
    filters = tuple((name, value) for name, value in (("table", wanted.table), ("kind", wanted.kind)) if value)
    period = f"Gaming day {day_words(wanted.day)}" if wanted.day else "All gaming days"
    parts = passages(
        ("", [Listing("slips", _columns(wanted), rows)]),
        ("Totals", [Listing("totals", TOTALS, totals)] if totals else ()),
        ("Numbers left out", () if wanted.kind else [*_left_out(slips)]),
    )
    return Paper("slips", "Register of slips", (), parts, imprint("", printed, period=period, filters=filters), "slips")


def _columns(wanted: SlipFilter) -> tuple[Column, ...]:
    """Within a gaming day the time of day is enough."""
    kind = CellKind.TIME if wanted.day is None else CellKind.CLOCK
    return tuple(replace(column, kind=kind) if column.key == "time" else column for column in SLIPS)


def _left_out(slips: Sequence[RegisteredSlip]) -> Iterator[Remark]:
    for table, day in dict.fromkeys((slip.table, slip.day) for slip in slips):
        used = {slip.number for slip in slips if (slip.table, slip.day) == (table, day) and slip.number}
        if unused := [str(number) for number in range(1, max(used, default=0)) if number not in used]:
            yield Remark(f"{table} on {day_words(day)}: {', '.join(unused)}.", tone="warning")
