"""Solving the main games: our counting against our own compiled brute force, cold and warm times, what-if, memory.

The brute force looks at every dealer's hand for every player's hand: scores are ready in a table, overlapping hands
are left out by bit masks, and both sides use two threads. It is timed on a sample of player's hands, on which its
counts must equal ours, and extrapolated; nobody waits for the whole of it.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from functools import partial
from itertools import pairwise
from math import comb, nan
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import njit

from pitboss.api import rules_for
from pitboss.exact import board, board_classes, board_counts, solo
from pitboss.exact.decks import FULL, SmallDeck, all_subsets, subsets_of, suit_classes
from pitboss.exact.duel import Solved, hand_scores, solve
from pitboss.exact.edge import edge_rows, main_table
from pitboss.exact.engine import duel_of
from pitboss.exact.plan import Staged
from pitboss.exact.value import Valued, value
from pitboss.games.registry import GAMES
from pitboss.games.repaying import with_rows
from pitboss.games.rules import Rules
from pitboss.games.structure import Duel
from pitboss.hands import batch
from pitboss.law.odds import ToOne

SEED = 2019
REPEATS = 3
HERE = Path(__file__).parents[1]
THREADS = 2
AS_OF = date(2024, 6, 1)
SAMPLES = {"four-card-frenzy": 240, "four-card-poker": 24}
"""Player's hands given to the brute force."""

Rows = list[tuple[str, ...]]
Masks = npt.NDArray[np.uint64]
Scores = npt.NDArray[np.int32]
Counts = npt.NDArray[np.int64]


def run() -> Iterator[tuple[str, Rows]]:
    """Each table of results: a title, then rows of which the first is the heading."""
    title = f"All states solved, compile cache warm (median of {REPEATS}); brute force extrapolated from a sample"
    yield title, list(_ratio_rows())
    yield (
        "Holdings of every board counted, compile cache warm; brute force extrapolated from a sample",
        list(_board_rows()),
    )
    yield (
        "Main games in new processes: first with an empty compile cache, then with a filled one",
        list(_process_rows()),
    )


@njit(cache=True, nogil=True)
def _brute_force(
    masks: Masks, scores: Scores, dealt: npt.NDArray[np.uint8], mine: Masks, own: Scores, up: bool, out: Counts
) -> None:
    """``out[hand, up card]``: dealer's hands below the player's, and below or level; without up card in column 0."""
    size = dealt.shape[1]
    for player in range(len(mine)):
        held, score = mine[player], own[player]
        for dealer in range(len(masks)):
            if masks[dealer] & held == 0:
                below = scores[dealer] < score
                upto = scores[dealer] <= score
                if up:
                    for place in range(size):
                        out[player, dealt[dealer, place], 0] += below
                        out[player, dealt[dealer, place], 1] += upto
                else:
                    out[player, 0, 0] += below
                    out[player, 0, 1] += upto


def _masks(hands: npt.NDArray[np.uint8]) -> Masks:
    masks = np.zeros(len(hands), np.uint64)
    for column in hands.T:
        masks |= np.uint64(1) << column.astype(np.uint64)
    return masks


@dataclass(frozen=True)
class Sample:
    """Everything the brute force is given before its clock starts."""

    duel: Duel
    dealt: npt.NDArray[np.uint8]
    masks: Masks
    scores: Scores
    hands: npt.NDArray[np.uint8]
    own: Scores

    def count(self, rows: slice) -> Counts:
        hands = self.hands[rows]
        out = np.zeros((len(hands), FULL.size, 2), np.int64)
        _brute_force(self.masks, self.scores, self.dealt, _masks(hands), self.own[rows], self.duel.up_card, out)
        return out

    def count_all(self) -> Counts:
        bounds = np.linspace(0, len(self.hands), THREADS + 1, dtype=int)
        parts = [slice(start, end) for start, end in pairwise(bounds)]
        with ThreadPoolExecutor(THREADS) as pool:
            return np.concatenate(list(pool.map(self.count, parts)))


def _sample(duel: Duel, solved: Solved, size: int) -> Sample:
    dealt = np.empty((comb(FULL.size, duel.dealer_cards), duel.dealer_cards), np.uint8)
    all_subsets(FULL.size, duel.dealer_cards, dealt)
    rng = np.random.default_rng(SEED)
    hands = solved.hands[rng.choice(len(solved.hands), size, replace=False)]
    scores = hand_scores(duel.order, FULL, duel.dealer_cards)
    return Sample(duel, dealt, _masks(dealt), scores, hands, batch.evaluate(duel.order, hands))


def _same_counts(solved: Solved, sample: Sample, counted: Counts) -> bool:
    """The states of the sampled hands have the counts that brute force found."""
    for hand, found in zip(sample.hands, counted, strict=True):
        states = np.flatnonzero((solved.hands == hand).all(axis=1))
        ups = solved.ups[states] if sample.duel.up_card else np.zeros(len(states), np.uint8)
        ours = np.stack([solved.lower[states], solved.upto[states]], axis=1)
        if not len(states) or not np.array_equal(ours, found[ups]):
            return False
    return True


def _ratio_rows() -> Iterator[tuple[str, ...]]:
    yield "game", "solve s", "player's hands", "sample", "sample s", "brute force s", "ratio"
    for name, size in SAMPLES.items():
        duel = duel_of(GAMES[name])
        solve(duel, SmallDeck((0, 1, 2)))
        solved = solve(duel)
        seconds = median(_seconds(partial(solve, duel)) for _ in range(REPEATS))
        sample = _sample(duel, solved, size)
        sample.count(slice(0, 1))
        start = perf_counter()
        counted = sample.count_all()
        sampled = perf_counter() - start
        if not _same_counts(solved, sample, counted):
            raise SystemExit(f"brute force counts other hands than we do in {name}, so times cannot be compared")
        every, classes = comb(FULL.size, duel.player_cards), len(suit_classes(FULL, duel.player_cards).hands)
        for which, hands in (("all", every), ("one of each suit class", classes)):
            brute = sampled / size * hands
            yield (
                f"{name}, {which}",
                f"{seconds:.2f}",
                f"{hands:,}",
                f"{size}",
                f"{sampled:.2f}",
                f"{brute:,.0f}",
                f"{brute / seconds:,.0f}",
            )


@njit(cache=True, nogil=True)
def _brute_boards(masks: Masks, scores: Scores, lying: Masks, out: Counts) -> None:
    """``out[board, holding]``: the dealer's holdings below the player's, and below or level with it."""
    for row in range(len(lying)):
        for mine in range(len(masks)):
            if masks[mine] & lying[row] == 0:
                taken, score = masks[mine] | lying[row], scores[row, mine]
                for theirs in range(len(masks)):
                    if masks[theirs] & taken == 0:
                        out[row, mine, 0] += scores[row, theirs] < score
                        out[row, mine, 1] += scores[row, theirs] <= score


BOARDS = 60
"""Boards given to the brute force."""


def _board_rows() -> Iterator[tuple[str, ...]]:
    """Hands on a common board: one count serves every game that is played so."""
    yield "hands on a board", "solve s", "boards", "sample", "sample s", "brute force s", "ratio"
    structures = (board_counts.board_of(game) for game in GAMES.values() if game.main_posts)
    structure = next(each for each in structures if each is not None)
    board_counts.count_afresh(structure, SmallDeck((0, 1, 2)))
    counts = board_counts.count_afresh(structure)
    seconds = median(_seconds(partial(board_counts.count_afresh, structure)) for _ in range(REPEATS))
    rows = np.random.default_rng(SEED).choice(len(counts.entries), BOARDS, replace=False)
    boards, pairs = counts.levels[-1].boards[rows], subsets_of(FULL.size, board_classes.PAIR)
    masks, lying = _masks(pairs), _masks(boards)
    scores = np.zeros((BOARDS, len(pairs)), np.int32)
    for row, hand in enumerate(boards):
        free = masks & lying[row] == 0
        own = pairs[free]
        scores[row, free] = batch.evaluate(structure.order, np.concatenate([np.tile(hand, (len(own), 1)), own], axis=1))
    found = np.zeros((BOARDS, len(pairs), 2), np.int64)
    _brute_boards(masks, scores[:0], lying[:0], found[:0])
    bounds = np.linspace(0, BOARDS, THREADS + 1, dtype=int)
    parts = [slice(start, end) for start, end in pairwise(bounds)]
    start = perf_counter()
    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(lambda part: _brute_boards(masks, scores[part], lying[part], found[part]), parts))
    sampled = perf_counter() - start
    known = counts.entries[rows].astype(np.int64)
    if not np.array_equal(found, np.stack([known & 1023, known >> 10 & 1023], axis=2)):
        raise SystemExit("brute force counts other holdings than we do, so times cannot be compared")
    for which, many in (("all boards", comb(FULL.size, structure.cards)), ("one of each class", len(counts.entries))):
        brute = sampled / BOARDS * many
        figures = (
            f"{seconds:.2f}",
            f"{many:,}",
            f"{BOARDS}",
            f"{sampled:.2f}",
            f"{brute:,.0f}",
            f"{brute / seconds:,.0f}",
        )
        yield which, *figures


def measure(name: str) -> dict[str, float]:
    """Solve, value and change one game in this process; meant for a process of its own."""
    game, rules = GAMES[name], rules_for(name, AS_OF)
    weigh: Callable[..., Valued | Staged]
    start = perf_counter()
    if not game.course.weighed:
        states = sum(1 for _ in edge_rows(game, AS_OF))
        return {
            "states": states,
            "solve": perf_counter() - start,
            "value": nan,
            "what-if": nan,
            "peak": _peak_megabytes(),
        }
    if game.duel is not None:
        solved = solve(game.duel)
        states, weigh = len(solved.kinds), partial(value, game, solved=solved, duel=game.duel)
    elif (structure := board_counts.board_of(game)) is not None:
        on_boards = board_counts.count_afresh(structure)
        states, weigh = on_boards.entries.size, partial(_on_boards, name, on_boards)
    else:
        counts = solo.count(solo.solo_of(game))
        states, weigh = sum(len(level.keys) for level in counts.levels.values()), partial(solo.valued, game)
    at_solved = perf_counter()
    weigh(rules=rules)
    at_valued = perf_counter()
    table = main_table(game)
    row = next(iter(rules.tables[table].rows))
    changes = [with_rows(rules, table, {row: ToOne(Fraction(pays))}) for pays in (7, 8, 9)]
    return {
        "states": states,
        "solve": at_solved - start,
        "value": at_valued - at_solved,
        "what-if": median(_seconds(partial(weigh, rules=to)) for to in changes),
        "peak": _peak_megabytes(),
    }


def _on_boards(name: str, counts: board_counts.BoardCounts, rules: Rules) -> Staged:
    return board.played(GAMES[name], rules, counts, board.plan_of(GAMES[name], rules, counts))


def _peak_megabytes() -> float:
    """The most memory this program has held, from Linux.

    ``getrusage`` would not do: its maximum outlives exec, so a new process starts with the size of its parent.
    """
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii")
    except OSError:
        return nan
    return next(int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmHWM"))


BEFORE = os.environ.get("PITBOSS_BEFORE", "")
"""The folder of an earlier version, to be measured in turn with this one."""


def _process_rows() -> Iterator[tuple[str, ...]]:
    yield "game", "states", "cold solve s", "warm solve s", "first value s", "what-if s", "peak MB"
    for name in (name for name, game in GAMES.items() if not game.course.contest):
        for label, home in ((name, HERE), *([(f"{name}, before", Path(BEFORE))] if BEFORE else [])):
            with TemporaryDirectory() as folder:
                cold, *warm = (_in_new_process(name, folder, home) for _ in range(1 + REPEATS))
            if not cold:
                continue
            figures = [cold["solve"], *(median(run[what] for run in warm) for what in ("solve", "value", "what-if"))]
            peak = max(run["peak"] for run in warm)
            yield label, f"{warm[0]['states']:,.0f}", *(f"{figure:.2f}" for figure in figures), f"{peak:,.0f}"


def _in_new_process(name: str, compile_cache: str, home: Path) -> dict[str, float]:
    """The measures of one run; none where an earlier version does not know the game."""
    done = subprocess.run(
        [sys.executable, "-m", "bench.exact", name],
        env={**os.environ, "NUMBA_CACHE_DIR": compile_cache, "PYTHONPATH": f"{home / 'src'}{os.pathsep}{home}"},
        cwd=home,
        capture_output=True,
        text=True,
        check=home == HERE,
    )
    measured: dict[str, Any] = json.loads(done.stdout or "{}")
    return measured


def _seconds(work: Callable[[], object]) -> float:
    start = perf_counter()
    work()
    return perf_counter() - start


if __name__ == "__main__":
    print(json.dumps(measure(sys.argv[1])))
