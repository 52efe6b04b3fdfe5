"""A sheet of paper that its contents fit: panels in columns, as large as there is room, drawn once for screen and PDF.

Widths are those of Helvetica, which every reader of PDF has and every browser has a twin of; so the drawing on the
screen is the page that is printed.
"""

import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Final

from pitboss.reports.page import FORMATS, Format

POINTS: Final = 72
WIDTHS: Final = (
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
    556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833,
    722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556,
    556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334,
    260, 334, 584,
)  # fmt: skip
"""Of the characters from space to tilde, in thousandths of the size."""
BOLDER: Final = 1.08
SIZES: Final[dict[Format, tuple[float, float, tuple[int, ...]]]] = {
    "letter": (6.5, 12.0, (2, 3)), "tabloid": (8.0, 17.0, (2, 3, 4)), "large": (17.0, 40.0, (2, 3, 4)),
}  # fmt: skip
"""The smallest and the largest type of a format in points, and in how many columns it may be set."""
STEP: Final = 0.25
FONTS: Final = "Helvetica, Arial, 'Liberation Sans', sans-serif"
DARK, GREEN, GOLD, SOFT = "#15181c", "#123c2d", "#b8964a", "#5a4a1c"


@dataclass(frozen=True)
class SheetPanel:
    """A titled list: each row has a name and what it pays; a row without the latter is a line of text."""

    title: str
    rows: tuple[tuple[str, str], ...]
    cite: str = ""


@dataclass(frozen=True)
class SheetWords:
    """A piece of text on a page, from the left or the right of a point; ``y`` runs downwards, in points."""

    x: float
    y: float
    text: str
    size: float
    bold: bool = False
    right: bool = False
    colour: str = DARK


@dataclass(frozen=True)
class SheetRule:
    """A line, or a frame where it is ``high``."""

    x: float
    y: float
    wide: float
    high: float = 0.0
    colour: str = GREEN
    thick: float = 0.6


@dataclass
class SheetPage:
    marks: list[SheetWords | SheetRule] = field(default_factory=list)


def width_of(text: str, size: float, *, bold: bool = False) -> float:
    """How wide a text is set.

    >>> round(width_of("Ante", 10), 2)
    20.57
    """
    units = sum(WIDTHS[ord(c) - 32] if 32 <= ord(c) < 127 else 556 for c in text)
    return units * size / 1000 * (BOLDER if bold else 1)


def wrapped_to(text: str, room: float, size: float, *, bold: bool = False) -> list[str]:
    """The text in lines that fit the room; a single word may stand out."""
    lines, line = [], ""
    for word in text.split():
        longer = f"{line} {word}".strip()
        if line and width_of(longer, size, bold=bold) > room:
            lines.append(line)
            longer = word
        line = longer
    return [*lines, line] if line else lines or [""]


@dataclass(frozen=True)
class Sheets:
    """The pages of one paper. ``size`` is the type in which it is set, in points."""

    format: Format
    title: str
    size: float
    pages: tuple[SheetPage, ...]

    @property
    def said(self) -> str:
        """On how much paper it is, in words."""
        wide, high = FORMATS[self.format]
        count = len(self.pages)
        fits = "Fits one sheet" if count == 1 else f"Needs {count} sheets"
        return f"{fits} of {wide:g} × {high:g} inches, set in {self.size:g} point."

    def svgs(self) -> Iterator[str]:
        """Each page as a drawing."""
        wide, high = (side * POINTS for side in FORMATS[self.format])
        for number, page in enumerate(self.pages, 1):
            title = self.title if len(self.pages) == 1 else f"{self.title}, sheet {number}"
            body = "".join(map(_svg, page.marks))
            yield (
                f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:g} {high:g}" role="img" '
                f'aria-label="{escape(title, quote=True)}" font-family="{FONTS}">'
                f'<rect width="{wide:g}" height="{high:g}" fill="#fff"/>{body}</svg>'
            )

    def html(self) -> str:
        """A document that prints as these pages and nothing else."""
        wide, high = FORMATS[self.format]
        style = (
            f"@page {{ size: {wide}in {high}in; margin: 0 }} body {{ margin: 0 }} "
            f"svg {{ display: block; width: {wide}in; height: {high - 0.01}in; break-after: page }}"
        )
        return (
            f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{escape(self.title)}</title>'
            f"<style>{style}</style></head><body>{''.join(self.svgs())}</body></html>"
        )

    def pdf(self) -> bytes:
        """The same pages as PDF, with the standard fonts and nothing embedded."""
        wide, high = (side * POINTS for side in FORMATS[self.format])
        font = "<< /Type /Font /Subtype /Type1 /BaseFont /{} /Encoding /WinAnsiEncoding >>"
        count = len(self.pages)
        kids = " ".join(f"{5 + 2 * at} 0 R" for at in range(count))
        parts: list[bytes] = [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            f"<< /Type /Pages /Kids [{kids}] /Count {count} >>".encode(),
            font.format("Helvetica").encode(),
            font.format("Helvetica-Bold").encode(),
        ]
        for at, page in enumerate(self.pages):
            drawn = zlib.compress("\n".join(_pdf(mark, high) for mark in page.marks).encode("cp1252", "replace"))
            parts.append(
                f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {wide:g} {high:g}] /Contents {6 + 2 * at} 0 R "
                "/Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> >>".encode()
            )
            head = f"<< /Length {len(drawn)} /Filter /FlateDecode >>\nstream\n".encode()
            parts.append(head + drawn + b"\nendstream")
        return _file(parts)


def _file(parts: Sequence[bytes]) -> bytes:
    out, places = bytearray(b"%PDF-1.4\n"), []
    for number, part in enumerate(parts, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, part)
    begins = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(parts) + 1)
    for place in places:
        out += b"%010d 00000 n \n" % place
    out += b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(parts) + 1, begins)
    return bytes(out)


def _svg(mark: SheetWords | SheetRule) -> str:
    if isinstance(mark, SheetRule) and not mark.high:
        line = f"M{mark.x:.2f} {mark.y:.2f}h{mark.wide:.2f}"
        return f'<path d="{line}" stroke="{mark.colour}" stroke-width="{mark.thick}"/>'
    if isinstance(mark, SheetRule):
        return (
            f'<rect x="{mark.x:.2f}" y="{mark.y:.2f}" width="{mark.wide:.2f}" height="{mark.high:.2f}" fill="none" '
            f'stroke="{mark.colour}" stroke-width="{mark.thick}"/>'
        )
    anchor = ' text-anchor="end"' if mark.right else ""
    weight = ' font-weight="700"' if mark.bold else ""
    return (
        f'<text x="{mark.x:.2f}" y="{mark.y:.2f}" font-size="{mark.size:g}" fill="{mark.colour}"{anchor}{weight}>'
        f"{escape(mark.text)}</text>"
    )


def _pdf(mark: SheetWords | SheetRule, high: float) -> str:
    red, green, blue = (int(mark.colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    if isinstance(mark, SheetRule):
        box = f"{mark.x:.2f} {high - mark.y - mark.high:.2f} {mark.wide:.2f} {mark.high:.2f} re S"
        return f"{red:.3f} {green:.3f} {blue:.3f} RG {mark.thick} w {box}"
    x = mark.x - (width_of(mark.text, mark.size, bold=mark.bold) if mark.right else 0)
    text = mark.text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
    font = "F2" if mark.bold else "F1"
    place = f"{x:.2f} {high - mark.y:.2f} Td"
    return f"BT {red:.3f} {green:.3f} {blue:.3f} rg /{font} {mark.size:g} Tf {place} ({text}) Tj ET"


@dataclass(frozen=True)
class _Setting:
    """One way of setting the paper: a size of type and a number of columns."""

    format: Format
    size: float
    columns: int

    @property
    def page(self) -> tuple[float, float]:
        wide, high = FORMATS[self.format]
        return wide * POINTS, high * POINTS

    @property
    def margin(self) -> float:
        return 0.045 * self.page[0]

    @property
    def gap(self) -> float:
        return 1.3 * self.size

    @property
    def column(self) -> float:
        return (self.page[0] - 2 * self.margin - (self.columns - 1) * self.gap) / self.columns

    def panel(self, panel: SheetPanel, x: float, y: float) -> tuple[list[SheetWords | SheetRule], float]:
        """A panel at a place, and how high it is."""
        size, line, inset = self.size, 1.3 * self.size, 0.6 * self.size
        room, left, right = self.column - 2 * inset, x + inset, x + self.column - inset
        marks: list[SheetWords | SheetRule] = []
        at = y + inset
        for text in wrapped_to(panel.title, room, 1.06 * size, bold=True):
            at += line
            marks.append(SheetWords(left, at, text, 1.06 * size, bold=True, colour=GREEN))
        for text in wrapped_to(f"§ {panel.cite}", room, 0.78 * size) if panel.cite else ():
            at += line
            marks.append(SheetWords(left, at, text, 0.78 * size, colour=SOFT))
        at += 0.35 * size
        for name, pays in panel.rows:
            marks.append(SheetRule(left, at, room, colour="#d8d3c3", thick=0.4))
            half = min(width_of(pays, size) + size, 0.6 * room) if pays else 0.0
            names, pay = wrapped_to(name, room - half, size), wrapped_to(pays, 0.6 * room, size) if pays else []
            for number in range(max(len(names), len(pay))):
                at += line
                if number < len(names):
                    marks.append(SheetWords(left, at, names[number], size))
                if number < len(pay):
                    marks.append(SheetWords(right, at, pay[number], size, right=True))
            at += 0.3 * size
        high = at - y + inset
        return [SheetRule(x, y, self.column, high), *marks], high

    def head(self, title: str, lines: Sequence[str], y: float) -> tuple[list[SheetWords | SheetRule], float]:
        marks: list[SheetWords | SheetRule] = []
        large, room = 2.1 * self.size, self.page[0] - 2 * self.margin
        for text in wrapped_to(title, room, large, bold=True):
            y += 1.15 * large
            marks.append(SheetWords(self.margin, y, text, large, bold=True, colour=GREEN))
        for line in lines:
            for text in wrapped_to(line, room, self.size):
                y += 1.35 * self.size
                marks.append(SheetWords(self.margin, y, text, self.size))
        y += 0.7 * self.size
        marks.append(SheetRule(self.margin, y, room, colour=GOLD, thick=1.4))
        return marks, y + 0.9 * self.size

    def foot(self, lines: Sequence[str]) -> tuple[list[SheetWords | SheetRule], float]:
        """The foot of every page, and where it begins."""
        small, room = 0.62 * self.size, self.page[0] - 2 * self.margin
        texts = [text for line in lines for text in wrapped_to(line, room, small)]
        top = self.page[1] - self.margin - 1.3 * small * len(texts)
        return [SheetWords(self.margin, top + 1.3 * small * at, text, small, colour=SOFT)
                for at, text in enumerate(texts, 1)], top - 0.4 * small  # fmt: skip

    def flow(self, panels: Iterable[SheetPanel], top: float, low: float) -> list[list[tuple[SheetPanel, int, float]]]:
        """The panels of each page with their column and height above the first, in their order."""
        pages: list[list[tuple[SheetPanel, int, float]]] = [[]]
        column, y, start = 0, top, top
        for panel in panels:
            _, high = self.panel(panel, 0, 0)
            if y + high > low and y > start:
                column, y = column + 1, start
                if column == self.columns:
                    column, start = 0, 2 * self.margin
                    y = start
                    pages.append([])
            pages[-1].append((panel, column, y))
            y += high + 0.6 * self.gap
        return pages


def set_sheets(
    format: Format, title: str, lines: Sequence[str], panels: Sequence[SheetPanel], foot: Sequence[str]
) -> Sheets:
    """The paper in the largest type in which it fits one sheet; in the smallest, on several, where it does not."""
    least, most, columns = SIZES[format]
    steps = int((most - least) / STEP)
    for step in range(steps, -1, -1):
        for count in columns:
            setting = _Setting(format, least + STEP * step, count)
            _, top = setting.head(title, lines, setting.margin)
            _, low = setting.foot(foot)
            if len(setting.flow(panels, top, low)) == 1 and _fits(setting, panels, top, low):
                return _drawn(setting, title, lines, panels, foot)
    return _drawn(_Setting(format, least + 1, columns[0]), title, lines, panels, foot)


def _fits(setting: _Setting, panels: Sequence[SheetPanel], top: float, low: float) -> bool:
    """Whether no panel alone is higher than its column."""
    return all(top + setting.panel(panel, 0, 0)[1] <= low for panel in panels)


def _drawn(
    setting: _Setting, title: str, lines: Sequence[str], panels: Sequence[SheetPanel], foot: Sequence[str]
) -> Sheets:
    head, top = setting.head(title, lines, setting.margin)
    below, low = setting.foot(foot)
    flowed = setting.flow(panels, top, low)
    if len(flowed) == 1:  # columns of about one height look better than one that is half empty
        floor = low
        while floor > top and len(setting.flow(panels, top, floor - setting.size)) == 1:
            floor -= setting.size
        flowed = setting.flow(panels, top, floor)
    pages = []
    for number, placed in enumerate(flowed):
        page = SheetPage([*(head if not number else ()), *below])
        for panel, column, y in placed:
            page.marks += setting.panel(panel, setting.margin + column * (setting.column + setting.gap), y)[0]
        pages.append(page)
    return Sheets(setting.format, title, setting.size, tuple(pages))
