"""The dealer school in the ledger: what was answered, exams set and begun. Events of the house, each with its cites.

What was answered is recorded with its grade and everything that makes the question again: kind, game, day and seed.
The chain covers it like every other event. It is not graded anew when the ledger is verified: the question is that of
the program and the law data of its day.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any

from pitboss.findings import FindingsError, UnreadableError
from pitboss.ledger.people import Person
from pitboss.ledger.rows import Recorded
from pitboss.ledger.store import HOUSE_STREAM, Store
from pitboss.school.exams import Exam, ExamResult, result_of
from pitboss.school.exercise import Graded
from pitboss.school.progress import Attempt, attempt_of
from pitboss.table.desk import MICROSECONDS
from pitboss.table.events import Event
from pitboss.table.permissions import may, why_not

ANSWERED, SET, BEGUN = "school.answered", "school.exam-set", "school.exam-begun"
GRACE_S = 5
"""After the end of an exam an answer that was on its way still counts."""
LONGEST_TITLE = 80


@dataclass(frozen=True)
class SetExam:
    """An exam that an instructor has set for the class."""

    number: int
    """The event with which it was set."""
    title: str
    by: str
    exam: Exam


@dataclass(frozen=True)
class Sitting:
    """One person's exam: begun at a moment, over when everything is answered or the time is."""

    number: int
    """The event with which it began."""
    person: str
    title: str
    at: int
    result: ExamResult

    @property
    def ends(self) -> int:
        return self.at + self.result.exam.minutes * 60 * MICROSECONDS

    def is_over(self, now: int) -> bool:
        return self.result.is_complete or now > self.ends

    @property
    def following(self) -> int:
        """The number of the next question."""
        numbers = range(1, self.result.exam.questions + 1)
        return next((number for number in numbers if number not in self.result.attempts), 0)


def _exam_of(data: dict[str, Any] | Any) -> Exam:
    return Exam(data["game"], date.fromisoformat(data["as_of"]), data["seed"], data["questions"], data["minutes"])


def _exam_data(exam: Exam) -> dict[str, Any]:
    return {**asdict(exam), "as_of": str(exam.as_of)}


def _attempt_of(event: Recorded) -> Attempt:
    data = event.data
    marks = tuple((cite, bool(right)) for cite, right in data["marks"])
    return Attempt(
        data["game"], data["kind"], data["seed"], date.fromisoformat(data["as_of"]), data["right"], data["items"],
        marks, data["seconds"], data["exam"], data["number"],
    )  # fmt: skip


def _record(store: Store, person: Person, event: Event, now: int) -> Recorded:
    with store.writing() as writing:
        return writing.append(
            [event], stream=HOUSE_STREAM, round=0, actor=person.id, role=str(person.role), at=now
        )[0]  # fmt: skip


def answered(
    store: Store, person: Person, graded: Graded, seconds: int, now: int, exam: int = 0, number: int = 0
) -> Attempt:
    """Record what somebody answered, with the grade of every paragraph."""
    attempt = attempt_of(graded, seconds, exam, number)
    given = {each.item.key: each.given for each in graded.items}
    data = {
        **asdict(attempt), "as_of": str(attempt.as_of), "marks": [[cite, right] for cite, right in attempt.marks],
        "given": given, "late": graded.late,
    }  # fmt: skip
    if exam:
        begun = sitting(store, exam)
        if begun.person != person.id:
            raise UnreadableError(f"Exam {exam} is {begun.person}'s.")
        if now > begun.ends + GRACE_S * MICROSECONDS:
            raise UnreadableError("The time of this exam is over; the answer was not recorded.")
    _record(store, person, Event("school.answered", data, graded.exercise.cites), now)
    return attempt


def attempts_of(store: Store, person: str) -> tuple[Attempt, ...]:
    """Everything that somebody has answered, in order."""
    return everybody(store).get(person, ())


def everybody(store: Store) -> dict[str, tuple[Attempt, ...]]:
    """The answers of every trainee."""
    found: dict[str, list[Attempt]] = {}
    with store.reading() as reading:
        for event in reading.events(stream=HOUSE_STREAM, kinds=(ANSWERED,)):
            found.setdefault(event.actor, []).append(_attempt_of(event))
    return {person: tuple(attempts) for person, attempts in found.items()}


def set_exam(store: Store, person: Person, title: str, exam: Exam, now: int) -> int:
    """Set an exam for the class; the answer is its number."""
    if not may(person.role, "school.set-exam"):
        raise FindingsError([why_not(person.role, "school.set-exam")])
    exam.check()
    named = " ".join(title.split())[:LONGEST_TITLE] or exam.title
    return _record(store, person, Event("school.exam-set", {"title": named, **_exam_data(exam)}), now).seq


def exams_set(store: Store) -> tuple[SetExam, ...]:
    """Every exam that was set, the last one first."""
    with store.reading() as reading:
        found = reading.events(stream=HOUSE_STREAM, kinds=(SET,))
    return tuple(SetExam(each.seq, each.data["title"], each.actor, _exam_of(each.data)) for each in reversed(found))


def begin_exam(store: Store, person: Person, title: str, exam: Exam, now: int) -> int:
    """Somebody begins an exam: the clock runs from here. The answer is the number of the sitting."""
    exam.check()
    return _record(
        store, person, Event("school.exam-begun", {"title": title[:LONGEST_TITLE], **_exam_data(exam)}), now
    ).seq


def sittings(store: Store, person: str | None = None) -> tuple[Sitting, ...]:
    """Exams that were begun, of one person or of all, the last one first."""
    with store.reading() as reading:
        begun = reading.events(stream=HOUSE_STREAM, kinds=(BEGUN,))
        given = reading.events(stream=HOUSE_STREAM, kinds=(ANSWERED,))
    answers: dict[int, list[Attempt]] = {}
    for event in given:
        if event.data["exam"]:
            answers.setdefault(event.data["exam"], []).append(_attempt_of(event))
    wanted = [event for event in begun if person in (None, event.actor)]
    return tuple(_sitting(event, answers.get(event.seq, [])) for event in reversed(wanted))


def _sitting(event: Recorded, attempts: Sequence[Attempt]) -> Sitting:
    return Sitting(event.seq, event.actor, event.data["title"], event.at, result_of(_exam_of(event.data), attempts))


def sitting(store: Store, number: int) -> Sitting:
    found = next((each for each in sittings(store) if each.number == number), None)
    if found is None:
        raise UnreadableError(f"There is no exam {number}.")
    return found
