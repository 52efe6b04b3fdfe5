"""What a command may look at besides the table: the clock, who acts, chance, sealed decks, chips and meters."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from pitboss.clock import MICROSECONDS
from pitboss.meters import UNITS_PER_CENT, Meter, Units
from pitboss.money import Cents, show_dollars
from pitboss.table.bounds import Bounds
from pitboss.table.events import Entry, Event, deck_of, meter_account, player_account
from pitboss.table.roles import Role
from pitboss.table.source import Randomness, Sealed, SystemRandomness

HOUR = 3600 * MICROSECONDS


class Desk(Protocol):
    """The surroundings of one command, to be read only: what it does is in its events."""

    @property
    def now(self) -> int:
        """Microseconds since 1970, UTC."""

    @property
    def person(self) -> str: ...
    @property
    def role(self) -> Role: ...
    @property
    def randomness(self) -> Randomness: ...

    @property
    def zone(self) -> str:
        """The time zone of the gaming day; that of the property if empty."""

    @property
    def bounds(self) -> Bounds:
        """The bounds of the property."""

    def sealed(self, table: str, deck: str) -> Sealed | None: ...
    def balance(self, account: str) -> Units: ...

    def meter(self, name: str) -> Meter | None:
        """The current state of a meter of the house."""


@dataclass
class MemoryDesk:
    """Surroundings without a database, for tests, training and examples."""

    person: str = "dealer-1"
    role: Role = Role.DEALER
    now: int = 1_720_000_000 * MICROSECONDS
    randomness: Randomness = field(default_factory=SystemRandomness)
    balances: dict[str, Units] = field(default_factory=dict)
    settings: dict[str, Meter] = field(default_factory=dict)
    decks: dict[tuple[str, str], Sealed] = field(default_factory=dict)
    zone: str = ""
    bounds: Bounds = field(default_factory=Bounds)

    def sealed(self, table: str, deck: str) -> Sealed | None:
        return self.decks.get((table, deck))

    def balance(self, account: str) -> Units:
        return self.balances.get(account, 0)

    def meter(self, name: str) -> Meter | None:
        meter = self.settings.get(name)
        return None if meter is None else standing(meter, name, self.balances)

    def post(self, entries: tuple[Entry, ...]) -> None:
        for entry in entries:
            self.balances[entry.account] = self.balances.get(entry.account, 0) + entry.units

    def keep(self, table: str, events: Iterable[Event]) -> None:
        """Move the money of events of a table and put its shuffled decks under seal."""
        for event in events:
            self.post(event.entries)
            if event.sealed is not None:
                self.decks[table, deck_of(event)] = event.sealed

    def open_meter(self, name: str, meter: Meter) -> None:
        """A meter at its seed, funded by the house."""
        self.settings[name] = meter
        for tier, units in meter.amounts.items():
            self.post((Entry("house", -units), Entry(meter_account(name, tier), units)))


def chips(desk: Desk, player: str) -> Cents:
    """What a player has in chips, off the layout."""
    return desk.balance(player_account(player)) // UNITS_PER_CENT


def short_of_chips(desk: Desk, player: str, needed: Cents) -> tuple[str, str]:
    """Return what was expected and a sentence where a player has too few chips; a dealer doesn't learn how many."""
    held, needs = show_dollars(chips(desk, player)), show_dollars(needed)
    if desk.role == Role.DEALER:
        return f"{needs} in chips", f"{player} doesn't have {needs} in chips."
    return f"at most {held}", f"{player} has {held} in chips; this needs {needs}."


def standing(meter: Meter, name: str, balances: Mapping[str, Units]) -> Meter:
    """A meter with the amounts that the books hold for it."""
    amounts = {tier: balances.get(meter_account(name, tier), 0) for tier in meter.amounts}
    return meter.holding(amounts, balances.get(meter_account(name, "reserve"), 0))
