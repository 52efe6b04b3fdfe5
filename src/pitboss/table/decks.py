"""Sections .3 and .4: decks are received, inspected, spread, washed, and changed when their time is up."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from pitboss.findings import Finding, refusal
from pitboss.games.course import Deal
from pitboss.table.command import Command, command
from pitboss.table.desk import HOUR, Desk
from pitboss.table.events import Event
from pitboss.table.kinds.shuffling import (
    CardsIdle,
    CardsInspected,
    CardsSpread,
    CardsViewed,
    CardsWashed,
    DeckRemoved,
    DecksReceived,
    InspectionVerified,
    OpeningStepDone,
)
from pitboss.table.ruling import cite_of, reshuffles, rules_at, submission_of, thrown_at
from pitboss.table.shuffling import shuffled_event
from pitboss.table.state import BETWEEN_ROUNDS, OPENING_STEPS, Phase, Table

BACKS = ("red", "blue")


@command("receive_decks", {Phase.OPENING}, "open-each-of-two-decks", needs=Deal)
class ReceiveDecks(Command):
    """Cards arrive at the table; preinspected and preshuffled decks skip section .4."""

    preinspected: bool = False
    backs: tuple[str, ...] = ()

    def findings(self, table: Table, desk: Desk) -> Iterator[Finding]:  # noqa: ARG002
        if table.decks:
            yield refusal("decks", "no deck at the table", "decks", "Cards are at the table already.")
        backs = self._backs(table)
        wanted = submission_of(table).shuffler.decks if table.shuffling == "device" else 1
        rules = rules_at(table)
        if len(backs) != wanted:
            cite = rules.figure_cite("decks_with_shuffler" if wanted == 2 else "decks")
            sentence = f"The table is played with {wanted} deck{'s' if wanted > 1 else ''}, not {len(backs)}."
            yield refusal("decks", f"{wanted} deck{'s' if wanted > 1 else ''}", len(backs), sentence, cite=cite)
        if len(set(backs)) != len(backs):
            cite = cite_of(table, "two-decks-same-design-different-backs")
            sentence = "The backs of the two decks must be of different colours."
            yield refusal("deck-backs", "backs of different colours", " and ".join(backs), sentence, cite=cite)

    def _backs(self, table: Table) -> tuple[str, ...]:
        two = table.shuffling == "device" and submission_of(table).shuffler.decks == 2
        return self.backs or BACKS[: 2 if two else 1]

    def events(self, table: Table, desk: Desk) -> Iterator[Event]:
        backs = self._backs(table)
        cites = (cite_of(table, "skip-opening-inspection"),) if self.preinspected else ()
        received = DecksReceived(decks=tuple(backs), preinspected=self.preinspected, at=desk.now, phase=Phase.OPENING)
        yield Event(received, cites)
        if self.preinspected:
            phase = Phase.WAGERING if reshuffles(table) else Phase.CUTTING
            for name in backs:
                yield shuffled_event(table, desk, name, "preshuffled", phase)


@dataclass(frozen=True)
class OpeningStep(Command):
    """One step of section .4, for every deck that is being opened."""

    step: ClassVar[str]
    kind: ClassVar[type[OpeningStepDone]]

    def findings(self, table: Table, desk: Desk) -> Iterator[Finding]:
        before = OPENING_STEPS[: OPENING_STEPS.index(self.step)]
        if not table.decks:
            yield self.refusal(table, "decks", "a deck", "none", "No cards have been received.")
        elif not self._decks(table):
            done = next(iter(table.decks.values())).steps
            expected = "cards " + " and ".join(before) if before else "cards just received"
            found = f"cards {' and '.join(done)}" if done else "cards just received"
            after = " and ".join(before) or "received"
            sentence = f"Cards are {self.step} only after they have been {after}, and once."
            yield self.refusal(table, "opening-order", expected, found, sentence)
        else:
            yield from self.also(table, desk)

    def also(self, table: Table, desk: Desk) -> Iterator[Finding]:  # noqa: ARG002
        yield from ()

    def _decks(self, table: Table) -> list[str]:
        before = OPENING_STEPS[: OPENING_STEPS.index(self.step)]
        return [name for name, deck in table.decks.items() if deck.steps == before]

    def done(self, desk: Desk, decks: tuple[str, ...]) -> OpeningStepDone:  # noqa: ARG002
        return self.kind(decks=decks, step=self.step)

    def events(self, table: Table, desk: Desk) -> Iterator[Event]:
        names = self._decks(table)
        cites = [cite_of(table, self.act)]
        if len(names) > 1:
            cites.append(cite_of(table, "open-each-of-two-decks"))
        yield Event(self.done(desk, tuple(names)), tuple(filter(None, cites)))


@command("inspect_cards", {Phase.OPENING}, "inspect-cards-verified-by-floorperson", needs=Deal)
class InspectCards(OpeningStep):
    """The dealer looks for defects."""

    step = "inspected"

    def done(self, desk: Desk, decks: tuple[str, ...]) -> OpeningStepDone:
        return CardsInspected(decks=decks, step=self.step, inspected_by=desk.person)


@command("verify_inspection", {Phase.OPENING}, "inspect-cards-verified-by-floorperson", needs=Deal)
class VerifyInspection(OpeningStep):
    """The floorperson verifies the dealer's inspection; the dealer can't."""

    step = "verified"
    kind = InspectionVerified

    def also(self, table: Table, desk: Desk) -> Iterator[Finding]:
        inspectors = {deck.inspected_by for deck in table.decks.values()}
        if desk.person in inspectors:
            sentence = "The inspection is verified by somebody other than the one who made it."
            expected = "somebody other than the dealer who inspected"
            yield self.refusal(table, "two-people", expected, desk.person, sentence)


@command("spread_cards", {Phase.OPENING}, "spread-face-up-by-suit", needs=Deal)
class SpreadCards(OpeningStep):
    step = "spread"
    kind = CardsSpread


@command("player_inspected", {Phase.OPENING, Phase.IDLE}, "wash-and-stack-after-first-player", needs=Deal)
class PlayerInspected(OpeningStep):
    """The first player at the table has had the opportunity to look at the cards."""

    step = "viewed"
    kind = CardsViewed

    def also(self, table: Table, desk: Desk) -> Iterator[Finding]:  # noqa: ARG002
        if not table.homes:
            cite = cite_of(table, "spread-face-up-by-suit")
            sentence = "The cards stay spread until the first player has arrived."
            yield refusal("no-player", "a first player at the table", "nobody", sentence, cite=cite)

    def acts_for(self, table: Table, desk: Desk) -> str:  # noqa: ARG002
        return next(iter(table.homes), "")


@command("wash_cards", {Phase.OPENING, Phase.IDLE}, "wash-and-stack-after-first-player", needs=Deal)
class WashCards(OpeningStep):
    """Turned face down, mixed and stacked; the shuffle comes next."""

    step = "washed"

    def done(self, desk: Desk, decks: tuple[str, ...]) -> OpeningStepDone:  # noqa: ARG002
        return CardsWashed(decks=decks, step=self.step, phase=Phase.SHUFFLING)


@command("spread_idle", BETWEEN_ROUNDS, "spread-cards-at-idle-table", needs=Deal)
class SpreadIdle(Command):
    """No gaming activity: the cards come out of shoe and rack and lie spread, face down unless a player asks."""

    face_up: bool = False

    def findings(self, table: Table, desk: Desk) -> Iterator[Finding]:  # noqa: ARG002
        if table.staged:
            yield self.refusal(table, "gaming-activity", "no wager", "wagers", "Wagers lie on the layout.")
        if reshuffles(table):
            cite = cite_of(table, "use-approved-reshuffling-shoe")
            sentence = "Where a shoe reshuffles by itself the cards of an idle table are not spread."
            yield refusal("reshuffling-shoe", "cards stay in the shoe", "spread", sentence, cite=cite)

    def events(self, table: Table, desk: Desk) -> Iterator[Event]:  # noqa: ARG002
        yield Event(CardsIdle(face_up=self.face_up, phase=Phase.IDLE), (cite_of(table, self.act),))


@command("change_decks", BETWEEN_ROUNDS | {Phase.IDLE}, needs=Deal)
class ChangeDecks(Command):
    """Take the decks off the table; new ones are received and opened."""

    reason: str = "due"

    def events(self, table: Table, desk: Desk) -> Iterator[Event]:  # noqa: ARG002
        cite = rules_at(table).figure_cite(_hours(table))
        names = list(table.decks)
        for name in names:
            yield Event(DeckRemoved(deck=name, reason=self.reason, phase=Phase.OPENING), (cite,))


def _hours(table: Table) -> str:
    return "deck_change_hours_hand" if table.dealing == "hand" else "deck_change_hours_shoe"


def deck_change_due(table: Table, now: int) -> Finding | None:
    """Decks dealt by hand are changed every four hours, decks in a shoe every eight."""
    rules, deck = rules_at(table), table.deck
    hours = rules.figure(_hours(table)) if not thrown_at(table) else 0
    if deck is None or not hours or now - deck.received < hours * HOUR:
        return None
    minutes = (now - deck.received) // (HOUR // 60)
    age, expected = f"{minutes // 60} h {minutes % 60} min", f"a deck received less than {hours} hours ago"
    sentence = f"The {table.active} deck has been here for {age}: it is changed every {hours} hours."
    return refusal("deck-change-due", expected, age, sentence, cite=rules.figure_cite(_hours(table)))
