"""The submission desk: a Rules Submission as a form made of the law's choices, checked as it is filled in.

No account is needed and nothing is recorded. The address holds the draft, as its differences from the law's template.
"""

from collections.abc import Sequence
from dataclasses import replace
from time import monotonic, sleep
from typing import Any, Final

from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from pitboss.clock import day_of
from pitboss.findings import UnreadableError
from pitboss.games.payorder import PAY_ORDER
from pitboss.games.registry import GAMES
from pitboss.paper.files import MEDIA
from pitboss.reports.filing import filing_paper
from pitboss.reports.form import form_paper
from pitboss.submission.write import Values, values_of
from pitboss.table.permissions import may
from pitboss.web.papers import as_file
from pitboss.web.reading import READER
from pitboss.web.render import block
from pitboss.web.submitted import MOST, packed, read_text
from pitboss.web.views.base import Visit, page, route, sentence
from pitboss.web.views.home import SOURCES
from pitboss.web.views.submission_desk import DraftPage, brief, place_of
from pitboss.web.views.submission_draft import MOST_VALUES, TEXT, Draft, of_address, of_form
from pitboss.web.views.submission_files import ROUTES as FILES
from pitboss.web.views.submission_files import STATES, address_of
from pitboss.web.visitor import house

WAIT_S: Final = 3.0
"""Seconds that a file waits for holds which are being counted."""
MOST_SHOWN: Final = 40
"""Entries without a field that are listed."""


def show(visit: Visit) -> Response:
    draft = _draft(visit)
    return _page(visit, draft)


def _draft(visit: Visit) -> Draft:
    today = day_of(house().pit.clock())
    is_press = visit.request.scope["method"] == "POST"
    return of_form(visit.form, today) if is_press else of_address(visit.request.query_params, today)


def _page(visit: Visit, draft: Draft) -> Response:
    try:
        known = _known(visit, draft)
    except UnreadableError as problem:  # the reader is busy: nothing typed may be lost
        if not visit.findings:
            visit = replace(visit, findings=(sentence(str(problem)),))
        return page(visit, "submissions.html", "Rules Submission", status=503, desk=None, draft=draft, most=MOST)
    failed = visit.findings or (known["desk"].wrong and (visit.given("check") or visit.form))
    return page(visit, "submissions.html", "Rules Submission", status=422 if failed else 200, **known)


def _known(visit: Visit, draft: Draft) -> dict[str, Any]:
    desk = DraftPage(draft)
    game = desk.submission.game
    given = visit.given("game")
    return {
        "desk": desk,
        "draft": draft,
        "games": [(name, f"{each.chapter.title} ({each.chapter.chapter})") for name, each in GAMES.items()],
        "unheard": given[:40] if given and given not in GAMES else "",
        "fresh": f"/submissions?game={game}&effective={desk.day}",
        "values": draft.values,
        "place_of": place_of,
        "brief": brief,
        "most": MOST,
        "packed": packed,
        "most_shown": MOST_SHOWN,
        "pasted": visit.typed("text"),
        "opens": visit.who.person is not None and may(visit.who.person.role, "table.open_table"),
        "sources": SOURCES,
        "states": STATES,
    }


def press(visit: Visit) -> str | Response:
    act, draft = visit.typed("do"), _draft(visit)
    if act == "look":
        return _look(visit, draft)
    if act == "read":
        return _to(visit, replace(draft, values=_read(visit.typed("text").replace("\r\n", "\n"))))
    if act.startswith("drop:"):
        draft.values.pop(act.removeprefix("drop:"), None)
    if act.startswith("file:"):
        return _file(draft, act.removeprefix("file:"))
    if act.startswith("count:"):
        return _counted(draft, act.removeprefix("count:"), visit.typed("state"))
    if act.startswith("compare:"):
        draft = replace(draft, against=act.removeprefix("compare:"))
    return _to(visit, draft, checked=act == "check")


def _read(text: str) -> Values:
    try:
        values = values_of(READER.ask(read_text, text))
        if len(values) > MOST_VALUES:
            raise UnreadableError(f"The submission has {len(values)} entries; a form has at most {MOST_VALUES}.")
        return values
    except UnreadableError as problem:
        raise UnreadableError(f"{str(problem).rstrip('.')}. The form is unchanged.") from None


def _to(visit: Visit, draft: Draft, *, checked: bool = False) -> Response:
    """Lead to the address of the draft, or answer with its page where an address can't hold it."""
    if not draft.fits or draft.against == TEXT:
        return _page(visit, draft)
    return RedirectResponse(draft.address + ("&check=1#findings" if checked else ""), 303)


def _look(visit: Visit, draft: Draft) -> Response:
    """The form with what has been typed, for a page that is being filled in."""
    try:
        known = _known(visit, draft)
    except UnreadableError as problem:
        return JSONResponse({"busy": str(problem)})
    desk = known["desk"]
    return JSONResponse(
        {
            "address": draft.address if draft.fits else "",
            "counting": desk.counting,
            "text": desk.judged.text,
            "desk": block("submissions.html", "desk", {**known, "who": visit.who, "visit": visit}),
        }
    )


def _file(draft: Draft, wanted: str) -> Response:
    name, _, kind = wanted.partition(".")
    desk, until = DraftPage(draft), monotonic() + WAIT_S
    while desk.counting and monotonic() < until:
        sleep(0.1)
        desk = DraftPage(draft)
    submission = desk.submission
    called = f"submission-{submission.game}-{submission.effective}"
    if wanted == "submission.toml":
        headers = {"Content-Disposition": f'attachment; filename="{called}.toml"'}
        return PlainTextResponse(desk.judged.text, headers=headers, media_type="application/toml")
    if name == "form" and kind in MEDIA:
        known = {wager: text for wager in desk.judged.questions if (text := desk.hold_of(wager))}
        return as_file(kind, f"{called}-form", draft.values, lambda printed: form_paper(submission, known, printed))
    wrong = [said.finding for said in desk.wrong]
    notes = [said.finding for said in desk.notes]
    warnings = [finding for finding in notes if finding.code == PAY_ORDER]
    notes = [finding for finding in notes if finding not in warnings]
    differing = desk.judged.departures
    record: dict[str, Sequence[object]] = {"findings": wrong, "notes": [*warnings, *notes], "differences": differing}
    return as_file(
        kind,
        f"{called}-check",
        record,
        lambda printed: filing_paper(submission, wrong, warnings, notes, differing, printed),
    )


def _counted(draft: Draft, wanted: str, state: str) -> Response:
    """Lead to a file that takes a count. Raise ``UnreadableError`` where findings stand against the submission."""
    what, _, kind = wanted.partition(".")
    desk = DraftPage(draft)
    if desk.wrong:
        raise UnreadableError("Settle the findings first. A petition and a report are of a lawful submission.")
    return RedirectResponse(address_of(what, kind, desk.judged.text, state if what == "petition" else ""), 303)


ROUTES: Final[tuple[Route, ...]] = (route("/submissions", show, press), *FILES)
