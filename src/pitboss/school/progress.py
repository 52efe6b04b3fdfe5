"""What a trainee has answered, paragraph by paragraph, and what comes back when.

The rule: a paragraph answered wrong comes back after two more questions; each right answer in a row doubles that, to
four, eight, sixteen and so on. Of those that are due the one that waits longest beyond its time comes first. Where
nothing is due, the kind that was asked least is next.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from pitboss.school.exercise import Exercise, Graded
from pitboss.school.kinds import ask, kinds_of

SOONEST = 2
LONGEST_STREAK = 10
LOOKED_AT = 20
"""Seeds that are tried for a question about the paragraph that is due."""


@dataclass(frozen=True)
class Attempt:
    """One answered exercise, as it is recorded."""

    game: str
    kind: str
    seed: int
    as_of: date
    right: int
    items: int
    marks: tuple[tuple[str, bool], ...]
    """Each paragraph that it examined, and whether everything that it decides was answered right."""
    seconds: int = 0
    exam: int = 0
    """The event with which an exam began; 0 for a drill."""
    number: int = 0
    """The number of the question in its exam, from 1."""


def attempt_of(graded: Graded, seconds: int, exam: int = 0, number: int = 0) -> Attempt:
    asked = graded.exercise
    return Attempt(
        asked.game, asked.kind, asked.seed, asked.as_of, graded.right, len(graded.items), graded.marks, seconds, exam,
        number,
    )  # fmt: skip


@dataclass(frozen=True)
class Mastery:
    """One paragraph as a trainee stands with it."""

    cite: str
    game: str
    kind: str
    """The kind of drill that examined it last."""
    asked: int
    right: int
    streak: int
    """Right answers in a row, up to now."""
    last: int
    """The number of the attempt at which it was examined last, from 1."""

    @property
    def due_at(self) -> int:
        """The attempt before which it comes back.

        >>> [Mastery("", "", "", 1, 1, streak, 10).due_at for streak in (0, 1, 2, 3)]
        [12, 14, 18, 26]
        """
        return self.last + (SOONEST << min(self.streak, LONGEST_STREAK))


def mastery(attempts: Iterable[Attempt]) -> Mapping[str, Mastery]:
    """Every paragraph that was examined, by its number."""
    found: dict[str, Mastery] = {}
    for number, attempt in enumerate(attempts, 1):
        for cite, right in attempt.marks:
            before = found.get(cite)
            asked, was, streak = (before.asked, before.right, before.streak) if before else (0, 0, 0)
            found[cite] = Mastery(
                cite, attempt.game, attempt.kind, asked + 1, was + right, streak + 1 if right else 0, number
            )
    return found


def due(attempts: Sequence[Attempt], game: str = "") -> tuple[Mastery, ...]:
    """Paragraphs that come back now, the longest overdue first."""
    now = len(attempts) + 1
    waiting = [each for each in mastery(attempts).values() if each.due_at <= now and game in ("", each.game)]
    return tuple(sorted(waiting, key=lambda each: (each.due_at, each.streak, each.cite)))


def following(attempts: Sequence[Attempt], game: str, as_of: date, seed: int) -> Exercise:
    """The next exercise of a trainee: about what is due, else of the kind that was asked least."""
    for wanted in due(attempts, game)[:1]:
        found = [ask(wanted.kind, game, as_of, seed)]
        while wanted.cite not in found[-1].cites and len(found) < LOOKED_AT:
            found.append(ask(wanted.kind, game, as_of, seed + len(found)))
        return found[-1]
    asked = Counter(attempt.kind for attempt in attempts if attempt.game == game)
    kinds = kinds_of(game)
    return ask(min(kinds, key=lambda kind: (asked[kind], kinds.index(kind))), game, as_of, seed)
