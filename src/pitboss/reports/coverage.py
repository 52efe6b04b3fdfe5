"""How much of the law is covered, as a document."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from pitboss.law.coverage import STATUSES, coverage, not_counted
from pitboss.law.loader import chapter
from pitboss.paper.model import CellKind, Column, Listing, Paper, Passage, Remark, Row
from pitboss.reports.stamp import imprint_for

COUNTED: Final = ("paragraphs", *STATUSES)
CHAPTERS: Final = (
    Column("chapter", "Chapter"),
    Column("title", "Game", rank=3),
    *(Column(name, name.capitalize(), CellKind.COUNT) for name in COUNTED),
)
MEANINGS: Final = (
    "Tested: its tests noticed every break of it. Named: a test names it. Encoded: it stands in the law files or in "
    "code. Physical: nothing for software to do. Missing: nothing yet."
)


@dataclass(frozen=True)
class CoverageFigures:
    """Paragraphs of each chapter by status, and those that are carried but not printed."""

    chapters: Mapping[str, Mapping[str, int]]
    not_printed: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        return {"chapters": self.chapters, "not_printed": [*self.not_printed]}


def coverage_figures() -> CoverageFigures:
    return CoverageFigures(coverage(), tuple(map(str, not_counted())))


def coverage_paper(found: CoverageFigures, printed: int | None = None) -> Paper:
    """Counts by chapter, then of all of them."""
    rows: list[Row] = [
        (number, chapter(number).title, *(counts[name] for name in COUNTED))
        for number, counts in found.chapters.items()
    ]
    total: Row = ("all", "", *(sum(counts[name] for counts in found.chapters.values()) for name in COUNTED))
    unprinted = f"Not printed, and not counted: {', '.join(found.not_printed)}."
    blocks = (Listing("coverage", CHAPTERS, (*rows, total)), Remark(MEANINGS))
    return Paper(
        "coverage",
        "Coverage of the law",
        (),
        (Passage("", (*blocks, Remark(unprinted)) if found.not_printed else blocks),),
        imprint_for("", printed),
        main="coverage",
    )
