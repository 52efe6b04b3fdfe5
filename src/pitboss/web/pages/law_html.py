"""What the law files hold for one paragraph, as tables: figures, wagers, pay tables, meters, deals."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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
    DealStep,
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
from pitboss.web.pages.shell import escape, table_html

Rows = Iterable[tuple[str, ...]]
Show = Callable[[Any], Iterable[str]]
"""Entries of one kind as tables."""
NARROW: Final = 5
"""Letters of a pay table that fit beside each other on a small screen."""


def paragraph_data(cite: Cite) -> str:
    """Tables of all that the law file ties to this very paragraph; empty where there is nothing."""
    here = _entries().get(cite, ())
    parts: list[str] = []
    for kind, show in _SHOWN.items():
        if entries := [entry for entry in here if isinstance(entry, kind)]:
            parts += show(entries)
    return f'<div class="law-data" role="group" tabindex="0">{"".join(parts)}</div>' if parts else ""


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


def words(name: str) -> str:
    """A name of the law files as words.

    >>> words("mini_royal_of_spades"), words("announce-no-more-bets")
    ('mini royal of spades', 'announce no more bets')
    """
    return name.replace("_", " ").replace("-", " ")


def _rows(heads: Sequence[str], row: Callable[[Any], Rows], numbers: Iterable[int] = ()) -> Show:
    """All entries in one table, each with its rows."""
    right = tuple(numbers)
    return lambda entries: [table_html(heads, [cells for entry in entries for cells in row(entry)], numbers=right)]


def _figure(entry: Figure) -> Rows:
    yield escape(words(entry.name)), f"{entry.value:,}", escape(entry.period)


def _wager(entry: Wager) -> Rows:
    needs = [f"any of {', '.join(map(words, entry.needs_any))}"] if entry.needs_any else []
    needs += map(words, entry.needs_all)
    offer = "always offered" if entry.offer == "always" else "if the submission says so"
    when = "before the cards" if entry.placed == "before" else "after the cards are seen"
    yield escape(entry.title), offer, when, escape("; ".join(needs)) or "–", escape(entry.period)


def _meter(entry: MeterSpec) -> Rows:
    letter, least = "" if entry.letter == SINGLE else f" {entry.letter}", "at least " if entry.chosen else ""
    for tier, seed in entry.seed.items():
        rate = entry.rate.get(tier)
        grows = f"{float(rate * 100):g}%" if rate is not None else "chosen in the submission"
        again = show_dollars(entry.reseed.get(tier, seed))
        name = escape(words(entry.wager) + letter + ("" if tier == "meter" else f", {tier}"))
        yield name, f"{least}{show_dollars(seed)}", f"{least}{again}", grows, escape(entry.period)


def _procedure(entry: Procedure) -> Rows:
    only = [f"only with {words(entry.when)}"] if entry.when else []
    only += [f"not with {words(entry.unless)}"] if entry.unless else []
    only += [f"then {words(remedy)}" for remedy in entry.remedy]
    yield escape(entry.stage), escape(entry.actor), escape(words(entry.act)), escape("; ".join(only))


def _layout(entry: LayoutItem) -> Rows:
    when = f"with {', '.join(map(words, entry.when))}" if entry.when else "always"
    yield escape(words(entry.item)), f"per {entry.per}", escape(when), escape(entry.inscription)


def _choice(entry: ChoiceSpec) -> Rows:
    yield escape(words(entry.name)), escape(entry.about), escape(entry.floor) or "–"


def _pay_tables(entries: Iterable[PayTable]) -> Iterator[str]:
    """The letters of one wager side by side, as the law prints them; another reading is a table of its own."""
    groups: dict[str, list[PayTable]] = {}
    for entry in entries:
        read = f", reading {entry.reading}" if entry.reading else ""
        groups.setdefault(f"Pay table: {words(entry.wager)}{read} ({entry.period})", []).append(entry)
    for caption, tables in groups.items():
        heads = ["Pays" if table.letter == SINGLE else table.letter for table in tables]
        shown = _beside(caption, heads, tables, str)
        if len(tables) > NARROW:  # may be wider than the page, so that it must be reached by keyboard to be scrolled
            shown = f'<div class="law-wide" role="region" tabindex="0" aria-label="{escape(caption)}">{shown}</div>'
        yield shown


def _envies(entries: Iterable[EnvyTable]) -> Iterator[str]:
    groups: dict[str, list[EnvyTable]] = {}
    for entry in entries:
        groups.setdefault(f"Envy bonus: {words(entry.line)} ({entry.period})", []).append(entry)
    for caption, tables in groups.items():
        letters = ("" if table.letter == SINGLE else f"{table.letter}, " for table in tables)
        heads = [f"{letter}wager {show_dollars(table.stake)}" for letter, table in zip(letters, tables, strict=True)]
        yield _beside(caption, heads, tables, show_dollars)


def _beside(caption: str, names: Sequence[str], tables: Sequence[Any], show: Callable[[Any], str]) -> str:
    """Tables with the same rows as the columns of one."""
    rows = [
        (
            escape(row_title(row, tables[0])),
            *(escape(show(table.rows[row])) if row in table.rows else "–" for table in tables),
        )
        for row in dict.fromkeys(row for table in tables for row in table.rows)
    ]
    heads = ["Hand", *map(escape, names)]
    return table_html(heads, rows, numbers=range(1, len(heads)), caption=escape(caption))


def _deals(entries: Iterable[DealOrder]) -> Iterator[str]:
    for entry in entries:
        rows = [(str(number), escape(deal_words(step))) for number, step in enumerate(entry.steps, 1)]
        caption = escape(f"Order of the deal, {words(entry.device)} ({entry.period})")
        yield table_html(("Step", "What"), rows, numbers=(0,), caption=caption)


def deal_words(step: DealStep) -> str:
    """One movement of the deal in words.

    >>> deal_words(DealStep("players+dealer", 1, 3))
    '1 card to each player and the dealer, face down, 3 times'
    """
    to = {"players": "each player", "players+dealer": "each player and the dealer", "dealer": "the dealer",
          "discard": "the discard rack"}.get(step.to, f"the {words(step.to)}")  # fmt: skip
    if step.stack:
        said = f"a stack of {step.stack} cards comes out whole, {step.cards} of them to {to}"
    else:
        said = f"{step.cards} card{'s' if step.cards > 1 else ''} to {to}"
    said += ", face up" if step.face_up else ", face down"
    if step.from_stack:
        said += ", from the stack"
    if step.times > 1:
        said += f", {step.times} times"
    wagers = " or ".join(map(words, step.when))
    if step.spare:
        said += f"; the last to the {words(step.spare)} of those who wagered on {wagers}, else to the discard rack"
    elif step.when:
        said += f" (for each player who wagered on {wagers})" if step.each else f" (if somebody wagered on {wagers})"
    said += f"; only with {words(step.choice)}" if step.choice else ""
    return said + (f"; not with {' or '.join(map(words, step.unless))}" if step.unless else "")


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
