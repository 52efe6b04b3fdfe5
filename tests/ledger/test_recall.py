"""A round recalled from the ledger: everything in it, through indexes alone; and what was significant."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event as listen
from tests.events import event_of
from tests.ledger.house import House
from tests.table.driver import CARD_GAMES, GAME_NAMES

from pitboss.cards import parse_cards, show_card, show_cards
from pitboss.games.registry import GAMES
from pitboss.ledger.kinds.meters import MeterAdjustment
from pitboss.ledger.people import Cost, LogInRefusedError, People, Person
from pitboss.ledger.recall import NoRoundError, recall, recent, rounds, tell
from pitboss.ledger.selfcheck import record_start
from pitboss.ledger.significant import RECORDED, SIGNIFICANT, significant
from pitboss.ledger.store import Store
from pitboss.ledger.transactions import Reading
from pitboss.table.happened import KINDS, Happened, names
from pitboss.table.roles import Role
from pitboss.table.source import cut

SRC = Path(__file__).parents[2] / "src" / "pitboss"
CHIPS = 1_000_000


@pytest.fixture
def house(sqlite_url: str) -> House:
    return House(Store(sqlite_url), seed=3)


@pytest.mark.parametrize("game", GAME_NAMES)
def test_everything_about_a_round(house: House, game: str) -> None:
    house.opened("t1", game, seats=(1, 3), chips=CHIPS).round("t1")
    first, after = recall(house.store, "t1", 1), house.pit.table("t1")
    house.round("t1")
    second = recall(house.store, "t1", 2)
    assert (second.table, second.number, second.state, second.game) == ("t1", 2, "completed", game)
    assert second.as_of == "2024-06-01"
    assert second.began < second.ended
    # Stakes and lines agree, seat by seat, and every line has its paragraph and its reason.
    assert {stake.seat for stake in second.stakes} == {1, 3} == set(second.totals)
    for seat, total in second.totals.items():
        assert sum(line.net for line in second.lines if line.seat == seat) == total
    assert all(line.cite and line.sentence and line.stake for line in second.lines)
    assert {balance.before for balance in first.balances} == {CHIPS}
    # Chips: what was there after one round is there before the next, and the last line leaves what remains.
    assert [balance.player for balance in second.balances] == ["p1", "p3"]
    assert [balance.after for balance in first.balances] == [balance.before for balance in second.balances]
    assert {balance.player: balance.after - balance.before for balance in second.balances} == {
        f"p{seat}": total for seat, total in second.totals.items()
    }
    for balance in second.balances:
        assert [line.balance for line in second.lines if line.player == balance.player][-1] == balance.after
    # Cards in their order are the first cards of the disclosed deck; dice are those that were under seal.
    dealt, left = [card.card for card in second.cards], second.deal.cards
    if game in CARD_GAMES:
        deck = parse_cards(left)
        for at in second.deal.cuts:
            deck = cut(deck, at)
        left = show_cards(deck[: len(dealt)])
        assert {card.to for card in second.cards} >= {"seat 1", "seat 3"}
    assert " ".join(dealt) == left == second.deal.left_deck
    assert (second.deal.verdict, second.deal.findings) == ("as promised", ())
    course = GAMES[game].course
    assert bool(second.decisions) is (bool(course.weighed) or course.contest)
    assert all(step.who and step.role and step.sentence.endswith((".", ")")) for step in second.steps)
    assert after.rounds == 1


def test_a_round_with_trouble(house: House) -> None:
    house.opened("t1", "three-card-poker").trouble("t1")
    odd, void = recall(house.store, "t1", 1), recall(house.store, "t1", 2)
    assert [step.kind for step in odd.irregularities] == [
        "irregularity.reported",
        "card.found-face-up",
        "wagers.abandoned",
    ]
    assert any(card.to == "discard rack" and card.face_up for card in odd.cards)
    assert odd.deal.verdict == "as promised"
    assert void.state == "void"
    assert void.totals == {}
    assert [balance.before for balance in void.balances] == [balance.after for balance in void.balances]
    assert "was void, because" in void.irregularities[-1].sentence
    assert [(each.number, each.state) for each in recent(house.store, "t1")] == [(2, "void"), (1, "completed")]


def test_cards_face_down_stay_hidden_while_the_round_lasts(house: House) -> None:
    house.opened("t1", "four-card-poker").wagers("t1").until("t1", "deciding")
    play = house.pit.table("t1").play
    assert play is not None
    shown = recall(house.store, "t1", 1)
    assert (shown.state, shown.deal.verdict, shown.ended) == ("in play", "not disclosed yet", "")
    known = [(dealt.card, dealt.face_up) for dealt in play.dealt if dealt.card is not None]
    hidden = {card for card, face_up in known if not face_up}
    words = set(re.findall(r"\b[2-9TJQKA][cdhs]\b", str(shown.as_dict())))
    assert words.isdisjoint(show_cards(hidden).split())
    assert words == {show_card(card) for card, face_up in known if face_up}


def test_a_meter_that_paid_is_told(house: House) -> None:
    house.opened("t1", "three-card-poker").round("t1")
    found = recall(house.store, "t1", 1)
    assert found.meters
    assert all(moved.account.startswith("meter:t1-") and moved.units for moved in found.meters)
    assert any(moved.units > 0 for moved in found.meters)


def test_rounds_are_listed_and_unknown_ones_refused(house: House) -> None:
    house.opened("t1", "three-card-poker", seats=(1,))
    assert recent(house.store, "t1") == ()
    house.rounds("t1", 12)
    assert [each.number for each in recent(house.store, "t1")] == list(range(12, 2, -1))
    assert [each.number for each in recent(house.store, "t1", 3)] == list(range(12, 2, -1))
    assert len(recent(house.store, "t1", 11)) == 11
    assert [each.number for each in rounds(house.store, "t1")] == list(range(1, 13))
    for table, number in (("t1", 99), ("t2", 1), ("t1", 0)):
        with pytest.raises(NoRoundError, match=f"no round {number}"):
            recall(house.store, table, number)


def test_recall_on_both_databases(store: Store) -> None:
    House(store, seed=9).opened("t1", "lunar-poker").rounds("t1", 2)
    found = recall(store, "t1", 2)
    assert found.state == "completed"
    assert {balance.player: balance.after - balance.before for balance in found.balances} == {
        f"p{seat}": total for seat, total in found.totals.items()
    }


@pytest.fixture
def asked(house: House, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[tuple[str, Any]]]:
    """Every question put to the database."""
    found: list[tuple[str, Any]] = []
    plain = Reading._run

    def run(self: Reading, query: str, values: Any = ()) -> Any:
        found.append((query, tuple(values)))
        return plain(self, query, values)

    def before(_c: Any, _cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
        found.append((statement, tuple(parameters)))

    monkeypatch.setattr(Reading, "_run", run)
    listen.listen(house.store.engine, "before_cursor_execute", before)
    yield found
    listen.remove(house.store.engine, "before_cursor_execute", before)


def test_recall_never_reads_a_whole_table(house: House, asked: list[tuple[str, Any]]) -> None:
    house.opened("t1", "three-card-poker").rounds("t1", 2)
    asked.clear()
    recall(house.store, "t1", 1)
    recall(house.store, "t1", 2)
    recent(house.store, "t1")
    questions = [(query, values) for query, values in asked if query.startswith("SELECT")]
    assert len(questions) >= 10
    with house.store.engine.connect() as connection:
        for query, values in questions:
            plan = [row[3] for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {query}", values)]
            assert plan
            # The heads of the chains are two rows, read together.
            assert all(step.startswith(("SEARCH", "USE TEMP")) or step == "SCAN chain" for step in plan), (query, plan)
            assert not any("round = ?" in query and "events_round" not in step for step in plan), (query, plan)


def test_every_kind_of_event_has_a_sentence(house: House) -> None:
    assert len(KINDS) > 80
    assert [kind.KIND for kind in KINDS.values() if kind.says is Happened.says] == []
    house.opened("t1", "lunar-poker", seats=(1, 2)).trouble("t1").round("t1")
    with house.store.reading() as reading:
        for event in reading.events():
            told = tell(event)
            assert told.endswith((".", ")"))
            assert "does not know" not in told, (event.kind, told)
    assert tell(event_of("new.thing")) == "new.thing."
    assert "does not know" in tell(event_of("wager.placed", {}))


def test_a_scripted_shift_gives_exactly_its_significant_events(house: House) -> None:
    """Start, open, limits, irregularities, void, a device, refusals, meter, clock, close, stop; nothing else."""
    store, pit = house.store, house.pit
    record_start(store, at=house.clock(), actor="pitboss", role="system")
    people = People(store, house.clock, Cost(8, 1, 1))
    with pytest.raises(LogInRefusedError):
        people.log_in("floor-1", "no such password")
    house.opened("t1", "three-card-poker", "hand", counts=True)
    house.by_two("t1", Role.PIT_MANAGER, "change_limits", wager="ante", minimum=500, maximum=50_000)
    house.trouble("t1")
    house.floor("t1", "irregularity", what="device-out-of-order", device="shuffler")
    assert house.act("t1", Role.PLAYER, "deal", "p1").status == 403
    one, two = (Person(f"manager-{n}", "", Role.PIT_MANAGER) for n in (1, 2))
    change = MeterAdjustment(amounts={"meter": 700_000}, reason="a drill")
    pit.approve(pit.propose("t1-five_card_progressive", change, one), two)
    house.now += 10_000_000
    house.pit._watch._steady = lambda: house.now - 10_000_000
    house.floor("t1", "close_table", reason="end of the shift")
    pit.remark(event_of("system.stopped", {"reason": "end of the shift"}))
    found = list(significant(store))
    assert [each.kind for each in found] == [
        "system.started",
        "login.failed",
        *["meter.opened"] * len(pit.meters()),
        "table.opened",
        "limits.changed",
        "irregularity.reported",
        "irregularity.reported",
        "round.voided",
        "irregularity.reported",
        "device.failed",
        "permission.refused",
        "meter.change-approved",
        "clock.jumped",
        "table.closed",
        "system.stopped",
    ]
    assert {each.kind for each in found} <= set(SIGNIFICANT)
    assert all(each.who and each.role and each.at and each.sentence for each in found)
    by_kind = {each.kind: each for each in found}
    assert (by_kind["meter.change-approved"].who, by_kind["meter.change-approved"].why) == ("manager-2", "a drill")
    assert by_kind["table.closed"].why == "end of the shift"
    assert by_kind["permission.refused"].who == "p1"
    assert [each.kind for each in significant(store, after=found[-3].seq)] == ["table.closed", "system.stopped"]
    assert all(each.table == "t1" for each in significant(store, table="t1"))


def test_a_changed_version_is_significant(house: House) -> None:
    started = {"version": "1", "law": {"a": "1"}, "program": {"b": "1"}}
    for data in (started, started, {**started, "version": "2", "program": {"b": "2", "c": "3"}}):
        house.pit.remark(event_of("system.started", data))
    found = list(significant(house.store))
    assert [each.kind for each in found] == [*["system.started"] * 2, "version.changed", "system.started"]
    assert found[2].why == "version 2 instead of 1, 2 files of the program"
    assert [each.kind for each in significant(house.store, after=2)] == ["version.changed", "system.started"]
    assert "version.changed" not in names(*RECORDED)
