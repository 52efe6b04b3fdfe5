"""Departures: what a submission sets otherwise than the law's own data, and so takes a second person to open."""

from collections.abc import Iterator
from datetime import date

from pitboss.games.options import Law, given, kind_of
from pitboss.law.facts import NO_ROW
from pitboss.law.model import UNKNOWN, in_force
from pitboss.submission.diff import Difference
from pitboss.submission.model import Submission
from pitboss.submission.registry import entries_for, table_entries
from pitboss.submission.resolve import PRINTED, Case, chapter_of, rules_of


def departures(submission: Submission, as_of: date | None = None) -> tuple[Difference, ...]:
    """Every fact, reading and pay that is not the law's own, the law's value first, on a day, by default the first."""
    day = as_of or submission.effective
    case = Case(chapter_of(submission), day, rules_of(submission, day)[0], submission)
    return (*_facts(case), *_readings(case), *_options(case), *_choices(case))


def _difference(key: str, law: str, here: str, cite: str) -> Difference:
    return Difference(key, law, here, cite, f"{law} by the law's own data, {here} in this submission.")


def _facts(case: Case) -> Iterator[Difference]:
    known = {fact.name: fact for fact in case.chapter.facts(case.day)}
    for name, text in case.submission.facts.items():
        fact = known.get(name)
        if fact is None:  # a row added to a pay table of which nothing is printed, or a name that a finding refuses
            yield _difference(f"facts.{name}", "no such row", text, case.cite("paytables"))
            continue
        try:
            here = text if text == NO_ROW else fact.domain.read(text)
            law = UNKNOWN if fact.value == UNKNOWN else fact.domain.read(fact.value)
        except ValueError:
            continue  # the finding on it says what is accepted
        if here != law:
            yield _difference(f"facts.{name}", fact.value, text, str(fact.cite))


def _readings(case: Case) -> Iterator[Difference]:
    tables = {table.wager: table.cite for table in in_force(case.chapter.paytables, case.day)}
    for name, reading in case.submission.readings.items():
        if reading not in ("", PRINTED):
            cite = str(tables.get(name, case.chapter.cite_of("paytables")))
            yield _difference(f"options.readings.{name}", PRINTED, reading, cite)


def _options(case: Case) -> Iterator[Difference]:
    """Pays above the law's floor, and bonuses whose chance the law leaves to the submission."""
    law = Law(case.chapter, case.day)
    for name, value in case.submission.options.items():
        choice = case.chapter.options(case.day).get(name)
        if choice is None or not given(value):
            continue
        kind = kind_of(choice)
        if choice.kind == "selection" and value.offered:
            yield _difference(f"options.{name}", "not offered", kind.said(choice, value), str(choice.cite))
        elif choice.rows:
            for table, rate in value.items():
                least = law.figure(choice.rows[table]) if table in choice.rows else None
                if least is not None and rate > least.value:
                    key = f"options.{name}.{table}"
                    yield _difference(key, f"{least.value} to 1", f"{rate} to 1", str(least.cite))


def _choices(case: Case) -> Iterator[Difference]:
    """Choices whose declaration says when they depart: seeds above the least that the law of the day asks for."""
    of_wagers = (entry for wager, record in case.offered for entry in entries_for(wager, record))
    for entry in (*table_entries(case.submission), *of_wagers):
        if entry.choice.departs is not None and (departure := entry.choice.departs(case, entry)) is not None:
            yield _difference(entry.where, *departure)
