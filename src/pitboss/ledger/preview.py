"""Preview a command: run it without committing and describe its effects."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from pitboss.findings import FindingsError
from pitboss.ledger.desk import LedgerDesk
from pitboss.ledger.people import Person
from pitboss.ledger.pit import Pit
from pitboss.meters import UNITS_PER_CENT
from pitboss.money import show_dollars, show_signed
from pitboss.names import several
from pitboss.table.command import read_command, verify
from pitboss.table.events import Entry, Event, drop_account, inventory_account, player_account
from pitboss.table.kinds.house import LimitsChanged, TableClosed
from pitboss.table.kinds.rounds import PlayerOwes, RoundVoided
from pitboss.table.kinds.settlement import LineSettled
from pitboss.table.kinds.wagers import WagerReturned
from pitboss.table.permissions import second_of
from pitboss.table.ruling import filed_rules, rules_at
from pitboss.table.state import Table

GRAVE: Final = frozenset({"close_table", "change_limits", "irregularity", "abandon", "return_wager"})
"""Commands that somebody confirms when they have read what follows."""


def consequences(pit: Pit, table_id: str, body: Mapping[str, Any], who: Person) -> tuple[str, ...]:
    """What would follow from a command, a sentence each; what stands against it is raised as findings."""
    wanted = read_command(body)
    with pit.store.reading() as reading:
        table = pit.fold(reading, table_id)
        desk = LedgerDesk(reading, pit.clock(), who.id, who.role, pit.randomness)
        if findings := verify(table, wanted, desk):
            raise FindingsError(findings)
        told = list(_told(table, wanted.act_at(table, desk).events, desk))
        act = wanted.two_people(table, desk)
    if act:
        told.append(f"It needs the consent of {second_of(act)}.")
    return tuple(told)


def _told(table: Table, events: tuple[Event, ...], desk: LedgerDesk) -> Iterator[str]:
    for event in events:
        match event.fact:
            case TableClosed():
                yield from _closed(table, desk)
            case LimitsChanged() as changed:
                yield from _limits(table, changed)
            case RoundVoided() as void:
                yield from _voided(table, void, event.entries)
            case PlayerOwes(player=player, amount=amount):
                yield f"{player} has spent {show_dollars(amount)} of it and will owe that."
            case LineSettled(abandoned=True, seat=seat, stake=stake):
                yield f"Seat {seat} loses a wager of {show_dollars(stake)}."
            case WagerReturned(seat=seat):
                yield f"A wager goes back to seat {seat}."


def _closed(table: Table, desk: LedgerDesk) -> Iterator[str]:
    chips, drop = (
        show_dollars(desk.balance(account(table.id)) // UNITS_PER_CENT) for account in (inventory_account, drop_account)
    )
    yield f"Table {table.id} closes: {chips} in chips and {drop} of the drop box go to the cage."
    if table.homes:
        yield f"{several(len(table.homes), 'seated player')} must leave: {', '.join(sorted(table.homes))}."
    yield "Opening it again on the same gaming day needs a second person."


def _limits(table: Table, changed: LimitsChanged) -> Iterator[str]:
    """The old and the new range, and how the new one stands to what was filed."""
    wager, low, high = changed.wager, changed.minimum, changed.maximum
    now, filed = rules_at(table).limits(wager), filed_rules(table).limits(wager)
    title = rules_at(table).wagers[wager].title
    old, new = (
        f"{show_dollars(now.minimum)} to {show_dollars(now.maximum)}",
        f"{show_dollars(low)} to {show_dollars(high)}",
    )
    against = []
    if low < filed.minimum:
        against.append(f"below the lowest limit filed, {show_dollars(filed.minimum)}")
    if high > filed.maximum:
        against.append(f"above the highest limit filed, {show_dollars(filed.maximum)}")
    yield f"{title}: {old} becomes {new}{': ' + ' and '.join(against) if against else ''}."
    if table.homes:
        yield f"{several(len(table.homes), 'player')} took a seat under the old limits."


def _voided(table: Table, void: RoundVoided, entries: Sequence[Entry]) -> Iterator[str]:
    back = {seat: sum(made.values()) for seat, made in void.returned.items()}
    seats = ", ".join(f"seat {seat} {show_dollars(total)}" for seat, total in back.items())
    total = show_dollars(sum(back.values()))
    yield f"Round {void.round} at {table.id} is void: {total} goes back ({seats or 'nobody had a wager'})."
    if lines := table.playing.lines:
        net = show_signed(sum(line.net for line in lines))
        yield f"What was settled is undone: {several(len(lines), 'line')}, net {net} to the players."
        yield from _chips_undone(table, entries)


def _chips_undone(table: Table, entries: Sequence[Entry]) -> Iterator[str]:
    """What each player is handed over from the table's chips, or hands back, so that the round was not."""
    inventory, moved = inventory_account(table.id), Counter[str]()
    for source, target in zip(entries[::2], entries[1::2], strict=True):
        if source.account == inventory:
            moved[target.account] += target.units // UNITS_PER_CENT
        elif target.account == inventory:
            moved[source.account] -= target.units // UNITS_PER_CENT
    for player in dict.fromkeys(table.playing.players.values()):
        if chips := moved[player_account(player)]:
            yield f"{player} {'is handed' if chips > 0 else 'hands back'} {show_dollars(abs(chips))}."
