"""Chips and cash: buying in and cashing out, fills and credits, each by the house's people, with a slip and a limit."""

from collections.abc import Iterator
from dataclasses import dataclass

from pitboss.findings import Finding, refusal
from pitboss.meters import UNITS_PER_CENT
from pitboss.money import Cents, show_dollars
from pitboss.table.command import Command, command
from pitboss.table.desk import Desk, chips
from pitboss.table.events import (
    CAGE,
    CASH,
    HOUSE,
    Event,
    drop_account,
    inventory_account,
    move,
    player_account,
    receivable_account,
)
from pitboss.table.kinds.house import (
    InventoryCredited,
    InventoryFilled,
    PlayerBoughtIn,
    PlayerCashedOut,
    PlayerRepaid,
)
from pitboss.table.opening import NO_SLIP, NumberedSlip, next_slip, numbered
from pitboss.table.roles import Role
from pitboss.table.ruling import SEATED, cite_of
from pitboss.table.seating import OPEN, live_seats
from pitboss.table.state import Table

SPOILED = 100
"""Slips that may be left out before one is used: forms are spoiled, but a mistyped number must not end the series."""


@dataclass(frozen=True)
class Chips(Command):
    """Chips that change hands outside the game: a slip says how many, and who answers for it."""

    amount: Cents
    slip: int = 0
    """The number on the slip; each table has one series a gaming day."""

    def findings(self, table: Table, desk: Desk) -> Iterator[Finding]:
        if self.amount <= 0:
            expected = "more than $0"
            yield refusal("amount", expected, show_dollars(self.amount), f"Give an amount of {expected}.")
        elif beyond := tuple(desk.bounds.beyond("act", self.amount, "What one act moves")):
            yield from beyond
        elif self.amount > table.chip_limit and desk.role != Role.PIT_MANAGER:
            most = show_dollars(table.chip_limit)
            sentence = f"A {desk.role} moves at most {most} in one act at this table; above it a pit manager does."
            yield refusal("chip-limit", f"at most {most}", show_dollars(self.amount), sentence)
        following = next_slip(table, desk.now)
        if not following <= self.slip < following + SPOILED:
            found = f"slip {self.slip}" if self.slip else "no slip"
            order = f"Chips move with a slip, numbered in order each gaming day: the next at this table is {following}."
            yield refusal("slip", f"slip {following}, or a few higher", found, order)

    def numbered(self, table: Table, desk: Desk) -> NumberedSlip:
        """Return the slip of the act; ledgers older than the slips have acts without one."""
        return numbered(table, desk.now, self.slip) if self.slip else NO_SLIP


@command("fill", OPEN)
class Fill(Chips):
    """Chips come from the cage into the table's inventory, with a fill slip."""

    def findings(self, table: Table, desk: Desk) -> Iterator[Finding]:
        yield from super().findings(table, desk)
        after = desk.balance(inventory_account(table.id)) // UNITS_PER_CENT + self.amount
        yield from desk.bounds.beyond("inventory", after, "The inventory of a table after a fill")

    def events(self, table: Table, desk: Desk) -> Iterator[Event]:
        slip = self.numbered(table, desk)
        filled = InventoryFilled(amount=self.amount, slip=slip.number, day=slip.day)
        yield Event(filled, (), move(CAGE, inventory_account(table.id), self.amount))


@command("credit", OPEN)
class Credit(Chips):
    """Chips go from the table's inventory back to the cage, with a credit slip."""

    def events(self, table: Table, desk: Desk) -> Iterator[Event]:
        slip = self.numbered(table, desk)
        credited = InventoryCredited(amount=self.amount, slip=slip.number, day=slip.day)
        yield Event(credited, (), move(inventory_account(table.id), CAGE, self.amount))


@dataclass(frozen=True)
class Exchange(Chips):
    """Chips between a player at the table and the house."""

    player: str = ""

    def findings(self, table: Table, desk: Desk) -> Iterator[Finding]:
        yield from super().findings(table, desk)
        if self.player not in table.homes:
            cite = cite_of(table, SEATED)
            sentence = f"{self.player or 'Nobody'} does not sit at this table."
            yield refusal("not-seated", "a player at the table", self.player or "nobody", sentence, cite=cite)

    def _held(self, desk: Desk) -> Iterator[Finding]:
        held = chips(desk, self.player)
        if self.amount > held:
            sentence = f"{self.player} has {show_dollars(held)} in chips."
            yield refusal("chips", f"at most {show_dollars(held)}", show_dollars(self.amount), sentence)


@command("buy_in", OPEN, "refuse-verbal-wagers-with-cash")
class BuyIn(Exchange):
    """Cash goes into the drop box and chips leave the inventory; wagers are made with chips only."""

    def events(self, table: Table, desk: Desk) -> Iterator[Event]:
        cash = move(CASH, drop_account(table.id), self.amount)
        handed = move(inventory_account(table.id), player_account(self.player), self.amount)
        slip = self.numbered(table, desk)
        bought = PlayerBoughtIn(player=self.player, amount=self.amount, slip=slip.number, day=slip.day)
        yield Event(bought, (cite_of(table, self.act),), (*cash, *handed))


@command("cash_out", OPEN)
class CashOut(Exchange):
    """Chips go back into the inventory and the cage pays."""

    def findings(self, table: Table, desk: Desk) -> Iterator[Finding]:
        yield from super().findings(table, desk)
        yield from self._held(desk)
        if live_seats(table, self.player):
            sentence = "Chips are cashed when the round is over."
            yield refusal("live-wagers", "a finished round", "live wagers", sentence, cite=cite_of(table, SEATED))

    def events(self, table: Table, desk: Desk) -> Iterator[Event]:
        chips_back = move(player_account(self.player), inventory_account(table.id), self.amount)
        slip = self.numbered(table, desk)
        cashed = PlayerCashedOut(player=self.player, amount=self.amount, slip=slip.number, day=slip.day)
        yield Event(cashed, (), (*chips_back, *move(CAGE, CASH, self.amount)))


@command("repay", OPEN)
class Repay(Exchange):
    """A player brings back chips that a void round took from him on paper only; the house's claim is gone with them."""

    def findings(self, table: Table, desk: Desk) -> Iterator[Finding]:
        yield from super().findings(table, desk)
        yield from self._held(desk)
        owed = desk.balance(receivable_account(self.player)) // UNITS_PER_CENT
        if self.amount > owed:
            sentence = f"{self.player or 'Nobody'} owes the house {show_dollars(owed)}."
            yield refusal("owed", f"at most {show_dollars(owed)}", show_dollars(self.amount), sentence)

    def events(self, table: Table, desk: Desk) -> Iterator[Event]:
        chips_back = move(player_account(self.player), inventory_account(table.id), self.amount)
        claim = move(receivable_account(self.player), HOUSE, self.amount)
        slip = self.numbered(table, desk)
        repaid = PlayerRepaid(player=self.player, amount=self.amount, slip=slip.number, day=slip.day)
        yield Event(repaid, (), (*chips_back, *claim))
