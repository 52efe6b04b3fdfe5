"""Who sits where: seats, adjacent boxes, and leaving."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from pitboss.findings import Finding, refusal
from pitboss.table.command import AtSeat, Command, command, self_dealing
from pitboss.table.desk import Desk
from pitboss.table.events import Event
from pitboss.table.kinds.seats import SeatLeft, SeatTaken
from pitboss.table.roles import Role
from pitboss.table.ruling import SEATED, cite_of, rules_at
from pitboss.table.state import Phase, Table
from pitboss.table.wagering import Withdraw

OPEN = frozenset(Phase) - {Phase.CLOSED}
PLAYER_NAME = re.compile(r"[a-z0-9][a-z0-9-]{1,39}")
"""As the accounts are named; names go into the accounts of the books."""


def live_seats(table: Table, player: str) -> tuple[int, ...]:
    """Seats where a player has wagers in the round that is being played."""
    if table.play is None:
        return ()
    return tuple(
        seat for seat in table.play.wagers if table.boxes.get(seat) == player and seat not in table.play.absent
    )


def _in_play(table: Table, seat: int, who: str) -> bool:
    """Whether wagers of somebody who left a seat are still live: in this round, or living on into the next ones."""
    kept = any(each.player != who for each in table.carried.get(seat, {}).values())
    return kept or (table.play is not None and seat in table.play.wagers)


def _seat_in_play(table: Table, seat: int) -> Finding:
    sentence = f"The wagers of the player who left seat {seat} are still live; wait until they are settled."
    return refusal("seat-in-play", "a seat without live wagers", f"seat {seat}", sentence, cite=cite_of(table, SEATED))


@dataclass(frozen=True)
class TakesPlace(Command):
    """Somebody takes a place at the table; a dealer names who it is."""

    seat: int
    player: str = ""
    box: ClassVar[bool] = False

    def acts_for(self, table: Table, desk: Desk) -> str:  # noqa: ARG002
        return self.player or desk.person

    def _who(self, desk: Desk) -> str:
        return self.player or (desk.person if desk.role == Role.PLAYER else "")

    def events(self, table: Table, desk: Desk) -> Iterator[Event]:  # noqa: ARG002
        yield Event(SeatTaken(seat=self.seat, player=self._who(desk), box=self.box))


@command("sit", OPEN)
class Sit(TakesPlace):
    """Take a seat."""

    def findings(self, table: Table, desk: Desk) -> Iterator[Finding]:
        rules = rules_at(table)
        who = self._who(desk)
        if not 1 <= self.seat <= rules.seats:
            sentence = f"There is no seat {self.seat}: this table has seats 1 to {rules.seats}."
            yield refusal("seat-number", f"1 to {rules.seats}", self.seat, sentence, cite=rules.figure_cite("seats"))
        elif self.seat in table.boxes:
            sentence = f"Seat {self.seat} is taken."
            yield refusal("seat-taken", "a free seat", table.boxes[self.seat], sentence, cite=cite_of(table, SEATED))
        if not PLAYER_NAME.fullmatch(who):
            sentence = "Say who takes the seat: small letters, digits and hyphens, 2 to 40 of them."
            yield refusal("player", "the name of a player", ascii(who[:40]) if who else "none", sentence)
        elif desk.role != Role.PLAYER and who == desk.person:
            yield self_dealing(who, "takes no seat at a table where he works for the house")
        elif table.play is not None and who == table.play.dealer:
            yield self_dealing(who, "deals this round and takes no seat in it")
        elif who in table.homes:
            sentence = f"{who} sits at seat {table.homes[who]} already."
            found = f"seat {table.homes[who]}"
            yield refusal("seated-already", "one seat", found, sentence, cite=cite_of(table, SEATED))
        elif _in_play(table, self.seat, who):
            yield _seat_in_play(table, self.seat)


@command("take_box", OPEN)
class TakeBox(TakesPlace):
    """Play an adjacent box as well, where the submission lets one player do so."""

    box = True

    def findings(self, table: Table, desk: Desk) -> Iterator[Finding]:
        rules = rules_at(table)
        who = self._who(desk)
        mine = [seat for seat, player in table.boxes.items() if player == who]
        most = rules.choices.adjacent_boxes or 1
        cite = str(rules.chapter.cite_of("adjacent_boxes", "wagers"))
        if not mine:
            sentence = f"{who or 'Nobody'} has no seat here."
            yield refusal("not-seated", "a seat", "none", sentence, cite=cite_of(table, SEATED))
            return
        if len(mine) >= most:
            found = str(len(mine) + 1)
            sentence = f"One player may play at most {most} box{'es' if most > 1 else ''} here."
            yield refusal("adjacent-boxes", f"at most {most} box{'es' if most > 1 else ''}", found, sentence, cite=cite)
        if not 1 <= self.seat <= rules.seats:
            sentence = f"There is no box {self.seat}."
            yield refusal("seat-number", f"1 to {rules.seats}", self.seat, sentence, cite=rules.figure_cite("seats"))
        elif self.seat in table.boxes:
            yield refusal("seat-taken", "a free box", table.boxes[self.seat], f"Box {self.seat} is taken.", cite=cite)
        elif table.play is not None and self.seat in table.play.wagers:
            yield _seat_in_play(table, self.seat)
        elif not any(abs(self.seat - seat) == 1 for seat in mine):
            sentence = f"Box {self.seat} is not adjacent to {who}'s boxes ({', '.join(map(str, mine))})."
            yield refusal("adjacent-boxes", "a box beside the player's own", self.seat, sentence, cite=cite)


@command("release_box", OPEN)
class ReleaseBox(AtSeat):
    """Stop playing an adjacent box."""

    def findings(self, table: Table, desk: Desk) -> Iterator[Finding]:  # noqa: ARG002
        player = table.player_at(self.seat)
        if not player or table.homes.get(player) == self.seat:
            yield refusal("not-a-box", "an adjacent box", self.seat, f"{self.seat} is not an adjacent box in use.")
        elif self.seat in table.staged or self.seat in live_seats(table, player):
            yield refusal("live-wagers", "no wager", "wagers", f"Wagers lie at box {self.seat}.")

    def events(self, table: Table, desk: Desk) -> Iterator[Event]:  # noqa: ARG002
        yield Event(SeatLeft(seats=(self.seat,), player=table.player_at(self.seat), live=()))


@command("leave", OPEN)
class Leave(AtSeat):
    """Leave the table. Wagers of the round being played stay behind; a floorperson may treat them as lost."""

    def findings(self, table: Table, desk: Desk) -> Iterator[Finding]:  # noqa: ARG002
        player = table.player_at(self.seat)
        if not player:
            yield refusal("not-seated", "a player", "nobody", "Nobody sits there.", cite=cite_of(table, SEATED))
        staged = [seat for seat in table.staged if table.boxes.get(seat) == player and seat not in table.stacks]
        if player and staged:
            seats = ", ".join(map(str, staged))
            sentence = f"Take the wagers at {seats} back before leaving."
            yield refusal("wagers-on-layout", "no wager", f"seats {seats}", sentence)

    def events(self, table: Table, desk: Desk) -> Iterator[Event]:
        player = table.player_at(self.seat)
        seats = sorted(seat for seat, who in table.boxes.items() if who == player)
        live = sorted(live_seats(table, player))
        cites = (cite_of(table, SEATED),) if live else ()
        for seat in (seat for seat in seats if seat in table.stacks):
            for wager in table.staged[seat]:
                yield from Withdraw(seat, wager).events(table, desk)
        yield Event(SeatLeft(seats=tuple(seats), player=player, live=tuple(live)), cites)
