"""What play is worth at a main game: best play, typical errors, play without looking, and the worst legal play.

Each value is counted over all deals, like that of best play. Lists to learn are found by ``rulelist`` and its kin.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from pitboss.exact import board, solo
from pitboss.exact.board import BoardPlay
from pitboss.exact.board_folds import every_deal
from pitboss.exact.breakdown import by_cell
from pitboss.exact.cache import fingerprint, kept_figures
from pitboss.exact.engine import play_of
from pitboss.exact.plan import ENDED, ChoicePlan, Choosing, Staged
from pitboss.exact.rulelist import ladder
from pitboss.exact.solo import Play
from pitboss.exact.value import Valued, weigh
from pitboss.games.contract import Game
from pitboss.games.course import FOLD
from pitboss.games.rules import Rules
from pitboss.hands.orders import RankOrder

SKILL_CODE: Final = (*board.PLAYING_CODE, "exact/solo.py", "exact/value.py", "exact/skill.py")
UNPAIRED: Final = ("high_card", "ace_king")
Legal = npt.NDArray[np.bool_]


class Way(StrEnum):
    """How a way of playing comes about."""

    ERROR = "error"
    """A habit; all else is played as well as can be."""
    BLIND = "unseen"
    """The same choice with every hand."""
    WORST = "worst"


@dataclass(frozen=True)
class WayOfPlay:
    """A way of playing the main wagers, with its exact value and its cost against best play, in units."""

    way: Way
    name: str
    expected_value: Fraction
    cost: Fraction

    def as_dict(self) -> dict[str, Any]:
        return {
            "way": str(self.way),
            "name": self.name,
            "expected_value": str(self.expected_value),
            "house_edge": float(-self.expected_value),
            "cost": str(self.cost),
        }


def skill_range(game: Game, rules: Rules) -> tuple[WayOfPlay, ...]:
    """Ways of playing other than best play, the costliest last; nothing where there is no choice to make.

    Where cards can be drawn, they are of the part of the game without a draw.
    """
    if not game.course.weighed:
        return ()
    play = play_of(game, rules)
    best = play.result.expected_value
    if isinstance(play, BoardPlay) and play.key:

        def make() -> dict[str, Any]:
            return {"ways": [(str(way), name, str(value)) for way, name, value in _ways(game, rules, play)]}

        figures = kept_figures(f"skill-{game.name}", fingerprint(play.key, SKILL_CODE), make)
        found = [(Way(way), name, Fraction(value)) for way, name, value in figures["ways"]]
    else:
        found = [*_ways(game, rules, play)]
    listed = [WayOfPlay(way, name, value, best - value) for way, name, value in dict.fromkeys(found)]
    return tuple(sorted(listed, key=lambda each: each.cost))


def _ways(game: Game, rules: Rules, play: Valued | Staged) -> Iterator[tuple[Way, str, Fraction]]:
    if isinstance(play, Valued):
        yield from _of_duel(game, play)
        return
    assert isinstance(play, Play | BoardPlay), "there are two counters of games that ask more than once"
    for name, value in _without_looking(play).items():
        yield Way.BLIND, name, value
    for name, plan in _limited(play.plan):
        yield Way.ERROR, name, _played(game, rules, play, plan)
    yield Way.WORST, "worst legal play", -_played(game, rules, play, _negated(play.plan))


def _of_duel(game: Game, play: Valued) -> Iterator[tuple[Way, str, Fraction]]:
    assert game.duel is not None, "a valued duel has one"
    grid, solved, required = play.grid, play.solved, play.required

    def value(legal: Legal) -> Fraction:
        """Best play of what is legal here, and of all choices where nothing is."""
        allowed = np.where(legal.any(axis=1, keepdims=True), legal, grid.legal)
        return weigh(solved, replace(grid, legal=allowed), required).result.expected_value

    folds = np.array([name == FOLD.name for name in grid.names])
    sizes = [grid.wagered[name] for name in grid.names]
    raises = sorted({size for size, fold in zip(sizes, folds, strict=True) if not fold})
    if folds.any():
        yield Way.ERROR, "never folds, best play otherwise", value(grid.legal & ~folds)
    if len(raises) > 1 and game.restriction == "":
        least = np.array([fold or size == raises[0] for size, fold in zip(sizes, folds, strict=True)])
        yield Way.ERROR, "never bets more than the least, best play otherwise", value(grid.legal & least)
    open_states = grid.legal[grid.legal.sum(axis=1) > 1]
    for column, name in enumerate(grid.names):
        if open_states[:, column].all():
            yield Way.BLIND, f"always {name}", value(grid.legal & (np.arange(len(grid.names)) == column))
    if folds.any():
        yield from _by_hand(game, play, int(folds.argmax()))
    upside_down = replace(grid, nets=-grid.nets)
    yield Way.WORST, "worst legal play", -weigh(solved, upside_down, required).result.expected_value


def _by_hand(game: Game, play: Valued, fold: int) -> Iterator[tuple[Way, str, Fraction]]:
    """Folding by the player's own hand alone, best play otherwise."""
    assert game.duel is not None, "a valued duel has one"
    solved, grid = play.solved, play.grid
    order: RankOrder = game.duel.order
    rungs = ladder(game.duel, play)
    may_fold = grid.legal[grid.fact_of_kind[solved.kinds], fold]
    staying = weigh(solved, replace(grid, legal=_staying(grid.legal, fold)), play.required).picked

    def value(folded: npt.NDArray[np.bool_]) -> Fraction:
        picked = np.where(folded & may_fold, fold, staying).astype(np.uint8)
        return weigh(solved, grid, play.required, picked).result.expected_value

    unpaired = np.array([order.category(score) in UNPAIRED for score in rungs.scores.tolist()])
    if unpaired.any() and not unpaired.all():
        of_state = unpaired[rungs.rung_of_kind[solved.kinds]]
        yield Way.ERROR, "folds every hand below a pair and no other", value(of_state)
    if len(solved.kind_qualifies) and solved.kind_qualifies.any() and not solved.kind_qualifies.all():
        yield (
            Way.ERROR,
            "plays the hands that would qualify as a dealer's, and folds others",
            value(~solved.kind_qualifies[solved.kinds]),
        )


def _staying(legal: Legal, fold: int) -> Legal:
    """What is legal without folding, and all of it where there is nothing else."""
    stay = legal.copy()
    stay[:, fold] = False
    return np.where(stay.any(axis=1, keepdims=True), stay, legal)


def _without_looking(play: Play | BoardPlay) -> dict[str, Fraction]:
    """What every sequence of choices is worth that is made whatever the cards are."""
    plan = play.plan
    if isinstance(play, Play):
        ways = play.counts.ends[play.counts.solo.own]
        every = ways.T @ play.counts.levels[play.counts.solo.own].classes.weights
    else:
        every = by_cell(play.counts, every_deal(play.counts)[None])[0]
    deals = int(every.sum())
    nets = [Fraction(int(sum(int(n) * int(w) for n, w in zip(row, every, strict=True))), deals) for row in plan.nets]
    found: dict[str, Fraction] = {}
    paths: dict[tuple[str, ...], int] = {(): 0}
    for step in plan.steps:
        after: dict[tuple[str, ...], int] = {}
        for path, history in paths.items():
            for choice in np.flatnonzero(step.legal[history]).tolist():
                name = step.names[choice]
                made = (*path, name) if name else path
                if step.follows[history, choice] == ENDED:
                    found[_path(made)] = Fraction(int(step.ended[history, choice]), plan.unit)
                else:
                    after[made] = int(step.follows[history, choice])
        paths = after
    values = {_path(path): nets[history] / plan.unit for path, history in paths.items()}
    best, worst = max(values, key=values.__getitem__), min(values, key=values.__getitem__)
    first_fold = next(iter(found), None)
    return {
        **({f"always {first_fold}": found[first_fold]} if first_fold is not None else {}),
        **{f"always {name}": values[name] for name in dict.fromkeys((best, worst))},
    }


def _path(names: Sequence[str]) -> str:
    return ", then ".join(names)


def _limited(plan: ChoicePlan) -> Iterator[tuple[str, ChoicePlan]]:
    """The plan without a choice that some players never make."""
    if any(FOLD.name in step.names for step in plan.steps):
        yield "never folds, best play otherwise", _without(plan, lambda name: name == FOLD.name)
    sizes = {name for step in plan.steps for name in step.names if name and name[-1] == "x"}
    smallest = min((name.rpartition(" ")[2] for name in sizes), default="")
    larger = {name for name in sizes if name.rpartition(" ")[2] != smallest}
    if larger:
        yield f"never bets more than {smallest}, best play otherwise", _without(plan, larger.__contains__)


def _without(plan: ChoicePlan, left_out: Callable[[str], bool]) -> ChoicePlan:
    def limited(step: Choosing) -> Choosing:
        keep = np.array([not left_out(name) for name in step.names])
        legal = step.legal & keep
        return replace(step, legal=np.where(legal.any(axis=1, keepdims=True), legal, step.legal))

    return replace(plan, steps=tuple(map(limited, plan.steps)))


def _negated(plan: ChoicePlan) -> ChoicePlan:
    """Pays with the other sign: best play of these is the worst of the others."""
    return replace(plan, nets=-plan.nets, steps=tuple(replace(step, ended=-step.ended) for step in plan.steps))


def _played(game: Game, rules: Rules, play: Play | BoardPlay, plan: ChoicePlan) -> Fraction:
    """What best play of a plan is worth."""
    if isinstance(play, Play):
        return solo.played(game, rules, play.counts, plan).result.expected_value
    return board.played(game, rules, play.counts, plan).result.expected_value
