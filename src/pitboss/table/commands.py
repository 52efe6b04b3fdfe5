"""Importing this registers every command of the table."""

from pitboss.table import (  # noqa: F401
    abandoning,
    cashiering,
    collecting,
    correcting,
    dealing,
    deciding,
    decks,
    declaring,
    irregular,
    opening,
    seating,
    settling,
    shaking,
    shuffling,
    turning,
    wagering,
)  # fmt: skip
from pitboss.table.command import COMMANDS

__all__ = ["COMMANDS"]
