"""Plans that several tests share, each made once."""

from datetime import date
from functools import lru_cache

from pitboss.api import rules_for
from pitboss.games.rules import Choices, Rules
from pitboss.simulate.plan import Plan, every_wager, make_plan

GAME_STRATEGIES = (
    ("three-card-poker", "optimal"),
    ("four-card-poker", "optimal"),
    ("four-card-frenzy", "optimal"),
    ("lunar-poker", "no-draw"),
    ("lunar-poker", "no-exchange"),
    ("lunar-poker", "optimal"),
)
"""Each game by its best play, and Lunar Poker by each way of drawing."""
AS_OF = date(2024, 6, 1)
SEED = 684


@lru_cache
def rules_of(game: str, **choices: object) -> Rules:
    return rules_for(game, AS_OF, Choices(**choices))  # type: ignore[arg-type]


@lru_cache
def plan_of(game: str, seats: int = 1, strategy: str = "optimal", magic: bool = False) -> Plan:
    rules = rules_of(game)
    return make_plan(rules, every_wager(rules, seats), strategy, magic)
