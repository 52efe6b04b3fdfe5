"""Players who take and leave seats and boxes."""

from pitboss.records import replace
from pitboss.table.happened import Happened, happens
from pitboss.table.state import Table
from pitboss.table.words import comma_list


@happens("seat.taken")
class SeatTaken(Happened, frozen=True, kw_only=True):
    seat: int
    player: str
    box: bool

    def fold(self, table: Table) -> Table:
        homes = table.homes if self.box else {**table.homes, self.player: self.seat}
        return replace(table, boxes={**table.boxes, self.seat: self.player}, homes=homes)

    def says(self) -> str:
        return f"{self.player} took {'box' if self.box else 'seat'} {self.seat}."


@happens("seat.left")
class SeatLeft(Happened, frozen=True, kw_only=True):
    seats: tuple[int, ...]
    player: str
    live: tuple[int, ...]
    """Seats at which wagers of the round in play stayed behind."""

    def fold(self, table: Table) -> Table:
        boxes = {seat: player for seat, player in table.boxes.items() if seat not in self.seats}
        homes = {player: seat for player, seat in table.homes.items() if seat not in self.seats}
        table = replace(table, boxes=boxes, homes=homes)
        if self.live and table.play is not None:
            table = table.with_play(left=(*table.play.left, *self.live))
        return table

    def says(self) -> str:
        live = f"; wagers at {comma_list(self.live)} stayed behind" if self.live else ""
        return f"{self.player} left seat {comma_list(self.seats)}{live}."
