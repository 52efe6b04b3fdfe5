"""Rounds until a review of the results notices that a game is not dealt as it should be.

A review adds up what players have won and asks whether honest rounds win so much. The number of rounds follows from
the normal law: the mean shifts with every round, the deviation with its root. The exact
distribution of the sum of so many rounds, honest and not, then says what the same test really does.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, sqrt
from statistics import NormalDist
from typing import Any, Final

from pitboss.exact.intervals import sum_of
from pitboss.exact.value import root
from pitboss.findings import UnreadableError

Chances = Mapping[Fraction, Fraction]
FALSE_ALARM: Final = Fraction(1, 100)
POWER: Final = Fraction(9, 10)
EXACT_UP_TO: Final = 5_000_000
"""Rounds for which the exact distribution is still found at once."""


@dataclass(frozen=True)
class Scheme:
    """A way of dealing, with the distribution of a round."""

    words: str
    chances: Chances

    @property
    def mean(self) -> Fraction:
        return sum((net * chance for net, chance in self.chances.items()), Fraction(0))

    @property
    def variance(self) -> Fraction:
        return sum((net * net * chance for net, chance in self.chances.items()), Fraction(0)) - self.mean**2


def exposing(normal: Chances, known: Chances, every: int, words: str = "") -> Scheme:
    """A card is exposed in one of so many rounds, and best play goes with it."""
    share = Fraction(1, every)
    mixed = {net: normal.get(net, Fraction(0)) * (1 - share) + known.get(net, Fraction(0)) * share
             for net in sorted({*normal, *known})}  # fmt: skip
    return Scheme(f"{words or 'A card is exposed'} in {_one_in(every)}", mixed)


def overpaying(normal: Chances, every: int, units: Fraction = Fraction(1)) -> Scheme:
    """In one of so many rounds that win, units too many are paid: also a late or capped wager at even money."""
    return Scheme(
        f"One unit too much is paid, or a late wager of one unit taken, in {_one_in(every)} that win",
        _shifted(normal, every, lambda net: net + units if net > 0 else net),
    )


def sparing(normal: Chances, every: int) -> Scheme:
    """In one of so many rounds that lose, nothing is collected."""
    return Scheme(
        f"Nothing is collected in {_one_in(every)} that lose",
        _shifted(normal, every, lambda net: Fraction(0) if net < 0 else net),
    )


def _shifted(normal: Chances, every: int, change: Any) -> Chances:
    found: dict[Fraction, Fraction] = {}
    for net, chance in normal.items():
        for to, share in ((net, 1 - Fraction(1, every)), (change(net), Fraction(1, every))):
            if share:
                found[to] = found.get(to, Fraction(0)) + chance * share
    return dict(sorted(found.items()))


def _one_in(every: int) -> str:
    return "every round" if every == 1 else f"one round of {every}"


@dataclass(frozen=True)
class Notice:
    """How soon a review notices one way of dealing."""

    words: str
    loss: Fraction
    """What the house loses per round against honest dealing, in units."""
    rounds: int
    limit: Fraction
    """The win of the players over these rounds, in units, above which the review looks closer."""
    false_alarm: float | None
    """The exact probability that honest rounds win more than that; none where it takes too long."""
    power: float | None
    """The exact probability that rounds dealt like this do."""

    def as_dict(self) -> dict[str, Any]:
        return {
            "scheme": self.words,
            "loss_per_round": str(self.loss),
            "rounds": self.rounds,
            "limit": float(self.limit),
            "false_alarm_exactly": self.false_alarm,
            "noticed_exactly": self.power,
        }


def notice(
    honest: Chances, scheme: Scheme, false_alarm: Fraction = FALSE_ALARM, power: Fraction = POWER
) -> Notice | None:
    """The rounds after which the scheme is noticed with a probability of ``power``; nothing if it costs nothing."""
    before = Scheme("", honest)
    loss = scheme.mean - before.mean
    if loss <= 0:
        return None
    low, high = (NormalDist().inv_cdf(float(share)) for share in (1 - false_alarm, power))
    rounds = ceil(((low * root(before.variance) + high * root(scheme.variance)) / float(loss)) ** 2)
    limit = before.mean * rounds + Fraction(low * root(before.variance) * sqrt(rounds)).limit_denominator(1000)
    exactly: list[float | None] = [None, None]
    if rounds <= EXACT_UP_TO:
        try:
            exactly = [1 - sum_of(chances, rounds).chance_below(limit) for chances in (honest, scheme.chances)]
        except UnreadableError:
            exactly = [None, None]
    return Notice(scheme.words, loss, rounds, limit, *exactly)


def break_even(normal: Fraction, known: Fraction) -> int | None:
    """In how many rounds at most a card must be exposed once for the player to lose nothing; none if it never helps."""
    if known <= 0 or normal >= 0:
        return None
    return int((known - normal) / -normal)
