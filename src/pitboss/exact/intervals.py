"""The hold after many rounds: central intervals from the exact distribution of the sum, by Fourier transform.

Nets of a wager lie on a lattice, so the sum of n rounds does too, and the transform of its distribution is the n-th
power of that of one round. It is taken modulo a window outside of which the sum lies with a probability below
``OUTSIDE``, which Chernoff's bound proves for each window. What is computed is checked against the exact mean and
variance of the sum before it is used.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil, floor, gcd, lcm, log, sqrt
from statistics import NormalDist
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from pitboss.exact.value import Moments
from pitboss.findings import UnreadableError

Floats = npt.NDArray[np.float64]
ROUNDS: Final = (1_000, 10_000, 100_000, 1_000_000)
LEVELS: Final = (Fraction(90, 100), Fraction(95, 100), Fraction(99, 100))
OUTSIDE: Final = 1e-12
"""The probability that a sum lies beyond one end of its window."""
MOST_PLACES: Final = 1 << 25
"""The largest window, in places of the lattice: 256 MiB an array."""
CHECKED: Final = 1e-6
"""How far the mean and the variance of what was computed may lie from the exact ones, in deviations and as a share."""
NORMAL: Final = Fraction(1, 100)
"""How far an end of the normal law's interval may lie from the exact one, as a share of the exact interval."""
TILTS: Final = 400


@dataclass(frozen=True)
class HoldInterval:
    """The central interval of the hold after a number of rounds: a share of (1 − level) / 2 lies beyond each end."""

    rounds: int
    level: Fraction
    low: Fraction
    high: Fraction
    normal_low: float
    normal_high: float
    step: Fraction
    """The distance of neighboring holds."""

    @property
    def normal_agrees(self) -> bool:
        """Whether both ends of the normal law's interval are within ``NORMAL`` of the interval, or one step."""
        most = max(float((self.high - self.low) * NORMAL), float(self.step))
        return max(abs(self.normal_low - float(self.low)), abs(self.normal_high - float(self.high))) <= most

    def as_dict(self) -> dict[str, Any]:
        return {
            "rounds": self.rounds,
            "level": float(self.level),
            "from": float(self.low),
            "to": float(self.high),
            "normal_from": self.normal_low,
            "normal_to": self.normal_high,
            "normal_agrees": self.normal_agrees,
        }


@dataclass(frozen=True)
class Lattice:
    """The nets of one round as places on a lattice: net = least + place × step."""

    least: Fraction
    step: Fraction
    chances: Mapping[int, Fraction]

    @classmethod
    def of(cls, chances: Mapping[Fraction, Fraction]) -> "Lattice":
        """Raise ``ValueError`` for a wager with one net, which has no distribution."""
        if len(chances) < 2:
            raise ValueError("a wager with one net has no distribution")
        least = min(chances)
        unit = lcm(*(net.denominator for net in chances))
        common = gcd(*(int((net - least) * unit) for net in chances))
        step = Fraction(common, unit)
        return cls(least, step, {int((net - least) / step): chance for net, chance in sorted(chances.items())})

    @cached_property
    def mean(self) -> Fraction:
        return sum((place * chance for place, chance in self.chances.items()), Fraction(0))

    @cached_property
    def variance(self) -> Fraction:
        squares = sum((place * place * chance for place, chance in self.chances.items()), Fraction(0))
        return squares - self.mean**2

    def window(self, rounds: int) -> tuple[int, int]:
        """The first and last place of a sum, but for a probability of ``OUTSIDE`` at each end."""
        places = np.array([*self.chances], np.float64) - float(self.mean)
        weights = np.log(np.array([float(chance) for chance in self.chances.values()]))
        width = float(places[-1] - places[0])
        tilts = np.geomspace(1e-9 / width, 1e3 / sqrt(float(self.variance)), TILTS)

        def reach(signed: Floats) -> float:
            """The least distance from the mean that Chernoff's bound proves, over tilts."""
            exponents = weights + tilts[:, None] * signed
            top = exponents.max(axis=1)
            cumulants = top + np.log(np.exp(exponents - top[:, None]).sum(axis=1))
            return float(((rounds * cumulants - log(OUTSIDE)) / tilts).min())

        middle = float(self.mean) * rounds
        first = max(0, floor(middle - reach(-places)) - 1)
        return first, min(max(self.chances) * rounds, ceil(middle + reach(places)) + 1)


@dataclass(frozen=True)
class Sum:
    """The distribution of the sum of many rounds on its window."""

    lattice: Lattice
    rounds: int
    first: int
    chances: Floats

    @cached_property
    def _below(self) -> Floats:
        return np.cumsum(self.chances)

    def quantile(self, share: float) -> Fraction:
        """The least sum that is not exceeded with this probability."""
        place = self.first + int(np.searchsorted(self._below, share))
        return self.lattice.least * self.rounds + self.lattice.step * place

    def chance_below(self, total: Fraction) -> float:
        """The probability of at most this sum."""
        place = floor((total - self.lattice.least * self.rounds) / self.lattice.step) - self.first
        return 0.0 if place < 0 else float(self._below[min(place, len(self._below) - 1)])


def sum_of(chances: Mapping[Fraction, Fraction], rounds: int) -> Sum:
    """The distribution of the sum of independent rounds. Raise ``UnreadableError`` where its window is too large."""
    lattice = Lattice.of(chances)
    first, last = lattice.window(rounds)
    places = _smooth(last - first + 1)
    if places > MOST_PLACES:
        raise UnreadableError(f"The sum of {rounds:,} rounds takes {places:,} values, more than are computed at once.")
    one = np.zeros(places)
    for place, chance in lattice.chances.items():
        one[place % places] += float(chance)
    spectrum = np.fft.rfft(one)
    size = np.abs(spectrum)
    with np.errstate(divide="ignore"):
        power = np.exp(rounds * np.log(size)) * np.exp(1j * (rounds * np.angle(spectrum)))
    summed = np.roll(np.fft.irfft(power, places), -(first % places))[: last - first + 1]
    found = Sum(lattice, rounds, first, np.maximum(summed, 0.0))
    _check(found)
    return found


def _check(found: Sum) -> None:
    """Hold the computed distribution against the exact mean and variance of the sum."""
    lattice, chances = found.lattice, found.chances
    middle = float(lattice.mean * found.rounds - found.first)
    places = np.arange(len(chances)) - middle
    variance = float(lattice.variance * found.rounds)
    mean_off = abs(float(chances @ places)) / sqrt(variance)
    spread_off = abs(float(chances @ (places * places)) / variance - 1)
    total_off = abs(float(chances.sum()) - 1)
    assert max(mean_off, spread_off, total_off) < CHECKED, (found.rounds, mean_off, spread_off, total_off)


def _smooth(least: int) -> int:
    """The smallest length from ``least`` on that a Fourier transform takes quickly."""
    return min(odd << max(0, ceil(log(least / odd, 2))) for odd in (1, 3, 5, 9) if odd <= max(least, 1))


def hold_intervals(
    result: Moments, rounds: tuple[int, ...] = ROUNDS, levels: tuple[Fraction, ...] = LEVELS
) -> Iterator[HoldInterval]:
    """The hold after each number of rounds at each level; nothing for a wager with one net."""
    chances = result.chances
    if len(chances) < 2:
        return
    for many in rounds:
        total = sum_of(chances, many)
        deviation = result.standard_deviation / sqrt(many)
        for level in levels:
            beyond = float(1 - level) / 2
            far = NormalDist().inv_cdf(1 - beyond) * deviation
            yield HoldInterval(
                many,
                level,
                -total.quantile(1 - beyond) / many,
                -total.quantile(beyond) / many,
                float(result.house_edge) - far,
                float(result.house_edge) + far,
                total.lattice.step / many,
            )
