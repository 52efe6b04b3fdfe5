"""Five-card hands ranked by our orders and by other people's evaluators: the same hands, in one run.

Every evaluator gets its cards in its own form before the clock starts, and its look-up tables are already built.
Ours ranks an array in one call, the others one hand in a call; so the packages appear both by their documented
function and by the fastest one inside, and ours also with Python tuples, where making the array is timed too.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from importlib.metadata import version
from itertools import starmap
from math import comb
from multiprocessing import get_context
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt

from pitboss.cards import Card, Hand, show_card, show_cards
from pitboss.hands import FIVE_CARD, FOUR_CARD, LUNAR, THREE_CARD, batch

HANDS = 200_000
SUBSET = 20_000
SEED = 2019
REPEATS = 5
BATCH_CALLS = 20

Rows = list[tuple[str, ...]]


@dataclass(frozen=True)
class Ranking:
    """How an evaluator takes one hand and ranks them all; ``sign`` is -1 where a lower number is the better hand."""

    convert: Callable[[Hand], Any]
    rank_all: Callable[[list[Any]], Any]
    sign: int = 1


@dataclass(frozen=True)
class Contestant:
    """One way to rank hands, and how many it is given: the slow ones a subset."""

    name: str
    load: Callable[[], Ranking]
    hands: int = HANDS
    package: str = ""

    def title(self) -> str:
        return f"{self.package} {version(self.package)} {self.name}" if self.package else self.name


def _from_tuples() -> Ranking:
    return Ranking(tuple, partial(batch.evaluate, FIVE_CARD))


def _scalar() -> Ranking:
    return Ranking(tuple, lambda hands: list(map(FIVE_CARD.score, hands)))


def _phevaluator(module: str) -> Ranking:
    # Its card numbers are ours: four times the rank, then clubs, diamonds, hearts, spades.
    evaluate = import_module(module).evaluate_5cards
    return Ranking(tuple, lambda hands: list(starmap(evaluate, hands)), -1)


def _treys(method: str) -> Ranking:
    treys = import_module("treys")
    evaluate = getattr(treys.Evaluator(), method)
    before: tuple[list[int], ...] = ([],) if method == "evaluate" else ()
    return Ranking(
        lambda hand: (*before, [treys.Card.new(show_card(card)) for card in hand]),
        lambda hands: list(starmap(evaluate, hands)),
        -1,
    )


def _pokerkit(by_hand: bool) -> Ranking:
    pokerkit = import_module("pokerkit")
    make, look_up = pokerkit.StandardHighHand, pokerkit.StandardLookup().get_entry
    return Ranking(
        lambda hand: tuple(pokerkit.Card.parse(show_cards(hand))),
        (lambda hands: [make(cards).entry.index for cards in hands])
        if by_hand
        else (lambda hands: [look_up(cards).index for cards in hands]),
    )


CONTESTANTS = (
    Contestant("pitboss batch, from tuples", _from_tuples),
    Contestant("pitboss scalar", _scalar, SUBSET),
    Contestant("evaluate_5cards", partial(_phevaluator, "phevaluator"), package="phevaluator"),
    Contestant("native, private", partial(_phevaluator, "phevaluator._pheval"), package="phevaluator"),
    Contestant("evaluate", partial(_treys, "evaluate"), package="treys"),
    Contestant("_five, private", partial(_treys, "_five"), package="treys"),
    Contestant("StandardHighHand", partial(_pokerkit, True), SUBSET, package="pokerkit"),
    Contestant("StandardLookup", partial(_pokerkit, False), SUBSET, package="pokerkit"),
)

TABLES: tuple[tuple[str, int, Callable[[], batch.Scores]], ...] = (
    ("three-card hands", 3, partial(batch.scores, THREE_CARD)),
    ("four-card hands", 4, partial(batch.scores, FOUR_CARD)),
    ("five-card hands", 5, partial(batch.scores, FIVE_CARD)),
    ("five-card hands, Lunar Poker", 5, partial(batch.scores, LUNAR)),
    ("best four of five", 5, partial(batch.best_scores, FOUR_CARD, 5)),
    ("best four of six", 6, partial(batch.best_scores, FOUR_CARD, 6)),
    ("best five of six", 6, partial(batch.best_scores, FIVE_CARD, 6)),
)


def run() -> Iterator[tuple[str, Rows]]:
    """Each table of results: a title, then rows of which the first is the heading."""
    yield f"Tables of all hands, each built in a new process, median of {REPEATS}", list(_build_rows())
    yield f"The same {HANDS:,} five-card hands (seed {SEED}), median of {REPEATS}", list(_speed_rows())


def deal(count: int) -> batch.Cards:
    rng = np.random.default_rng(SEED)
    deck = np.arange(52, dtype=np.uint8)
    return np.ascontiguousarray(rng.permuted(np.tile(deck, (count, 1)), axis=1)[:, :5])


def build_seconds(place: int) -> float:
    """Build one of ``TABLES``; called in a new process, since a second build finds warm memory and rank tables."""
    return _seconds(TABLES[place][2])


def _build_rows() -> Iterator[tuple[str, ...]]:
    yield "table", "hands", "seconds"
    with get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
        for place, (name, size, _) in enumerate(TABLES):
            seconds = median(pool.map(build_seconds, [place] * REPEATS, chunksize=1))
            yield name, f"{comb(52, size):,}", f"{seconds:.2f}"


def _speed_rows() -> Iterator[tuple[str, ...]]:
    yield "evaluator", "hands", "hands/s", "batch ÷ this", "order"
    dealt = deal(HANDS)
    ours = batch.evaluate(FIVE_CARD, dealt)
    hands = [tuple(map(Card, row)) for row in dealt.tolist()]
    all_batch: list[float] = []
    rows: Rows = []
    for contestant in CONTESTANTS:
        try:
            ranking = contestant.load()
        except ImportError:
            rows.append((f"{contestant.package} {contestant.name}", "", "not installed", "", ""))
            continue
        converted = [ranking.convert(hand) for hand in hands[: contestant.hands]]
        title = contestant.title()
        if not _same_order(ours[: contestant.hands], ranking.sign * np.array(ranking.rank_all(converted), np.int64)):
            raise SystemExit(f"{title} ranks these hands in another order, so speeds cannot be compared")
        batch_speeds, speeds = _paired_speeds(dealt, ranking, converted)
        all_batch += batch_speeds
        ratio = median(one / other for one, other in zip(batch_speeds, speeds, strict=True))
        given = f"{contestant.hands:,}" + (" (subset)" if contestant.hands < HANDS else "")
        rows.append((title, given, f"{median(speeds):,.0f}", f"{ratio:,.1f}", "same"))
    yield "pitboss batch, from an array", f"{HANDS:,}", f"{median(all_batch):,.0f}", "1.0", ""
    yield from rows


def _paired_speeds(dealt: batch.Cards, ranking: Ranking, converted: list[Any]) -> tuple[list[float], list[float]]:
    """Batch and contestant in turn, so that a busy machine slows both; a batch call is too short to time alone."""
    ours, theirs = [], []
    for _ in range(REPEATS):
        calls = _seconds(lambda: [batch.evaluate(FIVE_CARD, dealt) for _ in range(BATCH_CALLS)])
        ours.append(BATCH_CALLS * len(dealt) / calls)
        theirs.append(len(converted) / _seconds(partial(ranking.rank_all, converted)))
    return ours, theirs


def _same_order(ours: npt.NDArray[Any], theirs: npt.NDArray[Any]) -> bool:
    """Every two hands compare alike, ties included: the places among the distinct ranks are equal."""
    one, other = (np.unique(ranks, return_inverse=True)[1] for ranks in (ours, theirs))
    return bool(np.array_equal(one, other))


def _seconds(work: Callable[[], object]) -> float:
    start = perf_counter()
    work()
    return perf_counter() - start
