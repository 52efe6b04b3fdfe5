"""What a round came to: settled lines with the balances around them, and the last rounds of the table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pitboss.ledger.people import Person
from pitboss.ledger.recall import NoRoundError, NotYoursError, RoundSummary, recall
from pitboss.ledger.store import Store
from pitboss.money import Cents, show_dollars, show_signed
from pitboss.names import shown
from pitboss.table.state import Table
from pitboss.web.pages.shell import escape, table_html

Line = Mapping[str, Any]


@dataclass(frozen=True)
class Results:
    """The lines of one round. ``balances``: chips before the round and now, of those whom the viewer may know."""

    number: int
    lines: tuple[Line, ...] = ()
    balances: tuple[tuple[str, Cents, Cents], ...] = ()
    void: bool = False


def recalled(store: Store, table: Table, shown: Sequence[Line], who: Person) -> Results:
    """The round in play, or else the last that is over; a player learns nobody else's balance."""
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


def signed(amount: Cents) -> str:
    """A gain or a loss in its colour; the sign says the same to those who do not see colours."""
    kind = "pb-good" if amount > 0 else "pb-bad" if amount < 0 else "pb-soft"
    return f'<span class="{kind}" data-net>{show_signed(amount)}</span>'


def settlement_html(results: Results) -> str:
    """The settlement as a table; empty where nothing has been settled."""
    if not results.lines:
        if results.void:
            title = f"<h2>Round {results.number} was void; all wagers went back</h2>"
            return f'<section class="pb-card" aria-label="Settlement">{title}</section>'
        return ""
    rows = [
        (
            escape(line["seat"]),
            escape(shown(str(line["wager"]))),
            show_dollars(line["stake"]),
            escape(line["result"]),
            signed(line["net"]),
            "" if line.get("balance") is None else show_dollars(line["balance"]),
            f"{escape(line['why'])} <span class='pb-cite'>[{escape(line['cite'])}]</span>",
        )
        for line in sorted(results.lines, key=lambda line: line.get("balance") is None)  # one's own come first
    ]
    heads = ["Seat", "Wager", "Stake", "Result", "Net, $", "Chips after", "Why"]
    if not any(row[5] for row in rows):
        heads.pop(5)
        rows = [(*row[:5], row[6]) for row in rows]  # type: ignore[misc]
    numbers = (2, 4, 5) if len(heads) == 7 else (2, 4)
    chips = "".join(
        f"<div><span class='pb-soft'>{escape(player)}</span> {show_dollars(before)} before the round, "
        f"<strong>{show_dollars(after)}</strong> now</div>"
        for player, before, after in results.balances
    )
    foot = f'<div class="pb-money pb-small" data-balances>{chips}</div>' if chips else ""
    lines = table_html(heads, rows, numbers=numbers, below=len(heads) - 1)
    return (
        f'<section class="pb-card" aria-label="Settlement"><h2>Settlement of round {results.number}</h2>'
        f'<div class="pb-scroll" tabindex="0">{lines}</div>{foot}</section>'
    )


def rounds_html(rounds: tuple[RoundSummary, ...], link: str = "") -> str:
    """The last rounds, newest first, with what each seat and the house made of them."""
    if not rounds:
        return '<p class="pb-soft pb-small" style="margin:0">No round has been played here yet.</p>'
    rows = []
    for past in rounds:
        seats = " · ".join(f"seat {seat} {signed(net)}" for seat, net in sorted(past.totals.items()))
        said = seats if past.state == "completed" else escape(past.state + (f": {past.note}" if past.note else ""))
        house = signed(-sum(past.totals.values())) if past.state == "completed" else ""
        number = f'<a href="{link}{past.number}">{past.number}</a>' if link else str(past.number)
        rows.append((number, f'<span class="pb-small">{said}</span>', house))
    return table_html(("Round", "Players, $", "House, $"), rows, numbers=(2,), caption="Last rounds")
