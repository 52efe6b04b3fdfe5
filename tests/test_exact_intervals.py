"""Intervals of the hold after many rounds: against convolution in fractions, simulated sums and the normal law."""

from datetime import date
from fractions import Fraction
from functools import cache
from math import comb, sqrt

import numpy as np
import pytest

from pitboss.exact.edge import edge_figures
from pitboss.exact.figures import EdgeFigures
from pitboss.exact.intervals import Lattice, hold_intervals, sum_of
from pitboss.games.registry import BANKED

DAY = date(2024, 6, 1)
WAGERS = (
    ("three-card-poker", "main", "A"),
    ("three-card-poker", "pair_plus", "A"),
    ("four-card-poker", "bad_beat", "A"),
    ("mississippi-stud", "main", "-"),
    ("lunar-poker", "main", "A"),
    ("ultimate-texas-hold-em", "main", "A"),
)
"""Short and long tails, whole and half nets, and a pay of 25,000 to 1."""
Chances = dict[Fraction, Fraction]


@cache
def figures(game: str, wager: str, letter: str) -> EdgeFigures:
    return next(iter(edge_figures(BANKED[game], DAY, wager, letter)))


def chances_of(wager: tuple[str, str, str]) -> Chances:
    result = figures(*wager).result
    assert result is not None
    return result.chances


def convolved(chances: Chances, rounds: int) -> Chances:
    """The distribution of a sum by adding round after round, in fractions."""
    found = {Fraction(0): Fraction(1)}
    for _ in range(rounds):
        after: Chances = {}
        for total, chance in found.items():
            for net, more in chances.items():
                after[total + net] = after.get(total + net, Fraction(0)) + chance * more
        found = after
    return found


@pytest.mark.parametrize("wager", WAGERS, ids="-".join)
def test_the_sum_of_a_few_rounds_is_that_of_convolution_in_fractions(wager: tuple[str, str, str]) -> None:
    chances, rounds = chances_of(wager), 6
    exact, computed = convolved(chances, rounds), sum_of(chances, rounds)
    below = Fraction(0)
    for total, chance in sorted(exact.items()):
        below += chance
        assert computed.chance_below(total) == pytest.approx(float(below), abs=1e-11)
    assert computed.chance_below(min(exact) - 1) == 0


@pytest.mark.parametrize("wager", WAGERS, ids="-".join)
def test_sums_of_simulated_rounds_lie_in_the_intervals_as_often_as_they_should(wager: tuple[str, str, str]) -> None:
    chances, rounds, times = chances_of(wager), 10_000, 20_000
    random = np.random.default_rng(20240601)
    counts = random.multinomial(rounds, [float(chance) for chance in chances.values()], times)
    sums = counts @ np.array([float(net) for net in chances])
    computed = sum_of(chances, rounds)
    for share in (0.005, 0.05, 0.5, 0.95, 0.995):
        total = computed.quantile(share)
        expected = computed.chance_below(total)
        assert expected >= share - 1e-9
        simulated = float((sums <= float(total) + 1e-6).mean())
        assert abs(simulated - expected) <= 4 * sqrt(expected * (1 - expected) / times)


def test_the_normal_law_is_named_only_where_it_agrees() -> None:
    ordinary = figures("three-card-poker", "main", "A").result
    rare = figures("four-card-poker", "bad_beat", "A").result
    assert ordinary is not None
    assert rare is not None
    assert all(each.normal_agrees for each in hold_intervals(ordinary, (1_000_000,)))
    for each in hold_intervals(rare, (1_000, 10_000)):
        assert not each.normal_agrees
        # Without one of the largest pays the wager holds more: a skewed interval, which the normal law lacks.
        assert each.normal_high > each.high


def test_an_interval_narrows_with_rounds_and_widens_with_its_level() -> None:
    result = figures("three-card-poker", "pair_plus", "A").result
    assert result is not None
    found = {(each.rounds, each.level): each for each in hold_intervals(result)}
    assert len(found) == 12
    for (rounds, level), each in found.items():
        assert each.low < result.house_edge < each.high
        assert all(each.high < other.high for (n, same), other in found.items() if n < rounds and same == level)
        assert all(each.high > other.high for (n, less), other in found.items() if n == rounds and less < level)


def test_a_window_leaves_out_what_chernoff_proves() -> None:
    """A wager that wins one to one or loses: the mass beyond the window, summed exactly."""
    even = {Fraction(-1): Fraction(1, 2), Fraction(1): Fraction(1, 2)}
    first, last = Lattice.of(even).window(200)
    assert 0 < first < 100 < last < 200
    assert sum(comb(200, wins) for wins in range(first)) / 2**200 < 1e-12
    with pytest.raises(ValueError, match="one net"):
        Lattice.of({Fraction(0): Fraction(1)})
