"""Write CSV that a spreadsheet opens as text and numbers, never as formulas."""

import csv
import re
from collections.abc import Iterable, Sequence
from io import StringIO
from typing import Any, Final, TextIO

_NUMBER: Final = re.compile(r"[+-]?(?:\$?[0-9][0-9,]*(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?%?|[0-9]+/[0-9]+)")
_FORMULA: Final = re.compile(r"[\s\0]*[=+\-@＝＋－＠]|[\t\r\n]")


class SpreadsheetWriter:
    """A CSV file whose text cells start no formula: a spreadsheet runs what begins with =, +, - or @.

    Such a text gets an apostrophe in front, by which a spreadsheet knows text. Numbers stay numbers.
    """

    def __init__(self, file: TextIO) -> None:
        self._writer = csv.writer(file)

    def row(self, cells: Iterable[Any]) -> None:
        self._writer.writerow([_guarded(cell) for cell in cells])


def csv_text(head: Sequence[str], rows: Iterable[Iterable[Any]]) -> str:
    """Return a whole CSV document.

    >>> csv_text(["note", "net"], [["=HYPERLINK(1)", "-12.50"]]).split()
    ['note,net', "'=HYPERLINK(1),-12.50"]
    """
    out = StringIO()
    writer = SpreadsheetWriter(out)
    writer.row(head)
    for row in rows:
        writer.row(row)
    return out.getvalue()


def _guarded(cell: Any) -> Any:
    if cell is None or isinstance(cell, int | float):
        return cell
    text = str(cell)
    if text[:1].isalnum():
        return text
    return f"'{text}" if _FORMULA.match(text) and not _NUMBER.fullmatch(text) else text
