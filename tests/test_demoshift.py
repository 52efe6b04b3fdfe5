"""The demonstration shift: the same each time, everything in it, and nothing wrong with its record."""

from collections import Counter
from pathlib import Path

import pytest

from pitboss.demoshift import Summary, play_shift
from pitboss.ledger.people import Cost
from pitboss.ledger.review import review
from pitboss.ledger.significant import significant
from pitboss.ledger.store import Store

CHEAP = Cost(1024, 1, 1)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Summary]:
    folder = tmp_path_factory.mktemp("shift")
    return folder, play_shift(f"sqlite:///{folder}/a.db", rounds=1, anchor=folder / "a.anchor", cost=CHEAP)


def test_the_same_seed_leaves_the_same_ledger(played: tuple[Path, Summary]) -> None:
    folder, first = played
    again = play_shift(f"sqlite:///{folder}/b.db", rounds=1, anchor=folder / "b.anchor", cost=CHEAP)
    assert again == first
    assert (first.settled, first.voided) == (15, 7)


def test_review_finds_nothing(played: tuple[Path, Summary]) -> None:
    folder, _ = played
    with Store(f"sqlite:///{folder}/a.db", folder / "a.anchor") as store:
        assert review(store) == ()


def test_the_significant_events_are_exactly_these(played: tuple[Path, Summary]) -> None:
    folder, _ = played
    with Store(f"sqlite:///{folder}/a.db", folder / "a.anchor") as store:
        found = Counter(event.kind for event in significant(store))
    assert found == {
        "login.failed": 1,
        "permission.refused": 1,
        "table.opened": 5,
        "table.closed": 5,
        "limits.changed": 1,
        "meter.opened": 10,
        "meter.change-approved": 1,
        "meter.paid": 1,
        "round.voided": 7,
        "irregularity.reported": 10,
        "deck.removed": 3,
        "device.failed": 2,
    }
