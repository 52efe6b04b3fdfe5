"""Connections before they are requests: how many one address may hold, and how long a head may take to arrive.

The server's own limits begin when a request has its headers. Somebody who sends one byte a minute never gets so far,
so this stands in front of it.
"""

import asyncio
from collections import Counter
from collections.abc import Collection
from http import HTTPStatus
from typing import Any

from uvicorn.middleware.proxy_headers import _TrustedHosts
from uvicorn.protocols.http.auto import AutoHTTPProtocol

from pitboss.web.callers import plain_address
from pitboss.web.limits import MOST_HEADERS, Settings

SENTENCES = {
    HTTPStatus.REQUEST_TIMEOUT: "The request did not arrive in time; send it again.",
    HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE: f"The headers of a request are at most {MOST_HEADERS // 1024} KiB.",
    HTTPStatus.TOO_MANY_REQUESTS: "Too many connections from this address; close some and try again.",
}

LONGEST_LINE = 8_000
"""Bytes of a line in the head of a websocket; the library reads a little more."""

_Base: Any = AutoHTTPProtocol


class GuardedProtocol(_Base):  # type: ignore[misc]  # one of two classes, by what is installed
    """Limit connections per address and the time to send headers."""

    settings: Settings
    held: Counter[str]
    proxies: _TrustedHosts

    _peer = ""
    _refused = False
    _timer: asyncio.TimerHandle | None = None
    _head_bytes = 0

    def connection_made(self, transport: asyncio.Transport) -> None:
        super().connection_made(transport)
        host = self.client[0] if self.client else ""
        if host not in self.proxies:  # a proxy brings everybody, and counts them itself
            self._peer = plain_address(host)
            self.held[self._peer] += 1
            if self.held[self._peer] > self.settings.connections_per_address:
                self._refuse(HTTPStatus.TOO_MANY_REQUESTS)
                return
        self._wait_for_head()

    def data_received(self, data: bytes) -> None:
        if self._refused:
            return
        before = self.cycle
        if self._timer is None and (before is None or before.response_complete):
            self._wait_for_head()
        super().data_received(data)
        if self.cycle is not before:
            self._head_arrived()
        elif self._timer is not None:
            self._head_bytes += len(data)
            if self._head_bytes > MOST_HEADERS:
                self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)

    def handle_websocket_upgrade(self, *args: Any) -> None:
        target: bytes = args[0].target if args else self.url
        if max(len(target), *(len(name) + len(value) for name, value in self.scope["headers"])) > LONGEST_LINE:
            self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)  # the library would never answer
            return
        super().handle_websocket_upgrade(*args)
        self._head_arrived()
        # From here on the transport tells only the new protocol when it ends.
        upgraded: Any = self.transport.get_protocol()
        lost = upgraded.connection_lost

        def connection_lost(problem: Exception | None) -> None:
            self._left()
            lost(problem)

        upgraded.connection_lost = connection_lost

    def connection_lost(self, problem: Exception | None) -> None:
        self._head_arrived()
        self._left()
        super().connection_lost(problem)

    def _wait_for_head(self) -> None:
        self._head_bytes = 0
        self._timer = self.loop.call_later(self.settings.header_seconds, self._too_slow)

    def _head_arrived(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _too_slow(self) -> None:
        self._timer = None
        if self._head_bytes:
            self._refuse(HTTPStatus.REQUEST_TIMEOUT)
        else:
            self.transport.close()  # browsers open connections that they may never use

    def _refuse(self, status: HTTPStatus) -> None:
        self._refused = True
        self._head_arrived()
        text = SENTENCES[status]
        head = f"HTTP/1.1 {status.value} {status.phrase}\r\nconnection: close\r\ncontent-type: text/plain\r\n"
        self.transport.write(f"{head}content-length: {len(text)}\r\n\r\n{text}".encode())
        self.transport.close()

    def _left(self) -> None:
        if self._peer:
            self.held[self._peer] -= 1
            if self.held[self._peer] <= 0:
                del self.held[self._peer]
            self._peer = ""


def guarded_protocol(settings: Settings, proxies: Collection[str]) -> type[GuardedProtocol]:
    """The protocol for one server."""
    own = {"settings": settings, "held": Counter(), "proxies": _TrustedHosts(list(proxies))}
    return type("GuardedProtocol", (GuardedProtocol,), own)
