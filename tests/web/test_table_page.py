"""The table page without script: presses are forms that act once, and a window gets only what its person may see."""

import json
import re
from collections.abc import Iterator
from html import unescape
from typing import Any

import pytest

from pitboss.web.security import COOKIE
from tests.web.harness import House, Play, running

SAME = {"Sec-Fetch-Site": "same-origin"}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with running(f"sqlite:///{tmp_path_factory.mktemp('table') / 'ledger.db'}", pages=True) as opened:
        yield opened


class Browser:
    """Somebody at a table, whose browser runs no script."""

    def __init__(self, house: House, who: str, table: str) -> None:
        self.http = house.http()
        self.http.cookies.set(COOKIE, house[who].token)
        self.address = f"/table/{table}"
        self.look()

    def look(self) -> str:
        self.text = self.http.get(self.address).text
        return self.text

    def field(self, name: str) -> str:
        found = re.search(rf'name="{name}" value="([^"]*)"', self.text)
        return "" if found is None else found[1]

    def buttons(self) -> list[dict[str, Any]]:
        return [json.loads(unescape(each)) for each in re.findall(r'name="do" value="([^"]*)"', self.text)]

    def find(self, do: str, **fields: str) -> dict[str, Any]:
        return next(each for each in self.buttons() if {"do": do, **fields}.items() <= each.items())

    def press(self, do: dict[str, Any], **form: str) -> int:
        hidden = {name: self.field(name) for name in ("csrf", "key", "round")}
        answer = self.http.post(self.address, data={**hidden, **form, "do": json.dumps(do)}, headers=SAME)
        self.text = self.http.get(answer.headers["location"]).text if answer.status_code == 303 else answer.text
        return answer.status_code


def staged(play: Play, seat: int = 1) -> dict[str, int]:
    return dict(play.house.pit.table(play.table).staged.get(seat, {}))


def test_wagers_and_a_decision_with_cards_to_mark(house: House) -> None:
    """A chip, the usual wagers, all back, and rebet in one press; cards that are marked are exchanged."""
    play = house.open("forms", "lunar-poker", 1, 2).until("wagering")
    player = Browser(house, "p1", "forms")
    assert player.press(player.find("chip", wager="ante"), chip="2500") == 303
    assert staged(play) == {"ante": 2500}
    assert 'value="2500" id="chip-2500" checked' in player.text, "the chip stays chosen"
    assert player.press(player.find("back")) == 303
    assert staged(play) == {}
    assert player.press(player.find("usual")) == 303
    made = staged(play)
    play.until("deciding")
    player.look()
    draw = player.find("exchange")
    cards = re.findall(r'name="discard\.(\w\w)"', player.text)
    assert len(cards) == 5
    assert player.press(draw, **{f"discard.{cards[0]}": "on"}) == 422
    assert "2 to 5 cards, not 1" in player.text
    assert re.search(rf'name="discard\.{cards[0]}"[^>]* checked', player.text), "the mark stays"
    assert player.press(draw, **{f"discard.{card}": "on" for card in cards[:2]}) == 303
    play.until("collecting")
    assert 'aria-label="Settlement of round 1"' in player.look()
    play.until("wagering")
    player.look()
    assert f"Rebet ${sum(made.values()) // 100}" in player.text
    assert player.press(player.find("rebet")) == 303
    assert staged(play) == made


def test_a_press_that_is_sent_twice_acts_once(house: House) -> None:
    play = house.open("twice", "three-card-poker", 1).until("wagering")
    player = Browser(house, "p1", "twice")
    chip, key = player.find("chip", wager="ante"), player.field("key")
    for _ in range(2):
        assert player.press(chip, key=key, chip="1000") == 303
        assert staged(play) == {"ante": 1000}
    assert player.press(chip, chip="1000") == 303, "the next page has a key of its own"
    assert staged(play) == {"ante": 2000}


def test_a_press_on_what_was_offered_before_is_refused_in_a_sentence(house: House) -> None:
    play = house.open("late", "three-card-poker", 1, 2).until("wagering")
    player, other = (Browser(house, who, "late") for who in ("p1", "p2"))
    usual, chip, there = player.find("usual"), player.find("chip", wager="ante"), player.field("round")
    assert other.press(chip) == 422, "another seat takes no chip of mine"
    player.press(usual)
    play.until("deciding")
    player.look()
    fold = player.find("decide", choice="fold")
    for old in (usual, chip, {**fold, "at": "1.2.decision"}, {**fold, "at": "7.1.decision"}):
        assert player.press(old) == 422
        assert "The table has moved on" in player.text
    assert other.press(fold) == 422, "another player's decision"
    assert player.press(fold, csrf="forged") == 422
    assert player.press(fold) == 303
    play.until("wagering")
    player.look()
    assert player.press(usual, round=there) == 422
    assert staged(play) == {}


ODD = (
    "{", "[]", "null", '{"do":"sure"}', '{"do":"sure","body":1}', '{"do":"sure","body":{"command":[]}}',
    '{"do":"sure","body":{"command":"sit","self":1}}', '{"do":"sit","seat":1e999}', '{"do":"sit","seat":"\\u0000"}',
    '{"do":"sit","seat":"\\ud800"}', '{"do":"decide","at":[],"choice":{}}', '{"do":"cash","act":[]}', "[" * 1500,
    "9" * 5000, '{"do":"command","command":"open_table"}', '{"do":"undo","n":{}}',
)  # fmt: skip
"""Values of a button that no page of ours has."""


@pytest.mark.parametrize("who", ["dealer-1", "manager-1"])
def test_a_press_that_no_page_offers_is_refused_in_a_sentence(house: House, who: str) -> None:
    play = house.open(f"odd-{who}", "three-card-poker", 1).until("wagering")
    browser, before = Browser(house, who, play.table), house.pit.table(play.table).events
    for text in ODD:
        form = {"csrf": browser.field("csrf"), "do": text}
        answer = browser.http.post(browser.address, data=form, headers=SAME)
        assert (answer.status_code, 'class="alert' in answer.text) == (422, True), text
    assert house.pit.table(play.table).events == before


def test_those_who_watch_press_nothing(house: House) -> None:
    """An auditor and an administrator see no hand that lies face down, and have no button for the table."""
    play = house.open("watched", "three-card-poker", 1, 2).until("wagering")
    chip = Browser(house, "p1", "watched").find("chip", wager="ante")
    events = house.pit.table("watched").events
    for who in ("auditor-1", "admin-1"):
        watcher = Browser(house, who, "watched")
        assert "You are watching" in watcher.text
        assert {each["do"] for each in watcher.buttons()} == {"colors"}
        watcher.press(chip)
    assert house.pit.table("watched").events == events
    play.wager()
    play.until("deciding")
    watcher = Browser(house, "auditor-1", "watched")
    assert not re.findall("#card-[2-9TJQKA][cdhs]", watcher.text)
    assert '/audit?table=watched"' not in watcher.text  # no round is over yet
    own = Browser(house, "p1", "watched")
    assert len(re.findall("#card-[2-9TJQKA][cdhs]", own.text)) == 3
    assert '<use href="/s/' in own.text
    assert own.press({"do": "colors"}) == 303
    assert "cards-4.svg#" in own.text


def test_a_table_that_there_is_not(house: House) -> None:
    http = Browser(house, "p1", "nowhere").http
    assert http.get("/table/nowhere").status_code == 404
    assert house.http().get("/table/nowhere").headers["location"] == "/login?then=/table/nowhere"
