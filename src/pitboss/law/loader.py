"""Reads the chapters. Everything wrong in a file is said at once, each with the file and the key that is wrong."""

import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from datetime import date, timedelta
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import Any, TypeVar, cast

from pitboss.findings import PitbossError
from pitboss.law.cite import Cite
from pitboss.law.keys import ChapterKeys, label
from pitboss.law.model import (
    Chapter,
    ChoiceSpec,
    Dated,
    DealOrder,
    DealStep,
    Earlier,
    EnvyTable,
    Figure,
    LayoutItem,
    MeterSpec,
    Note,
    PayTable,
    Period,
    Procedure,
    Section,
    Sourced,
    Wager,
    source_of,
)
from pitboss.law.odds import TIERS, Tier
from pitboss.names import shown
from pitboss.public import public
from pitboss.reader import quoted, read
from pitboss.records import Fixed

CHAPTERS = tuple(
    sorted(file.name.removesuffix(".toml") for file in files("pitboss.law").iterdir() if file.name.endswith(".toml"))
)
"""A law file is a chapter of the house."""
T = TypeVar("T")


class LawError(PitbossError, ValueError):
    """Defects of a law file, in sentences that name the file and the key."""

    def __init__(self, *sentences: str) -> None:
        super().__init__(" ".join(sentences))


class _Reader:
    """Turns the keys of one file into a ``Chapter``, and collects what is wrong."""

    def __init__(self, file: str, keys: Any) -> None:
        self.file, self.keys = file, keys
        self.chapter: str = keys.chapter
        self.partly = keys.printed == "partly"
        self.starts: dict[int, date] = {each.number: each.start for each in keys.section}
        self.wrong: list[str] = []
        self.entry: tuple[str, int, Any] | None = None
        """The list, number and keys of the entry at hand."""

    def say(self, key: str, problem: str) -> None:
        """Note what is wrong at a key of the entry at hand, or of the file."""
        place = f"{label(*self.entry)}.{key}" if self.entry else key
        self.wrong.append(f"{self.file}: {place}: {problem}.")

    def many(self, name: str, build: Callable[[Any], T]) -> tuple[T, ...]:
        made = []
        for number, keys in enumerate(getattr(self.keys, name), 1):
            self.entry = (name, number, keys)
            made.append(build(keys))
        self.entry = None
        return tuple(made)

    def section(self, keys: Any) -> Section:
        cite, period = Cite(self.chapter, keys.number), Period(keys.start)
        return Section(keys.title, keys.amended, cite=cite, period=period, source=keys.rests_on)

    def own(self, cite: Cite) -> Cite:
        if cite.chapter != self.chapter:
            self.say("cite", f"{cite} is not in chapter {self.chapter}")
        return cite

    def period(self, keys: Any) -> Period:
        """The entry's own dates, or else those of the section it is cited to."""
        start = keys.start or self.starts.get(keys.cite.section)
        if keys.cite.chapter == self.chapter and keys.cite.section not in self.starts:
            self.say("cite", f"{keys.cite} is in no section of this file")
        if start is not None and keys.until is not None and keys.until < start:
            self.say("until", f"{keys.until} is before {start}")
        return Period(start or date.min, keys.until)

    def made(self, kind: type[T], keys: Any, **given: Any) -> T:
        """An entry with its paragraph and its dates; ``given`` are the fields that its keys don't have as they are."""
        if issubclass(kind, Dated):
            given |= {"cite": self.own(keys.cite), "period": self.period(keys)}
        if issubclass(kind, Sourced):
            given["source"] = keys.rests_on
        plain = {name: getattr(keys, name) for name in _names(cast("Any", kind)) if name not in given}
        return kind(**plain, **given)

    def figure(self, keys: Any) -> Figure:
        """A figure that is not printed says between which values a submission may set it."""
        figure, span = self.made(Figure, keys), keys.range
        if figure.source and self.partly and not span:
            self.say("range", "is missing: what isn't printed can be set, and says between which values")
        elif span and not (figure.source and len(span) == 2):
            self.say("range", "expected the least and the greatest value of a figure that isn't printed")
        elif span and not span[0] <= figure.value <= span[1]:
            self.say("range", f"{figure.value} is not between {span[0]} and {span[1]}")
        return figure

    def wager(self, keys: Any) -> Wager:
        return self.made(Wager, keys, only=Fixed(keys.only))

    def paytable(self, keys: Any) -> PayTable:
        for row in keys.row_source.keys() - keys.rows.keys():
            self.say(f"row_source.{row}", "is not a row of this table")
        sources = Fixed({row: each.rests_on for row, each in keys.row_source.items()})
        return self.made(PayTable, keys, rows=Fixed(keys.rows), row_sources=sources)

    def meter(self, keys: Any) -> MeterSpec:
        seed, rate = _tiers(keys.seed), _tiers(keys.rate)
        return self.made(MeterSpec, keys, seed=seed, reseed=_tiers(keys.reseed) or seed, rate=rate)

    def envy(self, keys: Any) -> EnvyTable:
        return self.made(EnvyTable, keys, stake=keys.stake * 100, rows=Fixed(keys.rows))

    def deal(self, keys: Any) -> DealOrder:
        steps = tuple(self.made(DealStep, step) for step in keys.steps)
        return self.made(DealOrder, keys, steps=steps)

    def choice(self, keys: Any) -> ChoiceSpec:
        return self.made(ChoiceSpec, keys, title=keys.title or shown(keys.name), rows=Fixed(keys.rows))

    def earlier(self, keys: Any) -> Earlier:
        return self.made(Earlier, keys, cite=self.own(keys.cite), rows=Fixed(keys.rows))

    def plain(self, kind: type[T]) -> Callable[[Any], T]:
        return lambda keys: self.made(kind, keys)

    def read(self) -> Chapter:
        keys = self.keys
        if not self.partly and keys.adopted is None:
            self.say("adopted", "is missing: it should be a date such as 2024-06-01")
        chapter = Chapter(
            chapter=self.chapter,
            game=keys.game,
            title=keys.title,
            heading=keys.heading or keys.title,
            adopted=keys.adopted,
            source=keys.source,
            partly=self.partly,
            sections=self.many("section", self.section),
            figures=self.many("figure", self.figure),
            wagers=self.many("wager", self.wager),
            row_names=Fixed({(row.of, row.name): row.printed for row in keys.row}),
            row_cites=Fixed({row.name: self.own(row.cite) for row in keys.row if row.cite is not None}),
            paytables=self.many("paytable", self.paytable),
            meters=self.many("meter", self.meter),
            envies=self.many("envy", self.envy),
            deals=self.many("deal", self.deal),
            procedures=self.many("procedure", self.plain(Procedure)),
            layout=self.many("layout", self.plain(LayoutItem)),
            choices=self.many("choice", self.choice),
            notes=self.many("note", self.plain(Note)),
            earlier=self.many("earlier", self.earlier),
        )
        if not self.wrong:  # what follows compares entries that are each in order
            self.check_dates(chapter.entries())
            self.check_printed(chapter)
            self.check_options(chapter)
        if self.wrong:
            raise LawError(*self.wrong)
        return chapter

    def check_printed(self, chapter: Chapter) -> None:
        for entry in chapter.unprinted() if not self.partly else ():
            self.say(entry.key, f"rests on {source_of(entry)}, but the chapter is printed wholly")

    def check_options(self, chapter: Chapter) -> None:
        """What an option names is in the chapter, and what waits for an option waits for one of the chapter."""
        figures, tables = {figure.name for figure in chapter.figures}, {table.wager for table in chapter.paytables}
        options = {choice.name for choice in chapter.choices if choice.kind}
        wagers = {wager.name for wager in chapter.wagers}
        for figure in chapter.figures:
            if unknown := sorted(set(figure.caps) - wagers):
                self.say(f"{figure.key}.caps", f"{unknown[0]} is not in this chapter")
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
                    self.say(f"{choice.key}.{key}", f"{unknown[0]} is not in this chapter")
        for table in chapter.paytables:
            if table.when and table.when not in options:
                self.say(f"{table.key}.when", f"{table.when} is not an option of this chapter")
        for deal in chapter.deals:
            if unknown := sorted(
                {name for step in deal.steps for name in (step.choice, *step.unless)} - {""} - options
            ):
                self.say(deal.key, f"{unknown[0]} is not an option of this chapter")

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
                    self.say(key, f"two versions apply on {later.period.start} ({earlier.cite} and {later.cite})")
                elif end + timedelta(days=1) != later.period.start:
                    self.say(key, f"no version applies between {end} and {later.period.start}")


@cache
def _names(kind: Any) -> tuple[str, ...]:
    return tuple(each.name for each in fields(kind))


def _tiers(values: Mapping[Tier, T]) -> Mapping[Tier, T]:
    return Fixed({tier: values[tier] for tier in TIERS if tier in values})


def read_chapter(file: str, text: str) -> Chapter:
    """A chapter from the text of a law file; ``file`` is the name used in messages."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as problem:
        raise LawError(f"{file}: TOML: {problem}.") from None
    keys, findings = read(ChapterKeys, data, file, limits=None)
    if keys is None:
        raise LawError(*(finding.sentence for finding in findings))
    return _Reader(file, keys).read()


@public
@cache
def chapter(number: str) -> Chapter:
    """A chapter of the law shipped with the package: ``chapter("641a")``."""
    file = f"{number}.toml"
    if number not in CHAPTERS:
        raise LawError(f"{file}: {quoted(number)} is not one of {', '.join(CHAPTERS)}.")
    return read_chapter(file, files("pitboss.law").joinpath(file).read_text(encoding="utf-8"))


__all__ = ["CHAPTERS", "LawError", "chapter", "read_chapter"]
