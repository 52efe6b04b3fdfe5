"""A house of four tables for benchmarks: the same round of Three Card Poker over and over, through the pit."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pitboss.ledger.people import Person
from pitboss.ledger.pit import Pit
from pitboss.ledger.store import Store
from pitboss.submission import template
from pitboss.table.roles import Role

GAME = "three-card-poker"
SEATS = (1, 2, 3)
DEALER = Person("dealer-1", "Dealer", Role.DEALER)
FLOOR = Person("floor-1", "Floorperson", Role.FLOORPERSON)
MANAGER = Person("manager-1", "Pit manager", Role.PIT_MANAGER)


def submission() -> str:
    """One deck shuffled by hand and dealt from a manual shoe; everything on offer."""
    text = template(GAME, date(2024, 6, 1))
    for old, new in (
        ("used = true", "used = false"),
        ("counts_cards = true", "counts_cards = false"),
        ("decks = 2", "decks = 1"),
    ):
        text = text.replace(f"\n{old}", f"\n{new}")
    return text


@dataclass
class House:
    """A pit with a table ready to play, and a counter for request keys."""

    pit: Pit
    table: str = "t1"
    acts: int = 0
    seats: tuple[int, ...] = SEATS
    wagers: dict[str, int] = field(default_factory=lambda: {"ante": 1000})

    def act(self, who: Person, command: str, **fields: Any) -> None:
        self.acts += 1
        reply = self.pit.act(self.table, {"command": command, **fields}, who, f"{self.table}-key-{self.acts:09d}")
        if not reply.accepted:
            raise RuntimeError(f"{command}: {reply.text}")

    def open(self) -> None:
        self.act(MANAGER, "open_table", submission=submission(), fill=10**8)
        self.act(FLOOR, "receive_decks", preinspected=True)
        self.act(DEALER, "cut", at=20)
        for slip, seat in enumerate(self.seats, 2):  # the opening fill took the first slip of the day
            self.act(DEALER, "sit", seat=seat, player=f"{self.table}-p{seat}")
            self.act(MANAGER, "buy_in", amount=10**7, player=f"{self.table}-p{seat}", slip=slip)

    def round(self, number: int) -> None:
        """Fifteen commands, each its own transaction: shuffle and cut, wagers, deal, decisions, settlement."""
        table = self.pit.table(self.table)
        if table.phase == "shuffling":
            self.act(DEALER, "shuffle")
            self.act(DEALER, "cut", at=20)
        for seat in self.seats:
            for wager, amount in self.wagers.items():
                self.act(DEALER, "wager", seat=seat, wager=wager, amount=amount)
        self.act(DEALER, "no_more_bets")
        self.act(DEALER, "deal")
        counted = {"count": 52 - 3 * (len(self.seats) + 1)} if table.uncounted >= 4 else {}
        self.act(DEALER, "stub", **counted)
        for seat in self.seats:
            self.act(DEALER, "decide", seat=seat, choice="play" if (number + seat) % 3 else "fold")
        self.act(DEALER, "settle")
        self.act(DEALER, "reveal")
        self.act(DEALER, "settle")
        self.act(DEALER, "discard")


@contextmanager
def sqlite_store(folder: Path | None = None) -> Iterator[Store]:
    with TemporaryDirectory(dir=folder) as name, Store(f"sqlite:///{name}/ledger.db", Path(name) / "anchor") as store:
        yield store
