"""How the ledger's database is opened: SQLite in a file, or PostgreSQL."""

import os
import sqlite3
import time
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, exc
from sqlalchemy.engine import URL, make_url

from pitboss.extras import sentence_of as missing_sentence
from pitboss.ledger.deadlines import PAUSE_S, Pulse, silence
from pitboss.ledger.errors import LedgerError, UnreachableError, sentence_of
from pitboss.ledger.files import close_to_others, private_file

OLDEST_SQLITE = (3, 51, 3)
"""Older ones can damage a file in WAL mode that has two or more writing connections."""
BUSY_MS = 2_500
"""How long SQLite waits for another process that writes."""
LOCK_MS = 1_000
"""The same for PostgreSQL; shorter than its silence, so that a server that is only busy says so itself."""
POOL_S = 2
CONNECT_S = 2
PRAGMAS = (
    f"PRAGMA busy_timeout={BUSY_MS}",
    "PRAGMA synchronous=FULL",
    "PRAGMA foreign_keys=ON",
    "PRAGMA recursive_triggers=ON",  # a REPLACE fires the triggers that forbid a deletion
    "PRAGMA trusted_schema=OFF",
    "PRAGMA cell_size_check=ON",
)
BEGIN = {
    ("sqlite", "write"): "BEGIN IMMEDIATE",
    ("sqlite", "read"): "BEGIN",
    ("postgresql", "write"): "BEGIN ISOLATION LEVEL READ COMMITTED",
    ("postgresql", "read"): "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
}
"""A reading transaction sees one state of the ledger throughout; writers stand in line."""


def open_database(url: str) -> Engine:
    """Transactions begin as ``BEGIN`` says; the execution option ``purpose="write"`` lets one write."""
    parsed = read_url(url)
    engine = _sqlite(parsed) if parsed.get_backend_name() == "sqlite" else _postgres(parsed)
    try:
        with engine.connect():
            pass
    except (exc.SQLAlchemyError, engine.dialect.loaded_dbapi.Error) as error:
        engine.dispose()
        raise sentence_of(error) from None
    return engine


def read_url(url: str) -> URL:
    """The address with the driver spelled out; anything but the two databases is refused."""
    try:
        parsed = make_url(url)
    except (exc.ArgumentError, ValueError):
        shown = "this" if "@" in url else repr(url)  # there may be a password in it
        raise LedgerError(f"{shown} is not a database address; write sqlite:///path or postgresql://...") from None
    if parsed.drivername == "sqlite":
        if not parsed.database or parsed.database == ":memory:":
            raise LedgerError("the ledger needs a file that outlives the program: sqlite:///path/to/ledger.db")
        return parsed
    if parsed.drivername in ("postgresql", "postgres", "postgresql+psycopg"):
        return parsed.set(drivername="postgresql+psycopg")
    raise LedgerError(f"a {parsed.drivername} database is not known here; write sqlite:///path or postgresql://...")


def sqlite_driver() -> ModuleType:
    """The SQLite library that is new enough: the wheel's if installed, else Python's own."""
    try:
        module = import_module("pysqlite3.dbapi2")
    except ImportError:
        module = sqlite3
    verify_sqlite(module.sqlite_version)
    return module


def verify_sqlite(version: str) -> None:
    found = tuple(int(part) for part in version.split("."))
    if found < OLDEST_SQLITE:
        oldest = ".".join(map(str, OLDEST_SQLITE))
        raise LedgerError(
            f"SQLite {version} can damage a ledger that two connections write to; {oldest} or later is needed: "
            "pip install 'pitboss[ledger]'"
        )


def is_sqlite(connection: Connection | Engine) -> bool:
    return connection.dialect.name == "sqlite"


def _sqlite(url: URL) -> Engine:
    path = Path(str(url.database)).absolute()
    if not path.parent.is_dir():
        raise UnreachableError(f"the ledger's file cannot be opened: there is no folder {path.parent}")
    if path.is_dir():
        raise UnreachableError(f"the ledger's file cannot be opened: {path} is a folder")
    _close(path)
    module = sqlite_driver()
    engine = create_engine(
        URL.create("sqlite", database=str(path)),
        module=module,
        connect_args={"check_same_thread": False, "timeout": BUSY_MS / 1000},
        pool_timeout=POOL_S,
    )

    @event.listens_for(engine, "connect")
    def settle(connection: Any, _record: object) -> None:
        connection.isolation_level = None
        cursor = connection.cursor()
        for pragma in PRAGMAS:
            cursor.execute(pragma)
        _set_wal(cursor, module.OperationalError)
        cursor.close()

    event.listen(engine, "begin", _begin)
    return engine


def _set_wal(cursor: Any, driver_error: type[Exception]) -> None:
    """Turn write-ahead logging on, once for the file. SQLite doesn't wait here while another connection does the same:
    it refuses at once, whatever the busy timeout."""
    ends = time.monotonic() + silence(BUSY_MS / 1000)
    while True:
        try:
            cursor.execute("PRAGMA journal_mode=WAL")
            return
        except driver_error as error:
            if getattr(error, "sqlite_errorcode", None) != sqlite3.SQLITE_BUSY or time.monotonic() >= ends:
                raise
            time.sleep(PAUSE_S)


def _close(path: Path) -> None:
    """The file is there, for its owner only, before SQLite opens it: the files beside it take its mode."""
    if not path.exists():
        try:
            os.close(private_file(path))
        except OSError as error:
            raise UnreachableError(f"the ledger's file {path} cannot be made ({error.strerror})") from None
    close_to_others(path, *(path.with_name(f"{path.name}-{beside}") for beside in ("wal", "shm", "journal")))


def _postgres(url: URL) -> Engine:
    try:
        from pitboss.ledger.postgres import timed_connection
    except ModuleNotFoundError as missing:
        raise LedgerError(missing_sentence(missing)) from None
    settings = {"lock_timeout": LOCK_MS, "synchronous_commit": "on", "client_encoding": "UTF8", "TimeZone": "UTC"}
    engine = create_engine(
        url,
        isolation_level="AUTOCOMMIT",  # the driver begins nothing by itself: _begin does
        connect_args={
            "connect_timeout": CONNECT_S,
            "application_name": "pitboss",
            "options": " ".join(f"-c {name}={value}" for name, value in settings.items()),
        },
        pool_timeout=POOL_S,
    )
    connections = timed_connection(Pulse())

    @event.listens_for(engine, "do_connect")
    def connect(_dialect: object, _record: object, words: Any, options: Any) -> Any:
        return connections.connect(*words, **options)

    event.listen(engine, "begin", _begin)
    return engine


def begin(connection: Connection, cursor: Any, purpose: str, question: str = "") -> None:
    """Straight through the driver: every command begins a transaction, or joins the one that has begun. The first
    question goes with it, and the answer waits in the cursor."""
    start = "" if _begun(connection) else BEGIN[connection.dialect.name, purpose]
    if not is_sqlite(connection):
        cursor.execute("; ".join(filter(None, (start, question))))  # one trip to the server
        while cursor.nextset():
            pass
        return
    wait, info = int(1000 * silence(BUSY_MS / 1000)), connection.info
    if info.get("busy", BUSY_MS) != wait:
        cursor.execute(f"PRAGMA busy_timeout={wait}")
        info["busy"] = wait
    for statement in filter(None, (start, question)):
        cursor.execute(statement)


def commit(connection: Connection, last: str = "") -> None:
    """The end of what ``begin`` began, whether SQLAlchemy has had a part in it or not, with a last statement
    where the driver takes several at once."""
    made = driver(connection)
    if last:
        made.execute(f"{last}; COMMIT")
    connection.commit()
    made.commit()


def driver(connection: Connection) -> Any:
    return connection.connection.dbapi_connection


def _begun(connection: Connection) -> bool:
    made = driver(connection)
    return bool(made.in_transaction if is_sqlite(connection) else made.info.transaction_status)


def _begin(connection: Connection) -> None:
    """SQLAlchemy begins by itself with its first statement."""
    if not _begun(connection):
        cursor = connection.connection.cursor()
        try:
            begin(connection, cursor, connection.get_execution_options().get("purpose", "read"))
        finally:
            cursor.close()
