"""Importing this registers every command of the table."""

from pitboss.table import (
    dealing,
    deciding,
    drawing,
    irregular,
    opening,
    seating,
    settling,
    shuffling,
    wagering,
)
from pitboss.table.command import COMMANDS

__all__ = [
    "COMMANDS", "dealing", "deciding", "drawing", "irregular", "opening", "seating", "settling", "shuffling",
    "wagering",
]  # fmt: skip
