"""The incidents page: what happened that somebody has to see to, filtered, acknowledged and exported."""

import csv
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from io import StringIO
from typing import Final
from urllib.parse import urlencode
from weakref import WeakKeyDictionary

from fastapi import Request, Response
from nicegui import app, run, ui
from starlette.responses import PlainTextResponse

from pitboss.findings import FindingsError, UnreadableError
from pitboss.ledger.incidents import LONGEST_NOTE, ORDINARY, PERMISSION, Incident, IncidentLog, acknowledge
from pitboss.ledger.people import Person
from pitboss.ledger.pit import Pit
from pitboss.ledger.rows import shown_time
from pitboss.ledger.search import moment
from pitboss.ledger.significant import SIGNIFICANT
from pitboss.names import several
from pitboss.table.permissions import may, why_not
from pitboss.web.pages.audit_html import cited, round_link, when
from pitboss.web.pages.shell import (
    Visitor,
    button,
    card,
    carried_out,
    end_with_session,
    escape,
    findings_html,
    frame,
    house,
    markup,
    said,
    sheet,
    show_findings,
    table_html,
    visitor,
)

STYLE: Final = sheet("audit.html")
MOST: Final = 200
LAST: Final = 5
WITH_ROUND: Final = ("round.voided", "meter.paid", "irregularity.reported")
_logs: WeakKeyDictionary[Pit, IncidentLog] = WeakKeyDictionary()


def incidents() -> tuple[Incident, ...]:
    pit = house().pit
    return _logs.setdefault(pit, IncidentLog(pit.store)).look()


def unread_html() -> str:
    """What nobody has acknowledged yet, for a desk."""
    waiting = [each for each in incidents() if each.is_open]
    if not waiting:
        return (
            '<section class="pb-card" aria-label="Incidents"><h2>No open incident</h2>'
            '<a href="/incidents?state=all">All incidents</a></section>'
        )
    count = several(len(waiting), "open incident")
    rows = "".join(
        f"<li><span class='pb-soft pb-small'>{when(shown_time(event.at))}</span> {escape(event.sentence)}</li>"
        for event in (each.event for each in waiting[:LAST])
    )
    return (
        f'<section class="pb-card" aria-label="Incidents"><h2>{count}</h2><ul class="pb-list">{rows}</ul>'
        '<a href="/incidents">See and acknowledge them</a></section>'
    )


@dataclass(frozen=True)
class IncidentFilter:
    """What the address asks for; what is empty does not matter."""

    kind: str = ""
    table: str = ""
    since: str = ""
    until: str = ""
    state: str = "open"

    def select(self, found: Sequence[Incident]) -> tuple[Incident, ...]:
        since, until = moment(self.since), moment(self.until)
        return tuple(
            each
            for each in found
            if (not self.kind or each.event.kind == self.kind)
            and (not self.table or each.event.table == self.table)
            and (since is None or each.event.at >= since)
            and (until is None or each.event.at <= until)
            and (self.state == "all" or each.is_open)
        )

    def address(self, path: str) -> str:
        return f"{path}?{urlencode({name: value for name, value in vars(self).items() if value})}"


def _asked(request: Request) -> IncidentFilter:
    given = {name: request.query_params.get(name, "")[:60] for name in ("kind", "table", "since", "until")}
    return IncidentFilter(**given, state="all" if request.query_params.get("state") == "all" else "open")


def form_html(asked: IncidentFilter, found: Sequence[Incident]) -> str:
    kinds = {kind: SIGNIFICANT[kind].rstrip(".") for kind in dict.fromkeys(each.event.kind for each in found)}
    tables = {name: name for name in sorted({each.event.table for each in found if each.event.table})}
    states = {"open": "open", "all": "all"}

    def select(title: str, name: str, options: dict[str, str], chosen: str, *, every: str = "") -> str:
        listed = {"": every, **options} if every else options
        made = "".join(
            f'<option value="{escape(key)}"{" selected" if key == chosen else ""}>{escape(text)}</option>'
            for key, text in listed.items()
        )
        return f'<label>{title}<select name="{name}">{made}</select></label>'

    what = select("What", "kind", kinds, asked.kind, every="everything")
    return (
        '<form class="au-form pb-noprint" method="get" action="/incidents" role="search" aria-label="Incidents">'
        f"{select('State', 'state', states, asked.state)}{what}"
        f"{select('Table', 'table', tables, asked.table, every='all')}"
        f'<label>From (UTC)<input name="since" type="datetime-local" value="{escape(asked.since)}"></label>'
        f'<label>To (UTC)<input name="until" type="datetime-local" value="{escape(asked.until)}"></label>'
        '<button type="submit">Show</button></form>'
    )


def incidents_html(found: Sequence[Incident]) -> str:
    rows = []
    for each in found[:MOST]:
        event = each.event
        place = escape(event.table) if event.table else "the house"
        if event.table and event.round and event.kind in WITH_ROUND:
            place = f'<a href="{round_link(event.table, event.round)}">{escape(event.table)}, round {event.round}</a>'
        seen = f"{escape(each.by)}{f': {escape(each.note)}' if each.note else ''}" if each.by else "open"
        seen = "–" if event.kind in ORDINARY else seen
        what = f"{escape(event.sentence)} {cited(event.cites)}".strip()
        rows.append((when(event.as_dict()["at"]), place, f"{escape(event.who)} ({escape(event.role)})", what, seen))
    if not rows:
        return '<p class="pb-soft" style="margin:0">Nothing fits.</p>'
    more = f'<p class="pb-small pb-soft">The newest {MOST} of {len(found)} are shown.</p>' if len(found) > MOST else ""
    body = table_html(("When (UTC)", "Where", "Who", "What", "Acknowledged"), rows, below=3)
    return f'<div class="au-times pb-scroll">{body}</div>{more}'


def incidents_csv(found: Sequence[Incident]) -> str:
    out = StringIO()
    writer = csv.writer(out)
    writer.writerow(
        ["event", "time", "table", "round", "who", "job function", "what", "why", "acknowledged by", "note"]
    )
    for each in found:
        event = each.event.as_dict()
        told = [event[name] for name in ("seq", "at", "table", "round", "who", "role", "sentence", "why")]
        writer.writerow([*told, each.by, each.note])
    return out.getvalue()


class IncidentsPage:
    """One open window on the incidents."""

    def __init__(self, who: Visitor, person: Person, asked: IncidentFilter) -> None:
        self.who, self.person, self.asked = who, person, asked
        self.found: tuple[Incident, ...] = ()

    async def build(self) -> None:
        every = await run.io_bound(incidents) or ()
        try:
            self.found = self.asked.select(every)
        except UnreadableError as problem:
            markup(form_html(self.asked, every), "w-full")
            show_findings(said(problem))
            return
        markup(form_html(self.asked, every), "w-full")
        with card("Incidents"):
            self.list = markup(incidents_html(self.found), "w-full")
            links = {"CSV": "/incidents.csv", "JSON": "/incidents.json"}
            exports = "".join(
                f'<a href="{escape(self.asked.address(to))}">Export as {name}</a>' for name, to in links.items()
            )
            markup(f'<nav class="pb-links pb-small pb-noprint" aria-label="Exports">{exports}</nav>')
            waiting = [each for each in self.found[:MOST] if each.is_open]
            if waiting and may(self.person.role, PERMISSION):
                self.said = ui.column().classes("w-full").props('aria-live="polite"')
                note = ui.input("Note, kept in the record").props(f"outlined dense maxlength={LONGEST_NOTE}")
                note.classes("w-full pb-noprint")
                count = "this one" if len(waiting) == 1 else f"these {len(waiting)}"
                button(
                    f"Acknowledge {count}", lambda: self._acknowledge([e.event.seq for e in waiting], str(note.value))
                )

    def _acknowledge(self, numbers: list[int], note: str) -> None:
        act: Callable[[Person], None] = lambda who: acknowledge(house().pit, numbers, note, who, incidents())  # noqa: E731
        if carried_out(self.who, "/incidents", self.said, act):
            ui.navigate.to(self.asked.address("/incidents"))


def add_incidents_page() -> None:
    @ui.page("/incidents")
    async def page(request: Request) -> None:
        who = visitor(request)
        if who.person is None:
            ui.navigate.to("/login?then=/incidents")
            return
        with frame("Incidents", who, "/incidents"):
            ui.add_head_html(STYLE)
            if may(who.person.role, "audit.read"):
                await IncidentsPage(who, who.person, _asked(request)).build()
            else:
                markup(findings_html([why_not(who.person.role, "audit.read")]), "w-full")
            end_with_session(who, "/incidents")

    @app.get("/incidents.{kind}")
    def export(request: Request, kind: str) -> Response:
        person = visitor(request).person
        if person is None or not may(person.role, "audit.read"):
            return PlainTextResponse("Log in as somebody who reads the record.", 403)
        try:
            found = _asked(request).select(incidents())
        except (UnreadableError, FindingsError) as problem:
            return PlainTextResponse(str(problem), 400)
        made: dict[str, Callable[[], tuple[str, str]]] = {
            "csv": lambda: (incidents_csv(found), "text/csv; charset=utf-8"),
            "json": lambda: (json.dumps([each.as_dict() for each in found], indent=1), "application/json"),
        }
        if kind not in made:
            return PlainTextResponse("Incidents are exported as CSV or JSON.", 404)
        text, media = made[kind]()
        headers = {"Content-Disposition": f'attachment; filename="incidents.{kind}"'}
        return Response(text, media_type=media, headers=headers)
