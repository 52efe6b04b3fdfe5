"""Lunar Poker's second combination, 671a.11(f)(2)(ii): which cards make a combination, and which other one is paid."""

from collections.abc import Iterator
from itertools import combinations

from pitboss.cards import ACE, KING, Card, Hand, rank_of
from pitboss.games.rules import Rules
from pitboss.hands import LUNAR
from pitboss.hands.labels import NOTHING
from pitboss.hands.orders import CATEGORIES, Shape
from pitboss.law.implements import implements

COMBINATION_SIZES = {"four_of_a_kind": 4, "three_of_a_kind": 3, "two_pair": 4, "pair": 2, "ace_king": 2}
"""How many cards make each category; every other takes all five."""


def combinations_in(cards: Hand) -> Iterator[tuple[str, frozenset[Card]]]:
    """Every Poker combination among the cards, as its category and exactly the cards that make it.

    >>> from pitboss.cards import parse_cards
    >>> [(name, len(made)) for name, made in combinations_in(parse_cards("As Ad Kc 9h 8d"))]
    [('pair', 2), ('ace_king', 2), ('ace_king', 2)]
    """
    for category in LUNAR.categories[:-1]:
        size = COMBINATION_SIZES.get(category, LUNAR.size)
        for chosen in combinations(cards, size):
            if _makes(category, chosen):
                yield category, frozenset(chosen)


def _makes(category: str, chosen: Hand) -> bool:
    if category == "ace_king":
        return {rank_of(card) for card in chosen} == {ACE, KING}
    if len(chosen) == LUNAR.size:
        return LUNAR.category(LUNAR.score(chosen)) == category
    return CATEGORIES[category](Shape.of(chosen))


@implements("671a.11(f)(2)(ii)")
def second_label(rules: Rules, cards: Hand) -> str:
    """The best paying combination that uses at least one card outside the winning combination.

    The winning combination is the cards that make the category of the best hand. With six cards all six may be used.
    """
    best = LUNAR.best(cards)[1]
    category = LUNAR.category(LUNAR.score(best))
    winning = next((made for name, made in combinations_in(best) if name == category), frozenset(best))
    rows = rules.tables["bet"].rows
    others = [name for name, made in combinations_in(cards) if name in rows and not made <= winning]
    return max(others, key=lambda name: rows[name].rate, default=NOTHING)  # type: ignore[union-attr]
