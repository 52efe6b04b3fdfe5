"""The results that come with the package: every game's tables and readings, counted from nothing.

python -m scripts.counts [GAME ...]

Writes src/pitboss/exact/counts.npz. With games named, only theirs are counted again and the others stay.
"""

import json
import os
import re
import sys
import tempfile
from datetime import date
from pathlib import Path
from time import monotonic

import numpy as np

import pitboss.exact
from pitboss.exact.edge import edge_rows
from pitboss.exact.packaged import FILE, Arrays, packed, set_aside
from pitboss.games.registry import BANKED

DAY = date(2024, 6, 1)
LARGEST = 1 << 20
"""Bytes: larger results are the states behind a play, which are found again where they are asked for."""
Results = dict[str, tuple[Arrays, dict[str, object]]]


def counted(game: str) -> Results:
    """The results of the law's own tables of a game that are small enough to be shipped."""
    with tempfile.TemporaryDirectory(prefix="counts-") as folder, set_aside():
        os.environ["PITBOSS_CACHE"] = folder
        started = monotonic()
        for row in edge_rows(BANKED[game], DAY):
            print(
                f"{monotonic() - started:8.1f} s  {game}  {row['wager']} {row['paytable']} {row['reading']}", flush=True
            )
        found: Results = {}
        for place in sorted(Path(folder).iterdir()):
            arrays = sorted(place.glob("*.npy"))
            if (place / "about.json").exists() and sum(each.stat().st_size for each in arrays) <= LARGEST:
                figures = json.loads((place / "about.json").read_text(encoding="utf-8"))["figures"]
                found[place.name] = {each.stem: np.load(each) for each in arrays}, figures
        return found


def main() -> None:
    target = Path(pitboss.exact.__file__).with_name(FILE)
    results: Results = {}
    if (named := sys.argv[1:]) and target.exists():
        with np.load(target) as before:
            about = json.loads(before["about"].tobytes())
            for entry, held in about.items():
                results[entry] = {part: before[f"{entry}/{part}"] for part in held["arrays"]}, held["figures"]
    for game in named or BANKED:
        own = re.compile(rf"(.*-)?{re.escape(game)}-[0-9a-f]+")
        results = {entry: held for entry, held in results.items() if not own.fullmatch(entry)} | counted(game)
    target.write_bytes(packed(results))
    print(f"{target}: {len(results)} results, {target.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
