"""Exchanging cards against a hidden hand, the discards dead: the whole game, exactly.

The work is ordered by the player's *final* hand and the up card. One sum over the dealer's hidden cards serves every
hand that could have kept a part of the final cards and thrown away given others (``redraw_kernels.py``). The totals
know the pays of a final hand only as four numbers: against a dealer who does not qualify, a better, a level and a
worse hand. Up cards of different rank are independent of each other: the unit of progress and of parallel work.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, partial
from hashlib import sha256
from importlib.resources import as_file, files
from itertools import permutations
from math import comb, lcm
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from pitboss.exact import redraw_kernels as kernels
from pitboss.exact.cache import fingerprint, keep, load
from pitboss.exact.decks import BINOMIAL, Ints, Places, SmallDeck, subsets_of
from pitboss.exact.draw import (
    DUEL,
    FIVE,
    GAME,
    DrawCounts,
    DrawPays,
    DrawSolved,
    facts_of,
    fold_bet_buy,
    options_after_draw,
    pays,
)  # fmt: skip
from pitboss.exact.draw_kernels import AWAY, FREE, Codes
from pitboss.exact.duel import SUITS, Progress, hand_scores
from pitboss.exact.value import Result
from pitboss.games.rules import Rules

SHIPPED, KEPT = "exchanges.npz", "exchanges"
"""The exchanges of the law's own pays, solved once."""
CODE = ("exact/decks.py", "exact/exchange_kernels.py", "exact/redraw.py", "exact/redraw_kernels.py")
HIDDEN = DUEL.dealer_cards - 1
AFTER = GAME.course.decides[1].names
"""What is chosen with the cards drawn: to play on, or not to."""
PARTS = 64
Tell = Callable[[float], None]
Ends = Mapping[int, npt.NDArray[np.object_]]
"""By number of discards: facts of the final hand by how it ends."""
ENDS = 5
"""How a round with an exchange ends: fold; bet against a dealer who does not qualify, who is better, level, worse."""


@dataclass(frozen=True)
class Facing:
    """One up card: cards are places of the deck without it, hands one of each class of suits."""

    n: int
    up: int
    """Its place in the whole deck; the other cards of its rank have the places from here on."""
    ranks: kernels.Ranks
    """The rank of the dealer's hand with every four other cards."""
    least: int
    """The lowest rank with which the dealer qualifies."""
    hands: Places
    weights: Ints
    own: Codes
    facts: Codes
    gains: Ints
    """What a bet with a final hand gains over a fold, by its fact and by what the dealer has."""
    names: Places
    """The renamings of suits that leave the up card as it is."""

    @cached_property
    def values(self) -> Ints:
        """The gains of each hand."""
        return np.ascontiguousarray(self.gains[self.facts])

    def final(self, part: slice) -> tuple[kernels.Ranks, int, Places, Ints, Codes, Ints]:
        """The dealer, and some of the hands as final ones."""
        return self.ranks, self.least, self.hands[part], self.weights[part], self.own[part], self.values[part]


class Engine(Protocol):
    """Carries out both passes over one up card: on the processor, or on a graphics card."""

    def best(self, facing: Facing, stay: Ints, factors: Mapping[int, int]) -> tuple[Places, Ints]: ...

    def tally(self, facing: Facing, picked: Places, counts: list[int], then: Places) -> dict[int, Ints]: ...


class Compiled:
    """The passes on the processor; ``tell`` hears what share of one up card's final hands is done."""

    def __init__(self, workers: int = 2, tell: Tell = lambda _share: None) -> None:
        self.workers, self.tell = workers, tell

    def _over(self, facing: Facing, work: Callable[[int, slice], None], done: int, of: int) -> None:
        """Final hands in small parts, every worker taking its own; ``done`` of so many passes lie behind."""
        size = len(facing.hands)
        cuts = [size * place // PARTS for place in range(PARTS + 1)]
        finished = 0

        def take(worker: int) -> None:
            nonlocal finished
            for place in range(worker, PARTS, self.workers):
                work(worker, slice(cuts[place], cuts[place + 1]))
                finished += 1
                self.tell((done + finished / PARTS) / of)

        with ThreadPoolExecutor(self.workers) as pool:
            list(pool.map(take, range(self.workers)))

    def totals(self, facing: Facing, passes: int = 1) -> dict[int, Ints]:
        """By number of discards: the gains of all final hands, by the cards kept and those given up."""
        shapes = [(comb(facing.n, FIVE - count), comb(facing.n, count)) for count in range(2, FIVE + 1)]
        totals = [[np.zeros(shape, np.int64) for shape in shapes] for _ in range(self.workers)]

        def spread(worker: int, part: slice) -> None:
            two, three, four, five = totals[worker]
            kernels.spread(facing.n, *facing.final(part), BINOMIAL, two, three, four, five)

        self._over(facing, spread, 0, passes)
        for other in totals[1:]:
            for total, more in zip(totals[0], other, strict=True):
                total += more
        return dict(enumerate(totals[0], start=2))

    def best(self, facing: Facing, stay: Ints, factors: Mapping[int, int]) -> tuple[Places, Ints]:
        """For each hand the best discards as a mask, 0 where staying is as good, and what they are worth."""
        picked, best = np.zeros(len(facing.hands), np.uint8), stay.copy()
        totals = self.totals(facing, 1 + len(factors))
        for count, factor in factors.items():
            kernels.choose(facing.hands, facing.names, count, totals[count], factor, BINOMIAL, picked, best)
        return picked, best

    def tally(self, facing: Facing, picked: Places, counts: list[int], then: Places) -> dict[int, Ints]:
        """By number of discards: how the rounds of every final hand end, times six; ``then`` says when it bets."""
        found = {}
        for done, count in enumerate(counts, start=1):
            chosen = np.zeros((comb(facing.n, FIVE - count), comb(facing.n, count)), np.uint8)
            kernels.mark(facing.hands, facing.weights, facing.names, count, picked, BINOMIAL, chosen)
            ends = found[count] = np.zeros((len(facing.hands), ENDS), np.int64)

            discards = subsets_of(facing.n, count)[chosen.any(axis=0)]

            def tally(
                _: int, part: slice, chosen: Places = chosen, given: Places = discards, ends: Ints = ends
            ) -> None:
                kernels.tally(facing.n, *facing.final(part), then[part], facing.up, chosen, given, BINOMIAL, ends[part])

            self._over(facing, tally, done, 1 + len(counts))
        return found


def renamings(n: int, up: int) -> Places:
    """Every order of the three suits that the up card does not have, as the new place of each place."""
    rows = []
    for order in permutations(range(1, SUITS)):
        suits = (0, *order)
        row = []
        for place in range(n + 1):
            if place != up:
                new = place - place % SUITS + suits[place % SUITS]
                row.append(new - (new > up))
        rows.append(row)
    return np.array(rows, np.uint8)


@dataclass(frozen=True)
class Exchanges:
    """The best discards of every state, and how the rounds that exchange end."""

    picked: Places
    """By rank of the up card and five-card class: the discards as a mask of the hand; 0 where staying is as good."""
    ends: Ends
    """Six times what one suit of the up card has."""


@dataclass(frozen=True)
class UpCard:
    """What is asked about one up card: all that another machine has to know of it."""

    facing: Facing
    stay: Ints
    factors: Mapping[int, int]

    def answer(self, engine: Engine) -> tuple[Places, Ends]:
        """The best discards of every hand, and how their rounds end by fact of the final hand."""
        picked, _ = engine.best(self.facing, self.stay, self.factors)
        return picked, self.ends(engine, picked, np.full(len(picked), kernels.AS_IS_BEST, np.uint8))

    def ends(self, engine: Engine, picked: Places, then: Places) -> Ends:
        """How rounds end, given discards, and when to bet."""
        made = {int(mask).bit_count() for mask in np.unique(picked)}
        ends = {count: np.zeros((len(self.facing.gains), ENDS), object) for count in self.factors}
        for count, found in engine.tally(self.facing, picked, sorted(made - {0}), then).items():
            for fact in range(len(self.facing.gains)):
                here = found[self.facing.facts == fact]
                high, low = (here >> 32).sum(axis=0), (here & 0xFFFFFFFF).sum(axis=0)
                ends[count][fact] = [(int(h) << 32) + int(lo) for h, lo in zip(high, low, strict=True)]
        return ends


def on_processor(asked: UpCard, tell: Tell) -> tuple[Places, Ends]:
    """One up card answered by one worker among others."""
    return asked.answer(Compiled(1, tell))


class Elsewhere(Protocol):
    """Answers for many up cards, by place and in any order; ``tell`` hears of the share of each."""

    def __call__(
        self, work: Callable[[UpCard, Tell], Any], jobs: Iterable[UpCard], tell: Callable[[int, float], None]
    ) -> Iterator[tuple[int, Any]]: ...


class ExchangeQuestion:
    """What exchanges of a game are asked: the pays of final hands, and what a hand is worth without an exchange."""

    def __init__(self, solved: DrawSolved) -> None:
        counts, deck = solved.counts, solved.counts.deck
        self.solved = solved
        self.pay = paid_after(solved.rules, counts)
        unit = solved.scale // (counts.five_dealer_hands * counts.draws)
        assert self.pay.unit == unit, "the pays after a draw have the denominators of those before it"
        fold = self.pay.nets[:, self.pay.names.index(AFTER[1])]
        self.gains: Ints = np.ascontiguousarray(gains_of(self.pay))
        self.common, self.factors = scales(solved.rules, deck)
        first = pays(solved.rules, counts.five_codes, DUEL.options)
        self.may = first.legal[:, first.names.index(AFTER[1])][counts.five_facts]
        whole = len(self.turns) * counts.five_dealer_hands * self.common
        stay = solved.totals * (len(self.turns) * self.common // counts.draws) - int(fold[0, 0]) * whole
        self.stay: Ints = np.where(self.may[None, :], stay, np.iinfo(np.int64).max)
        self._scores = hand_scores(DUEL.order, deck, DUEL.dealer_cards)
        self._levels = np.unique(self._scores)
        best = facts_of(deck.cards[counts.five_hands])[0]
        self._own = np.searchsorted(self._levels, best).astype(np.int32)

    @property
    def turns(self) -> Places:
        """The renamings of suits, of which there are as many whatever the up card."""
        return renamings(self.solved.counts.deck.size - 1, 0)

    @property
    def ups(self) -> range:
        return range(len(self.solved.counts.deck.ranks))

    def name(self, up: int) -> str:
        """The name under which the answer for one up card is kept."""
        return fingerprint((self.key, up), CODE)

    @cached_property
    def key(self) -> str:
        """A name for everything that the answer depends on."""
        totals = np.where(self.may[None, :], self.solved.totals, 0)
        values = np.ascontiguousarray(self.gains[self.solved.counts.five_facts])
        return sha256(values.tobytes() + totals.tobytes()).hexdigest()[:24]

    def about(self, up: int) -> tuple[UpCard, npt.NDArray[np.intp]]:
        """The up card of one rank, and the rows of the classes of hands that do not hold it."""
        counts = self.solved.counts
        n, place = counts.deck.size - 1, SUITS * up
        rows = np.flatnonzero(~(counts.five_hands == place).any(axis=1))
        hands = counts.five_hands[rows]
        others = subsets_of(n, HIDDEN)
        others = others + (others >= place).astype(np.uint8)
        dealt = np.sort(np.hstack([others, np.full((len(others), 1), place, np.uint8)]), axis=1)
        index = sum(BINOMIAL[dealt[:, k], k + 1] for k in range(HIDDEN + 1))
        assert DUEL.qualifies is not None
        facing = Facing(
            n,
            place,
            np.searchsorted(self._levels, self._scores[index]).astype(np.uint16),
            int(np.searchsorted(self._levels, DUEL.qualifies)),
            hands - (hands > place).astype(np.uint8),
            counts.five_weights[rows],
            self._own[rows],
            counts.five_facts[rows],
            self.gains,
            renamings(n, place),
        )
        return UpCard(facing, self.stay[up][rows], self.factors), rows

    def ends(self, up: int, engine: Engine, picked: Places, then: Places) -> Ends:
        """How rounds with an up card of one rank end, by fact of the final hand: given discards, and when to bet."""
        asked, rows = self.about(up)
        return asked.ends(engine, picked[rows], then[rows])

    def keep(self, up: int, found: tuple[Places, Ends]) -> None:
        """Put away what was found about one up card."""
        picked = np.zeros(len(self.may), np.uint8)
        picked[~(self.solved.counts.five_hands == SUITS * up).any(axis=1)] = found[0]
        ends = {str(count): each.astype(str).tolist() for count, each in found[1].items()}
        keep(KEPT, self.name(up), {"picked": picked}, ends)


def paid_after(rules: Rules, counts: DrawCounts) -> DrawPays:
    return pays(rules, counts.five_codes, options_after_draw)


def gains_of(pay: DrawPays) -> Ints:
    """What a bet after a draw gains over a fold, by fact of the final hand and by what the dealer has."""
    bet, fold = (pay.nets[:, pay.names.index(name)] for name in AFTER)
    assert (fold == fold[0, 0]).all(), "a fold after a draw loses the same with every hand"
    low = bet[~pay.qualifies]
    assert (low[:, :1] == low[:, :3]).all(), "an unqualified dealer pays a lower hand as he pays a higher one"
    return np.asarray(bet[:, 2:] - fold[0, 0])


def scales(rules: Rules, deck: SmallDeck) -> tuple[int, dict[int, int]]:
    """A number that the ways to draw any number of cards divide, and how often each goes into it."""
    left = deck.size - FIVE - DUEL.dealer_cards
    given = [option.draws for option in GAME.course.decides[0].options(rules, None) if option.draws]
    counts = [count for draws in given if draws.discards for count in range(draws.least, draws.most + 1)]
    common = lcm(left, *(comb(left, count) for count in counts))
    return common, {count: common // comb(left, count) for count in counts}


def solve_exchanges(
    asked: ExchangeQuestion,
    engine: Engine | None = None,
    progress: Progress | None = None,
    elsewhere: Elsewhere | None = None,
) -> Exchanges:
    """Solve every up card, or take up where an earlier run was stopped: each is kept as soon as it is found."""
    missing = [up for up in asked.ups if load(KEPT, asked.name(up)) is None]
    shares = [float(up not in missing) for up in asked.ups]

    def tell(place: int, share: float) -> None:
        shares[missing[place]] = share
        if progress is not None:
            progress(f"up cards: {shares.count(1.0)} of {len(shares)}", sum(shares) / len(shares))

    def here() -> Iterator[tuple[int, tuple[Places, Ends]]]:
        for place, up in enumerate(missing):
            tell(place, 0.0)
            yield place, asked.about(up)[0].answer(engine or Compiled(tell=partial(tell, place)))

    jobs = (asked.about(up)[0] for up in missing)
    for place, found in elsewhere(on_processor, jobs, tell) if elsewhere and missing else here():
        asked.keep(missing[place], found)
        tell(place, 1.0)
    every = kept_exchanges(asked)
    if every is None:
        raise OSError("The answers could not be kept: the cache folder is full or cannot be written.")
    return every


def kept_exchanges(asked: ExchangeQuestion) -> Exchanges | None:
    """The answer of earlier runs, if they came to the end."""
    parts = [load(KEPT, asked.name(up)) for up in asked.ups]
    if any(part is None for part in parts):
        return None
    found = [part for part in parts if part is not None]
    ends = {count: np.sum([_whole(figures[str(count)]) for _, figures in found], axis=0) for count in asked.factors}
    return Exchanges(np.stack([arrays["picked"] for arrays, _ in found]), ends)


def _whole(rows: Iterable[Iterable[str]]) -> npt.NDArray[np.object_]:
    """Numbers that may be larger than a machine word, from their digits."""
    return np.array([[int(text) for text in row] for row in rows], object)


def shipped() -> tuple[tuple[str, ...], Exchanges]:
    """The exchanges that come with the package, and the names of the questions that they answer."""
    with as_file(files("pitboss").joinpath("exact", SHIPPED)) as path, np.load(path) as kept_here:
        return tuple(kept_here["keys"].tolist()), Exchanges(kept_here["picked"], _ends(kept_here, "ends"))


def ends_of(key: str) -> Ends:
    """How the rounds of a list to learn end, which does not depend on pays: it comes with the package too."""
    with as_file(files("pitboss").joinpath("exact", SHIPPED)) as path, np.load(path) as kept_here:
        return _ends(kept_here, f"{key}-")


def worth_of(key: str, label: str) -> Mapping[str, Fraction]:
    """By label of the first cards: what best play of hands with a choice adds to the mean; shipped for some pays."""
    with as_file(files("pitboss").joinpath("exact", SHIPPED)) as path, np.load(path) as kept_here:
        name = f"{key}-{label}"
        return {name: Fraction(worth) for name, worth in kept_here[name]} if name in kept_here else {}


def _ends(arrays: Mapping[str, npt.NDArray[np.str_]], head: str) -> dict[int, npt.NDArray[np.object_]]:
    counts = [int(name.removeprefix(head)) for name in arrays if name.startswith(head)]
    return {count: _whole(arrays[f"{head}{count}"]) for count in counts}


def whole_game(
    rules: Rules,
    counts: DrawCounts,
    found: Exchanges,
    forced: Places | None = None,
    forced_six: Places | None = None,
) -> Result:
    """The main wagers with these exchanges; a player who doesn't exchange takes the best of the other choices.

    Unless the choices are ``forced``: those of five cards, and those with a card that was bought.
    """
    given = np.where(found.picked, AWAY, FREE).astype(np.uint8) if forced is None else forced
    solved = fold_bet_buy(rules, counts=counts, forced=given, forced_six=forced_six)
    pay = paid_after(rules, counts)
    common, factors = scales(rules, counts.deck)
    turns = len(renamings(counts.deck.size - 1, 0))
    each = turns * common // counts.draws
    spread = {net: count * each for net, count in solved.result.distribution.items()}
    deals = solved.result.deals * each
    choices, average = dict(solved.result.choices), solved.result.average_total_wager
    bet, fold = map(pay.names.index, AFTER)
    for count, factor in factors.items():
        made = 0
        for fact, end in np.argwhere(found.ends[count]):
            times = SUITS * factor * int(found.ends[count][fact, end])
            choice, cell = (bet, end + 1) if end else (fold, 0)
            net = Fraction(int(pay.nets[fact, choice, cell]), pay.unit)
            spread[net] = spread.get(net, 0) + times
            average += Fraction(times, deals) * pay.wagered[choice]
            made += times
        choices[f"exchange {count}"] = Fraction(made, deals)
    return replace(
        solved.result,
        deals=deals,
        distribution=dict(sorted(spread.items())),
        choices=choices,
        average_total_wager=average,
    )
