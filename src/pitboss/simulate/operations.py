"""Rounds of any game as a short list of operations, each over a block of rounds at a time: no pay and no rule.

A program (``program.py``) says which cards lie where, which tables are looked up and what makes up a code. Registers
are columns of ``TOGETHER`` words; every operation reads some and writes one, in a loop without branches. Whatever is
rare, such as hands in which suits matter, is listed on the way and looked at afterwards. Numba looks only into this
file when it asks whether a function has changed since it was cached; what is called from others is named at the end.
"""

import numpy as np
import numpy.typing as npt
from numba import njit

from pitboss.exact.cache import forget_stale
from pitboss.exact.decks import BINOMIAL
from pitboss.exact.draw_kernels import hand_facts
from pitboss.simulate.evaluators import (
    CARD_KEYS,
    FULL_NIBBLES,
    LEVEL,
    NIBBLE,
    SUIT_SHIFT,
    WIDE_CARD_KEYS,
    column_of,
    row_of,
    suited,
)
from pitboss.simulate.streams import MOST_CARDS, SIZE, WORDS, below, block_words, fill_decks, selection_block
from pitboss.simulate.words import Bytes, Entries, Ints, Rows, Scores, Word, Words

Codes = npt.NDArray[np.uint16]
Number = int | np.int64
"""By round, seat and group."""

TOGETHER = 512
"""Rounds that are dealt at a time, and words in a register."""
FIELDS = 23
"""Numbers that describe an operation: which, the register it writes, then what it reads."""
(
    KEY, JOIN, FIND, PART, REACHES, VERSUS, REDS, MAP, RANK, CHOOSE, SELECT, HOLDS, EQUALS, CONST, MIX, STORE, DRAW,
    WIDE_KEY, ON_BOARD,
) = range(19)  # fmt: skip
SUITS_MATTER = 255
"""A choice that ranks alone do not settle."""
BY_SUIT, UP_TO_SUITS, UP_CARD_FIRST = range(3)
"""Suits keep their names; may all be renamed; or may be renamed but for the up card's."""
CONTEXT_SHIFT = np.uint64(52)
NOT_ASKED = 255
"""In place of a context: the seat has nothing to choose."""
PAIRS = SIZE * (SIZE - 1) // 2
"""Ways to hold two cards."""

_BLOCK = np.uint64(TOGETHER)
_SUITS_MATTER = np.uint64(SUITS_MATTER)
_LEVEL = np.uint64(LEVEL)
_NOT_ASKED, _PAIRS, _SEVEN = np.uint64(NOT_ASKED), np.uint64(PAIRS), np.uint64(7)
_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)
_U0, _U1, _U2, _U3, _U4, _U5, _U6 = (np.uint64(number) for number in range(7))
_RANKS = np.uint64(13)


@njit(cache=True, nogil=True)
def carry_out(
    ops: Words,
    registers: int,
    words: Words,
    entries: Entries,
    rows: Rows,
    small: Bytes,
    scores: Scores,
    k0: Word,
    k1: Word,
    start: Word,
    cards: int,
    codes: Codes,
) -> None:
    """Play rounds from number ``start`` on, as many as there is room for; the arrays are those of a ``Program``."""
    decks = np.empty((TOGETHER, SIZE), np.uint8)
    drawn, places = np.empty((WORDS, TOGETHER), np.uint64), np.empty((MOST_CARDS, TOGETHER), np.uint8)
    biased = np.empty(TOGETHER, np.uint8)
    regs, listed = np.zeros(registers * TOGETHER, np.uint64), np.empty(TOGETHER, np.uint64)
    for at in range(_U0, np.uint64(len(codes)), _BLOCK):
        number = start + at
        if cards > 0:
            fill_decks(k0, k1, number, cards, decks, drawn, places, biased)
        for place in range(len(ops)):
            op = ops[place]
            what, to, a, b = op[0], op[1], op[2], op[3]
            if what == KEY:
                _key(decks, small, a, b, regs, to)
            elif what == WIDE_KEY:
                _wide_key(decks, small, a, b, regs, to)
            elif what == JOIN:
                for row in range(_BLOCK):
                    regs[to + row] = regs[a + row] + regs[b + row]
            elif what == FIND:
                _find(op, decks, small, rows, entries, regs, listed)
            elif what == PART:
                for row in range(_BLOCK):
                    regs[to + row] = regs[a + row] >> b & op[4]
            elif what == REACHES:
                for row in range(_BLOCK):
                    regs[to + row] = np.uint64(regs[a + row] & _LEVEL >= b)
            elif what == VERSUS:
                for row in range(_BLOCK):
                    mine, theirs = regs[a + row] & _LEVEL, regs[b + row] & _LEVEL
                    regs[to + row] = np.uint64(mine >= theirs) + np.uint64(mine > theirs)
            elif what == REDS:
                for row in range(_BLOCK):
                    regs[to + row] = _reds(regs[a + row])
            elif what == MAP:
                for row in range(_BLOCK):
                    regs[to + row] = np.uint64(small[b + regs[a + row]])
            elif what == RANK:
                for row in range(_BLOCK):
                    regs[to + row] = np.uint64(decks[row, a]) >> _U2
            elif what == CHOOSE:
                _choose(op, decks, small, rows, words, regs, listed)
            elif what == SELECT:
                _select(k0, k1, number, a, b, drawn, regs, to)
            elif what == HOLDS:
                _holds(decks, small, a, b, op[4], regs, to)
            elif what == EQUALS:
                for row in range(_BLOCK):
                    regs[to + row] = np.uint64(regs[a + row] == b)
            elif what == CONST:
                regs[to : to + _BLOCK] = a
            elif what == MIX:
                for row in range(_BLOCK):
                    regs[to + row] = regs[a + row] * b + regs[op[4] + row]
            elif what == STORE:
                for row in range(min(_BLOCK, np.uint64(len(codes)) - at)):
                    codes[at + row, a, b] = np.uint16(regs[to + row])
            elif what == ON_BOARD:
                _on_board(op, decks, small, words, regs)
            elif what == DRAW:
                _draw(op, decks, small, rows, entries, words, scores, regs)


@njit(cache=True, nogil=True)
def _key(decks: Bytes, small: Bytes, first: Word, count: Word, regs: Words, to: Word) -> None:
    """The sum of the keys of the cards at some places; hands of three and five, the most frequent, without a loop."""
    if count == _U5:
        p0, p1, p2 = np.uint64(small[first]), np.uint64(small[first + _U1]), np.uint64(small[first + _U2])
        p3, p4 = np.uint64(small[first + _U3]), np.uint64(small[first + _U4])
        for row in range(_BLOCK):
            regs[to + row] = (
                CARD_KEYS[np.uint64(decks[row, p0])]
                + CARD_KEYS[np.uint64(decks[row, p1])]
                + CARD_KEYS[np.uint64(decks[row, p2])]
                + CARD_KEYS[np.uint64(decks[row, p3])]
                + CARD_KEYS[np.uint64(decks[row, p4])]
            )
    elif count == _U3:
        p0, p1, p2 = np.uint64(small[first]), np.uint64(small[first + _U1]), np.uint64(small[first + _U2])
        for row in range(_BLOCK):
            regs[to + row] = (
                CARD_KEYS[np.uint64(decks[row, p0])]
                + CARD_KEYS[np.uint64(decks[row, p1])]
                + CARD_KEYS[np.uint64(decks[row, p2])]
            )
    else:
        regs[to : to + _BLOCK] = _U0
        for place in range(first, first + count):
            p0 = np.uint64(small[place])
            for row in range(_BLOCK):
                regs[to + row] += CARD_KEYS[np.uint64(decks[row, p0])]


@njit(cache=True, nogil=True)
def _wide_key(decks: Bytes, small: Bytes, first: Word, count: Word, regs: Words, to: Word) -> None:
    """The same for cards that are part of a hand of seven."""
    regs[to : to + _BLOCK] = _U0
    for place in range(first, first + count):
        p0 = np.uint64(small[place])
        for row in range(_BLOCK):
            regs[to + row] += WIDE_CARD_KEYS[np.uint64(decks[row, p0])]


@njit(cache=True, nogil=True, inline="always")
def _reds(key: Word) -> Word:
    """How many cards are diamonds or hearts."""
    both = key >> (SUIT_SHIFT + NIBBLE)
    return (both & np.uint64(15)) + (both >> NIBBLE & np.uint64(15))


@njit(cache=True, nogil=True)
def _find(op: Words, decks: Bytes, small: Bytes, rows: Rows, entries: Entries, regs: Words, listed: Words) -> None:
    """The entry of each hand: by its ranks, by its ranks and one colour, or by the cards that share a suit."""
    to, key, first_row, plain, flushes, bias = op[1], op[2], op[3], op[4], op[5], op[6]
    first, count, coloured = op[7], op[8], op[9]
    found = _U0
    if count > _U6:
        for row in range(_BLOCK):
            k = regs[key + row]
            regs[to + row] = np.uint64(entries[plain + (np.uint64(rows[first_row + row_of(k)]) << _U1) + column_of(k)])
            listed[found] = row
            found += np.uint64(suited(k, bias))
    elif coloured == _U0:
        for row in range(_BLOCK):
            k = regs[key + row]
            regs[to + row] = np.uint64(entries[plain + np.uint64(rows[first_row + row_of(k)]) + column_of(k)])
            listed[found] = row
            found += np.uint64(suited(k, bias))
    else:
        for row in range(_BLOCK):
            k = regs[key + row]
            base = coloured if _reds(k) % count == _U0 else plain
            regs[to + row] = np.uint64(entries[base + np.uint64(rows[first_row + row_of(k)]) + column_of(k)])
            listed[found] = row
            found += np.uint64(suited(k, bias))
    for place in range(found):
        row = listed[place]
        entry = _flush(decks, row, small, first, count, regs[key + row], bias, entries, flushes)
        if entry & _LEVEL > regs[to + row] & _LEVEL:
            regs[to + row] = entry


@njit(cache=True, nogil=True)
def _flush(
    decks: Bytes, row: Word, places: Bytes, first: Word, count: Word, key: Word, bias: Word, entries: Entries, at: Word
) -> Word:
    """The entry of the cards that share a suit."""
    full = (key + bias) & FULL_NIBBLES
    suit = _U0
    while (full >> (SUIT_SHIFT + _U3 + NIBBLE * suit)) & _U1 == _U0:
        suit += _U1
    mask = _U0
    for place in range(first, first + count):
        card = np.uint64(decks[row, places[place]])
        if card & _U3 == suit:
            mask |= _U1 << (card >> _U2)
    return np.uint64(entries[at + (suit << _RANKS) + mask])


@njit(cache=True, nogil=True)
def _choose(op: Words, decks: Bytes, small: Bytes, rows: Rows, words: Words, regs: Words, listed: Words) -> None:
    """What a table of decisions says: by ranks, context and whether a flush is possible, by suits where they matter."""
    to, key, context, first_row, contexts, by_rank, bias = op[1], op[2], op[3], op[4], op[5], op[6], op[7]
    keys, states, picks, first, count, up, mode = op[8], op[9], op[10], op[11], op[12], op[13], op[14]
    found = _U0
    for row in range(_BLOCK):
        k = regs[key + row]
        place = np.uint64(rows[first_row + row_of(k)]) + column_of(k)
        choice = np.uint64(
            small[by_rank + ((place * contexts + regs[context + row]) << _U1) + np.uint64(suited(k, bias))]
        )
        regs[to + row] = choice
        listed[found] = row
        found += np.uint64(choice == _SUITS_MATTER)
    for place in range(found):
        row = listed[place]
        state = state_key(decks, row, small, first, count, np.uint64(decks[row, up]), mode)
        state |= regs[context + row] << CONTEXT_SHIFT
        regs[to + row] = np.uint64(small[picks + _searched(words, keys, states, state)])


@njit(cache=True, nogil=True)
def _on_board(op: Words, decks: Bytes, small: Bytes, words: Words, regs: Words) -> None:
    """What was tabulated for two cards and the cards of a board: suits are named by what the board holds in them."""
    to, context, own, board, count, keys, classes = op[1], op[2], op[3], op[4], op[5], op[6], op[7]
    picks, planes, stride = op[8], op[9], op[10]
    first, second = np.uint64(small[own]), np.uint64(small[own + _U1])
    for row in range(_BLOCK):
        history = regs[context + row]
        regs[to + row] = _U0
        if history == _NOT_ASKED:
            continue
        m0, m1, m2, m3 = _U0, _U0, _U0, _U0
        for place in range(board, board + count):
            card = np.uint64(decks[row, small[place]])
            bit, suit = _U1 << (card >> _U2), card & _U3
            if suit == _U0:
                m0 |= bit
            elif suit == _U1:
                m1 |= bit
            elif suit == _U2:
                m2 |= bit
            else:
                m3 |= bit
        n0 = np.uint64(m1 > m0) + np.uint64(m2 > m0) + np.uint64(m3 > m0)
        n1 = np.uint64(m0 >= m1) + np.uint64(m2 > m1) + np.uint64(m3 > m1)
        n2 = np.uint64(m0 >= m2) + np.uint64(m1 >= m2) + np.uint64(m3 > m2)
        n3 = np.uint64(m0 >= m3) + np.uint64(m1 >= m3) + np.uint64(m2 >= m3)
        named = n0 | n1 << _U2 | n2 << _U4 | n3 << _U6
        key = m0 << _RANKS * (_U3 - n0) | m1 << _RANKS * (_U3 - n1)
        key |= m2 << _RANKS * (_U3 - n2) | m3 << _RANKS * (_U3 - n3)
        one, other = np.uint64(decks[row, first]), np.uint64(decks[row, second])
        one = (one & ~_U3) | (named >> ((one & _U3) << _U1) & _U3)
        other = (other & ~_U3) | (named >> ((other & _U3) << _U1) & _U3)
        low, high = min(one, other), max(one, other)
        at = _searched(words, keys, classes, key) * _PAIRS + ((high * (high - _U1)) >> _U1) + low
        for plane in range(planes):
            byte = np.uint64(small[picks + (history * planes + plane) * stride + (at >> _U3)])
            regs[to + row] |= (byte >> (at & _SEVEN) & _U1) << plane


@njit(cache=True, nogil=True)
def state_key(decks: Bytes, row: Word, places: Bytes, first: Word, count: Word, up: Word, mode: Word) -> Word:
    """The ranks held in each suit, suits named as a solution does."""
    m0, m1, m2, m3 = _U0, _U0, _U0, _U0
    turn = up & _U3 if mode == UP_CARD_FIRST else _U0
    for place in range(first, first + count):
        card = np.uint64(decks[row, places[place]])
        bit = _U1 << (card >> _U2)
        suit = ((card & _U3) - turn) & _U3
        if suit == _U0:
            m0 |= bit
        elif suit == _U1:
            m1 |= bit
        elif suit == _U2:
            m2 |= bit
        else:
            m3 |= bit
    if mode == UP_TO_SUITS:
        if m0 < m1:
            m0, m1 = m1, m0
        if m2 < m3:
            m2, m3 = m3, m2
        if m0 < m2:
            m0, m2 = m2, m0
        if m1 < m3:
            m1, m3 = m3, m1
    elif mode == UP_CARD_FIRST and m2 < m3:
        m2, m3 = m3, m2
    if mode != BY_SUIT:
        if m1 < m2:
            m1, m2 = m2, m1
        if mode == UP_CARD_FIRST and m2 < m3:
            m2, m3 = m3, m2
    return m0 | m1 << _RANKS | m2 << _U2 * _RANKS | m3 << _U3 * _RANKS


@njit(cache=True, nogil=True)
def _searched(words: Words, first: Word, count: Word, wanted: Word) -> Word:
    """The place of a number among ascending ones."""
    low, high = _U0, count
    while low < high:
        middle = (low + high) >> _U1
        if words[first + middle] < wanted:
            low = middle + _U1
        else:
            high = middle
    return low


@njit(cache=True, nogil=True)
def _select(k0: Word, k1: Word, start: Word, what: Word, bound: Word, drawn: Words, regs: Words, to: Word) -> None:
    """A number under ``bound`` for each round, as ``streams.below`` draws it."""
    block_words(k0, k1, start, selection_block(what), drawn)
    least = (_U1 << _HALF) % bound
    for row in range(_BLOCK):
        word = drawn[_U0, row] * bound
        regs[to + row] = word >> _HALF
        if word & _LOW < least:
            regs[to + row] = below(k0, k1, start + row, what, bound)


@njit(cache=True, nogil=True)
def _holds(decks: Bytes, small: Bytes, card: Word, first: Word, count: Word, regs: Words, to: Word) -> None:
    regs[to : to + _BLOCK] = _U0
    for place in range(first, first + count):
        at = np.uint64(small[place])
        for row in range(_BLOCK):
            regs[to + row] |= np.uint64(np.uint64(decks[row, at]) == regs[card + row])


# Drawing: which cards to give up is looked up; when to go on afterwards is reckoned here.

GO_ON, STOP, AT_ONCE, BUY, EXCHANGE = range(5)
"""What may be chosen first where cards can be drawn. An exchange is this number and, as bits above it, the cards given
up: those of a hand in order of their ranks, and then of their suits as ``state_key`` names them."""
WENT_ON, STOPPED, DREW_AND_WENT_ON, DREW_AND_STOPPED, ENDED_AT_ONCE = range(5)
"""How it can end, in the order in which ``groups.steps_of`` lists the ways through two such steps."""
_KING, _ACE = 11, 12
NEVER, ALWAYS = np.uint64(0), np.uint64(1)
"""Bets that no discards could change; any other number is where the gains of a bet over a fold begin, by what the
dealer has: nothing that qualifies, a better, a level, a worse hand."""


@njit(cache=True, nogil=True)
def _draw(
    op: Words, decks: Bytes, small: Bytes, rows: Rows, entries: Entries, words: Words, scores: Scores, regs: Words
) -> None:
    """The final hand of one seat and how it ends; who draws takes the next cards of the stub."""
    to, ends, choices, before, stub, own, up_place = op[1], op[2], op[3], op[4], op[5], op[6], op[7]
    five_rows, five, five_flushes, six_rows, six, six_flushes = op[8], op[9], op[10], op[11], op[12], op[13]
    bias, contexts, buy_first, buy_keys, buy_states, buy_picks = op[14], op[15], op[16], op[17], op[18], op[19]
    bet_from, seconds, other_bits = op[20], op[21], op[22]
    final = np.empty(6, np.uint8)
    for row in range(_BLOCK):
        choice = regs[choices + row]
        regs[to + row] = regs[before + row]
        if choice < BUY:
            regs[ends + row] = np.uint64(WENT_ON if choice == GO_ON else STOPPED if choice == STOP else ENDED_AT_ONCE)
            continue
        buys, up = choice == BUY, np.uint64(decks[row, up_place])
        count = _U6 if buys else _U5
        kept = _U5
        if buys:
            for column in range(_U5):
                final[column] = small[own + column]
        else:
            kept = np.uint64(kept_places(decks, row, small, own, choice, up, final))
        for column in range(kept, count):
            final[column] = regs[stub + row]
            regs[stub + row] += _U1
        k = _U0
        for column in range(count):
            k += CARD_KEYS[decks[row, final[column]]]
        first_row, plain, flushes = (six_rows, six, six_flushes) if buys else (five_rows, five, five_flushes)
        place = np.uint64(rows[first_row + row_of(k)]) + column_of(k)
        entry = np.uint64(entries[plain + place])
        if suited(k, bias):
            flush = _flush(decks, row, final, _U0, count, k, bias, entries, flushes)
            entry = flush if flush & _LEVEL > entry & _LEVEL else entry
            if buys:
                low = entry & ((_U1 << other_bits) - _U1)
                entry = low | _second_of_six(decks, row, final, scores, small, seconds) << other_bits
        at = ((place * contexts + (up >> _U2)) << _U1) + np.uint64(suited(k, bias))
        if buys:
            then = np.uint64(small[buy_first + at])
            if then == _SUITS_MATTER:
                state = state_key(decks, row, final, _U0, _U6, up, UP_CARD_FIRST) | (up >> _U2) << CONTEXT_SHIFT
                then = np.uint64(small[buy_picks + _searched(words, buy_keys, buy_states, state)])
            goes_on = then == GO_ON
        else:
            goes_on = bets_after_exchange(words, bet_from, at, decks, row, small, own, final, up)
        regs[to + row] = entry
        regs[ends + row] = np.uint64(DREW_AND_WENT_ON if goes_on else DREW_AND_STOPPED)


@njit(cache=True, nogil=True)
def _second_of_six(decks: Bytes, row: Word, final: Bytes, scores: Scores, small: Bytes, seconds: Word) -> Word:
    """The second combination of six cards of which five share a suit: looked for card by card."""
    hand = np.empty((1, 6), np.uint8)
    for column in range(6):
        hand[0, column] = decks[row, final[column]]
    hand[0].sort()
    best, code = np.empty(1, np.int32), np.empty(1, np.int32)
    hand_facts(hand, scores, BINOMIAL, best, code)
    return np.uint64(small[seconds + np.uint64(code[0])])


@njit(cache=True, nogil=True)
def kept_places(decks: Bytes, row: Word, places: Bytes, own: Word, choice: Word, up: Word, final: Bytes) -> int:
    """Copy the places of the cards that an exchange keeps; returns how many."""
    gone = choice - np.uint64(EXCHANGE)
    m1, m2, m3 = _U0, _U0, _U0
    for column in range(own, own + _U5):
        card = np.uint64(decks[row, places[column]])
        bit, suit = _U1 << (card >> _U2), (card - up) & _U3
        if suit == _U1:
            m1 |= bit
        elif suit == _U2:
            m2 |= bit
        elif suit == _U3:
            m3 |= bit
    n1 = _U1 + np.uint64(m2 > m1) + np.uint64(m3 > m1)
    n2 = _U1 + np.uint64(m1 >= m2) + np.uint64(m3 > m2)
    n3 = _U1 + np.uint64(m1 >= m3) + np.uint64(m2 >= m3)
    named = n1 << _U2 | n2 << _U4 | n3 << _U6
    kept = 0
    for column in range(own, own + _U5):
        card = _renamed(np.uint64(decks[row, places[column]]), up, named)
        below_it = _U0
        for other in range(own, own + _U5):
            below_it += np.uint64(_renamed(np.uint64(decks[row, places[other]]), up, named) < card)
        if gone >> below_it & _U1 == _U0:
            final[kept] = places[column]
            kept += 1
    return kept


@njit(cache=True, nogil=True, inline="always")
def _renamed(card: Word, up: Word, named: Word) -> Word:
    """A card with its suit counted from the up card's and then renamed, two bits for each name."""
    return (card & ~_U3) | (named >> (((card - up) & _U3) << _U1) & _U3)


@njit(cache=True, nogil=True)
def _unpaired(left: Ints, in_suit: int, up: Number, courts: bool) -> np.int64:
    """How many sets of four cards make no pair with each other or the up card, no straight and no flush.

    ``left`` has the unseen cards of each rank, ``in_suit`` the ranks unseen in the up card's suit. Without ``courts``
    an ace and a king together do not count.
    """
    one, two, three, four, same = np.int64(0), np.int64(0), np.int64(0), np.int64(0), np.int64(0)
    for rank in range(_KING if not courts else _ACE + 1):
        if rank != up:
            four += three * left[rank]
            three += two * left[rank]
            two += one * left[rank]
            one += left[rank]
            same += in_suit >> rank & 1
    flushes = same * (same - 1) * (same - 2) * (same - 3) // 24
    if not courts and up < _KING:
        four += three * (left[_KING] + left[_ACE])
        flushes += same * (same - 1) * (same - 2) // 6 * ((in_suit >> _KING & 1) + (in_suit >> _ACE & 1))
    total = four - flushes
    for low in range(-1, 9 if courts else 8):
        ways, alike, in_it = np.int64(1), np.int64(1), False
        for step in range(5):
            rank = low + step if low + step >= 0 else _ACE
            if rank == up:
                in_it = True
            else:
                ways *= left[rank]
                alike *= in_suit >> rank & 1
        if in_it:
            total -= ways - alike
    return total


@njit(cache=True, nogil=True)
def _same_head(
    left: Ints, in_suit: int, up: Number, high: Number, low: Number, own: Number, below_and_level: Ints
) -> None:
    """Dealer's hands with the same pair, or with ace-king, by whether their other three ranks are below the player's.

    The head is ``high`` and ``low``, twice the same for a pair; ``own`` has the player's other ranks as bits.
    """
    paired = high == low
    ways: Word = np.int64(1)
    alike: Word = np.int64(not paired)
    if paired:
        ways *= left[up] if up == high else left[high] * (left[high] - 1) // 2
    else:
        for rank in (high, low):
            if rank != up:
                ways *= left[rank]
                alike *= in_suit >> rank & 1
    if ways == 0:
        return
    free = up in (high, low)
    for a in range(2, _ACE + 1):
        for b in range(1, a):
            for c in range(b):
                if not free and up not in (a, b, c):
                    continue
                if high in (a, b, c) or low in (a, b, c) or (not paired and c == _KING - 3):
                    continue
                found, flush = ways, alike
                for rank in (a, b, c):
                    if rank != up:
                        found *= left[rank]
                        flush *= in_suit >> rank & 1
                ranks = 1 << a | 1 << b | 1 << c
                if ranks <= own:
                    below_and_level[1 if ranks == own else 0] += found - flush


@njit(cache=True, nogil=True)
def dealers_against(own: Bytes, seen: Bytes, up: Number, cells: Ints) -> None:
    """Of the dealer's hands from unseen cards: unqualified, better, level, worse than a final hand of a pair or less.

    A dealer qualifies with ace-king. ``seen`` has the final cards, the discards and the up card.
    """
    left, in_suit = np.full(_ACE + 1, 4, np.int64), (1 << _ACE + 1) - 1
    for card in seen:
        left[card >> 2] -= 1
        if card & 3 == up & 3:
            in_suit &= ~(1 << (card >> 2))
    rank, held, pair = up >> 2, 0, np.int64(-1)
    for card in own:
        if held >> (card >> 2) & 1:
            pair = np.int64(card >> 2)
        held |= 1 << (card >> 2)
    unseen = SIZE - len(seen)
    cells[:] = 0
    cells[0] = _unpaired(left, in_suit, rank, False)
    same = np.zeros(2, np.int64)
    if pair >= 0:
        _same_head(left, in_suit, rank, pair, pair, held & ~(1 << pair), same)
        one, two, three = np.int64(0), np.int64(0), np.int64(0)
        for other in range(_ACE + 1):
            if other != rank:
                three += two * left[other]
                two += one * left[other]
                one += left[other]
        cells[3] = _unpaired(left, in_suit, rank, True) - cells[0]
        for lower in range(pair):
            more = left[lower]
            cells[3] += more * three if lower == rank else more * (more - 1) // 2 * (two - more * (one - more))
    elif held >> _KING == 3:
        _same_head(left, in_suit, rank, _ACE, _KING, held & ~(3 << _KING), same)
    cells[3] += same[0]
    cells[2] = same[1]
    cells[1] = unseen * (unseen - 1) * (unseen - 2) * (unseen - 3) // 24 - cells[0] - cells[2] - cells[3]


@njit(cache=True, nogil=True)
def bets_after_exchange(
    words: Words, table: Word, at: Word, decks: Bytes, row: Word, places: Bytes, own: Word, final: Bytes, up: Word
) -> bool:
    """Whether to go on with the final cards, discards and all else that was seen counted."""
    gains = words[table + at]
    if gains <= ALWAYS:
        return bool(gains == ALWAYS)
    hand, seen, cells = np.empty(5, np.uint8), np.empty(11, np.uint8), np.empty(4, np.int64)
    seen[0] = up
    known = 1
    for column in range(own, own + _U5):
        seen[known] = decks[row, places[column]]
        known += 1
    for column in range(5):
        hand[column] = decks[row, final[column]]
        held = False
        for other in range(own, own + _U5):
            held |= places[other] == final[column]
        if not held:
            seen[known] = hand[column]
            known += 1
    dealers_against(hand, seen[:known], np.int64(up), cells)
    total = np.int64(0)
    for cell in range(4):
        total += cells[cell] * np.int64(words[table + gains + np.uint64(cell)])
    return bool(total > 0)


forget_stale(carry_out, "exact/draw_kernels.py", "simulate/evaluators.py", "simulate/streams.py")
