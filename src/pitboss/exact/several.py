"""A hand against a dealer several of whose cards are known: every set of known cards up to the names of suits.

The known cards leave the deck and every dealer's hand, so what is left of a dealer's hand is counted on a smaller deck
by the same sweep. Which of them lies face up, if one does, makes no difference to a player who sees them all.

Of a suit that can no longer make a flush in the dealer's hand only ranks matter. A player's hands that hold the same
cards of the other suits, the same ranks of this kind and rank alike take the same cards from the dealer: they are one
*group*, counted once. With four cards known these are 7,462 groups in most cases, in place of 1,712,304 hands.
"""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from math import comb
from os import cpu_count
from typing import Final

import numpy as np
import numpy.typing as npt
from numba import njit

from pitboss.exact.board_classes import board_keys, named_suits
from pitboss.exact.by_heart import Lists
from pitboss.exact.decks import SUITS, Ints, Places, SmallDeck, subsets_of, suit_classes
from pitboss.exact.duel import Progress, Solved, hand_scores
from pitboss.exact.facets import NotCountedError
from pitboss.exact.rulelist import parts_of, state_cells
from pitboss.exact.sweep import Ranks, count_below
from pitboss.exact.value import WORKERS, Kinds, Picked, Result, Valued, pay_grid, weigh
from pitboss.games.contract import Game
from pitboss.games.rules import Rules
from pitboss.games.structure import Duel
from pitboss.hands import batch

MOST: Final = 10**9
"""HandGroups that are counted, over all sets of known cards; more would take hours."""
_AT_ONCE: Final = 256
"""Sets of known cards that are counted before what they are worth is added up."""


@dataclass(frozen=True)
class SeveralKnown:
    """The best play against known cards, and what it is worth by them."""

    result: Result
    by_cards: Mapping[tuple[int, ...], Fraction]
    by_heart: Fraction
    """The best list with a threshold for each set of known ranks."""


def facing_several(
    game: Game, rules: Rules, duel: Duel, many: int, deck: SmallDeck, progress: Progress | None
) -> SeveralKnown:
    """Raise ``NotCountedError`` where it would take hours, or where suits change what a hand pays."""
    classes = suit_classes(deck, many)
    known, weights = np.array([_suits_by_length(each) for each in classes.hands.tolist()], np.uint8), classes.weights
    missing = duel.dealer_cards - many
    told = [_told_apart(each, missing, duel.order.size) for each in known]
    levels = np.unique(hand_scores(duel.order, deck, duel.order.size))
    scores, dealers = (hand_scores(duel.order, deck, size) for size in (duel.player_cards, duel.dealer_cards))
    own, ranks = (np.searchsorted(levels, each).astype(np.int32) for each in (scores, dealers))
    hands = subsets_of(deck.size, duel.player_cards)

    @cache
    def grouped(suits: tuple[int, int]) -> HandGroups:
        return groups_of(hands, own, *suits)

    if sum(map(len, map(grouped, told))) > MOST:
        raise NotCountedError(f"What {many} of the dealer's cards are worth in {game.name} would take hours to count.")
    kinds, first = np.unique(own, return_index=True)
    kind_hands = hands[first]
    least = 0 if duel.qualifies is None else int(np.searchsorted(levels, duel.qualifies))
    grid = pay_grid(game, rules, Kinds(deck, kind_hands), duel)
    if not duel.suit_blind:
        every = pay_grid(game, rules, Kinds(deck, hands), duel)
        alike = grid.fact_of_kind[np.searchsorted(kinds, own)]
        if grid.unit != every.unit or (grid.nets[alike] != every.nets[every.fact_of_kind]).any():
            raise NotCountedError(f"A suit changes what the main wagers of {game.name} pay, which is not counted here.")

    seen = {cards: at for at, cards in enumerate(dict.fromkeys(map(_ranks, classes.hands.tolist())))}
    ranked = [seen[_ranks(cards)] for cards in classes.hands.tolist()]

    def played_with(place: int) -> tuple[Valued, Lists]:
        cards = known[place]
        rows, ways = grouped(told[place]).without(cards)
        mine = own[rows]
        asked = np.stack([mine, mine + 1, np.full(len(mine), least, np.int32)], axis=1)
        below = _left(deck, ranks, duel.dealer_cards, cards, hands[rows], asked)
        solved = Solved(
            deck=deck,
            dealer_hands=comb(deck.size - many - duel.player_cards, missing),
            hands=hands[rows],
            ups=np.zeros(0, np.uint8),
            weights=ways * weights[place],
            kinds=np.searchsorted(kinds, mine).astype(np.int32),
            kind_hands=kind_hands,
            kind_qualifies=kinds >= least,
            lower=np.ascontiguousarray(below[:, 0]),
            upto=np.ascontiguousarray(below[:, 1]),
            unqualified=np.ascontiguousarray(below[:, 2]) if least else np.zeros(0, np.int32),
        )
        lists = Lists(grid, len(kinds))
        for part in parts_of(len(rows)):
            facts, few = grid.fact_of_kind[solved.kinds[part]], solved.weights[part].astype(np.int64)
            each_worth = np.einsum("sx,scx->sc", state_cells(solved, part), grid.nets[facts])
            rungs = solved.kinds[part].astype(np.int64)
            lists.add(each_worth, facts, few, rungs, np.full(len(facts), ranked[place]))
        played = weigh(solved, grid, duel.required)
        return replace(played, find=_no_states), lists

    tallies, chosen = np.zeros(grid.nets.shape, np.int64), np.zeros(grid.legal.shape, np.int64)
    ties = deals = states = 0
    worth: dict[tuple[int, ...], Fraction] = {}
    together = Lists(grid, len(kinds))
    with ThreadPoolExecutor(max(WORKERS, cpu_count() or 1)) as pool:
        for start in range(0, len(known), _AT_ONCE):
            places = range(start, min(start + _AT_ONCE, len(known)))
            for done, (played, lists) in zip(places, pool.map(played_with, places), strict=True):
                tallies, chosen = tallies + played.tallies, chosen + played.chosen
                ties, deals, states = ties + played.ties, deals + played.deals, states + played.states
                worth[tuple(classes.hands[done].tolist())] = played.result.expected_value
                together.join(lists)
                if progress is not None:
                    progress("counting known cards", (done + 1) / len(known))
    whole = Valued(grid, tallies, chosen, ties, duel.required, deals, states, _no_states)
    return SeveralKnown(whole.result, worth, Fraction(together.best(), deals * grid.unit))


def _no_states() -> tuple[Solved, Picked]:
    raise NotCountedError("The states of several known cards are not kept.")


def _ranks(cards: list[int]) -> tuple[int, ...]:
    return tuple(card // SUITS for card in cards)


def _suits_by_length(cards: list[int]) -> list[int]:
    """The cards with suits renamed: those that hold most of them come first."""
    suits = [card % SUITS for card in cards]
    name = {suit: at for at, suit in enumerate(sorted(range(SUITS), key=lambda suit: -suits.count(suit)))}
    return sorted(card - card % SUITS + name[card % SUITS] for card in cards)


def _told_apart(cards: Places, missing: int, flush: int) -> tuple[int, int]:
    """How many suits can still make a flush in the dealer's hand, and how many suits the known cards have.

    Suits are in order of how many known cards they have, so both are the first ones.
    """
    held = np.bincount(cards % SUITS, minlength=SUITS)
    return int((held + missing >= flush).sum()), named_suits(cards.tolist())


@dataclass(frozen=True)
class HandGroups:
    """A player's hands, those of one group side by side."""

    rows: Ints
    """The number of each hand."""
    cards: Ints
    """Its places, as bits."""
    starts: Ints

    def __len__(self) -> int:
        return len(self.starts) - 1

    def without(self, cards: Places) -> tuple[Ints, Ints]:
        """A hand of each group that holds none of these cards, and how many such hands there are."""
        first, ways = np.empty(len(self), np.int64), np.zeros(len(self), np.int64)
        _count_free(self.cards, self.starts, int((1 << cards.astype(np.int64)).sum()), first, ways)
        rows = np.flatnonzero(ways)
        return self.rows[first[rows]], ways[rows]


def groups_of(hands: Places, own: Ranks, suits: int, named: int) -> HandGroups:
    """Hands that rank alike, hold the same cards of the first suits, and the same ranks of the others.

    Where all suits matter, those that no known card has are alike, and hands that differ by their names are a group.
    """
    cards = (1 << hands.astype(np.int64)).sum(axis=1)
    if suits > named:
        key = _numbered(board_keys(hands, named))
    elif suits >= SUITS - 1:
        key = np.arange(len(hands))
    else:
        others = np.where(hands % SUITS >= suits, (SUITS + 1) ** (hands // SUITS).astype(np.int64), 0).sum(axis=1)
        key = _numbered(_numbered(others) * (int(own.max()) + 1) + own)
        for suit in range(suits):
            same = np.where(hands % SUITS == suit, 1 << (hands // SUITS).astype(np.int64), 0).sum(axis=1)
            key = _numbered(key * (1 << int(same.max()).bit_length()) + same)
    order = np.argsort(key, kind="stable")
    return HandGroups(order, cards[order], np.searchsorted(key[order], np.arange(int(key.max()) + 2)))


def _numbered(keys: Ints) -> Ints:
    """The keys as small integers, in their order."""
    return np.asarray(np.unique(keys, return_inverse=True)[1].reshape(-1), np.int64)


@njit(cache=True, nogil=True)
def _count_free(cards: Ints, starts: Ints, known: int, first: Ints, ways: Ints) -> None:
    """How many hands of each group avoid the known cards, and one of them."""
    for group in range(len(ways)):
        found = 0
        for row in range(starts[group], starts[group + 1]):
            if cards[row] & known == 0:
                found += 1
                first[group] = row
        ways[group] = found


def _left(
    deck: SmallDeck, ranks: Ranks, size: int, cards: Places, hands: Places, asked: Ranks
) -> npt.NDArray[np.int32]:
    """For each hand and threshold: the dealer's hands of lower rank that hold the cards and avoid the hand."""
    rest, missing = deck.size - len(cards), size - len(cards)
    left = np.setdiff1d(np.arange(deck.size, dtype=np.uint8), cards)
    others = left[subsets_of(rest, missing)]
    whole = np.concatenate([np.broadcast_to(cards, (len(others), len(cards))), others], axis=1)
    ranked = ranks[batch.subset_index(whole)]
    if not missing:
        return np.asarray(ranked[0] < asked, np.int32)
    shifted = np.searchsorted(left, hands).astype(np.uint8)
    return count_below(rest, ranked, missing, shifted, asked).astype(np.int32)
