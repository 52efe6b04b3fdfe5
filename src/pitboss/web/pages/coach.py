"""The coach beside a practice table. It never holds up the table: a worker counts, and what it finds is shown then."""

from asyncio import Task, wait
from collections.abc import Callable
from typing import TypeVar

from nicegui import background_tasks

from pitboss.findings import PitbossError
from pitboss.games.contract import Game
from pitboss.games.registry import GAMES
from pitboss.web.pages.coaching import Coached, RuleSheet, coach_html, judged, rule_sheet, sheet_html
from pitboss.web.pages.feed import PracticeFeed, TableFeed
from pitboss.web.pages.live import Live, Panel, Typed, row
from pitboss.web.pages.workroom import COACH, LONG

T = TypeVar("T")
LONG_WAIT = "A large game is counted once, which can take a minute; play on, the answer comes here."


class CoachPanel:
    """Verdicts on the decisions of one practice session, its score, and rules to play by."""

    def __init__(self, coached: Coached, game: Game) -> None:
        self.coached = coached
        self.lane = LONG if game.duel is None else COACH
        """What is counted street by street may take a minute; nobody else's quick answers wait for it."""
        self.on = True
        self.busy = False
        self.wanted = False
        """Whether rules to play by are asked for and not found yet."""
        self.rules: RuleSheet | str = ""

    def build(self, live: Live, classes: str) -> None:
        self.live = live
        self.panel = Panel(live, classes)

    @property
    def _work(self) -> bool:
        return self.on and (any(self.coached.waiting()) or self.wanted)

    def draw(self) -> None:
        """What is known now; what is not is asked for."""
        if not self.on:
            self.panel.show("<h2>Coach</h2>" + row(self.panel.button("Switch the coach on", self._switch, main=False)))
            return
        buttons = [self.panel.button("Switch the coach off", self._switch, main=False)]
        if self.coached.noted and not self.rules:
            buttons.insert(0, self.panel.button("Rules to play by", self._want, main=False))
        shown = self.rules if isinstance(self.rules, str) else sheet_html(self.rules)
        self.panel.show(coach_html(self.coached, self._doing()) + shown + row(*buttons))
        if self._work and not self.busy:
            self.busy = True
            background_tasks.create(self._answer())

    async def _switch(self, _: Typed) -> None:
        self.on = not self.on
        self._show()

    async def _want(self, _: Typed) -> None:
        self.wanted = True
        self._show()

    async def _answer(self) -> None:
        """Judge what waits, the last decision first; then the rules, if they are wanted."""
        try:
            while self._work and not self.panel.gone:
                if (noted := next(self.coached.waiting(), None)) is not None:
                    self.coached.judged[noted] = await self._ask(judged, noted)
                else:
                    rules = next(reversed(self.coached.noted.values())).rules
                    self.rules, self.wanted = await self._ask(rule_sheet, rules), False
                self._show()
        finally:
            self.busy = False

    async def _ask(self, work: Callable[..., T], *args: object) -> T | str:
        """What a worker answers, or why it does not; while it counts, the page says how far it is."""
        asked: Task[T] = background_tasks.create(self.lane.ask(work, *args))
        while not asked.done():
            await wait({asked}, timeout=1)
            self._show()
        try:
            return asked.result()
        except PitbossError as problem:
            return str(problem)

    def _doing(self) -> str:
        what, share = self.lane.progress
        told = f" ({what}, {share:.0%})" if what and share else ""
        return f"Counting every hand{told}… {LONG_WAIT}"

    def _show(self) -> None:
        if not self.panel.gone:
            self.draw()
            self.live.send()


def coach_of(feed: TableFeed) -> CoachPanel | None:
    """The coach of a practice table; none where nothing is decided, for who only watches, or in the house."""
    if not isinstance(feed, PracticeFeed) or not feed.person or not GAMES[feed.game].course.weighed:
        return None
    return CoachPanel(feed.coached, GAMES[feed.game])
