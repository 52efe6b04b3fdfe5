"""A seeded shift of a small pit, played through the HTTP API: five tables, every device, mishaps and a jackpot.

The same seed on an empty ledger gives the same cards, decisions, times and amounts, so the ledger that a shift leaves
is the same event by event, but for the marks of passwords and sessions, which are drawn again. It is there to look at:
with the audit commands, on the pages, and in tests that know what must be in it.
"""

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from pitboss.demo.driver import HEAD_START, LINK, LINKED, PLAYERS, STAFF, TABLES, Client, Shift, ShiftClock
from pitboss.demo.stories import play_all
from pitboss.findings import FindingsError, errors
from pitboss.ledger.people import COST, Cost, People, Person
from pitboss.ledger.pit import Pit
from pitboss.ledger.store import Store
from pitboss.table.events import Event
from pitboss.table.happened import Plain
from pitboss.table.roles import Role
from pitboss.table.source import SeededRandomness
from pitboss.web.api import create_app
from pitboss.web.limits import Settings

__all__ = ["PLAYERS", "STAFF", "TABLES", "ShiftSummary", "main", "play_shift"]


@dataclass(frozen=True)
class ShiftSummary:
    """What a shift has left in the ledger."""

    tables: int
    settled: int
    voided: int
    acts: int
    events: int
    head: str
    """The hash of the last event."""


def play_shift(
    url: str,
    seed: int = 2026,
    rounds: int = 5,
    tell: Callable[[str], None] = lambda _: None,
    anchor: Path | None = None,
    cost: Cost = COST,
) -> ShiftSummary:
    """Play the shift into a ledger: ``rounds`` ordinary rounds at each table, and those in which something happens."""
    with Store(url, anchor, salts=SeededRandomness(f"{seed} salts").token) as store:
        clock = ShiftClock()
        with store.reading() as reading:
            last = reading.events(after=max(reading.head.seq - 1, 0))
            if last:
                clock.now = max(clock.now, last[-1].at + HEAD_START)
        pit = Pit(store, clock, SeededRandomness(seed), clock.steady)
        people = People(store, clock, cost)
        _hire(people)
        pit.remark(Event(Plain(name="shift.started", values={"seed": seed, "rounds": rounds})))
        settings = Settings(log_ins_per_minute=600)
        with _served(create_app(pit, people, settings)) as port:
            shift = Shift(port, clock, pit.table, seed, rounds, tell)
            _begin(shift)
            play_all(shift)
        pit.remark(Event(Plain(name="shift.ended", values={"seed": seed})))
        with store.reading() as reading:
            head = reading.head
    return ShiftSummary(len(TABLES), shift.settled, shift.voided, shift.acts, head.seq, head.hash.hex())


def main(url: str | None = None, seed: int = 2026, rounds: int = 5) -> None:
    """Play the shift and tell what it left; for the command line."""
    from pitboss.ledger.files import data_folder, default_url, private_folder
    from pitboss.ledger.review import review
    from pitboss.ledger.selfcheck import ACCEPTABLE, startup_findings

    if url is None:
        private_folder(data_folder())
    address = url or default_url()
    with Store(address) as store:
        if wrong := [finding for finding in errors(startup_findings(store)) if finding.code not in ACCEPTABLE]:
            raise FindingsError(wrong)
    summary = play_shift(address, seed, rounds, tell=_say)
    _say(f"{summary.tables} tables, {summary.settled} rounds settled, {summary.voided} void, {summary.events} events")
    _say(f"last hash {summary.head}")
    with Store(address) as store:
        findings = review(store)
    for finding in findings:
        _say(str(finding))
    _say("chain, anchor, money and replay agree" if not findings else f"{len(findings)} findings")


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def _hire(people: People) -> None:
    """The accounts of the demonstration; those that exist stay as they are.

    In an empty ledger it is founded by two administrators, in whose hands the other is not.
    """
    known = {account.person.id for account in people.everyone()}
    founders = [log for log in STAFF if log.role == Role.ADMINISTRATOR]
    founder = _anybody(people)
    for log in founders:
        if log.id not in known:
            people.create(log.id, log.name, log.role, log.password, founder, printed=True)
    by = next(a.person for a in people.everyone() if a.person.id == founders[0].id)
    for log in (*STAFF, *PLAYERS):
        if log.id not in known and log not in founders:
            people.create(log.id, log.name, log.role, log.password, by, printed=True)


def _anybody(people: People) -> Person | None:
    """An administrator who is there already; in an empty ledger there is nobody, and the first needs nobody."""
    return next((a.person for a in people.everyone() if a.person.role == Role.ADMINISTRATOR and not a.disabled), None)


def _begin(shift: Shift) -> None:
    """Log in, once with a wrong password, and open the linked meter."""
    Client(shift.port).call("POST", "/api/login", {"id": "dealer-1", "password": "not the password"})
    for log in (*STAFF, *PLAYERS):
        shift.log_in(log)
    body = {"meter": LINK, "submission": TABLES[0].submission(), "name": LINKED}
    if LINK not in shift.ask("manager-1", "GET", "/api/meters")["meters"]:
        shift.ask("manager-1", "POST", "/api/meters", body)


@contextmanager
def _served(app: object) -> Iterator[int]:
    """The application on a port of the machine's own choice, until the block ends."""
    import uvicorn

    config = uvicorn.Config(app, host="127.0.0.1", port=0, log_level="warning", lifespan="on")  # type: ignore[arg-type]
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        while not server.started:
            if not thread.is_alive():
                raise RuntimeError("the server of the demonstration did not start")
            time.sleep(0.02)
        yield server.servers[0].sockets[0].getsockname()[1]
    finally:
        server.should_exit = True
        thread.join(10)
