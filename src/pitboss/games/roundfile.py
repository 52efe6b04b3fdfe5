"""Round files: one round in TOML, as people write it. Reading is strict; judging is left to the rules."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any, Self, TypeVar

from pitboss.cards import CardError, Hand, parse_cards, show_cards
from pitboss.documents import parse_toml, read_toml
from pitboss.findings import Finding, UnreadableError, refusal
from pitboss.games.chance import WORDS
from pitboss.games.contract import Game
from pitboss.games.course import Betting
from pitboss.games.options import read_options
from pitboss.games.registry import GAMES, game_named
from pitboss.games.round import DECISION, THEN, Decision, Round, Seat, own_place, owner
from pitboss.games.rules import Choices
from pitboss.games.settle import Displayed
from pitboss.law.model import Chapter, Face
from pitboss.law.odds import TIERS, Tier
from pitboss.money import Cents, MoneyError, cents
from pitboss.names import shortened
from pitboss.spoken import spelled

T = TypeVar("T")
_SEAT = frozenset({"number", "cards", "wagers", "decision", "decisions", "discard", "drawn", "then"})


@dataclass(frozen=True)
class RoundFile:
    """A round as read: what was played, under which choices or submission, on which day."""

    game: str
    as_of: date | None
    choices: Choices
    submission: str | None
    played: Round
    displayed: Displayed
    reserves: Mapping[str, Cents]
    meter_names: Mapping[str, str]
    """What the file calls a meter, where that is not the meter's own name."""
    findings: tuple[Finding, ...] = ()
    """What the file says twice or against itself, so that no round could hold it."""


class Fields:
    """A TOML table read key by key: every misfit is named with its place, and what is left over is unknown."""

    def __init__(self, place: str, table: object) -> None:
        if not isinstance(table, dict):
            raise UnreadableError(f"{place} should be a table, not {_shown(table)}")
        self.place, self.table = place, table
        self.left = set(table)

    def at(self, key: str) -> str:
        return f"{self.place}: {key}" if self.place else key

    def get(self, key: str, kind: type[T] | tuple[type[T], ...], what: str, default: T | None = None) -> T | None:
        self.left.discard(key)
        value = self.table.get(key, default)
        if value is None:
            return None
        if isinstance(value, datetime):
            raise UnreadableError(f"{self.at(key)} should be {what}, without a time of day")
        if not isinstance(value, kind) or isinstance(value, bool) is not (kind is bool):
            raise UnreadableError(f"{self.at(key)} should be {what}, not {_shown(value)}")
        return value

    def need(self, key: str, kind: type[T], what: str) -> T:
        value = self.get(key, kind, what)
        if value is None:
            raise UnreadableError(f"{self.at(key)} is missing: it should be {what}")
        return value

    def cards(self, key: str) -> Hand:
        text = self.get(key, str, "cards such as 'As Kd'", "") or ""
        return self.convert(key, parse_cards, text)

    def money(self, key: str) -> Cents | None:
        value = self.get(key, (int, Decimal), "an amount of dollars")
        return None if value is None else self.convert(key, cents, value)

    def convert(self, key: str, how: Callable[[Any], T], value: object) -> T:
        try:
            return how(value)
        except (CardError, MoneyError) as problem:
            raise UnreadableError(f"{self.at(key)}: {problem}") from None

    def balance(self, key: str) -> Cents:
        amount = self.money(key) or 0
        if amount < 0:
            raise UnreadableError(f"{self.at(key)} is below zero")
        return amount

    def inner(self, key: str) -> Self:
        return type(self)(self.at(key), self.get(key, dict, "a table", {}))

    def mapping(self, key: str, how: Callable[[Self, str], T]) -> dict[str, T]:
        inner = self.inner(key)
        return {name: how(inner, name) for name in inner.table}

    def done(self) -> None:
        if self.left:
            unknown = sorted(self.left)[0]
            raise UnreadableError(f"{self.at(unknown)} is not a key that is known here")


def _shown(value: object) -> str:
    """A value in a sentence, shortened to what a reader needs to find it."""
    return shortened(str(value) if isinstance(value, Decimal) else repr(value))


def read_round_file(path: Path) -> RoundFile:
    try:
        return read_round(read_toml(path))
    except UnreadableError as problem:
        text = str(problem)
        raise UnreadableError(text if str(path) in text else f"{path}: {text}") from None


def read_round_text(text: str) -> RoundFile:
    return read_round(parse_toml(text, "The round"))


def round_data(game: str, as_of: date, played: Round) -> dict[str, Any]:
    """A round as the content of a round file: what ``read_round`` reads as the same round."""
    known = game_named(game)
    shared = {name: cards for name, cards in played.extras.items() if owner(name) is None}
    cards = {"dealer": played.dealer, **shared, "magic_card": played.magic_card and (played.magic_card,)}
    steps = [step for deal in known.chapter.deals for step in deal.steps if step.dice]
    thrown = {WORDS[steps[0].to].key: " ".join(map(str, played.dice))} if steps else {}
    position = {"lucky_position": played.lucky_position} if played.lucky_position is not None else {}
    return {
        "game": game,
        "as_of": as_of,
        **{name: show_cards(hand) for name, hand in cards.items() if hand},
        **thrown,
        **position,
        "seat": [_seat_data(known, played, seat) for seat in played.seats],
    }


def _seat_data(game: Game, played: Round, seat: Seat) -> dict[str, Any]:
    own = {name.rpartition(" ")[0]: cards for name, cards in played.extras.items() if owner(name) == seat.number}
    hands = {name: show_cards(cards) for name, cards in {"cards": seat.cards, **own}.items() if cards}
    earlier = {name: " ".join(map(str, thrown)) for name, thrown in seat.earlier.items()}
    told = {"number": seat.number, **hands, "wagers": {name: dollars(made) for name, made in seat.wagers.items()}}
    told |= {"earlier": earlier} if earlier else {}
    unit, first = seat.wagers.get(game.course.unit, 0), seat.decision
    if first is None:
        return told
    if (
        not first.discard
        and not first.drawn
        and all(not d.amount or d.amount % unit == 0 for d in seat.decisions.values())
    ):
        steps: dict[str, list[str]] = {}
        for name, made in seat.decisions.items():  # a seat may act several times in one round of betting
            steps.setdefault(name.partition(" ")[0], []).append(_chosen(made, unit))
        return told | {"decisions": {step: ", ".join(chosen) for step, chosen in steps.items()}}
    then, later = seat.decisions.get(THEN), {wager.name for wager in game.chapter.wagers if wager.placed == "after"}
    told |= {"decision": first.choice, "discard": show_cards(first.discard), "drawn": show_cards(first.drawn)}
    told |= {"then": then.choice} if then is not None else {}
    last = then or first
    if last.amount is not None:
        told[last.choice if last.choice in later else min(later)] = dollars(last.amount)
    return told


def _chosen(made: Decision, unit: Cents) -> str:
    return made.choice if made.amount is None else f"{made.choice} {made.amount // unit}"


def dollars(amount: Cents) -> int | Decimal:
    """Cents as a round file writes them.

    >>> dollars(1000), dollars(250)
    (10, Decimal('2.5'))
    """
    return amount // 100 if amount % 100 == 0 else Decimal(amount) / 100


def write_round(data: Mapping[str, Any]) -> str:
    """The content of a round file as text, with each seat as a table of its own.

    >>> print(write_round({"game": "g", "seat": [{"number": 1, "wagers": {"ante": 10}}]}), end="")
    game = "g"
    <BLANKLINE>
    [[seat]]
    number = 1
    wagers = { ante = 10 }
    """
    lines = [f"{name} = {_toml(value)}" for name, value in data.items() if name != "seat"]
    for seat in data.get("seat", ()):
        lines += ["", "[[seat]]", *(f"{name} = {_toml(value)}" for name, value in seat.items())]
    return "\n".join(lines) + "\n"


def _toml(value: object) -> str:
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{name} = {_toml(each)}' for name, each in value.items())} }}"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str | bool) else str(value)


def read_round(data: Mapping[str, Any]) -> RoundFile:
    """A round from the parsed content of a round file."""
    top = Fields("", dict(data))
    game = game_named(top.need("game", str, "the name of a game"))
    displayed: dict[str, Mapping[Tier, Cents]] = top.mapping("meters", _meter)
    reserves = top.mapping("reserves", Fields.balance)
    magic = top.cards("magic_card")
    findings = [*_named_twice(game.chapter, displayed, "meters"), *_named_twice(game.chapter, reserves, "reserves")]
    if len(magic) > 1:
        sentence = f"The system selects one Magic Card in a round; the file gives {len(magic)}."
        cite = str(game.chapter.cite_of("magic_card", "paytables"))
        findings.append(refusal("magic-cards", "one card", show_cards(magic), sentence, cite=cite))
    own: dict[str, Hand] = {}
    seats = []
    for number, table in enumerate(_seats(top), 1):
        findings += _amounts(game.chapter, number, table)
        seats.append(_seat(game, number, table, own))
    feeds = _feeds(game.chapter)
    file = RoundFile(
        game=game.name,
        as_of=top.get("as_of", date, "a date such as 2024-06-01"),
        choices=Choices(),
        submission=top.get("submission", str, "the path of a submission"),
        played=Round(
            dealer=top.cards("dealer"),
            seats=tuple(seats),
            extras={**{name: cards for name in _places(game.chapter) if (cards := top.cards(name))}, **own},
            magic_card=next(iter(magic), None),
            lucky_position=_position(top),
            dice=_dice(top, game.chapter),
        ),
        displayed={feeds.get(name, name): amounts for name, amounts in displayed.items()},
        reserves={feeds.get(name, name): amount for name, amount in reserves.items()},
        meter_names={feeds[name]: name for name in displayed if name in feeds},
        findings=tuple(findings),
    )
    file = replace(file, choices=_choices(top, game.chapter))
    top.done()
    known = {meter.wager for meter in game.chapter.meters}
    for name in (*file.displayed, *file.reserves):
        if name not in known:
            names = ", ".join(sorted(known)) or "none in this game"
            raise UnreadableError(f"meters: {name} is not a meter of {game.name}; meters: {names}")
    return file


def _named_twice(chapter: Chapter, given: Mapping[str, object], key: str) -> Iterator[Finding]:
    """A meter may be called by the name of a wager that feeds it, but only once."""
    names: dict[str, list[str]] = {}
    for name in given:
        names.setdefault(_feeds(chapter).get(name, name), []).append(name)
    for meter, called in names.items():
        if len(called) > 1:
            cite = next((spec.cite for spec in chapter.meters if spec.wager == meter), chapter.cite_of("paytables"))
            sentence = f"{' and '.join(called)} are one meter; give it once."
            yield refusal("meter-named-twice", meter, ", ".join(called), sentence, key, cite=cite)


def _feeds(chapter: Chapter) -> dict[str, str]:
    """The meter of each wager that feeds one of another name; either name finds it."""
    return {wager.name: wager.meter for wager in chapter.wagers if wager.meter not in ("", wager.name)}


def _seat_place(entry: int, table: object) -> str:
    """What messages call a seat: by its number, or by its place in the file where it has none.

    >>> _seat_place(1, {"number": 4}), _seat_place(1, {})
    ('seat 4', 'seat[1]')
    """
    number = table.get("number") if isinstance(table, dict) else None
    return f"seat {number}" if isinstance(number, int) and 0 < number < 100 else f"seat[{entry}]"


def _later(chapter: Chapter, table: Mapping[str, object]) -> list[str]:
    """The keys of a seat that are amounts of wagers made after the cards, of this game or of another."""
    made = {wager.name for wager in chapter.wagers if wager.placed == "after"}
    if not made >= set(table) - _SEAT:
        made |= {wager.name for game in GAMES.values() for wager in game.chapter.wagers if wager.placed == "after"}
    return [key for key in table if key in made]


def _amounts(chapter: Chapter, number: int, table: object) -> Iterator[Finding]:
    """A decision has one amount, called by the wager that it makes."""
    if not isinstance(table, dict) or not (given := _later(chapter, table)):
        return
    cite, where = str(chapter.cite_of("decision", "decisions")), _seat_place(number, table)
    later = [wager.name for wager in chapter.wagers if wager.placed == "after"]
    made = [name for name in (table.get("decision"), table.get("then")) if name in later]
    if len(given) > 1:
        sentence = f"One decision has one amount; the file gives {' and '.join(given)}."
        yield refusal("two-amounts", "one amount", ", ".join(given), sentence, where, cite=cite)
    elif made and given != made:
        sentence = f"The decision is to {made[0]}, but the amount is called {given[0]}."
        expected = f"{made[0]} = dollars"
        yield refusal("amount-of-another-wager", expected, f"{given[0]} = dollars", sentence, where, cite=cite)


def _position(top: Fields) -> int | str | None:
    if isinstance(top.table.get("lucky_position"), str):
        return top.get("lucky_position", str, "a seat number")
    return top.get("lucky_position", int, 'a seat number or "dealer"')


def _meter(inner: Fields, name: str) -> dict[Tier, Cents]:
    value = inner.table[name]
    if not isinstance(value, dict):
        return {"meter": inner.balance(name)}
    tiers = Fields(inner.at(name), value)
    amounts = {tier: tiers.balance(tier) for tier in TIERS if tier in value}
    tiers.done()
    return amounts


def _choices(top: Fields, chapter: Chapter) -> Choices:
    """Read last: what is left by then is an option, or unknown."""
    devices = dict.fromkeys(deal.device for deal in chapter.deals)
    device = top.get("device", str, f"one of {', '.join(devices)}", next(iter(devices))) or ""
    if device not in devices:
        raise UnreadableError(f"device: {device!r} is none of {chapter.title}; devices: {', '.join(devices)}")
    return Choices(
        device=device,
        letters=top.mapping("paytables", lambda inner, name: inner.need(name, str, "the letter of a pay table")),
        readings=top.mapping("readings", lambda inner, name: inner.need(name, str, "the name of a reading")),
        options=read_options(top, chapter, in_rounds=True),
    )


def _places(chapter: Chapter, own: bool = False) -> list[str]:
    """Where cards are dealt besides the players and the dealer: for all, or for a seat of its own."""
    steps = (step for deal in chapter.deals for step in deal.steps if step.cards and step.each is own)
    places = dict.fromkeys(step.to for step in steps)
    return [place for place in places if place not in ("players", "players+dealer", "dealer", "discard")]


def _dice(top: Fields, chapter: Chapter) -> tuple[Face, ...]:
    """What the dice show, or where the ball came to rest; whether it fits the device in use is checked later."""
    step = next((step for deal in chapter.deals for step in deal.steps if step.dice), None)
    if step is None:
        return ()
    key = WORDS[step.to].key
    text = top.get(key, str, WORDS[step.to].example, "") or ""
    known = {str(each): each for deal in chapter.deals for each in deal.steps[0].faces}
    if not known.keys() >= set(text.split()):
        numbers = f"numbers from {min(map(int, known))} to {max(map(int, known))}"
        raise UnreadableError(f"{key}: {text!r} should be {numbers}, such as {WORDS[step.to].example}")
    return tuple(known[each] for each in text.split())


def _seats(top: Fields) -> list[Any]:
    return top.get("seat", list, "a list of seats", []) or []


def _seat(game: Game, number: int, table: object, own: dict[str, Hand]) -> Seat:
    """A seat; the cards at places of its own go to ``own``."""
    fields = Fields(_seat_place(number, table), table)
    choice = fields.get("decision", str, "a word such as play or fold")
    amounts = [amount for key in _later(game.chapter, fields.table) if (amount := fields.money(key)) is not None]
    discard, drawn = fields.cards("discard"), fields.cards("drawn")
    then = fields.get("then", str, '"bet" or "fold"')
    if choice is None and (amounts or discard or drawn or then):
        raise UnreadableError(f"{fields.at('decision')} is missing though an amount or drawn cards are given")
    amount = amounts[0] if amounts else None
    wagers = _wagers(fields)
    unit = wagers.get(game.course.unit, 0)
    steps = fields.mapping("decisions", lambda inner, step: _step(inner, step, game, unit))
    made = {name: decision for by_turn in steps.values() for name, decision in by_turn.items()}
    if choice is not None:
        if made:
            raise UnreadableError(f"{fields.at('decision')} and decisions say the same; give one of them")
        step = game.course.decides[0].name if game.course.decides else DECISION
        made = {step: Decision(choice, None if then else amount, discard, drawn)}
    faces = {str(each): each for deal in game.chapter.deals for step in deal.steps for each in step.faces}
    seat = Seat(
        earlier=fields.mapping("earlier", lambda inner, name: _earlier(inner, name, faces)),
        number=fields.need("number", int, "a seat number"),
        cards=fields.cards("cards"),
        wagers=wagers,
        decisions={**made, THEN: Decision(then, amount)} if then else made,
    )
    places = _places(game.chapter, own=True)
    own |= {own_place(name, seat.number): cards for name in places if (cards := fields.cards(name))}
    fields.done()
    return seat


def _wagers(fields: Fields) -> dict[str, Cents]:
    """The wagers of a seat, by name or by the words for it: ``corner_1`` or ``"Corner 1-2-4-5"``."""
    written = fields.mapping("wagers", lambda inner, name: inner.money(name) or 0)
    wagers = {spelled(words): amount for words, amount in written.items()}
    if len(wagers) < len(written):
        twice = next(words for words in written if spelled(words) != words and spelled(words) in written)
        raise UnreadableError(f"{fields.at('wagers')} names {spelled(twice)} twice, also as {twice!r}; give it once")
    return wagers


def _earlier(fields: Fields, wager: str, faces: Mapping[str, Face]) -> tuple[Face, ...]:
    """What was thrown in earlier rounds for a wager that lives on: ``touchdown = "00 5"``."""
    text = fields.need(wager, str, "what was thrown since the wager was made")
    if not faces.keys() >= set(text.split()):
        raise UnreadableError(f"{fields.at(wager)}: {text!r} is not what can be thrown")
    return tuple(faces[each] for each in text.split())


def _step(fields: Fields, step: str, game: Game, unit: Cents) -> dict[str, Decision]:
    """``third_street = "bet 3"``: what was chosen at a step, and how many times the unit it staked; where players
    bet against each other, every choice in turn: ``third_street = "check, call"``."""
    known = {each.name: each for each in game.course.decides}
    if step not in known:
        raise UnreadableError(f"{fields.at(step)} is not a step of {game.name}; steps: {', '.join(known) or 'none'}")
    asked = known[step]
    if isinstance(asked, Betting):
        words = fields.need(step, str, "choices such as 'check, call'").replace(",", " ").split()
        return {asked.turn(times): Decision(word) for times, word in enumerate(words)}
    choice, _, times = fields.need(step, str, "a choice such as 'bet 3' or 'fold'").partition(" ")
    if times and not (times.isascii() and times.isdigit() and len(times) < 4):
        raise UnreadableError(f"{fields.at(step)}: {times!r} is not a number of times the {game.course.unit}")
    return {step: Decision(choice, int(times) * unit if times else None)}
