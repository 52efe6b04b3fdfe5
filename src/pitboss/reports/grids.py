"""Best play as grids: hands in rows, what the player knows besides in columns, one sign for the choice in each cell.

Every cell is read from the solved game. A game against an up card has a column for each of its ranks, two cards before
a board are the square of players' charts, and a game without either has one column with its thresholds.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from pitboss.cards import DIAMONDS, RANKS, card_of
from pitboss.exact.plan import Asked, Staged
from pitboss.exact.streets import StreetsList
from pitboss.exact.value import Valued
from pitboss.games.contract import Game
from pitboss.names import shown
from pitboss.paper.model import Block, CellKind, Column, Listing, Remark

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from pitboss.exact.draw_table import DrawTable

MOSTLY: Final = Fraction(9, 10)
"""The share of hands below which the choice of a cell is only the commonest one."""
POCKET: Final = 2
BETTER, OTHER, LOWER = " or better", "other hands with ", "anything lower"
MORE: Final = "'"
MOST_RUNS: Final = 3
"""Thresholds within hands of one name that a grid tells apart."""


@dataclass(frozen=True)
class Cell:
    """The commonest choice of the hands of a cell, by its place, and whether nearly all of them are played so."""

    choice: int
    alone: bool = True


@dataclass(frozen=True)
class StrategyGrid:
    """One decision. ``choices`` begins with the largest wager."""

    title: str
    choices: tuple[str, ...]
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Cell | None, ...]], ...]
    about: str = ""
    """How to read it, where that doesn't go without saying."""

    @property
    def signs(self) -> tuple[str, ...]:
        """One short sign for each choice.

        >>> StrategyGrid("", ("play 3x", "play 1x", "exchange_2", "buy", "fold"), (), ()).signs
        ('3', '1', '2', '+', 'F')
        """
        return tuple(map(_sign, self.choices))

    def blocks(self) -> Iterator[Block]:
        """The grid and what its signs mean."""
        columns = (Column("hand", "Hand"), *(Column(each or "choice", each, CellKind.CHOICE) for each in self.columns))
        words = len(self.columns) == 1
        named = tuple(map(in_words, self.choices)) if words else self.signs
        rows = tuple((hand, *(_shown(cell, named) for cell in cells)) for hand, cells in self.rows)
        yield Listing("grid", columns, rows, choices=named, title=self.title, headed=not words)
        mixed = any(cell is not None and not cell.alone for _, cells in self.rows for cell in cells)
        used = {cell.choice for _, cells in self.rows for cell in cells if cell is not None}
        signed = [(self.signs[at], in_words(name)) for at, name in enumerate(self.choices) if at in used]
        meant = [] if words else [f"{sign} {name}" for sign, name in signed]
        some = [f"{MORE} for fewer than nine in ten of these hands"] if mixed else []
        if text := ". ".join(filter(None, (self.about, ", ".join([*meant, *some])))):
            yield Remark(f"{text}.", tone="fine")


def in_words(choice: str) -> str:
    return choice.replace("_", " ")


def _sign(choice: str) -> str:
    last = in_words(choice).rpartition(" ")[2]
    return last.removesuffix("x") if last[:1].isdigit() else "+" if choice == "buy" else choice[:1].upper()


def _shown(cell: Cell | None, named: Sequence[str]) -> str:
    return "" if cell is None else named[cell.choice] + ("" if cell.alone else MORE)


def merged(rows: Iterable[tuple[str, tuple[Cell | None, ...]]]) -> tuple[tuple[str, tuple[Cell | None, ...]], ...]:
    """Put neighbors that are played alike into one row; a cell that no hand falls into is like any."""
    found: list[tuple[str, str, tuple[Cell | None, ...]]] = []
    for name, cells in rows:
        first, _, before = found[-1] if found else ("", "", ())
        if found and all(one == other or not one or not other for one, other in zip(before, cells, strict=True)):
            found[-1] = first, name, tuple(one or other for one, other in zip(before, cells, strict=True))
        else:
            found.append((name, name, cells))
    return tuple((_range(first, last, not at), cells) for at, (first, last, cells) in enumerate(found))


def _range(first: str, last: str, top: bool) -> str:
    """Several kinds of hands in words; a threshold that all better hands reach says it all.

    >>> _range("royal flush", "Q-6-4 or better", True), _range("other hands with queen high", "5 high", False)
    ('Q-6-4 or better', 'anything lower')
    """
    if first == last:
        return first
    if top and last.endswith(BETTER):
        return last
    return LOWER if first.startswith(OTHER) else f"{first} to {last.removesuffix(BETTER)}"


def cell_of(weights: "npt.NDArray[np.float64]") -> Cell | None:
    """The cell of hands by choice; None where there are no such hands."""
    if not weights.any():
        return None
    return Cell(int(weights.argmax()), bool(weights.max() >= float(MOSTLY) * weights.sum()))


def grids_of(game: Game, best: Valued | Staged) -> tuple[StrategyGrid, ...]:
    """The grids of a solved game."""
    if isinstance(best, Staged):
        first = best.asked[0]
        return (_pocket(first),) if first.choosing.seen == POCKET else ()
    return (_by_hand(game, best),)


def _by_hand(game: Game, best: Valued) -> StrategyGrid:
    """Hands in words by the dealer's up card, or, without one, by threshold."""
    import numpy as np

    from pitboss.exact.rulelist import ladder, threshold_words, up_ranks

    assert game.duel is not None
    order, wagered = game.duel.order, best.grid.wagered
    names = tuple(sorted(best.grid.names, key=lambda name: wagered[name], reverse=True))
    rungs, (ups, ranks) = ladder(game.duel, best), up_ranks(best.solved)
    choice_of = np.array([names.index(name) for name in best.grid.names])
    counts = np.zeros((len(rungs.scores), len(ranks), len(names)))
    np.add.at(counts, (rungs.rung_of_kind[best.solved.kinds], ups, choice_of[best.picked]), best.solved.weights)
    rungs_of: dict[str, list[int]] = {}
    for rung in range(len(rungs.scores) - 1, -1, -1):
        rungs_of.setdefault(order.describe(int(rungs.scores[rung])), []).append(rung)
    rows: list[tuple[str, tuple[Cell | None, ...]]] = []
    scores = rungs.scores.tolist()
    for hand, held in rungs_of.items():
        runs = _runs([int(counts[rung, 0].argmax()) for rung in held]) if len(ranks) == 1 else []
        if 1 < len(runs) <= MOST_RUNS:
            for at, (first, last) in enumerate(runs):
                lowest = threshold_words(order, scores[held[last - 1]], scores)
                name = f"{OTHER}{hand}" if at == len(runs) - 1 else lowest.removeprefix("a ") + BETTER
                rows.append((name, (cell_of(counts[held[first:last], 0].sum(axis=0)),)))
        else:
            cells = counts[held].sum(axis=0)
            rows.append((hand, tuple(map(cell_of, cells))))
    columns = tuple("" if rank is None else RANKS[rank].replace("T", "10") for rank in ranks)
    return StrategyGrid("", names, columns, merged(rows), "" if len(ranks) == 1 else "Columns: the dealer's up card")


def _runs(choices: Sequence[int]) -> list[tuple[int, int]]:
    """Where equal choices begin and end."""
    starts = [at for at, each in enumerate(choices) if not at or choices[at - 1] != each]
    return list(zip(starts, [*starts[1:], len(choices)], strict=True))


def _pocket(asked: Asked) -> StrategyGrid:
    """Two cards: of one suit above the diagonal of pairs, of two below it, as players draw it."""
    rows = []
    ranks = range(len(RANKS) - 1, -1, -1)
    names = {asked.names[at]: put.wagered for at, put in asked.puts[0].items()}
    order = tuple(sorted(names, key=lambda name: names[name], reverse=True))
    for one in ranks:
        cells = []
        for other in ranks:
            high, low = max(one, other), min(one, other)
            values = asked.values((card_of(low, 0), card_of(high, 0 if other < one else DIAMONDS)), 0)
            cells.append(Cell(order.index(max(values, key=values.__getitem__))))
        rows.append((RANKS[one], tuple(cells)))
    about = "Two cards of one suit stand above the diagonal of pairs, others below it"
    return StrategyGrid(shown(asked.step), order, tuple(RANKS[rank] for rank in ranks), tuple(rows), about)


def drawn_grid(laid: "DrawTable") -> StrategyGrid:
    """The grid of a game in which cards are drawn."""
    rows = ((kind, tuple(map(cell_of, made))) for kind, made in laid.kinds.items())
    return StrategyGrid("", tuple(laid.names), tuple(laid.columns), merged(rows), "Columns: the dealer's up card")


def rule_blocks(found: StreetsList, without: frozenset[str] = frozenset()) -> Iterator[Block]:
    """The rules of each street, one a row; the first that fits the cards is played."""
    rows = [
        (shown(step), rule.words or "anything else", in_words(rule.choice))
        for step, rules in found.rules.items()
        if step not in without
        for rule in rules
    ]
    puts = [(street.names[at], put.wagered) for street in found.play.streets for at, put in street.puts[0].items()]
    wagered = {in_words(name): most for name, most in sorted(puts, key=lambda each: each[1])}
    choices = tuple(sorted(filter(None, wagered), key=lambda choice: wagered[choice], reverse=True))
    columns = (Column("street", "Decision"), Column("hand", "Cards"), Column("choice", "Choice", CellKind.CHOICE))
    yield Listing("rules", columns, tuple(rows), choices=choices, title="The first line that fits your cards")
    if found.points:
        yield Remark(found.points, tone="fine")


__all__ = ["MOSTLY", "Cell", "StrategyGrid", "drawn_grid", "grids_of", "rule_blocks"]
