"""Pictures of every page for the documentation, from a short demonstration shift: ``docs/images``.

Needs Chromium and Playwright. Every picture is at most 250 KB.
"""

import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[1]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from PIL import Image  # noqa: E402
from playwright.sync_api import Browser, sync_playwright  # noqa: E402
from tests.browser.conftest import CHROMIUM, OPTIONS  # noqa: E402
from tests.browser.site import CHEAP, DESKTOP, PHONE, TABLET, Site, Window, cookie  # noqa: E402

from pitboss.demo.shift import play_shift  # noqa: E402

IMAGES = ROOT / "docs" / "images"
LARGEST = 250 * 1024
SETTLE = 1200
"""Milliseconds for figures to arrive after a page has loaded."""
PLAIN = {
    "front": ("", "/"),
    "audit": ("auditor-1", "/audit?table=tcp-5&round=2"),
    "meters": ("manager-1", "/meters"),
    "school": ("dealer-1", "/school?game=three-card-poker&kind=settle&seed=5"),
    "law": ("", "/law?cite=649a.11(c)(3)"),
    "submissions": ("", "/submissions"),
    "signs": ("", "/signs"),
    "analyst": ("", "/analyst?paytable=A&pay=straight_flush=8+to+1"),
}
COUNTED = "() => !/computing|counting…/i.test(document.body.innerText) && !document.querySelector('progress')"
PATIENCE = 180_000
"""Milliseconds for exact figures to be counted."""
TABLE = "three-card-1"


def main(*names: str) -> None:
    """Take the named pictures, or all."""
    if not CHROMIUM:
        sys.exit("Chromium is not installed; there is nothing to take pictures with.")
    IMAGES.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as folder:
        os.environ["PITBOSS_ANCHORS"] = f"{folder}/anchors"
        site = Site(Path(folder))
        play_shift(site.ledger, rounds=1, cost=CHEAP)
        site.start()
        try:
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=CHROMIUM, args=OPTIONS)
                take_all(browser, site, names)
                browser.close()
        finally:
            site.kill()


def take_all(browser: Browser, site: Site, names: tuple[str, ...]) -> None:
    for game, table in (("three-card-poker", TABLE), ("lunar-poker", "lunar-2"), ("four-card-frenzy", "frenzy-3b")):
        site.open(table, game, players=3)
    if not names or {"table-player", "table-dealer", "settlement"} & {*names}:
        live(browser, site)
    if not names or {"practice-tablet", "practice-phone"} & {*names}:
        practice(browser, site)
    if not names or {"dealer-pad", "floor"} & {*names}:
        pad(browser, site)
    for name, (who, path) in PLAIN.items():
        if not names or name in names:
            window = opened(browser, site, who, path)
            window.page.wait_for_load_state("networkidle")
            window.page.wait_for_timeout(SETTLE)
            window.page.wait_for_function(COUNTED, timeout=PATIENCE)
            take(window, name)


def live(browser: Browser, site: Site) -> None:
    """One table in a round: the player's side with his cards, the dealer's console, and the settlement."""
    for seat in (1, 2, 3):
        for wager, amount in (("ante", 2500), ("pair_plus", 1000), ("three_card_progressive", 100)):
            site.act(TABLE, f"player-{seat}", "wager", seat=seat, wager=wager, amount=amount)
    site.until(TABLE, "deciding")
    player = opened(browser, site, "player-1", f"/table/{TABLE}")
    player.await_phase("deciding")
    take(player, "table-player", close=False)
    site.until(TABLE, "revealing")
    dealer = opened(browser, site, "dealer-1", f"/table/{TABLE}")
    dealer.await_phase("revealing")
    dealer.page.get_by_text("Irregularity", exact=True).click()
    dealer.page.wait_for_timeout(SETTLE)
    take(dealer, "table-dealer")
    site.until(TABLE, "collecting")
    player.await_phase("collecting")
    player.page.wait_for_timeout(SETTLE)
    take(player, "settlement", whole=True)


def practice(browser: Browser, site: Site) -> None:
    window = opened(browser, site, "", "/practice/four-card-poker")
    window.await_phase("wagering")
    window.button("Usual wagers").click()
    window.press(window.button("Deal"))
    window.await_phase("deciding")
    for name, (wide, high) in (("practice-tablet", TABLET), ("practice-phone", PHONE)):
        window.page.set_viewport_size({"width": wide, "height": high})
        window.page.wait_for_timeout(SETTLE)
        take(window, name, close=name == "practice-phone")


def pad(browser: Browser, site: Site) -> None:
    """A physical deck: some cards keyed in, the rest to pick from; then a jackpot that a supervisor validates."""
    name = "three-card-7"
    site.open(name, players=2, source="keyed")
    for seat in (1, 2):
        for wager, amount in (("ante", 1000), ("three_card_progressive", 100)):
            site.act(name, f"player-{seat}", "wager", seat=seat, wager=wager, amount=amount)
    site.until(name, "dealing")
    dealer = opened(browser, site, "dealer-1", f"/table/{name}")
    for card in ("Qs", "9h", "Jd", "6d"):
        dealer.page.locator(f'[data-card="{card}"]').click()
    dealer.page.evaluate("scrollTo(0, 0)")
    take(dealer, "dealer-pad")
    site.act(name, "dealer-1", "deal", cards="As 2d 9d Ks 5d 8c Qs 9h 4c")
    while site.look(name)["next"]["role"] != "floorperson":
        site.step(name)
    floor = opened(browser, site, "floor-1", f"/floor#slip-{name}")
    floor.page.wait_for_timeout(SETTLE)
    take(floor, "floor")


def opened(browser: Browser, site: Site, who: str, path: str) -> Window:
    context = browser.new_context(viewport={"width": DESKTOP[0], "height": DESKTOP[1]}, reduced_motion="reduce")
    if who:
        cookie(site, context, who)
    window = Window(context.new_page(), site.address)
    window.go(path)
    return window


def take(window: Window, name: str, *, whole: bool = False, close: bool = True) -> None:
    path = IMAGES / f"{name}.png"
    window.page.screenshot(path=path, full_page=whole)
    with Image.open(path) as picture:  # 256 colours of its own are enough for flat drawings, at a third of the size
        few = picture.convert("RGB").quantize(256, dither=Image.Dither.NONE)
    few.save(path, optimize=True)
    size = path.stat().st_size
    print(f"{name}: {size // 1024} KB" + ("" if size <= LARGEST else ", too large"))
    if close:
        window.page.context.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
