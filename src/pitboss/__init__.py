"""pitboss: Pennsylvania's table-game regulations as cited, dated, executable law.

For training, analysis, submission checking and supervised demonstration. Not approved for wagering money.

>>> import pitboss
>>> from datetime import date
>>> rules = pitboss.rules_for(pitboss.game_names()[0], date(2024, 6, 1))
>>> shown = pitboss.deal_and_settle(rules, seats=1, rng=__import__("random").Random(1))
>>> all(line.cite.startswith(rules.chapter.chapter) for line in shown.settlement.lines)
True
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"
NOTICE = (
    "For training, analysis, submission checking and supervised demonstration. "
    "Not approved for wagering money (58 Pa. Code § 461a.4)."
)

if TYPE_CHECKING:
    from pitboss.api import (
        Demonstration,
        check_submission,
        deal_and_settle,
        edge,
        game_names,
        load_submission,
        rules_for,
        settle_file,
    )
    from pitboss.cards import parse_cards
    from pitboss.findings import Finding, FindingsError, UnreadableError
    from pitboss.games.round import Decision, Round, Seat
    from pitboss.games.rules import Choices, Rules
    from pitboss.games.settle import settle
    from pitboss.games.settlement import Line, Settlement

__all__ = [
    "Choices", "Decision", "Demonstration", "Finding", "FindingsError", "Line", "Round", "Rules", "Seat", "Settlement",
    "UnreadableError", "check_submission", "deal_and_settle", "edge", "game_names", "load_submission", "parse_cards",
    "rules_for", "settle", "settle_file",
]  # fmt: skip
# Loaded on first use, so that importing pitboss, and `pitboss --help`, stay quick.
_HOMES = {
    "parse_cards": "cards",
    **dict.fromkeys(("Finding", "FindingsError", "UnreadableError"), "findings"),
    **dict.fromkeys(("Decision", "Round", "Seat"), "games.round"),
    **dict.fromkeys(("Choices", "Rules"), "games.rules"),
    "settle": "games.settle",
    **dict.fromkeys(("Line", "Settlement"), "games.settlement"),
}
"""Where a name is at home that is not of the interface's own module."""


def __getattr__(name: str) -> Any:
    if name in __all__:
        return getattr(import_module(f"pitboss.{_HOMES.get(name, 'api')}"), name)
    raise AttributeError(f"module 'pitboss' has no attribute {name!r}")
