"""The papers of a Rules Submission that take a count: the petition to a state and the mathematics report."""

from pitboss.games.course import Draw
from pitboss.games.registry import GAMES
from pitboss.reports.export import exported
from pitboss.submission import Submission
from pitboss.web.submitted import read_text
from pitboss.web.workroom import tell


def petition_file(text: str, state: str, kind: str) -> bytes:
    """What ``pitboss petition`` writes for a submission as TOML."""
    from pitboss.api import lawful_rules
    from pitboss.reports.petition import petition_of

    submission = read_text(text)
    tell("dealing examples", 0.0)
    found = petition_of(submission, lawful_rules(submission), state, tell, play=_has_room(submission))
    return exported(kind, found, found.paper)


def report_file(text: str, kind: str) -> bytes:
    """What ``pitboss report --second-opinion`` writes for a submission as TOML; a hold'em game without best play.

    A second opinion that takes minutes is left to the command line: of best play there, and of cards that are drawn.
    """
    from pitboss.api import lawful_rules
    from pitboss.reports import math_report
    from pitboss.reports.method import Provenance

    submission = read_text(text)
    play = _has_room(submission)
    soon = play and not GAMES[submission.game].course.has(Draw)
    wanted = math_report.ReportParts(Provenance(inputs=text.encode()), play=play, second_opinion=soon)
    return math_report.report_file(submission, lawful_rules(submission), kind, tell, wanted)


def _has_room(submission: Submission) -> bool:
    """Whether a server can count best play, and count it again: of a game with a board that takes about 3 GB."""
    from pitboss.exact.board_counts import board_of

    return board_of(GAMES[submission.game]) is None
