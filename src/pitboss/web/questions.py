"""The address of a question of the Analyst: what it says, and how a form becomes one."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from typing import Final
from urllib.parse import urlencode

from starlette.datastructures import QueryParams

from pitboss.games.registry import BANKED, GAMES
from pitboss.money import MoneyError, cents
from pitboss.web.analysis import MAIN, MOST_CHANGES, Question
from pitboss.web.workroom import LONG, QUICK, Lane

HOME: Final = "/analyst"
LARGEST_STAKE: Final = 10**8
CELL: Final = "cell."
"""Before the table and row of a pay typed into a form, which are followed by ``|`` and what the law's table pays."""


def lane_of(question: Question) -> Lane:
    """Counts that can take a minute go to the long lane, so that quick figures stay quick."""
    return LONG if question.changes and is_large(question) else QUICK


def is_large(question: Question) -> bool:
    """Whether it takes seconds or minutes to count the wager under other pays: main games of many cards or draws."""
    game = GAMES[question.game]
    if question.wager != MAIN or not game.course.weighed:
        return False
    return game.duel is None or game.scope(question.reading or game.readings[0]).draws


def address(path: str, question: Question, more: Mapping[str, str] | None = None) -> str:
    """Where a question is asked; the same words as on the command line."""
    return f"{path}?{urlencode([*fields_of(question), *(more or {}).items()])}"


def fields_of(question: Question) -> list[tuple[str, str]]:
    """What an address or a form says of a question."""
    given = [("game", question.game), ("wager", question.wager)]
    given += [("paytable", question.letter)] if question.letter else []
    given += [("reading", question.reading)] if question.reading else []
    given += [("pay", change) for change in question.changes]
    given += [("as_of", str(question.as_of))]
    given += [("stake", f"{question.stake / 100:g}")] if question.stake != Question("", date.min).stake else []
    return given


def question_of(given: QueryParams, day: date) -> Question:
    """The question of an address or a form; a game or a stake that is not one falls back to the usual.

    A form says of which wager, table and day its pays are. Where another is chosen, it begins without changes.
    """
    game = given.get("game", "")
    question = Question(
        game=game if game in BANKED else next(iter(BANKED)),
        as_of=read_day(given.get("as_of", "")) or day,
        wager=given.get("wager") or MAIN,
        letter=given.get("paytable") or None,
        reading=given.get("reading") or None,
        stake=read_stake(given.get("stake", "")) or 500,
    )
    typed = given.get("of")
    if typed is not None and typed != basis(question):
        before = typed.split("|")
        if before[0] != question.game:
            question = Question(question.game, question.as_of, stake=question.stake)
        elif before[1:2] != [question.wager]:
            question = replace(question, letter=None, reading=None)
        return question
    changes = [*given.getlist("pay")]
    for name, text in given.multi_items():
        if name.startswith(CELL):
            path, _, law = name.removeprefix(CELL).partition("|")
            if " ".join(text.split()) != law:
                changes.append(f"{path}={text.strip() or 'none'}")
    return replace(question, changes=tuple(dict.fromkeys(changes))[: MOST_CHANGES + 1])


def basis(question: Question) -> str:
    """What the pays of a form are changes of."""
    return "|".join((question.game, question.wager, question.letter or "", question.reading or "", str(question.as_of)))


def read_day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def read_stake(text: str) -> int | None:
    """Dollars as typed, in cents; nothing if it is no stake."""
    try:
        amount = cents(text.strip()[:20])
    except MoneyError:
        return None
    return amount if 0 < amount <= LARGEST_STAKE else None
