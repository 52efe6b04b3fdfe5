"""Practice, as somebody without an account meets it: a whole round of every game by clicking."""

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Route, expect

from pitboss.games.registry import GAMES
from pitboss.web.practice import unpacked
from tests.browser.conftest import Open
from tests.browser.site import DESKTOP, PHONE, TABLET, Site, Window
from tests.browser.test_pages import SMALL, violations

COUNTED = 240_000
"""Milliseconds for what a worker counts: it may still be busy with the hands of another test."""
STAY = '[data-choice]:not([data-choice="fold"])'
MOST = 30
"""Choices of one player in a round, with every raise of the others."""


def stay_in(window: Window) -> int:
    """Decide, as often as one is asked, to stay in the round; how often that was."""
    for asked in range(MOST):
        window.await_phase("deciding", "drawing", "collecting")
        if window.phase == "collecting":
            return asked
        window.press(window.page.locator(STAY).first)
    raise AssertionError("the practice round never came to its end")


def resize(window: Window, size: tuple[int, int], *, layout: bool = False) -> None:
    """Another size of the same window: nothing wider than it, and nothing smaller than a thumb. A layout is drawn for
    it."""
    page = window.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    if layout:
        expect(page.locator("svg.felt-player" if size == DESKTOP else "svg.felt-phone")).to_be_visible()
        expect(page.locator("[data-events]")).to_be_visible()
    else:
        expect(page.locator("[data-own]")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    assert size == DESKTOP or page.evaluate(SMALL) == []


@pytest.mark.parametrize("game", GAMES)
def test_a_round_of_practice(window: Open, game: str, say_counted: Callable[[str], None]) -> None:
    """One page at the three sizes, a whole round of it on a phone; the keyboard comes to one's own spots first."""
    here = window(path=f"/practice/{game}")
    page, chapter = here.page, GAMES[game].chapter
    here.await_phase("wagering")
    assert page.title() == f"Practice {chapter.title} · pitboss"
    expect(page.get_by_text("round 1", exact=True)).to_be_visible()
    assert violations(here, preload=False) == []
    layout = any(step.dice for deal in chapter.deals for step in deal.steps)
    for size in (TABLET, PHONE):
        resize(here, size, layout=layout)
    before = chips(here)
    here.button("Usual wagers").click()
    here.press(page.get_by_role("button", name=re.compile("^(Deal|Roll|Spin)$")))
    assert chips(here) < before or here.phase == "collecting"
    resize(here, PHONE, layout=layout)
    asked = stay_in(here)
    settlement = page.get_by_role("region", name="Settlement")
    expect(settlement).to_be_visible()
    own = settlement.locator("tr").filter(has=page.locator("td:first-child", has_text=re.compile("^3$")))
    nets = [cents(text) for text in own.locator("td.signed").all_inner_texts()]
    assert nets
    assert chips(here) == before + sum(nets)
    assert violations(here, preload=False) == []
    for size in (PHONE, TABLET, DESKTOP):
        resize(here, size, layout=layout)
    here.press(page.get_by_role("button", name=re.compile("^Rebet .+ and (deal|roll|spin)")))
    expect(page.get_by_text("round 2", exact=True)).to_be_visible()
    assert here.phase != "wagering"
    say_counted(f"{chapter.title}: {asked + 1} interactions for a round of practice, {asked + 2} for the first")


def test_folding_loses_the_ante_and_no_more(window: Open) -> None:
    here = window(path="/practice/three-card-poker")
    here.await_phase("wagering")
    before = chips(here)
    here.page.locator("#spot-3-ante").click()
    expect(here.button("Deal")).to_be_visible()
    here.press(here.button("Deal"))
    here.press(here.button("Fold"))
    here.await_phase("collecting")
    assert chips(here) == before - 1000


def test_keyboard_alone_is_enough(window: Open) -> None:
    here = window(path="/practice/three-card-poker")
    here.await_phase("wagering")
    keys = here.page.keyboard
    tab_to(here, "document.activeElement.id === 'spot-3-ante'")
    keys.press("Enter")
    expect(here.button("Deal")).to_be_visible()
    expect(here.page.locator("#spot-3-ante")).to_be_focused()
    tab_to(here, "document.activeElement.id.startsWith('do-deal')")
    keys.press("Enter")
    here.await_phase("deciding")
    tab_to(here, "document.activeElement.dataset.choice === 'play'")
    keys.press("Space")
    here.await_phase("collecting")
    tab_to(here, "document.activeElement.id.startsWith('do-next')")
    keys.press("Enter")
    here.await_phase("wagering")


def test_keys_of_the_buttons_play_a_round_and_the_next(window: Open) -> None:
    """Each press keeps the page; a key that no button has does nothing."""
    here = window(path="/practice/three-card-poker")
    keys = here.page.keyboard
    here.page.evaluate("window.stays = true")
    for key, phase in (("u", "wagering"), ("x", "wagering"), ("d", "deciding"), ("p", "collecting"), ("r", "deciding")):
        before = here.events
        keys.press(key)
        if key != "x":
            here.await_events(before)
        here.await_phase(phase)
    assert here.page.evaluate("window.stays")


def test_a_practice_game_survives_reload_back_and_restart(own_site: Site, window: Open) -> None:
    """The browser keeps what was done and nothing from which a card could be read."""
    here = window(path="/practice/ultimate-texas-hold-em", at=own_site)
    page = here.page
    here.await_phase("wagering")
    here.button("Usual wagers").click()
    here.press(here.button("Deal"))
    here.await_phase("deciding")
    cards = own_cards(here)
    held, events = chips(here), here.events
    assert len(cards) == 2
    page.reload()
    here.await_events(events - 1)
    page.goto(f"{own_site.address}/law")
    page.go_back()
    here.await_events(events - 1)
    for reload in (True, False):  # the server knows nothing of the game: a page asked for anew, then a press
        own_site.kill()
        own_site.start()
        if reload:
            page.goto(f"{own_site.address}/practice/ultimate-texas-hold-em")
            here.await_events(events - 1)
            assert own_cards(here) == cards
            assert (chips(here), here.events) == (held, events)
            stored = json.loads(page.evaluate("localStorage.getItem('practice ultimate-texas-hold-em')"))
            acts = unpacked(stored["text"])
            assert acts.keys() == {"token", "leg", "began", "chips", "acts"}
            assert {act["command"] for act in acts["acts"]} == {"wager", "no_more_bets"}
    stay_in(here)
    here.errors.clear()  # that the server did not answer for a moment is true, and the browser says so
    assert own_cards(here) == cards
    here.button("Next round").click()
    here.await_phase("wagering")
    page.get_by_text("Chips and table").click()
    here.button("Start over").click()
    expect(page.locator("[data-chips]")).to_have_text("$2,000")
    expect(page.get_by_text("round 1", exact=True)).to_be_visible()


def own_cards(window: Window) -> list[str]:
    return [str(card.get_attribute("aria-label")) for card in window.page.locator("[data-own] .pc").all()]


def test_chips_below_the_minimum_and_a_decision_beyond_the_chips(window: Open) -> None:
    """What is missing is said while chips are stacked, before a button is pressed that cannot be paid for, and after a
    round the same wagers are one click away."""
    here = window(path="/practice/three-card-poker")
    page = here.page
    here.await_phase("wagering")
    page.get_by_role("radio", name="$1", exact=True).click()
    here.press(page.locator("#spot-3-ante"))
    expect(page.locator("[data-short]")).to_contain_text("$9 more is needed")
    here.button("Deal").click()
    expect(page.locator(".finding")).to_contain_text("$9 more is needed")
    here.button("Take wagers back").click()
    page.get_by_role("radio", name="$100", exact=True).click()
    for times, spot in ((10, "ante"), (5, "pair_plus")):
        for _ in range(times):
            here.press(page.locator(f"#spot-3-{spot}"))
    here.press(here.button("Deal"))
    expect(here.button("Play $1,000")).to_be_disabled()
    expect(page.get_by_text("Play $1,000 needs $500 more than you have.")).to_be_visible()
    expect(page.locator("[data-hand]")).not_to_be_empty()
    here.press(here.button("Buy chips"))
    here.press(here.button("Play $1,000"))
    here.await_phase("collecting")
    here.button("Next round").click()
    here.await_phase("wagering")
    page.get_by_text("Pay tables and rules").click()
    expect(page.get_by_role("table", name="Pair Plus")).to_be_visible()
    expect(here.button("Rebet $1,500")).to_be_visible()


def test_a_chip_picked_while_an_act_is_on_its_way_stays_picked(window: Open) -> None:
    here = window(path="/practice/three-card-poker")
    here.await_phase("wagering")
    page = here.page
    page.get_by_role("radio", name="$1", exact=True).click()
    here.press(page.locator("#spot-3-ante"))

    def pick_meanwhile(route: Route) -> None:
        answer = route.fetch()
        page.get_by_role("radio", name="$100", exact=True).check(force=True)
        route.fulfill(response=answer)

    page.route(re.compile("/practice/"), pick_meanwhile, times=1)
    with page.expect_response(lambda answer: answer.request.method == "POST"):
        here.button("Take wagers back").click()
    expect(here.button("Take wagers back")).to_have_count(0)
    expect(page.get_by_role("radio", name="$100", exact=True)).to_be_checked()


def test_a_wager_over_the_limit_is_refused_in_a_sentence(window: Open) -> None:
    here = window(path="/practice/three-card-poker")
    here.await_phase("wagering")
    here.page.get_by_role("radio", name="$100", exact=True).click()
    here.page.locator("#spot-3-ante").click(click_count=11)
    expect(here.page.locator(".finding")).to_contain_text("at most $1,000")


def test_exchanging_cards_at_lunar_poker(window: Open) -> None:
    here = window(path="/practice/lunar-poker")
    here.await_phase("wagering")
    here.button("Usual wagers").click()
    here.press(here.button("Deal"))
    discards = here.page.get_by_role("checkbox", name=re.compile("^Discard "))
    expect(discards).to_have_count(5)
    before = own_cards(here)
    discards.first.check()
    here.button("Exchange 1 card").click()
    expect(here.page.get_by_text("2 to 5 cards, not 1")).to_be_visible()
    expect(discards.first).to_be_checked()
    discards.nth(1).check()
    here.press(here.button("Exchange 2 cards"))
    assert len({*before} & {*own_cards(here)}) == 3
    stay_in(here)
    expect(here.page.get_by_role("region", name="Settlement")).to_be_visible()


def test_a_coach_judges_every_decision_and_keeps_the_score(window: Open) -> None:
    """Fold two rounds: each time what both choices were worth, and what it cost; then rules to play by."""
    here = window(path="/practice/three-card-poker")
    for number in (1, 2):
        here.await_phase("wagering")
        here.page.locator("#spot-3-ante").click()
        expect(here.button("Deal")).to_be_visible()
        here.press(here.button("Deal"))
        if number == 2:
            here.button("Ask before I decide").click()
            expect(here.page.locator('[data-coach="hint"]')).to_contain_text("Best now", timeout=COUNTED)
        here.press(here.button("Fold"))
        here.await_phase("collecting")
        expect(here.page.locator(f'[data-score="{number}"]')).to_be_visible(timeout=COUNTED)
        verdict = here.page.locator("[data-coach]")
        expect(verdict).to_have_attribute("data-coach", re.compile("best|mistake"))
        expect(verdict).to_contain_text("Fold was")
        here.button("Next round").click()
    here.await_phase("wagering")
    here.button("Rules to play by").click()
    expect(here.page.locator("[data-rules] li").first).to_contain_text("Q-6-4", timeout=COUNTED)
    if here.page.get_by_role("button", name="Seen").count():  # a mistake of an earlier round stays until it is seen
        here.button("Seen").click()
        expect(here.button("Seen")).to_have_count(0)
    here.button("Switch the coach off").click()
    expect(here.page.locator("[data-score]")).to_have_count(0)


def chips(window: Window) -> int:
    return cents(window.page.locator("[data-chips]").inner_text())


def cents(text: str) -> int:
    """The amount that a person reads: "$1,234.50", "−$5.00", "+$5.00"."""
    digits = re.sub(r"[^0-9.]", "", text)
    whole, _, part = digits.partition(".")
    amount = int(whole or 0) * 100 + int((part + "00")[:2])
    return -amount if text.strip()[:1] in "-−" and amount else amount


def tab_to(window: Window, reached: str) -> None:
    for _ in range(80):
        window.page.keyboard.press("Tab")
        if window.page.evaluate(reached):
            return
    raise AssertionError(f"the keyboard never came to {reached}")
