"""The operator's choices: read from TOML, checked against the law, resolved into the rules of a table."""

from pitboss.games.options import Selection
from pitboss.submission.check import check
from pitboss.submission.departures import departures
from pitboss.submission.diff import Difference, diff
from pitboss.submission.model import Shuffler, Submission, WagerChoice
from pitboss.submission.read import read_submission
from pitboss.submission.resolve import choices_of, rules_of
from pitboss.submission.template import starting_point, template
from pitboss.submission.write import write_submission

__all__ = [
    "Difference",
    "Selection",
    "Shuffler",
    "Submission",
    "WagerChoice",
    "check",
    "choices_of",
    "departures",
    "diff",
    "read_submission",
    "rules_of",
    "starting_point",
    "template",
    "write_submission",
]
