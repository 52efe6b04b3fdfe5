"""Salted events, accounts that say who made them, and answers and checkpoints that can be verified."""

import json

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
    """What brings the rest of the database inside the verification."""
