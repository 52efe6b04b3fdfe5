"""The push channel: one websocket a window, from the server to the window only. Windows act by sending forms."""

import asyncio
import json
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from typing import Any, Final

from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from pitboss.ledger.errors import LedgerError
from pitboss.ledger.store import HOUSE_STREAM
from pitboss.web.callers import CHANNEL
from pitboss.web.live import DRAWINGS
from pitboss.web.stream import TROUBLE_SECONDS, Watcher, woken
from pitboss.web.views.base import Visit, view_at
from pitboss.web.visitor import house

REST_S: Final = 0.15
"""After a change a window rests so long: what comes meanwhile is drawn together, and commands are answered first."""
WARNING_S: Final = 120.0
"""Before the end of a session at which its windows say so."""


async def channel(socket: WebSocket) -> None:
    """Keep one window up to date until it closes, its session ends, or the server stops."""
    with suppress(WebSocketDisconnect, RuntimeError):  # the window may be gone at any time
        await socket.accept()
        listening = asyncio.create_task(_until_closed(socket))
        serving = asyncio.create_task(_Window(socket).serve())
        done, pending = await asyncio.wait({listening, serving}, return_when=asyncio.FIRST_COMPLETED)
        for task in pending:
            task.cancel()
        for task in done:
            task.result()
    if socket.application_state is WebSocketState.CONNECTED:
        with suppress(WebSocketDisconnect, RuntimeError):
            await socket.close()


async def _until_closed(socket: WebSocket) -> None:
    """Nothing that a window sends here is read."""
    while (await socket.receive())["type"] != "websocket.disconnect":
        pass


class _Window:
    """One open window: whose it is, what it looks at, and what it shows."""

    def __init__(self, socket: WebSocket) -> None:
        self.socket = socket
        self.address = socket.query_params.get("at", "")
        self.mark = socket.query_params.get("mark", "")
        self.sent: Mapping[str, str] = {}
        self.warned = False

    async def serve(self) -> None:
        """Wake with the ledger's events, look, and send what has changed."""
        hub = house().hub
        visit = await hub.read(self._visit)
        first = await hub.read(partial(view_at, visit)) if self.address else None
        watcher = Watcher(first.stream if first else HOUSE_STREAM, visit.who.id, asyncio.get_running_loop())
        with hub.watching(watcher):
            while not hub.closed:
                watcher.news.clear()
                try:
                    left, message = await hub.read(partial(self._look, visit))
                except LedgerError:
                    await asyncio.sleep(TROUBLE_SECONDS)
                    continue
                if left == 0:
                    await self._tell(leave=True)
                    return
                if left is not None:
                    message |= self._warning(left)
                if message:
                    await self._tell(**message)
                    await asyncio.sleep(REST_S)
                await woken(watcher.news, self._pause(left, hub.heartbeat))

    def _visit(self) -> Visit:
        """The window's page as its own request would see it, without counting as somebody being there."""
        return Visit.of_window(self.socket, self.address)

    def _look(self, visit: Visit) -> tuple[float | None, dict[str, Any]]:
        """Seconds until the session ends, if there is one, and what has changed for it."""
        left = visit.who.lasts() if visit.who.token else None
        return left, self._changes(visit) if self.address and left != 0 else {}

    def _changes(self, visit: Visit) -> dict[str, Any]:
        view = view_at(visit)
        if view is None or view.mark == self.mark:
            if view is not None and not self.sent:
                self.sent = DRAWINGS.of(view)
            return {}
        regions = DRAWINGS.of(view)
        changed = {name: text for name, text in regions.items() if self.sent.get(name) != text}
        self.sent, self.mark = regions, view.mark
        return {"mark": view.mark, "regions": changed}

    def _warning(self, left: float) -> dict[str, Any]:
        soon = left < WARNING_S
        told = soon or self.warned
        self.warned = soon
        return {"ends": round(left) if soon else None} if told else {}

    def _pause(self, left: float | None, heartbeat: float) -> float:
        """Seconds until the session may have something to say, if nothing happens."""
        if left is None:
            return heartbeat
        return min(heartbeat, left if self.warned else max(0.0, left - WARNING_S) + 0.1)

    async def _tell(self, **message: Any) -> None:
        await self.socket.send_text(json.dumps(message))


ROUTE: Final = WebSocketRoute(CHANNEL, channel)
