"""What if the flush of Pair Plus paid something else? A plot, where Matplotlib is there."""

import sys

import pitboss

rules = pitboss.rules("three-card-poker", "2024-06-01")
sweep = pitboss.sweep(rules, "pair_plus", "flush", range(1, 11))
for pays, hold in zip(sweep.pays, sweep.house_edges, strict=True):
    print(f"flush {pays:2} to 1: {float(hold):8.4%}")
if len(sys.argv) > 1:
    from matplotlib import pyplot

    pyplot.plot(sweep.pays, [float(hold) for hold in sweep.house_edges])
    pyplot.savefig(sys.argv[1])
