"""The floor: what waits for a supervisor over all tables, payout slips, the tables themselves, and a second person."""

from collections.abc import Callable, Collection, Iterable
from functools import partial
from typing import Any, Final

from fastapi import Request, Response
from nicegui import app, run, ui
from starlette.responses import HTMLResponse, PlainTextResponse

from pitboss.findings import Finding, FindingsError, UnreadableError
from pitboss.ledger.consent import Proposal
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.floor import Standing
from pitboss.ledger.foreseeing import consequences
from pitboss.ledger.people import Person
from pitboss.ledger.rows import shown_time
from pitboss.ledger.slips import due_slip, kept_slips
from pitboss.ledger.telling import proposal_words
from pitboss.money import MoneyError, cents, show_dollars
from pitboss.names import several
from pitboss.reports.slip import slip_html, slip_part
from pitboss.table.permissions import may, may_consent, second_of
from pitboss.table.roles import SUPERVISORS
from pitboss.table.ruling import rules_at
from pitboss.table.settling import Validate
from pitboss.web.pages.feed import LiveFeed
from pitboss.web.pages.queue import FloorNow, floor_now, title_of
from pitboss.web.pages.shell import (
    Visitor,
    add_own_page,
    button,
    card,
    carried_out,
    confirmed,
    escape,
    house,
    legend,
    markup,
    sheet,
    visitor,
)

LOOK_SECONDS: Final = 1.0
STYLE: Final = sheet("floor.html")
Act = Callable[[Person], None]
Do = Callable[[Act], None]
"""Carries out what was pressed as whoever is logged in now."""


class Waiting:
    """The proposals that wait, with what this person can say to each."""

    def __init__(self, person: Person, do: Do, acts: Collection[str] = ()) -> None:
        self.person, self.do, self.acts = person, do, acts
        self.drawn: tuple[Proposal, ...] | None = None
        with card("Changes that wait for a second person", label="Waiting changes"):
            self.list = ui.column().classes("w-full")

    def look(self) -> None:
        waiting = tuple(p for p in house().pit.proposals() if not self.acts or p.act in self.acts)
        if waiting == self.drawn:
            return
        self.drawn = waiting
        self.list.clear()
        with self.list:
            if not waiting:
                markup('<p class="pb-soft" style="margin:0">None.</p>')
            for proposal in waiting:
                self._proposal(proposal)

    def _proposal(self, proposal: Proposal) -> None:
        when = shown_time(proposal.at)[:16].replace("T", " ")
        mine = proposal.by == self.person.id
        consents = may_consent(self.person.role, proposal.act) and not mine
        with ui.row().classes("items-center w-full justify-between").style("gap:1rem"):
            markup(
                f"<div><strong>{escape(proposal_words(proposal))}</strong><div class='pb-small pb-soft'>Proposal "
                f"{proposal.number} by {escape(proposal.by)}, {when} UTC</div></div>"
            ).style("flex:1 1 320px")
            with ui.row():
                if consents:
                    button("Approve", lambda: self.do(lambda who: house().pit.approve(proposal.number, who)))
                else:
                    told = "Somebody else approves it." if mine else f"It waits for {second_of(proposal.act)}."
                    markup(f'<span class="pb-soft pb-small">{escape(told)}</span>')
                if consents or mine:
                    no = "Take back" if mine else "Reject"
                    button(no, lambda: self.do(lambda who: house().pit.reject(proposal.number, who)), main=False)


class FloorPage:
    """One open window on the whole floor."""

    def __init__(self, who: Visitor, person: Person) -> None:
        self.who, self.person = who, person
        self.steps: tuple[tuple[str, int], ...] | None = None
        self.shown: tuple[Any, ...] | None = None
        self.count = -1
        ui.add_head_html(STYLE)
        self.bell = markup("")
        self.said = ui.column().classes("w-full").props('aria-live="polite"')
        if person.role in SUPERVISORS:
            with card("Waiting for a supervisor", label="Queue"):
                self.queue = ui.column().classes("w-full")
                self.sound = ui.switch("Sound when something new waits", value=True)
        self.waiting = Waiting(person, self.do)
        with card("Tables"):
            self.tables = ui.column().classes("w-full")
        self.look()
        ui.timer(LOOK_SECONDS, self.look)

    def look(self) -> None:
        try:
            now = floor_now(house().pit)
            self._ring(now.count_for(self.person))
            if self.person.role in SUPERVISORS:
                self._queue(now)
            self.waiting.look()
            self._tables(now)
        except LedgerError:
            return  # the next look may find the ledger again

    def do(self, act: Act) -> None:
        if carried_out(self.who, "/floor", self.said, act):
            self.look()

    def _ring(self, count: int) -> None:
        """The badge in the title and, when there is more than before, the sound."""
        if count == self.count:
            return
        rings = 0 <= self.count < count and self.person.role in SUPERVISORS and self.sound.value
        self.count = count
        told = f"{several(count, 'thing')} waiting for you." if count else "Nothing waits for you."
        self.bell.content = f'<p role="status" data-waiting="{count}" style="margin:0">{told}</p>'
        ui.run_javascript(f"window.pbWaiting && window.pbWaiting({count}, {str(bool(rings)).lower()})")

    # The queue

    def _queue(self, now: FloorNow) -> None:
        waits = now.steps_for(self.person)
        key = tuple((each.table.id, each.table.events) for each in waits)
        if key == self.steps:
            return
        self.steps = key
        self.queue.clear()
        with self.queue:
            if not waits:
                markup('<p class="pb-soft" style="margin:0">No table waits for a supervisor.</p>')
            for each in waits:
                self._wait(each)

    def _wait(self, standing: Standing) -> None:
        step, table = standing.step, standing.table
        assert step is not None
        with ui.element("div").classes("fl-wait").props(f'data-table="{table.id}"'):
            markup(
                f'<div><a href="/table/{escape(table.id)}">Table {escape(table.id)}</a>, {escape(title_of(standing))}: '
                f'<strong>{escape(step.say)}</strong> <span class="pb-cite">{escape(step.cite)}</span></div>'
            )
            if step.command is None:
                return
            body = {name: value for name, value in step.command.as_dict().items() if value is not None}
            if isinstance(step.command, Validate):
                self._slip(table.id, body)
            else:
                button("Done", partial(self._act, table.id, body))

    def _slip(self, table: str, body: dict[str, Any]) -> None:
        slip = due_slip(house().pit, table)
        if slip is None:
            return
        with ui.element("details").props("open"):
            legend(f"Payout slip: {show_dollars(slip.amount)}", "summary")
            markup(f'<div class="fl-slip">{slip_part(slip)}</div>', "w-full")
        with ui.row():
            button(f"Validate {show_dollars(slip.amount)}", partial(self._act, table, body))
            markup(f'<a href="/slip/{escape(table)}" target="_blank">Print the slip</a>', "pb-links")

    def _act(self, table: str, body: dict[str, Any]) -> None:
        def act(person: Person) -> None:
            if findings := LiveFeed(house().pit, person, table).act(**body):
                raise FindingsError(findings)

        self.do(act)

    # The tables

    def _tables(self, now: FloorNow) -> None:
        key = tuple((each.table.id, each.table.phase, each.step, *each.table.homes) for each in now.tables)
        if key == self.shown:
            return
        self.shown = key
        self.tables.clear()
        with self.tables:
            for each in (*now.open, *now.closed):
                self._table(each)
            if not now.tables:
                markup('<p class="pb-soft" style="margin:0">The house has no table.</p>')

    def _table(self, standing: Standing) -> None:
        table, step = standing.table, standing.step
        is_open = step is not None
        players, rounds = several(len(table.homes), "player"), several(table.rounds, "round")
        told = f"{players}. Waiting for the {step.role}: {step.say}" if step else f"{rounds} played."
        with ui.element("div").classes("fl-table").props(f'data-table="{table.id}"'):
            markup(
                f'<div><a href="/table/{escape(table.id)}"><strong>{escape(table.id)}</strong></a> '
                f'{escape(title_of(standing))} <span class="pb-phase">{escape(table.phase)}</span>'
                f'<div class="pb-small pb-soft">{escape(told)}</div></div>'
            ).style("flex:1 1 320px")
            with ui.row():
                if is_open and may(self.person.role, "table.change_limits"):
                    button("Limits…", partial(self._limits, standing), main=False)
                if is_open and may(self.person.role, "table.close_table"):
                    button("Close…", partial(self._close, table.id), main=False)
                if not is_open and may(self.person.role, "table.open_table"):
                    button("Open again…", partial(self._reopen, standing), main=False)

    def _close(self, table: str) -> None:
        body = {"command": "close_table"}
        with ui.dialog() as dialog, ui.card():
            reason = ui.input("Reason").props("outlined dense maxlength=200").classes("w-full")
            self._foretold(dialog, f"Close table {table}", table, lambda: {**body, "reason": str(reason.value or "")})
        dialog.open()

    def _limits(self, standing: Standing) -> None:
        table, rules = standing.table, rules_at(standing.table)
        own = {w.name: w.title for w in rules.wagers.values() if w.placed == "before" and not w.meter}
        with ui.dialog() as dialog, ui.card():
            wager = ui.select(own, label="Wager", value=next(iter(own))).props("outlined dense").classes("w-full")
            low, high = (ui.input(f"{what}, dollars").props("outlined dense") for what in ("Minimum", "Maximum"))

            def known() -> None:
                now = rules.limits(str(wager.value))
                low.value, high.value = f"{now.minimum / 100:g}", f"{now.maximum / 100:g}"

            wager.on_value_change(known)
            known()

            def body() -> dict[str, Any]:
                try:
                    typed = {"minimum": cents(str(low.value or "")), "maximum": cents(str(high.value or ""))}
                except MoneyError as problem:
                    raise UnreadableError(f"{problem}.") from None
                return {"command": "change_limits", "wager": wager.value, **typed}

            self._foretold(dialog, f"Limits at {table.id}", table.id, body)
        dialog.open()

    def _reopen(self, standing: Standing) -> None:
        table, before = standing.table, house().pit.opening(standing.table)
        links = {name: meter for name, meter in before["meters"].items() if meter != f"{table.id}-{name}"}
        body = {"command": "open_table", "meters": links, **{name: before[name] for name in ("submission", "source")}}
        with ui.dialog() as dialog, ui.card():
            fill = ui.input("Fill, dollars", value="50000").props("outlined dense").classes("w-full")

            def whole() -> dict[str, Any]:
                try:
                    return {**body, "fill": cents(str(fill.value or "0"))}
                except MoneyError as problem:
                    raise UnreadableError(f"{problem}.") from None

            title = f"Open table {table.id} again"
            told = (
                f"{title_of(standing)} opens under the same submission, with new cards and the chips of the fill. On "
                "the gaming day on which it was closed a second person consents first.",
            )
            self._foretold(dialog, title, table.id, whole, told)
        dialog.open()

    def _foretold(
        self, dialog: ui.dialog, title: str, table: str, body: Callable[[], dict[str, Any]], told: Iterable[str] = ()
    ) -> None:
        """The consequences of what is typed, and only below them the button that does it."""

        def foretell() -> tuple[str, ...]:
            person = self.who.still()
            if person is None:
                raise FindingsError([Finding("session", "", "", "", "Your session has ended; log in again.")])
            return tuple(told) or consequences(house().pit, table, body(), person)

        confirmed(dialog, title, foretell, lambda: self._act(table, body()))


def floor(who: Visitor, person: Person) -> None:
    if may(person.role, "consent.read"):
        FloorPage(who, person)
    else:
        markup("<p>Only those who run the game see what waits on the floor.</p>")


def add_floor_page() -> None:
    add_own_page("/floor", "Floor", floor)

    @ui.page("/consents")
    def moved() -> None:
        ui.navigate.to("/floor")

    @app.get("/slip/{table}")
    @app.get("/slip/{table}/{number}")
    async def slip(request: Request, table: str, number: int = 0) -> Response:
        """The slips of a round, or the one that waits at the table now."""
        person = visitor(request).person
        if person is None or not may(person.role, "audit.read"):
            return PlainTextResponse("Only supervisors and auditors read payout slips.", 403)
        try:
            if number:
                found = await run.io_bound(kept_slips, house().pit.store, table, number, person)
            else:
                due = await run.io_bound(due_slip, house().pit, table)
                found = (due,) if due is not None else ()
        except (LedgerError, UnreadableError) as problem:
            return PlainTextResponse(str(problem), 404)
        if not found:
            return PlainTextResponse("There is no payout slip here.", 404)
        return HTMLResponse(slip_html(found))
