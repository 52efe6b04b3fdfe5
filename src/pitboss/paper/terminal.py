"""A document on a terminal: headings stay, no word is cut, and what has no room beside its row stands below it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import ceil
from textwrap import wrap
from typing import TYPE_CHECKING, Any, Final

from pitboss.paper import say
from pitboss.paper.arrange import GAP, SHORTEST, Layout, below_row, cells_of, laid_out
from pitboss.paper.model import Block, CellKind, Column, Figures, Listing, Paper, Plot, PlotKind, Remark
from pitboss.paper.plot import text_bars

if TYPE_CHECKING:
    from rich.text import Text

NARROWEST: Final = 40
BETWEEN: Final = " " * GAP
INDENT: Final = "    "
TIED: Final = ((" %", "\u00a0%"), ("§ ", "§\u00a0"))
"""A percent sign stays on the line of its number, and a paragraph sign on that of its paragraph."""
_HASH: Final = re.compile("[0-9a-f]{64}")
"""Digits, which may go on in the next line where a terminal is narrower than they are."""
_RESULTS: Final = {"win": "green", "lose": "red", "forfeit": "red", "push": "yellow", "void": "yellow"}
_TONES: Final = {"good": "green", "warning": "yellow", "bad": "red", "marked": "yellow", "fine": "dim"}
_SHADES: Final = {"a": "bold green", "b": "cyan", "c": "yellow", "z": "dim"}
BARS: Final = 16
LONGEST_BARS: Final = 40
"""Characters of the bars of a plot beside its rows; where there is less room, the rows say it all."""
MOST_POINTS: Final = 11
"""Points of a line that a terminal shows."""
Line = list[tuple[str, str]]
"""Pieces of text with their styles."""


def terminal_text(paper: Paper, width: int) -> "Text":
    """The document as styled text, wrapped already."""
    from rich.text import Text

    text = Text()
    for line in terminal_lines(paper, max(width, NARROWEST)):
        for piece, style in line:
            text.append(piece, style=style or None)
        text.append("\n")
    text.rstrip()
    return text


def terminal_lines(paper: Paper, width: int) -> Iterator[Line]:
    """The lines of a document, none longer than the width unless a single word is; only a hash goes on below."""
    yield from _wrapped(paper.title, width, "bold")
    for text in (*paper.lead, *say.head(paper.imprint)):
        yield from _wrapped(text, width)
    for passage in paper.passages:
        yield []
        if passage.title:
            yield from _wrapped(passage.title, width, "bold")
        if passage.cites:
            yield from _wrapped(say.paragraphs(passage.cites), width, "dim")
        for at, block in enumerate(passage.blocks):
            if at and isinstance(passage.blocks[at - 1], Listing | Figures):
                yield []
            yield from _block(block, width)
    if foot := say.foot(paper.imprint):
        yield []
        for text in foot:
            yield from _wrapped(text, width, "dim")


def _block(block: Block, width: int) -> Iterator[Line]:
    if isinstance(block, Listing):
        yield from _listing(block, width)
    elif isinstance(block, Plot):
        yield from _plot(block, width)
    elif isinstance(block, Figures):
        yield from _figures(block, width)
    elif isinstance(block, Remark):
        cites = f" [{', '.join(block.cites)}]" if block.cites else ""
        yield from _wrapped(block.text + cites, width, _TONES.get(block.tone, ""))
    else:
        yield from _wrapped(f"(picture: {block.words})", width, "dim")


def _figures(block: Figures, width: int) -> Iterator[Line]:
    label_width = min(max((len(datum.label) for datum in block.data), default=0), width // 2)
    for datum in block.data:
        shown = say.words(datum.value, datum)
        room = max(width - label_width - GAP, SHORTEST)
        parts = wrap(shown, room, break_long_words=datum.kind == CellKind.HASH) or [""]
        labels = wrap(datum.label, label_width, break_long_words=False) or [""]
        for at in range(max(len(parts), len(labels))):
            label = labels[at] if at < len(labels) else ""
            yield [(f"{label:<{label_width}}{BETWEEN}", ""), (parts[at] if at < len(parts) else "", "")]


def _plot(plot: Plot, width: int) -> Iterator[Line]:
    """The rows of a plot with its bars beside them; of a line so many points as are read at a glance."""
    yield []
    yield from _wrapped(plot.title, width)
    listing = plot.listing
    if not plot.tabled:
        keys = (plot.across, *plot.up)
        places = [at for at, column in enumerate(listing.columns) if column.key in keys]
        step = ceil((len(listing.rows) - 1) / (MOST_POINTS - 1)) if plot.kind == PlotKind.LINES else 1
        thinned = listing.rows[: -1 : max(step, 1)] + listing.rows[-1:]
        rows = tuple(tuple(row[at] for at in places) for row in thinned)
        columns = tuple(replace(listing.columns[at], rank=1) for at in places)
        plot = replace(plot, listing=replace(listing, columns=columns, rows=rows))
    yield from _listing(plot.listing, width, plot)
    for name, at in plot.marks:
        across, _ = plot.column(plot.across)
        yield from _wrapped(f"{name}: {say.words(at, across)}", width)
    if len(plot.listing.rows) < len(listing.rows):
        yield from _wrapped(f"{len(plot.listing.rows)} of {len(listing.rows)} points; files have all.", width, "dim")
    if plot.note:
        yield from _wrapped(plot.note, width)


def _listing(listing: Listing, width: int, plot: Plot | None = None) -> Iterator[Line]:
    if listing.title and plot is None:
        yield []
        yield from _wrapped(listing.title, width)
    if not listing.rows:
        yield from _wrapped(listing.empty, width, "dim")
        return
    cells = [cells_of(listing, row) for row in listing.rows]
    layout = laid_out(listing, cells, width if plot is None else max(width - GAP - BARS, NARROWEST))
    columns = listing.columns
    if listing.headed:
        heads = [_split(columns[at].title, room) for at, room in layout.beside]
        yield from _beside(columns, layout, heads, [""] * len(layout.beside), "dim")
        yield [(BETWEEN.join("─" * room for _, room in layout.beside), "dim")]
    used = sum(room for _, room in layout.beside) + GAP * (len(layout.beside) - 1)
    room_for_bars = min(width - used - GAP, LONGEST_BARS)
    bars = text_bars(plot, room_for_bars) if plot is not None and room_for_bars >= BARS else []
    for number, row in enumerate(cells):
        styles = [_style(listing, columns[at], row[at]) for at, _ in layout.beside]
        lines = [*_beside(columns, layout, [_split(row[at], room) for at, room in layout.beside], styles)]
        if bars and plot is not None:
            filled = sum(len(piece) for piece, _ in lines[0])
            tone = plot.tones[number] if plot.tones else ""
            lines[0] += [(" " * (used + GAP - filled), ""), (bars[number], _TONES.get(tone, ""))]
        yield from lines
        for text in below_row(listing, row, layout):
            yield from _wrapped(text, width, "dim", INDENT)


def _style(listing: Listing, column: Column, text: str) -> str:
    if column.kind == CellKind.CHOICE:
        return _SHADES.get(listing.shade(text), "")
    return _RESULTS.get(text, "") if column.kind == CellKind.RESULT else ""


def _split(text: str, room: int) -> list[str]:
    return _tied_lines(text, room) or [""]


def _beside(
    columns: Sequence[Column], layout: Layout, cells: Sequence[Sequence[str]], styles: Sequence[str], style: str = ""
) -> Iterator[Line]:
    for at in range(max(map(len, cells))):
        line: Line = []
        for place, (column, room) in enumerate(layout.beside):
            text = cells[place][at] if at < len(cells[place]) else ""
            padded = f"{text:>{room}}" if columns[column].flush_right else f"{text:<{room}}"
            line.append((padded, styles[place] or style))
            line.append((BETWEEN, ""))
        yield _trimmed(line)


def _trimmed(line: Line) -> Line:
    while line and not line[-1][0].strip():
        line.pop()
    return [*line[:-1], (line[-1][0].rstrip(), line[-1][1])] if line else line


def _wrapped(text: str, width: int, style: str = "", indent: str = "") -> Iterator[Line]:
    lines = _tied_lines(text, width, initial_indent=indent, subsequent_indent=indent)
    yield from ([(line, style)] for line in lines)


def _tied_lines(text: str, width: int, **options: Any) -> list[str]:
    """Lines no longer than the width, between words that are not tied to each other."""
    for apart, tied in TIED:
        text = text.replace(apart, tied)
    options |= {"break_long_words": _HASH.search(text) is not None, "break_on_hyphens": False}
    lines = wrap(text, width, **options)
    for apart, tied in TIED:
        lines = [line.replace(tied, apart) for line in lines]
    return lines
