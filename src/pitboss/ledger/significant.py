"""Significant events: a fixed list of what somebody has to be able to explain, each with who, when and why."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import Any

from pitboss.ledger.kinds.accounts import PermissionRefused
from pitboss.ledger.kinds.meters import MeterChangeApproved
from pitboss.ledger.kinds.system import SystemStarted, of_start
from pitboss.ledger.replay import pages
from pitboss.ledger.rows import Recorded, shown_time
from pitboss.ledger.sentences import tell
from pitboss.ledger.store import Store
from pitboss.names import several
from pitboss.table.happened import KINDS
from pitboss.table.words import in_words

VERSION_CHANGED = "version.changed"
"""Recorded by a start whose version, law or program is not that of the start before; it has no event of its own."""

RECORDED = tuple(kind for kind in KINDS.values() if kind.SIGNIFICANT)
"""Kinds of event that are significant: their classes say so."""
SIGNIFICANT: Mapping[str, str] = MappingProxyType(
    {kind.KIND: kind.SIGNIFICANT for kind in RECORDED}
    | {VERSION_CHANGED: "The program started with another version, other law data or other files than before."}
)
"""The kinds of event on the list, each with what it means. Nothing else is significant, and all of these are."""


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
        last, before = reading.head.seq, reading.latest(SystemStarted, until=after)
    for page in pages(store, last, table, after, RECORDED):
        for event in page:
            if isinstance(event.fact, SystemStarted):
                if before is not None and (changed := _changed(before, event)):
                    yield _of(event, VERSION_CHANGED, f"Since the start before: {changed}.", changed)
                before = event
            yield _of(event, event.kind, tell(event), _why(event))


def _of(event: Recorded, kind: str, sentence: str, why: str) -> Significant:
    return Significant(
        event.seq, kind, event.at, event.actor, event.role, event.stream, event.round, sentence, why, event.cites
    )


def _why(event: Recorded) -> str:
    """The reason that the person gave, or what the law gives."""
    match event.fact:
        case MeterChangeApproved(change=change) if change.reason:
            return change.reason
        case PermissionRefused(command=command):
            return f"a {event.role} may not {in_words(command.rpartition('.')[2])}"
        case fact if given := getattr(fact, "reason", "") or getattr(fact, "note", ""):
            return str(given)
    return f"[{event.cites[0]}]" if event.cites else ""


def _changed(before: Recorded, now: Recorded) -> str:
    parts = []
    old_version, version = of_start(before.fact, "version"), of_start(now.fact, "version")
    if old_version != version:
        parts.append(f"version {version} instead of {old_version}")
    for what in ("law", "program"):
        old, new = of_start(before.fact, what) or {}, of_start(now.fact, what) or {}
        count = sum(old.get(name) != new.get(name) for name in {*old, *new})
        if count:
            parts.append(f"{several(count, 'file')} of the {what}")
    return ", ".join(parts)
