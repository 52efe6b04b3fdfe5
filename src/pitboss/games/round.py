"""One round as it was played: cards, wagers and decisions. Nothing here knows a rule."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pitboss.cards import Card, Hand
from pitboss.money import Cents


@dataclass(frozen=True)
class Decision:
    """What a player decided after looking at the cards."""

    choice: str
    """play, raise, bet, fold, buy or exchange."""
    amount: Cents | None = None
    discard: Hand = ()
    drawn: Hand = ()
    then: str | None = None
    """After buying or exchanging: bet or fold."""


@dataclass(frozen=True)
class Seat:
    """One betting position in one round; seat 1 is farthest to the dealer's left."""

    number: int
    cards: Hand
    wagers: Mapping[str, Cents]
    decision: Decision | None = None

    @property
    def folded(self) -> bool:
        return self.decision is not None and "fold" in (self.decision.choice, self.decision.then)

    def stake(self, wager: str) -> Cents:
        return self.wagers.get(wager, 0)

    def has_any(self, *wagers: str) -> bool:
        return any(wager in self.wagers for wager in wagers)


@dataclass(frozen=True)
class Round:
    """All that happened in one round, from "no more bets" to the last decision."""

    dealer: Hand
    seats: tuple[Seat, ...]
    extras: Mapping[str, Hand] = field(default_factory=dict)
    """Cards dealt to places of their own: six_card_bonus_card, all_six_card, community."""
    magic_card: Card | None = None
    lucky_position: int | str | None = None

    def seat(self, number: int) -> Seat | None:
        return next((seat for seat in self.seats if seat.number == number), None)

    def clockwise(self) -> tuple[Seat, ...]:
        """From the dealer's left, the order of dealing and deciding."""
        return tuple(sorted(self.seats, key=lambda seat: seat.number))

    def counterclockwise(self) -> tuple[Seat, ...]:
        """From the dealer's right, the order of settling against the dealer."""
        return self.clockwise()[::-1]

    def betting(self, wager: str) -> tuple[Seat, ...]:
        return tuple(seat for seat in self.clockwise() if wager in seat.wagers)
