"""The application: every route over one pit, behind one gate, with one shape of refusal."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from fastapi import Depends, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from pitboss import NOTICE, __version__
from pitboss.findings import Finding, FindingsError, UnreadableError
from pitboss.ledger.errors import (
    BusyError,
    DiskFullError,
    LedgerError,
    TakenError,
    UnknownOutcomeError,
    UnreachableError,
)
from pitboss.ledger.people import LogInRefusedError, People
from pitboss.ledger.pit import PERMISSION, KeyReusedError, NoTableError, Pit
from pitboss.ledger.recall import NoRoundError, NotYoursError
from pitboss.web import accounts, auditing, meters, property, sessions, tables
from pitboss.web.limits import Gate, RefusedError, Settings
from pitboss.web.models import Refusal, refusal_text
from pitboss.web.security import House, guard
from pitboss.web.stream import Hub
from pitboss.web.workroom import close_workroom, wake_by

Handler = Callable[[Request, Exception], Response]
RETRY_SECONDS = 1
_LEDGER_CODES = (
    (UnknownOutcomeError, "outcome-unknown"),
    (BusyError, "ledger-busy"),
    (DiskFullError, "disk-full"),
    (UnreachableError, "ledger-unreachable"),
)
ADDRESS = {
    404: ("no-such-address", "There is nothing at this address."),
    405: ("method", "This address does not take that method."),
}
REFUSALS: dict[int | str, dict[str, Any]] = {
    400: {"model": Refusal, "description": "The request cannot be read."},
    401: {"model": Refusal, "description": "Nobody is logged in."},
    403: {"model": Refusal, "description": "The job function may not do this."},
    413: {"model": Refusal, "description": "The request is too large."},
    415: {"model": Refusal, "description": "The request is not JSON."},
    422: {"model": Refusal, "description": "Refused by the law, the table or the house."},
    429: {"model": Refusal, "description": "Too many requests; Retry-After says when to come again."},
    503: {"model": Refusal, "description": "The ledger cannot be reached or the house is busy; Retry-After says when."},
}


def create_app(pit: Pit, people: People, settings: Settings | None = None) -> FastAPI:
    """The HTTP interface of one pit. The application owns no database: the caller that made the store closes it."""
    known = settings or Settings()
    house = House(pit, people, known, Hub(pit, people, known.poll, known.heartbeat))

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        wake_by(house.hub.wake)
        yield
        house.hub.close()
        close_workroom()

    app = FastAPI(
        title="pitboss",
        version=__version__,
        description=NOTICE,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        dependencies=[Depends(guard)],
        responses=REFUSALS,
        lifespan=lifespan,
        redirect_slashes=False,
    )
    app.state.house = house
    app.state.notice = NOTICE
    for room in (sessions, tables, meters, property, accounts, auditing):
        app.include_router(room.router)
    for kind, handler in _HANDLERS.items():
        app.add_exception_handler(kind, handler)
    app.add_middleware(Gate, settings=known)
    return app


def refusal(status: int, *findings: Finding, wait: int = 0, headers: dict[str, str] | None = None) -> Response:
    more = {"Retry-After": str(wait)} if wait else {}
    return Response(refusal_text(*findings), status, {**(headers or {}), **more}, "application/json")


def _refused(_: Request, error: Exception) -> Response:
    assert isinstance(error, RefusedError)
    headers = {"WWW-Authenticate": "Bearer"} if error.status == 401 else None
    return refusal(error.status, error.finding, wait=error.wait, headers=headers)


def _findings(_: Request, error: Exception) -> Response:
    assert isinstance(error, FindingsError)
    codes = {finding.code for finding in error.findings}
    return refusal(403 if PERMISSION in codes else 422, *error.findings)


def _log_in(_: Request, error: Exception) -> Response:
    assert isinstance(error, LogInRefusedError)
    status = 429 if error.findings[0].code == "login-delay" else 401
    return refusal(status, *error.findings, wait=error.wait)


def _said(status: int, code: str, expected: str = "", found: str = "", where: str = "") -> Handler:
    """Refused in the error's own sentence."""
    return lambda _, error: refusal(status, Finding(code, "", expected, found, str(error), where))


def _unreadable(_: Request, error: Exception) -> Response:
    assert isinstance(error, UnreadableError)
    return refusal(400, *error.findings)


def _ledger(_: Request, error: Exception) -> Response:
    """Whether the act happened is in the sentence: all but the first kind mean that it did not."""
    code = next((code for kind, code in _LEDGER_CODES if isinstance(error, kind)), "ledger")
    text = str(error)
    sentence = f"{text[:1].upper()}{text[1:]}."
    if code == "ledger-unreachable":
        sentence += " Nothing was recorded; try again."
    return refusal(503, Finding(code, "", "", "", sentence), wait=RETRY_SECONDS)


def _invalid(_: Request, error: Exception) -> Response:
    """Says what should be there, never what was: it may have been a password."""
    assert isinstance(error, RequestValidationError)
    found = []
    for problem in error.errors():
        place = ".".join(str(part) for part in problem["loc"][1:]) or str(problem["loc"][0])
        sentence = f"{ascii(place)[1:-1][:80]}: {problem['msg']}."
        found.append(Finding("invalid", "", "", "", sentence, ascii(place)[1:-1][:80]))
    return refusal(422, *found)


def http_refusal(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    code, sentence = ADDRESS.get(error.status_code, ("request", f"{error.detail}."))
    return refusal(error.status_code, Finding(code, "", "", "", sentence), headers=dict(error.headers or {}))


_KEY_REUSED = _said(409, "key-reused", "a new key", "a used one", "Request-Key")
_NOT_FOUND = _said(404, "not-found")
_HANDLERS: dict[type[Exception], Handler] = {
    RefusedError: _refused,
    LogInRefusedError: _log_in,
    FindingsError: _findings,
    UnreadableError: _unreadable,
    KeyReusedError: _KEY_REUSED,
    TakenError: _KEY_REUSED,
    NoTableError: _NOT_FOUND,
    NoRoundError: _NOT_FOUND,
    NotYoursError: _said(403, "not-yours"),
    LedgerError: _ledger,
    RequestValidationError: _invalid,
    HTTPException: http_refusal,
}
