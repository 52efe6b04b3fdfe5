"""Settle a round, every line with its paragraph."""

import pitboss

rules = pitboss.rules("four-card-poker", "2024-06-01", aces_up="C")
cards, dealer = pitboss.parse_cards("As Ad 9c 4h 2d"), pitboss.parse_cards("2c 7d 7h Jc Qs 3d")
seat = pitboss.Seat(1, cards, {"ante": 1000, "aces_up": 500}, {"decision": pitboss.Decision("play", 3000)})
settlement = pitboss.settle(rules, pitboss.Round(dealer, (seat,)))
for line in settlement.lines:
    print(f"{line.wager:10} {line.stake:6} {line.result:8} {line.net:+6} {line.cite:20} {line.why}")
print(settlement.totals)
