"""Two wagers at one seat as a document."""

from typing import Final

from pitboss.exact.joint import JointWagers
from pitboss.law.model import SINGLE
from pitboss.names import shown
from pitboss.paper.model import CellKind, Column, Datum, Figures, Listing, Paper, Passage, Remark
from pitboss.reports.stamp import imprint_for

WAGERS: Final = (
    Column("wager", "Wager", CellKind.NAME),
    Column("table", "Table"),
    Column("mean", "Mean", CellKind.FIGURE, places=6),
    Column("deviation", "Standard deviation", CellKind.FIGURE, places=6),
    Column("mean exactly", "Mean, exactly", CellKind.EXACT, rank=3),
)


def joint_paper(found: JointWagers, printed: int | None = None) -> Paper:
    """Covariance and correlation, then what a unit of each comes to."""
    rows = tuple(
        (wager, "" if letter == SINGLE else letter, result.expected_value, result.standard_deviation,
         result.expected_value)
        for wager, letter, result in zip(found.wagers, found.paytables, found.results, strict=True)
    )  # fmt: skip
    together = Figures(
        (
            Datum("Covariance", found.covariance, CellKind.FIGURE, "covariance", 6),
            Datum("Covariance, exactly", found.covariance, CellKind.EXACT),
            Datum("Correlation", found.correlation, CellKind.FIGURE),
            Datum("A unit of each: mean", found.expected_value, CellKind.FIGURE, places=6),
            Datum("A unit of each: standard deviation", found.standard_deviation, CellKind.FIGURE, places=6),
        )
    )
    part = (Remark(f"Only a part of the game: {found.restriction}.", tone="warning"),) if found.restriction else ()
    return Paper(
        "joint",
        f"{found.rules.chapter.title}: {' and '.join(map(shown, found.wagers))} at one seat",
        (f"{found.rules}",),
        (Passage("", (Listing("wagers", WAGERS, rows), together, *part)),),
        imprint_for(found.rules.as_of, printed),
        main="wagers",
    )
