"""Drawings of every game of the house, whatever its shape: dealt by the walk of its course, without a live table."""

from collections.abc import Iterator, Mapping
from datetime import date
from functools import cache
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest

from pitboss.cards import DECK, show_cards
from pitboss.games.course import TurnUp
from pitboss.games.registry import GAMES
from pitboss.games.rules import Choices, Rules, resolve
from pitboss.games.walk import RoundState, start
from pitboss.law.model import face, in_force, source_of
from pitboss.reports.felt import felt_svg
from pitboss.reports.places import places_of, rolls
from pitboss.reports.sources import unprinted
from pitboss.reports.spots import shared_rows, spots_of, stakes_of
from tests.reports.papers import parsed

DAY = date(2024, 6, 1)
SVG = "{http://www.w3.org/2000/svg}"


@cache
def rules_of(game: str) -> Rules:
    chapter = GAMES[game].chapter
    rules, findings = resolve(chapter, DAY, Choices(device=chapter.devices(DAY)[0]))
    assert rules is not None
    assert not findings
    return rules


def states(game: str) -> Iterator[RoundState]:
    """A round as it stands each time that somebody is asked, and at its end."""
    rules, chance = rules_of(game), Random(3)
    deck = list(DECK)
    chance.shuffle(deck)
    source = tuple(chance.randint(1, 6) for _ in range(rolls(rules))) or deck
    state = start(rules, dict.fromkeys((1, 2), GAMES[game].plain_wagers), source)
    while state.asked is not None:
        yield state
        state = state.apply(GAMES[game].plain_decision(rules, state.sight))
    yield state


def shown(state: RoundState) -> dict[str, Any]:
    """As the view of a table shows it to everybody's eyes."""
    played = state.played
    places = {"dealer": played.dealer, **played.extras, **{f"seat {seat.number}": seat.cards for seat in played.seats}}
    made = {
        str(seat.number): {
            step: {
                "choice": each.choice,
                "amount": each.amount,
                "discard": show_cards(each.discard).split(),
                "drawn": show_cards(each.drawn).split(),
            }
            for step, each in seat.decisions.items()
        }
        for seat in played.seats
    }
    people = {str(seat.number): f"p{seat.number}" for seat in played.seats}
    round_now = {
        "number": 1,
        "wagers": {str(seat.number): dict(seat.wagers) for seat in played.seats},
        "players": people,
        "hands": {place: show_cards(cards).split() for place, cards in places.items() if cards},
        "unused": "",
        "decisions": made,
        "lines": [],
        "cards_left": len(state.stub),
        "dice": list(played.dice),
    }
    return {"id": "t", "phase": "deciding", "seats": people, "wagers": {}, "dealing": "", "round": round_now}


def drawn(view: Mapping[str, Any], rules: Rules, **options: Any) -> ElementTree.Element:
    return parsed(felt_svg(view, rules, person="p1", **options))


@pytest.mark.parametrize("game", GAMES)
def test_each_wager_that_a_seat_may_make_has_one_spot(game: str) -> None:
    rules = rules_of(game)
    common = [spot.name for row in shared_rows(rules) for spot in row]
    for seat in (1, rules.seats):
        own = [spot.name for spot in spots_of(rules, seat) if spot.kind != "decision"]
        later = [wager.name for wager in rules.wagers.values() if wager.placed == "after"]
        assert sorted(own + common) == sorted([*rules.names_at(seat), *later])


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("side", ["player", "dealer"])
def test_cards_and_dice_lie_in_places_of_the_deal_and_no_spots_overlap(game: str, side: Any) -> None:
    rules = rules_of(game)
    for state in states(game):
        root = drawn(shown(state), rules, side=side, interactive=True)
        places = {str(each.get("data-place")): each for each in root.iter(f"{SVG}g") if each.get("data-place")}
        for name in places_of(rules):
            used = [str(each.get("href")).removeprefix("#card-") for each in places[name].iter(f"{SVG}use")]
            assert used == show_cards(state.played.place(name)).split()
        device = places.get("dice", places.get("wheel"))
        faces = [face(str(each.get("data-face"))) for each in device.iter() if each.get("data-face")] if (
            device is not None
        ) else []  # fmt: skip
        assert tuple(faces) == state.played.dice
        _, _, wide, high = map(float, str(root.get("viewBox")).split())
        found = [each for each in root.iter(f"{SVG}g") if each.get("data-wager")]
        points = [each for each in found if "spot-point" in str(each.get("class"))]  # they lie on the lines of others
        for spots in (points, [each for each in found if each not in points]):
            boxes = [next(each.iter(f"{SVG}rect")) for each in spots]
            rects = [tuple(float(box.attrib[name]) for name in ("x", "y", "width", "height")) for box in boxes]
            for at, (x, y, w, h) in enumerate(rects):
                assert 0 <= x <= x + w <= wide
                assert 0 <= y <= y + h <= high
                assert min(w, h) * 768 / wide >= 24  # pixels on a tablet 768 pixels wide
                for a, b, c, d in rects[at + 1 :]:
                    assert x + w <= a + 0.02 or a + c <= x + 0.02 or y + h <= b + 0.02 or b + d <= y + 0.02


@pytest.mark.parametrize("game", GAMES)
def test_chips_on_the_felt_are_the_stakes_of_the_course(game: str) -> None:
    rules = rules_of(game)
    for state in states(game):
        view = shown(state)
        for seat in state.played.seats:
            stakes = GAMES[game].stakes(rules, seat)
            found = stakes_of(view, rules, seat.number)
            assert sum(stake.amount for stake in found.values()) == sum(stakes.values())
            assert {name: found[name].amount for name in stakes if name in rules.names_at(seat.number)} == {
                name: amount for name, amount in stakes.items() if name in rules.names_at(seat.number)
            }


@pytest.mark.parametrize("game", [name for name in GAMES if shared_rows(rules_of(name))])
def test_areas_that_all_share_are_drawn_once_for_the_viewer_with_their_odds(game: str) -> None:
    rules = rules_of(game)
    (*_, state) = states(game)
    found = [each for each in drawn(shown(state), rules, interactive=True).iter(f"{SVG}g") if each.get("data-wager")]
    shared = {spot.name for row in shared_rows(rules) for spot in row}
    found = [each for each in found if each.get("data-wager") in shared]
    assert {each.get("data-seat") for each in found} == {"1"}
    staked = {str(each.get("data-wager")) for each in found if "staked" in str(each.get("class"))}
    assert staked == set(GAMES[game].plain_wagers)
    titles = {str(each.get("data-wager")): str(each.findtext(f"{SVG}title")) for each in found}
    rows = rules.tables[next(iter(rules.wagers.values())).paytable].rows
    for wager in (wager for wager in rules.wagers.values() if {*wager.names(1)} & shared):
        odds = [str(rows[wager.name])] if wager.name in rows else []
        assert all(
            f"pays {each}" in titles[name] for each in odds for name in wager.names(rules.seats, rules.choices.device)
        )
    onlooker = felt_svg(shown(state), rules, person="nobody", interactive=True)
    seen = (each for each in parsed(onlooker).iter() if each.get("data-wager") in shared)
    assert "data-seat" not in {key for each in seen for key in each.attrib}


@pytest.mark.parametrize("game", GAMES)
def test_what_is_turned_up_without_a_dealers_hand_lies_in_the_middle(game: str) -> None:
    rules = rules_of(game)
    turned = [step.place for step in GAMES[game].course.flat if isinstance(step, TurnUp)]
    if not set(turned[:1]) & places_of(rules).keys() or "dealer" in places_of(rules):
        return
    (*_, state) = states(game)
    root = drawn(shown(state), rules)
    group = next(each for each in root.iter() if each.get("id") == f"place-{turned[0]}")
    box = next(group.iter(f"{SVG}rect"))
    middle = float(box.attrib["x"]) + float(box.attrib["width"]) / 2
    assert abs(middle - 600) < 30


@pytest.mark.parametrize("game", GAMES)
def test_everything_not_printed_is_listed_and_nothing_else(game: str) -> None:
    rules = rules_of(game)
    listed = unprinted(rules)
    assert bool(listed) == rules.chapter.partly
    for what, _, source in listed:
        assert source.startswith(("sibling", "public", "assumed")), what
    cites = {cite for _, cite, _ in listed}
    assert {str(each.cite) for each in in_force(rules.chapter.figures, DAY) if source_of(each)} <= cites
