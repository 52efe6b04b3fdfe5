"""The reader: one process beside the server in which documents from strangers are parsed, checked and settled.

``documents`` bounds what reaches a parser; this bounds what the work behind it may cost. A document that is expensive
to check takes neither the event loop nor the interpreter's lock from anybody else: it has a deadline and a bound of
memory, and only so many may wait. The process ends with the server, also when the server is killed.
"""

import os
import resource
import signal
import threading
from collections.abc import Callable
from concurrent.futures import CancelledError, Future, ProcessPoolExecutor
from concurrent.futures import TimeoutError as StillWorkingError
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from datetime import date
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from time import monotonic
from types import FrameType
from typing import Any, Final, TypeVar

from pitboss.findings import FindingsError, UnreadableError, refusal
from pitboss.ledger.deadlines import grant
from pitboss.web.limits import RefusedError
from pitboss.workers import end_with_parent

T = TypeVar("T")
SECONDS: Final = 2.0
"""Of processor time, for one document: what it costs, however busy the machine is."""
WAIT_S: Final = 4.0
"""For one caller, those before included; less than the deadline of an answer."""
START_S: Final = 30.0
"""For the process to start."""
MOST_WAITING: Final = 12
MEMORY: Final = 200 * 1024 * 1024
"""Bytes that one document may take."""
_SPAWN: Final = get_context("spawn")


class ExpensiveError(UnreadableError):
    """A document that would take too long, or too much memory, to check."""


class BusyReaderError(RefusedError, UnreadableError):
    """Too many documents are being checked; a page says so, and the interface answers 503."""

    def __init__(self) -> None:
        sentence = "Too many documents are being checked. Nothing was done; try again."
        super().__init__(503, refusal("busy", "fewer documents waiting", "", sentence), 1)


class _TimeOver(KeyboardInterrupt):
    """An interrupt by the clock, which passes every handler of ours."""


def _stop(_number: int, _frame: FrameType | None) -> None:
    raise _TimeOver


_began: list[Any] = []


def _start(began: Any, over: Connection) -> None:
    """Load what documents need, so that the first one isn't charged for it, and set the bound of memory."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent(over)
    import pitboss.web.meters
    import pitboss.web.views.submission_draft  # noqa: F401 - and the submission desk
    from pitboss.games.registry import GAMES
    from pitboss.submission import check, read_submission, template
    from pitboss.web.disputes import judge

    with suppress(UnreadableError, ModuleNotFoundError):
        judge("", date.today())
    for game in GAMES:
        with suppress(FindingsError):  # a game may not be in the law yet
            check(read_submission(template(game, date.today())))
    signal.signal(signal.SIGPROF, _stop)
    with suppress(OSError, ValueError):
        mapped = int(Path("/proc/self/statm").read_text("ascii").split()[0]) * os.sysconf("SC_PAGE_SIZE")
        resource.setrlimit(resource.RLIMIT_AS, (mapped + MEMORY, resource.RLIM_INFINITY))
    began.value = 0.0
    _began.append(began)


def _bounded(work: Callable[..., T], *args: Any) -> T:
    """In the reader's process: do the work within its time and memory."""
    (began,) = _began
    began.value = monotonic()
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        return work(*args)
    except _TimeOver:
        raise ExpensiveError(f"This document takes more than {SECONDS:g} seconds to check. Shorten it.") from None
    except MemoryError:
        sentence = f"This document takes more than {MEMORY // 2**20} MiB of memory to check. Shorten it."
        raise ExpensiveError(sentence) from None
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        began.value = 0.0


class Reader:
    """A process that reads one document after the other."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pool: ProcessPoolExecutor | None = None
        self._over: Connection | None = None
        self._first: Future[int] | None = None
        self._began: Any = None
        self._waiting = 0

    def ask(self, work: Callable[..., T], *args: Any) -> T:
        """Return what a module's function gives in the other process, and raise what it refuses. Not on an event loop.

        Raise ``BusyReaderError`` where too many documents wait.
        """
        with self._lock:
            if self._waiting >= MOST_WAITING:
                raise BusyReaderError
            self._waiting += 1
        try:
            asked: Future[T] = self._ready().submit(_bounded, work, *args)
            try:
                return asked.result(WAIT_S)
            except StillWorkingError:
                asked.cancel()
                self._end_if_stuck()
                raise BusyReaderError from None
        except CancelledError:
            raise BusyReaderError from None
        except BrokenProcessPool:
            self.close()
            raise BusyReaderError from None
        finally:
            with self._lock:
                self._waiting -= 1

    def start(self) -> None:
        """Have the process started for the first document."""
        with self._lock:
            self._begun()

    def close(self) -> None:
        """End the process, whatever it is doing; the next document starts another."""
        with self._lock:
            pool, over, self._pool, self._over = self._pool, self._over, None, None
        if over is not None:
            with suppress(OSError):
                over.send(True)
        if pool is not None:
            pool.shutdown(wait=False, cancel_futures=True)

    def _begun(self) -> tuple[ProcessPoolExecutor, "Future[int]"]:
        if self._pool is None or self._first is None:
            heard, self._over = _SPAWN.Pipe(duplex=False)
            self._began = _SPAWN.RawValue("d", 0.0)
            self._pool = ProcessPoolExecutor(1, _SPAWN, _start, (self._began, heard))
            self._first = self._pool.submit(os.getpid)
        return self._pool, self._first

    def _ready(self) -> ProcessPoolExecutor:
        """The process, once it has started. That a document waits for this is not charged to its request."""
        with self._lock:
            pool, first = self._begun()
        if not first.done():
            since = monotonic()
            with suppress(StillWorkingError):
                first.result(START_S)
            grant(monotonic() - since)
        return pool

    def _end_if_stuck(self) -> None:
        """Inside a call of C no alarm is heard."""
        began = 0.0 if self._began is None else self._began.value
        if began > 0 and monotonic() - began > WAIT_S:
            self.close()


READER: Final = Reader()


def demand_cheap(text: object) -> None:
    """Refuse a submission that is expensive to check before a table or a meter checks it under the ledger's lock."""
    if isinstance(text, str):
        READER.ask(_check, text)


def _check(text: str) -> None:
    from pitboss.submission import check, read_submission

    with suppress(UnreadableError, FindingsError):  # the table says what is wrong
        check(read_submission(text))
