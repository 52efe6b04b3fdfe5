"""A settlement as a document: lines in the order of the law, what each seat gained or lost, and the meters."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from pitboss.cards import Hand, show_cards
from pitboss.games.chance import shown_faces
from pitboss.games.registry import GAMES
from pitboss.games.round import Decision, Round, Seat
from pitboss.games.settlement import Line, Settlement
from pitboss.money import Cents, show_dollars
from pitboss.names import shown
from pitboss.paper.model import CellKind, Column, Imprint, Listing, Paper, Passage, Remark, Row, passages
from pitboss.reports.stamp import imprint

SEAT: Final = Column("seat", "Seat", CellKind.COUNT)
PLAYER: Final = Column("player", "Player", rank=2)
WAGER: Final = Column("wager", "Wager", CellKind.NAME)
PARAGRAPH: Final = Column("paragraph", "Paragraph", CellKind.CITES, rank=2)
NET: Final = Column("net", "Net", CellKind.SIGNED)
LINES: Final = (
    SEAT,
    PLAYER,
    WAGER,
    Column("stake", "Stake", CellKind.MONEY, rank=2),
    Column("result", "Result", CellKind.RESULT),
    Column("odds", "Odds", CellKind.ODDS, rank=2),
    Column("handed over", "Handed over", CellKind.MONEY, zeros=False),
    Column("taken", "Taken", CellKind.MONEY, zeros=False),
    Column("stays", "Stays", CellKind.MONEY, rank=2, zeros=False),
    replace(NET, rank=3),
    Column("chips then", "Chips then", CellKind.MONEY, rank=3),
    PARAGRAPH,
    Column("why", "Why", CellKind.SENTENCE, rank=3),
    Column("odds paragraph", "Odds by", CellKind.CITES, rank=3),
)
"""Of a line settled at a table, where the chips that moved are known."""
OF_CHIPS: Final = frozenset({"player", "handed over", "taken", "stays", "chips then"})
SETTLED: Final = tuple(NET if each.key == NET.key else each for each in LINES if each.key not in OF_CHIPS)
AT_TABLE: Final = tuple(
    NET if each.key == NET.key else replace(each, rank=2) if each.key == "handed over" or each.key == "taken" else each
    for each in LINES
    if each.key not in {"player", "odds", "stays", "chips then", "odds paragraph"}
)
"""Of a line as it is shown at its table, while the round lasts and right after it."""
TOTALS: Final = (SEAT, NET)
METERS: Final = (
    Column("meter", "Meter", CellKind.NAME),
    Column("jackpot", "Jackpot", CellKind.NAME, rank=2),
    Column("amount", "Amount", CellKind.MONEY),
)
PLAYED: Final = (
    Column("place", "Place"),
    Column("cards", "Cards", CellKind.CARDS),
    Column("decision", "Decision", rank=2),
    Column("wagers", "Wagers", CellKind.SENTENCE, rank=3),
)


def settlement_paper(
    settlement: Settlement, printed: int | None = None, *, title: str = "", played: Round | None = None
) -> Paper:
    """A settled round; with the cards and wagers that were ``played``, where they are to be shown too."""
    day = str(settlement.as_of)
    game = GAMES[settlement.game].chapter.title
    head = Imprint(law=day) if printed is None else imprint(day, printed)
    table = [] if played is None else [played_listing(played)]
    parts = (*passages(("The table", table)), *settlement_passages(settlement))
    return Paper("settlement", title or f"Settlement of a round of {game}", (), parts, head, main="lines")


def settlement_passages(settlement: Settlement) -> tuple[Passage, ...]:
    """The lines with their paragraphs, then what each seat gained or lost, then the meters."""
    meters = tuple(_meters(settlement))
    return passages(
        ("Line by line", [settled_listing(settlement)]),
        ("Net by seat", [Listing("totals", TOTALS, tuple(settlement.totals.items()))]),
        ("Meters after the round", [Listing("meters", METERS, meters)] if meters else ()),
    )


def played_listing(played: Round) -> Listing:
    """The cards of each place, with wagers and decisions."""
    return Listing("table", PLAYED, tuple(_places(played)))


def settled_listing(settlement: Settlement) -> Listing:
    """The lines of a settlement in their order, each with its paragraphs."""
    return Listing("lines", SETTLED, tuple(map(_line, settlement.lines)))


def table_passage(
    number: int, lines: Iterable[Mapping[str, Any]], chips: Iterable[tuple[str, Cents, Cents]]
) -> Passage:
    """The settled lines of a round at its table, the viewer's own first, and the chips of players before and after."""
    rows = sorted(lines, key=lambda line: line.get("balance") is None)
    listing = Listing("lines", AT_TABLE, tuple(map(_table_line, rows)))
    held = [
        Remark(f"{player[:1].upper()}{player[1:]}: {show_dollars(before)} before the round, {show_dollars(after)} now.")
        for player, before, after in chips
    ]
    return Passage(f"Settlement of round {number}", (listing, *held))


def _table_line(line: Mapping[str, Any]) -> Row:
    outcome = line["seat"], line["wager"], line["stake"], str(line["result"]), line["handed_over"], line["taken"]
    return *outcome, line["net"], (line["cite"],), line["why"]


def odds_cites(cite: str, odds_cite: str) -> tuple[str, ...]:
    """The paragraph of the odds, where it isn't the paragraph of the line."""
    return (odds_cite,) if odds_cite and odds_cite != cite else ()


def _line(line: Line) -> Row:
    people = [act.act.replace("-", " ") for act in line.acts if act.actor == "floorperson"]
    why = line.why + (f" Floorperson: {', '.join(people)}." if people else "")
    outcome = line.seat, line.wager, line.stake, str(line.result), line.odds, line.net
    return *outcome, (line.cite,), why, odds_cites(line.cite, line.odds_cite)


def _meters(settlement: Settlement) -> Iterator[Row]:
    for name, balance in settlement.as_dict()["meters"].items():
        amounts = balance if isinstance(balance, dict) else {"": balance}
        yield from ((name, jackpot, amount) for jackpot, amount in amounts.items())


def _places(played: Round) -> Iterator[Row]:
    """The cards of each place, with wagers and decisions of the seats."""
    if played.dealer:
        yield "dealer", show_cards(played.dealer), "", ""
    if played.dice:
        yield "dice" if len(played.dice) > 1 else "spin", shown_faces(played.dice), "", ""
    for name, cards in played.extras.items():
        yield shown(name), show_cards(cards), "", ""
    for seat in played.clockwise():
        wagers = ", ".join(f"{shown(name)} {show_dollars(stake)}" for name, stake in seat.wagers.items())
        yield f"seat {seat.number}", show_cards(seat.cards), _decisions(seat), wagers


def _decisions(seat: Seat) -> str:
    return ", then ".join(map(_decision, seat.decisions.values()))


def _decision(decision: Decision) -> str:
    amount = "" if decision.amount is None else show_dollars(decision.amount)
    drawn = f"→ {_cards(decision.drawn)}" if decision.drawn else ""
    return " ".join(filter(None, (decision.choice.replace("_", " "), amount, _cards(decision.discard), drawn)))


def _cards(cards: Hand) -> str:
    return show_cards(cards)
