"""In the browser: a second person consents, a given password is changed first, and a session says that it ends."""

import re
from contextlib import closing
from sqlite3 import connect
from time import time_ns

from playwright.sync_api import expect

from pitboss.clock import MICROSECONDS
from pitboss.ledger.people import IDLE
from tests.browser.conftest import Open
from tests.browser.site import PASSWORDS, PATIENCE, Site

GIVEN, OWN = "a first password", "seven blue dice"


def test_a_pit_manager_consents_on_the_own_screen(window: Open, site: Site) -> None:
    site.open("duties", players=2)
    for seat in (1, 2):
        site.act("duties", f"player-{seat}", "wager", seat=seat, wager="ante", amount=1000)
    site.until("duties", "settling")
    manager = window("manager-1", "/floor")
    expect(manager.page.get_by_text("None.")).to_be_visible()
    body = {"command": "irregularity", "what": "wrong-number-of-cards", "seat": 1}
    status, asked = site.client("floor-1").call("POST", "/api/tables/duties/commands", body, "key-of-the-floor")
    assert status == 202, asked
    floor = window("floor-1", "/floor")
    expect(floor.page.get_by_text("Somebody else approves it.")).to_be_visible()
    assert (floor.button("Approve").count(), floor.button("Take back").count()) == (0, 1)
    told = "To void round 1 at duties although the dealer's cards are revealed; all wagers go back"
    expect(manager.page.get_by_role("region", name="Queue").get_by_text(told)).to_be_visible()
    manager.button("Approve").click()
    expect(manager.page.get_by_text("None.")).to_be_visible()
    assert site.look("duties")["table"]["round"] is None


def test_a_given_password_is_changed_first(window: Open, site: Site) -> None:
    administrator = window("admin-1", "/accounts")
    for label, text in (("Id", "dealer-7"), ("Name", "Seventh dealer"), ("First password", GIVEN)):
        administrator.page.get_by_label(label, exact=True).fill(text)
    administrator.button("Make the account").click()
    expect(administrator.page.get_by_text("The account dealer-7 is made.")).to_be_visible()

    here = window(path="/login?then=/law")
    here.page.get_by_label("Account").fill("dealer-7")
    here.page.get_by_label("Password").fill(GIVEN)
    here.page.keyboard.press("Enter")
    here.page.wait_for_url(f"{site.address}/password")
    here.go("/accounts")
    here.page.wait_for_url(f"{site.address}/password")
    here.go("/password")
    for id, text in (("old", GIVEN), ("new", "qwertyuiop"), ("again", "qwertyuiop")):
        here.page.locator(f"#field-{id}").fill(text)
    here.button("Change the password").click()
    expect(here.page.get_by_text("more than a row of keys")).to_be_visible()
    here.errors.clear()  # the browser notes the refusal by itself
    for id, text in (("old", GIVEN), ("new", OWN), ("again", OWN)):
        here.page.locator(f"#field-{id}").fill(text)
    here.button("Change the password").click()
    here.page.wait_for_url(f"{site.address}/login")
    here.page.get_by_label("Account").fill("dealer-7")
    here.page.get_by_label("Password").fill(OWN)
    here.page.keyboard.press("Enter")
    expect(here.page.get_by_role("link", name="Seventh dealer dealer")).to_be_visible()
    assert here.page.get_by_role("link", name="Accounts").count() == 0


def test_an_account_is_disabled_and_incidents_are_acknowledged_on_a_second_press(window: Open) -> None:
    administrator = window("admin-1", "/accounts")
    row = administrator.page.locator("[data-id=player-5]")
    question = administrator.page.get_by_role("alertdialog", name="Disable player-5?")
    row.get_by_role("link", name="Disable").click()
    question.get_by_role("link", name="Cancel").click()
    expect(question).to_have_count(0)
    row.get_by_role("link", name="Disable").click()
    question.get_by_role("button", name="Disable player-5").click()
    expect(administrator.page.get_by_text("The account player-5 is disabled.")).to_be_visible()
    row.get_by_role("button", name="Enable").click()
    auditor = window("auditor-1", "/incidents")
    page = auditor.page
    first = page.locator(".in-open").first
    number = (first.get_attribute("id") or "").removeprefix("incident-")
    first.get_by_role("button", name="Acknowledge incident").click()
    expect(page.get_by_text("1 incident acknowledged.")).to_be_visible()
    expect(page.locator(f"#incident-{number}")).to_have_count(0)
    page.get_by_role("button", name="Acknowledge these").click()
    question = page.get_by_role("alertdialog", name=re.compile(r"^Acknowledge \d+ incidents\?$"))
    expect(question.get_by_role("listitem").first).to_contain_text(re.compile(r": \d+$"))
    auditor.button("Yes, do it").click()
    expect(page.get_by_text("Say in a note why they need nothing more.")).to_be_visible()
    auditor.errors.clear()  # the browser notes the refusal by itself
    question.get_by_label("Note, kept in the record").fill("looked at each")
    auditor.button("Yes, do it").click()
    expect(page.get_by_text("No open incident fits.")).to_be_visible()
    auditor.go("/incidents?state=acknowledged")
    expect(page.locator(f"#incident-{number}")).to_contain_text("Acknowledged by auditor-1")
    expect(page.get_by_text("Acknowledged by auditor-1: looked at each").first).to_be_visible()


def test_chips_are_sold_while_the_table_goes_on(window: Open, site: Site) -> None:
    """What a cashier is typing stays while others bring the table further; the form knows player and slip."""
    site.open("cage", players=1)
    cashier = window("cashier-1", "/table/cage")
    cashier.page.get_by_text("Chips", exact=True).click()
    cashier.page.get_by_label("Dollars").fill("777")
    site.act("cage", "player-1", "wager", seat=1, wager="ante", amount=1000)
    site.until("cage", "deciding")
    cashier.await_phase("deciding")
    expect(cashier.page.get_by_label("Dollars")).to_have_value("777")
    assert cashier.page.get_by_text("All commands").count() == 0, "a cashier has no other command"
    before = site.ask("player-1", "/api/balance")["chips"]
    cashier.press(cashier.button("Move the chips"))
    assert site.ask("player-1", "/api/balance")["chips"] == before + 77_700


def test_the_end_of_a_session_is_announced_and_explained(window: Open, site: Site) -> None:
    """A warning that can be answered; then the log-in says why, and leads back to where it was."""
    who = "cashier-1"
    here = window(who, "/meters")
    expect(here.page.get_by_role("heading", name="Progressive meters")).to_be_visible()
    warning = here.page.get_by_role("alert")

    def idle(seconds: int) -> None:
        """As if nothing had been pressed for so long."""
        seen = time_ns() // 1000 - seconds * MICROSECONDS
        with closing(connect(site.folder / "ledger.db", timeout=PATIENCE / 1000)) as ledger, ledger:
            assert ledger.execute("UPDATE sessions SET seen = ? WHERE person = ?", (seen, who)).rowcount == 1

    idle(IDLE // MICROSECONDS - 118)
    expect(warning).to_contain_text("You are logged out in 2 min")
    here.button("Stay logged in").click()
    expect(warning).to_have_count(0)
    assert site.ask(who, "/api/meters"), "the session goes on"
    idle(IDLE // MICROSECONDS + 1)
    here.page.wait_for_url(f"{site.address}/login?ended=1&then=%2Fmeters")
    expect(here.page.get_by_text("Your session has ended: after 15 minutes")).to_be_visible()
    here.page.get_by_label("Account").fill(who)
    here.page.get_by_label("Password").fill(PASSWORDS[who])
    here.page.keyboard.press("Enter")
    here.page.wait_for_url(f"{site.address}/meters")
    del site.clients[who]  # its session has ended
