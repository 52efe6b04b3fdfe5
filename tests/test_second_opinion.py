"""The second opinion: it stands alone, agrees with reports, and differs from a figure that was tampered with."""

import ast
import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pitboss import second_opinion
from pitboss.cards import Card
from pitboss.games.round import Decision, Round, Seat
from pitboss.games.settle import settle
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
    found = list(opinions(report(game)))
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


RAISED = {
    "ultimate-texas-hold-em": ("always play 3x", {"preflop": Decision("play", 3 * ANTE)}),
    "heads-up-hold-em": ("always raise", {"preflop": Decision("raise")}),
    "texas-hold-em-bonus": (
        "always bet, then bet, then bet",
        dict.fromkeys(("flop", "turn", "river"), Decision("bet")),
    ),
}
"""What the reports of these games price as the play without looking, and the same as decisions."""


@pytest.mark.parametrize("game", RAISED)
def test_hands_that_are_raised_at_once_gain_what_the_table_pays(game: str) -> None:
    """The same deals settled live; what the report prices is then told from it by the sample's error."""
    _, rules = submitted(game)
    play, decisions = RAISED[game]
    nets: list[float] = []
    stakes: dict[str, Fraction] = {}
    for dealt in deals(400, 5):
        mine, board, other = (tuple(map(Card, dealt[part])) for part in (slice(2), slice(2, 7), slice(7, 9)))
        played = Round(other, (Seat(1, mine, wagers_of(rules), decisions),), {"community": board})
        settled = settle(rules, played)
        assert not settled.findings
        nets.append(sum(line.net for line in settled.lines) / ANTE)
        stakes |= {line.wager: Fraction(line.stake, ANTE) for line in settled.lines}
    tables = {
        name: {"rows": {row: _plain(odds) for row, odds in table.rows.items()}} for name, table in rules.tables.items()
    }
    lines = [{"line": name, "stake": str(stake)} for name, stake in stakes.items()]
    wager: dict[str, Any] = {"tables": tables, "lines": lines, "reading": "printed", "line": "main"}
    mean, error = second_opinion.all_in(wager, play, 400, 5)
    assert mean == pytest.approx(sum(nets) / len(nets), abs=1e-12)
    assert 0.05 < error < 1
    assert len({*nets}) > 3
    mean, _ = second_opinion.all_in(wager, play, 1000, 1)
    priced = {"way": "unseen", "name": play, "expected_value": str(Fraction(mean)), "house_edge": -mean}
    wager |= {"wager": "main", "paytable": "A", "expected_value": "-1", "house_edge": 1.0, "cycle": 1, "lines": []}
    wager["rows"] = [{"ways": 1, "net": "-1", "contribution": "-1"}]
    wager["lines"] = [each | {"contribution": "0"} for each in lines[1:]] + [lines[0] | {"contribution": "-1"}]
    found = {"game": game, "device": None, "wagers": [wager], "skill_range": [priced | {"name": "always fold"}, priced]}
    (right,) = opinions(found, draws=4)
    assert right.outcome.startswith("agrees for one play")
    assert right.derived is None
    priced["expected_value"] = str(Fraction(mean) + 1)
    (wrong,) = opinions(found, draws=4)
    assert wrong.outcome.startswith("differs for one play")
    found["skill_range"] = []
    (missing,) = opinions(found, draws=4)
    assert missing.outcome == "not checked"


def deals(draws: int, seed: int) -> Any:
    """The cards that the second opinion samples."""
    return (
        np.random.default_rng(seed).permuted(np.tile(np.arange(52, dtype=np.uint8), (draws, 1)), axis=1)[:, :9].tolist()
    )


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
