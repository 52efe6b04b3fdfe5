"""Cards from a counter: the generator's known answers, decks the same everywhere, dealt without bias."""

import numpy as np
import pytest

from pitboss.cards import DECK, Card
from pitboss.simulate.streams import (
    MOST_CARDS,
    PER_WORD,
    SELECTION,
    SIZE,
    WORDS,
    below,
    decks,
    fill_decks,
    key_of,
    philox,
    room,
)
from tests.fairness import chi_square, position_chi_square

from .plans import SEED

KNOWN = [
    ((0, 0), (0, 0, 0, 0), "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
    ((0xFFFFFFFF,) * 2, (0xFFFFFFFF,) * 4, "408f276d 41c83b0e a20bc7c6 6d5451fd"),
    (
        (0xA4093822, 0x299F31D0),
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        "d16cfe09 94fdcceb 5001e420 24126ea1",
    ),
]
"""Philox4x32-10 as its authors publish it: key, counter, words."""


def plain_deck(seed: int, number: int, cards: int = MOST_CARDS) -> list[Card]:
    """The deck of a round in plain Python, written from the description of the stream."""
    deck = list(DECK)
    for place in range(0, cards, PER_WORD):
        bounds = [SIZE - place - taken for taken in range(PER_WORD)]
        least = 2**32 % (bounds[0] * bounds[1] * bounds[2])
        block, which = divmod(place // PER_WORD, WORDS)
        attempt = 0
        while True:
            word = plain_philox((seed & 0xFFFFFFFF, seed >> 32), (number & 0xFFFFFFFF, number >> 32, block, attempt))[
                which
            ]
            chosen = []
            for bound in bounds:
                upper, word = divmod(word * bound, 2**32)
                chosen.append(upper)
            if word >= least:
                break
            attempt += 1
        for taken, ahead in enumerate(chosen):
            at = place + taken
            deck[at], deck[at + ahead] = deck[at + ahead], deck[at]
    return deck


def plain_below(seed: int, number: int, what: int, bound: int) -> int:
    attempt = 0
    while True:
        counter = (number & 0xFFFFFFFF, number >> 32, SELECTION + what, attempt)
        word = plain_philox((seed & 0xFFFFFFFF, seed >> 32), counter)[0]
        upper, lower = divmod(word * bound, 2**32)
        if lower >= 2**32 % bound:
            return upper
        attempt += 1


def plain_philox(key: tuple[int, int], counter: tuple[int, int, int, int]) -> tuple[int, int, int, int]:
    """Philox4x32-10 in plain Python.

    >>> [f"{word:08x}" for word in plain_philox((0, 0), (0, 0, 0, 0))]
    ['6627e8d5', 'e169c58d', 'bc57ac4c', '9b00dbd8']
    """
    (k0, k1), (c0, c1, c2, c3) = key, counter
    for _ in range(10):
        p0, p1 = 0xD2511F53 * c0, 0xCD9E8D57 * c2
        c0, c1, c2, c3 = (p1 >> 32) ^ c1 ^ k0, p1 & 0xFFFFFFFF, (p0 >> 32) ^ c3 ^ k1, p0 & 0xFFFFFFFF
        k0, k1 = (k0 + 0x9E3779B9) & 0xFFFFFFFF, (k1 + 0xBB67AE85) & 0xFFFFFFFF
    return c0, c1, c2, c3


@pytest.mark.parametrize(("key", "counter", "words"), KNOWN)
def test_generator_gives_the_published_words(
    key: tuple[int, int], counter: tuple[int, int, int, int], words: str
) -> None:
    assert " ".join(f"{word:08x}" for word in plain_philox(key, counter)) == words
    compiled = philox(*(np.uint64(number) for number in (*key, *counter)))
    assert " ".join(f"{int(word):08x}" for word in compiled) == words


@pytest.mark.parametrize(("seed", "start"), [(0, 0), (SEED, 10**9), (2**64 - 1, 2**40)])
def test_compiled_decks_are_the_plain_ones(seed: int, start: int) -> None:
    found = decks(seed, start, 300)
    assert [plain_deck(seed, start + row) for row in range(300)] == found.tolist()
    assert (np.sort(found, axis=1) == np.arange(len(DECK))).all()


def test_a_deck_is_the_same_however_far_it_is_dealt() -> None:
    whole = decks(SEED, 0, 200)
    for cards in (8, 11, 12, 13, 30):
        assert (decks(SEED, 0, 200, cards)[:, :cards] == whole[:, :cards]).all()


def test_a_biased_word_is_drawn_again() -> None:
    """About one deck in 16,000 meets such a word; those decks must be the plain ones too."""
    rounds = 200_000
    found = np.empty((rounds, len(DECK)), np.uint8)
    words, places, biased = room(rounds)
    fill_decks(*key_of(SEED), np.uint64(0), 51, found, words, places, biased)
    rows = np.flatnonzero(biased)
    assert len(rows) > 3
    for row in rows:
        assert plain_deck(SEED, int(row)) == found[row].tolist()


def test_every_card_lies_equally_often_in_every_place() -> None:
    assert abs(position_chi_square(decks(SEED, 0, 200_000)).z) < 4


def test_pairs_of_neighbours_are_equally_frequent() -> None:
    """Which two cards come first, and which two in the middle of the third word: 52 times 51 pairs each."""
    rounds = 400_000
    dealt = decks(SEED + 1, 0, rounds, 12).astype(np.int64)
    for place in (0, 2, 7):
        pairs = np.bincount(dealt[:, place] * 52 + dealt[:, place + 1], minlength=52 * 52).reshape(52, 52)
        assert not np.diag(pairs).any()
        expected = rounds / (52 * 51)
        statistic = float(((pairs[~np.eye(52, dtype=bool)] - expected) ** 2).sum()) / expected
        assert abs(chi_square(statistic, 52 * 51 - 1).z) < 4


def test_a_planted_bias_is_seen() -> None:
    """The check of the check: in every hundredth deck one card is moved to the front."""
    dealt = decks(SEED, 0, 200_000).copy()
    for row in range(0, len(dealt), 100):
        where = int(np.flatnonzero(dealt[row] == 51)[0])
        dealt[row, [0, where]] = dealt[row, [where, 0]]
    assert position_chi_square(dealt).z > 4


def test_streams_of_two_seeds_and_two_rounds_differ() -> None:
    assert decks(1, 0, 1).tolist() != decks(2, 0, 1).tolist()
    assert decks(1, 0, 1).tolist() != decks(1, 1, 1).tolist()
    assert decks(1, 5, 1).tolist() == decks(1, 0, 6)[5:].tolist()


def test_selections_are_the_plain_ones() -> None:
    found = [below(*key_of(SEED), np.uint64(number), np.uint64(1), np.uint64(8)) for number in range(200)]
    assert found == [plain_below(SEED, number, 1, 8) for number in range(200)]
    assert set(found) == set(range(8))


@pytest.mark.parametrize("seed", [-1, 2**64])
def test_a_seed_has_64_bits(seed: int) -> None:
    with pytest.raises(ValueError, match="2\\^64"):
        key_of(seed)
