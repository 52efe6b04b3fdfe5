"""Exact mathematics: outcomes counted, not sampled. Needs the extra ``exact`` (NumPy and Numba)."""
