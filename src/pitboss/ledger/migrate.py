"""Bringing a database to the tables of this program; it is refused if a newer program has been there."""

from pathlib import Path

from sqlalchemy import Connection, Engine, exc, func, inspect, select

from pitboss.ledger import queries
from pitboss.ledger.engine import is_sqlite
from pitboss.ledger.errors import LedgerError, sentence_of
from pitboss.ledger.schema import REVISION

SCRIPTS = Path(__file__).parent / "migrations"
LOCK = 0x70697462
"""PostgreSQL's advisory lock for those who migrate at the same time."""


def revision_of(connection: Connection) -> str | None:
    """The step the database stands at; nothing before the first."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    row = queries.REVISION.run(connection).first()
    return None if row is None else str(row[0])


def migrate(engine: Engine) -> None:
    """Apply the steps that are missing, all or none, once even if several programs start together."""
    try:
        with engine.connect() as connection:
            if revision_of(connection) == REVISION:
                return
        with engine.connect().execution_options(purpose="write") as connection, connection.begin():
            if not is_sqlite(engine):
                connection.exec_driver_sql("SET LOCAL lock_timeout = '60s'")  # another program may be at it
                connection.execute(select(func.pg_advisory_xact_lock(LOCK)))
            upgrade(connection)
    except (exc.SQLAlchemyError, engine.dialect.loaded_dbapi.Error) as error:
        raise sentence_of(error) from error


def upgrade(connection: Connection) -> None:
    """Apply the missing steps on a connection, inside its transaction."""
    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(SCRIPTS).replace("%", "%%"))
    config.attributes["connection"] = connection
    found = revision_of(connection)
    if found is not None and found not in {
        step.revision for step in ScriptDirectory.from_config(config).walk_revisions()
    }:
        raise LedgerError(f"the ledger is at revision {found}, made by a newer pitboss; this one knows {REVISION}")
    command.upgrade(config, "head")
