"""The anchor: a file outside the database that remembers how far the chain had come.

A chain of hashes does not notice that its end was cut off, nor that all of it was rewritten. The anchor does. Its
first line names the last event and the last answer that are known to be stored, its second what the transaction being
stored will come to; both are rewritten around every commit. So a program that stops between the two leaves a ledger
that stands at one or the other, and whatever stands elsewhere was not left by a crash. Below them a line is added, and
forced to the disk, every 100 events or 60 seconds.
"""

import errno
import fcntl
import json
import os
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

from sqlalchemy.engine import URL

from pitboss.ledger.errors import AnchorError, LedgerError
from pitboss.ledger.files import close_to_others, private_file, private_folder
from pitboss.ledger.rows import Head

HEAD_BYTES = 256
"""Of each of the first two lines."""
LINES_FROM = 2 * HEAD_BYTES
OLD_HEAD_BYTES = 160
"""Of the one first line of an anchor made under revision 0001."""
EVERY_EVENTS = 100
EVERY_SECONDS = 60


@dataclass(frozen=True)
class Mark:
    """What an anchor says: event ``seq`` had this hash, and answer ``answers`` the hash ``told``.

    ``mark`` is head, next, begun, line or repaired. An anchor of revision 0001 does not tell of answers.
    """

    seq: int
    hash: str
    at: int
    mark: str = "head"
    answers: int = 0
    told: str = ""

    def text(self, mark: str = "") -> str:
        """Canonical JSON, written by hand: every commit writes four of them. ``mark``: as another kind of mark."""
        answers, told = (f'"answers":{self.answers},', f',"told":"{self.told}"') if self.told else ("", "")
        kind = mark or self.mark
        return f'{{{answers}"at":{self.at},"hash":"{self.hash}","mark":"{kind}","seq":{self.seq}{told}}}'

    @property
    def place(self) -> tuple[int, int]:
        return self.seq, self.answers

    def agrees(self, other: "Mark") -> bool:
        """Whether both name the same event and answer with the same hashes, as far as this one knows of answers."""
        same = (self.seq, self.hash) == (other.seq, other.hash)
        return same and (not self.told or (self.answers, self.told) == (other.answers, other.told))

    def __str__(self) -> str:
        return f"event {self.seq}" + (f", answer {self.answers}" if self.told else "")


def mark_of(head: Head, told: Head, at: int, mark: str = "head") -> Mark:
    return Mark(head.seq, head.hash.hex(), at, mark, told.seq, told.hash.hex())


@dataclass(frozen=True)
class Contents:
    """What could be read of an anchor; ``damage`` holds a sentence for each part that could not."""

    head: Mark | None
    lines: tuple[Mark, ...]
    damage: tuple[str, ...]
    next: Mark | None = None
    """What the last transaction was about to come to."""


def default_anchor(url: URL) -> Path:
    """One file for each ledger, in ``PITBOSS_ANCHORS`` or the user's state folder, away from the database."""
    given, base = os.environ.get("PITBOSS_ANCHORS"), os.environ.get("XDG_STATE_HOME")
    folder = (
        Path(given) if given else (Path(base) if base else Path.home() / ".local" / "state") / "pitboss" / "anchors"
    )
    name = url.set(password=None).render_as_string()
    return folder / f"{sha256(name.encode()).hexdigest()[:24]}.anchor"


class Anchor:
    """The file, open; threads and processes may share it, and it only ever moves forward.

    A file that is not there is not made: only ``begin`` makes one, for a new ledger or after somebody has acknowledged
    that the old one is gone.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.problem = ""
        """Why the anchor could not be written around the last commit; empty when it could."""
        self.lost = False
        """Whether the file is gone, replaced, or not where the ledger is: no play until somebody acknowledges it."""
        self._inside = threading.Lock()
        self._newest: Mark | None = None
        self._written = b""
        """The head as this process left it; read back the same, nobody else has moved it."""
        self._unanchored: Mark | None = None
        """A commit of this process that could not be written to the file."""
        self._lined = 0
        self._lined_at = time.monotonic()
        self._timer: threading.Timer | None = None
        self._closed = False
        self._file: int | None = None
        self._opened = (0, 0)
        """The device and the number there of the file that is open."""
        self._place = str(path)
        try:
            private_folder(path.parent)
            self._open(os.open(path, os.O_RDWR))
            close_to_others(path)
        except FileNotFoundError:
            self._lose()
        except OSError as error:
            raise LedgerError(f"the anchor {path} cannot be opened ({error.strerror})") from None

    def begin(self, mark: Mark) -> None:
        """Start the file where the chain stands now, unless there is one that has begun."""

        def start(file: int) -> None:
            if os.fstat(file).st_size == 0:
                self._put_heads(file, mark, mark)
                self._put_line(file, replace(mark, mark="begun"))

        self._make(start)
        self._lined = mark.seq

    def set_aside(self, seq: int) -> Path | None:
        """Move what lies at the anchor's place out of the way, as evidence; ``begin`` comes next."""
        with self._inside:
            if self._file is not None:
                os.close(self._file)
                self._file = None
            self._newest, self._written, self._lined = None, b"", 0
            if not self.path.exists():
                return None
            aside = self.path.with_name(f"{self.path.name}.set-aside-{seq}")
            self.path.rename(aside)
            return aside

    def announce(self, before: Mark, after: Mark, *, past: bool = False) -> None:
        """Note what a transaction is about to store; ``before`` is where the ledger stands.

        Raise ``AnchorError`` if the anchor is missing, replaced, damaged or stands elsewhere than the ledger. A caller
        that goes ``past`` that stores its transaction, and the anchor stays as it is, as evidence.
        """

        def put(file: int) -> None:
            stands = self._stands(file)
            if fault := self._fault(file, stands, before):
                self._lose(fault)
                raise OSError(errno.ESTALE, fault)
            self.lost = False
            assert stands is not None
            head = stands if stands.place == before.place else before
            self._written = self._put_heads(file, head, after)
            self._newest = head

        self._try(put)
        if self.lost and not past:
            raise AnchorError(
                f"nothing was recorded: {self.problem}. An auditor or an administrator has to acknowledge that first: "
                "pitboss audit acknowledge --as ID --reason WHY"
            )

    def _fault(self, file: int, stands: Mark | None, before: Mark) -> str:
        """Why the ledger cannot go on from here; empty if the anchor stands where the ledger does."""
        if stands is None:
            return f"the head of the anchor {self.path} cannot be read"
        following = _head(os.pread(file, HEAD_BYTES, HEAD_BYTES))
        if any(mark is not None and mark.agrees(before) for mark in (stands, following, self._unanchored)):
            return ""
        if stands.seq == before.seq and stands.hash != before.hash:
            return f"the anchor {self.path} has another hash for event {before.seq} than the ledger"
        return f"the anchor {self.path} stands at {stands} and the ledger at {before}"

    def record(self, mark: Mark) -> None:
        """Note a commit, which stands whatever happens to the anchor; the next announcement looks for the file."""
        what = f"event {mark.seq} is stored but not anchored: "
        self._try(lambda file: self._move(file, mark), what, look=False)
        if self.problem and not self.lost:
            self._unanchored = mark

    def flush(self) -> None:
        """Add the line that is due, now."""
        self._try(self._line_now)

    def close(self) -> None:
        if self._closed:
            return
        self.flush()
        with self._inside:
            if self._timer is not None:
                self._timer.cancel()
            if self._file is not None:
                os.close(self._file)
            self._file, self._closed = None, True

    def contents(self) -> Contents:
        """Read the file from its path, so that one put in its place is seen."""
        return read_anchor(self.path)

    def replace(self, source: Path) -> None:
        """Take over another anchor's contents: that of a backup, when it is restored."""
        contents = read_anchor(source)

        def copy(file: int) -> None:
            os.ftruncate(file, 0)
            if contents.head is not None:
                self._put_heads(file, contents.head, contents.head)
                self._newest, self._lined = contents.head, contents.head.seq
            for mark in contents.lines:
                self._put_line(file, mark)

        self._make(copy)

    def _open(self, file: int) -> None:
        opened = os.fstat(file)
        self._file, self._opened = file, (opened.st_dev, opened.st_ino)

    def _make(self, work: Callable[[int], None]) -> None:
        """Work on the file, made if it is not there; it is the anchor from then on."""
        with self._inside:
            if self._file is None:
                self._open(private_file(self.path))
        self._hold(work)
        self.lost, self.problem = False, ""

    def _try(self, work: Callable[[int], None], what: str = "", *, look: bool = True) -> None:
        """Work on the file; a failure stops nobody and is noted in ``problem``."""
        try:
            self._hold(work, look=look)
        except OSError as error:
            if not self.lost:
                self.problem = f"{what}the anchor {self.path} cannot be written ({error.strerror})"

    def _hold(self, work: Callable[[int], None], *, look: bool = True) -> None:
        """Alone with the file, among threads and processes."""
        with self._inside:
            if self._closed:
                raise LedgerError("the anchor is closed")
            if self._file is None:
                raise OSError(errno.ENOENT, "it is missing")
            fcntl.flock(self._file, fcntl.LOCK_EX)
            try:
                if look:
                    self._look()
                work(self._file)
            finally:
                fcntl.flock(self._file, fcntl.LOCK_UN)

    def _look(self) -> None:
        """Whether the file that is open still lies at its place."""
        try:
            there = os.stat(self._place)
        except OSError:
            self._lose()
            raise
        if (there.st_dev, there.st_ino) != self._opened:
            self._lose()
            raise OSError(errno.ESTALE, "another file has taken its place")

    def _lose(self, why: str = "") -> None:
        self.lost = True
        self.problem = why or f"the anchor {self.path} is missing, or another file has taken its place"

    def _stands(self, file: int) -> Mark | None:
        written = os.pread(file, HEAD_BYTES, 0)
        if written != self._written and b"\n" in written[:OLD_HEAD_BYTES]:
            _convert(file)
            written = os.pread(file, HEAD_BYTES, 0)
        return self._newest if written == self._written else _head(written)

    def _move(self, file: int, mark: Mark) -> None:
        stands = self._stands(file)
        if stands is None:
            self._put_line(file, replace(mark, mark="repaired"))
        elif self.lost or stands.place >= mark.place:
            return
        self._written = self._put_heads(file, mark, mark)
        self._newest = mark
        self.problem, self.lost, self._unanchored = "", False, None
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
            closed = self._closed
        if not closed:
            self.flush()

    def _line_now(self, file: int) -> None:
        newest = self._newest
        if newest is not None and newest.seq > self._lined:
            lined = _last_line(file)  # another process may have come further
            if newest.seq > lined:
                self._put_line(file, replace(newest, mark="line"))
            self._lined = max(newest.seq, lined)
        self._lined_at = time.monotonic()

    @staticmethod
    def _put_heads(file: int, head: Mark, following: Mark) -> bytes:
        """The head as it now stands in the file."""
        data = _heads(head, following)
        os.pwrite(file, data, 0)
        return data[:HEAD_BYTES]

    @staticmethod
    def _put_line(file: int, mark: Mark) -> None:
        size = max(os.fstat(file).st_size, LINES_FROM)
        if size > LINES_FROM and os.pread(file, 1, size - 1) != b"\n":
            os.pwrite(file, b"\n", size)  # a torn line stays as it is, by itself
            size += 1
        data = (mark.text() + "\n").encode()
        if os.pwrite(file, data, size) != len(data):
            raise OSError(errno.ENOSPC, "no space left for the whole line")
        os.fsync(file)


def _heads(head: Mark, following: Mark) -> bytes:
    """The first two lines, each of ``HEAD_BYTES``."""
    texts = head.text("head"), following.text("next")
    return "".join(text.ljust(HEAD_BYTES - 1) + "\n" for text in texts).encode()


def _convert(file: int) -> None:
    """The anchor of a ledger of revision 0001: one shorter head, then the lines."""
    data = os.pread(file, os.fstat(file).st_size, 0)
    head = parsed(data[:OLD_HEAD_BYTES])
    if head is None:
        return  # damaged, and reported as such
    os.pwrite(file, _heads(head, head) + data[OLD_HEAD_BYTES:], 0)
    os.fsync(file)


def write_anchor(path: Path, head: Mark, lines: Iterable[Mark]) -> None:
    """A new anchor file, complete."""
    with open(private_file(path, os.O_WRONLY | os.O_TRUNC), "wb") as file:
        file.write(_heads(head, head) + "".join(mark.text() + "\n" for mark in lines).encode())
        file.flush()
        os.fsync(file.fileno())


def read_anchor(path: Path) -> Contents:
    """Everything an anchor file says, and what of it could not be read."""
    try:
        with path.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH)  # not between the two lines of a head that is being rewritten
            data = file.read()
    except FileNotFoundError:
        return Contents(None, (), (f"the anchor {path} is missing",))
    except OSError as error:
        return Contents(None, (), (f"the anchor {path} cannot be read ({error.strerror})",))
    damage = []
    old = b"\n" in data[:OLD_HEAD_BYTES]
    head = parsed(data[:OLD_HEAD_BYTES]) if old else _head(data[:HEAD_BYTES])
    following = head if old else _head(data[HEAD_BYTES:LINES_FROM])
    if head is None or following is None:
        damage.append(f"the head of the anchor {path} cannot be read")
    lines = []
    for number, line in enumerate(data[OLD_HEAD_BYTES if old else LINES_FROM :].split(b"\n"), 1):
        mark = parsed(line)
        if mark is not None:
            lines.append(mark)
        elif line:
            damage.append(f"line {number} of the anchor {path} cannot be read")
    if any(later.seq < earlier.seq for earlier, later in pairwise(lines)):
        damage.append(f"the lines of the anchor {path} are not in order")
    if not lines or lines[0].mark != "begun":
        damage.append(f"the first line of the anchor {path} is missing")
    return Contents(head, tuple(lines), tuple(damage), following)


def _last_line(file: int) -> int:
    """The event of the last whole line of the file; 0 if there is none."""
    start = max(LINES_FROM, os.fstat(file).st_size - 4 * HEAD_BYTES)
    marks = (parsed(line) for line in reversed(os.pread(file, 4 * HEAD_BYTES, start).split(b"\n")))
    return next((mark.seq for mark in marks if mark is not None), 0)


def _head(data: bytes) -> Mark | None:
    return parsed(data) if len(data) == HEAD_BYTES and data.endswith(b"\n") else None


def parsed(line: bytes) -> Mark | None:
    """A mark from its text; nothing, if it is not exactly what ``Mark.text`` gives."""
    try:
        found: Any = json.loads(line)
        digest, told = bytes.fromhex(found["hash"]).hex(), bytes.fromhex(found.get("told", "")).hex()
        mark = Mark(int(found["seq"]), digest, int(found["at"]), str(found["mark"]), int(found.get("answers", 0)), told)
    except (ValueError, KeyError, TypeError):
        return None
    return mark if mark.seq >= 0 and len(mark.hash) == 64 and mark.text().encode() == line.strip() else None
