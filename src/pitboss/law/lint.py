"""Checks of the rulebook itself: citations, dates, odd pay tables and, beside the law texts, every figure."""

from collections.abc import Iterator
from itertools import combinations, pairwise
from pathlib import Path

from pitboss.findings import Finding
from pitboss.hands.labels import TITLES
from pitboss.law.cite import Cite
from pitboss.law.index import paragraphs, places, proofs
from pitboss.law.loader import CHAPTERS, LawError, chapter
from pitboss.law.model import Chapter, PayTable, Period
from pitboss.law.odds import FixedSum, ForOne, MeterShare, Odds, ToOne
from pitboss.law.texts import check_against_text, find_text


def lint(texts: Path | None = None) -> tuple[Finding, ...]:
    """Everything there is to say about the rulebook; ``texts`` is a folder with the texts of the chapters."""
    findings: list[Finding] = []
    for name in CHAPTERS:
        try:
            loaded = chapter(name)
        except LawError as problem:
            findings.append(Finding("law-file", f"{name}.1", "a file that loads", str(problem), str(problem)))
            continue
        findings += _cites(loaded)
        findings += _row_names(loaded)
        findings += _tables(loaded)
        if texts is not None:
            findings += _texts(loaded, texts)
    findings += _index()
    return tuple(findings)


def _cites(loaded: Chapter) -> Iterator[Finding]:
    known = paragraphs()
    cited = [(entry.key, entry.cite) for entry in loaded.entries()]
    cited += [(note.key, cite) for note in loaded.notes for cite in note.also if cite.chapter in CHAPTERS]
    for key, cite in cited:
        if cite not in known:
            yield Finding(
                "cite-unresolved",
                str(cite),
                "a paragraph of the index",
                str(cite),
                f"{loaded.chapter}.toml, {key}: there is no paragraph {cite}.",
                key,
            )


def _index() -> Iterator[Finding]:
    """Citations in code and tests must resolve as well."""
    known = paragraphs()
    for source, cites in (("code", places()), ("tests", proofs())):
        for cite in cites:
            if cite not in known:
                yield Finding(
                    "cite-unresolved",
                    str(cite),
                    "a paragraph of the index",
                    source,
                    f"The {source} cite {cite}, which is no paragraph: {', '.join(cites[cite])}.",
                )


def _row_names(loaded: Chapter) -> Iterator[Finding]:
    rows = [(table.key, table.cite, row) for table in loaded.paytables for row in table.rows]
    rows += [(envy.key, envy.cite, row) for envy in loaded.envies for row in envy.rows]
    for key, cite, row in rows:
        if row not in TITLES:
            yield Finding(
                "unknown-row",
                str(cite),
                "the name of a hand",
                row,
                f"{loaded.chapter}.toml, {key}: {row!r} is not the name of any hand.",
                key,
            )


def _tables(loaded: Chapter) -> Iterator[Finding]:
    printed = [table for table in loaded.paytables if not table.reading]
    for one, other in combinations(printed, 2):
        if one.wager == other.wager and one.rows == other.rows and _meet(one.period, other.period):
            yield Finding(
                "identical-tables",
                str(one.cite),
                "tables that differ",
                f"{one.letter} and {other.letter}",
                f"Pay tables {one.letter} and {other.letter} of {one.wager} are printed identically.",
                one.key,
                "note",
            )
    for table in printed:
        yield from _falling(table)


def _meet(one: Period, other: Period) -> bool:
    return one.covers(other.start) or other.covers(one.start)


def _falling(table: PayTable) -> Iterator[Finding]:
    for (higher, upper), (lower, under) in pairwise(table.rows.items()):
        worth_upper, worth_under = _worth(upper), _worth(under)
        if worth_upper is not None and worth_under is not None and worth_upper < worth_under:
            yield Finding(
                "not-monotonic",
                str(table.cite),
                f"{TITLES[higher]} pays at least as much as {TITLES[lower]}",
                f"{upper} and {under}",
                f"In pay table {table.letter} of {table.wager}, {TITLES[higher].lower()} pays {upper} but the row for "
                f"{TITLES[lower].lower()} pays {under}.",
                table.key,
                "note",
            )


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
        yield Finding(
            "text-missing",
            str(Cite(loaded.chapter, 1)),
            f"a file {loaded.chapter}*.txt",
            str(folder),
            f"The folder {folder} holds no text of chapter {loaded.chapter}.",
        )
    else:
        yield from check_against_text(loaded, text)
