"""Which card decides between two hands that people call by the same name."""

from dataclasses import dataclass
from functools import lru_cache

from pitboss.cards import RANK_NAMES, Hand, rank_of, show_cards
from pitboss.hands.orders import RankOrder, Shape

PLACES = ("first", "second", "third", "fourth", "fifth")
_SEQUENCES = ("straight", "straight_flush", "royal_flush")


@dataclass(frozen=True)
class Deciding:
    """Where two hands of one category first differ."""

    mine: Hand
    theirs: Hand
    """The cards of one rank, on both sides, that decide."""
    place: int
    """How many cards come before them in each hand."""

    @property
    def ranks(self) -> tuple[str, str]:
        return RANK_NAMES[rank_of(self.mine[0])], RANK_NAMES[rank_of(self.theirs[0])]

    @property
    def higher(self) -> str:
        return RANK_NAMES[max(rank_of(self.mine[0]), rank_of(self.theirs[0]))]


def deciding(order: RankOrder, mine: Hand, theirs: Hand) -> Deciding | None:
    """Return the cards that decide; None if the hands tie or their categories differ.

    >>> from pitboss.cards import parse_cards
    >>> from pitboss.hands.orders import THREE_CARD
    >>> found = deciding(THREE_CARD, parse_cards("Kh 8c 3d"), parse_cards("Ks 8d 4c"))
    >>> show_cards(found.mine), show_cards(found.theirs), found.place
    ('3d', '4c', 2)
    """
    my_score, their_score = order.score(mine), order.score(theirs)
    if my_score == their_score or order.category(my_score) != order.category(their_score):
        return None
    one, other = Shape.of(mine), Shape.of(theirs)
    if order.category(my_score) in _SEQUENCES:
        return Deciding(_of_rank(mine, one.sequence_top), _of_rank(theirs, other.sequence_top), 0)
    place = 0
    for own, others, count in zip(one.ranks, other.ranks, one.counts, strict=True):
        if own != others:
            return Deciding(_of_rank(mine, own), _of_rank(theirs, others), place)
        place += count
    raise AssertionError("hands of different scores differ in a rank")


def _of_rank(cards: Hand, rank: int | None) -> Hand:
    return tuple(card for card in cards if rank_of(card) == rank)


def kicker(order: RankOrder, mine: Hand, theirs: Hand) -> Deciding | None:
    """Return what decides between hands of one name, and None where their names already tell them apart."""
    if order.describe(order.score(mine)) != order.describe(order.score(theirs)):
        return None
    return deciding(order, mine, theirs)


@lru_cache(maxsize=2048)
def show_against(order: RankOrder, mine: Hand, theirs: Hand) -> tuple[str, str]:
    """Both hands in words and cards, and the card that decides: empty where their names tell them apart, or they tie.

    Each side is the best hand of its cards.

    >>> from pitboss.cards import parse_cards
    >>> from pitboss.hands.orders import FIVE_CARD
    >>> show_against(FIVE_CARD, parse_cards("Th Td 9c 9s Kd"), parse_cards("Tc Ts 9d 9h Qc"))
    ('two pair, 10s and 9s, king (Th Td 9c 9s Kd) against two pair, 10s and 9s, queen (Tc Ts 9d 9h Qc)', 'king')
    """
    my_best, their_best = order.best(mine)[1], order.best(theirs)[1]
    found = kicker(order, my_best, their_best)
    if found is None:
        return f"{order.show_best(mine)} against {order.show_best(theirs)}", ""
    name = order.describe(order.score(my_best))
    own, others = found.ranks
    return f"{name}, {own} ({show_cards(my_best)}) against {name}, {others} ({show_cards(their_best)})", found.higher
