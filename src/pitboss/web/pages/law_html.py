"""What the law files hold for one paragraph, as tables: figures, wagers, pay tables, meters, deals."""

from collections.abc import Callable, Iterable, Iterator, Mapping
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

Rows = list[tuple[str, ...]]
NARROW: Final = 5
"""Letters of a pay table that fit beside each other on a small screen."""


def paragraph_data(cite: Cite) -> str:
    """Tables of all that the law file ties to this very paragraph; empty where there is nothing."""
    here = _entries().get(cite, ())
    parts = [part for show in _SHOWN for part in show(here)]
    return f'<div class="law-data">{"".join(parts)}</div>' if parts else ""


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


def _figures(entries: Iterable[Dated]) -> Iterator[str]:
    rows: Rows = [
        (escape(words(entry.name)), f"{entry.value:,}", escape(entry.period))
        for entry in entries
        if isinstance(entry, Figure)
    ]
    if rows:
        yield table_html(("Figure", "Value", "In force"), rows, numbers=(1,))


def _wagers(entries: Iterable[Dated]) -> Iterator[str]:
    rows: Rows = []
    for entry in entries:
        if isinstance(entry, Wager):
            needs = [*(f"any of {', '.join(map(words, entry.needs_any))}" for _ in entry.needs_any[:1])]
            needs += [words(name) for name in entry.needs_all]
            offer = "always offered" if entry.offer == "always" else "if the submission says so"
            when = "before the cards" if entry.placed == "before" else "after the cards are seen"
            rows.append((escape(entry.title), offer, when, escape("; ".join(needs)) or "–", escape(entry.period)))
    if rows:
        yield table_html(("Wager", "Offered", "Placed", "Needs", "In force"), rows)


def _pay_tables(entries: Iterable[Dated]) -> Iterator[str]:
    """The letters of one wager side by side, as the law prints them; another reading is a table of its own."""
    groups: dict[tuple[str, str, str], list[PayTable]] = {}
    for entry in entries:
        if isinstance(entry, PayTable):
            groups.setdefault((entry.wager, entry.reading, str(entry.period)), []).append(entry)
    for (wager, reading, period), tables in groups.items():
        named = {name: None for table in tables for name in table.rows}
        rows = [
            (
                escape(row_title(name, tables[0])),
                *(escape(table.rows[name]) if name in table.rows else "–" for table in tables),
            )
            for name in named
        ]
        heads = ["Hand", *("Pays" if table.letter == SINGLE else escape(table.letter) for table in tables)]
        read = f", reading {reading}" if reading else ""
        caption = escape(f"Pay table: {words(wager)}{read} ({period})")
        shown = table_html(heads, rows, numbers=range(1, len(heads)), caption=caption)
        if len(tables) > NARROW:  # may be wider than the page, so that it must be reached by keyboard to be scrolled
            shown = f'<div class="law-wide" role="region" tabindex="0" aria-label="{caption}">{shown}</div>'
        yield shown


def _meters(entries: Iterable[Dated]) -> Iterator[str]:
    rows: Rows = []
    for entry in entries:
        if isinstance(entry, MeterSpec):
            for tier, seed in entry.seed.items():
                rate = entry.rate.get(tier)
                grows = f"{float(rate * 100):g}%" if rate is not None else "chosen in the submission"
                again = show_dollars(entry.reseed.get(tier, seed))
                letter = "" if entry.letter == SINGLE else f" {entry.letter}"
                name = escape(words(entry.wager) + letter + ("" if tier == "meter" else f", {tier}"))
                least = "at least " if entry.chosen else ""
                rows.append((name, f"{least}{show_dollars(seed)}", f"{least}{again}", grows, escape(entry.period)))
    if rows:
        heads = ("Meter", "Seed", "Starts again at", "Of each wager", "In force")
        yield table_html(heads, rows, numbers=(1, 2, 3))


def _envies(entries: Iterable[Dated]) -> Iterator[str]:
    groups: dict[tuple[str, str], list[EnvyTable]] = {}
    for entry in entries:
        if isinstance(entry, EnvyTable):
            groups.setdefault((entry.line, str(entry.period)), []).append(entry)
    for (line, period), tables in groups.items():
        named = {name: None for table in tables for name in table.rows}
        rows = [
            (
                escape(row_title(name, tables[0])),
                *(show_dollars(table.rows[name]) if name in table.rows else "–" for table in tables),
            )
            for name in named
        ]
        heads = ["Hand", *(escape(_envy_head(table)) for table in tables)]
        caption = escape(f"Envy bonus: {words(line)} ({period})")
        yield table_html(heads, rows, numbers=range(1, len(heads)), caption=caption)


def _envy_head(table: EnvyTable) -> str:
    letter = "" if table.letter == SINGLE else f"{table.letter}, "
    return f"{letter}wager {show_dollars(table.stake)}"


def _deals(entries: Iterable[Dated]) -> Iterator[str]:
    for entry in entries:
        if isinstance(entry, DealOrder):
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


def _procedures(entries: Iterable[Dated]) -> Iterator[str]:
    rows: Rows = []
    for entry in entries:
        if isinstance(entry, Procedure):
            only = [f"only with {words(entry.when)}" for _ in [0] if entry.when]
            only += [f"not with {words(entry.unless)}" for _ in [0] if entry.unless]
            only += [f"then {words(remedy)}" for remedy in entry.remedy]
            rows.append((escape(entry.stage), escape(entry.actor), escape(words(entry.act)), escape("; ".join(only))))
    if rows:
        yield table_html(("Stage", "Who", "Act", "When, and then"), rows)


def _layout(entries: Iterable[Dated]) -> Iterator[str]:
    rows: Rows = []
    for entry in entries:
        if isinstance(entry, LayoutItem):
            when = f"with {', '.join(map(words, entry.when))}" if entry.when else "always"
            rows.append((escape(words(entry.item)), f"per {entry.per}", escape(when), escape(entry.inscription)))
    if rows:
        yield table_html(("On the layout", "How many", "When", "Inscription"), rows)


def _choices(entries: Iterable[Dated]) -> Iterator[str]:
    rows: Rows = [
        (escape(words(entry.name)), escape(entry.about), escape(entry.floor) or "–")
        for entry in entries
        if isinstance(entry, ChoiceSpec)
    ]
    if rows:
        yield table_html(("ChoiceSpec of the submission", "About", "Least"), rows)


_SHOWN: Final[tuple[Callable[[Iterable[Any]], Iterator[str]], ...]] = (
    _figures, _wagers, _pay_tables, _meters, _envies, _deals, _procedures, _layout, _choices,
)  # fmt: skip
