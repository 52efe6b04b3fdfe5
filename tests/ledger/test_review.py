"""The review plays every table again: it agrees with honest records and finds what no chain can show."""

import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.events import event_of
from tests.ledger.forger import codes, forge, recorded
from tests.ledger.house import House
from tests.table.driver import CARD_GAMES, DEVICE_NAMES

from pitboss.findings import errors
from pitboss.ledger.audit import audit_store
from pitboss.ledger.kinds.meters import MeterAdjustment
from pitboss.ledger.people import Person
from pitboss.ledger.recall import recall
from pitboss.ledger.replay import state_hash
from pitboss.ledger.review import review
from pitboss.ledger.significant import significant
from pitboss.ledger.store import Recorded, Store
from pitboss.table.canonical import canonical
from pitboss.table.fold import apply_all
from pitboss.table.roles import Role
from pitboss.table.ruling import rules_at
from pitboss.table.state import Phase, Table

SRC = Path(__file__).parents[2] / "src"
CONSTRAINTS = SRC.parent / "constraints.txt"
REPLAY = """
import json, sys
from pitboss.ledger.replay import state_hash
from pitboss.table.events import Event
from pitboss.table.fold import apply_all
from pitboss.table.happened import fact_of
from pitboss.table.state import Table
events = [json.loads(line) for line in sys.stdin]
table = apply_all(Table(events[0]["stream"]), [Event(fact_of(each["kind"], each["data"])) for each in events])
print(sys.version_info[:2], state_hash(table))
"""


def _python(version: str) -> str | None:
    """Another interpreter that runs: on the path, or among those that pyenv keeps."""
    kept = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    names = [shutil.which(f"python{version}"), *map(str, sorted(kept.glob(f"{version}.*/bin/python{version}")))]
    for name in filter(None, names):
        if subprocess.run([name, "-c", ""], capture_output=True, check=False).returncode == 0:
            return name
    return None


@pytest.fixture
def house(sqlite_url: str) -> House:
    return House(Store(sqlite_url), seed=3)


@pytest.fixture
def played(house: House) -> House:
    """A table with two rounds, both with progressive wagers, and one that is void."""
    house.opened("t1", "three-card-poker").rounds("t1", 2)
    house.wagers("t1").until("t1", "deciding")
    house.dealer("t1", "irregularity", what="wrong-number-of-cards", seat=1, note="four cards")
    return house


def replayed(store: Store, table: str) -> Table:
    """A table folded from its very first event, without any snapshot."""
    with store.reading() as reading:
        return apply_all(Table(table), reading.events(table))


@pytest.mark.parametrize("dealing", DEVICE_NAMES)
@pytest.mark.parametrize("game", CARD_GAMES)
def test_an_honest_table_is_found_in_order(house: House, game: str, dealing: str) -> None:
    """With a card found face up, wagers abandoned and a void round: nothing is found, and the replay is the table."""
    house.opened("t1", game, dealing, (1, 2, 4)).round("t1")
    house.trouble("t1").round("t1")
    assert review(house.store, live=house.pit.tables()) == ()
    assert replayed(house.store, "t1") == house.pit.table("t1")
    assert house.pit.table("t1").rounds == 4


def test_the_replay_is_the_live_state_on_both_databases(store: Store) -> None:
    house = House(store, seed=4)
    house.opened("t1", "four-card-poker", "hand", decks=2, counts=True).opened("t2", "lunar-poker", seats=(3,))
    house.rounds("t1", 2).round("t2")
    house.wagers("t1").until("t1", "deciding")
    for table in ("t1", "t2"):
        assert state_hash(replayed(store, table)) == state_hash(house.pit.table(table))
    assert review(store, live=house.pit.tables()) == ()


def _libraries(python: str, version: str) -> Path:
    """Return a folder with what the fold needs besides this package, made for another Python once."""
    made = Path(sys.prefix) / f"fold-{version}"
    if not (made / "msgspec").is_dir():
        pinned = next(line for line in CONSTRAINTS.read_text().splitlines() if line.startswith("msgspec=="))
        wanted: list[str | Path] = [
            python,
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
            "--target",
            made,
            pinned,
        ]
        if subprocess.run(wanted, capture_output=True, check=False).returncode:
            pytest.skip(f"msgspec can't be installed for Python {version} here")
    return made


@pytest.mark.parametrize("version", ["3.12", "3.13"])
def test_another_python_folds_the_same_log_to_the_same_hash(house: House, version: str) -> None:
    found = _python(version)
    if found is None:
        pytest.skip(f"there is no Python {version} here")
    house.opened("t1", "lunar-poker", seats=(1, 3)).trouble("t1").wagers("t1").until("t1", "deciding")
    with house.store.reading() as reading:  # an export would hide cards of the round in play
        log = "\n".join(canonical(event.as_dict()) for event in reading.events("t1"))
    paths = {"PYTHONPATH": f"{SRC}:{_libraries(found, version)}"}
    told = subprocess.run([found, "-c", REPLAY], input=log, env=paths, capture_output=True, text=True, check=True)
    shown, _, hashed = told.stdout.partition(") ")
    assert shown == str(tuple(map(int, version.split("."))))[:-1]
    assert hashed == state_hash(house.pit.table("t1")) + "\n"


def test_linked_meters_and_a_change_by_two_people(house: House) -> None:
    """Two tables feed one meter, which is then changed; each increment and the change are computed again."""
    house.opened("t1", "three-card-poker")
    meter = "t1-five_card_progressive"
    meters = house.pit.table("t1").meters
    name = next(name for name, known in meters.items() if known == meter)
    house.opened("t2", "three-card-poker", seats=(5,), meters={name: meter})
    house.round("t1")
    house.round("t2")
    one, two = (Person(f"manager-{n}", "", Role.PIT_MANAGER) for n in (1, 2))
    number = house.pit.propose(meter, MeterAdjustment(amounts={"meter": 700_000}, reason="a drill"), one)
    house.pit.approve(number, two)
    house.round("t2")
    assert review(house.store) == ()
    event = recorded(house.store, "meter.change-approved")

    def alone(columns: dict[str, Any]) -> None:
        columns["actor"] = "manager-1"

    forge(house.store, {event.seq: alone})
    assert audit_store(house.store) == ()
    assert codes(review(house.store)) == {"two-people"}


def test_a_corrected_card_is_reviewed_recalled_and_hidden_from_others(house: House) -> None:
    """The review computes the correction again; the record shows the right card, and meanwhile only to its player."""
    house.opened("t1", "three-card-poker", source="keyed", seats=(1, 2)).wagers("t1").until("t1", "dealing")
    house.key_in("t1", {"seat 1": "Ac 8s Qd", "seat 2": "9c 5d 3h", "dealer": "Jh 7c 2s"})
    house.dealer("t1", "correct_card", wrong="Qd", right="Qs")
    players = {seat: house.person(Role.PLAYER, f"p{seat}") for seat in (1, 2)}
    told = {seat: recall(house.store, "t1", 1, who) for seat, who in players.items()}
    assert all("Qs" not in step.sentence and "Qd" not in step.sentence for step in told[2].steps)
    house.until("t1", "collecting")
    house.dealer("t1", "discard")
    cards = [(card.card, card.to) for card in recall(house.store, "t1", 1).cards]
    assert ("Qs", "seat 1") in cards
    assert ("Qd", "seat 1") not in cards
    assert review(house.store) == ()


def test_every_forged_line_is_found_although_the_chain_agrees(played: House) -> None:
    """Each settled line of a round, with a net and money that the rules do not give."""
    store = played.store
    with store.reading() as reading:
        lines = [event for event in reading.events("t1", round=1) if event.kind == "line.settled"]
    assert len(lines) >= 6
    for line in lines[::3]:

        def more(columns: dict[str, Any]) -> None:
            columns["data"]["net"] += 500
            columns["entries"] += [["inventory:t1", -5_000_000], ["player:p1", 5_000_000]]

        def less(columns: dict[str, Any]) -> None:
            columns["data"]["net"] -= 500
            columns["entries"] = columns["entries"][:-2]

        forge(store, {line.seq: more})
        assert audit_store(store) == ()
        found = review(store)
        assert ("replay-line", f"event {line.seq}") in {(each.code, each.where) for each in found}
        assert any("where the rules give" in each.sentence for each in found)
        forge(store, {line.seq: less})
        assert review(store) == ()


def test_a_jackpot_is_computed_again_with_the_meter_of_that_moment(house: House) -> None:
    """A royal flush takes the whole meter, which starts again; later wagers add to the new amount."""
    house.opened("t1", "four-card-poker", source="keyed").wagers("t1").until("t1", "dealing")
    house.key_in("t1", {"seat 1": "As Ks Qs Js Ts"}).until("t1", "shuffling")
    paid = recorded(house.store, "meter.paid")
    assert paid.data["reseeded"]
    assert paid.data["amount"] > 100_000
    assert review(house.store) == ()
    shown = recall(house.store, "t1", 1)
    assert shown.deal.verdict == "cards keyed in by the dealer; there is no commitment"
    assert any(line.from_meter and line.net > 100_000 for line in shown.lines)
    assert any(moved.units < 0 or moved.seq == paid.seq for moved in shown.meters)
    assert "meter.paid" in [each.kind for each in significant(house.store)]

    def a_cent_less(columns: dict[str, Any]) -> None:
        account, units = columns["entries"][0]
        columns["entries"][0], columns["entries"][1][1] = [account, units + 10_000], columns["entries"][1][1] - 10_000

    forge(house.store, {paid.seq: a_cent_less})
    audited = audit_store(house.store)
    assert audited[0].code == "money-overdrawn", "the winner gets a cent that the meter did not give"
    found = review(house.store)[len(audited) :]
    assert (found[0].code, found[0].where) == ("replay-event", f"event {paid.seq}")


def _change(**values: Any) -> Callable[[dict[str, Any]], None]:
    return lambda columns: columns["data"].update(values)


def _cite(columns: dict[str, Any]) -> None:
    columns["data"]["cite"] = "649a.11(a)"


def _skim(columns: dict[str, Any]) -> None:
    """Half of what the meter should get goes elsewhere."""
    for entry in columns["entries"]:
        entry[1] //= 2


def _another_card(columns: dict[str, Any]) -> None:
    columns["data"]["cards"][0][0] = "2c" if columns["data"]["cards"][0][0] != "2c" else "3c"


GIFT = [["house", -1_000_000], ["player:p1", 1_000_000]]


def _give_back_more(columns: dict[str, Any]) -> None:
    columns["entries"] += [["inventory:t1", -1_000_000], ["player:p1", 1_000_000]]


@pytest.mark.parametrize(
    ("kind", "change", "code"),
    [
        ("line.settled", _cite, "replay-line"),
        ("line.settled", _change(stage="hands", turn=7), "replay-line"),
        ("line.settled", _change(why="Because."), "replay-line"),
        ("meter.incremented", _skim, "replay-event"),
        ("wager.placed", _change(amount=5_000), "replay-event"),
        ("cards.dealt", _another_card, "dealt-card-differs"),
        ("cards.shuffled", _change(commitment="0" * 64), "commitment-differs"),
        ("deck.revealed", _change(salt="00" * 32), "commitment-differs"),
        ("bets.closed", _change(commitment="0" * 64), "replay-event"),
        ("round.completed", _change(totals={"1": 0}), "replay-event"),
        ("round.voided", _give_back_more, "replay-event"),
        ("player.bought-in", _give_back_more, "replay-event"),
        ("decision.made", _change(seat=9), "replay-event"),
        ("cards.collected", lambda columns: columns.update(kind="turns.completed"), "replay-event"),
        ("bets.closed", lambda columns: columns["data"].pop("collected"), "replay-fold"),
        ("cards.shuffled", _give_back_more, "replay-money"),
        ("chips.counted", lambda columns: columns.update(round=9), "replay-round"),
        ("meter.opened", lambda columns: columns["entries"].extend(GIFT), "replay-event"),
        ("seat.taken", lambda columns: columns["entries"].extend([["meter:x:meter", 5], ["house", -5]]), "meter-moved"),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_what_the_rules_do_not_give_is_found(
    played: House, kind: str, change: Callable[[dict[str, Any]], None], code: str
) -> None:
    event = recorded(played.store, kind)
    forge(played.store, {event.seq: change})
    assert audit_store(played.store) == ()
    found = errors(review(played.store))
    assert code in codes(found)
    assert "request" not in codes(found)
    assert f"event {event.seq}" in [finding.where for finding in found] or "commitment" in code or "card" in kind


def test_two_lines_in_the_wrong_order_are_found(played: House) -> None:
    first, second = recorded(played.store, "line.settled", 0), recorded(played.store, "line.settled", 1)

    def become(other: Recorded) -> Callable[[dict[str, Any]], None]:
        money = [[entry.account, entry.units] for entry in other.entries]
        return lambda columns: columns.update(data=dict(other.data), entries=money, cites=list(other.cites))

    forge(played.store, {first.seq: become(second), second.seq: become(first)})
    assert audit_store(played.store) == ()
    found = review(played.store)
    assert [finding.where for finding in found[:2]] == [f"event {first.seq}", f"event {second.seq}"]
    assert codes(found[:2]) == {"replay-line"}


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        (
            "UPDATE balances SET units = units + 1 WHERE account = 'meter:t1-five_card_progressive:meter'",
            "meter-balance",
        ),
        ("UPDATE meters SET settings = replace(settings, '\"offered\":', '\"offered\":1')", "meter-settings"),
        ("DELETE FROM meters", "meter-settings"),
        ("UPDATE snapshots SET state = replace(state, '\"rounds\":', '\"rounds\":1')", "snapshot"),
        ("UPDATE snapshots SET seq = seq - 1", "snapshot"),
        ("DELETE FROM requests WHERE key = (SELECT request FROM events WHERE kind = 'bets.closed' LIMIT 1)", "request"),
        ("UPDATE requests SET actor = 'p9'", "request"),
        ("UPDATE requests SET answer = replace(answer, 'wager.placed', 'wager.played')", "request"),
        (
            "INSERT INTO requests SELECT 9999, 'one-more', actor, digest, answer, stream, status, at, hash "
            "FROM requests LIMIT 1",
            "answer",
        ),
        ("UPDATE sealed SET salt = replace(salt, 'a', 'b')", "sealed"),
        ("UPDATE sealed SET cards = cards || ' xx'", "sealed"),
    ],
)
def test_what_was_written_out_of_the_events_must_agree(played: House, statement: str, code: str) -> None:
    played.until("t1", "wagering")
    assert review(played.store) == ()
    with played.store.engine.connect().execution_options(purpose="write") as connection, connection.begin():
        assert connection.exec_driver_sql(statement).rowcount >= 1
    assert code in codes(errors(review(played.store)))


def test_no_card_under_seal_is_told(played: House) -> None:
    played.until("t1", "wagering")
    with played.store.writing() as writing:
        sealed = writing.sealed("t1", "red")
        assert sealed is not None
        writing.seal("t1", "red", sealed.commitment, sealed.cards, "00" * 32)
    found = review(played.store)
    assert codes(found) == {"sealed"}
    assert sealed.cards not in str(found)


def test_a_table_held_otherwise_by_the_program_is_found(played: House) -> None:
    live = played.pit.table("t1")
    assert review(played.store, live=[live]) == ()
    assert codes(review(played.store, live=[replace(live, phase=Phase.IDLE)])) == {"live"}


def test_rounds_under_other_law_are_replayed_but_not_recomputed(house: House) -> None:
    house.pit.remark(event_of("system.started", {"version": "0", "law": {"649a.toml": "another"}, "program": {}}))
    house.opened("t1", "three-card-poker").round("t1")
    line = recorded(house.store, "line.settled")
    forge(house.store, {line.seq: _cite})
    found = review(house.store)
    assert codes(found) == {"law-differs"}
    assert "1 rounds" in found[0].sentence
    assert errors(found) == ()


def test_another_program_may_word_a_reason_otherwise_but_not_pay_otherwise(house: House) -> None:
    house.pit.remark(event_of("system.started", {"version": "0", "program": {"cli.py": "another"}}))
    house.opened("t1", "three-card-poker").round("t1")
    line = recorded(house.store, "line.settled")
    forge(house.store, {line.seq: _change(why="Because.")})
    assert review(house.store) == ()
    forge(house.store, {line.seq: _cite})
    assert codes(review(house.store)) == {"replay-line"}


def test_progress_goes_to_the_end_and_many_findings_are_counted(played: House) -> None:
    steps: list[tuple[int, int]] = []
    with played.store.reading() as reading:
        last = reading.head.seq
        placed = [event.seq for event in reading.events(kinds=["wager.placed", "line.settled"])]
    review(played.store, lambda done, total: steps.append((done, total)))
    assert steps[-1] == (last, last)
    forge(played.store, {seq: lambda columns: columns.update(round=9) for seq in placed})
    found = [finding for finding in review(played.store) if finding.code == "replay-round"]
    assert len(found) == 21
    assert json.loads(json.dumps([finding.as_dict() for finding in found]))
    assert str(len(placed)) == found[-1].found


def test_a_review_while_play_goes_on_finds_nothing(house: House) -> None:
    house.opened("t1", "three-card-poker").round("t1")
    player = threading.Thread(target=house.rounds, args=("t1", 3))
    player.start()
    reviews = 0
    while player.is_alive() or not reviews:
        assert errors(review(house.store)) == ()
        reviews += 1
    player.join()
    assert house.pit.table("t1").rounds == 4


def test_meters_fed_by_one_act_are_found_in_order_whatever_their_order(house: House) -> None:
    """A table in memory and one read from the ledger name their meters in another order."""
    house.opened("t1", "three-card-poker", seats=(1,)).until("t1", "wagering")
    rules = rules_at(house.pit.table("t1"))
    house.dealer("t1", "wager", seat=1, wager="ante", amount=1_000)
    for wager in ("three_card_progressive", "five_card_progressive", "five_of_six_progressive"):
        house.dealer("t1", "wager", seat=1, wager=wager, amount=rules.choices.amounts[wager])
    house.until("t1", "deciding")
    with house.store.reading() as reading:
        fed = [event.data["meter"] for event in reading.events("t1") if event.kind == "meter.incremented"]
    assert len(fed) == 3
    assert review(house.store) == ()
