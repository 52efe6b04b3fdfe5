"""Where a paper comes from: the law's data, the program and the day. Nothing in it depends on when it is printed."""

import json
from dataclasses import dataclass
from datetime import date
from functools import cache
from hashlib import sha256
from pathlib import Path

from pitboss import __version__

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
