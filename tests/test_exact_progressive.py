"""Progressive wagers: break-even by hand, the long run against meters that really turn, Envy Bonuses."""

from datetime import date
from fractions import Fraction
from math import comb
from random import Random
from types import MappingProxyType

import pytest

pytest.importorskip("numpy")
pytest.importorskip("numba")

from pitboss.api import rules_for
from pitboss.exact.duel import solve
from pitboss.exact.progressive import NoMeterError, progressive_report, progressive_wagers
from pitboss.exact.value import value
from pitboss.games.contract import Game
from pitboss.games.registry import GAMES
from pitboss.games.rules import Choices, Rules
from pitboss.law.cite import Cite
from pitboss.law.model import MeterSpec, Period
from pitboss.meters import UNITS_PER_CENT, Meter

DAY = date(2024, 6, 1)
TCP, FCP = GAMES["three-card-poker"], GAMES["four-card-poker"]


def lettered(game: Game, table: str, letter: str) -> Rules:
    return rules_for(game.name, DAY, Choices(letters={table: letter}))


@pytest.mark.law("649a.12(e)(1)", "649a.12(e)(3)", "649a.12(e)(5)")
def test_three_card_progressive_by_hand() -> None:
    """Of 22,100 hands: 1 meter, 3 at 500, 44 at 70, 52 at 60, 720 at 6, all "for 1"."""
    report = progressive_report(TCP, rules_for(TCP.name, DAY), "three_card_progressive")
    paid = 3 * 500 + 44 * 70 + 52 * 60 + 720 * 6
    assert report.fixed == Fraction(paid, 22100) - 1
    (tier,) = report.tiers
    assert (tier.slope, tier.rounds_between_hits) == (Fraction(1, 22100), Fraction(22100))
    assert report.break_even("meter") == 22100 - paid == 10080
    assert report.expected_value({"meter": Fraction(10080)}) == 0
    # Envy for a wager of $5: $500 for the spades, $125 for each of the three others, in wagers of $5.
    assert report.envy_per_seat == Fraction(100 + 3 * 25, 22100)
    assert report.break_even("meter", 6) == 10080 - 6 * 175
    assert report.break_even("meter", 6, envy=False) == 10080
    # 14 % goes to the meter, and every 22,100 wagers the house puts 1,000 units on it.
    assert tier.paid == Fraction(14, 100) + Fraction(1000, 22100)
    assert tier.mean_meter == Fraction(14, 100) * 22100 + 1000
    assert report.long_run_return == Fraction(paid, 22100) + tier.paid
    assert report.long_run_house_hold == report.long_run_hold


@pytest.mark.law("641a.12(e)(1)", "641a.12(e)(3)")
def test_jackpots_in_tiers_break_even_with_the_others_at_their_seed() -> None:
    report = progressive_report(FCP, lettered(FCP, "five_card_progressive", "C"), "five_card_progressive")
    assert [tier.tier for tier in report.tiers] == ["mega", "major", "minor"]
    assert [tier.seed for tier in report.tiers] == [10_000, 1_000, 250]
    for tier in report.tiers:
        meters = {each.tier: each.seed for each in report.tiers} | {tier.tier: report.break_even(tier.tier)}
        assert report.expected_value(meters) == 0
        assert tier.whole == tier.slope
    assert sum(tier.rate for tier in report.tiers) == Fraction(19, 100)


@pytest.mark.law("641a.12(d)(3)")
def test_a_reserve_that_grows_faster_than_it_is_needed() -> None:
    report = progressive_report(FCP, lettered(FCP, "four_card_progressive", "B"), "four_card_progressive")
    (tier,) = report.tiers
    assert tier.whole == Fraction(48, comb(52, 5))
    assert tier.unspent_reserve == Fraction(5, 100) - 1000 * tier.whole > 0
    assert report.long_run_hold - report.long_run_house_hold == tier.unspent_reserve


@pytest.mark.law("641a.12(g)(4)", "649a.12(i)(4)")
def test_a_reserve_that_becomes_the_meter_is_paid_in_full() -> None:
    for game, rate in ((FCP, 13), (TCP, 21)):
        report = progressive_report(game, rules_for(game.name, DAY), "five_card_hand_player")
        (tier,) = report.tiers
        assert (tier.reseed, tier.paid) == (Fraction(0), Fraction(rate + 8, 100))
        assert tier.unspent_reserve == 0


@pytest.mark.law("641a.12(g)(2)", "649a.12(i)(2)")
def test_a_jackpot_on_the_dealers_hand_is_divided() -> None:
    rules = rules_for(FCP.name, DAY)
    dealer = progressive_report(FCP, rules, "five_card_hand_dealer")
    player = progressive_report(FCP, rules, "five_card_hand_player")
    assert dealer.break_even("meter") == player.break_even("meter", 3)
    assert dealer.break_even("meter", 3) == 4 * player.break_even("meter", 3)


@pytest.mark.law("641a.12(g)(3)", "649a.12(i)(3)")
def test_magic_card_and_lucky_bonus_by_their_chance() -> None:
    rules = rules_for(FCP.name, DAY)
    plain = progressive_report(FCP, rules, "five_card_hand_player")
    magic, lucky = Fraction(1, 10), Fraction(1, 4)
    with_both = progressive_report(FCP, rules, "five_card_hand_player", magic_chance=magic, lucky_chance=lucky)
    assert plain.extras == {}
    assert with_both.extras == {
        "magic_card": magic * 20 * Fraction(5, 52),
        "lucky_bonus": lucky * 5 * Fraction(1, rules.seats + 1),
    }
    assert with_both.fixed - plain.fixed == sum(with_both.extras.values())
    silent = rules_for(FCP.name, DAY, Choices(magic_card=False, lucky_bonus=False))
    without = progressive_report(FCP, silent, "five_card_hand_player", magic_chance=magic, lucky_chance=lucky)
    assert without.fixed == plain.fixed


@pytest.mark.law("649a.11(b)(2)", "649a.12(h)(5)")
def test_folding_lowers_the_fixed_part_but_no_envy_hand_is_folded() -> None:
    rules = rules_for(TCP.name, DAY)
    assert TCP.duel is not None
    played = value(TCP, rules, solve(TCP.duel), TCP.duel)
    free = progressive_report(TCP, rules, "five_card_progressive")
    folding = progressive_report(TCP, rules, "five_card_progressive", folds=played)
    assert folding.fixed < free.fixed
    assert folding.jackpots == free.jackpots
    assert folding.envy_per_seat == free.envy_per_seat == Fraction(4 * 1000 + 36 * 300, comb(52, 5))
    assert folding.plays != free.plays
    # Without an Ante nobody can fold: both are reported, and the other wagers of the chapter stand.
    six = progressive_report(TCP, rules, "five_of_six_progressive", folds=played)
    assert six.plays == "nobody folds"


@pytest.mark.parametrize(("reseed", "reserve"), [(500, "0"), (0, "0.05"), (500, "0.15")])
def test_the_long_run_against_a_meter_that_turns(reseed: int, reserve: str) -> None:
    """The formulas of the module for a meter that pays all of it once in 60 wagers and a quarter once in 15."""
    whole, part, share, rate = 1 / 60, 1 / 15, Fraction(1, 4), Fraction(20, 100)
    spec = MeterSpec(
        wager="test",
        letter="-",
        cite=Cite.parse("649a.12(j)(3)"),
        period=Period(DAY),
        seed=MappingProxyType({"meter": 500}),
        reseed=MappingProxyType({"meter": reseed}),
        rate=MappingProxyType({"meter": rate}),
        reserve=Fraction(reserve),
    )
    stake, rounds, rng = 100, 80_000, Random(5)
    meter = Meter.seeded("test", spec, stake)
    found = paid = 0
    for _ in range(rounds):
        meter, _ = meter.contribute(stake)
        found += meter.amounts["meter"]
        drawn = rng.random()
        if drawn < whole + part:
            award = meter.award("meter", Fraction(1) if drawn < whole else share)
            paid += award.each
            meter = award.meter
    p, b = Fraction(1, 60), Fraction(1, 60) + Fraction(1, 15) * share
    expected = rate + (p * reseed / 100 if reseed else Fraction(reserve))
    # Chance enters through the number of whole hits: four standard errors of it, and the meter left at the end.
    error = 4 * reseed / 100 * (float(p) / rounds) ** 0.5 + 4 * float(expected / b) / rounds
    assert paid / rounds / stake == pytest.approx(float(expected), abs=error)
    assert found / rounds / stake / UNITS_PER_CENT == pytest.approx(float(expected / b), rel=0.09)
    unspent = max(Fraction(reserve) - p * reseed / 100, Fraction(0)) if reseed else Fraction(0)
    assert meter.reserve / rounds / stake / UNITS_PER_CENT == pytest.approx(float(unspent), abs=error)


def test_every_progressive_wager_has_a_report() -> None:
    for game in (TCP, FCP):
        rules = rules_for(game.name, DAY)
        assert len(progressive_wagers(game, rules)) == {TCP: 5, FCP: 4}[game]
        for wager in progressive_wagers(game, rules):
            shown = progressive_report(game, rules, wager, other_seats=(0, 5)).as_dict()
            assert 0.4 < shown["long_run_return"] < 0.9
            for tier in shown["tiers"].values():
                assert set(tier["break_even_with_envy_dollars"]) == {"0", "5"}


@pytest.mark.law("641a.12(d)(3)")
def test_without_a_rate_there_is_no_report() -> None:
    with pytest.raises(NoMeterError, match="aces_up"):
        progressive_report(FCP, rules_for(FCP.name, DAY), "aces_up")
    early = rules_for(FCP.name, date(2016, 1, 1))
    with pytest.raises(NoMeterError, match="four_card_progressive"):
        progressive_report(FCP, early, "four_card_progressive")
