"""Logging in and out, and what the house says about itself."""

from fastapi import APIRouter, Request, Response

from pitboss import __version__
from pitboss.web.callers import address_of
from pitboss.web.models import ConfirmationAsked, Done, Health, LoggedInShown, LogIn, Me, PasswordChange
from pitboss.web.security import Asking, check_log_in_rate, drop_cookie, house_of, set_cookie

router = APIRouter(prefix="/api", tags=["session"])


@router.post("/login")
def log_in(request: Request, response: Response, body: LogIn) -> LoggedInShown:
    """Open a session. After five wrong passwords in a row from one address there is a growing delay there."""
    house = house_of(request.app)
    check_log_in_rate(house, request)
    new = house.people.log_in(body.id, body.password, address_of(request.scope))
    set_cookie(response, new.token, house.settings)
    return LoggedInShown.model_validate(new)


@router.post("/logout")
def log_out(caller: Asking, response: Response) -> Done:
    """End this session and every stream that it has open."""
    caller.people.log_out(caller.token)
    drop_cookie(response, caller.house.settings)
    caller.house.hub.wake_all()
    return Done()


@router.get("/me")
def me(caller: Asking) -> Me:
    """Who is logged in, and the session's CSRF token."""
    return Me.model_validate(caller.session)


@router.post("/me/password")
def change_password(caller: Asking, request: Request, body: PasswordChange, response: Response) -> Done:
    """Change your own password; every session of the person ends, this one too."""
    caller.people.change_password(caller.person.id, body.old, body.new, address_of(request.scope))
    drop_cookie(response, caller.house.settings)
    caller.house.hub.wake_all()
    return Done()


@router.post("/me/confirmation")
def ask_confirmation(caller: Asking) -> ConfirmationAsked:
    """Ask a second person to confirm that nobody else has your account, after you have changed its password."""
    number = caller.people.ask_confirmation(caller.person)
    caller.house.hub.wake_all()
    return ConfirmationAsked(waiting=number)


@router.get("/health")
def health(request: Request) -> Health:
    """Whether the ledger answers and tables may be opened."""
    house = house_of(request.app)
    with house.pit.store.reading():
        pass
    closed = [finding.code for finding in house.pit.reasons_to_stop()]
    return Health(version=__version__, notice=request.app.state.notice, open_to_play=not closed, closed_because=closed)
