"""Rank orders of Poker hands, one per list in the law. A higher score is a better hand; equal scores tie.

The categories are defined once, for hands of any size; an order only says how many cards it ranks and
which categories it knows, from the highest to the lowest.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import ClassVar

from pitboss.cards import ACE, KING, RANK_NAMES, Card, Hand, rank_of, show_cards, suit_of
from pitboss.findings import UnreadableError

_KICKERS = 5
_NIBBLE = 4
_CATEGORY_SHIFT = _KICKERS * _NIBBLE

OF_FEW_CARDS = ("high_card", "pair", "two_pair", "three_of_a_kind", "four_of_a_kind")
"""What cards that are too few for a whole hand can be, by how often their ranks occur."""


@dataclass(frozen=True)
class Shape:
    """What the categories look at: ranks grouped by how often they occur, one suit or not, in sequence or not."""

    ranks: tuple[int, ...]
    """Distinct ranks, the most frequent first, then the highest."""
    counts: tuple[int, ...]
    one_suit: bool
    sequence_top: int | None
    """Highest rank of a sequence; an ace below a deuce counts low, so A-2-3-4 has top 4 (rank 2)."""

    @classmethod
    def of(cls, cards: Iterable[Card]) -> "Shape":
        hand = tuple(cards)
        tally: dict[int, int] = {}
        for card in hand:
            tally[rank_of(card)] = tally.get(rank_of(card), 0) + 1
        ranks = tuple(sorted(tally, key=lambda rank: (tally[rank], rank), reverse=True))
        return cls(
            ranks,
            tuple(tally[rank] for rank in ranks),
            len({suit_of(card) for card in hand}) == 1,
            _sequence_top(ranks),
        )


def _sequence_top(ranks: tuple[int, ...]) -> int | None:
    size = len(ranks)
    ordered = sorted(ranks)
    if ordered[-1] - ordered[0] == size - 1:
        return ordered[-1]
    # 641a.6(a), 649a.6(a), 671a.6(a), 684a.6(a): the ace completes the lowest sequence and no other.
    if ordered[-1] == ACE and ordered[:-1] == list(range(size - 1)):
        return size - 2
    return None


def _in_sequence(shape: Shape) -> bool:
    return shape.sequence_top is not None and set(shape.counts) == {1}


CATEGORIES: Mapping[str, Callable[[Shape], bool]] = {
    "royal_flush": lambda s: s.one_suit and _in_sequence(s) and s.sequence_top == ACE,
    "straight_flush": lambda s: s.one_suit and _in_sequence(s),
    "four_of_a_kind": lambda s: s.counts[0] == 4,
    "full_house": lambda s: s.counts == (3, 2),
    "flush": lambda s: s.one_suit,
    "suited": lambda s: s.one_suit,
    "straight": _in_sequence,
    "three_of_a_kind": lambda s: s.counts[0] == 3,
    "two_pair": lambda s: s.counts[:2] == (2, 2),
    "pair": lambda s: s.counts[0] == 2,
    "ace_king": lambda s: ACE in s.ranks and KING in s.ranks,
    "high_card": lambda _: True,
}
_SEQUENCES = ("royal_flush", "straight_flush", "straight")


@dataclass(frozen=True)
class RankOrder:
    """One list of ranks: how many cards, which categories from the highest to the lowest."""

    name: str
    size: int
    categories: tuple[str, ...]
    cites: tuple[str, ...]

    shift: ClassVar[int] = _CATEGORY_SHIFT
    """How far to the left of a score its category stands, the lowest as 0."""

    def score(self, cards: Hand) -> int:
        """The rank of exactly ``size`` cards as an integer.

        >>> from pitboss.cards import parse_cards
        >>> THREE_CARD.score(parse_cards("Ac 2d 3h")) > THREE_CARD.score(parse_cards("Ah Kh 9h"))
        True
        """
        if len(cards) != self.size:
            raise UnreadableError(f"{self.name} ranks {self.size} cards, not {len(cards)}")
        return self.score_shape(Shape.of(cards))

    def score_shape(self, shape: Shape) -> int:
        for place, name in enumerate(self.categories):
            if CATEGORIES[name](shape):
                order = (shape.sequence_top,) if name in _SEQUENCES else shape.ranks
                kickers = 0
                for rank in order:
                    kickers = kickers << _NIBBLE | (rank or 0)
                kickers <<= _NIBBLE * (_KICKERS - len(order))
                return (len(self.categories) - 1 - place) << _CATEGORY_SHIFT | kickers
        raise AssertionError("every order ends with high_card")

    def category(self, score: int) -> str:
        return self.categories[len(self.categories) - 1 - (score >> _CATEGORY_SHIFT)]

    def lead_rank(self, score: int) -> int:
        """The rank that leads the hand: of the pair, of the three, of the top of the sequence, or the highest card."""
        return score >> _CATEGORY_SHIFT - _NIBBLE & 15

    def second_rank(self, score: int) -> int:
        """The rank after the lead: of the lower pair, of the pair of a full house, or of the first kicker."""
        return score >> _CATEGORY_SHIFT - 2 * _NIBBLE & 15

    @lru_cache(maxsize=2048)  # noqa: B019 - the orders are constants; a settlement asks for each hand several times
    def best(self, cards: Hand) -> tuple[int, Hand]:
        """The highest ranking hand of ``size`` cards that can be selected, and the cards that form it."""
        return max(((self.score(hand), hand) for hand in combinations(cards, self.size)), key=lambda scored: scored[0])

    @lru_cache(maxsize=2048)  # noqa: B019
    def show_best(self, cards: Hand) -> str:
        """The hand that plays, in words and cards: "pair of aces (As Ad 9c 4h)"."""
        score, best = self.best(cards)
        return f"{self.describe(score)} ({show_cards(best)})"

    def at_least(self, category: str, lead_rank: int = 0) -> int:
        """The lowest score of a category whose lead rank is at least the one given."""
        place = len(self.categories) - 1 - self.categories.index(category)
        return place << _CATEGORY_SHIFT | lead_rank << _CATEGORY_SHIFT - _NIBBLE

    def describe(self, score: int) -> str:
        """A hand in words: "pair of aces", "straight, 10 high"."""
        category = self.category(score)
        lead = RANK_NAMES[self.lead_rank(score)]
        second = RANK_NAMES[self.second_rank(score)] if "{second" in _WORDS[category] else ""
        return _WORDS[category].format(lead=lead, second=second, leads=lead + "s", seconds=second + "s")


_WORDS = {
    "royal_flush": "royal flush",
    "straight_flush": "straight flush, {lead} high",
    "four_of_a_kind": "four {leads}",
    "full_house": "full house, {leads} over {seconds}",
    "flush": "flush, {lead} high",
    "suited": "{lead}-{second} suited",
    "straight": "straight, {lead} high",
    "three_of_a_kind": "three {leads}",
    "two_pair": "two pair, {leads} and {seconds}",
    "pair": "pair of {leads}",
    "ace_king": "ace-king",
    "high_card": "{lead} high",
}

ONE_CARD = RankOrder("one-card", 1, ("high_card",), ())
"""A single card, by its rank alone."""
TWO_CARD = RankOrder("two-card", 2, ("pair", "suited", "high_card"), ())
"""Two cards that a longer hand starts with: 169 of them, pairs first, then suited, then others."""
THREE_CARD = RankOrder(
    "three-card",
    3,
    ("straight_flush", "three_of_a_kind", "straight", "flush", "pair", "high_card"),
    ("649a.6(b)",),
)
FOUR_CARD = RankOrder(
    "four-card",
    4,
    (
        "four_of_a_kind",
        "straight_flush",
        "three_of_a_kind",
        "flush",
        "straight",
        "two_pair",
        "pair",
        "high_card",
    ),
    ("641a.6(b)", "684a.6(b)"),
)
FIVE_CARD = RankOrder(
    "five-card",
    5,
    (
        "royal_flush",
        "straight_flush",
        "four_of_a_kind",
        "full_house",
        "flush",
        "straight",
        "three_of_a_kind",
        "two_pair",
        "pair",
        "high_card",
    ),
    ("641a.6(d)", "641a.6(e)", "649a.6(d)", "684a.6(e)"),
)
LUNAR = RankOrder(
    "lunar",
    5,
    (*FIVE_CARD.categories[:-1], "ace_king", "high_card"),
    ("671a.6(b)",),
)
ORDERS = (THREE_CARD, FOUR_CARD, FIVE_CARD, LUNAR)
