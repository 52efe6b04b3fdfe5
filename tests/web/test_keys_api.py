"""A request key acts once, however many copies of the request arrive, and from wherever."""

import threading
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from pitboss.ledger.errors import BusyError, DiskFullError, LedgerError, UnknownOutcomeError, UnreachableError
from tests.web.harness import House

WAGER = {"command": "wager", "seat": 1, "wager": "ante", "amount": 1000}


def test_a_hundred_copies_at_once_have_one_effect(either_house: House) -> None:
    either_house.open("t1", "three-card-poker", 1).until("wagering")
    player, start = either_house["p1"], threading.Barrier(100)

    def send(_: int) -> tuple[int, bytes]:
        with httpx.Client(base_url=either_house.url, timeout=60) as http:
            start.wait()
            answer = http.post(
                "/api/tables/t1/commands", json=WAGER, headers=player.headers({"Request-Key": "one-key-0001"})
            )
        return answer.status_code, answer.content

    with ThreadPoolExecutor(100) as crowd:
        answers = set(crowd.map(send, range(100)))
    assert len(answers) == 1
    assert answers.pop()[0] == 200
    placed = [e for e in player.shown("/tables/t1/events")["events"] if e["kind"] == "wager.placed"]
    assert len(placed) == 1
    assert player.shown("/balance")["chips"] == 1_000_000 - 1000


def test_the_answer_stays_the_same_when_the_table_has_moved_on(house: House) -> None:
    play = house.open("t1", "three-card-poker", 1).until("wagering")
    first = house["p1"].command("t1", WAGER, "same-key-0001")
    play.until("dealing")
    assert house["p1"].command("t1", WAGER, "same-key-0001").content == first.content
    refused = house["p1"].command("t1", WAGER, "late-key-0001")
    assert refused.status_code == 422
    assert house["p1"].command("t1", WAGER, "late-key-0001").content == refused.content


def test_a_key_cannot_be_used_for_something_else(house: House) -> None:
    house.open("t1", "three-card-poker", 1, 2).until("wagering")
    assert house["p1"].command("t1", WAGER, "same-key-0002").status_code == 200
    for who, body in (("p1", {**WAGER, "amount": 2000}), ("p2", WAGER), ("p1", {"command": "no_more_bets"})):
        answer = house[who].command("t1", body, "same-key-0002")
        assert answer.status_code == 409
        assert answer.json()["findings"][0]["code"] == "key-reused"


@pytest.mark.parametrize("key", ["short", "x" * 101, "with a blank", ""])
def test_a_bad_key_is_refused(house: House, key: str) -> None:
    answer = house["p1"].post("/tables/t1/commands", WAGER, headers={"Request-Key": key})
    assert answer.status_code in (400, 422)
    assert "key" in answer.json()["findings"][0]["sentence"].lower()


def test_a_key_is_required(house: House) -> None:
    answer = house["p1"].post("/tables/t1/commands", WAGER)
    assert answer.status_code == 422
    assert "request-key" in answer.json()["findings"][0]["sentence"]


@pytest.mark.parametrize("error", [BusyError, UnreachableError, DiskFullError, UnknownOutcomeError, LedgerError])
def test_trouble_with_the_ledger_is_told(
    house: House, monkeypatch: pytest.MonkeyPatch, error: type[LedgerError]
) -> None:
    def fail(*_: object) -> None:
        raise error("the ledger is elsewhere")

    player = house["p1"]
    monkeypatch.setattr(house.pit, "act", fail)
    answer = player.command("t1", WAGER)
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "1")
    assert answer.json()["findings"][0]["sentence"].startswith("The ledger is elsewhere.")


def test_unreadable_commands_are_told_in_a_sentence(house: House) -> None:
    cases = {
        '{"command": "fly"}': "There is no command 'fly'",
        '{"command": "wager", "seat": 1}': "wager is missing",
        '{"command": "wager", "seat": "1", "wager": "ante", "amount": 5}': "seat should be a whole number",
        '{"command": "wager", "seat": 1, "wager": "ante", "amount": 5, "tip": 1}': "tip is not a key here",
        '{"command": "wager", "seat": 1, "wager": "ante", "amount": 5.0}': "amount should be a whole number",
        "[]": "",
        "5": "",
        "null": "",
    }
    for text, sentence in cases.items():
        headers = house["p1"].headers({"Request-Key": "some-key-0001", "Content-Type": "application/json"})
        answer = house["p1"].http.post("/api/tables/t1/commands", content=text, headers=headers)
        assert answer.status_code in (400, 422), text
        assert sentence in answer.json()["findings"][0]["sentence"]


def test_a_refused_permission_is_recorded(house: House) -> None:
    house.open("t1", "three-card-poker", 1)
    answer = house["p1"].command("t1", {"command": "close_table"})
    assert answer.status_code == 403
    assert answer.json()["findings"][0]["sentence"] == ("A player may not do this; a floorperson or a pit manager may.")
    [told] = house["auditor-1"].shown("/audit/events?stream=&kinds=permission.refused")["events"]
    assert (told["actor"], told["data"]) == ("p1", {"command": "close_table", "table": "t1"})


def test_nobody_acts_for_another_player(house: House) -> None:
    house.open("t1", "three-card-poker", 1, 2).until("wagering")
    answer = house["p2"].command("t1", WAGER)
    assert (answer.status_code, answer.json()["findings"][0]["code"]) == (422, "not-yours")
