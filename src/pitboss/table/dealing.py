"""Sections .8 to .10: cards leave the shoe or the hand in the order of the law; the stub and its count."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from pitboss.cards import DECK, Hand, show_card
from pitboss.findings import Finding, PitbossError, refusal
from pitboss.games.course import Deal
from pitboss.games.deal import Slot, deal_cards, deal_of
from pitboss.law.model import DealOrder
from pitboss.table.act import Act
from pitboss.table.command import Command, command
from pitboss.table.desk import Desk
from pitboss.table.events import Event
from pitboss.table.happened import HIDDEN, but
from pitboss.table.kinds.cards import CardsDealt
from pitboss.table.kinds.shuffling import StubPlaced
from pitboss.table.ruling import (
    STUB_ACT,
    cite_of,
    counts_cards,
    deal_cite,
    hand_at,
    is_private,
    procedure_of,
    reshuffles,
    rules_at,
)
from pitboss.table.shuffling import rack_taken
from pitboss.table.source import card_words, cut, key_in
from pitboss.table.state import KEYED, LiveRound, Phase, Table
from pitboss.table.streets import street_now, undealt
from pitboss.table.turns import followed
from pitboss.table.voiding import voided

CARDS = len(DECK)
READY_ACT, COUNT_ACT = "place-deck-in-shoe", "count-stub-every-five-rounds"
DEALER_FIRST_ACT = "dealer-stacks-first-allowed"


class DeckLostError(PitbossError, LookupError):
    """A sealed deck that is gone, cannot be read or is another: no card of it may be dealt."""


@lru_cache(maxsize=1024)
def _slots(
    deal: DealOrder, seats: tuple[tuple[int, tuple[str, ...]], ...], dealer_first: bool, streets: bool
) -> tuple[Slot, ...]:
    if streets:
        deal = replace(deal, steps=tuple(step for step in deal.steps if not step.street))
    if dealer_first:
        deal = replace(deal, steps=tuple(sorted(deal.steps, key=lambda step: step.to == "players")))
    dealing = deal_cards(deal, {seat: dict.fromkeys(wagers, 1) for seat, wagers in seats}, DECK)
    # The deck stands for positions here: cards leave a device in this order, whatever is dealt first.
    ordered = sorted(dealing.order, key=lambda dealt: dealt.card)
    return tuple(Slot(dealt.to, dealt.face_up) for dealt in ordered)


def slots_of(table: Table, play: LiveRound, dealer_first: bool = False) -> tuple[Slot, ...]:
    """Every card of the deal, in the order in which cards leave the device; a street is dealt later.

    A shoe that reshuffles may give the dealer's cards first; once a card has been dealt, the first one tells.
    """
    if (hand := hand_at(table)) is not None:
        return tuple(hand.slots)
    first = play.dealt[0].to == "dealer" if play.dealt else dealer_first
    seats = tuple((seat, tuple(made)) for seat, made in sorted(play.wagers.items()))
    return _slots(deal_of(rules_at(table)), seats, first, table.streets)


def slots_left(table: Table) -> tuple[Slot, ...]:
    """The places of the cards that leave the deck next: the rest of the deal, or the street that is due."""
    if table.phase == Phase.REVEALING:
        return street_now(table)
    return slots_of(table, table.playing)[len(table.playing.dealt) :]


def from_deck(table: Table, desk: Desk, count: int) -> Hand:
    """The next cards of a virtual deck."""
    assert table.deck is not None
    sealed = desk.sealed(table.id, table.active)
    if sealed is None or sealed.commitment != table.deck.commitment:
        raise DeckLostError(f"the {table.active} deck is no longer under seal as it was committed to")
    cards = sealed.cards
    for at in table.deck.cuts:
        cards = cut(cards, at)
    gone = len(table.playing.left_deck)
    return cards[gone : gone + count]


@dataclass(frozen=True)
class TakesCards(Command):
    """A command that takes cards: from the virtual deck, or as the dealer keys them in."""

    cards: str = ""
    """Keyed-in cards, in the order in which they leave the deck."""

    def wanted(self, table: Table) -> int:
        """How many cards move."""
        raise NotImplementedError

    def places(self, table: Table) -> tuple[str, ...]:
        """Where the cards go that are keyed in with the command, in the order in which they are."""
        raise NotImplementedError

    def card_cite(self, table: Table) -> str:
        """The paragraph by which the cards leave the deck."""
        return deal_cite(table)

    def seen(self, table: Table) -> Hand:
        """Cards that are known already, and so none of those keyed in."""
        return table.playing.left_deck

    def card_findings(self, table: Table) -> Iterator[Finding]:
        cite, wanted = self.card_cite(table), len(self.places(table))
        if table.source == "virtual":
            if self.cards:
                sentence = "The cards of this table come from a virtual deck."
                yield refusal("card-source", "no cards", self.cards, sentence, cite=cite)
            return
        if not wanted:
            if self.cards:
                sentence = f"No card is turned up now, so none is keyed in: not {self.cards}."
                yield refusal("face-down", "no cards", self.cards, sentence, cite=cite)
            return
        hand, problems = key_in(self.cards, self.seen(table), cite)
        yield from problems
        if not problems and len(hand) != wanted:
            cards = f"{wanted} card{'s' if wanted > 1 else ''}"
            sentence = f"{cards} {'are' if wanted > 1 else 'is'} to be keyed in, not {len(hand)}."
            yield refusal("card-count", cards, len(hand), sentence, cite=cite)

    def take(self, table: Table, desk: Desk) -> Hand:
        if table.source == "virtual":
            return from_deck(table, desk, self.wanted(table))
        return key_in(self.cards, self.seen(table))[0]


@command("deal", {Phase.DEALING}, "announce-no-more-bets", needs=Deal)
class DealCards(TakesCards):
    """Deal the next cards, all of them unless a number is given."""

    count: int = 0
    dealer_first: bool = False
    """The dealer's cards before the players', where the shoe reshuffles and the law gives leave."""

    def phase_act(self, table: Table) -> str:
        """Cards that are not shuffled and cut are not in the shoe or the hand yet."""
        unready = table.phase in (Phase.SHUFFLING, Phase.CUTTING) and procedure_of(table, READY_ACT) is not None
        return READY_ACT if unready else self.act

    def wanted(self, table: Table) -> int:
        left = len(slots_of(table, table.playing)) - len(table.playing.dealt)
        asked = self.count or (self._given() if table.source == KEYED and self.cards else left)
        return min(asked, left) if asked > 0 else left

    def places(self, table: Table) -> tuple[str, ...]:
        """At a physical table only the cards that are dealt face up."""
        return tuple(slot.to for slot in self._slots(table) if slot.face_up or not table.physical)

    def _slots(self, table: Table) -> Sequence[Slot]:
        """Where the cards go that are dealt now."""
        done = len(table.playing.dealt)
        return slots_of(table, table.playing, self.dealer_first)[done : done + self.wanted(table)]

    def _given(self) -> int:
        return len(card_words(self.cards))

    def order_findings(self, table: Table) -> Iterator[Finding]:
        if not self.dealer_first:
            return
        cite, expected = cite_of(table, DEALER_FIRST_ACT), "the players' cards first"
        if not cite or not reshuffles(table):
            sentence = (
                "The dealer's cards come first only from an automated shoe that reshuffles, where the law allows it."
            )
            yield refusal("dealer-first", expected, "the dealer's first", sentence, cite=cite or deal_cite(table))
        elif table.playing.dealt and table.playing.dealt[0].to != "dealer":
            sentence = "The players' cards have been dealt first in this round; the order stays as it began."
            yield refusal("dealer-first", expected, "the dealer's first", sentence, cite=cite)

    def findings(self, table: Table, desk: Desk) -> Iterator[Finding]:  # noqa: ARG002
        yield from self.order_findings(table)
        left = len(slots_of(table, table.playing)) - len(table.playing.dealt)
        given = self._given()
        if self.count < 0 or max(self.count, given) > left:
            sentence = f"{left} cards are still to be dealt."
            yield refusal("card-count", f"1 to {left} cards", max(self.count, given), sentence, cite=deal_cite(table))
            return
        if self.wanted(table) > table.playing.in_deck:
            found = f"{table.playing.in_deck} cards"
            sentence = "The deck does not hold enough cards."
            yield refusal("deck-runs-out", f"{self.wanted(table)} cards", found, sentence, cite=deal_cite(table))
        yield from self.card_findings(table)

    def events(self, table: Table, desk: Desk) -> Act:
        play = table.playing
        slots, now = slots_of(table, play, self.dealer_first), self._slots(table)
        cards = self.take(table, desk) if self.places(table) else ()
        first = (cite_of(table, DEALER_FIRST_ACT),) if slots[0].to == "dealer" else ()
        dealt = dealt_event(table, now, cards, (deal_cite(table), *first))
        if len(play.dealt) + len(now) < len(slots):
            return Act.of(table, (dealt,))
        return followed(table, desk, (dealt,)) if undealt(table) else dealt_out(table, desk, (dealt,))


def dealt_event(table: Table, slots: Iterable[Slot], cards: Hand, cites: tuple[str, ...]) -> Event:
    """Cards that leave the deck; at a physical table nobody knows those that lie face down."""
    faces, unknown = map(show_card, cards), table.physical
    placed = ((HIDDEN if unknown and not slot.face_up else next(faces), slot.to, slot.face_up) for slot in slots)
    return Event(CardsDealt(cards=tuple(placed), private=is_private(table)), cites)


def dealt_out(table: Table, desk: Desk, events: Sequence[Event]) -> Act:
    """Return the act that deals the last card: the stub comes next, where the chapter has it placed in the rack."""
    if procedure_of(table, STUB_ACT) is None:
        return followed(table, desk, events)
    last = replace(events[-1], fact=but(events[-1].fact, phase=Phase.STUB))
    return Act.of(table, (*events[:-1], last))


@command("stub", {Phase.STUB}, STUB_ACT, needs=Deal)
class PlaceStub(Command):
    """The stub goes to the discard rack, counted first at least every fifth round unless a shuffler counts."""

    count: int | None = None
    misdealt: bool | None = None
    """Where the count is wrong: whether somebody has too many or too few cards while the deck holds 52."""

    def findings(self, table: Table, desk: Desk) -> Iterator[Finding]:  # noqa: ARG002
        if (taken := rack_taken(table)) is not None:
            yield taken
        if self.count is None:
            if count_due(table):
                rounds = rules_at(table).figure("stub_count_rounds")
                sentence = (
                    f"The stub has not been counted in the last {rounds - 1} rounds: it is counted at least once in "
                    f"{rounds} rounds."
                )
                yield refusal("count-due", "a count of the stub", "none", sentence, cite=cite_of(table, COUNT_ACT))
            return
        if not 0 <= self.count <= CARDS:
            yield refusal("count", "0 to 52", self.count, "Give the number of cards.", cite=cite_of(table, COUNT_ACT))
        elif self.count != table.playing.in_deck and self.misdealt is None:
            cite = cite_of(table, "stub-count-wrong")
            sentence = "The count is wrong: say whether the cards were misdealt."
            yield refusal("misdealt", f"{table.playing.in_deck} cards", self.count, sentence, cite=cite)

    def events(self, table: Table, desk: Desk) -> Act:
        if self.count is None or self.count == table.playing.in_deck:
            act = STUB_ACT if self.count is None else "stub-count-correct"
            placed = StubPlaced(count=self.count, counted=self.count is not None or counts_cards(table))
            return followed(table, desk, (Event(placed, (cite_of(table, act),)),))
        reason = f"the stub held {self.count} cards"
        return Act.of(table, voided(table, desk, "stub-count-wrong", reason, remove_deck=not self.misdealt))


def count_due(table: Table) -> bool:
    """Whether this is the round in which the cards must be counted at the latest."""
    rounds = rules_at(table).figure("stub_count_rounds")
    return not counts_cards(table) and table.uncounted + 1 >= rounds
