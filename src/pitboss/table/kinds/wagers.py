"""Wagers before the cards, "no more bets", progressive chips and what meters take in and pay."""

from collections.abc import Mapping

from msgspec import Struct, field

from pitboss.games.round import Decision
from pitboss.money import Cents, show_dollars
from pitboss.names import several, shown
from pitboss.records import replace
from pitboss.table.happened import Happened, happens
from pitboss.table.kinds.decisions import StoredDecision
from pitboss.table.state import DICE, Carried, LiveRound, Table
from pitboss.table.words import meter_words, seats_in_words


@happens("wager.placed")
class WagerPlaced(Happened, frozen=True, kw_only=True):
    seat: int
    player: str
    wager: str
    amount: Cents
    stays: bool = False
    """Whether it is what a player has left of the round before, which stays on the table."""

    def fold(self, table: Table) -> Table:
        staged = {**table.staged, self.seat: {**table.staged.get(self.seat, {}), self.wager: self.amount}}
        stacks = {**table.stacks, self.seat: self.amount} if self.stays else table.stacks
        return replace(table, staged=staged, stacks=stacks)

    def says(self) -> str:
        verb = "keeps" if self.stays else "put"
        return f"{self.player} {verb} {show_dollars(self.amount)} on {shown(self.wager)} at seat {self.seat}."


@happens("wager.withdrawn")
class WagerWithdrawn(Happened, frozen=True, kw_only=True):
    seat: int
    player: str
    wager: str
    amount: Cents

    def fold(self, table: Table) -> Table:
        stacks = {seat: stack for seat, stack in table.stacks.items() if seat != self.seat}
        return replace(table, staged=without(table.staged, self.seat, self.wager), stacks=stacks)

    def says(self) -> str:
        return f"{self.player} took {show_dollars(self.amount)} back from {shown(self.wager)}."


@happens("wager.returned", unusual=True)
class WagerReturned(Happened, frozen=True, kw_only=True):
    seat: int
    player: str
    wager: str
    amount: Cents

    def fold(self, table: Table) -> Table:
        return table.with_play(wagers=without(table.playing.wagers, self.seat, self.wager))

    def says(self) -> str:
        amount = show_dollars(self.amount)
        return f"{shown(self.wager)} of {amount} went back to {self.player}: no chip was found for it."


def without(wagers: Mapping[int, dict[str, Cents]], seat: int, wager: str) -> dict[int, dict[str, Cents]]:
    """Return the wagers of all seats without one of them."""
    rest = {name: amount for name, amount in wagers[seat].items() if name != wager}
    return {number: made for number, made in {**wagers, seat: rest}.items() if made}


class CarriedStake(Struct, frozen=True, forbid_unknown_fields=True):
    """A wager that lives on from an earlier round, as it is stored."""

    stake: Cents
    player: str
    earlier: tuple[int | str, ...]
    decisions: dict[str, StoredDecision]

    @classmethod
    def of(cls, carried: Carried) -> "CarriedStake":
        chosen = {step: StoredDecision.whole(made) for step, made in carried.decisions.items()}
        return cls(carried.stake, carried.player, carried.earlier, chosen)

    def carried(self) -> Carried:
        chosen = {step: choice.decision() for step, choice in self.decisions.items()}
        return Carried(self.stake, self.player, self.earlier, chosen)


CarriedStakes = dict[str, dict[str, CarriedStake]]
"""By seat, a number as text, and wager."""


def stored_carried(carried: Mapping[int, Mapping[str, Carried]]) -> CarriedStakes:
    return {str(seat): {wager: CarriedStake.of(each) for wager, each in made.items()} for seat, made in carried.items()}


def read_carried(stored: CarriedStakes) -> dict[int, dict[str, Carried]]:
    return {int(seat): {wager: each.carried() for wager, each in made.items()} for seat, made in stored.items()}


@happens("bets.closed", public=True)
class BetsClosed(Happened, frozen=True, kw_only=True):
    round: int
    deck: str
    commitment: str
    collected: tuple[str, ...]
    """Wagers whose chips went into the table inventory."""
    dealer: str = ""
    carried: CarriedStakes = field(default_factory=dict)
    antes: Cents = 0
    """What players against each other paid into the pot."""

    def fold(self, table: Table) -> Table:
        number = table.rounds + 1
        wagers = {seat: dict(made) for seat, made in table.staged.items()}
        players = {seat: table.boxes[seat] for seat in table.staged}
        living = read_carried(self.carried)
        for seat, carried in living.items():
            wagers[seat] = {**wagers.get(seat, {}), **{wager: each.stake for wager, each in carried.items()}}
            players[seat] = next(each.player for each in carried.values())
        earlier = {seat: {wager: each.earlier for wager, each in made.items()} for seat, made in living.items()}
        chosen: dict[int, dict[str, Decision]] = {
            seat: {step: made for each in carried.values() for step, made in each.decisions.items()}
            for seat, carried in living.items()
        }
        play = LiveRound(
            number, wagers, players, self.collected, dealer=self.dealer, earlier=earlier,
            declared=() if table.physical else None, decisions={seat: made for seat, made in chosen.items() if made},
        )  # fmt: skip
        return replace(table, play=play, staged={}, stacks={}, rounds=number)

    def says(self) -> str:
        device = DICE if self.deck == DICE else f"{self.deck} deck"
        antes = f", with {show_dollars(self.antes)} of Antes in the pot" if self.antes else ""
        return f"No more bets: round {self.round} began with the {device}{antes}."


@happens("chips.counted", public=True)
class ChipsCounted(Happened, frozen=True, kw_only=True):
    count: int
    collected: tuple[str, ...]

    def fold(self, table: Table) -> Table:
        return table.with_play(collected=(*table.playing.collected, *self.collected))

    def says(self) -> str:
        return f"Collected and counted: {several(self.count, 'progressive chip')}."


@happens("meter.incremented", public=True)
class MeterIncremented(Happened, frozen=True, kw_only=True):
    meter: str
    wagers: int
    staked: Cents

    def says(self) -> str:
        wagers = several(self.wagers, "progressive wager")
        return f"{wagers} of {show_dollars(self.staked)} in all added to the meter {meter_words(self.meter)}."


class MeterAward(Happened, frozen=True, kw_only=True):
    """What a meter pays, or is charged with."""

    meter: str
    seat: int
    winners: tuple[int, ...]
    amount: Cents
    reseeded: bool


@happens("meter.paid", public=True, significant="A meter paid a jackpot or a share of it.")
class MeterPaid(MeterAward, frozen=True, kw_only=True):
    def says(self) -> str:
        again = " and started again" if self.reseeded else ""
        amount, seats = show_dollars(self.amount), seats_in_words(self.winners)
        return f"The meter {meter_words(self.meter)} paid {amount} at {seats}{again}."


@happens("meter.charged", public=True)
class MeterCharged(MeterAward, frozen=True, kw_only=True):
    def says(self) -> str:
        amount, seats = show_dollars(self.amount), seats_in_words(self.winners)
        return f"The meter {meter_words(self.meter)} was charged with the prize of {amount} at {seats}."
