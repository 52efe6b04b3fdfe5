"""How much of a game a figure covers: named wherever it stands, and the whole game before its parts."""

import csv
import json
from dataclasses import replace
from datetime import date
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from pitboss.api import rules_for
from pitboss.cards import parse_cards
from pitboss.exact import draw_rows, draw_table
from pitboss.exact.decks import SmallDeck
from pitboss.exact.duel import solve
from pitboss.exact.edge import MAIN, edge_figures, edge_rows
from pitboss.exact.engine import duel_of, valued
from pitboss.exact.strategy import HandAnalysis, analyse_duel, write_table
from pitboss.exact.value import Result, value
from pitboss.games.registry import BANKED as GAMES
from pitboss.games.rules import Rules
from pitboss.games.structure import TIES, WHOLE
from pitboss.paper.page import html_of, passages_html
from pitboss.paper.say import percent
from pitboss.paper.terminal import terminal_lines
from pitboss.reports.figures import edges_paper
from pitboss.reports.form import form_paper, holds_of
from pitboss.reports.hands import hand_passages
from pitboss.reports.math_report import PART, mathematics_paper
from pitboss.simulate.plan import every_wager, make_plan
from pitboss.web.analysis import Question, compare, compare_csv, figures, figures_csv
from pitboss.web.play_analysis import hand_figures
from pitboss.web.views.submission_holds import holds, question_of
from tests.analyst import SLOW, drawn
from tests.reports.papers import parsed, submitted
from tests.reports.papers import words as all_words
from tests.states import strategy_rows
from tests.test_cli import Ran

DAY = date(2024, 6, 1)
AS_OF = ("--as-of", str(DAY))
RESTRICTED = [name for name in GAMES if GAMES[name].restriction]
PLANTED = Result(
    10_000, {Fraction(-1): 1, Fraction(31, 2): 8, Fraction(0): 9991}, {"bet": Fraction(1)}, Fraction(2), Fraction(1)
)
"""Stands for a whole game in which the player wins 1.23 % of the Ante."""
COUNTED = Result(16, {Fraction(-1): 1, Fraction(0): 15}, {"bet": Fraction(1)}, Fraction(2), Fraction(1))
"""Stands for the part with a sixth card, which takes a minute to count."""


@pytest.fixture(autouse=True)
def _planted(monkeypatch: pytest.MonkeyPatch) -> None:
    """What takes minutes is planted: here it matters where a figure stands, not what it is."""

    def planted(rules: Rules, reading: str, _progress: object = None) -> tuple[Result, str]:
        lawful = rules.tables == rules_for(rules.game, rules.as_of, rules.choices).tables
        whole = GAMES[rules.game].scope(reading).exchanges
        return (PLANTED if whole else COUNTED), "" if lawful or not whole else draw_rows.AS_THE_LAW_PAYS

    learned = draw_rows.DrawList("a list to learn", ("Do as you like.",), COUNTED, Fraction(123, 10_000))
    pairs = np.array([[[0, 0, 7], [0, 6, 0]], [[5, 0, 0], [3, 1, 0]], [[5, 0, 0], [3, 1, 0]]])
    laid = draw_table.DrawTable(("bet", "fold", "exchange 3"), ("queen high", "ace-king", "pair of 2s"), (0, 12), pairs)
    monkeypatch.setattr(draw_rows, "drawing_result", planted)
    monkeypatch.setattr(draw_rows, "draw_lists", lambda *_: (learned,))
    monkeypatch.setattr(draw_table, "draw_table", lambda *_: laid)


def words(text: str) -> str:
    return " ".join(text.split())


def test_every_reading_is_the_whole_game_or_says_what_it_leaves_out() -> None:
    assert RESTRICTED == ["lunar-poker"]
    for game in GAMES.values():
        assert game.played in game.readings
        assert set(game.scopes) <= set(game.readings)
        whole = game.scope(game.readings[0])
        assert not whole.restriction, "the first reading is of the whole game"
        for reading in game.readings:
            scope = game.scope(reading)
            # Cards can be exchanged in this game, so whatever does not exchange must leave something out.
            if "exchange" in game.decisions:
                assert scope.exchanges != bool(scope.restriction), reading
            else:
                assert scope == WHOLE


@pytest.mark.parametrize("name", RESTRICTED)
def test_rows_open_at_the_whole_and_every_other_row_names_its_part(name: str) -> None:
    game = GAMES[name]
    rows = list(edge_rows(game, DAY, MAIN, "A"))
    assert [row["reading"] for row in rows] == list(game.readings)
    assert (rows[0]["restriction"], rows[0]["house_edge"]) == (None, -0.0123)
    assert all(row["restriction"] == (game.scope(row["reading"]).restriction or None) for row in rows)
    shown = words(Ran("edge", name, "--wager", "main", "--paytable", "A", *AS_OF).out)
    assert shown.index("−1.2300 %") < shown.index("Only a part of the game")
    for row in rows:
        if row["restriction"]:
            assert f"Only a part of the game: {row['restriction']}." in shown.partition(f" {row['reading']} ")[2]


@pytest.mark.parametrize("name", RESTRICTED)
def test_what_if_says_how_much_of_the_game_it_is_and_a_part_must_be_asked_for(name: str) -> None:
    change = ("--pay", "bet.flush=9", "--json", *AS_OF)
    (whole,) = Ran("edge", name, *change).json
    assert whole["restriction"] == draw_rows.AS_THE_LAW_PAYS
    assert whole["changed"] == [{"table": "bet", "row": "flush", "law": "5 to 1", "pays": "9 to 1"}]
    game = GAMES[name]
    (part,) = Ran("edge", name, "--reading", game.played, *change).json
    assert part["restriction"] == game.restriction
    wrong = Ran("edge", name, "--reading", "guess", *AS_OF)
    assert wrong.code == 2
    assert game.played in wrong.err


@pytest.mark.parametrize("name", RESTRICTED)
def test_strategy_is_of_the_whole_game_and_parts_are_rows_below_it(name: str, tmp_path: Path) -> None:
    asked, file = ["strategy", name, *AS_OF], tmp_path / "table.csv"
    restriction = GAMES[name].restriction
    shown, read = words(Ran(*asked).out), Ran(*asked, "--json", "--output", str(file)).json
    assert (read["house_edge"], read["restriction"], read["reading"]) == (-0.0123, None, GAMES[name].readings[0])
    assert shown.index("Hold, of the Ante −1.2300 %") < shown.index("a list to learn 6.2500 % 0.074800")
    assert read["rule_lists"][0]["cost"] == "187/2500"
    # The commonest choice of each cell, and whether it is the only one; hands that are played alike share a row.
    assert "Hand 2 A" in shown
    assert "pair of 2s to ace-king B B' queen high 3 F" in shown
    with file.open(encoding="utf-8") as table:
        head, *rows = csv.reader(table)
    assert head == ["hand", "up", "weight", "best", "only", "bet", "fold", "exchange 3"]
    assert rows[3] == ["ace-king", "A", "4", "bet", "no", "3/4", "1/4", "0/4"]
    assert shown.index("queen high") < shown.index("Fold-bet 17.0876 %") < shown.index(restriction)
    assert [(part["reading"], part["restriction"]) for part in read["parts"]][-1] == (GAMES[name].played, restriction)


@pytest.mark.parametrize("name", RESTRICTED)
def test_a_part_of_the_game_has_lists_of_its_own_for_who_asks(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitboss.exact.rulelist.rule_lists", lambda *_: [])
    game = GAMES[name]
    asked = ["strategy", name, "--reading", game.played, *AS_OF]
    shown, read = words(Ran(*asked).out), Ran(*asked, "--json").json
    assert "best play of a part" in shown
    assert f"Only a part of the game: {game.restriction}." in shown
    assert "Hold, of the Ante 17.0876 %" in shown
    assert (read["restriction"], read["reading"]) == (game.restriction, game.played)
    other = Ran("strategy", name, "--reading", "fold-bet-buy", *AS_OF)
    assert (other.code, game.played in other.err) == (2, True)


@pytest.mark.parametrize("name", RESTRICTED)
def test_a_target_is_of_the_whole_game(name: str) -> None:
    asked = ["target", name, *AS_OF, "--", "-2", "-1"]
    assert "Hold now, of the required wagers −1.2300 %" in words(Ran(*asked).out)
    read = Ran(*asked[:2], "--json", *asked[2:]).json
    assert read["house_edge"] == -0.0123
    assert read["changes"] == [], "the planted game is worth the same whatever a row pays"


def test_every_hold_says_what_it_is_a_share_of_and_by_which_table() -> None:
    best = ["strategy", "three-card-poker", "--paytable", "B", *AS_OF]
    assert "Three Card Poker, pay table B: best play" in words(Ran(*best).out)
    assert "Hold, of the Ante 3.6083 %" in words(Ran(*best).out)
    read = Ran(*best, "--json").json
    assert (read["paytable"], read["denominator"]) == ("B", "ante")
    for asked, share in ((["2", "3"], "required wagers"), (["2", "3", "--wager", "pair_plus"], "wager")):
        command = ["target", "three-card-poker", *asked, *AS_OF]
        assert f"Hold now, of the {share}" in words(Ran(*command).out)
        assert Ran(*command, "--json").json["denominator"] == share


@pytest.mark.parametrize("width", [60, 80, 160])
def test_a_row_without_its_meter_or_its_folds_says_so_and_no_fraction_is_cut(width: int) -> None:
    found = next(edge_figures(GAMES["three-card-poker"], DAY, "five_card_progressive"))
    long = Fraction(-8840827253, int(40 * "3"))
    paper = edges_paper([replace(found, expected_value=long)])
    shown = words(" ".join("".join(piece for piece, _ in line) for line in terminal_lines(paper, width)))
    assert all(word in shown for word in ("Five Card", "Progressive", "printed", "649a.12(h)(1)"))
    assert "Without shares of a meter, which count as lost stakes" in shown
    assert "Nobody folds in these figures; with the best play of the main wagers, whose folds forfeit it" in shown
    assert found.folding is not None
    assert f"hold {percent(found.folding.house_edge)}" in shown
    assert str(long) in shown
    assert "…" not in shown


def test_games_that_are_counted_whole_say_nothing_of_parts() -> None:
    for asked in (["strategy", "three-card-poker"], ["target", "three-card-poker", "2", "3"]):
        assert "part of the game" not in Ran(*asked, *AS_OF).out
        assert Ran(*asked, "--json", *AS_OF).json["restriction"] is None
    assert Ran("joint", "three-card-poker", "main", "pair_plus", "--json", *AS_OF).json["restriction"] is None


def test_a_hand_says_which_choices_were_not_valued() -> None:
    asked = ["hand", "lunar-poker", "As Kd 9c 4h 2d", "--up", "3d", "--no-exchange", *AS_OF]
    assert "part of the game: the choice to exchange is not valued here" in Ran(*asked).out
    assert "exchange" in Ran(*asked, "--json").json["restriction"]
    game, rules = GAMES["four-card-poker"], rules_for("four-card-poker", DAY)
    whole = analyse_duel(game, rules, parse_cards("As Ad 9c 4h 2d"), parse_cards("3d")[0])
    assert whole.restriction == ""


@pytest.mark.parametrize("name", RESTRICTED)
def test_the_table_as_a_file_names_its_part_in_its_head(name: str, tmp_path: Path) -> None:
    game, rules = GAMES[name], rules_for(name, DAY)
    write_table(tmp_path / "table.csv", game, rules, valued(game, rules))
    with (tmp_path / "table.csv").open(encoding="utf-8") as file:
        head, first = next(read := csv.reader(file)), next(read)
    assert head[-1] == f"only a part of the game: {game.restriction}"
    assert len(first) == len(head)


@pytest.mark.parametrize("name", RESTRICTED)
def test_report_and_form_open_at_the_whole_and_name_the_parts(name: str) -> None:
    submission, rules = submitted(name)
    report = words(all_words(parsed(html_of(mathematics_paper(submission, rules)))))
    assert report.index("−1.2300 %") < report.index("Only a part of the game"), "in the list of all wagers"
    assert report.index(PART) < report.index("−1.2300 %"), "said before any figure"
    game = GAMES[name]
    for reading in game.readings:
        if game.scope(reading).restriction:
            assert report.count(game.scope(reading).restriction) >= 2, reading
    known = holds_of(submission, rules)
    assert known is not None
    assert known[MAIN] == "−1.2300 % of the Ante"
    assert known[MAIN] in words(all_words(parsed(html_of(form_paper(submission, known)))))


@pytest.mark.parametrize("name", RESTRICTED)
def test_the_submission_desk_shows_the_whole_first(name: str) -> None:
    for found in holds(question_of(submitted(name)[0], MAIN), MAIN).values():
        assert str(found).startswith("−1.2300 % of the Ante")
        assert all("only a part of the game: " in other for other in found.others)


@pytest.mark.parametrize("name", RESTRICTED)
def test_the_analyst_opens_at_the_whole_and_names_parts(name: str) -> None:
    opened = drawn(Question(name, DAY), without=SLOW)
    assert "−1.2300 %" in opened
    assert "part of the game" not in opened
    part = Question(name, DAY, reading=GAMES[name].played)
    restriction = GAMES[name].restriction
    best = drawn(Question(name, DAY), "strategy")
    for text in (
        drawn(part, without=SLOW),
        figures_csv(figures(part)),
        drawn(part, "letters"),
        compare_csv(compare(part)),
        best,
    ):
        assert restriction in text
    assert "−1.2300 %" in drawn(Question(name, DAY), "letters")
    assert "−1.2300 %" in best


def test_the_analyst_s_hand_has_all_choices() -> None:
    assert "part of the game" not in drawn(Question("three-card-poker", DAY), "hand", cards="Qs 6d 4c")
    figures = hand_figures(Question("three-card-poker", DAY), "Qs 6d 4c", "")
    assert isinstance(figures.analysis, HandAnalysis)
    part = replace(figures.analysis, restriction="the choice to exchange is not valued here")
    assert "part of the game" in passages_html(hand_passages(replace(figures, analysis=part)))


@pytest.mark.parametrize("name", RESTRICTED)
def test_simulation_beside_a_part_names_the_part(name: str) -> None:
    rules = rules_for(name, DAY)
    plan = make_plan(rules, every_wager(rules, 1), "no-draw")
    assert GAMES[name].restriction in plan.strategy.note


# Ties


ORDER = {
    "four-card-poker": ("play 1x", "play 2x", "play 3x", "fold"),
    "lunar-poker": ("bet", "fold"),
}
"""Playing before folding, a smaller wager before a larger one."""


@pytest.mark.parametrize("name", ORDER)
def test_of_choices_worth_the_same_the_first_is_taken_everywhere(name: str) -> None:
    game, rules, deck = GAMES[name], rules_for(name, DAY), SmallDeck((0, 3, 6, 12))
    best = value(game, rules, solve(duel_of(game), deck), duel_of(game))
    tied = [(state, row) for state, row in enumerate(strategy_rows(best)) if row.ties]
    assert sum(row.weight for _, row in tied) == best.ties > 0
    for state, row in tied:
        equals = [choice for choice in ORDER[name] if row.values.get(choice) == max(row.values.values())]
        assert len(equals) > 1
        assert [row.best, *row.ties] == equals
        assert best.grid.names[best.picked[state]] == equals[0]
    _, row = tied[0]
    found = analyse_duel(game, rules, row.cards, row.up, deck, exchange=False)
    among = [choice for choice in ORDER[name] if found.values[choice] == max(found.values.values())]
    assert not among or found.best == among[0], "drawing only where it is worth more"


def test_the_rule_for_ties_is_said_once_in_the_strategy() -> None:
    asked = ["strategy", "three-card-poker", *AS_OF]
    assert words(Ran(*asked).out).count(TIES) == 1
    assert json.dumps(Ran(*asked, "--json").json).count(TIES) == 1
    assert TIES in drawn(Question("three-card-poker", DAY), "strategy")
    assert TIES in words((Path(__file__).parents[1] / "docs" / "mathematics.md").read_text(encoding="utf-8"))
