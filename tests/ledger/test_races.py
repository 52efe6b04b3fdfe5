"""Many at once: linked meters, two jackpots together, one key a hundred times, wagers against the lock-out.

The scripts of the promises P3, P4, P5, P7 and P8 with small counts; each is also shown a fault that it must find.
"""

from pathlib import Path

import pytest
from scripts import p03_meter_drift, p04_linked_meter, p05_jackpot_race, p07_request_keys, p08_lock_out
from scripts.common import DATABASES, Figures, ledger
from tests.ledger.books import fill
from tests.postgres import NoPostgresError, server

from pitboss.ledger.audit import audit_store
from pitboss.ledger.store import Reading, Store
from pitboss.meters import Meter
from pitboss.table.state import Phase
from pitboss.table.wagering import MakeWager


@pytest.fixture(params=DATABASES)
def database(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    if name == "postgresql":
        try:
            server()
        except NoPostgresError as why:
            pytest.skip(str(why))
    return name


def clean(figures: Figures) -> None:
    assert figures.violations == []


def test_no_drift_of_a_meter(database: str) -> None:
    clean(p03_meter_drift.measure(4_000, (database,)))


def test_drift_of_a_meter_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A model that rounds each increment down to a tenth of a cent."""
    contribute = Meter.contribute

    def rounding(self: Meter, stake: int) -> object:
        after, movements = contribute(self, stake)
        return after.holding({tier: units // 1000 * 1000 for tier, units in after.amounts.items()}, after.reserve), (
            movements
        )

    monkeypatch.setattr(Meter, "contribute", rounding)
    found = p03_meter_drift.measure(100, ("sqlite",)).violations
    assert len(found) == 1
    assert found[0].startswith("sqlite: Meter is -")


def test_linked_meters_lose_nothing_and_count_nothing_twice(database: str) -> None:
    clean(p04_linked_meter.measure(100 if database == "sqlite" else 40, (database,)))


def test_linked_meters_over_http() -> None:
    clean(p04_linked_meter.measure(40, ("sqlite",), "http"))


def test_two_jackpots_together(database: str) -> None:
    clean(p05_jackpot_race.measure(10 if database == "sqlite" else 4, (database,)))


def test_a_meter_that_is_not_reseeded_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Meter, "_reseed", lambda self, _: (self, []))
    assert p05_jackpot_race.measure(1, ("sqlite",)).violations


def test_a_key_acts_once(database: str) -> None:
    clean(p07_request_keys.measure(3 if database == "sqlite" else 2, (database,)))


def test_keys_that_are_forgotten_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Reading, "answer", lambda *_: None)
    with pytest.raises(RuntimeError, match="used before"):
        p07_request_keys.measure(1, ("sqlite",), copies=2)


def test_no_wager_after_the_lock_out(database: str) -> None:
    clean(p08_lock_out.measure(30 if database == "sqlite" else 15, (database,)))


def test_a_wager_after_the_lock_out_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MakeWager, "phases", MakeWager.phases | {Phase.DEALING})
    assert any("after" in sentence for sentence in p08_lock_out.measure(20, ("sqlite",)).violations)


def test_a_transaction_cannot_be_used_after_its_block(database: str) -> None:
    """Its cursor would share statements with the next user of the connection, and be dropped by any thread."""
    with ledger(database) as (url, anchor), Store(url, anchor) as store:
        with store.reading() as reading:
            assert reading.balance("house") == 0
        with store.writing() as writing:
            assert writing.balance("house") == 0
        for over in (reading, writing):
            with pytest.raises(store.engine.dialect.loaded_dbapi.Error):
                over.balance("house")


@pytest.mark.parametrize("order", ["first", "last"])
def test_two_programs_leave_the_lines_of_one_anchor_in_order(tmp_path: Path, order: str) -> None:
    """The one that wrote little and early stops after, or before, the one that wrote much."""
    url, anchor = f"sqlite:///{tmp_path}/ledger.db", tmp_path / "anchor"
    early, busy = Store(url, anchor), Store(url, anchor)
    fill(early, 2)
    fill(busy, 150, start=2)
    for store in (early, busy) if order == "first" else (busy, early):
        store.close()
    with Store(url, anchor) as store:
        assert audit_store(store) == ()
