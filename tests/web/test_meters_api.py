"""Meters over HTTP: two people for a change, none while the link is in play, and every movement told."""

import httpx

from tests.table.driver import submission_text
from tests.web.harness import Client, House

GAME = "three-card-poker"


def codes(answer: httpx.Response) -> list[str]:
    return [finding["code"] for finding in answer.json()["findings"]]


def opened(house: House) -> tuple[str, str]:
    """A linked meter; its name in the house and in the game."""
    text = submission_text(GAME)
    refused = house["manager-1"].post("/meters", {"meter": "link-1", "submission": text, "name": "nothing"})
    assert (refused.status_code, codes(refused)) == (422, ["unknown-meter"])
    name = refused.json()["findings"][0]["expected"].split(", ")[0]
    assert house["manager-1"].post("/meters", {"meter": "link-1", "submission": text, "name": name}).status_code == 200
    again = house["manager-1"].post("/meters", {"meter": "link-1", "submission": text, "name": name})
    assert (again.status_code, codes(again)) == (422, ["meter-known"])
    return "link-1", name


def propose(client: Client, meter: str, tier: str, cents: int) -> int:
    answer = client.post(f"/meters/{meter}/changes", {"amounts": {tier: cents}, "reason": "the sign was replaced"})
    assert answer.status_code == 200, answer.text
    return int(answer.json()["number"])


def test_a_change_needs_two_different_people(house: House) -> None:
    meter, _ = opened(house)
    shown = house["p1"].shown("/meters")["meters"][meter]
    tier, before = next(iter(shown["amounts"].items()))
    number = propose(house["manager-1"], meter, tier, before + 5000)
    [waiting] = house["auditor-1"].shown("/changes")["changes"]
    assert (waiting["number"], waiting["by"], waiting["change"]["amounts"]) == (
        number,
        "manager-1",
        {tier: before + 5000},
    )
    alone = house["manager-1"].post(f"/changes/{number}/approve")
    assert (alone.status_code, codes(alone)) == (422, ["two-people"])
    assert house["p1"].shown("/meters")["meters"][meter]["amounts"][tier] == before
    assert house["manager-2"].post(f"/changes/{number}/approve").status_code == 200
    assert house["p1"].shown("/meters")["meters"][meter]["amounts"][tier] == before + 5000
    assert codes(house["floor-1"].post(f"/changes/{number}/approve")) == ["no-proposal"]
    history = house["p1"].shown(f"/meters/{meter}/history")["movements"]
    assert [movement["units"] for movement in history if movement["kind"] == "meter.change-approved"] == [5000 * 10_000]
    assert house["p1"].get("/meters/nothing/history").status_code == 404


def test_a_rejected_change_is_gone(house: House) -> None:
    meter, _ = opened(house)
    tier = next(iter(house["p1"].shown("/meters")["meters"][meter]["amounts"]))
    number = propose(house["manager-1"], meter, tier, 100)
    assert house["floor-1"].post(f"/changes/{number}/reject").status_code == 200
    assert house["floor-1"].shown("/changes") == {"changes": []}


def test_nothing_changes_while_the_link_is_in_play(house: House) -> None:
    meter, name = opened(house)
    tier = next(iter(house["p1"].shown("/meters")["meters"][meter]["amounts"]))
    play = house.open("t1", GAME, 1, meters={name: meter}).until("wagering")
    number = propose(house["manager-1"], meter, tier, 100)
    play.wager()
    busy = house["manager-2"].post(f"/changes/{number}/approve")
    assert (busy.status_code, codes(busy)) == (422, ["meter-in-play"])
    play.until("deciding")
    assert codes(house["manager-2"].post(f"/changes/{number}/approve")) == ["meter-in-play"]
    assert house["p1"].shown("/meters")["meters"][meter]["tables"] == ["t1"]


def test_odd_changes_are_refused(house: House) -> None:
    meter, _ = opened(house)
    manager = house["manager-1"]
    for body in (
        {"rate": {"x": "1e999999999"}, "reason": "x"},
        {"rate": {"x": "1/0"}, "reason": "x"},
        {"amounts": {"x": -1}, "reason": "x"},
        {"amounts": {"nothing": 5}, "reason": "x"},
        {"amounts": {"x": 1.5}, "reason": "x"},
        {"transfer_to": "nowhere", "reason": "x"},
        {"reason": ""},
        {},
        {"colour": "red"},
    ):
        assert manager.post(f"/meters/{meter}/changes", body).status_code == 422, body
    assert manager.post("/meters/nothing/changes", {"amounts": {"x": 1}, "reason": "x"}).status_code == 422
    bad = {"meter": "Link 1", "submission": submission_text(GAME), "name": "x"}
    assert manager.post("/meters", bad).status_code in (400, 422)
    assert manager.post("/meters", {"meter": "m", "submission": "game = 1", "name": "x"}).status_code == 400


def test_submissions_are_checked(house: House) -> None:
    fine = house["p1"].post("/submissions/check", {"submission": submission_text(GAME)}).json()
    assert fine["ok"] is True
    wrong = submission_text(GAME).replace("\nseats = ", "\nseats = 9")
    answer = house["p1"].post("/submissions/check", {"submission": wrong}).json()
    assert answer["ok"] is False
    assert [finding for finding in answer["findings"] if finding["severity"] == "error" and finding["cite"]]
    assert house["p1"].post("/submissions/check", {"submission": "[["}).status_code == 400
