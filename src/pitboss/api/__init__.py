"""Rules, rounds and submissions for programs: what ``import pitboss`` and the command line are thin layers over."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

from pitboss import submission
from pitboss.findings import Finding, FindingsError, UnknownName, UnreadableError, errors, refusal
from pitboss.games.contract import Game
from pitboss.games.registry import GAMES, game_named
from pitboss.games.round import Round
from pitboss.games.roundfile import RoundFile, read_round_file, read_round_text
from pitboss.games.rules import Choices, Rules, resolve
from pitboss.games.settle import Displayed, balance_findings, verify
from pitboss.games.settle import settle as settle_round
from pitboss.games.settlement import Settlement
from pitboss.law.model import in_force
from pitboss.money import Cents
from pitboss.names import all_shown, shown
from pitboss.public import ill_made, public
from pitboss.submission import Submission, check, read_submission, rules_of
from pitboss.typed import typed_day


@public
def settle(
    rules: Rules, played: Round, displayed: Displayed | None = None, reserves: Mapping[str, Cents] | None = None
) -> Settlement:
    """Settle every wager of a round in the order of the law; a round with findings settles nothing.

    ``displayed`` has what the meters show before the round, by meter and jackpot, and ``reserves`` what lies behind
    them, in cents; without them meters stand at their seeds.
    """
    for sentence in ill_made(played):
        raise UnreadableError(sentence)
    return settle_round(rules, played, displayed, reserves)


def game_names() -> tuple[str, ...]:
    """The games of the house."""
    return tuple(GAMES)


def rules_for(game: str, as_of: date, choices: Choices | None = None) -> Rules:
    """The rules of a table on a day and with these choices.

    >>> rules_for(game_names()[0], date(1999, 1, 1))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    pitboss.findings.FindingsError: ... cannot be played ...
    """
    found, findings = resolve(game_named(game).chapter, as_of, choices)
    if found is None or findings:
        raise FindingsError(findings)
    return found


@public
def rules(
    game: str,
    as_of: date | str,
    *,
    offered: Iterable[str] | None = None,
    seats: int | None = None,
    device: str | None = None,
    readings: Mapping[str, str] | None = None,
    amounts: Mapping[str, Cents] | None = None,
    facts: Mapping[str, str | int] | None = None,
    **chosen: Any,
) -> Rules:
    """The rules of a table on a day: every wager offered and pay tables A, unless something else is chosen.

    Other keywords are the letters of pay tables (``trips="C"``) and the options of the chapter by their names; facts
    set what is not printed, as a submission does. What the law has against a choice is raised as ``FindingsError``.

    >>> import pitboss
    >>> pitboss.rules(pitboss.game_names()[0], "2024-06-01")  # doctest: +ELLIPSIS
    <Rules: ... as of 2024-06-01>
    """
    played, day = game_named(game), typed_day(as_of)
    lettered = {table.wager for table in played.chapter.paytables}
    letters = {name: value for name, value in chosen.items() if name in lettered and isinstance(value, str)}
    options = {name: value for name, value in chosen.items() if name not in letters}
    for name in options:
        if name in lettered:
            raise UnreadableError(
                f"The pay table of {shown(name)} is chosen by its letter, such as 'A': {options[name]!r}."
            )
        if name not in played.chapter.options(day):
            known = all_shown((*sorted(lettered), *played.chapter.options(day)))
            raise UnknownName(f"{played.chapter.title} leaves no choice called {name!r}; there are {known}.")
    kinds = played.chapter.devices(day)
    if device is not None and device not in kinds:
        raise UnknownName(f"{device!r} is not a device of {played.chapter.title}: {', '.join(kinds)}.")
    for name in (*(offered or ()), *(amounts or ())):
        if name not in {wager.name for wager in played.chapter.wagers}:
            wagers = all_shown(wager.name for wager in played.chapter.wagers)
            raise UnknownName(f"{played.chapter.title} has no wager {name!r}: {wagers}.")
    if seats is not None and (most := _most_seats(played, day)) and not (isinstance(seats, int) and 1 <= seats <= most):
        raise UnreadableError(f"A table of {played.chapter.title} has 1 to {most} seats, not {seats!r}.")
    choices = Choices(
        letters=letters,
        offered=None if offered is None else frozenset(offered),
        seats=seats,
        readings=readings or {},
        amounts=amounts or {},
        facts={name: str(value) for name, value in (facts or {}).items()},
        options=options,
        device=device or Choices().device,
    )
    return rules_for(game, day, choices)


def _most_seats(game: Game, day: date) -> int:
    return next((each.value for each in in_force(game.chapter.figures, day) if each.name == "seats"), 0)


@public
def template(game: str, as_of: date | str) -> str:
    """A Rules Submission to start from, as TOML with comments: it checks clean on the day."""
    return submission.template(game, typed_day(as_of))


@public
def load_submission(path: str | Path, game: str = "") -> Submission:
    """A Rules Submission from its TOML file, or from the text; ``check_submission`` says whether it is lawful."""
    text = isinstance(path, str) and "\n" in path
    found = read_submission(path if text else Path(path))
    if game_named(game or found.game).name != found.game:
        which = "" if text else f" {path}"
        raise UnreadableError(f"The submission{which} is for {found.game}, not for {game}.")
    return found


def lawful_rules(filed: Submission, as_of: date | None = None) -> Rules:
    """The rules of a submission's table, on its first day if none is given, if the law has nothing against it."""
    found, findings = rules_of(filed, as_of)
    wrong = dict.fromkeys((*errors(check(filed)), *findings))
    if found is None or wrong:
        raise FindingsError(wrong)
    return found


@public
def check_submission(submission: Submission) -> tuple[Finding, ...]:
    """What the law has against a submission, and what it has to note; nothing where it is in order."""
    return check(submission)


@public
def settle_file(path: str | Path, as_of: date | str) -> Settlement:
    """Settle the round written in a TOML file; ``as_of`` applies where the file names no date of its own."""
    location = Path(path)
    return settle_written(read_round_file(location), as_of, location.parent)


def read_own_round(text: str) -> RoundFile:
    """Read a round that names no other file: its author may be a stranger."""
    file = read_round_text(text)
    if file.submission is not None:
        raise UnreadableError("submission: a round that is not a file cannot name one; give pay tables and options.")
    return file


def settle_written(file: RoundFile, as_of: date | str, folder: Path = Path()) -> Settlement:
    """Settle a round as read. Paths in it start from ``folder``."""
    day = file.as_of or typed_day(as_of)
    rules, findings = rules_of_file(file, folder, day)
    if rules is None:
        return Settlement(findings=(*findings, *file.findings))
    if findings or file.findings:
        balances = balance_findings(rules, file.displayed, file.reserves)
        return Settlement(findings=(*findings, *file.findings, *verify(rules, file.played), *balances))
    return replace(settle_round(rules, file.played, file.displayed, file.reserves), meter_names=file.meter_names)


def rules_of_file(file: RoundFile, folder: Path, day: date) -> tuple[Rules | None, tuple[Finding, ...]]:
    if file.submission is None:
        return resolve(GAMES[file.game].chapter, day, file.choices)
    submission = read_submission(folder / file.submission)
    if submission.game != file.game:
        raise UnreadableError(f"The submission {file.submission} is for {submission.game}, the round for {file.game}.")
    if file.choices != Choices():
        raise UnreadableError("A round with a submission takes its pay tables and options from the submission.")
    findings = errors(check(submission))
    if day < submission.effective:
        sentence = f"The submission is effective from {submission.effective}, after the round on {day}."
        cite, expected = f"{GAMES[file.game].chapter.chapter}.7", f"a date from {submission.effective} on"
        findings = (*findings, refusal("submission-not-effective", expected, day, sentence, cite=cite))
    rules, more = rules_of(submission, day)
    return rules, (*findings, *(finding for finding in more if finding not in findings))
