"""The rows of the ledger as frozen records."""

import json
from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache
from typing import Any, TypeVar

from pitboss.clock import EPOCH
from pitboss.ledger import kinds as _kinds  # noqa: F401 - registers every kind of event
from pitboss.ledger.errors import LedgerError
from pitboss.meters import Units
from pitboss.records import kept
from pitboss.table.events import Entry
from pitboss.table.happened import Happened, read_fact, stored

K = TypeVar("K", bound=Happened)


def shown_time(at: int) -> str:
    """Microseconds since 1970 as files write them, in UTC; ``clock.local_time`` is for people.

    >>> shown_time(1_700_000_000_000_001)
    '2023-11-14T22:13:20.000001Z'
    """
    return (EPOCH + timedelta(microseconds=at)).isoformat(timespec="microseconds").replace("+00:00", "Z")


@dataclass(frozen=True)
class Head:
    """The last event of the chain, or the last answer of theirs; 0 and 32 zero bytes before the first."""

    seq: int
    hash: bytes


@dataclass(frozen=True)
class Recorded:
    """One event of the ledger: what happened, and who did it, when, at whose request."""

    seq: int
    stream: str
    round: int
    kind: str
    at: int
    actor: str
    role: str
    request: str
    cites: tuple[str, ...]
    fact: Happened
    entries: tuple[Entry, ...]
    salt: str
    hash: bytes

    @property
    def data(self) -> dict[str, Any]:
        """What it says, as JSON has it."""
        return kept(self, "data", lambda: stored(self.fact))

    def of(self, kind: type[K]) -> K:
        """Return what it says as an event of a kind. Raise ``LedgerError`` if its form is not that of the kind."""
        if not isinstance(self.fact, kind):
            raise LedgerError(f"event {self.seq} is no {kind.KIND} as this version writes one")
        return self.fact

    def as_dict(self) -> dict[str, Any]:
        return {
            "seq": self.seq,
            "stream": self.stream,
            "round": self.round,
            "kind": self.kind,
            "at": shown_time(self.at),
            "actor": self.actor,
            "role": self.role,
            "request": self.request,
            "cites": list(self.cites),
            "data": self.data,
            "entries": [[entry.account, entry.units] for entry in self.entries],
            "salt": self.salt,
            "hash": self.hash.hex(),
        }


def recorded(row: Any) -> Recorded:
    """A record from all columns of ``events`` in their order."""
    cites, data, entries, salt, digest = row[8:]
    moved = tuple(Entry(account, units) for account, units in json.loads(entries)) if entries != "[]" else ()
    return Recorded(*(*row[:8], _cited(cites), read_fact(row[3], data), moved, salt, bytes(digest)))


@lru_cache(maxsize=1024)
def _cited(cites: str) -> tuple[str, ...]:
    """There are only so many paragraphs."""
    return tuple(json.loads(cites))


@dataclass(frozen=True)
class Answer:
    """What was answered under a request key."""

    key: str
    actor: str
    digest: str
    status: int
    answer: str
    stream: str
    at: int


@dataclass(frozen=True)
class SealedRow:
    """A deck's order under seal. Its text shows no card."""

    stream: str
    deck: str
    commitment: str
    cards: str
    salt: str

    def __repr__(self) -> str:
        return f"SealedRow(stream={self.stream!r}, deck={self.deck!r}, commitment={self.commitment!r})"


@dataclass(frozen=True)
class Posting:
    """One line of an account's history."""

    seq: int
    line: int
    at: int
    kind: str
    stream: str
    round: int
    units: Units
