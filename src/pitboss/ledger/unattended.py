"""Tables that run by themselves: where the rules say that there is no dealer, the software takes the dealer's steps.

Nothing is remembered between two looks: when a step is due follows from the ledger alone, so it does not matter which
server takes it, or after how many starts.
"""

import logging
from typing import Final

from pitboss.clock import MICROSECONDS
from pitboss.findings import PitbossError
from pitboss.ledger.desk import LedgerDesk
from pitboss.ledger.pit import ITSELF, Pit
from pitboss.ledger.replay import round_of
from pitboss.table.command import can
from pitboss.table.guide import next_step
from pitboss.table.ruling import unattended
from pitboss.table.state import Phase

_LOG = logging.getLogger(__name__)
PACE: Final = 2 * MICROSECONDS
"""Between two steps of a round, so that players can see what has happened."""

OF_THE_ROUND: Final = frozenset({"table.void-revealed", "table.abandon-revealed", "table.choice-stands"})
"""Acts of two people for whose answer the round waits."""


def run_tables(pit: Pit, betting_seconds: int) -> None:
    """One step at each table where it is due. A house that is closed to play takes none, nor does a table about whose
    round two people have yet to agree. A player's or floorperson's step waits for that person: the software may not."""
    if pit.reasons_to_stop():
        return
    disputed = {(each.table, each.round) for each in pit.proposals() if each.act in OF_THE_ROUND}
    for table in pit.tables():
        if unattended(table) and (table.id, round_of(table)) not in disputed:
            try:
                _run(pit, table.id, betting_seconds * MICROSECONDS)
            except PitbossError:
                continue  # refused, or the ledger is busy: it is looked at again
            except Exception:  # noqa: BLE001  (what is wrong with one table does not stop the others)
                _LOG.exception("The table %s cannot go on by itself; a dealer can.", table.id)


def _run(pit: Pit, table_id: str, betting: int) -> None:
    with pit.store.reading() as reading:
        table, now = pit.fold(reading, table_id), pit.clock()
        # As the guide, this only looks.
        desk = LedgerDesk(reading, now, ITSELF.id, ITSELF.role, pit.randomness)
        step = next_step(table, desk)
        if step is None or step.command is None:
            return
        wait = betting if table.phase == Phase.WAGERING else PACE
        if now < reading.last_time(table_id) + wait or not can(table, step.command, desk):
            return
    # Everyone who sees the same state uses the same key, and the pit carries it out once.
    pit.act(table_id, step.command.as_dict(), ITSELF, f"{ITSELF.id} {table_id} {table.events}")
