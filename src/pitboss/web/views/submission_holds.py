"""The hold of each wager of a submission, counted by the exact engines in a worker process.

A question is TOML with only what the hold depends on, so that the answer stays cached while the rest of the form
changes. It is answered for every letter that the submission can choose.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date
from time import monotonic
from typing import Any, Final

from anyio import from_thread

from pitboss.exact.filed_holds import hold_findings
from pitboss.findings import Finding, PitbossError, UnreadableError, errors
from pitboss.games.options import kind_of
from pitboss.games.registry import GAMES
from pitboss.games.rules import Rules
from pitboss.law.model import SINGLE, Chapter, Wager, in_force
from pitboss.paper.say import percent
from pitboss.submission import Submission, check, read_submission, rules_of, write_submission
from pitboss.submission.letters import key_of_letter, letters_in_force, owners
from pitboss.submission.resolve import with_letter
from pitboss.web.workroom import QUICK

FRESH_S: Final = 20.0
"""Seconds after which a count that no page asks for any more is skipped."""
MOST_WANTED: Final = 200
MAIN: Final = "main"
LONG_RUN: Final = "in the long run with one seat, meter included"


@dataclass(frozen=True)
class Hold:
    """What the house keeps under one pay table."""

    share: str
    """In percent, to four places."""
    of: str
    """Of the unit, of the wager, or in the long run for a wager that feeds a meter."""
    others: tuple[str, ...] = ()
    """The hold under other readings, or with more seats."""

    def __str__(self) -> str:
        return f"{self.share} {self.of}"


def question_of(submission: Submission, wager: str, wrong: Iterable[Finding] | None = None) -> str:
    """Return what the hold of a wager, or of the main wagers, depends on; empty if findings rule it out.

    ``wrong`` is what a check of the submission has found, if it has been checked.
    """
    chapter = GAMES[submission.game].chapter
    spec = next((w for w in in_force(chapter.wagers, submission.effective) if w.name == wager), None)
    if wager != MAIN and (spec is None or not submission.offers(spec)):
        return ""
    wagers = {}
    if spec is not None and (choice := submission.wagers.get(wager)) is not None:
        wagers[wager] = replace(choice, paytable=None, linked=False)
    asked = Submission(
        submission.game,
        submission.effective,
        seats=submission.seats if spec and spec.meter else None,
        wagers=wagers,
        options={
            name: part
            for name, value in submission.options.items()
            if (option := chapter.options(submission.effective).get(name)) is not None
            and (part := kind_of(option).concerning(option, value, spec.paytable if spec else None)) is not None
        },
        readings={name: text for name, text in submission.readings.items() if spec is None or name == spec.paytable},
        facts=submission.facts,
    )
    whole = {finding.code for finding in (errors(check(submission)) if wrong is None else wrong)}
    against = errors(check(lettered(asked, chapter, wager)))
    if any(each.where.startswith("options.") and each.code not in whole for each in against):
        asked = replace(asked, options=submission.options)  # without them the wager could not be offered
        against = errors(check(lettered(asked, chapter, wager)))
    fatal = (f"wagers.{wager}.", "options.", "effective") if spec else ("options.", "effective")
    if any(finding.where.startswith(fatal) and finding.code != "paytable-missing" for finding in against):
        return ""
    return write_submission(asked)


def letters_for(chapter: Chapter, wager: str, day: date) -> tuple[str, str, tuple[str, ...]]:
    """Return the pay table of a wager or bonus, the key that chooses it, and its letters."""
    if wager == MAIN:
        name = main_table(chapter)
    else:
        name = next((w.paytable for w in in_force(chapter.wagers, day) if w.name == wager), wager)
    return name, key_of_letter(owners(chapter, day), name), letters_in_force(chapter, name, day) or (SINGLE,)


def main_table(chapter: Chapter) -> str:
    """Return the table on whose letter the main wagers depend."""
    unit = next((wager.paytable for wager in chapter.wagers if wager.role == "unit"), "")
    return GAMES[chapter.game].paytable or unit


def lettered(submission: Submission, chapter: Chapter, wager: str, letter: str = "") -> Submission:
    """Return the submission with a letter chosen, by default the first."""
    name, _, letters = letters_for(chapter, wager, submission.effective)
    chosen = letter or letters[0]
    return submission if chosen == SINGLE else with_letter(submission, name, chosen)


def holds(question: str, wager: str) -> Mapping[str, Hold]:
    """Return the hold by letter, without letters that the other choices forbid, and empty for a part of the game."""
    try:
        from pitboss.exact.edge import main_result  # noqa: F401
    except ImportError:
        raise UnreadableError("Holds were not computed: that needs the extra 'exact'.") from None
    submission = read_submission(question)
    chapter = GAMES[submission.game].chapter
    found: dict[str, Hold] = {}
    for letter in letters_for(chapter, wager, submission.effective)[2]:
        asked = lettered(submission, chapter, wager, letter)
        rules, findings = rules_of(asked)
        if rules is not None and not findings:
            hold = _main(rules) if wager == MAIN else _side(asked, rules, rules.wagers[wager])
            found |= {letter: hold} if hold is not None else {}
    return found


def _main(rules: Rules) -> Hold | None:
    from pitboss.exact.edge import main_result
    from pitboss.exact.limit import limit_findings

    game, unit = GAMES[rules.game], f"of the {rules.chapter.unit_title}"
    if not game.main_posts:
        return None
    # What else the printed text may mean is a choice of the submission, and part of the rules already.
    hold = percent(-main_result(game, rules, game.readings[0]).expected_value)
    others = (
        f"{percent(-main_result(game, rules, reading).expected_value)} with {reading} (only a part of the game: "
        f"{game.scope(reading).restriction})"
        for reading in game.readings
        if game.scope(reading).restriction and game.reads_alike(rules, reading)
    )
    notes = (finding.sentence for finding in limit_findings(game, rules))
    return Hold(hold, unit, (*others, *notes))


def _side(submission: Submission, rules: Rules, wager: Wager) -> Hold | None:
    """Return ``None`` for a wager that counts only as part of the main wagers."""
    from pitboss.exact.progressive import progressive_report
    from pitboss.exact.side import kind_of as kind_of_line
    from pitboss.exact.side import side_lines, side_result
    from pitboss.reports.holds import full_table, stake_of

    game, stake = GAMES[rules.game], stake_of(rules, wager)
    lines = [
        kind for kind in dict.fromkeys(kind_of_line(game, line) for line in side_lines(game)) if kind in rules.wagers
    ]
    alike = (line for line in lines if rules.wagers[line].paytable == wager.paytable)
    line = wager.name if wager.name in lines else next(alike, "")
    if not line or wager.role == "unit":
        return None
    spec = rules.meters.get(wager.meter)
    if spec is None or not spec.rate:
        return Hold(percent(side_result(game, rules, line, stake).house_edge), "of the wager")
    seats, chances = (0, rules.seats - 1), submission.chances
    report = progressive_report(game, rules, line, other_seats=seats, stake=stake, chances=chances)
    return Hold(percent(report.long_run_hold), LONG_RUN, full_table(rules, report))


def out_of_range(text: str) -> tuple[Finding, ...]:
    """Return findings on the holds of wagers that a submission pays otherwise than the law's own data."""
    submission = read_submission(text)
    return () if errors(check(submission)) else hold_findings(submission)


Question = tuple[Any, ...]
"""A function of a module with its arguments."""


def answered(work: Callable[..., Any], *args: Any) -> tuple[Any, str]:
    """In the worker: return the answer, or why there is none, so that either is cached."""
    try:
        return work(*args), ""
    except ValueError as problem:
        return None, str(problem)


class WantedCounts:
    """WantedCounts that pages wait for. The latest wish comes first, so that a draft that has changed is overtaken."""

    def __init__(self) -> None:
        self._wanted: OrderedDict[Question, float] = OrderedDict()
        self._task: asyncio.Task[None] | None = None

    def known(self, *question: Any) -> tuple[Any, str] | None:
        return QUICK.known(answered, *question)

    def want(self, questions: Sequence[Question]) -> None:
        """Have questions answered soon. Called from a thread of a request."""
        if questions:
            from_thread.run_sync(self._want, questions)

    def _want(self, questions: Sequence[Question]) -> None:
        now = monotonic()
        for question in questions:
            self._wanted[question] = now
        while len(self._wanted) > MOST_WANTED:
            self._wanted.popitem(last=False)
        loop = asyncio.get_running_loop()
        if self._task is None or self._task.done() or self._task.get_loop() is not loop:
            self._task = loop.create_task(self._count())

    async def _count(self) -> None:
        while self._wanted:
            question = max(self._wanted, key=self._wanted.__getitem__)
            if monotonic() - self._wanted.pop(question) < FRESH_S and self.known(*question) is None:
                with suppress(PitbossError):  # the worker is busy or has died; the page asks again
                    await QUICK.ask(answered, *question)


COUNTS: Final = WantedCounts()
