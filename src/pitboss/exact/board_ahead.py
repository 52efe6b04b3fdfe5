"""A list for a player who knows both cards of the dealer on a common board: act when your hand is ahead as it lies.

Such a list compares made hands only: two cards, with those turned up in the middle, and at last with the whole board.
On each whole board the dealer's holdings that a holding beats are a set of bits, and so are those that it beats on each
of its smaller boards. What is won is counted from the sizes of their intersections, so every deal is played, exactly,
without looping over the dealer's holdings.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import njit, types
from numba.extending import intrinsic

from pitboss.exact.board import plan_of
from pitboss.exact.board_classes import PAIR, every_pair
from pitboss.exact.board_counts import COUNTING_CODE, BoardCounts, board_of, looking_up, share, unranked
from pitboss.exact.board_kernels import Bools, Rungs, _look, _rung
from pitboss.exact.board_sums import linear
from pitboss.exact.cache import fingerprint, kept_figures
from pitboss.exact.decks import BINOMIAL, FULL, SUITS, Ints, Places, SmallDeck, subsets_of, suit_classes
from pitboss.exact.duel import Progress
from pitboss.exact.facets import NotCountedError
from pitboss.exact.plan import ENDED, ChoicePlan
from pitboss.exact.value import WORKERS
from pitboss.games.contract import Game
from pitboss.games.rules import Rules
from pitboss.games.structure import Ahead
from pitboss.hands import batch
from pitboss.names import listed

Words = npt.NDArray[np.uint64]
AHEAD_CODE = (*COUNTING_CODE, "exact/plan.py", "exact/board_sums.py", "exact/board.py", "exact/board_ahead.py")
_WORD = 64
_ASKED = 3
"""Decisions: before the board, with a part of it and with all of it."""


@dataclass(frozen=True)
class AheadPlay:
    """What the list is worth, in units of the main wager, and how often it makes each choice."""

    expected_value: Fraction
    choices: Mapping[str, Fraction]


def played_ahead(
    game: Game,
    rules: Rules,
    steps: Mapping[str, Ahead],
    deck: SmallDeck = FULL,
    progress: Progress | None = None,
) -> AheadPlay:
    """Play every deal by the list.

    Raise ``NotCountedError`` unless two hands share a board that is seen before it lies, in part, and whole.
    """
    board = board_of(game)
    if board is None or len(board.seen) != _ASKED or (board.seen[0], board.seen[-1]) != (0, board.cards):
        raise NotCountedError(f"A list that compares hands as they lie is not counted in {game.name}.")
    if board.seen[1] + PAIR != board.order.size:
        raise NotCountedError(f"The hands of {game.name} are not whole at the second decision.")
    counts = unranked(board, deck)
    plan = plan_of(game, rules, counts)
    ends, fold = _ends(plan, steps)
    level = [steps[each.step.name].level for each in plan.steps]

    def make() -> dict[str, list[str]]:
        return {"sums": [str(each) for each in _summed(counts, plan, ends, fold, level, progress)]}

    asked = (board.key, board.seen, plan.unit, plan.nets.tolist(), ends, fold, level)
    figures = make() if deck != FULL else kept_figures(f"ahead-{game.name}", fingerprint(asked, AHEAD_CODE), make)
    won, *made = map(int, figures["sums"])
    middle = comb(board.cards, board.seen[1])
    deals = comb(deck.size, board.cards) * middle * comb(deck.size - board.cards, PAIR) * counts.dealt
    names = [f"{each.step.name} {steps[each.step.name].choice}" for each in plan.steps]
    names.append(f"{plan.steps[-1].step.name} {steps[plan.steps[-1].step.name].otherwise}")
    shares = {name: Fraction(each, deals) for name, each in zip(names, made, strict=True)}
    return AheadPlay(Fraction(won, deals * plan.unit), shares)


def _ends(plan: ChoicePlan, steps: Mapping[str, Ahead]) -> tuple[list[int], int]:
    """The final history of who acts at each decision, and what is won by who never does."""
    ends: list[int] = []
    waiting = 0
    for place, choosing in enumerate(plan.steps):
        each = steps[choosing.step.name]
        if not {each.choice, each.otherwise} <= {*choosing.names}:
            raise NotCountedError(f"The choices there are {listed(choosing.names)}.")
        history = int(choosing.follows[waiting, choosing.names.index(each.choice)])
        for later in plan.steps[place + 1 :]:
            (only,) = np.flatnonzero(later.legal[history])
            history = int(later.follows[history, only])
        ends.append(history)
        other = choosing.names.index(each.otherwise)
        if choosing.follows[waiting, other] == ENDED:
            return ends, int(choosing.ended[waiting, other])
        waiting = int(choosing.follows[waiting, other])
    raise NotCountedError("Who never acts has to give up at the last decision.")


def _summed(
    counts: BoardCounts, plan: ChoicePlan, ends: list[int], fold: int, level: list[bool], progress: Progress | None
) -> list[int]:
    """What is won over all deals, and in how many each choice is made."""
    deck, board = counts.deck, counts.board
    classes = suit_classes(deck, board.cards)
    lines = linear(counts, plan)[:, ends]
    lines[:, :, 3] //= counts.dealt
    starts, lying = _two_cards(deck), _on_part(counts)
    by_rank = np.argsort(lying, axis=1, kind="stable").astype(np.uint16)
    parts = np.array([*combinations(range(board.cards), board.seen[1])], np.int64)
    # A worker's totals of one part of the boards fit a machine's integer; all of them may not.
    totals = [[0] * (1 + len(ends) + 1) for _ in range(WORKERS)]
    play_boards: Callable[..., None] = _play_boards

    def work(worker: int, part: slice) -> None:
        out = np.zeros((1 + len(ends) + 1, 2), np.int64)
        play_boards(
            deck.size, classes.hands[part], classes.weights[part], *looking_up(counts), starts, parts, lying, by_rank,
            counts.reaches, lines, fold, *level, BINOMIAL, out,
        )  # fmt: skip
        for at, (high, low) in enumerate(out.tolist()):
            totals[worker][at] += (high << 32) + low

    share(len(classes.hands), work, "comparing hands", progress)
    return [sum(each) for each in zip(*totals, strict=True)]


def _two_cards(deck: SmallDeck) -> Ints:
    """By pair: two cards as they compare, pairs above others."""
    low, high = (every_pair(deck).astype(np.int64) // SUITS).T
    ranks = len(deck.ranks)
    return np.asarray(np.where(low == high, ranks * ranks + low, ranks * high + low))


def _on_part(counts: BoardCounts) -> npt.NDArray[np.uint16]:
    """By number of the cards turned up in the middle, and by pair: how a hand of both ranks; of no hand the highest."""
    deck, order, many = counts.deck, counts.board.order, counts.board.seen[1]
    hands = subsets_of(deck.size, order.size)
    scores = np.unique(batch.evaluate(order, deck.cards[hands]), return_inverse=True)[1].astype(np.uint16)
    of_hand = scores.reshape(-1)
    out = np.full((comb(deck.size, many), counts.pairs), np.iinfo(np.uint16).max, np.uint16)
    _rank_parts(deck.size, subsets_of(deck.size, many), of_hand, BINOMIAL, out)
    return out


@njit(cache=True, nogil=True)
def _rank_parts(n: int, parts: Places, of_hand: npt.NDArray[np.uint16], binomial: Ints, out: Any) -> None:
    size = parts.shape[1]
    cards = np.empty(size + 2, np.int64)
    for row in range(len(parts)):
        pair = 0
        for high in range(1, n):
            for low in range(high):
                at, took_low, took_high, apart = 0, False, False, True
                for place in range(size):
                    card = parts[row, place]
                    apart = apart and card != low and card != high
                    if not took_low and low < card:
                        cards[at] = low
                        at, took_low = at + 1, True
                    if not took_high and high < card:
                        cards[at] = high
                        at, took_high = at + 1, True
                    cards[at] = card
                    at += 1
                if not took_low:
                    cards[at] = low
                    at += 1
                if not took_high:
                    cards[at] = high
                if apart:
                    number = 0
                    for place in range(size + 2):
                        number += binomial[cards[place], place + 1]
                    out[row, pair] = of_hand[number]
                pair += 1


def _counting(_context: Any, _word: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), generate


_ones: Any = intrinsic(_counting)
"""How many bits of a word are set."""


@njit(cache=True, nogil=True)
def _sizes(mine: Words, theirs: Words, words: int, bounds: Ints, sizes: Ints) -> None:
    """Of two sets' intersection: how many of it lie below each bound, and in all."""
    done = np.int64(0)
    sizes[:] = 0
    for word in range(words):
        both = mine[word] & theirs[word]
        for at in range(len(bounds)):
            if bounds[at] >> 6 == word:
                rest = np.uint64(bounds[at] & 63)
                sizes[at] = done + np.int64(_ones(both & ((np.uint64(1) << rest) - np.uint64(1))))
        done += np.int64(_ones(both))
    for at in range(len(bounds)):
        if bounds[at] >> 6 >= words:
            sizes[at] = done
    sizes[len(bounds)] = done


@njit(cache=True, nogil=True)
def _worth(line: Ints, lower: int, upto: int, none: int, dealt: int) -> int:
    worth: int = line[0] * lower + line[1] * upto + line[2] * none + line[3] * dealt
    return worth


@njit(cache=True, nogil=True)
def _play_boards(
    n: int,
    boards: Places,
    weights: Ints,
    ranks: Ints,
    by_place: Ints,
    mixed: Rungs,
    flush: Rungs,
    least_suited: int,
    kinds: Ints,
    starts: Ints,
    parts: Ints,
    lying: npt.NDArray[np.uint16],
    by_rank: npt.NDArray[np.uint16],
    reaches: Bools,
    lines: Ints,
    fold: int,
    first_level: bool,
    second_level: bool,
    last_level: bool,
    binomial: Ints,
    out: Ints,
) -> None:
    """Add what is won on some boards, and how often each choice is made, in two halves of 32 bits.

    Holdings of a board stand in order of their rank on it, so those below one, or below it and level with it, and those
    that don't qualify, are the first ones of any set.
    """
    pairs = n * (n - 1) // 2
    firsts, seconds = np.empty(pairs, np.int64), np.empty(pairs, np.int64)
    ids, rung_of = np.empty(pairs, np.int64), np.empty(pairs, np.int64)
    place_of, pair_at = np.empty(pairs, np.int64), np.empty(pairs, np.int64)
    begins = np.zeros(len(kinds) + 1, np.int64)
    lower_at, upto_at = np.empty(pairs, np.int64), np.empty(pairs, np.int64)
    low_at, high_at, kind_at = np.empty(pairs, np.int64), np.empty(pairs, np.int64), np.empty(pairs, np.int64)
    words = (pairs + 63) // 64
    holding = np.zeros((n, words), np.uint64)
    at_least = np.zeros((int(starts.max()) + 2, words), np.uint64)
    waits = np.zeros((pairs, words), np.uint64)
    waiting = np.zeros((pairs, 4), np.int64)
    free, beaten = np.zeros(words, np.uint64), np.zeros(words, np.uint64)
    bounds, sizes = np.empty(3, np.int64), np.empty(4, np.int64)
    taken = np.empty(n, np.bool_)
    one = np.uint64(1)
    part = np.empty(parts.shape[1], np.int64)
    sums = np.zeros(len(out), np.int64)
    for row in range(len(boards)):
        key, suit, mask = _look(boards[row], ranks, by_place, least_suited)
        taken[:] = False
        for card in boards[row]:
            taken[card] = True
        found = 0
        begins[:] = 0
        place_of[:] = -1
        for high in range(1, n):
            if taken[high]:
                continue
            for low in range(high):
                if not taken[low]:
                    rung = _rung(low, high, ranks, mixed[key], flush, suit, mask)
                    firsts[found], seconds[found] = low, high
                    ids[found], rung_of[found] = high * (high - 1) // 2 + low, rung
                    begins[rung + 1] += 1
                    found += 1
        for rung in range(len(kinds)):
            begins[rung + 1] += begins[rung]
        used = (found + 63) // 64
        holding[:, :used] = 0
        at_least[:, :used] = 0
        none = 0
        for at in range(found):
            rung = rung_of[at]
            place = begins[rung]
            begins[rung] += 1
            place_of[ids[at]], pair_at[place] = place, ids[at]
            low_at[place], high_at[place], kind_at[place] = firsts[at], seconds[at], kinds[rung]
            lower_at[place] = rung
            if not reaches[kinds[rung]]:
                none += 1
            bit = one << np.uint64(place & 63)
            holding[firsts[at], place >> 6] |= bit
            holding[seconds[at], place >> 6] |= bit
            at_least[starts[ids[at]], place >> 6] |= bit
        for start in range(len(at_least) - 2, -1, -1):
            for word in range(used):
                at_least[start, word] |= at_least[start + 1, word]
        place = 0
        while place < found:
            rung, end = lower_at[place], place
            while end < found and lower_at[end] == rung:
                end += 1
            for each in range(place, end):
                lower_at[each], upto_at[each] = place, end
            place = end
        sums[:] = 0
        orders = len(parts)
        for place in range(found):
            low, high, kind = low_at[place], high_at[place], kind_at[place]
            start = starts[pair_at[place]]
            behind = start + 1 if first_level else start
            bounds[0], bounds[1], bounds[2] = lower_at[place], upto_at[place], none
            for word in range(used):
                left = ~(holding[low, word] | holding[high, word])
                waits[place, word] = left & at_least[behind, word]
                free[word] = left & (at_least[0, word] & ~at_least[behind, word])
            _sizes(free, free, used, bounds, sizes)
            sums[0] += orders * _worth(lines[kind, 0], sizes[0], sizes[1], sizes[2], sizes[3])
            sums[1] += orders * sizes[3]
            _sizes(waits[place], waits[place], used, bounds, sizes)
            waiting[place] = sizes
        for which in range(orders):
            number = 0
            for at in range(parts.shape[1]):
                part[at] = boards[row, parts[which, at]]
                number += binomial[part[at], at + 1]
            beaten[:used] = 0
            at = 0
            while at < pairs:
                pair = by_rank[number, at]
                if place_of[pair] < 0:
                    at += 1
                    continue
                rank = lying[number, pair]
                end = at
                if second_level:
                    while end < pairs and lying[number, by_rank[number, end]] == rank:
                        place = place_of[by_rank[number, end]]
                        if place >= 0:
                            beaten[place >> 6] |= one << np.uint64(place & 63)
                        end += 1
                end = at
                while end < pairs and lying[number, by_rank[number, end]] == rank:
                    place = place_of[by_rank[number, end]]
                    end += 1
                    if place < 0:
                        continue
                    kind = kind_at[place]
                    bounds[0], bounds[1], bounds[2] = lower_at[place], upto_at[place], none
                    _sizes(beaten, waits[place], used, bounds, sizes)
                    sums[0] += _worth(lines[kind, 1], sizes[0], sizes[1], sizes[2], sizes[3])
                    sums[2] += sizes[3]
                    lower, upto = waiting[place, 0] - sizes[0], waiting[place, 1] - sizes[1]
                    no, dealt = waiting[place, 2] - sizes[2], waiting[place, 3] - sizes[3]
                    up = upto if last_level else lower
                    sums[0] += _worth(lines[kind, 2], lower, up, min(no, up), up) + fold * (dealt - up)
                    sums[3] += up
                    sums[4] += dealt - up
                if not second_level:
                    for each in range(at, end):
                        place = place_of[by_rank[number, each]]
                        if place >= 0:
                            beaten[place >> 6] |= one << np.uint64(place & 63)
                at = end
        for at in range(len(out)):
            total = weights[row] * sums[at]
            out[at, 0] += total >> 32
            out[at, 1] += total & 0xFFFFFFFF
