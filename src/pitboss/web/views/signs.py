"""Signs and layout: the payout sign and the layout drawing of a submission, as a page and as files."""

import gzip
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from typing import Any, Final
from urllib.parse import quote, urlencode

from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from pitboss.clock import day_of
from pitboss.extras import hint, sentence_of
from pitboss.findings import FindingsError, UnreadableError, errors, refusal
from pitboss.games.registry import GAMES
from pitboss.games.rules import Rules
from pitboss.law.model import Chapter, in_force
from pitboss.names import listed, shown
from pitboss.paper.files import MEDIA
from pitboss.paper.model import SHEETS, Paper
from pitboss.paper.pdf import typeset
from pitboss.reports.layout import layout_paper, layout_record, layout_svg
from pitboss.reports.sign import sign_paper, sign_record
from pitboss.submission import Submission, WagerChoice, check, rules_of, starting_point
from pitboss.submission.letters import letters_in_force, owners
from pitboss.submission.model import PLACEHOLDER
from pitboss.submission.resolve import letters_of, with_letter
from pitboss.web.limits import RefusedError
from pitboss.web.papers import as_file
from pitboss.web.reading import READER
from pitboss.web.submitted import MOST, packed, read_text, unpacked
from pitboss.web.views.base import Visit, page, route, sentence
from pitboss.web.views.paper_page import document
from pitboss.web.views.settle import LONGEST_ADDRESS
from pitboss.web.visitor import house

SIZES: Final = (
    ("letter", "Letter, 8.5 × 11 in"),
    ("tabloid", "Tabloid, 11 × 17 in"),
    ("large", "Large format, 24 × 36 in"),
)
FILES: Final[Mapping[str, tuple[str, ...]]] = {"sign": (*MEDIA,), "layout": (*MEDIA, "svg")}
"""The documents and the kinds of their files."""
RECORDS: Final[Mapping[str, Callable[[Submission, Rules], dict[str, Any]]]] = {
    "sign": sign_record,
    "layout": layout_record,
}
BUILDERS: Final[Mapping[str, Callable[[Submission, Rules, str, int | None], Paper]]] = {
    "sign": sign_paper,
    "layout": layout_paper,
}
MOST_DRAWN: Final = 24
"""Pictures of signs that are cached."""
MOST_WAITING: Final = 4
"""Documents that may wait to be typeset, which takes half a second of a processor."""
LONGEST_HOLDER: Final = 100
SVG: Final = "image/svg+xml"
TOO_LONG: Final = (
    f"This submission is too long for an address of at most {LONGEST_ADDRESS // 1024} KiB, and the address is the "
    "result. Print it with the commands 'pitboss sign' and 'pitboss layout'."
)


@dataclass(frozen=True)
class SignPicture:
    """A sign as it is printed: its sheets as one SVG, compressed, and how it fits its paper."""

    svg: bytes
    fit: str


class Typesetter:
    """Typesets one document at a time, and remembers the pictures of the last signs by their addresses."""

    def __init__(self) -> None:
        self._turn = threading.Lock()
        self._lock = threading.Lock()
        self._waiting = 0
        self._drawn: OrderedDict[str, SignPicture] = OrderedDict()

    def cached(self, key: str) -> SignPicture | None:
        with self._lock:
            return self._drawn.get(key)

    def picture(self, key: str, build: Callable[[], Paper]) -> SignPicture:
        return self.cached(key) or self.do(lambda: self._draw(key, build))

    def do(self, work: Callable[[], Any]) -> Any:
        """Do the work in its turn. Raise ``RefusedError`` where too many wait."""
        with self._lock:
            if self._waiting >= MOST_WAITING:
                busy = "Too many documents are being typeset. Try again."
                raise RefusedError(503, refusal("busy", "fewer documents waiting", "", busy), 1)
            self._waiting += 1
        try:
            with self._turn:
                return work()
        finally:
            with self._lock:
                self._waiting -= 1

    def _draw(self, key: str, build: Callable[[], Paper]) -> SignPicture:
        if known := self.cached(key):  # drawn while this one waited
            return known
        paper = build()
        made = typeset(paper)
        sheets, wide, high = made.pictures(), paper.sheet.wide, paper.sheet.high
        parts = [each.replace("<svg ", f'<svg x="0" y="{high * 96 * at:g}" ', 1) for at, each in enumerate(sheets)]
        whole = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide * 96:g} {high * 96 * len(parts):g}" '
            f'width="{wide:g}in" height="{high * len(parts):g}in">{"".join(parts)}</svg>'
        )
        drawn = SignPicture(gzip.compress(whole.encode()), made.fit())
        with self._lock:
            self._drawn[key] = drawn
            while len(self._drawn) > MOST_DRAWN:
                self._drawn.popitem(last=False)
        return drawn


TYPESETTER: Final = Typesetter()


@dataclass(frozen=True)
class PayTableChoice:
    """A pay table of which the law prints several."""

    name: str
    title: str
    letters: tuple[str, ...]
    chosen: str


@dataclass(frozen=True)
class SignRequest:
    """What an address asks for: a submission of its own, or the law's template with choices."""

    game: str
    day: date
    size: str
    holder: str = ""
    letters: Mapping[str, str] | None = None
    offered: frozenset[str] | None = None
    """The wagers on offer of those that the law leaves open; ``None`` for those of the template."""
    text: str = ""
    """A submission as TOML; the law's template where it is empty."""

    @classmethod
    def of(cls, visit: Visit) -> "SignRequest":
        """Read an address. Raise ``UnreadableError`` in a sentence."""
        params = visit.request.query_params
        given = {name: visit.given(name).strip() for name in ("game", "day", "size", "holder", "submission")}
        game, size = given["game"] or next(iter(GAMES)), given["size"] or SIZES[0][0]
        if game not in GAMES:
            raise UnreadableError(f"There is no game {game[:40]!r}. Choose one of the list.")
        if size not in SHEETS:
            raise UnreadableError(f"There is no size {size[:40]!r}. Choose one of the list.")
        try:
            day = date.fromisoformat(given["day"]) if given["day"] else day_of(house().pit.clock())
        except ValueError:
            raise UnreadableError(f"{given['day'][:20]!r} is not a day: write it like 2026-11-18.") from None
        # Choices hold for the game whose form they were made in.
        chosen = [(name, value) for name, value in params.multi_items() if visit.given("of") == game]
        letters = {name.removeprefix("table."): value for name, value in chosen if name.startswith("table.")}
        offered = frozenset(value for name, value in chosen if name == "offer") if chosen else None
        text = unpacked(given["submission"]) if given["submission"] else ""
        return cls(game, day, size, given["holder"][:LONGEST_HOLDER], letters, offered, text)

    def submission(self) -> Submission:
        """Raise ``UnreadableError`` or ``FindingsError`` if it can't be read, or the law isn't in force on its day."""
        if self.text:
            return READER.ask(read_text, self.text)
        made, chapter = starting_point(self.game, self.day), GAMES[self.game].chapter
        wagers = dict(made.wagers)
        for wager in in_force(chapter.wagers, self.day):
            if self.offered is not None and wager.placed == "before" and wager.offer == "choice":
                choice = wagers.get(wager.name, WagerChoice())
                wagers[wager.name] = replace(choice, offered=wager.name in self.offered)
        made = replace(made, certificate_holder=self.holder or PLACEHOLDER, wagers=wagers)
        for table, letter in (self.letters or {}).items():
            if letter in letters_in_force(chapter, table, self.day):
                made = with_letter(made, table, letter)
        return made

    @property
    def query(self) -> str:
        """The address of this request, in one order."""
        if self.text:
            return urlencode({"submission": packed(self.text), "size": self.size})
        known = [("game", self.game), ("day", str(self.day)), ("size", self.size), ("holder", self.holder)]
        known += [(f"table.{name}", letter) for name, letter in sorted((self.letters or {}).items())]
        if self.offered is not None:
            known += [("of", self.game), *(("offer", name) for name in sorted(self.offered))]
        return urlencode([(name, value) for name, value in known if value])


def _pay_tables(chapter: Chapter, submission: Submission) -> Iterator[PayTableChoice]:
    """The pay tables among which the law leaves a choice, with the letters chosen."""
    day = submission.effective
    chosen, own = letters_of(submission, day), owners(chapter, day)
    for table in dict.fromkeys(each.wager for each in in_force(chapter.paytables, day)):
        letters = letters_in_force(chapter, table, day)
        if len(letters) > 1:
            title = own[table].title if table in own else shown(table)
            yield PayTableChoice(table, title, letters, chosen.get(table, (letters[0], ""))[0])


def signs(visit: Visit) -> Response:
    if source := visit.given("from"):  # addresses of earlier versions
        return RedirectResponse("/signs?desk=1" if source == "desk" else f"/signs?game={quote(source)}", 303)
    wanted = SignRequest(next(iter(GAMES)), day_of(house().pit.clock()), SIZES[0][0])
    found, known = visit.findings, {}
    try:
        wanted = SignRequest.of(visit)
        submission = wanted.submission()
        rules, _ = rules_of(submission)
        known = _choices(submission) | ({} if rules is None else _documents(wanted, submission, rules))
    except FindingsError as refused:
        found += refused.findings
    except RefusedError as refused:
        found += (refused.finding,)
    except UnreadableError as problem:
        found += (sentence(str(problem)),)
    return page(
        replace(visit, findings=found),
        "signs.html",
        "Signs and layout",
        status=422 if visit.findings or not known else 200,
        games=[(name, game.chapter.title) for name, game in GAMES.items()],
        sizes=SIZES,
        most=MOST,
        **{"wanted": wanted, "chapter": None, "files": None, "wrong": (), **known},
    )


def _choices(submission: Submission) -> dict[str, Any]:
    chapter = GAMES[submission.game].chapter
    day = submission.effective
    wagers = [each for each in in_force(chapter.wagers, day) if each.placed == "before" and each.offer == "choice"]
    findings = check(submission)
    return {
        "wrong": errors(findings),
        "notes": [each for each in findings if each.severity == "note"],
        "chapter": chapter.title,
        "holder": submission.certificate_holder,
        "effective": day,
        "pay_tables": list(_pay_tables(chapter, submission)),
        "optional": [(each.name, each.title, submission.offers(each)) for each in wagers],
    }


def _documents(wanted: SignRequest, submission: Submission, rules: Rules) -> dict[str, Any]:
    query = wanted.query
    sign, layout = (build(submission, rules, wanted.size, None) for build in BUILDERS.values())
    cached = TYPESETTER.cached(query)
    return {
        "missing": hint("typst"),
        "picture": f"/signs/sign.svg?{query}",
        "fit": cached.fit if cached else "",
        "sheet": sign.sheet,
        "sign": document(sign.passages),
        "layout": document(layout.passages),
        "about_layout": layout.lead[-1],
        "files": {what: [(kind, f"/signs/{what}.{kind}?{query}") for kind in kinds] for what, kinds in FILES.items()},
    }


def sign_file(visit: Visit) -> Response:
    """The sign or the layout as a file, or the picture of the sign."""
    what, kind = (str(visit.request.path_params[name]) for name in ("what", "kind"))
    if what not in FILES or kind not in (*FILES[what], "svg"):
        return PlainTextResponse(f"There are files of {listed(FILES)} only.", 404)
    try:
        wanted = SignRequest.of(visit)
        submission = wanted.submission()
        rules, found = rules_of(submission)
        if rules is None:
            raise FindingsError(found)
        build = partial(BUILDERS[what], submission, rules, wanted.size)
        if kind == "svg":
            if what == "sign":
                return _picture(visit, TYPESETTER.picture(wanted.query, lambda: build(None)))
            return _drawing(f"layout-{submission.game}-{submission.effective}", layout_svg(submission, rules))
        name = f"{what}-{submission.game}-{submission.effective}-{wanted.size}"
        return _file(visit, kind, name, RECORDS[what](submission, rules), build)
    except FindingsError as refused:
        return PlainTextResponse(" ".join(each.sentence for each in refused.findings), 400)
    except RefusedError as refused:
        return PlainTextResponse(refused.finding.sentence, refused.status)
    except UnreadableError as problem:
        return PlainTextResponse(str(problem), 400)
    except ModuleNotFoundError as absent:
        return PlainTextResponse(sentence_of(absent), 501)


def _file(visit: Visit, kind: str, name: str, record: object, build: Callable[[int | None], Paper]) -> Response:
    """A file to download, or with ``show`` to open in the browser's own viewer, from which it is printed."""
    made: Response = TYPESETTER.do(lambda: as_file(kind, name, record, build))
    if visit.given("show") and made.status_code == 200:
        made.headers["Content-Disposition"] = f'inline; filename="{name}.{kind}"'
    return made


def _drawing(name: str, drawn: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}.svg"'}
    return Response(drawn, media_type=SVG, headers=headers)


def _picture(visit: Visit, picture: SignPicture) -> Response:
    """The picture of a sign. Its header says how it fits the paper."""
    headers = {"Cache-Control": "private, max-age=600", "X-Fit": quote(picture.fit), "Vary": "Accept-Encoding"}
    if "gzip" not in visit.request.headers.get("accept-encoding", ""):
        return Response(gzip.decompress(picture.svg), media_type=SVG, headers=headers)
    return Response(picture.svg, media_type=SVG, headers={**headers, "Content-Encoding": "gzip"})


def press(visit: Visit) -> Response:
    """Lead a submission that was pasted to the address of its sign."""
    text = visit.typed("submission").replace("\r\n", "\n")
    if not text.strip():
        raise UnreadableError("There is nothing to read: paste the TOML of a submission, or choose its file.")
    READER.ask(read_text, text)
    size = visit.typed("size")
    query = urlencode({"submission": packed(text), "size": size if size in SHEETS else SIZES[0][0]})
    if len(query) > LONGEST_ADDRESS:
        raise UnreadableError(TOO_LONG)
    return RedirectResponse(f"/signs?{query}", 303)


ROUTES: Final[tuple[Route, ...]] = (
    route("/signs", signs, press),
    route("/signs/{what}.{kind}", sign_file),
)
