"""Acts a second of one writer over SQLite; with ``PITBOSS_BEFORE``, the folder of one, beside an earlier version.

Both versions play the same rounds in processes of their own, turn about, so that they find the machine alike. Of each
the best turn counts. CPU is that of the process: the wait for the disk is in the rate alone.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter, process_time

from bench.pit import House, sqlite_store
from pitboss.ledger.pit import Pit

ROUNDS = 60
WARM = 5
"""Rounds before the clock runs."""
TURNS = 5
BEFORE = os.environ.get("PITBOSS_BEFORE", "")
HERE = Path(__file__).parents[1]


def main() -> None:
    """Play rounds and print the acts, their seconds and their CPU seconds."""
    with sqlite_store() as store:
        house = House(Pit(store))
        house.open()
        for number in range(WARM):
            house.round(number)
        first, start, cpu = house.acts, perf_counter(), process_time()
        for number in range(ROUNDS):
            house.round(number)
        print(json.dumps([house.acts - first, perf_counter() - start, process_time() - cpu]))


def _turn(sources: str) -> tuple[float, float]:
    paths = {"PYTHONPATH": os.pathsep.join((sources, str(HERE)))}
    command = [sys.executable, "-m", "bench.acts"]
    ran = subprocess.run(command, env={**os.environ, **paths}, capture_output=True, text=True, check=True)
    acts, seconds, cpu = json.loads(ran.stdout.splitlines()[-1])
    return acts / seconds, 1e6 * cpu / acts


def run() -> Iterator[tuple[str, list[tuple[str, ...]]]]:
    trees = {"this version": str(HERE / "src")} | ({"before": str(Path(BEFORE) / "src")} if BEFORE else {})
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in trees}
    for _ in range(TURNS):
        for name, sources in trees.items():
            found[name].append(_turn(sources))
    rows: list[tuple[str, ...]] = [("version", "acts/s", "CPU µs an act")]
    for name, turns in found.items():
        rows.append((name, f"{max(rate for rate, _ in turns):.0f}", f"{min(cpu for _, cpu in turns):.0f}"))
    yield f"Acts of one writer over SQLite ({ROUNDS} rounds, the best of {TURNS} turns)", rows


if __name__ == "__main__":
    main()
