"""Findings: what a check has to say. One result of one check, with the paragraph it rests on."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Literal

Severity = Literal["error", "note"]


@dataclass(frozen=True)
class Finding:
    """One result of a check: ``code`` for programs, ``sentence`` for people, ``cite`` for both."""

    code: str
    cite: str
    expected: str
    found: str
    sentence: str
    where: str = ""
    severity: Severity = "error"

    def __str__(self) -> str:
        where = f"{self.where}: " if self.where else ""
        cite = f" [{self.cite}]" if self.cite else ""
        return f"{where}{self.sentence}{cite}"

    def as_dict(self) -> dict[str, str]:
        return asdict(self)


class UnreadableError(ValueError):
    """A file that cannot be read as what it should be; the message is a sentence for its author."""


class FindingsError(ValueError):
    """Raised by the short calls of the public interface when a check has errors to report."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        self.findings = tuple(findings)
        super().__init__("; ".join(str(finding) for finding in self.findings))


def errors(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    return tuple(finding for finding in findings if finding.severity == "error")
