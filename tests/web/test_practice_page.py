"""The pages of practice and of watched tables without script: presses are forms, and nothing is taken on trust."""

import json
import re
from collections.abc import Iterator
from html import unescape
from typing import Any

import pytest

from pitboss.cards import show_card
from pitboss.web.views.felt_page import GAMES_PLAYED
from tests.web.harness import House, running

CARD = "#card-([2-9TJQKA][cdhs])"
SAME = {"Sec-Fetch-Site": "same-origin"}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with running(f"sqlite:///{tmp_path_factory.mktemp('practice') / 'ledger.db'}", pages=True) as opened:
        yield opened


class Player:
    """A browser that runs no script."""

    def __init__(self, house: House, game: str) -> None:
        self.http = house.http()
        answer = self.http.get(f"/practice/{game}")
        assert answer.status_code == 303
        self.address = answer.headers["location"]
        self.text = self.http.get(self.address).text

    @property
    def phase(self) -> str:
        return str(re.findall(r'data-phase="(\w+)"', self.text)[0])

    def buttons(self) -> list[dict[str, Any]]:
        return [
            json.loads(unescape(each)) for each in re.findall(r'class="btn choice[^>]*? value="([^"]*)"', self.text)
        ]

    def press(self, do: dict[str, Any], *, saved: bool = True, **form: str) -> int:
        held = re.findall(r'name="saved" value="([^"]*)"', self.text)[0]
        form |= {"do": json.dumps(do), "saved": held if saved else ""}
        answer = self.http.post(self.address, data=form, headers=SAME)
        self.text = self.http.get(self.address).text if answer.status_code == 303 else answer.text
        return int(answer.status_code)

    def find(self, do: str) -> dict[str, Any]:
        return next(each for each in self.buttons() if each["do"] == do)


def test_a_round_in_three_presses_and_the_next_in_two(house: House) -> None:
    player = Player(house, "three-card-poker")
    assert player.press(player.find("usual")) == 303
    deal = player.find("deal")
    assert player.press(deal) == 303
    assert player.phase == "deciding"
    play = next(each for each in player.buttons() if each.get("choice") == "play")
    assert player.press(play) == 303
    assert player.phase == "collecting"
    assert 'aria-label="Settlement of round 1"' in player.text
    for stale in (deal, play):
        assert player.press(stale) == 422
        assert "The table has moved on" in player.text
    assert player.press(player.find("again")) == 303
    assert player.phase == "deciding"
    assert player.press(next(each for each in player.buttons() if each.get("choice") == "play")) == 303
    assert player.phase == "collecting"


def test_a_press_brings_back_a_game_that_the_server_has_lost(house: House) -> None:
    player = Player(house, "ultimate-texas-hold-em")
    player.press(player.find("usual"))
    player.press(player.find("deal"))
    cards = re.findall(CARD, player.text)
    assert len(cards) == 2
    GAMES_PLAYED._games.clear()
    assert player.press(player.buttons()[0]) == 303
    assert {*cards} <= {*re.findall(CARD, player.text)}


def test_presses_that_nobody_offered_change_nothing(house: House) -> None:
    player = Player(house, "seven-card-stud")
    for do in ({"do": "chip", "wager": "none"}, {"do": "open_table"}, {"do": 5}, {"do": "decide", "at": "x"}):
        assert player.press(do) in (303, 422)
        assert player.phase == "wagering"
    for text in ("[]", "x", '"', "9" * 5000, "[" * 10_000):
        answer = player.http.post(player.address, data={"do": text}, headers=SAME)
        assert answer.status_code == 422
    assert player.http.post(player.address, data={"do": "{}"}).status_code == 422, "from another site"
    for path in ("/practice/none", "/practice/sic-bo/short", "/watch/none", "/watch/none/" + "0" * 32):
        assert player.http.get(path).status_code == 404


def test_no_page_and_no_answer_has_a_card_of_another_seat(house: House) -> None:
    player = Player(house, "seven-card-stud")
    player.press(player.find("usual"))
    player.press(player.find("deal"))
    (game,) = [each for (_, name, token), each in GAMES_PLAYED._games.items() if token in player.address]
    answers = [player.text, player.http.get(f"{player.address}?felt=1").text]
    answers.append(player.http.post(player.address, data={"do": "{}"}, headers={**SAME, "X-Window": "1"}).text)
    play = game.table.playing
    hidden = [
        show_card(each.card)
        for each in play.dealt
        if each.card is not None and not each.face_up and each.to != "seat 3" and each.to.startswith("seat")
    ]
    assert len(hidden) >= 6
    for text in answers:
        assert "card-" in text
        assert not [card for card in hidden if f"card-{card}" in text]
