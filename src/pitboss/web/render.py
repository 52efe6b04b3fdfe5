"""Pages as templates: the environment, the static files with their digests, and the answer that carries a page."""

from collections.abc import Iterable, Mapping
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from pitboss import NOTICE
from pitboss.cards import DECK, show_card
from pitboss.clock import day_words, local_time
from pitboss.money import show_dollars, show_signed
from pitboss.names import several, shown, shown_key
from pitboss.paper.page import style
from pitboss.reports.cards import BACKS, symbols_of
from pitboss.reports.svg import NAMESPACE, element

STATIC: Final = "/s"
"""Where static files lie: below it comes their digest, so that a browser can store them for good."""
FOREVER: Final = "public, max-age=31536000, immutable"
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
KINDS: Final[Mapping[str, str]] = {
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
    "woff2": "font/woff2",
    "txt": "text/plain; charset=utf-8",
}


@cache
def static_files() -> Mapping[str, bytes]:
    """The files that pages fetch, by name."""
    folder = files("pitboss.web").joinpath("static")
    stored = {each.name: each.read_bytes() for each in folder.iterdir()}
    drawn = {f"cards{'-4' if four else ''}.svg": card_sheet(four).encode() for four in (False, True)}
    return dict(sorted((stored | drawn | {"paper.css": style().encode()}).items()))


def card_sheet(four_color: bool) -> str:
    """Every card and both backs as symbols of one drawing, which pages fetch once."""
    cards = symbols_of(map(show_card, DECK), four_colour=four_color)
    backs = (symbols_of([None], back=back) for back in BACKS)
    return element("svg", element("defs", cards, *backs), xmlns=NAMESPACE)


@cache
def digest() -> str:
    """One digest for all static files, so that a style sheet can name its fonts."""
    every = sha256()
    for name, content in static_files().items():
        every.update(f"{name}\n{len(content)}\n".encode() + content)
    return every.hexdigest()[:16]


def asset(name: str) -> str:
    """The address of a static file."""
    assert name in static_files(), name
    return f"{STATIC}/{digest()}/{name}"


def static_file(request: Request) -> Response:
    """A static file. An older digest gets the present file, but not for good."""
    name = request.path_params["name"]
    content = static_files().get(name)
    if content is None:
        return Response("There is no such file.", 404, media_type="text/plain")
    current = request.path_params["digest"] == digest()
    headers = {"Cache-Control": FOREVER if current else "no-cache"}
    return Response(content, headers=headers, media_type=KINDS[name.rpartition(".")[2]])


@cache
def environment() -> Environment:
    from pitboss.web.links import law_address

    made = Environment(
        loader=PackageLoader("pitboss.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.globals |= {"asset": asset, "law_address": law_address, "notice": NOTICE}
    made.filters |= {
        "dollars": show_dollars,
        "signed": show_signed,
        "moment": local_time,
        "day": day_words,
        "several": several,
        "words": shown,
        "place": lambda where: shown_key(where) if "_" in where else where,
    }
    # A block that is rendered alone sees no import of its page, so the macros are global.
    made.globals["ui"] = made.get_template("ui.html").module
    return made


def template(name: str) -> Template:
    return environment().get_template(name)


def block(name: str, part: str, known: Mapping[str, Any]) -> str:
    """One block of a page's template: the same words that the page has there."""
    page = template(name)
    return "".join(page.blocks[part](page.new_context(dict(known))))


def html_page(name: str, known: Mapping[str, Any], status: int = 200) -> HTMLResponse:
    """A page under the strict policy, stored nowhere."""
    headers = {"Content-Security-Policy": POLICY, "Cache-Control": "no-store"}
    return HTMLResponse(template(name).render(known), status, headers)


def joined(parts: Iterable[str]) -> Markup:
    """Markup that renderers of ours have made and escaped already."""
    return Markup("".join(parts))
