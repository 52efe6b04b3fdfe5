"""The dealer's pad: a round with a physical deck on the felt, the picker and the keyboard, and how much it takes."""

import json
import re
from collections.abc import Callable
from datetime import date
from itertools import product
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
from tests.browser.test_pages import FITTED, check
from tests.browser.test_practice import STAY

AS_OF = date(2024, 6, 1)
MOST = 21
"""Clicks and keys that a round of two patrons may take."""
MOST_THROWN = 8
"""The same where dice or a ball are thrown."""
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
    *first, last = CARDS.split()
    for card in first:
        hand.click(page.locator(f'[data-card="{card}"]'), moves=False)
    expect(page.locator("[data-next]")).to_have_text("Next: Dealer · 1 of 9 left")
    expect(page.locator("[data-keyed-cards]")).to_contain_text(re.compile(r"Seat 1\s*Q♠\s*6♦\s*4♣"))
    hand.click(page.locator(f'[data-card="{last}"]'))
    dealer.await_phase("stub")
    assert site.look(name)["table"]["phase"] == "stub"
    hand.key("Space")
    for seat, choice in ((1, "play"), (2, "play")):
        expect(page.locator(ASKED)).to_have_attribute("data-asked", str(seat))
        hand.click(page.locator(f'{ASKED} [data-choice="{choice}"]'))
    while dealer.phase != "collecting":
        if dealer.phase == "settling":
            expect(page.locator("[data-say]")).to_contain_text("Settle seat 2")
            expect(page.get_by_role("region", name="Hands").locator("h2")).to_have_text(["pair of 9s", "jack high"])
            expect(page.locator("[data-hand-over]")).to_have_text("$10")
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


ASKED = ".asks:visible"
"""The choices of the seat whose decision is taken."""
REAL = {"dealer": "Jd 7c 3h", "seat 2": "9h 9d 2s", "seat 1": "Qs 6d 4c"}
"""The same hands, as they are turned up."""


def test_a_round_whose_cards_are_keyed_when_they_are_turned_up(
    window: Open, site: Site, say_counted: Callable[[str], None]
) -> None:
    """No card is known before it is turned up, no amount before its hand is, and nothing takes longer."""
    name = new_table()
    site.open(name, players=2, source="physical")
    dealer, player = window("dealer-1", f"/table/{name}"), window("player-1", f"/table/{name}")
    dealer.await_phase("wagering")
    hand, page = Hand(dealer), dealer.page
    for seat in (1, 2):
        hand.click(page.locator(f"#spot-{seat}-ante"))
    for command in ("No more bets", "Deal"):
        expect(dealer.following).to_have_text(command)
        hand.key("Space")
    dealer.await_phase("stub")
    hand.key("Space")
    for seat in (1, 2):
        expect(page.locator(ASKED)).to_have_attribute("data-asked", str(seat))
        hand.click(page.locator(f'{ASKED} [data-choice="play"]'))
    for place in ("dealer", "seat 2", "seat 1"):
        *first, last = REAL[place].split()
        assert set(site.look(name, "auditor-1")["table"]["round"]["hands"][place]) == {"??"}
        expect(page.locator("[data-next]")).to_have_text(f"Next: {place.capitalize()} · 3 of 3 left")
        expect(page.locator("[data-hand-over]")).to_have_count(0)
        for card in first:
            hand.click(page.locator(f'[data-card="{card}"]'), moves=False)
        if place == "seat 1":
            expect(page.locator('[data-card="9h"]')).to_be_disabled()
            expect(page.locator('[data-card="Jd"]')).to_be_disabled()
        hand.click(page.locator(f'[data-card="{last}"]'))
        if place != "dealer":
            expect(page.locator("[data-say]")).to_contain_text(f"Settle {place}")
            expect(page.locator("[data-hand-over]")).to_have_text("$10")
            expect(page.locator(".payrows .do")).to_have_text(["leave $10, Pay $10", "Leave $10"])
            hand.key("Space")
    while dealer.phase != "wagering":
        hand.key("Space")
    player.await_events(dealer.events - 1)
    lines = site.ask("auditor-1", f"/api/tables/{name}/rounds/1")["lines"]
    assert {(line["seat"], line["wager"]): line["net"] for line in lines} == {
        (1, "ante"): 1000, (1, "play"): 0, (2, "ante"): 1000, (2, "play"): 0,
    }  # fmt: skip
    say_counted(f"A round of two patrons with cards keyed when turned up: {hand.count} interactions, at most {MOST}")
    assert hand.count <= MOST


def test_a_card_turned_up_is_put_right_and_a_wrong_wager_is_ruled_on(window: Open, site: Site) -> None:
    """A correction after the last card has sent the hand; three times the Ante without a pair of aces for the floor."""
    name = new_table()
    site.open(name, "crazy-4-poker", players=1, source="physical")
    for wager in ("ante", "super_bonus"):
        site.act(name, "player-1", "wager", seat=1, wager=wager, amount=1000)
    site.until(name, "deciding")
    player, dealer = window("player-1", f"/table/{name}"), window("dealer-1", f"/table/{name}")
    player.press(player.page.locator('[data-choice="play"]').last)
    dealer.await_phase("revealing")
    page = dealer.page
    page.keyboard.type("kd9c7h5s")
    dealer.press(page.locator('[data-card="2c"]'))
    page.keyboard.type("ahqdjd8s")
    dealer.press(page.locator('[data-card="As"]'))
    expect(page.locator("[data-say]")).to_contain_text("Settle seat 1")
    page.get_by_role("radio", name="A♠, seat 1").click()
    dealer.press(page.get_by_role("group", name="The right card").get_by_role("button", name="2 of hearts"))
    expect(page.get_by_text("Rule on the choice of seat 1 (play $30).")).to_be_visible()
    floor = window("floor-1", f"/table/{name}")
    floor.page.get_by_label("Why").fill("no pair of aces")
    floor.press(floor.button("Cut it to what the hand allowed"))
    dealer.await_events(floor.events - 1)
    expect(page.get_by_text("Rule on the choice")).to_have_count(0)
    kinds = [event["kind"] for event in site.ask("auditor-1", f"/api/tables/{name}/events")["events"]]
    assert [kinds.count(kind) for kind in ("cards.shown", "card.corrected", "choice.ruled")] == [1, 1, 1]


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
    before = dealer.events
    page.get_by_label("Or type them").press("End")
    page.keyboard.type(" 5♣2s3h")
    dealer.await_events(before)
    page.get_by_role("radio", name="5♣, seat 1").click()
    dealer.press(page.get_by_role("group", name="The right card").get_by_role("button", name="4 of clubs"))
    player.await_events(dealer.events - 1)
    expect(player.page.locator("[data-hand]")).to_have_text("queen high")
    expect(player.page.locator("[data-own]").get_by_label("4 of clubs")).to_be_visible()
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
    expect(page.locator(".finding")).to_contain_text("$5 more is needed")
    dealer.press(page.locator("#spot-4-ante"))
    expect(page.locator("[data-short]")).to_have_text("")
    dealer.press(dealer.following)
    page.get_by_text("All commands", exact=True).click()
    page.get_by_role("link", name="Leave", exact=True).click()
    expect(page.get_by_role("button", name="Leave", exact=True)).to_be_visible()
    assert "cents" not in page.locator("main").inner_text()


def test_chips_of_two_patrons_are_apart_and_taken_back(window: Open, site: Site) -> None:
    """Each patron's chips have a letter; the last chip goes back by the record, and cents are cashed."""
    name = new_table()
    site.open(name, "roulette", players=2, source="keyed")
    dealer = window("dealer-1", f"/table/{name}")
    page, whose = dealer.page, dealer.page.get_by_role("radiogroup", name="Whose chip")
    for letter, seat in (("A", "1 player-1"), ("B", "2 player-2")):
        whose.get_by_role("radio", name=seat).click()
        dealer.press(page.locator("#spot-0-straight_17"))
        expect(page.locator("#spot-0-straight_17")).to_have_attribute("aria-label", re.compile(f"{letter}, seat"))
    dealer.press(page.locator("#spot-0-split_17_20"))
    dealer.press(page.locator("#spot-0-straight_17"))
    expect(page.locator("[data-undo]")).to_have_text(re.compile(r"Back to \$5: seat 2, Straight up 17"))
    dealer.press(page.locator("[data-undo]"))
    page.get_by_role("radio", name="Take off").check()
    dealer.press(page.locator("#spot-0-split_17_20"))
    assert site.look(name)["table"]["wagers"]["1"] == {"straight_17": 500}
    assert "split_17_20" not in site.look(name)["table"]["wagers"].get("2", {})
    cashier = window("cashier-1", f"/table/{name}")
    cashier.page.get_by_role("radio", name="1 player-1").click()
    cashier.page.get_by_label("Amount for player-1").fill("250.50")
    before = site.ask("player-1", "/api/balance")["chips"]
    cashier.press(cashier.page.get_by_role("button", name=re.compile("^Cash out")).locator("visible=true"))
    assert site.ask("player-1", "/api/balance")["chips"] == before - 25_050


LUNAR = {"dealer": "Kc As 7s 4h 2c", "seat 1": "Ah Ad 9s 5c 3d", "seat 3": "9h 8h 7h 6h 5h"}
"""The dealer shows a king; seat 1 has a pair of aces after an exchange, seat 3 a straight flush, paid at once."""


def test_lunar_poker_is_dealt_face_down_at_the_pad(window: Open, site: Site) -> None:
    """Seat 1 exchanges two unseen cards, seat 2 folds, and seat 3's declared hand is paid at once."""
    name = new_table()
    site.open(name, "lunar-poker", players=3, source="physical")
    for seat, wager in product((1, 2, 3), ("ante", "super")):
        site.act(name, f"player-{seat}", "wager", seat=seat, wager=wager, amount=1000)
    dealer = window("dealer-1", f"/table/{name}")
    page, first, entry = dealer.page, LUNAR["dealer"].split()[0], dealer.page.locator("[data-declared]")

    def choose(seat: int, button: str) -> None:
        box = page.locator(ASKED)
        expect(box).to_have_attribute("data-asked", str(seat))
        dealer.press(box.get_by_role("button", name=button))

    def turn_up(place: str, cards: str) -> None:
        expect(page.locator("[data-next]")).to_contain_text(f"Next: {place}")
        *others, last = cards.split()
        for card in others:
            page.locator(f'[data-card="{card}"]').click()
        dealer.press(page.locator(f'[data-card="{last}"]'))

    while dealer.phase != "deciding":
        if page.locator("[data-slots]").count():
            turn_up("Dealer", first)
        else:
            dealer.press(dealer.following)
    choose(1, "Exchange 2 cards $10")
    site.act(name, "player-3", "declare", seat=3)
    page.locator("#plate-3").click()
    page.locator(ASKED).get_by_role("link", name="Turn up a hand paid at once").click()
    expect(entry.locator("[data-next]")).to_have_text("Next: Seat 3 · 5 of 5 left")
    expect(entry.locator(f'[data-card="{first}"]')).to_be_disabled()
    check(dealer)
    page.set_viewport_size({"width": DESKTOP[0], "height": DESKTOP[1]})
    page.keyboard.type("9h8h7h6h4c")
    expect(page.locator(".finding")).to_contain_text("is not paid at once")
    entry.get_by_role("button", name="Replace 4♣").click()
    dealer.press(entry.locator('[data-card="5h"]'))
    expect(entry).to_have_count(0)
    assert site.look(name)["table"]["round"]["hands"]["seat 3"] == LUNAR["seat 3"].split()
    choose(2, "Fold")
    while dealer.phase != "drawing":
        dealer.press(dealer.following)
    while not page.locator(ASKED).count():
        dealer.press(dealer.following)
    choose(1, "Bet $20")
    while dealer.phase != "wagering":
        if page.locator("[data-slots]").count():
            place = str(page.locator("[data-next]").inner_text()).removeprefix("Next: ").partition(" ·")[0].lower()
            gone = first if place == "dealer" else ""
            turn_up(place.capitalize(), LUNAR[place].removeprefix(gone))
        else:
            dealer.press(dealer.following)
    shown = site.ask("auditor-1", f"/api/tables/{name}/rounds/1")
    results = {(line["seat"], line["wager"]): line["result"] for line in shown["lines"]}
    assert results == {
        (1, "super"): "lose", (1, "options_fee"): "lose", (1, "ante"): "push", (1, "bet"): "win",
        (2, "super"): "lose", (2, "ante"): "forfeit", (3, "super"): "win", (3, "instant_payout"): "win",
    }  # fmt: skip
    assert {card["card"] for card in shown["cards"] if card["to"] == "seat 2"} == {"??"}
    assert shown["final_hands"] == {"1": LUNAR["seat 1"]}


@pytest.mark.parametrize(
    ("game", "source"),
    [
        *((game, "keyed") for game in GAMES),
        ("ultimate-texas-hold-em", "physical"),
        ("caribbean-stud", "physical"),
        ("seven-card-stud", "physical"),
    ],
)
def test_a_round_of_every_game_is_dealt_at_the_pad(
    window: Open, site: Site, game: str, source: str, say_counted: Callable[[str], None]
) -> None:
    """Two patrons, real cards, dice or a wheel: wagers, what is read, choices and settlement by the dealer alone."""
    name = new_table()
    site.open(name, game, players=2, source=source)
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
            page.wait_for_function(FITTED)
            looked = True
        choice = page.locator(f'{ASKED}:not(:has-text("(now:")) {STAY}').first
        if choice.count():
            hand.click(choice)
        elif page.locator("[data-slots]").count():
            slots = json.loads(page.locator("[data-slots]").get_attribute("data-slots") or "[]")
            for left in range(len(slots), 0, -1):
                hand.click(page.locator(f'[data-card="{next(deck)}"]'), moves=left == 1)
        elif page.locator(".throw-pad").count():
            hand.click(page.locator('[data-call="17"], [data-call="2 3 6"]'))
        else:
            expect(dealer.following).to_be_visible()
            hand.key("Space")
    lines = site.ask("auditor-1", f"/api/tables/{name}/rounds/1")["lines"]
    assert looked
    assert {line["seat"] for line in lines} == {1, 2}
    how = "" if source == "keyed" else ", cards keyed when turned up"
    assert course.has(Deal) or hand.count <= MOST_THROWN
    say_counted(f"{GAMES[game].chapter.title}: {hand.count} interactions for a round of two patrons at the pad{how}")
