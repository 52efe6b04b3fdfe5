"""A Rules Submission as typed into the fields of a form."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from pitboss.findings import Finding, UnreadableError, refusal
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
    if _problem(head):
        sentence = f"The effective date should be a date such as 2024-06-01; the form stays with {day}."
        findings.append(Finding("unreadable", "", "a date", str(head["effective"]), sentence, "effective"))
        head["effective"] = typed["effective"] = day.isoformat()
    while typed != head and (problem := _problem(typed)):
        wrong = {each.where: each.sentence for each in problem.findings if each.where in typed.keys() - {*required()}}
        if not wrong:  # no single field is named: a text or number that is too long to be parsed
            others = {key: value for key, value in typed.items() if key not in required()}
            alone = {key: _problem({**head, key: value}) for key, value in others.items()}
            wrong = {key: str(each) for key, each in alone.items() if each is not None}
        for key, said in wrong.items():
            sentence = f"{_without(said, key)}. It is left out until it can be read."
            findings.append(refusal("unreadable", "", typed[key], sentence, key))
        typed = {key: value for key, value in typed.items() if key not in wrong} if wrong else head
    return TypedSubmission(read_submission(toml_of(typed)), tuple(findings))


def _problem(values: Mapping[str, Plain]) -> UnreadableError | None:
    try:
        read_submission(toml_of(values))
    except UnreadableError as problem:
        return problem
    return None


def _without(problem: str, key: str) -> str:
    said = problem.removeprefix(key).lstrip(": ").rstrip(".")
    return f"This {said}" if said.startswith("should") else f"{said[:1].upper()}{said[1:]}"
