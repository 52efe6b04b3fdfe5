"""Rows stored beside the events, compared with them: sealed decks, settings of meters, snapshots."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import select

from pitboss.findings import Finding, refusal
from pitboss.ledger.kinds.meters import MeterChangeApproved, MeterOpened
from pitboss.ledger.kinds.school import SchoolSealed
from pitboss.ledger.rows import Recorded
from pitboss.ledger.schema import meters, people, sealed, sessions, snapshots
from pitboss.ledger.transactions import Reading
from pitboss.meters import Units
from pitboss.table.canonical import canonical, digest_of
from pitboss.table.kinds.cards import DeckLost, DeckRevealed
from pitboss.table.kinds.chance import DiceShaken
from pitboss.table.kinds.shuffling import CardsShuffled
from pitboss.table.source import commitment_of


@dataclass(frozen=True)
class Beside:
    """The rows beside the events, all of the moment of one reading."""

    people: dict[str, Mapping[str, Any]]
    sessions: list[Mapping[str, Any]]
    sealed: dict[tuple[str, str], tuple[str, str, str]]
    meters: dict[str, tuple[str, int]]
    snapshots: dict[str, tuple[int, str]]
    held: dict[str, Units]
    """What stands on the meters."""

    @classmethod
    def read(cls, reading: Reading) -> "Beside":
        ask = reading.connection.execute
        session = select(sessions.c.token, sessions.c.person, sessions.c.created, sessions.c.address)
        return cls(
            {row["id"]: dict(row) for row in ask(select(people)).mappings()},
            [dict(row) for row in ask(session).mappings()],
            {(row.stream, row.deck): (row.commitment, row.cards, row.salt) for row in ask(select(sealed))},
            {row.id: (row.settings, row.version) for row in ask(select(meters))},
            {row.stream: (row.seq, row.state) for row in ask(select(snapshots))},
            reading.balances("meter:"),
        )


@dataclass
class Sealings:
    """Every commitment that was published and not yet honoured: its deck lies under seal, and no other does."""

    published: dict[str, dict[str, str]] = field(default_factory=dict)
    """By table and deck."""

    def follow(self, event: Recorded) -> None:
        match event.fact:
            case CardsShuffled() | DiceShaken() | SchoolSealed() as sealed if sealed.commitment:
                self.published.setdefault(event.stream, {})[sealed.deck] = sealed.commitment
            case DeckRevealed(deck=deck) | DeckLost(deck=deck):
                self.published.get(event.stream, {}).pop(deck, None)

    def findings(self, rows: Mapping[tuple[str, str], tuple[str, str, str]]) -> Iterator[Finding]:
        """No card is shown."""
        due = {(stream, deck): told for stream, decks in self.published.items() for deck, told in decks.items()}
        for stream, deck in sorted({*rows, *due}):
            wanted, found = due.get((stream, deck), "none"), "none"
            if (stream, deck) in rows:
                commitment, cards, salt = rows[stream, deck]
                found = _computed(cards, salt) if commitment == wanted else commitment
            if wanted != found:
                sentence = f"the {deck} deck under seal at {stream} is not the one whose commitment was published"
                if found == "none":
                    sentence = f"the {deck} deck of {stream} was committed to, but is no longer under seal"
                yield refusal("sealed", wanted, found, sentence, stream)


def _computed(cards: str, salt: str) -> str:
    try:
        return commitment_of(cards, bytes.fromhex(salt))
    except ValueError:
        return "unreadable"


@dataclass
class MeterRows:
    """How often the settings of each meter were saved."""

    saved: dict[str, int] = field(default_factory=dict)

    def follow(self, event: Recorded) -> None:
        match event.fact:
            case MeterOpened(meter=meter) | MeterChangeApproved(meter=meter):
                self.saved[meter] = self.saved.get(meter, 0) + 1

    def findings(self, rows: Mapping[str, tuple[str, int]], settings: Mapping[str, Any]) -> Iterator[Finding]:
        """``settings`` are those that were recorded and approved."""
        for meter in sorted({*rows, *settings}):
            due = (canonical(settings[meter]), self.saved.get(meter, 0)) if meter in settings else None
            if rows.get(meter) != due:
                sentence = f"the settings of the meter {meter} are not those that were recorded and approved"
                yield refusal("meter-settings", due, rows.get(meter), sentence, meter)


def fingerprint(snapshot: tuple[int, str]) -> str:
    return digest_of(f"{snapshot[0]}\n{snapshot[1]}")
