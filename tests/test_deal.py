"""Dealing: an unshuffled deck shows in which order cards leave it, for every game and device."""

from datetime import date

import pytest

from pitboss.api import rules_for
from pitboss.api.playing import play
from pitboss.cards import DECK, show_cards
from pitboss.demo.rounds import demonstrate
from pitboss.findings import UnreadableError
from pitboss.games.deal import DeckError, deal_cards, deal_of, deal_round
from pitboss.games.registry import GAMES
from pitboss.games.rules import Choices, Rules
from pitboss.law.model import Device

TODAY = date(2024, 6, 1)


def table(game: str, seats: int, *more: str) -> tuple[Rules, dict[int, dict[str, int]]]:
    needed = ["ante"] + [wager.name for wager in GAMES[game].chapter.wagers if wager.required and wager.name != "ante"]
    made = dict.fromkeys(needed, 1000) | dict.fromkeys(more, 100)
    return rules_for(game, TODAY), {number: dict(made) for number in range(1, seats + 1)}


def order(game: str, device: Device, *more: str, seats: int = 2) -> list[str]:
    """Where the cards of an unshuffled deck go, first card first; face-up cards are marked."""
    rules, wagers = table(game, seats, *more)
    dealing = deal_cards(deal_of(rules, device), wagers, DECK)
    by_card = sorted(dealing.order, key=lambda dealt: dealt.card)
    assert [dealt.card for dealt in by_card] == list(range(len(by_card)))
    return [dealt.to.removeprefix("seat ") + ("*" if dealt.face_up else "") for dealt in by_card]


ONE_AT_A_TIME = ["1", "2", "dealer"]


@pytest.mark.law("641a.8(d)", "641a.9(b)")
@pytest.mark.parametrize("device", ["manual-shoe", "hand"])
def test_641a_one_card_at_a_time_and_the_sixth_dealer_card_face_up(device: Device) -> None:
    assert order("four-card-poker", device) == [*ONE_AT_A_TIME * 5, "dealer*"]
    assert order("four-card-poker", device, "six_card_bonus") == ["six_card_bonus_card", *ONE_AT_A_TIME * 5, "dealer*"]


@pytest.mark.law("641a.10(b)", "641a.10(c)")
def test_641a_automated_shoe_deals_stacks_and_takes_the_up_card_from_an_extra_one() -> None:
    stacks = ["1"] * 5 + ["2"] * 5 + ["dealer"] * 5
    assert order("four-card-poker", "automated-shoe") == [*stacks, "dealer*", *["discard"] * 4]
    with_bonus = order("four-card-poker", "automated-shoe", "six_card_bonus")
    assert with_bonus == [*stacks, "dealer*", "six_card_bonus_card", *["discard"] * 3]


@pytest.mark.law("649a.8(d)", "649a.9(b)")
@pytest.mark.parametrize("device", ["manual-shoe", "hand"])
@pytest.mark.parametrize("wager", ["five_card_progressive", "five_card_hand_player", "five_card_hand_dealer"])
def test_649a_community_cards_come_last_and_only_if_wagered_on(device: Device, wager: str) -> None:
    assert order("three-card-poker", device) == ONE_AT_A_TIME * 3
    assert order("three-card-poker", device, wager) == [*ONE_AT_A_TIME * 3, "community", "community"]


@pytest.mark.law("649a.10(b)", "649a.10(c)")
def test_649a_automated_shoe() -> None:
    stacks = ["1"] * 3 + ["2"] * 3 + ["dealer"] * 3
    assert order("three-card-poker", "automated-shoe") == stacks
    assert order("three-card-poker", "automated-shoe", "five_card_progressive") == [*stacks, "community", "community"]


@pytest.mark.law("671a.8(c)", "671a.9(b)")
@pytest.mark.parametrize("device", ["manual-shoe", "hand"])
def test_671a_the_dealers_last_card_is_turned_up(device: Device) -> None:
    assert order("lunar-poker", device) == [*ONE_AT_A_TIME * 4, "1", "2", "dealer*"]


@pytest.mark.law("671a.10(b)")
def test_671a_automated_shoe() -> None:
    assert order("lunar-poker", "automated-shoe") == ["1"] * 5 + ["2"] * 5 + ["dealer"] * 4 + ["dealer*"]


@pytest.mark.law("684a.8(c)", "684a.9(b)")
@pytest.mark.parametrize("device", ["manual-shoe", "hand"])
def test_684a_the_all_six_card_comes_first(device: Device) -> None:
    assert order("four-card-frenzy", device) == ONE_AT_A_TIME * 5
    assert order("four-card-frenzy", device, "all_six") == ["all_six_card", *ONE_AT_A_TIME * 5]


@pytest.mark.law("684a.10(b)")
def test_684a_automated_shoe_takes_the_top_card_of_an_extra_stack() -> None:
    stacks = ["1"] * 5 + ["2"] * 5 + ["dealer"] * 5
    assert order("four-card-frenzy", "automated-shoe") == stacks
    assert order("four-card-frenzy", "automated-shoe", "all_six") == [*stacks, *["discard"] * 4, "all_six_card"]


def test_a_deck_that_runs_out_is_said_in_a_sentence() -> None:
    rules, wagers = table("four-card-poker", 7)
    with pytest.raises(DeckError, match="run out"):
        deal_round(rules, wagers, DECK[:20], "manual-shoe")
    with pytest.raises(DeckError, match="stack of 5"):
        deal_round(rules, wagers, DECK[:20], "automated-shoe")


@pytest.mark.parametrize("game", list(GAMES))
def test_a_seed_deals_the_same_round_again(game: str) -> None:
    rules = rules_for(game, TODAY)
    one, other = (play(rules, 5, seats=3).finish() for _ in range(2))
    assert one.settlement == other.settlement
    assert show_cards(one.played.dealer) == show_cards(other.played.dealer)
    assert one.settlement.findings == ()


def prime(device: Device, **options: bool) -> list[str]:
    """The deal of two seats, of which the second made no Pair Bonus Wager."""
    rules = rules_for("three-card-prime", TODAY, Choices(device=device, options=options))
    dealing = deal_cards(deal_of(rules), {1: {"ante": 1000, "pair_bonus": 500}, 2: {"ante": 1000}}, DECK)
    assert [dealt.card for dealt in dealing.order] == list(range(len(dealing.order)))
    assert not dealing.up()
    return [dealt.to.removeprefix("seat ") for dealt in dealing.order]


@pytest.mark.law("679a.8(h)", "679a.9(g)")
@pytest.mark.parametrize("device", ["manual-shoe", "hand"])
def test_679a_a_fourth_card_for_each_or_one_for_all(device: Device) -> None:
    assert prime(device) == [*ONE_AT_A_TIME * 3, "pair_bonus_card 1"]
    assert prime(device, pair_bonus_community=True) == [*ONE_AT_A_TIME * 3, "pair_bonus_card"]


@pytest.mark.law("679a.10(g)", "679a.10(g)(1)", "679a.10(g)(2)", "679a.10(h)")
def test_679a_automated_shoe_and_stacks_of_four() -> None:
    stacks = ["1"] * 3 + ["2"] * 3 + ["dealer"] * 3
    assert prime("automated-shoe") == [*stacks, "pair_bonus_card 1"]
    assert prime("automated-shoe", pair_bonus_community=True) == [*stacks, "pair_bonus_card"]
    tops = ["pair_bonus_card 1", "discard", "discard"]
    fours = [to for at, top in enumerate(tops) for to in (*stacks[3 * at : 3 * at + 3], top)]
    assert prime("automated-shoe", four_card_stacks=True) == fours


@pytest.mark.law("679a.10(g)", "679a.10(h)")
def test_679a_stacks_of_four_need_an_automated_shoe_and_no_community_card() -> None:
    game = GAMES["three-card-prime"]
    for device, community in (("automated-shoe", False), ("automated-shoe", True), ("hand", False)):
        options = {"four_card_stacks": True, "pair_bonus_community": community}
        rules = rules_for(game.name, TODAY, Choices(device=device, options=options))
        lawful = device == "automated-shoe" and not community
        assert [each.cite for each in game.verify_choices(rules)] == ([] if lawful else ["679a.10(g)"])


@pytest.mark.parametrize("game", list(GAMES))
def test_a_demonstration_takes_the_devices_of_its_chapter_and_no_other(game: str) -> None:
    devices = GAMES[game].chapter.devices(TODAY)
    seats = rules_for(game, TODAY).least_players
    for device in devices:
        assert demonstrate(game, TODAY, seats, 5, device=device).device == device
    foreign = {each for other in GAMES.values() for each in other.chapter.devices(TODAY)} - set(devices)
    for device in (*foreign, "bucket"):
        with pytest.raises(UnreadableError, match="is not a device of"):
            demonstrate(game, TODAY, 1, 5, device=device)
