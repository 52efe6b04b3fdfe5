"""The resolved rules of one table: the law on one day and the choices made under it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from fractions import Fraction
from functools import cached_property
from types import MappingProxyType

from pitboss.findings import Finding
from pitboss.hands.labels import row_of
from pitboss.law.model import (
    SINGLE,
    VERSION_TABLES,
    Chapter,
    Device,
    EnvyTable,
    MeterSpec,
    PayTable,
    Wager,
    in_force,
)
from pitboss.law.odds import Odds, ToOne
from pitboss.money import Cents, show_dollars
from pitboss.names import shown


@dataclass(frozen=True)
class Limits:
    """What one wager may be, in cents."""

    minimum: Cents
    maximum: Cents


OPEN_LIMITS = Limits(100, 10_000_000)
"""Where no submission says otherwise: $1 to $100,000."""

OPTIONAL_TABLES = ("magic_card", "lucky_bonus")


@dataclass(frozen=True)
class Choices:
    """What a certificate holder, or the author of a round, has chosen. The default offers everything, tables A."""

    letters: Mapping[str, str] = field(default_factory=dict)
    offered: frozenset[str] | None = None
    limits: Mapping[str, Limits] = field(default_factory=dict)
    seats: int | None = None
    adjacent_boxes: int | None = None
    device: Device = "manual-shoe"
    amounts: Mapping[str, Cents] = field(default_factory=dict)
    """Amount of each progressive wager on offer; a wager not named takes any lawful amount."""
    meters: Mapping[str, MeterSpec] = field(default_factory=dict)
    """Meters whose seed and rate the law left to the submission."""
    version: int | None = None
    """Which paragraph of 649a.7(e), if any."""
    mini_royal: Mapping[str, Fraction] = field(default_factory=dict)
    payout_limit: Cents | None = None
    readings: Mapping[str, str] = field(default_factory=dict)
    magic_card: bool = True
    lucky_bonus: bool = True


@dataclass(frozen=True)
class Rules:
    """The rules of one table on one day. Everything that settles, counts or prints reads from here."""

    chapter: Chapter
    as_of: date
    choices: Choices
    seats: int
    wagers: Mapping[str, Wager]
    tables: Mapping[str, PayTable]
    meters: Mapping[str, MeterSpec]
    envies: Mapping[str, tuple[EnvyTable, ...]]

    @property
    def game(self) -> str:
        return self.chapter.game

    def figure(self, name: str) -> int:
        return self.chapter.figure(name, self.as_of).value

    def figure_cite(self, name: str) -> str:
        return str(self.chapter.figure(name, self.as_of).cite)

    def limits(self, wager: str) -> Limits:
        return self.choices.limits.get(wager, OPEN_LIMITS)

    def odds(self, table: str, label: str) -> tuple[str, Odds] | None:
        """The row of a pay table that pays a hand, and its odds; nothing if the table is silent."""
        rows = self.tables[table].rows
        row = row_of(rows, label)
        return None if row is None else (row, rows[row])

    def table_cite(self, table: str) -> str:
        return str(self.tables[table].cite)

    def reading(self, table: str) -> str:
        """The named reading of a pay table's rule; empty for the one that is implemented as the law."""
        return self.choices.readings.get(table, "")

    @cached_property
    def _named(self) -> Mapping[str, Wager]:
        return {name: wager for wager in self.wagers.values() for name in wager.names(self.seats)}

    def wager_named(self, name: str) -> Wager | None:
        """The wager of a round; ``super_on_seat_3`` is the wager ``super_on_seat`` on seat 3.

        Only the one spelling counts: a name with another number, in other digits or letters is no wager, or chips
        would be taken that no line settles.
        """
        return self._named.get(name)

    def names_at(self, seat: int) -> tuple[str, ...]:
        """The names of all wagers that a seat may place before the cards; round files, live tables, simulation and
        meters know no others."""
        return tuple(
            name
            for name, wager in self._named.items()
            if wager.placed == "before" and not (wager.on_another_seat and name == f"{wager.name}_{seat}")
        )

    def __str__(self) -> str:
        """Only what departs from the default: every wager offered, tables A."""
        letters = ", ".join(
            f"{shown(name)} {table.letter}" for name, table in self.tables.items() if table.letter not in ("A", SINGLE)
        )
        return f"{self.chapter.title} as of {self.as_of}" + (f" ({letters})" if letters else "")


def resolve(chapter: Chapter, as_of: date, choices: Choices | None = None) -> tuple[Rules | None, tuple[Finding, ...]]:
    """The rules of a table and what is wrong with the choices, all at once.

    There are no rules at all only where the chapter was not in force. Rules that come with findings are good for
    checking on, not for settling.
    """
    choices = choices or Choices()
    findings: list[Finding] = []
    devices = [deal.device for deal in chapter.deals]
    if choices.device not in devices:
        choices = replace(choices, device=devices[0])
    known = in_force(chapter.wagers, as_of)
    if not known:
        return None, (_not_in_force(chapter, as_of),)
    wagers = {w.name: w for w in known if _offered(w, choices)}
    tables = _tables(chapter, as_of, choices, findings)
    findings += _foreign_choices(chapter, as_of, choices)
    _mini_royal(tables, choices, as_of, chapter, findings)
    for name in OPTIONAL_TABLES:
        if name in tables and not getattr(choices, name):
            del tables[name]
    meters, envies = {}, {}
    for wager in wagers.values():
        if wager.meter:
            letter = tables[wager.paytable].letter if wager.paytable in tables else ""
            spec = choices.meters.get(wager.meter) or next(
                (m for m in in_force(chapter.meters, as_of) if m.wager == wager.meter and m.letter == letter), None
            )
            if spec is not None:
                meters[wager.meter] = spec
            envies[wager.name] = tuple(
                e for e in in_force(chapter.envies, as_of) if e.wager == wager.name and e.letter in (letter, SINGLE)
            )
    rules = Rules(
        chapter=chapter,
        as_of=as_of,
        choices=choices,
        seats=choices.seats or chapter.figure("seats", as_of).value,
        wagers=MappingProxyType(wagers),
        tables=MappingProxyType(tables),
        meters=MappingProxyType(meters),
        envies=MappingProxyType(envies),
    )
    return rules, tuple(findings)


def _foreign_choices(chapter: Chapter, as_of: date, choices: Choices) -> Iterator[Finding]:
    """Choices that only one chapter knows."""
    known = {figure.name for figure in in_force(chapter.figures, as_of)}
    if choices.version is not None and not any(name.startswith(f"version_{choices.version}_") for name in known):
        yield Finding(
            "version-not-available",
            "649a.7(e)",
            "1, 2 or 3 in Three Card Poker",
            str(choices.version),
            f"{chapter.title} has no version {choices.version}.",
        )
    if choices.payout_limit is not None and "payout_limit_least" not in known:
        yield Finding(
            "payout-limit-not-available",
            "684a.12(g)",
            "no payout limit",
            show_dollars(choices.payout_limit),
            f"The law gives {chapter.title} no payout limit.",
        )


def _offered(wager: Wager, choices: Choices) -> bool:
    return choices.offered is None or wager.name in choices.offered or wager.offer == "always"


def _not_in_force(chapter: Chapter, as_of: date) -> Finding:
    since = min(wager.period.start for wager in chapter.wagers)
    reason = (
        f"chapter {chapter.chapter} was adopted on {chapter.adopted}"
        if as_of < chapter.adopted
        else f"the text of chapter {chapter.chapter} carried here is in force since {since}, the earlier one is unknown"
    )
    return Finding(
        "chapter-not-in-force",
        f"{chapter.chapter}.1",
        f"a date from {since} on",
        str(as_of),
        f"{chapter.title} cannot be played by these rules on {as_of}: {reason}.",
    )


def _tables(chapter: Chapter, as_of: date, choices: Choices, findings: list[Finding]) -> dict[str, PayTable]:
    names = dict.fromkeys(table.wager for table in chapter.paytables)
    tables = {}
    for name in choices.letters:
        if name not in names:
            lettered = sorted({t.wager for t in chapter.paytables if t.letter != SINGLE})
            findings.append(
                Finding(
                    "unknown-paytable",
                    f"{chapter.chapter}.12",
                    "one of " + ", ".join(lettered),
                    name,
                    f"{chapter.title} has no pay table for {name!r}.",
                )
            )
    for name in names:
        letter = choices.letters.get(name)
        reading = choices.readings.get(name, "")
        versions = [t for t in chapter.paytables if t.wager == name]
        printed = {t.letter for t in versions}
        if letter is None or (letter == "A" and printed == {SINGLE}):
            letter = _first_letter(printed, choices)
        fitting = [t for t in versions if t.letter == letter]
        current = [t for t in in_force(fitting, as_of) if t.reading == reading] or [
            t for t in in_force(fitting, as_of) if not t.reading
        ]
        if current:
            tables[name] = current[0]
            if reading and current[0].reading != reading and reading not in _noted_readings(chapter, current[0]):
                findings.append(_unknown_reading(chapter, name, reading, current[0], versions))
            continue
        if name in choices.letters:
            findings.append(_bad_letter(chapter, name, letter, versions, fitting, as_of))
        # The check goes on with a table that does apply, so that one bad letter hides no other finding.
        if fallback := in_force(versions, as_of):
            tables[name] = fallback[0]
    return tables


def _first_letter(printed: set[str], choices: Choices) -> str:
    """Table A, where none is named; under a version of 649a.7(e), table A of those that are for a version."""
    of_version = f"{VERSION_TABLES}A"
    if choices.version is not None and of_version in printed:
        return of_version
    return "A" if "A" in printed else SINGLE


def _noted_readings(chapter: Chapter, table: PayTable) -> set[str]:
    """Readings that the chapter's notes name for the paragraph of a pay table."""
    return {name for note in chapter.notes if table.cite in (note.cite, *note.also) for name in note.readings}


def _unknown_reading(chapter: Chapter, name: str, reading: str, table: PayTable, versions: list[PayTable]) -> Finding:
    named = sorted({t.reading for t in versions if t.reading} | _noted_readings(chapter, table))
    return Finding(
        "unknown-reading",
        str(table.cite),
        " or ".join(["the printed text", *named]),
        reading,
        f"The pay table of {shown(name)} has no reading called {reading!r}.",
    )


def _bad_letter(
    chapter: Chapter, name: str, letter: str, versions: list[PayTable], fitting: list[PayTable], as_of: date
) -> Finding:
    letters = ", ".join(dict.fromkeys(t.letter for t in in_force(versions, as_of))) or "none"
    if fitting:
        period = fitting[0].period
        return Finding(
            "table-not-in-force",
            str(fitting[0].cite),
            f"a table in force on {as_of}: {letters}",
            letter,
            f"Pay table {letter} of {shown(name)} was not in force on {as_of}: it is {period}.",
        )
    return Finding(
        "unknown-letter",
        str(versions[0].cite),
        f"one of {letters}",
        letter,
        f"{chapter.title} has no pay table {letter!r} for {shown(name)}; the law prints {letters}.",
    )


def _mini_royal(
    tables: dict[str, PayTable], choices: Choices, as_of: date, chapter: Chapter, findings: list[Finding]
) -> None:
    """A chosen mini-royal payout becomes the top row of the Ante Bonus or Pair Plus table."""
    for name, rate in choices.mini_royal.items():
        figures = [f for f in in_force(chapter.figures, as_of) if f.name == f"mini_royal_least_{name}"]
        if not figures:
            findings.append(
                Finding(
                    "mini-royal-not-available",
                    "649a.12(g)",
                    "a payout in the tables of 649a.12(b) or (d)",
                    name,
                    f"The law has no mini-royal payout for {shown(name)} in {chapter.title}.",
                )
            )
        elif rate < figures[0].value:
            findings.append(
                Finding(
                    "mini-royal-below-floor",
                    str(figures[0].cite),
                    f"at least {figures[0].value} to 1",
                    f"{rate} to 1",
                    f"A mini-royal flush in the {shown(name)} table must pay at least {figures[0].value} to 1.",
                )
            )
        elif name in tables and tables[name].letter.startswith(VERSION_TABLES):
            findings.append(
                Finding(
                    "mini-royal-not-available",
                    "649a.12(g)",
                    "an Ante Bonus table of 649a.12(b)",
                    tables[name].letter,
                    "A mini-royal payout may be added to the tables of subsections (b) and (d) only.",
                )
            )
        elif name in tables:
            table = tables[name]
            rows: dict[str, Odds] = {"mini_royal": ToOne(rate), **table.rows}
            tables[name] = PayTable(
                table.wager, table.letter, table.cite, table.period, MappingProxyType(rows), table.reading
            )
