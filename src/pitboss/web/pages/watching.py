"""A table that plays by itself, for whoever wants to look: nobody logs in, and nothing is recorded."""

from dataclasses import dataclass
from typing import Final

from fastapi import Request
from nicegui import run, ui

from pitboss.games.registry import BANKED
from pitboss.table.autoplay import automatic, plain_wagers
from pitboss.table.desk import chips
from pitboss.table.roles import Role
from pitboss.table.state import Phase
from pitboss.web.pages.feed import PRACTICE_CHIPS, PracticeFeed
from pitboss.web.pages.shell import Visitor, escape, frame, markup, visitor
from pitboss.web.pages.table import TablePage

STEP_SECONDS: Final = 1.6
MOST_STEPS: Final = 4_000
"""Steps that one window sees before it rests; somebody who is still there loads the page again."""
LEAST_CHIPS: Final = 20_000


@dataclass
class WatchFeed(PracticeFeed):
    """Three players and a dealer who do what the game's plain strategy says."""

    seats: tuple[int, ...] = (1,)
    players: tuple[int, ...] = (1, 3, 5)
    person: str = "player-1"

    def __post_init__(self) -> None:
        super().__post_init__()
        self.person = ""  # whoever watches sees what lies face up, and no more
        for seat in self.players[1:]:
            self._do(Role.DEALER, command="sit", seat=seat, player=f"player-{seat}")
        self._refill()
        while self.table.phase != Phase.WAGERING:
            self.tick()

    def _advance(self) -> None:
        """Nothing happens but by ``tick``."""

    def _refill(self) -> None:
        for seat in self.players:
            if chips(self.desk, f"player-{seat}") < LEAST_CHIPS:
                buys = {"player": f"player-{seat}", "amount": PRACTICE_CHIPS, "slip": self.slip()}
                self._do(Role.PIT_MANAGER, command="buy_in", **buys)

    def tick(self) -> None:
        """One step of the round, whoever takes it."""
        self.acts += 1
        if self.table.phase == Phase.COLLECTING and not self.table.playing.paperwork:
            self._remember()
            self._do(Role.DEALER, command="discard")
        elif self.table.phase == Phase.WAGERING and not self.table.staged:
            self._refill()
            for seat in self.players:
                for wager, amount in plain_wagers(self.table).items():
                    self._do(Role.DEALER, command="wager", seat=seat, wager=wager, amount=amount)
        elif (following := automatic(self.table, self.desk)) is not None:
            step, wanted = following
            body = {name: value for name, value in wanted.as_dict().items() if value is not None}
            self._do(Role.DEALER if step.role == Role.PLAYER else step.role, **body)


def add_watch_page() -> None:
    @ui.page("/watch")
    def watch_any() -> None:
        ui.navigate.to(f"/watch/{next(iter(BANKED))}")

    @ui.page("/watch/{game}")
    async def watch(request: Request, game: str) -> None:
        known = game in BANKED
        title = BANKED[game].chapter.title if known else "No such game"
        with frame(f"Watch {title}", visitor(request), heading=False):
            others = "".join(
                f'<a href="/watch/{name}">{escape(each.chapter.title)}</a>'
                for name, each in BANKED.items()
                if name != game
            )
            markup(
                '<details class="pb-noprint"><summary>Watch another game</summary>'
                f'<div class="pb-links">{others}</div></details>'
            )
            if not known:
                markup("<h1>There is no such game.</h1>")
                return
            feed = WatchFeed(game)
            page = TablePage(feed, Visitor(None), Role.AUDITOR)
            await page.build()

            async def tick() -> None:
                if not timer.active:
                    return
                async with page.turn:
                    await run.io_bound(feed.tick)
                if feed.acts >= MOST_STEPS:
                    timer.deactivate()
                    page.tell("The table rests. Load the page again to go on watching.")

            timer = ui.timer(STEP_SECONDS, tick)
