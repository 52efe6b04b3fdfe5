"""The register of slips: every kind with its amount and people, the gaming day, and numbers left out."""

import csv
from collections.abc import Iterator
from datetime import date
from io import StringIO

import pytest
from tests.ledger.house import House

from pitboss.clock import MICROSECONDS, day_begins
from pitboss.findings import UnreadableError
from pitboss.ledger.register import KINDS, RegisteredSlip, SlipFilter, registered_slips
from pitboss.ledger.slips import kept_slips
from pitboss.ledger.store import Store
from pitboss.paper.model import Remark
from pitboss.paper.table_csv import csv_of
from pitboss.reports.register import register_paper

DAY = date(2024, 6, 1)


@pytest.fixture
def house(sqlite_url: str) -> Iterator[House]:
    """A table with a payout that was validated, chips moved in every way, and one slip of the next gaming day."""
    with Store(sqlite_url) as store:
        house = House(store).opened("t1", "four-card-poker", source="keyed").wagers("t1").until("t1", "dealing")
        house.key_in("t1", {"seat 1": "As Ks Qs Js Ts"})
        house.until("t1", "shuffling")
        house.manager("t1", "fill", amount=2_000_000, slip=house.slip("t1") + 2)
        house.manager("t1", "credit", amount=1_000_000, slip=house.slip("t1"))
        house.floor("t1", "cash_out", player="p1", amount=50_000, slip=house.slip("t1"))
        house.opened("t2", "three-card-poker", seats=())
        house.now = day_begins(date(2024, 6, 2)) + MICROSECONDS
        house.buy_in("t1", "p2", 30_000)
        yield house


def found(house: House, **wanted: object) -> tuple[RegisteredSlip, ...]:
    return registered_slips(house.store, SlipFilter(**wanted))  # type: ignore[arg-type]


def test_every_slip_of_a_gaming_day_is_registered(house: House) -> None:
    slips = found(house, day=DAY)
    numbered = [(slip.table, slip.number, slip.kind, slip.amount) for slip in slips if slip.kind != "payout"]
    assert numbered == [
        ("t1", 1, "opening fill", 50_000_000),
        ("t1", 2, "buy-in", 1_000_000),
        ("t1", 3, "buy-in", 1_000_000),
        ("t1", 6, "fill", 2_000_000),
        ("t1", 7, "credit", 1_000_000),
        ("t1", 8, "cash-out", 50_000),
        ("t2", 1, "opening fill", 50_000_000),
    ]
    (paid,) = kept_slips(house.store, "t1", 1)
    (payout,) = (slip for slip in slips if slip.kind == "payout")
    assert (payout.number, payout.round, payout.player, payout.amount, payout.who) == (
        None, 1, paid.player, paid.amount, paid.by,
    )  # fmt: skip
    assert {(slip.player, slip.who) for slip in slips if slip.kind == "cash-out"} == {("p1", "floor-1")}
    (later,) = found(house, day=date(2024, 6, 2))
    assert (later.number, later.day, later.player) == (1, date(2024, 6, 2), "p2"), "a series begins again each day"
    assert len(found(house)) == len(slips) + 1
    assert found(house, day=date(2024, 5, 31)) == ()


def test_a_register_is_filtered_and_counts_each_kind(house: House) -> None:
    for kind in KINDS.values():
        assert {slip.kind for slip in found(house, kind=kind)} <= {kind}
    assert {slip.table for slip in found(house, table="t2")} == {"t2"}
    with pytest.raises(UnreadableError, match="There is no kind of slip 'gift', only opening fill, fill"):
        found(house, kind="gift")
    wanted = SlipFilter("t1", DAY)
    slips = registered_slips(house.store, wanted)
    made = register_paper(slips, wanted)
    totals = {row[0]: row[1:] for row in made.listing("totals").rows}
    assert totals["buy-in"] == (2, 2_000_000)
    assert sum(int(str(count)) for count, _ in totals.values()) == len(slips)
    left_out = [block for part in made.passages for block in part.blocks if isinstance(block, Remark)]
    assert [each.text for each in left_out] == ["t1 on Jun 1, 2024: 4, 5."]
    rows = [*csv.DictReader(StringIO(csv_of(made)))]
    assert [row["amount"] for row in rows if row["kind"] == "cash-out"] == ["500.00"]
    assert made.imprint.period == "Gaming day Jun 1, 2024"
    fills = SlipFilter("t1", DAY, "fill")
    assert "Numbers left out" not in [
        part.title for part in register_paper(registered_slips(house.store, fills), fills).passages
    ]
