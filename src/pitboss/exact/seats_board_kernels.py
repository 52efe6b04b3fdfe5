"""The inner loops of other seats' cards where two hands share a board: every board, every hand of the dealer.

What the whole board is worth depends on its ranks and, where three or more of its cards are of one suit, on that suit
and the ranks in it. Boards that agree in this are a *group*: a group is valued once, against all that the dealer can
hold, and each board looks its group up. Numbers of boards are colex, of the places of the deck for what is kept from
deal to deal, of the cards left for what is summed within one.
"""

import numpy as np
import numpy.typing as npt
from numba import njit

from pitboss.exact.board_kernels import RANKS, Bools, Rungs, _look, _rung
from pitboss.exact.cache import forget_stale
from pitboss.exact.decks import Ints, Places
from pitboss.exact.seats_stages import COPY, settle

Groups = npt.NDArray[np.int32]
BOARD, FLOP = 5, 3
_SUITS, _PAIRS = 4, 91
_MIXED = 6188
_THREES, _FOURS, _FIVES = 286, 715, 1287
GROUPS = _MIXED + _SUITS * (_THREES * _PAIRS + _FOURS * RANKS + _FIVES)


@njit(cache=True, nogil=True)
def _group(board: Places, ranks: Ints, weights: Ints, binomial: Ints) -> int:
    """The group of a board of five."""
    held = np.zeros(_SUITS, np.int64)
    for place in board:
        held[place & 3] += 1
    key, suit = 0, 4
    for place in range(BOARD):
        key += weights[place, ranks[board[place] >> 2]]
        if held[board[place] & 3] >= FLOP:
            suit = board[place] & 3
    if suit == 4:
        return key
    inside, within, low, high = 0, 0, -1, -1
    for place in board:
        rank = ranks[place >> 2]
        if place & 3 == suit:
            within += 1
            inside += binomial[rank, within]
        elif low < 0:
            low = rank
        else:
            high = rank
    if within == FLOP:
        return _MIXED + (suit * _THREES + inside) * _PAIRS + high * (high + 1) // 2 + low
    start = _MIXED + _SUITS * _THREES * _PAIRS
    if within == FLOP + 1:
        return start + (suit * _FOURS + inside) * RANKS + low
    return start + _SUITS * _FOURS * RANKS + suit * _FIVES + inside


@njit(cache=True, nogil=True)
def group_boards(n: int, ranks: Ints, weights: Ints, binomial: Ints, groups: Groups, examples: Places) -> None:
    """The group of every board of the deck, and a board of each group."""
    board, row = np.zeros(BOARD, np.uint8), 0
    for e in range(4, n):
        for d in range(3, e):
            for c in range(2, d):
                for b in range(1, c):
                    for a in range(b):
                        board[0], board[1], board[2], board[3], board[4] = a, b, c, d, e
                        group = _group(board, ranks, weights, binomial)
                        groups[row] = group
                        examples[group] = board
                        row += 1


@njit(cache=True, nogil=True)
def _weigh_group(
    board: Places,
    own: Places,
    held: Ints,
    suited: Bools,
    ranks: Ints,
    weights: Ints,
    mixed: Rungs,
    flush: Rungs,
    least: int,
    counts: Ints,
    inside: Ints,
) -> int:
    """``counts``: the dealer's holdings below the player's hand, below or level with it, and that do not qualify.

    ``held`` are the cards left by rank, ``suited`` those by suit and rank. Return the player's rung.
    """
    key, suit, mask = _look(board, ranks, weights, FLOP)
    row = mixed[key]
    left = held.copy()
    for place in board:
        left[ranks[place >> 2]] -= 1
    mine = _rung(own[0], own[1], ranks, row, flush, suit, mask)
    counts[:] = 0
    found, on_board = 0, 0
    if suit < 4:
        for rank in range(RANKS):
            if mask >> rank & 1:
                on_board += 1
            elif suited[suit, rank]:
                inside[found] = rank
                found += 1
    for high in range(RANKS):
        if left[high] > 0:
            for low in range(high + 1):
                ways = left[high] * left[low] if low < high else left[high] * (left[high] - 1) // 2
                rung = row[high * RANKS + low]
                if rung < mine:
                    counts[0] += ways
                if rung <= mine:
                    counts[1] += ways
                if rung < least:
                    counts[2] += ways
    if suit == 4:
        return mine
    # Holdings that make a flush move from the rung of their ranks to that of the flush, if it is higher.
    for at in range(found):
        for under in range(at):
            rung = row[inside[at] * RANKS + inside[under]]
            _move(rung, flush[mask | 1 << inside[at] | 1 << inside[under]], 1, mine, least, counts)
    if on_board > FLOP:
        for at in range(found):
            left[inside[at]] -= 1
        for at in range(found):
            made = flush[mask | 1 << inside[at]]
            for rank in range(RANKS):
                if left[rank] > 0:
                    _move(row[inside[at] * RANKS + rank], made, left[rank], mine, least, counts)
        if on_board == BOARD:
            for high in range(RANKS):
                for low in range(high + 1):
                    ways = left[high] * left[low] if low < high else left[high] * (left[high] - 1) // 2
                    if ways > 0:
                        _move(row[high * RANKS + low], flush[mask], ways, mine, least, counts)
    return mine


@njit(cache=True, nogil=True)
def _move(rung: int, made: int, ways: int, mine: int, least: int, counts: Ints) -> None:
    """Some holdings are higher than their ranks say."""
    if made > rung:
        if rung < mine <= made:
            counts[0] -= ways
        if rung <= mine < made:
            counts[1] -= ways
        if rung < least <= made:
            counts[2] -= ways


@njit(cache=True, nogil=True)
def _can_lie(board: Places, suit: int, held: Ints, suited: Bools, ranks: Ints) -> bool:
    """Whether the cards left have a board of this group: the cards in its suit, and others by rank."""
    for at in range(BOARD):
        rank = ranks[board[at] >> 2]
        same, there = 0, held[rank]
        if suit < 4:
            if board[at] & 3 == suit:
                if not suited[suit, rank]:
                    return False
                continue
            if suited[suit, rank]:
                there -= 1
        for place in board:
            if ranks[place >> 2] == rank and (suit == 4 or place & 3 != suit):
                same += 1
        if same > there:
            return False
    return True


@njit(cache=True, nogil=True)
def _all_groups(
    live: Bools,
    own: Places,
    examples: Places,
    ranks: Ints,
    weights: Ints,
    mixed: Rungs,
    flush: Rungs,
    kinds: Ints,
    least: int,
    linear: Ints,
    dealt: int,
    mode: Ints,
    which: Ints,
    legal: Bools,
    follows: Ints,
    ended: Ints,
    best_of: Ints,
    usual_of: Ints,
    policy: Places,
    deciding: bool,
    worth: Ints,
) -> None:
    """What each group that can still lie is worth, column by column, after the decision at the whole board."""
    held, suited = np.zeros(RANKS, np.int64), np.zeros((_SUITS, RANKS), np.bool_)
    for place in range(len(live)):
        if live[place]:
            held[ranks[place >> 2]] += 1
            suited[place & 3, ranks[place >> 2]] = True
    counts, inside, finals = np.zeros(3, np.int64), np.zeros(RANKS, np.int64), np.zeros(linear.shape[1], np.int64)
    for group in range(len(examples)):
        board = examples[group]
        if board[1] == 0:
            continue
        _, suit, _ = _look(board, ranks, weights, FLOP)
        if not _can_lie(board, suit, held, suited, ranks):
            continue
        mine = _weigh_group(board, own, held, suited, ranks, weights, mixed, flush, least, counts, inside)
        for final in range(len(finals)):
            line = linear[kinds[mine], final]
            finals[final] = line[0] * counts[0] + line[1] * counts[1] + line[2] * counts[2] + line[3] * dealt
        settle(
            finals, dealt, mode, which, legal, follows, ended, best_of, usual_of, policy[group], deciding,
            worth[group],
        )  # fmt: skip


@njit(cache=True, nogil=True)
def _lower_boards(left: Ints, groups: Groups, worth: Ints, binomial: Ints, out: Ints) -> None:
    """Add every whole board to the five boards with a card less. The lowest card runs in a row."""
    columns, m = worth.shape[1], len(left)
    each = np.zeros((columns, m), np.int64)
    for e in range(4, m):
        for d in range(3, e):
            for c in range(2, d):
                for b in range(1, c):
                    base = binomial[left[b], 2] + binomial[left[c], 3] + binomial[left[d], 4] + binomial[left[e], 5]
                    for a in range(b):
                        group = groups[base + left[a]]
                        for column in range(columns):
                            each[column, a] = worth[group, column]
                    first = binomial[b, 1] + binomial[c, 2] + binomial[d, 3] + binomial[e, 4]
                    second = binomial[c, 2] + binomial[d, 3] + binomial[e, 4]
                    third = binomial[b, 2] + binomial[d, 3] + binomial[e, 4]
                    fourth = binomial[b, 2] + binomial[c, 3] + binomial[e, 4]
                    fifth = binomial[b, 2] + binomial[c, 3] + binomial[d, 4]
                    for column in range(columns):
                        whole, source, target = np.int64(0), each[column], out[column]
                        for a in range(b):
                            whole += source[a]
                        target[first] += whole
                        for a in range(b):
                            target[second + a] += source[a]
                        for a in range(b):
                            target[third + a] += source[a]
                        for a in range(b):
                            target[fourth + a] += source[a]
                        for a in range(b):
                            target[fifth + a] += source[a]


@njit(cache=True, nogil=True)
def _lower_turns(m: int, values: Ints, binomial: Ints, out: Ints) -> None:
    """Add every board of four to the four flops in it."""
    row = 0
    for d in range(3, m):
        for c in range(2, d):
            for b in range(1, c):
                for a in range(b):
                    first = binomial[b, 1] + binomial[c, 2] + binomial[d, 3]
                    second = a + binomial[c, 2] + binomial[d, 3]
                    third = a + binomial[b, 2] + binomial[d, 3]
                    fourth = a + binomial[b, 2] + binomial[c, 3]
                    for column in range(values.shape[0]):
                        value = values[column, row]
                        out[column, first] += value
                        out[column, second] += value
                        out[column, third] += value
                        out[column, fourth] += value
                    row += 1


@njit(cache=True, nogil=True)
def gains_on_board(
    n: int,
    own: Places,
    others: Places,
    groups: Groups,
    examples: Places,
    ranks: Ints,
    weights: Ints,
    mixed: Rungs,
    flush: Rungs,
    kinds: Ints,
    least: int,
    linear: Ints,
    mode: Ints,
    which: Ints,
    columns: Ints,
    legal: Bools,
    follows: Ints,
    ended: Ints,
    best_of: Ints,
    usual_of: Ints,
    binomial: Ints,
    gains: Ints,
) -> np.int64:
    """``gains[row]``: best play's gain, with some cards of others known, over the play of a seat that knows none.

    Stages are the whole board, four cards, the flop, and none: each has its columns and its decision, or none. Return
    what the play of a seat that knows none is worth.
    """
    histories = legal.shape[1]
    whole = np.zeros((len(examples), histories), np.uint8)
    turns = np.zeros((binomial[n, 4], histories), np.uint8)
    flops, first = np.zeros((binomial[n, 3], histories), np.uint8), np.zeros(histories, np.uint8)
    worth = np.zeros((len(examples), columns[0]), np.int64)
    live, normal = np.zeros(n, np.bool_), np.int64(0)
    for row in range(-1, len(others)):
        live[:] = True
        for card in own:
            live[card] = False
        if row >= 0:
            for card in others[row]:
                live[card] = False
        deciding = row < 0
        left = np.flatnonzero(live)
        m = len(left)
        dealt = (m - 5) * (m - 6) // 2
        _all_groups(
            live, own, examples, ranks, weights, mixed, flush, kinds, least, linear, dealt, mode[0, : columns[0]],
            which[0], legal[0], follows[0], ended[0], best_of[0], usual_of[0], whole, deciding, worth,
        )  # fmt: skip
        of_turns = np.zeros((columns[0], binomial[m, 4]), np.int64)
        _lower_boards(left, groups, worth, binomial, of_turns)
        decided = np.zeros((columns[1], binomial[m, 4]), np.int64)
        _decide_turns(
            left, of_turns, dealt * (m - 4), mode[1, : columns[1]], which[1], legal[1], follows[1], ended[1],
            best_of[1], usual_of[1], turns, deciding, binomial, decided,
        )  # fmt: skip
        of_flops = np.zeros((columns[1], binomial[m, 3]), np.int64)
        _lower_turns(m, decided, binomial, of_flops)
        summed = np.zeros(columns[2], np.int64)
        _decide_flops(
            left, of_flops, dealt * (m - 4) * (m - 3), mode[2, : columns[2]], which[2], legal[2], follows[2], ended[2],
            best_of[2], usual_of[2], flops, deciding, binomial, summed,
        )  # fmt: skip
        found = np.zeros(columns[3], np.int64)
        settle(
            summed, dealt * (m - 4) * (m - 3) * binomial[m, 3], mode[3, : columns[3]], which[3], legal[3], follows[3],
            ended[3], best_of[3], usual_of[3], first, deciding, found,
        )  # fmt: skip
        if deciding:
            normal = found[1]
        else:
            gains[row] = found[0] - found[1]
    return normal


@njit(cache=True, nogil=True)
def _decide_turns(
    left: Ints,
    values: Ints,
    ways: int,
    mode: Ints,
    which: Ints,
    legal: Bools,
    follows: Ints,
    ended: Ints,
    best_of: Ints,
    usual_of: Ints,
    policy: Places,
    deciding: bool,
    binomial: Ints,
    out: Ints,
) -> None:
    """The decision with four cards of the board, on every board of four."""
    row, each = 0, np.zeros(len(mode), np.int64)
    before = np.zeros(values.shape[0], np.int64)
    same = True
    for column in range(len(mode)):
        same = same and mode[column] == COPY
    if same:
        for column in range(len(mode)):
            out[column] = values[which[column]]
        return
    for d in range(3, len(left)):
        for c in range(2, d):
            for b in range(1, c):
                base = binomial[left[b], 2] + binomial[left[c], 3] + binomial[left[d], 4]
                for a in range(b):
                    before[:] = values[:, row]
                    settle(
                        before, ways, mode, which, legal, follows, ended, best_of, usual_of,
                        policy[base + left[a]], deciding, each,
                    )  # fmt: skip
                    out[:, row] = each
                    row += 1


@njit(cache=True, nogil=True)
def _decide_flops(
    left: Ints,
    values: Ints,
    ways: int,
    mode: Ints,
    which: Ints,
    legal: Bools,
    follows: Ints,
    ended: Ints,
    best_of: Ints,
    usual_of: Ints,
    policy: Places,
    deciding: bool,
    binomial: Ints,
    summed: Ints,
) -> None:
    """The decision at the flop, on every flop, and the sum over all of them."""
    row, each = 0, np.zeros(len(mode), np.int64)
    before = np.zeros(values.shape[0], np.int64)
    for c in range(2, len(left)):
        for b in range(1, c):
            base = binomial[left[b], 2] + binomial[left[c], 3]
            for a in range(b):
                before[:] = values[:, row]
                settle(
                    before, ways, mode, which, legal, follows, ended, best_of, usual_of, policy[base + left[a]],
                    deciding, each,
                )  # fmt: skip
                summed += each
                row += 1


forget_stale(gains_on_board, "exact/board_kernels.py", "exact/seats_stages.py")
