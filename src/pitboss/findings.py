"""Findings: what a check has to say. One result of one check, with the paragraph it rests on."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any, Literal

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
        """As plain values, for JSON."""
        return asdict(self)


class PitbossError(Exception):
    """Whatever pitboss refuses or cannot do. The message is a sentence for the person who asked."""


class UnreadableError(PitbossError, ValueError):
    """A file or an argument that cannot be read as what it should be; the message is a sentence for its author."""


class UnknownName(UnreadableError, LookupError):  # noqa: N818 - a public name
    """A name that nothing here has: a game, a wager, a row, a strategy; the sentence lists those there are."""


class FindingsError(PitbossError, ValueError):
    """What a check has against something that was to be done; nothing was done."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        self.findings = tuple(findings)
        super().__init__("; ".join(str(finding) for finding in self.findings))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.findings,)


def errors(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    return tuple(finding for finding in findings if finding.severity == "error")
