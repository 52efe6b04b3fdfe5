"""The round that a form of a dispute describes, and the field that a finding about it belongs to."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from pitboss.cards import Card, CardError, Hand, parse_card, show_cards
from pitboss.findings import Finding, FindingsError
from pitboss.games.chance import WORDS, thrown
from pitboss.games.contract import Game
from pitboss.games.roundfile import dollars
from pitboss.games.rules import Rules
from pitboss.names import name_of, shortened, shown
from pitboss.reports.cards import card_name
from pitboss.web.views.settle_form import DisputeForm, FormField, SeatFields

CARD: Final = re.compile(r"(10|[2-9TJQKA])([CDHS♣♦♥♠])", re.IGNORECASE)
_SUITS: Final = str.maketrans("♣♦♥♠", "cdhs")
CARDS_WRITTEN: Final = "Write cards like Ks or 10h."


def round_of(form: DisputeForm) -> dict[str, Any]:
    """The round as the content of a round file. Raise ``FindingsError`` with what can't be read at its fields."""
    assert form.game is not None
    assert form.rules is not None
    said = RoundReader(form, form.game, form.rules).read()
    if form.errors:
        raise FindingsError([])
    return said


@dataclass
class RoundReader:
    """Reads the fields of a form; what can't be read becomes an error at its field."""

    form: DisputeForm
    game: Game
    rules: Rules
    lying: dict[Card, list[FormField]] = field(default_factory=dict)
    """Where each card lies."""

    def read(self) -> dict[str, Any]:
        options = self.form.set_options()
        said: dict[str, Any] = {"game": self.game.name, "as_of": self.form.day}
        if self.form.device() != next(iter(self.game.chapter.devices(self.rules.as_of))):
            said["device"] = self.form.device()
        if letters := self.form.letters():
            said["paytables"] = letters
        for name, choice in self.form.choices():
            if (value := options.get(name)) is not None:
                said[name] = dollars(value) if choice.kind == "amount" else value
        meters: dict[str, dict[str, Any]] = {}
        reserves: dict[str, Any] = {}
        for each in self.form.meter_fields():
            amount = self.form.money(each.name, each.label)
            if amount is not None:
                kind, name, *tier = each.name.split(".")
                if kind == "m":
                    meters.setdefault(name, {})[tier[0]] = dollars(amount)
                else:
                    reserves[name] = dollars(amount)
        plain = {name: tiers["meter"] if set(tiers) == {"meter"} else tiers for name, tiers in meters.items()}
        said |= {"meters": plain} if plain else {}
        said |= {"reserves": reserves} if reserves else {}
        for each in self.form.shared_cards():
            if each.value:
                said[each.name] = show_cards(self._hand(each))
        for each in self.form.chance_fields():
            if each.value and "." not in each.name:
                value = each.value.replace(",", " ").replace("-", " ")
                self._thrown(each, value)
                said[each.name] = (
                    int(value)
                    if each.name == "lucky_position" and value.isascii() and value.isdigit()
                    else value.lower()
                )
        said["seat"] = [self._seat(row) for row in self.form.rows]
        self._once()
        return said

    def _thrown(self, typed: FormField, value: str) -> None:
        step = thrown(self.rules)
        if step is None or typed.name != WORDS[step.to].key:
            return
        faces = [str(each) for each in step.faces]
        for word in value.split():
            if word not in faces:
                least, most = min(faces, key=int), max(faces, key=int)
                example = WORDS[step.to].example.strip("'")
                sentence = (
                    f"{typed.label}: '{word}' isn't there. Write numbers from {least} to {most}, such as {example}."
                )
                self.form.error(typed.name, sentence)

    def _seat(self, row: SeatFields) -> dict[str, Any]:
        at = row.at
        seat: dict[str, Any] = {"number": 0}
        if row.number.value.isascii() and row.number.value.isdigit():
            seat["number"] = int(row.number.value)
        else:
            self.form.error(row.number.name, f"'{row.number.value}' is not the number of a seat.")
        for each in row.cards:
            if each.value and not each.name.endswith((".discard", ".drawn")):
                seat[each.name.partition(".")[2]] = show_cards(self._hand(each))
        wagers: dict[str, Any] = {}
        for each in row.wagers:
            self._wager(wagers, each.name.rpartition(".")[2], each)
        for name, amount in row.picked:
            self._by_name(wagers, name, amount, seat["number"])
        seat["wagers"] = wagers
        self._decide(seat, row)
        earlier = {
            each.name.rpartition(".")[2]: each.value.replace(",", " ")
            for each in self.form.chance_fields()
            if each.value and each.name.startswith(f"{at}.e.")
        }
        return seat | ({"earlier": earlier} if earlier else {})

    def _wager(self, wagers: dict[str, Any], name: str, typed: FormField) -> None:
        amount = self.form.money(typed.name, self.form.called(typed))
        if amount is not None:
            if amount == 0:
                self.form.error(
                    typed.name,
                    f"{self.form.called(typed)}: a wager is above $0. Leave the field empty if none was made.",
                )
            wagers[name] = dollars(amount)

    def _by_name(self, wagers: dict[str, Any], typed: FormField, amount: FormField, number: int) -> None:
        if not typed.value and not amount.value:
            return
        name = name_of(typed.value)
        if not typed.value:
            self.form.error(typed.name, f"Seat {number}: write which wager the amount lies on.")
        elif name not in self.form.by_name:
            title = self.game.chapter.title
            self.form.error(
                typed.name,
                f"Seat {number}: '{shortened(typed.value)}' isn't a wager of {title}. Pick one from the list.",
            )
        elif name in wagers:
            self.form.error(typed.name, f"Seat {number}: {shown(name)} stands here twice. Write one amount for both.")
        elif not amount.value:
            self.form.error(amount.name, f"Seat {number}: how much was the {shown(name)} wager?")
        else:
            self._wager(wagers, name, FormField(amount.name, shown(name), amount.value, "money"))

    def _decide(self, seat: dict[str, Any], row: SeatFields) -> None:
        made = {each.name.split(".", 2)[2]: each.value for each in row.decisions if ".d." in each.name and each.value}
        cards = {each.name.partition(".")[2]: each for each in row.cards}
        draws = {key: cards[key] for key in ("discard", "drawn") if key in cards and cards[key].value}
        amount = self.form.money(f"{row.at}.amount", shown(self.form.between)) if self.form.between else None
        first = self.game.course.decides[0].name if self.game.course.decides else ""
        if draws or "then" in made or (amount is not None and first in made):
            seat["decision"] = made.get(first, "").partition(" ")[0]
            if not seat["decision"]:
                self.form.error(f"{row.at}.d.{first}", f"Seat {row.number.value}: what did the player decide?")
            for key, each in draws.items():
                # A card that is given up lies at its seat as well, so only drawn cards count as lying somewhere.
                seat[key] = show_cards(self._hand(each, lies=key == "drawn"))
            if "then" in made:
                seat["then"] = made["then"]
            if amount is not None:
                seat[self.form.between] = dollars(amount)
        elif made:
            seat["decisions"] = made

    def _hand(self, typed: FormField, *, lies: bool = True) -> Hand:
        cards: list[Card] = []
        for word in re.split(r"[\s,;]+", typed.value.strip()):
            try:
                found = read_cards(word)
            except CardError:
                self.form.error(typed.name, f"{typed.label}, card '{shortened(word)}': not a card. {CARDS_WRITTEN}")
                continue
            cards += found
        for card in cards if lies else ():
            self.lying.setdefault(card, []).append(typed)
        return tuple(cards)

    def _once(self) -> None:
        """A card lies in one place. The Magic Card is one of those that lie there."""
        for card, places in self.lying.items():
            lies = [place for place in places if place.name != "magic_card"]
            for name, times in Counter(place.name for place in lies).items():
                others = dict.fromkeys(place.place for place in lies if place.name != name)
                title = card_name(show_cards([card])).capitalize()
                if others:
                    self.form.error(
                        name, f"{title} lies at {' and at '.join(others)} too. A card lies in one place only."
                    )
                elif times > 1:
                    self.form.error(name, f"{title} stands here {times} times. A deck has it once.")


# What the settlement has against it


def place_of(form: DisputeForm, finding: Finding) -> str:
    """The field that a finding is about; empty if it is about none."""
    where = finding.where
    if where.startswith("meters."):
        return "m." + where.removeprefix("meters.")
    names = {each.name for each in form.fields()}
    if finding.code in ("card-missing", "card-count") and " at " in finding.expected:
        where = finding.expected.rpartition(" at ")[2]
    if finding.code.startswith("dice-"):
        return next((words.key for words in WORDS.values() if words.key in names), "")
    if finding.code == "lucky-position":
        return "lucky_position"
    place, _, number = where.rpartition(" ")
    row = next((row for row in form.rows if place and row.number.value == number), None)
    if row is None:
        return where if where in names else ""
    return next((each for each in _of_seat(finding, row, place) if each in names), row.number.name)


def _of_seat(finding: Finding, row: SeatFields, place: str) -> Iterator[str]:
    """Fields of a seat that a finding may be about, the likeliest first."""
    if place != "seat":
        yield f"{row.at}.{place}"
    if "decision" in finding.code or finding.code.endswith("-amount"):
        steps = [each for each in row.decisions if ".d." in each.name]
        yield from (each.name for each in steps if f" at {each.label}" in finding.sentence)
        yield from (each.name for each in steps)
    if finding.code in ("card-count", "hand-oversized"):
        yield f"{row.at}.cards"
    if finding.code in ("exchange-cards", "cards-not-drawn"):
        yield f"{row.at}.drawn"
    if finding.code == "seat-number":
        return
    filled = [(shown(each.name.rpartition(".")[2]), each.label, each.name) for each in row.wagers if each.value]
    filled += [(name.value, name.value, amount.name) for name, amount in row.picked if name.value]
    matches = [each for each in filled if each[0] in finding.sentence or each[1] in finding.sentence]
    yield from (each[2] for each in sorted(matches, key=lambda each: -len(each[0])))
    if finding.code == "no-wager":
        yield from (each.name for each in row.wagers)
        yield from (name.name for name, _ in row.picked)


def read_cards(word: str) -> Hand:
    """Read cards as people write them.

    >>> show_cards(read_cards("10h")), show_cards(read_cards("ksQ♦"))
    ('Th', 'Ks Qd')
    """
    found = list(CARD.finditer(word))
    if not found or "".join(each[0] for each in found) != word:
        raise CardError(f"{word!r} is not a card")
    return tuple(parse_card(each[1].upper().replace("10", "T") + each[2].translate(_SUITS).lower()) for each in found)


_PLACE: Final = re.compile(r"(?:seat(?: (\d+)|\[(\d+)\])|(\w+))((?:\.\w+)*)(?=:? )")


def plain(text: str) -> str:
    """A sentence about a round file with its place in words.

    >>> plain("seat 2.cards: 'foo' is not a card: write a rank and a suit")
    "Seat 2, card 'foo': not a card. Write cards like Ks or Th."
    >>> plain("seat[1].wagers.ante should be an amount of dollars, not 'x'.")
    "Seat in place 1, Wagers, Ante should be an amount of dollars, not 'x'."
    """
    about, is_card, _ = text.partition(" is not a card: ")

    def place(found: re.Match[str]) -> str:
        name = f"Seat {found[1]}" if found[1] else f"Seat in place {found[2]}" if found[2] else found[3]
        return ", ".join([name, *map(shown, found[4].split(".")[1:])])

    said = _PLACE.sub(place, about, count=1) if _PLACE.match(about) else about
    if not is_card:
        said = said[:1].upper() + said[1:]
        return said if said.endswith((".", ")", "?")) else f"{said}."
    where, _, card = said.rpartition(": ")
    where = where.removesuffix(", Cards")
    return f"{where[:1].upper()}{where[1:]}, card {card}: not a card. Write cards like Ks or Th."
