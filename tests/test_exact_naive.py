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
from pitboss.exact import solo
from pitboss.exact.board_counts import board_of
from pitboss.exact.decks import SmallDeck
from pitboss.exact.duel import NO_UP, Solved, solve
from pitboss.exact.engine import duel_of
from pitboss.exact.value import CELLS, pay_grid, value, weigh
from pitboss.games.course import TurnUp
from pitboss.games.registry import BANKED as GAMES
from pitboss.games.rules import Choices, Rules
from pitboss.games.structure import Duel
from pitboss.hands.orders import RankOrder

from .book import book_of
from .naive import PASSED, Cells, Enumerator, Made, Spread, State, Walker, mean
from .states import closed_form_deals

AS_OF = date(2024, 6, 1)
COPIES = 4
Key = tuple[Hand, Card | None]
Found = tuple[dict[str, Spread], Cells]


@dataclass(frozen=True)
class Setting:
    """A game, the ranks of the small deck, and how many player's hands to enumerate; none means all."""

    game: str
    ranks: str
    letter: str = "-"
    hands: int | None = None

    def __str__(self) -> str:
        return f"{self.game} {self.ranks} {self.letter}" + (f" {self.hands} hands" if self.hands else "")


def settings() -> Iterator[Setting]:
    """From the books of the games. ``hands``: decks in which the rarer facts occur, with some of the player's hands but
    all of the dealer's against each; without it few enough states to enumerate them all, so totals are compared too.
    """
    for game in GAMES:
        yield from (Setting(game, **each) for each in book_of(game).get("naive", ()))


DUELS = [setting for setting in settings() if GAMES[setting.game].duel is not None]
STREETS = [setting for setting in settings() if GAMES[setting.game].duel is None and not board_of(GAMES[setting.game])]


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
        self.rules = _rules(setting)
        self.deck = SmallDeck(tuple(sorted(RANKS.index(rank) for rank in setting.ranks)))
        self.solved = solve(self.duel, self.deck)
        self.grid = pay_grid(self.game, self.rules, self.solved, self.duel)
        self.where = {_key(self.solved, state): state for state in range(len(self.solved.kinds))}

    def states(self) -> Iterator[State]:
        cards = tuple(card_of(rank, suit) for rank in self.deck.ranks for suit in range(len(SUITS)))
        hands = list(combinations(cards, self.duel.player_cards))
        if self.setting.hands:
            hands = self._sample(hands)
        self.naive = Enumerator(self.rules, self.duel.order, cards, self.duel.dealer_cards, self.duel.up_card)
        return self.naive.states(hands)

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
        # Who has no choice makes none.
        names = [name if name in self.naive.tries else PASSED for name in self.grid.names]
        spreads = {
            names[choice]: Counter({net: n // COPIES for net, n in each.result.distribution.items()})
            for choice, each in zip(lawful, weighed, strict=True)
        }
        counted = (weighed[0].tallies.sum(axis=(0, 1)) // COPIES).tolist()
        return spreads, Counter({cell: n for cell, n in zip(CELLS, counted, strict=True) if n})


def _rules(setting: Setting) -> Rules:
    letters = {} if setting.letter == "-" else {GAMES[setting.game].paytable: setting.letter}
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


@pytest.mark.parametrize("setting", [each for each in DUELS if each.hands], ids=_named)
def test_every_choice_of_a_state_is_worth_what_enumeration_says(setting: Setting) -> None:
    bench = Bench(setting)
    compared = sum(1 for _ in _compared(bench))
    ups = bench.deck.size - bench.duel.player_cards if bench.duel.up_card else 1
    assert compared == (setting.hands or 0) * ups


@pytest.mark.parametrize("setting", [each for each in DUELS if not each.hands], ids=_named)
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
        best = max(sorted(worth, key=lambda name: [*bench.naive.tries].index(name)), key=worth.__getitem__)
        ties += list(worth.values()).count(worth[best]) > 1
        taken[best] += 1
        total.update(spreads[best])
    valued = value(bench.game, bench.rules, bench.solved, bench.duel)
    assert stands_for == Counter(dict(enumerate(bench.solved.weights.tolist())))
    assert dict(total) == dict(valued.result.distribution)
    assert total.total() == valued.result.deals == closed_form_deals(bench.duel, bench.deck)
    assert valued.result.expected_value == mean(total)
    states = sum(taken.values())
    shares = {name if name in bench.naive.tries else PASSED: share for name, share in valued.result.choices.items()}
    assert {name: share for name, share in shares.items() if share} == {
        name: Fraction(count, states) for name, count in taken.items()
    }
    assert valued.ties == ties


class Streets:
    """Both sides of the comparison where cards are turned up one after the other."""

    def __init__(self, setting: Setting) -> None:
        self.game, self.rules = GAMES[setting.game], rules_for(setting.game, AS_OF)
        self.deck = SmallDeck(tuple(sorted(RANKS.index(rank) for rank in setting.ranks)))
        self.play = solo.valued(self.game, self.rules, self.deck)
        structure = self.play.counts.solo
        self.cards = tuple(card_of(rank, suit) for rank in self.deck.ranks for suit in range(len(SUITS)))
        (place,) = {step.place for step in self.game.course.flat if isinstance(step, TurnUp)}
        self.naive = Walker(self.rules, self.cards, structure.seen, place, structure.facet.cards)
        self.hands = list(combinations(self.cards, structure.own))
        if setting.hands:
            Random(655).shuffle(self.hands)
            self.hands = self.hands[: setting.hands]

    def history(self, made: Made) -> int:
        history = 0
        for street, name in zip(self.play.streets, made, strict=False):
            history = int(street.follows[history, street.names.index(name)])
        return history

    def total(self) -> Spread:
        """The spread of all hands, once every choice of every state has been found worth the same."""
        total: Spread = Counter()
        for hand in self.hands:
            found: dict[tuple[Hand, Made], dict[str, Fraction]] = {}
            total.update(self.naive.spread(hand, (), found))
            for (seen, made), worth in found.items():
                assert self.play.streets[len(made)].values(seen, self.history(made)) == worth, (seen, made)
        return total


@pytest.mark.parametrize("setting", STREETS, ids=_named)
def test_every_choice_on_every_street_is_worth_what_enumeration_says(setting: Setting) -> None:
    bench = Streets(setting)
    total = bench.total()
    if not setting.hands:
        assert dict(total) == dict(bench.play.result.distribution)
        assert total.total() == bench.play.result.deals


def test_every_game_with_a_choice_is_enumerated() -> None:
    asking = {name for name in GAMES if GAMES[name].course.weighed and not board_of(GAMES[name])}
    assert {setting.game for setting in settings()} == asking  # on a board: test_exact_board


def test_the_small_decks_show_every_category_and_every_standing_of_the_dealer() -> None:
    """What no deck above contains would not have been checked."""
    for game in (GAMES[name] for name in dict.fromkeys(setting.game for setting in DUELS)):
        duel = duel_of(game)
        categories: set[str] = set()
        standings: set[bool] = set()
        for setting in DUELS:
            if setting.game == game.name:
                cards = [card_of(RANKS.index(rank), suit) for rank in setting.ranks for suit in range(len(SUITS))]
                hands = combinations(cards, duel.player_cards)
                scores = {duel.order.best(tuple(sorted(hand)))[0] for hand in hands}
                categories |= {duel.order.category(score) for score in scores}
                standings |= {duel.qualifies is None or score >= duel.qualifies for score in scores}
        assert categories == set(duel.order.categories), game.name
        assert standings == ({True} if duel.qualifies is None else {True, False}), game.name
