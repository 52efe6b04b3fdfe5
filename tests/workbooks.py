"""Workbooks as a spreadsheet sees them: cells and formulas, read, edited, stripped of values and computed anew."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from io import BytesIO
from math import sqrt
from typing import Any
from xml.etree import ElementTree
from zipfile import ZIP_DEFLATED, ZipFile

from pitboss.exact.edge import MAIN
from pitboss.exact.figures import EdgeFigures, figures_of, outcomes_of
from pitboss.exact.value import root
from pitboss.exact.whatif import what_if
from pitboss.law.odds import FixedSum, ForOne, MeterShare, Odds, ToOne
from pitboss.paper.model import Datum, Paper
from pitboss.paper.workbook import FRONT, front_rows

SHEET = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
Where = tuple[str, str]
"""A sheet and an address in it."""
Number = float | str | None


@dataclass(frozen=True)
class Cell:
    value: Number
    formula: str = ""


def read_cells(book: bytes) -> dict[Where, Cell]:
    """Every cell of a workbook."""
    with ZipFile(BytesIO(book)) as file:
        names = [
            sheet.attrib["name"] for sheet in ElementTree.fromstring(file.read("xl/workbook.xml")).iter(f"{SHEET}sheet")
        ]
        texts = ["".join(each.itertext()) for each in ElementTree.fromstring(file.read("xl/sharedStrings.xml"))]
        found: dict[Where, Cell] = {}
        for number, name in enumerate(names, 1):
            for cell in ElementTree.fromstring(file.read(f"xl/worksheets/sheet{number}.xml")).iter(f"{SHEET}c"):
                formula, value = cell.find(f"{SHEET}f"), cell.find(f"{SHEET}v")
                shown: Number = None if value is None else str(value.text)
                if shown is not None:
                    shown = (
                        texts[int(shown)] if cell.get("t") == "s" else shown if cell.get("t") == "str" else float(shown)
                    )
                found[name, cell.attrib["r"]] = Cell(shown, "" if formula is None else str(formula.text))
    return found


def without_values(book: bytes, edits: Mapping[Where, float] | None = None) -> bytes:
    """The workbook without the values cached beside formulas, and with other numbers in some cells."""
    edits, out = edits or {}, BytesIO()
    sheets = {name: number for number, name in enumerate(dict.fromkeys(sheet for sheet, _ in read_cells(book)), 1)}
    with ZipFile(BytesIO(book)) as file, ZipFile(out, "w", ZIP_DEFLATED) as new:
        for name in file.namelist():
            text = file.read(name).decode() if name.startswith("xl/worksheets/sheet") else None
            if text is not None:
                text = re.sub(r"(<f>[^<]*</f>)<v>[^<]*</v>", r"\1", text)
                for (sheet, at), number in edits.items():
                    if name == f"xl/worksheets/sheet{sheets[sheet]}.xml":
                        text, times = re.subn(rf'(<c r="{at}"[^>]*>)<v>[^<]*</v>', rf"\g<1><v>{number!r}</v>", text)
                        assert times == 1, (sheet, at)
            new.writestr(name, file.read(name) if text is None else text)
    return out.getvalue()


_TOKEN = re.compile(
    r"""(?P<text>"[^"]*")|(?P<cell>(?:'(?P<sheet>[^']+)'!)?\$?(?P<first>[A-Z]+\$?\d+)(?::\$?(?P<last>[A-Z]+\$?\d+))?)"""
    r"""|(?P<power>\^)|(?P<equal>=)|(?P<rest>[A-Z]+\(|[\d.]+|[-+*/(),<>])"""
)


class Computed:
    """A workbook computed by the few functions that its formulas use, as a spreadsheet computes it: in floats."""

    def __init__(self, book: bytes) -> None:
        self.cells = read_cells(book)
        self.known: dict[Where, Any] = {}

    def __getitem__(self, where: Where) -> Any:
        if where not in self.known:
            cell = self.cells.get(where, Cell(None))
            self.known[where] = self._compute(cell.formula, where[0]) if cell.formula else cell.value
        return self.known[where]

    def _compute(self, formula: str, sheet: str) -> Any:
        code, at = [], 0
        for found in _TOKEN.finditer(formula):
            assert found.start() == at, f"not a formula of ours: {formula}"
            at = found.end()
            if found["cell"]:
                code.append(self._code(found["sheet"] or sheet, found["first"], found["last"]))
            else:
                code.append("**" if found["power"] else "==" if found["equal"] else found[0])
        assert at == len(formula), f"not a formula of ours: {formula}"
        functions: dict[str, Callable[..., Any]] = {
            "IF": lambda condition, one, other: one if condition else other,
            "INDEX": lambda listed, number: listed[int(number) - 1] if number else None,
            "SUM": sum,
            "SQRT": sqrt,
            "MAX": max,
        }
        return eval("".join(code), {"__builtins__": {}}, {**functions, "cell": self.__getitem__})

    def _code(self, sheet: str, first: str, last: str | None) -> str:
        start = first.replace("$", "")
        if last is None:
            return f"cell(({sheet!r}, {start!r}))"
        column, top, low = re.sub(r"\d", "", start), int(re.sub(r"\D", "", start)), int(re.sub(r"\D", "", last))
        return "[" + ", ".join(f"cell(({sheet!r}, '{column}{row}'))" for row in range(top, low + 1)) + "]"


def off(value: Any, exact: Any) -> float:
    """How far a value lies from the exact one, as a share of it where that is more than one."""
    if not isinstance(value, float) or not isinstance(exact, float):
        return float(value != exact)
    return abs(value - exact) / max(1.0, abs(exact))


def places_of(paper: Paper) -> dict[str, Where]:
    """Where each figure of a document stands in its workbook, by its key."""
    return {
        each.key: (FRONT, f"B{row}")
        for row, each in enumerate(front_rows(paper), 1)
        if isinstance(each, Datum) and each.key
    }


def sheet_of(cells: Mapping[Where, Cell], beginning: str) -> str:
    return next(sheet for sheet, _ in cells if sheet.startswith(beginning))


def exact_figures(each: EdgeFigures, number: int) -> Iterator[tuple[str, float]]:
    """The live figures of a wager, by the keys of the document, from exact fractions."""
    assert each.result is not None
    yield f"hold_{number}", float(each.hold)
    yield f"deviation_{number}", root(each.result.variance)
    yield f"hits_{number}", float(each.result.hit_frequency)
    yield f"largest_{number}", float(each.result.largest_pay)


def editable_rows(each: EdgeFigures) -> list[tuple[str, str, Odds]]:
    """The rows of the sheet of pays, in their order: table, row and odds."""
    paid = dict.fromkeys(outcome.paid_by for outcome in outcomes_of(each))
    return [(row.table, row.row, row.odds) for row in paid if row is not None]


def raised(odds: Odds) -> Odds | None:
    """Odds that pay more; a share of a meter can't be edited in a workbook."""
    match odds:
        case ToOne(rate) | ForOne(rate):
            return type(odds)(rate + 1)
        case FixedSum(amount):
            return FixedSum(2 * amount)
        case MeterShare():
            return None


def with_row_raised(each: EdgeFigures, at: int) -> tuple[float, EdgeFigures] | None:
    """What to type into the cell of a row, and the figures that ``pitboss edge --pay`` counts for it."""
    table, row, odds = editable_rows(each)[at]
    more = raised(odds)
    if more is None:
        return None
    rules = what_if(each.game, each.rules, each.variant, [f"{table}.{row}={more}"], each.stake or 500)
    typed = Fraction(more.amount, 100) if isinstance(more, FixedSum) else more.rate  # type: ignore[union-attr]
    return float(typed), figures_of(each.game, rules, each.variant, each.stake)


def edits_of(
    found: Sequence[EdgeFigures], at: int, cells: Mapping[Where, Cell]
) -> tuple[dict[Where, float], dict[int, EdgeFigures]]:
    """Raise one row of every side wager that has so many, in all sheets at once; and the figures that must follow."""
    edits: dict[Where, float] = {}
    expected: dict[int, EdgeFigures] = {}
    for number, each in enumerate(found, 1):
        if each.wager != MAIN and at < len(editable_rows(each)) and (changed := with_row_raised(each, at)) is not None:
            edits[sheet_of(cells, f"{number} Pays"), f"C{at + 2}"], expected[number] = changed
    return edits, expected
