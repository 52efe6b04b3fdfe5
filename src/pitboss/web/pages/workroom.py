"""The workroom: processes beside the server that count, so that pages and tables keep answering meanwhile.

A lane is one process that keeps what it has compiled and counted. Answers are remembered here, and a question that is
being worked on is not asked a second time. Workers end with the server, also when it dies without a word.
"""

import asyncio
import multiprocessing
import signal
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import Connection
from typing import Any, Final, TypeVar

from pitboss.findings import UnreadableError
from pitboss.workers import end_with_parent

T = TypeVar("T")
REMEMBERED: Final = 200
MOST_WAITING: Final = 12
WORDS: Final = 120
_SPAWN: Final = multiprocessing.get_context("spawn")

_worker: list[tuple[Any, Any]] = []


def tell(what: str, share: float) -> None:
    """Say from inside a worker how far it is; elsewhere nobody listens."""
    for words, done in _worker:
        words.value = what.encode()[:WORDS]
        done.value = share


def _start(words: Any, done: Any, over: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _worker.append((words, done))
    end_with_parent(over)


class Lane:
    """One worker process and the answers it has given."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None
        self._answers: OrderedDict[tuple[Any, ...], Any] = OrderedDict()
        self._asked: dict[tuple[Any, ...], Future[Any]] = {}
        self._shared: tuple[Any, Any, Connection] | None = None
        self._over: Connection | None = None

    @property
    def progress(self) -> tuple[str, float]:
        """What the worker is doing, and how much of it is done."""
        if self._shared is None:
            return "", 0.0
        words, done, _ = self._shared
        return words.value.decode(errors="replace"), float(done.value)

    def known(self, work: Callable[..., T], *args: Any) -> T | None:
        """The answer, if it has been given before."""
        return self._answers.get((work, *args))

    async def ask(self, work: Callable[..., T], *args: Any) -> T:
        """The answer of a function of a module, worked out in the other process unless it is known.

        What the function refuses is raised here. A worker that ended is replaced for the next question.
        """
        key = (work, *args)
        if key in self._answers:
            self._answers.move_to_end(key)
            answer: T = self._answers[key]
            return answer
        asked = self._asked.get(key)
        if asked is None:
            if len(self._asked) >= MOST_WAITING:
                raise UnreadableError("Too much is being computed at the moment; try again in a little while.")
            asked = self._submit(work, *args)
            self._asked[key] = asked
            asked.add_done_callback(lambda _: self._asked.pop(key, None))
        try:
            # Shielded, because another page may wait for the same answer.
            found: T = await asyncio.shield(asyncio.wrap_future(asked))
        except BrokenProcessPool:
            self._pool = None
            raise UnreadableError("The computation was interrupted; ask again.") from None
        self._answers[key] = found
        while len(self._answers) > REMEMBERED:
            self._answers.popitem(last=False)
        return found

    def _submit(self, work: Callable[..., T], *args: Any) -> "Future[T]":
        if self._pool is None:
            heard, self._over = _SPAWN.Pipe(duplex=False)
            self._shared = _SPAWN.RawArray("c", WORDS), _SPAWN.RawValue("d", 0.0), heard
            self._pool = ProcessPoolExecutor(1, mp_context=_SPAWN, initializer=_start, initargs=self._shared)
        try:
            return self._pool.submit(work, *args)
        except BrokenProcessPool:
            self._pool = None
            return self._submit(work, *args)

    def cancel(self) -> None:
        """Give up what is being worked on, unless somebody else waits for something here."""
        if len(self._asked) <= 1:
            self.close()

    def close(self) -> None:
        """End the worker, whatever it is doing."""
        if self._pool is not None and self._over is not None:
            self._over.send(True)
            self._pool.shutdown(cancel_futures=True)
            self._pool = self._shared = self._over = None


QUICK: Final = Lane()
"""Figures that take moments once the counts are there."""
LONG: Final = Lane()
"""Strategies, reports, and the parts of a game that take a minute."""

COACH: Final = Lane()
"""What choices at a practice table were worth, where that takes moments."""


def close_workroom() -> None:
    for lane in (QUICK, LONG, COACH):
        lane.close()
