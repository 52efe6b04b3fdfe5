"""The certificate of an exam of the dealer school: who, what, the score, and every paragraph that was examined."""

from pitboss.reports.page import cited, figures, heading, notice, page, section, table
from pitboss.reports.stamp import stamp_of
from pitboss.reports.svg import element
from pitboss.school.exams import PASS_PERCENT, ExamResult

SIGNATURES = ("Instructor", "Date")


def certificate_html(result: ExamResult, name: str, day: str) -> str:
    """A page to print; an exam that was not passed says so. ``day`` is the day on which it was taken."""
    exam = result.exam
    title = "Certificate of the dealer school" if result.is_passed else "Result of an exam of the dealer school"
    said = (
        f"Passed with {result.score} %."
        if result.is_passed
        else f"Not passed: {result.score} %, where {PASS_PERCENT} % are needed."
    )
    facts = (
        ("Score", f"{result.score} %"), ("Right", f"{result.right} of {result.items}"),
        ("Questions", f"{len(result.attempts)} of {exam.questions}"), ("Time limit", f"{exam.minutes} min"),
        ("Seed", f"{exam.seed}"),
    )  # fmt: skip
    rows = [
        (cited(cite), str(asked), str(right), "mastered" if asked == right else "to repeat")
        for cite, asked, right in result.paragraphs()
    ]
    return page(
        f"{title}: {name}, {exam.title}",
        stamp_of(exam.as_of),
        heading(title, name, f"{exam.title}, law of {exam.as_of}, taken on {day}"),
        notice(said, kind="" if not result.is_passed else "note"),
        section("Result", figures(facts)),
        section(
            f"Paragraphs examined: {len(rows)}",
            element("div", table(("Paragraph", "Asked", "Right", "Result"), rows, numbers=(1, 2)), class_="columns"),
        ),
        section("Signature", table((), [(each, element("span", class_="blank")) for each in SIGNATURES])),
    )
