"""Who is asking, and whether they may: one dependency in front of every route, which denies what it does not know."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Annotated, Final

from anyio import CapacityLimiter
from fastapi import Depends, FastAPI, Request
from fastapi.routing import iter_route_contexts
from fastapi.security import APIKeyCookie, HTTPBearer
from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from pitboss.findings import refusal
from pitboss.ledger.people import LIFETIME, SECOND, People, Person, Session
from pitboss.ledger.pit import Pit
from pitboss.web.callers import address_of
from pitboss.web.limits import Bucket, RefusedError, Settings, too_many
from pitboss.web.routes import COMMANDS, PUBLIC_ROUTES, ROUTES
from pitboss.web.stream import Hub

PAGES_AT_ONCE: Final = 24
COOKIE: Final = "pitboss_session"
CSRF: Final = "x-csrf-token"
PASSIVE: Final = "x-passive"
"""A page that asks by itself sends this header, so that its questions do not count as somebody being there."""
SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
WITH_ANY_PASSWORD: Final = frozenset({"GET /api/me", "POST /api/me/password", "POST /api/logout"})
"""What somebody can do whose password was chosen by somebody else."""


@dataclass
class House:
    """What the routes of one application share."""

    pit: Pit
    people: People
    settings: Settings
    hub: Hub
    demonstration: tuple[tuple[str, str, str], ...] = ()
    """Account, password and job function of those in a demonstration, for anybody; a house of its own has none."""
    commands: Bucket = field(init=False)
    requests: Bucket = field(init=False)
    log_ins: Bucket = field(init=False)
    refused: Bucket = field(init=False)
    drawing: CapacityLimiter = field(default_factory=lambda: CapacityLimiter(PAGES_AT_ONCE))
    """Threads that draw pages, apart from those of the interface, so that pages never keep commands waiting."""
    _running: set[str] = field(default_factory=set)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        known = self.settings
        self.commands = Bucket(known.commands_per_second, known.commands_per_second)
        self.requests = Bucket(known.requests_per_second, known.requests_per_second)
        self.refused = Bucket(known.refused_per_minute / 60, known.refused_per_minute)
        self.log_ins = Bucket(known.log_ins_per_minute / 60, known.log_ins_per_minute)

    @contextmanager
    def only_one(self, what: str) -> Iterator[None]:
        """For work that is long: a second one at the same time is refused."""
        with self._lock:
            if what in self._running:
                sentence = f"The house is {what} already; wait until it is done."
                raise RefusedError(429, refusal("too-many", "one at a time", "another", sentence), 5)
            self._running.add(what)
        try:
            yield
        finally:
            with self._lock:
                self._running.discard(what)


@dataclass(frozen=True)
class Caller:
    """Somebody who has logged in and may use the route."""

    house: House
    session: Session
    token: str = field(repr=False)

    @property
    def person(self) -> Person:
        return self.session.person

    @property
    def pit(self) -> Pit:
        return self.house.pit

    @property
    def people(self) -> People:
        return self.house.people


# Only described here; the guard itself reads the header and the cookie.
_BEARER = HTTPBearer(scheme_name="token", auto_error=False, description="The token that the log-in gave.")
_COOKIE = APIKeyCookie(
    name=COOKIE,
    scheme_name="cookie",
    auto_error=False,
    description="Set by the log-in; anything but a GET also needs the header X-CSRF-Token.",
)


def house_of(app: FastAPI) -> House:
    house: House = app.state.house
    return house


def route_key(method: str, route: BaseRoute | None) -> str:
    """How the list of routes names a route."""
    return f"{method} {route.path}" if isinstance(route, Route) else method


def route_keys(app: FastAPI) -> frozenset[str]:
    """Every route of an application, as the list of routes names it."""
    return frozenset(
        f"{method} {found.path}"
        for found in iter_route_contexts(app.routes)
        for method in (found.methods or ["ANY"])
        if method != "HEAD"
    )


def guard(request: Request) -> Caller | None:
    """The authorized user; nobody for a public route."""
    house = house_of(request.app)
    key = route_key(request.method, request.scope.get("route"))
    if key in PUBLIC_ROUTES:
        return None
    caller = _logged_in(house, request)
    person = caller.person
    _within(house.requests, person.id, "requests")
    if key == COMMANDS:
        _within(house.commands, person.id, "commands")
        _within(house.refused, person.id, "refused commands", take=False)
    if caller.session.must_change and key not in WITH_ANY_PASSWORD:
        raise _must_change()
    house.pit.demand(person, ROUTES.get(key, key))
    return caller


async def logged_in(
    caller: Annotated[Caller | None, Depends(guard)],
    _token: Annotated[object, Depends(_BEARER)],
    _cookie: Annotated[str | None, Depends(_COOKIE)],
) -> Caller:
    """On the event loop: there is nothing to wait for, and a thread would cost more than the question."""
    if caller is None:
        raise _not_logged_in()
    return caller


Asking = Annotated[Caller, Depends(logged_in)]


def _within(bucket: Bucket, name: str, what: str, *, take: bool = True) -> None:
    if wait := bucket.wait(name, take=take):
        raise RefusedError(429, too_many(what, wait), wait)


def check_log_in_rate(house: House, request: HTTPConnection) -> None:
    _within(house.log_ins, address_of(request.scope), "log-ins from this address")


def _logged_in(house: House, request: Request) -> Caller:
    scheme, _, given = request.headers.get("authorization", "").partition(" ")
    token = given.strip() if scheme.lower() == "bearer" else request.cookies.get(COOKIE, "")
    passive = PASSIVE in request.headers
    session = house.people.session_of(token, active=not passive) if 0 < len(token) <= 200 else None
    if session is None:
        raise _not_logged_in()
    by_cookie = scheme.lower() != "bearer"
    if by_cookie and request.method not in SAFE and not session.accepts(request.headers.get(CSRF, "")):
        sentence = "The request does not carry this session's CSRF token in the header X-CSRF-Token."
        raise RefusedError(403, refusal("csrf", "the session's token", "none or another", sentence))
    return Caller(house, session, token)


def _not_logged_in() -> RefusedError:
    sentence = (
        "Log in first; a session ends after 15 minutes in which nobody does anything, and after 12 hours in any case."
    )
    return RefusedError(401, refusal("not-logged-in", "a session", "none", sentence))


def _must_change() -> RefusedError:
    sentence = (
        "This password was given to you by somebody else. Choose your own first (POST /api/me/password with old and "
        "new, or the page /password), then log in again."
    )
    return RefusedError(403, refusal("must-change-password", "a password of your own", "a given one", sentence))


def set_cookie(response: Response, token: str, settings: Settings) -> None:
    response.set_cookie(
        COOKIE,
        token,
        max_age=LIFETIME // SECOND,
        path="/",
        secure=settings.secure_cookie,
        httponly=True,
        samesite="strict",
    )


def drop_cookie(response: Response, settings: Settings) -> None:
    response.delete_cookie(COOKIE, path="/", secure=settings.secure_cookie, httponly=True, samesite="strict")
