"""A table as HTML: cards, spots and seats as one viewer may see them. Built from the redacted view of the table."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

from pitboss.cards import Hand, parse_cards, show_card
from pitboss.games.betting import COMMUNITY
from pitboss.games.chance import spoken_of, thrown
from pitboss.games.deal import deal_of
from pitboss.games.round import Round, Seat
from pitboss.games.rules import Rules
from pitboss.games.settle import settle
from pitboss.games.settlement import LineResult
from pitboss.law.model import Face
from pitboss.money import Cents, show_dollars
from pitboss.names import shown
from pitboss.paper.model import Passage, Remark
from pitboss.records import Same
from pitboss.reports.cards import DOWN, Back, card_id, card_name
from pitboss.reports.felt import back_of, draw_felt, draw_layout, place_at, player_at
from pitboss.reports.numbers import colour_of, is_wheel
from pitboss.reports.offer import offered_tables
from pitboss.reports.phone import draw_phone
from pitboss.reports.places import held, places_of, pot_lines
from pitboss.reports.settlement import table_passage
from pitboss.reports.sources import unprinted
from pitboss.reports.spots import Kind, Stake, chip_svg, patron_mark, shared_spots, short_title, spots_of, stakes_of
from pitboss.reports.svg import FONT, element, label
from pitboss.table.caption import table_limits
from pitboss.table.state import BETWEEN_ROUNDS
from pitboss.web.choices import CHIPS
from pitboss.web.hand import hand_name, ranking
from pitboss.web.render import joined, template
from pitboss.web.results import Results
from pitboss.web.scene import Scene
from pitboss.web.thrown import LAST, counts_of, judged
from pitboss.web.views.paper_page import document

RULES = {"7": "Wagers", "11": "Procedure of play", "13": "Irregularities"}
"""Sections of a chapter that players ask for."""


@dataclass(frozen=True)
class CardFace:
    """A card as it lies there."""

    code: str
    id: str
    name: str
    made: bool = False
    """Whether it belongs to the hand that is named."""


@dataclass(frozen=True)
class CardPlace:
    """Cards in front of the dealer, and how many are still to come."""

    name: str
    title: str
    cards: tuple[CardFace, ...]
    empty: int
    hand: str = ""


@dataclass(frozen=True)
class SpotShown:
    """A betting spot with what lies on it."""

    id: str
    name: str
    title: str
    words: str
    kind: Kind
    amount: str
    chip: str
    outcome: str
    """What became of the wager: ``won``, ``lost`` or ``back``; empty before it is settled."""


@dataclass(frozen=True)
class SeatShown:
    """A seat with everything that the viewer may know of it."""

    number: int
    who: str
    said: str
    turn: bool
    folded: bool
    cards: tuple[CardFace, ...]
    beside: tuple[CardFace, ...]
    hand: str
    spots: tuple[SpotShown, ...]
    staked: Cents


def faces(cards: Iterable[str], back: Back, made: Iterable[str] = ()) -> tuple[CardFace, ...]:
    marked = set(made)
    return tuple(CardFace(card, card_id(card, back), card_name(card), card in marked) for card in cards)


def is_drawn(rules: Rules) -> bool:
    """Whether the spots lie on a shared layout, of which only the drawing makes sense."""
    return bool(shared_spots(rules))


def board(scene: Scene, seats: Sequence[int]) -> dict[str, Any]:
    """What the board is drawn from, with these seats in large."""
    assert scene.rules is not None
    view, rules, back = scene.shown, scene.rules, back_of(scene.shown)
    played = view.get("round") or {}
    made = {card for seat in seats for card in made_of(rules.game, view, seat)}
    turn = scene.step.seat if scene.step else None
    large = [_seat(view, rules, seat, turn, made) for seat in seats]
    others = [
        _seat(view, rules, seat, turn, ())
        for seat in range(1, rules.seats + 1)
        if seat not in seats and player_at(view, seat)
    ]
    return {
        "places": list(_places(view, rules, back, made)),
        "pots": pot_lines(played) if "pots" in played else (),
        "large": large,
        "badges": others,
        "meters": [
            (shown(name) + (f" {tier}" if len(tiers) > 1 else ""), amount)
            for name, tiers in scene.meters.items()
            for tier, amount in tiers.items()
        ],
        "wagering": scene.table.phase in BETWEEN_ROUNDS,
    }


def unnamed(view: dict[str, Any], rules: Rules) -> dict[str, Any]:
    """The board with every seat in large, where no hand is named: a drill gives nothing away."""
    seats = [seat for seat in range(1, rules.seats + 1) if player_at(view, seat)]
    return {
        "places": [replace(each, hand="") for each in _places(view, rules, back_of(view), ())],
        "large": [replace(_seat(view, rules, seat, None, ()), hand="") for seat in seats],
        "pots": pot_lines(view["round"]) if "pots" in (view["round"] or {}) else (),
        "meters": (),
        "wagering": view["round"] is None,
    }


def _places(view: Mapping[str, Any], rules: Rules, back: Back, made: Iterable[str]) -> Iterator[CardPlace]:
    played = view.get("round") or {}
    for name, many in sorted(places_of(rules).items(), key=lambda each: each[0] != "dealer"):
        cards = held(view, name)
        if not cards and ("pots" in played or not _always_dealt(Same(rules), name)):
            continue  # for a wager that may not have been made, or dealt only if the deck runs short
        hand = dealers_hand(rules.game, view) if name == "dealer" else ""
        title = "Board" if name == COMMUNITY else shown(name)
        yield CardPlace(name, title, faces(cards, back, made), max(0, many - len(cards)), hand)
    if magic := played.get("magic_card"):
        yield CardPlace("magic-card", "Magic Card", faces([magic], back), 0)


@lru_cache(maxsize=256)
def _always_dealt(known: Same[Rules], place: str) -> bool:
    """Whether every round has cards there."""
    names = (place, f"players+{place}")
    return any(step.to in names and not step.when for step in deal_of(known.record).steps)


def _seat(view: dict[str, Any], rules: Rules, seat: int, turn: int | None, made: Iterable[str]) -> SeatShown:
    back, stakes = back_of(view), stakes_of(view, rules, seat)
    place = place_at(view, seat, (), stakes, held(view, f"seat {seat}"), "", turn)
    return SeatShown(
        seat,
        place.who,
        place.said,
        place.turn,
        place.folded,
        faces(place.hand, back, made),
        faces(place.beside, back),
        hand_name(rules.game, view, seat),
        tuple(_spots(rules, seat, stakes)),
        sum(stake.amount for stake in stakes.values()),
    )


def _spots(rules: Rules, seat: int, stakes: Mapping[str, Stake]) -> Iterator[SpotShown]:
    for spot in spots_of(rules, seat):
        stake = stakes.get(spot.name)
        outcome = ""
        if stake is not None and stake.settled:
            outcome = "won" if stake.moves.paid > 0 else "back" if stake.moves.stays else "lost"
        yield SpotShown(
            f"spot-{seat}-{spot.name}",
            spot.name,
            spot.title,
            spot.words or short_title(spot.title),
            spot.kind,
            stake.text if stake else "",
            chip_picture(stake.amount) if stake and outcome != "lost" else "",
            outcome,
        )


@lru_cache(maxsize=64)
def chip_picture(amount: Cents) -> str:
    drawn = chip_svg(amount, 32, 32, 30)
    return joined([element("svg", drawn, viewBox="0 0 64 64", class_="chip", aria_hidden="true")])


@lru_cache(maxsize=256)
def cut_out(amount: Cents) -> tuple[tuple[str, int], ...]:
    """The chips in which an amount is handed over, the largest first: the picture of each and how many; none for cents.

    >>> [many for _, many in cut_out(44_200)], cut_out(150)
    ([4, 1, 1, 1, 2], ())
    """
    found: list[tuple[str, int]] = []
    for chip in reversed(CHIPS) if amount % CHIPS[0] == 0 else ():
        many, amount = divmod(amount, chip)
        if many:
            size = 24 if chip < 10_000 else 19
            value = label(chip // 100, 32, 32 + size * 0.36, size, fill="#15181c", font_weight="bold", font_family=FONT)
            picture = element("svg", chip_svg(chip, 32, 32, 30), value, viewBox="0 0 64 64", class_="chip")
            found.append((joined([picture]), many))
    return tuple(found)


def made_of(game: str, view: Mapping[str, Any], seat: int) -> tuple[str, ...]:
    """The cards that form a seat's hand, where it has more than a hand needs or exactly as many."""
    ranked, own = ranking(game), held(view, f"seat {seat}")
    if ranked is None or not own or DOWN in own:
        return ()
    order, places = ranked
    others = [card for place in places if place not in ("own", "final") for card in held(view, place)]
    cards = parse_cards(" ".join((*own, *(card for card in others if card != DOWN))))
    return tuple(map(show_card, order.best(cards)[1])) if len(cards) >= order.size and others else ()


def dealers_hand(game: str, view: Mapping[str, Any]) -> str:
    """The dealer's hand in words, once all of it lies open."""
    cards = held(view, "dealer")
    return hand_name(game, {**view, "round": _as_seat(view)}, 0) if cards and DOWN not in cards else ""


def _as_seat(view: Mapping[str, Any]) -> dict[str, Any]:
    played = view["round"]
    return {**played, "hands": {**played["hands"], "seat 0": played["hands"].get("dealer", [])}, "decisions": {}}


def felt(scene: Scene, person: str, *, narrow: bool, four_color: bool, interactive: bool) -> str:
    """The drawing of the whole table: seven seats, or on a phone one."""
    assert scene.rules is not None
    turn = scene.step.seat if scene.step else None
    if narrow:
        behind = person or str(player_at(scene.shown, turn or 0) or next(iter(scene.shown["seats"].values()), ""))
        drawn = draw_phone(
            scene.shown, scene.rules, person=behind, turn=turn, four_colour=four_color, interactive=interactive
        )
    else:
        drawn = draw_felt(
            scene.shown,
            scene.rules,
            person=person,
            turn=turn,
            meters=scene.meters,
            four_colour=four_color,
            interactive=interactive,
        )
    return joined([_lit(scene, str(drawn))])


def layout(scene: Scene, *, interactive: bool) -> str:
    """The drawing of what all patrons bet on, from the dealer's side."""
    assert scene.rules is not None
    return joined([_lit(scene, str(draw_layout(scene.shown, scene.rules, interactive=interactive)))])


def _lit(scene: Scene, drawn: str) -> str:
    """Mark the spots of a shared layout that win with what the dice or the wheel show."""
    play = scene.table.play
    assert scene.rules is not None
    if play is None or not play.dice or not is_drawn(scene.rules):
        return drawn
    for name in winners(Same(scene.rules), tuple(play.dice)):
        drawn = re.sub(rf'id="spot-\d+-{re.escape(name)}"', r'\g<0> data-lit="1"', drawn)
    return drawn


@lru_cache(maxsize=512)
def winners(known: Same[Rules], thrown_faces: tuple[Face, ...]) -> tuple[str, ...]:
    """The wagers of a shared layout that a throw pays, settled as at the table."""
    rules = known.record
    wagers = {}
    for spot in shared_spots(rules):
        wager = rules.wager_named(spot.name)
        if wager is not None:
            wagers[spot.name] = rules.limits(wager.name).minimum
    settled = settle(rules, Round((), (Seat(1, (), wagers),), dice=thrown_faces))
    return tuple(line.wager for line in settled.lines if line.result == LineResult.WIN)


def settlement(results: Results) -> str:
    """The lines of a round as a document; empty where nothing has been settled."""
    if not results.lines and not results.void:
        return ""
    if results.void:
        passage = Passage(f"Round {results.number} was void", (Remark("All wagers went back."),))
    else:
        passage = table_passage(results.number, results.lines, results.balances)
    return document((passage,))


@dataclass(frozen=True)
class PaidShown:
    """What a player of a shared layout is paid for a throw: one total, its parts, and what was lost."""

    seat: int
    letter: str
    who: str
    total: Cents
    parts: tuple[str, ...]
    lost: Cents


def paid(scene: Scene, results: Results, mine: Sequence[int]) -> dict[str, Any] | None:
    """Every player's total of the throw that is settled, the viewer's own seats first; nothing where cards decide."""
    rules = scene.rules
    if rules is None or not is_drawn(rules) or not results.lines:
        return None
    by_seat: dict[int, list[Mapping[str, Any]]] = {}
    for line in results.lines:
        by_seat.setdefault(line["seat"], []).append(line)
    seats = sorted(by_seat, key=lambda seat: (seat not in mine, seat))
    return {
        "throw": spoken_of(rules).button.lower(),
        "seats": [_paid(scene.shown, seat, by_seat[seat], seat in mine) for seat in seats],
    }


def _paid(view: Mapping[str, Any], seat: int, lines: Iterable[Mapping[str, Any]], is_own: bool) -> PaidShown:
    lines = tuple(lines)
    won = [line for line in lines if line["net"] > 0]
    parts = tuple(
        f"{shown(line['wager'])}: {show_dollars(line['stake'])}"
        + (f" at {line['odds']}" if line.get("odds") else "")
        + f" = {show_dollars(line['net'])}"
        for line in won
    )
    who = "You" if is_own else str(player_at(view, seat) or f"seat {seat}").replace("-", " ").capitalize()
    total, lost = sum(line["net"] for line in won), -sum(line["net"] for line in lines if line["net"] < 0)
    return PaidShown(seat, patron_mark(seat)[0], who, total, parts, lost)


def throws(rules: Rules, made: Sequence[Sequence[Face]]) -> dict[str, Any] | None:
    """What dice or a wheel have shown, newest first, how often each number came, and what that says."""
    step = thrown(rules)
    if step is None:
        return None
    counts = counts_of(step, made)
    wheel = is_wheel(rules)
    most = max(1, *(many for _, many in counts))
    bars = [(str(face), many, color_of(face) if wheel else "die", round(40 * many / most, 1)) for face, many in counts]
    return {
        "things": spoken_of(rules).things,
        "last": [(" ".join(map(str, each)), color_of(each[0]) if wheel else "die") for each in reversed(made[-LAST:])],
        "bars": bars,
        "says": judged(counts) if made else "",
        "won": throw_words(rules, made[-1]) if made else "",
    }


def throw_words(rules: Rules, made: Sequence[Face]) -> str:
    """A throw in words: a number of a wheel with what it is besides, or the total of dice."""
    if not is_wheel(rules):
        return f"Total {sum(map(int, made))}"
    face = made[0]
    if int(face) == 0:
        return "Green"
    number = int(face)
    half = "1 to 18" if number <= 18 else "19 to 36"
    return f"{color_of(face).capitalize()}, {'even' if number % 2 == 0 else 'odd'}, {half}"


def color_of(face: Face) -> str:
    """The color of a number on a wheel."""
    return "green" if int(face) == 0 else "red" if colour_of(face) == colour_of(1) else "black"


@dataclass(frozen=True)
class RulesShown:
    """What a table offers, drawn once for as long as its rules stand."""

    tables: tuple[tuple[str, str, tuple[tuple[str, str], ...]], ...]
    """Title, paragraph and rows of each pay table."""
    sections: tuple[tuple[str, str], ...]
    unprinted: tuple[tuple[str, str, str], ...]


@lru_cache(maxsize=64)
def rules_shown(known: Same[Rules]) -> RulesShown:
    rules = known.record
    tables = tuple(
        (each.title + (f", table {each.letter}" if each.letter else ""), str(each.table.cite), each.rows)
        for each in offered_tables(rules)
    )
    number = rules.chapter.chapter
    sections = tuple((f"{number}.{section}", words) for section, words in RULES.items())
    return RulesShown(tables, sections, tuple(tuple(map(str, each)) for each in unprinted(rules)))  # type: ignore[misc]


def about(scene: Scene) -> str:
    """Pay tables, limits and the way to the rules, drawn once while they are in force."""
    assert scene.rules is not None
    limits = tuple((each.title, each.range) for each in table_limits(scene.table))
    return _about(Same(scene.rules), limits)


@lru_cache(maxsize=64)
def _about(known: Same[Rules], limits: tuple[tuple[str, str], ...]) -> str:
    return joined([template("about.html").render(offered=rules_shown(known), limits=limits)])


def in_suits(cards: Hand) -> str:
    """Cards with the signs of their suits.

    >>> in_suits(parse_cards("Kd Tc"))
    'K♦ 10♣'
    """
    return " ".join(card[:-1].replace("T", "10") + "♣♦♥♠"["cdhs".index(card[-1])] for card in map(show_card, cards))


def dollars(amount: Fraction | Cents, *, sign: bool = True) -> str:
    """An amount to the cent, with a minus sign that is one.

    >>> dollars(1050), dollars(-170), dollars(Fraction(-1, 3)), dollars(2000, sign=False)
    ('+$10.50', '−$1.70', '$0', '$20')
    """
    cents = round(amount)
    mark = "" if not cents else "−" if cents < 0 else "+" if sign else ""
    return f"{mark}{show_dollars(abs(cents))}"
