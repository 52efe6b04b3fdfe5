"""The people of a house: making accounts, logging in and out, passwords, and who is at the keyboard.

Passwords are stored as argon2id, tokens as SHA-256; neither is in any event, sentence or representation; events
tell the SHA-256 of what is stored, so that it can be verified. An unknown
id takes the same path as a wrong password, step by step, so that an answer does not tell which ids exist.
"""

from hashlib import sha256
from typing import Any, Final, NoReturn

from sqlalchemy import Connection, Row, select, update

from pitboss.findings import refusal, refuse
from pitboss.ledger import accounts, sessions
from pitboss.ledger.accounts import SOFTWARE, Account, Person, record, refuse_any
from pitboss.ledger.consent import ACCOUNT, CONFIRM, ask, kinship, let_in_by_two, open_proposals
from pitboss.ledger.guessing import SECOND, Guesses, LogInRefusedError, Tries, wait_sentence
from pitboss.ledger.kinds.accounts import (
    AccountPasswordChanged,
    AccountPasswordRehashed,
    AccountPasswordReset,
    AccountRoleChanged,
    LoginFailed,
    LoginLocked,
    LoginSucceeded,
    SessionEnded,
)
from pitboss.ledger.kinds.consent import ConsentAsked
from pitboss.ledger.passwords import COST, Cost, Passwords, as_bytes, length_findings, one_time, password_findings
from pitboss.ledger.schema import people
from pitboss.ledger.sessions import IDLE, LIFETIME, SEEN_EVERY, LoggedIn, Session
from pitboss.ledger.store import Store, Writing
from pitboss.ledger.watch import Clock as Clock
from pitboss.ledger.watch import Watch
from pitboss.ledger.watch import microseconds as microseconds
from pitboss.records import replace
from pitboss.table.canonical import digest_of
from pitboss.table.events import Event
from pitboss.table.permissions import CONSENTING
from pitboss.table.roles import Role

_WRONG: Final = "The id or the password is wrong."


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
        self._passwords = Passwords(cost)
        self._guesses = Guesses()

    # Accounts

    def create(
        self,
        id: str,
        name: str,
        role: Role,
        password: str,
        by: Person | None,
        *,
        must_change: bool = False,
        printed: bool = False,
    ) -> Person:
        """A new account; ``by`` is None when the software itself makes it.

        A password that ``by`` has chosen is always changed at the first log-in. ``printed`` is for a demonstration,
        whose passwords are on the screen: nothing is asked of them but their length, and the accounts work at once.
        """
        accounts.verify_may(by, "account.create")
        wrong = length_findings(password) if printed else password_findings(password, id, name)
        refuse_any([*accounts.person_findings(id, name), *accounts.role_findings(role), *wrong])
        person, hashed = Person(id, name, role), self._passwords.hashed(password)
        with self._store.writing() as writing:
            actor = accounts.acting(writing, by, "account.create")
            if accounts.find(writing.connection, id):
                refuse("person-exists", "an id that is free", id, f"There already is an account {id}.", "id")
            now = self._now(writing)
            given = must_change or (actor is not None and not printed)
            accounts.insert_account(writing, person, hashed, actor, now, must_change=given)
            if not printed:
                let_in_by_two(writing, person, actor, now)
        return person

    def is_empty(self) -> bool:
        """Whether there is nobody yet, so that a first administrator can be made."""
        with self._store.reading() as reading:
            return _nobody(reading.connection)

    def first_administrator(self, password: str, *, must_change: bool) -> Person | None:
        """Where there is nobody yet: an administrator; ``must_change`` unless the person has chosen the password."""
        person = Person("administrator", "Administrator", Role.ADMINISTRATOR)
        refuse_any(password_findings(password, person.id, person.name))
        hashed = self._passwords.hashed(password)
        with self._store.writing() as writing:
            if not _nobody(writing.connection):
                return None
            accounts.insert_account(writing, person, hashed, None, self._now(writing), must_change=must_change)
        return person

    def everyone(self) -> tuple[Account, ...]:
        with self._store.reading() as reading:
            rows = reading.connection.execute(select(people)).all()
        return tuple(sorted(map(accounts.account_in, rows), key=lambda account: account.person.id))

    def waiting(self, id: str) -> int:
        """The number of the proposal that must be approved before an account is let in; 0 for none."""
        with self._store.reading() as reading:
            found = [p for p in open_proposals(reading).values() if p.act == ACCOUNT and p.person == id]
        return max((proposal.number for proposal in found), default=0)

    def disable(self, id: str, by: Person) -> None:
        """Ends every session of the account at once, and it can open no other until it is enabled again."""
        with self._store.writing() as writing:
            actor = accounts.acting(writing, by, "account.disable")
            accounts.verify_not_last(writing.connection, accounts.enabled(writing.connection, id))
            accounts.set_disabled(writing, id, actor, self._now(writing), disabled=True)

    def enable(self, id: str, by: Person) -> None:
        """Let a disabled account in again; for a job function that may give consent a second person does it."""
        with self._store.writing() as writing:
            actor = accounts.acting(writing, by, "account.enable")
            account = accounts.existing(writing.connection, id)
            if not account.disabled:
                refuse("person-enabled", "a disabled account", id, f"The account {id} is in use.", "id")
            now = self._now(writing)
            let_in_by_two(writing, account.person, actor, now)
            if account.person.role not in CONSENTING:
                accounts.set_disabled(writing, id, actor, now, disabled=False)

    def set_role(self, id: str, role: Role, by: Person) -> Person:
        """Another job function for an account; its sessions end, so that it starts with a fresh log-in."""
        refuse_any(accounts.role_findings(role))
        with self._store.writing() as writing:
            actor = accounts.acting(writing, by, "account.set-role")
            person = accounts.enabled(writing.connection, id)
            if Role.PLAYER in (person.role, role):
                accounts.refuse_crossing(person, role)
            if person.role is role:
                refuse("person-role", "another job function", role, f"{id} already has the role {role}.", "role")
            accounts.verify_not_last(writing.connection, person)
            now, after = self._now(writing), Person(id, person.name, role)
            writing.connection.execute(update(people).where(people.c.id == id).values(role=str(role)))
            sessions.end_all(writing.connection, id)
            changed = AccountRoleChanged(person=id, before=str(person.role), to=str(role))
            record(writing, actor, now, Event(changed))
            let_in_by_two(writing, after, actor, now)
        return after

    def ask_confirmation(self, by: Person) -> int:
        """Ask a second person to confirm that only the holder has the account; the number of the proposal."""
        with self._store.writing() as writing:
            actor = accounts.acting(writing, by, "account.confirm")
            assert actor is not None
            if (refused := kinship(writing).why_not_confirmed(actor.id)) is not None:
                refuse_any([refused])
            return ask(writing, ConsentAsked(act=CONFIRM, person=actor.id), actor, self._now(writing))

    def reset_password(self, id: str, by: Person | None) -> str:
        """A password for one log-in, at which it is changed; shown once, and every session of the person ends."""
        password = one_time()
        hashed = self._passwords.hashed(password)
        with self._store.writing() as writing:
            actor = accounts.acting(writing, by, "account.reset")
            account = accounts.existing(writing.connection, id)
            if actor is not None and actor.id == id:
                refuse("own-password", "somebody else's account", id, "Change your own password yourself.", "id")
            now = self._now(writing)
            hand = actor.id if actor else SOFTWARE
            values = {"password": hashed, "must_change": 1, "reset_by": hand, "failures": 0, "locked_until": 0}
            writing.connection.execute(update(people).where(people.c.id == id).values(values))
            sessions.end_all(writing.connection, id)
            reset = AccountPasswordReset(person=id, password_digest=digest_of(hashed), reset_by=hand)
            record(writing, actor, now, Event(reset))
            if not account.disabled:
                let_in_by_two(writing, account.person, actor, now)
        return password

    def confirmed(self, id: str, password: str) -> Person:
        """Who somebody is, without a session: for one act at a command line."""
        row, failures = self._check(id, password, "")
        with self._store.writing() as writing:
            person = None if row.must_change else _confirm(writing.connection, row, row.password, "")
        if not person:
            self._fail(id, failures, "changed")
        return person

    # Sessions

    def log_in(self, id: str, password: str, address: str = "") -> LoggedIn:
        """A new session, or ``LogInRefusedError``; ``address`` is where the caller is."""
        row, failures = self._check(id, password, address)
        hashed = row.password if row.must_change else self._passwords.renewed(row.password, password)
        with self._store.writing() as writing:
            now = self._now(writing)
            person = _confirm(writing.connection, row, hashed, address)
            if person:
                new = sessions.begin(writing.connection, person, bool(row.must_change), address, now)
                if hashed != row.password:
                    rehashed = AccountPasswordRehashed(person=id, password_digest=digest_of(hashed))
                    record(writing, person, now, Event(rehashed))
                name = digest_of(digest_of(new.token))
                record(writing, person, now, Event(LoginSucceeded(person=id, session=name, address=address)))
        if not person:
            self._fail(id, failures, "changed")
        self._guesses.succeeded(address, id, _at_home(row, address))
        return new

    def person_of(self, token: str, *, active: bool = True) -> Person | None:
        """Who may act with a token; ``active=False`` when a page asks by itself, so that nobody need be there."""
        session = self.session_of(token, active=active)
        return session.person if session and not session.must_change else None

    def session_of(self, token: str, *, active: bool = True) -> Session | None:
        digest = digest_of(token)
        with self._store.reading() as reading:
            found = sessions.look_up(reading.connection, digest)
        if found is None:
            return None
        (session, row), now = found, self._clock()
        if sessions.is_over(row, now):
            self.log_out(token)
            return None
        if active and abs(now - row.seen) >= SEEN_EVERY:
            with self._store.writing() as writing:
                sessions.touch(writing.connection, digest, row, now)
        return replace(session, left=sessions.left_of(row, now))

    def log_out(self, token: str) -> None:
        digest = digest_of(token)
        with self._store.writing() as writing:
            if id := sessions.end(writing.connection, digest):
                row = accounts.find(writing.connection, id)
                ended = Event(SessionEnded(person=id, session=digest_of(digest)))
                record(writing, accounts.person_in(row) if row else None, self._now(writing), ended)

    # Passwords

    def change_password(self, id: str, old: str, new: str, address: str = "") -> None:
        """The person's own act. The old password counts as a log-in does, and every session of the person ends."""
        row, failures = self._check(id, old, address)
        same = refusal("password", "another password", "the same", "The new password is the old one.", "password")
        refuse_any([*password_findings(new, row.id, row.name), *([same] if new == old else [])])
        hashed = self._passwords.hashed(new)
        with self._store.writing() as writing:
            person = _confirm(writing.connection, row, hashed, address, must_change=0)
            if person:
                sessions.end_all(writing.connection, id)
                changed = AccountPasswordChanged(person=id, password_digest=digest_of(hashed))
                record(writing, person, self._now(writing), Event(changed))
        if not person:
            self._fail(id, failures, "changed")
        self._guesses.succeeded(address, id, _at_home(row, address))

    def _now(self, writing: Writing) -> int:
        return self._watch.now(writing) if self._watch else self._clock()

    def _check(self, id: str, password: str, address: str) -> tuple[Row[Any], int]:
        """The account as it stood and the caller's tries, if the password is right and the account in use."""
        known = id if accounts.ID.fullmatch(id) else ""
        with self._store.writing() as writing:
            now = self._now(writing)
            row = accounts.find(writing.connection, known)
            account = Tries(row.failures, row.locked_until) if row else None
            at_home = row is not None and _at_home(row, address)
            name = id if row else sha256(as_bytes(id)).digest()
            whole, mine = self._guesses.attempt(address, name, at_home, account, now)
            counted = update(people).where(people.c.id == known)
            values = {"failures": whole.failures, "locked_until": whole.locked_until}
            writing.connection.execute(counted.values(values))
        right = self._passwords.match(row.password if row else None, password)
        if row is None or row.disabled or not right:
            reason = "unknown" if row is None else "password" if not right else "disabled"
            self._fail(row.id if row else "", mine.failures, reason, mine.locked_until - now)
        return row, mine.failures

    def _fail(self, id: str, failures: int, reason: str, delay: int = 0) -> NoReturn:
        """Records and refuses. ``id`` is '' if unknown: people type passwords into the wrong field."""
        seconds = max(0, delay) // SECOND
        events = [Event(LoginFailed(person=id, failures=failures, reason=reason))]
        if seconds:
            events.append(Event(LoginLocked(person=id, failures=failures, seconds=seconds)))
        if self._store.refusals.admits("log-in", id):
            with self._store.writing() as writing:
                record(writing, None, self._now(writing), *events)
        sentence = f"{_WRONG} {wait_sentence(seconds)}" if seconds else _WRONG
        raise LogInRefusedError(refusal("login", "an id and its password", "", sentence), seconds)


def _nobody(connection: Connection) -> bool:
    return connection.execute(select(people.c.id).limit(1)).first() is None


def _at_home(row: Row[Any], address: str) -> bool:
    """Whether the person has logged in from an address before."""
    return bool(address) and address in row.addresses.split(" ")


def _confirm(
    connection: Connection, checked: Row[Any], hashed: str, address: str, must_change: int | None = None
) -> Person | None:
    """Forget the failures and keep ``hashed``, unless the account has changed since its password was checked."""
    row = accounts.find(connection, checked.id)
    if row is None or row.disabled or row.password != checked.password:
        return None
    others = [each for each in row.addresses.split(" ") if each and each != address]
    known = " ".join([*others, address][-accounts.KNOWN_ADDRESSES :]).strip()
    fresh = {"failures": 0, "locked_until": 0, "password": hashed, "addresses": known}
    if must_change is not None:
        fresh["must_change"] = must_change
    connection.execute(update(people).where(people.c.id == row.id).values(fresh))
    return accounts.person_in(row)


__all__ = [
    "COST", "IDLE", "LIFETIME", "SECOND", "SEEN_EVERY", "Account", "Clock", "Cost", "LogInRefusedError", "LoggedIn",
    "People", "Person", "Session", "microseconds",
]  # fmt: skip
