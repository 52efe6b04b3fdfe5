"""A wheel, live: chips on every kind of wager of the layout, and a wager over five spins that outlives the process."""

import re

from playwright.sync_api import Locator, expect

from pitboss.games.registry import GAMES
from pitboss.money import show_dollars
from tests.browser.conftest import Open
from tests.browser.site import Site, Window, together
from tests.browser.test_live import new_table
from tests.browser.test_practice import chips

GAME = "roulette"
SEVENTEEN = {
    # With 17 the numbers that a chip covers, and what $10 on each moves.
    "straight_17": 35_000, "split_17_20": 17_000, "street_16": 11_000, "corner_13": 8000, "line_13": 5000,
    "column_2": 2000, "dozen_2": 2000, "low": 1000, "odd": 1000, "black": 1000,
    "straight_0": -1000, "split_0_00": -1000, "five_number": -1000, "even": -1000, "red": -1000, "high": -1000,
    "touchdown": -1000,
}  # fmt: skip


def spot(player: Window, wager: str) -> Locator:
    return player.page.locator(f"#spot-1-{wager}")


def spin(dealer: Window, number: str) -> None:
    """The house comes to the spin, and the dealer keys in where the ball came to rest."""
    field = dealer.page.locator("#field-dice")
    for _ in range(10):
        if field.count():
            break
        dealer.press(dealer.following.first)
    field.fill(number)
    dealer.press(dealer.following)


def test_a_chip_on_every_kind_of_wager(window: Open, site: Site) -> None:
    kinds = {wager.name for wager in GAMES[GAME].chapter.wagers} - {"five_adjacent"}
    assert {kind for kind in kinds if any(name.startswith(kind) for name in SEVENTEEN)} == kinds
    name = new_table()
    site.open(name, GAME, players=1, source="keyed")
    player, dealer = window("player-1", f"/table/{name}"), window("dealer-1", f"/table/{name}")
    player.await_phase("wagering")
    player.page.get_by_role("radio", name="$10", exact=True).click()
    for number, wager in enumerate(SEVENTEEN):
        if number % 2:
            player.press(spot(player, wager))
        else:  # by keyboard alone
            spot(player, wager).focus()
            before = player.events
            player.page.keyboard.press("Enter")
            player.await_events(before)
        expect(spot(player, wager)).to_have_attribute("aria-label", re.compile(r"\$10"))
    dealer.await_events(site.await_wagers(name, 1, SEVENTEEN) - 1)
    before = chips(player)
    spin(dealer, "17")
    together([dealer], "collecting")
    player.await_phase("collecting")
    settlement = player.page.get_by_role("region", name="Settlement")
    expect(settlement.locator("td.signed")).to_have_count(len(SEVENTEEN))
    told = site.ask("player-1", f"/api/tables/{name}/rounds/1")["lines"]
    assert {line["wager"]: line["net"] for line in told} == SEVENTEEN
    won = player.page.get_by_role("region", name="Paid this spin")
    expect(won.locator("b")).to_have_text(show_dollars(sum(net for net in SEVENTEEN.values() if net > 0)))
    expect(won).to_contain_text("Straight up 17: $10 at 35 to 1 = $350")
    expect(won).to_contain_text("$70 lost")
    paid = sum(net + 1000 for net in SEVENTEEN.values() if net > 0)
    expect(player.page.locator("[data-chips]")).to_have_text(show_dollars(before + paid))


def test_four_downs_over_a_server_that_was_killed(own_site: Site, window: Open) -> None:
    """The trigger and two downs, then the process dies; the wager lives on, and the fourth down pays it."""
    own_site.open("t-downs", GAME, players=1, source="keyed")
    player, dealer = (window(who, "/table/t-downs", at=own_site) for who in ("player-1", "dealer-1"))
    player.await_phase("wagering")
    player.page.get_by_role("radio", name="$10", exact=True).click()
    player.press(spot(player, "touchdown"))
    dealer.await_events(player.events - 1)
    for number in ("00", "36", "0"):
        if number == "0":
            own_site.kill()
            own_site.start()
            player.await_phase("wagering")
            expect(spot(player, "touchdown")).to_have_attribute("aria-label", re.compile(r"\$10"))
        spin(dealer, number)
        player.await_events(dealer.events - 1)
        for here in (player, dealer):
            here.errors.clear()  # that nobody answered for a moment is true, and the browser says so
        if number == "00":
            player.await_phase("deciding")
            player.press(player.page.locator('[data-choice="red"]'))
            dealer.await_events(player.events - 1)
        together([dealer], "wagering")
    before = chips(player)
    for number in ("3", "32"):
        spin(dealer, number)
        together([dealer], "collecting" if number == "32" else "wagering")
    # 15, 0, 3 and 15 yards toward red's end zone: 33 from the 50, the 17 yard line, 75 to 1 by table A.
    player.await_phase("collecting")
    expect(player.page.locator("[data-chips]")).to_have_text(show_dollars(before + 76_000))
    (line,) = own_site.ask("player-1", "/api/tables/t-downs/rounds/5")["lines"]
    assert (line["wager"], line["net"]) == ("touchdown", 75_000)


def test_a_number_called_wrongly_is_corrected(window: Open, site: Site) -> None:
    """One press on the felt calls 14; another corrects it to 17 until the first seat is settled."""
    name = new_table()
    site.open(name, GAME, players=1, source="keyed")
    site.act(name, "player-1", "wager", seat=1, wager="straight_17", amount=1000)
    player, dealer = window("player-1", f"/table/{name}"), window("dealer-1", f"/table/{name}")
    page, wrong = dealer.page, dealer.page.locator("[data-correct]")
    while not page.locator(".throw-pad").count():
        dealer.press(dealer.following)
    dealer.press(page.locator('.drawing .spot-number[data-wager="straight_14"]'))
    expect(page.get_by_label("Take", exact=True)).to_contain_text("$10")
    expect(wrong.locator("summary")).to_have_text("14 was called just now. Is it wrong?")
    wrong.locator("summary").click()
    dealer.press(wrong.get_by_role("button", name="17", exact=True))
    expect(page.locator("[data-hand-over]")).to_have_text("$350")
    expect(wrong.locator("summary")).to_have_text("17 was called just now. Is it wrong?")
    player.await_events(dealer.events - 1)
    expect(player.page.locator(".throw").first).to_have_text("17")
    dealer.press(dealer.following)
    expect(wrong).to_have_count(0)
    log = page.get_by_role("region", name="Last acts").locator("li span:last-child")
    expect(log).to_have_text(
        [
            "Seat 1 settled: Straight up 17 won $350",
            "Corrected: The ball came to rest in 17. 14 was keyed in before.",
            "The ball came to rest in 14.",
        ]
    )
    assert [line["net"] for line in site.ask("player-1", f"/api/tables/{name}/rounds/1")["lines"]] == [35_000]
