"""Significant events and incidents as documents: what happened, where, who did it, when and why."""

from collections.abc import Iterable
from typing import Final

from pitboss.clock import day_of
from pitboss.ledger.incidents import ORDINARY, Incident
from pitboss.ledger.rows import shown_time
from pitboss.ledger.significant import Significant
from pitboss.paper.model import CellKind, Column, Listing, Paper, Passage, Row
from pitboss.reports.stamp import imprint, period_of

OF_A_ROUND: Final = frozenset({"round.voided", "meter.paid", "irregularity.reported"})
"""Kinds of event that belong to the round under whose number they stand."""
EVENTS: Final = (
    Column("event", "Event", CellKind.COUNT, rank=0),
    Column("time", "Time", CellKind.TIME),
    Column("time (UTC)", "Time (UTC)", rank=0),
    Column("where", "Where", CellKind.REFERENCE),
    Column("table", "Table", rank=0),
    Column("round", "Round", CellKind.COUNT, rank=0),
    Column("who", "Who", rank=2),
    Column("job function", "Job function", rank=2),
    Column("kind", "Kind", rank=0),
    Column("paragraph", "Paragraph", CellKind.CITES, rank=2),
    Column("what", "What happened", CellKind.SENTENCE, rank=3),
    Column("why", "Why", CellKind.SENTENCE, rank=3),
)
ACKNOWLEDGED: Final = (
    Column("state", "State"),
    Column("acknowledged by", "Acknowledged by", rank=2),
    Column("note", "Note", CellKind.SENTENCE, rank=3),
)
Filters = tuple[tuple[str, str], ...]


def significant_paper(events: Iterable[Significant], filters: Filters = (), printed: int | None = None) -> Paper:
    """Significant events in their order."""
    events = tuple(events)
    listing = Listing("significant", EVENTS, tuple(map(_event, events)))
    return _paper("Significant events", listing, events, filters, printed)


def incidents_paper(found: Iterable[Incident], filters: Filters = (), printed: int | None = None) -> Paper:
    """Incidents in their order, with who has acknowledged them."""
    found = tuple(found)
    rows = tuple((*_event(each.event), _state(each), each.by, each.note) for each in found)
    listing = Listing("incidents", (*EVENTS, *ACKNOWLEDGED), rows)
    return _paper("Incidents", listing, (each.event for each in found), filters, printed)


def _paper(title: str, listing: Listing, events: Iterable[Significant], filters: Filters, printed: int | None) -> Paper:
    head = imprint("", printed, period=period_of(day_of(each.at) for each in events), filters=filters)
    return Paper(listing.key, title, (), (Passage("", (listing,)),), head, listing.key)


def _event(event: Significant) -> Row:
    named = event.table and event.round and event.kind in OF_A_ROUND
    where = f"{event.table}, round {event.round}" if named else event.table or "the house"
    why = "" if event.why.startswith("[") else event.why
    times = event.at, shown_time(event.at)
    about = event.who, event.role, event.kind, event.cites
    return event.seq, *times, where, event.table, event.round or None, *about, event.sentence, why


def _state(incident: Incident) -> str:
    if incident.event.kind in ORDINARY:
        return ""
    return "acknowledged" if incident.by else "open"
