"""A player who leaves during the round: a floorperson may treat the wagers as abandoned."""

from collections.abc import Iterator

from pitboss.findings import Finding
from pitboss.games.course import FORFEITS
from pitboss.games.settlement import Line, LineResult
from pitboss.table.act import Act
from pitboss.table.chips import line_entries
from pitboss.table.command import Command, command
from pitboss.table.desk import Desk
from pitboss.table.events import Event
from pitboss.table.kinds.decisions import WagersAbandoned
from pitboss.table.place import is_known
from pitboss.table.ruling import SEATED, cite_of, game_at, rules_at
from pitboss.table.state import LiveRound, Phase, Table
from pitboss.table.turns import followed, line_settled
from pitboss.table.voiding import stakes_of


@command(
    "abandon",
    {Phase.STUB, Phase.DECIDING, Phase.LOCKED, Phase.DRAWING, Phase.REVEALING, Phase.SETTLING},
    SEATED,
)
class Abandon(Command):
    """A floorperson treats the wagers of a player who left during the round as abandoned: they lose."""

    seat: int

    def two_people(self, table: Table, desk: Desk) -> str:  # noqa: ARG002
        return "table.abandon-revealed" if is_known(table) else ""

    def findings(self, table: Table, desk: Desk) -> Iterator[Finding]:  # noqa: ARG002
        play = table.playing
        if self.seat not in play.left or self.seat in play.absent:
            sentence = f"The player of seat {self.seat} has not left with live wagers."
            expected = "a seat whose player left during the round"
            yield self.refusal(table, "not-left", expected, f"seat {self.seat}", sentence)
        elif game_at(table).course.contest:
            sentence = f"Chips of seat {self.seat} not in the pot stay the player's: the dealer folds the hand in turn."
            yield self.refusal(table, "fold-instead", "a fold in turn", "an abandoned stake", sentence)
        elif self._live(table, play).keys() & _divided(table, play):
            sentence = f"A jackpot has been divided and a part of it is seat {self.seat}'s: settle the seat."
            expected = "a jackpot that is not yet divided"
            yield self.refusal(table, "jackpot-divided", expected, "a divided jackpot", sentence)

    def events(self, table: Table, desk: Desk) -> Act:
        events = self._events(table)
        return Act.of(table, events) if table.phase == Phase.STUB else followed(table, desk, events)

    def _events(self, table: Table) -> Iterator[Event]:
        play = table.playing
        cite = cite_of(table, self.act)
        for wager, stake in self._live(table, play).items():
            line = Line(
                self.seat, wager, stake, result=LineResult.LOSE, net=-stake, cite=cite, settles=wager,
                why="The player left during the round; the wager is treated as lost.",
            )  # fmt: skip
            settled = line_settled(line, FORFEITS, self.seat, abandoned=True)
            yield Event(settled, (cite,), line_entries(table, line))
        # Decisions already made stay: lines settled under them, a fee for example, are read again with them.
        yield Event(WagersAbandoned(seat=self.seat), (cite,))

    def _live(self, table: Table, play: LiveRound) -> dict[str, int]:
        """Wagers of the seat that no line has settled yet."""
        gone = {line.settles for line in play.lines if line.seat == self.seat}
        return {name: stake for name, stake in stakes_of(table, play)[self.seat].items() if name not in gone}


def _divided(table: Table, play: LiveRound) -> set[str]:
    """Wagers that all who made them share, of which a meter has paid a part."""
    rules = rules_at(table)
    paid = (rules.wager_named(line.settles) for line in play.lines if line.from_meter)
    return {wager.name for wager in paid if wager is not None and wager.divided}
