"""Whoever is refused over and over gets the same answer each time, and does not fill the ledger with it."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from pitboss.ledger.refusals import MOST, Refusals
from pitboss.ledger.review import review
from pitboss.ledger.significant import significant
from tests.events import event_of
from tests.web.harness import ROOMY, Client, House, new_key, running


def size(house: House) -> tuple[int, int]:
    """Events and answers in the ledger."""
    with house.store.reading() as reading:
        answers = reading.connection.exec_driver_sql("SELECT count(*) FROM requests").scalar_one()
        return reading.head.seq, int(answers)


def test_a_minute_of_refusals_is_so_many_events_and_a_number() -> None:
    now = [0.0]
    refusals = Refusals(3, lambda: now[0])
    assert [refusals.admits("permission", "p1") for _ in range(10)] == [True] * 3 + [False] * 7
    assert refusals.admits("log-in", "p1"), "another thing, another count"
    assert refusals.due() == {}, "the minute is not over"
    now[0] = 61
    assert refusals.due() == {("permission", "p1"): 7}
    assert refusals.due() == {}, "told once"
    assert refusals.admits("permission", "p1")
    for number in range(30_000):
        refusals.admits("log-in", str(number))
    assert len(refusals._minutes) <= 10_000


def test_permissions_refused_in_a_loop(house: House) -> None:
    house.open("t1", "three-card-poker", 1)
    player = house["p1"]
    before = size(house)
    codes = Counter(player.command("t1", {"command": "cut", "at": 26}).status_code for _ in range(60))
    codes += Counter(player.post("/accounts", {}).status_code for _ in range(60))
    codes += Counter(player.get("/audit/events").status_code for _ in range(60))
    assert codes == {403: 180}
    after = size(house)
    assert after[0] - before[0] <= MOST
    assert after[1] - before[1] <= MOST
    house.pit.stopped(event_of("system.stopped", {"version": "0"}))
    [counted] = [line for line in significant(house.store) if line.kind == "refusals.counted"]
    assert "p1 was refused 160 more times" in counted.sentence
    assert not review(house.store)


def test_log_ins_of_nobody_and_of_somebody(house: House) -> None:
    before = size(house)[0]
    with house.http() as http:
        made_up = [{"id": f"no-{number}", "password": "x" * 12} for number in range(60)]
        codes = Counter(http.post("/api/login", json=body).status_code for body in made_up)
    assert set(codes) == {401, 429}, "an address that only guesses waits"
    assert codes[401] >= 20
    assert size(house)[0] - before <= 2 * MOST


def test_callers_without_a_session_and_over_eager_ones_leave_nothing(sqlite_url: str) -> None:
    with running(sqlite_url, replace(ROOMY, commands_per_second=2, requests_per_second=5)) as house:
        player = house["p1"]
        before = size(house)
        nobody = Client(house.http(), "x", "no-such-token")
        assert {nobody.get("/tables").status_code for _ in range(40)} == {401}
        codes = Counter(player.get("/me").status_code for _ in range(60))
        assert codes[429] > 30
        assert size(house) == before


def test_commands_that_a_table_refuses_come_to_an_end(sqlite_url: str) -> None:
    with running(sqlite_url, replace(ROOMY, refused_per_minute=10)) as house:
        house.open("t1", "three-card-poker", 1)
        before = size(house)[1]
        wrong = {"command": "wager", "seat": 1, "wager": "ante", "amount": 1}
        codes = [house["p1"].command("t1", wrong).status_code for _ in range(40)]
        assert codes[:10] == [422] * 10
        assert set(codes[12:]) <= {429, 422}
        assert size(house)[1] - before <= 15
        assert house["dealer-1"].get("/tables/t1").status_code == 200


def test_ten_times_too_much_is_refused_whole(sqlite_url: str) -> None:
    """Four may wait and forty come, over and over: 200, 429 or 503, and the books hold what was answered 200."""
    with running(sqlite_url, replace(ROOMY, waiting=4, commands_per_second=20)) as house:
        play = house.open("t1", "three-card-poker", 1, 2, 3, 4)
        play.until("wagering")
        clients = [house.log_in(f"p{1 + number % 4}") for number in range(40)]

        def ask(number: int) -> tuple[str, int, int, int]:
            client, seat, amount, key = clients[number % 40], 1 + number % 4, 1000 + 500 * (number % 2), new_key()
            body = {"command": "wager", "seat": seat, "wager": "ante", "amount": amount}
            answer = client.command("t1", body, key)
            if answer.status_code != 200:
                assert int(answer.headers["retry-after"]) >= 1
                assert answer.json()["findings"][0]["sentence"]
            return key, answer.status_code, seat, amount

        with ThreadPoolExecutor(40) as pool:
            answers = list(pool.map(ask, range(600)))
        codes = Counter(code for _, code, _, _ in answers)
        assert set(codes) <= {200, 429, 503}
        assert codes[200] >= 4
        assert codes[429] + codes[503] > 100
        with house.store.reading() as reading:
            recorded = [event for event in reading.events("t1") if event.kind == "wager.placed"]
            balances = reading.balances()
        assert {event.request for event in recorded} == {key for key, code, _, _ in answers if code == 200}
        assert sum(balances.values()) == 0
        staked = {int(seat): sum(made.values()) for seat, made in house.pit.table("t1").staged.items()}
        assert balances["layout:t1"] == sum(staked.values()) * 10_000
        assert not review(house.store)
