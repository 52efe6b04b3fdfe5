"""A busy pit on two cores: 8 tables where 40 players play rounds through HTTP, and 10 pages open in Chromium.

Measured: how long a command is answered, and how long after the answer every page of the table shows its events. The
goals are 100 ms at the 99th percentile and one second. Server, players and browser share the machine.
"""

import os
import shutil
from bisect import bisect_left
from collections.abc import Iterator
from threading import Thread
from time import perf_counter, time

from playwright.sync_api import Browser, Page, sync_playwright

from bench.floor import SEATS, TABLES, THINKING, Floor, dealer, everybody, player, prepare
from bench.load import Served, percentiles, served
from pitboss.web.security import COOKIE

PAGES, SECONDS = 10, 40.0
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


def _open(browser: Browser, house: Served, number: int) -> Page:
    """Dealers' pages and players' pages in turn, each somebody's own browser."""
    table = TABLES[number % len(TABLES)]
    who = player(table, 1) if number % 2 else dealer(table).id
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
