"""The dealer school in the ledger: answers and exams are events, under the chain, and say who, what and which
paragraphs."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace
from datetime import date
from threading import Barrier

import pytest
from tests.events import event_of

from pitboss.clock import MICROSECONDS
from pitboss.findings import FindingsError, UnreadableError
from pitboss.ledger import schooling
from pitboss.ledger.kinds.school import SchoolExamBegun, SchoolExamSet
from pitboss.ledger.people import Person
from pitboss.ledger.review import review
from pitboss.ledger.sentences import tell
from pitboss.ledger.store import Store
from pitboss.paper.page import html_of
from pitboss.reports.certificate import certificate_paper
from pitboss.school.exams import Exam
from pitboss.school.exercise import Exercise, grade
from pitboss.school.progress import attempt_of, mastery
from pitboss.table.roles import Role

DAY, NOW = date(2024, 6, 1), 1_717_250_400_000_000
TRAINEE, OTHER = (Person(f"dealer-{number}", f"Dealer {number}", Role.DEALER) for number in (1, 2))
INSTRUCTOR = Person("floor-1", "Floor", Role.FLOORPERSON)
EXAM = Exam("three-card-poker", DAY, questions=2, minutes=10)


def best(exercise: Exercise) -> dict[str, str]:
    return {item.key: item.right for item in exercise.items}


def begun(store: Store, exam: Exam = EXAM, title: str = "Week one") -> int:
    """An exam that the instructor set and the trainee began."""
    schooling.set_exam(store, INSTRUCTOR, title, exam, NOW)
    return schooling.begin_exam(store, TRAINEE, schooling.exams_set(store)[0], NOW)


def answer(store: Store, number: int, place: int, *, right: bool = True, at: int = NOW + 1) -> Exercise:
    exercise = schooling.question(store, schooling.sitting(store, number), place)
    schooling.answered(store, TRAINEE, grade(exercise, best(exercise) if right else {}), 3, at, number, place)
    return exercise


def test_an_exam_from_its_setting_to_its_paper(store: Store) -> None:
    with pytest.raises(FindingsError, match="A dealer may not"):
        schooling.set_exam(store, TRAINEE, "Mine", EXAM, NOW)
    number = begun(store, title="  Week   one ")
    (made,) = schooling.exams_set(store)
    assert (made.title, made.by, made.exam) == ("Week one", "floor-1", EXAM)
    stranger = grade(schooling.question(store, schooling.sitting(store, number), 1), {})
    with pytest.raises(UnreadableError, match="dealer-1's"):
        schooling.answered(store, OTHER, stranger, 3, NOW + 1, number, 1)
    first = answer(store, number, 1)
    assert schooling.sitting(store, number).following == 2
    with pytest.raises(UnreadableError, match="answered before"):
        schooling.answered(store, TRAINEE, grade(first, best(first)), 3, NOW + 1, number, 1)
    second = answer(store, number, 2, right=False)
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
    assert tell(events[0]) == "The exam Week one was set: 2 questions in 10 minutes, 2 attempts."
    assert tell(events[2]) == "The exam Week one was begun: 2 questions in 10 minutes, attempt 1 of 2."
    assert [finding.sentence for finding in review(store)] == []


def test_an_answer_after_the_time_is_not_recorded(store: Store) -> None:
    number, late = begun(store), NOW + (EXAM.minutes * 60 + schooling.GRACE_S + 1) * MICROSECONDS
    with pytest.raises(UnreadableError, match="time of this exam is over"):
        answer(store, number, 1, at=late)
    assert schooling.sitting(store, number).is_over(late)
    assert schooling.attempts_of(store, TRAINEE.id) == ()


def test_attempts_are_recorded_and_limited_and_one_that_is_left_counts(store: Store) -> None:
    schooling.set_exam(store, INSTRUCTOR, "Week one", replace(EXAM, attempts=2), NOW)
    (chosen,) = schooling.exams_set(store)
    first = schooling.begin_exam(store, TRAINEE, chosen, NOW)
    with pytest.raises(UnreadableError, match=f"attempt {first} at this exam is not over"):
        schooling.begin_exam(store, TRAINEE, chosen, NOW + 1)
    later = NOW + EXAM.minutes * 60 * MICROSECONDS + 1
    second = schooling.begin_exam(store, TRAINEE, chosen, later)
    answer(store, second, 1, at=later)
    answer(store, second, 2, at=later)
    with pytest.raises(UnreadableError, match="begun this exam 2 times, as often as it allows"):
        schooling.begin_exam(store, TRAINEE, chosen, later + 1)
    assert [each.result.attempt for each in schooling.sittings(store, TRAINEE.id)] == [2, 1]
    schooling.begin_exam(store, OTHER, chosen, later)
    result = schooling.sitting(store, second).result
    assert "2 of 2" in html_of(certificate_paper(result, "Dealer 1", DAY))
    assert [finding.sentence for finding in review(store)] == []


def test_two_windows_begin_one_attempt(store: Store) -> None:
    schooling.set_exam(store, INSTRUCTOR, "Week one", EXAM, NOW)
    (chosen,) = schooling.exams_set(store)

    def begin(_: int) -> int:
        try:
            return schooling.begin_exam(store, TRAINEE, chosen, NOW)
        except UnreadableError:
            return 0

    with ThreadPoolExecutor(4) as pool:
        assert len([number for number in pool.map(begin, range(8)) if number]) == 1


def test_two_windows_answer_a_question_once(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    number, writing, together = begun(store), store.writing, Barrier(6)
    exercise = schooling.question(store, schooling.sitting(store, number), 1)

    def give(_: int) -> str:
        try:
            schooling.answered(store, TRAINEE, grade(exercise, {}), 3, NOW + 1, number, 1)
        except UnreadableError as problem:
            return str(problem)
        return "recorded"

    with monkeypatch.context() as patch, ThreadPoolExecutor(6) as pool:
        patch.setattr(store, "writing", lambda: together.wait(20) >= 0 and writing())
        found = sorted(pool.map(give, range(6)))
    assert found[-1] == "recorded"
    assert all("answered before" in sentence for sentence in found[:-1])
    assert len(schooling.attempts_of(store, TRAINEE.id)) == 1
    with pytest.raises(UnreadableError, match="Question 2 of this exam is next"):
        schooling.answered(store, TRAINEE, grade(exercise, {}), 3, NOW + 1, number, 3)


def test_the_secret_draws_every_attempt_and_nothing_public_does(store: Store) -> None:
    """The questions of a sitting follow from the house's secret alone, and whoever has the ledger finds them again."""
    exam = replace(EXAM, questions=30)
    number = begun(store, exam)
    other = schooling.begin_exam(store, OTHER, schooling.exams_set(store)[0], NOW)
    mine, theirs = ([_seed(store, sitting, place) for place in range(1, 31)] for sitting in (number, other))
    assert len({*mine, *theirs}) == 60, "everybody has questions of their own"
    assert mine == [_seed(store, number, place) for place in range(1, 31)]
    assert min(mine + theirs) > 2**31, "beyond any seed of an address"
    with store.reading() as reading:
        told = " ".join(str((event.data, event.salt)) for event in reading.events())
        secret = reading.sealed("", "exams")
    assert secret is not None
    assert secret.cards not in told
    assert not any(str(seed) in told for seed in mine)
    with pytest.raises(ValueError, match="needs the key"):
        exam.exercise(1)


def _seed(store: Store, sitting: int, place: int) -> int:
    return schooling.question(store, schooling.sitting(store, sitting), place).seed


def test_a_secret_that_is_gone_or_changed_asks_nothing_and_is_found(store: Store) -> None:
    number = begun(store)
    for statement in ("UPDATE sealed SET cards = 'ab' WHERE deck = 'exams'", "DELETE FROM sealed WHERE deck = 'exams'"):
        with store.writing() as writing:
            writing.connection.exec_driver_sql(statement)
        with pytest.raises(UnreadableError, match="missing or was changed"):
            schooling.question(store, schooling.sitting(store, number), 1)
        assert "sealed" in {finding.code for finding in review(store)}
    again = schooling.begin_exam(store, OTHER, schooling.exams_set(store)[0], NOW)
    with pytest.raises(UnreadableError, match="missing or was changed"):
        schooling.question(store, schooling.sitting(store, again), 1)


@pytest.mark.parametrize(
    ("data", "code"),
    [({"seed": 7}, "exam-drawn"), ({"number": 2}, "exam-drawn"), ({"exam": 1}, "exam-sitting")],
)
def test_an_answer_to_another_question_than_the_drawn_one_is_found(
    store: Store, data: dict[str, int], code: str
) -> None:
    number = begun(store)
    exercise = schooling.question(store, schooling.sitting(store, number), 1)
    attempt = attempt_of(grade(exercise, best(exercise)), 3, number, 1)
    whole = {**asdict(attempt), "as_of": str(DAY), "marks": [], "given": {}, "late": False}
    with store.writing() as writing:
        for each in (whole, {**whole, **data}):
            event = event_of("school.answered", each)
            writing.append([event], stream="", round=0, actor=TRAINEE.id, role=str(TRAINEE.role), at=NOW)
    assert [finding.code for finding in review(store)] == [code]


def test_one_attempt_more_than_allowed_is_found(store: Store) -> None:
    begun(store)
    with store.writing() as writing:
        event = writing.events(kinds=(SchoolExamBegun,))[0]
        for attempt in (2, 3):
            again = event_of(event.kind, {**event.data, "attempt": attempt})
            writing.append([again], stream="", round=0, actor=TRAINEE.id, role=str(TRAINEE.role), at=NOW)
    (found,) = review(store)
    assert found.code == "exam-attempts"


def test_exams_of_version_0_1_stay_readable_and_their_seed_draws_nothing_new(store: Store) -> None:
    """They were drawn by a seed that everybody saw: an attempt under way goes on with it, the next is drawn."""
    old = {"title": "Old", "game": EXAM.game, "as_of": str(DAY), "seed": 7, "questions": 2, "minutes": 10}
    with store.writing() as writing:
        for kind, person in (("school.exam-set", INSTRUCTOR), ("school.exam-begun", TRAINEE)):
            writing.append(
                [event_of(kind, old)], stream="", round=0, actor=person.id, role=str(person.role), at=NOW
            )  # fmt: skip
    (chosen,), (sat,) = schooling.exams_set(store), schooling.sittings(store)
    assert sat.is_of(chosen)
    assert schooling.question(store, sat, 1) == Exam(EXAM.game, DAY, 7, 2, 10).exercise(1)
    answer(store, sat.number, 1)
    answer(store, sat.number, 2)
    assert "Seed" in html_of(certificate_paper(schooling.sitting(store, sat.number).result, "Dealer 1", DAY))
    number = schooling.begin_exam(store, TRAINEE, chosen, NOW + 2)
    fresh = schooling.sitting(store, number)
    assert (fresh.result.attempt, fresh.result.exam.seed) == (2, None)
    assert schooling.question(store, fresh, 1) != schooling.question(store, sat, 1)
    with store.reading() as reading:
        sentences = [tell(event) for event in reading.events(kinds=(SchoolExamSet, SchoolExamBegun))]
    assert sentences[0] == "The exam Old was set: 2 questions in 10 minutes, seed 7."
    assert [finding.sentence for finding in review(store)] == []
