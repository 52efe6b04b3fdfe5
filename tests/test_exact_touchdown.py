"""Touchdown Roulette counted twice: by the engine, and by every sequence of four downs written out."""

from datetime import date
from fractions import Fraction

import numpy as np
import pytest

from pitboss.api import rules, rules_for
from pitboss.api.edges import edge
from pitboss.exact.edge import edge_rows
from pitboss.exact.side import side_result
from pitboss.games.registry import BANKED as GAMES
from pitboss.games.rules import Choices
from pitboss.games.structure import PRINTED

DAY = date(2024, 6, 1)
RED = {1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36}
TABLES = {
    "A": (1000, 150, 75, 50, 25, 10, 5, 1),
    "B": (500, 250, 75, 50, 25, 10, 5, 1),
    "C": (1000, 200, 75, 50, 25, 10, 5, 1),
    "D": (500, 200, 100, 50, 25, 10, 5, 1),
}
PUBLISHED = {"A": "9.95", "B": "9.00", "C": "7.89", "D": "6.54"}
YARDS = {"yards_1_10": 3, "yards_11_20": 5, "yards_21_30": 10, "yards_31_36": 15}


def moves(yards: dict[str, int], zeros: int) -> np.ndarray:
    """How each of the compartments moves the football, toward red above 0."""
    tens = [*yards.values()]
    signed = [tens[(number - 1) // 10] * (1 if number in RED else -1) for number in range(1, 37)]
    return np.array([*signed, *[0] * zeros], np.int64)


def written_out(yards: dict[str, int], letter: str, zeros: int = 2) -> Fraction:
    """The return of one unit: both zeros begin the game, and all sequences of four downs are equally likely."""
    moved = moves(yards, zeros)
    at = np.zeros(1, np.int64)
    for _ in range(4):
        stays = np.abs(at) >= 50
        at = np.where(stays[:, None], at[:, None], np.clip(at[:, None] + moved[None, :], -50, 50)).ravel()
    left = 50 - at
    odds = TABLES[letter]
    bounds = (0, 10, 20, 30, 40, 49, 50)
    paid = np.where(left > 50, odds[-1], np.array(odds)[np.searchsorted(bounds, np.minimum(left, 50))])
    return Fraction(2, 38) * (1 + Fraction(int(paid.sum()), len(paid)))


@pytest.mark.law("617a.4(d)", "617a.3(f)(2)")
@pytest.mark.parametrize("letter", TABLES)
def test_the_hold_of_each_table_is_that_of_every_sequence_of_downs(letter: str) -> None:
    game = GAMES["roulette"]
    rules = rules_for("roulette", DAY, Choices(letters={"touchdown": letter}))
    found = side_result(game, rules, "touchdown").house_edge
    assert found == 1 - written_out(YARDS, letter)
    assert f"{float(found) * 100:.2f}" == PUBLISHED[letter]


@pytest.mark.parametrize("letter", TABLES)
def test_where_zero_is_spun_again_36_numbers_are_downs(letter: str) -> None:
    choices = Choices(letters={"touchdown": letter}, readings={"touchdown": "zero-is-spun-again"})
    found = side_result(GAMES["roulette"], rules_for("roulette", DAY, choices), "touchdown").house_edge
    assert found == 1 - written_out(YARDS, letter, zeros=0)


@pytest.mark.parametrize("yards", [(1, 2, 3, 4), (5, 10, 15, 20), (20, 30, 40, 50), (3, 5, 10, 50)])
def test_any_yardage_that_a_submission_gives_is_counted(yards: tuple[int, ...]) -> None:
    given = dict(zip(YARDS, yards, strict=True))
    facts = {name: str(value) for name, value in given.items()}
    rows = list(edge_rows(GAMES["roulette"], DAY, "touchdown", "D", reading=PRINTED, facts=facts))
    assert [Fraction(row["expected_value"]) for row in rows] == [written_out(given, "D") - 1]
    assert edge(rules("roulette", DAY, facts=given), "touchdown").house_edge == 1 - written_out(given, "A")
