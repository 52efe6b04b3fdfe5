"""The other pages at work: figures that follow a change, a submission put right, a round step by step, meters, law."""

import json
import re
import subprocess
import sys

from playwright.sync_api import expect

from pitboss.demo.driver import LINK
from tests.browser.conftest import Open
from tests.browser.site import PATIENCE, Site

COUNTING = 8 * PATIENCE
"""Milliseconds for an exact count, whose engine may first have to be compiled."""


def counted_edge(pay: str) -> str:
    """The hold of Three Card Poker's main game as the command line tells it, in percent as the page writes it."""
    program = [sys.executable, "-c", "from pitboss.cli import main; main()"]
    asked = ["edge", "three-card-poker", "--wager", "main", "--paytable", "A", "--pay", pay, "--json"]
    done = subprocess.run([*program, *asked], capture_output=True, text=True, check=True)
    return f"{100 * float(json.loads(done.stdout)[0]['house_edge']):.4f} %"


def test_the_analyst_counts_what_the_command_line_counts(window: Open) -> None:
    here = window(path="/analyst")
    figures = here.page.locator(".an-main .an-value")
    expect(figures).to_contain_text("3.3730", timeout=COUNTING)
    here.page.get_by_label("Straight pays", exact=True).fill("2 to 1")
    expect(figures).to_have_text(counted_edge("straight=2"), timeout=COUNTING)
    here.page.get_by_label("Straight pays", exact=True).fill("two to one, please")
    expect(here.page.locator(".pb-finding").first).to_be_visible()
    here.button("Back to the law's table").click()
    expect(figures).to_contain_text("3.3730", timeout=COUNTING)


def test_a_submission_is_put_right_by_what_is_said_against_it(window: Open) -> None:
    here = window(path="/submissions")
    findings = here.page.get_by_role("region", name="Findings")
    expect(findings).to_contain_text("nothing against")
    seats = here.page.get_by_label("Seats", exact=True)
    seats.fill("9")
    seats.press("Tab")
    expect(findings.locator(".pb-finding").first).to_contain_text("649a.2(a)")
    seats.fill("6")
    seats.press("Tab")
    expect(findings).to_contain_text("nothing against")
    expect(findings.locator(".pb-finding")).to_have_count(0)


def test_the_sign_and_the_layout_are_drawn(window: Open) -> None:
    here = window(path="/signs")
    sign = here.page.frame_locator('iframe[title="Payout sign"]')
    expect(sign.get_by_text("Pair Plus Wager").first).to_be_visible()
    expect(here.page.get_by_role("region", name="Layout", exact=True).locator("svg").first).to_be_visible()


def test_an_auditor_steps_through_the_jackpot(window: Open) -> None:
    here = window("auditor-1", "/audit?table=tcp-5&round=2")
    told = here.page.get_by_text(re.compile(r"Step \d+ of \d+"))
    expect(told).to_be_visible()
    here.button("First").click()
    expect(told).to_contain_text(re.compile("Step [01] of"))
    first = told.inner_text()
    here.button("Next").click()
    expect(told).not_to_have_text(first)
    here.page.keyboard.press("ArrowLeft")
    expect(told).to_have_text(first)
    here.button("Last").click()
    last = re.search(r"of (\d+)", told.inner_text())
    assert last is not None
    expect(told).to_contain_text(f"Step {last[1]} of {last[1]}")


def test_the_ledger_verifies(window: Open) -> None:
    here = window("auditor-1", "/audit")
    here.button("Verify now").click()
    verification = here.page.get_by_role("region", name="Verification")
    expect(verification).to_contain_text("agree", timeout=COUNTING)


def test_a_meter_follows_a_wager_within_moments(window: Open, site: Site) -> None:
    site.open("m-1", players=1, meters={"three_card_progressive": LINK})
    here = window("player-2", "/meters?board=1")
    meter = here.page.get_by_role("region", name=f"Meter {LINK}")
    expect(meter).to_contain_text("m-1")
    before = meter.inner_text()
    site.act("m-1", "player-1", "wager", seat=1, wager="ante", amount=1000)
    site.act("m-1", "player-1", "wager", seat=1, wager="three_card_progressive", amount=100)
    site.until("m-1", "deciding")
    expect(meter).not_to_have_text(before)
    held = site.ask("player-2", "/api/meters")["meters"][LINK]["amounts"]["meter"]
    expect(meter).to_contain_text(f"${held // 100:,}.{held % 100:02d}")


def test_a_paragraph_of_the_law_says_what_proves_it(window: Open) -> None:
    here = window(path="/law?cite=649a.11(c)(3)")
    expect(here.page.get_by_text("649a.11(c)(3)", exact=False).first).to_be_visible()
    expect(here.page.get_by_text(re.compile(r"tests/.*::test")).first).to_be_attached()
    search = here.page.get_by_role("searchbox").or_(here.page.get_by_role("textbox")).first
    search.fill("mini-royal")
    search.press("Enter")
    expect(here.page.get_by_role("region", name="Found")).to_be_visible()
