"""Significant events: a fixed list of what somebody has to be able to explain, each with who, when and why."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import Any

from pitboss.data import data_rows
from pitboss.ledger.replay import pages
from pitboss.ledger.rows import Recorded, shown_time
from pitboss.ledger.store import Store
from pitboss.ledger.telling import in_words, tell
from pitboss.names import several

VERSION_CHANGED = "version.changed"
"""Recorded by a start whose version, law or program is not that of the start before; it has no event of its own."""

SIGNIFICANT: Mapping[str, str] = MappingProxyType({row[0]: row[1] for row in data_rows("ledger", "significant.tsv")})
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
    """The reason that the person gave, or what the law gives."""
    data = event.data
    change = data.get("change")
    given = change.get("reason") if isinstance(change, Mapping) else data.get("reason") or data.get("note")
    if given:
        return str(given)
    if event.kind == "permission.refused":
        return f"a {event.role} may not {in_words(str(data.get('command', '')).rpartition('.')[2])}"
    return f"[{event.cites[0]}]" if event.cites else ""


def _changed(before: Recorded, now: Recorded) -> str:
    parts = []
    if before.data.get("version") != now.data.get("version"):
        parts.append(f"version {now.data.get('version')} instead of {before.data.get('version')}")
    for what in ("law", "program"):
        old, new = before.data.get(what) or {}, now.data.get(what) or {}
        count = sum(old.get(name) != new.get(name) for name in {*old, *new})
        if count:
            parts.append(f"{several(count, 'file')} of the {what}")
    return ", ".join(parts)
