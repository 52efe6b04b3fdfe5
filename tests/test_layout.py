"""The layout: areas and inscriptions for what is offered, and none for what is not."""

from datetime import date

import pytest

from pitboss.api import rules_for
from pitboss.games.layout import required_layout
from pitboss.games.registry import GAMES
from pitboss.games.rules import Choices

TODAY = date(2024, 6, 1)


def items(game: str, offered: frozenset[str] | None = None, payout_limit: int | None = None) -> list[str]:
    choices = Choices(offered=offered, options={"payout_limit": payout_limit})
    return [item.item for item in required_layout(rules_for(game, TODAY, choices))]


@pytest.mark.law("641a.2(b)", "641a.2(b)(1)", "641a.2(b)(2)", "641a.2(b)(7)")
def test_641a_plain_table() -> None:
    assert items("four-card-poker", frozenset()) == ["certificate_holder", "ante", "play", "aces_up", "payout_odds"]


@pytest.mark.parametrize(
    ("wager", "areas"),
    [
        pytest.param(
            "four_card_progressive",
            {"progressive", "progressive_wagering_device", "progressive_lock_out"},
            marks=pytest.mark.law("641a.2(b)(3)", "641a.2(c)", "641a.2(c)(1)", "641a.2(c)(2)"),
        ),
        pytest.param(
            "five_card_progressive",
            {"progressive", "progressive_wagering_device", "progressive_lock_out"},
            marks=pytest.mark.law("641a.2(b)(3)", "641a.2(c)", "641a.2(c)(1)", "641a.2(c)(2)"),
        ),
        pytest.param("bad_beat", {"bad_beat"}, marks=pytest.mark.law("641a.2(b)(4)")),
        pytest.param(
            "five_card_hand_player",
            {"electronic_wagering_system", "electronic_lock_out"},
            marks=pytest.mark.law("641a.2(b)(5)", "641a.2(d)"),
        ),
        pytest.param(
            "six_card_bonus",
            {"six_card_bonus", "six_card_bonus_card"},
            marks=pytest.mark.law("641a.2(b)(6)", "641a.2(b)(6)(i)", "641a.2(b)(6)(ii)"),
        ),
    ],
)
def test_641a_an_offered_wager_brings_its_areas(wager: str, areas: set[str]) -> None:
    assert set(items("four-card-poker", frozenset({wager}))) - set(items("four-card-poker", frozenset())) == areas


@pytest.mark.law("649a.2(b)", "649a.2(b)(1)", "649a.2(b)(2)", "649a.2(b)(7)")
def test_649a_plain_table_says_when_the_dealer_plays() -> None:
    plain = ["certificate_holder", "ante", "play", "pair_plus", "payout_odds", "dealer_qualification"]
    assert items("three-card-poker", frozenset()) == plain


@pytest.mark.parametrize(
    ("wager", "areas"),
    [
        pytest.param(
            "three_card_progressive",
            {"progressive", "progressive_wagering_device", "progressive_lock_out"},
            marks=pytest.mark.law("649a.2(b)(3)", "649a.2(c)", "649a.2(c)(1)", "649a.2(c)(2)"),
        ),
        pytest.param("six_card_bonus", {"six_card_bonus"}, marks=pytest.mark.law("649a.2(b)(4)")),
        pytest.param(
            "five_card_hand_dealer",
            {"electronic_wagering_system", "electronic_lock_out"},
            marks=pytest.mark.law("649a.2(b)(5)", "649a.2(d)"),
        ),
        pytest.param(
            "five_of_six_progressive",
            {"five_of_six_progressive", "progressive_wagering_device", "progressive_lock_out"},
            marks=pytest.mark.law("649a.2(b)(6)", "649a.2(c)"),
        ),
    ],
)
def test_649a_an_offered_wager_brings_its_areas(wager: str, areas: set[str]) -> None:
    assert set(items("three-card-poker", frozenset({wager}))) - set(items("three-card-poker", frozenset())) == areas


@pytest.mark.law(
    "671a.2(b)",
    "671a.2(b)(1)",
    "671a.2(b)(2)",
    "671a.2(b)(3)",
    "671a.2(b)(4)",
    "671a.2(b)(4)(i)",
    "671a.2(b)(4)(ii)",
    "671a.2(b)(5)",
    "671a.2(b)(6)",
    "671a.2(b)(6)(i)",
    "671a.2(b)(6)(ii)",
    "671a.2(b)(7)",
)
def test_671a_every_area_whatever_is_offered() -> None:
    wanted = [
        "certificate_holder", "ante", "bet", "super", "super_on_dealer", "super_on_seat", "options", "options_exchange",
        "options_buy", "payout_odds", "dealer_qualifies", "instant_payout", "rules_sign",
    ]  # fmt: skip
    assert items("lunar-poker", frozenset()) == wanted == items("lunar-poker")


@pytest.mark.law("684a.2(b)", "684a.2(b)(1)", "684a.2(b)(2)", "684a.2(b)(3)", "684a.2(b)(4)", "684a.2(b)(5)")
def test_684a_optional_wagers_and_a_payout_limit_are_shown_only_if_chosen() -> None:
    plain = ["certificate_holder", "ante", "odds", "raise", "payout_odds"]
    assert items("four-card-frenzy", frozenset()) == plain
    assert set(items("four-card-frenzy", frozenset({"prime"}))) - set(plain) == {"prime"}
    assert set(items("four-card-frenzy", frozenset(), 5_000_000)) - set(plain) == {"payout_limit"}
    assert {"prime", "four_card_bonus", "all_six", "all_six_card"} <= set(items("four-card-frenzy"))


@pytest.mark.parametrize("game", list(GAMES))
def test_areas_before_the_rulemaking_of_2019_follow_the_wagers_in_force(game: str) -> None:
    if game != "four-card-poker":
        assert all(item.period.start >= date(2016, 8, 27) for item in GAMES[game].chapter.layout)
        return
    areas = [item.item for item in required_layout(rules_for(game, date(2018, 1, 1)))]
    assert "bad_beat" in areas
    assert "six_card_bonus" not in areas
