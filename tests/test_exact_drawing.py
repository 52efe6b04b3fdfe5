"""Buying and exchanging in Lunar Poker: the engine against a second implementation, on the full deck."""

import os
from datetime import date
from itertools import combinations
from random import Random

import numpy as np
import pytest

from pitboss.api import rules_for
from pitboss.cards import DECK, Hand
from pitboss.exact.decks import all_subsets
from pitboss.exact.exchange import DrawValues
from pitboss.exact.strategy import analyse_duel
from pitboss.games.lunar_poker import LunarPoker, has_instant_payout
from pitboss.hands import LUNAR, batch
from tests.drawing import Drawing

STATES = 200 if os.environ.get("PITBOSS_TORTURE") else 2
"""Each is a hand and an up card with all of its 29 choices."""


@pytest.mark.law("671a.11(d)(1)(i)", "671a.11(d)(1)(ii)", "671a.11(d)(2)")
def test_every_choice_is_worth_what_the_second_implementation_says() -> None:
    game, rules, rng = LunarPoker(), rules_for("lunar-poker", date(2024, 6, 1)), Random(1)
    table, left = DrawValues(rules), STATES
    while left:
        *cards, up = rng.sample(DECK, 6)
        hand = tuple(sorted(cards))
        if has_instant_payout(hand):
            continue
        left -= 1
        unseen = np.array([card for card in DECK if card not in (*hand, up)], np.uint8)
        rest = np.empty((163_185, 4), np.uint8)
        all_subsets(len(unseen), 4, rest)
        dealt = np.concatenate([unseen[rest], np.full((len(rest), 1), up, np.uint8)], axis=1)
        drawing = Drawing(game, rules, game.duel, game.duel.facts(rules, hand), unseen, batch.evaluate(LUNAR, dealt))
        second = {gone: drawing.worth(_without(hand, gone), n) for n in range(2, 6) for gone in combinations(hand, n)}
        assert len(second) == 26
        assert {gone: table.exchange(hand, up, gone) for gone in second} == second, (hand, up)
        # What ``pitboss hand`` shows: bet and fold with the dealer's hands written out.
        shown = analyse_duel(game, rules, hand, up, exchange=False).values
        assert {**table.first(hand, up), "buy": drawing.worth(hand, 1)} == shown, (hand, up)


def _without(hand: Hand, gone: Hand) -> Hand:
    return tuple(card for card in hand if card not in gone)
