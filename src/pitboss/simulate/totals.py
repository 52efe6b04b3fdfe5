"""The totals of a run: batches absorbed in the order of their rounds, regardless of who computed them and when."""

import json
import os
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import isqrt
from pathlib import Path
from typing import Any

import numpy as np

from pitboss.exact.value import root
from pitboss.findings import UnreadableError
from pitboss.meters import UNITS_PER_CENT
from pitboss.simulate.batches import Batch, Sessions, sessions_of
from pitboss.simulate.jackpots import Meters, RareRound
from pitboss.simulate.plan import Plan
from pitboss.simulate.words import Ints

FORMAT = "pitboss-simulation-3"
MOST_VALUES = 1 << 17
"""Different values of a spread that are counted one by one; beyond that neighbours are counted together."""


@dataclass
class Spread:
    """How a figure of whole sessions is distributed, in units: exact moments, and how often each value came.

    Values are counted to the cent. Where more than ``MOST_VALUES`` come, cells of twice the width are counted, again
    and again; how wide they are in the end depends on the values alone and not on the order in which they came.
    """

    width: int
    """Of a bin of a drawing or a file."""
    count: int = 0
    total: int = 0
    squares: int = 0
    losing: int = 0
    """Sessions below 0."""
    least: int = 0
    most: int = 0
    grain: int = UNITS_PER_CENT
    values: Counter[int] = field(default_factory=Counter)
    """Counts by floor(value / grain)."""

    def add(self, values: Ints) -> None:
        if not len(values):
            return
        least, most = int(values.min()), int(values.max())
        self.least = least if self.count == 0 else min(self.least, least)
        self.most = most if self.count == 0 else max(self.most, most)
        self.count += len(values)
        self.total += int(values.sum())
        self.squares += sum(value * value for value in values.tolist())
        self.losing += int(np.count_nonzero(values < 0))
        found, counts = np.unique(values // self.grain, return_counts=True)
        for place, number in zip(found.tolist(), counts.tolist(), strict=True):
            self.values[place] += number
        while len(self.values) > MOST_VALUES:
            self.grain *= 2
            self.values = _summed((place // 2, number) for place, number in self.values.items())

    @property
    def step(self) -> int:
        """The width of a bin: whole grains, as near to ``width`` as they come."""
        return self.grain * max(1, self.width // self.grain)

    @property
    def bins(self) -> Counter[int]:
        """Counts by floor(value / step)."""
        grains = self.step // self.grain
        return _summed((place // grains, number) for place, number in self.values.items())

    @property
    def mean(self) -> float:
        return self.total / self.count if self.count else 0.0

    @property
    def deviation(self) -> float:
        if self.count < 2:
            return 0.0
        # Exact until the last step: the square of a total outgrows a float's digits.
        return root(Fraction(self.count * self.squares - self.total**2, self.count * (self.count - 1)))

    def quantile(self, share: float) -> int:
        """The least value that at least this share of the sessions does not exceed, down to the cent.

        In cells wider than a cent values are taken to lie evenly, so the result is off by less than a cell.
        """
        wanted, seen = Fraction(str(share)) * self.count, 0
        for place in sorted(self.values):
            inside = self.values[place]
            if seen + inside >= wanted:
                within = int(self.grain * (wanted - seen) / inside) if self.grain > UNITS_PER_CENT else 0
                return min(place * self.grain + within // UNITS_PER_CENT * UNITS_PER_CENT, self.most)
            seen += inside
        return self.most

    def state(self) -> dict[str, Any]:
        return {**vars(self), "values": {str(place): self.values[place] for place in sorted(self.values)}}

    @classmethod
    def resumed(cls, state: Mapping[str, Any]) -> "Spread":
        values = Counter({int(place): number for place, number in state["values"].items()})
        return cls(**{**state, "values": values})


def _summed(pairs: Iterable[tuple[int, int]]) -> Counter[int]:
    found: Counter[int] = Counter()
    for place, number in pairs:
        found[place] += number
    return found


@dataclass
class Side:
    """The sessions of the house, or of one player."""

    results: Spread
    drawdowns: Spread

    def add(self, sessions: Sessions) -> None:
        self.results.add(sessions.results)
        self.drawdowns.add(sessions.drawdowns)


@dataclass
class Totals:
    """Everything counted so far. Two runs with the same plan, seed, rounds and session end with equal totals."""

    plan: Plan
    seed: int
    session: int
    counts: Ints
    sums: list[int]
    squares: list[int]
    meters: Meters
    house: Side
    player: Side
    rounds: int = 0

    @classmethod
    def empty(cls, plan: Plan, seed: int, session: int = 0) -> "Totals":
        columns = len(plan.wager_names) + 1
        staked = sum(stake for made in plan.wagers.values() for stake in made.values())
        mine = sum(plan.wagers[plan.numbers[0]].values())
        house, player = (
            Side(Spread(width), Spread(width))
            for width in (max(1, stake * isqrt(max(session, 1)) // 8) * UNITS_PER_CENT for stake in (staked, mine))
        )
        counts = np.zeros(plan.pays.nets.shape, np.int64)
        return cls(plan, seed, session, counts, [0] * columns, [0] * columns, Meters(plan, seed), house, player)

    def absorb(self, batch: Batch) -> None:
        """Add the next batch; its rare rounds are settled now, and sessions that hold one are cut again."""
        if batch.start != self.rounds:
            raise ValueError(f"the next batch starts at round {self.rounds}, not {batch.start}")
        settled = {int(number): self.meters.settle(int(number)) for number in batch.events}
        self.counts += batch.counts
        self.sums = [mine + more for mine, more in zip(self.sums, batch.sums, strict=True)]
        self.squares = [mine + more for mine, more in zip(self.squares, batch.squares, strict=True)]
        self.rounds += batch.rounds
        self.meters.advance(self.rounds)
        if self.session:
            for place in sorted({(number - batch.start) // self.session for number in settled}):
                self._cut_again(batch, place, settled)
            self.house.add(batch.house)
            self.player.add(batch.player)

    def _cut_again(self, batch: Batch, place: int, settled: Mapping[int, RareRound]) -> None:
        """A session with shares of meters, which its batch took for lost stakes."""
        if place >= len(batch.house.results):
            return
        start = batch.start + place * self.session
        everybody, first = self.meters.nets(start, self.session)
        house, player = -everybody * UNITS_PER_CENT - self.plan.increment, first * UNITS_PER_CENT
        for number, moved in settled.items():
            if start <= number < start + self.session:
                house[number - start], player[number - start] = moved.house, moved.player
        for sessions, nets in ((batch.house, house), (batch.player, player)):
            again = sessions_of(nets, self.session)
            sessions.results[place], sessions.drawdowns[place] = again.results[0], again.drawdowns[0]

    def state(self) -> dict[str, Any]:
        """Everything as plain values: what a checkpoint holds, and what two equal runs have in common."""
        seats, codes = np.nonzero(self.counts)
        return {
            "format": FORMAT,
            "plan": self.plan.fingerprint,
            "seed": self.seed,
            "session": self.session,
            "rounds": self.rounds,
            "counts": [[int(s), int(c), int(self.counts[s, c])] for s, c in zip(seats, codes, strict=True)],
            "sums": self.sums,
            "squares": self.squares,
            "meters": self.meters.state(),
            "house": [self.house.results.state(), self.house.drawdowns.state()],
            "player": [self.player.results.state(), self.player.drawdowns.state()],
        }

    def save(self, path: Path) -> None:
        """Write a checkpoint; the file is whole or not there."""
        unfinished = path.with_name(path.name + ".unfinished")
        with unfinished.open("w", encoding="utf-8") as file:
            json.dump(self.state(), file)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)

    @classmethod
    def resumed(cls, plan: Plan, seed: int, session: int, path: Path) -> "Totals":
        """Go on from a checkpoint of the same plan, seed and session."""
        try:
            state = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            raise UnreadableError(f"{path} is not a checkpoint that can be read.") from None
        totals = cls.empty(plan, seed, session)
        same = {"format": FORMAT, "plan": plan.fingerprint, "seed": seed, "session": session}
        if not isinstance(state, dict):
            raise UnreadableError(f"{path} is not a checkpoint that can be read.")
        different = [name for name, value in same.items() if state.get(name) != value]
        if different:
            raise UnreadableError(f"{path} is the checkpoint of another run: its {' and '.join(different)} differ.")
        for seat, code, number in state["counts"]:
            totals.counts[seat, code] = number
        totals.sums, totals.squares, totals.rounds = state["sums"], state["squares"], state["rounds"]
        totals.meters = Meters.resumed(plan, seed, state["meters"])
        totals.house = Side(*(Spread.resumed(each) for each in state["house"]))
        totals.player = Side(*(Spread.resumed(each) for each in state["player"]))
        return totals
