"""The first page: for a stranger what this is; for people who work or play here their desk and the tables."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from time import monotonic
from typing import Any, Final
from uuid import uuid4

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from pitboss.clock import day_of
from pitboss.exact.published import edge_words
from pitboss.findings import FindingsError, UnreadableError
from pitboss.games.registry import GAMES
from pitboss.ledger.floor import Standing
from pitboss.ledger.incidents import Incident
from pitboss.ledger.people import Person
from pitboss.money import MoneyError, cents
from pitboss.reports.felt import felt_svg
from pitboss.submission import template
from pitboss.table.caption import WagerLimits, table_limits
from pitboss.table.permissions import may
from pitboss.table.roles import SUPERVISORS, Role
from pitboss.table.ruling import rules_at
from pitboss.table.state import Phase
from pitboss.web.live import View
from pitboss.web.practice import WatchedGame
from pitboss.web.queue import FloorNow, floor_now, is_for, title_of
from pitboss.web.reading import demand_cheap
from pitboss.web.scene import LiveFeed
from pitboss.web.views import school
from pitboss.web.views.base import Visit, page, route
from pitboss.web.views.incidents import known_incidents
from pitboss.web.views.pictures import picture
from pitboss.web.visitor import house

TICK_S: Final = 15
"""Seconds after which a desk is drawn again although nothing happened: some steps follow the clock."""
MOST_STEPS: Final = 200
"""Steps of a round, for the picture of it on the first page."""
LAST: Final = 5
"""Incidents that a desk names."""
SOURCES: Final = (
    ("virtual", "virtual"),
    ("keyed", "reading shoe: keyed as dealt"),
    ("physical", "physical: keyed when turned up"),
)


@dataclass(frozen=True)
class GameCard:
    """A game on the first page."""

    name: str
    title: str
    edge: str
    has_edge: bool


@dataclass(frozen=True)
class TableCard:
    """An open table as a desk shows it."""

    id: str
    title: str
    phase: str
    limits: tuple[WagerLimits, ...]
    seats: int
    taken: int
    jackpots: tuple[tuple[str, tuple[int, ...]], ...]
    say: str
    is_mine: bool


@cache
def games() -> tuple[GameCard, ...]:
    cards = []
    for name, game in GAMES.items():
        edge = "Players bet against each other" if game.no_edge else edge_words(name, game.chapter.unit_title)
        cards.append(GameCard(name, game.chapter.title, edge or "Not counted yet", not game.no_edge))
    return tuple(cards)


def home(visit: Visit) -> Response:
    if visit.who.person is None:
        return page(
            visit,
            "front.html",
            "Pennsylvania table games",
            games=games(),
            demonstration=bool(house().demonstration),
        )
    opens = may(visit.person.role, "table.open_table")
    return page(
        visit,
        "desk.html",
        "Your desk",
        view=look(visit),
        opens=opens,
        choices=[(each.name, each.title) for each in games()],
        sources=SOURCES,
        games=games() if visit.person.role == Role.PLAYER else (),
        school=school.desk(visit.person) if visit.person.role == Role.DEALER else None,
    )


def look(visit: Visit) -> View:
    """The desk of the person: what waits for them, then the tables."""
    person = visit.who.person
    if person is None:
        return View("desk.html", (), "", None, None, dict)
    with house().pit.store.reading() as reading:
        head = reading.head.seq
    state = (head, int(monotonic() / TICK_S))
    return View("desk.html", ("tasks", "tables"), None, person, state, lambda: _desk(person))


def _desk(person: Person) -> dict[str, Any]:
    now = floor_now(house().pit)
    works = person.role in (Role.DEALER, *SUPERVISORS)
    steps = sorted(now.steps_for(person), key=lambda each: not _dealt_by(each, person)) if works else []
    reads = may(person.role, "audit.read")
    open_incidents: list[Incident] = [each for each in known_incidents() if each.is_open] if reads else []
    return {
        "works": works,
        "supervises": person.role in SUPERVISORS,
        "steps": [(each.table.id, title_of(each), each.step.say) for each in steps if each.step is not None],
        "proposals": [each.says() for each in now.proposals_for(person)] if works else [],
        "reads": reads,
        "waiting": len(open_incidents),
        "incidents": [(each.event.at, each.event.sentence) for each in open_incidents[:LAST]],
        "tables": list(_tables(person, now)),
        "closed": [(each.table.id, title_of(each), each.table.rounds) for each in now.closed],
        "opens": may(person.role, "table.open_table"),
    }


def _dealt_by(standing: Standing, person: Person) -> bool:
    play = standing.table.play
    return play is not None and play.dealer == person.id


def _tables(person: Person, now: FloorNow) -> Iterator[TableCard]:
    """Those that wait for the person first."""
    meters = house().pit.meters() if any(each.table.meters for each in now.open) else {}
    for each in sorted(now.open, key=lambda each: (not is_for(each, person), each.table.id)):
        table, step = each.table, each.step
        seated = [seat for seat, player in table.boxes.items() if player == person.id]
        say = ""
        if seated:
            say = f"You sit at seat {seated[0]}."
        elif step is not None and person.role != Role.PLAYER:
            say = step.say if is_for(each, person) else f"Waiting for the {step.role}: {step.say}"
        jackpots = tuple(
            (name, tuple(meters[meter]["amounts"].values())) for name, meter in table.meters.items() if meter in meters
        )
        rules = rules_at(table)
        yield TableCard(
            table.id,
            rules.chapter.title,
            str(table.phase),
            tuple(table_limits(table)),
            rules.seats,
            len(table.homes),
            jackpots,
            say,
            is_for(each, person) or bool(seated),
        )


def open_table(visit: Visit) -> str | Response:
    """Open a table under a submission, or under the law's template of the game."""
    pit, name, game = house().pit, visit.typed("table"), visit.typed("game")
    if visit.who.person is None:
        return RedirectResponse("/login", 303)
    if game not in GAMES:
        raise UnreadableError("Choose one of the games of the list.")
    text = visit.typed("submission").strip()
    demand_cheap(text)
    try:
        fill = cents(visit.typed("fill") or "0")
    except MoneyError as problem:
        raise UnreadableError(f"Fill: {problem}.") from None
    submission = text or template(game, day_of(pit.clock()))
    body = {"submission": submission, "source": visit.typed("source"), "fill": fill}
    if visit.who.role == Role.PIT_MANAGER:
        pit.count_holds({"command": "open_table", **body})
    if findings := LiveFeed(pit, visit.person, name).act({"command": "open_table", **body}, f"page-{uuid4().hex}"):
        raise FindingsError(findings)
    return RedirectResponse(f"/table/{name}", 303)


@cache
def _felt(game: str) -> str:
    """The felt while the hands of a round are settled."""
    feed = WatchedGame(game)
    for _ in range(MOST_STEPS):
        if feed.table.phase == Phase.SETTLING:
            break
        feed.tick()
    scene = feed.scene()
    assert scene.rules is not None
    return felt_svg({**scene.shown, "id": ""}, scene.rules)


def _drawing(request: Request) -> Response:
    game = request.path_params["game"]
    if game not in GAMES:
        return Response("There is no such game.", 404, media_type="text/plain")
    draw = picture if request.url.path.startswith("/picture/") else _felt
    return Response(draw(game), media_type="image/svg+xml", headers={"Cache-Control": "max-age=86400"})


ROUTES: Final[tuple[Route, ...]] = (
    route("/", home, open_table, look),
    Route("/picture/{game}.svg", _drawing, include_in_schema=False),
    Route("/felt/{game}.svg", _drawing, include_in_schema=False),
)
