"""Rounds as documents: one round in full, the rounds of a table, and those that a search has found."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from pitboss.clock import day_words, local_clock, local_time
from pitboss.games.registry import GAMES
from pitboss.games.round import owner
from pitboss.ledger.recall import DealRecord, LinePaid, Recall, RoundStep, RoundSummary
from pitboss.ledger.search import Found, RoundsFound, Wanted
from pitboss.names import several
from pitboss.paper.model import Block, CellKind, Column, Datum, Figures, Listing, Paper, Passage, Remark, Row, passages
from pitboss.paper.say import words
from pitboss.reports.export import exported
from pitboss.reports.settlement import LINES, PARAGRAPH, PLAYER, SEAT, WAGER, odds_cites
from pitboss.reports.stamp import imprint, period_of
from pitboss.table.happened import names
from pitboss.table.kinds.cards import CardCorrected
from pitboss.table.kinds.chance import DiceCorrected
from pitboss.table.words import account_words, face_down

STAKES: Final = (SEAT, PLAYER, WAGER, Column("amount", "Amount", CellKind.MONEY), Column("when", "Made", rank=2))
CARDS: Final = (Column("place", "Place", CellKind.NAME), Column("cards", "Cards as they were dealt", CellKind.CARDS))
DECISIONS: Final = (
    SEAT, PLAYER, Column("decision", "Decision"), Column("amount", "Amount", CellKind.MONEY), PARAGRAPH,
)  # fmt: skip
METERS: Final = (
    Column("meter", "Meter"), Column("moved", "Moved", CellKind.UNITS), Column("why", "Why", CellKind.SENTENCE, rank=3),
)  # fmt: skip
CHIPS: Final = (
    Column("player", "Player"),
    Column("before", "Before", CellKind.MONEY),
    Column("after", "After", CellKind.MONEY),
    Column("change", "Change", CellKind.SIGNED),
)
STEPS: Final = (
    Column("no", "No.", CellKind.COUNT),
    Column("time", "Time", CellKind.CLOCK),
    Column("who", "Who"),
    Column("paragraph", "Paragraph", CellKind.CITES, rank=2),
    Column("what", "What happened", CellKind.SENTENCE, rank=3),
    Column("event", "Event", CellKind.COUNT, rank=0),
    Column("kind", "Kind", rank=0),
)
PLAYERS_NET: Final = Column("players' net", "Players' net", CellKind.SIGNED)
ROUNDS: Final = (
    Column("where", "Round", CellKind.REFERENCE),
    Column("table", "Table", rank=0),
    Column("round", "Round", CellKind.COUNT, rank=0),
    Column("game", "Game", rank=2),
    Column("gaming day", "Gaming day", rank=2),
    Column("began", "Began", CellKind.TIME, rank=2),
    Column("began (UTC)", "Began (UTC)", rank=0),
    Column("state", "State", rank=2),
    Column("note", "Note", CellKind.SENTENCE, rank=3),
    Column("seats", "Seats", rank=0),
    PLAYERS_NET,
    Column("by seat", "By seat", CellKind.SENTENCE, rank=3),
)
CORRECTED: Final = names(CardCorrected, DiceCorrected)
TONES: Final[Mapping[str, str]] = {"as promised": "good", "not as promised": "bad"}


def round_file(found: Recall, kind: str) -> bytes:
    """One round as a file, printed now; JSON is the record itself."""
    record = {**found.as_dict(), "day": str(found.day)}
    return exported(kind, record, lambda printed: round_paper(found, printed))


def rounds_file(found: RoundsFound, wanted: Wanted, kind: str) -> bytes:
    """The rounds that a search has found as a file, printed now, newest first."""
    record = [{**each.as_dict(), "day": str(each.day)} for each in found.rounds]
    return exported(kind, record, lambda printed: rounds_paper(found.rounds, wanted, printed, more=found.more))


def round_paper(found: Recall, printed: int | None = None) -> Paper:
    """Everything about one round: what was settled first, then what led to it."""
    game = game_title(found.game) or "No game"
    ended = f" to {local_clock(found.ended)}" if found.ended else ""
    times = f"Gaming day {day_words(found.day)}: {local_time(found.began)}{ended}"
    return Paper(
        "round",
        f"{found.table}, round {found.number}: {found.state}",
        (f"{game}, law of {found.as_of}",),
        (*round_passages(found), *passages(("Step by step", _filled("steps", STEPS, _steps(found.steps))))),
        imprint(found.as_of, printed, period=times),
        main="lines",
    )


def round_passages(found: Recall) -> tuple[Passage, ...]:
    """The parts of a recalled round but its steps, without those of which there is nothing."""
    return passages(
        ("Settlement, line by line", _filled("lines", LINES, map(_line, found.lines))),
        ("Wagers", _filled("wagers", STAKES, _stakes(found))),
        ("Cards", _filled("cards", CARDS, _cards(found))),
        ("Decisions", _filled("decisions", DECISIONS, _decisions(found))),
        ("Meters", _filled("meters", METERS, ((account_words(m.account), m.units, m.sentence) for m in found.meters))),
        ("Chips before and after", _filled("chips", CHIPS, _chips(found))),
        ("Irregularities", _filled("irregularities", STEPS, _steps(found.irregularities))),
        ("Corrections", _filled("corrections", STEPS, _steps(s for s in found.steps if s.kind in CORRECTED))),
        ("The deal against its commitment", deal_blocks(found.deal)),
    )


def rounds_paper(
    found: Iterable[RoundSummary], wanted: Wanted, printed: int | None = None, *, more: bool = False
) -> Paper:
    """A line for each round, with what the players gained or lost together; ``more`` where a search ended early."""
    found = tuple(found)
    blocks: list[Block] = [Listing("rounds", ROUNDS, tuple(map(_round, found)))]
    if more:
        blocks.append(Remark("There may be older rounds. Narrow the search to see them."))
    head = imprint("", printed, period=period_of(each.day for each in found), filters=_filters(wanted))
    return Paper("rounds", "Rounds", (), (Passage("", tuple(blocks)),), head, main="rounds")


def _filters(wanted: Wanted) -> tuple[tuple[str, str], ...]:
    """The filters of a search by name, without those left open."""
    times = {"from": wanted.since, "to": wanted.until}
    named = {
        "table": wanted.table,
        "game": game_title(wanted.game),
        "round": wanted.number or "",
        "player": wanted.player,
        "seat": wanted.seat or "",
        "kind": wanted.kind,
        "gaming day": day_words(wanted.day) if wanted.day else "",
    }
    named |= {name: local_time(at) for name, at in times.items() if at is not None}
    return tuple((name, str(value)) for name, value in named.items() if value)


def game_title(name: str) -> str:
    return GAMES[name].chapter.title if name in GAMES else name


def deal_blocks(deal: DealRecord) -> tuple[Block, ...]:
    """What was promised about the deck before the cards, what was disclosed, and whether it agrees."""
    verdict = f"{deal.verdict[:1].upper()}{deal.verdict[1:]}."
    findings = [Remark(each.sentence, (each.cite,) if each.cite else (), "bad") for each in deal.findings]
    hashes = (("Commitment", deal.commitment, CellKind.HASH), ("Salt", deal.salt, CellKind.HASH))
    cards = (("Deck as sealed", deal.cards, CellKind.CARDS), ("Left the deck", deal.left_deck, CellKind.CARDS))
    data = [Datum(label, value, kind) for label, value, kind in (*hashes, *cards) if value]
    if deal.cards:
        data.insert(2, Datum("Cuts", ", ".join(map(str, deal.cuts)) or "none"))
    return Remark(verdict, tone=TONES.get(deal.verdict, "")), *findings, *((Figures(tuple(data)),) if data else ())


def _filled(key: str, columns: tuple[Column, ...], rows: Iterable[Row]) -> list[Listing]:
    listed = tuple(rows)
    return [Listing(key, columns, listed)] if listed else []


def _line(line: LinePaid) -> Row:
    outcome = line.seat, line.player, line.wager, line.stake, line.result, line.odds
    moved = line.handed_over, line.taken, line.stays, line.net, line.balance
    return *outcome, *moved, (line.cite,) if line.cite else (), line.sentence, odds_cites(line.cite, line.odds_cite)


def _stakes(found: Recall) -> Iterator[Row]:
    for stake in found.stakes:
        yield stake.seat, stake.player, stake.wager, stake.amount, "after the cards" if stake.later else ""


def _cards(found: Recall) -> Iterator[Row]:
    """What was dealt to each place, what its seat drew, and its final hand where the draw does not say it."""
    for place in dict.fromkeys(card.to for card in found.cards):
        final = found.final_hands.get(owner(place) or 0, "") if place.startswith("seat ") else ""
        dealt, drawn = (
            [card.card for card in found.cards if card.to == place and card.drawn == d] for d in (False, True)
        )
        if dealt:
            yield place, face_down(dealt) or " ".join(dealt)
        if drawn:
            unseen = face_down(drawn)
            later = f"{several(len(drawn), 'card')}, not turned up when drawn" if unseen and final else unseen
            yield f"{place}, drawn", later or " ".join(drawn)
        if final:
            yield f"{place}, final hand", final


def _decisions(found: Recall) -> Iterator[Row]:
    for made in found.decisions:
        gone = made.discard or (several(made.unseen, "card") if made.unseen else "")
        discard = f", discarding {gone}" if gone else ""
        cites = (made.cite,) if made.cite else ()
        yield made.seat, made.player, made.choice.replace("_", " ") + discard, made.amount or None, cites


def _chips(found: Recall) -> Iterator[Row]:
    for each in found.balances:
        yield each.player, each.before, each.after, each.after - each.before


def _steps(steps: Iterable[RoundStep]) -> Iterator[Row]:
    for number, step in enumerate(steps, 1):
        who = f"{step.who} ({step.role})"
        yield number, step.at, who, step.cites, step.sentence, step.seq, step.kind


def _round(found: RoundSummary) -> Row:
    players, game = (found.seats, game_title(found.game)) if isinstance(found, Found) else ({}, "")
    seats = players or found.totals
    nets = {seat: f" {words(net, PLAYERS_NET)}" for seat, net in found.totals.items()}
    by_seat = ", ".join(f"seat {seat} {players.get(seat, '')}".strip() + nets.get(seat, "") for seat in seats)
    net = sum(found.totals.values()) if found.totals else None
    where = f"{found.table}, round {found.number}", found.table, found.number
    began, seated = (game, str(found.day), found.at, found.at), " ".join(map(str, seats))
    return *where, *began, found.state, found.note, seated, net, by_seat
