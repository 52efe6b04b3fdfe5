"""Accounts, log-ins and sessions. From these events each row of an account can be made again.

``password_digest`` is the SHA-256 of the argon2id text, ``session`` that of what the database keeps of the token.
Events of the first revision tell neither.
"""

from msgspec import UNSET, UnsetType, field

from pitboss.table.happened import Happened, happens
from pitboss.table.words import in_words


class OfPerson(Happened, frozen=True, kw_only=True):
    """Something about one account."""

    person: str


class EndsSessions(OfPerson, frozen=True, kw_only=True):
    """What ends every session of the account."""


@happens("account.created")
class AccountCreated(OfPerson, frozen=True, kw_only=True):
    name: str
    role: str
    made_by: str | UnsetType = UNSET
    must_change: bool | UnsetType = UNSET
    password_digest: str | UnsetType = UNSET

    def says(self) -> str:
        return f"An account was made for {self.person}, {self.role}."


@happens("account.disabled")
class AccountDisabled(EndsSessions, frozen=True, kw_only=True):
    def says(self) -> str:
        return f"The account of {self.person} was disabled."


@happens("account.enabled")
class AccountEnabled(OfPerson, frozen=True, kw_only=True):
    def says(self) -> str:
        return f"The account of {self.person} was enabled."


@happens("account.confirmed", significant="Two people ended the power that the maker of an account had over it.")
class AccountConfirmed(OfPerson, frozen=True, kw_only=True):
    proposal: int
    by: str

    def says(self) -> str:
        return f"A second person confirmed that only its holder has the account of {self.person}."


@happens("account.role-changed")
class AccountRoleChanged(EndsSessions, frozen=True, kw_only=True):
    before: str = field(name="from")
    to: str

    def says(self) -> str:
        return f"{self.person} became {self.to} instead of {self.before}."


@happens("account.password-reset")
class AccountPasswordReset(EndsSessions, frozen=True, kw_only=True):
    reset_by: str | UnsetType = UNSET
    password_digest: str | UnsetType = UNSET

    def says(self) -> str:
        return f"{self.person} was given a password for one log-in by {self.reset_by or 'somebody'}."


@happens("account.password-rehashed")
class AccountPasswordRehashed(OfPerson, frozen=True, kw_only=True):
    password_digest: str | UnsetType = UNSET

    def says(self) -> str:
        return f"The password of {self.person} was stored again, at another cost."


@happens("account.password-changed")
class AccountPasswordChanged(EndsSessions, frozen=True, kw_only=True):
    password_digest: str | UnsetType = UNSET

    def says(self) -> str:
        return f"{self.person} has a new password."


@happens("login.succeeded")
class LoginSucceeded(OfPerson, frozen=True, kw_only=True):
    session: str | UnsetType = UNSET
    address: str | UnsetType = UNSET

    def says(self) -> str:
        return f"{self.person} logged in."


@happens("login.failed", significant="A log-in failed.")
class LoginFailed(OfPerson, frozen=True, kw_only=True):
    failures: int
    reason: str

    def says(self) -> str:
        who = self.person or "an unknown id"
        return f"A log-in as {who} failed ({self.reason}), failure {self.failures} in a row."


@happens("login.locked")
class LoginLocked(OfPerson, frozen=True, kw_only=True):
    failures: int
    seconds: int

    def says(self) -> str:
        return f"Log-ins as {self.person or 'an unknown id'} wait for {self.seconds} seconds."


@happens("session.ended")
class SessionEnded(OfPerson, frozen=True, kw_only=True):
    session: str | UnsetType = UNSET

    def says(self) -> str:
        return f"A session of {self.person} ended."


@happens("permission.refused", significant="Somebody tried to do what their job function may not do.")
class PermissionRefused(Happened, frozen=True, kw_only=True):
    command: str
    table: str

    def says(self) -> str:
        act = in_words(self.command.rpartition(".")[2]).capitalize()
        at = f" at {self.table}" if self.table else ""
        return f"{act}{at} was refused: this job function isn't allowed to do it."


@happens(
    "refusals.counted", significant="Somebody was refused so often within a minute that the rest was only counted."
)
class RefusalsCounted(OfPerson, frozen=True, kw_only=True):
    what: str
    count: int

    def says(self) -> str:
        who = self.person or "Somebody unknown"
        return f"{who} was refused {self.count} more times ({self.what}) than were recorded."
