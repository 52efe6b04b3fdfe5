"""What the audit page shows of a round beside the felt: steps, chips, wagers, lines, meters, the deal."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final
from urllib.parse import urlencode

from pitboss.games.registry import GAMES
from pitboss.ledger.recall import Recall
from pitboss.ledger.rows import shown_time
from pitboss.ledger.search import RoundsFound, Wanted
from pitboss.ledger.slips import VALIDATED
from pitboss.ledger.telling import account_words, shown_units
from pitboss.money import show_dollars, show_signed
from pitboss.names import shown
from pitboss.reports.rounds import MEDIA
from pitboss.web.pages.law import law_link
from pitboss.web.pages.results import signed
from pitboss.web.pages.shell import escape, sheet, table_html
from pitboss.web.pages.steps import Film, Frame

STYLE: Final = sheet("audit.html")
SHORT: Final = 19
"""Characters of a time without its fraction of a second."""
LINE_HEADS: Final = ("Seat", "Wager", "Stake", "Result", "Odds", "Net", "Chips then", "Why")
Row = tuple[str, ...]


def when(text: str) -> str:
    """A time of the ledger for a list.

    >>> when("2026-03-02T18:30:00.000001Z")
    '2026-03-02 18:30:00'
    """
    return text[:SHORT].replace("T", " ")


def form_html(tables: Iterable[str], wanted: Wanted, since: str, until: str, *, player: bool) -> str:
    """The search; a player looks for own rounds only, so there is nobody to ask for."""
    options = "".join(
        f'<option value="{escape(table)}"{" selected" if table == wanted.table else ""}>{escape(table)}</option>'
        for table in tables
    )
    number = f' value="{wanted.number}"' if wanted.number else ""
    seat = f' value="{wanted.seat}"' if wanted.seat else ""
    name = f'name="player" maxlength="40" autocomplete="off" value="{escape(wanted.player)}"'
    who = "" if player else f'<label>Player<input class="name" {name}></label>'
    return (
        '<form class="au-form pb-noprint" method="get" action="/audit" role="search" aria-label="Rounds">'
        f'<label>Table<select name="table"><option value="">all</option>{options}</select></label>'
        f'<label>Round<input class="short" name="round" type="number" min="1"{number}></label>{who}'
        f'<label>Seat<input class="short" name="seat" type="number" min="1" max="9"{seat}></label>'
        f'<label>From (UTC)<input name="since" type="datetime-local" value="{escape(since)}"></label>'
        f'<label>To (UTC)<input name="until" type="datetime-local" value="{escape(until)}"></label>'
        '<button type="submit">Find</button></form>'
    )


def exports_html(wanted: Wanted) -> str:
    """What is shown, to be taken away."""
    times = {"since": wanted.since, "until": wanted.until}
    asked = {"table": wanted.table, "round": wanted.number, "player": wanted.player, "seat": wanted.seat}
    asked |= {name: shown_time(at)[:16] for name, at in times.items() if at is not None}
    query = escape(urlencode({name: value for name, value in asked.items() if value}))
    links = "".join(f'<a href="/audit.{kind}?{query}">Export as {kind.upper()}</a>' for kind in MEDIA)
    return f'<nav class="pb-links pb-small pb-noprint" aria-label="Exports">{links}</nav>'


def results_html(result: RoundsFound) -> str:
    rows = []
    for found in result.rounds:
        link = f'<a href="{round_link(found.table, found.number)}">{escape(found.table)}, round {found.number}</a>'
        players = ", ".join(f"{escape(player)} at {seat}" for seat, player in found.seats.items())
        state = f"{found.state}: {found.note}" if found.note else found.state
        net = show_signed(sum(found.totals.values())) if found.totals else "–"
        rows.append((link, when(found.at), escape(state), players, net))
    more = '<p class="pb-small pb-soft" style="margin:0">There may be older ones; ask more narrowly.</p>'
    none = '<p class="pb-soft" style="margin:0">No round fits.</p>'
    heads = ("Round", "Began (UTC)", "State", "Players", "Players’ net")
    body = table_html(heads, rows, numbers=(4,), below=3) if rows else none
    return (
        f'<section class="pb-card" aria-label="Rounds found"><h2>Rounds</h2><div style="overflow-x:auto">{body}</div>'
        f"{more if result.more else ''}</section>"
    )


def round_link(table: str, number: int) -> str:
    return f"/audit?table={escape(table)}&amp;round={number}"


def title_html(found: Recall, *, is_last: bool) -> str:
    game = GAMES[found.game].chapter.title if found.game in GAMES else found.game
    beside = "".join(
        f'<a href="{round_link(found.table, number)}">Round {number}</a>'
        for number in (found.number - 1, found.number + 1)
        if number and not (is_last and number > found.number)
    )
    if any(step.kind == VALIDATED for step in found.steps):
        beside += f'<a href="/slip/{escape(found.table)}/{found.number}">Payout slips</a>'
    ended = f" to {found.ended[11:SHORT]}" if found.ended else ""
    return (
        f'<div class="au-title"><div><h2>{escape(game)}, table {escape(found.table)}, round {found.number}</h2>'
        f'<div class="pb-soft">{when(found.began)}{ended} UTC · law of {escape(found.as_of)} · '
        f'<span class="pb-phase">{escape(found.state)}</span></div></div>'
        f'<nav class="pb-noprint" aria-label="Rounds beside">{beside}'
        f'<a href="/audit?table={escape(found.table)}">All rounds of the table</a></nav></div>'
    )


def steps_html(film: Film) -> str:
    """Every step as a button; which one is current is marked on the page. On paper there is nothing to click."""
    items = []
    for step, frame in enumerate(film.frames):
        about = escape(" · ".join((when(frame.at), f"{frame.who} ({frame.role})", *frame.cites)))
        items.append(
            f'<li><button type="button" data-step="{step}"><span class="num">{step + 1}</span>'
            f'<span>{escape(frame.sentence)}<span class="au-meta"> {about}</span></span></button></li>'
        )
    return f'<ol class="au-steps" aria-label="Steps of the round">{"".join(items)}</ol>'


def now_html(frame: Frame, step: int, count: int) -> str:
    cites = ", ".join(law_link(cite) for cite in frame.cites)
    paragraph = f" · {cites}" if cites else ""
    return (
        f'<div class="au-now" role="status"><p>{escape(frame.sentence)}</p><div class="meta">'
        f"Step {step + 1} of {count} · {when(frame.at)} UTC · {escape(frame.who)} ({escape(frame.role)}) · "
        f"event {frame.seq}{paragraph}</div></div>"
    )


def tables_html(found: Recall) -> str:
    """Everything in tables that was recalled of the round."""
    parts = [
        _card(
            "Chips before and after", ("Player", "Before", "After", "Change"), _balances(found), (1, 2, 3), empty=True
        ),
        _card("Wagers", ("Seat", "Player", "Wager", "Amount"), _stakes(found), (3,), empty=True),
        _card("Settlement, line by line", LINE_HEADS, _lines(found), (2, 5, 6), wide=True),
        _card("Cards in the order of the deal", ("No.", "Card", "To", "Face"), _cards(found), (0,)),
        _card("Decisions", ("Seat", "Player", "Decision", "Amount", "Paragraph"), _decisions(found), (3,)),
        _card("Meters", ("Meter", "Moved", "Why"), _meters(found), (1,), wide=True),
        _card("Irregularities", ("When (UTC)", "Who", "What"), _irregular(found), wide=True),
        _section("The deal against its commitment", _deal(found), wide=True),
    ]
    return f'<div class="au-tables">{"".join(parts)}</div>'


def _card(
    title: str,
    heads: Iterable[str],
    rows: Iterable[Row],
    numbers: Iterable[int] = (),
    *,
    wide: bool = False,
    empty: bool = False,
) -> str:
    """A table under its title; without rows it is there only if it may be ``empty``."""
    listed = list(rows)
    below = len(LINE_HEADS) - 1 if heads is LINE_HEADS else None
    drawn = table_html(heads, listed, numbers=numbers, below=below)
    return _section(title, drawn, wide=wide) if listed or empty else ""


def _section(title: str, body: str, *, wide: bool) -> str:
    kind = "pb-card wide" if wide else "pb-card"
    inner = f'<h3>{title}</h3><div style="overflow-x:auto">{body}</div>'
    return f'<section class="{kind}" aria-label="{title}">{inner}</section>'


def _balances(found: Recall) -> Iterator[Row]:
    for b in found.balances:
        yield escape(b.player), show_dollars(b.before), show_dollars(b.after), signed(b.after - b.before)


def _stakes(found: Recall) -> Iterator[Row]:
    for stake in found.stakes:
        wager = escape(shown(stake.wager)) + (" (after the cards)" if stake.later else "")
        yield str(stake.seat), escape(stake.player), wager, show_dollars(stake.amount)


def _lines(found: Recall) -> Iterator[Row]:
    for line in found.lines:
        cites = [cite for cite in dict.fromkeys((line.cite, line.odds_cite)) if cite]
        yield (
            str(line.seat),
            escape(shown(line.wager)),
            show_dollars(line.stake),
            escape(line.result),
            escape(line.odds),
            signed(line.net),
            show_dollars(line.balance),
            f"{escape(line.sentence)} <span class='pb-cite'>[{', '.join(map(law_link, cites))}]</span>",
        )


def _cards(found: Recall) -> Iterator[Row]:
    for number, card in enumerate(found.cards, 1):
        yield str(number), escape(card.card), escape(card.to.replace("_", " ")), "up" if card.face_up else "down"


def _decisions(found: Recall) -> Iterator[Row]:
    for made in found.decisions:
        discarded = f", discarding {made.discard}" if made.discard else ""
        choice = escape(made.choice.replace("_", " ") + discarded)
        amount = show_dollars(made.amount) if made.amount else ""
        yield str(made.seat), escape(made.player), choice, amount, law_link(made.cite)


def _meters(found: Recall) -> Iterator[Row]:
    for moved in found.meters:
        yield escape(account_words(moved.account)), shown_units(moved.units), escape(moved.sentence)


def _irregular(found: Recall) -> Iterator[Row]:
    for step in found.irregularities:
        yield when(step.at), escape(step.who), f"{escape(step.sentence)} {cited(step.cites)}"


def cited(cites: Sequence[str]) -> str:
    """Paragraphs after a sentence."""
    return f"<span class='pb-cite'>[{', '.join(map(law_link, cites))}]</span>" if cites else ""


def _deal(found: Recall) -> str:
    """The promise made before the cards, and what was disclosed after the round."""
    deal = found.deal
    verdict = {"as promised": "pb-good", "not as promised": "pb-bad"}.get(deal.verdict, "pb-soft")
    parts = [f'<p style="margin:0"><strong class="{verdict}">{escape(deal.verdict.capitalize())}.</strong></p>']
    if deal.cards and not deal.findings:
        parts.append(
            '<p style="margin:0">The disclosed deck and salt give the commitment that was public before the cards, and '
            "every card that left the deck is the next one of that deck.</p>"
        )
    parts += [f'<div class="pb-finding">{escape(finding.sentence)}</div>' for finding in deal.findings]
    for title, text in (("Commitment", deal.commitment), ("Salt", deal.salt), ("Deck as sealed", deal.cards)):
        if text:
            parts.append(f"<div>{title}<div class='au-hash'>{escape(text)}</div></div>")
    if deal.cards:
        cuts = ", ".join(map(str, deal.cuts)) or "none"
        parts.append(
            f"<div>Cuts: {cuts}</div><div>Left the deck<div class='au-hash'>{escape(deal.left_deck)}</div></div>"
        )
    return f'<div style="display:grid;gap:.5rem">{"".join(parts)}</div>'
