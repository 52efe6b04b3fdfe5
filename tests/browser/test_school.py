"""The dealer school in a browser: a drill by the keyboard alone, an exam through a crash to its paper, every size."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Open
from tests.browser.site import DESKTOP, TABLET, Site, Window
from tests.browser.test_pages import violations

PHONE = (390, 844)


def fits(here: Window, *sizes: tuple[int, int]) -> None:
    """Nothing against it from axe-core, light and dark, and no page wider than the screen."""
    for wide, high in sizes:
        here.page.set_viewport_size({"width": wide, "height": high})
        assert here.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 1
    assert violations(here, preload=False) == []
    here.page.emulate_media(color_scheme="dark")
    assert violations(here, preload=False) == []


@pytest.mark.parametrize(
    ("game", "kind"),
    [("three-card-poker", "settle"), ("three-card-poker", "envy"), ("roulette", "settle"), ("sic-bo", "round")],
)
def test_every_form_of_question_fits_every_size(window: Open, game: str, kind: str) -> None:
    here = window("", f"/school?game={game}&kind={kind}&seed=5")
    expect(here.button("Answer")).to_be_visible()
    fits(here, DESKTOP, TABLET, PHONE)


def test_a_drill_by_the_keyboard_alone(window: Open) -> None:
    """A number chooses, Enter answers, Enter goes on; the back button and a reload show what was there."""
    here = window("dealer-1", "/school?game=three-card-poker&kind=compare&seed=5")
    expect(here.page.get_by_text("question 1 of 10")).to_be_visible()
    for _ in range(here.page.locator("#answer fieldset").count()):
        here.page.keyboard.press("1")
    here.page.keyboard.press("Enter")
    grade = here.page.get_by_role("status", name="Grade")
    expect(grade).to_be_visible()
    expect(grade.locator(".graded a").first).to_have_attribute("href", re.compile("/law"))
    expect(here.page.locator("#following")).to_be_focused()
    words = grade.inner_text()
    here.page.keyboard.press("Enter")
    expect(here.page.get_by_text("question 2 of 10")).to_be_visible()
    here.page.go_back()
    expect(grade).to_be_visible()
    here.page.reload()
    assert grade.inner_text() == words
    fits(here, DESKTOP, TABLET, PHONE)
    here.go("/school")
    expect(here.page.get_by_role("heading", name="Your progress")).to_be_visible()
    fits(here, DESKTOP, TABLET, PHONE)


def answer(here: Window) -> None:
    """Fill in the question of an exam with whatever stands first, and send it."""
    for field in here.page.locator("#answer fieldset").all():
        if field.locator("[type=radio]").count():
            field.locator("input").first.check()
        for place, choice in enumerate(field.locator("select").all(), 1):
            choice.select_option(str(place))
    for amount in here.page.locator("#answer input.num").all():
        amount.fill("1")
    here.button("Answer and go on").click()


def test_an_exam_goes_on_after_a_crash_and_ends_in_a_paper(own_site: Site, window: Open) -> None:
    floor = window("floor-1", "/school/class", at=own_site)
    floor.page.get_by_label("Title").fill("Week one")
    floor.page.get_by_label("Questions").fill("2")
    floor.button("Set the exam").click()
    expect(floor.page.get_by_text("The exam is set")).to_be_visible()
    here = window("dealer-1", "/school", at=own_site)
    here.page.get_by_role("button", name="Begin Week one").click()
    expect(here.page.get_by_text("question 1 of 2")).to_be_visible()
    answer(here)
    expect(here.page.get_by_text("question 2 of 2")).to_be_visible()
    asked = here.page.get_by_role("region", name="Question").inner_text()
    own_site.kill()
    own_site.start()
    here.page.reload()
    expect(here.page.get_by_text("question 2 of 2")).to_be_visible()
    for each in (floor, here):
        each.errors.clear()  # the browser notes by itself that nobody answered for a moment
    assert here.page.get_by_role("region", name="Question").inner_text() == asked
    fits(here, DESKTOP, TABLET, PHONE)
    answer(here)
    expect(here.page.get_by_text(re.compile(r"\d+%, (not )?passed"))).to_be_visible()
    here.page.get_by_role("link", name="Show the paper").click()
    expect(here.page.get_by_text(re.compile("Paragraphs examined: [1-9]"))).to_be_visible()
    fits(here, DESKTOP, TABLET, PHONE)
    floor.go("/school/class")
    expect(floor.page.get_by_role("region", name="Exams taken").get_by_role("cell", name="Week one")).to_be_visible()
    fits(floor, DESKTOP, TABLET, PHONE)
