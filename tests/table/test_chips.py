"""Chips move with a slip, by a cashier or floorperson, within a limit, and nobody does it for himself."""

from dataclasses import replace
from typing import Any

import pytest

from pitboss.findings import FindingsError
from pitboss.games.settlement import Book
from pitboss.table.bounds import Bounds
from pitboss.table.command import players_at
from pitboss.table.desk import HOUR
from pitboss.table.events import MAY_OWE
from pitboss.table.roles import Role
from pitboss.table.state import CHIP_LIMIT, Phase
from tests.table.driver import Bench

MOVES = ("buy_in", "cash_out", "fill", "credit")


def opened() -> Bench:
    return Bench("three-card-poker").opened(1, 2, chips=100_000).ready()


def given(bench: Bench, name: str, **more: object) -> dict[str, object]:
    """One of the four acts, as a cashier would do it."""
    return {"amount": 1000, "slip": bench.slip(), **({"player": "p1"} if name in MOVES[:2] else {}), **more}


def refusal(bench: Bench, role: Role, name: str, person: str = "", **more: object) -> str:
    before = dict(bench.desk.balances)
    with pytest.raises(FindingsError) as refused:
        bench.do(role, {"command": name, **given(bench, name, **more)}, person)
    assert bench.desk.balances == before
    return refused.value.findings[0].code


@pytest.mark.parametrize("name", MOVES)
def test_only_the_houses_people_move_chips_and_only_with_the_next_slip(name: str) -> None:
    bench = opened()
    for role in (Role.PLAYER, Role.DEALER, Role.AUDITOR, Role.ADMINISTRATOR):
        assert refusal(bench, role, name, "p1" if role == Role.PLAYER else "") == "permission"
    used = bench.slip() - 1
    for slip in (0, -1, used, used + 101, 10**12):
        assert refusal(bench, Role.CASHIER, name, slip=slip) == "slip"
    for role in (Role.CASHIER, Role.FLOORPERSON, Role.PIT_MANAGER):
        (event,) = bench.do(role, {"command": name, **given(bench, name)})
        assert (event.data["slip"], event.data["day"]) == (bench.slip() - 1, "2024-07-02")
    assert bench.slip() == used + 4
    assert refusal(bench, Role.CASHIER, name, slip=used + 3) == "slip", "a slip is good once"


def test_slips_begin_anew_each_gaming_day_and_go_on_when_the_table_is_closed() -> None:
    bench = opened()
    last = bench.slip() - 1
    bench.floor("close_table", reason="slow")
    bench.manager("open_table", submission=bench.text, fill=1_000_000)
    assert bench.table.last_slip == last + 1, "the opening fill has a slip, too"
    bench.desk.now += 24 * HOUR
    assert bench.slip() == 1


@pytest.mark.parametrize("name", MOVES)
def test_above_the_limit_of_the_table_a_pit_manager_is_needed(name: str) -> None:
    bench = opened()
    bench.buy_in("p1", 2 * CHIP_LIMIT)
    for role in (Role.CASHIER, Role.FLOORPERSON):
        assert refusal(bench, role, name, amount=CHIP_LIMIT + 1) == "chip-limit"
        bench.do(role, {"command": name, **given(bench, name, amount=CHIP_LIMIT // 4)})
    bench.manager(name, **given(bench, name, amount=CHIP_LIMIT + 1))


def test_the_limit_is_a_setting_of_the_table() -> None:
    bench = Bench("three-card-poker")
    bench.manager("open_table", submission=bench.text, fill=1_000_000, chip_limit=5_000)
    assert refusal(bench, Role.CASHIER, "fill", amount=5_001) == "chip-limit"
    bench.do(Role.CASHIER, {"command": "fill", **given(bench, "fill", amount=5_000)})


def test_an_inventory_gives_no_more_than_it_has() -> None:
    bench = opened()
    held = bench.desk.balance("inventory:t1") // 10_000
    for name in ("buy_in", "credit"):
        assert refusal(bench, Role.PIT_MANAGER, name, amount=held + 1) == "overdrawn"
    bench.manager("credit", **given(bench, "credit", amount=held))
    with pytest.raises(FindingsError, match=r"The inventory of t1 is \$10 short for this: bring a fill first"):
        bench.manager("buy_in", **given(bench, "buy_in"))
    assert refusal(bench, Role.CASHIER, "cash_out", amount=100_001) == "chips"


def test_a_payout_beyond_the_inventory_waits_for_a_fill() -> None:
    bench = Bench("three-card-poker", source="keyed").opened(1, chips=100_000)
    bench.dealt({1: {"ante": 1000}}, {1: "Ah Ad Ac", "dealer": "Kh Qd 2c"})
    bench.manager("credit", **given(bench, "credit", amount=bench.desk.balance("inventory:t1") // 10_000))
    bench.dealer("decide", seat=1, choice="play")
    bench.until("settling")
    with pytest.raises(FindingsError, match="bring a fill first"):
        bench.dealer("settle")
    assert bench.table.phase == Phase.SETTLING
    bench.manager("fill", **given(bench, "fill", amount=100_000))
    bench.until("collecting")
    assert all(units >= 0 or account in MAY_OWE for account, units in bench.desk.balances.items())


class TestNobodyDealsToHimself:
    def test_who_works_at_a_table_takes_no_seat_there(self) -> None:
        bench = opened()
        assert bench.denied(Role.DEALER, "sit", seat=3, player="dealer-1")[0] == "self-dealing"
        bench.wager_all(1)
        bench.until("deciding")
        other = bench.why_not(Role.DEALER, {"command": "sit", "seat": 3, "player": "dealer-1"}, "dealer-2")
        assert [finding.code for finding in other] == ["self-dealing"], "nor does another dealer seat the one who deals"

    @pytest.mark.parametrize("role", [Role.DEALER, Role.FLOORPERSON, Role.CASHIER, Role.PIT_MANAGER])
    def test_who_plays_at_a_table_does_nothing_for_the_house_there(self, role: Role) -> None:
        bench = opened()
        bench.dealer("sit", seat=3, player="two-hats")
        acts = {
            Role.DEALER: ("no_more_bets", {}),
            Role.FLOORPERSON: ("fill", given(bench, "fill")),
            Role.CASHIER: ("buy_in", given(bench, "buy_in", player="two-hats")),
            Role.PIT_MANAGER: ("buy_in", given(bench, "buy_in", player="two-hats")),
        }
        bench.wager_all(1)
        name, fields = acts[role]
        assert bench.denied(role, name, "two-hats", **fields)[0] == "self-dealing"
        bench.do(role, {"command": name, **fields}, "somebody-else")

    def test_who_plays_is_known_by_a_seat_a_box_or_a_wager(self) -> None:
        """Any of them is enough: somebody may leave while his wagers lie on the felt."""
        bench = opened()
        bench.wager_all(1)
        table = bench.until("deciding").table
        nothing: dict[str, Any] = {"homes": {}, "boxes": {}, "play": None}
        assert players_at(replace(table, **nothing)) == frozenset()
        for kept in nothing:
            assert "p1" in players_at(replace(table, **{n: gone for n, gone in nothing.items() if n != kept})), kept


def test_a_stake_without_its_line_stops_the_round_and_is_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is wrong with a game's module, a live round does not end with chips that nobody settled."""
    enter = Book.enter

    def forgetful(book: Book, seat: int, wager: str, *rest: object, **more: object) -> None:
        if wager != "pair_plus":
            enter(book, seat, wager, *rest, **more)  # type: ignore[arg-type]

    bench = opened()
    bench.wager_all(1, 2)
    staked = bench.table.staged[1]["pair_plus"]
    bench.until("revealing")
    assert bench.refused(Role.FLOORPERSON, "irregularity", what="wager-unsettled")[0] == "wager-unsettled"
    monkeypatch.setattr(Book, "enter", forgetful)
    bench.table = bench.table.with_play(turned=0)  # the same round, of which nothing is kept
    with pytest.raises(FindingsError, match=rf"pair_plus of \${staked // 100} at seat 1 is settled by no line"):
        bench.dealer("reveal")
    bench.floor("irregularity", what="wager-unsettled")
    assert bench.table.play is None
    assert bench.desk.balance("layout:t1") == 0
    assert {bench.desk.balance(f"player:p{seat}") for seat in (1, 2)} == {100_000 * 10_000}


def test_no_one_moves_more_than_the_property_lets_anybody() -> None:
    """A fill of a billion dollars, in the act that opens the table or by itself; a table limit, a chip limit."""
    bench = Bench("three-card-poker")
    opening = {"command": "open_table", "submission": bench.text}
    for more, where in (({"fill": 10**11}, "fill"), ({"chip_limit": 10**11}, "chip_limit")):
        (finding,) = bench.why_not(Role.PIT_MANAGER, {**opening, **more})
        assert (finding.code, finding.where) == ("beyond-bound", where)
        assert "$1,000,000" in finding.sentence
    high = bench.text.replace("maximum = 1000", "maximum = 100_000.01")
    assert high != bench.text
    codes = {finding.code for finding in bench.why_not(Role.PIT_MANAGER, {**opening, "submission": high})}
    assert codes == {"beyond-bound"}
    bench.opened(1)
    for command in ("fill", "credit", "buy_in", "cash_out"):
        body = {"command": command, "amount": 100_000_001, "slip": bench.slip()}
        body |= {"player": "p1"} if command in ("buy_in", "cash_out") else {}
        assert "beyond-bound" in {finding.code for finding in bench.why_not(Role.PIT_MANAGER, body)}
    for _ in range(9):
        bench.manager("fill", amount=100_000_000, slip=bench.slip())
    refused = bench.why_not(Role.PIT_MANAGER, {"command": "fill", "amount": 100_000_000, "slip": bench.slip()})
    assert [finding.code for finding in refused] == ["beyond-bound"]
    limits = {"command": "change_limits", "wager": "ante", "minimum": 500, "maximum": 10_000_001}
    assert [finding.code for finding in bench.why_not(Role.PIT_MANAGER, limits)] == ["beyond-bound"]
    bench.desk.bounds = Bounds(act=10**11, inventory=10**11, wager=10**9)
    bench.manager("fill", amount=2 * 10**9, slip=bench.slip())
