"""Section .7 at the live table, and the announcement of .8 to .10: who wagers, with what, and until when."""

from collections import Counter
from typing import Any

import pytest

from pitboss.meters import UNITS_PER_CENT
from pitboss.table.autoplay import plain_wagers
from pitboss.table.deciding import choices_when_left, deciding_now
from pitboss.table.roles import Role
from pitboss.table.ruling import rules_at
from pitboss.table.state import Phase
from tests.table.driver import (
    CARD_GAMES,
    CHAPTERS,
    DEVICE_NAMES,
    GAME_NAMES,
    PRINTED,
    Bench,
    every_game,
    submission_text,
    with_choices,
)

CLOSED = {
    "three-card-poker": "649a.7(c)", "four-card-poker": "641a.7(c)", "four-card-frenzy": "684a.7(c)",
    "lunar-poker": "671a.7(d)",
}  # fmt: skip
BOXES = {"three-card-poker": "649a.7(f)", "four-card-poker": "641a.7(e)", "four-card-frenzy": "684a.7(e)"}
ANNOUNCED = {"manual-shoe": "8(b)", "hand": "9(a)(3)", "automated-shoe": "10(a)(2)"}
LEAST = {
    "three-card-poker": {"ante": 1000}, "four-card-poker": {"ante": 1000},
    "four-card-frenzy": {"ante": 1000, "odds": 1000}, "lunar-poker": {"ante": 1000, "super": 1000},
}  # fmt: skip
SEATS = {"three-card-poker": 7, "four-card-poker": 7, "four-card-frenzy": 6, "lunar-poker": 5}
PROGRESSIVES = {
    # A chip of $1 for each, and what of it goes to the meter: the percentages of .12 in units of 1/10,000 cent.
    "three-card-poker": {
        "three_card_progressive": 14, "five_card_progressive": 21, "five_of_six_progressive": 28,
    },
    "four-card-poker": {"four_card_progressive": 29, "five_card_progressive": 21},
}  # fmt: skip
COUNTED = [
    pytest.param(game, dealing, marks=pytest.mark.law(f"{CHAPTERS[game]}.{ANNOUNCED[dealing]}"), id=f"{game}-{dealing}")
    for game in PROGRESSIVES
    for dealing in DEVICE_NAMES
]


def place(bench: Bench, *seats: int) -> None:
    for seat in seats:
        for wager, amount in LEAST[bench.game].items():
            bench.dealer("wager", seat=seat, wager=wager, amount=amount)


def boxed(game: str, boxes: int) -> Bench:
    return Bench(game, with_choices(submission_text(game), adjacent_boxes=boxes)).opened(3).ready()


@pytest.mark.parametrize("game", every_game("7(a)"))
def test_wagers_are_chips_on_the_layout_and_never_spoken_with_cash(game: str) -> None:
    bench = Bench(game).opened(1).ready()
    bench.dealer("sit", seat=2, player="p2")
    spoken: dict[str, Any] = {"seat": 2, "wager": "ante", "amount": 1000}
    for role, person in ((Role.PLAYER, "p2"), (Role.DEALER, "")):
        assert bench.denied(role, "wager", person, **spoken) == ("chips", f"{CHAPTERS[game]}.7(a)")
    # Cash goes into the drop box, chips come out of the inventory, and only the chips become a wager.
    before = dict(bench.desk.balances)
    (event,) = bench.buy_in("p2", 1000)
    assert event.cites == (f"{CHAPTERS[game]}.7(a)",)
    moved = {name: units - before.get(name, 0) for name, units in bench.desk.balances.items()}
    moved = {name: units // UNITS_PER_CENT for name, units in moved.items() if units}
    assert moved == {"cash": -1000, "drop:t1": 1000, "inventory:t1": -1000, "player:p2": 1000}
    refusal = bench.denied(Role.PLAYER, "wager", "p2", seat=2, wager="ante", amount=1001)
    assert refusal == ("chips", f"{CHAPTERS[game]}.7(a)")
    bench.player("p2", "wager", **spoken)
    assert bench.chips("p2") == 0
    assert bench.held("layout:t1") == 1000 * UNITS_PER_CENT
    assert bench.denied(Role.DEALER, "wager", seat=1, wager="a promise", amount=1000)[0] == "unknown-wager"
    bench.player("p2", "withdraw", seat=2, wager="ante")
    assert (bench.chips("p2"), bench.held("layout:t1")) == (1000, 0)


@pytest.mark.parametrize("game", every_game("7(b)"))
def test_only_the_player_in_the_seat_wagers_there(game: str) -> None:
    cite = f"{CHAPTERS[game]}.7(b)"
    bench = Bench(game).opened(1, 2).ready()
    ante: dict[str, Any] = {"wager": "ante", "amount": 1000}
    assert bench.denied(Role.DEALER, "wager", seat=3, **ante) == ("not-seated", cite)
    assert bench.denied(Role.PLAYER, "wager", "p9", seat=3, **ante) == ("not-yours", cite)
    assert bench.denied(Role.PLAYER, "wager", "p2", seat=1, **ante) == ("not-yours", cite)
    assert bench.denied(Role.CASHIER, "buy_in", amount=1000, player="p9", slip=bench.slip()) == ("not-seated", cite)
    bench.player("p2", "wager", seat=2, **ante)
    assert bench.denied(Role.PLAYER, "withdraw", "p1", seat=2, wager="ante") == ("not-yours", cite)
    assert bench.denied(Role.PLAYER, "sit", "p9", seat=2) == ("seat-taken", cite)
    assert bench.denied(Role.PLAYER, "sit", "p1", seat=3) == ("seated-already", cite)


@pytest.mark.parametrize("game", every_game("7(b)"))
def test_who_leaves_during_the_round_leaves_the_wagers_behind(game: str) -> None:
    cite = f"{CHAPTERS[game]}.7(b)"
    bench = Bench(game).opened(1, 2).ready()
    place(bench, 1, 2)
    assert bench.denied(Role.PLAYER, "leave", "p1", seat=1)[0] == "wagers-on-layout"
    bench.until("deciding")
    assert bench.denied(Role.FLOORPERSON, "abandon", seat=1) == ("not-left", cite)
    staked, held = sum(LEAST[game].values()), bench.chips("p1")
    (event,) = bench.player("p1", "leave", seat=1)
    assert (event.data["live"], event.cites) == ([1], (cite,))
    assert bench.chips("p1") == held
    assert bench.denied(Role.DEALER, "sit", seat=1, player="p9") == ("seat-in-play", cite)
    assert bench.denied(Role.PLAYER, "decide", "p1", seat=1, choice="fold") == ("not-yours", cite)
    assert bench.denied(Role.DEALER, "abandon", seat=1)[0] == "permission"
    bench.floor("abandon", seat=1)
    lost = [line for line in bench.lines() if line["seat"] == 1]
    assert {line["wager"]: line["net"] for line in lost} == {w: -a for w, a in LEAST[game].items()}
    assert {line["cite"] for line in lost} == {cite}
    while bench.table.play is not None:
        bench.step()
    assert bench.chips("p1") == held == 1_000_000 - staked
    assert bench.held("layout:t1") == 0
    bench.dealer("sit", seat=1, player="p9")


@pytest.mark.parametrize("game", BOXES)
def test_nobody_takes_the_box_of_live_wagers_over(game: str) -> None:
    bench = boxed(game, 2)
    bench.dealer("sit", seat=4, player="p4")
    bench.buy_in("p4", 100_000)
    place(bench, 3, 4)
    bench.until("deciding")
    bench.dealer("leave", seat=4)
    assert bench.denied(Role.PLAYER, "take_box", "p3", seat=4) == ("seat-in-play", f"{CHAPTERS[game]}.7(b)")


@pytest.mark.parametrize("game", every_game("2(a)"))
def test_seats_are_those_of_the_table(game: str) -> None:
    bench = Bench(game).opened()
    for seat in (0, -1, SEATS[game] + 1):
        assert bench.denied(Role.PLAYER, "sit", "p1", seat=seat) == ("seat-number", f"{CHAPTERS[game]}.2(a)")
    bench.player("p1", "sit", seat=SEATS[game])


@pytest.mark.parametrize(
    "game",
    [pytest.param(game, marks=pytest.mark.law(BOXES.get(game, "671a.7(e)"))) for game in PRINTED],
)
def test_one_box_unless_the_submission_allows_more(game: str) -> None:
    cite = BOXES.get(game, "671a.7(e)")
    bench = boxed(game, 1)
    for seat in (2, 4, 1):
        assert bench.denied(Role.PLAYER, "take_box", "p3", seat=seat) == ("adjacent-boxes", cite)
    assert bench.denied(Role.DEALER, "wager", seat=4, wager="ante", amount=1000)[0] == "not-seated"


@pytest.mark.parametrize("game", [pytest.param(game, marks=pytest.mark.law(cite)) for game, cite in BOXES.items()])
def test_adjacent_boxes_as_many_as_the_submission_says(game: str) -> None:
    cite = BOXES[game]
    bench = boxed(game, 2)
    bench.dealer("sit", seat=2, player="p2")
    assert bench.denied(Role.PLAYER, "take_box", "p3", seat=1) == ("adjacent-boxes", cite)  # not beside seat 3
    assert bench.denied(Role.PLAYER, "take_box", "p3", seat=5) == ("adjacent-boxes", cite)
    assert bench.denied(Role.PLAYER, "take_box", "p3", seat=2) == ("seat-taken", cite)
    assert bench.denied(Role.PLAYER, "take_box", "p9", seat=4)[0] == "not-seated"
    bench.player("p3", "take_box", seat=4)
    assert bench.denied(Role.PLAYER, "take_box", "p3", seat=5) == ("adjacent-boxes", cite)  # a third
    place(bench, 3, 4)
    bench.until("dealing")
    bench.dealer("deal")
    assert bench.table.play is not None
    assert bench.table.play.players == {3: "p3", 4: "p3"}
    assert len(bench.table.play.hand("seat 3")) == len(bench.table.play.hand("seat 4")) > 0
    while bench.table.play is not None:
        bench.step()
    bench.player("p3", "release_box", seat=4)
    assert bench.table.boxes == {2: "p2", 3: "p3"}


@pytest.mark.parametrize("game", [pytest.param(game, marks=pytest.mark.law(cite)) for game, cite in CLOSED.items()])
def test_after_no_more_bets_no_wager_is_made_changed_or_withdrawn(game: str) -> None:
    bench = Bench(game).opened(1, 2).ready()
    bench.wager_all(1)
    bench.player("p1", "wager", seat=1, wager="ante", amount=2000)  # until then wagers change freely
    bench.player("p1", "wager", seat=1, wager="ante", amount=1000)
    bench.dealer("no_more_bets")
    seen = set()
    while bench.table.in_round:
        seen.add(bench.table.phase)
        for role, person in ((Role.DEALER, ""), (Role.PLAYER, "p1")):
            for amount in (2000, 500):
                refusal = bench.denied(role, "wager", person, seat=1, wager="ante", amount=amount)
                assert refusal == ("phase", CLOSED[game])
            assert bench.denied(role, "withdraw", person, seat=1, wager="ante") == ("phase", CLOSED[game])
        assert bench.denied(Role.PLAYER, "wager", "p2", seat=2, wager="ante", amount=1000) == ("phase", CLOSED[game])
        assert bench.denied(Role.DEALER, "no_more_bets")[0] == "phase"
        bench.step()
    assert seen >= {Phase.DEALING, Phase.DECIDING, Phase.REVEALING, Phase.COLLECTING}
    bench.player("p2", "wager", seat=2, wager="ante", amount=1000)  # for the next round


@pytest.mark.parametrize(
    ("game", "dealing"),
    [
        pytest.param(game, dealing, marks=pytest.mark.law(f"{CHAPTERS[game]}.{ANNOUNCED[dealing]}"))
        for game in PRINTED
        for dealing in DEVICE_NAMES
    ],
)
def test_no_card_leaves_before_the_announcement(game: str, dealing: str) -> None:
    cite = f"{CHAPTERS[game]}.{ANNOUNCED[dealing]}"
    bench = Bench(game, submission_text(game, dealing)).opened(1).ready()
    assert bench.denied(Role.DEALER, "no_more_bets") == ("no-wager", cite)
    place(bench, 1)
    assert bench.denied(Role.DEALER, "deal") == ("phase", cite)
    assert bench.denied(Role.FLOORPERSON, "no_more_bets")[0] == "permission"
    (event,) = bench.dealer("no_more_bets")
    assert (event.kind, event.cites) == ("bets.closed", (cite,))
    bench.dealer("deal")


@pytest.mark.parametrize(("game", "dealing"), COUNTED)
def test_progressive_wagers_feed_the_meter_at_the_announcement_and_their_chips_are_counted(
    game: str, dealing: str
) -> None:
    cite = f"{CHAPTERS[game]}.{ANNOUNCED[dealing]}"
    bench = Bench(game, submission_text(game, dealing)).opened(1, 2, 3).ready()
    place(bench, 1, 2, 3)
    for seat in (1, 3):
        for wager in PROGRESSIVES[game]:
            bench.dealer("wager", seat=seat, wager=wager, amount=100)
    chips, before = 2 * len(PROGRESSIVES[game]), dict(bench.desk.balances)
    bench.dealer("no_more_bets")
    assert bench.table.phase == "counting"
    for wager, percent in PROGRESSIVES[game].items():
        account = f"meter:t1-{wager}:meter"
        assert bench.held(account) - before[account] == 2 * percent * UNITS_PER_CENT
    assert bench.held("layout:t1") == before["layout:t1"]
    assert bench.denied(Role.DEALER, "deal") == ("phase", cite)
    for wrong in (0, chips - 1, chips + 1):
        assert bench.denied(Role.DEALER, "count_chips", count=wrong) == ("chip-count", cite)
    assert bench.denied(Role.FLOORPERSON, "count_chips", count=chips)[0] == "permission"
    (event,) = bench.dealer("count_chips", count=chips)
    assert event.cites == (cite,)
    # Counted, the chips go from the layout into the table inventory; the other wagers stay where they lie.
    assert bench.held("layout:t1") == before["layout:t1"] - chips * 100 * UNITS_PER_CENT
    assert bench.held("inventory:t1") == before["inventory:t1"] + chips * 100 * UNITS_PER_CENT
    bench.dealer("deal")


@pytest.mark.parametrize("leaves", [False, True])
@pytest.mark.parametrize(("game", "dealing"), COUNTED)
def test_a_progressive_wager_without_a_chip_is_returned_by_a_floorperson(game: str, dealing: str, leaves: bool) -> None:
    bench = Bench(game, submission_text(game, dealing)).opened(1, 2).ready()
    place(bench, 1, 2)
    wager = next(iter(PROGRESSIVES[game]))
    for seat in (1, 2):
        bench.dealer("wager", seat=seat, wager=wager, amount=100)
    bench.dealer("no_more_bets")
    meter = bench.held(f"meter:t1-{wager}:meter")
    if leaves:
        bench.player("p2", "leave", seat=2)
    assert bench.denied(Role.DEALER, "return_wager", seat=2, wager=wager)[0] == "permission"
    assert bench.denied(Role.FLOORPERSON, "return_wager", seat=2, wager="ante")[0] == "no-wager"
    bench.floor("return_wager", seat=2, wager=wager)
    assert bench.chips("p2") == 1_000_000 - sum(LEAST[game].values())
    assert bench.held(f"meter:t1-{wager}:meter") == meter
    bench.dealer("count_chips", count=1)
    while bench.table.play is not None:
        bench.step()
    assert sum(bench.desk.balances.values()) == 0


@pytest.mark.parametrize(("game", "dealing"), COUNTED)
def test_electronic_wagers_are_locked_and_need_no_count(game: str, dealing: str) -> None:
    bench = Bench(game, submission_text(game, dealing)).opened(1).ready()
    place(bench, 1)
    for wager in ("five_card_hand_player", "five_card_hand_dealer"):
        bench.dealer("wager", seat=1, wager=wager, amount=100)
    before = dict(bench.desk.balances)
    bench.dealer("no_more_bets")
    assert bench.table.phase == "dealing"
    assert bench.held("inventory:t1") - before["inventory:t1"] == 200 * UNITS_PER_CENT
    late: dict[str, Any] = {"seat": 1, "wager": "five_card_hand_player", "amount": 100}
    assert bench.denied(Role.PLAYER, "wager", "p1", **late) == ("phase", CLOSED[game])


@pytest.mark.law("671a.7")
def test_lunar_wagers_are_placed_ante_first_and_super_at_least_as_much() -> None:
    bench = Bench("lunar-poker").opened(1, 2).ready()
    assert bench.denied(Role.PLAYER, "wager", "p1", seat=1, wager="super_on_dealer", amount=1000)[0] == "precondition"
    bench.player("p1", "wager", seat=1, wager="ante", amount=2000)
    bench.player("p1", "wager", seat=1, wager="super", amount=1000)
    assert bench.denied(Role.DEALER, "no_more_bets")[1] == "671a.7(c)(2)"
    bench.player("p1", "wager", seat=1, wager="super", amount=2000)
    bench.player("p1", "wager", seat=1, wager="super_on_seat_2", amount=1000)
    bench.player("p1", "wager", seat=1, wager="super_on_dealer", amount=1000)
    assert bench.denied(Role.DEALER, "no_more_bets")[0] != "phase"  # seat 2 plays no hand
    place(bench, 2)
    bench.dealer("no_more_bets")
    assert bench.held("layout:t1") == 8000 * UNITS_PER_CENT


@pytest.mark.parametrize(
    ("game", "first", "then"),
    [
        pytest.param("three-card-poker", "ante", "six_card_bonus", marks=pytest.mark.law("649a.7(d)(5)")),
        pytest.param("four-card-poker", "ante", "six_card_bonus", marks=pytest.mark.law("641a.7(d)(8)")),
        pytest.param("four-card-frenzy", "odds", "all_six", marks=pytest.mark.law("684a.7(d)(4)")),
        pytest.param("lunar-poker", "ante", "super_on_dealer", marks=pytest.mark.law("671a.7(c)(3)")),
    ],
)
def test_an_optional_wager_stands_on_the_wager_before_it(game: str, first: str, then: str) -> None:
    bench = Bench(game).opened(1).ready()
    optional: dict[str, Any] = {"seat": 1, "wager": then, "amount": 1000}
    assert bench.denied(Role.PLAYER, "wager", "p1", **optional)[0] == "precondition"
    place(bench, 1)
    bench.player("p1", "wager", **optional)
    assert bench.denied(Role.PLAYER, "withdraw", "p1", seat=1, wager=first)[0] == "precondition"
    bench.player("p1", "withdraw", seat=1, wager=then)
    for wager in reversed(LEAST[game]):
        bench.player("p1", "withdraw", seat=1, wager=wager)
    assert bench.chips("p1") == 1_000_000


@pytest.mark.parametrize(
    ("game", "wager"),
    [
        pytest.param(
            "four-card-poker",
            "four_card_progressive",
            marks=pytest.mark.law("641a.2(c)", "641a.2(c)(1)", "641a.2(c)(2)"),
        ),
        pytest.param("four-card-poker", "five_card_hand_player", marks=pytest.mark.law("641a.2(b)(5)", "641a.2(d)")),
        pytest.param(
            "three-card-poker",
            "three_card_progressive",
            marks=pytest.mark.law("649a.2(c)", "649a.2(c)(1)", "649a.2(c)(2)"),
        ),
        pytest.param("three-card-poker", "five_card_hand_dealer", marks=pytest.mark.law("649a.2(b)(5)", "649a.2(d)")),
    ],
)
def test_the_system_acknowledges_each_position_and_is_locked_once_bets_are_closed(game: str, wager: str) -> None:
    bench = Bench(game).opened(1, 2).ready()
    for seat in (1, 2):
        bench.player(f"p{seat}", "wager", seat=seat, wager="ante", amount=1000)
    events = bench.player("p1", "wager", seat=1, wager=wager, amount=100)
    assert any(event.data.get("seat") == 1 and event.data.get("wager") == wager for event in events)
    bench.dealer("no_more_bets")
    assert bench.denied(Role.PLAYER, "wager", "p2", seat=2, wager=wager, amount=100)[0] == "phase"
    assert bench.table.play is not None
    assert wager not in bench.table.play.wagers[2]


@pytest.mark.law("625a.5(g)", "625a.1(d)(2)(i)")
@pytest.mark.parametrize("device", ["shaker", "automated-shaker", "open-automated-shaker", "player-activated-shaker"])
def test_when_wagers_on_dice_are_closed(device: str) -> None:
    """Under a cover the dice are shaken first and wagers are taken until "no more bets"; where the dice can be seen, or
    a player shakes them, every wager comes before."""
    bench = Bench("sic-bo", submission_text("sic-bo", device)).opened(1).ready()
    covered = device in ("shaker", "automated-shaker")
    wager: dict[str, Any] = {"seat": 1, "wager": "big", "amount": 1000}
    assert ("dice.shaken" in bench.kinds()) is covered
    bench.dealer("wager", **wager)
    assert bench.denied(Role.DEALER, "shake")[0] == "phase"
    assert bench.denied(Role.DEALER, "roll")[0] == "phase"
    bench.dealer("no_more_bets")
    assert bench.denied(Role.DEALER, "wager", **wager)[0] == "phase"
    assert bench.denied(Role.DEALER, "withdraw", seat=1, wager="big")[0] == "phase"
    if not covered:
        assert bench.denied(Role.DEALER, "roll") == ("not-shaken", "625a.5(d)")
        bench.dealer("shake")
    assert bench.denied(Role.DEALER, "shake")[0] == "shaken-already"
    assert bench.denied(Role.DEALER, "wager", **wager)[0] == "phase"
    bench.until("settling", "collecting")
    assert bench.kinds().count("dice.shaken") == bench.kinds().count("dice.rolled") == 1


@pytest.mark.law("625a.5(f)")
def test_the_dealer_clears_what_is_marked_after_the_last_wager_is_settled() -> None:
    bench = Bench("sic-bo").opened(1, 2).ready()
    for seat, wager in ((1, "big"), (2, "small")):
        bench.dealer("wager", seat=seat, wager=wager, amount=1000)
    bench.until("settling")
    assert bench.denied(Role.DEALER, "discard")[0] == "phase"
    bench.until("collecting")
    assert "dice.cleared" not in bench.kinds()
    cleared = next(event for event in bench.dealer("discard") if event.kind == "dice.cleared")
    assert cleared.cites == ("625a.5(f)",)


@pytest.mark.parametrize("game", GAME_NAMES)
def test_chips_stack_below_the_minimum_until_no_more_bets(game: str) -> None:
    """While wagers are open a player may add to them; the announcement says how much is missing, and where."""
    bench = Bench(game).opened(2, 3).ready()
    bench.wager_all(2, 3)
    known = {name: rules_at(bench.table).wager_named(name) for name in plain_wagers(bench.table)}
    wager, law = next((name, law) for name, law in known.items() if law is not None and not law.meter)
    whole, least = bench.table.staged[2][wager], rules_at(bench.table).limits(law.name).minimum
    bench.dealer("wager", seat=2, wager=wager, amount=least - 25)
    assert bench.denied(Role.DEALER, "wager", seat=2, wager=wager, amount=0)[0] == "below-minimum"
    found = [each for each in bench.why_not(Role.DEALER, {"command": "no_more_bets"}) if each.code == "below-minimum"]
    assert [each.where for each in found] == ["seat 2"]
    assert "$0.25 more is needed" in found[0].sentence
    bench.dealer("wager", seat=2, wager=wager, amount=whole)
    bench.dealer("no_more_bets")


def test_chips_of_a_player_who_left_move_by_no_choice_of_staff() -> None:
    """In every game and at every step: a seat that has been left can be chosen for only what costs nothing."""
    tried, free = 0, Counter[str]()
    for game in CARD_GAMES:
        bench = Bench(game).opened(1, 2, 3)
        bench.ready()
        for seat in (1, 2, 3):
            for wager, amount in plain_wagers(bench.table, seat).items():
                bench.dealer("wager", seat=seat, wager=wager, amount=amount)
        bench.until("deciding")
        for seat in (1, 2, 3):
            bench.dealer("leave", seat=seat)
        while bench.table.play is not None and bench.table.phase != "collecting":
            step, turn = deciding_now(bench.table)
            if step is None or not turn or bench.table.phase == "stub":
                bench.step()
                continue
            seat = turn[0]
            held, left = bench.chips(f"p{seat}"), bench.table.play.staked(seat)
            lawful = [option.name for option in choices_when_left(bench.table, seat, step)]
            for option in step.options(rules_at(bench.table), None):
                costs = bool(option.puts or option.takes_back or option.price)
                if option.name in lawful:
                    free[option.name] += 1
                    continue
                tried += costs
                for said in (None, 1_000, 3_000):
                    body = {"choice": option.name} | ({"amount": said} if said else {})
                    refused = {f.code for f in bench.why_not(Role.DEALER, {"command": "decide", "seat": seat, **body})}
                    assert "left-seat" in refused, (game, option.name, refused)
            bench.step()
            assert bench.chips(f"p{seat}") == held, (game, step.name)
            assert left == (bench.table.play.staked(seat) if bench.table.play else left) or game == "seven-card-stud"
    assert tried > 30
    assert {*free} >= {"fold", "check", "bring_in"}, free
