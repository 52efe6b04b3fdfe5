"""A live table in memory: commands in, events out, and a refusal with its paragraph."""

import pitboss

live = pitboss.LiveTable("three-card-poker", "2024-06-01", seed=1)
live.sit(1, "ann", chips=500_000)
events = live.play_round({1: {"ante": 1000, "pair_plus": 500}})
print(" ".join(event.kind for event in events))
print(live, live.chips("ann"))
for finding in live.why_not("dealer", "wager", seat=1, wager="ante", amount=200_000):
    print(finding)
