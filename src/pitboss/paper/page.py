"""A document as HTML: a whole file that fetches nothing, or its passages as part of a page."""

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from pitboss.paper import say
from pitboss.paper.model import LETTER, Paper, PaperSize, Passage
from pitboss.paper.plot import svg_of

if TYPE_CHECKING:
    from jinja2 import Template

Link = Callable[[str], str | None]


def html_of(paper: Paper, link: Link = lambda _: None, files: Mapping[str, str] | None = None) -> str:
    """A whole HTML file. ``link`` gives the address of a paragraph or a reference, or ``None``.

    ``files`` are addresses of the same document in other media, by name; they are not printed.
    """
    sheet = style() + _sheet_style(paper.sheet)
    return _template().render(paper=paper, link=link, say=say, style=sheet, files=files or {}, whole=True)


def passages_html(passages: Iterable[Passage], link: Link = lambda _: None) -> str:
    """Passages that stand in a page with a head of its own, inside an element of the class ``paper``."""
    paper = Paper("", "", passages=tuple(passages))
    return _template().render(paper=paper, link=link, say=say, whole=False)


def _sheet_style(sheet: PaperSize) -> str:
    """Where a document is not for Letter paper upright, the size of its sheet and of its type on it."""
    if sheet == LETTER:
        return ""
    size = f"@page {{ size: {sheet.wide:g}in {sheet.high:g}in; }}"
    return f"{size} @media print {{ html {{ font-size: {16 * sheet.enlarged:g}px; }} }}"


@cache
def style() -> str:
    """The style sheet of documents."""
    return files("pitboss.paper").joinpath("paper.css").read_text(encoding="utf-8")


@cache
def _template() -> "Template":
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("pitboss.paper", "."), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    environment.globals["svg_of"] = svg_of
    return environment.get_template("paper.html")
