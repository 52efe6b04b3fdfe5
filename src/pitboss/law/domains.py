"""Domains: the values that a fact of a submission may be set to."""

from collections.abc import Iterable
from dataclasses import dataclass

from pitboss.law.odds import MOST_RATE, FixedSum, ForOne, MeterShare, Odds, OddsError, Tier, ToOne, parse_odds
from pitboss.money import Cents, MoneyError, cents, show_dollars
from pitboss.names import listed

MOST_ENVY: Cents = 10_000_000
"""Far above any Envy Bonus that is printed; it is paid to everybody at the table."""
_DIGITS = 9


@dataclass(frozen=True)
class Numbers:
    """Whole numbers between two bounds."""

    least: int
    most: int

    def __str__(self) -> str:
        return f"{self.least} to {self.most}" if self.least < self.most else f"{self.least} only"

    def read(self, text: str) -> int:
        """Raise ``ValueError`` for any other text."""
        if not (len(text) <= _DIGITS and text.isascii() and text.isdigit() and self.least <= int(text) <= self.most):
            raise ValueError(text)
        return int(text)


@dataclass(frozen=True)
class Dollars:
    """Sums of money from one cent on."""

    most: Cents

    def __str__(self) -> str:
        return f"$0.01 to {show_dollars(self.most)}"

    def read(self, text: str) -> Cents:
        try:
            amount = cents(text)
        except MoneyError as problem:
            raise ValueError(str(problem)) from None
        if not 0 < amount <= self.most:
            raise ValueError(text)
        return amount


@dataclass(frozen=True)
class Payouts:
    """Ways of paying: odds, and what other rows of the same pay tables pay: fixed sums, shares of these jackpots."""

    kinds: frozenset[type]
    tiers: frozenset[Tier] = frozenset()

    @classmethod
    def like(cls, rows: Iterable[Odds]) -> "Payouts":
        """Whatever could stand beside these rows."""
        known = tuple(rows)
        return cls(
            frozenset({ToOne, ForOne, *map(type, known)}),
            frozenset(odds.tier for odds in known if isinstance(odds, MeterShare)),
        )

    def __str__(self) -> str:
        others = {FixedSum: "a sum such as $1,000", MeterShare: "a share of the meter such as 10% of meter"}
        return listed(["odds such as 4 to 1", *(words for kind, words in others.items() if kind in self.kinds)])

    def read(self, text: str) -> Odds:
        try:
            odds = parse_odds(text)
        except (OddsError, MoneyError) as problem:
            raise ValueError(str(problem)) from None
        lawful = type(odds) in self.kinds
        match odds:
            case ToOne(rate) | ForOne(rate):
                lawful = lawful and 0 < rate.numerator <= MOST_RATE and rate.denominator <= MOST_RATE
            case MeterShare(share, tier):
                lawful = lawful and 0 < share <= 1 and tier in self.tiers
            case FixedSum(amount):
                lawful = lawful and amount > 0
        if not lawful:
            raise ValueError(text)
        return odds


Domain = Numbers | Dollars | Payouts
