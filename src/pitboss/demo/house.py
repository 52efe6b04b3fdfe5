"""A house to look at: a shift of history, somebody in every job function, and an open table for each game."""

from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

from pitboss.demo.shift import PLAYERS, STAFF, TABLES, play_shift
from pitboss.ledger.people import Person
from pitboss.ledger.pit import Pit
from pitboss.ledger.store import Store
from pitboss.table.roles import Role
from pitboss.table.state import Phase
from pitboss.web.server import Demo

FILL = 50_000_000
ROUNDS = 4


def play_history(url: str, anchor: Path | None = None) -> str | None:
    """Play the demonstration shift into a ledger in which nothing has happened yet."""
    with Store(url, anchor) as store, store.reading() as reading:
        if reading.head.seq:
            return None
    summary = play_shift(url, rounds=ROUNDS, anchor=anchor)
    return f"Demonstration shift: {summary.settled} rounds settled, {summary.voided} void, {summary.events} events."


def prepare(pit: Pit) -> Iterator[str]:
    """Open what is not open; a line for each thing that somebody has to know."""
    manager = Person("manager-1", "Pit manager 1", Role.PIT_MANAGER)
    open_now = {table.id for table in pit.tables() if table.phase != Phase.CLOSED}
    for plan in TABLES:
        if plan.id in open_now:
            continue
        body = {"command": "open_table", "submission": plan.submission(), "source": plan.source, "fill": FILL}
        for command in (body, {"command": "receive_decks", "preinspected": True}, {"command": "cut", "at": 26}):
            who = manager if command["command"] != "cut" else Person("dealer-1", "Dealer 1", Role.DEALER)
            reply = pit.act(plan.id, command, who, f"demonstration-{uuid4()}")
            if not reply.accepted:
                yield f"Table {plan.id} is not ready: {reply.body['findings'][0]['sentence']}"
                break
    yield "Demonstration log-ins (account / password):"
    for log in (*STAFF, *PLAYERS):
        yield f"  {log.id} / {log.password}    {log.role}"


DEMO = Demo(play_history, prepare)
