"""Clients for load: plain threads over connections that stay open, and a server in a process of its own.

One client of many coroutines would measure itself. Threads that wait for a socket hold no lock of the interpreter, and
how much they can ask at most is measured too, against a server that does nothing.
"""

import http.client
import json
import multiprocessing
import socket
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, sleep
from typing import Any

import uvicorn
from starlette.types import Receive, Scope, Send

from pitboss.ledger.people import Cost, People, Person
from pitboss.ledger.pit import Pit
from pitboss.ledger.store import Store
from pitboss.web.api import create_app
from pitboss.web.limits import Settings
from pitboss.web.server import listening, server_of

PASSWORD = "a password for benchmarks"
CHEAP = Cost(1024, 1, 1)
WAIT = 60.0
SETTINGS = Settings(address_per_second=1_000_000, refused_per_minute=1_000_000)
"""All clients share one address here; every other limit stands."""

Prepare = Callable[[Pit], None]


@dataclass
class Served:
    """A server that runs elsewhere: its port, a token for everybody, and the number of its process."""

    port: int
    tokens: Mapping[str, str]
    process: int

    def client(self, who: str = "") -> "Client":
        return Client(self.port, self.tokens.get(who, ""))


@dataclass
class Client:
    """One connection, kept open, of somebody who has logged in."""

    port: int
    token: str = field(repr=False)
    connection: http.client.HTTPConnection = field(init=False)

    def __post_init__(self) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=WAIT)
        self.connection.connect()
        self.connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def ask(
        self, method: str, path: str, body: Mapping[str, Any] | None = None, headers: Mapping[str, str] | None = None
    ) -> tuple[int, bytes]:
        sent = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json", **(headers or {})}
        self.connection.request(method, path, None if body is None else json.dumps(body), sent)
        answer = self.connection.getresponse()
        return answer.status, answer.read()

    def command(self, table: str, key: str, body: Mapping[str, Any]) -> tuple[int, bytes]:
        return self.ask("POST", f"/api/tables/{table}/commands", body, {"Request-Key": key})

    def shown(self, path: str) -> dict[str, Any]:
        status, text = self.ask("GET", path)
        if status != 200:
            raise RuntimeError(f"{path}: {status} {text!r}")
        return dict(json.loads(text))

    def messages(self, path: str) -> Iterator[tuple[int, float]]:
        """The numbers of a stream's events, and when each was here; until the connection is closed."""
        self.connection.request("GET", path, headers={"Authorization": f"Bearer {self.token}"})
        answer = self.connection.getresponse()
        while line := answer.readline():
            if line.startswith(b"id: "):
                yield int(line[4:]), perf_counter()

    def close(self) -> None:
        """A thread that is reading sees the end of the stream."""
        if self.connection.sock is not None:
            self.connection.sock.shutdown(socket.SHUT_RDWR)


@contextmanager
def served(people: Sequence[Person], prepare: Prepare, *, pages: bool = False) -> Iterator[Served]:
    """A house over SQLite with everybody logged in; ``prepare`` is called in the server's process."""
    with TemporaryDirectory() as folder, _process(_serve, Path(folder), list(people), prepare, pages) as told:
        yield Served(*told)


@contextmanager
def idle_server() -> Iterator[Served]:
    """The same server with nothing behind it."""
    with _process(_answer_all) as told:
        yield Served(*told)


@contextmanager
def _process(target: Callable[..., None], *given: Any) -> Iterator[tuple[int, dict[str, str], int]]:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=target, args=(theirs, *given))
    process.start()
    try:
        if not ours.poll(WAIT):
            raise RuntimeError("the server did not start")
        yield *ours.recv(), process.pid
    finally:
        process.terminate()
        process.join(WAIT)


def _serve(pipe: Connection, folder: Path, people: Sequence[Person], prepare: Prepare, pages: bool) -> None:
    with Store(f"sqlite:///{folder}/ledger.db", folder / "anchor") as store:
        accounts, pit = People(store, cost=CHEAP), Pit(store)
        tokens = {}
        for person in people:
            accounts.create(person.id, person.name, person.role, PASSWORD, None)
            tokens[person.id] = accounts.log_in(person.id, PASSWORD).token
        prepare(pit)
        app = create_app(pit, accounts, SETTINGS)
        if pages:
            from pitboss.web.site import add_pages

            add_pages(app)
        _run(pipe, server_of(app), tokens)


def _answer_all(pipe: Connection) -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await receive()
            await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
            await send({"type": "http.response.body", "body": b"{}"})

    _run(pipe, uvicorn.Server(uvicorn.Config(app, log_level="warning", access_log=False, lifespan="off")), {})


def _run(pipe: Connection, server: uvicorn.Server, tokens: Mapping[str, str]) -> None:
    with listening("127.0.0.1", 0) as door:
        door.listen(1024)
        pipe.send((door.getsockname()[1], tokens))
        server.run(sockets=[door])


@dataclass
class Times:
    """Seconds that answers took, and how many were not what was asked for."""

    seconds: list[float] = field(default_factory=list)
    refused: int = 0
    lasted: float = 0.0

    def cells(self) -> tuple[str, ...]:
        """Answers a second, refusals, and the times in milliseconds."""
        rate = len(self.seconds) / self.lasted if self.lasted else 0
        return (f"{rate:,.0f}", f"{self.refused:,}", *percentiles(self.seconds))


HEADING = ("answers/s", "refused", "p50 ms", "p99 ms", "max ms")


def percentiles(seconds: Sequence[float]) -> tuple[str, str, str]:
    """The middle, the 99th of a hundred and the longest, in milliseconds.

    >>> percentiles([n / 1000 for n in range(1, 101)])
    ('51.0', '100.0', '100.0')
    """
    ordered = sorted(seconds) or [0.0]
    picked = (ordered[len(ordered) * part // 100] for part in (50, 99))
    return (*(f"{1000 * value:.1f}" for value in picked), f"{1000 * ordered[-1]:.1f}")  # type: ignore[return-value]


Ask = Callable[[int], int]
"""Sends the request of that number and returns the status of its answer."""


def fire(askers: Sequence[Ask], seconds: float, per_second: float | None = None) -> Times:
    """Ask for so long, flat out or so many times a second.

    At a given rate a request's time counts from when it was due, so a client that is late hides nothing.
    """
    numbers, times, lock = count(), Times(), threading.Lock()
    start = perf_counter()
    end = start + seconds

    def work(ask: Ask) -> None:
        while True:
            number = next(numbers)
            due = start + number / per_second if per_second else perf_counter()
            if due >= end:
                return
            if (wait := due - perf_counter()) > 0:
                sleep(wait)
            status = ask(number)
            taken = perf_counter() - due
            with lock:
                times.seconds.append(taken)
                times.refused += status != 200

    in_threads([lambda ask=ask: work(ask) for ask in askers])  # type: ignore[misc]
    times.lasted = perf_counter() - start
    return times


def in_threads(jobs: Sequence[Callable[[], None]]) -> None:
    """Run them all; the first problem of any is raised when all have ended."""
    problems: list[BaseException] = []

    def run(job: Callable[[], None]) -> None:
        try:
            job()
        except BaseException as problem:  # noqa: BLE001 - raised below, in the thread that asked
            problems.append(problem)

    threads = [threading.Thread(target=run, args=(job,), daemon=True) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if problems:
        raise problems[0]
