"""What keeps a table closed at the start: each fault by its name."""

import shutil
from pathlib import Path

import pytest
from tests.ledger.books import AT, disarm, fill

from pitboss.findings import FindingsError
from pitboss.ledger import engine, selfcheck
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.selfcheck import (
    law_files,
    program_files,
    record_start,
    startup_findings,
)
from pitboss.ledger.store import Store


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A copy of the program's files."""
    ignore = shutil.ignore_patterns("__pycache__", "*.nbi", "*.nbc")
    return Path(shutil.copytree(selfcheck.PACKAGE, tmp_path / "package", ignore=ignore))


@pytest.fixture
def started(store: Store, package: Path) -> Store:
    record_start(store, at=AT, actor="pitboss", role="system", package=package)
    return store


def found(store: Store, package: Path) -> dict[str, str]:
    return {finding.code: finding.sentence for finding in startup_findings(store, package)}


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def test_the_files_are_all_there() -> None:
    assert {"law/641a.toml", "law/paragraphs/641a.tsv"} <= set(law_files())
    assert {"__init__.py", "ledger/selfcheck.py", "ledger/migrations/versions/m0001_baseline.py"} <= set(
        program_files()
    )
    assert not {name for name in program_files() if "__pycache__" in name}


def test_nothing_is_found_when_nothing_has_changed(started: Store, package: Path) -> None:
    assert startup_findings(started, package) == ()
    record_start(started, at=AT + 1, actor="pitboss", role="system", package=package)
    assert startup_findings(started, package) == ()


@pytest.mark.parametrize(
    "name", ["law/649a.toml", "law/paragraphs/684a.tsv", "money.py", "ledger/chain.py", "hands/rows.tsv"]
)
def test_one_changed_byte_is_named(started: Store, package: Path, name: str) -> None:
    code = "law-changed" if name.startswith("law/") else "program-changed"
    flip(package / name)
    sentences = found(started, package)
    assert list(sentences) == [code]
    assert name in sentences[code]
    with pytest.raises(FindingsError, match=name):
        record_start(started, at=AT, actor="pitboss", role="system", package=package)
    event = record_start(started, at=AT, actor="boss", role="administrator", accepted=[code], package=package)
    assert event.data["accepted"] == [sentences[code]]
    assert found(started, package) == {}


@pytest.mark.parametrize("change", ["added", "removed"])
def test_a_file_added_or_removed_is_named(started: Store, package: Path, change: str) -> None:
    path = package / "games" / ("extra.py" if change == "added" else "layout.py")
    path.write_text("") if change == "added" else path.unlink()
    assert f"games/{path.name}" in found(started, package)["program-changed"]


def test_a_changed_schema_is_named(started: Store, package: Path) -> None:
    with started.writing() as writing:
        writing.connection.exec_driver_sql("UPDATE alembic_version SET version_num = '0000'")
    assert "schema-changed" in found(started, package)


def test_missing_triggers_are_named(started: Store, package: Path) -> None:
    with started.writing() as writing:
        disarm(writing.connection)
    assert set(found(started, package)) == {"guard"}


def test_a_changed_chain_head_is_named(started: Store, package: Path) -> None:
    with started.writing() as writing:
        writing.connection.exec_driver_sql("UPDATE chain SET seq = seq + 1")
    assert "chain-head" in found(started, package)


def test_a_changed_event_is_named(started: Store, package: Path) -> None:
    fill(started, 3)
    with started.writing() as writing:
        disarm(writing.connection)
        writing.connection.exec_driver_sql("UPDATE events SET actor = 'x' WHERE seq = 2")
    assert "event 2 is not what was recorded" in found(started, package)["chain-changed"]


def test_an_old_sqlite_is_named(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with Store(sqlite_url) as store:
        assert startup_findings(store) == ()
        monkeypatch.setattr(engine, "OLDEST_SQLITE", (99, 0, 0))
        assert [finding.code for finding in startup_findings(store)] == ["sqlite-version"]


def test_a_lost_anchor_is_named(started: Store, package: Path) -> None:
    started.anchor.path.unlink()
    assert set(found(started, package)) == {"anchor"}


def test_only_changes_of_files_can_be_accepted(started: Store, package: Path) -> None:
    with pytest.raises(LedgerError, match="chain-changed cannot be accepted"):
        record_start(started, at=AT, actor="boss", role="administrator", accepted=["chain-changed"], package=package)
