"""The exact engine against plain enumeration on small decks: every state, every choice, every count."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction
from itertools import combinations, permutations
from random import Random

import numpy as np
import pytest

from pitboss.api import rules_for
from pitboss.cards import RANKS, SUITS, Card, Hand, card_of, rank_of, suit_of
from pitboss.exact.decks import SmallDeck
from pitboss.exact.duel import NO_UP, Solved, closed_form_deals, solve
from pitboss.exact.engine import duel_of
from pitboss.exact.value import CELLS, pay_grid, value, weigh
from pitboss.games.registry import GAMES
from pitboss.games.rules import Choices, Rules
from pitboss.games.structure import Duel
from pitboss.hands.orders import RankOrder

from .naive import Cells, Enumerator, Spread, State, mean, play_of

AS_OF = date(2024, 6, 1)
COPIES = 4
Key = tuple[Hand, Card | None]
Found = tuple[dict[str, Spread], Cells]


@dataclass(frozen=True)
class Setting:
    """A game, the ranks of the small deck, and how many player's hands to enumerate; none means all."""

    game: str
    ranks: str
    letter: str = "A"
    hands: int | None = None

    def __str__(self) -> str:
        return f"{self.game} {self.ranks} {self.letter}" + (f" {self.hands} hands" if self.hands else "")


WHOLE = (
    Setting("three-card-poker", "AKQ7", "c:C"),
    Setting("three-card-poker", "QJT8", "B"),
    Setting("four-card-frenzy", "AKQ", "C"),
    Setting("four-card-poker", "AK2", "-"),
    Setting("lunar-poker", "AK3", "B"),
)
"""Few enough states to enumerate them all, so totals can be compared as well."""

SAMPLED = (
    # Five ranks below the king and no sequence: a hand without a pair does not qualify. Six with a king: some do.
    Setting("four-card-frenzy", "QJ974", "D", 60),
    Setting("four-card-frenzy", "K98653", "A", 20),
    Setting("four-card-frenzy", "A2348", "B", 60),
    Setting("four-card-poker", "AQ962", "-", 25),
    Setting("four-card-poker", "A2346", "-", 25),
    # Royal flushes with AKQJT, steel wheels with A2345, ace-king against less with AKQ73.
    Setting("lunar-poker", "AKQJT", "A", 40),
    Setting("lunar-poker", "A2345", "C", 40),
    Setting("lunar-poker", "AKQ732", "A", 20),
)
"""Decks in which the rarer facts occur; some of the player's hands, but all of the dealer's against each."""


@pytest.fixture(autouse=True)
def _remembered_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    """The scalar score of each set of cards is asked for many times here; it is still the scalar score."""
    known: dict[tuple[str, frozenset[Card]], int] = {}
    scored = RankOrder.score

    def score(order: RankOrder, cards: Hand) -> int:
        key = order.name, frozenset(cards)
        if key not in known:
            known[key] = scored(order, cards)
        return known[key]

    monkeypatch.setattr(RankOrder, "score", score)


class Bench:
    """Both sides of the comparison for one setting."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.game = GAMES[setting.game]
        self.duel: Duel = duel_of(self.game)
        self.rules = _rules(setting, self.duel)
        self.deck = SmallDeck(tuple(sorted(RANKS.index(rank) for rank in setting.ranks)))
        self.solved = solve(self.duel, self.deck)
        self.grid = pay_grid(self.game, self.rules, self.solved, self.duel)
        self.where = {_key(self.solved, state): state for state in range(len(self.solved.kinds))}

    def states(self) -> Iterator[State]:
        cards = tuple(card_of(rank, suit) for rank in self.deck.ranks for suit in range(len(SUITS)))
        hands = list(combinations(cards, self.duel.player_cards))
        if self.setting.hands:
            hands = self._sample(hands)
        play = play_of(self.setting.game, self.duel.order)
        assert play.up_card == self.duel.up_card
        return Enumerator(self.rules, play, cards, self.duel.dealer_cards).states(hands)

    def _sample(self, hands: list[Hand]) -> list[Hand]:
        """One hand of every category at least, then as chance will have it."""
        assert self.setting.hands
        Random(684).shuffle(hands)
        order = self.duel.order
        by_category = {order.category(order.best(hand)[0]): hand for hand in hands[:4000]}
        return list(dict.fromkeys([*by_category.values(), *hands]))[: self.setting.hands]

    def state(self, hand: Hand, up: Card | None) -> int:
        """The state that stands for these cards: the only one reached by calling suits other names."""
        found = {self.where[key] for key in _renamed(hand, up) if key in self.where}
        assert len(found) == (1 if self.duel.suit_blind else len(set(_renamed(hand, up))))
        return next(iter(found)) if self.duel.suit_blind else self.where[tuple(sorted(hand)), up]

    def found(self, state: int) -> Found:
        """The engine's own counts in one state, of every choice that it holds lawful."""
        one = _only(self.solved, state)
        lawful = np.flatnonzero(self.grid.legal[self.grid.fact_of_kind[one.kinds[0]]])
        weighed = [weigh(one, self.grid, self.duel.required, np.full(COPIES, c, np.uint8)) for c in lawful]
        spreads = {
            self.grid.names[choice]: Counter({net: n // COPIES for net, n in each.result.distribution.items()})
            for choice, each in zip(lawful, weighed, strict=True)
        }
        counted = (weighed[0].tallies.sum(axis=(0, 1)) // COPIES).tolist()
        return spreads, Counter({cell: n for cell, n in zip(CELLS, counted, strict=True) if n})


def _rules(setting: Setting, duel: Duel) -> Rules:
    letters = {} if setting.letter == "-" else {duel.paytable: setting.letter}
    options = {"version": 1} if setting.letter.startswith("c:") else {}
    return rules_for(setting.game, AS_OF, Choices(letters=letters, options=options))


def _key(solved: Solved, state: int) -> Key:
    up = int(solved.ups[state])
    hand = tuple(sorted(solved.deck.hand(solved.hands[state])))
    return hand, None if up == NO_UP else Card(int(solved.deck.cards[up]))


def _renamed(hand: Hand, up: Card | None) -> Iterator[Key]:
    for suits in permutations(range(len(SUITS))):

        def rename(card: Card, suits: tuple[int, ...] = suits) -> Card:
            return card_of(rank_of(card), suits[suit_of(card)])

        yield tuple(sorted(map(rename, hand))), None if up is None else rename(up)


def _only(solved: Solved, state: int) -> Solved:
    """A solved duel that has one state, in a few copies: a part of one state would look as if every hand qualified."""
    copies = [state] * COPIES
    return replace(
        solved,
        hands=solved.hands[copies],
        ups=solved.ups[copies],
        weights=np.ones(COPIES, np.uint8),
        kinds=solved.kinds[copies],
        lower=solved.lower[copies],
        upto=solved.upto[copies],
        unqualified=solved.unqualified[copies] if len(solved.unqualified) > 1 else solved.unqualified,
    )


def _named(setting: Setting) -> str:
    return str(setting)


def _compared(bench: Bench) -> Iterator[tuple[int, State]]:
    """Each enumerated state, once the engine's counts of it have been found equal."""
    known: dict[int, Found] = {}
    for each in bench.states():
        state = bench.state(each.hand, each.up)
        if state not in known:
            known[state] = bench.found(state)
        spreads, cells = known[state]
        assert spreads == each.spreads, f"{each.hand} up {each.up}"
        assert cells == each.cells, f"{each.hand} up {each.up}"
        yield state, each


@pytest.mark.parametrize("setting", SAMPLED, ids=_named)
def test_every_choice_of_a_state_is_worth_what_enumeration_says(setting: Setting) -> None:
    bench = Bench(setting)
    compared = sum(1 for _ in _compared(bench))
    ups = bench.deck.size - bench.duel.player_cards if bench.duel.up_card else 1
    assert compared == (setting.hands or 0) * ups


@pytest.mark.parametrize("setting", WHOLE, ids=_named)
def test_every_choice_and_all_totals_are_those_of_enumeration(setting: Setting) -> None:
    bench = Bench(setting)
    stands_for: Counter[int] = Counter()
    total: Spread = Counter()
    taken: Counter[str] = Counter()
    ties = 0
    for state, each in _compared(bench):
        spreads = each.spreads
        stands_for[state] += 1
        worth = {name: mean(spread) for name, spread in spreads.items()}
        # Of equally good choices the first that the game lists is taken.
        best = max(sorted(worth, key=bench.grid.names.index), key=worth.__getitem__)
        ties += list(worth.values()).count(worth[best]) > 1
        taken[best] += 1
        total.update(spreads[best])
    valued = value(bench.game, bench.rules, bench.solved, bench.duel)
    assert stands_for == Counter(dict(enumerate(bench.solved.weights.tolist())))
    assert dict(total) == dict(valued.result.distribution)
    assert total.total() == valued.result.deals == closed_form_deals(bench.duel, bench.deck)
    assert valued.result.expected_value == mean(total)
    states = sum(taken.values())
    assert {name: share for name, share in valued.result.choices.items() if share} == {
        name: Fraction(count, states) for name, count in taken.items()
    }
    assert valued.ties == ties


def test_the_small_decks_show_every_category_and_every_standing_of_the_dealer() -> None:
    """What no deck above contains would not have been checked."""
    for game in GAMES.values():
        duel = duel_of(game)
        categories: set[str] = set()
        standings: set[bool] = set()
        for setting in (*WHOLE, *SAMPLED):
            if setting.game == game.name:
                cards = [card_of(RANKS.index(rank), suit) for rank in setting.ranks for suit in range(len(SUITS))]
                hands = combinations(cards, duel.player_cards)
                scores = {duel.order.best(tuple(sorted(hand)))[0] for hand in hands}
                categories |= {duel.order.category(score) for score in scores}
                standings |= {duel.qualifies is None or score >= duel.qualifies for score in scores}
        assert categories == set(duel.order.categories), game.name
        assert standings == ({True} if duel.qualifies is None else {True, False}), game.name
