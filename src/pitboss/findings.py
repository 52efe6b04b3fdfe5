"""Findings: what a check has to say. One result of one check, with the paragraph it rests on.

And the exceptions of pitboss, each under what a caller may take it for::

    PitbossError
    |-- FindingsError                   what a check has against something; nothing was done
    |   `-- LogInRefusedError
    |-- UnreadableError                 a text, a file or a question that cannot be taken as it is
    |   |-- FieldsError                 every misfit at once, as findings
    |   |-- UnknownName
    |   |-- CardError, CiteError, MoneyError, OddsError
    |   |-- NothingToAskError
    |   |-- ExpensiveError, BusyReaderError
    |   `-- BusyLaneError, CountStoppedError
    |-- RefusedError                    an answer of the server other than success
    |   `-- BusyReaderError
    |-- AskFirstError                   a page asks the person before it goes on
    |-- LedgerError                     the ledger refuses, or cannot do, what was asked
    |   |-- UnreachableError
    |   |   `-- UnknownOutcomeError     stored or not stored: ask again under the same key
    |   |-- BusyError, DiskFullError, DamagedError, AnchorError
    |   |-- OverdrawnError, TakenError, KeyReusedError
    |   |-- NoTableError, NoRoundError, NotYoursError
    |   |-- NotFoundedError
    |   `-- FrontError                  the server cannot be reached as configured
    |       `-- AddressTakenError
    |-- NoAnswerError                   PostgreSQL is silent; the ledger makes an UnreachableError of it
    |-- MissingExtra                    an optional part that is not installed
    |-- NoMeterError, NotCountedError, RankingError, TooManyStatesError
    |                                   what exact counts and strategies do not cover
    |-- DeckError, VoidRoundError       more cards are wanted than there are
    |-- DeckLostError, FaceDownError    a card that cannot be known
    |-- StoppedError                    the trainee ends a lesson
    |-- WorkersLostError                processes of a simulation die
    |-- MeterError                      a rate too fine for the units of the books
    |-- TogetherError                   fields of a record that do not go together; the reader makes findings of it
    |-- LawError, ParagraphError        a defect of the law's own data
    `-- DisagreementError, SettlementError, ShiftError
                                        a defect of the program
"""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, NoReturn

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


def refusal(
    code: str,
    expected: object,
    found: object,
    sentence: str,
    where: str = "",
    *,
    cite: object = "",
    seat: int | None = None,
    severity: Severity = "error",
) -> Finding:
    """Build a finding from what differs between refusals, as values: a paragraph, a number, a date, the seat it is at.

    >>> str(refusal("seat-number", "1 to 6", 7, "There is no seat 7.", seat=7))
    'seat 7: There is no seat 7.'
    """
    place = where if seat is None else f"seat {seat}"
    return Finding(code, str(cite), str(expected), str(found), sentence, place, severity)


class PitbossError(Exception):
    """Whatever pitboss refuses or cannot do. The message is a sentence for the person who asked."""


class UnreadableError(PitbossError, ValueError):
    """A file or an argument that cannot be read as what it should be; the message is a sentence for its author."""

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What is wrong, for programs: of most only the sentence."""
        return (Finding("unreadable", "", "", "", str(self)),)


class FieldsError(UnreadableError):
    """Everything in a document or command that cannot be read; the message has the sentence of each finding."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        self._findings = tuple(findings)
        super().__init__(" ".join(finding.sentence for finding in self._findings))

    @property
    def findings(self) -> tuple[Finding, ...]:
        return self._findings

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._findings,)


class UnknownName(UnreadableError, LookupError):  # noqa: N818 - a public name
    """A name that nothing here has: a game, a wager, a row, a strategy; the sentence lists those there are."""


class FindingsError(PitbossError, ValueError):
    """What a check has against something that was to be done; nothing was done."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        self.findings = tuple(findings)
        super().__init__("; ".join(str(finding) for finding in self.findings))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.findings,)


def refuse(code: str, expected: object, found: object, sentence: str, where: str = "") -> NoReturn:
    """Raise the one finding against something that rests on no paragraph."""
    raise FindingsError([refusal(code, expected, found, sentence, where)])


def errors(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    return tuple(finding for finding in findings if finding.severity == "error")


def shortlist(findings: Sequence[Finding], most: int = 100) -> tuple[Finding, ...]:
    """Return the first findings, and one that counts the rest: nobody reads a thousand, and each costs an answer.

    >>> [finding.sentence for finding in shortlist([Finding("a", "", "", "", "No.")] * 3, most=2)]
    ['No.', 'There are 2 more findings. Correct the others first, then check again.']
    """
    if len(findings) <= most:
        return tuple(findings)
    left = findings[most - 1 :]
    sentence = f"There are {len(left)} more findings. Correct the others first, then check again."
    kind: Severity = "error" if errors(left) else "note"
    return (*findings[: most - 1], Finding("more-findings", "", "fewer", str(len(left)), sentence, severity=kind))
