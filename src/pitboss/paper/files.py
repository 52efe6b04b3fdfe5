"""A document as a file of any kind."""

from collections.abc import Callable, Mapping
from pathlib import PurePath
from typing import Final

from pitboss.findings import UnreadableError
from pitboss.names import listed, shortened
from pitboss.paper.model import Paper

MEDIA: Final[Mapping[str, str]] = {
    "pdf": "application/pdf",
    "html": "text/html; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "csv": "text/csv; charset=utf-8",
    "json": "application/json",
}
"""Kinds of file by the end of their names, with their media types. JSON is the record's own and is written by it."""


def file_of(paper: Paper, kind: str) -> bytes:
    """The document as PDF, HTML, a workbook or CSV."""
    return _WRITERS[kind](paper)


def kind_of(path: PurePath | str, kinds: Mapping[str, object] = MEDIA) -> str:
    """The kind of file that a name asks for. Raise ``UnreadableError`` for any other.

    >>> kind_of("round.pdf")
    'pdf'
    """
    kind = PurePath(path).suffix.lower().removeprefix(".")
    if kind not in kinds:
        raise UnreadableError(
            f"{shortened(str(path))}: name a file that ends in {listed(f'.{each}' for each in kinds)}."
        )
    return kind


def _pdf(paper: Paper) -> bytes:
    from pitboss.paper.pdf import pdf_of

    return pdf_of(paper)


def _html(paper: Paper) -> bytes:
    from pitboss.paper.page import html_of

    return html_of(paper).encode()


def _xlsx(paper: Paper) -> bytes:
    from pitboss.paper.workbook import workbook_of

    return workbook_of(paper)


def _csv(paper: Paper) -> bytes:
    from pitboss.paper.table_csv import csv_of

    return csv_of(paper).encode()


_WRITERS: Final[Mapping[str, Callable[[Paper], bytes]]] = {"pdf": _pdf, "html": _html, "xlsx": _xlsx, "csv": _csv}
