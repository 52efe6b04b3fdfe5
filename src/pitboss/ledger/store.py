"""The ledger as a program sees it: reading and writing transactions over one database and its anchor."""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_bytes
from typing import TypeVar

from sqlalchemy import Connection, exc

from pitboss.ledger.anchor import Anchor, default_anchor, mark_of
from pitboss.ledger.copies import configured
from pitboss.ledger.deadlines import left, patient
from pitboss.ledger.engine import commit, driver, is_sqlite, open_database
from pitboss.ledger.errors import BusyError, LedgerError, UnknownOutcomeError, UnreachableError, sentence_of
from pitboss.ledger.migrate import migrate
from pitboss.ledger.refusals import Refusals
from pitboss.ledger.rows import Answer, Head, Posting, Recorded, SealedRow
from pitboss.ledger.transactions import Hook, Known, Reading, Salts, Writing

__all__ = ["HOUSE_STREAM", "Answer", "Head", "Posting", "Reading", "Recorded", "SealedRow", "Store", "Writing"]

HOUSE_STREAM = ""
"""The stream of what concerns no single table."""

TURN_S = 2
"""How long one writer of this program waits for another."""

T = TypeVar("T", bound=Reading)


class Store:
    """A ledger that is open. Threads share it; other processes may have the same ledger open."""

    def __init__(
        self,
        url: str,
        anchor: Path | None = None,
        *,
        begin: bool = True,
        copies: Sequence[str] = (),
        key: Path | None = None,
        salts: Salts = token_bytes,
        past_anchor: bool = False,
    ) -> None:
        """``begin``: an empty ledger without an anchor gets one. Nobody else ever does without being asked to.

        ``past_anchor``: store events although the anchor is missing or not where the ledger is. Only for a caller that
        stops play itself until somebody acknowledges it, as the server does; anybody else gets an ``AnchorError``.

        ``copies`` and ``key``: where heads of the anchor are sent, signed; those of the environment if left out.
        """
        self.url = url
        self.past_anchor = past_anchor
        self.salts = salts
        """Only a demonstration that must come out the same each time brings its own."""
        self.hook: Hook | None = None
        """Called by name at each step of a writing transaction; tests stop the program there."""
        self.engine = open_database(url)
        self.is_sqlite = is_sqlite(self.engine)
        self._errors = (exc.SQLAlchemyError, self.engine.dialect.loaded_dbapi.Error)
        self.refusals = Refusals()
        self._turn = threading.Lock()
        self._holder: int | None = None
        self._writer: Connection | None = None
        self._known: Known | None = None
        """What the last transaction knew of balances; another program's would have moved the head."""
        try:
            with patient():
                migrate(self.engine)
            path = anchor or default_anchor(self.engine.url)
            self.copies = configured(path.name, copies, key)
            self.anchor = Anchor(path)
            with self.reading() as reading:
                here = mark_of(reading.head, reading.answers_head(), 0)
            if begin and here.place == (0, 0):
                self.anchor.begin(here)
        except BaseException:
            self.engine.dispose()
            raise

    def close(self) -> None:
        with self._turn:
            if self._writer is not None:
                self._writer.close()
                self._writer = None
        self.anchor.close()
        self.copies.close()
        self.engine.dispose()

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def reading(self) -> Iterator[Reading]:
        """One consistent view of the ledger; it ends with the block."""
        reading = self._opened("read", Reading)
        try:
            with self._refusing(reading):
                yield reading
        finally:
            self._ended(reading.connection)

    @contextmanager
    def writing(self, *, past_anchor: bool = False) -> Iterator[Writing]:
        """One transaction: stored when the block ends, undone if it raises. The anchor follows the commit.

        Refused with an ``AnchorError`` where the anchor is not where the ledger is, unless it may go ``past_anchor``.
        """
        with self._in_turn():
            known, self._known = self._known, None
            writing = self._opened("write", lambda connection: Writing(connection, self.salts, self.hook, known))
            try:
                with self._refusing(writing):
                    writing.reached("begin")
                    yield writing
                    marks = writing.end()
                    if marks is not None:
                        self.anchor.announce(*marks, past=past_anchor or self.past_anchor)
                    writing.reached("before-commit")
                self._commit(writing.connection, writing.last)
                self._known = writing.left
                writing.reached("after-commit")
            finally:
                self._ended(writing.connection)
            if marks is not None:
                self.anchor.record(marks[1])
                self.copies.note(marks[1])
                writing.reached("after-anchor")

    @contextmanager
    def _in_turn(self) -> Iterator[None]:
        """Writers of one program queue here: a lock in the database is waited for by one of them at most."""
        if self._holder == threading.get_ident():
            raise LedgerError("this thread is already writing to the ledger; use the transaction it has")
        if not self._turn.acquire(timeout=left(TURN_S)):
            raise BusyError("other writers did not finish in time; nothing was recorded, try again")
        self._holder = threading.get_ident()
        try:
            yield
        finally:
            self._holder = None
            self._turn.release()

    def _opened(self, purpose: str, make: Callable[[Connection], T]) -> T:
        """A transaction that has begun. A connection that broke while it lay idle is replaced, once."""
        if not left():
            raise BusyError("the time for this request was over before its turn; nothing was recorded, try again")
        for attempt in (1, 2):
            try:
                connection = self._connected(purpose)
            except self._errors as error:
                raise sentence_of(error) from error
            try:
                return make(connection)
            except self._errors as error:
                refusal = sentence_of(error)
                self._forget(connection, refusal)
                if attempt == 2 or self.is_sqlite or not isinstance(refusal, UnreachableError):
                    raise refusal from error
            except BaseException:
                self._ended(connection)
                raise
        raise AssertionError

    def _connected(self, purpose: str) -> Connection:
        if purpose == "write" and self.is_sqlite:
            if self._writer is None:
                self._writer = self.engine.connect()
            return self._writer
        return self.engine.connect()

    def _commit(self, connection: Connection, last: str) -> None:
        try:
            commit(connection, last)
        except self._errors as error:
            refusal = sentence_of(error)
            self._forget(connection, refusal)
            if isinstance(refusal, UnreachableError):
                raise UnknownOutcomeError(
                    "it is not known whether this was recorded: the database fell silent while it stored it; ask again "
                    "under the same key, or look at the record where there was none, and the answer will tell "
                    f"({refusal})"
                ) from error
            raise refusal from error

    @contextmanager
    def _refusing(self, reading: Reading) -> Iterator[None]:
        """Errors of the database leave as sentences, and the cursor goes before the connection does."""
        try:
            try:
                yield
            finally:
                with suppress(*self._errors):
                    reading.close()
        except self._errors as error:
            refusal = sentence_of(error)
            self._forget(reading.connection, refusal)
            raise refusal from error

    def _forget(self, connection: Connection, refusal: LedgerError) -> None:
        """Drop a connection that is of no more use, and, where the server is gone, all idle ones with it."""
        if isinstance(refusal, UnreachableError):
            connection.invalidate()
            self.engine.dispose()
        self._ended(connection)

    def _ended(self, connection: Connection) -> None:
        """Undo what was not committed; SQLite's writer stays open for the next."""
        with suppress(*self._errors):
            connection.rollback()
            if connection is not self._writer:
                connection.close()  # the pool undoes it
            elif connection.invalidated or connection.closed:
                connection.close()
                self._writer = None
            else:
                driver(connection).rollback()
