"""A table that plays by itself. Nobody logs in, and nothing is recorded; the window sets the pace."""

from collections.abc import Mapping
from secrets import token_hex
from typing import Any, Final

from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from pitboss.games.registry import GAMES
from pitboss.web.live import View
from pitboss.web.practice import WatchedGame
from pitboss.web.views import board
from pitboss.web.views.base import Visit, page, route
from pitboss.web.views.felt_page import WINDOW, look_if_there, nothing_here, regions, with_game
from pitboss.web.visitor import house

BLOCKS: Final = ("status", "board", "next", "settled")
MOST_STEPS: Final = 4_000
"""Steps that one address plays; somebody who is still there watches another table."""
REST: Final = "This table has played long enough. Watch another one."


def known(game: WatchedGame, visit: Visit) -> Mapping[str, Any]:
    narrow = visit.given("narrow") == "1"
    with game.lock:
        scene = game.scene()
        assert scene.rules is not None
        is_layout = board.is_drawn(scene.rules)
        results = game.results(scene)
        step = scene.step
        taker = "" if step is None else f"seat {step.seat}" if step.seat else f"the {step.role}"
        taker += "s" if taker == "the player" else ""
        return {
            "heading": GAMES[game.game].chapter.title,
            "game": game,
            "table": game.table,
            "phase": game.table.phase,
            "sheet_file": "cards.svg",
            "is_layout": is_layout,
            "drawn": board.felt(scene, "", narrow=narrow, four_color=False, interactive=False) if is_layout else "",
            "board": board.board(scene, sorted(scene.table.boxes)),
            "throws": board.throws(scene.rules, game.throws),
            "settled": board.settlement(results),
            "sentence": game.sentence,
            "step": step,
            "taker": taker,
            "rests": REST if game.version >= MOST_STEPS else "",
        }


def look(visit: Visit, game: WatchedGame) -> View:
    viewpoint = ("watch", game.game, game.token, visit.given("narrow") == "1")
    return View("watch.html", BLOCKS, game.stream, viewpoint, game.state, lambda: known(game, visit))


def any_game(_: Visit) -> Response:
    return RedirectResponse(f"/watch/{next(iter(GAMES))}", 303)


def begin(visit: Visit) -> Response:
    name = str(visit.request.path_params["game"])
    if name not in GAMES:
        return nothing_here(visit)
    query = f"?{visit.request.url.query}" if visit.request.url.query else ""
    return RedirectResponse(f"/watch/{name}/{token_hex(16)}{query}", 303)


def show(visit: Visit, game: WatchedGame) -> Response:
    if visit.request.headers.get(WINDOW):
        return regions(visit, look(visit, game), game.version)
    others = [(name, each.chapter.title) for name, each in GAMES.items() if name != game.game]
    title = f"Watch {GAMES[game.game].chapter.title}"
    return page(visit, "watch.html", title, view=look(visit, game), others=others)


def step(visit: Visit, game: WatchedGame) -> Response:
    """Take one step of the round."""
    with game.lock:
        if game.version < MOST_STEPS:
            game.tick()
    house().hub.wake(game.stream)
    return show(visit, game) if visit.request.headers.get(WINDOW) else RedirectResponse(visit.here, 303)


ROUTES: Final[tuple[Route, ...]] = (
    route("/watch", any_game),
    route("/watch/{game}", begin),
    route(
        "/watch/{game}/{token}",
        with_game(WatchedGame, show),
        with_game(WatchedGame, step),
        look_if_there(WatchedGame, look),
    ),
)
