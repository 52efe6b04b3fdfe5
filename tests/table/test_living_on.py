"""A wager that lives on over several rounds: its chips, choices and player between them, and after a restart."""

from pathlib import Path

import pytest

from pitboss.api import rules_for
from pitboss.games.round import Decision, Round, Seat
from pitboss.games.settle import settle
from pitboss.ledger.recall import recall
from pitboss.ledger.review import review
from pitboss.ledger.store import Store
from pitboss.meters import UNITS_PER_CENT
from pitboss.table.events import carried_account, layout_account
from pitboss.table.fold import apply_all
from pitboss.table.roles import Role
from pitboss.table.solvency import money_findings
from pitboss.table.view import view
from pitboss.table.voiding import voided
from tests.ledger.house import House
from tests.table.driver import DAY, Bench

GAME, WAGER = "roulette", "touchdown"


def bench(*seats: int) -> Bench:
    return Bench(GAME, source="keyed").opened(*seats).ready()


def spin(at: Bench, number: str, **wagers: int) -> None:
    """One round: wagers of seat 1, a number keyed in, and everything settled."""
    for wager, amount in wagers.items():
        at.dealer("wager", seat=1, wager=wager, amount=amount)
    at.dealer("no_more_bets")
    at.plan = {"dice": number}
    at.until("wagering")


@pytest.mark.law("617a.3(f)", "617a.3(f)(2)", "617a.3(f)(2)(i)", "617a.4(d)")
def test_four_downs_are_played_in_four_rounds_with_other_wagers_between() -> None:
    table = bench(1)
    spin(table, "00", touchdown=500, red=1000)
    assert table.table.carried[1][WAGER].earlier == ("00",)
    assert table.table.carried[1][WAGER].decisions["team"].choice == "red"
    assert table.desk.balance(carried_account("t1")) == 500 * UNITS_PER_CENT
    assert table.desk.balance(layout_account("t1")) == 0
    assert table.refused(Role.DEALER, "wager", seat=1, wager=WAGER, amount=500) == ("wager-in-progress", "617a.3(f)")
    assert view(table.table, "p1")["carried"]["1"][WAGER]["stake"] == 500
    spin(table, "36")
    spin(table, "0", black=1000)
    spin(table, "3")
    before = len(table.log)
    spin(table, "32")
    # 15, 0, 3 and 15 yards toward red's end zone: 33 from the 50, the 17 yard line, 75 to 1 by table A.
    line = next(event.data for event in table.log[before:] if event.kind == "line.settled")
    assert (line["wager"], line["result"], line["net"], line["odds"]) == (WAGER, "win", 37_500, "75 to 1")
    assert table.table.carried == {}
    assert table.desk.balance(carried_account("t1")) == 0


def test_a_line_tells_of_the_spin_that_settles_it() -> None:
    """A round file may hold the downs too; other wagers know nothing of them."""
    seat = Seat(1, (), {"red": 1000, WAGER: 500}, {"team": Decision("red")})
    (line,) = settle(rules_for(GAME, DAY), Round((), (seat,), dice=("00", 36, 7))).lines
    assert (line.wager, line.why) == ("red", "The ball came to rest in 00. The wager does not cover it.")


def test_what_a_wheel_cannot_show_is_refused_with_what_it_can() -> None:
    table = bench(1)
    table.dealer("wager", seat=1, wager="red", amount=1000)
    table.dealer("no_more_bets")
    table.dealer("shake")
    for wrong in ("37", "000", "5 6", ""):
        (finding,) = table.why_not(Role.DEALER, {"command": "roll", "dice": wrong})
        assert finding.expected == "1 number from 0 to 36 or 00"


@pytest.mark.law("617a.3(f)(1)")
def test_any_number_loses_the_wager_at_once_and_a_next_one_may_be_made() -> None:
    table = bench(1)
    spin(table, "1", touchdown=500)
    assert table.table.carried == {}
    spin(table, "36", touchdown=500)


@pytest.mark.law("617a.3(f)(2)(ii)")
def test_the_losing_team_pays_even_money() -> None:
    table = bench(1)
    spin(table, "0", touchdown=500)
    for number in ("35", "33", "1", "00"):
        before = len(table.log)
        spin(table, number)
    line = next(event.data for event in table.log[before:] if event.kind == "line.settled")
    assert (line["odds"], line["net"]) == ("1 to 1", 500)


def test_a_round_that_is_void_is_no_down_and_leaves_the_wager_as_it_was() -> None:
    table = bench(1)
    spin(table, "00", touchdown=500)
    spin(table, "36")
    before = table.table.carried
    table.dealer("wager", seat=1, wager="red", amount=1000)
    table.dealer("no_more_bets")
    events = tuple(voided(table.table, table.desk, "announce-no-spin", "the ball left the wheel"))
    assert money_findings("t1", events, table.desk.balance) == ()
    table.table = apply_all(table.table, events)
    for event in events:
        table.desk.post(event.entries)
    assert table.table.carried == before
    assert table.desk.balance(carried_account("t1")) == 500 * UNITS_PER_CENT
    for number in ("1", "1", "1"):
        spin(table, number)
    assert table.table.carried == {}


def test_a_player_who_leaves_is_paid_and_nobody_takes_the_seat_meanwhile() -> None:
    table = bench(1, 2)
    spin(table, "00", touchdown=500)
    table.player("p1", "leave", seat=1)
    assert table.why_not(Role.DEALER, {"command": "sit", "seat": 1, "player": "p9"})[0].code == "seat-in-play"
    for number in ("0", "0", "0", "0"):
        spin(table, number)
    line = next(event.data for event in reversed(table.log) if event.kind == "line.settled")
    assert (line["odds"], line["net"]) == ("5 to 1", 2500)
    table.dealer("sit", seat=1, player="p9")


def test_the_wager_survives_a_restart_in_the_middle_and_the_ledger_verifies(tmp_path: Path) -> None:
    with Store(f"sqlite:///{tmp_path}/ledger.db", tmp_path / "anchor") as store:
        house = House(store).opened("t1", GAME, seats=(1, 2), source="keyed")
        house.until("t1", "wagering")
        house.dealer("t1", "wager", seat=1, wager=WAGER, amount=500)
        for number in ("00", "12", "31", "2"):
            house = House(store, seed=house.seed + 1, now=house.now)  # nothing is kept but the ledger
            house.dealer("t1", "no_more_bets")
            house.dealer("t1", "shake")
            house.dealer("t1", "roll", dice=number)
            house.until("t1", "wagering")
            assert not [finding for finding in review(store) if finding.severity == "error"]
        assert house.pit.table("t1").carried[1][WAGER].earlier == ("00", 12, 31, 2)
        assert not house.act("t1", Role.PIT_MANAGER, "close_table").accepted
        house.dealer("t1", "no_more_bets")
        house.dealer("t1", "shake")
        house.dealer("t1", "roll", dice="36")
        house.until("t1", "wagering")
        found = recall(store, "t1", 5)
        # 5 toward red, 15 and 3 toward black, 15 toward red: 2 from the 50 on red's side.
        (line,) = found.lines
        assert (line.player, line.wager, line.odds, line.net) == ("p1", WAGER, "10 to 1", 5000)
        assert not [finding for finding in review(store) if finding.severity == "error"]
