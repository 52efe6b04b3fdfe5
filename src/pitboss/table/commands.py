"""Importing this registers every command of the table."""

from pitboss.table import (
    abandoning,
    cashiering,
    collecting,
    dealing,
    deciding,
    decks,
    irregular,
    opening,
    seating,
    settling,
    shaking,
    shuffling,
    wagering,
)
from pitboss.table.command import COMMANDS

__all__ = ["COMMANDS"]
REGISTERED = (
    abandoning, cashiering, collecting, dealing, deciding, decks, irregular, opening, seating, settling, shaking,
    shuffling, wagering,
)  # fmt: skip
