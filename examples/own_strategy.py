"""Ten million rounds of a strategy of one's own: asked once for each hand, then compiled."""

import sys

import pitboss
from pitboss import hands


def queen_six_four(sight: pitboss.Sight) -> str:
    return "play" if hands.THREE_CARD.score(sight.cards) >= LEAST else "fold"


LEAST = hands.THREE_CARD.score(hands.cards("Qc 6d 4h"))
rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000_000
rules = pitboss.rules("three-card-poker", "2024-06-01")
result = pitboss.simulate(rules, rounds, wagers={"ante": 1000}, strategy=queen_six_four, seed=1)
print(f"{float(result['main'].mean):.5f} +- {result['main'].standard_error:.5f}, exactly {result['main'].exact}")
