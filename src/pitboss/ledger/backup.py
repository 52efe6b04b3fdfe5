"""Copies of a ledger, made while others write, and what is needed to check them: the anchor as it stood then."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sqlalchemy import LargeBinary, Table, delete, func, insert, select

from pitboss.ledger import queries
from pitboss.ledger.anchor import Mark, mark_of, write_anchor
from pitboss.ledger.deadlines import patient
from pitboss.ledger.engine import sqlite_driver
from pitboss.ledger.errors import LedgerError, sentence_of
from pitboss.ledger.files import private_file
from pitboss.ledger.schema import REVISION, metadata
from pitboss.ledger.store import Head, Reading, Store
from pitboss.table.canonical import canonical

FORMAT = "pitboss ledger 1"
LEFT_OUT = frozenset({"sessions"})
"""Nobody is logged in to a restored ledger."""
BATCH = 500


@patient()
def backup(store: Store, target: Path) -> Path:
    """Copy a ledger to a new file, and its anchor to ``target`` + ``.anchor``; the file appears when it is complete.

    SQLite gives a database file that can be opened as it is, PostgreSQL lines of JSON for ``restore``. The copy holds
    sealed decks and password hashes, so only its owner may read it.
    """
    if target.exists():
        raise LedgerError(f"{target} exists already; a backup never replaces one")
    unfinished = target.with_name(f".{target.name}.unfinished")
    try:
        os.close(private_file(unfinished, os.O_WRONLY | os.O_TRUNC))
        contents = store.anchor.contents()
        mark = _copy_sqlite(store, unfinished) if store.is_sqlite else _dump(store, unfinished)
        write_anchor(anchor_of(target), mark, (line for line in contents.lines if line.seq <= mark.seq))
        with unfinished.open("rb") as file:
            os.fsync(file.fileno())
        unfinished.rename(target)
    except OSError as error:
        raise LedgerError(f"the backup {target} cannot be written ({error.strerror})") from None
    finally:
        unfinished.unlink(missing_ok=True)
    return target


def anchor_of(target: Path) -> Path:
    return target.with_name(f"{target.name}.anchor")


@patient()
def restore(dump: Path, url: str, anchor: Path | None = None) -> int:
    """Fill an empty ledger from the lines of a dump; gives the number of its last event. All of it, or nothing."""
    lines = _read(dump)
    about = next(lines, None)
    if not isinstance(about, dict) or about.get("format") != FORMAT:
        raise LedgerError(f"{dump} is not a dump of a ledger")
    if about["revision"] != REVISION:
        raise LedgerError(f"{dump} has the tables of revision {about['revision']}; this program knows {REVISION}")
    beside = anchor_of(dump)
    with Store(url, anchor) as store:
        with store.writing() as writing:
            if writing.head.seq:
                raise LedgerError("the ledger to restore to is not empty")
            for name, table in metadata.tables.items():
                if name != "events":
                    writing.connection.execute(delete(table))
            rows = _fill(writing.connection, lines, dump)
            if rows != about["rows"]:
                raise LedgerError(f"{dump} is not complete: it promises {about['rows']} and has {rows}")
        with store.reading() as reading:
            head = reading.head
            mark = mark_of(head, reading.answers_head(), 0)
        if beside.exists():
            store.anchor.replace(beside)
        else:
            store.anchor.record(mark)
    return head.seq


def _copy_sqlite(store: Store, target: Path) -> Mark:
    """One step of the backup API reads one state of the file; in WAL mode writers go on meanwhile."""
    driver = sqlite_driver()
    copy = driver.connect(str(target))
    try:
        with store.engine.connect() as connection:
            raw: Any = connection.connection.dbapi_connection
            raw.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")  # no second file until somebody opens it as a ledger
        heads = [Head(*row[1:]) for row in copy.execute(queries.HEADS.text("sqlite")).fetchall()]
        last = {"event": heads[0].seq, "answer": 0}
        row = copy.execute(*queries.TIMES.bound("sqlite", last)).fetchone()
    except driver.Error as error:
        raise sentence_of(error) from error
    finally:
        copy.close()
    return mark_of(heads[0], heads[1], row[0] if row else 0)


def _dump(store: Store, target: Path) -> Mark:
    """Every table as lines of JSON, out of one transaction."""
    with store.reading() as reading, target.open("w", encoding="ascii") as file:
        tables = [table for table in metadata.sorted_tables if table.name not in LEFT_OUT]
        counts = {table.name: _count(reading, table) for table in tables}
        file.write(canonical({"format": FORMAT, "revision": REVISION, "rows": counts}) + "\n")
        for table in tables:
            query = select(table).order_by(*table.primary_key.columns).execution_options(yield_per=BATCH)
            for row in reading.connection.execute(query):
                cells = [cell.hex() if isinstance(cell, bytes) else cell for cell in row]
                file.write(canonical([table.name, cells]) + "\n")
        head = reading.head
        last = reading.event(head.seq)
        return mark_of(head, reading.answers_head(), last.at if last else 0)


def _count(reading: Reading, table: Table) -> int:
    return int(reading.connection.execute(select(func.count()).select_from(table)).scalar_one())


def _read(dump: Path) -> Iterator[Any]:
    try:
        with dump.open(encoding="ascii") as file:
            for line in file:
                yield json.loads(line)
    except OSError as error:
        raise LedgerError(f"{dump} cannot be read ({error.strerror})") from None
    except (ValueError, RecursionError):
        raise LedgerError(f"{dump} is damaged: one of its lines is not JSON") from None


def _fill(connection: Any, lines: Iterator[Any], dump: Path) -> dict[str, int]:
    counts = {name: 0 for name in metadata.tables if name not in LEFT_OUT}
    batch: list[dict[str, Any]] = []
    filling: Table | None = None
    for line in lines:
        try:
            name, cells = line
            table = metadata.tables[name]
            row = {
                column.name: bytes.fromhex(cell) if isinstance(column.type, LargeBinary) else cell
                for column, cell in zip(table.columns, cells, strict=True)
            }
        except (ValueError, KeyError, TypeError):
            raise LedgerError(f"{dump} is damaged: one of its lines is not a row of a table") from None
        if batch and (table is not filling or len(batch) >= BATCH):
            connection.execute(insert(filling), batch)  # type: ignore[arg-type]
            batch = []
        filling = table
        batch.append(row)
        counts[name] = counts.get(name, 0) + 1
    if batch and filling is not None:
        connection.execute(insert(filling), batch)
    return counts
