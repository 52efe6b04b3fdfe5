"""What a drill is asked for and what it answers, before it becomes an exercise of a kind with a seed."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date
from random import Random

from pitboss.games.contract import Game
from pitboss.money import Cents, show_dollars
from pitboss.school.exercise import Drawn, Item

YES, NO = "Yes", "No"


@dataclass(frozen=True)
class Asking:
    """For which game and under the law of which day a question is wanted, and which one."""

    game: str
    as_of: date
    seed: int = 0


Draw = Callable[[Asking, Random], Drawn | None]
"""A question from chance; nothing where chance gave none, and is asked again."""


@dataclass(frozen=True)
class Drill:
    """One kind of question: its name, what it trains, and the games that it can be asked of."""

    name: str
    title: str
    draw: Draw
    fits: Callable[[Game], bool] = lambda _: True


def words(code: str) -> str:
    """An act or a remedy of a chapter as people say it."""
    return code.replace("-", " ").replace("_", " ")


def yes_no(key: str, ask: str, right: bool, cites: Iterable[str], why: str) -> Item:
    return Item(key, ask, "one", YES if right else NO, tuple(cites), why, (YES, NO))


def money(key: str, ask: str, right: Cents, cites: Iterable[str], why: str, seat: int = 0) -> Item:
    return Item(key, ask, "money", show_dollars(right), tuple(cites), why, seat=seat)


def among(
    key: str, ask: str, right: str, others: Iterable[str], cites: Iterable[str], why: str, rng: Random
) -> Item | None:
    """One right answer among a few others, in any order; nothing where there is no other."""
    wrong = list(dict.fromkeys(each for each in others if each != right))
    if not wrong:
        return None
    options = [right, *rng.sample(wrong, min(3, len(wrong)))]
    rng.shuffle(options)
    return Item(key, ask, "one", right, tuple(cites), why, tuple(options))
