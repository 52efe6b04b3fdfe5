"""What a player learns about other patrons: what lies on the felt while it lies there, and nothing from the record."""

import re
from collections.abc import Iterable
from datetime import datetime
from typing import Any

import pytest

from pitboss.clock import EPOCH
from pitboss.ledger.chain import link, text_of
from pitboss.ledger.people import Person
from pitboss.ledger.recall import NOT_YOURS, NotYoursError, recall
from pitboss.table.canonical import canonical
from pitboss.table.events import move
from pitboss.table.redaction import redacted
from pitboss.table.roles import Role
from tests.events import event_of
from tests.web.harness import Client, House, listen

P1 = Person("p1", "P1", Role.PLAYER)
ACCOUNTS = re.compile(r"player:p2|inventory:|drop:|cage|cash\b|house\b|layout:|jackpots:")


def played(house: House) -> None:
    """A round of two, and the next with one wager of each on the felt."""
    play = house.open("t1", "three-card-poker", 1, 2)
    play.round()
    play.until("wagering").wager()


def record(client: Client) -> dict[str, Any]:
    """Everything but the felt as it is now."""
    events = client.shown("/tables/t1/events")["events"]
    heard = listen(client, "/tables/t1/stream?after=0", lambda m: m.id >= events[-1]["seq"])
    return {
        "events": events,
        "stream": [m.data for m in heard if m.event == "message"],
        "rounds": client.shown("/tables/t1/rounds")["rounds"],
        "round 1": client.get("/tables/t1/rounds/1").json(),
        "round 2": client.get("/tables/t1/rounds/2").json(),
    }


@pytest.mark.parametrize("who", ["p1", "p3"])
def test_the_record_tells_a_player_nothing_of_others(house: House, who: str) -> None:
    played(house)
    found = record(house[who])
    seats = {"p1": {1}, "p3": set[int]()}[who]
    for name, part in found.items():
        assert not re.search(r"\bp2\b", str(part)), name
    for event in [*found["events"], *found["stream"]]:
        if event["actor"] != who:
            assert event["request"] == "", event
            assert event["salt"] == "", event
            assert event["hash"], "hashes are published"
        if who not in (event["actor"], event["data"].get("player")) and event["data"].get("seat") not in seats:
            assert not ACCOUNTS.search(str(event["entries"])), event
            assert not {"amount", "fill", "player", "stake", "net", "later"} & set(event["data"]), event
    assert {int(seat) for line in found["rounds"] for seat in line["totals"]} == seats
    if who == "p3":
        assert found["round 1"]["findings"][0]["sentence"] == NOT_YOURS
        assert house["p3"].get("/tables/t1/rounds/1").status_code == 403
    else:
        for part in ("stakes", "lines", "decisions"):
            assert {each["seat"] for each in found["round 1"][part]} == {1}, part
        assert {card["to"] for card in found["round 1"]["cards"]} == {"seat 1", "seat 2", "dealer"}


def test_pages_and_interface_agree(house: House) -> None:
    played(house)
    for who in ("p1", "p2", "p3", "dealer-1", "floor-1", "auditor-1"):
        person = next(account.person for account in house.people.everyone() if account.person.id == who)
        answer = house[who].get("/tables/t1/rounds/1")
        if answer.status_code == 200:
            lines = recall(house.store, "t1", 1, person).lines
            assert [line.seq for line in lines] == [line["seq"] for line in answer.json()["lines"]]
        else:
            with pytest.raises(NotYoursError):
                recall(house.store, "t1", 1, person)


def test_on_the_felt_wagers_are_seen(house: House) -> None:
    played(house)
    shown = house["p1"].shown("/tables/t1")["table"]
    assert set(shown["wagers"]) == {"1", "2"}


def test_staff_sees_the_whole_record(house: House) -> None:
    played(house)
    events = house["floor-1"].shown("/tables/t1/events")["events"]
    assert all(event["salt"] and event["request"] for event in events)
    assert {"player:p2", "inventory:t1", "drop:t1"} <= {account for e in events for account, _ in e["entries"]}
    assert set(house["floor-1"].shown("/tables/t1/rounds")["rounds"][0]["totals"]) == {"1", "2"}


def test_a_player_can_prove_what_he_did(house: House) -> None:
    """His own events come whole, with the salt: they and the hash before give the published hash."""
    played(house)
    events = house["p1"].shown("/tables/t1/events")["events"]
    hashes = {event["seq"]: event["hash"] for event in events}
    proved = [hashes[e["seq"] - 1] and shows(e, hashes[e["seq"] - 1]) for e in own(events) if e["seq"] - 1 in hashes]
    assert len(proved) > 5
    assert all(proved)


def own(events: Iterable[dict[str, Any]]) -> Iterable[dict[str, Any]]:
    return (event for event in events if event["actor"] == "p1" and event["salt"])


def shows(event: dict[str, Any], before: str) -> bool:
    since = datetime.fromisoformat(event["at"]) - EPOCH
    at = (since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds
    texts = (canonical(event["cites"]), canonical(event["data"]), canonical(event["entries"]))
    names = ("seq", "stream", "round", "kind")
    row = (*(event[n] for n in names), at, event["actor"], event["role"], event["request"], *texts, event["salt"])
    return bool(link(bytes.fromhex(before), text_of(row)).hex() == event["hash"])


def test_an_event_that_nobody_has_judged_is_nobody_elses() -> None:
    """A kind that is new stays hidden until somebody says that it is public; those that are public exist."""
    new = event_of("slip.written", {"amount": 5, "teller": "x"}, (), move("cage", "inventory:t1", 5))
    assert redacted(new, P1, frozenset({1})) is None
    assert redacted(new, Person("floor-1", "", Role.FLOORPERSON), frozenset()) is new


OWN_PART: dict[str, tuple[dict[str, Any], str, dict[str, Any]]] = {
    "round.completed": ({"round": 1, "deck": "red", "next_deck": "red"}, "totals", {"1": 500, "2": -700}),
    "round.voided": (
        {"round": 1, "deck": "red", "next_deck": "red", "act": "x", "reason": "y"},
        "returned",
        {"1": {"ante": 500}, "2": {"ante": 700}},
    ),
}


@pytest.mark.parametrize("kind", OWN_PART)
def test_of_what_all_seats_won_or_got_back_a_player_learns_the_own(kind: str) -> None:
    data, part, by_seat = OWN_PART[kind]
    end = event_of(kind, {**data, part: by_seat}, (), move("layout:t1", "player:p2", 5))
    seen = redacted(end, P1, frozenset({1}))
    assert seen is not None
    assert (seen.data, seen.entries) == ({**data, part: {"1": by_seat["1"]}}, ())


@pytest.mark.parametrize(
    ("kind", "hidden", "known"),
    [
        ("irregularity.reported", {"note": "p2 shouted"}, {"what": "x", "seat": 2, "device": ""}),
        ("payout.validated", {"turn": "hands:2"}, {"seat": 2}),
        ("table.closed", {}, {"reason": "end of day"}),
    ],
)
def test_of_what_everybody_may_know_in_part_the_rest_stays_hidden(
    kind: str, hidden: dict[str, str], known: dict[str, Any]
) -> None:
    event = event_of(kind, known | hidden, (), move("inventory:t1", "cage", 5))
    seen = redacted(event, P1, frozenset({1, 2}))
    assert seen is not None
    assert not any(seen.data.get(name) for name in hidden)
    assert {name: seen.data[name] for name in known} == known
    assert seen.entries == ()


def test_a_seat_that_changed_hands_before_the_cards(house: House) -> None:
    play = house.open("t1", "three-card-poker", 1, 2).until("wagering")
    house["p1"].do("t1", "wager", seat=1, wager="ante", amount=1700)
    house["p1"].do("t1", "withdraw", seat=1, wager="ante")
    house["p1"].do("t1", "leave", seat=1)
    house["p3"].do("t1", "sit", seat=1)
    house["floor-1"].do("t1", "buy_in", amount=100_000, player="p3", slip=house.slip("t1"))
    house["p3"].do("t1", "wager", seat=1, wager="ante", amount=1900)
    events = house["p1"].shown("/tables/t1/events")["events"]
    assert [e["data"].get("amount") for e in events if e["kind"] == "wager.placed"] == [1700, None]
    assert play.shown("p1")["table"]["wagers"]["1"] == {"ante": 1900}
