"""671a.11 at the table: the lock-in, what is settled before the draw, the draw itself, and the order afterwards."""

import pytest

from pitboss.cards import DECK, show_card
from pitboss.table.roles import Role
from pitboss.table.view import view
from tests.table.driver import Bench, Hands, submission_text
from tests.table.test_settlement import money_is_whole, settled

GAME = "lunar-poker"
BOTH = {"ante": 1000, "super": 1000}
START = 1_000_000
NOTHING: dict[int | str, str] = {
    1: "2c 5d 7h 9s Jc",
    2: "3c 4d 8h Ts Qc",
    3: "2d 4h 6s 9c Jd",
    4: "3d 5h 8s Tc Qd",
    5: "2h 4s 7c 9d Jh",
}
"""Hands of both colours that win nothing."""
KINGS = "Kc Kd 3h 6c 7d"


def dealt(wagers: dict[int, dict[str, int]], hands: Hands) -> Bench:
    return Bench(GAME, source="keyed").opened(*wagers).dealt(wagers, hands)


def decided(choices: dict[int, dict[str, str]], hands: Hands, wagers: dict[int, dict[str, int]] | None = None) -> Bench:
    """Everybody has decided and the decisions are locked in."""
    bench = dealt(wagers or dict.fromkeys(choices, BOTH), hands)
    for seat, choice in choices.items():
        bench.dealer("decide", seat=seat, **choice)
    bench.dealer("lock_decisions")
    return bench


@pytest.mark.law("671a.11(a)(3)", "671a.11(b)", "671a.11(b)(1)", "671a.11(b)(2)", "671a.11(b)(3)")
def test_a_decision_may_be_amended_until_all_are_locked_in() -> None:
    bench = dealt({1: BOTH, 3: BOTH}, {1: NOTHING[1], 3: NOTHING[3], "dealer": KINGS})
    for choice, on_layout in (({"choice": "bet"}, 2000), ({"choice": "buy"}, 1000), ({"choice": "fold"}, 0),
                              ({"choice": "exchange", "discard": "2d 4h"}, 1000)):  # fmt: skip
        bench.player("p3", "decide", seat=3, **choice)
        assert bench.chips("p3") == START - 2000 - on_layout
        assert bench.held("layout:t1") == (4000 + on_layout) * 10_000
    assert bench.refused(Role.DEALER, "lock_decisions") == ("undecided", "671a.11(c)")
    bench.player("p1", "decide", seat=1, choice="bet")
    bench.dealer("lock_decisions")
    assert bench.log[-1].cites == ("671a.11(c)",)
    for seat in (1, 3):
        assert bench.refused(Role.DEALER, "decide", seat=seat, choice="fold") == ("phase", "671a.11(a)(3)")
    bench.dealer("settle")
    assert bench.table.phase == "drawing"
    assert bench.refused(Role.DEALER, "decide", seat=1, choice="fold") == ("decision-order", "671a.11(c)")


@pytest.mark.law("671a.11(b)(2)", "671a.11(b)(3)", "671a.11(d)(1)(ii)")
def test_what_a_player_may_elect() -> None:
    bench = dealt({1: BOTH}, {1: NOTHING[1], "dealer": KINGS})
    for amount in (1000, 1999, 3000):
        assert bench.refused(Role.DEALER, "decide", seat=1, choice="bet", amount=amount)[1] == "671a.11(b)(2)"
    for discard in ("", "2c"):
        found = bench.refused(Role.DEALER, "decide", seat=1, choice="exchange", discard=discard)
        assert found == ("exchange-count", "671a.11(d)(1)(ii)")
    for discard in ("2c Ah", "2c 2c"):
        assert bench.refused(Role.DEALER, "decide", seat=1, choice="exchange", discard=discard)[0] == "exchange-cards"
    assert bench.refused(Role.DEALER, "decide", seat=1, choice="exchange", discard="2x")[0] == "card"
    assert bench.refused(Role.DEALER, "decide", seat=1, choice="buy", discard="2c")[1] == "671a.11(d)(1)(i)"
    assert bench.refused(Role.DEALER, "decide", seat=1, choice="play")[1] == "671a.11(b)"
    bench.dealer("decide", seat=1, choice="exchange", discard=NOTHING[1])


@pytest.mark.law("671a.11(b)(2)", "671a.11(c)(3)")
def test_an_instant_payout_is_not_asked_and_places_no_bet() -> None:
    bench = dealt({1: BOTH, 2: BOTH}, {1: "9s 8s 7s 6s 5s", 2: NOTHING[2], "dealer": KINGS})
    for choice in ("bet", "fold", "buy"):
        assert bench.refused(Role.DEALER, "decide", seat=1, choice=choice)[1] == "671a.11(b)(2)"
    bench.dealer("decide", seat=2, choice="fold")
    bench.dealer("lock_decisions")
    bench.dealer("settle", turns=1)
    # A straight flush: 250 to 1 on the Ante, and five cards of one colour 2 to 1 on the Super Wager.
    assert settled(bench, 1) == [
        ("super", "win", 2000, "671a.11(c)(2)"),
        ("instant_payout", "win", 250_000, "671a.11(c)(3)"),
    ]
    assert bench.chips("p1") == START + 252_000
    bench.until("collecting")
    assert len(settled(bench, 1)) == 2
    money_is_whole(bench)


@pytest.mark.law("671a.11(c)", "671a.11(c)(1)", "671a.11(c)(2)", "671a.11(c)(3)", "671a.11(c)(4)")
def test_supers_instant_payouts_and_folds_are_settled_from_the_left_before_any_draw() -> None:
    wagers = {1: BOTH | {"super_on_seat_2": 1000}, 2: BOTH, 4: BOTH | {"super_on_seat_1": 1000}, 5: BOTH}
    hands: Hands = {
        1: "As Ad Ac 7h 2d",
        2: "2c 5d 9s Jd 7c",
        4: "9h 8h 7s 6h 5h",
        5: "Kc Qc 8d 6s 4h",
        "dealer": "Kd 3h 6c 7d Jh",
    }
    bench = dealt(wagers, hands)
    assert bench.refused(Role.DEALER, "settle")[0] == "phase"
    for seat, choice in ((5, "buy"), (4, "bet"), (2, "fold"), (1, "bet")):
        bench.dealer("decide", seat=seat, choice=choice)
    bench.dealer("lock_decisions")
    assert bench.refused(Role.DEALER, "draw") == ("phase", "671a.11(d)(1)")
    assert bench.refused(Role.DEALER, "reveal") == ("phase", "671a.11(e)")
    for turned in ([1], [1, 2], [1, 2, 4], [1, 2, 4, 5]):
        assert bench.table.phase == "locked"
        bench.dealer("settle", turns=1)
        assert list(dict.fromkeys(line["turn"] for line in bench.lines())) == turned
    assert bench.table.phase == "drawing"
    lines = [(line["seat"], line["wager"], line["net"], line["cite"]) for line in bench.lines()]
    assert lines == [
        (1, "super", 8000, "671a.11(c)(2)"),  # three aces, 8 to 1, the owner first
        (4, "super_on_seat_1", 8000, "671a.11(c)(2)"),
        (2, "super", -1000, "671a.11(c)(1)"),
        (1, "super_on_seat_2", -1000, "671a.11(c)(1)"),
        (2, "ante", -1000, "671a.11(c)(4)"),
        (4, "super", 30_000, "671a.11(c)(2)"),  # a straight, 30 to 1
        (5, "super", -1000, "671a.11(c)(1)"),
    ]


@pytest.mark.law(
    "671a.11(d)", "671a.11(d)(1)", "671a.11(d)(1)(i)", "671a.11(d)(1)(ii)", "671a.11(d)(3)", "671a.11(d)(4)"
)
def test_the_draw_goes_round_from_the_dealers_left() -> None:
    choices = {
        1: {"choice": "buy"}, 2: {"choice": "bet"}, 3: {"choice": "exchange", "discard": "2d 4h"},
        5: {"choice": "exchange", "discard": NOTHING[5]},
    }  # fmt: skip
    plan: Hands = {seat: NOTHING[seat] for seat in choices} | {
        "dealer": KINGS, "draw 1": "Ah", "draw 3": "6h 6d", "draw 5": "Qs Qh 8c 8d 3s",
    }  # fmt: skip
    bench = decided(choices, plan)
    bench.dealer("settle")
    assert [bench.chips(f"p{seat}") for seat in choices] == [START - 3000, START - 4000, START - 3000, START - 3000]
    for seat, count, then, act in ((1, 1, "fold", "(i)"), (3, 2, "bet", "(ii)"), (5, 5, "bet", "(ii)")):
        assert bench.refused(Role.DEALER, "decide", seat=seat, choice=then)[0] == "decision-order"
        drawn = bench.step()
        fee = drawn[0].data
        assert (fee["seat"], fee["wager"], fee["net"], fee["cite"]) == (seat, "options_fee", -1000, "671a.11(d)(1)")
        assert (len(drawn[-1].data["cards"]), drawn[-1].cites) == (count, (f"671a.11(d)(1){act}",))
        assert bench.refused(Role.DEALER, "draw")[0] == "nothing-to-draw"
        assert bench.refused(Role.DEALER, "decide", seat=2, choice="fold")[0] == "decision-order"
        assert bench.refused(Role.DEALER, "decide", seat=seat, choice="buy")[1] == "671a.11(d)(3)"
        made = bench.dealer("decide", seat=seat, choice=then)
        assert made[0].cites == ("671a.11(d)(3)",)
        if then == "fold":
            assert (made[1].data["wager"], made[1].data["net"], made[1].data["cite"]) == (
                "ante",
                -1000,
                "671a.11(d)(4)",
            )
    assert bench.table.phase == "revealing"
    assert [bench.chips(f"p{seat}") for seat in choices] == [START - 3000, START - 4000, START - 5000, START - 5000]
    bench.until("collecting")
    # Three sixes beat the kings and pay 3 to 1 on the Bet, queens and eights 2 to 1. The fees stay lost.
    assert settled(bench, 3)[2:] == [
        ("ante", "push", 0, "671a.11(f)(2)(ii)"),
        ("bet", "win", 6000, "671a.11(f)(2)(ii)"),
    ]
    assert settled(bench, 5)[2:] == [
        ("ante", "push", 0, "671a.11(f)(2)(ii)"),
        ("bet", "win", 4000, "671a.11(f)(2)(ii)"),
    ]
    totals = [bench.chips(f"p{seat}") - START for seat in choices]
    assert totals == [-3000, -4000, 6000 - 1000 - 1000, 4000 - 1000 - 1000]
    money_is_whole(bench)


@pytest.mark.law("671a.11(e)", "671a.11(e)(1)", "671a.11(f)(2)", "671a.11(f)(2)(i)", "671a.11(f)(2)(ii)")
@pytest.mark.law("671a.11(f)(2)(iii)")
def test_dealer_supers_from_the_left_then_hands_from_the_right() -> None:
    three = BOTH | {"super_on_dealer": 1000}
    hands: Hands = {1: "As Ad Kc 8h 9d", 2: "8c 8d 5h 7s 2c", 4: "Jc Js 7c 6c 3d", "dealer": "Jd Jh 7d 6h 3c"}
    bets = {seat: {"choice": "bet"} for seat in (1, 2, 4)}
    bench = decided(bets, hands, dict.fromkeys(bets, three))
    bench.until("settling")
    start = len(bench.log)
    for _ in range(6):
        bench.dealer("settle", turns=1)
    order = [(line["stage"], line["seat"]) for line in bench.lines(start)]
    assert list(dict.fromkeys(order)) == [
        ("dealer", 1), ("dealer", 2), ("dealer", 4), ("hands", 4), ("hands", 2), ("hands", 1),
    ]  # fmt: skip
    assert all(settled(bench, seat)[1] == ("super_on_dealer", "lose", -1000, "671a.11(e)(1)") for seat in (1, 2, 4))
    # The law's own example: the pair of aces wins and the ace-king is paid as well.
    assert settled(bench, 1)[2:] == [
        ("ante", "push", 0, "671a.11(f)(2)(ii)"),
        ("bet", "win", 2000, "671a.11(f)(2)(ii)"),
        ("second_combination", "win", 2000, "671a.11(f)(2)(ii)"),
    ]
    assert settled(bench, 2)[2:] == [
        ("ante", "lose", -1000, "671a.11(f)(2)(i)"),
        ("bet", "lose", -2000, "671a.11(f)(2)(i)"),
    ]
    assert settled(bench, 4)[2:] == [
        ("ante", "push", 0, "671a.11(f)(2)(iii)"),
        ("bet", "push", 0, "671a.11(f)(2)(iii)"),
    ]
    assert [bench.chips(f"p{seat}") - START for seat in (1, 2, 4)] == [2000, -5000, -2000]
    money_is_whole(bench)


@pytest.mark.law("671a.11(e)(2)", "671a.11(f)(1)")
def test_a_dealer_below_ace_king_returns_the_bet_and_pays_the_ante() -> None:
    hands: Hands = {2: "9c 8d 7h 6s 5c", 3: "2c 2d 8h 9s Kc", "dealer": "Kh Qh Td 4d 3h"}
    wagers = {2: BOTH | {"super_on_dealer": 1000}, 3: BOTH}
    bench = decided({2: {"choice": "bet"}, 3: {"choice": "bet"}}, hands, wagers)
    bench.until("collecting")
    assert settled(bench, 2) == [
        ("super", "win", 30_000, "671a.11(c)(2)"),
        ("super_on_dealer", "win", 2000, "671a.11(e)(2)"),  # five red cards, 2 to 1
        ("bet", "push", 0, "671a.11(f)(1)"),
        ("ante", "win", 4000, "671a.11(f)(1)"),  # a straight, 4 to 1
    ]
    assert settled(bench, 3)[1:] == [("bet", "push", 0, "671a.11(f)(1)"), ("ante", "win", 1000, "671a.11(f)(1)")]
    money_is_whole(bench)


@pytest.mark.law("671a.11(d)(2)", "671a.11(f)(2)(ii)")
def test_a_bought_card_counts_for_the_hand_and_for_the_second_combination() -> None:
    hands: Hands = {1: "As Ad 4c 8h 9d", "dealer": "Jd Jh 7d 6h 3c", "draw 1": "Kc"}
    bench = decided({1: {"choice": "buy"}}, hands)
    bench.until("collecting")
    assert settled(bench, 1) == [
        ("super", "lose", -1000, "671a.11(c)(1)"),
        ("options_fee", "lose", -1000, "671a.11(d)(1)"),
        ("ante", "push", 0, "671a.11(f)(2)(ii)"),
        ("bet", "win", 2000, "671a.11(f)(2)(ii)"),
        ("second_combination", "win", 2000, "671a.11(f)(2)(ii)"),
    ]
    money_is_whole(bench)


@pytest.mark.law("671a.11(h)", "671a.11(h)(1)", "671a.11(h)(2)")
def test_the_deck_is_counted_after_every_fifth_round() -> None:
    bench = Bench(GAME, seed=3).opened(1, 2)
    for counts in (1, 2):
        for _ in range(4):
            bench.round(1, 2)
            assert bench.table.phase == "shuffling"
        bench.ready()
        bench.wager_all(1, 2)
        bench.until("deck count")
        assert bench.table.rounds == 5 * counts
        before = dict(bench.desk.balances)
        if counts == 1:
            bench.dealer("count_deck", count=52)
            assert bench.log[-1].cites == ("671a.11(h)(1)",)
            assert bench.table.phase == "shuffling"
    removed = bench.dealer("count_deck", count=51)
    assert [(event.kind, event.cites) for event in removed] == [
        ("deck.counted", ("671a.11(h)(2)",)), ("deck.removed", ("671a.11(h)(2)",)),
    ]  # fmt: skip
    assert bench.desk.balances == before  # the settled round stands
    assert (bench.table.phase, bench.table.decks) == ("opening", {})
    assert bench.refused(Role.DEALER, "shuffle")[0] == "phase"
    bench.round(1, 2)
    assert bench.table.rounds == 11


@pytest.mark.law("671a.11(h)", "671a.11(h)(2)")
def test_of_two_decks_only_the_wrong_one_is_removed_and_a_counting_shuffler_counts() -> None:
    bench = Bench(GAME, submission_text(GAME, decks=2), seed=3).opened(1, 2)
    for _ in range(4):
        bench.round(1, 2)
    bench.ready()
    in_play = bench.table.active
    bench.wager_all(1, 2)
    bench.until("deck count")
    bench.dealer("count_deck", count=53)
    assert in_play not in bench.table.decks
    assert len(bench.table.decks) == 1
    assert bench.table.phase in ("shuffling", "wagering")
    bench.round(1, 2)
    assert bench.table.rounds == 6

    counting = Bench(GAME, submission_text(GAME, counts=True), seed=3).opened(1, 2)
    for _ in range(11):
        counting.round(1, 2)
    assert not any(event.kind == "deck.counted" and "count" in event.data for event in counting.log)


@pytest.mark.law("671a.13(c)")
def test_an_exchange_that_the_stub_cannot_fill_voids_the_round() -> None:
    everyone = {seat: {"choice": "exchange", "discard": NOTHING[seat]} for seat in range(1, 6)}
    bench = dealt(dict.fromkeys(everyone, BOTH), {**NOTHING, "dealer": KINGS})
    for seat in (1, 2, 3, 4):
        bench.dealer("decide", seat=seat, **everyone[seat])
    assert view(bench.table, "dealer-1")["warning"] == ""
    bench.dealer("decide", seat=5, **everyone[5])
    # 52 cards less 30 dealt leave 22; five players want 25.
    assert view(bench.table, "dealer-1")["warning"] == "The stub lacks 3 cards for the exchanges asked for."
    bench.dealer("lock_decisions")
    bench.dealer("settle")
    for _ in range(4):
        bench.step()
        bench.step()
    assert bench.table.play is not None
    assert len(bench.table.play.left_deck) == 50
    spare = [show_card(card) for card in DECK if card not in bench.table.play.left_deck]
    assert bench.refused(Role.DEALER, "draw", cards=" ".join(spare)) == ("stub-too-small", "671a.13(c)")
    assert sum(line["net"] for line in bench.lines()) < -5 * 1000
    void = bench.dealer("irregularity", what="exchange-unfilled")[-1]
    assert (void.kind, void.cites, void.data["phase"]) == ("round.voided", ("671a.13(c)",), "shuffling")
    assert [bench.chips(f"p{seat}") for seat in range(1, 6)] == [START] * 5
    money_is_whole(bench)
    bench.round(1, 2, 3, 4, 5)
    money_is_whole(bench)


@pytest.mark.law("671a.13(c)")
def test_a_stub_that_suffices_is_no_irregularity() -> None:
    bench = decided({1: {"choice": "exchange", "discard": NOTHING[1]}}, {1: NOTHING[1], "dealer": KINGS})
    bench.dealer("settle")
    assert bench.refused(Role.DEALER, "irregularity", what="exchange-unfilled") == ("stub-suffices", "671a.13(c)")


LEAVES = pytest.mark.law("671a.7(b)")


@LEAVES
def test_supers_on_the_hand_of_a_player_who_left_are_still_settled() -> None:
    wagers = {1: BOTH, 2: BOTH | {"super_on_seat_1": 1000}, 3: BOTH}
    hands: Hands = {1: "As Ad Ac 7h 2d", 2: NOTHING[2], 3: NOTHING[3].replace("2d", "2h"), "dealer": KINGS}
    bench = dealt(wagers, hands)
    bench.dealer("decide", seat=1, choice="bet")
    bench.player("p1", "leave", seat=1)
    bench.floor("abandon", seat=1)
    lost = [
        ("super", "lose", -1000, "671a.7(b)"),
        ("ante", "lose", -1000, "671a.7(b)"),
        ("bet", "lose", -2000, "671a.7(b)"),
    ]
    assert sorted(settled(bench, 1)) == sorted(lost)
    bench.dealer("decide", seat=2, choice="fold")
    bench.dealer("decide", seat=3, choice="fold")
    bench.until("collecting")
    assert len(settled(bench, 1)) == 3
    assert settled(bench, 2)[0] == ("super_on_seat_1", "win", 8000, "671a.11(c)(2)")
    assert bench.chips("p1") == START - 4000
    money_is_whole(bench)


@LEAVES
@pytest.mark.parametrize("steps", range(9))
def test_a_player_who_left_during_the_draw_is_passed_over(steps: int) -> None:
    choices = {1: {"choice": "exchange", "discard": "2c 5d"}, 2: {"choice": "buy"}, 3: {"choice": "bet"}}
    wagers = {1: BOTH | {"super_on_dealer": 1000}, 2: BOTH, 3: BOTH}
    bench = dealt(wagers, {1: NOTHING[1], 2: NOTHING[2], 3: NOTHING[3], "dealer": KINGS})
    for seat, choice in choices.items():
        bench.dealer("decide", seat=seat, **choice)
    if steps:
        bench.dealer("lock_decisions")
    for _ in range(steps - 1):
        bench.step()
    spent = START - bench.chips("p1")
    returned = sum(line["stake"] + line["net"] for line in bench.lines() if line["seat"] == 1 and line["net"] >= 0)
    bench.dealer("leave", seat=1)
    voided = bench.fork()
    assert bench.refused(Role.DEALER, "abandon", seat=1)[0] == "permission"
    assert bench.refused(Role.FLOORPERSON, "abandon", seat=2) == ("not-left", "671a.7(b)")
    bench.floor("abandon", seat=1)
    assert returned == 0
    assert bench.chips("p1") == START - spent
    assert -sum(net for *_, net, _ in settled(bench, 1)) == spent
    assert bench.refused(Role.FLOORPERSON, "abandon", seat=1)[0] == "not-left"
    # Whatever is voided later gives everything back, the fee and abandoned wagers included.
    for other in (voided, bench.fork()):
        if other.table.phase != "settling":
            other.dealer("irregularity", what="wrong-number-of-cards")
            assert [other.chips(f"p{seat}") for seat in (1, 2, 3)] == [START] * 3
            money_is_whole(other)
    bench.until("collecting")
    assert -sum(net for *_, net, _ in settled(bench, 1)) == spent
    money_is_whole(bench)
    bench.dealer("discard")
    bench.round(2, 3)
