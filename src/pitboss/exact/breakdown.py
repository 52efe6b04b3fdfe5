"""The main wagers line by line: in how many deals each row of a pay table pays, and what that contributes.

The lines of a round are settled together, so the distribution of their sum says nothing of one of them. Here every end
of a round that was counted is asked for the pay of each line.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from pitboss.exact.board import BoardPlay
from pitboss.exact.board_counts import BoardCounts
from pitboss.exact.decks import Ints
from pitboss.exact.edge import tables_read
from pitboss.exact.figures import PaidRow, paying_rows
from pitboss.exact.plan import ENDED, Staged
from pitboss.exact.solo import Play
from pitboss.exact.value import CELLS, Valued
from pitboss.games.contract import Game
from pitboss.games.rules import Rules
from pitboss.games.structure import Facts, Outlay

Ends = Iterator[tuple[Outlay, Sequence[Facts], int]]
"""What was laid out, the facts of one or several ends that are paid alike, and the deals with them."""


@dataclass(frozen=True)
class LinePart:
    """Deals in which a line is paid alike, by the same row at the same stake."""

    line: str
    result: str
    """Win, lose, push; empty where the line is not made or not paid."""
    row: PaidRow | None
    """The row that alone decides the pay."""
    stake: Fraction
    """In units of the main wager."""
    net: Fraction
    """Per unit of the main wager."""
    ways: int
    cycle: int
    """All deals."""

    @property
    def chance(self) -> Fraction:
        return Fraction(self.ways, self.cycle)

    @property
    def contribution(self) -> Fraction:
        """To the expected value, in units of the main wager."""
        return self.chance * self.net


def line_parts(game: Game, rules: Rules, play: Valued | Staged) -> tuple[LinePart, ...]:
    """Every line of the main wagers, in the order of the course; nothing where ends do not settle a line alike.

    Each line's deals sum to the cycle, and all contributions to the expected value, exactly: anything else is a fault
    of ours and raises ``AssertionError``.
    """
    if rules.unit_stake is not None:
        return ()
    lines = tuple(dict.fromkeys(post.line for post in game.main_posts))
    rows = {line: paying_rows(game, rules, line, tables_read(game, rules, [line])) for line in lines}
    found: dict[tuple[str, str, PaidRow | None, Fraction, Fraction], int] = {}
    for laid, ends, ways in _ends(game, rules, play):
        outcomes = [game.lines.known({**facts, **laid.facts}) for facts in ends]
        for line in lines:
            alike = {_settled(game, rules, line, laid, outcome, rows[line]) for outcome in outcomes}
            if len(alike) > 1:
                return ()
            (key,) = alike
            found[key] = found.get(key, 0) + ways
    cycle = play.deals
    parts = [LinePart(*key, ways, cycle) for key, ways in found.items()]
    for line in lines:
        counted = sum(part.ways for part in parts if part.line == line)
        assert counted == cycle, f"{counted} deals of {line}, not {cycle}"
    total = sum((part.contribution for part in parts), Fraction(0))
    assert total == play.result.expected_value, f"the lines of {game.name} come to {total}"
    return tuple(sorted(parts, key=lambda part: (lines.index(part.line), part.net, part.stake, part.result)))


def _settled(
    game: Game, rules: Rules, line: str, laid: Outlay, outcome: Any, rows: Mapping[tuple[Any, ...], PaidRow]
) -> tuple[str, str, PaidRow | None, Fraction, Fraction]:
    stake = laid.stakes.get(line, Fraction(0))
    pay = game.lines.pay(line, rules, outcome) if stake else None
    if pay is None:
        return line, "", None, Fraction(0), Fraction(0)
    per_unit = pay.per_unit() or Fraction(0)
    row = rows.get(game.lines.code(line, outcome)) if per_unit > 0 else None
    return line, str(pay.result.value), row, stake, stake * per_unit


def _ends(game: Game, rules: Rules, play: Valued | Staged) -> Ends:
    if isinstance(play, Valued):
        assert game.duel is not None, "a valued duel has one"
        grid = play.grid
        for fact, choice, cell in np.argwhere(play.tallies):
            options = game.duel.options(rules, grid.facts[fact])
            laid = next(each for each in options if each.name == grid.names[choice])
            qualifies, versus = CELLS[cell]
            facts = {"qualifies": qualifies, "versus": versus, **grid.facts[fact]}
            yield laid, (facts,), int(play.tallies[fact, choice, cell])
        return
    assert isinstance(play, Play | BoardPlay), "there are two counters of games that ask more than once"
    kinds = _kinds(play)
    everything = [facts for kind in kinds for facts in kind]
    for choosing, made in zip(play.plan.steps, play.made, strict=True):
        for history, choice in np.argwhere((choosing.follows == ENDED) & (made > 0)):
            yield choosing.puts[history][int(choice)], everything, int(made[history, choice])
    finals = deals_by_end(play)
    for history, kind in np.argwhere(finals):
        yield play.plan.finals[history], kinds[kind], int(finals[history, kind])


def deals_by_end(play: Play | BoardPlay) -> Ints:
    """Deals by final history and kind of end."""
    return play.finals if isinstance(play, Play) else by_cell(play.counts, play.joint[: len(play.plan.finals)])


def by_cell(counts: BoardCounts, joint: Ints) -> Ints:
    """Deals by history, both hands' kinds and how they compare, as deals by history and end."""
    reaches = counts.reaches
    cells = np.concatenate([joint[:, :, ~reaches].sum(axis=2), joint[:, :, reaches].sum(axis=2)], axis=2)
    return np.asarray(cells.reshape(len(joint), -1))


def _kinds(play: Play | BoardPlay) -> Sequence[Sequence[Facts]]:
    """The facts of every kind of end, in the order of the counts."""
    if isinstance(play, BoardPlay):
        board = play.counts.board
        return [
            ({**kind, board.compare: versus, **({board.qualifies[0]: qualifies} if board.qualifies else {})},)
            for kind in play.counts.kinds
            for qualifies, versus in CELLS
        ]
    return [tuple({play.counts.solo.fact: label} for label in kind) for kind in play.counts.kinds]
