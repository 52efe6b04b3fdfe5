"""The layout of a table drawn to scale, with all that section .2 of the chapter requires, each with its paragraph.

As a document it is the drawing on one sheet and the list of its areas; as SVG alone, the drawing with that list below.

One unit of the drawing is a hundredth of an inch. The law sets no measures; those here are a proposal that fits chips
and cards, and the drawing says so.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pitboss.games.layout import inscribed, required_layout
from pitboss.games.rules import Rules
from pitboss.law.model import LayoutItem, source_of
from pitboss.names import several, shown
from pitboss.paper.model import SHEETS, CellKind, Column, Drawing, Listing, Paper, PaperSize, Passage, Row
from pitboss.reports.board import Box
from pitboss.reports.dice import die_svg
from pitboss.reports.numbers import WIDE, is_wheel, laid_out, scaled
from pitboss.reports.places import places_of, rolls
from pitboss.reports.spots import Spot, shared_rows
from pitboss.reports.stamp import WARNING, imprint, stamp_of
from pitboss.reports.svg import FONT, SERIF, Markup, drawing, element, halves, label, rect, width_of, wrapped
from pitboss.submission import Submission

Shape = Literal["circle", "box", "frame", "screen", "card", "cells", "places", "words"]
EDGE, STRIP, SIDE, TOP = 7400.0, 500.0, 250.0, 420.0
"""The straight edge, the strip along it, and the margins of the sheet, in hundredths of an inch."""
RADIUS = EDGE / 2
LEGEND = TOP + STRIP + RADIUS + 330
SCALE = 5
"""As SVG, an inch of the drawing is so many of the layout."""
SCALES = {"letter": 8, "tabloid": 6, "large": 3}
"""The same on a sheet of each size, wide side across."""
SIDES = (150.0, 150.0, EDGE + 2 * SIDE - 150.0, TOP + STRIP + RADIUS + 160.0)
"""Left, top, right and bottom of what a sheet shows: the layout, its seats and its measures."""
AREAS = (
    Column("no", "No.", CellKind.COUNT),
    Column("area", "Area or inscription", CellKind.SENTENCE),
    Column("for", "For"),
    Column("measure", "Measure proposed", rank=2),
    Column("paragraph", "Paragraph", CellKind.CITES),
    Column("rests on", "Rests on", rank=3),
)
SIZES: dict[Shape, tuple[float, float]] = {
    "circle": (320, 320), "box": (390, 250), "frame": (890, 400), "screen": (420, 230), "card": (280, 380),
    "cells": (325, 390), "places": (270, 215), "words": (0, 0),
}  # fmt: skip
ROWS = (3440.0, 3085.0, 2730.0, 2420.0, 2110.0, 1800.0)
"""How far the rows of a seat lie from the middle of the straight edge, the player's own first."""
INK, CLOTH, LINE, BRASS, PAPER = "#15181c", "#1a5640", "#fbf6e3", "#f0dfa8", "#ffffff"
DEVICES = ("wagering_device", "wagering_system", "_lock_out")
CELLS_AT, NUMBERS_AT = 1060.0, 720.0
"""How far areas that all players share, or numbers of a wheel, lie from the straight edge."""
SIGN = "rules_sign"
"""Required only where the layout does not say what the sign would; this drawing always says it."""


@dataclass(frozen=True)
class Area:
    """One entry of the law on this layout, with its number in the legend."""

    number: int
    item: LayoutItem
    words: str
    shape: Shape
    many: int = 1
    """Cards that lie there side by side, or numbers that may be chosen."""

    @property
    def size(self) -> tuple[float, float]:
        wide, high = SIZES[self.shape]
        return (wide * self.many, high) if self.shape == "card" else (wide, high)

    @property
    def measure(self) -> str:
        wide, high = self.size
        if self.shape == "words":
            return "sign" if self.item.item == SIGN else "lettering"
        if self.shape == "places":
            return f"{self.many} place{'s' if self.many > 1 else ''} on the numbers"
        each = f"{self.many} of " if self.shape == "cells" and self.many > 1 else ""
        return f"{wide / 100:g} in circle" if self.shape == "circle" else f"{each}{wide / 100:g} × {high / 100:g} in"


def areas_of(submission: Submission, rules: Rules) -> tuple[Area, ...]:
    """Every entry of the law in force for the submission, in the order of the law."""
    return tuple(
        Area(at, item, _words(item, submission, rules), _shape(item, rules), _many(item, rules))
        for at, item in enumerate(required_layout(rules), 1)
    )


def _words(item: LayoutItem, submission: Submission, rules: Rules) -> str:
    """What is written on the area; where the law leaves odds to a sign, that there is one."""
    fixed = {
        "certificate_holder": submission.certificate_holder,
        "payout_odds": "Payouts of every wager: see the sign at this table",
        SIGN: "Rules sign: not needed, this layout carries its words",
    }
    if item.item in fixed:
        return fixed[item.item]
    titles = {wager.name: wager.title for wager in rules.chapter.wagers}
    name = titles.get(item.item, shown(item.item)).replace(" Wager ", " ").removesuffix(" Wager")
    return inscribed(rules, item) or name[:1].upper() + name[1:]


def _shape(item: LayoutItem, rules: Rules) -> Shape:
    if item.item.endswith(DEVICES):
        return "screen"
    if item.item in places_of(rules):
        return "card"
    if item.per == "table":
        shared: Shape = "places" if is_wheel(rules) else "cells"
        return shared if item.item in rules.wagers else "words"
    wager = next((wager for wager in rules.chapter.wagers if wager.name == item.item), None)
    if wager is None and any(other.item.startswith(f"{item.item}_") for other in _seat_items(rules)):
        return "frame"
    return "circle" if wager is not None and wager.role != "side" else "box"


def _many(item: LayoutItem, rules: Rules) -> int:
    wager = rules.wagers.get(item.item)
    return (
        len(wager.names(rules.seats, rules.choices.device)) if wager is not None else places_of(rules).get(item.item, 1)
    )


def _seat_items(rules: Rules) -> list[LayoutItem]:
    """Areas that are no devices; a device is named after its wager and is not part of it."""
    return [item for item in required_layout(rules) if item.per == "player" and not item.item.endswith(DEVICES)]


def layout_paper(submission: Submission, rules: Rules, size: str = "letter", printed: int | None = None) -> Paper:
    """The drawing to scale and the list of its areas; ``size`` is a key of ``SHEETS``."""
    about, drawn, legend = layout_parts(submission, rules, SCALES[size])
    sheet = SHEETS[size]
    return Paper(
        "layout",
        drawn.words.partition(":")[0],
        (submission.certificate_holder, about),
        (Passage("", (drawn,)), Passage("Required by law", (legend,))),
        imprint(rules.as_of, printed),
        main="areas",
        sheet=PaperSize(sheet.high, sheet.wide),
    )


def layout_record(submission: Submission, rules: Rules) -> dict[str, Any]:
    """The areas of a layout as plain values."""
    rows = (
        dict(zip((each.key.replace(" ", "_") for each in AREAS), _row(area), strict=True))
        for area in areas_of(submission, rules)
    )
    return {
        "game": rules.game,
        "chapter": rules.chapter.chapter,
        "certificate_holder": submission.certificate_holder,
        "law": str(rules.as_of),
        "areas": [*rows],
    }


def layout_parts(submission: Submission, rules: Rules, scale: int) -> tuple[str, Drawing, Listing]:
    """What the drawing shows in words, the drawing at one to ``scale``, and the list of its areas."""
    areas, marked = areas_of(submission, rules), _marked(rules)
    left, top, right, low = SIDES
    moved = element("g", *_layout(rules, areas), transform=f"translate({-left:g} {-top:g})")
    title = f"Layout of {rules.chapter.title}"
    svg = drawing(
        title, _about(rules, areas), (right - left, low - top), moved, font_family=FONT, font_stretch="condensed"
    )
    drawn = Drawing(svg, f"{title}: {_about(rules, areas)}", (right - left) / 100 / scale)
    about = f"{_about(rules, areas)} Scale 1:{scale}. The measures are a proposal; the law sets none."
    where = f" Numbers stand at seat {marked} and hold for every seat." if _seat_items(rules) else ""
    return about + where, drawn, Listing("areas", AREAS, tuple(map(_row, areas)))


def layout_svg(submission: Submission, rules: Rules) -> str:
    """The drawing alone, at one to five, with the list of its areas below it."""
    areas = areas_of(submission, rules)
    wide, high = _board(areas)
    stamp = stamp_of(rules.as_of)
    about = f"{_about(rules, areas)} Scale 1:{SCALE}. The measures are a proposal; the law sets none. {stamp}."
    return drawing(
        f"Layout of {rules.chapter.title}, {submission.certificate_holder}",
        about,
        (wide, high),
        rect(0, 0, wide, high, fill=PAPER),
        *_layout(rules, areas),
        _legend(areas, LEGEND, _marked(rules)),
        _title_block(submission, rules, high, (str(stamp), WARNING)),
        width=f"{wide / 100 / SCALE:g}in",
        height=f"{high / 100 / SCALE:g}in",
        font_family=FONT,
    )


def _layout(rules: Rules, areas: Sequence[Area]) -> Iterator[Markup]:
    """The layout itself, in its own measures."""
    yield from (_cloth(), _orientation(rules))
    yield from (_seat(rules, areas, seat, seat == _marked(rules)) for seat in range(1, rules.seats + 1))
    yield from (_middle(rules, areas), _cells(rules, areas), _places(areas), _dimensions())


def _marked(rules: Rules) -> int:
    """The seat at which the numbers of the list stand."""
    return (rules.seats + 1) // 2


def _about(rules: Rules, areas: Sequence[Area]) -> str:
    entries = several(len(areas), "entry", "entries")
    return f"{rules.seats} seats; {entries} of 58 Pa. Code Chapter {rules.chapter.chapter}."


def _row(area: Area) -> Row:
    whose = "each seat" if area.item.per == "player" else "table"
    rests = str(source_of(area.item)) if source_of(area.item) else ""
    return area.number, area.words, whose, area.measure, (str(area.item.cite),), rests


def _board(areas: Sequence[Area]) -> tuple[float, float]:
    """How wide and high the drawing is, which grows with its legend."""
    return EDGE + 2 * SIDE, LEGEND + 130 * -(-len(areas) // 2) + 730


def _cloth() -> Markup:
    left, right, low = SIDE, SIDE + EDGE, TOP + STRIP
    path = f"M{left:g} {TOP:g}H{right:g}V{low:g}A{RADIUS:g} {RADIUS:g} 0 0 1 {left:g} {low:g}Z"
    return element("path", d=path, fill=CLOTH, stroke=INK, stroke_width=24)


def _orientation(rules: Rules) -> Markup:
    """Chip tray, shoe and discard rack: not required on the layout, drawn so that it can be read."""
    middle = SIDE + EDGE / 2
    shown = []
    corners = ("Wheel", "Ball") if is_wheel(rules) else ("Dice", "Shaker") if rolls(rules) else ("Discard rack", "Shoe")
    for name, x, wide in (("Table inventory", middle, 2400.0), (corners[0], SIDE + 420, 520.0),
                          (corners[1], SIDE + EDGE - 420, 520.0)):  # fmt: skip
        box = rect(x - wide / 2, TOP + 40, wide, 250, rx=30, fill="none", stroke=LINE,
                      stroke_width=6, stroke_dasharray="30 22")  # fmt: skip
        shown += [box, label(name, x, TOP + 190, 80, fill=LINE, font_style="italic", fit=wide - 40)]
    return element("g", *shown, class_="orientation")


def _seat(rules: Rules, areas: Sequence[Area], seat: int, marked: bool) -> Markup:
    """The areas of one seat on a ray from the middle of the dealer's edge; seat 1 at the dealer's left."""
    span = 156.0 / rules.seats
    angle = 12 + span * (seat - 0.5)
    own = [area for area in areas if area.item.per == "player"]
    rows = _rows(own)
    turned = []
    for radius, row in zip(ROWS, rows, strict=False):
        at = -(sum(area.size[0] for area in row) + 50 * (len(row) - 1)) / 2
        for area in row:
            wide, high = area.size
            turned.append(_area(area, at, radius - high / 2, marked))
            at += wide + 50
    frame = _container(own, rows, marked)
    number = label(f"Seat {seat}", 0, RADIUS + 115, 90, fill=INK, font_weight="bold")  # off the cloth, clear of devices
    place = f"translate({SIDE + EDGE / 2:g} {TOP + STRIP:g}) rotate({angle - 90:.3f})"
    return element("g", frame, *turned, number, transform=place, class_="seat", data_seat=seat)


def _rows(areas: Sequence[Area]) -> list[list[Area]]:
    """Devices next to the player, then the main wagers, the others two by two; areas in a frame come last."""
    inside = _inside(areas)
    devices = [area for area in areas if area.shape == "screen"]
    main = [area for area in areas if area.shape == "circle"]
    others = [area for area in areas if area.shape == "box" and area not in inside]
    across = 2 if len(main) > 3 else 3
    rows = [main[at : at + across] for at in range(0, len(main), across)]
    rows += [*(others[at : at + 2] for at in range(0, len(others), 2)), inside]
    return [devices, *(row for row in rows if row)]


def _frame(areas: Iterable[Area]) -> Area | None:
    return next((area for area in areas if area.shape == "frame"), None)


def _inside(areas: Sequence[Area]) -> list[Area]:
    frame = _frame(areas)
    if frame is None:
        return []
    return [area for area in areas if area.item.item.startswith(f"{frame.item.item}_")]


def _container(areas: Sequence[Area], rows: Sequence[Sequence[Area]], marked: bool) -> Markup | None:
    """The frame around the areas that belong together, with its own name."""
    frame = _frame(areas)
    if frame is None:
        return None
    wide, high = frame.size
    top = ROWS[len(rows) - 1] - high / 2 - 45
    box = rect(-wide / 2, top, wide, high, rx=40, fill="none", stroke=BRASS, stroke_width=10)
    name = label(frame.words, 0, top + 82, 72, fill=BRASS, font_weight="bold")
    mark = _bubble(frame.number, -wide / 2, top) if marked else None
    return element("g", box, name, mark, data_area=frame.item.item)


def _area(area: Area, x: float, y: float, marked: bool) -> Markup:
    wide, high = area.size
    if area.shape == "circle":
        frame = element("circle", cx=x + wide / 2, cy=y + high / 2, r=wide / 2, fill="none", stroke=LINE,
                        stroke_width=14)  # fmt: skip
    else:
        screen = area.shape == "screen"
        corner, fill = (24, "#0c1d2b") if screen else (50, "none")
        frame = rect(x, y, wide, high, rx=corner, fill=fill, stroke=LINE, stroke_width=12)
    room = 0.74 if area.shape == "circle" else 0.93
    lines, size = _fitted(area.words, wide * room, high * room)
    start = y + high / 2 - size * 1.1 * (len(lines) - 1) / 2 + size * 0.36
    words = [
        label(line, x + wide / 2, start + at * size * 1.1, size, fit=wide * room, fill=LINE, font_weight=600)
        for at, line in enumerate(lines)
    ]
    inset = 28 if area.shape == "circle" else 0
    mark = _bubble(area.number, x + inset, y + inset) if marked else None
    return element("g", frame, *words, mark, data_area=area.item.item)


def _fitted(text: str, wide: float, high: float) -> tuple[list[str], float]:
    """The largest lettering in which a text fits its area."""
    for size in (76.0, 68.0, 60.0, 54.0, 48.0, 42.0, 37.0):
        lines = wrapped(text, size, wide)
        if len(lines) * size * 1.1 <= high and all(width_of(line, size, bold=True) <= wide for line in lines):
            return lines, size
    return wrapped(text, 37.0, wide), 37.0


def _bubble(number: int, x: float, y: float) -> Markup:
    return element(
        "g",
        element("circle", cx=x, cy=y, r=56, fill="#ffd166", stroke=INK, stroke_width=6),
        label(number, x, y + 26, 74, fill=INK, font_weight="bold", fit=90),
        class_="callout",
    )


def _middle(rules: Rules, areas: Sequence[Area]) -> Markup:
    """The game, the certificate holder and the inscriptions, in the open place before the dealer."""
    middle, y, title = SIDE + EDGE / 2, TOP + STRIP + 330, rules.chapter.title.upper()
    cards = [area for area in areas if area.shape == "card"]
    if _first_card(cards) + sum(area.size[0] + 80 for area in cards) > middle - min(width_of(title, 190), 2500) / 2:
        # The places for cards reach so far that the name stands below them.
        y += 150
    shown = [label(title, middle, y, 190, fit=2500, fill=BRASS, font_family=SERIF)]
    y += 40
    for area in areas:
        if area.shape != "words" or area.item.item == SIGN:
            continue
        first = area.item.item == "certificate_holder"
        size = 130.0 if first else 84.0
        lines = wrapped(area.words, size, 2300)
        widest = max(width_of(line, size) for line in lines)
        shown.append(_bubble(area.number, middle - min(widest, 2300) / 2 - 130, y + size * 0.95))
        for line in lines:
            y += size * 1.28
            shown.append(
                element("g", label(line, middle, y, size, fit=2300, fill=LINE), data_area=area.item.item)
                if line == lines[0]
                else label(line, middle, y, size, fit=2300, fill=LINE)
            )
    return element("g", *shown, class_="inscriptions")


def _cells(rules: Rules, areas: Sequence[Area]) -> Markup:
    """Areas that all players bet on, with their odds, in rows before the dealer; each number of a wager is a cell."""
    if is_wheel(rules):
        return _numbers(rules, areas)
    wide, high = SIZES["cells"]
    drawn: dict[str, list[Markup]] = {}
    numbers = {area.item.item: area.number for area in areas}
    for down, row in enumerate(shared_rows(rules)):
        x, y = SIDE + EDGE / 2 - wide * len(row) / 2, TOP + STRIP + CELLS_AT + (high + 20) * down
        for at, spot in enumerate(row):
            cells = drawn.setdefault(spot.wager, [])
            mark = [] if cells else [_bubble(numbers[spot.wager], x + wide * at, y + high * 0.55)]
            cells += [_cell(spot, x + wide * at, y), *mark]
    return element("g", *(element("g", *cells, data_area=name) for name, cells in drawn.items()), class_="shared")


def _numbers(rules: Rules, areas: Sequence[Area]) -> Markup:
    """Numbers in their boxes with the boxes around them; a dot marks each place on a line or a corner."""
    wide, high = SIZES["places"]
    left, top = SIDE + (EDGE - wide * WIDE) / 2, TOP + STRIP + NUMBERS_AT
    numbers = {area.item.item: area.number for area in areas}
    drawn: dict[str, list[Markup]] = {}
    for laid in laid_out(rules):
        box, spot = scaled(laid.box, left, top, wide, high), laid.spot
        cells = drawn.setdefault(spot.wager, [])
        cells.append(_number(spot, box))
    marks = []
    for at, name in enumerate(drawn):  # each where the others are not, on a line so that it hides no number
        places = [each for each in laid_out(rules) if each.spot.wager == name]
        laid = places[min(4 * at, len(places) - 1)] if places[0].spot.shape == "point" else places[0]
        box = scaled(laid.box, left, top, wide, high)
        middle = box.wide / 2 if laid.spot.shape == "point" else 0
        marks.append(_bubble(numbers[name], box.x + middle, box.y + box.high / 2))
    parts = (element("g", *cells, data_area=name) for name, cells in drawn.items())
    return element("g", *parts, *marks, class_="shared")


def _number(spot: Spot, box: Box) -> Markup:
    middle, centre = box.x + box.wide / 2, box.y + box.high / 2
    if spot.shape == "point":
        return element("circle", cx=middle, cy=centre, r=20, fill=BRASS, data_wager=spot.name)
    frame = element("rect", x=box.x, y=box.y, width=box.wide, height=box.high, fill=spot.fill or "none", stroke=LINE,
                    stroke_width=10)  # fmt: skip
    if spot.shape == "number":
        words = label(spot.numbers[0], middle, centre + 36, 104, fill=LINE, font_weight=600)
        return element("g", frame, words, data_wager=spot.name)
    words = label(spot.words, middle, centre, 62, fit=box.wide * 0.86, fill=LINE, font_weight=600)
    odds = label(spot.pays, middle, centre + 56, 46, fit=box.wide * 0.86, fill=BRASS)
    return element("g", frame, words, odds, data_wager=spot.name)


def _cell(spot: Spot, x: float, y: float) -> Markup:
    wide, high = SIZES["cells"]
    middle = x + wide / 2
    lines, size = _fitted(spot.words, wide * 0.9, high * 0.35)
    across = middle - 52 * len(spot.faces)
    return element(
        "g",
        rect(x, y, wide, high, fill="none", stroke=LINE, stroke_width=10),
        *(
            label(line, middle, y + 70 + at * size * 1.1, size, fit=wide * 0.9, fill=LINE, font_weight=600)
            for at, line in enumerate(lines)
        ),
        *(die_svg(face, across + 104 * at + 4, y + 0.45 * high, 96) for at, face in enumerate(spot.faces)),
        label(spot.pays, middle, y + high - 40, 60, fit=wide * 0.9, fill=BRASS),
        data_wager=spot.name,
    )


def _first_card(areas: Sequence[Area]) -> float:
    """Where the places for cards start."""
    taken = sum(area.size[0] + 80 for area in areas if area.shape == "card")
    return SIDE + min(1500.0, EDGE / 2 - 900 - taken)


def _places(areas: Sequence[Area]) -> Markup:
    """Card places at the dealer's right hand side of the strip, devices of the dealer at the left."""
    shown = []
    left, right = _first_card(areas), SIDE + EDGE - 1500.0
    for area in areas:
        wide = area.size[0]
        if area.item.per != "table" or area.shape in ("words", "cells", "places"):
            continue
        if area.shape == "card":
            shown.append(_area(area, left, TOP + 350, True))
            left += wide + 80
        else:
            shown.append(_area(area, right - wide, TOP + 350, True))
            right -= wide + 120
    return element("g", *shown, class_="places")


def _dimensions() -> Markup:
    """The length of the straight edge and a scale."""
    y = TOP - 130
    ends = f"M{SIDE:g} {y - 60:g}V{y + 60:g}M{SIDE + EDGE:g} {y - 60:g}V{y + 60:g}M{SIDE:g} {y:g}H{SIDE + EDGE:g}"
    depth = STRIP + RADIUS
    bar = TOP + depth - 120
    return element(
        "g",
        element("path", d=ends, stroke=INK, stroke_width=8, fill="none"),
        rect(SIDE + EDGE / 2 - 520, y - 75, 1040, 150, fill=PAPER),
        label(f"{EDGE / 100:g} in wide, {depth / 100:g} in deep", SIDE + EDGE / 2, y + 34, 100, fill=INK, fit=1000),
        element("path", d=f"M{SIDE:g} {bar:g}h1200M{SIDE:g} {bar - 40:g}v80M{SIDE + 600:g} {bar - 25:g}v50"
                f"M{SIDE + 1200:g} {bar - 40:g}v80", stroke=INK, stroke_width=12, fill="none"),
        label("12 in", SIDE + 600, bar + 120, 80, fill=INK),
        class_="dimensions",
    )  # fmt: skip


def _legend(areas: Sequence[Area], top: float, marked: int) -> Markup:
    """Every entry once: number, words, where, measure and paragraph."""
    rows = -(-len(areas) // 2)
    half = (EDGE + 2 * SIDE) / 2
    where = f"; numbers stand at seat {marked} and hold for every seat"
    head = "Required by law" + (where if any(area.item.per == "player" for area in areas) else "")
    shown = [label(head, SIDE, top, 100, anchor="start", fill=INK, font_weight="bold")]
    for at, area in enumerate(areas):
        x = SIDE + (half - SIDE / 2) * (at // rows)
        shown.append(_entry(area, x, top + 150 + 130 * (at % rows)))
    return element("g", *shown, class_="legend")


def _entry(area: Area, x: float, y: float) -> Markup:
    whose = "each seat" if area.item.per == "player" else "table"
    lines = halves(area.words, 78, 1800)
    size, drop = (78.0, 0.0) if len(lines) == 1 else (62.0, -34.0)
    rests = f", {source_of(area.item).grounds}" if source_of(area.item) else ""
    return element(
        "g",
        _bubble(area.number, x + 56, y - 26),
        *(
            label(line, x + 150, y + drop + 62 * at, size, anchor="start", fit=1720, fill=INK)
            for at, line in enumerate(lines)
        ),
        label(f"{whose}, {area.measure}", x + 1920, y, 70, anchor="start", fit=860, fill="#4b5157"),
        label(
            f"§ {area.item.cite}{rests}", x + 2820, y, 78, anchor="start", fit=700, fill="#5a4a1c", font_weight="bold"
        ),
        data_item=area.item.item,
        data_cite=area.item.cite,
    )


def _title_block(submission: Submission, rules: Rules, high: float, lines: Iterable[str]) -> Markup:
    y = high - 490
    rests = "Sibling, public or assumed behind a paragraph: not printed in the text at hand, taken from there."
    unsaid = (rests,) if any(source_of(item) for item in required_layout(rules)) else ()
    about = f"{rules.chapter.title}, {submission.certificate_holder}, {rules.seats} seats, scale 1:{SCALE}"
    return element(
        "g",
        element("path", d=f"M{SIDE:g} {y - 90:g}h{EDGE:g}", stroke=INK, stroke_width=8),
        label(about, SIDE, y + 40, 110, anchor="start", fill=INK, font_weight="bold", fit=EDGE),
        *_small(y + 150, ("The measures are a proposal; the law sets none.", *unsaid, *lines)),
        class_="title-block",
    )


def _small(y: float, lines: Iterable[str]) -> Iterator[Markup]:
    for at, line in enumerate(lines):
        yield label(line, SIDE, y + 90 * at, 68, anchor="start", fill="#4b5157", fit=EDGE)
