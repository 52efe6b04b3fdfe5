"""The audit page: find a round, step through it card by card, see what it moved, and check the whole ledger."""

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final
from urllib.parse import quote, urlencode

from fastapi import Request, Response
from nicegui import app, ui
from nicegui.events import KeyEventArguments
from starlette.responses import PlainTextResponse

from pitboss.findings import Finding, FindingsError, UnreadableError, errors
from pitboss.ledger.acknowledging import PERMISSION
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.people import Person
from pitboss.ledger.recall import NotYoursError, Recall, recall
from pitboss.ledger.review import review
from pitboss.ledger.search import RoundsFound, Wanted, find, moment
from pitboss.ledger.significant import Significant, significant
from pitboss.ledger.store import HOUSE_STREAM, Store
from pitboss.reports.felt import felt_svg
from pitboss.reports.rounds import MEDIA, check_kind, round_file, rounds_file
from pitboss.table.permissions import may
from pitboss.table.roles import Role
from pitboss.table.ruling import rules_at
from pitboss.web.limits import RefusedError
from pitboss.web.pages.audit_html import (
    STYLE,
    cited,
    exports_html,
    form_html,
    now_html,
    results_html,
    round_link,
    steps_html,
    tables_html,
    title_html,
    when,
)
from pitboss.web.pages.closing import Closing
from pitboss.web.pages.shell import (
    Visitor,
    button,
    card,
    end_with_session,
    escape,
    frame,
    house,
    markup,
    said,
    show_findings,
    table_html,
    visitor,
    whole,
)
from pitboss.web.pages.steps import Film, film

LOOK_BACK: Final = 20_000
"""Events before the last among which significant ones are searched."""
MOST_SIGNIFICANT: Final = 40
PROGRESS_SECONDS: Final = 0.3
VERIFYING: Final = "verifying"
STEP: Final = """(event) => {
  const step = event.target.closest('button[data-step]');
  if (step) emit(Number(step.dataset.step));
}"""
COMPUTING: Final = '<p class="pb-soft" role="status">Reading the ledger…</p>'


@dataclass(frozen=True)
class Loaded:
    """A round with its tables and its steps, read in one go."""

    recall: Recall
    film: Film
    is_last: bool


def load(store: Store, table: str, number: int, who: Person) -> Loaded | str:
    """A round as somebody may see it, or the sentence that says why not."""
    with store.reading() as reading:
        following = reading.events(table, round=number + 1, kinds=("wager.placed", "bets.closed"), limit=1)
    try:
        found = recall(store, table, number, who)
    except NotYoursError as refused:
        return str(refused)
    return Loaded(found, film(store, table, number, who), is_last=not following)


class RoundPage:
    """One round, taken apart."""

    def __init__(self, who: Person, loaded: Loaded, step: int | None) -> None:
        self.who, self.recall, self.film, self.is_last = who, loaded.recall, loaded.film, loaded.is_last
        self.moved = False
        last = len(self.film.frames) - 1
        self.step = min(max(step - 1, 0), last) if step else self.film.fullest

    def build(self) -> None:
        markup(title_html(self.recall, is_last=self.is_last), "w-full")
        markup(exports_html(Wanted(self.recall.table, self.recall.number)), "w-full")
        with ui.element("div").classes("au-cols"):
            with ui.element("section").props('aria-label="Round, step by step"').style("display:grid;gap:.75rem"):
                self.now = markup("", "w-full")
                with ui.row().classes("items-center pb-noprint").props('role="group" aria-label="Steps"'):
                    button("First", lambda: self.go(0), main=False)
                    button("Back", lambda: self.go(self.step - 1), main=False)
                    button("Next", lambda: self.go(self.step + 1))
                    button("Last", lambda: self.go(len(self.film.frames)), main=False)
                    markup('<span class="pb-small pb-soft">or the arrow keys</span>')
                    button("Print", lambda: ui.run_javascript("window.print()"), main=False)
                self.felt = markup("", "w-full")
            steps = markup(steps_html(self.film), "w-full")
            steps.on("click", lambda event: self.go(int(event.args)), js_handler=STEP)
        markup(tables_html(self.recall), "w-full")
        ui.keyboard(self._key, ignore=["input", "select", "textarea"])
        self.draw()

    def _key(self, event: KeyEventArguments) -> None:
        if not event.action.keydown or event.modifiers.alt or event.modifiers.ctrl or event.modifiers.meta:
            return
        if event.key.arrow_right:
            self.go(self.step + 1)
        elif event.key.arrow_left:
            self.go(self.step - 1)

    def go(self, step: int) -> None:
        self.moved = True
        self.step = min(max(step, 0), len(self.film.frames) - 1)
        self.draw()

    def draw(self) -> None:
        frame, own = self.film.frames[self.step], self.who.role == Role.PLAYER
        self.felt.content = '<div class="pb-card">The table is closed.</div>'
        if frame.table.game:
            side, person = ("player", self.who.id) if own else ("dealer", "")
            shown, rules = self.film.shown(self.step), rules_at(frame.table)
            self.felt.content = felt_svg(shown, rules, side=side, person=person, turn=frame.seat)
        self.now.content = now_html(frame, self.step, len(self.film.frames))
        if self.moved:  # the address of this very step, to be passed on
            here = {"table": self.recall.table, "round": self.recall.number, "step": self.step + 1}
            ui.navigate.history.replace(f"/audit?{urlencode(here)}")
        ui.run_javascript(f"requestAnimationFrame(() => window.pbStep({self.step}))")


class Verification:
    """The review of the whole ledger in a thread, with its progress."""

    def __init__(self, who: Visitor) -> None:
        self.who = who
        self.done, self.all = 0, 0

    def build(self) -> None:
        with card("Verify the ledger", label="Verification"):
            markup(
                "<p style='margin:0;max-width:75ch' class='pb-soft'>Chain, anchor and money, every deck against its "
                "commitment, and every round played again by the rules of its day.</p>"
            )
            self.start = button("Verify now", self.verify)
            self.bar = markup("", "w-full").props('aria-live="polite"')
            self.said = ui.column().classes("w-full")

    def _progress(self, done: int, of: int) -> None:
        self.done, self.all = done, of

    def _show(self) -> None:
        share = 100 * self.done // self.all if self.all else 0
        self.bar.content = (
            f'<div class="au-bar" role="progressbar" aria-label="Verification" aria-valuenow="{share}" '
            f'aria-valuemin="0" aria-valuemax="100"><span style="width:{share}%"></span></div>'
            f'<div class="pb-small pb-soft">Checking… '
            f"{f'event {self.done:,} of {self.all:,}' if self.all else 'the chain'}</div>"
        )

    def _review(self) -> tuple[Finding, ...]:
        pit = house().pit
        with house().only_one(VERIFYING):
            return review(pit.store, self._progress, pit.tables(), keep=True)

    async def verify(self) -> None:
        person = self.who.still()
        if person is None:
            ui.navigate.to("/login?then=/audit")
            return
        self.start.disable()
        self.done = self.all = 0
        self._show()
        began = time.monotonic()
        try:
            house().pit.demand(person, "audit.verify")
            work = asyncio.create_task(asyncio.to_thread(self._review))
            while not (await asyncio.wait({work}, timeout=PROGRESS_SECONDS))[0]:
                self._show()
            findings = work.result()
        except FindingsError as refused:
            findings, self.all = refused.findings, -1
        except RefusedError as refused:
            findings, self.all = (refused.finding,), -1
        except LedgerError as problem:
            findings, self.all = said(problem), -1
        finally:
            self.start.enable()
        self.bar.content = self._verdict(findings, time.monotonic() - began)
        show_findings(findings, into=self.said)

    def _verdict(self, findings: Sequence[Finding], seconds: float) -> str:
        if self.all < 0:
            return ""
        wrong = len(errors(findings))
        if wrong:
            return f'<strong class="pb-bad">{wrong} findings.</strong>'
        return (
            f'<strong class="pb-good">Nothing is wrong.</strong> {self.all:,} events: chain, anchor, money, deals and '
            f"rounds agree ({seconds:.1f} s)."
        )


def latest_significant() -> tuple[Significant, ...]:
    """The newest significant events first."""
    store = house().pit.store
    with store.reading() as reading:
        head = reading.head.seq
    found = list(significant(store, max(0, head - LOOK_BACK)))
    return tuple(islice(reversed(found), MOST_SIGNIFICANT))


def significant_html(found: Sequence[Significant]) -> str:
    rows = []
    for event in found:
        place = escape(event.table) if event.table else "the house"
        if event.table and event.round and event.kind in ("round.voided", "meter.paid", "irregularity.reported"):
            place = f'<a href="{round_link(event.table, event.round)}">{escape(event.table)}, round {event.round}</a>'
        who = f"{escape(event.who)} ({escape(event.role)})"
        rows.append((when(event.as_dict()["at"]), place, who, f"{escape(event.sentence)} {cited(event.cites)}".strip()))
    body = table_html(("When (UTC)", "Where", "Who", "What"), rows, below=3)
    return (
        '<section class="pb-card" aria-label="Significant events"><h2>Significant events</h2>'
        f'<div class="au-times" style="overflow-x:auto">{body}</div></section>'
    )


@dataclass
class AuditQuery:
    """The page as its address asks for it."""

    who: Visitor
    person: Person
    wanted: Wanted
    step: int | None

    def read(self) -> Loaded | tuple[RoundsFound, Sequence[Significant]] | str:
        """The round that was chosen, or what was found with what was significant, or why there is neither."""
        wanted, person = self.wanted, self.person
        try:
            if wanted.table and wanted.number:
                return load(house().pit.store, wanted.table, wanted.number, person)
            events = latest_significant() if may(person.role, "audit.read") else ()
            return find(house().pit.store, wanted, person), events
        except (LedgerError, UnreadableError) as problem:
            return str(problem)

    async def answer(self, place: ui.element) -> None:
        """Read in a thread, then draw; the page stands already and keeps answering."""
        found = await asyncio.to_thread(self.read)
        place.clear()
        with place:
            if isinstance(found, Loaded):
                RoundPage(self.person, found, self.step).build()
            elif isinstance(found, str):
                markup(f'<div class="pb-finding" role="status">{escape(found)}</div>', "w-full")
            else:
                rounds, events = found
                markup(results_html(rounds), "w-full")
                markup(exports_html(self.wanted), "w-full")
                if may(self.person.role, "audit.verify"):
                    Verification(self.who).build()
                if events:
                    markup(significant_html(events), "w-full")


def _wanted(given: Mapping[str, str]) -> Wanted:
    """The search of an address; a time that cannot be read is refused in a sentence."""
    times = {name: moment(given.get(name, "")[:40]) for name in ("since", "until")}
    number, seat = (whole(given.get(name, "")) or 0 for name in ("round", "seat"))
    return Wanted(given.get("table", "")[:60], number, given.get("player", "").strip()[:40], seat, **times)


def exported(kind: str, given: Mapping[str, str], person: Person) -> bytes:
    """One round, or the rounds that a search finds."""
    check_kind(kind)
    wanted, store = _wanted(given), house().pit.store
    if wanted.table and wanted.number:
        return round_file(recall(store, wanted.table, wanted.number, person), kind)
    return rounds_file(find(store, wanted, person).rounds, kind)


def add_audit_page() -> None:
    @app.get("/audit.{kind}")
    async def export(request: Request, kind: str) -> Response:
        person = visitor(request).person
        if person is None:
            return PlainTextResponse("Log in first.", 403)
        try:
            made = await asyncio.to_thread(exported, kind, dict(request.query_params), person)
        except (LedgerError, UnreadableError) as problem:
            return PlainTextResponse(str(problem), 400)
        headers = {"Content-Disposition": f'attachment; filename="rounds.{kind}"'}
        return Response(made, media_type=MEDIA[kind], headers=headers)

    @ui.page("/audit")
    def audit(
        request: Request,
        table: str = "",
        round: str = "",
        player: str = "",
        seat: str = "",
        since: str = "",
        until: str = "",
        step: str = "",
    ) -> None:
        who = visitor(request)
        if who.person is None:
            here = f"/audit?{request.url.query}" if request.url.query else "/audit"
            ui.navigate.to(f"/login?then={quote(here)}")
            return
        what = f"{table[:60]}, round {whole(round)}" if table and whole(round) else table[:60] or player[:40]
        with frame(f"Rounds: {what}" if what else "Rounds", who, "/audit"):
            end_with_session(who, "/audit")
            ui.add_head_html(STYLE)
            if may(who.person.role, PERMISSION):
                Closing(who).build()
            wrong: list[Finding] = []
            limits, times = {"since": since, "until": until}, {}
            for name, text in limits.items():
                try:
                    times[name] = moment(text)
                except UnreadableError as problem:
                    wrong += said(problem)
            wanted = Wanted(table[:60], whole(round) or 0, player.strip()[:40], whole(seat) or 0, **times)
            is_player = who.person.role == Role.PLAYER
            typed = [text if name in times else "" for name, text in limits.items()]
            with house().pit.store.reading() as reading:
                tables = [stream for stream in reading.streams() if stream != HOUSE_STREAM]
            markup(form_html(tables, wanted, *typed, player=is_player), "w-full")
            if wrong:
                show_findings(wrong)
                return
            place = ui.element("div").classes("w-full").style("display:flex;flex-direction:column;gap:1.25rem")
            with place:
                markup(COMPUTING)
            question = AuditQuery(who, who.person, wanted, whole(step) or None)
            ui.timer(0.01, lambda: question.answer(place), once=True)
