"""Pay tables to order as a document: what was wished, the tables with their figures, or why there are none."""

from collections.abc import Iterator
from math import floor
from typing import Final

from pitboss.exact.design import SLICES, DesignedTable, DesignSearch
from pitboss.exact.edge import MAIN
from pitboss.exact.wishes import TASTES
from pitboss.law.model import SINGLE
from pitboss.names import several, shown
from pitboss.paper.model import Block, CellKind, Column, Datum, Figures, Listing, Paper, Plot, PlotKind, Remark, Row
from pitboss.paper.model import passages as passages_of
from pitboss.paper.say import percent
from pitboss.reports.offer import row_title
from pitboss.reports.stamp import imprint_for

FIGURES: Final = (
    Column("hold", "Hold", CellKind.PERCENT),
    Column("deviation", "Deviation", CellKind.FIGURE),
    Column("hits", "Hits", CellKind.PERCENT, rank=2, places=2),
    Column("seen", "Edge with a known card", CellKind.PERCENT, rank=2, places=2),
    Column("exactly", "Hold, exactly", CellKind.EXACT, rank=0),
)
FRONTIER: Final = (
    Column("hold", "Hold, %", CellKind.FIGURE),
    Column("steady", "Least deviation", CellKind.FIGURE),
    Column("steady_pays", "with pays", rank=2),
    Column("lively", "Largest deviation", CellKind.FIGURE),
    Column("lively_pays", "with these pays", rank=2),
)
EARLY: Final = "The search stopped early: there are more, and a better one may be among them. Narrow the wishes."


def design_paper(found: DesignSearch, printed: int | None = None) -> Paper:
    conditions = found.conditions
    letter = "" if conditions.letter == SINGLE else f" {conditions.letter}"
    wanted = f"{percent(found.wishes.low)} to {percent(found.wishes.high)}"
    title = f"{found.rules.chapter.title}, {shown(conditions.wager)}{letter}: tables that hold {wanted}"
    return Paper(
        "design",
        title,
        (f"{found.rules}; {found.wishes.words}",),
        passages_of(("", tuple(_blocks(found))), ("Hold and deviation", tuple(_frontier(found)))),
        imprint_for(found.rules.as_of, printed),
        main="tables",
    )


def pays_words(table: DesignedTable) -> str:
    """A table in one line, the highest hand first.

    >>> from fractions import Fraction
    >>> from pitboss.law.odds import ToOne
    >>> pays_words(DesignedTable({"flush": ToOne(Fraction(7, 2)), "pair": None}, Fraction(), Fraction(), Fraction()))
    '3.5 · –'
    """
    return " · ".join("–" if odds is None else str(float(odds.rate)).removesuffix(".0") for odds in table.pays.values())


def _blocks(found: DesignSearch) -> Iterator[Block]:
    law = found.rules.tables[found.table]
    ways = {str(odds).rpartition(" ")[0].rpartition(" ")[2] for odds in found.law.pays.values() if odds is not None}
    rows = ", ".join(row_title(row, law) for row in found.law.pays)
    yield Figures(
        (
            Datum(
                f"Hold now, of the {'required wagers' if _is_main(found) else 'wager'}",
                found.law.hold,
                CellKind.PERCENT,
            ),
            Datum("Pays now", pays_words(found.law)),
            Datum(
                "Tables found" if found.complete else "Tables found before the search stopped",
                found.count,
                CellKind.COUNT,
            ),
        )
    )
    yield Remark(f"Pays of {shown(found.table)} ({' or '.join(sorted(ways))} 1), in this order: {rows}.")
    if not found.tables:
        yield from map(Remark, reasons(found))
        return
    columns = (
        Column("pays", "Pays"),
        Column("changed", "Not as now", CellKind.SENTENCE),
        *FIGURES,
        *(Column(row, row_title(row, law), CellKind.ODDS, rank=0) for row in found.law.pays),
    )
    listed = tuple(_row(found, each) for each in found.tables)
    yield Listing("tables", columns, listed, title=f"By {TASTES[found.taste]}")
    if _is_main(found):
        others = "these are all that are as wished" if found.complete else "others may be as wished too"
        yield Remark(f"Each of these tables was counted with best play under it; {others}.")
    elif not found.best:
        yield Remark(EARLY, tone="warning")


def _is_main(found: DesignSearch) -> bool:
    return found.conditions.wager == MAIN


def _row(found: DesignSearch, table: DesignedTable) -> Row:
    law = found.rules.tables[found.table]
    changed = ", ".join(
        f"{row_title(row, law)} {odds or 'nothing'}" for row, odds in table.pays.items() if odds != found.law.pays[row]
    )
    figures = table.hold, table.standard_deviation, table.hit_frequency, table.seen, table.hold
    return (
        pays_words(table),
        changed or "the table as it is",
        *figures,
        *(str(odds or "") for odds in table.pays.values()),
    )


def reasons(found: DesignSearch) -> Iterator[str]:
    """Why there is no table, and what would make one possible."""
    if not found.complete:
        yield "No such table was found. The search is not complete, so there may be one all the same."
        if found.decided is not None:
            decided, every = found.decided
            share = f" ({floor(1000 * decided / every) / 10} %)" if decided else ""
            yield f"{decided:,}{share} of {several(every, 'table')} in these bounds are proved to hold less or more."
    else:
        yield f"No such table exists {found.wishes.words}."
    above, below = "The smallest hold above the range is", "The largest hold below it is"
    if not found.complete:
        above, below = "The smallest hold counted above the range is", "The largest one counted below it is"
    if found.above is not None:
        yield f"{above} {percent(found.above.hold)}, with {pays_words(found.above)}."
    if found.below is not None:
        yield f"{below} {percent(found.below.hold)}, with {pays_words(found.below)}."
    if found.complete and found.above is None and found.below is not None:
        yield "No table holds more than that."
    if found.complete and found.below is None and found.above is not None:
        yield "No table holds less than that."
    for words in found.instead:
        yield f"Possible {words}."


def _frontier(found: DesignSearch) -> Iterator[Block]:
    if len(found.frontier) < 2:
        return
    rows = tuple(
        (
            float(100 * (each.steady.hold + each.lively.hold) / 2),
            each.steady.standard_deviation,
            pays_words(each.steady),
            each.lively.standard_deviation,
            pays_words(each.lively),
        )
        for each in found.frontier
    )
    listing = Listing("frontier", FRONTIER, rows)
    note = f"The range is cut into {SLICES} parts; no table of a part has a smaller or a larger deviation."
    yield Plot(listing, "Deviation by hold", "hold", ("steady", "lively"), PlotKind.LINES, note=note, tabled=False)
