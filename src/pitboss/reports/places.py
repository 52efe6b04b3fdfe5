"""What lies on the dealer's side of a felt: the dealer's hand, cards everybody shares, rack, shoe and meters."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from pitboss.games.chance import thrown
from pitboss.games.course import TurnUp
from pitboss.games.deal import deal_of
from pitboss.games.registry import GAMES
from pitboss.games.rules import Rules
from pitboss.law.model import Face
from pitboss.money import Cents, show_dollars
from pitboss.records import Same
from pitboss.reports.board import BOARD, BRASS, CREAM, DIM, Board, Box
from pitboss.reports.cards import DOWN, HEIGHT, WIDTH, Back, card_name, placed
from pitboss.reports.dice import die_svg
from pitboss.reports.numbers import is_wheel, wheel_svg
from pitboss.reports.parts import Group
from pitboss.reports.spots import decisions_of, short_title
from pitboss.reports.svg import Markup, element, halves, label, rect, together

MeterAmounts = Mapping[str, Mapping[str, Cents]]
"""What each meter shows, in cents by jackpot, under its name in the rules or in the house."""


def held(view: Mapping[str, Any], place: str) -> list[str]:
    """The cards at a place now: what a seat discarded is gone, what it drew is there."""
    played = view.get("round")
    if played is None:
        return []
    cards = list(played["hands"].get(place, []))
    number = place.removeprefix("seat ")
    for decision in decisions_of(view, int(number)).values() if number.isdigit() else ():
        if decision.drawn:
            gone: Sequence[object] = decision.discard
            cards = cards[len(gone) :] if DOWN in gone else [card for card in cards if card not in gone]
            cards += map(str, decision.drawn)
    return cards


def places_of(rules: Rules) -> dict[str, int]:
    """Places on the dealer's side to which the law deals cards, each with how many; wagers not offered need none."""
    found: dict[str, int] = {}
    for step in deal_of(rules).steps:
        place = "dealer" if step.to == "players+dealer" else step.to
        shared = step.cards and not step.each and place not in ("players", "discard")
        if shared and (not step.when or step.spare or rules.wagers.keys() & step.when):
            found[place] = found.get(place, 0) + step.cards * step.times
    return found


def rolls(rules: Rules) -> int:
    """How many dice the game is played with, or balls in a wheel."""
    step = thrown(rules)
    return 0 if step is None else step.dice


LEFT = 128.0
MIDDLE = Box(402, 26, 374, 150)
"""The dealer's hand; without one the first place that a round turns up. What lies left of it may need some of it."""


def dealers_area(board: Board, view: Mapping[str, Any], rules: Rules, back: Back) -> Group:
    played = view.get("round") or {}
    parts: dict[str, Markup | Group] = {}
    places = {place: max(many, len(held(view, place))) for place, many in places_of(rules).items()}
    device = str(view.get("dealing", ""))
    if is_wheel(rules):
        parts["place-wheel"] = _wheel(board, Same(rules), next(iter(played.get("dice") or ()), None))
    elif dice := rolls(rules):
        faces = tuple(played.get("dice") or (0,) * dice)
        parts["place-dice"] = _dice(board, device.replace("-", " ").capitalize() or "Dice", faces)
    else:
        parts["place-discard-rack"] = _rack(board, tuple(played.get("unused", "").split()), back)
        parts["place-shoe"] = _shoe(board, device, played.get("cards_left"), back)
    if "pots" in played:
        parts["place-pot"] = pots_svg(pot_lines(played), board.turned(MIDDLE))
    turned = [step.place for step in GAMES[rules.game].course.flat if isinstance(step, TurnUp)]
    middle = "dealer" if "dealer" in places else next((place for place in turned if place in places), "")
    magic = {"magic-card": 1} if played.get("magic_card") else {}
    wide = {place: 70.0 * many + 24 for place, many in (*places.items(), *magic.items())}
    others = sum(each + 8 for place, each in wide.items() if place != middle)
    end = MIDDLE.x + MIDDLE.wide
    squeezed = min(1.0, (end - LEFT) / (others + wide.get(middle, MIDDLE.wide)))
    start, left = max(MIDDLE.x, LEFT + others * squeezed), LEFT
    for place, many in {**places, **magic}.items():
        box = Box(left, 26, wide[place] * squeezed, 150)
        if place == middle:
            box = Box(start, 26, end - start, 150)
        else:
            left += box.wide + 8 * squeezed
        title = place.replace("_", " ").replace("-", " ").capitalize()
        size, empty = (71, 0) if place == "dealer" else (66, many)
        cards = (played["magic_card"],) if place in magic else tuple(held(view, place))
        parts[f"place-{place}"] = _place(board, title, cards, box, place, back, size, empty)
    return Group("g", {"class_": "dealers-area", "id": "felt-dealer"}, parts)


def _marked(key: str, told: str, *parts: object) -> Markup:
    """A place with its name in words."""
    return element("g", element("title", told), *parts, id=f"place-{key}", class_="place", data_place=key)


def pot_lines(played: Mapping[str, Any]) -> tuple[str, ...]:
    """What players have bet against each other: the pots, each with those who can win it, and bets not yet in them."""
    pots = played["pots"]
    names = ("Pot",) if len(pots) < 2 else ("Main pot", *(f"Side pot {number}" for number in range(1, len(pots))))
    lines = [
        f"{name} {show_dollars(pot['amount'])}, seats {', '.join(map(str, pot['seats']))}"
        for name, pot in zip(names, pots, strict=False)
    ]
    return (*lines, *(f"Seat {seat} bets {show_dollars(amount)}" for seat, amount in played["bets"].items()))


@lru_cache(maxsize=512)
def pots_svg(lines: tuple[str, ...], box: Box) -> Markup:
    """The lines one below the other."""
    step = min(22.0, (box.high - 16) / max(len(lines), 1))
    size = min(15.5, step * 0.8)
    labels = (
        label(line, box.x + box.wide / 2, box.y + 8 + step * (at + 0.8), size, fit=box.wide - 20, fill=BRASS)
        for at, line in enumerate(lines)
    )
    frame = rect(box.x, box.y, box.wide, box.high, rx=12, fill=DIM, stroke=BRASS)
    return _marked("pot", "; ".join(lines) or "Pot: empty", frame, *labels)


@lru_cache(maxsize=512)
def _dice(board: Board, device: str, faces: tuple[int, ...]) -> Markup:
    box = board.turned(MIDDLE)
    middle, size = box.x + box.wide / 2, 70.0
    left = middle - (size + 12) * len(faces) / 2 + 6
    told = f"{device}: {', '.join(map(str, faces)) if all(faces) else 'not read'}"
    return _marked(
        "dice",
        told,
        rect(box.x, box.y, box.wide, box.high, rx=75, fill=DIM, stroke=BRASS),
        label(device, middle, box.y + 30, 15.5, fit=box.wide - 40, fill=BRASS, font_weight=600),
        *(die_svg(face, left + (size + 12) * at, box.y + 48, size) for at, face in enumerate(faces)),
    )


@lru_cache(maxsize=512)
def _wheel(board: Board, rules: Same[Rules], shown: Face | None) -> Markup:
    step = thrown(rules.record)
    assert step is not None
    box = board.turned(MIDDLE)
    told = f"Wheel: {'not spun' if shown is None else shown}"
    drawn = wheel_svg(step.faces, shown, box.x + box.wide / 2, box.y + box.high / 2 + 6, 88)
    return element("g", element("title", told), drawn, id="place-wheel", class_="place", data_place="wheel")


@lru_cache(maxsize=4096)
def _place(
    board: Board, name: str, cards: tuple[str, ...], place: Box, key: str, back: Back, width: float, many: int = 0
) -> Markup:
    """A marked place with a name and the cards that lie there."""
    box = board.turned(place)
    told = f"{name}: {', '.join(map(card_name, cards)) or 'no cards'}"
    inner = box.wide - 16
    lie = max(len(cards) or many, 1)
    step = min(width + 4, (inner - width) / max(lie - 1, 1))
    left = box.x + (box.wide - width - step * (lie - 1)) / 2
    high = width * HEIGHT / WIDTH
    words = halves(name, 15.5, box.wide - 8)
    empty = [
        rect(left + at * step, box.y + 44, width, high, rx=6, fill="none",
                stroke=BRASS, stroke_opacity=0.6, stroke_dasharray="4 4")
        for at in range(0 if cards else many)
    ]  # fmt: skip
    return _marked(
        key,
        told,
        rect(box.x, box.y, box.wide, box.high, rx=10, fill="none", stroke=BRASS, stroke_width=1.5),
        *empty,
        *(
            label(line, box.x + box.wide / 2, box.y + (26 if len(words) == 1 else 18) + 17 * at, 15.5,
                  fit=box.wide - 8, fill=BRASS, font_weight=600)
            for at, line in enumerate(words)
        ),
        *(placed(card, left + at * step, box.y + 44, width, back) for at, card in enumerate(cards)),
    )  # fmt: skip


@lru_cache(maxsize=512)
def _rack(board: Board, found: tuple[str, ...], back: Back) -> Markup:
    """The discard rack, with cards that everybody knows to lie there."""
    box = board.turned(Box(24, 26, 92, 150))
    middle = box.x + box.wide / 2
    lines = ["Discard", "rack"]
    return _marked(
        "discard-rack",
        "Discard rack" + (f": {', '.join(map(card_name, found))}" if found else ""),
        rect(box.x, box.y, box.wide, box.high, rx=8, fill=DIM, stroke=BRASS),
        *(placed(card, box.x + 22 + 6 * at, box.y + 12, 46, back) for at, card in enumerate(found or [None])),
        *(label(line, middle, box.y + 106 + 19 * at, 16, fill=CREAM) for at, line in enumerate(lines)),
    )


@lru_cache(maxsize=512)
def _shoe(board: Board, dealing: str, left: int | None, back: Back) -> Markup:
    box = board.turned(Box(BOARD - 116, 26, 92, 150))
    device = "Dealt by hand" if dealing == "hand" else dealing.replace("-", " ").capitalize() or "Cards"
    words = [*device.split(" ", 1), "" if left is None else f"{left} left"]
    return _marked(
        "shoe",
        device + ("" if left is None else f": {left} cards left"),
        rect(box.x, box.y, box.wide, box.high, rx=8, fill="#1b1b1d", stroke=BRASS),
        placed(None, box.x + 23, box.y + 12, 46, back),
        *(
            label(word, box.x + box.wide / 2, box.y + 100 + 18 * at, 15.5, fit=84, fill=CREAM)
            for at, word in enumerate(words)
        ),
    )


def meter_plate(board: Board, view: Mapping[str, Any], rules: Rules, amounts: MeterAmounts) -> Markup | None:
    """A plate with every meter of the table; one whose amount is not known is named all the same."""
    lines: list[tuple[str, str, str]] = []
    for name in rules.meters:
        wager = next(wager for wager in rules.wagers.values() if wager.meter == name)
        title = short_title(wager.title) if " on " not in wager.title else name.replace("_", " ").capitalize()
        tiers = amounts.get(view.get("meters", {}).get(name, name)) or amounts.get(name) or {}
        for tier in rules.meters[name].seed:
            shown = f"{title} {tier}" if len(rules.meters[name].seed) > 1 else title
            amount = tiers.get(tier)
            lines.append((f"{name}-{tier}", shown, "–" if amount is None else f"${amount // 100:,}.{amount % 100:02d}"))
    return _meters(board, tuple(lines)) if lines else None


@lru_cache(maxsize=512)
def _meters(board: Board, lines: tuple[tuple[str, str, str], ...]) -> Markup:
    box = board.turned(Box(786, 26, 286, 150))
    step = min(24.0, 128 / len(lines))
    rows = [
        together(
            label(shown, box.x + 12, box.y + 22 + step * at, 15, anchor="start", fit=142, fill=BRASS),
            label(amount, box.x + box.wide - 12, box.y + 22 + step * at, 16, anchor="end", fit=116, fill=CREAM,
                  font_weight="bold", id=f"meter-{key}", class_="meter-amount"),
        )
        for at, (key, shown, amount) in enumerate(lines)
    ]  # fmt: skip
    frame = rect(box.x, box.y, box.wide, box.high, rx=8, fill="#241013", stroke=BRASS)
    return element("g", element("title", "Progressive meters"), frame, *rows, class_="meters")
