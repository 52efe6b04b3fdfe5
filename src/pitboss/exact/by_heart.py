"""The best list that a player could learn: thresholds for each thing seen, the stronger hand the larger wager.

Best play looks at every own card, because each takes a card from the dealer; a list looks at the rank of the hand only.
Where a choice isn't open the hand takes the next smaller wager.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from pitboss.cards import parse_cards
from pitboss.exact.decks import Ints
from pitboss.exact.duel import Solved
from pitboss.exact.value import PayGrid, Picked
from pitboss.games.structure import Duel, Thresholds
from pitboss.hands import batch


class Lists:
    """What each choice is worth by what is seen and by the rank of the hand, added up part by part."""

    def __init__(self, grid: PayGrid, levels: int) -> None:
        self._order = sorted(range(len(grid.names)), key=lambda choice: grid.wagered[grid.names[choice]])
        self._legal, self._levels = grid.legal, levels
        self._sums: dict[int, Ints] = {}

    def add(self, worth: Ints, facts: npt.NDArray[np.int32], weights: Ints, ranks: Ints, seen: Ints) -> None:
        """States with the worth of each choice, a number for what is seen, and the hand's rank as a small integer."""
        choices = np.empty((len(self._order), len(worth)), np.int64)
        for place, choice in enumerate(self._order):
            column = worth[:, choice]
            choices[place] = np.where(self._legal[facts, choice], column, choices[place - 1] if place else column)
        for each in np.unique(seen).tolist():
            rows = seen == each
            sums = self._sums.setdefault(each, np.zeros((len(self._order), self._levels), np.int64))
            for place in range(len(self._order)):
                np.add.at(sums[place], ranks[rows], (choices[place] * weights)[rows])

    def join(self, other: "Lists") -> None:
        """Add what another has added up."""
        for each, sums in other._sums.items():
            self._sums[each] = self._sums[each] + sums if each in self._sums else sums

    def best(self) -> int:
        """What the best lists are worth together."""
        return sum(map(_best, self._sums.values()))


def ranked_kinds(duel: Duel, counted: Solved) -> Ints:
    """The rank of each kind of hand as a small integer, whatever its suits are."""
    scores = batch.evaluate(duel.order, counted.deck.cards[counted.kind_hands])
    return np.asarray(np.unique(scores, return_inverse=True)[1].reshape(-1), np.int64)


def by_threshold(duel: Duel, play: Thresholds, counted: Solved, grid: PayGrid, seen: Sequence[str]) -> Picked:
    """The choice that a list makes in every state, by what is seen there; of a single choice that one is taken."""
    scores = batch.evaluate(duel.order, counted.deck.cards[counted.kind_hands]).astype(np.int64)[counted.kinds]
    least = {name: duel.order.score(parse_cards(hand)) for name, hand in play.least.items()}
    acts = scores >= np.array([least.get(each, 0) for each in seen], np.int64)
    picked = np.where(acts, grid.names.index(play.choice), grid.names.index(play.otherwise))
    facts = grid.fact_of_kind[counted.kinds]
    return np.where(grid.legal[facts, picked], picked, grid.legal[facts].argmax(axis=1)).astype(np.uint8)


def _best(sums: Ints) -> int:
    """The best thresholds: hands below a rank, whatever they do, are worth most with the choices up to some wager."""
    below: Ints = np.concatenate([[0], np.cumsum(sums[0])])
    for each in sums[1:]:
        larger = np.concatenate([[0], np.cumsum(each)])
        below = larger + np.maximum.accumulate(below - larger)
    return int(below[-1])
