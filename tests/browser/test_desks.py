"""The other pages at work: figures that follow a change, a submission put right, a round step by step, meters, law."""

import json
import re
import subprocess
import sys
from functools import partial

from playwright.sync_api import Browser, expect

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
    figures = here.page.locator(".an-figure.first .v")
    expect(figures).to_contain_text("3.3730", timeout=COUNTING)
    straight = here.page.get_by_label("Straight pays", exact=True)
    straight.fill("2 to 1")
    expect(figures).to_have_text(counted_edge("straight=2"), timeout=COUNTING)
    expect(straight).to_be_focused()
    expect(here.page.locator("tr.changed")).to_have_count(1)
    expect(here.page.get_by_text("A casino in Pennsylvania can’t offer this table.")).to_be_visible()
    assert "pay=ante_bonus.straight%3D2+to+1" in here.page.url
    sent = window(path=here.page.url[here.page.url.index("/analyst") :])
    expect(sent.page.locator(".an-figure.first .v")).to_have_text(counted_edge("straight=2"), timeout=COUNTING)
    straight.fill("two to one, please")
    expect(here.page.locator(".an-about .error").filter(visible=True)).to_contain_text("not a way of paying")
    expect(straight).to_have_attribute("aria-invalid", "true")
    expect(straight).to_have_value("two to one, please")
    here.page.get_by_role("link", name="Back to printed").click()
    expect(figures).to_contain_text("3.3730", timeout=COUNTING)


def test_the_analyst_works_without_script(chromium: Browser, site: Site) -> None:
    page = chromium.new_context(java_script_enabled=False, base_url=site.address).new_page()
    page.goto("/analyst?paytable=A")
    figures = page.locator(".an-figure.first .v")
    expect(figures).to_contain_text("3.3730", timeout=COUNTING)  # the page asks again by itself
    page.get_by_label("Straight pays", exact=True).fill("2 to 1")
    page.get_by_role("button", name="Count this table").click()
    expect(figures).to_have_text(counted_edge("straight=2"), timeout=COUNTING)
    page.context.close()


def test_a_submission_is_put_right_by_what_is_said_against_it(window: Open) -> None:
    here = window(path="/submissions")
    page = here.page
    findings, seats = page.get_by_role("region", name="Findings"), page.locator("[name=seats]")
    hold = page.get_by_role("region", name="Pair Plus Wager", exact=True).locator(".hold")
    expect(findings).to_contain_text("No findings")
    expect(hold).to_contain_text("4.5792", timeout=COUNTING)
    seats.press("End")
    seats.press("Backspace")
    seats.press_sequentially("9")
    expect(findings.locator(".finding")).to_contain_text("649a.2(a)")
    expect(seats).to_be_focused()
    assert seats.get_attribute("aria-invalid") == "true"
    page.wait_for_url("**seats=9**")
    page.reload()
    expect(findings.locator(".finding")).to_have_count(1)
    page.get_by_label("Maximum, dollars").first.focus()
    findings.get_by_role("link", name="The table, seats").click()
    expect(seats).to_be_focused()
    seats.fill("6")
    page.reload()  # before anybody has looked at it
    expect(seats).to_have_value("6")
    expect(findings).to_contain_text("No findings")
    page.get_by_role("radio", name="Pay table D, 649a.12(d)").check()
    expect(hold).to_contain_text("2.3167")
    page.wait_for_url("**pair_plus.paytable=D**")
    left = page.url
    page.get_by_label("Game", exact=True).select_option("lunar-poker")
    expect(page.get_by_role("region", name="Super Wager").first).to_be_visible()
    page.go_back()
    expect(hold).to_contain_text("2.3167")
    here.go("/law")
    here.go("/submissions")
    page.wait_for_url(left)
    expect(seats).to_have_value("6")


def test_the_sign_and_the_layout_are_drawn(window: Open) -> None:
    here = window(path="/signs")
    sign = here.page.get_by_role("region", name="Payout sign", exact=True)
    sheet = sign.get_by_role("img", name="The payout sign; its text is below")
    here.page.wait_for_function("(sheet) => sheet.complete && sheet.naturalWidth > 0", arg=sheet.element_handle())
    expect(sign.get_by_role("status")).to_contain_text("Fits one sheet of 8.5 × 11 inches")
    sign.get_by_text("The text of the sign").click()
    expect(sign.get_by_role("heading", name="Pair Plus Wager, table A")).to_be_visible()
    here.page.get_by_label("Pair Plus Wager", exact=True).select_option("D")
    here.page.get_by_role("checkbox", name="Six Card Bonus Wager").uncheck()
    here.page.get_by_label("Certificate holder").fill("Example Casino")
    here.page.get_by_role("button", name="Show", exact=True).click()
    sign.get_by_text("The text of the sign").click()
    expect(sign.get_by_role("heading", name="Pair Plus Wager, table D")).to_be_visible()
    expect(sign.get_by_role("heading", name="Six Card Bonus")).to_have_count(0)
    layout = here.page.get_by_role("region", name="Layout", exact=True)
    expect(layout.locator("svg").first).to_contain_text("Example Casino")
    expect(layout.get_by_role("table")).to_contain_text("Progressive Lock Out")
    with here.page.expect_download() as download:
        sign.get_by_role("link", name="Download PDF").click()
    assert download.value.suggested_filename.endswith("-letter.pdf")


def test_an_auditor_steps_through_the_jackpot(window: Open) -> None:
    here = window("auditor-1", "/audit?table=tcp-5&round=2")
    now = here.page.get_by_text(re.compile(r"Step \d+ of \d+"))
    shown = re.search(r"Step (\d+) of (\d+)", now.inner_text())
    assert shown is not None
    link = partial(here.page.get_by_role, "link", exact=True)
    link(name="First").click()
    expect(now).to_contain_text("Step 1 of")
    link(name="Next").click()
    expect(now).to_contain_text("Step 2 of")
    here.page.keyboard.press("ArrowLeft")
    expect(now).to_contain_text("Step 1 of")
    here.page.get_by_role("slider", name="Step").fill("7")
    expect(now).to_contain_text("Step 7 of")
    expect(here.page).to_have_url(re.compile(r"/audit/tcp-5/2\?step=7$"))
    expect(here.page.locator("[data-step='7']")).to_have_attribute("aria-current", "step")
    here.page.reload()
    expect(now).to_contain_text("Step 7 of")
    link(name="Last").click()
    expect(now).to_contain_text(f"Step {shown[2]} of {shown[2]}")


def test_the_ledger_verifies(window: Open) -> None:
    here = window("auditor-1", "/audit")
    here.page.get_by_role("button", name="Verify now").click()
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
