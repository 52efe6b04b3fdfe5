"""What people must do before a large prize is paid: the line carries it, step by step."""

from datetime import date

import pytest

from pitboss.api import rules_for
from pitboss.cards import parse_cards
from pitboss.games.round import Decision, Round, Seat, decided
from pitboss.games.settle import settle
from pitboss.games.settlement import Line

TODAY = date(2024, 6, 1)


def line(game: str, wager: str, cards: str, dealer: str, community: str = "") -> Line:
    """The line of one wager of one dollar, made beside an Ante of ten by a player who stays in."""
    ante = 1000
    seat = Seat(1, parse_cards(cards), {"ante": ante, wager: 100}, decided(Decision("play", ante)))
    extras = {"community": parse_cards(community)} if community else {}
    settlement = settle(rules_for(game, TODAY), Round(parse_cards(dealer), (seat,), extras))
    assert settlement.findings == ()
    return next(found for found in settlement.lines if found.wager == wager)


def steps(found: Line) -> list[tuple[str, str, str]]:
    return [(str(act.cite).rpartition("(")[2].rstrip(")"), act.actor, act.act) for act in found.acts]


VERIFY = ("i", "dealer", "verify-progressive-winning-hand")
LIGHT = ("ii", "dealer", "verify-progressive-light")
VALIDATE = ("iii", "floorperson", "validate-progressive-payout")
OUTSIDE = ("iv", "dealer", "pay-outside-table-inventory-cards-stay-until-documented")
BONUS = ("i", "dealer", "verify-five-card-hand-winning-hand")
LARGE = ("ii", "floorperson", "verify-five-card-hand-large-payout")
CREDIT = ("iii", "dealer", "credit-game-account")
NO_CREDIT = ("iii", "dealer", "pay-outside-game-account-cards-stay-until-documented")
DEALER = "2c 7d 7h Jc 4s 3d"


@pytest.mark.law("641a.11(c)(5)(i)", "641a.11(c)(5)(ii)", "641a.11(c)(5)(iii)", "641a.11(c)(5)(iv)")
def test_641a_progressive() -> None:
    three = line("four-card-poker", "five_card_progressive", "9c 9d 9h 5s 2d", DEALER)
    assert steps(three) == [VERIFY, LIGHT, VALIDATE]
    tenth = line("four-card-poker", "five_card_progressive", "Kh Qh Jh Th 9h", DEALER)
    assert steps(tenth) == [VERIFY, LIGHT, VALIDATE, OUTSIDE]
    aces = line("four-card-poker", "four_card_progressive", "As Ad Ah Ac 9h", DEALER)
    assert steps(aces) == [VERIFY, LIGHT, VALIDATE, OUTSIDE]
    assert line("four-card-poker", "five_card_progressive", "9c 9d 8h 5s 2d", DEALER).acts == ()


@pytest.mark.law("641a.11(c)(7)(i)", "641a.11(c)(7)(ii)", "641a.11(c)(7)(iii)")
def test_641a_five_card_hand_bonus() -> None:
    flush = line("four-card-poker", "five_card_hand_player", "Kh 8h 5h 4h 9h", DEALER)
    assert steps(flush) == [BONUS, CREDIT]
    four = line("four-card-poker", "five_card_hand_player", "9c 9d 9h 9s 2d", DEALER)
    assert steps(four) == [BONUS, LARGE, CREDIT]
    tenth = line("four-card-poker", "five_card_hand_player", "Kh Qh Jh Th 9h", DEALER)
    assert steps(tenth) == [BONUS, LARGE, NO_CREDIT]


@pytest.mark.law("649a.11(c)(5)(i)", "649a.11(c)(5)(ii)", "649a.11(c)(5)(iii)", "649a.11(c)(5)(iv)")
def test_649a_three_card_progressive() -> None:
    assert steps(line("three-card-poker", "three_card_progressive", "9c 9d 9h", "2c 7d 8h")) == [
        VERIFY,
        LIGHT,
        VALIDATE,
    ]
    spades = line("three-card-poker", "three_card_progressive", "As Ks Qs", "2c 7d 8h")
    assert steps(spades) == [VERIFY, LIGHT, VALIDATE, OUTSIDE]


@pytest.mark.law("649a.11(c)(7)(i)", "649a.11(c)(7)(ii)", "649a.11(c)(7)(iii)", "649a.11(c)(7)(iv)")
def test_649a_five_card_progressive() -> None:
    three = line("three-card-poker", "five_card_progressive", "9c 9d 9h", "2c 7d 8h", "4s 5s")
    assert steps(three) == [VERIFY, LIGHT, VALIDATE]
    tenth = line("three-card-poker", "five_card_progressive", "9s 8s 7s", "2c 7d 8h", "Js Ts")
    assert steps(tenth) == [VERIFY, LIGHT, VALIDATE, OUTSIDE]


@pytest.mark.law("649a.11(c)(8)(i)", "649a.11(c)(8)(ii)", "649a.11(c)(8)(iii)")
def test_649a_five_card_hand_bonus() -> None:
    four = line("three-card-poker", "five_card_hand_player", "9c 9d 9h", "2c 7d 8h", "9s 5s")
    assert steps(four) == [BONUS, LARGE, CREDIT]
    flush = line("three-card-poker", "five_card_hand_dealer", "9c 9d 9h", "2c 7c 8c", "Kc 5c")
    assert steps(flush) == [BONUS, CREDIT]
    tenth = line("three-card-poker", "five_card_hand_player", "9s 8s 7s", "2c 7d 8h", "Js Ts")
    assert steps(tenth) == [BONUS, LARGE, NO_CREDIT]


@pytest.mark.law("649a.11(c)(9)(i)", "649a.11(c)(9)(ii)", "649a.11(c)(9)(iii)", "649a.11(c)(9)(iv)")
def test_649a_five_of_six_progressive() -> None:
    straight = line("three-card-poker", "five_of_six_progressive", "9s 8d 7s", "Jc Td 2h")
    assert steps(straight) == [VERIFY, LIGHT, VALIDATE]
    hearts = line("three-card-poker", "five_of_six_progressive", "Ah Kh Qh", "Jh Th 2c")
    assert steps(hearts) == [VERIFY, LIGHT, VALIDATE, OUTSIDE]


def board_line(wager: str, cards: str, board: str, dealer: str = "2c 7d") -> Line:
    """The line of one wager of one dollar beside Ante and Blind of ten, played at once."""
    wagers = {"ante": 1000, "blind": 1000, wager: 100}
    seat = Seat(1, parse_cards(cards), wagers, {"preflop": Decision("play", 4000)})
    played = Round(parse_cards(dealer), (seat,), {"community": parse_cards(board)})
    settlement = settle(rules_for("ultimate-texas-hold-em", TODAY), played)
    assert settlement.findings == ()
    return next(found for found in settlement.lines if found.wager == wager)


def acts_of(found: Line) -> list[str]:
    return [act for _, _, act in steps(found)]


@pytest.mark.law("653a.11(k)(1)", "653a.11(k)(2)", "653a.11(k)(3)", "653a.11(k)(4)")
def test_653a_progressive() -> None:
    seen = [act for _, _, act in (VERIFY, LIGHT, VALIDATE)]
    assert acts_of(board_line("progressive", "9c 9d", "9h 5s 3d Kc Js")) == seen
    assert acts_of(board_line("progressive", "Kh Qh", "Jh Th 9h 5s 3d")) == [*seen, OUTSIDE[2]]
    assert board_line("progressive", "9c 9d", "8h 5s 3d Kc 9h").acts == ()


@pytest.mark.law("653a.11(l)(1)", "653a.11(l)(2)", "653a.11(l)(3)")
def test_653a_five_card_hand_bonus() -> None:
    flush, four, tenth = ("Kh 8h", "5h 4h 2h 9s 3d"), ("9c 9d", "9h 9s 2d Kc Js"), ("Kh Qh", "Jh Th 9h 5s 3d")
    assert acts_of(board_line("five_card_hand_player", *flush)) == [BONUS[2], CREDIT[2]]
    assert acts_of(board_line("five_card_hand_player", *four)) == [BONUS[2], LARGE[2], CREDIT[2]]
    assert acts_of(board_line("five_card_hand_player", *tenth)) == [BONUS[2], LARGE[2], NO_CREDIT[2]]
    other = board_line("five_card_hand_dealer", "2c 7d", four[1], dealer=four[0])
    assert acts_of(other) == [BONUS[2], LARGE[2], CREDIT[2]]
