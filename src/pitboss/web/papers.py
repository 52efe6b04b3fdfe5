"""Documents that leave the house by its pages: links to their files, and the answers to those links."""

from collections.abc import Callable, Mapping
from urllib.parse import urlencode

from starlette.responses import PlainTextResponse, Response

from pitboss.extras import sentence_of
from pitboss.names import listed
from pitboss.paper.files import MEDIA
from pitboss.paper.model import Paper
from pitboss.reports.export import exported

Query = Mapping[str, object]


def addresses(path: str, query: Query) -> dict[str, str]:
    """The addresses of a document's files by what their links say; ``{}`` in the path is the kind."""
    asked = urlencode({name: value for name, value in query.items() if value})
    return {f"Export as {kind.upper()}": path.format(kind) + (f"?{asked}" if asked else "") for kind in MEDIA}


def as_file(kind: str, name: str, record: object, build: Callable[[int | None], Paper]) -> Response:
    """A document to download."""
    return to_download(kind, name, lambda: exported(kind, record, build))


def to_download(kind: str, name: str, make: Callable[[], bytes]) -> Response:
    """A file of a kind to download; a sentence where there is no such file, or no library to write it."""
    if kind not in MEDIA:
        return PlainTextResponse(f"There is no {kind[:20]} file of it, only {listed(MEDIA)}.", 404)
    try:
        content = make()
    except ModuleNotFoundError as missing:
        return PlainTextResponse(sentence_of(missing), 501)
    headers = {"Content-Disposition": f'attachment; filename="{name}.{kind}"'}
    return Response(content, media_type=MEDIA[kind], headers=headers)
