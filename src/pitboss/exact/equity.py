"""Equity: what share of the pot each hand of players against each other has, if nobody folds any more.

Every way in which the cards that are missing can fall is counted where there are few; otherwise they are drawn at
random, and the figure says how far off it may be.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import comb, sqrt
from random import Random
from typing import Any

import numpy as np

from pitboss.cards import DECK, Card, Hand, show_cards
from pitboss.findings import UnreadableError
from pitboss.games.betting import Terms
from pitboss.hands.batch import evaluate
from pitboss.hands.orders import FIVE_CARD
from pitboss.money import Cents

MOST_COUNTED = 400_000
"""Ways up to which all are counted: a few seconds."""
SAMPLES = 40_000


@dataclass(frozen=True)
class Equity:
    """One hand: its share of the pot on average, exactly or with the standard error of a sample."""

    cards: Hand
    share: Fraction
    wins: Fraction
    """How often it wins alone."""
    error: float = 0.0

    def as_dict(self) -> dict[str, Any]:
        shown: dict[str, Any] = {"cards": show_cards(self.cards), "equity": float(self.share), "wins": float(self.wins)}
        return shown | ({"standard_error": self.error} if self.error else {"exact": str(self.share)})


def ways(hands: Sequence[Hand], size: int, dead: Sequence[Card] = ()) -> int:
    """In how many ways the missing cards can fall.

    >>> from pitboss.cards import parse_cards
    >>> ways([parse_cards("As Ks Qs Js 9s 2d"), parse_cards("2c 2h 7c 7d 9h 4c")], 7)
    1560
    """
    left, count = len(DECK) - sum(map(len, hands)) - len(dead), 1
    for hand in hands:
        count *= comb(left, size - len(hand))
        left -= size - len(hand)
    return count


def equities(
    hands: Sequence[Hand], size: int, dead: Sequence[Card] = (), samples: int = SAMPLES, seed: int = 1
) -> tuple[Equity, ...]:
    """The share of each hand when everybody has ``size`` cards; ``dead`` cards are known to be out."""
    _check(hands, size, dead)
    left = [card for card in DECK if card not in {*dead, *(card for hand in hands for card in hand)}]
    exact = ways(hands, size, dead) <= MOST_COUNTED
    if exact:
        drawn = np.array(list(_every(left, [size - len(hand) for hand in hands])), np.int8)
    else:
        drawn = _sampled(left, sum(size - len(hand) for hand in hands), samples, seed)
    scores, at = [], 0
    for hand in hands:
        more = size - len(hand)
        own = np.broadcast_to(np.array(hand, np.int8), (len(drawn), len(hand)))
        scores.append(evaluate(FIVE_CARD, np.hstack([own, drawn[:, at : at + more]])))
        at += more
    best = np.max(scores, axis=0)
    winners = np.array([score == best for score in scores])
    many = winners.sum(axis=0)
    return tuple(_equity(hand, wins, many, exact) for hand, wins in zip(hands, winners, strict=True))


def _equity(hand: Hand, wins: Any, many: Any, exact: bool) -> Equity:
    total = len(many)
    by_count = {count: int((wins & (many == count)).sum()) for count in range(1, int(many.max()) + 1)}
    share = sum((Fraction(times, count * total) for count, times in by_count.items()), Fraction(0))
    squares = sum(times / count**2 for count, times in by_count.items()) / total
    error = 0.0 if exact else sqrt(max(squares - float(share) ** 2, 0.0) / total)
    return Equity(hand, share, Fraction(by_count[1], total), error)


def _every(left: Sequence[Card], more: Sequence[int]) -> Iterator[tuple[Card, ...]]:
    if not more:
        yield ()
        return
    for cards in combinations(left, more[0]):
        rest = [card for card in left if card not in cards] if len(more) > 1 else []
        for others in _every(rest, more[1:]):
            yield (*cards, *others)


def _sampled(left: Sequence[Card], count: int, samples: int, seed: int) -> Any:
    rng = Random(seed)
    return np.array([rng.sample(left, count) for _ in range(samples)], np.int8)


def _check(hands: Sequence[Hand], size: int, dead: Sequence[Card]) -> None:
    if len(hands) < 2:
        raise UnreadableError("Equity needs the cards of at least two players.")
    if any(not 1 <= len(hand) <= size for hand in hands):
        raise UnreadableError(f"Each hand has 1 to {size} cards.")
    known = [*dead, *(card for hand in hands for card in hand)]
    if len(set(known)) < len(known):
        raise UnreadableError("A card is given twice: a deck holds it once.")
    if len(DECK) - len(set(dead)) < size * len(hands):
        raise UnreadableError(f"The deck does not hold {size} cards for each of {len(hands)} players.")


@dataclass(frozen=True)
class RakeShare:
    """What the house takes of a pot."""

    pot: Cents
    rake: Cents

    @property
    def share(self) -> Fraction:
        return Fraction(self.rake, self.pot)


def rake_of(terms: Terms, pot: Cents) -> RakeShare:
    """The rake of one pot, by the terms of a table.

    >>> rake_of(Terms(100, 1, 3, 10, 20, 3, rake_percent=5, rake_most=4), 12_000)
    RakeShare(pot=12000, rake=400)
    """
    return RakeShare(pot, terms.rake(pot // terms.chip)[0] * terms.chip)
