"""Acts of two people: asked, given, refused or waived, and the bounds that two people set."""

from typing import Any, Final

from msgspec import UNSET, Struct, UnsetType

from pitboss.money import Cents, show_dollars
from pitboss.names import shown
from pitboss.table.happened import Happened, happens
from pitboss.table.kinds.house import Differing

MOST_LISTED: Final = 6
"""Differences that a sentence lists."""


class BoundsAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """The bounds of the property, in cents."""

    act: Cents
    inventory: Cents
    wager: Cents

    def says(self) -> str:
        act, inventory, wager = map(show_dollars, (self.act, self.inventory, self.wager))
        return f"{act} in one act, {inventory} at one table and {wager} as a table limit"


@happens("consent.asked")
class ConsentAsked(Happened, frozen=True, kw_only=True):
    act: str
    person: str | UnsetType = UNSET
    """The account that it is about."""
    bounds: BoundsAsked | UnsetType = UNSET
    table: str = ""
    round: int | UnsetType = UNSET
    command: dict[str, Any] | UnsetType = UNSET
    """The command at a table that waits, as JSON."""
    differences: tuple[Differing, ...] | UnsetType = UNSET
    notes: tuple[str, ...] | UnsetType = UNSET

    def says(self) -> str:
        return f"A second person was asked to consent: {self.asked()}."

    def asked(self) -> str:
        """Return what would happen, so that the second person knows what the consent does."""
        if self.act == "account.confirm":
            whose = f"the account of {self.person}"
            return f"to confirm that nobody but its holder has {whose}; it leaves its maker's hands"
        if not isinstance(self.bounds, UnsetType):
            return f"to set the bounds of the property to {self.bounds.says()}"
        if not isinstance(self.person, UnsetType):
            return f"to enable the account of {self.person}"
        assert not isinstance(self.command, UnsetType), "a proposal is about an account, the property or a table"
        wanted, at, when = self.command, self.table, f"round {self.round}"
        match self.act:
            case "table.void-revealed":
                whose = f"seat {wanted['seat']}" if wanted.get("seat") else "the dealer"
                note = f", {wanted['note']}" if wanted.get("note") else ""
                return (
                    f"to void {when} at {at} although the dealer's cards are revealed; all wagers go back "
                    f"({str(wanted['what']).replace('-', ' ')}, {whose}{note})"
                )
            case "table.abandon-revealed":
                return f"to take the wagers of seat {wanted['seat']}, whose player left, in {when} at {at}"
            case "table.choice-stands":
                wager = f"the wager of seat {wanted['seat']}"
                return f"to let {wager} stand in {when} at {at}, which the hand did not allow"
            case "table.limits-seated":
                limits = f"{show_dollars(wanted['minimum'])} to {show_dollars(wanted['maximum'])}"
                return f"to set the limits of {shown(wanted['wager'])} at {at} to {limits} while players are seated"
            case "table.open-differing":
                return self._opening_differing(wanted)
        fill = show_dollars(wanted.get("fill", 0))
        return f"to open {at} again on the day it was closed, with a fill of {fill}"

    def _opening_differing(self, wanted: dict[str, Any]) -> str:
        fill, differing = show_dollars(wanted.get("fill", 0)), self.differences or ()
        listed = [f"{each.key} is {each.after}, not {each.before}" for each in differing[:MOST_LISTED]]
        if len(differing) > MOST_LISTED:
            listed.append(f"and {len(differing) - MOST_LISTED} more")
        how = f"with a fill of {fill} otherwise than the law's own data has it: {'; '.join(listed)}"
        return " ".join((f"to open {self.table} {how}", *(f"({note.rstrip('.')})" for note in self.notes or ())))


class Answered(Happened, frozen=True, kw_only=True):
    """What a second person answered; who it was is the actor of the event."""

    proposal: int
    act: str
    by: str


@happens("consent.given")
class ConsentGiven(Answered, frozen=True, kw_only=True):
    def says(self) -> str:
        return f"Consent was given to proposal {self.proposal} of {self.by}."


@happens("consent.refused")
class ConsentRefused(Answered, frozen=True, kw_only=True):
    def says(self) -> str:
        return f"Proposal {self.proposal} of {self.by} was refused or taken back."


@happens(
    "consent.waived",
    significant="An account that may give consent was enabled by one person, with nobody else to ask.",
)
class ConsentWaived(Happened, frozen=True, kw_only=True):
    act: str
    person: str

    def says(self) -> str:
        return f"The account of {self.person} was enabled by one person, who had made every other account."


@happens("property.bounds-set", significant="Two people changed the bounds of fills, inventories and table limits.")
class PropertyBoundsSet(Happened, frozen=True, kw_only=True):
    proposal: int
    by: str
    act: Cents
    inventory: Cents
    wager: Cents

    @property
    def bounds(self) -> BoundsAsked:
        return BoundsAsked(self.act, self.inventory, self.wager)

    def says(self) -> str:
        return f"On the proposal of {self.by} the bounds of the property became {self.bounds.says()}."
