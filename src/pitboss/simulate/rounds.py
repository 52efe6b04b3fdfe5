"""Compiled rounds of the games: from a counter to the outcome codes of each seat. No pay and no rule stands here.

A code is a number in mixed radix over the facts of its group, in the order in which ``groups`` lists them; all that is
decided here is which cards lie where and which look-ups they lead to. Arrays are taken out of the felt before the
loop: inside it nothing is allocated and nothing is counted but what the rounds are.
"""

import numpy as np
import numpy.typing as npt
from numba import njit

from pitboss.simulate.decisions import SUITS_MATTER, first_place, found, state_key
from pitboss.simulate.evaluators import (
    column_of,
    key_of,
    key_of_five,
    label_of,
    level_of,
    other_label_of,
    row_of,
    suited,
    with_suits,
)
from pitboss.simulate.felt import Felt
from pitboss.simulate.streams import MOST_CARDS, SIZE, WORDS, below, fill_decks
from pitboss.simulate.words import Bytes, Word, Words

Codes = npt.NDArray[np.uint16]
"""By round, seat and group."""

MAGIC_CARD, LUCKY_POSITION = range(2)
_NONE = np.zeros((1, 0), np.uint8)
_U0, _U2 = np.uint64(0), np.uint64(2)
_SUITS_MATTER = np.int64(SUITS_MATTER)
TOGETHER = 512
"""Rounds that are dealt at a time."""
_BLOCK = np.uint64(TOGETHER)
_THREE_LABELS, _FOUR_LABELS, _FIVE_LABELS = 8, 15, 11
_RED_SHIFT, _NIBBLE, _FOUR_BITS = np.uint64(36), np.uint64(15), np.uint64(4)


@njit(cache=True, nogil=True)
def room() -> tuple[Words, Bytes, Bytes]:
    words = np.empty((WORDS, TOGETHER), np.uint64)
    return words, np.empty((MOST_CARDS, TOGETHER), np.uint8), np.empty(TOGETHER, np.uint8)


@njit(cache=True, nogil=True)
def versus(player: Word, dealer: Word) -> Word:
    """0 lower, 1 equal, 2 higher."""
    return np.int64(player >= dealer) + np.int64(player > dealer)


@njit(cache=True, nogil=True)
def colour(key: Word) -> Word:
    """Of five cards: 0 if all have one colour, 1 if four have, 2 if three have."""
    both = key >> _RED_SHIFT
    reds = np.int64((both & _NIBBLE) + (both >> _FOUR_BITS & _NIBBLE))
    return min(reds, 5 - reds)


@njit(cache=True, nogil=True)
def _holds(decks: Bytes, number: Word, places: Bytes, row: Word, card: Word) -> bool:
    found = False
    for column in range(places.shape[1]):
        found |= decks[number, places[row, column]] == card
    return found


@njit(cache=True, nogil=True)
def _selections(
    felt: Felt,
    decks: Bytes,
    row: Word,
    k0: Word,
    k1: Word,
    number: Word,
    common: Bytes,
    group: int,
    codes: Codes,
    place: Word,
) -> None:
    """What the system selects at random: code by Magic Card and Lucky Bonus, player's hand before the dealer's."""
    card = below(k0, k1, number, MAGIC_CARD, SIZE)
    position = below(k0, k1, number, LUCKY_POSITION, felt.positions + 1)
    shared = _holds(decks, row, common, 0, card)
    dealer = shared or _holds(decks, row, felt.dealer_five, 0, card)
    for seat in range(len(felt.own)):
        own = shared or _holds(decks, row, felt.own, seat, card)
        lucky = position == np.int64(felt.numbers[seat])
        codes[place, seat, group] = 8 * own + 4 * dealer + 2 * lucky + (position == 0)


@njit(cache=True, nogil=True)
def frenzy(felt: Felt, k0: Word, k1: Word, start: Word, codes: Codes) -> None:
    """Four Card Frenzy: (choice, qualifies, versus, hand), (colour), (six cards)."""
    decks = np.empty((TOGETHER, SIZE), np.uint8)
    words, drawn_places, biased = room()
    own, dealer_places, extra, antes = felt.own, felt.dealer, felt.extra, felt.antes
    rows, entries, flushes, bias = felt.player.rows, felt.player.entries, felt.player.flushes, felt.player.bias
    six_rows, six_entries, six_flushes, six_bias = felt.six.rows, felt.six.entries, felt.six.flushes, felt.six.bias
    first, keys, picks = felt.choices.first, felt.choices.keys, felt.choices.picks
    mode, ranks = felt.choices.mode, felt.choices.ranks
    nobody, least, with_six, cards = np.int64(felt.nobody), np.int64(felt.qualifies), felt.active[2], felt.cards
    for place in range(np.uint64(len(codes))):
        row = place % _BLOCK
        if row == _U0:
            fill_decks(k0, k1, start + place, cards, decks, words, drawn_places, biased)
        key = key_of_five(decks, row, dealer_places, _U0)
        found_entry = entries[np.uint64(rows[row_of(key)]) + column_of(key)]
        if suited(key, bias):
            found_entry = with_suits(found_entry, flushes, key, bias, decks, row, dealer_places, _U0, _NONE)
        dealer = level_of(found_entry)
        qualifies = np.int64(dealer >= least)
        sixth = key_of(decks, row, extra, _U0)
        for seat in range(np.uint64(len(own))):
            key = key_of_five(decks, row, own, seat)
            entry = entries[np.uint64(rows[row_of(key)]) + column_of(key)]
            if suited(key, bias):
                entry = with_suits(entry, flushes, key, bias, decks, row, own, seat, _NONE)
            choice = nobody
            if antes[seat]:
                choice = np.int64(
                    first[first_place(np.uint64(rows[row_of(key)]) + column_of(key), key, bias, _U0, ranks)]
                )
                if choice == _SUITS_MATTER:
                    choice = np.int64(found(keys, picks, state_key(decks, row, own, seat, _NONE, _U0, mode)))
            code = (choice * 2 + qualifies) * 3 + versus(level_of(entry), dealer)
            codes[place, seat, np.uint64(0)] = code * _FOUR_LABELS + label_of(entry)
            codes[place, seat, np.uint64(1)] = colour(key)
            if with_six:
                joined = key + sixth
                six = six_entries[np.uint64(six_rows[row_of(joined)]) + column_of(joined)]
                if suited(joined, six_bias):
                    six = with_suits(six, six_flushes, joined, six_bias, decks, row, own, seat, extra)
                codes[place, seat, np.uint64(2)] = label_of(six)


@njit(cache=True, nogil=True)
def three_card(felt: Felt, k0: Word, k1: Word, start: Word, codes: Codes) -> None:
    """Three Card Poker: (choice, qualifies, versus, hand), (six cards), (five of six), (folded, five), (dealer's five),
    (selections)."""
    decks = np.empty((TOGETHER, SIZE), np.uint8)
    words, drawn_places, biased = room()
    own, dealer_places, extra, antes, folds = felt.own, felt.dealer, felt.extra, felt.antes, felt.folds
    rows, entries, flushes, bias = felt.player.rows, felt.player.entries, felt.player.flushes, felt.player.bias
    five_rows, five_entries, five_flushes = felt.five.rows, felt.five.entries, felt.five.flushes
    six_rows, six_entries, six_flushes, five_bias = felt.six.rows, felt.six.entries, felt.six.flushes, felt.six.bias
    first, keys, picks = felt.choices.first, felt.choices.keys, felt.choices.picks
    mode, ranks = felt.choices.mode, felt.choices.ranks
    nobody, least, cards = np.int64(felt.nobody), np.int64(felt.qualifies), felt.cards
    with_six, with_five, with_dealer, selects = felt.active[1], felt.active[3], felt.active[4], felt.active[5]
    for place in range(np.uint64(len(codes))):
        number, row = start + place, place % _BLOCK
        if row == _U0:
            fill_decks(k0, k1, number, cards, decks, words, drawn_places, biased)
        theirs = key_of(decks, row, dealer_places, _U0)
        found_entry = entries[np.uint64(rows[row_of(theirs)]) + column_of(theirs)]
        if suited(theirs, bias):
            found_entry = with_suits(found_entry, flushes, theirs, bias, decks, row, dealer_places, _U0, _NONE)
        dealer = level_of(found_entry)
        qualifies = np.int64(dealer >= least)
        common = key_of(decks, row, extra, _U0)
        dealer_five = np.int64(0)
        if with_dealer:
            key = theirs + common
            found_entry = five_entries[np.uint64(five_rows[row_of(key)]) + column_of(key)]
            if suited(key, five_bias):
                found_entry = with_suits(
                    found_entry, five_flushes, key, five_bias, decks, row, dealer_places, _U0, extra
                )
            dealer_five = label_of(found_entry)
        for seat in range(np.uint64(len(own))):
            key = key_of(decks, row, own, seat)
            entry = entries[np.uint64(rows[row_of(key)]) + column_of(key)]
            if suited(key, bias):
                entry = with_suits(entry, flushes, key, bias, decks, row, own, seat, _NONE)
            choice = nobody
            if antes[seat]:
                choice = np.int64(
                    first[first_place(np.uint64(rows[row_of(key)]) + column_of(key), key, bias, _U0, ranks)]
                )
                if choice == _SUITS_MATTER:
                    choice = np.int64(found(keys, picks, state_key(decks, row, own, seat, _NONE, _U0, mode)))
            code = (choice * 2 + qualifies) * 3 + versus(level_of(entry), dealer)
            codes[place, seat, np.uint64(0)] = code * _THREE_LABELS + label_of(entry)
            if with_six:
                joined = key + theirs
                six = six_entries[np.uint64(six_rows[row_of(joined)]) + column_of(joined)]
                if suited(joined, five_bias):
                    six = with_suits(six, six_flushes, joined, five_bias, decks, row, own, seat, dealer_places)
                codes[place, seat, np.uint64(1)] = label_of(six)
                codes[place, seat, np.uint64(2)] = other_label_of(six)
            if with_five:
                joined = key + common
                five = five_entries[np.uint64(five_rows[row_of(joined)]) + column_of(joined)]
                if suited(joined, five_bias):
                    five = with_suits(five, five_flushes, joined, five_bias, decks, row, own, seat, extra)
                codes[place, seat, np.uint64(3)] = np.int64(folds[choice]) * _FIVE_LABELS + label_of(five)
            codes[place, seat, np.uint64(4)] = dealer_five
        if selects:
            _selections(felt, decks, row, k0, k1, number, extra, 5, codes, np.int64(place))


@njit(cache=True, nogil=True)
def four_card(felt: Felt, k0: Word, k1: Word, start: Word, codes: Codes) -> None:
    """Four Card Poker: (choice, versus, hand), (folded, five cards), (versus, hand, dealer's hand), (dealer's five),
    (six cards), (selections)."""
    decks = np.empty((TOGETHER, SIZE), np.uint8)
    words, drawn_places, biased = room()
    own, dealer_places, extra, antes, folds = felt.own, felt.dealer, felt.extra, felt.antes, felt.folds
    first_five, shown = felt.dealer_five, np.uint64(felt.up)
    rows, entries, flushes, bias = felt.player.rows, felt.player.entries, felt.player.flushes, felt.player.bias
    all_rows, all_entries, all_flushes = felt.dealer_hands.rows, felt.dealer_hands.entries, felt.dealer_hands.flushes
    five_rows, five_entries, five_flushes = felt.five.rows, felt.five.entries, felt.five.flushes
    six_rows, six_entries, six_flushes, five_bias = felt.six.rows, felt.six.entries, felt.six.flushes, felt.six.bias
    first, keys, picks = felt.choices.first, felt.choices.keys, felt.choices.picks
    mode, ranks = felt.choices.mode, felt.choices.ranks
    nobody, cards = np.int64(felt.nobody), felt.cards
    with_five, with_dealer, with_six, selects = felt.active[1], felt.active[3], felt.active[4], felt.active[5]
    for place in range(np.uint64(len(codes))):
        number, row = start + place, place % _BLOCK
        if row == _U0:
            fill_decks(k0, k1, number, cards, decks, words, drawn_places, biased)
        up = np.uint64(decks[row, shown])
        up_rank = up >> _U2
        key = key_of(decks, row, dealer_places, _U0)
        theirs = all_entries[np.uint64(all_rows[row_of(key)]) + column_of(key)]
        if suited(key, bias):
            theirs = with_suits(theirs, all_flushes, key, bias, decks, row, dealer_places, _U0, _NONE)
        # Both sides are ranked by one list, so levels of five and of six cards compare.
        dealer, dealer_hand = level_of(theirs), label_of(theirs)
        dealer_five = np.int64(0)
        if with_dealer:
            key = key_of_five(decks, row, first_five, _U0)
            found_entry = five_entries[np.uint64(five_rows[row_of(key)]) + column_of(key)]
            if suited(key, five_bias):
                found_entry = with_suits(found_entry, five_flushes, key, five_bias, decks, row, first_five, _U0, _NONE)
            dealer_five = label_of(found_entry)
        sixth = key_of(decks, row, extra, _U0)
        for seat in range(np.uint64(len(own))):
            key = key_of_five(decks, row, own, seat)
            entry = entries[np.uint64(rows[row_of(key)]) + column_of(key)]
            if suited(key, bias):
                entry = with_suits(entry, flushes, key, bias, decks, row, own, seat, _NONE)
            choice = nobody
            if antes[seat]:
                choice = np.int64(
                    first[first_place(np.uint64(rows[row_of(key)]) + column_of(key), key, bias, up_rank, ranks)]
                )
                if choice == _SUITS_MATTER:
                    choice = np.int64(found(keys, picks, state_key(decks, row, own, seat, _NONE, up, mode)))
            compared = versus(level_of(entry), dealer) * _FOUR_LABELS + label_of(entry)
            codes[place, seat, np.uint64(0)] = choice * 3 * _FOUR_LABELS + compared
            if with_five:
                five = five_entries[np.uint64(five_rows[row_of(key)]) + column_of(key)]
                if suited(key, five_bias):
                    five = with_suits(five, five_flushes, key, five_bias, decks, row, own, seat, _NONE)
                codes[place, seat, np.uint64(1)] = np.int64(folds[choice]) * _FIVE_LABELS + label_of(five)
            codes[place, seat, np.uint64(2)] = compared * _FOUR_LABELS + dealer_hand
            codes[place, seat, np.uint64(3)] = dealer_five
            if with_six:
                joined = key + sixth
                six = six_entries[np.uint64(six_rows[row_of(joined)]) + column_of(joined)]
                if suited(joined, five_bias):
                    six = with_suits(six, six_flushes, joined, five_bias, decks, row, own, seat, extra)
                codes[place, seat, np.uint64(4)] = label_of(six)
        if selects:
            _selections(felt, decks, row, k0, k1, number, _NONE, 5, codes, np.int64(place))
