"""The exact strategy as a table: every information state with the value of each legal choice, or grouped by hand value.

Nothing is solved here: the counts of a ``Valued`` are read chunk by chunk, so that a table of millions of states can
be written without ever being held.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import numpy as np
import numpy.typing as npt

from pitboss.cards import RANKS, Card, Hand, show_card, show_cards
from pitboss.exact.board import BoardPlay
from pitboss.exact.board_lists import board_lines, board_names
from pitboss.exact.conditions import main_changes
from pitboss.exact.decks import FULL, Ints, SmallDeck, subsets_of
from pitboss.exact.duel import NO_UP, Progress
from pitboss.exact.engine import duel_of, play_of
from pitboss.exact.plan import Staged
from pitboss.exact.rulelist import ladder, parts_of, state_cells, tally, up_ranks, worth_of
from pitboss.exact.solo import Play
from pitboss.exact.streets import HEAD, StreetsAnalysis, analyse, names_of, table_lines
from pitboss.exact.value import CELLS, PayGrid, Valued, option_nets
from pitboss.findings import UnreadableError
from pitboss.games.contract import Game, Versus
from pitboss.games.rules import Rules
from pitboss.games.structure import Duel
from pitboss.hands import batch
from pitboss.public import public
from pitboss.spreadsheet import SpreadsheetWriter

_CHUNK = 1 << 16


@dataclass(frozen=True)
class GroupRow:
    """All states of one hand value, up card rank and best choice; values are means over them."""

    hand: str
    example: Hand
    up_rank: int | None
    weight: int
    values: Mapping[str, Fraction]
    best: str
    agree: bool
    """Whether every state of this hand value and up card rank has this best choice."""


def _worth(grid: PayGrid, facts: npt.NDArray[np.int32], cells: Ints) -> Ints:
    """Rows by choices, in Antes / unit times dealer's hands; what is not legal is worth the least integer."""
    worth: Ints = np.einsum("sc,soc->so", cells, grid.nets[facts])
    worth[~grid.legal[facts]] = np.iinfo(np.int64).min
    return worth


def worths(valued: Valued) -> Iterator[npt.NDArray[np.float64]]:
    """What each choice is worth in Antes, part by part of the states; not a number where it is not open."""
    solved, grid = valued.solved, valued.grid
    for part in parts_of(len(solved.kinds)):
        facts = grid.fact_of_kind[solved.kinds[part]]
        worth = _worth(grid, facts, state_cells(solved, part)) / (solved.dealer_hands * grid.unit)
        yield np.where(grid.legal[facts], worth, np.nan)


def grouped_rows(game: Game, rules: Rules, valued: Valued) -> Iterator[GroupRow]:  # noqa: ARG001
    """States of equal hand value and up card rank as one row, or one for each best choice where they differ."""
    assert game.duel is not None
    solved, grid = valued.solved, valued.grid
    rungs = ladder(game.duel, valued)
    ups, ranks = up_ranks(solved)
    shape = (len(rungs.scores), len(ranks), len(grid.names))
    best = np.concatenate(
        [
            _worth(grid, grid.fact_of_kind[solved.kinds[part]], state_cells(solved, part)).argmax(axis=1)
            for part in parts_of(len(solved.kinds))
        ]
    )
    groups = np.ravel_multi_index((rungs.rung_of_kind[solved.kinds], ups, best), shape)
    states, cells = tally(solved, groups, int(np.prod(shape)))
    found = np.flatnonzero(states)
    where = np.unravel_index(found, shape)
    totals = worth_of(grid, rungs.facts[where[0]], cells[found])
    sharing = (states.reshape(shape) > 0).sum(axis=2)
    for group, rung, up, column, total in zip(found, *where, totals, strict=True):
        weight = int(states[group])
        whole = weight * solved.dealer_hands * grid.unit
        yield GroupRow(
            hand=game.duel.order.describe(int(rungs.scores[rung])),
            example=solved.deck.hand(solved.kind_hands[rungs.kind_of_rung[rung]]),
            up_rank=ranks[up],
            weight=weight,
            values={
                name: Fraction(total[choice], whole)
                for choice, name in enumerate(grid.names)
                if grid.legal[rungs.facts[rung], choice]
            },
            best=grid.names[column],
            agree=bool(sharing[rung, up] == 1),
        )


@public
def write_table(
    path: str | Path,
    game: Game,
    rules: Rules,
    valued: Valued | Staged | None,
    full: bool = False,
    progress: Progress | None = None,
) -> int:
    """Write the strategy as CSV, grouped by hand value or (``full``) state by state; returns the number of rows.

    Without ``valued`` it is the whole of a game in which cards are drawn, which has choices and not their values.
    The file appears under its name only when it is complete.
    """
    target = Path(path)
    try:
        unfinished = target.with_name(target.name + ".unfinished")
        unfinished.touch()
    except (OSError, ValueError):
        raise UnreadableError(f"No file can be written as {str(path)[:80]!r}; its folder must exist.") from None
    lines: Iterator[_Line]
    values, restriction = True, game.restriction
    if valued is None:
        from pitboss.exact.draw_table import FULL_HEAD, draw_table, state_lines
        from pitboss.exact.draw_table import HEAD as TABLE_HEAD

        table = draw_table(rules, progress)
        names, values, restriction = () if full else table.names, False, table.restriction
        head, states = list(FULL_HEAD if full else TABLE_HEAD), int(table.pairs.sum())
        lines = state_lines(rules, progress) if full else table.lines()
    elif isinstance(valued, BoardPlay):
        names, head, states, lines = board_names(valued), list(HEAD), valued.deals, board_lines(valued, full)
    elif isinstance(valued, Staged):
        assert isinstance(valued, Play), "there are two counters of games that ask more than once"
        names, head, states, lines = names_of(valued), list(HEAD), valued.deals, table_lines(valued, full)
    else:
        names, states = valued.grid.names, valued.solved.states
        head = ["cards", "up", "weight", "best", "ties"] if full else [*GROUPED]
        lines = _full_lines(valued) if full else _grouped_lines(game, rules, valued)
    count, done = 0, 0
    try:
        with unfinished.open("w", newline="", encoding="utf-8") as file:
            writer = SpreadsheetWriter(file)
            # Cells of the last columns stay empty: their heads say that the table is of a part of the game, or changed.
            part = [f"only a part of the game: {restriction}"] if restriction else []
            part += [changed] if (changed := main_changes(game, rules)) else []
            writer.row([*head, *names, *(f"{name} (decimal)" for name in names if values), *part])
            for weight, line in lines:
                writer.row([*line, *("" for _ in part)])
                count, done = count + 1, done + weight
                if progress is not None and count % _CHUNK == 0:
                    progress("writing the strategy", done / states)
        unfinished.replace(target)
    finally:
        unfinished.unlink(missing_ok=True)
    return count


_Line = tuple[int, list[str]]
GROUPED = ("hand", "example", "up", "weight", "best", "agree")


def _full_lines(valued: Valued) -> Iterator[_Line]:
    """Every information state as text, without a Fraction for each of tens of millions of values."""
    solved, grid = valued.solved, valued.grid
    whole = solved.dealer_hands * grid.unit
    named = [show_card(Card(card)) for card in solved.deck.cards.tolist()]
    columns = range(len(grid.names))
    for part in parts_of(len(solved.kinds)):
        facts = grid.fact_of_kind[solved.kinds[part]]
        legal, worth = grid.legal[facts], _worth(grid, facts, state_cells(solved, part))
        best = worth.argmax(axis=1)
        tied = (worth == worth.max(axis=1, keepdims=True)) & (np.array(columns) != best[:, None])
        worth[~legal] = 0
        common = np.gcd(worth, whole)
        counts = (worth // common).tolist(), (whole // common).tolist(), (worth / whole).tolist()
        states = solved.hands[part].tolist(), solved.ups[part].tolist(), solved.weights[part].tolist()
        rows = zip(*states, best.tolist(), tied.tolist(), legal.tolist(), *counts, strict=True)
        for places, up, weight, column, ties, allowed, over, under, decimal in rows:
            cards, shown = " ".join([named[place] for place in places]), "" if up == NO_UP else named[up]
            also = "; ".join([grid.names[c] for c in columns if ties[c]]) if True in ties else ""
            exact = [(f"{over[c]}/{under[c]}" if under[c] > 1 else f"{over[c]}") if allowed[c] else "" for c in columns]
            floats = [f"{decimal[c]:.9f}" if allowed[c] else "" for c in columns]
            yield weight, [cards, shown, str(weight), grid.names[column], also, *exact, *floats]


def _grouped_lines(game: Game, rules: Rules, valued: Valued) -> Iterator[_Line]:
    names = valued.grid.names
    for row in grouped_rows(game, rules, valued):
        up = "" if row.up_rank is None else RANKS[row.up_rank]
        agree = "yes" if row.agree else "no"
        exact = [str(row.values[name]) if name in row.values else "" for name in names]
        floats = [f"{float(row.values[name]):.9f}" if name in row.values else "" for name in names]
        line = [row.hand, show_cards(row.example), up, str(row.weight), row.best, agree]
        yield row.weight, [*line, *exact, *floats]


@dataclass(frozen=True)
class HandAnalysis:
    """One hand before its player decides: what each legal choice is worth in Antes, counted and not sampled."""

    game: str
    cards: Hand
    up: Card | None
    hand: str
    dealer_hands: int
    cells: Mapping[tuple[bool, Versus], int]
    """Dealer's hands by whether they qualify and how the player's cards compare with them."""
    values: Mapping[str, Fraction]
    best: str
    ties: tuple[str, ...]
    exchanges: Mapping[Hand, Fraction] = field(default_factory=dict)
    """The value of every exchange by the cards given up, the best first; a game without exchanges has none."""
    restriction: str = ""
    """The decisions of the game that were not valued, in words."""

    def as_dict(self) -> dict[str, object]:
        return {
            "game": self.game,
            "cards": show_cards(self.cards),
            "up": None if self.up is None else show_card(self.up),
            "hand": self.hand,
            "restriction": self.restriction or None,
            "dealer_hands": self.dealer_hands,
            "cells": [
                {"qualifies": qualifies, "versus": str(versus), "dealer_hands": count}
                for (qualifies, versus), count in self.cells.items()
            ],
            "values": {name: str(value) for name, value in self.values.items()},
            "best": self.best,
            "ties": list(self.ties),
            "exchanges": {show_cards(cards): str(value) for cards, value in self.exchanges.items()},
        }


@public
def analyse_hand(
    game: Game,
    rules: Rules,
    cards: Hand,
    up: Card | None = None,
    deck: SmallDeck = FULL,
    exchange: bool = True,
    board: Hand = (),
    chosen: Sequence[str] = (),
    progress: Progress | None = None,
) -> HandAnalysis | StreetsAnalysis:
    """The value of every legal choice with these cards, by the counter of the game.

    Where a dealer plays, they are compared with every hand the dealer can have; without ``exchange`` the exchanges of
    a game that has them, which take a few seconds, are left out. Where cards are turned up one after the other,
    ``board`` has those that lie, and ``chosen`` what was chosen before.
    """
    if game.duel is None:
        if up is not None:
            raise UnreadableError(f"In {game.chapter.title} no dealer's card is seen: leave the up card out.")
        staged = play_of(game, rules, progress, deck)
        assert isinstance(staged, Staged), "without a duel a game is played street by street"
        return analyse(staged, cards, board, chosen)
    if board or chosen:
        raise UnreadableError(f"In {game.chapter.title} players are asked once, before any card is turned up.")
    return analyse_duel(game, rules, cards, up, deck, exchange)


def analyse_duel(
    game: Game, rules: Rules, cards: Hand, up: Card | None = None, deck: SmallDeck = FULL, exchange: bool = True
) -> HandAnalysis:
    """One hand against every hand the dealer can have."""
    duel = duel_of(game)
    _verify_hand(game, duel, cards, up, deck)
    order, known = duel.order, {*cards, *(() if up is None else (up,))}
    unseen = np.array([card for card in deck.cards.tolist() if card not in known], np.uint8)
    size = duel.dealer_cards - (up is not None)
    dealt = unseen[subsets_of(len(unseen), size)]
    if up is not None:
        dealt = np.concatenate([dealt, np.full((len(dealt), 1), up, np.uint8)], axis=1)
    scores, own = batch.evaluate(order, dealt), order.best(cards)[0]
    plays = scores >= (duel.qualifies or 0)
    compared = {Versus.LOWER: scores > own, Versus.EQUAL: scores == own, Versus.HIGHER: scores < own}
    cells = {(q, v): int(np.count_nonzero((plays if q else ~plays) & compared[v])) for q, v in CELLS}
    facts = duel.facts(rules, cards)
    options = duel.options(rules, facts)
    values = {
        choice.name: sum((n * net for n, net in zip(cells.values(), nets, strict=True)), Fraction(0)) / len(scores)
        for choice, nets in ((choice, option_nets(game, rules, facts, choice)) for choice in options)
    }
    exchanges: dict[Hand, Fraction] = {}
    if "buy" in game.decisions and len(options) > 1 and up is not None:
        values["buy"], exchanges = _draws(rules, deck, cards, up, exchange)
        if exchanges:
            values["exchange"] = next(iter(exchanges.values()))
    best = max(values, key=values.__getitem__)
    ties = tuple(name for name in values if name != best and values[name] == values[best])
    found = HandAnalysis(game.name, cards, up, order.describe(own), len(scores), cells, values, best, ties, exchanges)
    left_out = [each for each in game.decisions if not any(name.split()[0] == each for name in values)]
    if len(options) == 1 or not left_out:
        return found
    return replace(found, restriction=f"the choice to {' or '.join(left_out)} is not valued here")


def _draws(
    rules: Rules, deck: SmallDeck, cards: Hand, up: Card, exchange: bool
) -> tuple[Fraction, dict[Hand, Fraction]]:
    """What a sixth card is worth, and every exchange that the law allows, the best first."""
    from pitboss.exact.exchange import DrawValues

    table = DrawValues(rules, deck)
    held, (shown,) = deck.places(cards), deck.places((up,))
    worth = {}
    if exchange:
        for count in range(rules.figure("exchange_least"), rules.figure("exchange_most") + 1):
            for gone in combinations(cards, count):
                worth[gone] = table.exchange(held, shown, deck.places(gone))
    return table.buy(held, shown), dict(sorted(worth.items(), key=lambda each: each[1], reverse=True))


def _verify_hand(game: Game, duel: Duel, cards: Hand, up: Card | None, deck: SmallDeck) -> None:
    title = game.chapter.title
    if len(cards) != duel.player_cards:
        raise UnreadableError(f"A player of {title} decides on {duel.player_cards} cards, not {len(cards)}.")
    if duel.up_card and up is None:
        raise UnreadableError(f"A player of {title} sees one of the dealer's cards before deciding: name the up card.")
    if not duel.up_card and up is not None:
        raise UnreadableError(f"In {title} no dealer's card is seen before players decide: leave the up card out.")
    held = (*cards, *(() if up is None else (up,)))
    for place, card in enumerate(held):
        if card in held[:place]:
            raise UnreadableError(f"The card {show_card(card)} is named twice; there is only one in the deck.")
        if card not in deck.cards:
            raise UnreadableError(f"The card {show_card(card)} is not in this deck.")
