"""The sentence of a settlement names the card that decided between two hands of one name."""

import re
from datetime import date
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pitboss.api import settle_written
from pitboss.cards import DECK, RANK_NAMES, Hand, parse_cards, rank_of
from pitboss.games.facts import Compare
from pitboss.games.registry import GAMES
from pitboss.games.roundfile import read_round_text
from pitboss.games.settlement import Line
from pitboss.hands.deciding import show_against
from pitboss.hands.orders import ORDERS, RankOrder
from pitboss.reports.answer import verdicts
from pitboss.school.rounds import rules_for, school_round

AS_OF = date(2026, 1, 1)
COMPARED = {
    name: next(fact for fact in game.lines.facts.by_name.values() if isinstance(fact, Compare))
    for name, game in GAMES.items()
    if any(isinstance(fact, Compare) for fact in game.lines.facts.by_name.values())
}
SIDES = re.compile(
    r"(?P<mine>.+?) \((?P<my>[^)]+)\) against (?P<theirs>.+?) \((?P<their>[^)]+)\)(?:: the (?P<by>\w+))?"
)


def _first_difference(mine: Hand, theirs: Hand) -> tuple[str, str]:
    """The first ranks that differ when both hands are laid out as people do: pairs and threes first, then downwards."""
    laid = []
    for hand in (mine, theirs):
        ranks = [rank_of(card) for card in hand]
        laid.append(sorted(ranks, key=lambda rank: (-ranks.count(rank), -rank)))
    own, others = next((one, other) for one, other in zip(*laid, strict=True) if one != other)
    return RANK_NAMES[own], RANK_NAMES[others]


def _hands(order: RankOrder) -> st.SearchStrategy[tuple[Hand, Hand]]:
    """Two hands of few ranks, so that their names are often equal."""
    few = [card for card in DECK if rank_of(card) in (3, 4, 8, 9, 11, 12)]
    return st.permutations(few).map(lambda deck: (tuple(deck[: order.size]), tuple(deck[order.size : 2 * order.size])))


@pytest.mark.parametrize("order", ORDERS, ids=lambda order: order.name)
@settings(max_examples=300, derandomize=True, deadline=None, database=None)
@given(data=st.data())
def test_hands_of_one_name_are_told_apart_by_the_card_that_decides(order: RankOrder, data: st.DataObject) -> None:
    mine, theirs = data.draw(_hands(order))
    scores = order.score(mine), order.score(theirs)
    names = [order.describe(score) for score in scores]
    words, decides = show_against(order, mine, theirs)
    found = SIDES.fullmatch(words)
    assert found is not None
    if names[0] != names[1] or scores[0] == scores[1]:
        assert [found["mine"], found["theirs"]] == names
        assert not decides
        return
    own, others = _first_difference(mine, theirs)
    assert (found["mine"], found["theirs"]) == (f"{names[0]}, {own}", f"{names[0]}, {others}")
    assert decides == (own if scores[0] > scores[1] else others)


def _decided(order: RankOrder, line: Line) -> bool:
    """Whether the line's two hands have one name and differ; its sentence must then say which cards differ."""
    found = SIDES.match(line.why)
    if found is None:
        return False
    hands = parse_cards(found["my"]), parse_cards(found["their"])
    scores = [order.score(hand) for hand in hands]
    names = [order.describe(score).lower() for score in scores]
    if names[0] != names[1] or scores[0] == scores[1]:
        assert found["by"] is None
        return False
    own, others = _first_difference(*hands)
    assert found["mine"].lower() == f"{names[0]}, {own}"
    assert found["theirs"] == f"{names[0]}, {others}"
    assert found["by"] in (None, own if scores[0] > scores[1] else others)
    return True


@pytest.mark.parametrize("name", COMPARED)
def test_every_game_names_the_kicker(name: str) -> None:
    order, seen = COMPARED[name].order, 0
    for seed in range(2000):
        rng = Random(seed)
        done = school_round(rules_for(name, AS_OF, rng), rng, 2, 2, staying=True)
        if done is None:
            continue
        lines = [line for line in done.lines if _decided(order, line)]
        for line in lines:
            if " decides" in line.why and line.settles == GAMES[name].course.unit:
                verdict = next(v for v in verdicts(done.rules, done.played, done.settlement) if v.seat == line.seat)
                own, others = (hand.decides for hand in verdict.hands)
                assert own
                assert others
        seen += len(lines)
        if seen >= 6:
            return
    pytest.fail(f"only {seen} rounds of {name} in which a kicker decides")


def test_a_wager_that_no_comparison_settles_is_decided_by_no_card() -> None:
    played = read_round_text(
        """
        game = "caribbean-stud"
        as_of = 2026-01-01
        dealer = "As Qd 9c 5h 3d"
        [[seat]]
        number = 1
        cards = "Ah Td 8c 4h 2d"
        wagers = { ante = 10 }
        decision = "bet"
        """
    )
    (first, *_) = settle_written(played, AS_OF).lines
    assert first.why.startswith("Ace high, 10 (Ah Td 8c 4h 2d) against ace high, queen (As Qd 9c 5h 3d). The dealer")


STUD = """
game = "seven-card-stud"
as_of = 2026-01-01

[[seat]]
number = 2
cards = "Kc 4d Ks 9c 7h 3s Ah"
wagers = {{ table_stake = 100 }}
decisions = {{ {first} }}

[[seat]]
number = 5
cards = "Kd 2c Kh 9d 7s 5c Qh"
wagers = {{ table_stake = 100 }}
decisions = {{ {second} }}
"""
STREETS = ("fourth_street", "fifth_street", "sixth_street", "seventh_street")


def test_stud_names_the_kicker_of_both_shown_hands() -> None:
    checks = "".join(f', {street} = "check"' for street in STREETS)
    played = read_round_text(
        STUD.format(first=f'third_street = "call"{checks}', second=f'third_street = "bring_in"{checks}')
    )
    found = {line.seat: line.why for line in settle_written(played, AS_OF).lines}
    assert "with pair of kings, ace (Kc Ks 9c 7h Ah); the ace beats the queen of seat 5." in found[2]
    assert "with pair of kings, queen (Kd Kh 9d 7s Qh); the ace of seat 2 beats it." in found[5]
