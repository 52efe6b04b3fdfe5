"""Rank a million seven-card hands and count what they are."""

import sys

import numpy as np

from pitboss import hands

rng = np.random.default_rng(1)
many = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
dealt = rng.random((many, 52)).argpartition(7, axis=1)[:, :7]
scores = hands.rank(dealt, "five-card")
names, counts = np.unique(hands.categories(scores, "five-card"), return_counts=True)
for name, count in sorted(zip(names, counts, strict=True), key=lambda each: each[1]):
    print(f"{name:16} {count:7}")
