"""Recall of any round in a second: builds a ledger of many rounds and times the recall of some of them.

Players take turns: ``--players`` says among how many people the rounds are spread. A balance before a round is added
up from the nearer end of its account, so what costs time is how much one person has played, and ``--players 2`` is the
worst that can be.

    python scripts/p19_recall.py --rounds 1000000
"""

import argparse
import random
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from pitboss.ledger.chain import verify_links
from pitboss.ledger.recall import recall, recent
from pitboss.ledger.store import Store
from scripts.long_ledger import SEATS, TABLE, build


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=1_000_000, help="a million takes half an hour and 17 GB")
    parser.add_argument("--players", type=int, default=1_000, help="people among whom the rounds are spread")
    parser.add_argument("--recalls", type=int, default=50)
    parser.add_argument("--seed", type=int, default=19)
    parser.add_argument("--folder", type=Path, help="keep the ledger here; a temporary folder if left out")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = asked.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        with Store(f"sqlite:///{folder}/ledger.db", folder / "ledger.anchor") as store:
            started = time.perf_counter()
            build(store, asked.rounds, asked.seed, asked.players)
            size = sum(path.stat().st_size for path in folder.glob("ledger.db*"))
            print(f"{asked.rounds:,} rounds built in {time.perf_counter() - started:.0f} s, {size / 1e9:.2f} GB")
            measure(store, asked.recalls, random.Random(asked.seed))


def measure(store: Store, count: int, rng: random.Random) -> None:
    with store.reading() as reading:
        last = reading.last_round(TABLE)
        started = time.perf_counter()
        faults = list(verify_links(reading.connection))
        taken = time.perf_counter() - started
        print(f"chain of {reading.head.seq:,} events verified in {taken:.1f} s: {len(faults)} findings")
    times = []
    for number in (2, last // 2, last, *(rng.randint(2, last) for _ in range(count))):
        started = time.perf_counter()
        found = recall(store, TABLE, number)
        times.append(time.perf_counter() - started)
        if found.number != number or found.deal.findings or not found.lines or len(found.balances) != len(SEATS):
            raise SystemExit(f"round {number} was not recalled")
    started = time.perf_counter()
    shown = recent(store, TABLE)
    print(f"last {len(shown)} rounds listed in {(time.perf_counter() - started) * 1000:.1f} ms")
    ordered = sorted(times)
    print(
        f"{len(times)} recalls: first {times[0] * 1000:.1f} ms, median {ordered[len(times) // 2] * 1000:.1f} ms, "
        f"slowest {ordered[-1] * 1000:.1f} ms; promised 1,000 ms: {'kept' if ordered[-1] <= 1 else 'NOT kept'}"
    )


if __name__ == "__main__":
    main()
