"""Solving a duel: every information state of the player, with the dealer's hands counted below, level and above.

The counts know no pay table: they are found once, kept, and valued with any pay table afterwards.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import comb

import numpy as np
import numpy.typing as npt

from pitboss.exact.decks import FULL, Places, SmallDeck, subsets_of, suit_classes
from pitboss.exact.sweep import Ranks, count_below
from pitboss.games.structure import Duel
from pitboss.hands import batch
from pitboss.hands.orders import RankOrder

Progress = Callable[[str, float], None]
Counts = npt.NDArray[np.int32]
NO_UP = 255
SUITS = 4


@dataclass(frozen=True)
class Solved:
    """The counts of one duel on one deck, state by state."""

    deck: SmallDeck
    dealer_hands: int
    """Dealer's hands that each state leaves possible."""
    hands: Places
    ups: npt.NDArray[np.uint8]
    """The place of the dealer's up card, or ``NO_UP``."""
    weights: npt.NDArray[np.uint8]
    """How many (hand, up card) pairs each state stands for."""
    kinds: npt.NDArray[np.int32]
    """Hands whose own facts cannot differ are of one kind."""
    kind_hands: Places
    """One hand of each kind."""
    kind_qualifies: npt.NDArray[np.bool_]
    """Whether a hand of this kind reaches what the dealer needs."""
    lower: Counts
    """Dealer's hands below the player's."""
    upto: Counts
    """Dealer's hands below the player's or level with it."""
    unqualified: Counts
    """Dealer's hands that do not qualify; empty where every hand does."""

    @property
    def states(self) -> int:
        """How many (hand, up card) pairs there are."""
        return int(self.weights.sum(dtype=np.int64))

    @property
    def deals(self) -> int:
        return self.states * self.dealer_hands


ARRAYS = ("hands", "ups", "weights", "kinds", "kind_hands", "kind_qualifies", "lower", "upto", "unqualified")


def hand_scores(order: RankOrder, deck: SmallDeck, size: int) -> npt.NDArray[np.int32]:
    """The best score of every hand of ``size`` places, by number."""
    if deck == FULL:
        return batch.best_scores(order, size)
    return batch.evaluate(order, deck.cards[subsets_of(deck.size, size)])


def solve(duel: Duel, deck: SmallDeck = FULL, progress: Progress | None = None, workers: int = 2) -> Solved:
    """Count the dealer's hands for every information state.

    An up card of every rank is tried in one suit only; its four suits are alike, so each state counts four times.
    """
    tell = progress or (lambda _what, _share: None)
    tell("ranking hands", 0.0)
    player_scores = hand_scores(duel.order, deck, duel.player_cards)
    same_size = duel.dealer_cards == duel.player_cards
    dealer_scores = player_scores if same_size else hand_scores(duel.order, deck, duel.dealer_cards)
    levels = np.unique(hand_scores(duel.order, deck, duel.order.size))
    ranks: Ranks = np.searchsorted(levels, dealer_scores).astype(np.int32)
    least = 0 if duel.qualifies is None else int(np.searchsorted(levels, duel.qualifies))
    # With an up card, whose suit is fixed, the other three may change names.
    player = suit_classes(deck, duel.player_cards, int(duel.up_card) if duel.suit_blind else SUITS)
    own = np.searchsorted(levels, player_scores[batch.subset_index(player.hands)]).astype(np.int32)
    kinds, first = _kinds(duel, own)
    ups = [SUITS * rank for rank in range(len(deck.ranks))] if duel.up_card else [None]
    done = 0

    def with_up(up: int | None) -> tuple[npt.NDArray[np.intp], Counts]:
        nonlocal done
        rows = np.arange(len(own)) if up is None else np.flatnonzero(~(player.hands == up).any(axis=1))
        mine = own[rows]
        columns = [mine, mine + 1] + ([np.full(len(mine), least, np.int32)] if least else [])
        asked = np.stack(columns, axis=1)
        below = count_below(deck.size, ranks, duel.dealer_cards, player.hands[rows], asked, up).astype(np.int32)
        done += 1
        tell("counting dealer's hands", done / len(ups))
        return rows, below

    with ThreadPoolExecutor(workers) as pool:
        counted = list(pool.map(with_up, ups))
    tell("gathering states", 1.0)
    rows = np.concatenate([found for found, _ in counted])
    below = np.concatenate([answers for _, answers in counted])
    sizes = [len(found) for found, _ in counted]
    places = np.array([NO_UP if up is None else up for up in ups], np.uint8)
    unseen = deck.size - duel.player_cards
    return Solved(
        deck=deck,
        dealer_hands=comb(unseen - 1, duel.dealer_cards - 1) if duel.up_card else comb(unseen, duel.dealer_cards),
        hands=player.hands[rows],
        ups=np.repeat(places, sizes),
        weights=(player.weights[rows] * (SUITS if duel.up_card else 1)).astype(np.uint8),
        kinds=kinds[rows],
        kind_hands=player.hands[first],
        kind_qualifies=own[first] >= least,
        lower=np.ascontiguousarray(below[:, 0]),
        upto=np.ascontiguousarray(below[:, 1]),
        unqualified=np.ascontiguousarray(below[:, 2]) if least else np.zeros(0, np.int32),
    )


def _kinds(duel: Duel, own: Ranks) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.intp]]:
    """Without suits in play the score says all about a hand's facts; with them each hand is a kind of its own."""
    if not duel.suit_blind:
        return np.arange(len(own), dtype=np.int32), np.arange(len(own))
    _, first, inverse = np.unique(own, return_index=True, return_inverse=True)
    return inverse.reshape(-1).astype(np.int32), first
