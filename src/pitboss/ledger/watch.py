"""The wall clock as every writer reads it: a jump against the steady clock, or against the record, is an event."""

import time
from collections.abc import Callable

from pitboss.ledger.kinds.system import ClockJumped
from pitboss.ledger.store import HOUSE_STREAM, Writing
from pitboss.table.events import Event

Clock = Callable[[], int]
"""Microseconds since 1970, UTC."""

JUMP = 2_000_000
"""Microseconds by which wall clock and steady clock may drift apart before it is recorded."""


def microseconds() -> int:
    return time.time_ns() // 1_000


def steady_microseconds() -> int:
    return time.monotonic_ns() // 1_000


def jump_back(writing: Writing, now: int) -> Event | None:
    """What a program records that starts at a time before the last event."""
    last = writing.event(writing.head.seq)
    if last is not None and now < last.at - JUMP:
        return Event(ClockJumped(microseconds=now - last.at, against="the last event"))
    return None


class Watch:
    """One clock for all who write in a program. The first of them holds it against the last event."""

    def __init__(self, clock: Clock = microseconds, steady: Clock = steady_microseconds) -> None:
        self.clock = clock
        self._steady = steady
        self._offset: int | None = None

    def now(self, writing: Writing) -> int:
        """The time to record with; a jump since the last look is recorded before anything else."""
        now = self.clock()
        offset = now - self._steady()
        jumped = None
        if self._offset is None:
            jumped = jump_back(writing, now)
        elif abs(offset - self._offset) > JUMP:
            jumped = Event(ClockJumped(microseconds=offset - self._offset))
        self._offset = offset
        if jumped is not None:
            writing.append([jumped], stream=HOUSE_STREAM, round=0, actor="pitboss", role="system", at=now)
        return now
