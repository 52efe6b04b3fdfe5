"""Compiled parts of a draw: facts of five and six cards by table, hands that lack a card, and weighing of counts.

What cards make depends on their ranks and, where five share a suit, on the ranks in that suit: such cards are of one
*kind*. The game's own function is asked once for each kind. A fact code packs its answer: the category, the categories
that a second combination can have (a set, because the pay table says which of them pays best), and whether the winning
category is in that set only because a card was replaced by another of its rank.
"""

from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement

import numpy as np
import numpy.typing as npt
from numba import njit

from pitboss.cards import RANKS, Hand, card_of
from pitboss.exact.decks import BINOMIAL, Ints, Places
from pitboss.games.second_combination import ORDER, Combinations

Codes = npt.NDArray[np.int32]
Packed = npt.NDArray[np.int64]

_SECOND_BITS = 10
_CATEGORY_BITS = 4
REMADE = 1 << (_SECOND_BITS + _CATEGORY_BITS)
_HELD = len(RANKS)
_FIVE, _SIX = 5, 6
# Kinds of five cards, then of six: by ranks; all of one suit; five of one suit and another rank.
_FIVE_SUITED = int(BINOMIAL[_HELD + _FIVE - 1, _FIVE])
_SIX_KINDS = _FIVE_SUITED + int(BINOMIAL[_HELD, _FIVE])
_SIX_SUITED = _SIX_KINDS + int(BINOMIAL[_HELD + _SIX - 1, _SIX])
_SIX_MIXED = _SIX_SUITED + int(BINOMIAL[_HELD, _SIX])
KINDS = _SIX_MIXED + _HELD * int(BINOMIAL[_HELD, _FIVE])

# A packed count: dealer's hands below, level and unqualified, each under 2^20; -1 where the up card is in the hand.
FIELD = 20
_MASK = (1 << FIELD) - 1
ABSENT = -1
CELL_COUNT = 6
BUY, AWAY, FREE = 255, 254, 253
"""In place of a choice: a sixth card; something that is counted elsewhere; the best of all."""


def code_of(found: Combinations) -> int:
    """A fact code.

    >>> fact_code(code_of(Combinations("pair", ("ace_king",), False)))
    Combinations(category='pair', seconds=('ace_king',), remade=False)
    """
    seconds = sum(1 << ORDER.categories.index(name) for name in found.seconds)
    return ORDER.categories.index(found.category) << _SECOND_BITS | seconds | (REMADE if found.remade else 0)


def fact_code(code: int) -> Combinations:
    """Take a fact code apart."""
    names = ORDER.categories
    return Combinations(
        names[code >> _SECOND_BITS & (1 << _CATEGORY_BITS) - 1],
        tuple(name for place, name in enumerate(names[:-1]) if code >> place & 1),
        bool(code & REMADE),
    )


def kind_hands() -> Iterator[Hand]:
    """Cards of every kind that there is, in any order of kinds."""
    for size in (_FIVE, _SIX):
        for ranks in combinations_with_replacement(range(_HELD), size):
            if all(ranks.count(rank) <= 4 for rank in ranks):
                # Neighbours of one rank differ in suit, and no suit comes up five times.
                yield tuple(sorted(card_of(rank, place % 4) for place, rank in enumerate(ranks)))
        for ranks in combinations(range(_HELD), size):
            yield tuple(card_of(rank, 0) for rank in ranks)
    for ranks in combinations(range(_HELD), _FIVE):
        for other in range(_HELD):
            yield tuple(sorted((*(card_of(rank, 0) for rank in ranks), card_of(other, 1))))


@njit(cache=True, nogil=True)
def kind_of(hand: Places, cards: int, binomial: Ints) -> int:
    """The kind of five or six ascending cards."""
    suits = np.zeros(4, np.int64)
    for place in range(cards):
        suits[hand[place] & 3] += 1
    for suit in range(4):
        if suits[suit] >= _FIVE:
            held, taken, other = np.int64(0), 0, np.int64(0)
            for place in range(cards):
                rank = np.int64(hand[place] >> 2)
                if hand[place] & 3 == suit:
                    taken += 1
                    held += binomial[rank, taken]
                else:
                    other = rank
            if cards == _FIVE:
                return int(_FIVE_SUITED + held)
            return int(_SIX_SUITED + held if taken == cards else _SIX_MIXED + _HELD * held + other)
    kind = np.int64(0 if cards == _FIVE else _SIX_KINDS)
    for place in range(cards):
        kind += binomial[np.int64(hand[place] >> 2) + place, place + 1]
    return int(kind)


@njit(cache=True, nogil=True)
def hand_facts(hands: Places, table: Codes, binomial: Ints, best: Codes, codes: Codes) -> None:
    """The best score and the fact code of each row of five or six ascending cards; the table has both by kind."""
    for row in range(len(hands)):
        kind = kind_of(hands[row], hands.shape[1], binomial)
        best[row] = table[kind]
        codes[row] = table[KINDS + kind]


@njit(cache=True, nogil=True)
def number_classes(hands: Places, binomial: Ints, rows: Codes) -> None:
    """``rows[number of a hand]`` is the row of the class that this hand stands for."""
    for row in range(len(hands)):
        index = 0
        for place in range(hands.shape[1]):
            index += binomial[hands[row, place], place + 1]
        rows[index] = row


@njit(cache=True, nogil=True)
def lacking_one(hands: Places, rows: Codes, binomial: Ints, out: Codes) -> None:
    """For each six-card class the rows of the six five-card classes that lack one card; suit 0 keeps its name."""
    cards = hands.shape[1]
    masks = np.zeros(4, np.int64)
    for row in range(len(hands)):
        for left in range(cards):
            masks[:] = 0
            for place in range(cards):
                if place != left:
                    masks[hands[row, place] & 3] |= 1 << (hands[row, place] >> 2)
            for one, other in ((1, 2), (2, 3), (1, 2)):
                if masks[one] < masks[other]:
                    masks[one], masks[other] = masks[other], masks[one]
            held = masks[0] | masks[1] | masks[2] | masks[3]
            index = 0
            taken = 0
            rank = 0
            while held:
                if held & 1:
                    for suit in range(4):
                        if masks[suit] >> rank & 1:
                            taken += 1
                            index += binomial[4 * rank + suit, taken]
                held >>= 1
                rank += 1
            out[row, left] = rows[index]


@njit(cache=True, nogil=True)
def pack(below: Ints, rows: npt.NDArray[np.int64], out: Packed) -> None:
    """Counts below, up to and unqualified of some rows, packed."""
    for place in range(len(rows)):
        lower, upto, none = below[place, 0], below[place, 1], below[place, 2]
        out[rows[place]] = lower | (upto - lower) << FIELD | none << 2 * FIELD


@njit(cache=True, nogil=True)
def cells_of(packed: int, qualifies: bool, dealer_hands: int, cells: Ints) -> None:
    """Dealer's hands by cell: unqualified then qualified; the player's hand lower, equal, higher."""
    below, level, none = packed & _MASK, packed >> FIELD & _MASK, packed >> 2 * FIELD
    # Unqualified hands are the lowest: all of them lie below a player's hand that would qualify itself.
    below_not = none if qualifies else below
    level_not = 0 if qualifies else level
    cells[0] = none - below_not - level_not
    cells[1] = level_not
    cells[2] = below_not
    cells[3] = dealer_hands - below - level - cells[0]
    cells[4] = level - level_not
    cells[5] = below - below_not


@njit(cache=True, nogil=True)
def after_buying(
    counts: Packed,
    facts: Codes,
    weights: Ints,
    lacking: Codes,
    nets: Ints,
    qualifies: npt.NDArray[np.bool_],
    dealer_hands: int,
    forced: Places,
    picked: Places,
    bought: Ints,
) -> None:
    """Choose for every six-card state, and add its value to the five-card hands it may have come from."""
    cells = np.zeros(CELL_COUNT, np.int64)
    for row in range(len(counts)):
        if counts[row] == ABSENT:
            continue
        fact = facts[row]
        cells_of(counts[row], qualifies[fact], dealer_hands, cells)
        best, first = np.int64(0), True
        for choice in range(nets.shape[1]):
            if forced[row] == FREE or forced[row] == choice:
                total = np.int64(0)
                for cell in range(CELL_COUNT):
                    total += cells[cell] * nets[fact, choice, cell]
                if first or total > best:
                    best, first = total, False
                    picked[row] = choice
        for place in range(lacking.shape[1]):
            bought[lacking[row, place]] += weights[row] * best


@njit(cache=True, nogil=True)
def before_buying(
    counts: Packed,
    facts: Codes,
    weights: Ints,
    bought: Ints,
    nets: Ints,
    legal: npt.NDArray[np.bool_],
    may_buy: npt.NDArray[np.bool_],
    qualifies: npt.NDArray[np.bool_],
    dealer_hands: int,
    draws: int,
    forced: Places,
    picked: Places,
    totals: Ints,
    tallies: Ints,
    chosen: Ints,
) -> int:
    """Choose for every five-card state, buying included, and tally what does not buy; returns tied pairs.

    ``draws`` is how many sixth cards each dealer's hand leaves: it brings both values to the same number of deals.
    ``tallies`` holds deals without buying, ``chosen`` pairs of hand and up card; its last column is buying. States
    may be ``forced``; those that are away are valued as if they were free.
    """
    cells = np.zeros(CELL_COUNT, np.int64)
    ties = 0
    for row in range(len(counts)):
        if counts[row] == ABSENT:
            continue
        fact = facts[row]
        cells_of(counts[row], qualifies[fact], dealer_hands, cells)
        best, best_value, tied = -1, np.int64(0), False
        free = forced[row] == FREE or forced[row] == AWAY
        for choice in range(nets.shape[1]):
            if legal[fact, choice] and (free or forced[row] == choice):
                total = np.int64(0)
                for cell in range(CELL_COUNT):
                    total += cells[cell] * nets[fact, choice, cell]
                total *= draws
                if best < 0 or total > best_value:
                    best, best_value, tied = choice, total, False
                elif total == best_value:
                    tied = True
        if may_buy[fact] and (free or forced[row] == BUY):
            total = bought[row] // weights[row]
            if best < 0 or total > best_value:
                best, best_value, tied = BUY, total, False
            elif total == best_value:
                tied = True
        totals[row] = best_value
        if forced[row] == AWAY:
            picked[row] = AWAY
            continue
        if tied:
            ties += weights[row]
        picked[row] = best
        if best == BUY:
            chosen[fact, nets.shape[1]] += weights[row]
            continue
        chosen[fact, best] += weights[row]
        for cell in range(CELL_COUNT):
            tallies[fact, best, cell] += weights[row] * draws * cells[cell]
    return ties


@njit(cache=True, nogil=True)
def tally_bought(
    counts: Packed,
    facts: Codes,
    weights: Ints,
    lacking: Codes,
    qualifies: npt.NDArray[np.bool_],
    dealer_hands: int,
    picked_five: Places,
    picked: Places,
    tallies: Ints,
) -> None:
    """Tally every six-card state once for each five-card hand that buys its way to it."""
    cells = np.zeros(CELL_COUNT, np.int64)
    for row in range(len(counts)):
        if counts[row] == ABSENT:
            continue
        ways = np.int64(0)
        for place in range(lacking.shape[1]):
            if picked_five[lacking[row, place]] == BUY:
                ways += weights[row]
        if ways:
            fact = facts[row]
            cells_of(counts[row], qualifies[fact], dealer_hands, cells)
            for cell in range(CELL_COUNT):
                tallies[fact, picked[row], cell] += ways * cells[cell]
