"""Too large, too deep, too many, too odd: refused whole, in a sentence, and never as a fault of the server."""

import asyncio
import json
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.types import Message, Receive, Scope, Send

from pitboss.findings import UnreadableError
from pitboss.table.permissions import ALLOWED
from pitboss.web.limits import Bucket, Gate, Settings, check_json
from pitboss.web.routes import ROUTES
from tests.web.harness import ROOMY, Client, House, running

WAGER = {"command": "wager", "seat": 1, "wager": "ante", "amount": 1000}


def send(client: Client, body: bytes | Iterator[bytes], kind: str = "application/json") -> Any:
    headers = client.headers({"Request-Key": "some-key-0001", "Content-Type": kind})
    return client.http.post("/api/tables/t1/commands", content=body, headers=headers)


@pytest.mark.parametrize(
    ("body", "status", "sentence"),
    [
        (b"{", 400, "not JSON"),
        (b'{"command": NaN}', 400, "NaN is not a number"),
        (b'{"command": -Infinity}', 400, "Infinity is not a number"),
        (b'{"command": "wager", "amount": 1e400}', 400, "amount should be a number of at most 12 digits"),
        (b'{"command": "wager", "amount": 1' + b"0" * 5000 + b"}", 400, "more than 40 characters"),
        (b'{"command": "wager", "amount": 10000000000001}', 400, "at most"),
        (b'{"command": "\\ud800"}', 400, "lone surrogate"),
        (b'{"\\udfff": 1}', 400, "lone surrogate"),
        (b'{"command": "a\\u0000b"}', 400, "NUL"),
        (b'{"command": "\xff"}', 400, "UTF-8"),
        (b'{"command": "sit", "command": "sit"}', 400, "twice"),
        (b"[" * 60_000, 400, ""),
        (b"[" * 200 + b"]" * 200, 400, "32 levels"),
        (b'{"a":' * 40 + b"1" + b"}" * 40, 400, "32 levels"),
        (b"\x00", 400, "not JSON"),
        (b"x" * (128 * 1024 + 1), 413, "128 KiB"),
    ],
)  # fmt: skip
def test_odd_bodies(house: House, body: bytes, status: int, sentence: str) -> None:
    answer = send(house["p1"], body)
    assert answer.status_code == status, answer.text
    assert sentence in answer.json()["findings"][0]["sentence"]


def test_a_body_without_a_length_is_measured_too(house: House) -> None:
    answer = send(house["p1"], (b" " * 1024 for _ in range(200)))
    assert (answer.status_code, answer.json()["findings"][0]["code"]) == (413, "too-large")
    fine = send(house["p1"], iter([b'{"command":', b' "fly"}']))
    assert "no command 'fly'" in fine.json()["findings"][0]["sentence"]


def test_only_json_is_read(house: House) -> None:
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""):
        assert send(house["p1"], b'{"command": "fly"}', kind).status_code == 415
    assert send(house["p1"], b'{"command": "fly"}', "Application/JSON; charset=utf-8").status_code == 400


@given(st.recursive(st.none() | st.booleans() | st.integers(-(10**12), 10**12) | st.text(), st.lists, max_leaves=20))
def test_ordinary_json_passes_the_check(value: Any) -> None:
    text = json.dumps(value)
    if "\\u0000" in text or "\\ud" in text.replace("\\\\", ""):
        return
    check_json(text.encode())


@given(st.binary(max_size=200))
def test_the_check_raises_sentences_only(body: bytes) -> None:
    with suppress(UnreadableError):
        check_json(body)


def test_a_bucket_holds_so_many_and_fills_again() -> None:
    now = [0.0]
    bucket = Bucket(2, 3, lambda: now[0])
    assert [bucket.wait("a") for _ in range(4)] == [0, 0, 0, 1]
    assert bucket.wait("b") == 0
    now[0] = 0.5
    assert [bucket.wait("a") for _ in range(2)] == [0, 1]
    now[0] = 100
    assert [bucket.wait("a") for _ in range(4)] == [0, 0, 0, 1]
    slow = Bucket(1 / 60, 1, lambda: now[0])
    assert [slow.wait("a") for _ in range(2)] == [0, 60]


def test_commands_of_one_person_are_limited(sqlite_url: str) -> None:
    with running(sqlite_url, replace(ROOMY, commands_per_second=5)) as house:
        house["p1"].get("/tables")
        with ThreadPoolExecutor(10) as pool:
            answers = list(pool.map(lambda _: house["p1"].command("t9", WAGER), range(40)))
        refused = [answer for answer in answers if answer.status_code == 429]
        assert refused
        assert all(int(answer.headers["retry-after"]) >= 1 for answer in refused)
        assert refused[0].json()["findings"][0]["code"] == "too-many"
        assert house["p2"].command("t9", WAGER).status_code != 429, "somebody else is not held up"
        assert house["p1"].get("/tables").status_code == 200


def test_addresses_are_limited(sqlite_url: str) -> None:
    with running(sqlite_url, replace(ROOMY, address_per_second=20)) as house, house.http() as http:
        assert 429 in {http.get("/api/nothing").status_code for _ in range(60)}


def test_a_crowd_is_refused_at_once_and_whole(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Four requests wait; the fifth is told so and nothing of it happens."""
    with running(sqlite_url, replace(ROOMY, waiting=4)) as house:
        house.open("t1", "three-card-poker", 1).until("wagering")
        arrived, go, act = threading.Semaphore(0), threading.Event(), house.pit.act

        def slow(*given: Any) -> Any:
            arrived.release()
            assert go.wait(30)
            return act(*given)

        monkeypatch.setattr(house.pit, "act", slow)
        with ThreadPoolExecutor(4) as pool:
            waiting = [pool.submit(house["p1"].command, "t1", {**WAGER, "amount": 1000 + 100 * n}) for n in range(4)]
            for _ in range(4):
                assert arrived.acquire(timeout=20)
            refused = house.http().post("/api/tables/t1/commands", json=WAGER)
            go.set()
            assert {each.result().status_code for each in waiting} == {200}
        assert (refused.status_code, refused.headers["retry-after"]) == (503, "1")
        assert refused.json()["findings"][0]["code"] == "busy"
        assert house["p1"].command("t1", WAGER).status_code == 200
        events = house["p1"].shown("/tables/t1/events")["events"]
        assert sum(event["kind"] == "wager.placed" for event in events) == 5


def test_a_body_that_does_not_come_is_not_waited_for() -> None:
    async def app(_scope: Scope, _receive: Receive, _send: Send) -> None:
        raise AssertionError("half a request reached the application")

    async def never() -> Message:
        await asyncio.sleep(60)
        return {"type": "http.request"}

    sent: list[Message] = []

    async def keep(message: Message) -> None:
        sent.append(message)

    scope = {"type": "http", "path": "/api/login", "query_string": b"", "headers": [], "client": ("1.1.1.1", 1)}
    gate = Gate(app, Settings(body_seconds=0.05))
    asyncio.run(gate(scope, never, keep))
    assert sent[0]["status"] == 408


@pytest.mark.parametrize(
    "raw",
    [
        b"GET / HTTP/9.9\r\n\r\n",
        b"\x00\x01\x02\r\n\r\n",
        b"GET /api/me HTTP/1.1\r\nHost: x\r\nX: " + b"y" * 100_000 + b"\r\n\r\n",
        b"POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n",
        b"POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef",
    ],
)  # fmt: skip
def test_what_is_not_http_is_refused(house: House, raw: bytes) -> None:
    host, port = house.url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=10) as connection:
        connection.sendall(raw)
        answer = connection.recv(100)
    assert answer == b"" or answer.startswith((b"HTTP/1.1 400 ", b"HTTP/1.1 431 "))
    assert house["p1"].get("/me").status_code == 200


JUNK: tuple[Any, ...] = (
    "", "t1", "T1", "../x", "\u0661", "\U0001f0a1", "' OR 1=1 --", "%00", "x" * 300, "-1", "0", "1", str(2**53),
    str(2**70), 0, -1, 10**12, True, None, 1.5, [], {}, {"a": 1}, [1, "a"], "administrator", "floorperson", "1/2",
    "1e9", "game = 1",
)  # fmt: skip
FIELDS = (
    "id", "password", "name", "role", "meter", "submission", "amounts", "transfer_to", "rate", "seed", "reason", "old",
    "new", "command", "seat", "wager", "amount", "player", "choice", "discard", "count", "cards",
)  # fmt: skip
COMMAND_NAMES = tuple(key.removeprefix("table.") for key in ALLOWED if key.startswith("table."))


@pytest.mark.parametrize("seed", range(2))
def test_random_requests_are_never_the_servers_fault(either_house: House, seed: int) -> None:
    house = either_house
    house.open("t1", "three-card-poker", 1).until("wagering")
    random = Random(seed)
    routes = sorted(key for key in ROUTES if not key.endswith(("/stream", "/verify", "/logout")))
    clients = [house[id] for id in ("p1", "dealer-1", "floor-1", "manager-1", "auditor-1")]
    seen = set()
    for _ in range(150):
        method, path = random.choice(routes).split(" ")
        for name in ("table", "number", "meter", "id"):
            path = path.replace(
                f"{{{name}}}", str(random.choice(("t1", "1", "nobody", *JUNK))).replace("/", "%2F") or "-"
            )
        body = {random.choice(FIELDS): random.choice(JUNK) for _ in range(random.randrange(5))}
        if path.endswith("/commands"):
            body |= {"command": random.choice(COMMAND_NAMES), "seat": random.choice((1, 2, 99))}
        query = {random.choice(("after", "limit", "last", "stream", "round", "kinds")): str(random.choice(JUNK))}
        client = random.choice(clients)
        answer = client.http.request(
            method,
            path,
            json=body if method == "POST" else None,
            params=query if method == "GET" else None,
            headers=client.headers({"Request-Key": f"fuzz-{seed}-{random.randrange(10**6)}"}),
        )
        seen.add(answer.status_code)
        assert answer.status_code < 500, (method, path, body, query, answer.text)
        if answer.status_code >= 400:
            refusal = answer.json()
            assert refusal["ok"] is False
            assert all(finding["sentence"] for finding in refusal["findings"])
    assert seen >= {200, 403, 422}
