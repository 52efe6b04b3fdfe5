"""What a command has around it inside its transaction: sealed decks, balances and meters of the ledger."""

from dataclasses import dataclass, field

from pitboss.ledger.kinds.consent import PropertyBoundsSet
from pitboss.ledger.meters import standing_meter
from pitboss.ledger.store import HOUSE_STREAM, Reading
from pitboss.meters import Meter, Units
from pitboss.table.bounds import Bounds
from pitboss.table.roles import Role
from pitboss.table.source import Randomness, Sealed, commitment_of


def bounds_of(reading: Reading) -> Bounds:
    """The bounds of the property that two people set last."""
    event = reading.latest(PropertyBoundsSet, HOUSE_STREAM)
    if event is None:
        return Bounds()
    told = event.of(PropertyBoundsSet)
    return Bounds(told.act, told.inventory, told.wager)


@dataclass
class LedgerDesk:
    """The surroundings of a command inside its transaction."""

    reading: Reading
    now: int
    person: str
    role: Role
    randomness: Randomness
    zone: str = ""
    _meters: dict[str, Meter | None] = field(default_factory=dict)

    def sealed(self, table: str, deck: str) -> Sealed | None:
        """The deck, if it is there, can be read and gives its commitment: any other is as good as gone."""
        row = self.reading.sealed(table, deck)
        if row is None:
            return None
        try:
            found = Sealed(row.cards, bytes.fromhex(row.salt), row.commitment)
            return found if commitment_of(found.content, found.salt) == found.commitment else None
        except ValueError:
            return None

    @property
    def bounds(self) -> Bounds:
        return bounds_of(self.reading)

    def balance(self, account: str) -> Units:
        return self.reading.balance(account)

    def meter(self, name: str) -> Meter | None:
        if name not in self._meters:
            self._meters[name] = standing_meter(self.reading, name)
        return self._meters[name]
