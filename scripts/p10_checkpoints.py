"""Verification and start over a long ledger: the first time, and from where the one before had come to.

python scripts/p10_checkpoints.py --rounds 100000
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from pitboss.findings import errors
from pitboss.ledger.pit import Pit
from pitboss.ledger.review import review
from pitboss.ledger.segments import cores
from pitboss.ledger.selfcheck import record_start
from pitboss.ledger.store import Store
from pitboss.ledger.watch import microseconds
from scripts.long_ledger import build, play


def timed(what: str, act: Callable[[], object]) -> None:
    began, worked = time.perf_counter(), time.process_time()
    act()
    taken, work = time.perf_counter() - began, time.process_time() - worked
    print(f"{what}: {taken:.1f} s, of which this process worked {work:.1f} s", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=100_000)
    parser.add_argument("--more", type=int, default=50, help="rounds played after the checkpoint")
    parser.add_argument("--verified", action="store_true", help="the ledger kept in the folder has its checkpoint")
    parser.add_argument("--folder", type=Path, help="keep the ledger here; a temporary folder if left out")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = asked.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        url, anchor = f"sqlite:///{folder}/ledger.db", folder / "anchor"

        def start() -> None:
            with Store(url, anchor) as store:
                record_start(store, at=microseconds(), actor="pitboss", role="system", workers=cores())

        def verify(*, full: bool) -> None:
            with Store(url, anchor) as store:
                if wrong := errors(review(store, workers=cores(), full=full, keep=True)):
                    raise SystemExit("\n".join(map(str, wrong)))

        def pit_again() -> None:
            """What a server does before it answers, over the program's own start-up."""
            with Store(url, anchor) as store:
                record_start(store, at=microseconds(), actor="pitboss", role="system", workers=cores())
                Pit(store).tables()

        if not (folder / "ledger.db").exists():
            with Store(url, anchor) as store:
                timed("built", lambda: build(store, asked.rounds))
        with Store(url, anchor) as store, store.reading() as reading:
            size = (folder / "ledger.db").stat().st_size / 1e9
            print(f"{reading.head.seq:,} events, {size:.2f} GB, {len(store.anchor.contents().lines):,} lines of anchor")
        if not asked.verified:
            timed("first start", start)
            timed("full verification, leaving a checkpoint", lambda: verify(full=True))
        with Store(url, anchor) as store:
            play(Pit(store), asked.more)
        timed(f"verification after {asked.more} more rounds", lambda: verify(full=False))
        timed("start again, the log verified and the tables standing", pit_again)


if __name__ == "__main__":
    main()
