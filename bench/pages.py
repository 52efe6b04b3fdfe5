"""A busy pit on two cores: 8 tables, 40 players who play through HTTP, and 10 pages open in Chromium.

Measured: how long a command is answered, and how long until every page that shows a table shows a new event of it.
The goals are 100 ms at the 99th percentile and one second.
"""

import json
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import sync_playwright

from bench.pit import submission
from pitboss.ledger.people import Cost, People, Person
from pitboss.ledger.pit import Pit
from pitboss.ledger.selfcheck import ACCEPTABLE
from pitboss.ledger.store import Store
from pitboss.table.roles import Role
from pitboss.web.limits import Settings
from pitboss.web.security import COOKIE
from pitboss.web.server import build, listening, server_of, start
from pitboss.web.site import add_pages

CHEAP = Cost(1024, 1, 1)
TABLES, SEATS, PAGES, SECONDS, SAMPLES = 8, 5, 10, 40.0, 40
SETTLE = WARM_UP = 5.0
"""Seconds for which pages lie open before the players begin, and seconds of play that are also told by themselves:
answers are slowest while something moves on the pages for the first time. The goal is for the whole run."""
THINKING = 2.0
"""Seconds between one player's acts on average, from half to one and a half of it; 40 players act 20 times a second."""
BROWSER = shutil.which("chromium") or ""
OPTIONS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
WATCH = """(wanted) => new Promise((seen) => {
  const look = () => {
    const mark = document.querySelector('[data-events]');
    if (mark && Number(mark.dataset.events) >= wanted) seen(); else setTimeout(look, 10);
  };
  look();
})"""

Rows = list[tuple[str, ...]]


def run() -> Iterator[tuple[str, Rows]]:
    """Each table of results: a title, then rows of which the first is the heading."""
    if not BROWSER:
        return
    first, answers, shown, acts, refused = measure()
    title = f"{TABLES} tables, {TABLES * SEATS} players through HTTP, {PAGES} pages in Chromium, {os.cpu_count()} cores"
    rows: Rows = [("measured", "count", "p50 ms", "p99 ms", "largest ms", "goal ms")]
    rows.append(_row("answer to a command", first + answers, "100 at p99"))
    rows.append(_row(f"  of them in the first {WARM_UP:.0f} s of play", first, ""))
    rows.append(_row("  after that", answers, ""))
    rows.append(_row("event shown on a page", shown, "1,000"))
    yield f"{title}; {acts} acts, {refused} refused", rows


def _row(name: str, seconds: list[float], goal: str) -> tuple[str, ...]:
    ordered = sorted(seconds)
    at = [ordered[min(len(ordered) - 1, int(share * len(ordered)))] for share in (0.5, 0.99, 1)]
    return name, f"{len(ordered)}", *(f"{1000 * each:.0f}" for each in at), goal


@dataclass
class Guest:
    """One player with a connection that stays open, as a browser's would."""

    port: int
    id: str
    password: str
    token: str = ""
    acts: int = 0
    refused: int = 0
    seconds: list[tuple[float, float]] = field(default_factory=list)
    """When each act began, and how long its answer took."""

    def __post_init__(self) -> None:
        self.connection = HTTPConnection("127.0.0.1", self.port, timeout=60)
        self.token = self._send("POST", "/api/login", {"id": self.id, "password": self.password}, "")[1]["token"]

    def _send(self, method: str, path: str, body: Any, key: str) -> tuple[int, Any]:
        headers = {"Content-Type": "application/json"}
        if self.token:
            headers |= {"Authorization": f"Bearer {self.token}"}
        if key:
            headers |= {"Request-Key": key}
        self.connection.request(method, path, None if body is None else json.dumps(body), headers)
        answer = self.connection.getresponse()
        return answer.status, json.loads(answer.read())

    def act(self, table: str, command: str, **fields: Any) -> dict[str, Any]:
        self.acts += 1
        path = f"/api/tables/{table}/commands"
        start = time.perf_counter()
        status, told = self._send("POST", path, {"command": command, **fields}, f"{self.id}-{self.acts:08d}")
        self.seconds.append((start, time.perf_counter() - start))
        self.refused += status != 200
        return dict(told)

    def look(self, table: str) -> dict[str, Any]:
        return dict(self._send("GET", f"/api/tables/{table}", None, "")[1])


def _house(folder: Path) -> str:
    """A ledger with the people of the benchmark, and its tables open."""
    url = f"sqlite:///{folder}/ledger.db"
    staff = {"dealer-1": Role.DEALER, "floor-1": Role.FLOORPERSON, "manager-1": Role.PIT_MANAGER}
    with Store(url) as store:
        people, pit = People(store, cost=CHEAP), Pit(store)
        boss = people.create("admin-1", "Administrator", Role.ADMINISTRATOR, "bench-password", None)
        for name, role in staff.items():
            people.create(name, name, role, "bench-password", boss)
        for guest in range(TABLES * SEATS):
            people.create(f"guest-{guest}", f"Guest {guest}", Role.PLAYER, "bench-password", boss)
        persons = {name: Person(name, name, role) for name, role in staff.items()}
        keys = iter(range(10**6))

        def act(table: str, who: str, **body: Any) -> None:
            reply = pit.act(table, body, persons[who], f"bench-{next(keys):08d}")
            if not reply.accepted:
                raise RuntimeError(reply.text)

        for number in range(TABLES):
            table = _name(number)
            act(table, "manager-1", command="open_table", submission=submission(), fill=10**10)
            act(table, "floor-1", command="receive_decks", preinspected=True)
            act(table, "dealer-1", command="cut", at=20)
            for seat in range(1, SEATS + 1):
                player = f"guest-{number * SEATS + seat - 1}"
                act(table, "dealer-1", command="sit", seat=seat, player=player)
                act(table, "dealer-1", command="buy_in", player=player, amount=10**7)
    return url


def _name(number: int) -> str:
    return f"t{number}"


def _play(guest: Guest, table: str, seat: int, over: threading.Event) -> None:
    """Wagers are put down and taken back: every act is a transaction, and no dealer is in the way."""
    random = Random(guest.id)
    if over.wait(THINKING * random.random()):
        return
    while not over.is_set():
        for command, fields in (("wager", {"wager": "ante", "amount": 1000}), ("withdraw", {"wager": "ante"})):
            guest.act(table, command, seat=seat, **fields)
            if over.wait(THINKING * (0.5 + random.random())):
                return


Measured = tuple[list[float], list[float], list[float], int, int]
"""Seconds of answers at first and after that, seconds until every page showed an event, acts and refusals."""


def measure() -> Measured:
    with TemporaryDirectory() as name:
        folder = Path(name)
        os.environ["PITBOSS_ANCHORS"] = str(folder / "anchors")
        url = _house(folder)
        server = subprocess.Popen(
            [sys.executable, "-m", "bench.pages", url], stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[1]
        )
        try:
            assert server.stdout is not None
            port = int(server.stdout.readline())
            _await(port)
            return _measured(port)
        finally:
            server.kill()
            server.wait(10)


def _await(port: int) -> None:
    """The port is taken before the server listens at it."""
    for _ in range(600):
        try:
            HTTPConnection("127.0.0.1", port, timeout=5).connect()
        except ConnectionRefusedError:
            time.sleep(0.05)
        else:
            return
    raise SystemExit("the server of the benchmark does not listen")


def _measured(port: int) -> Measured:
    guests = [Guest(port, f"guest-{number}", "bench-password") for number in range(TABLES * SEATS)]
    watcher = Guest(port, "dealer-1", "bench-password")
    over = threading.Event()
    threads = [
        threading.Thread(target=_play, args=(guest, _name(number // SEATS), number % SEATS + 1, over), daemon=True)
        for number, guest in enumerate(guests)
    ]
    shown = _watched(port, watcher, threads, over)
    answers = sorted(each for guest in guests for each in guest.seconds)
    warm = answers[0][0] + WARM_UP
    first, later = ([took for began, took in answers if (began < warm) is early] for early in (True, False))
    return first, later, shown, sum(guest.acts for guest in guests), sum(guest.refused for guest in guests)


def _watched(port: int, watcher: Guest, threads: list[threading.Thread], over: threading.Event) -> list[float]:
    """Pages are open first, then the players begin. Now and then the dealer acts, and we wait for it on a page.

    The clock starts with the answer to the act and stops when the page shows everything up to then: an upper bound.
    """
    address = f"http://127.0.0.1:{port}"
    shown = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=OPTIONS)
        context = browser.new_context(viewport={"width": 1400, "height": 1000})
        context.add_cookies([{"name": COOKIE, "value": watcher.token, "url": address}])
        pages = []
        for number in range(PAGES):
            page = context.new_page()
            page.goto(f"{address}/table/{_name(number % TABLES)}")
            page.wait_for_selector("[data-events]")
            pages.append(page)
        time.sleep(SETTLE)
        for thread in threads:
            thread.start()
        until = time.perf_counter() + SECONDS
        for sample in range(SAMPLES):
            table, page = _name(sample % PAGES % TABLES), pages[sample % PAGES]
            watcher.act(table, "buy_in", player=f"guest-{sample % PAGES % TABLES * SEATS}", amount=100)
            start = time.perf_counter()
            page.evaluate(WATCH, watcher.look(table)["table"]["events"])
            shown.append(time.perf_counter() - start)
            time.sleep(max(0.0, (until - time.perf_counter()) / (SAMPLES - sample)))
        over.set()
        for thread in threads:
            thread.join(60)
        browser.close()
    return shown


def _serve(url: str) -> None:
    app, pit, _, store = build(url, cost=CHEAP, settings=Settings(log_ins_per_minute=6000))
    add_pages(app)
    with store, listening("127.0.0.1", 0) as door:
        start(pit, ACCEPTABLE)
        print(door.getsockname()[1], flush=True)
        server_of(app).run(sockets=[door])


if __name__ == "__main__":
    _serve(sys.argv[1])
