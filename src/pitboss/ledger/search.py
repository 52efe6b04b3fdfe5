"""Finding a round: by table, number, player, seat or time, among those that somebody may look at."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

from pitboss.findings import UnreadableError
from pitboss.ledger.people import Person
from pitboss.ledger.recall import ENDS, RoundSummary, may_look, players_among
from pitboss.ledger.rows import EPOCH, Recorded, shown_time
from pitboss.ledger.store import Reading, Store
from pitboss.table.discretion import concerns
from pitboss.table.events import player_account
from pitboss.table.roles import Role

MOST: Final = 50
MOST_SEARCHED: Final = 2_000
"""Rounds that a search looks at before it gives up; a narrower question reaches farther back."""
TOLD: Final = ("bets.closed", "wager.placed", *ENDS)


@dataclass(frozen=True)
class Wanted:
    """What is asked for; what is empty does not matter. Times are microseconds since 1970."""

    table: str = ""
    number: int = 0
    player: str = ""
    seat: int = 0
    since: int | None = None
    until: int | None = None


@dataclass(frozen=True)
class Found(RoundSummary):
    """One line in the list of rounds, with who played."""

    seats: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True)
class RoundsFound:
    """The rounds found, newest first; ``more`` where the search ended before the beginning of the ledger."""

    rounds: tuple[Found, ...]
    more: bool = False


def moment(text: str) -> int | None:
    """Microseconds since 1970 of a time as a page sends it, in UTC; none for an empty text.

    >>> moment("2026-03-02T18:30"), moment("")
    (1772476200000000, None)
    """
    if not text.strip():
        return None
    try:
        at = datetime.fromisoformat(text.strip())
    except ValueError:
        raise UnreadableError(f"{text[:40]!r} is not a time: write it like 2026-03-02T18:30.") from None
    since = (at if at.tzinfo else at.replace(tzinfo=UTC)) - EPOCH
    return (since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds


def find(store: Store, wanted: Wanted, who: Person | None = None, most: int = MOST) -> RoundsFound:
    """The newest rounds that fit and that this person may look at; without a person, for the house itself."""
    found: list[Found] = []
    with store.reading() as reading:
        for searched, (table, number) in enumerate(_candidates(reading, wanted, who), 1):
            events = reading.events(table, round=number, kinds=TOLD)
            line = found_round(events, who)
            if line is not None and _fits(line, wanted) and (who is None or may_look(who, events)):
                found.append(line)
            if len(found) >= most or searched >= MOST_SEARCHED:
                return RoundsFound(tuple(found), more=True)
    return RoundsFound(tuple(found))


def found_round(events: Sequence[Recorded], who: Person | None) -> Found | None:
    """One line about a round; nothing about one for which the bets were never closed. A player reads of himself."""
    closed = next((event for event in events if event.kind == "bets.closed"), None)
    if closed is None:
        return None
    end = next((event for event in events if event.kind in ENDS), None)
    seats = {seat: player for seat, player in players_among(events).items() if who is None or concerns(who, player)}
    made = end.data.get("totals", {}) if end is not None else {}
    totals = {int(seat): net for seat, net in made.items() if int(seat) in seats}
    state = ENDS[end.kind] if end is not None else "in play"
    note = str(end.data["reason"]) if end is not None and state == "void" else ""
    return Found(closed.stream, closed.round, state, shown_time(closed.at), totals, note, dict(sorted(seats.items())))


def _fits(line: Found, wanted: Wanted) -> bool:
    """The player at that seat, or whoever sits there, or the player at any seat."""
    players = {line.seats.get(wanted.seat)} if wanted.seat else set(line.seats.values())
    return wanted.player in players if wanted.player else not wanted.seat or wanted.seat in line.seats


def _candidates(reading: Reading, wanted: Wanted, who: Person | None) -> Iterator[tuple[str, int]]:
    """Rounds that might fit, newest first, through an index in each case."""
    if wanted.table and wanted.number:
        yield wanted.table, wanted.number
        return
    first = 1 if wanted.since is None else seq_at(reading, wanted.since)
    last = reading.head.seq if wanted.until is None else seq_at(reading, wanted.until + 1) - 1
    player = who.id if who is not None and who.role == Role.PLAYER else wanted.player
    values: tuple[str | int, ...]
    if player:
        query = "SELECT stream, round FROM entries WHERE account = ? AND seq >= ? AND seq <= ?{more} "
        query += "GROUP BY stream, round ORDER BY max(seq) DESC LIMIT ?"
        values = (player_account(player), first, last)
    else:
        query = "SELECT stream, round FROM events WHERE kind = ? AND seq >= ? AND seq <= ?{more} "
        query += "ORDER BY seq DESC LIMIT ?"
        values = ("bets.closed", first, last)
    more = ""
    for column, value in (("stream", wanted.table), ("round", wanted.number)):
        if value:
            more, values = f"{more} AND {column} = ?", (*values, value)
    text = query.replace("{more}", more)
    spelled = text if reading.connection.dialect.name == "sqlite" else text.replace("?", "%s")
    found = reading.connection.exec_driver_sql(spelled, (*values, MOST_SEARCHED)).fetchall()
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
