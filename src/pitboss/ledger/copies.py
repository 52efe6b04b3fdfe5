"""Copies of the anchor's head in other hands: a folder on another mount, or an address that only ever appends.

Heads are sent by a thread of its own, at most one a second, each as a line of JSON and, with a key, signed by Ed25519.
No commit waits for it; what goes wrong is noted in ``problem``.
"""

import json
import os
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from pitboss.findings import Finding, Severity, refusal
from pitboss.ledger.anchor import Contents, Mark, parsed
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.files import private_file
from pitboss.table.canonical import canonical

PLACES, KEY = "PITBOSS_ANCHOR_COPIES", "PITBOSS_ANCHOR_KEY"
"""Environment: places, with semicolons between them, and the file of the secret key in hexadecimal digits."""
DEADLINE = 2
"""Seconds that a place is given."""
PAUSE = 1
MOST = 100_000_000
SAMPLE = 20
"""Signatures that are checked besides the last: the newest of a place."""


@dataclass(frozen=True)
class Signed:
    """A head as it was sent."""

    mark: Mark
    key: str
    signature: str

    def genuine(self, key: str) -> bool:
        if not key:
            return True
        if self.key != key:
            return False
        try:
            public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(key))
            public.verify(bytes.fromhex(self.signature), self.mark.text().encode())
        except (ValueError, InvalidSignature):
            return False
        return True


@dataclass
class Copies:
    """The places of one ledger; ``name`` is that of its anchor."""

    name: str
    places: tuple[str, ...] = ()
    private: Ed25519PrivateKey | None = field(default=None, repr=False)
    problem: str = ""
    _waiting: Mark | None = None
    _sent: Mark | None = None
    _thread: threading.Thread | None = None
    _news: threading.Condition = field(default_factory=threading.Condition)
    _closed: bool = False

    @property
    def key(self) -> str:
        """The public key in hexadecimal digits; empty without one."""
        return public_key(self.private).hex() if self.private is not None else ""

    def note(self, mark: Mark) -> None:
        """A new head, to be sent as soon as may be."""
        if not self.places:
            return
        with self._news:
            self._waiting = mark
            if self._thread is None:
                self._thread = threading.Thread(target=self._send_on, name="anchor copies", daemon=True)
                self._thread.start()
            self._news.notify()

    def close(self) -> None:
        """The last head still goes out, if the places take it in time."""
        with self._news:
            self._closed = True
            self._news.notify()
        if self._thread is not None:
            self._thread.join(DEADLINE * len(self.places) + PAUSE)

    def _send_on(self) -> None:
        while True:
            with self._news:
                while self._waiting is None and not self._closed:
                    self._news.wait()
                mark, self._waiting, closed = self._waiting, None, self._closed
            if mark is not None:
                self.send(mark)
            if closed:
                return
            time.sleep(PAUSE)

    def send(self, mark: Mark) -> None:
        signature = self.private.sign(mark.text().encode()).hex() if self.private is not None else ""
        line = canonical({"head": json.loads(mark.text()), "key": self.key, "signature": signature}) + "\n"
        problems = []
        for place in self.places:
            try:
                _post(place, line) if _is_address(place) else self._append(place, line)
            except (OSError, ValueError) as error:
                problems.append(f"the copy of the anchor at {place} could not be written ({error})")
        self.problem = "; ".join(problems)

    def _path(self, place: str) -> Path:
        return Path(place) / f"{self.name}.heads"

    def _append(self, place: str, line: str) -> None:
        file = os.open(self._path(place), os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(file, line.encode())
            os.fsync(file)
        finally:
            os.close(file)

    def set_aside(self, seq: int) -> None:
        """Somebody has acknowledged the fault of the anchors: folders start over, and what was there is set aside."""
        for place in self.places:
            if not _is_address(place) and self._path(place).exists():
                path = self._path(place)
                path.rename(path.with_name(f"{path.name}.set-aside-{seq}"))

    def looks(self, anchor: Contents, known: Sequence[str], key: str) -> Iterator[tuple[list[Finding], list[Mark]]]:
        """What is wrong with each place, and the heads it holds; ``known`` places and ``key`` are of the last start."""
        for place in self.places:
            yield self._look(place, anchor, self.key or key, begun=place in known)
        if self.problem:
            yield [refusal("anchor-copy", "a copy that can be written", "not written", self.problem)], []
        for place in sorted(set(known) - set(self.places)):
            sentence = f"the copy of the anchor at {place} was in use at the last start and is not checked now"
            yield [refusal("anchor-copy", place, "not configured", sentence, place, severity="note")], []

    def _look(self, place: str, anchor: Contents, key: str, *, begun: bool) -> tuple[list[Finding], list[Mark]]:
        try:
            text = _fetched(place) if _is_address(place) else self._path(place).read_text("utf-8")
        except FileNotFoundError:
            return [_wrong(place, "is gone")] if begun else [], []
        except urllib.error.HTTPError as error:
            sentence = f"the copy at {place} cannot be read back from here ({error.code}); its keeper has to compare"
            return [refusal("anchor-copy", "readable", "not readable", sentence, place, severity="note")], []
        except (OSError, ValueError) as error:
            return [_wrong(place, f"cannot be read ({error})")], []
        found = []
        heads = [_signed(line) for line in text.splitlines()]
        whole = [head for head in heads if head is not None]
        if len(whole) < len(heads) or (begun and not whole):
            what = f"is damaged: {len(heads) - len(whole)} of its {len(heads)} lines cannot be read"
            found.append(_wrong(place, what))
        if forged := [head.mark.seq for head in whole[-SAMPLE:] if not head.genuine(key)]:
            return [*found, _wrong(place, f"holds a head of event {forged[0]} that the ledger's key did not sign")], []
        if whole and anchor.head is not None and whole[-1].mark.place != anchor.head.place:
            mark, newer = whole[-1].mark, whole[-1].mark.place > anchor.head.place
            ahead, older = f"event {anchor.head.seq}", "the anchor itself" if newer else "the copy"
            sentence = (
                f"the copy of the anchor at {place} has come to event {mark.seq} and answer {mark.answers}, the anchor "
                f"to {ahead} and answer {anchor.head.answers}: {older} is older"
            )
            severity: Severity = "error" if newer else "note"
            found.append(refusal("anchor-copy", ahead, f"event {mark.seq}", sentence, place, severity=severity))
        return found, [head.mark for head in whole]


def configured(name: str, places: Sequence[str] = (), key: Path | None = None) -> Copies:
    """The places that were given, or those of the environment."""
    found = tuple(places) or tuple(filter(None, (part.strip() for part in os.environ.get(PLACES, "").split(";"))))
    for place in found:
        if not _is_address(place) and not Path(place).is_dir():
            raise LedgerError(
                f"the anchor cannot be copied to {place}: that is neither a folder nor an http(s) address"
            )
    file = key or (Path(os.environ[KEY]) if os.environ.get(KEY) else None)
    return Copies(name, found, read_key(file) if file is not None else None)


def read_key(path: Path) -> Ed25519PrivateKey:
    try:
        return Ed25519PrivateKey.from_private_bytes(bytes.fromhex(path.read_text("ascii").strip()))
    except OSError as error:
        raise LedgerError(f"the key {path} cannot be read ({error.strerror})") from None
    except ValueError:
        raise LedgerError(
            f"{path} is not a key: it should hold 64 hexadecimal digits, as `pitboss audit key` writes them"
        ) from None


def public_key(private: Ed25519PrivateKey) -> bytes:
    """The 32 bytes of the public key."""
    return private.public_key().public_bytes_raw()


def new_key(path: Path) -> str:
    """A new secret key in a file that only its owner may read; gives the public key."""
    private = Ed25519PrivateKey.generate()
    try:
        file = private_file(path, os.O_WRONLY | os.O_EXCL)
    except OSError as error:
        raise LedgerError(f"the key {path} cannot be written ({error.strerror})") from None
    with os.fdopen(file, "w") as opened:
        opened.write(private.private_bytes_raw().hex() + "\n")
    return public_key(private).hex()


def _is_address(place: str) -> bool:
    return place.startswith(("http://", "https://"))


def _post(place: str, line: str) -> None:
    headers = {"Content-Type": "application/json"}
    request = urllib.request.Request(place, line.encode(), headers, method="POST")
    with urllib.request.urlopen(request, timeout=DEADLINE):
        pass


def _fetched(place: str) -> str:
    with urllib.request.urlopen(place, timeout=DEADLINE) as answer:
        return str(answer.read(MOST).decode())


def _signed(line: str) -> Signed | None:
    try:
        found = json.loads(line)
        mark = parsed(canonical(found["head"]).encode())
        return None if mark is None else Signed(mark, str(found["key"]), str(found["signature"]))
    except (ValueError, KeyError, TypeError):
        return None


def _wrong(place: str, what: str) -> Finding:
    return refusal("anchor-copy", "a whole copy", "not whole", f"the copy of the anchor at {place} {what}", place)
