"""Full rounds per second: compiled rounds against the scalar rules, plain NumPy and a C program, all of one game.

Four Card Frenzy with one seat and every wager: eleven cards dealt, three hands looked up, the optimal decision, the
pays of all lines, tallies. NumPy deals with its own generator and looks hands up as ``hands.batch`` does; the C
program (``frenzy.c``) reads the same tables and deals the same cards, and must come to the same total and tallies.
Each figure is the best of several runs taken in turn, so that a busy machine treats all alike.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import date
from functools import partial
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

import numpy as np
import numpy.typing as npt

from pitboss.api import rules_for
from pitboss.exact.decks import FULL
from pitboss.games.facts import AtLeast
from pitboss.games.registry import GAMES
from pitboss.hands import FIVE_CARD, FOUR_CARD, batch
from pitboss.simulate.batches import Batch, run_batch
from pitboss.simulate.decisions import Decisions
from pitboss.simulate.evaluators import CARD_KEYS, Evaluator, evaluator
from pitboss.simulate.operations import SUITS_MATTER
from pitboss.simulate.plan import Plan, every_wager, make_plan
from pitboss.simulate.program import layout_of
from pitboss.simulate.runs import BATCH, simulate
from pitboss.simulate.scalar import ScalarTable

AS_OF = date(2024, 6, 1)
SEED = 684
REPEATS = 5
SCALAR, NUMPY, COMPILED = 300, 200_000, 4_000_000
TWO = 200_000_000
"""Rounds of each competitor in one turn."""

Rows = list[tuple[str, ...]]


def run() -> Iterator[tuple[str, Rows]]:
    """Each table of results: a title, then rows of which the first is the heading."""
    rules = rules_for("four-card-frenzy", AS_OF)
    plan = make_plan(rules, every_wager(rules, 1))
    yield (
        f"Four Card Frenzy, one seat, every wager: rounds per second of one core (best of {REPEATS})",
        list(_rates(plan)),
    )
    yield f"The same on one and two workers, {TWO:,} rounds each", list(_workers(plan))
    yield "Other games, one seat and all seats, every wager: rounds per second of one core", list(_beside())


def _rates(plan: Plan) -> Iterator[tuple[str, ...]]:
    arrays, table = _Arrays(plan), ScalarTable(plan)
    run_batch(plan.work, SEED, 0, BATCH)
    with TemporaryDirectory() as folder:
        program = _Program(plan, Path(folder))
        if program.check() != _checked(run_batch(plan.work, SEED, 0, COMPILED)):
            raise SystemExit("the C program plays other rounds than we do, so times cannot be compared")
        turns: dict[str, Callable[[], float]] = {
            "scalar rules": lambda: SCALAR / _seconds(lambda: _scalar(table)),
            "plain NumPy": lambda: NUMPY / _seconds(lambda: arrays.play(NUMPY)),
            "C, gcc -O3": program.rate,
            "compiled rounds": lambda: COMPILED / _seconds(lambda: run_batch(plan.work, SEED, 0, COMPILED)),
        }
        best = dict.fromkeys(turns, 0.0)
        for _ in range(REPEATS):
            for name, turn in turns.items():
                best[name] = max(best[name], turn())
    ours = best["compiled rounds"]
    yield "", "rounds/s", "ours ÷ theirs"
    for name, rate in best.items():
        yield name, f"{rate:,.0f}", f"{ours / rate:,.2f}"


def _seconds(work: Callable[[], object]) -> float:
    """Processor time: what else the machine does is not ours."""
    start = process_time()
    work()
    return process_time() - start


def _scalar(table: ScalarTable) -> None:
    """The rules as the live table uses them, one round after the other."""
    for number in range(SCALAR):
        table.settle(table.play(SEED, number), {})


class _Arrays:
    """The same game in plain NumPy: arrays of whole columns, no loop over rounds."""

    def __init__(self, plan: Plan) -> None:
        self.rng = np.random.default_rng(SEED)
        self.plan, self.choices = plan, _choice_table(plan)
        self.levels = np.unique(batch.scores(FOUR_CARD))
        self.six_levels = np.unique(batch.scores(FIVE_CARD))
        hands = _hands(plan)
        self.labels = _by_level(hands["hand"], len(self.levels))
        # Rows that depend on the suit itself are taken for the plain ones: a time, not a result, is wanted here.
        self.six_labels = _by_level(hands["six_card"], len(self.six_levels))
        self.qualifies = _qualifies(plan)
        self.nets = plan.pays.nets[0]
        self.red = np.array([card & 3 in (1, 2) for card in range(FULL.size)])

    def play(self, rounds: int) -> int:
        decks = self.rng.permuted(np.tile(np.arange(FULL.size, dtype=np.uint8), (rounds, 1)), axis=1)
        own, dealer, six = decks[:, :5], decks[:, 5:10], decks[:, [0, 1, 2, 3, 4, 10]]
        mine = np.searchsorted(self.levels, batch.evaluate(FOUR_CARD, own))
        theirs = np.searchsorted(self.levels, batch.evaluate(FOUR_CARD, dealer))
        sixes = np.searchsorted(self.six_levels, batch.evaluate(FIVE_CARD, six))
        choice = self.choices[batch.subset_index(own)].astype(np.int64)
        qualifies = theirs >= self.qualifies - 1
        versus = (mine >= theirs).astype(np.int64) + (mine > theirs)
        reds = self.red[own].sum(axis=1)
        offsets = self.plan.offsets
        codes = (
            ((choice * 2 + qualifies) * 3 + versus) * 15 + self.labels[mine],
            offsets[1] + np.minimum(reds, 5 - reds),
            offsets[2] + self.six_labels[sixes],
        )
        total = 0
        counts = np.zeros(len(self.nets), np.int64)
        for each in codes:
            counts += np.bincount(each, minlength=len(counts))
            total += int(self.nets[each].sum())
        return total


def _hands(plan: Plan) -> dict[str, Evaluator]:
    """The tables behind each fact that is a label of ranked cards."""
    facets = {name: facet for name, facet in plan.game.facets.items() if facet.order is not None}
    return {name: evaluator(f.order, f.cards, (f,), (f.labels,)) for name, f in facets.items() if f.order is not None}


def _qualifies(plan: Plan) -> int:
    """The least level with which the dealer plays."""
    least = next(fact for fact in plan.game.lines.facts.by_name.values() if isinstance(fact, AtLeast))
    return _hands(plan)["hand"].level(least.score)


def _choice_table(plan: Plan) -> npt.NDArray[np.uint8]:
    """The optimal choice of each hand by number, from the same tables."""
    chosen = np.empty(2_598_960, np.uint8)
    (made,), hands = plan.strategy.decisions, batch.subsets(5)
    assert isinstance(made, Decisions)
    keys = CARD_KEYS[hands].sum(axis=1)
    total = keys & np.uint64((1 << 32) - 1)
    places = made.rows[(total >> np.uint64(8)).astype(np.int64)].astype(np.int64)
    places += (total & np.uint64(255)).astype(np.int64)
    suited = ((keys + made.bias) & np.uint64(0x8888 << 32)) != 0
    chosen[:] = made.first[2 * places + suited]
    for row in np.flatnonzero(chosen == SUITS_MATTER):
        chosen[row] = made.pick(FULL.hand(hands[row]))
    return chosen


def _by_level(hands: Evaluator, count: int) -> npt.NDArray[np.int64]:
    labels = np.zeros(count, np.int64)
    for entry in (*hands.entries[hands.entries > 0], *hands.flushes[hands.flushes > 0]):
        labels[(int(entry) & 0xFFFF) - 1] = int(entry) >> 16 & 0xFF
    return labels


class _Program:
    """``frenzy.c``, compiled here, with the tables of the plan in a file."""

    def __init__(self, plan: Plan, folder: Path) -> None:
        self.file, self.binary = folder / "tables", folder / "frenzy"
        hands, (made,) = _hands(plan), plan.strategy.decisions
        assert isinstance(made, Decisions)
        five, six = hands["hand"], hands["six_card"]
        played, _ = layout_of(plan.game, plan.rules, plan.wagers)
        head = np.zeros(16, np.uint64)
        head[:12] = [
            *(len(five.rows), len(five.entries), len(six.rows), len(six.entries), len(made.first)),
            *(five.bias, six.bias, len(made.keys), plan.pays.nets.shape[1], *plan.offsets[1:3], _qualifies(plan)),
        ]
        extra = np.array([place for places in played.extras.values() for place in places], np.uint8)
        parts = (
            head,
            CARD_KEYS,
            *(five.rows, five.entries, five.flushes, six.rows, six.entries, six.flushes),
            *(made.first, made.keys, made.picks, plan.pays.nets[0]),
            *(np.array(played.seats[0].cards, np.uint8), np.array(played.dealer, np.uint8), extra),
        )
        self.file.write_bytes(b"".join(np.ascontiguousarray(part).tobytes() for part in parts))
        source = Path(__file__).with_name("frenzy.c")
        subprocess.run(["cc", "-O3", "-march=native", "-o", self.binary, source], check=True)

    def _run(self) -> list[str]:
        command = [str(self.binary), str(self.file), str(SEED), str(COMPILED)]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()

    def check(self) -> tuple[int, int]:
        total, digest, *_ = self._run()
        return int(total), int(digest)

    def rate(self) -> float:
        return COMPILED / float(self._run()[3])


def _checked(batch_done: Batch) -> tuple[int, int]:
    digest = batch_done.squares[-1] % 2**64
    for count in batch_done.counts[0].tolist():
        digest = (digest * 1099511628211 + count) % 2**64
    return batch_done.sums[-1], digest


def _workers(plan: Plan) -> Iterator[tuple[str, ...]]:
    yield "workers", "seconds", "rounds/s", "rounds/s once started", "against one"
    rates = {}
    for workers in (1, 2):
        times: list[tuple[float, int]] = []
        start = perf_counter()
        simulate(plan, TWO, SEED, workers=workers, progress=lambda done, _: times.append((perf_counter(), done)))  # noqa: B023
        seconds = perf_counter() - start
        (began, before), (ended, after) = times[workers], times[-1]
        rates[workers] = (after - before) / (ended - began)
        shown = f"{seconds:.1f}", f"{TWO / seconds:,.0f}", f"{rates[workers]:,.0f}"
        yield str(workers), *shown, f"{rates[workers] / rates[1]:.2f}"
    memory = max(getrusage(who).ru_maxrss for who in (RUSAGE_SELF, RUSAGE_CHILDREN)) / 1024
    yield "peak MB", f"{memory:,.0f}", "", "", ""


BEFORE = os.environ.get("PITBOSS_BEFORE", "")
"""The folder of an earlier version, to be measured in turn with this one."""
LISTED = "import json; from bench.simulate import _games; print(json.dumps([*_games()]))"


def _beside() -> Iterator[tuple[str, ...]]:
    """Our rates, beside those of an earlier version where one is named."""
    head, *ours = _games()
    yield *head, *(("before", "ours ÷ before") if BEFORE else ())
    theirs = {tuple(row[:-1]): row[-1] for row in _games_before()} if BEFORE else {}
    for row in ours:
        before = theirs.get(row[:-1], "")
        ratio = f"{_number(row[-1]) / _number(before):.2f}" if before else ""
        yield *row, *((before, ratio) if BEFORE else ())


def _number(rate: str) -> int:
    return int(rate.replace(",", ""))


def _games_before() -> list[list[str]]:
    home = Path(BEFORE)
    path = f"{home / 'src'}{os.pathsep}{home}"
    done = subprocess.run(
        [sys.executable, "-c", LISTED], env={**os.environ, "PYTHONPATH": path}, cwd=home, capture_output=True, text=True
    )
    found: list[list[str]] = json.loads(done.stdout or "[]")
    return found


def _games() -> Iterator[tuple[str, ...]]:
    yield "game", "seats", "strategy", "rounds/s"
    for name, game in GAMES.items():
        if game.course.contest:
            continue
        rules = rules_for(name, AS_OF)
        for seats in (1, rules.seats):
            plan = make_plan(rules, every_wager(rules, seats))
            run_batch(plan.work, SEED, 0, 1000)
            rounds = BATCH // seats
            rate = max(rounds / _seconds(partial(run_batch, plan.work, SEED, 0, rounds)) for _ in range(3))
            yield name, str(seats), plan.strategy.name, f"{rate:,.0f}"
