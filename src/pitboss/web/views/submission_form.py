"""The form of a Rules Submission: the fields that the law of a day asks for. Nothing here knows a game."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date

from pitboss.games.options import Law
from pitboss.games.options import kind_of as option_kind
from pitboss.games.rules import resolve
from pitboss.hands.labels import TITLES
from pitboss.law.model import Chapter, MeterSpec, PayTable, Wager, in_force
from pitboss.money import decimal_of, show_dollars
from pitboss.submission.choice import FiledChoice, LawCase, OpenChoice, Written, described, sentence
from pitboss.submission.letters import ask_letters, key_by_itself, owners
from pitboss.submission.registry import TABLE, choices_of_table, head, required, tables, wager_table
from pitboss.submission.resolve import PRINTED

LETTER = "Pay table"
"""The label of the field with the letter of a pay table."""


@dataclass(frozen=True)
class Field:
    """One choice: its key, its label, and the paragraph that leaves it open."""

    key: str
    label: str
    cite: str = ""
    hint: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    optional: bool = False
    written: Written = "text"
    """How it is written in the file and typed."""
    printed: str = ""
    """What the law's own data has if the field stays empty."""

    @property
    def kind(self) -> Written:
        return self.written


@dataclass(frozen=True)
class Sheet:
    """The printed pay tables of one wager side by side, in the order of the law."""

    name: str
    tables: tuple[PayTable, ...]

    @property
    def rows(self) -> tuple[str, ...]:
        """Every row that any of the tables has, where the law prints it."""
        found: list[str] = []
        for table in sorted(self.tables, key=lambda table: -len(table.rows)):
            at = 0
            for row in table.rows:
                if row in found:
                    at = found.index(row) + 1
                else:
                    found.insert(at, row)
                    at += 1
        return tuple(found)


@dataclass(frozen=True)
class Part:
    """Fields that belong together: the table, the shuffler, a wager, a bonus, the options."""

    name: str
    title: str
    fields: tuple[Field, ...]
    cite: str = ""
    about: str = ""
    wager: str = ""
    sheet: Sheet | None = None
    switch: str = ""
    """The key that decides whether the rest matters."""
    main: bool = False
    """Whether its hold is that of the main wagers together."""


# The law's choices


def law_day(chapter: Chapter, day: date) -> date:
    """Return the day whose law makes the form: the day itself, or the chapter's first if it is before that."""
    return day if in_force(chapter.wagers, day) else min(wager.period.start for wager in chapter.wagers)


def parts_of(chapter: Chapter, day: date) -> tuple[Part, ...]:
    """Return every choice that the chapter leaves open on a day."""
    as_of = law_day(chapter, day)
    law = LawCase(chapter, as_of, resolve(chapter, as_of)[0])
    makers = (_table, _wagers, _bonuses, _options, _facts)
    return tuple(part for make in makers for part in make(law))


def _field(key: str, choice: FiledChoice, opening: OpenChoice | None) -> Iterator[Field]:
    """A field for a choice that the law leaves open."""
    if opening is not None and opening.example is not None:
        yield Field(key, choice.question, opening.cite, opening.hint, opening.values, written=choice.kind.written)


def _fields(law: LawCase, choices: Iterable[FiledChoice], place: str, wager: Wager | None = None) -> Iterator[Field]:
    for choice in choices:
        yield from _field(f"{place}.{choice.name}".lstrip("."), choice, choice.ask(law, choice, wager))


def _table(law: LawCase) -> Iterator[Part]:
    """The choices about the table as a whole; the page asks for the game and the date by itself."""
    for table in (TABLE, *(table for table in tables() if table.record is not None and not table.by_wager)):
        if table is TABLE:
            fields = tuple(_fields(law, (choice for choice in head() if not choice.required), ""))
        else:
            fields = tuple(_fields(law, choices_of_table(table), table.key))
        if fields:
            yield Part(table.name, table.title, fields)


def _wagers(law: LawCase) -> Iterator[Part]:
    table, owned = wager_table(), owners(law.chapter, law.day)
    switch = next(choice.name for choice in choices_of_table(table) if choice.switch)
    for wager in in_force(law.chapter.wagers, law.day):
        if wager.placed == "before":
            key, choices = f"{table.key}.{wager.name}", choices_of_table(table)
            fields = tuple(_fields(law, choices, key, wager))
            sheet = _sheet(law, wager.paytable) if wager.paytable in owned else None
            switched = f"{key}.{switch}" if wager.offer == "choice" else ""
            terms, main = _terms(law.chapter, wager), wager.role == "unit"
            yield Part(wager.name, wager.title, fields, str(wager.cite), terms, wager.name, sheet, switched, main)


def _terms(chapter: Chapter, wager: Wager) -> str:
    titles = {other.name: other.title for other in chapter.wagers}
    said = "A player must make it." if wager.required else "Always offered." if wager.offer == "always" else ""
    needs, word = (wager.needs_all, " and ") if wager.needs_all else (wager.needs_any, " or ")
    after = f"Only after {word.join(titles.get(name, name) for name in needs)}." if needs else ""
    return f"{said} {after}".strip()


def _sheet(law: LawCase, name: str) -> Sheet | None:
    tables = tuple(table for table in law.chapter.tables(name, law.day) if not table.reading)
    return Sheet(name, tables) if tables else None


def meter_text(spec: MeterSpec) -> str:
    """How a meter that the law fixes starts and grows."""
    parts = [
        f"{'' if tier == 'meter' else f'{tier} '}seed {show_dollars(seed)} for each dollar, then "
        f"{show_dollars(spec.reseed[tier])}, rate {decimal_of(spec.rate[tier] * 100)}%"
        for tier, seed in spec.seed.items()
        if tier in spec.rate
    ]
    return "; ".join([*parts, *([f"reserve {decimal_of(spec.reserve * 100)}%"] if spec.reserve else [])])


def _bonuses(law: LawCase) -> Iterator[Part]:
    """Pay tables that belong to no single wager made before the deal."""
    owned, shared = owners(law.chapter, law.day), {wager.paytable for wager in in_force(law.chapter.wagers, law.day)}
    for name in dict.fromkeys(table.wager for table in in_force(law.chapter.paytables, law.day)):
        opening = None if name in owned else ask_letters(law, name)
        if opening is not None and opening.example is not None:
            field = Field(key_by_itself(name), LETTER, opening.cite, opening.hint, opening.values, written="text")
            about = "One table for several wagers." if name in shared else "A bonus that is no wager of its own."
            yield Part(name, titled(name), (field,), opening.cite, about, sheet=_sheet(law, name))


def _options(law: LawCase) -> Iterator[Part]:
    fields: list[Field] = []
    day = Law(law.chapter, law.day)
    for choice in law.chapter.options(law.day).values():
        kind, spec = option_kind(choice), law.about(choice.name)
        about = sentence(described(spec)) if spec is not None else ""
        for blank in kind.blanks(choice, day):
            key, hint = f"options.{choice.name}", blank.hint or ("" if blank.key else about)
            values, written = {value: value for value in blank.values}, kind.written_as(blank.key)
            key += f".{blank.key}" if blank.key else ""
            fields.append(Field(key, blank.label, str(blank.cite), hint, values, optional=True, written=written))
    fields += _readings(law.chapter, law.day)
    if fields:
        yield Part("options", "Options", tuple(fields))


def _readings(chapter: Chapter, day: date) -> Iterator[Field]:
    """Pay tables whose text has more than one reading."""
    for name in dict.fromkeys(table.wager for table in in_force(chapter.paytables, day)):
        tables = [table for table in in_force(chapter.paytables, day) if table.wager == name]
        found = dict.fromkeys(table.reading for table in tables if table.reading)
        for note in in_force(chapter.notes, day):
            if any(table.cite in (note.cite, *note.also) for table in tables):
                found |= dict.fromkeys(reading for reading in note.readings if reading != PRINTED)
        if found:
            label, cite = f"Reading of {titled(name)}", str(tables[0].cite)
            options = {reading: reading.replace("-", " ") for reading in found}
            yield Field(f"options.readings.{name}", label, cite, "The text is defective here.", options, optional=True)


def acknowledging(chapter: Chapter, wagers: Iterable[str], day: date) -> Iterator[Part]:
    """A name for each wager whose hold somebody must accept."""
    titles = {wager.name: wager.title for wager in in_force(chapter.wagers, law_day(chapter, day))}
    titles["main"] = "The main wagers"
    fields = tuple(
        Field(f"acknowledged.{name}", titles[name], hint="The name of the person who accepts this hold.")
        for name in dict.fromkeys(wagers)
        if name in titles
    )
    if fields:
        about = "These wagers would hold less than 0% or more than 50%. Correct the pays, or name who accepts it."
        yield Part("acknowledged", "Unusual holds", fields, about=about)


def _facts(law: LawCase) -> Iterator[Part]:
    """What isn't printed in the text at hand, and an operator with the full text may correct."""
    fields = tuple(
        Field(
            f"facts.{fact.name}",
            fact.name.replace("_", " ").capitalize(),
            str(fact.cite),
            str(fact.source),
            printed=fact.value,
        )
        for fact in law.chapter.facts(law.day)
    )
    if fields:
        about = "The text at hand doesn't print these. An empty field keeps the value shown in it."
        yield Part("facts", "Facts that are not printed", fields, about=about)


def titled(name: str) -> str:
    return TITLES.get(name, name.replace("_", " ").title())


# Which field is which


def unknown_keys(values: Iterable[str], parts: Iterable[Part], chapter: Chapter, day: date) -> tuple[str, ...]:
    """Return entries without a field in the form; ``offered`` needs none where the law always offers the wager."""
    known = {*always_offered(chapter, day), *required()} | {each.key for part in parts for each in part.fields}
    return tuple(key for key in values if key not in known)


def always_offered(chapter: Chapter, day: date) -> set[str]:
    """Return the keys that a submission may have and nobody has to choose."""
    table, wagers = wager_table(), in_force(chapter.wagers, law_day(chapter, day))
    switches = [choice.name for choice in choices_of_table(table) if choice.switch]
    return {f"{table.key}.{w.name}.{name}" for w in wagers if w.offer == "always" for name in switches}


def field_of(where: str, keys: Iterable[str]) -> str:
    """Return the field that a finding is about: the one it names, or the first below it.

    >>> field_of("wagers.main", ["seats", "wagers.main.minimum"])
    'wagers.main.minimum'
    """
    known = tuple(keys)
    if where in known:
        return where
    below = (key for key in known if key.startswith(f"{where}."))
    above = (key for key in known if where.startswith(f"{key.rpartition('.')[0]}.") and "." in key)
    return next(below, next(above, "")) if where else ""
