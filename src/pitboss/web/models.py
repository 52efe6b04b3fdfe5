"""What goes over the wire: the bodies of requests, strict about their fields, and the shape of every answer."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from pitboss.findings import Finding
from pitboss.ledger.cards import CardDealt
from pitboss.ledger.consent import Proposal
from pitboss.ledger.people import Account
from pitboss.ledger.recall import (
    BalanceChange,
    DecisionMade,
    LinePaid,
    MeterMoved,
    RoundStep,
    RoundSummary,
    StakePlaced,
)
from pitboss.ledger.rows import shown_time
from pitboss.money import MOST_CENTS
from pitboss.table.canonical import canonical
from pitboss.table.happened import stored
from pitboss.table.permissions import may_consent
from pitboss.table.roles import Role

LARGEST = 2**53 - 1
"""The largest whole number of an address: what a browser and both databases can hold."""
Whole = Annotated[int, Field(ge=0, le=LARGEST)]
"""A whole number in an address. Every parameter of a route that is a number is this or narrower."""

Cents = Annotated[int, Field(ge=0, le=MOST_CENTS, description="Whole cents.")]
Sequence = Annotated[int, Field(ge=0, description="The number of an event in the ledger.")]
Rate = Annotated[str, Field(pattern=r"^[0-9]{1,9}/[0-9]{1,9}$", examples=["7/50"])]
Tiers = Annotated[dict[str, Cents], Field(max_length=10)]


class Body(BaseModel):
    """A request body. Unknown fields are rejected; no coercion."""

    model_config = ConfigDict(extra="forbid", strict=True)


class LogIn(Body):
    id: str = Field(max_length=200, examples=["dealer-1"])
    password: str = Field(max_length=2000)


class PasswordChange(Body):
    old: str = Field(max_length=2000)
    new: str = Field(max_length=2000)


class NewAccount(Body):
    id: str = Field(max_length=200, examples=["dealer-2"])
    name: str = Field(max_length=200, examples=["Second dealer"])
    role: str = Field(max_length=40, examples=["dealer"])
    password: str = Field(max_length=2000)


class Acknowledgement(Body):
    """Why the anchor is not as it should be."""

    reason: str = Field(max_length=500, examples=["the disk of the anchors was replaced"])


class NewRole(Body):
    role: str = Field(max_length=40, examples=["floorperson"])


class NewMeter(Body):
    """A meter that tables can be linked to, with the seed and rates of a meter of a Rules Submission."""

    meter: str = Field(max_length=200, examples=["link-1"])
    submission: str = Field(max_length=100_000, description="A Rules Submission in TOML.")
    name: str = Field(max_length=200, description="Which meter of that submission.", examples=["main_meter"])


class NewBounds(Body):
    """The bounds of the property; a second person approves them."""

    act: Cents = Field(examples=[100_000_000])
    inventory: Cents = Field(examples=[1_000_000_000])
    wager: Cents = Field(examples=[10_000_000])


class MeterChange(Body):
    """A reset, a correction, a transfer or new parameters; a second person approves it."""

    amounts: Tiers = {}
    transfer_to: str = Field("", max_length=200)
    rate: Annotated[dict[str, Rate], Field(max_length=10)] = {}
    seed: Tiers = {}
    reason: str = Field("", max_length=1000, examples=["the sign was replaced"])


class SubmissionText(Body):
    submission: str = Field(max_length=100_000, description="A Rules Submission in TOML.")


class Shown(BaseModel):
    """An answer; ``model_validate`` reads it off whatever has attributes of these names."""

    model_config = ConfigDict(from_attributes=True)


class Refusal(Shown):
    """Why something was not done. Nothing has changed, unless a sentence says that this is not known."""

    ok: Literal[False] = False
    findings: list[Finding]


class Done(Shown):
    ok: Literal[True] = True


class PersonShown(Shown):
    id: str
    name: str
    role: str


class LoggedInShown(Shown):
    """``token`` goes into ``Authorization: Bearer``, or the cookie and ``csrf`` into ``X-CSRF-Token``."""

    token: str
    csrf: str
    person: PersonShown
    must_change: bool
    """The password was given by somebody else: nothing is accepted before it is changed."""


class Me(Shown):
    person: PersonShown
    csrf: str
    must_change: bool


class Health(Shown):
    ok: Literal[True] = True
    version: str
    notice: str
    open_to_play: bool
    closed_because: list[str]
    """Codes of what the start-up check found."""


def _by_seat(boxes: Mapping[int, str]) -> dict[str, str]:
    return {str(seat): player for seat, player in sorted(boxes.items())}


class TableLine(Shown):
    """A table in the list of tables."""

    id: str
    phase: str
    game: str
    source: str
    dealing: str
    rounds: int
    seats: Annotated[dict[str, str], Field(validation_alias="boxes"), BeforeValidator(_by_seat)]
    meters: dict[str, str]


class TableList(Shown):
    tables: list[TableLine]
    closed_to_play: list[Finding]


class StepShown(Shown):
    """What the procedure asks for next. ``command`` is ready to be posted, where nobody has anything to choose."""

    role: str
    say: str
    cite: str
    seat: int | None
    command: Annotated[dict[str, Any] | None, BeforeValidator(lambda command: command and command.as_dict())]


class TableShown(Shown):
    """The table as the caller may see it; events after ``head`` tell what has changed since."""

    head: Sequence
    table: dict[str, Any]
    next: StepShown | None


class EventShown(Shown):
    seq: Sequence
    stream: str
    round: int
    kind: str
    at: str
    actor: str
    role: str
    request: str
    cites: list[str]
    data: dict[str, Any]
    entries: list[tuple[str, int]]
    salt: str
    """The last column under the hash; empty where the caller does not see the whole event."""
    hash: str
    """SHA-256 of the hash before and of this event; empty for an event of the first version that is hidden in part."""


class EventPage(Shown):
    events: list[EventShown]
    head: Sequence


class CommandDone(Shown):
    ok: Literal[True] = True
    table: str
    phase: str
    round: int
    events: list[EventShown]


class RoundList(Shown):
    rounds: list[RoundSummary]


class RoundShown(Shown):
    """One round: everything needed to answer "why was I (not) paid?". While it lasts, hidden cards stay hidden."""

    table: str
    number: int
    state: Literal["wagering", "in play", "completed", "void"]
    game: str
    as_of: str
    began: str
    ended: str
    commitment: str
    steps: list[RoundStep]
    stakes: list[StakePlaced]
    cards: list[CardDealt]
    decisions: list[DecisionMade]
    lines: list[LinePaid]
    meters: list[MeterMoved]
    irregularities: list[RoundStep]
    totals: dict[str, int]
    balances: list[BalanceChange]
    final_hands: dict[str, str]
    """By seat, hands with cards that nobody else saw when they were drawn, as they were turned up at last."""


class DealShown(Shown):
    """Everything needed to check that a round was dealt from the deck that was promised."""

    table: str
    round: int
    commitment: str
    cards: str
    salt: str
    cuts: list[int]
    left_deck: str
    commitment_text: str
    """Its SHA-256 is the commitment."""
    verdict: str
    findings: list[Finding]


class Balance(Shown):
    player: str
    chips: int
    """Whole cents, off the layout."""


class BalanceList(Shown):
    balances: list[Balance]


class MeterShown(Shown):
    """A meter as its sign shows it."""

    model_config = ConfigDict(extra="allow")

    amounts: dict[str, int]
    reserve: int
    tables: list[str]


class MeterList(Shown):
    head: Sequence
    meters: dict[str, MeterShown]


class MovementShown(Shown):
    jackpot: str
    seq: Sequence
    line: int
    at: str
    kind: str
    stream: str
    round: int
    units: int


class MeterHistory(Shown):
    meter: str
    movements: list[MovementShown]


class BoundsShown(Shown):
    act: int
    inventory: int
    wager: int


class Proposed(Shown):
    ok: Literal[True] = True
    number: int


class ProposalShown(Shown):
    """An act that waits for a second person; ``about`` is the command, the account or the change of a meter."""

    number: int
    act: str
    sentence: str
    second: list[str]
    """Job functions whose consent counts."""
    meter: str
    table: str
    change: dict[str, Any]
    about: dict[str, Any]
    by: str
    at: str

    @classmethod
    def of(cls, proposal: Proposal) -> "ProposalShown":
        about = {name: value for name, value in stored(proposal.about).items() if name != "act"}
        seen = {"about": about, "change": about.get("change", {}), "meter": str(about.get("meter", ""))}
        second = [str(role) for role in Role if may_consent(role, proposal.act)]
        told = {"sentence": proposal.says(), "table": proposal.table, "at": shown_time(proposal.at)}
        return cls(**{**vars(proposal), **seen, **told, "second": second})


class ProposalList(Shown):
    changes: list[ProposalShown]


class CommandWaits(Refusal):
    """A command that needs a second person: nothing has happened yet, and ``proposal`` is what waits for them."""

    proposal: int


class AccountChanged(PersonShown):
    """``waiting`` is the proposal that a second person must approve before the account is let in; 0 for none."""

    waiting: int


class PasswordGiven(Shown):
    """Shown this once; it is good for one log-in, at which it is changed."""

    password: str
    waiting: int


class ConfirmationAsked(Shown):
    """The number of a proposal that waits for a second person."""

    waiting: int


class AccountShown(PersonShown):
    disabled: bool
    created: str
    must_change: bool
    made_by: str

    @classmethod
    def of(cls, account: Account) -> "AccountShown":
        return cls(**vars(account.person), **{**vars(account), "created": shown_time(account.created)})


class AccountList(Shown):
    accounts: list[AccountShown]


class Checked(Shown):
    ok: bool
    findings: list[Finding]


class DifferenceShown(Shown):
    """One choice that differs: by the law's own data before, in the submission after."""

    key: str
    before: str
    after: str
    cite: str
    sentence: str


class SubmissionChecked(Checked):
    differences: list[DifferenceShown]
    """Where the submission pays otherwise than the law's own data; a table opened with any needs a second person."""


class Verified(Checked):
    scope: str
    """What was checked, what was taken from a checkpoint, and what of that was not looked at."""


class SignificantLine(Shown):
    """Who, when, what and why."""

    seq: Sequence
    kind: str
    at: str
    who: str
    role: str
    table: str
    round: int
    sentence: str
    why: str
    cites: list[str]


class SignificantList(Shown):
    events: list[SignificantLine]


def refusal_text(*findings: Finding) -> str:
    return canonical({"ok": False, "findings": [finding.as_dict() for finding in findings]})
