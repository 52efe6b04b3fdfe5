"""Wagers paid by a pay table alone, with a choice on every street: backward induction over the decisions of a course.

A player sees their own cards and chooses, sees cards turned up and chooses again; at last the cards have a name and
the pay table speaks. Nobody's hand is hidden, so what has been seen is a *set* of cards, and sets that differ only by
the names of suits are one class. For every class at the last choice it is counted how many ways to turn up the rest
end in each name. That knows no pay table: it is counted once and weighed with any rules afterwards.

Stakes differ by what was chosen before, so each street is valued for every *history* of choices (three options on three
streets: 1, 3, 9 and finally 27). Values are whole numbers: sums over all ordered ways to turn up what is still hidden.

``Play.streets`` has one ``Street`` for each ``Decide`` step of the course, in order. A round starts in history 0; a
choice leads to the history ``street.follows[history, choice]``, which is ``ENDED`` where it ends the seat's part.
``street.puts[history][choice]`` is what the choice lays out, in units, all choices before it included.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from math import comb, lcm, perm

import numpy as np
import numpy.typing as npt

from pitboss.cards import Hand
from pitboss.exact.decks import FULL, Classes, Ints, Places, SmallDeck, suit_classes
from pitboss.exact.facets import NotCountedError, labels_of, suit_orbit
from pitboss.exact.value import Result, net_of
from pitboss.games.contract import Game
from pitboss.games.course import Choice, Decide, Sight, TurnUp
from pitboss.games.facts import OWN, Compare, Label
from pitboss.games.facts import Places as Areas
from pitboss.games.rules import Rules
from pitboss.games.structure import Outlay
from pitboss.hands.facets import Facet

ENDED = -1
"""In place of a history: the seat is asked nothing more."""
Kind = tuple[str, ...]
"""The label of a class, or the labels of all its members where a label looks at the suit itself."""


@dataclass(frozen=True)
class Solo:
    """The information structure: the fact that pays, and how many cards have been seen at each decision."""

    fact: str
    facet: Facet
    places: Areas
    own: int
    seen: tuple[int, ...]


def solo_of(game: Game) -> Solo:
    """How the main wagers of a game are paid by what the cards of a seat and of the table are called."""
    by_name = game.lines.facts.by_name
    read = {name for post in game.main_posts for name in game.lines.rules[post.line].reads}
    labels = {name: fact for name, fact in by_name.items() if name in read and isinstance(fact, Label)}
    if len(labels) != 1 or any(isinstance(by_name[name], Compare) for name in read):
        raise NotCountedError(f"There is no counter for the main wagers of {game.name}: they read {sorted(read)}.")
    ((fact, label),) = labels.items()
    dealt: Counter[str] = Counter()
    for each in game.chapter.deals[0].steps:
        dealt[each.to] += each.cards * each.times
    own = dealt["players"]
    if label.facet.cards != own + sum(dealt[place] for place in label.places if (place,) != OWN):
        raise NotCountedError(f"{game.name} is not paid by all cards of a seat and of the table together.")
    turned = dict.fromkeys(label.places, 0)
    seen = []
    for step in game.course.flat:
        if isinstance(step, Decide):
            seen.append(own + sum(turned.values()))
        elif isinstance(step, TurnUp) and step.place in turned:
            turned[step.place] += step.cards or dealt[step.place] - turned[step.place]
    return Solo(fact, label.facet, label.places, own, tuple(seen))


@dataclass(frozen=True)
class Level:
    """Sets of one size, one of each class, and how they come of those with a card less."""

    classes: Classes
    keys: Ints
    """Of the classes, ascending, and in their order."""
    lacking: npt.NDArray[np.int32]
    """The classes that each class becomes without one of its cards."""

    @property
    def size(self) -> int:
        return int(self.classes.hands.shape[1])

    @cached_property
    def _sorted(self) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        """Rows by the class that they come of, and where each of those begins."""
        flat = self.lacking.reshape(-1)
        order = np.argsort(flat, kind="stable")
        return order // self.size, np.searchsorted(flat[order], np.arange(int(flat.max()) + 1))

    def down(self, values: Ints, below: "Level") -> Ints:
        """The sum over every card that may come next, for the sets with a card less; values by row and column."""
        rows, starts = self._sorted
        weighed = (values * self.classes.weights[:, None])[rows]
        return np.add.reduceat(weighed, starts, axis=0) // below.classes.weights[:, None]

    def up(self, values: Ints) -> Ints:
        """The sum over the sets that each set may have come of, by the card that came last."""
        return np.asarray(sum(values[column] for column in self.lacking.T))


@dataclass(frozen=True)
class Counts:
    """All sets that can be seen, and by what names the deals end; no pay table is involved."""

    solo: Solo
    deck: SmallDeck
    renamed: bool
    """Whether sets that differ by the names of suits are one class."""
    levels: Mapping[int, Level]
    kinds: tuple[Kind, ...]
    ends: Mapping[int, Ints]
    """By number of cards seen: ordered ways from each class to each kind."""

    def ways(self, seen: int) -> int:
        """Ordered ways to turn up what is hidden when so many cards have been seen."""
        return perm(self.deck.size - seen, self.solo.facet.cards - seen)

    @property
    def deals(self) -> int:
        return comb(self.deck.size, self.solo.own) * self.ways(self.solo.own)

    def rows(self, hands: Places) -> npt.NDArray[np.intp]:
        """The class of each set of places."""
        level = self.levels[hands.shape[1]]
        return np.searchsorted(level.keys, _keys(hands, self.renamed))


def _keys(hands: Places, renamed: bool) -> Ints:
    """One number for the sets of a class: the ranks held in each suit, the suits in order of them."""
    masks = np.zeros((len(hands), 4), np.int64)
    rows = np.arange(len(hands))
    for column in hands.T.astype(np.int64):
        masks[rows, column & 3] |= 1 << (column >> 2)
    if renamed:
        masks.sort(axis=1)
    return masks @ (1 << 13 * np.arange(4, dtype=np.int64))


@lru_cache(maxsize=4)
def count(solo: Solo, deck: SmallDeck = FULL, renamed: bool = True) -> Counts:
    """Count the ends of every set that can be seen at a decision."""
    last = solo.facet.cards
    levels: dict[int, Level] = {}
    for size in range(solo.own, last + 1):
        classes = suit_classes(deck, size, 0 if renamed else 4)
        keys = _keys(classes.hands, renamed)
        order = np.argsort(keys)
        hands = classes.hands[order]
        lacking = np.zeros((len(hands), 0), np.int32)
        if size > solo.own:
            less = levels[size - 1]
            columns = [_keys(np.delete(hands, place, axis=1), renamed) for place in range(size)]
            lacking = np.stack([np.searchsorted(less.keys, each) for each in columns], axis=1).astype(np.int32)
        levels[size] = Level(Classes(hands, classes.weights[order]), keys[order], lacking)
    kinds, of_row = _kinds(solo.facet, deck, levels[last].classes.hands, renamed)
    ends = {last: np.eye(len(kinds), dtype=np.int64)[of_row]}
    for size in range(last - 1, solo.own - 1, -1):
        ends[size] = levels[size + 1].down(ends[size + 1], levels[size])
    return Counts(solo, deck, renamed, levels, kinds, ends)


def _kinds(
    facet: Facet, deck: SmallDeck, hands: Places, renamed: bool
) -> tuple[tuple[Kind, ...], npt.NDArray[np.intp]]:
    """What the sets are called; a class whose members differ has the names of all of them."""
    names, codes = labels_of(facet, deck, hands)
    found: dict[Kind, int] = {(name,): code for code, name in enumerate(names)}
    of_row = codes.astype(np.intp)
    for row in np.flatnonzero(codes < 0):
        hand = deck.hand(hands[row])
        members = suit_orbit(hand) if renamed else [hand]
        kind = tuple(sorted(facet.label(member) for member in members))
        of_row[row] = found.setdefault(kind, len(found))
    return tuple(found), of_row


@dataclass(frozen=True)
class ChoicePlan:
    """What may be chosen under given rules, history by history, and what each end of a round pays."""

    steps: tuple["Choosing", ...]
    finals: tuple[Outlay, ...]
    """What the histories that see all cards have laid out."""
    unit: int
    nets: Ints
    """Of final histories, by kind, in units of the main wager / ``unit``."""


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


def plan_of(game: Game, rules: Rules, counts: Counts) -> ChoicePlan | None:
    """Ask the game for every history; nothing where a pay depends on the suits that ``counts`` does not tell apart."""
    solo, hand = counts.solo, counts.deck.hand(range(counts.solo.facet.cards))
    histories: list[dict[str, Choice]] = [{}]
    steps, exact = [], []
    for step, seen in zip(game.course.decides, solo.seen, strict=True):
        listed = [_choices(step, rules, hand[: solo.own], hand[solo.own : seen], made) for made in histories]
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
                if choice is not None and choice.option.ends:
                    ended[history, place] = net_of(game, rules, laid[place], {})
                else:
                    follows[history, place] = len(after)
                    after.append(chosen)
            puts.append(laid)
        legal = np.array([[name in each for name in names] for each in listed])
        steps.append(Choosing(step, seen, names, legal, follows, tuple(puts), np.zeros(shape, np.int64)))
        exact.append(ended)
        histories = after
    finals = tuple(game.outlay(rules, made) for made in histories)
    nets = []
    for final in finals:
        by_label = {label: net_of(game, rules, final, {solo.fact: label}) for kind in counts.kinds for label in kind}
        if any(len({by_label[label] for label in kind}) > 1 for kind in counts.kinds):
            return None
        nets.append([by_label[kind[0]] for kind in counts.kinds])
    unit = lcm(*(net.denominator for row in nets for net in row), *(n.denominator for e in exact for n in e.values()))
    for choosing, paid in zip(steps, exact, strict=True):
        for where, net in paid.items():
            choosing.ended[where] = int(net * unit)
    return ChoicePlan(
        tuple(steps), finals, unit, np.array([[int(net * unit) for net in row] for row in nets], np.int64)
    )


def _choices(step: Decide, rules: Rules, own: Hand, up: Hand, made: Mapping[str, Choice]) -> dict[str, Choice | None]:
    """What may be chosen after earlier choices, by name; who is not asked goes on without a choice."""
    sight = Sight(own, up, 1, {name: choice.decision(1) for name, choice in made.items()})
    return {choice.name: choice for choice in step.choices(rules, sight)} or {"": None}


@dataclass(frozen=True)
class Street:
    """One decision valued and played, by history and class."""

    choosing: Choosing
    counts: Counts
    unit: int
    worth: Ints
    """By class, history and choice: the sum over all ways to go on, best play after it; see ``value``."""
    picked: npt.NDArray[np.uint8]
    """By class and history: the choice taken, an index of ``names``."""
    reach: Ints
    """By class and history: in how many orders a set of the class is seen in this history."""

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

    @property
    def level(self) -> Level:
        return self.counts.levels[self.choosing.seen]

    def row(self, cards: Hand) -> int:
        """The class of some cards."""
        places = np.array([self.counts.deck.places(cards)], np.uint8)
        return int(self.counts.rows(places)[0])

    def values(self, cards: Hand, history: int) -> dict[str, Fraction]:
        """What each choice open to these cards is worth, in units of the main wager."""
        worth, whole = self.worth[self.row(cards), history], self.counts.ways(self.choosing.seen) * self.unit
        legal = self.choosing.legal[history]
        return {name: Fraction(int(worth[c]), whole) for c, name in enumerate(self.names) if legal[c]}


@dataclass(frozen=True)
class Play:
    """A game valued under given rules, played by the best choice of each state or by a given strategy."""

    game: Game
    rules: Rules
    counts: Counts
    plan: ChoicePlan
    streets: tuple[Street, ...]
    finals: Ints
    """Deals by final history and kind."""
    ties: int
    """States, counted as deals see them, in which another choice is worth exactly as much as the one taken."""

    @cached_property
    def result(self) -> Result:
        spread: dict[Fraction, int] = {}
        wagered = Fraction(0)
        choices: dict[str, Fraction] = {}
        deals = self.counts.deals

        def add(net: int, count: int) -> None:
            if count:
                paid = Fraction(net, self.plan.unit)
                spread[paid] = spread.get(paid, 0) + count

        for street in self.streets:
            made = self.taken(street)
            choices |= {f"{street.step} {name}": Fraction(0) for name in street.names if name}
            for history, choice in np.argwhere(made):
                count = int(made[history, choice])
                if name := street.names[choice]:
                    choices[f"{street.step} {name}"] += Fraction(count, deals)
                if street.follows[history, choice] == ENDED:
                    add(int(street.choosing.ended[history, choice]), count)
                    wagered += street.puts[history][int(choice)].wagered * count
        for history, kind in np.argwhere(self.finals):
            count = int(self.finals[history, kind])
            add(int(self.plan.nets[history, kind]), count)
            wagered += self.plan.finals[history].wagered * count
        required = Fraction(len(self.game.course.main))
        return Result(deals, dict(sorted(spread.items())), choices, wagered / deals, required)

    def taken(self, street: Street) -> Ints:
        """Deals by history and choice at a street."""
        weights = street.level.classes.weights[:, None] * street.reach * self.counts.ways(street.choosing.seen)
        return np.stack([np.where(street.picked == c, weights, 0).sum(0) for c in range(len(street.names))], axis=1)

    def folded(self, label: Label) -> dict[tuple[int, str], int]:
        """Deals by whether the seat's part ended early and by what its cards are called in the end."""
        solo = self.counts.solo
        if set(label.places) != set(solo.places) or label.facet.cards != solo.facet.cards:
            raise NotCountedError(f"Folding in {self.game.name} is counted with all cards that are turned up only.")
        counts = count(replace(solo, facet=label.facet), self.counts.deck, self.counts.renamed)
        found: Counter[tuple[int, str]] = Counter()
        whole = counts.levels[solo.own].classes.weights @ counts.ends[solo.own]
        ended = np.zeros(len(whole), np.int64)
        for street in self.streets:
            for history, choice in np.argwhere(street.choosing.legal & (street.follows == ENDED)):
                out = street.level.classes.weights * street.reach[:, history] * (street.picked[:, history] == choice)
                ended += out @ counts.ends[street.choosing.seen]
        for kind, deals, early in zip(counts.kinds, whole.tolist(), ended.tolist(), strict=True):
            for name in kind:
                found[0, name] += (deals - early) // len(kind)
                found[1, name] += early // len(kind)
        return {key: n for key, n in found.items() if n}


def valued(game: Game, rules: Rules, deck: SmallDeck = FULL) -> Play:
    """The best play under these rules; suits are told apart only where a pay depends on them."""
    solo = solo_of(game)
    for renamed in (True, False) if not solo.facet.colours else (False,):
        counts = count(solo, deck, renamed)
        plan = plan_of(game, rules, counts)
        if plan is not None:
            return played(game, rules, counts, plan)
    raise AssertionError("with all suits told apart every pay is known")


def played(
    game: Game, rules: Rules, counts: Counts, plan: ChoicePlan, picks: Sequence[npt.NDArray[np.uint8]] = ()
) -> Play:
    """The best play, or, with the choices of every street by class and history, that strategy."""
    streets: list[Street] = []
    worth_after = counts.ends[plan.steps[-1].seen] @ plan.nets.T
    ties = 0
    for place in reversed(range(len(plan.steps))):
        choosing = plan.steps[place]
        ways = counts.ways(choosing.seen)
        worth = np.where(choosing.follows == ENDED, choosing.ended * ways, worth_after[:, choosing.follows])
        worth[:, ~choosing.legal] = np.iinfo(np.int64).min
        best = worth.argmax(axis=2).astype(np.uint8)
        picked = picks[place] if picks else best
        streets.insert(0, Street(choosing, counts, plan.unit, worth, picked, np.zeros(0, np.int64)))
        values = np.take_along_axis(worth, picked[:, :, None].astype(np.intp), axis=2)[:, :, 0]
        if place:
            for size in range(choosing.seen, plan.steps[place - 1].seen, -1):
                values = counts.levels[size].down(values, counts.levels[size - 1])
        worth_after = values
    reach = np.ones((len(counts.levels[counts.solo.own].classes.hands), 1), np.int64)
    seen = counts.solo.own
    for place, street in enumerate(streets):
        choosing = street.choosing
        for size in range(seen + 1, choosing.seen + 1):
            reach = counts.levels[size].up(reach)
        seen = choosing.seen
        streets[place] = Street(choosing, counts, plan.unit, street.worth, street.picked, reach)
        best = np.take_along_axis(street.worth, street.picked[:, :, None].astype(np.intp), axis=2)
        tied = ((street.worth == best).sum(axis=2) > 1) & (reach > 0)
        ties += int((tied * reach * street.level.classes.weights[:, None]).sum())
        after = np.zeros((len(reach), int(choosing.follows.max()) + 1), np.int64)
        for history, choice in np.argwhere(choosing.follows != ENDED):
            after[:, choosing.follows[history, choice]] += reach[:, history] * (street.picked[:, history] == choice)
        reach = after
    finals = (reach * counts.levels[seen].classes.weights[:, None]).T @ counts.ends[seen]
    return Play(game, rules, counts, plan, tuple(streets), finals, ties)
