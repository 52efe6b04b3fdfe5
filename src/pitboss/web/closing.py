"""What a house that is closed to play says."""

from typing import Final

CLOSED: Final = "No wager is taken and no new round is dealt. Rounds in play are finished, and chips are cashed."
CLOSED_TABLE: Final = (
    f"The house is closed to play until an auditor or an administrator has seen to its record. {CLOSED}"
)
