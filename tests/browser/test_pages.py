"""Every page at three widths: nothing against it from axe-core, a first heading, and room for its content."""

from importlib.resources import files
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Open
from tests.browser.site import DESKTOP, PHONE, TABLET, Site, Window

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
SETTLED = (
    "/settle?game=three-card-poker&day=2026-01-01&1.seat=2&1.w.ante=10&1.w.pair_plus=5&1.d.decision=play"
    "&1.cards=Kh+8c+3d&dealer=Ks+8d+4c&answer=1"
)
PAGES = {
    "lobby": ("", "/"),
    "desk-dealer": ("dealer-1", "/"),
    "desk-manager": ("manager-1", "/"),
    "desk-auditor": ("auditor-1", "/"),
    "settle": ("", "/settle"),
    "settle-form": ("", "/settle?game=ultimate-texas-hold-em"),
    "settled": ("", SETTLED),
    "watch": ("", "/watch/three-card-poker"),
    "incidents": ("auditor-1", "/incidents?state=all"),
    "slips": ("auditor-1", "/slips?day=2026-03-02"),
    "slip": ("auditor-1", "/slip/tcp-5/2"),
    "class": ("floor-1", "/school/class"),
    "nowhere": ("", "/nowhere"),
    "school": ("", "/school?seed=none"),
    "drill": ("", "/school?game=three-card-poker&kind=settle&seed=5"),
    "login": ("", "/login"),
    "practice": ("", "/practice/four-card-poker"),
    "law": ("", "/law"),
    "law-paragraph": ("", "/law?cite=649a.11(c)(3)"),
    "meters": ("manager-1", "/meters"),
    "meters-board": ("player-1", "/meters?board=1"),
    "audit": ("auditor-1", "/audit"),
    "audit-round": ("auditor-1", "/audit/tcp-5/2"),
    "analyst": ("", "/analyst?paytable=A&pay=straight=2+to+1&pay=flush=x"),
    "analyst-hand": ("", "/analyst/hand?cards=Qs+6d+4c"),
    "analyst-design": ("", "/analyst/design?wager=pair_plus&low=4&high=8&seen=15&taste=steady"),
    "analyst-protect": ("", "/analyst/protect?rounds=40"),
    "analyst-simulation": ("", "/analyst/simulation?rounds=10000&seats=1&seed=1"),
    "analyst-equity": ("", "/analyst/equity?typed=As+Ks+Qs%0A2c+2d+7h"),
    "submissions": ("", "/submissions"),
    "signs": ("", "/signs"),
    "signs-large": ("", "/signs?game=roulette&size=large"),
    "floor": ("floor-1", "/floor"),
    "floor-reopen": ("manager-1", "/floor?act=reopen&table=scs-16"),
    "accounts": ("admin-1", "/accounts"),
    "password": ("dealer-1", "/password"),
}


def violations(window: Window, *, preload: bool) -> list[str]:
    """What axe-core finds, however slight, with the first place of each.

    With ``preload`` it asks for the sheets of the page too, and the page then shows for a while that it is loading.
    """
    window.page.evaluate(AXE)
    options = "{preload: true}" if preload else "{preload: false}"
    found: list[dict[str, Any]] = window.page.evaluate(f"axe.run({options}).then((result) => result.violations)")
    return [f"{each['id']}: {each['help']}: {each['nodes'][0]['html'][:160]}" for each in found]


READ = """() => {
  const body = document.body.cloneNode(true);
  body.querySelectorAll('script, style, code, pre, textarea, .law-code, .q-icon').forEach((part) => part.remove());
  return [...body.textContent.matchAll(/\\w*[a-z]_[a-z]\\w*/g)].map((found) => found[0]);
}"""
"""Names of the program among what a page says, apart from where it shows program text."""


SMALL = """() => {
  const pressed = 'a[href], button, input, select, textarea, summary, [role=button], [role=tab], [role=switch]';
  const target = (each) => each.closest('label, .q-field__control, .q-toggle, .q-checkbox') || each;
  const block = (link) => {
    let around = link.parentElement;
    while (getComputedStyle(around).display === 'inline') around = around.parentElement;
    return around;
  };
  const among = (link) => {  // other words than links: a sentence, whose links are as high as its lines
    if (getComputedStyle(link).display !== 'inline') return false;
    const copy = block(link).cloneNode(true);
    copy.querySelectorAll('a, .pb-sr').forEach((each) => each.remove());
    return /\\w/.test(copy.textContent);
  };
  return [...document.querySelectorAll(pressed)].filter((each) => each.getClientRects().length && !each.disabled
      && getComputedStyle(each).visibility !== 'hidden' && !each.closest('[aria-hidden=true], .pb-sr')
      && !(each.matches('a') && among(each)))
    .map((each) => [each, target(each).getBoundingClientRect()])
    .filter(([each, box]) => box.width && (box.width < 43.9 || box.height < 43.9))
    .map(([each, box]) => `${each.id || each.textContent || each.name} ${box.width} x ${box.height}`);
}"""
"""What can be pressed and is smaller than a thumb, 44 pixels either way, apart from links within sentences."""


CUT = """() => [...document.querySelectorAll('.paper-passage')]
  .filter((each) => each.scrollWidth > each.clientWidth + 1).map((each) => each.getAttribute('aria-label'))"""
"""Parts of a document that a wide screen shows only when they are scrolled sideways."""


FITTED = """() => {
  const drawing = document.querySelector('.drawing'), most = drawing?.matches('.layout') ? 900 : 600;
  const narrow = new URLSearchParams(location.search).get('narrow') === '1';
  return document.readyState === 'complete' && (!drawing || narrow === matchMedia(`(max-width: ${most}px)`).matches);
}"""
"""Whether a layout is drawn as the width of the window wants it."""


def check(window: Window) -> None:
    """On a screen, and on a tablet and a phone to which the same window is made smaller."""
    page = window.page
    expect(page.locator("h1").first).to_be_attached()
    page.wait_for_load_state("networkidle")
    assert page.evaluate(READ) == []
    for wide, high in (DESKTOP, TABLET, PHONE):
        page.set_viewport_size({"width": wide, "height": high})
        page.wait_for_function(FITTED)
        assert violations(window, preload=wide == PHONE[0]) == []
        assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 1, wide
        assert wide == DESKTOP[0] or page.evaluate(SMALL) == []
        assert wide != DESKTOP[0] or page.evaluate(CUT) == []


@pytest.mark.parametrize("name", PAGES)
def test_page(window: Open, name: str) -> None:
    who, path = PAGES[name]
    here = window(who, path)
    check(here)
    if name.startswith("nowhere"):
        expect(here.page.get_by_text("There is nothing at")).to_be_visible()
        here.errors.clear()  # the browser itself complains about the status
    assert "pitboss" in here.page.title()


def test_table_page_in_a_round(window: Open, site: Site) -> None:
    """The player's felt with his cards, then the dealer's console and the settlement."""
    name = "axe"
    site.open(name, players=2)
    for seat in (1, 2):
        site.act(name, f"player-{seat}", "wager", seat=seat, wager="ante", amount=1000)
    site.until(name, "deciding")
    here = window("player-1", f"/table/{name}")
    here.await_phase("deciding")
    check(here)
    dealer = window("dealer-1", f"/table/{name}")
    dealer.await_phase("deciding")
    dealer.page.get_by_text("Irregularity", exact=True).click()
    dealer.page.get_by_text("All commands", exact=True).click()
    check(dealer)
    site.until(name, "collecting")
    here.await_phase("collecting")
    check(here)


def test_a_decision_on_a_phone(window: Open) -> None:
    """The dealer, one's own spots and cards, the choices and then the verdict are on the first screen."""
    here = window(path="/practice/three-card-poker", size=PHONE)
    here.button("Usual wagers").click()
    here.press(here.button("Deal"))
    here.await_phase("deciding")
    decision = here.page.locator("[data-choice]").first.bounding_box()
    assert decision is not None
    assert decision["y"] + decision["height"] <= PHONE[1]
    here.press(here.button("Fold"))
    here.page.evaluate("scrollTo(0, 0)")
    verdict = here.page.locator("[data-coach] h3").bounding_box()
    assert verdict is not None
    assert verdict["y"] + verdict["height"] <= PHONE[1]
    assert violations(here, preload=False) == []


def test_a_table_that_is_watched_can_be_paused_stepped_and_paced(window: Open) -> None:
    """No seat can be pressed; hands stay face down until they are turned up."""
    here = window(path="/watch/ultimate-texas-hold-em", size=PHONE)
    page = here.page
    here.button("Pause").click()
    page.wait_for_timeout(300)  # a step that was under way
    before = page.locator("[data-version]").get_attribute("data-version")
    page.wait_for_timeout(2_000)
    assert page.locator("[data-version]").get_attribute("data-version") == before
    for _ in range(12):
        page.keyboard.press("s")
    expect(page.locator(".player .pc").first).to_be_visible()
    assert {*page.locator(".player .pc").evaluate_all("(cards) => cards.map((card) => card.ariaLabel)")} == {
        "card face down"
    }
    page.get_by_role("combobox", name="Pace").select_option("Fast")
    here.button("Go on").click()
    here.await_events(here.events)
    assert page.locator(".felt-ground button, .felt-ground [role=button]").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]


def test_the_keyboard_comes_to_ones_own_spots_first(window: Open, site: Site) -> None:
    site.open("tab-order", players=3)
    here = window("player-2", "/table/tab-order")
    here.await_phase("wagering")
    keys = here.page.keyboard
    for key in ("Tab", "Enter", "Tab", "Tab"):  # past the menu, and past the way to the felt with all seats
        keys.press(key)
    expect(here.page.locator("#spot-2-ante")).to_be_focused()
    assert here.page.locator("[data-wager]:not([data-seat='2'])").count() == 0


def test_reduced_motion_is_respected(window: Open) -> None:
    here = window(path="/practice/three-card-poker")
    here.await_phase("wagering")
    moving = "[...document.querySelectorAll('*')].filter((e) => getComputedStyle(e).transitionDuration !== '0s').length"
    assert here.page.evaluate(moving) == 0
