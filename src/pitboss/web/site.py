"""The site: the HTTP interface and the pages of one house in one application."""

from typing import Final

from fastapi import FastAPI, Request, Response
from starlette.exceptions import HTTPException
from starlette.routing import BaseRoute, Route

from pitboss.web import channel
from pitboss.web.api import http_refusal
from pitboss.web.limits import API
from pitboss.web.render import STATIC, static_file
from pitboss.web.security import house_of
from pitboss.web.views import (
    accounts,
    analyst,
    analyst_files,
    audit,
    floor,
    home,
    incidents,
    law,
    meters,
    practice,
    school,
    session,
    settle,
    signs,
    slips,
    submissions,
    table,
    watch,
)
from pitboss.web.views.base import Visit, page
from pitboss.web.visitor import serve_house, visitor

VIEWS: Final[tuple[BaseRoute, ...]] = (
    Route(f"{STATIC}/{{digest}}/{{name}}", static_file, include_in_schema=False),
    channel.ROUTE,
    *home.ROUTES,
    *session.ROUTES,
    *table.ROUTES,
    *practice.ROUTES,
    *watch.ROUTES,
    *settle.ROUTES,
    *law.ROUTES,
    *floor.ROUTES,
    *meters.ROUTES,
    *incidents.ROUTES,
    *slips.ROUTES,
    *audit.ROUTES,
    *submissions.ROUTES,
    *signs.ROUTES,
    *analyst_files.ROUTES,
    *analyst.ROUTES,
    *school.ROUTES,
    *accounts.ROUTES,
)
"""All pages, with their files and their channel."""


def add_pages(app: FastAPI) -> FastAPI:
    """Put the pages beside the interface; they act through the same pit and the same permissions."""
    serve_house(house_of(app))
    app.router.routes.extend(VIEWS)
    app.add_exception_handler(HTTPException, _nothing_here)
    return app


def _nothing_here(request: Request, error: Exception) -> Response:
    """A page for an address at which there is nothing; the interface says so in JSON."""
    if request.url.path.startswith(API) or not (isinstance(error, HTTPException) and error.status_code == 404):
        return http_refusal(request, error)
    address = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    visit = Visit(request, visitor(request))
    return page(visit, "nothing.html", "Nothing here", status=404, address=address[:120])
