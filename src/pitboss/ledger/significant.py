"""Significant events: a fixed list of what somebody has to be able to explain, each with who, when and why."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import Any

from pitboss.ledger.replay import pages
from pitboss.ledger.rows import Recorded, shown_time
from pitboss.ledger.store import Store
from pitboss.ledger.telling import tell

VERSION_CHANGED = "version.changed"
"""Recorded by a start whose version, law or program is not that of the start before; it has no event of its own."""

SIGNIFICANT: Mapping[str, str] = MappingProxyType(
    {
        "system.started": "The program started.",
        "system.stopped": "The program was stopped in order.",
        VERSION_CHANGED: "The program started with another version, other law data or other files than before.",
        "clock.jumped": "The wall clock jumped by more than two seconds.",
        "table.opened": "A table was opened.",
        "table.closed": "A table was closed.",
        "limits.changed": "The limits of a wager were changed.",
        "meter.opened": "A meter was opened with its seed and its rate.",
        "meter.change-approved": "Rate, seed or amount of a meter was changed, or the meter was reset or transferred.",
        "meter.paid": "A meter paid a jackpot or a share of it.",
        "round.voided": "A round was void.",
        "player.owes": "A void round took back winnings that a player no longer had; the house has a claim.",
        "irregularity.reported": "An irregularity of cards or devices was reported.",
        "deck.lost": "A sealed deck was gone or was not the one that was sealed.",
        "anchor.acknowledged": "Somebody took responsibility for the state of the anchor.",
        "deck.removed": "A deck was taken off a table.",
        "device.failed": "A shuffler or a shoe was out of order.",
        "consent.waived": "An account that may give consent was enabled by one person, with nobody else to ask.",
        "permission.refused": "Somebody tried to do what their job function may not do.",
        "login.failed": "A log-in failed.",
        "refusals.counted": "Somebody was refused so often within a minute that the rest was only counted.",
    }
)
"""The kinds of event on the list, each with what it means. Nothing else is significant, and all of these are."""
RECORDED = tuple(kind for kind in SIGNIFICANT if kind != VERSION_CHANGED)
"""Those that stand in the ledger as events."""


@dataclass(frozen=True)
class Significant:
    """One significant event: ``sentence`` says what happened, ``why`` what was given as the reason, if anything."""

    seq: int
    kind: str
    at: int
    who: str
    role: str
    table: str
    round: int
    sentence: str
    why: str
    cites: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        return {**asdict(self), "at": shown_time(self.at), "cites": list(self.cites)}


def significant(store: Store, after: int = 0, table: str | None = None) -> Iterator[Significant]:
    """The significant events after a sequence number, of one table or of all, in their order."""
    with store.reading() as reading:
        last, before = reading.head.seq, reading.latest("system.started", until=after)
    for page in pages(store, last, table, after, RECORDED):
        for event in page:
            if event.kind == "system.started":
                if before is not None and (changed := _changed(before, event)):
                    yield _of(event, VERSION_CHANGED, f"Since the start before: {changed}.", changed)
                before = event
            yield _of(event, event.kind, tell(event), _why(event))


def _of(event: Recorded, kind: str, sentence: str, why: str) -> Significant:
    return Significant(
        event.seq, kind, event.at, event.actor, event.role, event.stream, event.round, sentence, why, event.cites
    )


def _why(event: Recorded) -> str:
    """What whoever acted gave as the reason, or what the law gives."""
    data = event.data
    change = data.get("change")
    given = change.get("reason") if isinstance(change, Mapping) else data.get("reason") or data.get("note")
    if given:
        return str(given)
    if event.kind == "permission.refused":
        return f"a {event.role} may not {data.get('command', '')}"
    return f"[{event.cites[0]}]" if event.cites else ""


def _changed(before: Recorded, now: Recorded) -> str:
    parts = []
    if before.data.get("version") != now.data.get("version"):
        parts.append(f"version {now.data.get('version')} instead of {before.data.get('version')}")
    for what in ("law", "program"):
        old, new = before.data.get(what) or {}, now.data.get(what) or {}
        count = sum(old.get(name) != new.get(name) for name in {*old, *new})
        if count:
            parts.append(f"{count} files of the {what}")
    return ", ".join(parts)
