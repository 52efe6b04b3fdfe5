"""Documents: each value says itself by its kind, and the same document reads right in every medium."""

import re
from csv import reader
from dataclasses import fields, is_dataclass
from fractions import Fraction
from html.parser import HTMLParser
from io import BytesIO, StringIO
from itertools import chain
from time import time_ns
from typing import Any, get_type_hints
from xml.etree import ElementTree
from zipfile import ZipFile

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pypdf import PdfReader
from rich.console import Console

from pitboss.findings import UnreadableError
from pitboss.names import clean
from pitboss.paper import model, say
from pitboss.paper.files import MEDIA, file_of, kind_of
from pitboss.paper.model import (
    Block,
    CellKind,
    Column,
    Datum,
    Drawing,
    Figures,
    Imprint,
    Listing,
    Paper,
    PaperSize,
    Passage,
    Plot,
    PlotKind,
    Remark,
    Value,
)
from pitboss.paper.page import html_of, passages_html
from pitboss.paper.pdf import pdf_of
from pitboss.paper.table_csv import csv_of
from pitboss.paper.terminal import terminal_lines, terminal_text
from pitboss.paper.workbook import workbook_of
from pitboss.reports.stamp import printing_time

HOSTILE = (
    '=HYPERLINK("http://x","y")',
    "+1+cmd|' /C calc'!A0",
    "@SUM(1)",
    "-2+3+cmd|' /C calc'!A0",
    "\t=1+1",
    "&P&[File]&G &amp; &#61;",
    "</style></title><img src=x onerror=alert(1)>",
    '" onclick="alert(1)',
    "javascript:alert(1)",
    "<script>alert(1)</script>",
    "{{ 7 * 7 }} {% raw %}",
    '#let x = 1; #read("/etc/passwd") $x$ *b* [c]',
    "[bold]red[/bold]",
    "\x1b[31mred\x00\x07",
    "\u202eturned around\u2066",
    "\ud800",
    "\u200b=1+1\u2060\ufeff",
    "a\u2028=1+1 \udc00 👩\u200d👩\u200d👧 🇺🇸",
    "שלום ♠ 日本",
    "word " * 2000,
    "x" * 10_000,
)
COLUMNS = (
    Column("seat", "Seat", CellKind.COUNT),
    Column("wager", "Wager", CellKind.NAME),
    Column("stake", "Stake", CellKind.MONEY),
    Column("result", "Result", CellKind.RESULT),
    Column("net", "Net", CellKind.SIGNED),
    Column("odds", "Odds", CellKind.ODDS, rank=2),
    Column("by", "Paragraph", CellKind.CITES, rank=2),
    Column("why", "Why it was paid", CellKind.SENTENCE, rank=3),
    Column("seq", "Event", CellKind.COUNT, rank=0),
)
ROW = (2, "pair_plus", 2500, "win", -123450, "40 to 1", ("649a.11(c)(7)",), "The hand holds a flush of hearts.", 77)
PICTURE = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" width="9" height="9"><rect width="9" height="9"/></svg>'
)


def paper(text: str = "A sentence.", rows: int = 2) -> Paper:
    """A document with a block of every kind and one text in every place that takes texts."""
    listing = Listing("lines", COLUMNS, (tuple(text if value == ROW[7] else value for value in ROW),) * rows)
    data = Figures((Datum(text, text), Datum("Hold", Fraction(1, 3), CellKind.PERCENT, "hold")))
    blocks = (
        listing,
        data,
        Remark(text, ("649a.7",), "bad"),
        Drawing(PICTURE, text),
        Listing("none", COLUMNS, (), text, text, text, text),
        plot(text),
    )
    imprint = Imprint(text, ((text, text),), text, text, text, 1_763_431_445_000_000, text)
    return Paper("round", text, (text,), (Passage(text, blocks),), imprint, "lines")


def plot(text: str = "Results", kind: PlotKind = PlotKind.BARS, *, tabled: bool = True) -> Plot:
    """Three places with two values each, the second of them only at one."""
    columns = (
        Column("net", text, CellKind.NET),
        Column("chance", text, CellKind.CHANCE),
        Column("law", "Law", CellKind.CHANCE, rank=2),
    )
    rows = (
        (-1, Fraction(3, 4), None),
        (Fraction(3, 2), Fraction(6, 25), None),
        (40, Fraction(1, 100), Fraction(1, 50)),
    )
    logarithmic = kind == PlotKind.BARS
    return Plot(
        Listing("results", columns, rows),
        text,
        "net",
        ("chance", "law"),
        kind,
        logarithmic,
        ("bad", "good", "good"),
        (("mean", 7.0),) if kind == PlotKind.LINES else (),
        text,
        tabled,
    )


@pytest.mark.parametrize(
    ("value", "kind", "words", "data", "number"),
    [
        (-123450, CellKind.MONEY, "−$1,234.50", "-1234.50", -1234.5),
        (123450, CellKind.SIGNED, "+1,234.50", "1234.50", 1234.5),
        (12_345_000, CellKind.UNITS, "$12.345", "12.345", 12.345),
        (Fraction(-19, 5000), CellKind.PERCENT, "−0.3800 %", -0.0038, -0.0038),
        (Fraction(1, 3), CellKind.EXACT, "1/3", Fraction(1, 3), None),
        (2**60, CellKind.COUNT, "1,152,921,504,606,846,976", 2**60, None),
        (0.125, CellKind.FIGURE, "0.1250", 0.125, 0.125),
        (Fraction(-3, 2), CellKind.NET, "−1.5", -1.5, -1.5),
        (Fraction(1, 649_740), CellKind.CHANCE, "0.00000153908", 1 / 649_740, 1 / 649_740),
        ("three_card_progressive", CellKind.NAME, "Three Card Progressive", "Three Card Progressive", None),
        ("As Td ??", CellKind.CARDS, "A♠ T♦ ??", "As Td ??", None),
        (("649a.7", "649a.12(d)"), CellKind.CITES, "649a.7, 649a.12(d)", "649a.7, 649a.12(d)", None),
        (None, CellKind.MONEY, "", "", None),
        (0, CellKind.SIGNED, "0.00", "0.00", 0.0),
    ],
)
def test_a_value_says_itself_by_its_kind(
    value: object, kind: CellKind, words: str, data: object, number: float | None
) -> None:
    about = Column("x", "X", kind)
    assert say.words(value, about) == words  # type: ignore[arg-type]
    assert say.data(value, about) == data  # type: ignore[arg-type]
    assert say.number(value, about) == number  # type: ignore[arg-type]


@given(st.integers(60, 160), st.lists(st.text("abc defgh,.", max_size=120), min_size=1, max_size=4))
def test_a_terminal_shows_everything_in_its_width(width: int, texts: list[str]) -> None:
    rows = tuple((*ROW[:7], text, 0) for text in texts)
    shown = Paper("p", "Title", (), (Passage("Lines", (Listing("lines", COLUMNS, rows),)),))
    lines = ["".join(piece for piece, _ in line) for line in terminal_lines(shown, width)]
    assert all(len(line) <= width or " " not in line.strip() for line in lines)
    text = " ".join(" ".join(lines).split())
    for title in ("Seat", "Wager", "Stake", "Result", "Net"):
        assert title in lines[3] or title in lines[4]
    for value in ("Pair Plus", "$25", "win", "−1,234.50", "40 to 1", "649a.11(c)(7)"):
        assert text.count(value) >= len(texts), value
    assert sum(word in text for word in " ".join(texts).split()) == len(" ".join(texts).split())


def test_a_column_that_was_dropped_for_another_comes_back_where_it_fits() -> None:
    columns = Column("a", "A"), Column("small", "Small", CellKind.SIGNED, rank=3), Column("long", "Long", rank=2)
    rows = (("x", 100, "y" * 58),)
    shown = Paper("p", "T", (), (Passage("", (Listing("l", columns, rows),)),))
    lines = ["".join(piece for piece, _ in line) for line in terminal_lines(shown, 60)]
    assert lines[2].split() == ["A", "Small"]
    assert "y" * 58 in lines[-1]


def test_a_hash_is_the_one_word_that_goes_on_in_the_next_line() -> None:
    words = f"Mini-royal pays {'five-of-a-kind ' * 9}"
    shown = Paper("p", "T", (words, f"The deck was sealed as {'5a' * 32}."), imprint=Imprint(law_hash="c0" * 32))
    for width in (60, 61, 80):
        lines = ["".join(piece for piece, _ in line) for line in terminal_lines(shown, width)]
        assert all(len(line) <= width for line in lines)
        assert "5a" * 32 in "".join(lines)
        assert "c0" * 32 in "".join(lines)
        assert not [line for line in lines if line.endswith("-")], "a word with a hyphen stays whole"


def test_a_paragraph_sign_stays_with_its_paragraph() -> None:
    for width in range(60, 80):
        shown = Paper("p", "T", ("word " * 11 + "(58 Pa. Code § 461a.4)",))
        assert not [line for line in terminal_lines(shown, width) if line and line[0][0].endswith("§")]


OF_PROGRAMS = frozenset(
    {("Column", "formula"), ("Datum", "formula"), ("Plot", "across"), ("Plot", "up"), ("Plot", "tones")}
)
"""Texts that builders write, as formulas or keys, and never take from a record."""
NO_TEXT: dict[CellKind, Value] = {
    **dict.fromkeys((CellKind.MONEY, CellKind.SIGNED, CellKind.UNITS), 500),
    **dict.fromkeys((CellKind.TIME, CellKind.CLOCK), 1_763_431_445_000_000),
    **dict.fromkeys((CellKind.PERCENT, CellKind.FIGURE, CellKind.NET, CellKind.CHANCE), Fraction(1, 2)),
    CellKind.BLANK: None,
}
"""What the kinds that take no text have instead."""


class Everywhere:
    """A document with one text in every field of every record of the model that takes texts."""

    def __init__(self, text: str) -> None:
        self.text, self.used = text, set[type]()
        columns = tuple(self.made(Column, kind=kind, rank=at % 4, zeros=True) for at, kind in enumerate(CellKind))
        data = tuple(self.made(Datum, kind=kind, value=self.value(kind)) for kind in CellKind)
        row = tuple(map(self.value, CellKind))
        words = "".join(f"&#{ord(each)};" for each in clean(text))
        svg = PICTURE.replace("</svg>", f"<title>{words}</title><text>{words}</text></svg>")
        blocks = (
            self.made(Listing, columns=columns, rows=(row, row)),
            self.made(Listing, columns=columns, rows=()),
            self.made(Figures, data=data),
            self.made(Remark),
            self.made(Drawing, svg=svg),
            self.plot(),
        )
        passage = self.made(Passage, blocks=blocks)
        size, imprint = self.made(PaperSize, wide=8.5, high=11.0), self.made(Imprint, printed=0)
        self.paper: Paper = self.made(Paper, passages=(passage, passage), imprint=imprint, sheet=size)

    def plot(self) -> Plot:
        columns = (self.made(Column, kind=CellKind.TEXT), Column("share", self.text, CellKind.CHANCE))
        rows = ((self.text, Fraction(1, 2)), (self.text, Fraction(1, 4)))
        listing = self.made(Listing, key="plotted", columns=columns, rows=rows)
        made: Plot = self.made(Plot, listing=listing, across=self.text, up=("share",), marks=((self.text, 0.5),))
        return made

    def value(self, kind: CellKind) -> Value:
        return (self.text, self.text) if kind == CellKind.CITES else NO_TEXT.get(kind, self.text)

    def made(self, record: type[Any], **given: Any) -> Any:
        """A record with the text wherever its type says that a text may stand; a new kind of field fails here."""
        self.used.add(record)
        hints = get_type_hints(record)
        for each in fields(record):
            hint = hints[each.name]
            if each.name in given or (record.__name__, each.name) in OF_PROGRAMS:
                continue
            if hint is str:
                given[each.name] = self.text
            elif hint == tuple[str, ...]:
                given[each.name] = (self.text, self.text)
            elif hint == tuple[tuple[str, str], ...] | None:
                given[each.name] = ((self.text, self.text),)
            else:
                assert "str" not in str(hint), f"{record.__name__}.{each.name} takes texts: say which"
        return record(**given)


FITTED = ("textlength", "lengthadjust")
"""Attributes by which a drawing fits a long text."""


class Structure(HTMLParser):
    """The elements of a page with the names of their attributes, and its words."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, tuple[str, ...]]] = []
        self.words = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, tuple(name for name, _ in attrs if name not in FITTED)))

    def handle_data(self, data: str) -> None:
        self.words += data


def squeezed(text: str) -> str:
    """Without spaces and line breaks, which media set themselves."""
    return "".join(text.split())


def test_every_record_of_a_document_is_tried() -> None:
    records = {each for each in vars(model).values() if isinstance(each, type) and is_dataclass(each)}
    assert Everywhere("x").used == records - {model.Cleaned}


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: ascii(text[:12]))
def test_hostile_texts_are_harmless_in_every_medium(text: str) -> None:
    made, safe = Everywhere(text).paper, clean(text)
    out = StringIO()
    console = Console(file=out, width=80, force_terminal=True, color_system="standard")
    console.print(terminal_text(made, 80), soft_wrap=True)
    shown = re.sub(r"\x1b\[[0-9;]*m", "", out.getvalue())
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069]", shown), "codes are our own colors"
    assert squeezed(safe) in squeezed(shown), "nothing is taken for markup"

    page, harmless = Structure(html_of(made)), Structure(html_of(Everywhere("harmless").paper))
    assert page.elements == harmless.elements, "a text brings no element and no attribute"
    assert squeezed(safe) in squeezed(page.words)

    for cell in chain.from_iterable(reader(StringIO(csv_of(made)))):
        number = re.fullmatch(r"[+-]?[0-9.]+", cell)
        assert number or not re.match(r"\s*[=+\-@\t\r]", cell), cell[:40]

    with ZipFile(BytesIO(workbook_of(made))) as book:
        assert not [name for name in book.namelist() if "external" in name.lower() or "macro" in name.lower()]
        for name in book.namelist():
            if name.startswith("xl/worksheets/sheet"):
                tree = ElementTree.fromstring(book.read(name))
                assert not [each for each in tree.iter() if each.tag.endswith(("}f", "}hyperlink"))]
                footer = tree.findtext(".//{*}oddFooter") or ""
                assert len(footer) < 256
                codes = re.findall(r"&(.)", footer.replace("&&", ""))
                assert codes == ["L", "8", "R", "P", "N"], "a text brings no code"
        sheets = ElementTree.fromstring(book.read("xl/workbook.xml")).findall(".//{*}sheet")
        names = [str(sheet.get("name")) for sheet in sheets]
        assert all(len(name) <= 31 and not re.search(r"[\[\]:*?/\\]", name) for name in names)
        assert len({name.lower() for name in names}) == len(names) == 7

    reading = PdfReader(BytesIO(pdf_of(made)))
    assert not {"/OpenAction", "/AA", "/Names"} & set(reading.root_object)
    assert not [page for page in reading.pages if "/Annots" in page]
    words = squeezed("".join(each.extract_text() for each in reading.pages[:1]))
    for part in re.findall(r"[!-~]{2,20}", text)[:20]:
        assert part in words, part


def test_the_same_document_is_the_same_bytes_and_paper_is_tagged() -> None:
    for kind in ("pdf", "html", "xlsx", "csv"):
        assert file_of(paper(), kind) == file_of(paper(), kind), kind
    made = pdf_of(paper(rows=120))
    assert b"/StructTreeRoot" in made
    assert b"/MarkInfo" in made
    assert len(re.findall(rb"/Type\s*/Page\b", made)) > 1


def pages_of(*blocks: Block) -> list[str]:
    """The words of each sheet of a document with these blocks."""
    made = pdf_of(Paper("p", "Sheets", passages=(Passage("Passage", blocks),)))
    return [page.extract_text() for page in PdfReader(BytesIO(made)).pages]


def test_on_paper_a_row_and_what_stands_below_it_are_on_one_sheet() -> None:
    columns = Column("at", "At"), Column("below", "Below", CellKind.SENTENCE, rank=4)
    rows = tuple((f"Row{at}.", " ".join([f"Sentence{at}."] * (1 + at % 30))) for at in range(120))
    pages = pages_of(Listing("rows", columns, rows))
    assert len(pages) > 2
    for page in pages:
        assert set(re.findall(r"Row(\d+)\.", page)) == set(re.findall(r"Sentence(\d+)\.", page))


def test_on_paper_a_short_table_is_not_split() -> None:
    columns = (Column("at", "At"),)
    short = Listing("short", columns, tuple((f"Short{at}.",) for at in range(5)), title="Caption")
    for filled in range(30, 50):
        pages = pages_of(Listing("long", columns, (("x",),) * filled), short)
        assert sorted(page.count("Short") for page in pages)[-1] == 5, filled
        assert [page.count("Caption") for page in pages] == [page.count("Short") // 5 for page in pages], filled


def test_on_paper_a_long_text_leaves_room_for_the_sentence_beside_it() -> None:
    columns = Column("long", "Long"), Column("cite", "By", CellKind.CITES), Column("why", "Why", CellKind.SENTENCE)
    row = ("long text " * 15, ("649a.7",), "a sentence that says why " * 4)
    assert len(pages_of(Listing("rows", columns, (row,) * 12))) == 1
    assert len(pages_of(Listing("rows", columns, (row, *(("short", ("649a.7",), "why"),) * 30)))) == 1


def test_on_paper_long_titles_leave_room_for_a_sentence() -> None:
    titles = [Column(f"n{at}", "Every so many rounds", CellKind.COUNT) for at in range(6)]
    row = ("a sentence that says what a dealer does who helps a player " * 2, *(1_234_567,) * 6)
    (page,) = pages_of(Listing("rows", (Column("what", "What", CellKind.SENTENCE), *titles), (row,) * 12))
    assert page.count("1,234,567") == 72, "a number stays on one line"


def test_on_paper_a_line_above_a_table_stays_with_it() -> None:
    columns = (Column("at", "At"),)
    table = Listing("table", columns, (("Below.",),) * 3)
    for filled in range(30, 50):
        pages = pages_of(Listing("long", columns, (("x",),) * filled), Remark("Above."), table)
        assert not [page for page in pages if ("Above." in page) != ("Below." in page)], filled


def test_on_paper_a_paragraph_stays_on_one_line() -> None:
    cite = "649a.11(c)(3)(ii)(B)"
    for words in range(8, 28):
        (page,) = pages_of(Remark("word " * words, (cite,)))
        assert cite in page, words


def test_every_medium_has_the_head_and_the_foot() -> None:
    printed = "Nov 17, 2026, 9:04:05 p.m. EST"
    imprint = Imprint(
        "Gaming day Nov 17, 2026",
        (("table", "tcp-1"),),
        "2026-11-17",
        "5a" * 32,
        "pitboss 1",
        1_794_967_445_000_000,
        "?!",
    )
    made = Paper("p", "Slips", (), (Passage("", (Listing("x", COLUMNS, ()),)),) * 150, imprint)
    foot = f"Law of 2026-11-17, law data SHA-256 {imprint.law_hash}, pitboss 1", f"Printed {printed}", "?!"
    pages = [page.extract_text() for page in PdfReader(BytesIO(pdf_of(made))).pages]
    assert len(pages) > 2
    for number, page in enumerate(pages, 1):
        for text in ("Slips", "Gaming day Nov 17, 2026", *foot, f"Page {number} of {len(pages)}"):
            assert text.replace(" ", "") in "".join(page.split()), (number, text)
    with ZipFile(BytesIO(workbook_of(made))) as book:
        strings = book.read("xl/sharedStrings.xml").decode()
        assert "&amp;RPage &amp;P of &amp;N" in book.read("xl/worksheets/sheet2.xml").decode()
    html = html_of(made)
    assert 'content: "Page " counter(page) " of " counter(pages)' in html
    terminal = "\n".join("".join(piece for piece, _ in line) for line in terminal_lines(made, 160))
    for medium in (terminal, html, strings, pages[0]):
        for text in ("Gaming day Nov 17, 2026", "Filters: table tcp-1", "No activity", *foot):
            assert text.replace(" ", "") in "".join(medium.split()), text
    everything = Paper("p", "Slips", imprint=Imprint(filters=()))
    assert ["".join(piece for piece, _ in line) for line in terminal_lines(everything, 80)] == [
        "Slips",
        "Filters: none",
    ]


def test_the_time_of_printing_can_be_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1794967445")
    assert printing_time() == 1_794_967_445_000_000
    for unusable in ("", "tomorrow", "-5"):
        monkeypatch.setenv("SOURCE_DATE_EPOCH", unusable)
        assert abs(printing_time() - time_ns() // 1000) < 60_000_000


def test_a_page_links_paragraphs_and_keeps_ranks_for_narrow_screens() -> None:
    html = passages_html(paper().passages, lambda cite: f"/law/{cite}" if cite.endswith(")") else None)
    assert '<a href="/law/649a.11(c)(7)">649a.11(c)(7)</a>' in html
    assert ">[649a.7]<" in html
    assert '<td class="odds rank-2">40 to 1</td>' in html, "in its column on a wide screen"
    assert '<span class="phone odds"><b>Odds</b> 40 to 1</span>' in html, "below the row on a narrow one"
    assert "<div>A sentence.</div></td></tr>" in html, "sentences stand below their row"
    assert "Event" not in html, "columns of rank 0 are for files"
    assert "A sentence." in html.split("paper-empty")[1], "a listing without rows says so"


def test_a_workbook_computes_with_its_cells() -> None:
    ways = Column("ways", "Ways", CellKind.COUNT)
    pay = Column("pay", "Pay", CellKind.FIGURE, places=2, editable=True)
    part = Column("part", "Return", CellKind.FIGURE, formula="{ways}/SUM({pays.ways})*{pay}")
    exact = Column("exact", "Return, exact", CellKind.EXACT)
    rows = ((1, 4, Fraction(1), Fraction(1)), (3, 1, Fraction(3, 4), Fraction(3, 4)))
    total = Datum("Return", Fraction(7, 4), CellKind.FIGURE, "total", formula="SUM({pays.part})")
    double = Datum("Twice", Fraction(7, 2), CellKind.FIGURE, formula="2*{#total}")
    made = Paper(
        "p",
        "Pays",
        passages=(Passage("Pays", (Listing("pays", (ways, pay, part, exact), rows), Figures((total, double)))),),
    )
    with ZipFile(BytesIO(workbook_of(made))) as book:
        cells: dict[str, tuple[str, float]] = {}
        for sheet in ("1", "2"):
            tree = ElementTree.fromstring(book.read(f"xl/worksheets/sheet{sheet}.xml"))
            for cell in tree.findall(".//{*}c"):
                formula, value = cell.find("{*}f"), cell.find("{*}v")
                if formula is not None and value is not None:
                    cells[f"{sheet}!{cell.get('r')}"] = str(formula.text), float(str(value.text))
        texts = book.read("xl/sharedStrings.xml").decode()
    assert cells["2!C2"] == ("A2/SUM('Pays'!$A$2:$A$3)*B2", 1)
    assert cells["2!C3"] == ("A3/SUM('Pays'!$A$2:$A$3)*B3", 0.75)
    assert cells["1!B4"] == ("SUM('Pays'!$C$2:$C$3)", 1.75)
    assert cells["1!B5"] == ("2*'Document'!$B$4", 3.5)
    assert "Return, exact (as filed)" in texts, "what does not follow an edit says so"


def test_texts_of_a_workbook_stand_apart_from_the_numbers_before_them() -> None:
    with ZipFile(BytesIO(workbook_of(paper()))) as book:
        styles = ElementTree.fromstring(book.read("xl/styles.xml"))
    indented = [each for each in styles.iter() if each.tag.endswith("}alignment") and each.get("indent")]
    assert {each.get("horizontal") for each in indented} == {"left"}, "an indent without a side is ignored"


@pytest.mark.parametrize("kind", PlotKind)
@pytest.mark.parametrize("tabled", [True, False])
def test_a_plot_is_drawn_once_and_its_numbers_stand_in_every_medium(kind: PlotKind, tabled: bool) -> None:
    made = Paper("p", "Plots", passages=(Passage("Plots", (plot("Results", kind, tabled=tabled),)),))
    html = html_of(made)
    svg = ElementTree.fromstring(html).find(".//{http://www.w3.org/2000/svg}svg")
    assert svg is not None
    shapes = "rect" if kind == PlotKind.BARS else "polyline"
    assert len([each for each in svg.iter() if each.tag.endswith(f"}}{shapes}")]) == (3 if kind == PlotKind.BARS else 2)
    assert "Results 0.750000" in "".join(svg.itertext()), "in words for those who can't see it"
    assert ('class="paper-unseen"' in html) != tabled
    lines = ["".join(piece for piece, _ in line) for line in terminal_lines(made, 80)]
    assert all(len(line) <= 80 for line in lines)
    bars = [line.count("█") for line in lines if "█" in line]
    assert bars == sorted(bars, reverse=True), "the likeliest first"
    alternatives = pdf_of(made)
    assert b"/Alt" in alternatives
    with ZipFile(BytesIO(workbook_of(made))) as book:
        chart = book.read("xl/charts/chart1.xml").decode()
        assert ("barChart" if kind == PlotKind.BARS else "scatterChart") in chart
        assert "$B$2:$B$4" in chart, "a chart of the cells, which follows an edit"
    for text in (html, "\n".join(lines), csv_of(made)):
        for value in ("0.75", "0.24", "0.01", "0.02"):
            assert value in text


@pytest.mark.parametrize("places", [(3, 2, 1), (5, 5), (-2, -2), (0, 0), (1, 3, 2)])
def test_a_line_is_drawn_over_numbers_in_any_order(places: tuple[int, ...]) -> None:
    columns = Column("at", "At"), Column("up", "Up", CellKind.FIGURE)
    line = Listing("line", columns, tuple((at, 1.0) for at in places))
    made = Paper("p", "Line", passages=(Passage("", (Plot(line, "Line", "at", ("up",), PlotKind.LINES),)),))
    points = re.findall(r'polyline points="([^"]+)"', html_of(made))[0].split()
    across = [float(point.partition(",")[0]) for point in points]
    assert all(0 <= x <= 720 for x in across)
    assert [sorted(set(across)).index(x) for x in across] == [sorted(set(places)).index(at) for at in places]


@pytest.mark.parametrize("kind", PlotKind)
def test_a_plot_of_nothing_is_an_empty_one(kind: PlotKind) -> None:
    empty = Plot(
        Listing("line", (Column("at", "At"), Column("up", "Up", CellKind.FIGURE)), ()), "", "at", ("up",), kind
    )
    made = Paper("p", "Line", passages=(Passage("", (empty,)),))
    assert "No activity" in html_of(made)
    assert pdf_of(made)


@pytest.mark.parametrize("many", [2, 11, 12, 24, 41])
def test_the_first_and_the_last_point_of_a_line_are_shown(many: int) -> None:
    columns = Column("at", "At", CellKind.COUNT), Column("up", "Up", CellKind.FIGURE)
    line = Listing("line", columns, tuple((1000 + at, 1.0) for at in range(many)))
    made = Paper("p", "", passages=(Passage("", (Plot(line, "", "at", ("up",), PlotKind.LINES, tabled=False),)),))
    shown = [text for each in terminal_lines(made, 80) if (text := "".join(piece for piece, _ in each))[:2] == "1,"]
    assert shown[0].startswith("1,000")
    assert shown[-1].startswith(f"{999 + many:,}")
    assert len(shown) == len(set(shown)) <= 12


def test_a_terminal_thins_a_long_line_and_says_so() -> None:
    columns = Column("at", "At", CellKind.COUNT), Column("up", "Up", CellKind.FIGURE)
    line = Listing("line", columns, tuple((at, at / 2) for at in range(41)))
    made = Paper(
        "p", "Line", passages=(Passage("", (Plot(line, "Line", "at", ("up",), PlotKind.LINES, tabled=False),)),)
    )
    shown = ["".join(piece for piece, _ in each) for each in terminal_lines(made, 60)]
    assert "11 of 41 points; files have all." in shown
    assert any(each.split()[:2] == ["40", "20.0000"] for each in shown), "the last point is one of them"


def test_a_column_without_values_takes_no_room_but_stays_in_files() -> None:
    columns = Column("a", "First"), Column("b", "Empty", rank=2), Column("c", "Always"), Column("d", "Below", rank=4)
    made = Paper("p", "T", passages=(Passage("", (Listing("l", columns, (("x", "", None, "y"),)),)),))
    shown = "\n".join("".join(piece for piece, _ in line) for line in terminal_lines(made, 160))
    for text in (shown, html_of(made)):
        assert "Empty" not in text
        assert "Always" in text
    assert shown.splitlines()[-1] == "    Below y"
    assert csv_of(made).splitlines()[0] == "a,b,c,d"


def test_a_file_is_named_by_its_kind() -> None:
    assert [kind_of(f"a.{kind}") for kind in MEDIA] == list(MEDIA)
    with pytest.raises(UnreadableError, match=r"name a file that ends in \.pdf, \.html, \.xlsx, \.csv or \.json"):
        kind_of("round.docx")


def test_csv_is_the_main_listing_and_other_listings_have_their_keys() -> None:
    head, first, _ = csv_of(paper()).splitlines()
    assert head == "seat,wager,stake,result,net,odds,by,why,seq"
    assert first == "2,Pair Plus,25.00,win,-1234.50,40 to 1,649a.11(c)(7),A sentence.,77"
    assert csv_of(paper(), "none").splitlines() == [head]
    with pytest.raises(KeyError, match="nothing"):
        csv_of(paper(), "nothing")
