"""The check of a Rules Submission as a document: findings, warnings, and what it pays otherwise than the law."""

from collections.abc import Sequence
from typing import Final

from pitboss.findings import Finding
from pitboss.games.registry import GAMES
from pitboss.names import several, shown_key
from pitboss.paper.model import CellKind, Column, Listing, Paper, Remark, passages
from pitboss.reports.form import NO_FINDINGS
from pitboss.reports.stamp import imprint
from pitboss.submission import Difference, Submission

FINDINGS: Final = (
    Column("where", "Where"),
    Column("code", "Code", rank=0),
    Column("expected", "Expected", rank=0),
    Column("found", "Found", rank=0),
    Column("paragraph", "Paragraph", CellKind.CITES),
    Column("sentence", "What", CellKind.SENTENCE),
)
DIFFERENCES: Final = (
    Column("key", "Choice"),
    Column("before", "The law's own data"),
    Column("after", "This submission"),
    Column("cite", "Paragraph", CellKind.CITES),
)
APART: Final = "Opening a table with any of these needs a second, independent person."


def filing_paper(
    filed: Submission,
    findings: Sequence[Finding],
    warnings: Sequence[Finding],
    notes: Sequence[Finding],
    differences: Sequence[Difference],
    printed: int | None = None,
) -> Paper:
    """Everything that a check says of a submission, the findings first."""
    verdict = (
        Remark(f"{several(len(findings), 'finding')}.", tone="bad") if findings else Remark(NO_FINDINGS, tone="good")
    )
    rows = tuple((each.key, each.before, each.after, _cites(each.cite)) for each in differences)
    parts = passages(
        ("", [verdict, *([_listing("findings", findings)] if findings else [])]),
        (
            "Otherwise than the law's own data",
            [Remark(APART), Listing("differences", DIFFERENCES, rows)] if rows else (),
        ),
        ("Warnings", [_listing("warnings", warnings)] if warnings else ()),
        ("Notes on the text of the law behind the choices", [_listing("notes", notes)] if notes else ()),
    )
    about = f"{GAMES[filed.game].chapter.title if filed.game in GAMES else filed.game}, effective {filed.effective}"
    return Paper(
        "filing",
        "Check of a Rules Submission",
        tuple(filter(None, (filed.certificate_holder, about))),
        parts,
        imprint(filed.effective, printed),
        "findings" if findings else "",
    )


def _listing(key: str, findings: Sequence[Finding]) -> Listing:
    rows = tuple(
        (shown_key(each.where) if each.where else "", each.code, each.expected, each.found,
         _cites(each.cite), each.sentence)
        for each in findings
    )  # fmt: skip
    return Listing(key, FINDINGS, rows)


def _cites(cite: str) -> tuple[str, ...]:
    return (cite,) if cite else ()
