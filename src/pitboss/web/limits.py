"""What the house takes in at once: how large, how deep, how many, how often. What is too much is refused whole."""

import asyncio
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from math import ceil
from typing import Final

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pitboss.documents import parse_json
from pitboss.findings import Finding, PitbossError, UnreadableError, refusal
from pitboss.ledger.deadlines import within
from pitboss.reader import ValueLimits, measure
from pitboss.web.callers import CHANNEL, address_of, same_origin
from pitboss.web.models import refusal_text

API: Final = "/api/"
MOST_HEADERS: Final = 32 * 1024
BODY: Final = ValueLimits(digits=12)
"""Of a request: no amount of cents is larger."""
MOST_BUCKETS: Final = 10_000
SECURITY_HEADERS: Final = {
    b"content-security-policy": b"default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
    b"x-content-type-options": b"nosniff",
    b"x-frame-options": b"DENY",
    b"referrer-policy": b"no-referrer",
    b"cross-origin-opener-policy": b"same-origin",
    b"cross-origin-resource-policy": b"same-origin",
}


@dataclass(frozen=True)
class Settings:
    """How much is too much."""

    commands_per_second: int = 200
    """By one person."""
    refused_per_minute: int = 300
    """Commands of one person that the table refuses; each leaves its answer in the ledger."""
    requests_per_second: int = 400
    """By one person, commands included."""
    address_per_second: int = 2000
    connections_per_address: int = 500
    socket_messages_per_second: int = 25
    """From one page; what is more waits."""
    socket_bytes_per_second: int = 1024 * 1024
    """From one address, by all its pages together."""
    log_ins_per_minute: int = 20
    """From one address."""
    waiting: int = 256
    """Requests that have come in whole and are not yet answered."""
    body_bytes: int = 128 * 1024
    header_seconds: float = 10
    body_seconds: float = 10
    answer_seconds: float = 4.5
    """In which the ledger has recorded what was asked for, or the caller learns that it has not."""
    streams: int = 1000
    streams_per_person: int = 20
    heartbeat: float = 15
    poll: float = 0.5
    """Seconds after which the ledger is read again, because another process may have written to it."""
    betting_seconds: int = 15
    """At a table that runs by itself: after so long in which nobody moved a chip or a seat, wagers are closed."""
    secure_cookie: bool = False
    """For a server behind TLS."""


class RefusedError(PitbossError):
    """An answer other than success: a status as in HTTP, a finding, and perhaps the seconds to wait."""

    def __init__(self, status: int, finding: Finding, wait: int = 0) -> None:
        self.status = status
        self.finding = finding
        self.wait = wait
        super().__init__(finding.sentence)


class Bucket:
    """So many at once and so many a second, for each name separately; names unused for long are forgotten."""

    def __init__(self, per_second: float, at_once: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = per_second
        self._size = at_once
        self._clock = clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._lock = threading.Lock()

    def wait(self, name: str, *, take: bool = True) -> int:
        """0 and one is taken, or the whole seconds until there is one again."""
        with self._lock:
            now = self._clock()
            left, at = self._left.get(name, (float(self._size), now))
            left = min(float(self._size), left + (now - at) * self._rate)
            taken = left >= 1
            self._left[name] = (left - 1 if taken and take else left, now)
            self._left.move_to_end(name)
            if len(self._left) > MOST_BUCKETS:
                self._left.popitem(last=False)
        return 0 if taken else max(1, ceil(round((1 - left) / self._rate, 6)))

    def delay(self, name: str, amount: float) -> float:
        """Take so much, also beyond what is there, and return the seconds until it is paid for."""
        with self._lock:
            now = self._clock()
            left, at = self._left.get(name, (float(self._size), now))
            left = min(float(self._size), left + (now - at) * self._rate) - amount
            self._left[name] = (left, now)
            self._left.move_to_end(name)
            if len(self._left) > MOST_BUCKETS:
                self._left.popitem(last=False)
        return max(0.0, -left / self._rate)


def too_many(what: str, seconds: int) -> Finding:
    wait = f"{seconds} second{'s' if seconds != 1 else ''}"
    return refusal("too-many", "fewer requests", "", f"Too many {what}; wait {wait} and try again.")


class Gate:
    """In front of the application: reads each request whole, refuses what is too much, guards every answer.

    A request counts as waiting from when it has arrived until its answer begins, so open streams do not count.
    """

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._settings = settings
        self._addresses = Bucket(settings.address_per_second, settings.address_per_second)
        self._bytes = Bucket(settings.socket_bytes_per_second, 2 * settings.socket_bytes_per_second)
        self._waiting = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await (self._upgrade if scope["type"] == "websocket" else self._app)(scope, receive, send)
            return
        guarded = _guarded(scope, send)
        try:
            if wait := self._addresses.wait(address_of(scope)):
                raise RefusedError(429, too_many("requests from this address", wait), wait)
            _check_head(scope)
            body = await self._body(scope, receive)
            if scope["path"].startswith(API):
                _check_body(scope, body)
            if self._waiting >= self._settings.waiting:
                sentence = "The house is busy: too many requests are waiting. Nothing was done; try again."
                raise RefusedError(503, refusal("busy", "fewer requests waiting", "", sentence), 1)
        except RefusedError as refused:
            await _refuse(guarded, refused)
        else:
            await self._answer(scope, body, receive, guarded)

    async def _upgrade(self, scope: Scope, receive: Receive, send: Send) -> None:
        """A socket is refused, with 403 as always, before it is one. The channel asks for the session itself."""
        too_often = self._addresses.wait(address_of(scope))
        if too_often or scope["path"] != CHANNEL or not same_origin(HTTPConnection(scope)):
            await send({"type": "websocket.close", "code": 1008})
        else:
            await self._app(scope, self._paced(scope, receive), send)

    def _paced(self, scope: Scope, receive: Receive) -> Receive:
        """What a page sends is read no faster than it may send; the rest waits in the sender's machine."""
        address, rate = address_of(scope), self._settings.socket_messages_per_second
        messages = Bucket(rate, 4 * rate)

        async def paced() -> Message:
            message = await receive()
            size = len(message.get("text") or message.get("bytes") or b"")
            if pause := max(messages.delay("", 1), self._bytes.delay(address, size)):
                await asyncio.sleep(pause)
            return message

        return paced

    async def _answer(self, scope: Scope, body: bytes, receive: Receive, send: Send) -> None:
        arrived: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]
        counted = True
        self._waiting += 1

        async def replay() -> Message:
            return arrived.pop() if arrived else await receive()

        async def begin(message: Message) -> None:
            nonlocal counted
            if counted and message["type"] == "http.response.start":
                counted = False
                self._waiting -= 1
                deadline.lift()  # streams and exports go on
            await send(message)

        with within(self._settings.answer_seconds) as deadline:
            try:
                await self._app(scope, replay, begin)
            finally:
                if counted:
                    self._waiting -= 1

    async def _body(self, scope: Scope, receive: Receive) -> bytes:
        most = self._settings.body_bytes
        declared = next((value for name, value in scope["headers"] if name == b"content-length"), b"0")
        if not declared.isdigit() or len(declared) > 15 or int(declared) > most:
            raise _too_large(most)
        try:
            async with asyncio.timeout(self._settings.body_seconds):
                return await _received(receive, most)
        except TimeoutError:
            sentence = "The request did not arrive in time; send it again."
            raise RefusedError(408, refusal("too-slow", "a whole request", "a part", sentence)) from None


async def _received(receive: Receive, most: int) -> bytes:
    parts: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] != "http.request":
            raise RefusedError(400, refusal("incomplete", "a whole request", "a part", "The request broke off."))
        part = message.get("body", b"")
        size += len(part)
        if size > most:
            raise _too_large(most)
        parts.append(part)
        if not message.get("more_body", False):
            return b"".join(parts)


def _too_large(most: int) -> RefusedError:
    sentence = f"A request is at most {most // 1024} KiB long."
    return RefusedError(413, refusal("too-large", f"at most {most} bytes", "more", sentence))


def _check_head(scope: Scope) -> None:
    if sum(len(name) + len(value) for name, value in scope["headers"]) > MOST_HEADERS:
        sentence = f"The headers of a request are at most {MOST_HEADERS // 1024} KiB long."
        raise RefusedError(431, refusal("too-large", f"at most {MOST_HEADERS} bytes", "more", sentence))
    if "\0" in scope["path"] or b"%00" in scope["query_string"]:
        raise RefusedError(400, refusal("unreadable", "a plain address", "NUL", "The address holds a NUL character."))


def _check_body(scope: Scope, body: bytes) -> None:
    """Whatever comes with a request must be JSON that every part of the house can hold."""
    if not body:
        return
    kind = next((value for name, value in scope["headers"] if name == b"content-type"), b"")
    if kind.split(b";")[0].strip().lower() != b"application/json":
        sentence = "Send JSON, with the header Content-Type: application/json."
        raise RefusedError(415, refusal("content-type", "application/json", "another", sentence))
    try:
        check_json(body)
    except UnreadableError as problem:
        raise RefusedError(400, refusal("unreadable", "plain JSON", "", str(problem))) from None


def check_json(body: bytes) -> None:
    """Refuse what is JSON to some and not to others, or cannot be stored: NaN, doubled keys, half characters, NUL.

    >>> check_json(b'{"amount": 1, "amount": 2}')
    Traceback (most recent call last):
    pitboss.findings.UnreadableError: The field 'amount' is given twice.
    """
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError:
        raise UnreadableError("The request is not written in UTF-8.") from None
    for finding in measure(parse_json(text, "The request"), BODY, "The request"):
        raise UnreadableError(finding.sentence)


def _guarded(scope: Scope, send: Send) -> Send:
    """Answers carry the security headers; those of the interface are stored nowhere."""

    async def guarded(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = list(message.get("headers", []))
            given = {name.lower() for name, _ in headers}
            wanted = dict(SECURITY_HEADERS)
            if scope["path"].startswith(API):
                wanted[b"cache-control"] = b"no-store"
            headers += [(name, value) for name, value in wanted.items() if name not in given]
            message = {**message, "headers": headers}
        await send(message)

    return guarded


async def _refuse(send: Send, refused: RefusedError) -> None:
    text = refusal_text(refused.finding).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(text)).encode())]
    if refused.wait:
        headers.append((b"retry-after", str(refused.wait).encode()))
    if refused.status not in (400, 415, 503):  # the rest of the request may still be on its way
        headers.append((b"connection", b"close"))
    await send({"type": "http.response.start", "status": refused.status, "headers": headers})
    await send({"type": "http.response.body", "body": text})
