"""The server as a program of its own: what it prints, what it records, how it stops, and when it stays closed."""

import os
import signal
import sqlite3
import ssl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from pitboss.ledger.errors import LedgerError
from pitboss.ledger.files import data_folder, default_url
from pitboss.ledger.store import Store
from pitboss.web.server import listening
from tests.table.driver import submission_text
from tests.web.harness import messages

OWN = "seven blue dice"


@contextmanager
def served(
    folder: Path, *options: str, trust: ssl.SSLContext | bool = True
) -> Iterator[tuple[subprocess.Popen[str], list[str], str]]:
    """A server over a ledger in the folder; the process, the lines it printed and its address."""
    command = [sys.executable, "-m", "pitboss", "serve", "--port", "0", *options]
    environment = {**os.environ, "XDG_DATA_HOME": str(folder / "data"), "PITBOSS_ANCHORS": str(folder / "anchors")}
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment
    )
    try:
        assert process.stdout is not None
        lines: list[str] = []
        while not lines or "Not approved" not in lines[-1]:
            line = process.stdout.readline()
            assert line, f"the server ended: {lines}"
            lines.append(line.strip())
        address = next(line for line in lines if line.startswith("pitboss at ")).split()[2]
        _await(address, trust)
        yield process, lines, address
    finally:
        process.kill()
        process.wait(10)
        if process.stdout is not None:
            process.stdout.close()


def _await(address: str, trust: ssl.SSLContext | bool) -> None:
    with httpx.Client(transport=httpx.HTTPTransport(retries=6, verify=trust)) as http:
        assert http.get(f"{address}/api/health", timeout=20).status_code == 200


def kinds(folder: Path) -> list[str]:
    with Store(f"sqlite:///{folder}/data/pitboss/pitboss.db", folder / "look.anchor") as store, store.reading() as r:
        return [event.kind for event in r.events("")]


def left_password(lines: list[str]) -> str:
    """What the server left in a file of its owner's at its first start, and told nobody."""
    line = next(line for line in lines if line.startswith("First administrator"))
    path = Path(line.partition(" is in ")[2].partition(" (")[0])
    assert path.stat().st_mode & 0o777 == 0o600
    given = path.read_text().strip()
    assert not [line for line in lines if given in line]
    return given


def log_in(lines: list[str], address: str) -> tuple[httpx.Client, dict[str, str]]:
    """With the password that the server left at its first start, changed at once."""
    given = left_password(lines)
    with httpx.Client(base_url=address, timeout=20) as http:
        for password in (given, OWN):
            answer = http.post("/api/login", json={"id": "administrator", "password": password})
            assert answer.status_code == 200
            http.cookies.clear()
            headers = {"Authorization": f"Bearer {answer.json()['token']}"}
            if password == given:
                refused = http.get("/api/accounts", headers=headers)
                assert (refused.status_code, refused.json()["findings"][0]["code"]) == (403, "must-change-password")
                change = {"old": given, "new": OWN}
                assert http.post("/api/me/password", json=change, headers=headers).status_code == 200
    return httpx.Client(base_url=address, timeout=20), headers


def test_a_server_starts_serves_stops_and_starts_again(tmp_path: Path) -> None:
    with served(tmp_path) as (process, lines, address):
        http, headers = log_in(lines, address)
        with http, http.stream("GET", "/api/meters/stream", headers=headers) as stream:
            assert next(messages(stream.iter_lines())).data["meters"] == {}
            process.send_signal(signal.SIGTERM)
            assert process.wait(20) == 0, "an open stream does not keep the server from stopping"
    first = kinds(tmp_path)
    assert first[0] == "system.started"
    assert first[-1] == "system.stopped"
    with served(tmp_path, "--accept", "program-changed") as (process, lines, _):
        assert not [line for line in lines if "administrator" in line], "the password is shown once"
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0
    assert kinds(tmp_path)[len(first) :] == ["system.started", "system.stopped"]


def test_a_ledger_that_was_touched_is_read_but_not_played(tmp_path: Path) -> None:
    with served(tmp_path) as (process, lines, address):
        http, headers = log_in(lines, address)
        with http:
            new = {"id": "manager-1", "name": "Manager", "role": "pit manager", "password": "a first password"}
            assert http.post("/api/accounts", json=new, headers=headers).status_code == 200
            token = http.post("/api/login", json={"id": "manager-1", "password": new["password"]}).json()["token"]
            http.cookies.clear()
            change = {"old": new["password"], "new": "a long password"}
            headers = {"Authorization": f"Bearer {token}"}
            assert http.post("/api/me/password", json=change, headers=headers).status_code == 200
        process.send_signal(signal.SIGTERM)
        process.wait(20)
    with sqlite3.connect(tmp_path / "data" / "pitboss" / "pitboss.db") as database:
        database.execute("DROP TRIGGER events_no_delete")
    with served(tmp_path) as (_, lines, address), httpx.Client(base_url=address, timeout=20) as http:
        assert [line for line in lines if line.startswith("Closed to play: ")]
        health = http.get("/api/health").json()
        assert health["open_to_play"] is False
        assert "guard" in health["closed_because"]
        token = http.post("/api/login", json={"id": "manager-1", "password": "a long password"}).json()["token"]
        http.cookies.clear()
        headers = {"Authorization": f"Bearer {token}", "Request-Key": "some-key-0001"}
        assert http.get("/api/tables", headers=headers).json()["closed_to_play"][0]["code"] == "guard"
        body = {"command": "open_table", "submission": submission_text("lunar-poker")}
        refused = http.post("/api/tables/t1/commands", json=body, headers=headers)
        assert (refused.status_code, refused.json()["findings"][0]["code"]) == (422, "guard")


def test_an_address_in_use_is_told() -> None:
    with listening("127.0.0.1", 0) as door:
        door.listen()
        port = door.getsockname()[1]
        with pytest.raises(LedgerError, match="cannot listen at 127"), listening("127.0.0.1", port):
            pass
    with pytest.raises(LedgerError, match="cannot listen"), listening("127.0.0.1", 70_000):
        pass


def test_the_ledger_lies_in_the_users_data_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert data_folder() == tmp_path / "pitboss"
    assert default_url() == f"sqlite:///{tmp_path}/pitboss/pitboss.db"
    assert default_url(tmp_path / "x") == f"sqlite:///{tmp_path}/x/pitboss.db"
