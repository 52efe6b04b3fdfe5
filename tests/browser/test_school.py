"""The dealer school in a browser: a drill by the keyboard alone, an exam to its certificate, and every size."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Open
from tests.browser.site import DESKTOP, TABLET, Window
from tests.browser.test_pages import violations

PHONE = (390, 844)


def fits(here: Window, *sizes: tuple[int, int]) -> None:
    """Nothing against it from axe-core, and no page wider than the screen."""
    for wide, high in sizes:
        here.page.set_viewport_size({"width": wide, "height": high})
        assert here.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 1
    assert violations(here, preload=False) == []


@pytest.mark.parametrize("kind", ["settle", "read", "round", "envy"])
def test_every_form_of_question_fits_every_size(window: Open, kind: str) -> None:
    here = window("", f"/school?game=three-card-poker&kind={kind}&seed=5")
    expect(here.button("Answer")).to_be_visible()
    fits(here, DESKTOP, TABLET, PHONE)


def test_a_drill_by_the_keyboard_alone(window: Open) -> None:
    """A number ticks, Enter answers, Enter goes on; what was answered is on the page of the school afterwards."""
    here = window("dealer-1", "/school?game=three-card-poker&kind=compare&seed=5")
    expect(here.page.get_by_text("Question 1")).to_be_visible()
    for fieldset in range(here.page.locator(".sc-form fieldset").count()):
        here.page.locator(".sc-form fieldset").nth(fieldset).locator("input").first.focus()
        here.page.keyboard.press("1")
    here.page.keyboard.press("Enter")
    expect(here.page.get_by_role("heading", name=re.compile(r"\d of \d right"))).to_be_visible()
    expect(here.page.locator(".sc-right a, .sc-wrong a").first).to_have_attribute("href", re.compile("/law"))
    expect(here.page.locator("#following")).to_be_focused()
    here.page.keyboard.press("Enter")
    expect(here.page.get_by_text("Question 2")).to_be_visible()
    here.go("/school")
    expect(here.page.get_by_role("heading", name="Your progress")).to_be_visible()
    fits(here, DESKTOP, TABLET, PHONE)


def test_an_exam_is_set_sat_and_printed(window: Open) -> None:
    floor = window("floor-1", "/school/class")
    floor.page.get_by_label("Title").fill("Week one")
    floor.page.get_by_label("Questions").fill("1")
    floor.button("Set the exam").click()
    expect(floor.page.get_by_text("The exam is set")).to_be_visible()
    here = window("dealer-1", "/school")
    here.page.get_by_role("button", name="Begin Week one").first.click()
    expect(here.page.get_by_text("Question 1 of 1")).to_be_visible()
    here.page.reload()  # an exam goes on where it was
    expect(here.page.get_by_text("Question 1 of 1")).to_be_visible()
    for field in here.page.locator(".sc-form fieldset").all():
        if field.locator("input[type=radio]").count():
            field.locator("input").first.check()
        elif field.locator("input[type=text]").count():
            field.locator("input").first.fill("1")
        for place, choice in enumerate(field.locator("select").all(), 1):
            choice.select_option(str(place))
    here.button("Answer and go on").click()
    expect(here.page.get_by_text(re.compile(r"\d+ %, (not )?passed"))).to_be_visible()
    here.page.get_by_role("link", name="Show the paper").click()
    expect(here.page.get_by_role("heading", name=re.compile("dealer school"))).to_be_visible()
    expect(here.page.get_by_text(re.compile("Paragraphs examined: [1-9]"))).to_be_visible()
    floor.go("/school/class")
    expect(floor.page.get_by_role("cell", name=re.compile("Week one: "))).to_be_visible()
    fits(floor, DESKTOP, TABLET, PHONE)
