"""The audit page: find rounds, verify the ledger, see what was significant; and one round, step by step."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from itertools import islice
from typing import Any, Final
from urllib.parse import quote, urlencode

from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from pitboss.clock import day_words, local_clock, local_time, moment
from pitboss.findings import FindingsError, UnreadableError
from pitboss.games.registry import GAMES
from pitboss.ledger.acknowledging import LONGEST_REASON, PERMISSION
from pitboss.ledger.audit import OF_ANCHORS
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.recall import Recall, recall
from pitboss.ledger.search import KINDS, STATES, RoundsFound, Wanted, find
from pitboss.ledger.significant import Significant, significant
from pitboss.ledger.store import HOUSE_STREAM
from pitboss.reports.felt import felt_svg
from pitboss.reports.incidents import significant_paper
from pitboss.reports.rounds import CORRECTED, game_title, round_file, round_passages, rounds_file, rounds_paper
from pitboss.table.kinds.settlement import PayoutValidated
from pitboss.table.kinds.wagers import BetsClosed, WagerPlaced
from pitboss.table.permissions import may
from pitboss.table.roles import Role
from pitboss.table.ruling import rules_at
from pitboss.web.closing import CLOSED
from pitboss.web.film import Film, film
from pitboss.web.limits import RefusedError
from pitboss.web.links import law_address
from pitboss.web.live import View
from pitboss.web.models import LARGEST
from pitboss.web.papers import addresses, to_download
from pitboss.web.render import block, joined
from pitboss.web.reviews import STREAM, last_review, start_review
from pitboss.web.views.base import Visit, page, route, sentence
from pitboss.web.views.paper_page import document
from pitboss.web.visitor import house

LOOK_BACK: Final = 20_000
"""Events before the last among which significant ones are searched."""
MOST_SIGNIFICANT: Final = 40
KIND_WORDS: Final = (
    ("", "Any"),
    *((kind, kind.capitalize() if kind in STATES else f"With a {kind}".replace("a irr", "an irr")) for kind in KINDS),
)
GAME_WORDS: Final = (("", "Any"), *((name, game.chapter.title) for name, game in GAMES.items()))
FILTERS: Final[tuple[str, ...]] = ("table", "game", "day", "kind", "player", "round", "seat", "since", "until")
LESS_USED: Final = FILTERS[5:]


def number_of(text: str, what: str) -> int:
    """A whole number as it was typed; 0 where nothing was."""
    known = text.strip()
    if known and not (known.isascii() and known.isdigit() and len(known) <= 16 and int(known) <= LARGEST):
        raise UnreadableError(f"{known[:20]!r} is not the number of a {what}.")
    return int(known or 0)


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        raise UnreadableError(f"{text[:20]!r} is not a day: write it like 2026-11-18.") from None


def _one_of(text: str, known: Sequence[str], what: str) -> str:
    if text and text not in known:
        raise UnreadableError(f"There is no {what} {text[:40]!r}. Choose one of the list.")
    return text


def wanted_of(given: Mapping[str, str]) -> Wanted:
    """The search of an address. Raise ``FindingsError`` with a sentence for each field that can't be read."""
    text = {name: given.get(name, "").strip()[:60] for name in FILTERS}
    readers: dict[str, Any] = {
        "number": lambda: number_of(text["round"], "round"),
        "seat": lambda: number_of(text["seat"], "seat"),
        "since": lambda: moment(text["since"]),
        "until": lambda: moment(text["until"], latest=True),
        "day": lambda: _day(text["day"]),
        "game": lambda: _one_of(text["game"], tuple(GAMES), "game"),
        "kind": lambda: _one_of(text["kind"], KINDS, "kind of round"),
    }
    known, wrong = {}, []
    for name, read in readers.items():
        try:
            known[name] = read()
        except UnreadableError as problem:
            wrong.append(sentence(str(problem)))
    if wrong:
        raise FindingsError(wrong)
    return Wanted(text["table"], player=text["player"][:40], **known)


def round_address(table: str, number: int) -> str:
    return f"/audit/{quote(table, safe='')}/{number}"


def record_address(reference: str) -> str | None:
    """The page of a round, such as ``t1, round 3``, or of a paragraph."""
    table, of_round, number = reference.rpartition(", round ")
    return round_address(table, int(number)) if of_round else law_address(reference)


# The search


def audit(visit: Visit) -> Response:
    given = {name: value for name, value in visit.request.query_params.items() if value.strip()}
    if len(given) < len(visit.request.query_params):  # the form sends every field; the address has those that are used
        return RedirectResponse("/audit" + (f"?{urlencode(given)}" if given else ""), 303)
    wanted, findings = Wanted(), list(visit.findings)
    found: RoundsFound | None = None
    try:
        wanted = wanted_of(given)
        if wanted.table and wanted.number:
            step = f"?step={quote(given['step'])}" if "step" in given else ""
            return RedirectResponse(round_address(wanted.table, wanted.number) + step, 303)
        found = find(house().pit.store, wanted, visit.person)
    except FindingsError as refused:
        findings += refused.findings
    with house().pit.store.reading() as reading:
        tables = [stream for stream in reading.streams() if stream != HOUSE_STREAM]
    query = {name: given[name] for name in FILTERS if name in given}
    events = _latest_significant() if may(visit.person.role, "audit.read") else ()
    return page(
        replace(visit, findings=tuple(findings)),
        "audit.html",
        "Rounds",
        view=look(visit),
        given={name: given.get(name, "") for name in FILTERS},
        is_search=bool(given),
        tables=[("", "Any"), *((table, table) for table in tables)],
        games=GAME_WORDS,
        kinds=KIND_WORDS,
        more=any(name in given for name in LESS_USED),
        is_player=visit.person.role == Role.PLAYER,
        count=len(found.rounds) if found else 0,
        older=found is not None and found.more,
        rounds=""
        if found is None
        else document(rounds_paper(found.rounds, wanted, more=found.more).passages, record_address),
        files={} if found is None else addresses("/audit.{}", query),
        events=document(significant_paper(events).passages, record_address) if events else "",
    )


def _latest_significant() -> tuple[Significant, ...]:
    """The newest significant events first."""
    store = house().pit.store
    with store.reading() as reading:
        head = reading.head.seq
    found = list(significant(store, max(0, head - LOOK_BACK)))
    return tuple(islice(reversed(found), MOST_SIGNIFICANT))


def look(visit: Visit) -> View:
    """Whether the house is closed to play, and the review of the ledger, for those who may act on them."""
    pit, role = house().pit, visit.person.role
    closing, verifies = may(role, PERMISSION), may(role, "audit.verify")
    reasons = pit.reasons_to_stop() if closing else ()
    problem = pit.store.copies.problem if closing else ""
    review = last_review(pit) if verifies else None
    known = {
        "who": visit.who,
        "reasons": reasons,
        "of_anchors": any(finding.code in OF_ANCHORS for finding in reasons),
        "problem": problem,
        "closed": CLOSED,
        "longest": LONGEST_REASON,
        "verifies": verifies,
        "review": review,
    }
    viewpoint = closing, verifies, visit.who.csrf
    return View("audit.html", ("closing", "review"), STREAM, viewpoint, (reasons, problem, review), lambda: known)


def press(visit: Visit) -> str:
    """Start a review of the ledger, or acknowledge the state of the anchor."""
    if visit.typed("do") == "verify":
        try:
            start_review(house(), visit.person)
        except RefusedError as refused:
            raise FindingsError([refused.finding]) from None
        return ""
    if visit.typed("do") == "acknowledge":
        house().pit.acknowledge(visit.typed("reason"), visit.person)
        left = house().pit.reasons_to_stop()
        done = "The house stays closed to play for another reason." if left else "The house is open to play."
        return f"Your reason is recorded. {done}"
    raise FindingsError([sentence("This page knows no such act. Nothing was done.")])


def export(visit: Visit) -> Response:
    """The rounds that fit the address, or one round, as a file."""
    try:
        wanted, store = wanted_of(visit.request.query_params), house().pit.store
        kind, named = visit.request.path_params["kind"], "rounds"
        if wanted.table and wanted.number:
            named = f"round-{wanted.number}"
            make = partial(round_file, recall(store, wanted.table, wanted.number, visit.person), kind)
        else:
            make = partial(rounds_file, find(store, wanted, visit.person), wanted, kind)
        return to_download(kind, named, make)
    except FindingsError as refused:
        return PlainTextResponse(" ".join(each.sentence for each in refused.findings), 400)
    except (LedgerError, UnreadableError) as problem:
        return PlainTextResponse(str(problem), 400)


# One round


def replayed(visit: Visit) -> Response:
    """A round at its step: what happened, the felt right after it, and everything that was recorded."""
    table, store, who = visit.request.path_params["table"], house().pit.store, visit.person
    try:
        number = number_of(visit.request.path_params["number"], "round")
        found, frames = recall(store, table, number, who), film(store, table, number, who)
        step = number_of(visit.given("step"), "step")
        with store.reading() as reading:
            later = reading.events(table, round=number + 1, kinds=(WagerPlaced, BetsClosed), limit=1)
    except (LedgerError, UnreadableError) as problem:
        known = replace(visit, findings=(*visit.findings, sentence(str(problem))))
        return page(known, "audit_round.html", "Round", status=404, found=None)
    here = round_address(table, number)
    validated = any(each.kind == PayoutValidated.KIND for each in found.steps)
    at = min(max(step - 1, 0), len(frames.frames) - 1) if step else frames.fullest
    known_step = _step(visit, frames, at, here)
    if visit.given("part"):
        return Response(block("audit_round.html", "step", known_step), media_type="text/html")
    return page(
        visit,
        "audit_round.html",
        f"{table}, round {number}",
        found=found,
        **known_step,
        about=_about(found),
        frames=frames.frames,
        beside=[each for each in (number - 1, number + 1) if each and (later or each < number)],
        round_address=partial(round_address, table),
        slips=f"/slip/{quote(table, safe='')}/{number}" if validated else "",
        unusual=[*found.irregularities, *(each for each in found.steps if each.kind in CORRECTED)],
        first_step={each.seq: at for at, each in reversed([*enumerate(frames.frames, 1)])},
        moment=local_time,
        record=document(round_passages(found), record_address),
        files=addresses("/audit.{}", {"table": table, "round": number}),
    )


def _about(found: Recall) -> str:
    ended = f" to {local_clock(found.ended)}" if found.ended else ""
    game = game_title(found.game) or "No game"
    return f"{game} · gaming day {day_words(found.day)} · {local_time(found.began)}{ended} · law of {found.as_of}"


def _step(visit: Visit, frames: Film, at: int, here: str) -> dict[str, Any]:
    """What is shown of one moment; staff look from the dealer's side, players from theirs."""
    frame, person = frames.frames[at], visit.person
    felt = ""
    if frame.table.game:
        side, own = ("player", person.id) if person.role == Role.PLAYER else ("dealer", "")
        felt = felt_svg(frames.shown(at), rules_at(frame.table), side=side, person=own, turn=frame.seat)
    last = len(frames.frames)
    goes = {"First": 1, "Back": max(at, 1), "Next": min(at + 2, last), "Last": last}
    return {
        "here": here,
        "frame": frame,
        "step": at + 1,
        "steps": last,
        "goes": {name: (to, f"{here}?step={to}" if to != at + 1 else "") for name, to in goes.items()},
        "felt": joined([felt]),
    }


ROUTES: Final[tuple[Route, ...]] = (
    route("/audit", audit, press, look),
    route("/audit.{kind}", export),
    route("/audit/{table}/{number}", replayed),
)
