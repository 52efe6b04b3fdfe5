"""The hold of each choice of a submission, counted by the exact engines: functions that a worker can answer.

A question carries only what the hold depends on, as TOML, so that the answer is remembered while the rest of the form
changes; it is answered for every letter among which the submission has to choose.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from pitboss.findings import UnreadableError, errors
from pitboss.games.options import kind_of
from pitboss.games.registry import GAMES
from pitboss.games.rules import Rules
from pitboss.law.model import SINGLE, Chapter, Wager, in_force
from pitboss.reports.form import NOT_COUNTED
from pitboss.reports.offer import percent
from pitboss.submission import Submission, WagerChoice, check, read_submission, rules_of
from pitboss.submission.resolve import letters_in_force, owners
from pitboss.web.pages.submission_text import toml_of, values_of

MAIN: Final = "main"
LONG_RUN: Final = "in the long run with one seat, meter included"


@dataclass(frozen=True)
class Hold:
    """What the house keeps under one pay table."""

    share: str
    """In percent, to four places; of a bound, ``at most`` so much."""
    of: str
    """Of the unit, of the wager, or in the long run for a wager that feeds a meter."""
    others: tuple[str, ...] = ()
    """The same with more of the game's choices open to the player, or with more seats."""

    def __str__(self) -> str:
        return f"{self.share} {self.of}"


def question_of(submission: Submission, wager: str) -> str:
    """What the hold of a wager, or of the main wagers, depends on; empty where findings stand against it."""
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
    against = errors(check(lettered(asked, chapter, wager)))
    fatal = (f"wagers.{wager}.", "options.", "effective") if spec else ("options.", "effective")
    # A question leaves out the letters that do not matter to it.
    if any(finding.where.startswith(fatal) and finding.code != "paytable-missing" for finding in against):
        return ""
    return toml_of(values_of(asked))


def letters_for(chapter: Chapter, wager: str, day: date) -> tuple[str, str, tuple[str, ...]]:
    """The pay table of a wager, or of a bonus that is no wager, the key that chooses it, and its letters."""
    if wager == MAIN:
        name = main_table(chapter)
    else:
        name = next((w.paytable for w in in_force(chapter.wagers, day) if w.name == wager), wager)
    owner = owners(chapter, day).get(name)
    key = f"wagers.{owner.name}.paytable" if owner else f"paytables.{name}"
    return name, key, letters_in_force(chapter, name, day) or (SINGLE,)


def main_table(chapter: Chapter) -> str:
    """The table whose letter the main wagers depend on."""
    unit = next((wager.paytable for wager in chapter.wagers if wager.role == "unit"), "")
    return GAMES[chapter.game].paytable or unit


def lettered(submission: Submission, chapter: Chapter, wager: str, letter: str = "") -> Submission:
    """The same submission with one letter chosen; the first where none is named."""
    name, key, letters = letters_for(chapter, wager, submission.effective)
    chosen = letter or letters[0]
    if chosen == SINGLE:
        return submission
    if not key.startswith("wagers."):
        return replace(submission, paytables={**submission.paytables, name: chosen})
    owner = key.split(".")[1]
    choice = submission.wagers.get(owner, WagerChoice())
    return replace(submission, wagers={**submission.wagers, owner: replace(choice, paytable=chosen)})


def holds(question: str, wager: str) -> Mapping[str, Hold]:
    """The hold under each letter; a letter that the other choices forbid has none, nor has a part of the main game."""
    try:
        from pitboss.exact.edge import main_result  # noqa: F401
    except ImportError:
        raise UnreadableError(NOT_COUNTED) from None
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
    return Hold(hold, unit, tuple(others))


def _side(submission: Submission, rules: Rules, wager: Wager) -> Hold | None:
    """None for a wager that is counted only as a part of the main wagers."""
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
