"""Finding a round: by table, game, number, player, seat, time or what happened, among those that a person may see."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Final

from pitboss.clock import MICROSECONDS, day_begins, days_later
from pitboss.ledger import queries
from pitboss.ledger.people import Person
from pitboss.ledger.recall import IRREGULAR, RoundSummary, may_look, players_among, seats_among
from pitboss.ledger.rows import Recorded, shown_time
from pitboss.ledger.store import Reading, Store
from pitboss.table.events import player_account
from pitboss.table.happened import Happened, names
from pitboss.table.kinds.cards import CardCorrected
from pitboss.table.kinds.chance import DiceCorrected
from pitboss.table.kinds.decisions import ChoiceRuled
from pitboss.table.kinds.house import TableOpened
from pitboss.table.kinds.rounds import ENDINGS, RoundCompleted, RoundEnded, RoundVoided
from pitboss.table.kinds.settlement import PayoutValidated
from pitboss.table.kinds.wagers import BetsClosed, MeterPaid, WagerPlaced
from pitboss.table.redaction import concerns, redacted
from pitboss.table.roles import Role

MOST: Final = 50
MOST_SEARCHED: Final = 2_000
"""Rounds that a search looks at before it gives up; a narrower question reaches farther back."""
LONGEST: Final = 24 * 3600 * MICROSECONDS
"""Longer than any round lasts."""
SUMMARIZED: Final = (BetsClosed, WagerPlaced, *ENDINGS)
"""The kinds of event that a line of the list is made from."""
STATES: Final = (*(kind.STATE for kind in ENDINGS), "in play")
WITH: Final[Mapping[str, tuple[type[Happened], ...]]] = {
    "irregularity": IRREGULAR,
    "correction": (CardCorrected, DiceCorrected),
    "ruling": (ChoiceRuled,),
    "progressive payout": (MeterPaid,),
    "payout slip": (PayoutValidated,),
}
"""What a round can be searched for by something that happened in it, with the events that say so."""
KINDS: Final = (*STATES, *WITH)


@dataclass(frozen=True)
class Wanted:
    """The filters of a search; empty ones match every round. Times are microseconds since 1970.

    ``kind`` is one of ``KINDS``. A round belongs to the time at which its bets were closed.
    """

    table: str = ""
    number: int = 0
    player: str = ""
    seat: int = 0
    since: int | None = None
    until: int | None = None
    game: str = ""
    day: date | None = None
    kind: str = ""

    @property
    def span(self) -> tuple[int | None, int | None]:
        """The first and the last moment that fit both the times and the gaming day."""
        if self.day is None:
            return self.since, self.until
        first, last = day_begins(self.day), day_begins(days_later(self.day, 1)) - 1
        since, until = self.since, self.until
        return max(first, first if since is None else since), min(last, last if until is None else until)


@dataclass(frozen=True)
class Found(RoundSummary):
    """One line in the list of rounds, with its game and who played."""

    seats: Mapping[int, str] = field(default_factory=dict)
    game: str = ""


@dataclass(frozen=True)
class RoundsFound:
    """The rounds found, newest first; ``more`` where the search ended before the beginning of the ledger."""

    rounds: tuple[Found, ...]
    more: bool = False


def find(store: Store, wanted: Wanted, who: Person | None = None, most: int = MOST) -> RoundsFound:
    """The newest rounds that fit and that this person may look at; without a person, for the house itself."""
    found: list[Found] = []
    with store.reading() as reading:
        games = _Games(reading)
        for searched, (table, number) in enumerate(_candidates(reading, wanted, who), 1):
            events = reading.events(table, round=number, kinds=(*SUMMARIZED, *WITH.get(wanted.kind, ())))
            line = found_round(events, who, games)
            if line is not None and _fits(line, wanted, events, who) and (who is None or may_look(who, events)):
                found.append(line)
            if len(found) >= most or searched >= MOST_SEARCHED:
                return RoundsFound(tuple(found), more=True)
    return RoundsFound(tuple(found))


class _Games:
    """The game of a table at an event; asked from the newest event on, so each opening is read once."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._openings: dict[str, tuple[int, str]] = {}

    def at(self, event: Recorded) -> str:
        opened = self._openings.get(event.stream)
        if opened is None or opened[0] > event.seq:
            opening = self._reading.latest(TableOpened, event.stream, until=event.seq)
            opened = (0, "") if opening is None else (opening.seq, opening.of(TableOpened).game)
            self._openings[event.stream] = opened
        return opened[1]


def found_round(events: Sequence[Recorded], who: Person | None, games: _Games) -> Found | None:
    """One line about a round, or ``None`` if its bets were never closed. Players see their own part only."""
    closed = next((event for event in events if isinstance(event.fact, BetsClosed)), None)
    if closed is None:
        return None
    end = next((event.fact for event in events if isinstance(event.fact, RoundEnded)), None)
    seats = {seat: player for seat, player in players_among(events).items() if who is None or concerns(who, player)}
    made = end.totals if isinstance(end, RoundCompleted) else {}
    totals = {int(seat): net for seat, net in made.items() if int(seat) in seats}
    state = end.STATE if end is not None else "in play"
    note = end.reason if isinstance(end, RoundVoided) else ""
    at, game = shown_time(closed.at), games.at(closed)
    return Found(closed.stream, closed.round, state, at, totals, note, dict(sorted(seats.items())), game)


def _fits(line: Found, wanted: Wanted, events: Sequence[Recorded], who: Person | None) -> bool:
    """Whether a round has the player, at the seat if one is given, and the game, the time and the kind."""
    players = {line.seats.get(wanted.seat)} if wanted.seat else set(line.seats.values())
    if (wanted.player and wanted.player not in players) or (wanted.seat and wanted.seat not in line.seats):
        return False
    since, until = wanted.span
    at = next(event.at for event in events if isinstance(event.fact, BetsClosed))
    if wanted.game not in ("", line.game) or (since is not None and at < since) or (until is not None and at > until):
        return False
    if wanted.kind in WITH:
        return _happened(WITH[wanted.kind], events, who)
    return wanted.kind in ("", line.state)


def _happened(kinds: tuple[type[Happened], ...], events: Sequence[Recorded], who: Person | None) -> bool:
    """Whether an event of these kinds is among those that the person may see."""
    seats = frozenset() if who is None else seats_among(events, who.id)
    return any(isinstance(event.fact, kinds) and redacted(event, who, seats) is not None for event in events)


def _candidates(reading: Reading, wanted: Wanted, who: Person | None) -> Iterator[tuple[str, int]]:
    """Rounds that might fit, newest first, each case through an index."""
    if wanted.table and wanted.number:
        yield wanted.table, wanted.number
        return
    player = who.id if who is not None and who.role == Role.PLAYER else wanted.player
    # A wager may be placed before the time in which its round began, and anything may happen after it.
    margin = LONGEST if player or wanted.kind in WITH else 0
    since, until = wanted.span
    first = 1 if since is None else seq_at(reading, since - margin)
    last = reading.head.seq if until is None else seq_at(reading, until + margin + 1) - 1
    kinds = sorted(names(*WITH.get(wanted.kind, (BetsClosed,))))
    statement = queries.newest_rounds(
        kinds=0 if player else len(kinds),
        player=bool(player),
        stream=bool(wanted.table),
        number=bool(wanted.number),
    )
    values = queries.numbered(kinds) | {"account": player_account(player), "stream": wanted.table or ""}
    span = {"first": first, "last": last, "round": wanted.number or 0, "limit": MOST_SEARCHED}
    found = reading.rows(statement, **values, **span)
    yield from ((stream, number) for stream, number in found if stream)


def seq_at(reading: Reading, at: int) -> int:
    """The first event at or after a time, by halving; one past the last, if there is none.

    Times rise with the events but for a clock that was set back, and then a round from around the jump may be missed.
    """
    low, high = 1, reading.head.seq + 1
    while low < high:
        middle = (low + high) // 2
        if reading.events(after=middle - 1, limit=1)[0].at < at:
            low = middle + 1
        else:
            high = middle
    return low
