"""The events page by page, the round that each belongs to, and one hash for the state that a table comes to.

The fold needs neither the database nor any rule, so an export of the events can be replayed by another version of
Python, or on a machine that has nothing but this package and msgspec.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from pitboss.table.canonical import canonical, digest_of
from pitboss.table.codec import encode
from pitboss.table.happened import Happened
from pitboss.table.state import Table

if TYPE_CHECKING:
    from pitboss.ledger.rows import Recorded
    from pitboss.ledger.store import Store

PAGE = 1_000


def state_hash(table: Table) -> str:
    """SHA-256 of the canonical JSON of a table: equal for equal states, on any machine.

    >>> state_hash(Table("t1")) == state_hash(Table("t1")), state_hash(Table("t1")) == state_hash(Table("t2"))
    (True, False)
    """
    return digest_of(canonical(encode(table)))


def round_of(table: Table) -> int:
    """The round that an event belongs to: the one in play, or else the next."""
    return table.play.number if table.play is not None else table.rounds + 1


def pages(
    store: "Store",
    last: int,
    stream: str | None = None,
    after: int = 0,
    kinds: Sequence[type[Happened] | str] | None = None,
) -> Iterator[list["Recorded"]]:
    """The events up to ``last``, a page at a time, so that no long transaction holds up anybody."""
    while True:
        with store.reading() as reading:
            page = [event for event in reading.events(stream, after, kinds=kinds, limit=PAGE) if event.seq <= last]
        if page:
            yield page
        if len(page) < PAGE:
            return
        after = page[-1].seq
