"""Dice: one face, drawn with pips in the places they have on a die."""

from functools import lru_cache

from pitboss.reports.svg import Markup, element, rect

PIPS = {0: "", 1: "5", 2: "37", 3: "357", 4: "1379", 5: "13579", 6: "134679"}
"""Which of nine places, counted row by row, have a pip; none before the die is read."""


@lru_cache(maxsize=1024)
def die_svg(face: int, x: float, y: float, size: float) -> Markup:
    """One die with its upper left corner at a point."""
    places = [int(place) - 1 for place in PIPS[face]]
    pips = (
        element("circle", cx=x + size * (0.25 + 0.25 * (at % 3)), cy=y + size * (0.25 + 0.25 * (at // 3)),
                r=size * 0.1, fill="#8f1d2c" if face == 1 else "#15181c")
        for at in places
    )  # fmt: skip
    paper = rect(x, y, size, size, rx=size / 6, fill="#fffdf7", stroke="#15181c")
    return element("g", paper, *pips, class_="die", opacity=None if face else 0.35, data_face=face or None)
