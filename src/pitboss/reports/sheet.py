"""A sheet of paper that its contents fit: panels in columns, as large as there is room, drawn once for screen and PDF.

Widths are those of Helvetica, which every reader of PDF has and every browser has a twin of; so the drawing on the
screen is the page that is printed.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Final

from pitboss.reports.page import FORMATS, Format
from pitboss.reports.pdf import POINTS, pdf_of, width_of
from pitboss.reports.svg import plain

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
                f'aria-label="{escape(plain(title))}" font-family="{FONTS}">'
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
        """The same pages as PDF."""
        wide, high = (side * POINTS for side in FORMATS[self.format])
        return pdf_of(self.svgs(), wide, high)


def _svg(mark: SheetWords | SheetRule) -> str:
    if isinstance(mark, SheetRule) and not mark.high:
        line = f"M{mark.x:.2f} {mark.y:.2f}h{mark.wide:.2f}"
        return f'<path d="{line}" fill="none" stroke="{mark.colour}" stroke-width="{mark.thick}"/>'
    if isinstance(mark, SheetRule):
        return (
            f'<rect x="{mark.x:.2f}" y="{mark.y:.2f}" width="{mark.wide:.2f}" height="{mark.high:.2f}" fill="none" '
            f'stroke="{mark.colour}" stroke-width="{mark.thick}"/>'
        )
    anchor = ' text-anchor="end"' if mark.right else ""
    weight = ' font-weight="700"' if mark.bold else ""
    return (
        f'<text x="{mark.x:.2f}" y="{mark.y:.2f}" font-size="{mark.size:g}" fill="{mark.colour}"{anchor}{weight}>'
        f"{escape(plain(mark.text))}</text>"
    )


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
