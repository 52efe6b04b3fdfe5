"""Exact mathematics: counts of all deals, best play, and what follows (extra ``exact``)."""

from typing import TYPE_CHECKING

from pitboss.lazy import names_of

if TYPE_CHECKING:
    from pitboss.exact.edge import Variant, edge_rows, variants
    from pitboss.exact.engine import play_of
    from pitboss.exact.facets import NotCountedError
    from pitboss.exact.strategy import HandAnalysis, analyse_hand, write_table
    from pitboss.exact.value import Moments, Result, Valued
    from pitboss.exact.whatif import what_if
else:
    __getattr__, __dir__ = names_of(
        __name__,
        {
            "edge": "Variant edge_rows variants",
            "engine": "play_of",
            "facets": "NotCountedError",
            "strategy": "HandAnalysis analyse_hand write_table",
            "value": "Moments Result Valued",
            "whatif": "what_if",
        },
    )

__all__ = [
    "HandAnalysis", "Moments", "NotCountedError", "Result", "Valued", "Variant", "analyse_hand", "edge_rows",
    "play_of", "variants", "what_if", "write_table",
]  # fmt: skip
