"""Exact values against plain simulation: rounds dealt by the book, best choices, settled by the scalar rules."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from math import comb, erfc, sqrt
from random import Random

import numpy as np
import pytest

from pitboss.api import rules_for
from pitboss.cards import Card, Hand, card_of, rank_of, suit_of
from pitboss.exact.board_counts import board_of
from pitboss.exact.duel import NO_UP, Solved
from pitboss.exact.engine import duel_of, play_of, valued
from pitboss.exact.plan import ENDED
from pitboss.exact.side import kind_of, line_of, side_lines, side_result
from pitboss.exact.solo import Play
from pitboss.exact.value import Valued
from pitboss.games.registry import BANKED as GAMES
from pitboss.games.round import Decision
from pitboss.games.rules import Rules
from pitboss.games.walk import RoundState, chance, play_plainly, start
from pitboss.hands import batch

from .naive import ANTE, wagers_of

AS_OF = date(2024, 6, 1)
ROUNDS = 1500
SEED = 649
MOST_ERRORS = 4
FOUR_ERRORS = erfc(MOST_ERRORS / sqrt(2)) / 2
"""How likely a normal variable is to lie as far out, on one side."""
FEW = 10
SIDE_STAKE = 500


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


def sides(rules: Rules) -> dict[str, str]:
    """Wagers that are settled by themselves and pay odds, each with its line's kind; one of those made on numbers."""
    game = GAMES[rules.game]
    kinds = {kind_of(game, line) for line in side_lines(game)} & rules.wagers.keys()
    return {line_of(game, kind): kind for kind in sorted(kinds) if not rules.wagers[kind].meter}


def decide_by(best: Valued, dealt: Sequence[RoundState]) -> list[str]:
    """The best choice of each round against a dealer."""
    game = dealt[0].game
    ups = [state.sight.up if not state.is_over else game.turned_up(state.rules, state.played, game.course.weighed[0])
           for state in dealt]  # fmt: skip
    seen = [(state.played.seats[0].cards, next(iter(up), None)) for state, up in zip(dealt, ups, strict=True)]
    return [best.grid.names[best.picked[state]] for state in states_of(best.solved, seen, duel_of(game).suit_blind)]


def walked(best: Play, state: RoundState) -> tuple[RoundState, list[str]]:
    """A round played by the tables of each street."""
    history, made = 0, []
    for street in best.streets:
        choice = int(street.picked[street.row((*state.sight.cards, *state.sight.up)), history])
        state = state.apply(_decision(state, street.names[choice]))
        made.append(f"{street.step} {street.names[choice]}")
        history = int(street.follows[history, choice])
        if history == ENDED:
            break
    return state, made


def _decision(state: RoundState, name: str) -> Decision:
    assert state.asked is not None
    step = next(each for each in state.game.course.decides if each.name == state.asked[1])
    choices = {choice.name: choice for choice in step.choices(state.rules, state.sight)}
    return choices[name].decision(state.sight.stake)


def simulated(name: str) -> Simulated:
    game, rules, rng = GAMES[name], rules_for(name, AS_OF), Random(SEED)
    alone = sides(rules)
    wagers = {**dict.fromkeys(alone, SIDE_STAKE), **wagers_of(rules)}
    sources = [chance(rules, rng, whole=True) for _ in range(ROUNDS)]
    dealt = [start(rules, {1: wagers}, source) for source in sources]
    chosen: list[str] = []
    if game.duel is not None:
        chosen = decide_by(valued(game, rules), dealt)
        rounds = [
            state if state.is_over else state.apply(_decision(state, choice))
            for state, choice in zip(dealt, chosen, strict=True)
        ]
    elif game.course.weighed:
        best = play_of(game, rules)
        assert isinstance(best, Play)
        pairs = [walked(best, state) for state in dealt]
        rounds, chosen = [state for state, _ in pairs], [name for _, made in pairs for name in made]
    else:
        rounds = [play_plainly(rules, state) for state in dealt]
    nets: dict[str, list[Fraction]] = {line: [] for line in ("main", *alone)}
    for state in rounds:
        assert state.is_over
        settlement = state.settle()
        assert settlement.findings == ()
        by_wager = {line: [each.net for each in settlement.lines if each.wager == line] for line in alone}
        main = sum(line.net for line in settlement.lines if line.wager not in by_wager)
        nets["main"].append(Fraction(main, ANTE))
        for side, (cents,) in by_wager.items():
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


@pytest.mark.parametrize("name", [name for name, game in GAMES.items() if board_of(game) is None])
def test_simulation_returns_what_was_counted(name: str) -> None:
    """Games on a board are decided by compiled tables, which are simulated against the counts in tests/simulate."""
    run, game = simulated(name), GAMES[name]
    best = play_of(game, run.rules) if game.main_posts else None
    if best is not None:
        result = best.result
        main = {net: Fraction(count, result.deals) for net, count in result.distribution.items()}
        _check("main", run.nets["main"], main)
        for choice, share in result.choices.items():
            times = run.chosen.count(choice)
            made = [Fraction(at < times) for at in range(ROUNDS)]
            _check(
                choice,
                made,
                {Fraction(1): share, Fraction(0): 1 - share} if share not in (0, 1) else {share: Fraction(1)},
            )
    for side, kind in sides(run.rules).items():
        _check(side, run.nets[side], side_result(game, run.rules, kind, folds=best).distribution)
