"""Wagers paid by a pay table alone, with a choice on every street: backward induction over the decisions of a course.

A player sees their own cards and chooses, sees cards turned up and chooses again; at last the cards have a name and
the pay table speaks. Nobody's hand is hidden, so what has been seen is a *set* of cards, and sets that differ only by
the names of suits are one class. For every class at the last choice it is counted how many ways to turn up the rest
end in each name. That knows no pay table: it is counted once and valued with any rules afterwards.

Stakes differ by what was chosen before, so each street is valued for every *history* of choices (three options on three
streets: 1, 3, 9 and finally 27). Values are whole numbers: sums over all ordered ways to turn up what is still hidden.

``Play.streets`` has one ``Street`` for each ``Decide`` step of the course, in order. A round starts in history 0; a
choice leads to the history ``street.follows[history, choice]``, which is ``ENDED`` where it ends the seat's part.
``street.puts[history][choice]`` is what the choice lays out, in units, all choices before it included.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache, partial
from math import comb, perm

import numpy as np
import numpy.typing as npt

from pitboss.cards import Hand
from pitboss.exact.cache import COUNTING_CODE, Arrays, fingerprint, kept, kept_figures
from pitboss.exact.decks import FULL, Classes, Ints, Places, SmallDeck, suit_classes, suit_keys
from pitboss.exact.facets import LABELLING_CODE, Code, NotCountedError, labels_of, suit_orbit
from pitboss.exact.plan import ENDED, Asked, ChoicePlan, Staged, dealt, lying, planned, result_of, same_course
from pitboss.exact.value import Result
from pitboss.games.contract import Game
from pitboss.games.facts import OWN, Compare, Fact, Label
from pitboss.games.facts import Places as Areas
from pitboss.games.rules import Rules
from pitboss.hands.facets import Facet

SOLO_CODE = (*COUNTING_CODE, *LABELLING_CODE, "exact/plan.py", "exact/solo.py")
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

    @property
    def key(self) -> tuple[object, ...]:
        """What the counts depend on: no pay table and no choice."""
        facet = self.facet
        return facet.cards, facet.label.__name__, facet.suited_from, facet.colours, self.places, self.own, self.seen


def solo_of(game: Game) -> Solo:
    """How the main wagers of a game are paid by what the cards of a seat and of the table are called."""
    by_name = game.lines.facts.by_name
    read = {name for post in game.main_posts for name in game.lines.rules[post.line].reads}
    labels = {name: fact for name, fact in by_name.items() if name in read and isinstance(fact, Label)}
    if len(labels) != 1 or any(isinstance(by_name[name], Compare) for name in read):
        raise NotCountedError(f"There is no counter for the main wagers of {game.name}: they read {sorted(read)}.")
    ((fact, label),) = labels.items()
    cards = dealt(game)
    own = cards["players"]
    if label.facet.cards != own + sum(cards[place] for place in label.places if (place,) != OWN):
        raise NotCountedError(f"{game.name} is not paid by all cards of a seat and of the table together.")
    seen = tuple(own + turned for turned in lying(game, label.places)[:-1])
    return Solo(fact, label.facet, label.places, own, seen)


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
    kinds: tuple[Kind, ...]

    @cached_property
    def levels(self) -> Mapping[int, Level]:
        return _counted(self.solo, self.deck, self.renamed)[0]

    @cached_property
    def ends(self) -> Mapping[int, Ints]:
        """By number of cards seen: ordered ways from each class to each kind."""
        return _counted(self.solo, self.deck, self.renamed)[2]

    def ways(self, seen: int) -> int:
        """Ordered ways to turn up what is hidden when so many cards have been seen."""
        return perm(self.deck.size - seen, self.solo.facet.cards - seen)

    @property
    def deals(self) -> int:
        return comb(self.deck.size, self.solo.own) * self.ways(self.solo.own)

    def rows(self, hands: Places) -> npt.NDArray[np.intp]:
        """The class of each set of places."""
        level = self.levels[hands.shape[1]]
        return np.searchsorted(level.keys, suit_keys(hands, self.renamed))


@lru_cache(maxsize=4)
def count(solo: Solo, deck: SmallDeck = FULL, renamed: bool = True) -> Counts:
    """Every set that can be seen at a decision; levels and ends are counted when they are asked for."""
    if deck != FULL:
        return Counts(solo, deck, renamed, _counted(solo, deck, renamed)[1])
    key = fingerprint((solo.key, renamed), SOLO_CODE)
    figures = kept_figures("solo-kinds", key, lambda: {"kinds": _counted(solo, deck, renamed)[1]})
    return Counts(solo, deck, renamed, tuple(tuple(kind) for kind in figures["kinds"]))


@lru_cache(maxsize=4)
def _counted(
    solo: Solo, deck: SmallDeck, renamed: bool
) -> tuple[Mapping[int, Level], tuple[Kind, ...], Mapping[int, Ints]]:
    """Count the ends of every set."""
    last = solo.facet.cards
    levels: dict[int, Level] = {}
    for size in range(solo.own, last + 1):
        classes = suit_classes(deck, size, 0 if renamed else 4)
        keys = suit_keys(classes.hands, renamed)
        order = np.argsort(keys)
        hands = classes.hands[order]
        lacking = np.zeros((len(hands), 0), np.int32)
        if size > solo.own:
            less = levels[size - 1]
            columns = [suit_keys(np.delete(hands, place, axis=1), renamed) for place in range(size)]
            lacking = np.stack([np.searchsorted(less.keys, each) for each in columns], axis=1).astype(np.int32)
        levels[size] = Level(Classes(hands, classes.weights[order]), keys[order], lacking)
    kinds, of_row = _kinds(solo.facet, deck, levels[last].classes.hands, renamed)
    ends = {last: np.eye(len(kinds), dtype=np.int64)[of_row]}
    for size in range(last - 1, solo.own - 1, -1):
        ends[size] = levels[size + 1].down(ends[size + 1], levels[size])
    return levels, kinds, ends


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


def plan_of(game: Game, rules: Rules, counts: Counts) -> ChoicePlan | None:
    """Ask the game for every history; nothing where a pay depends on the suits that ``counts`` does not tell apart."""
    solo = counts.solo
    hand = counts.deck.hand(range(solo.facet.cards))
    kinds = [tuple({solo.fact: label} for label in kind) for kind in counts.kinds]
    return planned(game, rules, hand, solo.own, solo.seen, kinds)


@dataclass(frozen=True)
class Street(Asked):
    """One decision valued and played, by history and class."""

    counts: Counts
    unit: int
    worth: Ints
    """By class, history and choice: the sum over all ways to go on, best play after it; see ``value``."""
    picked: npt.NDArray[np.uint8]
    """By class and history: the choice taken, an index of ``names``."""
    reach: Ints
    """By class and history: in how many orders a set of the class is seen in this history."""

    @property
    def level(self) -> Level:
        return self.counts.levels[self.choosing.seen]

    def row(self, cards: Hand) -> int:
        """The class of some cards."""
        places = np.array([self.counts.deck.places(cards)], np.uint8)
        return int(self.counts.rows(places)[0])

    def values(self, cards: Hand, history: int) -> dict[str, Fraction]:
        worth, whole = self.worth[self.row(cards), history], self.counts.ways(self.choosing.seen) * self.unit
        legal = self.choosing.legal[history]
        return {name: Fraction(int(worth[c]), whole) for c, name in enumerate(self.names) if legal[c]}


@dataclass(frozen=True)
class Play(Staged):
    """What is worth how much follows from the cards of a seat and of the table alone."""

    counts: Counts
    made: tuple[Ints, ...]
    """Deals by history and choice at each street."""
    finals: Ints
    """Deals by final history and kind."""
    find: Callable[[], tuple[Street, ...]]
    """What finds all states of every decision, where they are asked for: the figures need none."""

    @cached_property
    def streets(self) -> tuple[Street, ...]:
        return self.find()

    @property
    def asked(self) -> tuple[Street, ...]:
        return self.streets

    @property
    def deals(self) -> int:
        return self.counts.deals

    @cached_property
    def result(self) -> Result:
        return result_of(self.game, self.plan, self.made, self.finals, self.deals)

    def under(self, rules: Rules) -> Result | None:
        plan = plan_of(self.game, rules, self.counts)
        if plan is None or not same_course(self.plan, plan):
            return None
        return result_of(self.game, plan, self.made, self.finals, self.deals)

    def folded(self, facts: Mapping[str, Fact]) -> dict[tuple[int, Code], int]:
        solo, label = self.counts.solo, next(iter(facts.values()))
        if len(facts) > 1 or not isinstance(label, Label):
            raise NotCountedError(f"Folding in {self.game.name} is not counted together with {sorted(facts)}.")
        if set(label.places) != set(solo.places) or label.facet.cards != solo.facet.cards:
            raise NotCountedError(f"Folding in {self.game.name} is counted with all cards that are turned up only.")
        counts = count(replace(solo, facet=label.facet), self.counts.deck, self.counts.renamed)
        found: Counter[tuple[int, Code]] = Counter()
        whole = counts.levels[solo.own].classes.weights @ counts.ends[solo.own]
        ended = np.zeros(len(whole), np.int64)
        for street in self.streets:
            for history, choice in np.argwhere(street.choosing.legal & (street.follows == ENDED)):
                out = street.level.classes.weights * street.reach[:, history] * (street.picked[:, history] == choice)
                ended += out @ counts.ends[street.choosing.seen]
        for kind, deals, early in zip(counts.kinds, whole.tolist(), ended.tolist(), strict=True):
            for name in kind:
                found[0, (name,)] += (deals - early) // len(kind)
                found[1, (name,)] += early // len(kind)
        return {key: n for key, n in found.items() if n}


def valued(game: Game, rules: Rules, deck: SmallDeck = FULL, structure: Solo | None = None) -> Play:
    """The best play under these rules, perhaps of a player who sees more; suits matter if a pay depends on them."""
    solo = structure or solo_of(game)
    for renamed in (True, False) if not solo.facet.colours else (False,):
        counts = count(solo, deck, renamed)
        plan = plan_of(game, rules, counts)
        if plan is not None:
            return _kept_play(game, rules, counts, plan) if deck == FULL else played(game, rules, counts, plan)
    raise AssertionError("with all suits told apart every pay is known")


def _kept_play(game: Game, rules: Rules, counts: Counts, plan: ChoicePlan) -> Play:
    """The best play with the full deck; its figures are kept, its states found again where they are asked for."""
    steps = [[part.tolist() for part in (step.legal, step.follows, step.ended)] for step in plan.steps]
    key = fingerprint((counts.solo.key, counts.renamed, steps, plan.unit, plan.nets.tolist()), SOLO_CODE)
    again = partial(played, game, rules, counts, plan)
    fresh: list[Play] = []

    def make() -> tuple[Arrays, Mapping[str, int]]:
        fresh.append(again())
        made = {f"made_{place}": each for place, each in enumerate(fresh[0].made)}
        return {"finals": fresh[0].finals, **made}, {"ties": fresh[0].ties}

    arrays, figures = kept(f"solo-{game.name}", key, make)
    made = tuple(arrays[f"made_{place}"] for place in range(len(plan.steps)))
    find = fresh[0].find if fresh else partial(_streets, again)
    return Play(game, rules, plan, figures["ties"], counts, made, arrays["finals"], find)


def _streets(again: Callable[[], Play]) -> tuple[Street, ...]:
    return again().streets


def _same(streets: tuple[Street, ...]) -> tuple[Street, ...]:
    return streets


def _taken(counts: Counts, street: Street) -> Ints:
    """Deals by history and choice at a street."""
    weights = street.level.classes.weights[:, None] * street.reach * counts.ways(street.choosing.seen)
    return np.stack([np.where(street.picked == c, weights, 0).sum(0) for c in range(len(street.names))], axis=1)


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
    made = tuple(_taken(counts, street) for street in streets)
    return Play(game, rules, plan, ties, counts, made, finals, partial(_same, tuple(streets)))
