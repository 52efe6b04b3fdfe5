"""The review of the whole ledger that somebody started from a page: one at a time, in a thread, with its progress."""

import threading
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Final
from weakref import WeakKeyDictionary

from pitboss.findings import Finding, errors, refusal
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.people import Person
from pitboss.ledger.pit import Pit
from pitboss.ledger.review import verify
from pitboss.web.security import House

VERIFYING: Final = "verifying"
"""What only one at a time does, from a page or through the interface."""
STREAM: Final = "review of the ledger"
"""The stream of the windows that show it. No table has this name."""
STEP_S: Final = 0.3
"""Between two looks at the progress."""


@dataclass(frozen=True)
class ReviewState:
    """How far a review is, or what it found."""

    by: str
    at: int
    done: int = 0
    of: int = 0
    running: bool = True
    findings: tuple[Finding, ...] = ()
    scope: str = ""
    """What was looked at, in a sentence."""
    seconds: float = 0.0

    @property
    def percent(self) -> int:
        return 100 * self.done // self.of if self.of else 0

    @property
    def wrong(self) -> Sequence[Finding]:
        return errors(self.findings)


_last: WeakKeyDictionary[Pit, ReviewState] = WeakKeyDictionary()


def last_review(pit: Pit) -> ReviewState | None:
    """The review that is running, or the last one since the server started."""
    return _last.get(pit)


def start_review(house: House, who: Person) -> None:
    """Start a review for a person. Raise ``RefusedError`` if one is running, ``FindingsError`` if they may not."""
    house.pit.demand(who, "audit.verify")
    with ExitStack() as stack:
        stack.enter_context(house.only_one(VERIFYING))
        _last[house.pit] = ReviewState(who.name, house.pit.clock())
        thread = threading.Thread(target=_run, args=(house, stack.pop_all()), name="pitboss-review", daemon=True)
    thread.start()


def _run(house: House, until_done: ExitStack) -> None:
    pit, began = house.pit, time.monotonic()
    shown = began

    def progress(done: int, of: int) -> None:
        nonlocal shown
        if time.monotonic() - shown >= STEP_S:
            shown = time.monotonic()
            _last[pit] = replace(_last[pit], done=done, of=of)
            house.hub.wake(STREAM)

    with until_done:
        try:
            reviewed = verify(pit.store, progress, pit.tables(), keep=True)
            findings, scope = reviewed.findings, reviewed.looked
        except LedgerError as problem:
            findings, scope = (refusal("database", "", "", str(problem)),), ""
        seconds = time.monotonic() - began
        _last[pit] = replace(_last[pit], running=False, findings=findings, scope=scope, seconds=seconds)
    house.hub.wake(STREAM)
