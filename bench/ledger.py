"""The ledger: settled rounds against bare inserts of the same rows, and how fast the chain is verified.

The bare inserts write the very rows that the rounds left in ``events``, ``entries`` and ``requests``, in as many
transactions, through the same driver with the same settings and triggers, and nothing else: no rules, no hashes, no
balances. Both run on the same disk, one after the other, several times; then in turn, one act and one transaction of
bare inserts, because a commit after other work costs more than one in a loop that does nothing else: caches are cold,
and the disk has gone to sleep.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import groupby
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from scripts.long_ledger import build
from tests.postgres import fresh_database

from bench.pit import House, sqlite_store
from pitboss.ledger.audit import audit_store
from pitboss.ledger.pit import Pit
from pitboss.ledger.segments import cores, verify_parts
from pitboss.ledger.store import Store

ROUNDS = 150
WARM_UP = 10
REPEATS = 3
CHAIN_RECORDS = 1_000_000
EVENTS_A_ROUND = 29

Rows = list[tuple[str, ...]]
Batch = dict[str, list[tuple[Any, ...]]]
"""What one transaction inserted, by table."""


def run() -> Iterator[tuple[str, Rows]]:
    yield f"Settled rounds against bare inserts of the same rows ({ROUNDS} rounds, median of {REPEATS})", _ratios()
    yield f"Verifying the hash chain of {CHAIN_RECORDS:,} records (median of {REPEATS})", _chain()


def _ratios() -> Rows:
    rows: Rows = [
        ("database", "rounds/s", "commits/round", "rows/round", "bare inserts, rounds/s", "ratio", "ratio in turn")
    ]
    with sqlite_store() as store:
        rows.append(_ratio("SQLite", store, _fresh_sqlite))
    with _fresh_postgres() as store:
        rows.append(_ratio("PostgreSQL", store, _fresh_postgres))
    return rows


def _ratio(name: str, store: Store, fresh: Callable[[], Any]) -> tuple[str, ...]:
    house = House(Pit(store))
    house.open()
    for number in range(WARM_UP):
        house.round(number)
    ours, bare = [], []
    for _ in range(REPEATS):
        with store.reading() as reading:
            start = reading.head.seq
        begun, commits = perf_counter(), house.acts
        for number in range(ROUNDS):
            house.round(number)
        ours.append(ROUNDS / (perf_counter() - begun))
        commits = house.acts - commits
        batches, count = _rows_since(store, start)
        with fresh() as empty:
            bare.append(ROUNDS / _insert(empty, batches))
    with fresh() as empty:
        in_turn = _in_turn(house, empty, batches)
    speed, limit = median(ours), median(bare)
    each = (commits / ROUNDS, count / ROUNDS)
    figures = (f"{speed:.1f}", f"{each[0]:.1f}", f"{each[1]:.1f}", f"{limit:.1f}", f"{speed / limit:.2f}")
    return (name, *figures, f"{in_turn:.2f}")


def _in_turn(house: House, empty: Store, batches: list[Batch]) -> float:
    """The same ratio where one bare transaction follows each act."""
    taken = {"ours": 0.0, "bare": 0.0}
    with _inserting(empty, batches) as insert:
        turns, act = iter(batches), house.act

        def timed(*words: Any, **fields: Any) -> None:
            begun = perf_counter()
            act(*words, **fields)
            acted = perf_counter()
            if (batch := next(turns, None)) is not None:
                insert(batch)
                taken["ours"] += acted - begun
                taken["bare"] += perf_counter() - acted

        house.act = timed  # type: ignore[method-assign]
        for number in range(ROUNDS):
            house.round(number)
        house.act = act  # type: ignore[method-assign]
    return taken["bare"] / taken["ours"]


def _rows_since(store: Store, start: int) -> tuple[list[Batch], int]:
    """What each transaction inserted, by table."""
    with store.reading() as reading:
        run = reading.connection.exec_driver_sql
        events = [_from_one(row, start) for row in run(f"SELECT * FROM events WHERE seq > {start} ORDER BY seq")]
        lines = run(f"SELECT * FROM entries WHERE seq > {start} ORDER BY seq, line")
        entries = [_from_one(row, start) for row in lines]
        requests = {row.key: tuple(row) for row in run("SELECT * FROM requests")}
    batches, count = [], 0
    for key, group in groupby(events, key=lambda row: row[7]):
        own = list(group)
        seqs = {row[0] for row in own}
        batch: Batch = {
            "events": own,
            "entries": [row for row in entries if row[0] in seqs],
            "requests": [requests[key]] if key in requests else [],
        }
        entries = entries[len(batch["entries"]) :]
        batches.append(batch)
        count += sum(map(len, batch.values()))
    return batches, count


def _from_one(row: Any, start: int) -> tuple[Any, ...]:
    """The same row in a chain that begins with it: events are only added at the end."""
    return (row[0] - start, *row[1:])


def _insert(store: Store, batches: list[Batch]) -> float:
    with _inserting(store, batches) as insert:
        begun = perf_counter()
        for batch in batches:
            insert(batch)
        return perf_counter() - begun


@contextmanager
def _inserting(store: Store, batches: list[Batch]) -> Iterator[Callable[[Batch], None]]:
    """One transaction of bare inserts for each batch."""
    mark = "?" if store.is_sqlite else "%s"
    widths = {name: len(rows[0]) for batch in batches for name, rows in batch.items() if rows}
    queries = {name: f"INSERT INTO {name} VALUES ({', '.join([mark] * width)})" for name, width in widths.items()}
    connection = store.engine.connect().execution_options(purpose="write")
    cursor = connection.connection.cursor()

    def insert(batch: Batch) -> None:
        cursor.execute("BEGIN IMMEDIATE" if store.is_sqlite else "BEGIN")
        for name, rows in batch.items():
            if rows:
                cursor.executemany(queries[name], rows)
        cursor.execute("COMMIT")

    yield insert
    connection.invalidate()


@contextmanager
def _fresh_sqlite() -> Iterator[Store]:
    with sqlite_store() as store:
        yield store


@contextmanager
def _fresh_postgres() -> Iterator[Store]:
    with TemporaryDirectory() as name, Store(fresh_database(), Path(name) / "anchor") as store:
        yield store


def _chain() -> Rows:
    rows: Rows = [("what", "records/s", "seconds")]
    checks: dict[str, Callable[[Store], None]] = {
        f"chain, {workers} process(es)": partial(_checked_chain, workers) for workers in sorted({1, cores()})
    }
    checks["chain, anchor, entries and balances"] = _checked_all
    with sqlite_store() as store:
        build(store, CHAIN_RECORDS // EVENTS_A_ROUND)
        with store.reading() as reading:
            records = reading.head.seq
        for name, check in checks.items():
            times = []
            for _ in range(REPEATS):
                begun = perf_counter()
                check(store)
                times.append(perf_counter() - begun)
            rows.append((name, f"{records / median(times):,.0f}", f"{median(times):.2f}"))
    return rows


def _checked_chain(workers: int, store: Store) -> None:
    with store.reading() as reading:
        if list(verify_parts(store.url, reading.connection, workers=workers)):
            raise RuntimeError("the chain is broken")


def _checked_all(store: Store) -> None:
    if audit_store(store, cores()):
        raise RuntimeError("the ledger is damaged")
