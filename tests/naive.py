"""Main games by plain enumeration on a small deck: every dealer's hand, settled live. No sweep, no classes, no options.

What may be chosen is what the table would accept, and what a choice is worth is what the table would pay: decisions
are verified and settled by the same functions as a round that was really played.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from typing import Any

from pitboss.cards import Card, Hand
from pitboss.games.contract import Versus
from pitboss.games.registry import GAMES
from pitboss.games.round import Decision, Round, Seat, decided
from pitboss.games.rules import Rules
from pitboss.games.settle import settle, verify
from pitboss.hands.orders import RankOrder

ANTE = 1200
"""Divisible enough that no pay of a main wager leaves a fraction of a cent."""
Spread = Counter[Fraction]
"""Net result in Antes, and with how many of the dealer's hands it comes about."""
Cells = Counter[tuple[bool, Versus]]
"""Dealer's hands by whether they qualify and how the player's hand compares; not every pay tells these apart."""


@dataclass(frozen=True)
class State:
    """A player's hand and the up card seen, if any, with all that the dealer's hands can do to it."""

    hand: Hand
    up: Card | None
    spreads: Mapping[str, Spread]
    """Of every lawful choice."""
    cells: Cells


@dataclass(frozen=True)
class Play:
    """How a game's main wagers are put down and what a player might try, lawful or not, in order of preference."""

    wagers: Mapping[str, int]
    lines: frozenset[str]
    """The settlement lines that belong to the main game."""
    tries: Mapping[str, Decision | None]
    order: RankOrder
    up_card: bool = False


def play_of(game: str, order: RankOrder) -> Play:
    def times(verb: str) -> dict[str, Decision | None]:
        return {f"{verb} {many}x": Decision(verb, many * ANTE) for many in range(1, 5)}

    fold: dict[str, Decision | None] = {"fold": Decision("fold")}
    match game:
        case "three-card-poker":
            lines = frozenset({"ante", "play", "ante_bonus"})
            return Play({"ante": ANTE}, lines, {"play": Decision("play"), **fold}, order)
        case "four-card-poker":
            lines = frozenset({"ante", "play", "ante_bonus"})
            return Play({"ante": ANTE}, lines, times("play") | fold, order, up_card=True)
        case "four-card-frenzy":
            lines = frozenset({"ante", "odds", "raise"})
            return Play({"ante": ANTE, "odds": ANTE}, lines, times("raise") | fold, order)
        case "lunar-poker":
            lines = frozenset({"ante", "bet", "second_combination", "instant_payout"})
            tries = {"bet": Decision("bet"), **fold, "instant": None}
            return Play({"ante": ANTE, "super": ANTE}, lines, tries, order, up_card=True)
    raise ValueError(game)


@dataclass
class Enumerator:
    """Everything that can happen to some player's hands on one small deck."""

    rules: Rules
    play: Play
    cards: Hand
    dealer_cards: int
    _scores: dict[Hand, int] = field(default_factory=dict)
    _nets: dict[tuple[str, Any], Fraction] = field(default_factory=dict)

    def score(self, hand: Hand) -> int:
        if hand not in self._scores:
            self._scores[hand] = self.play.order.best(hand)[0]
        return self._scores[hand]

    def choices(self, hand: Hand) -> tuple[str, ...]:
        """What the table would accept from a player with this hand."""
        rest = [card for card in self.cards if card not in hand]
        dealer = tuple(rest[: self.dealer_cards])
        return tuple(name for name in self.play.tries if not verify(self.rules, self._round(hand, dealer, name)))

    def states(self, hands: Iterable[Hand]) -> Iterator[State]:
        """Each hand with each up card, against all of the dealer's hands.

        Dealer's hands of one score are settled alike, so one of each score is settled and the others are counted.
        """
        for hand in hands:
            rest = [card for card in self.cards if card not in hand]
            met: dict[Card | None, Counter[int]] = {}
            shown: dict[int, Hand] = {}
            for dealer in combinations(rest, self.dealer_cards):
                score = self.score(dealer)
                shown.setdefault(score, dealer)
                for up in dealer if self.play.up_card else (None,):
                    met.setdefault(up, Counter())[score] += 1
            nets = {
                name: {score: self.net(hand, dealer, name) for score, dealer in shown.items()}
                for name in self.choices(hand)
            }
            standing = {score: self.standing(hand, dealer, next(iter(nets))) for score, dealer in shown.items()}
            for up, scores in met.items():
                cells: Cells = Counter()
                for score, count in scores.items():
                    cells[standing[score]] += count
                spreads: dict[str, Spread] = {name: Counter() for name in nets}
                for name, by_score in nets.items():
                    for score, count in scores.items():
                        spreads[name][by_score[score]] += count
                yield State(hand, up, spreads, cells)

    def standing(self, hand: Hand, dealer: Hand, name: str) -> tuple[bool, Versus]:
        """Whether the dealer qualifies, as every hand does where the game asks nothing, and how the hands compare."""
        outcome = self._outcome(self._round(hand, dealer, name))
        return getattr(outcome, "qualifies", True), outcome.versus

    def net(self, hand: Hand, dealer: Hand, name: str) -> Fraction:
        """What the main wagers gain or lose in Antes; rounds with the same outcome are settled once."""
        played = self._round(hand, dealer, name)
        key = name, self._outcome(played)
        if key not in self._nets:
            settlement = settle(self.rules, played)
            assert not settlement.findings
            assert not any("fraction of a cent" in line.why for line in settlement.lines)
            cents = sum(line.net for line in settlement.lines if line.wager in self.play.lines)
            self._nets[key] = Fraction(cents, ANTE)
        return self._nets[key]

    def _outcome(self, played: Round) -> Any:
        return GAMES[self.rules.game].outcome(self.rules, played, played.seats[0])

    def _round(self, hand: Hand, dealer: Hand, name: str) -> Round:
        return Round(dealer, (Seat(1, hand, self.play.wagers, decided(self.play.tries[name])),))


def mean(spread: Spread) -> Fraction:
    return sum((net * count for net, count in spread.items()), Fraction(0)) / sum(spread.values())
