"""The full review of a ledger: chain, anchor and money, and then every table played again from its first event.

A chain shows that nothing was changed after it was written. The review shows that what was written is right: each
table is folded anew, every settled line, wager, count and award is computed a second time with the rules and the
meters of that moment, every deal is held against its commitment. All of it in one walk over the events in their order,
so that only the tables and the balances are kept in memory, however long the ledger is.
"""

import json
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from pitboss.cards import parse_cards, show_cards
from pitboss.findings import Finding, Severity, errors
from pitboss.games.settlement import stake_faults
from pitboss.ledger import checkpoint
from pitboss.ledger.answered import Answers
from pitboss.ledger.audit import audit_store
from pitboss.ledger.chain import GENESIS
from pitboss.ledger.checkpoint import Checkpoint
from pitboss.ledger.consent import CONSENTED, METER, Kinship
from pitboss.ledger.deadlines import patient
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.meters import RESERVE, changed_settings, opened
from pitboss.ledger.meters import Change as MeterChange
from pitboss.ledger.recompute import BY_CHANCE, Books, differences, expected, same_way, shown_entries
from pitboss.ledger.replay import PAGE, replayed, state_hash
from pitboss.ledger.roster import Roster, digest_of
from pitboss.ledger.selfcheck import STARTED, law_files, program_files
from pitboss.ledger.store import HOUSE_STREAM, Reading, Recorded, Store
from pitboss.ledger.stored import Beside, MeterRows, Sealings, fingerprint
from pitboss.meters import UNITS_PER_CENT, Units
from pitboss.money import show_signed
from pitboss.table.codec import decode, encode
from pitboss.table.events import HOUSE, Entry, Event, canonical, joined, meter_account, moved
from pitboss.table.fold import apply
from pitboss.table.permissions import may_consent, why_no_consent
from pitboss.table.roles import Role
from pitboss.table.source import check_deal
from pitboss.table.state import Table
from pitboss.table.voiding import stakes_of

__all__ = ["replayed", "review", "state_hash"]

Progress = Callable[[int, int], None]
"""Called with the number of events reviewed and of all."""

MOST = 20
"""Findings of one code that are spelled out."""
METER_CAUSES = {
    "meter.opened": "seed",
    "meter.incremented": "increments",
    "meter.paid": "awards and reseeds",
    "meter.change-approved": "approved changes",
}
"""The only kinds of event that move money on or off a meter."""
OVER = frozenset({"round.completed", "round.voided"})
WRONG = (AssertionError, AttributeError, LookupError, TypeError, ValueError)
"""What fold and rules raise over a record that cannot have come from them."""


@patient()
def review(
    store: Store,
    progress: Progress | None = None,
    live: Iterable[Table] = (),
    workers: int = 1,
    *,
    full: bool = False,
    keep: bool = False,
) -> tuple[Finding, ...]:
    """Everything that is wrong with a ledger, its books and its rounds; nothing, if all is well.

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
        return findings
    except LedgerError as error:
        return (*findings, Finding("database", "", "a readable database", type(error).__name__, str(error)))
    except WRONG as error:
        sentence = f"the events cannot be read as events, so that nothing could be replayed ({error})"
        return (*findings, Finding("replay-unreadable", "", "readable events", type(error).__name__, sentence))


@dataclass
class _Walk:
    """One table on the way through its events."""

    table: Table
    due: deque[Event] = field(default_factory=deque)
    """What must still follow within the act that is being recorded."""
    act: str = ""
    shown: bool = False
    """Whether the deck of the round was revealed."""
    broken: bool = False


class _Review:
    def __init__(self, store: Store, live: Iterable[Table], since: Checkpoint | None) -> None:
        state = since.state if since else {}
        self.store = store
        self.start = since.seq if since else 0
        self.books = Books(balances=dict(state.get("balances", {})), settings=dict(state.get("settings", {})))
        self.live = {table.id: table for table in live}
        self.walks = {
            stream: _Walk(decode(Table, walk["table"]), shown=walk["shown"])
            for stream, walk in state.get("tables", {}).items()
        }
        answered = state.get("answered", [0, GENESIS.hex()])
        self.answers = Answers(self._add, answered[0], bytes.fromhex(answered[1]))
        self.kinship = Kinship(hands=state.get("hands", {}))
        self.roster = Roster(**state.get("roster", {}))
        self.sealings = Sealings(state.get("published", {}))
        self.meters = MeterRows(state.get("saved", {}))
        self.taken: dict[str, str] = dict(state.get("snapshots", {}))
        """The snapshots that were right, by their fingerprints."""
        self.causes = {account: Counter(of) for account, of in state.get("causes", {}).items()}
        self.said: Counter[str] = Counter()
        self.same_law = self.same_program = True
        self.other_law: set[tuple[str, int]] = set()
        self._law = law_files()
        self._program = program_files()
        self.found: list[Finding] = []

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
        return (*self.found, *self._more())

    def _resume(self, reading: Reading) -> None:
        """The law and the program of the last start before the checkpoint."""
        query = f"SELECT max(seq) FROM events WHERE kind = '{STARTED}' AND stream = '' AND seq <= {self.start}"
        seq = reading.connection.exec_driver_sql(query).scalar()
        if self.start and seq:
            self._house(reading.events(after=seq - 1, limit=1)[0])

    def keep(self) -> None:
        """Leave a checkpoint; an act that is not over, or only a few events, are not worth one."""
        if self.head.seq - self.start < checkpoint.EVERY or any(walk.due for walk in self.walks.values()):
            return
        with self.store.reading() as reading:
            at = reading.events(after=self.head.seq - 1, limit=1)[0].at
        live = {digest_of(row["token"]) for row in self.beside.sessions}
        self.roster.sessions = {session: of for session, of in self.roster.sessions.items() if session in live}
        state = {
            "balances": self.books.balances,
            "settings": self.books.settings,
            "tables": {
                stream: {"table": encode(walk.table), "shown": walk.shown} for stream, walk in self.walks.items()
            },
            "answered": [self.answers.seq, self.answers.digest.hex()],
            "roster": asdict(self.roster),
            "hands": self.kinship.as_dict(),
            "published": self.sealings.published,
            "saved": self.meters.saved,
            "snapshots": self.taken,
            "causes": self.causes,
        }
        checkpoint.keep(self.store, self.head.seq, self.head.hash.hex(), state, at)

    # One event

    def _take(self, event: Recorded, reading: Reading) -> None:
        self.answers.follow(event, reading)
        self.sealings.follow(event)
        if event.stream == HOUSE_STREAM:
            self.roster.follow(event)
            self.meters.follow(event)
            self._house(event)
        else:
            walk = self.walks.setdefault(event.stream, _Walk(Table(event.stream)))
            if not walk.broken:
                self._table(walk, event)
        for entry in event.entries:
            if entry.account.startswith("meter:"):
                self._on_meter(event, entry)
        self.books.post(event.entries)

    def _table(self, walk: _Walk, event: Recorded) -> None:
        number = _round(walk.table)
        if event.round != number:
            self._say(
                "replay-round", f"round {number}", f"round {event.round}", event,
                f"it stands under round {event.round}, but belongs to round {number}",
            )  # fmt: skip
        if self.same_law:
            self._recompute(walk, event)
        elif event.kind in OVER:
            self.other_law.add((event.stream, number))
        try:
            if event.kind == "deck.revealed":
                self._deal(walk, event)
            elif event.kind == "deck.lost":
                walk.shown = True
                self._say(
                    "deck-lost", event.data["commitment"], "no deck", event,
                    f"the {event.data['deck']} deck was no longer under seal, so that its deal cannot be proved",
                    "note",
                )  # fmt: skip
            elif event.kind == "bets.closed":
                walk.shown = False
            if event.kind == "round.completed" and self.same_law:
                self._unsettled(walk, event)
            if event.kind == "round.voided":
                self._alone(walk, event)
            if event.kind in OVER and walk.table.source == "virtual" and not walk.shown:
                self._say("deal-unproved", "a revealed deck", "none", event, "the deck of its round was never revealed")
            walk.table = apply(walk.table, event.kind, event.data)
        except WRONG as error:
            walk.broken = True
            self._say(
                "replay-fold", "an event that can follow", event.kind, event,
                f"{event.kind} cannot follow on what stands before it ({error!r}); the rest of {event.stream} was not "
                "replayed",
            )  # fmt: skip
            return
        self._compare(walk, event)

    def _unsettled(self, walk: _Walk, event: Recorded) -> None:
        """Every stake of a round that was played to its end left the layout with exactly one line."""
        play = walk.table.play
        assert play is not None
        settled = [(line.seat, line.settles) for line in play.lines if line.settles]
        for seat, wager, sentence in stake_faults(stakes_of(walk.table, play), settled):
            self._say("stake-unsettled", f"one line for {wager} of seat {seat}", "not one", event, sentence)

    def _alone(self, walk: _Walk, event: Recorded) -> None:
        """A round is void after the reveal by two people; events without a salt are older than that rule."""
        play = walk.table.play
        if play is not None and play.revealed and event.salt and not event.request.startswith(CONSENTED):
            sentence = "a round whose dealer's cards were revealed was made void without a second person's consent"
            self._say("two-people", "a consent", event.actor, event, sentence)

    def _compare(self, walk: _Walk, event: Recorded) -> None:
        """Hold the folded table against a snapshot and against the running program."""
        snapshot = self.snapshots.get(event.stream)
        if snapshot is not None and snapshot[0] == event.seq:
            self.snapshots[event.stream] = None
            self.taken[event.stream] = fingerprint(snapshot)
            if _as_now(snapshot[1]) != canonical(encode(walk.table)):
                self._say(
                    "snapshot", state_hash(walk.table), _hash_of(snapshot[1]), event,
                    f"the snapshot of {event.stream} taken after it is not what the events fold to",
                )  # fmt: skip
        live = self.live.get(event.stream)
        if live is not None and live.events == walk.table.events and live != walk.table:
            self._say(
                "live", state_hash(walk.table), state_hash(live), event,
                f"the program holds {event.stream} otherwise than the events fold to",
            )  # fmt: skip

    def _recompute(self, walk: _Walk, event: Recorded) -> None:
        if walk.due and walk.act != event.request:
            self._missing(walk, event)
        if event.kind in BY_CHANCE:
            self._free(event)
            return
        if not walk.due:
            try:
                ways = expected(walk.table, event, self.books)
            except WRONG as error:
                self._say(
                    "replay-event", "an act the rules allow", event.kind, event,
                    f"the rules cannot arrive at {event.kind} here ({error!r})",
                )  # fmt: skip
                return
            if not ways:
                self._free(event)
                return
            walk.due, walk.act = deque(same_way(ways, event, strict=self.same_program)), event.request
        if not walk.due:
            self._differs(event, {"kind": ("no such event", event.kind)})
            return
        odd = differences(walk.due.popleft(), event, strict=self.same_program)
        if odd:
            if "kind" in odd:
                walk.due.clear()
            self._differs(event, odd)

    def _free(self, event: Recorded) -> None:
        """What no rule fixes moves no money."""
        if event.entries:
            found = shown_entries(event.entries)
            self._say("replay-money", "no money", found, event, f"{event.kind} moves money, which no rule makes it do")

    def _differs(self, event: Recorded, odd: Mapping[str, tuple[Any, Any]]) -> None:
        is_line = event.kind == "line.settled"
        what = f"{event.data['wager']} of seat {event.data['seat']}" if is_line else event.kind
        parts = [
            f"{name} is {_said(name, found)} where the rules give {_said(name, due)}"
            for name, (due, found) in odd.items()
        ]
        name, (due, found) = next(iter(odd.items()))
        code = "replay-line" if is_line else "replay-event"
        self._say(
            code, f"{name} {_said(name, due)}", f"{name} {_said(name, found)}", event, f"{what}: {'; '.join(parts)}"
        )

    def _missing(self, walk: _Walk, event: Recorded) -> None:
        kinds = ", ".join(dict.fromkeys(due.kind for due in walk.due))
        walk.due.clear()
        self._say(
            "replay-missing", kinds, event.kind, event, f"by the rules {kinds} must come before it, and does not"
        )  # fmt: skip

    def _deal(self, walk: _Walk, event: Recorded) -> None:
        """The cards against the commitment that was published before they were dealt."""
        play, deck = walk.table.play, walk.table.deck
        assert play is not None
        assert deck is not None
        walk.shown = True
        data = event.data
        said = (data["commitment"], list(data["cuts"]), data["left_deck"], data["deck"])
        folded = (deck.commitment, list(deck.cuts), show_cards(play.left_deck), walk.table.active)
        for name, one, other in zip(("commitment", "cuts", "cards dealt", "deck"), folded, said, strict=True):
            if one != other:
                self._say(
                    "deal", str(one), str(other), event, f"the {name} disclosed differ from those recorded before"
                )
        for finding in check_deal(
            deck.commitment, parse_cards(data["cards"]), bytes.fromhex(data["salt"]), deck.cuts, play.left_deck
        ):
            self._say(finding.code, finding.expected, finding.found, event, finding.sentence)

    # The house and its meters

    def _house(self, event: Recorded) -> None:
        data = event.data
        self.kinship.follow(event)
        if event.kind == "consent.given":
            self._by_two(event, data["act"])
        elif event.kind == STARTED:
            self.same_law = data.get("law", self._law) == self._law
            self.same_program = self.same_law and data.get("program", self._program) == self._program
        elif event.kind == "meter.opened":
            self._money(event, opened(data["meter"], data["settings"]).entries)
            self.books.set_meter(data["meter"], data["settings"])
        elif event.kind == "meter.change-approved":
            self._changed_meter(event, data["meter"], decode(MeterChange, data["change"]))

    def _by_two(self, event: Recorded, act: str) -> None:
        """Consent of somebody who could give it, and who was independent of whoever asked.

        The first version, whose events have no salt, only asked that the two be different.
        """
        family = self.kinship if event.salt else Kinship()
        refused = family.why_not_both(act, event.data["by"], event.actor)
        if refused is None and event.salt and not may_consent(Role(event.role), act):
            refused = why_no_consent(Role(event.role), act)
        if refused is not None:
            self._say(refused.code, refused.expected, event.actor, event, refused.sentence)

    def _changed_meter(self, event: Recorded, meter: str, change: MeterChange) -> None:
        settings = self.books.settings.get(meter)
        if settings is None:
            self._say("meter", "a meter that was opened", meter, event, f"the meter {meter} was never opened")
            return
        self._by_two(event, METER)
        held = {tier: self.books.balance(meter_account(meter, tier)) for tier in (*settings["seed"], RESERVE)}
        parts = [
            moved(HOUSE, meter_account(meter, tier), amount * UNITS_PER_CENT - held[tier])
            for tier, amount in change.amounts.items()
        ]
        if change.transfer_to:
            parts += [
                moved(meter_account(meter, tier), meter_account(change.transfer_to, tier), units)
                for tier, units in held.items()
            ]
        self._money(event, joined(parts))
        self.books.set_meter(meter, changed_settings(settings, change))

    def _money(self, event: Recorded, wanted: tuple[Entry, ...]) -> None:
        odd = differences(Event(event.kind, event.data, event.cites, wanted), event)
        if odd:
            self._differs(event, odd)

    def _on_meter(self, event: Recorded, entry: Entry) -> None:
        if event.kind not in METER_CAUSES:
            self._say(
                "meter-moved", " or ".join(METER_CAUSES), event.kind, event,
                f"{event.kind} moves money on {entry.account}",
            )  # fmt: skip
        self.causes.setdefault(entry.account, Counter())[event.kind] += entry.units

    # The end

    def _finish(self) -> None:
        for walk in self.walks.values():
            if walk.due:
                kinds = ", ".join(dict.fromkeys(due.kind for due in walk.due))
                sentence = f"the last act at {walk.table.id} is not complete: {kinds} must follow"
                self._add(Finding("replay-missing", "", kinds, "the end", sentence, walk.table.id))
        for stream, snapshot in self.snapshots.items():
            if snapshot is not None and not self.walks.get(stream, _Walk(Table(stream))).broken:
                sentence = f"the snapshot of {stream} claims to follow event {snapshot[0]}, which is none of its events"
                self._add(Finding("snapshot", "", f"an event of {stream}", f"event {snapshot[0]}", sentence, stream))
        for stream in sorted(self.unsnapped):
            self._add(Finding("snapshot", "", "a snapshot", "none", f"the snapshot of {stream} is gone", stream))
        self._finish_meters(self.beside.held)
        self.answers.finish()
        for finding in (
            *self.meters.findings(self.beside.meters, self.books.settings),
            *self.sealings.findings(self.beside.sealed),
            *self.roster.findings(self.beside.people, self.beside.sessions),
        ):
            self._add(finding)
        if self.other_law:
            count = len(self.other_law)
            sentence = f"{count} rounds were settled under other law data than this program's: replayed, not recomputed"
            self._add(Finding("law-differs", "", "the law data of that day", "other", sentence, severity="note"))

    def _finish_meters(self, stored: Mapping[str, Units]) -> None:
        for account in sorted({*stored, *self.causes}):
            causes = self.causes.get(account, Counter())
            total = sum(causes.values())
            if stored.get(account, 0) != total:
                parts = " ".join(f"{units:+d} {METER_CAUSES.get(kind, kind)}" for kind, units in causes.items()) or "0"
                sentence = f"{account} stands at {stored.get(account, 0)} units; its events give {parts} = {total}"
                self._add(Finding("meter-balance", "", str(total), str(stored.get(account, 0)), sentence, account))

    def _say(self, code: str, due: str, found: str, event: Recorded, what: str, severity: Severity = "error") -> None:
        place = f"round {event.round} of {event.stream}" if event.stream else "the house"
        cite = event.cites[0] if event.cites else ""
        self._add(Finding(code, cite, due, found, f"{place}: {what}", f"event {event.seq}", severity))

    def _add(self, finding: Finding) -> None:
        self.said[finding.code] += 1
        if self.said[finding.code] <= MOST:
            self.found.append(finding)

    def _more(self) -> Iterator[Finding]:
        for code, count in self.said.items():
            if count > MOST:
                yield Finding(code, "", "0", str(count), f"and {count - MOST} more findings {code}")


def _round(table: Table) -> int:
    """The round that an event belongs to: the one in play, or else the next."""
    return table.play.number if table.play is not None else table.rounds + 1


def _said(name: str, value: Any) -> str:
    return show_signed(value) if name in ("net", "stake", "amount") and isinstance(value, int) else str(value)


def _as_now(state: str) -> str:
    """A snapshot as this version would write it: an older one lacks what tables have learned since."""
    try:
        return canonical(encode(decode(Table, json.loads(state))))
    except WRONG:
        return state


def _hash_of(state: str) -> str:
    try:
        return state_hash(decode(Table, json.loads(state)))
    except WRONG:
        return "unreadable"
