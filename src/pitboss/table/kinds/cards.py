"""Cards that leave the deck, are turned up, corrected, collected and shown after the round."""

from collections.abc import Mapping
from typing import Self

from msgspec import UNSET, UnsetType

from pitboss.cards import Card, Hand, parse_card, parse_cards
from pitboss.games.betting import SHOW, SHOWDOWN
from pitboss.games.round import DECISION, LAST, Decision
from pitboss.names import several, shown
from pitboss.records import replace
from pitboss.table.happened import HIDDEN, Eyes, Happened, but, happens
from pitboss.table.state import DICE, Dealt, Table
from pitboss.table.words import comma_list, face_down, in_words

Placed = tuple[str, str, bool]
"""A card, where it went, and whether face up."""


class CardsLaid(Happened, frozen=True, kw_only=True):
    """Cards that leave the deck, each with its place."""

    cards: tuple[Placed, ...]

    def is_keying(self, table: Table) -> bool:  # noqa: ARG002
        return True

    def covered(self, eyes: Eyes) -> Self:
        return but(self, cards=tuple((card if up or eyes.own(to) else HIDDEN, to, up) for card, to, up in self.cards))

    def placed(self) -> tuple[tuple[Dealt, ...], Hand]:
        """Return the cards on the layout, and those of them that are known."""
        placed = tuple(Dealt(None if card == HIDDEN else parse_card(card), to, up) for card, to, up in self.cards)
        return placed, tuple(dealt.card for dealt in placed if dealt.card is not None)


@happens("cards.dealt", public=True)
class CardsDealt(CardsLaid, frozen=True, kw_only=True):
    private: bool = False
    """Whether players need not show each other their cards."""

    def fold(self, table: Table) -> Table:
        placed, known = self.placed()
        return left_deck(table.with_play(dealt=(*table.playing.dealt, *placed)), known)

    def part(self, eyes: Eyes) -> Self:
        return self.covered(eyes) if self.private else self

    def says(self) -> str:
        hands: dict[str, list[str]] = {}
        for card, to, up in self.cards:
            hands.setdefault(in_words(to), []).append(f"{card}{' face up' if up else ''}")
        return "Dealt: " + "; ".join(f"{to} {_faces(cards)}" for to, cards in hands.items()) + "."


def _faces(cards: list[str]) -> str:
    """Return the cards of one place; where none is known, how many lie face down."""
    return f"{len(cards)} face down" if face_down(cards) else ", ".join(cards)


def left_deck(table: Table, known: Hand) -> Table:
    """Return the table after known cards have left the deck: those of real cards can still be corrected."""
    play = table.playing
    keyed = (*play.keyed, *known) if table.source != "virtual" else ()
    return table.with_play(left_deck=(*play.left_deck, *known), keyed=keyed, pending_card=False)


@happens("cards.drawn", public=True)
class CardsDrawn(CardsLaid, frozen=True, kw_only=True):
    seat: int
    step: str = ""
    """Version 0.1 asked once and named no step."""

    def fold(self, table: Table) -> Table:
        play = table.playing
        placed, known = self.placed()
        step = self.step or DECISION
        if len(known) < len(placed):
            play = replace(play, drew={**play.drew, self.seat: len(placed)})
        else:
            play = play.deciding(self.seat, step, replace(play.decisions[self.seat][step], drawn=known))
        return left_deck(replace(table, play=play), known)

    def says(self) -> str:
        cards = [card for card, _, _ in self.cards]
        drew = f"{several(len(cards), 'card')}, face down" if HIDDEN in cards else " ".join(cards)
        return f"Seat {self.seat} drew {drew}."


@happens("card.corrected", public=True)
class CardCorrected(Happened, frozen=True, kw_only=True):
    wrong: str
    right: str
    to: str
    up: bool
    private: bool = False
    why: str = ""

    def is_keying(self, table: Table) -> bool:  # noqa: ARG002
        return True

    def fold(self, table: Table) -> Table:
        """Put another card where a mis-keyed one was taken down: at its place, in what a seat drew, out of the deck."""
        play, wrong, right = table.playing, parse_card(self.wrong), parse_card(self.right)

        def put(cards: Hand) -> Hand:
            return tuple(right if card == wrong else card for card in cards)

        decisions = {
            seat: {step: replace(each, drawn=put(each.drawn)) for step, each in made.items()}
            for seat, made in play.decisions.items()
        }
        dealt = tuple(replace(each, card=right) if each.card == wrong else each for each in play.dealt)
        last = {seat: put(cards) for seat, cards in play.last.items()}
        return table.with_play(
            dealt=dealt, decisions=decisions, last=last, left_deck=put(play.left_deck), keyed=put(play.keyed)
        )

    def covered(self, eyes: Eyes) -> Self:
        return self if self.up or eyes.own(self.to) else but(self, wrong=HIDDEN, right=HIDDEN)

    def part(self, eyes: Eyes) -> Self:
        return self.covered(eyes) if self.private else self

    def says(self) -> str:
        why = f" A floorperson: {self.why}." if self.why else ""
        return f"Corrected at {in_words(self.to)}: {self.right}, keyed in as {self.wrong} before.{why}"


@happens("card.found-face-up", public=True, unusual=True)
class CardFoundFaceUp(Happened, frozen=True, kw_only=True):
    cards: str

    def fold(self, table: Table) -> Table:
        play, cards = table.playing, parse_cards(self.cards)
        return table.with_play(unused=(*play.unused, *cards), left_deck=(*play.left_deck, *cards))

    def says(self) -> str:
        return f"Found face up in the deck and put aside: {self.cards}."


@happens("card.drawn-in-error", public=True, unusual=True)
class CardDrawnByMistake(Happened, frozen=True, kw_only=True):
    def fold(self, table: Table) -> Table:
        return table.with_play(pending_card=True)

    def says(self) -> str:
        return "A card drawn in error became the next card."


class TurnsUp(Happened, frozen=True, kw_only=True):
    """What turns cards face up."""

    def faces(self) -> Mapping[str, Hand]:
        """Return the cards that it turns up, by place."""
        raise NotImplementedError


class InTurn(TurnsUp, frozen=True, kw_only=True):
    """Cards that are turned up because the course of the game has come to that."""

    def fold(self, table: Table) -> Table:
        table = self.seats_shown(table.with_play(turned=table.playing.turned + 1))
        return uncovered(table, self.faces()) if table.playing.covered else table

    def seats_shown(self, table: Table) -> Table:
        return table


@happens("dealer.revealed", public=True)
class DealerRevealed(InTurn, frozen=True, kw_only=True):
    cards: str

    def faces(self) -> Mapping[str, Hand]:
        return {"dealer": parse_cards(self.cards)}

    def says(self) -> str:
        return f"The dealer turned up {self.cards or 'no cards'}."


@happens("cards.turned-up", public=True)
class CardsTurnedUp(InTurn, frozen=True, kw_only=True):
    place: str
    cards: str

    def is_keying(self, table: Table) -> bool:
        """A street is turned up as it is dealt."""
        return table.streets and {*parse_cards(self.cards)} <= {*table.playing.keyed}

    def faces(self) -> Mapping[str, Hand]:
        return {self.place: parse_cards(self.cards)}

    def says(self) -> str:
        return f"Turned up at {shown(self.place)}: {self.cards}."


@happens("hands.shown", public=True)
class HandsShown(InTurn, frozen=True, kw_only=True):
    hands: dict[str, str]
    """By seat, a number as text."""

    def faces(self) -> Mapping[str, Hand]:
        return {f"seat {seat}": parse_cards(cards) for seat, cards in self.hands.items()}

    def seats_shown(self, table: Table) -> Table:
        for seat in self.hands if table.physical else ():
            table = replace(table, play=table.playing.deciding(int(seat), SHOWDOWN, Decision(SHOW)))
        return table

    def says(self) -> str:
        return "Shown: " + "; ".join(f"seat {seat} {cards}" for seat, cards in self.hands.items()) + "."


@happens("cards.shown", public=True)
class CardsShown(TurnsUp, frozen=True, kw_only=True):
    """A hand that a turn waited for. Earlier validations are used up: the turns before it are settled."""

    place: str
    cards: str = ""
    """Nothing where the reader may not see them."""
    private: bool = False

    def faces(self) -> Mapping[str, Hand]:
        return {self.place: parse_cards(self.cards)}

    def fold(self, table: Table) -> Table:
        table, place = table.with_play(validated=()), self.place
        if not place.startswith(f"{LAST} "):
            return uncovered(table, self.faces())
        play, seat, cards = table.playing, int(place.removeprefix(f"{LAST} ")), parse_cards(self.cards)
        new = tuple(card for card in cards if card not in play.left_deck)
        last = {**play.last, seat: cards}
        return table.with_play(last=last, left_deck=(*play.left_deck, *new), keyed=(*play.keyed, *new))

    def part(self, eyes: Eyes) -> Self:  # noqa: ARG002
        return but(self, cards="") if self.private else self

    def says(self) -> str:
        cards = f": {self.cards}" if self.cards else ""
        return f"Turned up to settle, at {shown(self.place.replace(LAST, 'seat'))}{cards}."


def uncovered(table: Table, shown: Mapping[str, Hand]) -> Table:
    """Fill unknown positions with cards in the order given; a card that was known already stays where it is."""
    play = table.playing
    new: dict[str, list[Card]] = {
        to: [card for card in cards if card not in play.hand(to)] for to, cards in shown.items()
    }
    placed: list[Dealt] = []
    for dealt in play.dealt:
        waiting = new.get(dealt.to) if dealt.card is None else None
        placed.append(replace(dealt, card=waiting.pop(0)) if waiting else dealt)
    cards = tuple(after.card for before, after in zip(play.dealt, placed, strict=True) if after is not before)
    known = tuple(card for card in cards if card is not None)
    return table.with_play(dealt=tuple(placed), left_deck=(*play.left_deck, *known), keyed=(*play.keyed, *known))


@happens("cards.collected", public=True)
class CardsCollected(Happened, frozen=True, kw_only=True):
    rack: tuple[tuple[str, str], ...]
    """Places in the order of collection, each with its cards."""
    private: bool = False

    def part(self, eyes: Eyes) -> Self:
        if not self.private:
            return self
        own = {f"seat {seat}" for seat in eyes.seats}
        return but(self, rack=tuple((place, cards if place in own else "") for place, cards in self.rack))

    def says(self) -> str:
        piles = (f"{in_words(to)} {face_down(cards.split()) or cards}" for to, cards in self.rack)
        return f"Cards to the rack: {'; '.join(piles)}."


@happens("deck.revealed", public=True)
class DeckRevealed(Happened, frozen=True, kw_only=True):
    round: int
    deck: str
    commitment: str
    cuts: tuple[int, ...]
    cards: str | UnsetType = UNSET
    """The order of the deck with its salt; players who need not show each other their cards never see it."""
    salt: str | UnsetType = UNSET
    left_deck: str | UnsetType = UNSET
    private: bool = False

    def part(self, eyes: Eyes) -> Self:  # noqa: ARG002
        return but(self, cards=UNSET, salt=UNSET, left_deck=UNSET) if self.private else self

    def says(self) -> str:
        cuts = f", cut at {comma_list(self.cuts)}" if self.cuts else ", not cut" if self.deck != DICE else ""
        device = device_words(self.deck)
        return f"The {device} of round {self.round} was disclosed for the commitment {self.commitment}{cuts}."


@happens("deck.lost", significant="A sealed deck was gone or was not the one that was sealed.")
class DeckLost(Happened, frozen=True, kw_only=True):
    round: int
    deck: str
    commitment: str

    def says(self) -> str:
        return f"The {device_words(self.deck)} of round {self.round} was no longer under seal."


def device_words(deck: str) -> str:
    return DICE if deck == DICE else f"{deck} deck"


@happens("system.selected", public=True)
class SystemSelected(Happened, frozen=True, kw_only=True):
    magic_card: str
    lucky_position: str

    def fold(self, table: Table) -> Table:
        card = parse_card(self.magic_card) if self.magic_card else None
        return table.with_play(magic_card=card, lucky_position=self.lucky_position)

    def says(self) -> str:
        parts = [f"the Magic Card {self.magic_card}"] * bool(self.magic_card)
        parts += [f"the Lucky Bonus position {self.lucky_position}"] * bool(self.lucky_position)
        return f"The system selected {' and '.join(parts) or 'nothing'}."
