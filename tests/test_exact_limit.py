"""The hold under a payout limit: figures found by others, play at a stake, simulation, and where the limit is shown."""

import json
from dataclasses import replace
from datetime import date
from fractions import Fraction
from pathlib import Path

import pytest
from typer.testing import CliRunner

import pitboss
from pitboss.api import rules_for
from pitboss.cli import app
from pitboss.exact.draw_rows import key_of
from pitboss.exact.engine import play_of, same_play
from pitboss.exact.limit import cut_from, limit_findings, limited
from pitboss.exact.solo import count, plan_of, solo_of
from pitboss.games.registry import GAMES
from pitboss.games.rules import Choices, Limits, Rules
from pitboss.paper.page import html_of
from pitboss.reports.math_report import mathematics_paper, report_file
from pitboss.simulate.figures import run_figures
from pitboss.simulate.plan import every_wager, make_plan
from pitboss.simulate.results import rows
from pitboss.simulate.runs import simulate
from pitboss.submission import read_submission, rules_of, template

AS_OF = date(2024, 6, 1)
STUD = "mississippi-stud"
FILING = template(STUD, AS_OF)
"""Filed at $10 to $1,000."""


@pytest.fixture(scope="module")
def filed() -> Rules:
    rules, findings = rules_of(read_submission(FILING))
    assert rules is not None, findings
    return rules


def test_the_hold_by_stake_is_the_one_that_others_found(filed: Rules) -> None:
    """An independent count of a table filed at $10 to $1,000, played as is best without the limit."""
    stakes = (1000, 1500, 2500, 10_000, 50_000, 100_000)
    found = limited(GAMES[STUD], filed, stakes)
    assert found is not None
    shares = [f"{100 * float(each.same_play):.4f}" for each in found.holds]
    assert shares == ["4.9149", "5.0175", "5.2227", "5.6351", "11.5926", "16.8590"]
    assert found.cut_from == 1001
    assert all(each.best_play is not None and each.best_play <= each.same_play for each in found.holds)
    # At $1,000 a player who knows the limit wagers less on the great hands.
    assert found.holds[-1].best_play is not None
    assert f"{100 * float(found.holds[-1].best_play):.4f}" == "16.5339"
    assert pitboss.edge(filed, stake=100_000).house_edge == found.holds[-1].best_play
    assert pitboss.edge(filed, stake=1000).house_edge == pitboss.edge(filed).house_edge


@pytest.mark.parametrize(
    ("game", "options", "stakes"),
    [(STUD, {}, {"ante": 100_000}), ("four-card-frenzy", {"payout_limit": 5_000_000}, {"ante": 10**6, "odds": 10**6})],
    ids=["655a.12(b)", "684a.12(g)"],
)
def test_simulation_has_an_exact_value_and_lies_at_it(
    game: str, options: dict[str, int], stakes: dict[str, int]
) -> None:
    rules = rules_for(game, AS_OF, Choices(options=options))
    plan = make_plan(rules, every_wager(rules, 1, stakes))
    main = rows(simulate(plan, 300_000, seed=7))[0]
    played = plan.strategy.valued
    assert played is not None
    expected = same_play(GAMES[game], rules.at_stake(stakes["ante"]), played)
    assert expected is not None
    assert main.exact == expected.expected_value
    assert main.exact < played.result.expected_value
    assert main.z is not None
    assert abs(main.z) < 4


def test_simulation_says_why_there_is_no_exact_value() -> None:
    rules = rules_for(STUD, AS_OF)
    plan = make_plan(rules, {1: {"ante": 1000}, 2: {"ante": 100_000}})
    told = run_figures(simulate(plan, 100)).as_dict()
    assert told["rows"][0]["exact"] is None
    assert "seats wager different amounts" in told["no_exact_value"]


def test_a_limit_cuts_from_the_first_stake_at_which_settlement_differs(filed: Rules) -> None:
    (cap,) = filed.caps
    game, cut = GAMES[STUD], cut_from(GAMES[STUD], filed, cap)
    assert cut is not None
    counts = count(solo_of(game))
    plans = [plan_of(game, filed.at_stake(stake), counts) for stake in (None, cut - 1, cut)]
    free, below, at = (Fraction(int(plan.nets.max()), plan.unit) for plan in plans if plan is not None)
    assert free == below == 5000
    assert at == Fraction(5_000_000, cut)


def test_the_check_of_a_filing_warns(tmp_path: Path, filed: Rules) -> None:
    (finding,) = limit_findings(GAMES[STUD], filed)
    assert finding.severity == "note"
    assert finding.cite == "655a.12(b)"
    assert "4.9149 % of the Ante at $10 and 16.8590 % at $1,000" in finding.sentence
    low = replace(filed, choices=replace(filed.choices, limits={"ante": Limits(1000, 1000)}))
    assert list(limit_findings(GAMES[STUD], low)) == []
    path = tmp_path / "filing.toml"
    path.write_text(FILING, encoding="utf-8")
    told = CliRunner().invoke(app, ["submission", "check", str(path)])
    assert told.exit_code == 0
    assert "Warning: " + str(finding) in told.output


def test_the_report_and_the_command_show_the_hold_by_stake(filed: Rules) -> None:
    html = html_of(mathematics_paper(read_submission(FILING), filed))
    assert "16.8590 %" in html
    assert "16.5339 %" in html
    (main, *_) = json.loads(report_file(read_submission(FILING), filed, "json"))["wagers"]
    held = main["payout_limit"]["hold_by_stake"][-1]
    assert (held["stake"], f"{held['house_edge_same_play']:.6f}") == (100_000, "0.168590")
    runner = CliRunner()
    words = ["edge", STUD, "--wager", "main", "--as-of", str(AS_OF)]
    (plain,) = json.loads(runner.invoke(app, [*words, "--json"]).output)
    assert plain["payout_limit"]["cut_from"] == 1001
    assert plain["published"]
    (at,) = json.loads(runner.invoke(app, [*words, "--stake", "1000", "--json"]).output)
    assert f"{at['house_edge']:.6f}" == "0.165339"
    assert at["published"] is None
    assert Fraction(at["expected_value"]) == -pitboss.edge(rules_for(STUD, AS_OF), stake=100_000).house_edge
    shown = runner.invoke(app, [*words, "--stake", "1000"]).output
    assert "16.8590 %" in shown
    assert "655a.12(b)" in shown
    assert "The figures above are for $1,000, under it." in " ".join(shown.split())


@pytest.mark.parametrize(("game", "options"), [(STUD, {}), ("let-it-ride", {"payout_limit": 5_000_000})])
@pytest.mark.parametrize("stake", [5_000, 100_000, 10_000_000])
def test_where_all_wagers_win_together_the_limit_cuts_their_sum(game: str, options: dict[str, int], stake: int) -> None:
    """An independent computation: the distribution without the limit, each result cut at the limit."""
    rules = rules_for(game, AS_OF, Choices(options=options))
    free = play_of(GAMES[game], rules)
    most = Fraction(5_000_000, stake)
    deals = sum(free.result.distribution.values())
    cut = sum(min(net, most) * count for net, count in free.result.distribution.items()) / deals
    under = same_play(GAMES[game], rules.at_stake(stake), free)
    assert under is not None
    assert under.expected_value == cut


def test_a_stake_never_shares_a_cached_result() -> None:
    """A cent is not divided: at one cent some pays are less than their odds."""
    rules = rules_for("lunar-poker", AS_OF)
    tables = tuple(rules.tables)
    assert (
        key_of(rules.at_stake(1), "", tables) != key_of(rules, "", tables) == key_of(rules.at_stake(None), "", tables)
    )
    with pytest.raises(pitboss.PitbossError, match="A stake is a whole number of cents"):
        pitboss.edge(rules, stake=True)


def test_the_command_leaves_best_play_empty_at_stakes_where_it_is_not_counted() -> None:
    """The limit of this game cuts nothing at its least stakes; best play under it is counted nowhere else."""
    ran = CliRunner().invoke(app, ["edge", "texas-hold-em-bonus", "--wager", "main", "--as-of", str(AS_OF)])
    assert ran.exit_code == 0, ran.exception
    assert "The payout limit of" in ran.stdout
