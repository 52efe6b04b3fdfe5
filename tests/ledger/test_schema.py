"""The tables: as the migrations make them, with no room for a fraction, and with events that stay as they are."""

import ast
import threading
from pathlib import Path

import psycopg
import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import BigInteger, Integer, LargeBinary, Text, inspect, update
from tests.ledger.books import fill

import pitboss
from pitboss.ledger.engine import sqlite_driver
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.migrate import SCRIPTS
from pitboss.ledger.schema import REVISION, events, metadata
from pitboss.ledger.store import Store


def test_the_migrations_make_the_tables_that_the_program_knows(store: Store) -> None:
    with store.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
        tables = set(inspect(connection).get_table_names())
    assert tables == {*metadata.tables, "alembic_version"}


def test_the_revision_is_the_newest_migration() -> None:
    config = Config()
    config.set_main_option("script_location", str(SCRIPTS))
    assert ScriptDirectory.from_config(config).get_heads() == [REVISION]


def test_no_column_can_hold_a_fraction(store: Store) -> None:
    for table in metadata.tables.values():
        for column in table.columns:
            assert isinstance(column.type, BigInteger | Text | LargeBinary), column
            assert not column.nullable
    with store.engine.connect() as connection:
        found = {
            (table, column["name"]): column["type"]
            for table in metadata.tables
            for column in inspect(connection).get_columns(table)
        }
    kinds = Integer if store.is_sqlite else BigInteger
    assert all(isinstance(kind, kinds | Text | LargeBinary) for kind in found.values()), found


def test_sqlite_tables_are_strict(sqlite_url: str) -> None:
    with Store(sqlite_url) as store, store.engine.connect() as connection:
        rows = connection.exec_driver_sql("SELECT name, strict FROM pragma_table_list WHERE schema = 'main'").all()
        strict = {name for name, is_strict in rows if is_strict}
        assert strict == set(metadata.tables)
    with Store(sqlite_url) as store, pytest.raises(LedgerError, match="cannot store REAL"), store.writing() as writing:
        writing.connection.exec_driver_sql("INSERT INTO balances VALUES ('a', 1.5)")


def test_sqlite_is_set_up_for_durability(sqlite_url: str) -> None:
    def pragma(name: str) -> object:
        return writing.connection.exec_driver_sql(f"PRAGMA {name}").scalar_one()

    with Store(sqlite_url) as store, store.writing() as writing:
        assert pragma("journal_mode") == "wal"
        assert pragma("synchronous") == 2
        assert pragma("foreign_keys") == 1
        assert pragma("recursive_triggers") == 1
        assert pragma("busy_timeout") == 2500


def test_postgresql_is_set_up_for_durability(postgres_url: str) -> None:
    with Store(postgres_url) as store:
        with store.writing() as writing:
            show = writing.connection.exec_driver_sql
            assert show("SHOW synchronous_commit").scalar_one() == "on"
            assert show("SHOW transaction_isolation").scalar_one() == "read committed"
            assert show("SHOW lock_timeout").scalar_one() == "1s"
        with store.reading() as reading:
            show = reading.connection.exec_driver_sql
            assert show("SHOW transaction_isolation").scalar_one() == "repeatable read"
            assert show("SHOW transaction_read_only").scalar_one() == "on"


CHANGES = {
    "update": "UPDATE events SET actor = 'x' WHERE seq = 1",
    "delete": "DELETE FROM events WHERE seq = 1",
    "delete all": "DELETE FROM events",
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_events_can_be_neither_changed_nor_deleted(store: Store, change: str) -> None:
    fill(store, 2)
    with pytest.raises(LedgerError, match="never"), store.writing() as writing:
        writing.connection.exec_driver_sql(change)


def test_sqlite_events_cannot_be_replaced_or_put_in_between(sqlite_url: str) -> None:
    with Store(sqlite_url) as store:
        fill(store, 4)
        for seq in (1, 99):
            columns = "stream, round, kind, at, actor, role, request, cites, data, entries, hash, salt"
            copy = f"INSERT OR REPLACE INTO events SELECT {seq}, {columns} FROM events WHERE seq = 2"
            with pytest.raises(LedgerError, match="only added at the end"), store.writing() as writing:
                writing.connection.exec_driver_sql(copy)


def test_postgresql_events_cannot_be_truncated(postgres_url: str) -> None:
    with Store(postgres_url) as store:
        fill(store, 2)
        with pytest.raises(LedgerError, match="never"), store.writing() as writing:
            writing.connection.exec_driver_sql("TRUNCATE events")
        with pytest.raises(LedgerError, match="never"), store.writing() as writing:
            writing.connection.execute(update(events).values(seq=events.c.seq + 1))


def test_many_may_open_a_new_ledger_together(url: str) -> None:
    if url.startswith("sqlite"):
        Path(url.removeprefix("sqlite:///")).unlink()
    else:
        with psycopg.connect(url) as connection:
            connection.execute(b"DROP SCHEMA public CASCADE")
            connection.execute(b"CREATE SCHEMA public")
    problems: list[BaseException] = []

    def enter() -> None:
        try:
            barrier.wait()
            Store(url).close()
        except (LedgerError, threading.BrokenBarrierError) as error:
            problems.append(error)

    barrier = threading.Barrier(6)
    threads = [threading.Thread(target=enter) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert problems == []


def test_a_new_ledger_waits_for_another_connection_that_sets_it_up(sqlite_url: str) -> None:
    """SQLite refuses to turn write-ahead logging on while another connection writes, whatever the busy timeout."""
    path = sqlite_url.removeprefix("sqlite:///")
    Path(path).unlink()
    other = sqlite_driver().connect(path, check_same_thread=False, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    release = threading.Timer(0.3, other.close)
    release.start()
    Store(sqlite_url).close()
    release.join()


def test_a_ledger_of_a_newer_program_is_refused(url: str) -> None:
    with Store(url) as store, store.writing() as writing:
        writing.connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(LedgerError, match="made by a newer pitboss"):
        Store(url)


ROOMS = [Path(pitboss.__file__).parent / room for room in ("ledger", "meters")]
CLOCKS = {"counting.py", "deadlines.py", "engine.py", "refusals.py"}
"""Modules that reckon in seconds of a clock and know of no money."""


@pytest.mark.parametrize(
    "path",
    [path for room in ROOMS for path in sorted(room.rglob("*.py")) if path.name not in CLOCKS],
    ids=lambda p: p.name,
)
def test_no_float_in_the_rooms_of_money(path: Path) -> None:
    """No float literal, no call of ``float`` but to show one, no true division."""
    assert floats(path.read_text(encoding="utf-8")) == []


def floats(source: str) -> list[int]:
    tree = ast.parse(source)
    shown = {id(part) for node in ast.walk(tree) if isinstance(node, ast.FormattedValue) for part in ast.walk(node)}
    return sorted(
        getattr(node, "lineno", 0)
        for node in ast.walk(tree)
        if (isinstance(node, ast.Constant) and isinstance(node.value, float))
        or (isinstance(node, ast.Name) and node.id == "float" and id(node) not in shown and not _is_guard(node, tree))
        or (isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Div) and not _joins_paths(node))
    )


def _is_guard(name: ast.Name, tree: ast.Module) -> bool:
    """``isinstance(x, float)`` keeps floats out."""
    return any(
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "isinstance"
        and name in node.args
        for node in ast.walk(tree)
    )


def _joins_paths(node: ast.BinOp | ast.AugAssign) -> bool:
    """A ``/`` with a text on its right is a path."""
    right = node.right if isinstance(node, ast.BinOp) else node.value
    return isinstance(right, ast.JoinedStr) or (isinstance(right, ast.Constant) and isinstance(right.value, str))


def test_the_lint_finds_floats() -> None:
    source = "a = 1.5\nb = float(a)\nc = a / b\nc /= 2\nd = a // 2\np = q / 'x'\nx: float = 1\n"
    assert floats(source) == [1, 2, 3, 4, 7]
