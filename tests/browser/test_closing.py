"""In the browser: a house whose anchor is lost says so at its tables, until somebody takes it upon himself."""

from playwright.sync_api import expect

from tests.browser.conftest import Open
from tests.browser.site import Site


def test_a_lost_anchor_is_acknowledged_on_the_audit_page(own_site: Site, window: Open) -> None:
    site = own_site
    site.open("lost", players=1)
    site.kill()
    (anchor,) = (site.folder / "anchors").glob("*.anchor")
    anchor.unlink()
    site.start()
    player = window("player-1", "/table/lost", at=site)
    expect(player.page.get_by_text("The house is closed to play")).to_be_visible()
    manager = window("manager-1", "/audit", at=site)
    expect(manager.page.get_by_role("heading", name="Rounds", level=1)).to_be_visible()
    auditor = window("auditor-1", "/audit", at=site)
    panel = auditor.page.get_by_role("region", name="Closed to play")
    expect(panel.get_by_text("is missing")).to_be_visible()
    assert manager.page.get_by_role("region", name="Closed to play").count() == 0
    auditor.button("Acknowledge the anchor").click()
    expect(auditor.page.get_by_text("Say why the anchor is so")).to_be_visible()
    auditor.errors.clear()  # the browser itself complains about the status
    auditor.page.get_by_label("Reason").fill("the disk of the anchors was replaced")
    auditor.button("Acknowledge the anchor").click()
    expect(auditor.page.get_by_text("The house is open to play.")).to_be_visible()
    expect(panel).to_have_count(0)
    expect(player.page.get_by_text("The house is closed to play")).to_have_count(0)
    kinds = [event["kind"] for event in site.ask("auditor-1", "/api/audit/significant?limit=500")["events"]]
    assert kinds[-2:] == ["anchor.acknowledged", "system.started"]
