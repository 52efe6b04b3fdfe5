"""Progressive meters: how they start, grow, pay and start again.

Amounts are integers in units of one ten-thousandth of a cent, because a rate such as 13.37 % of a 25-cent
wager does not come out in whole cents. Nothing is ever rounded on a meter; only the sum a winner is paid is,
down to the cent, and what was cut off stays on the meter.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from pitboss.findings import PitbossError
from pitboss.law.model import MeterSpec
from pitboss.law.odds import Tier
from pitboss.money import UNITS_PER_CENT as UNITS_PER_CENT
from pitboss.money import Cents
from pitboss.money import Units as Units
from pitboss.records import Fixed

CHARGE = "prize charged"


class MeterError(PitbossError, ValueError):
    """A rate too fine for the sub-cent unit."""


@dataclass(frozen=True)
class Movement:
    """Money that moves between a meter and somebody: ``amount`` units from ``source`` to ``target``."""

    source: str
    target: str
    amount: Units
    reason: str


@dataclass(frozen=True)
class Award:
    """What a meter pays: cents to each winner, the meter afterwards, and the movements that made it so."""

    each: Cents
    meter: "Meter"
    movements: tuple[Movement, ...]


@dataclass(frozen=True)
class Meter:
    """One progressive meter, with one amount or with mega, major and minor jackpots, and its reserve."""

    name: str
    spec: MeterSpec
    offered: Cents
    """The amount of the progressive wager on offer: seeds are dollars for each dollar of it."""
    amounts: Mapping[Tier, Units]
    reserve: Units = 0

    @classmethod
    def seeded(cls, name: str, spec: MeterSpec, offered: Cents) -> "Meter":
        """A meter as it starts: "$10,000 for 1" is $50,000 where the wager on offer is $5."""
        amounts = {tier: _for_one(seed, spec, offered) for tier, seed in spec.seed.items()}
        return cls(name, spec, offered, Fixed(amounts))

    def showing(self, displayed: Mapping[Tier, Cents], reserve: Cents = 0) -> "Meter":
        """The same meter with other amounts on its display; a jackpot not named keeps its amount."""
        given = {tier: displayed[tier] * UNITS_PER_CENT for tier in self.amounts if tier in displayed}
        amounts = {**self.amounts, **given}
        return replace(self, amounts=Fixed(amounts), reserve=reserve * UNITS_PER_CENT)

    def holding(self, amounts: Mapping[Tier, Units], reserve: Units) -> "Meter":
        """The same meter with amounts to the unit, as a ledger keeps them."""
        return replace(self, amounts=Fixed(dict(amounts)), reserve=reserve)

    def displayed(self) -> dict[Tier, Cents]:
        return {tier: amount // UNITS_PER_CENT for tier, amount in self.amounts.items()}

    def contribute(self, stake: Cents) -> tuple["Meter", tuple[Movement, ...]]:
        """Add the increment of one wager, when it is accepted."""
        amounts = dict(self.amounts)
        movements = []
        for tier, rate in self.spec.rate.items():
            part = _units(stake, rate)
            amounts[tier] += part
            movements.append(Movement("house", self._account(tier), part, "increment"))
        kept = _units(stake, self.spec.reserve)
        if kept:
            movements.append(Movement("house", self._account("reserve"), kept, "reserve increment"))
        return replace(self, amounts=Fixed(amounts), reserve=self.reserve + kept), tuple(movements)

    def award(self, tier: Tier, share: Fraction, winners: int = 1) -> Award:
        """Pay a share of the current amount, divided equally; a whole jackpot starts again at once."""
        standing = self.amounts[tier]
        each = int(standing * share // (UNITS_PER_CENT * winners))
        paid = each * winners * UNITS_PER_CENT
        left = standing - paid
        movements = [Movement(self._account(tier), "players", paid, "award")]
        meter = replace(self, amounts=Fixed({**self.amounts, tier: left}))
        if share == 1:
            meter, reseeding = meter._reseed(tier)
            movements += reseeding
        return Award(each, meter, tuple(movements))

    def charge(self, prize: Cents) -> tuple["Meter", tuple[Movement, ...]]:
        """Take a prize that the house has paid off the meter, as far as the meter goes."""
        taken = min(prize * UNITS_PER_CENT, self.amounts["meter"])
        amounts = Fixed({**self.amounts, "meter": self.amounts["meter"] - taken})
        return replace(self, amounts=amounts), (Movement(self._account("meter"), "house", taken, CHARGE),)

    def _reseed(self, tier: Tier) -> tuple["Meter", list[Movement]]:
        """Where the reseed is $0 the reserve becomes the meter; elsewhere it pays for the reseed as far as it goes."""
        wanted = _for_one(self.spec.reseed[tier], self.spec, self.offered)
        from_reserve = self.reserve if wanted == 0 else min(self.reserve, wanted)
        from_house = max(wanted - from_reserve, 0)
        movements = []
        if from_reserve:
            movements.append(Movement(self._account("reserve"), self._account(tier), from_reserve, "reserve to meter"))
        if from_house:
            movements.append(Movement("house", self._account(tier), from_house, "reseed"))
        amounts = {**self.amounts, tier: self.amounts[tier] + from_reserve + from_house}
        return replace(self, amounts=Fixed(amounts), reserve=self.reserve - from_reserve), movements

    def _account(self, part: str) -> str:
        return f"meter {self.name} {part}"


def _for_one(amount: Cents, spec: MeterSpec, offered: Cents) -> Units:
    """Seeds are printed for each dollar of the wager; those a submission chose are plain sums."""
    return amount * UNITS_PER_CENT if spec.chosen else amount * offered * UNITS_PER_CENT // 100


def _units(stake: Cents, rate: Fraction) -> Units:
    exact = stake * rate * UNITS_PER_CENT
    if exact.denominator != 1:
        raise MeterError(f"a rate of {float(rate * 100):g} % is finer than the meter's unit of 1/{UNITS_PER_CENT} cent")
    return int(exact)
