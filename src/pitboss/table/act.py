"""What a command does: its events, and the table before and after them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pitboss.table.events import Event
from pitboss.table.fold import apply_all
from pitboss.table.state import Table


@dataclass(frozen=True)
class Act:
    """Events that happen together, at one table. Nothing has been written yet."""

    before: Table
    events: tuple[Event, ...]
    after: Table

    @classmethod
    def of(cls, table: Table, events: Iterable[Event]) -> "Act":
        """Return the act of events whose effect nobody has worked out yet."""
        made = tuple(events)
        return cls(table, made, apply_all(table, made))

    def __iter__(self) -> Iterator[Event]:
        return iter(self.events)
