"""A document on paper, by typst: a tagged PDF or a picture of each sheet, the same bytes for the same document."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from pitboss.names import several
from pitboss.paper import say
from pitboss.paper.arrange import GAP, READABLE, SHORTEST, Layout, below_row, cells_of, laid_out
from pitboss.paper.model import (
    Block,
    CellKind,
    Column,
    Datum,
    Drawing,
    Figures,
    Listing,
    Paper,
    PaperSize,
    Passage,
    Plot,
    Remark,
)
from pitboss.paper.plot import svg_of, words_of

if TYPE_CHECKING:
    from typst import Compiler

HOME: Final = Path(__file__).parent
WIDTH: Final = 100
"""Characters that fit beside each other on Letter paper."""
LONGEST_TITLE: Final = 60
"""Characters of titles and labels. Longer ones are not repeated on every page and get a part of the width only."""
LONGEST_MARGIN: Final = 300
"""Characters of a line at the head or foot of every page."""
LONGEST_WHOLE: Final = 1_000
"""Characters of a cell that is kept on one page."""


@dataclass(frozen=True)
class Typeset:
    """A document set on its sheets."""

    sheet: PaperSize
    compiler: "Compiler"

    def pdf(self) -> bytes:
        """The document with page numbers, and its foot on each page."""
        made = self.compiler.compile(format="pdf", timestamp=0)
        assert isinstance(made, bytes), "one PDF, whatever its pages"
        return made

    def pictures(self) -> tuple[str, ...]:
        """Each sheet as SVG, in letters that need no font."""
        made = self.compiler.compile(format="svg")
        return tuple(each.decode() for each in ([made] if isinstance(made, bytes) else made or ()))

    def fit(self) -> str:
        """On how many sheets of which size a poster is, and in which size of type."""
        found = json.loads(self.compiler.query("<fit>", field="value", one=True))
        fits = "Fits one sheet" if found["sheets"] == 1 else f"Needs {several(found['sheets'], 'sheet')}"
        return f"{fits} of {self.sheet.wide:g} × {self.sheet.high:g} inches, set in {found['points']:.1f} point."


def typeset(paper: Paper) -> Typeset:
    """Lay out a document. Its PDF and its pictures are made when they are called for."""
    from typst import Compiler

    compiler = Compiler(
        str(HOME / "paper.typ"),
        root=str(HOME),
        font_paths=[str(HOME / "fonts")],
        ignore_system_fonts=True,
        sys_inputs={"doc": json.dumps(_document(paper))},
    )
    return Typeset(paper.sheet, compiler)


def pdf_of(paper: Paper) -> bytes:
    """The document as PDF."""
    return typeset(paper).pdf()


def _document(paper: Paper) -> dict[str, Any]:
    sheet = {"wide": paper.sheet.wide, "high": paper.sheet.high, "filled": paper.sheet.filled}
    sheet["enlarged"] = paper.sheet.enlarged
    lead, foot = [*paper.lead, *say.head(paper.imprint)], [*map(_on_every_page, say.foot(paper.imprint))]
    running = [_on_every_page(paper.title), _on_every_page(paper.imprint.period)]
    passages = [_passage(each, paper.sheet) for each in paper.passages]
    named = {"title": paper.title, "running": running, "lead": lead, "foot": foot}
    return {**named, "sheet": sheet, "passages": passages}


def _on_every_page(text: str) -> str:
    """What fits the margin of a page."""
    return text if len(text) <= LONGEST_MARGIN else f"{text[: LONGEST_MARGIN - 1]}…"


def _passage(passage: Passage, sheet: PaperSize) -> dict[str, Any]:
    blocks = [*map(_panel, passage.blocks)] if sheet.filled else [*chain.from_iterable(map(_blocks, passage.blocks))]
    cites, new_sheet = say.paragraphs(passage.cites), passage.new_sheet
    return {"title": passage.title, "cites": cites, "blocks": blocks, "new_sheet": new_sheet}


def _panel(block: Block) -> dict[str, Any]:
    """A block of a poster: rows of a name and what belongs to it, or a sentence."""
    if isinstance(block, Figures):
        return {"kind": "rows", "rows": [[each.label, _words(each)] for each in block.data]}
    if isinstance(block, Listing):
        first, *others = block.ranked(1, 1)
        cells = [cells_of(block, row) for row in block.rows]
        return {"kind": "rows", "rows": [[row[first], ", ".join(row[at] for at in others)] for row in cells]}
    return _blocks(block)[0]


def _blocks(block: Block) -> list[dict[str, Any]]:
    if isinstance(block, Plot):
        drawing = {"kind": "drawing", "svg": svg_of(block), "words": f"{block.title}. {words_of(block)}", "wide": 0.0}
        return [drawing, _listing(block.listing)] if block.tabled else [drawing]
    return [_block(block)]


def _block(block: Listing | Figures | Remark | Drawing) -> dict[str, Any]:
    if isinstance(block, Listing):
        return _listing(block)
    if isinstance(block, Figures):
        data = [
            {"label": each.label, "value": _words(each), "mono": _mono(each), "blank": each.kind == CellKind.BLANK}
            for each in block.data
        ]
        long = any(len(each.label) > LONGEST_TITLE for each in block.data)
        return {"kind": "figures", "data": data, "long": long}
    if isinstance(block, Remark):
        cites = f" [{', '.join(block.cites)}]" if block.cites else ""
        return {"kind": "remark", "text": block.text + cites, "tone": block.tone}
    return {"kind": "drawing", "svg": block.svg, "words": block.words, "wide": block.wide}


def _words(datum: Datum) -> str:
    return say.words(datum.value, datum)


def _mono(about: Column | Datum) -> bool:
    return about.kind == CellKind.HASH


def _shares(listing: Listing, cells: Sequence[Sequence[str]], layout: Layout) -> list[int]:
    """The parts of the width that columns of long texts share; 0 for columns as wide as their cells.

    A column that has to wrap never is as wide as its cells: it would leave the sentences beside it no room. Where long
    titles would do so, every column has its part and the titles wrap.
    """
    longest = [max((len(row[at]) for row in cells), default=0) for at, _ in layout.beside]
    sentences = [listing.columns[at].kind == CellKind.SENTENCE for at, _ in layout.beside]
    long = any(most > SHORTEST for most, sentence in zip(longest, sentences, strict=True) if sentence)
    shared = [sentence and (most > SHORTEST or not long) for most, sentence in zip(longest, sentences, strict=True)]
    used = sum(
        max(most, len(listing.columns[at].title)) + GAP
        for most, (at, _), share in zip(longest, layout.beside, shared, strict=True)
        if not share
    )
    for place, (_, room) in enumerate(layout.beside):
        if not shared[place] and longest[place] > room and used > WIDTH - READABLE:
            shared[place] = True
            used -= longest[place] + GAP
    if any(shared) and used > WIDTH - READABLE:
        return [room + GAP for _, room in layout.beside]
    return [min(most, LONGEST_TITLE) if share else 0 for most, share in zip(longest, shared, strict=True)]


def _listing(listing: Listing) -> dict[str, Any]:
    cells = [cells_of(listing, row) for row in listing.rows]
    layout = laid_out(listing, cells, WIDTH)
    columns = [
        {
            "title": listing.columns[at].title,
            "right": listing.columns[at].flush_right,
            "share": share,
            "mono": _mono(listing.columns[at]),
            "result": listing.columns[at].kind == CellKind.RESULT,
            "choice": listing.columns[at].kind == CellKind.CHOICE,
        }
        for (at, _), share in zip(layout.beside, _shares(listing, cells, layout), strict=True)
    ]
    rows = [
        {
            "cells": [row[at] for at, _ in layout.beside],
            "below": below_row(listing, row, layout),
            "shades": [listing.shade(row[at]) for at, _ in layout.beside] if listing.choices else [],
            "breaks": max(map(len, row), default=0) > LONGEST_WHOLE,
        }
        for row in cells
    ]
    repeats = all(len(each.title) <= LONGEST_TITLE for each in listing.columns)
    shown = {"columns": columns, "rows": rows, "empty": listing.empty, "title": listing.title}
    return {"kind": "listing", "repeats": repeats, "headed": listing.headed, **shown}
