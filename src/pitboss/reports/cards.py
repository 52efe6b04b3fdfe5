"""Playing cards of our own drawing: large indices readable at 48 pixels, pips, court figures, two backs."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Literal

from pitboss.cards import DECK, RANK_NAMES, RANKS, SUIT_NAMES, parse_card, rank_of, show_card, suit_of
from pitboss.reports.svg import FONT, Markup, drawing, element, label, rect

Back = Literal["red", "blue"]
BACKS: tuple[Back, ...] = ("red", "blue")
WIDTH, HEIGHT = 100.0, 140.0
"""The drawing board of one card: 2.5 by 3.5 inches."""
DOWN = "??"
"""How a view of the table writes a card that the viewer may not see."""

PAPER, EDGE = "#fffdf7", "#8d8674"
BLACK, RED, GREEN, BLUE = "#15181c", "#b01226", "#17602b", "#124a9c"
INKS = {False: (BLACK, RED, RED, BLACK), True: (GREEN, BLUE, RED, BLACK)}
"""Clubs, diamonds, hearts, spades; in two colours and in four."""
BACK_INKS: dict[Back, tuple[str, str]] = {"red": ("#8f1d2c", "#f3dcd6"), "blue": ("#1d3f75", "#d8e3f2")}

PIPS = (
    "M50 4a21 21 0 1 1-.01 0Z M27 37a21 21 0 1 1-.01 0Z M73 37a21 21 0 1 1-.01 0Z M43 38H57V58C58 80 61 90 69 96H31"
    "C39 90 42 80 43 58Z",
    "M50 3C60 21 74 37 90 50C74 63 60 79 50 97C40 79 26 63 10 50C26 37 40 21 50 3Z",
    "M50 94C18 68 4 50 4 31C4 15 15 5 28 5C38 5 46 11 50 22C54 11 62 5 72 5C85 5 96 15 96 31C96 50 82 68 50 94Z",
    "M50 3C57 20 93 40 93 63C93 77 83 85 72 85C63 85 57 80 54 73C55 84 59 91 68 97H32C41 91 45 84 46 73C43 80 37 85 28 "
    "85C17 85 7 77 7 63C7 40 43 20 50 3Z",
)
"""Each suit in a box of 100 by 100, in the order of the deck: clubs, diamonds, hearts, spades."""

GOLD, LINE, SKIN, PALE = "#d9a93f", "#7a5208", "#fbe9d0", "#efd9a0"
HEADS = {
    "J": (
        ("M35 35h30v15l-4 6H39l-4-6Z", "", ""),
        ("M34 33c0-9 6-14 16-14s16 5 16 14Z", "", ""),
        ("M33 31h34v5H33Z", GOLD, LINE),
        ("M62 24c8-3 11-9 10-14-8 1-13 6-14 12", PALE, LINE),
    ),
    "Q": (
        ("M34 33h32c3 10 2 20-1 27H35c-3-7-4-17-1-27Z", "", ""),
        ("M36 33c-2-6-3-9-4-13l7 6 4-9 7 8 7-8 4 9 7-6c-1 4-2 7-4 13Z", GOLD, LINE),
        ("M50 12.4a2.6 2.6 0 1 1-.01 0Z M32 17a2 2 0 1 1-.01 0Z M68 17a2 2 0 1 1-.01 0Z", GOLD, LINE),
    ),
    "K": (
        ("M36 34h28v14c0 9-6 15-14 15s-14-6-14-15Z", "", ""),
        ("M35 34 33 17l8.5 7L50 13l8.5 11 8.5-7-2 17Z", GOLD, LINE),
        ("M47 9h6M50 6v7", "none", LINE),
    ),
}
"""Hair and headdress by rank: paths with their fill (the suit's where empty) and line, on the upper half of a card."""
BODY = (
    ("M22 70c0-8 7-12 15-14l13 10 13-10c8 2 15 6 15 14Z", "", ""),
    ("M37 56l13 14 13-14 4.500 1.500L54 70h-8L32.500 57.500Z", GOLD, LINE),
    ("M26 70c0-4 2-7 5-9M74 70c0-4-2-7-5-9", "none", PALE),
    ("M40.500 35h19v10c0 7-4 12-9.500 12s-9.500-5-9.500-12Z", SKIN, ""),
    ("M44.500 42.500h3.500M52 42.500h3.500M47.800 50.500h4.400", "none", "#3a2a1c"),
)
BEARD = ("M43 52.500c4 2.500 10 2.500 14 0l-1.500 8c-3 3-8 3-11 0Z", "", "")
COLUMNS, SIDES, SECOND = (65.0,), (49.0, 81.0), (23.0, 117.0)
ROWS: dict[str, tuple[tuple[tuple[float, ...], tuple[float, ...]], ...]] = {
    "2": ((COLUMNS, SECOND),),
    "3": ((COLUMNS, (23, 70, 117)),),
    "4": ((SIDES, SECOND),),
    "5": ((SIDES, SECOND), (COLUMNS, (70,))),
    "6": ((SIDES, (23, 70, 117)),),
    "7": ((SIDES, (23, 70, 117)), (COLUMNS, (46.5,))),
    "8": ((SIDES, (23, 70, 117)), (COLUMNS, (46.5, 93.5))),
    "9": ((SIDES, (23, 54.3, 85.7, 117)), (COLUMNS, (70,))),
    "T": ((SIDES, (23, 54.3, 85.7, 117)), (COLUMNS, (38.6, 101.4))),
}
"""Where the pips of a rank lie: columns, each with its heights."""


def card_name(card: str | None) -> str:
    """What a card is called.

    >>> card_name("Td"), card_name(None)
    ('10 of diamonds', 'card face down')
    """
    if card is None or card == DOWN:
        return "card face down"
    parsed = parse_card(card)
    return f"{RANK_NAMES[rank_of(parsed)]} of {SUIT_NAMES[suit_of(parsed)]}"


def card_svg(card: str | None, *, four_colour: bool = False, width: float = 100, back: Back = "red") -> str:
    """One card as a drawing of its own; ``None`` lies face down.

    >>> "<title>ace of spades</title>" in card_svg("As")
    True
    """
    name = card_name(card)
    about = "A playing card." if card not in (None, DOWN) else f"The {back} back of a playing card."
    face = face_of(card, four_colour=four_colour, back=back)
    return drawing(name, about, (WIDTH, HEIGHT), face, width=float(width), height=float(width * HEIGHT / WIDTH))


def card_id(card: str | None, back: Back = "red") -> str:
    """The id of a card's symbol: ``card-As``, or ``card-back-red``."""
    return f"card-back-{back}" if card is None or card == DOWN else f"card-{card}"


def symbols_of(cards: Iterable[str | None], *, four_colour: bool = False, back: Back = "red") -> Markup:
    """The symbols of some cards, each once, in the order of the deck."""
    wanted = {None if card == DOWN else card for card in cards}
    names = [show_card(card) for card in DECK if show_card(card) in wanted]
    listed: Sequence[str | None] = [*names, *([None] if None in wanted else [])]
    return Markup("".join(_symbol(card, four_colour, back) for card in listed))


def placed(card: str | None, x: float, y: float, width: float, back: Back = "red") -> Markup:
    """A card from its symbol, at a place of a larger drawing."""
    height = width * HEIGHT / WIDTH
    return element("use", href=f"#{card_id(card, back)}", x=float(x), y=float(y), width=float(width), height=height)


@lru_cache(maxsize=512)
def _symbol(card: str | None, four_colour: bool, back: Back) -> Markup:
    face = face_of(card, four_colour=four_colour, back=back)
    return element("symbol", face, id=card_id(card, back), viewBox=f"0 0 {WIDTH:g} {HEIGHT:g}")


def face_of(card: str | None, *, four_colour: bool = False, back: Back = "red") -> Markup:
    """The drawing of a card without a frame of its own, on a board of 100 by 140."""
    if card is None or card == DOWN:
        return _back(back)
    parsed = parse_card(card)
    rank, suit = RANKS[rank_of(parsed)], suit_of(parsed)
    ink = INKS[four_colour][suit]
    text = "10" if rank == "T" else rank
    index = label(text, 20.5, 42, 45, fit=31 if rank == "T" else None, fill=ink, font_weight="bold", font_family=FONT)
    return Markup(_paper(PAPER) + index + _pip(suit, 8, 50, 24, ink) + _middle(rank, suit, ink))


def _middle(rank: str, suit: int, ink: str) -> Markup:
    if rank in HEADS:
        paths = (*HEADS[rank][:1], *BODY, *((BEARD,) if rank == "K" else ()), *HEADS[rank][1:])
        half = "".join(
            element("path", d=path, fill=fill or ink, stroke=line or None, stroke_width=1.4 if line else None)
            for path, fill, line in paths
        )
        frame = rect(37, 9, 56, 122, rx=4, fill="none", stroke=ink, stroke_width=1, stroke_opacity=0.55)
        halves = (element("g", Markup(half), transform=f"{turn}translate(15 0)") for turn in ("", "rotate(180 65 70) "))
        return Markup(frame + "".join(halves) + element("path", d="M37 70h56", stroke=GOLD, stroke_width=1.4))
    if rank == "A":
        return _pip(suit, 39, 44, 52, ink)
    size = 24.0
    return Markup(
        "".join(
            _pip(suit, x - size / 2, y - size / 2, size, ink, turned=y > HEIGHT / 2)
            for columns, heights in ROWS[rank]
            for x in columns
            for y in heights
        )
    )


def _pip(suit: int, x: float, y: float, size: float, ink: str, *, turned: bool = False) -> Markup:
    turn = f"rotate(180 {x + size / 2:g} {y + size / 2:g}) " if turned else ""
    return element("path", d=PIPS[suit], fill=ink, transform=f"{turn}translate({x:g} {y:g}) scale({size / 100:g})")


def _paper(fill: str) -> Markup:
    return rect(0.75, 0.75, 98.5, 138.5, rx=9, fill=fill, stroke=EDGE, stroke_width=1.5)


def _back(back: Back) -> Markup:
    dark, light = BACK_INKS[back]
    lattice = "".join(
        f"M{x} {y - 6}L{x + 6} {y}L{x} {y + 6}L{x - 6} {y}Z" for y in range(22, 130, 16) for x in range(18, 90, 16)
    )
    small = "".join(
        f"M{x} {y - 2.5}L{x + 2.5} {y}L{x} {y + 2.5}L{x - 2.5} {y}Z"
        for y in range(30, 120, 16)
        for x in range(26, 84, 16)
    )
    rose = "M50 48C58 58 66 62 74 70C66 78 58 82 50 92C42 82 34 78 26 70C34 62 42 58 50 48Z"
    return Markup(
        _paper(PAPER)
        + rect(6, 6, 88, 128, rx=6, fill=dark)
        + rect(10, 10, 80, 120, rx=4, fill="none", stroke=light, stroke_width=1.5)
        + element("path", d=lattice + small, fill=light, fill_opacity=0.55)
        + element("path", d=rose, fill=dark, stroke=light, stroke_width=3)
        + element("circle", cx=50, cy=70, r=9, fill=light)
        + element("circle", cx=50, cy=70, r=4, fill=dark)
    )


__all__ = ["Back", "card_id", "card_name", "card_svg", "face_of", "placed", "symbols_of"]
