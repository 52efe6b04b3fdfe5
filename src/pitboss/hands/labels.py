"""The names of pay-table rows: what a hand may be called, from the most special name to the most general.

A pay table that has no row for four aces pays them as any four-of-a-kind; ``BROADER`` says so once. Each
``*_LABELS`` tuple lists what one way of looking at cards can yield, the best first, so that an outcome is a
small number and every pay can be tabulated.
"""

from collections.abc import Mapping
from typing import TypeVar

from pitboss.cards import ACE, DIAMONDS, JACK, KING, QUEEN, RANK_NAMES, RANKS, SPADES, Hand, is_red, rank_of, suit_of
from pitboss.data import data_rows
from pitboss.hands.orders import FIVE_CARD, FOUR_CARD, LUNAR, THREE_CARD

T = TypeVar("T")
NOTHING = "nothing"
A_TWO = "two"
_SIX, _SEVEN, _TEN = (RANKS.index(name) for name in "67T")


_ROWS = [*data_rows("hands", "rows.tsv")]
"""The name of a row, its title, and the next broader name, where there is one."""
TITLES: Mapping[str, str] = {name: title for name, title, *_ in _ROWS}
BROADER: Mapping[str, str] = {name: broader[0] for name, _, *broader in _ROWS if broader}

THREE_CARD_LABELS = ("mini_royal_of_spades", "mini_royal", *THREE_CARD.categories)
FOUR_CARD_LABELS = (
    "four_aces",
    "four_of_a_kind",
    "royal_flush",
    "straight_flush",
    "three_aces",
    "three_of_a_kind",
    "flush",
    "straight",
    "aces_and_queens",
    "two_pair",
    "pair_of_aces",
    "pair_of_kings",
    "pair_of_queens",
    "pair",
    "high_card",
)
FIVE_CARD_LABELS = ("royal_flush_of_spades", *FIVE_CARD.categories)
BEST_FIVE_LABELS = FIVE_CARD.categories
SIX_CARD_LABELS = ("six_card_royal_of_diamonds", "six_card_royal", *FIVE_CARD_LABELS)
STUD_LABELS = (
    *FIVE_CARD.categories[:-2], "pair_of_jacks_or_better", "pair_of_tens", "pair_of_sixes_to_nines", "pair",
    "high_card",
)  # fmt: skip
LUNAR_LABELS = LUNAR.categories
SUPER_LABELS = (
    "four_of_a_kind",
    "five_picture_cards",
    "full_house",
    "flush",
    "straight",
    "three_of_a_kind",
    "ace_king_queen",
    "same_colored_five",
    "royal_flush",
    "straight_flush",
    NOTHING,
)
COLOR_LABELS = ("five_same_color", "four_same_color", NOTHING)
THREE_COLOR_LABELS = ("three_same_color", NOTHING)
SIX_COLOR_LABELS = ("six_same_color", NOTHING)
STRONG_START, OTHER_START, WEAK_START = "strong_start", "other_start", "weak_start"
START_LABELS = (STRONG_START, OTHER_START, WEAK_START)
HIGHER_LABELS = tuple(reversed(RANK_NAMES))
POCKET_LABELS = (
    "pair_of_aces", "ace_king_suited", "ace_queen_or_jack_suited", "ace_king_offsuit", "pair_of_jacks_to_kings",
    "ace_queen_or_jack_offsuit", "pair", NOTHING,
)  # fmt: skip
TWO_LABELS = (A_TWO, NOTHING)


def row_of(rows: Mapping[str, T], label: str) -> str | None:
    """The row that pays a hand: its own, or that of the next broader name.

    >>> row_of({"four_of_a_kind": 1, "pair_of_aces": 2}, "four_aces"), row_of({"pair_of_aces": 2}, "pair")
    ('four_of_a_kind', None)
    """
    name: str | None = label
    while name is not None and name not in rows:
        name = BROADER.get(name)
    return name


def three_card_label(cards: Hand) -> str:
    """649a.6(b), with the ace, king and queen of one suit named apart by 649a.6(e) and 649a.12(c), (e)."""
    score = THREE_CARD.score(cards)
    if score >= THREE_CARD.at_least("straight_flush", ACE):
        return "mini_royal_of_spades" if suit_of(cards[0]) == SPADES else "mini_royal"
    return THREE_CARD.category(score)


def four_card_label(cards: Hand) -> str:
    """641a.6(b) and 684a.6(b) and (d), of the best four cards."""
    score = FOUR_CARD.best(cards)[0]
    category, lead = FOUR_CARD.category(score), FOUR_CARD.lead_rank(score)
    if category == "two_pair":
        return "aces_and_queens" if (lead, FOUR_CARD.second_rank(score)) == (ACE, QUEEN) else category
    return _FOUR_CARD_SPECIAL.get((category, lead), category)


_FOUR_CARD_SPECIAL = {
    ("four_of_a_kind", ACE): "four_aces",
    ("straight_flush", ACE): "royal_flush",
    ("three_of_a_kind", ACE): "three_aces",
    ("pair", ACE): "pair_of_aces",
    ("pair", KING): "pair_of_kings",
    ("pair", QUEEN): "pair_of_queens",
}


def five_card_label(cards: Hand) -> str:
    """641a.6(d), 649a.6(d): the best five cards, a royal flush of spades named apart by 649a.12(j)."""
    score, best = FIVE_CARD.best(cards)
    category = FIVE_CARD.category(score)
    return "royal_flush_of_spades" if category == "royal_flush" and suit_of(best[0]) == SPADES else category


def start_label(cards: Hand) -> str:
    """Two cards of a hold'em hand, by whether it is worth the most, or nothing, before the board is seen."""
    low, high = sorted(map(rank_of, cards))
    if low == high:
        return STRONG_START if low > 0 else OTHER_START
    suited, other = _LEAST_BESIDE.get(high, (high, high))
    one_suit = suit_of(cards[0]) == suit_of(cards[1])
    if low >= (suited if one_suit else other):
        return STRONG_START
    return WEAK_START if low == 0 and high <= _SEVEN and not one_suit else OTHER_START


_LEAST_BESIDE = {
    ACE: (0, 0),
    KING: (0, RANKS.index("5")),
    QUEEN: (_SIX, RANKS.index("8")),
    JACK: (RANKS.index("8"), _TEN),
}
"""The least card beside the higher one of a strong start: in its suit, and in another."""


def higher_label(cards: Hand) -> str:
    """The rank of the higher of two cards."""
    return RANK_NAMES[max(map(rank_of, cards))]


def pocket_label(cards: Hand) -> str:
    """A player's first two cards by themselves: pairs, and an ace with a king, queen or jack."""
    low, high = sorted(map(rank_of, cards))
    if low == high:
        return "pair_of_aces" if low == ACE else "pair_of_jacks_to_kings" if low >= JACK else "pair"
    if high < ACE or low < JACK:
        return NOTHING
    suits = "suited" if suit_of(cards[0]) == suit_of(cards[1]) else "offsuit"
    return f"{'ace_king' if low == KING else 'ace_queen_or_jack'}_{suits}"


def best_five_label(cards: Hand) -> str:
    """The best five cards of any number, by category alone."""
    return FIVE_CARD.category(FIVE_CARD.best(cards)[0])


def stud_label(cards: Hand) -> str:
    """Five cards, with the pairs named apart that a stud game pays, returns or takes."""
    score = FIVE_CARD.best(cards)[0]
    category, lead = FIVE_CARD.category(score), FIVE_CARD.lead_rank(score)
    if category != "pair" or lead < _SIX:
        return category
    return "pair_of_jacks_or_better" if lead >= JACK else "pair_of_tens" if lead == _TEN else "pair_of_sixes_to_nines"


def six_card_label(cards: Hand) -> str:
    """641a.6(e), 684a.6(e) and the Super Royal of 649a.6(d)(8): six in sequence from the ace, else the best five."""
    if (
        len(cards) == 6
        and len({suit_of(c) for c in cards}) == 1
        and sorted(map(rank_of, cards)) == [*range(ACE - 5, ACE + 1)]
    ):
        return "six_card_royal_of_diamonds" if suit_of(cards[0]) == DIAMONDS else "six_card_royal"
    return five_card_label(cards)


def lunar_label(cards: Hand) -> str:
    """671a.6(b), of the best five of five or six cards."""
    return LUNAR.category(LUNAR.best(cards)[0])


def super_label(cards: Hand) -> str:
    """671a.6(d): the highest line of the Super Wager list that the five cards satisfy.

    A straight flush, royal or not, is named as such: the list does not have it, and the readings differ in what it
    is paid as.
    """
    category = FIVE_CARD.category(FIVE_CARD.score(cards))
    ranks = {rank_of(card) for card in cards}
    if category == "four_of_a_kind":
        return category
    if ranks <= {KING, QUEEN, JACK}:
        return "five_picture_cards"
    if category in ("full_house", "flush", "straight", "three_of_a_kind", "royal_flush", "straight_flush"):
        return category
    if {ACE, KING, QUEEN} <= ranks:
        return "ace_king_queen"
    return "same_colored_five" if len({is_red(card) for card in cards}) == 1 else NOTHING


def color_label(cards: Hand) -> str:
    """684a.7(d)(2): how many of the five cards share a colour."""
    return {5: "five_same_color", 4: "four_same_color"}.get(_of_one_color(cards), NOTHING)


def three_color_label(cards: Hand) -> str:
    """679a.7(d)(2): whether a player's three cards share a colour."""
    return "three_same_color" if _of_one_color(cards) == 3 else NOTHING


def six_color_label(cards: Hand) -> str:
    """Whether the cards of player and dealer share a colour."""
    return "six_same_color" if _of_one_color(cards) == 6 else NOTHING


def _of_one_color(cards: Hand) -> int:
    reds = sum(map(is_red, cards))
    return max(reds, len(cards) - reds)


def two_label(cards: Hand) -> str:
    """679a.11(d)(2)(ii): whether a single card is a 2."""
    return A_TWO if rank_of(cards[0]) == 0 else NOTHING
