"""The Analyst's page without a server: drawn from answers that are counted here instead of by a worker."""

from collections.abc import Callable, Collection
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from starlette.requests import Request

from pitboss.web.analysis import Question, compare, more_rows, row_effects
from pitboss.web.live import View
from pitboss.web.questions import HOME, address
from pitboss.web.render import block
from pitboss.web.views import analyst
from pitboss.web.views.base import Visit
from pitboss.web.visitor import Visitor
from pitboss.web.workroom import Lane, Underway

SLOW = (row_effects, more_rows, compare)


def view_of(question: Question, tab: str = "", *, without: Collection[Callable[..., Any]] = (), **more: str) -> View:
    """What a window at a tab sees; ``without`` are counts that are still running."""

    def look(_: Lane, work: Callable[..., Any], *args: Any, **_asked: Any) -> Any:
        return Underway() if work in without else work(*args)

    path, _, query = address(f"{HOME}/{tab}" if tab else HOME, question, more).partition("?")
    scope = {"type": "http", "method": "GET", "path": path, "query_string": query.encode(), "headers": []}
    house = SimpleNamespace(pit=SimpleNamespace(clock=lambda: 0))
    with patch.object(Lane, "look", look), patch.object(analyst, "house", lambda: house):
        return analyst.AnalystTab(Visit(Request(scope), Visitor(None))).view()


def drawn(
    question: Question,
    tab: str = "",
    *,
    without: Collection[Callable[..., Any]] = (),
    regions: Collection[str] = analyst.BLOCKS,
    **more: str,
) -> str:
    """Regions of a tab's page."""
    view = view_of(question, tab, without=without, **more)
    known = {**view.known(), "page_title": tab}
    return "".join(block(view.template, name, known) for name in view.blocks if name in regions)
