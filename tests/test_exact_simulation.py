"""Exact values against plain simulation: rounds dealt by the book, best choices, settled by the scalar rules."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction
from math import comb, erfc, sqrt
from random import Random

import numpy as np
import pytest

from pitboss.api import rules_for
from pitboss.cards import Card, Hand, card_of, rank_of, shuffled, suit_of
from pitboss.exact.duel import NO_UP, Solved
from pitboss.exact.engine import duel_of, valued
from pitboss.exact.side import side_result
from pitboss.games.deal import deal_round
from pitboss.games.registry import GAMES
from pitboss.games.round import Round, decided
from pitboss.games.rules import Rules
from pitboss.games.settle import settle
from pitboss.hands import batch

from .naive import ANTE, Play, play_of

AS_OF = date(2024, 6, 1)
ROUNDS = 4000
SEED = 649
MOST_ERRORS = 4
FOUR_ERRORS = erfc(MOST_ERRORS / sqrt(2)) / 2
"""How likely a normal variable is to lie as far out, on one side."""
FEW = 10
SIDE_STAKE = 500
SIDES = {
    "three-card-poker": ("pair_plus", "six_card_bonus"),
    "four-card-poker": ("aces_up", "bad_beat", "six_card_bonus"),
    "four-card-frenzy": ("prime", "four_card_bonus", "all_six"),
    "lunar-poker": ("super", "super_on_dealer"),
}


def canonical(hand: Hand, up: Card | None) -> Hand:
    """The hand as the solved table lists it: the up card's suit first, then suits by the ranks held, highest first."""
    fixed = [] if up is None else [suit_of(up)]
    held = {suit: sorted((rank_of(c) for c in hand if suit_of(c) == suit), reverse=True) for suit in range(4)}
    free = sorted((suit for suit in range(4) if suit not in fixed), key=held.__getitem__, reverse=True)
    names = {suit: name for name, suit in enumerate([*fixed, *free])}
    return tuple(sorted(card_of(rank_of(card), names[suit_of(card)]) for card in hand))


def states_of(solved: Solved, seen: Sequence[tuple[Hand, Card | None]], suit_blind: bool) -> list[int]:
    """The solved state of each hand and up card."""
    wanted = [canonical(hand, up) if suit_blind else tuple(sorted(hand)) for hand, up in seen]
    shown = np.array([NO_UP if up is None else card_of(rank_of(up), 0) for _, up in seen])
    states = np.empty(len(seen), np.int64)
    for up in np.unique(shown):
        rows, asked = np.flatnonzero(solved.ups == up), np.flatnonzero(shown == up)
        numbers = batch.subset_index(np.asarray(solved.hands)[rows])
        places = np.searchsorted(numbers, batch.subset_index([wanted[row] for row in asked]))
        states[asked] = rows[places]
    assert [tuple(hand) for hand in solved.hands[states].tolist()] == wanted
    return states.tolist()


@dataclass(frozen=True)
class Simulated:
    """Nets of every simulated round, per unit wagered, and the rules they were played by."""

    rules: Rules
    nets: Mapping[str, list[Fraction]]
    chosen: list[str]


def _deal(rules: Rules, play: Play, wagers: Mapping[str, int]) -> list[tuple[Round, Card | None]]:
    rng = Random(SEED)
    dealt = []
    for _ in range(ROUNDS):
        played, dealing = deal_round(rules, {1: wagers}, shuffled(rng))
        (up,) = dealing.up() if play.up_card else (None,)
        assert up is None or up in played.dealer
        dealt.append((played, up))
    return dealt


def simulated(name: str) -> Simulated:
    game, duel, rules = GAMES[name], duel_of(GAMES[name]), rules_for(name, AS_OF)
    play = play_of(name, duel.order)
    wagers = {**play.wagers, **{side: play.wagers.get(side, SIDE_STAKE) for side in SIDES[name]}}
    dealt = _deal(rules, play, wagers)
    best = valued(game, rules)
    seen = [(played.seats[0].cards, up) for played, up in dealt]
    chosen = [best.grid.names[best.picked[state]] for state in states_of(best.solved, seen, duel.suit_blind)]
    nets: dict[str, list[Fraction]] = {line: [] for line in ("main", *SIDES[name])}
    for (played, _), choice in zip(dealt, chosen, strict=True):
        seat = replace(played.seats[0], decisions=decided(play.tries[choice]))
        settlement = settle(rules, replace(played, seats=(seat,)))
        assert settlement.findings == ()
        nets["main"].append(Fraction(sum(line.net for line in settlement.lines if line.wager in play.lines), ANTE))
        for side in SIDES[name]:
            (cents,) = (line.net for line in settlement.lines if line.wager == side)
            nets[side].append(Fraction(cents, wagers[side]))
    return Simulated(rules, nets, chosen)


def _check(what: str, nets: Sequence[Fraction], chances: Mapping[Fraction, Fraction]) -> None:
    """The mean within four standard errors, pays too rare for that by how often they came.

    A single hit of a row that pays thousands moves the mean by many standard errors, so a row that is expected only
    now and then counts as nothing in the mean, on both sides, and its hits are judged by their own probability.
    """
    assert set(nets) <= set(chances), what
    rare = {net for net, chance in chances.items() if chance * len(nets) < FEW}
    for net in rare:
        hits = nets.count(net)
        assert _tail(hits, len(nets), float(chances[net])) > FOUR_ERRORS, f"{what}: {net} came {hits} times"
    expected = sum((net * chance for net, chance in chances.items() if net not in rare), Fraction(0))
    square = sum((net * net * chance for net, chance in chances.items() if net not in rare), Fraction(0))
    mean = sum((net for net in nets if net not in rare), Fraction(0)) / len(nets)
    assert (mean - expected) ** 2 * len(nets) <= MOST_ERRORS**2 * (square - expected**2), what


def _tail(hits: int, rounds: int, chance: float) -> float:
    """The probability of so many hits or more, or of so few or fewer, whichever is smaller."""
    fewer = sum(comb(rounds, k) * chance**k * (1 - chance) ** (rounds - k) for k in range(hits))
    same = comb(rounds, hits) * chance**hits * (1 - chance) ** (rounds - hits)
    return min(1 - fewer, fewer + same)


@pytest.mark.parametrize("name", GAMES)
def test_simulation_returns_what_was_counted(name: str) -> None:
    run = simulated(name)
    best = valued(GAMES[name], run.rules)
    result = best.result
    main = {net: Fraction(count, result.deals) for net, count in result.distribution.items()}
    _check("main", run.nets["main"], main)
    for choice, share in result.choices.items():
        made = [Fraction(one == choice) for one in run.chosen]
        _check(choice, made, {Fraction(1): share, Fraction(0): 1 - share})
    for side in SIDES[name]:
        _check(side, run.nets[side], side_result(GAMES[name], run.rules, side, folds=best).distribution)
