"""The public interface: what ``import pitboss`` offers, and what the command line is a thin layer over."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from random import Random
from typing import Any

from pitboss.cards import ShuffleSource
from pitboss.findings import Finding, FindingsError, UnreadableError, errors
from pitboss.games.deal import Dealing
from pitboss.games.registry import GAMES, game_named
from pitboss.games.round import Round
from pitboss.games.roundfile import RoundFile, read_round_file
from pitboss.games.rules import Choices, Rules, resolve
from pitboss.games.settle import balance_findings, settle, verify
from pitboss.games.settlement import Settlement
from pitboss.games.walk import chance, plain_wagers, play_plainly, start
from pitboss.law.model import Device
from pitboss.money import Cents
from pitboss.submission import Submission, check, read_submission, rules_of


def game_names() -> tuple[str, ...]:
    """The games of the house."""
    return tuple(GAMES)


def rules_for(game: str, as_of: date, choices: Choices | None = None) -> Rules:
    """The rules of a table on a day, every wager offered and pay tables A unless chosen otherwise.

    >>> rules_for(game_names()[0], date(1999, 1, 1))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    pitboss.findings.FindingsError: ... cannot be played ...
    """
    rules, findings = resolve(game_named(game).chapter, as_of, choices)
    if rules is None or findings:
        raise FindingsError(findings)
    return rules


def load_submission(path: str | Path, game: str = "") -> Submission:
    """A Rules Submission from its TOML file; ``check_submission`` says what the law has against it."""
    submission = read_submission(Path(path))
    if game_named(game or submission.game).name != submission.game:
        raise UnreadableError(f"The submission {path} is for {submission.game}, not for {game}.")
    return submission


def lawful_rules(submission: Submission, as_of: date | None = None) -> Rules:
    """The rules of a submission's table, on its first day if none is given, if the law has nothing against it."""
    rules, findings = rules_of(submission, as_of)
    wrong = dict.fromkeys((*errors(check(submission)), *findings))
    if rules is None or wrong:
        raise FindingsError(wrong)
    return rules


def check_submission(submission: Submission) -> tuple[Finding, ...]:
    return check(submission)


def settle_file(path: str | Path, as_of: date) -> Settlement:
    """Settle the round written in a TOML file; ``as_of`` applies where the file names no date of its own."""
    location = Path(path)
    file = read_round_file(location)
    day = file.as_of or as_of
    rules, findings = _rules_of_file(file, location.parent, day)
    if rules is None:
        return Settlement(findings=(*findings, *file.findings))
    if findings or file.findings:
        balances = balance_findings(rules, file.displayed, file.reserves)
        return Settlement(findings=(*findings, *file.findings, *verify(rules, file.played), *balances))
    return replace(settle(rules, file.played, file.displayed, file.reserves), meter_names=file.meter_names)


def _rules_of_file(file: RoundFile, folder: Path, day: date) -> tuple[Rules | None, tuple[Finding, ...]]:
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
        findings = (*findings, Finding("submission-not-effective", cite, expected, str(day), sentence))
    rules, more = rules_of(submission, day)
    return rules, (*findings, *(finding for finding in more if finding not in findings))


def edge(
    game: str, as_of: date, wager: str | None = None, paytable: str | None = None, stake: Cents = 500
) -> list[dict[str, Any]]:
    """The exact figures of a game's wagers, every letter and reading, as ``pitboss edge --json`` prints them.

    Needs the extra ``exact``. ``stake`` matters only to tables that pay fixed sums.
    """
    from pitboss.exact.edge import edge_rows

    rules_for(game, as_of)
    return list(edge_rows(game_named(game), as_of, wager, paytable, stake))


@dataclass(frozen=True)
class Demonstration:
    """A round that was dealt, played plainly and settled, with everything needed to show it."""

    rules: Rules
    played: Round
    dealing: Dealing
    settlement: Settlement


def deal_and_settle(
    rules: Rules,
    seats: int,
    rng: ShuffleSource | None = None,
    wagers: Mapping[str, Cents] | None = None,
    device: Device | None = None,
) -> Demonstration:
    """Deal a round in the order of the law, let every seat play plainly, and settle it.

    >>> shown = deal_and_settle(rules_for(game_names()[0], date(2024, 6, 1)), seats=2, rng=Random(7))
    >>> [seat.number for seat in shown.played.seats]
    [1, 2]
    """
    made = dict(wagers) if wagers is not None else plain_wagers(rules)
    table = dict.fromkeys(range(1, seats + 1), made)
    state = play_plainly(rules, start(rules, table, chance(rules, rng or Random()), device))
    return Demonstration(rules, state.played, state.dealing or Dealing([]), state.settle())
