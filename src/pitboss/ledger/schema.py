"""The tables of the ledger, as the migrations leave them.

Money is counted in units of 1/10,000 cent; ``at``, ``created``, ``seen`` and ``locked_until`` are microseconds since
1970 UTC. No column can hold a fraction.
"""

from collections.abc import Iterator
from typing import Any

from sqlalchemy import BigInteger, CheckConstraint, Column, Index, Integer, LargeBinary, MetaData, Table, Text

REVISION = "0002"
"""The migration that these tables stand for."""

COLUMNS = ("seq", "stream", "round", "kind", "at", "actor", "role", "request", "cites", "data", "entries", "salt")
"""The columns of an event under its hash, in the order of its text."""
ANSWER_COLUMNS = ("seq", "key", "actor", "digest", "status", "answer", "stream", "at")
"""The columns of an answer under its hash, in the order of its text."""

metadata = MetaData()
Whole = BigInteger().with_variant(Integer(), "sqlite")


def _table(name: str, *parts: Column[Any] | Index | CheckConstraint) -> Table:
    return Table(name, metadata, *parts, sqlite_strict=True)


def _whole(*names: str, key: bool = False) -> Iterator[Column[int]]:
    for name in names:
        yield Column(name, Whole, primary_key=key, autoincrement=False, nullable=False)


def _text(*names: str, key: bool = False) -> Iterator[Column[str]]:
    for name in names:
        yield Column(name, Text, primary_key=key, nullable=False)


events = _table(
    "events",
    *_whole("seq", key=True),
    *_text("stream"),
    *_whole("round"),
    *_text("kind"),
    *_whole("at"),
    *_text("actor", "role", "request", "cites", "data", "entries"),
    Column("hash", LargeBinary, nullable=False),
    Column("salt", Text, nullable=False, server_default=""),
    CheckConstraint("seq > 0", name="events_seq"),
    CheckConstraint("length(hash) = 32", name="events_hash"),
    Index("events_stream", "stream", "seq"),
    Index("events_round", "stream", "round", "seq"),
    Index("events_kind", "kind", "seq"),
)
"""Everything that happened, in one order; ``stream`` is a table, or '' for the house. Never changed, never deleted.

``salt`` is under the hash and empty in events of revision 0001."""

entries = _table(
    "entries",
    *_whole("seq", "line", key=True),
    *_text("account"),
    *_whole("units"),
    *_text("stream"),
    *_whole("round", "balance"),
    Index("entries_account", "account", "seq"),
)
"""The money of the events, one line each, with the account's balance after it: a projection of ``events.entries``."""

balances = _table("balances", *_text("account", key=True), *_whole("units"))

requests = _table(
    "requests",
    *_whole("seq", key=True),
    *_text("key", "actor", "digest", "answer", "stream"),
    *_whole("status", "at"),
    Column("hash", LargeBinary, nullable=False),
    Index("requests_key", "key", unique=True),
)
"""What was answered under each request key, in a chain of its own; ``digest`` is the SHA-256 of what was asked."""

snapshots = _table("snapshots", *_text("stream", key=True), *_whole("seq"), *_text("state"))

sealed = _table("sealed", *_text("stream", "deck", key=True), *_text("commitment", "cards", "salt"))
"""Orders of cards that nobody may know yet; a row goes when its deck is revealed."""

chain = _table("chain", *_whole("id", key=True), *_whole("seq"), Column("hash", LargeBinary, nullable=False))
"""Row 1 is the head of the events, at which PostgreSQL's writers stand in line; row 2 is the head of the answers."""

people = _table(
    "people",
    *_text("id", key=True),
    *_text("name", "role", "password"),
    *_whole("disabled", "failures", "locked_until", "created", "must_change"),
    *_text("made_by", "reset_by", "addresses"),
)
"""``made_by`` and ``reset_by`` are ids, ``system`` for the software, '' for nobody; ``addresses`` are the last from
which the person logged in. ``failures``, ``locked_until`` and ``addresses`` slow down guesses and stand in no event."""

sessions = _table(
    "sessions", *_text("token", key=True), *_text("person"), *_whole("created", "seen"), *_text("csrf", "address")
)
"""``token`` is the SHA-256 of what the browser holds."""

meters = _table("meters", *_text("id", key=True), *_text("settings"), *_whole("version"))

checkpoints = _table("checkpoints", *_whole("seq", key=True), *_text("state"))
"""What a verification had come to at an event; the event of the same number holds the SHA-256 of ``state``."""
