"""An event: what happened, by which paragraphs, and what money moved. Nothing else is recorded of a table."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Protocol

from pitboss.meters import UNITS_PER_CENT, Units
from pitboss.money import Cents
from pitboss.records import kept
from pitboss.table.happened import Happened, names, stored
from pitboss.table.kinds.chance import DiceShaken
from pitboss.table.kinds.house import TableClosed
from pitboss.table.kinds.rounds import RoundCompleted, RoundVoided
from pitboss.table.kinds.shuffling import CardsShuffled
from pitboss.table.source import Sealed


@dataclass(frozen=True)
class Entry:
    """One side of a movement of money: units of 1/10,000 cent that an account gains or, if negative, gives up."""

    account: str
    units: Units


@dataclass(frozen=True)
class Event:
    """One thing that happened. The entries sum to zero."""

    fact: Happened
    cites: tuple[str, ...] = ()
    entries: tuple[Entry, ...] = ()
    sealed: Sealed | None = field(default=None, repr=False, compare=False)
    """The deck, shuffled, that goes under seal with the event; it is no part of the record."""

    def __post_init__(self) -> None:
        if self.entries and sum(entry.units for entry in self.entries):
            raise ValueError(f"the entries of {self.kind} do not sum to zero")

    @property
    def kind(self) -> str:
        return self.fact.kind

    @property
    def data(self) -> dict[str, Any]:
        """What it says, as JSON has it."""
        return kept(self, "data", lambda: stored(self.fact))


def deck_of(event: Event) -> str:
    """Return the deck, or the dice, that goes under seal with an event."""
    assert isinstance(event.fact, CardsShuffled | DiceShaken)
    return event.fact.deck


class Happening(Protocol):
    """An event, recorded or not."""

    @property
    def kind(self) -> str: ...
    @property
    def fact(self) -> Happened: ...
    @property
    def cites(self) -> tuple[str, ...]: ...
    @property
    def entries(self) -> tuple[Entry, ...]: ...


def move(source: str, target: str, cents: Cents) -> tuple[Entry, ...]:
    """Both sides of a payment; nothing where there is nothing to pay."""
    return moved(source, target, cents * UNITS_PER_CENT)


def moved(source: str, target: str, units: Units) -> tuple[Entry, ...]:
    if units < 0:
        return moved(target, source, -units)
    return (Entry(source, -units), Entry(target, units)) if units and source != target else ()


def joined(parts: Iterable[tuple[Entry, ...]]) -> tuple[Entry, ...]:
    return tuple(entry for part in parts for entry in part)


def player_account(player: str) -> str:
    return f"player:{player}"


def layout_account(table: str) -> str:
    """Chips lying on the betting areas of a table."""
    return f"layout:{table}"


def carried_account(table: str) -> str:
    """Chips of wagers that live on from one round of a table to the next."""
    return f"carried:{table}"


def pot_account(table: str) -> str:
    """Chips that players have bet against each other."""
    return f"pot:{table}"


def inventory_account(table: str) -> str:
    return f"inventory:{table}"


def drop_account(table: str) -> str:
    """The drop box: cash and slips taken in at a table."""
    return f"drop:{table}"


def meter_account(meter: str, tier: str) -> str:
    return f"meter:{meter}:{tier}"


def jackpot_account(table: str) -> str:
    """What meters have paid and the table has not yet handed over."""
    return f"jackpots:{table}"


def receivable_account(player: str) -> str:
    """What a player owes the house: winnings of a void round that were gone when they were to be taken back."""
    return f"receivable:{player}"


HOUSE = "house"
CAGE = "cage"
CASH = "cash"
"""The patrons' own cash, outside the house."""
MAY_OWE = frozenset({HOUSE, CAGE, CASH})
"""The only accounts that may stand below zero: the house's own money, the cage that issues the chips, and the patrons'
cash outside. Chips of a player, of a layout or an inventory, a drop box, a meter, a jackpot, a pot or a claim cannot be
less than none."""
OVER = frozenset(names(RoundCompleted, RoundVoided, TableClosed))
"""Events after which nothing may lie on the layout or in a pot, and no jackpot may wait to be handed over."""


def must_be_empty(kind: str, table: str) -> tuple[str, ...]:
    """Return the accounts that stand at zero after an event of a table."""
    if kind not in OVER:
        return ()
    still = (carried_account(table),) if kind == TableClosed.KIND else ()
    return (layout_account(table), jackpot_account(table), pot_account(table), *still)
