"""Events from plain values, as JSON has them."""

from collections.abc import Mapping
from typing import Any

from pitboss.ledger import kinds as _kinds  # noqa: F401 - registers every kind
from pitboss.table.events import Entry, Event
from pitboss.table.happened import fact_of


def event_of(
    kind: str, data: Mapping[str, Any] | None = None, cites: tuple[str, ...] = (), entries: tuple[Entry, ...] = ()
) -> Event:
    """Return an event of a kind; values that don't fit the kind make one in a form that nobody knows."""
    return Event(fact_of(kind, data or {}), cites, entries)
