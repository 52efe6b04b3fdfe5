"""A layout of numbers: a chip within a box, on a line or on a corner covers the numbers that meet there.

Where a wager lies follows from the numbers on which it wins, so nothing here knows a wager. Measures are in widths and
heights of one number's box; zeros stand at the left, and three numbers in each of twelve columns beside them.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from math import cos, pi, sin

from pitboss.games.chance import RED, counted, thrown
from pitboss.games.numbers import covered
from pitboss.games.rules import Rules
from pitboss.law.model import Face
from pitboss.reports.board import BRASS, CREAM, Box
from pitboss.reports.spots import Shape, Spot, shared_spots
from pitboss.reports.svg import SERIF, Markup, element, label

ACROSS, DOWN = 12, 3
WIDE = ACROSS + 2.0
"""The zeros, twelve columns, and the boxes at their end."""
OUTSIDE, POINT = 0.72, 0.49
"""How high the boxes below the numbers are, and how large a place on a line."""
GREEN, REDDISH, BLACKISH = "#1c6b3c", "#9a1f2e", "#17191c"
Boxes = Mapping[Face, Box]


@dataclass(frozen=True)
class Laid:
    """A spot in its place."""

    spot: Spot
    box: Box


def colour_of(face: Face) -> str:
    return GREEN if int(face) == 0 else REDDISH if face in RED else BLACKISH


def is_wheel(rules: Rules) -> bool:
    step = thrown(rules)
    return step is not None and step.to == "wheel"


def number_boxes(rules: Rules) -> dict[Face, Box]:
    """Every number that counts: zeros one above the other, then 1 to 36 from the lower left."""
    step = thrown(rules)
    assert step is not None
    zeros = sorted((face for face in counted(step) if int(face) == 0), key=str)
    tall = DOWN / len(zeros)
    boxes: dict[Face, Box] = {face: Box(0, DOWN - tall * (at + 1), 1, tall) for at, face in enumerate(zeros)}
    for number in range(1, ACROSS * DOWN + 1):
        boxes[number] = Box(1.0 + (number - 1) // DOWN, float(DOWN - 1 - (number - 1) % DOWN), 1, 1)
    return boxes


def laid_out(rules: Rules) -> tuple[Laid, ...]:
    """Every wager that all seats share, boxes before what lies on their lines."""
    boxes, around = number_boxes(rules), thrown(rules)
    assert around is not None
    spots = [(spot, covered(rules, spot.name)) for spot in shared_spots(rules)]
    broad = [spot for spot, numbers in spots if len(numbers) > ACROSS]
    found = []
    for spot, numbers in spots:
        if len(numbers) > ACROSS:
            each = ACROSS / len(broad)
            box = Box(1 + each * broad.index(spot), DOWN + OUTSIDE, each, OUTSIDE)
        elif spot.numbers and len(spot.numbers) == 1 != len(numbers) and _neighbours(numbers, around.faces):
            box = _on_wheel(spot.numbers[0], around.faces)
            found.append(Laid(replace(spot, shape="number", fill=colour_of(spot.numbers[0]), wheel=True), box))
            continue
        else:
            box = _place(numbers, boxes)
        shape: Shape = "number" if len(numbers) == 1 else "area" if len(numbers) >= ACROSS else "point"
        fill = colour_of(next(iter(numbers))) if len(numbers) == 1 else _one_colour(numbers)
        on = tuple(sorted(numbers, key=int))
        words = spot.words if len(numbers) != ACROSS or box.wide == 1 else f"{on[0]} to {on[-1]}"
        found.append(Laid(replace(spot, shape=shape, fill=fill, numbers=on, words=words, wheel=True), box))
    return tuple(sorted(found, key=lambda laid: laid.spot.shape == "point"))


def _neighbours(numbers: frozenset[Face], faces: tuple[Face, ...]) -> bool:
    """Whether a wager is on compartments side by side, and not on numbers that meet on the layout."""
    twice = (*faces, *faces)
    return any(numbers == {*twice[at : at + len(numbers)]} for at in range(len(faces)))


def _on_wheel(number: Face, faces: tuple[Face, ...]) -> Box:
    """The place of a number in the replica of the wheel: two rows below the layout, in the order around it."""
    half = (len(faces) + 1) // 2
    at, wide = faces.index(number), WIDE / half
    upper = at < half
    across = at if upper else len(faces) - 1 - at
    return Box(wide * across, DOWN + 2 * OUTSIDE + (0.2 if upper else 0.2 + OUTSIDE), wide, OUTSIDE)


def _one_colour(numbers: Iterable[Face]) -> str:
    colours = {colour_of(number) for number in numbers}
    return colours.pop() if len(colours) == 1 else ""


def _place(numbers: frozenset[Face], boxes: Boxes) -> Box:
    """The box of one number, where several meet, at the end of a row of twelve, or below what does not meet."""
    chosen = [boxes[number] for number in numbers]
    if len(chosen) == 1:
        return chosen[0]
    left, right = max(box.x for box in chosen), min(box.x + box.wide for box in chosen)
    top, low = max(box.y for box in chosen), min(box.y + box.high for box in chosen)
    if left <= right and top <= low:
        return _point((left + right) / 2, (top + low) / 2)
    first, last = min(box.x for box in chosen), max(box.x + box.wide for box in chosen)
    if len(chosen) < ACROSS:
        return _point((first + last) / 2, DOWN)
    return Box(last, chosen[0].y, 1, 1) if top < low else Box(first, DOWN, last - first, OUTSIDE)


def _point(x: float, y: float) -> Box:
    return Box(x - POINT / 2, y - POINT / 2, POINT, POINT)


def scaled(box: Box, x: float, y: float, wide: float, high: float) -> Box:
    """A box of the layout whose upper left corner is put at a point; places on lines stay square."""
    if box.wide == box.high == POINT:
        size = POINT * min(wide, high)
        return Box(x + (box.x + POINT / 2) * wide - size / 2, y + (box.y + POINT / 2) * high - size / 2, size, size)
    return Box(x + box.x * wide, y + box.y * high, box.wide * wide, box.high * high)


def wheel_svg(faces: tuple[Face, ...], shown: Face | None, x: float, y: float, radius: float) -> Markup:
    """The wheel with its numbers in their order, the ball where it came to rest, and that number in the middle."""
    step = 2 * pi / len(faces)
    ball = faces.index(shown) if shown in faces else None
    parts = [element("circle", cx=x, cy=y, r=radius, fill="#3b2417", stroke=BRASS, stroke_width=radius / 40)]
    parts += _compartments(faces, x, y, radius, step)
    parts.append(element("circle", cx=x, cy=y, r=radius * 0.56, fill="#241a14", stroke=BRASS))
    if ball is not None and shown is not None:
        at = step * ball - pi / 2
        parts += [
            element(
                "circle", cx=x + radius * 0.64 * cos(at), cy=y + radius * 0.64 * sin(at), r=radius * 0.055, fill=CREAM
            ),
            element(
                "circle", cx=x, cy=y, r=radius * 0.4, fill=colour_of(shown), stroke=CREAM, stroke_width=radius / 40
            ),
            label(shown, x, y + radius * 0.15, radius * 0.42, fill=CREAM, font_weight="bold", font_family=SERIF),
        ]
    return element("g", *parts, class_="wheel", data_face=shown)


def _disc(x: float, y: float, radius: float, fill: str) -> Markup:
    return element("circle", cx=x, cy=y, r=radius, fill=fill, stroke=CREAM)


def _compartments(faces: tuple[Face, ...], x: float, y: float, radius: float, step: float) -> Iterator[Markup]:
    outer, inner = radius * 0.96, radius * 0.7
    for at, face in enumerate(faces):
        one, other = step * (at - 0.5) - pi / 2, step * (at + 0.5) - pi / 2
        path = (
            f"M{x + outer * cos(one):.2f} {y + outer * sin(one):.2f}"
            f"A{outer:.2f} {outer:.2f} 0 0 1 {x + outer * cos(other):.2f} {y + outer * sin(other):.2f}"
            f"L{x + inner * cos(other):.2f} {y + inner * sin(other):.2f}"
            f"A{inner:.2f} {inner:.2f} 0 0 0 {x + inner * cos(one):.2f} {y + inner * sin(one):.2f}Z"
        )
        yield element("path", d=path, fill=colour_of(face), stroke=BRASS, stroke_width=radius / 120)
        middle, turn = step * at - pi / 2, 360 * at / len(faces)
        px, py = x + radius * 0.81 * cos(middle), y + radius * 0.81 * sin(middle)
        rotate = f"rotate({turn:.2f} {px:.2f} {py:.2f})"
        yield label(face, px, py, radius * 0.105, fill=CREAM, transform=rotate)
