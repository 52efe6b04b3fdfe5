"""Cards from a counter: the deck of a round depends on the seed and the number of the round, and on nothing else.

The generator is Philox4x32 with ten rounds. Its key is the seed; its counter is the number of the round (64 bits), a
block and an attempt. Each of the four words of a block takes three cards out of the deck: a word is multiplied by how
many cards are left, the upper half is the place of the card, the lower half goes on to the next card. The three places
together are unbiased because a word whose last lower half lies below 2^32 modulo the product of the three bounds is
thrown away; the next attempt computes the block again under another counter. A deck can therefore be dealt as far as
a round needs it, and in any process, and is always the same.
"""

import numpy as np
import numpy.typing as npt
from numba import njit

from pitboss.cards import DECK, Card

Bytes = npt.NDArray[np.uint8]
Words = npt.NDArray[np.uint64]

PER_WORD = 3
WORDS = 4
PER_BLOCK = PER_WORD * WORDS
SIZE = len(DECK)
_PASSES = 10
_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)
_M0, _M1 = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
_W0, _W1 = np.uint64(0x9E3779B9), np.uint64(0xBB67AE85)
_FRESH: Bytes = np.arange(SIZE, dtype=np.uint8)
_ALL = np.uint64(SIZE)
_ZERO, _ONE, _TWO, _THREE = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(3)
_SIX, _NINE = np.uint64(6), np.uint64(9)
# Of each place at which a word starts: the product of its three bounds, and 2^32 modulo that product.
_PRODUCTS: Words = np.array([(SIZE - i) * (SIZE - 1 - i) * (SIZE - 2 - i) for i in range(SIZE - 2)], np.uint64)
_LEAST: Words = np.array([2**32 % int(product) for product in _PRODUCTS], np.uint64)
SELECTION = 1 << 30
"""Blocks from here on are for what the system selects at random; cards never reach them."""
MOST_CARDS = SIZE // PER_WORD * PER_WORD


@njit(cache=True, nogil=True)
def philox(k0: np.uint64, k1: np.uint64, c0: np.uint64, c1: np.uint64, c2: np.uint64, c3: np.uint64):  # type: ignore[no-untyped-def]
    """The four words of one counter, each in the lower half of 64 bits."""
    for _ in range(_PASSES):
        p0, p1 = _M0 * c0, _M1 * c2
        c0, c1, c2, c3 = (p1 >> _HALF) ^ c1 ^ k0, p1 & _LOW, (p0 >> _HALF) ^ c3 ^ k1, p0 & _LOW
        k0, k1 = (k0 + _W0) & _LOW, (k1 + _W1) & _LOW
    return c0, c1, c2, c3


@njit(cache=True, nogil=True)
def _again(k0: np.uint64, k1: np.uint64, number: np.uint64, block: np.uint64, which: int, place: int) -> np.uint64:
    """The next word whose three places are unbiased, after the first attempt was thrown away."""
    attempt = _ZERO
    while True:
        attempt += _ONE
        words = philox(k0, k1, number & _LOW, number >> _HALF, block, attempt)
        first = words[0] if which == 0 else words[1] if which == 1 else words[2] if which == 2 else words[3]
        word = first
        for taken in range(PER_WORD):
            word = word * np.uint64(SIZE - place - taken) & _LOW
        if word >= _LEAST[place]:
            return first


@njit(cache=True, nogil=True)
def _place_three(
    deck: Bytes, at: np.uint64, word: np.uint64, k0: np.uint64, k1: np.uint64, number: np.uint64, block: np.uint64
) -> None:
    """Exchange three cards into the places from ``at`` on."""
    one = word * (_ALL - at)
    two = (one & _LOW) * (_ALL - _ONE - at)
    three = (two & _LOW) * (_ALL - _TWO - at)
    if (three & _LOW) < _PRODUCTS[at] and (three & _LOW) < _LEAST[at]:
        word = _again(k0, k1, number, block, np.int64(at // _THREE % np.uint64(WORDS)), np.int64(at))
        one = word * (_ALL - at)
        two = (one & _LOW) * (_ALL - _ONE - at)
        three = (two & _LOW) * (_ALL - _TWO - at)
    other = at + (one >> _HALF)
    deck[at], deck[other] = deck[other], deck[at]
    at += _ONE
    other = at + (two >> _HALF)
    deck[at], deck[other] = deck[other], deck[at]
    at += _ONE
    other = at + (three >> _HALF)
    deck[at], deck[other] = deck[other], deck[at]


@njit(cache=True, nogil=True)
def _deal_on(deck: Bytes, k0: np.uint64, k1: np.uint64, number: np.uint64, cards: int) -> None:
    """Go on after the first block."""
    at, block = np.uint64(PER_BLOCK), _ONE
    while at < np.uint64(cards):
        words = philox(k0, k1, number & _LOW, number >> _HALF, block, _ZERO)
        for which in range(_ZERO, np.uint64(WORDS)):
            if at < np.uint64(cards):
                word = (
                    words[0]
                    if which == _ZERO
                    else words[1]
                    if which == _ONE
                    else words[2]
                    if which == _TWO
                    else words[3]
                )
                _place_three(deck, at, word, k0, k1, number, block)
                at += _THREE
        block += _ONE


@njit(cache=True, nogil=True)
def deal(deck: Bytes, k0: np.uint64, k1: np.uint64, number: np.uint64, cards: int) -> None:
    """Put at least the first ``cards`` cards (at most 51) of a round into the front of the deck.

    The first block is dealt in any case; what lies behind the cards dealt is not shuffled.
    """
    deck[:] = _FRESH
    w0, w1, w2, w3 = philox(k0, k1, number & _LOW, number >> _HALF, _ZERO, _ZERO)
    _place_three(deck, _ZERO, w0, k0, k1, number, _ZERO)
    _place_three(deck, _THREE, w1, k0, k1, number, _ZERO)
    _place_three(deck, _SIX, w2, k0, k1, number, _ZERO)
    _place_three(deck, _NINE, w3, k0, k1, number, _ZERO)
    if cards > PER_BLOCK:
        _deal_on(deck, k0, k1, number, cards)


@njit(cache=True, nogil=True)
def below(k0: np.uint64, k1: np.uint64, number: np.uint64, what: int, bound: int) -> int:
    """A number under ``bound`` that the system selects in a round; ``what`` tells selections of one round apart."""
    attempt = _ZERO
    least = np.uint64(2**32) % np.uint64(bound)
    while True:
        words = philox(k0, k1, number & _LOW, number >> _HALF, np.uint64(SELECTION + what), attempt)
        word = words[0] * np.uint64(bound)
        if word & _LOW >= least:
            return np.int64(word >> _HALF)
        attempt += _ONE


@njit(cache=True, nogil=True)
def fill_decks(k0: np.uint64, k1: np.uint64, start: np.uint64, cards: int, decks: Bytes) -> None:
    """The decks of consecutive rounds, one in each row."""
    for row in range(len(decks)):
        deal(decks[row], k0, k1, start + np.uint64(row), cards)


def key_of(seed: int) -> tuple[np.uint64, np.uint64]:
    """The generator's key; a seed is a whole number below 2^64."""
    if not 0 <= seed < 2**64:
        raise ValueError(f"a seed is a whole number from 0 to 2^64 - 1, not {seed}")
    return np.uint64(seed & 0xFFFFFFFF), np.uint64(seed >> 32)


def decks(seed: int, start: int, rounds: int, cards: int = MOST_CARDS) -> Bytes:
    """The decks of some rounds; after 51 exchanges the 52nd card is in its place too."""
    found = np.empty((rounds, SIZE), np.uint8)
    fill_decks(*key_of(seed), np.uint64(start), cards, found)
    return found


def plain_deck(seed: int, number: int, cards: int = MOST_CARDS) -> list[Card]:
    """The same deck in plain Python, written from the description above: what the compiled deck is tested against.

    >>> plain_deck(1, 7)[:5] == decks(1, 7, 1)[0, :5].tolist()
    True
    """
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
    for _ in range(_PASSES):
        p0, p1 = 0xD2511F53 * c0, 0xCD9E8D57 * c2
        c0, c1, c2, c3 = (p1 >> 32) ^ c1 ^ k0, p1 & 0xFFFFFFFF, (p0 >> 32) ^ c3 ^ k1, p0 & 0xFFFFFFFF
        k0, k1 = (k0 + 0x9E3779B9) & 0xFFFFFFFF, (k1 + 0xBB67AE85) & 0xFFFFFFFF
    return c0, c1, c2, c3
