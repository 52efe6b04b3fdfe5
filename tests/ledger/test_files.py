"""Whatever the umask, nobody but the owner may read what a ledger is made of."""

import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.ledger.books import fill
from typer.testing import CliRunner

from pitboss.cli import app
from pitboss.demo import shift
from pitboss.ledger import files
from pitboss.ledger.backup import backup
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.store import Store
from pitboss.web import server


@pytest.fixture(params=[0o000, 0o022, 0o277], ids=oct)
def umask(request: pytest.FixtureRequest) -> Iterator[None]:
    before = os.umask(request.param)
    yield
    os.umask(before)


def modes(folder: Path) -> dict[str, str]:
    return {str(path.relative_to(folder)): oct(stat.S_IMODE(path.stat().st_mode)) for path in folder.rglob("*")}


@pytest.mark.usefixtures("umask")
def test_everything_that_is_made_is_its_owners(tmp_path: Path) -> None:
    home = tmp_path / "state"
    files.private_folder(home / "ledgers")
    database, anchor = home / "ledgers" / "ledger.db", home / "anchors" / "deep" / "anchor"
    with Store(f"sqlite:///{database}", anchor) as store:
        fill(store, 3)
        backup(store, home / "copy.db")
        restored = CliRunner().invoke(
            app, ["audit", "restore", str(home / "copy.db"), "--db", f"sqlite:///{home}/again.db",
                  "--anchor", str(home / "again.anchor")],
        )  # fmt: skip
        assert restored.exit_code == 0, restored.output
        found = modes(tmp_path)
    folders = {name for name in found if (tmp_path / name).is_dir()}
    assert folders == {"state", "state/ledgers", "state/anchors", "state/anchors/deep"}
    assert {"state/ledgers/ledger.db-wal", "state/ledgers/ledger.db-shm", "state/copy.db.anchor"} <= set(found)
    assert {"state/again.db", "state/again.anchor"} <= set(found)
    assert {name: "0o700" if name in folders else "0o600" for name in found} == found


def test_a_new_file_is_its_owners_before_anybody_can_look(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not only after it was closed to others."""
    before = os.umask(0)
    monkeypatch.setattr(files, "_close_to_others", lambda *_: None)
    os.close(files.private_file(tmp_path / "secret"))
    os.umask(before)
    assert modes(tmp_path) == {"secret": "0o600"}


def test_the_folder_of_a_house_is_its_owners(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of one that is served, of a demonstration that is served, and of one that is only played."""

    def stop(*_: object, **__: object) -> Any:
        raise InterruptedError

    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "played"))
    monkeypatch.setattr(server, "plain_log", lambda: None)
    monkeypatch.setattr(shift, "play_shift", stop)
    before = os.umask(0)
    try:
        server.build(data=tmp_path / "served").store.close()
        with pytest.raises(InterruptedError):
            server.serve(data=tmp_path / "demonstrated", demo=server.Demo(stop, stop), say=lambda _: None)
        with pytest.raises(InterruptedError):
            shift.main()
    finally:
        os.umask(before)
    found = {name: mode for name, mode in modes(tmp_path).items() if (tmp_path / name).is_dir()}
    assert found == dict.fromkeys(("served", "demonstrated", "played", "played/pitboss", "anchors"), "0o700")


def test_a_restored_ledger_is_its_owners_while_it_is_copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Store(f"sqlite:///{tmp_path}/ledger.db", tmp_path / "anchor") as store:
        fill(store, 1)
        backup(store, tmp_path / "copy.db")
    seen: list[dict[str, str]] = []
    copy = shutil.copyfile

    def copied(*paths: str) -> None:
        copy(*paths)
        seen.append(modes(tmp_path))

    monkeypatch.setattr(shutil, "copyfile", copied)
    before = os.umask(0)
    CliRunner().invoke(app, ["audit", "restore", str(tmp_path / "copy.db"), "--db", f"sqlite:///{tmp_path}/again.db"])
    os.umask(before)
    assert seen[0][".again.db.unfinished"] == "0o600"


def test_a_ledger_that_stood_open_is_closed(tmp_path: Path) -> None:
    database, anchor = tmp_path / "ledger.db", tmp_path / "anchor"
    with Store(f"sqlite:///{database}", anchor) as store:
        fill(store, 1)
    for path in (database, anchor):
        path.chmod(0o644)
    Path(f"{database}-wal").touch(0o644)
    with Store(f"sqlite:///{database}", anchor) as store:
        fill(store, 1)
        assert set(modes(tmp_path).values()) == {"0o600"}


def test_one_that_cannot_be_closed_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    database = tmp_path / "ledger.db"
    Store(f"sqlite:///{database}", tmp_path / "anchor").close()
    database.chmod(0o644)

    def refuse(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "chmod", refuse)
    with pytest.raises(LedgerError, match=r"mode 644.*chmod 600"):
        Store(f"sqlite:///{database}", tmp_path / "anchor")
