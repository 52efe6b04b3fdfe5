"""The Analyst without a browser: an edited grid becomes figures, and they are those of the command line."""

import asyncio
import csv
import os
from dataclasses import replace
from datetime import date
from fractions import Fraction
from io import StringIO
from xml.etree import ElementTree

import pytest
from starlette.datastructures import QueryParams

from pitboss.exact.board_counts import board_of
from pitboss.exact.edge import edge_rows, find_variant, row, rules_of_variant
from pitboss.findings import UnreadableError
from pitboss.games.registry import BANKED as GAMES
from pitboss.names import shown
from pitboss.web.pages.analysis import (
    Question,
    compare,
    compare_csv,
    figures,
    figures_csv,
    offer,
    read_grid,
    sheets,
)
from pitboss.web.pages.analyst import _typed
from pitboss.web.pages.analyst_exports import address, export, question_of, read_stake
from pitboss.web.pages.analyst_parts import compare_html, figures_html, hand_html, progressive_html, strategy_html
from pitboss.web.pages.charts import break_even_chart, comparison_chart, distribution_chart, strategy_chart, ticks
from pitboss.web.pages.play_analysis import hand, progressive, strategy, tidy_cards
from pitboss.web.pages.workroom import Lane
from tests.states import changed_rules

DAY = date(2024, 6, 1)
TCP = "three-card-poker"
PAIR_PLUS = Question(TCP, DAY, "pair_plus", "A", "printed")
MAIN = Question(TCP, DAY, "main", "A", "printed")
FIVE_CARD = Question(TCP, DAY, "five_card_progressive", "-", "printed")
COUNTS = {"straight_flush": 48, "three_of_a_kind": 52, "straight": 720, "flush": 1096, "pair": 3744}
"""How many of the 22,100 three-card hands there are of each kind."""
LOSERS = 22_100 - sum(COUNTS.values())


def cells(question: Question, **typed: str) -> tuple[tuple[tuple[str, str], str], ...]:
    """The grid of a question with some cells of its first table typed over."""
    shown = sheets(question)
    first = shown[0]
    law = {(sheet.name, row): odds for sheet in shown for row, odds in sheet.rows.items()}
    return tuple((law | {(first.name, row): text for row, text in typed.items()}).items())


def test_a_grid_that_nobody_touched_changes_nothing() -> None:
    for question in (PAIR_PLUS, MAIN, FIVE_CARD, Question("lunar-poker", DAY), Question("four-card-frenzy", DAY)):
        grid = read_grid(question, cells(question))
        assert grid.changes == ()
        assert grid.readable


@pytest.mark.parametrize(
    ("text", "change"),
    [
        ("7 to 1", ("pair_plus.flush=7 to 1",)),
        ("  7   to 1 ", ("pair_plus.flush=7 to 1",)),
        ("7", ("pair_plus.flush=7 to 1",)),
        ("7 for 1", ("pair_plus.flush=7 for 1",)),
        ("3/2", ("pair_plus.flush=3 to 2",)),
        ("1,000 to 1", ("pair_plus.flush=1,000 to 1",)),
        ("$25", ("pair_plus.flush=$25",)),
        ("", ("pair_plus.flush=none",)),
        ("4 to 1", ()),
        ("8 to 2", ()),
    ],
)
def test_a_cell_is_read_as_a_change_against_the_law(text: str, change: tuple[str, ...]) -> None:
    grid = read_grid(PAIR_PLUS, cells(PAIR_PLUS, flush=text))
    assert grid.readable
    assert grid.changes == change


@pytest.mark.parametrize(
    "text", ["six", "7 to 0", "7 for 00", "5/0", "-3 to 1", "$,", "1 to 1" + " to 1" * 20, "1,x to 1"]
)
def test_a_cell_that_cannot_be_read_gets_a_sentence_and_loses_nothing(text: str) -> None:
    grid = read_grid(PAIR_PLUS, cells(PAIR_PLUS, flush=text, pair="2 to 1"))
    assert list(grid.problems) == [("pair_plus", "flush")]
    sentence = grid.problems["pair_plus", "flush"]
    assert sentence.endswith(".")
    assert "'" in sentence
    assert grid.changes == ("pair_plus.pair=2 to 1",)
    assert not grid.readable


def test_rows_that_every_settlement_needs_cannot_be_left_out() -> None:
    grid = read_grid(MAIN, (*cells(MAIN), (("ante", "win"), "")))
    assert "has to pay something" in grid.problems["ante", "win"]
    with pytest.raises(UnreadableError, match="has to pay something"):
        figures(replace(MAIN, changes=("ante.win=none",)))


@pytest.mark.parametrize(
    ("text", "why"), [("99999999999999 to 1", "cannot pay so much"), ("1.00000000001 to 1", "nine places at most")]
)
def test_odds_that_nobody_means_are_refused_where_they_stand(text: str, why: str) -> None:
    grid = read_grid(MAIN, cells(MAIN, straight=text))
    assert [why in problem for problem in grid.problems.values()] == [True]
    assert not grid.readable


@pytest.mark.parametrize("text", ["$5", "10% of meter"])
def test_main_wagers_refuse_what_cannot_be_counted(text: str) -> None:
    grid = read_grid(MAIN, cells(MAIN, straight=text))
    assert not grid.problems
    assert grid.general.endswith(".")
    assert not grid.readable


def test_an_edited_grid_gives_the_figures_of_the_command_line() -> None:
    grid = read_grid(PAIR_PLUS, cells(PAIR_PLUS, flush="7", pair=""))
    question = replace(PAIR_PLUS, changes=grid.changes)
    answer = figures(question)
    game = GAMES[TCP]
    variant = find_variant(game, DAY, "pair_plus", "A")
    assert variant is not None
    rules = changed_rules(rules_of_variant(game, DAY, variant), "pair_plus", ["flush=7", "pair=none"])
    assert answer.row == row(game, rules, variant) | {"changed": list(grid.changes), "published": None}


def test_an_edited_grid_gives_what_counting_by_hand_gives() -> None:
    changes = read_grid(PAIR_PLUS, cells(PAIR_PLUS, flush="7 to 1", straight="6 for 1")).changes
    answer = figures(replace(PAIR_PLUS, changes=changes))
    nets = {"straight_flush": 35, "three_of_a_kind": 25, "straight": 5, "flush": 7, "pair": 1}
    by_hand = Fraction(sum(nets[kind] * count for kind, count in COUNTS.items()) - LOSERS, 22_100)
    assert Fraction(answer.exact["expected_value"]) == by_hand
    assert answer.row["expected_value"] == str(by_hand)
    assert answer.distribution[Fraction(5)] == Fraction(720, 22_100)
    assert sum(answer.distribution.values()) == 1
    assert sum(net * chance for net, chance in answer.distribution.items()) == by_hand


def test_the_main_game_has_the_row_of_the_command_line_and_an_exact_element_of_risk() -> None:
    answer = figures(MAIN)
    assert answer.row == next(edge_rows(GAMES[TCP], DAY, "main", "A"))
    assert round(100 * Fraction(answer.exact["element_of_risk"]), 4) == Fraction("2.0147")
    assert float(Fraction(answer.exact["hit_frequency"])) == answer.row["hit_frequency"]
    shown = figures_html(MAIN, answer, None)
    assert "3.3730 %" in shown
    assert "2.0147 %" in shown


def test_a_row_may_be_added_where_the_law_has_none() -> None:
    (sheet,) = sheets(PAIR_PLUS)
    assert "mini_royal" in sheet.more
    assert not set(sheet.more) & set(sheet.rows)
    richer = figures(replace(PAIR_PLUS, changes=("pair_plus.mini_royal=100 to 1",)))
    gained = Fraction(richer.exact["expected_value"]) - Fraction(figures(PAIR_PLUS).exact["expected_value"])
    assert gained == Fraction(4 * (100 - 35), 22_100)


def test_only_rows_that_would_be_paid_may_be_added() -> None:
    (sheet,) = sheets(Question("lunar-poker", DAY, "super"))
    assert sheet.more == (), "a straight flush is paid as another row of the Super Wager"
    bonus = sheets(MAIN)[0]
    assert "flush" in bonus.more
    richer = figures(replace(MAIN, changes=("ante_bonus.flush=1 to 1",)))
    assert richer.row["house_edge"] < figures(MAIN).row["house_edge"]


def test_what_there_is_to_choose_from() -> None:
    found = offer("four-card-frenzy", DAY)
    assert found.wagers["main"] == "Main game (Ante, Odds, Raise)"
    assert ("A", "hold-consistent") in found.variants["four_card_bonus"]
    assert offer(TCP, DAY).meters >= {"three_card_progressive", "five_card_progressive"}
    assert (offer("four-card-poker", DAY).own, offer("four-card-poker", DAY).seen) == (5, (1,))


def test_letters_side_by_side_with_the_changed_table_last() -> None:
    question = replace(PAIR_PLUS, changes=("pair_plus.flush=3 to 1",))
    found = compare(question)
    assert [(each.letter, each.changed) for each in found] == [
        *((letter, False) for letter in "ABCDE"),
        ("A", True),
    ]
    assert [each.row["expected_value"] for each in found[:-1]] == [
        each["expected_value"] for each in edge_rows(GAMES[TCP], DAY, "pair_plus")
    ]
    assert found[-1].pays["flush"] == "3 to 1"
    lines = list(csv.reader(StringIO(compare_csv(found))))
    assert lines[0] == ["", "A", "B", "C", "D", "E", "A changed"]
    assert next(line for line in lines if line[0] == "flush") == [
        "flush",
        *["4 to 1"] * 2,
        "3 to 1",
        "4 to 1",
        "4 to 1",
        "3 to 1",
    ]
    assert "Yours" in compare_html(question, found)


def test_figures_as_a_spreadsheet() -> None:
    lines = list(csv.reader(StringIO(figures_csv(PAIR_PLUS, figures(PAIR_PLUS)))))
    assert ["house_edge", "0.04579185520361991", "253/5525"] in lines
    assert ["-1", "0.743891402714932", "822/1105"] in lines


def test_break_even_is_where_the_line_crosses_nothing() -> None:
    found = progressive(FIVE_CARD)
    (line,) = found.lines
    assert str(line.even_alone) == found.report["tiers"]["meter"]["break_even_dollars"]
    (start, low), (end, high) = line.alone[0], line.alone[-1]
    crossing = start + (end - start) * -low / (high - low)
    assert crossing == pytest.approx(float(line.even_alone))
    assert line.even_full < line.even_alone
    assert f"${float(line.even_alone):,.2f}" in progressive_html("Five Card", found)
    shared = progressive_html("Five Card Hand", progressive(replace(FIVE_CARD, wager="five_card_hand_dealer")))
    assert "Five Card Hand Bonus Wager on the player&#x27;s hand" in shared
    assert "34459/63700" in shared, "five seats on both hands"


def test_a_meter_that_nobody_can_win_and_a_wager_without_one_are_refused() -> None:
    with pytest.raises(UnreadableError, match="No row pays a share"):
        progressive(
            replace(FIVE_CARD, changes=("royal_flush=none", "straight_flush=50 for 1")),
        )
    with pytest.raises(UnreadableError, match="feeds no meter"):
        progressive(PAIR_PLUS)


def test_one_hand_at_the_border_of_playing() -> None:
    found = hand(MAIN, tidy_cards("qs, 6D 4c"), "")
    assert found["best"] == "play"
    assert found["values"]["play"] == "-9151/9212"
    assert "-0.993378" in hand_html(found)
    for cards in ("Qs Qs 4c", "Qs 6d", "1s 2c 3d"):
        with pytest.raises(UnreadableError):
            hand(MAIN, cards, "")
    with pytest.raises(UnreadableError, match="no dealer's card is seen"):
        hand(MAIN, "Qs 6d 4c", "Th")


def test_the_strategy_is_a_chart_and_rules_with_their_cost() -> None:
    found = strategy(PAIR_PLUS)
    assert found == strategy(MAIN), "a side wager is played with the main game at its defaults"
    (chart,) = found.charts
    assert chart.names == ("fold", "play")
    finest = found.advice[-1]
    assert finest.sentences == ("Play with Q-6-4 or better; otherwise fold.",)
    assert finest.cost == 0
    assert [each.first for each in chart.rows] == ["king high", "queen high", "5 high"]
    best, border, worst = (each.shares[0] for each in chart.rows)
    assert best == (0.0, 1.0)
    assert worst == (1.0, 0.0)
    assert 0 < border[0] < border[1] < 1
    assert "3.3730 %" in strategy_html("Three Card Poker", found)


STREETS = [name for name, game in GAMES.items() if len(game.course.weighed) > 1 and not game.duel]
ON_BOARDS = [name for name in STREETS if board_of(GAMES[name]) is not None]


@pytest.mark.parametrize("game", [name for name in STREETS if name not in ON_BOARDS[1:]])
def test_a_game_that_asks_on_several_streets_has_a_chart_and_values_for_each(game: str) -> None:
    question, offered = Question(game, DAY), offer(game, DAY)
    found = strategy(question)
    steps = [shown(step.name) for step in GAMES[game].course.weighed]
    assert [chart.title for chart in found.charts] == (steps if board_of(GAMES[game]) is None else steps[:1])
    for chart in found.charts:
        assert all(sum(shares) == pytest.approx(1) for row in chart.rows for shares in row.shares if any(shares))
    drawn = strategy_html(offered.title, found)
    assert all(f">{chart.title}<" in drawn for chart in found.charts)
    deck = ["As", "Kd", "Qc", "Jh", "9s", "2d", "3c", "4h"]
    for number, seen in enumerate(offered.seen, 1):
        one = hand(question, " ".join(deck[: offered.own]), " ".join(deck[offered.own : offered.own + seen]))
        assert len(one["streets"]) == number
        assert hand_html(one).count("– best") >= number
    with pytest.raises(UnreadableError, match="cards have been turned up"):
        hand(question, " ".join(deck[: offered.own]), " ".join(deck[offered.own : offered.own + 1 + max(offered.seen)]))


@pytest.mark.parametrize("game", [name for name, game in GAMES.items() if not game.course.weighed])
def test_a_game_in_which_nothing_is_decided_has_no_strategy(game: str) -> None:
    assert offer(game, DAY).seen == ()
    with pytest.raises(UnreadableError, match="Nothing is decided"):
        strategy(Question(game, DAY))


def test_an_address_asks_the_same_question_again() -> None:
    question = replace(PAIR_PLUS, changes=("pair_plus.flush=7 to 1", "pair_plus.pair=none"), stake=250)
    path, _, query = address("/analyst", question).partition("?")
    assert path == "/analyst"
    assert question_of(QueryParams(query), DAY) == question
    assert question_of(QueryParams("game=no-such&stake=x"), DAY) == Question(TCP, DAY)
    typed = _typed(sheets(question), (*question.changes, "flush=9 to 1", "nonsense=3", "other.flush=2"))
    assert typed["pair_plus", "flush"] == "9 to 1"
    assert typed["pair_plus", "pair"] == ""
    assert set(typed) == {("pair_plus", row) for row in COUNTS}


@pytest.mark.parametrize(("text", "amount"), [("5", 500), ("2.50", 250), ("$1,000", 100_000), ("0", None), ("x", None)])
def test_a_stake_is_dollars(text: str, amount: int | None) -> None:
    assert read_stake(text) == amount


def test_charts_are_drawings_that_say_their_numbers_and_escape_names() -> None:
    answer, meter, play = figures(PAIR_PLUS), progressive(FIVE_CARD), strategy(MAIN)
    drawings = [
        distribution_chart(
            "<b>", answer.distribution, figures(replace(PAIR_PLUS, changes=("flush=9 to 1",))).distribution
        ),
        comparison_chart("<b>", [("A & B", 0.045, False), ("yours", -0.01, True)]),
        break_even_chart("<b>", meter.lines[0], meter.others),
        strategy_chart("<b>", play.charts),
    ]
    texts = []
    for drawn in drawings:
        root = ElementTree.fromstring(drawn)
        assert root.attrib["aria-label"] == "<b>"
        texts.append(" ".join(root.itertext()))
    assert "0.743891" in texts[0]
    assert "never" in texts[0], "the law never pays 9 to 1"
    assert "4.5000 %" in texts[1]
    assert f"even at ${float(meter.lines[0].even_alone):,.2f}" in texts[2]
    assert "queen high" in texts[3]
    assert ticks(0, 1_000_000) == [0, 200_000, 400_000, 600_000, 800_000, 1_000_000]


def test_a_lane_answers_refuses_and_outlives_its_worker() -> None:
    lane = Lane()

    async def ask() -> None:
        assert await lane.ask(tidy_cards, "qs 10D") == "Qs Td"
        assert lane.known(tidy_cards, "qs 10D") == "Qs Td"
        assert lane.known(tidy_cards, "2c") is None
        with pytest.raises(UnreadableError, match="There is no game called"):
            await lane.ask(figures, Question("no-such", DAY))
        with pytest.raises(UnreadableError, match="interrupted"):
            await lane.ask(os._exit, 3)
        assert await lane.ask(tidy_cards, "2C") == "2c"

    try:
        asyncio.run(ask())
    finally:
        lane.close()


def test_a_file_that_does_not_exist_is_not_found() -> None:
    assert asyncio.run(export("no-such.csv", PAIR_PLUS)).status_code == 404
