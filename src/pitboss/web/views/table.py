"""A table of the house, for players and for those who only watch. The house's own people have the console beside it."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, Final
from uuid import uuid4

from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from pitboss.findings import Finding, FindingsError, PitbossError, UnreadableError
from pitboss.ledger.pit import NoTableError
from pitboss.ledger.preview import GRAVE, consequences
from pitboss.money import show_dollars
from pitboss.table.autoplay import plain_wagers
from pitboss.table.caption import caption_of
from pitboss.table.roles import Role
from pitboss.table.settling import conceding
from pitboss.table.state import BETWEEN_ROUNDS, Phase, Table
from pitboss.web.choices import CHIPS, AskedSeat, chip_command, first_chip, last_wagers, shortages
from pitboss.web.closing import CLOSED_TABLE
from pitboss.web.hand import hand_name
from pitboss.web.live import View
from pitboss.web.scene import LiveFeed, Scene, feed_of
from pitboss.web.views import board, console
from pitboss.web.views.base import Visit, page, route
from pitboss.web.views.felt_page import (
    WINDOW,
    asked_of,
    concede,
    decide,
    declare,
    nothing_here,
    put,
    regions,
    result_words,
    take_back,
)
from pitboss.web.views.moves import (
    HOW_TO_WAGER,
    STALE,
    ChoiceButton,
    chip_tray,
    decision_at,
    decision_choices,
    decision_words,
    extras,
    read_press,
    spots_by_name,
    value,
)
from pitboss.web.visitor import house

BLOCKS: Final = ("status", "board", "action", "settled", "about")
FOUR_COLOR: Final = "four-color"
"""The cookie by which a browser remembers the colors of the cards."""
WATCHERS: Final = frozenset({Role.AUDITOR, Role.ADMINISTRATOR})
"""Who has nothing to press at a table."""
WHERE_CHIPS: Final = "To buy chips or to cash them, ask the floorperson or the cashier: they do it here, with a slip."
YEAR_S: Final = 365 * 24 * 3600
_KEY: Final = re.compile("[0-9a-f]{32}")


# What the page shows


def _feed(visit: Visit) -> LiveFeed:
    return feed_of(house().pit, visit.person, str(visit.request.path_params["table"]))


def look(visit: Visit) -> View:
    """The table as its windows see it. Those who only watch see the same if they have the same job function."""
    try:
        feed = _feed(visit)
        scene = feed.scene()
    except (NoTableError, UnreadableError):
        return View("table.html", (), None, None, None, dict)
    return _view(visit, feed, scene)


def _view(visit: Visit, feed: LiveFeed, scene: Scene) -> View:
    role = visit.person.role
    has_console = role not in WATCHERS and role != Role.PLAYER
    template, blocks = ("console.html", console.BLOCKS) if has_console else ("table.html", BLOCKS)
    browser = visit.given("narrow") == "1", visit.given("felt") == "1", _four_color(visit), _chip(visit)
    own = tuple(visit.given(name) for name in console.VIEWPOINT) if has_console else ()
    viewpoint = (feed.table, role if role in WATCHERS else visit.who.id, *browser, *own)
    linked = any(meter != f"{feed.table}-{name}" for name, meter in scene.table.meters.items())
    stream = None if linked else feed.table  # a linked meter moves with what happens at other tables
    return View(template, blocks, stream, viewpoint, scene.state, lambda: known(visit, feed, scene))


def _four_color(visit: Visit) -> bool:
    return visit.request.cookies.get(FOUR_COLOR) == "1"


def _chip(visit: Visit) -> int:
    """The chip that was chosen last, where the page is loaded again after each press."""
    given = visit.typed("chip") or visit.given("chip")
    return int(given) if given.isdecimal() and len(given) < 7 and int(given) in CHIPS else 0


def known(visit: Visit, feed: LiveFeed, scene: Scene) -> dict[str, Any]:
    """What all regions are drawn from."""
    table, rules, role = scene.table, scene.rules, visit.person.role
    caption = caption_of(table, scene.opened)
    results = feed.results(scene)
    shared: dict[str, Any] = {
        "table": table,
        "phase": table.phase,
        "head": scene.head,
        "caption": caption,
        "closed_house": CLOSED_TABLE if scene.closed else "",
        "sheet_file": "cards-4.svg" if _four_color(visit) else "cards.svg",
        "four_color": _four_color(visit),
        "settled": board.settlement(results),
        "rounds": [each for each in feed.rounds(scene) if each.state in ("completed", "void")],
        "throws": board.throws(rules, feed.throws(scene)) if rules else None,
        "about": board.about(scene) if rules else "",
        "dollars": board.dollars,
        "value": value,
    }
    if role not in WATCHERS and role != Role.PLAYER:
        return {**shared, **console.known(scene, visit, role)}
    mine = own_seats(scene, visit.who.id) if role == Role.PLAYER else []
    as_felt, is_layout = visit.given("felt") == "1", rules is not None and board.is_drawn(rules)
    waits = asked_of(table, mine) if rules else []
    picking = {each.seat.number for each in waits if any(not extra.field for extra in extras("", each))}
    return shared | {
        "mine": mine,
        "chips": scene.chips,
        "placed": sum(sum(table.staged.get(seat, {}).values()) for seat in mine if seat not in table.stacks),
        "plays": role == Role.PLAYER,
        "is_layout": is_layout,
        "paid": board.paid(scene, results, mine),
        "as_felt": as_felt,
        "drawn": board.felt(
            scene,
            visit.who.id if role == Role.PLAYER else "",
            narrow=visit.given("narrow") == "1",
            four_color=_four_color(visit),
            interactive=bool(mine) and table.phase in BETWEEN_ROUNDS,
        )
        if rules and (as_felt or is_layout)
        else "",
        "board": board.board(scene, mine or sorted(table.boxes)) if rules else None,
        "picking": picking,
        "marked": [name for name in visit.form if name.startswith("discard.")],
        "spots": spots_by_name(rules, mine[0]) if is_layout and mine and rules else [],
        "action": action(visit, scene, feed, mine) if role == Role.PLAYER else watching(scene),
    }


def own_seats(scene: Scene, player: str) -> list[int]:
    return sorted(seat for seat, holder in scene.table.boxes.items() if holder == player)


def watching(scene: Scene) -> dict[str, Any]:
    """Whom the table waits for."""
    step = scene.step
    say = "The table is closed." if step is None else step.say
    headline = f"The {scene.taker} is next" if step is not None else "Closed"
    if step is not None and step.command is None and step.seat is not None:
        headline, say = f"Seat {step.seat} decides", ""
    quiet: dict[str, Any] = {"groups": [], "chips": [], "short": [], "where": ""}
    return quiet | {"headline": headline, "say": say, "cite": step.cite if step else ""}


@dataclass(frozen=True)
class Moves:
    """Buttons of one decision, or of one kind."""

    title: str
    choices: Sequence[ChoiceButton]
    extras: Sequence[Any] = ()


def action(visit: Visit, scene: Scene, feed: LiveFeed, mine: Sequence[int]) -> dict[str, Any]:
    """What the player may do now, with a headline."""
    table = scene.table
    known: dict[str, Any] = {"cite": "", "say": "", "groups": [], "chips": [], "short": [], "where": ""}
    if scene.rules is None:
        return known | watching(scene)
    if not mine:
        free = [seat for seat in range(1, scene.rules.seats + 1) if seat not in table.boxes]
        sits = [ChoiceButton(f"sit-{seat}", f"Sit at {seat}", "", value("sit", seat=seat)) for seat in free]
        say = "Take a seat to play." if free else "Every seat is taken. You can watch."
        return known | {"headline": "Open seats" if free else "No open seat", "say": say, "groups": [Moves("", sits)]}
    if table.phase in BETWEEN_ROUNDS:
        notes = [each.sentence for each in shortages(table, mine)]
        return known | {
            "headline": f"Round {table.rounds + 1}: place your wagers",
            "say": HOW_TO_WAGER,
            "groups": [Moves("", list(wager_choices(scene, feed, mine)))],
            "chips": chip_tray(_chip(visit) or first_chip(scene.rules)),
            "short": notes,
            "where": WHERE_CHIPS,
        }
    if waiting := asked_of(table, mine):
        groups = [_moves(scene, visit, each, several=len(waiting) > 1) for each in waiting]
        short = [f"{each.label} {each.about}." for group in groups for each in group.choices if each.disabled]
        headline = decision_words(table, waiting[0]) if len(waiting) == 1 else "Your decisions"
        hand = hand_name(table.game, scene.shown, waiting[0].seat.number) if len(waiting) == 1 else ""
        return known | {
            "headline": headline,
            "say": f"You have {hand}." if hand else "",
            "groups": groups,
            "short": short,
            "where": WHERE_CHIPS if short else "",
        }
    if (seat := conceding(table)) in mine:
        choice = ChoiceButton("concede", "Concede", "nobody sees your hand", value("concede", seat=seat), "C")
        say = "Turn your hand up, or concede the showdown."
        return known | {"headline": "Showdown", "say": say, "groups": [Moves("", [choice])]}
    if table.phase == Phase.COLLECTING:
        net = sum(line["net"] for line in feed.results(scene).lines if line["seat"] in mine)
        return known | {"headline": f"Round {table.playing.number}: {result_words(net)}", "say": _next(scene)}
    return known | {"headline": "Wait", "say": _next(scene)}


def _next(scene: Scene) -> str:
    """What a player waits for, and for whom."""
    step = scene.step
    if step is None:
        return "The table is closed."
    if step.seat is not None and step.command is None:
        return f"Seat {step.seat} decides."
    return f"The {scene.taker} is next: {step.say}"


def _moves(scene: Scene, visit: Visit, waits: AskedSeat, *, several: bool) -> Moves:
    at = decision_at(scene.table, waits)
    choices = list(decision_choices(scene.table, scene.chips, at, waits))
    if several:
        choices = [replace(each, key="") for each in choices]  # a key would be for one of several seats
    title = f"Seat {waits.seat.number}: {decision_words(scene.table, waits)}" if several else ""
    return Moves(title, choices, [replace(each, typed=visit.typed("between")) for each in extras(at, waits)])


def wager_choices(scene: Scene, feed: LiveFeed, mine: Sequence[int]) -> Iterator[ChoiceButton]:
    table = scene.table
    open_seats = [seat for seat in mine if seat not in table.stacks]
    placed = sum(sum(table.staged.get(seat, {}).values()) for seat in open_seats)
    again = last_wagers(table, feed.results(scene).lines, mine)
    total = sum(sum(made.values()) for made in again.values())
    usual = sum(sum(plain_wagers(table, seat).values()) for seat in open_seats)
    if total:
        yield ChoiceButton(
            "rebet", f"Rebet {show_dollars(total)}", "as in the last round", value("rebet"), "R", not placed
        )
    if open_seats:
        lead = not placed and not total
        yield ChoiceButton("usual", "Usual wagers", show_dollars(usual), value("usual"), "U", lead)
    if placed:
        yield ChoiceButton("back", "Take wagers back", show_dollars(placed), value("back"), "T")
    yield ChoiceButton("leave", "Leave", "", value("leave"))


def show(visit: Visit) -> Response:
    try:
        feed = _feed(visit)
        scene = feed.scene()
    except (NoTableError, UnreadableError):
        return nothing_here(visit)
    return _page(visit, feed, scene)


def _page(visit: Visit, feed: LiveFeed, scene: Scene, question: Mapping[str, Any] | None = None) -> Response:
    """The page, or what a window with script needs of it: that one keeps what was typed by itself."""
    if visit.request.headers.get(WINDOW):
        return regions(visit, _view(replace(visit, form={}), feed, scene), scene.head, question)
    view = _view(visit, feed, scene)
    return page(visit, view.template, f"Table {feed.table}", view=view, key=uuid4().hex, question=question)


# What is pressed


@dataclass
class Doing:
    """A press that is carried out: each of its commands has a request key of its own, so that none acts twice."""

    visit: Visit
    feed: LiveFeed
    scene: Scene
    done: Mapping[str, Any]
    count: int = 0

    @property
    def table(self) -> Table:
        return self.scene.table

    def act(self, /, **body: Any) -> tuple[Finding, ...]:
        """Carry out a command. A grave one is carried out once the person has read what follows."""
        sure = body.pop("sure", False)
        if body.get("command") in GRAVE and not sure:
            follows = consequences(house().pit, self.feed.table, body, self.visit.person)
            if follows:
                raise AskFirstError(body, follows)
        self.count += 1
        typed = self.visit.typed("key")
        key = typed if _KEY.fullmatch(typed) else uuid4().hex
        button = sha256(self.visit.typed("do").encode()).hexdigest()[:8]
        return self.feed.act(body, f"page-{key}-{button}-{self.count}")


class AskFirstError(PitbossError):
    """A command that the person is asked about first, with what would follow from it."""

    def __init__(self, body: Mapping[str, Any], follows: Sequence[str]) -> None:
        super().__init__(str(body.get("command")))
        self.body = body
        self.follows = follows

    def question(self) -> dict[str, Any]:
        title = str(self.body["command"]).replace("_", " ").capitalize()
        return {"title": title, "follows": self.follows, "yes": value("sure", body={**self.body, "sure": True})}


Act = Callable[[Doing, Sequence[int]], tuple[Finding, ...]]


def press(visit: Visit) -> Response | str:
    """Carry out what was pressed."""
    try:
        feed = _feed(visit)
        doing = Doing(visit, feed, feed.scene(), read_press(visit))
    except NoTableError:
        return nothing_here(visit)
    try:
        findings = _carry_out(doing)
    except AskFirstError as first:
        return _asked(visit, first)
    if isinstance(findings, Response):
        return findings
    if findings:
        raise FindingsError(findings)
    if visit.request.headers.get(WINDOW):
        return show(visit)
    chip = visit.typed("chip")
    return RedirectResponse(f"{visit.path}?chip={chip}" if chip.isdecimal() else visit.here, 303)


def _asked(visit: Visit, first: AskFirstError) -> Response:
    feed = _feed(visit)
    return _page(visit, feed, feed.scene(), first.question())


def _carry_out(doing: Doing) -> tuple[Finding, ...] | Response:
    done, role = str(doing.done.get("do", "")), doing.visit.person.role
    if done == "colors":
        answer = RedirectResponse(doing.visit.here, 303)
        four = "0" if _four_color(doing.visit) else "1"
        answer.set_cookie(FOUR_COLOR, four, max_age=YEAR_S, httponly=True, samesite="strict", path="/")
        return answer
    if role not in WATCHERS and role != Role.PLAYER:
        return console.press(doing)
    act = ACTS.get(done) if role == Role.PLAYER else None
    return () if act is None else act(doing, own_seats(doing.scene, doing.visit.who.id))


def _is_late(doing: Doing) -> bool:
    """Whether wagers are over, or the press is from another round than the next one."""
    table, typed = doing.table, doing.visit.typed("round")
    return table.phase not in BETWEEN_ROUNDS or (typed != "" and typed != str(table.rounds + 1))


def _sit(doing: Doing, _: Sequence[int]) -> tuple[Finding, ...]:
    return doing.act(command="sit", seat=doing.done.get("seat"))


def _leave(doing: Doing, mine: Sequence[int]) -> tuple[Finding, ...]:
    return doing.act(command="leave", seat=mine[0]) if mine else (STALE,)


def _chip_down(doing: Doing, mine: Sequence[int]) -> tuple[Finding, ...]:
    wager = str(doing.done.get("wager") or doing.visit.typed("spot"))
    seat = doing.done.get("seat") or next(iter(mine), 0)
    if _is_late(doing) or seat not in mine:
        return (STALE,)
    chip = _chip(doing.visit) or first_chip(doing.scene.rules)
    return doing.act(**chip_command(doing.table, seat, wager, chip))


def _usual(doing: Doing, mine: Sequence[int]) -> tuple[Finding, ...]:
    if _is_late(doing):
        return (STALE,)
    return put(doing, {seat: dict(plain_wagers(doing.table, seat)) for seat in mine})


def _rebet(doing: Doing, mine: Sequence[int]) -> tuple[Finding, ...]:
    if _is_late(doing):
        return (STALE,)
    return put(doing, last_wagers(doing.table, doing.feed.results(doing.scene).lines, mine))


def _back(doing: Doing, mine: Sequence[int]) -> tuple[Finding, ...]:
    if _is_late(doing):
        return (STALE,)
    return take_back(doing, mine)


def _waits(doing: Doing, mine: Sequence[int]) -> AskedSeat | None:
    """The decision that a press is about, if the table still waits for it."""
    own = asked_of(doing.table, mine)
    return next((each for each in own if decision_at(doing.table, each) == doing.done.get("at")), None)


def _decide(doing: Doing, mine: Sequence[int]) -> tuple[Finding, ...]:
    return decide(doing, doing.visit, doing.done, _waits(doing, mine))


def _declare(doing: Doing, mine: Sequence[int]) -> tuple[Finding, ...]:
    return declare(doing, _waits(doing, mine))


def _concede(doing: Doing, mine: Sequence[int]) -> tuple[Finding, ...]:
    return concede(doing, mine)


ACTS: Final[Mapping[str, Act]] = {
    "sit": _sit, "leave": _leave, "chip": _chip_down, "usual": _usual, "rebet": _rebet, "back": _back,
    "decide": _decide, "between": _decide, "exchange": _decide, "declare": _declare, "concede": _concede,
}  # fmt: skip

ROUTES: Final[tuple[Route, ...]] = (route("/table/{table}", show, press, look),)
