"""Named readings: where the text allows two, the law as implemented and the other are both at hand."""

from datetime import date

import pytest

from pitboss.api import rules_for
from pitboss.cards import parse_cards
from pitboss.findings import FindingsError
from pitboss.games.round import Decision, Round, Seat
from pitboss.games.rules import Choices
from pitboss.games.settle import settle

TODAY = date(2024, 6, 1)


def nets(game: str, played: Round, readings: dict[str, str]) -> dict[str, int]:
    settlement = settle(rules_for(game, TODAY, Choices(readings=readings)), played)
    assert settlement.findings == ()
    return {line.wager: line.net for line in settlement.lines}


@pytest.mark.law("641a.12(b)")
def test_ante_bonus_of_641a_for_a_beaten_hand() -> None:
    seat = Seat(1, parse_cards("9c 9d 9h 5s 2d"), {"ante": 1000}, Decision("play", 1000))
    played = Round(parse_cards("Tc Td Th 8s 3d 4c"), (seat,))
    assert nets("four-card-poker", played, {})["ante_bonus"] == 2000
    assert "ante_bonus" not in nets("four-card-poker", played, {"ante_bonus": "ante-bonus-unless-beaten"})


@pytest.mark.law("649a.12(b)", "649a.11(c)(3)(i)")
@pytest.mark.parametrize(
    ("dealer", "paid"), [("Qc Jd Th", False), ("Tc Td Ts", False), ("Jc 8d 2h", True), ("7s 8h 9s", True)]
)
def test_ante_bonus_of_649a_for_a_beaten_hand(dealer: str, paid: bool) -> None:
    """A straight against a higher straight, a three-of-a-kind, no qualifying hand, and an equal straight."""
    seat = Seat(1, parse_cards("7c 8c 9d"), {"ante": 1000}, Decision("play"))
    played = Round(parse_cards(dealer), (seat,))
    assert nets("three-card-poker", played, {})["ante_bonus"] == 1000
    other = nets("three-card-poker", played, {"ante_bonus": "ante-bonus-unless-beaten"})
    assert ("ante_bonus" in other) is paid


@pytest.mark.law("671a.6(d)", "671a.12(b)")
@pytest.mark.parametrize(("hand", "printed"), [("Ah Kh Qh Jh Th", 5), ("9s 8s 7s 6s 5s", 2)])
def test_super_wager_on_a_straight_flush(hand: str, printed: int) -> None:
    seat = Seat(1, parse_cards(hand), {"ante": 100, "super": 100})
    played = Round(parse_cards("2c 4d 6h 8c Jc"), (seat,))
    assert nets("lunar-poker", played, {})["super"] == 100 * printed
    assert nets("lunar-poker", played, {"super": "super-straight-flush-as-flush"})["super"] == 6000


def test_an_unknown_reading_is_a_finding() -> None:
    with pytest.raises(FindingsError, match="no reading called 'guess'"):
        rules_for("lunar-poker", TODAY, Choices(readings={"super": "guess"}))
