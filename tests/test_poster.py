"""Posters: a document that fills one sheet in type as large as there is room for, or says how many it needs."""

import re
from dataclasses import replace
from io import BytesIO
from zipfile import ZipFile

import pytest
from pypdf import PageObject, PdfReader

from pitboss.paper.model import (
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
    Remark,
)
from pitboss.paper.page import html_of
from pitboss.paper.pdf import Typeset, typeset
from pitboss.paper.terminal import terminal_lines
from pitboss.paper.workbook import workbook_of
from tests.test_paper import HOSTILE, PICTURE

LETTER = PaperSize(8.5, 11.0, filled=True)
COLUMNS = Column("row", "Row"), Column("pays", "Pays"), Column("cite", "Paragraph", CellKind.CITES, rank=2)


def poster(panels: int, rows: int, text: str = "Royal flush", pays: str = "1,000 to 1") -> Paper:
    listing = Listing("pays", COLUMNS, ((text, pays, ("649a.12(d)",)),) * rows, headed=False)
    blocks = listing, Figures((Datum(text, text),)), Remark(text, ("649a.2",))
    passages = tuple(Passage(f"Panel {at}: {text}", blocks[: at + 1], cites=(text,)) for at in range(panels))
    return Paper("sign", text, (text,), passages, Imprint(law=text, printed=1_763_431_445_000_000), sheet=LETTER)


def points(made: Typeset) -> tuple[str, float]:
    """On how many sheets a poster is, and its size of type."""
    found = re.fullmatch(r"(?:Fits (one)|Needs (\d+)) sheets? of 8\.5 × 11 inches, set in ([\d.]+) point\.", made.fit())
    assert found is not None, made.fit()
    return found[1] or found[2], float(found[3])


def rightmost(page: PageObject) -> float:
    """Where the text that begins farthest right begins, in points."""
    starts = [0.0]

    def visit(text: str, matrix: list[float], position: list[float], *_: object) -> None:
        if text.strip():
            starts.append(position[4] * matrix[0] + matrix[4])

    page.extract_text(visitor_text=visit)
    return max(starts)


def test_type_grows_until_the_sheet_is_full() -> None:
    sizes = []
    for panels in (1, 6, 12, 18):
        made = typeset(poster(panels, 6))
        sheets, size = points(made)
        assert sheets == "one"
        sizes.append(size)
        (page,) = PdfReader(BytesIO(made.pdf())).pages
        assert rightmost(page) < 72 * LETTER.wide
        text = "".join(page.extract_text().split())
        assert all(f"Panel{at}:" in text for at in range(panels))
        assert text.count("1,000to1") == 6 * panels
        assert "649a.12(d)" not in text, "a poster leaves out what has a lower rank"
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] > 1.5 * sizes[-1]


def test_what_no_sheet_holds_takes_several_and_loses_nothing() -> None:
    made = typeset(poster(24, 40))
    sheets, size = points(made)
    pages = PdfReader(BytesIO(made.pdf())).pages
    assert int(sheets) == len(pages) == len(made.pictures()) > 1
    assert size >= 6.5
    text = "".join("".join(page.extract_text().split()) for page in pages)
    assert all(f"Panel{at}:" in text for at in range(24))
    assert text.count("1,000to1") == 24 * 40
    assert f"Page{len(pages)}of{len(pages)}" in text


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: ascii(text[:12]))
def test_hostile_texts_are_text_on_a_poster(text: str) -> None:
    made = poster(4, 2, text, text[:500])
    made = replace(made, passages=(*made.passages, Passage(text, (Drawing(PICTURE, text),))))
    assert typeset(made).pdf() == typeset(made).pdf()
    assert typeset(made).pdf().startswith(b"%PDF-")


def test_a_long_word_makes_the_type_smaller_and_is_not_cut() -> None:
    short, long = (points(typeset(poster(3, 3, text)))[1] for text in ("Flush", "Donaudampfschiffahrtsgesellschaft"))
    assert long < short


def test_paragraphs_of_a_passage_and_headings_of_columns_reach_every_medium() -> None:
    made = poster(1, 1)
    made = replace(made, passages=(replace(made.passages[0], cites=("649a.12(d)", "649a.2")),))
    terminal = " ".join("".join(piece for piece, _ in line) for line in terminal_lines(made, 80))
    (page,) = PdfReader(BytesIO(typeset(made).pdf())).pages
    html = html_of(made, {"649a.2": "/law"}.get)
    with ZipFile(BytesIO(workbook_of(made))) as book:
        strings = book.read("xl/sharedStrings.xml").decode()
    for medium in (terminal, page.extract_text(), strings):
        assert "§ 649a.12(d), § 649a.2" in medium
    assert '649a.12(d), <a href="/law">649a.2</a>' in html
    assert '<thead class="unseen"' in html, "only a screen reader hears the headings"
    assert "Row" in strings
    assert "Row" not in terminal
