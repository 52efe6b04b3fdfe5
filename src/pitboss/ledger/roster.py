"""Accounts and sessions held against the events: who may do what follows from what was recorded, and from nothing else.

A password is held by the SHA-256 of its stored form. Events of revision 0001 do not tell it, nor whose session is
which; what they do not tell is not compared. ``failures``, ``locked_until``, ``addresses``, ``seen`` and ``csrf``
come and go without an event: docs/reliability.md lists them.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from pitboss.findings import Finding
from pitboss.ledger.rows import Recorded
from pitboss.table.events import digest_of

ENDING = frozenset({"account.password-changed", "account.password-reset", "account.disabled", "account.role-changed"})
"""Each ends every session of the account."""
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
        told = FOLLOWED.get(event.kind)
        if told is not None:
            told(self, event.data, event.at)
        if event.kind in ENDING:
            person = event.data["person"]
            self.sessions = {session: of for session, of in self.sessions.items() if of[0] != person}
            self.untold.pop(person, None)

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
            yield Finding("account", "", due, found, f"the account {person} {what}", person)
            return
        for name in COMPARED:
            if name in told and name in row and row[name] != told[name]:
                sentence = f"the account {person} has the {name.replace('_', ' ')} {row[name]!r}; its events say"
                yield Finding("account", "", str(told[name]), str(row[name]), f"{sentence} {told[name]!r}", person)
        if told.get("password") and digest_of(row["password"]) != told["password"]:
            sentence = f"the password of {person} was changed without an event"
            yield Finding("account", "", told["password"], digest_of(row["password"]), sentence, person)

    def _session(self, row: Mapping[str, Any]) -> Iterator[Finding]:
        person, created = row["person"], row["created"]
        told = self.sessions.get(digest_of(row["token"]))
        if told is not None and told[2] is not None and told[2] != row["address"]:
            sentence = f"a session of {person} was begun from {told[2] or 'nowhere'}; its row says otherwise"
            yield Finding("session", "", told[2], row["address"], sentence, person)
        if (told or [])[:2] != [person, created] and created not in self.untold.get(person, ()):
            sentence = f"a session of {person} stems from no log-in, or from one that was ended"
            yield Finding("session", "", "a session with its log-in", "one without", sentence, person)

    def _create(self, data: Mapping[str, Any], at: int) -> None:
        told = {name: data[name] for name in COMPARED if name in data}
        self.people[data["person"]] = {
            **told,
            "reset_by": "",
            "disabled": 0,
            "created": at,
            "password": data.get("password_digest"),
        }

    def _password(self, data: Mapping[str, Any], must_change: int | None) -> None:
        of = self.people.get(data["person"], {})
        of["password"] = data.get("password_digest")
        if must_change is not None:
            of["must_change"] = must_change
        if "reset_by" in data:
            of["reset_by"] = data["reset_by"]

    def _set(self, person: str, name: str, value: Any) -> None:
        if person in self.people:
            self.people[person][name] = value

    def _log_in(self, data: Mapping[str, Any], at: int) -> None:
        if "session" in data:
            self.sessions[data["session"]] = [data["person"], at, data.get("address")]
        else:
            self.untold.setdefault(data["person"], []).append(at)

    def _log_out(self, data: Mapping[str, Any], _: int) -> None:
        self.sessions.pop(data["session"], None)


FOLLOWED: dict[str, Callable[[Roster, Mapping[str, Any], int], None]] = {
    "account.created": Roster._create,
    "account.password-changed": lambda roster, data, _: roster._password(data, 0),
    "account.password-reset": lambda roster, data, _: roster._password(data, 1),
    "account.password-rehashed": lambda roster, data, _: roster._password(data, None),
    "account.disabled": lambda roster, data, _: roster._set(data["person"], "disabled", 1),
    "account.enabled": lambda roster, data, _: roster._set(data["person"], "disabled", 0),
    "account.role-changed": lambda roster, data, _: roster._set(data["person"], "role", data["to"]),
    "login.succeeded": Roster._log_in,
    "session.ended": Roster._log_out,
}
"""What each kind of event says of accounts and sessions."""
