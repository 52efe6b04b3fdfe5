"""The felt of a table for a screen: seats with their spots, chips and cards, the dealer's area, meters.

Everything is placed as the players see it, the dealer at the top. Seen from the dealer's side each box moves to the
opposite place; its contents stay upright.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import ceil
from typing import Any

from pitboss.games.deal import deal_of
from pitboss.games.layout import inscribed, spoken
from pitboss.games.round import Seat, owner
from pitboss.games.rules import Rules
from pitboss.money import show_dollars
from pitboss.names import shown as named
from pitboss.records import Same
from pitboss.reports.board import (
    BOARD,
    BRASS,
    CARD,
    CARD_ROW,
    CELL,
    CREAM,
    DEPTH,
    DIM,
    FELT,
    GAP,
    MARGIN,
    NUMBER_HIGH,
    PLATE,
    RAIL,
    ROW,
    SEATS_AT,
    TITLE_HIGH,
    Board,
    Box,
    Side,
)
from pitboss.reports.cards import BACKS, Back, card_name, placed, symbols_of
from pitboss.reports.numbers import WIDE, Laid, is_wheel, laid_out, scaled
from pitboss.reports.parts import Group
from pitboss.reports.places import MIDDLE, MeterAmounts, dealers_area, held, meter_plate, places_of, rolls
from pitboss.reports.spots import (
    Spot,
    Stake,
    decisions_of,
    shared_rows,
    shared_stake,
    signed,
    spot_svg,
    spots_of,
    stakes_of,
)
from pitboss.reports.svg import FONT, NAMESPACE, SERIF, Markup, element, label, plain, rect, width_of, wrapped

SEEN, READABLE = 0.46, 0.75
"""Of a card how much of its width shows its rank, and how narrow letters may become."""

IN_ROW = 4
"""Cards of a row, where the cards of a seat lie in rows."""
ROOMY = 5
"""Seats that leave each other room for three spots side by side."""

DEALERS = MIDDLE.y + MIDDLE.high
"""Where the dealer's own area ends."""


def felt_svg(view: Mapping[str, Any], rules: Rules, **options: Any) -> str:
    """The whole drawing as text; the options are those of ``draw_felt``."""
    return str(draw_felt(view, rules, **options))


def draw_felt(
    view: Mapping[str, Any],
    rules: Rules,
    *,
    side: Side = "player",
    person: str = "",
    turn: int | None = None,
    meters: MeterAmounts | None = None,
    certificate_holder: str = "",
    four_colour: bool = False,
    interactive: bool = False,
) -> Group:
    """The felt as one person sees it: ``view`` comes from ``pitboss.table.view.view``.

    Spots have the id ``spot-SEAT-WAGER``, ``data-seat`` and ``data-wager`` (areas for a decision: ``data-decision``);
    seats have the id ``seat-N``. With ``interactive`` they can be reached and pressed from the keyboard: a player's
    own, all of them while he has none, and from the dealer's side all with their names; ``turn`` is the seat that is
    waited for.
    """
    ground = _ground(Same(rules), side, certificate_holder)
    board, back = ground.board, back_of(view)
    hands = {seat: held(view, f"seat {seat}") for seat in ground.spots}
    stakes = {seat: stakes_of(view, rules, seat) for seat in ground.spots}
    shown = [card for hand in (*hands.values(), *loose_cards(view)) for card in hand]
    title = f"{rules.chapter.title}, table {plain(view.get('id', ''))}"
    symbols = symbols_of([*shown, None], four_colour=four_colour, back=back)
    plate = meter_plate(board, view, rules, meters or {})
    parts: dict[str, Markup | Group] = {
        "felt-title": element("title", title, id="felt-title"),
        "felt-words": element("desc", described(view, rules, stakes, hands), id="felt-words"),
        "felt-cards": element("defs", symbols, id="felt-cards"),
        "felt-table": ground.table,
        "felt-middle": ground.middle,
        "felt-dealer": dealers_area(board, view, rules, back),
        "felt-meters": element("g", plate, id="felt-meters"),
    }
    if ground.shared:
        own = next((seat for seat in ground.spots if person and player_at(view, seat) == person), 0)
        parts["felt-shared"] = _shared(board, ground.shared, stakes, own, interactive, several_patrons(view, rules))
    seated = any(player_at(view, seat) == person for seat in ground.spots) if person and side == "player" else False
    for seat, spots in ground.spots.items():
        place = place_at(view, seat, spots, stakes[seat], hands[seat], person, turn)
        parts[f"seat-{seat}"] = _seat(board, place, back, interactive and (place.mine or not seated))
    attributes = {
        "xmlns": NAMESPACE,
        "viewBox": f"0 0 {plain(float(BOARD))} {plain(float(board.high))}",
        "role": "group" if interactive else "img",
        "aria_label": title,
        "class_": f"felt felt-{side}",
        "font_family": FONT,
        "data_game": rules.game,
    }
    return Group("svg", attributes, parts)


ALONE: Mapping[bool, float] = {True: 760.0, False: 960.0}
"""How wide a layout is that is drawn alone: with the numbers of a wheel, or with areas for dice."""
ROOM = 6.0


def draw_layout(view: Mapping[str, Any], rules: Rules, *, interactive: bool = False) -> Group:
    """Only what all seats bet on, from the dealer's side, with the chips of every patron.

    Boxes and numbers can be reached from the keyboard if it is ``interactive``; places on lines are for a pointer.
    """
    laid, across = _layout(Same(rules)), ALONE[is_wheel(rules)]
    low = max(each.box.y + each.box.high for each in laid) + ROOM
    seats = range(1, rules.seats + 1)
    stakes = {seat: stakes_of(view, rules, seat) for seat in seats}
    title = f"{rules.chapter.title}, table {plain(view.get('id', ''))}"
    spots: dict[str, Markup | Group] = {}
    for spot, box in ((each.spot, each.box) for each in laid):
        stake = shared_stake(stakes, 0, spot.name, apart=True)
        # The dealer stands opposite to the players.
        there = (across - box.x - box.wide, low - box.y - box.high, box.wide, box.high)
        spots[f"spot-0-{spot.name}"] = spot_svg(spot, stake, 0, there, interactive and spot.shape != "point")
    attributes = {
        "xmlns": NAMESPACE,
        "viewBox": f"0 0 {plain(across)} {plain(low)}",
        "role": "group",
        "aria_label": title,
        "class_": "felt felt-layout",
        "font_family": FONT,
        "data_game": rules.game,
    }
    shared = Group("g", {"id": "felt-shared", "class_": "shared"}, spots)
    return Group("svg", attributes, {"felt-title": element("title", title, id="felt-title"), "felt-shared": shared})


@lru_cache(maxsize=64)
def _layout(rules: Same[Rules]) -> tuple[Laid, ...]:
    """The places of a layout that is drawn alone."""
    known = rules.record
    across = ALONE[is_wheel(known)]
    if is_wheel(known):
        wide = (across - 2 * ROOM) / WIDE
        return tuple(replace(laid, box=scaled(laid.box, ROOM, ROOM, wide, NUMBER_HIGH)) for laid in laid_out(known))
    found, part = tuple(_laid(known)), across / BOARD
    top = min(laid.box.y for laid in found) - ROOM
    return tuple(
        replace(laid, box=Box(laid.box.x * part, laid.box.y - top, laid.box.wide * part, laid.box.high))
        for laid in found
    )


def before_seat(rules: Rules, seat: int) -> tuple[float, float]:
    """Where on the dealer's felt something belongs that is said to a seat, in the open strip between the seats and what
    lies before the dealer: percent from the left, and percent from the foot at which it ends."""
    ground = _ground(Same(rules), "dealer", "")
    box = ground.board.turned(ground.board.seat(seat))
    taken = max((laid.box.y + laid.box.high for laid in ground.shared), default=DEALERS)
    return 100 * (box.x + box.wide / 2) / BOARD, 100 * (taken + GAP) / ground.board.high


def is_shared(rules: Rules) -> bool:
    """Whether there are areas that all seats bet on."""
    return bool(_ground(Same(rules), "player", "").shared)


@dataclass(frozen=True)
class _Ground:
    """What stays as it is while the rules do."""

    board: Board
    spots: Mapping[int, tuple[Spot, ...]]
    shared: tuple[Laid, ...]
    """Areas that all seats bet on, in their places."""
    table: Markup
    middle: Markup


@lru_cache(maxsize=256)
def _ground(rules: Same[Rules], side: Side, holder: str) -> _Ground:
    known = rules.record
    spots = {seat: spots_of(known, seat) for seat in range(1, known.seats + 1)}
    shared = tuple(_laid(known))
    low = max((laid.box.y + laid.box.high for laid in shared), default=0.0) - SEATS_AT - TITLE_HIGH
    rows = max(len(rows_of(found, known.seats)) for found in spots.values())
    board = Board(known.seats, rows, side, cards=_hand_rows(known), shared=ceil(low / (CELL + GAP)) if shared else 0)
    return _Ground(board, spots, shared, _table(board), _middle(board, known, holder))


def _laid(rules: Rules) -> Iterator[Laid]:
    """What all seats bet on, as the players see it: rows of areas, or numbers with places on the lines between them."""
    if is_wheel(rules):
        wide = (BOARD - 2 * MARGIN) / WIDE
        for laid in laid_out(rules):
            yield replace(laid, box=scaled(laid.box, MARGIN, SEATS_AT + TITLE_HIGH, wide, NUMBER_HIGH))
        return
    for down, row in enumerate(shared_rows(rules)):
        wide = min((BOARD - 2 * MARGIN - GAP * (len(row) - 1)) / len(row), 150.0)
        left = (BOARD - (wide + GAP) * len(row) + GAP) / 2
        for at, spot in enumerate(row):
            y = SEATS_AT + TITLE_HIGH + down * (CELL + GAP)
            yield Laid(spot, Box(left + at * (wide + GAP), y, wide, CELL))


def _shared(
    board: Board,
    spots: Sequence[Laid],
    stakes: Mapping[int, Mapping[str, Stake]],
    own: int,
    interactive: bool,
    apart: bool,
) -> Group:
    """What all seats bet on: the viewer's chips, or where there are none everybody's."""
    parts: dict[str, Markup | Group] = {}
    for laid in spots:
        spot, box = laid.spot, board.turned(laid.box)
        stake = shared_stake(stakes, own, spot.name, apart=apart)
        drawn = spot_svg(spot, stake, own, (box.x, box.y, box.wide, box.high), interactive)
        parts[f"spot-{own}-{spot.name}"] = drawn
    return Group("g", {"id": "felt-shared", "class_": "shared"}, parts)


@dataclass(frozen=True)
class SeatPlace:
    """Everything that a seat is drawn from."""

    seat: int
    who: str
    mine: bool
    turn: bool
    folded: bool
    said: str
    """What was decided last, and once wagers are settled what the seat has won or lost so far."""
    hand: tuple[str, ...]
    beside: tuple[str, ...]
    """Cards at places of the seat's own."""
    spots: tuple[tuple[Spot, Stake | None], ...]


def place_at(
    view: Mapping[str, Any],
    seat: int,
    spots: tuple[Spot, ...],
    stakes: Mapping[str, Stake],
    hand: list[str],
    person: str,
    turn: int | None,
) -> SeatPlace:
    """What a seat is drawn from."""
    who, decisions = player_at(view, seat), decisions_of(view, seat)
    decided = next((each.choice.replace("_", " ") for each in reversed(decisions.values())), "")
    lines = (view.get("round") or {}).get("lines") or []
    nets = [line["net"] for line in lines if line["seat"] == seat]
    said = f"net {signed(sum(nets))}" if nets else decided
    mine = bool(person) and who == person
    staked = tuple((spot, stakes.get(spot.name)) for spot in spots)
    folded = Seat(seat, (), {}, decisions).folded
    return SeatPlace(seat, who, mine, seat == turn, folded, said, tuple(hand), tuple(_beside(view, seat)), staked)


def _beside(view: Mapping[str, Any], seat: int) -> Iterator[str]:
    """Cards at places of a seat's own."""
    hands = (view.get("round") or {}).get("hands", {})
    yield from (card for place in hands if owner(place) == seat and place != f"seat {seat}" for card in hands[place])


def back_of(view: Mapping[str, Any]) -> Back:
    """The colour of the backs of the deck in play."""
    return next((back for back in BACKS if back == view.get("deck")), "red")


def loose_cards(view: Mapping[str, Any]) -> Iterator[list[str]]:
    """Cards that lie in front of nobody's seat."""
    played = view.get("round")
    if played is not None:
        yield from (cards for place, cards in played["hands"].items() if not place.startswith("seat "))
        yield played["unused"].split()
        yield [played["magic_card"]] if played.get("magic_card") else []


def rows_of(spots: Iterable[Spot], seats: int = ROOMY) -> list[list[Spot]]:
    """Spots in rows, those farthest from the player first: side wagers, then decisions, the main wagers last.

    Two stand side by side, so that a thumb finds each on a tablet; three main wagers where there are few seats.
    """
    small = [spot for spot in spots if spot.small][::-1]
    main = [spot for spot in spots if spot.kind == "main"]
    decisions = [spot for spot in spots if spot.kind == "decision"]
    side = [spot for spot in spots if not spot.small and spot.kind not in ("main", "decision")]
    rows = [*_cut(small, 2), *_cut(side, 2), *_cut(decisions, 2)]
    return [*rows, *_cut(main, 3 if len(main) == 3 and seats <= ROOMY else 2)]


def _cut(spots: list[Spot], many: int) -> list[list[Spot]]:
    return [spots[at : at + many] for at in range(0, len(spots), many)]


def _table(board: Board) -> Markup:
    """A straight edge for the dealer and a curve for the players."""
    top, low = 8.0, board.seats_at + board.panel_high + MARGIN
    pull = low + 2 * DEPTH
    path = (
        f"M40 {top:g}H{BOARD - 40:g}Q{BOARD - 8:g} {top:g} {BOARD - 8:g} {top + 32:g}V{low:g}"
        f"Q{BOARD / 2:g} {pull:g} 8 {low:g}V{top + 32:g}Q8 {top:g} 40 {top:g}Z"
    )
    turn = f"rotate(180 {BOARD / 2:g} {board.high / 2:g})" if board.side == "dealer" else None
    return element(
        "path",
        d=path,
        fill=FELT,
        stroke=RAIL,
        stroke_width=14,
        stroke_linejoin="round",
        transform=turn,
        class_="table",
        id="felt-table",
    )


def _middle(board: Board, rules: Rules, holder: str) -> Markup:
    """Game, certificate holder and what the layout must say, in the open place between dealer and players."""
    box = board.turned(Box(300, SEATS_AT - 6, 600, DEPTH - 8))
    said: list[str] = []
    for item in spoken(rules):
        lines = wrapped(inscribed(rules, item), 13.5, 520)
        said += lines if len(said) + len(lines) <= (3 if holder else 4) else []
    middle, y = box.x + box.wide / 2, box.y + 22
    shown = [label(rules.chapter.title.upper(), middle, y, 25, fill=BRASS, letter_spacing=4, font_family=SERIF)]
    if holder:
        shown.append(label(holder, middle, y := y + 23, 17, fit=570, fill=BRASS))
    shown += [
        label(line, middle, y + 4 + 17.5 * (at + 1), 13.5, fit=520, fill=BRASS, font_style="italic")
        for at, line in enumerate(said)
    ]
    return element("g", *shown, class_="inscriptions", id="felt-middle")


@lru_cache(maxsize=4096)
def _seat(board: Board, place: SeatPlace, back: Back, interactive: bool) -> Group:
    seat, panel = place.seat, board.seat(place.seat)
    stakes = dict(place.spots)
    around = board.turned(Box(panel.x + 1, panel.y, panel.wide - 2, panel.high))
    parts: dict[str, Markup | Group] = {f"turn-{seat}": _frame(place, around)}
    y = panel.y + 4
    rows = rows_of(stakes, board.seats)
    widest = max(map(len, rows), default=0)
    reached = interactive and (board.side == "player" or bool(place.who))
    y += (board.rows - len(rows)) * (ROW + GAP)
    for row in rows:
        many = max(len(row), min(2, widest))
        wide = (panel.wide - 8 - GAP * (many - 1)) / many
        left = panel.x + 4 + (wide + GAP) * (many - len(row)) / 2
        for at, spot in enumerate(row):
            box = board.turned(Box(left + at * (wide + GAP), y, wide, ROW))
            drawn = spot_svg(spot, stakes[spot], seat, (box.x, box.y, box.wide, box.high), reached)
            parts[f"spot-{seat}-{spot.name}"] = drawn
        y += ROW + GAP
    cards = board.turned(Box(panel.x + 4, y, panel.wide - 8, board.cards_high))
    plate = board.turned(Box(panel.x + 4, y + board.cards_high, panel.wide - 8, PLATE - 4))
    pressed = interactive and board.side == "dealer"
    # A thumb finds the plate over the cards too, or on the open felt before a seat that has neither cards nor spots.
    before = None if rows else board.turned(Box(panel.x + 4, y + PLATE - 4 - ROW, panel.wide - 8, ROW))
    reach = (cards if board.cards else before) if pressed else None
    parts |= {
        f"hand-{seat}": _hand(place, cards, back, board.cards),
        f"plate-{seat}": _plate(place, plate, pressed, reach),
    }
    marks = {"own": place.mine, "turn": place.turn, "free": not place.who}
    classes = " ".join(["seat", *(mark for mark, holds in marks.items() if holds)])
    return Group("g", {"id": f"seat-{seat}", "class_": classes, "data_seat": seat}, parts)


def _frame(place: SeatPlace, box: Box) -> Markup:
    """A line around the seat that is waited for."""
    line = rect(box.x, box.y, box.wide, box.high, rx=12, fill="none", stroke="#ffd166", stroke_width=3)
    return element("g", line if place.turn else None, id=f"turn-{place.seat}")


def several_patrons(view: Mapping[str, Any], rules: Rules) -> bool:
    """Whether chips on a shared layout may be several patrons'."""
    return sum(bool(player_at(view, seat)) for seat in range(1, rules.seats + 1)) > 1


def player_at(view: Mapping[str, Any], seat: int) -> str:
    """Who sits or wagered at a seat."""
    played = view.get("round") or {}
    return str(view.get("seats", {}).get(str(seat)) or played.get("players", {}).get(str(seat), ""))


def _fitting(wide: float, many: int) -> float:
    """How wide so many cards are beside each other, where the rank of each is seen."""
    return min(CARD, wide / (1 + SEEN * max(many - 1, 0)))


def _hand_rows(rules: Rules) -> int:
    """Rows in which the cards of a seat lie: two where one would make them too small to be read."""
    if rolls(rules):
        return 0
    dealt = [step for step in deal_of(rules).steps if step.to in ("players", "players+dealer")]
    most = sum(step.cards * step.times for step in dealt)
    wide = Board(rules.seats, 0, "player").panel - 8
    return 2 if _fitting(wide, most) < READABLE * CARD else 1


def _hand(place: SeatPlace, box: Box, back: Back, rows: int) -> Markup:
    hand, apart = (*place.hand, *place.beside), 10 if place.beside else 0
    if not hand:
        return element("g", id=f"hand-{place.seat}")
    several = rows > 1 and len(hand) > IN_ROW
    lying = [hand[at : at + IN_ROW] for at in range(0, len(hand), IN_ROW)] if several else [hand]
    # Many cards at a narrow seat are drawn smaller, so that the rank of each is seen beside the next.
    size = _fitting(box.wide - apart, max(map(len, lying)))
    drawn = []
    for down, row in enumerate(lying):
        step = min(size + 3, (box.wide - size - apart) / max(len(row) - 1, 1))
        left = box.x + (box.wide - size - apart - step * (len(row) - 1)) / 2
        y = box.y + 2 + down * CARD_ROW
        drawn += [
            placed(card, left + at * step + apart * (not several and at >= len(place.hand)), y, size, back)
            for at, card in enumerate(row)
        ]
    told = f"Seat {place.seat}: {', '.join(map(card_name, place.hand))}" + (", folded" if place.folded else "")
    told += f"; beside them: {', '.join(map(card_name, place.beside))}" if place.beside else ""
    return element(
        "g",
        element("title", told),
        *drawn,
        id=f"hand-{place.seat}",
        class_="hand",
        opacity=0.45 if place.folded else None,
    )


def _plate(place: SeatPlace, box: Box, pressed: bool, reach: Box | None) -> Markup:
    """Who sits here, and what has become of the seat; the dealer may press it."""
    seat, who, said = place.seat, place.who, place.said
    told = f"Seat {seat}: {who or 'free'}" + (f", {said}" if said else "")
    fill, ink = (BRASS, "#14261d") if place.mine else (DIM, CREAM)
    stroke = "#ffd166" if place.turn else BRASS
    return element(
        "g",
        element("title", told),
        rect(reach.x, reach.y, reach.wide, reach.high, fill="transparent") if reach else None,
        rect(box.x, box.y, box.wide, box.high, rx=15, fill=fill, stroke=stroke),
        element("circle", cx=box.x + 15, cy=box.y + 15, r=12, fill=CREAM),
        label(seat, box.x + 15, box.y + 20.5, 16, fill="#14261d", font_weight="bold"),
        *_words(_brief(who) or "free", said, box, ink),
        id=f"plate-{seat}",
        class_="plate",
        role="button" if pressed else None,
        tabindex=0 if pressed else None,
        aria_label=told if pressed else None,
    )


def _words(who: str, said: str, box: Box, ink: str) -> Iterator[Markup]:
    """The name and a note on it beside each other, or below each other where there is no room for that."""
    room, beside = box.wide - 46, min(66, width_of(said, 15, bold=True)) + 4 if said else 0
    if width_of(who, 15.5) * READABLE <= room - beside:
        yield label(who, box.x + 33, box.y + 20.5, 15.5, anchor="start", fit=room - beside, fill=ink)
        if said:
            x, y = box.x + box.wide - 10, box.y + 20.5
            yield label(said, x, y, 15, anchor="end", fit=66, fill=ink, font_weight=600)
        return
    yield label(who, box.x + 33, box.y + (13 if said else 20.5), 12.5, anchor="start", fit=room, fill=ink)
    if said:
        yield label(said, box.x + 33, box.y + 26, 12.5, anchor="start", fit=room, fill=ink, font_weight=600)


def _brief(name: str) -> str:
    return name if len(name) <= 18 else f"{name[:17]}…"


def described(
    view: Mapping[str, Any], rules: Rules, stakes: Mapping[int, Mapping[str, Stake]], hands: Mapping[int, list[str]]
) -> str:
    """The table in words."""
    parts = [f"{rules.chapter.title} table, {view.get('phase', '')}."]
    lying = {place: [card_name(card) for card in held(view, place)] for place in places_of(rules)}
    lying["dice"] = [str(face) for face in (view.get("round") or {}).get("dice") or ()]
    parts += [f"{place.replace('_', ' ').capitalize()}: {', '.join(each)}." for place, each in lying.items() if each]
    for seat, made in stakes.items():
        who = player_at(view, seat)
        if who:
            wagers = [f"{named(name)} {show_dollars(stake.amount)}" for name, stake in made.items()]
            shown = [", ".join(wagers) or "no wagers", *map(card_name, hands[seat])]
            parts.append(f"Seat {seat}, {who}: {'; '.join(shown)}.")
    return " ".join(parts)
