"""The decisions of a game in stages, as the counters of other seats' cards take them: from the last to the first.

Two plays are valued on the same deal: the best one of a seat that knows more, and that of a seat that does not. Each
history of choices has a *column* of values for each of the two, or one for both where they can't differ.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from numba import njit

from pitboss.exact.decks import Ints, Places
from pitboss.exact.facets import NotCountedError
from pitboss.exact.plan import ENDED, ChoicePlan, Choosing

COPY, BEST, USUAL = range(3)
"""What a column is: an earlier one, a history under best play, or a history under the policy."""
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Stages:
    """By stage: the columns, where each comes from, and the decision."""

    mode: Ints
    which: Ints
    """The earlier column, or the history."""
    columns: Ints
    legal: Bools
    follows: Ints
    ended: Ints
    best_of: Ints
    """The earlier column of each history after the decision, under best play."""
    usual_of: Ints


def stages_of(plan: ChoicePlan, seen: Sequence[int], finals: npt.NDArray[np.int64]) -> Stages:
    """Stages at so many cards seen, from the last one to the first decision; ``finals`` has a row for each final
    history, and equal rows are worth the same."""
    steps: dict[int, Choosing] = {each.seen: each for each in plan.steps}
    if not set(steps) <= {*seen} or seen[-1] != plan.steps[0].seen:
        raise NotCountedError("Other seats' cards are not counted where choices are made at other times than these.")
    most = max(len(plan.finals), *(max(each.legal.shape) for each in plan.steps))
    shape = len(seen), most, most
    legal, follows, ended = np.zeros(shape, np.bool_), np.full(shape, ENDED, np.int64), np.zeros(shape, np.int64)
    mode, which = np.zeros((len(seen), 2 * most), np.int64), np.zeros((len(seen), 2 * most), np.int64)
    best_of, usual_of = np.zeros((len(seen), most), np.int64), np.zeros((len(seen), most), np.int64)
    columns = np.zeros(len(seen), np.int64)
    rows = finals.tolist()
    best = usual = [rows.index(row) for row in rows]
    for stage, many in enumerate(seen):
        best_of[stage, : len(best)], usual_of[stage, : len(usual)] = best, usual
        found: list[tuple[int, int]] = []
        step = steps.get(many)
        if step is None:
            best, usual = ([_place(found, COPY, each) for each in part] for part in (best, usual))
        else:
            part = (stage, slice(step.legal.shape[0]), slice(step.legal.shape[1]))
            legal[part], follows[part], ended[part] = step.legal, step.follows, step.ended
            after, asked = list[tuple[int, int]](), list[object]()
            for history in range(len(step.legal)):
                picks = np.flatnonzero(step.legal[history]).tolist()
                leads = [int(step.follows[history, choice]) for choice in picks]
                # Histories that can do the same for the same are one.
                asked.append(
                    [
                        (choice, int(step.ended[history, choice])) if to == ENDED else (choice, best[to], usual[to])
                        for choice, to in zip(picks, leads, strict=True)
                    ]
                )
                alike = asked.index(asked[-1])
                if len(picks) > 1 or leads[0] == ENDED:
                    after.append((_place(found, BEST, alike), _place(found, USUAL, alike)))
                else:
                    after.append((_place(found, COPY, best[leads[0]]), _place(found, COPY, usual[leads[0]])))
            best, usual = [each for each, _ in after], [each for _, each in after]
        columns[stage] = len(found)
        for place, (kind, source) in enumerate(found):
            mode[stage, place], which[stage, place] = kind, source
    assert mode[-1, :2].tolist() == [BEST, USUAL], "every seat decides something at first"
    return Stages(mode, which, columns, legal, follows, ended, best_of, usual_of)


def _place(found: list[tuple[int, int]], kind: int, source: int) -> int:
    """The place of a column, which is made where there is none."""
    if (kind, source) not in found:
        found.append((kind, source))
    return found.index((kind, source))


@njit(cache=True, nogil=True)
def settle(
    values: Ints,
    ways: int,
    mode: Ints,
    which: Ints,
    legal: Bools,
    follows: Ints,
    ended: Ints,
    best_of: Ints,
    usual_of: Ints,
    policy: Places,
    deciding: bool,
    out: Ints,
) -> None:
    """One decision: from what histories after it are worth to what those before it are, column by column.

    Best play comes before the policy, which is written where ``deciding``.
    """
    for column in range(len(mode)):
        history = which[column]
        if mode[column] == COPY:
            out[column] = values[history]
        elif mode[column] == BEST:
            first, picked = True, 0
            for choice in range(legal.shape[1]):
                if legal[history, choice]:
                    follow = follows[history, choice]
                    worth = ended[history, choice] * ways if follow == ENDED else values[best_of[follow]]
                    if first or worth > out[column]:
                        out[column], picked, first = worth, choice, False
            if deciding:
                policy[history] = picked
        else:
            choice = policy[history]
            follow = follows[history, choice]
            out[column] = ended[history, choice] * ways if follow == ENDED else values[usual_of[follow]]
