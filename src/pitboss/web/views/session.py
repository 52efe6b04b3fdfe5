"""Logging in and out, and one's own password."""

import re
from typing import Final

from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from pitboss.findings import FindingsError
from pitboss.table.permissions import may
from pitboss.web.callers import address_of
from pitboss.web.limits import RefusedError
from pitboss.web.security import check_log_in_rate, drop_cookie, set_cookie
from pitboss.web.views.base import Visit, page, route, sentence
from pitboss.web.visitor import house

_OWN: Final = re.compile(r"/(?![/\\])[\w/?=&.%+~:-]*", re.ASCII)
"""An address of this site, to which a log-in may lead back."""


def login(visit: Visit) -> Response:
    demonstration = house().demonstration
    return page(visit, "login.html", "Log in", ended=visit.given("ended") == "1", demonstration=demonstration)


def log_in(visit: Visit) -> Response:
    here = house()
    try:
        check_log_in_rate(here, visit.request)
    except RefusedError as refused:
        raise FindingsError([refused.finding]) from None
    given = visit.typed("id")[:200], visit.typed("password")[:2000]
    new = here.people.log_in(*given, address_of(visit.request.scope))
    then = visit.given("then")
    answer = RedirectResponse("/password" if new.must_change else then if _OWN.fullmatch(then) else "/", 303)
    set_cookie(answer, new.token, here.settings)
    return answer


def log_out(visit: Visit) -> Response:
    """End the session and every stream that it has open."""
    if visit.who.token:
        house().people.log_out(visit.who.token)
        house().hub.wake_all()
    answer = RedirectResponse("/", 303)
    drop_cookie(answer, house().settings)
    return answer


def password(visit: Visit) -> Response:
    if not visit.who.token:
        return RedirectResponse("/login", 303)
    role = visit.who.role
    return page(visit, "password.html", "Your password", confirmable=role is not None and may(role, "account.confirm"))


def change_password(visit: Visit) -> str | Response:
    here, who = house(), visit.who
    session = here.people.session_of(who.token) if who.token else None
    if session is None:
        return RedirectResponse("/login?ended=1", 303)
    if visit.typed("do") == "confirm":
        here.pit.demand(session.person, "account.confirm")
        number = here.people.ask_confirmation(session.person)
        here.hub.wake_all()
        return f"Proposal {number} waits for a second person."
    old, new, again = (visit.typed(name)[:2000] for name in ("old", "new", "again"))
    if new != again:
        raise FindingsError([sentence("The new password was typed in two ways. Type the same one twice.")])
    here.people.change_password(session.person.id, old, new, address_of(visit.request.scope))
    here.hub.wake_all()
    answer = RedirectResponse("/login", 303)
    drop_cookie(answer, here.settings)
    return answer


ROUTES: Final[tuple[Route, ...]] = (
    route("/login", login, log_in),
    route("/logout", lambda _: RedirectResponse("/", 303), log_out),
    route("/password", password, change_password),
)
