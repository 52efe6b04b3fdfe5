"""The rank orders and row names against the lists of the law, and against complete counts over all hands."""

from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache
from itertools import chain, combinations
from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.cards import DECK, DIAMONDS, HEARTS, RANKS, Card, Hand, card_of, parse_cards, rank_of, suit_of
from pitboss.hands import FIVE_CARD, FOUR_CARD, LUNAR, ORDERS, THREE_CARD, RankOrder, batch, labels

# Each category of an order with its highest and lowest hand; the last entry is "none of the hands listed".
LADDERS: Mapping[RankOrder, tuple[tuple[str, str, str], ...]] = {
    THREE_CARD: (
        ("straight_flush", "Ac Kc Qc", "Ah 2h 3h"),
        ("three_of_a_kind", "Ac Ad Ah", "2c 2d 2s"),
        ("straight", "Ac Kc Qd", "Ah 2s 3h"),
        ("flush", "Ad Kd Jd", "2s 3s 5s"),
        ("pair", "As Ad Kd", "2s 2d 3d"),
        ("high_card", "As Kd Jd", "2s 3d 5d"),
    ),
    FOUR_CARD: (
        ("four_of_a_kind", "Ac Ad Ah As", "2c 2d 2h 2s"),
        ("straight_flush", "Ac Kc Qc Jc", "Ah 2h 3h 4h"),
        ("three_of_a_kind", "Ac Ad Ah Ks", "2c 2d 2h 3s"),
        ("flush", "Ad Kd Qd Td", "2s 3s 4s 6s"),
        ("straight", "Ac Kc Qd Jd", "Ah 2s 3h 4h"),
        ("two_pair", "Ac As Kc Kd", "3c 3d 2c 2d"),
        ("pair", "Ac Ad Kc Qd", "2c 2d 3c 4d"),
        ("high_card", "Ac Kd Qc Td", "2c 3c 4d 6d"),
    ),
    FIVE_CARD: (
        ("royal_flush", "Ac Kc Qc Jc Tc", "As Ks Qs Js Ts"),
        ("straight_flush", "Kc Qc Jc Tc 9c", "Ah 2h 3h 4h 5h"),
        ("four_of_a_kind", "Ac Ad Ah As Kc", "2c 2d 2h 2s 3s"),
        ("full_house", "Ac Ad Ah Ks Kc", "2c 2d 2h 3s 3c"),
        ("flush", "Ad Kd Qd Jd 9d", "2s 3s 4s 5s 7s"),
        ("straight", "Ac Kc Qd Jd Tc", "Ah 2s 3h 4h 5h"),
        ("three_of_a_kind", "Ac Ad Ah Ks Qc", "2c 2d 2h 3s 4s"),
        ("two_pair", "Ac As Kc Kd Qd", "3c 3d 2c 2d 4d"),
        ("pair", "Ac Ad Kc Qd Jh", "2c 2d 3c 4d 5d"),
        ("high_card", "Ac Kd Qc Jd 9d", "2c 3c 4d 5d 7d"),
    ),
}
LADDERS = {
    **LADDERS,
    LUNAR: (
        *LADDERS[FIVE_CARD][:-1],
        ("ace_king", "Ac Kd Qc Jd 9d", "Ac Kd 2c 3d 4d"),
        ("high_card", "Ac Qd Jc Td 9d", "2c 3c 4d 5d 7d"),
    ),
}
# Each list of the law, and how many of the order's categories it names.
LISTS = (
    (THREE_CARD, "649a.6(b)", 5),
    (FOUR_CARD, "641a.6(b)", 7),
    (FOUR_CARD, "684a.6(b)", 7),
    (FIVE_CARD, "641a.6(d)", 7),
    (FIVE_CARD, "649a.6(d)", 7),
    (LUNAR, "671a.6(b)", 10),
)


def _by_name(order: RankOrder) -> str:
    return order.name


def _paragraphs(prefix: str, *rows: tuple[Any, ...]) -> list[Any]:
    """One parameter set for each numbered paragraph of a list, marked with that paragraph."""
    cites = [f"{prefix}({number})" for number, _ in enumerate(rows, 1)]
    return [pytest.param(*row, id=cite, marks=pytest.mark.law(cite)) for cite, row in zip(cites, rows, strict=True)]


@pytest.mark.parametrize(
    ("order", "place"),
    [
        param
        for order, prefix, named in LISTS
        for param in _paragraphs(prefix, *((order, place) for place in range(named)))
    ],
)
def test_each_rank_is_above_the_next(order: RankOrder, place: int) -> None:
    category, highest, lowest = LADDERS[order][place]
    high, low = order.score(parse_cards(highest)), order.score(parse_cards(lowest))
    assert (order.category(high), order.category(low)) == (category, category)
    assert high >= low > order.score(parse_cards(LADDERS[order][place + 1][1]))


@pytest.mark.law("649a.6(b)", "641a.6(b)", "684a.6(b)", "671a.6(b)")
@pytest.mark.parametrize("order", ORDERS, ids=_by_name)
def test_highest_and_lowest_hand_of_each_rank_among_all_hands(order: RankOrder) -> None:
    scores = _scores(order)
    ceiling = scores.max() + 1
    for category, highest, lowest in LADDERS[order]:
        members = scores[(scores >= order.at_least(category)) & (scores < ceiling)]
        assert members.max() == order.score(parse_cards(highest))
        assert members.min() == order.score(parse_cards(lowest))
        ceiling = order.at_least(category)


# The six-card lists: each hand also holds something lower on the list, which must not be its name.
SIX_CARD_LIST = (
    (("six_card_royal_of_diamonds", "six_card_royal"), ("Ad Kd Qd Jd Td 9d", "9c Tc Jc Qc Kc Ac")),
    (("royal_flush_of_spades", "royal_flush"), ("As Ks Qs Js Ts 8s", "Ah Kh Qh Jh Th Td")),
    (("straight_flush",), ("Kd Qd Jd Td 9d Ac", "Kd Qd Jd Td 9d 7d", "Ac 2c 3c 4c 5c Kc", "4h 5h 6h 7h 8h 9h")),
    (("four_of_a_kind",), ("9c 9d 9h 9s Ac Ad",)),
    (("full_house",), ("9c 9d 9h 8s 8c Ad", "9c 9d 9h 8s 8c 8d")),
    (("flush",), ("9c 7c 5c 4c 3c 6d", "2h 4h 6h 8h Th Qh")),
    (("straight",), ("5c 6d 7h 8s 9c 9d", "Ac 2d 3h 4s 5c Ks")),
    (("three_of_a_kind",), ("9c 9d 9h 8s 7c 6d",)),
    (("two_pair", "pair", "high_card"), ("9c 9d 8h 8s 7c 7d", "Ac Ad 9h 8s 7c 5d", "Ac Qd 9h 8s 7c 5d")),
)


@pytest.mark.parametrize(
    "place",
    [
        param
        for prefix in ("641a.6(e)", "684a.6(e)")
        for param in _paragraphs(prefix, *((place,) for place in range(len(SIX_CARD_LIST) - 1)))
    ],
)
def test_six_card_list(place: int) -> None:
    names, hands = SIX_CARD_LIST[place]
    assert {labels.six_card_label(parse_cards(hand)) for hand in hands} == set(names)
    lower = chain.from_iterable(names for names, _ in SIX_CARD_LIST[place + 1 :])
    rank = labels.SIX_CARD_LABELS.index
    assert max(map(rank, names)) < min(map(rank, lower))


@pytest.mark.law("649a.6(d)(8)")
def test_super_royal_is_six_cards_and_above_the_royal_flush() -> None:
    royal = parse_cards("Ah Kh Qh Jh Th")
    assert labels.six_card_label((*royal, *parse_cards("9h"))) == "six_card_royal"
    assert labels.six_card_label((*royal, *parse_cards("9d"))) == "royal_flush"
    assert labels.six_card_label(royal) == "royal_flush"
    assert labels.SIX_CARD_LABELS.index("six_card_royal") < labels.SIX_CARD_LABELS.index("royal_flush")


@pytest.mark.parametrize(
    ("hand", "label", "next_label"),
    _paragraphs(
        "684a.6(d)",
        ("9c 9d 9h 9s", "four_of_a_kind", "royal_flush"),
        ("Ah Kh Qh Jh", "royal_flush", "straight_flush"),
        ("Kh Qh Jh Th", "straight_flush", "three_of_a_kind"),
        ("9c 9d 9h 8h", "three_of_a_kind", "flush"),
        ("Ah Kh Qh 9h", "flush", "straight"),
        ("Ah Kh Qh Jc", "straight", "two_pair"),
        ("9c 9d 8h 8c", "two_pair", "pair"),
    ),
)
def test_four_card_bonus_list(hand: str, label: str, next_label: str) -> None:
    assert labels.four_card_label(parse_cards(hand)) == label
    assert labels.FOUR_CARD_LABELS.index(label) < labels.FOUR_CARD_LABELS.index(next_label)


@pytest.mark.parametrize(
    ("label", "hands"),
    _paragraphs(
        "671a.6(d)",
        ("four_of_a_kind", ("9c 9d 9h 9s 2c", "Kc Kd Kh Ks Qc")),
        ("five_picture_cards", ("Kc Kd Qh Qs Jc", "Kc Kd Kh Qs Qc", "Jc Jd Jh Qs Kc")),
        ("full_house", ("Tc Td Th 9s 9c", "Ac Ad Ah Ks Kc")),
        ("flush", ("Ac Kc Qc 3c 2c", "9d 7d 5d 3d 2d")),
        ("straight", ("Ac Kd Qc Jc Tc", "Ad 2d 3h 4h 5h")),
        ("three_of_a_kind", ("Ac Ad Ah Kc Qc", "Kc Kd Kh Qc 2c")),
        ("ace_king_queen", ("Ac Kc Qs 3c 3s", "Ah Kd Qc Qh 2s")),
        ("same_colored_five", ("Kh Qh Jd 9d 2h", "4s 4c 3s 3c 2c")),
    ),
)
def test_super_wager_list(label: str, hands: tuple[str, ...]) -> None:
    assert {labels.super_label(parse_cards(hand)) for hand in hands} == {label}


@pytest.mark.law("671a.6(d)")
def test_a_straight_flush_is_named_apart_because_the_list_does_not_have_it() -> None:
    """It is neither a "flush" nor a "straight" there; what it pays depends on the reading."""
    assert labels.super_label(parse_cards("Ah Kh Qh Jh Th")) == "royal_flush"
    assert labels.super_label(parse_cards("5h 6h 7h 8h 9h")) == "straight_flush"


@pytest.mark.law("671a.6(d)")
@pytest.mark.parametrize("hand", ["Ac Kc Jc Tc 9d", "Ac Ad Kc Ks 2h"])
def test_other_hands_are_not_on_the_super_wager_list(hand: str) -> None:
    assert labels.super_label(parse_cards(hand)) == labels.NOTHING


@pytest.mark.law("649a.6(e)")
def test_mini_royal_outranks_every_other_straight_flush() -> None:
    scores = _scores(THREE_CARD)
    best = batch.subsets(3)[scores == scores.max()]
    assert {labels.three_card_label(_hand(row)) for row in best} == {"mini_royal_of_spades", "mini_royal"}
    assert labels.three_card_label(parse_cards("Kh Qh Jh")) == "straight_flush"
    names = labels.THREE_CARD_LABELS
    assert names.index("mini_royal_of_spades") < names.index("mini_royal") < names.index("straight_flush")


@pytest.mark.law("641a.6(a)", "649a.6(a)", "671a.6(a)", "684a.6(a)")
@pytest.mark.parametrize(
    ("order", "low", "next_low", "around", "unsuited"),
    [
        (THREE_CARD, "A23", "234", "KA2", "high_card"),
        (FOUR_CARD, "A234", "2345", "KA23", "high_card"),
        (FOUR_CARD, "A234", "2345", "QKA2", "high_card"),
        (FIVE_CARD, "A2345", "23456", "QKA23", "high_card"),
        (LUNAR, "A2345", "23456", "QKA23", "ace_king"),
    ],
)
def test_an_ace_completes_the_lowest_sequence_and_no_other(
    order: RankOrder, low: str, next_low: str, around: str, unsuited: str
) -> None:
    for suits, sequence, other in (("ccccc", "straight_flush", "flush"), ("cdcdc", "straight", unsuited)):
        lowest, next_lowest, none = (
            order.score(parse_cards(" ".join(map("".join, zip(ranks, suits, strict=False)))))
            for ranks in (low, next_low, around)
        )
        assert order.category(lowest) == order.category(next_lowest) == sequence
        assert lowest < next_lowest
        assert order.category(none) == other


@pytest.mark.law("641a.6(a)", "649a.6(a)", "671a.6(a)", "684a.6(a)")
@pytest.mark.parametrize("order", ORDERS, ids=_by_name)
@given(data=st.data())
def test_suits_are_equal_and_the_order_of_cards_does_not_matter(order: RankOrder, data: st.DataObject) -> None:
    cards = data.draw(st.lists(st.sampled_from(DECK), min_size=order.size, max_size=order.size, unique=True))
    suits = data.draw(st.permutations(range(4)))
    moved = data.draw(st.permutations([card_of(rank_of(card), suits[suit_of(card)]) for card in cards]))
    assert order.score(tuple(moved)) == order.score(tuple(cards))


@pytest.mark.law("641a.6(a)", "649a.6(a)", "671a.6(a)", "684a.6(a)", "641a.6(c)", "649a.6(c)", "671a.6(c)", "684a.6(c)")
@pytest.mark.parametrize("order", ORDERS, ids=_by_name)
def test_cards_rank_from_deuce_to_ace(order: RankOrder) -> None:
    kickers = ["2c", "4d", "7h"][: order.size - 2]
    hands = [[f"{rank}s", f"{rank}h", *kickers] for rank in RANKS if not any(k.startswith(rank) for k in kickers)]
    scores = [order.score(parse_cards(" ".join(hand))) for hand in hands]
    assert scores == sorted(set(scores))


@pytest.mark.law("641a.6(c)", "649a.6(c)", "671a.6(c)", "684a.6(c)")
@pytest.mark.parametrize(
    ("order", "higher", "lower"),
    [
        (THREE_CARD, "9c 9d 4h", "9h 9s 3d"),
        (THREE_CARD, "Ac Tc 3c", "Ad Td 2d"),
        (THREE_CARD, "Qc 6d 4h", "Qd 6h 3c"),
        (FOUR_CARD, "9c 9d 9h 4c", "9c 9d 9h 3c"),
        (FOUR_CARD, "Kc Kd 4h 4s", "Kh Ks 3c 3d"),
        (FOUR_CARD, "Kc Kd 7h 4s", "Kh Ks 7c 3d"),
        (FOUR_CARD, "Ac Qd 7h 4s", "Ah Qs 7c 3d"),
        (FIVE_CARD, "9c 9d 9h 9s 4c", "9c 9d 9h 9s 3c"),
        (FIVE_CARD, "9c 9d 9h 4c 4d", "9c 9d 9h 3c 3d"),
        (FIVE_CARD, "Kc Kd 4h 4s 8d", "Kh Ks 4c 4d 7d"),
        (LUNAR, "Ac Kd 9h 5s 4c", "Ah Ks 9c 5d 3d"),
        (LUNAR, "Ac Qd 9h 5s 4c", "Ah Qs 9c 5d 3d"),
    ],
)
def test_the_highest_card_not_in_the_other_hand_decides(order: RankOrder, higher: str, lower: str) -> None:
    one, other = order.score(parse_cards(higher)), order.score(parse_cards(lower))
    assert order.category(one) == order.category(other)
    assert one > other


@pytest.mark.law("641a.6(c)", "649a.6(c)", "671a.6(c)", "684a.6(c)")
@pytest.mark.parametrize(
    ("order", "classes"),
    # Ranks alone decide inside a category, so each has as many scores as it has sets of ranks.
    [
        (THREE_CARD, 12 + 13 + 12 + (comb(13, 3) - 12) + 13 * 12 + (comb(13, 3) - 12)),
        (FOUR_CARD, 13 + 11 + 13 * 12 + (715 - 11) + 11 + comb(13, 2) + 13 * comb(12, 2) + (715 - 11)),
        (FIVE_CARD, 7462),
        (LUNAR, 7462),
    ],
)
def test_hands_tie_only_with_equal_ranks(order: RankOrder, classes: int) -> None:
    assert len(np.unique(_scores(order))) == classes


def test_best_selects_the_cards() -> None:
    score, chosen = FOUR_CARD.best(parse_cards("2s Ah Kd As Kc"))
    assert set(chosen) == set(parse_cards("Ah As Kd Kc"))
    assert FOUR_CARD.describe(score) == "two pair, aces and kings"


def test_an_order_refuses_another_number_of_cards() -> None:
    with pytest.raises(ValueError, match="three-card ranks 3 cards, not 4"):
        THREE_CARD.score(parse_cards("As Ks Qs Js"))


# Complete counts. SETS[n] is how many sets of n ranks there are, RUNS[n] how many of them hold four in sequence
# (counted here without the orders: an ace at both ends of the deuce-to-king line).
SETS = {n: comb(13, n) for n in (4, 5, 6)}
RUNS = {
    n: sum(
        any({top, top + 1, top + 2, top + 3} <= {*ranks, *(13 for rank in ranks if rank == 0)} for top in range(11))
        for ranks in combinations(range(13), n)
    )
    for n in (4, 5, 6)
}
# Suits of five and six cards of distinct ranks, and of hands with one or two pairs, with no four of one suit.
MIXED = {
    "5": 4**5 - 4 - 4 * 5 * 3,
    "4 + pair": 6 * 4**3 - 12,
    "6": 4**6 - 4 * (1 + 6 * 3 + comb(6, 2) * 9),
    "5 + pair": 6 * 4**4 - 4 * (3 * 13 + 3),
    "4 + two pairs": 36 * 4**2 - 4 * 9,
}
FOUR_OF_SIX_STRAIGHT_FLUSH = 4 * (RUNS[4] * comb(39, 2) + RUNS[5] * 39 + RUNS[6])
COUNTS: tuple[tuple[RankOrder, int, tuple[int, ...]], ...] = (
    (THREE_CARD, 3, (48, 52, 720, 1_096, 3_744, 16_440)),
    (
        FOUR_CARD,
        4,
        (13, 11 * 4, 13 * 4 * 48, 715 * 4 - 44, 11 * 252, 78 * 36, 13 * 6 * 66 * 16, (715 - 11) * 252),
    ),
    (FIVE_CARD, 5, (4, 36, 624, 3_744, 5_108, 10_200, 54_912, 123_552, 1_098_240, 1_302_540)),
    # Ace, king and three of eleven ranks but not Q-J-10, in all suits but the four flushes.
    (LUNAR, 5, (4, 36, 624, 3_744, 5_108, 10_200, 54_912, 123_552, 1_098_240, 164 * 1_020, (1_277 - 164) * 1_020)),
    (
        FOUR_CARD,
        5,
        (
            624,
            2_072,
            58_656,
            114_616,
            101_808,
            123_552,
            (4 * SETS[4] - 4 * RUNS[4]) * MIXED["4 + pair"],
            (SETS[5] - RUNS[5]) * MIXED["5"],
        ),
    ),
    (
        FOUR_CARD,
        6,
        (
            13 * comb(48, 2),
            FOUR_OF_SIX_STRAIGHT_FLUSH,
            # One three-of-a-kind or two, less those beside four suited cards in sequence.
            52 * comb(48, 3) - 78 * 16 - RUNS[4] * 4 * 4 * 3,
            # Four or more of a suit, less those that are a straight flush or hold three-of-a-kind.
            4 * (SETS[4] * comb(39, 2) + SETS[5] * 39 + SETS[6])
            - FOUR_OF_SIX_STRAIGHT_FLUSH
            - (SETS[4] - RUNS[4]) * 4 * 4 * 3,
            RUNS[6] * MIXED["6"] + RUNS[5] * 5 * MIXED["5 + pair"] + RUNS[4] * 6 * MIXED["4 + two pairs"],
            (SETS[4] - RUNS[4]) * 6 * MIXED["4 + two pairs"] + comb(13, 3) * 6**3,
            (SETS[5] - RUNS[5]) * 5 * MIXED["5 + pair"],
            (SETS[6] - RUNS[6]) * MIXED["6"],
        ),
    ),
    (
        FIVE_CARD,
        6,
        (188, 1_656, 14_664, 165_984, 205_792, 361_620, 732_160, 2_532_816, 9_730_740, 6_612_900),
    ),
)


@cache
def _scores(order: RankOrder, size: int = 0) -> batch.Scores:
    return batch.best_scores(order, size or order.size)


def _hand(row: npt.NDArray[Any]) -> Hand:
    return tuple(Card(int(card)) for card in row)


@pytest.mark.law("641a.6(b)", "641a.6(d)", "641a.6(e)", "649a.6(b)", "649a.6(d)", "671a.6(b)", "684a.6(b)", "684a.6(e)")
@pytest.mark.parametrize(
    ("order", "size", "expected"), COUNTS, ids=[f"{order.name} of {size}" for order, size, _ in COUNTS]
)
def test_complete_counts(order: RankOrder, size: int, expected: tuple[int, ...]) -> None:
    counts = batch.category_counts(order, _scores(order, size))
    assert tuple(counts.values()) == expected
    assert sum(expected) == comb(52, size)


def _label_counts(label: Callable[[Hand], str], hands: batch.Cards, classes: npt.NDArray[Any]) -> dict[str, int]:
    """Label one hand of each class, count them all; that a class has one label is tried on sampled hands."""
    _, first, inverse, sizes = np.unique(classes, return_index=True, return_inverse=True, return_counts=True)
    names = [label(_hand(hands[place])) for place in first]
    for place in np.random.default_rng(684).integers(len(hands), size=3_000):
        assert label(_hand(hands[place])) == names[inverse[place]]
    counts: Counter[str] = Counter()
    for name, size in zip(names, sizes, strict=True):
        counts[name] += int(size)
    return dict(counts)


@pytest.mark.law("649a.6(e)")
def test_three_card_label_counts() -> None:
    assert Counter(map(labels.three_card_label, combinations(DECK, 3))) == {
        "mini_royal_of_spades": 1,
        "mini_royal": 3,
        "straight_flush": 44,
        "three_of_a_kind": 52,
        "straight": 720,
        "flush": 1_096,
        "pair": 3_744,
        "high_card": 16_440,
    }


@pytest.mark.law("684a.6(d)")
def test_four_card_label_counts() -> None:
    one_pair = 6 * comb(12, 2) * 4 * 4
    assert _label_counts(labels.four_card_label, batch.subsets(4), _scores(FOUR_CARD)) == {
        "four_aces": 1,
        "four_of_a_kind": 12,
        "royal_flush": 4,
        "straight_flush": 40,
        "three_aces": 4 * 48,
        "three_of_a_kind": 12 * 4 * 48,
        "flush": 715 * 4 - 44,
        "straight": 11 * 252,
        "aces_and_queens": 6 * 6,
        "two_pair": 77 * 36,
        "pair_of_aces": one_pair,
        "pair_of_kings": one_pair,
        "pair_of_queens": one_pair,
        "pair": 10 * one_pair,
        "high_card": (715 - 11) * 252,
    }


@pytest.mark.law("641a.6(d)(1)", "649a.6(d)(1)")
def test_royal_flushes_by_suit() -> None:
    hands = batch.subsets(5)[_scores(FIVE_CARD) >= FIVE_CARD.at_least("royal_flush")]
    counts = Counter(labels.five_card_label(_hand(row)) for row in hands)
    assert counts == {"royal_flush_of_spades": 1, "royal_flush": 3}


@pytest.mark.law("641a.6(e)(1)", "641a.6(e)(2)", "649a.6(d)(8)", "684a.6(e)(1)", "684a.6(e)(2)")
def test_six_card_royal_flushes_by_suit() -> None:
    scores, floor = _scores(FIVE_CARD, 6), FIVE_CARD.at_least("royal_flush")
    counts: Counter[str] = Counter()
    start = 0
    for chunk in batch.subset_chunks(6):
        royal = chunk[scores[start : start + len(chunk)] >= floor]
        counts.update(labels.six_card_label(_hand(row)) for row in royal)
        start += len(chunk)
    # Each suit's royal flush with one of 47 cards, of which one is the nine of that suit.
    assert counts == {
        "six_card_royal_of_diamonds": 1,
        "six_card_royal": 3,
        "royal_flush_of_spades": 46,
        "royal_flush": 3 * 46,
    }


@pytest.mark.law("671a.6(d)")
def test_super_wager_label_counts() -> None:
    hands = batch.subsets(5)
    suits = hands & 3
    red = np.isin(suits, (DIAMONDS, HEARTS))
    classes = (hands >> 2).astype(np.int32) @ np.array([13**4, 13**3, 13**2, 13, 1], np.int32)
    for one in (suits, red):
        classes = 2 * classes + (one == one[:, :1]).all(axis=1)
    listed = {
        "four_of_a_kind": 13 * 48,
        # Five of twelve cards without four alike.
        "five_picture_cards": comb(12, 5) - 3 * 8,
        # Less those of kings, queens and jacks only; so below for three-of-a-kind.
        "full_house": 3_744 - 3 * 2 * 4 * 6,
        "flush": 5_108,
        "straight": 10_200,
        "three_of_a_kind": 54_912 - 3 * 4 * 4 * 4,
        # Two more ranks but not J-10, no flush; one of the three paired; another pair; two paired.
        "ace_king_queen": (comb(10, 2) - 1) * 1_020 + 3 * 6 * 16 * 40 + 10 * 6 * 64 + 3 * 36 * 4,
        # One colour, less the lines above in the same order, with two suits for four and one pair of a rank for six.
        "same_colored_five": 2 * comb(26, 5)
        - (2 * comb(6, 5) + 5_108 + 2 * 10 * 30)
        - (2 * (comb(10, 2) - 1) * 30 + 2 * (3 * 4 * 20 + 10 * 8 + 3 * 2))
        - (4 + 36),
        "royal_flush": 4,
        "straight_flush": 36,
    }
    expected = {**listed, labels.NOTHING: comb(52, 5) - sum(listed.values())}
    assert _label_counts(labels.super_label, hands, classes) == expected


@pytest.mark.law("684a.7(d)(2)")
def test_color_label_counts() -> None:
    hands = batch.subsets(5)
    reds = np.isin(hands & 3, (DIAMONDS, HEARTS)).sum(axis=1)
    five, four = 2 * comb(26, 5), 2 * comb(26, 4) * 26
    assert _label_counts(labels.color_label, hands, reds) == {
        "five_same_color": five,
        "four_same_color": four,
        labels.NOTHING: comb(52, 5) - five - four,
    }
