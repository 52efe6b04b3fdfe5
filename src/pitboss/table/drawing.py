"""The draw: the Options fee is collected and the cards that were bought are dealt, seat by seat."""

from collections.abc import Iterator
from dataclasses import dataclass

from pitboss.cards import DECK, show_card
from pitboss.findings import Finding
from pitboss.games.settlement import Stage
from pitboss.table.command import command
from pitboss.table.dealing import TakesCards
from pitboss.table.deciding import cards_short, drawing
from pitboss.table.desk import Desk
from pitboss.table.events import Event
from pitboss.table.ruling import cite_of, game_at
from pitboss.table.state import Phase, Table
from pitboss.table.turns import ready_turns, turn_events


@command("draw", {Phase.DRAWING}, "collect-options-fee")
@dataclass(frozen=True)
class Draw(TakesCards):
    """Collect the next player's Options fee and deal what it buys."""

    def _next(self, table: Table) -> int | None:
        assert table.play is not None
        waiting = drawing(table, table.play)[:1]
        return next((seat for seat in waiting if not table.play.decisions[seat].drawn), None)

    def wanted(self, table: Table) -> int:
        assert table.play is not None
        seat = self._next(table)
        return game_at(table).draws(table.play.decisions[seat]) if seat is not None else 0

    def findings(self, table: Table, desk: Desk) -> Iterator[Finding]:  # noqa: ARG002
        assert table.play is not None
        if self._next(table) is None:
            seat = next(iter(drawing(table, table.play)), None)
            yield Finding(
                "nothing-to-draw", cite_of(table, self.act), f"the decision of seat {seat}", "a draw",
                f"Seat {seat} decides first what to do with the new cards.",
            )  # fmt: skip
            return
        left = len(DECK) - len(table.play.left_deck)
        if self.wanted(table) > left:
            yield Finding(
                "stub-too-small",
                cite_of(table, "wrong-number-of-cards"),
                f"{self.wanted(table)} cards",
                f"{left} cards",
                "The stub cannot fill this exchange: report the irregularity exchange-unfilled; the round is void.",
            )
            return
        yield from self.card_findings(table)

    def events(self, table: Table, desk: Desk) -> Iterator[Event]:
        seat = self._next(table)
        assert seat is not None
        assert table.play is not None
        ready, _ = ready_turns(table, desk, {Stage.FEE})
        yield from turn_events(table, ready[0])
        bought = len(table.play.decisions[seat].discard)
        act = "replace-discards-from-deck" if bought else "deal-sixth-card"
        cards = [[show_card(card), f"seat {seat}", False] for card in self.take(table, desk)]
        yield Event("cards.drawn", {"seat": seat, "cards": cards}, (cite_of(table, act),))


def warning(table: Table) -> str:
    """Said to the dealer before an exchange fails: the stub will not suffice for everybody who has paid."""
    if table.play is None or table.phase not in (Phase.DECIDING, Phase.LOCKED, Phase.DRAWING):
        return ""
    short = cards_short(table)
    return f"The stub lacks {short} cards for the exchanges asked for." if short else ""
