"""Ledgers that an earlier pitboss wrote open under this one, and verify."""

import gzip
from pathlib import Path

import pytest
from tests.ledger.house import START, House

from pitboss.findings import errors
from pitboss.ledger.people import Cost, People, Person
from pitboss.ledger.recall import recall
from pitboss.ledger.recompute import Books, differences, expected
from pitboss.ledger.review import review
from pitboss.ledger.store import Store
from pitboss.table.roles import Role
from pitboss.table.state import IN_ROUND, Table

OLD = Path(__file__).parent / "old"
"""Ledgers as earlier versions left them. 0001: four tables, a round settled and one in play at each, and five accounts.
0002 (``old/make.py``): rounds of four games, one stopped in each phase, a consent, a checkpoint with live rounds.
0003 (``old/make.py``): three games with a board that was dealt with the hands, stopped around the Flop."""


def unpacked(folder: Path, number: str) -> Store:
    for name in ("db", "anchor"):
        (folder / f"ledger.{name}").write_bytes(gzip.decompress((OLD / f"ledger-{number}.{name}.gz").read_bytes()))
    return Store(f"sqlite:///{folder}/ledger.db", anchor=folder / "ledger.anchor")


@pytest.fixture
def old_store(tmp_path: Path) -> Store:
    return unpacked(tmp_path, "0001")


@pytest.fixture
def course_store(tmp_path: Path) -> Store:
    return unpacked(tmp_path, "0002")


def test_an_old_ledger_opens_and_verifies(old_store: Store) -> None:
    assert errors(review(old_store)) == ()


@pytest.mark.parametrize("full", [False, True])
def test_every_line_of_a_ledger_with_one_decision_a_seat_is_computed_again(course_store: Store, full: bool) -> None:
    """From its checkpoint, in which rounds are under way, and from the first event."""
    assert errors(review(course_store, full=full)) == ()


def test_rounds_stopped_in_each_phase_go_on(course_store: Store) -> None:
    house = House(course_store, seed=12, now=START + 3_600_000_000)
    tables = [table.id for table in house.pit.tables()]
    stopped = {str(house.pit.table(table).phase) for table in tables}
    assert stopped >= {*map(str, IN_ROUND)}
    for table in tables:
        before = house.pit.table(table)
        while house.pit.table(table).play is not None:
            house.step(table)
        assert house.pit.table(table).rounds == before.rounds
    assert errors(review(course_store)) == ()
    assert errors(review(course_store, full=True)) == ()


def test_a_board_dealt_with_the_hands_is_finished_and_verified_so(tmp_path: Path) -> None:
    """Tables opened before boards were dealt by streets: stopped before the Flop, after it and in settlement."""
    store = unpacked(tmp_path, "0003")
    house = House(store, seed=12, now=START + 3_600_000_000)
    stopped = [(table.id, table.play.turned) for table in house.pit.tables() if table.play is not None]
    assert {turned for table, turned in stopped if table.endswith("after")} == {1}
    assert review(store) == ()
    for table, _ in stopped:
        while house.pit.table(table).play is not None:
            assert len(house.pit.table(table).playing.hand("community")) == 5
            house.step(table)
        house.round(table)  # until it closes
        assert not house.pit.table(table).streets
    assert review(store) == ()
    assert review(store, full=True) == ()
    text = house.pit.table(table).submission
    house.manager(table, "close_table")
    house.by_two(table, Role.PIT_MANAGER, "open_table", submission=text)
    assert house.pit.table(table).streets
    assert review(store) == ()


def test_an_opening_without_the_mark_of_streets_is_computed_as_it_was(tmp_path: Path) -> None:
    with unpacked(tmp_path, "0003").reading() as reading:
        opened = reading.events(kinds=["table.opened"])
    for event in opened:
        ((wanted,),) = expected(Table(event.stream), event, Books())
        assert not differences(wanted, event)


def test_old_decisions_are_recalled(course_store: Store) -> None:
    made = [(each.seat, each.choice) for each in recall(course_store, "paid", 1).decisions]
    assert made == [(1, "bet"), (2, "buy"), (3, "exchange"), (2, "fold"), (3, "bet")]


def test_rounds_begun_under_the_old_version_end_under_the_new(old_store: Store) -> None:
    house = House(old_store, seed=12)
    for table in ("t1", "t2", "t3", "t4"):
        before = house.pit.table(table)
        assert before.play is not None
        while house.pit.table(table).play is not None:
            house.step(table)
        house.round(table)
        assert house.pit.table(table).rounds == before.rounds + 1
    assert errors(review(old_store)) == ()


def test_hashes_without_a_salt_are_not_published(old_store: Store) -> None:
    """What the old version wrote has no salt, so a hash would tell what is hidden; what is written now has one."""
    house = House(old_store, seed=12)
    with old_store.reading() as reading:
        last = reading.head.seq
        assert {event.salt for event in reading.events()} == {""}
    house.step("t1")
    for who in (Person("p1", "", Role.PLAYER), Person("dealer-1", "", Role.DEALER)):
        shown = house.pit.news(who, "t1", 0)
        live = house.pit.table("t1").rounds
        old = [event for event in shown if event["seq"] <= last]
        new = [event for event in shown if event["seq"] > last]
        assert old
        assert new
        hidden = old if who.role == Role.PLAYER else [event for event in old if event["round"] == live]
        assert hidden
        assert {event["hash"] for event in hidden} == {""}
        assert all(event["hash"] for event in new)
    with old_store.reading() as reading:
        assert all(len(event.salt) == 32 for event in reading.events(after=last))


def test_old_accounts_go_on_and_say_who_made_them(old_store: Store) -> None:
    with old_store.reading() as reading:
        created = {event.data["person"]: event.actor for event in reading.events("", kinds=("account.created",))}
    accounts = People(old_store, cost=Cost(8, 1, 1)).everyone()
    assert {account.person.id: account.made_by for account in accounts} == created
    assert len(created) == 5
    assert not [account for account in accounts if account.must_change or account.disabled]
