"""A draft of a Rules Submission as the desk shows it: panels, fields, pay tables, holds and findings."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import lru_cache
from hashlib import sha256
from itertools import groupby
from typing import Any, Final

from pitboss.findings import Finding
from pitboss.games.registry import GAMES
from pitboss.law.model import SINGLE, Chapter, EnvyTable, PayTable, in_force
from pitboss.names import shown_key
from pitboss.paper.say import MINUS
from pitboss.reports.offer import row_title
from pitboss.submission import Submission
from pitboss.submission.registry import head
from pitboss.web.views.submission_draft import Draft, DraftCheck, of_address
from pitboss.web.views.submission_form import (
    LETTER,
    Field,
    Part,
    Sheet,
    acknowledging,
    field_of,
    law_day,
    meter_text,
    parts_of,
    titled,
    unknown_keys,
)
from pitboss.web.views.submission_holds import COUNTS, MAIN, Hold, holds, letters_for, main_table, out_of_range

COUNTING: Final = "counting…"
MAIN_TITLE: Final = "Main wagers together"
FEWEST_ROWS: Final = 3
"""Wagers with nothing but limits that become one table."""
MOST_ROWS: Final = 4
"""Wagers of one table whose holds are repeated beside the form; of more, the least and the most."""
_PLAIN_ID = re.compile(r"[A-Za-z0-9_.-]+")


def place_of(key: str) -> str:
    """Return the id of a field on the page, whatever characters its key has."""
    return f"f-{key if _PLAIN_ID.fullmatch(key) else sha256(key.encode('utf-8', 'replace')).hexdigest()[:12]}"


# What the template draws


@dataclass(frozen=True)
class Control:
    """A field with its value."""

    field: Field
    value: str | bool
    printed: str
    """The template's value in words, if this one differs from it."""
    error: str = ""
    cite: str = ""
    """The paragraph, unless the part or the options name it already."""

    @property
    def id(self) -> str:
        return place_of(self.field.key)

    @property
    def options(self) -> list[tuple[str, str]]:
        """The options of the day, and the value itself if the law of the day doesn't know it."""
        value, found = str(self.value), list(self.field.options.items())
        if self.field.optional or not value:
            found.insert(0, ("", "Not chosen"))
        return found if value in dict(found) else [*found, (value, f"{value[:60]} (not in the law of this day)")]


@dataclass(frozen=True)
class Letter:
    """A column of a pay table."""

    value: str
    text: str
    cite: str
    is_chosen: bool
    share: str


@dataclass(frozen=True)
class PayEditor:
    """The pay tables of a wager side by side. Odds that aren't printed are fields."""

    title: str
    letters: tuple[Letter, ...]
    rows: tuple[tuple[str, str, tuple[str | Control, ...]], ...]
    """By name: the hand as the law prints it, and what each table pays."""
    cites: tuple[str, ...]
    sources: tuple[str, ...]
    """What the odds in fields rest on."""
    choice: Control | None = None
    """The letter, where there is more than one."""

    @property
    def repeats(self) -> bool:
        """Whether two subsections print the same letter."""
        return len({letter.text for letter in self.letters}) < len(self.letters)


@dataclass
class FormSection:
    """A panel of the form."""

    id: str
    title: str
    part: Part
    controls: list[Control] = field(default_factory=list)
    switch: Control | None = None
    grids: list[PayEditor] = field(default_factory=list)
    meters: list[tuple[str, str]] = field(default_factory=list)
    rows: list["FormSection"] = field(default_factory=list)
    """Wagers that have nothing but limits, as rows of one table."""
    pays: str | Control = ""
    """What such a wager pays, where that is a row of one table for all of them."""
    tables: list[tuple[str, str, list[tuple[str, Control]]]] = field(default_factory=list)
    """Facts that belong together: a title, the paragraph, and the rows."""
    hold: Hold | None = None
    waiting: str = ""
    """Why there is no hold."""

    @property
    def is_off(self) -> bool:
        return self.switch is not None and not self.switch.value

    def each(self) -> Iterator[Control]:
        yield from self.controls
        yield from (each for each in (self.switch, self.pays) if isinstance(each, Control))
        for grid in self.grids:
            yield from (grid.choice,) if grid.choice else ()
            yield from (cell for *_, cells in grid.rows for cell in cells if isinstance(cell, Control))
        for _, _, rows in self.tables:
            yield from (control for _, control in rows)
        for row in self.rows:
            yield from row.each()

    @property
    def wrong(self) -> int:
        return sum(bool(control.error) for control in self.each())

    @property
    def changed(self) -> int:
        return sum(bool(control.printed) for control in self.each())


@dataclass(frozen=True)
class Said:
    """A finding as the page lists it: where it leads and what stands there."""

    finding: Finding
    name: str
    place: str


@lru_cache(maxsize=64)
def _parts(game: str, day: date) -> tuple[Part, ...]:
    return parts_of(GAMES[game].chapter, day)


class DraftPage:
    """A draft as the page shows it."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.judged: DraftCheck = draft.judged()
        self.submission: Submission = self.judged.submission
        self.chapter: Chapter = GAMES[self.submission.game].chapter
        self.day = self.submission.effective
        self.law_day = law_day(self.chapter, self.day)
        self.base = of_address({"game": draft.game, "effective": self.day.isoformat()}, draft.today).values
        self.counting = False
        self._count()
        self.parts = (*_parts(draft.game, self.day), *self._acknowledging())
        self.unknown = unknown_keys(draft.values, self.parts, self.chapter, self.day)
        self.names = {choice.name: choice.title for choice in head() if choice.required}
        self.names |= {each.key: _named(part, each) for part in self.parts for each in part.fields}
        found = [(finding, self._place(finding)) for finding in self._listed()]
        self.errors: dict[str, str] = {}
        for finding, key in found:
            if finding.severity == "error":
                self.errors.setdefault(place_of(key), finding.sentence)
        self.facts = {each.key: each for part in self.parts if part.name == "facts" for each in part.fields}
        self.sections = list(self._sections())
        said = [Said(finding, self.named(key or finding.where), place_of(key) if key else "") for finding, key in found]
        self.wrong = [each for each in said if each.finding.severity == "error"]
        self.notes = [each for each in said if each not in self.wrong]

    # Holds

    def _count(self) -> None:
        """Look up the holds, and have those counted that aren't known."""
        self.answers: dict[str, tuple[Mapping[str, Hold], str]] = {}
        self.ranges: tuple[Finding, ...] = ()
        wanted: list[tuple[Any, ...]] = []
        for wager, question in self.judged.questions.items():
            if not question:
                self.answers[wager] = {}, "once its findings are settled"
            elif (known := COUNTS.known(holds, question, wager)) is None:
                wanted.append((holds, question, wager))
            else:
                self.answers[wager] = known[0] or {}, known[1]
        if self.judged.departures and not self.judged.wrong:
            if (found := COUNTS.known(out_of_range, self.judged.text)) is None:
                wanted.append((out_of_range, self.judged.text))
            else:
                self.ranges = found[0] or ()
        self.counting = bool(wanted)
        COUNTS.want(wanted)

    def _hold(self, wager: str) -> tuple[str, Mapping[str, Hold], str]:
        """Return the chosen letter, the holds by letter, and why there are none."""
        _, key, letters = letters_for(self.chapter, wager, self.law_day)
        letter = SINGLE if letters == (SINGLE,) else str(self.draft.values.get(key, ""))
        if wager not in self.judged.questions:
            return letter, {}, "not offered"
        return letter, *self.answers.get(wager, ({}, COUNTING))

    def hold_of(self, wager: str) -> str:
        letter, found, _ = self._hold(wager)
        return str(found[letter]) if letter in found else ""

    @property
    def holds(self) -> list[tuple[str, str, str, str]]:
        """Each wager on offer: its title, its section, its letter and its hold."""
        rows = []
        for section in self.sections:
            if len(section.rows) > MOST_ROWS:
                rows.append((section.title, section.id, "", _range([each.hold for each in section.rows])))
                continue
            for each in section.rows or [section]:
                wager = self._wager_of(each.part)
                if wager in self.judged.questions:
                    letter, found, waiting = self._hold(wager)
                    title = MAIN_TITLE if wager == MAIN else brief(each.part.title)
                    share = found[letter].share if letter in found else waiting if waiting == COUNTING else "–"
                    rows.append((title, section.id, "" if letter == SINGLE else printed_letter(letter), share))
        main = [row for row in rows if row[0] == MAIN_TITLE][-1:]
        return [*main, *(row for row in rows if row[0] != MAIN_TITLE)]

    def _wager_of(self, part: Part) -> str:
        """The wager whose hold a part shows."""
        if part.main or (part.sheet is not None and part.sheet.name == main_table(self.chapter)):
            return MAIN
        return part.wager

    @property
    def has_cards(self) -> bool:
        return any(part.name == "shuffler" for part in self.parts)

    # Findings

    def _acknowledging(self) -> Iterable[Part]:
        given = [key.partition(".")[2] for key in self.draft.values if key.startswith("acknowledged.")]
        asked = [each.where.partition(".")[2] for each in self.ranges if each.code == "hold-out-of-range"]
        return acknowledging(self.chapter, (*asked, *given), self.day)

    def _listed(self) -> tuple[Finding, ...]:
        everything = dict.fromkeys((*self.judged.findings, *self.ranges))
        return tuple(_on_page(each) for each in everything)

    def _place(self, finding: Finding) -> str:
        return field_of(finding.where, (*self.names, *self.unknown))

    def named(self, key: str) -> str:
        """What the page calls a choice."""
        return self.names.get(key) or (shown_key(key) if key else "")

    # The form

    def control(self, each: Field, known: str = "") -> Control:
        """A field. ``known`` is the paragraph that stands above it already."""
        value, base = self.draft.values.get(each.key, ""), self.base.get(each.key, "")
        if each.kind == "flag":
            value, base = bool(value), bool(base)
        is_named = each.cite == known or any(f"§ {each.cite})" in text for text in each.options.values())
        printed = "" if value == base else _words(each, base)
        return Control(each, value, printed, self.errors.get(place_of(each.key), ""), "" if is_named else each.cite)

    def _sections(self) -> Iterator[FormSection]:
        shown: set[str] = set()
        for limits, parts in groupby(self.parts, key=_only_limits):
            made = [self._section(part, shown) for part in parts]
            if limits and len(made) >= FEWEST_ROWS:
                whole = Part("limits", "Wagers", (), made[0].part.cite)
                grids = [grid for each in made for grid in each.grids]
                for each in made:
                    each.grids = []
                yield FormSection(made[0].id, "Wagers", whole, grids=_in_rows(grids, made), rows=made)
            else:
                yield from made

    def _section(self, part: Part, shown: set[str]) -> FormSection:
        made = FormSection(f"part-{part.name}", part.title, part)
        if part.name == "facts":
            self._fact_tables(made)
            return made
        letter = next((each for each in part.fields if each.label == LETTER), None)
        made.controls = [
            self.control(each, part.cite) for each in part.fields if each is not letter and each.key != part.switch
        ]
        switch = next((each for each in part.fields if each.key == part.switch), None)
        made.switch = self.control(switch, part.cite) if switch else None
        if wager := self._wager_of(part):
            chosen, found, made.waiting = self._hold(wager)
            made.hold = found.get(chosen)
        if part.sheet is not None and (letter is not None or part.sheet.name not in shown):
            shown.add(part.sheet.name)
            made.grids.append(self._grid(part, part.sheet, letter))
        made.meters = list(self._meters(part))
        return made

    def _grid(self, part: Part, sheet: Sheet, letter: Field | None) -> PayEditor:
        wager = self._wager_of(part)
        chosen, found, waiting = self._hold(wager) if wager else ("", {}, "")
        choice = self.control(letter) if letter is not None else None
        if choice is not None:
            chosen = str(choice.value)
        letters = tuple(
            Letter(
                table.letter,
                "Pays" if table.letter == SINGLE else printed_letter(table.letter),
                str(table.cite),
                table.letter == chosen and choice is not None,
                found[table.letter].share if table.letter in found else "…" if waiting == COUNTING else "–",
            )
            for table in sheet.tables
        )
        rows, sources = [], dict[str, None]()
        for row in sheet.rows:
            cells: list[str | Control] = []
            for table in sheet.tables:
                fact = self.facts.pop(f"facts.{table.place}.{row}", None)
                if fact is not None:
                    sources[fact.hint] = None
                    title = f"{printed_letter(table.letter)}, " if table.letter != SINGLE else ""
                    cells.append(self._fact(fact, f"{part.title}, {title}{row_title(row, table)}"))
                else:
                    cells.append(str(table.rows[row]) if row in table.rows else "–")
            rows.append((row, row_title(row, sheet.tables[0]), tuple(cells)))
        cites = tuple(dict.fromkeys(each.cite for each in letters))
        return PayEditor(part.title, letters, tuple(rows), cites, tuple(sources), choice)

    def _fact(self, fact: Field, name: str) -> Control:
        """A fact that is a row of a table."""
        self.names[fact.key] = name
        return self.control(replace(fact, label=name))

    def _meters(self, part: Part) -> Iterator[tuple[str, str]]:
        """What the law fixes about the meter of a progressive wager."""
        wager = next((w for w in in_force(self.chapter.wagers, self.law_day) if w.name == part.wager), None)
        for spec in in_force(self.chapter.meters, self.law_day):
            if wager is not None and spec.wager == wager.meter and wager.meter and not spec.chosen:
                name = "Meter" if spec.letter == SINGLE else f"Meter with table {printed_letter(spec.letter)}"
                yield f"{name}, fixed by law: {meter_text(spec)}.", str(spec.cite)

    def _fact_tables(self, section: FormSection) -> None:
        """Facts that aren't odds of a pay table above: figures, and rows of tables."""
        entries: tuple[PayTable | EnvyTable, ...] = (
            *in_force(self.chapter.paytables, self.law_day),
            *in_force(self.chapter.envies, self.law_day),
        )
        tables = {f"facts.{table.place}": table for table in entries}
        rows: dict[str, list[tuple[str, Control]]] = {}
        for key, each in self.facts.items():
            place, _, row = key.rpartition(".")
            if place in tables:
                label = row_title(row, tables[place])
                control = self._fact(each, f"{_titled(tables[place])}, {label}")
                rows.setdefault(place, []).append((label, control))
            else:
                section.controls.append(self.control(each))
        section.tables = [(_titled(tables[place]), str(tables[place].cite), found) for place, found in rows.items()]


def printed_letter(letter: str) -> str:
    return letter.rpartition(":")[2]


def _titled(table: PayTable | EnvyTable) -> str:
    letter = "" if table.letter == SINGLE else f", table {printed_letter(table.letter)}"
    stake = f", envy bonus with ${table.stake // 100}" if isinstance(table, EnvyTable) else ""
    return f"{titled(table.wager)}{letter}{stake}"


def _range(found: Sequence[Hold | None]) -> str:
    shares = sorted({hold.share for hold in found if hold is not None}, key=_number)
    if None in found or not shares:
        return COUNTING
    return shares[0] if len(shares) == 1 else f"{shares[0].removesuffix(' %')} to {shares[-1]}"


def _number(share: str) -> float:
    return float(share.split()[0].replace(MINUS, "-"))


def brief(title: str) -> str:
    """A wager's title for lists of wagers.

    >>> brief("Seventh Wager on the left")
    'Seventh on the left'
    """
    return title.replace(" Wager", "")


def _on_page(finding: Finding) -> Finding:
    """The page has a field for what other readers must write into the file."""
    before, found, _ = finding.sentence.partition(" Correct the pays, or acknowledge it")
    return replace(finding, sentence=f"{before} Correct the pays, or name who accepts it.") if found else finding


def _in_rows(grids: Iterable[PayEditor], wagers: Iterable[FormSection]) -> list[PayEditor]:
    """Move pays that stand in rows named after a wager beside the wager's limits; return what is left."""
    by_name, left = {each.part.wager: each for each in wagers}, []
    for grid in grids:
        if len(grid.letters) == 1 and grid.choice is None:
            for name, _, cells in grid.rows:
                if name in by_name:
                    by_name[name].pays = cells[0]
            grid = replace(grid, rows=tuple(row for row in grid.rows if row[0] not in by_name))
        if grid.rows or grid.sources:
            left.append(grid)
    return left


def _only_limits(part: Part) -> tuple[str, ...]:
    """The labels of the fields of a wager that has nothing but numbers to be typed."""
    has_more = any(each.kind != "number" or each.options for each in part.fields)
    return () if has_more or not part.wager else tuple(each.label for each in part.fields)


def _named(part: Part, each: Field) -> str:
    is_title = part.name == "acknowledged"
    return f"{part.title}, {each.label if is_title else each.label[:1].lower() + each.label[1:]}"


def _words(each: Field, value: str | bool) -> str:
    """A value of the template as the page names it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return each.options.get(value, value).partition(" (§")[0] or each.printed or "empty"
