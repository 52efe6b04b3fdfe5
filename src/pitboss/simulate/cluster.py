"""The same batches on Dask distributed: on this machine (``local``) or on the workers of a scheduler elsewhere.

Needs the extra ``cluster``. Every machine needs the same version of pitboss; the arrays of the plan are sent once.
"""

from collections.abc import Iterator
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

    def client(self) -> "Client":
        import dask
        from distributed import Client, LocalCluster

        dask.config.set({"distributed.scheduler.allowed-failures": FAILURES})
        if self.address == LOCAL:
            local = LocalCluster(  # type: ignore[no-untyped-call]
                n_workers=self.workers, threads_per_worker=1, processes=True, dashboard_address=None
            )
            return Client(local)  # type: ignore[no-untyped-call]
        try:
            return Client(self.address, timeout=f"{self.patience}s")  # type: ignore[no-untyped-call]
        except (OSError, ValueError) as problem:
            raise UnreadableError(f"No scheduler answers at {self.address}: {problem}.") from None


def batches_on(client: "Client", plan: Plan, seed: int, session: int, wanted: Iterator[Span]) -> Iterator[Batch]:
    """Batches as they are ready, a few for each worker in hand at a time."""
    from distributed import as_completed

    work = client.scatter(plan.work, broadcast=True, hash=False)  # type: ignore[no-untyped-call]

    def submit(span: Span) -> Any:
        # The same call twice is two tasks: batches are told apart by their spans alone, results are not kept.
        return client.submit(run_batch, work, seed, *span, session, pure=False, retries=FAILURES)

    ready = as_completed()  # type: ignore[no-untyped-call]
    running = 0
    while True:
        workers = max(1, len(client.scheduler_info()["workers"]))
        while running < IN_HAND * workers and (span := next(wanted, None)) is not None:
            ready.add(submit(span))  # type: ignore[no-untyped-call]
            running += 1
        if not running:
            return
        future = next(ready)
        running -= 1
        batch: Batch = future.result()
        future.release()
        yield batch
