"""The forms of the school: what a browser sends becomes the answer that was meant, and nothing else does."""

from collections.abc import Iterator
from datetime import date

from pitboss.games.registry import GAMES
from pitboss.ledger.schooling import SetExam, Sitting
from pitboss.school.exams import Exam, result_of
from pitboss.school.exercise import JOINED, NONE, Exercise, grade
from pitboss.school.kinds import ask, every_pair
from pitboss.school.progress import attempt_of
from pitboss.web.pages.school_html import exercise_html, form_html, grade_html, next_html, typed_answers

DAY = date(2024, 6, 1)


def sent(exercise: Exercise) -> Iterator[tuple[str, str]]:
    """What a browser sends when everything is filled in right."""
    for place, item in enumerate(exercise.items):
        chosen = item.right.split(JOINED)
        if item.form == "money":
            yield f"i{place}", item.right
        elif item.form == "order":
            yield from ((f"i{place}.{at}", str(chosen.index(each) + 1)) for at, each in enumerate(item.options, 1))
        elif item.right != NONE:
            yield from ((f"i{place}", str(at)) for at, each in enumerate(item.options, 1) if each in chosen)


def test_what_a_form_sends_is_what_was_meant() -> None:
    first = next(iter(GAMES))
    forms = set()
    for kind in (kind for kind, game in every_pair() if game == first):
        exercise = ask(kind, first, DAY, 4)
        graded = grade(exercise, typed_answers(exercise, sent(exercise)))
        assert graded.right == len(exercise.items), (kind, graded)
        assert grade(exercise, typed_answers(exercise, [("i9", "1"), ("i0.x", "1")])).right <= sum(
            item.right == NONE for item in exercise.items
        )
        forms |= {item.form for item in exercise.items}
        page = exercise_html(exercise, "Question 1", 5) + form_html(exercise) + grade_html(graded, "Next question")
        assert "_" not in page.replace("_blank", ""), kind
    assert forms == {"one", "some", "order", "money"}


def test_a_trainee_finds_the_next_drill_and_the_exams_on_the_own_desk() -> None:
    """What comes back is named with its paragraph; an exam that was sat is not offered again."""
    first = next(iter(GAMES))
    assert "Begin with a drill" in next_html((), (), (), 0)
    exercise = ask("settle", first, DAY, 4)
    wrong = attempt_of(grade(exercise, {}), 9)
    assert "nothing is due" in next_html((wrong,), (), (), 0)
    other = attempt_of(grade(ask("read", first, DAY, 4), {}), 9)
    told = next_html((wrong, other, other), (), (), 0)
    assert f'<a href="/school?game={first}">' in told
    assert any(f"{cite}</a> comes back" in told for cite in exercise.cites)
    exam = Exam(first, DAY, 7, 3, 30)
    sets = (SetExam(5, "Friday", "floor-1", exam),)
    assert "Friday" in next_html((), sets, (), 0)
    sat = Sitting(9, "dealer-1", "Friday", 0, result_of(exam, ()))
    assert "/school/exam?number=9" in next_html((), sets, (sat,), 1)
    assert "Friday" not in next_html((), sets, (sat,), sat.ends + 1)
