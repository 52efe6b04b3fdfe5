"""How a table stands for somebody who looks at it, and what a command has around it inside its transaction."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pitboss.cards import parse_cards, show_cards
from pitboss.ledger.meters import standing_meter
from pitboss.ledger.store import Writing
from pitboss.meters import Meter, Units
from pitboss.money import Cents
from pitboss.table.guide import Step
from pitboss.table.roles import Role
from pitboss.table.source import Randomness, SealedDeck
from pitboss.table.state import Table


@dataclass(frozen=True)
class Standing:
    """A table at one head of the chain, with the step that it waits for."""

    table: Table
    step: Step | None
    head: int


@dataclass(frozen=True)
class Sight(Standing):
    """A table as somebody sees it: with his chips, if he plays, and what the meters of the table show."""

    chips: Cents
    meters: Mapping[str, Mapping[str, Cents]]
    """By the names that the rules give them."""


@dataclass
class LedgerDesk:
    """The surroundings of a command inside its transaction."""

    writing: Writing
    now: int
    person: str
    role: Role
    randomness: Randomness
    unsealed: set[str] = field(default_factory=set)
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
