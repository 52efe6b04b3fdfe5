"""The door: TLS, proxies, the demonstration in public, and callers who are slow, many, foreign or noisy."""

import json
import logging
import re
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote
from uuid import uuid4

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from pitboss.ledger.errors import LedgerError
from pitboss.web.callers import CHANNEL
from pitboss.web.front import Front, is_loopback
from pitboss.web.limits import MOST_HEADERS, Settings
from pitboss.web.logs import PlainRecord
from pitboss.web.security import COOKIE
from pitboss.web.server import Demo, serve
from tests.web.harness import ROOMY, House, running
from tests.web.test_server_process import left_password, log_in, served

QUICK = replace(ROOMY, header_seconds=0.5, body_seconds=0.5, connections_per_address=20)


@pytest.fixture
def quick(sqlite_url: str) -> Iterator[House]:
    with running(sqlite_url, QUICK) as house:
        yield house


@contextmanager
def raw(house: House) -> Iterator[socket.socket]:
    host, port = house.url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=5) as connection:
        yield connection


def ended(connection: socket.socket, drip: bytes, seconds: float) -> tuple[float, bytes]:
    """One byte every 50 ms until the server ends it: after how long, and what it said."""
    began, said = time.monotonic(), b""
    connection.settimeout(0.05)
    while time.monotonic() - began < seconds:
        try:
            connection.sendall(drip)
            part = connection.recv(4096)
            if not part:
                break
            said += part
        except TimeoutError:
            continue
        except (BrokenPipeError, ConnectionResetError):
            break
    else:
        raise AssertionError(f"still open after {seconds} s: {said!r}")
    return time.monotonic() - began, said


def test_a_head_that_drips_is_not_waited_for(quick: House) -> None:
    with raw(quick) as connection:
        connection.sendall(b"GET /api/health HTTP/1.1\r\nHost: x\r\nX-Slow: ")
        seconds, said = ended(connection, b"y", 4)
    assert seconds < 2
    assert said.startswith(b"HTTP/1.1 408 ")


def test_nor_is_one_that_never_begins_or_begins_late(quick: House) -> None:
    with raw(quick) as connection:
        seconds, said = ended(connection, b"", 4)
        assert (seconds < 2, said) == (True, b"")
    with raw(quick) as connection:
        connection.sendall(b"GET /api/health HTTP/1.1\r\nHost: x\r\n\r\n")
        assert connection.recv(4096).startswith(b"HTTP/1.1 200 ")
        connection.sendall(b"GET /api/hea")
        seconds, said = ended(connection, b"l", 4)
    assert seconds < 2
    assert said.startswith(b"HTTP/1.1 408 ")


def test_a_body_that_drips_is_not_waited_for(quick: House) -> None:
    head = b"POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n"
    with raw(quick) as connection:
        connection.sendall(head)
        seconds, said = ended(connection, b" ", 4)
    assert seconds < 2
    assert said.startswith(b"HTTP/1.1 408 ")
    with raw(quick) as connection:  # a refusal that comes before the body does not leave the door open either
        connection.sendall(head.replace(b": 1000\r", b": 99999999\r"))
        seconds, said = ended(connection, b" ", 4)
    assert seconds < 2
    assert said.startswith(b"HTTP/1.1 413 ")


def test_a_head_without_end_is_refused(quick: House) -> None:
    with raw(quick) as connection:
        connection.sendall(b"GET /api/health HTTP/1.1\r\nHost: x\r\nX: ")
        sent = 0
        with suppress(BrokenPipeError, ConnectionResetError):
            while sent < 100 * MOST_HEADERS:
                connection.sendall(b"y" * 8192)
                sent += 8192
                time.sleep(0.01)
    assert sent < 10 * MOST_HEADERS


def test_one_address_holds_only_so_many_connections(quick: House) -> None:
    with ExitStack() as held:
        quick.http().get("/api/health")
        opened = [held.enter_context(raw(quick)) for _ in range(30)]
        time.sleep(0.2)
        refused = 0
        for connection in opened:
            connection.settimeout(0.05)
            try:
                refused += connection.recv(100).startswith(b"HTTP/1.1 429 ")
            except TimeoutError:
                continue
        assert 10 <= refused <= 12
    time.sleep(0.3)
    assert quick.http().get("/api/health").status_code == 200, "what is closed does not count"


# The demonstration in public, certificates, proxies


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "", "192.0.2.7", "no-such-host.invalid"])
def test_the_demonstration_is_not_for_everybody(host: str, tmp_path: Path) -> None:
    # A server that were let in would otherwise play its shift and serve for ever.
    demo = Demo(lambda _: pytest.fail("the demonstration was let in"), lambda _: iter(()))
    with pytest.raises(LedgerError, match="--yes-demo-accounts-in-public"):
        serve(f"sqlite:///{tmp_path}/x.db", demo=demo, front=Front(host, 0))
    assert not (tmp_path / "x.db").exists()
    Front(host, demo_in_public=True).check(demo=True)
    Front(host).check(demo=False)


def test_a_name_counts_by_what_it_stands_for(monkeypatch: pytest.MonkeyPatch) -> None:
    entries = {"both": ["127.0.0.1", "192.0.2.7"], "inside": ["127.0.0.1", "::1"]}
    monkeypatch.setattr(socket, "getaddrinfo", lambda host, *_a, **_k: [(0, 0, 0, "", (a, 0)) for a in entries[host]])
    assert (is_loopback("both"), is_loopback("inside")) == (False, True)
    with pytest.raises(LedgerError, match="behind a proxy"):
        Front("inside", proxy_headers=True).check(demo=True)


@pytest.mark.parametrize(
    ("front", "sentence"),
    [
        (Front(certificate=Path("c.pem")), "both"),
        (Front(certificate=Path("none.pem"), key=Path("none.pem")), "cannot be read"),
        (Front(certificate=Path(__file__), key=Path(__file__)), "not a certificate and its key"),
        (Front(certificate=Path("/proc/self/mem"), key=Path("/proc/self/mem")), "not a certificate and its key"),
        (Front(trusted_proxies=("10.0.0.1",)), "give --proxy-headers"),
        (Front(proxy_headers=True, trusted_proxies=("proxy",)), "not an address or network"),
        (Front(proxy_headers=True, trusted_proxies=("0.0.0.0/0",)), "every address"),
    ],
)
def test_what_would_not_work_is_said(front: Front, sentence: str) -> None:
    with pytest.raises(LedgerError, match=sentence):
        front.check()


def test_tls_with_a_certificate_of_ones_own(tmp_path: Path) -> None:
    certificate, key = tmp_path / "certificate.pem", tmp_path / "key.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate],
        check=True, capture_output=True,
    )  # fmt: skip
    known = ssl.create_default_context(cafile=str(certificate))
    options = ("--certificate", str(certificate), "--key", str(key))
    with served(tmp_path, *options, trust=known) as (_, lines, address), httpx.Client(verify=known) as http:
        assert address.startswith("https://127.0.0.1:")
        assert http.get(f"{address}/api/health").status_code == 200
        said = {"id": "administrator", "password": left_password(lines)}
        answer = http.post(f"{address}/api/login", json=said, timeout=20)
        assert "; Secure" in answer.headers["set-cookie"]
        with pytest.raises(httpx.HTTPError):
            httpx.get(address.replace("https", "http"))
        socket_url = address.replace("https", "wss") + SOCKET
        with connect(socket_url, origin=Origin(address), ssl=known, open_timeout=60) as opened:
            assert opened.ping().wait(30)


def log_ins(http: httpx.Client, forwarded: list[str]) -> list[int]:
    body = {"password": "not the password"}
    return [
        http.post(
            "/api/login", json={**body, "id": f"nobody-{uuid4().hex}"[:40]}, headers={"X-Forwarded-For": name}
        ).status_code
        for name in forwarded
    ]


def test_only_a_trusted_proxy_is_believed_about_addresses(sqlite_url: str, tmp_path: Path) -> None:
    strict = replace(ROOMY, log_ins_per_minute=3)
    spoofed = [f"198.51.100.{number}" for number in range(5)]
    with running(sqlite_url, strict) as house, house.http() as http:
        assert log_ins(http, spoofed) == [401, 401, 401, 429, 429], "no proxy: the header is nothing"
    untrusting = Front(port=0, proxy_headers=True, trusted_proxies=("192.0.2.1",))
    with running(f"sqlite:///{tmp_path}/b.db", strict, front=untrusting) as house, house.http() as http:
        assert log_ins(http, spoofed) == [401, 401, 401, 429, 429], "not this proxy"
    trusting = Front(port=0, proxy_headers=True)
    with running(f"sqlite:///{tmp_path}/c.db", strict, front=trusting) as house, house.http() as http:
        assert log_ins(http, spoofed) == [401] * 5
        added = [f"203.0.113.{number}, 198.51.100.99" for number in range(5)]
        assert log_ins(http, added) == [401, 401, 401, 429, 429], "only what the proxy itself has added counts"
        assert log_ins(http, ["<script>", "junk\t2", "junk3", "junk4"]) == [401, 401, 401, 429]


# Sockets of pages


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """A server with its pages, and the token of somebody who has logged in."""
    with served(tmp_path_factory.mktemp("site")) as (_, lines, address):
        http, headers = log_in(lines, address)
        http.close()
        yield address, headers["Authorization"].removeprefix("Bearer ")


SOCKET = f"{CHANNEL}?at=/meters&mark="


def opens(address: str, origin: str | None, cookie: str, path: str = SOCKET) -> bool:
    """Whether the channel opens and sends the page's regions; else it is refused with 403."""
    given = None if origin is None else Origin(origin)
    url, headers = address.replace("http", "ws") + path, {"Cookie": cookie}
    try:
        with connect(url, origin=given, additional_headers=headers, open_timeout=10) as opened:
            return "regions" in json.loads(opened.recv(5))
    except InvalidStatus as refused:
        status = refused.response.status_code
    if status != 403:
        raise ValueError(f"refused with {status}")
    return False


def test_the_channel_opens_only_to_pages_of_this_site(site: tuple[str, str]) -> None:
    address, token = site
    session = f"{COOKIE}={token}"
    assert opens(address, address, session)
    for origin in ("http://elsewhere.example", f"{address}.elsewhere.example", "null", None):
        assert not opens(address, origin, session), origin
    assert not opens(address, address, session, "/other")


@pytest.mark.parametrize(
    "at",
    [
        "/analyst/nothing.pdf",
        "/analyst/strategy.svg?game=x",
        "/analyst/design.pdf?low=x",
        "//",
        "/table/x",
        "/practice/x/y",
        "/slip/x/9?kind=pdf",
    ],
)
def test_the_channel_stays_open_at_an_address_that_no_page_has(site: tuple[str, str], at: str) -> None:
    address, token = site
    url = f"{address.replace('http', 'ws')}{CHANNEL}?at={quote(at, safe='')}&mark="
    with connect(url, origin=Origin(address), additional_headers={"Cookie": f"{COOKIE}={token}"}) as opened:
        with suppress(TimeoutError):
            opened.recv(0.5)
        assert opened.ping().wait(10)


def test_what_callers_send_is_one_short_line_in_the_log(tmp_path: Path) -> None:
    with served(tmp_path) as (process, _, address), httpx.Client(base_url=address, timeout=20) as http:
        for odd in ("a%0d%0aWARNING: all is well %1b[2J", "x" * 20_000):
            http.get(f"/law?cite={odd}")
            with (
                suppress(InvalidStatus),
                connect(
                    address.replace("http", "ws") + f"{CHANNEL}?at=/{odd}", origin=Origin(address), open_timeout=10
                ) as opened,
            ):
                opened.send(odd)
                opened.ping().wait(10)
        process.terminate()
        assert process.stdout is not None
        said = process.stdout.read()
    assert not re.search(r"^WARNING: all is well", said, re.MULTILINE)
    assert not set(said) & {chr(code) for code in range(32) if chr(code) not in "\n\t"}
    assert max(map(len, said.splitlines()), default=0) < 1000


def test_any_library_s_record_is_plain() -> None:
    record = PlainRecord("x", logging.ERROR, "f", 1, "sid %s", ("a\nERROR b\x1b[0m" + "y" * 10**6,), None)
    shown = logging.Formatter("%(message)s").format(record)
    assert "\n" not in shown
    assert "\x1b" not in shown
    assert len(shown) < 1000
    try:
        raise ValueError("first\nCRITICAL: second\n" * 1000)
    except ValueError as problem:
        record = PlainRecord("x", logging.ERROR, "f", 1, "oh", (), (type(problem), problem, problem.__traceback__))
    shown = logging.Formatter("%(message)s").format(record)
    assert "\nCRITICAL" not in shown
    assert "ValueError: first" in shown
    assert len(shown) < 3000
    assert Settings().header_seconds <= 10
