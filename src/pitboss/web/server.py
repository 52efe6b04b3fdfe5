"""The server: a ledger is opened and checked, the pit is served, and start and stop are recorded."""

import asyncio
import gc
import signal
import sys
import threading
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from socket import AF_INET, AF_INET6, SO_REUSEADDR, SOCK_STREAM, SOL_SOCKET, socket
from typing import Any, NamedTuple

import uvicorn
from fastapi import FastAPI

from pitboss import NOTICE
from pitboss.clock import property_zone, zone_named
from pitboss.findings import FindingsError
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.files import data_folder, default_url, private_folder
from pitboss.ledger.kinds.system import SystemStopped
from pitboss.ledger.people import COST, Cost, People
from pitboss.ledger.pit import SYSTEM, Pit
from pitboss.ledger.segments import cores
from pitboss.ledger.selfcheck import ACCEPTABLE, record_start
from pitboss.ledger.store import Store
from pitboss.ledger.unattended import run_tables
from pitboss.ledger.watch import Clock, Watch, microseconds
from pitboss.table.events import Event
from pitboss.table.source import Randomness
from pitboss.web.api import create_app
from pitboss.web.connections import guarded_protocol
from pitboss.web.founding import found_house
from pitboss.web.front import HOST, PORT, Front, FrontError
from pitboss.web.limits import MOST_HEADERS, Settings
from pitboss.web.logs import plain_log
from pitboss.web.reading import READER
from pitboss.web.security import house_of
from pitboss.web.site import add_pages

GRACE = 5
"""Seconds that requests in progress are given when the server stops."""

MOST_CONNECTIONS = 3000
MOST_MESSAGE = 256 * 1024
"""Bytes of one message from a page: a submission that is pasted, in any script."""
HANDSHAKE_S = 5.0

Say = Callable[[str], None]

__all__ = ["Built", "Demo", "Front", "Server", "Settings", "build", "listening", "serve", "server_of", "start"]


class Built(NamedTuple):
    """Open the store and what a server, a test or a script needs. The caller closes it."""

    app: FastAPI
    pit: Pit
    people: People
    store: Store


class Demo(NamedTuple):
    """A demonstration to serve: a shift of history for an empty ledger, and what is opened at each start."""

    history: Callable[[str], str | None]
    prepare: Callable[[Pit], Iterator[str]]
    log_ins: tuple[tuple[str, str, str], ...] = ()
    """Each account: its name, its password and its job function."""


def build(
    url: str | None = None,
    *,
    data: Path | None = None,
    settings: Settings | None = None,
    clock: Clock = microseconds,
    randomness: Randomness | None = None,
    cost: Cost = COST,
    copies: Sequence[str] = (),
    key: Path | None = None,
) -> Built:
    """The application over a ledger, which is made if there is none. Nothing is checked or recorded."""
    if url is None:
        private_folder(data or data_folder())
    store = Store(url or default_url(data), copies=copies, key=key, past_anchor=True)  # the pit stops play itself
    watch = Watch(clock)
    people = People(store, clock, cost, watch)
    pit = Pit(store, clock, randomness, watch=watch)
    return Built(create_app(pit, people, settings), pit, people, store)


def start(pit: Pit, accept: Collection[str] = (), workers: int = 1) -> None:
    """The start-up check: its findings close the house to play, and without any the start is recorded.

    What can be acknowledged is checked again when somebody has done so.
    """
    try:
        record_start(
            pit.store, at=pit.clock(), actor=SYSTEM.id, role=str(SYSTEM.role), accepted=accept, workers=workers
        )
    except FindingsError as refused:
        pit.closed_to_play, pit.start_again = refused.findings, partial(start, pit, accept)
    else:
        pit.closed_to_play, pit.start_again = (), None


class Server(uvicorn.Server):
    """Sets aside for good what is there at the start, and ends open streams before it stops.

    The law, the games and the libraries are some 150,000 objects that stay; garbage collection over them stops
    every thread for about 80 ms each time. Open streams would keep the server from stopping.
    """

    async def startup(self, sockets: list[socket] | None = None) -> None:
        if self.config.is_ssl:
            # A caller who never finishes the handshake is not yet a connection that anybody counts.
            loop: Any = asyncio.get_running_loop()
            loop.create_server = partial(loop.create_server, ssl_handshake_timeout=HANDSHAKE_S)
        await super().startup(sockets)
        gc.collect()
        gc.freeze()

    async def shutdown(self, sockets: list[socket] | None = None) -> None:
        application = self.config.app
        assert isinstance(application, FastAPI)
        house_of(application).hub.close()
        await super().shutdown(sockets)


def server_of(app: FastAPI, host: str = HOST, port: int = PORT, front: Front | None = None) -> Server:
    """A server that writes no log of requests and believes only trusted proxies about where one comes from."""
    front = front or Front(host, port)
    config = uvicorn.Config(
        app,
        host=front.host,
        port=front.port,
        http=guarded_protocol(house_of(app).settings, front.proxies),
        log_level="warning",
        access_log=False,
        ssl_certfile=front.certificate,
        ssl_keyfile=front.key,
        proxy_headers=front.proxy_headers,
        forwarded_allow_ips=list(front.proxies),
        server_header=False,
        timeout_graceful_shutdown=GRACE,
        limit_concurrency=MOST_CONNECTIONS,
        timeout_keep_alive=30,
        h11_max_incomplete_event_size=MOST_HEADERS,
        ws_max_size=MOST_MESSAGE,
        ws_per_message_deflate=False,  # what changes on a page is small, and packing it costs more than sending it
        lifespan="on",
    )
    return Server(config)


def serve(
    url: str | None = None,
    host: str = HOST,
    port: int = PORT,
    data: Path | None = None,
    demo: Demo | None = None,
    *,
    accept: Collection[str] = (),
    front: Front | None = None,
    settings: Settings | None = None,
    say: Say | None = None,
    copies: Sequence[str] = (),
    key: Path | None = None,
) -> None:
    """Serve until a signal ends it. ``accept`` names changes of law or program that an administrator knows of."""
    tell = say or _say
    front = front or Front(host, port)
    front.check(demo is not None)
    zone_named(property_zone())  # a name that nobody knows is refused here, not on every page
    known = replace(settings or Settings(), secure_cookie=front.secure_cookies or front.tls)
    plain_log()
    if demo:
        tell("Making the demonstration ready; the first time it plays a shift ...")
        private_folder(data or data_folder())
        if (played := demo.history(url or default_url(data))) is not None:
            tell(played)
    app, pit, people, store = build(url, data=data, settings=known, copies=copies, key=key)
    add_pages(app)
    with store, listening(front.host, front.port) as door:
        start(pit, ACCEPTABLE if demo else accept, cores())
        found_house(people, data or data_folder(), tell)
        if demo:
            for line in (*demo.prepare(pit), "Demonstration log-ins (account / password):"):
                tell(line)
            house_of(app).demonstration = demo.log_ins
            for account, password, job in demo.log_ins:
                tell(f"  {account:<10} / {password:<15} {job}")
        for finding in pit.closed_to_play:
            tell(f"Closed to play: {finding}")
        tell(f"pitboss at {front.url(door.getsockname()[1])} over {store.engine.url.render_as_string()}")
        tell(NOTICE)
        try:
            READER.start()
            with _signals_left_alone(), running_tables(pit, known):
                server_of(app, front=front).run(sockets=[door])
        finally:
            READER.close()
            if not pit.closed_to_play:
                pit.stopped(Event(SystemStopped(version=app.version)))


@contextmanager
def running_tables(pit: Pit, settings: Settings) -> Iterator[None]:
    """Tables without a dealer are looked after as long as the server is there."""
    over = threading.Event()

    def run() -> None:
        while not over.wait(settings.poll):
            with suppress(LedgerError):  # as good as gone: the next look may find it again
                run_tables(pit, settings.betting_seconds)

    thread = threading.Thread(target=run, name="pitboss-tables", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join(GRACE)


class AddressTakenError(FrontError):
    """The server cannot listen at the address it was given."""


@contextmanager
def listening(host: str, port: int) -> Iterator[socket]:
    """A door that is open before anything is said or recorded."""
    family = AF_INET6 if ":" in host else AF_INET
    with socket(family, SOCK_STREAM) as door:
        door.setsockopt(SOL_SOCKET, SO_REUSEADDR, 1)
        try:
            door.bind((host, port))
        except (OSError, OverflowError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            raise AddressTakenError(f"the server cannot listen at {host}:{port} ({reason})") from None
        yield door


@contextmanager
def _signals_left_alone() -> Iterator[None]:
    """The server hands a signal on when it has stopped; the rest of the program still has to record that."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, lambda *_: None) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
