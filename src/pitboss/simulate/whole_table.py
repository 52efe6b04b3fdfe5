"""A whole table: how the results of all wagers at all seats vary together, and the bankroll for a stated risk.

Dice and wheels are counted: every result is settled once. Tables of cards are played. What the exact engine knows of
one seat (means, deviations, covariances) and of two seats with three cards each replaces what was played; every other
figure has its standard error.
Shares of a meter count as lost stakes.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from math import exp, log, sqrt
from statistics import NormalDist
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from pitboss.exact.facets import NotCountedError
from pitboss.exact.seat_pairs import seats_covariance
from pitboss.exact.side import covariance, on_own_cards, side_lines
from pitboss.exact.value import Valued
from pitboss.findings import UnreadableError
from pitboss.games.chance import all_rolls
from pitboss.games.round import Round, Seat
from pitboss.games.rules import Rules
from pitboss.games.settle import settle
from pitboss.money import Cents
from pitboss.simulate.batches import list_codes
from pitboss.simulate.groups import MAIN
from pitboss.simulate.lines import LineOf
from pitboss.simulate.plan import Plan
from pitboss.simulate.program import rolls_dice
from pitboss.simulate.results import known_of, letter_of
from pitboss.simulate.scalar import ScalarTable
from pitboss.simulate.words import Ints

Floats = npt.NDArray[np.float64]
Progress = Callable[[int, int], None]
PARTS: Final = 32
"""Parts of a run; how much they differ says how large the errors are."""
MOST_AT_ONCE: Final = 1 << 16
MOST_ROUNDS: Final = 10**9
LONGEST_SESSION: Final = 100_000
QUANTILES: Final = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)


@dataclass(frozen=True)
class Measured:
    """A figure with its standard error; 0 where it is exact."""

    value: float
    error: float = 0.0

    def as_dict(self) -> dict[str, Any]:
        return {"value": self.value, "standard_error": self.error}


@dataclass(frozen=True)
class Placed:
    """What one seat wagers on one thing. Amounts are in cents per round."""

    wager: str
    paytable: str
    stake: Cents
    mean: Measured
    deviation: Measured


@dataclass(frozen=True)
class Shared:
    """How two wagers vary together, in squared cents."""

    wager: str
    other: str
    covariance: Measured
    correlation: float


@dataclass(frozen=True)
class Reserve:
    """What the house or a player must hold so that the risk of losing all of it is at most the one stated. In cents."""

    holder: str
    rounds: int | None
    """``None``: forever."""
    by_deviation: float | None
    """From mean and deviation, as if results were normal; ``None`` if no reserve is enough."""
    bound: float | None
    """Enough for certain under the distribution of a round (Lundberg's inequality); ``None`` if nothing is."""
    played: float | None
    """What was enough in all but that share of the sessions played."""


@dataclass(frozen=True)
class WholeTable:
    """The joint results of a table in one round, and what follows for reserves."""

    rules: Rules
    seats: int
    strategy: str
    rounds: int | None
    """Rounds played; ``None`` where every result was counted."""
    seed: int
    session: int
    sessions: int
    risk: Fraction
    placed: tuple[Placed, ...]
    same_seat: tuple[Shared, ...]
    other_seat: tuple[Shared, ...]
    """Of a wager at one seat and a wager at another."""
    seat_mean: Measured
    seat_deviation: Measured
    table_deviation: Measured
    correlation: float
    """Of the results of two seats."""
    quantiles: Mapping[float, float]
    """What the house wins in one round at most, by share of rounds."""
    reserves: tuple[Reserve, ...]

    @property
    def table_mean(self) -> Measured:
        """What all players win in a round."""
        return Measured(self.seats * self.seat_mean.value, self.seats * self.seat_mean.error)

    @property
    def independent_deviation(self) -> float:
        """The deviation of a table whose seats don't share a dealer, a board or a deck."""
        return sqrt(self.seats) * self.seat_deviation.value

    def as_dict(self) -> dict[str, Any]:
        return {
            "game": self.rules.game,
            "as_of": self.rules.as_of.isoformat(),
            "seats": self.seats,
            "strategy": self.strategy,
            "rounds": self.rounds,
            "seed": self.seed,
            "risk": str(self.risk),
            "session": self.session,
            "sessions": self.sessions,
            "wagers": [
                {"wager": each.wager, "paytable": each.paytable, "stake": each.stake,
                 "mean": each.mean.as_dict(), "deviation": each.deviation.as_dict()}
                for each in self.placed
            ],
            "same_seat": [_shared(each) for each in self.same_seat],
            "other_seat": [_shared(each) for each in self.other_seat],
            "seat": {"mean": self.seat_mean.as_dict(), "deviation": self.seat_deviation.as_dict()},
            "table": {"mean": self.table_mean.as_dict(), "deviation": self.table_deviation.as_dict()},
            "correlation_of_seats": self.correlation,
            "house_wins_at_most": {str(share): value for share, value in self.quantiles.items()},
            "reserves": [vars(each) for each in self.reserves],
        }  # fmt: skip


def _shared(each: Shared) -> dict[str, Any]:
    together = each.covariance.as_dict()
    return {"wager": each.wager, "other": each.other, "covariance": together, "correlation": each.correlation}


def whole_table(
    plan: Plan, rounds: int, seed: int, session: int, risk: Fraction, progress: Progress | None = None
) -> WholeTable:
    """Count or play a table. Every seat makes the same wagers."""
    if len({tuple(sorted(made.values())) for made in plan.wagers.values()}) > 1:
        raise UnreadableError("The seats of a whole table make the same wagers.")
    if not 0 < risk < 1:
        raise UnreadableError(f"A risk is more than 0 % and less than 100 %, not {float(risk):.4g}.")
    every = _every_result(plan)
    parts = 1 if every is not None else PARTS
    length = max(1, rounds // parts // session) * session
    sample = Sample(plan)
    for part in range(parts):
        sample.add(every, seed, part * length, length, session)
        if progress is not None:
            progress((part + 1) * length, parts * length)
    return sample.result(None if every is not None else parts * length, seed, session, risk)


def _every_result(plan: Plan) -> Ints | None:
    """What each column moves in every result of the dice or the wheel; ``None`` where cards are dealt.

    ``None`` too if a wager stays for further rounds, as one result does not settle it.
    """
    if not rolls_dice(plan.game):
        return None
    columns = columns_of(plan)
    found = []
    for roll in all_rolls(plan.rules):
        seats = tuple(Seat(number, (), plan.wagers[number]) for number in plan.numbers)
        settled = settle(plan.rules, Round((), seats, dice=roll))
        if settled.findings:
            return None
        moved = dict.fromkeys(columns, 0)
        for line in settled.lines:
            wager = plan.rules.wager_named(line.wager)
            moved[plan.numbers.index(line.seat), wager.name if wager is not None else line.wager] += line.net
        found.append([*moved.values()])
    return np.array(found, np.int64)


def columns_of(plan: Plan) -> tuple[tuple[int, str], ...]:
    """Seat by place and wager, seat by seat."""
    return tuple((seat, row) for seat in range(len(plan.numbers)) for row in plan.wager_names)


class Sample:
    """Rounds of a plan, summed part by part."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.columns = columns_of(plan)
        self.seats, self.names = len(plan.numbers), plan.wager_names
        self.fill = ScalarTable(plan).fill if plan.scalar else None
        self.means: list[Floats] = []
        self.products: list[Floats] = []
        self.house: Counter[int] = Counter()
        self.lowest: list[Ints] = []
        """How far each player had fallen at the lowest point of each session."""

    def add(self, every: Ints | None, seed: int, start: int, length: int, session: int) -> None:
        """One part: every result once, or so many rounds played."""
        sums, products = np.zeros(len(self.columns)), np.zeros((len(self.columns),) * 2)
        at_once = max(1, MOST_AT_ONCE // session) * session
        size = length if every is None else len(every)
        for first in range(0, size, at_once):
            count = min(at_once, size - first)
            moved = self._moved(seed, start + first, count) if every is None else every
            as_floats = moved.astype(np.float64)
            sums += as_floats.sum(axis=0)
            products += as_floats.T @ as_floats
            self._tally(moved, session if every is None else 0)
        self.means.append(sums / size)
        self.products.append(products / size)

    def _moved(self, seed: int, start: int, count: int) -> Ints:
        codes = list_codes(self.plan.work, seed, start, count, self.fill)
        place = {column: at for at, column in enumerate(self.columns)}
        moved = np.zeros((count, len(self.columns)), np.int64)
        for line in self.plan.lines:
            moved[:, place[line.seat, line.row]] += line.cents[codes[:, line.holder, line.group]]
        return moved

    def _tally(self, moved: Ints, session: int) -> None:
        house = -moved.sum(axis=1)
        values, counts = np.unique(house, return_counts=True)
        self.house.update(dict(zip(values.tolist(), counts.tolist(), strict=True)))
        whole = len(moved) // session * session if session else 0
        if whole:
            by_seat = moved[:whole].reshape(-1, session, self.seats, len(self.names)).sum(axis=3)
            self.lowest.append(np.maximum(0, -np.cumsum(by_seat, axis=1).min(axis=1)).reshape(-1))

    # Figures

    def _centered(self, about: Floats) -> tuple[Floats, Floats]:
        """Products of deviations from the means, part by part: averaged over seats, and over pairs of seats."""
        own, others = [], []
        about = np.tile(about, self.seats)
        for mean, products in zip(self.means, self.products, strict=True):
            centered = products - np.outer(mean, about) - np.outer(about, mean) + np.outer(about, about)
            blocks = centered.reshape(self.seats, len(self.names), self.seats, len(self.names))
            own.append(np.einsum("iaib->ab", blocks) / self.seats)
            pairs = max(1, self.seats * (self.seats - 1))
            others.append((blocks.sum(axis=(0, 2)) - own[-1] * self.seats) / pairs)
        return np.array(own), np.array(others)

    def result(self, rounds: int | None, seed: int, session: int, risk: Fraction) -> WholeTable:
        plan, names, seats = self.plan, self.names, self.seats
        means = np.array(self.means).reshape(-1, seats, len(names)).mean(axis=1)
        for at, name in enumerate(names):
            if rounds and (known := _exact_of(plan, name)) is not None:
                means[:, at] = known[0]
        own, others = self._centered(means.mean(axis=0))
        for one, name in enumerate(names):
            for two, other in enumerate(names):
                if rounds and (together := _exact_covariance(plan, name, other)) is not None:
                    own[:, one, two] = together
        if rounds and seats > 1:
            for (one, two), between in _exact_between(plan).items():
                others[:, one, two] = others[:, two, one] = between
        seat, between = own.sum(axis=(1, 2)), others.sum(axis=(1, 2))
        variances = own.diagonal(axis1=1, axis2=2)
        placed = tuple(
            Placed(name, letter_of(plan.rules, _line(plan, name).line), _stake(plan, name), measured(means[:, at]),
                   _root(measured(variances[:, at])))
            for at, name in enumerate(names)
        )  # fmt: skip
        found = WholeTable(
            plan.rules, seats, plan.strategy.name, rounds, seed, session, sum(map(len, self.lowest)), risk, placed,
            _pairs(placed, own, same=True), _pairs(placed, others, same=False) if seats > 1 else (),
            measured(means.sum(axis=1)), _root(measured(seat)),
            _root(measured(seats * seat + seats * (seats - 1) * between)),
            float(between.mean() / seat.mean()) if seats > 1 and seat.mean() else 0.0,
            quantiles_of(self.house), (),
        )  # fmt: skip
        return replace(found, reserves=(self._house_reserve(found), self._player_reserve(found)))

    def _house_reserve(self, found: WholeTable) -> Reserve:
        risk, mean = float(found.risk), -found.table_mean.value
        by_deviation = -log(risk) * found.table_deviation.value**2 / (2 * mean) if mean > 0 else None
        exponent = adjustment(self.house)
        bound = None if exponent is None else -log(risk) / exponent
        return Reserve("house", None, by_deviation, bound, None)

    def _player_reserve(self, found: WholeTable) -> Reserve:
        mean, deviation = found.seat_mean.value, found.seat_deviation.value
        enough = reserve_of(mean, deviation, found.session, float(found.risk))
        played = None
        if self.lowest:
            played = float(np.quantile(np.concatenate(self.lowest), 1 - float(found.risk), method="higher"))
        return Reserve("player", found.session, enough, None, played)


def measured(parts: Floats) -> Measured:
    """The mean of what the parts of a run say, with its error; that of exact figures is 0."""
    error = float(parts.std(ddof=1)) / sqrt(len(parts)) if len(parts) > 1 else 0.0
    return Measured(float(parts.mean()), error)


def _root(square: Measured) -> Measured:
    value = sqrt(max(square.value, 0.0))
    return Measured(value, square.error / 2 / value if value else 0.0)


def _pairs(placed: Sequence[Placed], parts: Floats, *, same: bool) -> tuple[Shared, ...]:
    """Every two wagers once; a wager with itself only where the other one lies at another seat."""
    found = []
    for one, wager in enumerate(placed):
        for two in range(one + same, len(placed)):
            together = measured(parts[:, one, two])
            scale = wager.deviation.value * placed[two].deviation.value
            found.append(Shared(wager.wager, placed[two].wager, together, together.value / scale if scale else 0.0))
    return tuple(found)


def _line(plan: Plan, name: str) -> LineOf:
    """The first line of a wager."""
    return next(line for line in plan.lines if line.row == name)


def _stake(plan: Plan, name: str) -> Cents:
    """What the first seat has on a wager."""
    first = _line(plan, name).seat
    return sum({line.wager: line.stake for line in plan.lines if line.row == name and line.seat == first}.values())


def _single(plan: Plan, name: str) -> bool:
    """Whether a wager at a seat is one line, so that what the exact engine knows of the line is known of the wager."""
    lines = [line for line in plan.lines if line.row == name and line.seat == 0]
    return len(lines) == 1 and lines[0].holder == 0


def _exact_of(plan: Plan, name: str) -> tuple[float, float] | None:
    """Mean and deviation at one seat in cents, if the exact engine knows them."""
    if not _single(plan, name):
        return None
    line = _line(plan, name)
    known = known_of(plan, name, line)
    return None if known is None else (float(known.value * line.stake), known.deviation * line.stake)


def _exact_covariance(plan: Plan, one: str, other: str) -> float | None:
    """Of two wagers at one seat in squared cents, if the exact engine knows it."""
    if not (_single(plan, one) and _single(plan, other)):
        return None
    if one == other:
        known = _exact_of(plan, one)
        return None if known is None else known[1] ** 2
    first, second = _line(plan, one), _line(plan, other)
    side = [line for line in (first, second) if line.row != MAIN]
    if any(line.line not in side_lines(plan.game) for line in side) or len({line.stake for line in side}) > 1:
        return None
    folds = plan.strategy.valued
    try:
        found = covariance(plan.game, plan.rules, first.line, second.line, side[0].stake, folds)
    except NotCountedError:
        return None
    return float(found * first.stake * second.stake)


def _exact_between(plan: Plan) -> dict[tuple[int, int], float]:
    """Covariances of wagers at two seats in squared cents, as far as the exact engine counts them."""
    played = plan.strategy.valued
    if not isinstance(played, Valued):
        return {}
    lines = {name: _line(plan, name) for name in plan.wager_names if _single(plan, name)}

    def of(*names: str) -> Fraction | None:
        try:
            return seats_covariance(
                plan.game, plan.rules, {lines[name].line: lines[name].stake for name in names}, played
            )
        except (NotCountedError, UnreadableError):
            return None

    counted = [name for name in lines if name == MAIN or on_own_cards(plan.game, lines[name].line)]
    alone = {name: each for name in counted if (each := of(name)) is not None}
    place = {name: at for at, name in enumerate(plan.wager_names)}
    found = {(place[name], place[name]): float(each) for name, each in alone.items()}
    for one, other in combinations(alone, 2):
        if (both := of(one, other)) is not None:
            found[place[one], place[other]] = float(both - alone[one] - alone[other]) / 2
    return found


# Reserves


def quantiles_of(values: Mapping[int, int]) -> dict[float, float]:
    """The least value that at least each share does not exceed."""
    total, seen, found = sum(values.values()), 0, {}
    wanted = list(QUANTILES)
    for value in sorted(values):
        seen += values[value]
        while wanted and seen >= wanted[0] * total:
            found[wanted.pop(0)] = float(value)
    return found


def adjustment(values: Mapping[int, int]) -> float | None:
    """The positive root r of E[exp(-r X)] = 1 for gains X: the risk of losing a reserve b is at most exp(-r b).

    ``None`` if the mean isn't positive, or if there is nothing to lose.

    >>> even_money = adjustment({100: 20, -100: 18})
    >>> round(exp(-even_money * 1000), 6) == round((18 / 20) ** 10, 6)  # ten units: the gambler's ruin
    True
    """
    gains, weights = np.array([*values], np.float64), np.array([*values.values()], np.float64)
    weights /= weights.sum()
    scale = float(np.abs(gains).max(initial=0.0))
    if scale == 0 or float(gains @ weights) <= 0 or float(gains.min()) >= 0:
        return None

    def excess(rate: float) -> float:
        return float(np.expm1(np.minimum(-rate * gains / scale, 700.0)) @ weights)

    low, high = 0.0, 1.0
    while excess(high) < 0:
        low, high = high, 2 * high
    while high / 2 > low and low == 0.0 and excess(high / 2) >= 0:
        high /= 2
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if excess(middle) < 0 else (low, middle)
    return low / scale


def ruin(mean: float, deviation: float, rounds: int, reserve: float) -> float:
    """The chance that a sum of normal results ever falls by the reserve within some rounds (reflection principle).

    >>> round(ruin(0.0, 1.0, 100, 16.449), 3)  # twice the chance to end there
    0.1
    """
    spread = deviation * sqrt(rounds)
    normal = NormalDist()
    ended = normal.cdf((-reserve - mean * rounds) / spread)
    tail = normal.cdf((-reserve + mean * rounds) / spread)
    power = -2 * mean * reserve / deviation**2
    return min(1.0, ended + (exp(power) * tail if power < 700 else 1.0))


def reserve_of(mean: float, deviation: float, rounds: int, risk: float) -> float | None:
    """The least reserve whose chance to be lost within some rounds is at most the risk."""
    if deviation <= 0:
        return None
    low, high = 0.0, deviation
    while ruin(mean, deviation, rounds, high) > risk:
        high *= 2
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if ruin(mean, deviation, rounds, middle) > risk else (low, middle)
    return high
