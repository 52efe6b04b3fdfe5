"""The Analyst: a pay table to edit, and every exact figure that follows from it. Nobody needs an account for it.

The page itself counts nothing: it asks the workroom, says what it waits for, and goes on answering.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from json import dumps
from typing import Any, Final

from fastapi import Request
from nicegui import ui

from pitboss.findings import UnreadableError
from pitboss.games.registry import BANKED
from pitboss.games.structure import PRINTED
from pitboss.reports.offer import row_title
from pitboss.typed import typed_percent
from pitboss.web.pages.analysis import (
    MAIN,
    Cell,
    EdgeFigures,
    EditableTable,
    Grid,
    Offer,
    Question,
    figures,
    offer,
    read_grid,
    sheets,
    target_rows,
)
from pitboss.web.pages.analyst_exports import add_exports, address, lane_of, question_of, read_day, read_stake, today
from pitboss.web.pages.analyst_parts import STYLE, exact_html, figures_html, letter_text, links_html
from pitboss.web.pages.analyst_tabs import Tabs
from pitboss.web.pages.charts import distribution_chart
from pitboss.web.pages.equity import EquityCard
from pitboss.web.pages.law import law_link
from pitboss.web.pages.shell import button, card, escape, finding_html, frame, markup, table_html, visitor
from pitboss.web.pages.workroom import QUICK

LOOK_SECONDS: Final = 0.4
DEBOUNCE: Final = 500
"""Milliseconds after the last key before a cell is read."""


class AnalystPage:
    """One open window on the Analyst."""

    def __init__(self, asked: Question) -> None:
        self.question = asked
        """What was chosen, changes included, as last understood."""
        self.offer: Offer | None = None
        self.sheets: tuple[EditableTable, ...] = ()
        self.cells: dict[Cell, ui.input] = {}
        self.problems: dict[Cell, ui.html] = {}
        self.added: dict[str, list[str]] = {}
        self.turn = self.waiting = 0
        self.tabs = Tabs()
        self.shown: Question | None = None
        """Whose figures stand on the page, without its changes."""

    # What stands on the page

    def build(self) -> None:
        ui.add_head_html(STYLE)
        self.root = ui.element("div").style("display:none")
        markup(
            '<p style="margin:0;max-width:80ch">Exact figures of every wager and pay table: all deals are counted and '
            "the player plays each hand as well as it can be played; a figure of a part of a game only, "
            "says so. Change a row and see what follows. Nothing here is recorded.</p>"
        )
        with card("", label="What to analyse"):
            with ui.row().classes("items-end w-full").style("gap:1rem"):
                titles = {name: game.chapter.title for name, game in BANKED.items()}
                self.game = self._select("Game", titles, self.question.game, "w-56", self._game_chosen)
                self.wager = self._select("Wager", {}, None, "w-80", partial(self._chosen, "wager"))
                self.letter = self._select("Pay table", {}, None, "w-44", partial(self._chosen, "letter"))
                self.reading = self._select("Reading", {}, None, "w-72", partial(self._chosen, "reading"))
                self.day = ui.input("Law of", value=str(self.question.as_of)).props(
                    "outlined dense type=date stack-label"
                )
                self.day.classes("w-44").on_value_change(self._day_chosen)
                self.stake = ui.input("Stake, dollars", value=f"{self.question.stake / 100:g}").classes("w-36")
                self.stake.props(f"outlined dense debounce={DEBOUNCE}").on_value_change(self._stake_typed)
            with ui.element("div").classes("an-under"):
                self.about = markup("")
                self.status = markup("", "an-status").props('role="status" aria-live="polite"')
                self.cancel = button("Cancel", self._cancel, main=False)
                self.cancel.set_visibility(False)
        with ui.element("div").classes("pb-row"):
            with ui.element("section").classes("pb-card").style("flex:1 1 400px;width:auto"):
                self.table = ui.element("div").classes("w-full").style("display:grid;gap:1rem")
                self.general = markup("", "w-full").props('role="status"')
                with ui.row():
                    button("Back to the law's table", self._reset, main=False)
            with ui.element("section").classes("pb-card").style("flex:1.5 1 520px;width:auto"):
                markup("<h2>Figures</h2>")
                self.figures = markup('<p class="pb-soft">Computing…</p>', "w-full")
                self.exact = markup("", "w-full")
                markup("<h3>Distribution of the result</h3>")
                self.plot = markup("", "an-plot w-full")
                self.links = markup("", "w-full")
        with card("Target hold"):
            with ui.row().classes("items-end"):
                self.low = ui.input("From, %", value="3").props("outlined dense").classes("w-36")
                self.high = ui.input("To, %", value="4").props("outlined dense").classes("w-36")
                button("Which single row brings the law's table there?", self._aim, main=False)
            self.aimed = markup("", "w-full").props('role="status"')
        self.tabs.build()
        EquityCard(self.question.as_of).build()
        ui.timer(LOOK_SECONDS, self._look)
        ui.timer(0.05, self._start, once=True)

    def _select(self, label: str, options: Mapping[str, str], value: str | None, width: str, act: Any) -> ui.select:
        made = ui.select(dict(options), label=label, value=value, on_change=act)
        made.props("outlined dense options-dense").classes(width).style("max-width:100%")
        return made

    # Choosing

    async def _start(self) -> None:
        """The first question may come from an address; what it names wrongly becomes the usual."""
        asked = self.question
        await self._offer()
        try:
            await QUICK.ask(sheets, asked)
        except UnreadableError as problem:
            self.general.content = finding_html(problem)
            asked = Question(asked.game, asked.as_of)
        await self._load(asked)

    async def _offer(self) -> None:
        self.waiting += 1
        try:
            self.offer = await QUICK.ask(offer, self.question.game, self.question.as_of)
        finally:
            self.waiting -= 1

    async def _game_chosen(self, event: Any) -> None:
        if event.value != self.question.game:
            self.question = Question(str(event.value), self.question.as_of, stake=self.question.stake)
            await self._offer()
            await self._load(self.question)

    async def _day_chosen(self, event: Any) -> None:
        day = read_day(str(event.value or ""))
        if day is None or day == self.question.as_of:
            return
        self.question = Question(self.question.game, day, stake=self.question.stake)
        try:
            await self._offer()
            await self._load(self.question)
        except UnreadableError as problem:
            self._blank()
            self.general.content = finding_html(problem)

    def _blank(self) -> None:
        """No figure stands beside a table that it is not of."""
        self.figures.content = '<p class="pb-soft">Computing…</p>'
        self.exact.content = self.plot.content = self.links.content = self.about.content = self.aimed.content = ""

    def _cancel(self) -> None:
        self.turn += 1
        lane_of(self.question).cancel()
        self.figures.content = '<p class="pb-soft">Cancelled. Change something to compute again.</p>'

    async def _aim(self) -> None:
        """Single rows that bring the hold into the range."""
        self.waiting += 1
        try:
            low, high = (typed_percent(str(made.value or "")) for made in (self.low, self.high))
            found = await lane_of(self.question).ask(target_rows, self.question.lawful, low, high)
        except UnreadableError as problem:
            self.aimed.content = finding_html(problem)
            return
        finally:
            self.waiting -= 1
        rows = [
            (escape(each.row), each.was, f"{each.least} to {each.most}" if each.least != each.most else each.least,
             f"{100 * each.holds[0]:.2f} % to {100 * each.holds[1]:.2f} %")
            for each in found
        ]  # fmt: skip
        none = '<p class="pb-soft">No single row of whole odds does.</p>'
        body = table_html(("Row", "Pays now", "Would pay", "Hold"), rows) if rows else none
        self.aimed.content = f'<div class="pb-scroll">{body}</div>'

    async def _chosen(self, what: str, event: Any) -> None:
        """A wager, which begins with its first letter and reading, or one of these."""
        if event.value and event.value != getattr(self.question, what):
            anew: dict[str, Any] = {"letter": None, "reading": None} if what == "wager" else {}
            await self._load(replace(self.question, **anew, changes=(), **{what: event.value}))

    async def _stake_typed(self, event: Any) -> None:
        amount = read_stake(str(event.value or ""))
        self.stake.props(f"error={str(amount is None).lower()}")
        if amount is None:
            self.general.content = finding_html("The stake is an amount of dollars, such as 5 or 2.50.")
        elif amount != self.question.stake:
            self.question = replace(self.question, stake=amount)
            await self._compute()

    async def _load(self, asked: Question) -> None:
        """Show the pay tables of another question, and its figures."""
        assert self.offer is not None
        if asked.wager not in self.offer.variants:  # a game without required wagers has no main game
            asked = replace(asked, wager=next(iter(self.offer.variants)))
        listed = self.offer.variants[asked.wager]
        letter = asked.letter or listed[0][0]
        readings = [reading for known, reading in listed if known == letter]
        reading = asked.reading if asked.reading in readings else readings[0]
        if replace(asked, letter=letter, reading=reading).lawful != self.shown:
            self._blank()
        self.question = replace(asked, letter=letter, reading=reading)
        self._show_choices(list(dict.fromkeys(known for known, _ in listed)), readings)
        lawful = self.question.lawful
        shown = await QUICK.ask(sheets, lawful)
        if lawful != self.question.lawful:
            return  # something else was chosen meanwhile
        self.sheets = shown
        self.added = {sheet.name: [] for sheet in self.sheets}
        self._draw_sheets(_typed(self.sheets, asked.changes))
        self.tabs.shown_for(self.question, self.offer)
        await self._compute()

    def _show_choices(self, letters: list[str], readings: list[str]) -> None:
        """Selects that are set here call their handlers later; those see that nothing else was chosen."""
        assert self.offer is not None
        self.game.set_value(self.question.game)
        self.wager.set_options(dict(self.offer.wagers), value=self.question.wager)
        self.letter.set_options({known: letter_text(known) for known in letters}, value=self.question.letter)
        self.reading.set_options({known: _reading(known) for known in readings}, value=self.question.reading)
        self.reading.set_visibility(len(readings) > 1)
        self.letter.set_visibility(len(letters) > 1)

    # The grid

    def _draw_sheets(self, typed: Mapping[Cell, str]) -> None:
        self.table.clear()
        self.cells, self.problems = {}, {}
        with self.table:
            markup("<h2>Pay table</h2>")
            for sheet in self.sheets:
                with ui.element("div"):
                    cite = law_link(sheet.cite) + (f" ({escape(sheet.rests)})" if sheet.rests else "")
                    markup(f'<h3>{escape(sheet.title)} <span class="pb-cite">{cite}</span></h3>')
                    with ui.element("div").classes("an-sheet"):
                        for head in ("Hand", "Law", "Pays"):
                            markup(escape(head), "an-head")
                        rows = dict.fromkeys([*sheet.rows, *self.added[sheet.name]])
                        rows |= dict.fromkeys(row for table, row in typed if table == sheet.name)
                        for row in rows:
                            self._draw_row(sheet, row, typed.get((sheet.name, row), sheet.rows.get(row, "")))
                    more = {row: sheet.titles.get(row) or row_title(row) for row in sheet.more if row not in rows}
                    if more:
                        self._draw_more(sheet, more)

    def _draw_row(self, sheet: EditableTable, row: str, text: str) -> None:
        title = sheet.titles.get(row) or row_title(row)
        markup(escape(title))
        markup(escape(sheet.rows.get(row, "–")), "an-was")
        made = ui.input(value=text, placeholder="pays nothing", on_change=self._compute)
        made.props(f'outlined dense debounce={DEBOUNCE} maxlength=60 aria-label="{escape(title)} pays"')
        self.cells[sheet.name, row] = made
        self.problems[sheet.name, row] = markup("", "an-problem")
        self.problems[sheet.name, row].set_visibility(False)

    def _draw_more(self, sheet: EditableTable, more: Mapping[str, str]) -> None:
        async def add(event: Any) -> None:
            if event.value:
                self.added[sheet.name].append(str(event.value))
                self._draw_sheets({cell: str(made.value or "") for cell, made in self.cells.items()})
                self.cells[sheet.name, str(event.value)].run_method("focus")
                await self._compute()

        made = ui.select(dict(more), label="Add a row", on_change=add).props("outlined dense options-dense")
        made.classes("w-64").style("margin-top:.6rem")

    async def _reset(self) -> None:
        await self._load(self.question.lawful)

    # Figures

    async def _compute(self) -> None:
        """Figures of what is typed now; an answer that comes after something newer was asked is not shown."""
        self.turn += 1
        turn = self.turn
        self.waiting += 1
        try:
            with self.root:
                await self._answer(turn)
        except UnreadableError as problem:
            if turn == self.turn:
                self.general.content = finding_html(problem)
        finally:
            self.waiting -= 1

    async def _answer(self, turn: int) -> None:
        asked = self.question.lawful
        typed = tuple((cell, str(made.value or "")) for cell, made in self.cells.items())
        self.stake.set_visibility(any("$" in text for _, text in typed))
        grid = await QUICK.ask(read_grid, asked, typed)
        if turn != self.turn:
            return
        self._mark(grid)
        if not grid.readable:
            self.figures.classes("an-stale")
            return
        question = replace(asked, changes=grid.changes)
        answer = await lane_of(question).ask(figures, question)
        law = await lane_of(question).ask(figures, asked) if grid.changes else None
        if turn == self.turn and not self.root.client.is_deleted:
            self.question = question
            self._draw(answer, law)
            self.tabs.shown_for(question, self.offer)
            await self.tabs.refresh()

    def _mark(self, grid: Grid) -> None:
        lawful = {(sheet.name, row): odds for sheet in self.sheets for row, odds in sheet.rows.items()}
        changed = {change.partition("=")[0] for change in grid.changes}
        for cell, made in self.cells.items():
            problem = grid.problems.get(cell, "")
            made.props(f"error={str(bool(problem)).lower()} hide-bottom-space no-error-icon")
            differs = ".".join(cell) in changed or (cell not in lawful and bool(made.value))
            made.classes(add="an-changed" if differs else "", remove="" if differs else "an-changed")
            self.problems[cell].content = escape(problem)
            self.problems[cell].set_visibility(bool(problem))
        said = grid.general or ("The figures are of the last table that could be read." if grid.problems else "")
        self.general.content = finding_html(said) if said else ""

    def _draw(self, answer: EdgeFigures, law: EdgeFigures | None) -> None:
        question = self.question
        assert self.offer is not None
        self.shown = question.lawful
        self.figures.classes(remove="an-stale")
        self.figures.content = figures_html(question, answer, law)
        self.exact.content = exact_html(answer)
        title = f"Results of {self.offer.wagers[question.wager]}"
        links = {"figures.csv": "Figures as CSV", "distribution.svg": "Plot as SVG", "compare.csv": "Letters as CSV"}
        if answer.distribution:
            note = "Gold strokes mark the law's table. " if law is not None else ""
            unit = f"{question.unit}s" if question.wager == MAIN else "units wagered"
            chart = distribution_chart(title, answer.distribution, law.distribution if law else None)
            self.plot.content = f'<p class="pb-small pb-soft">{note}Net in {unit}, scale of powers of ten.</p>{chart}'
        else:
            del links["distribution.svg"]
            self.plot.content = '<p class="pb-soft">Valued by sampling: there is no exact distribution.</p>'
        shown = [(name, address(f"/analyst/{what}", question)) for what, name in links.items()]
        which = "this changed table" if question.changes else "the law's table"
        report = (f"Report of {which} to print", address("/analyst/report", question))
        self.links.content = links_html([*shown, report])
        cite = law_link(str(answer.row["cite"]))
        self.about.content = (
            f'<span class="pb-small pb-soft">{escape(self.offer.title)}, 58 Pa. Code Chapter {self.offer.chapter}, law '
            f"of {question.as_of}: {cite}</span>"
        )
        ui.navigate.history.replace(address("/analyst", question))
        ui.run_javascript(f"document.title = {dumps(f'Analyst: {self.offer.title} · pitboss')}")

    def _look(self) -> None:
        """What is being waited for."""
        lane = lane_of(self.question) if self.waiting else self.tabs.lane
        self.cancel.set_visibility(bool(self.waiting))
        if lane is None:
            self.status.content = ""
            return
        what, share = lane.progress
        wide = min(100, round(100 * share))
        bar = f'<span class="an-bar"><span style="width:{wide}%"></span></span>' if share else ""
        self.status.content = f"Computing… {escape(what)}{bar}"


def _reading(reading: str) -> str:
    return "As printed" if reading == PRINTED else reading.replace("-", " ").capitalize()


def _typed(shown: tuple[EditableTable, ...], changes: tuple[str, ...]) -> dict[Cell, str]:
    """The cells of a grid that an address asks for: the law's rows, then its changes."""
    cells = {(sheet.name, row): odds for sheet in shown for row, odds in sheet.rows.items()}
    first = shown[0].name
    for change in changes:
        name, _, odds = change.partition("=")
        table, _, row = name.strip().rpartition(".")
        known = {(sheet.name, each) for sheet in shown for each in (*sheet.rows, *sheet.more)}
        if (table or first, row) in known:
            cells[table or first, row] = "" if odds.strip() == "none" else odds.strip()
    return cells


def add_analyst_page() -> None:
    add_exports()

    @ui.page("/analyst")
    def analyst(request: Request) -> None:
        asked = question_of(request.query_params, today())
        with frame("Analyst", visitor(request), "/analyst"):
            ui.page_title(f"Analyst: {BANKED[asked.game].chapter.title} · pitboss")
            AnalystPage(asked).build()
