"""Accounts and sessions held against the events: who may do what follows from what was recorded, and from nothing else.

A password is held by the SHA-256 of its stored form. Events of revision 0001 do not tell it, nor whose session is
which; what they do not tell is not compared. ``failures``, ``locked_until``, ``addresses``, ``seen`` and ``csrf``
come and go without an event: docs/reliability.md lists them.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from msgspec import UNSET, UnsetType

from pitboss.findings import Finding, refusal
from pitboss.ledger.kinds.accounts import (
    AccountCreated,
    AccountDisabled,
    AccountEnabled,
    AccountPasswordChanged,
    AccountPasswordRehashed,
    AccountPasswordReset,
    AccountRoleChanged,
    EndsSessions,
    LoginSucceeded,
    SessionEnded,
)
from pitboss.ledger.rows import Recorded
from pitboss.table.canonical import digest_of

COMPARED = ("name", "role", "disabled", "created", "made_by", "reset_by", "must_change")
"""Columns of an account that events carry; those that a revision does not have are left out."""


@dataclass
class Roster:
    """Accounts and sessions as the events make them."""

    people: dict[str, dict[str, Any]] = field(default_factory=dict)
    sessions: dict[str, list[Any]] = field(default_factory=dict)
    """From the digest of a session to its person, its moment and the address it began at, if recorded."""
    untold: dict[str, list[int]] = field(default_factory=dict)
    """Log-ins by people whose event does not tell the session."""

    def follow(self, event: Recorded) -> None:
        fact, at = event.fact, event.at
        match fact:
            case AccountCreated():
                told = {name: value for name in COMPARED if (value := getattr(fact, name, UNSET)) is not UNSET}
                fresh = {"reset_by": "", "disabled": 0, "created": at, "password": fact.password_digest or None}
                self.people[fact.person] = {**told, **fresh}
            case AccountPasswordChanged():
                self._password(fact.person, fact.password_digest, must_change=0)
            case AccountPasswordReset():
                self._password(fact.person, fact.password_digest, must_change=1)
                if not isinstance(fact.reset_by, UnsetType):
                    self.people.get(fact.person, {})["reset_by"] = fact.reset_by
            case AccountPasswordRehashed():
                self._password(fact.person, fact.password_digest)
            case AccountDisabled() | AccountEnabled():
                self._set(fact.person, "disabled", int(isinstance(fact, AccountDisabled)))
            case AccountRoleChanged():
                self._set(fact.person, "role", fact.to)
            case LoginSucceeded(session=str() as session):
                address = None if isinstance(fact.address, UnsetType) else fact.address
                self.sessions[session] = [fact.person, at, address]
            case LoginSucceeded():
                self.untold.setdefault(fact.person, []).append(at)
            case SessionEnded(session=str() as session):
                self.sessions.pop(session, None)
        if isinstance(fact, EndsSessions):
            self.sessions = {session: of for session, of in self.sessions.items() if of[0] != fact.person}
            self.untold.pop(fact.person, None)

    def findings(
        self, people: Mapping[str, Mapping[str, Any]], sessions: Iterable[Mapping[str, Any]]
    ) -> Iterator[Finding]:
        """The rows of both tables, held against what was recorded."""
        for person in sorted({*people, *self.people}):
            yield from self._account(person, people.get(person), self.people.get(person))
        for row in sessions:
            yield from self._session(row)

    def _account(self, person: str, row: Mapping[str, Any] | None, told: Mapping[str, Any] | None) -> Iterator[Finding]:
        if row is None or told is None:
            what = "is gone" if row is None else "was made by no event"
            due, found = ("an account", "none") if row is None else ("none", "an account")
            yield refusal("account", due, found, f"the account {person} {what}", person)
            return
        for name in COMPARED:
            if name in told and name in row and row[name] != told[name]:
                sentence = f"the account {person} has the {name.replace('_', ' ')} {row[name]!r}; its events say"
                yield refusal("account", told[name], row[name], f"{sentence} {told[name]!r}", person)
        if told.get("password") and digest_of(row["password"]) != told["password"]:
            sentence = f"the password of {person} was changed without an event"
            yield refusal("account", told["password"], digest_of(row["password"]), sentence, person)

    def _session(self, row: Mapping[str, Any]) -> Iterator[Finding]:
        person, created = row["person"], row["created"]
        told = self.sessions.get(digest_of(row["token"]))
        if told is not None and told[2] is not None and told[2] != row["address"]:
            sentence = f"a session of {person} was begun from {told[2] or 'nowhere'}; its row says otherwise"
            yield refusal("session", told[2], row["address"], sentence, person)
        if (told or [])[:2] != [person, created] and created not in self.untold.get(person, ()):
            sentence = f"a session of {person} stems from no log-in, or from one that was ended"
            yield refusal("session", "a session with its log-in", "one without", sentence, person)

    def _password(self, person: str, digest: str | UnsetType, must_change: int | None = None) -> None:
        of = self.people.get(person, {})
        of["password"] = digest or None
        if must_change is not None:
            of["must_change"] = must_change

    def _set(self, person: str, name: str, value: Any) -> None:
        if person in self.people:
            self.people[person][name] = value
