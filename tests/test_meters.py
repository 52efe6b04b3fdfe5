"""Progressive meters: seeds, increments, awards and reseeds, exact to the ten-thousandth of a cent."""

from dataclasses import replace
from fractions import Fraction
from types import MappingProxyType

import pytest

from pitboss.cards import parse_cards
from pitboss.games.registry import GAMES
from pitboss.games.round import Decision, Round, Seat, decided
from pitboss.games.rules import Choices, Rules, resolve
from pitboss.games.settle import settle
from pitboss.law.model import MeterSpec
from pitboss.law.odds import Tier
from pitboss.meters import UNITS_PER_CENT, Award, Meter, MeterError
from tests.strategies import AS_OF

DOLLAR = 100 * UNITS_PER_CENT


def rules_of(game: str, **letters: str) -> Rules:
    rules, findings = resolve(GAMES[game].chapter, AS_OF, Choices(letters=letters))
    assert rules is not None
    assert findings == ()
    return rules


def spec_of(game: str, meter: str, letter: str = "") -> MeterSpec:
    return rules_of(game, **({meter: letter} if letter else {})).meters[meter]


def total(meter: Meter) -> int:
    return sum(meter.amounts.values()) + meter.reserve


def balances(award: Award) -> dict[str, int]:
    """What the movements of an award did to every account but the house's and the players'."""
    moved: dict[str, int] = {}
    for movement in award.movements:
        moved[movement.source] = moved.get(movement.source, 0) - movement.amount
        moved[movement.target] = moved.get(movement.target, 0) + movement.amount
    return moved


FOUR, THREE = "four-card-poker", "three-card-poker"
SEEDS = [
    # game, meter, letter, seed in dollars for each dollar, rate in percent, reserve in percent, paragraph
    (FOUR, "four_card_progressive", "A", {"meter": 5000}, {"meter": 29}, 0, "641a.12(d)(3)"),
    (FOUR, "four_card_progressive", "B", {"meter": 1000}, {"meter": 25}, 5, "641a.12(d)(3)"),
    (FOUR, "five_card_progressive", "A", {"meter": 10000}, {"meter": 21}, 0, "641a.12(e)(3)"),
    (FOUR, "five_card_progressive", "B", {"mega": 10000, "major": 1000}, {"mega": 11, "major": 10}, 0, "641a.12(e)(3)"),
    (
        FOUR,
        "five_card_progressive",
        "C",
        {"mega": 10000, "major": 1000, "minor": 250},
        {"mega": 9, "major": 7, "minor": 3},
        0,
        "641a.12(e)(3)",
    ),
    (
        FOUR,
        "five_card_progressive",
        "D",
        {"mega": 10000, "major": 1000, "minor": 250},
        {"mega": 10, "major": 8, "minor": 3},
        0,
        "641a.12(e)(3)",
    ),
    (FOUR, "five_card_hand", "", {"meter": 10000}, {"meter": 13}, 8, "641a.12(g)(4)"),
    (THREE, "three_card_progressive", "A", {"meter": 1000}, {"meter": 14}, 0, "649a.12(e)(3)"),
    (THREE, "three_card_progressive", "B", {"meter": 1000}, {"meter": 20}, 0, "649a.12(e)(3)"),
    (THREE, "five_card_progressive", "", {"meter": 10000}, {"meter": 21}, 0, "649a.12(h)(3)"),
    (THREE, "five_card_hand", "", {"meter": 10000}, {"meter": 21}, 8, "649a.12(i)(4)"),
    (THREE, "five_of_six_progressive", "", {"meter": 10000}, {"meter": 28}, 0, "649a.12(j)(3)"),
]


@pytest.mark.parametrize("offered", [1, 5])
@pytest.mark.parametrize(
    ("game", "name", "letter", "seed", "rate", "reserve"),
    [pytest.param(*row[:-1], marks=pytest.mark.law(row[-1]), id=f"{row[0]} {row[1]} {row[2]}") for row in SEEDS],
)
def test_seed_and_increment_follow_the_offered_wager(
    game: str, name: str, letter: str, seed: dict[Tier, int], rate: dict[Tier, int], reserve: int, offered: int
) -> None:
    """The seed is printed "for 1", so $5 on offer means five times as much; a percentage is of each wager made."""
    meter = Meter.seeded(name, spec_of(game, name, letter), offered * 100)
    assert meter.displayed() == {tier: dollars * offered * 100 for tier, dollars in seed.items()}
    assert meter.reserve == 0
    after, movements = meter.contribute(offered * 100)
    grown = {tier: after.amounts[tier] - meter.amounts[tier] for tier in after.amounts}
    assert grown == {tier: percent * offered * UNITS_PER_CENT for tier, percent in rate.items()}
    assert after.reserve == reserve * offered * UNITS_PER_CENT
    assert sum(m.amount for m in movements) == total(after) - total(meter)
    assert {m.source for m in movements} == {"house"}


@pytest.mark.law("641a.12(d)(3)")
def test_a_seed_chosen_by_the_submission_is_a_plain_sum() -> None:
    """Where the law left the seed to the Rules Submission it is dollars, whatever the wager on offer."""
    chosen = replace(spec_of(FOUR, "four_card_progressive", "A"), chosen=True)
    assert Meter.seeded("four_card_progressive", chosen, 500).displayed() == {"meter": 500_000}


def test_a_million_increments_at_a_rate_of_13_37_percent_lose_nothing() -> None:
    """The first twenty thousand are added one by one, the last onto the other 999,999; both against whole numbers."""
    rate = MappingProxyType[Tier, Fraction]({"meter": Fraction(1337, 10_000)})
    spec = replace(spec_of(FOUR, "five_card_hand"), rate=rate, reserve=Fraction(863, 10_000))
    seeded = Meter.seeded("five_card_hand", spec, 100)
    start = seeded.amounts["meter"]
    stakes = (25, 100, 500, 37)
    meter = seeded
    for number in range(20_000):
        meter, _ = meter.contribute(stakes[number % len(stakes)])
    assert meter.amounts["meter"] - start == 5_000 * sum(stakes) * 1337
    assert meter.reserve == 5_000 * sum(stakes) * 863
    for stake in stakes:
        before = MappingProxyType[Tier, int]({"meter": start + 999_999 * stake * 1337})
        meter, _ = replace(seeded, amounts=before, reserve=999_999 * stake * 863).contribute(stake)
        assert meter.amounts["meter"] - start == 1_000_000 * stake * 1337
        assert meter.reserve == 1_000_000 * stake * 863


@pytest.mark.parametrize("rate", [Fraction(1, 3), Fraction(1, 7_000_000)])
def test_a_rate_finer_than_the_unit_is_refused(rate: Fraction) -> None:
    fine = MappingProxyType[Tier, Fraction]({"meter": rate})
    spec = replace(spec_of(FOUR, "five_card_hand"), rate=fine)
    with pytest.raises(MeterError, match="finer than the meter's unit"):
        Meter.seeded("five_card_hand", spec, 100).contribute(100)


@pytest.mark.law("641a.12(e)(4)", "649a.12(h)(4)", "649a.12(j)(4)")
@pytest.mark.parametrize(
    ("share", "each", "left"),
    [(Fraction(1, 10), 1_234_567 // 10, 1_234_567 - 123_456), (Fraction(1, 4), 308_641, 1_234_567 - 308_641)],
)
def test_a_percentage_leaves_the_rest_and_the_part_of_a_cent_on_the_meter(
    share: Fraction, each: int, left: int
) -> None:
    meter = Meter.seeded("m", spec_of(FOUR, "five_card_progressive", "A"), 100).showing({"meter": 1_234_567})
    award = meter.award("meter", share)
    assert award.each == each
    assert award.meter.displayed() == {"meter": left}
    assert balances(award) == {"players": each * UNITS_PER_CENT, "meter m meter": -each * UNITS_PER_CENT}


@pytest.mark.law("641a.12(d)(4)", "641a.12(e)(4)", "649a.12(e)(4)", "649a.12(h)(4)", "649a.12(j)(4)")
@pytest.mark.parametrize(
    ("game", "name", "letter"),
    [row[:3] for row in SEEDS if row[1] != "five_card_hand" and set(row[3]) == {"meter"}],
)
def test_the_whole_meter_is_paid_as_it_stands_and_starts_again(game: str, name: str, letter: str) -> None:
    spec = spec_of(game, name, letter)
    seeded = Meter.seeded(name, spec, 500)
    grown, _ = seeded.contribute(500)
    grown, _ = grown.contribute(500)
    award = grown.award("meter", Fraction(1))
    assert award.each == grown.amounts["meter"] // UNITS_PER_CENT
    below_a_cent = grown.amounts["meter"] % UNITS_PER_CENT
    assert award.meter.amounts["meter"] == seeded.amounts["meter"] + below_a_cent
    # The reserve, where there is one, pays for the new seed first; the house pays the rest.
    assert award.meter.reserve == 0
    assert balances(award)["house"] == -(seeded.amounts["meter"] - grown.reserve)


@pytest.mark.law("641a.12(e)(3)", "641a.12(e)(4)")
def test_one_jackpot_of_several_is_paid_and_the_others_stand() -> None:
    seeded = Meter.seeded("m", spec_of(FOUR, "five_card_progressive", "C"), 100)
    meter = seeded.showing({"mega": 1_500_000, "major": 120_000, "minor": 30_000})
    award = meter.award("major", Fraction(1))
    assert award.each == 120_000
    assert award.meter.displayed() == {"mega": 1_500_000, "major": 100_000, "minor": 30_000}


@pytest.mark.law("641a.12(g)(4)", "649a.12(i)(4)")
@pytest.mark.parametrize("game", [FOUR, THREE])
@pytest.mark.parametrize("reserve", [0, 40_000, 5_000_000])
def test_with_a_reseed_of_nothing_the_reserve_becomes_the_meter(game: str, reserve: int) -> None:
    meter = Meter.seeded("m", spec_of(game, "five_card_hand"), 100).showing({"meter": 1_100_000}, reserve)
    award = meter.award("meter", Fraction(1))
    assert award.each == 1_100_000
    assert award.meter.displayed() == {"meter": reserve}
    assert award.meter.reserve == 0
    assert "house" not in balances(award)


@pytest.mark.law("641a.12(d)(3)")
def test_a_reserve_larger_than_the_seed_keeps_what_is_over() -> None:
    meter = Meter.seeded("m", spec_of(FOUR, "four_card_progressive", "B"), 100).showing({"meter": 200_000}, 130_000)
    award = meter.award("meter", Fraction(1))
    assert award.meter.displayed() == {"meter": 100_000}
    assert award.meter.reserve == 30_000 * UNITS_PER_CENT
    assert "house" not in balances(award)


@pytest.mark.law("641a.12(g)(2)", "649a.12(i)(2)")
@pytest.mark.parametrize("winners", [1, 2, 3, 7])
def test_a_shared_jackpot_is_divided_equally_and_what_does_not_divide_stays(winners: int) -> None:
    meter = Meter.seeded("m", spec_of(FOUR, "five_card_hand"), 100).showing({"meter": 1_000_000})
    award = meter.award("meter", Fraction(1, 10), winners)
    assert award.each == 100_000 // winners
    assert award.meter.amounts["meter"] == (1_000_000 - winners * (100_000 // winners)) * UNITS_PER_CENT
    assert balances(award)["players"] == winners * (100_000 // winners) * UNITS_PER_CENT


def _play(number: int, cards: str, **wagers: int) -> Seat:
    decision = Decision("play", wagers["ante"]) if "ante" in wagers else None
    return Seat(number, parse_cards(cards), wagers, decided(decision))


@pytest.mark.law("641a.12(e)(3)", "641a.12(e)(4)", "641a.11(c)(5)(iv)")
def test_a_second_winner_in_the_round_finds_the_meter_reseeded() -> None:
    """Seat 2 is settled first and takes the meter with both increments; seat 1 gets the new seed."""
    seats = (
        _play(1, "Ah Kh Qh Jh Th", ante=1000, five_card_progressive=100),
        _play(2, "As Ks Qs Js Ts", ante=1000, five_card_progressive=100),
    )
    played = Round(parse_cards("2c 7d 9h 4s 5c 8d"), seats)
    settlement = settle(
        rules_of(FOUR, five_card_progressive="A"), played, {"five_card_progressive": {"meter": 2_000_000}}
    )
    prizes = [(line.seat, line.net) for line in settlement.lines if line.wager == "five_card_progressive"]
    assert prizes == [(2, 2_000_042 - 100), (1, 1_000_000 - 100)]
    assert settlement.meters["five_card_progressive"].displayed() == {"meter": 1_000_000}


@pytest.mark.law("641a.12(e)(4)", "649a.12(h)(4)")
def test_two_percentages_in_a_round_are_taken_one_after_the_other() -> None:
    seats = (
        _play(1, "9h Th Jh Qh Kh", ante=1000, five_card_progressive=100),
        _play(2, "9s Ts Js Qs Ks", ante=1000, five_card_progressive=100),
    )
    played = Round(parse_cards("2c 7d Ah 4s 5c 8d"), seats)
    settlement = settle(
        rules_of(FOUR, five_card_progressive="A"), played, {"five_card_progressive": {"meter": 999_958}}
    )
    prizes = [line.net for line in settlement.lines if line.wager == "five_card_progressive"]
    assert prizes == [100_000 - 100, 90_000 - 100]
    assert settlement.meters["five_card_progressive"].displayed() == {"meter": 810_000}


@pytest.mark.law("641a.12(g)(2)", "641a.12(g)(4)")
def test_a_royal_flush_of_the_dealer_is_shared_by_all_who_wagered_on_it() -> None:
    """$10,000.01 among three: 3,333.33 each, two cents stay, and the reserve becomes the meter."""
    seats = tuple(
        _play(number, cards, ante=1000, five_card_hand_dealer=100)
        for number, cards in ((1, "2c 3d 5h 7s 9c"), (2, "2d 3h 5s 7c 9d"), (3, "2h 3s 5c 7d 9h"))
    )
    played = Round(parse_cards("As Ks Qs Js Ts 2s"), seats)
    displayed = 1_000_001 - 3 * 13
    settlement = settle(rules_of(FOUR), played, {"five_card_hand": {"meter": displayed}}, {"five_card_hand": 50_000})
    prizes = [(line.seat, line.net) for line in settlement.lines if line.wager == "five_card_hand_dealer"]
    assert prizes == [(3, 333_333 - 100), (2, 333_333 - 100), (1, 333_333 - 100)]
    closing = settlement.meters["five_card_hand"]
    assert closing.displayed() == {"meter": 2 + 50_000 + 3 * 8}
    assert closing.reserve == 0
