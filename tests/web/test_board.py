"""The board of a table with dice or a wheel: the last throws, their counts, and a chi-square that claims no more."""

from datetime import date

import pytest

from pitboss.api import rules_for
from pitboss.games.registry import GAMES
from pitboss.games.walk import rolls
from pitboss.law.model import Face
from pitboss.web.pages.board import board_html

DAY = date(2024, 6, 1)


@pytest.mark.parametrize("game", GAMES)
def test_a_board_is_for_what_is_thrown_and_not_for_cards(game: str) -> None:
    shown = board_html(rules_for(game, DAY), [])
    assert ("Nothing has been thrown" in shown) is rolls(GAMES[game])


def test_throws_are_shown_newest_first_and_counted_without_a_promise() -> None:
    throws: list[tuple[Face]] = [(17,), ("00",), (17,), (4,)]
    shown = board_html(rules_for("roulette", DAY), throws)
    assert [part.partition("<")[0].partition(">")[2] for part in shown.split('class="pb-throw"')[1:]] == [
        "4", "17", "00", "17",
    ]  # fmt: skip
    assert "Most often so far: 17, 2 of 4. That makes nothing likelier" in shown
    assert "Too few throws" in shown


def test_a_wheel_that_shows_one_number_alone_is_called_rare_and_an_even_one_is_not() -> None:
    rules = rules_for("roulette", DAY)
    numbers = [*range(37), "00"]
    even = board_html(rules, [(number,) for number in numbers] * 6)
    assert "χ² = 0.0 with 37 degrees of freedom, p about 1.000: a fair device shows the like" in even
    assert "fewer than one fair device in a thousand" in board_html(rules, [(17,)] * 300)
    assert "with 5 degrees of freedom" in board_html(rules_for("sic-bo", DAY), [(1, 2, 3), (4, 5, 6)] * 10)
