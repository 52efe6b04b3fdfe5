"""The events as JSON Lines, to be read without this program."""

from collections.abc import Iterator, Sequence

from pitboss.clock import local_iso
from pitboss.ledger.floor import shown_event
from pitboss.ledger.people import Person
from pitboss.ledger.pit import SYSTEM
from pitboss.ledger.replay import pages
from pitboss.ledger.store import Reading, Recorded, Store
from pitboss.table.canonical import canonical
from pitboss.table.happened import Happened
from pitboss.table.kinds.rounds import ENDINGS


def export_lines(
    store: Store,
    stream: str | None = None,
    after: int = 0,
    kinds: Sequence[type[Happened] | str] | None = None,
    who: Person = SYSTEM,
) -> Iterator[str]:
    """One line for each event up to the one that is last when the export begins; ``kinds`` names those wanted.

    A line with ``"hidden": true`` belongs to a round in play and lacks its hidden cards. Page by page, so that a slow
    reader holds no transaction open.
    """
    with store.reading() as reading:
        last = reading.head.seq
    for page in pages(store, last, stream, after, kinds):
        with store.reading() as reading:  # whatever round has ended since may be shown
            live = unfinished(reading, {event.stream for event in page})
        for event in page:
            yield canonical(_line(event, who, live=live.get(event.stream) == event.round))


def unfinished(reading: Reading, streams: set[str]) -> dict[str, int]:
    """For each of these tables the round that is not over: the one in play, or the next."""
    found = {stream: reading.last_round(stream) for stream in streams if stream}
    return {
        stream: number for stream, number in found.items() if not reading.events(stream, round=number, kinds=ENDINGS)
    }


def _line(event: Recorded, who: Person, *, live: bool) -> dict[str, object]:
    shown = {**shown_event(event, who, frozenset(), live=live), "at_local": local_iso(event.at)}
    return {**shown, "hidden": True} if shown["data"] != event.data else shown
