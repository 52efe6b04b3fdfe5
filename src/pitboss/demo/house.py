"""A house to look at: a shift of history, somebody in every job function, and an open table for each game."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
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
    people = {log.role: Person(log.id, log.name, log.role) for log in STAFF}
    open_now = {table.id for table in pit.tables() if table.phase != Phase.CLOSED}
    for plan in TABLES:
        if plan.id in open_now:
            continue
        body: dict[str, Any] = {"submission": plan.submission(), "source": plan.source, "fill": FILL}
        body, who = {"command": "open_table", **body}, people[Role.PIT_MANAGER]
        while (reply := pit.act(plan.id, body, who, f"demonstration-{uuid4()}")).accepted:
            step = pit.look(plan.id, who).step
            if step is None or step.command is None:
                break  # the players are next
            body = {name: value for name, value in step.command.as_dict().items() if value is not None}
            body, who = {**body, **({"preinspected": True} if "preinspected" in body else {})}, people[step.role]
        else:
            yield f"Table {plan.id} is not ready: {reply.body['findings'][0]['sentence']}"


LOG_INS = tuple((log.id, log.password, str(log.role)) for log in (*STAFF, *PLAYERS))
DEMO = Demo(play_history, prepare, LOG_INS)
