"""A live table with real accounts: a dealer, a floorperson and two players, each in a browser of his own."""

import re
from difflib import unified_diff
from itertools import count

import pytest
from playwright.sync_api import expect

from pitboss.demo.driver import LINK
from pitboss.games.registry import GAMES
from pitboss.reports.cards import card_name
from tests.browser.conftest import Open
from tests.browser.site import PATIENCE, Site, Window, together
from tests.browser.test_practice import chips, stay_in, tab_to

_numbers = count(1)


def new_table() -> str:
    return f"b{next(_numbers)}-live"


def told_of(card: str, text: str) -> bool:
    """Whether a text names a card, as we write it or as we say it, or draws it."""
    return bool(re.search(rf"\b{card}\b|{card_name(card)}|card-{card}\b", text))


def make_usual_wagers(player: Window, site: Site, table: str, seat: int, game: str) -> None:
    """By one click, of which several wagers come; only then may the house go on."""
    player.button("Usual wagers").click()
    player.await_events(site.await_wagers(table, seat, GAMES[game].plain_wagers()) - 1)
    expect(player.button("Take wagers back")).to_be_visible()


def test_a_table_by_clicking_from_the_empty_house_to_a_settled_round(window: Open, site: Site) -> None:
    """The pit manager opens it, players sit, the floorperson sells chips, the dealer deals; nobody sees what he may
    not."""
    name = new_table()
    manager = window("manager-1")
    manager.page.get_by_label("Table name").fill(name)
    manager.button("Open the table").click()
    manager.await_phase("opening")
    staff = [window("dealer-1", f"/table/{name}"), window("floor-1", f"/table/{name}")]
    first, second = window("player-1", f"/table/{name}"), window("player-2", f"/table/{name}")
    for seat, player in enumerate((first, second), start=1):
        player.await_events(staff[0].events - 1)
        player.press(player.button(f"Sit at {seat}"))
        staff[0].await_events(player.events - 1)
        assert site.look(name)["table"]["seats"].get(str(seat)) == f"player-{seat}"
    together(staff, "wagering")
    expect(first.page.get_by_text("ask the floorperson or the cashier")).to_be_visible()
    staff[1].page.get_by_text("Chips", exact=True).click()
    for id in ("player-1", "player-2"):
        staff[1].page.get_by_label("Player", exact=True).click()
        staff[1].page.get_by_role("option", name=id).click()
        staff[1].press(staff[1].button("Move the chips"))
    for seat, player in enumerate((first, second), start=1):
        make_usual_wagers(player, site, name, seat, "three-card-poker")
    together(staff, "deciding")
    for player in (first, second):
        player.await_phase("deciding")
        player.press(player.page.get_by_role("button", name=re.compile("^Play [$]")))
    staff[0].await_events(first.events - 1)
    heard = {"1": first.heard(), "2": second.heard(), "dealer": staff[0].heard()}
    together(staff, "collecting")
    together(staff, "wagering", "shuffling", "cutting")
    hands: dict[str, list[str]] = {}
    for card in site.ask("auditor-1", f"/api/tables/{name}/rounds/1")["cards"]:
        hands.setdefault(card["to"].removeprefix("seat "), []).append(card["card"])
    for who, text in heard.items():
        for place, cards in hands.items():
            if place in ("1", "2", "dealer"):
                told = [card for card in cards if told_of(card, text)]
                assert told == (cards if who == place and who != "dealer" else []), f"{who} heard of {place}"
    for player in (first, second):
        expect(player.page.get_by_role("region", name="Settlement")).to_be_visible(timeout=PATIENCE)
    assert "player-2" not in (first.page.locator("[data-balances]").text_content() or "")
    expect(staff[0].page.locator("[data-balances]")).to_contain_text("player-2")
    rounds = staff[0].page.get_by_role("table", name="Last rounds")
    expect(rounds.get_by_role("row")).to_have_count(2, timeout=PATIENCE)


@pytest.mark.parametrize("game", ["four-card-poker", "four-card-frenzy", "lunar-poker"])
def test_a_live_round(window: Open, site: Site, game: str) -> None:
    name = new_table()
    site.open(name, game, players=1)
    dealer, player = window("dealer-1", f"/table/{name}"), window("player-1", f"/table/{name}")
    make_usual_wagers(player, site, name, 1, game)
    wagered = chips(player)
    for _ in range(4):
        together([dealer], "collecting", players=True)
        player.await_events(dealer.events - 1)
        if player.phase == "collecting":
            break
        player.press(player.page.get_by_role("button", name=re.compile("^(Play|Raise|Bet) [$]")).first)
        dealer.await_events(player.events - 1)
    player.await_phase("collecting")
    told = site.ask("player-1", f"/api/tables/{name}/rounds/1")
    expect(player.page.locator("[data-net]").first).to_be_visible()
    assert len(told["lines"]) > 1
    (balance,) = told["balances"]
    assert balance["before"] > wagered, "the wagers left the player's chips"
    assert chips(player) == balance["after"] == balance["before"] + sum(line["net"] for line in told["lines"])


def test_a_jackpot_needs_the_floor_and_its_papers(window: Open, site: Site) -> None:
    """Cards keyed in from a physical deck; the ace, king and queen of spades take the linked meter."""
    name = new_table()
    site.open(name, players=2, source="keyed", meters={"three_card_progressive": LINK})
    for seat in (1, 2):
        site.act(name, f"player-{seat}", "wager", seat=seat, wager="ante", amount=1000)
        site.act(name, f"player-{seat}", "wager", seat=seat, wager="three_card_progressive", amount=100)
    site.until(name, "dealing")
    held = site.ask("auditor-1", "/api/meters")["meters"][LINK]["amounts"]["meter"]
    dealer, floor = window("dealer-1", f"/table/{name}"), window("floor-1", f"/table/{name}")
    player = window("player-2", f"/table/{name}")
    dealer.page.get_by_label("Cards in the order dealt").fill("7h As Jd 7d Ks 6c 2c Qs 3h")
    dealer.press(dealer.button("Deal these"))
    site.until(name, "revealing")
    before = chips(player)
    together([dealer, floor], "collecting")
    expect(player.page.get_by_role("region", name="Settlement")).to_contain_text("rogressive")
    kinds = [event["kind"] for event in site.ask("auditor-1", f"/api/tables/{name}/events")["events"]]
    assert "payout.validated" in kinds
    player.await_phase("collecting")
    assert chips(player) >= before + held
    expect(floor.page.get_by_text("Complete the jackpot documents")).to_be_visible()
    expect(dealer.following).to_have_count(0)
    floor.press(floor.following)
    expect(dealer.following).to_be_visible(timeout=PATIENCE)


def test_an_irregularity_and_its_remedy(window: Open, site: Site) -> None:
    name = new_table()
    site.open(name, players=2)
    for seat in (1, 2):
        site.act(name, f"player-{seat}", "wager", seat=seat, wager="ante", amount=1000)
    site.until(name, "deciding")
    dealer, player = window("dealer-1", f"/table/{name}"), window("player-1", f"/table/{name}")
    player.await_phase("deciding")
    before = chips(player)
    dealer.page.get_by_text("Irregularity", exact=True).click()
    dealer.page.get_by_label("What happened").click()
    dealer.page.get_by_role("option", name="Wrong number of cards").click()
    expect(dealer.page.get_by_text("Remedy:")).to_contain_text("649a.13(c)")
    dealer.page.get_by_label("Seat (empty: the dealer)").fill("2")
    dealer.press(dealer.button("Report it"))
    player.await_events(dealer.events - 1)
    assert site.ask("player-1", f"/api/tables/{name}/rounds/1")["state"] == "void"
    expect(player.page.get_by_text("Round 1 was void")).to_be_visible(timeout=PATIENCE)
    expect(player.page.locator("[data-chips]")).to_have_text(f"${(before + 1000) // 100:,}")


def test_a_reload_or_a_second_window_shows_the_same_in_every_phase(window: Open, site: Site) -> None:
    name = new_table()
    site.open(name, players=2)
    player = window("player-1", f"/table/{name}")
    for seat in (1, 2):
        site.act(name, f"player-{seat}", "wager", seat=seat, wager="ante", amount=1000)
        site.act(name, f"player-{seat}", "wager", seat=seat, wager="pair_plus", amount=500)
    second = window("player-1", f"/table/{name}")
    seen = []
    for phase in ("wagering", "dealing", "deciding", "revealing", "settling", "collecting", "shuffling"):
        site.until(name, phase)
        player.await_events(site.look(name)["table"]["events"] - 1)
        assert player.phase == phase
        before = looks(player)
        player.page.reload()
        assert not difference(player, before)
        assert not difference(second, before)
        seen.append(before)
    assert len(set(seen)) == len(seen)
    assert "Settlement of round 1" in seen[-1]


def looks(window: Window) -> tuple[str, ...]:
    """What a person sees: the felt's description, its spots, and everything written beside it."""
    felt = window.page.locator("svg.felt")
    described = felt.locator("> desc").text_content() or ""
    spots: list[str] = felt.locator(".spot").evaluate_all("all => all.map(spot => spot.ariaLabel)")
    return (described, *spots, *window.page.locator(".pb-main").inner_text().splitlines())


def difference(window: Window, before: tuple[str, ...]) -> str:
    """Between what was seen and what a window comes to show; it is asked until they agree."""
    expect(window.page.locator("svg.felt")).to_be_visible(timeout=PATIENCE)
    for _ in range(PATIENCE // 100):
        if not (found := "\n".join(unified_diff(before, looks(window), lineterm="", n=1))):
            break
        window.page.wait_for_timeout(100)
    return found


def test_the_house_comes_back_after_its_process_was_killed(window: Open, own_site: Site) -> None:
    own_site.open("t-kill", players=2)
    for seat in (1, 2):
        own_site.act("t-kill", f"player-{seat}", "wager", seat=seat, wager="ante", amount=1000)
    own_site.until("t-kill", "deciding")
    player = window("player-1", "/table/t-kill", at=own_site)
    player.await_phase("deciding")
    before = looks(player)
    visitor = window(path="/law", at=own_site)  # without an account, so with nothing that outlives the process
    visitor.page.wait_for_function("() => window.did_handshake")
    # The pages find the house again by themselves.
    with player.page.expect_event("load", timeout=PATIENCE), visitor.page.expect_event("load", timeout=PATIENCE):
        own_site.kill()
        own_site.start()
    visitor.page.wait_for_function("() => window.did_handshake")
    for here in (player, visitor):
        here.errors.clear()  # that nobody answered for a moment is true, and the browser says so
    player.await_phase("deciding")
    assert not difference(player, before)
    player.press(player.page.get_by_role("button", name=re.compile("^Play [$]")))
    own_site.until("t-kill", "revealing")


def test_a_spot_by_keyboard(window: Open, site: Site) -> None:
    name = new_table()
    site.open(name, players=1)
    player = window("player-1", f"/table/{name}")
    player.await_phase("wagering")
    tab_to(player, "document.activeElement.id === 'spot-1-ante'")
    player.page.keyboard.press("Enter")
    player.await_events(player.events - 1)
    expect(player.page.locator("#spot-1-ante")).to_have_attribute("aria-label", re.compile(r"\$10"))
    expect(player.page.locator("#spot-1-ante")).to_be_focused()


def test_nobody_loses_what_he_types_while_the_table_moves(window: Open, site: Site) -> None:
    """The floorperson's and the dealer's open drawers keep what is in them although the step is another."""
    name = new_table()
    site.open(name, players=2)
    player, dealer = window("player-1", f"/table/{name}"), window("dealer-1", f"/table/{name}")
    player.await_phase("wagering")
    floor = window("floor-1", f"/table/{name}")
    floor.page.get_by_text("Chips", exact=True).click()
    floor.page.get_by_label("Dollars").fill("123")
    expect(floor.page.get_by_label("Slip number")).to_have_value("4")
    dealer.page.get_by_text("All commands", exact=True).click()
    dealer.page.get_by_label("Command", exact=True).click()
    dealer.page.get_by_role("option", name="Wager", exact=True).click()
    dealer.page.get_by_label("Amount (cents)").fill("4500")
    assert dealer.following.count() == 0
    before = dealer.events
    player.press(player.page.locator("#spot-1-ante"))
    dealer.await_events(before)
    expect(dealer.following).to_have_text("No more bets")
    expect(player.button("Take wagers back")).to_be_visible()
    expect(floor.page.get_by_label("Dollars")).to_have_value("123")
    expect(dealer.page.get_by_label("Amount (cents)")).to_have_value("4500")
    floor.page.get_by_label("Dollars").fill("")
    floor.button("Move the chips").click()
    expect(floor.page.locator(".pb-finding")).to_contain_text("whole dollars")


def test_a_press_that_is_no_longer_offered_does_nothing(window: Open, site: Site) -> None:
    """A button that was replaced a moment ago still counts if the same is offered, and else not."""
    name = new_table()
    site.open(name, players=1)
    site.act(name, "player-1", "wager", seat=1, wager="ante", amount=1000)
    dealer = window("dealer-1", f"/table/{name}")
    dealer.await_phase("wagering")
    events = dealer.events
    press = "(key) => { const old = document.querySelector('[data-press]'); old.dataset.press = key; old.click(); }"
    for key in ("Settle 0", "Reveal 0", "No more bets 0"):  # presses are carried out one after the other
        dealer.page.evaluate(press, key)
    dealer.await_events(events)
    kinds = [event["kind"] for event in site.ask("auditor-1", f"/api/tables/{name}/events")["events"]]
    assert kinds[events] == "bets.closed", "what is not offered any more left nothing behind"


def test_every_click_on_a_spot_is_a_chip(window: Open, site: Site) -> None:
    name = new_table()
    site.open(name, players=1)
    player = window("player-1", f"/table/{name}")
    player.await_phase("wagering")
    player.page.locator("#spot-1-ante").click(click_count=3)
    expect(player.page.locator("#spot-1-ante")).to_have_attribute("aria-label", re.compile(r"\$30"), timeout=PATIENCE)


def test_a_double_click_settles_one_player(window: Open, site: Site) -> None:
    name = new_table()
    site.open(name, players=3)
    for seat in (1, 2, 3):
        site.act(name, f"player-{seat}", "wager", seat=seat, wager="ante", amount=1000)
    site.until(name, "settling")
    dealer = window("dealer-1", f"/table/{name}")
    dealer.await_phase("settling")
    before = len(site.look(name)["table"]["round"]["lines"])
    first = site.look(name)["next"]["command"]
    events = dealer.events
    dealer.following.dblclick()
    dealer.await_events(events)
    dealer.page.wait_for_timeout(700)
    shown = site.look(name)["table"]["round"]["lines"]
    assert first["command"] == "settle"
    assert len({line["seat"] for line in shown[before:]}) == 1


def test_who_sees_what_is_his_to_do(window: Open, site: Site) -> None:
    """A player has no console, an auditor only looks, and a stranger is sent to the log-in."""
    name = new_table()
    site.open(name, players=1)
    site.act(name, "player-1", "wager", seat=1, wager="ante", amount=1000)
    for who, console in (("player-1", 0), ("auditor-1", 0), ("dealer-1", 1)):
        here = window(who, f"/table/{name}")
        here.await_phase("wagering")
        assert here.following.count() == console, who
        assert here.page.get_by_text("All commands").count() == console, who
    watcher = window("auditor-1", f"/table/{name}")
    expect(watcher.page.get_by_text("You are watching")).to_be_visible()
    assert watcher.page.locator('[role="button"][data-wager]').count() == 0
    stranger = window("", f"/table/{name}")
    expect(stranger.page.get_by_label("Password")).to_be_visible()
    assert "player-1" not in stranger.heard()


def test_log_in_refused_then_accepted_then_out(window: Open, site: Site) -> None:
    here = window(path="/login?then=/law")
    here.page.get_by_label("Account").fill("player-5")
    here.page.get_by_label("Password").fill("wrong password")
    here.button("Log in").click()
    expect(here.page.get_by_role("status").filter(has_text="password")).to_be_visible()
    here.errors.clear()  # the browser notes the 401 by itself
    here.page.get_by_label("Password").fill("demo-player-5")
    here.page.keyboard.press("Enter")
    here.page.wait_for_url(f"{site.address}/law")
    expect(here.page.get_by_text("Player 5 · player")).to_be_visible()
    here.button("Log out").click()
    expect(here.page.get_by_role("link", name="Log in").first).to_be_visible()


def test_open_pages_end_with_the_session(window: Open, own_site: Site) -> None:
    """Within a moment every page of the person is gone, and the house tells it nothing more even if it stays."""
    name, site = new_table(), own_site
    site.open(name, players=4)
    paths = ("/", "/meters", "/audit", "/consents", "/accounts")
    pages = [window("player-1", path, at=site) for path in paths]
    felts = {who: window(who, f"/table/{name}", at=site) for who in ("player-1", "player-2", "player-3")}
    stubborn = window("player-1", f"/table/{name}", at=site)
    stubborn.page.route("**/login**", lambda route: route.abort())
    for each in (*felts.values(), stubborn):
        each.await_phase("wagering")
    site.client("player-3").call("POST", "/api/logout", {})
    for path, body in (("player-1/disable", {}), ("player-2/role", {"role": "dealer"})):
        status, answer = site.client("admin-1").call("POST", f"/api/accounts/{path}", body)
        assert status == 200, answer
    for each in (*pages, *felts.values()):
        expect(each.page.get_by_label("Password")).to_be_visible(timeout=PATIENCE)
    expect(stubborn.mark).to_have_count(0, timeout=PATIENCE)
    told = len(stubborn.frames)
    site.act(name, "player-4", "wager", seat=4, wager="ante", amount=1000)
    stubborn.page.wait_for_timeout(1_500)
    assert not [frame for frame in stubborn.frames[told:] if len(frame) > 20], "the house still tells what happens"


def test_a_practice_table_is_nobody_elses(window: Open, site: Site) -> None:
    tables = site.ask("auditor-1", "/api/tables")
    here = window(path="/practice/three-card-poker")
    here.button("Usual wagers").click()
    here.press(here.button("Deal"))
    stay_in(here)
    assert site.ask("auditor-1", "/api/tables") == tables
