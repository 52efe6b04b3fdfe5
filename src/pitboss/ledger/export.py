"""The events as JSON Lines, for whoever wants to read them without this program."""

from collections.abc import Iterator, Sequence

from pitboss.ledger.store import Store
from pitboss.table.events import canonical

PAGE = 1_000


def export_lines(
    store: Store, stream: str | None = None, after: int = 0, kinds: Sequence[str] | None = None
) -> Iterator[str]:
    """One line for each event up to the one that is last when the export begins; ``kinds`` names those wanted.

    Page by page, so that a slow reader holds no transaction open.
    """
    with store.reading() as reading:
        last = reading.head.seq
    while True:
        with store.reading() as reading:
            page = reading.events(stream, after, kinds=kinds, limit=PAGE)
        for event in page:
            if event.seq > last:
                return
            yield canonical(event.as_dict())
        if len(page) < PAGE:
            return
        after = page[-1].seq
