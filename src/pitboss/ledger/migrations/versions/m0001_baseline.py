"""The first tables, the head of the chain, and the triggers that keep events as they are."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

WHOLE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

SQLITE_TRIGGERS = (
    """CREATE TRIGGER events_no_update BEFORE UPDATE ON events
    BEGIN SELECT RAISE(ABORT, 'events are never changed'); END""",
    """CREATE TRIGGER events_no_delete BEFORE DELETE ON events
    BEGIN SELECT RAISE(ABORT, 'events are never deleted'); END""",
    """CREATE TRIGGER events_in_order BEFORE INSERT ON events
    WHEN NEW.seq IS NOT (SELECT coalesce(max(seq), 0) + 1 FROM events)
    BEGIN SELECT RAISE(ABORT, 'events are only added at the end'); END""",
)
POSTGRES_TRIGGERS = (
    """CREATE FUNCTION events_refuse() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'events are never changed and never deleted'; END $$""",
    """CREATE TRIGGER events_no_change BEFORE UPDATE OR DELETE ON events
    FOR EACH ROW EXECUTE FUNCTION events_refuse()""",
    """CREATE TRIGGER events_no_truncate BEFORE TRUNCATE ON events
    FOR EACH STATEMENT EXECUTE FUNCTION events_refuse()""",
)


def upgrade() -> None:
    _table(
        "events",
        _whole("seq", key=True),
        _text("stream"),
        _whole("round"),
        _text("kind"),
        _whole("at"),
        *(_text(name) for name in ("actor", "role", "request", "cites", "data", "entries")),
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.CheckConstraint("seq > 0", name="events_seq"),
        sa.CheckConstraint("length(hash) = 32", name="events_hash"),
    )
    op.create_index("events_stream", "events", ["stream", "seq"])
    op.create_index("events_round", "events", ["stream", "round", "seq"])
    op.create_index("events_kind", "events", ["kind", "seq"])
    _table(
        "entries",
        _whole("seq", key=True),
        _whole("line", key=True),
        _text("account"),
        _whole("units"),
        _text("stream"),
        _whole("round"),
        _whole("balance"),
    )
    op.create_index("entries_account", "entries", ["account", "seq"])
    _table("balances", _text("account", key=True), _whole("units"))
    _table(
        "requests",
        _text("key", key=True),
        _text("actor"),
        _text("digest"),
        _whole("status"),
        _text("answer"),
        _text("stream"),
        _whole("at"),
    )
    _table("snapshots", _text("stream", key=True), _whole("seq"), _text("state"))
    _table(
        "sealed",
        _text("stream", key=True),
        _text("deck", key=True),
        _text("commitment"),
        _text("cards"),
        _text("salt"),
    )
    _table("chain", _whole("id", key=True), _whole("seq"), sa.Column("hash", sa.LargeBinary(), nullable=False))
    _table(
        "people",
        _text("id", key=True),
        *(_text(name) for name in ("name", "role", "password")),
        *(_whole(name) for name in ("disabled", "failures", "locked_until", "created")),
    )
    _table("sessions", _text("token", key=True), _text("person"), _whole("created"), _whole("seen"), _text("csrf"))
    _table("meters", _text("id", key=True), _text("settings"), _whole("version"))

    chain = sa.table("chain", sa.column("id"), sa.column("seq"), sa.column("hash", sa.LargeBinary()))
    op.bulk_insert(chain, [{"id": 1, "seq": 0, "hash": bytes(32)}])
    for trigger in SQLITE_TRIGGERS if op.get_bind().dialect.name == "sqlite" else POSTGRES_TRIGGERS:
        op.get_bind().exec_driver_sql(trigger)


def _table(name: str, *parts: sa.Column[Any] | sa.CheckConstraint) -> None:
    op.create_table(name, *parts, sqlite_strict=True)


def _whole(name: str, *, key: bool = False) -> sa.Column[int]:
    return sa.Column(name, WHOLE, primary_key=key, autoincrement=False, nullable=False)


def _text(name: str, *, key: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), primary_key=key, nullable=False)
