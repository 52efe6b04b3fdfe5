"""Compiled parts of Lunar Poker's draw: facts of five and six cards, hands that lack a card, and weighing of counts.

A fact code packs what a hand's own cards say about its pay: the category, the categories that a second combination
can have (a set, because the pay table says which of them pays best), and whether the winning category is in that
set only because a card was replaced by another of its rank.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit

from pitboss.exact.decks import Ints, Places
from pitboss.games.second_combination import GROUPS
from pitboss.hands import LUNAR

Codes = npt.NDArray[np.int32]
Packed = npt.NDArray[np.int64]

_PLACE = {name: code for code, name in enumerate(LUNAR.categories)}
_LOWEST = len(LUNAR.categories) - 1
_MAKE = {**GROUPS, "two_pair": 4, "ace_king": 2}
_SIZES = np.array([_MAKE.get(name, LUNAR.size) for name in LUNAR.categories], np.int64)
_FOUR, _THREE, _TWO_PAIR = _PLACE["four_of_a_kind"], _PLACE["three_of_a_kind"], _PLACE["two_pair"]
_PAIR, _ACE_KING, _HIGH_CARD = _PLACE["pair"], _PLACE["ace_king"], _PLACE["high_card"]
_ACE_RANK, _KING_RANK = 12, 11
_SCORE_SHIFT = 20
_SECOND_BITS = 10
_CATEGORY_BITS = 4
REMADE = 1 << (_SECOND_BITS + _CATEGORY_BITS)

# A packed count: dealer's hands below, level and unqualified, each under 2^20; -1 where the up card is in the hand.
FIELD = 20
_MASK = (1 << FIELD) - 1
ABSENT = -1
CELL_COUNT = 6
BUY = 255


class FactCode(NamedTuple):
    """A fact code taken apart."""

    category: str
    seconds: tuple[str, ...]
    """Categories of second combinations, the highest first."""
    remade: bool
    """The winning category is among them only with the ranks of the winning combination itself."""


def fact_code(code: int) -> FactCode:
    """Take a fact code apart.

    >>> fact_code(_PLACE["pair"] << _SECOND_BITS | 1 << _PLACE["ace_king"])
    FactCode(category='pair', seconds=('ace_king',), remade=False)
    """
    names = LUNAR.categories
    return FactCode(
        names[code >> _SECOND_BITS & (1 << _CATEGORY_BITS) - 1],
        tuple(name for place, name in enumerate(names[:-1]) if code >> place & 1),
        bool(code & REMADE),
    )


@njit(cache=True, nogil=True)
def _made(hand: Places, chosen: int, cards: int, scores: Codes, binomial: Ints, ranks: Ints) -> int:
    """The category that exactly the chosen cards make, or -1; fills ``ranks``."""
    size = 0
    index = 0
    for place in range(cards):
        if chosen >> place & 1:
            ranks[size] = hand[place] >> 2
            size += 1
            index += binomial[hand[place], size]
    found = -1
    if size == 5:
        found = _LOWEST - (scores[index] >> _SCORE_SHIFT)
        if _SIZES[found] != 5 or found == _HIGH_CARD:
            found = -1
    elif size == 4:
        if ranks[0] == ranks[3]:
            found = _FOUR
        elif ranks[0] == ranks[1] and ranks[2] == ranks[3]:
            found = _TWO_PAIR
    elif size == 3:
        if ranks[0] == ranks[2]:
            found = _THREE
    elif size == 2:
        if ranks[0] == ranks[1]:
            found = _PAIR
        elif ranks[0] == _KING_RANK and ranks[1] == _ACE_RANK:
            found = _ACE_KING
    return found


@njit(cache=True, nogil=True)
def hand_facts(hands: Places, scores: Codes, binomial: Ints, best: Codes, codes: Codes) -> None:
    """The best score and the fact code of each row of five or six ascending cards."""
    cards = hands.shape[1]
    everything = (1 << cards) - 1
    bits = np.zeros(1 << cards, np.int64)
    for mask in range(1, 1 << cards):
        bits[mask] = bits[mask >> 1] + (mask & 1)
    ranks = np.zeros(6, np.int64)
    winning_ranks = np.zeros(6, np.int64)
    for row in range(len(hands)):
        hand = hands[row]
        top, five = -1, 0
        for mask in range(1, 1 << cards):
            if bits[mask] == 5:
                index = 0
                taken = 0
                for place in range(cards):
                    if mask >> place & 1:
                        taken += 1
                        index += binomial[hand[place], taken]
                if scores[index] > top:
                    top, five = scores[index], mask
        category = _LOWEST - (top >> _SCORE_SHIFT)
        winning = five
        if _SIZES[category] < 5:
            for mask in range(1, everything + 1):
                if mask & ~five == 0 and bits[mask] == _SIZES[category]:  # noqa: SIM102
                    if _made(hand, mask, cards, scores, binomial, ranks) == category:
                        winning = mask
                        break
        _made(hand, winning, cards, scores, binomial, winning_ranks)
        seconds = 0
        other_ranks = False
        for mask in range(1, everything + 1):
            if mask & ~winning != 0 and 2 <= bits[mask] <= 5:
                found = _made(hand, mask, cards, scores, binomial, ranks)
                if found >= 0:
                    seconds |= 1 << found
                    if found == category:
                        for place in range(bits[mask]):
                            if ranks[place] != winning_ranks[place]:
                                other_ranks = True
        remade = seconds >> category & 1 and not other_ranks
        best[row] = top
        codes[row] = category << _SECOND_BITS | seconds | (REMADE if remade else 0)


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
        best = np.int64(0)
        for choice in range(nets.shape[1]):
            total = np.int64(0)
            for cell in range(CELL_COUNT):
                total += cells[cell] * nets[fact, choice, cell]
            if choice == 0 or total > best:
                best = total
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
    picked: Places,
    totals: Ints,
    tallies: Ints,
    chosen: Ints,
) -> int:
    """Choose for every five-card state, buying included, and tally what does not buy; returns tied pairs.

    ``draws`` is how many sixth cards each dealer's hand leaves: it brings both values to the same number of deals.
    ``tallies`` holds deals without buying, ``chosen`` pairs of hand and up card; its last column is buying.
    """
    cells = np.zeros(CELL_COUNT, np.int64)
    ties = 0
    for row in range(len(counts)):
        if counts[row] == ABSENT:
            continue
        fact = facts[row]
        cells_of(counts[row], qualifies[fact], dealer_hands, cells)
        best, best_value, tied = -1, np.int64(0), False
        for choice in range(nets.shape[1]):
            if legal[fact, choice]:
                total = np.int64(0)
                for cell in range(CELL_COUNT):
                    total += cells[cell] * nets[fact, choice, cell]
                total *= draws
                if best < 0 or total > best_value:
                    best, best_value, tied = choice, total, False
                elif total == best_value:
                    tied = True
        if may_buy[fact]:
            total = bought[row] // weights[row]
            if total > best_value:
                best, best_value, tied = BUY, total, False
            elif total == best_value:
                tied = True
        if tied:
            ties += weights[row]
        picked[row] = best
        totals[row] = best_value
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
