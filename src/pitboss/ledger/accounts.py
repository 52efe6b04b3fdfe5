"""Accounts: the rows of the people who work and play here, and the events that every change of one leaves.

The events are in ``ledger.kinds.accounts``; from them each row can be made again.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection, Row, insert, select, update

from pitboss.findings import Finding, FindingsError, refusal, refuse
from pitboss.ledger.kinds.accounts import AccountCreated, AccountDisabled, AccountEnabled
from pitboss.ledger.schema import people, sessions
from pitboss.ledger.store import Writing
from pitboss.table.canonical import digest_of
from pitboss.table.events import Event
from pitboss.table.permissions import may, why_not
from pitboss.table.roles import Role

LONGEST_NAME: Final = 80
KNOWN_ADDRESSES: Final = 8
"""From which a person logged in last; more are not remembered."""

ID: Final = re.compile(r"[a-z0-9-]{2,40}")
SOFTWARE: Final = str(Role.SYSTEM)
"""Who acts where no person does."""


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
    must_change: bool = False
    made_by: str = ""


def person_in(row: Row[Any]) -> Person:
    return Person(row.id, row.name, Role(row.role))


def account_in(row: Row[Any]) -> Account:
    return Account(person_in(row), bool(row.disabled), row.created, bool(row.must_change), row.made_by)


def find(connection: Connection, id: str) -> Row[Any] | None:
    return connection.execute(select(people).where(people.c.id == id)).one_or_none()


def existing(connection: Connection, id: str) -> Account:
    row = find(connection, id) if ID.fullmatch(id) else None
    if row is None:
        refuse("person-unknown", "the id of an account", ascii(id), "There is no such account.", "id")
    return account_in(row)


def enabled(connection: Connection, id: str) -> Person:
    account = existing(connection, id)
    if account.disabled:
        refuse("person-disabled", "an account in use", id, f"The account {id} is disabled.", "id")
    return account.person


def record(writing: Writing, by: Person | None, now: int, *events: Event) -> None:
    actor, role = (by.id, str(by.role)) if by else (SOFTWARE, SOFTWARE)
    writing.append(events, stream="", round=0, actor=actor, role=role, at=now)


def insert_account(
    writing: Writing, person: Person, hashed: str, by: Person | None, now: int, *, must_change: bool
) -> None:
    data = {"name": person.name, "role": str(person.role), "made_by": by.id if by else SOFTWARE}
    fresh = {"disabled": 0, "failures": 0, "locked_until": 0, "created": now, "reset_by": "", "addresses": ""}
    row = {"id": person.id, **data, **fresh, "password": hashed, "must_change": int(must_change)}
    writing.connection.execute(insert(people), row)
    created = AccountCreated(
        person=person.id,
        name=person.name,
        role=str(person.role),
        made_by=data["made_by"],
        must_change=must_change,
        password_digest=digest_of(hashed),
    )
    record(writing, by, now, Event(created))


def set_disabled(writing: Writing, id: str, by: Person | None, now: int, *, disabled: bool) -> None:
    """Shut an account, which ends its sessions, or let it in again."""
    writing.connection.execute(update(people).where(people.c.id == id).values(disabled=int(disabled)))
    if disabled:
        writing.connection.execute(sessions.delete().where(sessions.c.person == id))
        record(writing, by, now, Event(AccountDisabled(person=id)))
    else:
        record(writing, by, now, Event(AccountEnabled(person=id)))


def acting(writing: Writing, by: Person | None, permission: str) -> Person | None:
    """``by`` comes from a session that may have ended since; the account itself has the last word."""
    actor = enabled(writing.connection, by.id) if by else None
    verify_may(actor, permission)
    return actor


def verify_may(by: Person | None, permission: str) -> None:
    if by and not may(by.role, permission):
        raise FindingsError([why_not(by.role, permission)])


def verify_not_last(connection: Connection, person: Person) -> None:
    """Without an administrator nobody could ever make one."""
    role = Role.ADMINISTRATOR
    others = select(people.c.id).where(people.c.role == str(role), people.c.disabled == 0, people.c.id != person.id)
    if person.role is role and connection.execute(others).first() is None:
        sentence = f"{person.id} is the last administrator; name another first."
        refuse("last-administrator", "another administrator", "none", sentence, "id")


def refuse_crossing(person: Person, role: Role) -> None:
    """Somebody who has played under an account never works under it, nor the other way round."""
    if (person.role is Role.PLAYER) is not (role is Role.PLAYER):
        sentence = f"{person.id} is the account of a {person.role}: staff and players never share one. Make another."
        refuse("player-or-staff", "another account", role, sentence, "role")


def refuse_any(findings: Iterable[Finding]) -> None:
    if refusals := list(findings):
        raise FindingsError(refusals)


def person_findings(id: str, name: str) -> Iterator[Finding]:
    if not ID.fullmatch(id):
        expected = "2 to 40 lower-case letters, digits or hyphens"
        yield refusal("person-id", expected, ascii(id), f"An id is {expected}.", "id")
    elif id == SOFTWARE:
        yield refusal("person-id", "another id", id, f"The id {id} is reserved for the software itself.", "id")
    if not (0 < len(name) <= LONGEST_NAME and name.isprintable() and name == name.strip()):
        expected = f"1 to {LONGEST_NAME} printable characters with no blank at either end"
        yield refusal("person-name", expected, ascii(name), f"A name is {expected}.", "name")


def role_findings(role: Role) -> Iterator[Finding]:
    if role is Role.SYSTEM:
        yield refusal("person-role", "a job function", role, "Nobody can be the system.", "role")
