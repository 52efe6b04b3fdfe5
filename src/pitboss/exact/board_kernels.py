"""The inner loops of the board counter: holdings of a board sorted once, and values summed over cards still to come.

Places are numbered as in ``decks``; two places i < j are the *pair* j(j - 1)/2 + i. What is known of a holding on a
board is packed in one number: the dealer's holdings below it, those below it or level with it, and its kind.
"""

import numpy as np
import numpy.typing as npt
from numba import njit

from pitboss.exact.decks import Ints, Places

Entries = npt.NDArray[np.uint32]
Bools = npt.NDArray[np.bool_]
Rungs = npt.NDArray[np.int16]
Indices = npt.NDArray[np.uint64]
"""Unsigned numbers index without a test for a negative index."""
SHIFT = 10
"""Bits of a count: two cards of 45 make 990 holdings."""
_MASK = (1 << SHIFT) - 1
RANKS = 13


@njit(cache=True, nogil=True)
def _free(n: int, board: Places, firsts: Indices, seconds: Indices, pairs: Indices) -> int:
    """The holdings that avoid a board."""
    taken = np.zeros(n, np.bool_)
    for place in board:
        taken[place] = True
    found = 0
    for high in range(1, n):
        if not taken[high]:
            for low in range(high):
                if not taken[low]:
                    firsts[found], seconds[found] = low, high
                    pairs[found] = high * (high - 1) // 2 + low
                    found += 1
    return found


@njit(cache=True, nogil=True)
def _look(board: Places, ranks: Ints, weights: Ints, least_suited: int) -> tuple[int, int, int]:
    """What a board is to the look-up of hands: its ranks, a suit that may make a flush or none, and its ranks in it."""
    key = 0
    held, masks = np.zeros(4, np.int64), np.zeros(4, np.int64)
    for place in range(len(board)):
        rank = ranks[board[place] >> 2]
        key += weights[place, rank]
        held[board[place] & 3] += 1
        masks[board[place] & 3] |= 1 << rank
    for suit in range(4):
        if held[suit] >= least_suited:
            return key, suit, masks[suit]
    return key, 4, 0


@njit(cache=True, nogil=True)
def _rung(low: int, high: int, ranks: Ints, by_ranks: Rungs, flush: Rungs, suit: int, mask: int) -> int:
    """The rung of a board with two more cards."""
    rung: int = by_ranks[ranks[low >> 2] * RANKS + ranks[high >> 2]]
    if suit < 4:
        if low & 3 == suit:
            mask |= 1 << ranks[low >> 2]
        if high & 3 == suit:
            mask |= 1 << ranks[high >> 2]
        rung = max(rung, flush[mask])
    return rung


@njit(cache=True, nogil=True)
def count_boards(
    n: int,
    boards: Places,
    ranks: Ints,
    weights: Ints,
    mixed: Rungs,
    flush: Rungs,
    least_suited: int,
    kinds: Ints,
    entries: Entries,
) -> None:
    """Fill in what is known of each holding on each board.

    Holdings are taken from the lowest. Those seen so far are counted in all and card by card: a holding's opponents
    below it are those seen that have neither of its cards, and no two holdings share both.
    """
    most = n * (n - 1) // 2
    firsts, seconds, pairs = np.empty(most, np.uint64), np.empty(most, np.uint64), np.empty(most, np.uint64)
    rung_of, order = np.empty(most, np.int64), np.empty(most, np.int64)
    starts = np.zeros(len(kinds) + 1, np.int64)
    below, level = np.zeros(n, np.int64), np.zeros(n, np.int64)
    for row in range(len(boards)):
        key, suit, mask = _look(boards[row], ranks, weights, least_suited)
        found = _free(n, boards[row], firsts, seconds, pairs)
        starts[:] = 0
        for at in range(found):
            rung = _rung(firsts[at], seconds[at], ranks, mixed[key], flush, suit, mask)
            rung_of[at] = rung
            starts[rung + 1] += 1
        for rung in range(len(kinds)):
            starts[rung + 1] += starts[rung]
        for at in range(found):
            rung = rung_of[at]
            order[starts[rung]] = at
            starts[rung] += 1
        below[:] = 0
        start = 0
        while start < found:
            rung = rung_of[order[start]]
            end = starts[rung]
            for at in order[start:end]:
                level[firsts[at]] += 1
                level[seconds[at]] += 1
            for at in order[start:end]:
                low, high = firsts[at], seconds[at]
                lower = start - below[low] - below[high]
                upto = lower + end - start - level[low] - level[high] + 1
                entries[row, pairs[at]] = lower | upto << SHIFT | kinds[rung] << 2 * SHIFT
            for at in order[start:end]:
                for place in (firsts[at], seconds[at]):
                    below[place] += level[place]
                    level[place] = 0
            start = end


@njit(cache=True, nogil=True)
def _worth(
    n: int,
    found: int,
    row: Entries,
    firsts: Indices,
    seconds: Indices,
    pairs: Indices,
    reaches: Bools,
    linear: Ints,
    worth: Ints,
) -> None:
    """What each final history is worth with each holding of a board."""
    by_card = np.zeros(n, np.int64)
    total = 0
    for at in range(found):
        if not reaches[row[pairs[at]] >> 2 * SHIFT]:
            by_card[firsts[at]] += 1
            by_card[seconds[at]] += 1
            total += 1
    for at in range(found):
        entry = row[pairs[at]]
        kind = entry >> 2 * SHIFT
        lower, upto = np.int64(entry & _MASK), np.int64(entry >> SHIFT & _MASK)
        none = total - by_card[firsts[at]] - by_card[seconds[at]] + (0 if reaches[kind] else 1)
        for final in range(worth.shape[0]):
            line = linear[kind, final]
            worth[final, at] = line[0] * lower + line[1] * upto + line[2] * none + line[3]


@njit(cache=True, nogil=True)
def _choose(
    history: int, found: int, worth: Ints, legal: Bools, follows: Ints, ended: Ints, chosen: Places, best: Ints
) -> None:
    """The best choice of a history with each holding, and what it is worth."""
    first = True
    for choice in range(legal.shape[1]):
        if legal[history, choice]:
            final, paid = follows[history, choice], ended[history, choice]
            for at in range(found):
                value = worth[final, at] if final >= 0 else paid
                if first or value > best[at]:
                    best[at], chosen[at] = value, choice
            first = False


@njit(cache=True, nogil=True)
def _take(history: int, found: int, worth: Ints, follows: Ints, ended: Ints, chosen: Places, best: Ints) -> None:
    """What the choices given are worth."""
    for at in range(found):
        final = follows[history, chosen[at]]
        best[at] = worth[final, at] if final >= 0 else ended[history, chosen[at]]


@njit(cache=True, nogil=True)
def weigh_boards(
    n: int,
    boards: Places,
    weights: Ints,
    entries: Entries,
    reaches: Bools,
    linear: Ints,
    legal: Bools,
    follows: Ints,
    ended: Ints,
    lacking: npt.NDArray[np.int32],
    turned: Places,
    renamed: npt.NDArray[np.uint16],
    forced: Places,
    counted: Ints,
    out: Ints,
) -> None:
    """Add what each history is worth with the whole board, best play at it, to the boards with a card less.

    Where some choices are to be counted, by history and choice, what is added is how many of those are made.
    """
    most = n * (n - 1) // 2
    firsts, seconds, pairs = np.empty(most, np.uint64), np.empty(most, np.uint64), np.empty(most, np.uint64)
    histories = legal.shape[0]
    worth, best = np.empty((linear.shape[1], most), np.int64), np.empty((histories, most), np.int64)
    chosen, places = np.empty(most, np.uint8), np.empty(most, np.uint16)
    for row in range(len(boards)):
        found = _free(n, boards[row], firsts, seconds, pairs)
        _worth(n, found, entries[row], firsts, seconds, pairs, reaches, linear, worth)
        for history in range(histories):
            if len(forced) > 0:
                for at in range(found):
                    chosen[at] = forced[history, row, pairs[at]]
                _take(history, found, worth, follows, ended, chosen, best[history])
            else:
                _choose(history, found, worth, legal, follows, ended, chosen, best[history])
            if len(counted) > 0:
                for at in range(found):
                    best[history, at] = counted[history, chosen[at]]
            for at in range(found):
                best[history, at] *= weights[row]
        for place in range(boards.shape[1]):
            less, names = lacking[row, place], renamed[turned[row, place]]
            for at in range(found):
                places[at] = names[pairs[at]]
            for history in range(histories):
                target, source = out[less, history], best[history]
                for at in range(found):
                    target[places[at]] += source[at]


@njit(cache=True, nogil=True)
def face_boards(
    n: int,
    boards: Places,
    ranks: Ints,
    weights: Ints,
    mixed: Rungs,
    flush: Rungs,
    least_suited: int,
    kinds: Ints,
    known: Places,
    reaches: Bools,
    linear: Ints,
    legal: Bools,
    follows: Ints,
    ended: Ints,
    out: Ints,
) -> None:
    """What each history is worth with each holding of some whole boards, best play at them, by history, row and pair.

    One or both cards of the dealer are known, so that few holdings of the dealer are left, or one: they are counted by
    rung, and with one card known those that the player's own two cards rule out are taken off again.
    """
    never = len(kinds)
    upto = np.zeros(never + 1, np.int64)
    theirs, unable = np.empty(n, np.int64), np.zeros(n, np.int64)
    taken = np.empty(n, np.bool_)
    worth = np.empty(linear.shape[1], np.int64)
    only = np.full(len(legal), -1)
    for history in range(len(legal)):
        if legal[history].sum() == 1:
            only[history] = follows[history, legal[history].argmax()]
    for row in range(len(boards)):
        key, suit, mask = _look(boards[row], ranks, weights, least_suited)
        by_ranks = mixed[key]
        taken[:] = False
        for place in boards[row]:
            taken[place] = True
        for place in known:
            taken[place] = True
        upto[:] = 0
        theirs[:] = never
        unable[:] = 0
        none = 0
        for other in range(n if len(known) == 1 else 1):
            if len(known) == 1:
                if taken[other]:
                    continue
                rung = _rung(known[0], other, ranks, by_ranks, flush, suit, mask)
                theirs[other], unable[other] = rung, 0 if reaches[kinds[rung]] else 1
            else:
                rung = _rung(known[0], known[1], ranks, by_ranks, flush, suit, mask)
            upto[rung + 1] += 1
            none += 0 if reaches[kinds[rung]] else 1
        for rung in range(never):
            upto[rung + 1] += upto[rung]
        for high in range(1, n):
            if taken[high]:
                continue
            for low in range(high):
                if taken[low]:
                    continue
                rung = _rung(low, high, ranks, by_ranks, flush, suit, mask)
                one, two = theirs[low], theirs[high]
                lower = upto[rung] - (one < rung) - (two < rung)
                level = upto[rung + 1] - (one <= rung) - (two <= rung)
                lacking = none - unable[low] - unable[high]
                kind = kinds[rung]
                for final in range(len(worth)):
                    worth[final] = (
                        linear[kind, final, 0] * lower
                        + linear[kind, final, 1] * level
                        + linear[kind, final, 2] * lacking
                        + linear[kind, final, 3]
                    )
                pair = high * (high - 1) // 2 + low
                for history in range(legal.shape[0]):
                    if only[history] >= 0:
                        out[history, row, pair] = worth[only[history]]
                        continue
                    first = True
                    best = np.int64(0)
                    for choice in range(legal.shape[1]):
                        if legal[history, choice]:
                            final = follows[history, choice]
                            value = worth[final] if final >= 0 else ended[history, choice]
                            if first or value > best:
                                best, first = value, False
                    out[history, row, pair] = best


@njit(cache=True, nogil=True)
def tally_boards(
    n: int,
    boards: Places,
    weights: Ints,
    entries: Entries,
    reaches: Bools,
    linear: Ints,
    legal: Bools,
    follows: Ints,
    ended: Ints,
    lacking: npt.NDArray[np.int32],
    turned: Places,
    renamed: npt.NDArray[np.uint16],
    forced: Places,
    reach: Places,
    made: Ints,
    joint: Ints,
) -> int:
    """Play every deal: deals by final history (then by choice that ends), kinds of both hands and how they compare.

    ``reach`` says in how many orders a smaller board is seen in each history. ``made`` counts choices at the whole
    board; the number of states with a tie is returned. ``forced`` has the choices of a strategy, if one is given.
    """
    most = n * (n - 1) // 2
    firsts, seconds, pairs = np.empty(most, np.uint64), np.empty(most, np.uint64), np.empty(most, np.uint64)
    finals, histories, choices, kinds = linear.shape[1], legal.shape[0], legal.shape[1], len(reaches)
    worth, best = np.empty((finals, most), np.int64), np.empty(most, np.int64)
    chosen, orders = np.empty(most, np.uint8), np.empty(most, np.int64)
    of_kind, by_kind = np.zeros(kinds, np.int64), np.zeros((kinds, n), np.int64)
    ties = 0
    for row in range(len(boards)):
        found = _free(n, boards[row], firsts, seconds, pairs)
        _worth(n, found, entries[row], firsts, seconds, pairs, reaches, linear, worth)
        of_kind[:] = 0
        by_kind[:] = 0
        for at in range(found):
            kind = entries[row, pairs[at]] >> 2 * SHIFT
            of_kind[kind] += 1
            by_kind[kind, firsts[at]] += 1
            by_kind[kind, seconds[at]] += 1
        for history in range(histories):
            orders[:found] = 0
            for place in range(boards.shape[1]):
                source, names = reach[history, lacking[row, place]], renamed[turned[row, place]]
                for at in range(found):
                    orders[at] += source[names[pairs[at]]]
            if len(forced) > 0:
                for at in range(found):
                    chosen[at] = forced[history, row, pairs[at]]
            else:
                _choose(history, found, worth, legal, follows, ended, chosen, best)
            for at in range(found):
                ways = weights[row] * orders[at]
                if ways == 0:
                    continue
                choice = chosen[at]
                made[history, choice] += ways
                end = follows[history, choice]
                if end < 0:
                    end = finals + history * choices + choice
                for other in range(choices):
                    if other != choice and legal[history, other] and len(forced) == 0:
                        final = follows[history, other]
                        if best[at] == (worth[final, at] if final >= 0 else ended[history, other]):
                            ties += ways
                            break
                low, high, entry = firsts[at], seconds[at], entries[row, pairs[at]]
                kind, lower = np.int64(entry >> 2 * SHIFT), np.int64(entry & _MASK)
                level = np.int64(entry >> SHIFT & _MASK) - lower
                for other in range(kinds):
                    if of_kind[other] > 0:
                        many = of_kind[other] - by_kind[other, low] - by_kind[other, high]
                        if other < kind:
                            joint[end, kind, other, 2] += ways * many
                            lower -= many
                        elif other > kind:
                            joint[end, kind, other, 0] += ways * many
                        else:
                            joint[end, kind, other, 2] += ways * lower
                            joint[end, kind, other, 1] += ways * level
                            joint[end, kind, other, 0] += ways * (many + 1 - lower - level)
    return ties


@njit(cache=True, nogil=True)
def group_boards(
    n: int,
    boards: Places,
    weights: Ints,
    entries: Entries,
    reaches: Bools,
    linear: Ints,
    legal: Bools,
    follows: Ints,
    ended: Ints,
    lacking: npt.NDArray[np.int32],
    turned: Places,
    renamed: npt.NDArray[np.uint16],
    reach: Places,
    ranks: Ints,
    lying: Ints,
    sums: Ints,
) -> None:
    """``sums[choice, group]``: what each choice is worth at the whole board, over all states in which it is open.

    A group is what lies by itself, the kind of the hand, and the ranks of the holding; the last has who has no choice.
    """
    most = n * (n - 1) // 2
    firsts, seconds, pairs = np.empty(most, np.uint64), np.empty(most, np.uint64), np.empty(most, np.uint64)
    worth, orders = np.empty((linear.shape[1], most), np.int64), np.empty(most, np.int64)
    kinds, last = len(reaches), sums.shape[1] - 1
    for row in range(len(boards)):
        found = _free(n, boards[row], firsts, seconds, pairs)
        _worth(n, found, entries[row], firsts, seconds, pairs, reaches, linear, worth)
        for history in range(legal.shape[0]):
            alone = legal[history].sum() == 1
            orders[:found] = 0
            for place in range(boards.shape[1]):
                source, names = reach[history, lacking[row, place]], renamed[turned[row, place]]
                for at in range(found):
                    orders[at] += source[names[pairs[at]]]
            for at in range(found):
                ways = weights[row] * orders[at]
                if ways > 0:
                    kind = np.int64(entries[row, pairs[at]] >> 2 * SHIFT)
                    held = ranks[seconds[at] >> np.uint64(2)] * RANKS + ranks[firsts[at] >> np.uint64(2)]
                    group = last if alone else (lying[row] * kinds + kind) * RANKS * RANKS + held
                    for choice in range(legal.shape[1]):
                        if legal[history, choice]:
                            final = follows[history, choice]
                            sums[choice, group] += ways * (worth[final, at] if final >= 0 else ended[history, choice])


@njit(cache=True, nogil=True)
def list_worth(n: int, boards: Places, entries: Entries, reaches: Bools, linear: Ints, out: Ints) -> None:
    """What each final history is worth on each board with each holding."""
    most = n * (n - 1) // 2
    firsts, seconds, pairs = np.empty(most, np.uint64), np.empty(most, np.uint64), np.empty(most, np.uint64)
    worth = np.empty((linear.shape[1], most), np.int64)
    for row in range(len(boards)):
        found = _free(n, boards[row], firsts, seconds, pairs)
        _worth(n, found, entries[row], firsts, seconds, pairs, reaches, linear, worth)
        for at in range(found):
            out[:, row, pairs[at]] = worth[:, at]


@njit(cache=True, nogil=True)
def list_picks(
    n: int,
    boards: Places,
    entries: Entries,
    reaches: Bools,
    linear: Ints,
    legal: Bools,
    follows: Ints,
    ended: Ints,
    out: Places,
) -> None:
    """The best choice of every history with each holding of some whole boards."""
    most = n * (n - 1) // 2
    firsts, seconds, pairs = np.empty(most, np.uint64), np.empty(most, np.uint64), np.empty(most, np.uint64)
    worth, best, chosen = (
        np.empty((linear.shape[1], most), np.int64),
        np.empty(most, np.int64),
        np.empty(most, np.uint8),
    )
    for row in range(len(boards)):
        found = _free(n, boards[row], firsts, seconds, pairs)
        _worth(n, found, entries[row], firsts, seconds, pairs, reaches, linear, worth)
        for history in range(legal.shape[0]):
            _choose(history, found, worth, legal, follows, ended, chosen, best)
            for at in range(found):
                out[history, row, pairs[at]] = chosen[at]


@njit(cache=True, nogil=True)
def down(
    values: Ints,
    weights: Ints,
    lacking: npt.NDArray[np.int32],
    turned: Places,
    renamed: npt.NDArray[np.uint16],
    out: Ints,
) -> None:
    """Add the values of boards to those of the boards with a card less."""
    for history in range(values.shape[0]):
        for row in range(values.shape[1]):
            source = values[history, row]
            for place in range(lacking.shape[1]):
                target, names = out[history, lacking[row, place]], renamed[turned[row, place]]
                for pair in range(len(source)):
                    target[names[pair]] += weights[row] * source[pair]


@njit(cache=True, nogil=True)
def even_out(values: Ints, masks: Ints, names: Places, renamed: npt.NDArray[np.uint16]) -> None:
    """Replace sums by their weighted mean over the renamings of suits that leave the board unchanged."""
    before = np.empty(values.shape[2], np.int64)
    for row in range(values.shape[1]):
        for history in range(values.shape[0]):
            target = values[history, row]
            before[:] = target
            target[:] = 0
            for which in range(len(names)):
                same = True
                for suit in range(4):
                    same = same and masks[row, suit] == masks[row, names[which, suit]]
                if same:
                    for pair in range(len(target)):
                        target[pair] += before[renamed[which, pair]]
            for pair in range(len(target)):
                target[pair] //= len(names)


@njit(cache=True, nogil=True)
def up(
    reach: Places, lacking: npt.NDArray[np.int32], turned: Places, renamed: npt.NDArray[np.uint16], out: Places
) -> None:
    """In how many orders each larger board is seen, from the boards with a card less."""
    for history in range(reach.shape[0]):
        for row in range(out.shape[1]):
            target = out[history, row]
            for place in range(lacking.shape[1]):
                source, names = reach[history, lacking[row, place]], renamed[turned[row, place]]
                for pair in range(len(target)):
                    target[pair] += source[names[pair]]
