"""A drill as its address says it: the question, the answers before it, and mistakes that stay until they're right.

Everything stands in the address, so a drill survives a reload, the back button and a restart. Seeds of drills are
public and below ``LARGEST_SEED``; questions of exams are drawn by a secret of the house, beyond any seed taken here.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from secrets import randbelow
from typing import Final
from urllib.parse import urlencode

from pitboss.clock import MICROSECONDS, day_of
from pitboss.school.exercise import Exercise, Graded, grade
from pitboss.school.kinds import ask, kinds_of
from pitboss.school.live import MOMENTS
from pitboss.school.progress import Attempt, following
from pitboss.web.views.base import Visit

QUESTIONS: Final = 10
"""Questions of one drill."""
LARGEST_SEED: Final = 2**31
LASTS_S: Final = 86_400
"""A question that was opened longer ago is asked again, under the law of today."""
MOST_PINNED: Final = 3
MOST_ANSWER: Final = 2000
BETWEEN: Final = "~"
"""Between the answers of a question."""
_MARK: Final = re.compile(r"([rw])(\d{1,5})")
_PIN: Final = re.compile(r"([a-z]+):(\d{1,10}):(.*)", re.DOTALL)


@dataclass(frozen=True)
class PastAnswer:
    """A question of the drill that was answered."""

    right: bool
    seconds: int


@dataclass(frozen=True)
class Pin:
    """A question that was answered wrong, with its answers."""

    kind: str
    seed: int
    answers: str


@dataclass(frozen=True)
class OpenDrill:
    """A drill at one question. ``answers`` stands in the address once the question is graded."""

    game: str
    kind: str = ""
    """The kind that was chosen; empty for all."""
    asked: str = ""
    """The kind of this question."""
    seed: int | None = None
    at: int = 0
    """When it was asked, in seconds since 1970."""
    past: tuple[PastAnswer, ...] = ()
    pins: tuple[Pin, ...] = ()
    answers: str | None = None
    seconds: int = 0

    @classmethod
    def at_address(cls, visit: Visit, now: int) -> "OpenDrill":
        """The drill of an address; what can't be read is left out."""
        game, kind, asked = visit.given("game"), visit.given("kind"), visit.given("ask")
        kinds = kinds_of(game)
        seed, at, seconds = (_whole(visit.given(name)) for name in ("seed", "at", "seconds"))
        fresh = at is not None and now - LASTS_S <= at <= now
        query = visit.request.query_params
        pins = (_PIN.fullmatch(text[:MOST_ANSWER]) for text in query.getlist("pin")[:MOST_PINNED])
        marks = [_MARK.fullmatch(each) for each in visit.given("past")[:100].split(".")[:QUESTIONS]]
        return cls(
            game,
            kind if kind in kinds else "",
            asked if asked in kinds else "",
            seed if seed is not None and seed < LARGEST_SEED else None,
            at if fresh and at is not None else 0,
            tuple(PastAnswer(found[1] == "r", int(found[2])) for found in marks if found),
            tuple(Pin(found[1], int(found[2]), found[3]) for found in pins if found and found[1] in kinds),
            query["answers"][:MOST_ANSWER] if "answers" in query else None,
            min(seconds or 0, LASTS_S),
        )

    @property
    def address(self) -> str:
        given: list[tuple[str, object]] = [
            ("game", self.game), ("kind", self.kind), ("ask", self.asked),
            ("seed", "" if self.seed is None else self.seed), ("at", self.at or ""),
            ("past", ".".join(f"{'r' if each.right else 'w'}{each.seconds}" for each in self.past)),
            *(("pin", f"{each.kind}:{each.seed}:{each.answers}") for each in self.pins),
        ]  # fmt: skip
        graded = [] if self.answers is None else [("answers", self.answers), ("seconds", self.seconds)]
        query = urlencode([*((name, value) for name, value in given if value != ""), *graded], safe=":~$ ,")
        return f"/school?{query.replace(' ', '+')}"

    @property
    def is_asked(self) -> bool:
        """Whether the address names one question."""
        return bool(self.asked and self.seed is not None and self.at)

    @property
    def is_over(self) -> bool:
        return len(self.past) >= QUESTIONS and self.answers is None

    @property
    def day(self) -> date:
        return day_of(self.at * MICROSECONDS)

    @property
    def exercise(self) -> Exercise:
        assert self.seed is not None
        return ask(self.asked, self.game, self.day, self.seed)

    @property
    def graded(self) -> Graded:
        exercise = self.exercise
        late = bool(exercise.seconds) and self.seconds > exercise.seconds
        return grade(exercise, answers_of(exercise, self.answers or ""), late=late)

    def asking(self, attempts: Sequence[Attempt] | None, now: int) -> "OpenDrill":
        """The same drill with a question; people with an account get what is difficult for them first."""
        kind, seed, day = self.kind or self.asked, self.seed, day_of(now * MICROSECONDS)
        if seed is None:
            seed = randbelow(LARGEST_SEED // MOMENTS) * MOMENTS
        if not kind and attempts is not None:
            exercise = following(attempts, self.game, day, seed)
            kind, seed = exercise.kind, exercise.seed
        kinds = kinds_of(self.game)
        return replace(
            self, asked=kind or kinds[seed // MOMENTS % len(kinds)], seed=seed, at=now, answers=None, seconds=0
        )

    def skipping(self) -> "OpenDrill":
        """The drill at its next question. The moments of a shift follow each other."""
        again = self.asked == "shift" and self.kind == "shift" and self.seed is not None
        seed = self.seed + 1 if again and self.seed is not None and self.seed + 1 < LARGEST_SEED else None
        return replace(self, asked="", seed=seed, at=0, answers=None, seconds=0)

    def going_on(self) -> "OpenDrill":
        """The next question after one that is graded, with what is still to get right."""
        graded = self.graded
        right = len(graded.items) == graded.right
        good = {cite for cite, mark in graded.marks if mark}
        pins = [each for each in self.pins if not missed(self.pinned(each)) <= good]
        if not right and self.seed is not None:
            pins = [each for each in pins if (each.kind, each.seed) != (self.asked, self.seed)]
            pins.append(Pin(self.asked, self.seed, self.answers or ""))
        past = (*self.past, PastAnswer(right, self.seconds))
        return replace(self.skipping(), past=past, pins=tuple(pins[-MOST_PINNED:]))

    def pinned(self, pin: Pin) -> Graded:
        exercise = ask(pin.kind, self.game, self.day, pin.seed % LARGEST_SEED)
        return grade(exercise, answers_of(exercise, pin.answers))


def missed(graded: Graded) -> set[str]:
    """The paragraphs that were answered wrong."""
    return {cite for cite, right in graded.marks if not right}


def answers_of(exercise: Exercise, answers: str) -> dict[str, str]:
    """Answers as an address has them, by item."""
    given = answers.split(BETWEEN)
    return {item.key: text for item, text in zip(exercise.items, given, strict=False)}


def typed_answers(exercise: Exercise, form: Mapping[str, str]) -> dict[str, str]:
    """What a form sent, as answers by item. Empty fields are left out; a choice with nothing ticked has no answer."""
    found = {}
    for place, item in enumerate(exercise.items):
        name, numbers = f"i{place}", range(1, len(item.options) + 1)
        if item.form == "order":
            given = {number: form.get(f"{name}.{number}", "") for number in numbers}
            ordered = sorted(given, key=lambda number: given[number].zfill(3))
            unique = len(set(given.values())) == len(given)
            found[item.key] = " ".join(map(str, ordered)) if unique and all(given.values()) else ""
        elif item.form == "some":
            found[item.key] = " ".join(str(number) for number in numbers if f"{name}.{number}" in form) or "none"
        else:
            found[item.key] = form.get(name, "").replace(BETWEEN, "")
    return found


def _whole(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 10 else None
