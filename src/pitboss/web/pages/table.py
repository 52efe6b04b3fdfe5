"""The table page: one felt that all viewers share, each seeing what he may, and beside it what is his to do."""

from collections.abc import Mapping
from typing import Any

from fastapi import Request
from nicegui import ui

from pitboss.findings import Finding
from pitboss.games.registry import GAMES
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.people import Person
from pitboss.money import show_dollars
from pitboss.reports.felt import Felt, draw_felt
from pitboss.table.roles import Role
from pitboss.table.state import Phase
from pitboss.web.pages.dealing import Console
from pitboss.web.pages.feed import Feed, LiveFeed, PracticeFeed, Scene
from pitboss.web.pages.live import Live
from pitboss.web.pages.playing import PlayerPanel
from pitboss.web.pages.results import rounds_html, settlement_html
from pitboss.web.pages.shell import Visitor, escape, frame, house, markup, show_findings, table_html, visitor

LOOK_SECONDS = 0.5
FOCUS = """
<script>
(() => {  // What is drawn again keeps the focus of the keyboard: the same spot or button, or else the panel.
  let last = null;
  document.addEventListener('focusin', (event) => {
    const panel = event.target.closest('[data-keep]');
    last = panel && {id: event.target.id, text: event.target.innerText, panel};
  });
  document.addEventListener('pointerdown', () => { last = null; }, true);
  new MutationObserver(() => {
    if (!last || document.activeElement !== document.body) return;
    const same = (last.id && document.getElementById(last.id)) || [...last.panel.querySelectorAll('button')]
      .find((button) => button.innerText === last.text);
    (same || last.panel).focus({preventScroll: true});
  }).observe(document, {childList: true, subtree: true});
})();
</script>
"""
CLICK = """(event) => {
  const spot = event.target.closest('[data-seat][data-wager]');
  if (spot) emit({seat: spot.dataset.seat, wager: spot.dataset.wager});
}"""
KEY = """(event) => {
  if (event.key !== 'Enter' && event.key !== ' ') return;
  const spot = event.target.closest('[data-seat][data-wager]');
  if (spot) { event.preventDefault(); emit({seat: spot.dataset.seat, wager: spot.dataset.wager}); }
}"""


class TablePage:
    """One open window on one table."""

    def __init__(self, feed: Feed, who: Visitor, role: Role) -> None:
        self.feed = feed
        self.who = who
        self.role = role
        self.seen = -1
        self.four_colour = False
        self.player = PlayerPanel(feed, self.act) if role == Role.PLAYER else None
        self.console = None if role in (Role.PLAYER, Role.AUDITOR, Role.ADMINISTRATOR) else Console(role, self.act)
        self.offered: tuple[Any, ...] = ()
        self.drawn: Felt | None = None

    def build(self) -> None:
        ui.add_body_html(FOCUS)
        self.live = Live()
        with ui.element("div").classes("pb-row"):
            with (
                ui.element("section")
                .classes("pb-grow")
                .style("flex:3 1 640px;display:grid;gap:1rem")
                .props('aria-label="Felt"')
            ):
                self.felt = self.live.region("w-full").props('data-keep tabindex="-1"')
                self.felt.on("click", self._spot, js_handler=CLICK)
                self.felt.on("keydown", self._spot, js_handler=KEY)
                self.settlement = self.live.region("w-full")
                self.rounds = self.live.region("w-full")
            with ui.element("aside").style("flex:1 1 340px;display:flex;flex-direction:column;gap:1rem"):
                self.status = self.live.region("pb-card")
                self.said = ui.column().classes("w-full").props('aria-live="polite"')
                self.panel = ui.element("div").classes("pb-card").props('data-keep tabindex="-1"')
                if self.console is not None:
                    with self.panel:
                        self.console.build()
                self.about = self.live.region("pb-card")
                ui.switch("Four-colour cards", on_change=self._colours)
        self.refresh()
        ui.timer(LOOK_SECONDS, self.look)

    def look(self) -> None:
        try:
            head = self.feed.head()
        except LedgerError as problem:
            show_findings([Finding("ledger", "", "", "", f"The ledger does not answer: {problem}")], into=self.said)
            return
        if head == self.seen:
            return
        scene = self.feed.scene()
        if scene.key == self.scene.key:
            self.seen = scene.head  # something happened, but at another table
        else:
            self.show(scene)

    def act(self, **body: Any) -> None:
        """Carry out what was pressed; without a command the page is only drawn again."""
        if body:
            if self.who.person is not None and self.who.still() is None:
                ui.navigate.to(f"/login?then=/table/{getattr(self.feed, 'table', '')}")
                return
            findings = self.feed.act(**body)
            show_findings(findings, into=self.said)
        self.refresh()

    def _spot(self, event: Any) -> None:
        data: Mapping[str, str] = event.args
        if self.player is None or self.scene.table.phase == Phase.CLOSED:
            return
        seat = int(data["seat"])
        if self.scene.table.boxes.get(seat) == self.feed.person:
            self.player.clicked(self.scene, seat, data["wager"])
        elif seat not in self.scene.table.boxes and not self.player.seats(self.scene):
            self.act(command="sit", seat=seat)

    def _colours(self, event: Any) -> None:
        self.four_colour = bool(event.value)
        self.refresh()

    def refresh(self) -> None:
        self.show(self.feed.scene())

    def show(self, scene: Scene) -> None:
        self.scene = scene
        self.seen = scene.head
        self._draw_felt(scene)
        self._draw_status(scene)
        self._draw_panel(scene)
        self._draw_lines(scene)
        self._draw_rounds(scene)
        self._draw_about(scene)
        self.live.send()

    def _draw_panel(self, scene: Scene) -> None:
        """Drawn again only when what it offers has changed, so that nobody loses what he is typing."""
        if self.console is not None:
            self.console.draw(scene)
            return
        step = scene.step
        offered = (step,) if self.player is None else self.player.offered(scene)
        if offered == self.offered:
            return
        self.offered = offered
        self.panel.clear()
        with self.panel:
            if self.player is not None:
                self.player.draw(scene)
            else:
                said = f"The table waits for the {step.role}: {step.say}" if step else "The table is closed."
                markup(
                    f'<p style="margin:0"><strong>You are watching.</strong> {escape(said)}</p><p class="pb-small '
                    'pb-soft" style="margin:0">Cards that lie face down stay hidden until the round is over.</p>'
                )

    def _draw_felt(self, scene: Scene) -> None:
        before = self.drawn
        if scene.rules is None:
            self.drawn = None
            self.live.show(self.felt, '<div class="pb-card">The table is closed.</div>')
            return
        turn = scene.step.seat if scene.step else None
        self.drawn = draw_felt(
            scene.shown,
            scene.rules,
            side="player" if self.role == Role.PLAYER else "dealer",
            person=self.feed.person,
            turn=turn,
            meters=scene.meters,
            four_colour=self.four_colour,
            interactive=self.player is not None,
        )
        changed = None if before is None else self.drawn.changed(before)
        if changed is None:
            self.live.show(self.felt, str(self.drawn))
        else:
            self.live.change(self.felt, changed)

    def _draw_status(self, scene: Scene) -> None:
        table = scene.table
        number = table.play.number if table.play else table.rounds + 1
        title = GAMES[table.game].chapter.title if table.game else "Closed"
        self.live.show(
            self.status,
            f"<div><h1 class='pb-title'>{escape(title)}</h1><div class='pb-soft'>Table {escape(table.id)} · round "
            f"{number} · {escape(table.dealing)} · cards {escape(table.source)}</div></div>"
            f'<div><span class="pb-phase" data-phase="{escape(table.phase)}" data-events="{table.events}">'
            f"{escape(table.phase)}</span></div>",
        )

    def _draw_lines(self, scene: Scene) -> None:
        self.live.show(self.settlement, settlement_html(self.feed.results(scene)))

    def _draw_about(self, scene: Scene) -> None:
        rules = scene.rules
        if rules is None:
            self.live.show(self.about, "")
            return
        rows = [
            (
                escape(w.title),
                f"{show_dollars(rules.limits(w.name).minimum)} to {show_dollars(rules.limits(w.name).maximum)}",
            )
            for w in rules.wagers.values()
            if w.placed == "before" and not w.meter
        ]
        meters = [
            (
                escape(name.replace("_", " ")),
                " · ".join(f"{escape(tier)} {show_dollars(amount)}" for tier, amount in amounts.items()),
            )
            for name, amounts in scene.meters.items()
        ]
        shown = table_html(("Meter", "Amount"), meters, caption="Progressive meters") if meters else ""
        self.live.show(self.about, table_html(("Wager", "Limits"), rows, caption="Limits") + shown)

    def _draw_rounds(self, scene: Scene) -> None:
        live = not isinstance(self.feed, PracticeFeed)
        link = f"/audit?table={escape(scene.table.id)}"
        more = f'<a href="{link}">All rounds of this table</a>' if live else ""
        drawn = rounds_html(self.feed.rounds(scene), f"{link}&amp;round=" if live else "")
        self.live.show(self.rounds, f'<section class="pb-card" aria-label="Last rounds">{drawn}{more}</section>')


def add_table_pages() -> None:
    @ui.page("/table/{table}")
    def live(request: Request, table: str) -> None:
        who = visitor(request)
        if who.person is None:
            ui.navigate.to(f"/login?then=/table/{table}")
            return
        with frame(f"Table {table}", who, heading=False):
            if not _known(table):
                markup(f"<p>There is no table {escape(table)}. <a href='/'>Back to the lobby</a></p>")
                return
            person: Person = who.person
            TablePage(LiveFeed(house().pit, person, table), who, person.role).build()

    @ui.page("/practice/{game}")
    def practice(request: Request, game: str) -> None:
        who = visitor(request)
        with frame("Practice", who, heading=False):
            if game not in GAMES:
                markup("<p>There is no such game. <a href='/'>Back to the lobby</a></p>")
                return
            TablePage(PracticeFeed(game), Visitor(None), Role.PLAYER).build()


def _known(table: str) -> bool:
    return table in {known.id for known in house().pit.tables()}
