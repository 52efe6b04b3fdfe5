"""A duel in which a sixth card may be bought: fold, bet or buy, exactly.

A player who sees five cards and the dealer's up card may fold, bet, or pay the Options fee for a sixth card and then
bet or fold. All states of six cards and an up card are counted like those of five: the dealer's hands below, level
and unqualified, found once and valued with any pay table afterwards. The value of buying is gathered from the six
cards' side: each state of six cards adds its value to the six hands of five cards it may have come from.

The Options fee counts as money put at risk: the average total wager holds Ante, Bet and fee.
"""

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import comb

import numpy as np
import numpy.typing as npt

from pitboss.exact import draw_kernels as kernels
from pitboss.exact.cache import Arrays, fingerprint, kept
from pitboss.exact.decks import BINOMIAL, FULL, Ints, Places, SmallDeck, suit_classes
from pitboss.exact.draw_kernels import ABSENT, BUY, FREE, Codes, Packed, fact_code
from pitboss.exact.duel import SUITS, Progress, hand_scores
from pitboss.exact.engine import duel_of
from pitboss.exact.sweep import Ranks, count_below
from pitboss.exact.value import Result, choice_nets
from pitboss.games.course import Draw
from pitboss.games.registry import GAMES
from pitboss.games.rules import Rules
from pitboss.games.second_combination import combined
from pitboss.games.structure import Facts, Outlay

GAME = next(game for game in GAMES.values() if any(isinstance(step, Draw) for step in game.course.flat))
"""The one game whose course has a draw."""
DUEL = duel_of(GAME)

FIVE, SIX = 5, 6
_DEALER_MORE = DUEL.dealer_cards - 1


@dataclass(frozen=True)
class DrawCounts:
    """All states of five and of six cards with an up card, up to the names of three suits; no pay table involved.

    Counts are by rank of the up card, which lies in suit 0, and by class of hands; its four suits are alike.
    """

    deck: SmallDeck
    five_hands: Places
    five_weights: Ints
    five_facts: Codes
    """The row of ``five_codes`` that holds for each class."""
    five_codes: Codes
    five_counts: Packed
    six_weights: Ints
    six_facts: Codes
    six_codes: Codes
    six_counts: Packed
    lacking: Codes
    """The five-card classes that each six-card class becomes without one card."""

    @property
    def five_dealer_hands(self) -> int:
        return comb(self.deck.size - FIVE - 1, _DEALER_MORE)

    @property
    def six_dealer_hands(self) -> int:
        return comb(self.deck.size - SIX - 1, _DEALER_MORE)

    @property
    def draws(self) -> int:
        """Sixth cards left by five player's and five dealer's cards."""
        return self.deck.size - FIVE - DUEL.dealer_cards

    @property
    def pairs(self) -> int:
        """Hands of five cards, each with every up card."""
        return comb(self.deck.size, FIVE) * (self.deck.size - FIVE)

    @property
    def deals(self) -> int:
        """First five cards, up card, the dealer's other cards, and the card that would be bought."""
        return self.pairs * self.five_dealer_hands * self.draws


@lru_cache(1)
def fact_table() -> Codes:
    """Best score and fact code of every kind of five and of six cards, by the game's own rule; kept."""

    def make() -> tuple[Arrays, Mapping[str, int]]:
        table = np.zeros(2 * kernels.KINDS, np.int32)
        for hand in kernels.kind_hands():
            kind = kernels.kind_of(np.array(hand, np.uint8), len(hand), BINOMIAL)
            table[kind] = DUEL.order.best(hand)[0]
            table[kernels.KINDS + kind] = kernels.code_of(combined(hand))
        return {"table": table}, {}

    code = ("hands/orders.py", "games/second_combination.py", "exact/draw_kernels.py")
    return np.array(kept("combinations", fingerprint(kernels.KINDS, code), make)[0]["table"])


def facts_of(hands: Places) -> tuple[Ranks, Codes]:
    """Best scores and fact codes of rows of five or six ascending cards."""
    best, codes = np.empty(len(hands), np.int32), np.empty(len(hands), np.int32)
    kernels.hand_facts(np.ascontiguousarray(hands), fact_table(), BINOMIAL, best, codes)
    return best, codes


def count_states(deck: SmallDeck = FULL, progress: Progress | None = None, workers: int = 2) -> DrawCounts:
    """Count the dealer's hands for every state of five and of six cards."""
    tell = progress or (lambda _what, _share: None)
    tell("ranking hands", 0.0)
    dealer_scores = hand_scores(DUEL.order, deck, DUEL.dealer_cards)
    levels = np.unique(dealer_scores)
    ranks: Ranks = np.searchsorted(levels, dealer_scores).astype(np.int32)
    assert DUEL.qualifies is not None
    least = int(np.searchsorted(levels, DUEL.qualifies))
    five, six = suit_classes(deck, FIVE, fixed_suits=1), suit_classes(deck, SIX, fixed_suits=1)
    five_best, five_codes = facts_of(deck.cards[five.hands])
    six_best, six_codes = facts_of(deck.cards[six.hands])
    rows = np.full(comb(deck.size, FIVE), ABSENT, np.int32)
    kernels.number_classes(five.hands, BINOMIAL, rows)
    lacking = np.empty(six.hands.shape, np.int32)
    kernels.lacking_one(six.hands, rows, BINOMIAL, lacking)
    ups = range(len(deck.ranks))
    counts = {
        FIVE: np.full((len(ups), len(five.hands)), ABSENT, np.int64),
        SIX: np.full((len(ups), len(six.hands)), ABSENT, np.int64),
    }
    own = {size: np.searchsorted(levels, best).astype(np.int32) for size, best in ((FIVE, five_best), (SIX, six_best))}
    done = 0

    def with_up(up: int) -> None:
        nonlocal done
        for size, hands in ((FIVE, five.hands), (SIX, six.hands)):
            allowed = np.flatnonzero(~(hands == SUITS * up).any(axis=1))
            asked = np.empty((len(allowed), 3), np.int32)
            asked[:, 0] = own[size][allowed]
            asked[:, 1] = asked[:, 0] + 1
            asked[:, 2] = least
            below = count_below(deck.size, ranks, DUEL.dealer_cards, hands[allowed], asked, SUITS * up)
            kernels.pack(below, allowed, counts[size][up])
        done += 1
        tell("counting dealer's hands", done / len(ups))

    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(with_up, ups))
    five_kinds, five_facts = np.unique(five_codes, return_inverse=True)
    six_kinds, six_facts = np.unique(six_codes, return_inverse=True)
    return DrawCounts(
        deck=deck,
        five_hands=five.hands,
        five_weights=five.weights,
        five_facts=five_facts.reshape(-1).astype(np.int32),
        five_codes=five_kinds,
        five_counts=counts[FIVE],
        six_weights=six.weights,
        six_facts=six_facts.reshape(-1).astype(np.int32),
        six_codes=six_kinds,
        six_counts=counts[SIX],
        lacking=lacking,
    )


def second_of(rules: Rules, code: int) -> str:
    """The best paying second combination that a fact code allows."""
    return fact_code(code).paid(rules)


def own_facts(rules: Rules, code: int) -> Facts:
    """What the player's final cards make true of the outcome."""
    category = fact_code(code).category
    return {"hand": category, "first_hand": category, "second": second_of(rules, code)}


def options_after_draw(rules: Rules, _facts: Facts) -> tuple[Outlay, ...]:
    """What may be chosen after a draw does not depend on the cards."""
    return GAME.after_draw(rules)


@dataclass(frozen=True)
class DrawPays:
    """The pay of every choice for every fact code, in every cell, in Antes / ``unit``."""

    names: tuple[str, ...]
    wagered: npt.NDArray[np.object_]
    """What is wagered under each choice, exact."""
    unit: int
    nets: Ints
    legal: npt.NDArray[np.bool_]
    qualifies: npt.NDArray[np.bool_]
    """Whether a hand with this code would qualify if the dealer held it."""


def pays(rules: Rules, codes: Codes, options: Callable[[Rules, Facts], tuple[Outlay, ...]], unit: int = 1) -> DrawPays:
    """Ask the game what each choice pays; ``unit`` is a denominator that the common one must be a multiple of."""
    facts = [own_facts(rules, int(code)) for code in codes]
    listed = [options(rules, each) for each in facts]
    names, unit, nets, legal = choice_nets(GAME, rules, facts, listed, unit)
    wagered = {choice.name: choice.wagered for each in listed for choice in each}
    assert DUEL.qualifies is not None
    qualifies = np.array([DUEL.order.at_least(each["hand"]) >= DUEL.qualifies for each in facts], np.bool_)
    return DrawPays(names, np.array([wagered[name] for name in names], object), unit, nets, legal, qualifies)


@dataclass(frozen=True)
class DrawSolved:
    """Optimal play with fold, bet and buying a sixth card, under given rules."""

    counts: DrawCounts
    rules: Rules
    result: Result
    after_buying: Mapping[str, Fraction]
    """How often a bought card is followed by each choice, of all rounds; the two sum to the choice ``buy``."""
    ties: int
    """Pairs of hand and up card in which two choices are worth exactly the same."""
    names: tuple[str, ...]
    picked: Places
    """By rank of the up card and five-card class: an index of ``names``, or ``BUY``."""
    totals: Ints
    """The value of each of these states, times ``scale``."""
    scale: int

    def choice(self, rank: int, row: int) -> str:
        picked = int(self.picked[rank, row])
        return "buy" if picked == BUY else self.names[picked]


def fold_bet_buy(
    rules: Rules,
    progress: Progress | None = None,
    counts: DrawCounts | None = None,
    workers: int = 2,
    forced: Places | None = None,
    forced_six: Places | None = None,
) -> DrawSolved:
    """The exact value of the main game without exchanging cards; a hand with an instant payout has no choice.

    Counting takes most of the time: pass ``counts`` to weigh the same counts under other rules. By rank of the up card
    and class, states of five and of six cards may be ``forced``; those that are ``AWAY`` are left out of the result.
    """
    counts = counts or count_states(FULL, progress, workers)
    given = np.full(counts.five_counts.shape, FREE, np.uint8) if forced is None else forced
    given_six = np.full(counts.six_counts.shape, FREE, np.uint8) if forced_six is None else forced_six
    six = pays(rules, counts.six_codes, options_after_draw)
    five = pays(rules, counts.five_codes, DUEL.options, six.unit)
    six = pays(rules, counts.six_codes, options_after_draw, five.unit)
    assert five.unit == six.unit
    fold = five.names.index("fold")
    may_buy = np.ascontiguousarray(five.legal[:, fold])
    ups = len(counts.deck.ranks)
    picked = np.zeros(counts.five_counts.shape, np.uint8)
    totals = np.zeros(counts.five_counts.shape, np.int64)
    shape, bought_shape = five.nets.shape, six.nets.shape

    def with_up(up: int) -> tuple[Ints, Ints, Ints, int]:
        bought = np.zeros(len(counts.five_hands), np.int64)
        picked_six = np.zeros(len(counts.six_weights), np.uint8)
        tallies, chosen = np.zeros(shape, np.int64), np.zeros((shape[0], shape[1] + 1), np.int64)
        tallies_six = np.zeros(bought_shape, np.int64)
        state_six = (counts.six_counts[up], counts.six_facts, counts.six_weights, counts.lacking)
        kernels.after_buying(
            *state_six, six.nets, six.qualifies, counts.six_dealer_hands, given_six[up], picked_six, bought
        )
        ties: int = kernels.before_buying(
            counts.five_counts[up],
            counts.five_facts,
            counts.five_weights,
            bought,
            five.nets,
            five.legal,
            may_buy,
            five.qualifies,
            counts.five_dealer_hands,
            counts.draws,
            given[up],
            picked[up],
            totals[up],
            tallies,
            chosen,
        )
        kernels.tally_bought(*state_six, six.qualifies, counts.six_dealer_hands, picked[up], picked_six, tallies_six)
        return tallies, chosen, tallies_six, ties

    with ThreadPoolExecutor(workers) as pool:
        parts = list(pool.map(with_up, range(ups)))
    tallies = SUITS * np.sum([part[0] for part in parts], axis=0)
    chosen = SUITS * np.sum([part[1] for part in parts], axis=0)
    tallies_six = SUITS * np.sum([part[2] for part in parts], axis=0)
    spread: dict[Fraction, int] = {}
    for table, pay in ((tallies, five), (tallies_six, six)):
        for row, column, cell in np.argwhere(table):
            net = Fraction(int(pay.nets[row, column, cell]), pay.unit)
            spread[net] = spread.get(net, 0) + int(table[row, column, cell])
    choices = {name: Fraction(int(chosen[:, place].sum()), counts.pairs) for place, name in enumerate(five.names)}
    choices["buy"] = Fraction(int(chosen[:, -1].sum()), counts.pairs)
    after = {name: Fraction(int(tallies_six[:, place].sum()), counts.deals) for place, name in enumerate(six.names)}
    average = sum((choices[name] * five.wagered[place] for place, name in enumerate(five.names)), Fraction(0))
    average += sum((after[name] * six.wagered[place] for place, name in enumerate(six.names)), Fraction(0))
    result = Result(counts.deals, dict(sorted(spread.items())), choices, average, DUEL.required)
    scale = counts.five_dealer_hands * counts.draws * five.unit
    ties = SUITS * sum(part[3] for part in parts)
    return DrawSolved(counts, rules, result, after, ties, five.names, picked, totals, scale)
