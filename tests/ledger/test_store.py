"""The ledger as its callers use it, on both databases."""

import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.events import event_of

from pitboss.clock import with_local_time
from pitboss.ledger.audit import audit_store
from pitboss.ledger.engine import open_database, verify_sqlite
from pitboss.ledger.errors import LedgerError, OverdrawnError, TakenError, UnreachableError
from pitboss.ledger.export import export_lines
from pitboss.ledger.store import Recorded, SealedRow, Store, Writing
from pitboss.table.canonical import canonical
from pitboss.table.events import Entry, Event, move
from pitboss.table.source import SeededRandomness

AT = 1_700_000_000_000_001


def put(writing: Writing, *events: Event, stream: str = "t1", round: int = 1, **more: Any) -> tuple[Recorded, ...]:
    who = {"actor": "dealer-1", "role": "dealer", "at": AT, **more}
    return writing.append(events, stream=stream, round=round, **who)


def wager(cents: int = 500, player: str = "p1") -> Event:
    return event_of("wager.placed", {"cents": cents}, ("641a.11(c)",), move("cash", f"player:{player}", cents))


def test_what_is_recorded_is_read_back(store: Store) -> None:
    events = (wager(), event_of("card.dealt", {"card": "A♠", "note": "“é”\x1f"}), wager(25))
    with store.writing() as writing:
        recorded = put(writing, *events, request="k1")
    with store.reading() as reading:
        assert tuple(reading.events()) == recorded
        assert reading.head.seq == 3
        assert reading.head.hash == recorded[-1].hash
    shown = recorded[0].as_dict()
    assert shown["at"] == "2023-11-14T22:13:20.000001Z"
    assert shown["hash"] == recorded[0].hash.hex()
    assert shown["entries"] == [["cash", -5_000_000], ["player:p1", 5_000_000]]
    assert audit_store(store) == ()


def test_both_databases_give_the_same_chain(sqlite_url: str, postgres_url: str) -> None:
    heads = []
    for url in (sqlite_url, postgres_url):
        with Store(url, salts=SeededRandomness(1).token) as store, store.writing() as writing:
            put(writing, wager(), event_of("note", {"text": "naïve ☂", "n": -3, "yes": True, "none": None}))
            heads.append(writing.head)
    assert heads[0] == heads[1]


def test_filters(store: Store) -> None:
    with store.writing() as writing:
        put(writing, wager(1), wager(2), round=1)
        put(writing, event_of("system.note"), stream="", round=0)
        put(writing, wager(3), event_of("round.ended"), round=2)
        put(writing, wager(4), stream="t2", round=7)
    with store.reading() as reading:
        assert [event.seq for event in reading.events("t1")] == [1, 2, 4, 5]
        assert [event.seq for event in reading.events("t1", after=2)] == [4, 5]
        assert [event.seq for event in reading.events("t1", round=2)] == [4, 5]
        assert [event.seq for event in reading.events(kinds=["round.ended", "system.note"])] == [3, 5]
        assert [event.seq for event in reading.events(limit=2, after=1)] == [2, 3]
        assert reading.events(kinds=[]) == []
        assert reading.streams() == ["", "t1", "t2"]
        assert (reading.last_round("t1"), reading.last_round("t2"), reading.last_round("t9")) == (2, 7, 0)
        assert reading.balance("cash") == -10 * 10_000
        assert reading.balance("nobody") == 0
        assert reading.balances("player:") == {"player:p1": 100_000}
        assert list(reading.balances()) == ["cash", "player:p1"]
        history = reading.entries("player:p1", after=1)
        assert [(line.seq, line.units, line.kind, line.at) for line in history] == [
            (seq, cents * 10_000, "wager.placed", AT) for seq, cents in ((2, 2), (4, 3), (6, 4))
        ]
        assert len(reading.entries("player:p1", limit=2)) == 2
    assert len(list(export_lines(store))) == 6
    assert [line for line in export_lines(store, kinds=["system.note"]) if '"seq":3' in line]
    with store.reading() as reading:
        assert list(export_lines(store, "t2")) == [canonical(with_local_time(reading.events("t2")[0].as_dict()))]


def test_an_answer_is_given_once(store: Store) -> None:
    with store.writing() as writing:
        assert writing.answer("k") is None
        writing.remember("k", "p1", "d" * 64, 200, '{"ok":true}', "t1", AT)

    def again() -> None:
        with store.writing() as writing:
            put(writing, wager())
            writing.remember("k", "p2", "e" * 64, 200, "other", "t1", AT)

    with pytest.raises(TakenError, match="'k' was used before"):
        again()
    with store.reading() as reading:
        found = reading.answer("k")
        assert found is not None
        assert (found.actor, found.status, found.answer) == ("p1", 200, '{"ok":true}')
        assert reading.head.seq == 0


def test_snapshots_and_sealed_decks_are_replaced(store: Store) -> None:
    with store.writing() as writing:
        writing.save_snapshot("t1", 1, "a")
        writing.save_snapshot("t1", 2, "b")
        writing.seal("t1", "red", "c1", "AsKs", "salt")
        writing.seal("t1", "red", "c2", "KsAs", "pepper")
        writing.seal("t1", "blue", "c3", "2s", "s")
    with store.writing() as writing:
        assert writing.snapshot("t1") == (2, "b")
        assert writing.snapshot("t2") is None
        assert writing.sealed("t1", "red") == SealedRow("t1", "red", "c2", "KsAs", "pepper")
        assert "KsAs" not in repr(writing.sealed("t1", "red"))
        writing.unseal("t1", "red")
    with store.reading() as reading:
        assert reading.sealed("t1", "red") is None
        assert reading.sealed("t1", "blue") is not None


def test_an_exception_undoes_everything(store: Store) -> None:
    with suppress(KeyError), store.writing() as writing:
        put(writing, wager())
        writing.save_snapshot("t1", 1, "a")
        raise KeyError
    with store.writing() as writing:
        assert (writing.head.seq, writing.balances(), writing.snapshot("t1")) == (0, {}, None)
        put(writing, wager())
        assert writing.touched == {"player:p1": 5_000_000, "cash": -5_000_000}
    assert audit_store(store) == ()


def test_a_reader_sees_one_state(store: Store) -> None:
    with store.writing() as writing:
        put(writing, wager())
    with store.reading() as reading:
        with store.writing() as writing:
            put(writing, wager())
        assert len(reading.events()) == 1
        assert reading.balance("cash") == -5_000_000
    with store.reading() as reading:
        assert len(reading.events()) == 2


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (event_of("odd", {"cents": 1.5}), "floating point"),
        (event_of("odd", {"deep": [{"rate": 1e30}]}), "floating point"),
        (event_of("odd\x1f"), "control character"),
        (event_of("odd\0"), "control character"),
        (event_of("odd\ud800"), "half a character"),
        (event_of("odd", {}, (), (Entry("a", 2**63), Entry("b", -(2**63)))), "whole number"),
        (event_of("odd", {}, (), (Entry("a", True), Entry("b", -1))), "whole number"),
    ],
)
def test_what_the_ledger_cannot_hold_is_refused(sqlite_url: str, event: Event, sentence: str) -> None:
    with Store(sqlite_url) as store:
        with pytest.raises(LedgerError, match=sentence), store.writing() as writing:
            put(writing, wager(), event)
        with store.reading() as reading:
            assert reading.head.seq == 0


def test_text_that_looks_like_a_fraction_is_no_fraction(sqlite_url: str) -> None:
    with Store(sqlite_url) as store, store.writing() as writing:
        put(writing, event_of("note", {"cite": "641a.12", "text": "1.5 to 1, 3e5"}))


def test_entries_that_do_not_balance_are_refused_even_if_forced(sqlite_url: str) -> None:
    event = event_of("odd", {}, (), ())
    object.__setattr__(event, "entries", (Entry("a", 5), Entry("b", -4)))
    with Store(sqlite_url) as store, pytest.raises(LedgerError, match="sum to zero"), store.writing() as writing:
        put(writing, event)


def test_money_beyond_the_column_is_refused(store: Store) -> None:
    most = 2**63 - 1
    for _ in range(1):
        with store.writing() as writing:
            put(writing, event_of("big", {}, (), (Entry("a", most), Entry("house", -most))))
    with pytest.raises(LedgerError), store.writing() as writing:
        put(writing, event_of("big", {}, (), (Entry("a", 5), Entry("house", -5))))
    with store.reading() as reading:
        assert reading.balances() == {"a": most, "house": -most}
    assert audit_store(store) == ()


def test_threads_write_in_turn(store: Store) -> None:
    def write(number: int) -> None:
        for step in range(10):
            with store.writing() as writing:
                put(writing, wager(step + 1, f"p{number}"), stream=f"t{number}", round=step)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with store.reading() as reading:
        assert reading.head.seq == 80
        assert reading.balance("cash") == -8 * 55 * 10_000
        assert reading.balances("player:") == {f"player:p{number}": 550_000 for number in range(8)}
    assert audit_store(store) == ()


def test_two_stores_on_one_ledger(url: str) -> None:
    with Store(url) as one, Store(url) as two:
        for _ in range(5):
            for store in (one, two):
                with store.writing() as writing:
                    put(writing, wager())
        assert audit_store(one) == audit_store(two) == ()
        with two.reading() as reading:
            assert reading.head.seq == 10


def test_a_thread_does_not_wait_for_itself(sqlite_url: str) -> None:
    with (
        Store(sqlite_url) as store,
        store.writing(),
        pytest.raises(LedgerError, match="already writing"),
        store.writing(),
    ):
        pass


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("mysql://host/x", "not known here"),
        ("ledger.db", "not a database address"),
        ("sqlite://", "needs a file"),
        ("sqlite:///:memory:", "needs a file"),
    ],
)
def test_other_addresses_are_refused(url: str, sentence: str) -> None:
    with pytest.raises(LedgerError, match=sentence):
        open_database(url)


def test_what_cannot_be_reached_is_said(tmp_path: Path) -> None:
    with pytest.raises(UnreachableError, match="no folder"):
        open_database(f"sqlite:///{tmp_path}/nowhere/ledger.db")
    with pytest.raises(UnreachableError, match="does not answer"):
        open_database(f"postgresql://nobody@/none?host={tmp_path}")
    (tmp_path / "text.db").write_text("this is no database, but it is long enough to be mistaken for one" * 20)
    with pytest.raises(LedgerError, match="not a SQLite database"):
        open_database(f"sqlite:///{tmp_path}/text.db")


def test_an_old_sqlite_is_refused() -> None:
    for version in ("3.51.2", "3.40.1", "3.9.0"):
        with pytest.raises(LedgerError, match=r"pip install 'pitboss\[ledger\]'"):
            verify_sqlite(version)
    for version in ("3.51.3", "3.53.4", "4.0.0"):
        verify_sqlite(version)


ACCOUNTS = st.sampled_from(["player:p1", "player:p2", "layout:t1", "inventory:t1", "house", "meter:m:mega"])
MOVES = st.lists(st.tuples(ACCOUNTS, ACCOUNTS, st.integers(-(10**9), 10**9)), max_size=4)
TEXT = st.text(st.characters(exclude_characters="\0\x1f", exclude_categories=["Cs"]), max_size=8)
EVENTS = st.builds(
    lambda kind, data, cites, moves: event_of(
        kind,
        data,
        tuple(cites),
        tuple(entry for source, target, cents in moves for entry in move(source, target, cents)),
    ),
    TEXT,
    st.dictionaries(
        TEXT, st.none() | st.booleans() | st.integers() | TEXT | st.lists(st.integers(), max_size=2), max_size=3
    ),
    st.lists(TEXT, max_size=2),
    MOVES,
)


def _solvent(before: dict[str, int], events: list[Event]) -> bool:
    """Whether no account but the house's stands below zero after any of the events."""
    held = dict(before)
    for event in events:
        for entry in event.entries:
            held[entry.account] = held.get(entry.account, 0) + entry.units
        if any(units < 0 for account, units in held.items() if account != "house"):
            return False
    return True


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.tuples(st.lists(EVENTS, min_size=1, max_size=4), TEXT, st.integers(0, 9), st.booleans()), max_size=5)
)
def test_any_history_adds_up(store: Store, history: list[tuple[list[Event], str, int, bool]]) -> None:
    """The ledger goes on from example to example; each is checked against what was there before it."""
    with store.reading() as reading:
        seq, balances = reading.head.seq, reading.balances()
    expected: list[Recorded] = []
    for events, stream, number, kept in history:
        try:
            with store.writing() as writing:
                recorded = put(writing, *events, stream=stream, round=number)
                if not kept:
                    raise InterruptedError
        except InterruptedError:
            assert _solvent(balances, events)
            continue
        except OverdrawnError:
            assert not _solvent(balances, events)
            continue
        assert _solvent(balances, events)
        expected.extend(recorded)
        for entry in (entry for event in events for entry in event.entries):
            balances[entry.account] = balances.get(entry.account, 0) + entry.units
    with store.reading() as reading:
        assert reading.events(after=seq) == expected
        assert reading.balances() == dict(sorted(balances.items()))
        assert sum(reading.balances().values()) == 0
    assert audit_store(store) == ()
