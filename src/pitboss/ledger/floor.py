"""The floor: every table of the house now, redacted for the viewer."""

import json
import threading
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from pitboss.findings import UnreadableError
from pitboss.games.settlement import Turn
from pitboss.ledger import queries
from pitboss.ledger.desk import LedgerDesk
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.meters import RESERVE, displayed, in_books, known_meters, known_settings, standing_meter
from pitboss.ledger.people import Person
from pitboss.ledger.recall import seats_of
from pitboss.ledger.replay import round_of
from pitboss.ledger.store import HOUSE_STREAM, Reading, Recorded, Store
from pitboss.ledger.watch import Clock
from pitboss.meters import UNITS_PER_CENT
from pitboss.money import Cents
from pitboss.records import replace
from pitboss.table.codec import decode
from pitboss.table.events import meter_account, player_account
from pitboss.table.fold import apply
from pitboss.table.guide import Step, next_step
from pitboss.table.kinds.house import TableOpened
from pitboss.table.kinds.seats import SeatLeft, SeatTaken
from pitboss.table.redaction import is_patron, redacted
from pitboss.table.roles import Role
from pitboss.table.source import Randomness, SystemRandomness
from pitboss.table.state import Phase, Table
from pitboss.table.turning import SETTLED_IN
from pitboss.table.turns import ready_turns
from pitboss.table.view import own_seats


class NoTableError(LedgerError):
    """A table that the house does not have."""


@dataclass(frozen=True)
class Standing:
    """A table at one head of the chain, with the step that it waits for."""

    table: Table
    step: Step | None
    head: int


@dataclass(frozen=True)
class TableSight(Standing):
    """A table as somebody sees it: with his chips, if he plays, and what the meters of the table show."""

    chips: Cents
    meters: Mapping[str, Mapping[str, Cents]]
    """By the names that the rules give them."""


@dataclass(frozen=True)
class Kept:
    """A table in memory: folded up to ``seq``, and known to be current when the chain stood at ``head``."""

    table: Table
    seq: int
    head: int


class Floor:
    """All tables and meters of a house, looked at; safe between threads."""

    def __init__(self, store: Store, clock: Clock, randomness: Randomness | None = None) -> None:
        self.store = store
        self.clock = clock
        self.randomness = randomness or SystemRandomness()
        self._tables: dict[str, Kept] = {}
        self._openings: dict[str, tuple[int, TableOpened | None]] = {}
        self.changed = threading.Condition()

    def table(self, table_id: str) -> Table:
        """Return the current state of a table. Raise if it was never opened."""
        with self.store.reading() as reading:
            return self._known(reading, table_id)

    def _known(self, reading: Reading, table_id: str) -> Table:
        check_name(table_id)
        table = self.fold(reading, table_id)
        if not table.events:
            raise NoTableError(f"There is no table {table_id!r}.")
        return table

    def tables(self) -> tuple[Table, ...]:
        with self.store.reading() as reading:
            return tuple(self.fold(reading, stream) for stream in reading.streams() if stream != HOUSE_STREAM)

    def fold(self, reading: Reading, table_id: str) -> Table:
        """From memory as far as it goes, else from the last snapshot, with the events since."""
        kept = self._tables.get(table_id)
        if kept is not None and kept.head == reading.head.seq:
            return kept.table
        if kept is None or kept.head > reading.head.seq:
            stored = reading.snapshot(table_id)
            kept = Kept(decode(Table, json.loads(stored[1])), stored[0], 0) if stored else Kept(Table(table_id), 0, 0)
        table, seq = kept.table, kept.seq
        for event in reading.events(table_id, after=seq):
            table, seq = apply(table, event.fact), event.seq
        self.keep(table_id, Kept(table, seq, reading.head.seq))
        return table

    def opening(self, table: Table) -> TableOpened | None:
        """Return how a table was last opened: its game, submission, cards and meters, also after it was closed."""
        events, known = self._openings.get(table.id, (-1, None))
        if events != table.events:
            with self.store.reading() as reading:
                last = reading.latest(TableOpened, table.id)
                known = None if last is None else last.of(TableOpened)
            self._openings[table.id] = table.events, known
        return known

    def chips_at(self, table_id: str, player: str) -> Cents:
        """Return the chips of a player at one table: those brought there by a patron who plays nowhere else, and what
        was bought, won and lost there since the player sat down."""
        account = player_account(player)
        elsewhere = any(player in table.homes for table in self.tables() if table.id != table_id)
        with self.store.reading() as reading:
            since = 0
            for event in reading.events(table_id, kinds=(SeatTaken, SeatLeft)):
                match event.fact:
                    case SeatTaken(player=who) if who == player:
                        since = since or event.seq
                    case SeatLeft(player=who) if who == player:
                        since = 0
            before = None if elsewhere else reading.row(queries.BALANCE_BEFORE, account=account, before=since)
            moved = reading.moved_at(account, table_id, since)
        brought = int(before[0]) if before is not None else 0
        return max(0, brought + moved) // UNITS_PER_CENT

    def standing(self, table_id: str, who: Person) -> Standing:
        """A table, what it waits for and the head of the chain, all of one moment."""
        with self.store.reading() as reading:
            return self._standing(reading, table_id, who)

    def _standing(self, reading: Reading, table_id: str, who: Person) -> Standing:
        table = self._known(reading, table_id)
        desk = LedgerDesk(reading, self.clock(), who.id, who.role, self.randomness)
        return Standing(table, next_step(table, desk), reading.head.seq)

    def look(self, table_id: str, who: Person) -> TableSight:
        """What somebody at a table has before him, all of one moment."""
        with self.store.reading() as reading:
            standing = self._standing(reading, table_id, who)
            chips = reading.balance(player_account(who.id)) // UNITS_PER_CENT if who.role == Role.PLAYER else 0
            found = {name: standing_meter(reading, meter) for name, meter in standing.table.meters.items()}
        meters = {name: displayed(meter)["amounts"] for name, meter in found.items() if meter is not None}
        return TableSight(standing.table, standing.step, standing.head, chips, meters)

    def turns(self, table_id: str, who: Person) -> tuple[tuple[Turn, ...], Turn | None]:
        """The turns of a settlement that can be settled now, and the one that waits for something, if one does."""
        with self.store.reading() as reading:
            table = self._known(reading, table_id)
            if table.phase not in SETTLED_IN:
                return (), None
            return ready_turns(table, LedgerDesk(reading, self.clock(), who.id, who.role, self.randomness))

    def news(self, who: Person, table_id: str, after: int, limit: int = 500) -> list[dict[str, Any]]:
        """Events of a table after a sequence number, as this person may see them."""
        with self.store.reading() as reading:
            table = self.fold(reading, table_id)
            recorded = reading.events(table_id, after=after, limit=limit)
            live = table.play.number if table.play is not None else 0
            past = {event.round for event in recorded} - {live} if is_patron(who) else ()
            seats = {number: seats_of(reading, table_id, number, who.id) for number in past}
        seats[live] = own_seats(table, who.id)
        return [shown_event(e, who, seats.get(e.round, frozenset()), live=e.round == live) for e in recorded]

    def meters(self) -> dict[str, dict[str, Any]]:
        """Every meter as its sign shows it, with the tables that play for it."""
        tables = self.tables()
        with self.store.reading() as reading:
            return {
                meter: {
                    **settings,
                    **displayed(in_books(reading, meter, settings)),
                    "tables": [t.id for t in tables if t.phase != Phase.CLOSED and meter in t.meters.values()],
                }
                for meter, settings in known_meters(reading).items()
            }

    def meter_history(self, meter: str, after: int = 0, limit: int = 500) -> list[dict[str, Any]]:
        """Every movement on a meter, in order."""
        with self.store.reading() as reading:
            settings = known_settings(reading, meter)
            if settings is None:
                raise NoTableError(f"There is no meter {meter!r}.")
            found = []
            for tier in (*settings["seed"], RESERVE):
                history = reading.entries(meter_account(meter, tier), after, limit)
                found += [{"jackpot": tier, **asdict(posting)} for posting in history]
        return sorted(found, key=lambda posting: (posting["seq"], posting["line"]))[:limit]

    def keep(self, table_id: str, kept: Kept) -> None:
        """Remember a table as it stood at one head of the chain; never an older one in place of a newer."""
        with self.changed:
            before = self._tables.get(table_id)
            if before is None or before.head <= kept.head:
                self._tables[table_id] = kept

    def announce(self) -> None:
        with self.changed:
            self.changed.notify_all()

    def redacted_for(self, after: Table, before: Table, recorded: Iterable[Recorded], who: Person) -> dict[str, Any]:
        mine = own_seats(after, who.id) | own_seats(before, who.id)
        events = [shown_event(event, who, mine, live=after.play is not None) for event in recorded]
        return {"ok": True, "table": after.id, "phase": str(after.phase), "round": round_of(after), "events": events}


def shown_event(event: Recorded, who: Person, seats: frozenset[int], *, live: bool) -> dict[str, Any]:
    """Return an event as JSON for a person who has or had these seats in its round.

    While the round lasts, cards that lie face down stay hidden; a player learns nothing of other patrons. The salt
    comes only with the whole event, or what is left out could be found by trying: and where there is none, there is no
    hash either.
    """
    seen = redacted(event, who, seats, live=live)
    told = event if seen is None else seen
    if is_patron(who) and event.actor != who.id:
        told = replace(told, request="", actor="" if event.role == str(Role.PLAYER) else event.actor)
    shown = told.as_dict()
    if seen is None:
        shown |= {"data": {}, "entries": []}
    if seen is None or (told is not event and told != event):
        shown["salt"] = ""
    if not event.salt and (live or is_patron(who)):
        shown["hash"] = ""
    return shown


def check_name(name: str) -> None:
    """Table and meter names go into accounts and addresses."""
    plain = name.replace("-", "").replace("_", "")
    if not (plain.isascii() and plain.isalnum() and name == name.lower() and len(name) <= 60):
        raise UnreadableError(f"{name!r} is not a valid name: use lower-case letters, digits and hyphens, at most 60.")
