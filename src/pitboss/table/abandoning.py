"""A player who leaves during the round: a floorperson may treat the wagers as abandoned."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from pitboss.findings import Finding
from pitboss.games.five_card_hand import DEALER as SHARED
from pitboss.games.settlement import Line, Result, Stage
from pitboss.table.codec import encode
from pitboss.table.command import Command, command
from pitboss.table.desk import Desk
from pitboss.table.events import (
    Event,
)
from pitboss.table.ruling import cite_of, game_at, rules_at
from pitboss.table.state import Decided, Phase, Play, Table
from pitboss.table.turns import line_data, line_entries


@command(
    "abandon", {Phase.STUB, Phase.DECIDING, Phase.LOCKED, Phase.DRAWING, Phase.REVEALING, Phase.SETTLING}, "seated-only"
)
@dataclass(frozen=True)
class Abandon(Command):
    """A floorperson treats the wagers of a player who left during the round as abandoned: they lose."""

    seat: int

    def two_people(self, table: Table) -> str:
        return "table.abandon-revealed" if table.phase == Phase.SETTLING else ""

    def findings(self, table: Table, desk: Desk) -> Iterator[Finding]:  # noqa: ARG002
        play = table.play
        assert play is not None
        if self.seat not in play.left or self.seat in play.absent:
            yield Finding(
                "not-left", cite_of(table, self.act), "a seat whose player left during the round", f"seat {self.seat}",
                f"The player of seat {self.seat} has not left with live wagers.",
            )  # fmt: skip
        elif any(line.from_meter and line.settles == SHARED for line in play.lines) and SHARED in self._live(
            table, play
        ):
            yield Finding(
                "jackpot-divided", cite_of(table, self.act), "a jackpot that is not yet divided", "a divided jackpot",
                f"A jackpot has been divided and a part of it is seat {self.seat}'s: settle the seat.",
            )  # fmt: skip

    def events(self, table: Table, desk: Desk) -> Iterator[Event]:  # noqa: ARG002
        from pitboss.table.deciding import next_phase, undecided

        play = table.play
        assert play is not None
        cite = cite_of(table, self.act)
        for wager, stake in self._live(table, play).items():
            line = Line(
                self.seat, wager, stake, result=Result.LOSE, net=-stake, cite=cite, settles=wager,
                why="The player left during the round; the wager is treated as lost.",
            )  # fmt: skip
            yield Event(
                "line.settled", line_data(line, Stage.FORFEITS, self.seat) | {"abandoned": True}, (cite,),
                line_entries(table, line),
            )  # fmt: skip
        # A decision already made stays: lines settled under it, a fee for example, are read again with it.
        fold = {self.seat: Decided("fold")} if self.seat in undecided(table, play) else {}
        after = replace(play, decisions={**play.decisions, **fold}, absent={**play.absent, self.seat: 0})
        data: dict[str, object] = {"seat": self.seat, "fold": encode(fold[self.seat]) if fold else {}}
        if table.phase in (Phase.DECIDING, Phase.DRAWING) and (phase := next_phase(table, after)) is not None:
            data["phase"] = phase
        yield Event("wagers.abandoned", data, (cite,))

    def _live(self, table: Table, play: Play) -> dict[str, int]:
        """Wagers of the seat that no line has settled yet."""
        seat = next(s for s in play.as_round(frozenset()).seats if s.number == self.seat)
        made = {**seat.wagers, **game_at(table).later_wagers(rules_at(table), seat)}
        gone = {line.settles for line in play.lines if line.seat == self.seat}
        return {name: stake for name, stake in made.items() if name not in gone}
