"""The paper of an exam of the dealer school: who, what, the score, and every paragraph that was examined."""

from datetime import date
from typing import Any, Final

from pitboss.clock import day_words
from pitboss.paper.model import CellKind, Column, Datum, Figures, Listing, Paper, Passage, Remark
from pitboss.reports.stamp import imprint
from pitboss.school.exams import PASS_PERCENT, ExamResult

SIGNATURES: Final = Figures(tuple(Datum(name, None, CellKind.BLANK) for name in ("Instructor", "Date")))
EXAMINED: Final = (
    Column("paragraph", "Paragraph", CellKind.CITES),
    Column("asked", "Asked", CellKind.COUNT),
    Column("right", "Right", CellKind.COUNT),
    Column("result", "Result"),
)


def certificate_paper(result: ExamResult, name: str, day: date, printed: int | None = None) -> Paper:
    """A certificate; an exam that was not passed says so. ``day`` is the day on which it was taken."""
    exam = result.exam
    if result.is_passed:
        title, verdict = "Certificate of the dealer school", Remark(f"Passed with {result.score}%.", tone="good")
    else:
        missed = f"Not passed: {result.score}%. {PASS_PERCENT}% is needed."
        title, verdict = "Result of an exam of the dealer school", Remark(missed, tone="bad")
    figures = (
        Datum("Right", f"{result.right} of {result.items}"),
        Datum("Questions answered", f"{len(result.attempts)} of {exam.questions}"),
        Datum("Time limit", f"{exam.minutes} minutes"),
        Datum("Attempt", f"{result.attempt} of {exam.attempts}" if result.attempt else "not counted"),
        *((Datum("Seed", f"{exam.seed}, for practice"),) if exam.seed is not None else ()),
    )
    examined = tuple(
        ((cite,), asked, right, "mastered" if asked == right else "to repeat")
        for cite, asked, right in result.paragraphs()
    )
    parts = (
        Passage("Result", (verdict, Figures(figures))),
        Passage("Signature", (SIGNATURES,)),
        Passage(f"Paragraphs examined: {len(examined)}", (Listing("paragraphs", EXAMINED, examined),)),
    )
    lead = name, f"{exam.title}, taken on {day_words(day)}"
    return Paper("certificate", title, lead, parts, imprint(exam.as_of, printed), main="paragraphs")


def certificate_record(result: ExamResult, name: str, day: date) -> dict[str, Any]:
    """What the paper says, as plain values."""
    return {"name": name, "taken": str(day), **result.as_dict()}
