"""The best play as arrays, one hand in words, and what a simple rule costs, exactly."""

import numpy as np

import pitboss

solution = pitboss.solve(pitboss.rules("three-card-poker", "2024-06-01"))
print(solution.choices, solution.states.shape, np.bincount(solution.best, weights=solution.weights))
print({choice: float(value) for choice, value in solution.ev("Qs 6d 4c").items()})
gain = solution.values[:, 0] - solution.values[:, 1]
print("closest:", pitboss.show_cards(map(int, solution.states[np.abs(gain).argmin()])), gain[np.abs(gain).argmin()])
always = solution.evaluate(np.zeros(len(solution.states), np.int64))
print(f"always play: {float(always.house_edge):.4%} instead of {float(solution.edge.house_edge):.4%}")
