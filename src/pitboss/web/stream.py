"""Server-sent events: a watching client receives each event once, in order, and resumes after a break.

One thread watches the ledger for all open streams and wakes those whose table has changed. A stream holds no thread
while it waits, only a short while in which it reads.
"""

import asyncio
import threading
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from anyio import CapacityLimiter, to_thread

from pitboss.ledger.errors import LedgerError
from pitboss.ledger.people import People, Person
from pitboss.ledger.pit import Pit
from pitboss.ledger.store import HOUSE_STREAM
from pitboss.table.canonical import canonical

PAGE = 500
READERS = 8
TROUBLE_SECONDS = 1.0
RETRY = "retry: 1000\n\n"
HEARTBEAT = ": still here\n\n"
ANY = None
"""Woken by everything that happens."""


@dataclass(eq=False)
class Watcher:
    """An open stream: whose, of which table, and how to wake it."""

    stream: str | None
    person: str
    loop: asyncio.AbstractEventLoop
    news: asyncio.Event = field(default_factory=asyncio.Event)

    def wake(self) -> None:
        # The loop may have ended between the look at the list and now.
        with suppress(RuntimeError):
            self.loop.call_soon_threadsafe(self.news.set)


class Hub:
    """The open streams of one application, and the thread that wakes them."""

    def __init__(self, pit: Pit, people: People, poll: float, heartbeat: float) -> None:
        self.pit = pit
        self.people = people
        self.heartbeat = heartbeat
        self.closed = False
        self._poll = poll
        self._watchers: set[Watcher] = set()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._readers: CapacityLimiter | None = None

    def open_streams(self) -> Counter[str]:
        """How many each person has open."""
        with self._lock:
            return Counter(watcher.person for watcher in self._watchers)

    def wake_all(self) -> None:
        """For a change that is in no event, such as a log-out."""
        with self._lock:
            watchers = list(self._watchers)
        for watcher in watchers:
            watcher.wake()

    def wake(self, stream: str) -> None:
        """Wake the windows at one stream, for a change that is in no event."""
        with self._lock:
            watchers = [watcher for watcher in self._watchers if watcher.stream == stream]
        for watcher in watchers:
            watcher.wake()

    def close(self) -> None:
        """End every stream, so that the server can stop."""
        self.closed = True
        self.wake_all()
        with self.pit.changed:
            self.pit.changed.notify_all()

    async def events(self, who: Person, token: str, table: str, after: int | None) -> AsyncIterator[str]:
        """A table's events after one of them, or from now on, as this person may see them."""

        def begin() -> tuple[str, int]:
            head = self._head() if after is None else after
            return f"id: {head}\nevent: begin\ndata: {canonical({'head': head})}\n\n", head

        def more(since: int) -> tuple[str, int, bool]:
            news = self.pit.news(who, table, since, PAGE)
            text = "".join(f"id: {event['seq']}\ndata: {canonical(event)}\n\n" for event in news)
            return text, news[-1]["seq"] if news else since, len(news) == PAGE

        async for text in self._told(table, who, token, begin, more):
            yield text

    async def meters(self, who: Person, token: str) -> AsyncIterator[str]:
        """All meters whenever one of them has changed."""
        last = ""

        def more(since: int) -> tuple[str, int, bool]:
            nonlocal last
            head = self._head()
            shown = canonical(self.pit.meters())
            if shown == last:
                return "", since, False
            last = shown
            return f'id: {head}\ndata: {{"head":{head},"meters":{shown}}}\n\n', head, False

        async for text in self._told(ANY, who, token, lambda: ("", 0), more):
            yield text

    async def _told(
        self,
        stream: str | None,
        who: Person,
        token: str,
        begin: Callable[[], tuple[str, int]],
        more: Callable[[int], tuple[str, int, bool]],
    ) -> AsyncIterator[str]:
        def look(since: int) -> tuple[str, int, bool] | None:
            if self.people.session_of(token, active=False) is None:
                return None
            return more(since)

        watcher = Watcher(stream, who.id, asyncio.get_running_loop())
        yield RETRY
        with self.watching(watcher):
            since: int | None = None
            while not self.closed:
                watcher.news.clear()
                try:
                    if since is None:
                        text, since = await self.read(begin)
                        yield text
                    found = await self.read(partial(look, since))
                except LedgerError as problem:
                    yield f"event: trouble\ndata: {canonical({'sentence': str(problem)})}\n\n"
                    await asyncio.sleep(TROUBLE_SECONDS)
                    continue
                if found is None:
                    yield 'event: end\ndata: {"sentence":"The session has ended; log in again."}\n\n'
                    return
                text, since, again = found
                if text:
                    yield text
                if not again and not await woken(watcher.news, self.heartbeat):
                    yield HEARTBEAT

    async def read(self, function: Callable[[], Any]) -> Any:
        """Call in a thread, but never in more than a few: requests need theirs, and each thread a connection."""
        if self._readers is None:
            self._readers = CapacityLimiter(READERS)
        return await to_thread.run_sync(function, limiter=self._readers)

    def _head(self) -> int:
        with self.pit.store.reading() as reading:
            return reading.head.seq

    @contextmanager
    def watching(self, watcher: Watcher) -> Iterator[None]:
        with self._lock:
            self._watchers.add(watcher)
            if self._thread is None:
                self._thread = threading.Thread(target=self._watch, name="pitboss-streams", daemon=True)
                self._thread.start()
        try:
            yield
        finally:
            with self._lock:
                self._watchers.discard(watcher)

    def _watch(self) -> None:
        """Until nobody watches any more."""
        head: int | None = None
        while True:
            with self._lock:
                if self.closed or not self._watchers:
                    self._thread = None
                    return
            try:
                head, changed = self._changed_since(head)
            except LedgerError:
                changed = None
            if changed:
                self._wake(changed)
            else:
                with self.pit.changed:
                    self.pit.changed.wait(self._poll)

    def _changed_since(self, head: int | None) -> tuple[int, set[str] | None]:
        """The head of the chain and the streams that have events after the one before; at first all of them."""
        with self.pit.store.reading() as reading:
            now = reading.head.seq
            if now == head:
                return now, None
            if head is None or now - head > PAGE:
                return now, set(reading.streams())
            return now, {event.stream for event in reading.events(after=head)}

    def _wake(self, changed: set[str]) -> None:
        with self._lock:
            everybody = HOUSE_STREAM in changed  # an account may have been disabled, by this process or another
            watchers = [w for w in self._watchers if everybody or w.stream is ANY or w.stream in changed]
        for watcher in watchers:
            watcher.wake()


async def woken(news: asyncio.Event, seconds: float) -> bool:
    try:
        async with asyncio.timeout(seconds):
            await news.wait()
    except TimeoutError:
        return False
    return True
