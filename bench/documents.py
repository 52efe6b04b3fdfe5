"""Documents from strangers: time and memory against their size, for every entrance, by the worst of many shapes.

For each size the whole way is timed, parsing, checking and settling, over every shape of ``scripts/hostile.py`` and
over documents that fill the limits with valid entries. What is over a limit costs what finding that out costs.
"""

import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import date
from time import perf_counter

from scripts.hostile import JSON, PHH, TOML, VALID

from pitboss.api import read_own_round, settle_written
from pitboss.documents import LIMITS, parse_json
from pitboss.findings import FindingsError, UnreadableError
from pitboss.games.handhistory import read as read_history
from pitboss.submission import check, read_submission, rules_of

Rows = list[tuple[str, ...]]
DAY = date(2024, 6, 1)
SIZES = (1_000, 4_000, 16_000, 64_000, LIMITS.bytes - 1_000, 1_000_000)
AGAIN = 3


def _submission(text: str) -> None:
    submission = read_submission(text)
    check(submission)
    rules_of(submission)


ENTRANCES: dict[str, Callable[[str], object]] = {
    "submission": _submission,
    "round": lambda text: settle_written(read_own_round(text), DAY),
    "hand history": lambda text: read_history(text, DAY),
    "request": lambda text: parse_json(text, "The request"),
}


def run() -> Iterator[tuple[str, Rows]]:
    """One table for time, one for memory: a row an entrance, a column a size, and the shape that was the worst."""
    heading = ("entrance", *(f"{size:,} B" for size in SIZES), "the worst shape")
    found = {name: [_worst(name, size) for size in SIZES] for name in ENTRANCES}
    for title, place, unit in (("Time", 0, "ms"), ("Memory", 1, "MB")):
        rows: Rows = [heading]
        for name, columns in found.items():
            worst = max(columns, key=lambda each: each[place][0])[place][1]
            rows.append((name, *(f"{each[place][0]:.1f} {unit}" for each in columns), worst))
        yield f"{title} to read, check and settle a document, or to refuse it: the worst of all shapes", rows


def _worst(name: str, size: int) -> tuple[tuple[float, str], tuple[float, str]]:
    shapes = JSON if name == "request" else {**TOML, **VALID, **PHH}
    times, sizes = [], []
    for shape, text in ((shape, make(size)) for shape, make in shapes.items()):
        times.append((min(_timed(ENTRANCES[name], text) for _ in range(AGAIN)), shape))
        sizes.append((_held(ENTRANCES[name], text), shape))
    return max(times), max(sizes)


def _timed(work: Callable[[str], object], text: str) -> float:
    before = perf_counter()
    with suppress(UnreadableError, FindingsError):
        work(text)
    return 1000 * (perf_counter() - before)


def _held(work: Callable[[str], object], text: str) -> float:
    tracemalloc.start()
    with suppress(UnreadableError, FindingsError):
        work(text)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most / 2**20
