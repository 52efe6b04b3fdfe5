"""Job functions at the table and in the pit."""

from enum import StrEnum


class Role(StrEnum):
    DEALER = "dealer"
    FLOORPERSON = "floorperson"
    PIT_MANAGER = "pit manager"
    PLAYER = "player"
    AUDITOR = "auditor"
    ADMINISTRATOR = "administrator"
    SYSTEM = "system"
    """The software itself: start, stop, clock. Nobody can log in as it."""


SUPERVISORS = frozenset({Role.FLOORPERSON, Role.PIT_MANAGER})
"""A floorperson or above."""
