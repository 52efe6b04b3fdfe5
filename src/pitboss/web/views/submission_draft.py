"""A draft of a Rules Submission: what a visitor has typed, its address, and what the law has against it."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from typing import Final
from urllib.parse import urlencode

from pitboss.findings import Finding, FindingsError, UnreadableError, errors
from pitboss.games.registry import GAMES
from pitboss.submission import Difference, Submission, check, departures, diff, read_submission, template
from pitboss.submission.choice import Plain
from pitboss.submission.registry import choice_at, head, required
from pitboss.submission.template import starting_point
from pitboss.submission.write import Values, is_key, values_of, write_submission, written_as
from pitboss.web.reading import READER
from pitboss.web.submitted import read_text
from pitboss.web.views.submission_form import always_offered, law_day
from pitboss.web.views.submission_holds import MAIN, question_of
from pitboss.web.views.submission_text import read_values

LONGEST_VALUE: Final = 400
"""Characters of one field."""
MOST_VALUES: Final = 400
"""Values of a draft, so that its form stays below the most fields that a form may have."""
LONGEST_ADDRESS: Final = 24 * 1024
"""Bytes of an address, well below what the headers of a request may have."""
TEMPLATE, TEXT = "template", "text"


@lru_cache(maxsize=64)
def _template(game: str, day: date) -> tuple[tuple[str, Plain], ...]:
    first = law_day(GAMES[game].chapter, day)
    values = {**values_of(starting_point(game, first)), "effective": day.isoformat()}
    return tuple(values.items())


def template_values(game: str, day: date) -> Values:
    """Return the law's template of a game. Before the chapter was in force it is that of the chapter's first day."""
    return dict(_template(game, day))


@dataclass(frozen=True)
class DraftCheck:
    """What the law says about a draft."""

    submission: Submission
    findings: tuple[Finding, ...]
    departures: tuple[Difference, ...]
    questions: Mapping[str, str]
    """By wager on offer: what its hold depends on, or nothing where findings stand against it."""
    text: str
    """The submission as TOML."""
    differences: tuple[Difference, ...] | None = None
    """Against the other submission, if one was given."""
    problem: str = ""
    """Why there is nothing to compare with."""

    @property
    def wrong(self) -> tuple[Finding, ...]:
        return errors(self.findings)


def judge(items: Iterable[tuple[str, Plain]], day: date, against: str, other: str) -> DraftCheck:
    """Check a draft against the law. Run by the reader's process."""
    read = read_values(dict(items), day)
    submission = read.submission
    chapter = GAMES[submission.game].chapter
    # A field that can't be read isn't missing as well.
    unread = {finding.where for finding in read.findings}
    findings = (*read.findings, *(each for each in check(submission) if each.where not in unread))
    offered = {wager.name for wager, _ in submission.offered(chapter, submission.effective)}
    remark = (
        f"Rules Submission for {chapter.title}, 58 Pa. Code Chapter {chapter.chapter}, law of {submission.effective}."
    )
    judged = DraftCheck(
        submission,
        findings,
        departures(submission),
        {wager: question_of(submission, wager, errors(findings)) for wager in (MAIN, *sorted(offered))},
        write_submission(submission, remark),
    )
    if against not in (TEMPLATE, TEXT):
        return judged
    try:
        text = template(submission.game, submission.effective) if against == TEMPLATE else ""
        compared = read_submission(text) if text else read_text(other)
    except (UnreadableError, FindingsError) as problem:
        return replace(judged, problem=str(problem))
    return replace(judged, differences=diff(compared, submission))


@lru_cache(maxsize=64)
def _judged(items: tuple[tuple[str, Plain], ...], day: date, against: str, other: str) -> DraftCheck:
    return READER.ask(judge, items, day, against, other)


@dataclass(frozen=True)
class Draft:
    """What the form holds."""

    values: Values
    today: date
    """The effective date where the typed one can't be read."""
    against: str = ""
    """What the draft is compared with: the law's template, another text, or nothing."""
    other: str = ""
    """The other text."""

    @property
    def game(self) -> str:
        return str(self.values["game"])

    @property
    def day(self) -> date:
        with suppress(ValueError):
            return date.fromisoformat(str(self.values.get("effective", "")))
        return self.today

    def judged(self) -> DraftCheck:
        """Raise ``UnreadableError`` where the reader is busy or the draft takes it too long."""
        return _judged(tuple(self.values.items()), self.today, self.against, self.other)

    @property
    def address(self) -> str:
        """The address of the draft: the game, the date, and each value that differs from the law's template."""
        base = template_values(self.game, self.day)
        changes = {key: _plain(value) for key, value in self.values.items() if base.get(key) != value}
        changes |= dict.fromkeys((key for key in base if key not in self.values and key not in required()), "")
        query = {"game": self.game, "effective": self.values.get("effective", ""), **changes}
        if self.against == TEMPLATE:
            query["against"] = TEMPLATE
        return "/submissions?" + urlencode(query, errors="replace")

    @property
    def fits(self) -> bool:
        return len(self.address) <= LONGEST_ADDRESS


def _plain(value: Plain) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else value


def _parsed(game: str, key: str, text: str) -> Plain:
    return text == "yes" if written_as(key, game) == "flag" else text[:LONGEST_VALUE]


def is_on_unless_said(key: str) -> bool:
    """Whether a key is of a flag that is set where a submission says nothing of it."""
    choice = choice_at(key)
    return choice is not None and choice.default is True


def blank(game: str, effective: str, today: date) -> Draft:
    """Return the law's template of a game on a date."""
    made = Draft({"game": game, "effective": effective[:LONGEST_VALUE]}, today)
    return replace(made, values={**template_values(game, made.day), **made.values})


def of_address(query: Mapping[str, str], today: date) -> Draft:
    """Return the draft of an address; an unknown game is the first one."""
    game = query.get("game", "")
    made = blank(game if game in GAMES else next(iter(GAMES)), query.get("effective", today.isoformat()), today)
    for key, text in [*query.items()][:MOST_VALUES]:
        if is_key(key) and key not in required():
            if text:
                made.values[key] = _parsed(made.game, key, text)
            else:
                made.values.pop(key, None)
    return replace(made, against=TEMPLATE if query.get("against") == TEMPLATE else "")


def of_form(form: Mapping[str, str], today: date) -> Draft:
    """Return the draft of a form that was sent. Another game brings its own template; the holder's name stays."""
    was = form.get("was", "")
    game = form.get("game", "") if form.get("game", "") in GAMES else was if was in GAMES else next(iter(GAMES))
    made = blank(game, form.get("effective", ""), today)
    if game != was:
        for choice in head():
            if choice.of_holder and (text := form.get(choice.name, "")):
                made.values[choice.name] = _parsed(game, choice.name, text)
        return made
    base, values = made.values, {name: made.values[name] for name in required()}
    always = always_offered(GAMES[game].chapter, made.day)
    values |= {key: value for key, value in base.items() if key in always and key not in form}
    for key, text in form.items():
        if is_key(key) and key not in required():
            value = _parsed(game, key, text)
            # A box that isn't ticked says nothing new, except that a wager isn't offered.
            if value is not False or key in base or is_on_unless_said(key):
                values[key] = value
    order = {key: at for at, key in enumerate(base)}
    values = dict(sorted(values.items(), key=lambda item: order.get(item[0], len(order))))
    return Draft(values, today, form.get("against", ""), form.get("other", "").replace("\r\n", "\n"))
