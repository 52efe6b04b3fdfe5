"""A practice game that a browser keeps: the same again under the same secret, other cards under another."""

import json
from typing import Any

import pytest

from pitboss.games.registry import GAMES
from pitboss.reports.phone import draw_phone
from pitboss.reports.spots import shared_spots, spots_of
from pitboss.table.autoplay import plain_decision, plain_wagers
from pitboss.table.ruling import rules_at
from pitboss.web.pages.feed import MOST_ACTS, PRACTICE_CHIPS, PracticeFeed
from pitboss.web.pages.hand import hand_name

KEY = b"a secret of the house, 32 bytes."


def played(game: str) -> PracticeFeed:
    """A round to its end."""
    feed = PracticeFeed(game, key=KEY)
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
    again, elsewhere = PracticeFeed(game, key=KEY), PracticeFeed(game, key=bytes(32))
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


def test_what_is_no_game_is_left_alone() -> None:
    feed = played("three-card-poker")
    good, before = json.loads(feed.saved()), feed.table
    bad: tuple[dict[str, Any], ...] = (
        {}, {"token": "x"}, {"acts": [{}]}, {"acts": [{"command": "open_table"}]}, {"chips": -1}, {"began": "now"},
        {"acts": [{"command": "wager", "seat": 3, "wager": "ante", "amount": 10**9}]}, {"token": 5},
        {"acts": [{"command": "next_round"}] * (MOST_ACTS + 1)},
    )  # fmt: skip
    for change in bad[1:]:
        assert not feed.resume(json.dumps({**good, **change})), change
    assert not any(map(feed.resume, ("", "[]", "null", "{}", "[1, 2]", '"x"')))
    assert feed.table is before
    feed.done += [{"command": "next_round"}] * MOST_ACTS
    feed.next_round()
    assert feed.done == []
    feed.start_anew()
    assert feed.scene().chips == PRACTICE_CHIPS
