"""The whole check of a ledger: the chain, the anchors beside it, the money, and the guards of the database."""

import secrets
from collections.abc import Iterator, Sequence

from sqlalchemy import Connection, Table

from pitboss.findings import Finding, Severity, refusal
from pitboss.ledger import queries
from pitboss.ledger.anchor import Contents, Mark, mark_of
from pitboss.ledger.blueprint import verify_schema
from pitboss.ledger.chain import GENESIS, verify_links, verify_numbers
from pitboss.ledger.checkpoint import Checkpoint
from pitboss.ledger.deadlines import patient, until_settled
from pitboss.ledger.engine import is_sqlite
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.kinds.system import AnchorAcknowledged, SystemStarted, of_start
from pitboss.ledger.projections import verify_money
from pitboss.ledger.schema import events, requests
from pitboss.ledger.segments import verify_parts
from pitboss.ledger.store import Reading, Store

MOST_PAGES = 5
REPEATED_MARKS = 100
"""Lines of an anchor, checked before, that are checked again each time."""
WITHOUT = "the chain can still be checked, but not whether its end was cut off or all of it rewritten"
ACKNOWLEDGED = AnchorAcknowledged.KIND
OF_ANCHORS = frozenset(
    {"anchor", "anchor-hash", "anchor-behind", "anchor-begun", "anchor-repaired", "anchor-copy", "tail-missing"}
)
"""Findings about anchors: a named person can acknowledge them, and play goes on."""


@patient()
def audit_store(store: Store, workers: int = 1, since: Checkpoint | None = None) -> tuple[Finding, ...]:
    """Everything that is wrong with a ledger; nothing, if all is well. Others may write meanwhile.

    A long chain is walked by as many processes as there are ``workers``. After a checkpoint only what came ``since`` is
    walked, and some of what came before it, chosen by chance; none of it may be missing.
    """
    findings: list[Finding] = []
    start = since.seq if since else 0
    try:
        before = store.anchor.contents()
        with store.reading() as reading:
            connection = reading.connection
            if since is None:
                findings += verify_file(connection)
            findings += verify_schema(connection)
            findings += verify_parts(store.url, connection, start, workers)
            findings += verify_money(connection, start, since.state["balances"] if since else None)
            if since is not None:
                first, until = since.again
                findings += verify_numbers(connection, "event", events)
                findings += verify_links(connection, first, until)
                findings += verify_money(connection, first, until=until)
            findings += verify_anchors(store, before, reading, start)
    except LedgerError as error:
        findings.append(refusal("database", "a readable database", type(error).__name__, str(error)))
    return tuple(findings)


def anchor_findings(store: Store) -> tuple[Finding, ...]:
    """What is wrong with the anchors, and nothing else."""
    before = store.anchor.contents()
    with store.reading() as reading:
        return tuple(verify_anchors(store, before, reading))


def verify_anchors(store: Store, before: Contents, reading: Reading, since: int = 0) -> Iterator[Finding]:
    """The anchor, as it was read before the transaction began, whether it is behind, and its copies elsewhere."""
    if before.head is not None and before.head.seq and not reading.head.seq:
        sentence = (
            f"this ledger is empty, but the anchor {store.anchor.path} is of one of {before.head.seq} events that lay"
            " here before: put that ledger back, or move the anchor away to start a new one"
        )
        yield refusal("tail-missing", f"event {before.head.seq}", "event 0", sentence)
    else:
        yield from verify_anchor(before, reading.connection, since)
    yield from verify_behind(store, reading)
    yield from verify_copies(store, before, reading, since)


def verify_file(connection: Connection) -> Iterator[Finding]:
    """What SQLite itself finds wrong with its file: pages, indexes, columns that hold what they may not."""
    if is_sqlite(connection):
        for (message,) in connection.exec_driver_sql(f"PRAGMA integrity_check({MOST_PAGES})"):
            if message != "ok":
                yield refusal("database", "ok", message, f"SQLite finds its file damaged: {message}")


def verify_anchor(contents: Contents, connection: Connection, since: int = 0) -> Iterator[Finding]:
    """Hold the anchor, as it was read before the transaction began, against the events and the answers.

    Of its lines up to event ``since``, which an earlier check has come to, only a random sample is checked.
    """
    for sentence in contents.damage:
        yield refusal("anchor", "a whole anchor", "not whole", f"{sentence}: {WITHOUT} before what is left of it")
    marks = sorted({*contents.lines, *([contents.head] if contents.head else [])}, key=lambda mark: mark.place)
    yield from _begun(marks, connection)
    marks = _newer(marks, since)
    yield from _against(connection, "event", events, [(mark.seq, mark.hash) for mark in marks])
    yield from _against(connection, "answer", requests, [(mark.answers, mark.told) for mark in marks if mark.told])
    yield from _times(connection, [mark for mark in marks if mark.at])


def _newer(marks: Sequence[Mark], since: int) -> list[Mark]:
    older = [mark for mark in marks if mark.seq <= since]
    chosen = secrets.SystemRandom().sample(older, min(len(older), REPEATED_MARKS))
    return sorted((*chosen, *(mark for mark in marks if mark.seq > since)), key=lambda mark: mark.place)


def _against(connection: Connection, noun: str, table: Table, marks: list[tuple[int, str]]) -> Iterator[Finding]:
    last = queries.last_number(table).run(connection).scalar_one()
    top = max((seq for seq, _ in marks), default=0)
    if top > last:
        missing = f"{noun} {top} was" if top == last + 1 else f"{noun}s {last + 1}–{top} were"
        sentence = f"tail missing: {missing} stored and anchored, but the ledger ends at {noun} {last}"
        yield refusal("tail-missing", f"{noun} {top}", f"{noun} {last}", sentence, f"{noun} {last + 1}")
    for seq, digest in marks:
        if seq <= last:
            row = queries.hash_at(table).run(connection, seq=seq).first()
            stands = GENESIS if seq == 0 else row and bytes(row[0])
            found = f"no {noun}" if stands is None else stands.hex()
            if found != digest:
                sentence = (
                    f"{noun} {seq} does not have the hash that was anchored: "
                    f"it, or something before it and after the anchor's line before, was rewritten"
                )
                yield refusal("anchor-hash", digest, found, sentence, f"{noun} {seq}")
                return


def _times(connection: Connection, marks: list[Mark]) -> Iterator[Finding]:
    """Each mark has the time of what was stored last."""
    for mark in marks:
        stored = [row[0] for row in queries.TIMES.run(connection, event=mark.seq, answer=mark.answers)]
        if stored and mark.at not in stored:
            sentence = f"the anchor's time for event {mark.seq} is not the one that was recorded"
            yield refusal("anchor", stored[0], mark.at, sentence, f"event {mark.seq}")
            return


def verify_behind(store: Store, reading: Reading) -> Iterator[Finding]:
    """The ledger stands where the anchor says, or where it said that a transaction would come to."""
    if (apart := _apart(store, reading)) is not None:
        contents, here = apart
        assert contents.head is not None
        sentence = (
            f"the anchor has come to {contents.head} and the ledger to {here}: the machine stopped before the anchor "
            "reached the disk, or what follows was added from outside, or the anchor is an old one"
        )
        where = f"event {contents.head.seq + 1}"
        yield refusal("anchor-behind", here, contents.head, sentence, where)
    if store.anchor.problem and store.anchor.path.exists():  # one that is missing has been reported
        yield refusal("anchor", "a writable anchor", "not written", store.anchor.problem)


def _apart(store: Store, reading: Reading) -> tuple[Contents, Mark] | None:
    """The anchor and the ledger where the anchor is behind it; nothing if they agree at one moment.

    Other writers move both meanwhile, each a moment after the other: as long as anything moves, both are read again.
    """

    def look_again() -> tuple[Contents, Mark]:
        with store.reading() as later:
            return _both(store, later)

    return until_settled(_both(store, reading), look_again, lambda seen: not _behind(*seen))


def _both(store: Store, reading: Reading) -> tuple[Contents, Mark]:
    """The anchor, read after the ledger: everything that the ledger shows has been announced by then."""
    return store.anchor.contents(), mark_of(reading.head, reading.answers_head(), 0)


def verify_copies(store: Store, anchor: Contents, reading: Reading, since: int = 0) -> Iterator[Finding]:
    """Every place to which heads of the anchor are sent, held against the ledger and against the anchor."""
    started = reading.latest(SystemStarted)
    known, key = (of_start(started.fact, "anchors") if started else None) or ((), "")
    for findings, marks in store.copies.looks(anchor, known, key):
        yield from findings
        heads = [(mark.seq, mark.hash) for mark in _newer(marks, since)]
        yield from _against(reading.connection, "event", events, heads)


def _behind(contents: Contents, here: Mark) -> bool:
    head, following = contents.head, contents.next
    if head is None or head.place >= (here.seq, here.answers if head.told else 0):
        return False
    return not any(mark and mark.agrees(here) for mark in (head, following))


def _begun(marks: list[Mark], connection: Connection) -> Iterator[Finding]:
    """An anchor begins with its ledger, or where somebody acknowledged that the one before was gone."""
    for mark in marks:
        if mark.mark == "begun" and mark.seq:
            by = queries.ACTOR.run(connection, seq=mark.seq, kind=ACKNOWLEDGED).scalar()
            who = f"; {by} has acknowledged that" if by else ", and nobody has acknowledged that"
            sentence = f"the anchor begins at event {mark.seq}{who}; for the events before it, {WITHOUT}"
            severity: Severity = "note" if by else "error"
            yield refusal("anchor-begun", "event 0", f"event {mark.seq}", sentence, severity=severity)
        if mark.mark == "repaired":
            sentence = f"the anchor's head could not be read before event {mark.seq} and was written again"
            yield refusal("anchor-repaired", "a whole head", "damage", sentence)
