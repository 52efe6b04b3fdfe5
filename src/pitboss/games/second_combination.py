"""Lunar Poker's second combination, 671a.11(f)(2)(ii): which cards make a combination, and which other one is paid."""

from collections.abc import Iterable, Iterator
from itertools import combinations, product
from typing import NamedTuple

from pitboss.cards import ACE, KING, Card, Hand, rank_of
from pitboss.games.rules import Rules
from pitboss.hands import LUNAR
from pitboss.hands.labels import NOTHING

ORDER = LUNAR
"""The ranking whose categories combinations have."""
DISTINCT = "second-combination-distinct"
"""The other reading: a second combination of the winning category needs other ranks than the winning one."""
GROUPS = {"four_of_a_kind": 4, "three_of_a_kind": 3, "pair": 2}
"""Categories made by cards of one rank, and how many; two pair and ace-king join two ranks, others take five cards."""


def combinations_in(cards: Hand) -> Iterator[tuple[str, frozenset[Card]]]:
    """Every Poker combination among the cards, as its category and exactly the cards that make it, the highest first.

    >>> from pitboss.cards import parse_cards
    >>> [(name, len(made)) for name, made in combinations_in(parse_cards("As Ad Kc 9h 8d"))]
    [('pair', 2), ('ace_king', 2), ('ace_king', 2)]
    """
    ranks = {rank: [card for card in cards if rank_of(card) == rank] for rank in map(rank_of, cards)}
    fives = [(LUNAR.category(LUNAR.score(five)), frozenset(five)) for five in combinations(cards, LUNAR.size)]
    pairs = {rank: list(combinations(same, 2)) for rank, same in ranks.items()}
    for category in LUNAR.categories[:-1]:
        if category in GROUPS:
            for same in ranks.values():
                yield from ((category, frozenset(made)) for made in combinations(same, GROUPS[category]))
        elif category == "two_pair":
            for one, other in combinations(pairs.values(), 2):
                yield from ((category, frozenset(high + low)) for high in one for low in other)
        elif category == "ace_king":
            yield from ((category, frozenset(made)) for made in product(ranks.get(ACE, ()), ranks.get(KING, ())))
        else:
            yield from (made for made in fives if made[0] == category)


class Combinations(NamedTuple):
    """What cards make, whatever the pay table: the winning category, and the categories of second combinations."""

    category: str
    seconds: tuple[str, ...]
    """The highest first."""
    remade: bool
    """The winning category is among them only with the ranks of the winning combination itself."""

    def paid(self, rules: Rules) -> str:
        """The second combination that pays best; by the other reading not one that is remade with the same ranks."""
        rows = rules.tables["bet"].rows
        left_out = self.category if self.remade and rules.reading("bet") == DISTINCT else ""
        paid = [name for name in self.seconds if name in rows and name != left_out]
        return max(paid, key=lambda name: rows[name].rate, default=NOTHING)  # type: ignore[union-attr]


def combined(cards: Hand) -> Combinations:
    """Every combination that uses at least one card outside the winning one.

    The winning combination is the cards that make the category of the best hand. With six cards all six may be used.
    """
    best = LUNAR.best(cards)[1]
    category = LUNAR.category(LUNAR.score(best))
    winning = next((made for name, made in combinations_in(best) if name == category), frozenset(best))
    others = [(name, made) for name, made in combinations_in(cards) if not made <= winning]
    same = [_ranks(made) for name, made in others if name == category]
    seconds = tuple(dict.fromkeys(name for name, _ in others))
    return Combinations(category, seconds, bool(same) and all(ranks == _ranks(winning) for ranks in same))


def _ranks(cards: Iterable[Card]) -> list[int]:
    return sorted(map(rank_of, cards))


def second_label(rules: Rules, cards: Hand) -> str:
    """The best paying combination that uses at least one card outside the winning combination."""
    return combined(cards).paid(rules)
