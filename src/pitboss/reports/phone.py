"""The felt on a phone: what the dealer shows, one's own spots as large as a thumb, and who else sits there."""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from pitboss.games.rules import Rules
from pitboss.records import Same
from pitboss.reports.board import BRASS, CELL, CREAM, DIM, FELT, Box
from pitboss.reports.cards import DOWN as UNSEEN
from pitboss.reports.cards import HEIGHT, WIDTH, Back, card_name, placed, symbols_of
from pitboss.reports.dice import die_svg
from pitboss.reports.felt import back_of, described, loose_cards, place_at, player_at, rows_of, several_patrons
from pitboss.reports.numbers import DOWN, OUTSIDE, POINT, Laid, is_wheel, laid_out
from pitboss.reports.parts import Group
from pitboss.reports.places import held, places_of, pot_lines, pots_svg, rolls
from pitboss.reports.spots import Stake, shared_rows, shared_stake, spot_svg, spots_of, stakes_of
from pitboss.reports.svg import FONT, NAMESPACE, Markup, element, halves, label, plain, rect

PHONE = 390.0
EDGE, GAP = 8.0, 6.0
ROOM = PHONE - 2 * EDGE
SPOT, CARD, PILL = 62.0, 48.0, 36.0
THUMB = 50.0
"""The least that can be pressed, on the drawing; a phone shows it at 44 pixels or more."""


def draw_phone(
    view: Mapping[str, Any],
    rules: Rules,
    *,
    person: str = "",
    turn: int | None = None,
    four_colour: bool = False,
    interactive: bool = True,
) -> Group:
    """The felt for one player, or for a watcher; spots and seats have the ids of ``felt.draw_felt``."""
    back, y = back_of(view), EDGE
    seats = range(1, rules.seats + 1)
    stakes = {seat: stakes_of(view, rules, seat) for seat in seats}
    hands = {seat: held(view, f"seat {seat}") for seat in seats}
    own = [seat for seat in seats if person and player_at(view, seat) == person]
    title = f"{rules.chapter.title}, table {plain(view.get('id', ''))}"
    shown = [card for hand in (*hands.values(), *loose_cards(view)) for card in hand]
    parts: dict[str, Markup | Group] = {
        "felt-title": element("title", title, id="felt-title"),
        "felt-words": element("desc", described(view, rules, stakes, hands), id="felt-words"),
        "felt-cards": element("defs", symbols_of([*shown, None], four_colour=four_colour, back=back), id="felt-cards"),
    }
    ground: dict[str, Markup | Group] = {}
    parts["felt-table"] = element("g", id="felt-table")  # its height is known at the end
    for key, drawn, high in _dealer(view, rules, back, y):
        ground[key] = drawn
        y = max(y, high)
    parts["felt-dealer"] = Group("g", {"id": "felt-dealer", "class_": "dealers-area"}, ground)
    if laid := _shared(Same(rules), y):
        mine = own[0] if own else 0
        areas: dict[str, Markup | Group] = {}
        for each in laid:
            name, box = each.spot.name, each.box
            stake = shared_stake(stakes, mine, name, apart=several_patrons(view, rules))
            there = (box.x, box.y, box.wide, box.high)
            areas[f"spot-{mine}-{name}"] = spot_svg(each.spot, stake, mine, there, interactive)
        parts["felt-shared"] = Group("g", {"id": "felt-shared", "class_": "shared"}, areas)
        y = max(each.box.y + each.box.high for each in laid) + GAP
    for seat in own:
        group, y = _own(rules, seat, stakes[seat], turn == seat, y, interactive)
        parts[f"seat-{seat}"] = group
    pills: dict[str, Markup | Group] = {}
    others = [seat for seat in seats if seat not in own and player_at(view, seat)]
    for at, seat in enumerate(others):
        place = place_at(view, seat, (), stakes[seat], hands[seat], person, turn)
        staked = sum(stake.amount for stake in stakes[seat].values())
        said = place.said or (f"${staked / 100:,.0f}" if staked else "")
        wide = (ROOM - GAP) / 2
        box = Box(EDGE + (wide + GAP) * (at % 2), y + (PILL + GAP) * (at // 2), wide, PILL)
        pills[f"plate-{seat}"] = _pill(seat, place.who, said, turn == seat, box)
    parts["felt-others"] = Group("g", {"id": "felt-others"}, pills)
    high = y + (PILL + GAP) * ((len(others) + 1) // 2) + EDGE
    parts["felt-table"] = element("g", rect(0, 0, PHONE, high, rx=18, fill=FELT), id="felt-table")
    attributes = {
        "xmlns": NAMESPACE,
        "viewBox": f"0 0 {PHONE:g} {high:g}",
        "role": "group",
        "aria_label": title,
        "class_": "felt felt-phone",
        "font_family": FONT,
        "data_game": rules.game,
    }
    return Group("svg", attributes, parts)


def _dealer(view: Mapping[str, Any], rules: Rules, back: Back, y: float) -> Iterator[tuple[str, Markup, float]]:
    """Places of the dealer's side from left to right, as many in a row as there is room for, and where each ends."""
    played = view.get("round") or {}
    if (dice := rolls(rules)) and is_wheel(rules):
        said = next(iter(played.get("dice") or ()), None)
        box = Box(EDGE, y, ROOM, 44)
        text = label(f"Wheel: {'–' if said is None else said}", PHONE / 2, y + 29, 20, fill=CREAM, font_weight="bold")
        yield "place-wheel", element("g", _frame(box), text, id="place-wheel"), y + 44 + GAP
        return
    if dice:
        faces = tuple(played.get("dice") or (0,) * dice)
        left = PHONE / 2 - 33 * len(faces)
        drawn = [die_svg(face, left + 66 * at + 3, y + 8, 60) for at, face in enumerate(faces)]
        yield "place-dice", element("g", _frame(Box(EDGE, y, ROOM, 76)), *drawn, id="place-dice"), y + 76 + GAP
        return
    if "pots" in played:
        lines = (*pot_lines(played), *_open_hands(played))
        tall = 22.0 * max(len(lines), 1) + 16
        yield "place-pot", pots_svg(lines, Box(EDGE, y, ROOM, tall)), y + tall + GAP
        y += tall + GAP
    x, high = EDGE, CARD * HEIGHT / WIDTH + 30
    places = dict(sorted(places_of(rules).items(), key=lambda each: each[0] != "dealer"))
    for place, many in places.items():
        cards = tuple(held(view, place))
        wide = min(ROOM, max((CARD + 4) * max(len(cards), many) + 12, 110))
        if x + wide > PHONE - EDGE and x > EDGE:
            x, y = EDGE, y + high + GAP
        yield f"place-{place}", _cards(place, cards, Box(x, y, wide, high), back), y + high + GAP
        x += wide + GAP


def _open_hands(played: Mapping[str, Any]) -> Iterator[str]:
    """Where players bet against each other everybody looks at what lies face up."""
    for place, cards in played["hands"].items():
        if place.startswith("seat ") and (up := [card for card in cards if card != UNSEEN]):
            yield f"{place.capitalize()}: {' '.join(up)}"


def _frame(box: Box) -> Markup:
    return rect(box.x, box.y, box.wide, box.high, rx=10, fill=DIM, stroke=BRASS)


@lru_cache(maxsize=1024)
def _cards(place: str, cards: tuple[str, ...], box: Box, back: Back) -> Markup:
    name = place.replace("_", " ").capitalize()
    step = min(CARD + 4, (box.wide - 12 - CARD) / max(len(cards) - 1, 1))
    told = f"{name}: {', '.join(map(card_name, cards)) or 'no cards'}"
    return element(
        "g",
        element("title", told),
        _frame(box),
        label(name, box.x + box.wide / 2, box.y + 18, 14, fit=box.wide - 10, fill=BRASS, font_weight=600),
        *(placed(card, box.x + 6 + at * step, box.y + 25, CARD, back) for at, card in enumerate(cards)),
        id=f"place-{place}",
        class_="place",
        data_place=place,
    )


@lru_cache(maxsize=64)
def _shared(rules: Same[Rules], y: float) -> tuple[Laid, ...]:
    """What all seats bet on: areas in rows of three, or the numbers of a wheel standing upright."""
    known = rules.record
    return tuple(_upright(laid_out(known), y) if is_wheel(known) else _in_rows(known, y))


def _in_rows(rules: Rules, y: float) -> Iterator[Laid]:
    for row in shared_rows(rules):
        for first in range(0, len(row), 3):
            some = row[first : first + 3]
            wide = (ROOM - GAP * (len(some) - 1)) / len(some)
            for at, spot in enumerate(some):
                yield Laid(spot, Box(EDGE + (wide + GAP) * at, y, wide, CELL))
            y += CELL + GAP


def _upright(laid: Iterable[Laid], y: float) -> Iterator[Laid]:
    """Zeros at the top, three numbers side by side, what lies below the numbers at their right; then the replica of
    the wheel in rows of seven."""
    across = ROOM / (DOWN + 2 * OUTSIDE)
    down, low, replica = 92.0, y, []
    for each in laid:
        box = each.box
        if box.y >= DOWN + 2 * OUTSIDE:
            replica.append(each)
            continue
        if box.wide == box.high == POINT:
            x, top = EDGE + (box.y + POINT / 2) * across, y + (box.x + POINT / 2) * down
            turned = Box(min(x, PHONE - EDGE - THUMB / 2) - THUMB / 2, top - THUMB / 2, THUMB, THUMB)
        else:
            turned = Box(EDGE + box.y * across, y + box.x * down, box.high * across, box.wide * down)
        low = max(low, turned.y + turned.high)
        yield Laid(each.spot, turned)
    wide = ROOM / 7
    for at, each in enumerate(replica):
        yield Laid(each.spot, Box(EDGE + wide * (at % 7), low + GAP + THUMB * (at // 7), wide, THUMB))


def _own(
    rules: Rules, seat: int, stakes: Mapping[str, Stake], turn: bool, y: float, interactive: bool
) -> tuple[Group, float]:
    """One's own betting spots, three side by side."""
    spots = [spot for row in rows_of(spots_of(rules, seat)) for spot in row]
    parts: dict[str, Markup | Group] = {}
    top = y
    for first in range(0, len(spots), 3):
        some = spots[first : first + 3]
        wide = (ROOM - GAP * (len(some) - 1)) / len(some)
        for at, spot in enumerate(some):
            box = (EDGE + (wide + GAP) * at, y, wide, SPOT)
            parts[f"spot-{seat}-{spot.name}"] = spot_svg(spot, stakes.get(spot.name), seat, box, interactive)
        y += SPOT + GAP
    line = rect(3, top - 3, PHONE - 6, y - top, rx=14, fill="none", stroke="#ffd166", stroke_width=3)
    parts[f"turn-{seat}"] = element("g", line if turn else None, id=f"turn-{seat}")
    classes = f"seat own{' turn' if turn else ''}"
    return Group("g", {"id": f"seat-{seat}", "class_": classes, "data_seat": seat}, parts), y + GAP


@lru_cache(maxsize=1024)
def _pill(seat: int, who: str, said: str, turn: bool, box: Box) -> Markup:
    """Another seat: who sits there, and what lies there or has become of it."""
    middle = box.y + box.high / 2
    (name, *_) = halves(who or "free", 14, 400)
    return element(
        "g",
        rect(box.x, box.y, box.wide, box.high, rx=18, fill=DIM, stroke="#ffd166" if turn else BRASS),
        element("circle", cx=box.x + 18, cy=middle, r=12, fill=CREAM),
        label(seat, box.x + 18, middle + 5, 15, fill="#14261d", font_weight="bold"),
        label(name, box.x + 36, middle + 5, 14, anchor="start", fit=box.wide - 110, fill=CREAM),
        label(said, box.x + box.wide - 10, middle + 5, 14, anchor="end", fit=62, fill=CREAM, font_weight=600),
        id=f"plate-{seat}",
        class_="plate",
        data_seat=seat,
    )
