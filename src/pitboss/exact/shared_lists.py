"""A list for players who show each other their cards, where their hands are paid by a pay table alone.

Deals are sampled and played twice, by the list and by best play without the knowledge: what a list looks at are arrays
with a row for each deal. What the second is worth is exact, so only the difference is sampled, and it is zero wherever
both choose alike. The last card is not drawn; all cards that the player has not seen are tried in its place.
"""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import sqrt
from typing import Final

import numpy as np
import numpy.typing as npt
from numba import njit

from pitboss.cards import RANKS
from pitboss.exact import solo
from pitboss.exact.board_counts import board_of
from pitboss.exact.cache import fingerprint, kept_figures
from pitboss.exact.decks import BINOMIAL, FULL, SUITS, Ints, Places, subsets_of
from pitboss.exact.duel import Progress
from pitboss.exact.facets import LABELLING_CODE, NotCountedError, labels_of
from pitboss.exact.plan import ENDED
from pitboss.exact.value import WORKERS
from pitboss.findings import UnreadableError
from pitboss.games.contract import Game
from pitboss.games.rules import Rules
from pitboss.games.structure import Glimpse, Maxim

SAMPLE: Final = 2_000_000
SEED: Final = 1
_AT_ONCE: Final = 50_000
_STRAIGHT: Final = 5
_APART: Final = 99
LISTING_CODE = (*solo.SOLO_CODE, *LABELLING_CODE, "exact/shared_lists.py")
Maxims = Mapping[str, tuple[Maxim, ...]]


@dataclass(frozen=True)
class SampledPlay:
    """What a list is worth over a sample, in units of the main wager."""

    expected_value: Fraction
    error: float
    """The standard error."""
    deals: int


def played_shared(
    game: Game,
    rules: Rules,
    steps: Maxims,
    seats: int,
    sample: int = SAMPLE,
    seed: int = SEED,
    progress: Progress | None = None,
) -> SampledPlay:
    """Play a sample by the list; every seat of so many knows all their cards.

    Raise ``NotCountedError`` for a game with a dealer's hand, or whose pays look at a single suit.
    """
    if seats < 2 or seats > rules.seats:
        raise UnreadableError(f"Cards are shared by 2 to {rules.seats} seats of {game.name}, not by {seats}.")
    if game.duel is not None or game.whole is not None or board_of(game) is not None:
        raise NotCountedError(f"A list for shared cards is not priced in {game.name}.")
    counts = solo.count(solo.solo_of(game))
    plan = solo.plan_of(game, rules, counts)
    if plan is None:
        raise NotCountedError(f"A list for shared cards is not priced in {game.name}, where a pay looks at one suit.")
    normal, whole = solo.valued(game, rules), -(-sample // _AT_ONCE)

    def make() -> dict[str, list[str]]:
        table, total, squares = SampledDeals(normal, steps, seats), 0, 0
        with ThreadPoolExecutor(WORKERS) as pool:
            for done, each in enumerate(pool.map(lambda part: table.played(seed, part, sample), range(whole))):
                total, squares = total + each[0], squares + each[1]
                if progress is not None:
                    progress("playing by the list", (done + 1) / whole)
        return {"sums": [str(total), str(squares)]}

    names = [(choosing.names, choosing.follows.tolist(), choosing.ended.tolist()) for choosing in plan.steps]
    asked = (counts.solo.key, names, plan.nets.tolist(), plan.unit, seats, sample, seed)
    key = fingerprint((asked, _words(steps)), (*LISTING_CODE, _file_of(game)))
    total, squares = map(int, kept_figures(f"learned-{game.name}", key, make)["sums"])
    unit, mean = _last_cards(normal, seats) * plan.unit, Fraction(total, sample)
    error = sqrt((Fraction(squares, sample) - mean * mean) / (sample - 1)) / unit
    return SampledPlay(normal.result.expected_value + mean / unit, error, sample)


def _file_of(game: Game) -> str:
    """The module of a game: what a list looks at is code."""
    return type(game).__module__.partition(".")[2].replace(".", "/") + ".py"


def _words(steps: Maxims) -> list[tuple[str, str, str]]:
    return [(step, each.words, each.choice) for step, maxims in steps.items() for each in maxims]


def _last_cards(normal: solo.Play, seats: int) -> int:
    """How many cards may come last."""
    structure = normal.counts.solo
    if normal.plan.steps[-1].seen != structure.facet.cards - 1:
        raise NotCountedError("The last card of the table is not turned up alone.")
    return FULL.size - (seats - 1) * structure.own - structure.facet.cards + 1


class SampledDeals:
    """Deals of one game as arrays, played by a list and by best play without the knowledge."""

    def __init__(self, normal: solo.Play, steps: Maxims, seats: int) -> None:
        self.normal, self.steps, self.streets = normal, steps, normal.streets
        structure = normal.counts.solo
        self.own, self.others = structure.own, (seats - 1) * structure.own
        self.last = _last_cards(normal, seats)
        hands = subsets_of(FULL.size, structure.facet.cards)
        names, codes = labels_of(structure.facet, FULL, hands)
        kind = {label: at for at, labels in enumerate(normal.counts.kinds) for label in labels}
        self.kind_of = np.array([kind[name] for name in names], np.int16)[codes]
        for row in np.flatnonzero(codes < 0):
            self.kind_of[row] = kind[structure.facet.label(FULL.hand(hands[row]))]
        normal.counts.levels  # noqa: B018 - counted once, before there are threads

    def played(self, seed: int, part: int, sample: int) -> tuple[int, int]:
        """One part of the sample: the sums of what the list wins more, over all last cards, and of its squares."""
        cards = dealt_out((seed, part), min(_AT_ONCE, sample - part * _AT_ONCE), FULL.size - self.last)
        more = self._won(cards, listed=True) - self._won(cards, listed=False)
        return int(more.sum()), int((more * more).sum())

    def _won(self, cards: Places, *, listed: bool) -> Ints:
        """What each deal wins, summed over all last cards."""
        won, history = np.zeros((2, len(cards)), np.int64)
        alive = np.arange(len(cards))
        hands = np.concatenate([cards[:, : self.own], cards[:, self.own + self.others :]], axis=1)
        for street in self.streets:
            hand, now = hands[alive, : street.choosing.seen], history[alive]
            picked = (
                self._listed(street, glimpsed(hand, cards[alive, self.own : self.own + self.others]))
                if listed
                else street.picked[self.normal.counts.rows(hand), now]
            )
            after = street.follows[now, picked]
            over = after == ENDED
            won[alive[over]] = street.choosing.ended[now[over], picked[over]] * self.last
            history[alive] = after
            alive = alive[~over]
        out = np.zeros(len(alive), np.int64)
        nets = self.normal.plan.nets
        _try_last(FULL.size, cards[alive], hands[alive], self.kind_of, nets, history[alive], BINOMIAL, out)
        won[alive] = out
        return won

    def _listed(self, street: solo.Street, seen: Glimpse) -> Ints:
        """The choice of each deal: that of the first sentence that fits."""
        picked = np.full(len(seen.suited), -1, np.int64)
        for each in self.steps[street.step]:
            picked[(picked < 0) & each.fits(seen)] = street.names.index(each.choice)
        assert (picked >= 0).all(), "the last sentence of a list fits every hand"
        return picked


def dealt_out(seed: Sequence[int], many: int, cards: int) -> Places:
    """The first cards of shuffled decks, a row for each."""
    random = np.random.default_rng(seed)
    swaps = np.stack([random.integers(at, FULL.size, many) for at in range(cards)], axis=1).astype(np.uint8)
    _swapped(FULL.size, swaps)
    return swaps


@njit(cache=True, nogil=True)
def _swapped(n: int, swaps: Places) -> None:
    """Shuffle a deck by each row of places to swap with, and leave its first cards there."""
    deck = np.empty(n, np.uint8)
    for row in range(len(swaps)):
        for card in range(n):
            deck[card] = card
        for at in range(swaps.shape[1]):
            other = swaps[row, at]
            deck[at], deck[other] = deck[other], deck[at]
            swaps[row, at] = deck[at]


@cache
def _completing() -> tuple[npt.NDArray[np.bool_], Ints]:
    """By the ranks held, as bits: the ranks that complete a straight, and how many they are."""
    runs = [1 << len(RANKS) - 1 | 0b1111, *(0b11111 << low for low in range(len(RANKS) - _STRAIGHT + 1))]
    held = np.arange(1 << len(RANKS))
    found = np.zeros((len(held), len(RANKS)), np.bool_)
    for rank in range(len(RANKS)):
        more = held | 1 << rank
        found[:, rank] = (held != more) & np.any([more & run == run for run in runs], axis=0)
    return found, found.sum(axis=1)


def glimpsed(hands: Places, others: Places) -> Glimpse:
    """What is seen of some deals: the player's own cards with those turned up, and the cards of other seats."""
    held, gone = np.zeros((2, len(hands), len(RANKS)), np.int8)
    suits = np.zeros((len(hands), SUITS), np.int8)
    rows = np.arange(len(hands))
    for column in hands.T:
        held[rows, column >> 2] += 1
        suits[rows, column & 3] += 1
    for column in others.T:
        gone[rows, column >> 2] += 1
        suits[rows, column & 3] += 1
    bits = (held > 0) @ (1 << np.arange(len(RANKS)))
    left = (SUITS - held - gone).astype(np.int8)
    suit = hands[:, 0] & 3
    suited = (hands & 3 == suit[:, None]).all(axis=1)
    completes, many = _completing()
    ranks = np.sort(hands >> 2, axis=1).astype(np.int64)
    apart = np.diff(ranks, axis=1)
    return Glimpse(
        held=held,
        left=left,
        suited=suited,
        flush=np.where(suited, len(RANKS) - suits[rows, suit], 0),
        straight=(completes[bits] * left).sum(axis=1),
        ranks_short=many[bits],
        span=np.where((apart == 0).any(axis=1), _APART, apart.max(axis=1)),
    )


@njit(cache=True, nogil=True)
def _try_last(
    n: int,
    seen: Places,
    hands: Places,
    kind_of: npt.NDArray[np.int16],
    nets: Ints,
    history: Ints,
    binomial: Ints,
    out: Ints,
) -> None:
    """What each hand wins, summed over all last cards that nobody has seen."""
    size = hands.shape[1]
    cards, free = np.empty(size, np.int64), np.empty(n, np.bool_)
    for row in range(len(hands)):
        free[:] = True
        for card in seen[row]:
            free[card] = False
        for at in range(size):
            card = np.int64(hands[row, at])
            place = at
            while place > 0 and cards[place - 1] > card:
                cards[place] = cards[place - 1]
                place -= 1
            cards[place] = card
        below, above = np.int64(0), np.int64(0)
        for at in range(size):
            above += binomial[cards[at], at + 2]
        place = 0
        total = np.int64(0)
        for card in range(n):
            if place < size and cards[place] == card:
                above -= binomial[card, place + 2]
                below += binomial[card, place + 1]
                place += 1
            elif free[card]:
                total += nets[history[row], kind_of[below + binomial[card, place + 1] + above]]
        out[row] = total
