"""Dealing: cards leave the deck in the order that the law gives for the device in use."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from pitboss.cards import DECK, Card, Hand
from pitboss.findings import PitbossError
from pitboss.games.course import Course, Decide, TurnUp
from pitboss.games.round import Round, Seat, own_place
from pitboss.games.rules import Rules
from pitboss.law.model import DealOrder, DealStep, Device, in_force
from pitboss.money import Cents
from pitboss.records import kept


class DeckError(PitbossError, ValueError):
    """The deck does not hold enough cards for the round."""


@dataclass(frozen=True)
class DealtCard:
    """One card as it left the deck: where it went and which way up."""

    card: Card
    to: str
    """``seat 3``, ``dealer``, ``discard`` or the place of an extra card."""
    face_up: bool


@dataclass(frozen=True)
class Slot:
    """Where the next card goes, and which way up."""

    to: str
    face_up: bool


@dataclass
class Dealing:
    """The deal in progress; what is left of the deck afterwards is the stub."""

    stub: list[Card]
    order: list[DealtCard] = field(default_factory=list)
    stack: list[Card] = field(default_factory=list)
    """Cards of the last stack that no step has placed yet, the bottom one first."""

    def take(self, source: list[Card], to: str, face_up: bool) -> None:
        if not source:
            raise DeckError(f"The deck has run out while dealing to {to}.")
        self.order.append(DealtCard(source.pop(0), to, face_up))

    def hand(self, to: str) -> Hand:
        return tuple(dealt.card for dealt in self.order if dealt.to == to)

    def up(self) -> Hand:
        return tuple(dealt.card for dealt in self.order if dealt.face_up)


def deal_of(rules: Rules, device: Device | None = None) -> DealOrder:
    """The order of the deal for a device, by default the table's own, with the steps that its options leave."""
    wanted = device or rules.choices.device
    return kept(rules, f"deal by {wanted}", lambda: _deal_by(rules, wanted))


def dealt_by_street(rules: Rules, place: str) -> bool:
    """Whether the cards of a place are dealt as the course turns them up, not with the hands."""
    return any(step.street and step.to == place for step in deal_of(rules).steps)


def _deal_by(rules: Rules, device: Device) -> DealOrder:
    deal = next(deal for deal in in_force(rules.chapter.deals, rules.as_of) if deal.device == device)
    return replace(deal, steps=tuple(step for step in deal.steps if _taken(rules, step)))


def _taken(rules: Rules, step: DealStep) -> bool:
    made = {choice.name for choice, _ in rules.chosen}
    return step.choice in {"", *made} and made.isdisjoint(step.unless)


def deal_cards(deal: DealOrder, seats: Mapping[int, Mapping[str, Cents]], deck: Sequence[Card]) -> Dealing:
    """Deal one round to the seats that made wagers, clockwise from the dealer's left.

    A stack of an automated shoe is built from the bottom: the first card dispensed lies lowest.
    """
    dealing = Dealing(list(deck))
    wagers = {name for made in seats.values() for name in made}
    for step in deal.steps:
        if not step.later and (not step.when or step.spare or wagers & set(step.when)):
            _carry_out(step, seats, dealing)
    return dealing


def _carry_out(step: DealStep, seats: Mapping[int, Mapping[str, Cents]], dealing: Dealing) -> None:
    players = [f"seat {number}" for number in sorted(seats)]
    bettors = [number for number in sorted(seats) if seats[number].keys() & set(step.when)]
    targets = {"players": players, "players+dealer": [*players, "dealer"]}.get(step.to, [step.to])
    if step.each:
        targets = [own_place(step.to, number) for number in bettors]
    spares = {f"seat {number}": own_place(step.spare, number) for number in bettors if step.spare}
    for _ in range(step.times):
        for target in targets:
            if step.stack:
                if len(dealing.stub) < step.stack:
                    raise DeckError(
                        f"The shoe cannot dispense a stack of {step.stack}: {len(dealing.stub)} cards are left."
                    )
                dealing.stack, dealing.stub = dealing.stub[: step.stack], dealing.stub[step.stack :]
            from_stack = bool(step.stack) or step.from_stack
            source = dealing.stack if from_stack else dealing.stub
            # "The remaining cards of the stack" are as many as earlier steps have left of it.
            count = min(step.cards, len(source)) if step.to == "discard" else step.cards
            for _ in range(count):
                dealing.take(source, target, step.face_up)
            if step.spare:
                dealing.take(source, spares.get(target, "discard"), face_up=False)


def deal_round(
    rules: Rules, wagers: Mapping[int, Mapping[str, Cents]], deck: Sequence[Card], device: Device | None = None
) -> tuple[Round, Dealing]:
    """The round when the last card has been dealt and nobody has decided yet."""
    dealing = deal_cards(deal_of(rules, device), wagers, deck)
    extras = {dealt.to for dealt in dealing.order} - {"dealer", "discard", *(f"seat {number}" for number in wagers)}
    played = Round(
        dealer=dealing.hand("dealer"),
        seats=tuple(Seat(number, dealing.hand(f"seat {number}"), made) for number, made in sorted(wagers.items())),
        extras={name: cards for name in sorted(extras) if (cards := dealing.hand(name))},
    )
    return played, dealing


@lru_cache(maxsize=256)
def _dealer_up(deal: DealOrder) -> tuple[int, ...]:
    """Which of the dealer's cards, in the order in which they were dealt, lie face up."""
    order = deal_cards(deal, {1: {}}, DECK).order
    return tuple(place for place, dealt in enumerate(card for card in order if card.to == "dealer") if dealt.face_up)


def face_up(course: Course, rules: Rules, played: Round, step: Decide) -> Hand:
    """The cards that everybody sees when a step is reached: dealt face up, or turned up before it."""
    if "dealer" in played.covered:  # what is known of the hand was dealt face up
        seen = [*played.dealer]
    else:
        seen = [played.dealer[place] for place in _dealer_up(deal_of(rules)) if place < len(played.dealer)]
    turned: dict[str, int] = {}
    for each in course.flat:
        if each is step:
            break
        if isinstance(each, TurnUp):
            cards = played.place(each.place)
            start = turned.get(each.place, 0)
            turned[each.place] = start + each.cards if each.cards else len(cards)
            seen += cards[start : turned[each.place]]
    return tuple(seen)
