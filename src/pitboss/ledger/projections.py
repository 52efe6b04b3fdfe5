"""The money of the events, checked against the tables that were written out of them."""

import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any

from sqlalchemy import Connection

from pitboss.findings import Finding, refusal
from pitboss.ledger import queries
from pitboss.ledger.chain import LIMIT
from pitboss.ledger.engine import is_sqlite
from pitboss.meters import Units
from pitboss.table.events import Entry, Event, must_be_empty
from pitboss.table.happened import Plain
from pitboss.table.solvency import faults

MOST = 10
"""Findings of one kind that are spelled out; one fault can otherwise fill a book."""


def verify_money(
    connection: Connection, start: int = 0, held: Mapping[str, Units] | None = None, until: int | None = None
) -> Iterator[Finding]:
    """Every event's entries sum to zero and stand in ``entries`` as they are; ``balances`` are their sums.

    After each event no account is overdrawn and, when a round is over, nothing lies on its layout.

    With each line under its event's own stream and round, zero in each event is zero in each round and in all. The
    balances are only compared when all events are read: from ``start`` 0, or from where the accounts ``held`` so much.
    """
    known = start == 0 or held is not None
    sums: dict[str, Units] = dict(held or {})
    wrong = 0
    for finding in _compared(connection, start, sums, until, known=known):
        wrong += 1
        if wrong <= MOST:
            yield finding
    if wrong > MOST:
        yield refusal("money-entries", "0", wrong, f"and {wrong - MOST} more events whose entries are wrong")
    if known and until is None:
        yield from _balances(connection, sums)


def _compared(
    connection: Connection, start: int, sums: dict[str, Units], until: int | None, *, known: bool
) -> Iterator[Finding]:
    until = LIMIT if until is None else until
    recorded = _rows(connection, queries.MONEY_EVENTS, {"after": start, "until": until}, "money_events")
    # From the beginning on, lines with odd numbers are found too.
    entries = _rows(connection, queries.MONEY_ENTRIES, {"after": start or -LIMIT, "until": until}, "money_entries")
    if not known:  # without the beginning nobody knows what an account held
        entries = ((*row[:-1], 0) for row in entries)
    written = groupby(entries, key=lambda row: row[0])
    seq, lines = _next(written)
    for number, stream, round_number, text, kind in recorded:
        while seq is not None and seq < number:
            yield _odd(seq, "no entries", f"{len(lines)} lines", "entries stands for money that no event moved")
            seq, lines = _next(written)
        expected = [tuple(entry) for entry in json.loads(text)]
        running = []
        for account, units in expected:
            sums[account] = sums.get(account, 0) + units
            running.append(sums[account] if known else 0)
        total = sum(units for _, units in expected)
        if total:
            sentence = f"the entries of event {number} do not sum to zero"
            yield refusal("money-sum", "0", total, sentence, f"event {number}")
        if known:
            moved = tuple(Entry(account, units) for account, units in expected if not total)
            event = Event(Plain(name=kind, values={}), entries=moved)
            for fault in faults(event, sums, must_be_empty(kind, stream)):
                sentence = f"event {number}: {fault.sentence}"
                yield refusal(f"money-{fault.code}", fault.expected, fault.found, sentence, f"event {number}")
        found: list[Any] = []
        if seq == number:
            found = lines
            seq, lines = _next(written)
        wanted = [
            (line, account, units, stream, round_number, running[line])
            for line, (account, units) in enumerate(expected)
        ]
        if [tuple(line[1:]) for line in found] != wanted:
            yield _odd(
                number, f"{wanted}", f"{[tuple(line[1:]) for line in found]}", "entries does not say what it moved"
            )
    while seq is not None:
        yield _odd(seq, "no entries", f"{len(lines)} lines", "entries stands for money that no event moved")
        seq, lines = _next(written)


def _balances(connection: Connection, sums: dict[str, Units]) -> Iterator[Finding]:
    found = {row[0]: row[1] for row in queries.BALANCES.run(connection)}
    wrong = [account for account in sorted({*found, *sums}) if found.get(account) != sums.get(account)]
    for account in wrong[:MOST]:
        stands = "missing" if account not in found else f"{found[account]} units"
        due = f"{sums.get(account, 0)} units"
        sentence = f"the balance of {account} is {stands}; its entries come to {due}"
        yield refusal("money-balance", due, stands, sentence, account)
    if len(wrong) > MOST:
        yield refusal("money-balance", "0", len(wrong), f"and {len(wrong) - MOST} more wrong balances")
    if total := sum(found.values()):
        yield refusal("money-total", "0", total, f"all balances together are {total} units instead of 0")


def _rows(connection: Connection, statement: queries.Statement, values: queries.Values, name: str) -> Iterator[Any]:
    raw: Any = connection.connection.dbapi_connection
    cursor = raw.cursor() if is_sqlite(connection) else raw.cursor(name=name)
    try:
        cursor.execute(*statement.bound(connection.dialect.name, values))
        yield from cursor
    finally:
        cursor.close()


def _next(groups: Iterator[tuple[Any, Iterable[Any]]]) -> tuple[int | None, list[Any]]:
    for seq, lines in groups:
        return seq, list(lines)
    return None, []


def _odd(seq: int, expected: str, found: str, what: str) -> Finding:
    return refusal("money-entries", expected, found, f"event {seq}: {what}", f"event {seq}")
