"""Sic Bo, 58 Pa. Code Chapter 625a. Three dice in a shaker; every wager is on what they show."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Annotated

from pitboss.games.contract import Game, Lines
from pitboss.games.course import Bets, Course, Roll, Settle, posts
from pitboss.games.facts import Rolled
from pitboss.games.rules import Rules
from pitboss.games.settlement import Pay, lose, win
from pitboss.law.loader import chapter
from pitboss.law.model import DIE, Face

Dice = tuple[Face, ...]
TABLE = "sic_bo"
EXACTLY = "two-of-a-kind-exactly"
"""The other reading of 625a.6(a): three alike are not two of a kind."""
KINDS = ("", "one_die", "two_dice", "three_dice")
"""The rows of a One of a Kind Wager, by how many dice show its number."""


@dataclass(frozen=True)
class Outcome:
    """A finished round of Sic Bo: the dice from the lowest to the highest."""

    dice: Annotated[
        Dice, Rolled(lambda dice: tuple(sorted(dice, key=int)), tuple(combinations_with_replacement(DIE, 3)))
    ]


LINES: Lines[Outcome] = Lines(Outcome)


def _row(rules: Rules, wager: str, pick: Dice, dice: Dice) -> str:
    """The row of the pay table that a wager has won; empty if it has lost."""
    triple, total = len(set(dice)) == 1, sum(map(int, dice))
    match wager:
        case "three_of_a_kind":
            won = dice == pick * 3
        case "two_of_a_kind":
            won = dice.count(pick[0]) == 2 or (triple and dice[0] == pick[0] and rules.reading(TABLE) != EXACTLY)
        case "any_three_of_a_kind":
            won = triple
        case "two_dice_combination":
            won = set(pick) <= set(dice)
        case "one_of_a_kind":
            return KINDS[dice.count(pick[0])]
        case "small":
            won = 4 <= total <= 10 and not triple
        case "big":
            won = 11 <= total <= 17 and not triple
        case _:
            won = wager == f"total_{total}"
    return wager if won else ""


def _pays(wager: str, pick: Dice) -> Callable[[Rules, Outcome], Pay]:
    def pay(rules: Rules, outcome: Outcome) -> Pay:
        row = _row(rules, wager, pick, outcome.dice)
        if not row:
            return lose("625a.5(f)", "The wager was made on something else.")
        odds = rules.tables[TABLE].rows[row]
        cite = str(rules.chapter.row_cites.get(row, rules.tables[TABLE].cite))
        return win(cite, f"The wager pays {odds}.", odds, cite)

    return pay


for _wager in chapter("625a").wagers:
    for _name in _wager.names(0):
        LINES.rule(_name, ["dice"])(_pays(_wager.name, _wager.picked(_name)))


class SicBo(Game):
    """Nothing is decided: the losing wagers are collected, then the winning ones are paid."""

    name = "sic-bo"
    number = "625a"
    lines = LINES
    plain_wagers: Mapping[str, int] = {
        "small": 1000,
        "total_9": 500,
        "two_dice_combination_2_5": 500,
        "one_of_a_kind_6": 500,
    }
    course = Course(
        "",
        (
            Bets(),
            Roll(),
            Settle("losing", posts(*LINES.rules), losing=True),
            Settle("winning", posts(*LINES.rules), losing=False),
        ),
    )
