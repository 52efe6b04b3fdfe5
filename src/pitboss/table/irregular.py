"""Section .13: each irregularity is reported with one command, and its remedy is carried out as the law says."""

from collections.abc import Iterator
from dataclasses import field, replace

from pitboss.cards import show_cards
from pitboss.findings import Finding, refusal
from pitboss.table.command import Command, command
from pitboss.table.dealing import from_deck, slots_of
from pitboss.table.deciding import cards_short
from pitboss.table.desk import Desk
from pitboss.table.events import Event
from pitboss.table.fold import apply_all
from pitboss.table.kinds.cards import CardDrawnByMistake, CardFoundFaceUp, CardsShown
from pitboss.table.kinds.devices import (
    DeviceCovered,
    DeviceFailed,
    DeviceRepaired,
    IrregularityReported,
    MethodChanged,
)
from pitboss.table.kinds.shuffling import DeckRemoved, ShuffleFailed, ShuffleOrdered
from pitboss.table.place import decisions_open, is_known, open_cards
from pitboss.table.ruling import cite_of, procedure_of, rules_at, submission_of
from pitboss.table.shuffling import FROM_HAND
from pitboss.table.source import key_in
from pitboss.table.standing import StandingWagers
from pitboss.table.state import BETWEEN_ROUNDS, IN_ROUND, SHOE, SHUFFLER, VIRTUAL, Phase, Table
from pitboss.table.streets import street_now, undealt
from pitboss.table.turns import UNSETTLED, unsettled
from pitboss.table.voiding import voided

FACE_UP = "card-face-up-in-shoe"
IN_ERROR = "card-drawn-in-error"
WRONG_NUMBER = "wrong-number-of-cards"
EXPOSED = {"dealer-card-exposed": "dealer", "community-card-exposed": "community"}
"""Cards seen that should lie face down, by the place where they lie."""
SHUFFLER_JAM = "shuffler-jam"
SHOE_JAM = "shoe-jam"
OUT_OF_ORDER = "device-out-of-order"
UNFILLED = "exchange-unfilled"
"""An exchange that the stub cannot fill; treated as a wrong number of cards."""

FROM_DEAL = frozenset({Phase.DEALING, Phase.STUB, Phase.DECIDING, Phase.LOCKED, Phase.DRAWING, Phase.REVEALING})
WHEN: dict[str, frozenset[Phase]] = {
    FACE_UP: frozenset({Phase.DEALING, Phase.DRAWING}),
    IN_ERROR: frozenset({Phase.DEALING, Phase.DRAWING}),
    WRONG_NUMBER: FROM_DEAL | {Phase.SETTLING},
    **dict.fromkeys(EXPOSED, FROM_DEAL),
    SHUFFLER_JAM: BETWEEN_ROUNDS | IN_ROUND,
    SHOE_JAM: frozenset({Phase.DEALING, Phase.DRAWING}),
    OUT_OF_ORDER: frozenset(Phase) - {Phase.CLOSED},
    UNFILLED: frozenset({Phase.DRAWING}),
    UNSETTLED: frozenset({Phase.LOCKED, Phase.REVEALING, Phase.SETTLING, Phase.COLLECTING}),
}


def can_happen(table: Table, what: str) -> bool:
    """Whether an irregularity fits the phase; cards are also dealt while a street is due."""
    dealing = what in (FACE_UP, IN_ERROR) and bool(street_now(table))
    return dealing or table.phase in WHEN[what]


@command("irregularity")
class Irregularity(Command):
    """Something went wrong with cards or devices."""

    what: str
    seat: int | None = None
    """Whose hand, for a wrong number of cards; none for the dealer's."""
    cards: str = ""
    """Cards found face up, keyed in at a physical table."""
    count: int = 1
    """How many cards were found face up."""
    device: str = ""
    note: str = ""
    hands: dict[str, str] = field(default_factory=dict)
    """At a physical table, where wagers stand although a card was exposed: the cards of the hands that decide them, by
    place, such as ``seat 3``."""

    def two_people(self, table: Table, desk: Desk) -> str:  # noqa: ARG002
        known = self.what in (WRONG_NUMBER, UNSETTLED) and is_known(table)
        return "table.void-revealed" if known else ""

    def findings(self, table: Table, desk: Desk) -> Iterator[Finding]:
        act = WRONG_NUMBER if self.what == UNFILLED else self.what
        known = self.what in WHEN
        if not known or (table.game and self.what != UNSETTLED and procedure_of(table, act) is None):
            sentence = f"There is no irregularity {self.what!r}."
            yield refusal("unknown-irregularity", ", ".join(WHEN), self.what, sentence)
            return
        cite = cite_of(table, act)
        if not can_happen(table, self.what):
            when = " or ".join(sorted(WHEN[self.what]))
            sentence = f"{self.what} cannot happen while the table is {table.phase}."
            yield refusal("phase", when, table.phase, sentence, cite=cite)
            return
        if self.what == UNSETTLED:
            if not any(True for _ in unsettled(table, desk)):
                yield refusal(UNSETTLED, "a stake without its line", "none", "Every stake is settled by its own line.")
            return
        if self.hands and self.what not in EXPOSED:
            sentence = "No hand is turned up with this report."
            yield refusal("not-turned-up-now", "no hands", ", ".join(self.hands), sentence, cite=cite)
        checks = {
            FACE_UP: self._face_up, WRONG_NUMBER: self._wrong_number, SHUFFLER_JAM: self._jam, SHOE_JAM: self._shoe,
            OUT_OF_ORDER: self._device, UNFILLED: self._unfilled, **dict.fromkeys(EXPOSED, self._exposed),
        }  # fmt: skip
        if self.what in checks:
            yield from checks[self.what](table, cite)

    def _shoe(self, table: Table, cite: str) -> Iterator[Finding]:
        if table.dealing != SHOE:
            yield refusal("no-shoe", "an automated shoe", table.dealing, "No automated shoe is in use.", cite=cite)

    def _face_up(self, table: Table, cite: str) -> Iterator[Finding]:
        if self.count < 1:
            yield refusal("count", "1 or more", self.count, "Say how many cards were found face up.", cite=cite)
        if table.source != VIRTUAL:
            hand, problems = key_in(self.cards, table.playing.left_deck, cite)
            yield from problems
            if not problems and len(hand) != self.count:
                sentence = "Key in the cards found face up."
                yield refusal("card-count", f"{self.count} cards", len(hand), sentence, cite=cite)

    def _wrong_number(self, table: Table, cite: str) -> Iterator[Finding]:
        if self.seat is not None and self.seat not in table.playing.wagers:
            yield refusal("seat-number", "a seat in the round", self.seat, f"Seat {self.seat} has no hand.", cite=cite)
        if table.phase == Phase.SETTLING and any(line.from_meter for line in table.playing.lines):
            sentence = "A jackpot of this round has been paid."
            yield refusal("jackpot-paid", "no jackpot paid yet", "a jackpot", sentence, cite=cite)

    def _exposed(self, table: Table, cite: str) -> Iterator[Finding]:
        """Some chapters void only while decisions are open; afterwards an exposed card changes nothing."""
        procedure, place = procedure_of(table, self.what), EXPOSED[self.what]
        assert procedure is not None
        if procedure.when and table.phase == Phase.REVEALING and not decisions_open(table):
            sentence = "Every player has decided; the exposed card changes nothing any more."
            yield refusal("decisions-made", procedure.when, "every decision made", sentence, cite=cite)
        in_deck = table.phase != Phase.DEALING and undealt(table, place)
        open_by_now = len(table.playing.hand(place)) <= open_cards(table).get(place, 0)
        if not in_deck and (place not in table.playing.covered if table.physical else open_by_now):
            sentence = f"No {place} card lies face down."
            yield refusal(f"no-{place}-card", f"a {place} card that lies face down", "none", sentence, cite=cite)
            return
        yield from self._stands(table).findings(cite)

    def _jam(self, table: Table, cite: str) -> Iterator[Finding]:
        if table.shuffling != "device":
            yield refusal("no-shuffler", "a shuffler in use", "none", "No shuffling device is in use.", cite=cite)
        elif table.in_round and len(table.decks) < 2:
            sentence = "No deck is being shuffled."
            yield refusal("nothing-shuffling", "a deck in the shuffler", "none", sentence, cite=cite)

    def _device(self, table: Table, cite: str) -> Iterator[Finding]:
        submission = submission_of(table)
        used = {SHUFFLER: submission.shuffler.used, SHOE: submission.dealing == SHOE}
        known = [device for device in used if used[device]]
        if self.device not in known:
            found = self.device or "none"
            sentence = f"There is no device {self.device!r} at this table."
            yield refusal("unknown-device", " or ".join(known) or "a device in use", found, sentence, cite=cite)
        elif self.device in table.failed:
            sentence = f"{self.device} is out of order."
            yield refusal("failed-already", "a working device", self.device, sentence, cite=cite)
        elif self.device == SHOE and table.in_round:
            sentence = "Report the jam of the shoe first; the round is void."
            yield refusal("round-in-play", "no round", "a round", sentence, cite=cite)

    def _unfilled(self, table: Table, cite: str) -> Iterator[Finding]:
        if not cards_short(table):
            sentence = "The stub can fill every exchange."
            yield refusal("stub-suffices", "a stub too small", "enough cards", sentence, cite=cite)

    def events(self, table: Table, desk: Desk) -> Iterator[Event]:
        act = WRONG_NUMBER if self.what == UNFILLED else self.what
        cite = cite_of(table, act)
        reported = IrregularityReported(
            what=self.what, seat=self.seat, device=self.device, note=self.note, hands=self.hands
        )
        yield Event(reported, (cite,))
        match self.what:
            case "card-face-up-in-shoe":
                yield from self._discard_face_up(table, desk, cite)
            case "card-drawn-in-error":
                yield Event(CardDrawnByMistake(), (cite,))
            case "dealer-card-exposed" | "community-card-exposed":
                yield from self._void_exposed(table, desk, cite)
            case "shuffler-jam":
                deck = table.other_deck if table.in_round else table.active
                phase = None if table.in_round else Phase.SHUFFLING
                yield Event(ShuffleFailed(deck=deck, phase=phase), (cite,))
            case "device-out-of-order":
                yield Event(DeviceFailed(device=self.device), (cite,))
            case _:
                yield from voided(table, desk, act, self._reason())

    def _reason(self) -> str:
        whose = f"seat {self.seat}" if self.seat else "the dealer"
        return {
            WRONG_NUMBER: f"{whose} was dealt a wrong number of cards",
            SHOE_JAM: "the automated shoe jammed",
            UNFILLED: "the stub cannot fill every exchange",
            UNSETTLED: "a stake could not be settled",
        }[self.what]

    def _discard_face_up(self, table: Table, desk: Desk, cite: str) -> Iterator[Event]:
        play = table.playing
        if table.source == VIRTUAL:
            cards = from_deck(table, desk, min(self.count, play.in_deck))
        else:
            cards = key_in(self.cards, play.left_deck)[0]
        yield Event(CardFoundFaceUp(cards=show_cards(cards)), (cite,))
        if len(play.unused) + len(cards) > 1:
            found = replace(
                table, play=replace(play, unused=(*play.unused, *cards), left_deck=(*play.left_deck, *cards))
            )
            yield from voided(found, desk, FACE_UP, "more than one card was found face up")

    def _stands(self, table: Table) -> StandingWagers:
        """Where the law lets optional wagers stand they are settled as if their hands had been folded."""
        procedure, play = procedure_of(table, self.what), table.playing
        stand = _standing(procedure.remedy) if procedure is not None else frozenset()
        if table.phase == Phase.DEALING and len(play.dealt) < len(slots_of(table, play)):
            stand = frozenset()  # hands without all their cards cannot be settled
        return StandingWagers(table, stand, self.hands)

    def _void_exposed(self, table: Table, desk: Desk, cite: str) -> Iterator[Event]:
        standing = self._stands(table)
        events = tuple(standing.events(cite))
        yield from events
        shown = apply_all(table, (event for event in events if isinstance(event.fact, CardsShown)))
        yield from voided(shown, desk, self.what, f"a {EXPOSED[self.what]} card was exposed", stand=standing.wagers)


def _standing(remedies: tuple[str, ...]) -> frozenset[str]:
    """Wagers that a remedy of the chapter has settled all the same: ``settle: one, another``."""
    named = (remedy.removeprefix("settle: ") for remedy in remedies if remedy.startswith("settle: "))
    return frozenset(name for listed in named for name in listed.split(", "))


@command("cover_device", frozenset(Phase) - {Phase.CLOSED}, OUT_OF_ORDER)
class CoverDevice(Command):
    """Cover a device that is out of order, or put a sign on it."""

    device: str
    how: str = "cover"

    def findings(self, table: Table, desk: Desk) -> Iterator[Finding]:  # noqa: ARG002
        if self.device not in table.failed:
            sentence = f"{self.device} is not out of order."
            expected = ", ".join(table.failed) or "a device out of order"
            yield self.refusal(table, "device-works", expected, self.device, sentence)
        if self.how not in ("cover", "sign"):
            yield self.refusal(table, "how", "cover or sign", self.how, "Cover the device or sign it.")

    def events(self, table: Table, desk: Desk) -> Iterator[Event]:  # noqa: ARG002
        yield Event(DeviceCovered(device=self.device, how=self.how), (cite_of(table, self.act),))


@command("change_method", BETWEEN_ROUNDS | {Phase.OPENING, Phase.IDLE}, OUT_OF_ORDER)
class ChangeMethod(Command):
    """Shuffle or deal another way while a device is out of order."""

    dealing: str = ""
    shuffling: str = ""

    def _wanted(self, table: Table) -> tuple[str, str]:
        return self.dealing or table.dealing, self.shuffling or table.shuffling

    def findings(self, table: Table, desk: Desk) -> Iterator[Finding]:  # noqa: ARG002
        dealing, shuffling = self._wanted(table)
        cite = cite_of(table, self.act)
        devices = rules_at(table).chapter.devices(rules_at(table).as_of)
        if dealing not in devices or shuffling not in ("device", "hand"):
            found = f"{dealing}; {shuffling}"
            sentence = "There is no such method."
            expected = f"dealing {', '.join(devices)}; shuffling device or hand"
            yield refusal("method", expected, found, sentence, cite=cite)
            return
        if dealing == SHOE != submission_of(table).dealing:
            sentence = "The submission names no automated shoe."
            yield refusal("unknown-device", "a manual shoe or the hand", SHOE, sentence, cite=cite)
            return
        changed = [
            device
            for device, differs in ((SHUFFLER, shuffling != table.shuffling), (SHOE, dealing != table.dealing))
            if differs
        ]
        if SHUFFLER in changed and dealing != table.dealing and table.dealing != SHOE:
            changed.remove(SHOE)  # dealing from the hand ends with the shuffler it depends on
        for device in changed:
            if device not in table.failed:
                sentence = f"The {device} is not out of order; the submission's method stands."
                yield refusal("device-works", f"the {device} out of order", "in order", sentence, cite=cite)
            elif device not in table.covered:
                sentence = f"The {device} is covered or signed as out of order before another method is used."
                yield refusal("not-covered", "covered or with a sign", "neither", sentence, cite=cite)
        if not changed:
            yield refusal("no-change", "another method", "the same", "That is the method in use.", cite=cite)
        if dealing == shuffling == "hand" and (cite := cite_of(replace(table, dealing="hand"), FROM_HAND)):
            sentence = "Cards are dealt from the hand only if a device shuffles them; deal from a shoe."
            yield refusal("shuffler-required", "an automated shuffling device", "none", sentence, cite=cite)

    def events(self, table: Table, desk: Desk) -> Iterator[Event]:  # noqa: ARG002
        dealing, shuffling = self._wanted(table)
        yield Event(MethodChanged(dealing=dealing, shuffling=shuffling), (cite_of(table, self.act),))
        if table.decks and table.phase in BETWEEN_ROUNDS:
            extra = [name for name in table.decks if name != table.active] if shuffling == "hand" else []
            for name in extra:
                removed = DeckRemoved(deck=name, reason="two decks need a shuffling device")
                yield Event(removed, (rules_at(table).figure_cite("decks_with_shuffler"),))
            yield Event(ShuffleOrdered(deck=table.active, reason="method changed", phase=Phase.SHUFFLING))


@command("repair_device", BETWEEN_ROUNDS | {Phase.OPENING, Phase.IDLE}, OUT_OF_ORDER)
class RepairDevice(Command):
    """The device works again; the submission's methods are used again."""

    device: str

    def findings(self, table: Table, desk: Desk) -> Iterator[Finding]:  # noqa: ARG002
        if self.device not in table.failed:
            yield refusal("device-works", "a device out of order", self.device, f"{self.device} works.")

    def events(self, table: Table, desk: Desk) -> Iterator[Event]:  # noqa: ARG002
        submission = submission_of(table)
        still = [device for device in table.failed if device != self.device]
        dealing = table.dealing if SHOE in still else submission.dealing
        shuffling = table.shuffling if SHUFFLER in still else "device" if submission.shuffler.used else "hand"
        if dealing == shuffling == "hand" and cite_of(replace(table, dealing="hand"), FROM_HAND):
            dealing = table.dealing
        yield Event(DeviceRepaired(device=self.device, dealing=dealing, shuffling=shuffling))
        if table.decks and table.phase in BETWEEN_ROUNDS:
            yield Event(ShuffleOrdered(deck=table.active, reason="method changed", phase=Phase.SHUFFLING))
