"""Checks of the rulebook itself: citations, dates, odd pay tables and, beside the law texts, every figure."""

from collections.abc import Iterator
from itertools import combinations, pairwise, product
from pathlib import Path

from pitboss.findings import Finding, refusal
from pitboss.law.cite import Cite
from pitboss.law.comparison import check_against_text
from pitboss.law.index import paragraphs, places, proofs, unprinted
from pitboss.law.loader import CHAPTERS, LawError, chapter
from pitboss.law.model import (
    STREETS_ACT,
    Chapter,
    ChoiceSpec,
    Dated,
    DealOrder,
    EnvyTable,
    Figure,
    LayoutItem,
    MeterSpec,
    PayTable,
    Period,
    Procedure,
    Section,
    Wager,
    source_of,
)
from pitboss.law.odds import FixedSum, ForOne, MeterShare, Odds, ToOne
from pitboss.law.phrases import ROWS
from pitboss.law.texts import find_annex, find_text
from pitboss.names import shown


def lint(texts: Path | None = None) -> tuple[Finding, ...]:
    """Everything there is to say about the rulebook; ``texts`` is a folder with the texts of the chapters."""
    findings: list[Finding] = []
    for name in CHAPTERS:
        try:
            loaded = chapter(name)
        except LawError as problem:
            findings.append(refusal("law-file", "a file that loads", problem, str(problem), cite=f"{name}.1"))
            continue
        findings += lint_chapter(loaded, texts)
    findings += _index()
    return tuple(findings)


def lint_chapter(loaded: Chapter, texts: Path | None = None) -> tuple[Finding, ...]:
    """What there is to say about one law file by itself and, where the folder is given, beside the text."""
    beside = () if texts is None else _texts(loaded, texts)
    return (
        *_cites(loaded), *_row_names(loaded), *_tables(loaded), *_deals(loaded), *_siblings(loaded), *beside
    )  # fmt: skip


def _cites(loaded: Chapter) -> Iterator[Finding]:
    known = paragraphs()
    cited = [(entry.key, entry.cite) for entry in loaded.entries() if not source_of(entry)]
    bounds = [*((w.key, w.choice_cite) for w in loaded.wagers), *((t.key, t.choice_cite) for t in loaded.paytables)]
    cited += [(key, cite) for key, cite in bounds if cite is not None]
    also = {cite: note.key for note in loaded.notes for cite in note.also if cite.chapter in CHAPTERS}
    cited += [(f"earlier {entry.cite}", entry.cite) for entry in loaded.earlier if entry.cite not in unprinted()]
    cited += [(key, cite) for cite, key in also.items() if cite not in unprinted()]
    cited += [(entry.key, cite) for entry in loaded.unprinted() if (cite := _sibling_cite(entry)) is not None]
    for key, cite in cited:
        if cite not in known:
            sentence = f"{loaded.chapter}.toml, {key}: there is no paragraph {cite}."
            yield refusal("cite-unresolved", "a paragraph of the index", cite, sentence, key, cite=cite)


def _index() -> Iterator[Finding]:
    """Citations in code and tests must resolve as well."""
    known = paragraphs()
    for source, cites in (("code", places()), ("tests", proofs())):
        for cite in cites:
            if cite not in known:
                sentence = f"The {source} cite {cite}, which is not a paragraph: {', '.join(cites[cite])}."
                yield refusal("cite-unresolved", "a paragraph of the index", source, sentence, cite=cite)


def _row_names(loaded: Chapter) -> Iterator[Finding]:
    tables: tuple[PayTable | EnvyTable, ...] = (*loaded.paytables, *loaded.envies)
    for table in tables:
        for row in table.rows:
            if loaded.row_name(row, table) is None and row not in ROWS:
                sentence = f"{loaded.chapter}.toml, {table.key}: {shown(row)!r} is not the name of any row."
                yield refusal("unknown-row", "a row that the chapter names", row, sentence, table.key, cite=table.cite)


def _tables(loaded: Chapter) -> Iterator[Finding]:
    printed = [table for table in loaded.paytables if not table.reading]
    for one, other in combinations(printed, 2):
        if one.wager == other.wager and one.rows == other.rows and _meet(one.period, other.period):
            sentence = f"Pay tables {one.letter} and {other.letter} of {shown(one.wager)} are printed identically."
            found = f"{one.letter} and {other.letter}"
            expected = "tables that differ"
            yield refusal("identical-tables", expected, found, sentence, one.key, cite=one.cite, severity="note")
    wagers = {wager.name for wager in loaded.wagers}
    for table in printed:
        if wagers.isdisjoint(table.rows):  # otherwise its rows are wagers, and none stands above another
            yield from _falling(loaded, table)


def _deals(loaded: Chapter) -> Iterator[Finding]:
    """Every device deals as many cards and dice as the figures say, and no more cards than a stack has."""
    dice = sum(figure.value for figure in loaded.figures if figure.name in ("dice", "balls"))
    for deal in loaded.deals:
        if (shaken := sum(step.dice for step in deal.steps)) != dice:
            yield _misdeal(deal, f"{dice} dice", str(shaken))
        wanted = {
            f.name.removesuffix("_cards"): f
            for f in loaded.figures
            if f.name in ("player_cards", "dealer_cards", "community_cards")
        }
        options = {name for step in deal.steps for name in (step.choice, *step.unless)} | {""}
        for (whose, figure), option in product(wanted.items(), sorted(options)):
            taken = (step for step in deal.steps if step.choice in ("", option) and option not in step.unless)
            dealt = sum(step.cards * step.times for step in taken if whose in step.to)
            if dealt != figure.value:
                yield _misdeal(deal, f"{figure.value} cards for each {whose}", str(dealt))
        left = 0
        for step in deal.steps:
            left = (left if step.from_stack else step.stack) - step.cards * step.times
            if (step.stack or step.from_stack) and left < 0 and step.to != "discard":  # that takes what is left
                yield _misdeal(deal, "no more cards than the stack has", f"{-left} too many for {step.to}")
        streets = [step.street for step in deal.steps]
        if streets != sorted(streets):
            yield _misdeal(deal, "streets after all other cards", "a street before other cards")
        acts = [each for each in loaded.procedures if each.act == STREETS_ACT and each.when == deal.device]
        if any(streets) != bool(acts):
            yield _misdeal(deal, f"streets where {STREETS_ACT} is prescribed", "one without the other")


def _sibling_cite(entry: Dated) -> Cite | None:
    """The paragraph of another chapter that an entry was taken from, where that chapter is carried here."""
    source = source_of(entry)
    if source.grounds != "sibling":
        return None
    cite = Cite.parse(source.note.partition(",")[0])
    return cite if cite.chapter in CHAPTERS else None


def _siblings(loaded: Chapter) -> Iterator[Finding]:
    """What was taken from a sibling chapter stands there so."""
    for entry in loaded.unprinted():
        cite = _sibling_cite(entry)
        there = [] if cite is None else [e for e in chapter(cite.chapter).entries() if e.cite == cite]
        if cite is not None and not any(_agrees(entry, other) for other in there):
            expected = "; ".join(other.key for other in there) or "no entry"
            sentence = f"{loaded.chapter}.toml, {entry.key}: not so in {cite}, which has {expected}."
            yield refusal("sibling-differs", expected, entry.key, sentence, entry.key, cite=entry.cite)


def _agrees(entry: Dated, other: Dated) -> bool:
    match entry, other:
        case (Figure(), Figure()):
            return (entry.name, entry.value) == (other.name, other.value)
        case (PayTable(), PayTable()):
            return dict(entry.rows) == dict(other.rows)
        case (EnvyTable(), EnvyTable()):
            return (entry.stake, dict(entry.rows)) == (other.stake, dict(other.rows))
        case (MeterSpec(), MeterSpec()):
            return (entry.seed, entry.reseed, entry.rate) == (other.seed, other.reseed, other.rate)
        case (Procedure(), Procedure()):
            return all(getattr(entry, name) == getattr(other, name) for name in ("stage", "actor", "act", "remedy"))
        case (LayoutItem(), LayoutItem()):
            return (entry.item, entry.per) == (other.item, other.per)
        case (ChoiceSpec(), ChoiceSpec()):
            return entry.name == other.name
        case (DealOrder(), Procedure()):
            return other.act == STREETS_ACT and any(step.street for step in entry.steps)
    return isinstance(entry, (Wager, DealOrder, Section)) and isinstance(other, type(entry))


def _misdeal(deal: DealOrder, expected: str, found: str) -> Finding:
    sentence = f"{deal.key} deals {found}; expected: {expected}."
    return refusal("misdeal", expected, found, sentence, deal.key, cite=deal.cite)


def _meet(one: Period, other: Period) -> bool:
    return one.covers(other.start) or other.covers(one.start)


def _falling(loaded: Chapter, table: PayTable) -> Iterator[Finding]:
    for (higher, upper), (lower, under) in pairwise(table.rows.items()):
        worth_upper, worth_under = _worth(upper), _worth(under)
        if worth_upper is not None and worth_under is not None and worth_upper < worth_under:
            high, low = (loaded.row_name(row, table) or shown(row) for row in (higher, lower))
            sentence = (
                f"In pay table {table.letter} of {shown(table.wager)}, {high.lower()} pays {upper} but the "
                f"row for {low.lower()} pays {under}."
            )
            expected, found = f"{high} pays at least as much as {low}", f"{upper} and {under}"
            yield refusal("not-monotonic", expected, found, sentence, table.key, cite=table.cite, severity="note")


def _worth(odds: Odds) -> tuple[int, float] | None:
    """A rough order of ways of paying: plain odds, then sums, then shares of a meter."""
    match odds:
        case ToOne(rate) | ForOne(rate):
            return 0, float(rate)
        case FixedSum(amount):
            return 1, amount
        case MeterShare(share, tier):
            return 2, float(share) + ("minor", "major", "meter", "mega").index(tier)
    return None


def _texts(loaded: Chapter, folder: Path) -> Iterator[Finding]:
    text = find_text(folder, loaded.chapter)
    if text is None:
        sentence = f"The folder {folder} holds no text of chapter {loaded.chapter}."
        expected = f"a file {loaded.chapter}*.txt"
        yield refusal("text-missing", expected, folder, sentence, cite=Cite(loaded.chapter, 1))
    else:
        known = [cite for cite in paragraphs() if cite.chapter == loaded.chapter]
        yield from check_against_text(loaded, text, find_annex(folder), known)
