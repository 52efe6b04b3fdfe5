"""The second opinion: it stands alone, agrees with reports, and differs from a figure that was tampered with."""

import ast
import json
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pitboss import second_opinion
from pitboss.cards import Card, parse_cards
from pitboss.exact.exchange import DrawValues
from pitboss.games.round import Decision, Round, Seat
from pitboss.games.second_combination import combined
from pitboss.games.settle import settle
from pitboss.hands import FIVE_CARD
from pitboss.reports.analysis import _plain
from pitboss.reports.math_report import report_file
from pitboss.second_opinion import adds_up, opinions
from tests.naive import ANTE, wagers_of
from tests.reports.papers import submitted

FILE = Path(second_opinion.__file__)
COUNTED = ("three-card-poker", "three-card-prime", "sic-bo", "roulette", "texas-hold-em-bonus")


def report(game: str) -> Any:
    return json.loads(report_file(*submitted(game), "json"))


def test_it_is_short_and_imports_nothing_of_pitboss() -> None:
    text = FILE.read_text(encoding="utf-8")
    assert len(text.splitlines()) < 500
    nodes = list(ast.walk(ast.parse(text)))
    named = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    named |= {str(node.module) for node in nodes if isinstance(node, ast.ImportFrom)}
    assert {name.partition(".")[0] for name in named} <= {*sys.stdlib_module_names, "numpy"}


@pytest.mark.parametrize("game", COUNTED)
def test_it_agrees_to_the_last_integer_with_all_it_counts(game: str) -> None:
    counted = report(game)
    if game == "texas-hold-em-bonus":  # best play takes minutes, and has tests of its own below
        counted["wagers"] = [wager for wager in counted["wagers"] if wager["line"] != "main"]
    found = list(opinions(counted))
    outcomes = {each.outcome for each in found}
    assert outcomes <= {"agrees exactly", "not checked"}, [each for each in found if each.outcome not in outcomes]
    assert "agrees exactly" in outcomes
    assert all(each.derived is None and each.method for each in found if each.outcome == "not checked")


def planted(wager: dict[str, Any], row: str, more: int) -> None:
    """Move ways from lost wagers to a row, with every sum and figure put right: only another count finds it."""
    rows, cycle = wager["rows"], wager["cycle"]
    for each in rows:
        each["ways"] += more if each.get("row") == row else -more if each["result"] == "lose" else 0
        each["contribution"] = str(Fraction(each["net"]) * each["ways"] / cycle)
    mean = sum((Fraction(each["contribution"]) for each in rows), Fraction(0))
    wager["expected_value"], wager["house_edge"] = str(mean), float(-mean)


def test_a_planted_count_and_a_planted_pay_are_found() -> None:
    changed = report("three-card-poker")
    by_name = {wager["wager"]: wager for wager in changed["wagers"]}
    planted(by_name["pair_plus"], "flush", 1)
    assert adds_up(by_name["pair_plus"])
    by_name["six_card_bonus"]["tables"]["six_card_bonus"]["rows"]["flush"]["rate"] = "21"
    by_name["five_card_progressive"]["house_edge"] += 1e-6
    found = {each.wager: each for each in opinions(changed) if each.wager != "main"}
    differs = {name for name, each in found.items() if each.outcome == "differs"}
    assert differs == {"pair_plus", "six_card_bonus", "five_card_progressive"}
    assert found["pair_plus"].derived == pytest.approx(253 / 5525)


def test_a_sampled_hold_agrees_within_its_error_and_a_wrong_one_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(second_opinion, "OTHERS", {})
    found = report("caribbean-stud")
    found["wagers"] = [wager for wager in found["wagers"] if wager["wager"] == "main"]
    (right,) = opinions(found, draws=4)
    assert right.outcome.startswith("agrees: ")
    assert right.derived is not None
    assert 0 < right.error < 0.05
    wager = found["wagers"][0]
    wager["lines"] = []
    wager["rows"] = [{"ways": 1, "net": "1/2", "contribution": "1/2"}]
    wager["cycle"], wager["expected_value"], wager["house_edge"] = 1, str(Fraction(1, 2)), -0.5
    (wrong,) = opinions(found, draws=4)
    assert wrong.outcome.startswith("differs: ")


LUNAR_HAND, LUNAR_UP = (1, 9, 14, 22, 50), 16
"""A pair of fours, a 7 and an ace with the 2 of diamonds, against the 6 of clubs."""


def lunar_wagers() -> dict[str, dict[str, Any]]:
    return {wager["reading"]: wager for wager in report("lunar-poker")["wagers"] if wager["line"] == "main"}


def lunar_value(wager: dict[str, Any], hand: tuple[int, ...], theirs: Any) -> Fraction:
    return second_opinion.best(-1, second_opinion.lunar(wager, hand), theirs, hand)


def test_scopes_of_lunar_poker_agree_and_the_whole_game_is_not_checked() -> None:
    found = report("lunar-poker")
    found["wagers"] = [wager for wager in found["wagers"] if wager["line"] == "main"]
    by_reading = {each.reading: each for each in opinions(found, draws=60)}
    for reading, each in by_reading.items():
        if reading.startswith("full"):
            assert (each.outcome, each.derived) == ("not checked", None)
            assert "exchanges" in each.method
        else:
            assert each.outcome.startswith("agrees: ")
            assert 0 < each.error < 0.15
            assert "without" in each.method
    assert len(by_reading) == 5
    bought, plain = by_reading["fold-bet-buy"].derived, by_reading["fold-bet"].derived
    assert bought is not None
    assert plain is not None
    assert bought < plain


def test_one_state_of_lunar_poker_is_worth_what_the_engine_counts() -> None:
    """Every dealer's hand, the one at once and each of 46 cards bought; the engine's slow count is another program."""
    wager, table = lunar_wagers()["fold-bet-buy"], DrawValues(submitted("lunar-poker")[1])
    dealt = np.array([*combinations({*range(52)} - {LUNAR_UP}, 4)])
    scores = second_opinion.best_scores(np.insert(dealt, 0, LUNAR_UP, axis=1), 5)
    theirs = scores, (1 << dealt).sum(axis=1), second_opinion.score_of(48, 44, 8, 4, 1), 5
    assert lunar_value(wager, LUNAR_HAND, theirs) == max(table.first(LUNAR_HAND, LUNAR_UP).values())
    six = [(*LUNAR_HAND, card) for card in range(52) if card not in (*LUNAR_HAND, LUNAR_UP)]
    bought = sum((lunar_value(wager, hand, theirs) for hand in six), Fraction(0)) / 46 - 1
    assert bought == table.buy(LUNAR_HAND, LUNAR_UP)


@pytest.mark.parametrize("reading", ["", "second-combination-distinct"])
def test_second_combinations_are_paid_as_at_the_table(reading: str) -> None:
    rules = submitted("lunar-poker")[1]
    if reading:
        rules = replace(rules, choices=replace(rules.choices, readings={**rules.choices.readings, "bet": reading}))
    wager = lunar_wagers()[f"fold-bet-buy {reading}".strip()]
    random = np.random.default_rng(1)
    decks = [range(52), range(32, 52), range(0, 52, 4), [card for card in range(52) if card % 4 < 2]]
    hands = [random.choice(deck, size, replace=False).tolist() for deck in decks for size in (5, 6) for _ in range(60)]
    rows: Any = rules.tables["bet"].rows
    paid = 0
    for hand in [parse_cards("As Ad Kc 9h 8d"), *hands]:
        made = combined(tuple(map(Card, sorted(hand))))
        second = made.paid(rules)
        rate = sum(rows[name].rate for name in (made.category, second) if name in rows)
        if len(hand) == 6 or made.category not in ("royal_flush", "straight_flush"):
            assert second_opinion.lunar(wager, tuple(hand))[0][5] == 2 * rate
            paid += second in rows
    assert paid > 100
    assert second_opinion.lunar(wager, tuple(parse_cards("As Ad Kc 9h 8d")))[0] == [1, 1, 1, -3, 0, 4]


BOARD = (3, 14, 21, 22, 45)
"""One board for hold'em: a pair, and three cards to a straight."""
ROUNDS = {
    "ultimate-texas-hold-em": (
        4,
        [{"preflop": Decision("play", 4 * ANTE)}, {"flop": Decision("play")}, {"river": Decision("play")}],
    ),
    "heads-up-hold-em": (3, [{step: Decision("raise")} for step in ("preflop", "flop", "river")]),
}
"""The most that is raised, and the decisions of a raise at each step."""


def worth_of(rules: Any, chosen: dict[str, Decision], twos: list[tuple[int, ...]]) -> Any:
    """What any two cards on the board gain against any other two, by live settlement of one case of each kind."""
    ranked = [FIVE_CARD.best(tuple(map(Card, (*two, *BOARD)))) for two in twos]
    kind = [FIVE_CARD.category(score) for score, _ in ranked]
    known: dict[tuple[str, bool, int], Fraction] = {}
    found = []
    for mine, (score, _), name in zip(twos, ranked, kind, strict=True):
        total = Fraction(0)
        for theirs, (other, _), against in zip(twos, ranked, kind, strict=True):
            if not set(mine) & set(theirs):
                case = name, against == "high_card", (score > other) - (score < other)
                if case not in known:
                    seat = Seat(1, tuple(map(Card, mine)), wagers_of(rules), chosen)
                    board = {"community": tuple(map(Card, BOARD))}
                    settled = settle(rules, Round(tuple(map(Card, theirs)), (seat,), board))
                    assert not settled.findings
                    known[case] = Fraction(sum(line.net for line in settled.lines), ANTE)
                total += known[case]
        found.append(total)
    return found


def on_one_board(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every flop and every turn be the board: each of ten and each of five parts of it."""
    monkeypatch.setattr(second_opinion, "kinds", lambda size: {BOARD: 10 if size == 3 else 5})


def wager_of(rules: Any, reading: str = "printed") -> dict[str, Any]:
    tables = {
        name: {"rows": {row: _plain(odds) for row, odds in each.rows.items()}} for name, each in rules.tables.items()
    }
    return {
        "tables": {name: tables[name] for name in tables if name in MAIN_TABLES},
        "line": "main",
        "reading": reading,
    }


MAIN_TABLES = ("ante", "blind", "odds", "bad_beat_bonus", "flop")


def best_of(options: list[list[Fraction]], twos: list[tuple[int, ...]]) -> Fraction:
    """The first choice is made by the ranks of two cards, and by whether they are of one suit."""
    sums: dict[tuple[int, int, bool], list[Fraction]] = {}
    for (one, other), *worth in zip(twos, *options, strict=True):
        kind = one // 4, other // 4, one % 4 == other % 4
        sums[kind] = [a + b for a, b in zip(sums.get(kind, [Fraction(0)] * len(worth)), worth, strict=True)]
    return sum((max(each) for each in sums.values()), Fraction(0)) / 990 / comb(50, 5) / comb(52, 2)


TWOS: list[tuple[int, ...]] = [two for two in combinations(range(52), 2) if not set(two) & set(BOARD)]


@pytest.mark.parametrize("game", ROUNDS)
def test_one_raise_on_a_board_is_worth_what_the_table_pays(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    _, rules = submitted(game)
    most, rounds = ROUNDS[game]
    steps = ("preflop", "flop", "river")
    checks = [dict.fromkeys(steps[:place], Decision("check")) | chosen for place, chosen in enumerate(rounds)]
    first, second, third = (worth_of(rules, chosen, TWOS) for chosen in checks)
    later = [max(two, one, Fraction(-2 * 990)) for two, one in zip(second, third, strict=True)]
    assert sum(map(int.__lt__, *([int(x * 10) for x in each] for each in (second, third)))) > 100
    on_one_board(monkeypatch)
    assert second_opinion.hold_em(most, wager_of(rules)) == best_of([first, later], TWOS)


@pytest.mark.parametrize("reading", ["printed", "tie-loses"])
def test_bets_on_a_board_are_worth_what_the_table_pays(reading: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = submitted("texas-hold-em-bonus")[1]
    if reading != "printed":
        rules = replace(rules, choices=replace(rules.choices, readings={**rules.choices.readings, "ante": reading}))
    flop = {"flop": Decision("bet")}
    none = worth_of(rules, flop | dict.fromkeys(("turn", "river"), Decision("check")), TWOS)
    both = worth_of(rules, flop | dict.fromkeys(("turn", "river"), Decision("bet")), TWOS)
    on_one_board(monkeypatch)
    best = [max(pair) for pair in zip(none, both, strict=True)]
    assert second_opinion.hold_em(0, wager_of(rules, reading)) == best_of([best, [Fraction(-990)] * len(TWOS)], TWOS)


def test_best_play_that_is_claimed_too_low_or_too_high_differs(monkeypatch: pytest.MonkeyPatch) -> None:
    """On the boards of three flops: the claim itself agrees, and two points more or less do not."""
    flops = list(second_opinion.kinds(3).items())[700:703]
    monkeypatch.setattr(second_opinion, "kinds", lambda size: dict(flops) if size == 3 else {})
    wager = wager_of(submitted("ultimate-texas-hold-em")[1])
    value = second_opinion.hold_em(4, wager)
    for shift, outcome in (
        (Fraction(0), "agrees exactly"),
        (Fraction(1, 50), "differs"),
        (Fraction(-1, 50), "differs"),
    ):
        mean = str(value + shift)
        rows = [{"ways": 1, "net": mean, "contribution": mean}]
        claimed = {"wager": "main", "paytable": "A", "expected_value": mean, "house_edge": -float(value + shift)}
        report = {"game": "ultimate-texas-hold-em", "device": None}
        (found,) = opinions(report | {"wagers": [wager | claimed | {"cycle": 1, "rows": rows, "lines": []}]})
        assert (found.outcome, found.derived) == (outcome, -float(value))


def test_as_a_program_it_ends_with_one_if_a_figure_differs(tmp_path: Path) -> None:
    found = report("sic-bo")
    path = tmp_path / "report.json"
    path.write_text(json.dumps(found), encoding="utf-8")
    command = [sys.executable, str(FILE), str(path)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.count("agrees exactly") == len(found["wagers"])
    found["wagers"][0]["tables"]["sic_bo"]["rows"]["three_of_a_kind"]["rate"] = "149"
    path.write_text(json.dumps(found), encoding="utf-8")
    ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert ran.returncode == 1
    assert ran.stdout.count("; differs") == 1


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[" * 100_000,
        "{}",
        '{"wagers": 3}',
        '{"game": "x", "wagers": [{}]}',
        '{"wagers": [' + "9" * 5000 + "]}",
        '{"wagers": [{"wager": "", "paytable": "", "reading": "", "expected_value": "1e-3000000"}]}',
        " " * (second_opinion.LARGEST + 1),
    ],
    ids=lambda text: f"{text[:12]}{len(text)}",
)
def test_a_report_that_is_none_is_refused_in_a_sentence(
    content: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "report.json"
    path.write_text(content, encoding="utf-8")
    monkeypatch.setattr(sys, "argv", ["second_opinion", str(path)])
    with pytest.raises(SystemExit) as ended:
        second_opinion.main()
    assert ended.value.code == 2
    assert "isn't a report" in capsys.readouterr().err
