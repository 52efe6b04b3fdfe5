"""P1: whatever anybody does, money is conserved. Random walks at tables, everything checked after every step.

    python scripts/p01_conservation.py --runs 10000 --steps 50 --pits 200

A run is one table without a database, from a seed: game, dealing method, source of cards and every try come from it.
A pit is two tables over one SQLite ledger with linked meters. The same checks run in the tests, played by Hypothesis.
"""

import multiprocessing
import sys
import tempfile
import traceback
from collections import Counter
from contextlib import closing
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.table.walkers import BenchWalk, PitWalk, story

from scripts.common import Figures, arguments

SHOWN = ("accepted", "refused", "round.completed", "round.voided", "line.settled", "wager.placed", "meter.incremented",
         "meter.paid", "irregularity.reported", "cards.drawn", "asked again", "restarts")  # fmt: skip


TELL_EVERY = 500


def walk(seed: int, steps: int) -> tuple[Counter[str], str]:
    """One table; what happened, and how it failed, if it did."""
    random = Random(f"table {seed}")
    here = BenchWalk(random)
    try:
        if random.random() < 0.8:
            here.ready()
        for _ in range(steps):
            here.step()
        here.finish()
    except Exception:  # noqa: BLE001 - any failure at all is a violation, with its story
        return here.tally, f"table {seed}: {traceback.format_exc()}\n{story(here)}"
    return here.tally, ""


def pit(seed: int, steps: int) -> tuple[Counter[str], str]:
    """Two tables over a ledger."""
    random = Random(f"pit {seed}")
    with tempfile.TemporaryDirectory() as folder, closing(PitWalk(random, Path(folder))) as here:
        try:
            here.ready()
            for _ in range(steps):
                here.step()
            here.finish()
        except Exception:  # noqa: BLE001
            return here.tally, f"pit {seed}: {traceback.format_exc()}\n{story(here)}"
    return here.tally, ""


def _walk(job: tuple[str, int, int]) -> tuple[str, Counter[str], str]:
    kind, seed, steps = job
    return (kind, *(walk if kind == "tables" else pit)(seed, steps))


def measure(runs: int, pits: int, steps: int, workers: int = 2, first: int = 0) -> Figures:
    figures = Figures("P1: conservation, secrets, replay")
    jobs = [("tables", seed, steps) for seed in range(first, first + runs)]
    jobs += [("pits", seed, steps) for seed in range(first, first + pits)]
    tallies: dict[str, Counter[str]] = {"tables": Counter(), "pits": Counter()}
    with multiprocessing.get_context("spawn").Pool(workers) as pool:
        for done, (kind, tally, failure) in enumerate(pool.imap_unordered(_walk, jobs, chunksize=8), 1):
            tallies[kind] += tally
            figures.expect(not failure, failure)
            if done % TELL_EVERY == 0:
                print(f"{done:,} walks, {len(figures.violations)} violations", file=sys.stderr)
    for kind, count in (("tables", runs), ("pits", pits)):
        figures.add(f"{kind}: walks x steps", f"{count:,} x {steps}")
        for name in SHOWN:
            if tallies[kind][name]:
                figures.add(f"{kind}: {name}", tallies[kind][name])
    return figures


if __name__ == "__main__":
    given = arguments(__doc__, runs=(10_000, 200), pits=(200, 4), steps=(50, 50), first=(0, 0), workers=(2, 2))
    sys.exit(measure(given.runs, given.pits, given.steps, given.workers, given.first).show())
