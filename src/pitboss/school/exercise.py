"""What a trainee is asked, what is right, and how an answer is graded: item by item, each under its paragraphs."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from itertools import combinations
from typing import Any, Literal

from pitboss.cards import Hand
from pitboss.findings import UnreadableError
from pitboss.games.rules import Rules
from pitboss.money import MoneyError, cents, show_dollars

Form = Literal["one", "some", "order", "money"]
NONE = "none"
JOINED = " | "
LONGEST = 2000


@dataclass(frozen=True)
class Item:
    """One thing that is asked: graded by itself, under the paragraphs that decide it."""

    key: str
    ask: str
    form: Form
    right: str
    """As ``read`` gives it back."""
    cites: tuple[str, ...]
    why: str = ""
    options: tuple[str, ...] = ()
    seat: int = 0
    """The seat whose wager it asks about; 0 if it isn't about one."""

    @property
    def hint(self) -> str:
        """How to answer, in a few words."""
        return {
            "one": f"a number from 1 to {len(self.options)}",
            "some": "the numbers that apply, such as 1 3, or none",
            "order": f"all {len(self.options)} numbers in their order, such as 2 1 3",
            "money": "dollars, such as 12.50, -5 or 0",
        }[self.form]

    def read(self, text: str) -> str:
        """An answer in its one spelling; what cannot be one is refused in a sentence.

        >>> item = Item("who", "Who?", "some", "b", (), options=("a", "b"))
        >>> item.read("2"), item.read(" 2, 1"), item.read("none"), Item("", "", "money", "", ()).read("12.5")
        ('b', 'a | b', 'none', '$12.50')
        """
        typed = " ".join(text[:LONGEST].split())
        if not typed:
            raise UnreadableError(f"An answer is {self.hint}.")
        if self.form == "money":
            return self._amount(typed)
        if self.form == "some" and typed.lower() == NONE:
            return NONE
        chosen = self._chosen(typed)
        if self.form == "one" and len(chosen) != 1:
            raise UnreadableError(f"One answer only: {self.hint}.")
        if self.form == "order" and sorted(chosen) != list(range(len(self.options))):
            raise UnreadableError(f"Each number once: {self.hint}.")
        places = chosen if self.form == "order" else sorted(set(chosen))
        return JOINED.join(self.options[place] for place in places)

    def _amount(self, typed: str) -> str:
        try:
            return show_dollars(cents(typed.replace(" ", "").removeprefix("+")))
        except MoneyError:
            raise UnreadableError(f"{typed!r} is not an amount: write {self.hint}.") from None

    def _chosen(self, typed: str) -> list[int]:
        named = {option.lower(): place for place, option in enumerate(self.options)}
        whole = [named.get(part.lower()) for part in typed.split(JOINED)]
        if None not in whole:
            return [place for place in whole if place is not None]
        found = []
        for word in typed.replace(",", " ").split():
            number = int(word) if word.isascii() and word.isdigit() and len(word) < 4 else 0
            if not 1 <= number <= len(self.options):
                raise UnreadableError(f"{word!r} is none of them: write {self.hint}.")
            found.append(number - 1)
        return found

    def wrong(self) -> Iterator[str]:
        """Answers that are readable and not right: those that a test plants."""
        match self.form:
            case "one":
                given: list[str] = list(self.options)
            case "some":
                sizes = range(1, len(self.options) + 1)
                given = [NONE, *(JOINED.join(each) for size in sizes for each in combinations(self.options, size))]
            case "order":
                parts = self.right.split(JOINED)
                given = [JOINED.join((*parts[:at], parts[at + 1], parts[at], *parts[at + 2 :])) for at in _pairs(parts)]
            case _:
                right = cents(self.right)
                given = [show_dollars(each) for each in (right + 1, right - 1, -right, 2 * right, 0, right + 500)]
        yield from (each for each in dict.fromkeys(given) if each != self.right)


def _pairs(parts: list[str]) -> range:
    return range(len(parts) - 1)


@dataclass(frozen=True)
class TableRow:
    """One line of the table as the trainee sees it: whose, the cards, and what lies or was said there."""

    who: str
    cards: Hand = ()
    words: str = ""


@dataclass(frozen=True)
class LaidTable:
    """What lies on the table as its dealer sees it: lines to print, and what pages draw it from."""

    rows: tuple[TableRow, ...] = ()
    rules: Rules | None = field(default=None, compare=False, repr=False)
    view: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)
    """As ``pitboss.table.view.view`` gives it; empty if there is no table to draw."""


@dataclass(frozen=True)
class PostedTable:
    """A pay table that the question needs: its title, and what each hand pays."""

    title: str
    rows: tuple[tuple[str, str], ...]

    @property
    def sentence(self) -> str:
        return f"{self.title}: {', '.join(' '.join(row) for row in self.rows)}."


@dataclass(frozen=True)
class Drawn:
    """A question as a drill draws it, with everything that is shown with it."""

    ask: str
    items: tuple[Item, ...]
    laid: LaidTable = LaidTable()
    told: tuple[str, ...] = ()
    posted: tuple[PostedTable, ...] = ()
    seconds: int = 0
    """How long a dealer may take; nothing where it is not timed."""
    basis: object = field(default=None, compare=False, repr=False)
    """What it was drawn from, such as a settled round, for the grader."""


@dataclass(frozen=True, kw_only=True)
class Exercise(Drawn):
    """A question of a kind; the same kind, game, day and seed give the same one."""

    kind: str
    game: str
    as_of: date
    seed: int

    @property
    def cites(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(cite for item in self.items for cite in item.cites))


@dataclass(frozen=True)
class GradedItem:
    """One item with the answer that was given, in its one spelling; empty where none could be read."""

    item: Item
    given: str

    @property
    def is_right(self) -> bool:
        return self.given == self.item.right


@dataclass(frozen=True)
class Graded:
    """An exercise with what was answered; late answers count as wrong."""

    exercise: Exercise
    items: tuple[GradedItem, ...]
    late: bool = False

    @property
    def right(self) -> int:
        return 0 if self.late else sum(each.is_right for each in self.items)

    @property
    def marks(self) -> tuple[tuple[str, bool], ...]:
        """By paragraph: it is right where every item that it decides is."""
        found: dict[str, bool] = {}
        for each in self.items:
            for cite in each.item.cites:
                found[cite] = found.get(cite, True) and each.is_right and not self.late
        return tuple(found.items())


def grade(exercise: Exercise, answers: Mapping[str, str], *, late: bool = False) -> Graded:
    """Every item against its answer; what is missing or cannot be read is wrong."""
    found = []
    for item in exercise.items:
        try:
            given = item.read(answers.get(item.key, ""))
        except UnreadableError:
            given = ""
        found.append(GradedItem(item, given))
    return Graded(exercise, tuple(found), late)
