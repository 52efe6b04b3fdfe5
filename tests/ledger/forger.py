"""A forger with all the keys: changes an event and makes chain, entries, balances, answers and anchor agree again."""

import json
from collections.abc import Callable, Iterable
from typing import Any

from sqlalchemy import select, text, update
from tests.ledger.books import disarm

from pitboss.ledger.anchor import Mark, write_anchor
from pitboss.ledger.chain import GENESIS, answer_link, link, text_of
from pitboss.ledger.schema import ANSWER_COLUMNS, COLUMNS, balances, chain, entries, events, requests
from pitboss.ledger.store import Recorded, Store
from pitboss.table.canonical import canonical

Columns = dict[str, Any]
Forge = Callable[[Columns], None]
"""Changes the columns of an event in place; ``data``, ``entries`` and ``cites`` are given as values, not as text."""


def recorded(store: Store, kind: str, nth: int = 0, **data: Any) -> Recorded:
    """An event of a kind whose data holds these values."""
    with store.reading() as reading:
        found = reading.events(kinds=[kind])
    fitting = [e for e in found if all(e.data.get(name) == value for name, value in data.items())]
    return fitting[nth]


def forge(store: Store, changes: dict[int, Forge], answers: Callable[[list[Columns]], None] | None = None) -> None:
    """On SQLite only. Nothing but a replay can tell afterwards; ``answers`` changes the list of answers in place."""
    with store.engine.connect().execution_options(purpose="write") as connection, connection.begin():
        query = "SELECT sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'events'"
        guards = [row[0] for row in connection.execute(text(query))]
        disarm(connection)
        previous, hashes, kinds, at = GENESIS, {}, {}, 0
        for row in connection.execute(select(events).order_by(events.c.seq)).all():
            columns = dict(row._mapping)
            seq, at = columns["seq"], columns["at"]
            if seq in changes:
                for name in ("data", "entries", "cites"):
                    columns[name] = json.loads(columns[name])
                changes[seq](columns)
                for name in ("data", "entries", "cites"):
                    columns[name] = canonical(columns[name])
            previous = link(previous, text_of(tuple(columns[name] for name in COLUMNS)))
            hashes[seq], kinds[seq] = previous.hex(), columns["kind"]
            connection.execute(update(events).where(events.c.seq == seq).values(**{**columns, "hash": previous}))
        connection.execute(update(chain).where(chain.c.id == 1).values(hash=previous))
        _book_anew(connection)
        answered, count = GENESIS, 0
        rows = [dict(row._mapping) for row in connection.execute(select(requests).order_by(requests.c.seq))]
        for columns in rows:
            told = json.loads(columns["answer"])
            for event in told.get("events", ()):
                event |= {"hash": hashes[event["seq"]], "kind": kinds[event["seq"]]}
            columns["answer"] = canonical(told)
        if answers is not None:
            answers(rows)
        connection.execute(requests.delete())
        for columns in rows:
            answered, count = answer_link(answered, [columns[name] for name in ANSWER_COLUMNS]), columns["seq"]
            connection.execute(requests.insert().values(**{**columns, "hash": answered}))
        connection.execute(update(chain).where(chain.c.id == 2).values(seq=count, hash=answered))
        for guard in guards:
            connection.execute(text(guard))
    last = max(hashes)
    head = Mark(last, hashes[last], at, answers=count, told=answered.hex())
    write_anchor(store.anchor.path, head, [Mark(0, GENESIS.hex(), 0, "begun")])


def _book_anew(connection: Any) -> None:
    connection.execute(entries.delete())
    connection.execute(balances.delete())
    sums: dict[str, int] = {}
    for row in connection.execute(select(events).order_by(events.c.seq)).all():
        for line, (account, units) in enumerate(json.loads(row.entries)):
            sums[account] = sums.get(account, 0) + units
            values = {"seq": row.seq, "line": line, "account": account, "units": units}
            connection.execute(
                entries.insert().values(**values, stream=row.stream, round=row.round, balance=sums[account])
            )
    for account, units in sums.items():
        connection.execute(balances.insert().values(account=account, units=units))


def codes(findings: Iterable[Any]) -> set[str]:
    return {finding.code for finding in findings}
