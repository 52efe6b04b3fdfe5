"""P38: one crooked employee, whatever the job function, moves no chip to anybody beyond what the rules pay, alone.

For each job function a house with honest people, who play on and never consent, and one account of that function that
sends any command and any request with any fields. After each attempt a witness settles every finished round again by
the law's own data (``tests/ledger/crooked.py``). At the end the whole ledger is reviewed.
"""

import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.ledger.crooked import FUNCTIONS, Crook

from pitboss.findings import errors
from pitboss.ledger.review import review
from pitboss.table.roles import Role
from scripts.common import Figures, arguments


def main() -> int:
    given = arguments(__doc__, {"role": ("all", *map(str, FUNCTIONS))}, attempts=(10_000, 200))
    figures = Figures("P38, one crooked employee")
    for role in FUNCTIONS if given.role == "all" else [Role(given.role)]:
        began = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="pitboss-") as folder:
            crook = Crook(role, given.seed, Path(folder))
            try:
                for _ in range(given.attempts):
                    crook.attempt()
                faults = errors(review(crook.store, full=True))
            except AssertionError as fault:
                figures.expect(False, f"{role}: {fault}")
                continue
            finally:
                crook.close()
        for finding in faults:
            figures.expect(False, f"{role}: {finding}")
        figures.expect(crook.witness.rounds > 0, f"{role}: no round was settled again")
        told = ", ".join(f"{count:,} {what}" for what, count in sorted(crook.tally.items()))
        again = f"{crook.witness.rounds:,} rounds settled again, {crook.witness.unsettled:,} of them not by the law"
        seconds = time.monotonic() - began
        hands = ", ".join(sorted(crook.hands))
        figures.add(str(role), f"{told}; {again}; accounts in hand: {hands}; {seconds:.0f} s")
    return figures.show()


if __name__ == "__main__":
    raise SystemExit(main())
