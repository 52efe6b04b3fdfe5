"""The first page: for a stranger what this is, for whoever works or plays here their own desk and the tables."""

from collections.abc import Iterator
from typing import Final

from fastapi import Request
from nicegui import run, ui

from pitboss.findings import FindingsError
from pitboss.games.registry import GAMES
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.floor import Standing
from pitboss.ledger.people import Person
from pitboss.ledger.schooling import attempts_of, exams_set, sittings
from pitboss.ledger.telling import proposal_words
from pitboss.money import show_dollars
from pitboss.names import several, shown
from pitboss.submission import template
from pitboss.table.opening import day_of
from pitboss.table.permissions import may
from pitboss.table.roles import SUPERVISORS, Role
from pitboss.table.ruling import rules_at
from pitboss.web.pages.feed import LiveFeed
from pitboss.web.pages.incidents import unread_html
from pitboss.web.pages.queue import FloorNow, floor_now, is_for, title_of
from pitboss.web.pages.school_html import next_html
from pitboss.web.pages.shell import (
    Visitor,
    button,
    card,
    carried_out,
    end_with_session,
    escape,
    frame,
    house,
    markup,
    visitor,
)
from pitboss.web.pages.submission_parts import kept_text
from pitboss.web.pages.welcome import STYLE, add_felts, games_html, welcome

LOOK_SECONDS: Final = 1.0


def add_lobby_page() -> None:
    add_felts()

    @ui.page("/")
    async def lobby(request: Request) -> None:
        who = visitor(request)
        person = who.person
        if person is None:
            with frame("Pennsylvania table games", who, "/", heading=False):
                ui.add_head_html(STYLE)
                welcome()
            return
        with frame("Your desk", who, "/"):
            ui.add_head_html(STYLE)
            end_with_session(who, "/")
            box, drawn = markup("", "w-full pb-desk"), [""]
            school = (await run.io_bound(school_html, person) or "") if person.role == Role.DEALER else ""

            async def draw() -> None:
                try:
                    text = await run.io_bound(desk_html, person, school)
                except LedgerError:
                    return  # the next look may find the ledger again
                if text and text != drawn[0]:
                    drawn[0] = text
                    box.content = text

            await draw()
            ui.timer(LOOK_SECONDS, draw)
            if may(person.role, "table.open_table"):
                _open(who, from_desk="desk" in request.query_params)
            if person.role == Role.PLAYER:
                markup(games_html(), "w-full")


def desk_html(person: Person, school: str = "") -> str:
    """What is somebody's to do now, what there is to learn, then the tables: those that wait for them first."""
    now = floor_now(house().pit)
    return "".join((*_tasks(person, now), school, _tables(person, now)))


def school_html(person: Person) -> str:
    """A trainee's next drill, and exams that are set."""
    pit = house().pit
    try:
        answers, sets = attempts_of(pit.store, person.id), exams_set(pit.store)
        return next_html(answers, sets, sittings(pit.store, person.id), pit.clock())
    except LedgerError:
        return ""  # the page of the school says why


def _tasks(person: Person, now: FloorNow) -> Iterator[str]:
    if person.role in (Role.DEALER, *SUPERVISORS):
        rows = [
            f'<li><a href="/table/{escape(each.table.id)}">{escape(each.table.id)}</a>, {escape(title_of(each))}: '
            f"<strong>{escape(each.step.say)}</strong></li>"
            for each in sorted(now.steps_for(person), key=lambda each: not _dealt_by(each, person))
            if each.step is not None
        ]
        rows += [
            f'<li><a href="/floor">{escape(proposal_words(proposal))}</a></li>'
            for proposal in now.proposals_for(person)
        ]
        title = "Waiting for you" if rows else "Nothing waits for you"
        more = '<a href="/floor">Go to the floor queue</a>' if person.role in SUPERVISORS else ""
        listed = f'<ul class="pb-list">{"".join(rows)}</ul>' if rows else ""
        yield f'<section class="pb-card" aria-label="Waiting for you"><h2>{title}</h2>{listed}{more}</section>'
    if may(person.role, "audit.read"):
        yield unread_html()


def _dealt_by(standing: Standing, person: Person) -> bool:
    play = standing.table.play
    return play is not None and play.dealer == person.id


def _tables(person: Person, now: FloorNow) -> str:
    cards = [
        _card(each, person) for each in sorted(now.open, key=lambda each: (not is_for(each, person), each.table.id))
    ]
    closed = "".join(
        f"<li>{escape(each.table.id)}, {escape(title_of(each))}: closed after "
        f"{several(each.table.rounds, 'round')}</li>"
        for each in now.closed
    )
    shut = (
        f'<details class="pb-card"><summary>{several(len(now.closed), "closed table")}</summary>'
        f'<ul class="pb-list">{closed}</ul></details>'
        if closed
        else ""
    )
    opens = " Open one below." if may(person.role, "table.open_table") else " A pit manager opens tables."
    none = f'<p class="pb-soft">No table is open.{opens}</p>'
    return f'<h2>Tables</h2><div class="pb-grid">{"".join(cards) or none}</div>{shut}'


def _card(standing: Standing, person: Person) -> str:
    table, step = standing.table, standing.step
    rules = rules_at(table)
    required = [w for w in rules.wagers.values() if w.placed == "before" and not w.meter]
    limits = rules.limits(required[0].name)
    meters = house().pit.meters() if table.meters else {}
    jackpots = "".join(
        f"<div class='pb-small'><span class='pb-soft'>{escape(shown(name))}</span> <strong class='pb-money'>"
        + " · ".join(show_dollars(amount) for amount in meters[meter]["amounts"].values())
        + "</strong></div>"
        for name, meter in table.meters.items()
        if meter in meters
    )
    seated = [seat for seat, player in table.boxes.items() if player == person.id]
    told = ""
    if seated:
        told = f"You sit at seat {seated[0]}."
    elif step is not None and person.role != Role.PLAYER:
        told = step.say if is_for(standing, person) else f"Waiting for the {step.role}: {step.say}"
    mine = " fr-mine" if is_for(standing, person) or seated else ""
    return (
        f'<section class="pb-card{mine}" aria-label="Table {escape(table.id)}"><div style="display:flex;gap:.75rem;'
        f'align-items:baseline;justify-content:space-between"><h3>{escape(rules.chapter.title)}</h3>'
        f'<span class="pb-phase">{escape(table.phase)}</span></div>'
        f"<div>Table <strong>{escape(table.id)}</strong> · {show_dollars(limits.minimum)} to "
        f"{show_dollars(limits.maximum)} · {len(table.homes)} of {rules.seats} seats taken</div>"
        f"{f'<div>{escape(told)}</div>' if told else ''}{jackpots}"
        f'<a href="/table/{escape(table.id)}">Go to table {escape(table.id)}</a></section>'
    )


def _open(who: Visitor, *, from_desk: bool = False) -> None:
    with card("Open a table"):
        with ui.row().classes("items-end w-full"):
            name = ui.input("Table name", value="").classes("w-48")
            titles = {name: game.chapter.title for name, game in GAMES.items()}
            game = ui.select(titles, label="Game", value=next(iter(GAMES))).classes("w-64")
            sources = {"virtual": "virtual", "keyed": "real, keyed in by the dealer"}
            source = ui.select(sources, label="Cards", value="virtual").classes("w-64")
            fill = ui.number("Fill, dollars", value=50_000, min=0, format="%d").classes("w-40")
            for made in (name, game, source, fill):
                made.props("outlined dense")
        text = ui.textarea("Rules Submission (TOML); empty for the law's template").props("outlined autogrow")
        text.classes("w-full")
        said = ui.column().classes("w-full")

        async def take() -> None:
            text.value = await kept_text()

        if from_desk:
            ui.timer(0.1, take, once=True)

        def open_table() -> None:
            def act(person: Person) -> None:
                pit = house().pit
                submission = text.value or template(str(game.value), day_of(pit.clock()))
                body = {"submission": submission, "source": source.value, "fill": int(fill.value or 0) * 100}
                if findings := LiveFeed(pit, person, str(name.value or "")).act(command="open_table", **body):
                    raise FindingsError(findings)

            if carried_out(who, "/", said, act):
                ui.navigate.to(f"/table/{name.value}")

        with ui.row():
            button("Open the table", open_table)
            button("Take the submission from the desk", take, main=False)
