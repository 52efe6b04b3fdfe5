"""Games that ask on several streets: published figures, rules to learn, single hands, and the tables for simulation."""

import csv
from datetime import date
from fractions import Fraction
from functools import lru_cache
from math import prod
from pathlib import Path

import pytest

from pitboss.api import rules_for
from pitboss.cards import RANKS, parse_cards
from pitboss.exact import solo
from pitboss.exact.board_counts import board_of
from pitboss.exact.decks import SmallDeck
from pitboss.exact.edge import rules_of_variant, variants
from pitboss.exact.engine import play_of
from pitboss.exact.plan import ENDED
from pitboss.exact.side import bonus_on, kind_of, side_lines, side_result
from pitboss.exact.solo import Play
from pitboss.exact.strategy import analyse_hand, write_table
from pitboss.exact.streets import StreetsAnalysis, street_lists
from pitboss.findings import UnreadableError
from pitboss.games.chance import all_rolls
from pitboss.games.contract import Game
from pitboss.games.facts import Followed
from pitboss.games.registry import BANKED as GAMES
from pitboss.games.rules import Choices, Rules
from pitboss.law.model import Face

from .book import book_of
from .states import changed_rules

AS_OF = date(2024, 6, 1)
STREETS = [
    name for name in GAMES if GAMES[name].duel is None and GAMES[name].course.weighed and board_of(GAMES[name]) is None
]
DICE = [name for name in GAMES if not GAMES[name].course.weighed]
streets = pytest.mark.parametrize("name", STREETS)


@lru_cache
def best(name: str) -> Play:
    return solo.valued(GAMES[name], rules_for(name, AS_OF))


@pytest.mark.parametrize("name", [name for name in GAMES if "main" in book_of(name)])
def test_published_figures_of_the_main_game(name: str) -> None:
    """Each figure, rounded to the digits that were printed, is the published one; changed rows as published too."""
    for each in book_of(name)["main"]:
        letters = Choices(letters={each["table"]: each["letter"]}) if "letter" in each else None
        rules = rules_for(name, AS_OF, letters)
        result = play_of(GAMES[name], changed_rules(rules, each["table"], each.get("pay", ()))).result
        ours = {
            "house_edge": -100 * result.expected_value,
            "element_of_risk": 100 * result.element_of_risk,
            "mean_bet": result.average_total_wager,
        }
        for figure, printed in each["figures"].items():
            assert round(ours[figure], len(printed.partition(".")[2])) == Fraction(printed), figure


@streets
def test_a_list_is_played_through_by_what_it_says(name: str) -> None:
    play = best(name)
    lists = street_lists(play)
    assert [found.cost >= 0 for found in lists] == [True] * len(lists)
    assert lists[-1].cost <= lists[0].cost
    assert lists[-1].cost < Fraction(1, 1000)
    for found in lists:
        assert found.play.result.deals == play.result.deals
        for street in found.play.streets:
            for row in range(0, len(street.picked), 997):
                rule = next(rule for rule in found.rules[street.step] if rule.covers[row])
                assert {street.names[choice] for choice in street.picked[row]} == {rule.choice}


@streets
def test_the_tables_of_the_streets_lead_from_history_to_history(name: str) -> None:
    play = best(name)
    histories = 1
    for street in play.streets:
        seen = street.choosing.seen
        assert street.picked.shape == (len(street.level.keys), histories)
        onward = street.follows[street.follows != ENDED]
        assert sorted(onward.tolist()) == list(range(len(onward)))
        histories = len(onward)
        cards = parse_cards("Js 7h 2d Kc")[:seen]
        values = street.values(cards, 0)
        assert values[street.names[street.picked[street.row(cards), 0]]] == max(values.values())
    assert histories == len(play.plan.finals)


@streets
def test_suits_told_apart_change_nothing(name: str) -> None:
    game, rules = GAMES[name], rules_for(name, AS_OF)
    deck = SmallDeck(tuple(sorted(RANKS.index(rank) for rank in "AKQJ")))
    found = []
    for renamed in (True, False):
        counts = solo.count(solo.solo_of(game), deck, renamed)
        plan = solo.plan_of(game, rules, counts)
        assert plan is not None
        found.append(solo.played(game, rules, counts, plan))
    one, other = (play.result for play in found)
    assert (one.distribution, one.choices, one.deals) == (other.distribution, other.choices, other.deals)


@streets
def test_one_hand_on_every_street(name: str) -> None:
    game, rules = GAMES[name], rules_for(name, AS_OF)
    play = best(name)
    own = play.counts.solo.own
    cards = parse_cards("As Kd 9c 7d 2c")
    board = cards[own : play.streets[-1].choosing.seen]
    found = analyse_hand(game, rules, cards[:own], board=board)
    assert isinstance(found, StreetsAnalysis)
    assert [asked.step for asked in found.streets] == [step.name for step in game.course.weighed]
    for place, asked in enumerate(found.streets):
        assert len(asked.made) == place
        assert asked.values[asked.best] == max(asked.values.values())
    assert found.as_dict()["values"] == {name: str(value) for name, value in found.now.values.items()}
    with pytest.raises(UnreadableError, match=f"holds {own} cards, not {own + 1}"):
        analyse_hand(game, rules, cards[: own + 1])
    with pytest.raises(UnreadableError, match="cards have been turned up"):
        analyse_hand(game, rules, cards[:own], board=parse_cards("2h 3h 4h 5h"))
    with pytest.raises(UnreadableError, match="named twice"):
        analyse_hand(game, rules, (cards[0], *cards[: own - 1]))


@streets
def test_the_table_has_every_state_that_best_play_comes_to(name: str, tmp_path: Path) -> None:
    game, rules, play = GAMES[name], rules_for(name, AS_OF), best(name)
    written = write_table(tmp_path / "strategy.csv", game, rules, play)
    with (tmp_path / "strategy.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == written == sum(int((street.reach > 0).sum()) for street in play.streets)
    first = [row for row in rows if row["street"] == play.streets[0].step]
    value = sum((int(row["weight"]) * Fraction(row[row["best"]]) for row in first), Fraction(0))
    assert value / sum(int(row["weight"]) for row in first) == play.result.expected_value


@pytest.mark.parametrize("name", DICE)
def test_a_wager_on_numbers_is_alike_for_all_of_them(name: str) -> None:
    game = GAMES[name]
    for variant in variants(game, AS_OF):
        rules = rules_of_variant(game, AS_OF, variant)
        lines = [line for line in side_lines(game) if kind_of(game, line) == variant.wager and not bonus_on(game, line)]
        lines = [line for line in lines if rules.wager_named(line) is not None]
        results = [side_result(game, rules, line).distribution for line in lines]
        assert lines
        assert all(each == results[0] for each in results), variant
        throws, deals = len(all_rolls(rules)), side_result(game, rules, variant.wager).deals
        followed = any(isinstance(game.lines.facts.by_name[f], Followed) for f in game.lines.rules[lines[0]].reads)
        assert deals == (throws if not followed else prod(len(faces) for faces in spun(rules, game, lines[0])))


def spun(rules: Rules, game: Game, line: str) -> list[tuple[Face, ...]]:
    """What counts at each throw of a wager that lives on."""
    (fact,) = (game.lines.facts.by_name[name] for name in game.lines.rules[line].reads)
    assert isinstance(fact, Followed)
    return [faces for _, faces in fact.stages(rules)[:-1]]
