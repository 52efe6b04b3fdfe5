"""Job functions at the table and in the pit."""

from enum import StrEnum


class Role(StrEnum):
    """A job function at the table or in the pit; it decides what somebody may do."""

    DEALER = "dealer"
    FLOORPERSON = "floorperson"
    PIT_MANAGER = "pit manager"
    CASHIER = "cashier"
    """Changes cash and chips with players and brings chips to and from the cage; has no part in the game."""
    PLAYER = "player"
    AUDITOR = "auditor"
    ADMINISTRATOR = "administrator"
    SYSTEM = "system"
    """The software itself: start, stop, clock. Nobody can log in as it."""


SUPERVISORS = frozenset({Role.FLOORPERSON, Role.PIT_MANAGER})
"""A floorperson or above."""
