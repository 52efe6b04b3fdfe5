"""The whole check of a ledger: the chain, the anchor beside it, the money, and the guards of the database."""

import time
from collections.abc import Iterator

from sqlalchemy import Connection

from pitboss.findings import Finding
from pitboss.ledger.anchor import Contents, Mark
from pitboss.ledger.deadlines import patient
from pitboss.ledger.engine import is_sqlite
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.projections import verify_money
from pitboss.ledger.segments import verify_parts
from pitboss.ledger.store import Store

GUARDS = {
    "sqlite": frozenset({"events_no_update", "events_no_delete", "events_in_order"}),
    "postgresql": frozenset({"events_no_change", "events_no_truncate"}),
}
"""The triggers that keep events from being changed."""
MOST_PAGES = 5
WITHOUT = "the chain can still be checked, but not whether its end was cut off or all of it written anew"


@patient()
def audit_store(store: Store, workers: int = 1) -> tuple[Finding, ...]:
    """Everything that is wrong with a ledger; nothing, if all is well. Others may write meanwhile.

    A long chain is walked by as many processes as there are ``workers``.
    """
    findings: list[Finding] = []
    try:
        before = store.anchor.contents()
        with store.reading() as reading:
            findings += verify_file(reading.connection)
            findings += verify_guards(reading.connection)
            findings += verify_parts(store.url, reading.connection, workers=workers)
            findings += verify_money(reading.connection)
            findings += verify_anchor(before, reading.connection)
            last = reading.head.seq
        findings += verify_behind(store, last)
    except LedgerError as error:
        findings.append(Finding("database", "", "a readable database", type(error).__name__, str(error)))
    return tuple(findings)


def verify_file(connection: Connection) -> Iterator[Finding]:
    """What SQLite itself finds wrong with its file: pages, indexes, columns that hold what they may not."""
    if is_sqlite(connection):
        for (message,) in connection.exec_driver_sql(f"PRAGMA integrity_check({MOST_PAGES})"):
            if message != "ok":
                yield Finding("database", "", "ok", message, f"SQLite finds its file damaged: {message}")


def verify_guards(connection: Connection) -> Iterator[Finding]:
    """The triggers are there, and enabled."""
    if is_sqlite(connection):
        query = "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'events'"
    else:
        query = "SELECT tgname FROM pg_trigger WHERE tgrelid = 'events'::regclass AND tgenabled IN ('O', 'A')"
    found = {row[0] for row in connection.exec_driver_sql(query)}
    for name in sorted(GUARDS[connection.dialect.name] - found):
        yield Finding("guard", "", name, "missing", f"the trigger {name} that protects the events is gone")


def verify_anchor(contents: Contents, connection: Connection) -> Iterator[Finding]:
    """Hold the anchor, as it was read before the transaction began, against the events."""
    for sentence in contents.damage:
        yield Finding("anchor", "", "a whole anchor", "not whole", f"{sentence}: {WITHOUT} before what is left of it")
    marks = sorted({*contents.lines, *([contents.head] if contents.head else [])}, key=lambda mark: mark.seq)
    last = connection.exec_driver_sql("SELECT coalesce(max(seq), 0) FROM events").scalar_one()
    yield from _notes(marks)
    if marks and marks[-1].seq > last:
        top = marks[-1].seq
        missing = f"event {top}" if top == last + 1 else f"events {last + 1}–{top}"
        sentence = f"tail missing: {missing} were stored and anchored, but the ledger ends at event {last}"
        yield Finding("tail-missing", "", f"event {top}", f"event {last}", sentence, f"event {last + 1}")
    for mark in marks:
        if 0 < mark.seq <= last:
            row = connection.exec_driver_sql(f"SELECT hash FROM events WHERE seq = {mark.seq}").first()
            found = "no event" if row is None else bytes(row[0]).hex()
            if found != mark.hash:
                sentence = (
                    f"event {mark.seq} does not have the hash that was anchored: "
                    f"it, or something before it and after the anchor's line before, was written anew"
                )
                yield Finding("anchor-hash", "", mark.hash, found, sentence, f"event {mark.seq}")
                return


def verify_behind(store: Store, last: int) -> Iterator[Finding]:
    """Events after the anchor's head: a program that stopped right after a commit leaves such, and so does a forger."""
    head = store.anchor.contents().head
    if head is not None and head.seq < last:
        time.sleep(1)  # another writer may stand between its commit and its anchor
        head = store.anchor.contents().head
    if head is not None and head.seq < last:
        yield Finding(
            "anchor-behind",
            "",
            f"event {last}",
            f"event {head.seq}",
            f"events {head.seq + 1}–{last} are not anchored yet: the program stopped right after storing them, "
            "or they were added from outside",
            f"event {head.seq + 1}",
            "note",
        )
    if store.anchor.problem:
        yield Finding("anchor", "", "a writable anchor", "not written", store.anchor.problem)


def _notes(marks: list[Mark]) -> Iterator[Finding]:
    for mark in marks:
        if mark.mark == "begun" and mark.seq:
            sentence = f"the anchor begins at event {mark.seq}; for the events before it, {WITHOUT}"
            yield Finding("anchor-begun", "", "event 0", f"event {mark.seq}", sentence, severity="note")
        if mark.mark == "repaired":
            sentence = f"the anchor's head could not be read before event {mark.seq} and was written again"
            yield Finding("anchor-repaired", "", "a whole head", "damage", sentence, severity="note")
