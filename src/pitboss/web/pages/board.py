"""What dice or a wheel have shown at a table: the last throws, how often each came, and how little that says."""

from collections import Counter
from collections.abc import Sequence
from html import escape
from math import cbrt, erfc, sqrt

from pitboss.games.chance import counted, spoken_of, thrown
from pitboss.games.rules import Rules
from pitboss.law.model import Face
from pitboss.reports.numbers import colour_of, is_wheel
from pitboss.reports.svg import element, label

LAST = 20
"""Throws that the board shows one by one."""
FEW = 5
"""Throws that each face should have come to before a chi-square means anything."""
RARE = 0.001
INK = "#26303a"


def board_html(rules: Rules, throws: Sequence[Sequence[Face]]) -> str:
    """The last throws, newest first, then all of them counted."""
    step = thrown(rules)
    if step is None:
        return ""
    if not throws:
        return '<p class="pb-soft pb-small">Nothing has been thrown here yet.</p>'
    shown = "".join(_throw(each, is_wheel(rules)) for each in reversed(throws[-LAST:]))
    faces = sorted(counted(step), key=lambda face: (int(face), str(face)))
    counts = Counter(face for each in throws for face in each)
    ordered = [(face, counts[face]) for face in faces]
    things = spoken_of(rules).things
    return (
        f'<h2 class="pb-small">Last throws of the {things}, newest first</h2><div class="pb-throws">{shown}</div>'
        f'{_bars(ordered, is_wheel(rules))}<p class="pb-soft pb-small">{escape(_judged(ordered))}</p>'
    )


def _throw(faces: Sequence[Face], wheel: bool) -> str:
    ground = colour_of(faces[0]) if wheel else INK
    style = f"background:{ground};color:#fff;border-radius:6px;padding:2px 7px;margin:2px;display:inline-block"
    return f'<span class="pb-throw" style="{style}">{escape(" ".join(map(str, faces)))}</span>'


def _bars(counts: Sequence[tuple[Face, int]], wheel: bool) -> str:
    """One bar for each face; what came most often is the full height."""
    most, wide = max(many for _, many in counts), 720 / len(counts)
    parts = []
    for at, (face, many) in enumerate(counts):
        high = 60 * many / most
        fill = colour_of(face) if wheel else "currentColor"
        x, told = at * wide, element("title", f"{face}: {many}")
        parts.append(element("rect", told, x=x + 1, y=64 - high, width=wide - 2, height=high, fill=fill))
        parts.append(label(face, x + wide / 2, 77, 11, fill="currentColor"))
    about = "How often each number came: " + ", ".join(f"{face} {many}" for face, many in counts)
    return str(element("svg", *parts, viewBox="0 0 720 82", role="img", aria_label=about, class_="pb-bars"))


def _judged(counts: Sequence[tuple[Face, int]]) -> str:
    """What the counts say about the device, and what they do not say about the next throw."""
    total, often = sum(many for _, many in counts), max(many for _, many in counts)
    hot = ", ".join(str(face) for face, many in counts if many == often)
    said = f"Most often so far: {hot}, {often} of {total}. That makes nothing likelier: no throw remembers another."
    if total < FEW * len(counts):
        return f"{said} Too few throws to judge the device by."
    expected = total / len(counts)
    statistic, degrees = sum((many - expected) ** 2 for _, many in counts) / expected, len(counts) - 1
    ninth = 2 / (9 * degrees)  # by the cube root of Wilson and Hilferty, which is nearly normal
    p = erfc((cbrt(statistic / degrees) - (1 - ninth)) / sqrt(2 * ninth)) / 2
    verdict = "a fair device shows the like" if p > RARE else "fewer than one fair device in a thousand shows this"
    return f"{said} χ² = {statistic:.1f} with {degrees} degrees of freedom, p about {p:.3f}: {verdict}."
