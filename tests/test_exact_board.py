"""Hands on a common board: against plain enumeration on small decks and of single states, and published figures.

Enumeration knows no classes of boards and sorts nothing: every board and every holding of the dealer is looked at, and
a round of each outcome is settled live. Spreads of results, not values, are carried from street to street.
"""

from collections import Counter
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import combinations
from math import comb, lcm
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from pitboss.api import rules_for
from pitboss.cards import RANKS, Card, Hand
from pitboss.exact import board
from pitboss.exact.board import PAIR, BoardPlay
from pitboss.exact.decks import BINOMIAL, SmallDeck, all_subsets
from pitboss.exact.plan import ENDED
from pitboss.games.course import TurnUp
from pitboss.games.registry import GAMES
from pitboss.games.round import Round, Seat
from pitboss.hands import batch

from .naive import main_net, tries, wagers_of

AS_OF = date(2024, 6, 1)
BOARDS = [name for name in GAMES if GAMES[name].main_posts and board.board_of(GAMES[name]) is not None]
boards = pytest.mark.parametrize("name", BOARDS)
Ints = npt.NDArray[np.int64]
Made = tuple[str, ...]


@lru_cache
def best(name: str) -> BoardPlay:
    return board.valued(GAMES[name], rules_for(name, AS_OF))


@dataclass
class Table:
    """What the table pays for an outcome, by settling one round of it; all spreads are over the same few nets."""

    name: str
    deck: SmallDeck

    def __post_init__(self) -> None:
        self.game, self.rules = GAMES[self.name], rules_for(self.name, AS_OF)
        structure = board.board_of(self.game)
        assert structure is not None
        self.order, self.cards, self.seen = structure.order, structure.cards, (*structure.seen, structure.cards)
        self.nets: list[Fraction] = []
        self._columns: dict[tuple[Any, ...], int] = {}

    @cached_property
    def read(self) -> tuple[str, ...]:
        """Facts of the cards that a main wager reads."""
        lines = (self.game.lines.rules[post.line] for post in self.game.main_posts)
        return tuple(dict.fromkeys(fact for line in lines for fact in line.reads if fact != "folded"))

    def round_of(self, made: Made, own: Hand, lying: Hand, dealer: Hand) -> Round:
        (place,) = {step.place for step in self.game.course.flat if isinstance(step, TurnUp)} - {"dealer"}
        steps = zip(self.game.course.decides, made, strict=False)
        tried = {step.name: tries(self.rules, step)[name] for step, name in steps}
        decisions = {step: decision for step, decision in tried.items() if decision is not None}
        return Round(dealer, (Seat(1, own, wagers_of(self.rules), decisions),), {place: lying})

    def column(self, made: Made, own: Hand, lying: Hand, dealer: Hand) -> int:
        """The place of a round's net among all nets; rounds of one outcome and the same choices are settled once."""
        played = self.round_of(made, own, lying, dealer)
        outcome = self.game.outcome(self.rules, played, played.seats[0])
        key = made, *(getattr(outcome, fact) for fact in self.read)
        if key not in self._columns:
            net = main_net(self.rules, played)
            if net not in self.nets:
                self.nets.append(net)
            self._columns[key] = self.nets.index(net)
        return self._columns[key]


class Naive(Table):
    """One holding against everything, from a board that lies already or from none."""

    MOST_NETS = 32

    def start(self, own: Hand, lying: Hand = ()) -> None:
        self.own, self.lying = own, lying
        self.rest = np.array([card for card in self.deck.cards.tolist() if card not in (*own, *lying)])
        self.missing = self.cards - len(lying)
        later = self.missing + PAIR
        # The dealer's hand is what lies and some more cards; whichever of them lie, it has one score.
        more = _subsets(len(self.rest), later)
        known = np.broadcast_to(np.array(lying, np.int64), (len(more), len(lying)))
        theirs = batch.evaluate(self.order, np.concatenate([known, self.rest[more]], axis=1))
        self.sets, self.dealt, number = _deals(len(self.rest), self.missing)
        self.scores = theirs[number]
        held = np.broadcast_to((*own, *lying), (len(self.sets), PAIR + len(lying)))
        self.mine = batch.evaluate(self.order, np.concatenate([held, self.rest[self.sets]], axis=1))
        self.count()

    def count(self) -> None:
        """The dealer's holdings on each board by how they compare and whether they qualify, and one of each."""
        standing = np.sign(self.mine[:, None].astype(np.int64) - self.scores) * 2 + (self.scores >= self.least)
        same = {int(code): standing == code for code in np.unique(standing)}
        self.many = {code: each.sum(axis=1) for code, each in same.items()}
        self.shown = {code: each.argmax(axis=1) for code, each in same.items()}

    def spread(self, made: Made) -> Ints:
        """By board and net: how many of the dealer's holdings come to it. Hands of one rank are settled alike."""
        found = np.zeros((len(self.sets), self.MOST_NETS), np.int64)
        for code, many in self.many.items():
            rows = np.flatnonzero(many)
            _, first, group = np.unique(self.mine[rows], return_index=True, return_inverse=True)
            columns = np.array([self._column_at(made, int(rows[at]), code) for at in first])
            found[rows, columns[group.reshape(-1)]] += many[rows]
        return found

    def _column_at(self, made: Made, row: int, code: int) -> int:
        lying = (*self.lying, *self.hand(self.sets[row]))
        return self.column(made, self.own, lying, self.hand(self.dealt[row, self.shown[code][row]]))

    def hand(self, places: Ints) -> Hand:
        return tuple(Card(int(self.rest[place])) for place in places)

    @property
    def least(self) -> int:
        structure = board.board_of(self.game)
        assert structure is not None
        return 0 if structure.qualifies is None else structure.qualifies[1]

    def down(self, spread: Ints, size: int, to: int) -> Ints:
        """Sums over every card that may come next, down to boards of fewer cards."""
        for more in range(size - len(self.lying), to - len(self.lying), -1):
            spread = spread[_one_more(len(self.rest), more - 1)].sum(axis=1)
        return spread

    def values(self, spread: Ints) -> Ints:
        unit = lcm(*(net.denominator for net in self.nets))
        return spread[:, : len(self.nets)] @ np.array([int(net * unit) for net in self.nets])

    def best(self, place: int, made: Made, found: dict[Made, tuple[tuple[str, ...], Ints]]) -> Ints:
        """The spread of the best play from a decision on, by board; fills in what each choice is worth at each."""
        size, step = self.seen[place], self.game.course.decides[place]
        spreads = {}
        for choice in step.choices(self.rules):
            after = (*made, choice.name)
            last = choice.option.ends or place + 1 == len(self.game.course.decides)
            later = self.spread(after) if last else self.best(place + 1, after, found)
            spreads[choice.name] = self.down(later, self.cards if last else self.seen[place + 1], size)
        worth = np.stack([self.values(spread) for spread in spreads.values()])
        found[made] = tuple(spreads), worth
        return np.take_along_axis(np.stack([*spreads.values()]), worth.argmax(axis=0)[None, :, None], axis=0)[0]


@lru_cache(maxsize=4)
def _deals(n: int, missing: int) -> tuple[Ints, Ints, Ints]:
    """Every set of cards that the board lacks, every pair beside each, and the number of both together."""
    sets, pairs = _subsets(n, missing), _subsets(n - missing, PAIR)
    left = np.array([np.setdiff1d(np.arange(n), row) for row in sets])
    dealt = left[:, pairs]
    both = np.sort(np.concatenate([np.repeat(sets[:, None], len(pairs), axis=1), dealt], axis=2), axis=2)
    return sets, dealt, _number(both.reshape(-1, missing + PAIR)).reshape(dealt.shape[:2])


@lru_cache(maxsize=32)
def _subsets(n: int, size: int) -> Ints:
    if size == 0:
        return np.zeros((1, 0), np.int64)
    found = np.empty((comb(n, size), size), np.uint8)
    all_subsets(n, size, found)
    return found.astype(np.int64)


@lru_cache(maxsize=32)
def _one_more(n: int, size: int) -> Ints:
    """By number: the sets that have one card more."""
    sets = _subsets(n, size)
    others = np.array([np.setdiff1d(np.arange(n), row) for row in sets])
    larger = np.concatenate([np.repeat(sets[:, None], n - size, axis=1), others[:, :, None]], axis=2)
    return _number(np.sort(larger, axis=2).reshape(-1, size + 1)).reshape(others.shape)


def _number(sets: Ints) -> Ints:
    return sum((BINOMIAL[sets[:, place], place + 1] for place in range(sets.shape[1])), np.zeros(len(sets), np.int64))


def _history(play: BoardPlay, made: Made) -> int:
    """Where choices lead; who is not asked any more has chosen nothing."""
    history = 0
    for street, name in zip(play.streets, (*made, *[""] * len(play.streets)), strict=False):
        history = int(street.follows[history, street.names.index(name)])
    return history


def _starts(deck: SmallDeck) -> Counter[Hand]:
    """One holding of each rank and suitedness, and how many are like it."""
    cards = deck.hand(range(deck.size))
    like = {}
    for pair in combinations(cards, PAIR):
        like.setdefault((pair[0] >> 2, pair[1] >> 2, pair[0] & 3 == pair[1] & 3), []).append(pair)
    return Counter({pairs[0]: len(pairs) for pairs in like.values()})


@boards
@pytest.mark.parametrize(("ranks", "some"), [("AKQJT9", None), ("2346789", 3)], ids=["six ranks", "seven ranks"])
def test_every_decision_is_worth_what_enumeration_says(name: str, ranks: str, some: int | None) -> None:
    """To the last integer: every board, every flop, every start; with all starts the whole distribution too."""
    deck = SmallDeck(tuple(sorted(RANKS.index(rank) for rank in ranks)))
    play = board.valued(GAMES[name], rules_for(name, AS_OF), deck)
    naive, counts = Naive(name, deck), play.counts
    starts = _starts(deck)
    if some is not None:
        starts = Counter(dict(Random(653).sample(sorted(starts.items()), some)))
    total: Counter[Fraction] = Counter()
    for own, many in starts.items():
        naive.start(own)
        found: dict[Made, tuple[tuple[str, ...], Ints]] = {}
        (spread,) = naive.best(0, (), found)
        total.update({net: many * int(n) for net, n in zip(naive.nets, spread.tolist(), strict=False) if n})
        unit = lcm(*(net.denominator for net in naive.nets))
        for made, (names, worth) in found.items():
            street = play.streets[len(made)]
            history = _before(play, made)
            lying = _places(naive, street.size)
            rows, pairs = counts.where(deck.places(own), lying)
            for at, choice in enumerate(names):
                column = street.names.index(choice)
                if street.size == naive.cards:
                    end = street.follows[history, column]
                    finals = board.finals_worth(counts, play.plan, deck.places(own), lying)
                    ours = (
                        finals[end]
                        if end != ENDED
                        else np.full(len(lying), street.choosing.ended[history, column] * counts.dealt)
                    )
                elif len(street.worth):
                    ours = street.worth[history, column, rows, pairs]
                else:
                    ours = None
                    picked = street.picked[history, rows, pairs]
                    assert [street.names[each] for each in picked] == [names[each] for each in worth.argmax(axis=0)]
                if ours is not None:
                    assert (ours * unit == worth[at] * play.plan.unit).all(), (own, made, choice)
    if some is None:
        alike = counts.board.orders
        assert {net: n // alike for net, n in total.items()} == dict(play.result.distribution)
        assert sum(total.values()) == play.result.deals * alike


def _places(naive: Naive, size: int) -> npt.NDArray[np.uint8]:
    where = {int(card): place for place, card in enumerate(naive.deck.cards)}
    rest = np.array([where[int(card)] for card in naive.rest])
    return rest[_subsets(len(rest), size)].astype(np.uint8)


def _before(play: BoardPlay, made: Made) -> int:
    history = 0
    for street, name in zip(play.streets, made, strict=False):
        history = int(street.follows[history, street.names.index(name)])
    return history
