"""A database that is stopped, killed or locked during play: everybody is answered in time, and no act happens twice."""

import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from importlib import import_module
from pathlib import Path
from typing import Any

import httpx
import pytest

from pitboss.ledger import deadlines
from tests.postgres import server
from tests.web.harness import ROOMY, House, new_key, running

psutil: Any = import_module("psutil")  # comes with the PostgreSQL of the tests, and has no types
STOPPED_S = 6.0
LIMIT_S = 5.0
WAGER_LIMIT_S = 4.0
"""Twice what is promised, for a busy machine; measured figures are in docs/reliability.md."""
PROMPT = replace(ROOMY, answer_seconds=4.5)
SENTENCES = {
    "outcome-unknown": "ask again under the same key",
    "ledger-unreachable": "Nothing was recorded",
    "ledger-busy": "try again",
}


@pytest.fixture(autouse=True)
def _as_in_a_pit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other tests give a database more time."""
    monkeypatch.setattr(deadlines, "ANSWER_S", 1.3)


def processes() -> list[Any]:
    main = psutil.Process(server().get_pid())
    return [main, *main.children(recursive=True)]


@contextmanager
def stopped() -> Iterator[None]:
    """The test's own PostgreSQL, every process of it, stopped as by a hung machine."""
    held = processes()
    for process in held:
        process.send_signal(signal.SIGSTOP)
    try:
        yield
    finally:
        for process in held:
            process.send_signal(signal.SIGCONT)


@dataclass
class Asked:
    key: str
    body: dict[str, object]
    status: int
    seconds: float
    code: str = ""
    sentence: str = ""


@dataclass
class Player(threading.Thread):
    """Puts a wager on and off again, as fast as the house answers; a wager that was refused is not asked again here."""

    house: House
    seat: int
    over: threading.Event
    asked: list[Asked] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(daemon=True)
        self.client = self.house[f"p{self.seat}"]

    def __hash__(self) -> int:
        return id(self)

    def run(self) -> None:
        amount = 1000
        while not self.over.is_set():
            amount = 3000 - amount  # $10 and $20 in turn
            body = {"command": "wager", "seat": self.seat, "wager": "ante", "amount": amount}
            key, began = new_key(), time.monotonic()
            try:
                answer = self.client.command("t1", body, key)
            except httpx.HTTPError as problem:
                self.faults.append(repr(problem))
                return
            one = Asked(key, body, answer.status_code, time.monotonic() - began)
            if answer.status_code != 200:
                finding = answer.json()["findings"][0]
                one.code, one.sentence = finding["code"], finding["sentence"]
                if answer.status_code == 503 and "retry-after" not in answer.headers:
                    self.faults.append("no Retry-After")
            self.asked.append(one)
            time.sleep(0.01)


def played(house: House, trouble: Callable[[], None]) -> list[Player]:
    """Five players wager before, during and after the trouble."""
    play = house.open("t1", "three-card-poker", 1, 2, 3, 4, 5)
    play.until("wagering")
    over = threading.Event()
    players = [Player(house, seat, over) for seat in play.seats]
    for player in players:
        player.start()
    time.sleep(0.3)
    trouble()
    time.sleep(2.5)
    over.set()
    for player in players:
        player.join(10)
        assert not player.is_alive()
        assert not player.faults
    return players


def once_each(house: House, players: list[Player]) -> None:
    """Every act happened as its answer said, and asking again by the key tells about the rest."""
    with house.store.reading() as reading:
        events = [event for event in reading.events("t1") if event.kind == "wager.placed"]
    recorded = [event.request for event in events]
    assert len(recorded) == len(set(recorded))
    for player in players:
        for one in player.asked:
            if one.status == 200:
                assert one.key in recorded
            elif one.code == "outcome-unknown":
                again = player.client.command("t1", one.body, one.key)
                assert again.status_code in (200, 422), again.text
                if one.key in recorded:
                    assert again.status_code == 200, "the answer that was lost"
            else:
                assert one.status == 503, one
                assert one.key not in recorded
    assert sum(player.client.get("/tables/t1").status_code == 200 for player in players) == 5


def answered_in_time(players: list[Player]) -> None:
    for player in players:
        for one in player.asked:
            assert one.status in (200, 503), one
            assert one.seconds < WAGER_LIMIT_S, one
            if one.status == 503:
                assert SENTENCES[one.code] in one.sentence, one
        assert player.asked[-1].status == 200, "play goes on without a restart"


def test_postgresql_stopped_during_play(postgres_url: str) -> None:
    with running(postgres_url, PROMPT) as house:

        def trouble() -> None:
            with stopped():
                time.sleep(STOPPED_S)

        players = played(house, trouble)
        answered_in_time(players)
        refused = [one for player in players for one in player.asked if one.status == 503]
        assert len(refused) > 20, "while it is gone everybody is told so, over and over"
        once_each(house, players)


def test_postgresql_stopped_in_the_commit(postgres_url: str) -> None:
    """Nobody can know then; whoever asks again under the key is told, and it has happened once."""
    with running(postgres_url, PROMPT) as house:
        house.open("t1", "three-card-poker", 1).until("wagering")
        player, key = house["p1"], new_key()
        body = {"command": "wager", "seat": 1, "wager": "ante", "amount": 1000}
        held = processes()

        def stop(step: str) -> None:
            if step == "before-commit":
                house.store.hook = None
                for process in held:
                    process.send_signal(signal.SIGSTOP)

        house.store.hook = stop
        try:
            began = time.monotonic()
            answer = player.command("t1", body, key)
            assert time.monotonic() - began < WAGER_LIMIT_S
        finally:
            for process in held:
                process.send_signal(signal.SIGCONT)
        assert (answer.status_code, answer.json()["findings"][0]["code"]) == (503, "outcome-unknown")
        assert SENTENCES["outcome-unknown"] in answer.json()["findings"][0]["sentence"]
        _comes_back(house)
        answers = {player.command("t1", body, key).text for _ in range(3)}
        assert len(answers) == 1
        with house.store.reading() as reading:
            assert [e.request for e in reading.events("t1") if e.kind == "wager.placed"] == [key]


def test_postgresql_that_takes_no_new_connections(postgres_url: str) -> None:
    """Only the process that lets people in hangs; those who are in go on, and nobody else waits for long."""
    with running(postgres_url, PROMPT) as house:
        house.open("t1", "three-card-poker", 1)
        main = processes()[0]
        house.store.engine.dispose()
        main.send_signal(signal.SIGSTOP)
        try:
            for _ in range(3):
                began = time.monotonic()
                assert house["p1"].get("/tables/t1").status_code == 503
                assert time.monotonic() - began < WAGER_LIMIT_S
        finally:
            main.send_signal(signal.SIGCONT)
        _comes_back(house)


def test_postgresql_connections_killed_during_play(postgres_url: str) -> None:
    killed: list[int] = []
    with running(postgres_url, PROMPT) as house:

        def trouble() -> None:
            for _ in range(3):
                # A killed backend makes the server throw out all of them and start over, as after a crash.
                backends = [p for p in processes()[1:] if "ledger_" in " ".join(p.cmdline())]
                for victim in backends[:1]:
                    victim.kill()
                    killed.append(victim.pid)
                time.sleep(1)

        players = played(house, trouble)
        assert killed
        answered_in_time(players)
        once_each(house, players)


def test_sqlite_locked_by_another_process(sqlite_url: str, tmp_path: Path) -> None:
    with running(sqlite_url, PROMPT) as house:

        def trouble() -> None:
            path = sqlite_url.removeprefix("sqlite:///")
            script = (
                "import sqlite3, sys, time; c = sqlite3.connect(sys.argv[1], isolation_level=None);"
                "c.execute('BEGIN IMMEDIATE'); print('locked', flush=True); time.sleep(float(sys.argv[2]))"
            )
            command = [sys.executable, "-c", script, path, str(STOPPED_S)]
            with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as holder:
                assert holder.stdout is not None
                assert holder.stdout.readline() == "locked\n"
                holder.wait(20)

        players = played(house, trouble)
        assert all(one.seconds < LIMIT_S for player in players for one in player.asked)
        assert {one.code for player in players for one in player.asked} >= {"", "ledger-busy"}
        once_each(house, players)
    assert sqlite3.connect(tmp_path / "ledger.db").execute("PRAGMA integrity_check").fetchone() == ("ok",)


def _comes_back(house: House) -> None:
    until = time.monotonic() + 10
    while house["p1"].get("/tables/t1").status_code != 200:
        assert time.monotonic() < until
        time.sleep(0.1)
