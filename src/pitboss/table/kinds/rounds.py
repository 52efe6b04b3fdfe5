"""The end of a round: completed or void, and what it leaves."""

from typing import ClassVar, Final, Self

from pitboss.money import Cents, show_dollars, show_signed
from pitboss.records import replace
from pitboss.table.happened import Eyes, Happened, but, happens
from pitboss.table.kinds.shuffling import unshuffled
from pitboss.table.kinds.wagers import CarriedStakes, read_carried
from pitboss.table.state import Table


class RoundEnded(Happened, frozen=True, kw_only=True):
    """What a round leaves behind. It is about all seats at once; players see their own part."""

    STATE: ClassVar[str]
    """What a round is called that ended so."""

    round: int
    deck: str
    next_deck: str
    carried: CarriedStakes | None = None
    """Wagers that live on; None where there were none before it either."""

    def fold(self, table: Table) -> Table:
        table = replace(table, play=None)
        if self.deck in table.decks:
            table = unshuffled(table, self.deck)
        carried = table.carried if self.carried is None else read_carried(self.carried)
        return replace(table, active=self.next_deck, carried=carried)

    def is_of(self, eyes: Eyes) -> bool:  # noqa: ARG002
        return False


@happens("round.completed")
class RoundCompleted(RoundEnded, frozen=True, kw_only=True):
    STATE = "completed"

    totals: dict[str, Cents]
    """Net by seat, a number as text."""

    def part(self, eyes: Eyes) -> Self:
        return but(self, totals={seat: net for seat, net in self.totals.items() if int(seat) in eyes.seats})

    def says(self) -> str:
        totals = ", ".join(f"seat {seat} {show_signed(net)}" for seat, net in self.totals.items())
        return f"Round {self.round} was over: {(totals and f'net {totals}') or 'nothing was settled'}."


@happens("round.voided", significant="A round was void.", unusual=True)
class RoundVoided(RoundEnded, frozen=True, kw_only=True):
    STATE = "void"

    act: str
    reason: str
    returned: dict[str, dict[str, Cents]]
    """Wagers that went back, by seat, a number as text."""

    def part(self, eyes: Eyes) -> Self:
        return but(self, returned={seat: made for seat, made in self.returned.items() if int(seat) in eyes.seats})

    def says(self) -> str:
        back = show_dollars(sum(sum(made.values()) for made in self.returned.values()))
        return f"Round {self.round} was void, because {self.reason}; {back} went back to the players."


@happens(
    "player.owes", significant="A void round took back winnings that a player no longer had; the house has a claim."
)
class PlayerOwes(Happened, frozen=True, kw_only=True):
    round: int
    player: str
    amount: Cents

    def says(self) -> str:
        return (
            f"{self.player} owes the house {show_dollars(self.amount)}: won in the void round {self.round}, and gone."
        )


ENDINGS: Final = (RoundCompleted, RoundVoided)
"""How a round ends."""
