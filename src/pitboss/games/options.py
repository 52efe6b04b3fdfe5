"""Options: what the ``choice`` entries of a chapter leave to a submission, or to the author of a round.

An option is read, checked, applied and shown by its kind; nothing here, and nobody who asks here, knows one by name.
"""
# ruff: noqa: ARG002 - a kind looks only at what it needs

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta

from pitboss.findings import Finding, refusal
from pitboss.law.cite import Cite
from pitboss.law.loader import CHAPTERS
from pitboss.law.loader import chapter as chapter_numbered
from pitboss.law.model import Chapter, ChoiceSpec, Figure, PayTable, in_force
from pitboss.law.odds import Odds, ToOne
from pitboss.money import Cents, decimal_of, plain_dollars, show_dollars
from pitboss.names import listed, shown
from pitboss.reader import Dollars, Extensible, Parsed, extended
from pitboss.records import Fixed

_CHANCE = re.compile(r"(\d{1,15})/(\d{1,15})")


@dataclass(frozen=True)
class Selection:
    """Something that the system selects in some rounds: whether it is offered, and the chance in one round."""

    offered: bool = False
    chance: Fraction | None = None


@dataclass(frozen=True, kw_only=True)
class SelectionKeys(Extensible):
    """How a selection is written; the paragraph of its chance is the chapter's."""

    offered: bool | None = None


Written = Literal["number", "flag", "text"]
Options = Mapping[str, Any]
"""By name: an ``int``, ``Cents``, odds to 1 by pay table, ``Selection``, ``bool`` or ``str``, as the kind says."""


def given(value: object) -> bool:
    """Whether an option is in use: chosen, and not chosen to be off."""
    return value.offered if isinstance(value, Selection) else value is not None and value is not False


@dataclass(frozen=True)
class Leaf:
    """One key of an option: its place below the option's name, and the value in a file and for a person."""

    key: str
    plain: str | bool
    shown: str


@dataclass(frozen=True)
class Blank:
    """One key that may be filled in: what it asks and what it may be."""

    key: str
    label: str
    cite: Cite
    hint: str = ""
    values: tuple[str, ...] = ()


@dataclass(frozen=True)
class Law:
    """A chapter on a day: what the checks of an option ask."""

    chapter: Chapter
    as_of: date

    def figure(self, name: str) -> Figure:
        return self.chapter.figure(name, self.as_of)


class Kind:
    """What all kinds of options share; a single whole number unless a kind says otherwise."""

    in_rounds = True
    """Whether the author of a round may choose it; what is selected in a round is part of the round itself."""
    written: Written = "number"
    unit = 1
    """What one of its figure is worth."""
    place = "wagers"
    """The section of a chapter in which such an option would stand."""

    def written_as(self, key: str) -> Written:
        return self.written

    def code(self, choice: ChoiceSpec) -> str:
        return choice.name.replace("_", "-")

    def annotation(self, choice: ChoiceSpec) -> Any:
        """The annotation of its key in a file."""
        return Annotated[int, Meta(description=listed(map(str, choice.values)) or "a whole number")]

    def read(self, value: Any) -> Any:
        """What the key says, as the option's value; None for nothing."""
        return value

    def shown(self, value: Any) -> str:
        return str(value)

    def leaves(self, choice: ChoiceSpec, value: Any) -> Iterator[Leaf]:
        yield Leaf("", str(value), self.shown(value))

    def said(self, choice: ChoiceSpec, value: Any) -> str:
        """The whole option in the words of a form."""
        return "none" if value is None else self.shown(value)

    def cite(self, choice: ChoiceSpec, key: str, law: Law) -> Cite:
        return law.figure(choice.rows[key]).cite if key in choice.rows else choice.cite

    def blanks(self, choice: ChoiceSpec, law: Law) -> Iterator[Blank]:
        label = f"{choice.title}, dollars" if self.unit > 1 else choice.title
        yield Blank("", label, choice.cite, values=tuple(map(str, choice.values)))

    def example(self, choice: ChoiceSpec, law: Law) -> str:
        """A value to start from, as TOML."""
        return str(choice.values[0] if choice.values else law.figure(choice.least).value if choice.least else 1)

    def findings(self, choice: ChoiceSpec, value: Any, law: Law) -> Iterator[Finding]:
        title, code, found = choice.title, self.code(choice), self.shown(value)
        if choice.values and value not in choice.values:
            expected = listed(map(str, choice.values))
            sentence = f"{title} of {law.chapter.title} is {expected}, not {found}."
            yield refusal(f"{code}-unknown", expected, found, sentence, choice.name, cite=choice.cite)
        elif choice.least and value < (least := law.figure(choice.least)).value * self.unit:
            expected = f"at least {self.shown(least.value * self.unit)}"
            sentence = f"{title} is {expected}, not {found}."
            yield refusal(f"{code}-too-low", expected, found, sentence, choice.name, cite=least.cite)

    def elsewhere(self, choice: ChoiceSpec, value: Any, law: Law) -> Iterator[Finding]:
        """An option of another chapter."""
        if given(value):
            for key in value if isinstance(value, Mapping) else ("",):
                yield self.refused(choice, law, f"{choice.name}.{key}".rstrip("."), key or self.said(choice, value))

    def refused(self, choice: ChoiceSpec, law: Law, where: str, found: str) -> Finding:
        code, own = f"{self.code(choice)}-not-available", choice.cite.chapter == law.chapter.chapter
        # Another game's paragraph says nothing about this one.
        cite = choice.cite if own else law.chapter.cite_of(choice.name, self.place)
        elsewhere = "" if own else f"; {chapter_numbered(choice.cite.chapter).title} has it ({choice.cite})"
        sentence = f"{choice.title} is not an option of {law.chapter.title}{elsewhere}."
        return refusal(code, f"no {choice.name}", found, sentence, where, cite=cite)

    def applied(
        self, choice: ChoiceSpec, value: Any, law: Law, tables: dict[str, PayTable], paid: set[str]
    ) -> Iterable[Finding]:
        """Carry a lawful option out on the pay tables of a table; ``paid`` are those of the wagers on offer."""
        return ()

    def concerning(self, choice: ChoiceSpec, value: Any, paytable: str | None) -> Any:
        """What of the option the pays of one pay table depend on, or those of the main wagers; none of most."""
        return None

    def worded(self, value: Any, odds: Odds) -> str | None:
        """Odds as a table shows them by this option; nothing of most."""
        return None


class Amount(Kind):
    """A sum of money with a floor, which may bound what wagers pay together."""

    place = "paytables"

    unit = 100

    def annotation(self, choice: ChoiceSpec) -> Any:
        return Dollars

    def shown(self, value: Cents) -> str:
        return show_dollars(value)

    def leaves(self, choice: ChoiceSpec, value: Cents) -> Iterator[Leaf]:
        yield Leaf("", plain_dollars(value), self.shown(value))


class ExtraRow(Kind):
    """A row that may be added to pay tables, with odds to 1 for each and a floor for each."""

    place = "paytables"

    def annotation(self, choice: ChoiceSpec) -> Any:
        return Mapping[str, Annotated[Fraction, Parsed("a number: x to 1", (int, Decimal), Fraction)]]

    def read(self, value: Mapping[str, Fraction]) -> Mapping[str, Fraction] | None:
        return value or None

    def leaves(self, choice: ChoiceSpec, value: Mapping[str, Fraction]) -> Iterator[Leaf]:
        for table, rate in value.items():
            yield Leaf(table, decimal_of(rate), f"{rate} to 1")

    def said(self, choice: ChoiceSpec, value: Mapping[str, Fraction] | None) -> str:
        return ", ".join(f"{shown(leaf.key)} {leaf.shown}" for leaf in self.leaves(choice, value or {})) or "none"

    def blanks(self, choice: ChoiceSpec, law: Law) -> Iterator[Blank]:
        for table, name in choice.rows.items():
            least = law.figure(name)
            hint = f"A row of its own in that table, at least {least.value} to 1; empty for none."
            yield Blank(table, f"{choice.title}, {shown(table)}, to 1", least.cite, hint)

    def example(self, choice: ChoiceSpec, law: Law) -> str:
        pays = ", ".join(f"{table} = {law.figure(name).value}" for table, name in choice.rows.items())
        return f"{{ {pays} }}"

    def findings(self, choice: ChoiceSpec, value: Mapping[str, Fraction], law: Law) -> Iterator[Finding]:
        for table, rate in value.items():
            where = f"{choice.name}.{table}"
            if table not in choice.rows:
                yield self.refused(choice, law, where, table)
            elif rate < (least := law.figure(choice.rows[table])).value:
                code, expected = f"{self.code(choice)}-below-floor", f"at least {least.value} to 1"
                sentence = f"{choice.title} in the {shown(table)} table must be {expected}."
                yield refusal(code, expected, f"{rate} to 1", sentence, where, cite=least.cite)

    def concerning(self, choice: ChoiceSpec, value: Mapping[str, Fraction], paytable: str | None) -> Any:
        return {table: rate for table, rate in value.items() if paytable in (None, table)} or None

    def applied(
        self, choice: ChoiceSpec, value: Mapping[str, Fraction], law: Law, tables: dict[str, PayTable], paid: set[str]
    ) -> Iterator[Finding]:
        """Put the row at the head of its pay tables, where the law lets it stand."""
        for name, rate in value.items():
            if (table := tables.get(name)) is None:
                continue
            if choice.into and table.cite not in choice.into:
                only = f"a table of {listed(map(str, choice.into))}"
                sentence = f"{choice.title} may be added to {only} only."
                where, code = f"{choice.name}.{name}", f"{self.code(choice)}-not-available"
                yield refusal(code, only, table.letter, sentence, where, cite=choice.cite)
            else:
                rows: dict[str, Odds] = {choice.name: ToOne(rate), **table.rows}
                tables[name] = replace(table, rows=Fixed(rows))


class SelectedBonus(Kind):
    """Something that the system selects as often as the submission says, paid by the pay table of its own name."""

    in_rounds = False

    def written_as(self, key: str) -> Written:
        return "flag" if key == "offered" else "text"

    def code(self, choice: ChoiceSpec) -> str:
        return "bonus"

    def annotation(self, choice: ChoiceSpec) -> Any:
        chance = Annotated[Fraction, Parsed("a fraction such as '1/100'", str, _chance, str(choice.cite))]
        return extended(SelectionKeys, {"chance": chance})

    def read(self, value: SelectionKeys) -> Selection | None:
        chance = value.more.get("chance")
        selection = Selection(chance is not None if value.offered is None else value.offered, chance)
        return None if selection == Selection() else selection

    def leaves(self, choice: ChoiceSpec, value: Selection) -> Iterator[Leaf]:
        yield Leaf("offered", value.offered, "true" if value.offered else "false")
        if (chance := value.chance) is not None:
            yield Leaf("chance", f"{chance.numerator}/{chance.denominator}", str(chance))

    def said(self, choice: ChoiceSpec, value: Selection | None) -> str:
        if value is None or not value.offered:
            return "not offered"
        return "offered, chance " + ("not given" if value.chance is None else f"{value.chance} per round")

    def blanks(self, choice: ChoiceSpec, law: Law) -> Iterator[Blank]:
        pays = ", ".join(str(odds) for t in law.chapter.tables(choice.name, law.as_of) for odds in t.rows.values())
        yield Blank("offered", f"{choice.title} is offered", choice.cite)
        hint = f"How often the system selects it, such as 1/100; pays {pays}."
        yield Blank("chance", f"Chance of the {choice.title}", choice.cite, hint)

    def example(self, choice: ChoiceSpec, law: Law) -> str:
        return '{ offered = false, chance = "1/100" }'

    def findings(self, choice: ChoiceSpec, value: Selection, law: Law) -> Iterator[Finding]:
        expected, where, cite = "a fraction above 0 and at most 1", f"{choice.name}.chance", str(choice.cite)
        if value.offered and value.chance is None:
            sentence = f"The law does not say how often the {choice.title} is drawn, so the submission must."
            yield refusal("chance-missing", expected, "none", sentence, where, cite=cite)
        elif value.offered and not 0 < (value.chance or 0) <= 1:
            sentence = f"The chance of the {choice.title} in a round must be above 0 and at most 1."
            yield refusal("chance-range", expected, value.chance, sentence, where, cite=cite)

    def concerning(self, choice: ChoiceSpec, value: Selection, paytable: str | None) -> Any:
        return value if choice.paid_on == paytable else None

    def applied(
        self, choice: ChoiceSpec, value: Selection, law: Law, tables: dict[str, PayTable], paid: set[str]
    ) -> Iterator[Finding]:
        """One that is not offered is not paid; one that is needs a wager on offer with which it is paid."""
        if not value.offered:
            tables.pop(choice.name, None)
        elif choice.paid_on not in paid:
            wagers = [w for w in in_force(law.chapter.wagers, law.as_of) if w.paytable == choice.paid_on]
            sentence = f"The {choice.title} is paid on {listed(w.title for w in wagers)}, which is not offered."
            expected = listed(wager.name for wager in wagers)
            yield refusal("bonus-without-wager", expected, "none", sentence, choice.name, cite=choice.cite)


class Flag(Kind):
    """Something that is done or not."""

    written = "flag"

    def annotation(self, choice: ChoiceSpec) -> Any:
        return bool

    def leaves(self, choice: ChoiceSpec, value: bool) -> Iterator[Leaf]:
        yield Leaf("", value, self.shown(value))

    def shown(self, value: bool) -> str:
        return "true" if value else "false"

    def example(self, choice: ChoiceSpec, law: Law) -> str:
        return "true"


class Text(Kind):
    """A word, one of a few where the chapter lists them."""

    written = "text"

    def annotation(self, choice: ChoiceSpec) -> Any:
        return Annotated[str, Meta(description=listed(map(repr, choice.values)) or "a text")]

    def example(self, choice: ChoiceSpec, law: Law) -> str:
        return f'"{choice.values[0] if choice.values else ""}"'


class Wording(Text):
    """How odds to 1 are written: the words that stand behind the figure or before it."""

    place = "paytables"

    def worded(self, value: str, odds: Odds) -> str | None:
        if not isinstance(odds, ToOne) or str(odds).endswith(f" {value}"):
            return None
        return f"{value} {str(odds).removesuffix(' to 1')}"


_KINDS: Mapping[str, Kind] = {
    "integer": Kind(), "amount": Amount(), "row": ExtraRow(), "selection": SelectedBonus(),
    "flag": Flag(), "text": Text(), "wording": Wording(),
}  # fmt: skip


def kind_of(choice: ChoiceSpec) -> Kind:
    return _KINDS[choice.kind]


def declared(chapter: Chapter) -> Mapping[str, ChoiceSpec]:
    """Every option that the chapter has or had, by name."""
    return {choice.name: choice for choice in chapter.choices if choice.kind}


def option_named(chapter: Chapter, name: str) -> ChoiceSpec | None:
    """The option of the chapter, or else of another one that has it, rather of one that is printed wholly."""
    if own := declared(chapter).get(name):
        return own
    others = sorted(map(chapter_numbered, CHAPTERS), key=lambda other: (other.partly, other.chapter))
    return next((options[name] for each in others if name in (options := declared(each))), None)


def all_options(chapter: Chapter) -> dict[str, ChoiceSpec]:
    """Every option of any chapter by name, the chapter's own before those of others."""
    names = {name: None for each in CHAPTERS for name in declared(chapter_numbered(each))}
    others = {name: choice for name in names if (choice := option_named(chapter, name)) is not None}
    return {**others, **declared(chapter)}


@dataclass(frozen=True, kw_only=True)
class WithOptions(Extensible):
    """Keys of a file among which are options."""

    OPTIONS: ClassVar[Mapping[str, ChoiceSpec]] = {}

    @property
    def options(self) -> dict[str, Any]:
        """Those that were given, by name, in the values of their kinds."""
        chosen = ((name, choice) for name, choice in self.OPTIONS.items() if name in self.more)
        read = {name: kind_of(choice).read(self.more[name]) for name, choice in chosen}
        return {name: value for name, value in read.items() if value is not None}


def _chance(text: str) -> Fraction:
    match = _CHANCE.fullmatch(text)
    if match is None or int(match[2]) == 0:
        raise TypeError
    return Fraction(int(match[1]), int(match[2]))


def leaves_of(chapter: Chapter, options: Options) -> Iterator[tuple[str, Leaf]]:
    """Every key that is filled in, with the dotted key below the options."""
    for name, value in options.items():
        if (choice := option_named(chapter, name)) is not None:
            for leaf in kind_of(choice).leaves(choice, value):
                yield f"{name}.{leaf.key}" if leaf.key else name, leaf
