"""Hands by look-up against the scalar rank orders and labels."""

from random import Random

import numpy as np
import pytest

from pitboss.cards import DECK, Card, Hand, rank_of, suit_of
from pitboss.games.registry import GAMES
from pitboss.hands.facets import Facet
from pitboss.simulate.evaluators import (
    CARD_KEYS,
    Evaluator,
    column_of,
    evaluator,
    key_of,
    label_of,
    level_of,
    row_of,
    suited,
    with_suits,
)

FACTS = [
    ("three-card-poker", "hand"),
    ("three-card-poker", "six_card"),
    ("three-card-poker", "five_of_six"),
    ("three-card-poker", "five_card"),
    ("four-card-poker", "hand"),
    ("four-card-poker", "dealer_hand"),
    ("four-card-frenzy", "six_card"),
    ("lunar-poker", "first_hand"),
]
NONE = np.zeros((1, 0), np.uint8)
ZERO = np.uint64(0)


def tables(game: str, fact: str) -> tuple[Evaluator, Facet, tuple[str, ...]]:
    facet, names = GAMES[game].facets[fact], tuple(GAMES[game].lines.domains[fact])
    assert facet.order is not None
    return evaluator(facet.order, facet.cards, (facet,), (names,)), facet, names


def looked_up(made: Evaluator, cards: Hand) -> int:
    deck = np.array([cards], np.uint8)
    places = np.arange(len(cards), dtype=np.uint8)[None, :]
    key = np.uint64(CARD_KEYS[list(cards)].sum())
    assert key == key_of(deck, ZERO, places, ZERO)
    entry = made.entries[int(made.rows[int(row_of(key))]) + int(column_of(key))]
    if suited(key, made.bias):
        entry = with_suits(entry, made.flushes, key, made.bias, deck, ZERO, places, ZERO, NONE)
    return int(entry)


def hands(size: int, seed: int) -> list[Hand]:
    """Random hands, and hands mostly of one suit, so that flushes of every kind come up."""
    rng = Random(seed)
    found = [tuple(rng.sample(DECK, size)) for _ in range(1500)]
    for _ in range(1500):
        suit = rng.randrange(4)
        low = rng.randrange(8)
        near = [card for card in DECK if suit_of(card) == suit and low <= rank_of(card) <= low + 5]
        count = min(rng.randint(3, size), len(near))
        own = rng.sample(near, count)
        rest = rng.sample([card for card in DECK if card not in own], size - count)
        found.append(tuple(own + rest))
    return found


@pytest.mark.parametrize(("game", "fact"), FACTS)
def test_levels_and_labels_are_the_scalar_ones(game: str, fact: str) -> None:
    made, facet, names = tables(game, fact)
    order = facet.order
    assert order is not None
    for hand in hands(facet.cards, 1):
        entry = np.uint32(looked_up(made, hand))
        score = order.best(hand)[0]
        assert made.levels[level_of(entry) - 1] == score
        assert names[label_of(entry)] == facet.label(hand)
        assert made.level(score) == level_of(entry)


def test_all_hands_of_three_cards() -> None:
    made, facet, names = tables("three-card-poker", "hand")
    for high in range(2, 52):
        for middle in range(1, high):
            hand = (Card(high), Card(middle), Card(0))
            assert names[label_of(np.uint32(looked_up(made, hand)))] == facet.label(hand)


def test_colours_have_their_own_entries() -> None:
    made, facet, names = tables("lunar-poker", "super_hand")
    rng = Random(3)
    black = [card for card in DECK if suit_of(card) in (0, 3)]
    seen = set()
    for _ in range(2000):
        hand = tuple(rng.sample(black, 5))
        key = np.uint64(CARD_KEYS[list(hand)].sum())
        place = int(made.rows[int(row_of(key))]) + int(column_of(key))
        if suited(key, made.bias):
            continue
        label = names[label_of(made.one_colour[place])]
        assert label == facet.label(hand)
        seen.add(label)
    assert "same_colored_five" in seen
