"""The gap between the holds of tables, by corners of boxes, against every table of small bounds."""

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from itertools import pairwise, product
from random import Random

import pytest

from pitboss.exact import design_gap
from pitboss.exact.design_gap import Rates, find_gap, tables_between

LOW, HIGH = (1, 1, 2), (4, 9, 14)


def plays_of(seed: int) -> list[tuple[int, tuple[int, ...]]]:
    rng = Random(seed)
    return [(rng.randrange(-60, 0), tuple(rng.randrange(1, 12) for _ in LOW)) for _ in range(1 + seed % 4)]


def held_by(seed: int) -> Callable[[tuple[Fraction | int, ...]], Fraction]:
    """A hold that falls as best play makes it fall: the best of several plays, each a sum over the rows."""
    plays = plays_of(seed)
    return lambda rates: (
        -max(
            rest + sum((Fraction(way * rate) for way, rate in zip(ways, rates, strict=True)), Fraction(0))
            for rest, ways in plays
        )
        / 100
    )


def falling(seed: int) -> tuple[dict[Rates, Fraction], tuple[Fraction, ...]]:
    """The hold of every table."""
    box = product(*(range(first, last + 1) for first, last in zip(LOW, HIGH, strict=True)))
    hold = held_by(seed)
    return {rates: hold(rates) for rates in box}, tuple(map(Fraction, plays_of(seed)[0][1]))


@pytest.mark.parametrize("gap", [None, 0, 1])
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("sums", [False, True])
def test_every_gap_is_that_of_all_tables(
    gap: int | None, seed: int, sums: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ranges in every gap between two holds, at both ends, and ranges that some tables have."""
    monkeypatch.setattr(design_gap, "WORTH_A_SUM", 1)
    monkeypatch.setattr(design_gap, "MOST_TRIED", 10)
    every, weights = falling(seed)
    hold = held_by(seed)
    tables = {
        rates: hold for rates, hold in every.items() if gap is None or all(b >= a + gap for a, b in pairwise(rates))
    }
    assert tables_between((LOW, HIGH), gap) == len(tables)
    holds = sorted(set(tables.values()))
    step = Fraction(1, 1000)
    ranges = [(a + step, b - step) for a, b in pairwise(holds) if b - a > 2 * step][::2]
    ranges += [(holds[0] - 2, holds[0] - 1), (holds[-1] + 1, holds[-1] + 2), (holds[5], holds[6])]
    counted = []
    for low, high in ranges:
        found = find_gap(hold, (LOW, HIGH), gap, (low, high), weights, lambda: False, convex=sums)
        inside = {rates for rates, hold in tables.items() if low <= hold <= high}
        assert found.tables == len(tables)
        assert found.holds.items() <= tables.items(), "only tables of the bounds are counted"
        if inside:
            assert found.inside in inside
            assert not found.proved
            continue
        assert found.proved
        assert found.inside is None
        under, over = [hold for hold in holds if hold < low], [hold for hold in holds if hold > high]
        assert (None if found.below is None else tables[found.below]) == max(under, default=None)
        assert (None if found.above is None else tables[found.above]) == min(over, default=None)
        counted.append(len(found.holds))
    assert len(counted) > 3
    assert max(counted) < len(tables)
    assert sum(counted) / len(counted) < len(tables) / 2, "most tables need no count"


def test_a_search_that_runs_out_of_time_says_how_many_tables_are_left() -> None:
    every, weights = falling(3)
    holds = sorted(set(every.values()))
    at = next((a + b) / 2 for a, b in pairwise(holds[len(holds) // 2 :]))
    left = []
    for most in (0, 1, 20, 60, 10_000):
        turns = iter([False] * most)
        found = find_gap(held_by(3), (LOW, HIGH), None, (at, at), weights, partial(next, turns, True), convex=False)
        left.append(found.undecided)
        wrong = [rates for rates in (found.below, found.above) if rates and every[rates] == at]
        assert wrong == []
    assert left[0] == left[1] == len(every) > left[2] > left[3] > left[4] == 0
