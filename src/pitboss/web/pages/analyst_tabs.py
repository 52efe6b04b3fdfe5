"""The lower part of the Analyst: letters side by side, strategy, one hand, and progressives."""

from collections.abc import Awaitable, Callable
from json import dumps
from typing import Any, Final

from nicegui import ui

from pitboss.findings import UnreadableError
from pitboss.web.pages.analysis import MAIN, Offer, Question, compare
from pitboss.web.pages.analyst_exports import address, lane_of
from pitboss.web.pages.analyst_parts import (
    compare_html,
    hand_html,
    links_html,
    picker_html,
    progressive_html,
    strategy_html,
)
from pitboss.web.pages.play_analysis import hand, progressive, strategy, tidy_cards
from pitboss.web.pages.shell import button, card, escape, finding_html, markup
from pitboss.web.pages.workroom import LONG, QUICK, Lane

COMPARE, STRATEGY, HAND, PROGRESSIVE = "Compare letters", "Strategy", "One hand", "Progressive"
PICK: Final = """(event) => {
  const picked = event.target.closest('[data-card]');
  if (picked) emit({card: picked.dataset.card});
}"""
WAIT: Final = '<p class="pb-soft">Computing…</p>'


class Tabs:
    """Four panels that follow the question above them; only the open one asks for anything."""

    def __init__(self) -> None:
        self.question: Question | None = None
        self.offer: Offer | None = None
        self.lane: Lane | None = None
        """Where an answer is awaited, if any."""
        self.drawn: dict[str, object] = {}
        self.optimal = False

    def build(self) -> None:
        with card("", label="More about this wager"):
            with ui.tabs(on_change=self._opened).classes("an-tabs") as tabs:
                for name in (COMPARE, STRATEGY, HAND, PROGRESSIVE):
                    ui.tab(name)
            tabs.props('align="left" no-caps inline-label active-color="green-10" indicator-color="green-10"')
            self.open = COMPARE
            with ui.tab_panels(tabs, value=COMPARE, animated=False).classes("an-panels"):
                with ui.tab_panel(COMPARE):
                    markup("<h2>Pay tables side by side</h2>")
                    self.compared = markup(WAIT, "w-full")
                with ui.tab_panel(STRATEGY):
                    markup("<h2>How the main game is played best</h2>")
                    self.strategy_about = markup("", "w-full")
                    button("Work out the strategy", self._strategy)
                    self.strategy = markup("", "w-full")
                with ui.tab_panel(HAND):
                    self._build_hand()
                with ui.tab_panel(PROGRESSIVE):
                    markup("<h2>When a progressive breaks even</h2>")
                    self.folds = ui.switch("Main game played best: a fold forfeits the wager", on_change=self._folds)
                    self.progressive = markup("", "w-full")

    def _build_hand(self) -> None:
        markup("<h2>One hand</h2>")
        self.hand_about = markup("", "w-full")
        with ui.row().classes("items-end").style("gap:1rem;margin:.5rem 0"):
            self.cards = ui.input("Your cards", placeholder="Qs 6d 4c").props("outlined dense").classes("w-64")
            self.up = ui.input("Cards turned up", placeholder="Th").props("outlined dense").classes("w-48")
            for typed in (self.cards, self.up):
                typed.on("keydown.enter", self._hand)
                typed.on("blur", self._press)
            button("Analyse", self._hand)
            button("Clear", self._clear, main=False)
        markup(picker_html(), "w-full").on("click", self._picked, js_handler=PICK)
        self.said = markup("", "w-full").props('role="status" aria-live="polite"')
        self.hand = markup("", "w-full")

    # Following the question

    def shown_for(self, question: Question, offered: Offer | None) -> None:
        """Another question stands above: what was drawn for the last one is drawn again when it is opened."""
        another = self.question is None or question.game != self.question.game
        stale = self.question is None or question.main != self.question.main
        self.question, self.offer = question, offered
        assert offered is not None
        if another:
            self._clear()
            self.up.set_visibility(any(offered.seen))
            self.up.props(f'label="{escape(offered.faced)}"')
        if stale:
            self.strategy.content = self.hand.content = ""
            changed = " with your changes" if question.main.changes else ""
            of = f"The main game of {escape(offered.title)}{changed}"
            of += "" if question.wager == MAIN else " at its first pay table (choose the main game above to change it)"
            self.strategy_about.content = (
                f'<p class="pb-soft" style="margin:0">{of}. The larger games take a while.</p>'
            )
            counts = " or ".join(map(str, offered.seen))
            up = f" and {counts} more: {offered.faced.lower()}" if any(offered.seen) else ""
            need = f"{offered.own} cards{up}. Type them or pick them." if offered.seen else "nothing is decided in it."
            self.hand_about.content = f'<p class="pb-soft" style="margin:0">{of}: {escape(need)}</p>'

    async def _opened(self, event: Any) -> None:
        self.open = str(event.value)
        await self.refresh()

    async def refresh(self) -> None:
        """Draw what the open panel shows."""
        question = self.question
        if question is None or self.offer is None:
            return
        if self.open == COMPARE:

            async def compared() -> str:
                return compare_html(question, await lane_of(question).ask(compare, question))

            await self._show(self.compared, (COMPARE, question), lane_of(question), compared)
        elif self.open == PROGRESSIVE:
            if question.wager not in self.offer.meters:
                wagers = ", ".join(self.offer.wagers[name] for name in self.offer.wagers if name in self.offer.meters)
                other = f"Choose one of these above: {wagers}." if wagers else "This game has no progressive wager."
                self.progressive.content = f'<p class="pb-soft">This wager feeds no meter. {escape(other)}</p>'
                self.drawn.pop(PROGRESSIVE, None)
                return
            title, optimal = self.offer.wagers[question.wager], self.optimal

            async def broke_even() -> str:
                found = await QUICK.ask(progressive, question, optimal)
                links = [("Chart as SVG", address("/analyst/progressive.svg", question))]
                return progressive_html(title, found) + links_html(links)

            await self._show(self.progressive, (PROGRESSIVE, question, optimal), QUICK, broke_even)

    async def _show(
        self, place: ui.html, key: tuple[object, ...], lane: Lane, made: Callable[[], Awaitable[str]]
    ) -> None:
        """Draw once for each key; a refusal is shown in the place of the answer."""
        name = str(key[0])
        if self.drawn.get(name) == key:
            return
        self.drawn[name] = key
        self.lane = lane
        try:
            content = await made()
        except UnreadableError as problem:
            content = finding_html(problem)
        finally:
            self.lane = None
        if self.drawn.get(name) == key:
            place.content = content

    async def _strategy(self) -> None:
        if self.question is None or self.offer is None:
            return
        main, title = self.question.main, self.offer.title
        self.strategy.content = WAIT

        async def solved() -> str:
            found = await LONG.ask(strategy, main)
            links = [
                ("Table as CSV", address("/analyst/strategy.csv", main)),
                ("Chart as SVG", address("/analyst/strategy.svg", main)),
            ]
            return strategy_html(title, found) + links_html(links)

        self.drawn.pop(STRATEGY, None)
        await self._show(self.strategy, (STRATEGY, main), LONG, solved)

    async def _folds(self, event: Any) -> None:
        self.optimal = bool(event.value)
        await self.refresh()

    # One hand

    def _clear(self) -> None:
        self.cards.value = self.up.value = ""
        self.said.content = self.hand.content = ""
        self._press()

    def _held(self) -> tuple[list[str], list[str]]:
        return tidy_cards(str(self.cards.value or "")).split(), tidy_cards(str(self.up.value or "")).split()

    def _press(self) -> None:
        held, up = self._held()
        ui.run_javascript(f"window.pbPicked({dumps([*held, *up])})")

    async def _picked(self, event: Any) -> None:
        """A card is put into the hand, then to those turned up; a second click takes it back."""
        assert self.offer is not None
        card = str(event.args["card"])
        held, up = self._held()
        if card in held or card in up:
            (held if card in held else up).remove(card)
        elif len(held) < self.offer.own:
            held.append(card)
        elif len(up) < max(self.offer.seen, default=0):
            up.append(card)
        self.cards.value, self.up.value = " ".join(held), " ".join(up)
        self._press()
        if len(held) == self.offer.own and len(up) in self.offer.seen:
            await self._hand()

    async def _hand(self) -> None:
        if self.question is None or self.offer is None:
            return
        self._press()
        held, up = self._held()
        if not self.offer.seen or not held:
            first = (
                "Type or pick the cards of the hand first." if self.offer.seen else "Nothing is decided in this game."
            )
            self.said.content = f'<div class="pb-note">{first}</div>'
            return
        self.said.content = WAIT
        main = self.question.main
        lane = lane_of(Question(main.game, main.as_of))
        self.lane = lane
        try:
            found = await lane.ask(hand, main, " ".join(held), " ".join(up) if any(self.offer.seen) else "")
        except UnreadableError as problem:
            self.said.content = finding_html(problem)
        else:
            self.said.content = ""
            self.hand.content = hand_html(found)
        finally:
            self.lane = None
