"""The compiled round of Lunar Poker, whose players may draw: from a counter to outcome codes, without pay or rule.

What to keep and when to bet after an exchange is strategy, and reckoned here."""

import numpy as np
from numba import njit

from pitboss.exact.decks import BINOMIAL
from pitboss.exact.lunar_kernels import hand_facts
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
from pitboss.simulate.rounds import TOGETHER, Codes, colour, room, versus
from pitboss.simulate.streams import SIZE, fill_decks
from pitboss.simulate.words import Bytes, Entries, Ints, Rows, Scores, Word

BET, FOLD, INSTANT, BUY, KEEP_SAME, KEEP_TWO, KEEP_ONE = range(7)
"""What may be chosen first; the last three are exchanges, named by what is kept."""
ENDED_INSTANT, ENDED_BET, ENDED_FOLD, DREW_BET, DREW_FOLD = range(5)
_NONE = np.zeros((1, 0), np.uint8)
_U0, _U2 = np.uint64(0), np.uint64(2)
_BLOCK = np.uint64(TOGETHER)
_SUITS_MATTER = np.int64(SUITS_MATTER)
_LABELS = 11
_KING, _ACE = 11, 12
CERTAIN = 1 << 30
"""Shares are whole numbers of parts of this."""


@njit(cache=True, nogil=True)
def _second_of_six(
    decks: Bytes, row: Word, own: Bytes, seat: Word, drawn: Word, scores: Scores, seconds: Bytes, binomial: Ints
) -> Word:
    """The second combination of six cards of which five share a suit: looked for card by card."""
    hand = np.empty((1, 6), np.uint8)
    for place in range(5):
        hand[0, place] = decks[row, own[seat, place]]
    hand[0, 5] = decks[row, drawn]
    hand[0].sort()
    best, code = np.empty(1, np.int32), np.empty(1, np.int32)
    hand_facts(hand, scores, binomial, best, code)
    return np.int64(seconds[code[0]])


@njit(cache=True, nogil=True)
def kept_places(decks: Bytes, row: Word, own: Bytes, seat: Word, choice: Word, final: Bytes) -> int:
    """Copy the places of the cards that an exchange keeps; returns how many."""
    kept = 0
    for column in range(own.shape[1]):
        card = decks[row, own[seat, column]]
        same, higher = 0, 0
        for other in range(own.shape[1]):
            same += decks[row, own[seat, other]] >> 2 == card >> 2
            higher += decks[row, own[seat, other]] > card
        if (
            (choice == KEEP_SAME and same > 1)
            or (choice == KEEP_TWO and higher < 2)
            or (choice == KEEP_ONE and higher < 1)
        ):
            final[0, kept] = own[seat, column]
            kept += 1
    return kept


@njit(cache=True, nogil=True)
def unqualified(seen: Ints, up: Word) -> Word:
    """How many sets of four unseen cards leave the dealer without a pair and without ace-king, straights not looked at.

    A guess of the strategy's; whether a dealer qualifies is decided by the level that the game names.
    ``seen`` has the cards seen of each rank, the up card among them.
    """
    two, three, four = np.int64(0), np.int64(0), np.int64(0)
    one = np.int64(0)
    for rank in range(_KING):
        if rank != up:
            left = 4 - seen[rank]
            four += three * left
            three += two * left
            two += one * left
            one += left
    if up < _KING:
        # Either an ace or a king may be among them, not both.
        four += three * (8 - seen[_KING] - seen[_ACE])
    return four


@njit(cache=True, nogil=True)
def bets_after_exchange(least: Word, decks: Bytes, row: Word, own: Bytes, seat: Word, final: Bytes, up: Word) -> Word:
    """Whether to bet with the final cards, discards and all else that was seen counted."""
    if least <= 0 or least >= CERTAIN:
        return least <= 0
    seen = np.zeros(_ACE + 1, np.int64)
    seen[up >> _U2] += 1
    cards = 1
    for column in range(own.shape[1]):
        seen[decks[row, own[seat, column]] >> 2] += 1
        cards += 1
    for column in range(final.shape[1]):
        held = False
        for other in range(own.shape[1]):
            held |= own[seat, other] == final[0, column]
        if not held:
            seen[decks[row, final[0, column]] >> 2] += 1
            cards += 1
    unseen = SIZE - cards
    whole = unseen * (unseen - 1) * (unseen - 2) * (unseen - 3) // 24
    return unqualified(seen, up >> _U2) * CERTAIN > least * whole


@njit(cache=True, nogil=True)
def lunar(felt: Felt, k0: Word, k1: Word, start: Word, codes: Codes) -> None:
    """Lunar Poker: (ending, qualifies, versus, hand, second), (super hand), (dealer's super hand).

    Who draws takes the next cards of the stub, from the dealer's left.
    """
    decks = np.empty((TOGETHER, SIZE), np.uint8)
    words, drawn_places, biased = room()
    own, dealer_places, shown = felt.own, felt.dealer, np.uint64(felt.up)
    rows, entries, flushes, bias = felt.player.rows, felt.player.entries, felt.player.flushes, felt.player.bias
    super_entries, super_colour, super_flushes = felt.five.entries, felt.five.one_colour, felt.five.flushes
    six_rows, six_entries, six_flushes = felt.draws.six.rows, felt.draws.six.entries, felt.draws.six.flushes
    first, keys, picks = felt.choices.first, felt.choices.keys, felt.choices.picks
    buy_first, buy_keys = felt.draws.after_buying.first, felt.draws.after_buying.keys
    buy_picks, bet_from = felt.draws.after_buying.picks, felt.draws.bet_from
    seconds, scores, binomial = felt.draws.second_of, felt.draws.scores, BINOMIAL
    mode, ranks, least, cards = felt.choices.mode, felt.choices.ranks, np.int64(felt.qualifies), felt.cards
    final, drawn = np.empty((1, 5), np.uint8), np.empty((1, 1), np.uint8)
    for place in range(np.uint64(len(codes))):
        row = place % _BLOCK
        if row == _U0:
            fill_decks(k0, k1, start + place, cards, decks, words, drawn_places, biased)
        up = np.uint64(decks[row, shown])
        up_rank = up >> _U2
        stub = felt.dealt
        key = key_of_five(decks, row, dealer_places, _U0)
        found_entry = entries[np.uint64(rows[row_of(key)]) + column_of(key)]
        if suited(key, bias):
            found_entry = with_suits(found_entry, flushes, key, bias, decks, row, dealer_places, _U0, _NONE)
        dealer = level_of(found_entry)
        qualifies = np.int64(dealer >= least)
        dealer_super = _super(
            rows, super_entries, super_colour, super_flushes, bias, key, decks, row, dealer_places, _U0
        )
        for seat in range(np.uint64(len(own))):
            key = key_of_five(decks, row, own, seat)
            entry = entries[np.uint64(rows[row_of(key)]) + column_of(key)]
            if suited(key, bias):
                entry = with_suits(entry, flushes, key, bias, decks, row, own, seat, _NONE)
            choice = np.int64(
                first[first_place(np.uint64(rows[row_of(key)]) + column_of(key), key, bias, up_rank, ranks)]
            )
            if choice == _SUITS_MATTER:
                choice = np.int64(found(keys, picks, state_key(decks, row, own, seat, _NONE, up, mode)))
            codes[place, seat, np.uint64(1)] = _super(
                rows, super_entries, super_colour, super_flushes, bias, key, decks, row, own, seat
            )
            codes[place, seat, np.uint64(2)] = dealer_super
            ending = ENDED_BET if choice == BET else ENDED_FOLD if choice == FOLD else ENDED_INSTANT
            second = other_label_of(entry)
            if choice == BUY:
                drawn[0, 0] = stub
                key += key_of(decks, row, drawn, _U0)
                entry = six_entries[np.uint64(six_rows[row_of(key)]) + column_of(key)]
                if suited(key, bias):
                    entry = with_suits(entry, six_flushes, key, bias, decks, row, own, seat, drawn)
                second = other_label_of(entry)
                if suited(key, bias):
                    second = _second_of_six(decks, row, own, seat, stub, scores, seconds, binomial)
                stub += 1
                then = np.int64(
                    buy_first[first_place(np.uint64(six_rows[row_of(key)]) + column_of(key), key, bias, up_rank, ranks)]
                )
                if then == _SUITS_MATTER:
                    then = np.int64(found(buy_keys, buy_picks, state_key(decks, row, own, seat, drawn, up, mode)))
                ending = DREW_BET if then == BET else DREW_FOLD
            elif choice >= KEEP_SAME:
                for column in range(kept_places(decks, row, own, seat, choice, final), 5):
                    final[0, column] = stub
                    stub += 1
                key = key_of_five(decks, row, final, _U0)
                entry = entries[np.uint64(rows[row_of(key)]) + column_of(key)]
                if suited(key, bias):
                    entry = with_suits(entry, flushes, key, bias, decks, row, final, _U0, _NONE)
                second = other_label_of(entry)
                at = first_place(np.uint64(rows[row_of(key)]) + column_of(key), key, bias, up_rank, ranks)
                bets = bets_after_exchange(bet_from[at], decks, row, own, seat, final, up)
                ending = DREW_BET if bets else DREW_FOLD
            code = (ending * 2 + qualifies) * 3 + versus(level_of(entry), dealer)
            codes[place, seat, np.uint64(0)] = (code * _LABELS + label_of(entry)) * _LABELS + second


@njit(cache=True, nogil=True)
def _super(
    rows: Rows,
    entries: Entries,
    one_colour: Entries,
    flushes: Entries,
    bias: Word,
    key: Word,
    decks: Bytes,
    row: Word,
    places: Bytes,
    seat: Word,
) -> Word:
    """The Super Wager's name of five cards; cards of one colour have a table of their own."""
    named = one_colour if colour(key) == 0 else entries
    entry = named[np.uint64(rows[row_of(key)]) + column_of(key)]
    if suited(key, bias):
        entry = with_suits(entry, flushes, key, bias, decks, row, places, seat, _NONE)
    return label_of(entry)
