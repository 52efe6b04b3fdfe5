"""The pit: every table of the house over one ledger. A command is one transaction, recorded whole or not at all."""

import hashlib
import json
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, cast

from pitboss.findings import Finding, FindingsError, UnreadableError
from pitboss.ledger import consent
from pitboss.ledger.accounts import existing, set_disabled
from pitboss.ledger.acknowledging import acknowledge
from pitboss.ledger.audit import OF_ANCHORS
from pitboss.ledger.consent import Proposal
from pitboss.ledger.desk import LedgerDesk
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.meters import (
    Change,
    approved_entries,
    change_findings,
    changed_settings,
    displayed,
    in_books,
    known_meters,
    known_settings,
    opened,
    save_settings,
    settings_of,
    standing_meter,
)
from pitboss.ledger.people import Person
from pitboss.ledger.recall import seats_of
from pitboss.ledger.standing import Sight, Standing
from pitboss.ledger.store import HOUSE_STREAM, Reading, Recorded, Store, Writing
from pitboss.ledger.watch import Clock, Watch, microseconds, steady_microseconds
from pitboss.meters import UNITS_PER_CENT
from pitboss.table.codec import decode, encode
from pitboss.table.command import Command, players_at, read_command, self_dealing, verify
from pitboss.table.dealing import DeckLostError
from pitboss.table.discretion import discreet, is_patron
from pitboss.table.events import Event, canonical, meter_account, player_account
from pitboss.table.fold import apply
from pitboss.table.guide import next_step
from pitboss.table.irregular import WRONG_NUMBER
from pitboss.table.opening import day_of
from pitboss.table.permissions import may, why_not
from pitboss.table.roles import Role
from pitboss.table.ruling import rules_at
from pitboss.table.solvency import money_findings
from pitboss.table.source import Randomness, SystemRandomness
from pitboss.table.state import Phase, Table
from pitboss.table.view import own_seats, seen_event
from pitboss.table.voiding import voided

SNAPSHOT_EVERY = 20
"""Rounds between snapshots; what happened since is folded again at start."""
BEGIN_PLAY = frozenset({"open_table", "wager", "no_more_bets"})
"""Commands that a house closed to play refuses, and the first deal of a round with them."""
OVER = frozenset({"round.completed", "round.voided"})
PERMISSION = "permission"
REOPENING = "table.reopen"


class KeyReusedError(LedgerError):
    """A request key that was used for something else."""


class NoTableError(LedgerError):
    """A table that the house does not have."""


@dataclass(frozen=True)
class Reply:
    """What a command is answered with: a status as in HTTP, and a JSON text that is the same for the same key."""

    status: int
    text: str

    @property
    def body(self) -> dict[str, Any]:
        return dict(json.loads(self.text))

    @property
    def accepted(self) -> bool:
        return self.status == 200


class Pit:
    """All tables and meters of a house, safe between threads."""

    def __init__(
        self,
        store: Store,
        clock: Clock = microseconds,
        randomness: Randomness | None = None,
        steady: Clock = steady_microseconds,
        watch: Watch | None = None,
    ) -> None:
        """``watch``: the clock of all who write in the program, if there are others."""
        self.store = store
        self.clock = clock
        self.randomness = randomness or SystemRandomness()
        self._watch = watch or Watch(clock, steady)
        self._tables: dict[str, _Kept] = {}
        self.changed = threading.Condition()
        self.closed_to_play: tuple[Finding, ...] = ()
        """Why nobody may wager or deal: what the start-up check found."""
        self.start_again: Callable[[], None] | None = None
        """The start that was refused, and is still to be recorded."""
        self._acknowledging = threading.Lock()

    # Commands

    def act(self, table_id: str, body: Mapping[str, Any], who: Person, key: str) -> Reply:
        """Carry out a command once; the same key gets the same answer, whatever has happened since."""
        check_name(table_id)
        check_key(key)
        digest = hashlib.sha256(canonical([table_id, dict(body)]).encode()).hexdigest()
        wanted = read_command(body)
        permission = f"table.{wanted.name}"
        if not may(who.role, permission) and not self.store.refusals.admits(PERMISSION, who.id):
            return _refusal(403, [why_not(who.role, permission)])  # one of too many: nothing is written
        after: Table | None = None
        with self.store.writing() as writing:
            if (before := self._answered(writing, key, digest, who)) is not None:
                return before
            now = self._now(writing)
            table = self._table(writing, table_id)
            desk = LedgerDesk(writing, now, who.id, who.role, self.randomness)
            findings = verify(table, wanted, desk) or self._closed(table, wanted.name)
            act = "" if findings else self._two_people(writing, table, wanted, now)
            events = () if findings or act else _carried_out(table, wanted, desk)
            findings = findings or money_findings(table_id, events, writing.balance)
            if findings:
                reply = self._refused(writing, table_id, wanted.name, findings, who, now)
            elif act:
                reply = self._asked(writing, table, wanted, act, who, now)
            else:
                after, recorded = self._record(writing, table, events, who, now, key)
                reply = Reply(200, canonical(self._told(after, table, recorded, who)))
            writing.remember(key, who.id, digest, reply.status, reply.text, table_id, now)
            head = writing.head.seq
        if after is not None:
            self._keep(table_id, _Kept(after, head, head))
        self._announce()
        return reply

    def _answered(self, writing: Reading, key: str, digest: str, who: Person) -> Reply | None:
        before = writing.answer(key)
        if before is None:
            return None
        if (before.digest, before.actor) != (digest, who.id):
            raise KeyReusedError(f"The request key {key!r} was used for something else; take a new key.")
        return Reply(before.status, before.answer)

    def reasons_to_stop(self) -> tuple[Finding, ...]:
        """Why the house is closed to play; nothing, if it is open."""
        if self.store.anchor.lost and not any(finding.code in OF_ANCHORS for finding in self.closed_to_play):
            found = Finding("anchor", "", "the anchor in its place", "none", self.store.anchor.problem)
            return (*self.closed_to_play, found)
        return self.closed_to_play

    def _closed(self, table: Table, command: str) -> tuple[Finding, ...]:
        """A house that is closed to play begins nothing; rounds in play are finished or void, and chips cashed."""
        undealt = table.play is not None and not table.play.left_deck
        begins = command in BEGIN_PLAY or (command == "deal" and undealt)
        return self.reasons_to_stop() if begins else ()

    def acknowledge(self, reason: str, who: Person) -> Recorded:
        """Somebody takes the state of the anchor upon himself; play goes on if nothing else stands against it."""
        with self._acknowledging:  # a second one would set the new anchor aside
            event = acknowledge(self.store, who, reason, self.clock())
            self.closed_to_play = tuple(finding for finding in self.closed_to_play if finding.code not in OF_ANCHORS)
            if self.start_again is not None:
                self.start_again()
        self._announce()
        return event

    def _two_people(self, reading: Reading, table: Table, wanted: Command, now: int) -> str:
        """The act of two people that a command is, if it is one here and now."""
        act = wanted.two_people(table)
        if act == REOPENING:
            closed = reading.events(table.id, kinds=("table.closed",))
            return act if closed and day_of(closed[-1].at) == day_of(now) else ""
        return act

    def _asked(self, writing: Writing, table: Table, wanted: Command, act: str, who: Person, now: int) -> Reply:
        """A command that waits for a second person: nothing has happened yet at the table."""
        about = {"table": table.id, "round": _round(table), "command": wanted.as_dict()}
        number = consent.ask(writing, act, about, who, now)
        finding = consent.waits(number, act)
        return Reply(202, canonical({"ok": False, "proposal": number, "findings": [finding.as_dict()]}))

    def _refused(
        self, writing: Writing, table: str, command: str, findings: Sequence[Finding], who: Person, now: int
    ) -> Reply:
        status = 422
        if findings[0].code == PERMISSION:
            status = 403
            self.note(writing, now, who, Event("permission.refused", {"command": command, "table": table}))
        return _refusal(status, findings)

    def _record(
        self, writing: Writing, table: Table, events: Sequence[Event], who: Person, now: int, key: str
    ) -> tuple[Table, list[Recorded]]:
        """Append the events, each under its round, and fold them; meters that a table brings along are opened first."""
        recorded: list[Recorded] = []
        waiting: list[Event] = []
        number = _round(table)
        for event in events:
            if event.kind == "table.opened":
                self._open_meters(writing, apply(table, event.kind, event.data), who, now)
            if _round(table) != number:
                recorded += self._append(writing, table.id, waiting, number, who, now, key)
                waiting, number = [], _round(table)
            waiting.append(event)
            table = apply(table, event.kind, event.data)
            if event.kind == "deck.revealed":
                writing.unseal(table.id, event.data["deck"])
        recorded += self._append(writing, table.id, waiting, number, who, now, key)
        self._snapshot(writing, table, recorded)
        return table, recorded

    def _append(
        self, writing: Writing, table: str, events: Sequence[Event], number: int, who: Person, now: int, key: str
    ) -> tuple[Recorded, ...]:
        return writing.append(events, stream=table, round=number, actor=who.id, role=str(who.role), at=now, request=key)

    def _snapshot(self, writing: Writing, table: Table, recorded: Sequence[Recorded]) -> None:
        kinds = {event.kind for event in recorded}
        if kinds & {"table.opened", "table.closed"} or (kinds & OVER and table.rounds % SNAPSHOT_EVERY == 0):
            writing.save_snapshot(table.id, recorded[-1].seq, canonical(encode(table)))

    def _open_meters(self, writing: Writing, table: Table, who: Person, now: int) -> None:
        rules = rules_at(table)
        for name, meter in table.meters.items():
            wanted, known = settings_of(rules, name), known_settings(writing, meter)
            if known is None:
                save_settings(writing, meter, wanted)
                self.note(writing, now, who, opened(meter, wanted))
            elif meter.startswith(f"{table.id}-") and _differs(known, wanted):
                raise FindingsError(
                    [
                        Finding(
                            "meter-differs",
                            wanted["cite"],
                            f"{known['name']} {known['letter']}",
                            f"{wanted['name']} {wanted['letter']}",
                            f"The meter {meter} was opened under another pay table; link the table to another meter.",
                        )
                    ]
                )

    def _told(self, after: Table, before: Table, recorded: Iterable[Recorded], who: Person) -> dict[str, Any]:
        mine = own_seats(after, who.id) | own_seats(before, who.id)
        events = [told(event, who, mine, live=after.play is not None) for event in recorded]
        return {"ok": True, "table": after.id, "phase": str(after.phase), "round": _round(after), "events": events}

    def _keep(self, table_id: str, kept: "_Kept") -> None:
        """Remember a table as it stood at one head of the chain; never an older one in place of a newer."""
        with self.changed:
            before = self._tables.get(table_id)
            if before is None or before.head <= kept.head:
                self._tables[table_id] = kept

    def _announce(self) -> None:
        with self.changed:
            self.changed.notify_all()

    # Looking

    def table(self, table_id: str) -> Table:
        """A table as it stands; one that was never opened is refused."""
        check_name(table_id)
        with self.store.reading() as reading:
            table = self._table(reading, table_id)
        if not table.events:
            raise NoTableError(f"There is no table {table_id!r}.")
        return table

    def tables(self) -> tuple[Table, ...]:
        with self.store.reading() as reading:
            return tuple(self._table(reading, stream) for stream in reading.streams() if stream != HOUSE_STREAM)

    def _table(self, reading: Reading, table_id: str) -> Table:
        """From memory as far as it goes, else from the last snapshot, with the events since."""
        kept = self._tables.get(table_id)
        if kept is not None and kept.head == reading.head.seq:
            return kept.table
        if kept is None or kept.head > reading.head.seq:
            stored = reading.snapshot(table_id)
            kept = _Kept(decode(Table, json.loads(stored[1])), stored[0], 0) if stored else _Kept(Table(table_id), 0, 0)
        table, seq = kept.table, kept.seq
        for event in reading.events(table_id, after=seq):
            table, seq = apply(table, event.kind, event.data), event.seq
        self._keep(table_id, _Kept(table, seq, reading.head.seq))
        return table

    def standing(self, table_id: str, who: Person) -> Standing:
        """A table, what it waits for and the head of the chain, all of one moment."""
        with self.store.reading() as reading:
            return self._standing(reading, table_id, who)

    def _standing(self, reading: Reading, table_id: str, who: Person) -> Standing:
        check_name(table_id)
        table = self._table(reading, table_id)
        if not table.events:
            raise NoTableError(f"There is no table {table_id!r}.")
        # The guide only looks: it seals and writes nothing.
        desk = LedgerDesk(cast(Writing, reading), self.clock(), who.id, who.role, self.randomness)
        return Standing(table, next_step(table, desk), reading.head.seq)

    def look(self, table_id: str, who: Person) -> Sight:
        """What somebody at a table has before him, all of one moment."""
        with self.store.reading() as reading:
            standing = self._standing(reading, table_id, who)
            chips = reading.balance(player_account(who.id)) // UNITS_PER_CENT if who.role == Role.PLAYER else 0
            found = {name: standing_meter(reading, meter) for name, meter in standing.table.meters.items()}
        meters = {name: displayed(meter)["amounts"] for name, meter in found.items() if meter is not None}
        return Sight(standing.table, standing.step, standing.head, chips, meters)

    def news(self, who: Person, table_id: str, after: int, limit: int = 500) -> list[dict[str, Any]]:
        """Events of a table after a sequence number, as this person may see them."""
        with self.store.reading() as reading:
            table = self._table(reading, table_id)
            recorded = reading.events(table_id, after=after, limit=limit)
            live = table.play.number if table.play is not None else 0
            past = {event.round for event in recorded} - {live} if is_patron(who) else ()
            seats = {number: seats_of(reading, table_id, number, who.id) for number in past}
        seats[live] = own_seats(table, who.id)
        return [told(e, who, seats.get(e.round, frozenset()), live=e.round == live) for e in recorded]

    # Meters

    def meters(self) -> dict[str, dict[str, Any]]:
        """Every meter as its sign shows it, with the tables that play for it."""
        tables = self.tables()
        with self.store.reading() as reading:
            known = known_meters(reading)
            return {
                meter: {
                    **settings,
                    **displayed(in_books(reading, meter, settings)),
                    "tables": [t.id for t in tables if t.phase != Phase.CLOSED and meter in t.meters.values()],
                }
                for meter, settings in known.items()
            }

    def meter_history(self, meter: str, after: int = 0, limit: int = 500) -> list[dict[str, Any]]:
        """Every movement on a meter, in order."""
        with self.store.reading() as reading:
            settings = known_settings(reading, meter)
            if settings is None:
                raise NoTableError(f"There is no meter {meter!r}.")
            found = []
            for tier in (*settings["seed"], "reserve"):
                history = reading.entries(meter_account(meter, tier), after, limit)
                found += [{"jackpot": tier, **asdict(posting)} for posting in history]
        return sorted(found, key=lambda posting: (posting["seq"], posting["line"]))[:limit]

    def open_meter(self, meter: str, settings: Mapping[str, Any], who: Person) -> None:
        """A meter that several tables will be linked to."""
        check_name(meter)
        with self.store.writing() as writing:
            now = self._now(writing)
            self._demand(writing, who, "meter.open", now)
            if known_settings(writing, meter) is not None:
                raise FindingsError(
                    [Finding("meter-known", "", "a new name", meter, f"There is a meter {meter!r} already.")]
                )
            save_settings(writing, meter, settings)
            self.note(writing, now, who, opened(meter, settings))

    def propose(self, meter: str, change: Change, who: Person) -> int:
        """The first of two people; the answer is the number of the proposal."""
        with self.store.writing() as writing:
            now = self._now(writing)
            self._demand(writing, who, "meter.propose", now)
            self._check_change(writing, meter, change)
            data = {"meter": meter, "change": encode(change)}
            return self.note(writing, now, who, Event("meter.change-proposed", data)).seq

    def _change_meter(self, writing: Writing, proposal: Proposal, who: Person, now: int) -> None:
        """The change takes effect, unless the link is in play."""
        meter, change = proposal.about["meter"], decode(Change, proposal.about["change"])
        self._check_change(writing, meter, change)
        settings = known_settings(writing, meter)
        assert settings is not None
        entries = approved_entries(writing, meter, settings, change)
        data = {"meter": meter, "proposal": proposal.number, "change": encode(change), "by": proposal.by}
        save_settings(writing, meter, changed_settings(settings, change))
        self.note(writing, now, who, Event("meter.change-approved", data, (settings["cite"],), entries))

    def _check_change(self, reading: Reading, meter: str, change: Change) -> None:
        busy: set[str] = set()
        for stream in reading.streams():
            table = self._table(reading, stream) if stream != HOUSE_STREAM else None
            for each in (meter, change.transfer_to):
                if table is None or each not in table.meters.values():
                    continue
                if table.in_round or _staked(table, each):
                    busy.add(table.id)
        target = known_settings(reading, change.transfer_to) if change.transfer_to else None
        if findings := tuple(change_findings(meter, known_settings(reading, meter), change, busy, target)):
            raise FindingsError(findings)

    # Acts of two people

    def approve(self, number: int, who: Person) -> None:
        """The second of two people: what was proposed takes effect, if it still can."""
        kept: _Kept | None = None
        with self.store.writing() as writing:
            now = self._now(writing)
            self._demand(writing, who, "consent.give", now)
            proposal = consent.proposal_of(writing, number)
            consent.verify_second(writing, proposal, who)
            if proposal.act == consent.METER:
                self._change_meter(writing, proposal, who, now)
            else:
                self.note(writing, now, who, Event("consent.given", consent.answer_of(proposal)))
                if proposal.act == consent.ACCOUNT:
                    self._let_in(writing, proposal, who, now)
                else:
                    kept = self._carry_out(writing, proposal, who, now)
        if kept is not None:
            self._keep(proposal.table, kept)
        self._announce()

    def reject(self, number: int, who: Person) -> None:
        """Refuse a proposal as whoever could consent, or take it back as whoever made it."""
        with self.store.writing() as writing:
            now = self._now(writing)
            self._demand(writing, who, "consent.refuse", now)
            proposal = consent.proposal_of(writing, number)
            consent.verify_refusing(proposal, who)
            if proposal.act == consent.METER:
                data = {"meter": proposal.about["meter"], "proposal": number}
                self.note(writing, now, who, Event("meter.change-rejected", data))
            else:
                self.note(writing, now, who, Event("consent.refused", consent.answer_of(proposal)))
        self._announce()

    def proposals(self) -> tuple[Proposal, ...]:
        """What waits for a second person."""
        with self.store.reading() as reading:
            return tuple(consent.open_proposals(reading).values())

    def _carry_out(self, writing: Writing, proposal: Proposal, second: Person, now: int) -> "_Kept":
        """The command as its first person gave it, at a table that is still in the same round."""
        first = Person(proposal.by, proposal.by, Role(proposal.role))
        table = self._table(writing, proposal.table)
        if second.id in players_at(table):
            raise FindingsError([self_dealing(second.id, "plays at this table and so consents to nothing here")])
        wanted = read_command(proposal.about["command"])
        if (number := _round(table)) != proposal.about["round"]:
            sentence = f"Round {proposal.about['round']} of {table.id} is over; the proposal can only be refused."
            raise FindingsError([Finding("round-over", "", f"round {number}", "an earlier one", sentence)])
        desk = LedgerDesk(writing, now, first.id, first.role, self.randomness)
        findings = verify(table, wanted, desk) or self._closed(table, wanted.name)
        events = () if findings else _carried_out(table, wanted, desk)
        if findings := findings or money_findings(table.id, events, writing.balance):
            raise FindingsError(findings)
        key = f"{consent.CONSENTED}{proposal.number}"
        after, recorded = self._record(writing, table, events, first, now, key)
        text = canonical(self._told(after, table, recorded, first))
        digest = hashlib.sha256(canonical([table.id, dict(proposal.about["command"])]).encode()).hexdigest()
        writing.remember(key, first.id, digest, 200, text, table.id, now)
        return _Kept(after, writing.head.seq, writing.head.seq)

    def _let_in(self, writing: Writing, proposal: Proposal, who: Person, now: int) -> None:
        account = existing(writing.connection, proposal.about["person"])
        if account.disabled:
            set_disabled(writing, account.person.id, who, now, disabled=False)

    # The house

    def note(self, writing: Writing, now: int, who: Person, event: Event) -> Recorded:
        """Record something that concerns no single table."""
        return writing.append([event], stream=HOUSE_STREAM, round=0, actor=who.id, role=str(who.role), at=now)[0]

    def remark(self, event: Event, who: Person | None = None) -> None:
        """Record a house event in a transaction of its own."""
        with self.store.writing() as writing:
            self.note(writing, self._now(writing), who or SYSTEM, event)
        self._announce()

    def demand(self, who: Person, permission: str) -> None:
        """Refuse, and record the refusal, unless the person's job function may."""
        if not may(who.role, permission):
            if self.store.refusals.admits(PERMISSION, who.id):
                self.remark(Event("permission.refused", {"command": permission, "table": ""}), who)
            raise FindingsError([why_not(who.role, permission)])

    def _demand(self, writing: Writing, who: Person, permission: str, now: int) -> None:  # noqa: ARG002
        if not may(who.role, permission):
            raise FindingsError([why_not(who.role, permission)])

    def stopped(self, event: Event) -> None:
        """The last event of a run, after whatever was only counted until now."""
        with self.store.writing() as writing:
            self._note_refusals(writing, self.clock(), all=True)
            self.note(writing, self._now(writing), SYSTEM, event)

    def _note_refusals(self, writing: Writing, now: int, *, all: bool = False) -> None:
        for (what, caller), count in self.store.refusals.due(all=all).items():
            data = {"what": what, "person": caller, "count": count}
            self.note(writing, now, SYSTEM, Event("refusals.counted", data))

    def _now(self, writing: Writing) -> int:
        """The wall clock; a jump becomes an event, and so does what was only counted."""
        now = self._watch.now(writing)
        self._note_refusals(writing, now)
        return now


def _refusal(status: int, findings: Sequence[Finding]) -> Reply:
    return Reply(status, canonical({"ok": False, "findings": [finding.as_dict() for finding in findings]}))


@dataclass(frozen=True)
class _Kept:
    """A table in memory: folded up to ``seq``, and known to be current when the chain stood at ``head``."""

    table: Table
    seq: int
    head: int


SYSTEM = Person("pitboss", "the software", Role.SYSTEM)


def _carried_out(table: Table, wanted: Command, desk: LedgerDesk) -> tuple[Event, ...]:
    """What a command leads to. A deck that is not there any more makes the round void, whatever was asked for."""
    try:
        return tuple(wanted.events(table, desk))
    except DeckLostError as lost:
        return tuple(voided(table, desk, WRONG_NUMBER, str(lost), remove_deck=True))


def told(event: Recorded, who: Person, seats: frozenset[int], *, live: bool) -> dict[str, Any]:
    """An event for somebody's eyes, who has or had these seats in its round.

    While the round lasts, cards that lie face down stay hidden; a player learns nothing of other patrons. The salt
    comes only with the whole event, or what is left out could be found by trying: and where there is none, there is no
    hash either.
    """
    whole = shown = event.as_dict()
    seen = discreet(Event(event.kind, event.data, event.cites, event.entries), who, seats)
    if seen is None:
        shown = {**shown, "data": {}, "entries": []}
    else:
        shown = {**shown, "data": seen.data, "entries": [[entry.account, entry.units] for entry in seen.entries]}
        if live:
            shown["data"] = seen_event(seen, seats)
    if is_patron(who) and event.actor != who.id:
        shown["request"] = ""
        if event.role == str(Role.PLAYER):
            shown["actor"] = ""
    if shown != whole:
        shown["salt"] = ""
    if not event.salt and (live or is_patron(who)):
        shown["hash"] = ""
    return shown


def check_name(name: str) -> None:
    """Table and meter names go into accounts and addresses."""
    plain = name.replace("-", "").replace("_", "")
    if not (plain.isascii() and plain.isalnum() and name == name.lower() and len(name) <= 60):
        raise UnreadableError(f"{name!r} is no name: use small letters, digits and hyphens, at most 60.")


def check_key(key: str) -> None:
    if not (8 <= len(key) <= 100 and key.isascii() and key.isprintable() and " " not in key):
        raise UnreadableError("A request key is 8 to 100 printable characters without blanks.")


def _round(table: Table) -> int:
    """The round that an event belongs to: the one in play, or else the next."""
    return table.play.number if table.play is not None else table.rounds + 1


def _differs(known: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    return any(known[name] != wanted[name] for name in ("name", "letter", "offered"))


def _staked(table: Table, meter: str) -> bool:
    """Whether wagers that feed the meter lie on the layout."""
    if not table.staged:
        return False
    names = {name for name, house_name in table.meters.items() if house_name == meter}
    rules = rules_at(table)
    return any(
        (wager := rules.wager_named(name)) is not None and wager.meter in names
        for made in table.staged.values()
        for name in made
    )


__all__ = ["KeyReusedError", "LedgerDesk", "NoTableError", "Pit", "Reply", "Standing"]
