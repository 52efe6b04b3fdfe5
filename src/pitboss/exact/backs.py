"""The edge of a player who knows hidden cards by class only: cards whose backs tell high from low (edge sorting).

Ranks are parted into classes, and the player sees the class of some hidden cards before the first decision. What they
know is their own cards and those classes, so a decision is made once for all cards of a class:

- against a dealer's hand, the hands that are left are counted by how many of their cards are of each class; a set of
  backs is seen with a hand in as many ways as its cards can be picked from it;
- of cards turned up for everybody, each order of classes is a game of its own, in which only a card of the right class
  can come next.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import comb, prod

import numpy as np
import numpy.typing as npt

from pitboss.cards import RANKS
from pitboss.exact import solo
from pitboss.exact.by_heart import Lists, by_threshold, ranked_kinds
from pitboss.exact.decks import FULL, SUITS, Ints, SmallDeck, subsets_of
from pitboss.exact.duel import NO_UP, Progress, Solved, hand_scores
from pitboss.exact.engine import solved_duel
from pitboss.exact.facets import NotCountedError
from pitboss.exact.plan import ENDED, ChoicePlan
from pitboss.exact.rulelist import cells_of, threshold_words
from pitboss.exact.solo import Counts, Level
from pitboss.exact.sweep import count_below
from pitboss.exact.value import PayGrid, Result, pay_grid
from pitboss.findings import UnreadableError
from pitboss.games.contract import Game
from pitboss.games.rules import Rules
from pitboss.games.structure import Duel, Thresholds
from pitboss.hands import batch


@dataclass(frozen=True)
class Backs:
    """Ranks by the class that their backs show; the last class has all ranks that are not named."""

    classes: tuple[frozenset[int], ...]

    def __str__(self) -> str:
        return "/".join(map(self.called, range(len(self.classes) - 1)))

    def called(self, number: int) -> str:
        """A class by its ranks, the highest first; the last is named by what it lacks."""
        if number == len(self.classes) - 1:
            return "others"
        return "".join(RANKS[rank] for rank in sorted(self.classes[number], reverse=True))

    @cached_property
    def of_rank(self) -> Ints:
        """The class of each rank."""
        found = [number for rank in range(len(RANKS)) for number, each in enumerate(self.classes) if rank in each]
        return np.array(found, np.int64)

    def words(self, seen: Sequence[int]) -> str:
        """How many cards of each class."""
        return ", ".join(f"{many} of {self.called(number)}" for number, many in enumerate(seen) if many)


def read_backs(words: str) -> Backs:
    """Classes as a person names them: ``AKQ`` for these against all others, ``AKQ/JT9`` for three classes.

    >>> str(read_backs("qka"))
    'AKQ'
    """
    parts = [[RANKS.find(rank) for rank in part.strip().upper()] for part in words.split("/")]
    classes, named = [frozenset(each) for each in parts], [rank for each in parts for rank in each]
    if -1 in named or not all(classes) or len(named) != len(set(named)) or len(named) >= len(RANKS):
        raise UnreadableError(f"{words!r} parts no ranks: name some of {RANKS}, each once, such as AKQ or AKQ/JT9.")
    return Backs((*classes, frozenset(range(len(RANKS))) - {*named}))


@dataclass(frozen=True)
class BackPlay:
    """The best play of the main wagers with knowledge by class."""

    expected_value: Fraction
    variance: Fraction
    result: Result | None
    """Against a dealer's hand; of cards turned up only the two figures above are counted."""
    by_class: dict[str, Fraction]
    """What the play is worth by what the player sees."""
    chances: dict[str, Fraction]
    """How often they see it."""
    rules: tuple[str, ...] = ()
    """The best play in a sentence for each."""
    by_heart: Fraction | None = None
    """What the best list is worth: thresholds for each number of cards of a class, and for the rank of an up card."""
    by_count: Fraction | None = None
    """The same with the up card counted among its class only; None where none lies face up."""
    learned: Fraction | None = None
    """What a list is worth that was given."""


def by_backs(
    game: Game,
    rules: Rules,
    backs: Backs,
    many: int | None = None,
    deck: SmallDeck = FULL,
    progress: Progress | None = None,
    learned: Thresholds | None = None,
) -> BackPlay:
    """The best play of a player who sees the class of so many hidden cards, or of all; and what a list is worth."""
    if game.duel is not None:
        return facing_backs(game, rules, game.duel, backs, many, deck, progress, learned)
    if learned is not None:
        raise NotCountedError(f"The hands of {game.name} are not compared with a dealer's.")
    return turning_backs(game, rules, backs, many, deck)


def facing_backs(
    game: Game,
    rules: Rules,
    duel: Duel,
    backs: Backs,
    many: int | None,
    deck: SmallDeck,
    progress: Progress | None,
    learned: Thresholds | None = None,
) -> BackPlay:
    """Of the dealer's hidden cards some are seen by their backs; a card that lies face up is known besides.

    A list looks at the class of one card, or at how many cards of each class there are.
    """
    hidden = duel.dealer_cards - int(duel.up_card)
    seen = hidden if many is None else many
    if not 1 <= seen <= hidden:
        raise UnreadableError(f"The dealer of {game.name} has 1 to {hidden} hidden cards, not {seen}.")
    counted = solved_duel(game.name, duel, deck, progress)
    grid = pay_grid(game, rules, counted, duel)
    parts = [*_compositions(hidden, len(backs.classes))]
    cells = {part: _cells(counted, duel, backs, part, progress) for part in parts}
    tallies: dict[tuple[int, int, int], int] = {}
    chosen: dict[str, int] = dict.fromkeys(grid.names, 0)
    by_class, chances, sentences = {}, {}, []
    facts, weights = grid.fact_of_kind[counted.kinds], counted.weights.astype(np.int64)
    whole = counted.deals * comb(hidden, seen)
    ranks = ranked_kinds(duel, counted)[counted.kinds]
    lists, counting = Lists(grid, len(counted.kind_hands)), Lists(grid, len(counted.kind_hands))
    shown = np.array(counted.deck.ranks, np.int64)[np.minimum(counted.ups // SUITS, len(counted.deck.ranks) - 1)]
    ups = shown if duel.up_card else np.zeros(len(facts), np.int64)
    numbers: dict[tuple[int, ...], int] = {}
    by_list, rows_of = 0, np.arange(len(facts))
    for number, back in enumerate(_compositions(seen, len(backs.classes))):
        ways = {part: prod(comb(have, see) for have, see in zip(part, back, strict=True)) for part in parts}
        together = sum((ways[part] * cells[part] for part in parts if ways[part]), np.zeros_like(cells[parts[0]]))
        worth = np.einsum("sx,scx->sc", together, grid.nets[facts])
        lists.add(worth, facts, weights, ranks, len(RANKS) * number + ups)
        if duel.up_card:
            for place in range(len(backs.classes)):
                rows = backs.of_rank[ups] == place
                all_seen = tuple(many + (at == place) for at, many in enumerate(back))
                same = np.full(int(rows.sum()), numbers.setdefault(all_seen, len(numbers)))
                counting.add(worth[rows], facts[rows], weights[rows], ranks[rows], same)
        if learned is not None:
            called = backs.called(back.index(1)) if seen == 1 else backs.words(back)
            follows = by_threshold(duel, learned, counted, grid, [called] * len(facts))
            by_list += int((weights * worth[rows_of, follows]).sum())
        worth[~grid.legal[facts]] = np.iinfo(np.int64).min
        picked = worth.argmax(axis=1)
        total = 0
        for fact, choice in np.argwhere(grid.legal):
            rows = (facts == fact) & (picked == choice)
            sums = [int(each) for each in weights[rows] @ together[rows]]
            for cell, deals in enumerate(sums):
                tallies[int(fact), int(choice), cell] = tallies.get((int(fact), int(choice), cell), 0) + deals
            chosen[grid.names[choice]] += sum(sums)
            total += sum(deals * int(net) for deals, net in zip(sums, grid.nets[fact, choice], strict=True))
        deals = int((weights * together.sum(axis=1)).sum())
        if deals:
            by_class[backs.words(back)] = Fraction(total, deals * grid.unit)
            chances[backs.words(back)] = Fraction(deals, whole)
            if not duel.up_card:
                sentences.append(f"{backs.words(back)}: {_thresholds(duel, counted, grid, worth, together, weights)}.")
    spread: dict[Fraction, int] = {}
    for (fact, choice, cell), deals in tallies.items():
        net = Fraction(int(grid.nets[fact, choice, cell]), grid.unit)
        spread[net] = spread.get(net, 0) + deals
    shares = {name: Fraction(deals, whole) for name, deals in chosen.items()}
    average = sum((share * grid.wagered[name] for name, share in shares.items()), Fraction(0))
    spread = {net: deals for net, deals in sorted(spread.items()) if deals}
    result = Result(whole, spread, shares, average, duel.required)
    by_heart, by_count = (Fraction(each.best(), whole * grid.unit) for each in (lists, counting))
    return BackPlay(
        result.expected_value, result.variance, result, by_class, chances, tuple(sentences), by_heart,
        by_count if duel.up_card else None, None if learned is None else Fraction(by_list, whole * grid.unit),
    )  # fmt: skip


def _compositions(cards: int, classes: int) -> Iterator[tuple[int, ...]]:
    """Every way to part so many cards into classes."""
    for parts in product(range(cards, -1, -1), repeat=classes - 1):
        if sum(parts) <= cards:
            yield *parts, cards - sum(parts)


def _cells(
    counted: Solved, duel: Duel, backs: Backs, hidden: Sequence[int], progress: Progress | None
) -> npt.NDArray[np.int64]:
    """By state: the dealer's hands whose hidden cards are of these classes, in each cell of an outcome."""
    deck = counted.deck
    scores = hand_scores(duel.order, deck, duel.dealer_cards)
    levels = np.unique(hand_scores(duel.order, deck, duel.order.size))
    ranks = np.searchsorted(levels, scores).astype(np.int32)
    least = 0 if duel.qualifies is None else int(np.searchsorted(levels, duel.qualifies))
    every, ranked = subsets_of(deck.size, duel.dealer_cards), np.array(deck.ranks, np.int64)
    classes = backs.of_rank[ranked[every >> 2]]
    have = np.stack([(classes == number).sum(axis=1) for number in range(len(backs.classes))], axis=1)
    own = np.searchsorted(levels, hand_scores(duel.order, deck, duel.player_cards)[batch.subset_index(counted.hands)])
    out = np.zeros((len(counted.kinds), 6), np.int64)
    ups = sorted({*counted.ups.tolist()})
    for done, up in enumerate(ups):
        rows = np.flatnonzero(counted.ups == up)
        want = np.array(hidden)
        if up != NO_UP:
            want[backs.of_rank[ranked[up // SUITS]]] += 1
        counting = np.where((have == want).all(axis=1), ranks, len(levels) + 1).astype(np.int32)
        mine = own[rows].astype(np.int32)
        full = np.full(len(rows), len(levels), np.int32)
        asked = np.stack([mine, mine + 1, np.full(len(rows), least, np.int32), full], axis=1)
        place = None if up == NO_UP else up
        below, upto, none, dealt = count_below(
            deck.size, counting, duel.dealer_cards, counted.hands[rows], asked, place
        ).T
        reaches = counted.kind_qualifies[counted.kinds[rows]]
        out[rows] = cells_of(below, upto, none, reaches, dealt)
        if progress is not None:
            progress(f"counting hands of {backs.words(hidden)}", (done + 1) / len(ups))
    return out


def _thresholds(duel: Duel, counted: Solved, grid: PayGrid, worth: Ints, together: Ints, weights: Ints) -> str:
    """The best single threshold between the smallest and the largest wager, in words."""
    scores = batch.evaluate(duel.order, counted.deck.cards[counted.kind_hands]).astype(np.int64)[counted.kinds]
    names = sorted(grid.names, key=lambda name: grid.wagered[name])
    low, high = grid.names.index(names[0]), grid.names.index(names[-1])
    open_rows = (worth[:, [low, high]] != np.iinfo(np.int64).min).all(axis=1) & (together.sum(axis=1) > 0)
    levels, number = np.unique(scores[open_rows], return_inverse=True)
    gains = np.zeros(len(levels))
    np.add.at(gains, number.reshape(-1), (weights * (worth[:, high] - worth[:, low]))[open_rows].astype(float))
    start = int(np.concatenate([np.cumsum(gains[::-1])[::-1], [0.0]]).argmax())
    if start == 0:
        return f"always {names[-1]}"
    if start == len(levels):
        return f"always {names[0]}"
    return f"{names[-1]} with {threshold_words(duel.order, int(levels[start]), levels.tolist())} or better"


def turning_backs(game: Game, rules: Rules, backs: Backs, many: int | None, deck: SmallDeck) -> BackPlay:
    """Of the cards that are turned up for everybody, the first ``many`` or all are seen by their backs."""
    if not game.main_posts or not game.course.weighed:
        raise NotCountedError(f"{game.name} has no decision that backs could help with.")
    structure = solo.solo_of(game)
    counts = solo.count(structure, deck)
    plan = solo.plan_of(game, rules, counts)
    if plan is None:
        raise NotCountedError(f"Backs are not counted in {game.name}, where a pay looks at a single suit.")
    hidden = structure.facet.cards - structure.own
    seen = hidden if many is None else many
    if not 1 <= seen <= hidden:
        raise UnreadableError(f"{game.name} turns up {hidden} cards, not {seen}.")
    plan.check_fits(2 * counts.deals)
    nets = squares = Fraction(0)
    by_class, chances = {}, {}
    joins = {size: _joins(counts.levels[size]) for size in range(structure.own + 1, structure.facet.cards + 1)}
    for order in product(range(len(backs.classes)), repeat=seen):
        won, squared, deals = _turned(counts, plan, backs, order, joins)
        if deals:
            nets, squares = nets + won, squares + squared
            name = " ".join(map(backs.called, order))
            by_class[name], chances[name] = Fraction(won, deals) / plan.unit, Fraction(deals, counts.deals)
    mean = nets / counts.deals / plan.unit
    return BackPlay(mean, squares / counts.deals / plan.unit**2 - mean**2, None, by_class, chances)


Joins = tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]


def _joins(level: Level) -> Joins:
    """The entries of ``lacking`` by the class that they come of, and where each of those begins."""
    flat = level.lacking.reshape(-1)
    order = np.argsort(flat, kind="stable")
    return order, np.searchsorted(flat[order], np.arange(int(flat.max()) + 1))


def _down(level: Level, below: Level, values: Ints, fits: npt.NDArray[np.bool_], joins: Joins) -> Ints:
    """``Level.down``, where only some of the cards, by row and place, may come next."""
    order, starts = joins
    weighed = (values * level.classes.weights[:, None])[order // level.size]
    weighed *= fits.reshape(-1)[order][:, None]
    return np.asarray(np.add.reduceat(weighed, starts, axis=0) // below.classes.weights[:, None], np.int64)


def _turned(
    counts: Counts, plan: ChoicePlan, backs: Backs, order: Sequence[int], joins: Mapping[int, Joins]
) -> tuple[int, int, int]:
    """What is won, its squares, and the deals, where the next cards are of these classes in this order."""
    own, size, ranked = counts.solo.own, counts.solo.facet.cards, np.array(counts.deck.ranks, np.int64)
    ends = counts.ends[size]
    values, squares = ends @ plan.nets.T, ends @ (plan.nets**2).T
    ways = np.ones(len(ends), np.int64)
    for place in reversed(range(len(plan.steps))):
        choosing = plan.steps[place]
        while size > choosing.seen:
            level, below = counts.levels[size], counts.levels[size - 1]
            turn = size - own - 1
            wanted = backs.classes[order[turn]] if turn < len(order) else frozenset(range(len(RANKS)))
            fits = np.isin(ranked[level.classes.hands >> 2], [*wanted])
            columns, many = np.column_stack([values, squares, ways]), values.shape[1]
            columns = _down(level, below, columns, fits, joins[size])
            values, squares, ways = columns[:, :many], columns[:, many:-1], columns[:, -1]
            size -= 1
        over = choosing.follows == ENDED
        worth = np.where(over, choosing.ended * ways[:, None, None], values[:, choosing.follows])
        worth[:, ~choosing.legal] = np.iinfo(np.int64).min
        best = worth.argmax(axis=2)[:, :, None]
        each = np.where(over, choosing.ended**2 * ways[:, None, None], squares[:, choosing.follows])
        values, squares = (np.take_along_axis(part, best, axis=2)[:, :, 0] for part in (worth, each))
    weights = counts.levels[size].classes.weights
    return int(weights @ values[:, 0]), int(weights @ squares[:, 0]), int(weights @ ways)
