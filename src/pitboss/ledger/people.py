"""Accounts and sessions: who is at the keyboard, and since when nobody was.

Passwords are kept as argon2id, tokens as SHA-256; neither is in any event, sentence or representation; events
tell the SHA-256 of what is stored, so that it can be verified. An unknown
id takes the same path as a wrong password, step by step, so that an answer does not tell which ids exist.
"""

import re
import secrets
import threading
import unicodedata
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from hmac import compare_digest
from typing import Any, Final, NoReturn

from argon2 import PasswordHasher
from argon2.exceptions import VerificationError
from sqlalchemy import Connection, Row, bindparam, delete, insert, or_, select, update

from pitboss.findings import Finding, FindingsError
from pitboss.ledger.roster import digest_of
from pitboss.ledger.schema import people, sessions
from pitboss.ledger.store import Store, Writing
from pitboss.ledger.watch import Clock as Clock
from pitboss.ledger.watch import Watch
from pitboss.ledger.watch import microseconds as microseconds
from pitboss.table.events import Event
from pitboss.table.permissions import may, why_not
from pitboss.table.roles import Role

SECOND: Final = 1_000_000
IDLE: Final = 15 * 60 * SECOND
SEEN_EVERY: Final = 60 * SECOND
"""``seen`` may lag behind by this much, so a log-out comes after 14 to 15 idle minutes, never later."""
FREE_FAILURES: Final = 5
LONGEST_DELAY: Final = 15 * 60 * SECOND
SHORTEST_PASSWORD: Final = 10
LONGEST_PASSWORD: Final = 1024
LONGEST_NAME: Final = 80

_ID: Final = re.compile(r"[a-z0-9-]{2,40}")
_SYSTEM: Final = str(Role.SYSTEM)
_STRANGERS: Final = 10_000
_AT_ONCE: Final = 4
_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
_WRONG: Final = "The id or the password is wrong."
_SESSION: Final = (
    select(people, sessions.c.csrf, sessions.c.seen)
    .join_from(sessions, people, people.c.id == sessions.c.person)
    .where(sessions.c.token == bindparam("token"), people.c.disabled == 0)
)
"""Asked with every request, so it is made once."""


@dataclass(frozen=True)
class Person:
    id: str
    name: str
    role: Role


@dataclass(frozen=True)
class Account:
    """A person as the list of accounts shows them."""

    person: Person
    disabled: bool
    created: int


@dataclass(frozen=True)
class LoggedIn:
    """A new session. This is the only time that its token is known to the house."""

    token: str = field(repr=False)
    csrf: str = field(repr=False)
    person: Person


@dataclass(frozen=True)
class Session:
    person: Person
    csrf: str = field(repr=False)

    def accepts(self, csrf: str) -> bool:
        """Whether a form or request carries this session's CSRF token."""
        return compare_digest(_bytes(self.csrf), _bytes(csrf))


@dataclass(frozen=True)
class Cost:
    """What one check of a password costs: memory in KiB, passes over it, lanes (RFC 9106, section 3.1)."""

    memory: int = 64 * 1024
    passes: int = 3
    lanes: int = 4


COST: Final = Cost()


class LogInRefusedError(FindingsError):
    """A log-in that was refused; ``wait`` is the number of seconds until another is looked at."""

    def __init__(self, finding: Finding, wait: int) -> None:
        self.wait = wait
        super().__init__([finding])


def delay_after(failures: int) -> int:
    """Microseconds without log-in after so many failures in a row: 1 s after the fifth, then twice as long each time.

    >>> [delay_after(failures) // SECOND for failures in (4, 5, 6, 14, 15, 1000)]
    [0, 1, 2, 512, 900, 900]
    """
    beyond = failures - FREE_FAILURES
    return 0 if beyond < 0 else min(LONGEST_DELAY, SECOND << min(beyond, 10))


class People:
    """The accounts of one store. Every change of one is an event of the house, in the same transaction."""

    def __init__(
        self, store: Store, clock: Clock = microseconds, cost: Cost = COST, watch: Watch | None = None
    ) -> None:
        """``watch``: the clock of all who write in the program, which notices when it jumps."""
        # Errors of the database would otherwise show the values that they were given, secrets among them.
        store.engine.hide_parameters = True
        self._store = store
        self._clock = clock
        self._watch = watch
        self._passwords = _Passwords(cost)
        self._strangers: OrderedDict[bytes, _Tries] = OrderedDict()
        self._strangers_lock = threading.Lock()

    def create(self, id: str, name: str, role: Role, password: str, by: Person | None) -> Person:
        """A new account; ``by`` is None when the software itself makes it."""
        _verify_may(by, "account.create")
        _refuse_any([*_person_findings(id, name), *_role_findings(role), *_password_findings(password)])
        person, kept = Person(id, name, role), self._passwords.kept(password)
        with self._store.writing() as writing:
            actor = _acting(writing, by, "account.create")
            if _find(writing.connection, id):
                _refuse("person-exists", "an id that is free", id, f"There already is an account {id}.", "id")
            self._insert(writing, person, kept, actor)
        return person

    def first_administrator(self) -> tuple[Person, str] | None:
        """Where there is nobody yet: an administrator and the password, which is never shown again."""
        with self._store.reading() as reading:
            if not _nobody(reading.connection):
                return None
        password = "-".join("".join(secrets.choice(_LETTERS) for _ in range(5)) for _ in range(4))
        person, kept = Person("administrator", "Administrator", Role.ADMINISTRATOR), self._passwords.kept(password)
        with self._store.writing() as writing:
            if not _nobody(writing.connection):
                return None
            self._insert(writing, person, kept, None)
        return person, password

    def everyone(self) -> tuple[Account, ...]:
        with self._store.reading() as reading:
            rows = reading.connection.execute(select(people)).all()
        accounts = (Account(_person(row), bool(row.disabled), row.created) for row in rows)
        return tuple(sorted(accounts, key=lambda account: account.person.id))

    def log_in(self, id: str, password: str) -> LoggedIn:
        """A new session, or ``LogInRefusedError``."""
        row = self._check(id, password)
        kept = self._passwords.renewed(row.password, password)
        token, csrf = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
        with self._store.writing() as writing:
            now = self._now(writing)
            person = _confirm(writing.connection, row, kept)
            if person:
                gone = or_(sessions.c.seen < now - IDLE, sessions.c.seen > now + IDLE)
                writing.connection.execute(delete(sessions).where(gone))
                new: dict[str, Any] = {"token": _digest(token), "person": id, "created": now, "seen": now, "csrf": csrf}
                writing.connection.execute(insert(sessions), new)
                events = [Event("login.succeeded", {"person": id, "session": digest_of(new["token"])})]
                if kept != row.password:
                    told = {"person": id, "password_digest": digest_of(kept)}
                    events.insert(0, Event("account.password-rehashed", told))
                _record(writing, person, now, *events)
        if not person:
            self._fail(id, row.failures + 1, "changed")
        return LoggedIn(token, csrf, person)

    def person_of(self, token: str, *, active: bool = True) -> Person | None:
        """Whose session a token is; ``active=False`` when a page asks by itself, so that nobody need be there."""
        session = self.session_of(token, active=active)
        return session.person if session else None

    def session_of(self, token: str, *, active: bool = True) -> Session | None:
        digest = _digest(token)
        with self._store.reading() as reading:
            row = reading.connection.execute(_SESSION, {"token": digest}).one_or_none()
        if row is None:
            return None
        now = self._clock()
        # A clock that was set back must not lengthen a session, hence the distance and not the difference.
        idle = abs(now - row.seen)
        if idle > IDLE:
            self.log_out(token)
            return None
        if active and idle >= SEEN_EVERY:
            with self._store.writing() as writing:
                touch = update(sessions).where(sessions.c.token == digest, sessions.c.seen == row.seen)
                writing.connection.execute(touch.values(seen=now))
        return Session(_person(row), row.csrf)

    def log_out(self, token: str) -> None:
        with self._store.writing() as writing:
            writing.connection.execute(delete(sessions).where(sessions.c.token == _digest(token)))

    def change_password(self, id: str, old: str, new: str) -> None:
        """The person's own act. The old password counts as a log-in does, and every session of the person ends."""
        _refuse_any(_password_findings(new))
        row = self._check(id, old)
        kept = self._passwords.kept(new)
        with self._store.writing() as writing:
            person = _confirm(writing.connection, row, kept)
            if person:
                _end_sessions(writing.connection, id)
                data = {"person": id, "password_digest": digest_of(kept)}
                _record(writing, person, self._now(writing), Event("account.password-changed", data))
        if not person:
            self._fail(id, row.failures + 1, "changed")

    def disable(self, id: str, by: Person) -> None:
        """Ends every session of the account at once, and it can open no other."""
        with self._store.writing() as writing:
            actor = _acting(writing, by, "account.disable")
            _verify_not_last(writing.connection, _enabled(writing.connection, id))
            writing.connection.execute(update(people).where(people.c.id == id).values(disabled=1))
            _end_sessions(writing.connection, id)
            _record(writing, actor, self._now(writing), Event("account.disabled", {"person": id}))

    def set_role(self, id: str, role: Role, by: Person) -> Person:
        """Another job function for an account; its sessions end, so that it starts with a fresh log-in."""
        _refuse_any(_role_findings(role))
        with self._store.writing() as writing:
            actor = _acting(writing, by, "account.set-role")
            person = _enabled(writing.connection, id)
            if person.role is role:
                _refuse("person-role", "another job function", str(role), f"{id} already has the role {role}.", "role")
            _verify_not_last(writing.connection, person)
            writing.connection.execute(update(people).where(people.c.id == id).values(role=str(role)))
            _end_sessions(writing.connection, id)
            data = {"person": id, "from": str(person.role), "to": str(role)}
            _record(writing, actor, self._now(writing), Event("account.role-changed", data))
        return Person(id, person.name, role)

    def confirmed(self, id: str, password: str) -> Person:
        """Who somebody is, without a session: for one act at a command line."""
        row = self._check(id, password)
        with self._store.writing() as writing:
            person = _confirm(writing.connection, row, row.password)
        if not person:
            self._fail(id, row.failures + 1, "changed")
        return person

    def _now(self, writing: Writing) -> int:
        return self._watch.now(writing) if self._watch else self._clock()

    def _check(self, id: str, password: str) -> Row[Any]:
        """The account as it stood, if the password is right and the account in use.

        The attempt is counted before the password is looked at, so that guesses made at the same moment share none.
        """
        known = id if _ID.fullmatch(id) else ""
        with self._store.writing() as writing:
            now = self._clock()
            row = _find(writing.connection, known)
            tries = _Tries(row.failures, row.locked_until).next(now) if row else self._stranger(id, now)
            counted = update(people).where(people.c.id == known)
            values = {"failures": tries.failures, "locked_until": tries.locked_until}
            writing.connection.execute(counted.values(values))
        right = self._passwords.match(row.password if row else None, password)
        if row is None or row.disabled or not right:
            reason = "unknown" if row is None else "password" if not right else "disabled"
            self._fail(row.id if row else "", tries.failures, reason)
        return row

    def _stranger(self, id: str, now: int) -> "_Tries":
        """Unknown ids are delayed like known ones. They are counted in memory only: anybody can invent any number."""
        key = sha256(_bytes(id)).digest()
        with self._strangers_lock:
            tries = self._strangers.get(key, _Tries(0, 0)).next(now)
            self._strangers[key] = tries
            self._strangers.move_to_end(key)
            if len(self._strangers) > _STRANGERS:
                self._strangers.popitem(last=False)
        return tries

    def _fail(self, id: str, failures: int, reason: str) -> NoReturn:
        """Records and refuses. ``id`` is '' if unknown: people type passwords into the wrong field."""
        seconds = delay_after(failures) // SECOND
        data = {"person": id, "failures": failures}
        events = [Event("login.failed", {**data, "reason": reason})]
        if seconds:
            events.append(Event("login.locked", {**data, "seconds": seconds}))
        with self._store.writing() as writing:
            _record(writing, None, self._now(writing), *events)
        sentence = f"{_WRONG} {_wait(seconds)}" if seconds else _WRONG
        raise LogInRefusedError(Finding("login", "", "an id and its password", "", sentence), seconds)

    def _insert(self, writing: Writing, person: Person, kept: str, by: Person | None) -> None:
        now = self._now(writing)
        data = {"name": person.name, "role": str(person.role)}
        fresh = {"password": kept, "disabled": 0, "failures": 0, "locked_until": 0, "created": now}
        writing.connection.execute(insert(people), {"id": person.id, **data, **fresh})
        told = {"person": person.id, **data, "password_digest": digest_of(kept)}
        _record(writing, by, now, Event("account.created", told))


@dataclass(frozen=True)
class _Tries:
    """Failures in a row, and the moment until which no other attempt is looked at."""

    failures: int
    locked_until: int

    def next(self, now: int) -> "_Tries":
        wait = self.locked_until - now
        # A longer wait than the longest means that the clock was set back.
        if 0 < wait <= LONGEST_DELAY:
            seconds = -(-wait // SECOND)
            sentence = f"Too many attempts were wrong. {_wait(seconds)}"
            raise LogInRefusedError(Finding("login-delay", "", "a later attempt", "", sentence), seconds)
        delay = delay_after(self.failures + 1)
        return _Tries(self.failures + 1, now + delay if delay else 0)


class _Passwords:
    """Argon2id, a few at a time: each takes 64 MiB, and a crowd at the door must not take all memory."""

    def __init__(self, cost: Cost) -> None:
        self._hasher = PasswordHasher(time_cost=cost.passes, memory_cost=cost.memory, parallelism=cost.lanes)
        self._at_once = threading.BoundedSemaphore(_AT_ONCE)
        self._nobodys = self.kept(secrets.token_urlsafe(32))

    def kept(self, password: str) -> str:
        with self._at_once:
            return self._hasher.hash(_spelled(password))

    def match(self, kept: str | None, password: str) -> bool:
        """Works as long for nobody's password, which nobody knows, as for somebody's."""
        with self._at_once:
            try:
                return self._hasher.verify(kept or self._nobodys, _spelled(password))
            except VerificationError:
                return False

    def renewed(self, kept: str, password: str) -> str:
        """What to keep after a log-in: the same, or a new one where the cost was changed since."""
        return self.kept(password) if self._hasher.check_needs_rehash(kept) else kept


def _spelled(password: str) -> bytes:
    """One spelling of each letter, whatever the keyboard sends; what is too long to be a password matches none."""
    return _bytes(unicodedata.normalize("NFC", password)) if len(password) <= LONGEST_PASSWORD else b""


def _bytes(value: str) -> bytes:
    """Takes any text that JSON can carry, half surrogate pairs too."""
    return value.encode("utf-8", "surrogatepass")


def _digest(token: str) -> str:
    return sha256(_bytes(token)).hexdigest()


def _wait(seconds: int) -> str:
    return f"Wait {seconds} second{'s' if seconds != 1 else ''} before the next attempt."


def _person(row: Row[Any]) -> Person:
    return Person(row.id, row.name, Role(row.role))


def _find(connection: Connection, id: str) -> Row[Any] | None:
    return connection.execute(select(people).where(people.c.id == id)).one_or_none()


def _nobody(connection: Connection) -> bool:
    return connection.execute(select(people.c.id).limit(1)).first() is None


def _enabled(connection: Connection, id: str) -> Person:
    row = _find(connection, id) if _ID.fullmatch(id) else None
    if row is None:
        _refuse("person-unknown", "the id of an account", ascii(id), "There is no such account.", "id")
    if row.disabled:
        _refuse("person-disabled", "an account in use", id, f"The account {id} is disabled.", "id")
    return _person(row)


def _confirm(connection: Connection, checked: Row[Any], kept: str) -> Person | None:
    """Forget the failures and keep ``kept``, unless the account has changed since its password was looked at."""
    row = _find(connection, checked.id)
    if row is None or row.disabled or row.password != checked.password:
        return None
    fresh = update(people).where(people.c.id == row.id).values(failures=0, locked_until=0, password=kept)
    connection.execute(fresh)
    return _person(row)


def _end_sessions(connection: Connection, id: str) -> None:
    connection.execute(delete(sessions).where(sessions.c.person == id))


def _record(writing: Writing, by: Person | None, now: int, *events: Event) -> None:
    actor, role = (by.id, str(by.role)) if by else (_SYSTEM, _SYSTEM)
    writing.append(events, stream="", round=0, actor=actor, role=role, at=now)


def _acting(writing: Writing, by: Person | None, permission: str) -> Person | None:
    """``by`` comes from a session that may have ended since; the account itself has the last word."""
    actor = _enabled(writing.connection, by.id) if by else None
    _verify_may(actor, permission)
    return actor


def _verify_may(by: Person | None, permission: str) -> None:
    if by and not may(by.role, permission):
        raise FindingsError([why_not(by.role, permission)])


def _verify_not_last(connection: Connection, person: Person) -> None:
    """Without an administrator nobody could ever make one."""
    role = Role.ADMINISTRATOR
    others = select(people.c.id).where(people.c.role == str(role), people.c.disabled == 0, people.c.id != person.id)
    if person.role is role and connection.execute(others).first() is None:
        sentence = f"{person.id} is the last administrator; name another first."
        _refuse("last-administrator", "another administrator", "none", sentence, "id")


def _refuse(code: str, expected: str, found: str, sentence: str, where: str) -> NoReturn:
    raise FindingsError([Finding(code, "", expected, found, sentence, where)])


def _refuse_any(findings: Iterable[Finding]) -> None:
    if refusals := list(findings):
        raise FindingsError(refusals)


def _person_findings(id: str, name: str) -> Iterator[Finding]:
    if not _ID.fullmatch(id):
        expected = "2 to 40 lower-case letters, digits or hyphens"
        yield Finding("person-id", "", expected, ascii(id), f"An id is {expected}.", "id")
    elif id == _SYSTEM:
        yield Finding("person-id", "", "another id", id, f"The id {id} is kept for the software itself.", "id")
    if not (0 < len(name) <= LONGEST_NAME and name.isprintable() and name == name.strip()):
        expected = f"1 to {LONGEST_NAME} printable characters with no blank at either end"
        yield Finding("person-name", "", expected, ascii(name), f"A name is {expected}.", "name")


def _role_findings(role: Role) -> Iterator[Finding]:
    if role is Role.SYSTEM:
        yield Finding("person-role", "", "a job function", str(role), "Nobody can be the system.", "role")


def _password_findings(password: str) -> Iterator[Finding]:
    """Says how long the password was, never what it was."""
    if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
        expected = f"{SHORTEST_PASSWORD} to {LONGEST_PASSWORD} characters"
        yield Finding(
            "password", "", expected, f"{len(password)} characters", f"A password has {expected}.", "password"
        )
