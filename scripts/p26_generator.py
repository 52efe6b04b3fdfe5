"""Fifteen statistical tests of the live generator, by the names of 58 Pa. Code § 810a.5(c)(1)–(15).

The section names the tests and a confidence level of 95%; it does not define any of them. The definitions below are
ours, the usual ones where a usual one exists. This is a self-examination, not a laboratory's certificate.

The draws are numbers 0 to 51 from ``SystemRandomness.randbelow``, the very call that shuffles live cards. Every p is
two-sided: a fit that is too good is a fault too. With fifteen tests at 95% each, a perfect generator would fail some
test in more than half of all runs; so each test is held to 0.05 ÷ 15 (Bonferroni), which keeps the chance that a
perfect generator fails anything at or below 5%. Each test must also fail a bad generator planted for it, at the same
number of draws and the same level. Exit status 0 only if all fifteen pass and all fifteen planted faults are found.

    python scripts/p26_generator.py --draws 1000000
"""

import argparse
import math
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.fairness import upper_gamma

from pitboss.table.source import SystemRandomness

Draws = NDArray[Any]
CARDS, RANKS, SUITS = 52, 13, 4
CONFIDENCE = 0.95
LEAST_DRAWS = 100_000
_LEAST_EXPECTED = 10


@dataclass(frozen=True)
class Result:
    statistic: float
    law: str
    p: float


def two_sided(upper: float) -> float:
    return min(1.0, 2 * min(upper, 1 - upper))


def chi(statistic: float, degrees: int) -> Result:
    return Result(statistic, f"chi-square, {degrees} df", two_sided(upper_gamma(degrees / 2, statistic / 2)))


def pearson(observed: Draws, expected: Draws) -> tuple[float, int]:
    """Neighbouring classes are joined until each expects at least ten; returns the statistic and its degrees."""
    classes: list[list[float]] = [[0.0, 0.0]]
    for count, mean in zip(observed.tolist(), expected.tolist(), strict=True):
        if classes[-1][1] >= _LEAST_EXPECTED:
            classes.append([0.0, 0.0])
        classes[-1][0] += count
        classes[-1][1] += mean
    if len(classes) > 1 and classes[-1][1] < _LEAST_EXPECTED:
        count, mean = classes.pop()
        classes[-1][0] += count
        classes[-1][1] += mean
    return sum((count - mean) ** 2 / mean for count, mean in classes), len(classes) - 1


def against(values: Draws, probabilities: Sequence[float]) -> tuple[float, int]:
    """Values 0, 1, ... against their probabilities; the last class takes every larger value."""
    last = len(probabilities) - 1
    observed = np.bincount(np.minimum(values, last), minlength=last + 1)
    return pearson(observed, len(values) * np.asarray(probabilities))


def grouped(draws: Draws, size: int) -> Draws:
    """Disjoint groups of ``size`` draws; a short rest is left out."""
    count = len(draws) // size
    return draws[: count * size].reshape(count, size)


def counts(draws: Draws, values: int = CARDS) -> Draws:
    return np.bincount(draws, minlength=values)


def even(observed: Draws) -> float:
    mean = observed.sum() / observed.size
    return float(((observed - mean) ** 2).sum() / mean)


def tail_classes(tail: Callable[[int], float], last: int) -> list[float]:
    """P(0), ..., P(last - 1) and P(last or more) from ``tail(k)`` = P(k or more)."""
    return [tail(k) - tail(k + 1) for k in range(last)] + [tail(last)]


# --- the tests, in the order of the section ---------------------------------------------------------------------------


def chi_square_test(draws: Draws) -> Result:
    """Counts of the 52 numbers."""
    return chi(even(counts(draws)), CARDS - 1)


def equidistribution_test(draws: Draws) -> Result:
    """The number whose frequency is farthest from 1/52, allowing for its being the farthest of 52."""
    deviation = math.sqrt(len(draws) * (1 / CARDS) * (1 - 1 / CARDS))
    farthest = float(np.abs(counts(draws) - len(draws) / CARDS).max()) / deviation
    below = -math.expm1(CARDS * math.log1p(-math.erfc(farthest / math.sqrt(2)))) if farthest else 1.0
    return Result(farthest, "largest of 52 |z|", two_sided(below))


def gap_test(draws: Draws) -> Result:
    """How many draws lie between one ace (48 to 51) and the next."""
    gaps = np.diff(np.flatnonzero(draws >= CARDS - SUITS)) - 1
    return chi(*against(gaps, tail_classes(lambda k: (1 - 1 / RANKS) ** k, 100)))


def overlaps_test(draws: Draws) -> Result:
    """Overlapping pairs, closed to a ring: the difference of the two serial sums is a chi-square (Good)."""
    pairs = draws.astype(np.intp) * CARDS + np.roll(draws, -1)
    return chi(even(counts(pairs, CARDS**2)) - even(counts(draws)), CARDS**2 - CARDS)


def poker_test(draws: Draws) -> Result:
    """Five ranks as a poker hand. The number of equal couples names it: 0 nothing, 1 pair, 2 two pair, 3 three,
    4 full house, 6 four, 10 five."""
    ranks = grouped(draws // SUITS, 5)
    couples = sum((ranks[:, a] == ranks[:, b]).astype(np.intp) for a, b in combinations(range(5), 2))
    shapes = {0: (1, 5), 1: (10, 4), 2: (15, 3), 3: (10, 3), 4: (10, 2), 6: (5, 2), 10: (1, 1)}
    ways = {k: placings * math.perm(RANKS, different) for k, (placings, different) in shapes.items()}
    return chi(*against(np.asarray(couples), [ways.get(k, 0) / RANKS**5 for k in range(11)]))


_COLLECTING = 200


def coupon_test(draws: Draws) -> Result:
    """How many draws until all 13 ranks have come, at the start of each 200 draws."""
    ranks = grouped(draws // SUITS, _COLLECTING)
    latest = np.zeros(len(ranks), np.intp)
    for rank in range(RANKS):
        hits = ranks == rank
        first = np.where(hits.any(axis=1), hits.argmax(axis=1) + 1, _COLLECTING)
        latest = np.maximum(latest, first)

    def tail(k: int) -> float:
        """P(k draws or more), that is, k - 1 draws leave a rank out."""
        signed = ((-1) ** (j + 1) * math.comb(RANKS, j) * (RANKS - j) ** (k - 1) for j in range(1, RANKS + 1))
        return 1.0 if k < 2 else sum(signed) / RANKS ** (k - 1)

    return chi(*against(latest, tail_classes(tail, _COLLECTING)))


def permutation_test(draws: Draws) -> Result:
    """The order of five different numbers, one of 120; groups with equal numbers are left out."""
    groups = grouped(draws, 5)
    places = np.argsort(groups, axis=1, kind="stable")
    ordered = np.take_along_axis(groups, places, axis=1)
    codes = places[(ordered[:, 1:] != ordered[:, :-1]).all(axis=1)] @ (5 ** np.arange(5))
    observed = np.unique(codes, return_counts=True)[1]
    return chi(even(np.pad(observed, (0, 120 - len(observed)))), 119)


def kolmogorov_test(draws: Draws) -> Result:
    """Four draws as one fraction of 52⁴, against the uniform law (asymptotic p with the correction of Stephens)."""
    fractions = np.sort((grouped(draws, 4) @ (CARDS ** np.arange(4)) + 0.5) / CARDS**4)
    size = len(fractions)
    steps = np.arange(size + 1) / size
    distance = float(max((steps[1:] - fractions).max(), (fractions - steps[:-1]).max()))
    scaled = distance * (math.sqrt(size) + 0.12 + 0.11 / math.sqrt(size))
    if scaled < 0.2:
        return Result(scaled, "Kolmogorov", 0.0)
    upper = 2 * sum((-1) ** (k - 1) * math.exp(-2 * (k * scaled) ** 2) for k in range(1, 101))
    return Result(scaled, "Kolmogorov", two_sided(min(1.0, max(0.0, upper))))


def adjacency_test(draws: Draws) -> Result:
    """The step from each number to the next, round a ring of 52; steps of fair draws are fair draws themselves."""
    steps: Draws = np.diff(draws.astype(np.intp))
    return chi(even(counts(steps % CARDS)), CARDS - 1)


def order_statistic_test(draws: Draws) -> Result:
    """The largest of eight numbers."""
    largest = grouped(draws, 8).max(axis=1)
    return chi(*against(largest, [((m + 1) / CARDS) ** 8 - (m / CARDS) ** 8 for m in range(CARDS)]))


def runs_test(draws: Draws) -> Result:
    """How long the numbers rise at the start of each odd group of ten, and fall in each even one."""
    groups = grouped(draws.astype(np.int16), 10)
    fair = tail_classes(lambda k: math.comb(CARDS, k) / CARDS**k if k > 1 else 1.0, 9)
    statistic, degrees = 0.0, 0
    for rows, sign in ((groups[::2], 1), (groups[1::2], -1)):
        stops = np.diff(rows, axis=1) * sign <= 0
        lengths = np.where(stops.any(axis=1), stops.argmax(axis=1) + 1, 10)
        part, free = against(lengths, fair)
        statistic, degrees = statistic + part, degrees + free
    return chi(statistic, degrees)


def interplay_test(draws: Draws) -> Result:
    """A play is five draws: the ten correlations between its places."""
    plays = grouped(draws, 5).T.astype(np.float64)
    plays -= plays.mean(axis=1, keepdims=True)
    plays /= plays.std(axis=1, keepdims=True)
    size = plays.shape[1]
    return chi(sum(float(plays[a] @ plays[b]) ** 2 / size for a, b in combinations(range(5), 2)), 10)


def serial_correlation_test(draws: Draws) -> Result:
    """Correlations of each draw with those 1 to 52 before it."""
    centred = draws - draws.mean()
    scale = float(centred @ centred)
    size = len(draws)
    lags = (float(centred[lag:] @ centred[:-lag]) / scale * size / math.sqrt(size - lag) for lag in range(1, CARDS + 1))
    return chi(sum(score**2 for score in lags), CARDS)


def subsequences_test(draws: Draws) -> Result:
    """Every 52nd draw, from each of the 52 beginnings: the counts of each such subsequence."""
    decks = grouped(draws, CARDS).astype(np.intp)
    table = counts((decks + CARDS * np.arange(CARDS)).ravel(), CARDS**2)
    return chi(even(table), CARDS * (CARDS - 1))


def poisson_test(draws: Draws) -> Result:
    """How many of 52 disjoint couples are equal: nearly Poisson with mean 1, judged by its exact binomial law."""
    couples = grouped(draws, 2)
    equal = grouped(couples[:, 0] == couples[:, 1], CARDS).sum(axis=1)
    fair = [math.comb(CARDS, k) * (CARDS - 1) ** (CARDS - k) / CARDS**CARDS for k in range(CARDS + 1)]
    return chi(*against(equal, fair))


# --- a planted fault for each -----------------------------------------------------------------------------------------


def fair_draws(rng: np.random.Generator, count: int) -> Draws:
    return rng.integers(0, CARDS, count, dtype=np.uint8)


def sometimes(rng: np.random.Generator, count: int, chance: float) -> Draws:
    return rng.random(count) < chance


def too_even(rng: np.random.Generator, count: int) -> Draws:
    decks = np.tile(np.arange(CARDS, dtype=np.uint8), (count // CARDS + 1, 1))
    return rng.permuted(decks, axis=1).ravel()[:count]


def byte_remainder(rng: np.random.Generator, count: int) -> Draws:
    return np.frombuffer(rng.bytes(count), np.uint8) % CARDS


def shy_aces(rng: np.random.Generator, count: int) -> Draws:
    draws = fair_draws(rng, count)
    aces = draws >= CARDS - SUITS
    again = np.flatnonzero(aces[1:] & aces[:-1]) + 1
    draws[again] = rng.integers(0, CARDS - SUITS, len(again))
    return draws


def echoes(rng: np.random.Generator, count: int) -> Draws:
    draws = fair_draws(rng, count)
    at = 2 * np.flatnonzero(sometimes(rng, (count - 1) // 2, 0.05)) + 2
    draws[at] = draws[at - 1]
    return draws


def paired_hands(rng: np.random.Generator, count: int) -> Draws:
    draws = fair_draws(rng, count)
    at = 5 * np.flatnonzero(sometimes(rng, count // 5, 0.03))
    draws[at + 4] = draws[at]
    return draws


def sticky_ranks(rng: np.random.Generator, count: int) -> Draws:
    draws = fair_draws(rng, count)
    at = np.flatnonzero(sometimes(rng, count - 1, 0.15)) + 1
    draws[at] = draws[at - 1] // SUITS * SUITS + draws[at] % SUITS
    return draws


def sorted_fives(rng: np.random.Generator, count: int) -> Draws:
    draws = fair_draws(rng, count)
    groups = grouped(draws, 5)
    at = np.flatnonzero(sometimes(rng, len(groups), 0.02))
    groups[at] = np.sort(groups[at], axis=1)
    return draws


def low_fourths(rng: np.random.Generator, count: int) -> Draws:
    draws = fair_draws(rng, count)
    at = 4 * np.flatnonzero(sometimes(rng, count // 4, 0.08)) + 3
    draws[at] = np.minimum(draws[at], fair_draws(rng, len(at)))
    return draws


def next_numbers(rng: np.random.Generator, count: int) -> Draws:
    draws = fair_draws(rng, count)
    at = np.flatnonzero(sometimes(rng, count - 1, 0.01)) + 1
    draws[at] = (draws[at - 1] + 1) % CARDS
    return draws


def few_high(rng: np.random.Generator, count: int) -> Draws:
    draws = fair_draws(rng, count)
    at = np.flatnonzero((draws > 45) & sometimes(rng, count, 0.1))
    draws[at] = rng.integers(0, 46, len(at))
    return draws


def rising_couples(rng: np.random.Generator, count: int) -> Draws:
    draws = fair_draws(rng, count)
    couples = grouped(draws, 2)
    at = np.flatnonzero(sometimes(rng, len(couples), 0.1))
    couples[at] = np.sort(couples[at], axis=1)
    return draws


def mirrored_plays(rng: np.random.Generator, count: int) -> Draws:
    draws = fair_draws(rng, count)
    at = 5 * np.flatnonzero(sometimes(rng, count // 5, 0.08))
    draws[at + 3] = CARDS - 1 - draws[at + 1]
    return draws


def remembered_decks(rng: np.random.Generator, count: int) -> Draws:
    draws = fair_draws(rng, count)
    at = np.flatnonzero(sometimes(rng, count - CARDS, 0.03)) + CARDS
    draws[at] = draws[at - CARDS]
    return draws


def uneven_places(rng: np.random.Generator, count: int) -> Draws:
    """The first place of 52 favours low numbers and the second high ones; all counts together stay even."""
    draws = fair_draws(rng, count)
    decks = grouped(draws, CARDS)
    for place, first in ((0, 0), (1, CARDS // 2)):
        at = np.flatnonzero(sometimes(rng, len(decks), 0.3))
        decks[at, place] = decks[at, place] % (CARDS // 2) + first
    return draws


def bursts(rng: np.random.Generator, count: int) -> Draws:
    """One block of 104 in ten has five doubles planted; the mean hardly moves, the spread does."""
    draws = fair_draws(rng, count)
    blocks = grouped(draws, 2 * CARDS)
    at = np.flatnonzero(sometimes(rng, len(blocks), 0.1))
    for couple in range(5):
        blocks[at, 20 * couple + 1] = blocks[at, 20 * couple]
    return draws


Test = Callable[[Draws], Result]
Bad = Callable[[np.random.Generator, int], Draws]

TESTS: tuple[tuple[str, Test, Bad], ...] = (
    ("Chi-square", chi_square_test, too_even),
    ("Equi-distribution", equidistribution_test, byte_remainder),
    ("Gap", gap_test, shy_aces),
    ("Overlaps", overlaps_test, echoes),
    ("Poker", poker_test, paired_hands),
    ("Coupon collectors", coupon_test, sticky_ranks),
    ("Permutation", permutation_test, sorted_fives),
    ("Kolmogorov-Smirnov", kolmogorov_test, low_fourths),
    ("Adjacency criterion", adjacency_test, next_numbers),
    ("Order statistic", order_statistic_test, few_high),
    ("Runs", runs_test, rising_couples),
    ("Interplay correlation", interplay_test, mirrored_plays),
    ("Serial correlation", serial_correlation_test, remembered_decks),
    ("Subsequences", subsequences_test, uneven_places),
    ("Poisson distribution", poisson_test, bursts),
)
LEVEL = (1 - CONFIDENCE) / len(TESTS)


def live_draws(count: int) -> Draws:
    source = SystemRandomness()
    return np.fromiter((source.randbelow(CARDS) for _ in range(count)), np.uint8, count)


def report(draws: Draws, seed: int) -> bool:
    """Print the table; whether everything came out as it should. ``seed`` is for the planted generators only."""
    print(f"{len(draws):,} draws of 0 to 51; each test at 0.05 / {len(TESTS)} = {LEVEL:.5f}, two-sided (Bonferroni)\n")
    print(f"{'§ 810a.5(c)':28}{'statistic':>12}  {'law':22}{'p':>9}  {'':6}{'planted fault':18}{'p':>9}")
    good = True
    for number, (name, test, bad) in enumerate(TESTS, 1):
        result = test(draws)
        planted = test(bad(np.random.default_rng([seed, number]), len(draws)))
        passed, found = result.p >= LEVEL, planted.p < LEVEL
        good = good and passed and found
        print(
            f"{f'({number})':5}{name:23}{result.statistic:12.3f}  {result.law:22}{result.p:9.5f}  "
            f"{'pass' if passed else 'FAIL':6}{bad.__name__.replace('_', ' '):18}{planted.p:9.1e}  "
            f"{'found' if found else 'MISSED'}"
        )
    return good


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Fifteen statistical tests of the live generator")
    parser.add_argument("--draws", type=int, default=10**7, help=f"how many draws, at least {LEAST_DRAWS:,}")
    parser.add_argument("--seed", type=int, default=26, help="seed of the planted bad generators")
    options = parser.parse_args(arguments)
    if options.draws < LEAST_DRAWS:
        parser.error(
            f"the tests need at least {LEAST_DRAWS:,} draws to find every planted fault, not {options.draws:,}"
        )
    started = time.perf_counter()
    draws = live_draws(options.draws)
    drawn = time.perf_counter()
    good = report(draws, options.seed)
    print(f"\ndrawn in {drawn - started:.1f} s, tested in {time.perf_counter() - drawn:.1f} s")
    print("all tests passed, all planted faults found" if good else "NOT all as it should be")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
