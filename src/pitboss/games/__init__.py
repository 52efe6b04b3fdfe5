"""The games: what is dealt to whom, who chooses what, and how each wager settles; each chapter in one module."""

from typing import TYPE_CHECKING

from pitboss.lazy import names_of

if TYPE_CHECKING:
    from pitboss.games.contract import Game
    from pitboss.games.course import Choice, Course, Decide, Option, Sight
    from pitboss.games.registry import GAMES, game_named
    from pitboss.games.round import Decision, Round, Seat
    from pitboss.games.rules import Choices, Limits, Rules, resolve
    from pitboss.games.settlement import Line, LineResult, Settlement
    from pitboss.games.walk import RoundState, start
else:
    __getattr__, __dir__ = names_of(
        __name__,
        {
            "contract": "Game",
            "course": "Choice Course Decide Option Sight",
            "registry": "GAMES game_named",
            "round": "Decision Round Seat",
            "rules": "Choices Limits Rules resolve",
            "settlement": "Line LineResult Settlement",
            "walk": "RoundState start",
        },
    )

__all__ = [
    "GAMES", "Choice", "Choices", "Course", "Decide", "Decision", "Game", "Limits", "Line", "LineResult", "Option",
    "Round", "RoundState", "Rules", "Seat", "Settlement", "Sight", "game_named", "resolve", "start",
]  # fmt: skip
