"""Whoever changes the ledger is found, and what he changed is named."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import Connection, delete, insert, select, update
from tests.ledger.books import fill, intruder

from pitboss.findings import Finding
from pitboss.ledger import segments
from pitboss.ledger.anchor import Contents
from pitboss.ledger.audit import audit_store, verify_anchor
from pitboss.ledger.blueprint import verify_schema
from pitboss.ledger.chain import GENESIS, link, text_of, verify_links
from pitboss.ledger.projections import verify_money
from pitboss.ledger.schema import COLUMNS, balances, chain, entries, events
from pitboss.ledger.segments import verify_parts
from pitboss.ledger.store import Store

TORTURE = os.environ.get("PITBOSS_TORTURE") == "1"
ROUNDS = 1000 if TORTURE else 60
HISTORY = 40


def verify_chain(connection: Connection) -> list[Finding]:
    """The links, and the money that was written out of them."""
    return [*verify_links(connection), *verify_money(connection)]


def edit(connection: Connection, random: Random, last: int) -> int:
    """Change one column of one event."""
    seq = random.randint(1, last)
    column = random.choice([*COLUMNS[1:], "hash"])
    row = connection.execute(select(events).where(events.c.seq == seq)).one()._mapping
    old = row[column]
    new: object
    if isinstance(old, int):
        new = old + random.choice([-1, 1, 1000])
    elif isinstance(old, bytes):
        place = random.randrange(32)
        new = old[:place] + bytes([old[place] ^ 1 << random.randrange(8)]) + old[place + 1 :]
    else:
        place = random.randint(0, len(old))
        new = old[:place] + random.choice("0 x\x1f") + old[place:]
    connection.execute(update(events).where(events.c.seq == seq).values({column: new}))
    return seq


def remove(connection: Connection, random: Random, last: int) -> int:
    seq = random.randint(1, last)
    connection.execute(delete(events).where(events.c.seq == seq))
    return seq


def remove_and_close_up(connection: Connection, random: Random, last: int) -> int:
    """Delete an event and number the rest anew. The last one leaves only the head to tell."""
    seq = random.randint(1, last)
    connection.execute(delete(events).where(events.c.seq == seq))
    shift(connection, seq, -1)
    return seq


def put_in(connection: Connection, random: Random, last: int) -> int:
    """A copy of some event, between two others or at the end."""
    seq = random.randint(1, last + 1)
    row = dict(connection.execute(select(events).where(events.c.seq == random.randint(1, last))).one()._mapping)
    shift(connection, seq, 1)
    previous = connection.execute(select(events.c.hash).where(events.c.seq == seq - 1)).scalar()
    row |= {"seq": seq, "kind": "wager.forged"}
    if random.random() < 0.5:  # a forger who knows how to hash
        row["hash"] = link(previous or GENESIS, text_of(tuple(row[name] for name in COLUMNS)))
        connection.execute(insert(events), [row])
        return seq if seq == last + 1 else seq + 1
    connection.execute(insert(events), [row])
    return seq


def swap(connection: Connection, random: Random, last: int) -> int:
    one, other = sorted(random.sample(range(1, last + 1), 2))
    for seq, to in ((one, 10**6), (other, one), (10**6, other)):
        connection.execute(update(events).where(events.c.seq == seq).values(seq=to))
    return one


def number_anew(connection: Connection, random: Random, last: int) -> int:
    seq = random.randint(1, last)
    connection.execute(update(events).where(events.c.seq == seq).values(seq=last + random.randint(2, 9)))
    return seq


def shift(connection: Connection, first: int, by: int) -> None:
    """In two steps, since no two events can have one number even for a moment."""
    connection.execute(update(events).where(events.c.seq >= first).values(seq=events.c.seq + 10**6))
    connection.execute(update(events).where(events.c.seq >= 10**6).values(seq=events.c.seq - 10**6 + by))


@pytest.mark.parametrize("mutate", [edit, remove, remove_and_close_up, put_in, swap, number_anew])
def test_a_changed_event_is_named(store: Store, mutate: Callable[[Connection, Random, int], int]) -> None:
    fill(store, HISTORY)
    with store.reading() as reading:
        last = reading.head.seq
        assert verify_chain(reading.connection) == []
    random = Random(mutate.__name__)
    missed = []
    for _ in range(-(-ROUNDS // 6)):
        with intruder(store) as connection:
            seq = mutate(connection, random, last)
            found = next(verify_links(connection), None)
            middle = random.randint(1, last - 1)
            first, *_ = [*verify_links(connection, 0, middle), *verify_links(connection, middle), None]
        missed += [(seq, each) for each in (found, first) if each is None or each.where != f"event {seq}"]
        if found is not None and str(seq) not in found.sentence:
            missed.append((seq, found))
    assert missed == []
    assert audit_store(store) == ()


@pytest.mark.parametrize("column", [*COLUMNS[1:], "hash"])
def test_every_column_is_under_the_hash(store: Store, column: str) -> None:
    fill(store, 4)
    with intruder(store) as connection:
        row = connection.execute(select(events).where(events.c.seq == 2)).one()._mapping
        old = row[column]
        new = old + 1 if isinstance(old, int) else bytes(32) if isinstance(old, bytes) else old + " "
        connection.execute(update(events).where(events.c.seq == 2).values({column: new}))
        assert [finding.where for finding in verify_links(connection)] == ["event 2"]


def test_a_field_cannot_move_into_its_neighbour(store: Store) -> None:
    """An empty actor and a role that says both would give the same text."""
    fill(store, 4)
    with intruder(store) as connection:
        connection.exec_driver_sql("ALTER TABLE events ALTER COLUMN actor DROP NOT NULL")
        connection.execute(update(events).where(events.c.seq == 3).values(actor=None, role="dealer-1\x1fdealer"))
        assert [finding.where for finding in verify_links(connection)] == ["event 3"]


MONEY: dict[str, tuple[Callable[[Connection], object], str]] = {
    "units": (lambda c: c.execute(update(entries).where(entries.c.seq == 1).values(units=0)), "money-entries"),
    "account": (lambda c: c.execute(update(entries).where(entries.c.seq == 1).values(account="x")), "money-entries"),
    "round": (lambda c: c.execute(update(entries).where(entries.c.seq == 1).values(round=99)), "money-entries"),
    "stream": (lambda c: c.execute(update(entries).where(entries.c.seq == 1).values(stream="t9")), "money-entries"),
    "line": (lambda c: c.execute(delete(entries).where(entries.c.seq == 1, entries.c.line == 1)), "money-entries"),
    "lines": (lambda c: c.execute(delete(entries).where(entries.c.seq == 1)), "money-entries"),
    "more": (lambda c: c.execute(insert(entries).values(seq=1, line=9, account="x", units=1, stream="t1", round=0,
                                                              balance=1)), "money-entries"),
    "beyond": (lambda c: c.execute(insert(entries).values(seq=999, line=0, account="x", units=1, stream="", round=0,
                                                                balance=1)), "money-entries"),
    "running": (lambda c: c.execute(update(entries).where(entries.c.seq == 1).values(balance=7)), "money-entries"),
    "balance": (lambda c: c.execute(update(balances).where(balances.c.account == "layout:t1").values(units=1)),
                "money-balance"),
    "no balance": (lambda c: c.execute(delete(balances).where(balances.c.account == "layout:t1")), "money-balance"),
    "another": (lambda c: c.execute(insert(balances).values(account="thief", units=5)), "money-balance"),
    "head": (lambda c: c.execute(update(chain).values(seq=chain.c.seq + 1)), "chain-head"),
    "head behind": (lambda c: c.execute(update(chain).values(seq=chain.c.seq - 1)), "chain-head"),
    "head hash": (lambda c: c.execute(update(chain).values(hash=bytes(32))), "chain-head"),
    "no head": (lambda c: c.execute(delete(chain)), "chain-head"),
}  # fmt: skip


@pytest.mark.parametrize("change", MONEY)
def test_what_is_written_out_of_the_events_is_checked(store: Store, change: str) -> None:
    fill(store, 6)
    mutate, code = MONEY[change]
    with intruder(store) as connection:
        mutate(connection)
        findings = verify_chain(connection)
    assert findings
    assert findings[0].code == code
    assert audit_store(store) == ()


def test_a_forged_event_that_makes_money_is_found(store: Store) -> None:
    """The hash is right, the sum is not."""
    fill(store, 3)
    with intruder(store) as connection:
        head = connection.execute(select(chain).where(chain.c.id == 1)).one()
        row = (head.seq + 1, "t1", 1, "gift", 1, "x", "dealer", "", "[]", "{}", '[["player:p1",5]]', "")
        digest = link(head.hash, text_of(row))
        connection.execute(insert(events), [dict(zip((*COLUMNS, "hash"), (*row, digest), strict=True))])
        connection.execute(update(chain).where(chain.c.id == 1).values(seq=head.seq + 1, hash=digest))
        assert list(verify_links(connection)) == []
        codes = {finding.code for finding in verify_chain(connection)}
    assert codes == {"money-sum", "money-entries", "money-balance"}


@pytest.mark.parametrize("joined", COLUMNS[5:-1])
def test_no_other_row_has_the_same_text(store: Store, joined: str) -> None:
    """Two columns made into one with a separator inside, all later ones moved up, no salt: every hash stays right."""
    fill(store, 3)
    with intruder(store) as connection:
        row = dict(connection.execute(select(events).where(events.c.seq == 2)).one()._mapping)
        place = COLUMNS.index(joined)
        fields = [row[name] for name in COLUMNS]
        moved = [*fields[:place], f"{fields[place]}\x1f{fields[place + 1]}", *fields[place + 2 :], ""]
        connection.execute(update(events).where(events.c.seq == 2).values(dict(zip(COLUMNS, moved, strict=True))))
        assert [finding.where for finding in verify_links(connection)] == ["event 2"]


def test_every_event_has_a_salt_of_its_own(store: Store) -> None:
    fill(store, 10)
    with store.reading() as reading:
        salts = [event.salt for event in reading.events()]
    assert len({salt for salt in salts if len(salt) == 32}) == len(salts)


def test_only_the_later_part_is_checked_on_demand(store: Store) -> None:
    fill(store, 10)
    with intruder(store) as connection:
        connection.execute(update(events).where(events.c.seq == 3).values(actor="x"))
        assert [finding.where for finding in verify_links(connection, 2)] == ["event 3"]
        assert list(verify_links(connection, 3)) == []
        assert [finding.code for finding in verify_links(connection, 10**6)] == ["chain-missing"]


@pytest.mark.parametrize("seq", [None, 1, 15, 16, 30, 31])
def test_several_processes_find_the_same(store: Store, seq: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the parts meet is shown with threads, which start at once; one of the cases has processes."""
    if seq != 16:
        monkeypatch.setattr(segments, "ProcessPoolExecutor", lambda workers, *_: ThreadPoolExecutor(workers))
    fill(store, HISTORY)
    if seq is not None:
        with intruder(store, commit=True) as connection:
            connection.execute(update(events).where(events.c.seq == seq).values(actor="x"))
    with store.reading() as reading:
        found = list(verify_parts(store.url, reading.connection, workers=3, smallest=10))
        assert found == list(verify_links(reading.connection))
    assert [finding.where for finding in found] == ([] if seq is None else [f"event {seq}"])


def cut(connection: Connection, last: int) -> None:
    """Cut off all after an event, leaving everything consistent."""
    connection.execute(delete(events).where(events.c.seq > last))
    connection.execute(delete(entries).where(entries.c.seq > last))
    digest = connection.execute(select(events.c.hash).where(events.c.seq == last)).scalar_one() if last else GENESIS
    connection.execute(update(chain).values(seq=last, hash=digest))
    project(connection)


def project(connection: Connection) -> None:
    connection.execute(delete(balances))
    connection.exec_driver_sql("INSERT INTO balances SELECT account, sum(units) FROM entries GROUP BY account")


def write_anew(connection: Connection, first: int) -> None:
    """Change who did something, and hash everything after it again."""
    connection.execute(update(events).where(events.c.seq == first).values(actor="somebody-else"))
    previous = connection.execute(select(events.c.hash).where(events.c.seq == first - 1)).scalar() or GENESIS
    for row in connection.execute(select(events).where(events.c.seq >= first).order_by(events.c.seq)).all():
        previous = link(previous, text_of(tuple(getattr(row, name) for name in COLUMNS)))
        connection.execute(update(events).where(events.c.seq == row.seq).values(hash=previous))
    connection.execute(update(chain).values(hash=previous))


def against(contents: Contents, connection: Connection) -> list[Finding]:
    return [finding for finding in verify_anchor(contents, connection) if finding.severity == "error"]


def test_a_cut_tail_is_found_by_the_anchor(store: Store) -> None:
    fill(store, HISTORY)
    contents = store.anchor.contents()
    assert contents.head is not None
    last = contents.head.seq
    for left in (0, 1, last // 2, last - 2, last - 1):
        with intruder(store) as connection:
            cut(connection, left)
            assert verify_chain(connection) == []
            (finding,) = against(contents, connection)
        assert finding.code == "tail-missing"
        missing = f"event {last}" if left == last - 1 else f"events {left + 1}–{last}"
        assert f"tail missing: {missing} " in finding.sentence


def test_a_whole_chain_written_anew_is_found_by_the_anchor(store: Store) -> None:
    fill(store, 120)
    store.anchor.flush()
    contents = store.anchor.contents()
    assert contents.head is not None
    lines = [mark.seq for mark in contents.lines if mark.seq]
    assert len(lines) >= 2
    for first in (1, lines[0], lines[0] + 1, contents.head.seq):
        with intruder(store) as connection:
            write_anew(connection, first)
            assert verify_chain(connection) == []
            (finding,) = against(contents, connection)
        assert finding.code == "anchor-hash"
        assert finding.where == f"event {min(seq for seq in [*lines, contents.head.seq] if seq >= first)}"


def test_the_lines_alone_suffice(store: Store) -> None:
    """The head of the anchor may be lost; then what came before the last line is still held."""
    fill(store, 120)
    whole = store.anchor.contents()
    contents = Contents(None, whole.lines, ())
    line = max(mark.seq for mark in contents.lines)
    with intruder(store) as connection:
        cut(connection, line - 1)
        assert [finding.code for finding in against(contents, connection)] == ["tail-missing"]
    with intruder(store) as connection:
        write_anew(connection, line)
        assert [finding.where for finding in against(contents, connection)] == [f"event {line}"]


def test_missing_guards_are_found(store: Store) -> None:
    with intruder(store) as connection:
        assert {finding.code for finding in verify_schema(connection)} == {"guard"}
    with store.reading() as reading:
        assert list(verify_schema(reading.connection)) == []


def test_bytes_of_the_file_itself(sqlite_url: str, tmp_path: Path) -> None:
    """Flip a bit of a recorded text in the file, past the database."""
    with Store(sqlite_url) as store:
        fill(store, HISTORY)
    whole = (tmp_path / "ledger.db").read_bytes()
    random = Random(3)
    for number in range(-(-ROUNDS // 6)):
        seq = random.randrange(HISTORY)
        copy = tmp_path / f"copy-{number}.db"
        copy.write_bytes(whole.replace(b"key-%d[" % seq, b"Key-%d[" % seq))
        with Store(f"sqlite:///{copy}") as store:
            found = [finding for finding in audit_store(store) if finding.code.startswith("chain")]
            with store.reading() as reading:
                changed = min(event.seq for event in reading.events() if event.request == f"Key-{seq}")
        assert [finding.where for finding in found] == [f"event {changed}"]
