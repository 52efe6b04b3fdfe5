"""Heads of the anchor in other hands: signed, found to be forged, gone, behind or ahead."""

import json
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from tests.ledger.books import AT, fill

from pitboss.findings import Finding, FindingsError, errors
from pitboss.ledger.acknowledging import acknowledge
from pitboss.ledger.anchor import Mark
from pitboss.ledger.audit import anchor_findings
from pitboss.ledger.copies import Signed, configured, new_key, public_key, read_key
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.people import Person
from pitboss.ledger.selfcheck import record_start
from pitboss.ledger.store import Store
from pitboss.table.canonical import canonical
from pitboss.table.roles import Role

VECTORS = (
    (
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24"
        "655141438e7a100b",
    ),
    (
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aee"
        "b00d291612bb0c00",
    ),
    (
        "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28d"
        "c027beceea1ec40a",
    ),
)
"""RFC 8032, section 7.1, tests 1 to 3."""


@pytest.mark.parametrize(("secret", "public", "message", "signature"), VECTORS)
def test_a_stored_key_signs_as_in_rfc_8032(
    tmp_path: Path, secret: str, public: str, message: str, signature: str
) -> None:
    stored = tmp_path / "key"
    stored.write_text(f"{secret}\n")
    private = read_key(stored)
    assert public_key(private).hex() == public
    assert private.sign(bytes.fromhex(message)).hex() == signature


STORED = Signed(
    Mark(12, "ab" * 32, 1_700_000_000_000_000, "head", 7, "cd" * 32),
    VECTORS[2][1],
    "4e02adec32dcd7ac8196f9ed28eceff1f434be670289f8940e09e7abc4780d24d8ce249dd59b748faa8f974f523f2f6fcd9ecc60"
    "22161834b0dedc2aae928b0c",
)
"""A head as the version before this library signed it, with its own arithmetic."""


def test_only_the_key_of_the_ledger_signed_its_head() -> None:
    assert STORED.genuine(STORED.key)
    changed = bytes.fromhex(STORED.signature)
    order = 2**252 + 27742317777372353535851937790883648493
    for signature in (
        changed[:-1] + bytes([changed[-1] ^ 1]),
        changed[:32] + order.to_bytes(32, "little"),
        changed[:32] + (int.from_bytes(changed[32:], "little") + order).to_bytes(32, "little"),
        changed[:63],
        b"",
    ):
        assert not replace(STORED, signature=signature.hex()).genuine(STORED.key)
    assert not replace(STORED, signature="no digits").genuine(STORED.key)
    assert not replace(STORED, mark=replace(STORED.mark, seq=13)).genuine(STORED.key)
    assert not STORED.genuine(VECTORS[0][1])
    assert not replace(STORED, key="ff" * 32).genuine("ff" * 32)
    assert not replace(STORED, key="ff" * 31).genuine("ff" * 31)


@pytest.mark.parametrize("content", ["", "ff" * 31, "ff" * 33, "no digits", "\xff"])
def test_a_file_that_is_no_key_is_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "key"
    path.write_text(content, "latin-1")
    with pytest.raises(LedgerError, match="64 hexadecimal digits"):
        read_key(path)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    return folder


@pytest.fixture
def key(tmp_path: Path) -> Path:
    path = tmp_path / "key"
    new_key(path)
    assert path.stat().st_mode & 0o077 == 0
    return path


def filled(url: str, places: list[str], key: Path | None) -> None:
    with Store(url, copies=places, key=key) as store:
        record_start(store, at=AT, actor="pitboss", role="system")
        fill(store, 5)


def found(url: str, places: list[str], key: Path | None) -> tuple[Finding, ...]:
    with Store(url, begin=False, copies=places, key=key) as store:
        return anchor_findings(store)


def test_a_copy_holds_the_last_head_signed(sqlite_url: str, place: Path, key: Path) -> None:
    filled(sqlite_url, [str(place)], key)
    (file,) = place.iterdir()
    last = json.loads(file.read_text().splitlines()[-1])
    with Store(sqlite_url) as store, store.reading() as reading:
        assert last["head"]["hash"] == reading.head.hash.hex()
    assert file.stat().st_mode & 0o077 == 0
    assert found(sqlite_url, [str(place)], key) == ()


@pytest.mark.parametrize("how", ["gone", "emptied", "forged", "unsigned", "by another key", "damaged"])
def test_a_copy_that_was_laid_hands_on_stops_play(sqlite_url: str, place: Path, key: Path, how: str) -> None:
    filled(sqlite_url, [str(place)], key)
    (file,) = place.iterdir()
    *before, last = file.read_text().splitlines(keepends=True)
    head = json.loads(last)
    if how == "gone":
        file.unlink()
    elif how == "emptied":
        file.write_text("")
    elif how == "damaged":
        file.write_text("".join([*before, last[:40]]))
    else:
        if how == "forged":
            head["head"]["hash"] = "0" * 64
        elif how == "unsigned":
            head |= {"key": "", "signature": ""}
        else:
            other = Ed25519PrivateKey.generate()
            text = canonical(head["head"]).encode()
            head |= {"key": public_key(other).hex(), "signature": other.sign(text).hex()}
        file.write_text("".join([*before, canonical(head) + "\n"]))
    assert "anchor-copy" in {finding.code for finding in errors(found(sqlite_url, [str(place)], key))}
    with Store(sqlite_url, copies=[str(place)], key=key) as store:
        with pytest.raises(FindingsError):
            record_start(store, at=AT + 10**9, actor="pitboss", role="system")
        acknowledge(store, Person("auditor-1", "", Role.AUDITOR), "the other disk was replaced", AT + 10**9)
        record_start(store, at=AT + 10**9, actor="pitboss", role="system")


def test_an_anchor_rolled_back_with_its_ledger_is_older_than_the_copy(
    sqlite_url: str, place: Path, key: Path, tmp_path: Path
) -> None:
    """The attack that one anchor cannot show: ledger and anchor both replaced by those of yesterday."""
    filled(sqlite_url, [str(place)], key)
    with Store(sqlite_url) as store:
        anchor = store.anchor.path
    old = (tmp_path / "ledger.db").read_bytes(), anchor.read_bytes()
    with Store(sqlite_url, copies=[str(place)], key=key) as store:
        fill(store, 3, start=5)
    (tmp_path / "ledger.db").write_bytes(old[0])
    for name in ("ledger.db-wal", "ledger.db-shm"):
        (tmp_path / name).unlink(missing_ok=True)
    anchor.write_bytes(old[1])
    assert errors(found(sqlite_url, [], None)) == ()
    codes = {finding.code: finding.sentence for finding in errors(found(sqlite_url, [str(place)], key))}
    assert set(codes) == {"anchor-copy", "tail-missing"}
    assert "the anchor itself is older" in codes["anchor-copy"]


def test_a_copy_that_is_behind_is_named(sqlite_url: str, place: Path) -> None:
    filled(sqlite_url, [str(place)], None)
    with Store(sqlite_url) as store:
        fill(store, 3, start=5)
    (finding,) = found(sqlite_url, [str(place)], None)
    assert (finding.code, finding.severity) == ("anchor-copy", "note")
    assert "the copy is older" in finding.sentence


class _Keeper(BaseHTTPRequestHandler):
    lines: ClassVar[list[bytes]] = []
    delay = 0

    def do_POST(self) -> None:
        if self.delay:
            time.sleep(self.delay)  # whoever asked has gone by then
            return
        self.lines.append(self.rfile.read(int(self.headers["Content-Length"])))
        self._answer(b"")

    def do_GET(self) -> None:
        self._answer(b"".join(self.lines))

    def _answer(self, body: bytes) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Nothing is logged."""


@pytest.fixture
def keeper() -> Iterator[str]:
    _Keeper.lines, _Keeper.delay = [], 0
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Keeper)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/heads"
    server.shutdown()
    server.server_close()


def test_heads_are_posted_to_an_address_and_read_back(sqlite_url: str, keeper: str, key: Path) -> None:
    filled(sqlite_url, [keeper], key)
    assert _Keeper.lines
    assert found(sqlite_url, [keeper], key) == ()
    _Keeper.lines[-1] = _Keeper.lines[-1].replace(b'"seq":', b'"seq":1')
    assert {finding.code for finding in errors(found(sqlite_url, [keeper], key))} == {"anchor-copy"}


def test_no_commit_waits_for_a_place_that_does_not_answer(
    sqlite_url: str, keeper: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_Keeper, "delay", 3)
    with Store(sqlite_url, copies=[keeper]) as store:
        began = time.monotonic()
        fill(store, 3)
        assert time.monotonic() - began < 1
        deadline = time.monotonic() + 10
        while not store.copies.problem and time.monotonic() < deadline:
            time.sleep(0.05)
        assert "could not be written" in store.copies.problem


def test_places_and_keys_come_from_the_environment(place: Path, key: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PITBOSS_ANCHOR_COPIES", f"{place}; http://127.0.0.1:9/x")
    monkeypatch.setenv("PITBOSS_ANCHOR_KEY", str(key))
    made = configured("a")
    assert made.places == (str(place), "http://127.0.0.1:9/x")
    assert len(made.key) == 64
    assert made.private is not None
    assert made.private.private_bytes_raw().hex() not in repr(made)
    for wrong in ("/nowhere/at/all", "ftp://x"):
        with pytest.raises(LedgerError, match="neither a folder"):
            configured("a", [wrong])
    key.write_text("short")
    with pytest.raises(LedgerError, match="is not a key"):
        configured("a")
