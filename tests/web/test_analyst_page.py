"""The Analyst without a browser: an edited pay table becomes figures, and they are those of the command line."""

import asyncio
import csv
import json
import os
import pickle
import re
import subprocess
import sys
from dataclasses import replace
from datetime import date
from fractions import Fraction
from html import unescape
from io import BytesIO, StringIO
from time import sleep
from xml.etree import ElementTree

import pytest
from pypdf import PdfReader
from starlette.datastructures import QueryParams

from pitboss.exact.board_counts import board_of
from pitboss.exact.edge import edge_rows, find_variant, rules_of_variant
from pitboss.exact.figures import figures_of
from pitboss.findings import UnreadableError
from pitboss.games.registry import BANKED as GAMES
from pitboss.names import shown
from pitboss.paper.files import MEDIA
from pitboss.paper.model import Listing, Plot
from pitboss.paper.page import passages_html
from pitboss.paper.plot import svg_of, ticks
from pitboss.web.analysis import (
    Question,
    compare,
    compare_csv,
    figures,
    figures_csv,
    figures_document,
    more_rows,
    offer,
    printed,
    read_grid,
    row_effects,
    sheets,
    targets,
)
from pitboss.web.charts import break_even_plot, comparison_plot, distribution_plot, strategy_chart
from pitboss.web.designing import design_table, designed, wish_of
from pitboss.web.play_analysis import hand, joint, metered, progressive, strategy, tidy_cards
from pitboss.web.protecting import ProtectionQuestion, protection, protection_asked, protection_file
from pitboss.web.questions import CELL, address, basis, question_of, read_stake
from pitboss.web.simulating import Run, simulated
from pitboss.web.workroom import (
    MOST_EACH,
    BusyLaneError,
    CountStoppedError,
    Lane,
    Progress,
    Underway,
    time_left,
    wake_by,
)
from tests.analyst import SLOW, drawn, view_of
from tests.states import changed_rules
from tests.workbooks import read_cells

DAY = date(2024, 6, 1)
TCP = "three-card-poker"
PAIR_PLUS = Question(TCP, DAY, "pair_plus", "A", "printed")
MAIN = Question(TCP, DAY, "main", "A", "printed")
FIVE_CARD = Question(TCP, DAY, "five_card_progressive", "-", "printed")
COUNTS = {"straight_flush": 48, "three_of_a_kind": 52, "straight": 720, "flush": 1096, "pair": 3744}
"""How many of the 22,100 three-card hands there are of each kind."""
LOSERS = 22_100 - sum(COUNTS.values())


def typed(question: Question, **pays: str) -> Question:
    """The question of the page's form with some cells of its first table typed over."""
    first, *others = sheets(question)
    form = [("of", basis(question)), *QueryParams(address("", question).partition("?")[2]).multi_items()]
    for sheet in (first, *others):
        for row, odds in sheet.rows.items():
            form.append((f"{CELL}{sheet.name}.{row}|{odds}", pays.pop(row, odds) if sheet is first else odds))
    assert not pays
    return question_of(QueryParams(form), DAY)


def test_a_form_that_nobody_touched_changes_nothing() -> None:
    for question in (PAIR_PLUS, MAIN, FIVE_CARD, Question("lunar-poker", DAY), Question("four-card-frenzy", DAY)):
        assert typed(question) == question
        assert read_grid(question).changes == ()


def test_a_form_of_another_wager_or_table_begins_without_its_changes() -> None:
    form = {"of": basis(PAIR_PLUS), "game": TCP, "wager": "pair_plus", "reading": "printed", "as_of": str(DAY)}
    cell = {f"{CELL}pair_plus.flush|4 to 1": "7 to 1"}
    assert question_of(QueryParams({**form, "paytable": "A", **cell}), DAY).changes == ("pair_plus.flush=7 to 1",)
    assert question_of(QueryParams({**form, "paytable": "B", **cell}), DAY).changes == ()
    other = question_of(QueryParams({**form, "paytable": "A", **cell, "wager": "main"}), DAY)
    assert (other.wager, other.letter, other.changes) == ("main", None, ())


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
    grid = read_grid(typed(PAIR_PLUS, flush=text))
    assert not grid.problems
    assert grid.changes == change


@pytest.mark.parametrize(
    "text",
    ["six", "1" + "0" * 30, "<b>", "7 to 0", "7 for 00", "5/0", "-3 to 1", "$,", "1 to 1" + " to" * 20, "1,x to 1"],
)
def test_a_cell_that_cannot_be_read_gets_a_sentence_and_loses_nothing(text: str) -> None:
    grid = read_grid(typed(PAIR_PLUS, flush=text, pair="2 to 1"))
    assert list(grid.problems) == [("pair_plus", "flush")]
    sentence = grid.problems["pair_plus", "flush"]
    assert sentence.endswith(".")
    assert grid.changes == ("pair_plus.pair=2 to 1",)
    assert grid.problems


def test_an_open_window_keeps_its_editor_while_typed_pays_wait_to_be_read() -> None:
    asked = typed(PAIR_PLUS, flush="5 to 1")
    assert view_of(asked, without=SLOW).blocks == ("setup", "figures", "editor", "result")
    assert view_of(asked, without=(read_grid,)).blocks == ("setup", "figures", "result")
    assert view_of(asked, without=(sheets,)).blocks == ("setup", "figures", "result")


def test_rows_that_every_settlement_needs_cannot_be_left_out() -> None:
    grid = read_grid(replace(MAIN, changes=("ante.win=none",)))
    assert "has to pay something" in grid.problems["ante", "win"]
    with pytest.raises(UnreadableError, match="has to pay something"):
        figures(replace(MAIN, changes=("ante.win=none",)))


@pytest.mark.parametrize(
    ("text", "why"), [("99999999999999 to 1", "can't pay so much"), ("1.00000000001 to 1", "nine places at most")]
)
def test_odds_that_nobody_means_are_refused_where_they_stand(text: str, why: str) -> None:
    grid = read_grid(typed(MAIN, straight=text))
    assert [why in problem for problem in grid.problems.values()] == [True]
    assert grid.problems


@pytest.mark.parametrize("text", ["$5", "10% of meter"])
def test_main_wagers_refuse_what_cannot_be_counted(text: str) -> None:
    grid = read_grid(typed(MAIN, straight=text))
    assert not grid.problems
    with pytest.raises(UnreadableError, match=re.escape(text)):
        figures(replace(MAIN, changes=grid.changes))


def test_an_edited_grid_gives_the_figures_of_the_command_line() -> None:
    grid = read_grid(typed(PAIR_PLUS, flush="7", pair=""))
    question = replace(PAIR_PLUS, changes=grid.changes)
    answer = figures(question)
    game = GAMES[TCP]
    variant = find_variant(game, DAY, "pair_plus", "A")
    assert variant is not None
    rules = changed_rules(rules_of_variant(game, DAY, variant), "pair_plus", ["flush=7", "pair=none"])
    assert answer.row == figures_of(game, rules, variant).as_dict()
    assert [each["row"] for each in answer.row["changed"]] == ["flush", "pair"]
    assert answer.row["published"] is None


def test_an_edited_grid_gives_what_counting_by_hand_gives() -> None:
    changes = read_grid(typed(PAIR_PLUS, flush="7 to 1", straight="6 for 1")).changes
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
    shown = drawn(MAIN, without=SLOW)
    for each in (
        "Hold, of the Ante",
        "3.3730 %",
        "Element of risk, of all wagered",
        "2.0147 %",
        "Published: HE 3.37 %",
    ):
        assert each in shown


def test_a_row_may_be_added_where_the_law_has_none() -> None:
    (sheet,), more = sheets(PAIR_PLUS), more_rows(PAIR_PLUS)
    assert more["pair_plus", "mini_royal"] == "Mini-royal flush"
    assert not {row for _, row in more} & set(sheet.rows)
    richer = figures(replace(PAIR_PLUS, changes=("pair_plus.mini_royal=100 to 1",)))
    gained = Fraction(richer.exact["expected_value"]) - Fraction(figures(PAIR_PLUS).exact["expected_value"])
    assert gained == Fraction(4 * (100 - 35), 22_100)


def test_only_rows_that_would_be_paid_may_be_added() -> None:
    more = more_rows(Question("lunar-poker", DAY, "super"))
    assert more == {}, "a straight flush is paid as another row of the Super Wager"
    assert ("ante_bonus", "flush") in more_rows(MAIN)
    richer = figures(replace(MAIN, changes=("ante_bonus.flush=1 to 1",)))
    assert richer.row["house_edge"] < figures(MAIN).row["house_edge"]


def test_what_there_is_to_choose_from() -> None:
    found = offer("four-card-frenzy", DAY)
    assert found.wagers["main"] == "Main game (Ante, Odds, Raise)"
    assert ("A", "hold-consistent") in found.variants["four_card_bonus"]
    assert offer(TCP, DAY).meters >= {"three_card_progressive", "five_card_progressive"}
    assert (offer("four-card-poker", DAY).own, offer("four-card-poker", DAY).seen) == (5, (1,))


def test_a_day_before_the_law_is_refused_in_a_sentence() -> None:
    assert "Three Card Poker is not in the law of 1800-01-01. Choose a later day." in drawn(
        replace(MAIN, as_of=date(1800, 1, 1))
    )


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
    assert "Yours" in drawn(question, "letters")


def test_figures_as_a_spreadsheet() -> None:
    lines = list(csv.reader(StringIO(figures_csv(figures(PAIR_PLUS)))))
    assert ["house_edge", "0.04579185520361991", "253/5525"] in lines
    assert ["-1", "0.743891402714932", "822/1105"] in lines


def test_break_even_is_where_the_line_crosses_nothing() -> None:
    found = progressive(FIVE_CARD)
    (line,) = found.lines
    assert str(line.even_alone) == metered(FIVE_CARD).as_dict()["tiers"]["meter"]["break_even_dollars"]
    (start, low), (end, high) = line.alone[0], line.alone[-1]
    crossing = start + (end - start) * -low / (high - low)
    assert crossing == pytest.approx(float(line.even_alone))
    assert line.even_full < line.even_alone
    assert f"${float(line.even_alone):,.2f}" in drawn(FIVE_CARD, "progressive")
    shared = drawn(replace(FIVE_CARD, wager="five_card_hand_dealer"), "progressive")
    assert "Five Card Hand Bonus Wager on the player&#39;s hand" in shared
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
    assert found.cards == ("Qs", "6d", "4c")
    (choices, *_) = (block for passage in found.passages for block in passage.blocks if isinstance(block, Listing))
    assert choices.rows[0] == ("play", Fraction(-9151, 9212), Fraction(-9151, 9212), "best")
    assert "−0.993378" in drawn(MAIN, "hand", cards="qs, 6D 4c")
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
    lists = [block for passage in found.passages for block in passage.blocks if getattr(block, "key", "") == "lists"]
    assert isinstance(lists[0], Listing)
    assert lists[0].rows[-1][-2:] == (0, "Play with Q-6-4 or better; otherwise fold.")
    assert [each.first for each in chart.rows] == ["king high", "queen high", "5 high"]
    best, border, worst = (each.shares[0] for each in chart.rows)
    assert best == (0.0, 1.0)
    assert worst == (1.0, 0.0)
    assert 0 < border[0] < border[1] < 1
    assert "3.3730 %" in drawn(MAIN, "strategy")


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
    drawing = strategy_chart(offered.title, found.charts)
    assert all(f">{each.title}<" in drawing for each in found.charts)
    deck = ["As", "Kd", "Qc", "Jh", "9s", "2d", "3c", "4h"]
    for number, seen in enumerate(offered.seen, 1):
        one = hand(question, " ".join(deck[: offered.own]), " ".join(deck[offered.own : offered.own + seen]))
        assert len(one.passages) == number
        assert passages_html(one.passages).count(">best<") == number
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
    asked = replace(question, changes=("flush=9 to 1", "pair_plus.pair=none", "nonsense=3", "other.flush=2", "a b=1"))
    grid = read_grid(asked)
    assert grid.changes == ("pair_plus.flush=9 to 1", "pair_plus.pair=none")
    assert list(grid.problems) == [("pair_plus", "nonsense")]


@pytest.mark.parametrize(("text", "amount"), [("5", 500), ("2.50", 250), ("$1,000", 100_000), ("0", None), ("x", None)])
def test_a_stake_is_dollars(text: str, amount: int | None) -> None:
    assert read_stake(text) == amount


def test_charts_are_drawings_that_say_their_numbers_and_escape_names() -> None:
    answer, meter, play = figures(PAIR_PLUS), progressive(FIVE_CARD), strategy(MAIN)
    drawings: list[Plot | str] = [
        distribution_plot(
            "<b>", answer.distribution, figures(replace(PAIR_PLUS, changes=("flush=9 to 1",))).distribution
        ),
        comparison_plot("<b>", [("A & B", 0.045, False), ("yours", -0.01, True)]),
        break_even_plot("<b>", meter.lines[0], meter.others),
        strategy_chart("<b>", play.charts),
    ]
    texts = []
    for each in drawings:
        root = ElementTree.fromstring(svg_of(each) if isinstance(each, Plot) else each)
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
        with pytest.raises(CountStoppedError, match="interrupted"):
            await lane.ask(os._exit, 3)
        assert await lane.ask(tidy_cards, "2C") == "2c"

    try:
        asyncio.run(ask())
    finally:
        lane.close()


def test_a_lane_takes_turns_among_people_and_stops_what_nobody_waits_for() -> None:
    """One person can't fill it, and a count that is cancelled begins again only when somebody says so."""
    lane, woken = Lane(), set[str]()
    wake_by(woken.add)

    def look(number: float, person: str, *, wait: float = 0) -> Underway | None:
        return lane.look(sleep, number, stream=f"{person}'s", person=person, wait=wait)

    try:
        waiting = [look(60 + at, "one") for at in range(MOST_EACH)]
        assert [each.ahead for each in waiting if each] in ([0, *range(1, MOST_EACH)], [*range(1, MOST_EACH + 1)])
        with pytest.raises(BusyLaneError, match="You have"):
            look(99, "one")
        look(60, "two")
        assert isinstance(look(0.01, "two"), Underway)
        lane.leave("one's", stop=True)
        with pytest.raises(CountStoppedError, match="Cancelled"):
            look(61, "one")
        assert isinstance(look(60, "two"), Underway), "the other person still waits for it"
        lane.leave("two's")
        assert look(0.02, "two", wait=20) is None
        assert "two's" in woken
        lane.again("one's")
        assert isinstance(look(61, "one"), Underway)
    finally:
        lane.leave("one's")
        lane.close()


def test_a_bar_never_goes_back_and_says_the_time_left_when_it_knows() -> None:
    progress, shares = Progress(began=0.0), []
    assert progress.left(0.5) is None
    reported = [("hands", 0.1), ("hands", 0.9), ("boards", 0.0), ("boards", 0.5), ("boards", 0.2), ("rules", 1.0)]
    for second, (what, share) in enumerate(reported, 1):
        progress.hear(what, share, float(second))
        shares.append(progress.share)
    assert shares == sorted(shares)
    assert shares[-1] < 1
    again = Progress(usual=100.0, began=0.0)
    again.hear("hands", 0.0, 50.0)
    assert again.share == pytest.approx(0.475)
    assert time_left(again.left(50.0)) == "about 50 s left"


def test_a_changed_table_is_named_where_the_law_prints_it_and_refused_where_not() -> None:
    law = {each.letter: each.pays for each in compare(PAIR_PLUS)}
    assert law["A"].keys() == law["C"].keys()
    changes = (f"pair_plus.{row}={odds}" for row, odds in law["C"].items() if odds != law["A"][row])
    as_c = replace(PAIR_PLUS, changes=tuple(changes))
    assert printed(as_c).letter == "C"
    assert "The law prints this table" in drawn(as_c, without=SLOW)
    found = printed(replace(PAIR_PLUS, changes=("pair_plus.flush=99 to 1",)))
    (row,) = found.rows
    assert (found.letter, row.title, row.pays, row.somewhere) == ("", "Flush", "99 to 1", False)
    assert dict(row.printed) == {each.letter: each.pays["flush"] for each in compare(PAIR_PLUS)}
    assert "can’t offer this table" in drawn(replace(PAIR_PLUS, changes=("pair_plus.flush=99 to 1",)), without=SLOW)


def test_what_each_row_does_is_the_difference_of_two_counts() -> None:
    changes = ("pair_plus.flush=7 to 1", "pair_plus.straight=5 to 1")
    question = replace(PAIR_PLUS, changes=changes)
    effects = row_effects(question)
    for kind, gained in (("flush", 3), ("straight", -1)):
        effect = effects["pair_plus", kind]
        assert effect.own == Fraction(-gained * COUNTS[kind], 22_100)
        assert effect.more == Fraction(-COUNTS[kind], 22_100)
    assert effects["pair_plus", "pair"].own is None


def test_two_wagers_and_a_simulation_under_changed_pays() -> None:
    assert "0.5068" in passages_html(joint(MAIN, "pair_plus"))
    with pytest.raises(UnreadableError, match="Five Card Hand Player"):
        joint(MAIN, "five_card_hand_player")
    changed = replace(PAIR_PLUS, changes=("pair_plus.flush=7 to 1",))
    found = simulated(changed, Run(10_000))
    assert found.exact == pytest.approx(-figures(changed).row["house_edge"])
    rounds, mean, error = found.means[-1]
    assert rounds == 10_000
    assert found.exact is not None
    assert abs(mean - found.exact) < 5 * error
    for run in (Run(10_000, seats=10**6), Run(7), Run(10_000, seats=-1), Run(10_000, seed=2**64)):
        with pytest.raises(UnreadableError):
            simulated(changed, run)


def test_a_designed_table_opens_in_the_figures_and_is_saved_as_a_file() -> None:
    wish = wish_of({"low": "4", "high": "8", "seen": "0", "row": "straight flush=20..40, pair=1", "most": "3"})
    found = designed(PAIR_PLUS, wish)
    assert len(found.tables) == 3
    for nth, (_, hold, changes) in enumerate(found.tables, 1):
        question = replace(PAIR_PLUS, changes=changes)
        assert figures(question).exact["house_edge"] == str(hold)
        assert f"({hold})" in design_table(PAIR_PLUS, wish, str(nth)).decode()
    html = drawn(PAIR_PLUS, "design", low="4", high="8", seen="0", row="pair=1", most="3")
    links = [unescape(at) for at in re.findall(r'<a href="([^"]+)" aria-label="Figures of', html)]
    assert len(links) == 3
    asked = question_of(QueryParams(links[0].partition("?")[2]), DAY)
    assert designed(PAIR_PLUS, replace(wish, row="pair=1")).tables[0][2] == asked.changes
    assert html.count("/analyst/design.toml?") == 3
    assert "/analyst/design.xlsx?" in html
    said = drawn(PAIR_PLUS, "design", low="2", high="3", top="9", row="pair=1")
    assert "No such table exists" in said
    assert "design.toml" not in said
    with pytest.raises(UnreadableError, match="goes down"):
        designed(PAIR_PLUS, replace(wish, row="pair=3..1"))
    assert "Every table is searched" in drawn(PAIR_PLUS, "design")


def test_what_a_seen_card_costs_is_what_the_command_line_counts() -> None:
    asked = protection_asked({"known": "dealer=1\n", "rounds": "50", "bets": "25 $100", "every": "", "alarm": " "})
    assert asked == ProtectionQuestion(known="dealer=1", rounds="50", bets="25 $100")
    record = json.loads(protection_file(MAIN, asked, "json"))
    assert record["rounds_an_hour"] == 50
    assert record["stakes"] == [2500, 10000]
    assert round(record["knowledge"][0]["player_edge"], 6) == 0.034829  # 3.4829 %, as Jacobson prints it
    page = drawn(PAIR_PLUS, "protect", rounds="40", known="dealer=1")
    assert "3.4829 %" in page
    assert "The main game of Three Card Poker" in page
    sheet = passages_html(protection(MAIN, replace(asked, sheet="1")))
    assert "Where to stand" in sheet
    assert "A face card, seen but not which" in passages_html(protection(MAIN, replace(asked, lists="1")))
    assert 'name="lists"' in page
    with pytest.raises(UnreadableError):
        protection(MAIN, replace(asked, known="dealer=x"))
    assert "<progress" not in drawn(MAIN, "protect")


def test_the_figures_of_a_changed_table_are_files_of_every_kind() -> None:
    question = replace(PAIR_PLUS, changes=("pair_plus.flush=5 to 1",))
    files = {kind: figures_document(question, kind) for kind in MEDIA}
    assert json.loads(files["json"]) == [figures(question).row]
    said = "Not the law's table; changed: Pair Plus flush 5 to 1 instead of 4 to 1."
    assert said in unescape(files["html"].decode())
    assert said in files["csv"].decode()
    assert said in " ".join(" ".join(page.extract_text() for page in PdfReader(BytesIO(files["pdf"])).pages).split())
    assert said in {cell.value for cell in read_cells(files["xlsx"]).values()}


def test_the_server_shows_figures_without_loading_an_engine() -> None:
    """Workers count and build documents; what comes back to the server is light."""
    script = (
        "import sys, pickle; from pitboss.web.views import analyst, analyst_files; "
        "pickle.loads(sys.stdin.buffer.read()); print('numba' in sys.modules)"
    )
    aimed = targets(PAIR_PLUS, Fraction(1, 50), Fraction(3, 100))
    answers = pickle.dumps([hand(MAIN, "Qs 6d 4c", ""), progressive(FIVE_CARD), strategy(MAIN), aimed])
    ran = subprocess.run([sys.executable, "-c", script], input=answers, capture_output=True, check=True)
    assert ran.stdout.strip() == b"False"
