"""Tables folded again from their events, and one hash for the state they come to.

The fold needs neither the database nor any rule, so an export of the events can be replayed by another version of
Python, or on a machine that has nothing but this package.
"""

from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from pitboss.table.codec import encode
from pitboss.table.events import canonical
from pitboss.table.fold import apply
from pitboss.table.state import Table

if TYPE_CHECKING:
    from pitboss.ledger.rows import Recorded
    from pitboss.ledger.store import Store

PAGE = 1_000


def state_hash(table: Table) -> str:
    """SHA-256 of the canonical JSON of a table: equal for equal states, whoever computes it.

    >>> state_hash(Table("t1")) == state_hash(Table("t1")), state_hash(Table("t1")) == state_hash(Table("t2"))
    (True, False)
    """
    return sha256(canonical(encode(table)).encode()).hexdigest()


def round_of(table: Table) -> int:
    """The round that an event belongs to: the one in play, or else the next."""
    return table.play.number if table.play is not None else table.rounds + 1


def folded(stream: str, events: Iterable[tuple[str, Mapping[str, Any]]]) -> Table:
    """A table from the kinds and data of all its events."""
    table = Table(stream)
    for kind, data in events:
        table = apply(table, kind, data)
    return table


def replayed(store: "Store", stream: str) -> Table:
    """A table folded from its very first event, without any snapshot."""
    with store.reading() as reading:
        last = reading.head.seq
    return folded(stream, ((event.kind, event.data) for page in pages(store, last, stream) for event in page))


def pages(store: "Store", last: int, stream: str | None = None, after: int = 0) -> Iterator[list["Recorded"]]:
    """The events up to ``last``, a page at a time, so that no long transaction holds up anybody."""
    while True:
        with store.reading() as reading:
            page = [event for event in reading.events(stream, after, limit=PAGE) if event.seq <= last]
        if page:
            yield page
        if len(page) < PAGE:
            return
        after = page[-1].seq
