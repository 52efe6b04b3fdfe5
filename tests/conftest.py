"""The record of which test proves which paragraph: collected from the marks, kept in the package, checked here."""

import gc
import os
import shutil
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

# Counts made by the tests are shared by its workers and kept apart from the user's own.
os.environ.setdefault("PITBOSS_CACHE", str(Path(__file__).parents[1] / ".pytest_cache" / "exact"))
# A busy machine is no database that has gone; the tests of deadlines set their own.
os.environ.setdefault("PITBOSS_DATABASE_SECONDS", "20")
# Ledgers of the tests lie in memory where there is plenty: programs are killed here, but no machine loses its power.
if os.path.isdir("/dev/shm") and shutil.disk_usage("/dev/shm").free > 8 << 30:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", "/dev/shm")
    tempfile.tempdir = os.environ["PYTEST_DEBUG_TEMPROOT"]

PROOFS = Path(__file__).parents[1] / "src" / "pitboss" / "law" / "proofs.tsv"
COUNTED = "counted by the tests"
COLLECTED: set[tuple[str, str]] = set()


def pytest_collection_modifyitems(items: Sequence[pytest.Item]) -> None:
    """Remember every (paragraph, test); with PITBOSS_PROOFS=1 also write the file that the package ships."""
    for item in items:
        for mark in item.iter_markers("law"):
            test = item.nodeid.split("[")[0]
            name = item.nodeid.partition("[")[2].removesuffix("]")
            shown = f"{test}: {name}" if test.endswith("test_cases.py::test_case") else test
            COLLECTED.update((str(cite), shown) for cite in mark.args)
    if os.environ.get("PITBOSS_PROOFS") == "1":
        PROOFS.write_text("".join(f"{cite}\t{test}\n" for cite, test in sorted(COLLECTED)), encoding="utf-8")


def pytest_collection_finish() -> None:
    """Spare the garbage collector what lives as long as the tests: half a million objects of modules and tests.

    It looked at all of them time and again, and ran after every 700 new objects: a twelfth of the time of plain tests.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 10)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """What the tests have counted, such as the clicks and keys that a round takes."""
    passed: list[pytest.TestReport] = terminalreporter.stats.get("passed", [])
    counted = sorted({str(value) for report in passed for name, value in report.user_properties if name == COUNTED})
    if counted:
        terminalreporter.section(COUNTED)
        terminalreporter.write("".join(f"{line}\n" for line in counted))


@pytest.fixture
def say_counted(record_property: Callable[[str, object], None]) -> Callable[[str], None]:
    """Adds a line to what was counted; workers send it with their results."""
    return lambda line: record_property(COUNTED, line)


@pytest.fixture(autouse=True)
def _anchors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Anchors outlive their ledgers, and folders of tests get the same names again: each test has its own anchors."""
    monkeypatch.setenv("PITBOSS_ANCHORS", str(tmp_path / "anchors"))


@pytest.fixture(scope="session")
def collected() -> frozenset[tuple[str, str]]:
    return frozenset(COLLECTED)
