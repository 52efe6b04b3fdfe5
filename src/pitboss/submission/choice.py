"""The declaration of a choice of a Rules Submission: how files have it, how the law leaves it open, its checks.

``model`` declares every choice once, as a field of a record. Reading, checks, the template, differences, the form on
paper and the page are made of those declarations; ``registry`` lists them.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, dataclass, field
from datetime import date
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from msgspec import Meta

from pitboss.findings import Finding
from pitboss.games.rules import Rules
from pitboss.law.model import Chapter, ChoiceSpec, Figure, MeterSpec, Wager, in_force
from pitboss.law.odds import OddsError, parse_percent
from pitboss.money import Cents, decimal_of, plain_dollars, show_dollars
from pitboss.names import MOST_SHOWN
from pitboss.reader import Day, Dollars, Parsed

if TYPE_CHECKING:
    from pitboss.submission.resolve import Case

Written = Literal["text", "date", "number", "percent", "flag"]
"""How a value is written in a file and typed in a form."""
Plain = str | bool
"""A value as a form has it: dollars, a percentage, a date or a word as text."""
FILED: Final = "filed"
"""Where the metadata of a field has the declaration."""


class KeyKind:
    """A kind of value: how it is read from a file, typed in a form, and shown. Text unless a kind says otherwise."""

    written: Written = "text"

    def __init__(self, what: str = "") -> None:
        self.what = what
        """What it should be, for the sentence that refuses something else."""

    @property
    def annotation(self) -> Any:
        """What the reader takes for it: see ``pitboss.reader``."""
        return Annotated[str, Meta(description=self.what)]

    def plain(self, value: Any) -> Plain:
        return "" if value is None else str(value)

    def shown(self, value: Any) -> str:
        return "" if value is None else str(value)

    def said(self, value: Any) -> str:
        """The value on paper."""
        return self.shown(value) or "not given"


class DateKey(KeyKind):
    """A day."""

    written = "date"

    @property
    def annotation(self) -> Any:
        return Day


class CountKey(KeyKind):
    """A whole number."""

    written = "number"

    @property
    def annotation(self) -> Any:
        return Annotated[int, Meta(description=self.what)]


class FlagKey(KeyKind):
    """Something that is so or not."""

    written = "flag"

    @property
    def annotation(self) -> Any:
        return bool

    def plain(self, value: Any) -> Plain:
        return bool(value)

    def shown(self, value: Any) -> str:
        return "true" if value else "false"

    def said(self, value: Any) -> str:
        return "yes" if value else "no"


class MoneyKey(KeyKind):
    """A sum of money: dollars in a file, cents in the record."""

    written = "number"

    @property
    def annotation(self) -> Any:
        return Dollars

    def plain(self, value: Cents | None) -> Plain:
        return "" if value is None else plain_dollars(value)

    def shown(self, value: Cents | None) -> str:
        return "" if value is None else show_dollars(value)


class ShareKey(KeyKind):
    """A percentage in quotes, as an exact fraction."""

    written = "percent"

    @property
    def annotation(self) -> Any:
        return Annotated[Fraction, Parsed(self.what, str, _percent)]

    def plain(self, value: Fraction | None) -> Plain:
        return "" if value is None else f"{decimal_of(value * 100)}%"

    def shown(self, value: Fraction | None) -> str:
        return "" if value is None else f"{float(value * 100):g}%"


def _percent(text: str) -> Fraction:
    if len(text) > MOST_SHOWN:
        raise OddsError("the percentage is too long")
    return parse_percent(text)


@dataclass(frozen=True)
class LawCase:
    """A chapter on a day; without rules where the chapter was not in force."""

    chapter: Chapter
    day: date
    rules: Rules | None

    def cite(self, *names: str) -> str:
        return str(self.chapter.cite_of(*names))

    def figure(self, name: str) -> Figure | None:
        return next((figure for figure in in_force(self.chapter.figures, self.day) if figure.name == name), None)

    def about(self, name: str) -> ChoiceSpec | None:
        """What the chapter says about one of the choices it leaves open."""
        return next((choice for choice in in_force(self.chapter.choices, self.day) if choice.name == name), None)

    def meter(self, wager: Wager) -> MeterSpec | None:
        """What the law says of the meter a wager feeds, whatever the submission says."""
        table = self.rules.tables.get(wager.paytable) if self.rules else None
        meters = [meter for meter in in_force(self.chapter.meters, self.day) if meter.wager == wager.meter]
        return next((meter for meter in meters if table is None or meter.letter == table.letter), None)


@dataclass(frozen=True)
class OpenChoice:
    """How the law of a day leaves a choice open: what the template writes and the form asks."""

    example: Plain | None = None
    """The value to start from; nothing where there is only something to explain."""
    cite: str = ""
    comment: str = ""
    """What the template says beside the value."""
    hint: str = ""
    """What the form says beside the field."""
    values: Mapping[str, str] = field(default_factory=dict)
    """All that it may be, as the form names it; empty where anything can be typed."""
    notes: tuple[str, ...] = ()
    """What the template says above the value."""
    indent: str = ""
    once: str = ""
    """What the notes explain, where they stand only at the first of several wagers."""


@dataclass(frozen=True)
class ChoiceEntry:
    """One choice of one submission: its key in the file, its value, and the wager that it is about."""

    choice: "FiledChoice"
    where: str
    value: Any
    wager: Wager | None = None

    @property
    def on(self) -> Wager:
        """The wager of a choice made for each wager."""
        assert self.wager is not None
        return self.wager


def described(spec: ChoiceSpec) -> str:
    """What the chapter says about a choice, with the floor it sets."""
    return spec.about + (f"; at least: {spec.floor}" if spec.floor else "")


def sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}." if text else ""


def notes_about(law: LawCase, name: str) -> tuple[str, ...]:
    """The chapter's words about a choice, as a comment of the template."""
    spec = law.about(name)
    return () if spec is None else (f"{described(spec)} [{spec.cite}]",)


def ask_as_declared(law: LawCase, choice: "FiledChoice", wager: Wager | None) -> OpenChoice:
    """Ask for a choice that is open on every day, in the words of the chapter where it has some."""
    spec, cite = law.about(choice.name), cite_of(choice, law, wager)
    hint = "" if spec is None else sentence(described(spec))
    comment = choice.comment.format(cite=cite)
    return OpenChoice(choice.example, cite, comment, hint=hint, notes=notes_about(law, choice.name))


def cite_of(choice: "FiledChoice", law: LawCase, wager: Wager | None) -> str:
    """The paragraph that governs a choice: that of what it is named after, or of its wager."""
    if wager is not None and not choice.matters:
        return str(wager.cite)
    return law.cite(*(choice.matters or (choice.name,)))


def check_nothing(case: "Case", entry: ChoiceEntry) -> Iterator[Finding]:  # noqa: ARG001 - what any check is given
    yield from ()


Ask = Callable[[LawCase, "FiledChoice", Wager | None], OpenChoice | None]
Check = Callable[["Case", ChoiceEntry], Iterator[Finding]]


@dataclass(frozen=True)
class FiledChoice:
    """The declaration of one choice; its name, its default and its type are those of the field that carries it."""

    kind: KeyKind
    title: str
    """What the form on paper calls it."""
    label: str = ""
    """What the form asks, where that is more than the title."""
    matters: tuple[str, ...] = ()
    """What the chapter is asked for the paragraph that governs it; where empty, its own name or its wager."""
    example: Plain = ""
    """The value to start from, where the law of the day says nothing of it."""
    comment: str = ""
    """What the template says beside that value; ``{cite}`` stands for the paragraph."""
    ask: Ask = ask_as_declared
    """How the law of a day leaves it open; nothing where it doesn't."""
    check: Check = check_nothing
    """What the law has against the value."""
    cited: "Callable[[Case, ChoiceEntry], str] | None" = None
    """The paragraph that governs the value, where that depends on the value or the law of the day."""
    rules_field: str = ""
    """The field of ``pitboss.games.rules.Choices`` that it sets."""
    resolved: Callable[[LawCase, Any], Any] = lambda law, value: value  # noqa: ARG005
    """What it sets there."""
    departs: "Callable[[Case, ChoiceEntry], tuple[str, str, str] | None] | None" = None
    """The law's value, that of the submission and the paragraph, where they differ as a second person must see."""
    changed: "Callable[[Case, Case], str] | None" = None
    """The sentence of a difference, where it is more than the two values."""
    noted: Callable[[Any], bool] | None = None
    """Whether a value calls for the notes on the text of the law, under ``noted_under``."""
    noted_under: str = ""
    switch: bool = False
    """Whether it decides that the rest of its table matters."""
    silent: bool = False
    """Of a flag: a form without it means that it is not so."""
    of_holder: bool = False
    """Whether a form keeps it for another game."""
    of_meter: bool = False
    """Whether wagers that feed one meter share it."""
    on_paper: bool = True
    """Whether the form on paper lists it by itself; not what stands in the listings of the resolved rules."""
    name: str = ""
    default: Any = None

    @property
    def required(self) -> bool:
        return self.default is MISSING

    @property
    def question(self) -> str:
        return self.label or self.title

    def cite(self, case: "Case", entry: ChoiceEntry) -> str:
        """The paragraph that governs it, with the value that was chosen."""
        return self.cited(case, entry) if self.cited else cite_of(self, case, entry.wager)


@dataclass(frozen=True)
class FiledTable:
    """The declaration of a table of the file: choices of a record, or a text for each name that the law has."""

    title: str = ""
    record: type[Any] | None = None
    """The record whose fields are its choices."""
    by_wager: bool = False
    """Whether there is such a record for each wager."""
    what: str = ""
    """What the text of a name should be."""
    path: str = ""
    """Its place in the file, where that is not its name."""
    of_law: bool = False
    """Whether the chapter declares its keys: see ``pitboss.games.options``."""
    nested: bool = False
    """Whether names with dots may be written as tables within tables."""
    cited: Callable[[LawCase, str, str], str] | None = None
    """The paragraph that governs the text of a name."""
    name: str = ""

    @property
    def key(self) -> str:
        return self.path or self.name


def declare(declaration: FiledChoice | FiledTable) -> dict[str, Any]:
    """The metadata of a field that is a choice or a table of a submission."""
    return {FILED: declaration}
