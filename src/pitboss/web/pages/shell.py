"""What every page shares: who is looking, the frame around the page, findings, and the log-in."""

import html
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, cast

from fastapi import HTTPException, Request, Response
from fastapi.exception_handlers import http_exception_handler
from fastapi.exceptions import RequestValidationError
from nicegui import Client, app, run, ui

from pitboss import NOTICE
from pitboss.findings import Finding, FindingsError, UnreadableError
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.people import Person
from pitboss.names import shown_key
from pitboss.table.permissions import may
from pitboss.table.roles import Role
from pitboss.web.security import COOKIE, House


def sheet(name: str) -> str:
    """Styles and scripts of a page, as they stand in the file of that name."""
    return (Path(__file__).parent / "sheets" / name).read_text(encoding="utf-8")


CSS: Final = sheet("theme.css")
"""How the house looks: one sheet of colours, type and spacing for every page."""
NAVIGATION: Final = (
    ("/", "Home"),
    ("/settle", "Settle"),
    ("/analyst", "Analyst"),
    ("/submissions", "Submissions"),
    ("/signs", "Signs"),
    ("/law", "Law"),
    ("/school", "School"),
)
FOR_SOME: Final = (
    ("/floor", "Floor", "consent.read"),
    ("/audit", "Rounds", "session.use"),
    ("/meters", "Meters", "meters.read"),
    ("/incidents", "Incidents", "audit.read"),
    ("/school/class", "Class", "school.read-class"),
    ("/accounts", "Accounts", "account.list"),
)
"""Pages that only those see who may use them."""
SESSION_SECONDS: Final = 0.5
"""Between two looks at whether the session of an open page has ended."""
WARNING_SECONDS: Final = 120
"""Before the end of a session at which its page says so."""
LOG_OUT: Final = """
fetch('/api/logout', {method: 'POST', headers: {'X-CSRF-Token': TOKEN, 'Content-Type': 'application/json'}})
  .then(() => location.assign('/'))
"""
MENU: Final = (
    "const open = document.getElementById('pb-header').classList.toggle('open');"
    "this.setAttribute('aria-expanded', open)"
)
COME_BACK: Final = sheet("come_back.html")
"""A server that was started anew knows no visit of before and refuses its socket; only the page can ask for a new one.
A page that never had its socket is not asked for again, or it would be for ever."""

_current: list[House] = []


def house() -> House:
    """The house whose pages are served by this process."""
    return _current[-1]


def serve_house(served: House) -> None:
    _current.append(served)


@dataclass(frozen=True)
class Visitor:
    """Who looks at a page; somebody without an account may look around and practice."""

    person: Person | None
    """Nobody as well while a password that somebody else has chosen waits to be changed."""
    token: str = ""
    csrf: str = ""
    must_change: bool = False

    @property
    def id(self) -> str:
        return self.person.id if self.person else ""

    @property
    def role(self) -> Role | None:
        return self.person.role if self.person else None

    def still(self, *, active: bool = True) -> Person | None:
        """The person, if the session has not ended meanwhile."""
        return house().people.person_of(self.token, active=active) if self.token else None

    def lasts(self) -> float:
        """Seconds until the session ends if nobody does anything; 0 where it has ended."""
        session = house().people.session_of(self.token, active=False) if self.token else None
        return 0.0 if session is None or session.must_change else max(0.001, session.left / 1_000_000)

    def is_any(self, *roles: Role) -> bool:
        return self.role in roles


def visitor(request: Request) -> Visitor:
    token = request.cookies.get(COOKIE, "")
    session = house().people.session_of(token) if 0 < len(token) <= 200 else None
    if session is None:
        return Visitor(None)
    return Visitor(None if session.must_change else session.person, token, session.csrf, session.must_change)


@contextmanager
def frame(title: str, who: Visitor, path: str = "", *, heading: bool = True) -> Iterator[None]:
    """Header, notice and main part of a page."""
    ui.page_title(f"{title} · pitboss")
    ui.add_head_html(f'<style>{CSS}</style><meta name="viewport" content="width=device-width, initial-scale=1">')
    ui.add_head_html("<script>document.documentElement.lang = 'en'</script>")
    ui.add_head_html(COME_BACK)
    mine = [(href, name) for href, name, act in FOR_SOME if who.role is not None and may(who.role, act)]
    pages = (*NAVIGATION, *mine)
    marks = {path: ' aria-current="page"'}
    links = "".join(f'<a href="{href}"{marks.get(href, "")}>{html.escape(name)}</a>' for href, name in pages)
    if who.must_change:
        person = '<a href="/password">Choose your own password</a>'
    elif who.person is None:
        person = '<a href="/login">Log in</a>'
    else:
        script = html.escape(LOG_OUT.replace("TOKEN", repr(who.csrf)), quote=True)
        role = f'<span class="pb-role"> · {html.escape(str(who.person.role))}</span>'
        name = f"{html.escape(who.person.name)}{role}"
        person = f'<a href="/password">{name}</a><button type="button" onclick="{script}">Log out</button>'
    ui.html(
        f'<header class="pb-header" id="pb-header"><a class="pb-brand" href="/">pitboss</a><button type="button" '
        f'class="pb-menu" aria-expanded="false" aria-controls="pb-nav" onclick="{MENU}">Menu</button>'
        f'<nav class="pb-nav" id="pb-nav" aria-label="Pages">{links}</nav><div class="pb-who">{person}</div></header>'
        f'<div class="pb-notice" role="note">{NOTICE}</div>',
        sanitize=False,
    )
    with ui.element("div").classes("pb-main"):  # inside the page's <main>
        if heading:
            ui.html(f"<h1>{html.escape(title)}</h1>", sanitize=False)
        yield


def end_with_session(who: Visitor, then: str) -> None:
    """A page of somebody who has logged in ends when the session does: by log-out, idleness, a new role, a disabled
    account. Everything that could still be read or pressed goes with it, even if the browser stays."""
    client, warned = ui.context.client, [False]
    warning = ui.element("div").classes("pb-ending").props('role="alert"')

    def stay() -> None:
        who.still()
        warning.clear()
        warned[0] = False

    async def look() -> None:
        try:
            # Three answers: how long it lasts, that it has ended, and none while the server stops.
            left = await run.io_bound(who.lasts)
        except LedgerError:
            return  # whoever cannot be asked is asked again
        if left is None or client.is_deleted:
            return
        if left <= 0:
            client.open(f"/login?then={then}&ended=1")
            client.remove_all_elements()
        elif left < WARNING_SECONDS and not warned[0]:
            warned[0] = True
            with warning:
                minutes = max(1, round(left / 60))
                markup(f"<span>Nothing was pressed for a while: you are logged out in {minutes} min.</span>")
                button("Stay logged in", stay)
        elif left >= WARNING_SECONDS and warned[0]:
            warning.clear()
            warned[0] = False

    ui.timer(SESSION_SECONDS, look)


def add_own_page(path: str, title: str, build: Callable[[Visitor, Person], object]) -> None:
    """A page for those who have logged in, which ends with their session."""

    @ui.page(path)
    def page(request: Request) -> None:
        who = visitor(request)
        if who.person is None:
            ui.navigate.to(f"/login?then={path}")
            return
        with frame(title, who, path):
            build(who, who.person)
            end_with_session(who, path)


def carried_out(who: Visitor, here: str, into: ui.element, act: Callable[[Person], object]) -> bool:
    """Carry out what was pressed as whoever is logged in now; what stands against it is said on the page."""
    person = who.still()
    if person is None:
        ui.navigate.to(f"/login?then={here}")
        return False
    try:
        act(person)
    except FindingsError as refused:
        show_findings(refused.findings, into=into)
        return False
    except (UnreadableError, LedgerError) as problem:
        show_findings(said(problem), into=into)
        return False
    show_findings([], into=into)
    return True


def markup(text: str, classes: str = "") -> ui.html:
    """Markup of our own making; whatever comes from outside has been escaped by whoever calls."""
    return ui.html(text, sanitize=False).classes(classes)


def legend(text: str, tag: str = "legend") -> None:
    """The title that belongs to a group of fields, or to details that can be opened."""
    with ui.element(tag):
        markup(escape(text))


def escape(value: object) -> str:
    return html.escape(str(value))


MOST_DIGITS: Final = 12


def whole(text: str) -> int | None:
    """A whole number that somebody typed; nothing if it is none.

    >>> whole(" 500 "), whole("5.5"), whole(""), whole("9" * 5000)
    (500, None, None, None)
    """
    typed = text.strip()
    return int(typed) if typed.isascii() and typed.isdigit() and len(typed) <= MOST_DIGITS else None


def findings_html(findings: Iterable[Finding]) -> str:
    """Findings as people read them: the sentence, then the paragraph."""
    parts = []
    for finding in findings:
        kind = "pb-note" if finding.severity == "note" else "pb-finding"
        cite = f' <span class="pb-cite">[{escape(finding.cite)}]</span>' if finding.cite else ""
        place = shown_key(finding.where) if "_" in finding.where else finding.where
        where = f"<strong>{escape(place)}</strong>: " if place else ""
        parts.append(f'<div class="{kind}">{where}{escape(finding.sentence)}{cite}</div>')
    return f'<div role="status" style="display:grid;gap:.5rem">{"".join(parts)}</div>' if parts else ""


def finding_html(sentence: object) -> str:
    """A sentence against something, without a role of its own."""
    return f'<div class="pb-finding">{escape(sentence)}</div>'


def said(sentence: object, *, note: bool = False) -> tuple[Finding, ...]:
    """What only this page has to say, as a finding."""
    return (Finding("page", "", "", "", str(sentence), severity="note" if note else "error"),)


def show_findings(findings: Iterable[Finding], *, into: ui.element | None = None) -> None:
    box = into or ui.column().classes("w-full")
    box.clear()
    with box:
        markup(findings_html(findings), "w-full")


@contextmanager
def card(title: str, *, label: str = "", classes: str = "") -> Iterator[None]:
    """A part of a page, with its title as a heading unless only the ``label`` is given."""
    with ui.element("section").classes(f"pb-card {classes}").props(f'aria-label="{label or escape(title)}"'):
        if title:
            markup(f"<h2>{escape(title)}</h2>")
        yield


def button(text: str, act: Callable[[], object], *, main: bool = True, danger: bool = False) -> ui.button:
    """One look for every button: filled for what is meant to happen next, outlined for the rest.

    What it does is done for the window: the place of the button itself may be drawn anew before the act is over.
    """
    client = ui.context.client

    async def press() -> None:
        with client:
            done = act()
            if isinstance(done, Awaitable):
                await done

    made = ui.button(text, on_click=press, color=None).classes("pb-btn")
    colour = "#a3202f" if danger else "#0b5d3b"
    made.props("unelevated no-caps" if main else "outline no-caps")
    made.style(f"background:{colour};color:#fff" if main else f"color:{colour}")
    return made


def confirmed(dialog: ui.dialog, title: str, foretell: Callable[[], Iterable[str]], act: Callable[[], object]) -> None:
    """Inside a dialog: what would follow is read first, and only then is there a button that does it."""
    with ui.element("div").classes("pb-confirm"):
        markup(f"<h2>{escape(title)}</h2>")
        told = ui.column().classes("w-full").props('aria-live="polite"')
        with ui.row():
            button("What follows?", lambda: read())
            button("Cancel", dialog.close, main=False)

    def read() -> None:
        try:
            sentences = tuple(foretell())
        except FindingsError as refused:
            show_findings(refused.findings, into=told)
            return
        except (UnreadableError, LedgerError) as problem:
            show_findings(said(problem), into=told)
            return
        told.clear()
        with told:
            items = "".join(f"<li>{escape(sentence)}</li>" for sentence in sentences)
            markup(f'<ul class="pb-list pb-note">{items or "<li>Nothing else changes.</li>"}</ul>', "w-full")

            def do() -> None:
                dialog.close()
                act()

            button(f"{title}: yes", do, danger=True)


def asked(title: str, sentences: Iterable[str], act: Callable[[], object]) -> None:
    """A dialog that says what would follow, with a button that does it and one that does not."""
    with ui.dialog() as dialog, ui.card().classes("pb-confirm"):
        items = "".join(f"<li>{escape(sentence)}</li>" for sentence in sentences)
        markup(f'<h2>{escape(title)}</h2><ul class="pb-list pb-note">{items}</ul>', "w-full")

        async def do() -> None:
            dialog.close()
            done = act()
            if isinstance(done, Awaitable):
                await done

        with ui.row():
            button("Yes, do it", do, danger=True)
            button("No", dialog.close, main=False)
    dialog.open()


def table_html(
    heads: Iterable[str],
    rows: Iterable[Iterable[str]],
    *,
    numbers: Iterable[int] = (),
    caption: str = "",
    below: int | None = None,
) -> str:
    """A table; cells are markup already. On a phone the column ``below`` stands under the line of the others."""
    kinds = {**dict.fromkeys(numbers, " class=num"), **({} if below is None else {below: " class=below"})}
    head = "".join(f'<th scope="col"{kinds.get(i, "")}>{h}</th>' for i, h in enumerate(heads))
    body = "".join(
        "<tr>" + "".join(f"<td{kinds.get(i, '')}>{cell}</td>" for i, cell in enumerate(row)) + "</tr>" for row in rows
    )
    shown = f"<caption class='pb-soft pb-small' style='text-align:left'>{caption}</caption>" if caption else ""
    kind = "pb-table" if below is None else "pb-table pb-below"
    return f'<table class="{kind}">{shown}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'


ENDED: Final = (
    "Your session has ended: after 15 minutes in which nothing was pressed, after 12 hours, or because your account "
    "was changed. Nothing of what was recorded is lost; log in to go on."
)
LOGIN_FORM: Final = sheet("login_form.html")
LOGIN_SCRIPT: Final = sheet("login_script.html")
PASSWORD_FORM: Final = sheet("password_form.html")
PASSWORD_SCRIPT: Final = sheet("password_script.html")


def add_login_page() -> None:
    @ui.page("/password")
    def password(request: Request) -> None:
        who = visitor(request)
        if not who.token:
            ui.navigate.to("/login")
            return
        with frame("Your password", who, "/password"):
            ui.add_body_html(PASSWORD_SCRIPT.replace("TOKEN", repr(who.csrf)))
            if who.must_change:
                markup("<p>Somebody else has chosen your password. Choose your own, then log in with it.</p>")
            markup(PASSWORD_FORM)

    @ui.page("/login")
    def login(request: Request, ended: int = 0) -> None:
        with frame("Log in", visitor(request), "/login"):
            ui.add_body_html(LOGIN_SCRIPT)
            if ended:
                markup(f'<div class="pb-note" role="status">{ENDED}</div>')
            markup(LOGIN_FORM)
            if house().demonstration:
                rows = ((*map(escape, each), _log_in_as(*each[:2])) for each in house().demonstration)
                listed = table_html(("Account", "Password", "Job", "<span class=pb-sr>Log in</span>"), rows)
                markup(
                    '<section class="pb-card" aria-label="Demonstration" style="max-width:40rem"><h2>Everybody in this '
                    f"demonstration</h2>{listed}</section>"
                )


def _log_in_as(account: str, password: str) -> str:
    marks = f'data-account="{escape(account)}" data-password="{escape(password)}"'
    return (
        f'<button type="button" class="pb-press plain" {marks} aria-label="Log in as {escape(account)}">Log in</button>'
    )


def add_not_found() -> None:
    """Our own page for an address at which there is nothing, or in which a number is none."""

    @app.exception_handler(RequestValidationError)
    async def unreadable(request: Request, _: Exception) -> Response:
        return nothing(request)

    @app.exception_handler(404)
    async def not_found(request: Request, error: Exception) -> Response:
        endpoint = request.scope.get("endpoint")
        if endpoint is not None and endpoint is not app and not request.scope.get("nicegui_page_path"):
            return await http_exception_handler(request, cast(HTTPException, error))  # a file or a figure, not a page
        return nothing(request)

    def nothing(request: Request) -> Response:
        address = request.url.path + (f"?{request.url.query}" if request.url.query else "")
        with Client(ui.page(""), request=request) as client, frame("Nothing here", visitor(request)):
            markup(
                f"<p>There is nothing at <code>{escape(address[:120])}</code>. It may have been mistyped, or "
                "a link is old.</p><p><a href='/'>Go to the first page</a>, or <a href='/law'>search the law</a>.</p>"
            )
        return client.build_response(request, 404)
