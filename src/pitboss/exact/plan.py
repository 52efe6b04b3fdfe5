"""What may be chosen on every street, history by history, and what each end of a round pays: the game's own answers.

Stakes differ by what was chosen before, so each street is valued for every *history* of choices. Counters that see
several decisions (``solo``, ``board``) ask for a plan once and then work on its whole numbers alone.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
import numpy.typing as npt

from pitboss.cards import Hand
from pitboss.exact.decks import Ints
from pitboss.exact.facets import Code
from pitboss.exact.value import Result, net_of
from pitboss.findings import UnreadableError
from pitboss.games.contract import Game
from pitboss.games.course import Choice, Decide, Sight, TurnUp
from pitboss.games.facts import Fact
from pitboss.games.facts import Places as Areas
from pitboss.games.rules import Rules
from pitboss.games.structure import Outlay

ENDED = -1
"""In place of a history: the seat has no further decision."""


def dealt(game: Game) -> Counter[str]:
    """Cards that go to each place; ``players`` stands for each of them."""
    found: Counter[str] = Counter()
    for step in game.chapter.deals[0].steps:
        for place in step.to.split("+"):
            found[place] += step.cards * step.times
    return found


def lying(game: Game, places: Areas) -> tuple[int, ...]:
    """How many cards of some places have been turned up at each decision, and at last the end of the round."""
    all_cards, turned, found = dealt(game), dict.fromkeys(places, 0), []
    for step in game.course.flat:
        if isinstance(step, Decide):
            found.append(sum(turned.values()))
        elif isinstance(step, TurnUp) and step.place in turned:
            turned[step.place] += step.cards or all_cards[step.place] - turned[step.place]
    return *found, sum(turned.values())


@dataclass(frozen=True)
class ChoicePlan:
    """What may be chosen under given rules, history by history, and what each end of a round pays."""

    own: int
    """Cards that a seat sees before the first decision."""
    steps: tuple["Choosing", ...]
    finals: tuple[Outlay, ...]
    """What the histories that see all cards have laid out."""
    unit: int
    nets: Ints
    """Of final histories, by kind, in units of the main wager / ``unit``."""

    @property
    def ways(self) -> tuple[Mapping[tuple[str, ...], int], ...]:
        """By decision: the history that each sequence of choices leads to, if something is asked in it."""
        found: list[Mapping[tuple[str, ...], int]] = []
        paths: dict[tuple[str, ...], int] = {(): 0}
        for step in self.steps:
            found.append({path: history for path, history in paths.items() if step.open_in(history)})
            paths = {
                (*path, step.names[choice]) if step.names[choice] else path: int(step.follows[history, choice])
                for path, history in paths.items()
                for choice in np.flatnonzero(step.legal[history])
                if step.follows[history, choice] != ENDED
            }
        return tuple(found)

    def check_fits(self, ways: int) -> None:
        """Refuse odds with which a sum over so many ways could be more than a machine integer holds."""
        largest = max(int(np.abs(each).max()) for each in (self.nets, *(step.ended for step in self.steps)))
        if largest * ways > np.iinfo(np.int64).max:
            most = np.iinfo(np.int64).max // ways // self.unit
            raise UnreadableError(
                "These odds are too large, or too fine, to be counted exactly: with these fractions all that a round "
                f"wins may be {most:,} times the main wager at most."
            )


@dataclass(frozen=True)
class Choosing:
    """One decision: choices by history, and where each leads."""

    step: Decide
    seen: int
    names: tuple[str, ...]
    legal: npt.NDArray[np.bool_]
    follows: npt.NDArray[np.int64]
    puts: tuple[Mapping[int, Outlay], ...]
    """By history and choice: all that has been laid out."""
    ended: Ints
    """What a choice that ends pays, in units of the main wager / ``ChoicePlan.unit``."""

    def open_in(self, history: int) -> list[int]:
        """The places of the choices of a history; none where it goes on without being asked."""
        return [choice for choice in np.flatnonzero(self.legal[history]).tolist() if self.names[choice]]


@dataclass(frozen=True)
class Asked(ABC):
    """One decision of a game that was valued; how its states are kept is the counter's business."""

    choosing: Choosing

    @property
    def step(self) -> str:
        return self.choosing.step.name

    @property
    def names(self) -> tuple[str, ...]:
        return self.choosing.names

    @property
    def follows(self) -> npt.NDArray[np.int64]:
        return self.choosing.follows

    @property
    def puts(self) -> tuple[Mapping[int, Outlay], ...]:
        return self.choosing.puts

    @abstractmethod
    def values(self, cards: Hand, history: int) -> dict[str, Fraction]:
        """What each choice open to these cards, own ones first, is worth, in units of the main wager."""


@dataclass(frozen=True)
class Staged(ABC):
    """A game valued under given rules, played by the best choice of each state or by a given strategy."""

    game: Game
    rules: Rules
    plan: ChoicePlan
    ties: int
    """States, counted as deals see them, in which another choice is worth exactly as much as the one taken."""

    @property
    @abstractmethod
    def asked(self) -> Sequence[Asked]:
        """The decisions in order."""

    @property
    @abstractmethod
    def deals(self) -> int:
        """How many there are, told apart by what players and dealer get."""

    @property
    @abstractmethod
    def result(self) -> Result:
        """The main wagers, played like this."""

    @abstractmethod
    def under(self, rules: Rules) -> Result | None:
        """The same choices under other pays; nothing where those let a round go on that ended, or the reverse."""

    @abstractmethod
    def folded(self, facts: Mapping[str, Fact]) -> dict[tuple[int, Code], int]:
        """Deals by whether the seat's part ended early and by what is true of the cards in the end."""


def planned(
    game: Game, rules: Rules, hand: Hand, own: int, seen: Sequence[int], kinds: Sequence[Sequence[Mapping[str, Any]]]
) -> ChoicePlan | None:
    """Ask the game for every history. A kind of end is one of several sets of facts, which must all be paid alike.

    Nothing where they are not. A choice after which nothing is asked and no card matters, a fold, ends a history.
    ``hand`` has some cards to see; ``seen`` says how many of them, own ones first.
    """
    histories: list[dict[str, Choice]] = [{}]
    steps, exact = [], []
    for step, many in zip(game.course.weighed, seen, strict=True):
        listed = [_choices(step, rules, hand[:own], hand[own:many], made) for made in histories]
        names = tuple(dict.fromkeys(name for each in sorted(listed, key=len, reverse=True) for name in each))
        shape = len(histories), len(names)
        follows, puts, ended = np.full(shape, ENDED), [], {}
        after: list[dict[str, Choice]] = []
        for history, made in enumerate(histories):
            laid = {}
            for name, choice in listed[history].items():
                place = names.index(name)
                chosen = made if choice is None else {**made, step.name: choice}
                laid[place] = game.outlay(rules, chosen)
                over = choice is not None and choice.option.ends
                pays = {net_of(game, rules, laid[place], facts) for kind in kinds for facts in kind} if over else set()
                if len(pays) == 1:
                    (ended[history, place],) = pays
                else:
                    follows[history, place] = len(after)
                    after.append(chosen)
            puts.append(laid)
        legal = np.array([[name in each for name in names] for each in listed])
        steps.append(Choosing(step, many, names, legal, follows, tuple(puts), np.zeros(shape, np.int64)))
        exact.append(ended)
        histories = after
    finals = tuple(game.outlay(rules, made) for made in histories)
    nets = []
    for final in finals:
        alike = [{net_of(game, rules, final, facts) for facts in kind} for kind in kinds]
        if any(len(each) > 1 for each in alike):
            return None
        nets.append([net for (net,) in alike])
    unit = lcm(*(net.denominator for row in nets for net in row), *(n.denominator for e in exact for n in e.values()))
    for choosing, paid in zip(steps, exact, strict=True):
        for where, net in paid.items():
            choosing.ended[where] = int(net * unit)
    return ChoicePlan(
        own, tuple(steps), finals, unit, np.array([[int(net * unit) for net in row] for row in nets], np.int64)
    )


def _choices(step: Decide, rules: Rules, own: Hand, up: Hand, made: Mapping[str, Choice]) -> dict[str, Choice | None]:
    """What may be chosen after earlier choices, by name; who is not asked goes on without a choice."""
    if any(choice.option.ends for choice in made.values()):
        return {"": None}
    sight = Sight(own, up, 1, {name: choice.decision(1) for name, choice in made.items()})
    return {choice.name: choice for choice in step.choices(rules, sight)} or {"": None}


def same_course(one: ChoicePlan, other: ChoicePlan) -> bool:
    """Whether each choice leads to the same history in both."""
    return all(np.array_equal(a.follows, b.follows) for a, b in zip(one.steps, other.steps, strict=True))


def result_of(game: Game, plan: ChoicePlan, made: Sequence[Ints], finals: Ints, deals: int) -> Result:
    """What comes of deals by history and choice on each street, and by final history and kind."""
    spread: dict[Fraction, int] = {}
    wagered = Fraction(0)
    choices: dict[str, Fraction] = {}

    def add(net: int, count: int) -> None:
        if count:
            paid = Fraction(net, plan.unit)
            spread[paid] = spread.get(paid, 0) + count

    for choosing, taken in zip(plan.steps, made, strict=True):
        choices |= {f"{choosing.step.name} {name}": Fraction(0) for name in choosing.names if name}
        for history, choice in np.argwhere(taken):
            count = int(taken[history, choice])
            if name := choosing.names[choice]:
                choices[f"{choosing.step.name} {name}"] += Fraction(count, deals)
            if choosing.follows[history, choice] == ENDED:
                add(int(choosing.ended[history, choice]), count)
                wagered += choosing.puts[history][int(choice)].wagered * count
    for history, kind in np.argwhere(finals):
        count = int(finals[history, kind])
        add(int(plan.nets[history, kind]), count)
        wagered += plan.finals[history].wagered * count
    required = Fraction(len(game.course.main))
    return Result(deals, dict(sorted(spread.items())), choices, wagered / deals, required)
