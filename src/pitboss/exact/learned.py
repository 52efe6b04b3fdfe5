"""Lists to learn for players who see cards that ought to be hidden: what a list that a game states is worth.

A list against a dealer's hand, and one that compares two hands as they lie, are counted exactly; one for seats that
show each other their cards is sampled. What best play with the same knowledge is worth stands beside it where that is
counted in seconds.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from pitboss.cards import RANKS, parse_cards
from pitboss.exact.backs import by_backs, read_backs
from pitboss.exact.board_ahead import played_ahead
from pitboss.exact.by_heart import by_threshold
from pitboss.exact.decks import FULL, SUITS, SmallDeck
from pitboss.exact.duel import Progress
from pitboss.exact.engine import solved_duel
from pitboss.exact.facets import NotCountedError
from pitboss.exact.rulelist import threshold_words
from pitboss.exact.shared_lists import SAMPLE, played_shared
from pitboss.exact.value import pay_grid, value
from pitboss.games.contract import Game
from pitboss.games.rules import Rules
from pitboss.games.structure import Ahead, Duel, Learned, Maxim, Thresholds
from pitboss.hands import batch
from pitboss.names import shown


@dataclass(frozen=True)
class ListPrice:
    """What a list is worth, in units of the main wager."""

    name: str
    sees: str
    """What its player knows, as options read it."""
    sentences: tuple[str, ...]
    expected_value: Fraction
    best: Fraction | None
    """What best play with the same knowledge is worth; None where it takes longer to count."""
    error: float | None = None
    """The standard error of a sample; None where all deals are counted."""

    @property
    def cost(self) -> Fraction | None:
        """What the list gives away against best play."""
        return None if self.best is None else self.best - self.expected_value

    def as_dict(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "known": self.sees,
            "play": [*self.sentences],
            "expected_value": str(self.expected_value),
            "player_edge": float(self.expected_value),
            "standard_error": self.error,
            "cost": None if self.cost is None else float(self.cost),
        }


def list_prices(
    game: Game,
    rules: Rules,
    *,
    sees: str | None = None,
    deck: SmallDeck = FULL,
    sample: int = SAMPLE,
    progress: Progress | None = None,
) -> Iterator[ListPrice]:
    """The lists that a game states, all or those for one kind of knowledge."""
    for each in game.learned:
        if sees in (None, each.sees):
            yield list_price(game, rules, each, deck, sample, progress)


def list_price(
    game: Game,
    rules: Rules,
    learned: Learned,
    deck: SmallDeck = FULL,
    sample: int = SAMPLE,
    progress: Progress | None = None,
) -> ListPrice:
    """Raise ``NotCountedError`` where nothing prices a list of this kind in this game."""
    place, _, cards = learned.sees.partition("=")
    priced = ListPrice(learned.name, learned.sees, sentences_of(game, learned), Fraction(0), None)
    if isinstance(learned.play, Thresholds):
        if game.duel is None:
            raise NotCountedError(f"The hands of {game.name} are not compared with a dealer's.")
        if place == "backs":
            ranks, _, many = cards.partition("*")
            played = by_backs(game, rules, read_backs(ranks), int(many), deck, progress, learned.play)
            assert played.learned is not None, "a list was given"
            return replace(priced, expected_value=played.learned, best=played.expected_value)
        return _by_card(game, rules, game.duel, learned.play, priced, deck, progress)
    if place == "seats":
        maxims = {step: each for step, each in learned.play.items() if isinstance(each, tuple)}
        sampled = played_shared(game, rules, maxims, int(cards), sample, progress=progress)
        return replace(priced, expected_value=sampled.expected_value, error=sampled.error)
    steps = {step: each for step, each in learned.play.items() if isinstance(each, Ahead)}
    return replace(priced, expected_value=played_ahead(game, rules, steps, deck, progress).expected_value)


def _by_card(
    game: Game,
    rules: Rules,
    duel: Duel,
    play: Thresholds,
    priced: ListPrice,
    deck: SmallDeck,
    progress: Progress | None,
) -> ListPrice:
    """One card of a dealer none of whose cards lies face up is known, by its rank."""
    if duel.up_card:
        raise NotCountedError(f"A list for a card beside the one that lies face up is not priced in {game.name}.")
    duel = replace(duel, up_card=True)
    counted = solved_duel(game.name, duel, deck, progress)
    grid = pay_grid(game, rules, counted, duel)
    seen = [RANKS[rank] for rank in deck.ranks]
    picked = by_threshold(duel, play, counted, grid, [seen[up] for up in (counted.ups // SUITS).tolist()])
    listed = value(game, rules, counted, duel, picked).result
    best = value(game, rules, counted, duel).result
    return replace(priced, expected_value=listed.expected_value, best=best.expected_value)


def sentences_of(game: Game, learned: Learned) -> tuple[str, ...]:
    """A list in words."""
    return tuple(_sentences(game, learned.play))


def _sentences(game: Game, play: Thresholds | Mapping[str, Ahead] | Mapping[str, tuple[Maxim, ...]]) -> Iterator[str]:
    if isinstance(play, Thresholds):
        assert game.duel is not None, "thresholds are against a dealer's hand"
        order = game.duel.order
        scores = np.unique(batch.scores(order)).tolist()
        for seen, hand in play.least.items():
            words = threshold_words(order, order.score(parse_cards(hand)), scores)
            against = seen.replace("T", "10")
            yield f"Against {against}: {play.choice} with {words} or better, otherwise {play.otherwise}."
        yield f"Against anything else: always {play.choice}."
        return
    for step, each in play.items():
        if isinstance(each, Ahead):
            when = "if your hand is ahead or level" if each.level else "if your hand is ahead"
            yield f"{shown(step)}: {each.choice} {when} as it lies, otherwise {each.otherwise}."
        else:
            yield f"{shown(step)}: {' '.join(maxim.words for maxim in each)}"
