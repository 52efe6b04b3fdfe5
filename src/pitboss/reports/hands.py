"""One hand as a document: what each choice is worth. And hands against each other: each one's share of the pot."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from pitboss.cards import Hand, show_card, show_cards
from pitboss.exact.conditions import Conditions
from pitboss.exact.equity import Equity, RakeShare
from pitboss.exact.strategy import HandAnalysis
from pitboss.exact.streets import StreetsAnalysis, StreetValues
from pitboss.games.rules import Rules
from pitboss.money import Cents
from pitboss.names import shown, units
from pitboss.paper import say
from pitboss.paper.model import (
    Block,
    CellKind,
    Column,
    Datum,
    Figures,
    Listing,
    Paper,
    Passage,
    Remark,
    Row,
    passages,
)
from pitboss.reports.stamp import imprint_for

DEALER: Final = (
    Column("qualifies", "The dealer"),
    Column("versus", "The player's hand is"),
    Column("hands", "Dealer's hands", CellKind.COUNT),
)
EQUITIES: Final = (
    Column("hand", "Hand", CellKind.CARDS),
    Column("equity", "Equity", CellKind.PERCENT, places=2),
    Column("error", "± 2 standard errors", CellKind.PERCENT, rank=2, places=2),
    Column("wins alone", "Wins alone", CellKind.PERCENT, rank=2, places=2),
    Column("of the pot", "Of the pot", CellKind.MONEY),
    Column("exactly", "Equity, exactly", CellKind.EXACT, rank=3),
)
BEST, AS_GOOD = "best", "as good"


@dataclass(frozen=True)
class HandFigures:
    """What each choice of one hand is worth, with the rules and conditions that the figures hold under."""

    rules: Rules
    conditions: Conditions
    analysis: HandAnalysis | StreetsAnalysis

    @property
    def changed(self) -> str:
        return self.conditions.changed

    def as_dict(self) -> dict[str, Any]:
        return {**self.analysis.as_dict(), "changed": [each.as_dict() for each in self.conditions.changes]}


@dataclass(frozen=True)
class PotShares:
    """Hands of players against each other, and what the house takes of a pot."""

    rules: Rules
    hands: tuple[Equity, ...]
    ways: int
    rake: RakeShare

    @property
    def sampled(self) -> bool:
        return self.hands[0].error > 0

    def of_pot(self, hand: Equity) -> Cents:
        """The hand's share of what the rake leaves, in whole cents."""
        return int(hand.share * (self.rake.pot - self.rake.rake))

    def as_dict(self) -> dict[str, Any]:
        return {
            "game": self.rules.game,
            "ways": self.ways,
            "hands": [each.as_dict() for each in self.hands],
            "pot": self.rake.pot,
            "rake": self.rake.rake,
        }


def hand_paper(found: HandFigures, printed: int | None = None) -> Paper:
    """One hand: every choice, the best first."""
    analysis = found.analysis
    return Paper(
        "hand",
        f"{found.rules.chapter.title}: {say.cards(show_cards(analysis.cards))}",
        (seen_words(analysis),),
        hand_passages(found),
        imprint_for(found.rules.as_of, printed),
        main="choices",
    )


def hand_passages(found: HandFigures) -> tuple[Passage, ...]:
    """The parts of the document, for a page that draws the cards itself."""
    analysis, unit = found.analysis, found.conditions.unit
    changed = [Remark(f"Not the law's table; {found.changed}.", tone="warning")] if found.changed else []
    if isinstance(analysis, StreetsAnalysis):
        streets = ((_street_title(each), [_choices(each, unit, key)]) for key, each in _keyed(analysis))
        return passages(("", changed), *streets)
    part = [Remark(f"Only a part of the game: {analysis.restriction}.", tone="warning")] if analysis.restriction else []
    gone = tuple((show_cards(cards), worth, worth) for cards, worth in analysis.exchanges.items())
    swaps = (Column("cards", "Gives up", CellKind.CARDS), *_worth(unit))
    return passages(
        ("What each choice is worth", [*changed, _choices(analysis, unit, "choices"), *part]),
        ("Every exchange, the best first", [Listing("exchanges", swaps, gone)] if gone else []),
        ("How the dealer's hands compare", [Listing("dealer", DEALER, tuple(_cells(analysis)))]),
    )


def turned_up(analysis: HandAnalysis | StreetsAnalysis) -> Hand:
    """The cards on the table that the player sees."""
    if isinstance(analysis, StreetsAnalysis):
        return analysis.board
    return () if analysis.up is None else (analysis.up,)


def seen_words(analysis: HandAnalysis | StreetsAnalysis) -> str:
    """What the hand is and what was turned up, in words."""
    if isinstance(analysis, StreetsAnalysis):
        board = say.cards(show_cards(analysis.board))
        return f"Turned up: {board}" if board else "Nothing is turned up"
    up = "" if analysis.up is None else f", dealer shows {say.cards(show_card(analysis.up))}"
    return f"{analysis.hand[:1].upper()}{analysis.hand[1:]}{up}; {analysis.dealer_hands:,} dealer's hands"


def _keyed(analysis: StreetsAnalysis) -> Iterator[tuple[str, StreetValues]]:
    """Streets with keys of their listings, the one that is asked now first."""
    now, *before = reversed(analysis.streets)
    yield "choices", now
    yield from ((each.step, each) for each in before)


def _street_title(asked: StreetValues) -> str:
    made = f", after {', '.join(asked.made).replace('_', ' ')}" if asked.made else ""
    return f"{shown(asked.step)}, {say.cards(show_cards(asked.seen))}{made}"


def _worth(unit: str) -> tuple[Column, Column]:
    return (
        Column("value", f"Value in {units(unit)}", CellKind.FIGURE, places=6),
        Column("exactly", "Exactly", CellKind.EXACT, rank=2),
    )


def _choices(asked: HandAnalysis | StreetValues, unit: str, key: str) -> Listing:
    columns = (Column("choice", "Choice"), *_worth(unit), Column("best", "Best", CellKind.TEXT))
    marks = {asked.best: BEST, **dict.fromkeys(asked.ties, AS_GOOD)}
    return Listing(key, columns, tuple(_ranked(asked.values, marks)))


def _ranked(values: Mapping[str, Fraction], marks: Mapping[str, str]) -> Iterator[Row]:
    for name, worth in sorted(values.items(), key=lambda item: item[1], reverse=True):
        yield name.replace("_", " "), worth, worth, marks.get(name, "")


def _cells(analysis: HandAnalysis) -> Iterator[Row]:
    for (qualifies, versus), count in analysis.cells.items():
        if count:
            yield "qualifies" if qualifies else "does not qualify", str(versus), count


def equity_paper(found: PotShares, printed: int | None = None) -> Paper:
    """Hands against each other: each one's share of the pot, and the rake's."""
    return Paper(
        "equity",
        f"{found.rules.chapter.title}: {' against '.join(say.cards(show_cards(each.cards)) for each in found.hands)}",
        ("Equity if nobody folds any more",),
        equity_passages(found),
        imprint_for(found.rules.as_of, printed),
        main="hands",
    )


def equity_passages(found: PotShares) -> tuple[Passage, ...]:
    rows = tuple(
        (
            show_cards(each.cards),
            each.share,
            2 * each.error if each.error else None,
            each.wins,
            found.of_pot(each),
            None if each.error else each.share,
        )
        for each in found.hands
    )
    how = "sampled" if found.sampled else "all counted"
    blocks: tuple[Block, ...] = (
        Listing("hands", EQUITIES, rows),
        Figures(
            (
                Datum(f"Ways to fall, {how}", found.ways, CellKind.COUNT),
                Datum("Pot", found.rake.pot, CellKind.MONEY),
                Datum("Rake", found.rake.rake, CellKind.MONEY),
                Datum("Rake, of the pot", found.rake.share, CellKind.PERCENT, places=2),
            )
        ),
    )
    return (Passage("", blocks),)
