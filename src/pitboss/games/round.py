"""One round as it was played: cards, dice or a wheel, wagers and decisions. Nothing here knows a rule."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace

from pitboss.cards import Card, Hand, show_cards
from pitboss.findings import PitbossError
from pitboss.law.model import Face
from pitboss.money import Cents
from pitboss.records import Frozen

DECISION = "decision"
"""The step at which a game that asks once asks."""
THEN = "then"
"""The step at which a player who has drawn cards is asked again."""


@dataclass(frozen=True)
class Decision:
    """What a player chose at one step, and what came of it."""

    choice: str
    amount: Cents | None = None
    discard: Hand = ()
    drawn: Hand = ()
    unseen: int = 0
    """Cards exchanged at a physical table: how many are known, which ones is not."""


@dataclass(frozen=True)
class Seat(Frozen):
    """One betting position in one round; seat 1 is farthest to the dealer's left."""

    number: int
    cards: Hand
    wagers: Mapping[str, Cents]
    decisions: Mapping[str, Decision] = field(default_factory=dict)
    """What was chosen, by step of the course."""
    earlier: Mapping[str, tuple[Face, ...]] = field(default_factory=dict)
    """Of wagers that live on from earlier rounds: what was thrown for each since it was made."""
    final: Hand = ()
    """The last hand of a seat that drew cards which nobody else saw, once it is turned up."""
    declared: bool = True
    """False where the player could declare a winning hand that nobody else has seen, and did not."""

    @property
    def decision(self) -> Decision | None:
        """The first choice; the only one where a game asks once."""
        return next(iter(self.decisions.values()), None)

    @property
    def folded(self) -> bool:
        return any(decision.choice == "fold" for decision in self.decisions.values())

    @property
    def final_cards(self) -> Hand:
        """The cards a player holds after buying or exchanging some."""
        if self.final:
            return self.final
        gone = {card for decision in self.decisions.values() for card in decision.discard}
        drawn = tuple(card for decision in self.decisions.values() for card in decision.drawn)
        return tuple(card for card in self.cards if card not in gone) + drawn

    def deciding(self, step: str, decision: Decision) -> "Seat":
        """The same seat after one more choice."""
        return replace(self, decisions={**self.decisions, step: decision})

    def before(self, steps: Collection[str]) -> "Seat":
        """The same seat when it had chosen at these steps only."""
        if all(step in steps for step in self.decisions):
            return self
        return replace(self, decisions={step: made for step, made in self.decisions.items() if step in steps})

    def stake(self, wager: str) -> Cents:
        """What lies on a wager before the cards, in cents; 0 if nothing."""
        return self.wagers.get(wager, 0)

    def has_any(self, *wagers: str) -> bool:
        """Whether one of these wagers was made."""
        return any(wager in self.wagers for wager in wagers)


def decided(decision: Decision | None, then: str | None = None) -> dict[str, Decision]:
    """The decisions of a game that asks once, and once more after a draw."""
    made = {} if decision is None else {DECISION: decision}
    return made if then is None else {**made, THEN: Decision(then)}


LAST = "final"
"""The place, with the number of its seat, of a hand with cards that nobody else saw as they were drawn."""


def own_place(name: str, seat: int) -> str:
    """What the place of a seat's own is called: ``pair_bonus_card 3``."""
    return f"{name} {seat}"


def owner(place: str) -> int | None:
    """The seat whose own a place is, such as ``seat 3`` or ``pair_bonus_card 3``; none of one that all share."""
    number = place.rpartition(" ")[2]
    return int(number) if number.isdigit() else None


def cards_at(place: str) -> str:
    """The cards of a place in words.

    >>> cards_at("seat 3"), cards_at("dealer"), cards_at("pair_bonus_card 3"), cards_at("community")
    ("seat 3's hand", "the dealer's hand", 'the pair bonus card of seat 3', 'the community cards')
    """
    name, seat = place.rpartition(" ")[0].replace("_", " "), owner(place)
    if seat is not None:
        return f"seat {seat}'s hand" if name in ("seat", LAST) else f"the {name} of seat {seat}"
    whole = {"dealer": "dealer's hand", "community": "community cards"}
    return f"the {whole.get(place, place.replace('_', ' '))}"


class FaceDownError(PitbossError, LookupError):
    """A card that is needed lies face down, and nobody knows it; ``place`` is where it lies."""

    def __init__(self, place: str) -> None:
        self.place = place
        super().__init__(f"Nobody knows {cards_at(place)} yet: face down.")

    def __reduce__(self) -> tuple[type["FaceDownError"], tuple[str]]:
        return type(self), (self.place,)


@dataclass(frozen=True)
class Round(Frozen):
    """All that happened in one round, from "no more bets" to the last decision."""

    dealer: Hand
    seats: tuple[Seat, ...]
    extras: Mapping[str, Hand] = field(default_factory=dict)
    """Cards dealt to places of their own: six_card_bonus_card, community, ``pair_bonus_card 3`` of seat 3 alone."""
    magic_card: Card | None = None
    lucky_position: int | str | None = None
    dice: tuple[Face, ...] = ()
    """What the dice show, or where the ball came to rest."""
    covered: Mapping[str, int] = field(default_factory=dict)
    """How many cards of a place (``seat 3``, ``dealer``) lie face down, where nobody knows their faces."""

    def __repr__(self) -> str:
        """The cards as people write them."""
        places = {
            "dealer": self.dealer,
            **self.extras,
            **{f"seat {each.number}": each.final_cards for each in self.seats},
        }
        shown = [f"{name} {show_cards(cards)}" for name, cards in places.items() if cards]
        return f"<Round: {', '.join((*shown, *map(str, self.dice))) or 'no cards'}>"

    def place(self, name: str, seat: int = 0) -> Hand:
        """The cards of the dealer or of a place of their own; where a seat has such a place for itself, of that one."""
        return self.dealer if name == "dealer" else self.extras.get(own_place(name, seat)) or self.extras.get(name, ())

    def covered_at(self, place: str, seat: int) -> str:
        """The place that a seat calls ``place``, if cards there lie face down; empty if all its cards are known.

        >>> Round((), (Seat(3, (), {}),), covered={"seat 3": 3}).covered_at("own", 3)
        'seat 3'
        """
        last = own_place(LAST, seat)
        if place == LAST and (last in self.covered or any(each.final for each in self.seats if each.number == seat)):
            return last if last in self.covered else ""
        names = (own_place("seat", seat),) if place in ("own", "final") else (own_place(place, seat), place)
        return next((name for name in names if name in self.covered), "")

    def seat(self, number: int) -> Seat | None:
        """The seat of a number, if it plays."""
        return next((seat for seat in self.seats if seat.number == number), None)

    def with_seats(self, seats: Iterable[Seat]) -> "Round":
        """The same round with these seats in place of those of the same number."""
        changed = {seat.number: seat for seat in seats}
        return replace(self, seats=tuple(changed.get(seat.number, seat) for seat in self.seats))

    def receiving(self, cards: Mapping[str, Hand]) -> "Round":
        """The same round with more cards at seats (``seat 3``) and at places of their own; burned ones are gone."""
        held = {seat.number: cards.get(f"seat {seat.number}", ()) for seat in self.seats}
        seats = (replace(seat, cards=(*seat.cards, *held[seat.number])) for seat in self.seats if held[seat.number])
        places = {to: more for to, more in cards.items() if owner(to) is None and to != "discard"}
        extras = {**self.extras, **{to: (*self.place(to), *more) for to, more in places.items()}}
        return replace(self, extras=extras).with_seats(seats)

    def clockwise(self) -> tuple[Seat, ...]:
        """From the dealer's left, the order of dealing and deciding."""
        return tuple(sorted(self.seats, key=lambda seat: seat.number))

    def counterclockwise(self) -> tuple[Seat, ...]:
        """From the dealer's right, the order of settling against the dealer."""
        return self.clockwise()[::-1]

    def betting(self, wager: str) -> tuple[Seat, ...]:
        """The seats that made a wager, from the dealer's left."""
        return tuple(seat for seat in self.clockwise() if wager in seat.wagers)
