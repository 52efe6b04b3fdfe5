"""From a submission to the choices that the games understand, and to the rules of its table."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from pitboss.findings import Finding
from pitboss.games.options import Law, Selection, given, kind_of, leaves_of
from pitboss.games.registry import game_named
from pitboss.games.rules import Choices, Limits, Rules, resolve
from pitboss.law.cite import Cite
from pitboss.law.model import SINGLE, Chapter, MeterSpec, Wager
from pitboss.records import Fixed
from pitboss.submission.choice import LawCase
from pitboss.submission.letters import key_by_itself, key_under, letters_in_force, owners
from pitboss.submission.model import Submission, WagerChoice
from pitboss.submission.registry import choice_at, table_entries, table_of

PRINTED = "printed"
"""The reading of the printed text, for those who want to say so."""


@dataclass(frozen=True)
class Case(LawCase):
    """A submission beside the law of one day."""

    submission: Submission
    findings: tuple[Finding, ...] = ()
    """What the law of the day has against the pay tables, meters and options."""

    @property
    def offered(self) -> tuple[tuple[Wager, WagerChoice], ...]:
        return tuple(self.submission.offered(self.chapter, self.day))

    def on_offer(self, name: str) -> WagerChoice | None:
        return next((choice for wager, choice in self.offered if wager.name == name), None)


def chapter_of(submission: Submission) -> Chapter:
    return game_named(submission.game).chapter


def letters_of(submission: Submission, as_of: date) -> dict[str, tuple[str, str]]:
    """Each pay table that was chosen: its letter and the key where it stands."""
    letters: dict[str, tuple[str, str]] = {}
    for wager, choice in submission.offered(chapter_of(submission), as_of):
        if choice.paytable is not None:
            taken = letters.get(wager.paytable)
            # Where two wagers share a table, the odd letter is the one worth a finding.
            if taken is None or taken[0] in ("A", SINGLE):
                letters[wager.paytable] = choice.paytable, key_under(wager)
    for name, letter in submission.paytables.items():
        letters.setdefault(name, (letter, key_by_itself(name)))
    return letters


def with_letter(submission: Submission, table: str, letter: str) -> Submission:
    """The submission with the letter of a pay table chosen, where the law of its day asks for it."""
    wager = owners(chapter_of(submission), submission.effective).get(table)
    if wager is None:
        return replace(submission, paytables={**submission.paytables, table: letter})
    choice = replace(submission.wagers.get(wager.name, WagerChoice()), paytable=letter)
    return replace(submission, wagers={**submission.wagers, wager.name: choice})


def choices_of(submission: Submission, as_of: date | None = None) -> Choices:
    """The choices of a submission; what makes no sense at all (no such device, no seats) is left at its default."""
    day = as_of or submission.effective
    chapter = chapter_of(submission)
    offered = tuple(submission.offered(chapter, day))
    law = LawCase(chapter, day, None)
    silent = {name: Selection() for name, choice in chapter.options(day).items() if choice.kind == "selection"}
    choices = Choices(
        letters={name: letter for name, (letter, _) in letters_of(submission, day).items()},
        offered=frozenset(wager.name for wager, _ in offered),
        limits={wager.name: limits for wager, choice in offered if (limits := _limits(wager, choice)) is not None},
        amounts={w.name: choice.amount for w, choice in offered if w.meter and choice.amount and choice.amount > 0},
        readings={name: reading for name, reading in submission.readings.items() if reading != PRINTED},
        options={**silent, **submission.options},
        facts=submission.facts,
        **_resolved(law, submission),
    )
    rules, _ = resolve(chapter, day, choices)
    return choices if rules is None else replace(choices, meters=_chosen_meters(rules.meters, offered))


def _resolved(law: LawCase, submission: Submission) -> dict[str, Any]:
    """What choices about the table set by themselves."""
    entries = (each for each in table_entries(submission) if each.choice.rules_field)
    return {each.choice.rules_field: each.choice.resolved(law, each.value) for each in entries}


def _limits(wager: Wager, choice: WagerChoice) -> Limits | None:
    if wager.meter:
        return Limits(choice.amount, choice.amount) if choice.amount else None
    if choice.minimum is None or choice.maximum is None:
        return None
    return Limits(choice.minimum, choice.maximum)


def _chosen_meters(
    specs: Mapping[str, MeterSpec], offered: tuple[tuple[Wager, WagerChoice], ...]
) -> dict[str, MeterSpec]:
    """Meters that start and grow as the submission says, where the law of the day left that to it."""
    meters = {}
    for wager, choice in offered:
        spec = specs.get(wager.meter)
        if spec is not None and spec.chosen and choice.seed is not None and choice.rate is not None:
            seed = Fixed(dict.fromkeys(spec.seed, choice.seed))
            rate = Fixed(dict.fromkeys(spec.seed, choice.rate))
            meters[wager.meter] = replace(spec, seed=seed, reseed=seed, rate=rate)
    return meters


def rules_of(submission: Submission, as_of: date | None = None) -> tuple[Rules | None, tuple[Finding, ...]]:
    """The rules of the table on a day, by default the first, and what the law of that day has against the pay tables.

    Everything else that can be wrong with a submission is said by ``check``.
    """
    day = as_of or submission.effective
    choices = choices_of(submission, day)
    rules, findings = resolve(chapter_of(submission), day, choices)
    return rules, tuple(placed(findings, submission, day))


def placed(findings: Iterable[Finding], submission: Submission, day: date) -> Iterator[Finding]:
    """Findings on the choices of a table, each with the key of the submission that made the choice."""
    letters = letters_of(submission, day)
    for finding in findings:
        head, _, name = finding.where.partition(".")
        if head == "paytables":
            where = letters[name][1] if name in letters else finding.where
        else:
            own = choice_at(finding.where) is not None or table_of(finding.where) is not None
            where = finding.where if own else f"options.{finding.where}" if head else "effective"
        yield replace(finding, where=where)


def chosen_under(case: Case, rules: Rules) -> Iterator[tuple[Cite, str]]:
    """The paragraphs under which something was chosen, each with the key that chose."""
    submission = case.submission
    for name, (_, where) in letters_of(submission, case.day).items():
        if name in rules.tables and letters_in_force(case.chapter, name, case.day):
            yield rules.tables[name].cite, where
    for wager, _ in case.offered:
        spec = case.meter(wager)
        if spec is not None:
            yield spec.cite, f"wagers.{wager.name}"
    for key, _ in leaves_of(case.chapter, submission.options):
        name, _, part = key.partition(".")
        choice = case.chapter.options(case.day).get(name)
        if choice is not None and given(submission.options[name]):
            cite = kind_of(choice).cite(choice, part, Law(case.chapter, case.day))
            yield cite, f"options.{key if cite != choice.cite else name}"
    for entry in table_entries(submission):
        if entry.choice.noted is not None and entry.choice.noted(entry.value):
            yield case.chapter.cite_of(entry.choice.noted_under or entry.choice.name), entry.where
