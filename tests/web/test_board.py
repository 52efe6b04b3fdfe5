"""The board of a table with dice or a wheel: the last throws, their counts, and a chi-square that claims no more."""

from collections.abc import Sequence
from datetime import date

import pytest

from pitboss.api import rules_for
from pitboss.games.registry import GAMES
from pitboss.games.rules import Rules
from pitboss.games.walk import rolls
from pitboss.law.model import Face
from pitboss.records import Same
from pitboss.web.views.board import throw_words, throws, winners

DAY = date(2024, 6, 1)


@pytest.mark.parametrize("game", GAMES)
def test_a_board_is_for_what_is_thrown_and_not_for_cards(game: str) -> None:
    assert (throws(rules_for(game, DAY), []) is not None) is rolls(GAMES[game])


def test_throws_are_shown_newest_first_and_counted_without_a_promise() -> None:
    thrown: list[tuple[Face]] = [(17,), ("00",), (17,), (4,)]
    shown = throws(rules_for("roulette", DAY), thrown)
    assert shown is not None
    assert shown["last"] == [("4", "black"), ("17", "black"), ("00", "green"), ("17", "black")]
    assert "Most often so far: 17, 2 of 4. That makes nothing likelier" in shown["says"]
    assert "Too few throws" in shown["says"]


def test_a_wheel_that_shows_one_number_alone_is_called_rare_and_an_even_one_is_not() -> None:
    wheel, dice = (rules_for(game, DAY) for game in ("roulette", "sic-bo"))

    def says(rules: Rules, thrown: Sequence[Sequence[Face]]) -> str:
        shown = throws(rules, thrown)
        assert shown is not None
        return str(shown["says"])

    numbers = [*range(37), "00"]
    even = says(wheel, [(number,) for number in numbers] * 6)
    assert "χ² = 0.0 with 37 degrees of freedom, p about 1.000: a fair device shows the like" in even
    assert "fewer than one fair device in a thousand" in says(wheel, [(17,)] * 300)
    assert "with 5 degrees of freedom" in says(dice, [(1, 2, 3), (4, 5, 6)] * 10)


def test_a_throw_has_words_and_lights_the_spots_that_win() -> None:
    wheel, dice = (rules_for(game, DAY) for game in ("roulette", "sic-bo"))
    assert throw_words(wheel, (32,)) == "Red, even, 19 to 36"
    assert throw_words(wheel, ("00",)) == "Green"
    assert throw_words(dice, (1, 3, 2)) == "Total 6"
    lit = winners(Same(wheel), (20,))
    assert {"straight_20", "split_17_20", "column_2", "dozen_2", "even", "black", "high"} <= {*lit}
    assert not {"straight_17", "odd", "red", "low"} & {*lit}
    assert {*winners(Same(dice), (1, 3, 2))} == {
        "total_6", "small", "one_of_a_kind_1", "one_of_a_kind_2", "one_of_a_kind_3",
        "two_dice_combination_1_2", "two_dice_combination_1_3", "two_dice_combination_2_3",
    }  # fmt: skip
