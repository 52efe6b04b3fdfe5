"""The incidents page: significant events that somebody has yet to acknowledge, filtered, acknowledged and exported."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final
from urllib.parse import urlencode
from weakref import WeakKeyDictionary

from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from pitboss.clock import moment
from pitboss.findings import FindingsError, UnreadableError
from pitboss.ledger.incidents import LONGEST_NOTE, PERMISSION, Incident, IncidentLog, acknowledge
from pitboss.ledger.pit import Pit
from pitboss.ledger.significant import SIGNIFICANT
from pitboss.names import several
from pitboss.reports.incidents import OF_A_ROUND, incidents_paper
from pitboss.table.permissions import may
from pitboss.web.papers import addresses, as_file
from pitboss.web.views.base import Visit, page, route, sentence
from pitboss.web.visitor import house

MOST: Final = 200
"""Incidents on one page."""
STATES: Final = (("open", "Open"), ("acknowledged", "Acknowledged"), ("all", "All"))
CHOSEN: Final = "choose."
"""Begins the names of the boxes before incidents."""
_logs: WeakKeyDictionary[Pit, IncidentLog] = WeakKeyDictionary()


def known_incidents() -> tuple[Incident, ...]:
    """The incidents of the house, newest first."""
    pit = house().pit
    return _logs.setdefault(pit, IncidentLog(pit.store)).look()


@dataclass(frozen=True)
class IncidentFilter:
    """Which incidents an address asks for. An empty field doesn't matter."""

    kind: str = ""
    table: str = ""
    since: str = ""
    until: str = ""
    state: str = "open"

    @classmethod
    def of(cls, request: HTTPConnection) -> "IncidentFilter":
        given = {name: request.query_params.get(name, "")[:60] for name in ("kind", "table", "since", "until")}
        state = request.query_params.get("state", "")
        return cls(**given, state=state if state in dict(STATES) else "open")

    def select(self, incidents: Sequence[Incident]) -> tuple[Incident, ...]:
        since, until = moment(self.since), moment(self.until, latest=True)
        return tuple(
            each
            for each in incidents
            if (not self.kind or each.event.kind == self.kind)
            and (not self.table or each.event.table == self.table)
            and (since is None or each.event.at >= since)
            and (until is None or each.event.at <= until)
            and (self.state == "all" or (each.is_open if self.state == "open" else bool(each.by)))
        )

    def filters(self) -> tuple[tuple[str, str], ...]:
        """The filters in use, for the head of a document."""
        named = {"what": _kind_words(self.kind), "table": self.table, "from": self.since, "to": self.until}
        return tuple((name, value) for name, value in {"state": self.state, **named}.items() if value)

    def address(self, **other: str) -> str:
        """The address of the page with this filter, and with other values of some fields."""
        return f"/incidents?{urlencode({name: value for name, value in {**vars(self), **other}.items() if value})}"


@dataclass(frozen=True)
class SeveralIncidents:
    """Several incidents that are about to be acknowledged at once."""

    numbers: tuple[int, ...]
    kinds: tuple[tuple[str, int], ...]
    """How many there are of each kind, the most frequent first."""


def incidents(visit: Visit, question: SeveralIncidents | None = None) -> Response:
    wanted, every = IncidentFilter.of(visit.request), known_incidents()
    matches: tuple[Incident, ...] = ()
    try:
        matches = wanted.select(every)
    except UnreadableError as problem:
        visit = replace(visit, findings=(*visit.findings, sentence(str(problem))))
    shown = matches[:MOST]
    waiting = sum(each.is_open for each in shown)
    kinds = dict.fromkeys(each.event.kind for each in every)
    tables = sorted({each.event.table for each in every if each.event.table})
    return page(
        visit,
        "incidents.html",
        "Incidents",
        wanted=wanted,
        shown=shown,
        count=len(matches),
        open=sum(each.is_open for each in every),
        waiting=waiting,
        acknowledges=waiting > 0 and may(visit.person.role, PERMISSION),
        question=question,
        states=STATES,
        kinds=[("", "Everything"), *((kind, _kind_words(kind)) for kind in kinds)],
        tables=[("", "All"), *((table, table) for table in tables)],
        kind_words=_kind_words,
        of_a_round=OF_A_ROUND,
        longest=LONGEST_NOTE,
        files=addresses("/incidents.{}", vars(wanted)),
    )


def _kind_words(kind: str) -> str:
    return SIGNIFICANT.get(kind, kind).rstrip(".")


def press(visit: Visit) -> str | Response:
    """Acknowledge one incident, or ask before acknowledging several."""
    do = visit.typed("do")
    if do == "one":
        numbers = _numbers(visit.typed("incident"))
    elif do in ("these", "several"):
        numbers = _numbers(visit.typed("numbers"))
    else:
        numbers = tuple(number for name in visit.form if name.startswith(CHOSEN) for number in _numbers(name[7:]))
    if not numbers:
        raise UnreadableError("Choose the incidents first.")
    if do in ("these", "chosen"):
        return incidents(visit, _question(numbers))
    try:
        acknowledge(house().pit, numbers, visit.typed("note"), visit.person, known_incidents())
    except FindingsError as refused:
        if len(numbers) == 1:
            raise
        return incidents(replace(visit, findings=refused.findings), _question(numbers))
    return f"{several(len(numbers), 'incident')} acknowledged."


def _question(numbers: tuple[int, ...]) -> SeveralIncidents:
    kinds = Counter(_kind_words(each.event.kind) for each in known_incidents() if each.event.seq in numbers)
    return SeveralIncidents(numbers, tuple(kinds.most_common()))


def _numbers(text: str) -> tuple[int, ...]:
    """Numbers of events from a list with commas; at most as many as a page has."""
    parts = text.split(",")[:MOST]
    if not all(part.isascii() and part.isdigit() and len(part) <= 15 for part in parts):
        raise UnreadableError("There is no such incident.")
    return tuple(dict.fromkeys(map(int, parts)))


def export(visit: Visit) -> Response:
    """The incidents that fit the address, as a file."""
    try:
        wanted = IncidentFilter.of(visit.request)
        matches = wanted.select(known_incidents())
    except UnreadableError as problem:
        return PlainTextResponse(str(problem), 400)
    build = partial(incidents_paper, matches, wanted.filters())
    return as_file(visit.request.path_params["kind"], "incidents", matches, build)


ROUTES: Final[tuple[Route, ...]] = (
    route("/incidents", incidents, press),
    route("/incidents.{kind}", export),
)
