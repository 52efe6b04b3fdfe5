"""Refusals that would fill the ledger: so many by one caller in a minute are recorded, the others counted.

Anybody can be refused as often as they like. The ledger keeps the first of each minute and one line with the number of
the rest, which are in memory until then.
"""

import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable
from typing import Final

MINUTE: Final = 60.0
MOST: Final = 20
"""Events of one caller in a minute."""
_CALLERS: Final = 10_000

Caller = tuple[str, str]
"""What was refused, and to whom; '' where nobody knows who it was."""


class Refusals:
    """Counts for one ledger, safe between threads."""

    def __init__(self, most: int = MOST, clock: Callable[[], float] = time.monotonic) -> None:
        self.most = most
        self._clock = clock
        self._lock = threading.Lock()
        self._minutes: OrderedDict[Caller, tuple[float, int]] = OrderedDict()
        self._due: Counter[Caller] = Counter()

    def admits(self, what: str, caller: str) -> bool:
        """Whether this refusal is to be recorded; if not, it has been counted."""
        who, now = (what, caller), self._clock()
        with self._lock:
            self._end_minutes(now)
            began, count = self._minutes.get(who, (now, 0))
            self._minutes[who] = (began, count + 1)
            if len(self._minutes) > _CALLERS:
                self._end(*self._minutes.popitem(last=False))
            return count < self.most

    def due(self, *, all: bool = False) -> dict[Caller, int]:
        """What was counted and not recorded in minutes that are over, each reported once."""
        with self._lock:
            self._end_minutes(float("inf") if all else self._clock())
            found, self._due = dict(self._due), Counter()
        return found

    def _end_minutes(self, now: float) -> None:
        """In the order in which they began."""
        while self._minutes:
            who, (began, count) = next(iter(self._minutes.items()))
            if now - began < MINUTE:
                return
            del self._minutes[who]
            self._end(who, (began, count))

    def _end(self, who: Caller, minute: tuple[float, int]) -> None:
        if minute[1] > self.most:
            known = who if len(self._due) < _CALLERS else (who[0], "")
            self._due[known] += minute[1] - self.most
