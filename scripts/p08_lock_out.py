"""P8: after "no more bets" no wager is accepted, however close it comes.

    python scripts/p08_lock_out.py --races 10000

In each race one wager lies on the layout, and four players and the dealer are let go together: the players wager
while the dealer closes the bets. What was accepted must stand before the close and be in the round; what was refused
must have changed nothing.
"""

import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.table.driver import submission_text

from pitboss.findings import errors
from pitboss.ledger.audit import audit_store
from pitboss.ledger.pit import Pit, Reply
from pitboss.table.state import Phase
from scripts.common import DEALER, Clerk, Figures, arguments, available, opened, player, together
from scripts.house import open_table, play_until
from scripts.transport import patient

SEATS = (2, 3, 4, 5)
AMOUNT = 1000
SPREAD = 0.002
"""Seconds within which everybody acts."""


@dataclass
class Race:
    """The answers of one race."""

    closing: Reply | None = None
    wagers: dict[int, Reply] = field(default_factory=dict)


def measure(races: int, databases: tuple[str, ...], seed: int = 1) -> Figures:
    figures = Figures("P8: wagers against the lock-out")
    for database in available(databases, figures):
        with opened(database) as pit:
            _measure(pit, database, races, Random(seed), figures)
    return figures


def _measure(pit: Pit, database: str, races: int, random: Random, figures: Figures) -> None:
    send = patient(pit.act)
    clerk = Clerk(send)
    players = {seat: f"player-{seat}" for seat in (1, *SEATS)}
    open_table(clerk, "t1", submission_text("three-card-poker", "hand"), players)
    play_until(pit, clerk, "t1", Phase.WAGERING)
    run = [Race() for _ in range(races)]
    delays = [[random.random() * SPREAD for _ in range(len(SEATS) + 1)] for _ in range(races)]
    barrier = threading.Barrier(len(SEATS) + 1)

    def bet(place: int, seat: int) -> None:
        who = player(players[seat])
        for number, race in enumerate(run):
            barrier.wait()
            time.sleep(delays[number][place])
            body = {"command": "wager", "seat": seat, "wager": "ante", "amount": AMOUNT}
            race.wagers[seat] = send("t1", body, who, f"race-{number}-{seat}")
            barrier.wait()

    def close() -> None:
        for number, race in enumerate(run):
            clerk.do("t1", DEALER, "wager", seat=1, wager="ante", amount=AMOUNT)
            barrier.wait()
            time.sleep(delays[number][-1])
            race.closing = send("t1", {"command": "no_more_bets"}, DEALER, f"race-{number}-close")
            barrier.wait()
            _judge(pit, database, number, race, figures)
            clerk.do("t1", DEALER, "irregularity", what="wrong-number-of-cards")
            clerk.do("t1", DEALER, "shuffle")

    failures = together([*(partial(bet, n, seat) for n, seat in enumerate(SEATS)), _breaking(close, barrier)])
    figures.violations += failures
    accepted = sum(reply.accepted for race in run for reply in race.wagers.values())
    figures.add(f"{database}: races", races)
    figures.add(f"{database}: wagers accepted before the close", accepted)
    figures.add(f"{database}: wagers refused after it", sum(len(race.wagers) for race in run) - accepted)
    split = sum(0 < sum(reply.accepted for reply in race.wagers.values()) < len(SEATS) for race in run)
    figures.add(f"{database}: races with both", split)
    findings = errors(audit_store(pit.store))
    figures.expect(not findings, f"{database}: {findings}")


def _breaking(job: Callable[[], None], barrier: threading.Barrier) -> Callable[[], None]:
    """If the dealer fails nobody waits for ever."""

    def run() -> None:
        try:
            job()
        except BaseException:
            barrier.abort()
            raise

    return run


def _judge(pit: Pit, database: str, number: int, race: Race, figures: Figures) -> None:
    name = f"{database} race {number}"
    assert race.closing is not None
    if not race.closing.accepted:
        figures.violations.append(f"{name}: the bets were not closed: {race.closing.text}")
        return
    closed = next(e["seq"] for e in race.closing.body["events"] if e["kind"] == "bets.closed")
    table = pit.table("t1")
    assert table.play is not None
    accepted = {seat for seat, reply in race.wagers.items() if reply.accepted}
    for seat in accepted:
        (event,) = race.wagers[seat].body["events"]
        figures.expect(event["seq"] < closed, f"{name}: seat {seat} wagered at {event['seq']}, after {closed}")
    for seat in set(SEATS) - accepted:
        code = race.wagers[seat].body["findings"][0]["code"]
        figures.expect(code == "phase", f"{name}: seat {seat} was refused for {code}")
    expected = {seat: {"ante": AMOUNT} for seat in sorted({1, *accepted})}
    figures.expect(dict(sorted(table.play.wagers.items())) == expected, f"{name}: the round has {table.play.wagers}")
    with pit.store.reading() as reading:
        lying = reading.balance("layout:t1")
        late = [e.seq for e in reading.events("t1", after=closed) if e.kind.startswith("wager.")]
    figures.expect(lying == len(expected) * AMOUNT * 10_000, f"{name}: {lying} units lie on the layout")
    figures.expect(not late, f"{name}: wagers {late} after the close at {closed}")


if __name__ == "__main__":
    given = arguments(__doc__, races=(10_000, 50))
    sys.exit(measure(given.races, given.databases, given.seed).show())
