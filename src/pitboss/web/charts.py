"""Plots of the Analyst: results, holds beside each other, break-even lines and convergence; the chart of a strategy.

Every number that they show also stands in them as text, so nothing depends on color or on a fine eye.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from pitboss.paper.model import CellKind, Column, Listing, Plot, PlotKind
from pitboss.paper.plot import ticks
from pitboss.paper.say import decimals
from pitboss.reports.svg import FONT, Markup, drawing, element, label
from pitboss.web.play_analysis import Chart, MeterLine

INK, SOFT, PAPER, MARK = "#14211b", "#56635b", "#ffffff", "#8a6a00"
CHOICES: Final = ("#e9e4d8", "#bfe0cd", "#6fb794", "#0b5d3b", "#14324d", "#8a6a00", "#7a2e1d", "#4b3a78")
"""From doing nothing to the largest wager, for as many choices as any game has; ink on light ones, paper on dark."""
DARK: Final = frozenset(CHOICES[3:])


def text(shown: object, x: float, y: float, size: float = 13, *, anchor: str = "middle", **more: Any) -> Markup:
    return label(shown, x, y, size, anchor=anchor, **{"fill": INK, **more})


def noted(title: str, about: str, board: tuple[float, float], parts: Sequence[object], note: str) -> Markup:
    """A chart with a line of text below it, which says what it holds under where that is not the law's table."""
    wide, high = board
    below = [text(note, 10, high + 16, 13, anchor="start", fit=wide - 20, fill=MARK, font_weight=600)] if note else []
    return drawing(title, about, (wide, high + (26 if note else 0)), *parts, *below, font_family=FONT)


def distribution_plot(
    title: str,
    shown: Mapping[Fraction, Fraction],
    law: Mapping[Fraction, Fraction] | None = None,
    note: str = "",
) -> Plot:
    """A bar for each net result on a scale of powers of ten; a stroke marks the law's chance where it differs."""
    law = law or {}
    nets = sorted({net for source in (shown, law) for net, chance in source.items() if chance})
    columns = (
        Column("net", "Net", CellKind.NET),
        Column("chance", "Probability", CellKind.CHANCE),
        *((Column("law", "Under the law's table", CellKind.CHANCE),) if law else ()),
    )
    rows = tuple((net, shown.get(net) or None, *((law.get(net),) if law else ())) for net in nets)
    tones = tuple("bad" if net < 0 else "good" if net > 0 else "" for net in nets)
    up = ("chance", "law") if law else ("chance",)
    return Plot(
        Listing("distribution", columns, rows), title, "net", up, logarithmic=True, tones=tones, note=note, tabled=False
    )


def comparison_plot(title: str, holds: Sequence[tuple[str, float, bool]]) -> Plot:
    """Holds beside each other, one bar each, the changed table in its own color. A player's edge goes left."""
    columns = Column("table", "Table"), Column("hold", "Hold", CellKind.PERCENT)
    rows = tuple((name, hold) for name, hold, _ in holds)
    tones = tuple("marked" if changed else "good" if hold >= 0 else "bad" for _, hold, changed in holds)
    return Plot(Listing("holds", columns, rows), title, "table", ("hold",), tones=tones, tabled=False)


def break_even_plot(title: str, line: MeterLine, others: int, note: str = "") -> Plot:
    """The player's expected value against the meter, which breaks even where the line crosses zero."""
    columns = [
        Column("meter", "Amount on the meter", CellKind.MONEY),
        Column("alone", f"alone: even at {_dollars(line.even_alone)}", CellKind.PERCENT),
    ]
    series = [line.alone]
    if line.full != line.alone:
        even = _dollars(line.even_full)
        columns.append(Column("full", f"with {others} others: even at {even}", CellKind.PERCENT))
        series.append(line.full)
    rows = tuple((round(100 * points[0][0]), *(value for _, value in points)) for points in zip(*series, strict=True))
    listing = Listing(f"break_even_{line.tier}", tuple(columns), rows)
    up = tuple(column.key for column in columns[1:])
    marks = (("seed", float(100 * line.seed)), ("long-run mean", float(100 * line.mean)))
    return Plot(listing, title, "meter", up, PlotKind.LINES, marks=marks, note=note, tabled=False)


def convergence_plot(title: str, means: Sequence[tuple[int, float, float]], exact: float | None) -> Plot:
    """The mean of a simulation after so many rounds, between bounds of two standard errors, beside the exact one."""
    columns = [
        Column("rounds", "Rounds", CellKind.COUNT),
        Column("mean", "Mean so far", CellKind.PERCENT),
        Column("lower", "Two standard errors lower", CellKind.PERCENT),
        Column("upper", "Two standard errors higher", CellKind.PERCENT),
        *([Column("exact", "Exact", CellKind.PERCENT)] if exact is not None else []),
    ]
    more = () if exact is None else (exact,)
    rows = tuple((rounds, mean, mean - 2 * error, mean + 2 * error, *more) for rounds, mean, error in means)
    up = tuple(column.key for column in columns[1:])
    listing = Listing("convergence", tuple(columns), rows)
    return Plot(listing, title, "rounds", up, PlotKind.LINES, tabled=False)


def holds_line(holds: Sequence[tuple[str, float, bool]]) -> Markup:
    """Holds of pay tables on one line, the changed table above it. A table with the same figures is a link away."""
    values = [hold for _, hold, _ in holds]
    low, high = min(values), max(values)
    room = (high - low) * 0.1 or 0.005
    low, high = low - room, high + room
    wide, middle = 360.0, 58.0

    def x(hold: float) -> float:
        return 16 + (wide - 32) * (hold - low) / (high - low)

    parts = [element("path", d=f"M6 {middle:g}H{wide - 6:g}", class_="an-axis")]
    for value in ticks(low, high, 5):
        parts.append(element("path", d=f"M{x(value):.1f} {middle:g}v6", class_="an-axis"))
        parts.append(label(f"{100 * value:g} %".replace("-", "−"), x(value), middle + 20, 12, class_="an-tick"))
    ordered = sorted(holds, key=lambda each: each[1])
    ends = [-9.0, -9.0, -9.0]
    for name, hold, changed in ordered:
        if changed:
            parts.append(element("circle", cx=x(hold), cy=middle, r=8, class_="an-yours"))
            parts.append(label(name, max(22.0, min(x(hold), wide - 22)), 12, 13, class_="an-yours-name"))
            continue
        half = 4.2 * len(name)
        row = next((at for at, end in enumerate(ends) if x(hold) - half > end + 4), len(ends) - 1)
        ends[row] = x(hold) + half
        parts.append(element("circle", cx=x(hold), cy=middle, r=5, class_="an-printed"))
        parts.append(label(name, x(hold), (middle - 12, middle + 38, middle - 28)[row], 13, class_="an-name"))
    words = "; ".join(f"{name} {100 * hold:.4f} %" for name, hold, _ in ordered).replace("-", "−")
    high_enough = middle + 46
    return element(
        "svg",
        *parts,
        viewBox=f"0 0 {wide:g} {high_enough:g}",
        class_="an-line",
        role="img",
        aria_label=f"Holds: {words}",
    )


def _dollars(amount: Fraction) -> str:
    return f"${decimals(amount, 2)}"


def strategy_chart(title: str, charts: Sequence[Chart], note: str = "") -> Markup:
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
    return noted(title, f"{about}.", (wide, high), parts, note)


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
