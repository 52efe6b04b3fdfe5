"""What players at one table gain who show each other their cards before they choose.

The cards of other seats leave the deck. What the best choice is then worth over the choice of basic strategy, on the
same deal, is a *strategy gain*: it is never negative and varies little, so the mean of a sample has a small error,
while the value of basic strategy is exact. Each deal of the sample is valued against everything that can still come,
not played out. Where one other seat holds three cards against a dealer's three, all deals are counted instead.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from math import comb, perm, sqrt
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from pitboss.exact import seats_kernels as kernels
from pitboss.exact import solo
from pitboss.exact.board_counts import board_of
from pitboss.exact.cache import COUNTING_CODE, fingerprint, kept_figures
from pitboss.exact.decks import BINOMIAL, FULL, SUITS, Ints, Places, SmallDeck, subsets_of, suit_classes, suit_masks
from pitboss.exact.duel import NO_UP, Progress, hand_scores
from pitboss.exact.engine import solved_duel, structure_key
from pitboss.exact.facets import LABELLING_CODE, NotCountedError, labels_of
from pitboss.exact.plan import planned
from pitboss.exact.value import WORKERS, pay_grid, value
from pitboss.findings import UnreadableError
from pitboss.games.contract import Game
from pitboss.games.rules import Rules
from pitboss.games.structure import Duel
from pitboss.hands import batch
from pitboss.hands.facets import Facet

SAMPLE: Final = 200_000
SEED: Final = 1
_AT_ONCE: Final = 500
"""Deals between two reports of progress, for each thread."""
_SMALL: Final = 3
SEATS_CODE = (
    *COUNTING_CODE, *LABELLING_CODE, "exact/value.py", "exact/plan.py", "exact/solo.py", "exact/seats_kernels.py",
    "exact/seats.py",
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
    sample: int = SAMPLE,
    seed: int = SEED,
    deck: SmallDeck = FULL,
    progress: Progress | None = None,
) -> SharedCards:
    """Count or sample the main wagers of a seat that sees the cards of so many seats, its own included.

    Raise ``NotCountedError`` for a game whose hands share a board or draw cards.
    """
    if seats < 2 or seats > rules.seats:
        raise UnreadableError(f"Cards are shared by 2 to {rules.seats} seats of {game.name}, not by {seats}.")
    if not sample >= 2:
        raise UnreadableError("A sample has 2 or more deals.")
    if game.duel is not None and game.whole is None:
        return _facing(game, rules, game.duel, seats, sample, seed, deck, progress)
    if game.whole is not None or not game.main_posts or not game.course.weighed or board_of(game) is not None:
        raise NotCountedError(f"Other seats' cards are not counted in {game.name}.")
    return _turning(game, rules, seats, sample, seed, deck, progress)


def _facing(
    game: Game, rules: Rules, duel: Duel, seats: int, sample: int, seed: int, deck: SmallDeck, progress: Progress | None
) -> SharedCards:
    counted = solved_duel(game.name, duel, deck, progress)
    played = value(game, rules, counted, duel)
    grid, (_, picked) = pay_grid(game, rules, counted, duel), played.find()
    facts, basic = grid.fact_of_kind[counted.kinds].astype(np.int32), picked.astype(np.int32)
    levels = np.unique(hand_scores(duel.order, deck, duel.order.size))
    mine, theirs = (hand_scores(duel.order, deck, size) for size in (duel.player_cards, duel.dealer_cards))
    own, ranks = (np.searchsorted(levels, each).astype(np.int32) for each in (mine, theirs))
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
    found = _sampled(game, asked, deck, known, sample, seed, gains, progress)
    total, squares = found
    mean = Fraction(total, sample)
    error = sqrt((Fraction(squares, sample) - mean * mean) / (sample - 1)) / (ways * grid.unit)
    return SharedCards(seats, normal, mean / (ways * grid.unit), error, sample)


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
    game: Game, rules: Rules, seats: int, sample: int, seed: int, deck: SmallDeck, progress: Progress | None
) -> SharedCards:
    structure = solo.solo_of(game)
    names, of_hand = _named(structure.facet, deck)
    ends = [({structure.fact: name},) for name in names]
    hand = deck.hand(range(structure.facet.cards))
    plan = planned(game, rules, hand, structure.own, structure.seen, ends)
    assert plan is not None, "with all suits told apart every pay is known"
    turned = structure.facet.cards - structure.own
    shape = len(plan.steps), max(len(each.legal) for each in plan.steps), max(len(each.names) for each in plan.steps)
    step_at = np.full(turned, -1, np.int64)
    legal, follows, ended = np.zeros(shape, np.bool_), np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    for place, each in enumerate(plan.steps):
        step_at[each.seen - structure.own] = place
        part = (place, slice(each.legal.shape[0]), slice(each.legal.shape[1]))
        legal[part], follows[part], ended[part] = each.legal, each.follows, each.ended
    many = (seats - 1) * structure.own
    normal = solo.valued(game, rules, deck).result.expected_value
    classes = suit_classes(deck, structure.own)
    every = int(classes.weights.sum())

    def sums(at: int) -> tuple[int, int, int, int]:
        """One class of own cards, sampled as often as it is dealt."""
        weight = int(classes.weights[at])
        deals = max(2, round(sample * weight / every))
        own = classes.hands[at]
        left = np.setdiff1d(np.arange(deck.size, dtype=np.uint8), own)
        shuffled = np.random.default_rng((seed, at)).random((deals, len(left))).argsort(axis=1)[:, :many]
        out = np.zeros(deals, np.int64)
        kernels.gains_turning(
            deck.size, own, left[shuffled], turned, step_at, legal, follows, ended, plan.nets, of_hand, BINOMIAL, out
        )  # fmt: skip
        return weight, deals, int(out.sum()), sum(gain * gain for gain in out.tolist())

    def make() -> dict[str, list[list[str]]]:
        found = []
        with ThreadPoolExecutor(WORKERS) as pool:
            for done, each in enumerate(pool.map(sums, range(len(classes.hands)))):
                found.append([str(part) for part in each])
                if progress is not None:
                    progress("sampling other seats' cards", (done + 1) / len(classes.hands))
        return {"classes": found}

    asked = (structure.key, plan.nets.tolist(), legal.tolist(), follows.tolist(), ended.tolist(), seats, sample, seed)
    figures = make() if deck != FULL else kept_figures(f"seats-{game.name}", fingerprint(asked, SEATS_CODE), make)
    strata = [tuple(map(int, each)) for each in figures["classes"]]
    unit = perm(deck.size - structure.own - many, turned) * plan.unit
    mean = sum((Fraction(weight * total, every * deals) for weight, deals, total, _ in strata), Fraction(0))
    spread = sum(
        (Fraction(weight, every) ** 2 * (Fraction(squares, deals) - Fraction(total, deals) ** 2) / (deals - 1)
         for weight, deals, total, squares in strata),
        Fraction(0),
    )  # fmt: skip
    return SharedCards(seats, normal, mean / unit, sqrt(spread) / unit, sum(deals for _, deals, _, _ in strata))


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
    sample: int,
    seed: int,
    gains: Any,
    progress: Progress | None,
) -> tuple[int, int]:
    """The sums of the gains and of their squares over a sample; kept for the full deck."""

    def make() -> dict[str, list[str]]:
        total = squares = 0
        with ThreadPoolExecutor(WORKERS) as pool:
            for done, each in enumerate(pool.map(gains, _dealt_out(deck, known, sample, seed))):
                total += int(each.sum())
                squares += sum(gain * gain for gain in each.tolist())
                if progress is not None:
                    progress("sampling other seats' cards", min(1.0, (done + 1) * _AT_ONCE / sample))
        return {"sums": [str(total), str(squares)]}

    if deck != FULL:
        found = make()
    else:
        found = kept_figures(f"seats-{game.name}", fingerprint((asked, known, sample, seed), SEATS_CODE), make)
    total, squares = map(int, found["sums"])
    return total, squares


def _dealt_out(deck: SmallDeck, known: int, sample: int, seed: int) -> Iterator[Places]:
    """The first cards of shuffled decks, some at a time."""
    random = np.random.default_rng(seed)
    for start in range(0, sample, _AT_ONCE):
        decks = random.random((min(_AT_ONCE, sample - start), deck.size)).argsort(axis=1)
        yield np.ascontiguousarray(decks[:, :known].astype(np.uint8))
