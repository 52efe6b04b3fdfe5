"""Buying and exchanging in Lunar Poker: the engine against a second implementation, on the full deck."""

from datetime import date
from itertools import combinations
from random import Random

import numpy as np
import pytest

from pitboss.api import rules_for
from pitboss.cards import DECK
from pitboss.exact.decks import all_subsets
from pitboss.exact.strategy import analyse_duel
from pitboss.games.lunar_poker import LunarPoker, has_instant_payout
from pitboss.hands import LUNAR, batch
from tests.drawing import Drawing


@pytest.mark.law("671a.11(d)(1)(i)", "671a.11(d)(1)(ii)", "671a.11(d)(2)")
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_every_draw_is_worth_what_the_second_implementation_says(seed: int) -> None:
    game, rules = LunarPoker(), rules_for("lunar-poker", date(2024, 6, 1))
    *cards, up = Random(seed).sample(DECK, 6)
    hand = tuple(sorted(cards))
    assert not has_instant_payout(hand)
    found = analyse_duel(game, rules, hand, up)
    unseen = np.array([card for card in DECK if card not in (*hand, up)], np.uint8)
    rest = np.empty((163_185, 4), np.uint8)
    all_subsets(len(unseen), 4, rest)
    dealt = np.concatenate([unseen[rest], np.full((len(rest), 1), up, np.uint8)], axis=1)
    drawing = Drawing(game, rules, game.duel, game.duel.facts(rules, hand), unseen, batch.evaluate(LUNAR, dealt))
    assert found.values["buy"] == drawing.worth(hand, 1)
    assert len(found.exchanges) == 26
    for kept in combinations(hand, 3):
        gone = tuple(card for card in hand if card not in kept)
        assert found.exchanges[gone] == drawing.worth(kept, 2)
    assert found.exchanges[hand[1:]] == drawing.worth(hand[:1], 4)
