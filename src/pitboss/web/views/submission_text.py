"""A Rules Submission as typed into the fields of a form."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from pitboss.findings import Finding, UnreadableError
from pitboss.submission import Submission, read_submission
from pitboss.submission.choice import Plain
from pitboss.submission.registry import required
from pitboss.submission.write import Values, toml_of


@dataclass(frozen=True)
class TypedSubmission:
    """A submission as typed. A field that can't be parsed is left out and has a finding."""

    submission: Submission
    findings: tuple[Finding, ...] = ()


def read_values(values: Mapping[str, Plain], day: date) -> TypedSubmission:
    """Parse form values; ``day`` is the effective date if the typed one can't be parsed."""
    typed = {key: value for key, value in values.items() if value != ""}
    head: Values = {"game": typed["game"], "effective": typed.get("effective", "")}
    findings = []
    if problem := _unreadable(head):
        sentence = f"The effective date should be a date such as 2024-06-01; the form stays with {day}."
        findings.append(Finding("unreadable", "", "a date", str(head["effective"]), sentence, "effective"))
        head["effective"] = typed["effective"] = day.isoformat()
    if _unreadable(typed):
        good = dict(head)
        for key, value in typed.items():
            if key in required():
                continue
            if problem := _unreadable({**head, key: value}) or _unreadable({**good, key: value}):
                sentence = f"{_without(problem, key)}. It is left out until it can be read."
                findings.append(Finding("unreadable", "", "", str(value), sentence, key))
            else:
                good[key] = value
        typed = good
    return TypedSubmission(read_submission(toml_of(typed)), tuple(findings))


def _unreadable(values: Mapping[str, Plain]) -> str:
    try:
        read_submission(toml_of(values))
    except UnreadableError as problem:
        return str(problem)
    return ""


def _without(problem: str, key: str) -> str:
    said = problem.removeprefix(key).lstrip(": ").rstrip(".")
    return f"This {said}" if said.startswith("should") else f"{said[:1].upper()}{said[1:]}"
