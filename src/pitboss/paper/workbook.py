"""A document as a workbook: one sheet a listing, live formulas with their values beside them."""

import re
from datetime import UTC, datetime
from fractions import Fraction
from io import BytesIO
from typing import Any, Final

from pitboss.paper import say
from pitboss.paper.model import CellKind, Column, Datum, Figures, Listing, Paper, Plot, PlotKind, Remark, Value
from pitboss.paper.plot import decades

FRONT: Final = "Document"
LONGEST_NAME: Final = 31
"""Characters of a sheet's name."""
WIDEST: Final = 60
CHARACTERS: Final = 52
"""Characters on a line of the widest column, whatever the font."""
LINE_POINTS: Final = 15
MOST_LINES: Final = 27
"""Lines of a row, which is at most 409 points high."""
LETTER: Final = 1
"""The number of Letter paper in a workbook."""
LONGEST_FOOTER: Final = 100
"""Characters of the title at the foot of a sheet; a whole footer has at most 255."""
LONGEST_TEXT: Final = 32_000
"""Characters of a cell."""
_REFERENCE: Final = re.compile(r"\{(#?)(?:([a-z0-9_]+)\.)?([a-z0-9_]+)(?:@([a-z0-9_]+))?\}")
_FORMATS: Final = {
    CellKind.COUNT: "#,##0",
    CellKind.MONEY: "$#,##0.00",
    CellKind.SIGNED: "+#,##0.00;-#,##0.00;0.00",
    CellKind.UNITS: "$#,##0.00####",
    CellKind.NET: "+General;-General;0",
    CellKind.CHANCE: "0.000000######",
}
INDENTED: Final[dict[str, object]] = {"align": "left", "indent": 1}
"""Apart from a number on its left. Spreadsheets ignore an indent without a side."""
EDITABLE: Final = "#fff7d6"
NOTE_WIDTH: Final = 60
CHART_WIDTH: Final = 640
ROW_PIXELS: Final = 22
COMPUTED: Final = frozenset({CellKind.PERCENT, CellKind.FIGURE, CellKind.NET, CellKind.CHANCE, CellKind.EXACT})
"""Kinds that a workbook with formulas computes, or has to mark as they were filed."""
AS_FILED: Final = " (as filed)"
_TEXT_KINDS: Final = frozenset(
    {
        CellKind.TEXT,
        CellKind.SENTENCE,
        CellKind.NAME,
        CellKind.CITES,
        CellKind.HASH,
        CellKind.TIME,
        CellKind.CLOCK,
        CellKind.CARDS,
    }
)


def workbook_of(paper: Paper) -> bytes:
    """The document as xlsx: the same bytes for the same document."""
    from xlsxwriter import Workbook

    out = BytesIO()
    book = Workbook(out, {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False})
    book.set_properties({"title": paper.title, "created": datetime(2000, 1, 1, tzinfo=UTC)})
    _Book(book, paper).write()
    book.close()
    return out.getvalue()


class _Book:
    """A workbook on its way: where each value stands is settled before anything is written."""

    def __init__(self, book: Any, paper: Paper) -> None:
        self.book, self.paper = book, paper
        self.formats: dict[tuple[tuple[str, object], ...], Any] = {}
        self.sheets = _sheet_names([title or listing.key for title, listing in paper.listings()])
        self.listings = [listing for _, listing in paper.listings()]
        self.lists = {each.key: (sheet, each) for sheet, each in zip(self.sheets, self.listings, strict=True)}
        self.plots = {
            block.listing.key: block
            for passage in paper.passages
            for block in passage.blocks
            if isinstance(block, Plot)
        }
        self.live = any(column.formula for _, listing in paper.listings() for column in listing.columns)
        self.front = list(front_rows(paper))
        self.data = {
            each.key: _cell(FRONT, at, 1, fixed=True)
            for at, each in enumerate(self.front)
            if isinstance(each, Datum) and each.key
        }

    def write(self) -> None:
        self._write_front()
        for sheet, listing in zip(self.sheets, self.listings, strict=True):
            self._write_listing(self.book.add_worksheet(sheet), listing)
        for sheet in self.book.worksheets():
            sheet.set_footer(f"&L{_footer_text(self.paper.title)}&RPage &P of &N")
            sheet.set_paper(LETTER)
            if sheet.get_name() != FRONT:
                sheet.set_landscape()
            sheet.fit_to_pages(1, 0)

    def _format(self, **wanted: object) -> Any:
        key = tuple(sorted(wanted.items()))
        if key not in self.formats:
            self.formats[key] = self.book.add_format({"valign": "top", **wanted})
        return self.formats[key]

    def _write_front(self) -> None:
        sheet = self.book.add_worksheet(FRONT)
        sheet.set_column(0, 0, 48)
        sheet.set_column(1, 1, WIDEST)
        for at, each in enumerate(self.front):
            if isinstance(each, Datum):
                filed = self.live and each.kind in COMPUTED and not each.formula
                sheet.write_string(at, 0, each.label + AS_FILED * filed, self._format())
                self._write_value(
                    sheet, at, 1, each.value, each, each.formula and self._resolved(each.formula, at, None)
                )
            else:
                text, bold = each
                sheet.write_string(at, 0, _short(text), self._format(bold=bold))

    def _write_listing(self, sheet: Any, listing: Listing) -> None:
        live = any(column.formula for column in listing.columns)
        for at, column in enumerate(listing.columns):
            title = column.title + AS_FILED * (live and column.kind == CellKind.EXACT)
            side = {"align": "right"} if column.flush_right else INDENTED
            sheet.write_string(0, at, title, self._format(bold=True, text_wrap=True, bottom=1, **side))
            longest = max((len(say.words(row[at], column)) for row in listing.rows), default=0)
            sheet.set_column(at, at, min(max(longest, len(title), 6) + 3, WIDEST))
        sheet.freeze_panes(1, 0)
        for number, row in enumerate(listing.rows, 1):
            # Not every program makes a row as high as its wrapped texts.
            texts = (say.words(value, column) for value, column in zip(row, listing.columns, strict=True))
            if (lines := max((-(-len(text) // CHARACTERS) for text in texts), default=1)) > 1:
                sheet.set_row(number, LINE_POINTS * min(lines, MOST_LINES))
            for at, (value, column) in enumerate(zip(row, listing.columns, strict=True)):
                formula = column.formula and self._resolved(column.formula, number, listing)
                self._write_value(sheet, number, at, value, column, formula)
        if not listing.rows:
            sheet.write_string(1, 0, listing.empty, self._format())
        beside = len(listing.columns) + 1
        if listing.sheet_note:
            sheet.set_column(beside, beside, NOTE_WIDTH)
            sheet.write_string(0, beside, _short(listing.sheet_note), self._format(text_wrap=True))
        if listing.rows and listing.key in self.plots:
            sheet.insert_chart(2, beside, self._chart(self.plots[listing.key]))

    def _chart(self, plot: Plot) -> Any:
        """A chart of the cells, which follows them when they are edited."""
        bars = plot.kind == PlotKind.BARS
        chart = self.book.add_chart({"type": "bar"} if bars else {"type": "scatter", "subtype": "straight"})
        sheet, listing = self.lists[plot.listing.key]

        def head(key: str) -> list[object]:
            """The cell with a column's title: a text could be taken for the address of a cell."""
            return [sheet, 0, _place(listing, key)]

        for key in plot.up:
            series: dict[str, object] = {"name": head(key), "gap": 40} if bars else {"name": head(key)}
            places = {"categories": _range(sheet, listing, plot.across), "values": _range(sheet, listing, key)}
            chart.add_series({**series, **{name: f"={where}" for name, where in places.items()}})
        _, values = plot.column(plot.up[0])
        axis: dict[str, object] = {"name": head(plot.up[0])}
        if plot.logarithmic:
            least = 10.0 ** -decades([float(value) for value in values if isinstance(value, int | float | Fraction)])
            axis |= {"log_base": 10, "min": least, "max": 1, "crossing": least, "num_format": "0E+0"}
        chart.set_title({"name": plot.title.replace("!", "! "), "name_font": {"size": 12}})
        along: dict[str, object] = {"name": head(plot.across), "reverse": bars}
        chart.set_x_axis(axis if bars else along)
        chart.set_y_axis(along if bars else axis)
        chart.set_legend({"none": True} if len(plot.up) == 1 else {"position": "bottom"})
        tall = max(300, ROW_PIXELS * len(plot.listing.rows) + 120) if bars else 400
        chart.set_size({"width": CHART_WIDTH, "height": tall})
        return chart

    def _write_value(
        self, sheet: Any, row: int, at: int, value: Value, about: Column | Datum, formula: str = ""
    ) -> None:
        number = say.number(value, about)
        style = self._style(about)
        if formula and number is not None:
            sheet.write_formula(row, at, formula, style, number)
        elif number is not None:
            sheet.write_number(row, at, number, style)
        elif about.kind == CellKind.BLANK:
            sheet.write_blank(row, at, None, self._format(bottom=1))
        elif value is not None:
            sheet.write_string(row, at, _short(_text(value, about)), style)

    def _style(self, about: Column | Datum) -> Any:
        wanted: dict[str, object] = {"bg_color": EDITABLE} if about.editable else {}
        if about.kind in (CellKind.PERCENT, CellKind.FIGURE):
            digits = f"0.{'0' * about.places}" if about.places else "0"
            wanted["num_format"] = digits + ("%" if about.kind == CellKind.PERCENT else "")
        elif about.kind in _FORMATS:
            wanted["num_format"] = _FORMATS[about.kind]
        else:
            wanted["text_wrap"] = True
            if isinstance(about, Column) and not about.flush_right:
                wanted |= INDENTED
        return self._format(**wanted)

    def _resolved(self, formula: str, row: int, listing: Listing | None) -> str:
        """A formula with the addresses of what it names; empty where it names a figure that the document lacks."""
        missing = False

        def address(found: re.Match[str]) -> str:
            nonlocal missing
            mark, other, key, number = found.groups()
            if mark:
                if number and listing is not None:
                    key = f"{key}_{listing.rows[row - 1][_place(listing, number)]}"
                missing = missing or key not in self.data
                return self.data.get(key, "")
            if other:
                sheet, named = self.lists[other]
                return _range(sheet, named, key)
            assert listing is not None, "a figure names cells of listings by the listing"
            return _cell("", row, _place(listing, key))

        text = "=" + _REFERENCE.sub(address, formula)
        return "" if missing else text


def front_rows(paper: Paper) -> list[Datum | tuple[str, bool]]:
    """What stands on the first sheet: titles, figures and remarks, one a row."""
    rows: list[Datum | tuple[str, bool]] = [
        (paper.title, True),
        *((text, False) for text in (*paper.lead, *say.head(paper.imprint))),
    ]
    for passage in paper.passages:
        found: list[Datum | tuple[str, bool]] = [(say.paragraphs(passage.cites), False)] if passage.cites else []
        for block in passage.blocks:
            if isinstance(block, Figures):
                found += block.data
            elif isinstance(block, Remark):
                found.append((block.text + (f" [{', '.join(block.cites)}]" if block.cites else ""), False))
        if found:
            rows += [("", False), (passage.title, True), *found]
    return [*rows, ("", False), *((text, False) for text in say.foot(paper.imprint))]


def _sheet_names(titles: list[str]) -> list[str]:
    """Names that a workbook takes: 31 characters, no two alike even by case.

    >>> _sheet_names(["Pays: A/B", "pays  A B", "document"])
    ['Pays A B', 'pays A B 2', 'document 2']
    """
    taken, names = {FRONT.lower()}, []
    for title in titles:
        plain = " ".join(re.sub(r"[\[\]:*?/\\']", " ", title).split())[:LONGEST_NAME].strip() or "Sheet"
        name, number = plain, 1
        while name.lower() in taken:
            number += 1
            name = f"{plain[: LONGEST_NAME - len(str(number)) - 1].rstrip()} {number}"
        taken.add(name.lower())
        names.append(name)
    return names


def _place(listing: Listing, key: str) -> int:
    return next(at for at, column in enumerate(listing.columns) if column.key == key)


def _range(sheet: str, listing: Listing, key: str) -> str:
    column = _place(listing, key)
    first, last = (_cell(name, at, column, fixed=True) for name, at in ((sheet, 1), ("", max(len(listing.rows), 1))))
    return f"{first}:{last}"


def _cell(sheet: str, row: int, column: int, *, fixed: bool = False) -> str:
    from xlsxwriter.utility import xl_rowcol_to_cell

    cell = xl_rowcol_to_cell(row, column, row_abs=fixed, col_abs=fixed)
    return f"'{sheet}'!{cell}" if sheet else str(cell)


def _text(value: Value, about: Column | Datum) -> str:
    if isinstance(value, Fraction):
        return f"{value.numerator}/{value.denominator}" if value.denominator != 1 else str(value.numerator)
    return str(say.words(value, about))


def _footer_text(text: str) -> str:
    """A text at the foot of a sheet, where ``&`` begins a code and a digit may belong to one."""
    plain = re.sub(r"&(?=G|\[Picture\])", "& ", text[:LONGEST_FOOTER])  # what the writer would count as pictures
    return f"&8 {plain.replace('&', '&&')} "


def _short(text: str) -> str:
    plain = text
    return plain if len(plain) <= LONGEST_TEXT else plain[: LONGEST_TEXT - 1] + "…"
