"""Section .13 and .7(b) at the table: what goes wrong, what the law has done about it, and that no cent is lost."""

from collections import Counter
from collections.abc import Sequence
from random import Random

import pytest

from pitboss.cards import parse_cards, show_card
from pitboss.table.autoplay import plain_wagers
from pitboss.table.fold import apply_all
from pitboss.table.guide import next_step
from pitboss.table.roles import Role
from pitboss.table.source import check_deal
from pitboss.table.state import Table
from pitboss.table.voiding import stakes_of
from tests.table.driver import CHAPTERS, DEVICE_NAMES, PRINTED, Bench, Hands, submission_text
from tests.table.test_settlement import money_is_whole, settled

SEATS = (1, 2, 4)
START = 1_000_000
FROM_DEAL = ("dealing", "stub", "deciding", "revealing", "settling")
LUNAR_PHASES = ("dealing", "deciding", "locked", "drawing", "revealing", "settling")


def every_chapter(*paragraphs: str) -> Sequence[object]:
    """Each game with its chapter, marked as proof of these paragraphs of it."""
    return [
        pytest.param(game, chapter, marks=pytest.mark.law(*(f"{chapter}.{each}" for each in paragraphs)))
        for game, chapter in CHAPTERS.items()
        if game in PRINTED
    ]


def opened(game: str, dealing: str = "manual-shoe", *, shuffler: bool | None = None, decks: int = 1) -> Bench:
    text = submission_text(game, dealing, shuffler=shuffler, decks=decks)
    return Bench(game, text, seed=23).opened(*SEATS).ready()


def closed(game: str, dealing: str = "manual-shoe") -> Bench:
    """Wagers at three seats, progressive ones too; the cards are about to be dealt."""
    bench = opened(game, dealing)
    bench.wager_all(*SEATS)
    return bench.until("dealing")


def meters(bench: Bench) -> dict[str, int]:
    return {account: units for account, units in bench.desk.balances.items() if account.startswith("meter:")}


def all_is_returned(bench: Bench, cite: str) -> None:
    """The last event voided the round; everybody has what he came with, and another round can be played."""
    void = bench.log[-1]
    assert (void.kind, void.cites) == ("round.voided", (cite,))
    assert bench.table.play is None
    assert bench.table.phase == "shuffling"
    assert [bench.chips(f"p{seat}") for seat in SEATS] == [START] * 3
    assert bench.held("inventory:t1") == (50_000_000 - 3 * START) * 10_000
    money_is_whole(bench)
    assert bench.table.deck is not None
    assert not bench.table.deck.shuffled
    assert bench.refused(Role.DEALER, "no_more_bets")[0] == "phase"
    another_round(bench)


def another_round(bench: Bench) -> None:
    before = bench.table.rounds
    bench.round(*bench.table.boxes)
    assert bench.table.rounds == before + 1
    assert "round.completed" in bench.kinds()[-4:]
    money_is_whole(bench)


# (a) Cards found face up


@pytest.mark.parametrize("dealing", DEVICE_NAMES)
@pytest.mark.parametrize(("game", "chapter"), every_chapter("13(a)"))
def test_one_card_found_face_up_is_not_used(game: str, chapter: str, dealing: str) -> None:
    bench = closed(game, dealing)
    undisturbed = bench.fork().until("deciding", "revealing").table.play
    assert undisturbed is not None
    bench.dealer("deal", count=4)
    found = bench.dealer("irregularity", what="card-face-up-in-shoe")[-1]
    assert (found.kind, found.cites) == ("card.found-face-up", (f"{chapter}.13(a)",))
    (card,) = parse_cards(found.data["cards"])
    assert card == undisturbed.left_deck[4]
    bench.until("deciding", "revealing")
    play = bench.table.play
    assert play is not None
    assert play.unused == (card,)
    assert card not in [dealt.card for dealt in play.dealt]
    # Every place has as many cards as ever, and the next card took the place of the one found.
    assert [dealt.to for dealt in play.dealt] == [dealt.to for dealt in undisturbed.dealt]
    assert play.dealt[:4] == undisturbed.dealt[:4]
    assert [dealt.card for dealt in play.dealt[4:-1]] == [dealt.card for dealt in undisturbed.dealt[5:]]
    assert bench.refused(Role.DEALER, "irregularity", what="card-face-up-in-shoe") == ("phase", f"{chapter}.13(a)")
    bench.until("collecting")
    events = bench.dealer("discard")
    rack = next(event for event in events if event.kind == "cards.collected").data["rack"]
    assert rack[0] == ["face up in the deck", found.data["cards"]]
    shown = next(event for event in events if event.kind == "deck.revealed").data
    left = parse_cards(shown["left_deck"])
    assert card in left
    assert not check_deal(
        shown["commitment"], parse_cards(shown["cards"]), bytes.fromhex(shown["salt"]), shown["cuts"], left
    )
    money_is_whole(bench)


@pytest.mark.parametrize("dealing", DEVICE_NAMES)
@pytest.mark.parametrize(("game", "chapter"), every_chapter("13(a)"))
def test_a_second_card_found_face_up_voids_the_round(game: str, chapter: str, dealing: str) -> None:
    bench = closed(game, dealing)
    bench.dealer("deal", count=2)
    together = bench.fork()
    bench.dealer("irregularity", what="card-face-up-in-shoe")
    bench.dealer("deal", count=3)
    bench.dealer("irregularity", what="card-face-up-in-shoe")
    all_is_returned(bench, f"{chapter}.13(a)")
    together.dealer("irregularity", what="card-face-up-in-shoe", count=2)
    all_is_returned(together, f"{chapter}.13(a)")


@pytest.mark.parametrize(("game", "chapter"), every_chapter("13(a)"))
def test_the_count_of_cards_found_face_up_goes_by_round(game: str, chapter: str) -> None:  # noqa: ARG001
    bench = closed(game)
    for _ in range(2):
        bench.dealer("irregularity", what="card-face-up-in-shoe")
        bench.until("collecting")
        bench.dealer("discard")
        bench.ready()
        bench.wager_all(*SEATS)
        bench.until("dealing")
    assert "round.voided" not in bench.kinds()


@pytest.mark.parametrize(("game", "chapter"), every_chapter("13(a)"))
def test_a_physical_deck_says_which_card_lay_face_up(game: str, chapter: str) -> None:
    bench = Bench(game, source="keyed").opened(*SEATS).ready()
    bench.wager_all(*SEATS)
    bench.until("dealing")
    what = {"what": "card-face-up-in-shoe"}
    assert bench.refused(Role.DEALER, "irregularity", **what) == ("no-card", f"{chapter}.13(a)")
    assert bench.refused(Role.DEALER, "irregularity", **what, cards="As Ks")[0] == "card-count"
    bench.dealer("irregularity", **what, cards="As")
    assert bench.refused(Role.DEALER, "deal", cards="As")[0] == "card-already-seen"
    assert bench.refused(Role.DEALER, "irregularity", **what, cards="As")[0] == "card-already-seen"
    bench.dealer("irregularity", **what, cards="Ks")
    all_is_returned(bench, f"{chapter}.13(a)")


@pytest.mark.law("671a.13(a)", "671a.13(b)")
def test_cards_of_the_draw_may_be_irregular_too() -> None:
    wagers = {seat: {"ante": 1000, "super": 1000} for seat in SEATS}
    hands: Hands = {1: "2c 5d 7h 9s Jc", 2: "3c 4d 8h Ts Qc", 4: "2d 4h 6s 9c Jd", "dealer": "Kc Kd 3h 6c 7d"}
    bench = Bench("lunar-poker", source="keyed").opened(*SEATS).dealt(wagers, hands)
    for seat in SEATS:
        bench.dealer("decide", seat=seat, choice="buy")
    bench.until("drawing")
    bench.dealer("irregularity", what="card-drawn-in-error")
    bench.dealer("irregularity", what="card-face-up-in-shoe", cards="Ah")
    assert bench.refused(Role.DEALER, "draw", cards="Ah")[0] == "card-already-seen"
    bench.dealer("draw", cards="Ad")
    bench.dealer("decide", seat=1, choice="bet")
    bench.dealer("irregularity", what="card-face-up-in-shoe", cards="As")
    # Ante, Super, Options fee and Bet of seat 1 come back although the fee and the Supers had been collected.
    all_is_returned(bench, "671a.13(a)")


# (b) A card drawn in error


@pytest.mark.parametrize("dealing", DEVICE_NAMES)
@pytest.mark.parametrize(("game", "chapter"), every_chapter("13(b)"))
def test_a_card_drawn_in_error_is_the_next_card(game: str, chapter: str, dealing: str) -> None:
    bench = closed(game, dealing)
    undisturbed = bench.fork().until("deciding", "revealing").table.play
    bench.dealer("deal", count=3)
    error = bench.dealer("irregularity", what="card-drawn-in-error")[-1]
    assert error.cites == (f"{chapter}.13(b)",)
    assert bench.table.play is not None
    assert bench.table.play.pending_card
    bench.dealer("deal", count=1)
    assert not bench.table.play.pending_card
    bench.until("deciding", "revealing")
    assert undisturbed is not None
    assert bench.table.play.dealt == undisturbed.dealt
    assert bench.refused(Role.DEALER, "irregularity", what="card-drawn-in-error")[0] == "phase"


# (c) A wrong number of cards


@pytest.mark.parametrize("whose", [None, 2])
@pytest.mark.parametrize(("game", "chapter"), every_chapter("13(c)"))
def test_a_wrong_number_of_cards_voids_the_round_in_every_phase(game: str, chapter: str, whose: int | None) -> None:
    for phase in LUNAR_PHASES if game == "lunar-poker" else FROM_DEAL:
        bench = closed(game)
        grown = meters(bench)
        if phase == "dealing":
            bench.dealer("deal", count=5)
        elif phase == "drawing":
            bench.until("deciding")
            for seat in SEATS:
                if seat in [2, 4]:
                    bench.dealer("decide", seat=seat, choice="buy")
            bench.until("drawing")
            bench.step()
        bench.until(phase)
        if phase in ("settling", "locked"):
            bench.dealer("settle", turns=1)
            assert bench.lines()
        assert bench.refused(Role.PLAYER, "irregularity", what="wrong-number-of-cards")[0] == "permission"
        bench.dealer("irregularity", what="wrong-number-of-cards", seat=whose)
        assert meters(bench) == grown  # what was added at "no more bets" stays on the meter
        all_is_returned(bench, f"{chapter}.13(c)")


@pytest.mark.parametrize(("game", "chapter"), every_chapter("13(c)"))
def test_only_a_hand_of_the_round_can_have_a_wrong_number_of_cards(game: str, chapter: str) -> None:
    bench = closed(game)
    wrong = {"what": "wrong-number-of-cards"}
    assert bench.refused(Role.DEALER, "irregularity", **wrong, seat=3) == ("seat-number", f"{chapter}.13(c)")
    bench.until("collecting")
    assert bench.refused(Role.DEALER, "irregularity", **wrong) == ("phase", f"{chapter}.13(c)")


@pytest.mark.law("641a.13(c)")
def test_a_round_in_which_a_jackpot_was_paid_is_not_voided() -> None:
    each = {"aces_up": 500, "five_card_progressive": 100}
    hands: Hands = {2: "9c 7d 5h 3s 2c", 5: "Ah Kh Qh Jh Th", "dealer": "8c 8d 4h 4s 6d 2d"}
    bench = Bench("four-card-poker", source="keyed").opened(2, 5).dealt({2: each, 5: each}, hands)
    bench.until("settling")
    bench.floor("validate", seat=5)
    before = bench.fork()
    bench.dealer("settle", turns=1)
    refused = bench.refused(Role.FLOORPERSON, "irregularity", what="wrong-number-of-cards")
    assert refused == ("jackpot-paid", "641a.13(c)")
    before.floor("irregularity", what="wrong-number-of-cards")
    assert [before.chips(f"p{seat}") for seat in (2, 5)] == [START, START]
    money_is_whole(before)


# (d) A card of the dealer's exposed


@pytest.mark.parametrize(
    ("game", "cite", "phases", "over"),
    [
        pytest.param("three-card-poker", "649a.13(d)", FROM_DEAL[:-1], "settling", marks=pytest.mark.law("649a.13(d)")),
        pytest.param("four-card-poker", "641a.13(d)", FROM_DEAL[:-1], "settling", marks=pytest.mark.law("641a.13(d)")),
        pytest.param("lunar-poker", "671a.13(d)", LUNAR_PHASES[:3], "revealing", marks=pytest.mark.law("671a.13(d)")),
    ],
)
def test_a_card_of_the_dealers_exposed_too_early_voids_the_round(
    game: str, cite: str, phases: Sequence[str], over: str
) -> None:
    exposed = {"what": "dealer-card-exposed"}
    for phase in phases:
        bench = closed(game)
        if phase == "dealing":
            assert bench.refused(Role.DEALER, "irregularity", **exposed) == ("no-dealer-card", cite)
            bench.dealer("deal", count=6)
        bench.until(phase)
        bench.dealer("irregularity", **exposed)
        all_is_returned(bench, cite)
    later = closed(game).until(over)
    assert later.refused(Role.DEALER, "irregularity", **exposed)[1] == cite


@pytest.mark.law("671a.13(d)")
def test_lunar_voids_for_an_exposed_card_until_the_last_player_has_folded_or_bet() -> None:
    bench = closed("lunar-poker").until("deciding")
    for seat in SEATS:
        bench.dealer("decide", seat=seat, choice="buy")
    bench.until("drawing")
    for _ in range(5):
        bench.step()
    assert bench.table.phase == "drawing"
    early = bench.fork()
    early.dealer("irregularity", what="dealer-card-exposed")
    all_is_returned(early, "671a.13(d)")
    bench.step()
    assert bench.table.phase == "revealing"
    refused = bench.refused(Role.DEALER, "irregularity", what="dealer-card-exposed")
    assert refused == ("decisions-made", "671a.13(d)")
    bench.until("collecting")


FRENZY_HANDS: Hands = {
    1: "8c 8s 4c 4s 2d", 2: "Ac 9d 6h 3s 2c", 4: "Kd Kh 7c 5d 2h", "dealer": "Kc Qd 9c 5h 3d", "all_six_card": "8d",
}  # fmt: skip
FRENZY_WAGERS = {
    1: {"ante": 1000, "odds": 1000, "prime": 500, "four_card_bonus": 500, "all_six": 500},
    2: {"ante": 1000, "odds": 1000, "prime": 500},
    4: {"ante": 1000, "odds": 1000},
}


@pytest.mark.law("684a.13(d)")
@pytest.mark.parametrize("raised", [0, 1, 2])
def test_frenzy_returns_ante_odds_and_raise_but_settles_optional_wagers(raised: int) -> None:
    bench = Bench("four-card-frenzy", source="keyed").opened(*SEATS).dealt(FRENZY_WAGERS, FRENZY_HANDS)
    for seat in SEATS[:raised]:
        bench.dealer("decide", seat=seat, choice="raise", amount=1000)
    bench.dealer("irregularity", what="dealer-card-exposed")
    # Four black cards 1 to 1, two pair 2 to 1, eights full 25 to 1; three red cards and two black ones lose the Prime.
    assert settled(bench, 1) == [
        ("prime", "win", 500, "684a.11(d)(1)(ii)"),
        ("four_card_bonus", "win", 1000, "684a.11(d)(2)(ii)"),
        ("all_six", "win", 12_500, "684a.11(d)(3)(ii)"),
    ]
    assert settled(bench, 2) == [("prime", "lose", -500, "684a.11(d)(1)(i)")]
    assert settled(bench, 4) == []
    assert all("684a.13(d)" in event.cites for event in bench.log if event.kind == "line.settled")
    assert [bench.chips(f"p{seat}") - START for seat in SEATS] == [14_000, -500, 0]
    money_is_whole(bench)
    assert bench.log[-1].cites == ("684a.13(d)",)
    another_round(bench)


@pytest.mark.law("684a.7(b)", "684a.13(d)")
def test_frenzy_settles_optional_wagers_beside_those_of_a_player_who_left() -> None:
    bench = Bench("four-card-frenzy", source="keyed").opened(*SEATS).dealt(FRENZY_WAGERS, FRENZY_HANDS)
    bench.dealer("leave", seat=1)
    bench.floor("abandon", seat=1)
    bench.dealer("irregularity", what="dealer-card-exposed")
    # What came back to the others came back to seat 1 too; its optional wagers were lost when it left.
    assert [bench.chips(f"p{seat}") - START for seat in SEATS] == [-1500, -500, 0]
    money_is_whole(bench)


@pytest.mark.law("684a.13(d)")
def test_frenzy_plays_on_when_a_card_is_exposed_after_the_raises() -> None:
    bench = Bench("four-card-frenzy", source="keyed").opened(*SEATS).dealt(FRENZY_WAGERS, FRENZY_HANDS)
    for seat in SEATS:
        bench.dealer("decide", seat=seat, choice="fold" if seat == 2 else "raise", amount=None if seat == 2 else 1000)
    assert bench.refused(Role.DEALER, "irregularity", what="dealer-card-exposed") == ("decisions-made", "684a.13(d)")
    bench.until("collecting")
    money_is_whole(bench)


@pytest.mark.law("684a.13(d)")
def test_frenzy_returns_everything_when_hands_are_not_complete() -> None:
    bench = closed("four-card-frenzy")
    bench.dealer("deal", count=6)
    bench.dealer("irregularity", what="dealer-card-exposed")
    all_is_returned(bench, "684a.13(d)")


# (e), (f) Devices that jam


@pytest.mark.parametrize(("game", "chapter"), every_chapter("13(e)"))
def test_cards_of_a_shuffler_that_jams_are_shuffled_again(game: str, chapter: str) -> None:
    bench = opened(game, shuffler=True)
    bench.wager_all(*SEATS)
    commitment = bench.table.decks[bench.table.active].commitment
    jam = bench.dealer("irregularity", what="shuffler-jam")[-1]
    assert (jam.kind, jam.cites, bench.table.phase) == ("shuffle.failed", (f"{chapter}.13(e)",), "shuffling")
    assert bench.refused(Role.DEALER, "no_more_bets")[0] == "phase"
    assert not bench.table.decks[bench.table.active].shuffled
    bench.dealer("shuffle")
    assert bench.table.decks[bench.table.active].commitment not in ("", commitment)
    bench.until("dealing")  # the wagers on the layout stayed there
    refused = bench.refused(Role.DEALER, "irregularity", what="shuffler-jam")
    assert refused == ("nothing-shuffling", f"{chapter}.13(e)")
    by_hand = opened(game, shuffler=False)
    assert by_hand.refused(Role.DEALER, "irregularity", what="shuffler-jam") == ("no-shuffler", f"{chapter}.13(e)")


@pytest.mark.parametrize(("game", "chapter"), every_chapter("13(e)"))
def test_a_jam_during_play_concerns_the_deck_that_is_not_in_play(game: str, chapter: str) -> None:
    bench = opened(game, decks=2)
    bench.wager_all(*SEATS)
    bench.until("dealing")
    in_play, other = bench.table.active, bench.table.other_deck
    if not bench.table.decks[other].shuffled:
        bench.dealer("shuffle", deck=other)
    bench.until("deciding")
    cards = bench.table.play
    jam = bench.dealer("irregularity", what="shuffler-jam")[-1]
    assert (jam.data["deck"], jam.cites) == (other, (f"{chapter}.13(e)",))
    assert bench.table.phase == "deciding"
    assert bench.table.play == cards
    assert bench.table.decks[in_play].shuffled
    assert not bench.table.decks[other].shuffled
    bench.dealer("shuffle", deck=other)
    bench.until("wagering")
    assert bench.table.active == other
    another_round(bench)


@pytest.mark.parametrize(("game", "chapter"), every_chapter("13(f)"))
def test_a_shoe_that_jams_voids_the_round(game: str, chapter: str) -> None:
    for dealt_before in (0, 3, 8):
        bench = closed(game, "automated-shoe")
        if dealt_before:
            bench.dealer("deal", count=dealt_before)
        bench.dealer("irregularity", what="shoe-jam")
        all_is_returned(bench, f"{chapter}.13(f)")
    for dealing in ("manual-shoe", "hand"):
        bench = closed(game, dealing)
        assert bench.refused(Role.DEALER, "irregularity", what="shoe-jam") == ("no-shoe", f"{chapter}.13(f)")


# (g) Devices out of order


@pytest.mark.parametrize("how", ["cover", "sign"])
@pytest.mark.parametrize(("game", "chapter"), every_chapter("13(g)"))
def test_a_broken_shuffler_is_covered_or_signed_before_cards_are_shuffled_by_hand(
    game: str, chapter: str, how: str
) -> None:
    cite = f"{chapter}.13(g)"
    bench = opened(game, shuffler=True)
    by_hand = {"shuffling": "hand"}
    assert bench.refused(Role.FLOORPERSON, "change_method", **by_hand) == ("device-works", cite)
    assert bench.refused(Role.DEALER, "cover_device", device="shuffler") == ("device-works", cite)
    assert bench.refused(Role.DEALER, "irregularity", what="device-out-of-order", device="oven")[0] == "unknown-device"
    bench.dealer("irregularity", what="shuffler-jam")
    bench.dealer("irregularity", what="device-out-of-order", device="shuffler")
    assert bench.refused(Role.DEALER, "shuffle") == ("device-out-of-order", cite)
    assert bench.refused(Role.DEALER, "shuffle", method="hand") == ("method", cite)
    assert bench.refused(Role.FLOORPERSON, "change_method", **by_hand) == ("not-covered", cite)
    assert bench.refused(Role.DEALER, "cover_device", device="shuffler", how="kick") == ("how", cite)
    assert bench.dealer("cover_device", device="shuffler", how=how)[0].cites == (cite,)
    assert bench.refused(Role.DEALER, "change_method", **by_hand)[0] == "permission"
    assert bench.floor("change_method", **by_hand)[0].cites == (cite,)
    bench.dealer("shuffle")
    assert bench.table.phase == "cutting"  # what a hand shuffles is cut
    another_round(bench)
    bench.floor("repair_device", device="shuffler")
    assert (bench.table.failed, bench.table.covered, bench.table.shuffling) == ((), {}, "device")
    another_round(bench)


@pytest.mark.parametrize(("game", "chapter"), every_chapter("13(g)"))
def test_dealing_from_the_hand_ends_with_its_shuffler(game: str, chapter: str) -> None:
    bench = opened(game, "hand")
    bench.dealer("irregularity", what="device-out-of-order", device="shuffler")
    bench.dealer("cover_device", device="shuffler")
    refused = bench.refused(Role.FLOORPERSON, "change_method", shuffling="hand")
    assert refused == ("shuffler-required", f"{chapter}.9(a)(1)")
    shoe = {"shuffling": "hand", "dealing": "automated-shoe"}
    assert bench.refused(Role.FLOORPERSON, "change_method", **shoe) == ("unknown-device", f"{chapter}.13(g)")
    bench.floor("change_method", shuffling="hand", dealing="manual-shoe")
    another_round(bench)
    bench.floor("repair_device", device="shuffler")
    assert (bench.table.dealing, bench.table.shuffling) == ("hand", "device")
    another_round(bench)


@pytest.mark.parametrize(("game", "chapter"), every_chapter("13(g)"))
def test_a_broken_shoe_gives_way_to_another_way_of_dealing(game: str, chapter: str) -> None:
    bench = closed(game, "automated-shoe")
    broken = {"what": "device-out-of-order", "device": "automated-shoe"}
    assert bench.refused(Role.DEALER, "irregularity", **broken) == ("round-in-play", f"{chapter}.13(g)")
    bench.dealer("irregularity", what="shoe-jam")
    bench.dealer("irregularity", **broken)
    assert bench.refused(Role.FLOORPERSON, "change_method", dealing="manual-shoe")[0] == "not-covered"
    bench.dealer("cover_device", device="automated-shoe", how="sign")
    assert bench.refused(Role.FLOORPERSON, "change_method", dealing="hand")[0] == "shuffler-required"
    bench.floor("change_method", dealing="manual-shoe")
    another_round(bench)
    bench.floor("repair_device", device="automated-shoe")
    assert bench.table.dealing == "automated-shoe"
    another_round(bench)


@pytest.mark.parametrize(("game", "chapter"), every_chapter("13(g)"))
def test_without_its_shuffler_a_table_plays_on_with_one_deck(game: str, chapter: str) -> None:
    bench = opened(game, decks=2)
    active = bench.table.active
    bench.dealer("irregularity", what="device-out-of-order", device="shuffler")
    bench.dealer("cover_device", device="shuffler")
    removed = bench.floor("change_method", shuffling="hand")[1]
    assert (removed.kind, removed.cites[0].split(".")[0]) == ("deck.removed", chapter)
    assert list(bench.table.decks) == [active]
    another_round(bench)


# .7(b) A player who leaves


@pytest.mark.parametrize(("game", "chapter"), every_chapter("7(b)"))
def test_wagers_of_a_player_who_left_may_be_treated_as_lost(game: str, chapter: str) -> None:
    cite = f"{chapter}.7(b)"
    for phase in LUNAR_PHASES if game == "lunar-poker" else FROM_DEAL:
        bench = closed(game)
        if phase == "drawing":
            continue  # the draw has tests of its own
        bench.until(phase)
        if phase == "settling":
            assert bench.refused(Role.FLOORPERSON, "abandon", seat=2) == ("not-left", cite)
        spent = START - bench.chips("p2")
        bench.player("p2", "leave", seat=2)
        assert bench.log[-1].cites == (cite,)
        assert bench.refused(Role.DEALER, "sit", seat=2, player="p9") == ("seat-in-play", cite)
        paid = bench.fork()
        if phase == "dealing":
            bench.until("stub", "deciding")
        bench.floor("abandon", seat=2)
        lost = [line for line in bench.lines() if line.get("abandoned")]
        assert lost
        assert {(line["seat"], line["result"], line["cite"]) for line in lost} == {(2, "lose", cite)}
        bench.until("collecting")
        assert bench.chips("p2") == START - spent
        assert not [line for line in bench.lines() if line["seat"] == 2 and line["net"] > 0]
        money_is_whole(bench)
        bench.dealer("discard")
        another_round(bench)

        paid.until("collecting")  # nobody has to: the wagers may be played out, and a win is the player's
        total = sum(line["net"] for line in paid.lines() if line["seat"] == 2)
        assert paid.chips("p2") == START + total
        money_is_whole(paid)


@pytest.mark.law("649a.7(b)", "649a.11(c)(5)(v)")
def test_a_player_who_left_holds_no_hand_for_an_envy_bonus_and_gets_none() -> None:
    both = {"ante": 1000, "three_card_progressive": 100}
    hands: Hands = {1: "2c 5d 9h", 2: "As Ks Qs", 4: "Ah Kh Qh", "dealer": "Qd 8c 3h"}
    bench = Bench("three-card-poker", source="keyed").opened(*SEATS).dealt(dict.fromkeys(SEATS, both), hands)
    for seat in SEATS:
        bench.dealer("decide", seat=seat, choice="play")
    stays = bench.fork().until("collecting")
    envy = [(line["seat"], line["holder"], line["net"]) for line in stays.lines() if "holder" in line]
    assert envy == [(2, 4, 2500), (1, 4, 2500), (4, 2, 10_000), (1, 2, 10_000)]
    bench.dealer("leave", seat=2)
    bench.floor("abandon", seat=2)
    bench.until("collecting")
    assert [(line["seat"], line["holder"], line["net"]) for line in bench.lines() if "holder" in line] == [(1, 4, 2500)]
    assert not [event for event in bench.log if event.kind == "meter.paid"]


# Anything, at any moment

MISHAPS = (
    {"what": "card-face-up-in-shoe"}, {"what": "card-face-up-in-shoe", "count": 2}, {"what": "card-drawn-in-error"},
    {"what": "wrong-number-of-cards", "seat": 4}, {"what": "dealer-card-exposed"},
    {"what": "shuffler-jam"}, {"what": "shoe-jam"}, {"what": "exchange-unfilled"},
    {"what": "device-out-of-order", "device": "shuffler"},
)  # fmt: skip


def lying(bench: Bench) -> int:
    """What must lie on the layout in cents: staged wagers, and those of the round that no line has settled."""
    staged = sum(sum(made.values()) for made in bench.table.staged.values())
    play = bench.table.play
    if play is None:
        return staged
    gone = {(line.seat, line.settles) for line in play.lines}
    return staged + sum(
        stake
        for seat, made in stakes_of(bench.table, play).items()
        for wager, stake in made.items()
        if wager not in play.collected and (seat, wager) not in gone
    )


def mend(bench: Bench) -> None:
    """Cover a shuffler that is out of order and go on by hand, from a shoe."""
    if "shuffler" in bench.table.failed and bench.table.phase in ("shuffling", "cutting", "wagering"):
        bench.dealer("cover_device", device="shuffler")
        dealing = "manual-shoe" if bench.table.dealing == "hand" else bench.table.dealing
        bench.floor("change_method", shuffling="hand", dealing=dealing)
        bench.floor("repair_device", device="shuffler")


def any_decision(bench: Bench, chance: Random) -> bool:
    """Decide at random for the seat that is asked; False where nobody is."""
    step = next_step(bench.table, bench.desk)
    play = bench.table.play
    if step is None or step.role != Role.PLAYER or step.seat is None or play is None:
        return False
    hand = [show_card(card) for card in play.hand(f"seat {step.seat}")]
    discard = " ".join(chance.sample(hand, chance.randint(2, len(hand))))
    choices: list[dict[str, object]] = [
        {"choice": "fold"}, {"choice": "play", "amount": 1000}, {"choice": "raise", "amount": 1000}, {"choice": "bet"},
        {"choice": "buy"}, {"choice": "exchange", "discard": discard},
    ]  # fmt: skip
    made = [{"command": "decide", "seat": step.seat, **choice} for choice in choices]
    bench.do(Role.DEALER, chance.choice([each for each in made if not bench.why_not(Role.DEALER, each)]))
    return True


def leave_and_abandon(bench: Bench, seat: int) -> bool:
    """Let a player walk away from a round if a floorperson can treat the wagers as lost at once."""
    if bench.table.play is None or bench.table.phase in ("counting", "dealing", "collecting", "cutting"):
        return False
    bench.dealer("leave", seat=seat)
    bench.floor("abandon", seat=seat)
    return True


@pytest.mark.parametrize("game", PRINTED)
def test_whatever_goes_wrong_whenever_money_and_phases_stay_in_order(game: str) -> None:
    """Rounds with decisions and mishaps at random steps; afterwards the table plays on and every cent is explained."""
    voids: Counter[str] = Counter()
    happened: Counter[object] = Counter()
    for seed in range(24):
        chance = Random(f"{game} {seed}")
        dealing = DEVICE_NAMES[seed % 3]
        text = submission_text(game, dealing, shuffler=dealing == "hand" or seed % 2 == 0, decks=1 + (seed % 4 == 0))
        bench = Bench(game, text, seed=seed).opened(*SEATS)
        for _ in range(2):
            mend(bench)
            bench.ready()
            for seat in SEATS:
                if seat not in bench.table.boxes:
                    bench.dealer("sit", seat=seat, player=f"p{seat}")
            bench.wager_all(*SEATS)
            before = {seat: bench.chips(f"p{seat}") + sum(bench.table.staged[seat].values()) for seat in SEATS}
            start, number = len(bench.log), bench.table.rounds + 1
            mishap_at, leave_at = {chance.randrange(45) for _ in range(3)}, chance.randrange(50)
            for step in range(200):
                if step >= leave_at and not happened["left", seed]:
                    happened["left", seed] += leave_and_abandon(bench, chance.choice(SEATS))
                if step in mishap_at:
                    possible = [
                        each for each in MISHAPS
                        if not bench.why_not(Role.DEALER, {"command": "irregularity", **each})
                    ]  # fmt: skip
                    if possible:
                        seldom = min(happened[str(each)] for each in possible)
                        mishap = chance.choice([each for each in possible if happened[str(each)] == seldom])
                        happened[str(mishap)] += 1
                        bench.dealer("irregularity", **mishap)
                if bench.table.rounds == number and bench.table.play is None:
                    break
                mend(bench)
                if not any_decision(bench, chance):
                    deal_some = bench.table.phase == "dealing" and chance.random() < 0.8
                    bench.dealer("deal", count=1) if deal_some else bench.step()
                assert sum(bench.desk.balances.values()) == 0
                assert bench.held("layout:t1") == lying(bench) * 10_000
            assert bench.table.play is None
            ended = next(event for event in bench.log[start:] if event.kind in ("round.completed", "round.voided"))
            voided = ended.kind == "round.voided"
            stands = (
                ("prime", "four_card_bonus", "all_six") if voided and ended.data["act"] == "dealer-card-exposed" else ()
            )
            nets = Counter(dict.fromkeys(SEATS, 0))
            for line in bench.lines(start):
                if not voided or line["wager"] in stands:
                    nets[line["seat"]] += line["net"]
            assert {seat: bench.chips(f"p{seat}") - before[seat] for seat in SEATS} == dict(nets)
            if voided:
                voids[ended.data["act"]] += 1
            money_is_whole(bench)
        mend(bench)
        bench.until("shuffling", "cutting", "wagering")
        another_round(bench)
        assert apply_all(Table("t1"), bench.log) == bench.table
    assert set(voids) >= {"card-face-up-in-shoe", "wrong-number-of-cards", "dealer-card-exposed", "shoe-jam"}
    assert all(happened[str(each)] for each in MISHAPS if each["what"] != "exchange-unfilled")
    assert sum(happened["left", seed] for seed in range(24)) > 5


def test_every_wager_of_the_demonstration_is_on_the_layout_when_a_round_is_voided() -> None:
    """The tests above mean little if nothing but an Ante is at stake."""
    for game in PRINTED:
        assert len(plain_wagers(opened(game).table)) >= 3
