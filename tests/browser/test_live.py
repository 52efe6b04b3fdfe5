"""A live table with real accounts: a dealer, a floorperson and two players, each in a browser of his own."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import unified_diff
from itertools import count

import pytest
from playwright.sync_api import expect

from pitboss.demo.driver import LINK
from pitboss.games.registry import BANKED, GAMES
from pitboss.money import show_dollars
from pitboss.reports.cards import card_name
from pitboss.table.dealing import slots_left
from pitboss.table.streets import undealt
from tests.browser.conftest import Open
from tests.browser.site import PATIENCE, Site, Window, together
from tests.browser.test_practice import STAY, chips, stay_in, tab_to
from tests.table.driver import Bench, Hands, submission_text, with_letter

_numbers = count(1)


def new_table() -> str:
    return f"b{next(_numbers)}-live"


def told_of(card: str, text: str) -> bool:
    """Whether a text names a card, as we write it or as we say it, or draws it."""
    # A pay table may name "ace, king and queen of hearts", whatever was dealt; the random name of a socket may hold
    # two letters between hyphens.
    return bool(re.search(rf"(?<![\w-]){card}(?![\w-])|(?<!and ){card_name(card)}|card-{card}\b", text))


def make_usual_wagers(player: Window, site: Site, table: str, seat: int, game: str) -> None:
    """By one click, of which several wagers come; only then may the house go on."""
    player.button("Usual wagers").click()
    player.await_events(site.await_wagers(table, seat, GAMES[game].plain_wagers) - 1)
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
        staff[1].page.get_by_label("Player", exact=True).select_option(id)
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
        expect(player.page.get_by_role("region", name="Settlement")).to_be_visible()
    settled = first.page.get_by_role("region", name="Settlement").inner_text()
    assert "Player-1: " in settled
    assert "layer-2" not in settled
    # Dealers see what lies at their table.
    assert "before the round" not in staff[0].page.get_by_role("region", name="Settlement").inner_text()
    expect(staff[0].page.get_by_role("region", name="Last rounds").get_by_role("listitem")).to_have_count(1)


@pytest.mark.parametrize("game", BANKED)
def test_a_live_round(window: Open, site: Site, game: str) -> None:
    name = new_table()
    site.open(name, game, players=1)
    # The cards are anybody's guess, and some hands need the floorperson.
    dealer, floor = window("dealer-1", f"/table/{name}"), window("floor-1", f"/table/{name}")
    player = window("player-1", f"/table/{name}")
    make_usual_wagers(player, site, name, 1, game)
    wagered = chips(player)
    for _ in range(4):
        together([dealer, floor], "collecting", players=True)
        player.await_events(dealer.events - 1)
        if player.phase == "collecting":
            break
        player.press(player.page.locator(STAY).first)
        dealer.await_events(player.events - 1)
    player.await_phase("collecting")
    told = site.ask("player-1", f"/api/tables/{name}/rounds/1")
    expect(player.page.locator(".settled td.signed").first).to_be_visible()
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
    at = dealer.events
    dealer.page.get_by_label("Or type them").fill("7h As Jd 7d Ks 6c 2c Qs 3h")  # the last card sends them
    dealer.await_events(at)
    site.until(name, "revealing")
    before = chips(player)
    together([dealer, floor], "settling")
    for here in (dealer, floor):  # named before anything is paid, and in full
        expect(here.page.locator("[data-say]")).to_contain_text("Validate the payout at seat 2")
        expect(here.page.get_by_role("region", name="Hands").locator("h2").first).to_have_text(
            "straight flush, ace high"
        )
        expect(here.page.locator('[data-hand-over="meter"]')).to_have_text(show_dollars(held))
    together([dealer, floor], "collecting")
    expect(player.page.get_by_role("region", name="Settlement")).to_contain_text("rogressive")
    kinds = [event["kind"] for event in site.ask("auditor-1", f"/api/tables/{name}/events")["events"]]
    assert "payout.validated" in kinds
    player.await_phase("collecting")
    assert chips(player) >= before + held
    expect(floor.page.get_by_text("Complete the jackpot documents")).to_be_visible()
    expect(dealer.following).to_have_count(0)
    floor.press(floor.following)
    expect(dealer.following).to_be_visible()


def keyed(game: str, wagers: Mapping[int, Mapping[str, int]], hands: Hands) -> list[str]:
    """These hands as the dealer keys them in, one card after the other, by a table on the workbench, then the board."""
    bench = Bench(game, source="keyed").opened(*wagers).ready()
    for seat, made in wagers.items():
        for wager, amount in made.items():
            bench.dealer("wager", seat=seat, wager=wager, amount=amount)
    bench.until("dealing")
    bench.plan = {f"seat {place}" if isinstance(place, int) else place: cards for place, cards in hands.items()}
    assert bench.table.play is not None
    dealt = bench.cards_to_key(len(slots_left(bench.table))).split()
    return dealt + (hands["community"].split() if undealt(bench.table) else [])


@dataclass
class Pit:
    """A table with keyed-in cards, up to the first decision: a dealer, a floorperson and two players at windows."""

    site: Site
    name: str
    dealer: Window
    floor: Window
    players: dict[int, Window]
    cards: list[str]
    """What the dealer has still to key in."""

    def go_on(self, *, players: bool = False) -> None:
        """The house does what is its to do, up to the end or to a player's decision."""
        together([self.dealer, self.floor], "collecting", players=players, cards=self.cards)

    def choose(self, seat: int, choice: str) -> None:
        """The house does what is its to do, then the player presses the button of a choice."""
        self.go_on(players=True)
        self.players[seat].await_events(self.dealer.events - 1)
        self.players[seat].press(self.players[seat].page.locator(f'[data-choice="{choice}"]').first)
        self.dealer.await_events(self.players[seat].events - 1)

    def finish(self) -> dict[tuple[int, str], int]:
        """To the end of the settlement: what each line moved, by seat and wager; and everybody's page shows it."""
        self.go_on()
        lines = self.site.ask("auditor-1", f"/api/tables/{self.name}/rounds/1")["lines"]
        for player in self.players.values():
            player.await_phase("collecting")
            expect(player.page.get_by_role("region", name="Settlement")).to_be_visible()
        return {(line["seat"], line["wager"]): line["net"] for line in lines}


def at_the_pit(
    window: Open, site: Site, game: str, wagers: Mapping[int, Mapping[str, int]], hands: Hands, text: str = ""
) -> Pit:
    """Players make their wagers on the felt or by command, the dealer keys the cards in."""
    name = new_table()
    site.open(name, game, players=len(wagers), source="keyed", text=text)
    players = {seat: window(f"player-{seat}", f"/table/{name}") for seat in wagers}
    for seat, made in wagers.items():
        players[seat].await_phase("wagering")
        for wager, amount in made.items():
            if amount == 1000:  # the chip that lies ready
                players[seat].press(players[seat].page.locator(f"#spot-{seat}-{wager}"))
            else:
                site.act(name, f"player-{seat}", "wager", seat=seat, wager=wager, amount=amount)
    staff = [window("dealer-1", f"/table/{name}"), window("floor-1", f"/table/{name}")]
    together(staff, "dealing")
    cards = keyed(game, wagers, hands)
    together(staff, "stub", "deciding", cards=cards)
    return Pit(site, name, staff[0], staff[1], players, cards)


def test_a_wager_is_taken_back_and_another_rides(window: Open, site: Site) -> None:
    """Let It Ride: each community card is turned up after its decision, and nobody has heard of it before."""
    three = dict.fromkeys(("bet_1", "bet_2", "bet_3"), 1000)
    hands: Hands = {1: "2c 7d Jh", 2: "Ts Td 4c", "community": "9h 5s"}
    pit = at_the_pit(window, site, "let-it-ride", {1: three, 2: three}, hands)
    before = chips(pit.players[1])
    pit.choose(1, "take_back")
    expect(pit.players[1].page.locator("[data-chips]")).to_have_text(show_dollars(before + 1000))
    assert not told_of("9h", pit.players[1].heard())
    pit.choose(2, "ride")
    pit.choose(1, "ride")
    assert told_of("9h", pit.players[1].heard())
    assert not told_of("5s", pit.players[1].heard())
    pit.choose(2, "take_back")
    assert pit.finish() == {
        (2, "bet_1"): 1000, (2, "bet_3"): 1000, (1, "bet_2"): -1000, (1, "bet_3"): -1000,
    }  # fmt: skip
    assert chips(pit.players[1]) == before + 1000


def test_an_up_card_a_fold_and_a_jackpot_with_envy_and_papers(window: Open, site: Site) -> None:
    """Caribbean Stud, table D: a royal flush takes the meter, and who folded is paid for it all the same."""
    made = {"ante": 1000, "progressive": 100}
    hands: Hands = {1: "2c 7d Jh 9c 4s", 2: "As Ks Qs Js Ts", "dealer": "3h 3d 6c Qh Kd"}
    text = with_letter(submission_text("caribbean-stud"), "progressive", "D")
    pit = at_the_pit(window, site, "caribbean-stud", {1: made, 2: made}, hands, text)
    together([pit.dealer, pit.floor], "collecting", players=True)
    first = pit.players[1]
    first.await_events(pit.dealer.events - 1)
    seen = {card for card in str(hands["dealer"]).split() if told_of(card, first.heard())}
    assert len(seen) == 1, "one card of the dealer lies face up"
    before = {seat: chips(player) for seat, player in pit.players.items()}
    pit.choose(1, "fold")
    pit.choose(2, "bet")
    # Two dollars were wagered: 42 cents on top of the seed.
    assert pit.finish() == {
        (1, "ante"): -1000, (1, "progressive"): -100, (1, "envy"): 100_000,
        (2, "ante"): 1000, (2, "bet"): 200_000, (2, "progressive"): 1_000_042 - 100,
    }  # fmt: skip
    assert chips(first) == before[1] + 100_000
    assert chips(pit.players[2]) == before[2] + 2 * 1000 + 200_000 + 1_000_042
    kinds = [event["kind"] for event in site.ask("auditor-1", f"/api/tables/{pit.name}/events")["events"]]
    assert kinds.index("payout.validated") < kinds.index("meter.paid")
    expect(pit.floor.page.get_by_text("Complete the jackpot documents")).to_be_visible()
    expect(pit.dealer.following).to_have_count(0)
    pit.floor.press(pit.floor.following)
    expect(pit.dealer.following).to_be_visible()


def test_a_pair_of_aces_may_be_played_three_times(window: Open, site: Site) -> None:
    """Crazy 4 Poker: who has less is offered one Ante's worth, who has aces also up to three."""
    made = {"ante": 1000, "super_bonus": 1000}
    hands: Hands = {1: "Ah Ad 9c 5s 2h", 2: "Kh Qd 9s 6c 3d", "dealer": "Kc Js 8d 4h 2s"}
    pit = at_the_pit(window, site, "crazy-4-poker", {1: made, 2: made}, hands)
    together([pit.dealer, pit.floor], "collecting", players=True)
    first = pit.players[1]
    first.await_events(pit.dealer.events - 1)
    expect(first.page.locator('[data-choice="play"] b')).to_have_text(["Play $10", "Play $20", "Play $30"])
    first.press(first.button("Play $30"))
    pit.dealer.await_events(first.events - 1)
    pit.players[2].await_events(pit.dealer.events - 1)
    expect(pit.players[2].page.locator('[data-choice="play"] b')).to_have_text(["Play $10"])
    pit.choose(2, "play")
    assert pit.finish() == {
        (2, "ante"): 1000, (2, "play"): 1000, (2, "super_bonus"): 0,
        (1, "ante"): 1000, (1, "play"): 3000, (1, "super_bonus"): 0,
    }  # fmt: skip


def test_a_fourth_card_lies_face_down_until_it_pays(window: Open, site: Site) -> None:
    """Three Card Prime: a pair of kings and a 2 behind it is paid by the table of 679a.12(f)."""
    hands: Hands = {
        1: "Kh Ks 9d", 2: "Jc 8d 4s", "dealer": "Qd 7s 3c", "pair_bonus_card 1": "2d", "pair_bonus_card 2": "2h",
    }  # fmt: skip
    made = {"ante": 1000, "pair_bonus": 1000}
    pit = at_the_pit(window, site, "three-card-prime", {1: made, 2: made}, hands)
    pit.choose(1, "play")
    assert not any(told_of(card, player.heard()) for player in pit.players.values() for card in ("2d", "2h"))
    pit.choose(2, "fold")
    assert pit.finish() == {
        (2, "ante"): -1000, (2, "pair_bonus"): -1000, (1, "ante"): 1000, (1, "play"): 1000, (1, "pair_bonus"): 2000,
    }  # fmt: skip
    settlement = pit.players[1].page.get_by_role("region", name="Settlement")
    expect(settlement).to_contain_text("the Pair Bonus card is a 2")


def test_a_community_card_that_is_exposed_too_early(window: Open, site: Site) -> None:
    """As 655a.13(d) has it: while decisions are open the round is void, and every wager comes back."""
    three = dict.fromkeys(("bet_1", "bet_2", "bet_3"), 1000)
    pit = at_the_pit(window, site, "let-it-ride", {1: three}, {1: "2c 7d Jh"})
    together([pit.dealer, pit.floor], "collecting", players=True)
    before = chips(pit.players[1])
    report(pit.dealer, "Community card exposed", "643a.13")
    pit.players[1].await_events(pit.dealer.events - 1)
    assert site.ask("player-1", f"/api/tables/{pit.name}/rounds/1")["state"] == "void"
    expect(pit.players[1].page.locator("[data-chips]")).to_have_text(show_dollars(before + 3000))


def report(dealer: Window, what: str, cite: str, seat: str = "") -> None:
    """The dealer reports an irregularity, and is told the paragraph of its remedy."""
    dealer.page.get_by_text("Irregularity", exact=True).click()
    dealer.page.get_by_role("radiogroup", name="What happened").get_by_role("radio", name=what).click()
    expect(dealer.page.locator(".remedy:visible")).to_contain_text(cite)
    if seat:
        dealer.page.get_by_label("Seat (empty: the dealer)").fill(seat)
    dealer.page.locator(".remedy:visible").get_by_role("button", name="Report it").click()
    dealer.press(dealer.button("Yes, do it"))  # once it is said what follows


def test_an_irregularity_and_its_remedy(window: Open, site: Site) -> None:
    name = new_table()
    site.open(name, players=2)
    for seat in (1, 2):
        site.act(name, f"player-{seat}", "wager", seat=seat, wager="ante", amount=1000)
    site.until(name, "deciding")
    dealer, player = window("dealer-1", f"/table/{name}"), window("player-1", f"/table/{name}")
    player.await_phase("deciding")
    before = chips(player)
    report(dealer, "Wrong number of cards", "649a.13(c)", "2")
    player.await_events(dealer.events - 1)
    assert site.ask("player-1", f"/api/tables/{name}/rounds/1")["state"] == "void"
    expect(player.page.get_by_text("Round 1 was void")).to_be_visible()
    expect(player.page.locator("[data-chips]")).to_have_text(show_dollars(before + 1000))


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
    """What a person sees: cards and spots by name, and everything written on the page."""
    page = window.page
    named: list[str] = page.locator("main [aria-label]").evaluate_all("all => all.map((each) => each.ariaLabel)")
    return (*named, *page.locator("main").inner_text().splitlines())


def difference(window: Window, before: tuple[str, ...]) -> str:
    """Between what was seen and what a window comes to show; it is asked until they agree."""
    expect(window.page.locator("[data-own]")).to_be_visible()
    for _ in range(PATIENCE // 100):
        if not (found := "\n".join(unified_diff(before, looks(window), lineterm="", n=1))):
            break
        window.page.wait_for_timeout(100)
    return found


def test_the_house_comes_back_after_its_process_was_killed(own_site: Site, window: Open) -> None:
    own_site.open("t-kill", players=2)
    for seat in (1, 2):
        own_site.act("t-kill", f"player-{seat}", "wager", seat=seat, wager="ante", amount=1000)
    own_site.until("t-kill", "deciding")
    player = window("player-1", "/table/t-kill", at=own_site)
    player.await_phase("deciding")
    before = looks(player)
    # The page stays, and finds the house again by itself.
    player.page.evaluate("window.stays = true")
    own_site.kill()
    own_site.start()
    assert not difference(player, before)
    player.press(player.page.get_by_role("button", name=re.compile("^Play [$]")))
    own_site.until("t-kill", "revealing")
    player.await_phase("revealing")
    assert player.page.evaluate("window.stays")
    player.errors.clear()  # that nobody answered for a moment is true, and the browser says so


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
    dealer.page.get_by_role("link", name="Wager", exact=True).click()
    dealer.page.get_by_label("Amount, dollars").fill("45")
    assert dealer.following.count() == 0
    before = dealer.events
    player.press(player.page.locator("#spot-1-ante"))
    dealer.await_events(before)
    expect(dealer.following).to_have_text("No more bets")
    expect(player.button("Take wagers back")).to_be_visible()
    expect(floor.page.get_by_label("Dollars")).to_have_value("123")
    expect(dealer.page.get_by_label("Amount, dollars")).to_have_value("45")
    floor.page.get_by_label("Dollars").fill("")
    floor.button("Move the chips").click()
    expect(floor.page.locator(".finding")).to_contain_text("write one such as 25 or 2.50")


def test_a_press_that_is_no_longer_offered_does_nothing(window: Open, site: Site) -> None:
    """A press belongs to a moment of the round: at another one it is refused in a sentence."""
    name = new_table()
    site.open(name, players=1)
    site.act(name, "player-1", "wager", seat=1, wager="ante", amount=1000)
    dealer = window("dealer-1", f"/table/{name}")
    expect(dealer.following).to_have_text("No more bets")
    late, before = dealer.following.get_attribute("value"), dealer.events
    dealer.press(dealer.following)
    events = dealer.events
    dealer.page.evaluate("(value) => press(value)", late)
    expect(dealer.page.get_by_text("The table has moved on")).to_be_visible()
    assert dealer.events == events == before + 1


def test_every_click_on_a_spot_is_a_chip(window: Open, site: Site) -> None:
    name = new_table()
    site.open(name, players=1)
    player = window("player-1", f"/table/{name}")
    player.await_phase("wagering")
    player.page.locator("#spot-1-ante").click(click_count=3)
    expect(player.page.locator("#spot-1-ante")).to_have_attribute("aria-label", re.compile(r"\$30"))


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
    assert not {"Ante", "spot-1-ante"} & {*re.findall(r"[\w-]+", stranger.heard())}


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
    expect(here.page.get_by_role("link", name="Player 5 player")).to_be_visible()
    here.button("Log out").click()
    expect(here.page.get_by_role("link", name="Log in").first).to_be_visible()
    here.go("/login?then=/meters")
    here.button("Log in as auditor-1").click()  # everybody of a demonstration is listed
    here.page.wait_for_url(f"{site.address}/meters")
    expect(here.page.get_by_role("link", name="Auditor 1 auditor")).to_be_visible()


def test_open_pages_end_with_the_session(own_site: Site, window: Open) -> None:
    """Within a moment every page of the person is gone, and the house tells it nothing more even if it stays."""
    name, site = new_table(), own_site
    site.open(name, players=4)
    paths = ("/", "/meters", "/audit", "/floor", "/accounts")
    pages = [window("player-1", path, at=site) for path in paths]
    for refused in pages[-2:]:
        refused.errors.clear()  # the browser notes each 403 by itself
    felts = {who: window(who, f"/table/{name}", at=site) for who in ("player-1", "dealer-1", "player-3")}
    stubborn = window("player-1", f"/table/{name}", at=site)
    stubborn.page.route("**/login**", lambda route: route.abort())
    for each in (*felts.values(), stubborn):
        each.await_phase("wagering")
    site.client("player-3").call("POST", "/api/logout", {})
    for path, body in (("player-1/disable", {}), ("dealer-1/role", {"role": "floorperson"})):
        status, answer = site.client("admin-1").call("POST", f"/api/accounts/{path}", body)
        assert status == 200, answer
    for each in (*pages, *felts.values()):
        expect(each.page.get_by_label("Password")).to_be_visible()
    expect(stubborn.mark).to_have_count(0)
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
