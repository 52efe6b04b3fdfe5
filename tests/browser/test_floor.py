"""In the browser: a stranger's doors, a dispute, and a supervisor who sees what waits and what would follow."""

import re

import pytest
from playwright.sync_api import expect

from pitboss.games.registry import GAMES
from tests.browser.conftest import Open
from tests.browser.site import Site


def test_a_stranger_finds_every_game_and_settles_a_dispute(window: Open) -> None:
    here = window(path="/")
    page = here.page
    games = page.get_by_role("region", name="Games")
    for name, game in GAMES.items():
        expect(games.get_by_text(game.chapter.title, exact=True).first).to_be_visible()
        practice = games.get_by_role("link", name=f"Practice {game.chapter.title}", exact=True)
        expect(practice).to_be_visible()
        assert page.evaluate(f"fetch('/felt/{name}.svg').then((answer) => answer.status)") == 200
    page.get_by_role("link", name=re.compile("Settle a dispute")).click()
    here.button("Settle this round").click()
    settled = page.get_by_role("region", name="Settlement")
    expect(settled).to_contain_text("Who is paid, and why")
    expect(settled.locator(".pb-cite a").first).to_be_visible()
    page.get_by_label("Ante Wager").first.fill("ten")
    here.button("Settle this round").click()
    expect(settled).to_contain_text("Ante: ")


def test_a_table_plays_by_itself_for_whoever_looks(window: Open) -> None:
    here = window(path="/watch/three-card-poker")
    here.await_phase("wagering", "dealing")
    here.await_events(here.events)
    expect(here.page.get_by_text("You are watching.")).to_be_visible()


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
    waits = page.locator(f'.fl-wait[data-table="{name}"]')
    expect(waits).to_contain_text("As Ks Qs")
    expect(waits).to_contain_text("Before")
    expect(page).to_have_title(re.compile(r"^\(\d+\) Floor"))
    waits.get_by_role("button", name=re.compile(r"^Validate \$")).click()
    expect(waits).to_have_count(0)
    slip = page.evaluate(f"fetch('/slip/{name}/1').then((answer) => answer.text())")
    assert [word for word in ("floor-1", "player-1", "As Ks Qs") if word not in slip] == []
    site.until(name, "collecting")
    while site.look(name)["table"]["phase"] != "wagering":
        site.step(name)
    table = page.locator(f'.fl-table[data-table="{name}"]')
    expect(table.locator(".pb-phase")).to_have_text("wagering")
    table.get_by_role("button", name="Close…").click()
    here.button("What follows?").click()
    expect(page.get_by_text("go to the cage")).to_be_visible()
    here.button(f"Close table {name}: yes").click()
    expect(table.locator(".pb-phase")).to_have_text("closed")


def test_a_closed_table_keeps_its_game_and_opens_again(window: Open) -> None:
    here = window("manager-1", "/floor")
    table = here.page.locator('.fl-table[data-table="ms-6"]')
    expect(table).to_contain_text("Mississippi Stud closed1 round played.")
    table.get_by_role("button", name="Open again…").click()
    here.button("What follows?").click()
    expect(here.page.get_by_text("Mississippi Stud opens under the same submission")).to_be_visible()
    here.button("Open table ms-6 again: yes").click()
    expect(table.locator(".pb-phase")).to_have_text("opening")
