"""The batch tables against the scalar orders, and against themselves by another path."""

from itertools import combinations, islice
from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from pitboss.cards import DECK, Card, Hand, parse_cards
from pitboss.hands import FIVE_CARD, FOUR_CARD, LUNAR, ORDERS, THREE_CARD, RankOrder, batch


def _hand(row: list[int]) -> Hand:
    return tuple(map(Card, row))


def _sample(count: int, size: int) -> npt.NDArray[Any]:
    """Seeded hands, their cards in the order drawn."""
    rng = np.random.default_rng(641)
    return rng.permuted(np.tile(np.arange(52), (count, 1)), axis=1)[:, :size]


@pytest.mark.parametrize("order", [THREE_CARD, FOUR_CARD], ids=["three-card", "four-card"])
def test_scalar_and_batch_agree_on_all_hands(order: RankOrder) -> None:
    scalar = [order.score(_hand(row)) for row in batch.subsets(order.size).tolist()]
    assert scalar == batch.scores(order).tolist()


@pytest.mark.parametrize(
    ("order", "size", "count"),
    # The best four of six are fifteen scalar hands each, hence fewer.
    [(FIVE_CARD, 5, 20_000), (LUNAR, 5, 20_000), (FOUR_CARD, 5, 20_000), (FIVE_CARD, 6, 20_000), (FOUR_CARD, 6, 8_000)],
)
def test_scalar_and_batch_agree_on_sampled_hands(order: RankOrder, size: int, count: int) -> None:
    hands = _sample(count, size)
    scalar = [order.best(_hand(row))[0] for row in hands.tolist()]
    assert scalar == batch.evaluate(order, hands).tolist()
    assert scalar == batch.best_scores(order, size)[batch.subset_index(hands)].tolist()


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_subsets_are_all_hands_once_in_the_order_of_their_index(size: int) -> None:
    hands = batch.subsets(size)
    assert {tuple(row) for row in hands.tolist()} == set(combinations(range(52), size))
    assert (batch.subset_index(hands) == np.arange(comb(52, size))).all()


def test_chunks_are_the_subsets_by_highest_card() -> None:
    chunks = list(batch.subset_chunks(4))
    assert [set(chunk.max(axis=1).tolist()) for chunk in chunks] == [{top} for top in range(3, 52)]
    assert (np.concatenate(chunks) == batch.subsets(4)).all()


def test_chunks_of_six_cards_follow_the_index() -> None:
    start = 0
    for chunk in islice(batch.subset_chunks(6), 25):
        assert (batch.subset_index(chunk) == np.arange(start, start + len(chunk))).all()
        start += len(chunk)
    assert start == comb(30, 6)


@pytest.mark.parametrize("order", ORDERS, ids=lambda order: order.name)
def test_the_order_of_the_cards_and_the_integer_type_do_not_matter(order: RankOrder) -> None:
    hands = _sample(2_000, order.size)
    scores = batch.evaluate(order, hands)
    assert scores.dtype == np.int32
    assert (batch.evaluate(order, hands[:, ::-1].astype(np.uint8)) == scores).all()
    assert (batch.evaluate(order, np.sort(hands, axis=1).astype(np.int64)) == scores).all()


def test_more_cards_never_score_lower() -> None:
    hands = _sample(5_000, 7)
    four, five, seven = (batch.evaluate(FOUR_CARD, hands[:, :size]) for size in (4, 5, 7))
    assert (four <= five).all()
    assert (five <= seven).all()
    assert (four < seven).any()


def test_category_counts_cover_every_category_and_every_hand() -> None:
    pair, flush = parse_cards("9c 9d 4h 2s"), parse_cards("Ac 9c 4c 2c")
    counts = batch.category_counts(FOUR_CARD, batch.evaluate(FOUR_CARD, [pair, flush, pair]))
    assert tuple(counts) == FOUR_CARD.categories
    assert {name: count for name, count in counts.items() if count} == {"flush": 1, "pair": 2}


def test_no_hands_have_no_scores() -> None:
    assert batch.evaluate(THREE_CARD, np.empty((0, 3), np.uint8)).shape == (0,)


@pytest.mark.parametrize(
    ("hands", "sentence"),
    [
        (DECK[:3], "one hand in each row"),
        ([[0.5, 1.0, 2.0]], "one hand in each row"),
        ([[]], "one hand in each row"),
        ([[0, 1, 52]], "from 0 to 51"),
        ([[0, 1, 256]], "from 0 to 51"),
        ([[-1, 1, 2]], "from 0 to 51"),
        ([[7, 1, 7]], "same card twice"),
        ([[0, 1]], "three-card ranks 3 cards, not 2"),
    ],
)
def test_bad_hands_are_refused_with_a_sentence(hands: Any, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        batch.evaluate(THREE_CARD, hands)


def test_tables_of_too_few_cards_are_refused() -> None:
    with pytest.raises(ValueError, match="four-card ranks 4 cards, not 3"):
        batch.best_scores(FOUR_CARD, 3)
    with pytest.raises(ValueError, match="at least one card"):
        batch.subsets(0)
