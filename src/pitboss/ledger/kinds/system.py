"""The program itself: its starts and stops, its clock, its verifications, and incidents that people have seen to."""

from typing import Any

from msgspec import UNSET, UnsetType

from pitboss.table.happened import Happened, happens
from pitboss.table.words import because


@happens("system.started", significant="The program started.")
class SystemStarted(Happened, frozen=True, kw_only=True):
    version: str | UnsetType = UNSET
    schema: str | UnsetType = UNSET
    database: str | UnsetType = UNSET
    law: dict[str, str] | UnsetType = UNSET
    """The files of the law, each with its hash; so of the program."""
    program: dict[str, str] | UnsetType = UNSET
    anchors: tuple[tuple[str, ...], str] | UnsetType = UNSET
    """Where copies of the anchor go, and the key that signs them."""
    linked: tuple[int, str] | UnsetType = UNSET
    """The last event up to which a start has checked the chain, and its hash."""
    accepted: tuple[str, ...] | UnsetType = UNSET
    """Findings that the person who started it took upon themselves."""

    def says(self) -> str:
        changed = f"; accepted: {'; '.join(self.accepted)}" if self.accepted else ""
        return f"The program started, version {self.version or 'unknown'}{changed}."


@happens("system.stopped", significant="The program was stopped in order.")
class SystemStopped(Happened, frozen=True, kw_only=True):
    version: str = ""
    reason: str = ""

    def says(self) -> str:
        return f"The program stopped{because(self.reason)}."


@happens("clock.jumped", significant="The wall clock jumped by more than two seconds.")
class ClockJumped(Happened, frozen=True, kw_only=True):
    microseconds: int
    against: str = ""

    def says(self) -> str:
        against = f" against {self.against}" if self.against else ""
        way = "forward" if self.microseconds > 0 else "back"
        return f"The clock jumped {way} by {abs(self.microseconds) // 1000:,} ms{against}."


@happens("ledger.verified")
class LedgerVerified(Happened, frozen=True, kw_only=True):
    seq: int
    hash: str
    state: str
    """The digest of the checkpoint."""

    def says(self) -> str:
        return f"The ledger was verified up to event {self.seq}."


@happens("anchor.acknowledged", significant="Somebody took responsibility for the state of the anchor.")
class AnchorAcknowledged(Happened, frozen=True, kw_only=True):
    reason: str
    findings: tuple[str, ...]

    def says(self) -> str:
        return f"The state of the anchor was acknowledged{because(self.reason)}: {'; '.join(self.findings)}."


@happens("incident.acknowledged")
class IncidentAcknowledged(Happened, frozen=True, kw_only=True):
    incidents: tuple[int, ...]
    note: str

    def says(self) -> str:
        note = f": {self.note}" if self.note else ""
        count = len(self.incidents)
        what = f"The incident of event {self.incidents[0]} was" if count == 1 else f"{count} incidents were"
        return f"{what} acknowledged{note}."


def of_start(fact: Happened, name: str) -> Any:
    """Return what a start recorded under a name; None where its version did not say."""
    value = getattr(fact, name, UNSET)
    return None if isinstance(value, UnsetType) else value
