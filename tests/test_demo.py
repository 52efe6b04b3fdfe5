"""The demonstration shift: the same each time, everything in it, and nothing wrong with its record."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from pitboss.demo.driver import SCRIPT, TABLES
from pitboss.demo.shift import ShiftSummary, play_shift
from pitboss.games.registry import GAMES
from pitboss.ledger.people import Cost
from pitboss.ledger.review import review
from pitboss.ledger.significant import significant
from pitboss.ledger.store import Store
from pitboss.submission import read_submission, rules_of

CHEAP = Cost(1024, 1, 1)
OTHERS = TABLES[len(SCRIPT["table"]) :]
"""Tables with nothing but ordinary rounds."""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, ShiftSummary]:
    folder = tmp_path_factory.mktemp("shift")
    return folder, play_shift(f"sqlite:///{folder}/a.db", rounds=1, anchor=folder / "a.anchor", cost=CHEAP)


SECRET = {"password_digest", "session"}
"""What depends on salts and tokens, which nobody may be able to foretell."""


def told(path: Path) -> list[tuple[object, ...]]:
    """Every event without its hash and without what is drawn for secrecy."""
    with Store(f"sqlite:///{path}", path.with_suffix(".anchor")) as store, store.reading() as reading:
        return [
            (
                *(e.seq, e.stream, e.round, e.kind, e.at, e.actor, e.role, e.request, e.cites, e.entries),
                {name: value for name, value in e.data.items() if name not in SECRET},
            )
            for e in reading.events()
        ]


def test_the_same_seed_leaves_the_same_ledger(played: tuple[Path, ShiftSummary]) -> None:
    folder, first = played
    again = play_shift(f"sqlite:///{folder}/b.db", rounds=1, anchor=folder / "b.anchor", cost=CHEAP)
    assert replace(again, head="") == replace(first, head="")
    assert told(folder / "b.db") == told(folder / "a.db")
    assert (first.settled, first.voided) == (15 + len(OTHERS), 7)
    assert {plan.game for plan in TABLES} == set(GAMES)


def test_review_finds_nothing(played: tuple[Path, ShiftSummary]) -> None:
    folder, _ = played
    with Store(f"sqlite:///{folder}/a.db", folder / "a.anchor") as store:
        assert review(store) == ()


def test_the_significant_events_are_exactly_these(played: tuple[Path, ShiftSummary]) -> None:
    folder, _ = played
    with Store(f"sqlite:///{folder}/a.db", folder / "a.anchor") as store:
        found = Counter(event.kind for event in significant(store))
    rules = (rules_of(read_submission(plan.submission()))[0] for plan in OTHERS)
    meters = sum(len(known.meters) for known in rules if known is not None)
    assert found == {
        "login.failed": 1,
        "permission.refused": 1,
        "table.opened": len(TABLES),
        "table.closed": len(TABLES),
        "limits.changed": 1,
        "meter.opened": 10 + meters,
        "meter.change-approved": 1,
        "meter.paid": 1,
        "round.voided": 7,
        "irregularity.reported": 10,
        "deck.removed": 3,
        "device.failed": 2,
    }
