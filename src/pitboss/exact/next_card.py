"""What it is worth to know the next card, the first of one's own hand, before betting on the main wagers.

The player bets the most on cards that make the round worth more than nothing, and as little as the table lets them, or
nothing, on the others. The choices stay those of best play: by then everybody sees the card anyway.
"""

from fractions import Fraction

import numpy as np
import numpy.typing as npt

from pitboss.cards import RANKS
from pitboss.exact import board, solo
from pitboss.exact.board_classes import every_pair
from pitboss.exact.board_counts import board_of
from pitboss.exact.decks import FULL, SUITS, Ints, Places, SmallDeck
from pitboss.exact.duel import Progress
from pitboss.exact.edge import MAIN, main_table
from pitboss.exact.engine import solved_duel
from pitboss.exact.facets import NotCountedError
from pitboss.exact.rulelist import parts_of, state_cells
from pitboss.exact.seen_card import SeenCards
from pitboss.exact.value import value
from pitboss.games.contract import Game
from pitboss.games.rules import Rules
from pitboss.games.structure import Duel

Hands = tuple[Places, Ints, Ints, int]
"""The hands that a seat can be dealt, how many each stands for, what a round with each is worth, and its unit."""


def next_card(game: Game, rules: Rules, deck: SmallDeck = FULL, progress: Progress | None = None) -> SeenCards:
    """The main wagers by the rank of the first own card. Raise ``NotCountedError`` for a game with a draw."""
    if not game.main_posts or not game.course.weighed or game.whole is not None:
        raise NotCountedError(f"What the next card is worth is not counted in {game.name}.")
    if game.duel is not None:
        hands, weights, worth, unit = _facing(game, rules, game.duel, deck, progress)
    elif board_of(game) is not None:
        hands, weights, worth, unit = _on_board(game, rules, deck, progress)
    else:
        hands, weights, worth, unit = _alone(game, rules, deck)
    ranks, size = np.array(deck.ranks)[hands // SUITS], hands.shape[1]
    every = int(weights.sum()) * size
    total, by_rank, share_of = Fraction(0), {}, {}
    for rank in deck.ranks:
        held = (ranks == rank).sum(axis=1) * weights
        won = Fraction(_dot(held, worth), unit)
        by_rank[RANKS[rank]], share_of[RANKS[rank]] = won / int(held.sum()), Fraction(int(held.sum()), every)
        total += won / every
    ordered = dict(sorted(by_rank.items(), key=lambda item: -item[1]))
    table = rules.tables.get(main_table(game))
    return SeenCards(MAIN, "" if table is None else table.letter, size, total, ordered, share_of)


def _dot(counts: Ints, values: Ints) -> int:
    """The sum of products, in parts that can't overflow."""
    high, low = np.divmod(values, 1 << 20)
    return (int(counts @ high) << 20) + int(counts @ low)


def _facing(game: Game, rules: Rules, duel: Duel, deck: SmallDeck, progress: Progress | None) -> Hands:
    counted = solved_duel(game.name, duel, deck, progress)
    played = value(game, rules, counted, duel)
    _, picked = played.find()
    facts, worth = played.grid.fact_of_kind[counted.kinds], np.zeros(len(picked), np.int64)
    for part in parts_of(len(picked)):
        nets: npt.NDArray[np.int64] = played.grid.nets[facts[part], picked[part]]
        worth[part] = (state_cells(counted, part) * nets).sum(axis=1)
    return counted.hands, counted.weights.astype(np.int64), worth, counted.dealer_hands * played.grid.unit


def _on_board(game: Game, rules: Rules, deck: SmallDeck, progress: Progress | None) -> Hands:
    played = board.valued(game, rules, deck, progress)
    legal = played.plan.steps[0].legal[0]
    pairs = every_pair(deck)
    unit = played.counts.ways(0) * played.plan.unit
    return pairs, np.ones(len(pairs), np.int64), played.opening[legal].max(axis=0), unit


def _alone(game: Game, rules: Rules, deck: SmallDeck) -> Hands:
    played = solo.valued(game, rules, deck)
    first = played.streets[0]
    assert first.choosing.seen == played.counts.solo.own, "the first choice sees no cards but those of the seat"
    worth = first.worth[:, 0].max(axis=1)
    classes = first.level.classes
    return classes.hands, classes.weights, worth, played.counts.ways(first.choosing.seen) * played.plan.unit
