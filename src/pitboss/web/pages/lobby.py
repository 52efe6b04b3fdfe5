"""The lobby: every table of the house, practice without an account, and opening a table from a submission."""

from fastapi import Request
from nicegui import ui

from pitboss.findings import FindingsError
from pitboss.games.registry import GAMES
from pitboss.ledger.people import Person
from pitboss.money import show_dollars
from pitboss.submission import template
from pitboss.table.opening import day_of
from pitboss.table.roles import Role
from pitboss.table.ruling import rules_at
from pitboss.table.state import Phase, Table
from pitboss.web.pages.feed import LiveFeed
from pitboss.web.pages.shell import (
    Visitor,
    button,
    carried_out,
    end_with_session,
    escape,
    frame,
    house,
    markup,
    visitor,
)
from pitboss.web.pages.submission_parts import kept_text

LOOK_SECONDS = 1.0


def add_lobby_page() -> None:
    @ui.page("/")
    def lobby(request: Request) -> None:
        who = visitor(request)
        with frame("Lobby", who, "/"):
            _practice()
            if who.person is None:
                markup('<p><a href="/login">Log in</a> to see the tables of the house and to play at them.</p>')
                return
            end_with_session(who, "/")
            box = ui.element("div").classes("pb-grid")
            drawn: list[str] = []

            def draw() -> None:
                tables = [table for table in house().pit.tables() if table.phase != Phase.CLOSED]
                cards = [_card(table) for table in tables]
                if cards == drawn:
                    return
                drawn[:] = cards
                box.clear()
                with box:
                    for card in cards:
                        markup(card)
                    if not cards:
                        markup('<p class="pb-soft">No table is open.</p>')

            draw()
            ui.timer(LOOK_SECONDS, draw)
            if who.is_any(Role.PIT_MANAGER):
                _open(who, from_desk="desk" in request.query_params)


def _practice() -> None:
    links = "".join(
        f'<a href="/practice/{name}" style="background:#0b5d3b;color:#fff;border-radius:8px;padding:.55rem 1rem;'
        f'text-decoration:none;font-weight:600">{escape(game.chapter.title)}</a>'
        for name, game in GAMES.items()
    )
    markup(
        '<section class="pb-card" aria-label="Practice"><h2>Practise alone</h2><p class="pb-soft" style="margin:0">A '
        "virtual deck and an automatic dealer. No account, nothing is recorded.</p>"
        f'<div style="display:flex;gap:.75rem;flex-wrap:wrap">{links}</div></section>',
        "w-full",
    )


def _card(table: Table) -> str:
    rules = rules_at(table)
    required = [w for w in rules.wagers.values() if w.placed == "before" and not w.meter]
    limits = rules.limits(required[0].name)
    letters = ", ".join(f"{name.replace('_', ' ')} {t.letter}" for name, t in rules.tables.items() if t.letter != "-")
    meters = house().pit.meters() if table.meters else {}
    shown = "".join(
        f"<div><span class='pb-soft'>{escape(name.replace('_', ' '))}</span> <strong class='pb-money'>"
        + " · ".join(show_dollars(amount) for amount in meters[meter]["amounts"].values())
        + "</strong></div>"
        for name, meter in table.meters.items()
        if meter in meters
    )
    return (
        f'<section class="pb-card" aria-label="Table {escape(table.id)}"><div style="display:flex;gap:.75rem;'
        f'align-items:baseline;justify-content:space-between"><h2>{escape(rules.chapter.title)}</h2>'
        f'<span class="pb-phase">{escape(table.phase)}</span></div>'
        f"<div>Table <strong>{escape(table.id)}</strong> · {escape(table.dealing)} · "
        f"{show_dollars(limits.minimum)} to {show_dollars(limits.maximum)}</div>"
        f"<div>{len(table.homes)} of {rules.seats} seats taken · round {table.rounds + (table.play is None)}</div>"
        f"<div class='pb-small pb-soft'>Pay tables: {escape(letters) or 'as printed'}</div>{shown}"
        f'<a href="/table/{escape(table.id)}">Go to the table</a></section>'
    )


def _open(who: Visitor, *, from_desk: bool = False) -> None:
    with ui.element("section").classes("pb-card"):
        markup("<h2>Open a table</h2>")
        with ui.row().classes("items-end w-full"):
            name = ui.input("Table name", value="").classes("w-48")
            titles = {name: game.chapter.title for name, game in GAMES.items()}
            game = ui.select(titles, label="Game", value=next(iter(GAMES))).classes("w-64")
            source = ui.select(["virtual", "keyed"], label="Cards", value="virtual").classes("w-40")
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
