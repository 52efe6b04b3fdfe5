"""Plans that several tests share, each made once."""

from datetime import date
from functools import lru_cache

from pitboss.api import rules_for
from pitboss.games.registry import BANKED as GAMES
from pitboss.games.rules import Choices, Rules
from pitboss.simulate.plan import Plan, every_wager, make_plan
from pitboss.simulate.runs import simulate
from pitboss.simulate.strategies import NO_DRAW, NO_EXCHANGE, OPTIMAL, PLAIN, draws_cards
from pitboss.simulate.totals import Totals

GAME_STRATEGIES = tuple(
    (name, strategy)
    for name, game in GAMES.items()
    for strategy in (
        (NO_DRAW, NO_EXCHANGE, OPTIMAL) if draws_cards(game) else (OPTIMAL, PLAIN) if game.plain else (OPTIMAL,)
    )
)
"""Each game by its best play, some by a plain player's, and where cards can be drawn by each way of drawing."""
EXACT = {name: NO_DRAW if draws_cards(game) else PLAIN if game.plain else OPTIMAL for name, game in GAMES.items()}
"""The best play of each game that is tabulated, without a draw."""
DECIDED = tuple(name for name, game in GAMES.items() if game.course.weighed and not game.plain)
AS_OF = date(2024, 6, 1)
SEED = 684


@lru_cache
def rules_of(game: str, **choices: object) -> Rules:
    return rules_for(game, AS_OF, Choices(**choices))  # type: ignore[arg-type]


@lru_cache
def plan_of(game: str, seats: int = 1, strategy: str = "", magic: bool = False) -> Plan:
    rules = rules_of(game)
    usual = PLAIN if GAMES[game].plain else OPTIMAL
    return make_plan(rules, every_wager(rules, seats), strategy or usual, magic)


@lru_cache
def run_of(game: str, strategy: str) -> Totals:
    """One run that several tests read: one seat with every wager."""
    return simulate(plan_of(game, 1, strategy), 300_000, SEED)
