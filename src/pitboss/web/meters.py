"""Meters, and changes to them that need two people."""

from datetime import date
from typing import Annotated

from fastapi import APIRouter, Path
from starlette.responses import StreamingResponse

from pitboss.clock import day_of
from pitboss.findings import Finding, FindingsError, errors, refuse, shortlist
from pitboss.games.rules import Rules
from pitboss.ledger.consent import DIFFERING
from pitboss.ledger.counting import HoldCounter
from pitboss.ledger.kinds.meters import MeterAdjustment
from pitboss.ledger.meters import settings_of
from pitboss.ledger.rows import shown_time
from pitboss.submission import Difference, check, departures, read_submission, rules_of
from pitboss.table.permissions import may, may_consent
from pitboss.web.models import (
    LARGEST,
    DifferenceShown,
    Done,
    MeterChange,
    MeterHistory,
    MeterList,
    MeterShown,
    MovementShown,
    NewMeter,
    ProposalList,
    ProposalShown,
    Proposed,
    SubmissionChecked,
    SubmissionText,
)
from pitboss.web.reading import READER
from pitboss.web.security import Asking
from pitboss.web.tables import MESSAGES, NOT_FOUND, SSE_HEADERS, After, Limit, check_streams

router = APIRouter(prefix="/api", tags=["meters"])

MeterId = Annotated[str, Path(max_length=200, examples=["link-1"])]
MOST_SHOWN = 100
"""Differences in one answer."""
HOLDS = HoldCounter(longest=20.0)
"""For people who check a submission; tables are opened with a counter that they can't keep busy."""
ProposalNumber = Annotated[int, Path(ge=1, le=LARGEST)]


@router.get("/meters")
def meters(caller: Asking) -> MeterList:
    """Every meter as its sign shows it, with the tables that play for it."""
    with caller.pit.store.reading() as reading:
        head = reading.head.seq
    return MeterList(head=head, meters={name: MeterShown(**shown) for name, shown in caller.pit.meters().items()})


@router.get("/meters/stream", response_class=StreamingResponse, responses=MESSAGES)
def stream(caller: Asking) -> StreamingResponse:
    """All meters whenever one has changed (server-sent events)."""
    check_streams(caller)
    news = caller.house.hub.meters(caller.person, caller.token)
    return StreamingResponse(news, media_type="text/event-stream", headers=SSE_HEADERS)


@router.get("/meters/{meter}/history", responses=NOT_FOUND)
def history(caller: Asking, meter: MeterId, after: After = 0, limit: Limit = 500) -> MeterHistory:
    """Every movement on a meter, in units of 1/10,000 cent."""
    moved = caller.pit.meter_history(meter, after, limit)
    return MeterHistory(meter=meter, movements=[MovementShown(**{**m, "at": shown_time(m["at"])}) for m in moved])


@router.post("/meters")
def open_meter(caller: Asking, body: NewMeter) -> Done:
    """A meter that several tables can be linked to, under today's law."""
    rules = READER.ask(_rules, body.submission, day_of(caller.pit.clock()))
    if body.name not in rules.meters:
        known = ", ".join(rules.meters) or "none"
        sentence = f"The submission has no meter of that name; its meters: {known}."
        refuse("unknown-meter", known, ascii(body.name), sentence, "name")
    caller.pit.open_meter(body.meter, settings_of(rules, body.name), caller.person)
    return Done()


def _rules(text: str, day: date) -> Rules:
    submission = read_submission(text)
    rules, findings = rules_of(submission, day)
    wrong = errors((*check(submission), *findings))
    if wrong or rules is None:
        raise FindingsError(wrong)
    return rules


@router.post("/meters/{meter}/changes")
def propose(caller: Asking, meter: MeterId, body: MeterChange) -> Proposed:
    """The first of two people proposes a change."""
    return Proposed(number=caller.pit.propose(meter, MeterAdjustment(**body.model_dump()), caller.person))


@router.get("/changes")
def changes(caller: Asking) -> ProposalList:
    """Everything that waits for a second person: changes of meters, commands, accounts."""
    return ProposalList(changes=[ProposalShown.of(proposal) for proposal in caller.pit.proposals()])


@router.post("/changes/{number}/approve")
def approve(caller: Asking, number: ProposalNumber) -> Done:
    """The second of two people: what was proposed takes effect, if it still can."""
    caller.pit.approve(number, caller.person)
    caller.house.hub.wake_all()
    return Done()


@router.post("/changes/{number}/reject")
def reject(caller: Asking, number: ProposalNumber) -> Done:
    """Refuse what was proposed, or take back one's own proposal."""
    caller.pit.reject(number, caller.person)
    return Done()


@router.post("/submissions/check", tags=["submissions"])
def check_submission(caller: Asking, body: SubmissionText) -> SubmissionChecked:
    """What the law has against a Rules Submission, and where it pays otherwise than the law's own data.

    For people who can open such a table, or consent to it, the holds of the wagers concerned are counted as well.
    """
    findings, differing, day = READER.ask(_checked, body.submission)
    opens = may(caller.person.role, "table.open_table") or may_consent(caller.person.role, DIFFERING)
    if differing and opens and not errors(findings):
        findings += HOLDS.findings(body.submission, day)
    shown = [DifferenceShown(**each.as_dict()) for each in differing[:MOST_SHOWN]]
    return SubmissionChecked(ok=not errors(findings), findings=list(shortlist(findings)), differences=shown)


def _checked(text: str) -> tuple[tuple[Finding, ...], tuple[Difference, ...], date]:
    submission = read_submission(text)
    return check(submission), departures(submission), submission.effective
