"""The front page of a stranger: what this is, a door for every job, and every game with its felt and its edge."""

from functools import cache
from typing import Final

from fastapi import Response
from nicegui import app

from pitboss.exact.published import edge_words
from pitboss.games.registry import GAMES
from pitboss.reports.felt import felt_svg
from pitboss.web.pages.feed import PracticeFeed
from pitboss.web.pages.shell import escape, house, markup, sheet

STYLE: Final = sheet("front.html")
DOORS: Final = (
    ("#games", "Play or practice", "Every game against an automatic dealer. No account, nothing is recorded."),
    ("/watch", "Watch a table", "A table that plays by itself, step by step, with the paragraph of each step."),
    ("/school", "Learn to deal", "Drills from the rules themselves, graded by paragraph."),
    ("/settle", "Settle a dispute", "Write down a round: who is paid what, in which order, and by which paragraph."),
    ("/submissions", "Check a filing", "A Rules Submission, checked choice by choice against the law of its date."),
    ("/analyst", "Price a pay table", "Change a row and see the exact house edge that follows."),
    ("/law", "Look up a paragraph", "Every paragraph of the chapters, and what the software does for it."),
    ("/signs", "Print signs and layouts", "Payout signs and layout drawings, ready for the printer."),
)
"""Where each job begins; a door without a page behind it is left out."""


def doors_html() -> str:
    known = {getattr(route, "path", "") for route in app.routes}
    doors = "".join(
        f'<a class="fr-door" href="{href}"><strong>{title}</strong><span>{told}</span></a>'
        for href, title, told in DOORS
        if href.startswith("#") or href in known
    )
    return f'<nav class="fr-doors" aria-label="What to do here">{doors}</nav>'


def games_html() -> str:
    cards = "".join(map(_game, GAMES))
    return f'<section id="games" aria-label="Games"><h2>The games</h2><div class="fr-games">{cards}</div></section>'


def _game(name: str) -> str:
    game = GAMES[name]
    title = escape(game.chapter.title)
    contest = "No house edge: players bet against each other"
    edge = contest if game.no_edge else edge_words(name, game.chapter.unit_title)
    analyst = "Compare hands" if game.no_edge else f'Price it<span class="pb-sr">: {title}</span>'
    return (
        f'<article class="fr-game"><a href="/practice/{name}" class="fr-felt" tabindex="-1" aria-hidden="true">'
        f'<img src="/felt/{name}.svg" alt="" loading="lazy" width="640" height="360"></a>'
        f'<h3>{title}</h3><p class="pb-small pb-soft">{escape(edge) or "Not counted yet"}</p>'
        f'<div class="fr-links"><a class="pb-press" href="/practice/{name}">Practice<span class="pb-sr"> {title}</span>'
        f'</a><a href="/watch/{name}">Watch<span class="pb-sr"> {title}</span></a>'
        f'<a href="/analyst{"" if game.no_edge else f"?game={name}"}">{analyst}</a></div></article>'
    )


def welcome() -> None:
    """All of it; what a demonstration says besides is where its log-ins are."""
    demonstration = (
        '<p class="fr-demo">This is a demonstration with a pit of its own: <a href="/login">log in</a> as a dealer, '
        "a floorperson or a player with one of the accounts shown there.</p>"
        if house().demonstration
        else '<p class="pb-soft"><a href="/login">Log in</a> for the tables of the house.</p>'
    )
    markup(
        f'<div class="fr-hero"><h1>Pennsylvania table games, straight from the regulation</h1><p>pitboss reads '
        f"58 Pa. Code, Subpart K, as data: it deals, settles and explains {len(GAMES)} games, checks filings, counts "
        "the exact house edge and prints the papers. Every payment names its paragraph.</p>"
        f"{demonstration}</div>{doors_html()}{games_html()}",
        "w-full fr-page",
    )


@cache
def felt_of(game: str) -> str:
    """The felt before the first wager."""
    scene = PracticeFeed(game, others=()).scene()
    assert scene.rules is not None
    return felt_svg({**scene.shown, "boxes": {}, "id": ""}, scene.rules)


def add_felts() -> None:
    @app.get("/felt/{game}.svg")
    def felt(game: str) -> Response:
        if game not in GAMES:
            return Response("There is no such game.", 404)
        return Response(felt_of(game), media_type="image/svg+xml", headers={"Cache-Control": "max-age=86400"})
