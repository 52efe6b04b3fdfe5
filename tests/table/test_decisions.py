"""Section .11(b): players are asked from the dealer's left, what they may stake, and what folding gives up."""

from collections.abc import Iterator
from typing import Any

import pytest

from pitboss.api import rules_for
from pitboss.games.course import Draw
from pitboss.games.registry import GAMES
from pitboss.table.roles import Role
from tests.table.driver import DAY, Bench, Hands

ASKED_FROM_LEFT = (
    pytest.param("three-card-poker", "play", "649a.11(b)", marks=pytest.mark.law("649a.11(b)")),
    pytest.param("four-card-poker", "play", "641a.11(b)", marks=pytest.mark.law("641a.11(b)")),
    pytest.param("four-card-frenzy", "raise", "684a.11(b)", marks=pytest.mark.law("684a.11(b)")),
)
REVEALED_LAST = (
    pytest.param("three-card-poker", "play", "649a.11(c)", marks=pytest.mark.law("649a.11(c)")),
    pytest.param("four-card-poker", "play", "641a.11(c)", marks=pytest.mark.law("641a.11(c)")),
    pytest.param("four-card-frenzy", "raise", "684a.11(c)", marks=pytest.mark.law("684a.11(c)")),
)


def plain(game: str) -> dict[str, int]:
    return {"ante": 1000, "odds": 1000} if game == "four-card-frenzy" else {"ante": 1000}


def table_of(game: str, *seats: int, chips: int = 1_000_000) -> Bench:
    """A keyed-in table whose players have their cards and nothing but an Ante, with Odds where they are compulsory."""
    return Bench(game, source="keyed").opened(*seats, chips=chips).dealt({seat: plain(game) for seat in seats}, {})


@pytest.mark.parametrize(("game", "stay", "cite"), ASKED_FROM_LEFT)
def test_players_are_asked_clockwise_from_the_dealers_left(game: str, stay: str, cite: str) -> None:
    bench = table_of(game, 1, 3, 5)
    for asked, others in ((1, (3, 5)), (3, (1, 5)), (5, (1, 3))):
        for seat in others:
            assert bench.refused(Role.DEALER, "decide", seat=seat, choice=stay, amount=1000) == ("decision-order", cite)
        bench.player(f"p{asked}", "decide", seat=asked, choice=stay, amount=1000)
    assert bench.table.phase == "revealing"
    assert [event.data["seat"] for event in bench.log if event.kind == "decision.made"] == [1, 3, 5]
    assert all(event.cites == (cite,) for event in bench.log if event.kind == "decision.made")


@pytest.mark.parametrize(("game", "stay", "cite"), ASKED_FROM_LEFT)
def test_nobody_decides_for_another_player(game: str, stay: str, cite: str) -> None:  # noqa: ARG001
    bench = table_of(game, 1, 3)
    command = {"command": "decide", "seat": 1, "choice": stay, "amount": 1000}
    assert [finding.code for finding in bench.why_not(Role.PLAYER, command, "p3")] == ["not-yours"]
    assert [finding.code for finding in bench.why_not(Role.FLOORPERSON, command)] == ["permission"]


@pytest.mark.parametrize(("game", "stay", "cite"), ASKED_FROM_LEFT)
def test_the_wager_of_a_decision_needs_chips(game: str, stay: str, cite: str) -> None:
    bench = table_of(game, 2, chips=2500 if game == "four-card-frenzy" else 1500)
    assert bench.chips("p2") == 500
    assert bench.refused(Role.DEALER, "decide", seat=2, choice=stay, amount=1000) == ("chips", cite)
    bench.buy_in("p2", 500)
    bench.dealer("decide", seat=2, choice=stay, amount=1000)
    assert (bench.chips("p2"), bench.held("layout:t1")) == (0, (sum(plain(game).values()) + 1000) * 10_000)


@pytest.mark.law("649a.7(d)(1)", "649a.11(b)")
def test_a_play_wager_of_three_card_poker_equals_the_ante() -> None:
    bench = table_of("three-card-poker", 1, 2)
    for amount in (999, 1001, 2000, 0):
        assert bench.refused(Role.DEALER, "decide", seat=1, choice="play", amount=amount)[1] == "649a.7(d)(1)"
    bench.dealer("decide", seat=1, choice="play", amount=1000)
    bench.dealer("decide", seat=2, choice="play")
    assert (bench.chips("p1"), bench.chips("p2")) == (998_000, 998_000)


@pytest.mark.law("641a.7(d)(1)", "641a.11(b)")
def test_a_play_wager_of_four_card_poker_is_any_amount_from_one_to_three_antes() -> None:
    bench = table_of("four-card-poker", 1, 2, 3)
    for amount in (999, 3001, 0, None):
        assert bench.refused(Role.DEALER, "decide", seat=1, choice="play", amount=amount)[1] == "641a.7(d)(1)"
    for seat, amount in ((1, 1000), (2, 1735), (3, 3000)):
        bench.dealer("decide", seat=seat, choice="play", amount=amount)
        assert bench.chips(f"p{seat}") == 1_000_000 - 1000 - amount


@pytest.mark.law("684a.11(b)(1)")
def test_a_raise_is_one_ante_and_up_to_three_whole_ones_with_a_pair_of_aces() -> None:
    bench = Bench("four-card-frenzy", source="keyed").opened(1, 2, 3, 4)
    wagers = {seat: plain("four-card-frenzy") for seat in (1, 2, 3, 4)}
    bench.dealt(wagers, {1: "Kc Kd 9h 4s 2c", 2: "Ac Ad 9c 4d 2d", 3: "Ah As 9d 5s 3c", 4: "Tc Td Jc Jd 2h"})
    refused = {1: (500, 1500, 2000, 3000), 2: (500, 1500, 2500, 4000), 3: (0,), 4: (3500,)}
    for seat, amount in ((1, 1000), (2, 1000), (3, 2000), (4, 3000)):
        for wrong in refused[seat]:
            assert bench.refused(Role.DEALER, "decide", seat=seat, choice="raise", amount=wrong)[1] == "684a.11(b)(1)"
        bench.dealer("decide", seat=seat, choice="raise", amount=amount)
        assert bench.chips(f"p{seat}") == 1_000_000 - 2000 - amount


@pytest.mark.parametrize(("game", "stay", "cite"), ASKED_FROM_LEFT)
def test_only_the_answers_of_the_game_are_accepted(game: str, stay: str, cite: str) -> None:
    bench = table_of(game, 1)
    for choice in ("bet", "buy", "exchange", "raise" if stay == "play" else "play", ""):
        assert bench.refused(Role.DEALER, "decide", seat=1, choice=choice)[1] == cite
    bench.dealer("decide", seat=1, choice="fold")
    assert bench.table.phase == "revealing"


@pytest.mark.parametrize(
    ("game", "wager"),
    [
        pytest.param("three-card-poker", "pair_plus", marks=pytest.mark.law("649a.7(d)(2)", "649a.11(b)")),
        pytest.param("four-card-poker", "aces_up", marks=pytest.mark.law("641a.7(d)(2)", "641a.11(b)")),
    ],
)
def test_who_plays_only_against_a_pay_table_is_not_asked(game: str, wager: str) -> None:
    bench = Bench(game, source="keyed").opened(1, 2, 3)
    bench.dealt({1: {wager: 500}, 2: {"ante": 1000}, 3: {wager: 500}}, {})
    assert bench.refused(Role.DEALER, "decide", seat=1, choice="play", amount=1000)[0] == "decision-order"
    bench.dealer("decide", seat=2, choice="fold")
    assert bench.table.phase == "revealing"

    alone = Bench(game, source="keyed").opened(2).dealt({2: {wager: 500}}, {})
    assert alone.table.phase == "revealing"


@pytest.mark.parametrize(("game", "stay", "cite"), REVEALED_LAST)
def test_the_dealers_cards_are_turned_up_after_decisions_and_forfeits(game: str, stay: str, cite: str) -> None:
    bench = table_of(game, 1, 2)
    assert bench.refused(Role.DEALER, "reveal") == ("phase", cite)
    bench.dealer("decide", seat=1, choice="fold")
    assert bench.refused(Role.DEALER, "reveal") == ("phase", cite)
    bench.dealer("decide", seat=2, choice=stay, amount=1000)
    refusal = bench.refused(Role.DEALER, "reveal")
    assert not bench.table.play or not bench.table.play.turned
    bench.dealer("settle")
    collected = [(line["seat"], line["wager"], line["result"]) for line in bench.lines()]
    assert collected == [(1, wager, "forfeit") for wager in plain(game)]
    assert refusal == ("forfeits-first", bench.lines()[0]["cite"])
    bench.dealer("reveal")
    assert bench.log[-1].cites == (cite,)
    assert bench.table.phase == "settling"


def forfeited(bench: Bench, *, then: str = "settling") -> tuple[list[str], list[str]]:
    """Wagers collected from seat 1 before the dealer's cards are turned up, and its lines afterwards."""
    bench.until(then)
    before = [line["wager"] for line in bench.lines() if line["seat"] == 1 and line["stage"] == "forfeits"]
    bench.until("collecting")
    after = [line["wager"] for line in bench.lines() if line["seat"] == 1 and line["stage"] != "forfeits"]
    return before, after


@pytest.mark.law("649a.11(b)(1)", "649a.11(b)(2)", "649a.11(b)(3)", "649a.11(c)")
def test_folding_at_three_card_poker_leaves_only_the_bonus_wagers() -> None:
    wagers = {
        "ante": 1000, "pair_plus": 500, "three_card_progressive": 100, "six_card_bonus": 500,
        "five_card_progressive": 100, "five_card_hand_player": 100, "five_of_six_progressive": 100,
    }  # fmt: skip
    bench = Bench("three-card-poker", source="keyed").opened(1, 2)
    # The folded pair of deuces makes four deuces with the dealer's: the wagers that stand are settled with it.
    hands: Hands = {1: "2c 2d 4h", 2: "Qc 9d 6h", "dealer": "2h 2s 9c", "community": "Kc 7d"}
    bench.dealt({1: wagers, 2: {"ante": 1000}}, hands)
    bench.dealer("decide", seat=1, choice="fold")
    bench.dealer("decide", seat=2, choice="play")
    before, after = forfeited(bench)
    assert before == ["ante", "pair_plus", "three_card_progressive", "five_card_progressive"]
    assert after == ["six_card_bonus", "five_card_hand_player", "five_of_six_progressive"]
    nets = {line["wager"]: (line["net"], line["cite"]) for line in bench.lines() if line["seat"] == 1}
    assert nets == {
        "ante": (-1000, "649a.11(b)"),
        "pair_plus": (-500, "649a.11(b)(1)"),
        "three_card_progressive": (-100, "649a.11(b)(2)"),
        "five_card_progressive": (-100, "649a.11(b)(2)"),
        "six_card_bonus": (25_000, "649a.11(c)(6)"),  # four-of-a-kind, 50 to 1
        "five_card_hand_player": (-100, "649a.11(c)(8)"),
        "five_of_six_progressive": (9_900, "649a.11(c)(9)(iv)"),  # 100 for 1
    }
    assert bench.chips("p1") == 1_000_000 - 1000 - 500 - 100 - 100 + 25_000 - 100 + 9_900


@pytest.mark.law("641a.11(b)(1)", "641a.11(b)(2)", "641a.11(c)")
def test_folding_at_four_card_poker_leaves_every_wager_against_a_pay_table() -> None:
    wagers = {
        "ante": 1000, "aces_up": 500, "four_card_progressive": 100, "five_card_progressive": 100, "bad_beat": 500,
        "five_card_hand_player": 100, "six_card_bonus": 500,
    }  # fmt: skip
    bench = Bench("four-card-poker", source="keyed").opened(1, 2)
    hands: Hands = {
        1: "Ac Ad 9h 4s 2c",
        2: "7c 7d Qh 3s 2d",
        "dealer": "Kc Qd 9c 8h 5s 3h",
        "six_card_bonus_card": "Ah",
    }
    bench.dealt({1: wagers, 2: {"ante": 1000}}, hands)
    bench.dealer("decide", seat=1, choice="fold")
    bench.dealer("decide", seat=2, choice="play", amount=1000)
    before, after = forfeited(bench)
    assert before == ["ante", "four_card_progressive", "five_card_progressive"]
    assert after == ["aces_up", "bad_beat", "five_card_hand_player", "six_card_bonus"]
    nets = {line["wager"]: (line["net"], line["cite"]) for line in bench.lines() if line["seat"] == 1}
    assert nets == {
        "ante": (-1000, "641a.11(b)"),
        "four_card_progressive": (-100, "641a.11(b)(2)"),
        "five_card_progressive": (-100, "641a.11(b)(2)"),
        "aces_up": (500, "641a.11(c)(4)"),  # a pair of aces, 1 to 1
        "bad_beat": (-500, "641a.11(c)(6)(iii)"),
        "five_card_hand_player": (-100, "641a.11(c)(7)"),
        "six_card_bonus": (2500, "641a.11(c)(8)(ii)"),  # three aces with the bonus card, 5 to 1
    }


@pytest.mark.law("684a.11(b)(2)")
def test_folding_at_four_card_frenzy_leaves_the_optional_wagers() -> None:
    wagers = {"ante": 1000, "odds": 1000, "prime": 500, "four_card_bonus": 500, "all_six": 500}
    bench = Bench("four-card-frenzy", source="keyed").opened(1, 2)
    hands: Hands = {1: "8c 8s 4c 4s 2d", 2: "Ac 9d 6h 3s 2c", "dealer": "Kc Qd 9c 5h 3d", "all_six_card": "8d"}
    bench.dealt({1: wagers, 2: plain("four-card-frenzy")}, hands)
    bench.dealer("decide", seat=1, choice="fold")
    bench.dealer("decide", seat=2, choice="raise", amount=1000)
    before, after = forfeited(bench)
    assert (before, after) == (["ante", "odds"], ["prime", "four_card_bonus", "all_six"])
    nets = {line["wager"]: (line["net"], line["cite"]) for line in bench.lines() if line["seat"] == 1}
    assert nets == {
        "ante": (-1000, "684a.11(b)(2)"),
        "odds": (-1000, "684a.11(b)(2)"),
        "prime": (500, "684a.11(d)(1)(ii)"),  # four black cards, 1 to 1
        "four_card_bonus": (1000, "684a.11(d)(2)(ii)"),  # two pair, 2 to 1
        "all_six": (12_500, "684a.11(d)(3)(ii)"),  # eights full of fours, 25 to 1
    }


@pytest.mark.law("649a.11(b)(2)", "649a.11(c)(5)(v)")
def test_who_folds_keeps_the_right_to_an_envy_bonus() -> None:
    bench = Bench("three-card-poker", source="keyed").opened(1, 2)
    both = {"ante": 1000, "three_card_progressive": 100}
    bench.dealt({1: both, 2: {"ante": 1000}}, {1: "2c 5d 9h", 2: "Ks Qs As", "dealer": "Qd 8c 3h"})
    bench.dealer("decide", seat=1, choice="fold")
    bench.dealer("decide", seat=2, choice="play")
    bench.until("collecting")
    envy = [(line["wager"], line["net"], line["holder"], line["cite"]) for line in bench.lines() if "holder" in line]
    assert envy == [("three_card_envy", 10_000, 2, "649a.11(c)(5)(v)")]


# What somebody tries who does not know the game, or knows it too well


def wrong_choices(game: str) -> Iterator[tuple[dict[str, Any], str]]:
    """Choices that no rule allows at the first step, each with the code of its refusal."""
    step = GAMES[game].course.decides[0]
    free = [option for option in step.options(rules_for(game, DAY), None) if not option.puts]
    yield {"choice": "surrender"}, "unknown-decision"
    yield {"choice": step.names[0].upper()}, "unknown-decision"
    yield {"choice": ""}, "unknown-decision"
    for option in free:
        yield {"choice": option.name, "amount": 1000}, f"{option.name}-with-amount"
    for amount in (0, -1000, 999, 10**16):
        yield {"choice": step.names[0], "amount": amount}, "amount"
    if not GAMES[game].course.has(Draw):
        yield {"choice": free[-1].name, "discard": "As"}, "cards-not-drawn"
        yield {"choice": free[-1].name, "discard": "Ax"}, "card"


@pytest.mark.parametrize("game", [name for name, game in GAMES.items() if game.course.weighed])
def test_what_no_rule_allows_is_refused_and_changes_nothing(game: str) -> None:
    bench = Bench(game, seed=3).opened(1, 2).ready()
    bench.wager_all(1, 2)
    bench.until("deciding")
    for fields, code in wrong_choices(game):
        found, _ = bench.denied(Role.DEALER, "decide", seat=1, **fields)
        assert found == code or (code == "amount" and "-amount" in found) or found in ("amount", "chips"), fields
    unit = GAMES[game].course.unit
    for command, fields in (("withdraw", {"wager": unit}), ("wager", {"wager": unit, "amount": 1000})):
        assert bench.denied(Role.DEALER, command, seat=1, **fields)[0] == "phase"
    step = GAMES[game].course.decides[0]
    assert bench.denied(Role.PLAYER, "decide", "p2", seat=1, choice=step.names[-1])[0] == "not-yours"
    if step.together:
        return
    assert bench.denied(Role.DEALER, "decide", seat=2, choice=step.names[-1])[0] == "decision-order"
    bench.step()
    first = bench.table.playing.decisions[1]
    for choice in step.names:
        assert bench.denied(Role.DEALER, "decide", seat=1, choice=choice)[0] == "decision-order"
    assert bench.table.playing.decisions[1] == first


@pytest.mark.law("643a.11(f)")
def test_a_wager_that_was_taken_back_stays_with_the_player() -> None:
    """$10 come back from each of two wagers; nothing brings them on the layout again, and the third stays."""
    bench = (
        Bench("let-it-ride", source="keyed")
        .opened(1)
        .dealt({1: dict.fromkeys(("bet_1", "bet_2", "bet_3"), 1000)}, {1: "2c 7d Jh", "community": "4s 9c"})
    )
    before = bench.chips("p1")
    for number in (1, 2):
        bench.until("deciding")
        bench.player("p1", "decide", seat=1, choice="take_back")
        assert bench.chips("p1") == before + 1000 * number
        assert bench.denied(Role.PLAYER, "decide", "p1", seat=1, choice="ride")[0] in ("decision-order", "phase")
        for wager in ("bet_1", "bet_3"):
            assert bench.denied(Role.PLAYER, "wager", "p1", seat=1, wager=wager, amount=1000)[0] == "phase"
    bench.until("collecting")
    assert [(line["wager"], line["net"]) for line in bench.lines()] == [("bet_3", -1000)]
    assert bench.held("layout:t1") == 0
