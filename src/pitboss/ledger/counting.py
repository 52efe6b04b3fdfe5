"""Holds of submissions, counted in processes of their own, so that nobody else waits for them."""

import asyncio
import multiprocessing
import os
import resource
import signal
import threading
from collections import OrderedDict
from contextlib import suppress
from datetime import date
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from time import monotonic
from typing import Final

from pitboss.exact.filed_holds import hold_findings, not_counted
from pitboss.findings import Finding
from pitboss.submission import read_submission
from pitboss.workers import end_with_parent

PATIENCE: Final = 3.0
"""Seconds that a person who opens a table, or consents to it, waits for its holds."""
LONGEST: Final = 300.0
"""Seconds after which a count is given up."""
MEMORY: Final = 8 * 2**30
"""Bytes that a count may map; libraries map far more than they use."""
_NICE: Final = 10
_AT_ONCE: Final = 2
_REMEMBERED: Final = 100
_SPAWN: Final = multiprocessing.get_context("spawn")
_Key = tuple[str, date]


class HoldCounter:
    """The hold findings of submissions, remembered; safe between threads."""

    def __init__(self, patience: float = PATIENCE, longest: float = LONGEST) -> None:
        self.patience, self.longest = patience, longest
        self._lock = threading.Lock()
        self._known: OrderedDict[_Key, tuple[Finding, ...]] = OrderedDict()
        self._running: dict[_Key, _Count] = {}

    def findings(self, text: str, day: date) -> tuple[Finding, ...]:
        """What is wrong with the holds of a submission; a note on each that isn't counted yet when patience ends."""
        key, until = (text, day), monotonic() + (0 if _on_event_loop() else self.patience)
        while True:
            with self._lock:
                if (known := self._known.get(key)) is not None:
                    return known
                self._collect()
                if key in self._known:
                    continue
                if key not in self._running and len(self._running) < _AT_ONCE:
                    self._running[key] = _Count(text, day, self.longest)
                counting = self._running.get(key)
            left = until - monotonic()
            if left <= 0:
                return not_counted(read_submission(text), day, "it takes longer than the time there is")
            if counting is None:
                threading.Event().wait(min(left, 0.1))
            else:
                counting.answer.poll(min(left, 0.5))

    def _collect(self) -> None:
        for key, counting in tuple(self._running.items()):
            found = counting.taken()
            if found is not None:
                del self._running[key]
                self._known[key] = found
        while len(self._known) > _REMEMBERED:
            self._known.popitem(last=False)


def _on_event_loop() -> bool:
    """Whether everybody served by this thread would wait with the caller."""
    try:
        return asyncio.get_running_loop() is not None
    except RuntimeError:
        return False


class _Count:
    """One count that is being made."""

    def __init__(self, text: str, day: date, longest: float) -> None:
        self.text, self.day, self.until = text, day, monotonic() + longest
        self.answer, other = _SPAWN.Pipe(duplex=False)
        self.process: BaseProcess = _SPAWN.Process(target=_count, args=(text, day, other), daemon=True)
        self.process.start()
        other.close()

    def taken(self) -> tuple[Finding, ...] | None:
        """The findings, once they are there; notes where the process ended without them or took too long."""
        found: tuple[Finding, ...] | None = None
        if self.answer.poll():
            with suppress(EOFError, OSError):
                found = self.answer.recv()
        elif self.process.is_alive() and monotonic() < self.until:
            return None
        self.process.kill()
        self.process.join(1)
        self.answer.close()
        return not_counted(read_submission(self.text), self.day, "the count was given up") if found is None else found


def _count(text: str, day: date, answer: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()
    os.nice(_NICE)
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.RLIM_INFINITY))
    found = hold_findings(read_submission(text), day)
    with suppress(OSError):  # nobody waits for it any more
        answer.send(found)
