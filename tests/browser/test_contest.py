"""Players against each other in a browser: three players, a side pot, and cards that nobody else's page has."""

from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.conftest import Open
from tests.browser.site import Site, together
from tests.browser.test_live import told_of
from tests.browser.test_pad import Hand
from tests.table.contest import GAME

HANDS = {1: "As Ad Ac 9s 8h 7d 2h", 2: "Ks Kd 2c 3s 5h 9d Jh", 3: "Qs Qd 4c 6s Th Td 3h"}
STREETS = {
    "As Ks Qs Ad Kd Qd Ac 2c 4c": "2 bring_in, 3 complete, 1 raise, 2 call, 3 call",
    "Jc 9s 3s 6s": "1 bet, 2 call, 3 call",
    "Jd 8h 5h Th": "2 check, 3 bet, 2 call",
    "Js 7d 9d Td": "3 bet, 2 call",
    "8c 2h Jh 3h": "3 bet, 2 call",
}
"""Cards as they leave the deck, a burned one first after the first deal, and who does what then."""
STAKES = {1: 2_500, 2: 10_000, 3: 10_000}
NET = {1: 5_000, 2: -8_500, 3: 3_500}
DOWN = (0, 1, 6)


def test_a_hand_of_three_players_with_a_side_pot(window: Open, site: Site) -> None:
    name = "contest-live"
    site.open(name, GAME, dealing="hand", players=3, source="keyed")
    for seat, stake in STAKES.items():
        site.act(name, f"player-{seat}", "wager", seat=seat, wager="table_stake", amount=stake)
    site.act(name, "dealer-1", "no_more_bets")
    dealer = window("dealer-1", f"/table/{name}")
    players = {seat: window(f"player-{seat}", f"/table/{name}") for seat in HANDS}
    seen = 0
    for cards, acts in STREETS.items():
        site.act(name, "dealer-1", "deal", cards=cards)
        for act in acts.split(", "):
            number, choice = act.split()
            player = players[int(number)]
            player.await_events(site.look(name)["table"]["events"] - 1)
            player.press(player.page.locator(f'[data-choice="{choice}"]'))
            seen = player.events
        if cards.startswith("Jd"):
            pot = dealer.page.locator("#place-pot")
            expect(pot).to_contain_text("Main pot $75, seats 1, 2, 3Side pot 1 $40, seats 2, 3")
    for seat, player in players.items():
        player.await_events(seen - 1)
        heard = player.heard()
        for other, hand in HANDS.items():
            for place, card in enumerate(hand.split()):
                shown = place not in DOWN or other == seat
                assert told_of(card, heard) == shown, f"player {seat} and {card} of seat {other}"
    together([dealer], "collecting")
    for seat, player in players.items():
        player.await_phase("collecting")
        told = site.ask(f"player-{seat}", f"/api/tables/{name}/rounds/1")
        assert [line["net"] for line in told["lines"]] == [NET[seat]]
        expect(player.page.get_by_role("region", name="Settlement")).to_be_visible()
        assert told_of("Kd", player.heard()), "an all-in hand is shown by everybody"


def test_a_physical_hand_of_three_players_at_the_pad(
    window: Open, site: Site, say_counted: Callable[[str], None]
) -> None:
    """The dealer keys up cards street by street, hole cards of those who show; one player concedes unseen."""
    name = "contest-physical"
    site.open(name, GAME, dealing="hand", players=3, source="physical")
    for seat in HANDS:
        site.act(name, f"player-{seat}", "wager", seat=seat, wager="table_stake", amount=40_000)
    dealer, player = window("dealer-1", f"/table/{name}"), window("player-2", f"/table/{name}")
    hand, page = Hand(dealer), dealer.page
    hand.click(dealer.following)
    hands = {seat: cards.split() for seat, cards in HANDS.items()}

    def key(cards: list[str]) -> None:
        slots = page.locator("[data-slots] [data-card]")
        expect(slots).to_have_count(52)
        for at, card in enumerate(cards, 1):
            hand.click(page.locator(f'[data-card="{card}"]'), moves=at == len(cards))

    for place in range(2, 7):
        if place < 6:
            key([cards[place] for cards in hands.values()])
        else:
            hand.click(dealer.following)  # nothing is turned up
        while dealer.phase == "deciding":
            choice = page.locator('.asks:visible [data-choice]:not([data-choice="fold"])').first
            hand.click(choice)
    assert dealer.phase == "revealing"
    assert not page.locator("[data-concede]").count()
    expect(dealer.following).to_be_visible()
    shown = []
    for _ in range(3):
        said = page.get_by_text("shows its hand").first.inner_text()
        seat = int(said.split("Seat ")[1].split()[0])
        if seat == 2 and page.locator('[data-concede="2"]').count():
            hand.click(page.locator('[data-concede="2"]'))
        else:
            key([hands[seat][place] for place in DOWN])
            shown.append(seat)
    assert 1 in shown
    together([dealer], "collecting")
    told = site.ask("auditor-1", f"/api/tables/{name}/rounds/1")
    assert max(told["lines"], key=lambda line: line["net"])["seat"] == 1
    player.await_phase("collecting")
    heard = player.heard()
    for other, cards in HANDS.items():
        for place, card in enumerate(cards.split()):
            assert told_of(card, heard) == (place not in DOWN or other in shown), f"{card} of seat {other}"
    say_counted(f"Seven-card Stud: {hand.count} interactions for a physical hand of three patrons at the pad")
