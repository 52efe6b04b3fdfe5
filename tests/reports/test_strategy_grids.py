"""Best play at a glance: every cell of a grid against the solved game, read another way."""

from collections import defaultdict
from datetime import date

import pytest

from pitboss.cards import RANKS, Card
from pitboss.exact.board import BoardPlay
from pitboss.exact.board_lists import starts_of
from pitboss.exact.engine import play_of
from pitboss.exact.plan import Staged
from pitboss.exact.rulelist import rule_lists
from pitboss.exact.strategy import grouped_rows
from pitboss.exact.streets import analyse
from pitboss.exact.value import Valued
from pitboss.games.registry import GAMES
from pitboss.games.rules import Rules, resolve
from pitboss.paper.model import Listing, Paper
from pitboss.paper.page import html_of
from pitboss.paper.terminal import terminal_lines
from pitboss.reports.grids import LOWER, StrategyGrid, grids_of
from pitboss.reports.strategies import glance_of


def _solved(name: str) -> tuple[Rules, Valued | Staged]:
    rules, findings = resolve(GAMES[name].chapter, date(2026, 1, 1))
    assert rules is not None
    assert not findings
    return rules, play_of(GAMES[name], rules, None)


def _choice(grid: StrategyGrid, hand: int, up: int) -> str:
    cell = grid.rows[hand][1][up]
    return "" if cell is None else grid.choices[cell.choice]


@pytest.mark.parametrize("name", ["four-card-poker", "caribbean-stud"])
def test_a_cell_is_what_most_of_its_hands_are_played_as(name: str) -> None:
    rules, best = _solved(name)
    assert isinstance(best, Valued)
    weights: dict[tuple[str, int], dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for row in grouped_rows(GAMES[name], rules, best):
        assert row.up_rank is not None
        weights[row.hand, row.up_rank][row.best] += row.weight
    (grid,) = grids_of(GAMES[name], best)
    rows = {hand: at for at, (words, _) in enumerate(grid.rows) for hand in words.split(" to ")}
    checked = 0
    for (hand, up), found in weights.items():
        if hand not in rows:
            continue  # within a range of hands that are played alike
        cell = grid.rows[rows[hand]][1][up]
        assert cell is not None
        most = max(found, key=found.__getitem__)
        assert grid.choices[cell.choice] == most
        assert cell.alone == (10 * found[most] >= 9 * sum(found.values())) or " to " in grid.rows[rows[hand]][0]
        checked += 1
    assert checked > 50


@pytest.mark.parametrize(("name", "edge"), [("three-card-poker", "Q-6-4 or better"), ("crazy-4-poker", "K-Q-8-4")])
def test_a_game_without_an_up_card_has_its_thresholds(name: str, edge: str) -> None:
    (grid,) = grids_of(GAMES[name], _solved(name)[1])
    assert grid.rows[-2][0].endswith(edge)
    assert grid.rows[-1][0] == LOWER
    assert _choice(grid, -1, 0) == "fold"
    assert all(_choice(grid, at, 0) != "fold" for at in range(len(grid.rows) - 1))


@pytest.mark.parametrize("name", ["ultimate-texas-hold-em", "heads-up-hold-em", "texas-hold-em-bonus"])
def test_two_cards_are_the_chart_of_the_board(name: str) -> None:
    best = _solved(name)[1]
    assert isinstance(best, BoardPlay)
    (grid,) = grids_of(GAMES[name], best)
    for start in starts_of(best):
        high, low = len(RANKS) - 1 - start.high, len(RANKS) - 1 - start.low
        assert _choice(grid, *((high, low) if start.suited else (low, high))) == start.best, start.name


def test_two_cards_of_a_street_are_those_of_the_hand_analysis() -> None:
    name = "mississippi-stud"
    rules, best = _solved(name)
    assert isinstance(best, Staged)
    (grid,) = grids_of(GAMES[name], best)
    for one in range(13):
        for other in range(13):
            high, low = 12 - min(one, other), 12 - max(one, other)
            cards = Card(4 * high), Card(4 * low if one < other else 4 * low + 1)
            assert _choice(grid, one, other) == analyse(best, cards).now.best
    passages = glance_of(GAMES[name], best, rule_lists(GAMES[name], best))
    listings = [each for passage in passages for each in passage.blocks if isinstance(each, Listing)]
    assert [each.key for each in listings] == ["grid", "rules"]
    assert {row[0] for row in listings[1].rows} == {"Fourth Street", "Fifth Street"}
    paper = Paper("strategy", "Best play", passages=passages)
    assert 'class="cell-choice rank-1 shade-a">3</td>' in html_of(paper)
    assert max(sum(len(text) for text, _ in line) for line in terminal_lines(paper, 80)) <= 80
    assert rules.game == name
