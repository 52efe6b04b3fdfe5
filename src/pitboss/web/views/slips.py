"""The register of slips of a gaming day, and the payout slips of a round, to print and to take away."""

from dataclasses import replace
from datetime import date
from functools import partial
from typing import Final
from urllib.parse import quote

from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from pitboss.clock import day_of
from pitboss.findings import UnreadableError
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.people import Person
from pitboss.ledger.register import KINDS, RegisteredSlip, SlipFilter, registered_slips
from pitboss.ledger.slips import PayoutSlip, due_slip, kept_slips
from pitboss.ledger.store import HOUSE_STREAM
from pitboss.reports.register import register_paper
from pitboss.reports.slip import slip_paper
from pitboss.web.models import LARGEST
from pitboss.web.papers import addresses, as_file
from pitboss.web.views.base import Visit, page, route, sentence
from pitboss.web.views.paper_page import document, no_paper, paper_page
from pitboss.web.visitor import house

ALL_KINDS: Final = (("", "All"), *((kind, kind.capitalize()) for kind in KINDS.values()))


def _wanted(visit: Visit) -> SlipFilter:
    """The filter of an address; the current gaming day where it names none."""
    given = {name: visit.given(name)[:60] for name in ("table", "day", "kind")}
    try:
        day = date.fromisoformat(given["day"]) if given["day"] else day_of(house().pit.clock())
    except ValueError:
        raise UnreadableError(f"{given['day']!r} is not a day: write it like 2026-11-18.") from None
    return SlipFilter(given["table"], day, given["kind"])


def slips(visit: Visit) -> Response:
    wanted, findings = SlipFilter(), visit.findings
    registered: tuple[RegisteredSlip, ...] = ()
    try:
        wanted = _wanted(visit)
        registered = registered_slips(house().pit.store, wanted)
    except UnreadableError as problem:
        findings = (*findings, sentence(str(problem)))
    with house().pit.store.reading() as reading:
        tables = [stream for stream in reading.streams() if stream != HOUSE_STREAM]
    query = {"day": wanted.day, "table": wanted.table, "kind": wanted.kind}
    return page(
        replace(visit, findings=findings),
        "slips.html",
        "Slips",
        wanted=wanted,
        day=wanted.day or visit.given("day")[:60],
        tables=[("", "All"), *((table, table) for table in tables)],
        kinds=ALL_KINDS,
        register="" if findings else document(register_paper(registered, wanted).passages),
        files={} if findings else addresses("/slips.{}", query),
    )


def export(visit: Visit) -> Response:
    """The register as a file."""
    try:
        wanted = _wanted(visit)
        registered = registered_slips(house().pit.store, wanted)
        return as_file(
            visit.request.path_params["kind"], "slips", registered, partial(register_paper, registered, wanted)
        )
    except (LedgerError, UnreadableError) as problem:
        return PlainTextResponse(str(problem), 400)


def _payout_slips(table: str, number: int, person: Person) -> tuple[PayoutSlip, ...]:
    """The slips of a round, or without a number the one that waits at the table now."""
    if number:
        return kept_slips(house().pit.store, table, number, person)
    due = due_slip(house().pit, table)
    return () if due is None else (due,)


def slip(visit: Visit) -> Response:
    """Payout slips as a page, or as a file of a ``kind``."""
    table, number = visit.request.path_params["table"], visit.request.path_params.get("number", "0")
    kind = visit.given("kind")
    try:
        if not (number.isascii() and number.isdigit() and len(number) <= 16 and int(number) <= LARGEST):
            raise UnreadableError(f"{number[:20]!r} is not the number of a round.")
        found = _payout_slips(table, int(number), visit.person)
        if not found:
            raise UnreadableError("There is no payout slip here.")
    except (LedgerError, UnreadableError) as problem:
        if kind:
            return PlainTextResponse(str(problem), 404)
        return no_paper(visit, "Payout slip", str(problem), 404)
    build = partial(slip_paper, found)
    if kind:
        return as_file(kind, "payout-slip", found, build)
    here = f"/slip/{quote(table, safe='')}" + (f"/{number}" if "number" in visit.request.path_params else "")
    return paper_page(visit, build(None), addresses(f"{here}?kind={{}}", {}))


ROUTES: Final[tuple[Route, ...]] = (
    route("/slips", slips),
    route("/slips.{kind}", export),
    route("/slip/{table}", slip),
    route("/slip/{table}/{number}", slip),
)
