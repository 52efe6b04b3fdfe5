"""What somebody with access to the files can change without writing everything anew: every kind of it is found.

Each edit is one line, made in a copy of one prepared ledger. What is out of reach stands in docs/reliability.md.
"""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select
from tests.ledger.books import disarm
from tests.ledger.forger import Columns, forge
from tests.ledger.house import START, House
from tests.postgres import NoPostgresError, drop_database, fresh_database

from pitboss.findings import Finding, FindingsError, errors
from pitboss.ledger import checkpoint
from pitboss.ledger.engine import sqlite_driver
from pitboss.ledger.kinds.meters import MeterAdjustment
from pitboss.ledger.kinds.system import LedgerVerified
from pitboss.ledger.people import Cost, People
from pitboss.ledger.review import review, verify
from pitboss.ledger.schema import requests
from pitboss.ledger.selfcheck import record_start
from pitboss.ledger.store import Store
from pitboss.table.canonical import canonical, digest_of
from pitboss.table.roles import Role

CHEAP = Cost(memory=64, passes=1, lanes=1)
METER = "t1-five_card_progressive"
EVENTS = "stream, round, kind, at, actor, role, request, cites, data, entries"


def prepare(store: Store) -> None:
    """Accounts, log-ins, two tables, one of them in play, a refusal, a void round, a changed meter."""
    record_start(store, at=START - 1, actor="pitboss", role="system")
    house = House(store, seed=5)
    people = People(store, house.clock, CHEAP)
    people.first_administrator("the first of many words", must_change=False)
    for name, role in (("auditor-1", Role.AUDITOR), ("dealer-1", Role.DEALER), ("dealer-2", Role.DEALER)):
        people.create(name, name, role, "seven tall sunflowers", None)
    people.log_in("dealer-1", "seven tall sunflowers", "10.0.0.1")
    people.log_in("dealer-2", "seven tall sunflowers")
    administrator = people.everyone()[0].person
    people.create("dealer-3", "dealer-3", Role.DEALER, "seven tall sunflowers", administrator)
    people.reset_password("dealer-3", administrator)
    people.set_role("dealer-2", Role.FLOORPERSON, administrator)
    house.opened("t1", "three-card-poker").round("t1")
    store.anchor.flush()
    house.opened("t2", "four-card-poker", seats=(3,))
    managers = [house.person(Role.PIT_MANAGER, f"manager-{n}") for n in (1, 2)]
    house.pit.approve(
        house.pit.propose(METER, MeterAdjustment(amounts={"meter": 700_000}, reason="x"), managers[0]), managers[1]
    )
    house.act("t1", Role.PLAYER, "deal", who="p1")
    house.act("t1", Role.DEALER, "wager", seat=1, wager="ante", amount=-5)
    house.wagers("t1").until("t1", "deciding")
    house.wagers("t2")


ROWS = {
    # Events; their guards are put back afterwards
    "event's actor": "UPDATE events SET actor = 'x' WHERE seq = 20",
    "event's role": "UPDATE events SET role = 'auditor' WHERE seq = 20",
    "event's time": "UPDATE events SET at = at + 1 WHERE seq = 20",
    "event's kind": "UPDATE events SET kind = 'note' WHERE seq = 20",
    "event's stream": "UPDATE events SET stream = 't2' WHERE seq = 20",
    "event's round": "UPDATE events SET round = 7 WHERE seq = 20",
    "event's request": "UPDATE events SET request = 'other-key' WHERE request <> ''",
    "event's cites": "UPDATE events SET cites = '[]' WHERE cites <> '[]'",
    "event's data": "UPDATE events SET data = replace(data, 'p1', 'p2') WHERE kind = 'wager.placed'",
    "event's entries": "UPDATE events SET entries = replace(entries, 'player:p1', 'player:p2') WHERE entries <> '[]'",
    "event's hash": "UPDATE events SET hash = zeroblob(32) WHERE seq = 20",
    "event's salt": "UPDATE events SET salt = replace(salt, substr(salt, 1, 1), 'x') WHERE seq = 20",
    "event's salt gone": "UPDATE events SET salt = '' WHERE seq = 20",
    "every salt gone": "UPDATE events SET salt = ''",
    "salt moved into its neighbour": "UPDATE events SET entries = entries || salt, salt = '' WHERE seq = 20",
    "slip's number": "UPDATE events SET data = replace(data, '\"slip\":', '\"slip\":1') "
    "WHERE kind = 'player.bought-in'",
    "slip's day": "UPDATE events SET data = replace(data, '\"day\":\"2', '\"day\":\"1') WHERE kind = 'table.opened'",
    "submission at a table": "UPDATE events SET data = replace(data, 'maximum = ', 'maximum = 1') "
    "WHERE kind = 'table.opened'",
    "event deleted": "DELETE FROM events WHERE seq = 20",
    "first event deleted": "DELETE FROM events WHERE seq = 1",
    "last event deleted": "DELETE FROM events WHERE seq = (SELECT max(seq) FROM events)",
    "events swapped": "UPDATE events SET seq = 10000 WHERE seq = 20; UPDATE events SET seq = 20 WHERE seq = 21; "
    "UPDATE events SET seq = 21 WHERE seq = 10000",
    "event added": f"INSERT INTO events (seq, {EVENTS}, hash) SELECT (SELECT max(seq) + 1 FROM events), {EVENTS}, hash "
    "FROM events WHERE seq = 20",
    "tail cut with its head": "DELETE FROM events WHERE seq > 60; DELETE FROM entries WHERE seq > 60; UPDATE chain SET "
    "seq = 60, hash = (SELECT hash FROM events WHERE seq = 60) WHERE id = 1",
    # Money
    "entry's units": "UPDATE entries SET units = units + 1 WHERE seq = (SELECT max(seq) FROM entries)",
    "entry's account": "UPDATE entries SET account = 'player:p9' WHERE account = 'player:p1'",
    "entry's balance": "UPDATE entries SET balance = balance + 1 WHERE account = 'player:p1'",
    "entry's round": "UPDATE entries SET round = 9 WHERE account = 'player:p1'",
    "entry's stream": "UPDATE entries SET stream = 't9' WHERE account = 'player:p1'",
    "entry's line": "UPDATE entries SET line = 9 WHERE line = 1",
    "entry deleted": "DELETE FROM entries WHERE account = 'player:p1'",
    "entry added": "INSERT INTO entries VALUES (1, 0, 'player:p1', 5, 't1', 0, 5)",
    "balance": "UPDATE balances SET units = units + 1 WHERE account = 'player:p1'",
    "two balances": "UPDATE balances SET units = units + CASE account WHEN 'player:p1' THEN 9 ELSE -9 END "
    "WHERE account IN ('player:p1', 'player:p2')",
    "balance deleted": "DELETE FROM balances WHERE account = 'player:p1'",
    "claim added": "INSERT INTO balances VALUES ('receivable:p1', 5); "
    "UPDATE balances SET units = units - 5 WHERE account = 'house'",
    "chips turned into a claim": "UPDATE entries SET account = 'receivable:p1' WHERE account = 'player:p1'; "
    "UPDATE balances SET account = 'receivable:p1' WHERE account = 'player:p1'",
    "balance added": "INSERT INTO balances VALUES ('player:thief', 5)",
    "meter's amount": "UPDATE balances SET units = units + 1 WHERE account LIKE 'meter:%'",
    # Heads
    "head's number": "UPDATE chain SET seq = seq - 1 WHERE id = 1",
    "head's hash": "UPDATE chain SET hash = zeroblob(32) WHERE id = 1",
    "head deleted": "DELETE FROM chain WHERE id = 1",
    "answers' head's number": "UPDATE chain SET seq = seq - 1 WHERE id = 2",
    "answers' head's hash": "UPDATE chain SET hash = zeroblob(32) WHERE id = 2",
    "answers' head deleted": "DELETE FROM chain WHERE id = 2",
    "third head": "INSERT INTO chain VALUES (3, 0, zeroblob(32))",
    # Answers
    "accepted answer": "UPDATE requests SET answer = replace(answer, 'true', 'false') WHERE status = 200",
    "refused answer": "UPDATE requests SET answer = '{\"ok\": true}' WHERE status = 422",
    "forbidden answer": "UPDATE requests SET answer = '{\"ok\": true}' WHERE status = 403",
    "answer's status": "UPDATE requests SET status = 200 WHERE status = 422",
    "answer's actor": "UPDATE requests SET actor = 'p2' WHERE status = 422",
    "answer's digest": "UPDATE requests SET digest = 'x' WHERE status = 422",
    "answer's time": "UPDATE requests SET at = at + 1 WHERE status = 422",
    "answer's stream": "UPDATE requests SET stream = 't2' WHERE status = 422",
    "answer's key": "UPDATE requests SET key = 'other-key' WHERE status = 422",
    "answer's hash": "UPDATE requests SET hash = zeroblob(32) WHERE status = 422",
    "accepted answer deleted": "DELETE FROM requests WHERE status = 200 AND seq = 5",
    "refused answer deleted": "DELETE FROM requests WHERE status = 422",
    "last answers deleted with their head": "DELETE FROM requests WHERE seq > 20; UPDATE chain SET seq = 20, "
    "hash = (SELECT hash FROM requests WHERE seq = 20) WHERE id = 2",
    "answer added": "INSERT INTO requests SELECT 9999, 'one-more', actor, digest, answer, stream, status, at, hash "
    "FROM requests WHERE seq = 1",
    "answers swapped": "UPDATE requests SET seq = -1 WHERE seq = 3; UPDATE requests SET seq = 3 WHERE seq = 4; "
    "UPDATE requests SET seq = 4 WHERE seq = -1",
    # Sealed decks
    "sealed cards": "UPDATE sealed SET cards = substr(cards, 4) || ' ' || substr(cards, 1, 2)",
    "sealed cards unreadable": "UPDATE sealed SET cards = 'xx'",
    "salt": "UPDATE sealed SET salt = replace(salt, 'a', 'b')",
    "commitment": "UPDATE sealed SET commitment = 'x'",
    "sealed deck deleted": "DELETE FROM sealed WHERE stream = 't1'",
    "sealed deck added": "INSERT INTO sealed SELECT stream, 'green', commitment, cards, salt FROM sealed LIMIT 1",
    "sealed deck for another table": "INSERT INTO sealed SELECT 't9', deck, commitment, cards, salt FROM sealed "
    "LIMIT 1",
    "sealed decks swapped": "UPDATE sealed SET stream = CASE stream WHEN 't1' THEN 't3' ELSE 't1' END; "
    "UPDATE sealed SET stream = 't2' WHERE stream = 't3'",
    # Snapshots
    "snapshot": "UPDATE snapshots SET state = replace(state, '\"rounds\":', '\"rounds\":1')",
    "snapshot's number": "UPDATE snapshots SET seq = seq + 1 WHERE stream = 't1'",
    "snapshot's table": "UPDATE snapshots SET stream = 't9' WHERE stream = 't1'",
    "snapshot deleted": "DELETE FROM snapshots WHERE stream = 't1'",
    "snapshot added": "INSERT INTO snapshots SELECT 't9', seq, state FROM snapshots LIMIT 1",
    # Meters
    "meter's settings": "UPDATE meters SET settings = replace(settings, '\"offered\":', '\"offered\":1')",
    "meter's settings spelled otherwise": "UPDATE meters SET settings = settings || ' '",
    "meter's version": "UPDATE meters SET version = version + 1",
    "meter deleted": "DELETE FROM meters",
    "meter added": "INSERT INTO meters SELECT 'link-9', settings, 1 FROM meters LIMIT 1",
    # Accounts
    "role": "UPDATE people SET role = 'administrator' WHERE id = 'dealer-1'",
    "role set back": "UPDATE people SET role = 'dealer' WHERE id = 'dealer-2'",
    "name": "UPDATE people SET name = 'x' WHERE id = 'dealer-1'",
    "password": "UPDATE people SET password = (SELECT password FROM people WHERE id = 'dealer-1') "
    "WHERE id = 'auditor-1'",
    "account disabled": "UPDATE people SET disabled = 1 WHERE id = 'auditor-1'",
    "account's time": "UPDATE people SET created = created - 1 WHERE id = 'dealer-1'",
    "account's id": "UPDATE people SET id = 'dealer-9' WHERE id = 'dealer-1'",
    "account deleted": "DELETE FROM people WHERE id = 'auditor-1'",
    "account added": "CREATE TEMP TABLE made AS SELECT * FROM people WHERE id = 'administrator'; "
    "UPDATE made SET id = 'thief'; INSERT INTO people SELECT * FROM made; DROP TABLE made",
    "who made the account": "UPDATE people SET made_by = 'dealer-2' WHERE id = 'dealer-1'",
    "who reset the password": "UPDATE people SET reset_by = 'auditor-1' WHERE id = 'dealer-1'",
    "reset forgotten": "UPDATE people SET reset_by = '' WHERE id = 'dealer-3'",
    "password to be changed": "UPDATE people SET must_change = 1 WHERE id = 'dealer-1'",
    "password kept as given": "UPDATE people SET must_change = 0 WHERE id = 'dealer-3'",
    # Sessions
    "session's address": "UPDATE sessions SET address = '10.9.9.9' WHERE person = 'dealer-1'",
    "session's address gone": "UPDATE sessions SET address = '' WHERE person = 'dealer-1'",
    "session's person": "UPDATE sessions SET person = 'administrator'",
    "session's token": "UPDATE sessions SET token = 'x'",
    "session's time": "UPDATE sessions SET created = created + 1",
    "session added": "INSERT INTO sessions (token, person, created, seen, csrf, address) "
    "SELECT 'forged', 'administrator', created, seen, csrf, address FROM sessions LIMIT 1",
    # Checkpoints and revision
    "checkpoint added": "INSERT INTO checkpoints VALUES (50, '{}')",
    "revision": "UPDATE alembic_version SET version_num = '0001x'",
    "revision deleted": "DELETE FROM alembic_version",
    "revision added": "INSERT INTO alembic_version VALUES ('0001')",
}
"""By name, in SQL that both databases understand unless ``zeroblob`` or the schema is in it."""

SCHEMA = {
    "guard against changes gone": "DROP TRIGGER events_no_update",
    "guard against deletion gone": "DROP TRIGGER events_no_delete",
    "guard of the order gone": "DROP TRIGGER events_in_order",
    "guard that does nothing": "DROP TRIGGER events_no_delete; CREATE TRIGGER events_no_delete BEFORE DELETE ON events "
    "BEGIN SELECT 1; END",
    "trigger added": "CREATE TRIGGER helpful AFTER INSERT ON balances BEGIN SELECT 1; END",
    "trigger on sessions": "CREATE TRIGGER promote AFTER INSERT ON sessions BEGIN UPDATE people SET disabled = 0; END",
    "view added": "CREATE VIEW shown AS SELECT * FROM sealed",
    "table added": "CREATE TABLE notes (id INTEGER)",
    "index gone": "DROP INDEX events_round",
    "unique index gone": "DROP INDEX requests_key",
    "unique index made plain": "DROP INDEX requests_key; CREATE INDEX requests_key ON requests (key)",
    "index added": "CREATE INDEX entries_stream ON entries (stream)",
    "column added": "ALTER TABLE people ADD COLUMN note TEXT",
    "column renamed": "ALTER TABLE checkpoints RENAME COLUMN state TO text",
    "table replaced": "DROP TABLE checkpoints; CREATE TABLE checkpoints (seq INTEGER PRIMARY KEY, state TEXT)",
    "user version": "PRAGMA user_version = 7",
    "application id": "PRAGMA application_id = 7",
}


def write(path: Path, data: bytes) -> None:
    path.write_bytes(data)


def flipped(data: bytes, at: int) -> bytes:
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


ANCHOR: dict[str, Callable[[Path, bytes], object]] = {
    "gone": lambda path, _: path.unlink(),
    "empty": lambda path, _: write(path, b""),
    "not an anchor": lambda path, _: write(path, b"hello\n"),
    "head damaged": lambda path, data: write(path, b"?" + data[1:]),
    "next head damaged": lambda path, data: write(path, data[:256] + b"?" + data[257:]),
    "hash in the head": lambda path, data: write(path, flipped(data, data.index(b'"hash":"') + 9)),
    "answers' hash in the head": lambda path, data: write(path, flipped(data, data.index(b'"told":"') + 9)),
    "time in the head": lambda path, data: write(path, flipped(data, data.index(b'"at":') + 8)),
    "lines gone": lambda path, data: write(path, data[:512]),
    "hash in a line": lambda path, data: write(path, flipped(data, data.rindex(b'"hash":"') + 9)),
    "first line gone": lambda path, data: write(path, data[:512] + data[512:].partition(b"\n")[2]),
    "lines in another order": lambda path, data: write(
        path, data[:512] + b"".join(reversed(data[512:].splitlines(keepends=True)))
    ),
    "line damaged": lambda path, data: write(path, data[:600] + b"?" + data[601:]),
    "torn": lambda path, data: write(path, data[:300]),
    "rolled back to a line": lambda path, data: write(path, rolled_back(data)),
    "begun anew": lambda path, data: write(path, begun_anew(data)),
}


def rolled_back(data: bytes) -> bytes:
    """Head and lines as they were when the second line was written."""
    lines = data[512:].splitlines(keepends=True)[:2]
    head = lines[1].replace(b'"line"', b'"head"').strip().ljust(255) + b"\n"
    return head + head.replace(b'"head"', b'"next"') + b"".join(lines)


def begun_anew(data: bytes) -> bytes:
    """As if the anchor had begun where the ledger stands now, without anybody's word for it."""
    line = data[:255].strip().replace(b'"head"', b'"begun"') + b"\n"
    return data[:512] + line


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("prepared")
    with Store(f"sqlite:///{folder}/ledger.db", folder / "anchor") as store:
        prepare(store)
        assert errors(review(store)) == ()
    connection = sqlite_driver().connect(str(folder / "ledger.db"))
    connection.execute("PRAGMA journal_mode=DELETE")
    connection.close()
    return folder


@pytest.fixture
def copied(prepared: Path, tmp_path: Path) -> Path:
    for name in ("ledger.db", "anchor"):
        shutil.copy(prepared / name, tmp_path / name)
    return tmp_path


def run(folder: Path, script: str) -> None:
    connection = sqlite_driver().connect(str(folder / "ledger.db"))
    before = connection.total_changes
    connection.executescript(script)
    assert connection.total_changes > before or not script.lstrip().startswith(("UPDATE", "DELETE", "INSERT"))
    connection.close()


def verified(folder: Path) -> tuple[Finding, ...]:
    """Everything wrong, as a verification tells it or refuses to open the ledger at all."""
    from pitboss.ledger.errors import LedgerError

    try:
        with Store(f"sqlite:///{folder}/ledger.db", folder / "anchor", begin=False) as store:
            return errors(review(store))
    except LedgerError as refused:
        return (Finding("refused", "", "", "", str(refused)),)


def test_nothing_is_found_where_nothing_was_changed(copied: Path) -> None:
    assert verified(copied) == ()


@pytest.mark.parametrize("edit", ROWS)
def test_a_changed_row_is_found(copied: Path, edit: str) -> None:
    driver = sqlite_driver()
    connection = driver.connect(str(copied / "ledger.db"))
    guards = list(connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"))
    connection.close()
    dropped, restored = (
        ";".join(parts) for parts in zip(*((f"DROP TRIGGER {n}", sql) for n, sql in guards), strict=True)
    )
    run(copied, f"{dropped};")
    run(copied, ROWS[edit])
    run(copied, f"{restored};")
    assert verified(copied)


@pytest.mark.parametrize("edit", SCHEMA)
def test_a_changed_schema_is_found(copied: Path, edit: str) -> None:
    run(copied, SCHEMA[edit])
    assert {finding.code for finding in verified(copied)} & {"schema", "guard", "database"}


@pytest.mark.parametrize("edit", ANCHOR)
def test_a_changed_anchor_is_found_and_stops_play(copied: Path, edit: str) -> None:
    path = copied / "anchor"
    ANCHOR[edit](path, path.read_bytes())
    there = path.read_bytes() if path.exists() else None
    assert verified(copied)
    with Store(f"sqlite:///{copied}/ledger.db", path) as store, pytest.raises(FindingsError):
        record_start(store, at=START + 10**9, actor="pitboss", role="system")
    assert (path.read_bytes() if path.exists() else None) == there  # a verification and a start leave it as it is


def without(answers: list[Columns], number: int) -> None:
    del answers[number]


def renumbered(answers: list[Columns]) -> None:
    for seq, answer in enumerate(answers, 1):
        answer["seq"] = seq


def an_accepted_one_more(answers: list[Columns]) -> None:
    answers.append({**answers[at(answers, 422)], "seq": len(answers) + 1, "key": "one-more", "status": 200})


def one_accepted_for_another(answers: list[Columns]) -> None:
    """As many answers as acts, but one of the acts was never answered."""
    answers[at(answers, 422)]["status"] = 200
    without(answers, at(answers, 200))
    renumbered(answers)


def at(answers: list[Columns], status: int) -> int:
    return next(place for place, answer in enumerate(answers) if answer["status"] == status)


def changed(name: str, value: object) -> Callable[[list[Columns]], None]:
    return lambda answers: answers[at(answers, 200)].update({name: value})


ANSWERS: dict[str, tuple[Callable[[list[Columns]], None], str]] = {
    "a refusal gone": (lambda answers: without(answers, at(answers, 422)), "answer request"),
    "one more accepted": (an_accepted_one_more, "request"),
    "an act without an answer": (one_accepted_for_another, "request"),
    "another's answer": (changed("actor", "p2"), "request"),
    "another table's answer": (changed("stream", "t2"), "request"),
    "another moment's answer": (changed("at", START), "request"),
    "of other events": (changed("answer", '{"events":[],"ok":true}'), "request"),
}


@pytest.mark.parametrize("edit", ANSWERS)
def test_answers_that_were_written_anew_with_their_chain_and_anchor_are_found(copied: Path, edit: str) -> None:
    """Here one check stands alone: every hash fits again, so only what the answers say can be wrong."""
    change, codes = ANSWERS[edit]
    with Store(f"sqlite:///{copied}/ledger.db", copied / "anchor") as store:
        forge(store, {}, change)
    assert [finding.code for finding in verified(copied)] == codes.split()


def test_a_refusal_cut_off_the_end_is_known_to_the_anchor_alone(copied: Path) -> None:
    """It left no event and nothing rests on it."""
    with Store(f"sqlite:///{copied}/ledger.db", copied / "anchor") as store:
        House(store, seed=6, now=START + 10**9).act("t1", Role.DEALER, "wager", seat=1, wager="ante", amount=-5)
        assert errors(review(store)) == ()
    run(copied, "DELETE FROM requests WHERE seq = (SELECT max(seq) FROM requests)")
    run(
        copied, "UPDATE chain SET (seq, hash) = (SELECT seq, hash FROM requests ORDER BY seq DESC LIMIT 1) WHERE id = 2"
    )
    assert [finding.code for finding in verified(copied)] == ["tail-missing", "anchor"], "and the time of its head"


def test_an_index_that_points_elsewhere_is_known_to_sqlite_alone(copied: Path) -> None:
    swapped = "SELECT rootpage FROM sqlite_master WHERE name = "
    run(
        copied,
        f"PRAGMA writable_schema = ON; CREATE TEMP TABLE pages AS {swapped}'entries_account'; UPDATE sqlite_master "
        f"SET rootpage = ({swapped}'events_round') WHERE name = 'entries_account'; "
        "UPDATE sqlite_master SET rootpage = (SELECT rootpage FROM pages) WHERE name = 'events_round'",
    )
    assert {finding.code for finding in verified(copied)} == {"database"}


def test_there_are_more_than_eighty() -> None:
    assert len(ROWS) + len(SCHEMA) + len(ANCHOR) > 110


POSTGRES = {
    **{name: sql.replace("zeroblob(32)", "decode(repeat('00', 32), 'hex')") for name, sql in ROWS.items()},
    "trigger disabled": "ALTER TABLE events DISABLE TRIGGER events_no_change",
    "triggers only on replicas": "ALTER TABLE events ENABLE REPLICA TRIGGER events_no_truncate",
    "function replaced": "CREATE OR REPLACE FUNCTION events_refuse() RETURNS trigger LANGUAGE plpgsql AS "
    "$$ BEGIN RETURN NEW;END $$",
    "function added": "CREATE FUNCTION helpful() RETURNS int LANGUAGE sql AS 'SELECT 1'",
    "rule added": "CREATE RULE quiet AS ON INSERT TO sessions DO ALSO SELECT 1",
    "view added": "CREATE VIEW shown AS SELECT * FROM sealed",
    "index gone": "DROP INDEX events_kind",
    "constraint gone": "ALTER TABLE events DROP CONSTRAINT events_hash",
    "column may be empty": "ALTER TABLE people ALTER COLUMN role DROP NOT NULL",
    "column has a default": "ALTER TABLE people ALTER COLUMN disabled SET DEFAULT 0",
    "column's type": "ALTER TABLE people ALTER COLUMN failures TYPE numeric",
    "row security": "ALTER TABLE requests ENABLE ROW LEVEL SECURITY",
    "schema in front": "CREATE SCHEMA hidden; CREATE TABLE hidden.people (id text)",
}


@pytest.fixture(scope="module")
def prepared_postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    try:
        url = fresh_database()
    except NoPostgresError as why:
        pytest.skip(str(why))
    with Store(url, tmp_path_factory.mktemp("postgres") / "anchor") as store:
        prepare(store)
        yield store
    drop_database(url)


def test_changed_rows_and_schema_are_found_on_postgresql(
    prepared_postgres: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each edit inside a transaction that is undone; the verification looks through the same connection."""
    store = prepared_postgres
    assert errors(review(store)) == ()
    missed = []
    for name, script in POSTGRES.items():
        with store.engine.connect().execution_options(purpose="write") as connection, connection.begin() as made:
            with monkeypatch.context() as patch:
                patch.setattr("pitboss.ledger.deadlines.time.sleep", lambda _: None)
                patch.setattr(Store, "reading", lambda _, c=connection: _through(c))
                if name in ROWS:
                    disarm(connection)
                for statement in script.split("; "):
                    connection.exec_driver_sql(statement.replace("%", "%%"))
                if name in ROWS:
                    connection.exec_driver_sql("ALTER TABLE events ENABLE TRIGGER ALL")
                if not errors(review(store)):
                    missed.append(name)
            made.rollback()
    assert missed == []


class _through:  # noqa: N801 - stands for a method
    def __init__(self, connection: Any) -> None:
        self.connection = connection

    def __enter__(self) -> Any:
        from pitboss.ledger.transactions import Reading

        self.reading = Reading(self.connection)
        return self.reading

    def __exit__(self, *_: object) -> None:
        self.reading.close()


# Checkpoints


@pytest.fixture
def checked(copied: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The prepared ledger with a checkpoint at its end, and a little after it."""
    monkeypatch.setattr(checkpoint, "EVERY", 1)
    monkeypatch.setattr(checkpoint, "REPEATED", 1)
    with Store(f"sqlite:///{copied}/ledger.db", copied / "anchor") as store:
        assert errors(review(store, keep=True)) == ()
        monkeypatch.setattr(checkpoint, "EVERY", 10**9)
        house = House(store, seed=6, now=START + 10**9)
        house.until("t1", "collecting")
        assert errors(review(store)) == ()
    return copied


AFTER = {
    "checkpoint changed": "UPDATE checkpoints SET state = replace(state, 'p1', 'p9')",
    "checkpoint deleted": "DELETE FROM checkpoints",
    "checkpoint moved": "UPDATE checkpoints SET seq = seq + 1",
    "another checkpoint": "INSERT INTO checkpoints VALUES (3, '{}')",
    "balance": "UPDATE balances SET units = units + 1 WHERE account = 'player:p1'",
    "late entry": "UPDATE entries SET units = units + 1 WHERE seq = (SELECT max(seq) FROM entries)",
    "late answer": "UPDATE requests SET answer = '{}' WHERE seq = (SELECT max(seq) FROM requests)",
    "role": "UPDATE people SET role = 'administrator' WHERE id = 'dealer-1'",
    "sealed deck deleted": "DELETE FROM sealed WHERE stream = 't1'",
    "meter's version": "UPDATE meters SET version = version + 1",
    "snapshot before it": "UPDATE snapshots SET state = replace(state, '\"rounds\":', '\"rounds\":1')",
}


@pytest.mark.parametrize("edit", AFTER)
def test_an_edit_is_found_from_a_checkpoint_on(checked: Path, edit: str) -> None:
    run(checked, AFTER[edit])
    assert verified(checked)


def test_a_history_written_anew_up_to_the_checkpoint_is_not_the_one_that_was_verified(checked: Path) -> None:
    with Store(f"sqlite:///{checked}/ledger.db", checked / "anchor") as store:
        forge(store, {20: lambda event: event.update(at=event["at"] + 1)})
    assert verified(checked)[0].code == "checkpoint"


def test_what_only_the_checkpoint_knows_has_a_fingerprint(checked: Path) -> None:
    """Who is in whose hands is read from events before it: an account that nobody made could consent to its maker."""
    with Store(f"sqlite:///{checked}/ledger.db", checked / "anchor") as store, store.reading() as reading:
        found, _ = checkpoint.find(reading)
    assert found is not None
    assert found.state["hands"]["dealer-3"] == ["administrator"]
    run(checked, 'UPDATE checkpoints SET state = replace(state, \'"dealer-3":["administrator"]\', \'"dealer-3":[]\')')
    assert [finding.code for finding in verified(checked)] == ["checkpoint"]


def test_a_meter_raised_together_with_its_checkpoint_is_known_to_its_own_count_alone(checked: Path) -> None:
    """Books, chain and anchor agree that the house has put money on the meter; only no event ever moved it there."""
    account, raised = f"meter:{METER}:meter", 10**6
    with Store(f"sqlite:///{checked}/ledger.db", checked / "anchor") as store:
        with store.reading() as reading:
            found, _ = checkpoint.find(reading)
            told = reading.latest(LedgerVerified)
        assert found is not None
        assert told is not None
        balances = dict(found.state["balances"])
        balances |= {account: balances[account] + raised, "house": balances["house"] - raised}
        state = canonical({**found.state, "balances": balances})
        forge(store, {told.seq: lambda event: event["data"].update(state=digest_of(state))})
        with store.engine.connect().execution_options(purpose="write") as connection, connection.begin():
            connection.exec_driver_sql("UPDATE checkpoints SET state = ?", (state,))
            for name, more in ((account, raised), ("house", -raised)):
                connection.exec_driver_sql("UPDATE balances SET units = units + ? WHERE account = ?", (more, name))
                later = "UPDATE entries SET balance = balance + ? WHERE account = ? AND seq > ?"
                connection.exec_driver_sql(later, (more, name, found.seq))
    (wrong,) = verified(checked)
    assert (wrong.code, wrong.where) == ("meter-balance", account)
    assert "approved changes" in wrong.sentence


@pytest.mark.parametrize(
    "edit", ["gone", "hash in the head", "hash in a line", "first line gone", "rolled back to a line"]
)
def test_an_anchor_changed_after_a_checkpoint_is_found(
    checked: Path, edit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the lines before the checkpoint some are looked at, chosen by chance; here none."""
    monkeypatch.setattr("pitboss.ledger.audit.REPEATED_MARKS", 0)
    path = checked / "anchor"
    ANCHOR[edit](path, path.read_bytes())
    assert verified(checked)


def test_an_old_event_changed_after_its_checkpoint_is_found_by_a_full_verification(checked: Path) -> None:
    run(checked, "DROP TRIGGER events_no_update")
    run(checked, "UPDATE events SET actor = 'x' WHERE seq = 20")
    with Store(f"sqlite:///{checked}/ledger.db", checked / "anchor") as store:
        assert {finding.code for finding in errors(review(store))} == {"guard"}
        assert "chain-changed" in {finding.code for finding in errors(review(store, full=True))}


BEFORE = {
    "answers deleted": ("DELETE FROM requests WHERE seq BETWEEN 2 AND 9", "missing"),
    "first answer deleted": ("DELETE FROM requests WHERE seq = 1", "missing"),
    "answer renumbered": ("UPDATE requests SET seq = -4 WHERE seq = 4", "missing"),
    "answer at the checkpoint": ("UPDATE requests SET hash = zeroblob(32) WHERE seq = {last}", "checkpoint"),
    "answer at the checkpoint deleted": ("DELETE FROM requests WHERE seq = {last}", "checkpoint"),
    "contents of the answer at the checkpoint": ("UPDATE requests SET answer = '{{}}' WHERE seq = {last}", "answer"),
    "refusal turned into an acceptance": (
        "UPDATE requests SET status = 200, answer = '{{}}' WHERE seq = {no}",
        "answer",
    ),
    "events deleted": ("DROP TRIGGER events_no_delete; DELETE FROM events WHERE seq BETWEEN 9 AND 12", "missing"),
}


@pytest.mark.parametrize("edit", BEFORE)
def test_an_answer_before_a_checkpoint_is_walked_like_an_event(
    checked: Path, edit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Missing ones are found however old they are; changed ones in the part that is walked again: here all of it."""
    script, code = BEFORE[edit]
    if code != "missing":
        monkeypatch.setattr(checkpoint, "REPEATED", 20_000)
    with Store(f"sqlite:///{checked}/ledger.db", checked / "anchor") as store, store.reading() as reading:
        found, _ = checkpoint.find(reading)
        assert found is not None
        first_refused = select(func.min(requests.c.seq)).where(requests.c.status == 422)
        refused = reading.connection.execute(first_refused).scalar_one()
    assert 20 < refused < found.answers
    run(checked, script.format(last=found.answers, no=refused))
    assert code in {finding.code for finding in verified(checked)}


def test_a_verification_says_what_it_took_from_a_checkpoint(checked: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A refusal turned into an acceptance outside the part that was walked again stands in the sentence."""
    monkeypatch.setattr("pitboss.ledger.checkpoint.secrets.randbelow", lambda _: 9)
    with Store(f"sqlite:///{checked}/ledger.db", checked / "anchor") as store:
        with store.reading() as reading:
            since, _ = checkpoint.find(reading)
            assert since is not None
            events, answers = reading.head.seq, reading.answers_head().seq
        run(checked, "UPDATE requests SET status = 200, answer = '{}' WHERE seq = 2")
        short = verify(store)
        assert short.ok
        assert short.looked == (
            f"Checked and replayed: events {since.seq + 1} to {events} and answers {since.answers + 1} to {answers}. "
            f"Taken from the checkpoint: all before, up to event {since.seq} and answer {since.answers}; its events "
            "and answers were counted and the hashes of event 10 and answer 10 computed again. Not looked at: the "
            f"contents of events 1 to 9 and 11 to {since.seq} and answers 1 to 9 and 11 to {since.answers}, the rounds "
            "and money before the checkpoint. The database's own check of its file was not run. pitboss audit verify "
            "--full checks everything."
        )
        full = verify(store, full=True)
        assert "answer" in {finding.code for finding in full.findings}
        assert full.looked.startswith(f"Everything was checked: {events} events, ")
        monkeypatch.setattr(checkpoint, "REPEATED", 20_000)
        monkeypatch.setattr("pitboss.ledger.checkpoint.secrets.randbelow", lambda below: below - 1)
        whole = verify(store)
        assert "answer 2, under the key" in str(whole.findings)
        assert f"answers 1 to {since.answers} computed again. Not looked at: the rounds and money" in whole.looked
    monkeypatch.setattr(checkpoint, "REPEATED", 5)
    assert checkpoint.repeated(30) == (25, 30), "the last one can be among them"


def test_refusals_alone_leave_a_checkpoint(copied: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Answers that no event rests on are many, too; the next verification goes on after them."""
    with Store(f"sqlite:///{copied}/ledger.db", copied / "anchor") as store:
        monkeypatch.setattr(checkpoint, "EVERY", 1)
        verify(store, keep=True)
        monkeypatch.setattr(checkpoint, "EVERY", 3)
        house = House(store, seed=6, now=START + 10**9)
        for _ in range(3):
            house.act("t1", Role.DEALER, "wager", seat=1, wager="ante", amount=-5)
        verify(store, keep=True)
        with store.reading() as reading:
            found, _ = checkpoint.find(reading)
            assert found is not None
            assert found.answers == reading.answers_head().seq


def test_a_verification_goes_on_from_the_checkpoint(checked: Path) -> None:
    seen: list[int] = []
    with Store(f"sqlite:///{checked}/ledger.db", checked / "anchor") as store:
        with store.reading() as reading:
            found, _ = checkpoint.find(reading)
        assert found is not None
        from pitboss.ledger.review import _Review

        original = _Review._take

        def watch(self: Any, event: Any, reading: Any) -> None:
            seen.append(event.seq)
            original(self, event, reading)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(_Review, "_take", watch)
            assert errors(review(store)) == ()
            assert min(seen) == found.seq + 1
            seen.clear()
            assert errors(review(store, full=True)) == ()
            assert min(seen) == 1


def test_the_prepared_ledger_is_only_its_owners(prepared: Path) -> None:
    assert os.stat(prepared / "anchor").st_mode & 0o077 == 0
