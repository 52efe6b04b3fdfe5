"""Running batches on one machine: in this process or in several. A worker that dies changes nothing but the time."""

import pickle
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from time import monotonic

from pitboss.findings import PitbossError
from pitboss.simulate.batches import Batch, run_batch
from pitboss.simulate.plan import Plan, Work
from pitboss.simulate.scalar import ScalarTable
from pitboss.simulate.totals import Totals
from pitboss.workers import end_with_parent, undisturbed

BATCH = 1 << 20
MOST_RESTARTS = 50
SAVE_EVERY = 15.0
"""Seconds between two checkpoints."""

Progress = Callable[[int, int], None]
"""Called with the rounds done and the rounds wanted."""
Span = tuple[int, int]
"""First round and number of rounds."""
Source = Callable[[Plan, int, int, Iterator[Span]], Iterator[Batch]]
"""What turns spans into batches, in any order: a plan, a seed, a session and the spans."""


class WorkersLostError(PitbossError, RuntimeError):
    """Workers die faster than they work."""


def spans(start: int, rounds: int, size: int, session: int) -> Iterator[Span]:
    """Cut rounds into batches, each a whole number of sessions."""
    if session:
        size = max(1, size // session) * session
    for first in range(start, rounds, size):
        yield first, min(size, rounds - first)


def in_this_process(plan: Plan, seed: int, session: int, wanted: Iterator[Span]) -> Iterator[Batch]:
    fill = ScalarTable(plan).fill if plan.scalar else None
    for start, count in wanted:
        yield run_batch(plan.work, seed, start, count, session, fill)


_WORK: list[Work] = []


def _load(path: str) -> None:
    end_with_parent()
    _WORK[:] = [pickle.loads(Path(path).read_bytes())]


def _run(seed: int, start: int, count: int, session: int) -> Batch:
    return run_batch(_WORK[0], seed, start, count, session)


@dataclass(frozen=True)
class Processes:
    """Batches on several processes of this machine."""

    workers: int

    def __call__(self, plan: Plan, seed: int, session: int, wanted: Iterator[Span]) -> Iterator[Batch]:
        with tempfile.TemporaryDirectory(prefix="pitboss-") as folder:
            path = Path(folder) / "work"
            path.write_bytes(pickle.dumps(plan.work))
            waiting: dict[Future[Batch], Span] = {}
            lost: list[Span] = []
            restarts = 0
            pool = self._pool(path)
            try:
                while True:
                    try:
                        self._fill(pool, seed, session, wanted, lost, waiting)
                        if not waiting:
                            return
                        done, _ = wait(waiting, return_when=FIRST_COMPLETED)
                        for future in done:
                            batch = future.result()
                            del waiting[future]
                            yield batch
                    except BrokenProcessPool:
                        restarts += 1
                        if restarts > MOST_RESTARTS:
                            raise WorkersLostError(f"{restarts} times a worker was lost; the run stops here.") from None
                        # A pool that lost a worker is of no more use; what it had in hand is given to a new one.
                        for future, span in waiting.items():
                            finished = future.done() and not future.cancelled() and future.exception() is None
                            if finished:
                                yield future.result()
                            else:
                                lost.append(span)
                        waiting.clear()
                        pool.shutdown(wait=False, cancel_futures=True)
                        pool = self._pool(path)
            finally:
                pool.shutdown(wait=True, cancel_futures=True)

    def _pool(self, path: Path) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(self.workers, get_context("spawn"), _load, (str(path),))

    def _fill(
        self,
        pool: ProcessPoolExecutor,
        seed: int,
        session: int,
        wanted: Iterator[Span],
        lost: list[Span],
        waiting: dict[Future[Batch], Span],
    ) -> None:
        """Keep two batches for each worker in hand, and no more, so that memory stays flat."""
        while len(waiting) < 2 * self.workers:
            span = lost.pop() if lost else next(wanted, None)
            if span is None:
                return
            try:
                with undisturbed():  # a pool starts its processes when it is given work
                    waiting[pool.submit(_run, seed, *span, session)] = span
            except BrokenProcessPool:
                lost.append(span)
                raise


def simulate(
    plan: Plan,
    rounds: int,
    seed: int = 0,
    *,
    workers: int = 1,
    batch: int = BATCH,
    session: int = 0,
    source: Source | None = None,
    checkpoint: Path | None = None,
    progress: Progress | None = None,
) -> Totals:
    """Play rounds 0 to ``rounds`` - 1 of a seed. The totals do not depend on workers, batch size or interruptions.

    With a ``checkpoint`` the totals are written there every few seconds and when the run is interrupted; a run that
    finds one of its own there goes on from it. ``session`` cuts the rounds into sessions of that length.
    """
    resumes = checkpoint is not None and checkpoint.exists()
    totals = (
        Totals.resumed(plan, seed, session, checkpoint) if resumes and checkpoint else Totals.empty(plan, seed, session)
    )
    tell = progress or (lambda _done, _wanted: None)
    # A function can't be sent to another process, and only this one has the rules.
    here = plan.scalar or (source is None and workers == 1)
    run = in_this_process if here else source or Processes(workers)
    early: dict[int, Batch] = {}
    saved = monotonic()
    # Absorbed batches lie in order; those that came early wait, a few for each worker at most.
    batches = run(plan, seed, session, spans(totals.rounds, rounds, batch, session))
    try:
        for done in batches:
            early[done.start] = done
            while totals.rounds in early:
                totals.absorb(early.pop(totals.rounds))
                tell(totals.rounds, rounds)
                if checkpoint is not None and monotonic() - saved > SAVE_EVERY:
                    totals.save(checkpoint)
                    saved = monotonic()
    finally:
        close = getattr(batches, "close", None)
        if close is not None:
            with suppress(RuntimeError):
                close()
        if checkpoint is not None:
            totals.save(checkpoint)
    return totals
