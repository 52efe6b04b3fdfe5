"""One decision on a common board: what each choice is worth in every state, which is taken, and what follows."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations
from math import perm

import numpy as np

from pitboss.cards import Hand
from pitboss.exact import board_kernels as kernels
from pitboss.exact.board_classes import PAIR, BoardLevel, every_pair, pair_of
from pitboss.exact.board_counts import BoardCounts, rank_holdings
from pitboss.exact.board_sums import BEST_PLAY, linear
from pitboss.exact.decks import Ints, Places
from pitboss.exact.facets import NotCountedError
from pitboss.exact.plan import ENDED, Asked, ChoicePlan, Choosing
from pitboss.exact.value import Picked

NO_WORTH: Ints = np.zeros((0, 0, 0, 0), np.int64)
"""Where the worth of every choice would be too much to keep."""
STATES = ("worth", "picked", "reach")
"""What a street knows of every state."""
MOST_CARDS = 3
"""Of the largest boards at which the worth of every choice is kept; with more cards there are too many."""
_TOGETHER = 64
"""Pairs valued together on one board."""


@dataclass(frozen=True)
class BoardStreet(Asked):
    """One decision valued and played, by history, class of boards and pair."""

    counts: BoardCounts
    plan: ChoicePlan
    worth: Ints
    """By history and choice, then class and pair: sums over all ways to go on; empty where they would be too many."""
    picked: Picked
    """The choice taken, an index of ``names``; empty at the whole board, where it is found when it is asked for."""
    reach: Picked
    """In how many orders a board of the class is seen with the pair in this history."""

    @property
    def size(self) -> int:
        """Cards of the board that lie."""
        return self.choosing.seen - PAIR

    @property
    def level(self) -> BoardLevel:
        return self.counts.levels[self.size]

    def picks(self, part: slice) -> Picked:
        """The choices of some classes of boards, by history, class and pair."""
        if len(self.picked) or self.size < self.counts.board.cards:
            return self.picked[:, part]
        counts, step = self.counts, self.choosing
        boards = self.level.boards[part]
        out = np.zeros((len(step.legal), len(boards), counts.pairs), np.uint8)
        fixed = counts.reaches, linear(counts, self.plan), step.legal, step.follows, step.ended * counts.dealt
        kernels.list_picks(counts.deck.size, boards, counts.entries[part], *fixed, out)
        return out

    def values(self, cards: Hand, history: int) -> dict[str, Fraction]:
        own, board = self.counts.deck.places(cards[:PAIR]), self.counts.deck.places(cards[PAIR:])
        worth = self.weighed(board, np.array([pair_of(own)]))[history, :, 0]
        whole = self.counts.ways(self.size) * self.plan.unit
        legal = self.choosing.legal[history]
        return {name: Fraction(int(worth[c]), whole) for c, name in enumerate(self.names) if legal[c]}

    def weighed(self, board: Sequence[int], pairs: Ints) -> Ints:
        """By history, choice and pair, on one board: sums over all ways to go on."""
        return states_worth(self.counts, self.plan, board, pairs) if board else self.worth[:, :, 0, pairs]


def decide(
    counts: BoardCounts, plan: ChoicePlan, choosing: Choosing, after: Ints, picked: Picked | None
) -> tuple[BoardStreet, Ints]:
    """The best choice of every state, or the one given, and what the histories before it are worth then."""
    size = choosing.seen - PAIR
    free, ways = counts.free(size), counts.ways(size)
    histories, choices = choosing.legal.shape
    values = np.zeros((histories, *free.shape), np.int64)
    chosen = np.zeros(values.shape, np.uint8) if picked is None else picked
    keep = size <= MOST_CARDS
    worth = np.zeros((histories, choices, *free.shape) if keep else (0, 0, 0, 0), np.int64)
    for history in range(histories):
        first = True
        for choice in np.flatnonzero(choosing.legal[history]).tolist():
            follows = choosing.follows[history, choice]
            each = after[follows] if follows != ENDED else np.where(free, choosing.ended[history, choice] * ways, 0)
            if keep:
                worth[history, choice] = each
            better = chosen[history] == choice if picked is not None else (each > values[history]) | first
            np.copyto(values[history], each, where=better)
            if picked is None:
                chosen[history][better] = choice
            first = False
    return BoardStreet(choosing, counts, plan, worth, chosen, BEST_PLAY), values


def followed(counts: BoardCounts, street: BoardStreet) -> tuple[Ints, int, Picked]:
    """Deals by history and choice, states with a tie, and how often each history after the choice comes about."""
    choosing, level = street.choosing, street.level
    weights = level.classes.weights[:, None] * np.ones(counts.pairs, np.int64)
    made = np.zeros(choosing.legal.shape, np.int64)
    after = np.zeros((int(choosing.follows.max()) + 1, *street.reach.shape[1:]), np.uint8)
    free, ties = counts.free(street.size), 0
    for history, choice in np.argwhere(choosing.legal):
        taken = np.where((street.picked[history] == choice) & free, street.reach[history], 0)
        made[history, choice] = int((taken * weights).sum()) * counts.ways(street.size)
        if choosing.follows[history, choice] != ENDED:
            after[choosing.follows[history, choice]] = taken
    for history in range(len(street.worth)):
        legal = street.worth[history][choosing.legal[history]]
        tied = (legal == legal.max(axis=0)).sum(axis=0) > 1
        ties += int((np.where(tied & free, street.reach[history], 0) * weights).sum())
    return made, ties, after


def states_worth(counts: BoardCounts, plan: ChoicePlan, board: Sequence[int], pairs: Ints) -> Ints:
    """By history, choice and pair at the decision on this board: sums over all ways to go on, best play after it.

    Boards with these cards are ranked afresh, so nothing of a whole solution is needed. The pairs avoid the board.
    """
    deck, cards = counts.deck, counts.board.cards
    missing = cards - len(board)
    rest = [place for place in range(deck.size) if place not in board]
    shape = tuple(len(rest) - at for at in range(missing))
    orders = np.array(list(permutations(rest, missing)), np.int64).reshape(perm(len(rest), missing), missing)
    fixed = np.broadcast_to(np.array(sorted(board), np.int64), (len(orders), len(board)))
    boards = np.sort(np.concatenate([fixed, orders], axis=1), axis=1).astype(np.uint8)
    sets, number = np.unique(boards, axis=0, return_inverse=True)
    worth, orders = finals_worth(counts, plan, np.ascontiguousarray(sets)), orders.reshape(*shape, missing)
    found = [
        _backward(counts, plan, len(board), orders, worth[:, :, part][:, number.reshape(-1)], part)
        for part in np.array_split(pairs, -(-len(pairs) // _TOGETHER))
    ]
    return np.concatenate(found, axis=2)


def _backward(counts: BoardCounts, plan: ChoicePlan, lying: int, orders: Ints, values: Ints, pairs: Ints) -> Ints:
    """The values of final histories by order of the cards to come and by pair, made into those of the choices now."""
    values = values.reshape(len(values), *orders.shape[:-1], len(pairs))
    own = every_pair(counts.deck)[pairs]
    for choosing in reversed(plan.steps):
        size = choosing.seen - PAIR
        if size < lying:
            break
        while values.ndim - 2 > size - lying:
            values, orders = values.sum(axis=-2), orders[..., 0, :-1]
        free = (orders[..., None, :, None] != own[:, None, :]).all(axis=(-1, -2))
        column = (*choosing.follows.shape, *[1] * free.ndim)
        ends, gone = (part.reshape(column) for part in (choosing.follows == ENDED, choosing.ended * counts.ways(size)))
        each: Ints = np.where(ends, gone * free, values[choosing.follows])
        each[~choosing.legal] = np.iinfo(np.int64).min
        if size == lying:
            return each
        values = each.max(axis=1)
    raise NotCountedError(f"Nobody is asked when {lying} cards of the board lie.")


def finals_worth(counts: BoardCounts, plan: ChoicePlan, boards: Places) -> Ints:
    """By final history, whole board and pair: what it is worth, summed over the dealer's holdings."""
    entries = np.zeros((len(boards), counts.pairs), np.uint32)
    rank_holdings(counts, boards, entries)
    worth = np.zeros((len(plan.finals), *entries.shape), np.int64)
    kernels.list_worth(counts.deck.size, boards, entries, counts.reaches, linear(counts, plan), worth)
    return worth
