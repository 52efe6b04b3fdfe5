"""Meters of the house: opened, and changed by two people."""

from dataclasses import dataclass, field

from msgspec import Struct

from pitboss.law.model import SINGLE
from pitboss.money import Cents, show_dollars
from pitboss.table.happened import Happened, happens
from pitboss.table.words import game_title, meter_words


class MeterSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that a meter is opened with."""

    name: str
    game: str
    letter: str
    cite: str
    since: str
    offered: Cents
    seed: dict[str, Cents]
    reseed: dict[str, Cents]
    rate: dict[str, str]
    reserve: str
    chosen: bool
    """Whether the operator chooses rate and seed; else the law fixes them."""


@dataclass(frozen=True)
class MeterAdjustment:
    """What somebody wants to change about a meter; a second person approves it or not."""

    amounts: dict[str, Cents] = field(default_factory=dict)
    """New displayed amounts by jackpot, or of the reserve: a reset or a correction."""
    transfer_to: str = ""
    """Another meter that receives everything on this one."""
    rate: dict[str, str] = field(default_factory=dict)
    seed: dict[str, Cents] = field(default_factory=dict)
    reason: str = ""

    def says(self) -> str:
        """Return the change in words, with its reason."""
        parts = [f"{tier} to {show_dollars(amount)}" for tier, amount in self.amounts.items()]
        parts += [f"the rate of {tier} to {rate}" for tier, rate in self.rate.items()]
        parts += [f"the seed of {tier} to {show_dollars(amount)}" for tier, amount in self.seed.items()]
        if self.transfer_to:
            parts.append(f"everything to the meter {meter_words(self.transfer_to)}")
        return f"{', '.join(parts) or 'nothing'} ({self.reason or 'no reason given'})"


@happens("meter.opened", significant="A meter was opened with its seed and its rate.")
class MeterOpened(Happened, frozen=True, kw_only=True):
    meter: str
    settings: MeterSettings

    def says(self) -> str:
        settings = self.settings
        rates = ", ".join(f"{tier} {rate}" for tier, rate in settings.rate.items())
        letter = "" if settings.letter == SINGLE else f" {settings.letter}"
        return (
            f"The meter {meter_words(self.meter)} was opened at its seed for pay table{letter} of "
            f"{game_title(settings.game)}, rate {rates}."
        )


@happens("meter.change-proposed")
class MeterChangeProposed(Happened, frozen=True, kw_only=True):
    meter: str
    change: MeterAdjustment

    def says(self) -> str:
        return f"For the meter {meter_words(self.meter)} it was proposed to set {self.change.says()}."


@happens(
    "meter.change-approved",
    significant="Rate, seed or amount of a meter was changed, or the meter was reset or transferred.",
)
class MeterChangeApproved(Happened, frozen=True, kw_only=True):
    meter: str
    proposal: int
    change: MeterAdjustment
    by: str

    def says(self) -> str:
        return f"On the proposal of {self.by} the meter {meter_words(self.meter)} was changed: {self.change.says()}."


@happens("meter.change-rejected")
class MeterChangeRejected(Happened, frozen=True, kw_only=True):
    meter: str
    proposal: int

    def says(self) -> str:
        return f"Proposal {self.proposal} for the meter {meter_words(self.meter)} was rejected."
