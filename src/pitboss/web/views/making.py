"""Files that the workroom makes, each at an address that says what was asked.

Programs wait for a file; a person who opens its address in a window sees how far it is.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import QueryParams
from starlette.requests import HTTPConnection, Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from pitboss.findings import UnreadableError
from pitboss.paper.files import MEDIA
from pitboss.web.live import View
from pitboss.web.views.asking import Inquiry, again, leave, person_of, stream_of
from pitboss.web.views.base import Visit, page, route
from pitboss.web.visitor import visitor
from pitboss.web.workroom import Lane

TYPES: Final = {**MEDIA, "svg": "image/svg+xml", "toml": "application/toml"}


@dataclass(frozen=True)
class WantedFile:
    """A file as its address asks for it."""

    name: str
    kind: str
    about: str
    """What it is of, in words."""
    stem: str
    lane: Lane
    work: tuple[Any, ...]
    """A function of a module, and what it is asked."""
    content: Callable[[Any], str | bytes] = lambda found: found
    """The file from what the workroom found."""

    def response(self, found: Any) -> Response:
        try:
            content = self.content(found)
        except UnreadableError as problem:
            return PlainTextResponse(str(problem), 400)
        shown = "inline" if self.kind == "html" else "attachment"
        disposition = f'{shown}; filename="{self.stem}.{self.kind}"'
        headers = {"Content-Disposition": disposition, "Cache-Control": "no-store"}
        return Response(content, media_type=TYPES[self.kind], headers=headers)


Read = Callable[[str, str, QueryParams], WantedFile | None]
"""From the name and the kind of a file and the query: what is wanted, or ``None`` if there is no such file."""


def routes(path: str, read: Read) -> tuple[Route, ...]:
    """The routes of the files at a path with ``{what}.{kind}``. Raise what ``read`` refuses as a sentence."""

    def wanted_at(request: HTTPConnection) -> WantedFile | None:
        params = request.path_params
        return read(str(params["what"]), str(params["kind"]), request.query_params)

    def making(visit: Visit, wanted: WantedFile, *, patient: bool = False) -> tuple[Inquiry, Any]:
        asking = Inquiry(visit, visit.here, patient=patient)
        return asking, asking.ask("file", wanted.lane, *wanted.work)

    def view(visit: Visit, wanted: WantedFile, asking: Inquiry) -> View:
        known = {
            "who": visit.who,
            "at": visit.here,
            "name": f"{wanted.name}.{wanted.kind}",
            "of": wanted.about,
            "wait": asking.waiting.get("file"),
            "refused": asking.refused.get("file", ""),
            "stopped": "file" in asking.stopped,
        }
        key = visit.here, visit.who.csrf
        return View("making.html", ("making",), asking.stream, key, asking.state, lambda: known)

    def show(visit: Visit) -> Response:
        wanted = wanted_at(visit.request)
        assert wanted is not None, "this page is of files that there are"
        asking, found = making(visit, wanted, patient=True)
        if found is not None:
            return wanted.response(found)
        return page(visit, "making.html", "Your file", view=view(visit, wanted, asking), busy=bool(asking.waiting))

    def look(visit: Visit) -> View | None:
        try:
            wanted = wanted_at(visit.request)
        except UnreadableError:
            wanted = None
        return None if wanted is None else view(visit, wanted, making(visit, wanted)[0])  # a window says where it is

    def press(visit: Visit) -> Response:
        stream = stream_of(visit, visit.here)
        if visit.typed("do") == "cancel":
            leave(stream, stop=True)
        else:
            again(stream)
        return RedirectResponse(visit.here, 303)

    in_a_window = route(path, show, press, look)

    async def export(request: Request) -> Response:
        """One file; what can't be counted is answered with a sentence."""
        try:
            wanted = wanted_at(request)
            if wanted is None:
                return PlainTextResponse("There is no such file.", 404)
            if request.headers.get("sec-fetch-dest") == "document" or request.method == "POST":
                made: Response = await in_a_window.endpoint(request)
                return made
            who = await run_in_threadpool(visitor, request)
            found = await wanted.lane.ask(*wanted.work, person=person_of(Visit(request, who)))
            return await run_in_threadpool(wanted.response, found)
        except UnreadableError as problem:
            return PlainTextResponse(str(problem), 400)

    return (Route(path, export, methods=["GET", "POST"], include_in_schema=False),)
