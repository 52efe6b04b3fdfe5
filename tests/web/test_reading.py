"""Documents from strangers are read in a process of their own, with a deadline, a bound of memory and a short queue."""

import asyncio
import os
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from typing import Any, cast

import pytest
from scripts.hostile import HEAD, TOML, VALID

from pitboss.findings import UnreadableError
from pitboss.ledger.deadlines import within
from pitboss.submission import template
from pitboss.web.limits import Gate, Settings
from pitboss.web.reading import MOST_WAITING, READER, SECONDS, BusyReaderError, ExpensiveError, Reader, demand_cheap
from pitboss.web.submitted import read_text
from tests.web.expensive import forever, megabytes, refused
from tests.web.harness import House

DAY = date(2024, 6, 1)


@pytest.fixture(scope="module")
def reader() -> Iterator[Reader]:
    made = Reader()
    yield made
    made.close()


def test_a_document_has_a_deadline_and_a_bound_of_memory(reader: Reader) -> None:
    assert reader.ask(os.getpid) != os.getpid()
    with pytest.raises(ExpensiveError, match=f"more than {SECONDS:g} seconds to check. Shorten it"):
        reader.ask(forever)
    reader.ask(time.sleep, SECONDS + 0.2)  # processor time counts, not how long a busy machine lets it wait
    with pytest.raises(ExpensiveError, match="more than 200 MiB of memory"):
        reader.ask(megabytes, 400)
    assert reader.ask(megabytes, 50) == 50 * 2**20
    with pytest.raises(UnreadableError, match="Not so"):
        reader.ask(refused, "Not so.")


def test_a_reader_that_dies_is_replaced(reader: Reader) -> None:
    with pytest.raises(BusyReaderError):
        reader.ask(os._exit, 1)
    assert reader.ask(abs, -1) == 1


def test_a_request_is_not_charged_for_the_start_of_the_reader() -> None:
    with within(60) as deadline:
        before, made = deadline.at, Reader()
        made.ask(abs, -1)
        made.close()
    assert deadline.at > before


def test_only_so_many_documents_wait(reader: Reader) -> None:
    reader.ask(abs, -1)

    def one(_: int) -> bool:
        try:
            reader.ask(time.sleep, 0.1)
        except BusyReaderError:
            return False
        return True

    with ThreadPoolExecutor(MOST_WAITING + 4) as pool:
        answers = list(pool.map(one, range(MOST_WAITING + 4)))
    assert 4 >= answers.count(False) >= 1
    assert reader.ask(abs, -1) == 1


def test_the_server_itself_parses_no_document(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    def parsed(*_: Any, **__: Any) -> None:
        raise AssertionError("parsed beside the event loop and under the interpreter's lock")

    monkeypatch.setattr("pitboss.documents.tomllib.loads", parsed)
    good, nested = template("three-card-poker", DAY), TOML["nested lists"](5_000)
    assert house["p1"].post("/submissions/check", {"submission": good}).status_code == 200
    answer = house["p1"].post("/submissions/check", {"submission": nested})
    assert (answer.status_code, "levels deep" in answer.text) == (400, True)
    monkeypatch.undo()
    answer = house["p1"].post("/submissions/check", {"submission": HEAD + 'facts = {"a" = 1}'})
    assert answer.status_code == 200, answer.text


def test_a_thousand_findings_are_not_sent(house: House) -> None:
    answer = house["p1"].post("/submissions/check", {"submission": VALID["pay tables up to the limit"](12_000)}).json()
    assert not answer["ok"]
    assert len(answer["findings"]) == 100
    assert "more findings. Correct the others first" in answer["findings"][-1]["sentence"]
    with pytest.raises(UnreadableError, match="most of them about entries that no law knows"):
        read_text(VALID["pay tables up to the limit"](12_000))


def test_the_house_answers_while_documents_are_checked(house: House) -> None:
    """Also an opening waits for the reader before it takes the ledger's lock, not after."""
    READER.ask(abs, -1)
    with ThreadPoolExecutor(4) as pool:
        busy = [pool.submit(READER.ask, time.sleep, SECONDS * 0.45) for _ in range(2)]
        check = pool.submit(house["p1"].post, "/submissions/check", {"submission": "a = 1"})
        body = {"command": "open_table", "submission": template("three-card-poker", DAY), "fill": 0}
        opening = pool.submit(house["manager-1"].command, "new", body)
        assert house["p1"].get("/health").status_code == 200
        assert house["p1"].command("t1", {"command": "sit", "seat": 9}).status_code in (404, 422)
        assert not busy[1].done(), "answered meanwhile"
        assert not check.done()
        assert not opening.done()
        assert check.result().status_code == 400
        assert opening.result().status_code < 500
    assert [each.result() for each in busy] == [None, None]


def test_what_a_table_refuses_is_no_reason_to_refuse_before() -> None:
    for text in (None, 5, "", "a = ", HEAD):
        demand_cheap(text)


def test_a_page_sends_no_faster_than_it_may(monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)

    async def receive() -> dict[str, Any]:
        return {"type": "websocket.receive", "text": "x" * 1000}

    monkeypatch.setattr("pitboss.web.limits.asyncio.sleep", sleep)
    settings = Settings(socket_messages_per_second=10, socket_bytes_per_second=20_000)
    gate = Gate(cast(Any, None), settings)

    async def read(count: int) -> None:
        paced = gate._paced({"type": "websocket", "client": ("10.0.0.1", 1)}, cast(Any, receive))
        for _ in range(count):
            await paced()

    asyncio.run(read(30))
    assert pauses == [], "a person never notices"
    asyncio.run(read(30))
    assert pauses[-1] == pytest.approx(1, abs=0.2), "another window of the same address pays for its bytes"
    asyncio.run(read(60))
    assert pauses[-1] > 2
