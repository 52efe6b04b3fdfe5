"""Acts of two people: proposals that wait, who may be the second person, and what is recorded of the two.

A proposal is an event of the house and its number is that of the event: ``ConsentAsked``, or ``MeterChangeProposed``.
It is over with ``ConsentGiven`` or ``ConsentRefused``, with the two kinds that a meter has of its own, or with
``AccountConfirmed``.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import select

from pitboss.findings import Finding, FindingsError
from pitboss.ledger.accounts import SOFTWARE, Person, find, record, set_disabled
from pitboss.ledger.kinds.accounts import (
    AccountConfirmed,
    AccountCreated,
    AccountPasswordChanged,
    AccountPasswordReset,
    AccountRoleChanged,
)
from pitboss.ledger.kinds.consent import ConsentAsked, ConsentGiven, ConsentRefused, ConsentWaived
from pitboss.ledger.kinds.meters import MeterChangeApproved, MeterChangeProposed, MeterChangeRejected
from pitboss.ledger.rows import Recorded
from pitboss.ledger.schema import people
from pitboss.ledger.store import HOUSE_STREAM, Reading, Writing
from pitboss.table.events import Event
from pitboss.table.kinds.house import Differing
from pitboss.table.permissions import CONSENTING, TWO_PEOPLE, may_consent, second_of, why_no_consent
from pitboss.table.roles import Role

METER: Final = "meter.change"
ACCOUNT: Final = "account.enable"
CONFIRM: Final = "account.confirm"
BOUNDS: Final = "property.bounds"
DIFFERING: Final = "table.open-differing"
CONSENTED: Final = "consent "
"""How the request key of a command begins that a second person let happen; no caller can use a blank."""
MAKING: Final = (AccountCreated, AccountPasswordReset, AccountRoleChanged)
"""What gives the person who does it power over an account: to know its password, or to choose what it may do."""
OVER: Final = (ConsentGiven, ConsentRefused, MeterChangeApproved, MeterChangeRejected, AccountConfirmed)


@dataclass(frozen=True)
class Proposal:
    """An act that waits for a second person."""

    number: int
    act: str
    by: str
    role: str
    """The job function in which it was proposed."""
    at: int
    about: ConsentAsked | MeterChangeProposed

    @property
    def table(self) -> str:
        return self.about.table if isinstance(self.about, ConsentAsked) else ""

    @property
    def person(self) -> str:
        """The account that it is about; empty if it is about something else."""
        return (isinstance(self.about, ConsentAsked) and self.about.person) or ""

    @property
    def command(self) -> dict[str, Any]:
        """The command at a table that waits, as JSON; empty if it is about something else."""
        return (isinstance(self.about, ConsentAsked) and self.about.command) or {}

    @property
    def round(self) -> int:
        """The round at which its table was then."""
        return (isinstance(self.about, ConsentAsked) and self.about.round) or 0

    @property
    def differences(self) -> tuple[Differing, ...]:
        """What a table is to be opened with otherwise than the law's own data has it."""
        return (isinstance(self.about, ConsentAsked) and self.about.differences) or ()

    @property
    def notes(self) -> tuple[str, ...]:
        return (isinstance(self.about, ConsentAsked) and self.about.notes) or ()

    def says(self) -> str:
        """Return what somebody is asked to consent to, in a sentence."""
        if isinstance(self.about, MeterChangeProposed):
            return f"For the meter {self.about.meter} set {self.about.change.says()}."
        words = self.about.asked()
        return f"{words[:1].upper()}{words[1:]}."


def follow(waiting: dict[int, Proposal], event: Recorded) -> None:
    """Keep account of what waits, from the events of the house in their order."""
    match event.fact:
        case ConsentAsked() | MeterChangeProposed() as about:
            act = about.act if isinstance(about, ConsentAsked) else METER
            waiting[event.seq] = Proposal(event.seq, act, event.actor, event.role, event.at, about)
        case (
            ConsentGiven() | ConsentRefused() | MeterChangeApproved() | MeterChangeRejected() | AccountConfirmed()
        ) as over:
            waiting.pop(over.proposal, None)


def open_proposals(reading: Reading) -> dict[int, Proposal]:
    """Proposals to which nobody has said yes or no."""
    waiting: dict[int, Proposal] = {}
    for event in reading.events(HOUSE_STREAM, kinds=(ConsentAsked, MeterChangeProposed, *OVER)):
        follow(waiting, event)
    return waiting


def proposal_of(reading: Reading, number: int) -> Proposal:
    proposal = open_proposals(reading).get(number)
    if proposal is None:
        sentence = f"No proposal {number} is waiting."
        raise FindingsError([Finding("no-proposal", "", "a waiting proposal", str(number), sentence)])
    return proposal


class Kinship:
    """Which accounts are in whose hands, read from the chain of events and not from rows that could be changed.

    The person who makes an account, resets its password or changes its role may know how to use it, and with it every
    account that it makes in its turn. That ends when its holder has changed the password and somebody independent of
    both the holder and those makers has confirmed who holds it; the next reset or change of role begins it again.
    """

    def __init__(
        self,
        events: Iterable[Recorded] = (),
        hands: Mapping[str, Iterable[str]] | None = None,
        own: Iterable[str] = (),
    ) -> None:
        self._hands = {person: set(makers) for person, makers in (hands or {}).items()}
        self._own = set(own)
        for event in events:
            self.follow(event)

    def follow(self, event: Recorded) -> None:
        match event.fact:
            case AccountCreated() | AccountPasswordReset() | AccountRoleChanged() as made if event.actor != SOFTWARE:
                self._hands.setdefault(made.person, set()).add(event.actor)
                self._own.discard(made.person)
            case AccountPasswordChanged(person=person) if event.actor == person:
                self._own.add(person)
            case AccountConfirmed(person=person):
                self._hands.pop(person, None)

    def as_dict(self) -> dict[str, list[str]]:
        return {person: sorted(makers) for person, makers in sorted(self._hands.items())}

    @property
    def own(self) -> list[str]:
        """Accounts whose holders have changed the password since anybody else had power over them."""
        return sorted(self._own)

    def why_not_confirmed(self, person: str) -> Finding | None:
        """The refusal to confirm an account that is in nobody's hands, or whose password its maker may know."""
        if not self.over(person):
            sentence = f"Nobody has power over the account {person}: there is nothing to confirm."
            return Finding("account-independent", "", "an account that somebody else made", person, sentence, CONFIRM)
        if person not in self._own:
            sentence = f"{person} has not changed the password since somebody else made, reset or changed the account."
            return Finding("password-not-own", "", "a password that only its holder knows", person, sentence, CONFIRM)
        return None

    def over(self, id: str) -> set[str]:
        """Everybody in whose hands an account is, at whatever distance."""
        found: set[str] = set()
        ask = [id]
        while ask:
            new = self._hands.get(ask.pop(), set()) - found
            found |= new
            ask += new
        return found

    def why_not_both(self, act: str, first: str, second: str) -> Finding | None:
        """The refusal when two accounts would be one pair of hands in an act of two people."""
        if first == second:
            sentence = f"This needs two different people, and {first} is already the first."
        elif first in self.over(second) or second in self.over(first):
            maker, made = (first, second) if first in self.over(second) else (second, first)
            sentence = (
                f"This needs two people who are independent of each other, and the account {made} was made, reset or "
                f"given its role by {maker} or by an account of {maker}'s making."
            )
        elif act == CONFIRM and (shared := self.over(first) & self.over(second)):
            sentence = f"{second} is in the hands of {min(shared)}, as {first} is: somebody independent confirms."
        else:
            return None
        return Finding("two-people", "", "two independent people", second, sentence, act)


def kinship(reading: Reading, until: int | None = None) -> Kinship:
    """Now, or after an event."""
    events = reading.events(HOUSE_STREAM, kinds=(*MAKING, AccountPasswordChanged, AccountConfirmed))
    return Kinship(event for event in events if until is None or event.seq <= until)


def ask(writing: Writing, about: ConsentAsked, by: Person, now: int) -> int:
    """Propose; anyone who proposes the same again before anybody has answered gets the same number."""
    for known in open_proposals(writing).values():
        if (known.by, known.about) == (by.id, about):
            return known.number
    recorded = writing.append([Event(about)], stream=HOUSE_STREAM, round=0, actor=by.id, role=str(by.role), at=now)
    return recorded[0].seq


def waits(number: int, act: str) -> Finding:
    """What the first person reads."""
    second = second_of(act)
    sentence = f"{TWO_PEOPLE[act].why} needs the consent of a second person: proposal {number} waits for {second}."
    return Finding("second-person", "", second, "one person", sentence, act)


def verify_second(reading: Reading, proposal: Proposal, who: Person) -> None:
    """Refuse anyone who cannot be the second person of a proposal, or whose first person is not who he was."""
    if not may_consent(who.role, proposal.act):
        raise FindingsError([why_no_consent(who.role, proposal.act)])
    refused = kinship(reading).why_not_both(proposal.act, proposal.by, who.id)
    if refused is None and proposal.act == CONFIRM:
        refused = kinship(reading).why_not_confirmed(proposal.by)
    if refused is None and proposal.person == who.id:
        sentence = "Nobody may consent to their own account."
        refused = Finding("two-people", "", "two independent people", who.id, sentence, proposal.act)
    refused = refused or _gone(reading, proposal.by, proposal.role) or _gone(reading, who.id, str(who.role))
    if refused is not None:
        raise FindingsError([refused])


def _gone(reading: Reading, id: str, role: str) -> Finding | None:
    """The refusal where one of the two has been shut out, or got another job function, in the meantime."""
    row = find(reading.connection, id)
    if row is None or (row.role == role and not row.disabled):
        return None
    now = "is disabled" if row.disabled else "has another job function"
    sentence = f"{id} acted as {role}, and the account {now} now: the proposal can only be refused."
    return Finding("account-changed", "", f"{id} as {role}", now, sentence)


def verify_refusing(proposal: Proposal, who: Person) -> None:
    """Raise unless the person could consent, or made the proposal and takes it back."""
    if who.id != proposal.by and not may_consent(who.role, proposal.act):
        raise FindingsError([why_no_consent(who.role, proposal.act)])


def let_in_by_two(writing: Writing, person: Person, by: Person | None, now: int) -> None:
    """An account that could be somebody's second person rests until a second person lets it in.

    In a house where one person made every account there is nobody to ask: it is enabled, and that is recorded.
    Accounts out of use count as well, or an administrator would first shut out the people who could say no.
    """
    if by is None or person.role not in CONSENTING:
        return
    family = kinship(writing)
    rows = writing.connection.execute(select(people.c.id, people.c.role).where(people.c.id != person.id))
    if any(may_consent(Role(row.role), ACCOUNT) and not family.why_not_both(ACCOUNT, by.id, row.id) for row in rows):
        row = find(writing.connection, person.id)
        if row is not None and not row.disabled:
            set_disabled(writing, person.id, by, now, disabled=True)
        ask(writing, ConsentAsked(act=ACCOUNT, person=person.id), by, now)
        return
    record(writing, by, now, Event(ConsentWaived(act=ACCOUNT, person=person.id)))
    row = find(writing.connection, person.id)
    if row is not None and row.disabled:
        set_disabled(writing, person.id, by, now, disabled=False)
