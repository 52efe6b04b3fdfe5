"""Sessions: a token that a browser or a program holds, until nobody is there or the shift is over."""

import secrets
from dataclasses import dataclass, field
from hmac import compare_digest
from typing import Any, Final

from sqlalchemy import Connection, Row, bindparam, delete, insert, or_, select, update

from pitboss.clock import MICROSECONDS
from pitboss.ledger.accounts import Person, person_in
from pitboss.ledger.passwords import as_bytes
from pitboss.ledger.schema import people, sessions
from pitboss.table.canonical import digest_of
from pitboss.table.desk import HOUR

IDLE: Final = 15 * 60 * MICROSECONDS
LIFETIME: Final = 12 * HOUR
"""One shift: anyone who works longer logs in again, however busy the session was."""
SEEN_EVERY: Final = 60 * MICROSECONDS
"""``seen`` may lag behind by this much, so a log-out comes after 14 to 15 idle minutes, never later."""

_SESSION: Final = (
    select(people, sessions.c.csrf, sessions.c.seen, sessions.c.created.label("began"))
    .join_from(sessions, people, people.c.id == sessions.c.person)
    .where(sessions.c.token == bindparam("token"), people.c.disabled == 0)
)
"""Asked with every request, so it is made once."""


@dataclass(frozen=True)
class LoggedIn:
    """A new session. This is the only time that its token is known to the house."""

    token: str = field(repr=False)
    csrf: str = field(repr=False)
    person: Person
    must_change: bool = False


@dataclass(frozen=True)
class Session:
    person: Person
    csrf: str = field(repr=False)
    must_change: bool = False
    """The password is somebody else's making; until it is changed the session is good for nothing else."""
    left: int = 0
    """Microseconds until it ends, if nobody does anything."""

    def accepts(self, csrf: str) -> bool:
        """Whether a form or request carries this session's CSRF token."""
        return compare_digest(as_bytes(self.csrf), as_bytes(csrf))


def begin(connection: Connection, person: Person, must_change: bool, address: str, now: int) -> LoggedIn:
    """A new session; those that have run out are swept away."""
    gone = or_(sessions.c.seen < now - IDLE, sessions.c.seen > now + IDLE, sessions.c.created < now - LIFETIME)
    connection.execute(delete(sessions).where(gone))
    token, csrf = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
    times = {"created": now, "seen": now}
    new = {"token": digest_of(token), "person": person.id, **times, "csrf": csrf, "address": address}
    connection.execute(insert(sessions), new)
    return LoggedIn(token, csrf, person, must_change)


def look_up(connection: Connection, token_digest: str) -> tuple[Session, Row[Any]] | None:
    """A session, with its row; none where it was ended or its person is disabled."""
    row = connection.execute(_SESSION, {"token": token_digest}).one_or_none()
    return None if row is None else (Session(person_in(row), row.csrf, bool(row.must_change)), row)


def is_over(row: Row[Any], now: int) -> bool:
    """Whether nobody was there for too long, or the shift is over."""
    # A clock that was set back must not lengthen a session, hence the distance and not the difference.
    return bool(abs(now - row.seen) > IDLE or now - row.began > LIFETIME)


def left_of(row: Row[Any], now: int) -> int:
    """How long a session still lasts if nobody does anything."""
    return int(min(row.seen + IDLE, row.began + LIFETIME) - now)


def touch(connection: Connection, token_digest: str, row: Row[Any], now: int) -> None:
    """Somebody is there."""
    connection.execute(
        update(sessions).where(sessions.c.token == token_digest, sessions.c.seen == row.seen).values(seen=now)
    )


def end(connection: Connection, token_digest: str) -> str:
    """End a session; the id of its person, '' where there was none."""
    person = connection.execute(select(sessions.c.person).where(sessions.c.token == token_digest)).scalar()
    connection.execute(delete(sessions).where(sessions.c.token == token_digest))
    return str(person or "")


def end_all(connection: Connection, id: str) -> None:
    connection.execute(delete(sessions).where(sessions.c.person == id))
