"""What the law files hold for one paragraph, as tables: figures, wagers, pay tables, meters, deals."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from pitboss.law.cite import Cite
from pitboss.law.loader import CHAPTERS, chapter
from pitboss.law.model import (
    SINGLE,
    Chapter,
    ChoiceSpec,
    Dated,
    DealOrder,
    EnvyTable,
    Figure,
    LayoutItem,
    MeterSpec,
    PayTable,
    Procedure,
    Wager,
)
from pitboss.money import show_dollars
from pitboss.reports.offer import row_title
from pitboss.reports.procedures import deal_words
from pitboss.school.sheet import words

Rows = Iterable[tuple[str, ...]]
NARROW: Final = 5
"""Letters of a pay table that fit beside each other on a small screen."""


@dataclass(frozen=True)
class LawTable:
    """A table as values; ``numbers`` are the places of columns of figures."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: tuple[int, ...] = ()
    caption: str = ""
    wide: bool = False
    """Whether it may be wider than a small screen, and is scrolled then."""


Show = Callable[[Any], Iterable[LawTable]]
"""Entries of one kind as tables."""


def paragraph_tables(cite: Cite) -> tuple[LawTable, ...]:
    """Tables of all that the law file ties to this very paragraph."""
    here = _entries().get(cite, ())
    found: list[LawTable] = []
    for kind, show in _SHOWN.items():
        if entries := [entry for entry in here if isinstance(entry, kind)]:
            found += show(entries)
    return tuple(found)


def entry_words(cite: Cite) -> str:
    """Names of the entries of a paragraph, for the search."""
    return " ".join(entry.key.replace("_", " ").replace("-", " ") for entry in _entries().get(cite, ()))


@cache
def _entries() -> Mapping[Cite, tuple[Dated, ...]]:
    found: dict[Cite, list[Dated]] = {}
    for name in CHAPTERS:
        loaded: Chapter = chapter(name)
        for entry in loaded.entries():
            if entry not in loaded.sections and entry not in loaded.notes:
                found.setdefault(entry.cite, []).append(entry)
    return {cite: tuple(entries) for cite, entries in found.items()}


def _rows(heads: Sequence[str], row: Callable[[Any], Rows], numbers: Iterable[int] = ()) -> Show:
    """All entries in one table, each with its rows."""
    right = tuple(numbers)
    return lambda entries: [LawTable(tuple(heads), tuple(cells for entry in entries for cells in row(entry)), right)]


def _figure(entry: Figure) -> Rows:
    yield words(entry.name), f"{entry.value:,}", str(entry.period)


def _wager(entry: Wager) -> Rows:
    needs = [f"any of {', '.join(map(words, entry.needs_any))}"] if entry.needs_any else []
    needs += map(words, entry.needs_all)
    offer = "always offered" if entry.offer == "always" else "if the submission says so"
    when = "before the cards" if entry.placed == "before" else "after the cards are seen"
    yield entry.title, offer, when, "; ".join(needs) or "–", str(entry.period)


def _meter(entry: MeterSpec) -> Rows:
    letter, least = "" if entry.letter == SINGLE else f" {entry.letter}", "at least " if entry.chosen else ""
    for tier, seed in entry.seed.items():
        rate = entry.rate.get(tier)
        grows = f"{float(rate * 100):g}%" if rate is not None else "chosen in the submission"
        again = show_dollars(entry.reseed.get(tier, seed))
        name = words(entry.wager) + letter + ("" if tier == "meter" else f", {tier}")
        yield name, f"{least}{show_dollars(seed)}", f"{least}{again}", grows, str(entry.period)


def _procedure(entry: Procedure) -> Rows:
    only = [f"only with {words(entry.when)}"] if entry.when else []
    only += [f"not with {words(entry.unless)}"] if entry.unless else []
    only += [f"then {words(remedy)}" for remedy in entry.remedy]
    yield entry.stage, entry.actor, words(entry.act), "; ".join(only)


def _layout(entry: LayoutItem) -> Rows:
    when = f"with {', '.join(map(words, entry.when))}" if entry.when else "always"
    yield words(entry.item), f"per {entry.per}", when, entry.inscription


def _choice(entry: ChoiceSpec) -> Rows:
    yield words(entry.name), entry.about, entry.floor or "–"


def _pay_tables(entries: Iterable[PayTable]) -> Iterator[LawTable]:
    """The letters of one wager side by side, as the law prints them; another reading is a table of its own."""
    groups: dict[str, list[PayTable]] = {}
    for entry in entries:
        read = f", reading {entry.reading}" if entry.reading else ""
        groups.setdefault(f"Pay table: {words(entry.wager)}{read} ({entry.period})", []).append(entry)
    for caption, tables in groups.items():
        heads = ["Pays" if table.letter == SINGLE else table.letter for table in tables]
        yield _beside(caption, heads, tables, str)


def _envies(entries: Iterable[EnvyTable]) -> Iterator[LawTable]:
    groups: dict[str, list[EnvyTable]] = {}
    for entry in entries:
        groups.setdefault(f"Envy bonus: {words(entry.line)} ({entry.period})", []).append(entry)
    for caption, tables in groups.items():
        letters = ("" if table.letter == SINGLE else f"{table.letter}, " for table in tables)
        heads = [f"{letter}wager {show_dollars(table.stake)}" for letter, table in zip(letters, tables, strict=True)]
        yield _beside(caption, heads, tables, show_dollars)


def _beside(caption: str, names: Sequence[str], tables: Sequence[Any], show: Callable[[Any], str]) -> LawTable:
    """Tables with the same rows as the columns of one."""
    rows = tuple(
        (row_title(row, tables[0]), *(show(table.rows[row]) if row in table.rows else "–" for table in tables))
        for row in dict.fromkeys(row for table in tables for row in table.rows)
    )
    heads = ("Hand", *names)
    return LawTable(heads, rows, tuple(range(1, len(heads))), caption, wide=len(tables) > NARROW)


def _deals(entries: Iterable[DealOrder]) -> Iterator[LawTable]:
    for entry in entries:
        rows = tuple((str(number), deal_words(step)) for number, step in enumerate(entry.steps, 1))
        yield LawTable(("Step", "What"), rows, (0,), f"Order of the deal, {words(entry.device)} ({entry.period})")


_SHOWN: Final[Mapping[type[Dated], Show]] = {
    Figure: _rows(("Figure", "Value", "In force"), _figure, (1,)),
    Wager: _rows(("Wager", "Offered", "Placed", "Needs", "In force"), _wager),
    PayTable: _pay_tables,
    MeterSpec: _rows(("Meter", "Seed", "Starts again at", "Of each wager", "In force"), _meter, (1, 2, 3)),
    EnvyTable: _envies,
    DealOrder: _deals,
    Procedure: _rows(("Stage", "Who", "Act", "When, and then"), _procedure),
    LayoutItem: _rows(("On the layout", "How many", "When", "Inscription"), _layout),
    ChoiceSpec: _rows(("Choice of the submission", "About", "Least"), _choice),
}
"""How the entries of each kind are shown, in this order."""
