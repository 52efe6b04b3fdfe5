"""The dealer school in the ledger: answers and exams are events, under the chain, and say who, what and which
paragraphs."""

from datetime import date

import pytest

from pitboss.findings import FindingsError, UnreadableError
from pitboss.ledger import schooling
from pitboss.ledger.people import Person
from pitboss.ledger.review import review
from pitboss.ledger.store import Store
from pitboss.ledger.telling import tell
from pitboss.school.exams import Exam
from pitboss.school.exercise import Exercise, grade
from pitboss.school.progress import mastery
from pitboss.table.desk import MICROSECONDS
from pitboss.table.roles import Role

DAY, NOW = date(2024, 6, 1), 1_717_250_400_000_000
TRAINEE, OTHER = (Person(f"dealer-{number}", f"Dealer {number}", Role.DEALER) for number in (1, 2))
INSTRUCTOR = Person("floor-1", "Floor", Role.FLOORPERSON)
EXAM = Exam("three-card-poker", DAY, 7, questions=2, minutes=10)


def best(exercise: Exercise) -> dict[str, str]:
    return {item.key: item.right for item in exercise.items}


def test_an_exam_from_its_setting_to_its_paper(store: Store) -> None:
    with pytest.raises(FindingsError, match="A dealer may not"):
        schooling.set_exam(store, TRAINEE, "Mine", EXAM, NOW)
    schooling.set_exam(store, INSTRUCTOR, "  Week   one ", EXAM, NOW)
    (made,) = schooling.exams_set(store)
    assert (made.title, made.by, made.exam) == ("Week one", "floor-1", EXAM)
    number = schooling.begin_exam(store, TRAINEE, made.title, made.exam, NOW)
    first, second = (EXAM.exercise(place) for place in (1, 2))
    with pytest.raises(UnreadableError, match="dealer-1's"):
        schooling.answered(store, OTHER, grade(first, best(first)), 3, NOW + 1, number, 1)
    schooling.answered(store, TRAINEE, grade(first, best(first)), 3, NOW + 1, number, 1)
    assert schooling.sitting(store, number).following == 2
    schooling.answered(store, TRAINEE, grade(second, {}), 3, NOW + 2, number, 2)
    (found,) = schooling.sittings(store, TRAINEE.id)
    assert found.is_over(NOW + 3)
    assert (found.result.right, found.result.items) == (len(first.items), len(first.items) + len(second.items))
    assert schooling.sittings(store, OTHER.id) == ()
    known = mastery(schooling.attempts_of(store, TRAINEE.id))
    assert set(known) == {*first.cites, *second.cites}
    assert all(known[cite].streak == 0 for cite in second.cites)
    with store.reading() as reading:
        events = reading.events()
    assert {cite for event in events for cite in event.cites} == set(known)
    assert tell(events[0]) == "The exam Week one was set: 2 questions in 10 minutes, seed 7."
    assert [finding.sentence for finding in review(store)] == []


def test_an_answer_after_the_time_is_not_recorded(store: Store) -> None:
    number = schooling.begin_exam(store, TRAINEE, "Late", EXAM, NOW)
    exercise, late = EXAM.exercise(1), NOW + (EXAM.minutes * 60 + schooling.GRACE_S + 1) * MICROSECONDS
    with pytest.raises(UnreadableError, match="time of this exam is over"):
        schooling.answered(store, TRAINEE, grade(exercise, best(exercise)), 3, late, number, 1)
    assert schooling.sitting(store, number).is_over(late)
    assert schooling.attempts_of(store, TRAINEE.id) == ()
