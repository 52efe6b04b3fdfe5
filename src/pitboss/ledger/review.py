"""The full review of a ledger: chain, anchor and money, and then every table played again from its first event.

A chain shows that nothing was changed after it was written. The review shows that what was written is right: each
table is folded again, every settled line, wager, count and award is computed a second time with the rules and the
meters of that moment, every deal is held against its commitment. All of it in one walk over the events in their order,
so that only the tables and the balances are kept in memory, however long the ledger is.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass

import msgspec

from pitboss.findings import Finding, errors
from pitboss.ledger import checkpoint
from pitboss.ledger.answered import Answers
from pitboss.ledger.audit import audit_store
from pitboss.ledger.chain import GENESIS
from pitboss.ledger.checkpoint import Checkpoint, Reach
from pitboss.ledger.consent import BOUNDS, CONFIRM, CONSENTED, DIFFERING, METER, Kinship, kinship
from pitboss.ledger.deadlines import patient
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.exams import ExamReview
from pitboss.ledger.kinds.accounts import AccountConfirmed
from pitboss.ledger.kinds.consent import ConsentGiven, PropertyBoundsSet
from pitboss.ledger.kinds.meters import MeterChangeApproved, MeterOpened
from pitboss.ledger.kinds.system import SystemStarted, of_start
from pitboss.ledger.meters import approved_entries, changed_settings, opened
from pitboss.ledger.recompute import Books, differences
from pitboss.ledger.replay import PAGE, round_of, state_hash
from pitboss.ledger.retrace import WRONG, Report, Retraced
from pitboss.ledger.roster import Roster
from pitboss.ledger.selfcheck import law_files, program_files
from pitboss.ledger.store import HOUSE_STREAM, Reading, Recorded, Store
from pitboss.ledger.stored import Beside, MeterRows, Sealings, fingerprint
from pitboss.meters import Units
from pitboss.table.canonical import digest_of
from pitboss.table.codec import decode, encode
from pitboss.table.events import Entry, Event
from pitboss.table.happened import KINDS, Plain
from pitboss.table.kinds.house import TableOpened
from pitboss.table.kinds.rounds import RoundEnded
from pitboss.table.kinds.wagers import MeterCharged, MeterIncremented, MeterPaid
from pitboss.table.permissions import may_consent, why_no_consent
from pitboss.table.roles import Role
from pitboss.table.state import Table

Progress = Callable[[int, int], None]
"""Called with the number of events reviewed and of all."""

METER_CAUSES = {
    MeterOpened.KIND: "seed",
    MeterIncremented.KIND: "increments",
    MeterPaid.KIND: "awards and reseeds",
    MeterCharged.KIND: "prizes charged",
    MeterChangeApproved.KIND: "approved changes",
}
"""The only kinds of event that move money on or off a meter."""


def review(
    store: Store,
    progress: Progress | None = None,
    live: Iterable[Table] = (),
    workers: int = 1,
    *,
    full: bool = False,
    keep: bool = False,
) -> tuple[Finding, ...]:
    """Everything that is wrong with a ledger, its books and its rounds; nothing, if all is well."""
    return verify(store, progress, live, workers, full=full, keep=keep).findings


@dataclass(frozen=True)
class Reviewed:
    """What is wrong with a ledger, and how far it was looked at; no reach where it could not be read to its end."""

    findings: tuple[Finding, ...]
    reach: Reach | None = None

    @property
    def ok(self) -> bool:
        return not errors(self.findings)

    @property
    def looked(self) -> str:
        return self.reach.sentence if self.reach else "The ledger could not be read to its end."


@patient()
def verify(
    store: Store,
    progress: Progress | None = None,
    live: Iterable[Table] = (),
    workers: int = 1,
    *,
    full: bool = False,
    keep: bool = False,
) -> Reviewed:
    """Check a ledger, its books and its rounds.

    ``live`` are tables as a running program holds them, compared with the replay at the event they have come to. It
    goes on from the last checkpoint unless it is to be ``full``, and leaves one, if there is much to ``keep``.
    """
    findings: tuple[Finding, ...] = ()
    try:
        with store.reading() as reading:
            since, wrong = checkpoint.find(reading)
        since = None if full else since
        findings = (*wrong, *audit_store(store, workers, since))
        reviewed = _Review(store, live, since)
        findings = (*findings, *reviewed.findings(progress))
        if keep and not errors(findings):
            reviewed.keep()
        return Reviewed(findings, Reach(reviewed.head.seq, reviewed.answers.seq, since))
    except LedgerError as error:
        unread = Finding("database", "", "a readable database", type(error).__name__, str(error))
    except WRONG as error:
        sentence = f"the events are unreadable, so nothing could be replayed ({error})"
        unread = Finding("replay-unreadable", "", "readable events", type(error).__name__, sentence)
    return Reviewed((*findings, unread))


class _Review:
    def __init__(self, store: Store, live: Iterable[Table], since: Checkpoint | None) -> None:
        state = since.state if since else {}
        self.store = store
        self.start = since.seq if since else 0
        self.books = Books(balances=dict(state.get("balances", {})))
        for meter, settings in state.get("settings", {}).items():
            self.books.set_meter(meter, settings)
        self.report = Report()
        self.live = {table.id: table for table in live}
        self.walks = {
            stream: Retraced(decode(Table, walk["table"]), self.books, self.report, walk["shown"])
            for stream, walk in state.get("tables", {}).items()
        }
        answered = state.get("answered", [0, GENESIS.hex()])
        again = since.answers_again if since else (0, 0)
        self.answers = Answers(self.report.add, answered[0], bytes.fromhex(answered[1]), again)
        self.answers_start = self.answers.seq
        self.kinship = Kinship(hands=state.get("hands", {}), own=state.get("own", ()))
        self.has_own = "own" in state
        self.roster = Roster(**state.get("roster", {}))
        self.sealings = Sealings(state.get("published", {}))
        self.meters = MeterRows(state.get("saved", {}))
        self.exams = ExamReview(state.get("exams", {}))
        self.taken: dict[str, str] = dict(state.get("snapshots", {}))
        """The snapshots that were right, by their fingerprints."""
        self.causes = {account: Counter(of) for account, of in state.get("causes", {}).items()}
        self.same_law = self.same_program = True
        self.other_law: set[tuple[str, int]] = set()
        self._law = law_files()
        self._program = program_files()

    def findings(self, progress: Progress | None) -> tuple[Finding, ...]:
        with self.store.reading() as reading:
            self.head, last = reading.head, reading.head.seq
            self.beside = Beside.read(reading)
            self.snapshots: dict[str, tuple[int, str] | None] = {
                stream: row
                for stream, row in self.beside.snapshots.items()
                if self.taken.get(stream) != fingerprint(row)
            }
            self.unsnapped = set(reading.streams()) - {HOUSE_STREAM, *self.beside.snapshots}
            self._resume(reading)
            self.answers.walk(reading)
        after = self.start
        while after < last:
            with self.store.reading() as reading:
                page = [event for event in reading.events(after=after, limit=PAGE) if event.seq <= last]
                for event in page:
                    self._take(event, reading)
                if not page or page[-1].seq >= last:
                    self.answers.end(reading)
                    break
            after = page[-1].seq
            if progress is not None:
                progress(after, last)
        self._finish()
        if progress is not None:
            progress(last, last)
        return self.report.findings()

    def _resume(self, reading: Reading) -> None:
        """The law and the program of the last start before the checkpoint."""
        if (started := reading.latest(SystemStarted, until=self.start)) is not None:
            self._house(started)
        if self.start and not self.has_own:  # of a version that did not ask who changed a password
            self.kinship = kinship(reading, until=self.start)

    def keep(self) -> None:
        """Leave a checkpoint; an act that is not over, or only a few events and answers, are not worth one."""
        more = max(self.head.seq - self.start, self.answers.seq - self.answers_start)
        if more < checkpoint.EVERY or any(walk.due for walk in self.walks.values()):
            return
        with self.store.reading() as reading:
            last = reading.event(self.head.seq)
            assert last is not None
        live = {digest_of(row["token"]) for row in self.beside.sessions}
        self.roster.sessions = {session: of for session, of in self.roster.sessions.items() if session in live}
        state = {
            "balances": self.books.balances,
            "settings": self.books.recorded,
            "tables": {
                stream: {"table": encode(walk.table), "shown": walk.shown} for stream, walk in self.walks.items()
            },
            "answered": [self.answers.seq, self.answers.digest.hex()],
            "roster": asdict(self.roster),
            "hands": self.kinship.as_dict(),
            "own": self.kinship.own,
            "published": self.sealings.published,
            "saved": self.meters.saved,
            "exams": self.exams.begun,
            "snapshots": self.taken,
            "causes": self.causes,
        }
        checkpoint.keep(self.store, self.head.seq, self.head.hash.hex(), state, last.at)

    # One event

    def _take(self, event: Recorded, reading: Reading) -> None:
        if isinstance(event.fact, Plain) and event.kind in KINDS and not event.stream:
            sentence = f"{event.kind} is in a form that this version does not know"
            self.report.say("form", "a form that a version has written", "another", event, sentence)
        self.answers.follow(event, reading)
        self.sealings.follow(event)
        if event.stream == HOUSE_STREAM:
            self.roster.follow(event)
            self.meters.follow(event)
            for finding in self.exams.follow(event, reading, self.beside):
                self.report.say(finding.code, finding.expected, finding.found, event, finding.sentence)
            self._house(event)
        else:
            if isinstance(event.fact, TableOpened) and event.fact.differences:
                self._opened_by_two(event, reading)
            self._table(event)
        for entry in event.entries:
            if entry.account.startswith("meter:"):
                self._on_meter(event, entry)
        self.books.post(event.entries)

    def _opened_by_two(self, event: Recorded, reading: Reading) -> None:
        """A table that pays otherwise than the law's own data, opened without the consent that such an act needs."""
        last = reading.latest(ConsentGiven, HOUSE_STREAM, until=event.seq)
        given = None if last is None else last.of(ConsentGiven)
        if given is None or (given.act, f"{CONSENTED}{given.proposal}") != (DIFFERING, event.request):
            sentence = f"{event.stream} was opened with other pays than the law's own data and no second person"
            self.report.say("two-people", "the consent of a second person", event.actor, event, sentence)

    def _table(self, event: Recorded) -> None:
        """Fold the event, and hold the table against a snapshot and against the running program."""
        walk = self.walks.get(event.stream)
        if walk is None:
            walk = self.walks[event.stream] = Retraced(Table(event.stream), self.books, self.report)
        if isinstance(event.fact, RoundEnded) and not (self.same_law or walk.broken):
            self.other_law.add((event.stream, round_of(walk.table)))
        if not walk.broken:
            walk.follow(event, law=self.same_law, program=self.same_program)
        if walk.broken:
            return
        snapshot = self.snapshots.get(event.stream)
        if snapshot is not None and snapshot[0] == event.seq:
            self.snapshots[event.stream] = None
            self.taken[event.stream] = fingerprint(snapshot)
            if (due := state_hash(walk.table)) != (found := _hash_of(snapshot[1])):
                sentence = f"the snapshot of {event.stream} taken after it is not what the events fold to"
                self.report.say("snapshot", due, found, event, sentence)
        live = self.live.get(event.stream)
        if live is not None and live.events == walk.table.events and live != walk.table:
            sentence = f"the program holds {event.stream} otherwise than the events fold to"
            self.report.say("live", state_hash(walk.table), state_hash(live), event, sentence)

    # The house and its meters

    def _house(self, event: Recorded) -> None:
        fact = event.fact
        if isinstance(fact, AccountConfirmed):
            self._by_two(event, CONFIRM, fact.by)
        self.kinship.follow(event)
        match fact:
            case ConsentGiven(act=act, by=by):
                self._by_two(event, act, by)
            case PropertyBoundsSet(by=by):
                self._by_two(event, BOUNDS, by)
            case SystemStarted():
                law, program = (of_start(fact, name) for name in ("law", "program"))
                self.same_law = law in (None, self._law)
                self.same_program = self.same_law and program in (None, self._program)
            case MeterOpened(meter=meter):
                settings = msgspec.structs.asdict(fact.settings)
                self._money(event, opened(meter, settings).entries)
                self.books.set_meter(meter, settings)
            case MeterChangeApproved():
                self._changed_meter(event, fact)

    def _by_two(self, event: Recorded, act: str, by: str) -> None:
        """Consent of somebody who could give it, and who was independent of the person who asked.

        The first version, whose events have no salt, only asked that the two be different.
        """
        family = self.kinship if event.salt else Kinship()
        refused = family.why_not_both(act, by, event.actor)
        if refused is None and event.salt and not may_consent(Role(event.role), act):
            refused = why_no_consent(Role(event.role), act)
        if refused is None and isinstance(event.fact, AccountConfirmed):
            refused = family.why_not_confirmed(event.fact.person)
        if refused is not None:
            self.report.say(refused.code, refused.expected, event.actor, event, refused.sentence)

    def _changed_meter(self, event: Recorded, approved: MeterChangeApproved) -> None:
        meter, change = approved.meter, approved.change
        settings = self.books.recorded.get(meter)
        if settings is None:
            self.report.say("meter", "a meter that was opened", meter, event, f"the meter {meter} was never opened")
            return
        self._by_two(event, METER, approved.by)
        self._money(event, approved_entries(self.books.balance, meter, settings, change))
        self.books.set_meter(meter, changed_settings(settings, change))

    def _money(self, event: Recorded, wanted: tuple[Entry, ...]) -> None:
        odd = differences(Event(event.fact, event.cites, wanted), event)
        if odd:
            self.report.differs(event, odd)

    def _on_meter(self, event: Recorded, entry: Entry) -> None:
        if event.kind not in METER_CAUSES:
            sentence = f"{event.kind} moves money on {entry.account}"
            self.report.say("meter-moved", " or ".join(METER_CAUSES), event.kind, event, sentence)
        self.causes.setdefault(entry.account, Counter())[event.kind] += entry.units

    # The end

    def _finish(self) -> None:
        for walk in self.walks.values():
            if kinds := walk.lacking:
                sentence = f"the last act at {walk.table.id} is not complete: {kinds} must follow"
                self.report.add(Finding("replay-missing", "", kinds, "the end", sentence, walk.table.id))
        for stream, snapshot in self.snapshots.items():
            if snapshot is not None and not (stream in self.walks and self.walks[stream].broken):
                sentence = f"the snapshot of {stream} claims to follow event {snapshot[0]}, which is none of its events"
                self.report.add(
                    Finding("snapshot", "", f"an event of {stream}", f"event {snapshot[0]}", sentence, stream)
                )
        for stream in sorted(self.unsnapped):
            self.report.add(Finding("snapshot", "", "a snapshot", "none", f"the snapshot of {stream} is gone", stream))
        self._finish_meters(self.beside.held)
        self.answers.finish()
        for finding in (
            *self.meters.findings(self.beside.meters, self.books.recorded),
            *self.sealings.findings(self.beside.sealed),
            *self.roster.findings(self.beside.people, self.beside.sessions),
        ):
            self.report.add(finding)
        if self.other_law:
            count = len(self.other_law)
            sentence = f"{count} rounds were settled under other law data than this program's: replayed, not recomputed"
            self.report.add(Finding("law-differs", "", "the law data of that day", "other", sentence, severity="note"))

    def _finish_meters(self, stored: Mapping[str, Units]) -> None:
        for account in sorted({*stored, *self.causes}):
            causes = self.causes.get(account, Counter())
            total = sum(causes.values())
            if stored.get(account, 0) != total:
                parts = " ".join(f"{units:+d} {METER_CAUSES.get(kind, kind)}" for kind, units in causes.items()) or "0"
                sentence = f"{account} stands at {stored.get(account, 0)} units; its events give {parts} = {total}"
                self.report.add(
                    Finding("meter-balance", "", str(total), str(stored.get(account, 0)), sentence, account)
                )


def _hash_of(state: str) -> str:
    """Of a snapshot as this version would write it: an older one lacks what tables have learned since."""
    try:
        return state_hash(decode(Table, json.loads(state)))
    except WRONG:
        return "unreadable"
