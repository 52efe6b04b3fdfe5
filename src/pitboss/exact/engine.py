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

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from typing import Any

from pitboss.exact import board, solo
from pitboss.exact.board_counts import board_of
from pitboss.exact.cache import COUNTING_CODE, Arrays, fingerprint, kept
from pitboss.exact.decks import FULL, SmallDeck
from pitboss.exact.duel import ARRAYS, Progress, Solved, solve
from pitboss.exact.facets import NotCountedError
from pitboss.exact.plan import Staged
from pitboss.exact.value import Kinds, PayGrid, Picked, Result, Valued, pay_grid, repaid, value, weigh
from pitboss.games.contract import Game
from pitboss.games.registry import game_named
from pitboss.games.rules import Rules
from pitboss.games.structure import Duel
from pitboss.public import public

VALUING_CODE = (*COUNTING_CODE, "exact/value.py")
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
    """The main game under these rules against the dealer's hand, played optimally; its figures are kept."""
    duel = duel_of(game)
    grid = pay_grid(game, rules, kinds_of(game), duel)
    pays = [part.tolist() for part in (grid.nets, grid.legal, grid.fact_of_kind)]
    key = fingerprint((structure_key(duel), duel.required, grid.names, grid.unit, pays), VALUING_CODE)
    again = partial(_weighed, rules.game, grid, duel.required, progress)
    fresh: list[Valued] = []

    def make() -> tuple[Arrays, Mapping[str, Any]]:
        made = again()
        fresh.append(made)
        figures = {"ties": made.ties, "deals": str(made.deals), "states": made.states}
        return {"tallies": made.tallies, "chosen": made.chosen}, figures

    arrays, figures = kept(f"valued-{game.name}", key, make)
    tallies, chosen, deals = arrays["tallies"], arrays["chosen"], int(figures["deals"])
    find = fresh[0].find if fresh else partial(_states, again)
    return Valued(grid, tallies, chosen, figures["ties"], duel.required, deals, figures["states"], find, key)


def _weighed(name: str, grid: PayGrid, required: Fraction, progress: Progress | None) -> Valued:
    """Every state by its best choice; by the name of the game, so that it can be sent to another process."""
    return weigh(solved(game_named(name), progress=progress), grid, required)


def _states(again: Callable[[], Valued]) -> tuple[Solved, Picked]:
    return again().find()


def kinds_of(game: Game) -> Kinds:
    """One hand of each kind, kept."""
    key = fingerprint(structure_key(duel_of(game)))
    arrays, _ = kept(f"kinds-{game.name}", key, lambda: ({"kind_hands": solved(game).kind_hands}, {}))
    return Kinds(FULL, arrays["kind_hands"])


@public
def play_of(game: Game, rules: Rules, progress: Progress | None = None, deck: SmallDeck = FULL) -> Valued | Staged:
    """The main game under these rules, played optimally, by the counter that its course and facts call for."""
    if game.duel is not None:
        return valued(game, rules, progress) if deck == FULL else value(game, rules, solved(game, deck), game.duel)
    if board_of(game) is not None:
        return board.valued(game, rules, deck, progress)
    return solo.valued(game, rules, deck)


def same_play(game: Game, rules: Rules, play: Valued | Staged) -> Result | None:
    """The choices of a play under other pays; nothing where those open other choices or end other rounds."""
    return play.under(rules) if isinstance(play, Staged) else repaid(game, rules, play)


__all__ = ["duel_of", "play_of", "same_play", "solved", "valued"]
