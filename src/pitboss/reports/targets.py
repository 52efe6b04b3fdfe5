"""Which single rows bring a hold into a range, as a document."""

from typing import Final

from pitboss.exact.target import Change, TargetSearch
from pitboss.exact.whatif import cell
from pitboss.games.structure import PRINTED
from pitboss.law.model import SINGLE
from pitboss.names import shown
from pitboss.paper.model import Block, CellKind, Column, Datum, Figures, Listing, Paper, Passage, Remark, Row
from pitboss.paper.say import percent
from pitboss.reports.stamp import imprint_for

CHANGES: Final = (
    Column("row", "Row, as --pay reads it"),
    Column("pays", "Pays", CellKind.ODDS, rank=2),
    Column("from", "From", CellKind.ODDS),
    Column("to", "To", CellKind.ODDS),
    Column("hold from", "Hold from", CellKind.PERCENT),
    Column("hold to", "Hold to", CellKind.PERCENT),
    Column("hold from exactly", "Hold from, exactly", CellKind.EXACT, rank=0),
    Column("hold to exactly", "Hold to, exactly", CellKind.EXACT, rank=0),
)
NONE: Final = "No single row of its pay tables brings it there with whole odds."


def target_paper(found: TargetSearch, printed: int | None = None) -> Paper:
    """The hold now, and what each row would have to pay."""
    conditions = found.conditions
    letter = "" if conditions.letter == SINGLE else f" {conditions.letter}"
    reading = "" if conditions.reading == PRINTED else f", reading {conditions.reading}"
    wanted = f"{percent(found.low)} to {percent(found.high)}"
    return Paper(
        "target",
        f"{found.rules.chapter.title}, {shown(conditions.wager)}{letter}: single rows for a hold of {wanted}",
        (f"{found.rules}{reading}",),
        (Passage("", target_blocks(found)),),
        imprint_for(found.rules.as_of, printed),
        main="changes",
    )


def target_blocks(found: TargetSearch) -> tuple[Block, ...]:
    contains = f" ({found.contains})" if found.contains else ""
    left_out = dict.fromkeys(change.left_out for change in found.changes if change.left_out)
    return (
        Figures((Datum(f"Hold now, of the {found.denominator}{contains}", found.now, CellKind.PERCENT, "hold"),)),
        Listing("changes", CHANGES, tuple(map(_change, found.changes)), NONE),
        *(Remark(f"Only a part of the game: {each}.", tone="warning") for each in left_out),
    )


def _change(change: Change) -> Row:
    odds = str(change.was), str(change.least), str(change.most)
    holds = change.hold_at_least, change.hold_at_most
    return cell(change.table, change.row), *odds, *holds, *holds
