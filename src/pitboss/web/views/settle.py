"""Settle a dispute: a blank form, or a round file; then who is paid, why and by which paragraph, at an address."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import partial
from typing import Any, Final
from urllib.parse import urlencode

from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from pitboss.cards import DECK, Card, CardError, parse_card, show_card
from pitboss.clock import day_of
from pitboss.findings import FindingsError, UnreadableError, shortlist
from pitboss.games.registry import GAMES
from pitboss.games.round import Round
from pitboss.games.roundfile import write_round
from pitboss.games.settlement import Line
from pitboss.names import shown
from pitboss.paper.files import MEDIA
from pitboss.reports.cards import card_id, card_name, symbols_of
from pitboss.reports.settlement import settlement_paper
from pitboss.web.disputes import Judged, judge
from pitboss.web.limits import RefusedError
from pitboss.web.papers import as_file
from pitboss.web.reading import READER
from pitboss.web.render import joined
from pitboss.web.views.base import Visit, page, route
from pitboss.web.views.settle_form import PRESSED, DisputeForm
from pitboss.web.views.settle_round import CARDS_WRITTEN, place_of, plain, round_of
from pitboss.web.visitor import house

MOST: Final = 20_000
"""Characters of a round that is pasted."""
LONGEST_ADDRESS: Final = 24 * 1024
"""Bytes of an address, well below what a request's headers may have, so that it can be opened everywhere."""
TOO_LONG: Final = (
    f"This round is too long for an address of at most {LONGEST_ADDRESS // 1024} KiB, and the address is the result. "
    "Shorten it, or settle it with the command 'pitboss settle'."
)


@dataclass
class PageAnswer:
    """What the page says about a round."""

    judged: Judged | None = None
    findings: list[tuple[str, str, str]] = field(default_factory=list)
    """What stands against it: the field, the sentence and the paragraph."""
    busy: bool = False

    def add(self, sentence: str, name: str = "", cite: str = "") -> None:
        self.findings.append((name, sentence, cite))


def settle(visit: Visit) -> Response:
    given = dict(visit.request.query_params)
    today = day_of(house().pit.clock())
    if len(visit.request.url.query) > LONGEST_ADDRESS:
        answer = PageAnswer()
        answer.add(TOO_LONG)
        return _page(visit, DisputeForm({}, today), answer, "", 414)
    text = given.get("round", "").replace("\r\n", "\n")
    form = DisputeForm({} if text else given, today)
    if not text and (given.keys() - {*PRESSED, "file", "was", "would"}) and not form.is_tidy():
        return RedirectResponse(_tidied(form, given), 303)
    wanted = bool(text) or ("answer" in given and form.rules is not None)
    source = text
    if wanted and not text:
        try:
            source = write_round(round_of(form))
        except FindingsError:
            wanted = False
    answer = PageAnswer()
    if wanted and given.get("file") == "toml":
        headers = {"Content-Disposition": 'attachment; filename="round.toml"'}
        return PlainTextResponse(source, headers=headers, media_type="application/toml")
    if wanted:
        answer = _asked(form, source, today, given)
    found = {name for name, _, _ in answer.findings}
    for name, sentences in form.errors.items():
        for sentence in sentences:
            if name not in found:
                answer.add(sentence, name)
    if answer.judged is not None and not answer.findings and (kind := given.get("file", "")):
        judged = answer.judged
        build = partial(settlement_paper, judged.settlement, played=judged.played)
        return as_file(kind, "settlement", judged.settlement, build)
    status = 503 if answer.busy else 422 if answer.findings else 200
    return _page(visit, form, answer, text, status)


def _tidied(form: DisputeForm, given: Mapping[str, str]) -> str:
    """The address after a press: a row more or less, or what was typed without the empty fields."""
    if "add" in given:
        return form.address(rows=len(form.seats) + 1) + f"#seat-{len(form.seats) + 1}"
    if given.get("drop", "") in form.seats and len(form.seats) > 1:
        return form.address(drop=given["drop"])
    more = {name: given[name] for name in ("was", "would") if given.get(name, "").strip()}
    return form.address(answer="answer" in given, more=more)


def _asked(form: DisputeForm, source: str, today: date, given: Mapping[str, str]) -> PageAnswer:
    answer = PageAnswer()
    try:
        if len(source) > MOST:
            raise UnreadableError(f"A round file has at most {MOST:,} characters; this one has {len(source):,}.")
        answer.judged = READER.ask(judge, source, today, *_change(given, answer))
    except RefusedError as problem:
        answer.busy = True
        answer.add(problem.finding.sentence)
        return answer
    except FindingsError as problem:
        found = problem.findings
    except UnreadableError as problem:
        for each in problem.findings:
            answer.add(plain(each.sentence), "round" if form.game is None else "")
        return answer
    else:
        found = answer.judged.settlement.findings
    for each in shortlist(found):
        name = place_of(form, each) if form.game is not None else ""
        if name:
            form.error(name, each.sentence)
        answer.add(each.sentence, name, each.cite)
    return answer


def _change(given: Mapping[str, str], answer: PageAnswer) -> tuple[Card, Card] | tuple[()]:
    """The card that the page was asked to change, and into which."""
    if not given.get("was") or not given.get("would"):
        return ()
    try:
        return parse_card(given["was"]), parse_card(given["would"])
    except CardError:
        answer.add(f"The card to change wasn't read. {CARDS_WRITTEN}")
        return ()


def _page(visit: Visit, form: DisputeForm, answer: PageAnswer, text: str, status: int) -> Response:
    judged = answer.judged if answer.judged is not None and not answer.findings else None
    played = judged.played if judged else None
    lying = _choosable(places_of(played) if played else {}, visit.given("was"), visit.given("would"))
    game = judged.game if judged else form.game.name if form.game else ""
    cards = {
        show_card(card)
        for verdict in (judged.verdicts if judged else ())
        for hand in verdict.hands
        for card in hand.cards
    }
    known: dict[str, Any] = {
        "form": form,
        "rules": form.rules,
        "games": [("", "Choose a game"), *((name, each.chapter.title) for name, each in GAMES.items())],
        "text": text or visit.typed("round"),
        "answer": answer,
        "judged": judged,
        "game_title": GAMES[game].chapter.title if game else "",
        "lines": [line_words(line) for line in judged.settlement.lines] if judged else [],
        "house_net": -sum(judged.settlement.totals.values()) if judged else 0,
        "meters": _meters(judged),
        "symbols": joined([symbols_of(cards)]) if cards else "",
        "card_id": card_id,
        "show": show_card,
        "spoken": lambda card: card_name(show_card(card)),
        "lying": [(show_card(card), f"{place}: {card_name(show_card(card))}") for card, place in lying.items()],
        "free": [
            (show_card(card), card_name(show_card(card)).capitalize()) for card in DECK[::-1] if card not in lying
        ],
        "was": visit.given("was"),
        "would": visit.given("would"),
        "card_words": _card_words,
        "address": _address(visit, form, text),
        "here": visit.here,
        "files": {kind: f"{visit.here}&file={kind}" for kind in MEDIA},
        "most": MOST,
    }
    title = f"Settlement: {known['game_title']}" if judged else "Settle a dispute"
    return page(visit, "settle.html", title, status=status, **known)


def _address(visit: Visit, form: DisputeForm, text: str) -> str:
    """The address of the round as it was played, without a changed card."""
    if text:
        return "/settle?" + urlencode({"round": text})
    return form.address(answer="answer" in visit.request.query_params)


def _card_words(text: str) -> str:
    """A card of the address in words, or the text itself if it isn't a card."""
    try:
        return card_name(text)
    except CardError:
        return f"'{text[:10]}'"


def line_words(line: Line) -> dict[str, Any]:
    """A line as the page shows it."""
    cites = [line.cite, *([line.odds_cite] if line.odds_cite and line.odds_cite != line.cite else [])]
    people = [act.act.replace("-", " ") for act in line.acts if act.actor == "floorperson"]
    return {
        "seat": line.seat,
        "wager": shown(line.wager),
        "result": f"{line.result}, {line.odds}" if line.odds else str(line.result),
        "stake": line.on_layout,
        "net": line.net,
        "why": line.why + (f" Floorperson: {', '.join(people)}." if people else ""),
        "cites": cites,
    }


def _meters(judged: Judged | None) -> list[tuple[str, int]]:
    """What each meter shows after the round."""
    if judged is None:
        return []
    found = []
    for name, shows in judged.settlement.as_dict()["meters"].items():
        tiers = shows if isinstance(shows, dict) else {"": shows}
        found += [(shown(name) + (f", {tier}" if tier else ""), amount) for tier, amount in tiers.items()]
    return found


def places_of(played: Round) -> dict[Card, str]:
    """Where each card of a round lies."""
    places = dict.fromkeys(played.dealer, "Dealer")
    for name, cards in played.extras.items():
        places |= dict.fromkeys(cards, "Board" if name == "community" else shown(name))
    for seat in played.clockwise():
        drawn = [card for made in seat.decisions.values() for card in made.drawn]
        places |= dict.fromkeys((*seat.cards, *drawn), f"Seat {seat.number}")
    return places


def _choosable(lying: Mapping[Card, str], was: str, would: str) -> dict[Card, str]:
    """The cards that may be changed: those of the round as it was played, also if one of them is changed now."""
    if not lying or not was or not would:
        return dict(lying)
    return {parse_card(was) if card == parse_card(would) else card: place for card, place in lying.items()}


def load(visit: Visit) -> Response:
    """Lead a round that was pasted to its address."""
    text = visit.typed("round").replace("\r\n", "\n")
    if not text.strip():
        raise UnreadableError("Paste a round first, or choose a file.")
    if len(text) > MOST:
        raise UnreadableError(f"A round file has at most {MOST:,} characters; this one has {len(text):,}.")
    address = "/settle?" + urlencode({"round": text})
    if len(address) > LONGEST_ADDRESS:
        raise UnreadableError(TOO_LONG)
    return RedirectResponse(address, 303)


ROUTES: Final[tuple[Route, ...]] = (route("/settle", settle, load),)
