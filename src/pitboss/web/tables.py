"""Tables: how they stand, what to do next, commands, events and rounds."""

from typing import Annotated, Any

from fastapi import APIRouter, Body, Header, Path, Query, Response
from starlette.responses import StreamingResponse

from pitboss.findings import UnreadableError, refusal
from pitboss.games.registry import GAMES
from pitboss.ledger.pit import NoTableError
from pitboss.ledger.recall import NoRoundError, NotYoursError, recall, recent
from pitboss.meters import UNITS_PER_CENT
from pitboss.table.events import player_account
from pitboss.table.redaction import is_patron, sees_chips_elsewhere
from pitboss.table.source import commitment_text
from pitboss.table.view import view
from pitboss.web.limits import RefusedError
from pitboss.web.models import (
    LARGEST,
    Balance,
    BalanceList,
    CommandDone,
    CommandWaits,
    DealShown,
    EventPage,
    EventShown,
    Refusal,
    RoundList,
    RoundShown,
    StepShown,
    TableLine,
    TableList,
    TableShown,
)
from pitboss.web.reading import demand_cheap
from pitboss.web.schema import command_schema
from pitboss.web.security import Asking, Caller

router = APIRouter(prefix="/api", tags=["tables"])

MOST_EVENTS = 500
TableId = Annotated[str, Path(max_length=200, examples=["t1"])]
After = Annotated[int, Query(ge=0, le=LARGEST, description="Events after this one.")]
Limit = Annotated[int, Query(ge=1, le=MOST_EVENTS)]
Number = Annotated[int, Path(ge=1, le=LARGEST)]
NOT_FOUND: dict[int | str, dict[str, Any]] = {404: {"model": Refusal, "description": "Not found."}}
SSE_HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
MESSAGES: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "Messages for as long as the session lasts.",
        "content": {
            "text/event-stream": {
                "itemSchema": {
                    "type": "object",
                    "properties": {
                        "id": {"type": "string", "description": "The number of an event in the ledger."},
                        "event": {"enum": ["message", "begin", "trouble", "end"]},
                        "data": {"type": "string", "contentMediaType": "application/json"},
                    },
                    "required": ["data"],
                }
            }
        },
    }
}
"""One message of a stream, read as a browser reads it."""
OTHERS = "balances.read"


@router.get("/tables")
def tables(caller: Asking) -> TableList:
    """Every table of the house, and why none may be opened, if so."""
    lines = [TableLine.model_validate(table) for table in caller.pit.tables()]
    return TableList(tables=lines, closed_to_play=list(caller.pit.reasons_to_stop()))


@router.get("/tables/{table}", responses=NOT_FOUND)
def table(caller: Asking, table: TableId) -> TableShown:
    """The table as the caller may see it, and the next step of the procedure."""
    standing = caller.pit.standing(table, caller.person)
    shown = view(standing.table, caller.person.id)
    following = None if standing.step is None else StepShown.model_validate(standing.step)
    return TableShown(head=standing.head, table=shown, next=following)


@router.post(
    "/tables/{table}/commands",
    response_model=CommandDone,
    responses={
        202: {"model": CommandWaits, "description": "It needs a second person; nothing has happened yet."},
        409: {"model": Refusal, "description": "The request key was used for something else."},
        422: {"model": Refusal, "description": "Refused by the law or the table; nothing happened."},
    },
    openapi_extra={"requestBody": {"content": {"application/json": {"schema": command_schema()}}, "required": True}},
)
def command(
    caller: Asking,
    table: TableId,
    body: Annotated[dict[str, Any], Body()],
    request_key: Annotated[
        str, Header(min_length=8, max_length=100, description="A command acts once under a key; repeat it at will.")
    ],
) -> Response:
    """Do something at a table. The same key and body are always answered with the same bytes."""
    demand_cheap(body.get("submission"))
    reply = caller.pit.act(table, body, caller.person, request_key)
    if reply.status == 422:
        caller.house.refused.wait(caller.person.id)
    return Response(reply.text, reply.status, media_type="application/json")


@router.get("/tables/{table}/events", responses=NOT_FOUND)
def events(caller: Asking, table: TableId, after: After = 0, limit: Limit = MOST_EVENTS) -> EventPage:
    """What happened, in order; while a round lasts, cards that lie face down are hidden. A player learns no other's."""
    standing = caller.pit.standing(table, caller.person)
    news = caller.pit.news(caller.person, table, after, limit)
    head = max([standing.head, *(event["seq"] for event in news)])
    return EventPage(events=[EventShown(**event) for event in news], head=head)


@router.get("/tables/{table}/stream", response_class=StreamingResponse, responses={**NOT_FOUND, **MESSAGES})
def stream(
    caller: Asking,
    table: TableId,
    after: Annotated[int | None, Query(ge=0, le=LARGEST)] = None,
    last_event_id: Annotated[str | None, Header(max_length=20)] = None,
) -> StreamingResponse:
    """Events as they happen (server-sent events); ``id`` is the sequence number to resume from."""
    caller.pit.table(table)
    check_streams(caller)
    start = _resumed(last_event_id, after)
    news = caller.house.hub.events(caller.person, caller.token, table, start)
    return StreamingResponse(news, media_type="text/event-stream", headers=SSE_HEADERS)


def check_streams(caller: Caller) -> None:
    known, open_now = caller.house.settings, caller.house.hub.open_streams()
    if open_now[caller.person.id] >= known.streams_per_person or open_now.total() >= known.streams:
        sentence = "Too many screens are watching; close one and try again."
        raise RefusedError(429, refusal("too-many", "fewer streams", "", sentence), 5)


def _resumed(last_event_id: str | None, after: int | None) -> int | None:
    """A browser that reconnects knows better than the address it was first given."""
    if not last_event_id:
        return after
    if not (last_event_id.isascii() and last_event_id.isdigit() and int(last_event_id) <= LARGEST):
        raise UnreadableError("Last-Event-ID is not the number of an event.")
    return int(last_event_id)


@router.get("/tables/{table}/rounds", responses=NOT_FOUND)
def rounds(caller: Asking, table: TableId, last: Annotated[int, Query(ge=1, le=100)] = 10) -> RoundList:
    """The last rounds, newest first; never fewer than ten, if there are."""
    caller.pit.table(table)
    return RoundList(rounds=list(recent(caller.pit.store, table, last, caller.person)))


@router.get("/tables/{table}/rounds/{number}", responses=NOT_FOUND)
def recalled(caller: Asking, table: TableId, number: Number) -> RoundShown:
    """One round: stakes, cards in order, decisions, every line with its paragraph, balances before and after.

    A player sees the rounds he played, and of those the cards and what is his own; a dealer sees those he dealt.
    """
    found = recall(caller.pit.store, table, number, caller.person)
    return RoundShown(**{**found.as_dict(), "commitment": found.deal.commitment})


@router.get("/tables/{table}/rounds/{number}/deal", responses=NOT_FOUND)
def deal(caller: Asking, table: TableId, number: Number) -> DealShown:
    """The deck of a round that is over, to be checked against what was promised before it.

    Where players bet against each other the deck would tell what somebody held and did not show, so that only the
    house sees it.
    """
    found = recall(caller.pit.store, table, number)
    deal = found.deal
    if found.game in GAMES and GAMES[found.game].course.contest and is_patron(caller.person):
        raise NotYoursError("The deck of this game tells what others held and did not show; ask the floorperson.")
    if deal.cards:
        text = commitment_text(deal.cards, bytes.fromhex(deal.salt))
        return DealShown(table=table, round=number, commitment_text=text, verdict=deal.verdict, **vars(deal))
    sentence = f"Round {number} was keyed in from a deck of the house, so there is no commitment."
    if found.state == "wagering":
        sentence = f"Round {number} has not begun."
    if deal.commitment:
        sentence = f"The deck of round {number} is shown when the round is over; its commitment is {deal.commitment}."
    raise NoRoundError(sentence)


@router.get("/tables/{table}/balances", responses=NOT_FOUND)
def balances(caller: Asking, table: TableId) -> BalanceList:
    """The chips of everybody who plays at the table; for a dealer, those at this table only."""
    return BalanceList(balances=[_chips(caller, player, table) for player in _players(caller, table)])


@router.get("/balance", responses=NOT_FOUND)
def balance(
    caller: Asking,
    player: Annotated[str, Query(max_length=200, description="Somebody who sits at the table.")] = "",
    table: Annotated[str, Query(max_length=200)] = "",
) -> Balance:
    """The caller's own chips, or, for those who run the game, those of a player who sits there."""
    if not player or player == caller.person.id:
        return _chips(caller, caller.person.id)
    caller.pit.demand(caller.person, OTHERS)  # a refusal is recorded
    if player not in _players(caller, table):
        raise NoTableError(f"{player!a} does not play at table {table!a}.")
    return _chips(caller, player, table)


def _players(caller: Caller, table_id: str) -> list[str]:
    found = caller.pit.table(table_id)
    playing = found.play.players.values() if found.play is not None else ()
    return sorted({*found.boxes.values(), *playing})


def _chips(caller: Caller, player: str, table: str = "") -> Balance:
    if player != caller.person.id and not sees_chips_elsewhere(caller.person, player):
        return Balance(player=player, chips=caller.pit.chips_at(table, player))
    with caller.pit.store.reading() as reading:
        units = reading.balance(player_account(player))
    return Balance(player=player, chips=units // UNITS_PER_CENT)
