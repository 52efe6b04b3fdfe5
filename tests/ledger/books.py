"""A small ledger with a history, and the ways in which a test lays hands on it."""

from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

from sqlalchemy import Connection
from tests.events import event_of

from pitboss.ledger.engine import is_sqlite
from pitboss.ledger.store import Store
from pitboss.table.events import move

AT = 1_700_000_000_000_000


def fill(store: Store, transactions: int, seed: int = 7, start: int = 0) -> None:
    """Rounds of wagers, cards and pays at two tables."""
    random = Random(seed)
    for number in range(start, start + transactions):
        table = f"t{number % 2 + 1}"
        player = f"player:p{random.randrange(5)}"
        cents = 100 * random.randrange(1, 50)
        events = [
            event_of(
                "wager.placed", {"cents": cents, "seat": 1}, ("641a.11(c)",), move("cash", f"layout:{table}", cents)
            ),
            event_of("card.dealt", {"card": "As", "note": "naïve"}),
            event_of("wager.settled", {"pay": cents}, (), move("house", player, cents)),
        ][: random.randrange(1, 4)]
        with store.writing() as writing:
            writing.append(
                events,
                stream=table,
                round=number // 4,
                actor="dealer-1",
                role="dealer",
                at=AT + number,
                request=f"key-{number}",
            )


@contextmanager
def intruder(store: Store, *, commit: bool = False) -> Iterator[Connection]:
    """A transaction in which the triggers are off; all of it is undone at the end, unless it is to stay."""
    with store.engine.connect().execution_options(purpose="write") as connection, connection.begin() as transaction:
        disarm(connection)
        yield connection
        if not commit:
            transaction.rollback()


def disarm(connection: Connection) -> None:
    if is_sqlite(connection):
        for name in ("events_no_update", "events_no_delete", "events_in_order"):
            connection.exec_driver_sql(f"DROP TRIGGER {name}")
    else:
        connection.exec_driver_sql("ALTER TABLE events DISABLE TRIGGER ALL")
