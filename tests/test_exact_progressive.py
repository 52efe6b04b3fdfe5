"""Progressive wagers: break-even by hand, the long run against meters that really turn, Envy Bonuses."""

import re
from dataclasses import replace
from datetime import date
from fractions import Fraction
from itertools import combinations
from json import loads
from math import comb, factorial
from random import Random
from types import MappingProxyType

import pytest
from typer.testing import CliRunner

pytest.importorskip("numpy")
pytest.importorskip("numba")

from pitboss.api import rules_for
from pitboss.cli import app
from pitboss.exact.duel import solve
from pitboss.exact.edge import edge_rows, find_variant, rules_of_variant
from pitboss.exact.progressive import NoMeterError, progressive_report, progressive_wagers
from pitboss.exact.side import side_result
from pitboss.exact.target import hold, targets
from pitboss.exact.value import value
from pitboss.findings import UnreadableError
from pitboss.games.contract import Game
from pitboss.games.options import Selection
from pitboss.games.registry import BANKED as GAMES
from pitboss.games.repaying import with_rows
from pitboss.games.rules import Choices, Rules
from pitboss.law.cite import Cite
from pitboss.law.model import MeterSpec, Period
from pitboss.law.odds import ForOne
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
    with_both = progressive_report(
        FCP, rules, "five_card_hand_player", chances={"magic_card": magic, "lucky_bonus": lucky}
    )
    assert plain.extras == {}
    assert with_both.extras == {
        "magic_card": magic * 20 * Fraction(5, 52),
        "lucky_bonus": lucky * 5 * Fraction(1, rules.seats + 1),
    }
    assert with_both.fixed - plain.fixed == sum(with_both.extras.values())
    silent = rules_for(FCP.name, DAY, Choices(options={"magic_card": Selection(), "lucky_bonus": Selection()}))
    without = progressive_report(
        FCP, silent, "five_card_hand_player", chances={"magic_card": magic, "lucky_bonus": lucky}
    )
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


@pytest.mark.law("649a.12(i)(2)", "649a.12(i)(4)")
def test_five_seats_on_both_hands_by_hand() -> None:
    """Ten wagers feed the meter with 29 % each; six hands hit it; the dealer's part is divided by five.

    Of 2,598,960 hands 624 pay 500, 3,744 pay 100, 5,108 pay 50; shares of the meter come on top.
    """
    rules = rules_for(TCP.name, DAY)
    fixed = Fraction(624 * 500 + 3744 * 100 + 5108 * 50, comb(52, 5)) - 1
    player, dealer = (progressive_report(TCP, rules, f"five_card_hand_{hand}") for hand in ("player", "dealer"))
    assert player.fixed == dealer.fixed == fixed
    in_all = 10 * Fraction(29, 100)
    assert player.at_seats(5).meter == in_all / 6
    assert dealer.at_seats(5).meter == in_all / 6 / 5
    assert player.at_seats(5).hold == -fixed - in_all / 6 == Fraction(5897, 38220)
    assert dealer.at_seats(5).hold == -fixed - in_all / 30 == Fraction(34459, 63700)
    for seats in range(1, 8):
        both = player.at_seats(seats), dealer.at_seats(seats)
        # What one wager's players win more, the other's win less: the house pays 29 % of each wager.
        assert sum(each.hold for each in both) == 2 * player.long_run_hold
        assert {each.house_hold for each in both} == {player.long_run_hold}
        assert (
            player.at_seats(seats, others=False).hold == dealer.at_seats(seats, others=False).hold == both[0].house_hold
        )


@pytest.mark.law("649a.12(e)(5)")
def test_envy_bonuses_are_part_of_the_hold_by_seats() -> None:
    report = progressive_report(TCP, rules_for(TCP.name, DAY), "three_card_progressive")
    assert report.at_seats(1).hold == report.long_run_hold == Fraction(2993, 11050)
    assert report.at_seats(7).hold == report.long_run_hold - 6 * Fraction(175, 22100) == Fraction(1234, 5525)
    assert report.at_seats(7).house_hold == report.at_seats(7).hold
    shown = report.as_dict()["hold_by_seats"]
    assert [each["seats"] for each in shown] == [1, 2, 3, 4, 5, 6, 7]
    assert Fraction(shown[-1]["hold_exactly"]) == Fraction(1234, 5525)


Chances = dict[tuple[int, int], Fraction]


def straight_flushes() -> list[tuple[int, bool]]:
    """All forty as sets of bits, and whether each is a royal flush."""
    tops = [(suit, top) for suit in range(4) for top in range(3, 13)]
    return [(sum(1 << 13 * suit + (top - each) % 13 for each in range(5)), top == 12) for suit, top in tops]


def chances(shared: int, own: int, hands: int) -> Chances:
    """That certain r hands of a round hold royal flushes and s others straight flushes, whatever the rest holds."""
    found: dict[tuple[int, int], int] = {}

    def count(listed: list[tuple[int, bool]], used: int, royals: int, others: int) -> None:
        found[royals, others] = found.get((royals, others), 0) + 1
        if royals + others < hands:
            for place, (cards, royal) in enumerate(listed):
                if not cards & used:
                    count(listed[place + 1 :], used | cards, royals + royal, others + (not royal))

    for common in combinations(range(52), shared):
        on = sum(1 << card for card in common)
        count([(cards & ~on, royal) for cards, royal in straight_flushes() if cards & on == on], 0, 0, 0)
    ways = {}
    for (royals, others), number in found.items():
        deals = comb(52, shared)
        for place in range(royals + others):
            deals *= comb(52 - shared - own * place, own)
        ways[royals, others] = Fraction(number * factorial(royals) * factorial(others), deals)
    return ways


Matrix = tuple[tuple[Fraction, Fraction], tuple[Fraction, Fraction]]
ONE: Matrix = ((Fraction(1), Fraction(0)), (Fraction(0), Fraction(1)))
NONE: Matrix = ((Fraction(0), Fraction(0)), (Fraction(0), Fraction(0)))
WHOLE: Matrix = ((Fraction(0), Fraction(1)), (Fraction(0), Fraction(0)))
TENTH: Matrix = ((Fraction(9, 10), Fraction(0)), (Fraction(0), Fraction(1)))


def times(one: Matrix, other: Matrix) -> Matrix:
    (a, b), (c, d) = one
    (e, f), (g, h) = other
    return (a * e + b * g, a * f + b * h), (c * e + d * g, c * f + d * h)


def plus(one: Matrix, other: Matrix, factor: Fraction) -> Matrix:
    (a, b), (c, d) = one
    (e, f), (g, h) = other
    return (a + factor * e, b + factor * f), (c + factor * g, d + factor * h)


def paid_with_every_tie(seats: int, ways: Chances, rate: Fraction, reserve: Fraction) -> Fraction:
    """What the meter pays a wager on the player's own hand, with several jackpots in one round taken in their order.

    Meter and reserve before the awards are a vector; a whole meter turns (m, q) into (q, 0), a tenth into (0.9 m, q).
    The expected effect of a round is a product of matrices (one for each hand in the order of settlement: the last
    seat, the dealer's hand at its turn, the other seats), each 1 + sum of (effect - 1) where a hand wins, so that
    only the chances of the hands that win are needed.
    """
    found: dict[tuple[int, int], Matrix] = {(0, 0): ONE}
    own = Fraction(0), Fraction(0)
    for place in range(seats + 1):
        after = dict(found)
        for (royals, others), standing in found.items():
            for key, effect, share in (
                ((royals + 1, others), WHOLE, Fraction(1)),
                ((royals, others + 1), TENTH, Fraction(1, 10)),
            ):
                if key in ways:
                    if place != 1:
                        won = ways[key] * share
                        own = own[0] + won * standing[0][0], own[1] + won * standing[0][1]
                    changed = times(plus(effect, ONE, Fraction(-1)), standing)
                    after[key] = plus(after.get(key, NONE), changed, Fraction(1))
        found = after
    whole = NONE
    for key, standing in found.items():
        whole = plus(whole, standing, ways[key])
    # In the long run the state before the awards is x = A x + increments.
    (a, b), (c, d) = whole
    fed, put_by = 2 * seats * rate, 2 * seats * reserve
    bottom = (1 - a) * (1 - d) - b * c
    meter, kept = ((1 - d) * fed + b * put_by) / bottom, ((1 - a) * put_by + c * fed) / bottom
    return (own[0] * meter + own[1] * kept) / seats


@pytest.mark.parametrize(("game", "shared", "own"), [(TCP, 2, 3), (FCP, 0, 5)])
def test_jackpots_that_fall_in_one_round_hardly_matter(game: Game, shared: int, own: int) -> None:
    """The division among the wagers of a meter, counted with every combination of jackpots in one round."""
    report = progressive_report(game, rules_for(game.name, DAY), "five_card_hand_player")
    (tier,) = report.tiers
    ways = chances(shared, own, 8)
    assert ways[1, 0] + ways[0, 1] / 10 == tier.slope
    for seats in (1, 2, 5, 7):
        counted = paid_with_every_tie(seats, ways, tier.rate, tier.reserve)
        assert abs(counted - report.at_seats(seats).meter) < Fraction(1, 1_000_000)
        assert seats == 2 or counted != report.at_seats(seats).meter


def test_no_row_of_the_meter_is_no_report() -> None:
    rules = rules_for(TCP.name, DAY)
    without = with_rows(
        rules, "five_card_hand", {"royal_flush": ForOne(Fraction(1)), "straight_flush": ForOne(Fraction(1))}
    )
    with pytest.raises(NoMeterError, match="would grow for ever"):
        progressive_report(TCP, without, "five_card_hand_player")
    # Without a row that wins all of the meter the reserve never becomes one.
    never_whole = with_rows(rules, "five_card_hand", {"royal_flush": ForOne(Fraction(1))})
    report = progressive_report(TCP, never_whole, "five_card_hand_player")
    assert report.at_seats(1).meter == report.tiers[0].paid == Fraction(21, 100)
    assert report.tiers[0].unspent_reserve == report.long_run_hold - report.long_run_house_hold == Fraction(8, 100)
    assert report.at_seats(1).house_hold == report.long_run_house_hold


def test_figures_of_a_progressive_leave_jackpots_out_of_all_or_have_all_of_them() -> None:
    rules = rules_for(TCP.name, DAY)
    result = side_result(TCP, rules, "three_card_progressive")
    assert result.hit_frequency == Fraction(3 + 44 + 52 + 720, 22100)
    assert result.largest_pay == 499
    at_seed = result.with_meters({"meter": Fraction(1000)})
    assert at_seed.hit_frequency == Fraction(1 + 3 + 44 + 52 + 720, 22100)
    assert at_seed.largest_pay == 999
    assert at_seed.expected_value == result.expected_value + Fraction(1000, 22100)
    squares = 1000**2 + 3 * 500**2 + 44 * 70**2 + 52 * 60**2 + 720 * 6**2
    assert at_seed.variance == Fraction(squares, 22100) - (1 + at_seed.expected_value) ** 2
    row = next(edge_rows(TCP, DAY, "three_card_progressive", "A"))
    assert row["with_the_meter_at_its_seed"]["largest_pay"] == 999
    assert [each["hold_exactly"] for each in row["hold_by_seats"]][::6] == ["2993/11050", "1234/5525"]


def test_targets_of_a_progressive_count_the_meter() -> None:
    variant = find_variant(TCP, DAY, "three_card_progressive", "A")
    assert variant is not None
    rules = rules_of_variant(TCP, DAY, variant)
    assert hold(TCP, rules, variant, 500) == Fraction(2993, 11050)
    found = {change.row: change for change in targets(TCP, rules, variant, Fraction(20, 100), Fraction(25, 100))}
    # 720 straights: one unit more takes 720/22,100 off 27.0860 %.
    assert found["straight"].hold_at_least == Fraction(2993, 11050) - Fraction(720, 22100)
    early = rules_for(FCP.name, date(2016, 1, 1))
    four = replace(variant, wager="four_card_progressive", table="four_card_progressive")
    with pytest.raises(NoMeterError):
        hold(FCP, early, four, 500)


def test_the_command_says_which_seats_there_are() -> None:
    words = ["progressive", TCP.name, "five_card_hand_dealer", "--as-of", str(DAY)]
    shown = CliRunner().invoke(app, words, catch_exceptions=False).stdout
    assert "Five Card Hand Bonus Wager on the player's hand" in shown
    assert "34459/63700" in shown
    for wrong in ("7", "-1"):
        with pytest.raises(UnreadableError, match="other seats is a whole number from 0 to 6"):
            CliRunner().invoke(app, [*words, "--seats", wrong], catch_exceptions=False)


@pytest.mark.law("639a.12(d)(1)", "639a.12(d)(4)")
@pytest.mark.parametrize(
    ("letter", "rate", "reserve", "charged", "others"),
    [
        ("A", 53, 15, 36 * 5000 + 624 * 500 + 3744 * 100 + 5108 * 50, 10200 * 10 + 54912 * 3 + 123552 * 2),
        ("B", 53, 15, 624 * 500 + 3744 * 100 + 5108 * 50, 10200 * 10 + 54912 * 3 + 123552 * 2),
        ("E", 65, 5, 624 * 500 + 3744 * 100 + 5108 * 50, 0),
    ],
)
def test_prizes_charged_to_the_meter_by_hand(letter: str, rate: int, reserve: int, charged: int, others: int) -> None:
    """Of 2,598,960 hands, 4 royal flushes: as printed the house pays more than is wagered; by the other reading 87.8 %,
    87.8 % and 70.0 % come back, meter and reserve counted."""
    game, hands = GAMES["caribbean-stud"], 2_598_960
    both = {}
    for reading in ("", "prizes-charged-to-meter"):
        choices = Choices(letters={"progressive": letter}, readings={"progressive": reading} if reading else {})
        both[reading] = progressive_report(game, rules_for(game.name, DAY, choices), "progressive")
    (printed,), (other,) = (report.tiers for report in both.values())
    assert {report.fixed for report in both.values()} == {Fraction(charged + others, hands) - 1}
    reseeds = Fraction(4 * 10_000, hands)
    assert printed.paid == Fraction(rate, 100) + reseeds
    assert (other.charged, other.paid) == (Fraction(charged, hands), printed.paid - Fraction(charged, hands))
    assert other.mean_meter == other.paid / other.slope > 10_000
    returned = Fraction(rate + reserve, 100) + Fraction(others, hands)
    assert both["prizes-charged-to-meter"].long_run_house_hold == 1 - returned
    assert both[""].long_run_house_hold == 1 - returned - Fraction(charged, hands) < 0
    assert round(float(returned), 3) == {"A": 0.878, "B": 0.878, "E": 0.7}[letter]
    for report in both.values():
        alone = report.at_seats(1)
        assert (alone.hold, alone.house_hold) == (report.long_run_hold, report.long_run_house_hold)
    rows = {row["reading"]: row for row in edge_rows(game, DAY, "progressive", letter)}
    holds = [float(both[reading].long_run_hold) for reading in ("", "prizes-charged-to-meter")]
    assert [rows[reading]["hold_by_seats"][0]["hold"] for reading in ("printed", "prizes-charged-to-meter")] == holds


def test_linked_tables_win_the_meter_more_often_and_hold_the_same() -> None:
    """Of ten tables with three seats each 30 hands a round can win; a divided jackpot has one hand a table."""
    report = progressive_report(TCP, rules_for(TCP.name, DAY), "three_card_progressive", (0, 2), 100)
    linked = report.linked(10).rounds_between_hits["meter"]
    assert linked == {1: 2210, 3: Fraction(22100, 30)}
    dealer = progressive_report(TCP, rules_for(TCP.name, DAY), "five_card_hand_dealer", (2,))
    (hits,) = dealer.linked(10).rounds_between_hits["meter"].values()
    assert hits == Fraction(649_740, 40), "three own hands and the dealer's at each table"


def test_the_command_takes_a_stake_and_linked_tables() -> None:
    def run(*words: str) -> tuple[int, str]:
        ran = CliRunner().invoke(app, ["progressive", *words, "--as-of", str(DAY), "--json"])
        return ran.exit_code, ran.stdout or str(ran.exception)

    code, shown = run(TCP.name, "three_card_progressive", "--stake", "1", "--linked", "4", "--seats", "0")
    found = loads(shown)
    assert (code, found["stake_dollars"], found["tiers"]["meter"]["seed_dollars"]) == (0, 1.0, 1000.0)
    assert found["linked"]["rounds_between_hits"] == {"meter": {"1": 5525.0}}
    assert run(TCP.name, "three_card_progressive", "--stake", "2")[1].endswith(
        "The Three Card Progressive is a wager of $1 or $5, not of $2. (649a.12(e)(5))"
    )
    assert (
        "may not be chosen where linked games share the jackpot. (639a.12(d)(1))"
        in run("caribbean-stud", "progressive", "--linked", "3")[1]
    )


def test_two_wagers_are_compared_under_chosen_tables() -> None:
    def run(*words: str) -> str:
        ran = CliRunner().invoke(app, ["joint", TCP.name, "main", "pair_plus", *words, "--as-of", str(DAY)])
        return ran.stdout or str(ran.exception)

    assert re.search(r"Covariance, exactly +30926152856/14060102875\n", run())
    other = loads(run("--paytable", "Pair Plus=B", "--json"))
    assert other["paytables"] == ["A", "B"]
    rules = lettered(TCP, "pair_plus", "B")
    sides = [side_result(TCP, rules, name) for name in ("pair_plus",)]
    assert Fraction(other["a_unit_of_each"]["expected_value"]) == Fraction(-686689, 20358520) + sides[0].expected_value
    assert "has no wager 'Pair Plus' with pay table 'Z'" in run("--paytable", "pair_plus=Z")
    assert "write WAGER=LETTER" in run("--paytable", "B")
