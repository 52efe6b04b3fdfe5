"""One house for each worker, one browser for each module, and windows that are checked when they close.

The browser is not kept for the session: while Playwright runs, its event loop would be in the way of other tests.
"""

import os
import shutil
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.browser.site import Site, Window

CHROMIUM = next(filter(None, map(shutil.which, ("chromium-headless-shell", "chromium", "chromium-browser"))), "")
"""The browser without windows, where there is one: a page costs it half the processor time."""
OPTIONS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]

if find_spec("playwright") is None:
    collect_ignore_glob = ["*.py"]


def pytest_report_header() -> list[str]:
    missing = [] if CHROMIUM else ["Chromium"]
    missing += [] if find_spec("playwright") else ["Playwright"]
    return [f"{name} is not installed; the pages are not tested in a browser." for name in missing]


Open = Callable[..., "Window"]


@pytest.fixture(scope="session")
def history(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the ledger of a short demonstration shift: accounts, history, meters, a jackpot."""
    from pitboss.demo.shift import play_shift
    from tests.browser.site import CHEAP

    folder = tmp_path_factory.mktemp("history")
    before = os.environ.get("PITBOSS_ANCHORS")
    os.environ["PITBOSS_ANCHORS"] = str(folder / "anchors")
    try:
        play_shift(f"sqlite:///{folder}/ledger.db", rounds=1, cost=CHEAP)
    finally:
        os.environ.pop("PITBOSS_ANCHORS")
        if before is not None:
            os.environ["PITBOSS_ANCHORS"] = before
    return folder


def copied(history: Path, folder: Path) -> "Site":
    """The same history in a house of its own. An anchor is called after the ledger's place, so it gets a new name."""
    from sqlalchemy import make_url

    from pitboss.ledger.anchor import default_anchor
    from tests.browser.site import Site

    shutil.copytree(history, folder)
    made = Site(folder)
    (anchor,) = (folder / "anchors").glob("*.anchor")
    anchor.rename(anchor.with_name(default_anchor(make_url(made.ledger)).name))
    return made


@pytest.fixture(scope="session")
def site(history: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator["Site"]:
    """The house that the tests of one worker share; each opens tables of its own."""
    served = copied(history, tmp_path_factory.mktemp("site") / "house")
    served.start()
    yield served
    served.kill()


@pytest.fixture
def own_site(history: Path, tmp_path: Path) -> Iterator["Site"]:
    """A house that a test may end; asked for before ``window``, so that it outlives the pages."""
    served = copied(history, tmp_path / "house")
    served.start()
    yield served
    served.kill()


@pytest.fixture(scope="module")
def chromium() -> Iterator["Browser"]:
    from playwright.sync_api import sync_playwright

    if not CHROMIUM:
        pytest.skip("Chromium is not installed; the pages are not tested in a browser.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=OPTIONS)
        yield browser
        browser.close()


@pytest.fixture
def window(chromium: "Browser", request: pytest.FixtureRequest) -> Iterator[Open]:
    """Opens windows; each is somebody's own browser. At the end none may have complained or asked another host."""
    from tests.browser.site import DESKTOP, Site, Window, cookie

    opened: list[Window] = []

    def open_window(who: str = "", path: str = "/", size: tuple[int, int] = DESKTOP, at: Site | None = None) -> Window:
        house: Site = at or request.getfixturevalue("site")
        context = chromium.new_context(viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce")
        if who:
            cookie(house, context, who)
        made = Window(context.new_page(), house.address)
        opened.append(made)
        made.go(path)
        return made

    yield open_window
    for made in opened:
        made.page.context.close()
    assert [made.foreign for made in opened] == [[] for _ in opened]
    assert [made.errors for made in opened] == [[] for _ in opened]
