"""A house for the browser: its own server process over a ledger of its own, and windows that miss nothing.

As a program of its own it serves: ``python -m tests.browser.site URL PORT``.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Collection, Mapping, MutableSequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, ConsoleMessage, Locator, Page, Request, TimeoutError, WebSocket, expect

from pitboss.demo.driver import PLAYERS, STAFF, Client
from pitboss.ledger.people import Cost
from pitboss.ledger.selfcheck import ACCEPTABLE
from pitboss.web.security import COOKIE
from tests.table.driver import CARD_GAMES, submission_text

CHEAP = Cost(1024, 1, 1)
"""Passwords of the tests protect nothing."""
PATIENCE = 30_000
"""Milliseconds for what must happen; a busy machine needs them, a quiet one does not."""
expect.set_options(timeout=PATIENCE)
READY = "serving at port "
PASSWORDS = {log.id: log.password for log in (*STAFF, *PLAYERS)}
DESKTOP, TABLET, PHONE = (1400, 1000), (820, 1180), (390, 844)
OVERHEAR = """{
  const ask = window.fetch;
  window.answers = [];
  window.fetch = async (...request) => {
    const answer = await ask(...request);
    answer.clone().text().then((text) => window.answers.push(text), () => {});
    return answer;
  };
}"""
JOBS = {"dealer": "dealer-1", "floorperson": "floor-1", "pit manager": "manager-1"}


@dataclass
class Site:
    """A running house, and everybody of it at the HTTP interface, to bring a table quickly to where a test begins."""

    folder: Path
    port: int = 0
    process: subprocess.Popen[str] | None = None
    clients: dict[str, Client] = field(default_factory=dict)
    acts: int = 0

    @property
    def ledger(self) -> str:
        return f"sqlite:///{self.folder}/ledger.db"

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Serve; the second time at the same address as the first, so that open pages find the house again."""
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.browser.site", self.ledger, str(self.port)],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PITBOSS_ANCHORS": str(self.folder / "anchors")},
            cwd=Path(__file__).parents[2],
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line.startswith(READY), f"the server of the tests did not start: {line}"
        self.port = int(line.removeprefix(READY))
        for _ in range(600):
            try:
                if Client(self.port).call("GET", "/api/health")[0] == 200:
                    return
            except OSError:
                time.sleep(0.05)
        raise AssertionError("the server of the tests does not answer")

    def kill(self) -> None:
        """As if somebody had pulled the plug."""
        assert self.process is not None
        self.process.kill()
        self.process.wait(10)
        if self.process.stdout is not None:
            self.process.stdout.close()

    def client(self, who: str) -> Client:
        if who not in self.clients:
            status, answer = Client(self.port).call("POST", "/api/login", {"id": who, "password": PASSWORDS[who]})
            assert status == 200, answer
            self.clients[who] = Client(self.port, answer["token"])
        return self.clients[who]

    def ask(self, who: str, path: str) -> Any:
        status, answer = self.client(who).call("GET", path)
        assert status == 200, answer
        return answer

    def act(self, table: str, who: str, command: str, **fields: Any) -> Any:
        self.acts += 1
        key, path = f"test-{os.getpid()}-{self.acts:06d}", f"/api/tables/{table}/commands"
        status, answer = self.client(who).call("POST", path, {"command": command, **fields}, key)
        assert status == 200, answer
        return answer

    def open(self, table: str, game: str = "three-card-poker", *, players: int = 0, **options: Any) -> None:
        """A table ready for wagers, with players 1, 2, ... at the seats of the same number."""
        source, meters = options.pop("source", "virtual"), options.pop("meters", {})
        text = options.pop("text", "") or submission_text(game, options.pop("dealing", "manual-shoe"), **options)
        self.act(table, "manager-1", "open_table", submission=text, source=source, meters=meters, fill=50_000_000)
        if game in CARD_GAMES:
            self.act(table, "floor-1", "receive_decks", preinspected=True)
        for seat in range(1, players + 1):
            self.act(table, f"player-{seat}", "sit", seat=seat)
            # The opening fill took the first slip of the table's day.
            self.act(table, "floor-1", "buy_in", amount=200_000, player=f"player-{seat}", slip=seat + 1)
        self.until(table, "wagering")

    def look(self, table: str, who: str = "dealer-1") -> Mapping[str, Any]:
        shown: Mapping[str, Any] = self.ask(who, f"/api/tables/{table}")
        return shown

    def step(self, table: str) -> None:
        """Whatever the table waits for, by whom it waits for it; players at Three Card Poker stay in."""
        shown = self.look(table)
        following = shown["next"]
        if following["command"] is None:
            seat = following["seat"]
            self.act(table, f"player-{seat}", "decide", seat=seat, choice="play")
            return
        body = {name: value for name, value in following["command"].items() if value is not None}
        self.act(table, JOBS[following["role"]], body.pop("command"), **body)

    def await_wagers(self, table: str, seat: int, wagers: Collection[str]) -> int:
        """Until all of them lie at a seat: a page puts them down one after the other. The events of the table then."""
        for _ in range(PATIENCE // 100):
            shown = self.look(table)["table"]
            if shown["wagers"].get(str(seat), {}).keys() == set(wagers):
                return int(shown["events"])
            time.sleep(0.1)
        raise AssertionError(f"only {shown['wagers']} lie at seat {seat} of {table}, not {wagers}")

    def until(self, table: str, *phases: str) -> None:
        for _ in range(200):
            if self.look(table)["table"]["phase"] in phases:
                return
            self.step(table)
        raise AssertionError(f"{table} never came to {phases}")


@dataclass
class Window:
    """An open page, with whatever its console said, whom it asked and what came over its sockets."""

    page: Page
    address: str
    errors: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)
    frames: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.set_default_timeout(PATIENCE)
        self.page.on("console", self._said)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("request", self._asked)
        self.page.on("websocket", self._socket)
        self.page.add_init_script(OVERHEAR)

    def _said(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.errors.append(message.text)

    def _asked(self, request: Request) -> None:
        if urlsplit(request.url).scheme not in ("data", "blob") and not request.url.startswith(self.address):
            self.foreign.append(request.url)

    def _socket(self, socket: WebSocket) -> None:
        if not socket.url.removeprefix("ws").startswith(self.address.removeprefix("http")):
            self.foreign.append(socket.url)
        socket.on("framereceived", lambda data: self.frames.append(data if isinstance(data, str) else repr(data)))

    def go(self, path: str) -> None:
        self.page.goto(self.address + path)

    def heard(self) -> str:
        """Everything that the house has told this window: what came over the sockets, the answers to presses, and the
        page as it stands."""
        return "\n".join([*self.frames, *self.page.evaluate("window.answers ?? []"), self.page.content()])

    # The table page

    @property
    def mark(self) -> Locator:
        return self.page.locator("[data-events]")

    @property
    def phase(self) -> str:
        return self.mark.get_attribute("data-phase") or ""

    @property
    def events(self) -> int:
        return int(self.mark.get_attribute("data-events") or 0)

    @property
    def following(self) -> Locator:
        """The button for the next step of the procedure, where it is this person's."""
        return self.page.locator('[data-step="next"]')

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def await_phase(self, *phases: str) -> None:
        one = ", ".join(f'[data-events][data-phase="{phase}"]' for phase in phases)
        expect(self.page.locator(one)).to_be_visible()

    def await_events(self, more_than: int) -> None:
        self.page.wait_for_function(
            "(events) => Number(document.querySelector('[data-events]')?.dataset.events) > events", arg=more_than
        )

    def press(self, button: Locator) -> None:
        """Press, and wait until the table has moved on; by whose hand is for the test to know."""
        before = self.events
        button.click()
        try:
            self.await_events(before)
        except TimeoutError as late:
            said = " ".join(self.page.locator(".finding").all_inner_texts())
            raise AssertionError(f"nothing came of it in {self.phase}: {said or late}") from late


def together(
    windows: list[Window], *phases: str, players: bool = False, cards: MutableSequence[str] | None = None
) -> None:
    """The house's people press what is next for them, in whichever window it is offered, until a phase comes.

    With ``players`` it also ends where a player's decision is awaited. The dealer keys in as many of the ``cards`` as
    the pad asks for, and each is gone then.
    """
    first = windows[0]
    idle = 0
    for _ in range(200):
        events = max(window.events for window in windows)
        for window in windows:
            window.await_events(events - 1)
        if first.phase in phases:
            return
        ready = next((window for window in windows if window.following.count()), None)
        if players and ready is None and first.phase in ("deciding", "drawing"):
            return
        if ready is None:
            idle += 1
            assert idle < 100, f"nobody of the house can go on; the table is in {first.phase}, not in {phases}"
            first.page.wait_for_timeout(100)
            continue
        entry = ready.page.locator("[data-slots]")
        if cards and entry.count():
            due = len(json.loads(entry.first.get_attribute("data-slots") or "[]"))
            entry.first.locator("input").fill(" ".join(cards[:due]))  # the last card sends them
            ready.await_events(events)
            del cards[:due]
            continue
        ready.press(ready.following.first)
    raise AssertionError(f"the table never came to {phases}; it is in {first.phase}")


def cookie(site: Site, context: BrowserContext, who: str) -> None:
    """Somebody who has logged in already."""
    context.add_cookies([{"name": COOKIE, "value": site.client(who).token, "url": site.address}])


def main(url: str, port: int) -> None:
    """Serve until killed; many log-ins a minute, since all come from one address."""
    from pitboss.demo.house import LOG_INS
    from pitboss.web.limits import Settings
    from pitboss.web.security import house_of
    from pitboss.web.server import build, listening, server_of, start
    from pitboss.web.site import add_pages

    app, pit, _, store = build(url, cost=CHEAP, settings=Settings(log_ins_per_minute=6000))
    add_pages(app)
    house_of(app).demonstration = LOG_INS
    with store, listening("127.0.0.1", port) as door:
        start(pit, ACCEPTABLE)
        sys.stdout.write(f"{READY}{door.getsockname()[1]}\n")
        sys.stdout.flush()
        server_of(app).run(sockets=[door])


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
