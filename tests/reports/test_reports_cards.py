"""Cards: every one of them, named, distinct, the same bytes each time."""

import re

import pytest

from pitboss.cards import DECK, CardError, show_card
from pitboss.reports.cards import INKS, PAPER, card_name, card_svg
from pitboss.reports.svg import element, label, plain, wrapped
from tests.reports.papers import HOSTILE, no_reference_leaves, parsed

SVG = "{http://www.w3.org/2000/svg}"


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_every_card_is_named_and_drawn_apart() -> None:
    drawn = {show_card(card): card_svg(show_card(card)) for card in DECK}
    assert len(set(drawn.values())) == 52
    for name, markup in drawn.items():
        root = parsed(markup)
        assert root.get("role") == "img"
        assert root.findtext(f"{SVG}title") == card_name(name)
        assert root.find(f"{SVG}desc") is not None
        rank = "10" if name[0] == "T" else name[0]
        assert [text.text for text in root.iter(f"{SVG}text")] == [rank]
        assert no_reference_leaves(markup)


def test_a_card_face_down_shows_nothing_but_its_back() -> None:
    assert card_svg(None) == card_svg("??")
    assert card_svg(None, back="red") != card_svg(None, back="blue")
    assert not list(parsed(card_svg(None)).iter(f"{SVG}text"))


def test_a_text_that_is_no_card_is_refused() -> None:
    with pytest.raises(CardError):
        card_svg("1s")


@pytest.mark.parametrize("four", [False, True])
def test_indices_are_readable(four: bool) -> None:
    assert all(contrast(ink, PAPER) >= 4.5 for ink in INKS[four])
    assert len(set(INKS[four])) == (4 if four else 2)
    club, spade = (re.findall('fill="(#[0-9a-f]+)"', card_svg(card, four_colour=four)) for card in ("9c", "9s"))
    assert (club == spade) is not four


def test_elements_escape_what_is_not_markup() -> None:
    made = element("text", HOSTILE, title=HOSTILE)
    root = parsed(made)
    assert root.text == root.get("title") == plain(HOSTILE)
    assert "\x00" not in made
    assert "\ud800" not in made


def test_text_that_is_too_wide_is_squeezed_and_none_other() -> None:
    assert 'textLength="40"' in label("A long inscription", 0, 0, 16, fit=40)
    assert "textLength" not in label("A", 0, 0, 16, fit=40)
    assert wrapped("one two three", 10, 1) == ["one", "two", "three"]
    assert wrapped("one two three", 10, 1000) == ["one two three"]
