"""What every page drawn from a template shares: who may open it, its frame, and what a press on it answers."""

from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from hmac import compare_digest
from typing import Any, Final
from urllib.parse import parse_qsl, quote

from anyio import to_thread
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Match, Route

from pitboss.findings import Finding, FindingsError, UnreadableError, refusal
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.people import Person
from pitboss.table.permissions import may, why_not
from pitboss.web.callers import same_origin
from pitboss.web.live import DRAWINGS, View
from pitboss.web.render import html_page
from pitboss.web.routes import ANYBODY, PAGES
from pitboss.web.visitor import Visitor, house, visitor

NAVIGATION: Final = (
    ("/", "Home"),
    ("/settle", "Settle"),
    ("/analyst", "Analyst"),
    ("/submissions", "Submissions"),
    ("/signs", "Signs"),
    ("/law", "Law"),
    ("/school", "School"),
    ("/floor", "Floor"),
    ("/audit", "Rounds"),
    ("/slips", "Slips"),
    ("/meters", "Meters"),
    ("/incidents", "Incidents"),
    ("/school/class", "Class"),
    ("/accounts", "Accounts"),
)
"""Pages of the menu, in its order; people see those that they may open."""
MOST_FIELDS: Final = 500
TOO_MANY_FIELDS: Final = f"A form has at most {MOST_FIELDS} fields. Nothing was done."
MOST_NOTICES: Final = 1000


@dataclass(frozen=True)
class Visit:
    """A request for a page, or a press on one."""

    request: HTTPConnection
    who: Visitor
    form: Mapping[str, str] = field(default_factory=dict)
    """What was sent with a press. A field that was sent twice has its last value."""
    findings: tuple[Finding, ...] = ()
    """What speaks against the press that is answered."""

    @classmethod
    def of_window(cls, socket: HTTPConnection, address: str) -> "Visit":
        """The visit of an open window to the page at its address; not activity in its session."""
        path, _, query = address.partition("?")
        scope = {**socket.scope, "type": "http", "method": "GET", "path": path, "query_string": query.encode()}
        return cls(HTTPConnection(scope), visitor(socket, active=False))

    @property
    def path(self) -> str:
        return self.request.url.path

    @property
    def here(self) -> str:
        """The path with its query."""
        return self.path + (f"?{self.request.url.query}" if self.request.url.query else "")

    @property
    def person(self) -> Person:
        """The person who has logged in, on a page that needs that."""
        assert self.who.person is not None
        return self.who.person

    def given(self, name: str) -> str:
        """A parameter of the address, or an empty text."""
        return self.request.query_params.get(name, "")

    def typed(self, name: str) -> str:
        """A field of the form, or an empty text."""
        return self.form.get(name, "")


Show = Callable[[Visit], Response]
Look = Callable[[Visit], View | None]
"""What the windows at a page look at now; ``None`` where there is nothing at the address."""
Press = Callable[[Visit], "str | Response"]
"""Carries out a press: the answer is a sentence for the page, or an answer of its own."""


class _Notices:
    """Sentences for the next page of a session, each shown once."""

    def __init__(self) -> None:
        self._said: OrderedDict[tuple[str, str], str] = OrderedDict()

    def leave(self, token: str, path: str, sentence: str) -> None:
        self._said[token, path] = sentence
        while len(self._said) > MOST_NOTICES:
            self._said.popitem(last=False)

    def take(self, token: str, path: str) -> str:
        return self._said.pop((token, path), "")


NOTICES: Final = _Notices()


def page(visit: Visit, name: str, title: str, *, status: int = 200, view: View | None = None, **known: Any) -> Response:
    """The page of a template in the frame that all pages share, with the regions of its ``view``.

    A script of the page that asks with the header X-Regions gets the regions alone, as the channel sends them.
    """
    if view is not None and "x-regions" in visit.request.headers:
        shown = {"title": title, "mark": view.mark, "regions": dict(DRAWINGS.of(view))}
        return JSONResponse(shown, headers={"Cache-Control": "no-store"})
    who = visit.who
    findings = visit.findings
    if status == 200 and findings:
        status = 422
    said = NOTICES.take(who.token, visit.path) if who.token else ""
    menu = menu_of(who)
    if view is not None:
        known = {**view.known(), **known}
    mark = view.mark if view else ""
    frame = {
        "mark": mark,
        "title": title,
        "who": who,
        "path": visit.path,
        "menu": menu,
        "findings": findings,
        "said": said,
    }
    return html_page(name, {**frame, **known, "visit": visit}, status)


def menu_of(who: Visitor) -> list[tuple[str, str]]:
    """The pages that the person may open, with their names."""
    return [(address, text) for address, text in NAVIGATION if is_open(PAGES[address], who)]


def is_open(act: str, who: Visitor) -> bool:
    """Whether the person may open a page that needs this permission."""
    return act == ANYBODY or (who.role is not None and may(who.role, act))


_LOOKS: Final[list[tuple[Route, Look]]] = []
"""Pages with regions that follow what happens."""


def view_at(visit: Visit) -> View | None:
    """What a window at the visit's address looks at; ``None`` if its page has no such regions or isn't open to it."""
    for known, look in _LOOKS:
        match, child = known.matches(visit.request.scope)
        if match is not Match.NONE:
            scope = {**visit.request.scope, **child}
            return (
                look(replace(visit, request=HTTPConnection(scope))) if is_open(PAGES[known.path], visit.who) else None
            )
    return None


def route(path: str, show: Show, press: Press | None = None, look: Look | None = None) -> Route:
    """A page at a path, guarded by the table of pages. Drawn in a thread, off the event loop."""
    act = PAGES[path]

    async def answer(request: Request) -> Response:
        try:
            fields = parse_qsl((await request.body()).decode("utf-8", "replace"), max_num_fields=MOST_FIELDS)
        except ValueError:
            return Response(TOO_MANY_FIELDS, 413, media_type="text/plain")
        if any("\0" in name or "\0" in value for name, value in fields):
            return Response("A field holds a NUL character. Nothing was done.", 400, media_type="text/plain")
        return await to_thread.run_sync(_answer, request, dict(fields), limiter=house().drawing)

    def _answer(request: Request, form: Mapping[str, str]) -> Response:
        visit = Visit(request, visitor(request), form)
        if act != ANYBODY:
            if visit.who.person is None:
                there = "/password" if visit.who.must_change else f"/login?then={quote(visit.here, safe='/')}"
                return RedirectResponse(there, 303)
            if not is_open(act, visit.who):
                return page(
                    replace(visit, findings=(why_not(visit.person.role, act),)),
                    "refused.html",
                    "Not open to you",
                    status=403,
                )
        if request.method != "POST":
            return show(visit)
        assert press is not None
        return _pressed(visit, press, show)

    made = Route(path, answer, methods=["GET", *(["POST"] if press else [])], include_in_schema=False)
    if look is not None:
        _LOOKS.append((made, look))
    return made


def _with(visit: Visit, *findings: Finding) -> Visit:
    return replace(visit, findings=findings)


def _pressed(visit: Visit, press: Press, show: Show) -> Response:
    refused = _forged(visit)
    if refused is None:
        try:
            done = press(visit)
        except FindingsError as problem:
            return show(_with(visit, *problem.findings))
        except (UnreadableError, LedgerError) as problem:
            return show(_with(visit, sentence(str(problem))))
        if isinstance(done, Response):
            return done
        NOTICES.leave(visit.who.token, visit.path, done)
        return RedirectResponse(visit.here, 303)
    return show(_with(visit, refused))


def _forged(visit: Visit) -> Finding | None:
    """A finding if the press comes from another site, or without this session's token."""
    if not same_origin(visit.request):
        return refusal("csrf", "", "", "This press did not come from a page of this site. Open the page and try again.")
    if visit.who.csrf and not compare_digest(visit.typed("csrf").encode(), visit.who.csrf.encode()):
        sentence = "This page is from an earlier session. It has been drawn again; press once more."
        return refusal("csrf", "", "", sentence)
    return None


def sentence(text: str) -> Finding:
    """What only this page has to say, as a finding."""
    return refusal("page", "", "", text)
