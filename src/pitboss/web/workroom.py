"""The workroom: processes beside the server that count, so that pages and tables keep answering meanwhile.

A lane is one process that keeps what it has compiled and counted. Answers are cached, and a question that several
windows ask is counted once. Lanes take turns among people, drop work that nobody waits for any more, and say how far
they are. Workers end with the server, also when it is killed.
"""

import asyncio
import logging
import multiprocessing
import signal
import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures import TimeoutError as StillWorkingError
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from time import monotonic
from typing import Any, Final, TypeVar

from pitboss.extras import sentence_of
from pitboss.findings import PitbossError, UnreadableError
from pitboss.workers import end_with_parent

T = TypeVar("T")
Key = tuple[Any, ...]
"""A function of a module, and what it is asked."""
REMEMBERED: Final = 200
MOST_WAITING: Final = 12
"""Questions of a lane."""
MOST_EACH: Final = 6
"""Questions of one person in a lane."""
ABANDONED_S: Final = 45.0
"""After so long without a window that waits for it, a count is given up; windows look every 15 seconds."""
TICK_S: Final = 0.25
WORDS: Final = 120
REACH: Final = 0.85
"""How much of what is left of the bar one part of a count fills."""
MOST_TIMED: Final = 0.95
MOST_USUAL: Final = 500
MOST_STOPPED: Final = 200
TOO_MUCH: Final = "Too much is being computed at the moment; try again in a little while."
TOO_MUCH_OF_YOURS: Final = f"You have {MOST_EACH} computations waiting already. Cancel one, or wait for one to end."
INTERRUPTED: Final = "The computation was interrupted; ask again."
STOPPED: Final = "Cancelled. Nothing was counted."
LOG: Final = logging.getLogger(__name__)
_SPAWN: Final = multiprocessing.get_context("spawn")

_worker: list[tuple[Any, Any]] = []
_wake: list[Callable[[str], object]] = []


def tell(what: str, share: float) -> None:
    """Say from inside a worker how far it is; elsewhere nobody listens."""
    for words, done in _worker:
        words.value = what.encode()[:WORDS]
        done.value = share


def wake_by(wake: Callable[[str], object]) -> None:
    """Set what wakes the windows at a stream."""
    _wake[:] = [wake]


def _start(words: Any, done: Any, over: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _worker.append((words, done))
    end_with_parent(over)


class CountStoppedError(UnreadableError):
    """A count that was cancelled or interrupted, and is begun again only if somebody says so."""


class BusyLaneError(UnreadableError):
    """Too many questions wait. This one is not among them."""


@dataclass(frozen=True)
class Underway:
    """How far a count is, as a page shows it."""

    what: str = ""
    percent: int = 0
    left: str = ""
    """The time left in words; empty while there is nothing to tell it from."""
    ahead: int = 0
    """Counts of others that come first."""


@dataclass
class Progress:
    """How far a count is. Its share only grows, also where an engine counts several things, each from nothing."""

    usual: float | None = None
    """The seconds that the same kind of count took the last time."""
    began: float = field(default_factory=monotonic)
    share: float = 0.0
    what: str = ""
    _base: float = 0.0
    _reported: float = 0.0

    def hear(self, what: str, reported: float, now: float) -> None:
        self.what = what.replace(".", ", ").replace("_", " ") or self.what
        reported = min(max(reported, 0.0), 1.0)
        if reported < self._reported:
            self._base = self.share
        self._reported = reported
        by_engine = self._base + (1 - self._base) * REACH * reported
        by_clock = min((now - self.began) / self.usual, 1) * MOST_TIMED if self.usual else 0.0
        self.share = max(self.share, by_engine, by_clock)

    def left(self, now: float) -> float | None:
        """Seconds, if there is anything to tell them from."""
        elapsed = now - self.began
        if self.usual and elapsed < self.usual:
            return self.usual - elapsed
        return elapsed * (1 - self.share) / self.share if self.share >= 0.05 and elapsed >= 1 else None


def time_left(seconds: float | None) -> str:
    """A time in words that don't change at every look.

    >>> time_left(3), time_left(42), time_left(61), time_left(200), time_left(None)
    ('a few seconds left', 'about 45 s left', 'about 2 min left', 'about 4 min left', '')
    """
    if seconds is None:
        return ""
    if seconds <= 5:
        return "a few seconds left"
    if seconds <= 60:
        return f"about {-int(-seconds // 5) * 5} s left"
    return f"about {-int(-seconds // 60)} min left"


class Count:
    """A question that is counted, or waits for its turn."""

    def __init__(self, key: Key, usual: float | None) -> None:
        self.key = key
        self.answer: Future[Any] = Future()
        self.usual = usual
        self.progress: Progress | None = None
        self.asked: dict[str, float] = {}
        """When each stream asked last."""
        self.people: set[str] = set()
        self.held = 0
        """Callers that wait for the answer itself."""
        self.stopped = False

    @property
    def is_abandoned(self) -> bool:
        """Whether nobody waits for it any more."""
        return not self.held and monotonic() - max(self.asked.values(), default=0.0) > ABANDONED_S

    def waiting(self, ahead: int = 0) -> Underway:
        progress, now = self.progress, monotonic()
        if progress is None:
            return Underway(ahead=ahead)
        return Underway(progress.what, min(99, int(100 * progress.share)), time_left(progress.left(now)))

    def wake(self) -> None:
        for stream in list(self.asked):
            for wake in _wake:
                wake(stream)


class Lane:
    """One worker process, the questions that wait for it, and the answers it has given."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._jobs: OrderedDict[Key, Count] = OrderedDict()
        self._answers: OrderedDict[Key, Any] = OrderedDict()
        self._stopped: OrderedDict[tuple[str, Key], str] = OrderedDict()
        self._usual: OrderedDict[Key, float] = OrderedDict()
        self._served: OrderedDict[str, None] = OrderedDict()
        """People in the order in which the lane counted for them last."""
        self._current: Count | None = None
        self._thread: threading.Thread | None = None
        self._pool: ProcessPoolExecutor | None = None
        self._shared: tuple[Any, Any, Connection] | None = None
        self._over: Connection | None = None

    # Inquiry

    @property
    def progress(self) -> tuple[str, float]:
        """What the worker is doing, and how much of it is done."""
        progress = self._current.progress if self._current else None
        return (progress.what, progress.share) if progress else ("", 0.0)

    def known(self, work: Callable[..., T], *args: Any) -> T | None:
        """The answer, if it has been given before."""
        found: T | None = self._answers.get((work, *args))
        return None if isinstance(found, UnreadableError) else found

    async def ask(self, work: Callable[..., T], *args: Any, person: str = "") -> T:
        """The answer of a function of a module, worked out in the other process unless it is known.

        What the function refuses is raised here. A worker that ended is replaced for the next question.
        """
        found = self._begin((work, *args), person=person)
        if not isinstance(found, Count):
            known: T = _given(found)
            return known
        found.held += 1
        try:
            # Shielded, because another window may wait for the same answer.
            answer: T = await asyncio.shield(asyncio.wrap_future(found.answer))
        finally:
            found.held -= 1
        return answer

    def look(
        self, work: Callable[..., T], *args: Any, stream: str, person: str = "", wait: float = 0.0
    ) -> "T | Underway":
        """The answer, or how far it is after ``wait`` seconds. Windows at the stream are woken by what changes.

        Raise what the function refuses, ``CountStoppedError`` after a cancellation at this stream, ``BusyLaneError``.
        """
        found = self._begin((work, *args), stream, person)
        if not isinstance(found, Count):
            known: T = _given(found)
            return known
        try:
            answer: T = found.answer.result(wait)
        except PitbossError:
            raise
        except StillWorkingError:
            with self._lock:
                order = [job for job in self._jobs.values() if job is not self._current]
                before = order.index(found) + 1 if found in order else 0
            return found.waiting(before)
        except Exception as problem:
            raise CountStoppedError(INTERRUPTED) from problem
        return answer

    def again(self, stream: str) -> None:
        """Let what was cancelled at a stream be counted after all."""
        with self._lock:
            for each in [each for each in self._stopped if each[0] == stream]:
                del self._stopped[each]

    def leave(self, stream: str, *, stop: bool = False) -> None:
        """A stream waits for nothing here any more; what nobody else waits for ends. With ``stop``, remember that."""
        with self._lock:
            for job in list(self._jobs.values()):
                if job.asked.pop(stream, None) is None:
                    continue
                if stop:
                    self._stop_at(stream, job.key, STOPPED)
                if not job.asked and not job.held:
                    self._drop(job)
        for wake in _wake:
            wake(stream)  # another window of the same person may stand at the same address, and asks again

    # Counting

    def _begin(self, key: Key, stream: str = "", person: str = "") -> "Any | Count":
        with self._lock:
            if key in self._answers:
                self._answers.move_to_end(key)
                return self._answers[key]
            if (stream, key) in self._stopped:
                raise CountStoppedError(self._stopped[stream, key])
            job = self._jobs.get(key)
            if job is None:
                if len(self._jobs) >= MOST_WAITING:
                    raise BusyLaneError(TOO_MUCH)
                if person and sum(person in each.people for each in self._jobs.values()) >= MOST_EACH:
                    raise BusyLaneError(TOO_MUCH_OF_YOURS)
                job = self._jobs[key] = Count(key, self._usual.get(_kind(key)))
            if stream:
                job.asked[stream] = monotonic()
            job.people.add(person)
            if self._thread is None:
                self._thread = threading.Thread(target=self._count_all, name="pitboss-lane", daemon=True)
                self._thread.start()
            return job

    def _count_all(self) -> None:
        """Count what waits, in turn among people, until nothing does."""
        while True:
            with self._lock:
                for each in [job for job in self._jobs.values() if job.stopped or (job.asked and job.is_abandoned)]:
                    self._drop(each)
                job = min(self._jobs.values(), key=self._turn, default=None)
                if job is None:
                    self._thread = self._current = None
                    return
                self._current = job
                for person in job.people:
                    self._served[person] = None
                    self._served.move_to_end(person)
                    if len(self._served) > MOST_USUAL:
                        self._served.popitem(last=False)
            self._count(job)

    def _turn(self, job: Count) -> int:
        """When the people of a job were served last; of equals the first comes first."""
        order = list(self._served)
        return min((order.index(each) if each in order else -1 for each in job.people), default=-1)

    def _count(self, job: Count) -> None:
        error: BaseException | None = None
        found: Any = None
        try:
            found = self._work(job)
        except CountStoppedError:
            return
        except BrokenProcessPool:
            self.close()
            error = CountStoppedError(INTERRUPTED)
        except PitbossError as problem:
            error = problem if isinstance(problem, UnreadableError) else UnreadableError(str(problem))
        except ModuleNotFoundError as missing:
            ours = (missing.name or "").startswith("pitboss")
            error = missing if ours else UnreadableError(sentence_of(missing))
        except Exception as problem:
            LOG.exception("a count in the workroom failed: %s", job.key[0].__name__)
            error = problem
        with self._lock:
            self._forget(job)
            self._current = None
            if error is None or (isinstance(error, UnreadableError) and not isinstance(error, CountStoppedError)):
                self._answers[job.key] = found if error is None else error
                while len(self._answers) > REMEMBERED:
                    self._answers.popitem(last=False)
            else:
                for stream in job.asked:
                    self._stop_at(stream, job.key, INTERRUPTED)
            if error is None and job.progress is not None:
                self._usual[_kind(job.key)] = monotonic() - job.progress.began
                while len(self._usual) > MOST_USUAL:
                    self._usual.popitem(last=False)
            if job.answer.done():
                pass  # it was given up at the last moment
            elif error is None:
                job.answer.set_result(found)
            else:
                job.answer.set_exception(error)
        job.wake()

    def _work(self, job: Count) -> Any:
        """The answer of the worker, while windows follow it. Raise ``CountStoppedError`` if nobody waits."""
        done = self._submit(*job.key)
        job.progress = Progress(job.usual)
        shown = Underway()
        while True:
            try:
                return done.result(TICK_S)
            except StillWorkingError:
                if done.done():
                    return done.result()  # the work itself ran out of some time
            if job.stopped or (job.asked and job.is_abandoned):
                with self._lock:
                    self._drop(job)
                self.close()
                raise CountStoppedError(STOPPED)
            if (shared := self._shared) is not None:
                words, reported, _ = shared
                job.progress.hear(words.value.decode(errors="replace"), float(reported.value), monotonic())
            if (now := job.waiting()) != shown:
                shown = now
                job.wake()

    def _submit(self, work: Callable[..., Any], *args: Any) -> "Future[Any]":
        if self._pool is None:
            heard, self._over = _SPAWN.Pipe(duplex=False)
            self._shared = _SPAWN.RawArray("c", WORDS), _SPAWN.RawValue("d", 0.0), heard
            self._pool = ProcessPoolExecutor(1, mp_context=_SPAWN, initializer=_start, initargs=self._shared)
        elif self._shared is not None:
            self._shared[0].value, self._shared[1].value = b"", 0.0
        try:
            return self._pool.submit(work, *args)
        except BrokenProcessPool:
            self._pool = None
            return self._submit(work, *args)

    def _drop(self, job: Count) -> None:
        """Give a job up; a worker that is counting it ends at its next tick."""
        job.stopped = True
        self._forget(job)
        if not job.answer.done():
            job.answer.set_exception(CountStoppedError(STOPPED))

    def _forget(self, job: Count) -> None:
        if self._jobs.get(job.key) is job:  # the same may have been asked again meanwhile
            del self._jobs[job.key]

    def _stop_at(self, stream: str, key: Key, why: str) -> None:
        self._stopped[stream, key] = why
        while len(self._stopped) > MOST_STOPPED:
            self._stopped.popitem(last=False)

    def close(self) -> None:
        """End the worker, whatever it is doing."""
        pool, over, self._pool, self._over, self._shared = self._pool, self._over, None, None, None
        if over is not None:
            with suppress(OSError):
                over.send(True)
        if pool is not None:
            pool.shutdown(wait=False, cancel_futures=True)


def _given(found: Any) -> Any:
    if isinstance(found, UnreadableError):
        raise found
    return found


def _kind(key: Key) -> Key:
    """What takes about as long: the same function of the same game."""
    work, *args = key
    return work.__name__, *(getattr(each, "kind", None) for each in args)


QUICK: Final = Lane()
"""Figures that take moments once the counts are there."""
LONG: Final = Lane()
"""Strategies, reports, simulations, and the parts of a game that take a minute."""
COACH: Final = Lane()
"""What choices at a practice table were worth, where that takes moments."""
LANES: Final = (QUICK, LONG, COACH)


def close_workroom() -> None:
    for lane in LANES:
        lane.close()
