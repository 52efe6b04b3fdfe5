"""The dealer school as documents: the progress of a trainee, and the class."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, Final

from pitboss.games.registry import GAMES
from pitboss.ledger.classbook import ClassBook
from pitboss.names import several
from pitboss.paper.model import CellKind, Column, Listing, Paper, Passage, Row
from pitboss.reports.stamp import imprint
from pitboss.school.kinds import DRILLS
from pitboss.school.progress import Attempt, Mastery, due, mastery

PARAGRAPH: Final = Column("paragraph", "Paragraph", CellKind.CITES)
ASKED: Final = Column("asked", "Asked", CellKind.COUNT)
RIGHT: Final = Column("right", "Right", CellKind.COUNT)
SHARE: Final = Column("right", "Right", CellKind.PERCENT, places=0)
TRAINEE: Final = Column("trainee", "Trainee")
PARAGRAPHS: Final = (
    PARAGRAPH,
    Column("game", "Game", rank=2),
    Column("kind", "Last asked as", rank=2),
    ASKED,
    RIGHT,
    Column("in a row", "In a row", CellKind.COUNT, rank=2),
    Column("when", "When", rank=2),
)
EXAMS_SET: Final = (
    Column("exam", "Exam"),
    Column("game", "Game"),
    Column("questions", "Questions", CellKind.COUNT),
    Column("minutes", "Minutes", CellKind.COUNT),
    Column("attempts", "Attempts", CellKind.COUNT),
)
TRAINEES: Final = (
    TRAINEE,
    Column("account", "Account", rank=0),
    Column("questions", "Questions", CellKind.COUNT),
    SHARE,
    Column("paragraphs", "Paragraphs", CellKind.COUNT, rank=2),
    Column("due", "Due", CellKind.COUNT, rank=2),
)
TAKEN: Final = (
    TRAINEE,
    Column("exam", "Exam"),
    Column("attempt", "Attempt", rank=2),
    Column("score", "Score", CellKind.PERCENT, places=0),
    Column("result", "Result"),
    Column("begun", "Begun", CellKind.TIME, rank=2),
    Column("paper", "Paper", CellKind.REFERENCE),
)
HARDEST: Final = 12
"""Paragraphs that are listed as difficult for the class."""
HARD: Final = (PARAGRAPH, ASKED, SHARE)


def progress_paper(person: str, attempts: Sequence[Attempt], printed: int | None = None) -> Paper:
    """Every paragraph that a trainee was asked about, the weakest first."""
    listing = progress_listing(attempts)
    count = f"{several(len(attempts), 'question')}, {several(len(listing.rows), 'paragraph')}"
    parts = (Passage("", (listing,)),)
    return Paper("progress", f"Progress of {person}", (count,), parts, imprint("", printed), main="paragraphs")


def progress_listing(attempts: Sequence[Attempt], most: int | None = None) -> Listing:
    """The paragraphs, the weakest first; at most so many."""
    waiting = {each.cite for each in due(attempts)}
    rows = tuple(
        (
            (each.cite,),
            GAMES[each.game].chapter.title if each.game in GAMES else each.game,
            DRILLS[each.kind].title if each.kind in DRILLS else each.kind,
            each.asked,
            each.right,
            each.streak,
            "comes back now" if each.cite in waiting else "",
        )
        for each in weakest(mastery(attempts).values())[:most]
    )
    return Listing("paragraphs", PARAGRAPHS, rows)


def weakest(paragraphs: Iterable[Mastery]) -> list[Mastery]:
    return sorted(paragraphs, key=lambda each: (each.streak, Fraction(each.right, each.asked), each.cite))


def progress_record(person: str, attempts: Sequence[Attempt]) -> dict[str, Any]:
    """The same as plain values."""
    waiting = {each.cite for each in due(attempts)}
    paragraphs = [
        {
            "paragraph": each.cite, "game": each.game, "asked": each.asked, "right": each.right,
            "streak": each.streak, "due": each.cite in waiting,
        }
        for each in mastery(attempts).values()
    ]  # fmt: skip
    return {"person": person, "questions": len(attempts), "paragraphs": paragraphs}


def class_paper(book: ClassBook, printed: int | None = None) -> Paper:
    """Exams set, how the trainees stand, the exams they took, and what is difficult for all."""
    exams: tuple[Row, ...] = tuple(
        (each.title, each.exam.title, each.exam.questions, each.exam.minutes, each.exam.attempts) for each in book.sets
    )
    trainees: tuple[Row, ...] = tuple(
        (each.name, each.person, each.questions, Fraction(each.right, each.items or 1), each.paragraphs, each.due)
        for each in book.trainees
    )
    taken: tuple[Row, ...] = tuple(
        (
            book.name_of(each.person),
            each.title,
            f"{each.result.attempt} of {each.result.exam.attempts}" if each.result.attempt else "",
            Fraction(each.result.score, 100),
            "passed" if each.result.is_passed else "not passed",
            each.at,
            f"exam {each.number}",
        )
        for each in book.sittings
    )
    hard: tuple[Row, ...] = tuple(
        ((each.cite,), each.asked, Fraction(each.right, each.asked)) for each in book.paragraphs[:HARDEST]
    )
    parts = (
        Passage("Exams set", (Listing("exams", EXAMS_SET, exams, "No exam is set."),)),
        Passage("Trainees", (Listing("trainees", TRAINEES, trainees, "Nobody has answered anything yet."),)),
        Passage("Exams taken", (Listing("taken", TAKEN, taken, "No exam was taken."),)),
        Passage("Difficult for the class", (Listing("difficult", HARD, hard, "Nothing yet."),)),
    )
    return Paper("class", "The class", (), parts, imprint("", printed), main="trainees")
