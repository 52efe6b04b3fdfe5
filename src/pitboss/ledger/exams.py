"""The house's secret behind exams: sealed like a deck, and the questions that it draws for each sitting.

The operating system makes the secret once. It lies in the table of sealed decks, so backups carry it and a
verification holds it against its published commitment; no route and no page reads it, except to ask the next question
of a sitting. An auditor with the ledger computes every question of an exam again, and the review does so.
"""

import hmac
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from pitboss.findings import Finding, UnreadableError, refusal
from pitboss.ledger.kinds.school import SchoolAnswered, SchoolExamBegun, SchoolSealed
from pitboss.ledger.rows import Recorded
from pitboss.ledger.stored import Beside
from pitboss.ledger.transactions import Reading, Writing
from pitboss.school.exams import question_seed
from pitboss.table.events import Event
from pitboss.table.source import SALT_BYTES, Randomness, commitment_of

HOUSE, DECK = "", "exams"
"""Where the secret lies among the sealed decks."""
SECRET_BYTES: Final = 32


def sealing(writing: Writing, randomness: Randomness) -> tuple[Event, ...]:
    """Seal the secret of the house if there is none, and return the event that says so."""
    if writing.sealed(HOUSE, DECK) is not None or writing.events(stream=HOUSE, kinds=(SchoolSealed,), limit=1):
        return ()
    content, salt = randomness.token(SECRET_BYTES).hex(), randomness.token(SALT_BYTES)
    commitment = commitment_of(content, salt)
    writing.seal(HOUSE, DECK, commitment, content, salt.hex())
    return (Event(SchoolSealed(deck=DECK, commitment=commitment)),)


def sitting_key(reading: Reading, number: int, person: str) -> bytes:
    """What draws the questions of one sitting. Raise ``UnreadableError`` if the secret is gone or was changed."""
    row = reading.sealed(HOUSE, DECK)
    sealed = reading.events(stream=HOUSE, kinds=(SchoolSealed,), limit=1)
    if row is None or not sealed or not _is_whole(row.cards, row.salt, sealed[0].of(SchoolSealed).commitment):
        raise UnreadableError(
            "The secret that draws exams is missing or was changed. Verify the ledger, and restore it from a backup."
        )
    return _key(row.cards, number, person)


def _is_whole(content: str, salt: str, commitment: str) -> bool:
    try:
        return commitment_of(content, bytes.fromhex(salt)) == commitment
    except ValueError:
        return False


def _key(secret: str, number: int, person: str) -> bytes:
    return hmac.digest(secret.encode(), f"sitting {number} of {person}".encode(), "sha256")


@dataclass
class ExamReview:
    """Checks exams while a ledger is reviewed: attempts within their limit, and questions as the secret draws them."""

    begun: dict[str, int] = field(default_factory=dict)
    """The last attempt by the number of the exam and the person. One of version 0.1 has none, but was the first."""

    def follow(self, event: Recorded, reading: Reading, beside: Beside) -> Iterator[Finding]:
        """Compare one event of the house with what the exam allowed and what the secret draws."""
        match event.fact:
            case SchoolExamBegun(set=int() as exam, attempt=int() as attempt, attempts=int() as most):
                name = f"{exam} {event.actor}"
                following = self.begun.get(name, attempt - 1) + 1
                self.begun[name] = attempt
                if not 1 <= following == attempt <= most:
                    sentence = f"{event.actor} began exam {exam} again, and it is recorded as attempt {attempt}"
                    expected = f"attempt {following} of at most {most}"
                    yield refusal("exam-attempts", expected, f"attempt {attempt}", sentence)
            case SchoolAnswered(exam=exam) as answered if exam:
                begun, row = reading.event(exam), beside.sealed.get((HOUSE, DECK))
                if begun is None or not isinstance(begun.fact, SchoolExamBegun) or begun.actor != event.actor:
                    sentence = f"the answer belongs to exam {exam}, which {event.actor} did not begin"
                    yield refusal("exam-sitting", "an exam of this person", exam, sentence)
                elif begun.fact.set and row is not None:  # a secret that is gone is a finding of the sealed decks
                    drawn = question_seed(_key(row[1], begun.seq, begun.actor), answered.number)
                    if drawn != answered.seed:
                        number = answered.number
                        sentence = f"question {number} of exam {begun.seq} is not the one that the secret draws"
                        yield refusal("exam-drawn", "the question drawn", "another", sentence)
