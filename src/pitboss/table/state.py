"""The state of a table: the result of folding its events. Nothing here decides anything."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from pitboss.cards import DECK, Card, Hand, show_cards
from pitboss.games.round import DECISION, LAST, THEN, Decision, Round, Seat, own_place
from pitboss.games.settlement import Line, SettledWager
from pitboss.law.model import Face
from pitboss.money import Cents
from pitboss.records import kept, replace


class Phase(StrEnum):
    """Where a table is in its day and in its round."""

    CLOSED = "closed"
    OPENING = "opening"
    """Decks are being received and inspected."""
    IDLE = "idle"
    """Open, no gaming activity, the cards spread out."""
    SHUFFLING = "shuffling"
    CUTTING = "cutting"
    WAGERING = "wagering"
    COUNTING = "counting"
    """After "no more bets": progressive chips are collected and counted."""
    DEALING = "dealing"
    STUB = "stub"
    DECIDING = "deciding"
    LOCKED = "locked"
    """All decisions are locked in; wagers that do not wait for the draw are settled."""
    DRAWING = "drawing"
    REVEALING = "revealing"
    """Everybody who is asked has decided; forfeited wagers are collected, then cards are turned up."""
    SETTLING = "settling"
    COLLECTING = "collecting"
    """Everything is settled; the cards are collected."""
    DECK_COUNT = "deck count"


BETWEEN_ROUNDS = frozenset({Phase.SHUFFLING, Phase.CUTTING, Phase.WAGERING})
"""Players place wagers while the dealer makes the cards ready."""
IN_ROUND = frozenset(
    {
        Phase.COUNTING, Phase.DEALING, Phase.STUB, Phase.DECIDING, Phase.LOCKED, Phase.DRAWING, Phase.REVEALING,
        Phase.SETTLING, Phase.COLLECTING,
    }
)  # fmt: skip

VIRTUAL, KEYED, PHYSICAL = "virtual", "keyed", "physical"
SOURCES = (VIRTUAL, KEYED, PHYSICAL)
"""Where cards come from: the software's own deck; a shoe that reads every card as it leaves; a deck of which nobody
knows a card before it is turned up."""

CHIP_LIMIT = 1_000_000
"""Cents in one act without a pit manager, where the opening of the table sets nothing else: $10,000."""

OPENING_STEPS = ("inspected", "verified", "spread", "viewed", "washed")
"""Section .4, in order."""
SHUFFLER = "shuffler"
DICE = "dice"
"""The name under which dice or a wheel are kept, where a game of cards has its decks."""
SHOE = "automated-shoe"


@dataclass(frozen=True)
class Deck:
    """One deck of cards at the table, known by the colour of its backs."""

    received: int
    steps: tuple[str, ...] = ()
    inspected_by: str = ""
    shuffled: str = ""
    """``hand``, ``device`` or ``preshuffled``; empty while the order of the cards is not random."""
    commitment: str = ""
    cuts: tuple[int, ...] = ()


@dataclass(frozen=True)
class Dealt:
    """One card on the layout."""

    card: Card | None
    """None while it lies face down and nobody, the software included, knows it."""
    to: str
    face_up: bool


@dataclass(frozen=True, kw_only=True)
class Settled(SettledWager):
    """One settled line, with the part of the settlement and the seat at whose turn it was settled."""

    stage: str
    turn: int
    abandoned: bool = False
    face_down: bool = False
    """Whether it was settled by cards that nobody has turned up: only a win shows them."""

    def line(self) -> Line:
        return Line(**{name: getattr(self, name) for name in SettledWager.__dataclass_fields__})


@dataclass(frozen=True)
class Carried:
    """A wager that lives on from an earlier round."""

    stake: Cents
    player: str
    earlier: tuple[Face, ...]
    """What was thrown for it since it was made."""
    decisions: dict[str, Decision] = field(default_factory=dict)


@dataclass(frozen=True)
class LiveRound:
    """One round in progress."""

    number: int
    wagers: dict[int, dict[str, Cents]] = field(default_factory=dict)
    """What was accepted before the cards, by seat and wager."""
    players: dict[int, str] = field(default_factory=dict)
    """Who made them: they are paid even if they have left."""
    collected: tuple[str, ...] = ()
    """Wagers whose chips went into the table inventory before the deal: progressive and electronic ones."""
    dealt: tuple[Dealt, ...] = ()
    dice: tuple[Face, ...] = ()
    called: bool = False
    """Whether the dealer keyed in what was thrown and nothing has happened in the round since: it can be corrected."""
    unused: tuple[Card, ...] = ()
    """Cards found face up and put into the discard rack."""
    left_deck: tuple[Card, ...] = ()
    """Every known card that has left the deck, in order."""
    keyed: tuple[Card, ...] = ()
    """Cards keyed in since the last other act of the round: each can still be corrected."""
    pending_card: bool = False
    """A card drawn in error lies face down and is the next card."""
    decisions: dict[int, dict[str, Decision]] = field(default_factory=dict)
    """What was chosen, by seat and by step of the course."""
    earlier: dict[int, dict[str, tuple[Face, ...]]] = field(default_factory=dict)
    """What was thrown in earlier rounds, by seat and wager, for wagers that live on."""
    ruled: dict[int, tuple[str, ...]] = field(default_factory=dict)
    """Steps at which a floorperson has ruled on the choice of a seat, which its hand did not allow."""
    declared: tuple[int, ...] | None = None
    """Seats whose player declared a winning hand; None where the cards are known and nobody has to."""
    drew: dict[int, int] = field(default_factory=dict)
    """Seats that were dealt cards which nobody else saw, each with how many."""
    last: dict[int, Hand] = field(default_factory=dict)
    """The last hands of these seats, as they were turned up."""
    locked: tuple[str, ...] = ()
    """Steps whose decisions were locked in."""
    lines: tuple[Settled, ...] = ()
    absent: dict[int, int] = field(default_factory=dict)
    """Seats whose wagers were abandoned, with the number of lines settled before."""
    left: tuple[int, ...] = ()
    """Seats whose player has left the table during the round."""
    validated: tuple[str, ...] = ()
    paperwork: bool = False
    """Whether cards must stay on the table until jackpot documents are complete."""
    turned: int = 0
    """How often cards have been turned up."""
    magic_card: Card | None = None
    lucky_position: str = ""
    stub_placed: bool = False
    dealer: str = ""
    """Who announced "no more bets"; somebody else validates what is won."""

    def hand(self, to: str) -> Hand:
        return self.hands.get(to, ())

    @property
    def hands(self) -> dict[str, Hand]:
        """The known cards of each place, in the order in which places were dealt to."""
        return kept(self, "hands", self._hands)

    def _hands(self) -> dict[str, Hand]:
        known = ((place, tuple(card for card in cards if card is not None)) for place, cards in self.places.items())
        return {place: cards for place, cards in known if cards}

    @property
    def places(self) -> dict[str, tuple[Card | None, ...]]:
        """The cards of each place by position; None where a card lies face down and is unknown."""
        return kept(self, "places", self._places)

    def _places(self) -> dict[str, tuple[Card | None, ...]]:
        found: dict[str, list[Card | None]] = {}
        for dealt in self.dealt:
            found.setdefault(dealt.to, []).append(dealt.card)
        return {place: tuple(cards) for place, cards in found.items()}

    @property
    def covered(self) -> dict[str, int]:
        """How many cards of each place lie face down and are unknown; places without any are left out."""
        return kept(self, "covered", self._covered)

    def _covered(self) -> dict[str, int]:
        dealt = {to: n for to, cards in self.places.items() if (n := cards.count(None))}
        return dealt | {own_place(LAST, seat): self.held(seat) for seat in self.drew if seat not in self.last}

    def held(self, seat: int) -> int:
        """How many cards a seat holds after drawing unseen ones: as many as before, or more where it gave up none."""
        gave_up = sum(made.unseen for made in self.decisions.get(seat, {}).values())
        return len(self.places.get(own_place("seat", seat), ())) - gave_up + self.drew[seat]

    @property
    def left_device(self) -> str:
        """The cards that have left the deck, or the dice that were read, as they are written down."""
        return " ".join(map(str, self.dice)) or show_cards(self.left_deck)

    @property
    def in_deck(self) -> int:
        """How many cards have not left the deck."""
        drawn = sum(len(each.drawn) for made in self.decisions.values() for each in made.values())
        return len(DECK) - len(self.dealt) - len(self.unused) - drawn - sum(self.drew.values())

    def staked(self, seat: int) -> dict[str, Cents]:
        return self.wagers.get(seat, {})

    def seat(self, number: int) -> Seat:
        return kept(self, f"seat {number}", lambda: self._seat(number))

    def _seat(self, number: int) -> Seat:
        made, earlier = self.decisions.get(number, {}), self.earlier.get(number, {})
        cards, last = self.hand(f"seat {number}"), self.last.get(number, ())
        declared = self.declared is None or number in self.declared
        return Seat(number, cards, self.staked(number), made, earlier, last, declared)

    def deciding(self, seat: int, step: str, decision: Decision) -> "LiveRound":
        """The round after one more choice."""
        return replace(self, decisions={**self.decisions, seat: {**self.decisions.get(seat, {}), step: decision}})

    def as_round(self) -> Round:
        """The round as the rules of the game know it."""
        return kept(self, "round", self._as_round)

    def _as_round(self) -> Round:
        lucky: int | str | None = int(self.lucky_position) if self.lucky_position.isdigit() else self.lucky_position
        return Round(
            dealer=self.hand("dealer"),
            seats=tuple(self.seat(number) for number in sorted(self.wagers)),
            extras={
                place: cards
                for place, cards in self.hands.items()
                if not place.startswith("seat ") and place not in ("dealer", "discard")
            },
            magic_card=self.magic_card,
            lucky_position=lucky or None,
            dice=self.dice,
            covered={place: count for place, count in self.covered.items() if place != "discard"},
        )

    @staticmethod
    def upgraded(value: Mapping[str, Any]) -> Mapping[str, Any]:
        """A round as earlier versions kept it, when a seat decided once and one hand was turned up."""
        if "revealed" not in value:
            return value
        decisions = {
            seat: decided_before(made) if "choice" in made else made for seat, made in value["decisions"].items()
        }
        kept = {name: item for name, item in value.items() if name != "revealed"}
        locked = [DECISION] if value["locked"] else []
        return {**kept, "decisions": decisions, "locked": locked, "turned": int(value["revealed"])}


def decided_before(made: Mapping[str, Any]) -> dict[str, Any]:
    """Decisions by step from the one record that earlier versions wrote, with what was decided ``then``."""
    first = {"choice": made["choice"], "discard": made["discard"], "drawn": made["drawn"]}
    if made["then"] is None:
        return {DECISION: {**first, "amount": made["amount"]}}
    return {DECISION: first, THEN: {"choice": made["then"]}}


@dataclass(frozen=True)
class Table:
    """Everything that is known about one table."""

    id: str
    phase: Phase = Phase.CLOSED
    game: str = ""
    submission: str = ""
    """The Rules Submission, as TOML."""
    as_of: str = ""
    zone: str = ""
    """The time zone of its gaming day; that of the property if empty."""
    source: str = "virtual"
    """One of ``SOURCES``: at a ``keyed`` table every card is keyed in as it is dealt, at a ``physical`` one when it is
    turned up and not before."""
    streets: bool = False
    """Whether a board is dealt street by street; tables opened before the mark existed deal it with the hands."""
    meters: dict[str, str] = field(default_factory=dict)
    """The meters of the rules, each with its name in the house."""
    limits: dict[str, tuple[Cents, ...]] = field(default_factory=dict)
    chip_limit: Cents = CHIP_LIMIT
    """The most that a cashier or floorperson changes or brings in one act; above it a pit manager does."""
    slip_day: str = ""
    last_slip: int = 0
    """The last slip number used on that gaming day."""
    dealing: str = ""
    """How cards are dealt now: the submission's device, or another while it is out of order."""
    shuffling: str = ""
    """``device`` or ``hand``."""
    failed: tuple[str, ...] = ()
    covered: dict[str, str] = field(default_factory=dict)
    """Devices out of order, each with ``cover`` or ``sign``."""
    decks: dict[str, Deck] = field(default_factory=dict)
    active: str = ""
    """The deck in play, or the next one to be."""
    resume: Phase = Phase.WAGERING
    """Where the table goes on after a recut."""
    boxes: dict[int, str] = field(default_factory=dict)
    """Betting positions and who plays them."""
    homes: dict[str, int] = field(default_factory=dict)
    """Where each player sits."""
    rounds: int = 0
    uncounted: int = 0
    """Rounds since the cards were last counted."""
    staged: dict[int, dict[str, Cents]] = field(default_factory=dict)
    """Wagers lying on the layout for the next round."""
    stacks: dict[int, Cents] = field(default_factory=dict)
    """Of these, what is left of the last round to players against each other: it stays as long as its player does."""
    carried: dict[int, dict[str, Carried]] = field(default_factory=dict)
    """Wagers of earlier rounds that live on, by seat; their chips lie on an account of their own between rounds."""
    play: LiveRound | None = None
    events: int = 0
    """How many events the table has seen."""

    @property
    def deck(self) -> Deck | None:
        return self.decks.get(self.active)

    @property
    def other_deck(self) -> str:
        return next((name for name in self.decks if name != self.active), self.active)

    @property
    def playing(self) -> LiveRound:
        """The round in progress, where there must be one."""
        assert self.play is not None
        return self.play

    @property
    def in_round(self) -> bool:
        """From "no more bets" to the end of the round, a recut in between included."""
        return self.play is not None

    @property
    def physical(self) -> bool:
        """Whether cards that lie face down are unknown to everybody, the software included."""
        return self.source == PHYSICAL

    def with_deck(self, name: str, **changes: Any) -> "Table":
        decks = {**self.decks, name: replace(self.decks[name], **changes)}
        return replace(self, decks=decks)

    def with_play(self, **changes: Any) -> "Table":
        return replace(self, play=replace(self.playing, **changes))

    def player_at(self, seat: int) -> str:
        return self.boxes.get(seat, "")
