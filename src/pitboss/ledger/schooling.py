"""The dealer school in the ledger: what was answered, exams set and begun. Events of the house, each with its cites.

What was answered is recorded with its grade and everything that makes the question again: kind, game, day and seed.
The chain covers it like every other event. It is not graded again when the ledger is verified: the question is that of
the program and the law data of its day. Exams are drawn by the house's secret, and each attempt is recorded when it is
begun.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from msgspec import UnsetType

from pitboss.clock import MICROSECONDS
from pitboss.findings import FindingsError, UnreadableError
from pitboss.ledger.exams import sealing, sitting_key
from pitboss.ledger.kinds.school import OfExam, SchoolAnswered, SchoolExamBegun, SchoolExamSet
from pitboss.ledger.people import Person
from pitboss.ledger.rows import Recorded
from pitboss.ledger.store import HOUSE_STREAM, Reading, Store
from pitboss.names import several
from pitboss.school.exams import ATTEMPTS, Exam, ExamResult, result_of
from pitboss.school.exercise import Exercise, Graded
from pitboss.school.progress import Attempt, attempt_of
from pitboss.table.events import Event
from pitboss.table.permissions import may, why_not
from pitboss.table.source import Randomness, SystemRandomness

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
    set: int = 0
    """The number of the exam that was set; 0 in a ledger of version 0.1."""

    def is_of(self, chosen: SetExam) -> bool:
        """Whether it is an attempt at this exam; one of version 0.1 is known by its title and figures."""
        alike = (self.title, self.result.exam) == (chosen.title, chosen.exam)
        return self.set == chosen.number or (not self.set and alike)

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


def _exam_of(told: OfExam) -> Exam:
    """Exams of versions 0.1 have a seed, and no limit of attempts."""
    day, attempts, seed = date.fromisoformat(told.as_of), told.attempts, told.seed
    return Exam(
        told.game, day, None if isinstance(seed, UnsetType) else seed, told.questions, told.minutes,
        ATTEMPTS if isinstance(attempts, UnsetType) else attempts,
    )  # fmt: skip


def _figures(exam: Exam) -> dict[str, Any]:
    return {
        "game": exam.game, "as_of": str(exam.as_of), "questions": exam.questions, "minutes": exam.minutes,
        "attempts": exam.attempts,
    }  # fmt: skip


def _attempt_of(event: Recorded) -> Attempt:
    told = event.of(SchoolAnswered)
    return Attempt(
        told.game, told.drill, told.seed, date.fromisoformat(told.as_of), told.right, told.items, told.marks,
        told.seconds, told.exam, told.number,
    )  # fmt: skip


def _record(store: Store, person: Person, event: Event, now: int) -> Recorded:
    with store.writing() as writing:
        return writing.append(
            [event], stream=HOUSE_STREAM, round=0, actor=person.id, role=str(person.role), at=now
        )[0]  # fmt: skip


def answered(
    store: Store, person: Person, graded: Graded, seconds: int, now: int, exam: int = 0, number: int = 0
) -> Attempt:
    """Record what somebody answered, with the grade of every paragraph.

    The first answer counts: a question of a drill that the person has answered before is not recorded again.
    """
    attempt = attempt_of(graded, seconds, exam, number)
    given = {each.item.key: each.given for each in graded.items}
    told = SchoolAnswered(
        game=attempt.game, drill=attempt.kind, seed=attempt.seed, as_of=str(attempt.as_of), right=attempt.right,
        items=attempt.items, marks=attempt.marks, seconds=attempt.seconds, exam=attempt.exam, number=attempt.number,
        given=given, late=graded.late,
    )  # fmt: skip
    with store.writing() as writing:
        if exam:
            _verify_answer(_numbered(_sittings(writing, None), exam), person, now, number)
        elif any(
            event.actor == person.id and event.of(SchoolAnswered).question == told.question
            for event in writing.events(stream=HOUSE_STREAM, kinds=(SchoolAnswered,))
        ):
            return attempt
        event = Event(told, graded.exercise.cites)
        writing.append([event], stream=HOUSE_STREAM, round=0, actor=person.id, role=str(person.role), at=now)
    return attempt


def _verify_answer(begun: Sitting, person: Person, now: int, number: int) -> None:
    """Raise ``UnreadableError`` unless this is the next answer of the person's own exam, in time."""
    if begun.person != person.id:
        raise UnreadableError(f"Exam {begun.number} is {begun.person}'s.")
    if now > begun.ends + GRACE_S * MICROSECONDS:
        raise UnreadableError("The time of this exam is over; the answer was not recorded.")
    if number in begun.result.attempts:
        raise UnreadableError(f"Question {number} of this exam was answered before; the first answer counts.")
    if number != begun.following:
        raise UnreadableError(f"Question {begun.following} of this exam is next; answer it before question {number}.")


def attempts_of(store: Store, person: str) -> tuple[Attempt, ...]:
    """Everything that somebody has answered, in order."""
    return everybody(store).get(person, ())


def everybody(store: Store) -> dict[str, tuple[Attempt, ...]]:
    """The answers of every trainee."""
    found: dict[str, list[Attempt]] = {}
    with store.reading() as reading:
        for event in reading.events(stream=HOUSE_STREAM, kinds=(SchoolAnswered,)):
            found.setdefault(event.actor, []).append(_attempt_of(event))
    return {person: tuple(attempts) for person, attempts in found.items()}


def set_exam(store: Store, person: Person, title: str, exam: Exam, now: int) -> int:
    """Set an exam for the class; the answer is its number."""
    if not may(person.role, "school.set-exam"):
        raise FindingsError([why_not(person.role, "school.set-exam")])
    exam.check()
    named = " ".join(title.split())[:LONGEST_TITLE] or exam.title
    return _record(store, person, Event(SchoolExamSet(title=named, **_figures(exam))), now).seq


def exams_set(store: Store) -> tuple[SetExam, ...]:
    """Every exam that was set, the last one first."""
    with store.reading() as reading:
        found = reading.events(stream=HOUSE_STREAM, kinds=(SchoolExamSet,))
    told = ((each, each.of(SchoolExamSet)) for each in reversed(found))
    return tuple(SetExam(each.seq, exam.title, each.actor, _exam_of(exam)) for each, exam in told)


def begin_exam(store: Store, person: Person, chosen: SetExam, now: int, randomness: Randomness | None = None) -> int:
    """Begin an attempt at an exam that was set: the clock runs from here. The answer is the number of the sitting.

    Raise ``UnreadableError`` if an attempt is not over, or if there were as many as the instructor allows.
    """
    exam = replace(chosen.exam, seed=None)
    exam.check()
    with store.writing() as writing:
        before = [each for each in _sittings(writing, person.id) if each.is_of(chosen)]
        if running := next((each for each in before if not each.is_over(now)), None):
            raise UnreadableError(f"Your attempt {running.number} at this exam is not over. Go on with it.")
        if len(before) >= exam.attempts:
            raise UnreadableError(
                f"You have begun this exam {several(len(before), 'time')}, as often as it allows. "
                "Ask an instructor to set another."
            )
        attempt = len(before) + 1
        begun = SchoolExamBegun(title=chosen.title, **_figures(exam), set=chosen.number, attempt=attempt)
        events = [*sealing(writing, randomness or SystemRandomness()), Event(begun)]
        return writing.append(
            events, stream=HOUSE_STREAM, round=0, actor=person.id, role=str(person.role), at=now
        )[-1].seq  # fmt: skip


def question(store: Store, found: Sitting, place: int) -> Exercise:
    """Question ``place`` of a sitting. One begun under version 0.1 goes on with the seed that it was begun with."""
    exam = found.result.exam
    if exam.seed is not None:
        return exam.exercise(place)
    with store.reading() as reading:
        key = sitting_key(reading, found.number, found.person)
    return exam.exercise(place, key)


def sittings(store: Store, person: str | None = None) -> tuple[Sitting, ...]:
    """Exams that were begun, of one person or of all, the last one first."""
    with store.reading() as reading:
        return _sittings(reading, person)


def _sittings(reading: Reading, person: str | None) -> tuple[Sitting, ...]:
    begun = reading.events(stream=HOUSE_STREAM, kinds=(SchoolExamBegun,))
    answers: dict[int, list[Attempt]] = {}
    for event in reading.events(stream=HOUSE_STREAM, kinds=(SchoolAnswered,)):
        if (attempt := _attempt_of(event)).exam:
            answers.setdefault(attempt.exam, []).append(attempt)
    wanted = [event for event in begun if person in (None, event.actor)]
    return tuple(_sitting(event, answers.get(event.seq, [])) for event in reversed(wanted))


def _sitting(event: Recorded, attempts: Sequence[Attempt]) -> Sitting:
    told = event.of(SchoolExamBegun)
    result = result_of(_exam_of(told), attempts, told.attempt or 0)
    return Sitting(event.seq, event.actor, told.title, event.at, result, told.set or 0)


def sitting(store: Store, number: int) -> Sitting:
    return _numbered(sittings(store), number)


def _numbered(found: Sequence[Sitting], number: int) -> Sitting:
    chosen = next((each for each in found if each.number == number), None)
    if chosen is None:
        raise UnreadableError(f"There is no exam {number}.")
    return chosen
