"""Compiled parts of the exchange counter: one final hand against everything the dealer may hide, discards dead.

Cards are places of the deck without the up card, the *rest* those that are not in the final hand either. For a final
hand, ``gain[Y]`` is what a bet wins over a fold against the dealer's other four cards Y. How much it wins over all Y
that avoid some discards D follows from the sums of ``gain`` over the Y that contain a part of D, with signs. A fold
after the draw gains nothing, so the better of the two is that sum or 0. It is added to every hand that may have kept
some of the final cards and discarded D.
"""

import numpy as np
import numpy.typing as npt
from numba import njit

from pitboss.exact.decks import Ints, Places
from pitboss.exact.draw_kernels import FIELD, Codes
from pitboss.exact.exchange_kernels import number

Ranks = npt.NDArray[np.uint16]

LESS, WORSE, LEVEL, BETTER = range(4)
"""The dealer does not qualify; the player's hand is worse, level, better."""
AS_IS_BEST = 255
"""The final hand bets where that gains anything; otherwise it bets from so many discards of the up card's rank on."""


@njit(cache=True, nogil=True)
def sums(
    rest: Places,
    ranks: Ranks,
    least: int,
    own: int,
    values: Ints,
    binomial: Ints,
    four: Ints,
    three: Ints,
    two: Ints,
    one: Ints,
) -> int:
    """Values over all fours of the rest, and their sums over the fours that contain three, two and one of its cards."""
    m = len(rest)
    three[:] = 0
    two[:] = 0
    one[:] = 0
    row = 0
    for d in range(3, m):
        for c in range(2, d):
            for b in range(1, c):
                at = binomial[rest[d], 4] + binomial[rest[c], 3] + binomial[rest[b], 2]
                bc, bd, cd = (
                    binomial[c, 3] + binomial[b, 2],
                    binomial[d, 3] + binomial[b, 2],
                    binomial[d, 3] + binomial[c, 2],
                )
                total = np.int64(0)
                for a in range(b):
                    rank = ranks[at + rest[a]]
                    cell = LESS if rank < least else WORSE if rank > own else LEVEL if rank == own else BETTER
                    value = values[cell]
                    four[row] = value
                    row += 1
                    total += value
                    three[bc + a] += value
                    three[bd + a] += value
                    three[cd + a] += value
                three[cd + b] += total
    for c in range(2, m):
        for b in range(1, c):
            for a in range(b):
                value = three[binomial[c, 3] + binomial[b, 2] + a]
                two[binomial[b, 2] + a] += value
                two[binomial[c, 2] + a] += value
                two[binomial[c, 2] + b] += value
    everything = np.int64(0)
    for b in range(1, m):
        for a in range(b):
            pair = binomial[b, 2] + a
            two[pair] //= 2
            one[a] += two[pair]
            one[b] += two[pair]
    for a in range(m):
        one[a] //= 3
        everything += one[a]
    return int(everything // 4)


@njit(cache=True, nogil=True)
def avoiding(cards: Places, four: Ints, three: Ints, two: Ints, one: Ints, everything: int, binomial: Ints) -> int:
    """The sum over the fours that contain none of some cards of the rest."""
    total = everything
    for i in range(len(cards)):
        a = cards[i]
        total -= one[a]
        for j in range(i):
            b = cards[j]
            total += two[binomial[a, 2] + b]
            for k in range(j):
                c = cards[k]
                total -= three[binomial[a, 3] + binomial[b, 2] + c]
                for h in range(k):
                    total += four[binomial[a, 4] + binomial[b, 3] + binomial[c, 2] + cards[h]]
    return total


@njit(cache=True, nogil=True)
def kept_parts(final: Places, count: int, binomial: Ints, out: Ints) -> int:
    """The numbers of every choice of so many final cards."""
    found = 0
    for mask in range(1 << len(final)):
        index, taken = np.int64(0), 0
        for place in range(len(final)):
            if mask >> place & 1:
                taken += 1
                index += binomial[final[place], taken]
        if taken == count:
            out[found] = index
            found += 1
    return found


@njit(cache=True, nogil=True)
def spread(
    n: int,
    ranks: Ranks,
    least: int,
    finals: Places,
    weights: Ints,
    own: Codes,
    values: Ints,
    binomial: Ints,
    by_two: Ints,
    by_three: Ints,
    by_four: Ints,
    by_five: Ints,
) -> None:
    """``by_two[kept, discards]``: the gains of all final hands with those kept cards, after two discards; and so on.

    The highest one or two of many discards are fixed in turn. What then belongs to single cards and pairs of the
    others is put into ``half``, doubled, because every card of three is in two of their pairs.
    """
    size = finals.shape[1]
    m = n - size
    rest, low = np.empty(m, np.uint8), np.empty(binomial[m, 2], np.int64)
    four, three = np.empty(binomial[m, 4], np.int32), np.empty(binomial[m, 3], np.int32)
    two, one, half = np.empty(binomial[m, 2], np.int32), np.empty(m, np.int32), np.empty(binomial[m, 2], np.int32)
    parts = np.empty((size + 1, binomial[size, 2]), np.int64)
    c2, c3, c4, c5 = binomial[:, 2], binomial[:, 3], binomial[:, 4], binomial[:, 5]
    for row in range(len(finals)):
        fill_rest(n, finals[row], rest)
        everything = sums(rest, ranks, least, own[row], values[row], binomial, four, three, two, one)
        many = [kept_parts(finals[row], size - count, binomial, parts[count]) for count in range(size + 1)]
        weight = weights[row]
        for b in range(1, m):
            for a in range(b):
                low[c2[b] + a] = c2[rest[b]] + rest[a]
                gain = everything - one[a] - one[b] + two[c2[b] + a]
                if gain > 0:
                    for part in parts[2, : many[2]]:
                        by_two[part, low[c2[b] + a]] += weight * gain
        for c in range(2, m):
            for b in range(1, c):
                of_bc = everything - one[c] - one[b] + two[c2[c] + b]
                for a in range(b):
                    pair = c2[b] + a
                    gain = of_bc - one[a] + two[pair] + two[c2[c] + a] - three[c3[c] + pair]
                    if gain > 0:
                        for part in parts[3, : many[3]]:
                            by_three[part, c3[rest[c]] + low[pair]] += weight * gain
        for d in range(3, m):
            for b in range(1, d):
                for a in range(b):
                    pair = c2[b] + a
                    half[pair] = (
                        2 * (two[pair] - three[c3[d] + pair]) - one[a] - one[b] + two[c2[d] + a] + two[c2[d] + b]
                    )
            base = 2 * (everything - one[d])
            for c in range(2, d):
                at = c4[rest[d]] + c3[rest[c]]
                for b in range(1, c):
                    of_bc = base + half[c2[c] + b]
                    for a in range(b):
                        pair = c2[b] + a
                        triple = c3[c] + pair
                        gain = of_bc + half[pair] + half[c2[c] + a] + 2 * (four[c4[d] + triple] - three[triple])
                        if gain > 0:
                            for part in parts[4, : many[4]]:
                                by_four[part, at + low[pair]] += weight * (gain >> 1)
        for e in range(4, m):
            for d in range(3, e):
                for b in range(1, d):
                    of_b = two[c2[d] + b] + two[c2[e] + b] - one[b] - three[c3[e] + c2[d] + b]
                    for a in range(b):
                        pair = c2[b] + a
                        of_a = two[c2[d] + a] + two[c2[e] + a] - one[a] - three[c3[e] + c2[d] + a]
                        both = two[pair] - three[c3[d] + pair] - three[c3[e] + pair] + four[c4[e] + c3[d] + pair]
                        half[pair] = 2 * both + of_a + of_b
                base = 2 * (everything - one[d] - one[e] + two[c2[e] + d])
                with_d, with_e = c4[d], c4[e]
                for c in range(2, d):
                    at = c5[rest[e]] + c4[rest[d]] + c3[rest[c]]
                    for b in range(1, c):
                        of_bc = base + half[c2[c] + b]
                        for a in range(b):
                            pair = c2[b] + a
                            triple = c3[c] + pair
                            gone = four[with_d + triple] + four[with_e + triple] - three[triple]
                            gain = of_bc + half[pair] + half[c2[c] + a] + 2 * gone
                            if gain > 0:
                                by_five[0, at + low[pair]] += weight * (gain >> 1)


@njit(cache=True, nogil=True)
def fill_rest(n: int, final: Places, rest: Places) -> None:
    """The cards that are not in the final hand."""
    found, taken = 0, 0
    for card in range(n):
        if taken < len(final) and final[taken] == card:
            taken += 1
        else:
            rest[found] = card
            found += 1


@njit(cache=True, nogil=True)
def tally(
    n: int,
    ranks: Ranks,
    least: int,
    finals: Places,
    weights: Ints,
    own: Codes,
    values: Ints,
    then: Places,
    first: int,
    chosen: Places,
    discards: Places,
    binomial: Ints,
    out: Ints,
) -> None:
    """``out[final hand]``: how its rounds end where the hands before the draw choose to give up some of ``discards``.

    ``chosen[kept, discards]`` says how often of six; the ends are fold, then a bet by what the dealer has. ``then``
    says from how many discards of the up card's rank on, the three places from ``first`` on, the final hand bets.
    """
    size, count = finals.shape[1], discards.shape[1]
    m = n - size
    rest, place_of = np.empty(m, np.uint8), np.empty(n, np.int64)
    four, three = np.empty(binomial[m, 4], np.int64), np.empty(binomial[m, 3], np.int64)
    two, one = np.empty(binomial[m, 2], np.int64), np.empty(m, np.int64)
    parts, gone = np.empty(binomial[size, 2], np.int64), np.empty(count, np.uint8)
    packed = np.array([1, 0, 1 << FIELD, 1 << 2 * FIELD], np.int64)
    mask = (1 << FIELD) - 1
    hands = binomial[m - count, 4]
    for row in range(len(finals)):
        fill_rest(n, finals[row], rest)
        place_of[:] = -1
        for place in range(m):
            place_of[rest[place]] = place
        everything = sums(rest, ranks, least, own[row], packed, binomial, four, three, two, one)
        many = kept_parts(finals[row], size - count, binomial, parts)
        for listed in range(len(discards)):
            free = True
            alike = 0
            for place in range(count):
                card = discards[listed, place]
                at = place_of[card]
                free = free and at >= 0
                gone[place] = at
                alike += first <= card < first + 3
            if not free:
                continue
            index = number(discards[listed], binomial)
            times = np.int64(0)
            for part in parts[:many]:
                times += chosen[part, index]
            if times:
                found = avoiding(gone, four, three, two, one, everything, binomial)
                less, level, better = found & mask, found >> FIELD & mask, found >> 2 * FIELD
                worse = hands - less - level - better
                gain = less * values[row, LESS] + worse * values[row, WORSE] + level * values[row, LEVEL]
                gain += better * values[row, BETTER]
                times *= weights[row]
                if gain > 0 if then[row] == AS_IS_BEST else alike >= then[row]:
                    out[row, 1] += times * less
                    out[row, 2] += times * worse
                    out[row, 3] += times * level
                    out[row, 4] += times * better
                else:
                    out[row, 0] += times * hands


@njit(cache=True, nogil=True)
def renamed(cards: Places, names: Places, binomial: Ints, held: Places) -> int:
    """The number of some cards with their suits renamed."""
    count = len(cards)
    for place in range(count):
        card = names[cards[place]]
        at = place
        while at > 0 and held[at - 1] > card:
            held[at] = held[at - 1]
            at -= 1
        held[at] = card
    return number(held[:count], binomial)


@njit(cache=True, nogil=True)
def choose(
    hands: Places, names: Places, count: int, totals: Ints, factor: int, binomial: Ints, picked: Places, best: Ints
) -> None:
    """The best exchange of so many cards for each hand, where it beats what was best before: discards as a mask."""
    size = hands.shape[1]
    keep, gone = np.empty(size, np.uint8), np.empty(size, np.uint8)
    held = np.empty(size, np.uint8)
    for row in range(len(hands)):
        for mask in range(1 << size):
            kept, given = 0, 0
            for place in range(size):
                if mask >> place & 1:
                    gone[given] = hands[row, place]
                    given += 1
                else:
                    keep[kept] = hands[row, place]
                    kept += 1
            if given != count:
                continue
            total = np.int64(0)
            for turn in range(len(names)):
                part = renamed(keep[:kept], names[turn], binomial, held)
                total += totals[part, renamed(gone[:given], names[turn], binomial, held)]
            total *= factor
            if total > best[row]:
                best[row], picked[row] = total, mask


@njit(cache=True, nogil=True)
def mark(
    hands: Places, weights: Ints, names: Places, count: int, picked: Places, binomial: Ints, chosen: Places
) -> None:
    """``chosen[kept, discards]``: how often of six this exchange is made, over the names of suits."""
    size = hands.shape[1]
    keep, gone = np.empty(size, np.uint8), np.empty(size, np.uint8)
    held = np.empty(size, np.uint8)
    for row in range(len(hands)):
        kept, given = 0, 0
        for place in range(size):
            if picked[row] >> place & 1:
                gone[given] = hands[row, place]
                given += 1
            else:
                keep[kept] = hands[row, place]
                kept += 1
        if given == count:
            for turn in range(len(names)):
                part = renamed(keep[:kept], names[turn], binomial, held)
                chosen[part, renamed(gone[:given], names[turn], binomial, held)] += weights[row]
