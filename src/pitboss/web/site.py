"""The site: the HTTP interface and the pages of one house in one application."""

from pathlib import Path
from secrets import token_hex

from fastapi import FastAPI
from nicegui import ui

from pitboss.web.pages.accounts import add_accounts_page
from pitboss.web.pages.analyst import add_analyst_page
from pitboss.web.pages.audit import add_audit_page
from pitboss.web.pages.disputing import add_dispute_page
from pitboss.web.pages.floor import add_floor_page
from pitboss.web.pages.incidents import add_incidents_page
from pitboss.web.pages.law import add_law_page
from pitboss.web.pages.lobby import add_lobby_page
from pitboss.web.pages.meters import add_meters_page
from pitboss.web.pages.school import add_school_pages
from pitboss.web.pages.shell import add_login_page, add_not_found, serve_house
from pitboss.web.pages.signs import add_signs_page
from pitboss.web.pages.submissions import add_submissions_page
from pitboss.web.pages.table import add_table_pages
from pitboss.web.pages.watching import add_watch_page
from pitboss.web.security import COOKIE, house_of

_added: list[bool] = []


def add_pages(app: FastAPI) -> FastAPI:
    """Mount the pages beside the interface; they act through the same pit and the same permissions."""
    serve_house(house_of(app))
    if not _added:
        for add in (
            add_not_found,
            add_login_page,
            add_lobby_page,
            add_table_pages,
            add_watch_page,
            add_dispute_page,
            add_incidents_page,
            add_law_page,
            add_meters_page,
            add_audit_page,
            add_analyst_page,
            add_submissions_page,
            add_signs_page,
            add_floor_page,
            add_school_pages,
            add_accounts_page,
        ):
            add()
        _added.append(True)
    house, secret = house_of(app), token_hex(32)
    house.sockets.know(secret, COOKIE)
    ui.run_with(
        app,
        mount_path="/",
        title="pitboss",
        favicon=Path(__file__).parent / "pages" / "sheets" / "favicon.svg",
        storage_secret=secret,
        session_middleware_kwargs={"https_only": house.settings.secure_cookie, "same_site": "strict"},
        show_welcome_message=False,
        tailwind=False,
        reconnect_timeout=10,
    )
    return app
