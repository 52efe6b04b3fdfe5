"""The chain of hashes over the events: each is the SHA-256 of the one before and of the event's own columns.

The last column is a salt of random bytes. Hashes are shown to everybody, events are not: without a salt, cards that lie
face down would be found by hashing the few hands that are possible. Events written before there were salts have none,
and their text ends with the column before it.
"""

import json
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection, Table

from pitboss.findings import Finding, refusal
from pitboss.ledger import queries
from pitboss.ledger.engine import is_sqlite
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.schema import COLUMNS, events
from pitboss.table.canonical import canonical_whole
from pitboss.table.events import Event
from pitboss.table.happened import stored_text

SEPARATOR = "\x1f"
DIVIDER = SEPARATOR.encode()
GENESIS = bytes(32)
SALT_BYTES = 16
LIMIT = 2**63 - 1
BATCH = 2_000
FRACTION = re.compile(r"\d(?:\.\d|[eE][+-]?\d)")

_listed = json.JSONEncoder(separators=(",", ":")).encode

Row = tuple[Any, ...]


def row_of(
    event: Event,
    previous: bytes,
    salt: str,
    seq: int,
    stream: str,
    number: int,
    at: int,
    actor: str,
    role: str,
    request: str,
) -> Row:
    """All columns of an event, its hash last; what the ledger cannot hold is refused."""
    data = stored_text(event.fact)
    if FRACTION.search(data):
        _refuse_floats(event.data, event.kind)
    total = 0
    for entry in event.entries:
        if type(entry.units) is not int or not -LIMIT <= entry.units <= LIMIT:
            raise LedgerError(f"{event.kind}: {entry.units!r} for {entry.account} is not a whole number of units")
        total += entry.units
    if total:
        raise LedgerError(f"the entries of {event.kind} do not sum to zero")
    cites = _cited(event.cites)
    entries = canonical_whole([(entry.account, entry.units) for entry in event.entries]) if event.entries else "[]"
    row = (seq, stream, number, event.kind, at, actor, role, request, cites, data, entries, salt)
    return (*row, link(previous, text_of(row)))


@lru_cache(maxsize=1024)
def _cited(cites: tuple[str, ...]) -> str:
    """There are only so many paragraphs."""
    return canonical_whole(cites)


def text_of(row: Row) -> bytes:
    """The text that is hashed. A separator inside a field could make two different events read the same."""
    parts = row if row[-1] else row[:-1]
    text = SEPARATOR.join(map(str, parts))
    if text.count(SEPARATOR) != len(parts) - 1 or "\0" in text:
        raise LedgerError(f"event {row[0]} has a control character (U+001F or U+0000) in a name; the ledger refuses it")
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise LedgerError(f"event {row[0]} has half a character (a lone surrogate) in a name") from None


def answer_link(previous: bytes, columns: Sequence[Any]) -> bytes:
    """The hash of an answer: over the one before and its columns in the order of ``ANSWER_COLUMNS``."""
    return sha256(previous + _listed(list(columns)).encode()).digest()


def link(previous: bytes, text: bytes) -> bytes:
    return sha256(previous + text).digest()


def verify_links(connection: Connection, start: int = 0, until: int | None = None) -> Iterator[Finding]:
    """Walk the chain after event ``start`` and name the first event that is not what was recorded.

    The stored hash of ``start`` itself is trusted. The walk ends at the first fault, since all later hashes
    rest on it, or at event ``until``; without one, at the head of the chain, which must say the same.
    """
    previous = GENESIS
    if start:
        row = queries.hash_at(events).run(connection, seq=start).first()
        if row is None:
            yield _missing(start)
            return
        previous = bytes(row[0])
    after, text = start, b""
    cursor = _cursor(connection)
    fresh = sha256().copy  # a copy costs half of what a new object does
    separators = len(COLUMNS) - 2  # and one more where there is a salt
    try:
        span = {"after": start, "until": LIMIT if until is None else until}
        cursor.execute(*queries.LINKS.bound(connection.dialect.name, span))
        while rows := cursor.fetchmany(BATCH):
            for text, stored, _ in rows:
                after += 1
                if text is None:
                    yield _changed(after, "one of its columns is empty")
                    return
                digest = fresh()
                digest.update(previous)
                digest.update(text)
                previous = digest.digest()
                if previous != stored:
                    yield _fault(after, text)
                    return
            # No text has fewer separators than it should; so none has more if all of them together have not.
            due = separators * len(rows) + sum([salted for _, _, salted in rows])
            if b"".join([text for text, _, _ in rows]).count(DIVIDER) != due:
                first = next(at for at, row in enumerate(rows) if row[0].count(DIVIDER) != separators + row[2])
                yield _fault(after - len(rows) + 1 + first, rows[first][0])
                return
    finally:
        cursor.close()
    if after > start and int(text.partition(DIVIDER)[0]) != after:
        yield _first_gap(connection, start)
    elif until is None:
        yield from _head(connection, after, previous)
    elif after < until:
        yield _missing(after + 1)


def verify_numbers(connection: Connection, noun: str, table: Table) -> Iterator[Finding]:
    """No event, or answer, is missing from the numbers 1 to the last; the first that is, is named."""
    count, first, last = queries.numbers(table).run(connection).one()
    if first > 0 and count == last:
        return
    stored = (row[0] for row in queries.numbers_after(table).run(connection, after=-LIMIT))
    missing = next((due for due, seq in enumerate(stored, 1) if seq != due), last + 1)
    sentence = f"{noun} {missing} is missing, or another was put in before it"
    yield refusal("missing", f"{last} {noun}s", count, sentence, f"{noun} {missing}")


def _head(connection: Connection, last: int, digest: bytes) -> Iterator[Finding]:
    """The row that writers go on from says the same as the last event."""
    row = next((row[1:] for row in queries.HEADS.run(connection) if row[0] == 1), None)
    if row is not None and (row[0], bytes(row[1])) == (last, digest):
        return
    expected, where = f"head at event {last}", last
    if row is None:
        found, sentence = "no head", f"the events end at {last}, but the head of the chain is gone"
    elif row[0] > last:
        where = last + 1
        found, sentence = f"head at event {row[0]}", f"event {where} is missing: the head of the chain is at {row[0]}"
    elif row[0] < last:
        where = row[0] + 1
        found, sentence = f"head at event {row[0]}", f"event {where} stands after the head of the chain, at {row[0]}"
    else:
        found, sentence = "another hash", f"the head of the chain does not have the hash of event {last}"
    yield refusal("chain-head", expected, found, sentence, f"event {where}")


def _cursor(connection: Connection) -> Any:
    """PostgreSQL sends rows in portions only to a named cursor, and as they are only to a binary one."""
    raw: Any = connection.connection.dbapi_connection
    if is_sqlite(connection):
        return raw.cursor()
    cursor = raw.cursor(name="chain", binary=True)
    cursor.itersize = BATCH
    return cursor


def _first_gap(connection: Connection, start: int) -> Finding:
    """Right hashes over numbers with a gap: a chain that was rewritten."""
    stored = queries.numbers_after(events).run(connection, after=start)
    for expected, row in enumerate(stored, start + 1):
        if row[0] != expected:
            return _missing(expected)
    return _missing(start + 1)


def _fault(expected: int, text: bytes) -> Finding:
    number = text.partition(DIVIDER)[0].decode(errors="replace")
    if number == str(expected):
        return _changed(expected, "its columns, or those of the one before, do not give its hash")
    if number.removeprefix("-").isdigit() and int(number) > expected:
        return _missing(expected)
    sentence = f"event {number} stands where event {expected} belongs; it was put in afterwards"
    return refusal("chain-inserted", f"event {expected}", f"event {number}", sentence, f"event {number}")


def _changed(seq: int, why: str) -> Finding:
    sentence = f"event {seq} is not what was recorded: {why}"
    return refusal("chain-changed", "the hash of the recorded event", "another", sentence, f"event {seq}")


def _missing(seq: int) -> Finding:
    return refusal("chain-missing", f"event {seq}", "none", f"event {seq} is missing", f"event {seq}")


def _refuse_floats(value: Any, kind: str) -> None:
    if isinstance(value, float):
        raise LedgerError(f"{kind}: {value!r} is a fraction in floating point; the ledger keeps whole numbers and text")
    if isinstance(value, dict):
        for part in value.values():
            _refuse_floats(part, kind)
    elif isinstance(value, list | tuple):
        for part in value:
            _refuse_floats(part, kind)
