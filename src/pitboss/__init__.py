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

from typing import TYPE_CHECKING

from pitboss.lazy import names_of

__version__ = "0.1.0"
NOTICE = (
    "For training, analysis, submission checking and supervised demonstration. "
    "Not approved for wagering money (58 Pa. Code § 461a.4)."
)

if TYPE_CHECKING:
    from pitboss import exact, games, hands, law, table
    from pitboss.api import check_submission, game_names, load_submission, rules, settle, settle_file, template
    from pitboss.api.designing import design
    from pitboss.api.edges import Edge, Sweep, edge, edges, sweep
    from pitboss.api.playing import State, play
    from pitboss.api.simulating import Simulation, bankroll, simulate
    from pitboss.api.solving import Solution, solve
    from pitboss.cards import parse_cards, show_cards
    from pitboss.extras import MissingExtra
    from pitboss.findings import Finding, FindingsError, PitbossError, UnknownName, UnreadableError
    from pitboss.games.course import Sight
    from pitboss.games.round import Decision, Round, Seat
    from pitboss.games.rules import Choices, Rules
    from pitboss.games.settlement import Line, Settlement
    from pitboss.submission import Submission
    from pitboss.table.memory import LiveTable
else:
    __getattr__, __dir__ = names_of(
        __name__,
        {
            "api": "check_submission game_names load_submission rules settle settle_file template",
            "api.designing": "design",
            "api.edges": "Edge Sweep edge edges sweep",
            "api.playing": "State play",
            "api.simulating": "Simulation bankroll",
            "api.solving": "Solution solve",
            "cards": "parse_cards show_cards",
            "extras": "MissingExtra",
            "findings": "Finding FindingsError PitbossError UnknownName UnreadableError",
            "games.course": "Sight",
            "games.round": "Decision Round Seat",
            "games.rules": "Choices Rules",
            "games.settlement": "Line Settlement",
            "submission": "Submission",
            "table.memory": "LiveTable",
            **{room: room for room in ("exact", "games", "hands", "law", "simulate", "table")},
        },
    )

__all__ = [
    "NOTICE", "Choices", "Decision", "Edge", "Finding", "FindingsError", "Line", "LiveTable", "MissingExtra",
    "PitbossError", "Round", "Rules", "Seat", "Settlement", "Sight", "Simulation", "Solution", "State", "Submission",
    "Sweep", "UnknownName", "UnreadableError", "bankroll", "check_submission", "design", "edge", "edges", "exact",
    "game_names", "games", "hands", "law", "load_submission", "parse_cards", "play", "rules", "settle", "settle_file",
    "show_cards", "simulate", "solve", "sweep", "table", "template",
]  # fmt: skip
