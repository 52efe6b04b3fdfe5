"""A plot as SVG, or as text. Its numbers stand in it as text too, so nothing depends on color or on a fine eye."""

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, floor, log10
from typing import Final
from xml.etree.ElementTree import Element, SubElement, tostring

from pitboss.paper import say
from pitboss.paper.model import CellKind, Column, Plot, PlotKind, Value

NAMESPACE: Final = "http://www.w3.org/2000/svg"
FONT: Final = "'Helvetica Neue', Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"
INK, SOFT, GRID, MARK = "#14211b", "#56635b", "#ddd6c6", "#8a6a00"
TONES: Final = {"good": "#0b5d3b", "bad": "#a3202f", "marked": MARK, "": "#5f6770"}
LINES: Final = ("#0b5d3b", "#14324d", "#8a6a00", "#a3202f")
WIDE: Final = 720.0
LETTER_WIDE: Final = 0.56
"""About how wide a letter is, in sizes of its type."""
DECADES_LABELED: Final = 6
"""With more powers of ten than these, every other one is labeled."""
FULL, HALF, LEAST = "█", "▌", "▏"


def svg_of(plot: Plot) -> str:
    """The plot as SVG, with its title and its values in words for those who can't see it."""
    draw = _bars if plot.kind == PlotKind.BARS else _lines
    picture = Element("svg", {"xmlns": NAMESPACE, "role": "img", "aria-label": plot.title, "font-family": FONT})
    SubElement(picture, "title").text = plot.title
    SubElement(picture, "desc").text = words_of(plot)
    high = draw(picture, plot)
    if plot.note:
        _text(picture, plot.note, 10, high + 12, 13, "start", fill=MARK, fit=WIDE - 20)
        high += 24
    picture.set("viewBox", f"0 0 {WIDE:g} {high:g}")
    return tostring(picture, encoding="unicode")


def words_of(plot: Plot) -> str:
    """The values in words; of lines the first and the last point, since all of them stand in the listing."""
    across, places = plot.column(plot.across)
    columns = [plot.column(key) for key in plot.up]
    rows = range(len(places))
    if plot.kind == PlotKind.LINES and len(places) > 2:
        rows = range(0, len(places), len(places) - 1)
    found = []
    for at in rows:
        values = (f"{column.title} {say.words(values[at], column)}" for column, values in columns)
        found.append(f"{say.words(places[at], across)}: {', '.join(values)}")
    return "; ".join(found)


def text_bars(plot: Plot, width: int) -> list[str]:
    """The bars of the first column drawn, at most so many characters long, one a row."""
    _, values = plot.column(plot.up[0])
    shares = _shares([_number(value) for value in values], plot.logarithmic)
    return [_text_bar(share * width) for share in shares]


def _text_bar(length: float) -> str:
    halves = round(2 * abs(length))
    return FULL * (halves // 2) + HALF * (halves % 2) or (LEAST if length else "")


def _number(value: Value) -> float:
    return float(value) if isinstance(value, int | float | Fraction) else 0.0


def _shares(values: Sequence[float], logarithmic: bool) -> list[float]:
    """How long each bar is, as a share of the longest possible one."""
    if not logarithmic:
        most = max(map(abs, values), default=0.0) or 1.0
        return [value / most for value in values]
    powers = decades(values)
    return [max(1 + log10(value) / powers, 0.004) if value > 0 else 0.0 for value in values]


def decades(values: Sequence[float]) -> int:
    """How many powers of ten a scale needs below one."""
    return max(1, *(ceil(-log10(value)) for value in values if value > 0), 1)


def _bars(picture: Element, plot: Plot) -> float:
    across, places = plot.column(plot.across)
    labels = [say.words(place, across) for place in places]
    columns = [plot.column(key) for key in plot.up]
    shown = [say.words(value, columns[0][0]) or "never" for value in columns[0][1]]
    left = min(max(len(label) for label in labels) * 13.5 * LETTER_WIDE + 24, 240.0) if labels else 84.0
    right = max(map(len, shown), default=0) * 13 * LETTER_WIDE + 24
    high, top = 24.0, 30.0 if plot.logarithmic else 12.0
    room, bottom = WIDE - left - right, top + high * len(places)
    every = [_number(value) for _, values in columns for value in values]
    powers, lows = decades(every), min(0.0, *every, 0.0)
    span = (max(0.0, *every, 0.0) - lows) or 1.0

    def x(value: float) -> float:
        if plot.logarithmic:
            return left + (max(room * (1 + log10(value) / powers), 2.0) if value > 0 else 0.0)
        return left + room * (value - lows) / span

    for power in range(powers + 1 if plot.logarithmic else 0):
        at = left + room * (1 - power / powers)
        _line(picture, at, top - 4, at, bottom, GRID)
        if power % (1 if powers <= DECADES_LABELED else 2) == 0:
            _text(picture, _power(power), at, top - 10, 12, "middle", fill=SOFT)
    zero = left if plot.logarithmic else x(0.0)
    for row, label in enumerate(labels):
        y, tone = top + high * row, plot.tones[row] if plot.tones else ""
        value = _number(columns[0][1][row])
        end = x(value) if value else zero
        _text(picture, label, left - 10, y + 16, 13.5, "end", fit=left - 14, weight="600")
        if value:
            box = {"x": min(zero, end), "y": y + 4, "width": max(abs(end - zero), 1.5), "height": high - 8, "rx": 3.0}
            SubElement(picture, "rect", {**{key: f"{size:.2f}" for key, size in box.items()}, "fill": TONES[tone]})
        for _, values in columns[1:]:
            if values[row] != columns[0][1][row] and (other := _number(values[row])):
                _line(picture, x(other), y + 1, x(other), y + high - 1, MARK, 3)
        _text(picture, shown[row], WIDE - right + 10, y + 16, 13, "start")
    if not plot.logarithmic:
        _line(picture, zero, top - 4, zero, bottom + 4, INK, 1.2)
    return bottom + 8


def _lines(picture: Element, plot: Plot) -> float:
    across, places = plot.column(plot.across)
    xs = [_number(place) for place in places]
    columns = [plot.column(key) for key in plot.up]
    every = [_number(value) for _, values in columns for value in values]
    left, right, top, tall, foot = 84.0, 40.0, 26.0 + 18 * len(columns), 360.0, 54.0
    low, most = min(0.0, *every, 0.0), max(0.0, *every, 0.0)
    first, last = min(xs, default=0.0), max(xs, default=1.0)
    if first == last:
        first, last = min(first, 0.0), max(last, 0.0)
    bottom = tall - foot

    def x(value: float) -> float:
        return left + (WIDE - left - right) * (value - first) / ((last - first) or 1.0)

    def y(value: float) -> float:
        return top + (bottom - top) * (most - value) / ((most - low) or 1.0)

    for value in ticks(first, last):
        _line(picture, x(value), top, x(value), bottom, GRID)
        _text(picture, _tick(value, across), x(value), bottom + 20, 12.5, "middle", fill=SOFT)
    for value in ticks(low, most):
        strong = abs(value) < 1e-12
        _line(picture, left, y(value), WIDE - right, y(value), INK if strong else GRID, 1.4 if strong else 1)
        _text(picture, _tick(value, columns[0][0]), left - 8, y(value) + 4, 12.5, "end")
    for number, (column, values) in enumerate(columns):
        color, dashes = LINES[number % len(LINES)], "7 5" if number % 2 else ""
        points = " ".join(f"{x(at):.2f},{y(_number(value)):.2f}" for at, value in zip(xs, values, strict=True))
        style = {"fill": "none", "stroke": color, "stroke-width": "3", "stroke-dasharray": dashes or "none"}
        SubElement(picture, "polyline", {"points": points, **style})
        _line(picture, left, 16 + 20 * number, left + 34, 16 + 20 * number, color, 3, dashes)
        _text(picture, column.title, left + 42, 21 + 20 * number, 13.5, "start", weight="600")
    for name, at in plot.marks:
        _line(picture, x(at), top, x(at), bottom, MARK, 1.5, "3 4")
        _text(picture, name, x(at) + 5, bottom - 8, 12, "start", fill=MARK)
    _text(picture, across.title, (left + WIDE - right) / 2, tall - 10, 12.5, "middle", fill=SOFT)
    return tall


def ticks(low: float, high: float, about: int = 6) -> list[float]:
    """Round numbers between two ends, with zero if it lies between them.

    >>> ticks(-0.31, 0.12)
    [-0.3, -0.2, -0.1, 0.0, 0.1]
    """
    span = (high - low) or 1.0
    raw = span / about
    power = 10.0 ** floor(log10(raw))
    step = next(power * factor for factor in (1, 2, 2.5, 5, 10) if power * factor >= raw * 0.999)
    return [round(at * step, 12) + 0.0 for at in range(ceil(low / step - 1e-9), floor(high / step + 1e-9) + 1)]


def _tick(value: float, column: Column) -> str:
    """A round number of an axis, without the zeros that a table of such values has."""
    if column.kind == CellKind.PERCENT:
        return f"{100 * value:g} %".replace("-", say.MINUS)
    if column.kind == CellKind.MONEY:
        return say.words(round(value), column)
    return f"{value:g}".replace("-", say.MINUS)


def _power(power: int) -> str:
    return "1" if power == 0 else "10⁻" + "".join("⁰¹²³⁴⁵⁶⁷⁸⁹"[int(digit)] for digit in str(power))


def _line(
    picture: Element, x1: float, y1: float, x2: float, y2: float, color: str, width: float = 1, dashes: str = ""
) -> None:
    places = {"x1": f"{x1:.2f}", "y1": f"{y1:.2f}", "x2": f"{x2:.2f}", "y2": f"{y2:.2f}"}
    style = {"stroke": color, "stroke-width": f"{width:g}"} | ({"stroke-dasharray": dashes} if dashes else {})
    SubElement(picture, "line", places | style)


def _text(
    picture: Element,
    text: str,
    x: float,
    y: float,
    size: float,
    anchor: str,
    *,
    fill: str = INK,
    weight: str = "400",
    fit: float = 0.0,
) -> None:
    """Text, squeezed where it would be wider than ``fit``. Widths are estimated, because fonts are the reader's."""
    style = {"font-size": f"{size:g}", "text-anchor": anchor, "fill": fill, "font-weight": weight}
    if fit and len(text) * size * LETTER_WIDE > fit:
        style |= {"textLength": f"{fit:.2f}", "lengthAdjust": "spacingAndGlyphs"}
    SubElement(picture, "text", {"x": f"{x:.2f}", "y": f"{y:.2f}", **style}).text = text
