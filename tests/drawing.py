"""A second way to value a draw in Lunar Poker, for checking: facts by the scalar rules, dealer's hands by sweep."""

from dataclasses import replace
from fractions import Fraction
from math import comb, lcm

import numpy as np
import numpy.typing as npt

from pitboss.cards import Card, Hand
from pitboss.exact.decks import Places, all_subsets
from pitboss.exact.rulelist import cells_of, parts_of
from pitboss.exact.sweep import count_below
from pitboss.exact.value import option_nets
from pitboss.games.contract import Game
from pitboss.games.rules import Rules
from pitboss.games.structure import Duel, Facts
from pitboss.hands import batch


def _hand(cards: npt.NDArray[np.uint8]) -> Hand:
    return tuple(Card(card) for card in cards.tolist())


_FACTS: dict[tuple[object, ...], dict[int, Facts]] = {}


class Drawing:
    """What drawing is worth, 671a.11(d): after the cards are seen the better of bet and fold is taken.

    The dealer's hands that avoid the drawn cards are counted by sweep. The player's first cards, discards among them,
    are not in ``unseen`` and so in no dealer's hand.
    """

    def __init__(
        self, game: Game, rules: Rules, duel: Duel, facts: Facts, unseen: npt.NDArray[np.uint8], scores: batch.Scores
    ) -> None:
        assert duel.suit_blind, "facts are remembered by score"
        self.game, self.rules, self.duel, self.unseen = game, rules, duel, unseen
        self.levels, ranks = np.unique(scores, return_inverse=True)
        self.ranks = ranks.reshape(-1).astype(np.int32)
        self.first_hand = facts["first_hand"]
        fee = Fraction(rules.figure("options_fee_antes"))
        self.options = [
            replace(
                choice,
                facts={**choice.facts, "drew": True},
                stakes={**choice.stakes, "options_fee": fee},
                wagered=choice.wagered + fee,
            )
            for choice in duel.options(rules, facts)
        ]
        tables = tuple(tuple(rules.tables[name].rows.items()) for name in duel.facts_read)
        self.by_score = _FACTS.setdefault((rules.game, rules.as_of, tables), {})

    def worth(self, kept: Hand, count: int) -> Fraction:
        """The mean over all ways to draw so many cards to those kept, exact."""
        n, size = len(self.unseen), self.duel.dealer_cards - 1
        draws = np.empty((comb(n, count), count), np.uint8)
        all_subsets(n, count, draws)
        final = np.concatenate([np.tile(np.array(kept, np.uint8), (len(draws), 1)), self.unseen[draws]], axis=1)
        own = batch.evaluate(self.duel.order, final)
        least = self.duel.qualifies or 0
        asked = np.stack(
            [
                np.searchsorted(self.levels, own, "left"),
                np.searchsorted(self.levels, own, "right"),
                np.full(len(own), np.searchsorted(self.levels, least)),
            ],
            axis=1,
        ).astype(np.int32)
        below = count_below(n, self.ranks, size, draws, asked)
        dealer_hands = comb(n - count, size)
        facts, row_of = self._facts(final, own)
        exact = [[option_nets(self.game, self.rules, each, choice) for choice in self.options] for each in facts]
        unit = lcm(*(net.denominator for rows in exact for nets in rows for net in nets))
        nets = np.array([[[int(net * unit) for net in row] for row in rows] for rows in exact], np.int64)
        total = 0
        for part in parts_of(len(draws)):
            lower, upto, unqualified = below[part].T
            cells = cells_of(lower, upto, unqualified, own[part] >= least, dealer_hands)
            values = np.einsum("sc,soc->so", cells, nets[row_of[part]])
            total += int(values.max(axis=1).sum())
        return Fraction(total, len(draws) * dealer_hands * unit)

    def _facts(self, final: Places, own: batch.Scores) -> tuple[list[Facts], npt.NDArray[np.intp]]:
        """Different facts among the final hands, and which of them each hand has.

        The score of a hand of five tells its facts; of six, a second combination may also use the card left over.
        """
        if final.shape[1] == self.duel.order.size:
            _, first, inverse = np.unique(own, return_index=True, return_inverse=True)
            for row in first:
                if int(own[row]) not in self.by_score:
                    self.by_score[int(own[row])] = self.duel.facts(self.rules, _hand(final[row]))
            listed = [self.by_score[int(own[row])] for row in first]
        else:
            listed, inverse = [self.duel.facts(self.rules, _hand(cards)) for cards in final], np.arange(len(final))
        numbers: dict[tuple[tuple[str, object], ...], int] = {}
        different: list[Facts] = []
        row_of_listed = np.empty(len(listed), np.intp)
        for row, found in enumerate(listed):
            facts = {**found, "first_hand": self.first_hand}
            key = tuple(sorted(facts.items()))
            if key not in numbers:
                numbers[key] = len(different)
                different.append(facts)
            row_of_listed[row] = numbers[key]
        return different, row_of_listed[inverse.reshape(-1)]
