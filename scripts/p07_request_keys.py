"""P7: a request key acts once, however often and however much at the same moment it is sent.

    python scripts/p07_request_keys.py --keys 100

For each key a hundred threads send the same command together; then the key is sent with another body, for another
table and by another person, and each of these is refused.
"""

import sys
import threading
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.table.driver import submission_text

from pitboss.findings import errors
from pitboss.ledger.audit import audit_store
from pitboss.ledger.people import Person
from pitboss.ledger.pit import KeyReusedError, Pit, Reply
from pitboss.table.opening import next_slip
from pitboss.table.state import Phase
from scripts.common import DEALER, FLOOR, Clerk, Figures, arguments, available, opened, together
from scripts.house import open_table, play_until
from scripts.transport import patient

COPIES = 100


def measure(keys: int, databases: tuple[str, ...], copies: int = COPIES) -> Figures:
    figures = Figures("P7: request keys")
    for database in available(databases, figures):
        with opened(database) as pit:
            _measure(pit, database, keys, copies, figures)
    return figures


def _measure(pit: Pit, database: str, keys: int, copies: int, figures: Figures) -> None:
    clerk = Clerk(pit.act)
    open_table(clerk, "t1", submission_text("three-card-poker", "hand"), {1: "player-1"})
    play_until(pit, clerk, "t1", Phase.WAGERING)
    reused = refused = 0
    for number in range(keys):
        key = f"one-key-{number:06}"
        # Every third command is one that is refused: a refusal is kept under its key as well.
        slip = next_slip(pit.table("t1"), pit.clock())
        body = {"command": "fill", "amount": 1 + number if number % 3 else -1 - number, "slip": slip}
        before, head = _inventory(pit), _head(pit)
        replies = _copies(pit, body, key, copies)
        figures.expect(len(replies) == copies, f"{database} {key}: {len(replies)} answers to {copies} copies")
        figures.expect(len(set(replies)) == 1, f"{database} {key}: {len(set(replies))} different answers")
        accepted = replies[0].accepted
        refused += not accepted
        effect = (_inventory(pit) - before, _head(pit) - head)
        expected = ((1 + number) * 10_000, 1) if accepted else (0, 0)
        figures.expect(effect == expected, f"{database} {key}: effect {effect} instead of {expected}")
        for table, other, who in (
            ("t1", {**body, "amount": 10**6}, FLOOR),
            ("t2", body, FLOOR),
            ("t1", body, Person("floor-2", "floor-2", FLOOR.role)),
            ("t1", {"command": "no_more_bets"}, DEALER),
        ):
            try:
                pit.act(table, other, who, key)
            except KeyReusedError:
                reused += 1
        figures.expect(_head(pit) - head == expected[1], f"{database} {key}: a reused key had an effect")
    figures.expect(reused == 4 * keys, f"{database}: {4 * keys - reused} reused keys were not refused")
    findings = errors(audit_store(pit.store))
    figures.expect(not findings, f"{database}: {findings}")
    figures.add(f"{database}: keys x copies", f"{keys:,} x {copies}")
    figures.add(f"{database}: of them refusals", refused)
    figures.add(f"{database}: other uses of a key refused", reused)


def _copies(pit: Pit, body: Mapping[str, Any], key: str, copies: int) -> list[Reply]:
    barrier = threading.Barrier(copies)
    replies: list[Reply] = []
    send = patient(pit.act)

    def ask() -> None:
        barrier.wait()
        replies.append(send("t1", body, FLOOR, key))

    for failure in together([partial(ask)] * copies):
        raise RuntimeError(failure)
    return replies


def _inventory(pit: Pit) -> int:
    with pit.store.reading() as reading:
        return reading.balance("inventory:t1")


def _head(pit: Pit) -> int:
    with pit.store.reading() as reading:
        return reading.head.seq


if __name__ == "__main__":
    given = arguments(__doc__, keys=(100, 5))
    sys.exit(measure(given.keys, given.databases).show())
