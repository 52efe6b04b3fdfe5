"""The name of a seat's hand, with the cards of the table that lie open."""

from functools import lru_cache
from typing import Any

from pitboss.cards import Hand, parse_cards
from pitboss.games.betting import COMMUNITY
from pitboss.games.facts import Compare, Label
from pitboss.games.registry import GAMES
from pitboss.hands.orders import FIVE_CARD, OF_FEW_CARDS, RankOrder
from pitboss.reports.cards import DOWN
from pitboss.reports.places import held


@lru_cache(maxsize=64)
def ranking(game: str) -> tuple[RankOrder, tuple[str, ...]] | None:
    """The order by which a game ranks a player's hand, and the places its cards come from; none without a hand."""
    for fact in GAMES[game].lines.facts.by_name.values():
        if isinstance(fact, Compare):
            return fact.order, fact.places
        if isinstance(fact, Label) and fact.facet.order is not None and "own" in fact.places:
            return fact.facet.order, fact.places
    return (FIVE_CARD, ("own", COMMUNITY)) if GAMES[game].course.contest else None


def hand_name(game: str, shown: dict[str, Any], seat: int) -> str:
    """What a seat holds, with the cards of the table that lie open, in words; nothing while a card is hidden."""
    ranked = ranking(game)
    own = held(shown, f"seat {seat}")
    if ranked is None or not own or DOWN in own:
        return ""
    order, places = ranked
    others = [card for place in places if place not in ("own", "final") for card in held(shown, place)]
    return named(order, parse_cards(" ".join((*own, *(card for card in others if card != DOWN)))))


def named(order: RankOrder, cards: Hand) -> str:
    """Fewer cards than a hand has are named by what is alike among them.

    >>> from pitboss.hands import FIVE_CARD
    >>> named(FIVE_CARD, parse_cards("As Ad")), named(FIVE_CARD, parse_cards("As Ks Qs Js 9s 2d 3c"))
    ('pair of aces', 'flush, ace high')
    """
    if len(cards) < order.size:
        order = RankOrder("few", len(cards), tuple(reversed(OF_FEW_CARDS)), ())
    return order.describe(order.best(cards)[0])
