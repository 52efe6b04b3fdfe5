"""Compiled rounds of the games: from a counter to the outcome codes of each seat. No pay and no rule stands here.

A code is a number in mixed radix over the facts of its group, in the order in which ``groups`` lists them; all that is
decided here is which cards lie where and which look-ups they lead to. Arrays are taken out of the felt before the
loop: inside it nothing is allocated and nothing is counted but what the rounds are.
"""

import numpy as np
import numpy.typing as npt
from numba import njit

from pitboss.exact.decks import BINOMIAL, Ints
from pitboss.exact.lunar_kernels import hand_facts
from pitboss.simulate.decisions import choose
from pitboss.simulate.evaluators import key_of, label_of, level_of, look, other_label_of, place_of, suited
from pitboss.simulate.felt import Bytes, Felt
from pitboss.simulate.streams import SIZE, below, deal

Codes = npt.NDArray[np.uint16]
"""By round, seat and group."""

BET, FOLD, INSTANT, BUY, KEEP_SAME, KEEP_TWO, KEEP_ONE = range(7)
"""What may be chosen first in Lunar Poker; the last three are exchanges, named by what is kept."""
ENDED_INSTANT, ENDED_BET, ENDED_FOLD, DREW_BET, DREW_FOLD = range(5)
MAGIC_CARD, LUCKY_POSITION = range(2)
_NONE = np.zeros((1, 0), np.uint8)
_U0 = np.uint64(0)
_THREE_LABELS, _FOUR_LABELS, _FIVE_LABELS, _LUNAR_LABELS = 8, 15, 11, 11
_RED_SHIFT, _NIBBLE, _FOUR_BITS = np.uint64(36), np.uint64(15), np.uint64(4)


@njit(cache=True, nogil=True)
def _versus(player: np.int64, dealer: np.int64) -> np.int64:
    """0 lower, 1 equal, 2 higher."""
    return np.int64(player >= dealer) + np.int64(player > dealer)


@njit(cache=True, nogil=True)
def _colour(key: np.uint64) -> np.int64:
    """Of five cards: 0 if all have one colour, 1 if four have, 2 if three have."""
    both = key >> _RED_SHIFT
    reds = np.int64((both & _NIBBLE) + (both >> _FOUR_BITS & _NIBBLE))
    return min(reds, 5 - reds)


@njit(cache=True, nogil=True)
def _holds(deck: Bytes, places: Bytes, row: int, card: int) -> bool:
    for column in range(places.shape[1]):
        if deck[places[row, column]] == card:
            return True
    return False


@njit(cache=True, nogil=True)
def _selections(
    felt: Felt, deck: Bytes, k0: np.uint64, k1: np.uint64, number: np.uint64, common: Bytes, group: int, codes: Codes, place: int
) -> None:  # fmt: skip
    """What the system selects at random: code by Magic Card and Lucky Bonus, player's hand before the dealer's."""
    card = below(k0, k1, number, MAGIC_CARD, SIZE)
    position = below(k0, k1, number, LUCKY_POSITION, felt.positions + 1)
    shared = _holds(deck, common, 0, card)
    dealer = shared or _holds(deck, felt.dealer_five, 0, card)
    for seat in range(len(felt.own)):
        own = shared or _holds(deck, felt.own, seat, card)
        lucky = position == np.int64(felt.numbers[seat])
        codes[place, seat, group] = 8 * own + 4 * dealer + 2 * lucky + (position == 0)


@njit(cache=True, nogil=True)
def frenzy(felt: Felt, k0: np.uint64, k1: np.uint64, start: np.uint64, codes: Codes) -> None:
    """Four Card Frenzy: (choice, qualifies, versus, hand), (colour), (six cards)."""
    deck = np.empty(SIZE, np.uint8)
    own, dealer_places, extra, antes = felt.own, felt.dealer, felt.extra, felt.antes
    rows, entries, flushes, bias = felt.player.rows, felt.player.entries, felt.player.flushes, felt.player.bias
    six_rows, six_entries, six_flushes, six_bias = felt.six.rows, felt.six.entries, felt.six.flushes, felt.six.bias
    first, keys, picks = felt.choices.first, felt.choices.keys, felt.choices.picks
    mode, ranks = felt.choices.mode, felt.choices.ranks
    nobody, least, with_six, cards = np.int64(felt.nobody), np.int64(felt.qualifies), felt.active[2], felt.cards
    for place in range(np.uint64(len(codes))):
        deal(deck, k0, k1, start + np.uint64(place), cards)
        key = key_of(deck, dealer_places, _U0)
        dealer = level_of(look(rows, entries, flushes, bias, key, deck, dealer_places, _U0, _NONE))
        qualifies = np.int64(dealer >= least)
        sixth = key_of(deck, extra, _U0) if with_six else _U0
        for seat in range(np.uint64(len(own))):
            key = key_of(deck, own, seat)
            entry = look(rows, entries, flushes, bias, key, deck, own, seat, _NONE)
            choice = nobody
            if antes[seat]:
                choice = choose(first, keys, picks, mode, ranks, rows, bias, key, deck, own, seat, _NONE, _U0)
            code = (choice * 2 + qualifies) * 3 + _versus(level_of(entry), dealer)
            codes[place, seat, np.uint64(0)] = code * _FOUR_LABELS + label_of(entry)
            codes[place, seat, np.uint64(1)] = _colour(key)
            if with_six:
                six = look(six_rows, six_entries, six_flushes, six_bias, key + sixth, deck, own, seat, extra)
                codes[place, seat, np.uint64(2)] = label_of(six)


@njit(cache=True, nogil=True)
def three_card(felt: Felt, k0: np.uint64, k1: np.uint64, start: np.uint64, codes: Codes) -> None:
    """Three Card Poker: (choice, qualifies, versus, hand), (six cards), (five of six), (folded, five), (dealer's five),
    (selections)."""
    deck = np.empty(SIZE, np.uint8)
    own, dealer_places, extra, antes, folds = felt.own, felt.dealer, felt.extra, felt.antes, felt.folds
    rows, entries, flushes, bias = felt.player.rows, felt.player.entries, felt.player.flushes, felt.player.bias
    five_rows, five_entries, five_flushes = felt.five.rows, felt.five.entries, felt.five.flushes
    six_rows, six_entries, six_flushes, five_bias = felt.six.rows, felt.six.entries, felt.six.flushes, felt.six.bias
    first, keys, picks = felt.choices.first, felt.choices.keys, felt.choices.picks
    mode, ranks = felt.choices.mode, felt.choices.ranks
    nobody, least, cards = np.int64(felt.nobody), np.int64(felt.qualifies), felt.cards
    with_six, with_five, with_dealer, selects = felt.active[1], felt.active[3], felt.active[4], felt.active[5]
    for place in range(np.uint64(len(codes))):
        number = start + np.uint64(place)
        deal(deck, k0, k1, number, cards)
        theirs = key_of(deck, dealer_places, _U0)
        dealer = level_of(look(rows, entries, flushes, bias, theirs, deck, dealer_places, _U0, _NONE))
        qualifies = np.int64(dealer >= least)
        common = key_of(deck, extra, _U0)
        dealer_five = np.int64(0)
        if with_dealer:
            key = theirs + common
            dealer_five = label_of(
                look(five_rows, five_entries, five_flushes, five_bias, key, deck, dealer_places, _U0, extra)
            )
        for seat in range(np.uint64(len(own))):
            key = key_of(deck, own, seat)
            entry = look(rows, entries, flushes, bias, key, deck, own, seat, _NONE)
            choice = nobody
            if antes[seat]:
                choice = choose(first, keys, picks, mode, ranks, rows, bias, key, deck, own, seat, _NONE, _U0)
            code = (choice * 2 + qualifies) * 3 + _versus(level_of(entry), dealer)
            codes[place, seat, np.uint64(0)] = code * _THREE_LABELS + label_of(entry)
            if with_six:
                six = look(six_rows, six_entries, six_flushes, five_bias, key + theirs, deck, own, seat, dealer_places)
                codes[place, seat, np.uint64(1)] = label_of(six)
                codes[place, seat, np.uint64(2)] = other_label_of(six)
            if with_five:
                five = look(five_rows, five_entries, five_flushes, five_bias, key + common, deck, own, seat, extra)
                codes[place, seat, np.uint64(3)] = np.int64(folds[choice]) * _FIVE_LABELS + label_of(five)
            codes[place, seat, np.uint64(4)] = dealer_five
        if selects:
            _selections(felt, deck, k0, k1, number, extra, 5, codes, np.int64(place))


@njit(cache=True, nogil=True)
def four_card(felt: Felt, k0: np.uint64, k1: np.uint64, start: np.uint64, codes: Codes) -> None:
    """Four Card Poker: (choice, versus, hand), (folded, five cards), (versus, hand, dealer's hand), (dealer's five),
    (six cards), (selections)."""
    deck = np.empty(SIZE, np.uint8)
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
        number = start + np.uint64(place)
        deal(deck, k0, k1, number, cards)
        up = np.uint64(deck[shown])
        key = key_of(deck, dealer_places, _U0)
        theirs = look(all_rows, all_entries, all_flushes, bias, key, deck, dealer_places, _U0, _NONE)
        # Both sides are ranked by one list, so levels of five and of six cards compare.
        dealer, dealer_hand = level_of(theirs), label_of(theirs)
        dealer_five = np.int64(0)
        if with_dealer:
            key = key_of(deck, first_five, _U0)
            dealer_five = label_of(
                look(five_rows, five_entries, five_flushes, five_bias, key, deck, first_five, _U0, _NONE)
            )
        sixth = key_of(deck, extra, _U0)
        for seat in range(np.uint64(len(own))):
            key = key_of(deck, own, seat)
            entry = look(rows, entries, flushes, bias, key, deck, own, seat, _NONE)
            choice = nobody
            if antes[seat]:
                choice = choose(first, keys, picks, mode, ranks, rows, bias, key, deck, own, seat, _NONE, up)
            compared = _versus(level_of(entry), dealer) * _FOUR_LABELS + label_of(entry)
            codes[place, seat, np.uint64(0)] = choice * 3 * _FOUR_LABELS + compared
            if with_five:
                five = look(five_rows, five_entries, five_flushes, five_bias, key, deck, own, seat, _NONE)
                codes[place, seat, np.uint64(1)] = np.int64(folds[choice]) * _FIVE_LABELS + label_of(five)
            codes[place, seat, np.uint64(2)] = compared * _FOUR_LABELS + dealer_hand
            codes[place, seat, np.uint64(3)] = dealer_five
            if with_six:
                six = look(six_rows, six_entries, six_flushes, five_bias, key + sixth, deck, own, seat, extra)
                codes[place, seat, np.uint64(4)] = label_of(six)
        if selects:
            _selections(felt, deck, k0, k1, number, _NONE, 5, codes, np.int64(place))


@njit(cache=True, nogil=True)
def _second_of_six(deck: Bytes, own: Bytes, seat: int, drawn: int, scores: npt.NDArray[np.int32], seconds: Bytes, binomial: Ints) -> np.int64:  # fmt: skip
    """The second combination of six cards of which five share a suit: looked for card by card."""
    hand = np.empty((1, 6), np.uint8)
    for place in range(5):
        hand[0, place] = deck[own[seat, place]]
    hand[0, 5] = deck[drawn]
    hand[0].sort()
    best, code = np.empty(1, np.int32), np.empty(1, np.int32)
    hand_facts(hand, scores, binomial, best, code)
    return np.int64(seconds[code[0]])


@njit(cache=True, nogil=True)
def kept_places(deck: Bytes, own: Bytes, seat: int, choice: int, final: Bytes) -> int:
    """Copy the places of the cards that an exchange keeps; returns how many."""
    kept = 0
    for column in range(own.shape[1]):
        card = deck[own[seat, column]]
        same, higher = 0, 0
        for other in range(own.shape[1]):
            same += deck[own[seat, other]] >> 2 == card >> 2
            higher += deck[own[seat, other]] > card
        if (
            (choice == KEEP_SAME and same > 1)
            or (choice == KEEP_TWO and higher < 2)
            or (choice == KEEP_ONE and higher < 1)
        ):
            final[0, kept] = own[seat, column]
            kept += 1
    return kept


@njit(cache=True, nogil=True)
def lunar(felt: Felt, k0: np.uint64, k1: np.uint64, start: np.uint64, codes: Codes) -> None:
    """Lunar Poker: (ending, qualifies, versus, hand, second), (super hand), (dealer's super hand).

    Who draws takes the next cards of the stub, from the dealer's left.
    """
    deck = np.empty(SIZE, np.uint8)
    own, dealer_places, shown = felt.own, felt.dealer, np.uint64(felt.up)
    rows, entries, flushes, bias = felt.player.rows, felt.player.entries, felt.player.flushes, felt.player.bias
    super_entries, super_colour, super_flushes = felt.five.entries, felt.five.one_colour, felt.five.flushes
    six_rows, six_entries, six_flushes = felt.draws.six.rows, felt.draws.six.entries, felt.draws.six.flushes
    first, keys, picks = felt.choices.first, felt.choices.keys, felt.choices.picks
    buy_first, buy_keys = felt.draws.after_buying.first, felt.draws.after_buying.keys
    buy_picks, new_picks = felt.draws.after_buying.picks, felt.draws.after_exchange.picks
    new_first, new_keys = felt.draws.after_exchange.first, felt.draws.after_exchange.keys
    seconds, scores, binomial = felt.draws.second_of, felt.draws.scores, BINOMIAL
    mode, ranks, least, cards = felt.choices.mode, felt.choices.ranks, np.int64(felt.qualifies), felt.cards
    final, drawn = np.empty((1, 5), np.uint8), np.empty((1, 1), np.uint8)
    for place in range(np.uint64(len(codes))):
        deal(deck, k0, k1, start + np.uint64(place), cards)
        up = np.uint64(deck[shown])
        stub = felt.dealt
        key = key_of(deck, dealer_places, _U0)
        dealer = level_of(look(rows, entries, flushes, bias, key, deck, dealer_places, _U0, _NONE))
        qualifies = np.int64(dealer >= least)
        dealer_super = _super(rows, super_entries, super_colour, super_flushes, bias, key, deck, dealer_places, _U0)
        for seat in range(np.uint64(len(own))):
            key = key_of(deck, own, seat)
            entry = look(rows, entries, flushes, bias, key, deck, own, seat, _NONE)
            choice = choose(first, keys, picks, mode, ranks, rows, bias, key, deck, own, seat, _NONE, up)
            codes[place, seat, np.uint64(1)] = _super(
                rows, super_entries, super_colour, super_flushes, bias, key, deck, own, seat
            )
            codes[place, seat, np.uint64(2)] = dealer_super
            ending = ENDED_BET if choice == BET else ENDED_FOLD if choice == FOLD else ENDED_INSTANT
            second = other_label_of(entry)
            if choice == BUY:
                drawn[0, 0] = stub
                key += key_of(deck, drawn, _U0)
                entry = look(six_rows, six_entries, six_flushes, bias, key, deck, own, seat, drawn)
                second = other_label_of(entry)
                if suited(key, bias):
                    second = _second_of_six(deck, own, seat, stub, scores, seconds, binomial)
                stub += 1
                then = choose(
                    buy_first, buy_keys, buy_picks, mode, ranks, six_rows, bias, key, deck, own, seat, drawn, up
                )
                ending = DREW_BET if then == BET else DREW_FOLD
            elif choice >= KEEP_SAME:
                for column in range(kept_places(deck, own, seat, choice, final), 5):
                    final[0, column] = stub
                    stub += 1
                key = key_of(deck, final, _U0)
                entry = look(rows, entries, flushes, bias, key, deck, final, _U0, _NONE)
                second = other_label_of(entry)
                then = choose(new_first, new_keys, new_picks, mode, ranks, rows, bias, key, deck, final, _U0, _NONE, up)
                ending = DREW_BET if then == BET else DREW_FOLD
            code = (ending * 2 + qualifies) * 3 + _versus(level_of(entry), dealer)
            codes[place, seat, np.uint64(0)] = (code * _LUNAR_LABELS + label_of(entry)) * _LUNAR_LABELS + second


@njit(cache=True, nogil=True)
def _super(
    rows: npt.NDArray[np.uint16],
    entries: npt.NDArray[np.uint32],
    one_colour: npt.NDArray[np.uint32],
    flushes: npt.NDArray[np.uint32],
    bias: np.uint64,
    key: np.uint64,
    deck: Bytes,
    places: Bytes,
    row: np.uint64,
) -> np.int64:
    """The Super Wager's name of five cards; cards of one colour have a table of their own."""
    named = one_colour if _colour(key) == 0 else entries
    return label_of(look(rows, named, flushes, bias, key, deck, places, row, _NONE))
