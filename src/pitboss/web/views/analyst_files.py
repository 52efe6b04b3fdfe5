"""What the Analyst hands out: documents and drawings, each at an address that says what was asked.

A file is counted in the workroom. Programs wait for it; a person who opens its address in a window sees how far it is.
"""

from typing import Any, Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from pitboss.clock import day_of
from pitboss.findings import UnreadableError
from pitboss.paper.files import MEDIA
from pitboss.paper.plot import svg_of
from pitboss.web.analysis import (
    MAIN,
    Question,
    changed_note,
    compare,
    compare_csv,
    figures,
    figures_csv,
    figures_document,
    target_file,
    wager_title,
)
from pitboss.web.charts import break_even_plot, distribution_plot, strategy_chart
from pitboss.web.equity import equity_asked, equity_file
from pitboss.web.live import View
from pitboss.web.play_analysis import (
    hand_file,
    joint_file,
    progressive,
    progressive_file,
    report_document,
    strategy,
    strategy_csv,
    strategy_file,
)
from pitboss.web.questions import HOME, is_large, lane_of, question_of
from pitboss.web.simulating import run_of, simulation_file
from pitboss.web.views.asking import Inquiry, again, leave, person_of, stream_of
from pitboss.web.views.base import Visit, page, route
from pitboss.web.visitor import house, visitor
from pitboss.web.workroom import LONG, QUICK, Lane

TYPES: Final = {**MEDIA, "svg": "image/svg+xml"}
Work = tuple[Any, ...]
"""A lane, a function, and what it is asked."""


def _work_of(name: str, kind: str, question: Question, given: Any) -> Work | None:
    """What the workroom has to do for a file, or ``None`` if there is no such file."""
    main_lane = LONG if is_large(question.main) else QUICK
    match f"{name}.{kind}":
        case "figures.csv":
            return lane_of(question), figures, question
        case "distribution.svg":
            return lane_of(question), figures, question
        case "compare.csv":
            return lane_of(question), compare, question
        case "strategy.csv":
            return LONG, strategy_csv, question.main
        case "strategy.svg":
            return LONG, strategy, question.main
        case "progressive.svg":
            return QUICK, progressive, question
    if kind not in MEDIA:
        return None
    match f"{HOME}/{name}":
        case "/analyst/figures":
            return lane_of(question), figures_document, question, kind
        case "/analyst/report":
            return LONG, report_document, question, kind
        case "/analyst/strategy":
            return LONG, strategy_file, question.main, kind
        case "/analyst/hand":
            return main_lane, hand_file, question.main, given.get("cards", ""), given.get("up", ""), kind
        case "/analyst/progressive":
            folds = given.get("folds") == "1"
            return (LONG if folds else QUICK), progressive_file, question, folds, kind
        case "/analyst/target":
            lane = LONG if is_large(question) else QUICK
            return lane, target_file, question.lawful, given.get("from", ""), given.get("to", ""), kind
        case "/analyst/together":
            return main_lane, joint_file, question, given.get("with", MAIN), kind
        case "/analyst/simulation":
            return LONG, simulation_file, question, run_of(given), kind
        case "/analyst/equity":
            return QUICK, equity_file, question.as_of, equity_asked(given), kind
    return None


def _content(name: str, kind: str, question: Question, found: Any) -> str | bytes:
    """The file from what the workroom found."""
    title = wager_title(question.game, question.wager)
    match f"{name}.{kind}":
        case "figures.csv":
            return figures_csv(found)
        case "distribution.svg":
            if not found.distribution:
                raise UnreadableError("This part of the game is valued by sampling; it has no exact distribution.")
            return svg_of(distribution_plot(f"Results of {title}", found.distribution, note=changed_note(found.row)))
        case "compare.csv":
            return compare_csv(found)
        case "strategy.svg":
            part = f" ({found.restriction})" if found.restriction else ""
            return strategy_chart(f"Best play of {question.game}{part}", found.charts, found.changed)
        case "progressive.svg":
            return svg_of(break_even_plot(f"{title}: break-even", found.lines[0], found.others, found.changed))
    made: str | bytes = found
    return made


def _as_file(name: str, kind: str, question: Question, found: Any) -> Response:
    try:
        content = _content(name, kind, question, found)
    except UnreadableError as problem:
        return PlainTextResponse(str(problem), 400)
    stem = f"{question.game}-{question.wager}-{name}" if question.wager.isidentifier() else name
    shown = "inline" if kind == "html" else "attachment"
    headers = {"Content-Disposition": f'{shown}; filename="{stem}.{kind}"', "Cache-Control": "no-store"}
    return Response(content, media_type=TYPES[kind], headers=headers)


async def export(request: Request) -> Response:
    """One file; what cannot be counted is answered with a sentence."""
    name, kind = str(request.path_params["what"]), str(request.path_params["kind"])
    given = request.query_params
    question = question_of(given, day_of(house().pit.clock()))
    work = _work_of(name, kind, question, given)
    if work is None:
        return PlainTextResponse("There is no such file.", 404)
    if request.headers.get("sec-fetch-dest") == "document" or request.method == "POST":
        made: Response = await IN_A_WINDOW.endpoint(request)
        return made
    lane: Lane = work[0]
    try:
        who = await run_in_threadpool(visitor, request)
        found = await lane.ask(*work[1:], person=person_of(Visit(request, who)))
        return await run_in_threadpool(_as_file, name, kind, question, found)
    except UnreadableError as problem:
        return PlainTextResponse(str(problem), 400)


def _asked(visit: Visit) -> tuple[str, str, Question, Work]:
    given, params = visit.request.query_params, visit.request.path_params
    name, kind = str(params["what"]), str(params["kind"])
    question = question_of(given, day_of(house().pit.clock()))
    work = _work_of(name, kind, question, given)
    assert work is not None, "this page is of files that there are"
    return name, kind, question, work


def _making(visit: Visit, *, patient: bool = False) -> tuple[Inquiry, Any]:
    _, _, _, (lane, work, *args) = _asked(visit)
    asking = Inquiry(visit, visit.here, patient=patient)
    return asking, asking.ask("file", lane, work, *args)


def _view(visit: Visit, asking: Inquiry) -> View:
    name, kind, question, _ = _asked(visit)
    known = {
        "who": visit.who,
        "at": visit.here,
        "name": f"{name}.{kind}",
        "of": wager_title(question.game, question.wager),
        "wait": asking.waiting.get("file"),
        "refused": asking.refused.get("file", ""),
        "stopped": "file" in asking.stopped,
    }
    key = visit.here, visit.who.csrf
    return View("making.html", ("making",), asking.stream, key, asking.state, lambda: known)


def show(visit: Visit) -> Response:
    """The file, or a page that says how far it is and then leads to it."""
    asking, found = _making(visit, patient=True)
    if found is not None:
        name, kind, question, _ = _asked(visit)
        return _as_file(name, kind, question, found)
    return page(visit, "making.html", "Your file", view=_view(visit, asking), busy=bool(asking.waiting))


def look(visit: Visit) -> View | None:
    given, params = visit.request.query_params, visit.request.path_params
    question = question_of(given, day_of(house().pit.clock()))
    if _work_of(str(params["what"]), str(params["kind"]), question, given) is None:
        return None  # a window says itself where it is
    return _view(visit, _making(visit)[0])


def press(visit: Visit) -> Response:
    stream = stream_of(visit, visit.here)
    if visit.typed("do") == "cancel":
        leave(stream, stop=True)
    else:
        again(stream)
    return RedirectResponse(visit.here, 303)


PATH: Final = f"{HOME}/{{what}}.{{kind}}"
IN_A_WINDOW: Final = route(PATH, show, press, look)
ROUTES: Final[tuple[Route, ...]] = (Route(PATH, export, methods=["GET", "POST"], include_in_schema=False),)
