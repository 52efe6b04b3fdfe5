"""A small picture of each game, of its own cards, dice or wheel."""

from collections.abc import Iterator
from functools import cache
from typing import Final

from pitboss.games.chance import thrown
from pitboss.games.deal import deal_of
from pitboss.games.registry import GAMES
from pitboss.games.rules import Rules
from pitboss.reports.cards import HEIGHT, WIDTH, placed, symbols_of
from pitboss.reports.dice import die_svg
from pitboss.reports.numbers import is_wheel, wheel_svg
from pitboss.reports.svg import Markup, drawing, element, rect
from pitboss.web.practice import PracticeGame

WIDE, HIGH = 320.0, 180.0
FELTS: Final = (
    "#1b674c",
    "#1c4f78",
    "#7a2233",
    "#2c3569",
    "#1f6b6b",
    "#5b2d6b",
    "#6b5318",
    "#1d5f78",
    "#7a4317",
    "#6a1d38",
)
"""One after the other, so that neighbors differ."""
HANDS: Final = (
    ("Qh", "Kh", "Ah", "Jh", "Th", "9c", "4d"),
    ("9s", "9h", "9d", "9c", "As", "7d", "2c"),
    ("Js", "Jc", "4s", "8h", "Kd", "Ac", "5d"),
    ("7d", "7s", "Kc", "Ad", "2h", "Ts", "6c"),
)
BOARD: Final = ("4h", "5s", "7h", "3d", "4c", "Qd")


@cache
def picture(game: str) -> str:
    """As many cards as the game deals to a player and to the board; or dice, or the wheel."""
    rules = PracticeGame(game, others=()).scene().rules
    assert rules is not None
    number = [*GAMES].index(game)
    title = GAMES[game].chapter.title
    edge = f"M0 {HIGH - 22:g}Q{WIDE / 2:g} {HIGH + 12:g} {WIDE:g} {HIGH - 22:g}"
    return drawing(
        title,
        f"{title} as a small picture.",
        (WIDE, HIGH),
        rect(0, 0, WIDE, HIGH, fill=FELTS[number % len(FELTS)]),
        element("ellipse", cx=WIDE / 2, cy=40.0, rx=190.0, ry=100.0, fill="#fff", fill_opacity=0.08),
        element("path", d=edge, fill="none", stroke="#dcc07c", stroke_opacity=0.5, stroke_width=2.0),
        *_inside(rules, HANDS[number % len(HANDS)]),
    )


def _inside(rules: Rules, hand: tuple[str, ...]) -> Iterator[Markup]:
    if (throw := thrown(rules)) is not None:
        if is_wheel(rules):
            yield wheel_svg(throw.faces, throw.faces[len(throw.faces) // 3], WIDE / 2, HIGH / 2, 80.0)
        else:
            for at, face in enumerate((4, 1, 6)[: throw.dice]):
                yield die_svg(face, 78.0 + 58 * at, 68.0 - 14 * (at % 2), 50.0)
        return
    steps = deal_of(rules).steps
    own = min(sum(step.brings("players") + step.brings("players+dealer") for step in steps), len(hand))
    board = min(sum(step.brings("community") for step in steps), len(BOARD))
    shared = tuple(card for card in BOARD if card not in hand[:own])[:board]
    yield symbols_of((*hand[:own], *shared))
    if shared:
        yield from _row(shared, 24.0, 50.0)
        yield from _row(hand[:own], 98.0, 54.0)
    else:
        yield from _fan(hand[:own])


def _row(cards: tuple[str, ...], y: float, width: float) -> Iterator[Markup]:
    gap = min(width + 5, (WIDE - 50 - width) / max(1, len(cards) - 1))
    x = (WIDE - width - gap * (len(cards) - 1)) / 2
    for at, card in enumerate(cards):
        yield placed(card, x + gap * at, y, width)


def _fan(cards: tuple[str, ...]) -> Iterator[Markup]:
    width = 74.0
    high = width * HEIGHT / WIDTH
    gap = min(width * 0.72, 190.0 / max(1, len(cards) - 1))
    for at, card in enumerate(cards):
        off = at - (len(cards) - 1) / 2
        x, y = WIDE / 2 - width / 2 + gap * off, (HIGH - high) / 2 - 4 + 2.2 * off * off
        turn = f"rotate({5 * off:g} {x + width / 2:g} {y + high:g})"
        yield element("g", placed(card, x, y, width), transform=turn)
