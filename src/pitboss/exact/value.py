"""What a solved duel is worth under given rules: the best choice of each state, and the figures that follow.

The pay of every choice comes from the game's own lines. Arithmetic is on integers: pays are brought to a common
denominator, counts are whole, and the few totals are summed as Python integers.
"""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, partial
from math import isqrt, lcm

import numpy as np
import numpy.typing as npt
from numba import njit

from pitboss.exact.decks import Places, SmallDeck
from pitboss.exact.duel import Solved
from pitboss.games.contract import Game, Versus
from pitboss.games.rules import Rules
from pitboss.games.settlement import Book
from pitboss.games.structure import Duel, Facts, Outlay
from pitboss.records import once

CELLS: tuple[tuple[bool, Versus], ...] = tuple((q, v) for q in (False, True) for v in Versus)
"""The dealer's side of an outcome: whether the dealer qualifies, and how the player's hand compares."""
Picked = npt.NDArray[np.uint8]
Tallies = npt.NDArray[np.int64]
WORKERS = 2


def option_nets(game: Game, rules: Rules, facts: Facts, choice: Outlay) -> tuple[Fraction, ...]:
    """What a choice gains or loses in Antes in each cell."""
    return tuple(net_of(game, rules, choice, {"qualifies": q, "versus": v, **facts}) for q, v in CELLS)


def net_of(game: Game, rules: Rules, laid: Outlay, facts: Facts) -> Fraction:
    """What a choice gains or loses where these facts are true, in units, by the game's own lines.

    At a stake (``Rules.unit_stake``) the book of a round settles the lines, payout limits included.
    """
    outcome = game.lines.known({**facts, **laid.facts})
    pays = {line: game.lines.pay(line, rules, outcome) for line in laid.stakes}
    if (unit := rules.unit_stake) is None:
        nets = (laid.stakes[line] * (pay.per_unit() or 0) for line, pay in pays.items() if pay is not None)
        return sum(nets, Fraction(0))
    book, called = Book(rules, {}), {post.line: post.called for post in game.main_posts}
    for line, pay in pays.items():
        book.enter(1, called.get(line) or line, int(laid.stakes[line] * unit), pay)
    return Fraction(sum(line.net for line in book.lines), unit)


@dataclass(frozen=True)
class PayGrid:
    """The pay of every choice, for every set of facts the player's hand can have, in every cell."""

    names: tuple[str, ...]
    """All choices that occur, in the order in which the game lists them."""
    wagered: Mapping[str, Fraction]
    unit: int
    """Common denominator of all pays."""
    facts: tuple[Facts, ...]
    fact_of_kind: npt.NDArray[np.int32]
    nets: Tallies
    """Facts by choices by cells, in Antes / ``unit``."""
    legal: npt.NDArray[np.bool_]
    """Facts by choices."""


@dataclass(frozen=True)
class Kinds:
    """One hand of each kind: all that asking the game for pays needs of a solved duel."""

    deck: SmallDeck
    kind_hands: Places


def pay_grid(game: Game, rules: Rules, solved: Solved | Kinds, duel: Duel) -> PayGrid:
    """Ask the game once for every kind of hand what each choice pays."""
    facts, fact_of_kind = kind_facts(solved, duel, rules)
    options = [duel.options(rules, each) for each in facts]
    names, unit, nets, legal = choice_nets(game, rules, facts, options)
    wagered = {choice.name: choice.wagered for listed in options for choice in listed}
    return PayGrid(names, wagered, unit, facts, fact_of_kind, nets, legal)


def choice_nets(
    game: Game, rules: Rules, facts: Sequence[Facts], options: Sequence[tuple[Outlay, ...]], unit: int = 1
) -> tuple[tuple[str, ...], int, Tallies, npt.NDArray[np.bool_]]:
    """The names of all choices, a common unit, what each pays by facts, choice and cell in Antes / that unit, and which
    choices there are. The common unit is a multiple of ``unit``."""
    longest_first = sorted(options, key=len, reverse=True)
    names = tuple(dict.fromkeys(choice.name for listed in longest_first for choice in listed))
    exact = {
        (row, names.index(choice.name)): option_nets(game, rules, facts[row], choice)
        for row, listed in enumerate(options)
        for choice in listed
    }
    unit = lcm(unit, *(net.denominator for pays in exact.values() for net in pays))
    nets = np.zeros((len(facts), len(names), len(CELLS)), np.int64)
    legal = np.zeros((len(facts), len(names)), np.bool_)
    for (row, column), pays in exact.items():
        nets[row, column] = [int(net * unit) for net in pays]
        legal[row, column] = True
    return names, unit, nets, legal


KindFacts = tuple[tuple[Facts, ...], npt.NDArray[np.int32]]
_KIND_FACTS: dict[tuple[object, ...], KindFacts] = {}


def kind_facts(solved: Solved | Kinds, duel: Duel, rules: Rules) -> KindFacts:
    """All different facts of hands, and which of them each kind of hand has; remembered, because only the tables named
    by the duel can change them."""
    tables = tuple((rules.reading(name), *rules.tables[name].rows.items()) for name in duel.facts_read)
    key = (rules.game, duel.order.name, rules.as_of, solved.deck, len(solved.kind_hands), tables)
    if key not in _KIND_FACTS:
        found: dict[tuple[tuple[str, object], ...], int] = {}
        facts: list[Facts] = []
        fact_of_kind = np.empty(len(solved.kind_hands), np.int32)
        for kind, places in enumerate(solved.kind_hands):
            each = duel.facts(rules, solved.deck.hand(places))
            fact = found.setdefault(tuple(sorted(each.items())), len(facts))
            if fact == len(facts):
                facts.append(each)
            fact_of_kind[kind] = fact
        _KIND_FACTS[key] = tuple(facts), fact_of_kind
    return _KIND_FACTS[key]


@njit(cache=True, nogil=True)
def _weigh(
    kinds: npt.NDArray[np.int32],
    weights: Picked,
    lower: npt.NDArray[np.int32],
    upto: npt.NDArray[np.int32],
    unqualified: npt.NDArray[np.int32],
    kind_qualifies: npt.NDArray[np.bool_],
    fact_of_kind: npt.NDArray[np.int32],
    nets: Tallies,
    legal: npt.NDArray[np.bool_],
    dealer_hands: int,
    forced: Picked,
    picked: Picked,
    tallies: Tallies,
    chosen: Tallies,
) -> int:
    """Pick the best choice of each state (or the forced one) and add its counts to the tallies; returns tied states."""
    choices = nets.shape[1]
    cells = np.zeros(6, np.int64)
    ties = 0
    for state in range(len(kinds)):
        kind = kinds[state]
        fact = fact_of_kind[kind]
        below, level = np.int64(lower[state]), np.int64(upto[state])
        none = np.int64(unqualified[state]) if len(unqualified) > 0 else np.int64(0)
        # Unqualified hands are the lowest: all of them lie below a player's hand that would qualify itself.
        below_not = none if kind_qualifies[kind] else below
        level_not = 0 if kind_qualifies[kind] else level - below
        cells[0] = none - below_not - level_not
        cells[1] = level_not
        cells[2] = below_not
        cells[3] = dealer_hands - level - cells[0]
        cells[4] = level - below - level_not
        cells[5] = below - below_not
        best = -1
        best_value = np.int64(0)
        tied = False
        if len(forced) > 0:
            best = forced[state]
        else:
            for choice in range(choices):
                if legal[fact, choice]:
                    total = np.int64(0)
                    for cell in range(6):
                        total += cells[cell] * nets[fact, choice, cell]
                    if best < 0 or total > best_value:
                        best, best_value, tied = choice, total, False
                    elif total == best_value:
                        tied = True
        weight = np.int64(weights[state])
        if tied:
            ties += int(weight)
        picked[state] = best
        chosen[fact, best] += weight
        for cell in range(6):
            tallies[fact, best, cell] += weight * cells[cell]
    return ties


@dataclass(frozen=True)
class Valued:
    """A solved duel under given rules, played by the best choice of each state or by a given strategy."""

    grid: PayGrid
    tallies: Tallies
    """Deals by facts, choice and cell."""
    chosen: Tallies
    """States by facts and choice."""
    ties: int
    """States in which another choice is worth exactly as much as the one taken."""
    required: Fraction
    deals: int
    states: int
    """How many (hand, up card) pairs there are."""
    find: Callable[[], tuple[Solved, Picked]]
    """What finds the states and their choices, where they are asked for: the figures need neither."""
    key: str = ""
    """Under which the figures are kept."""

    @once
    def _found(self) -> tuple[Solved, Picked]:
        return self.find()

    @property
    def solved(self) -> Solved:
        return self._found[0]

    @property
    def picked(self) -> Picked:
        """The choice of each state, as an index of ``grid.names``."""
        return self._found[1]

    @cached_property
    def result(self) -> "Result":
        spread: dict[Fraction, int] = {}
        for row, column, cell in np.argwhere(self.tallies):
            net = Fraction(int(self.grid.nets[row, column, cell]), self.grid.unit)
            spread[net] = spread.get(net, 0) + int(self.tallies[row, column, cell])
        frequency = {
            name: Fraction(int(self.chosen[:, column].sum()), self.states)
            for column, name in enumerate(self.grid.names)
        }
        average = sum((share * self.grid.wagered[name] for name, share in frequency.items()), Fraction(0))
        return Result(self.deals, dict(sorted(spread.items())), frequency, average, self.required)


def weigh(solved: Solved, grid: PayGrid, required: Fraction, forced: Picked | None = None) -> Valued:
    """The best play, or the given play, of every state."""
    picked = np.empty(len(solved.kinds), np.uint8)
    bounds = np.linspace(0, len(solved.kinds), WORKERS + 1, dtype=np.int64)
    shape = grid.nets.shape
    parts = [(np.zeros(shape, np.int64), np.zeros(shape[:2], np.int64)) for _ in range(WORKERS)]
    nothing = np.empty(0, np.uint8)

    def run(worker: int) -> int:
        part = slice(bounds[worker], bounds[worker + 1])
        tallies, chosen = parts[worker]
        tied: int = _weigh(
            solved.kinds[part],
            solved.weights[part],
            solved.lower[part],
            solved.upto[part],
            solved.unqualified[part],
            solved.kind_qualifies,
            grid.fact_of_kind,
            grid.nets,
            grid.legal,
            solved.dealer_hands,
            nothing if forced is None else forced[part],
            picked[part],
            tallies,
            chosen,
        )
        return tied

    with ThreadPoolExecutor(WORKERS) as pool:
        ties = sum(pool.map(run, range(WORKERS)))
    tallies = np.asarray(sum(part[0] for part in parts))
    chosen = np.asarray(sum(part[1] for part in parts))
    assert not (chosen.astype(bool) & ~grid.legal).any(), "a strategy chose what the rules do not allow"
    return Valued(grid, tallies, chosen, ties, required, solved.deals, solved.states, partial(_pair, solved, picked))


def _pair(solved: Solved, picked: Picked) -> tuple[Solved, Picked]:
    return solved, picked


def value(game: Game, rules: Rules, solved: Solved, duel: Duel, forced: Picked | None = None) -> Valued:
    return weigh(solved, pay_grid(game, rules, solved, duel), duel.required, forced)


def repaid(game: Game, rules: Rules, played: Valued) -> "Result | None":
    """The same choices under other pays; nothing where those open other choices."""
    assert game.duel is not None, "a valued duel has one"
    options = [game.duel.options(rules, each) for each in played.grid.facts]
    names, unit, nets, legal = choice_nets(game, rules, played.grid.facts, options)
    if names != played.grid.names or not np.array_equal(legal, played.grid.legal):
        return None
    return replace(played, grid=replace(played.grid, unit=unit, nets=nets)).result


class Moments:
    """What follows from a distribution: net results per unit, and how often each occurs."""

    distribution: Mapping[Fraction, int | Fraction]

    @property
    def chances(self) -> dict[Fraction, Fraction]:
        """Net results, the smallest first, and how often each occurs, as a share of all."""
        total = sum(self.distribution.values())
        return {net: Fraction(count) / total for net, count in sorted(self.distribution.items())}

    def _mean(self, value: Callable[[Fraction], Fraction]) -> Fraction:
        total = sum((value(net) * count for net, count in self.distribution.items()), Fraction(0))
        return total / sum(self.distribution.values())

    @cached_property
    def expected_value(self) -> Fraction:
        return self._mean(lambda net: net)

    @cached_property
    def variance(self) -> Fraction:
        return self._mean(lambda net: net * net) - self.expected_value**2

    @property
    def standard_deviation(self) -> float:
        return root(self.variance)

    @property
    def hit_frequency(self) -> Fraction:
        """How often more comes back than was wagered; a share of a meter is left out here as everywhere."""
        return self._mean(lambda net: Fraction(net > 0))

    @property
    def largest_pay(self) -> Fraction:
        return max(self.distribution)

    @property
    def house_edge(self) -> Fraction:
        return -self.expected_value

    @property
    def element_of_risk(self) -> Fraction:
        """The hold as a share of all that is finally wagered."""
        return self.house_edge


@dataclass(frozen=True)
class Result(Moments):
    """The distribution of a main game's result per one Ante, and what follows from it."""

    deals: int
    distribution: Mapping[Fraction, int]
    """Net result in Antes, and in how many deals it occurs."""
    choices: Mapping[str, Fraction]
    average_total_wager: Fraction
    required: Fraction

    @property
    def house_edge_required(self) -> Fraction:
        return self.house_edge / self.required

    @property
    def element_of_risk(self) -> Fraction:
        return -self.expected_value / self.average_total_wager


def root(value: Fraction) -> float:
    """A square root for printing, good to the last digit of a float."""
    scaled = value * 10**40
    return isqrt(scaled.numerator // scaled.denominator) / 1e20
