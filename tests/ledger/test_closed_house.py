"""A house that is closed to play, decks that are gone, anchors that somebody acknowledges, and clocks that jump."""

import os
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from tests.ledger.books import AT
from tests.ledger.house import START, House

from pitboss.clock import day_of
from pitboss.findings import Finding, FindingsError, errors
from pitboss.ledger.acknowledging import acknowledge
from pitboss.ledger.people import Cost, LogInRefusedError, People, Person
from pitboss.ledger.review import review
from pitboss.ledger.selfcheck import record_start, startup_findings
from pitboss.ledger.significant import significant
from pitboss.ledger.store import Store
from pitboss.ledger.watch import Watch
from pitboss.table.roles import Role

AUDITOR = Person("auditor-1", "", Role.AUDITOR)
CHEAP = Cost(memory=64, passes=1, lanes=1)
WHY = (Finding("chain-changed", "", "", "", "event 5 is not what was recorded"),)
HOUR = 3600 * 10**6


@pytest.fixture
def house(sqlite_url: str) -> House:
    """As the server has it: the pit stops play itself, and what is at the tables is finished."""
    return House(Store(sqlite_url, past_anchor=True), seed=4).opened("t1", "three-card-poker")


def test_a_closed_house_takes_no_wager_and_deals_no_new_round(house: House) -> None:
    house.wagers("t1")
    house.pit.closed_to_play = WHY
    tried: dict[str, dict[str, Any]] = {"wager": {"seat": 1, "wager": "ante", "amount": 1000}, "no_more_bets": {}}
    for command, fields in tried.items():
        refused = house.act("t1", Role.DEALER, command, **fields)
        assert refused.status == 422, command
        assert refused.body["findings"][0]["code"] == "chain-changed"
    house.pit.closed_to_play = ()
    house.until("t1", "dealing")
    house.pit.closed_to_play = WHY
    assert house.act("t1", Role.DEALER, "deal").status == 422
    house.dealer("t1", "irregularity", what="wrong-number-of-cards", note="the house is closed to play")
    assert house.pit.table("t1").play is None
    house.floor("t1", "cash_out", player="p1", amount=1000, slip=house.slip("t1"))


def test_a_round_in_play_is_finished_in_a_closed_house(house: House) -> None:
    house.wagers("t1").until("t1", "deciding")
    house.pit.closed_to_play = WHY
    house.until("t1", "shuffling")
    assert house.pit.table("t1").rounds == 1
    assert errors(review(house.store)) == ()


LOST = {
    "deleted": "DELETE FROM sealed",
    "unreadable": "UPDATE sealed SET cards = 'xx'",
    "another": "UPDATE sealed SET cards = substr(cards, 4) || ' ' || substr(cards, 1, 2)",
    "salt": "UPDATE sealed SET salt = 'not hexadecimal'",
}


@pytest.mark.parametrize("how", LOST)
def test_a_deck_that_is_gone_makes_the_round_void(house: House, how: str) -> None:
    house.wagers("t1").until("t1", "dealing")
    with house.store.writing() as writing:
        writing.connection.exec_driver_sql(LOST[how])
    reply = house.dealer("t1", "deal")
    assert [event["kind"] for event in reply.body["events"]] == ["deck.lost", "round.voided", "deck.removed"]
    assert "no longer under seal" in reply.body["events"][1]["data"]["reason"]
    with house.store.reading() as reading:
        assert reading.balance("layout:t1") == 0
        assert reading.balance("player:p1") // 10_000 == 1_000_000
    assert {"deck.lost", "round.voided"} <= {each.kind for each in significant(house.store)}
    with house.store.writing() as writing:
        writing.connection.exec_driver_sql("DELETE FROM sealed")
    assert {finding.code for finding in review(house.store)} == {"deck-lost"}
    assert errors(review(house.store)) == ()


def test_a_deck_that_is_gone_when_all_is_dealt_leaves_the_round_as_it_is(house: House) -> None:
    house.wagers("t1").until("t1", "collecting")
    with house.store.writing() as writing:
        writing.connection.exec_driver_sql("DELETE FROM sealed")
    kinds = [event["kind"] for event in house.dealer("t1", "discard").body["events"]]
    assert "deck.lost" in kinds
    assert "round.completed" in kinds


def test_a_lost_anchor_stops_play_until_somebody_acknowledges_it(house: House) -> None:
    store, path = house.store, house.store.anchor.path
    house.wagers("t1")
    path.unlink()
    with store.writing() as writing:
        writing.connection.exec_driver_sql("SELECT 1")
    house.act("t1", Role.DEALER, "cut", at=20)
    refused = house.act("t1", Role.DEALER, "wager", seat=1, wager="ante", amount=2000)
    assert [finding["code"] for finding in refused.body["findings"]] == ["anchor"]
    with pytest.raises(FindingsError, match="may not"):
        house.pit.acknowledge("I say so", house.person(Role.PIT_MANAGER))
    with pytest.raises(FindingsError, match="Say why"):
        house.pit.acknowledge("  ", AUDITOR)
    assert not path.exists()
    event = house.pit.acknowledge("the disk of the anchors was replaced", AUDITOR)
    assert (event.kind, event.actor) == ("anchor.acknowledged", "auditor-1")
    assert "anchor.acknowledged" in {each.kind for each in significant(store)}
    house.until("t1", "deciding")
    assert {finding.code: finding.severity for finding in review(store)} == {"anchor-begun": "note"}
    with pytest.raises(FindingsError, match="nothing to acknowledge"):
        house.pit.acknowledge("again", AUDITOR)


def test_what_lay_in_the_anchors_place_is_kept(house: House) -> None:
    path = house.store.anchor.path
    path.write_bytes(b"x" + path.read_bytes()[1:])
    event = acknowledge(house.store, AUDITOR, "damaged", house.clock())
    assert path.with_name(f"{path.name}.set-aside-{event.seq - 1}").read_bytes()[:1] == b"x"
    assert errors(startup_findings(house.store)) == ()


# Clocks


def jumps(store: Store) -> list[int]:
    with store.reading() as reading:
        return [event.data["microseconds"] for event in reading.events(kinds=["clock.jumped"])]


def test_a_log_in_notices_that_the_clock_was_set(sqlite_url: str) -> None:
    moment = [AT, 0]
    with Store(sqlite_url) as store:
        people = People(store, lambda: moment[0], CHEAP, Watch(lambda: moment[0], lambda: moment[1]))
        people.create("dealer-1", "Dealer", Role.DEALER, "a long password", None)
        for wall, steady in ((HOUR, HOUR), (-86_400 * 10**6, 0), (1_000_000, 1_000_000), (3_000_001, 0)):
            moment[0] += wall
            moment[1] += steady
            with pytest.raises(LogInRefusedError):
                people.log_in("dealer-1", "another password")
        assert jumps(store) == [-86_400 * 10**6, 3_000_001]


def test_a_start_before_the_last_event_is_noticed(sqlite_url: str) -> None:
    with Store(sqlite_url) as store:
        record_start(store, at=START, actor="pitboss", role="system")
        record_start(store, at=START - 1_000_000, actor="pitboss", role="system")
        assert jumps(store) == []
        record_start(store, at=START - HOUR, actor="pitboss", role="system")
        assert jumps(store) == [1_000_000 - HOUR]
        house = House(store, now=START - 3 * HOUR)
        house.opened("t1", "three-card-poker")
        assert jumps(store)[1:] == [pytest.approx(-2 * HOUR, abs=10_000)]
        assert errors(review(store)) == ()


def moment(text: str) -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()) * 10**6


@pytest.mark.parametrize(
    ("utc", "day"),
    [
        ("2024-01-15 10:59:59", date(2024, 1, 14)),
        ("2024-01-15 11:00:00", date(2024, 1, 15)),
        ("2024-07-15 09:59:59", date(2024, 7, 14)),
        ("2024-07-15 10:00:00", date(2024, 7, 15)),
        ("2024-03-10 09:59:59", date(2024, 3, 9)),  # clocks went forward at 07:00 UTC
        ("2024-03-10 10:00:00", date(2024, 3, 10)),
        ("2024-11-03 10:59:59", date(2024, 11, 2)),  # clocks went back at 06:00 UTC
        ("2024-11-03 11:00:00", date(2024, 11, 3)),
    ],
)
def test_the_gaming_day_is_that_of_the_property(utc: str, day: date, monkeypatch: pytest.MonkeyPatch) -> None:
    assert day_of(moment(utc)) == day
    monkeypatch.setenv("PITBOSS_TIMEZONE", "UTC")
    assert day_of(moment(utc)) == datetime.fromisoformat(utc).date()


def test_a_table_keeps_the_zone_it_was_opened_in(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with Store(sqlite_url) as store:
        house = House(store, now=moment("2024-07-15 08:00:00")).opened("t1", "three-card-poker")
        assert house.pit.table("t1").as_of == "2024-07-14"
        monkeypatch.setenv("PITBOSS_TIMEZONE", "UTC")
        assert errors(review(store)) == ()


def test_the_anchor_is_only_its_owners(house: House, tmp_path: Path) -> None:
    assert os.stat(house.store.anchor.path).st_mode & 0o077 == 0
    assert (tmp_path / "anchors").stat().st_mode & 0o077 == 0
