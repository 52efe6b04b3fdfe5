"""A card that lies face down is in nobody's answer but its own player's, wherever one looks."""

import json
import re
from typing import Any

import pytest

from pitboss.cards import show_card
from pitboss.games.registry import GAMES
from tests.table.driver import CARD_GAMES
from tests.web.harness import Client, House, Play, listen

WATCHERS = ("p1", "p3", "dealer-1", "floor-1", "manager-1", "auditor-1", "admin-1")


def words(value: Any) -> set[str]:
    """Every word of every text in an answer: a card is a word of its own, a hash is not."""
    return set(re.findall(r"[A-Za-z0-9]+", json.dumps(value)))


def everything(client: Client) -> dict[str, Any]:
    """All that somebody can get out of the interface about the table."""
    paths = [
        "/tables", "/tables/t1", "/tables/t1/events", "/tables/t1/rounds", "/tables/t1/rounds/1",
        "/tables/t1/rounds/1/deal", "/audit/events", "/audit/events?stream=t1&round=1", "/audit/significant",
    ]  # fmt: skip
    answers = {path: client.get(path).json() for path in paths}
    answers["/audit/export"] = client.get("/audit/export").text
    last = client.shown("/tables/t1/events")["events"][-1]["seq"]
    heard = listen(client, "/tables/t1/stream?after=0", lambda message: message.id >= last)
    answers["stream"] = [message.data for message in heard]
    return answers


def face_down(house: House) -> tuple[set[str], set[str]]:
    """The hidden cards of seat 2, and those of the dealer and of the stub, as the ledger knows them."""
    table = house.pit.table("t1")
    assert table.play is not None
    down = [(dealt.to, dealt.card) for dealt in table.play.dealt if not dealt.face_up and dealt.card is not None]
    hidden, others = ({show_card(card) for to, card in down if to == place} for place in ("seat 2", "dealer"))
    return hidden, others


def in_deciding(house: House, game: str) -> Play:
    play = house.open("t1", game, 1, 2).until("wagering")
    play.wager()
    return play.until("deciding")


@pytest.mark.parametrize("game", CARD_GAMES)
def test_no_answer_shows_a_card_that_lies_face_down(house: House, game: str) -> None:
    play = in_deciding(house, game)
    hidden, dealers = face_down(house)
    assert hidden
    own = everything(house["p2"])
    assert hidden <= words(own["/tables/t1"]), "players see their own cards"
    assert hidden <= words(own["stream"])
    assert not dealers & words(own)
    for watcher in WATCHERS:
        for path, answer in everything(house[watcher]).items():
            assert not (hidden | dealers) & words(answer), (watcher, path)
    while play.shown()["table"]["round"] is not None:
        play.step()
    shown = house["p1"].shown("/tables/t1/rounds/1")
    contest = GAMES[game].course.contest
    assert contest or hidden | dealers <= words(shown), "afterwards everybody sees everything"
    kinds = {step["kind"] for step in shown["steps"]} if contest else set()
    assert not contest or "hands.shown" in kinds or not hidden & words(shown), "nobody had to show them"


def test_the_answer_to_a_command_hides_cards_too(house: House) -> None:
    play = house.open("t1", "three-card-poker", 1, 2).until("wagering")
    play.wager()
    play.until("dealing")
    answer = house["dealer-1"].do("t1", "deal")
    hidden, dealers = face_down(house)
    assert hidden
    assert not (hidden | dealers) & words(answer)


def test_an_export_says_what_it_hides(house: House) -> None:
    in_deciding(house, "four-card-poker")
    lines = [json.loads(line) for line in house["auditor-1"].get("/audit/export").text.splitlines()]
    assert [line["kind"] for line in lines if line.get("hidden")] == ["cards.dealt"]
    assert [line["seq"] for line in lines] == list(range(1, len(lines) + 1))


def test_what_was_discarded_and_drawn_stays_hidden(house: House) -> None:
    """Lunar Poker: the cards that a player draws are the player's alone until they are turned up."""
    play = house.open("t1", "lunar-poker", 1, 2).until("wagering")
    play.wager()
    play.until("deciding")
    house["p2"].do("t1", "decide", seat=2, choice="buy")
    play.decide(1)
    while (shown := play.shown())["table"]["phase"] not in ("revealing", "collecting"):
        table = house.pit.table("t1")
        assert table.play is not None
        drawn = {show_card(card) for made in table.play.decisions.get(2, {}).values() for card in made.drawn}
        if drawn:
            assert drawn <= words(house["p2"].shown("/tables/t1"))
            for watcher in ("p1", "dealer-1", "auditor-1"):
                assert not drawn & words(everything(house[watcher])), watcher
            return
        play.step(shown)
    raise AssertionError("seat 2 never drew")
