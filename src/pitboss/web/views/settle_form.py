"""The form of a dispute: its fields follow from the game, the day and the seats, and what is typed is the address."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import Any, Final
from urllib.parse import urlencode

from pitboss.games.chance import WORDS, thrown
from pitboss.games.contract import Game
from pitboss.games.course import Betting, Decide, Draw
from pitboss.games.deal import deal_of
from pitboss.games.facts import Followed
from pitboss.games.options import kind_of
from pitboss.games.registry import GAMES
from pitboss.games.rules import Choices, Rules, resolve
from pitboss.law.model import ChoiceSpec
from pitboss.money import MoneyError, cents
from pitboss.names import shortened, shown
from pitboss.web.disputes import meter_title

LONGEST: Final = 80
"""Characters of one field."""
MOST_LISTED: Final = 14
"""Wagers that have a field each; where a layout has more, they are picked by name."""
MOST_WAGERS: Final = 24
"""Wagers picked by name at one seat."""
PRESSED: Final = ("answer", "add", "drop", "update")


@dataclass(frozen=True)
class FormField:
    """One thing that the form asks."""

    name: str
    label: str
    value: str = ""
    kind: str = "text"
    """``money``, ``cards``, ``choice``, ``day``, ``number``, ``wager`` or ``text``."""
    options: Sequence[tuple[str, str]] = ()
    hint: str = ""
    size: int = 0
    """Of cards: how many lie there, where that is fixed."""
    place: str = ""
    """Of cards: where they lie, in a word for the picker."""


@dataclass(frozen=True)
class SeatFields:
    """The fields of one seat."""

    at: str
    number: FormField
    wagers: tuple[FormField, ...]
    picked: tuple[tuple[FormField, FormField], ...]
    decisions: tuple[FormField, ...]
    cards: tuple[FormField, ...]


@dataclass
class DisputeForm:
    """What an address says about a round, field by field."""

    given: Mapping[str, str]
    today: date
    errors: dict[str, list[str]] = field(default_factory=dict)
    """Sentences by the field that they are about; those about none stand under an empty name."""

    @cached_property
    def game(self) -> Game | None:
        return GAMES.get(self.given.get("game", ""))

    @cached_property
    def day(self) -> date | None:
        try:
            return date.fromisoformat(self.value("day") or str(self.today))
        except ValueError:
            return None

    def value(self, name: str) -> str:
        return self.given.get(name, "").strip()[:LONGEST]

    def error(self, name: str, sentence: str) -> None:
        if sentence not in (said := self.errors.setdefault(name, [])):
            said.append(sentence)

    def called(self, typed: FormField) -> str:
        """What a message calls a field: with its seat, if it has one."""
        at, dot, _ = typed.name.partition(".")
        number = self.numbers().get(at, "") if dot else ""
        return f"Seat {number}, {typed.label}" if number and not typed.label.startswith("Seat") else typed.label

    def money(self, name: str, label: str) -> int | None:
        typed = self.value(name)
        if not typed:
            return None
        try:
            amount = cents(typed.replace(" ", ""))
        except MoneyError:
            self.error(name, f"{label}: '{shortened(typed)}' isn't an amount. Write dollars, such as 10 or 2.50.")
            return None
        if amount < 0:
            self.error(name, f"{label}: an amount is never below $0.")
        return amount

    # The table

    @cached_property
    def rules(self) -> Rules | None:
        """The rules of the table; without them there is nothing more to ask."""
        if self.game is None:
            return None
        if self.day is None:
            self.error("day", "Write the day of the round, such as 2026-11-18.")
            return None
        options = {name: value for name, value in self.set_options().items() if value is not None}
        choices = Choices(device=self.device(), letters=self.letters(), options=options)
        found, findings = resolve(self.game.chapter, self.day, choices)
        for each in findings:
            about = next((name for name in (f"t.{each.where}", f"o.{each.where}") if self.value(name)), "")
            self.error(about or ("day" if found is None else ""), f"{each.sentence} ({each.cite})")
        return None if findings else found

    def device(self) -> Any:
        assert self.game is not None
        devices = self.game.chapter.devices(self.day or self.today)
        return self.value("device") if self.value("device") in devices else next(iter(devices), Choices().device)

    def letters(self) -> dict[str, str]:
        found = {}
        for table, letters in self._tables().items():
            letter = self.value(f"t.{table}")
            if letter in letters:
                found[table] = letter
            elif letter:
                self.error(f"t.{table}", f"{shown(table)} has no table '{letter}'; there are {', '.join(letters)}.")
        return found

    def _tables(self) -> dict[str, list[str]]:
        """The letters of each pay table that has several."""
        assert self.game is not None
        tables: dict[str, list[str]] = {}
        for table in self.game.chapter.paytables:
            if (
                self.day is not None
                and table.period.covers(self.day)
                and table.letter not in tables.get(table.wager, ())
            ):
                tables.setdefault(table.wager, []).append(table.letter)
        return {name: letters for name, letters in tables.items() if len(letters) > 1}

    def choices(self) -> Iterator[tuple[str, ChoiceSpec]]:
        """Options with one plain value; others are for a round file."""
        assert self.game is not None
        named = self.game.chapter.options(self.day or self.today)
        for name, choice in named.items():
            if kind_of(choice).in_rounds and choice.kind in ("flag", "integer", "amount"):
                yield name, choice

    def set_options(self) -> dict[str, Any]:
        """The options that are set, as a round file has them. Amounts are read again where the round is settled."""
        found: dict[str, Any] = {}
        for name, choice in self.choices():
            typed = self.value(f"o.{name}")
            if not typed:
                continue
            if choice.kind == "flag":
                found[name] = True if typed == "yes" else None
            elif choice.kind == "integer":
                number = typed.isascii() and typed.isdigit() and len(typed) < 6
                found[name] = int(typed) if number else None
                if not number:
                    self.error(f"o.{name}", f"{choice.title}: '{typed}' isn't a number.")
            else:
                found[name] = self.money(f"o.{name}", choice.title)
        return found

    def table_fields(self) -> Iterator[FormField]:
        if self.game is None or self.day is None:
            return
        devices = self.game.chapter.devices(self.day)
        if len(devices) > 1 and any(step.dice for deal in self.game.chapter.deals for step in deal.steps):
            named = [(each, shown(each.replace("-", "_"))) for each in devices]
            yield FormField("device", "Device", self.device(), "choice", named)

    def paper_fields(self) -> Iterator[FormField]:
        """Pay tables and options, which most rounds leave as they are."""
        if self.game is None or self.day is None:
            return
        for table, letters in self._tables().items():
            first, *others = letters
            named = [("", f"Table {first}"), *((letter, f"Table {letter}") for letter in others)]
            yield FormField(f"t.{table}", shown(table), self.value(f"t.{table}"), "choice", named)
        for name, choice in self.choices():
            typed = self.value(f"o.{name}")
            if choice.kind == "flag":
                yield FormField(f"o.{name}", choice.title, typed, "choice", [("", "No"), ("yes", "Yes")])
            elif choice.values:
                named = [("", "None"), *((str(each), str(each)) for each in choice.values)]
                yield FormField(f"o.{name}", choice.title, typed, "choice", named)
            else:
                yield FormField(f"o.{name}", choice.title, typed, "money" if choice.kind == "amount" else "number")

    # Seats

    @cached_property
    def seats(self) -> tuple[str, ...]:
        """The places of the rows in the address."""
        rows = self.value("rows")
        most = self.rules.seats if self.rules else 1
        return tuple(
            map(str, range(1, min(int(rows) if rows.isascii() and rows.isdigit() and len(rows) < 3 else 1, most) + 1))
        ) or ("1",)

    def numbers(self) -> dict[str, str]:
        """The number of the seat in each row: as typed, or the first that is free."""
        found = {at: self.value(f"{at}.seat") for at in self.seats}
        free = iter(number for number in map(str, range(1, 100)) if number not in found.values())
        return {at: typed or next(free) for at, typed in found.items()}

    @cached_property
    def rows(self) -> tuple[SeatFields, ...]:
        return tuple(self._rows())

    def _rows(self) -> Iterator[SeatFields]:
        rules = self.rules
        if rules is None:
            return
        for at, number in self.numbers().items():
            yield SeatFields(
                at,
                FormField(f"{at}.seat", "Seat", number, "number"),
                tuple(
                    FormField(
                        f"{at}.w.{name}",
                        rules.wagers[name].title.replace(" Wager", "", 1),
                        self.value(f"{at}.w.{name}"),
                        "money",
                    )
                    for name in self.listed
                ),
                tuple(self._picked(at)),
                tuple(self._decisions(at)),
                tuple(self._own_cards(at)),
            )

    @cached_property
    def listed(self) -> tuple[str, ...]:
        """The wagers that have a field each."""
        assert self.rules is not None
        before = [wager for wager in self.rules.wagers.values() if wager.placed == "before"]
        plain = tuple(wager.name for wager in before if not wager.picks)
        return plain if len(before) <= MOST_LISTED else ()

    @cached_property
    def by_name(self) -> tuple[str, ...]:
        """The wagers that are picked by name."""
        assert self.rules is not None
        return tuple(name for name in self.rules.names_at(0) if name not in self.listed)

    def _picked(self, at: str) -> Iterator[tuple[FormField, FormField]]:
        if not self.by_name:
            return
        pairs = [(f"{at}.b{n}", f"{at}.a{n}") for n in range(1, MOST_WAGERS + 1)]
        filled = [n for n, (name, amount) in enumerate(pairs, 1) if self.value(name) or self.value(amount)]
        spare = 1 if self.listed else 3
        for name, amount in pairs[: max(filled, default=0) + spare]:
            yield (
                FormField(name, "Wager", self.value(name), "wager"),
                FormField(amount, "Amount", self.value(amount), "money"),
            )

    def _decisions(self, at: str) -> Iterator[FormField]:
        assert self.game is not None
        assert self.rules is not None
        steps = self.game.course.decides
        for step in steps:
            name = f"{at}.d.{step.name}"
            label = "Decision" if len(steps) == 1 else shown(step.name)
            if step.name == "then":
                label = "After the draw"
            if step.on:
                label += f", with {shown(step.on)}"
            if isinstance(step, Betting):
                yield FormField(name, label, self.value(name), hint="In turn, such as check, call")
            else:
                named = [("", "Not asked" if len(steps) > 1 else "Choose"), *self._offered(step)]
                yield FormField(name, label, self.value(name), "choice", named)
        if self.between:
            yield FormField(
                f"{at}.amount", f"Another amount of the {shown(self.between)}", self.value(f"{at}.amount"), "money"
            )

    def _offered(self, step: Decide) -> list[tuple[str, str]]:
        assert self.rules is not None
        offered = dict.fromkeys(choice.name for choice in step.choices(self.rules))
        return [(_written(name), _spoken(name)) for name in offered]

    @cached_property
    def between(self) -> str:
        """The wager of a decision that may be any amount between two multiples."""
        assert self.game is not None
        assert self.rules is not None
        puts = (
            (wager, times)
            for step in self.game.course.decides
            for option in step.offered(self.rules, None)
            for wager, times in option.puts.items()
        )
        return next((wager for wager, times in puts if not times.whole), "")

    # Cards

    def _cards(self, name: str, label: str, place: str, size: int = 0, hint: str = "") -> FormField:
        return FormField(name, label, self.value(name), "cards", hint=hint, size=size, place=place)

    def _brought(self, *places: str) -> int:
        assert self.rules is not None
        return sum(step.brings(place) for step in deal_of(self.rules).steps if not step.later for place in places)

    def _own_cards(self, at: str) -> Iterator[FormField]:
        assert self.game is not None
        assert self.rules is not None
        steps = deal_of(self.rules).steps
        size, number = self._brought("players", "players+dealer"), self.numbers()[at]
        if any(step.to.startswith("players") for step in steps):
            later = any(step.before for step in steps)
            yield self._cards(f"{at}.cards", f"Seat {number}", f"seat {number}", 0 if later else size)
        for place in dict.fromkeys(step.own for step in steps if step.own):
            yield self._cards(f"{at}.{place}", f"Seat {number}: {shown(place)}", f"seat {number}", 1, "If it was dealt")
        if self.game.course.has(Draw):
            yield self._cards(
                f"{at}.discard", f"Seat {number}: given up", f"seat {number}", hint="If cards were exchanged"
            )
            yield self._cards(
                f"{at}.drawn", f"Seat {number}: drawn", f"seat {number}", hint="If cards were bought or exchanged"
            )

    def shared_cards(self) -> Iterator[FormField]:
        """The dealer's cards and those that all share."""
        if self.rules is None:
            return
        if size := self._brought("dealer", "players+dealer"):
            yield self._cards("dealer", "Dealer", "the dealer", size)
        steps = [step for step in deal_of(self.rules).steps if step.cards and not step.each]
        for place in dict.fromkeys(step.to for step in steps):
            if place in ("players", "players+dealer", "dealer", "discard"):
                continue
            made = [name for step in steps if step.to == place for name in step.when]
            hint = (
                f"Only with {', '.join(self.rules.wagers[name].title for name in dict.fromkeys(made))}" if made else ""
            )
            yield self._cards(
                place,
                "Community cards" if place == "community" else shown(place),
                "the board",
                self._brought(place),
                hint,
            )
        if "magic_card" in self.rules.tables:
            yield self._cards("magic_card", "Magic Card", "the Magic Card", 1, "Only if the system selected one")

    def chance_fields(self) -> Iterator[FormField]:
        """What dice or a wheel have shown, and what the system has selected."""
        if self.rules is None or self.game is None:
            return
        if (step := thrown(self.rules)) is not None:
            words = WORDS[step.to]
            yield FormField(words.key, words.key.capitalize(), self.value(words.key), hint=f"{words.keyed}")
            facts = self.game.lines.facts.by_name.values()
            for wager in dict.fromkeys(fact.wager for fact in facts if isinstance(fact, Followed)):
                for at, number in self.numbers().items():
                    title = f"Seat {number}: thrown before for {shown(wager)}"
                    yield FormField(
                        f"{at}.e.{wager}",
                        title,
                        self.value(f"{at}.e.{wager}"),
                        hint="Only if it lives on from earlier rounds",
                    )
        if "lucky_bonus" in self.rules.tables:
            hint = "Only if the system selected one: a seat, or dealer"
            yield FormField("lucky_position", "Position of the Lucky Bonus", self.value("lucky_position"), hint=hint)

    def meter_fields(self) -> Iterator[FormField]:
        if self.rules is None:
            return
        for name, spec in self.rules.meters.items():
            for tier in spec.seed:
                title = meter_title(self.rules, name, tier)
                yield FormField(
                    f"m.{name}.{tier}", title[:1].upper() + title[1:], self.value(f"m.{name}.{tier}"), "money"
                )
            if spec.reserve:
                yield FormField(
                    f"r.{name}", f"{shown(name)} reserve", self.value(f"r.{name}"), "money", hint="If there is one"
                )

    def fields(self) -> Iterator[FormField]:
        """Every field below the first step."""
        yield from self.table_fields()
        yield from self.paper_fields()
        yield from self.meter_fields()
        for row in self.rows:
            yield row.number
            yield from row.wagers
            for pair in row.picked:
                yield from pair
            yield from row.decisions
            yield from row.cards
        yield from self.shared_cards()
        yield from self.chance_fields()

    # The address

    def address(
        self, *, answer: bool = False, drop: str = "", rows: int = 0, more: Mapping[str, str] | None = None
    ) -> str:
        """The address of the round as typed, without the fields that are empty."""
        if self.game is None:
            return "/settle"
        pairs = {"game": self.game.name, "day": self.value("day") or str(self.today)}
        if self.rules is not None:
            count = rows or len(self.seats) - bool(drop)
            if count != 1:
                pairs["rows"] = str(count)
            for each in self.fields():
                at, dot, rest = each.name.partition(".")
                if drop and dot and at.isdigit():
                    if at == drop:
                        continue
                    at = str(int(at) - (int(at) > int(drop)))
                name = f"{at}{dot}{rest}"
                if each.value:
                    pairs[name] = each.value
            if not drop and not rows and answer:
                pairs["answer"] = "1"
        return f"/settle?{urlencode({**pairs, **(more or {})})}"

    def is_tidy(self) -> bool:
        """Whether the address has nothing that only a press puts into it."""
        if any(not value.strip() for value in self.given.values()) or self.given.keys() & {"add", "drop", "update"}:
            return False
        known = {"game", "day", "rows", "answer", "was", "would", "file", *(each.name for each in self.fields())}
        return self.game is None or {"game", "day"} <= self.given.keys() <= known

    def hidden(self) -> list[tuple[str, str]]:
        """The fields of the address, for a form of its own."""
        return [(name, value) for name, value in self.given.items() if name not in ("was", "would", "file")]


def _written(choice: str) -> str:
    """A choice as a round file writes it: ``bet 3x`` is ``bet 3``."""
    return choice.removesuffix("x") if choice[-2:-1].isdigit() else choice


def _spoken(choice: str) -> str:
    """A choice as people read it.

    >>> _spoken("take_back"), _spoken("play 3x")
    ('Take back', 'Play 3×')
    """
    words = choice.replace("_", " ")
    return (words.removesuffix("x") + "×" if words[-2:-1].isdigit() else words).capitalize()
