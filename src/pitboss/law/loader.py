"""Reads the chapters. Whatever is wrong in a file is said with the file and the key that is wrong."""

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, Field, fields
from datetime import date, timedelta
from functools import cache, partial
from importlib.resources import files
from itertools import pairwise
from typing import Any, Literal, TypeVar, cast, get_args, get_origin, get_type_hints

from pitboss.findings import PitbossError
from pitboss.law.cite import Cite, CiteError
from pitboss.law.model import (
    DIE,
    GROUNDS,
    PRINTED,
    SINGLE,
    Chapter,
    ChoiceSpec,
    Dated,
    DealOrder,
    DealStep,
    Earlier,
    EnvyTable,
    Face,
    Figure,
    LayoutItem,
    MeterSpec,
    Note,
    PayTable,
    Period,
    Procedure,
    Section,
    Source,
    Wager,
    source_of,
)
from pitboss.law.odds import TIERS, OddsError, Tier, parse_odds, parse_percent
from pitboss.money import MoneyError, cents
from pitboss.names import shown
from pitboss.public import public
from pitboss.records import Fixed

CHAPTERS = tuple(
    sorted(file.name.removesuffix(".toml") for file in files("pitboss.law").iterdir() if file.name.endswith(".toml"))
)
"""A law file is a chapter of the house."""
T = TypeVar("T")
_NAME = re.compile(r"[a-z][a-z0-9_]*")


def _either(text: str) -> tuple[str, ...]:
    return tuple(text.split(" or "))


def _is_face(value: object) -> bool:
    return type(value) is int or value == "00"


class LawError(PitbossError, ValueError):
    """A defect of a law file: names the file and the key."""

    def __init__(self, file: str, key: str, problem: str) -> None:
        super().__init__(f"{file}: {key}: {problem}")


class _Entry:
    """One table of a law file, read key by key, so that what is left over at the end is unknown."""

    def __init__(self, file: str, key: str, table: object) -> None:
        self.file, self.key = file, key
        if not isinstance(table, dict):
            raise LawError(file, key, "expected a table")
        self.table: dict[str, Any] = table
        self.left = set(table)

    def error(self, name: str, problem: str) -> LawError:
        return LawError(self.file, f"{self.key}.{name}" if name else self.key, problem)

    def get(self, name: str, kind: type[T], default: T | None = None) -> T:
        self.left.discard(name)
        if name not in self.table:
            if default is not None:
                return default
            raise self.error(name, "is missing")
        value = self.table[name]
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise self.error(name, f"expected {kind.__name__}, found {value!r}")
        return value

    def convert(self, name: str, text: object, how: Callable[[str], T]) -> T:
        if not isinstance(text, str):
            raise self.error(name, f"expected a text, found {text!r}")
        try:
            return how(text)
        except (CiteError, OddsError, MoneyError) as problem:
            raise self.error(name, str(problem)) from None

    def cite(self, chapter: str, name: str = "cite") -> Cite:
        cite = self.convert(name, self.get(name, str), Cite.parse)
        if cite.chapter != chapter:
            raise self.error(name, f"{cite} is not in chapter {chapter}")
        return cite

    def one_of(self, name: str, known: Sequence[T], default: T) -> T:
        value = self.get(name, str, str(default))
        found = next((each for each in known if each == value), None)
        if found is None:
            raise self.error(name, f"{value!r} is not one of {', '.join(map(str, known))}")
        return found

    def source(self) -> Source:
        grounds = self.one_of("source", GROUNDS, "printed")
        note = self.get("source_note", str, "")
        if grounds in ("sibling", "public") and not note:
            raise self.error("source_note", f"is missing: which {grounds} text?")
        return Source(grounds, note) if grounds != "printed" or note else PRINTED

    def names(self, name: str) -> tuple[str, ...]:
        values = self.get(name, list, [])
        for value in values:
            if not isinstance(value, str):
                raise self.error(name, f"expected texts, found {value!r}")
        return tuple(values)

    def mapping(self, name: str, how: Callable[[str, object], T], default: bool = False) -> Mapping[str, T]:
        table = self.get(name, dict, {} if default else None)
        for key in table:
            if not _NAME.fullmatch(key):
                raise self.error(f"{name}.{key}", "a row is named in lower case with underscores")
        return Fixed({key: how(f"{name}.{key}", value) for key, value in table.items()})

    def done(self) -> None:
        if self.left:
            raise self.error(sorted(self.left)[0], "is not a key of this kind of entry")


Reading = Callable[[_Entry], Any]


@cache
def _readings(kind: Any) -> Mapping[str, Reading]:
    """How the fields of a class are read that its annotations describe: texts, numbers, flags, names, one of a few."""
    hints = get_type_hints(kind)
    found = {field.name: _reading(field, hints[field.name]) for field in fields(kind)}
    return {name: reading for name, reading in found.items() if reading is not None}


def _reading(field: Field[Any], hint: Any) -> Reading | None:
    name, default = field.name, None if field.default is MISSING else field.default
    if hint is Source:
        return _Entry.source
    if hint == Cite | None:
        return lambda entry: entry.convert(name, entry.get(name, str), Cite.parse) if name in entry.table else None
    if hint in (str, int, bool):
        return lambda entry: entry.get(name, hint, default)
    if hint == tuple[str, ...]:
        return lambda entry: entry.names(name)
    if get_origin(hint) is Literal:
        known = get_args(hint)
        return lambda entry: entry.one_of(name, known, known[0] if default is None else default)
    return None


def built(kind: type[T], entry: _Entry, **given: Any) -> T:
    """An entry whose keys are the fields of its class; ``given`` are those that are read in a way of their own."""
    read = {name: how(entry) for name, how in _readings(cast("Any", kind)).items() if name not in given}
    return kind(**given, **read)


class _Reader:
    """Turns one parsed file into a ``Chapter``."""

    def __init__(self, file: str, data: dict[str, Any]) -> None:
        self.file = file
        self.top = _Entry(file, "chapter", data)
        self.chapter = self.top.get("chapter", str)
        self.partly = self.top.one_of("printed", ("wholly", "partly"), "wholly") == "partly"
        self.starts: dict[int, date] = {}

    def many(self, name: str, build: Callable[[_Entry], T]) -> tuple[T, ...]:
        items = []
        for number, table in enumerate(self.top.get(name, list, []), 1):
            label = "".join(f" {table[k]}" for k in ("name", "wager", "letter", "device", "act", "item") if k in table)
            entry = _Entry(self.file, f"{name}[{number}]{label}", table)
            items.append(build(entry))
            entry.done()
        return tuple(items)

    def period(self, entry: _Entry, cite: Cite) -> Period:
        """The entry's own dates, or else those of the section it is cited to."""
        if cite.section not in self.starts:
            raise entry.error("cite", f"{cite} is in no section of this file")
        start = entry.get("from", date, self.starts[cite.section])
        if "until" not in entry.table:
            return Period(start)
        end = entry.get("until", date)
        if end < start:
            raise entry.error("until", f"{end} is before {start}")
        return Period(start, end)

    def dated(self, entry: _Entry) -> tuple[Cite, Period]:
        cite = entry.cite(self.chapter)
        return cite, self.period(entry, cite)

    def section(self, entry: _Entry) -> Section:
        number = entry.get("number", int)
        amended = tuple(entry.get("amended", list, []))
        start = entry.get("from", date)
        self.starts[number] = start
        cite, title = Cite(self.chapter, number), entry.get("title", str)
        return Section(title, amended, cite=cite, period=Period(start), source=entry.source())

    def made(self, kind: type[T], entry: _Entry, **given: Any) -> T:
        """An entry with its paragraph and its dates."""
        cite, period = self.dated(entry)
        return built(kind, entry, cite=cite, period=period, **given)

    def lettered(self, kind: type[T], entry: _Entry, **given: Any) -> T:
        """One of several versions that the law tells apart by letters; a single one has none."""
        return self.made(kind, entry, letter=entry.get("letter", str, SINGLE), **given)

    def picks(self, entry: _Entry) -> Literal["seats"] | tuple[tuple[Face, ...], ...]:
        if entry.table.get("picks") == "seats":
            entry.left.discard("picks")
            return "seats"
        picks = entry.get("picks", list, [])
        if not all(isinstance(pick, list) and all(map(_is_face, pick)) for pick in picks):
            raise entry.error("picks", 'expected "seats" or lists of numbers')
        return tuple(map(tuple, picks))

    def row(self, entry: _Entry) -> tuple[str, str, str, Cite | None]:
        cite = entry.cite(self.chapter) if "cite" in entry.table else None
        return entry.get("of", str, ""), entry.get("name", str), entry.get("printed", str), cite

    def figure(self, entry: _Entry) -> Figure:
        """A figure that is not printed says between which values a submission may set it."""
        span, known = entry.get("range", list, []), entry.get("value", int)
        figure = self.made(Figure, entry, range=tuple(span))
        if figure.source and self.partly and not span:
            raise entry.error("range", "is missing: what isn't printed can be set, and says between which values")
        if span and not (figure.source and len(span) == 2 and all(type(end) is int for end in span)):
            raise entry.error("range", "expected the least and the greatest value of a figure that isn't printed")
        if span and not span[0] <= known <= span[1]:
            raise entry.error("range", f"{known} is not between {span[0]} and {span[1]}")
        return figure

    def wager(self, entry: _Entry) -> Wager:
        only = entry.mapping("only", lambda key, text: entry.convert(key, text, _either), default=True)
        return self.made(Wager, entry, picks=self.picks(entry), only=only)

    def paytable(self, entry: _Entry) -> PayTable:
        rows = entry.mapping("rows", lambda key, odds: entry.convert(key, odds, parse_odds))
        if not rows:
            raise entry.error("rows", "a pay table needs rows")
        return self.lettered(PayTable, entry, rows=rows, row_sources=self.row_sources(entry, rows))

    def row_sources(self, entry: _Entry, rows: Mapping[str, object]) -> Mapping[str, Source]:
        """``row_source = { pair = { source = "public", source_note = "..." } }``, by the names of rows."""
        sources = {}
        for row, table in entry.get("row_source", dict, {}).items():
            part = _Entry(self.file, f"{entry.key}.row_source.{row}", table)
            sources[row] = part.source()
            part.done()
            if row not in rows:
                raise part.error("", "is not a row of this table")
        return Fixed(sources)

    def _tiers(self, entry: _Entry, name: str, how: Callable[[str], T], default: bool = False) -> Mapping[Tier, T]:
        values = entry.mapping(name, lambda key, text: entry.convert(key, text, how), default)
        for key in values:
            if key not in TIERS:
                raise entry.error(f"{name}.{key}", f"is not one of {', '.join(TIERS)}")
        return Fixed({tier: values[tier] for tier in TIERS if tier in values})

    def meter(self, entry: _Entry) -> MeterSpec:
        seed = self._tiers(entry, "seed", cents)
        return self.lettered(
            MeterSpec,
            entry,
            seed=seed,
            reseed=self._tiers(entry, "reseed", cents, default=True) or seed,
            rate=self._tiers(entry, "rate", parse_percent, default=True),
            reserve=entry.convert("reserve", entry.get("reserve", str, "0%"), parse_percent),
        )

    def envy(self, entry: _Entry) -> EnvyTable:
        rows = entry.mapping("rows", lambda key, text: entry.convert(key, text, cents))
        return self.lettered(EnvyTable, entry, stake=entry.get("stake", int) * 100, rows=rows)

    def deal(self, entry: _Entry) -> DealOrder:
        steps = []
        for number, table in enumerate(entry.get("steps", list), 1):
            step = _Entry(self.file, f"{entry.key}.steps[{number}]", table)
            if "dice" not in step.table:
                step.get("cards", int)
            faces, void = tuple(step.get("faces", list, list(DIE))), tuple(step.get("void", list, []))
            steps.append(built(DealStep, step, faces=faces, void=void))
            step.done()
        return self.made(DealOrder, entry, steps=tuple(steps))

    def choice(self, entry: _Entry) -> ChoiceSpec:
        return self.made(
            ChoiceSpec,
            entry,
            title=entry.get("title", str, shown(entry.get("name", str))),
            values=tuple(entry.get("values", list, [])),
            rows=entry.mapping("rows", lambda key, figure: entry.convert(key, figure, str), default=True),
            into=tuple(entry.convert("into", text, Cite.parse) for text in entry.names("into")),
        )

    def note(self, entry: _Entry) -> Note:
        also = tuple(entry.convert("also", text, Cite.parse) for text in entry.names("also"))
        return self.made(Note, entry, also=also)

    def earlier(self, entry: _Entry) -> Earlier:
        rows = entry.mapping("rows", lambda key, text: entry.convert(key, text, cents), default=True)
        return built(Earlier, entry, cite=entry.cite(self.chapter), until=entry.get("until", date), rows=rows)

    def adopted(self) -> date | None:
        """Required of a chapter that is printed wholly."""
        known = not self.partly or "adopted" in self.top.table
        return self.top.get("adopted", date) if known else None

    def read(self) -> Chapter:
        top = self.top
        rows = self.many("row", self.row)
        chapter = Chapter(
            chapter=self.chapter,
            game=top.get("game", str),
            title=top.get("title", str),
            heading=top.get("heading", str, "") or top.get("title", str),
            adopted=self.adopted(),
            source=top.get("source", str),
            partly=self.partly,
            sections=self.many("section", self.section),
            figures=self.many("figure", self.figure),
            wagers=self.many("wager", self.wager),
            row_names=Fixed({(of, name): printed for of, name, printed, _ in rows}),
            row_cites=Fixed({name: cite for _, name, _, cite in rows if cite is not None}),
            paytables=self.many("paytable", self.paytable),
            meters=self.many("meter", self.meter),
            envies=self.many("envy", self.envy),
            deals=self.many("deal", self.deal),
            procedures=self.many("procedure", partial(self.made, Procedure)),
            layout=self.many("layout", partial(self.made, LayoutItem)),
            choices=self.many("choice", self.choice),
            notes=self.many("note", self.note),
            earlier=self.many("earlier", self.earlier),
        )
        top.done()
        self.check_dates(chapter.entries())
        if not self.partly and (entry := next(iter(chapter.unprinted()), None)) is not None:
            raise LawError(self.file, entry.key, f"rests on {source_of(entry)}, but the chapter is printed wholly")
        self.check_options(chapter)
        return chapter

    def check_options(self, chapter: Chapter) -> None:
        """What an option names is in the chapter, and what waits for an option waits for one of the chapter."""
        figures, tables = {figure.name for figure in chapter.figures}, {table.wager for table in chapter.paytables}
        options = {choice.name for choice in chapter.choices if choice.kind}
        wagers = {wager.name for wager in chapter.wagers}
        for figure in chapter.figures:
            if unknown := sorted(set(figure.caps) - wagers):
                raise LawError(self.file, f"{figure.key}.caps", f"{unknown[0]} is not in this chapter")
        for choice in chapter.choices:
            own = {choice.name} if choice.kind == "selection" else set()
            for key, named, known in (
                ("least", {choice.least} - {""}, figures),
                ("rows", set(choice.rows.values()), figures),
                ("rows", set(choice.rows), tables),
                ("paid_on", {choice.paid_on} - {""} | own, tables),
                ("caps", set(choice.caps), wagers),
                ("spares", set(choice.spares), tables),
            ):
                if unknown := sorted(named - known):
                    raise LawError(self.file, f"{choice.key}.{key}", f"{unknown[0]} is not in this chapter")
        for table in chapter.paytables:
            if table.when and table.when not in options:
                raise LawError(self.file, f"{table.key}.when", f"{table.when} is not an option of this chapter")
        for deal in chapter.deals:
            if unknown := sorted(
                {name for step in deal.steps for name in (step.choice, *step.unless)} - {""} - options
            ):
                raise LawError(self.file, deal.key, f"{unknown[0]} is not an option of this chapter")

    def check_dates(self, entries: Iterable[Dated]) -> None:
        """On every day at most one version of an entry applies, and none is missing between two versions."""
        versions: dict[str, list[Dated]] = {}
        for entry in entries:
            versions.setdefault(entry.key, []).append(entry)
        for key, group in versions.items():
            group.sort(key=lambda entry: entry.period.start)
            for earlier, later in pairwise(group):
                end = earlier.period.end
                if end is None or end >= later.period.start:
                    raise LawError(
                        self.file, key, f"two versions apply on {later.period.start} ({earlier.cite} and {later.cite})"
                    )
                if end + timedelta(days=1) != later.period.start:
                    raise LawError(self.file, key, f"no version applies between {end} and {later.period.start}")


def read_chapter(file: str, text: str) -> Chapter:
    """A chapter from the text of a law file; ``file`` is the name used in messages."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as problem:
        raise LawError(file, "TOML", str(problem)) from None
    return _Reader(file, data).read()


@public
@cache
def chapter(number: str) -> Chapter:
    """A chapter of the law shipped with the package: ``chapter("641a")``."""
    if number not in CHAPTERS:
        raise LawError(f"{number}.toml", "chapter", f"is not one of {', '.join(CHAPTERS)}")
    file = f"{number}.toml"
    return read_chapter(file, files("pitboss.law").joinpath(file).read_text(encoding="utf-8"))


__all__ = ["CHAPTERS", "LawError", "chapter", "read_chapter"]
