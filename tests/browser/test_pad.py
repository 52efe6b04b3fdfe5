"""The dealer's pad: a round with a physical deck on the felt, the picker and the keyboard, and how much it takes."""

import json
import re
from collections.abc import Callable
from datetime import date
from random import Random

import pytest
from playwright.sync_api import Locator, expect

from pitboss.api import rules_for
from pitboss.cards import DECK, show_card
from pitboss.games.course import Deal
from pitboss.games.registry import GAMES
from pitboss.games.round import Round, Seat
from pitboss.games.settle import verify_stakes
from pitboss.games.walk import plain_wagers
from tests.browser.conftest import Open
from tests.browser.site import DESKTOP, Site, Window
from tests.browser.test_live import new_table
from tests.browser.test_pages import check
from tests.browser.test_practice import STAY

AS_OF = date(2024, 6, 1)
MOST = 25
"""Clicks and keys that a round of two patrons may take."""
CARDS = "Qs 9h Jd 6d 9d 7c 4c 2s 3h"
"""Queen high at seat 1, a pair of nines at seat 2, jack high for the dealer, who does not play with it."""


class Hand:
    """A dealer who counts what he does."""

    def __init__(self, window: Window) -> None:
        self.window = window
        self.count = 0

    def click(self, what: Locator, *, moves: bool = True) -> None:
        self.count += 1
        if moves:
            self.window.press(what)
        else:
            what.click()

    def key(self, name: str) -> None:
        """A key that must move the table on."""
        self.count += 1
        before = self.window.events
        self.window.page.keyboard.press(name)
        self.window.await_events(before)


def keyed_table(site: Site, players: int = 2) -> str:
    name = new_table()
    site.open(name, players=players, source="keyed")
    return name


def test_a_round_of_two_patrons_with_physical_cards(
    window: Open, site: Site, say_counted: Callable[[str], None]
) -> None:
    name = keyed_table(site)
    dealer = window("dealer-1", f"/table/{name}")
    dealer.await_phase("wagering")
    hand, page = Hand(dealer), dealer.page
    for seat in (1, 2):
        hand.click(page.locator(f"#spot-{seat}-ante"))
    expect(dealer.following).to_have_text("No more bets")
    hand.key("Space")
    expect(page.locator("[data-next]")).to_have_text("Next: Seat 1 · 9 of 9 left")
    for card in CARDS.split():
        hand.click(page.locator(f'[data-card="{card}"]'), moves=False)
    expect(page.locator("[data-next]")).to_have_text("All cards are keyed in")
    expect(page.locator("[data-keyed-cards]")).to_contain_text(re.compile(r"Seat 1\s*Q♠\s*6♦\s*4♣"))
    hand.key("Enter")
    dealer.await_phase("stub")
    hand.key("Space")
    for seat, choice in ((1, "play"), (2, "play")):
        expect(page.locator(".pb-at-seat")).to_contain_text(f"Seat {seat}")
        hand.click(page.locator(f'.pb-at-seat [data-choice="{choice}"]'))
    while dealer.phase != "collecting":
        if dealer.phase == "settling":
            expect(page.get_by_text("Settle seat 2: pay Ante $10, Play pushes.")).to_be_visible()
            hand.click(dealer.button("Settle everything that is ready"))
        else:
            hand.key("Space")
    while dealer.phase != "wagering":
        hand.key("Space")
    lines = site.ask("auditor-1", f"/api/tables/{name}/rounds/1")["lines"]
    assert {(line["seat"], line["wager"]): line["net"] for line in lines} == {
        (1, "ante"): 1000, (1, "play"): 0, (2, "ante"): 1000, (2, "play"): 0,
    }  # fmt: skip
    say_counted(f"A round of two patrons with physical cards: {hand.count} interactions, at most {MOST}")
    assert hand.count <= MOST


def test_a_mis_keyed_card_is_put_right_before_and_after_it_is_sent(window: Open, site: Site) -> None:
    """Cards typed without blanks; one is replaced in the entry, another by a correction that stands in the record."""
    name = keyed_table(site)
    for seat in (1, 2):
        site.act(name, f"player-{seat}", "wager", seat=seat, wager="ante", amount=1000)
    site.until(name, "dealing")
    dealer, player = window("dealer-1", f"/table/{name}"), window("player-1", f"/table/{name}")
    page = dealer.page
    expect(page.locator("[data-next]")).to_contain_text("Seat 1")
    page.keyboard.type("qs9hjd6d9d8c")
    page.locator('[data-keyed="5"]').click()
    expect(page.locator("[data-next]")).to_have_text("Next: Dealer · 3 of 9 left")
    page.locator('[data-card="7c"]').click()
    page.get_by_label("Cards in the order dealt").press("End")
    page.keyboard.type(" 5♣2s3h")
    dealer.press(dealer.button("Deal these"))
    page.get_by_role("button", name="5♣, seat 1").click()
    expect(page.locator("[data-next]")).to_contain_text("instead of 5♣")
    page.locator('[data-card="4c"]').click()
    dealer.press(dealer.button("Correct the card"))
    player.await_events(dealer.events - 1)
    expect(player.page.locator("[data-hand]")).to_have_text("Queen high")
    expect(player.page.locator("[data-own]")).to_contain_text("4 of clubs")
    assert "5 of clubs" not in player.page.locator("[data-own]").inner_html()
    dealer.press(dealer.following)
    expect(page.locator("[data-correct]")).to_have_count(0)
    kinds = [event["kind"] for event in site.ask("auditor-1", f"/api/tables/{name}/events")["events"]]
    assert kinds.count("card.corrected") == 1


def test_the_first_patron_is_seated_where_that_is_what_is_missing(window: Open, site: Site) -> None:
    """From the felt the dealer seats, stacks chips below the minimum, is told what is missing, and takes no cents."""
    from tests.table.driver import submission_text

    name = new_table()
    site.act(name, "manager-1", "open_table", submission=submission_text("three-card-poker"), fill=50_000_000)
    for who, what in (("floor-1", "receive_decks"), ("dealer-1", "inspect_cards"), ("floor-1", "verify_inspection")):
        site.act(name, who, what)
    site.act(name, "dealer-1", "spread_cards")
    dealer = window("dealer-1", f"/table/{name}")
    page = dealer.page
    expect(page.get_by_text("Seat the first player")).to_be_visible()
    page.locator("#plate-4").click()
    page.get_by_label("Patron for seat 4").fill("ann")
    dealer.press(dealer.button("Seat at 4"))
    site.act(name, "floor-1", "buy_in", amount=50_000, player="ann", slip=2)
    site.until(name, "wagering")
    dealer.await_phase("wagering")
    page.get_by_role("radio", name="$5", exact=True).click()
    dealer.press(page.locator("#spot-4-ante"))
    expect(page.locator("[data-short]")).to_contain_text("$5 more is needed")
    dealer.following.click()
    expect(page.locator(".pb-finding")).to_contain_text("$5 more is needed")
    dealer.press(page.locator("#spot-4-ante"))
    expect(page.locator("[data-short]")).to_have_text("")
    dealer.press(dealer.following)
    page.get_by_text("All commands", exact=True).click()
    page.get_by_label("Command", exact=True).click()
    page.get_by_role("option", name="Leave", exact=True).click()
    assert "cents" not in page.locator(".pb-main").inner_text()


@pytest.mark.parametrize("game", GAMES)
def test_a_round_of_every_game_is_dealt_at_the_pad(
    window: Open, site: Site, game: str, say_counted: Callable[[str], None]
) -> None:
    """Two patrons, real cards, dice or a wheel: wagers, what is read, choices and settlement by the dealer alone."""
    name = new_table()
    site.open(name, game, players=2, source="keyed")
    dealer = window("dealer-1", f"/table/{name}")
    hand, page = Hand(dealer), dealer.page
    dealer.await_phase("wagering")
    course, rules = GAMES[game].course, rules_for(game, AS_OF)
    wagers = course.main if course.has(Deal) else tuple(plain_wagers(rules))[:1]
    if verify_stakes(rules, Round((), (Seat(1, (), dict.fromkeys(wagers, 1000)),))):
        wagers = tuple(plain_wagers(rules))  # those alone may not be made
    for seat in (1, 2):
        if course.contest:
            site.act(name, f"player-{seat}", "wager", seat=seat, wager=course.unit, amount=20_000)
            continue
        whose = page.get_by_role("radiogroup", name="Whose chip").get_by_role("radio", name=re.compile(f"^{seat} "))
        if whose.count():
            whose.click()
            expect(whose).to_be_checked()
        for wager in wagers:
            hand.click(
                page.locator(f'[data-wager="{wager}"][data-seat="{seat}"], .shared [data-wager="{wager}"]').first
            )
    told = site.look(name)["table"]["wagers"]
    assert {seat: {*made} for seat, made in told.items()} == {"1": {*wagers}, "2": {*wagers}}
    dealer.await_events(site.look(name)["table"]["events"] - 1)
    looked = False
    deck = iter(Random(game).sample([show_card(card) for card in DECK], len(DECK)))
    for _ in range(200):
        if dealer.phase == "wagering" and site.look(name)["table"]["rounds"]:
            break
        if not looked and dealer.phase in ("deciding", "settling"):
            check(dealer)
            page.set_viewport_size({"width": DESKTOP[0], "height": DESKTOP[1]})
            looked = True
        choice = page.locator(f'.pb-at-seat:not(:has-text("(now:")) {STAY}').first
        if choice.count():
            assert page.evaluate(COVERED) == []
            hand.click(choice)
        elif page.locator(".pb-entry").count():
            for _ in json.loads(page.locator(".pb-entry").get_attribute("data-slots") or "[]"):
                hand.click(page.locator(f'[data-card="{next(deck)}"]'), moves=False)
            hand.key("Enter")
        elif page.locator("#field-dice").count():
            page.locator("#field-dice").fill("17" if "wheel" in page.content() else "2 3 6")
            hand.click(dealer.following)
        else:
            expect(dealer.following).to_be_visible()
            hand.key("Space")
    lines = site.ask("auditor-1", f"/api/tables/{name}/rounds/1")["lines"]
    assert looked
    assert {line["seat"] for line in lines} == {1, 2}
    say_counted(f"{GAMES[game].chapter.title}: {hand.count} interactions for a round of two patrons at the pad")


COVERED = """() => {
  const felt = document.querySelector('svg.felt').getBoundingClientRect();
  const beside = (a, b) => a.left > b.right - 1 || a.top > b.bottom - 1, apart = (a, b) => beside(a, b) || beside(b, a);
  const cards = [...document.querySelectorAll('svg.felt .hand use, svg.felt .place use')];
  return [...document.querySelectorAll('.pb-at-seat')].flatMap((each) => {
    const box = each.getBoundingClientRect();
    const under = cards.filter((card) => !apart(box, card.getBoundingClientRect()));
    const beyond = box.left < felt.left - 1 || box.right > felt.right + 1;
    return [...(beyond ? ['beyond the felt'] : []), ...under.map((card) => card.closest('[id]').id)];
  });
}"""
"""Cards under what a seat may choose, which lies on the felt."""
