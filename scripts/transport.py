"""Two ways to the pit: in the same process, or over HTTP to a server in a process of its own."""

import http.client
import json
import multiprocessing
import socket
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from pitboss.ledger.errors import BusyError
from pitboss.ledger.people import Cost, People, Person
from pitboss.ledger.pit import KeyReusedError, Pit, Reply
from pitboss.ledger.store import Store
from scripts.common import Transport

PASSWORD = "a password for tests"
CHEAP = Cost(1024, 1, 1)
"""Nobody guards anything here."""
MUCH = 1_000_000
WAIT = 60
TRIES = 50


def patient(send: Transport) -> Transport:
    """What a sensible client does when the house is busy: ask again, under the same key."""

    def ask(table: str, body: Mapping[str, Any], who: Person, key: str) -> Reply:
        for attempt in range(TRIES):
            try:
                reply = send(table, body, who, key)
            except BusyError:
                if attempt == TRIES - 1:
                    raise
            else:
                if reply.status not in (429, 503):
                    return reply
            time.sleep(0.05)
        return reply

    return ask


@contextmanager
def direct(pit: Pit) -> Iterator[Transport]:
    yield patient(pit.act)


@contextmanager
def served(url: str, anchor: Path, people: Sequence[Person]) -> Iterator[Transport]:
    """A real server over the ledger, with everybody logged in."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = context.Process(target=_serve, args=(url, anchor, list(people), port, theirs))
    process.start()
    try:
        if not ours.poll(WAIT):
            raise RuntimeError("the server did not start")
        yield patient(HttpTransport(port, ours.recv()).send)
    finally:
        process.terminate()
        process.join(WAIT)


def _serve(url: str, anchor: Path, people: Sequence[Person], port: int, pipe: Connection) -> None:
    from pitboss.web.api import create_app
    from pitboss.web.limits import Settings
    from pitboss.web.server import server_of

    much = Settings(
        commands_per_second=MUCH,
        requests_per_second=MUCH,
        address_per_second=MUCH,
        refused_per_minute=MUCH,
        waiting=MUCH,
    )
    with Store(url, anchor) as store:
        accounts = People(store, cost=CHEAP)
        app = create_app(Pit(store), accounts, much)
        tokens = {}
        for person in people:
            accounts.create(person.id, person.name, person.role, PASSWORD, None)
            tokens[person.id] = accounts.log_in(person.id, PASSWORD).token
        server = server_of(app, port=port)

        def tell() -> None:
            while not server.started:
                threading.Event().wait(0.02)
            pipe.send(tokens)

        threading.Thread(target=tell, daemon=True).start()
        server.run()


class HttpTransport:
    """One kept-open connection for each thread; a broken one is replaced and the same key asked again."""

    def __init__(self, port: int, tokens: Mapping[str, str]) -> None:
        self.port = port
        self.tokens = tokens
        self._here = threading.local()

    def send(self, table: str, body: Mapping[str, Any], who: Person, key: str) -> Reply:
        headers = {
            "Authorization": f"Bearer {self.tokens[who.id]}",
            "Request-Key": key,
            "Content-Type": "application/json",
        }
        for attempt in (1, 2, 3):
            connection = self._connection()
            try:
                connection.request("POST", f"/api/tables/{table}/commands", json.dumps(dict(body)), headers)
                answer = connection.getresponse()
                text = answer.read().decode()
            except (OSError, http.client.HTTPException):
                self._here.connection = None
                if attempt == 3:
                    raise
                continue
            if answer.status == 409:
                raise KeyReusedError(text)
            return Reply(answer.status, text)
        raise AssertionError

    def _connection(self) -> http.client.HTTPConnection:
        found: http.client.HTTPConnection | None = getattr(self._here, "connection", None)
        if found is None:
            found = http.client.HTTPConnection("127.0.0.1", self.port, timeout=WAIT)
            found.connect()
            found.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._here.connection = found
        return found
