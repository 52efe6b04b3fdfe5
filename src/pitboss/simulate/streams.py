"""Cards from a counter: the deck of a round depends on the seed and the number of the round, and on nothing else.

The generator is Philox4x32 with ten rounds. Its key is the seed; its counter is the number of the round (64 bits), a
block and an attempt. Each of the four words of a block takes three cards out of the deck: a word is multiplied by how
many cards are left, the upper half is the place of the card, the lower half goes on to the next card. The three places
together are unbiased because a word whose last lower half lies below 2^32 modulo the product of the three bounds is
thrown away; the next attempt computes the block again under another counter. A deck can therefore be dealt as far as
a round needs it, and in any process, and is always the same.
"""

import numpy as np
from numba import njit

from pitboss.cards import DECK
from pitboss.simulate.words import Bytes, Word, Words

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
_PER_BLOCK, _WORDS = np.uint64(PER_BLOCK), np.uint64(WORDS)
# Of each place at which a word starts: 2^32 modulo the product of its three bounds.
_LEAST: Words = np.array([2**32 % ((SIZE - i) * (SIZE - 1 - i) * (SIZE - 2 - i)) for i in range(SIZE - 2)], np.uint64)
SELECTION = 1 << 30
"""Blocks from here on are for what the system selects at random; cards never reach them."""
_SELECTION = np.uint64(SELECTION)
MOST_CARDS = SIZE // PER_WORD * PER_WORD


@njit(cache=True, nogil=True)
def philox(k0: Word, k1: Word, c0: Word, c1: Word, c2: Word, c3: Word) -> tuple[Word, Word, Word, Word]:
    """The four words of one counter, each in the lower half of 64 bits."""
    for _ in range(_PASSES):
        p0, p1 = _M0 * c0, _M1 * c2
        c0, c1, c2, c3 = (p1 >> _HALF) ^ c1 ^ k0, p1 & _LOW, (p0 >> _HALF) ^ c3 ^ k1, p0 & _LOW
        k0, k1 = (k0 + _W0) & _LOW, (k1 + _W1) & _LOW
    return c0, c1, c2, c3


@njit(cache=True, nogil=True)
def _deal_slowly(deck: Bytes, k0: Word, k1: Word, number: Word, cards: Word) -> None:
    """One deck, word by word; a word that would be biased is drawn again."""
    deck[:] = _FRESH
    for at in range(_ZERO, cards, _THREE):
        block, which = at // _PER_BLOCK, at // _THREE % _WORDS
        attempt = _ZERO
        biased = True
        one, two, three = _ZERO, _ZERO, _ZERO
        while biased:
            words = philox(k0, k1, number & _LOW, number >> _HALF, block, attempt)
            word = (
                words[0] if which == _ZERO else words[1] if which == _ONE else words[2] if which == _TWO else words[3]
            )
            one = word * (_ALL - at)
            two = (one & _LOW) * (_ALL - _ONE - at)
            three = (two & _LOW) * (_ALL - _TWO - at)
            biased = (three & _LOW) < _LEAST[at]
            attempt += _ONE
        for ahead, word in ((_ZERO, one), (_ONE, two), (_TWO, three)):
            place = at + ahead
            other = place + (word >> _HALF)
            deck[place], deck[other] = deck[other], deck[place]


@njit(cache=True, nogil=True)
def block_words(k0: Word, k1: Word, start: Word, block: Word, words: Words) -> None:
    """The words of one block for consecutive rounds; nothing in the loop hangs on anything else, so it runs wide."""
    for row in range(np.uint64(words.shape[1])):
        number = start + row
        w0, w1, w2, w3 = philox(k0, k1, number & _LOW, number >> _HALF, block, _ZERO)
        words[_ZERO, row], words[_ONE, row], words[_TWO, row], words[_THREE, row] = w0, w1, w2, w3


@njit(cache=True, nogil=True)
def _block_places(words: Words, which: Word, at: Word, places: Bytes, biased: Bytes) -> None:
    """The three places that each word of a column leads to, and whether it must be drawn again."""
    least, b0, b1, b2 = _LEAST[at], _ALL - at, _ALL - _ONE - at, _ALL - _TWO - at
    for row in range(np.uint64(words.shape[1])):
        one = words[which, row] * b0
        two = (one & _LOW) * b1
        three = (two & _LOW) * b2
        places[at, row] = np.uint8(at + (one >> _HALF))
        places[at + _ONE, row] = np.uint8(at + _ONE + (two >> _HALF))
        places[at + _TWO, row] = np.uint8(at + _TWO + (three >> _HALF))
        biased[row] |= np.uint8((three & _LOW) < least)


@njit(cache=True, nogil=True)
def fill_decks(
    k0: Word, k1: Word, start: Word, cards: int, decks: Bytes, words: Words, places: Bytes, biased: Bytes
) -> None:
    """The decks of consecutive rounds, one in each row, dealt at least as far as ``cards`` (at most 51).

    The other arrays are room to work in: words by 4, places by 51 and marks, each for as many rounds.
    """
    wanted = np.uint64(cards)
    biased[:] = 0
    for at in range(_ZERO, wanted, _THREE):
        if at % _PER_BLOCK == _ZERO:
            block_words(k0, k1, start, at // _PER_BLOCK, words)
        _block_places(words, at // _THREE % _WORDS, at, places, biased)
    last = (wanted + _TWO) // _THREE * _THREE
    for row in range(np.uint64(len(decks))):
        for card in range(_ALL):
            decks[row, card] = np.uint8(card)
        for place in range(last):
            other = np.uint64(places[place, row])
            card = decks[row, place]
            decks[row, place] = decks[row, other]
            decks[row, other] = card
        if biased[row]:
            _deal_slowly(decks[row], k0, k1, start + row, last)


def room(rounds: int) -> tuple[Words, Bytes, Bytes]:
    """The arrays that ``fill_decks`` works in."""
    return np.empty((WORDS, rounds), np.uint64), np.empty((MOST_CARDS, rounds), np.uint8), np.empty(rounds, np.uint8)


@njit(cache=True, nogil=True, inline="always")
def selection_block(what: Word) -> Word:
    return _SELECTION + what


@njit(cache=True, nogil=True)
def below(k0: Word, k1: Word, number: Word, what: Word, bound: Word) -> Word:
    """A number under ``bound`` that the system selects in a round; ``what`` tells selections of one round apart."""
    attempt = _ZERO
    least = (_ONE << _HALF) % bound
    while True:
        words = philox(k0, k1, number & _LOW, number >> _HALF, selection_block(what), attempt)
        word = words[0] * bound
        if word & _LOW >= least:
            return word >> _HALF
        attempt += _ONE


def key_of(seed: int) -> tuple[np.uint64, np.uint64]:
    """The generator's key; a seed is a whole number below 2^64."""
    if not 0 <= seed < 2**64:
        raise ValueError(f"a seed is a whole number from 0 to 2^64 - 1, not {seed}")
    return np.uint64(seed & 0xFFFFFFFF), np.uint64(seed >> 32)


def decks(seed: int, start: int, rounds: int, cards: int = MOST_CARDS) -> Bytes:
    """The decks of some rounds; after 51 exchanges the 52nd card is in its place too."""
    found = np.empty((rounds, SIZE), np.uint8)
    words, places, biased = room(rounds)
    fill_decks(*key_of(seed), np.uint64(start), cards, found, words, places, biased)
    return found
