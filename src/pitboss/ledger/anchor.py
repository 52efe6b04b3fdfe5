"""The anchor: a file outside the database that remembers how far the chain had come.

A chain of hashes does not notice that its end was cut off, nor that all of it was written anew. The anchor does. Its
first 160 bytes, rewritten after every commit, name the last event; below them a line is added, and forced to the
disk, every 100 events or 60 seconds. Nothing enters it before the database has stored the event.
"""

import fcntl
import json
import os
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

from sqlalchemy.engine import URL

from pitboss.ledger.errors import LedgerError
from pitboss.ledger.files import private_file, private_folder
from pitboss.table.events import canonical

HEAD_BYTES = 160
EVERY_EVENTS = 100
EVERY_SECONDS = 60


@dataclass(frozen=True)
class Mark:
    """What an anchor says: event ``seq`` had this hash. ``mark`` is head, begun, line or repaired."""

    seq: int
    hash: str
    at: int
    mark: str = "head"

    def text(self) -> str:
        return canonical({"at": self.at, "hash": self.hash, "mark": self.mark, "seq": self.seq})


@dataclass(frozen=True)
class Contents:
    """What could be read of an anchor; ``damage`` holds a sentence for each part that could not."""

    head: Mark | None
    lines: tuple[Mark, ...]
    damage: tuple[str, ...]


def default_anchor(url: URL) -> Path:
    """One file for each ledger, in ``PITBOSS_ANCHORS`` or the user's state folder, away from the database."""
    given, base = os.environ.get("PITBOSS_ANCHORS"), os.environ.get("XDG_STATE_HOME")
    folder = (
        Path(given) if given else (Path(base) if base else Path.home() / ".local" / "state") / "pitboss" / "anchors"
    )
    name = url.set(password=None).render_as_string()
    return folder / f"{sha256(name.encode()).hexdigest()[:24]}.anchor"


class Anchor:
    """The file, open; threads and processes may share it, and it only ever moves forward."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.problem = ""
        """Why the anchor could not be written after the last commit; empty when it could."""
        self._inside = threading.Lock()
        self._newest: Mark | None = None
        self._written = b""
        """The head as this process left it; read back the same, nobody else has moved it."""
        self._lined = 0
        self._lined_at = time.monotonic()
        self._timer: threading.Timer | None = None
        try:
            private_folder(path.parent)
            self._file: int | None = private_file(path)
        except OSError as error:
            raise LedgerError(f"the anchor {path} cannot be opened ({error.strerror})") from None

    def begin(self, seq: int, digest: bytes, at: int = 0) -> None:
        """Start an empty file where the chain stands now; one that has begun is left as it is."""
        with self._held() as file:
            if os.fstat(file).st_size == 0:
                mark = Mark(seq, digest.hex(), at, "begun")
                self._put_head(file, mark)
                self._put_line(file, mark)
        self._lined = seq

    def record(self, seq: int, digest: bytes, at: int) -> None:
        """Note a commit. A failure is kept in ``problem``: the commit stands whatever happens to the anchor."""
        mark = Mark(seq, digest.hex(), at)
        try:
            with self._held() as file:
                self._move(file, mark)
        except OSError as error:
            self.problem = f"event {seq} is stored but not anchored: {self.path} cannot be written ({error.strerror})"

    def flush(self) -> None:
        """Add the line that is due, now."""
        try:
            with self._held() as file:
                self._line_now(file)
        except OSError as error:
            self.problem = f"the anchor {self.path} cannot be written ({error.strerror})"

    def close(self) -> None:
        if self._file is None:
            return
        self.flush()
        with self._inside:
            if self._timer is not None:
                self._timer.cancel()
            os.close(self._file)
            self._file = None

    def contents(self) -> Contents:
        """Read the file from its path, so that one put in its place is seen."""
        return read_anchor(self.path)

    def replace(self, source: Path) -> None:
        """Take over another anchor's contents: that of a backup, when it is restored."""
        contents = read_anchor(source)
        with self._held() as file:
            os.ftruncate(file, 0)
            if contents.head is not None:
                self._put_head(file, contents.head)
                self._newest, self._lined = contents.head, contents.head.seq
            for mark in contents.lines:
                self._put_line(file, mark)

    @contextmanager
    def _held(self) -> Iterator[int]:
        with self._inside:
            if self._file is None:
                raise LedgerError("the anchor is closed")
            fcntl.flock(self._file, fcntl.LOCK_EX)
            try:
                yield self._file
            finally:
                fcntl.flock(self._file, fcntl.LOCK_UN)

    def _move(self, file: int, mark: Mark) -> None:
        written = os.pread(file, HEAD_BYTES, 0)
        stands = self._newest if written == self._written else _head(written)
        if stands is None:
            self._put_line(file, Mark(mark.seq, mark.hash, mark.at, "repaired"))
        elif stands.seq >= mark.seq:
            return
        self._written = self._put_head(file, mark)
        self._newest = mark
        self.problem = ""
        if mark.seq - self._lined >= EVERY_EVENTS or time.monotonic() - self._lined_at >= EVERY_SECONDS:
            self._line_now(file)
        elif self._timer is None:
            self._timer = threading.Timer(EVERY_SECONDS, self._late)
            self._timer.daemon = True
            self._timer.start()

    def _late(self) -> None:
        """The last events before a quiet time get their line as well."""
        with self._inside:
            self._timer = None
            closed = self._file is None
        if not closed:
            self.flush()

    def _line_now(self, file: int) -> None:
        newest = self._newest
        if newest is not None and newest.seq > self._lined:
            lined = _last_line(file)  # another process may have come further
            if newest.seq > lined:
                self._put_line(file, Mark(newest.seq, newest.hash, newest.at, "line"))
            self._lined = max(newest.seq, lined)
        self._lined_at = time.monotonic()

    @staticmethod
    def _put_head(file: int, mark: Mark) -> bytes:
        """The head as it now stands in the file."""
        data = (mark.text().ljust(HEAD_BYTES - 1) + "\n").encode()
        os.pwrite(file, data, 0)
        return data

    @staticmethod
    def _put_line(file: int, mark: Mark) -> None:
        size = max(os.fstat(file).st_size, HEAD_BYTES)
        if size > HEAD_BYTES and os.pread(file, 1, size - 1) != b"\n":
            os.pwrite(file, b"\n", size)  # a torn line stays as it is, by itself
            size += 1
        data = (mark.text() + "\n").encode()
        if os.pwrite(file, data, size) != len(data):
            raise OSError(28, "no space left for the whole line")
        os.fsync(file)


def write_anchor(path: Path, head: Mark, lines: Iterable[Mark]) -> None:
    """A new anchor file, complete."""
    text = head.text().ljust(HEAD_BYTES - 1) + "\n" + "".join(mark.text() + "\n" for mark in lines)
    with open(private_file(path, os.O_WRONLY | os.O_TRUNC), "w", encoding="ascii") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())


def read_anchor(path: Path) -> Contents:
    """Everything an anchor file says, and what of it could not be read."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return Contents(None, (), (f"the anchor {path} is missing",))
    except OSError as error:
        return Contents(None, (), (f"the anchor {path} cannot be read ({error.strerror})",))
    damage = []
    head = _head(data[:HEAD_BYTES])
    if head is None:
        damage.append(f"the head of the anchor {path} cannot be read")
    lines = []
    for number, line in enumerate(data[HEAD_BYTES:].split(b"\n"), 1):
        mark = _mark(line)
        if mark is not None:
            lines.append(mark)
        elif line:
            damage.append(f"line {number} of the anchor {path} cannot be read")
    if any(later.seq < earlier.seq for earlier, later in pairwise(lines)):
        damage.append(f"the lines of the anchor {path} are not in order")
    if not lines or lines[0].mark != "begun":
        damage.append(f"the first line of the anchor {path} is missing")
    return Contents(head, tuple(lines), tuple(damage))


def _last_line(file: int) -> int:
    """The event of the last whole line of the file; 0 if there is none."""
    start = max(HEAD_BYTES, os.fstat(file).st_size - 4 * HEAD_BYTES)
    marks = (_mark(line) for line in reversed(os.pread(file, 4 * HEAD_BYTES, start).split(b"\n")))
    return next((mark.seq for mark in marks if mark is not None), 0)


def _head(data: bytes) -> Mark | None:
    return _mark(data) if len(data) == HEAD_BYTES and data.endswith(b"\n") else None


def _mark(line: bytes) -> Mark | None:
    try:
        found: Any = json.loads(line)
        mark = Mark(int(found["seq"]), bytes.fromhex(found["hash"]).hex(), int(found["at"]), str(found["mark"]))
    except (ValueError, KeyError, TypeError):
        return None
    return mark if mark.seq >= 0 and len(mark.hash) == 64 and mark.text().encode() == line.strip() else None
