"""How a game is counted: solve once, keep, and weigh with any rules.

Nothing in this room knows a game, a wager or a reading by name. Which **counter** serves follows from the course of the
game and from the facts that its lines read:

- **sweep** (``duel``, ``sweep``, ``value``): main wagers with one ``Decide`` and a ``Compare`` of the seat's hand with
  a hidden one;
- **draw** (``draw``, ``exchange``): the same where an option draws cards (``Option.draws``);
- **solo** (``solo``): main wagers paid by a ``Label`` of the seat's and the table's cards, with any number of
  ``Decide`` and ``TurnUp`` steps, whose options put wagers down, take them back or end the seat's part;
- **board** (``board``): a ``Compare`` of two hands that share cards turned up in between, with any number of ``Decide``
  steps; names of the seat's whole hand and a dealer who must qualify (``AtLeast``) count with it;
- **facets** (``facets``, ``side``): a wager on one ``Label``, ``Holds`` or ``Selected``; on a ``Label`` that a fold
  forfeits (``Chosen``), also as the main game is played; on a ``Compare`` with the ``Label`` of either hand;
- **dice** (``facets``): a wager that reads ``Rolled`` facts only; every roll is tried.

A game with several readings of its text, or with parts that are counted by themselves, lists them in ``Game.readings``
and says in ``Game.scopes`` how much of the game each covers: whether cards are drawn, and whether the figure is exact.
"""

from collections.abc import Mapping

from pitboss.exact import board, solo
from pitboss.exact.board_counts import board_of
from pitboss.exact.cache import Arrays, fingerprint, kept
from pitboss.exact.decks import FULL, SmallDeck
from pitboss.exact.duel import ARRAYS, Progress, Solved, solve
from pitboss.exact.facets import NotCountedError
from pitboss.exact.plan import Staged
from pitboss.exact.value import Valued, value
from pitboss.games.contract import Game
from pitboss.games.rules import Rules
from pitboss.games.structure import Duel
from pitboss.public import public

_SOLVED: dict[str, Solved] = {}


def duel_of(game: Game) -> Duel:
    if game.duel is None:
        raise NotCountedError(f"The main wagers of {game.name} are not played against a dealer's hand.")
    return game.duel


def structure_key(duel: Duel) -> tuple[object, ...]:
    """What the counts depend on: the ranking and the information structure, but no pay table and no choice."""
    order = (duel.order.name, duel.order.size, duel.order.categories)
    return order, duel.player_cards, duel.dealer_cards, duel.up_card, duel.qualifies, duel.suit_blind


def solved(game: Game, deck: SmallDeck = FULL, progress: Progress | None = None) -> Solved:
    """The counts of a game's main wagers: from memory, from the cache on disk, or counted now and kept."""
    return solved_duel(game.name, duel_of(game), deck, progress)


def solved_duel(name: str, duel: Duel, deck: SmallDeck = FULL, progress: Progress | None = None) -> Solved:
    """The counts of a hand against a dealer's, kept under a name."""
    if deck != FULL:
        return solve(duel, deck, progress)
    key = fingerprint(structure_key(duel))
    if key not in _SOLVED:

        def make() -> tuple[Arrays, Mapping[str, int]]:
            fresh = solve(duel, FULL, progress)
            return {name: getattr(fresh, name) for name in ARRAYS}, {"dealer_hands": fresh.dealer_hands}

        arrays, figures = kept(name, key, make)
        _SOLVED[key] = Solved(deck=FULL, dealer_hands=figures["dealer_hands"], **arrays)
    return _SOLVED[key]


def valued(game: Game, rules: Rules, progress: Progress | None = None) -> Valued:
    """The main game under these rules against the dealer's hand, played optimally."""
    return value(game, rules, solved(game, progress=progress), duel_of(game))


@public
def play_of(game: Game, rules: Rules, progress: Progress | None = None, deck: SmallDeck = FULL) -> Valued | Staged:
    """The main game under these rules, played optimally, by the counter that its course and facts call for."""
    if game.duel is not None:
        return value(game, rules, solved(game, deck, progress), game.duel)
    if board_of(game) is not None:
        return board.valued(game, rules, deck, progress)
    return solo.valued(game, rules, deck)


__all__ = ["duel_of", "play_of", "solved", "valued"]
