"""A whole table: covariances of wagers and seats, and bankrolls, beside counts and plays of another kind."""

import json
from fractions import Fraction
from math import log

import numpy as np
import pytest

import pitboss
from pitboss.cards import DECK
from pitboss.simulate.plan import every_wager, make_plan
from pitboss.simulate.whole_table import Sample, adjustment, reserve_of, whole_table
from tests.test_cli import Ran

DAY = "2024-06-01"
WHEEL = pitboss.rules("roulette", DAY)
THREE = pitboss.rules("three-card-poker", DAY)


def test_a_wheel_is_counted_in_full() -> None:
    """19 red or black numbers of 38 beat neither: what two bets do together follows from the pockets by hand."""
    table = pitboss.bankroll(WHEEL, wagers={"red": 1000, "straight_1": 100}, seats=2)
    assert table.rounds is None
    pockets = [(1000 if n < 18 else -1000, 3500 if n == 0 else -100) for n in range(38)]  # 1 is red
    red, one = (np.array(column, float) for column in zip(*pockets, strict=True))
    (pair,) = table.same_seat
    assert pair.covariance.error == 0
    assert pair.covariance.value == pytest.approx(float(np.cov(red, one, bias=True)[0, 1]))
    assert table.table_deviation.value == pytest.approx(2 * float(np.std(red + one)))
    assert table.correlation == pytest.approx(1)
    assert [each.mean.value for each in table.placed] == pytest.approx([float(red.mean()), float(one.mean())])


def test_the_bound_of_the_house_is_the_gamblers_ruin() -> None:
    table = pitboss.bankroll(WHEEL, wagers={"red": 1000}, risk="0.01")
    house, _ = table.reserves
    assert house.bound == pytest.approx(1000 * log(100) / log(20 / 18))
    assert adjustment({-100: 20, 100: 18}) is None


def test_a_players_bankroll_beside_a_walk_followed_step_by_step() -> None:
    """The normal law overshoots a walk of whole units by less than one unit."""
    rounds, chance = 400, {reserve: lost_within(400, reserve) for reserve in range(40, 80)}
    exact = min(reserve for reserve, lost in chance.items() if lost <= 0.01)
    mean, deviation = -2 / 38, (1 - (2 / 38) ** 2) ** 0.5
    enough = reserve_of(mean, deviation, rounds, 0.01)
    assert enough is not None
    assert abs(enough - exact) <= 1


def lost_within(rounds: int, reserve: int) -> float:
    """The chance that a player of even money on a double-zero wheel ever falls by the reserve."""
    standing = np.zeros(reserve + rounds + 1)
    standing[reserve] = 1.0
    lost = 0.0
    for _ in range(rounds):
        moved = np.zeros_like(standing)
        moved[1:] += standing[:-1] * 18 / 38
        moved[:-1] += standing[1:] * 20 / 38
        lost, moved[0] = lost + moved[0], 0.0
        standing = moved
    return lost


@pytest.fixture(scope="module")
def played() -> tuple[Sample, dict[str, int]]:
    made = every_wager(THREE, 3, {"ante": 1000, "pair_plus": 500})
    sample = Sample(make_plan(THREE, made, "optimal"))
    for part in range(16):
        sample.add(None, 7, part * 20_000, 20_000, 100)
    return sample, {name: at for at, name in enumerate(sample.names)}


def test_what_was_played_agrees_with_the_exact_covariances(played: tuple[Sample, dict[str, int]]) -> None:
    """At one seat, and at two seats."""
    sample, place = played
    exact = whole_table(sample.plan, 32 * 100, 7, 100, Fraction(1, 100))
    about = np.array([each.mean.value for each in exact.placed])
    for pairs, seen in zip((exact.same_seat, exact.other_seat), sample._centered(about), strict=True):
        for pair in pairs:
            parts = seen[:, place[pair.wager], place[pair.other]]
            assert pair.covariance.error == 0
            assert abs(parts.mean() - pair.covariance.value) < 4 * parts.std(ddof=1) / len(parts) ** 0.5
    assert len(exact.other_seat) == 3


def test_two_seats_against_one_dealer_beside_rounds_settled_one_by_one() -> None:
    """Seats that always play: compiled rounds beside rounds dealt by another generator and settled by the rules."""
    made = every_wager(THREE, 2, {"ante": 1000})
    found = whole_table(make_plan(THREE, made, "always"), 320_000, 3, 100, Fraction(1, 100))
    shared = next(each for each in found.other_seat if (each.wager, each.other) == ("main", "main"))
    rng = np.random.default_rng(5)
    nets = []
    for _ in range(4000):
        cards = [DECK[at] for at in rng.permutation(52)[:9]]
        played = {"decision": pitboss.Decision("play", 1000)}
        seats = tuple(pitboss.Seat(n, tuple(cards[3 * n : 3 * n + 3]), made[n], played) for n in made)
        totals = pitboss.settle(THREE, pitboss.Round(tuple(cards[:3]), seats)).totals
        nets.append([totals[1], totals[2]])
    one, two = np.array(nets, float).T
    products = (one - one.mean()) * (two - two.mean())
    error = (shared.covariance.error**2 + products.var() / len(products)) ** 0.5
    assert abs(products.mean() - shared.covariance.value) < 4 * error


def test_the_command_and_its_refusals() -> None:
    words = ("bankroll", "three-card-poker", "--seats", "2", "--wager", "ante=25", "--rounds", "40000", "--as-of", DAY)
    shown = Ran(*words)
    assert "Bankroll for a risk of 1 %" in shown.out
    found = json.loads(Ran(*words, "--json").out)
    assert found["seats"] == 2
    assert found["wagers"][0]["mean"]["standard_error"] == 0
    assert found == json.loads(Ran(*words, "--json").out)
    for risk in ("0", "100"):
        assert "A risk is more than 0 %" in Ran(*words, "--risk", risk).err
    assert "leave --paytable out" in Ran(*words, "--submission", "examples/house.toml", "--paytable", "ante=A").err
