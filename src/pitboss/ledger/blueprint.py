"""The schema's own text: tables, columns, indexes, triggers, functions, as the migrations make them and as they are.

What is expected is not stored anywhere: the migrations are run on an empty database, beside the one being checked.
"""

import tempfile
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path

from sqlalchemy import Connection, Text, TextClause, column, exc, func, select, table, text

from pitboss.findings import Finding, refusal
from pitboss.ledger import queries
from pitboss.ledger.engine import is_sqlite, open_database
from pitboss.ledger.migrate import migrate, upgrade
from pitboss.ledger.schema import REVISION

Defined = dict[tuple[str, str], str]
"""Each object of a database by its kind and name, with the text that defines it."""

ASIDE = "pitboss_blueprint"
"""The schema in which PostgreSQL makes the tables once more; it is never committed."""
SQLITE_SETTINGS = ("user_version", "application_id", "encoding", "auto_vacuum")


def verify_schema(connection: Connection) -> Iterator[Finding]:
    """Whatever is in the database besides the rows is what the migrations make, and nothing else is."""
    versions = [row[0] for row in queries.REVISION.run(connection)]
    if versions != [REVISION]:
        sentence = f"the ledger's tables are at revision {', '.join(versions) or 'none'}; this program needs {REVISION}"
        yield refusal("schema-changed", REVISION, ", ".join(versions), sentence)
        return
    found = _sqlite_text(connection) if is_sqlite(connection) else _postgres_text(connection)
    try:
        wanted = _sqlite_blueprint() if is_sqlite(connection) else _postgres_blueprint(connection)
    except exc.SQLAlchemyError as error:
        sentence = f"the tables cannot be compared with what they should be: the role may not make a schema ({error})"
        yield refusal("schema", "a role that may create a schema", "one that may not", sentence)
        return
    for kind, name in sorted({*found, *wanted}):
        due, is_ = wanted.get((kind, name)), found.get((kind, name))
        if due == is_:
            continue
        what = "is gone" if is_ is None else "was added" if due is None else "was changed"
        code = "guard" if kind == "trigger" and name.rpartition(".")[2].startswith("events_") else "schema"
        yield refusal(code, due or "none", is_ or "none", f"the {kind} {name} of the database {what}", name)


def _sqlite_text(connection: Connection) -> Defined:
    columns = column("type", Text), column("name", Text), column("tbl_name", Text), column("sql", Text)
    rows = connection.execute(select(*columns).select_from(table("sqlite_master")))
    defined = {(kind, name): f"on {of}: {sql or ''}" for kind, name, of, sql in rows}
    for name in SQLITE_SETTINGS:
        defined["setting", name] = str(connection.exec_driver_sql(f"PRAGMA {name}").scalar_one())
    return defined


@cache
def _sqlite_blueprint() -> Defined:
    with tempfile.TemporaryDirectory(prefix="pitboss-") as folder:
        engine = open_database(f"sqlite:///{Path(folder) / 'blueprint.db'}")
        try:
            migrate(engine)
            with engine.connect() as connection:
                return _sqlite_text(connection)
        finally:
            engine.dispose()


def _query(name: str) -> TextClause:
    return text(files("pitboss.ledger").joinpath(name).read_text(encoding="utf-8"))


def _postgres_text(connection: Connection, schema: str = "") -> Defined:
    own = schema or str(connection.execute(select(func.current_schema())).scalar_one())
    rows = connection.execute(_query("schema_objects.sql"), {"schema": own})
    defined = {(kind, name): str(definition).replace(f"{own}.", "") for kind, name, definition in rows}
    if not schema:
        for kind, name in connection.execute(_query("outside_objects.sql")):
            defined[kind, name] = "outside the schema of the ledger"
    return defined


_of_postgres: dict[str, Defined] = {}


def _postgres_blueprint(connection: Connection) -> Defined:
    """Made in a schema of its own, in a transaction that is undone."""
    version = str(connection.exec_driver_sql("SHOW server_version").scalar_one())
    if version not in _of_postgres:
        with connection.engine.connect().execution_options(purpose="write") as aside, aside.begin() as transaction:
            aside.exec_driver_sql(f"CREATE SCHEMA {ASIDE}")
            aside.exec_driver_sql(f"SET LOCAL search_path TO {ASIDE}")
            upgrade(aside)
            _of_postgres[version] = _postgres_text(aside, ASIDE)
            transaction.rollback()
    return _of_postgres[version]
