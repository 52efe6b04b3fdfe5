"""The pit: every table of the house over one ledger. A command is one transaction, recorded whole or not at all."""

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from pitboss.clock import day_of
from pitboss.findings import Finding, FindingsError, UnreadableError, errors
from pitboss.ledger import consent, meters
from pitboss.ledger.accounts import existing, set_disabled
from pitboss.ledger.acknowledging import acknowledge
from pitboss.ledger.audit import OF_ANCHORS
from pitboss.ledger.consent import DIFFERING, Proposal
from pitboss.ledger.counting import HoldCounter
from pitboss.ledger.desk import LedgerDesk, bounds_of
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.floor import Floor, Kept, NoTableError, Standing, check_name
from pitboss.ledger.kinds.accounts import AccountConfirmed, PermissionRefused, RefusalsCounted
from pitboss.ledger.kinds.consent import BoundsAsked, ConsentAsked, ConsentGiven, ConsentRefused, PropertyBoundsSet
from pitboss.ledger.kinds.meters import (
    MeterAdjustment,
    MeterChangeApproved,
    MeterChangeProposed,
    MeterChangeRejected,
)
from pitboss.ledger.people import Person
from pitboss.ledger.replay import round_of
from pitboss.ledger.store import HOUSE_STREAM, Reading, Recorded, Store, Writing
from pitboss.ledger.watch import Clock, Watch, microseconds, steady_microseconds
from pitboss.table.act import Act
from pitboss.table.bounds import Bounds
from pitboss.table.canonical import canonical, canonical_whole, digest_of
from pitboss.table.codec import encode
from pitboss.table.command import Command, players_at, read_command, self_dealing, verify
from pitboss.table.dealing import DeckLostError
from pitboss.table.events import Event, deck_of
from pitboss.table.fold import apply
from pitboss.table.happened import but
from pitboss.table.irregular import WRONG_NUMBER
from pitboss.table.kinds.cards import DeckRevealed
from pitboss.table.kinds.house import Differing, TableClosed, TableOpened
from pitboss.table.kinds.rounds import RoundEnded
from pitboss.table.opening import OpenTable
from pitboss.table.permissions import TWO_PEOPLE, may, may_consent, why_not
from pitboss.table.roles import Role
from pitboss.table.ruling import rules_at
from pitboss.table.source import Randomness
from pitboss.table.state import Table
from pitboss.table.voiding import voided

SNAPSHOT_EVERY = 20
"""Rounds between snapshots; what happened since is folded again at start."""
BEGIN_PLAY = frozenset({"open_table", "wager", "no_more_bets"})
"""Commands that a house closed to play refuses, and the first deal of a round with them."""
PERMISSION = "permission"
REOPENING = "table.reopen"
OPENINGS = (TableOpened, TableClosed)
Findings = tuple[Finding, ...]


class KeyReusedError(LedgerError):
    """A request key that was used for something else."""


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


class Pit(Floor):
    """All tables and meters of a house, with what is done to them; safe between threads."""

    def __init__(
        self,
        store: Store,
        clock: Clock = microseconds,
        randomness: Randomness | None = None,
        steady: Clock = steady_microseconds,
        watch: Watch | None = None,
    ) -> None:
        """``watch``: the clock of all who write in the program, if there are others."""
        super().__init__(store, clock, randomness)
        self._watch = watch or Watch(clock, steady)
        self.closed_to_play: tuple[Finding, ...] = ()
        """Why nobody may wager or deal: what the start-up check found."""
        self.start_again: Callable[[], None] | None = None
        """The start that was refused, and is still to be recorded."""
        self._acknowledging = threading.Lock()
        self.holds = HoldCounter()
        """What is wrong with the holds of a submission that pays otherwise than the law's own data."""

    # Commands

    def act(self, table_id: str, body: Mapping[str, Any], who: Person, key: str) -> Reply:
        """Carry out a command once; the same key gets the same answer, whatever has happened since."""
        check_name(table_id)
        if who != ITSELF:
            check_key(key)
        digest = digest_of(canonical([table_id, dict(body)]))
        wanted = read_command(body)
        permission = f"table.{wanted.name}"
        if not may(who.role, permission) and not self.store.refusals.admits(PERMISSION, who.id):
            return _refusal(403, [why_not(who.role, permission)])  # one of too many: nothing is written
        after: Table | None = None
        holds = self._holds(wanted) if may(who.role, permission) else ()
        with self.store.writing() as writing:
            if (before := self._answered(writing, key, digest, who)) is not None:
                return before
            now = self._now(writing)
            table = self.fold(writing, table_id)
            desk = LedgerDesk(writing, now, who.id, who.role, self.randomness)
            findings = verify(table, wanted, desk) or self._closed(table, wanted.name)
            act = "" if findings else self._two_people(writing, table, wanted, desk)
            done = None if findings or act else _carried_out(table, wanted, desk)
            findings = findings or errors(holds)
            if done is not None and not findings:
                findings = writing.money_findings(table_id, done.events)
            if findings:
                reply = self._refused(writing, table_id, wanted.name, findings, who, now)
            elif done is None:
                reply = self._asked(writing, table, wanted, act, who, now, holds)
            else:
                recorded = self._record(writing, done, who, now, key)
                after = done.after
                reply = Reply(200, canonical_whole(self.redacted_for(after, table, recorded, who)))
            writing.remember(key, who.id, digest, reply.status, reply.text, table_id, now)
            head = writing.head.seq
        if after is not None:
            self.keep(table_id, Kept(after, head, head))
        self.announce()
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
        undealt = table.play is not None and not (table.play.dealt or table.play.unused)
        begins = command in BEGIN_PLAY or (command == "deal" and undealt)
        return self.reasons_to_stop() if begins else ()

    def acknowledge(self, reason: str, who: Person) -> Recorded:
        """Acknowledge the state of the anchor. Play goes on if nothing else prevents it."""
        with self._acknowledging:  # a second one would set the new anchor aside
            event = acknowledge(self.store, who, reason, self.clock())
            self.closed_to_play = tuple(finding for finding in self.closed_to_play if finding.code not in OF_ANCHORS)
            if self.start_again is not None:
                self.start_again()
        self.announce()
        return event

    def _two_people(self, reading: Reading, table: Table, wanted: Command, desk: LedgerDesk) -> str:
        """The act of two people that a command is, if it is one here and now."""
        act = wanted.two_people(table, desk)
        if act == REOPENING:
            closed = reading.latest(TableClosed, table.id)
            return act if closed and day_of(closed.at) == day_of(desk.now) else ""
        return act

    def _asked(
        self, writing: Writing, table: Table, wanted: Command, act: str, who: Person, now: int, notes: Findings
    ) -> Reply:
        """A command that waits for a second person: nothing has happened yet at the table."""
        about = ConsentAsked(act=act, table=table.id, round=round_of(table), command=wanted.as_dict())
        if act == DIFFERING and isinstance(wanted, OpenTable):
            differing = tuple(Differing(**each.as_dict()) for each in wanted.differences(day_of(now)))
            about = but(about, differences=differing, notes=tuple(note.sentence for note in notes))
        number = consent.ask(writing, about, who, now)
        told = [finding.as_dict() for finding in (consent.waits(number, act), *notes)]
        return Reply(202, canonical({"ok": False, "proposal": number, "findings": told}))

    def count_holds(self, body: Mapping[str, Any]) -> None:
        """Count what opening a table, or consenting to it, will ask for: in a thread, where a caller can't wait."""
        self._holds(read_command(body))

    def _holds(self, wanted: Command) -> Findings:
        """The hold findings of a submission that pays otherwise, counted before anybody has to wait for the ledger."""
        day = day_of(self.clock())
        return (
            self.holds.findings(wanted.submission, day)
            if isinstance(wanted, OpenTable) and wanted.differences(day)
            else ()
        )

    def _refused(
        self, writing: Writing, table: str, command: str, findings: Sequence[Finding], who: Person, now: int
    ) -> Reply:
        status = 422
        if findings[0].code == PERMISSION:
            status = 403
            self.note(writing, now, who, Event(PermissionRefused(command=command, table=table)))
        return _refusal(status, findings)

    def _record(self, writing: Writing, done: Act, who: Person, now: int, key: str) -> list[Recorded]:
        """Append the events of an act, each under its round; meters that a table brings along are opened first."""
        table, number = done.before, round_of(done.before)
        append = partial(writing.append, stream=table.id, actor=who.id, role=str(who.role), at=now, request=key)
        for event in done.events:
            if isinstance(event.fact, TableOpened):
                self._open_meters(writing, apply(table, event.fact), who, now)
            elif isinstance(event.fact, DeckRevealed):
                writing.unseal(table.id, event.fact.deck)
            if event.sealed is not None:
                sealed = event.sealed
                writing.seal(table.id, deck_of(event), sealed.commitment, sealed.content, sealed.salt.hex())
        if round_of(done.after) == number:
            recorded = [*append(done.events, round=number)]
        else:
            recorded, waiting = [], list[Event]()
            for event in done.events:
                if round_of(table) != number:
                    recorded += append(waiting, round=number)
                    waiting, number = [], round_of(table)
                table = apply(table, event.fact)
                waiting.append(event)
            recorded += append(waiting, round=number)
        self._snapshot(writing, done.after, recorded)
        return recorded

    def _snapshot(self, writing: Writing, table: Table, recorded: Sequence[Recorded]) -> None:
        for event in recorded:
            ended = isinstance(event.fact, RoundEnded) and table.rounds % SNAPSHOT_EVERY == 0
            if ended or isinstance(event.fact, OPENINGS):
                writing.save_snapshot(table.id, recorded[-1].seq, canonical(encode(table)))
                return

    def _open_meters(self, writing: Writing, table: Table, who: Person, now: int) -> None:
        rules = rules_at(table)
        for name, meter in table.meters.items():
            wanted, known = meters.settings_of(rules, name), meters.known_settings(writing, meter)
            if known is None:
                meters.save_settings(writing, meter, wanted)
                self.note(writing, now, who, meters.opened(meter, wanted))
            elif meter.startswith(f"{table.id}-") and _differs(known, wanted):
                was, would_be = (f"{kept['name']} {kept['letter']}" for kept in (known, wanted))
                sentence = f"The meter {meter} was opened under another pay table; link the table to another meter."
                raise FindingsError([Finding("meter-differs", wanted["cite"], was, would_be, sentence)])

    # Meters

    def open_meter(self, meter: str, settings: Mapping[str, Any], who: Person) -> None:
        """A meter that several tables will be linked to."""
        check_name(meter)
        with self.store.writing() as writing:
            now = self._now(writing)
            _demand(who, "meter.open")
            if meters.known_settings(writing, meter) is not None:
                sentence = f"There is a meter {meter!r} already."
                raise FindingsError([Finding("meter-known", "", "a new name", meter, sentence)])
            meters.save_settings(writing, meter, settings)
            self.note(writing, now, who, meters.opened(meter, settings))

    def propose(self, meter: str, change: MeterAdjustment, who: Person) -> int:
        """The first of two people; the answer is the number of the proposal."""
        with self.store.writing() as writing:
            now = self._now(writing)
            _demand(who, "meter.propose")
            self._check_change(writing, meter, change)
            return self.note(writing, now, who, Event(MeterChangeProposed(meter=meter, change=change))).seq

    def _change_meter(self, writing: Writing, proposal: Proposal, who: Person, now: int) -> None:
        """The change takes effect, unless the link is in play."""
        assert isinstance(proposal.about, MeterChangeProposed)
        meter, change = proposal.about.meter, proposal.about.change
        self._check_change(writing, meter, change)
        settings = meters.known_settings(writing, meter)
        assert settings is not None
        entries = meters.approved_entries(writing.balance, meter, settings, change)
        approved = MeterChangeApproved(meter=meter, proposal=proposal.number, change=change, by=proposal.by)
        meters.save_settings(writing, meter, meters.changed_settings(settings, change))
        self.note(writing, now, who, Event(approved, (settings["cite"],), entries))

    def _check_change(self, reading: Reading, meter: str, change: MeterAdjustment) -> None:
        busy: set[str] = set()
        for stream in reading.streams():
            table = self.fold(reading, stream) if stream != HOUSE_STREAM else None
            for each in (meter, change.transfer_to):
                if table is None or each not in table.meters.values():
                    continue
                if table.in_round or _staked(table, each):
                    busy.add(table.id)
        target = meters.known_settings(reading, change.transfer_to) if change.transfer_to else None
        if findings := tuple(
            meters.change_findings(meter, meters.known_settings(reading, meter), change, busy, target)
        ):
            raise FindingsError(findings)

    # The bounds of the property

    def bounds(self) -> Bounds:
        with self.store.reading() as reading:
            return bounds_of(reading)

    def propose_bounds(self, wanted: Bounds, who: Person) -> int:
        """The first of two people; the answer is the number of the proposal."""
        with self.store.writing() as writing:
            now = self._now(writing)
            _demand(who, "property.propose")
            if refused := tuple(wanted.findings()):
                raise FindingsError(refused)
            about = ConsentAsked(act=consent.BOUNDS, bounds=BoundsAsked(**asdict(wanted)))
            return consent.ask(writing, about, who, now)

    # Acts of two people

    def approve(self, number: int, who: Person) -> None:
        """The second of two people: what was proposed takes effect, if it still can."""
        kept: Kept | None = None
        with self.store.reading() as reading:
            waiting = consent.open_proposals(reading).get(number)
        differs = waiting is not None and waiting.act == DIFFERING and may_consent(who.role, DIFFERING)
        holds = self._holds(read_command(waiting.command)) if waiting is not None and differs else ()
        with self.store.writing() as writing:
            now = self._now(writing)
            _demand(who, "consent.give")
            proposal = consent.proposal_of(writing, number)
            consent.verify_second(writing, proposal, who)
            if refused := errors(holds):
                raise FindingsError(refused)
            if proposal.act == consent.METER:
                self._change_meter(writing, proposal, who, now)
            elif proposal.act == consent.CONFIRM:
                confirmed = AccountConfirmed(proposal=number, person=proposal.person, by=proposal.by)
                self.note(writing, now, who, Event(confirmed))
            else:
                self.note(writing, now, who, Event(ConsentGiven(proposal=number, act=proposal.act, by=proposal.by)))
                if proposal.act == consent.ACCOUNT:
                    self._let_in(writing, proposal, who, now)
                elif proposal.act == consent.BOUNDS:
                    self.note(writing, now, who, Event(_bounds_set(proposal)))
                else:
                    kept = self._carry_out(writing, proposal, who, now)
        if kept is not None:
            self.keep(proposal.table, kept)
        self.announce()

    def reject(self, number: int, who: Person) -> None:
        """Refuse a proposal as a person who could consent, or withdraw one's own."""
        with self.store.writing() as writing:
            now = self._now(writing)
            _demand(who, "consent.refuse")
            proposal = consent.proposal_of(writing, number)
            consent.verify_refusing(proposal, who)
            if proposal.act == consent.METER:
                assert isinstance(proposal.about, MeterChangeProposed)
                self.note(writing, now, who, Event(MeterChangeRejected(meter=proposal.about.meter, proposal=number)))
            else:
                self.note(writing, now, who, Event(ConsentRefused(proposal=number, act=proposal.act, by=proposal.by)))
        self.announce()

    def proposals(self) -> tuple[Proposal, ...]:
        """What waits for a second person."""
        with self.store.reading() as reading:
            return tuple(consent.open_proposals(reading).values())

    def _carry_out(self, writing: Writing, proposal: Proposal, second: Person, now: int) -> Kept:
        """The command as its first person gave it, at a table that is still in the same round."""
        first = Person(proposal.by, proposal.by, Role(proposal.role))
        table = self.fold(writing, proposal.table)
        if second.id in players_at(table):
            raise FindingsError([self_dealing(second.id, "plays at this table and so consents to nothing here")])
        wanted = read_command(proposal.command)
        if (number := round_of(table)) != proposal.round:
            sentence = f"Round {proposal.round} of {table.id} is over; the proposal can only be refused."
            raise FindingsError([Finding("round-over", "", f"round {number}", "an earlier one", sentence)])
        desk = LedgerDesk(writing, now, first.id, first.role, self.randomness)
        findings = verify(table, wanted, desk) or self._closed(table, wanted.name)
        if not findings and (act := self._two_people(writing, table, wanted, desk)) not in ("", proposal.act):
            sentence = f"What was proposed is another act by now ({TWO_PEOPLE[act].why}): propose it again."
            findings = (Finding("proposal-changed", "", proposal.act, act, sentence),)
        if findings:
            raise FindingsError(findings)
        done = _carried_out(table, wanted, desk)
        if findings := writing.money_findings(table.id, done.events):
            raise FindingsError(findings)
        key = f"{consent.CONSENTED}{proposal.number}"
        recorded, after = self._record(writing, done, first, now, key), done.after
        text = canonical_whole(self.redacted_for(after, table, recorded, first))
        digest = digest_of(canonical([table.id, proposal.command]))
        writing.remember(key, first.id, digest, 200, text, table.id, now)
        return Kept(after, writing.head.seq, writing.head.seq)

    def _let_in(self, writing: Writing, proposal: Proposal, who: Person, now: int) -> None:
        account = existing(writing.connection, proposal.person)
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
        self.announce()

    def demand(self, who: Person, permission: str) -> None:
        """Refuse, and record the refusal, unless the person's job function may."""
        if not may(who.role, permission) and self.store.refusals.admits(PERMISSION, who.id):
            self.remark(Event(PermissionRefused(command=permission, table="")), who)
        _demand(who, permission)

    def stopped(self, event: Event) -> None:
        """The last event of a run, after whatever was only counted until now."""
        with self.store.writing() as writing:
            self._note_refusals(writing, self.clock(), all=True)
            self.note(writing, self._now(writing), SYSTEM, event)

    def _note_refusals(self, writing: Writing, now: int, *, all: bool = False) -> None:
        for (what, caller), count in self.store.refusals.due(all=all).items():
            self.note(writing, now, SYSTEM, Event(RefusalsCounted(what=what, person=caller, count=count)))

    def _now(self, writing: Writing) -> int:
        """The wall clock; a jump becomes an event, and so does what was only counted."""
        now = self._watch.now(writing)
        self._note_refusals(writing, now)
        return now


def _demand(who: Person, permission: str) -> None:
    if not may(who.role, permission):
        raise FindingsError([why_not(who.role, permission)])


def _refusal(status: int, findings: Sequence[Finding]) -> Reply:
    return Reply(status, canonical({"ok": False, "findings": [finding.as_dict() for finding in findings]}))


SYSTEM = Person("pitboss", "the software", Role.SYSTEM)
ITSELF = Person("the table itself", "the table itself", Role.SYSTEM)
"""Who acts at a table that runs by itself. No account has such an id, and no caller such a request key: with blanks."""


def _carried_out(table: Table, wanted: Command, desk: LedgerDesk) -> Act:
    """Return what a command leads to. A deck that is gone makes the round void, whatever was asked for."""
    try:
        return wanted.act_at(table, desk)
    except DeckLostError as lost:
        return Act.of(table, voided(table, desk, WRONG_NUMBER, str(lost), remove_deck=True))


def _bounds_set(proposal: Proposal) -> PropertyBoundsSet:
    assert isinstance(proposal.about, ConsentAsked)
    wanted = proposal.about.bounds
    assert isinstance(wanted, BoundsAsked)
    return PropertyBoundsSet(
        proposal=proposal.number, by=proposal.by, act=wanted.act, inventory=wanted.inventory, wager=wanted.wager
    )


def check_key(key: str) -> None:
    if not (8 <= len(key) <= 100 and key.isascii() and key.isprintable() and " " not in key):
        raise UnreadableError("A request key is 8 to 100 printable characters without blanks.")


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
