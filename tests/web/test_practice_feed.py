"""A practice game that a browser keeps: the same again under the same secret, other cards under another."""

import json
import re
import zlib
from base64 import urlsafe_b64encode
from typing import Any

import pytest

from pitboss.cards import show_card
from pitboss.games.registry import GAMES
from pitboss.reports.phone import draw_phone
from pitboss.reports.spots import shared_spots, spots_of
from pitboss.table.autoplay import plain_decision, plain_wagers
from pitboss.table.ruling import rules_at
from pitboss.web.hand import hand_name
from pitboss.web.practice import MOST_ACTS, MOST_SAVED, PRACTICE_CHIPS, PracticeGame, WatchedGame, unpacked

KEY = b"a secret of the house, 32 bytes."


def played(game: str) -> PracticeGame:
    """A round to its end."""
    feed = PracticeGame(game, key=KEY)
    for wager, amount in plain_wagers(feed.table).items():
        assert not feed.act(command="wager", seat=3, wager=wager, amount=amount)
    assert not feed.act(command="no_more_bets")
    while feed.table.phase != "collecting":
        said = plain_decision(feed.table, 3).as_dict()
        assert not feed.act(**{name: value for name, value in said.items() if value is not None})
    return feed


@pytest.mark.parametrize("game", GAMES)
def test_a_game_is_resumed_from_what_was_done(game: str) -> None:
    feed = played(game)
    again, elsewhere = (PracticeGame(game, key=key, token=feed.token) for key in (KEY, bytes(32)))
    assert again.resume(feed.saved())
    assert (again.table, again.desk.balances) == (feed.table, feed.desk.balances)
    elsewhere.resume(feed.saved())
    assert elsewhere.table != feed.table, "the cards follow from the secret, not from what the browser keeps"
    feed.next_round()
    assert again.resume(feed.saved())
    assert (again.table, again.past) == (feed.table, feed.past)


@pytest.mark.parametrize("game", GAMES)
def test_a_phone_shows_every_spot_and_names_the_hand(game: str) -> None:
    feed = played(game)
    rules, shown = rules_at(feed.table), feed.scene().shown
    drawn = draw_phone(shown, rules, person=feed.person, turn=3).markup()
    for spot in (*spots_of(rules, 3), *shared_spots(rules)):
        assert f'id="spot-3-{spot.name}"' in drawn
    assert drawn.count('id="plate-') == len(feed.others or ())
    with_ann = draw_phone({**shown, "seats": {"2": "ann", **shown["seats"]}}, rules, person=feed.person).markup()
    assert with_ann.count('id="plate-') == 1 + len(feed.others or ())
    assert bool(hand_name(game, shown, 3)) is bool(feed.table.playing.hand("seat 3"))


def packed(record: Any) -> str:
    return urlsafe_b64encode(zlib.compress(json.dumps(record).encode())).decode()


def test_anything_but_a_saved_game_that_is_ahead_is_ignored() -> None:
    feed = played("three-card-poker")
    good = unpacked(feed.saved())
    other = PracticeGame(feed.game, key=KEY, token=feed.token)
    before = other.table
    bad: tuple[dict[str, Any], ...] = (
        {"token": "x"}, {"acts": [{}]}, {"acts": [{"command": "open_table"}]}, {"chips": -1}, {"began": "now"},
        {"acts": [{"command": "wager", "seat": 3, "wager": "ante", "amount": 10**9}]}, {"token": 5}, {"acts": []},
        {"acts": [{"command": "next_round"}] * (MOST_ACTS + 1)}, {"leg": -1}, {"token": "0" * 32},
    )  # fmt: skip
    for change in bad:
        assert not other.resume(packed({**good, **change})), change
    deep = urlsafe_b64encode(zlib.compress(b"[" * 100_000)).decode()
    bomb = urlsafe_b64encode(zlib.compress(b" " * (MOST_SAVED + 1))).decode()
    assert not any(map(other.resume, ("", "[]", "null", "{}", bomb, packed([]), packed("x"), packed(None), deep)))
    assert other.table is before
    assert other.resume(feed.saved())
    assert not other.resume(feed.saved()), "it is no longer ahead"


def test_a_long_game_goes_on_with_its_chips_and_its_session() -> None:
    feed = played("three-card-poker")
    held, result = feed.scene().chips, [each.net for each in feed.session()]
    feed.done += [{"command": "next_round"}] * MOST_ACTS
    feed.next_round()
    assert (feed.done, feed.leg, feed.scene().chips) == ([], 1, held)
    assert [each.net for each in feed.session()] == result
    feed.start_anew()
    assert (feed.leg, feed.scene().chips, feed.session()) == (2, PRACTICE_CHIPS, ())


@pytest.mark.parametrize("game", ["seven-card-stud", "ultimate-texas-hold-em"])
def test_a_watched_table_says_nothing_of_a_card_that_lies_face_down(game: str) -> None:
    feed = WatchedGame(game, key=KEY, token="0" * 32)
    said = 0
    for _ in range(60):
        feed.tick()
        play = feed.table.play
        if play is None or play.lines or feed.table.phase == "revealing":
            continue
        down = {show_card(each.card) for each in play.dealt if each.card is not None and not each.face_up}
        opened = {card for cards in feed.scene().shown["round"]["hands"].values() for card in cards}
        assert not (down - opened) & {*re.findall(r"\w+", feed.sentence)}
        said += bool(down)
    assert said
