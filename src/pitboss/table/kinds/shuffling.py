"""Decks that are received, opened, shuffled, cut and removed, and cards that are counted."""

from typing import ClassVar

from msgspec import UNSET, UnsetType

from pitboss.records import replace
from pitboss.table.happened import Happened, happens
from pitboss.table.state import OPENING_STEPS, Deck, Phase, Table
from pitboss.table.words import because, comma_list


@happens("decks.received", public=True)
class DecksReceived(Happened, frozen=True, kw_only=True):
    decks: tuple[str, ...]
    preinspected: bool
    at: int

    def fold(self, table: Table) -> Table:
        fresh = {name: Deck(self.at) for name in self.decks}
        return replace(table, decks=fresh, active=self.decks[0], uncounted=0)

    def says(self) -> str:
        done = ", preinspected and preshuffled" if self.preinspected else ""
        return f"Decks arrived: {comma_list(self.decks)}{done}."


class OpeningStepDone(Happened, frozen=True, kw_only=True):
    """One step of the opening of new decks."""

    SENTENCE: ClassVar[str] = ""

    decks: tuple[str, ...]
    step: str

    def inspector(self, deck: Deck) -> str:
        return deck.inspected_by

    def fold(self, table: Table) -> Table:
        for name in self.decks:
            deck = table.decks[name]
            steps, by = (*deck.steps, self.step), self.inspector(deck)
            table = table.with_deck(name, steps=steps, inspected_by=by, shuffled="", cuts=())
        return table

    def says(self) -> str:
        return f"{self.SENTENCE}: {comma_list(self.decks)}."


@happens("cards.inspected", public=True)
class CardsInspected(OpeningStepDone, frozen=True, kw_only=True):
    SENTENCE = "The dealer inspected the cards"

    inspected_by: str

    def inspector(self, deck: Deck) -> str:  # noqa: ARG002
        return self.inspected_by


@happens("inspection.verified", public=True)
class InspectionVerified(OpeningStepDone, frozen=True, kw_only=True):
    SENTENCE = "A supervisor verified the inspection"


@happens("cards.spread", public=True)
class CardsSpread(OpeningStepDone, frozen=True, kw_only=True):
    SENTENCE = "The cards were spread face up by suit"


@happens("cards.viewed", public=True)
class CardsViewed(OpeningStepDone, frozen=True, kw_only=True):
    SENTENCE = "The first player could look at the cards"


@happens("cards.washed", public=True)
class CardsWashed(OpeningStepDone, frozen=True, kw_only=True):
    SENTENCE = "The cards were turned face down, washed and stacked"


@happens("cards.shuffled", public=True)
class CardsShuffled(Happened, frozen=True, kw_only=True):
    deck: str
    method: str
    commitment: str

    def fold(self, table: Table) -> Table:
        return shuffled(table, self.deck, self.method, self.commitment)

    def says(self) -> str:
        sealed = f"; its order is sealed as {self.commitment}" if self.commitment else ""
        how = "came preshuffled" if self.method == "preshuffled" else f"was shuffled by {self.method}"
        return f"The {self.deck} deck {how}{sealed}."


def shuffled(table: Table, deck: str, method: str, commitment: str) -> Table:
    """Return the table with cards or dice in a new random order."""
    if table.play is not None and table.play.dice:  # what did not count is thrown again
        table = table.with_play(dice=())
    return table.with_deck(deck, shuffled=method, commitment=commitment, cuts=())


def unshuffled(table: Table, deck: str) -> Table:
    return table.with_deck(deck, shuffled="", commitment="", cuts=())


@happens("shuffle.ordered", public=True)
class ShuffleOrdered(Happened, frozen=True, kw_only=True):
    deck: str
    reason: str

    def fold(self, table: Table) -> Table:
        return unshuffled(table, self.deck)

    def says(self) -> str:
        return f"A shuffle of the {self.deck} deck was ordered{because(self.reason)}."


@happens("shuffle.failed", public=True, unusual=True)
class ShuffleFailed(Happened, frozen=True, kw_only=True):
    deck: str

    def fold(self, table: Table) -> Table:
        return unshuffled(table, self.deck)

    def says(self) -> str:
        return f"The shuffle of the {self.deck} deck failed; it is shuffled again."


@happens("cards.cut", public=True)
class CardsCut(Happened, frozen=True, kw_only=True):
    deck: str
    at: int

    def fold(self, table: Table) -> Table:
        return table.with_deck(self.deck, cuts=(*table.decks[self.deck].cuts, self.at))

    def says(self) -> str:
        return f"The {self.deck} deck was cut, {self.at} cards from the top."


@happens("recut.ordered", public=True, unusual=True)
class RecutOrdered(Happened, frozen=True, kw_only=True):
    deck: str
    reason: str
    resume: Phase

    def fold(self, table: Table) -> Table:
        return replace(table, resume=self.resume)

    def says(self) -> str:
        return f"A supervisor ordered a recut of the {self.deck} deck{because(self.reason)}."


@happens("deck.removed", public=True, significant="A deck was taken off a table.", unusual=True)
class DeckRemoved(Happened, frozen=True, kw_only=True):
    deck: str
    reason: str

    def fold(self, table: Table) -> Table:
        decks = {name: deck for name, deck in table.decks.items() if name != self.deck}
        return replace(table, decks=decks, active=next(iter(decks), ""))

    def says(self) -> str:
        return f"The {self.deck} deck was removed{because(self.reason)}."


@happens("cards.idle", public=True)
class CardsIdle(Happened, frozen=True, kw_only=True):
    face_up: bool

    def fold(self, table: Table) -> Table:
        for name in table.decks:
            table = table.with_deck(name, steps=OPENING_STEPS[:3], shuffled="", commitment="", cuts=())
        return table

    def says(self) -> str:
        return f"The table was idle; its cards lay spread face {'up' if self.face_up else 'down'}."


@happens("stub.placed", public=True)
class StubPlaced(Happened, frozen=True, kw_only=True):
    count: int | None
    counted: bool

    def fold(self, table: Table) -> Table:
        return counted(table.with_play(stub_placed=True), now=self.counted)

    def says(self) -> str:
        done = f" after a count of {self.count} cards" if self.count is not None else ""
        return f"The stub went to the discard rack{done}."


@happens("deck.counted", public=True)
class DeckCounted(Happened, frozen=True, kw_only=True):
    counted: bool
    count: int | UnsetType = UNSET

    def fold(self, table: Table) -> Table:
        return counted(table, now=self.counted)

    def says(self) -> str:
        if not isinstance(self.count, UnsetType):
            return f"The deck was counted: {self.count} cards."
        return "The device had counted the deck." if self.counted else "The deck was not counted after this round."


def counted(table: Table, *, now: bool) -> Table:
    return replace(table, uncounted=0 if now else table.uncounted + 1)
