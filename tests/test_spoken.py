"""Bets by the names that people use: what is shown can be typed, and it names the numbers on which the bet wins."""

import re
from datetime import date

import pytest

from pitboss.api import settle_written
from pitboss.api.playing import placed
from pitboss.findings import UnreadableError
from pitboss.games.registry import GAMES
from pitboss.games.roulette import covered
from pitboss.games.roundfile import read_round_text
from pitboss.games.rules import Choices, Rules, resolve
from pitboss.names import name_of, shown
from pitboss.spoken import spelled, spoken
from pitboss.table.command import read_command

DAY = date(2026, 1, 1)
DEVICES = {"roulette": ("double-zero", "single-zero"), "sic-bo": ("",)}


def _rules(game: str, device: str = "") -> Rules:
    rules, findings = resolve(GAMES[game].chapter, DAY, Choices(device=device) if device else None)
    assert rules is not None
    assert not findings
    return rules


def _names(game: str) -> set[str]:
    return {name for device in DEVICES[game] for name in _rules(game, device).names_at(0)}


@pytest.mark.parametrize("game", DEVICES)
def test_what_is_shown_can_be_typed(game: str) -> None:
    names = _names(game)
    assert len({shown(name).lower() for name in names}) == len(names)
    for name in names:
        old = " ".join(word.capitalize() for word in name.split("_"))
        for words in (name, shown(name), shown(name).upper(), f" {shown(name)} ", old):
            assert name_of(words) == name, words
        assert spelled(shown(name)) == name or not spoken(name)


def test_the_words_of_a_roulette_bet_are_its_numbers() -> None:
    rules = _rules("roulette")
    spans = {"line", "column", "dozen", "low", "high", "red", "black", "odd", "even", "five_adjacent", "touchdown"}
    for name in _names("roulette"):
        wager = next(each for each in rules.chapter.wagers if name in each.names(rules.seats))
        numbers = covered(wager.name, wager.picked(name) if wager.picks else ())
        written = re.findall(r"\d+", shown(name))
        if wager.name in ("line", "low", "high"):
            first, last = map(int, written)
            assert numbers == frozenset(range(first, last + 1))
        elif wager.name not in spans:
            assert sorted(written) == sorted(map(str, numbers)), name
    assert [shown(name) for name in ("corner_1", "split_8_11", "street_7", "line_7", "column_1", "dozen_1")] == [
        "Corner 1-2-4-5", "Split 8/11", "Street 7-8-9", "Line 7 to 12", "Column 1", "First dozen",
    ]  # fmt: skip


ROUND = """
game = "roulette"
as_of = 2026-01-01
spin = "5"
[[seat]]
number = 1
wagers = {{ {wagers} }}
"""


def test_a_round_file_takes_both_names() -> None:
    old = read_round_text(ROUND.format(wagers="corner_1 = 5, low = 5, split_8_11 = 5"))
    new = read_round_text(ROUND.format(wagers='"Corner 1-2-4-5" = 5, "1 to 18" = 5, "split 8/11" = 5'))
    assert new == old
    lines = settle_written(new, DAY).lines
    assert {(line.wager, line.net) for line in lines} == {("corner_1", 4000), ("low", 500), ("split_8_11", -500)}
    with pytest.raises(UnreadableError, match=r"corner_1 twice"):
        read_round_text(ROUND.format(wagers='"Corner 1-2-4-5" = 5, corner_1 = 5'))


def test_commands_and_the_library_take_both_names() -> None:
    old, new = (
        read_command({"command": "wager", "seat": 1, "wager": wager, "amount": 500})
        for wager in ("corner_1", "Corner 1-2-4-5")
    )
    assert new == old
    assert placed(_rules("roulette"), {"Line 7 to 12": 500}, 1) == placed(_rules("roulette"), {"line_7": 500}, 1)
