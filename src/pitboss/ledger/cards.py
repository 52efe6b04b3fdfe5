"""The cards of a round as its events tell of them: each as it was dealt, and hands as they were turned up at last."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from pitboss.cards import Hand, parse_cards, show_card
from pitboss.games.round import LAST, own_place, owner
from pitboss.table.events import Happening
from pitboss.table.happened import HIDDEN
from pitboss.table.kinds.cards import CardCorrected, CardFoundFaceUp, CardsDealt, CardsDrawn, CardsShown, TurnsUp
from pitboss.table.kinds.chance import DiceCorrected, Read


@dataclass(frozen=True)
class CardDealt:
    """A card in the order in which cards left the deck, where it went and which way up."""

    card: str
    """``??`` if it lay face down and was not turned up, or not to the reader."""
    to: str
    face_up: bool
    drawn: bool = False
    """Whether the seat drew it after its first hand."""


def cards_of(events: Iterable[Happening]) -> Sequence[CardDealt]:
    """Every card of a round; one that lay face down as the hand was dealt is known once it was turned up."""
    cards: list[CardDealt] = []
    thrown = 0
    for event in events:
        match event.fact:
            case CardsDealt() | CardsDrawn() as dealt:
                drawn = isinstance(dealt, CardsDrawn)
                cards += (CardDealt(card, to, up, drawn=drawn) for card, to, up in dealt.cards)
            case CardCorrected(wrong=wrong, right=right, to=to):
                cards = [replace(each, card=right) if (each.card, each.to) == (wrong, to) else each for each in cards]
            case TurnsUp() as turned if shown := turned.faces():
                cards = list(_turned_up(cards, _placed(cards, shown)))
            case Read() as read:
                if isinstance(read, DiceCorrected):
                    del cards[len(cards) - thrown :]
                counts = () if read.void else read.dice
                thrown = len(counts)
                cards += (CardDealt(str(face), read.device_of, face_up=True) for face in counts)
            case CardFoundFaceUp(cards=found):
                cards += (CardDealt(show_card(card), "discard rack", face_up=True) for card in parse_cards(found))
    return cards


def final_hands(events: Iterable[Happening]) -> dict[int, str]:
    """The hands of seats that drew unseen cards, as they were turned up after it and corrected since."""
    hands: dict[int, list[str]] = {}
    for event in events:
        match event.fact:
            case CardsShown(place=place, cards=cards) if (seat := _drawer(place)) is not None:
                hands[seat] = [show_card(card) for card in parse_cards(cards)]
            case CardCorrected(wrong=wrong, right=right, to=to):
                seat = owner(to) or 0
                hands |= {seat: [right if card == wrong else card for card in hands.get(seat, ())]}
    return {seat: " ".join(cards) for seat, cards in sorted(hands.items()) if cards}


def _drawer(place: str) -> int | None:
    """The seat whose final hand lies at a place, if it is such a place."""
    return owner(place) if place.startswith(f"{LAST} ") else None


def _placed(cards: Sequence[CardDealt], shown: Mapping[str, Hand]) -> dict[str, Hand]:
    """Cards by the place that they were dealt to. A final hand tells which of its cards were drawn only if the first
    hand is known."""
    placed: dict[str, Hand] = {}
    for place, hand in shown.items():
        seat = _drawer(place)
        own = place if seat is None else own_place("seat", seat)
        first = [each.card for each in cards if each.to == own and not each.drawn]
        if seat is None or HIDDEN not in first:
            placed[own] = hand
    return placed


def _turned_up(cards: Sequence[CardDealt], shown: Mapping[str, Hand]) -> Iterator[CardDealt]:
    """The cards with those that an event has turned up, in the place of unknown ones."""
    known = {(card.card, card.to) for card in cards}
    new = {to: [show_card(each) for each in hand if (show_card(each), to) not in known] for to, hand in shown.items()}
    for card in cards:
        waiting = new.get(card.to) if card.card == HIDDEN else None
        yield replace(card, card=waiting.pop(0)) if waiting else card
