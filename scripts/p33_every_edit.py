"""P33: every column, row and order of every table is edited by itself, before and after a checkpoint.

    python scripts/p33_every_edit.py

The edits follow from the schema, so a new table or column is among them: each column changed, the row deleted, copied
under another key, and its contents exchanged with the next row's, for the first, a middle and the last row of every
table. Each is made in a copy of one SQLite ledger with a checkpoint in its middle, guards put back, and verified in
short and in full. The short verification walks only 10 old events and answers again, so that "before the checkpoint"
means what it does in a long ledger. What neither finds must be listed here, with its reason.
"""

import shutil
import sqlite3
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from sqlalchemy import Table
from tests.ledger.house import START, House
from tests.ledger.test_edits import prepare

from pitboss.findings import errors
from pitboss.ledger import checkpoint, schooling
from pitboss.ledger.engine import sqlite_driver
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.people import Person
from pitboss.ledger.review import review
from pitboss.ledger.schema import metadata
from pitboss.ledger.store import Store
from pitboss.school.exams import Exam
from pitboss.school.exercise import grade
from pitboss.table.roles import Role
from scripts.common import Figures

AGAIN = 10
OUT_OF_REACH = {
    "people.failures": "slows down guesses; comes and goes without an event",
    "people.locked_until": "slows down guesses; comes and goes without an event",
    "people.addresses": "slows down guesses; comes and goes without an event",
    "sessions.seen": "idle time; comes and goes without an event",
    "sessions.csrf": "shuts a person out of their own forms",
    "sessions deleted": "looks like a session that has ended",
}
"""As in docs/reliability.md, "What this does not cover"."""


@dataclass(frozen=True)
class Edit:
    name: str
    """The table, and the column or what happens to the row."""
    place: str
    script: str


def prepared(folder: Path) -> None:
    """A house in play, an exam under way, a checkpoint in the middle and a little after it."""
    checkpoint.REPEATED, checkpoint.EVERY = AGAIN, 1
    with Store(f"sqlite:///{folder}/ledger.db", folder / "anchor") as store:
        prepare(store)
        house = House(store, seed=6, now=START + 10**9)
        dealer, floor = house.person(Role.DEALER), house.person(Role.FLOORPERSON)
        schooling.set_exam(store, floor, "Week one", Exam("three-card-poker", date(2024, 6, 1), questions=2), house.now)
        sat = schooling.begin_exam(store, dealer, schooling.exams_set(store)[0], house.now)
        _answer(store, dealer, sat, 1, house.now)
        assert not errors(review(store, keep=True))
        checkpoint.EVERY = 10**9
        house.until("t1", "collecting")
        _answer(store, dealer, sat, 2, house.now)
        assert not errors(review(store))
    connection = sqlite_driver().connect(str(folder / "ledger.db"))
    connection.execute("PRAGMA journal_mode=DELETE")
    connection.close()


def _answer(store: Store, dealer: Person, sat: int, place: int, now: int) -> None:
    exercise = schooling.question(store, schooling.sitting(store, sat), place)
    schooling.answered(store, dealer, grade(exercise, {}), 3, now, sat, place)


def edits(ledger: Path) -> Iterator[Edit]:
    connection = sqlite3.connect(ledger)
    for table in metadata.sorted_tables:
        keys = ", ".join(column.name for column in table.primary_key)
        rowids = [row[0] for row in connection.execute(f"SELECT rowid FROM {table.name} ORDER BY {keys}")]
        places = dict(zip(("first", "middle", "last"), (0, len(rowids) // 2, len(rowids) - 1), strict=True))
        for place, at in {rowids[at]: (name, at) for name, at in places.items()}.values() if rowids else ():
            yield from _of_row(table, place, rowids, at)
    connection.close()


def _of_row(table: Table, place: str, rowids: list[int], at: int) -> Iterator[Edit]:
    name, row = table.name, rowids[at]
    for column in table.columns:
        kind = column.type.python_type
        value = f"{column.name} + 1" if kind is int else "zeroblob(32)" if kind is bytes else f"{column.name} || 'x'"
        yield Edit(f"{name}.{column.name}", place, f"UPDATE {name} SET {column.name} = {value} WHERE rowid = {row}")
    yield Edit(f"{name} deleted", place, f"DELETE FROM {name} WHERE rowid = {row}")
    copied = {column.name: column.name for column in table.columns}
    for column in table.primary_key:
        copied[column.name] = f"{column.name} + 100000" if column.type.python_type is int else f"{column.name} || 'x'"
    if name == "requests":
        copied["key"] = "key || 'x'"
    yield Edit(
        f"{name} copied", place,
        f"INSERT INTO {name} ({', '.join(copied)}) SELECT {', '.join(copied.values())} FROM {name} WHERE rowid = {row}",
    )  # fmt: skip
    others = [column.name for column in table.columns if not column.primary_key]
    if len(rowids) > 1 and others:
        other = rowids[at + 1] if at + 1 < len(rowids) else rowids[at - 1]
        unique = "DROP INDEX requests_key; " if name == "requests" else ""
        again = 'CREATE UNIQUE INDEX requests_key ON requests ("key"); ' if name == "requests" else ""
        sets = ", ".join(
            f"{each} = (SELECT {each} FROM swapped WHERE old = {row + other} - {name}.rowid)" for each in others
        )
        yield Edit(
            f"{name} exchanged", place,
            f"CREATE TEMP TABLE swapped AS SELECT rowid AS old, * FROM {name} WHERE rowid IN ({row}, {other}); {unique}"
            f"UPDATE {name} SET {sets} WHERE rowid IN ({row}, {other}); {again}DROP TABLE swapped",
        )  # fmt: skip


def make(ledger: Path, edit: Edit) -> bool:
    """Edit with the guards away, and put them back; whether anything changed."""
    connection = sqlite3.connect(ledger)
    guards = list(connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"))
    before = list(connection.execute("SELECT sql FROM sqlite_master ORDER BY name"))
    for name, _ in guards:
        connection.execute(f"DROP TRIGGER {name}")
    kept = {table.name: list(connection.execute(f"SELECT * FROM {table.name}")) for table in metadata.sorted_tables}
    try:
        connection.executescript(edit.script)
    except sqlite3.IntegrityError:
        return False
    changed = any(list(connection.execute(f"SELECT * FROM {name}")) != rows for name, rows in kept.items())
    for _, sql in guards:
        connection.execute(sql)
    connection.commit()
    assert list(connection.execute("SELECT sql FROM sqlite_master ORDER BY name")) == before, edit
    connection.close()
    return changed


def found(folder: Path, *, full: bool) -> bool:
    try:
        with Store(f"sqlite:///{folder}/ledger.db", folder / "anchor", begin=False) as store:
            return bool(errors(review(store, full=full)))
    except LedgerError:
        return True


def main() -> int:
    figures, counts = Figures("P33: every edit of every table"), Counter[str]()
    late: Counter[str] = Counter()
    with tempfile.TemporaryDirectory(prefix="pitboss-") as name:
        whole = Path(name) / "whole"
        whole.mkdir()
        prepared(whole)
        for edit in edits(whole / "ledger.db"):
            folder = Path(name) / "copy"
            shutil.rmtree(folder, ignore_errors=True)
            shutil.copytree(whole, folder)
            if not make(folder / "ledger.db", edit):
                counts["without effect, or refused by the database"] += 1
                continue
            counts["edits"] += 1
            if found(folder, full=False):
                counts["found in short"] += 1
            elif found(folder, full=True):
                counts["found in full only"] += 1
                late[edit.name.partition(" ")[0].partition(".")[0]] += 1
            elif edit.name in OUT_OF_REACH:
                counts["out of reach, as listed"] += 1
            else:
                figures.expect(False, f"{edit.name}, {edit.place} row: nobody finds it")
    for kind, count in counts.items():
        figures.add(kind, count)
    figures.add("in full only, by table", ", ".join(f"{table} {count}" for table, count in late.items()) or "none")
    return figures.show()


if __name__ == "__main__":
    sys.exit(main())
