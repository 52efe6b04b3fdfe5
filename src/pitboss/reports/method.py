"""Where a mathematics report comes from and how to make it again: inputs, versions, hashes, command and signatures."""

import json
import platform
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from hashlib import sha256
from importlib.metadata import version
from typing import Any, Final

from pitboss import __version__
from pitboss.clock import MICROSECONDS
from pitboss.games.rules import Rules
from pitboss.games.structure import TIES
from pitboss.paper.model import Block, CellKind, Datum, Figures, Remark
from pitboss.reports.stamp import law_digest
from pitboss.submission import Submission

CYCLE: Final = (
    "The cycle of a wager is the number of equally likely deals, throws or spins that were counted, told apart as far "
    "as the wager depends on them; where it is longer than a spreadsheet's numbers it is divided by a common factor."
)
LIBRARIES: Final = ("numpy", "numba")


@dataclass(frozen=True)
class Provenance:
    """Who makes a report, from what, and with which command; whatever is unknown is left empty."""

    author: str = ""
    laboratory: str = ""
    command: str = ""
    inputs: bytes | None = None
    """The file of the submission; without, its choices as canonical JSON are hashed."""
    table: bytes | None = None
    """The file of a what-if pay table."""

    def inputs_hash(self, submission: Submission) -> str:
        plain = json.dumps(asdict(submission), sort_keys=True, default=str, separators=(",", ":")).encode()
        return sha256(plain if self.inputs is None else self.inputs).hexdigest()

    def as_dict(self, submission: Submission, rules: Rules, printed: int) -> dict[str, Any]:
        return {
            "author": self.author,
            "laboratory": self.laboratory,
            "command": self.command,
            "source_date_epoch": printed // MICROSECONDS,
            "submission_sha256": self.inputs_hash(submission),
            **({} if self.table is None else {"table_sha256": sha256(self.table).hexdigest()}),
            "law_sha256": law_digest(),
            "law": str(rules.as_of),
            "versions": versions(),
            "tie_rule": TIES,
        }


NOBODY: Final = Provenance()


def versions() -> dict[str, str]:
    """The programs that computed a report."""
    return {"pitboss": __version__, "python": platform.python_version(), **{name: version(name) for name in LIBRARIES}}


def method_blocks(provenance: Provenance, submission: Submission, method: str, printed: int | None) -> Iterator[Block]:
    """How the figures were found, and everything needed to find them again."""
    yield Remark(method)
    yield Remark(CYCLE)
    yield Remark(TIES)
    named = {"pitboss": "pitboss", "python": "Python", "numpy": "NumPy", "numba": "Numba"}
    programs = ", ".join(f"{named[name]} {number}" for name, number in versions().items())
    data = [
        Datum("Programs", programs),
        Datum("Law data, SHA-256", law_digest(), CellKind.HASH),
        Datum("Submission, SHA-256", provenance.inputs_hash(submission), CellKind.HASH),
    ]
    if provenance.table is not None:
        data.append(Datum("What-if pay table, SHA-256", sha256(provenance.table).hexdigest(), CellKind.HASH))
    if provenance.command and printed is not None:
        again = f"SOURCE_DATE_EPOCH={printed // MICROSECONDS} {provenance.command}"
        data.append(Datum("Makes it again, byte for byte", again))
    yield Figures(tuple(data))


def signing_blocks(provenance: Provenance) -> Iterator[Block]:
    """Lines to sign on."""
    given = (("Author", provenance.author), ("Laboratory", provenance.laboratory))
    data = [Datum(label, text) if text else Datum(label, None, CellKind.BLANK) for label, text in given]
    yield Figures((*data, Datum("Signature", None, CellKind.BLANK), Datum("Date", None, CellKind.BLANK)))
