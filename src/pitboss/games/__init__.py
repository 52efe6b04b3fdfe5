"""The games: resolved rules, rounds, and their settlement in the order of the law."""
