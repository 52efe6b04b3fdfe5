"""Main games by plain enumeration on a small deck: every card that may come, settled live. No sweep, no classes.

What may be chosen is what the table would accept, and what a choice is worth is what the table would pay: decisions
are verified and settled by the same functions as a round that was really played. What might be tried follows from the
course, and so do the wagers that are put down; no game is known here.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from typing import Any

from pitboss.cards import Card, Hand
from pitboss.games.contract import Game, Versus
from pitboss.games.course import Decide
from pitboss.games.registry import BANKED as GAMES
from pitboss.games.round import Decision, Round, Seat
from pitboss.games.rules import Rules
from pitboss.games.settle import settle, verify
from pitboss.hands.orders import RankOrder

ANTE = 1200
"""Divisible enough that no pay of a main wager leaves a fraction of a cent."""
PASSED = ""
"""What the choice of a player who has none is called here."""
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


def wagers_of(rules: Rules) -> dict[str, int]:
    """What everybody puts down who plays."""
    return {wager.name: ANTE for wager in rules.wagers.values() if wager.role in ("unit", "required")}


def main_net(rules: Rules, played: Round) -> Fraction:
    """What the main wagers of the only seat gain or lose in Antes; others that everybody makes are left out."""
    settlement = settle(rules, played)
    assert not settlement.findings
    assert not any("fraction of a cent" in line.why for line in settlement.lines)
    aside = wagers_of(rules).keys() - set(GAMES[rules.game].course.main)
    return Fraction(sum(line.net for line in settlement.lines if line.wager not in aside), ANTE)


def tries(rules: Rules, step: Decide) -> dict[str, Decision | None]:
    """What a player might try, lawful or not: every option without a draw, one multiple too many, or nothing."""
    found: dict[str, Decision | None] = {PASSED: None}
    for option in step.options(rules, None):
        said = next((times for times in option.puts.values() if times.said), None)
        if said is not None:
            many = range(said.least, said.most + 2)
            found |= {f"{option.name} {count}x": Decision(option.name, count * ANTE) for count in many}
        elif option.draws is None:
            found[option.name] = Decision(option.name)
    return found


@dataclass
class Enumerator:
    """Everything that can happen to some player's hands on one small deck, where a dealer plays."""

    rules: Rules
    order: RankOrder
    cards: Hand
    dealer_cards: int
    up_card: bool
    _scores: dict[Hand, int] = field(default_factory=dict)
    _nets: dict[tuple[str, Any], Fraction] = field(default_factory=dict)

    @cached_property
    def game(self) -> Game:
        return GAMES[self.rules.game]

    @cached_property
    def tries(self) -> dict[str, Decision | None]:
        return tries(self.rules, self.game.course.weighed[0])

    def score(self, hand: Hand) -> int:
        if hand not in self._scores:
            self._scores[hand] = self.order.best(hand)[0]
        return self._scores[hand]

    def choices(self, hand: Hand) -> tuple[str, ...]:
        """What the table would accept from a player with this hand."""
        rest = [card for card in self.cards if card not in hand]
        dealer = tuple(rest[: self.dealer_cards])
        return tuple(name for name in self.tries if not verify(self.rules, self._round(hand, dealer, name)))

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
                for up in dealer if self.up_card else (None,):
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
            self._nets[key] = main_net(self.rules, played)
        return self._nets[key]

    def _outcome(self, played: Round) -> Any:
        return self.game.outcome(self.rules, played, played.seats[0])

    def _round(self, hand: Hand, dealer: Hand, name: str) -> Round:
        made, step = self.tries[name], self.game.course.weighed[0].name
        return Round(dealer, (Seat(1, hand, wagers_of(self.rules), {} if made is None else {step: made}),))


Made = tuple[str, ...]
"""What has been chosen on the streets so far."""


@dataclass
class Walker:
    """A game without a dealer's hand, walked card by card: every order of cards, every choice on every street."""

    rules: Rules
    cards: Hand
    seen: tuple[int, ...]
    """Cards that a seat has seen when it is asked, street by street."""
    place: str
    """Where cards are turned up."""
    all_cards: int
    _nets: dict[tuple[Made, Any], Fraction] = field(default_factory=dict)
    _lawful: dict[Made, tuple[str, ...]] = field(default_factory=dict)
    _ended: dict[Made, bool] = field(default_factory=dict)
    _outcomes: dict[tuple[frozenset[Card], frozenset[Card]], Any] = field(default_factory=dict)

    @cached_property
    def steps(self) -> tuple[Decide, ...]:
        return GAMES[self.rules.game].course.weighed

    def round_of(self, seen: Hand, made: Made) -> Round:
        """The round with these cards, in the order in which they were seen; what is missing is taken from the rest."""
        rest = tuple(card for card in self.cards if card not in seen)
        all_cards = (seen + rest)[: self.all_cards]
        chosen = {step.name: tries(self.rules, step)[name] for step, name in zip(self.steps, made, strict=False)}
        decisions = {step: decision for step, decision in chosen.items() if decision is not None}
        own = self.seen[0]
        seat = Seat(1, all_cards[:own], wagers_of(self.rules), decisions)
        return Round((), (seat,), {self.place: all_cards[own:]})

    def lawful(self, made: Made) -> tuple[str, ...]:
        """What the table would accept on the next street: rounds that are complete, or want only later decisions."""
        if made not in self._lawful:
            step = self.steps[len(made)]
            seen = self.cards[: self.seen[len(made)]]
            found = []
            for name in tries(self.rules, step):
                findings = verify(self.rules, self.round_of(seen, (*made, name)))
                if name != PASSED and {finding.code for finding in findings} <= {"decision-missing"}:
                    found.append(name)
            self._lawful[made] = tuple(found)
        return self._lawful[made]

    def ended(self, made: Made) -> bool:
        """Whether the seat is not asked again before the last street: its round is complete as it is."""
        if made not in self._ended:
            played = self.round_of(self.cards[: self.seen[0]], made)
            self._ended[made] = bool(made) and len(made) < len(self.steps) and not verify(self.rules, played)
        return self._ended[made]

    def net(self, seen: Hand, made: Made) -> Fraction:
        """Rounds with the same choices and, but for them, the same outcome are settled once."""
        own = self.seen[0]
        cards = frozenset(seen[:own]), frozenset(seen[own:])
        if cards not in self._outcomes:
            played = self.round_of(seen, ())
            self._outcomes[cards] = GAMES[self.rules.game].outcome(self.rules, played, played.seats[0])
        key = made, self._outcomes[cards]
        if key not in self._nets:
            self._nets[key] = main_net(self.rules, self.round_of(seen, made))
        return self._nets[key]

    def spread(self, seen: Hand, made: Made, best: dict[tuple[Hand, Made], dict[str, Fraction]]) -> Spread:
        """What comes of cards and choices when every later choice is the best; fills in what each choice is worth."""
        if self.ended(made):
            return Counter({self.net(seen, made): _orders(len(self.cards) - len(seen), self.all_cards - len(seen))})
        wanted = self.seen[len(made)] if len(made) < len(self.steps) else self.all_cards
        total: Spread = Counter()
        if len(seen) + 1 == wanted == self.all_cards:
            total.update([self.net((*seen, card), made) for card in self.cards if card not in seen])
            return total
        if len(seen) < wanted:
            for card in self.cards:
                if card not in seen:
                    total.update(self.spread((*seen, card), made, best))
            return total
        if len(made) == len(self.steps):
            return Counter({self.net(seen, made): 1})
        spreads = {name: self.spread(seen, (*made, name), best) for name in self.lawful(made)}
        worth = {name: mean(each) for name, each in spreads.items()}
        best[seen, made] = worth
        return spreads[max(worth, key=worth.__getitem__)]


def _orders(cards: int, dealt: int) -> int:
    return 1 if dealt == 0 else cards * _orders(cards - 1, dealt - 1)


def mean(spread: Spread) -> Fraction:
    return sum((net * count for net, count in spread.items()), Fraction(0)) / sum(spread.values())
