"""What players at one table gain who show each other their cards before they choose.

The cards of other seats leave the deck. What the best choice is then worth over the choice of basic strategy, on the
same deal, is a *strategy gain*: it is never negative and varies little, so the mean of a sample has a small error,
while the value of basic strategy is exact. Each deal of the sample is valued against everything that can still come,
not played out. Where one other seat holds three cards against a dealer's three, all deals are counted instead.

Where nothing else is said a first sample says how many deals the error asks for, and in which classes of own cards; the
figure is that of a second sample, whose size the first one fixed.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from math import comb, perm, sqrt
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from pitboss.exact import seats_kernels as kernels
from pitboss.exact import solo
from pitboss.exact.board import valued as board_valued
from pitboss.exact.board_classes import PAIR
from pitboss.exact.board_counts import CommonBoard, board_of
from pitboss.exact.cache import COUNTING_CODE, fingerprint, kept_figures
from pitboss.exact.decks import (
    BINOMIAL,
    FULL,
    SUITS,
    Classes,
    Ints,
    Places,
    SmallDeck,
    subsets_of,
    suit_classes,
    suit_masks,
)
from pitboss.exact.duel import NO_UP, Progress, hand_scores
from pitboss.exact.engine import solved_duel, structure_key
from pitboss.exact.facets import LABELLING_CODE, NotCountedError, labels_of
from pitboss.exact.plan import planned
from pitboss.exact.seats_board import BOARD_CODE, BoardGains
from pitboss.exact.seats_stages import stages_of
from pitboss.exact.value import WORKERS, pay_grid, value
from pitboss.findings import UnreadableError
from pitboss.games.contract import Game
from pitboss.games.rules import Rules
from pitboss.games.structure import Duel
from pitboss.hands import batch
from pitboss.hands.facets import Facet

ERROR: Final = 1e-4
"""The standard error that a sample is made large enough for: 0.01 points."""
SEED: Final = 1
_MARGIN: Final = 1.3
"""The sample is larger than the first one says by so much, because that one has an error too."""
_FIRST: Final = 4_000
"""Deals of the first sample."""
_OTHER: Final = 1
"""Part of its seed: not zero, which numpy takes for no part at all, so that both samples would begin alike."""
_EACH: Final = 10
"""Deals of each class of own cards, at least: gains that are rare in a class must be met in its sample."""
_EVEN: Final = 1.0
"""The part of the mean deviation that is added to that of each class, because the first sample misses rare gains."""
_AT_ONCE: Final = 500
"""Deals between two reports of progress, for each thread."""
_SMALL: Final = 3
_TURNED: Final = (2, 3)
SEATS_CODE = (
    *COUNTING_CODE, *LABELLING_CODE, "exact/value.py", "exact/plan.py", "exact/solo.py", "exact/seats_kernels.py",
    "exact/seats_stages.py", "exact/seats.py",
)  # fmt: skip


@dataclass(frozen=True)
class SharedCards:
    """The best play of a seat that knows the cards of other seats, in units of the main wager."""

    seats: int
    """Seats whose cards are known, the player's own among them."""
    basic: Fraction
    """What best play without the knowledge is worth."""
    gain: Fraction
    """What the knowledge adds: exact, or the mean of the sample."""
    error: float | None
    """The standard error of the sample; None where all deals are counted."""
    deals: int
    """Deals counted or sampled."""

    @property
    def expected_value(self) -> Fraction:
        return self.basic + self.gain

    def as_dict(self) -> dict[str, Any]:
        return {
            "seats": self.seats,
            "expected_value": float(self.expected_value),
            "exactly": str(self.expected_value) if self.error is None else None,
            "gain": float(self.gain),
            "standard_error": self.error,
            "deals": self.deals,
        }


def shared_cards(
    game: Game,
    rules: Rules,
    seats: int,
    sample: int | None = None,
    seed: int = SEED,
    deck: SmallDeck = FULL,
    progress: Progress | None = None,
) -> SharedCards:
    """Count or sample the main wagers of a seat that sees the cards of so many seats, its own included.

    Without a size the sample is as large as ``ERROR`` asks for. Where players may draw cards these do not.
    """
    if seats < 2 or seats > rules.seats:
        raise UnreadableError(f"Cards are shared by 2 to {rules.seats} seats of {game.name}, not by {seats}.")
    if sample is not None and not sample >= 2:
        raise UnreadableError("A sample has 2 or more deals.")
    if game.duel is not None:
        return _facing(game, rules, game.duel, seats, sample, seed, deck, progress)
    if not game.main_posts or not game.course.weighed:
        raise NotCountedError(f"Other seats' cards are not counted in {game.name}.")
    if (board := board_of(game)) is not None:
        return _sharing(game, rules, board, seats, sample, seed, deck, progress)
    return _turning(game, rules, seats, sample, seed, deck, progress)


def _facing(
    game: Game,
    rules: Rules,
    duel: Duel,
    seats: int,
    sample: int | None,
    seed: int,
    deck: SmallDeck,
    progress: Progress | None,
) -> SharedCards:
    counted = solved_duel(game.name, duel, deck, progress)
    played = value(game, rules, counted, duel)
    grid, (_, picked) = pay_grid(game, rules, counted, duel), played.find()
    facts, basic = grid.fact_of_kind[counted.kinds].astype(np.int32), picked.astype(np.int32)
    levels = np.unique(hand_scores(duel.order, deck, duel.order.size))
    mine, theirs = (hand_scores(duel.order, deck, size) for size in (duel.player_cards, duel.dealer_cards))
    own = np.searchsorted(levels, mine).astype(np.int32)
    ranks = np.searchsorted(levels, theirs).astype(np.int16)
    assert len(levels) <= np.iinfo(np.int16).max, "ranks fit"
    least = 0 if duel.qualifies is None else int(np.searchsorted(levels, duel.qualifies))
    own_of = own[batch.subset_index(counted.hands)]
    normal = played.result.expected_value
    others = (seats - 1) * duel.player_cards
    if others == duel.player_cards == duel.dealer_cards == _SMALL and not duel.up_card:
        total = 0
        weights = counted.weights.tolist()
        for row, weight in enumerate(weights):
            each = kernels.gain_beside_one(
                deck.size, counted.hands[row], own_of[row], least, ranks, grid.nets[facts[row]],
                grid.legal[facts[row]], basic[row], BINOMIAL,
            )  # fmt: skip
            total += weight * int(each)
            if progress is not None and row % _AT_ONCE == 0:
                progress("counting other seats' cards", row / len(weights))
        deals = comb(deck.size, 3) * comb(deck.size - 3, 3) * comb(deck.size - 6, 3)
        return SharedCards(seats, normal, Fraction(total, deals * grid.unit), None, deals)
    up, fixed = int(duel.up_card), _fixed(duel)
    keys = _state_keys(counted.hands, counted.ups, fixed)
    order = np.argsort(keys)
    known = duel.player_cards + others + up
    left = deck.size - known
    ways = comb(left, duel.dealer_cards - up)
    if left < duel.dealer_cards - up:
        raise NotCountedError(f"{seats} seats of {game.name} leave the dealer no hand.")

    def gains(deals: Places) -> Ints:
        hands = np.sort(deals[:, : duel.player_cards], axis=1)
        ups = deals[:, -1] if up else np.full(len(deals), NO_UP, np.uint8)
        rows = order[np.searchsorted(keys[order], _state_keys(hands, ups, fixed))]
        out = np.zeros(len(deals), np.int64)
        kernels.gains_facing(
            deck.size, deals, duel.up_card, duel.dealer_cards, ranks, own[batch.subset_index(hands)], least,
            facts[rows], basic[rows], grid.nets, grid.legal, BINOMIAL, out,
        )  # fmt: skip
        return out

    asked = (structure_key(duel), grid.nets.tolist(), grid.legal.tolist(), grid.fact_of_kind.tolist())
    deals, total, squares = _sampled(game, asked, deck, known, sample, seed, ways * grid.unit, gains, progress)
    mean = Fraction(total, deals)
    error = sqrt((Fraction(squares, deals) - mean * mean) / (deals - 1)) / (ways * grid.unit)
    return SharedCards(seats, normal, mean / (ways * grid.unit), error, deals)


def _fixed(duel: Duel) -> int:
    """How many suits keep their names in a class of states."""
    return int(duel.up_card) if duel.suit_blind else SUITS


def _state_keys(hands: Places, ups: Places, fixed: int) -> Ints:
    """One number for each state of a duel, the same for hands that differ by the names of suits only."""
    masks = suit_masks(hands)
    shown = ups != NO_UP
    if shown.all():
        # The up card's suit becomes the first.
        rows, suit = np.arange(len(masks)), ups & 3
        first = masks[:, 0].copy()
        masks[:, 0], masks[rows, suit] = masks[rows, suit], first
    masks[:, fixed:].sort(axis=1)
    keys = masks @ (1 << 13 * np.arange(SUITS, dtype=np.int64))
    return np.asarray(keys * 16 + np.where(shown, ups >> 2, 0))


def _turning(
    game: Game, rules: Rules, seats: int, sample: int | None, seed: int, deck: SmallDeck, progress: Progress | None
) -> SharedCards:
    structure = solo.solo_of(game)
    names, of_hand = _named(structure.facet, deck)
    ends = [({structure.fact: name},) for name in names]
    hand = deck.hand(range(structure.facet.cards))
    plan = planned(game, rules, hand, structure.own, structure.seen, ends)
    assert plan is not None, "with all suits told apart every pay is known"
    turned = structure.facet.cards - structure.own
    if turned not in _TURNED:
        raise NotCountedError(f"Other seats' cards are not counted in {game.name}: {turned} cards are turned up.")
    pays, pay_of, times = _multiples(plan.nets)
    stages = stages_of(plan, [structure.own + many for many in reversed(range(turned))], plan.nets)
    normal = solo.valued(game, rules, deck).result.expected_value

    def gains(own: Places, others: Places) -> tuple[Ints, int]:
        out = np.zeros(len(others), np.int64)
        value: Callable[..., Any] = kernels.gains_turning
        usual = value(
            deck.size, own, others, turned, pays, pay_of, times, of_hand, stages.mode, stages.which, stages.columns,
            stages.legal, stages.follows, stages.ended, stages.best_of, stages.usual_of, BINOMIAL, out,
        )  # fmt: skip
        return out, usual

    left = deck.size - structure.own
    many = (seats - 1) * structure.own
    units = perm(left - many, turned) * plan.unit, perm(left, turned) * plan.unit
    asked = (structure.key, plan.nets.tolist(), [part.tolist() for part in (stages.mode, stages.which, stages.ended)])
    by_class = _Classes(
        game, suit_classes(deck, structure.own), many, units, gains, (asked, seats), SEATS_CODE, _EACH * _EACH
    )
    return by_class.sampled(seats, normal, sample, seed, deck, progress)


def _multiples(nets: Ints) -> tuple[Ints, Ints, Ints]:
    """Rows as multiples of a few: those, which of them each row is, and how many times."""
    found: list[list[int]] = []
    which, times = np.zeros(len(nets), np.int64), np.zeros(len(nets), np.int64)
    for at, row in enumerate(nets):
        times[at] = np.gcd.reduce(row) or 1
        base = (row // times[at]).tolist()
        if base not in found:
            found.append(base)
        which[at] = found.index(base)
    return np.array(found, np.int64), which, times


def _sharing(
    game: Game,
    rules: Rules,
    board: CommonBoard,
    seats: int,
    sample: int | None,
    seed: int,
    deck: SmallDeck,
    progress: Progress | None,
) -> SharedCards:
    known = seats * PAIR
    if deck.size - known < board.cards + PAIR:
        raise NotCountedError(f"{seats} seats of {game.name} leave no board and no dealer's hand.")
    valuing = BoardGains.of(game, rules, board, deck)
    normal = board_valued(game, rules, deck).result.expected_value
    units = valuing.ways(known), valuing.ways(PAIR)
    asked = (board.key, board.seen, valuing.asked, seats)
    classes = suit_classes(deck, PAIR)
    by_class = _Classes(game, classes, known - PAIR, units, valuing.of_class, asked, (*SEATS_CODE, *BOARD_CODE))
    return by_class.sampled(seats, normal, sample, seed, deck, progress)


@dataclass(frozen=True)
class _Classes:
    """A game whose gains are valued for one class of own cards at a time: sampled in each class by itself."""

    game: Game
    classes: Classes
    many: int
    """Cards of others."""
    units: tuple[int, int]
    """What a gain is summed over, and what the play of a seat is that knows no others."""
    gains: Callable[[Places, Places], tuple[Ints, int]]
    asked: object
    code: tuple[str, ...]
    least: int = _EACH

    def sampled(
        self, seats: int, normal: Fraction, sample: int | None, seed: int, deck: SmallDeck, progress: Progress | None
    ) -> SharedCards:
        def make() -> dict[str, list[list[str]]]:
            return {"classes": self._found(normal, sample, seed, deck.size, progress)}

        key = fingerprint((self.asked, sample, seed), self.code)
        figures = make() if deck != FULL else kept_figures(f"seats-{self.game.name}", key, make)
        strata = [tuple(map(int, each)) for each in figures["classes"]]
        every, unit = sum(weight for weight, *_ in strata), self.units[0]
        mean = sum((Fraction(weight * total, every * deals) for weight, deals, total, _ in strata), Fraction(0))
        spread = sum(
            (Fraction(weight, every) ** 2 * (Fraction(squares, deals) - Fraction(total, deals) ** 2) / (deals - 1)
             for weight, deals, total, squares in strata),
            Fraction(0),
        )  # fmt: skip
        return SharedCards(seats, normal, mean / unit, sqrt(spread) / unit, sum(deals for _, deals, _, _ in strata))

    def _found(
        self, normal: Fraction, sample: int | None, seed: int, size: int, progress: Progress | None
    ) -> list[list[str]]:
        """By class: its weight, deals, and the sums of their gains and of the squares."""
        weights = self.classes.weights.tolist()
        every = sum(weights)

        def sums(at: int, deals: int, *which: int) -> tuple[list[int], float, int]:
            own = self.classes.hands[at]
            left = np.setdiff1d(np.arange(size, dtype=np.uint8), own)
            shuffled = np.random.default_rng((seed, at, *which)).random((deals, len(left))).argsort(axis=1)
            out, usual = self.gains(own, left[shuffled[:, : self.many]])
            gains = out.tolist()
            found = [weights[at], deals, sum(gains), sum(gain * gain for gain in gains)]
            return found, float(out.std(ddof=1)) / self.units[0], usual

        def each(deals: list[int], said: str, *which: int) -> Iterator[tuple[list[int], float, int]]:
            with ThreadPoolExecutor(WORKERS) as pool:
                tried = pool.map(lambda at: sums(at, deals[at], *which), range(len(weights)))
                for done, found in enumerate(tried):
                    yield found
                    if progress is not None:
                        progress(said, (done + 1) / len(weights))

        least, many = (self.least, _FIRST) if sample is None else (2, min(sample, _FIRST))
        first = [max(least, round(many * weight / every)) for weight in weights]
        deviations = []
        usual = 0
        for (weight, *_), deviation, worth in each(first, "sampling how cards of others vary", _OTHER):
            deviations.append(deviation)
            usual += weight * worth
        assert Fraction(usual, every * self.units[1]) == normal, "a seat that knows no others plays as it always does"
        shares = [weight / every for weight in weights]
        mean = sum(share * deviation for share, deviation in zip(shares, deviations, strict=True))
        parts = [share * (deviation + _EVEN * mean) for share, deviation in zip(shares, deviations, strict=True)]
        whole = sum(parts)
        wanted = _MARGIN * (mean * whole) / ERROR**2 if sample is None else sample
        deals = [max(least, round(wanted * part / whole)) if whole else least for part in parts]
        return [[*map(str, found)] for found, _, _ in each(deals, "sampling other seats' cards")]


def _named(facet: Facet, deck: SmallDeck) -> tuple[list[str], npt.NDArray[np.int32]]:
    """The names that hands can have, and that of every hand by number; a suit that a name looks at is looked at."""
    hands = subsets_of(deck.size, facet.cards)
    found, codes = labels_of(facet, deck, hands)
    names, of_hand = list(found), codes.astype(np.int32)
    for row in np.flatnonzero(codes < 0):
        name = facet.label(deck.hand(hands[row]))
        if name not in names:
            names.append(name)
        of_hand[row] = names.index(name)
    return names, of_hand


def _sampled(
    game: Game,
    asked: object,
    deck: SmallDeck,
    known: int,
    sample: int | None,
    seed: int,
    unit: int,
    gains: Callable[[Places], Ints],
    progress: Progress | None,
) -> tuple[int, int, int]:
    """Deals, and the sums of the gains and of their squares; kept for the full deck."""

    def sums(deals: int, *which: int) -> tuple[int, int]:
        total = squares = 0
        with ThreadPoolExecutor(WORKERS) as pool:
            for done, each in enumerate(pool.map(gains, _dealt_out(deck, known, deals, (seed, *which)))):
                total += int(each.sum())
                squares += sum(gain * gain for gain in each.tolist())
                if progress is not None:
                    progress("sampling other seats' cards", min(1.0, (done + 1) * _AT_ONCE / deals))
        return total, squares

    def make() -> dict[str, list[str]]:
        deals = sample
        if deals is None:
            total, squares = sums(_FIRST, _OTHER)
            variance = float(Fraction(squares, _FIRST) - Fraction(total, _FIRST) ** 2) / unit**2
            deals = max(_FIRST, round(_MARGIN * variance / ERROR**2))
        return {"sums": [str(deals), *map(str, sums(deals))]}

    if deck != FULL:
        found = make()
    else:
        found = kept_figures(f"seats-{game.name}", fingerprint((asked, known, sample, seed), SEATS_CODE), make)
    deals, total, squares = map(int, found["sums"])
    return deals, total, squares


def _dealt_out(deck: SmallDeck, known: int, sample: int, seed: int | tuple[int, ...]) -> Iterator[Places]:
    """The first cards of shuffled decks, some at a time."""
    random = np.random.default_rng(seed)
    for start in range(0, sample, _AT_ONCE):
        decks = random.random((min(_AT_ONCE, sample - start), deck.size)).argsort(axis=1)
        yield np.ascontiguousarray(decks[:, :known].astype(np.uint8))
