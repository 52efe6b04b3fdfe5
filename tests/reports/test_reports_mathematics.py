"""The mathematics report: the figures of the exact engine, all of them, under the submission's own pay tables."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from pitboss.exact.edge import edge_rows
from pitboss.exact.figures import EdgeFigures, outcomes_of
from pitboss.exact.progressive import progressive_report
from pitboss.games.registry import GAMES
from pitboss.paper.model import CellKind, Column, Listing, Plot
from pitboss.paper.page import html_of
from pitboss.paper.plot import svg_of
from pitboss.paper.say import chance, decimals, net, percent
from pitboss.reports.figures import name_of, sensitivity
from pitboss.reports.form import holds_of
from pitboss.reports.holds import counted
from pitboss.reports.math_report import mathematics_paper
from tests.reports.papers import DAY, no_reference_leaves, parsed, submitted, without
from tests.reports.papers import words as all_words

GAME = "four-card-frenzy"
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def found() -> tuple[EdgeFigures, ...]:
    return tuple(counted(*submitted(GAME)))


def test_figures_are_those_of_the_engine(found: tuple[EdgeFigures, ...]) -> None:
    rows = {(row["wager"], row["reading"]): row for row in edge_rows(GAMES[GAME], DAY, paytable="A")}
    assert {each.wager for each in found} == {"main", "prime", "four_card_bonus", "all_six"}
    for each in found:
        row = rows[each.wager, each.reading]
        assert each.result is not None
        assert str(each.result.expected_value) == row["expected_value"]
        assert each.result.standard_deviation == row["standard_deviation"]
        assert float(each.result.hit_frequency) == row["hit_frequency"]
        assert each.conditions.published == row["published"]
        assert sum(each.result.chances.values()) == 1
        assert sum(net * chance for net, chance in each.result.chances.items()) == each.result.expected_value
        if each.wager == "main":
            assert each.main is not None
            assert float(each.main.house_edge_required) == row["house_edge_required"]
            assert float(each.result.element_of_risk) == row["element_of_risk"]


def test_a_chosen_letter_and_reading_are_what_is_counted() -> None:
    changes = {'paytable = "A"  # A or B\n': 'paytable = "B"\n', "# readings = {": "readings = {"}
    found = list(counted(*submitted(GAME, **changes)))
    shown = {each.wager: each for each in found[::-1]}  # the chosen reading comes first
    assert shown["prime"].expected_value == Fraction(-5, 51)
    row = next(iter(edge_rows(GAMES[GAME], DAY, "four_card_bonus", "A")))
    assert row["reading"] == "printed"
    assert shown["four_card_bonus"].reading == "hold-consistent"
    assert str(shown["four_card_bonus"].expected_value) != row["expected_value"]
    assert [each.reading for each in found if each.wager == "four_card_bonus"] == ["hold-consistent", "printed"]


def test_the_report_prints_every_figure_and_note(found: tuple[EdgeFigures, ...]) -> None:
    submission, rules = submitted(GAME)
    page = html_of(mathematics_paper(submission, rules))
    assert page == html_of(mathematics_paper(submission, rules))
    assert no_reference_leaves(page)
    text = all_words(parsed(page))
    for each in found:
        assert name_of(each) in text
        assert percent(each.hold) in text
        assert f"Expected value, of the {each.unit} {each.expected_value}" in text
        assert each.result is not None
        assert f"{each.result.standard_deviation:.4f}" in text
        assert each.conditions.published is None or each.conditions.published in text
        outcomes = outcomes_of(each)
        for outcome in outcomes:
            assert net(outcome.net) in text
            assert str(Fraction(outcome.ways, sum(each.ways for each in outcomes))) in text
    notes = {note.name: note for note in rules.chapter.notes}
    assert notes["four-card-bonus-two-readings"].text in text
    assert "payout limit of $50,000 can cut pays when" in text
    plots = list(parsed(page).iter(f"{SVG}svg"))
    assert len(plots) == len(found)
    assert all(plot.get("role") == "img" and plot.find(f"{SVG}title") is not None for plot in plots)


def test_progressives_bring_their_meter_into_the_report() -> None:
    others = ("six_card_bonus", "five_card_progressive", "five_card_hand_player", "five_card_hand_dealer")
    submission, rules = without("three-card-poker", *others, "five_of_six_progressive")
    listed = tuple(counted(submission, rules))
    shown = {each.wager: each for each in listed}
    assert [each.reading for each in listed if each.wager == "main"] == [
        "printed",
        "ante-bonus-unless-beaten",
        "ante-bonus-only-if-higher",
    ]
    three = shown["three_card_progressive"]
    assert three.progressive is not None
    assert three.progressive.stake == 100
    assert [jackpot.row for jackpot in three.jackpots] == ["mini_royal_of_spades"]
    text = all_words(parsed(html_of(mathematics_paper(submission, rules))))
    assert percent(three.progressive.long_run_hold) in text
    one_line = "Meter from a seed of $1,000, $4,094 on average, at $1: in the long run one seat loses 27.0860 %"
    assert " ".join(text.split()).count(one_line) == 2, "in the summary and in its own part"
    assert "1/22100" in text
    holds = holds_of(submission, rules)
    assert holds is not None
    assert holds["three_card_progressive"].startswith(percent(three.progressive.long_run_hold))
    # Seven seats, each with six others whose hands may earn it an Envy Bonus.
    assert "1234/5525" in text
    assert "22.3348 % with 7 seats, meter and Envy Bonuses included" in holds["three_card_progressive"]
    assert holds["main"] == "3.3730 % of the Ante"
    printed, other, _ = (each for each in listed if each.wager == "main")
    assert printed.expected_value == Fraction(-686689, 20358520)
    row = next(row for row in edge_rows(GAMES["three-card-poker"], DAY, "main", "A") if row["reading"] == other.reading)
    assert str(other.expected_value) == row["expected_value"] != str(printed.expected_value)


def test_the_sensitivity_of_a_meter_is_the_difference_of_two_counts() -> None:
    _, rules = submitted("three-card-poker")
    game, wager = GAMES["three-card-poker"], "three_card_progressive"
    spec = rules.meters[rules.wagers[wager].meter]
    report = progressive_report(game, rules, wager, range(rules.seats), 100)
    (tier,) = report.tiers

    def hold(**more: Any) -> Fraction:
        other = replace(rules, meters={**rules.meters, rules.wagers[wager].meter: replace(spec, **more)})
        return progressive_report(game, other, wager, range(rules.seats), 100).long_run_hold

    higher = hold(reseed={name: cents + 100_000 for name, cents in spec.reseed.items()})
    faster = hold(rate={name: rate + Fraction(1, 100) for name, rate in spec.rate.items()})
    assert report.long_run_hold - faster == Fraction(1, 100)
    seeds = {tier.tier: tier.seed}
    more = {tier.tier: tier.seed + 1000}
    said = next(remark.text for remark in sensitivity(report))
    assert (
        f"$1,000 more on the meter adds {percent(report.expected_value(more) - report.expected_value(seeds))}" in said
    )
    assert f"a reseed higher by as much takes {percent(report.long_run_hold - higher)} off" in said


def test_a_plot_has_a_bar_for_each_result_longer_for_what_is_likelier() -> None:
    columns = Column("net", "Net", CellKind.NET), Column("chance", "Probability", CellKind.CHANCE)
    rows = ((Fraction(-1), Fraction(3, 4)), (Fraction(5, 2), Fraction(1, 4)))
    root = parsed(svg_of(Plot(Listing("results", columns, rows), "Results", "net", ("chance",), logarithmic=True)))
    widths = [float(each.attrib["width"]) for each in root.iter(f"{SVG}rect")]
    assert len(widths) == 2
    assert widths[0] > widths[1] > 0
    assert "+2.5" in all_words(root)
    sure = Plot(Listing("sure", columns, ((Fraction(1), Fraction(1)),)), "Sure", "net", ("chance",), logarithmic=True)
    assert len(list(parsed(svg_of(sure)).iter(f"{SVG}rect"))) == 1


def test_numbers_are_rounded_on_exact_fractions() -> None:
    assert decimals(Fraction(5, 1000), 2) == "0.01"
    assert decimals(Fraction(-4, 1000), 2) == "0.00"
    assert decimals(Fraction(-12345678, 10), 1) == "−1,234,567.8"
    assert chance(Fraction(1, 649_740)) == "0.00000153908"
    assert net(Fraction(-3, 2)) == "−1.5"
