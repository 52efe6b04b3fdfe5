"""Section .11(c) and after: seat by seat from the dealer's right, line by line, until the cards are collected."""

import pytest

from pitboss.cards import parse_cards
from pitboss.table.roles import Role
from pitboss.table.source import check_deal
from pitboss.table.view import view
from tests.table.driver import CARD_GAMES, DEVICE_NAMES, Bench, Hands, submission_text

FROM_RIGHT = (
    pytest.param("three-card-poker", marks=pytest.mark.law("649a.11(c)", "649a.11(c)(1)")),
    pytest.param("four-card-poker", marks=pytest.mark.law("641a.11(c)", "641a.11(c)(1)")),
    pytest.param("four-card-frenzy", marks=pytest.mark.law("684a.11(c)", "684a.11(c)(1)")),
)
LAST_STEP = {
    "three-card-poker": "649a.11(d)",
    "four-card-poker": "641a.11(d)",
    "four-card-frenzy": "684a.11(e)",
    "lunar-poker": "671a.11(g)",
}
RECONSTRUCTED = tuple(pytest.param(game, cite, marks=pytest.mark.law(cite)) for game, cite in LAST_STEP.items())


def settled(bench: Bench, seat: int) -> list[tuple[str, str, int, str]]:
    return [(e["wager"], e["result"], e["net"], e["cite"]) for e in bench.lines() if e["seat"] == seat]


def money_is_whole(bench: Bench) -> None:
    assert sum(bench.desk.balances.values()) == 0
    assert bench.held("layout:t1") == bench.held("jackpots:t1") == 0


@pytest.mark.parametrize("game", FROM_RIGHT)
def test_each_seat_is_turned_up_and_settled_from_the_dealers_right(game: str) -> None:
    ante = {"ante": 1000} | ({"odds": 1000} if game == "four-card-frenzy" else {})
    bench = Bench(game, source="keyed").opened(1, 3, 6).dealt({1: ante, 3: ante, 6: ante}, {})
    stay = "raise" if game == "four-card-frenzy" else "play"
    for seat in (1, 3, 6):
        bench.dealer("decide", seat=seat, choice=stay, amount=1000)
    for early in ("settle", "discard"):
        assert bench.refused(Role.DEALER, early)[0] in ("nothing-to-settle", "phase")
    assert all(card == "??" for card in view(bench.table, "p9")["round"]["hands"]["seat 6"])
    bench.dealer("reveal")
    for turned in ((6,), (6, 3), (6, 3, 1)):
        bench.dealer("settle", turns=1)
        hands = view(bench.table, "p9")["round"]["hands"]
        assert {seat for seat in (1, 3, 6) if "??" not in hands[f"seat {seat}"]} == set(turned)
        assert tuple(dict.fromkeys(line["seat"] for line in bench.lines())) == turned
    assert bench.table.phase == "collecting"
    assert all(line["cite"] and line["why"] for line in bench.lines())
    assert bench.refused(Role.DEALER, "settle")[0] == "phase"


@pytest.mark.law("649a.11(c)(2)", "649a.11(c)(3)(ii)(A)", "649a.11(c)(3)(ii)(B)", "649a.11(c)(3)(ii)(C)")
@pytest.mark.law("649a.11(c)(4)", "649a.11(c)(5)", "649a.11(c)(6)", "649a.11(c)(7)", "649a.11(c)(8)", "649a.11(c)(9)")
def test_three_card_poker_against_a_dealer_who_plays() -> None:
    every = {
        "ante": 1000, "pair_plus": 500, "three_card_progressive": 100, "six_card_bonus": 500,
        "five_card_progressive": 100, "five_card_hand_player": 100, "five_card_hand_dealer": 100,
        "five_of_six_progressive": 100,
    }  # fmt: skip
    bench = Bench("three-card-poker", source="keyed").opened(1, 3, 6)
    two = {"ante": 1000, "pair_plus": 500}
    hands: Hands = {6: "7c 9c 8c", 3: "Qh 6d 4c", 1: "3d Qs 8s", "dealer": "3s Qd 8h", "community": "Kh 2d"}
    bench.dealt({1: two, 3: two, 6: every}, hands)
    bench.until("collecting")
    # Straight flush: Ante Bonus 5 to 1, Pair Plus 35 to 1, progressive 70 for 1; the rest makes nothing.
    assert settled(bench, 6) == [
        ("ante", "win", 1000, "649a.11(c)(3)(ii)(B)"),
        ("play", "win", 1000, "649a.11(c)(3)(ii)(B)"),
        ("ante_bonus", "win", 5000, "649a.12(b)"),
        ("pair_plus", "win", 17_500, "649a.11(c)(4)"),
        ("three_card_progressive", "win", 6900, "649a.11(c)(5)(iv)"),
        ("six_card_bonus", "lose", -500, "649a.11(c)(6)"),
        ("five_card_progressive", "lose", -100, "649a.11(c)(7)"),
        ("five_card_hand_player", "lose", -100, "649a.11(c)(8)"),
        ("five_card_hand_dealer", "lose", -100, "649a.11(c)(8)"),
        ("five_of_six_progressive", "lose", -100, "649a.11(c)(9)"),
    ]
    assert settled(bench, 3) == [
        ("ante", "lose", -1000, "649a.11(c)(3)(ii)(A)"),
        ("play", "lose", -1000, "649a.11(c)(3)(ii)(A)"),
        ("pair_plus", "lose", -500, "649a.11(c)(4)"),
    ]
    assert settled(bench, 1) == [
        ("ante", "push", 0, "649a.11(c)(3)(ii)(C)"),
        ("play", "push", 0, "649a.11(c)(3)(ii)(C)"),
        ("pair_plus", "lose", -500, "649a.11(c)(4)"),
    ]
    assert [bench.chips(player) for player in ("p6", "p3", "p1")] == [1_030_500, 997_500, 999_500]
    money_is_whole(bench)


@pytest.mark.law("649a.11(c)(3)(i)")
def test_three_card_poker_against_a_dealer_below_queen_high() -> None:
    bench = Bench("three-card-poker", source="keyed").opened(2)
    bench.dealt({2: {"ante": 1000}}, {2: "4c 3d 2h", "dealer": "Jd 8h 3s"})
    bench.dealer("decide", seat=2, choice="play")
    bench.until("collecting")
    assert settled(bench, 2) == [
        ("ante", "win", 1000, "649a.11(c)(3)(i)"),
        ("play", "push", 0, "649a.11(c)(3)(i)"),
        ("ante_bonus", "win", 1000, "649a.12(b)"),  # a straight, 1 to 1
    ]
    assert bench.chips("p2") == 1_002_000
    money_is_whole(bench)


@pytest.mark.law("641a.11(c)(2)", "641a.11(c)(3)(i)", "641a.11(c)(3)(ii)", "641a.11(c)(4)", "641a.11(c)(5)")
@pytest.mark.law("641a.11(c)(6)(i)", "641a.11(c)(6)(ii)", "641a.11(c)(6)(iii)", "641a.11(c)(7)")
@pytest.mark.law("641a.11(c)(8)(i)", "641a.11(c)(8)(ii)")
def test_four_card_poker_against_the_dealer() -> None:
    every = {
        "ante": 1000, "aces_up": 500, "four_card_progressive": 100, "five_card_progressive": 100, "bad_beat": 500,
        "five_card_hand_player": 100, "five_card_hand_dealer": 100, "six_card_bonus": 500,
    }  # fmt: skip
    some = {"ante": 1000, "bad_beat": 500, "six_card_bonus": 500}
    bench = Bench("four-card-poker", source="keyed").opened(1, 3, 7)
    hands: Hands = {
        7: "9c 9d 9h 4s 2c", 3: "Ac Ad 5h 5s 2d", 1: "Kc Kd Qh Jh 2h",
        "dealer": "Kh Ks Qc Qd 7s 6h", "six_card_bonus_card": "9s",
    }  # fmt: skip
    bench.dealt({1: some, 3: some, 7: every}, hands)
    bench.dealer("decide", seat=1, choice="play", amount=1500)
    bench.dealer("decide", seat=3, choice="play", amount=2000)
    bench.dealer("decide", seat=7, choice="play", amount=3000)
    bench.until("collecting")
    # Three nines beat the dealer's kings and queens: Ante Bonus 2 to 1, Aces Up 9 to 1, progressive 9 for 1. The
    # dealer's two pair was beaten, 4 to 1; four nines with the bonus card, 50 to 1.
    assert settled(bench, 7) == [
        ("ante", "win", 1000, "641a.11(c)(3)(ii)"),
        ("play", "win", 3000, "641a.11(c)(3)(ii)"),
        ("ante_bonus", "win", 2000, "641a.12(b)"),
        ("aces_up", "win", 4500, "641a.11(c)(4)"),
        ("four_card_progressive", "win", 800, "641a.11(c)(5)(iv)"),
        ("five_card_progressive", "win", 800, "641a.11(c)(5)(iv)"),
        ("bad_beat", "win", 2000, "641a.11(c)(6)(ii)"),
        ("five_card_hand_player", "lose", -100, "641a.11(c)(7)"),
        ("five_card_hand_dealer", "lose", -100, "641a.11(c)(7)"),
        ("six_card_bonus", "win", 25_000, "641a.11(c)(8)(ii)"),
    ]
    # Aces and fives beat kings and queens, whose two pair is the losing hand.
    assert settled(bench, 3) == [
        ("ante", "win", 1000, "641a.11(c)(3)(ii)"),
        ("play", "win", 2000, "641a.11(c)(3)(ii)"),
        ("bad_beat", "win", 2000, "641a.11(c)(6)(ii)"),
        ("six_card_bonus", "lose", -500, "641a.11(c)(8)(i)"),
    ]
    # A pair of kings loses, and was no two pair.
    assert settled(bench, 1) == [
        ("ante", "lose", -1000, "641a.11(c)(3)(i)"),
        ("play", "lose", -1500, "641a.11(c)(3)(i)"),
        ("bad_beat", "lose", -500, "641a.11(c)(6)(iii)"),
        ("six_card_bonus", "lose", -500, "641a.11(c)(8)(i)"),
    ]
    assert [bench.chips(player) for player in ("p7", "p3", "p1")] == [1_038_900, 1_004_500, 996_500]
    money_is_whole(bench)


@pytest.mark.law("641a.11(c)(3)(ii)", "641a.11(c)(6)(i)", "641a.11(c)(6)(iii)")
def test_four_card_poker_pays_a_tie_and_a_beaten_two_pair() -> None:
    bench = Bench("four-card-poker", source="keyed").opened(1, 2)
    bench.dealt(
        {1: {"ante": 1000, "bad_beat": 500}, 2: {"ante": 1000, "bad_beat": 500}},
        {1: "Kc Kd Qh Qs 2h", 2: "8c 8d 4h 4s 2d", "dealer": "Kh Ks Qc Qd 7s 6h"},
    )
    bench.dealer("decide", seat=1, choice="play", amount=1000)
    bench.dealer("decide", seat=2, choice="play", amount=1000)
    bench.until("collecting")
    assert settled(bench, 1) == [
        ("ante", "win", 1000, "641a.11(c)(3)(ii)"),
        ("play", "win", 1000, "641a.11(c)(3)(ii)"),
        ("bad_beat", "lose", -500, "641a.11(c)(6)(iii)"),
    ]
    assert settled(bench, 2)[2] == ("bad_beat", "win", 2000, "641a.11(c)(6)(i)")


@pytest.mark.law("684a.11(c)(2)(ii)(A)", "684a.11(c)(2)(ii)(B)", "684a.11(c)(3)(i)", "684a.11(c)(3)(ii)")
@pytest.mark.law("684a.11(c)(4)(i)(A)", "684a.11(c)(4)(i)(B)", "684a.11(c)(4)(ii)(B)")
@pytest.mark.law("684a.11(d)(1)(i)", "684a.11(d)(1)(ii)", "684a.11(d)(2)(i)", "684a.11(d)(2)(ii)")
@pytest.mark.law("684a.11(d)(3)(i)", "684a.11(d)(3)(ii)")
def test_four_card_frenzy_settles_ante_raise_odds_and_then_the_optional_wagers() -> None:
    both = {"ante": 1000, "odds": 1000}
    every = both | {"prime": 500, "four_card_bonus": 500, "all_six": 500}
    bench = Bench("four-card-frenzy", source="keyed").opened(1, 2, 4, 6)
    hands: Hands = {
        6: "Ac As Ad 4s 2s", 4: "Tc 9c 8c 2c Kd", 2: "8h 8d 4h 4d 2d", 1: "Ah 9d 7h 3s Jc",
        "dealer": "5c 5d 5h Qd 9h", "all_six_card": "4c",
    }  # fmt: skip
    bench.dealt({1: every, 2: both, 4: both, 6: every}, hands)
    for seat, amount in ((1, 1000), (2, 1000), (4, 2000), (6, 3000)):
        bench.dealer("decide", seat=seat, choice="raise", amount=amount)
    bench.until("collecting")
    # Three aces, 2 to 1 on the Odds and 8 to 1; four black cards, 1 to 1; aces full with the bonus card, 25 to 1.
    assert settled(bench, 6) == [
        ("ante", "win", 1000, "684a.11(c)(2)(ii)(A)"),
        ("raise", "win", 3000, "684a.11(c)(3)(i)"),
        ("odds", "win", 2000, "684a.11(c)(4)(i)(A)"),
        ("prime", "win", 500, "684a.11(d)(1)(ii)"),
        ("four_card_bonus", "win", 4000, "684a.11(d)(2)(ii)"),
        ("all_six", "win", 12_500, "684a.11(d)(3)(ii)"),
    ]
    # A flush is beaten by three fives: the bad beat pays 3 to 2.
    assert settled(bench, 4) == [
        ("ante", "lose", -1000, "684a.11(c)(2)(ii)(B)"),
        ("raise", "lose", -2000, "684a.11(c)(3)(ii)"),
        ("odds", "win", 1500, "684a.11(c)(4)(i)(B)"),
    ]
    assert settled(bench, 2)[2] == ("odds", "lose", -1000, "684a.11(c)(4)(ii)(B)")
    assert settled(bench, 1)[3:] == [
        ("prime", "lose", -500, "684a.11(d)(1)(i)"),
        ("four_card_bonus", "lose", -500, "684a.11(d)(2)(i)"),
        ("all_six", "lose", -500, "684a.11(d)(3)(i)"),
    ]
    totals = [bench.chips(player) - 1_000_000 for player in ("p6", "p4", "p2", "p1")]
    assert totals == [23_000, -1500, -3000, -4500]
    money_is_whole(bench)


@pytest.mark.law("684a.11(c)(2)(i)", "684a.11(c)(4)(ii)(A)")
def test_four_card_frenzy_returns_the_ante_when_the_dealer_has_less_than_king_high() -> None:
    bench = Bench("four-card-frenzy", source="keyed").opened(3)
    bench.dealt({3: {"ante": 1000, "odds": 1000}}, {3: "Kh 9d 6h 3s 2h", "dealer": "Qd 9h 7c 4d 2c"})
    bench.dealer("decide", seat=3, choice="raise", amount=1000)
    bench.until("collecting")
    assert settled(bench, 3) == [
        ("ante", "push", 0, "684a.11(c)(2)(i)"),
        ("raise", "win", 1000, "684a.11(c)(3)(i)"),
        ("odds", "push", 0, "684a.11(c)(4)(ii)(A)"),
    ]


@pytest.mark.parametrize(("game", "cite"), RECONSTRUCTED)
@pytest.mark.parametrize("dealing", DEVICE_NAMES)
def test_collected_cards_let_every_hand_be_found_again(game: str, cite: str, dealing: str) -> None:
    bench = Bench(game, submission_text(game, dealing), seed=11).opened(1, 2, 4)
    for _ in range(3):
        bench.ready()
        bench.wager_all(1, 2, 4)
        bench.until("collecting")
        play = bench.table.play
        assert play is not None
        drawn = {f"seat {seat.number}": seat.final_cards[len(seat.cards) :] for seat in play.as_round().seats}
        places = {dealt.to for dealt in play.dealt}
        collected = next(event for event in bench.dealer("discard") if event.kind == "cards.collected")
        assert collected.cites == (cite,)
        rack = {place: parse_cards(cards) for place, cards in collected.data["rack"]}
        assert rack == {place: play.hand(place) + drawn.get(place, ()) for place in places}
        assert len(rack) == len(collected.data["rack"])


@pytest.mark.parametrize("dealing", DEVICE_NAMES)
@pytest.mark.parametrize("game", CARD_GAMES)
def test_the_deck_is_shown_after_the_round_and_answers_for_the_deal(game: str, dealing: str) -> None:
    bench = Bench(game, submission_text(game, dealing), seed=5).opened(1, 3)
    for _ in range(2):
        events = bench.round(1, 3)
        promised = next(event for event in events if event.kind == "bets.closed").data["commitment"]
        shown = next(event for event in events if event.kind == "deck.revealed").data
        cards, salt = parse_cards(shown["cards"]), bytes.fromhex(shown["salt"])
        dealt = [
            card for event in events if event.kind in ("cards.dealt", "cards.drawn") for card, *_ in event.data["cards"]
        ]
        left = parse_cards(shown["left_deck"])
        assert left == parse_cards(" ".join(dealt))
        assert check_deal(promised, cards, salt, shown["cuts"], left) == ()
        changed = (left[1], left[0], *left[2:])
        assert [f.code for f in check_deal(promised, cards, salt, shown["cuts"], changed)] == ["dealt-card-differs"]
        before = [event.kind for event in events].index("deck.revealed")
        assert not any("salt" in event.data for event in events[:before])
