"""The register of slips: chips that changed hands outside the game, and payouts that a supervisor validated."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import date
from types import MappingProxyType
from typing import Any, Final

from pitboss.clock import day_begins, day_of, days_later
from pitboss.findings import UnreadableError
from pitboss.ledger.replay import pages
from pitboss.ledger.rows import Recorded, shown_time
from pitboss.ledger.search import seq_at
from pitboss.ledger.slips import kept_slip
from pitboss.ledger.store import Reading, Store
from pitboss.money import Cents
from pitboss.names import listed
from pitboss.table.happened import Happened
from pitboss.table.kinds.house import (
    InventoryCredited,
    InventoryFilled,
    PlayerBoughtIn,
    PlayerCashedOut,
    PlayerRepaid,
    TableOpened,
    WithSlip,
)
from pitboss.table.kinds.settlement import PayoutValidated

PAYOUT: Final = "payout"
KINDS: Final[Mapping[type[Happened], str]] = MappingProxyType(
    {
        TableOpened: "opening fill",
        InventoryFilled: "fill",
        InventoryCredited: "credit",
        PlayerBoughtIn: "buy-in",
        PlayerCashedOut: "cash-out",
        PlayerRepaid: "repayment",
        PayoutValidated: PAYOUT,
    }
)
"""The kinds of slip by the kind of event that records them."""


@dataclass(frozen=True)
class SlipFilter:
    """What a register shows; an empty field doesn't matter. ``day`` is a gaming day."""

    table: str = ""
    day: date | None = None
    kind: str = ""

    def __post_init__(self) -> None:
        if self.kind and self.kind not in KINDS.values():
            raise UnreadableError(f"There is no kind of slip {self.kind[:40]!r}, only {listed(KINDS.values())}.")


@dataclass(frozen=True)
class RegisteredSlip:
    """One slip. ``number`` is that of the table's series of the day; payouts have none, but the number of a round."""

    seq: int
    at: int
    day: date
    table: str
    kind: str
    number: int | None
    round: int | None
    player: str
    amount: Cents
    who: str
    role: str

    def as_dict(self) -> dict[str, Any]:
        return {**asdict(self), "at": shown_time(self.at), "day": str(self.day)}


def registered_slips(store: Store, wanted: SlipFilter) -> tuple[RegisteredSlip, ...]:
    """Return the slips that fit, table by table in their order."""
    kinds = [event for event, kind in KINDS.items() if wanted.kind in ("", kind)]
    with store.reading() as reading:
        first, last = 1, reading.head.seq
        if wanted.day is not None:
            first = seq_at(reading, day_begins(wanted.day))
            # A payout of the day's last round may be validated on the next day.
            last = seq_at(reading, day_begins(days_later(wanted.day, 2))) - 1
    found = []
    for page in pages(store, last, wanted.table or None, first - 1, kinds):
        with store.reading() as reading:
            found += [slip for event in page for slip in _slips(reading, event) if wanted.day in (None, slip.day)]
    return tuple(sorted(found, key=lambda slip: (slip.table, slip.seq)))


def _slips(reading: Reading, event: Recorded) -> Iterator[RegisteredSlip]:
    """The slip of an event; none of a table that was opened without chips."""
    fact, kind = event.fact, KINDS.get(type(event.fact), "")
    player, amount, number, round_, day = "", 0, None, None, day_of(event.at)
    if isinstance(fact, WithSlip):
        amount = getattr(fact, "amount", 0) or getattr(fact, "fill", 0)
        player, number = getattr(fact, "player", ""), fact.slip or None
        day = date.fromisoformat(fact.day) if fact.day else day
    elif isinstance(fact, PayoutValidated):
        paid = kept_slip(reading, reading.events(event.stream, round=event.round), event)
        round_, player, amount, day = paid.round, paid.player, paid.amount, date.fromisoformat(paid.day)
    if amount:
        place = event.stream, kind, number, round_, player, amount
        yield RegisteredSlip(event.seq, event.at, day, *place, event.actor, event.role)
