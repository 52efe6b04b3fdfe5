"""A round taken apart: the table after every event, card by card and line by line, as it can be shown again.

Nothing before the round is folded but what stands still between rounds (seats, decks, limits, devices), so the cost
does not grow with the number of rounds played before.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from pitboss.games.course import Decide
from pitboss.games.round import LAST, THEN, owner
from pitboss.ledger.recall import NoRoundError, RoundStep, seats_among
from pitboss.ledger.rows import Recorded, shown_time
from pitboss.ledger.sentences import tell
from pitboss.ledger.store import Reading, Store
from pitboss.names import shown
from pitboss.table.fold import apply
from pitboss.table.happened import HIDDEN, Eyes, but
from pitboss.table.kinds.cards import CardCorrected, CardsDealt, CardsLaid
from pitboss.table.kinds.chance import ShakerOpened
from pitboss.table.kinds.devices import DeviceCovered, DeviceFailed, DeviceRepaired, MethodChanged
from pitboss.table.kinds.house import LimitsChanged, TableOpened
from pitboss.table.kinds.rounds import RoundEnded
from pitboss.table.kinds.seats import SeatLeft, SeatTaken
from pitboss.table.kinds.settlement import LineSettled
from pitboss.table.kinds.shuffling import DeckRemoved, DecksReceived
from pitboss.table.kinds.wagers import BetsClosed, WagerPlaced
from pitboss.table.redaction import Looking, is_patron, own_part, redacted
from pitboss.table.ruling import before_wagers, is_private, thrown_at
from pitboss.table.state import Phase, Table
from pitboss.table.view import own_seats, view

STANDING: Final = (
    DecksReceived, ShakerOpened, DeckRemoved, SeatTaken, SeatLeft, LimitsChanged, MethodChanged, DeviceFailed,
    DeviceCovered, DeviceRepaired,
)  # fmt: skip
"""What a table keeps from one round to the next."""
EVERY_SEAT: Final = "every seat"
"""Nobody's id: the eye that sees all cards once a round is over."""


@dataclass(frozen=True)
class Frame(RoundStep):
    """One moment of a round: what happened, by whom, and the table right after it."""

    table: Table
    seat: int | None = None
    """The seat that it was about."""


@dataclass(frozen=True)
class Film:
    """All moments of a round in their order. While the round lasts, cards that lie face down stay hidden."""

    table: str
    number: int
    over: bool
    frames: tuple[Frame, ...]
    who: Looking | None = None
    seats: frozenset[int] = frozenset()
    """Where the person wagered."""

    def shown(self, step: int) -> dict[str, Any]:
        """The table at a step: all cards turned up once the round is over, else what lies on the felt for this person.

        When the round is over, only staff sees what lay at all seats.
        """
        table = self.frames[step].table
        if not self.over or (self.who is not None and is_patron(self.who) and table.game and is_private(table)):
            return view(table, _id(self.who))
        shown = turned_up(table)
        return shown if self.who is None else own_part(shown, self.who, self.seats)

    @property
    def fullest(self) -> int:
        """The step to begin with: the last line, or else the last moment at which wagers and cards lie there."""
        settled = [step for step, frame in enumerate(self.frames) if frame.kind == LineSettled.KIND]
        played = [step for step, frame in enumerate(self.frames) if frame.table.play is not None]
        return (settled or played or [len(self.frames) - 1])[-1]


def film(store: Store, table: str, number: int, who: Looking | None = None) -> Film:
    """The round for somebody's eyes; one that nobody wagered on is refused in a sentence."""
    with store.reading() as reading:
        events = reading.events(table, round=number)
        if not any(isinstance(event.fact, WagerPlaced | BetsClosed) for event in events):
            raise NoRoundError(f"There is no round {number} at table {table!r}.")
        before = table_before(reading, table, number, events)
    over = any(isinstance(event.fact, RoundEnded) for event in events)
    seats = seats_among(events, _id(who))
    return Film(table, number, over, tuple(_frames(before, events, who, seats, over=over)), who, seats)


def _id(who: Looking | None) -> str:
    return "" if who is None else who.id


def table_before(reading: Reading, table: str, number: int, events: Sequence[Recorded]) -> Table:
    """The table as far as it can be seen right before a round."""
    first = events[0].seq
    opening = reading.latest(TableOpened, table, until=first - 1)
    found = Table(table, rounds=number - 1)
    if opening is not None:
        found = apply(found, opening.fact)
        for event in reading.rare(table, STANDING, after=opening.seq, before=first):
            found = apply(found, event.fact)
    deck = next((event.fact.deck for event in events if isinstance(event.fact, BetsClosed)), "")
    thrown = opening is not None and thrown_at(found) is not None
    ready = found if opening is None else replace(found, phase=before_wagers(found) if thrown else Phase.SHUFFLING)
    return replace(ready, active=deck) if deck in found.decks else ready


def _frames(
    table: Table, events: Sequence[Recorded], who: Looking | None, seats: frozenset[int], *, over: bool
) -> Iterator[Frame]:
    """What is not the person's business changes the table and has no frame."""
    for event in events:
        fact = event.fact
        if isinstance(fact, CardsLaid) and len(fact.cards) > 1:
            private = isinstance(fact, CardsDealt) and fact.private
            unseen = who is not None and is_patron(who) and private
            yield from _cards(table, event, fact, _id(who), over=over and not unseen)
            table = apply(table, fact)
            continue
        mine = own_seats(table, _id(who))
        table = apply(table, fact)
        seen = redacted(event, who, seats)
        if seen is not None:
            told = seen if over else replace(seen, fact=seen.fact.covered(Eyes(_id(who), mine)))
            at = owner(fact.to) if isinstance(fact, CardCorrected) else getattr(fact, "seat", None)
            yield _frame(event, tell(told), table, at)


def _cards(table: Table, event: Recorded, dealing: CardsLaid, person: str, *, over: bool) -> Iterator[Frame]:
    """One frame for each card; the act as a whole is complete with the last."""
    cards = dealing.cards
    seen = cards if over else dealing.covered(Eyes(person, own_seats(table, person))).cards
    for count in range(1, len(cards) + 1):
        part = but(dealing, cards=cards[:count], phase=dealing.phase if count == len(cards) else None)
        card, to, up = seen[count - 1]
        named = "A card" if card == HIDDEN else card
        sentence = f"{named} to {place(to)}, face {'up' if up else 'down'} (card {count} of {len(cards)})."
        yield _frame(event, sentence, apply(table, part), owner(to))


def decision_name(step: Decide) -> str:
    """A decision in words; the one that has no name but that it follows a draw is called so."""
    return "After the Draw" if step.name == THEN else shown(step.name)


def place(to: str) -> str:
    """Where a card goes, in words.

    >>> place("seat 3"), place("final 3"), place("dealer"), place("extra_card"), place("own_card 3")
    ('seat 3', 'seat 3', 'the dealer', 'the extra card', "seat 3's own card")
    """
    name, _, seat = to.rpartition(" ")
    if not name:
        return f"the {seat.replace('_', ' ')}"
    return f"seat {seat}" if name in ("seat", LAST) else f"seat {seat}'s {name.replace('_', ' ')}"


def _frame(event: Recorded, sentence: str, *after: Any) -> Frame:
    at = shown_time(event.at)
    return Frame(event.seq, at, event.actor, event.role, event.kind, event.cites, sentence, *after)


def turned_up(table: Table) -> dict[str, Any]:
    """A finished round with no card hidden from anybody."""
    play = table.play
    if play is None:
        return view(table, "")
    dealt = tuple(replace(card, face_up=True) for card in play.dealt)
    shown = view(table.with_play(dealt=dealt, players=dict.fromkeys(play.players, EVERY_SEAT)), EVERY_SEAT)
    shown["round"]["players"] = {str(seat): player for seat, player in sorted(play.players.items())}
    return shown
