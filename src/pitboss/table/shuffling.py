"""Section .5: the shuffle, by hand or by a device, the cut and the recut."""

from collections.abc import Iterator

from pitboss.cards import DECK
from pitboss.findings import Finding, refusal
from pitboss.games.course import Deal
from pitboss.table.command import Command, command
from pitboss.table.desk import Desk
from pitboss.table.events import Event
from pitboss.table.kinds.shuffling import CardsCut, CardsShuffled, DeckRemoved, RecutOrdered, ShuffleOrdered
from pitboss.table.ruling import cite_of, counts_cards, reshuffles, rules_at
from pitboss.table.source import seal, shuffle
from pitboss.table.state import BETWEEN_ROUNDS, IN_ROUND, SHUFFLER, Deck, Phase, Table

CARDS = len(DECK)
METHODS = ("device", "hand")
FROM_HAND = "shuffler-required-for-dealing-from-hand"


def shuffled_event(table: Table, desk: Desk, deck: str, method: str, phase: Phase | None) -> Event:
    """A deck in a new random order. A virtual deck is sealed; only its commitment is published."""
    sealed = seal(shuffle(desk.randomness), desk.randomness) if table.source == "virtual" else None
    commitment = "" if sealed is None else sealed.commitment
    shuffled = CardsShuffled(deck=deck, method=method, commitment=commitment, phase=phase)
    return Event(shuffled, (cite_of(table, "shuffle-before-play-and-after-each-round"),), sealed=sealed)


@command("shuffle", BETWEEN_ROUNDS | IN_ROUND, "shuffle-before-play-and-after-each-round", needs=Deal)
class Shuffle(Command):
    """Shuffle the deck that is to be dealt next or, with two decks, the other one while a round is played."""

    deck: str = ""
    method: str = ""
    count: int = CARDS
    """What a shuffler that counts cards indicates."""

    def _deck(self, table: Table) -> str:
        return self.deck or (table.other_deck if table.in_round else table.active)

    def findings(self, table: Table, desk: Desk) -> Iterator[Finding]:  # noqa: ARG002
        name = self._deck(table)
        method = self.method or table.shuffling
        deck = table.decks.get(name)
        if deck is None:
            yield self.refusal(table, "decks", ", ".join(table.decks), name, f"There is no {name or 'other'} deck.")
            return
        if name == table.active and table.in_round:
            cite = cite_of(table, "shuffle-other-deck-during-play")
            sentence = f"The {name} deck is in play; only the other deck is shuffled during a round."
            yield refusal("deck-in-play", "the deck that is not in play", name, sentence, cite=cite)
        elif deck.shuffled and not table.in_round and table.phase != Phase.SHUFFLING:
            yield self.refusal(table, "shuffled-already", "one shuffle", deck.shuffled, "The deck is shuffled already.")
        if method not in METHODS:
            yield self.refusal(table, "method", " or ".join(METHODS), method, "Shuffle by device or hand.")
        elif method != table.shuffling:
            sentence = (
                f"Cards are shuffled by {table.shuffling} here; another method needs the device to be out of order, "
                "covered or signed, and the method changed."
            )
            expected = f"the {table.shuffling}"
            yield refusal("method", expected, method, sentence, cite=cite_of(table, "device-out-of-order"))
        elif method == "hand" and table.dealing == "hand" and (cite := cite_of(table, FROM_HAND)):
            sentence = "Cards that are dealt from the hand must be shuffled by a device."
            expected = "an automated shuffling device"
            yield refusal("shuffler-required", expected, "a shuffle by hand", sentence, cite=cite)
        if method == "device" and SHUFFLER in table.failed:
            cite = cite_of(table, "device-out-of-order")
            sentence = "The shuffler is out of order."
            yield refusal("device-out-of-order", "a working device", "out of order", sentence, cite=cite)
        if self.count != CARDS and not counts_cards(table):
            cite = cite_of(table, "check-shuffler-count")
            sentence = "No device in use counts the cards."
            yield refusal("count", "a shuffler that counts", self.count, sentence, cite=cite)

    def events(self, table: Table, desk: Desk) -> Iterator[Event]:
        name = self._deck(table)
        method = self.method or table.shuffling
        ready = name == table.active and not table.in_round
        if self.count != CARDS:
            reason = f"the shuffler counted {self.count} cards"
            removed = DeckRemoved(deck=name, reason=reason, phase=_phase_without(table, name))
            yield Event(removed, (cite_of(table, "check-shuffler-count"),))
            return
        phase = Phase.CUTTING if needs_cut(table, method) else Phase.WAGERING
        yield shuffled_event(table, desk, name, method, phase if ready else None)


def _phase_without(table: Table, removed: str) -> Phase | None:
    """Without a deck left, new ones are received; with one, play goes on with it once it is shuffled."""
    left = [deck for name, deck in table.decks.items() if name != removed]
    if left and table.in_round:
        return None
    return Phase.OPENING if not left else ready_for_round(table, left[0])


def needs_cut(table: Table, method: str) -> bool:
    """After a shuffle by hand, and of preshuffled cards; never where a shoe reshuffles by itself."""
    return method != "device" and not reshuffles(table)


def ready_for_round(table: Table, deck: Deck) -> Phase:
    """What a deck still needs before its round: a shuffle, a cut, or nothing."""
    if not deck.shuffled:
        return Phase.SHUFFLING
    return Phase.CUTTING if needs_cut(table, deck.shuffled) and not deck.cuts else Phase.WAGERING


def other_deck_waits(table: Table) -> bool:
    """Whether there are two decks and the one not in play has still to go into the shuffler."""
    if len(table.decks) < 2 or table.shuffling != "device" or SHUFFLER in table.failed:
        return False
    return not table.decks[table.other_deck].shuffled


def rack_taken(table: Table) -> Finding | None:
    """The discard rack holds one deck: the other leaves it for the shuffler before cards of this round go there."""
    if not other_deck_waits(table):
        return None
    expected = f"the {table.other_deck} deck shuffled and stored in the device"
    sentence = (
        f"The {table.other_deck} deck goes into the shuffler before cards of the {table.active} deck go to the "
        "discard rack."
    )
    cite = cite_of(table, "one-deck-in-discard-rack")
    return refusal("one-deck-in-rack", expected, "not shuffled", sentence, cite=cite)


@command("cut", {Phase.CUTTING}, "insert-cover-card-and-move-top-to-bottom", needs=Deal)
class Cut(Command):
    """The dealer inserts the cover card and moves everything above it to the bottom."""

    at: int

    def findings(self, table: Table, desk: Desk) -> Iterator[Finding]:  # noqa: ARG002
        rules = rules_at(table)
        least = rules.figure("cut_depth")
        if not least <= self.at < CARDS:
            cite = rules.figure_cite("cut_depth")
            sentence = f"The cover card goes at least {least} cards in from the top, not {self.at}."
            yield refusal("cut-depth", f"{least} to {CARDS - 1} cards", self.at, sentence, cite=cite)

    def events(self, table: Table, desk: Desk) -> Iterator[Event]:  # noqa: ARG002
        recut = table.deck is not None and bool(table.deck.cuts)
        phase = table.resume if recut else Phase.WAGERING
        yield Event(CardsCut(deck=table.active, at=self.at, phase=phase), (cite_of(table, self.act),))


@command("order_recut", {Phase.WAGERING, Phase.COUNTING, Phase.DEALING}, "order-recut-before-deal", needs=Deal)
class OrderRecut(Command):
    """A floorperson finds the cut improper, before any card is dealt."""

    reason: str = ""

    def findings(self, table: Table, desk: Desk) -> Iterator[Finding]:  # noqa: ARG002
        if reshuffles(table):
            cite = cite_of(table, "use-approved-reshuffling-shoe")
            sentence = "Where a shoe reshuffles by itself the cards are not cut."
            yield refusal("reshuffling-shoe", "no cut", "a recut", sentence, cite=cite)
            return
        if table.play is not None and (table.play.dealt or table.play.unused):
            sentence = "Cards have been dealt; it is too late for a recut."
            yield self.refusal(table, "cards-dealt", "no card dealt", "cards dealt", sentence)
        if table.deck is None or not table.deck.cuts:
            yield self.refusal(table, "no-cut", "cards that were cut", "none", "The cards have not been cut.")

    def events(self, table: Table, desk: Desk) -> Iterator[Event]:  # noqa: ARG002
        ordered = RecutOrdered(deck=table.active, reason=self.reason, resume=table.phase, phase=Phase.CUTTING)
        yield Event(ordered, (cite_of(table, self.act),))


@command("order_shuffle", {Phase.CUTTING, Phase.WAGERING}, "shuffle-before-play-and-after-each-round", needs=Deal)
class OrderShuffle(Command):
    """A floorperson directs a shuffle between rounds."""

    reason: str = ""

    def events(self, table: Table, desk: Desk) -> Iterator[Event]:  # noqa: ARG002
        ordered = ShuffleOrdered(deck=table.active, reason=self.reason, phase=Phase.SHUFFLING)
        yield Event(ordered, (cite_of(table, self.act),))
