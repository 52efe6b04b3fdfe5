"""Practice: one player against an automatic dealer, with a coach, at an address of its own."""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from secrets import token_hex
from typing import Any, Final

from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from pitboss.exact.published import main_edge
from pitboss.findings import Finding, FindingsError
from pitboss.games.chance import words_of
from pitboss.games.registry import GAMES
from pitboss.money import show_dollars
from pitboss.names import shown
from pitboss.table.autoplay import plain_wagers
from pitboss.table.deciding import MakeDecision
from pitboss.table.ruling import game_at
from pitboss.table.settling import conceding
from pitboss.table.state import BETWEEN_ROUNDS, Phase
from pitboss.web.choices import (
    CHIPS,
    AskedSeat,
    chip_command,
    first_chip,
    presses,
    shortages,
)
from pitboss.web.coaching import note_of
from pitboss.web.live import View
from pitboss.web.practice import TOKEN, PracticeGame
from pitboss.web.scene import Scene
from pitboss.web.views import board
from pitboss.web.views.base import Visit, page, route
from pitboss.web.views.felt_page import (
    WINDOW,
    asked_of,
    concede,
    decide,
    declare,
    look_if_there,
    nothing_here,
    put,
    regions,
    result_words,
    take_back,
    with_game,
)
from pitboss.web.views.moves import (
    HOW_TO_WAGER,
    STALE,
    ChoiceButton,
    chip_tray,
    decision_choices,
    decision_words,
    extras,
    read_press,
    spots_by_name,
    value,
    whole_dollars,
)
from pitboss.web.views.plot import Point, session_plot
from pitboss.web.views.practice_coach import coach, is_weighed, start_counting
from pitboss.web.visitor import house

BLOCKS: Final = ("status", "board", "action", "coach", "money", "settled", "saved")
COOKIE_DAYS: Final = 30


# What the page shows


def press_at(game: PracticeGame, waits: AskedSeat) -> str:
    """The decision that a button belongs to; a press on another one is stale."""
    return f"{game.leg}.{game.round}.{waits.seat.number}.{waits.turn}"


def _staged(game: PracticeGame) -> bool:
    return any(seat in game.table.staged for seat in game.seats)


def wager_choices(game: PracticeGame, scene: Scene) -> Iterator[ChoiceButton]:
    table, at = game.table, f"{game.leg}.{game.round}"
    spoken = None if scene.rules is None else words_of(scene.rules)
    deal = spoken.button if spoken else "Deal"
    over = table.phase == Phase.COLLECTING
    again = game.last_wagers()
    total = sum(sum(made.values()) for made in again.values())
    staged, mark = _staged(game), at.replace(".", "-")
    if over:
        if total or table.stacks:
            about = "the same wagers" if total else "with what lies there"
            words = f"Rebet {show_dollars(total)} and {deal.lower()}" if total else deal
            yield ChoiceButton(f"again-{mark}", words, about, value("again", at=at), "R", lead=True)
        yield ChoiceButton(
            f"next-{mark}", "Next round", "other wagers", value("next", at=at), "N", not total, step=True
        )
        return
    placed = sum(sum(table.staged.get(seat, {}).values()) for seat in game.seats)
    if staged:
        yield ChoiceButton(
            f"deal-{mark}", deal, f"{show_dollars(placed)} wagered", value("deal", at=at), "D", True, step=True
        )
    usual = sum(sum(plain_wagers(table, seat).values()) for seat in game.seats)
    if total:
        if not staged:
            words = f"Rebet {show_dollars(total)} and {deal.lower()}"
            yield ChoiceButton(f"again-{mark}", words, "the same wagers", value("again", at=at), "R", True)
        yield ChoiceButton("rebet", f"Rebet {show_dollars(total)}", "as in the last round", value("rebet"), "B")
    yield ChoiceButton("usual", "Usual wagers", show_dollars(usual), value("usual"), "U", not staged and not total)
    if any(seat in table.staged and seat not in table.stacks for seat in game.seats):
        yield ChoiceButton("back", "Take wagers back", show_dollars(placed), value("back"), "T")


def action(game: PracticeGame, scene: Scene) -> dict[str, Any]:
    """What the player may do now, with a headline."""
    table = game.table
    known: dict[str, Any] = {"choices": [], "extras": [], "chips": [], "short": [], "buys": False, "say": "", "ask": ""}
    if table.phase in BETWEEN_ROUNDS:
        chip = game.chip or first_chip(scene.rules)
        notes = [each.sentence for each in shortages(table, game.seats)]
        return known | {
            "headline": f"Round {game.round}: place your wagers",
            "say": HOW_TO_WAGER,
            "choices": list(wager_choices(game, scene)),
            "chips": chip_tray(chip),
            "short": notes,
        }
    if mine := asked_of(table, game.seats):
        waits = mine[0]
        at = press_at(game, waits)
        choices = list(decision_choices(table, scene.chips, at, waits))
        short = [f"{each.label} {each.about}." for each in choices if each.disabled]
        ask = value("ask", at=at) if game.coach_on and not waits.step.even and is_weighed(game) else ""
        return known | {
            "headline": decision_words(table, waits),
            "choices": choices,
            "extras": list(extras(at, waits)),
            "short": short,
            "buys": bool(short),
            "ask": ask,
        }
    if (seat := conceding(table)) in game.seats:
        choice = ChoiceButton("concede", "Concede", "nobody sees your hand", value("concede", seat=seat), "C")
        return known | {"headline": "Showdown", "say": "Show your hand, or concede.", "choices": [choice]}
    if table.phase == Phase.COLLECTING:
        net = game.session()[-1].net
        words = f"Round {game.round}: {result_words(net)}"
        return known | {"headline": words, "choices": list(wager_choices(game, scene))}
    say = scene.step.say if scene.step else "The table is closed."
    return known | {"headline": "Wait", "say": say}


# The session


def expectation(game: PracticeGame) -> tuple[list[Fraction], list[str]]:
    """What each round was worth on average with best play, in cents, and wagers that this leaves out."""
    edge, main = main_edge(game.game), game_at(game.table).course.main
    left_out: dict[str, None] = {}
    found = []
    for played in game.session():
        total = Fraction(0)
        for wager, stake in played.stakes.items():
            if wager in main:
                if edge is None:
                    left_out[wager] = None
                elif wager == main[0]:
                    total -= Fraction(edge) / 100 * stake
            elif (share := game.shares.get(wager)) is not None:
                total += share * stake
            else:
                left_out[wager] = None
        found.append(total)
    return found, [shown(wager) for wager in left_out]


def money(game: PracticeGame, scene: Scene) -> dict[str, Any]:
    session, (expected, left_out) = game.session(), expectation(game)
    mistakes = {key[:2]: game.coached.cost_of(key) for key in game.coached.mistakes}
    points, result, mean = [], 0, Fraction(0)
    for number, (played, each) in enumerate(zip(session, expected, strict=True), 1):
        result, mean = result + played.net, mean + each
        points.append(Point(number, result, mean, mistakes.get(played.key, Fraction(0))))
    table = game.table
    lying = sum(sum(table.staged.get(seat, {}).values()) for seat in game.seats) if table.play is None else 0
    return {
        "chips_held": scene.chips,
        "lying": lying,
        "result": board.dollars(result),
        "won": result > 0,
        "lost": result < 0,
        "expected": board.dollars(mean),
        "left_out": left_out,
        "points": points[-20:],
        "plot": session_plot(points) if points else "",
        "dollars": board.dollars,
    }


def look(visit: Visit, game: PracticeGame) -> View:
    """The game, as its own windows see it."""
    narrow, as_felt = visit.given("narrow") == "1", visit.given("felt") == "1"
    viewpoint = (game.game, game.token, narrow, as_felt)
    return View("practice.html", BLOCKS, game.stream, viewpoint, game.state, lambda: known(game, visit))


def known(game: PracticeGame, visit: Visit) -> dict[str, Any]:
    narrow, as_felt = visit.given("narrow") == "1", visit.given("felt") == "1"
    with game.lock:
        scene = game.scene()
        assert scene.rules is not None
        drawn = as_felt or board.is_drawn(scene.rules)
        picking = {
            waits.seat.number
            for waits in asked_of(game.table, game.seats)
            if any(not extra.field for extra in extras("", waits))
        }
        results = game.results(scene)
        return {
            "heading": GAMES[game.game].chapter.title,
            "game": game,
            "table": game.table,
            "phase": game.table.phase,
            "drawn": board.felt(
                scene,
                game.person,
                narrow=narrow,
                four_color=game.four_color,
                interactive=game.table.phase in BETWEEN_ROUNDS,
            )
            if drawn
            else "",
            "is_layout": board.is_drawn(scene.rules),
            "felt_at": _felt_address(game, as_felt),
            "as_felt": as_felt,
            "picking": picking,
            "value": value,
            "sheet_file": "cards-4.svg" if game.four_color else "cards.svg",
            "throws": board.throws(scene.rules, game.throws),
            "rounds": game.rounds,
            "settled": board.settlement(results),
            "paid": board.paid(scene, results, game.seats),
            "dollars": board.dollars,
            "spots": [] if not board.is_drawn(scene.rules) else spots_by_name(scene.rules, game.seats[0]),
            "board": board.board(scene, game.seats),
            "action": action(game, scene),
            "coach": coach(game),
            "money": money(game, scene),
        }


def _felt_address(game: PracticeGame, as_felt: bool) -> str:
    here = f"/practice/{game.game}/{game.token}"
    return here if as_felt else f"{here}?felt=1"


def begin(visit: Visit) -> Response:
    """Lead to the browser's game, or to a new one."""
    name = str(visit.request.path_params["game"])
    if name not in GAMES:
        return nothing_here(visit)
    cookie = f"practice-{name}"
    token = visit.request.cookies.get(cookie, "")
    token = token if TOKEN.fullmatch(token) else token_hex(16)
    query = f"?{visit.request.url.query}" if visit.request.url.query else ""
    answer = RedirectResponse(f"/practice/{name}/{token}{query}", 303)
    answer.set_cookie(
        cookie,
        token,
        max_age=COOKIE_DAYS * 24 * 3600,
        path=f"/practice/{name}",
        secure=house().settings.secure_cookie,
        httponly=True,
        samesite="strict",
    )
    return answer


def show(visit: Visit, game: PracticeGame) -> Response:
    if visit.request.headers.get(WINDOW):
        return regions(visit, look(visit, game), game.version)
    scene = game.scene()
    assert scene.rules is not None
    start_counting(game)
    return page(
        visit,
        "practice.html",
        f"Practice {GAMES[game.game].chapter.title}",
        view=look(visit, game),
        about=board.about(scene),
    )


def press(visit: Visit, game: PracticeGame) -> Response:
    """Carry out a press of the player, and have the coach count what it made of it."""
    with game.lock:
        game.resume(visit.typed("saved"))
        if (chip := visit.typed("chip")).isdecimal() and int(chip) in CHIPS:
            game.chip = int(chip)
        findings = tuple(_carry_out(game, visit))
        game.version += 1
    start_counting(game)
    house().hub.wake(game.stream)
    if findings:
        raise FindingsError(findings)
    if visit.request.headers.get(WINDOW):
        return show(visit, game)
    return RedirectResponse(visit.here, 303)


def _carry_out(game: PracticeGame, visit: Visit) -> tuple[Finding, ...]:
    done = read_press(visit)
    act = ACTS.get(str(done.get("do", "")))
    return () if act is None else act(game, visit, done)


Act = Callable[[PracticeGame, Visit, Mapping[str, Any]], tuple[Finding, ...]]


def _put_chip(game: PracticeGame, visit: Visit, done: Mapping[str, Any]) -> tuple[Finding, ...]:
    wager = str(done.get("wager") or visit.typed("spot"))
    if game.table.phase not in BETWEEN_ROUNDS:
        return (STALE,)
    return game.act(**chip_command(game.table, game.seats[0], wager, game.chip or first_chip(game.scene().rules)))


def _usual(game: PracticeGame, _: Visit, __: Mapping[str, Any]) -> tuple[Finding, ...]:
    return put(game, {seat: dict(plain_wagers(game.table, seat)) for seat in game.seats})


def _rebet(game: PracticeGame, _: Visit, __: Mapping[str, Any]) -> tuple[Finding, ...]:
    return put(game, game.last_wagers())


def _fresh(game: PracticeGame, done: Mapping[str, Any]) -> bool:
    """Whether a press belongs to the round, and to a moment in which wagers may be made or the round collected."""
    there = game.table.phase == Phase.COLLECTING or game.table.phase in BETWEEN_ROUNDS
    return there and done.get("at") == f"{game.leg}.{game.round}"


def _deal(game: PracticeGame, _: Visit, done: Mapping[str, Any]) -> tuple[Finding, ...]:
    fresh = _fresh(game, done) and game.table.phase in BETWEEN_ROUNDS
    return game.act(command="no_more_bets") if fresh else (STALE,)


def _next(game: PracticeGame, _: Visit, done: Mapping[str, Any]) -> tuple[Finding, ...]:
    if not _fresh(game, done):
        return (STALE,)
    game.next_round()
    return ()


def _again(game: PracticeGame, visit: Visit, done: Mapping[str, Any]) -> tuple[Finding, ...]:
    """The wagers of the last round once more, and the cards."""
    if not _fresh(game, done):
        return (STALE,)
    if game.table.phase == Phase.COLLECTING:
        game.next_round()
    if findings := _rebet(game, visit, done):
        return findings
    return game.act(command="no_more_bets")


def _back(game: PracticeGame, _: Visit, __: Mapping[str, Any]) -> tuple[Finding, ...]:
    return take_back(game, game.seats)


def _waits(game: PracticeGame, done: Mapping[str, Any]) -> AskedSeat | None:
    """The decision that a press is about, if the table still waits for it."""
    mine = asked_of(game.table, game.seats)
    return next((each for each in mine if press_at(game, each) == done.get("at")), None)


def _decide(game: PracticeGame, visit: Visit, done: Mapping[str, Any]) -> tuple[Finding, ...]:
    return decide(game, visit, done, _waits(game, done))


def _declare(game: PracticeGame, _: Visit, done: Mapping[str, Any]) -> tuple[Finding, ...]:
    return declare(game, _waits(game, done))


def _concede(game: PracticeGame, _: Visit, __: Mapping[str, Any]) -> tuple[Finding, ...]:
    return concede(game, game.seats)


def _buy(game: PracticeGame, visit: Visit, _: Mapping[str, Any]) -> tuple[Finding, ...]:
    dollars = whole_dollars(visit.typed("dollars"), "Chips are bought for whole dollars, such as 500.")
    return game.act(command="buy_in", amount=100 * dollars, player=game.person, slip=game.slip())


def _new(game: PracticeGame, _: Visit, __: Mapping[str, Any]) -> tuple[Finding, ...]:
    game.start_anew()
    return ()


def _ask(game: PracticeGame, _: Visit, done: Mapping[str, Any]) -> tuple[Finding, ...]:
    """Have all choices of a decision counted before it is made."""
    waits = _waits(game, done)
    if waits is None:
        return (STALE,)
    press = next(iter(presses(waits)), None)
    if press is not None:
        game.asked = note_of(
            game.table, MakeDecision(waits.seat.number, press.body["choice"], press.body.get("amount"))
        )
    return ()


def _seen(game: PracticeGame, _: Visit, __: Mapping[str, Any]) -> tuple[Finding, ...]:
    game.coached.seen |= set(game.coached.mistakes)
    return ()


def _switch(game: PracticeGame, _: Visit, done: Mapping[str, Any]) -> tuple[Finding, ...]:
    match done.get("what"):
        case "coach":
            game.coach_on = not game.coach_on
        case "colors":
            game.four_color = not game.four_color
        case "sheet":
            game.wants_sheet = True
    return ()


ACTS: Final[Mapping[str, Act]] = {
    "chip": _put_chip, "usual": _usual, "rebet": _rebet, "deal": _deal, "next": _next, "again": _again, "back": _back,
    "decide": _decide, "between": _decide, "exchange": _decide, "declare": _declare, "concede": _concede, "buy": _buy,
    "new": _new, "ask": _ask, "seen": _seen, "switch": _switch,
}  # fmt: skip


ROUTES: Final[tuple[Route, ...]] = (
    route("/practice/{game}", begin),
    route(
        "/practice/{game}/{token}",
        with_game(PracticeGame, show),
        with_game(PracticeGame, press),
        look_if_there(PracticeGame, look),
    ),
)
