"""Lines that are settled, payouts that are validated, and jackpot documents."""

from typing import Self

from msgspec import UNSET, Struct, UnsetType

from pitboss.games.course import HANDS
from pitboss.games.handover import Handover
from pitboss.games.settlement import Line, LineResult
from pitboss.money import Cents, show_dollars, show_signed
from pitboss.names import shown
from pitboss.table.happened import Eyes, Happened, but, happens
from pitboss.table.state import Settled, Table

SECRET_LATER = "The reason is shown when the round is over."


class ActOnLine(Struct, frozen=True, forbid_unknown_fields=True):
    """What the law has people do before a line is paid."""

    act: str
    actor: str
    cite: str


@happens("line.settled")
class LineSettled(Happened, frozen=True, kw_only=True):
    seat: int
    wager: str
    stake: Cents
    result: LineResult
    net: Cents
    cite: str
    why: str
    stage: str
    turn: int
    odds: str = ""
    odds_cite: str | UnsetType = UNSET
    holder: int | None = None
    settles: str = ""
    from_meter: str = ""
    acts: tuple[ActOnLine, ...] = ()
    face_down: bool | UnsetType = UNSET
    """Version 0.1 did not say."""
    paperwork: bool = False
    abandoned: bool = False

    @classmethod
    def of(
        cls, line: Line, stage: str, turn: int, *, face_down: bool = False, paperwork: bool = False,
        abandoned: bool = False,
    ) -> "LineSettled":  # fmt: skip
        return cls(
            seat=line.seat, wager=line.wager, stake=line.stake, result=line.result, net=line.net, cite=line.cite,
            why=line.why, stage=stage, turn=turn, odds=line.odds, odds_cite=line.odds_cite if line.odds else UNSET,
            holder=line.holder, settles=line.settles, from_meter=line.from_meter,
            acts=tuple(ActOnLine(each.act, each.actor, str(each.cite)) for each in line.acts), face_down=face_down,
            paperwork=paperwork, abandoned=abandoned,
        )  # fmt: skip

    def fold(self, table: Table) -> Table:
        play = table.playing
        unsaid = not play.turned and self.stage != HANDS
        line = Settled(
            seat=self.seat, wager=self.wager, stake=self.stake, result=self.result, net=self.net, cite=self.cite,
            why=self.why, odds=self.odds, odds_cite=self.odds_cite or "", holder=self.holder, settles=self.settles,
            from_meter=self.from_meter, stage=self.stage, turn=self.turn, abandoned=self.abandoned,
            face_down=unsaid if isinstance(self.face_down, UnsetType) else self.face_down,
        )  # fmt: skip
        return table.with_play(lines=(*play.lines, line), paperwork=play.paperwork or self.paperwork)

    def covered(self, eyes: Eyes) -> Self:
        face_down = self.stage != HANDS if isinstance(self.face_down, UnsetType) else self.face_down
        if self.turn not in eyes.seats and secret(self.result, face_down=face_down):
            return but(self, why=SECRET_LATER)
        return self

    def says(self, moves: Handover | None = None) -> str:
        """Return its sentence, with the chips that moved where they are known."""
        odds = f" at {self.odds}" if self.odds else ""
        holder = f" for the hand of seat {self.holder}" if self.holder is not None else ""
        moved = f": {moves.outcome(self.result)}" if moves is not None else ""
        return (
            f"Seat {self.seat}: {shown(self.wager)} of {show_dollars(self.stake)}{holder}, {self.result}{odds}{moved}. "
            f"Net {show_signed(self.net)}. {self.why}"
        )


def secret(result: LineResult, *, face_down: bool) -> bool:
    """Return whether the reason names cards that stay face down: a forfeit needs no cards, and a win shows them."""
    return face_down and result not in (LineResult.WIN, LineResult.FORFEIT)


@happens("turns.completed", public=True)
class TurnsCompleted(Happened, frozen=True, kw_only=True):
    def says(self) -> str:
        return "Nothing was left to settle at this point."


@happens("payout.validated")
class PayoutValidated(Happened, frozen=True, kw_only=True):
    seat: int
    turn: str = ""
    """Part of the settlement and seat; not for other players."""

    def fold(self, table: Table) -> Table:
        return table.with_play(validated=(*table.playing.validated, self.turn))

    def is_of(self, eyes: Eyes) -> bool:  # noqa: ARG002
        return False

    def part(self, eyes: Eyes) -> Self:  # noqa: ARG002
        return but(self, turn="", phase=None)

    def says(self) -> str:
        return f"A supervisor validated the payout at seat {self.seat}."


@happens("paperwork.completed")
class PaperworkCompleted(Happened, frozen=True, kw_only=True):
    document: str

    def fold(self, table: Table) -> Table:
        return table.with_play(paperwork=False)

    def says(self) -> str:
        return f"The jackpot documents were complete{': ' * bool(self.document)}{self.document}."
