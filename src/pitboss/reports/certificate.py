"""The certificate of an exam of the dealer school: who, what, the score, and every paragraph that was examined."""

from itertools import groupby

from pitboss.law.cite import Cite
from pitboss.reports.page import cited, figures, heading, notice, page, section, table
from pitboss.reports.sheet import SheetPanel, Sheets, set_sheets
from pitboss.reports.stamp import WARNING, stamp_of
from pitboss.reports.svg import element
from pitboss.school.exams import PASS_PERCENT, ExamResult

SIGNATURES = ("Instructor", "Date")
LINE = "." * 24

ONE_COLUMN = 12
"""Paragraphs that stand under one heading; a few more in two columns save a page."""


def _said(result: ExamResult) -> tuple[str, str]:
    """What the paper is called, and what it says of the result."""
    if result.is_passed:
        return "Certificate of the dealer school", f"Passed with {result.score} %."
    missed = f"Not passed: {result.score} %, where {PASS_PERCENT} % are needed."
    return "Result of an exam of the dealer school", missed


def _figures(result: ExamResult) -> tuple[tuple[str, str], ...]:
    exam = result.exam
    return (
        ("Score", f"{result.score} %"), ("Right", f"{result.right} of {result.items}"),
        ("Questions", f"{len(result.attempts)} of {exam.questions}"), ("Time limit", f"{exam.minutes} min"),
        ("Seed", f"{exam.seed}"),
    )  # fmt: skip


def certificate_html(result: ExamResult, name: str, day: str) -> str:
    """A page to print; an exam that was not passed says so. ``day`` is the day on which it was taken."""
    exam, (title, said) = result.exam, _said(result)
    rows = [
        (cited(cite), str(asked), str(right), "mastered" if asked == right else "to repeat")
        for cite, asked, right in result.paragraphs()
    ]
    examined = table(("Paragraph", "Asked", "Right", "Result"), rows, numbers=(1, 2))
    return page(
        f"{title}: {name}, {exam.title}",
        stamp_of(exam.as_of),
        heading(title, name, f"{exam.title}, law of {exam.as_of}, taken on {day}"),
        notice(said, kind="" if not result.is_passed else "note"),
        section("Result", figures(_figures(result))),
        section(
            f"Paragraphs examined: {len(rows)}",
            element("div", examined, class_="columns") if len(rows) > ONE_COLUMN else examined,
        ),
        section("Signature", table((), [(each, element("span", class_="blank")) for each in SIGNATURES])),
    )


def certificate_sheets(result: ExamResult, name: str, day: str) -> Sheets:
    """The same paper as sheets, for PDF."""
    exam, (title, said) = result.exam, _said(result)
    examined = result.paragraphs()
    panels = [
        SheetPanel("Result", _figures(result)),
        SheetPanel("Signature", tuple((each, LINE) for each in SIGNATURES)),
    ]
    for at, found in groupby(examined, key=lambda each: Cite.parse(each[0]).section_cite):
        rows = tuple((cite, f"{right} of {asked} right") for cite, asked, right in found)
        panels.append(SheetPanel("Paragraphs examined", rows, str(at)))
    lines = (
        name,
        f"{exam.title}, law of {exam.as_of}, taken on {day}",
        f"{said} Paragraphs examined: {len(examined)}.",
    )
    return set_sheets("letter", title, lines, panels, (str(stamp_of(exam.as_of)), WARNING))
