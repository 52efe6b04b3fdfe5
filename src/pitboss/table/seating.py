"""Who sits where: seats, adjacent boxes, and leaving."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from pitboss.findings import Finding
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
    return Finding("seat-in-play", cite_of(table, SEATED), "a seat without live wagers", f"seat {seat}", sentence)


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
            yield Finding("seat-number", rules.figure_cite("seats"), f"1 to {rules.seats}", str(self.seat), sentence)
        elif self.seat in table.boxes:
            sentence = f"Seat {self.seat} is taken."
            yield Finding("seat-taken", cite_of(table, SEATED), "a free seat", table.boxes[self.seat], sentence)
        if not PLAYER_NAME.fullmatch(who):
            sentence = "Say who takes the seat: small letters, digits and hyphens, 2 to 40 of them."
            yield Finding("player", "", "the name of a player", ascii(who[:40]) if who else "none", sentence)
        elif desk.role != Role.PLAYER and who == desk.person:
            yield self_dealing(who, "takes no seat at a table where he works for the house")
        elif table.play is not None and who == table.play.dealer:
            yield self_dealing(who, "deals this round and takes no seat in it")
        elif who in table.homes:
            sentence = f"{who} sits at seat {table.homes[who]} already."
            yield Finding("seated-already", cite_of(table, SEATED), "one seat", f"seat {table.homes[who]}", sentence)
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
            yield Finding("not-seated", cite_of(table, SEATED), "a seat", "none", sentence)
            return
        if len(mine) >= most:
            found = str(len(mine) + 1)
            sentence = f"One player may play at most {most} box{'es' if most > 1 else ''} here."
            yield Finding("adjacent-boxes", cite, f"at most {most} box{'es' if most > 1 else ''}", found, sentence)
        if not 1 <= self.seat <= rules.seats:
            sentence = f"There is no box {self.seat}."
            yield Finding("seat-number", rules.figure_cite("seats"), f"1 to {rules.seats}", str(self.seat), sentence)
        elif self.seat in table.boxes:
            yield Finding("seat-taken", cite, "a free box", table.boxes[self.seat], f"Box {self.seat} is taken.")
        elif table.play is not None and self.seat in table.play.wagers:
            yield _seat_in_play(table, self.seat)
        elif not any(abs(self.seat - seat) == 1 for seat in mine):
            sentence = f"Box {self.seat} is not adjacent to {who}'s boxes ({', '.join(map(str, mine))})."
            yield Finding("adjacent-boxes", cite, "a box beside the player's own", str(self.seat), sentence)


@command("release_box", OPEN)
class ReleaseBox(AtSeat):
    """Stop playing an adjacent box."""

    def findings(self, table: Table, desk: Desk) -> Iterator[Finding]:  # noqa: ARG002
        player = table.player_at(self.seat)
        if not player or table.homes.get(player) == self.seat:
            sentence = f"{self.seat} is not an adjacent box in use."
            yield Finding("not-a-box", "", "an adjacent box", str(self.seat), sentence)
        elif self.seat in table.staged or self.seat in live_seats(table, player):
            yield Finding("live-wagers", "", "no wager", "wagers", f"Wagers lie at box {self.seat}.")

    def events(self, table: Table, desk: Desk) -> Iterator[Event]:  # noqa: ARG002
        yield Event(SeatLeft(seats=(self.seat,), player=table.player_at(self.seat), live=()))


@command("leave", OPEN)
class Leave(AtSeat):
    """Leave the table. Wagers of the round being played stay behind; a floorperson may treat them as lost."""

    def findings(self, table: Table, desk: Desk) -> Iterator[Finding]:  # noqa: ARG002
        player = table.player_at(self.seat)
        if not player:
            yield Finding("not-seated", cite_of(table, SEATED), "a player", "nobody", "Nobody sits there.")
        staged = [seat for seat in table.staged if table.boxes.get(seat) == player and seat not in table.stacks]
        if player and staged:
            seats = ", ".join(map(str, staged))
            sentence = f"Take the wagers at {seats} back before leaving."
            yield Finding("wagers-on-layout", "", "no wager", f"seats {seats}", sentence)

    def events(self, table: Table, desk: Desk) -> Iterator[Event]:
        player = table.player_at(self.seat)
        seats = sorted(seat for seat, who in table.boxes.items() if who == player)
        live = sorted(live_seats(table, player))
        cites = (cite_of(table, SEATED),) if live else ()
        for seat in (seat for seat in seats if seat in table.stacks):
            for wager in table.staged[seat]:
                yield from Withdraw(seat, wager).events(table, desk)
        yield Event(SeatLeft(seats=tuple(seats), player=player, live=tuple(live)), cites)
