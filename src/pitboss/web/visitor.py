"""Who looks at a page, and the house whose pages this process serves."""

from dataclasses import dataclass

from starlette.requests import HTTPConnection

from pitboss.ledger.people import Person
from pitboss.table.roles import Role
from pitboss.web.security import COOKIE, House

_current: list[House] = []


def house() -> House:
    """The house whose pages are served by this process."""
    return _current[-1]


def serve_house(served: House) -> None:
    _current.append(served)


@dataclass(frozen=True)
class Visitor:
    """The person at a browser. Visitors without an account can look around and practice."""

    person: Person | None
    """``None`` also while a password that somebody else has chosen waits to be changed."""
    token: str = ""
    csrf: str = ""
    must_change: bool = False

    @property
    def id(self) -> str:
        return self.person.id if self.person else ""

    @property
    def role(self) -> Role | None:
        return self.person.role if self.person else None

    def lasts(self) -> float:
        """Seconds until the session ends if nobody does anything; 0 where it has ended."""
        session = house().people.session_of(self.token, active=False) if self.token else None
        return 0.0 if session is None or session.must_change else max(0.001, session.left / 1_000_000)


def visitor(request: HTTPConnection, *, active: bool = True) -> Visitor:
    """The person whose session the request's cookie names; ``active`` counts as activity in that session."""
    token = request.cookies.get(COOKIE, "")
    session = house().people.session_of(token, active=active) if 0 < len(token) <= 200 else None
    if session is None:
        return Visitor(None)
    return Visitor(None if session.must_change else session.person, token, session.csrf, session.must_change)
