"""Irregularities, and devices that are out of order."""

from typing import Self

from msgspec import field

from pitboss.records import replace
from pitboss.table.happened import Eyes, Happened, but, happens
from pitboss.table.state import Table
from pitboss.table.words import in_words


@happens("irregularity.reported", significant="An irregularity of cards or devices was reported.", unusual=True)
class IrregularityReported(Happened, frozen=True, kw_only=True):
    what: str
    seat: int | None
    device: str
    note: str
    hands: dict[str, str] = field(default_factory=dict)
    """Cards that were turned up because of it, by place."""

    def is_of(self, eyes: Eyes) -> bool:  # noqa: ARG002
        return False

    def part(self, eyes: Eyes) -> Self:  # noqa: ARG002
        return but(self, note="", hands={}, phase=None)

    def says(self) -> str:
        seat = f" at seat {self.seat}" if self.seat else ""
        device = f" ({self.device})" if self.device else ""
        note = f": {self.note}" if self.note else ""
        return f"Irregularity: {self.what.replace('-', ' ')}{seat}{device}{note}."


@happens("device.failed", public=True, significant="A shuffler or a shoe was out of order.", unusual=True)
class DeviceFailed(Happened, frozen=True, kw_only=True):
    device: str

    def fold(self, table: Table) -> Table:
        return replace(table, failed=(*table.failed, self.device))

    def says(self) -> str:
        return f"The {self.device} was reported out of order."


@happens("device.covered", public=True, unusual=True)
class DeviceCovered(Happened, frozen=True, kw_only=True):
    device: str
    how: str

    def fold(self, table: Table) -> Table:
        return replace(table, covered={**table.covered, self.device: self.how})

    def says(self) -> str:
        return f"The {self.device}, out of order, was {'covered' if self.how == 'cover' else 'given a sign'}."


@happens("method.changed", public=True, unusual=True)
class MethodChanged(Happened, frozen=True, kw_only=True):
    dealing: str
    shuffling: str

    def fold(self, table: Table) -> Table:
        return replace(table, dealing=self.dealing, shuffling=self.shuffling)

    def says(self) -> str:
        return f"Cards are now dealt by {in_words(self.dealing)} and shuffled by {self.shuffling}."


@happens("device.repaired", public=True, unusual=True)
class DeviceRepaired(Happened, frozen=True, kw_only=True):
    device: str
    dealing: str
    shuffling: str

    def fold(self, table: Table) -> Table:
        failed = tuple(device for device in table.failed if device != self.device)
        covered = {device: how for device, how in table.covered.items() if device != self.device}
        return replace(table, dealing=self.dealing, shuffling=self.shuffling, failed=failed, covered=covered)

    def says(self) -> str:
        return f"The {self.device} works again."
