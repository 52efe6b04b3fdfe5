"""A table that plays by itself, for whoever wants to look: nobody logs in, and nothing is recorded."""

from dataclasses import dataclass
from typing import Final

from fastapi import Request
from nicegui import run, ui

from pitboss.games.registry import GAMES
from pitboss.money import Cents
from pitboss.table.autoplay import automatic
from pitboss.table.roles import Role
from pitboss.table.state import Phase
from pitboss.web.pages.feed import PracticeFeed
from pitboss.web.pages.shell import Visitor, escape, frame, markup, visitor
from pitboss.web.pages.table import TablePage

STEP_SECONDS: Final = 1.6
MOST_STEPS: Final = 4_000
"""Steps that one window sees before it rests; somebody who is still there loads the page again."""


@dataclass
class WatchFeed(PracticeFeed):
    """Three players and a dealer who do what the game's plain strategy says."""

    seats: tuple[int, ...] = ()
    others: tuple[int, ...] | None = (1, 3, 5)
    person: str = ""
    """Whoever watches sees what lies face up, and no more."""
    chips: Cents = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        while self.table.phase != Phase.WAGERING:
            self.tick()

    def _advance(self) -> None:
        """Nothing happens but by ``tick``."""

    def tick(self) -> None:
        """One step of the round, whoever takes it."""
        self.acts += 1
        if self.table.phase == Phase.COLLECTING and not self.table.playing.paperwork:
            self._remember()
            self._do(Role.DEALER, command="discard")
        elif self.table.phase == Phase.WAGERING and not {*(self.others or ())} <= {*self.table.staged}:
            self._stake_others()
        elif (following := automatic(self.table, self.desk)) is not None:
            step, wanted = following
            body = {name: value for name, value in wanted.as_dict().items() if value is not None}
            self._do(Role.DEALER if step.role == Role.PLAYER else step.role, **body)


def add_watch_page() -> None:
    @ui.page("/watch")
    def watch_any() -> None:
        ui.navigate.to(f"/watch/{next(iter(GAMES))}")

    @ui.page("/watch/{game}")
    async def watch(request: Request, game: str) -> None:
        known = game in GAMES
        title = GAMES[game].chapter.title if known else "No such game"
        with frame(f"Watch {title}", visitor(request), heading=False):
            others = "".join(
                f'<a href="/watch/{name}">{escape(each.chapter.title)}</a>'
                for name, each in GAMES.items()
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
