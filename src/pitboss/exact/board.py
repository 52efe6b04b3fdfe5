"""Two hands that share a board turned up street by street: every deal of a hold'em game without looping over it.

The dealer's two cards are compared with the player's on the same board, so on each board all two-card *holdings* are
sorted once; how many of the dealer's holdings are below, level with and above the player's, and avoid the player's two
cards, follows from counts card by card. Boards that differ only by the names of suits are one class (134,459 of
2,598,960), and a state is a class of boards with a holding. What is counted knows no pay table: it is counted once,
kept, and weighed with any rules afterwards.

Values go from a board to those with a card less: each class adds its values, by weight, to the class of each board
that lacks one of its cards, with suits renamed as that class has them. Where several renamings would do, the sums
are evened out over them. They are whole numbers: sums over all orders of the cards to come and all dealer's holdings.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import combinations, combinations_with_replacement, pairwise, permutations
from math import comb, factorial, perm, prod
from typing import Any

import numpy as np
import numpy.typing as npt

from pitboss.cards import RANKS, Card, Hand
from pitboss.exact import board_kernels as kernels
from pitboss.exact.cache import Arrays, fingerprint, kept, kept_figures
from pitboss.exact.decks import FULL, SUITS, Classes, Ints, Places, SmallDeck, suit_classes, suit_keys, suit_masks
from pitboss.exact.duel import Progress
from pitboss.exact.facets import Code, NotCountedError, Sides, labels_of, sides_of
from pitboss.exact.plan import ENDED, Asked, ChoicePlan, Choosing, Staged, dealt, lying, planned, result_of
from pitboss.exact.value import CELLS, WORKERS, Result
from pitboss.games.contract import Game, Versus
from pitboss.games.facts import AtLeast, Chosen, Compare, Fact, Label
from pitboss.games.rules import Rules
from pitboss.hands import batch
from pitboss.hands.facets import Facet
from pitboss.hands.orders import RankOrder

PAIR = 2
"""Cards of a holding."""
Picked = npt.NDArray[np.uint8]
_CHUNK = 512
COUNTING_CODE = (
    "cards.py",
    "hands/orders.py",
    "hands/batch.py",
    "hands/labels.py",
    "exact/decks.py",
    "exact/board.py",
    "exact/board_kernels.py",
)
PLAYING_CODE = (*COUNTING_CODE, "exact/plan.py")
NAMES: Places = np.array(list(permutations(range(SUITS))), np.uint8)
"""Every way to rename suits: what each suit is called afterwards."""


@dataclass(frozen=True)
class CommonBoard:
    """The information structure: hands of two own cards and a common board, and how much of it is seen when."""

    order: RankOrder
    cards: int
    seen: tuple[int, ...]
    """Cards of the board that lie at each decision."""
    compare: str
    labels: tuple[tuple[str, Facet], ...]
    """Names of the player's whole hand that the main wagers read."""
    qualifies: tuple[str, int] | None

    @property
    def orders(self) -> int:
        """Orders of a board that nobody can tell apart, because no decision lies between its cards."""
        return prod(factorial(later - earlier) for earlier, later in pairwise((*self.seen, self.cards)))


def board_of(game: Game) -> CommonBoard | None:
    """How the main wagers of a game compare two hands on a common board; none where they do not."""
    by_name = game.lines.facts.by_name
    read = {name: by_name[name] for post in game.main_posts for name in game.lines.rules[post.line].reads}
    compares = {name: fact for name, fact in read.items() if isinstance(fact, Compare)}
    shared = {place for fact in compares.values() for place in fact.places if place in fact.against}
    if len(compares) != 1 or len(shared) != 1:
        return None
    ((name, compare),), (place,) = compares.items(), shared
    cards = dealt(game)
    labels = {n: fact for n, fact in read.items() if isinstance(fact, Label)}
    least = {n: fact for n, fact in read.items() if isinstance(fact, AtLeast)}
    known = all(isinstance(fact, Compare | Label | AtLeast | Chosen) for fact in read.values())
    mine = all(fact.places == compare.places and _whole(fact.facet, compare.order) for fact in labels.values())
    theirs = all(fact.places == compare.against and fact.order == compare.order for fact in least.values())
    if not (known and mine and theirs) or len(least) > 1 or not cards["players"] == cards["dealer"] == PAIR:
        raise NotCountedError(f"There is no counter for the main wagers of {game.name}: they read {sorted(read)}.")
    *seen, turned = lying(game, (place,))
    qualifies = next(((n, fact.score) for n, fact in least.items()), None)
    return CommonBoard(
        compare.order, turned, tuple(seen), name, tuple((n, fact.facet) for n, fact in labels.items()), qualifies
    )


def _whole(facet: Facet, order: RankOrder) -> bool:
    """Whether a name follows from the rank of the hand, whatever its suits are called."""
    return facet.order == order and facet.suited_from is None and not facet.colours


@dataclass(frozen=True)
class Rungs:
    """The ranks that a whole hand can have, from the lowest, and how to find that of a board with two more cards."""

    scores: Ints
    examples: tuple[Hand, ...]
    mixed: kernels.Rungs
    """By the ranks of the board, then by those of the holding: the rung where suits are mixed."""
    flush: kernels.Rungs
    """By the ranks held in one suit: the rung of the best of them; -1 where they are too few."""


def _multiset_row(ranks: Ints) -> Ints:
    """The number of each row of ascending ranks among all such rows: they become a set by adding 0, 1, ..."""
    weights = _multiset_weights(ranks.shape[1])
    return sum((weights[place][ranks[:, place]] for place in range(ranks.shape[1])), np.zeros(len(ranks), np.int64))


def _multiset_weights(size: int) -> Ints:
    return np.array([[comb(rank + place, place + 1) for rank in range(len(RANKS))] for place in range(size)], np.int64)


def rungs_of(order: RankOrder, cards: int) -> Rungs:
    """Asks the order once for each multiset of ranks and once for each set of ranks in one suit.

    The best hand is the better of the two: five cards of one suit rank no lower than the same ranks in mixed suits.
    """
    whole = cards + PAIR
    ranks = np.array(list(combinations_with_replacement(range(len(RANKS)), whole)), np.int64)
    ranks = ranks[(ranks[:, SUITS:] != ranks[:, :-SUITS]).all(axis=1)]
    hands = SUITS * ranks + np.arange(whole) % SUITS
    scores = batch.evaluate(order, hands)
    suited = [np.array(list(combinations(range(len(RANKS)), size)), np.int64) for size in range(order.size, whole + 1)]
    suited_scores = [batch.evaluate(order, SUITS * each) for each in suited]
    levels, first = np.unique(np.concatenate([scores, *suited_scores]), return_index=True)
    every = [*hands.tolist(), *((SUITS * row).tolist() for each in suited for row in each)]
    by_row = np.full(comb(len(RANKS) + whole - 1, whole), -1, np.int16)
    by_row[_multiset_row(ranks)] = np.searchsorted(levels, scores)
    boards = np.array(list(combinations_with_replacement(range(len(RANKS)), cards)), np.int64)
    mixed = np.full((len(boards), len(RANKS) ** PAIR), -1, np.int16)
    for one, other in np.ndindex(len(RANKS), len(RANKS)):
        rows = np.sort(np.concatenate([boards, np.full((len(boards), PAIR), (one, other))], axis=1), axis=1)
        mixed[_multiset_row(boards), len(RANKS) * one + other] = by_row[_multiset_row(rows)]
    flush = np.full(1 << len(RANKS), -1, np.int16)
    for each, found in zip(suited, suited_scores, strict=True):
        flush[(1 << each).sum(axis=1)] = np.searchsorted(levels, found)
    examples = tuple(tuple(Card(card) for card in every[row]) for row in first)
    return Rungs(levels.astype(np.int64), examples, mixed, flush)


@dataclass(frozen=True)
class BoardLevel:
    """Boards of one size, one of each class, and the classes that they become without one of their cards."""

    classes: Classes
    keys: Ints
    """Of the classes, ascending, and in their order."""
    masks: Ints
    """The ranks held in each suit."""
    lacking: npt.NDArray[np.int32]
    turned: Places
    """The renaming of suits with which a board that lacks a card is its class, an index of ``NAMES``."""

    @property
    def boards(self) -> Places:
        return self.classes.hands

    @property
    def size(self) -> int:
        return int(self.boards.shape[1])


@lru_cache(maxsize=4)
def _levels(deck: SmallDeck, cards: int) -> tuple[BoardLevel, ...]:
    found: list[BoardLevel] = []
    keys = np.zeros(1, np.int64)
    for size in range(cards + 1):
        classes = suit_classes(deck, size) if size else Classes(np.zeros((1, 0), np.uint8), np.ones(1, np.int64))
        own_keys = suit_keys(classes.hands)
        order = np.argsort(own_keys)
        hands = classes.hands[order]
        lacking, turned = np.zeros((len(hands), size), np.int32), np.zeros((len(hands), size), np.uint8)
        for place in range(size):
            less = np.delete(hands, place, axis=1)
            lacking[:, place] = np.searchsorted(keys, suit_keys(less))
            turned[:, place] = renaming(less)
        keys = own_keys[order]
        found.append(BoardLevel(Classes(hands, classes.weights[order]), keys, suit_masks(hands), lacking, turned))
    return tuple(found)


def renaming(boards: Places) -> Places:
    """The way to rename suits with which each board is the one that stands for its class: the most cards first."""
    digits = SUITS ** np.arange(SUITS)
    number = np.zeros(SUITS**SUITS, np.uint8)
    number[NAMES @ digits] = np.arange(len(NAMES))
    found: Places = number[np.argsort(np.argsort(-suit_masks(boards), axis=1, kind="stable"), axis=1) @ digits]
    return found


@lru_cache(maxsize=4)
def _renamed_pairs(deck: SmallDeck) -> npt.NDArray[np.uint16]:
    """Every pair by number under every renaming of suits."""
    pairs = np.array([(low, high) for high in range(deck.size) for low in range(high)])
    cards = (pairs & ~3)[None] | NAMES[:, pairs & 3]
    low, high = cards.min(axis=2), cards.max(axis=2)
    found: npt.NDArray[np.uint16] = (high * (high - 1) // 2 + low).astype(np.uint16)
    return found


def pair_of(places: Sequence[int]) -> int:
    """The number of two places."""
    low, high = sorted(places)
    return high * (high - 1) // 2 + low


@dataclass(frozen=True)
class BoardCounts:
    """What is counted once, whatever the pay tables: the holdings of every board."""

    board: CommonBoard
    deck: SmallDeck
    kinds: tuple[Mapping[str, Any], ...]
    """From the lowest: the player's names, and whether a dealer with such a hand qualifies."""
    of_rung: Ints
    mixed: kernels.Rungs
    flush: kernels.Rungs
    """The kind of each rung, and how the rung of a hand is found; see ``Rungs``."""
    entries: kernels.Entries
    """By class of whole boards and by pair."""

    @property
    def levels(self) -> tuple[BoardLevel, ...]:
        """Boards by how many cards lie."""
        return _levels(self.deck, self.board.cards)

    @property
    def renamed(self) -> npt.NDArray[np.uint16]:
        """Every pair under every renaming of suits."""
        return _renamed_pairs(self.deck)

    @property
    def pairs(self) -> int:
        return comb(self.deck.size, PAIR)

    @property
    def dealt(self) -> int:
        """The dealer's holdings when the player's cards and the board are known."""
        return comb(self.deck.size - self.board.cards - PAIR, PAIR)

    @property
    def reaches(self) -> npt.NDArray[np.bool_]:
        return np.array([kind[QUALIFIES] for kind in self.kinds])

    def ways(self, size: int) -> int:
        """Ordered ways to go on from a holding and a board of some size, the dealer's cards included."""
        return perm(self.deck.size - PAIR - size, self.board.cards - size) * self.dealt

    @property
    def deals(self) -> int:
        return self.pairs * self.ways(0) // self.board.orders

    def where(self, own: Sequence[int], boards: Places) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.uint16]]:
        """The class of each board, and what a pair is called with it."""
        level = self.levels[boards.shape[1]]
        return np.searchsorted(level.keys, suit_keys(boards)), self.renamed[renaming(boards), pair_of(own)]

    def free(self, size: int) -> npt.NDArray[np.bool_]:
        """By class and pair: whether the pair avoids the board."""
        found = np.ones((len(self.levels[size].boards), self.pairs), np.bool_)
        taking = np.zeros((self.deck.size, self.pairs), np.bool_)
        for number, pair in enumerate((low, high) for high in range(self.deck.size) for low in range(high)):
            taking[list(pair), number] = True
        for column in self.levels[size].boards.T:
            found &= ~taking[column]
        return found


QUALIFIES = "qualifies"
"""Beside the names of a kind: whether a dealer who holds it plays."""


def count(board: CommonBoard, deck: SmallDeck = FULL, progress: Progress | None = None) -> BoardCounts:
    """The holdings of every board: from memory, from the cache on disk, or counted now and kept."""
    if deck != FULL:
        return count_afresh(board, deck, progress)
    key = fingerprint(_key(board), COUNTING_CODE)
    if key not in _COUNTED:
        _COUNTED.clear()
        _COUNTED[key] = kept("board", key, lambda: _count(board, deck, progress))
    return _counts(board, deck, *_COUNTED[key])


def count_afresh(board: CommonBoard, deck: SmallDeck = FULL, progress: Progress | None = None) -> BoardCounts:
    """The same, counted now and not kept."""
    return _counts(board, deck, *_count(board, deck, progress))


_COUNTED: dict[str, tuple[Arrays, Mapping[str, Any]]] = {}


def _facets(board: CommonBoard) -> list[Facet]:
    """How whole hands are named, each way once."""
    return sorted({facet for _, facet in board.labels}, key=lambda facet: facet.label.__name__)


def _key(board: CommonBoard) -> tuple[object, ...]:
    """What the counts depend on: no pay table, no choice, and not when the board is turned up."""
    order = (board.order.name, board.order.size, board.order.categories)
    named = [facet.label.__name__ for facet in _facets(board)]
    return order, board.cards, named, board.qualifies and board.qualifies[1]


def _counts(board: CommonBoard, deck: SmallDeck, arrays: Arrays, figures: Mapping[str, Any]) -> BoardCounts:
    of_facet = {facet: at for at, facet in enumerate(_facets(board))}
    kinds = tuple(
        {name: names[of_facet[facet]] for name, facet in board.labels} | {QUALIFIES: bool(reaches)}
        for *names, reaches in figures["kinds"]
    )
    return BoardCounts(board, deck, kinds, **arrays)


def _count(board: CommonBoard, deck: SmallDeck, progress: Progress | None) -> tuple[Arrays, Mapping[str, Any]]:
    rungs, whole = rungs_of(board.order, board.cards), _levels(deck, board.cards)[-1]
    named = [facet.label for facet in _facets(board)]
    kinds: list[list[Any]] = []
    of_rung = np.zeros(len(rungs.scores), np.int64)
    for rung, (score, hand) in enumerate(zip(rungs.scores.tolist(), rungs.examples, strict=True)):
        kind = [*(label(hand) for label in named), board.qualifies is None or score >= board.qualifies[1]]
        if not kinds or kinds[-1] != kind:
            kinds.append(kind)
        of_rung[rung] = len(kinds) - 1
    entries = np.zeros((len(whole.boards), comb(deck.size, PAIR)), np.uint32)
    arrays: Arrays = {"of_rung": of_rung, "mixed": rungs.mixed, "flush": rungs.flush, "entries": entries}
    counts = _counts(board, deck, arrays, {"kinds": kinds})

    def work(_: int, part: slice) -> None:
        rank_holdings(counts, whole.boards[part], entries[part])

    _share(len(entries), work, "ranking holdings", progress)
    return arrays, {"kinds": kinds}


def rank_holdings(counts: BoardCounts, boards: Places, entries: kernels.Entries) -> None:
    """What is known of each holding on some boards."""
    weights = _multiset_weights(counts.board.cards)
    ranks, suited = np.array(counts.deck.ranks, np.int64), counts.board.order.size - PAIR
    tables = counts.mixed, counts.flush, suited, counts.of_rung
    kernels.count_boards(counts.deck.size, boards, ranks, weights, *tables, entries)


def _share(rows: int, work: Callable[[int, slice], object], what: str, progress: Progress | None) -> None:
    """Do the rows part by part in a few threads; each has its number."""
    starts = iter(range(0, rows, _CHUNK))
    tell = progress or (lambda _what, _share: None)

    def run(worker: int) -> None:
        for start in starts:
            work(worker, slice(start, min(start + _CHUNK, rows)))
            if worker == 0:
                tell(what, min(1.0, (start + _CHUNK) / rows))

    with ThreadPoolExecutor(WORKERS) as pool:
        list(pool.map(run, range(WORKERS)))


def plan_of(game: Game, rules: Rules, counts: BoardCounts) -> ChoicePlan:
    """Ask the game for every history, and for the pay of each kind of hand in each of the dealer's cells."""
    board = counts.board
    hand = counts.deck.hand(range(PAIR + board.cards))
    ends = [
        ({**kind, board.compare: versus, **({board.qualifies[0]: qualifies} if board.qualifies else {})},)
        for kind in counts.kinds
        for qualifies, versus in CELLS
    ]
    found = planned(game, rules, hand, PAIR, [PAIR + seen for seen in board.seen], ends)
    assert found is not None, "every end has one set of facts"
    return found


def linear(counts: BoardCounts, plan: ChoicePlan) -> Ints:
    """By kind and final history: what it is worth against all of the dealer's holdings, as a sum of multiples.

    The multiples are of those below the player's holding, of those below or level with it, of those that do not
    qualify, and of one. Those that do not qualify are the lowest: all of them lie below one that would qualify itself.
    """
    lower, upto, none, dealt = np.eye(4, dtype=np.int64)
    both = [
        np.array([none - upto, upto - lower, lower, dealt - none, 0 * dealt, 0 * dealt]),
        np.array([0 * none, 0 * none, none, dealt - upto, upto - lower, lower - none]),
    ]
    cells = np.stack([both[int(reaches)] for reaches in counts.reaches])
    nets = plan.nets.reshape(len(plan.finals), len(counts.kinds), len(CELLS))
    return np.ascontiguousarray(np.einsum("fkc,kcx->kfx", nets, cells) * [1, 1, 1, counts.dealt])


@dataclass(frozen=True)
class BoardStreet(Asked):
    """One decision valued and played, by history, class of boards and pair."""

    counts: BoardCounts
    plan: ChoicePlan
    worth: Ints
    """By history and choice, then class and pair: sums over all ways to go on; empty where they would be too many."""
    picked: Picked
    """The choice taken, an index of ``names``; empty at the whole board, where it is found when it is asked for."""
    reach: Picked
    """In how many orders a board of the class is seen with the pair in this history."""

    @property
    def size(self) -> int:
        """Cards of the board that lie."""
        return self.choosing.seen - PAIR

    @property
    def level(self) -> BoardLevel:
        return self.counts.levels[self.size]

    def picks(self, part: slice) -> Picked:
        """The choices of some classes of boards, by history, class and pair."""
        if len(self.picked) or self.size < self.counts.board.cards:
            return self.picked[:, part]
        counts, step = self.counts, self.choosing
        boards = self.level.boards[part]
        out = np.zeros((len(step.legal), len(boards), counts.pairs), np.uint8)
        fixed = counts.reaches, linear(counts, self.plan), step.legal, step.follows, step.ended * counts.dealt
        kernels.list_picks(counts.deck.size, boards, counts.entries[part], *fixed, out)
        return out

    def values(self, cards: Hand, history: int) -> dict[str, Fraction]:
        own, board = self.counts.deck.places(cards[:PAIR]), self.counts.deck.places(cards[PAIR:])
        if self.size:
            worth = state_worth(self.counts, self.plan, own, board)[history]
        else:
            worth = self.worth[history, :, 0, pair_of(own)]
        whole = self.counts.ways(self.size) * self.plan.unit
        legal = self.choosing.legal[history]
        return {name: Fraction(int(worth[c]), whole) for c, name in enumerate(self.names) if legal[c]}


_NOTHING_KEPT = np.zeros((0, 0, 0), np.uint8)
_NOT_WORTH_KEEPING = np.zeros((0, 0, 0, 0), np.int64)
_NOT_COUNTED = np.zeros((0, 0), np.int64)
MOST_CARDS = 3
"""Of the largest boards at which the worth of every choice is kept; with more cards there are too many."""


@dataclass(frozen=True)
class BoardPlay(Staged):
    """What is worth how much follows from two hands on a common board."""

    counts: BoardCounts
    made: tuple[Ints, ...]
    """Deals by history and choice on each street."""
    joint: Ints
    """Deals by final history (then by choices that end at the whole board), both hands' kinds and how they compare."""
    opening: Ints
    """By choice and pair: what the first decision is worth, summed over all ways to go on."""
    key: str = ""
    """Under which the figures are kept."""

    @cached_property
    def streets(self) -> tuple[BoardStreet, ...]:
        """All states of every decision; found again where only the figures of the best play were kept."""
        return played(self.game, self.rules, self.counts, self.plan).streets

    @property
    def asked(self) -> tuple[BoardStreet, ...]:
        """The decisions, with no more of their states than it takes to value one hand."""
        first = self.opening[None, :, None]
        return tuple(
            BoardStreet(
                step, self.counts, self.plan, _NOT_WORTH_KEEPING if place else first, _NOTHING_KEPT, _NOTHING_KEPT
            )
            for place, step in enumerate(self.plan.steps)
        )

    @property
    def deals(self) -> int:
        return self.counts.deals

    @cached_property
    def result(self) -> Result:
        finals, reaches = len(self.plan.finals), self.counts.reaches
        shown = self.joint[:finals]
        cells = np.concatenate([shown[:, :, ~reaches].sum(axis=2), shown[:, :, reaches].sum(axis=2)], axis=2)
        return result_of(self.game, self.plan, self.made, cells.reshape(finals, -1), self.deals)

    def folded(self, facts: Mapping[str, Fact]) -> dict[tuple[int, Code], int]:
        sides, labels = sides_of(facts), [fact for fact in facts.values() if isinstance(fact, Label)]
        orders = self.counts.board.orders
        if sides is not None:
            every = _named(self.counts, every_deal(self.counts) // orders, sides)
            stay = _named(self.counts, self.joint[: len(self.plan.finals)].sum(axis=0), sides)
            every.subtract(stay)
            parts = ((0, stay), (1, every))
            return {(fold, code): n for fold, part in parts for code, n in sides.coded(part).items() if n}
        if len(facts) == len(labels) == 1:
            size, facet = labels[0].facet.cards - PAIR, labels[0].facet
            key = fingerprint((self.key, size, facet.label.__name__), PLAYING_CODE)

            def make() -> dict[str, list[tuple[int, str, int]]]:
                found = self._folding(size, facet)
                return {"folded": [(fold, name, n // orders) for (fold, name), n in found.items() if n]}

            figures = make() if self.counts.deck != FULL else kept_figures(f"folding-{self.game.name}", key, make)
            return {(fold, (name,)): n for fold, name, n in figures["folded"]}
        raise NotCountedError(f"Folding in {self.game.name} is not counted together with {sorted(facts)}.")

    def _folding(self, size: int, facet: Facet) -> Counter[tuple[int, str]]:
        """Ordered deals by whether a choice has ended the seat's part, and by the name of its cards seen so far."""
        counts, streets = self.counts, [street for street in self.streets if street.size < self.counts.board.cards]
        if size not in [street.size for street in streets]:
            raise NotCountedError(f"Folding in {self.game.name} is counted with the cards seen at a decision only.")
        ends = [(street.follows == ENDED) & street.choosing.legal for street in self.streets]
        last = ends[-1] if len(streets) < len(ends) else np.zeros(_Last.of(self.plan, counts.board.cards).legal.shape)
        gone = np.zeros((len(counts.levels[size].boards), counts.pairs), np.int64)
        if last.any() or any(end.any() for end, street in zip(ends, streets, strict=False) if street.size >= size):
            values = weigh_whole(counts, self.plan, _NOTHING_KEPT, None, last.astype(np.int64) * counts.dealt)
            at = counts.board.cards - 1
            for street, end in reversed(list(zip(streets, ends, strict=False))):
                if street.size >= size:
                    while at > street.size:
                        values, at = _down(counts, at, values), at - 1
                    choosing = replace(street.choosing, ended=end.astype(np.int64))
                    _, values = _decide(counts, self.plan, choosing, values, street.picked)
                    reach = street.reach
            gone += (reach * values).sum(axis=0)
        for street, end in zip(streets, ends, strict=False):
            for history, choice in np.argwhere(end) if street.size < size else ():
                taken = np.where(street.picked[history] == choice, street.reach[history], 0)[None]
                gone += raised(counts, street.size, size, taken)[0].astype(np.int64) * counts.ways(size)
        return _labelled(counts, size, facet, gone)


@dataclass(frozen=True)
class _Last:
    """The decision at the whole board, or none: every history goes on as it is."""

    legal: npt.NDArray[np.bool_]
    follows: Ints
    ended: Ints

    @classmethod
    def of(cls, plan: ChoicePlan, cards: int) -> "_Last":
        last = plan.steps[-1]
        if last.seen - PAIR == cards:
            return cls(last.legal, last.follows, last.ended)
        same = np.arange(len(plan.finals), dtype=np.int64)[:, None]
        return cls(np.ones_like(same, np.bool_), same, np.zeros_like(same))


def valued(game: Game, rules: Rules, deck: SmallDeck = FULL, progress: Progress | None = None) -> BoardPlay:
    """The best play under these rules; of the full deck its figures are kept, a few thousand numbers."""
    board = board_of(game)
    if board is None:
        raise NotCountedError(f"The main wagers of {game.name} do not compare two hands on a common board.")
    counts = count(board, deck, progress)
    plan = plan_of(game, rules, counts)
    if deck != FULL:
        return played(game, rules, counts, plan, progress=progress)
    steps = [[part.tolist() for part in (step.legal, step.follows, step.ended)] for step in plan.steps]
    key = fingerprint((_key(board), board.seen, steps, plan.unit, plan.nets.tolist()), PLAYING_CODE)
    fresh: list[BoardPlay] = []

    def make() -> tuple[Arrays, Mapping[str, int]]:
        fresh.append(played(game, rules, counts, plan, progress=progress))
        made = {f"made_{place}": each for place, each in enumerate(fresh[0].made)}
        return {"joint": fresh[0].joint, "opening": fresh[0].opening, **made}, {"ties": fresh[0].ties}

    arrays, figures = kept(f"played-{game.name}", key, make)
    made = tuple(arrays[f"made_{place}"] for place in range(len(plan.steps)))
    found = BoardPlay(game, rules, plan, figures["ties"], counts, made, arrays["joint"], arrays["opening"], key)
    if fresh:
        found.__dict__["streets"] = fresh[0].streets
    return found


def played(
    game: Game,
    rules: Rules,
    counts: BoardCounts,
    plan: ChoicePlan,
    picks: Sequence[Picked] = (),
    progress: Progress | None = None,
) -> BoardPlay:
    """The best play, or, with the choices of every street, that strategy."""
    last = _Last.of(plan, counts.board.cards)
    early = [step for step in plan.steps if step.seen - PAIR < counts.board.cards]
    forced = np.ascontiguousarray(picks[-1]) if picks and len(early) < len(plan.steps) else _NOTHING_KEPT
    values, size = weigh_whole(counts, plan, forced, progress), counts.board.cards - 1
    streets: list[BoardStreet] = []
    for place in reversed(range(len(early))):
        choosing = early[place]
        while size > choosing.seen - PAIR:
            values, size = _down(counts, size, values), size - 1
        street, values = _decide(counts, plan, choosing, values, picks[place] if picks else None)
        streets.insert(0, street)
    reach = np.ones((1, 1, counts.pairs), np.uint8)
    ties, made, seen = 0, [], 0
    for place, street in enumerate(streets):
        reach, seen = raised(counts, seen, street.size, reach), street.size
        streets[place] = replace(street, reach=reach)
        taken, tied, reach = followed(counts, streets[place])
        made.append(taken)
        ties += tied
    reach = raised(counts, seen, counts.board.cards - 1, reach)
    at_last, joint, tied = _tally(counts, last, linear(counts, plan), forced, reach, progress)
    if len(early) < len(plan.steps):
        streets.append(BoardStreet(plan.steps[-1], counts, plan, _NOT_WORTH_KEEPING, forced, reach))
        made.append(at_last * counts.dealt)
        ties += tied
    alike = counts.board.orders
    shares = tuple(each // alike for each in made)
    found = BoardPlay(game, rules, plan, ties, counts, shares, joint // alike, streets[0].worth[0, :, 0])
    found.__dict__["streets"] = tuple(streets)
    return found


def _on(counts: BoardCounts, last: _Last, lines: Ints, forced: Picked, part: slice) -> tuple[Any, ...]:
    """What the kernels want to know of some whole boards."""
    whole, chosen = counts.levels[-1], forced if not len(forced) else forced[:, part]
    boards = counts.deck.size, whole.boards[part], whole.classes.weights[part], counts.entries[part]
    rules = counts.reaches, lines, last.legal, last.follows, last.ended * counts.dealt
    return *boards, *rules, whole.lacking[part], whole.turned[part], counts.renamed, chosen


def weigh_whole(
    counts: BoardCounts, plan: ChoicePlan, forced: Picked, progress: Progress | None, counted: Ints = _NOT_COUNTED
) -> Ints:
    """What the histories before the decision at the whole board are worth with a card less, or how often they end."""
    size, last, lines = counts.board.cards - 1, _Last.of(plan, counts.board.cards), linear(counts, plan)
    shape = len(counts.levels[size].boards), len(last.legal), counts.pairs
    sums = [np.zeros(shape, np.int64) for _ in range(WORKERS)]
    weigh_boards: Callable[..., None] = kernels.weigh_boards

    def work(worker: int, part: slice) -> None:
        weigh_boards(*_on(counts, last, lines, forced, part), counted, sums[worker])

    _share(len(counts.entries), work, "weighing boards", progress)
    total = sums.pop()
    while sums:
        total += sums.pop()
    values = np.ascontiguousarray(np.moveaxis(total, 1, 0))
    del total
    _even(counts, size, values)
    return values


def _tally(
    counts: BoardCounts, last: _Last, lines: Ints, forced: Picked, reach: Picked, progress: Progress | None
) -> tuple[Ints, Ints, int]:
    """States by history and choice at the whole board, deals by end and both hands, and states with a tie."""
    shape = lines.shape[1] + last.legal.size, len(counts.kinds), len(counts.kinds), len(Versus)
    made, joint = (np.zeros((WORKERS, *each), np.int64) for each in (last.legal.shape, shape))
    ties = [0] * WORKERS
    tally_boards: Callable[..., int] = kernels.tally_boards

    def work(worker: int, part: slice) -> None:
        ties[worker] += tally_boards(*_on(counts, last, lines, forced, part), reach, made[worker], joint[worker])

    _share(len(counts.entries), work, "playing every deal", progress)
    return made.sum(axis=0), joint.sum(axis=0), sum(ties)


def whole_sums(counts: BoardCounts, plan: ChoicePlan, reach: Picked, lying: Ints, kinds: int) -> Ints:
    """By choice and group: what is won with the whole board after smaller boards were seen so; see ``group_boards``."""
    last, lines, ranks = _Last.of(plan, counts.board.cards), linear(counts, plan), np.array(counts.deck.ranks, np.int64)
    sums = np.zeros((WORKERS, last.legal.shape[1], kinds * len(counts.kinds) * len(RANKS) ** PAIR + 1), np.int64)
    group_boards: Callable[..., None] = kernels.group_boards

    def work(worker: int, part: slice) -> None:
        *known, _ = _on(counts, last, lines, _NOTHING_KEPT, part)
        group_boards(*known, reach, ranks, lying[part], sums[worker])

    _share(len(counts.entries), work, "looking for rules", None)
    return np.asarray(sums.sum(axis=0))


def every_deal(counts: BoardCounts, progress: Progress | None = None) -> Ints:
    """Ordered deals by both hands' kinds and how they compare, when nobody folds; kept for the full deck."""
    one = np.zeros((1, 1), np.int64)
    size = counts.board.cards - 1
    orders = np.full((1, len(counts.levels[size].boards), counts.pairs), factorial(size), np.uint8)
    lines = np.zeros((len(counts.kinds), 1, 4), np.int64)

    def make() -> tuple[Arrays, Mapping[str, int]]:
        last = _Last(np.ones((1, 1), np.bool_), one, one)
        return {"joint": _tally(counts, last, lines, _NOTHING_KEPT, orders, progress)[1][0]}, {}

    if counts.deck != FULL:
        return make()[0]["joint"]
    return kept("versus-board", fingerprint(_key(counts.board), COUNTING_CODE), make)[0]["joint"]


def both_hands(game: Game, sides: Sides, deck: SmallDeck = FULL) -> tuple[dict[Code, int], int]:
    """Deals by how two hands on a board compare and what each is called; and how many deals there are."""
    board = board_of(game)
    assert board is not None, "two hands that share cards are on a board"
    counts = count(board, deck)
    orders = factorial(board.cards)
    return _named(counts, every_deal(counts) // orders, sides), counts.pairs * counts.ways(0) // orders


def _named(counts: BoardCounts, joint: Ints, sides: Sides) -> Counter[Code]:
    """The kinds of both hands by name, the player's first."""
    of_facet = {facet: name for name, facet in counts.board.labels}
    if not {sides.mine.facet, sides.theirs.facet} <= of_facet.keys():
        raise NotCountedError("Hands on a board are counted by the names that the main wagers read.")
    mine, theirs = of_facet[sides.mine.facet], of_facet[sides.theirs.facet]
    found: Counter[Code] = Counter()
    for one, other, versus in np.argwhere(joint):
        code = tuple(Versus)[versus], counts.kinds[one][mine], counts.kinds[other][theirs]
        found[code] += int(joint[one, other, versus])
    return found


def raised(counts: BoardCounts, size: int, to: int, reach: Picked) -> Picked:
    """In how many orders larger boards are seen."""
    for less in range(size, to):
        level = counts.levels[less + 1]
        out = np.zeros((len(reach), len(level.boards), counts.pairs), np.uint8)
        kernels.up(reach, level.lacking, level.turned, counts.renamed, out)
        reach = out
    return reach


def _labelled(counts: BoardCounts, size: int, facet: Facet, gone: Ints) -> Counter[tuple[int, str]]:
    """States of some cards of the board by name; ``gone`` has the ordered deals in which the seat has folded.

    A state stands for as many as its board; where a name depends on the suit itself, for each renaming alike.
    """
    level, free = counts.levels[size], counts.free(size)
    rows, pairs = np.nonzero(free)
    both = np.array([(low, high) for high in range(counts.deck.size) for low in range(high)], np.uint8)
    hands = np.concatenate([both[pairs], level.boards[rows]], axis=1)
    names, codes = labels_of(facet, counts.deck, np.sort(hands, axis=1))
    weights = level.classes.weights[rows]
    whole = weights * (counts.ways(size) * factorial(size))
    ended = weights * gone[rows, pairs]
    found: Counter[tuple[int, str]] = Counter()
    for code, name in enumerate(names):
        told = codes == code
        found[1, name] += (folded := int(ended[told].sum()))
        found[0, name] += int(whole[told].sum()) - folded
    apart: Counter[tuple[int, str]] = Counter()
    for row in np.flatnonzero(codes < 0):
        for suits in NAMES:
            places = (hands[row] & ~np.uint8(3)) | suits[hands[row] & 3]
            name = facet.label(counts.deck.hand(np.sort(places)))
            apart[1, name] += int(ended[row])
            apart[0, name] += int(whole[row] - ended[row])
    found.update({key: n // len(NAMES) for key, n in apart.items()})
    return found


def _even(counts: BoardCounts, size: int, values: Ints) -> None:
    kernels.even_out(values, counts.levels[size].masks, NAMES, counts.renamed)


def _down(counts: BoardCounts, size: int, values: Ints) -> Ints:
    """The sum over every card that may come next, for the boards with a card less."""
    level = counts.levels[size]
    out = np.zeros((len(values), len(counts.levels[size - 1].boards), counts.pairs), np.int64)
    kernels.down(values, level.classes.weights, level.lacking, level.turned, counts.renamed, out)
    _even(counts, size - 1, out)
    return out


def _decide(
    counts: BoardCounts, plan: ChoicePlan, choosing: Choosing, after: Ints, picked: Picked | None
) -> tuple[BoardStreet, Ints]:
    """The best choice of every state, or the one given, and what the histories before it are worth then."""
    size = choosing.seen - PAIR
    free, ways = counts.free(size), counts.ways(size)
    histories, choices = choosing.legal.shape
    values = np.zeros((histories, *free.shape), np.int64)
    chosen = np.zeros(values.shape, np.uint8) if picked is None else picked
    keep = size <= MOST_CARDS
    worth = np.zeros((histories, choices, *free.shape) if keep else (0, 0, 0, 0), np.int64)
    for history in range(histories):
        first = True
        for choice in np.flatnonzero(choosing.legal[history]).tolist():
            follows = choosing.follows[history, choice]
            each = after[follows] if follows != ENDED else np.where(free, choosing.ended[history, choice] * ways, 0)
            if keep:
                worth[history, choice] = each
            better = chosen[history] == choice if picked is not None else (each > values[history]) | first
            np.copyto(values[history], each, where=better)
            if picked is None:
                chosen[history][better] = choice
            first = False
    return BoardStreet(choosing, counts, plan, worth, chosen, _NOTHING_KEPT), values


def followed(counts: BoardCounts, street: BoardStreet) -> tuple[Ints, int, Picked]:
    """Deals by history and choice, states with a tie, and how often each history after the choice comes about."""
    choosing, level = street.choosing, street.level
    weights = level.classes.weights[:, None] * np.ones(counts.pairs, np.int64)
    made = np.zeros(choosing.legal.shape, np.int64)
    after = np.zeros((int(choosing.follows.max()) + 1, *street.reach.shape[1:]), np.uint8)
    free, ties = counts.free(street.size), 0
    for history, choice in np.argwhere(choosing.legal):
        taken = np.where((street.picked[history] == choice) & free, street.reach[history], 0)
        made[history, choice] = int((taken * weights).sum()) * counts.ways(street.size)
        if choosing.follows[history, choice] != ENDED:
            after[choosing.follows[history, choice]] = taken
    for history in range(len(street.worth)):
        legal = street.worth[history][choosing.legal[history]]
        tied = (legal == legal.max(axis=0)).sum(axis=0) > 1
        ties += int((np.where(tied & free, street.reach[history], 0) * weights).sum())
    return made, ties, after


def state_worth(counts: BoardCounts, plan: ChoicePlan, own: Sequence[int], board: Sequence[int]) -> Ints:
    """By history and choice at the decision on this board: sums over all ways to go on, best play after it.

    Boards with these cards are ranked afresh, so nothing of a whole solution is needed.
    """
    deck, cards = counts.deck, counts.board.cards
    missing = cards - len(board)
    rest = np.array([place for place in range(deck.size) if place not in (*own, *board)])
    orders = np.array(list(permutations(rest.tolist(), missing)), np.int64).reshape(perm(len(rest), missing), missing)
    fixed = np.broadcast_to(np.array(sorted(board), np.int64), (len(orders), len(board)))
    boards = np.sort(np.concatenate([fixed, orders], axis=1), axis=1).astype(np.uint8)
    sets, number = np.unique(boards, axis=0, return_inverse=True)
    worth = finals_worth(counts, plan, own, np.ascontiguousarray(sets))
    values = worth[:, number.reshape(-1)].reshape(len(plan.finals), *(len(rest) - at for at in range(missing)))
    for choosing in reversed(plan.steps):
        size = choosing.seen - PAIR
        if size < len(board):
            break
        while values.ndim - 1 > size - len(board):
            values = values.sum(axis=-1)
        ways = counts.ways(size)
        each = np.where(
            (choosing.follows == ENDED).reshape(*choosing.follows.shape, *[1] * (values.ndim - 1)),
            (choosing.ended * ways).reshape(*choosing.follows.shape, *[1] * (values.ndim - 1)),
            values[choosing.follows],
        )
        each[~choosing.legal] = np.iinfo(np.int64).min
        if size == len(board):
            return each
        values = each.max(axis=1)
    raise NotCountedError(f"Nobody is asked when {len(board)} cards of the board lie.")


def finals_worth(counts: BoardCounts, plan: ChoicePlan, own: Sequence[int], boards: Places) -> Ints:
    """By final history and whole board: what it is worth with two cards, summed over the dealer's holdings."""
    entries = np.zeros((len(boards), counts.pairs), np.uint32)
    rank_holdings(counts, boards, entries)
    worth = np.zeros((len(plan.finals), len(boards)), np.int64)
    kernels.list_worth(counts.deck.size, boards, entries, counts.reaches, linear(counts, plan), pair_of(own), worth)
    return worth
