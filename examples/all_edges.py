"""The exact hold of every wager of a table."""

import pitboss

rules = pitboss.rules("three-card-poker", "2024-06-01", pair_plus="B")
for edge in pitboss.edges(rules):
    print(f"{edge.wager:28} {edge.paytable:2} {float(edge.house_edge):8.4%}  {edge.house_edge}")
