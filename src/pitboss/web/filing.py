"""The papers of a Rules Submission that take a count: the petition to a state and the mathematics report."""

from pitboss.reports.export import exported
from pitboss.web.submitted import read_text
from pitboss.web.workroom import tell


def petition_file(text: str, state: str, kind: str) -> bytes:
    """What ``pitboss petition`` writes for a submission as TOML."""
    from pitboss.api import lawful_rules
    from pitboss.reports.petition import petition_of

    submission = read_text(text)
    tell("dealing examples", 0.0)
    found = petition_of(submission, lawful_rules(submission), state, tell)
    return exported(kind, found, found.paper)


def report_file(text: str, kind: str) -> bytes:
    """What ``pitboss report --second-opinion`` writes for a submission as TOML."""
    from pitboss.api import lawful_rules
    from pitboss.reports import math_report
    from pitboss.reports.method import Provenance

    submission = read_text(text)
    wanted = math_report.ReportParts(Provenance(inputs=text.encode()), play=True, second_opinion=True)
    return math_report.report_file(submission, lawful_rules(submission), kind, tell, wanted)
