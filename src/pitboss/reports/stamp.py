"""Where a paper comes from: the law's data, the program and the day, and when it was printed."""

import json
import os
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from functools import cache
from hashlib import sha256
from pathlib import Path
from time import time_ns

from pitboss import __version__
from pitboss.clock import MICROSECONDS, day_words
from pitboss.paper.model import Imprint

PACKAGE = Path(__file__).parents[1]
WARNING = (
    "For training, analysis and demonstration. Not approved for wagering money: a table game system needs the approval "
    "of the Board's laboratory (58 Pa. Code § 461a.4)."
)


@dataclass(frozen=True)
class Stamp:
    """What every report names, so that it can be made again byte for byte."""

    as_of: date
    law: str
    version: str

    def __str__(self) -> str:
        return f"Law of {self.as_of}, law data SHA-256 {self.law}, pitboss {self.version}"


@cache
def law_digest(package: Path = PACKAGE) -> str:
    """One SHA-256 for all of the law's data: the same as a house records when it starts, without a database."""
    paths = sorted(path for path in (package / "law").rglob("*") if path.suffix in (".toml", ".tsv"))
    files = {path.relative_to(package).as_posix(): sha256(path.read_bytes()).hexdigest() for path in paths}
    return sha256(json.dumps(files, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def stamp_of(as_of: date) -> Stamp:
    return Stamp(as_of, law_digest(), __version__)


def imprint(
    as_of: date | str = "",
    printed: int | None = None,
    *,
    period: str = "",
    filters: tuple[tuple[str, str], ...] | None = None,
) -> Imprint:
    """Return the head and foot of a paper under the law of a day, or of several where it is left out."""
    return Imprint(period, filters, str(as_of), law_digest(), f"pitboss {__version__}", printed, WARNING)


def period_of(days: Iterable[date]) -> str:
    """Return the gaming day or days that a paper covers, in words.

    >>> period_of([date(2026, 11, 18), date(2026, 11, 17)]), period_of([date(2026, 11, 18)]), period_of([])
    ('Gaming days Nov 17, 2026 to Nov 18, 2026', 'Gaming day Nov 18, 2026', '')
    """
    known = sorted(set(days))
    if len(known) > 1:
        return f"Gaming days {day_words(known[0])} to {day_words(known[-1])}"
    return f"Gaming day {day_words(known[0])}" if known else ""


def imprint_for(as_of: date | str, printed: int | None) -> Imprint:
    """Return the whole foot for a file, and the law's day and the version for a screen."""
    if printed is None:
        return Imprint(law=str(as_of), version=f"pitboss {__version__}")
    return imprint(as_of, printed)


def printing_time() -> int:
    """Return the time for the foot of a file written now, in microseconds since 1970.

    ``SOURCE_DATE_EPOCH`` (seconds) replaces it, so that a file can be written again byte for byte.
    """
    seconds = os.environ.get("SOURCE_DATE_EPOCH", "")
    return int(seconds) * MICROSECONDS if seconds.isdecimal() else time_ns() // 1000
