"""What a command has around it inside its transaction: sealed decks, balances and meters of the ledger."""

from dataclasses import dataclass, field

from pitboss.ledger.meters import standing_meter
from pitboss.ledger.store import Writing
from pitboss.meters import Meter, Units
from pitboss.table.roles import Role
from pitboss.table.source import Randomness, Sealed, commitment_of


@dataclass
class LedgerDesk:
    """The surroundings of a command inside its transaction."""

    writing: Writing
    now: int
    person: str
    role: Role
    randomness: Randomness
    zone: str = ""
    _meters: dict[str, Meter | None] = field(default_factory=dict)

    def seal(self, table: str, deck: str, sealed: Sealed) -> None:
        self.writing.seal(table, deck, sealed.commitment, sealed.content, sealed.salt.hex())

    def sealed(self, table: str, deck: str) -> Sealed | None:
        """The deck, if it is there, can be read and gives its commitment: any other is as good as gone."""
        row = self.writing.sealed(table, deck)
        if row is None:
            return None
        try:
            found = Sealed(row.cards, bytes.fromhex(row.salt), row.commitment)
            return found if commitment_of(found.content, found.salt) == found.commitment else None
        except ValueError:
            return None

    def balance(self, account: str) -> Units:
        return self.writing.balance(account)

    def meter(self, name: str) -> Meter | None:
        if name not in self._meters:
            self._meters[name] = standing_meter(self.writing, name)
        return self._meters[name]
