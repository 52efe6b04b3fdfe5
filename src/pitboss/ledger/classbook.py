"""The class of the dealer school as an instructor sees it."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from typing import Any

from pitboss.ledger.people import People
from pitboss.ledger.rows import shown_time
from pitboss.ledger.schooling import SetExam, Sitting, everybody, exams_set, sittings
from pitboss.ledger.store import Store
from pitboss.school.progress import Mastery, due, mastery


@dataclass(frozen=True)
class Trainee:
    """How one trainee stands. ``paragraphs`` were examined; those ``due`` come back now."""

    person: str
    name: str
    questions: int
    right: int
    items: int
    paragraphs: int
    due: int


@dataclass(frozen=True)
class ClassBook:
    """Exams set, trainees, the exams that are over, and the paragraphs of all trainees, the hardest first."""

    sets: tuple[SetExam, ...]
    trainees: tuple[Trainee, ...]
    sittings: tuple[Sitting, ...]
    paragraphs: tuple[Mastery, ...]
    names: Mapping[str, str] = field(default_factory=dict)

    def name_of(self, person: str) -> str:
        return self.names.get(person, person)

    def as_dict(self) -> dict[str, Any]:
        taken = [
            {
                "number": each.number, "person": each.person, "title": each.title, "at": shown_time(each.at),
                **each.result.as_dict(),
            }
            for each in self.sittings
        ]  # fmt: skip
        sets = [
            {"number": each.number, "title": each.title, "by": each.by, **each.exam.as_dict()} for each in self.sets
        ]
        paragraphs = [
            {"paragraph": e.cite, "game": e.game, "asked": e.asked, "right": e.right} for e in self.paragraphs
        ]
        return {"sets": sets, "trainees": [*map(asdict, self.trainees)], "taken": taken, "paragraphs": paragraphs}


def class_book(store: Store, now: int) -> ClassBook:
    """Read the class from the ledger as of a moment."""
    answers, sat = everybody(store), sittings(store)
    names = {account.person.id: account.person.name for account in People(store).everyone()}
    trainees = []
    for person in sorted({*answers, *(each.person for each in sat)}):
        attempts = answers.get(person, ())
        right, items = sum(each.right for each in attempts), sum(each.items for each in attempts)
        counts = len(attempts), right, items, len(mastery(attempts)), len(due(attempts))
        trainees.append(Trainee(person, names.get(person, person), *counts))
    everything = mastery(attempt for attempts in answers.values() for attempt in attempts).values()
    hard = sorted(everything, key=lambda each: (Fraction(each.right, each.asked), -each.asked, each.cite))
    over = tuple(each for each in sat if each.is_over(now))
    return ClassBook(exams_set(store), tuple(trainees), over, tuple(hard), names)
