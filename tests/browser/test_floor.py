"""In the browser: a stranger's doors, a dispute, and a supervisor who sees what waits and what would follow."""

import re

import pytest
from playwright.sync_api import expect

from pitboss.games.registry import GAMES
from tests.browser.conftest import Open
from tests.browser.site import Site, Window
from tests.table.driver import submission_text


def test_a_stranger_finds_every_game_and_settles_a_dispute(window: Open) -> None:
    here = window(path="/")
    page = here.page
    games = page.get_by_role("region", name="Games")
    for name, game in GAMES.items():
        expect(games.get_by_text(game.chapter.title, exact=True).first).to_be_visible()
        practice = games.get_by_role("link", name=f"Practice {game.chapter.title}", exact=True)
        expect(practice).to_be_visible()
        assert page.evaluate(f"fetch('/picture/{name}.svg').then((answer) => answer.status)") == 200
    page.get_by_role("link", name="Settle a dispute").first.click()
    page.get_by_label("Game", exact=True).select_option("three-card-poker")
    page.get_by_label("Ante", exact=True).fill("10")
    page.get_by_label("Decision", exact=True).select_option("play")
    deal(here, *KEYED)
    here.button("Settle this round").last.click()
    settled = page.get_by_role("region", name="Settlement")
    expect(settled).to_contain_text("Seat 1 loses to the dealer: the dealer's 4 beats the 3")
    expect(settled.locator(".cites a").first).to_be_visible()
    other = window(path=page.url.removeprefix(here.address))
    expect(other.page.get_by_role("region", name="Settlement")).to_contain_text("the dealer's 4 beats the 3")
    page.get_by_label("This card").select_option("3d")
    page.get_by_label("Had it been").select_option("5d")
    here.button("Settle with that card").click()
    expect(settled).to_contain_text("Seat 1: +$20 instead of −$20")
    page.get_by_role("link", name="Back to the round").click()
    page.get_by_label("Ante", exact=True).fill("ten")
    here.button("Settle this round").last.click()
    expect(settled).to_contain_text("Seat 1, Ante: 'ten' isn't an amount.")
    assert page.get_by_label("Ante", exact=True).get_attribute("aria-invalid") == "true"
    here.errors.clear()  # the browser itself complains about the status


KEYED = ("King of spades", "8 of diamonds", "4 of clubs", "King of hearts", "8 of clubs", "3 of diamonds")


def deal(here: Window, *cards: str) -> None:
    """Press cards in the picker; it moves on to the next place when one is full."""
    picker = here.page.get_by_role("group", name="Card picker")
    for card in cards:
        picker.get_by_role("button", name=card, exact=True).click()


def test_a_card_is_picked_once_only(window: Open) -> None:
    here = window(path="/settle?game=three-card-poker")
    page = here.page
    picker = page.get_by_role("group", name="Card picker")
    deal(here, *KEYED[:3])
    expect(page.get_by_label("Dealer", exact=True)).to_have_value("Ks 8d 4c")
    used = picker.get_by_role("button", name="King of spades, at the dealer")
    expect(used).to_have_attribute("aria-disabled", "true")
    used.click(force=True)
    expect(picker).to_contain_text("The king of spades lies at the dealer already.")
    expect(page.get_by_label("Seat 1", exact=True)).to_have_value("")
    page.set_viewport_size({"width": 390, "height": 844})
    picker.get_by_role("button", name="King", exact=True).click()
    picker.get_by_role("button", name="spades", exact=True).click()
    expect(page.get_by_label("Seat 1", exact=True)).to_have_value("")
    picker.get_by_role("button", name="King", exact=True).click()
    picker.get_by_role("button", name="hearts", exact=True).click()
    expect(page.get_by_label("Seat 1", exact=True)).to_have_value("Kh")


def test_a_table_plays_by_itself_for_whoever_looks(window: Open) -> None:
    here = window(path="/watch/three-card-poker")
    here.await_phase("wagering", "dealing")
    here.await_events(here.events)
    expect(here.page.get_by_text("You are watching")).to_be_visible()


@pytest.mark.parametrize("size", [(1400, 1000), (390, 844)])
def test_a_supervisor_validates_from_a_slip_and_closes_knowing_what_follows(
    window: Open, site: Site, size: tuple[int, int]
) -> None:
    name = f"slip-{size[0]}"
    site.open(name, players=1, source="keyed")
    for wager, amount in (("ante", 1000), ("three_card_progressive", 100)):
        site.act(name, "player-1", "wager", seat=1, wager=wager, amount=amount)
    here = window("floor-1", "/floor", size)
    page = here.page
    expect(page.locator("[data-waiting]")).to_be_visible()
    site.until(name, "dealing")
    site.act(name, "dealer-1", "deal", cards="As 2d Ks 5d Qs 9h")
    while site.look(name)["next"]["role"] != "floorperson":
        site.step(name)
    waits, due = (page.locator(f'{part}[data-table="{name}"]') for part in (".fl-wait", ".fl-slip"))
    expect(waits).to_contain_text("Waiting less than a minute")
    expect(due).to_contain_text("A♠ K♠ Q♠")
    expect(due).to_contain_text("Before")
    expect(page).to_have_title(re.compile(r"^\(\d+\) Floor"))
    waits.get_by_role("link", name="See the slip").click()
    due.get_by_role("button", name=re.compile(r"^Validate \$")).click()
    expect(waits).to_have_count(0)
    slip = page.evaluate(f"fetch('/slip/{name}/1').then((answer) => answer.text())")
    assert [word for word in ("floor-1", "player-1", "A♠ K♠ Q♠") if word not in slip] == []
    site.until(name, "collecting")
    while site.look(name)["table"]["phase"] != "wagering":
        site.step(name)
    table = page.locator(f'.fl-table[data-table="{name}"]')
    phase = table.locator("[data-phase]")
    expect(phase).to_have_text("wagering")
    table.get_by_role("link", name=f"Close {name}").click()
    expect(page.get_by_text("go to the cage")).to_be_visible()
    here.button(f"Close table {name}: yes").click()
    expect(phase).to_have_text("closed")
    expect(page.get_by_text(f"Table {name} is closed.")).to_be_visible()


def test_a_closed_table_keeps_its_game_and_opens_again(window: Open) -> None:
    here = window("manager-1", "/floor")
    table = here.page.locator('.fl-table[data-table="ms-6"]')
    expect(table).to_contain_text("Mississippi Stud")
    expect(table).to_contain_text("1 round played. Closed since")
    table.get_by_role("link", name="Open again").click()
    here.button("What follows?").click()
    expect(here.page.get_by_text("Mississippi Stud opens under the same submission")).to_be_visible()
    here.button("Open table ms-6 again: yes").click()
    expect(table.locator("[data-phase]")).to_have_text("opening")
    table.get_by_role("link", name="Limits ms-6").click()
    question = here.page.get_by_role("alertdialog", name="Limits at ms-6")
    question.get_by_label("Maximum, dollars").fill("750.50")
    here.button("What follows?").click()
    expect(question).to_contain_text("$750.50")
    here.button("Limits at ms-6: yes").click()
    expect(here.page.get_by_text("Table ms-6 has new limits.")).to_be_visible()


def test_a_press_on_a_step_that_is_over_does_nothing(window: Open, site: Site) -> None:
    """The button carries the step that it was drawn for, and the table has moved on meanwhile."""
    site.act(
        "stale", "manager-1", "open_table", submission=submission_text("three-card-poker", "manual-shoe"),
        source="virtual", meters={}, fill=50_000_000,
    )  # fmt: skip
    site.act("stale", "floor-1", "receive_decks", preinspected=False)
    while site.look("stale")["next"]["role"] != "floorperson":
        site.step("stale")
    here = window("floor-1", "/floor")
    done = here.page.locator('.fl-wait[data-table="stale"]').get_by_role("button")
    expect(done).to_be_visible()
    events = site.look("stale")["table"]["events"]
    fields = here.page.locator('.fl-wait[data-table="stale"] form').evaluate(
        "form => Object.fromEntries(new FormData(form))"
    )
    site.step("stale")
    moved = site.look("stale")["table"]["events"]
    assert moved > events
    press = "body => fetch('/floor', {method: 'POST', body: new URLSearchParams(body)}).then((it) => it.text())"
    assert "has moved on" in here.page.evaluate(press, {**fields, "do": "step"})
    assert site.look("stale")["table"]["events"] == moved
    here.errors.clear()  # the browser notes the refusal by itself
