"""The dealer school: every kind of every game graded, exams that repeat, paragraphs counted, what comes back when."""

from collections import Counter
from datetime import date
from io import BytesIO
from itertools import islice
from pathlib import Path

import pytest
from pypdf import PdfReader

from pitboss.findings import UnreadableError
from pitboss.games.registry import GAMES
from pitboss.law.index import paragraphs
from pitboss.paper.page import html_of
from pitboss.paper.pdf import pdf_of
from pitboss.reports.certificate import certificate_paper
from pitboss.school.exams import Exam, result_of
from pitboss.school.exercise import Exercise, grade
from pitboss.school.kinds import DRILLS, ask, every_pair, kinds_of
from pitboss.school.live import MOMENTS
from pitboss.school.live import moments as moments_of
from pitboss.school.progress import Attempt, attempt_of, due, following, mastery
from pitboss.school.sheet import NO, Asking
from tests.grading import CHECKS, faults
from tests.test_cli import Ran

DAY = date(2024, 6, 1)
EXAMINED = 300
QUICK = ("stands", "procedure", "choose", "pay")
PAIRS = list(every_pair())


@pytest.fixture(scope="module")
def asked() -> list[Exercise]:
    """Two questions of every kind of every game, and more of the kinds that are made quickly."""
    return [ask(kind, game, DAY, seed) for kind, game in PAIRS for seed in range(24 if kind in QUICK else 2)]


def test_no_planted_answer_is_graded_right(asked: list[Exercise]) -> None:
    """Every kind of every game, against the settlement of the round behind the question where there is one."""
    assert {(each.kind, each.game) for each in asked} == set(PAIRS)
    assert {each.kind for each in asked if each.basis is not None} == set(CHECKS)
    assert [fault for each in asked for fault in faults(each)] == []


def test_every_game_has_drills_and_enough_paragraphs_are_examined(asked: list[Exercise]) -> None:
    assert len(DRILLS) >= 10
    assert all(len(kinds_of(game)) >= 7 for game in GAMES)
    printed = {str(cite) for cite in paragraphs()}
    examined = {cite for each in asked for cite in each.cites} & printed
    more_than_looked_up = {cite for each in asked if each.kind != "paragraph" for cite in each.cites} & printed
    assert len(examined) >= len(more_than_looked_up) >= EXAMINED


def test_the_same_seed_asks_the_same() -> None:
    for kind, game in PAIRS[::7]:
        assert ask(kind, game, DAY, 11) == ask(kind, game, DAY, 11)
    assert len({ask("settle", game, DAY, seed).laid for game in list(GAMES)[:2] for seed in range(4)}) == 8


def test_an_exam_repeats_with_its_seed_and_asks_every_kind() -> None:
    game = next(iter(GAMES))
    exam = Exam(game, DAY, 42, questions=len(kinds_of(game)))
    first, again = ([exam.exercise(number) for number in range(1, exam.questions + 1)] for _ in range(2))
    assert first == again
    assert Counter(each.kind for each in first) == dict.fromkeys(kinds_of(game), 1)
    assert [Exam(game, DAY, 43).exercise(number) for number in (1, 2)] != first[:2]
    everything = Exam("", DAY, 5, questions=len(GAMES))
    assert {everything.exercise(number).game for number in range(1, len(GAMES) + 1)} == set(GAMES)


def test_what_an_exam_comes_to() -> None:
    exam = Exam(next(iter(GAMES)), DAY, 1, questions=3)
    exercises = [exam.exercise(number) for number in (1, 2)]
    full = [attempt_of(grade(e, {i.key: i.right for i in e.items}), 5, 9, n) for n, e in enumerate(exercises, 1)]
    result = result_of(exam, [*full, full[0]])  # an answer given twice counts once
    assert (result.right, result.items) == (sum(len(e.items) for e in exercises),) * 2
    assert not result.is_complete
    assert result.score == 100 * result.right // (result.items + 1)
    assert {cite for cite, *_ in result.paragraphs()} == {cite for e in exercises for cite in e.cites}
    with pytest.raises(UnreadableError, match="1 to 200"):
        Exam("", DAY, 1, questions=0).check()


def test_difficult_paragraphs_come_back_sooner() -> None:
    """Wrong after two questions, right once after four, right twice in a row after eight."""
    game = next(iter(GAMES))

    def tried(right: bool, *cites: str) -> Attempt:
        return Attempt(game, "pay", 1, DAY, int(right), 1, tuple((cite, right) for cite in cites))

    past = [tried(True, "x"), tried(True, "x"), tried(True, "y"), tried(False, "z")]
    assert {each.cite: each.due_at for each in mastery(past).values()} == {"x": 2 + 8, "y": 3 + 4, "z": 4 + 2}
    assert due(past) == ()
    assert [each.cite for each in due([*past, tried(True, "w")])] == ["z"]
    asked = ask("pay", game, DAY, 3)
    wrong = attempt_of(grade(asked, {}), 9)
    again = following([wrong, tried(True, "w"), tried(True, "w")], game, DAY, 50)
    assert set(again.cites) & set(asked.cites)
    assert following([], game, DAY, 1).kind == kinds_of(game)[0]


def test_patrons_of_a_shift_never_leave_too_few_for_a_round() -> None:
    """Seven-card Stud needs two; the seeds are of a shift in which all but one hesitated or left."""
    for seed in range(212, 224):
        assert ask("shift", "seven-card-stud", date(2026, 11, 19), seed).items


def test_a_shift_goes_through_rounds_with_patrons_who_err() -> None:
    game = next(iter(GAMES))
    drawn = [each for number in (4, 5) for each in islice(moments_of(Asking(game, DAY), number), MOMENTS)]
    moments = [
        Exercise(kind="shift", game=game, as_of=DAY, seed=seed, **vars(each))
        for seed, each in enumerate(drawn, 4 * MOMENTS)
    ]
    assert ask("shift", game, DAY, 5 * MOMENTS + 3) == moments[MOMENTS + 3]
    assert [fault for each in moments for fault in faults(each)] == []
    told = " ".join(sentence for each in moments for sentence in each.told)
    assert all(word in told for word in ("bets", "hesitates", "leaves")), told
    assert {item.key for each in moments for item in each.items} == {"next", "who", "may"}
    chips = [item for each in moments for item in each.items if item.key == "may"]
    assert {item.right for item in chips if "at least" in item.why or "at most" in item.why} == {NO}


def test_answers_are_read_as_people_type_them() -> None:
    item = ask("settle", next(iter(GAMES)), DAY, 1).items[-1]
    assert item.read("-1,000") == item.read(" -$1000.00 ") == "-$1,000"
    assert item.read("+7.5") == "$7.50"
    for typed in ("", "ten", "1.005", "$"):
        with pytest.raises(UnreadableError, match=r"12\.50"):
            item.read(typed)


# At the terminal


def typed(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    left = iter(lines)

    def read(_: str) -> str:
        for line in left:
            return line
        raise EOFError

    monkeypatch.setattr("builtins.input", read)


def test_a_drill_at_the_terminal_helps_and_grades(monkeypatch: pytest.MonkeyPatch) -> None:
    game = next(iter(GAMES))
    exercise = ask("pay", game, DAY, 3)
    typed(monkeypatch, "?", "ten", exercise.items[0].right, "0", "q")
    ran = Ran("school", "drill", game, "--kind", "pay", "--seed", "3", "--count", "3", "--as-of", str(DAY))
    assert "An answer is dollars, such as 12.50, -5 or 0." in ran.out
    assert "'ten' is not an amount" in ran.out
    assert "Right: What do you hand over" in ran.out
    assert "Wrong: What do you hand over" in ran.out
    assert exercise.cites[0] in ran.out
    assert ran.out.endswith("Stopped.\n1 of 2 right.\n")
    assert Ran("school", "drill", game, "--kind", "nothing").err.startswith("pitboss: There is no kind of drill")
    assert "settle" in Ran("school").out


def test_an_exam_at_the_terminal_writes_its_certificate(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    game = next(iter(GAMES))
    exam, paper = Exam(game, DAY, 8, questions=2), tmp_path / "certificate.html"
    typed(monkeypatch, *(item.right for number in (1, 2) for item in exam.exercise(number).items))
    arguments = ("school", "exam", game, "--seed", "8", "--questions", "2", "--as-of", str(DAY))
    ran = Ran(*arguments, "--name", "A. Trainee", "-o", paper)
    assert "100%, passed" in ran.out
    text = paper.read_text(encoding="utf-8")
    assert "A. Trainee" in text
    assert all(f">{cite}<" in text for number in (1, 2) for cite in exam.exercise(number).cites)
    assert Ran(*arguments, "--answers").out == Ran(*arguments, "--answers").out


def test_a_paper_without_a_pass_says_so() -> None:
    result = result_of(Exam(next(iter(GAMES)), DAY, 1, questions=1), [])
    assert "Not passed: 0%. 80% is needed." in html_of(certificate_paper(result, "A. Trainee", DAY))


def test_the_paper_as_pdf_names_every_paragraph() -> None:
    exam = Exam(next(iter(GAMES)), DAY, 8, questions=4)
    graded = [grade(exam.exercise(number), {}) for number in range(1, 5)]
    result = result_of(exam, [attempt_of(each, 1, 9, number) for number, each in enumerate(graded, 1)])
    pages = PdfReader(BytesIO(pdf_of(certificate_paper(result, "A. Trainee", DAY)))).pages
    words = "".join("".join(page.extract_text().split()) for page in pages)
    assert [cite for cite, *_ in result.paragraphs() if cite not in words] == []
