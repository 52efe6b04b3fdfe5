"""Values summed over cards still to come, and numbers of orders in which boards are seen: from one size to the next.

Values go from a board to those with a card less: each class adds its values, by weight, to the class of each board
that lacks one of its cards, with suits renamed as that class has them. Where several renamings would do, the sums
are evened out over them. They are whole numbers: sums over all orders of the cards to come and all dealer's holdings.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from pitboss.cards import RANKS
from pitboss.exact import board_kernels as kernels
from pitboss.exact.board_classes import NAMES, PAIR, BoardLevel
from pitboss.exact.board_counts import BoardCounts, looking_up, share
from pitboss.exact.decks import Ints, Places
from pitboss.exact.duel import Progress
from pitboss.exact.plan import ChoicePlan
from pitboss.exact.value import CELLS, WORKERS, Picked
from pitboss.games.contract import Versus

BEST_PLAY: Picked = np.zeros((0, 0, 0), np.uint8)
"""In place of a strategy's choices: the best of each state is taken."""
_NOT_COUNTED = np.zeros((0, 0), np.int64)
_AT_ONCE = 256
"""Boards whose values are held before they are added up."""


def linear(counts: BoardCounts, plan: ChoicePlan) -> Ints:
    """By kind and final history: what it is worth against all of the dealer's holdings, as a sum of multiples.

    The multiples are of those below the player's holding, of those below or level with it, of those that do not
    qualify, and of one. Those that do not qualify are the lowest: all of them lie below one that would qualify itself.
    """
    lower, upto, none, dealt = np.eye(4, dtype=np.int64)
    both = [
        np.array([none - upto, upto - lower, lower, dealt - none, 0 * dealt, 0 * dealt]),
        np.array([0 * none, 0 * none, none, dealt - upto, upto - lower, lower - none]),
    ]
    cells = np.stack([both[int(reaches)] for reaches in counts.reaches])
    nets = plan.nets.reshape(len(plan.finals), len(counts.kinds), len(CELLS))
    return np.ascontiguousarray(np.einsum("fkc,kcx->kfx", nets, cells) * [1, 1, 1, counts.dealt])


@dataclass(frozen=True)
class Last:
    """The decision at the whole board, or none: every history goes on as it is."""

    legal: npt.NDArray[np.bool_]
    follows: Ints
    ended: Ints

    @classmethod
    def of(cls, plan: ChoicePlan, cards: int) -> "Last":
        last = plan.steps[-1]
        if last.seen - PAIR == cards:
            return cls(last.legal, last.follows, last.ended)
        same = np.arange(len(plan.finals), dtype=np.int64)[:, None]
        return cls(np.ones_like(same, np.bool_), same, np.zeros_like(same))


def _on(counts: BoardCounts, last: Last, lines: Ints, forced: Picked, part: slice) -> tuple[Any, ...]:
    """What the kernels want to know of some whole boards."""
    whole, chosen = counts.levels[-1], forced if not len(forced) else forced[:, part]
    boards = counts.deck.size, whole.boards[part], whole.classes.weights[part], counts.entries[part]
    rules = counts.reaches, lines, last.legal, last.follows, last.ended * counts.dealt
    return *boards, *rules, whole.lacking[part], whole.turned[part], counts.renamed, chosen


def weigh_whole(
    counts: BoardCounts,
    plan: ChoicePlan,
    progress: Progress | None,
    forced: Picked = BEST_PLAY,
    counted: Ints = _NOT_COUNTED,
) -> Ints:
    """What the histories before the decision at the whole board are worth with a card less, or how often they end."""
    size, last, lines = counts.board.cards - 1, Last.of(plan, counts.board.cards), linear(counts, plan)
    shape = len(counts.levels[size].boards), len(last.legal), counts.pairs
    sums = [np.zeros(shape, np.int64) for _ in range(WORKERS)]
    weigh_boards: Callable[..., None] = kernels.weigh_boards

    def work(worker: int, part: slice) -> None:
        weigh_boards(*_on(counts, last, lines, forced, part), counted, sums[worker])

    share(len(counts.entries), work, "weighing boards", progress)
    total = sums.pop()
    while sums:
        total += sums.pop()
    values = np.ascontiguousarray(np.moveaxis(total, 1, 0))
    del total
    _even(counts, size, values)
    return values


def face_whole(counts: BoardCounts, plan: ChoicePlan, progress: Progress | None) -> Ints:
    """What ``weigh_whole`` finds, where cards of the dealer are known."""
    size, last, whole = counts.board.cards - 1, Last.of(plan, counts.board.cards), counts.levels[-1]
    rules = counts.reaches, linear(counts, plan), last.legal, last.follows, last.ended * counts.dealt
    hands, known = looking_up(counts), np.array(counts.known, np.uint8)
    face_boards: Callable[..., None] = kernels.face_boards
    values = np.zeros((len(last.legal), len(counts.levels[size].boards), counts.pairs), np.int64)
    with ThreadPoolExecutor(WORKERS) as pool:
        for start in range(0, len(whole.boards), _AT_ONCE):
            part = slice(start, start + _AT_ONCE)
            boards = whole.boards[part]
            worth = np.zeros((len(values), len(boards), counts.pairs), np.int64)

            def face(few: slice, boards: Places = boards, worth: Ints = worth) -> None:
                face_boards(counts.deck.size, boards[few], *hands, known, *rules, worth[:, few])

            list(pool.map(face, _shares(len(boards))))
            _add_down(counts, whole, part, worth, values, pool)
            if progress is not None:
                progress("weighing boards", min(1.0, (start + _AT_ONCE) / len(whole.boards)))
    _even(counts, size, values)
    return values


def _shares(rows: int) -> list[slice]:
    """What each thread does of some rows."""
    bounds = [rows * worker // WORKERS for worker in range(WORKERS + 1)]
    return [slice(start, end) for start, end in pairwise(bounds)]


def _add_down(
    counts: BoardCounts, level: BoardLevel, part: slice, values: Ints, out: Ints, pool: ThreadPoolExecutor
) -> None:
    """Add the values of some boards to those with a card less, a few histories to each thread."""
    ways = level.lacking[part], level.turned[part], counts.renamed

    def add(few: slice) -> None:
        kernels.down(values[few], level.classes.weights[part], *ways, out[few])

    list(pool.map(add, _shares(len(values))))


def tally(
    counts: BoardCounts, last: Last, lines: Ints, forced: Picked, reach: Picked, progress: Progress | None
) -> tuple[Ints, Ints, int]:
    """States by history and choice at the whole board, deals by end and both hands, and states with a tie."""
    shape = lines.shape[1] + last.legal.size, len(counts.kinds), len(counts.kinds), len(Versus)
    made, joint = (np.zeros((WORKERS, *each), np.int64) for each in (last.legal.shape, shape))
    ties = [0] * WORKERS
    tally_boards: Callable[..., int] = kernels.tally_boards

    def work(worker: int, part: slice) -> None:
        ties[worker] += tally_boards(*_on(counts, last, lines, forced, part), reach, made[worker], joint[worker])

    share(len(counts.entries), work, "playing every deal", progress)
    return made.sum(axis=0), joint.sum(axis=0), sum(ties)


def whole_sums(counts: BoardCounts, plan: ChoicePlan, reach: Picked, lying: Ints, kinds: int) -> Ints:
    """By choice and group: what is won with the whole board after smaller boards were seen so; see ``group_boards``."""
    last, lines, ranks = Last.of(plan, counts.board.cards), linear(counts, plan), np.array(counts.deck.ranks, np.int64)
    sums = np.zeros((WORKERS, last.legal.shape[1], kinds * len(counts.kinds) * len(RANKS) ** PAIR + 1), np.int64)
    group_boards: Callable[..., None] = kernels.group_boards

    def work(worker: int, part: slice) -> None:
        *known, _ = _on(counts, last, lines, BEST_PLAY, part)
        group_boards(*known, reach, ranks, lying[part], sums[worker])

    share(len(counts.entries), work, "looking for rules", None)
    return np.asarray(sums.sum(axis=0))


def raised(counts: BoardCounts, size: int, to: int, reach: Picked) -> Picked:
    """In how many orders larger boards are seen."""
    for less in range(size, to):
        level = counts.levels[less + 1]
        out = np.zeros((len(reach), len(level.boards), counts.pairs), np.uint8)
        kernels.up(reach, level.lacking, level.turned, counts.renamed, out)
        reach = out
    return reach


def _even(counts: BoardCounts, size: int, values: Ints) -> None:
    kernels.even_out(values, counts.levels[size].masks, NAMES[counts.names], counts.renamed[counts.names])


def lowered(counts: BoardCounts, size: int, values: Ints) -> Ints:
    """The sum over every card that may come next, for the boards with a card less."""
    out = np.zeros((len(values), len(counts.levels[size - 1].boards), counts.pairs), np.int64)
    with ThreadPoolExecutor(WORKERS) as pool:
        _add_down(counts, counts.levels[size], slice(None), values, out, pool)
    _even(counts, size - 1, out)
    return out
