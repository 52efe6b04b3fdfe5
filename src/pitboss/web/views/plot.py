"""The line of a practice session: the result after each round beside what was to be expected, mistakes marked."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from pitboss.money import Cents, show_dollars
from pitboss.reports.svg import element, label
from pitboss.web.render import joined

WIDE, HIGH, LEFT, RIGHT, TOP, LOW = 320.0, 132.0, 52.0, 8.0, 10.0, 112.0


@dataclass(frozen=True)
class Point:
    """The session after one round, in cents."""

    number: int
    result: Cents
    expected: Fraction
    mistake: Fraction
    """What mistakes in the round cost on average."""


def session_plot(points: Sequence[Point]) -> str:
    """Draw the session. A table with the same figures stands beside it."""
    values = [0.0, *(float(each.result) for each in points), *(float(each.expected) for each in points)]
    low, high = min(values), max(values)
    low, high = (low - 1000, high + 1000) if high - low < 2000 else (low, high)
    last = points[-1].number

    def x(number: float) -> float:
        return LEFT + (WIDE - LEFT - RIGHT) * number / last

    def y(amount: float) -> float:
        return TOP + (LOW - TOP) * (high - amount) / (high - low)

    def line(kind: str, amounts: Sequence[float]) -> str:
        steps = " ".join(f"{x(at):.1f},{y(each):.1f}" for at, each in enumerate([0.0, *amounts]))
        return element("polyline", points=steps, class_=f"plot-{kind}", fill="none")

    grid = [
        part
        for amount in dict.fromkeys((high, 0.0, low))
        for part in (
            element("path", d=f"M{LEFT:g} {y(amount):.1f}H{WIDE - RIGHT:g}", class_="plot-grid"),
            label(_short(amount), LEFT - 5, y(amount) + 4, 11, anchor="end", class_="plot-text"),
        )
    ]
    marks = [
        element(
            "circle",
            element("title", f"Round {each.number}: mistakes cost {show_dollars(round(each.mistake))}"),
            cx=x(each.number),
            cy=y(each.result),
            r=4,
            class_="plot-mistake",
        )
        for each in points
        if each.mistake
    ]
    words = (
        f"Result after {last} round{'s' if last != 1 else ''}: {_short(points[-1].result)}; "
        f"expected {_short(float(points[-1].expected))}; rounds with a mistake: {len(marks)}."
    )
    drawn = element(
        "svg",
        *grid,
        line("expected", [float(each.expected) for each in points]),
        line("result", [float(each.result) for each in points]),
        *marks,
        element("circle", cx=x(last), cy=y(points[-1].result), r=3.5, class_="plot-end"),
        label("Round 1", LEFT, HIGH - 3, 11, anchor="start", class_="plot-text"),
        label(last, WIDE - RIGHT, HIGH - 3, 11, anchor="end", class_="plot-text"),
        viewBox=f"0 0 {WIDE:g} {HIGH:g}",
        class_="plot",
        role="img",
        aria_label=words,
    )
    return joined([drawn])


def _short(cents: float) -> str:
    dollars = round(abs(cents) / 100)
    return f"{'' if not dollars else '−' if cents < 0 else '+'}${dollars:,}"
