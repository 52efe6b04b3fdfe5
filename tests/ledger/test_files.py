"""Whatever the umask, nobody but the owner may read what a ledger is made of."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.ledger.books import fill
from typer.testing import CliRunner

from pitboss.cli import app
from pitboss.ledger.backup import backup
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.files import private_folder
from pitboss.ledger.store import Store


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
    private_folder(home / "ledgers")
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
