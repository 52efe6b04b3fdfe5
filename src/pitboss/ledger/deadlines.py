"""How long the ledger waits for its database, and what happens to those who come while it does not answer."""

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from math import inf
from typing import TypeVar

Seen = TypeVar("Seen")
ANSWER_S = float(os.environ.get("PITBOSS_DATABASE_SECONDS") or 1.3)
"""Seconds without a sign of life after which a database counts as gone; a slow disk may need more."""
PATIENCE_S = 120.0
"""The same for work that reads the whole ledger: the database may sort for a long time before it says anything."""
REST_S = 0.5
"""Seconds after a failure in which nobody asks again."""

QUIET_S, LONGEST_WAIT_S, PAUSE_S = 1.0, 15.0, 0.02
"""Something that does not move any more, the longest wait for something that does, and the time between looks."""

_silence: ContextVar[float | None] = ContextVar("silence", default=None)


@dataclass
class Deadline:
    """A moment after which the ledger answers no more queries; it can be lifted for all who have it."""

    at: float = inf

    def lift(self) -> None:
        self.at = inf


_deadline: ContextVar[Deadline] = ContextVar("deadline", default=Deadline())  # noqa: B039  nobody lifts this one


@contextmanager
def within(seconds: float) -> Iterator[Deadline]:
    """Everything asked of the ledger in this block shares so many seconds, unless the deadline is lifted."""
    set_now = Deadline(min(_deadline.get().at, time.monotonic() + seconds))
    token = _deadline.set(set_now)
    try:
        yield set_now
    finally:
        _deadline.reset(token)


def grant(seconds: float) -> None:
    """Give the current request so much more time: it has waited for something that is no fault of its own."""
    _deadline.get().at += seconds


@contextmanager
def patient() -> Iterator[None]:
    """For reviews, backups and migrations, which nobody waits for at a table."""
    silence, deadline = _silence.set(PATIENCE_S), _deadline.set(Deadline())
    try:
        yield
    finally:
        _silence.reset(silence)
        _deadline.reset(deadline)


def until_settled(seen: Seen, look: Callable[[], Seen], settled: Callable[[Seen], bool]) -> Seen | None:
    """Look again while other programs write. Return ``None`` once it is settled, else what no longer moves."""
    ends, before, quiet = time.monotonic() + LONGEST_WAIT_S, None, 0.0
    while not settled(seen):
        now = time.monotonic()
        if seen != before:
            before, quiet = seen, now + QUIET_S
        if now >= min(ends, quiet):
            return seen
        time.sleep(PAUSE_S)
        seen = look()
    return None


def left(most: float = inf) -> float:
    """Seconds that may still be spent, at most so many; 0 when the time is over."""
    return max(0.0, min(most, _deadline.get().at - time.monotonic()))


def silence(usual: float | None = None) -> float:
    """Seconds for which the database may be silent now, or another writer be waited for: the usual ones, or more for
    patient work."""
    own = _silence.get()
    if own is None:
        own = ANSWER_S if usual is None else usual
    return left(own)


class Pulse:
    """Whether a database answers. After a failure one caller at a time tries; the others are refused at once.

    Without it, everybody who comes while the database is gone would wait in vain, each holding a thread.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._failing = False
        self._until = 0.0

    def may_try(self) -> bool:
        with self._lock:
            now = self._clock()
            if not self._failing:
                return True
            if now < self._until:
                return False
            self._until = now + ANSWER_S + REST_S
            return True

    def failed(self) -> None:
        with self._lock:
            self._failing = True
            self._until = self._clock() + REST_S

    def answered(self) -> None:
        if self._failing:
            with self._lock:
                self._failing = False
