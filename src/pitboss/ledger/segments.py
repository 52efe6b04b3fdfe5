"""The chain walked by several processes at once.

Each takes the stored hash before its own part unchecked, and the process before it checks that very hash; so the
parts together are as good as one walk.
"""

import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import pairwise
from multiprocessing import get_context

from sqlalchemy import Connection

from pitboss.findings import Finding
from pitboss.ledger import queries
from pitboss.ledger.chain import verify_links
from pitboss.ledger.deadlines import patient
from pitboss.ledger.engine import open_database
from pitboss.ledger.schema import events
from pitboss.workers import end_with_parent, undisturbed

SMALLEST = 100_000
"""Events for which another process is worth its start."""
HEAD_START = 200_000
"""About how many events this process has read when another one begins."""


def cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def verify_parts(
    url: str, connection: Connection, start: int = 0, workers: int = 1, smallest: int = SMALLEST
) -> Iterator[Finding]:
    """``verify_links`` with as many processes as there are ``workers`` and parts of at least ``smallest`` events.

    Processes are started afresh, so a script that asks for more than one worker needs ``if __name__ == "__main__"``.
    """
    last = queries.last_number(events).run(connection).scalar_one()
    parts = min(workers, (last - start) // smallest)
    if parts < 2:
        yield from verify_links(connection, start)
        return
    # This process has begun already when the others start, so it takes some more.
    spread = last - start - min(HEAD_START, (last - start) // 4)
    begins = [start + spread * number // parts for number in range(parts)]
    with ProcessPoolExecutor(parts - 1, get_context("spawn"), end_with_parent) as pool:
        with undisturbed():
            others = [pool.submit(_verify_part, url, first, until) for first, until in pairwise(begins)]
        own = list(verify_links(connection, begins[-1]))
        # All later hashes rest on the first fault, so it alone is reported.
        yield from next((found for part in others if (found := part.result())), own)


@patient()
def _verify_part(url: str, start: int, until: int) -> list[Finding]:
    engine = open_database(url)
    try:
        with engine.connect() as connection, connection.begin():
            return list(verify_links(connection, start, until))
    finally:
        engine.dispose()
