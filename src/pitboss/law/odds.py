"""Odds as the law prints them. Each way of paying is its own type, because each moves different money."""

import re
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Literal

from pitboss.findings import UnreadableError
from pitboss.money import Cents, cents, show_dollars
from pitboss.names import shortened
from pitboss.public import public

Tier = Literal["meter", "mega", "major", "minor"]
TIERS: tuple[Tier, ...] = ("meter", "mega", "major", "minor")


class OddsError(UnreadableError):
    """A text that is not a way of paying."""


@dataclass(frozen=True)
class ToOne:
    """ "x to 1": the winnings are x times the stake and the stake comes back."""

    rate: Fraction

    def __str__(self) -> str:
        return f"{self.rate.numerator:,} to {self.rate.denominator}"


@dataclass(frozen=True)
class ForOne:
    """ "x for 1": x times the stake is paid and the stake is gone."""

    rate: Fraction

    def __str__(self) -> str:
        return f"{self.rate.numerator:,} for {self.rate.denominator}"


@dataclass(frozen=True)
class Charged(ForOne):
    """ "x for 1" with which the wager's meter is charged: the player is paid the same, and the meter falls by it."""

    def __str__(self) -> str:
        return f"{super().__str__()} charged to meter"


@dataclass(frozen=True)
class MeterShare:
    """A share of a progressive meter, or of its mega, major or minor jackpot; the stake is gone."""

    share: Fraction
    tier: Tier = "meter"

    def __str__(self) -> str:
        percent = float(self.share * 100)
        return f"{percent:g}% of meter" if self.tier == "meter" else f"{percent:g}% {self.tier} jackpot"


@dataclass(frozen=True)
class FixedSum:
    """A sum of money whatever the stake; the stake comes back."""

    amount: Cents

    def __str__(self) -> str:
        return show_dollars(self.amount)


Odds = ToOne | ForOne | MeterShare | FixedSum

MOST_RATE = 10**9
"""The largest odds, times the stake, that anybody can mean."""
_LONGEST = 60
_NUMBER = r"(\d[\d,]*(?:\.\d+)?)"
_TO_FOR = re.compile(_NUMBER + r"(?: *(to|for|:) *)(0*[1-9]\d*)")
_CHARGED = re.compile(_NUMBER + r" for (0*[1-9]\d*) charged to meter")
_METER = re.compile(_NUMBER + r"% of meter")
_JACKPOT = re.compile(_NUMBER + r"% (mega|major|minor) jackpot")


@public
def parse_odds(text: str) -> Odds:
    """Read odds as printed.

    >>> parse_odds("6:1") == parse_odds("6 to 1") == parse_odds("6to1")
    True
    >>> [type(parse_odds(t)).__name__ for t in ("3 to 2", "9 for 1", "10% of meter", "100% mega jackpot", "$1,000,000")]
    ['ToOne', 'ForOne', 'MeterShare', 'MeterShare', 'FixedSum']
    """
    if len(text) > _LONGEST:
        raise OddsError(f"{shortened(text)!r} is too long for a way of paying")
    if match := _TO_FOR.fullmatch(text):
        rate = Fraction(match[1].replace(",", "")) / int(match[3])
        return ForOne(rate) if match[2] == "for" else ToOne(rate)
    if match := _CHARGED.fullmatch(text):
        return Charged(Fraction(match[1].replace(",", "")) / int(match[2]))
    if match := _METER.fullmatch(text):
        return MeterShare(Fraction(match[1].replace(",", "")) / 100)
    if match := _JACKPOT.fullmatch(text):
        return MeterShare(Fraction(match[1].replace(",", "")) / 100, next(tier for tier in TIERS if tier == match[2]))
    if re.fullmatch(r"\$\d[\d,]*", text):
        return FixedSum(cents(text))
    raise OddsError(
        f"{text!r} is not a way of paying: write '3 to 1', '9 for 1', '10% of meter', '100% mega jackpot' or '$1,000'"
    )


def parse_percent(text: str) -> Fraction:
    """An exact share: ``parse_percent("13%") == Fraction(13, 100)``."""
    match = re.fullmatch(_NUMBER + "%", text)
    if match is None:
        raise OddsError(f"{text!r} is not a percentage: write it like '21%'")
    return Fraction(Decimal(match[1])) / 100
