"""The table page: one felt that all viewers share, each seeing what he may, and beside it what is his to do."""

import json
from asyncio import CancelledError, Lock, sleep
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import count
from time import monotonic
from typing import Any, TypeVar
from urllib.parse import quote

from fastapi import Request
from nicegui import run, ui

from pitboss.findings import FindingsError, UnreadableError
from pitboss.games.chance import words_of
from pitboss.games.registry import GAMES
from pitboss.games.rules import Rules
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.foreseeing import GRAVE, consequences
from pitboss.ledger.pit import NoTableError
from pitboss.money import show_dollars
from pitboss.names import shown
from pitboss.records import Same
from pitboss.reports.felt import draw_felt
from pitboss.reports.numbers import is_wheel
from pitboss.reports.offer import offered_tables
from pitboss.reports.parts import Group
from pitboss.reports.phone import draw_phone
from pitboss.reports.sources import NOT_PRINTED, unprinted
from pitboss.table.roles import Role
from pitboss.table.state import BETWEEN_ROUNDS, Phase
from pitboss.web.pages.board import board_html
from pitboss.web.pages.closing import CLOSED_TABLE
from pitboss.web.pages.coach import coach_of
from pitboss.web.pages.dealing import Console
from pitboss.web.pages.feed import LiveFeed, PracticeFeed, Scene, TableFeed, practice_key
from pitboss.web.pages.hand import own_hand
from pitboss.web.pages.law import law_link
from pitboss.web.pages.live import Live
from pitboss.web.pages.pad import PAD
from pitboss.web.pages.playing import PlayerPanel
from pitboss.web.pages.results import rounds_html, settlement_html
from pitboss.web.pages.shell import (
    Visitor,
    asked,
    end_with_session,
    escape,
    findings_html,
    frame,
    house,
    markup,
    said,
    sheet,
    table_html,
    visitor,
)

T = TypeVar("T")
LOOK_SECONDS = 0.5
KEPT = "practice "
"""Under this and the game's name a browser keeps a practice game."""
RULES = {"7": "Wagers", "11": "Procedure of play", "13": "Irregularities"}
"""Sections of a chapter that players ask for."""
SOURCES = {"virtual": "virtual {}", "keyed": "{} keyed in"}
NARROW = "matchMedia('(max-width: {}px)').matches"
PHONE, TABLET = 600, 900
"""Pixels up to which a window gets the felt of a phone, and where numbers have lines between them to be pressed."""
GOLDEN = (5**0.5 - 1) / 2
"""Steps of the golden section lie apart on a circle, however many they are."""
_pages = count()
FOCUS = sheet("table_focus.html")
CLICK = """(event) => {
  const spot = event.target.closest('[data-wager], .plate'), seat = spot?.closest('[data-seat]');
  if (!spot) return;
  event.currentTarget.focus({preventScroll: true});  // the next key is for the next step, not for this spot again
  emit({seat: Number(seat?.dataset.seat || 0), wager: spot.dataset.wager || ''});
}"""
KEY = """(event) => {
  if (event.key !== 'Enter' && event.key !== ' ') return;
  const spot = event.target.closest('[data-wager], .plate'), seat = spot?.closest('[data-seat]');
  if (spot) { event.preventDefault(); emit({seat: Number(seat?.dataset.seat || 0), wager: spot.dataset.wager || ''}); }
}"""


@dataclass(frozen=True)
class Picture:
    """All that a page shows of one moment, drawn; only the buttons are missing, which are the page's own."""

    scene: Scene
    felt: Group | None
    texts: Mapping[str, str]


class TablePage:
    """One open window on one table.

    Ledger and drawing are asked in a thread, so that one page's work never keeps other people's commands waiting; one
    thing at a time, so that what was drawn before an act is never shown after it.
    """

    def __init__(self, feed: TableFeed, who: Visitor, role: Role) -> None:
        self.feed = feed
        self.who = who
        self.role = role
        self.seen = -1
        self.four_colour = False
        self.player = PlayerPanel(feed, self.act, self.tell) if role == Role.PLAYER else None
        with_console = role not in (Role.PLAYER, Role.AUDITOR, Role.ADMINISTRATOR)
        self.console = Console(role, feed.person, self.act, self.tell) if with_console else None
        self.coach = coach_of(feed)
        self.drawn: Group | None = None
        self.turn = Lock()
        self.narrows = self.console is None
        """Whether one seat is enough in a narrow window; the house sees all, but for areas that they share."""
        self.narrow = False
        """Whether the window is so narrow now."""
        self.kept = ""
        """What the browser keeps of a practice game."""

    async def build(self) -> None:
        first = await self._in_thread(self._picture)  # a table that there is not is refused before anything is drawn
        wheel = first.scene.rules is not None and is_wheel(first.scene.rules)
        self.narrows, wide = self.narrows or wheel, TABLET if wheel else PHONE
        self.is_narrow = NARROW.format(wide)
        ui.add_body_html(FOCUS.replace("NARROW", str(wide)) + PAD)
        if self.narrows:
            ui.on("narrow", self._narrowed)
        self.live = Live()
        region = self.live.region
        with ui.element("div").classes("pb-row pb-board"):
            with ui.element("section").classes("pb-board-main").props('aria-label="Felt"'):
                with ui.element("div").classes("pb-felt-place pb-first"):
                    # Who can press nothing on it may still have to push it along.
                    reached = 0 if self.player is None and self.console is None else -1
                    self.felt = region("w-full").props(f'data-keep data-first tabindex="{reached}"')
                    self.felt.on("click", self._spot, js_handler=CLICK)
                    self.felt.on("keydown", self._spot, js_handler=KEY)
                    if self.console is not None:
                        self.console.build_at_seats(self.live)
                places = {"settlement": region("w-full pb-maybe"), "rounds": region("w-full")}
            with ui.element("aside").classes("pb-board-side"):
                places["status"] = region("pb-card")
                self.said = region("w-full pb-maybe pb-second").props('aria-live="polite"')
                if self.player is not None:
                    self.player.build(self.live, "pb-card pb-second")
                elif self.console is not None:
                    with ui.element("div").classes("pb-card pb-second"):
                        self.console.build(self.live)
                else:
                    places["watching"] = region("pb-card pb-second")
                if self.coach is not None:
                    self.coach.build(self.live, "pb-card")
                places["pays"] = region("pb-card")
                places["about"] = region("pb-card")
                with ui.element("div").classes("pb-presses"):
                    ui.switch("Four-colour cards", on_change=self._colours)
                    markup('<label class="pb-check"><input type="checkbox" data-motion checked>Animation</label>')
        self.places = places
        self._show(first)
        if self.narrows:
            await self.live.pressing.acquire()  # whatever is pressed waits until the window has told what it knows
        ui.timer(0, self._begin, once=True)

    async def _begin(self) -> None:
        """Pages look at different times, or they would all draw at the same moment and keep everybody waiting."""
        if self.narrows:
            try:
                if self.player is not None and isinstance(self.feed, PracticeFeed):
                    await self._resume(self.feed)
                if await self._asked(self.is_narrow):
                    self.narrow = True
                    await self.act()
            finally:
                self.live.pressing.release()
        apart = GOLDEN * next(_pages) % 1 * LOOK_SECONDS
        await sleep((apart - monotonic()) % LOOK_SECONDS)
        if not self.felt.is_deleted:
            with self.felt.client:
                ui.timer(LOOK_SECONDS, self.look)

    async def _resume(self, feed: PracticeFeed) -> None:
        """Go on with the game that this browser has kept."""
        kept = await self._asked(f"localStorage.getItem('{KEPT}{feed.game}')")
        if kept and await run.io_bound(feed.resume, str(kept)):
            await self.act()

    async def _asked(self, question: str) -> Any:
        """What the browser answers; nothing, if the window was closed at once."""
        try:
            return await self.live.client.run_javascript(f"return {question}", timeout=10)
        except TimeoutError:
            return None

    async def _in_thread(self, work: Callable[[], T]) -> T:
        made = await run.io_bound(work)
        if made is None:
            raise CancelledError  # the server stops
        return made

    async def look(self) -> None:
        """Show what has happened since the page was last drawn."""
        async with self.turn:
            try:
                picture = await run.io_bound(self._news)
            except LedgerError as problem:
                self.tell(f"The ledger does not answer: {problem}")
                return
            if picture is not None:
                self._show(picture)

    def _news(self) -> Picture | None:
        """A new picture, if a viewer would notice; what happens at another table is no reason."""
        head = self.feed.head()
        if head == self.seen:
            return None
        scene = self.feed.scene()
        if scene.key == self.scene.key:
            self.seen = scene.head
            return None
        return self._picture(scene)

    async def act(self, **body: Any) -> None:
        """Carry out what was pressed; without a command the page is only drawn again."""
        sure = body.pop("sure", False)
        if body.get("command") in GRAVE and not sure and await self._foretold(body):
            return
        async with self.turn:
            try:
                if body:
                    if self.who.person is not None and await run.io_bound(self.who.still) is None:
                        self.live.client.open(f"/login?then=/table/{getattr(self.feed, 'table', '')}")
                        return
                    findings = await self._in_thread(partial(self.feed.act, **body))
                    self.live.show(self.said, findings_html(findings))
                self._show(await self._in_thread(self._picture))
            except LedgerError as problem:
                self.tell(f"The ledger does not answer: {problem}")

    async def _foretold(self, body: dict[str, Any]) -> bool:
        """Ask before something that cannot be taken back, if it would do anything that can be told."""
        person = self.who.person
        if person is None:
            return False
        try:
            told = await self._in_thread(partial(consequences, house().pit, self.scene.table.id, body, person))
        except (FindingsError, UnreadableError, LedgerError):
            return False
        if told:
            with self.live.client:
                asked(str(body["command"]).replace("_", " ").capitalize(), told, partial(self.act, **body, sure=True))
        return bool(told)

    def tell(self, sentence: str) -> None:
        """Something about what was typed or pressed, which nobody but this page has to know."""
        self.live.show(self.said, findings_html(said(sentence)))
        self.live.send()

    async def _spot(self, event: Any) -> None:
        data: Mapping[str, Any] = event.args
        hand = self.player or self.console
        async with self.live.pressing:
            if hand is not None and self.scene.table.phase != Phase.CLOSED:
                await hand.clicked(self.scene, int(data["seat"]), str(data["wager"]))

    async def _narrowed(self, event: Any) -> None:
        """A phone was turned, or a window made smaller."""
        async with self.live.pressing:
            if self.narrow != bool(event.args):
                self.narrow = bool(event.args)
                await self.act()

    async def _colours(self, event: Any) -> None:
        self.four_colour = bool(event.value)
        if self.player is not None:
            self.player.four_colour = self.four_colour
        await self.act()

    def _picture(self, scene: Scene | None = None) -> Picture:
        scene = scene or self.feed.scene()
        settlement = settlement_html(self.feed.results(scene))
        texts = {
            "status": _status(scene),
            "settlement": settlement,
            "rounds": self._rounds(scene, settled=bool(settlement)),
            "about": _about(scene),
            "pays": _pays(scene),
            "watching": _watching(scene, self._behind(scene) if self.narrow else 0),
        }
        return Picture(scene, self._felt(scene), texts)

    def _show(self, picture: Picture) -> None:
        if self.felt.is_deleted:
            return  # the window was closed meanwhile
        self.scene, self.seen = picture.scene, picture.scene.head
        self._show_felt(picture.felt)
        for name, region in self.places.items():
            self.live.show(region, picture.texts[name])
        if self.player is not None:
            self.player.draw(picture.scene)
        if self.coach is not None:
            self.coach.draw()
        if self.console is not None:
            self.console.draw(picture.scene, narrow=self.narrow)
        self.live.send()
        if isinstance(self.feed, PracticeFeed):
            self._keep(self.feed)

    def _keep(self, feed: PracticeFeed) -> None:
        """In the browser; an untouched table must not replace the game that lies there."""
        saved = feed.saved()
        if saved != self.kept and (feed.done or self.kept):
            self.live.client.run_javascript(f"localStorage.setItem('{KEPT}{feed.game}', {json.dumps(saved)})")
            self.kept = saved

    def _show_felt(self, felt: Group | None) -> None:
        before, self.drawn = self.drawn, felt
        if felt is None:
            self.live.show(self.felt, '<div class="pb-card">The table is closed.</div>')
            return
        changed = None if before is None else felt.changed(before)
        if changed is None:
            self.live.show(self.felt, str(felt))
        else:
            self.live.change(self.felt, changed)

    def _behind(self, scene: Scene) -> int:
        """The seat behind which somebody stands who only watches: whose turn it is, or the first. The house's people
        put chips down for one of them."""
        if self.console is not None and scene.table.phase in BETWEEN_ROUNDS:
            return self.console.served(scene.table)
        turn, taken = scene.step.seat if scene.step else None, sorted(scene.table.boxes)
        return turn if turn in taken else next(iter(taken), 0)

    def _felt(self, scene: Scene) -> Group | None:
        if scene.rules is None:
            return None
        turn = scene.step.seat if scene.step else None
        if self.narrow:
            person = self.feed.person if self.player else scene.table.boxes.get(self._behind(scene), "")
            return draw_phone(
                scene.shown,
                scene.rules,
                person=person,
                turn=turn,
                four_colour=self.four_colour,
                interactive=self.player is not None or self.console is not None,
            )
        return draw_felt(
            scene.shown,
            scene.rules,
            side="player" if self.role == Role.PLAYER else "dealer",
            person=self.feed.person,
            turn=turn,
            meters=scene.meters,
            four_colour=self.four_colour,
            interactive=self.player is not None or self.console is not None,
        )

    def _rounds(self, scene: Scene, *, settled: bool) -> str:
        live = not isinstance(self.feed, PracticeFeed)
        link = f"/audit?table={escape(scene.table.id)}"
        more = f'<a href="{link}">All rounds of this table</a>' if live else ""
        rounds = self.feed.rounds(scene)
        if settled and not rounds:
            return ""  # the first round stands above
        drawn = rounds_html(rounds, f"{link}&amp;round=" if live else "")
        thrown = board_html(scene.rules, self.feed.throws(scene)) if scene.rules and words_of(scene.rules) else ""
        board = f'<section class="pb-card" aria-label="What was thrown">{thrown}</section>' if thrown else ""
        return f'<section class="pb-card" aria-label="Last rounds">{drawn}{more}</section>{board}'


def _status(scene: Scene) -> str:
    table = scene.table
    number = table.play.number if table.play else table.rounds + 1
    title = GAMES[table.game].chapter.title if table.game else "Closed"
    spoken = None if scene.rules is None else words_of(scene.rules)
    things = spoken.things if spoken else "cards"
    dealing = "dealt by hand" if table.dealing == "hand" else table.dealing.replace("-", " ")
    return (
        f"<div><h1 class='pb-title'>{escape(title)}</h1><div class='pb-soft'>Table {escape(table.id)} · round "
        f"{number} · {escape(dealing)} · {SOURCES[table.source].format(things)}</div></div>"
        f'<div><span class="pb-phase" data-phase="{escape(table.phase)}" data-events="{table.events}">'
        f"{escape(table.phase)}</span></div>"
        + (f'<div class="pb-finding" role="status">{CLOSED_TABLE}</div>' if scene.closed else "")
    )


def _pays(scene: Scene) -> str:
    return "" if scene.rules is None else _paytables(Same(scene.rules))


@lru_cache(maxsize=64)
def _paytables(known: Same[Rules]) -> str:
    """Every pay table of the table and the way to its rules; drawn once for as long as the rules stand."""
    rules, parts = known.record, []
    for offered in offered_tables(rules):
        rows = [(escape(row), escape(odds)) for row, odds in offered.rows]
        letter = f", table {escape(offered.letter)}" if offered.letter else ""
        caption = f"{escape(offered.title)}{letter} [{law_link(offered.table.cite)}]"
        parts.append(table_html(("Hand", "Pays"), rows, numbers=(1,), caption=caption))
    number = rules.chapter.chapter
    links = "".join(law_link(f"{number}.{section}", words) for section, words in RULES.items())
    return (
        f"<details data-pays><summary>Pay tables and rules</summary><div class='pb-links'>{links}</div>"
        f'<div class="pb-pays">{"".join(parts)}</div></details>'
    )


def _watching(scene: Scene, seat: int = 0) -> str:
    """What goes on; where the felt shows one ``seat``, its cards too."""
    step = scene.step
    said = f"The table waits for the {scene.taker}: {step.say}" if step else "The table is closed."
    who = f"You are watching seat {seat}." if seat else "You are watching."
    return (
        f"<p><strong>{who}</strong> {escape(said)}</p>{own_hand(scene, seat) if seat else ''}"
        '<p class="pb-small pb-soft">Cards that lie face down stay hidden until the round is over.</p>'
    )


def _about(scene: Scene) -> str:
    rules = scene.rules
    if rules is None:
        return ""
    rows = []
    for wager in rules.wagers.values():
        if wager.placed == "before" and not wager.meter:
            limits = rules.limits(wager.name)
            rows.append((escape(wager.title), f"{show_dollars(limits.minimum)} to {show_dollars(limits.maximum)}"))
    told = table_html(("Wager", "Limits"), rows, numbers=(1,), caption="Limits")
    meters = []
    for name, amounts in scene.meters.items():
        several = len(amounts) > 1
        tiers = (f"{escape(tier)} {show_dollars(at)}" if several else show_dollars(at) for tier, at in amounts.items())
        meters.append((escape(shown(name)), " · ".join(tiers)))
    told += table_html(("Meter", "Amount"), meters, numbers=(1,), caption="Progressive meters") if meters else ""
    if found := [(escape(what), law_link(cite), escape(source)) for what, cite, source in unprinted(rules)]:
        listed = table_html(("Entry", "Paragraph", "Rests on"), found, caption=NOT_PRINTED)
        told += f"<details data-unprinted><summary>Not printed in the text at hand</summary>{listed}</details>"
    return told


def add_table_pages() -> None:
    @ui.page("/table/{table}")
    async def live(request: Request, table: str) -> None:
        who = visitor(request)
        person = who.person
        if person is None:
            ui.navigate.to(f"/login?then=/table/{table}")
            return
        with frame(f"Table {table}", who, heading=False):
            try:
                await TablePage(LiveFeed(house().pit, person, table), who, person.role).build()
                end_with_session(who, f"/table/{quote(table)}")  # last: a page with a timer is sent as far as it is
            except (NoTableError, UnreadableError):
                markup(f"<p>There is no table {escape(table)}. <a href='/'>Back to the lobby</a></p>")

    @ui.page("/practice/{game}")
    async def practice(request: Request, game: str) -> None:
        who = visitor(request)
        with frame(f"Practice {GAMES[game].chapter.title}" if game in GAMES else "Practice", who, heading=False):
            if game not in GAMES:
                markup("<p>There is no such game. <a href='/'>Back to the lobby</a></p>")
                return
            key = practice_key(house().pit.store.anchor.path.parent)
            await TablePage(PracticeFeed(game, key=key), Visitor(None), Role.PLAYER).build()
