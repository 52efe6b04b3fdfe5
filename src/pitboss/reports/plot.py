"""A small bar plot of our own: how often each result comes, on a scale of powers of ten."""

from collections.abc import Mapping
from fractions import Fraction
from math import log10

from pitboss.reports.offer import fixed
from pitboss.reports.svg import FONT, Markup, drawing, element, label, rect

BOARD, LEFT, RIGHT, ROW, TOP = 720.0, 86.0, 170.0, 19.0, 26.0
LOSS, EVEN, GAIN, GRID = "#8f1d2c", "#5f6770", "#1a5640", "#d8d3c3"


def net_text(net: Fraction) -> str:
    """A result with its sign: ``+3``, ``−1``, ``+1.5``."""
    shown = f"{net.numerator:,}" if net.denominator == 1 else fixed(net, 4).rstrip("0")
    return f"+{shown}" if net > 0 else shown.replace("-", "−")


def chance_text(chance: Fraction) -> str:
    """A probability, to six digits that count."""
    digits = 6
    while digits < 18 and chance * 10**digits < 100_000 and chance:
        digits += 1
    return fixed(chance, min(digits, 12))


def bars(title: str, distribution: Mapping[Fraction, Fraction]) -> Markup:
    """One bar for each net result, losses, returns and gains in colours of their own; the numbers stand beside it."""
    shown = {net: chance for net, chance in sorted(distribution.items()) if chance}
    decades = max(1, *(int(-log10(float(chance))) + 1 for chance in shown.values()))
    room = BOARD - LEFT - RIGHT
    high = TOP + ROW * len(shown) + 10
    grid = []
    for power in range(decades + 1):
        x = LEFT + room * (1 - power / decades)
        grid.append(element("path", d=f"M{x:.2f} {TOP - 4:g}V{high - 8:g}", stroke=GRID, stroke_width=1))
        if power % (1 if decades <= 6 else 2) == 0:
            grid.append(label(f"10⁻{_raised(power)}" if power else "1", x, TOP - 9, 12, fill=EVEN))
    rows = []
    for at, (net, chance) in enumerate(shown.items()):
        y = TOP + ROW * at
        long = room * (1 + log10(float(chance)) / decades)
        colour = LOSS if net < 0 else GAIN if net > 0 else EVEN
        rows += [
            label(net_text(net), LEFT - 8, y + 13, 13, anchor="end", fit=LEFT - 12, fill="#15181c"),
            rect(LEFT, y + 2, max(long, 1.5), ROW - 5, rx=2, fill=colour),
            label(chance_text(chance), BOARD - RIGHT + 10, y + 13, 13, anchor="start", fit=RIGHT - 12, fill="#15181c"),
        ]
    about = f"Net results and their probabilities on a logarithmic scale: {len(shown)} results."
    return drawing(title, about, (BOARD, high), *grid, *rows, font_family=FONT)


def _raised(power: int) -> str:
    return "".join("⁰¹²³⁴⁵⁶⁷⁸⁹"[int(digit)] for digit in str(power))
