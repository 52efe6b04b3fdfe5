"""The counts that come with the package: complete, those that counting gives, and ignored where they no longer fit."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from scripts.counts import DAY, counted

from pitboss.exact import packaged
from pitboss.exact.cache import kept_figures
from pitboss.games.registry import BANKED

TORTURE = bool(os.environ.get("PITBOSS_TORTURE"))
FRESH = """
import sys
from datetime import date
from pitboss.exact.edge import edge_rows
from pitboss.games.registry import GAMES
for game in sys.argv[2:]:
    rows = list(edge_rows(GAMES[game], date.fromisoformat(sys.argv[1])))
    assert rows, game
status = open("/proc/self/status").read()  # a process that was forked from a large one has its maxrss
print(status.partition("VmHWM:")[2].split()[0])
"""


def test_a_fresh_machine_counts_nothing_for_the_tables_of_the_law(tmp_path: Path) -> None:
    """Every game, letter and reading in a new process with an empty cache. Recount with ``scripts.counts``."""
    kept, compiled = tmp_path / "kept", tmp_path / "compiled"
    names = {"PITBOSS_CACHE": str(kept), "NUMBA_CACHE_DIR": str(compiled)}
    done = subprocess.run(
        [sys.executable, "-c", FRESH, str(DAY), *BANKED], env={**os.environ, **names}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    counted_again = [place.name for place in kept.glob("[!.]*")]
    assert counted_again == [], "python -m scripts.counts writes the package's counts again"
    assert int(done.stdout) < 1_000_000, "kilobytes of memory"


@pytest.mark.parametrize("game", BANKED if TORTURE else ("three-card-poker",))
def test_counting_again_gives_the_counts_of_the_package(
    game: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PITBOSS_CACHE", str(tmp_path))
    again = counted(game)
    assert again
    for entry, (arrays, figures) in again.items():
        name, _, key = entry.rpartition("-")
        shipped = packaged.packaged(name, key)
        assert shipped is not None, entry
        assert shipped[1] == figures
        assert shipped[0].keys() == arrays.keys()
        assert all((shipped[0][part] == array).all() for part, array in arrays.items()), entry


def test_a_result_of_other_pays_or_other_code_is_counted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PITBOSS_CACHE", str(tmp_path))
    monkeypatch.setattr(packaged, "_contents", lambda: {"thing-old": {"arrays": [], "figures": {"hands": 1}}})
    assert kept_figures("thing", "old", lambda: {"hands": 2}) == {"hands": 1}
    assert kept_figures("thing", "new", lambda: {"hands": 2}) == {"hands": 2}
    with packaged.set_aside():
        assert kept_figures("thing", "old", lambda: {"hands": 3}) == {"hands": 3}


def test_the_file_of_counts_has_the_same_bytes_every_time() -> None:
    with open(Path(packaged.__file__).with_name(packaged.FILE), "rb") as file:
        content = file.read()
    results = {
        entry: (packaged._arrays(entry, tuple(held["arrays"])), held["figures"])
        for entry, held in packaged._contents().items()
    }
    assert json.dumps(sorted(results)) == json.dumps([*results])
    assert packaged.packed(results) == content
