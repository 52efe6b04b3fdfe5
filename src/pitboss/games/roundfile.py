"""Round files: one round in TOML, as people write it. Reading is strict; judging is left to the rules."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

from pitboss.cards import show_cards
from pitboss.documents import parse_toml, read_toml
from pitboss.findings import Finding, refusal
from pitboss.games.chance import WORDS
from pitboss.games.contract import Game
from pitboss.games.course import Betting
from pitboss.games.registry import game_named
from pitboss.games.round import DECISION, THEN, Decision, Round, Seat, own_place, owner
from pitboss.games.roundkeys import (
    GameKey,
    SeatKeys,
    TierKeys,
    device_words,
    feeds,
    keys_of,
    later,
    places,
    seat_place,
)
from pitboss.games.rules import Choices
from pitboss.games.settle import Displayed
from pitboss.law.model import Chapter
from pitboss.law.odds import TIERS, Tier
from pitboss.money import Cents
from pitboss.reader import ValueLimits, naming, required
from pitboss.spoken import spelled

LIMITS: Final = ValueLimits(digits=15)


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


def read_round_file(path: Path) -> RoundFile:
    with naming(str(path)):
        return read_round(read_toml(path))


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
    """A round from the parsed content of a round file. Raise ``FieldsError`` with everything that can't be read."""
    game = game_named(required(GameKey, {name: data[name] for name in data if name == "game"}).game)
    chapter = game.chapter
    given = required(keys_of(game, data), data, limits=LIMITS)
    displayed = {name: _tiers(amounts) for name, amounts in given.inner("meters").items()}
    reserves: Mapping[str, Cents] = given.inner("reserves")
    findings = [*_named_twice(chapter, displayed, "meters"), *_named_twice(chapter, reserves, "reserves")]
    if len(given.magic_card) > 1:
        sentence = f"The system selects one Magic Card in a round; the file gives {len(given.magic_card)}."
        cite = str(chapter.cite_of("magic_card", "paytables"))
        findings.append(refusal("magic-cards", "one card", show_cards(given.magic_card), sentence, cite=cite))
    findings += (each for number, seat in enumerate(given.seats, 1) for each in _amounts(chapter, number, seat))
    own = {
        own_place(name, seat.number): cards
        for seat in given.seats
        for name in places(chapter, own=True)
        if (cards := seat.more.get(name))
    }
    named, words = feeds(chapter), device_words(chapter)
    return RoundFile(
        game=game.name,
        as_of=given.as_of,
        choices=Choices(
            device=given.more.get("device", chapter.deals[0].device),
            letters=given.paytables,
            readings=given.readings,
            options=given.options,
        ),
        submission=given.submission,
        played=Round(
            dealer=given.dealer,
            seats=tuple(_seat(game, seat) for seat in given.seats),
            extras={**{name: cards for name in places(chapter) if (cards := given.more.get(name))}, **own},
            magic_card=next(iter(given.magic_card), None),
            lucky_position=given.lucky_position,
            dice=() if words is None else given.more.get(words.key, ()),
        ),
        displayed={named.get(name, name): amounts for name, amounts in displayed.items()},
        reserves={named.get(name, name): amount for name, amount in reserves.items()},
        meter_names={named[name]: name for name in displayed if name in named},
        findings=tuple(findings),
    )


def _tiers(amounts: Cents | TierKeys) -> dict[Tier, Cents]:
    if not isinstance(amounts, TierKeys):
        return {"meter": amounts}
    return {tier: amount for tier in TIERS if (amount := getattr(amounts, tier)) is not None}


def _named_twice(chapter: Chapter, given: Mapping[str, object], key: str) -> Iterator[Finding]:
    """A meter may be called by the name of a wager that feeds it, but only once."""
    names: dict[str, list[str]] = {}
    for name in given:
        names.setdefault(feeds(chapter).get(name, name), []).append(name)
    for meter, called in names.items():
        if len(called) > 1:
            cite = next((spec.cite for spec in chapter.meters if spec.wager == meter), chapter.cite_of("paytables"))
            sentence = f"{' and '.join(called)} are one meter; give it once."
            yield refusal("meter-named-twice", meter, ", ".join(called), sentence, key, cite=cite)


def _amounts(chapter: Chapter, number: int, seat: SeatKeys) -> Iterator[Finding]:
    """A decision has one amount, called by the wager that it makes."""
    if not (given := [*seat.amounts]):
        return
    cite, where = str(chapter.cite_of("decision", "decisions")), seat_place("seat", number, {"number": seat.number})
    made = [name for name in (seat.decision, seat.then) if name in later(chapter)]
    if len(given) > 1:
        sentence = f"One decision has one amount; the file gives {' and '.join(given)}."
        yield refusal("two-amounts", "one amount", ", ".join(given), sentence, where, cite=cite)
    elif made and given != made:
        sentence = f"The decision is to {made[0]}, but the amount is called {given[0]}."
        expected = f"{made[0]} = dollars"
        yield refusal("amount-of-another-wager", expected, f"{given[0]} = dollars", sentence, where, cite=cite)


def _seat(game: Game, given: SeatKeys) -> Seat:
    wagers = {spelled(words): amount for words, amount in given.wagers.items()}
    unit = wagers.get(game.course.unit, 0)
    amount = next(iter(given.amounts.values()), None)
    made: dict[str, Decision] = {}
    steps = {step.name: step for step in game.course.decides}
    for name, chosen in given.decisions.items():
        step = steps[name]
        stake = None if chosen.times is None else chosen.times * unit
        for times, choice in enumerate(chosen.choices):
            made[step.turn(times) if isinstance(step, Betting) else name] = Decision(choice, stake)
    if given.decision is not None:
        first = game.course.decides[0].name if game.course.decides else DECISION
        made = {first: Decision(given.decision, None if given.then else amount, given.discard, given.drawn)}
    return Seat(
        number=given.number,
        cards=given.cards,
        wagers=wagers,
        decisions={**made, THEN: Decision(given.then, amount)} if given.then else made,
        earlier=given.more.get("earlier", {}),
    )
