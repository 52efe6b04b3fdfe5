"""Compact strategies found from the exact solution: a hand threshold for each choice, and what following it costs.

States are gathered by the value of the player's hand, its *rung*; on the sums of each rung the best list of
thresholds is found exactly, by choosing for rung after rung a choice that never steps back to a smaller wager.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property

import numpy as np
import numpy.typing as npt
from numba import njit

from pitboss.cards import RANK_NAMES, RANKS
from pitboss.exact.board import BoardPlay
from pitboss.exact.board_rules import BoardList, board_lists
from pitboss.exact.decks import Ints
from pitboss.exact.duel import NO_UP, SUITS, Solved
from pitboss.exact.plan import Staged
from pitboss.exact.solo import Play
from pitboss.exact.streets import StreetsList, street_lists
from pitboss.exact.value import CELLS, PayGrid, Picked, Result, Valued, weigh
from pitboss.games.contract import Game
from pitboss.games.structure import Duel
from pitboss.hands import batch
from pitboss.hands.orders import RankOrder

_CHUNK = 1 << 16


def cells_of(lower: Ints, upto: Ints, unqualified: Ints, reaches: npt.NDArray[np.bool_], dealer_hands: int) -> Ints:
    """Dealer's hands in each cell of ``CELLS``; ``reaches`` says whether the player's hand would qualify itself.

    Unqualified hands are the lowest: all of them lie below a player's hand that would qualify itself.
    """
    below_not = np.where(reaches, unqualified, lower)
    level_not = np.where(reaches, 0, upto - lower)
    above_not = unqualified - below_not - level_not
    return np.stack(
        [
            above_not,
            level_not,
            below_not,
            dealer_hands - upto - above_not,
            upto - lower - level_not,
            lower - below_not,
        ],
        axis=1,
    )


def state_cells(solved: Solved, part: slice) -> Ints:
    """The cells of some states."""
    lower, upto = solved.lower[part].astype(np.int64), solved.upto[part].astype(np.int64)
    counted = solved.unqualified[part] if len(solved.unqualified) > 0 else np.zeros(len(lower), np.int32)
    reaches = solved.kind_qualifies[solved.kinds[part]]
    return cells_of(lower, upto, counted.astype(np.int64), reaches, solved.dealer_hands)


def parts_of(count: int) -> Iterator[slice]:
    """States in chunks that fit in memory several times over."""
    for start in range(0, count, _CHUNK):
        yield slice(start, min(start + _CHUNK, count))


@dataclass(frozen=True)
class Ladder:
    """The values a player's hand can have, from the lowest: one rung for each score and set of facts."""

    scores: Ints
    facts: npt.NDArray[np.int32]
    rung_of_kind: npt.NDArray[np.int64]
    kind_of_rung: npt.NDArray[np.intp]
    """One kind of hand that stands on each rung."""


def ladder(duel: Duel, valued: Valued) -> Ladder:
    solved, grid = valued.solved, valued.grid
    scores = batch.evaluate(duel.order, solved.deck.cards[solved.kind_hands]).astype(np.int64)
    key = scores * len(grid.facts) + grid.fact_of_kind
    rungs, first, rung_of_kind = np.unique(key, return_index=True, return_inverse=True)
    return Ladder(
        scores=rungs // len(grid.facts),
        facts=(rungs % len(grid.facts)).astype(np.int32),
        rung_of_kind=rung_of_kind.reshape(-1).astype(np.int64),
        kind_of_rung=first,
    )


def tally(solved: Solved, groups: npt.NDArray[np.int64], size: int) -> tuple[Ints, Ints]:
    """States by group, and deals by group and cell."""
    states, cells = np.zeros(size, np.int64), np.zeros((size, len(CELLS)), np.int64)
    for part in parts_of(len(solved.kinds)):
        weights = solved.weights[part].astype(np.int64)
        _add(groups[part], weights, state_cells(solved, part), states, cells)
    return states, cells


@njit(cache=True, nogil=True)
def _add(groups: Ints, weights: Ints, counts: Ints, states: Ints, cells: Ints) -> None:
    for row in range(len(groups)):
        group, weight = groups[row], weights[row]
        states[group] += weight
        for cell in range(counts.shape[1]):
            cells[group, cell] += weight * counts[row, cell]


def worth_of(grid: PayGrid, facts: npt.NDArray[np.int32], cells: Ints) -> list[list[int]]:
    """Totals of groups under each choice as Python integers: sums over many states may not fit a machine's."""
    products = cells.astype(object)[:, None, :] * grid.nets[facts].astype(object)
    totals: list[list[int]] = products.sum(axis=2).tolist()
    return totals


def up_ranks(solved: Solved) -> tuple[npt.NDArray[np.int64], tuple[int | None, ...]]:
    """The up card's rank of each state as an index, and the ranks; without an up card all share one index."""
    if len(solved.ups) and solved.ups[0] != NO_UP:
        return solved.ups.astype(np.int64) // SUITS, solved.deck.ranks
    return np.zeros(len(solved.ups), np.int64), (None,)


@dataclass(frozen=True)
class Threshold:
    """From this hand value on, this choice."""

    choice: str
    score: int
    words: str


@dataclass(frozen=True)
class Rule:
    """What to do in one situation: thresholds from the highest, and the choice below all of them."""

    when: str
    thresholds: tuple[Threshold, ...]
    below: str

    @property
    def sentence(self) -> str:
        parts = [f"{each.choice} with {each.words} or better" for each in self.thresholds]
        text = "; ".join([*parts, f"otherwise {self.below}"]) if parts else f"always {self.below}"
        return f"{self.when}: {text}." if self.when else f"{text[0].upper()}{text[1:]}."


@dataclass(frozen=True)
class RuleList:
    """A strategy in a few sentences, with its exact value and its cost against the best play."""

    name: str
    rules: tuple[Rule, ...]
    valued: Valued = field(repr=False)
    best: Fraction
    """The expected value of the best play, in Antes."""

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        """The rules in words, situations that are treated alike in one sentence."""
        alike: dict[tuple[tuple[Threshold, ...], str], list[str]] = {}
        for rule in self.rules:
            alike.setdefault((rule.thresholds, rule.below), []).append(rule.when)
        if len(alike) == 1:
            return (replace(self.rules[0], when="").sentence,)
        return tuple(Rule(_join(whens), *key).sentence for key, whens in alike.items())

    @property
    def result(self) -> Result:
        return self.valued.result

    @property
    def expected_value(self) -> Fraction:
        return self.result.expected_value

    @property
    def cost(self) -> Fraction:
        """What the list gives away against the best play, in Antes a round."""
        return self.best - self.expected_value


def _join(whens: Sequence[str]) -> str:
    """Situations as a list: common beginnings are said once.

    >>> _join(["dealer shows 2", "dealer shows 3", "dealer shows ace"])
    'Dealer shows 2, 3 or ace'
    """
    heads: dict[str, list[str]] = {}
    for when in whens:
        head, _, last = when.rpartition(" ")
        heads.setdefault(head, []).append(last)
    groups = [
        (f"{head} " if head else "") + (", ".join(lasts[:-1]) + " or " if len(lasts) > 1 else "") + lasts[-1]
        for head, lasts in heads.items()
    ]
    text = "; ".join(groups)
    return text[:1].upper() + text[1:] if text else text


@dataclass(frozen=True)
class Split:
    """Situations that a list tells apart, as an index of each state and a name of each situation."""

    name: str
    of_state: npt.NDArray[np.int64]
    whens: tuple[str, ...]


def splits(solved: Solved) -> tuple[Split, ...]:
    """One for all; with an up card also by its rank, and by its rank and whether the player holds that rank."""
    ups, ranks = up_ranks(solved)
    everything = Split("", np.zeros(len(ups), np.int64), ("",))
    if ranks == (None,):
        return (everything,)
    names = [RANK_NAMES[rank] for rank in ranks if rank is not None]
    held = np.zeros(len(ups), np.int64)
    for part in parts_of(len(ups)):
        held[part] = (solved.hands[part] // SUITS == (solved.ups[part] // SUITS)[:, None]).any(axis=1)
    return (
        everything,
        Split("by up card", ups, tuple(f"dealer shows {name}" for name in names)),
        Split(
            "by up card and whether it is matched",
            2 * ups + held,
            tuple(
                f"dealer shows {'a matched' if match else 'an unmatched'} {name}" for name in names for match in (0, 1)
            ),
        ),
    )


class RuleFinder:
    """Finds threshold lists for one game under one set of pays; the sums by rung are gathered once."""

    def __init__(self, game: Game, valued: Valued, duel: Duel | None = None) -> None:
        duel = duel or game.duel
        if duel is None:
            raise ValueError(f"The main wagers of {game.name} are not played against a dealer's hand.")
        self.order: RankOrder = duel.order
        self.valued = valued
        self.grid: PayGrid = valued.grid
        self.ladder = ladder(duel, valued)
        self.splits = splits(valued.solved)
        self.best = weigh(valued.solved, self.grid, valued.required).result.expected_value
        legal = self.grid.legal[self.ladder.facts]
        self._forced = legal.sum(axis=1) == 1
        self._only = legal.argmax(axis=1)
        open_choices = np.flatnonzero(legal[~self._forced].any(axis=0))
        # Columns of the grid, the smallest wager first.
        self.choices = tuple(sorted(open_choices.tolist(), key=lambda c: self.grid.wagered[self.grid.names[c]]))
        self._legal: list[list[bool]] = legal.tolist()
        self._worth: dict[str, list[list[list[int]]]] = {}

    def found(self, split: Split, whole: bool = False) -> RuleList:
        """The list of the highest value; ``whole`` steps only between kinds and leading ranks, not kickers."""
        buckets = self._buckets(whole)
        rules, plans = [], []
        for when, worth in zip(split.whens, self._sums(split), strict=True):
            plan = self._climb(worth, buckets)
            plans.append(plan)
            rules.append(self._rule(when, plan))
        kind = "whole hands" if whole else "exact thresholds"
        return self._list(f"{kind} {split.name}".strip(), rules, split, plans)

    def always(self, choice: str) -> RuleList:
        """The same choice with every hand."""
        column = self.grid.names.index(choice)
        allowed = all(legal[column] for legal, forced in zip(self._legal, self._forced, strict=True) if not forced)
        name = f"always {choice}" if allowed else f"always {choice} where allowed"
        return self.followed(name, [column] * len(self.ladder.scores))

    def followed(self, name: str, columns: Sequence[int]) -> RuleList:
        """The list with a choice for each rung, whatever the dealer shows; what is not allowed, the largest smaller."""
        plan = [self._allowed(rung, column) for rung, column in enumerate(columns)]
        return self._list(name, [self._rule("", plan)], self.splits[0], [plan])

    def _allowed(self, rung: int, column: int) -> int:
        if self._forced[rung]:
            return int(self._only[rung])
        upto = self.choices[: self.choices.index(column) + 1]
        return next(c for c in reversed(upto) if self._legal[rung][c])

    def _sums(self, split: Split) -> list[list[list[int]]]:
        """Totals by situation, rung and choice."""
        if split.name not in self._worth:
            rungs, solved = len(self.ladder.scores), self.valued.solved
            groups = split.of_state * rungs + self.ladder.rung_of_kind[solved.kinds]
            _, cells = tally(solved, groups, rungs * len(split.whens))
            self._worth[split.name] = [
                worth_of(self.grid, self.ladder.facts, cells[start : start + rungs])
                for start in range(0, len(cells), rungs)
            ]
        return self._worth[split.name]

    def _buckets(self, whole: bool) -> list[list[int]]:
        """Rungs that must share a choice, from the lowest; those with only one choice are left out."""
        buckets: dict[object, list[int]] = {}
        for rung, score in enumerate(self.ladder.scores.tolist()):
            if not self._forced[rung]:
                key = (self.order.category(score), self.order.lead_rank(score)) if whole else score
                buckets.setdefault(key, []).append(rung)
        return list(buckets.values())

    def _climb(self, worth: list[list[int]], buckets: list[list[int]]) -> list[int]:
        """The choice of each rung with the highest total among all that never fall back to a smaller wager."""
        totals: list[int | None] = [0] * len(self.choices)
        back: list[list[int]] = []
        for bucket in buckets:
            came, after = [], []
            best: int | None = None
            best_from = 0
            for place, column in enumerate(self.choices):
                reached = totals[place]
                if reached is not None and (best is None or reached > best):
                    best, best_from = reached, place
                legal = all(self._legal[rung][column] for rung in bucket)
                after.append(best + sum(worth[rung][column] for rung in bucket) if legal and best is not None else None)
                came.append(best_from)
            totals = after
            back.append(came)
        place = max((p for p, total in enumerate(totals) if total is not None), key=lambda p: totals[p] or 0)
        plan: list[int] = self._only.tolist()
        for bucket, came in zip(reversed(buckets), reversed(back), strict=True):
            for rung in bucket:
                plan[rung] = self.choices[place]
            place = came[place]
        return plan

    def _rule(self, when: str, plan: Sequence[int]) -> Rule:
        """The plan of one situation in words."""
        steps: list[Threshold] = []
        now: int | None = None
        below = ""
        for rung, column in enumerate(plan):
            if self._forced[rung] or column == now:
                continue
            name, score = self.grid.names[column], int(self.ladder.scores[rung])
            if now is None:
                below = name
            else:
                steps.append(Threshold(name, score, self._words(score)))
            now = column
        return Rule(when, tuple(reversed(steps)), below)

    def _words(self, score: int) -> str:
        return threshold_words(self.order, score, self._scores)

    @cached_property
    def _scores(self) -> tuple[int, ...]:
        return tuple(sorted(set(self.ladder.scores.tolist())))

    def _list(self, name: str, rules: Sequence[Rule], split: Split, plans: Sequence[Sequence[int]]) -> RuleList:
        solved = self.valued.solved
        table = np.array(plans, np.uint8)
        forced: Picked = table[split.of_state, self.ladder.rung_of_kind[solved.kinds]]
        return RuleList(name, tuple(rules), weigh(solved, self.grid, self.valued.required, forced), self.best)


def rule_lists(game: Game, valued: Valued | Staged) -> tuple[RuleList | StreetsList | BoardList, ...]:
    """Strategies in words, from the crudest to the finest."""
    if isinstance(valued, BoardPlay):
        return board_lists(valued)
    if isinstance(valued, Staged):
        assert isinstance(valued, Play), "there are two counters of games that ask more than once"
        return street_lists(valued)
    return duel_lists(game, valued)


def duel_lists(game: Game, valued: Valued) -> tuple[RuleList, ...]:
    """Always one choice, whole hands, exact thresholds, then by the up card."""
    finder = RuleFinder(game, valued)
    names = [valued.grid.names[column] for column in finder.choices]
    return (
        *(finder.always(name) for name in names),
        *(finder.found(split, whole) for split in finder.splits for whole in (True, False)),
    )


def threshold_words(order: RankOrder, score: int, scores: Sequence[int]) -> str:
    """A threshold in words with as many kickers as it needs among the scores that occur.

    >>> from pitboss.cards import parse_cards
    >>> from pitboss.hands.orders import THREE_CARD
    >>> queen_six = [THREE_CARD.score(parse_cards(text)) for text in ("Qc 3d 2h", "Qc 6d 3h", "Qc 6d 4h")]
    >>> [threshold_words(THREE_CARD, score, [0, *queen_six]) for score in queen_six]
    ['queen high', 'Q-6', 'Q-6-4']
    """
    ranks = order_ranks(order, score)
    category = order.category(score)
    same = [each for each in scores if order.category(each) == category]
    needed = next(
        count
        for count in range(len(ranks) + 1)
        if min(each for each in same if order_ranks(order, each)[:count] == ranks[:count]) == score
    )
    if needed == 0:
        return _ANY.get(category, f"any {category.replace('_', ' ')}")
    if category in ("high_card", "ace_king") and needed > 1:
        return _dashes(ranks[:needed])
    words = f"two pair, {RANK_NAMES[ranks[0]]}s up" if category == "two_pair" and needed == 1 else order.describe(score)
    kickers = _dashes(ranks[_NAMED.get(category, 1) : needed])
    return (f"a {words}" if category in _ARTICLE else words) + (f" with {kickers}" if kickers else "")


def _dashes(ranks: Sequence[int]) -> str:
    return "-".join(RANKS[rank].replace("T", "10") for rank in ranks)


_ARTICLE = ("royal_flush", "straight_flush", "full_house", "flush", "straight", "pair")
_NAMED = {"two_pair": 2, "full_house": 2}
_ANY = {"ace_king": "ace-king", "high_card": "any hand"}


def order_ranks(order: RankOrder, score: int) -> tuple[int, ...]:
    """The ranks that decide between hands of one category, the most important first."""
    sequence = order.category(score) in ("royal_flush", "straight_flush", "straight")
    found = [score >> shift & 15 for shift in range(16, -4, -4)]
    return tuple(found[: 1 if sequence else order.size])
