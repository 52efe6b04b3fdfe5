"""Facts: values that are not printed, which a Rules Submission may set where its author has the full text at hand."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from difflib import get_close_matches
from typing import Any

from pitboss.findings import Finding, refusal
from pitboss.law.cite import Cite
from pitboss.law.model import BY_SUBMISSION, Chapter, EnvyTable, PayTable, UnprintedFact, in_force
from pitboss.money import show_dollars
from pitboss.names import shortened, shown_key
from pitboss.records import Fixed

MOST_NAMED = 20
"""Facts that can't be set are named up to here: each is compared with all that can."""
NO_ROW = "none"
"""Instead of odds: the table has no such row."""


def with_facts(chapter: Chapter, as_of: date, facts: Mapping[str, str]) -> tuple[Chapter, tuple[Finding, ...]]:
    """The chapter as a submission corrects it on a day, and what may not be set or cannot be read."""
    known, values, findings = {fact.name: fact for fact in chapter.facts(as_of)}, dict[str, Any](), []
    closed: list[str] = []
    # Of odds that nothing at hand tells, the rows are not known either: those named may be added, and others dropped.
    guesses = [table for table in in_force(chapter.paytables, as_of) if table.source.grounds == "assumed"]
    for table in guesses:
        value = str(next(iter(table.rows.values())))
        for row in {row for _, row in chapter.row_names} - {*table.rows}:
            name = f"{table.place}.{row}"
            known[name] = UnprintedFact(name, value, table.cite, table.source, chapter.payouts(table.wager))
    for name, text in facts.items():
        what = f"{shown_key(name)} of {chapter.title}"
        if name not in known:
            closed.append(name)
            continue
        try:
            values[name] = None if text == NO_ROW and known[name].must_be_set else known[name].domain.read(text)
        except ValueError:
            findings.append(_outside(known[name], what, text))
    findings += [_not_open(chapter, as_of, name, [*known]) for name in closed[:MOST_NAMED]]
    if more := closed[MOST_NAMED:]:
        sentence = f"{chapter.title} has {len(more)} more facts here that can't be set. Remove them."
        where = f"facts.{shortened(more[0])}"
        findings.append(refusal("fact-unknown", "", len(more), sentence, where, cite=chapter.cite_of()))
    corrected = _corrected(chapter, as_of, values) if values else chapter
    return corrected, (*findings, *_reversed(corrected, as_of, values))


def _outside(fact: UnprintedFact, what: str, text: str) -> Finding:
    accepted, found = str(fact.domain), shortened(text)
    sentence = f"{what} is {fact.value} here and can be set to {accepted}, not to {found!r}."
    return refusal("fact-value", accepted, found, sentence, f"facts.{fact.name}", cite=fact.cite)


def _reversed(chapter: Chapter, as_of: date, names: Iterable[str]) -> Iterator[Finding]:
    """Bounds, such as the least and the most of a wager, of which one has been set beyond the other."""
    figures = {figure.name: figure for figure in in_force(chapter.figures, as_of)}
    for least in figures.values():
        most = figures.get(least.name.replace("_least_", "_most_"), least)
        set_here = next((name for name in (least.name, most.name) if name in names), "")
        if set_here and least.value > most.value:
            sentence = f"{shown_key(least.name)} is {least.value}, above {shown_key(most.name)}, which is {most.value}."
            expected = f"at most {most.value}"
            yield refusal("fact-value", expected, least.value, sentence, f"facts.{set_here}", cite=least.cite)


def _not_open(chapter: Chapter, as_of: date, name: str, known: Sequence[str]) -> Finding:
    """A name that is printed, with what is printed there; any other with the nearest one that can be set."""
    what, where = f"{shown_key(name)} of {chapter.title}", f"facts.{name}"
    if (printed := _printed(chapter, as_of, name)) is not None:
        value, cite = printed
        sentence = f"{what} is printed as {value}: only what isn't printed can be set as a fact."
        return refusal("fact-not-open", value, name, sentence, where, cite=cite)
    cite = chapter.cite_of(*(["paytables"] if "." in name else []))
    near = get_close_matches(name, known, 1)
    hint = f"; did you mean {near[0]!r}?" if near else "."
    sentence = f"{chapter.title} has no fact called {name!r}{hint}"
    return refusal("fact-unknown", ", ".join(known) or "no facts", name, sentence, where, cite=cite)


def _printed(chapter: Chapter, as_of: date, name: str) -> tuple[str, Cite] | None:
    """The printed value of that name and its paragraph."""
    for figure in in_force(chapter.figures, as_of):
        if figure.name == name:
            return str(figure.value), figure.cite
    tables: Iterable[PayTable | EnvyTable] = (*in_force(chapter.paytables, as_of), *in_force(chapter.envies, as_of))
    for table in tables:
        row = name.removeprefix(f"{table.place}.")
        if row in table.rows and row != name and not getattr(table, "reading", ""):
            value = table.rows[row]
            return show_dollars(value) if isinstance(value, int) else str(value), table.cite
    return None


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
