"""A hand against a dealer several of whose cards are known: every set of known cards up to the names of suits.

The known cards leave the deck and every dealer's hand, so what is left of a dealer's hand is counted on a smaller deck
by the same sweep. Which of them lies face up, if one does, makes no difference to a player who sees them all.
"""

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Final

import numpy as np

from pitboss.exact.board_classes import named_suits
from pitboss.exact.by_heart import Lists
from pitboss.exact.decks import SUITS, Classes, Places, SmallDeck, subsets_of, suit_classes
from pitboss.exact.duel import Progress, Solved, hand_scores
from pitboss.exact.facets import NotCountedError
from pitboss.exact.rulelist import parts_of, state_cells
from pitboss.exact.sweep import Ranks, count_below
from pitboss.exact.value import WORKERS, Kinds, Result, Valued, pay_grid, weigh
from pitboss.games.contract import Game
from pitboss.games.rules import Rules
from pitboss.games.structure import Duel
from pitboss.hands import batch

MOST: Final = 4 * 10**8
"""States that are counted; more would take hours."""


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
    known = suit_classes(deck, many)
    fixed = [named_suits(tuple(each)) for each in known.hands.tolist()]
    players = {each: suit_classes(deck, duel.player_cards, each) for each in sorted({*fixed})}
    if sum(len(players[each].hands) for each in fixed) > MOST:
        raise NotCountedError(f"What {many} of the dealer's cards are worth in {game.name} would take hours to count.")
    levels = np.unique(hand_scores(duel.order, deck, duel.order.size))
    scores, dealers = (hand_scores(duel.order, deck, size) for size in (duel.player_cards, duel.dealer_cards))
    own, ranks = (np.searchsorted(levels, each).astype(np.int32) for each in (scores, dealers))
    hands = subsets_of(deck.size, duel.player_cards)
    kinds, first = np.unique(own, return_index=True)
    kind_hands = hands[first]
    least = 0 if duel.qualifies is None else int(np.searchsorted(levels, duel.qualifies))
    grid = pay_grid(game, rules, Kinds(deck, kind_hands), duel)
    if not duel.suit_blind:
        every = pay_grid(game, rules, Kinds(deck, hands), duel)
        alike = grid.fact_of_kind[np.searchsorted(kinds, own)]
        if grid.unit != every.unit or (grid.nets[alike] != every.nets[every.fact_of_kind]).any():
            raise NotCountedError(f"A suit changes what the main wagers of {game.name} pay, which is not counted here.")

    def solved_with(place: int) -> Solved:
        cards = known.hands[place]
        classes = _without(players[fixed[place]], cards)
        mine = own[batch.subset_index(classes.hands)]
        asked = np.stack([mine, mine + 1, np.full(len(mine), least, np.int32)], axis=1)
        below = _left(deck, ranks, duel.dealer_cards, cards, classes.hands, asked)
        return Solved(
            deck=deck,
            dealer_hands=comb(deck.size - many - duel.player_cards, duel.dealer_cards - many),
            hands=classes.hands,
            ups=np.zeros(0, np.uint8),
            weights=(classes.weights * known.weights[place]).astype(np.uint8),
            kinds=np.searchsorted(kinds, mine).astype(np.int32),
            kind_hands=kind_hands,
            kind_qualifies=kinds >= least,
            lower=np.ascontiguousarray(below[:, 0]),
            upto=np.ascontiguousarray(below[:, 1]),
            unqualified=np.ascontiguousarray(below[:, 2]) if least else np.zeros(0, np.int32),
        )

    tallies, chosen = np.zeros(grid.nets.shape, np.int64), np.zeros(grid.legal.shape, np.int64)
    ties = deals = states = 0
    worth: dict[tuple[int, ...], Fraction] = {}
    lists, of_kind = Lists(grid, len(kinds)), grid.fact_of_kind
    seen = {cards: at for at, cards in enumerate(dict.fromkeys(map(tuple, (known.hands // SUITS).tolist())))}

    def each() -> Iterator[Solved]:
        with ThreadPoolExecutor(WORKERS) as pool:
            for start in range(0, len(fixed), WORKERS):
                yield from pool.map(solved_with, range(start, min(start + WORKERS, len(fixed))))

    for done, solved in enumerate(each()):
        played = weigh(solved, grid, duel.required)
        tallies, chosen = tallies + played.tallies, chosen + played.chosen
        ties, deals, states = ties + played.ties, deals + played.deals, states + played.states
        worth[tuple(known.hands[done].tolist())] = played.result.expected_value
        ranked = seen[tuple((known.hands[done] // SUITS).tolist())]
        for part in parts_of(len(solved.kinds)):
            facts, weights = of_kind[solved.kinds[part]], solved.weights[part].astype(np.int64)
            each_worth = np.einsum("sx,scx->sc", state_cells(solved, part), grid.nets[facts])
            lists.add(each_worth, facts, weights, solved.kinds[part].astype(np.int64), np.full(len(facts), ranked))
        if progress is not None:
            progress("counting known cards", (done + 1) / len(fixed))
    whole = Valued(grid, tallies, chosen, ties, duel.required, deals, states, played.find)
    return SeveralKnown(whole.result, worth, Fraction(lists.best(), deals * grid.unit))


def _without(classes: Classes, cards: Places) -> Classes:
    """The hands that hold none of the cards."""
    rows = ~np.isin(classes.hands, cards).any(axis=1)
    return Classes(classes.hands[rows], classes.weights[rows])


def _left(deck: SmallDeck, ranks: Ranks, size: int, cards: Places, hands: Places, asked: Ranks) -> Ranks:
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
