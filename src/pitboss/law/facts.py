"""Facts: values that are not printed, which a Rules Submission may set where its author has the full text at hand."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from typing import Any

from pitboss.findings import Finding
from pitboss.law.model import BY_SUBMISSION, Chapter, PayTable, UnprintedFact, in_force
from pitboss.law.odds import OddsError, parse_odds
from pitboss.money import MoneyError, cents
from pitboss.names import shown_key
from pitboss.records import Fixed

NO_ROW = "none"
"""Instead of odds: the table has no such row."""


def with_facts(chapter: Chapter, as_of: date, facts: Mapping[str, str]) -> tuple[Chapter, tuple[Finding, ...]]:
    """The chapter as a submission corrects it on a day, and what may not be set or cannot be read."""
    known, values, findings = {fact.name: fact for fact in chapter.facts(as_of)}, dict[str, Any](), []
    listed = ", ".join(known) or "no facts"
    # Of odds that nothing at hand tells, the rows are not known either: those named may be added, and others dropped.
    guesses = [table for table in in_force(chapter.paytables, as_of) if table.source.grounds == "assumed"]
    for table in guesses:
        value = str(next(iter(table.rows.values())))
        for row in {row for _, row in chapter.row_names} - {*table.rows}:
            name = f"{table.place}.{row}"
            known[name] = UnprintedFact(name, value, table.cite, table.source)
    for name, text in facts.items():
        what = f"{shown_key(name)} of {chapter.title}"
        if name not in known:
            sentence = f"{what} is printed, or not known at all: only what is not printed can be set as a fact."
            cite, expected = str(chapter.cite_of(name)), listed
            findings.append(Finding("fact-not-open", cite, expected, name, sentence, f"facts.{name}"))
            continue
        try:
            values[name] = None if text == NO_ROW and known[name].must_be_set else _read(name, text)
        except ValueError:
            expected, cite = f"such as {known[name].value}", str(known[name].cite)
            sentence = f"{what} is {known[name].value} here; {text!r} is not a value of that kind."
            findings.append(Finding("fact-value", cite, expected, text, sentence, f"facts.{name}"))
    return _corrected(chapter, as_of, values) if values else chapter, tuple(findings)


def _read(name: str, text: str) -> Any:
    """A figure and a sum are above nothing; odds are whatever odds can be."""
    head = name.partition(".")[0]
    try:
        value = parse_odds(text) if head == "paytables" else cents(text) if head == "envies" else int(text)
    except (OddsError, MoneyError) as problem:
        raise ValueError(str(problem)) from None
    if isinstance(value, int) and value < 1:
        raise ValueError(text)
    return value


def _corrected(chapter: Chapter, as_of: date, values: Mapping[str, Any]) -> Chapter:
    def rows(entry: Any, place: str) -> Any:
        own = {key.removeprefix(f"{place}."): value for key, value in values.items() if key.startswith(f"{place}.")}
        if not own:
            return entry
        kept = {row: value for row, value in {**entry.rows, **own}.items() if value is not None}
        if own.keys() - entry.rows.keys():  # where the rows are not known, the best pay stands first
            kept = dict(sorted(kept.items(), key=lambda row: -getattr(row[1], "rate", 0)))
        changed = replace(entry, rows=Fixed(kept))
        if isinstance(entry, PayTable):
            sources = {**entry.row_sources, **dict.fromkeys(own, BY_SUBMISSION)}
            still = tuple(row for row in entry.open_rows if row not in own)
            return replace(changed, row_sources=Fixed(sources), open_rows=still)
        return replace(changed, source=BY_SUBMISSION)

    figures = {f for f in in_force(chapter.figures, as_of) if f.name in values}
    tables, envies = in_force(chapter.paytables, as_of), in_force(chapter.envies, as_of)
    return replace(
        chapter,
        figures=tuple(
            replace(f, value=values[f.name], source=BY_SUBMISSION) if f in figures else f for f in chapter.figures
        ),
        paytables=tuple(rows(t, t.place) if t in tables else t for t in chapter.paytables),
        envies=tuple(rows(e, e.place) if e in envies else e for e in chapter.envies),
    )
