"""Whole rounds over HTTP: every game, every way of dealing, several seats, decided from what each player is shown."""

import json
from typing import Any

import pytest

from pitboss.games.registry import GAMES
from pitboss.table.source import check_disclosed
from tests.table.driver import GAME_NAMES, devices_of
from tests.web.harness import HIDDEN, House, Play, play_inside


@pytest.mark.parametrize(("game", "dealing"), [(game, device) for game in GAME_NAMES for device in devices_of(game)])
def test_a_round_of_every_game_however_dealt(house: House, game: str, dealing: str) -> None:
    play = house.open("t1", game, 1, 3, dealing=dealing)
    number = play.round()
    recalled = house["p1"].shown(f"/tables/t1/rounds/{number}")
    assert (recalled["number"], recalled["state"], recalled["game"]) == (1, "completed", game)
    assert {(stake["seat"], stake["player"]) for stake in recalled["stakes"]} == {(1, "p1")}
    _check_lines(recalled)
    everything = house["floor-1"].shown(f"/tables/t1/rounds/{number}")
    assert {(stake["seat"], stake["player"]) for stake in everything["stakes"]} == {(1, "p1"), (3, "p3")}
    seen = [card for card in everything["cards"] if card["to"] == "seat 1" or card["face_up"]]
    contest = GAMES[game].course.contest
    assert [card for card in recalled["cards"] if card["card"] != HIDDEN] == (seen if contest else everything["cards"])
    assert set(everything["totals"]) == {"1", "3"}
    _check_deal(house, number)
    assert [line["number"] for line in house["p1"].shown("/tables/t1/rounds")["rounds"]] == [1]


def _check_lines(recalled: dict[str, Any]) -> None:
    assert recalled["lines"]
    for line in recalled["lines"]:
        assert line["cite"]
        assert line["sentence"]
        assert line["player"] == "p1", "a player is shown no one else's lines"
    totals: dict[str, int] = {}
    for line in recalled["lines"]:
        totals[str(line["seat"])] = totals.get(str(line["seat"]), 0) + line["net"]
    assert recalled["totals"] == totals
    assert (HIDDEN in json.dumps(recalled)) == GAMES[recalled["game"]].course.contest
    [own] = recalled["balances"]
    assert own["player"] == "p1"
    assert (own["before"], own["after"]) == (1_000_000, 1_000_000 + totals["1"])


def _check_deal(house: House, number: int) -> None:
    """By hand, as anybody can: the published commitment against the disclosed deck."""
    path = f"/tables/t1/rounds/{number}/deal"
    if house["p3"].get(path).status_code == 403:
        assert GAMES[house["floor-1"].shown(f"/tables/t1/rounds/{number}")["game"]].course.contest
        assert house["floor-1"].shown(path)["findings"] == []
        return
    shown = house["p3"].shown(path)
    assert shown["findings"] == []
    published = [
        event["data"]["commitment"]
        for event in house["p3"].shown("/tables/t1/events")["events"]
        if event["kind"] in ("bets.closed", "dice.shaken") and event["round"] == number and event["data"]["commitment"]
    ]
    salt, left = bytes.fromhex(shown["salt"]), shown["left_deck"]
    assert not check_disclosed(published[0], shown["cards"], salt, shown["cuts"], left)
    recalled = house["p3"].shown(f"/tables/t1/rounds/{number}")
    assert {card["card"] for card in recalled["cards"]} <= set(shown["left_deck"].split())


def _finish(play: Play) -> None:
    while play.shown()["table"]["round"] is not None:
        play.step()


def test_on_both_databases(either_house: House) -> None:
    play = either_house.open("t1", "lunar-poker", 1, 2)
    assert play.round() == 1
    dealer = either_house["dealer-1"]
    shown = {line["player"]: line["chips"] for line in dealer.shown("/tables/t1/balances")["balances"]}
    totals = dealer.shown("/tables/t1/rounds/1")["totals"]
    assert shown == {f"p{seat}": 1_000_000 + totals[str(seat)] for seat in (1, 2)}
    assert either_house["p1"].shown("/balance") == {"player": "p1", "chips": shown["p1"]}


def test_the_deck_is_not_shown_before_the_round_is_over(house: House) -> None:
    play = house.open("t1", "three-card-poker", 1).until("wagering")
    play.wager()
    play.until("deciding")
    answer = house["p1"].get("/tables/t1/rounds/1/deal")
    assert answer.status_code == 404
    assert "when the round is over" in answer.json()["findings"][0]["sentence"]
    _finish(play)
    assert house["p1"].get("/tables/t1/rounds/1/deal").status_code == 200
    assert house["p1"].get("/tables/t1/rounds/2/deal").status_code == 404


def test_ten_rounds_are_always_recalled(house: House) -> None:
    house.open("t1", "four-card-frenzy", 1)
    play_inside(house.pit, "t1", 11, 1)
    assert len(house["p1"].shown("/tables/t1/rounds?last=3")["rounds"]) == 10
    assert len(house["p1"].shown("/tables/t1/rounds?last=50")["rounds"]) == 11
