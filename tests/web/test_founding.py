"""The first administrator: asked for at a terminal, otherwise left in a file that only its owner can read."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pitboss.findings import UnreadableError
from pitboss.ledger.people import People
from pitboss.ledger.store import Store
from pitboss.web import founding
from pitboss.web.founding import FILE, NotFoundedError, found_house
from tests.web.harness import CHEAP

OWN = "seven blue dice"


@pytest.fixture
def people(sqlite_url: str) -> Iterator[People]:
    with Store(sqlite_url) as store:
        yield People(store, cost=CHEAP)


def typing(monkeypatch: pytest.MonkeyPatch, *typed: str) -> None:
    keys = iter(typed)
    for stream in (sys.stdin, sys.stderr):
        monkeypatch.setattr(stream, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(founding, "getpass", lambda _: next(keys))


def test_asked_for_at_a_terminal(people: People, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    typing(monkeypatch, "short", "short", OWN, "another one", "administrator", "administrator", OWN, OWN)
    told: list[str] = []
    found_house(people, tmp_path, told.append)
    assert "The two are not the same." in told
    assert not [line for line in told if OWN in line]
    assert not (tmp_path / FILE).exists()
    assert people.log_in("administrator", OWN).must_change is False, "it is the person's own"
    found_house(people, tmp_path, told.append)
    assert len(people.everyone()) == 1


def test_whoever_chooses_none_founds_no_house(people: People, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    typing(monkeypatch, *["short"] * 10)
    with pytest.raises(NotFoundedError):
        found_house(people, tmp_path, lambda _: None)
    assert people.is_empty()


def test_left_in_a_file_of_the_owner(people: People, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdin, "isatty", lambda: False, raising=False)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_text("untouched")
    (tmp_path / "data").mkdir()
    path = tmp_path / "data" / FILE
    path.symlink_to(elsewhere)
    told: list[str] = []
    found_house(people, tmp_path / "data", told.append)
    given = path.read_text().strip()
    assert (path.is_symlink(), path.stat().st_mode & 0o777, elsewhere.read_text()) == (False, 0o600, "untouched")
    assert str(path) in told[0]
    assert given not in told[0]
    assert people.log_in("administrator", given).must_change


def test_no_administrator_where_the_password_cannot_be_left(
    people: People, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stdin, "isatty", lambda: False, raising=False)
    (tmp_path / "file").write_text("")
    with pytest.raises(UnreadableError, match="cannot be left"):
        found_house(people, tmp_path / "file", lambda _: None)
    assert people.is_empty()
