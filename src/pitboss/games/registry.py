"""The games of the house. A new game is one line here, one module beside this one and one law file."""

from collections.abc import Mapping
from types import MappingProxyType

from pitboss.findings import UnknownName
from pitboss.games.caribbean_stud import CaribbeanStud
from pitboss.games.contract import Game
from pitboss.games.crazy_4_poker import Crazy4Poker
from pitboss.games.four_card_frenzy import FourCardFrenzy
from pitboss.games.four_card_poker import FourCardPoker
from pitboss.games.heads_up_hold_em import HeadsUpHoldEm
from pitboss.games.let_it_ride import LetItRide
from pitboss.games.lunar_poker import LunarPoker
from pitboss.games.mississippi_stud import MississippiStud
from pitboss.games.roulette import Roulette
from pitboss.games.seven_card_stud import SevenCardStud
from pitboss.games.sic_bo import SicBo
from pitboss.games.texas_hold_em_bonus import TexasHoldEmBonus
from pitboss.games.three_card_poker import ThreeCardPoker
from pitboss.games.three_card_prime import ThreeCardPrime
from pitboss.games.ultimate_texas_hold_em import UltimateTexasHoldEm
from pitboss.public import public

_ALL: tuple[Game, ...] = (
    ThreeCardPoker(), FourCardPoker(), FourCardFrenzy(), LunarPoker(), MississippiStud(), SicBo(), LetItRide(),
    CaribbeanStud(), Crazy4Poker(), ThreeCardPrime(), UltimateTexasHoldEm(), TexasHoldEmBonus(),
    HeadsUpHoldEm(), Roulette(), SevenCardStud(),
)  # fmt: skip
GAMES: Mapping[str, Game] = MappingProxyType({game.name: game for game in _ALL})
BANKED: Mapping[str, Game] = MappingProxyType({name: game for name, game in GAMES.items() if not game.no_edge})
"""Those in which the house plays: they have an edge, a best play and rounds to simulate."""


@public
def game_named(name: str) -> Game:
    """A game by its name; one that is not there is refused with a list of those that are."""
    if name not in GAMES:
        raise UnknownName(f"There is no game called {name!r}; the games are {', '.join(GAMES)}.")
    return GAMES[name]
