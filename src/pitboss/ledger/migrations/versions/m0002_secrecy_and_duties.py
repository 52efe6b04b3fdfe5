"""Salted events, accounts that say who made them, and answers and checkpoints that can be verified."""

import json
from hashlib import sha256
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    _events()
    _accounts()
    _record()


def _events() -> None:
    """What keeps a published hash from telling what it was made of."""
    op.add_column("events", sa.Column("salt", sa.Text(), nullable=False, server_default=""))


def _accounts() -> None:
    """What separates the duties of people: who made an account, whose password it is, and whence its person comes."""
    whole = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.add_column("people", sa.Column("must_change", whole, nullable=False, server_default="0"))
    for name in ("made_by", "reset_by", "addresses"):
        op.add_column("people", sa.Column(name, sa.Text(), nullable=False, server_default=""))
    op.add_column("sessions", sa.Column("address", sa.Text(), nullable=False, server_default=""))
    connection = op.get_bind()
    made = connection.execute(sa.text("SELECT actor, data FROM events WHERE kind = 'account.created'")).all()
    for actor, data in made:
        known = {"actor": actor, "person": json.loads(data)["person"]}
        connection.execute(sa.text("UPDATE people SET made_by = :actor WHERE id = :person"), known)


def _record() -> None:
    """What brings the rest of the database inside the verification: answers in a chain of their own, checkpoints."""
    whole = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    texts = [sa.Column(name, sa.Text(), nullable=False) for name in ("actor", "digest", "answer", "stream")]
    op.create_table(
        "requests_chained",
        sa.Column("seq", whole, primary_key=True, autoincrement=False, nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        *texts,
        sa.Column("status", whole, nullable=False),
        sa.Column("at", whole, nullable=False),
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sqlite_strict=True,
    )
    _chain_answers()
    op.drop_table("requests")
    op.rename_table("requests_chained", "requests")
    op.create_index("requests_key", "requests", ["key"], unique=True)
    op.create_table(
        "checkpoints",
        sa.Column("seq", whole, primary_key=True, autoincrement=False, nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sqlite_strict=True,
    )


def _chain_answers() -> None:
    """The answers given so far, in the order of their time; row 2 of ``chain`` is their head."""
    names = ("key", "actor", "digest", "status", "answer", "stream", "at")
    old = sa.table("requests", *(sa.column(name) for name in names))
    columns = ("seq", *names, "hash")
    kinds: dict[str, Any] = {"hash": sa.LargeBinary()}
    new = sa.table("requests_chained", *(sa.column(name, kinds.get(name)) for name in columns))
    head = sa.table("chain", sa.column("id"), sa.column("seq"), sa.column("hash", sa.LargeBinary()))
    seq, previous, batch = 0, bytes(32), []
    for row in op.get_bind().execute(sa.select(old).order_by(old.c.at, old.c.key)).all():
        seq += 1
        text = json.dumps([seq, *row], separators=(",", ":"))
        previous = sha256(previous + text.encode()).digest()
        batch.append(dict(zip(columns, (seq, *row, previous), strict=True)))
        if len(batch) == 1_000:
            op.bulk_insert(new, batch)
            batch = []
    if batch:
        op.bulk_insert(new, batch)
    op.bulk_insert(head, [{"id": 2, "seq": seq, "hash": previous}])
