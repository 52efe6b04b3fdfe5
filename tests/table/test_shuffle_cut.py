"""Section .5 at the live table: shuffle, count, cut, recut, the idle table and the shoe that reshuffles by itself."""

import pytest

from pitboss.cards import parse_cards, show_card
from pitboss.table.roles import Role
from pitboss.table.state import Phase
from tests.table.driver import CHAPTERS, DEVICE_NAMES, PRINTED, Bench, every_game, submission_text

BETS_CLOSED = {
    "three-card-poker": "649a.7(c)", "four-card-poker": "641a.7(c)", "four-card-frenzy": "684a.7(c)",
    "lunar-poker": "671a.7(d)",
}  # fmt: skip


def by_hand(game: str) -> Bench:
    """A table without a shuffler, its cards washed."""
    return Bench(game).opened(1, 2).until("shuffling")


def reshuffling(game: str) -> Bench:
    return Bench(game, submission_text(game, "automated-shoe", reshuffles=True, counts=True)).opened(1, 2)


def finish(bench: Bench) -> None:
    while bench.table.play is not None:
        bench.step()


@pytest.mark.parametrize("shuffler", [False, True])
@pytest.mark.parametrize("game", every_game("5(a)"))
def test_cards_are_shuffled_before_play_and_after_every_round(game: str, shuffler: bool) -> None:
    bench = Bench(game, submission_text(game, shuffler=shuffler)).opened(1, 2).until("shuffling")
    method = "device" if shuffler else "hand"
    sealed = []
    for _ in range(3):
        assert bench.table.phase == "shuffling"
        assert bench.denied(Role.DEALER, "cut", at=20)[0] == "phase"
        for name in ("no_more_bets", "deal"):
            assert bench.denied(Role.DEALER, name)[0] == "phase"
        (event,) = bench.dealer("shuffle")
        assert (event.data["method"], event.cites) == (method, (f"{CHAPTERS[game]}.5(a)",))
        sealed.append(bench.desk.decks["t1", "red"].cards)
        assert bench.denied(Role.DEALER, "shuffle") == ("shuffled-already", f"{CHAPTERS[game]}.5(a)")
        bench.ready()
        bench.wager_all(1)
        bench.dealer("no_more_bets")
        finish(bench)
    assert len(set(sealed)) == 3
    assert all(len(set(cards)) == 52 for cards in sealed)


@pytest.mark.parametrize("game", every_game("5(a)"))
def test_a_floorperson_directs_a_shuffle(game: str) -> None:
    bench = by_hand(game).ready()
    before = bench.desk.decks["t1", "red"]
    assert bench.denied(Role.DEALER, "order_shuffle")[0] == "permission"
    bench.floor("order_shuffle", reason="cards dropped")
    assert bench.table.phase == "shuffling"
    assert bench.denied(Role.DEALER, "no_more_bets")[0] == "phase"
    bench.dealer("shuffle")
    assert bench.desk.decks["t1", "red"] != before
    assert bench.table.phase == "cutting"  # what was cut before counts no more


@pytest.mark.parametrize("count", [0, 51, 53])
@pytest.mark.parametrize("game", every_game("5(b)"))
def test_a_deck_that_the_shuffler_counts_wrong_leaves_the_table(game: str, count: int) -> None:
    bench = Bench(game, submission_text(game, counts=True)).opened(1).until("shuffling")
    right = bench.fork()
    right.dealer("shuffle", count=52)
    assert right.table.phase == "wagering"
    (event,) = bench.dealer("shuffle", count=count)
    assert (event.kind, event.cites) == ("deck.removed", (f"{CHAPTERS[game]}.5(b)",))
    assert (bench.table.decks, bench.table.phase) == ({}, Phase.OPENING)
    assert bench.denied(Role.DEALER, "shuffle")[0] == "phase"
    bench.round(1)  # new cards are received, inspected and played
    assert bench.kinds().count("decks.received") == 2


@pytest.mark.parametrize("game", PRINTED)
def test_a_shuffler_that_does_not_count_has_no_count(game: str) -> None:
    bench = Bench(game, submission_text(game, shuffler=True)).opened(1).until("shuffling")
    assert bench.denied(Role.DEALER, "shuffle", count=51) == ("count", f"{CHAPTERS[game]}.5(b)")


@pytest.mark.parametrize("dealing", DEVICE_NAMES)
@pytest.mark.parametrize("game", every_game("5", "5(c)", "5(c)(1)"))
def test_cards_shuffled_by_a_device_are_dealt_without_a_cut(game: str, dealing: str) -> None:
    bench = Bench(game, submission_text(game, dealing, shuffler=True)).opened(1).until("shuffling")
    bench.dealer("shuffle")
    assert bench.table.phase == "wagering"
    assert bench.denied(Role.DEALER, "cut", at=20) == ("phase", f"{CHAPTERS[game]}.5(d)")
    assert bench.denied(Role.FLOORPERSON, "order_recut") == ("no-cut", f"{CHAPTERS[game]}.5(e)")
    bench.wager_all(1)
    bench.until("dealing")
    (event,) = bench.dealer("deal", count=1)
    assert event.data["cards"][0][0] == show_card(bench.desk.decks["t1", "red"].cards[0])


@pytest.mark.parametrize("game", every_game("5", "5(c)", "5(c)(2)"))
def test_cards_shuffled_by_hand_are_cut(game: str) -> None:
    bench = by_hand(game)
    bench.dealer("shuffle")
    assert bench.table.phase == "cutting"
    bench.wager_all(1)
    assert bench.denied(Role.DEALER, "no_more_bets")[0] == "phase"
    assert bench.denied(Role.DEALER, "deal") == ("phase", f"{CHAPTERS[game]}.8(a)")
    bench.dealer("cut", at=26)
    bench.dealer("no_more_bets")


@pytest.mark.parametrize(("at", "accepted"), [(-1, False), (0, False), (9, False), (10, True), (51, True), (52, False)])
@pytest.mark.parametrize("game", every_game("5(d)"))
def test_the_cover_card_goes_at_least_ten_cards_in(game: str, at: int, accepted: bool) -> None:
    bench = by_hand(game)
    bench.dealer("shuffle")
    if not accepted:
        assert bench.denied(Role.DEALER, "cut", at=at) == ("cut-depth", f"{CHAPTERS[game]}.5(d)")
        assert bench.table.phase == "cutting"
        return
    stack = bench.desk.decks["t1", "red"].cards
    (event,) = bench.dealer("cut", at=at)
    assert event.cites == (f"{CHAPTERS[game]}.5(d)",)
    bench.wager_all(1, 2)
    bench.until("dealing")
    bench.dealer("deal")
    assert bench.table.play is not None
    dealt = bench.table.play.left_deck
    # What lay above the cover card went to the bottom: the deal begins below it.
    assert dealt == (stack[at:] + stack[:at])[: len(dealt)]


@pytest.mark.parametrize(
    ("game", "phase"),
    [
        pytest.param(game, phase, marks=pytest.mark.law(f"{CHAPTERS[game]}.5(e)"))
        for game in PRINTED
        for phase in ("wagering", "counting", "dealing")
        if phase != "counting" or game in ("three-card-poker", "four-card-poker")
    ],
)
def test_a_recut_is_ordered_until_the_first_card_is_dealt(game: str, phase: str) -> None:
    chapter = CHAPTERS[game]
    bench = by_hand(game).ready()
    stack = bench.desk.decks["t1", "red"].cards
    bench.wager_all(1)
    bench.until(phase)
    money = dict(bench.desk.balances)
    assert bench.denied(Role.DEALER, "order_recut")[0] == "permission"
    assert bench.denied(Role.PLAYER, "order_recut")[0] == "permission"
    for at in (12, 40):  # more than once, where it has to be
        (event,) = bench.floor("order_recut", reason="the cover card slipped")
        assert event.cites == (f"{chapter}.5(e)",)
        assert bench.denied(Role.DEALER, "deal")[0] == "phase"
        assert bench.denied(Role.DEALER, "cut", at=9) == ("cut-depth", f"{chapter}.5(d)")
        bench.dealer("cut", at=at)
        assert bench.table.phase == phase
    assert bench.desk.balances == money
    bench.until("dealing")
    bench.dealer("deal", count=1)
    for at in (26, 12, 40):  # the first cut of the guide, then the two others
        stack = stack[at:] + stack[:at]
    assert bench.table.play is not None
    assert bench.table.play.left_deck == stack[:1]
    assert bench.denied(Role.FLOORPERSON, "order_recut") == ("cards-dealt", f"{chapter}.5(e)")
    bench.dealer("deal")
    assert bench.denied(Role.FLOORPERSON, "order_recut") == ("phase", f"{chapter}.5(e)")
    finish(bench)
    assert sum(bench.desk.balances.values()) == 0


@pytest.mark.parametrize("game", PRINTED)
def test_a_recut_after_no_more_bets_reopens_nothing(game: str) -> None:
    bench = by_hand(game).ready()
    bench.wager_all(1)
    bench.until("dealing")
    bench.floor("order_recut")
    closed = ("phase", BETS_CLOSED[game])
    assert bench.denied(Role.DEALER, "wager", seat=1, wager="ante", amount=2000) == closed
    assert bench.denied(Role.DEALER, "wager", seat=2, wager="ante", amount=1000) == closed
    assert bench.denied(Role.DEALER, "withdraw", seat=1, wager="ante") == closed
    for role, name, fields in (
        (Role.FLOORPERSON, "order_shuffle", {}),
        (Role.FLOORPERSON, "change_decks", {}),
        (Role.FLOORPERSON, "close_table", {}),
        (Role.PIT_MANAGER, "change_limits", {"wager": "ante", "minimum": 500, "maximum": 5000}),
        (Role.DEALER, "spread_idle", {}),
        (Role.DEALER, "shuffle", {"deck": "red"}),
    ):
        assert bench.denied(role, name, **fields)[0] in {"phase", "deck-in-play"}
    bench.dealer("cut", at=30)
    finish(bench)
    assert bench.table.rounds == 1
    assert bench.desk.balances["layout:t1"] == 0


@pytest.mark.parametrize("face_up", [False, True])
@pytest.mark.parametrize("game", every_game("5(f)"))
def test_the_cards_of_an_idle_table_are_spread_and_made_ready_again(game: str, face_up: bool) -> None:
    chapter = CHAPTERS[game]
    bench = by_hand(game)
    bench.round(1)
    bench.ready()
    bench.dealer("wager", seat=1, wager="ante", amount=1000)
    assert bench.denied(Role.DEALER, "spread_idle") == ("gaming-activity", f"{chapter}.5(f)")
    bench.dealer("withdraw", seat=1, wager="ante")
    for seat in (1, 2):
        bench.dealer("leave", seat=seat)
    (event,) = bench.dealer("spread_idle", face_up=face_up)
    assert (event.data["face_up"], event.cites) == (face_up, (f"{chapter}.5(f)",))
    assert bench.table.phase == "idle"
    assert bench.table.deck is not None
    assert (bench.table.deck.shuffled, bench.table.deck.cuts) == ("", ())
    # First somebody comes and looks, then the cards are washed, shuffled and cut.
    assert bench.denied(Role.DEALER, "player_inspected") == ("no-player", f"{chapter}.4(b)")
    bench.dealer("sit", seat=2, player="p2")
    for name in ("wash_cards", "spread_cards", "inspect_cards"):
        assert bench.denied(Role.DEALER, name)[0] in {"opening-order", "phase"}
    for name, fields in (
        ("shuffle", {}),
        ("cut", {"at": 20}),
        ("no_more_bets", {}),
        ("wager", {"seat": 2, "wager": "ante", "amount": 1000}),
    ):
        assert bench.denied(Role.DEALER, name, **fields)[0] == "phase"
    start = len(bench.log)
    bench.ready()
    assert bench.kinds(start) == ["cards.viewed", "cards.washed", "cards.shuffled", "cards.cut"]
    bench.round(2)
    assert bench.table.rounds == 2


@pytest.mark.parametrize("game", every_game("5(g)"))
def test_where_a_shoe_reshuffles_there_is_no_cut_no_recut_and_no_idle_spread(game: str) -> None:
    chapter = CHAPTERS[game]
    bench = reshuffling(game).until("shuffling")
    bench.dealer("shuffle")
    assert bench.table.phase == "wagering"
    assert bench.denied(Role.DEALER, "cut", at=20)[0] == "phase"
    assert bench.denied(Role.FLOORPERSON, "order_recut") == ("reshuffling-shoe", f"{chapter}.5(g)")
    assert bench.denied(Role.DEALER, "spread_idle") == ("reshuffling-shoe", f"{chapter}.5(g)")
    bench.round(1, 2)
    assert bench.table.phase == "shuffling"
    assert "cards.cut" not in bench.kinds()

    # Not even preshuffled cards are cut, neither the first deck nor the second.
    fresh = Bench(game, submission_text(game, "automated-shoe", reshuffles=True, decks=2)).opened(1)
    fresh.floor("receive_decks", preinspected=True)
    for deck in ("red", "blue"):
        assert (fresh.table.phase, fresh.table.active) == (Phase.WAGERING, deck)
        fresh.round(1)


@pytest.mark.parametrize("game", PRINTED)
def test_cards_shuffled_by_hand_while_the_device_is_broken_are_cut_again(game: str) -> None:
    bench = reshuffling(game).ready()
    bench.dealer("irregularity", what="device-out-of-order", device="shuffler")
    bench.dealer("cover_device", device="shuffler")
    bench.floor("change_method", shuffling="hand")
    assert bench.table.phase == "shuffling"
    bench.dealer("shuffle")
    assert bench.table.phase == "cutting"
    bench.dealer("cut", at=10)
    bench.floor("order_recut")


@pytest.mark.parametrize("game", PRINTED)
def test_the_deck_is_shown_after_the_round_with_its_cuts(game: str) -> None:
    bench = by_hand(game)
    bench.round(1, 2)
    shown = next(event.data for event in bench.log if event.kind == "deck.revealed")
    stack = parse_cards(shown["cards"])
    left = parse_cards(shown["left_deck"])
    assert shown["cuts"] == [26]
    assert left == (stack[26:] + stack[:26])[: len(left)]
