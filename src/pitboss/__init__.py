"""pitboss: Pennsylvania's table-game regulations as cited, dated, executable law.

For training, analysis, submission checking and supervised demonstration. Not approved for wagering money.

>>> import pitboss
>>> rules = pitboss.rules(pitboss.game_names()[0], "2024-06-01")
>>> state = pitboss.play(rules, seed=7)
>>> while not state.is_over:
...     state = state.apply(state.legal_actions()[0])
>>> state.returns() == state.settlement.totals
True

Each name says what it does: ``help(pitboss.edge)``. Sub-packages have more: ``pitboss.law`` (chapters, cites, odds),
``pitboss.games`` (courses and rounds), ``pitboss.hands`` (ranks, one hand or a million), ``pitboss.exact``,
``pitboss.simulate``, ``pitboss.table``. Whatever is in no ``__all__`` is internal.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"
NOTICE = (
    "For training, analysis, submission checking and supervised demonstration. "
    "Not approved for wagering money (58 Pa. Code § 461a.4)."
)

if TYPE_CHECKING:
    from pitboss import exact, games, hands, law, table
    from pitboss.api import check_submission, game_names, load_submission, rules, settle_file
    from pitboss.api.edges import Edge, Sweep, edge, edges, sweep
    from pitboss.api.playing import State, play
    from pitboss.api.simulating import Simulation, simulate
    from pitboss.api.solving import Solution, solve
    from pitboss.cards import parse_cards, show_cards
    from pitboss.extras import MissingExtra
    from pitboss.findings import Finding, FindingsError, PitbossError, UnknownName, UnreadableError
    from pitboss.games.course import Sight
    from pitboss.games.round import Decision, Round, Seat
    from pitboss.games.rules import Choices, Rules
    from pitboss.games.settle import settle
    from pitboss.games.settlement import Line, Settlement
    from pitboss.submission import Submission, template
    from pitboss.table.memory import LiveTable

__all__ = [
    "NOTICE", "Choices", "Decision", "Edge", "Finding", "FindingsError", "Line", "LiveTable", "MissingExtra",
    "PitbossError", "Round", "Rules", "Seat", "Settlement", "Sight", "Simulation", "Solution", "State", "Submission",
    "Sweep", "UnknownName", "UnreadableError", "check_submission", "edge", "edges", "exact", "game_names", "games",
    "hands", "law", "load_submission", "parse_cards", "play", "rules", "settle", "settle_file", "show_cards",
    "simulate", "solve", "sweep", "table", "template",
]  # fmt: skip
_HOMES = {
    **dict.fromkeys(("check_submission", "game_names", "load_submission", "rules", "settle_file"), "api"),
    **dict.fromkeys(("Edge", "Sweep", "edge", "edges", "sweep"), "api.edges"),
    **dict.fromkeys(("State", "play"), "api.playing"),
    "Simulation": "api.simulating",
    **dict.fromkeys(("Solution", "solve"), "api.solving"),
    **dict.fromkeys(("parse_cards", "show_cards"), "cards"),
    "MissingExtra": "extras",
    **dict.fromkeys(("Finding", "FindingsError", "PitbossError", "UnknownName", "UnreadableError"), "findings"),
    "Sight": "games.course",
    **dict.fromkeys(("Decision", "Round", "Seat"), "games.round"),
    **dict.fromkeys(("Choices", "Rules"), "games.rules"),
    "settle": "games.settle",
    **dict.fromkeys(("Line", "Settlement"), "games.settlement"),
    **dict.fromkeys(("Submission", "template"), "submission"),
    "LiveTable": "table.memory",
}
"""Where a name is at home: loaded on first use, so that importing pitboss, and `pitboss --help`, stay quick."""


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        found = getattr(import_module(f"pitboss.{_HOMES[name]}"), name)
        globals()[name] = found
        return found
    if name in __all__:
        return import_module(f"pitboss.{name}")
    raise AttributeError(f"module 'pitboss' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted((*__all__, "__version__"))
