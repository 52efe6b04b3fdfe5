"""What the Analyst hands out: files and the printed report, each at an address that says what was asked."""

from datetime import date
from typing import Final
from urllib.parse import urlencode

from fastapi import Request
from nicegui import app
from starlette.datastructures import QueryParams
from starlette.responses import HTMLResponse, PlainTextResponse, Response

from pitboss.findings import UnreadableError
from pitboss.games.registry import BANKED, GAMES
from pitboss.money import MoneyError, cents
from pitboss.table.opening import day_of
from pitboss.web.pages.analysis import (
    MAIN,
    MOST_CHANGES,
    Question,
    compare,
    compare_csv,
    figures,
    figures_csv,
    wager_title,
)
from pitboss.web.pages.charts import break_even_chart, distribution_chart, strategy_chart
from pitboss.web.pages.play_analysis import progressive, report_html, strategy, strategy_csv
from pitboss.web.pages.shell import house
from pitboss.web.pages.workroom import LONG, QUICK, Lane, close_workroom

LARGEST_STAKE: Final = 10**8


def lane_of(question: Question) -> Lane:
    """Parts of a game that take a minute go to the long lane, so that quick figures stay quick."""
    game = GAMES[question.game]
    draws = question.wager == MAIN and game.scope(question.reading or game.readings[0]).draws
    return LONG if draws else QUICK


def today() -> date:
    return day_of(house().pit.clock())


def address(path: str, question: Question) -> str:
    """Where a question is asked; the same words as on the command line."""
    given = [("game", question.game), ("wager", question.wager)]
    given += [("paytable", question.letter)] if question.letter else []
    given += [("reading", question.reading)] if question.reading else []
    given += [("pay", change) for change in question.changes]
    given += [("as_of", str(question.as_of))]
    given += [("stake", f"{question.stake / 100:g}")] if question.stake != Question("", date.min).stake else []
    return f"{path}?{urlencode(given)}"


def question_of(given: QueryParams, day: date) -> Question:
    """The question of an address; a game or a stake that is not one falls back to the usual."""
    game = given.get("game", "")
    return Question(
        game=game if game in BANKED else next(iter(BANKED)),
        as_of=read_day(given.get("as_of", "")) or day,
        wager=given.get("wager") or MAIN,
        letter=given.get("paytable") or None,
        reading=given.get("reading") or None,
        changes=tuple(given.getlist("pay")[: MOST_CHANGES + 1]),
        stake=read_stake(given.get("stake", "")) or 500,
    )


def read_day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def read_stake(text: str) -> int | None:
    """Dollars as typed, in cents; nothing if it is no stake."""
    try:
        amount = cents(text.strip()[:20])
    except MoneyError:
        return None
    return amount if 0 < amount <= LARGEST_STAKE else None


async def _made(what: str, question: Question) -> str:
    """The file, or nothing where there is none of that name."""
    title = wager_title(question.game, question.wager)
    match what:
        case "figures.csv":
            return figures_csv(question, await lane_of(question).ask(figures, question))
        case "distribution.svg":
            answer = await lane_of(question).ask(figures, question)
            if not answer.distribution:
                raise UnreadableError("This part of the game is valued by sampling; it has no exact distribution.")
            return distribution_chart(f"Results of {title}", answer.distribution)
        case "compare.csv":
            return compare_csv(await lane_of(question).ask(compare, question))
        case "strategy.csv":
            return await LONG.ask(strategy_csv, question.main)
        case "strategy.svg":
            best = await LONG.ask(strategy, question.main)
            part = f" ({best.restriction})" if best.restriction else ""
            return strategy_chart(f"Best play of {question.game}{part}", best.charts)
        case "progressive.svg":
            found = await QUICK.ask(progressive, question)
            return break_even_chart(f"{title}: break-even", found.lines[0], found.others)
        case "report":
            return await LONG.ask(report_html, question)
    return ""


TYPES: Final = {"csv": "text/csv; charset=utf-8", "svg": "image/svg+xml"}


async def export(what: str, question: Question) -> Response:
    """One file; what cannot be computed is answered with a sentence."""
    try:
        made = await _made(what, question)
    except UnreadableError as problem:
        return PlainTextResponse(str(problem), 400)
    if not made:
        return PlainTextResponse("There is no such file.", 404)
    kind = what.rpartition(".")[2]
    if kind not in TYPES:
        return HTMLResponse(made)
    name = f"{question.game}-{question.wager}-{what}" if question.wager.isidentifier() else what
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(made, media_type=TYPES[kind], headers=headers)


def add_exports() -> None:
    app.on_shutdown(close_workroom)

    @app.get("/analyst/{what}")
    async def analyst_export(request: Request, what: str) -> Response:
        return await export(what, question_of(request.query_params, today()))
