"""Exams: a number of questions, a time limit, and what draws the questions: the key of a sitting, or a public seed.

An exam with a seed is for practice, because everybody who knows the seed knows its questions. An exam that counts has
none: each attempt is drawn by a key that only the house has (``ledger.exams``).
"""

import hmac
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from random import Random
from typing import Any

from pitboss.findings import UnreadableError
from pitboss.games.registry import GAMES, game_named
from pitboss.school.exercise import Exercise
from pitboss.school.kinds import ask, kinds_of
from pitboss.school.progress import Attempt

PASS_PERCENT = 80
MOST_QUESTIONS, MOST_MINUTES = 200, 600
MOST_SEED = 2**53 - 1
ATTEMPTS, MOST_ATTEMPTS = 2, 20
"""How often a trainee may begin an exam: where the instructor does not say, and at most."""


def question_seed(key: bytes, number: int) -> int:
    """The seed of one question of a sitting: 53 bits that nobody finds without the key."""
    return _drawn(key, f"question {number}")


def _drawn(key: bytes, what: str) -> int:
    return int.from_bytes(hmac.digest(key, what.encode(), "sha256")) & MOST_SEED


@dataclass(frozen=True)
class Exam:
    """What is examined: one game, or all of them where none is named."""

    game: str
    as_of: date
    seed: int | None = None
    """Of an exam for practice; none where the key of a sitting draws the questions."""
    questions: int = 20
    minutes: int = 30
    attempts: int = ATTEMPTS

    def as_dict(self) -> dict[str, Any]:
        return {**asdict(self), "as_of": str(self.as_of)}

    def check(self) -> None:
        """Refuse, in a sentence, what would be no exam."""
        if self.game:
            game_named(self.game)
        bounds = (
            ("questions", self.questions, 1, MOST_QUESTIONS), ("minutes", self.minutes, 1, MOST_MINUTES),
            ("seed", self.seed or 0, 0, MOST_SEED), ("attempts", self.attempts, 1, MOST_ATTEMPTS),
        )  # fmt: skip
        for name, value, least, most in bounds:
            if not least <= value <= most:
                raise UnreadableError(f"An exam has {least:,} to {most:,} as its {name}, not {value:,}.")

    @property
    def title(self) -> str:
        return GAMES[self.game].chapter.title if self.game else "All games"

    def exercise(self, number: int, key: bytes = b"") -> Exercise:
        """Question ``number``, from 1: kinds take turns in an order drawn for the exam, and so do games.

        ``key`` is that of a sitting; an exam with a seed needs none.
        """
        if self.seed is None and not key:
            raise ValueError("an exam without a seed needs the key of a sitting")
        order: int | str = _drawn(key, "games") if self.seed is None else f"exam {self.game} {self.as_of} {self.seed}"
        games = [self.game] if self.game else Random(order).sample(list(GAMES), len(GAMES))
        game, turn = games[(number - 1) % len(games)], (number - 1) // len(games)
        kinds = kinds_of(game)
        order = _drawn(key, f"kinds {game}") if self.seed is None else f"kinds {game} {self.seed}"
        kind = Random(order).sample(kinds, len(kinds))[turn % len(kinds)]
        seed = question_seed(key, number) if self.seed is None else self.seed * 1000 + number
        return ask(kind, game, self.as_of, seed)


@dataclass(frozen=True)
class ExamResult:
    """An exam as somebody stands with it: what was answered so far, and what that comes to."""

    exam: Exam
    attempts: Mapping[int, Attempt]
    """By the number of the question."""
    attempt: int = 0
    """Which of the person's attempts at this exam it is; 0 where attempts are not recorded."""

    def as_dict(self) -> dict[str, Any]:
        """The score and every paragraph, without the answers."""
        paragraphs = [{"paragraph": cite, "asked": n, "right": right} for cite, n, right in self.paragraphs()]
        return {
            "exam": self.exam.as_dict(), "attempt": self.attempt, "answered": len(self.attempts), "right": self.right,
            "items": self.items, "score": self.score, "passed": self.is_passed, "paragraphs": paragraphs,
        }  # fmt: skip

    @property
    def right(self) -> int:
        return sum(each.right for each in self.attempts.values())

    @property
    def items(self) -> int:
        return sum(each.items for each in self.attempts.values())

    @property
    def score(self) -> int:
        """Percent of everything that was asked; a question that was not answered counts as one item, wrong."""
        missing = self.exam.questions - len(self.attempts)
        return 100 * self.right // max(1, self.items + missing)

    @property
    def is_complete(self) -> bool:
        return len(self.attempts) >= self.exam.questions

    @property
    def is_passed(self) -> bool:
        return self.score >= PASS_PERCENT

    def paragraphs(self) -> tuple[tuple[str, int, int], ...]:
        """Each paragraph that was examined, how often, and how often right."""
        found: dict[str, list[bool]] = {}
        for each in self.attempts.values():
            for cite, right in each.marks:
                found.setdefault(cite, []).append(right)
        return tuple((cite, len(marks), sum(marks)) for cite, marks in sorted(found.items()))


def result_of(exam: Exam, attempts: Sequence[Attempt], attempt: int = 0) -> ExamResult:
    """The first answer to each question counts."""
    found: dict[int, Attempt] = {}
    for answer in attempts:
        found.setdefault(answer.number, answer)
    return ExamResult(exam, found, attempt)
