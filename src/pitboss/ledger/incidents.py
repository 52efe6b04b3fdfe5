"""Incidents: significant events that somebody has yet to look at, kept up to date as the ledger grows."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, Final

from pitboss.findings import refuse
from pitboss.ledger.kinds.meters import MeterOpened
from pitboss.ledger.kinds.system import IncidentAcknowledged, SystemStarted, SystemStopped
from pitboss.ledger.people import Person
from pitboss.ledger.pit import Pit
from pitboss.ledger.significant import Significant, significant
from pitboss.ledger.store import HOUSE_STREAM, Store
from pitboss.table.events import Event
from pitboss.table.happened import names
from pitboss.table.kinds.house import TableClosed, TableOpened

PERMISSION: Final = "incident.acknowledge"
LOOK_BACK: Final = 20_000
"""Events before the last among which incidents are looked for when the program starts."""
LONGEST_NOTE: Final = 500
ORDINARY: Final = frozenset(names(SystemStarted, SystemStopped, TableOpened, TableClosed, MeterOpened))
"""Significant, and in the record; but nobody has to say that he has seen it."""


@dataclass(frozen=True)
class Incident:
    """A significant event, and who has acknowledged it, if anybody has."""

    event: Significant
    by: str = ""
    note: str = ""

    @property
    def is_open(self) -> bool:
        return not self.by and self.event.kind not in ORDINARY

    def as_dict(self) -> dict[str, Any]:
        return {**self.event.as_dict(), "acknowledged_by": self.by, "note": self.note}


@dataclass
class IncidentLog:
    """What was read so far; only later events are read again."""

    store: Store
    after: int = -1
    found: list[Significant] = field(default_factory=list)
    seen: dict[int, tuple[str, str]] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def look(self) -> tuple[Incident, ...]:
        """All incidents, newest first."""
        with self._lock:
            with self.store.reading() as reading:
                head = reading.head.seq
                self.after = max(0, head - LOOK_BACK) if self.after < 0 else self.after
                said = reading.events(HOUSE_STREAM, after=self.after, kinds=(IncidentAcknowledged,))
            if head > self.after:
                self.found += [event for event in significant(self.store, self.after) if event.seq <= head]
                for event in said:
                    told = event.of(IncidentAcknowledged)
                    self.seen |= dict.fromkeys(told.incidents, (event.actor, told.note))
                self.after = head
            return tuple(Incident(event, *self.seen.get(event.seq, ())) for event in reversed(self.found))


def acknowledge(pit: Pit, numbers: Collection[int], note: str, who: Person, known: Iterable[Incident]) -> None:
    """Record that a person has seen to incidents. Several at once need a note that says why."""
    pit.demand(who, PERMISSION)
    waiting = {each.event.seq for each in known if each.is_open}
    if not numbers or not waiting.issuperset(numbers):
        refuse("no-incident", "open incidents", "others", "None of these incidents is open.")
    said = note.strip()
    if len(said) > LONGEST_NOTE or (said and not said.isprintable()):
        expected = f"at most {LONGEST_NOTE} printable characters"
        refuse("note", expected, "", f"A note has {expected}.", "note")
    if len(numbers) > 1 and not said:
        sentence = f"You acknowledge {len(numbers)} incidents at once. Say in a note why they need nothing more."
        refuse("note", "a note", "none", sentence, "note")
    pit.remark(Event(IncidentAcknowledged(incidents=tuple(sorted(numbers)), note=said)), who)
