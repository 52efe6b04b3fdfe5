"""What a command has around it inside its transaction: sealed decks, balances and meters of the ledger."""

from dataclasses import dataclass, field

from pitboss.cards import parse_cards, show_cards
from pitboss.ledger.meters import standing_meter
from pitboss.ledger.store import Writing
from pitboss.meters import Meter, Units
from pitboss.table.roles import Role
from pitboss.table.source import Randomness, SealedDeck


@dataclass
class LedgerDesk:
    """The surroundings of a command inside its transaction."""

    writing: Writing
    now: int
    person: str
    role: Role
    randomness: Randomness
    _meters: dict[str, Meter | None] = field(default_factory=dict)

    def seal(self, table: str, deck: str, sealed: SealedDeck) -> None:
        self.writing.seal(table, deck, sealed.commitment, show_cards(sealed.cards), sealed.salt.hex())

    def sealed(self, table: str, deck: str) -> SealedDeck | None:
        row = self.writing.sealed(table, deck)
        return None if row is None else SealedDeck(parse_cards(row.cards), bytes.fromhex(row.salt), row.commitment)

    def balance(self, account: str) -> Units:
        return self.writing.balance(account)

    def meter(self, name: str) -> Meter | None:
        if name not in self._meters:
            self._meters[name] = standing_meter(self.writing, name)
        return self._meters[name]
