"""The exact engine as the rest of the house calls it: solve once, keep, and weigh with any rules."""

from collections.abc import Mapping

from pitboss.exact.cache import Arrays, fingerprint, kept
from pitboss.exact.decks import FULL, SmallDeck
from pitboss.exact.duel import ARRAYS, Progress, Solved, solve
from pitboss.exact.value import Valued, value
from pitboss.games.contract import Game
from pitboss.games.rules import Rules
from pitboss.games.structure import Duel

_SOLVED: dict[str, Solved] = {}


class NoDuelError(ValueError):
    """A game whose main wagers are not played against a dealer's hand."""


def duel_of(game: Game) -> Duel:
    if game.duel is None:
        raise NoDuelError(f"The main wagers of {game.name} are not played against a dealer's hand.")
    return game.duel


def structure_key(duel: Duel) -> tuple[object, ...]:
    """What the counts depend on: the ranking and the information structure, but no pay table and no choice."""
    order = (duel.order.name, duel.order.size, duel.order.categories)
    return order, duel.player_cards, duel.dealer_cards, duel.up_card, duel.qualifies, duel.suit_blind


def solved(game: Game, deck: SmallDeck = FULL, progress: Progress | None = None) -> Solved:
    """The counts of a game's main wagers: from memory, from the cache on disk, or counted now and kept."""
    duel = duel_of(game)
    if deck != FULL:
        return solve(duel, deck, progress)
    key = fingerprint(structure_key(duel))
    if key not in _SOLVED:

        def make() -> tuple[Arrays, Mapping[str, int]]:
            fresh = solve(duel, FULL, progress)
            return {name: getattr(fresh, name) for name in ARRAYS}, {"dealer_hands": fresh.dealer_hands}

        arrays, figures = kept(game.name, key, make)
        _SOLVED[key] = Solved(deck=FULL, dealer_hands=figures["dealer_hands"], **arrays)
    return _SOLVED[key]


def valued(game: Game, rules: Rules, progress: Progress | None = None) -> Valued:
    """The main game under these rules, played optimally."""
    return value(game, rules, solved(game, progress=progress), duel_of(game))


__all__ = ["NoDuelError", "duel_of", "solved", "valued"]
