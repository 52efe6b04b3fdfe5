"""One decision on a common board: what each choice is worth in every state, which is taken, and what follows."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations
from math import perm

import numpy as np

from pitboss.cards import Hand
from pitboss.exact import board_kernels as kernels
from pitboss.exact.board_classes import PAIR, BoardLevel, pair_of
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
        if self.size:
            worth = state_worth(self.counts, self.plan, own, board)[history]
        else:
            worth = self.worth[history, :, 0, pair_of(own)]
        whole = self.counts.ways(self.size) * self.plan.unit
        legal = self.choosing.legal[history]
        return {name: Fraction(int(worth[c]), whole) for c, name in enumerate(self.names) if legal[c]}


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


def state_worth(counts: BoardCounts, plan: ChoicePlan, own: Sequence[int], board: Sequence[int]) -> Ints:
    """By history and choice at the decision on this board: sums over all ways to go on, best play after it.

    Boards with these cards are ranked afresh, so nothing of a whole solution is needed.
    """
    deck, cards = counts.deck, counts.board.cards
    missing = cards - len(board)
    rest = np.array([place for place in range(deck.size) if place not in (*own, *board)])
    orders = np.array(list(permutations(rest.tolist(), missing)), np.int64).reshape(perm(len(rest), missing), missing)
    fixed = np.broadcast_to(np.array(sorted(board), np.int64), (len(orders), len(board)))
    boards = np.sort(np.concatenate([fixed, orders], axis=1), axis=1).astype(np.uint8)
    sets, number = np.unique(boards, axis=0, return_inverse=True)
    worth = finals_worth(counts, plan, np.ascontiguousarray(sets))[:, :, pair_of(own)]
    values = worth[:, number.reshape(-1)].reshape(len(plan.finals), *(len(rest) - at for at in range(missing)))
    for choosing in reversed(plan.steps):
        size = choosing.seen - PAIR
        if size < len(board):
            break
        while values.ndim - 1 > size - len(board):
            values = values.sum(axis=-1)
        ways = counts.ways(size)
        each = np.where(
            (choosing.follows == ENDED).reshape(*choosing.follows.shape, *[1] * (values.ndim - 1)),
            (choosing.ended * ways).reshape(*choosing.follows.shape, *[1] * (values.ndim - 1)),
            values[choosing.follows],
        )
        each[~choosing.legal] = np.iinfo(np.int64).min
        if size == len(board):
            return each
        values = each.max(axis=1)
    raise NotCountedError(f"Nobody is asked when {len(board)} cards of the board lie.")


def finals_worth(counts: BoardCounts, plan: ChoicePlan, boards: Places) -> Ints:
    """By final history, whole board and pair: what it is worth, summed over the dealer's holdings."""
    entries = np.zeros((len(boards), counts.pairs), np.uint32)
    rank_holdings(counts, boards, entries)
    worth = np.zeros((len(plan.finals), *entries.shape), np.int64)
    kernels.list_worth(counts.deck.size, boards, entries, counts.reaches, linear(counts, plan), worth)
    return worth
