"""Documents as parts of pages, and as pages of their own."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from starlette.responses import Response

from pitboss.paper import say
from pitboss.paper.model import Paper, Passage
from pitboss.paper.page import passages_html
from pitboss.web.links import law_address
from pitboss.web.render import joined
from pitboss.web.views.base import Visit, page, sentence


def document(passages: Iterable[Passage], link: Callable[[str], str | None] = law_address) -> str:
    """Passages as markup of a page, with references as links."""
    return joined([passages_html(passages, link)])


def paper_page(visit: Visit, paper: Paper, files: Mapping[str, str]) -> Response:
    return page(
        visit,
        "slip.html",
        paper.title,
        lead=(*paper.lead, *say.head(paper.imprint)),
        foot=say.foot(paper.imprint),
        passages=document(paper.passages),
        files=files,
    )


def no_paper(visit: Visit, title: str, text: str, status: int) -> Response:
    """The page of a document that isn't there, or isn't for the person."""
    known = replace(visit, findings=(*visit.findings, sentence(text)))
    return page(known, "slip.html", title, status=status, passages="", lead=(), foot=(), files={})
