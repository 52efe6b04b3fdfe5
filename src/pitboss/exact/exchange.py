"""A duel with exchange of cards: exact values of single states, for any pays at once.

After an exchange the player knows the final cards, the discards and the up card. The discards are dead: the dealer
cannot hold them and they cannot be drawn. For one state of five cards and an up card every draw is valued exactly
by the same rank sweep, on the deck without those six cards, so that only the drawn cards are left to exclude.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import comb

import numpy as np

from pitboss.exact import draw_kernels
from pitboss.exact import exchange_kernels as kernels
from pitboss.exact.decks import BINOMIAL, FULL, Ints, Places, SmallDeck, subsets_of
from pitboss.exact.draw import (
    DUEL,
    FIVE,
    DrawPays,
    facts_of,
    options_after_draw,
    pays,
)
from pitboss.exact.draw_kernels import Codes
from pitboss.exact.duel import hand_scores
from pitboss.exact.sweep import Ranks
from pitboss.games.rules import Rules

_MORE = DUEL.dealer_cards - 1
_STEPS: Ints = np.ascontiguousarray(BINOMIAL.T)


class DrawValues:
    """Exact values of single states of a deck under given rules."""

    def __init__(self, rules: Rules, deck: SmallDeck = FULL) -> None:
        self.rules, self.deck = rules, deck
        scores = hand_scores(DUEL.order, deck, FIVE)
        self._levels = np.unique(scores)
        self._ranks: Ranks = np.searchsorted(self._levels, scores).astype(np.int32)
        assert DUEL.qualifies is not None
        self._least = int(np.searchsorted(self._levels, DUEL.qualifies))
        codes = facts_of(deck.cards[subsets_of(deck.size, FIVE)])[1]
        self._codes, facts = np.unique(codes, return_inverse=True)
        self._facts: Codes = facts.reshape(-1).astype(np.int32)
        self._drawn = pays(rules, self._codes, options_after_draw)
        self._first = pays(rules, self._codes, DUEL.options)
        self._draws = {count: subsets_of(deck.size - FIVE - 1, count) for count in range(FIVE + 1)}

    def first(self, cards: Sequence[int], up: int) -> dict[str, Fraction]:
        """What each choice without a draw is worth, by places."""
        number = int(kernels.number(np.array(sorted(cards), np.uint8), BINOMIAL))
        fact = int(self._facts[number])
        rest, ranks = self._rest([*cards, up], up)
        own = self._ranks[number]
        lower, upto, none = (int((ranks < level).sum()) for level in (own, own + 1, self._least))
        packed, cells = np.zeros(1, np.int64), np.zeros(draw_kernels.CELL_COUNT, np.int64)
        draw_kernels.pack(np.array([[lower, upto, none]]), np.zeros(1, np.int64), packed)
        hands = comb(len(rest), _MORE)
        draw_kernels.cells_of(int(packed[0]), bool(self._first.qualifies[fact]), hands, cells)
        return {
            name: Fraction(int((cells * self._first.nets[fact, place]).sum()), hands * self._first.unit)
            for place, name in enumerate(self._first.names)
            if self._first.legal[fact, place]
        }

    def buy(self, cards: Sequence[int], up: int) -> Fraction:
        """The value of buying a sixth card, the fee paid."""
        rest, ranks = self._rest([*cards, up], up)
        drawn = self._draws[1]
        final = np.sort(np.hstack([np.tile(np.array(cards, np.uint8), (len(drawn), 1)), rest[drawn]]), axis=1)
        best, codes = facts_of(self.deck.cards[final])
        kinds, facts = np.unique(codes, return_inverse=True)
        own = np.searchsorted(self._levels, best).astype(np.int32)
        pay = pays(self.rules, kinds, options_after_draw)
        return self._mean(rest, ranks, drawn, own, facts.reshape(-1).astype(np.int32), pay)

    def exchange(self, cards: Sequence[int], up: int, discard: Sequence[int], dead: bool = True) -> Fraction:
        """The value of exchanging some cards, the fee paid and the best of bet and fold taken after each draw.

        With ``dead`` false the discards are wrongly taken for cards that the dealer may hold.
        """
        keep = np.array(sorted(set(cards) - set(discard)), np.uint8)
        gone = [*cards, up] if dead else [*keep, up]
        rest, ranks = self._rest(gone, up)
        drawable = np.flatnonzero(~np.isin(rest, discard)).astype(np.uint8)
        drawn = drawable[self._draws[len(discard)]]
        numbers = np.empty(len(drawn), np.int64)
        kernels.number_joined(keep, rest, drawn, BINOMIAL, numbers)
        return self._mean(rest, ranks, drawn, self._ranks[numbers], self._facts[numbers], self._drawn)

    def _rest(self, gone: Sequence[int], up: int) -> tuple[Places, Ranks]:
        """The places left, and the rank of every four of them together with the up card."""
        rest = np.setdiff1d(np.arange(self.deck.size, dtype=np.uint8), np.array(gone, np.uint8))
        ranks = np.empty(comb(len(rest), _MORE), np.int32)
        kernels.ranks_with_up(rest, up, self._ranks, BINOMIAL, ranks)
        return rest, ranks

    def _mean(self, rest: Places, ranks: Ranks, drawn: Places, own: Ranks, facts: Codes, pay: DrawPays) -> Fraction:
        hands = comb(len(rest) - drawn.shape[1], _MORE)
        # A hand that would not qualify is paid alike whatever an unqualified dealer holds; then nobody need compare.
        low = pay.nets[~pay.qualifies]
        alike = bool((low[:, :, :1] == low[:, :, :3]).all())
        total = kernels.draw_total(
            len(rest),
            ranks,
            self._least,
            drawn,
            own,
            facts,
            pay.nets,
            pay.qualifies,
            hands,
            self._least if alike else 0,
            _STEPS,
        )
        return Fraction(int(total), len(drawn) * hands * pay.unit)
