"""Records: events of the whole house, what was significant, verification and export. Hidden cards stay hidden."""

from collections.abc import Sequence
from itertools import islice
from typing import Annotated, Any

from fastapi import APIRouter, Query
from starlette.responses import StreamingResponse

from pitboss.ledger.export import export_lines
from pitboss.ledger.floor import shown_event
from pitboss.ledger.people import Person
from pitboss.ledger.pit import Pit
from pitboss.ledger.review import verify as verify_ledger
from pitboss.ledger.significant import significant as ledger_significant
from pitboss.ledger.store import Recorded
from pitboss.table.happened import Happened
from pitboss.table.state import Table
from pitboss.table.view import own_seats
from pitboss.web.models import (
    LARGEST,
    Acknowledgement,
    EventPage,
    EventShown,
    SignificantLine,
    SignificantList,
    Verified,
)
from pitboss.web.security import Asking
from pitboss.web.tables import After, Limit

router = APIRouter(prefix="/api/audit", tags=["audit"])

LINES = 200
"""Of an export in one piece."""
Kinds = Annotated[list[str] | None, Query(max_length=50, description="Only events of these kinds.")]
Stream = Annotated[str | None, Query(max_length=200, description="A table, or empty for the house; all if left out.")]


@router.get("/events")
def events(
    caller: Asking,
    stream: Stream = None,
    round: Annotated[int | None, Query(ge=0, le=LARGEST)] = None,
    kinds: Kinds = None,
    after: After = 0,
    limit: Limit = 500,
) -> EventPage:
    """Events of the house and its tables in the order in which they happened."""
    shown, head = _page(caller.pit, caller.person, stream, after, limit, round, kinds)
    return EventPage(events=[EventShown(**event) for event in shown], head=head)


def _page(
    pit: Pit,
    who: Person,
    stream: str | None,
    after: int,
    limit: int,
    round: int | None = None,
    kinds: Sequence[type[Happened] | str] | None = None,
) -> tuple[list[dict[str, Any]], int]:
    """Events as this person may see them. The tables are read later: what is shown by then is no longer secret."""
    with pit.store.reading() as reading:
        head = reading.head.seq
        found = reading.events(stream, after, round, kinds, limit)
    tables = {table.id: table for table in pit.tables()}
    return [_seen(event, tables, who) for event in found], head


def _seen(event: Recorded, tables: dict[str, Table], who: Person) -> dict[str, Any]:
    table = tables.get(event.stream)
    if table is None or table.play is None or event.round != table.play.number:
        return event.as_dict()
    return shown_event(event, who, own_seats(table, who.id), live=True)


@router.get("/significant")
def significant(caller: Asking, after: After = 0, limit: Limit = 500) -> SignificantList:
    """The fixed list of what an auditor looks at first: starts, stops, jackpots, voids, refusals and the like."""
    found = islice(ledger_significant(caller.pit.store, after), limit)
    return SignificantList(events=[SignificantLine(**line.as_dict()) for line in found])


_VERIFYING = "verifying"


@router.post("/verify")
def verify(caller: Asking, full: Annotated[bool, Query(description="From the first event.")] = False) -> Verified:
    """Check the chain, the anchors, the money and every settled round since the last check. One at a time."""
    with caller.house.only_one(_VERIFYING):
        checked = verify_ledger(caller.pit.store, full=full, keep=True)
    return Verified(ok=checked.ok, findings=list(checked.findings), scope=checked.looked)


@router.post("/acknowledge")
def acknowledge(caller: Asking, body: Acknowledgement) -> EventShown:
    """Acknowledge a missing, replaced or older anchor, with a reason, and start a new one."""
    return EventShown(**caller.pit.acknowledge(body.reason, caller.person).as_dict())


@router.get(
    "/export",
    response_class=StreamingResponse,
    responses={200: {"content": {"application/jsonl": {"schema": {"type": "string"}}}}},
)
def export(caller: Asking, stream: Stream = None, kinds: Kinds = None, after: After = 0) -> StreamingResponse:
    """Events as JSON Lines. A line with ``"hidden": true`` belongs to a round in play and lacks its hidden cards."""
    lines = export_lines(caller.pit.store, stream, after, kinds, caller.person)
    pages = ("".join(f"{line}\n" for line in part) for part in iter(lambda: [*islice(lines, LINES)], []))
    headers = {"Content-Disposition": 'attachment; filename="pitboss-events.jsonl"'}
    return StreamingResponse(pages, media_type="application/jsonl", headers=headers)
