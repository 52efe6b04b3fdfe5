"""The anchor file: what it says, when it says it, and what is said when it cannot be read."""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from tests.events import event_of
from tests.ledger.books import AT, fill

from pitboss.findings import Finding
from pitboss.ledger import anchor as module
from pitboss.ledger.acknowledging import acknowledge
from pitboss.ledger.anchor import HEAD_BYTES, Anchor, Mark, default_anchor, mark_of, read_anchor, write_anchor
from pitboss.ledger.audit import anchor_findings, audit_store
from pitboss.ledger.engine import read_url
from pitboss.ledger.errors import AnchorError, LedgerError
from pitboss.ledger.people import Person
from pitboss.ledger.store import Head, Store
from pitboss.table.roles import Role

ROOT = Path(__file__).parents[2]


def codes(store: Store) -> list[str]:
    return [finding.code for finding in audit_store(store)]


def at(seq: int) -> Mark:
    return Mark(seq, bytes([seq % 256] * 32).hex(), AT)


def test_the_head_follows_every_commit(store: Store) -> None:
    for number in range(5):
        fill(store, 1, start=number)
        with store.reading() as reading:
            head = reading.head
        assert store.anchor.contents().head == mark_of(head, Head(0, bytes(32)), AT + number)
        assert store.anchor.path.read_bytes()[HEAD_BYTES - 1 : HEAD_BYTES] == b"\n"


def test_nothing_is_anchored_before_it_is_stored(store: Store) -> None:
    seen = {}

    def look(step: str) -> None:
        head = store.anchor.contents().head
        seen[step] = head and head.seq

    store.hook = look
    with store.writing() as writing:
        writing.append([event_of("note")], stream="", round=0, actor="x", role="system", at=AT)
    assert seen == {
        "begin": 0,
        "events": 0,
        "entries": 0,
        "balances": 0,
        "before-commit": 0,
        "after-commit": 0,
        "after-anchor": 1,
    }
    with suppress(InterruptedError), store.writing() as writing:
        writing.append([event_of("note")], stream="", round=0, actor="x", role="system", at=AT)
        raise InterruptedError
    head = store.anchor.contents().head
    assert head is not None
    assert head.seq == 1


def test_a_line_is_added_every_hundred_events_and_at_the_end(sqlite_url: str) -> None:
    with Store(sqlite_url) as store:
        for number in range(250):
            with store.writing() as writing:
                writing.append([event_of("note")], stream="", round=0, actor="x", role="system", at=AT + number)
        path = store.anchor.path
        assert [(mark.mark, mark.seq) for mark in read_anchor(path).lines] == [
            ("begun", 0),
            ("line", 100),
            ("line", 200),
        ]
    assert [mark.seq for mark in read_anchor(path).lines] == [0, 100, 200, 250]


def test_a_line_is_added_in_quiet_times(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The timer is called by hand: no test waits a minute."""
    armed: list[threading.Timer] = []
    monkeypatch.setattr(threading.Timer, "start", lambda timer: armed.append(timer))
    anchor = Anchor(tmp_path / "a")
    anchor.begin(at(0))
    anchor.record(at(1))
    anchor.record(at(2))
    (timer,) = armed
    assert timer.interval == 60
    timer.function()
    assert [mark.seq for mark in read_anchor(tmp_path / "a").lines] == [0, 2]
    anchor.record(at(3))
    assert len(armed) == 2
    monkeypatch.setattr(module, "EVERY_SECONDS", 0)
    anchor.record(at(4))
    assert [mark.seq for mark in read_anchor(tmp_path / "a").lines] == [0, 2, 4]
    anchor.close()
    timer.function()
    with pytest.raises(LedgerError, match="closed"):
        anchor.record(at(5))


def test_lines_are_forced_to_the_disk_and_heads_are_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    forced: list[int] = []
    monkeypatch.setattr(os, "fsync", forced.append)
    anchor = Anchor(tmp_path / "a")
    anchor.begin(at(0))
    assert len(forced) == 1
    for seq in range(1, 100):
        anchor.record(at(seq))
    assert len(forced) == 1
    anchor.record(at(100))
    assert len(forced) == 2
    anchor.close()


def test_an_anchor_only_moves_forward(tmp_path: Path) -> None:
    one = Anchor(tmp_path / "a")
    one.begin(at(0))
    two = Anchor(tmp_path / "a")
    two.begin(at(7))
    two.record(at(5))
    one.record(at(4))
    assert one.contents().head == at(5)
    one.record(at(6))
    one.close()
    two.close()
    assert [mark.seq for mark in read_anchor(tmp_path / "a").lines] == [0, 6]
    assert read_anchor(tmp_path / "a").damage == ()


def test_a_missing_anchor_is_said_every_time_and_never_made_again(sqlite_url: str) -> None:
    with Store(sqlite_url) as store:
        fill(store, 5)
        path = store.anchor.path
        path.unlink()
        finding = audit_store(store)[0]
        assert finding.code == "anchor"
        assert "is missing" in finding.sentence
        assert "the chain can still be checked, but not whether its end was cut off" in finding.sentence
        with pytest.raises(AnchorError, match="is missing"):
            fill(store, 1, start=5)
        assert store.anchor.lost
    for number in range(2):
        with Store(sqlite_url, past_anchor=True) as store:  # as the server, which stops play itself
            assert set(codes(store)) == {"anchor"}
            fill(store, 1, start=6 + number)
        assert not path.exists()


def rolled_back(path: Path, older: bytes) -> None:
    path.write_bytes(older)


def replaced(path: Path, _: bytes) -> None:
    """By the anchor of another ledger, as a file of its own."""
    with Store(f"sqlite:///{path.parent}/other.db", path.with_name("other")) as other:
        fill(other, 9, seed=8)
    path.with_name("other").replace(path)


def emptied(path: Path, _: bytes) -> None:
    path.write_bytes(b"")


def of_a_later_moment(path: Path, _: bytes) -> None:
    """As if the ledger had been put back to an earlier state."""
    mark = read_anchor(path).head
    assert mark is not None
    write_anchor(path, Mark(mark.seq + 1, "ab" * 32, AT), [Mark(0, bytes(32).hex(), 0, "begun")])


@pytest.mark.parametrize("opened", ["before", "after"])
@pytest.mark.parametrize("how", [Path.unlink, rolled_back, replaced, emptied, of_a_later_moment])
def test_nobody_writes_past_an_anchor_that_is_not_the_ledgers(
    sqlite_url: str, how: Callable[..., object], opened: str
) -> None:
    """Whoever opens the store, and whether the anchor was changed while it was open or not; until acknowledged."""
    auditor = Person("auditor-1", "", Role.AUDITOR)
    with Store(sqlite_url) as store:
        fill(store, 3)
        path, older = store.anchor.path, store.anchor.path.read_bytes()
        fill(store, 3, start=3)
        if opened == "before":
            how(*((path,) if how is Path.unlink else (path, older)))
            with pytest.raises(AnchorError, match="nothing was recorded: the"):
                fill(store, 1, start=6)
    if opened == "after":
        how(*((path,) if how is Path.unlink else (path, older)))
    with Store(sqlite_url) as store:
        there = path.read_bytes() if path.exists() else None
        with store.reading() as reading:
            last = reading.head
        for _ in range(2):
            with pytest.raises(AnchorError, match="has to acknowledge"):
                fill(store, 1, start=6)
        with store.reading() as reading:
            assert reading.head == last
        assert (path.read_bytes() if path.exists() else None) == there, "it stays as it was found"
        acknowledge(store, auditor, "seen", AT + 100)
        fill(store, 1, start=6)
        assert {finding.severity for finding in audit_store(store)} == {"note"}


def test_an_anchor_put_back_where_it_was_is_the_ledgers_again(sqlite_url: str) -> None:
    with Store(sqlite_url) as store:
        fill(store, 3)
        path = store.anchor.path
        path.rename(path.with_name("aside"))
        with pytest.raises(AnchorError):
            fill(store, 1, start=3)
        path.with_name("aside").rename(path)
        fill(store, 1, start=3)
        assert codes(store) == []


WRITER = """
import sys
from pathlib import Path
from tests.ledger.books import fill
from pitboss.ledger.store import Store
url, anchor, name = sys.argv[1:]
with Store(url, Path(anchor)) as store:
    print("open", flush=True)
    number = 0
    while not Path(anchor + ".stop").exists():
        fill(store, 1, start=int(name) + number)
        with store.writing() as writing:  # a refusal: an answer without an event
            writing.remember(f"{name}-{number}", "p1", "x", 422, "{}", "t1", 1_700_000_000_000_000 + number)
        number += 1
    print(number)
"""


def test_two_programs_write_while_the_anchor_is_held_against_the_ledger(tmp_path: Path) -> None:
    """Anchor and ledger are looked at in one moment, however often both move meanwhile."""
    url, anchor = f"sqlite:///{tmp_path}/ledger.db", tmp_path / "anchor"
    with Store(url, anchor) as store:
        command = [sys.executable, "-c", WRITER, url, str(anchor)]
        writers = [
            subprocess.Popen([*command, str(number * 10**6)], stdout=subprocess.PIPE, text=True, cwd=ROOT)
            for number in (1, 2)
        ]
        try:
            for writer in writers:
                assert writer.stdout is not None
                assert writer.stdout.readline() == "open\n"
            ends, looks = time.monotonic() + 1.5, 0
            found: list[Finding] = []
            while time.monotonic() < ends:
                found += anchor_findings(store)
                looks += 1
        finally:
            Path(f"{anchor}.stop").touch()
            written = [int(writer.communicate(timeout=30)[0]) for writer in writers]
        assert found == []
        assert looks > 20
        assert min(written) > 5
        assert audit_store(store) == ()


def test_a_damaged_head_is_said_and_stays_on_record(sqlite_url: str) -> None:
    with Store(sqlite_url, past_anchor=True) as store:
        fill(store, 5)
        with store.anchor.path.open("r+b") as file:
            file.seek(20)
            file.write(b"?")
        assert codes(store) == ["anchor"]
        fill(store, 1, start=5)
        assert codes(store) == ["anchor-repaired"]


@pytest.mark.parametrize("place", [0, 3, 30, 100, -40, -2])
def test_any_damaged_byte_is_said(sqlite_url: str, place: int) -> None:
    with Store(sqlite_url) as store:
        fill(store, 5)
        store.anchor.flush()
        data = bytearray(store.anchor.path.read_bytes())
        data[place] ^= 1
        store.anchor.path.write_bytes(data)
        assert codes(store)


def test_an_emptied_anchor_is_said(sqlite_url: str) -> None:
    with Store(sqlite_url) as store:
        fill(store, 5)
        store.anchor.path.write_bytes(b"")
        assert set(codes(store)) == {"anchor"}


def test_a_torn_line_is_left_by_itself(sqlite_url: str) -> None:
    with Store(sqlite_url) as store:
        fill(store, 5)
        with store.anchor.path.open("ab") as file:
            file.write(b'{"at":17')
        fill(store, 5, start=5)
        store.anchor.flush()
        (finding,) = audit_store(store)
        assert "line 2" in finding.sentence
        assert len(store.anchor.contents().lines) == 2


def test_a_program_that_stopped_between_commit_and_anchor_left_what_it_announced(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store(sqlite_url) as store:
        fill(store, 3)
        monkeypatch.setattr(Anchor, "record", lambda *_: None)
        fill(store, 1, start=3)
        monkeypatch.undo()
        assert codes(store) == []


@pytest.mark.parametrize("more", [1, 2])
def test_events_that_nobody_announced_are_found(sqlite_url: str, more: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """One transaction too many is as wrong as several: a crash leaves what was announced, and nothing else."""
    with Store(sqlite_url) as store:
        fill(store, 3)
        for method in ("record", "announce"):
            monkeypatch.setattr(Anchor, method, lambda *_, **__: None)
        fill(store, more, start=3)
        monkeypatch.undo()
        (finding,) = audit_store(store)
        assert (finding.code, finding.severity) == ("anchor-behind", "error")


def test_a_commit_stands_when_the_anchor_cannot_be_written(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> int:
        raise OSError(28, "No space left on device")

    with Store(sqlite_url) as store:
        with monkeypatch.context() as patch:
            patch.setattr(os, "pwrite", refuse)
            fill(store, 1)
        with store.reading() as reading:
            assert reading.head.seq > 0
        assert "stored but not anchored" in store.anchor.problem
        assert "anchor" in codes(store)
        fill(store, 1, start=1)
        assert codes(store) == []


def test_each_ledger_has_its_own_anchor_and_no_password_in_its_name(tmp_path: Path) -> None:
    one = default_anchor(read_url("postgresql://a:secret@host/one"))
    assert one == default_anchor(read_url("postgresql://a:other@host/one"))
    assert one != default_anchor(read_url("postgresql://a:secret@host/two"))
    assert one.parent == tmp_path / "anchors"
