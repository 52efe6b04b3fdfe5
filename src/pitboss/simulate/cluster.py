"""The same work on Dask distributed: on this machine (``local``) or on the workers of a scheduler elsewhere.

Needs the extra ``cluster``. Every machine needs the same version of pitboss; the arrays of a plan are sent once.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pitboss.findings import UnreadableError
from pitboss.simulate.batches import Batch, run_batch
from pitboss.simulate.plan import Plan
from pitboss.simulate.runs import Span

if TYPE_CHECKING:
    from distributed import Client

LOCAL = "local"
IN_HAND = 3
"""Batches that a worker has in hand at a time."""
FAILURES = 100
"""Workers that may be lost while one batch is computed."""
SHARES = "pitboss-shares"
"""Where workers say how much of a long job is done."""


@dataclass(frozen=True)
class Cluster:
    """Batches on a Dask cluster; a batch whose worker is lost is computed by another."""

    address: str
    workers: int = 2
    """How many processes a local cluster has."""
    patience: int = 10
    """Seconds to wait for a scheduler to answer."""

    def __call__(self, plan: Plan, seed: int, session: int, wanted: Iterator[Span]) -> Iterator[Batch]:
        with self.client() as client:
            yield from batches_on(client, plan, seed, session, wanted)

    def each(
        self, work: Callable[[Any, Any], Any], jobs: Iterable[Any], tell: Callable[[int, float], None]
    ) -> Iterator[tuple[int, Any]]:
        """Long jobs as they are done, each by its place; ``tell`` hears of the share of each that is done."""
        with self.client() as client:
            yield from answers_on(client, work, jobs, tell)

    def client(self) -> "Client":
        import dask
        from distributed import Client

        dask.config.set(
            {
                "distributed.scheduler.allowed-failures": FAILURES,
                "distributed.admin.large-graph-warning-threshold": "1GB",
            }
        )
        if self.address == LOCAL:
            # A cluster that the client starts itself ends with it; one that it is handed would run on.
            return Client(  # type: ignore[no-untyped-call]
                n_workers=self.workers, threads_per_worker=1, processes=True, dashboard_address=None
            )
        try:
            return Client(self.address, timeout=f"{self.patience}s")  # type: ignore[no-untyped-call]
        except (OSError, ValueError) as problem:
            raise UnreadableError(f"No scheduler answers at {self.address}: {problem}.") from None


def batches_on(client: "Client", plan: Plan, seed: int, session: int, wanted: Iterator[Span]) -> Iterator[Batch]:
    """Batches as they are ready, a few for each worker in hand at a time."""
    from distributed import as_completed
    from distributed.client import FutureCancelledError

    def scattered() -> Any:
        return client.scatter(plan.work, broadcast=True, hash=False)  # type: ignore[no-untyped-call]

    work, running = scattered(), {}

    def submit(span: Span) -> None:
        # The same call twice is two tasks: batches are told apart by their spans alone, results are not kept.
        future = client.submit(run_batch, work, seed, *span, session, pure=False, retries=FAILURES)
        running[future.key] = span, work
        ready.add(future)  # type: ignore[no-untyped-call]

    ready = as_completed()  # type: ignore[no-untyped-call]
    while True:
        workers = max(1, len(client.scheduler_info()["workers"]))
        while len(running) < IN_HAND * workers and (span := next(wanted, None)) is not None:
            submit(span)
        if not running:
            return
        future = next(ready)
        span, used = running.pop(future.key)
        try:
            batch: Batch = future.result()
        except FutureCancelledError:
            # A worker was lost with the only copy of the work, and every batch that needs it is cancelled.
            if used is work:
                work = scattered()
            submit(span)
            continue
        future.release()
        yield batch


def answers_on(
    client: "Client", work: Callable[[Any, Any], Any], jobs: Iterable[Any], tell: Callable[[int, float], None]
) -> Iterator[tuple[int, Any]]:
    """What comes of long jobs, one for each worker in hand at a time."""
    from distributed import as_completed

    client.subscribe_topic(SHARES, lambda event: tell(*event[1]))  # type: ignore[no-untyped-call]
    wanted, ready = enumerate(jobs), as_completed()  # type: ignore[no-untyped-call]
    places: dict[Any, int] = {}
    while True:
        workers = max(1, len(client.scheduler_info()["workers"]))
        while len(places) < workers and (job := next(wanted, None)) is not None:
            future = client.submit(_reported, work, *job, pure=False, retries=FAILURES)
            places[future.key] = job[0]
            ready.add(future)  # type: ignore[no-untyped-call]
        if not places:
            return
        future = next(ready)
        found = future.result()
        future.release()  # type: ignore[no-untyped-call]
        yield places.pop(future.key), found


def _reported(work: Callable[[Any, Any], Any], place: int, job: Any) -> Any:
    from distributed import get_worker

    worker = get_worker()
    return work(job, lambda share: worker.log_event(SHARES, (place, share)))
