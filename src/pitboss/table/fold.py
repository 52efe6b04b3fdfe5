"""From events to the table. What each kind does is said by its class; no rule is known here.

An event that moves the table to another phase says so itself, so the fold of an old record stays what it was even
when the law or the program has changed since.
"""

from collections.abc import Iterable

from pitboss.records import replace
from pitboss.table.events import Happening
from pitboss.table.happened import Happened
from pitboss.table.kinds.chance import Read
from pitboss.table.state import LiveRound, Table


def apply(table: Table, fact: Happened) -> Table:
    """Return the table after one event; a kind that does nothing to the table only counts."""
    before = table.play
    if type(fact).fold is not Happened.fold:
        table = fact.fold(table)
        if _keyed_before(before, table.play) and not fact.is_keying(table):
            table = table.with_play(keyed=())
        if before is not None and before.called and table.play is not None and not isinstance(fact, Read):
            table = table.with_play(called=False)
    return replace(table, phase=fact.phase or table.phase, events=table.events + 1)


def _keyed_before(before: LiveRound | None, after: LiveRound | None) -> bool:
    """Whether cards can still be corrected that were keyed in before an event which keyed in none itself."""
    if before is None or after is None or after is before:
        return False
    return bool(after.keyed) and after.keyed is before.keyed


def apply_all(table: Table, events: Iterable[Happening]) -> Table:
    for event in events:
        table = apply(table, event.fact)
    return table
