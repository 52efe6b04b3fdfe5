"""Exams: a seed, a number of questions and a time limit; the same figures give the same exam."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from random import Random

from pitboss.findings import UnreadableError
from pitboss.games.registry import GAMES, game_named
from pitboss.school.exercise import Exercise
from pitboss.school.kinds import ask, kinds_of
from pitboss.school.progress import Attempt

PASS_PERCENT = 80
MOST_QUESTIONS, MOST_MINUTES = 200, 600
MOST_SEED = 2**53 - 1


@dataclass(frozen=True)
class Exam:
    """What is examined: one game, or all of them where none is named."""

    game: str
    as_of: date
    seed: int
    questions: int = 20
    minutes: int = 30

    def check(self) -> None:
        """Refuse, in a sentence, what would be no exam."""
        if self.game:
            game_named(self.game)
        bounds = (
            ("questions", self.questions, 1, MOST_QUESTIONS), ("minutes", self.minutes, 1, MOST_MINUTES),
            ("seed", self.seed, 0, MOST_SEED),
        )  # fmt: skip
        for name, value, least, most in bounds:
            if not least <= value <= most:
                raise UnreadableError(f"An exam has {least:,} to {most:,} as its {name}, not {value:,}.")

    @property
    def title(self) -> str:
        return GAMES[self.game].chapter.title if self.game else "All games"

    def exercise(self, number: int) -> Exercise:
        """Question ``number``, from 1: kinds take turns in an order that the seed gives, and so do games."""
        rng = Random(f"exam {self.game} {self.as_of} {self.seed}")
        games = [self.game] if self.game else rng.sample(list(GAMES), len(GAMES))
        game, turn = games[(number - 1) % len(games)], (number - 1) // len(games)
        kinds = kinds_of(game)
        order = Random(f"kinds {game} {self.seed}").sample(kinds, len(kinds))
        return ask(order[turn % len(order)], game, self.as_of, self.seed * 1000 + number)


@dataclass(frozen=True)
class ExamResult:
    """An exam as somebody stands with it: what was answered so far, and what that comes to."""

    exam: Exam
    attempts: Mapping[int, Attempt]
    """By the number of the question."""

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


def result_of(exam: Exam, attempts: Sequence[Attempt]) -> ExamResult:
    """The first answer to each question counts."""
    found: dict[int, Attempt] = {}
    for attempt in attempts:
        found.setdefault(attempt.number, attempt)
    return ExamResult(exam, found)
