"""Hands by look-up against the scalar rank orders and labels."""

from pathlib import Path
from random import Random
from types import SimpleNamespace

import numpy as np
import pytest

from pitboss.cards import DECK, Card, Hand, rank_of, suit_of
from pitboss.exact.cache import forget_stale
from pitboss.games.registry import BANKED as GAMES
from pitboss.hands.facets import Facet
from pitboss.simulate.evaluators import (
    CARD_KEYS,
    LABEL,
    LEVEL,
    LEVEL_BITS,
    Evaluator,
    column_of,
    evaluator,
    row_of,
    suited,
)
from pitboss.simulate.plan import make_plan

FACTS = [
    (name, fact)
    for name, game in GAMES.items()
    for fact, facet in game.facets.items()
    if facet.order is not None and not facet.colours
]


def tables(game: str, fact: str) -> tuple[Evaluator, Facet, tuple[str, ...]]:
    facet, names = GAMES[game].facets[fact], tuple(GAMES[game].lines.domains[fact])
    assert facet.order is not None
    return evaluator(facet.order, facet.cards, (facet,), (names,)), facet, names


def looked_up(made: Evaluator, cards: Hand) -> tuple[int, int]:
    """Level and label of a hand."""
    entry = made.entry(cards)
    return int(entry & LEVEL), int(entry >> LEVEL_BITS & LABEL)


def hands(size: int, seed: int) -> list[Hand]:
    """Random hands, and hands mostly of one suit, so that flushes of every kind come up."""
    rng = Random(seed)
    found = [tuple(rng.sample(DECK, size)) for _ in range(1500)]
    for _ in range(1500):
        suit = rng.randrange(4)
        low = rng.randrange(8)
        near = [card for card in DECK if suit_of(card) == suit and low <= rank_of(card) <= low + 5]
        count = min(rng.randint(min(3, size), size), len(near))
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
        level, label = looked_up(made, hand)
        score = order.best(hand)[0]
        assert made.levels[level - 1] == score
        assert names[label] == facet.label(hand)
        assert made.level(score) == level


def test_all_hands_of_three_cards() -> None:
    made, facet, names = tables("three-card-poker", "hand")
    for high in range(2, 52):
        for middle in range(1, high):
            hand = (Card(high), Card(middle), Card(0))
            assert names[looked_up(made, hand)[1]] == facet.label(hand)


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
        label = names[int(made.one_colour[place] >> LEVEL_BITS & LABEL)]
        assert label == facet.label(hand)
        seen.add(label)
    assert "same_colored_five" in seen


def test_compiled_code_is_made_again_when_a_file_it_calls_has_changed(tmp_path: Path) -> None:
    """Numba itself asks only for the file in which a function stands."""
    compiled = SimpleNamespace(stats=SimpleNamespace(cache_path=str(tmp_path)), py_func=make_plan)
    cached, other = tmp_path / "plan.make_plan-1.py311.nbi", tmp_path / "planner.make-1.py311.nbi"

    def survives(*code: str) -> bool:
        for index in (cached, other):
            index.touch()
        forget_stale(compiled, *code)
        assert other.exists()
        return cached.exists()

    assert not survives("simulate/plan.py")
    assert survives("simulate/plan.py")
    assert not survives("simulate/plan.py", "simulate/streams.py")
    assert survives("simulate/plan.py", "simulate/streams.py")
    compiled.stats.cache_path = None
    forget_stale(compiled, "simulate/plan.py")
