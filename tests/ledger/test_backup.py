"""Copies made while play goes on, and what comes back out of them."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.ledger.books import AT, fill
from tests.postgres import drop_database, fresh_database

from pitboss.ledger.audit import audit_store
from pitboss.ledger.backup import anchor_of, backup, restore
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.store import Recorded, Store

COPIES = 3


@contextmanager
def play(store: Store) -> Iterator[None]:
    """Rounds are settled all the while."""
    stop = threading.Event()

    def go_on() -> None:
        number = 50
        while not stop.is_set():
            fill(store, 1, start=number)
            number += 1

    thread = threading.Thread(target=go_on)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def written(store: Store) -> list[Recorded]:
    with store.reading() as reading:
        return reading.events()


def same_in(copy: Store, original: Store) -> int:
    """The copy is in order, and a beginning of the original."""
    assert audit_store(copy) == ()
    events = written(copy)
    assert events == written(original)[: len(events)]
    fill(copy, 2, start=900)
    assert audit_store(copy) == ()
    return len(events)


def test_a_copy_made_during_play_is_in_order(store: Store, tmp_path: Path) -> None:
    fill(store, 50)
    with store.writing() as writing:
        writing.seal("t1", "red", "c", "AsKs", "salt")
        writing.remember("k", "p", "d", 200, "{}", "t1", AT)
        writing.save_snapshot("t1", 3, "state")
    first = len(written(store))
    with play(store):
        copies = [backup(store, tmp_path / f"copy-{number}") for number in range(COPIES)]
    sizes = []
    for copy in copies:
        assert copy.stat().st_mode & 0o077 == 0
        if store.is_sqlite:
            url, anchor = f"sqlite:///{copy}", anchor_of(copy)
        else:
            url, anchor = fresh_database(), tmp_path / f"{copy.name}.new-anchor"
            restore(copy, url, anchor)
        with Store(url, anchor) as opened:
            with opened.reading() as reading:
                assert reading.sealed("t1", "red") is not None
                assert reading.answer("k") is not None
                assert reading.snapshot("t1") == (3, "state")
            sizes.append(same_in(opened, store))
        if not store.is_sqlite:
            drop_database(url)
    assert sizes == sorted(sizes)
    assert sizes[0] >= first
    assert audit_store(store) == ()


def test_a_copy_that_was_changed_is_found(sqlite_url: str, tmp_path: Path) -> None:
    with Store(sqlite_url) as store:
        fill(store, 20)
        copy = backup(store, tmp_path / "copy")
    copy.write_bytes(copy.read_bytes().replace(b"key-7[", b"key-9["))
    with Store(f"sqlite:///{copy}", anchor_of(copy)) as opened:
        assert "chain-changed" in {finding.code for finding in audit_store(opened)}


def test_a_dump_of_one_database_opens_in_the_other(postgres_url: str, sqlite_url: str, tmp_path: Path) -> None:
    with Store(postgres_url) as store:
        fill(store, 130)
        dump = backup(store, tmp_path / "dump")
        seq = restore(dump, sqlite_url)
        with Store(sqlite_url) as copy:
            assert len(written(copy)) == seq
            assert [mark.seq for mark in copy.anchor.contents().lines][:2] == [0, 102]
            same_in(copy, store)


def test_a_backup_never_replaces_a_file(store: Store, tmp_path: Path) -> None:
    (tmp_path / "copy").write_text("precious")
    with pytest.raises(LedgerError, match="exists already"):
        backup(store, tmp_path / "copy")
    with pytest.raises(LedgerError, match="cannot be written"):
        backup(store, tmp_path / "nowhere" / "copy")


def test_dumps_that_are_not_whole_are_refused_and_leave_nothing(
    postgres_url: str, sqlite_url: str, tmp_path: Path
) -> None:
    with Store(postgres_url) as store:
        fill(store, 10)
        dump = backup(store, tmp_path / "dump")
        lines = dump.read_text().splitlines(keepends=True)
        broken = {
            "": "not a dump",
            "{}\n": "not a dump",
            "".join(lines[:-1]): "not complete",
            "".join(lines)[:-9]: "not JSON",
            "".join([*lines, '["people",[1]]\n']): "not a row",
            lines[0].replace('"0002"', '"0000"') + "".join(lines[1:]): "revision 0000",
        }
        for text, sentence in broken.items():
            dump.write_text(text)
            with pytest.raises(LedgerError, match=sentence):
                restore(dump, sqlite_url)
        dump.write_text("".join(lines))
        with pytest.raises(LedgerError, match="not empty"):
            restore(dump, postgres_url)
    assert restore(dump, sqlite_url) > 0
