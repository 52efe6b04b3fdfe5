"""Tables without a dealer: what the software does there by itself, when, how often, and what it leaves alone."""

import threading
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from tests.ledger.house import House
from tests.table.driver import submission_text

from pitboss.clock import MICROSECONDS
from pitboss.findings import Finding, UnreadableError, errors
from pitboss.games.chance import thrown
from pitboss.ledger.pit import ITSELF, Pit, Reply
from pitboss.ledger.recall import recall
from pitboss.ledger.review import review
from pitboss.ledger.store import Store
from pitboss.ledger.unattended import run_tables
from pitboss.table.roles import Role
from pitboss.table.ruling import rules_at
from pitboss.table.source import SeededRandomness
from pitboss.table.state import Phase, Table
from pitboss.web.limits import Settings
from pitboss.web.scene import Scene
from pitboss.web.server import running_tables

GAME, BETTING, PACE = "roulette", 15, 2


class Wheel(SeededRandomness):
    """A wheel whose next numbers are known; everything else is as random as ever."""

    def __init__(self, table: Table, *numbers: int | str) -> None:
        super().__init__(1)
        step = thrown(rules_at(table))
        assert step is not None
        self.faces, self.numbers = step.faces, list(numbers)

    def randbelow(self, bound: int) -> int:
        wheel = bound == len(self.faces) and self.numbers
        return self.faces.index(self.numbers.pop(0)) if wheel else super().randbelow(bound)


def tick(house: House, seconds: float) -> int:
    """Time passes and the software looks once; how many events the table has since."""
    before = house.pit.table("t1").events
    house.now += round(seconds * MICROSECONDS)
    run_tables(house.pit, BETTING)
    return house.pit.table("t1").events - before


def opened(store: Store, *seats: int, numbers: tuple[int | str, ...] = ()) -> House:
    house = House(store).opened("t1", GAME, seats=seats)
    house.pit.randomness = Wheel(house.pit.table("t1"), *numbers)
    assert tick(house, PACE)
    assert house.pit.table("t1").phase == Phase.WAGERING
    return house


def until(house: House, phase: Phase, most: int = 30) -> None:
    for _ in range(most):
        if house.pit.table("t1").phase == phase:
            return
        tick(house, PACE)
    raise AssertionError(f"the table never came to {phase}")


def wager(house: House, seat: int, **wagers: int) -> None:
    for name, amount in wagers.items():
        house.do("t1", Role.PLAYER, "wager", who=f"p{seat}", seat=seat, wager=name, amount=amount)


def taker(house: House, table: str) -> str:
    """Whom a page names for the next step."""
    now = house.pit.look(table, house.person(Role.PLAYER, "p1"))
    return Scene(now.table, {}, None, now.step, now.chips, {}, now.head).taker


def happened(store: Store) -> list[Any]:
    with store.reading() as reading:
        return reading.events("t1")


@pytest.mark.law("617a.1(f)(5)", "617a.3(f)")
def test_a_wager_over_five_spins_needs_no_dealer_and_outlives_the_server(store: Store) -> None:
    house = opened(store, 1, numbers=("00",))
    assert not tick(house, 3600), "without a chip nothing happens"
    wager(house, 1, red=1000)
    assert not tick(house, BETTING - 1)
    wager(house, 1, touchdown=500)
    assert not tick(house, BETTING - 1), "the time counts from the last chip"
    assert tick(house, 1)
    assert (happened(store)[-1].actor, happened(store)[-1].role) == ("the table itself", "system")
    assert house.pit.table("t1").phase == Phase.DEALING
    assert not tick(house, PACE - 1), "a step of the round waits too"
    until(house, Phase.DECIDING)
    assert not tick(house, 3600), "nobody chooses for a player"
    house.do("t1", Role.PLAYER, "decide", who="p1", seat=1, choice="red")
    for spins, number in enumerate((36, 0, 3, 32), 2):
        until(house, Phase.WAGERING)
        house = House(store, seed=spins, now=house.now)  # nothing is kept but the ledger
        house.pit.randomness = Wheel(house.pit.table("t1"), number)
        assert not tick(house, BETTING - PACE), "there is time for other wagers between two spins"
        assert tick(house, PACE)
        until(house, Phase.COLLECTING)
    # 15, 0, 3 and 15 yards toward red's end zone: 33 from the 50, the 17 yard line, 75 to 1 by table A.
    (line,) = recall(store, "t1", 5).lines
    assert (line.wager, line.net) == ("touchdown", 37_500)
    until(house, Phase.WAGERING)
    assert not tick(house, 3600)
    steps = [event for event in happened(store) if event.role == "system"]
    assert Counter(event.kind for event in steps)["bets.closed"] == 5
    assert {event.actor for event in steps} == {ITSELF.id}
    assert {event.kind for event in happened(store) if event.role == "dealer"} == {"seat.taken"}
    assert errors(review(store)) == ()


def test_of_two_who_see_the_same_one_acts(store: Store) -> None:
    """The other server does its step between the look and the act of this one."""
    house = opened(store, 1, 2, numbers=(17,))
    other = House(store, seed=2, now=house.now)
    act: Callable[..., Reply] = house.pit.act
    answers: list[str] = []

    def late(*asked: Any) -> Reply:
        other.now = house.now
        run_tables(other.pit, BETTING)
        assert other.pit.table("t1").events > house_events
        reply = act(*asked)
        assert reply.accepted, reply.text
        answers.append(reply.text)
        return reply

    wager(house, 1, red=1000)
    wager(house, 2, black=1000)
    house.pit.act = late  # type: ignore[method-assign, assignment]
    house.now += BETTING * MICROSECONDS
    for _ in range(6):
        house_events = house.pit.table("t1").events
        run_tables(house.pit, BETTING)
        house.now += 2 * PACE * MICROSECONDS
    house.pit.act = act  # type: ignore[method-assign]
    kinds = Counter(event.kind for event in happened(store) if event.role == "system")
    assert {kind: kinds[kind] for kind in ("bets.closed", "dice.shaken", "dice.rolled", "line.settled")} == {
        "bets.closed": 1, "dice.shaken": 1, "dice.rolled": 1, "line.settled": 2,
    }  # fmt: skip
    assert len({*answers}) == len(answers) == 6, "one step each time: two seats are settled in two"


def test_play_that_is_stopped_stays_stopped(sqlite_url: str) -> None:
    with Store(sqlite_url) as store:
        house = opened(store, 1, 2, numbers=(17,))
        wager(house, 1, red=1000)
        wager(house, 2, black=1000)
        house.pit.closed_to_play = (Finding("chain-changed", "", "", "", "event 5 is not what was recorded"),)
        assert not tick(house, 60)
        house.pit.closed_to_play = ()
        assert tick(house, 60)
        until(house, Phase.SETTLING)
        house.do("t1", Role.PLAYER, "leave", who="p2", seat=2)
        proposed = house.act("t1", Role.FLOORPERSON, "abandon", seat=2)
        assert proposed.status == 202, proposed.text
        assert not tick(house, 60), "two people have yet to agree about the round"
        house.pit.reject(proposed.body["proposal"], house.person(Role.FLOORPERSON))
        assert tick(house, 60)


def test_chips_below_the_minimum_hold_the_table_up_without_a_refusal_each_time(sqlite_url: str) -> None:
    with Store(sqlite_url) as store:
        house = opened(store, 1)
        wager(house, 1, red=100)
        with store.reading() as reading:
            told = reading.answers_head()
        assert not tick(house, 60)
        with store.reading() as reading:
            assert reading.answers_head() == told
        wager(house, 1, red=1000)
        assert tick(house, 60)


def test_other_tables_are_left_alone(sqlite_url: str) -> None:
    """A real wheel has a dealer who looks at it; so has a table whose rules do not say that it has none."""
    text = submission_text(GAME).replace("automated = true", "automated = false")
    text = text.replace("[wagers.touchdown]\noffered = true", "[wagers.touchdown]\noffered = false")
    with Store(sqlite_url) as store:
        house = House(store).opened("keyed", GAME, source="keyed")
        house.manager("attended", "open_table", submission=text)
        dice = submission_text("sic-bo").replace("# odds_wording", "odds_wording")  # with an option, but another one
        house.manager("dice", "open_table", submission=dice)
        before = house.pit.tables()
        house.now += 60 * MICROSECONDS
        run_tables(house.pit, BETTING)
        assert house.pit.tables() == before
        house.opened("t1", GAME, seats=())
        assert {table.id: taker(house, table.id) for table in house.pit.tables()} == {
            "attended": "dealer", "dice": "dealer", "keyed": "dealer", "t1": "software",
        }  # fmt: skip
        for table in ("keyed", "attended", "dice"):
            assert house.pit.act(table, {"command": "open_shaker"}, ITSELF, f"{ITSELF.id} {table}").status == 403
            house.dealer(table, "open_shaker")


def test_nobody_else_can_use_its_keys_and_it_does_nothing_else(sqlite_url: str) -> None:
    with Store(sqlite_url) as store:
        house = opened(store, 1)
        body = {"command": "wager", "seat": 1, "wager": "red", "amount": 1000}
        key = f"{ITSELF.id} t1 {house.pit.table('t1').events}"
        with pytest.raises(UnreadableError, match="without blanks"):
            house.pit.act("t1", body, house.person(Role.PLAYER, "p1"), key)
        assert house.pit.act("t1", body, ITSELF, f"{key} again").status == 403
        assert house.pit.act("t1", {"command": "close_table"}, ITSELF, f"{key} once more").status == 403


def test_it_runs_as_long_as_the_server(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[Pit] = []
    enough = threading.Event()

    def look(pit: Pit, seconds: float) -> None:
        assert seconds == 7
        looks.append(pit)
        enough.set()

    monkeypatch.setattr("pitboss.web.server.run_tables", look)
    with Store(sqlite_url) as store:
        pit = House(store).pit
        with running_tables(pit, Settings(poll=0.001, betting_seconds=7)):
            assert enough.wait(10)
        count = len(looks)
        enough.clear()
        assert not enough.wait(0.05)
        assert len(looks) == count
