"""Charts of the Analyst, drawn as SVG: results, holds beside each other, break-even lines, and what to do when.

Every number that a chart shows also stands in it as text, so nothing depends on colour or on a fine eye.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import ceil, floor, log10
from typing import Any, Final

from pitboss.reports.plot import chance_text, net_text
from pitboss.reports.svg import FONT, Markup, drawing, element, label
from pitboss.web.pages.play_analysis import Chart, MeterLine

INK, SOFT, GRID, PAPER = "#14211b", "#56635b", "#ddd6c6", "#ffffff"
LOSS, EVEN, GAIN, MARK = "#a3202f", "#5f6770", "#0b5d3b", "#8a6a00"
CHOICES: Final = ("#e9e4d8", "#bfe0cd", "#6fb794", "#0b5d3b", "#14324d", "#8a6a00", "#7a2e1d", "#4b3a78")
"""From doing nothing to the largest wager, for as many choices as any game has; ink on light ones, paper on dark."""
DARK: Final = frozenset(CHOICES[3:])


def text(shown: object, x: float, y: float, size: float = 13, *, anchor: str = "middle", **more: Any) -> Markup:
    return label(shown, x, y, size, anchor=anchor, **{"fill": INK, **more})


def distribution_chart(
    title: str, shown: Mapping[Fraction, Fraction], law: Mapping[Fraction, Fraction] | None = None
) -> Markup:
    """A bar for each net result on a scale of powers of ten; a stroke marks the law's chance where it is another."""
    law = law or {}
    nets = sorted({net for source in (shown, law) for net, chance in source.items() if chance})
    chances = [float(source[net]) for source in (shown, law) for net in nets if source.get(net)]
    decades = max(1, *(ceil(-log10(chance)) for chance in chances))
    wide, left, right, high, top = 720.0, 84.0, 120.0, 24.0, 30.0
    room, bottom = wide - left - right, top + high * len(nets)

    def at(chance: float) -> float:
        return left + max(room * (1 + log10(chance) / decades), 2.0)

    parts: list[object] = []
    for power in range(decades + 1):
        x = left + room * (1 - power / decades)
        parts.append(element("line", x1=x, x2=x, y1=top - 4, y2=bottom, stroke=GRID, stroke_width=1))
        if power % (1 if decades <= 6 else 2) == 0:
            parts.append(text(_power(power), x, top - 10, 12, fill=SOFT))
    for row, net in enumerate(nets):
        y, chance, lawful = top + high * row, shown.get(net), law.get(net)
        colour = LOSS if net < 0 else GAIN if net > 0 else EVEN
        parts.append(text(net_text(net), left - 10, y + 16, 13.5, anchor="end", fit=left - 14, font_weight=600))
        if chance:
            end = at(float(chance))
            parts.append(element("rect", x=left, y=y + 4, width=end - left, height=high - 8, rx=3, fill=colour))
        if lawful and lawful != chance:
            x = at(float(lawful))
            parts.append(element("line", x1=x, x2=x, y1=y + 1, y2=y + high - 1, stroke=MARK, stroke_width=3))
        said = chance_text(chance) if chance else "never"
        parts.append(text(said, wide - right + 10, y + 16, 13, anchor="start", fit=right - 12))
    about = "; ".join(f"{net_text(net)} with probability {chance_text(shown[net])}" for net in nets if shown.get(net))
    return drawing(title, about, (wide, bottom + 8), *parts, font_family=FONT)


def _power(power: int) -> str:
    return "1" if power == 0 else "10⁻" + "".join("⁰¹²³⁴⁵⁶⁷⁸⁹"[int(digit)] for digit in str(power))


def comparison_chart(title: str, holds: Sequence[tuple[str, float, bool]]) -> Markup:
    """Holds beside each other, one bar each; the changed table in a colour of its own. A player's edge goes left."""
    wide, left, right, high, top = 720.0, 150.0, 110.0, 30.0, 12.0
    low, most = min(0.0, *(hold for _, hold, _ in holds)), max(0.0, *(hold for _, hold, _ in holds))
    scale = (wide - left - right) / ((most - low) or 1.0)
    zero, bottom = left - low * scale, top + high * len(holds)
    parts: list[object] = []
    for row, (name, hold, changed) in enumerate(holds):
        y, end = top + high * row, zero + hold * scale
        colour = MARK if changed else GAIN if hold >= 0 else LOSS
        x, width = min(zero, end), max(abs(end - zero), 1.5)
        parts += [
            text(name, left - 12, y + 20, 14, anchor="end", fit=left - 16, font_weight=600),
            element("rect", x=x, y=y + 5, width=width, height=high - 10, rx=3, fill=colour),
            text(f"{100 * hold:.4f} %", max(end, zero) + 8, y + 20, 13.5, anchor="start"),
        ]
    parts.append(element("line", x1=zero, x2=zero, y1=top - 4, y2=bottom + 4, stroke=INK, stroke_width=1.2))
    about = "; ".join(f"{name}: {100 * hold:.4f} percent" for name, hold, _ in holds)
    return drawing(title, about, (wide, bottom + 10), *parts, font_family=FONT)


def break_even_chart(title: str, line: MeterLine, others: int) -> Markup:
    """The player's expected value against the meter, with the meters at which it is nothing, the seed and the mean."""
    wide, tall, left, right, top, foot = 780.0, 380.0, 78.0, 52.0, 46.0, 54.0
    values = [value for points in (line.alone, line.full) for _, value in points]
    low, most = min(*values, 0.0), max(*values, 0.0)
    reach = line.alone[-1][0] or 1.0

    def x(dollars: float) -> float:
        return left + (wide - left - right) * dollars / reach

    def y(value: float) -> float:
        return top + (tall - top - foot) * (most - value) / ((most - low) or 1.0)

    parts: list[object] = []
    for dollars in ticks(0.0, reach):
        parts.append(element("line", x1=x(dollars), x2=x(dollars), y1=top, y2=tall - foot, stroke=GRID))
        parts.append(text(f"${dollars:,.0f}", x(dollars), tall - foot + 20, 12.5, fill=SOFT))
    for value in ticks(low, most):
        strong = abs(value) < 1e-12
        colour, width = (INK, 1.4) if strong else (GRID, 1)
        parts.append(
            element("line", x1=left, x2=wide - right, y1=y(value), y2=y(value), stroke=colour, stroke_width=width)
        )
        parts.append(text(f"{100 * value:+.0f} %" if not strong else "0 %", left - 8, y(value) + 4, 12.5, anchor="end"))
    drawn: list[tuple[tuple[tuple[float, float], ...], Fraction, str, str | None]] = [
        (line.alone, line.even_alone, GAIN, None)
    ]
    if line.full != line.alone:
        drawn.append((line.full, line.even_full, "#14324d", "7 5"))
    for points, even, colour, dashes in drawn:
        path = "M" + "L".join(f"{x(dollars):.2f} {y(value):.2f}" for dollars, value in (points[0], points[-1]))
        parts.append(element("path", d=path, stroke=colour, stroke_width=3, fill="none", stroke_dasharray=dashes))
        if 0 <= float(even) <= reach:
            parts.append(element("circle", cx=x(float(even)), cy=y(0.0), r=6, fill=colour, stroke=PAPER))
    for amount, name in ((line.seed, "seed"), (line.mean, "long-run mean")):
        at = x(float(amount))
        parts.append(
            element("line", x1=at, x2=at, y1=top, y2=tall - foot, stroke=MARK, stroke_width=1.5, stroke_dasharray="3 4")
        )
        parts.append(text(name, at + 5, tall - foot - 8, 12, anchor="start", fill=MARK))
    for row, (_, even, colour, dashes) in enumerate(drawn):
        who = "alone" if row == 0 else f"with {others} others"
        start = left + 330 * row
        parts += [
            element(
                "line", x1=start, x2=start + 34, y1=20, y2=20, stroke=colour, stroke_width=3, stroke_dasharray=dashes
            ),
            text(f"{who}: even at ${float(even):,.2f}", start + 42, 25, 13.5, anchor="start", font_weight=600),
        ]
    parts.append(text("amount on the meter", (left + wide - right) / 2, tall - 10, 12.5, fill=SOFT))
    about = f"The player's expected value is nothing at ${float(line.even_alone):,.2f} alone"
    about += f" and at ${float(line.even_full):,.2f} with {others} others."
    return drawing(title, about, (wide, tall), *parts, font_family=FONT)


def ticks(low: float, high: float, about: int = 6) -> list[float]:
    """Round numbers between two ends, nothing among them where it lies between.

    >>> ticks(-0.31, 0.12)
    [-0.3, -0.2, -0.1, 0.0, 0.1]
    """
    span = (high - low) or 1.0
    raw = span / about
    power = 10.0 ** floor(log10(raw))
    step = next(power * factor for factor in (1, 2, 2.5, 5, 10) if power * factor >= raw * 0.999)
    return [round(at * step, 12) + 0.0 for at in range(ceil(low / step - 1e-9), floor(high / step + 1e-9) + 1)]


def strategy_chart(title: str, charts: Sequence[Chart]) -> Markup:
    """What to do with which hand, one decision below the other; a cell of two colours depends on more."""
    parts: list[Markup] = []
    wide = high = 0.0
    for chart in charts:
        drawn, across, down = _decision(chart)
        parts.append(element("g", *drawn, transform=f"translate(0 {high:g})"))
        wide, high = max(wide, across), high + down
    about = "; ".join(
        f"{chart.title}{': ' * bool(chart.title)}{len(chart.rows)} groups of hands by {len(chart.columns)} columns, "
        f"choices {', '.join(chart.names)}"
        for chart in charts
    )
    return drawing(title, f"{about}.", (wide, high), *parts, font_family=FONT)


def _decision(chart: Chart) -> tuple[list[Markup], float, float]:
    """One chart, and how wide and high it is."""
    names, columns, short = chart.names, chart.columns, _short(chart.names)
    left, high, top = 250.0, 24.0, 74.0 + 26 * bool(chart.title)
    cell = 200.0 if len(columns) == 1 else max(46.0, 320.0 / len(columns))
    parts = [text(chart.title, 10, 22, 17, anchor="start", font_weight=600)] if chart.title else []
    start, legend = 10.0, top - 64
    for name, colour in zip(names, CHOICES, strict=False):
        ink = PAPER if colour in DARK else INK
        parts += [
            element("rect", x=start, y=legend, width=30, height=20, rx=3, fill=colour, stroke=SOFT, stroke_width=0.7),
            text(short[name], start + 15, legend + 15, 13, fill=ink, font_weight=600),
            text(name.replace("_", " "), start + 38, legend + 15, 14, anchor="start"),
        ]
        start += 62 + 8.2 * len(name)
    if columns != ("",):
        parts.append(text(chart.over, left - 12, top - 10, 13, anchor="end", fill=SOFT))
    for at, column in enumerate(columns):
        parts.append(text(column, left + cell * (at + 0.5), top - 10, 14, font_weight=600))
    for place, row in enumerate(chart.rows):
        y = top + high * place
        said = row.first if row.first == row.last else f"{row.first} to {row.last}"
        parts.append(text(said, left - 12, y + 17, 13, anchor="end", fit=left - 18))
        for at, shares in enumerate(row.shares):
            parts += _cell(left + cell * at, y, cell, high, [short[name] for name in names], shares)
    return parts, max(left + cell * len(columns), start) + 10, top + high * len(chart.rows) + 8


def _cell(x: float, y: float, wide: float, high: float, short: Sequence[str], shares: Sequence[float]) -> list[Markup]:
    taken = [(name, share, colour) for name, share, colour in zip(short, shares, CHOICES, strict=False) if share > 0]
    parts = [element("rect", x=x, y=y, width=wide, height=high, fill=PAPER, stroke=PAPER)]
    start = x + 0.75
    for name, share, colour in taken:
        width = (wide - 1.5) * share
        parts.append(element("rect", x=start, y=y + 0.75, width=width, height=high - 1.5, fill=colour))
        if width >= 9 + 6 * len(name):
            ink = PAPER if colour in DARK else INK
            parts.append(text(name, start + width / 2, y + 17, 12.5, fill=ink, font_weight=600))
        start += width
    return parts


def _short(names: Sequence[str]) -> dict[str, str]:
    """A letter or a multiple for each choice: ``F``, ``1x``, ``3x``; two letters where one is not enough."""
    first = [name[:1] for name in names if " " not in name]
    letters = {name: name[: first.count(name[:1])].capitalize() for name in names}
    return {name: name.rpartition(" ")[2] if " " in name else letters[name] for name in names}
