"""Rounds to take away: one in full, or what a search has found, as CSV, JSON or sheets of paper."""

import csv
import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from io import StringIO
from typing import Final

from pitboss.findings import UnreadableError
from pitboss.games.registry import GAMES
from pitboss.ledger.recall import LinePaid, Recall
from pitboss.ledger.search import Found
from pitboss.ledger.telling import account_words, shown_units
from pitboss.money import Cents, show_dollars, show_signed
from pitboss.names import shown
from pitboss.reports.sheet import SheetPanel, set_sheets
from pitboss.reports.stamp import WARNING, stamp_of

MEDIA: Final = {"csv": "text/csv; charset=utf-8", "json": "application/json", "pdf": "application/pdf"}
"""What a round can be taken away as, with its media type."""
ROWS: Final = 24
"""Of one list on paper; a longer one goes on in the next."""
LINE_HEADS: Final = ("seat", "player", "wager", "stake", "result", "odds", "net", "chips then", "paragraph", "why")
ROUND_HEADS: Final = ("table", "round", "began", "state", "note", "seats", "players' net")
Rows = Iterable[tuple[str, str]]


def round_file(found: Recall, kind: str) -> bytes:
    """One round: its lines as CSV, all that is known of it as JSON or on paper."""
    check_kind(kind)
    if kind == "json":
        return _json(found.as_dict())
    if kind == "csv":
        return _csv(LINE_HEADS, map(_line, found.lines))
    game = GAMES[found.game].chapter.title if found.game in GAMES else "No game"
    ended = f" to {_clock(found.ended)}" if found.ended else ""
    lines = (
        f"Table {found.table}, round {found.number}: {found.state}",
        f"{_when(found.began)}{ended} UTC, law of {found.as_of}",
    )
    stamp = (str(stamp_of(date.fromisoformat(found.as_of))),) if found.as_of else ()
    return set_sheets("letter", game, lines, list(_panels(found)), (*stamp, WARNING)).pdf()


def rounds_file(found: Sequence[Found], kind: str) -> bytes:
    """The rounds that a search has found, newest first."""
    check_kind(kind)
    if kind == "json":
        return _json([each.as_dict() for each in found])
    if kind == "csv":
        return _csv(ROUND_HEADS, map(_round, found))
    rows = [(_told(each), show_signed(sum(each.totals.values()))) for each in found]
    panels = list(_panel("Rounds, with the players' net", rows)) or [SheetPanel("Rounds", (("No round fits.", ""),))]
    return set_sheets("letter", "Rounds found", (), panels, (WARNING,)).pdf()


def check_kind(kind: str) -> None:
    if kind not in MEDIA:
        raise UnreadableError("Rounds are exported as CSV, JSON or PDF.")


def _panels(found: Recall) -> Iterator[SheetPanel]:
    yield from _panel("Settlement, line by line", _lines(found))
    stakes = ((f"Seat {s.seat}, {s.player}: {shown(s.wager)}", show_dollars(s.amount)) for s in found.stakes)
    yield from _panel("Wagers", stakes)
    yield from _panel("Cards", _cards(found))
    yield from _panel("Decisions", _decisions(found))
    yield from _panel("Meters", ((account_words(m.account), shown_units(m.units)) for m in found.meters))
    chips = ((b.player, f"{show_dollars(b.before)} to {show_dollars(b.after)}") for b in found.balances)
    yield from _panel("Chips before and after", chips)
    deal = found.deal
    promised = ((name, text) for name, text in (("Commitment", deal.commitment), ("Salt", deal.salt)) if text)
    rows = [(f"{deal.verdict[:1].upper()}{deal.verdict[1:]}.", ""), *promised]
    yield from _panel("The deal against its commitment", ((f"{name} {text}".strip(), "") for name, text in rows))
    yield from _panel("Step by step", _steps(found))


def _panel(title: str, rows: Rows) -> Iterator[SheetPanel]:
    listed = tuple(rows)
    for at in range(0, len(listed), ROWS):
        yield SheetPanel(title if not at else f"{title}, continued", listed[at : at + ROWS])


def _lines(found: Recall) -> Rows:
    for line in found.lines:
        cites = ", ".join(cite for cite in dict.fromkeys((line.cite, line.odds_cite)) if cite)
        odds = f", {line.odds}" if line.odds else ""
        told = f"Seat {line.seat}, {shown(line.wager)} {show_dollars(line.stake)}: {line.result}{odds}."
        yield f"{told} {line.sentence} [{cites}]", show_signed(line.net)


def _cards(found: Recall) -> Rows:
    for place in dict.fromkeys(card.to for card in found.cards):
        name = place.replace("_", " ")
        yield name[:1].upper() + name[1:], " ".join(card.card for card in found.cards if card.to == place)


def _decisions(found: Recall) -> Rows:
    for made in found.decisions:
        discard = f", discarding {made.discard}" if made.discard else ""
        choice = made.choice.replace("_", " ") + discard
        yield f"Seat {made.seat}, {made.player}: {choice}", show_dollars(made.amount) if made.amount else ""


def _steps(found: Recall) -> Rows:
    for number, step in enumerate(found.steps, 1):
        cites = f" [{', '.join(step.cites)}]" if step.cites else ""
        yield f"{number}. {_clock(step.at)} {step.who} ({step.role}): {step.sentence}{cites}", ""


def _told(found: Found) -> str:
    players = ", ".join(f"{seat} {player}" for seat, player in found.seats.items())
    note = f": {found.note}" if found.note else ""
    return f"{found.table}, round {found.number}, {_when(found.at)}, {found.state}{note}. Seats: {players}"


def _when(text: str) -> str:
    return text[:19].replace("T", " ")


def _clock(text: str) -> str:
    return text[11:19]


def _line(line: LinePaid) -> tuple[object, ...]:
    told = line.seat, line.player, shown(line.wager), _dollars(line.stake), line.result, line.odds
    return *told, _dollars(line.net), _dollars(line.balance), line.cite, line.sentence


def _round(found: Found) -> tuple[object, ...]:
    seats, net = " ".join(map(str, found.seats)), _dollars(sum(found.totals.values()))
    return found.table, found.number, found.at, found.state, found.note, seats, net


def _dollars(amount: Cents) -> str:
    """As a spreadsheet reads them."""
    return show_signed(amount).replace(",", "").removeprefix("+")


def _json(value: object) -> bytes:
    return json.dumps(value, indent=1).encode()


def _csv(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    out = StringIO()
    writer = csv.writer(out)
    writer.writerow(heads)
    writer.writerows(rows)
    return out.getvalue().encode()
