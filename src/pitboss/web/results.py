"""What a round came to: settled lines, with the balances around them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pitboss.ledger.people import Person
from pitboss.ledger.recall import NoRoundError, NotYoursError, recall
from pitboss.ledger.store import Store
from pitboss.money import Cents
from pitboss.table.state import Table

Line = Mapping[str, Any]


@dataclass(frozen=True)
class Results:
    """The lines of one round. ``balances``: chips before the round and now, of those whom the viewer may know."""

    number: int
    lines: tuple[Line, ...] = ()
    balances: tuple[tuple[str, Cents, Cents], ...] = ()
    void: bool = False


def recalled(store: Store, table: Table, shown: Sequence[Line], who: Person) -> Results:
    """The round in play, or else the last that is over; a player doesn't learn other players' balances."""
    number = table.play.number if table.play else table.rounds
    if not number or (table.play and not shown):
        return Results(number)
    try:
        found = recall(store, table.id, number, who)
    except (NoRoundError, NotYoursError):
        return Results(number)
    balances = tuple((balance.player, balance.before, balance.after) for balance in found.balances)
    lines = [*shown] if table.play else [{**vars(line), "why": line.sentence} for line in found.lines]
    # What was recalled, in the order of the lines on the felt: a player recalls fewer of them.
    after = iter(found.lines)
    seats = {line.seat for line in found.lines}
    with_balance = tuple(
        {**line, "balance": held.balance if line["seat"] in seats and (held := next(after, None)) else None}
        for line in lines
    )
    return Results(number, with_balance, balances, found.state == "void")
