"""A solved game state by state, and other plain views of the exact engine against which tests hold it."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Any

import numpy as np

from pitboss.cards import Card, Hand
from pitboss.exact.decks import FULL, SmallDeck
from pitboss.exact.duel import NO_UP
from pitboss.exact.facets import Code, Ranked
from pitboss.exact.rulelist import RuleFinder, RuleList, state_cells
from pitboss.exact.value import Valued
from pitboss.exact.whatif import parse_change
from pitboss.games.contract import Versus
from pitboss.games.repaying import with_rows
from pitboss.games.rules import Rules
from pitboss.games.structure import Duel
from pitboss.hands.facets import Facet


def closed_form_deals(duel: Duel, deck: SmallDeck = FULL) -> int:
    """How many deals there are, told apart by the up card where there is one."""
    n, player, dealer = deck.size, duel.player_cards, duel.dealer_cards
    return comb(n, player) * comb(n - player, dealer) * (dealer if duel.up_card else 1)


def changed_rules(rules: Rules, table: str, changes: Iterable[str]) -> Rules:
    """Rules with every change of the form ROW=ODDS carried out, whether or not any wager is paid by the row."""
    for text in changes:
        name, row, odds = parse_change(text, rules, table)
        rules = with_rows(rules, name, {row: odds})
    return rules


@dataclass(frozen=True)
class StrategyRow:
    """One information state: what each legal choice is worth in Antes."""

    cards: Hand
    up: Card | None
    weight: int
    """How many (hand, up card) pairs are alike but for the names of suits."""
    values: Mapping[str, Fraction]
    best: str
    ties: tuple[str, ...]
    """Other choices worth exactly as much as the best."""


def strategy_rows(valued: Valued) -> Iterator[StrategyRow]:
    """Every information state in the order of the solution."""
    solved, grid = valued.solved, valued.grid
    for state, cells in enumerate(state_cells(solved, slice(None))):
        fact = int(grid.fact_of_kind[solved.kinds[state]])
        worth = {
            name: Fraction(int((cells * grid.nets[fact, choice]).sum()), solved.dealer_hands * grid.unit)
            for choice, name in enumerate(grid.names)
            if grid.legal[fact, choice]
        }
        best = max(worth, key=worth.__getitem__)
        ties = tuple(name for name in worth if name != best and worth[name] == worth[best])
        up = None if solved.ups[state] == NO_UP else solved.deck.hand([solved.ups[state]])[0]
        yield StrategyRow(solved.deck.hand(solved.hands[state]), up, int(solved.weights[state]), worth, best, ties)


def given(finder: RuleFinder, name: str, thresholds: Mapping[str, int]) -> RuleList:
    """The list that takes each choice from the given score on, whatever the dealer shows; unnamed choices never.

    Where the choice is not allowed, the largest smaller wager is made.
    """
    starts = {finder.grid.names.index(choice): score for choice, score in thresholds.items()}
    columns = []
    for score in finder.ladder.scores:
        reached = [column for column in finder.choices[1:] if column in starts and score >= starts[column]]
        columns.append(reached[-1] if reached else finder.choices[0])
    return finder.followed(name, columns)


def independent_versus_counts(player: Facet, dealer: Facet) -> Mapping[Code, int]:
    """How two hands compare as if both came from decks of their own: a wrong count, to set beside figures in print."""
    ranked = Ranked.of(player, dealer, FULL)
    runs, labels = ranked.runs(player.label)
    mine = np.bincount(ranked.ranks, minlength=len(runs)).tolist()
    theirs = np.bincount(ranked.other_ranks, ranked.other.weights, len(runs)).astype(np.int64).tolist()
    of_run = [sum(count for count, run in zip(mine, runs, strict=True) if run == each) for each in range(len(labels))]
    found: Counter[Any] = Counter()
    lower = 0
    for rank, own_run in enumerate(runs):
        if rank and runs[rank - 1] != own_run:
            lower = 0
        for run, label in enumerate(labels):
            if run != own_run:
                versus = Versus.LOWER if run < own_run else Versus.HIGHER
                found[versus, label, labels[own_run]] += of_run[run] * theirs[rank]
        parts = lower, mine[rank], of_run[own_run] - lower - mine[rank]
        for versus, part in zip(Versus, parts, strict=True):
            found[versus, labels[own_run], labels[own_run]] += part * theirs[rank]
        lower += mine[rank]
    return {code: deals for code, deals in found.items() if deals}
