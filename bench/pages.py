"""A busy pit on two cores: 8 tables where 40 players play rounds through HTTP, and 10 pages open in Chromium.

Measured: how long a command is answered, and how long after the answer every page of the table shows its events. The
goals are 100 ms at the 99th percentile and one second. Server, players and browser share the machine.

Then one table alone: the processor time that an act costs the server, without pages and with 5 and 20 of them.
"""

import os
import shutil
from bisect import bisect_left
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Thread
from time import perf_counter, sleep, time

from playwright.sync_api import Browser, Page, sync_playwright

from bench.floor import SEATS, TABLES, THINKING, Floor, dealer, everybody, player, prepare
from bench.load import Served, percentiles, served
from pitboss.web.security import COOKIE

PAGES, SECONDS = 10, 40.0
WINDOWS = (0, 5, 20)
"""How many pages look at one table while its acts are paid for."""
ACTS, PACE = 40, 0.25
BRISK = 0.5
"""Seconds before each act for which the goals stand: six rounds a minute at every table, faster than people play."""
LATE = 2.0
"""Seconds after the last act in which a page may still come to show it."""
BROWSER = shutil.which("chromium") or ""
OPTIONS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
WATCH = """() => {  // when the page had shown how many events, after the frame that shows them
  window.shown = [];
  const look = () => {
    const events = Number(document.querySelector('[data-events]').dataset.events);
    if (window.shown.at(-1)?.[1] === events) return;
    requestAnimationFrame(() => setTimeout(() => window.shown.push([Date.now() / 1000, events])));
  };
  new MutationObserver(look).observe(document.body, {childList: true, subtree: true, attributes: true});
  look();
}"""

Rows = list[tuple[str, ...]]
Shown = list[tuple[float, int]]
"""When a page had shown how many events of its table, on the clock of the wall."""


def run() -> Iterator[tuple[str, Rows]]:
    """Each table of results: a title, then rows of which the first is the heading."""
    if not BROWSER:
        return
    players = len(TABLES) * len(SEATS)
    title = (
        f"{len(TABLES)} tables, {players} players, {PAGES} pages in Chromium, {os.cpu_count()} cores, {SECONDS:.0f} s"
    )
    rows: Rows = [("pace", "rounds", "refused", "measured", "count", "p50 ms", "p99 ms", "max ms", "goal")]
    for thinking, goals in ((BRISK, ("100 ms at p99", "1,000 ms, all")), (THINKING, ("", ""))):
        with served(everybody(), prepare, pages=True) as house:
            floor = Floor(house, thinking)
            late = watched(house, floor)
        played = (f"{thinking} s before each act", f"{floor.rounds}", f"{floor.commands.refused}")
        measured = (("answer to a command", floor.commands.seconds), ("from answer to event on a page", late))
        for (name, seconds), goal in zip(measured, goals, strict=True):
            rows.append((*played, name, f"{len(seconds):,}", *percentiles(seconds), goal))
    yield title, rows
    yield f"one table, an act every {PACE} s: processor time of the server", list(costs())


def costs() -> Iterator[tuple[str, ...]]:
    """For each number of pages: milliseconds for an act, those at rest taken off."""
    yield "pages of the table", "at rest, %", "ms an act", "until shown, p50 ms", "p99 ms", "max ms"
    for number in WINDOWS:
        with served(everybody(), prepare, pages=True) as house, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=BROWSER, args=OPTIONS)
            pages = [_open(browser, house, len(TABLES) * each, seat=each % len(SEATS) + 1) for each in range(number)]
            sleep(2.0)
            rest = _spent(house.process, lambda: sleep(ACTS * PACE))
            table, late = TABLES[0], Floor(house, 0.0)
            before = int(house.client(dealer(table).id).shown(f"/api/tables/{table}")["table"]["events"])
            for page in pages:
                page.evaluate(WATCH)
            clock = time() - perf_counter()
            busy = _spent(house.process, lambda late=late, table=table: _wagers(late, table))  # type: ignore[misc]
            for page in pages[:1]:
                page.wait_for_timeout(1000 * LATE)
            shown = [page.evaluate("window.shown") for page in pages]
            seconds = [each for logged in shown for each in lateness(logged, before, late.answered[table], clock)]
            browser.close()
        yield (
            f"{number}",
            f"{100 * rest / (ACTS * PACE):.1f}",
            f"{1000 * (busy - rest) / ACTS:.1f}",
            *(percentiles(seconds) if number else ("", "", "")),
        )


def _wagers(floor: Floor, table: str) -> None:
    """Each of five players puts a chip down, and takes it back, in turn."""
    clients = {seat: floor.house.client(player(table, seat)) for seat in SEATS}
    due = perf_counter()
    for number in range(ACTS):
        seat, command = SEATS[number % len(SEATS)], ("wager", "withdraw")[number // len(SEATS) % 2]
        amount = {"amount": 1000} if command == "wager" else {}
        floor.do(clients[seat], table, {"command": command, "seat": seat, "wager": "ante", **amount})
        due += PACE
        sleep(max(0.0, due - perf_counter()))


def _spent(process: int, work: Callable[[], object]) -> float:
    """Seconds of processor time that a process took while the work was done."""

    def ticks() -> int:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        return int(fields[11]) + int(fields[12])

    before = ticks()
    work()
    return (ticks() - before) / os.sysconf("SC_CLK_TCK")


def watched(house: Served, floor: Floor) -> list[float]:
    """Play while pages are open: for each event and each page of its table, how long after the answer it was shown."""
    asking = house.client(dealer(TABLES[0]).id)
    before = {table: int(asking.shown(f"/api/tables/{table}")["table"]["events"]) for table in TABLES}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=OPTIONS)
        pages = [(TABLES[number % len(TABLES)], _open(browser, house, number)) for number in range(PAGES)]
        for _, page in pages:
            page.evaluate(WATCH)
        clock = time() - perf_counter()
        playing = Thread(target=floor.play, args=(SECONDS,))
        playing.start()
        playing.join()
        pages[0][1].wait_for_timeout(1000 * LATE)
        shown = [(table, page.evaluate("window.shown")) for table, page in pages]
        browser.close()
    return [late for table, logged in shown for late in lateness(logged, before[table], floor.answered[table], clock)]


def _open(browser: Browser, house: Served, number: int, *, seat: int = 0) -> Page:
    """Dealers' pages and players' pages in turn, each somebody's own browser; or that of the player at a seat."""
    table = TABLES[number % len(TABLES)]
    who = player(table, seat or 1) if seat or number % 2 else dealer(table).id
    address = f"http://127.0.0.1:{house.port}"
    context = browser.new_context(viewport={"width": 1400, "height": 1000})
    context.add_cookies([{"name": COOKIE, "value": house.tokens[who], "url": address}])
    page = context.new_page()
    page.goto(f"{address}/table/{table}")
    page.wait_for_selector("[data-events]")
    return page


def lateness(shown: Shown, before: int, answered: dict[int, float], clock: float) -> Iterator[float]:
    """Seconds from each answer until the page had shown as many events as there were with it.

    An event that never came to be shown counts as endlessly late.

    >>> list(lateness([(100.0, 7), (101.5, 9)], 7, {41: 1.0, 44: 1.25}, 100.0))
    [0.5, 0.25]
    """
    counts = [events for _, events in shown]
    for number, (_, at) in enumerate(sorted(answered.items()), before + 1):
        place = bisect_left(counts, number)
        yield max(0.0, shown[place][0] - at - clock) if place < len(shown) else float("inf")
