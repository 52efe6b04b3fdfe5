"""Streams: every event once and in order, from where one was; they end with the session and hold no thread."""

import json
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from pitboss.ledger.errors import UnreachableError
from pitboss.ledger.people import People
from pitboss.ledger.pit import Pit
from pitboss.ledger.store import Store
from tests.web.harness import CHEAP, ROOMY, Client, Heard, House, listen, messages, new_key, running


def bought(house: House, count: int, pit: Pit | None = None) -> None:
    """Events at a table, without HTTP."""
    cashier = next(a.person for a in house.people.everyone() if a.person.id == "cashier-1")
    for _ in range(count):
        body = {"command": "buy_in", "amount": 100, "player": "p1", "slip": house.slip("t1")}
        assert (pit or house.pit).act("t1", body, cashier, new_key()).accepted


def seqs(heard: list[Heard]) -> list[int]:
    return [message.id for message in heard if message.event == "message"]


def told(house: House, after: int = 0) -> list[int]:
    return [event["seq"] for event in house["p1"].shown(f"/tables/t1/events?after={after}")["events"]]


def test_a_stream_is_the_list_of_events_and_resumes(house: House) -> None:
    house.open("t1", "three-card-poker", 1)
    bought(house, 5)
    everything = told(house)
    last = everything[-1]
    heard = listen(house["p1"], "/tables/t1/stream?after=0", lambda m: m.id == last)
    assert heard[0].event == "begin"
    assert seqs(heard) == everything
    shown = house["p1"].shown("/tables/t1/events")["events"]
    assert [m.data for m in heard if m.event == "message"] == shown
    middle = everything[3]
    again = listen(house["p1"], "/tables/t1/stream", lambda m: m.id == last, headers={"Last-Event-ID": str(middle)})
    assert seqs(again) == everything[4:]
    both = listen(
        house["p1"], "/tables/t1/stream?after=0", lambda m: m.id == last, headers={"Last-Event-ID": str(middle)}
    )
    assert seqs(both) == everything[4:], "a browser that reconnects knows better than its address"


def test_without_a_number_a_stream_begins_now(house: House) -> None:
    house.open("t1", "three-card-poker", 1)
    head = house["p1"].shown("/tables/t1")["head"]
    begun = threading.Event()

    def until(message: Heard) -> bool:
        begun.set()
        return message.event == "message"

    with ThreadPoolExecutor(1) as pool:
        listening = pool.submit(listen, house["p1"], "/tables/t1/stream", until)
        assert begun.wait(10)
        bought(house, 1)
        heard = listening.result(20)
    assert (heard[0].event, heard[0].id) == ("begin", head)
    assert seqs(heard) == told(house, head)


@pytest.mark.parametrize("bad", ["x", "-1", "1.5", "9" * 19, "١"])
def test_a_wrong_number_is_refused(house: House, bad: str) -> None:
    house.open("t1", "three-card-poker", 1)
    headers = {b"Last-Event-ID": bad.encode(), b"Authorization": f"Bearer {house['p1'].token}".encode()}
    answer = house["p1"].http.get("/api/tables/t1/stream", headers=headers)
    assert answer.status_code == 400
    assert house["p1"].get(f"/tables/t1/stream?after={bad}").status_code == 422
    assert house["p1"].get("/tables/t9/stream").status_code == 404


def test_nothing_is_missed_or_repeated_while_others_write(house: House) -> None:
    house.open("t1", "three-card-poker", 1)
    start = told(house)[-1]
    count = 120

    def follow(seed: int) -> list[int]:
        """Break off at random and resume, as a bad connection does."""
        random, found, at = Random(seed), list[int](), start
        while len(found) < count:
            heard = listen(
                house["p1"], f"/tables/t1/stream?after={at}", nth(min(random.randrange(1, 15), count - len(found)))
            )
            found += seqs(heard)
            at = found[-1]
        return found

    with ThreadPoolExecutor(4) as pool:
        followers = [pool.submit(follow, seed) for seed in range(3)]
        bought(house, count)
        results = [follower.result(60) for follower in followers]
    expected = told(house, start)
    assert len(expected) == count
    assert results == [expected] * 3


def nth(number: int) -> Callable[[Heard], bool]:
    """Whether so many events have been heard."""
    left = iter(range(number - 1, -1, -1))
    return lambda message: message.event == "message" and next(left) == 0


def test_what_another_process_writes_is_told(house: House) -> None:
    house.open("t1", "three-card-poker", 1)
    head = house["p1"].shown("/tables/t1")["head"]
    with Store(house.store.url) as other, ThreadPoolExecutor(1) as pool:
        begun = threading.Event()

        def until(message: Heard) -> bool:
            begun.set()
            return message.event == "message"

        listening = pool.submit(listen, house["p1"], f"/tables/t1/stream?after={head}", until)
        assert begun.wait(10)
        bought(house, 1, Pit(other))
        assert len(seqs(listening.result(20))) == 1


def test_a_stream_ends_with_the_session(house: House) -> None:
    house.open("t1", "three-card-poker", 1)
    client, begun = house.log_in("p2"), threading.Event()

    def until(message: Heard) -> bool:
        begun.set()
        return message.event == "end"

    with ThreadPoolExecutor(1) as pool:
        listening = pool.submit(listen, Client(house.http(), "p2", client.token), "/tables/t1/stream", until)
        assert begun.wait(10)
        assert client.post("/logout").status_code == 200
        assert listening.result(20)[-1].event == "end"
    assert client.get("/tables/t1/stream").status_code == 401


def test_a_disabled_account_hears_no_more(house: House) -> None:
    house.open("t1", "three-card-poker", 1)
    client, begun = house["p2"], threading.Event()

    def until(message: Heard) -> bool:
        begun.set()
        return message.event == "end"

    with ThreadPoolExecutor(1) as pool:
        listening = pool.submit(listen, client, "/tables/t1/stream", until)
        assert begun.wait(10)
        assert house["admin-1"].post("/accounts/p2/disable").status_code == 200
        assert listening.result(20)[-1].event == "end"


def test_an_account_disabled_by_another_process_hears_no_more(house: House) -> None:
    house.open("t1", "three-card-poker", 1)
    client, begun = house["p2"], threading.Event()

    def until(message: Heard) -> bool:
        begun.set()
        return message.event == "end"

    admin = next(account.person for account in house.people.everyone() if account.person.id == "admin-1")
    with ThreadPoolExecutor(1) as pool, Store(house.store.url) as other:
        listening = pool.submit(listen, client, "/tables/t1/stream", until)
        assert begun.wait(10)
        People(other, cost=CHEAP).disable("p2", admin)
        assert listening.result(5)[-1].event == "end", "long before the next heartbeat"


def test_nothing_is_told_after_the_session(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """A session that nobody used for too long ends the stream instead of the next event."""
    house.open("t1", "three-card-poker", 1)
    client, begun = house["p2"], threading.Event()

    def until(message: Heard) -> bool:
        begun.set()
        return message.event == "end"

    with ThreadPoolExecutor(1) as pool:
        listening = pool.submit(listen, client, "/tables/t1/stream", until)
        assert begun.wait(10)
        monkeypatch.setattr("pitboss.ledger.sessions.IDLE", -1)
        try:
            bought(house, 1)
            assert [message.event for message in listening.result(10)] == ["begin", "end"]
        finally:
            client.post("/logout")  # whatever was found, nobody listens on


@pytest.fixture
def small_house(sqlite_url: str) -> Iterator[House]:
    with running(sqlite_url, replace(ROOMY, heartbeat=0.2, streams_per_person=60, streams=70)) as opened:
        yield opened


def test_there_is_a_heartbeat_and_a_limit(small_house: House) -> None:
    small_house.open("t1", "three-card-poker", 1)
    heard = listen(small_house["p1"], "/tables/t1/stream", lambda m: m.event == "comment")
    assert heard[-1].data == {"text": "still here"}


def test_open_streams_hold_no_thread(small_house: House) -> None:
    """Sixty streams, more than there are threads for requests, and requests are answered."""
    small_house.open("t1", "three-card-poker", 1)
    client = small_house["p1"]
    before = threading.active_count()
    streams = [client.http.stream("GET", "/api/tables/t1/stream", headers=client.headers({})) for _ in range(60)]
    opened = [stream.__enter__() for stream in streams]
    try:
        lines = [messages(answer.iter_lines()) for answer in opened]
        assert {next(line).event for line in lines} == {"begin"}
        assert client.get("/tables/t1").status_code == 200
        assert threading.active_count() - before < 55
        bought(small_house, 1)
        assert {next(m.id for m in line if m.event == "message") for line in lines} == {told(small_house)[-1]}
        refused = client.get("/tables/t1/stream")
        assert (refused.status_code, refused.headers["retry-after"]) == (429, "5")
    finally:
        for stream in streams:
            stream.__exit__(None, None, None)


def test_trouble_with_the_ledger_is_told_and_then_it_goes_on(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    house.open("t1", "three-card-poker", 1)
    client, news, failures = house["p1"], house.pit.news, iter([True, True])

    def failing(*given: Any) -> Any:
        if next(failures, False):
            raise UnreachableError("the database does not answer")
        return news(*given)

    everything = told(house)
    monkeypatch.setattr(house.pit, "news", failing)
    heard = listen(client, "/tables/t1/stream?after=0", lambda m: m.id == everything[-1])
    assert [m.data["sentence"] for m in heard if m.event == "trouble"] == ["the database does not answer"] * 2
    assert seqs(heard) == everything


def test_meters_are_told_when_they_change(house: House) -> None:
    house.open("t1", "three-card-poker", 1)
    shown = house["p1"].shown("/meters")["meters"]
    name = next(iter(shown))
    proposed = house["manager-1"].post(f"/meters/{name}/changes", {"amounts": {}, "reason": "x"})
    assert proposed.status_code == 422
    tier = next(iter(shown[name]["amounts"]))
    change = {"amounts": {tier: 123_456_700}, "reason": "a new sign"}
    number = house["manager-1"].post(f"/meters/{name}/changes", change).json()["number"]
    begun = threading.Event()

    def until(message: Heard) -> bool:
        begun.set()
        return bool(message.data["meters"][name]["amounts"][tier] == 123_456_700)

    with ThreadPoolExecutor(1) as pool:
        listening = pool.submit(listen, house["p1"], "/meters/stream", until)
        assert begun.wait(10)
        assert house["floor-1"].post(f"/changes/{number}/approve").status_code == 200
        heard = listening.result(20)
    assert heard[0].data["meters"] == json.loads(json.dumps(shown))
