"""How seats decide: tables from the exact engine, its compact rule lists, one choice always, or a Python function."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np

from pitboss.exact import solo
from pitboss.exact.board import BoardPlay
from pitboss.exact.engine import duel_of, play_of
from pitboss.exact.plan import Staged
from pitboss.exact.rulelist import RuleFinder
from pitboss.exact.solo import Play
from pitboss.exact.value import Result, Valued
from pitboss.findings import UnreadableError
from pitboss.games.contract import Game
from pitboss.games.course import Choice, Draw, Sight
from pitboss.games.facts import Look
from pitboss.games.round import Decision
from pitboss.games.rules import Rules
from pitboss.hands.batch import RankingError
from pitboss.hands.orders import RankOrder
from pitboss.public import public
from pitboss.simulate.decisions import Decisions, Looked, OnBoard, decisions_of, on_board, street_decisions
from pitboss.simulate.evaluators import Evaluator
from pitboss.simulate.groups import NOBODY, Path
from pitboss.simulate.words import Bytes, Scores, Words

Player = Callable[[Sight], Decision]
"""A player's own way of deciding, for small runs by the scalar rules."""

OPTIMAL, NEVER, ALWAYS, PLAIN = "optimal", "never", "always", "plain"
CALLED, OWN = "a function", "own choices"
"""The names of a strategy that is a Python function, and of one made into tables."""
LISTS = ("whole-hands", "thresholds", "whole-hands-by-up-card", "thresholds-by-up-card",
         "whole-hands-by-matched-up-card", "thresholds-by-matched-up-card")  # fmt: skip
INSTANT = "instant"
NO_DRAW, NO_EXCHANGE = "no-draw", "no-exchange"
"""Where cards can be drawn: never; one more card at most. ``optimal`` also exchanges."""


NOT_VALUED = "the value of the main game is not known exactly where it is played so"


@dataclass(frozen=True)
class DrawTables:
    """What a game with a draw needs besides the first decision: hands afterwards, and how it is decided again."""

    order: RankOrder
    five: Evaluator
    six: Evaluator
    after_buying: Decisions
    bet_from: Words
    """After an exchange: whether to bet, by place, up card and flush, or where the gains to reckon with begin."""
    seconds: Bytes
    """The second combination by fact code."""
    scores: Scores
    """Scores of all hands of five cards, by number."""
    most_drawn: int
    """Cards that one player can draw."""


@dataclass(frozen=True)
class Strategy:
    """A way of deciding as tables, and the main game as it is then worth, where that is known exactly."""

    name: str
    decisions: tuple[Decisions | Looked | OnBoard, ...]
    """One table for each step; where cards are drawn, of the first."""
    valued: Valued | Staged | None = None
    result: Result | None = None
    draws: DrawTables | None = None
    note: str = ""
    """What there is to know of the value of the main game where it is not exact, or not of the whole game."""


def draws_cards(game: Game) -> bool:
    return any(isinstance(step, Draw) for step in game.course.flat)


def never_asked(game: Game) -> Path:
    """The way of a seat that has nothing to choose; where there is a draw, because its hand is paid at once."""
    return Path({}, INSTANT if draws_cards(game) else NOBODY)


def part_played(game: Game, name: str) -> str:
    """The reading that a strategy plays, where cards can be drawn: the whole game, or a part of it."""
    draws = [reading for reading in game.readings if game.scope(reading).draws]
    stay = [reading for reading in draws if not game.scope(reading).exchanges]
    return draws[0] if name == OPTIMAL else stay[0] if name == NO_EXCHANGE else game.played


@public
def strategy_names(game: Game) -> tuple[str, ...]:
    """What ``strategy_of`` understands."""
    lists = () if game.duel is None else LISTS if game.duel.up_card else LISTS[:2]
    drawing = (NO_DRAW, NO_EXCHANGE) if draws_cards(game) else ()
    plain = (PLAIN,) if game.plain else ()
    return OPTIMAL, *plain, *drawing, *lists, ALWAYS, f"{ALWAYS}:CHOICE", NEVER


def strategy_of(game: Game, rules: Rules, name: str) -> Strategy:
    """The tables of a strategy. Where there is a draw, this is one that does not draw."""
    if not game.course.weighed:
        return Strategy(name, ())
    if game.plain and name != OPTIMAL:
        return _looking(game, rules, name, game.plain if name == PLAIN else _one_look(game, rules, name))
    try:
        best = play_of(game, rules)
    except RankingError as different:
        if name.partition(":")[0] not in (NEVER, ALWAYS):
            others = f"{ALWAYS}, {ALWAYS}:CHOICE, {NEVER} or a function"
            raise UnreadableError(f"{different} So {name} play isn't known; choose {others}.") from None
        return _looking(game, rules, name, _one_look(game, rules, name))
    if isinstance(best, Play) and name != OPTIMAL:
        return as_played(game, _one_choice(game, rules, best, name), name)
    if isinstance(best, Valued) and name not in (OPTIMAL, NO_DRAW):
        return as_played(game, _forced(game, best, name), name)
    return as_played(game, best, name)


def _looking(game: Game, rules: Rules, name: str, looks: Mapping[str, Look]) -> Strategy:
    """The tables of a strategy that looks at a few facts, or at none, and is not solved."""
    made = (Looked(tuple(each.name for each in step.choices(rules)), looks[step.name]) for step in game.course.weighed)
    return Strategy(name, tuple(made), note=NOT_VALUED)


def as_played(game: Game, played: Valued | Staged, name: str) -> Strategy:
    """The tables of a game as it was valued: played as well as can be, or in another way."""
    part = f"only a part of the game is played: {game.restriction}" if game.restriction else ""
    tables: tuple[Decisions | OnBoard, ...]
    if isinstance(played, BoardPlay):
        tables = on_board(played)
    elif isinstance(played, Play):
        tables = tuple(map(street_decisions, played.streets))
    else:
        assert isinstance(played, Valued)
        duel = duel_of(game)
        tables = (decisions_of(played, duel.suit_blind, duel.order.size),)
    return Strategy(name, tables, played, played.result, note=part)


def _one_choice(game: Game, rules: Rules, best: Play, name: str) -> Play:
    """The same choice at every step: what lays out least, or what lays out least of the others, or a choice named."""
    head, _, wanted = name.partition(":")
    picks = []
    for step, street in zip(game.course.weighed, best.streets, strict=True):
        names = [choice.name for choice in sorted(step.choices(rules), key=_laid_out)]
        choice = names[0] if name == NEVER else wanted or names[1]
        if head not in (NEVER, ALWAYS) or choice not in street.names:
            raise _unknown(game, name, names)
        picks.append(np.full_like(street.picked, street.names.index(choice)))
    return solo.played(game, rules, best.counts, best.plan, picks)


def _one_look(game: Game, rules: Rules, name: str) -> dict[str, Look]:
    """The same without looking at the cards; where a choice named is not open, what lays out least."""
    head, _, wanted = name.partition(":")
    steps = {
        step.name: [each.name for each in sorted(step.choices(rules), key=_laid_out)] for step in game.course.weighed
    }
    if head not in (NEVER, ALWAYS) or (wanted and not any(wanted in names for names in steps.values())):
        raise _unknown(game, name, list(dict.fromkeys(each for names in steps.values() for each in names)))
    picked = {
        step: names[0] if head == NEVER else names[1] if not wanted else wanted if wanted in names else names[0]
        for step, names in steps.items()
    }
    return {step: Look((), partial(str, choice)) for step, choice in picked.items()}


def _laid_out(choice: Choice) -> int:
    return sum(choice.puts.values()) - len(choice.option.takes_back)


def _unknown(game: Game, name: str, choices: list[str]) -> UnreadableError:
    return UnreadableError(
        f"There is no strategy called {name!r} for {game.name}: {', '.join(strategy_names(game))}, "
        f"where CHOICE is one of {', '.join(choices)}."
    )


def _forced(game: Game, best: Valued, name: str) -> Valued:
    finder = RuleFinder(game, best)
    choices = [best.grid.names[column] for column in finder.choices]
    head, _, choice = name.partition(":")
    if name == NEVER:
        return finder.always(choices[0]).valued
    if head == ALWAYS and (choice or choices[1]) in choices:
        return finder.always(choice or choices[1]).valued
    if name in LISTS and LISTS.index(name) // 2 < len(finder.splits):
        place = LISTS.index(name)
        return finder.found(finder.splits[place // 2], whole=place % 2 == 0).valued
    raise _unknown(game, name, choices)
