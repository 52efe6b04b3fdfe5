"""Section .3 at the live table: one deck or two, the rack between them, and when decks are changed."""

import pytest

from pitboss.table.desk import HOUR
from pitboss.table.roles import Role
from pitboss.table.state import Phase
from tests.table.driver import CHAPTERS, DEVICE_NAMES, PRINTED, Bench, every_game, submission_text

HOURS = {"manual-shoe": 8, "hand": 4, "automated-shoe": 8}
CHANGE = {"manual-shoe": "3(c)(2)", "hand": "3(c)(1)", "automated-shoe": "3(c)(2)"}


def with_two_decks(game: str, dealing: str = "manual-shoe") -> Bench:
    return Bench(game, submission_text(game, dealing, decks=2)).opened(1, 2)


@pytest.mark.parametrize("game", every_game("3(a)", "3(b)"))
def test_one_deck_and_with_a_shuffler_two(game: str) -> None:
    one, two = Bench(game).opened(1), with_two_decks(game)
    assert one.denied(Role.FLOORPERSON, "receive_decks", backs=["red", "blue"]) == ("decks", f"{CHAPTERS[game]}.3(a)")
    for backs in (["red"], ["red", "blue", "green"]):
        assert two.denied(Role.FLOORPERSON, "receive_decks", backs=backs) == ("decks", f"{CHAPTERS[game]}.3(b)")
    one.floor("receive_decks")
    two.floor("receive_decks")
    assert (len(one.table.decks), len(two.table.decks)) == (1, 2)
    assert one.denied(Role.FLOORPERSON, "receive_decks")[0] == "decks"


@pytest.mark.parametrize("game", every_game("3(b)(1)"))
def test_the_backs_of_two_decks_differ_in_colour(game: str) -> None:
    bench = with_two_decks(game)
    refusal = bench.denied(Role.FLOORPERSON, "receive_decks", backs=["red", "red"])
    assert refusal == ("deck-backs", f"{CHAPTERS[game]}.3(b)(1)")
    bench.floor("receive_decks", backs=["red", "green"])
    assert list(bench.table.decks) == ["red", "green"]


@pytest.mark.parametrize("game", every_game("3(b)(3)"))
def test_two_decks_take_turns_round_by_round(game: str) -> None:
    bench = with_two_decks(game)
    for _ in range(5):
        bench.round(1, 2)
    closed = [event.data["deck"] for event in bench.log if event.kind == "bets.closed"]
    shown = [event.data["deck"] for event in bench.log if event.kind == "deck.revealed"]
    assert closed == shown == ["red", "blue", "red", "blue", "red"]


@pytest.mark.parametrize("game", every_game("3(b)(2)"))
def test_the_other_deck_is_shuffled_and_stored_while_one_is_played(game: str) -> None:
    bench = with_two_decks(game).ready()
    bench.wager_all(1, 2)
    bench.until("dealing")
    red = bench.table.decks["red"]
    assert bench.denied(Role.DEALER, "shuffle", deck="red") == ("deck-in-play", f"{CHAPTERS[game]}.3(b)(2)")
    bench.dealer("shuffle", deck="blue")
    stored = bench.table.decks["blue"]
    assert stored.shuffled == "device"
    assert stored.commitment
    assert bench.table.decks["red"] == red
    assert bench.table.phase == "dealing"
    while bench.table.play is not None:
        bench.step()
    # The stored deck is dealt next as it is: no shuffle between the rounds.
    assert (bench.table.phase, bench.table.active) == (Phase.WAGERING, "blue")
    assert bench.table.deck == stored
    bench.wager_all(1)
    bench.dealer("no_more_bets")
    assert [event.data["commitment"] for event in bench.log if event.kind == "bets.closed"][1] == stored.commitment


@pytest.mark.parametrize("game", every_game("3(b)(4)"))
def test_the_rack_takes_no_second_deck(game: str) -> None:
    bench = with_two_decks(game).ready()
    bench.wager_all(1, 2)
    bench.until("dealing")
    bench.dealer("deal")
    if game == "lunar-poker":  # no stub: the first cards of the round go to the rack when they are collected
        bench.dealer("shuffle", deck="blue")
        bench.until("collecting")
        bench.dealer("irregularity", what="shuffler-jam")
        act = "discard"
    else:
        act = "stub"
    assert bench.denied(Role.DEALER, act) == ("one-deck-in-rack", f"{CHAPTERS[game]}.3(b)(4)")
    # Where the shuffler has failed, the deck cannot be stored in it and nobody waits for it.
    broken = bench.fork()
    broken.dealer("irregularity", what="device-out-of-order", device="shuffler")
    broken.dealer(act)
    bench.dealer("shuffle", deck="blue")
    bench.dealer(act)
    while bench.table.play is not None:
        bench.step()
    assert sum(event.kind == "cards.collected" for event in bench.log) == 1


@pytest.mark.parametrize("dealing", DEVICE_NAMES)
@pytest.mark.parametrize("game", PRINTED)
def test_two_decks_by_every_device_keep_alternating_when_played_by_the_guide(game: str, dealing: str) -> None:
    bench = with_two_decks(game, dealing)
    for _ in range(6):
        bench.round(1, 2)
    closed = [event.data["deck"] for event in bench.log if event.kind == "bets.closed"]
    assert closed == ["red", "blue"] * 3
    assert sum(bench.desk.balances.values()) == 0


@pytest.mark.parametrize(
    ("game", "dealing"),
    [
        pytest.param(game, dealing, marks=pytest.mark.law(f"{chapter}.3(c)", f"{chapter}.{CHANGE[dealing]}"))
        for game, chapter in CHAPTERS.items()
        if game in PRINTED
        for dealing in DEVICE_NAMES
    ],
)
def test_decks_are_changed_at_the_hour_and_not_before(game: str, dealing: str) -> None:
    bench = Bench(game, submission_text(game, dealing)).opened(1).ready()
    bench.wager_all(1)
    received = next(deck.received for deck in bench.table.decks.values())
    due = received + HOURS[dealing] * HOUR
    bench.desk.now = due
    assert bench.denied(Role.DEALER, "no_more_bets") == ("deck-change-due", f"{CHAPTERS[game]}.{CHANGE[dealing]}")
    bench.desk.now = due - 1
    early = bench.fork()
    early.dealer("no_more_bets")
    early.desk.now = due  # a round that has begun is finished with its cards
    while early.table.play is not None:
        early.step()

    bench.desk.now = due
    assert bench.denied(Role.DEALER, "change_decks")[0] == "permission"
    events = bench.floor("change_decks")
    assert [event.cites for event in events] == [(f"{CHAPTERS[game]}.{CHANGE[dealing]}",)]
    assert (bench.table.decks, bench.table.phase) == ({}, Phase.OPENING)
    bench.until("wagering")
    assert next(deck.received for deck in bench.table.decks.values()) == due
    bench.dealer("no_more_bets")  # the wagers have waited on the layout, and the clock starts again


@pytest.mark.parametrize("game", PRINTED)
def test_a_wager_can_be_taken_back_while_new_decks_are_opened(game: str) -> None:
    bench = Bench(game).opened(1).ready()
    bench.wager_all(1)
    bench.floor("change_decks", reason="worn")
    for wager in reversed(bench.table.staged[1]):
        bench.player("p1", "withdraw", seat=1, wager=wager)
    assert bench.table.staged == {}
    assert bench.chips("p1") == 1_000_000
    assert bench.desk.balances["layout:t1"] == 0


@pytest.mark.parametrize("game", PRINTED)
def test_play_goes_on_with_the_other_deck_when_one_is_removed(game: str) -> None:
    bench = Bench(game, submission_text(game, counts=True, decks=2)).opened(1)
    bench.round(1)
    bench.ready()
    bench.wager_all(1)
    bench.until("dealing")
    bench.dealer("shuffle", deck="red", count=51)  # blue is in play
    assert list(bench.table.decks) == ["blue"]
    while bench.table.play is not None:
        bench.step()
    assert (bench.table.phase, bench.table.active) == (Phase.SHUFFLING, "blue")
    bench.round(1)
    assert [event.data["deck"] for event in bench.log if event.kind == "bets.closed"] == ["red", "blue", "blue"]
