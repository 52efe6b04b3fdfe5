"""What is counted of hands on a common board, whatever the pay tables: the holdings of every board in order.

The dealer's two cards are compared with the player's on the same board, so on each board all two-card *holdings* are
sorted once; how many of the dealer's holdings are below, level with and above the player's, and avoid the player's two
cards, follows from counts card by card.
"""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import combinations, combinations_with_replacement, pairwise
from math import comb, factorial, perm, prod
from typing import Any

import numpy as np
import numpy.typing as npt

from pitboss.cards import RANKS, Card, Hand
from pitboss.exact import board_kernels as kernels
from pitboss.exact.board_classes import (
    NAMES,
    PAIR,
    BoardLevel,
    board_keys,
    board_levels,
    every_pair,
    named_suits,
    pair_of,
    renamed_pairs,
    renaming,
)
from pitboss.exact.cache import Arrays, fingerprint, kept, kept_figures
from pitboss.exact.decks import FULL, SUITS, Ints, Places, SmallDeck
from pitboss.exact.duel import Progress
from pitboss.exact.facets import NotCountedError
from pitboss.exact.plan import dealt, lying
from pitboss.exact.value import WORKERS
from pitboss.games.contract import Game
from pitboss.games.facts import AtLeast, Chosen, Compare, Label
from pitboss.hands import batch
from pitboss.hands.facets import Facet
from pitboss.hands.orders import RankOrder
from pitboss.records import once

_CHUNK = 512
COUNTING_CODE = (
    "cards.py",
    "hands/orders.py",
    "hands/batch.py",
    "hands/labels.py",
    "exact/decks.py",
    "exact/board_classes.py",
    "exact/board_counts.py",
    "exact/board_kernels.py",
)
QUALIFIES = "qualifies"
"""Beside the names of a kind: whether a dealer who holds it plays."""


@dataclass(frozen=True)
class CommonBoard:
    """The information structure: hands of two own cards and a common board, and how much of it is seen when."""

    place: str
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

    @property
    def facets(self) -> list[Facet]:
        """How whole hands are named, each way once."""
        return sorted({facet for _, facet in self.labels}, key=lambda facet: facet.label.__name__)

    @property
    def key(self) -> str:
        """What the counts depend on: no pay table, no choice, and not when the board is turned up."""
        order = (self.order.name, self.order.size, self.order.categories)
        named = [facet.label.__name__ for facet in self.facets]
        return fingerprint((order, self.cards, named, self.qualifies and self.qualifies[1]), COUNTING_CODE)


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
    names = tuple((n, fact.facet) for n, fact in labels.items())
    return CommonBoard(place, compare.order, turned, tuple(seen), name, names, qualifies)


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


@lru_cache(maxsize=2)
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
class BoardCounts:
    """What is counted once, whatever the pay tables: the holdings of every board."""

    board: CommonBoard
    deck: SmallDeck
    kinds: tuple[Mapping[str, Any], ...]
    """From the lowest: the player's names, and whether a dealer with such a hand qualifies."""
    find: Callable[[], Arrays]
    """What finds the arrays below, where they are asked for: figures of a solved game need none of them."""
    known: tuple[int, ...] = ()
    """Cards of the dealer that are known from the start, in the first suits."""

    @once
    def arrays(self) -> Arrays:
        return self.find()

    @property
    def of_rung(self) -> Ints:
        """The kind of each rung; ``mixed`` and ``flush`` say how the rung of a hand is found, see ``Rungs``."""
        return self.arrays["of_rung"]

    @property
    def mixed(self) -> kernels.Rungs:
        return self.arrays["mixed"]

    @property
    def flush(self) -> kernels.Rungs:
        return self.arrays["flush"]

    @property
    def entries(self) -> kernels.Entries:
        """By class of whole boards and by pair; none where cards of the dealer are known."""
        return self.arrays["entries"]

    @property
    def levels(self) -> tuple[BoardLevel, ...]:
        """Boards by how many cards lie."""
        return board_levels(self.deck, self.board.cards, self.known)

    @property
    def names(self) -> npt.NDArray[np.intp]:
        """The renamings of suits, as indices of ``NAMES``, that leave known cards as they are."""
        fixed = named_suits(self.known)
        return np.flatnonzero((NAMES[:, :fixed] == np.arange(fixed)).all(axis=1))

    @property
    def renamed(self) -> npt.NDArray[np.uint16]:
        """Every pair under every renaming of suits."""
        return renamed_pairs(self.deck)

    @property
    def pairs(self) -> int:
        return comb(self.deck.size, PAIR)

    @property
    def dealt(self) -> int:
        """The dealer's holdings when the player's cards and the board are known."""
        return comb(self.deck.size - self.board.cards - PAIR - len(self.known), PAIR - len(self.known))

    @property
    def reaches(self) -> npt.NDArray[np.bool_]:
        return np.array([kind[QUALIFIES] for kind in self.kinds])

    def ways(self, size: int) -> int:
        """Ordered ways to go on from a holding and a board of some size, the dealer's cards included."""
        return perm(self.deck.size - PAIR - len(self.known) - size, self.board.cards - size) * self.dealt

    @property
    def most_ways(self) -> int:
        """The most ways that values are summed over: next cards and renamings of suits, before the sums are evened."""
        sizes = range(self.board.cards)
        return max(len(NAMES) * (self.deck.size - size) * self.ways(size + 1) for size in sizes)

    @property
    def deals(self) -> int:
        return self.pairs * self.ways(0) // self.board.orders

    def where(self, own: Sequence[int], boards: Places) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.uint16]]:
        """The class of each board, and what a pair is called with it."""
        level, fixed = self.levels[boards.shape[1]], named_suits(self.known)
        names = self.renamed[renaming(boards, fixed), pair_of(own)]
        return np.searchsorted(level.keys, board_keys(boards, fixed)), names

    def free(self, size: int) -> npt.NDArray[np.bool_]:
        """By class and pair: whether the pair avoids the board and known cards."""
        taking = np.zeros((self.deck.size, self.pairs), np.bool_)
        taking[every_pair(self.deck), np.arange(self.pairs)[:, None]] = True
        found = np.tile(~taking[list(self.known)].any(axis=0), (len(self.levels[size].boards), 1))
        for column in self.levels[size].boards.T:
            found &= ~taking[column]
        return found


def count(board: CommonBoard, deck: SmallDeck = FULL, progress: Progress | None = None) -> BoardCounts:
    """The holdings of every board: from memory, from the cache on disk, or counted now and kept."""
    if deck != FULL:
        return count_afresh(board, deck, progress)
    key = board.key
    figures = kept_figures("board-kinds", key, lambda: _ladder(board)[1])
    return _counts(board, deck, partial(_holdings, board, key, progress), figures)


def _holdings(board: CommonBoard, key: str, progress: Progress | None) -> Arrays:
    if key not in _COUNTED:
        _COUNTED.clear()
        _COUNTED[key] = kept("board", key, lambda: _count(board, FULL, progress))[0]
    return _COUNTED[key]


def count_afresh(board: CommonBoard, deck: SmallDeck = FULL, progress: Progress | None = None) -> BoardCounts:
    """The same, counted now and not kept."""
    arrays, figures = _count(board, deck, progress)
    return _counts(board, deck, lambda: arrays, figures)


_COUNTED: dict[str, Arrays] = {}


def _counts(board: CommonBoard, deck: SmallDeck, find: Callable[[], Arrays], figures: Mapping[str, Any]) -> BoardCounts:
    of_facet = {facet: at for at, facet in enumerate(board.facets)}
    kinds = tuple(
        {name: names[of_facet[facet]] for name, facet in board.labels} | {QUALIFIES: bool(reaches)}
        for *names, reaches in figures["kinds"]
    )
    return BoardCounts(board, deck, kinds, find)


def unranked(board: CommonBoard, deck: SmallDeck = FULL) -> BoardCounts:
    """How hands are found, without the holdings of any board: for a player who knows cards of the dealer."""
    arrays, figures = _ladder(board)
    return _counts(board, deck, lambda: {**arrays, "entries": np.zeros((0, 0), np.uint32)}, figures)


def _ladder(board: CommonBoard) -> tuple[Arrays, Mapping[str, Any]]:
    """The rungs of whole hands, and the kind of each."""
    rungs = rungs_of(board.order, board.cards)
    named = [facet.label for facet in board.facets]
    kinds: list[list[Any]] = []
    of_rung = np.zeros(len(rungs.scores), np.int64)
    for rung, (score, hand) in enumerate(zip(rungs.scores.tolist(), rungs.examples, strict=True)):
        kind = [*(label(hand) for label in named), board.qualifies is None or score >= board.qualifies[1]]
        if not kinds or kinds[-1] != kind:
            kinds.append(kind)
        of_rung[rung] = len(kinds) - 1
    return {"of_rung": of_rung, "mixed": rungs.mixed, "flush": rungs.flush}, {"kinds": kinds}


def _count(board: CommonBoard, deck: SmallDeck, progress: Progress | None) -> tuple[Arrays, Mapping[str, Any]]:
    whole = board_levels(deck, board.cards)[-1]
    entries = np.zeros((len(whole.boards), comb(deck.size, PAIR)), np.uint32)
    ladder, figures = _ladder(board)
    arrays: Arrays = {**ladder, "entries": entries}
    counts = _counts(board, deck, lambda: arrays, figures)

    def work(_: int, part: slice) -> None:
        rank_holdings(counts, whole.boards[part], entries[part])

    share(len(entries), work, "ranking holdings", progress)
    return arrays, figures


def rank_holdings(counts: BoardCounts, boards: Places, entries: kernels.Entries) -> None:
    """What is known of each holding on some boards."""
    count_boards: Callable[..., None] = kernels.count_boards
    count_boards(counts.deck.size, boards, *looking_up(counts), entries)


def looking_up(counts: BoardCounts) -> tuple[Any, ...]:
    """What the kernels want to know to find the kind of a whole hand."""
    ranks, suited = np.array(counts.deck.ranks, np.int64), counts.board.order.size - PAIR
    return ranks, _multiset_weights(counts.board.cards), counts.mixed, counts.flush, suited, counts.of_rung


def share(rows: int, work: Callable[[int, slice], object], what: str, progress: Progress | None) -> None:
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
