"""The chips of settled lines at a live table: what each line moves, as entries and read back from entries."""

from collections.abc import Iterable

from pitboss.games.handover import Handover, handover
from pitboss.games.settlement import SettledWager
from pitboss.meters import UNITS_PER_CENT
from pitboss.table.events import (
    Entry,
    inventory_account,
    jackpot_account,
    layout_account,
    move,
    player_account,
    pot_account,
)
from pitboss.table.kinds.settlement import LineSettled
from pitboss.table.ruling import hand_at
from pitboss.table.state import Table


def handover_at(table: Table, line: SettledWager) -> Handover:
    """Return what moves with a line of the round in play."""
    if (hand := hand_at(table)) is not None:
        return handover(line, hand.put[line.seat], from_pot=True)
    return handover(line, line.on_layout if line.settles in table.playing.collected else 0)


def line_entries(table: Table, line: SettledWager) -> tuple[Entry, ...]:
    """Return the money of a line: the stake leaves the layout; winnings come from the inventory, a jackpot or a pot."""
    moves, player = handover_at(table, line), player_account(table.playing.players[line.seat])
    layout, inventory, pot = layout_account(table.id), inventory_account(table.id), pot_account(table.id)
    hand = hand_at(table)
    source = pot if hand is not None else jackpot_account(table.id) if line.from_meter else inventory
    return (
        *move(layout, player, moves.stays),
        *move(layout, inventory, moves.taken),
        *move(source, player, moves.handed_over),
        *(move(pot, inventory, hand.rake_with(line.seat)) if hand is not None else ()),
    )


def recorded_handover(line: LineSettled, entries: Iterable[Entry]) -> Handover:
    """Return what moved with a line as it was recorded; nothing where the reader may not see the entries."""
    gained: dict[str, int] = {}
    for entry in entries:
        kind = entry.account.partition(":")[0]
        gained[kind] = gained.get(kind, 0) + entry.units // UNITS_PER_CENT
    on_layout = line.stake if line.settles else 0
    lying = -gained.get("layout", 0)
    taken = 0 if "pot" in gained else max(gained.get("inventory", 0), 0)  # with a pot, that is the rake
    stays = lying - taken
    return Handover(gained.get("player", 0) - stays, taken, stays, max(on_layout - lying, 0), "pot" in gained)
