"""The best play of a game as arrays and answers, and what any other way of playing costs, exactly."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from pitboss.api.edges import Edge, variant_of
from pitboss.cards import Hand, parse_cards, show_cards
from pitboss.findings import UnreadableError
from pitboss.games.contract import Game
from pitboss.games.course import Sight
from pitboss.games.registry import GAMES
from pitboss.games.round import Decision
from pitboss.games.rules import Rules
from pitboss.names import listed
from pitboss.public import public

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from pitboss.exact.board import BoardPlay
    from pitboss.exact.plan import Staged
    from pitboss.exact.value import Valued

    Numbers = npt.NDArray[np.int64]
    Floats = npt.NDArray[np.float64]

Player = Callable[[Sight], "str | Decision"]
"""A way of deciding: what a player sees, and what they then choose, by name or in full."""
OWN = "own choices"


@dataclass(frozen=True)
class SolvedStep:
    """Every state at one decision. States that differ only by the names of suits are one, and ``weights`` counts them.

    On a given board every hand is a state of its own. Else, where a game has asked before, a state is a class of cards
    (rows) in a history of choices (columns).
    """

    name: str
    choices: tuple[str, ...]
    cards: "Numbers" = field(repr=False)
    """Cards by number, ``4 * rank + suit``: own ones and those turned up, one row for each state."""
    up: "Numbers | None" = field(repr=False)
    """The dealer's card that is seen; none where none is."""
    weights: "Numbers" = field(repr=False)
    values: "Floats" = field(repr=False)
    """What each choice is worth per unit, the choices last; not a number where it is not open."""
    best: "Numbers" = field(repr=False)
    """The best choice, as a place in ``choices``."""


@dataclass(frozen=True)
class Solution:
    """A game solved under given rules: the best choice of every state, counted and not sampled."""

    rules: Rules
    edge: Edge
    """The whole game under best play."""
    counted: "Valued | Staged" = field(repr=False, compare=False)
    """The counts behind the arrays."""

    @property
    def restriction(self) -> str:
        """What the arrays and ``evaluate`` leave out, where cards are drawn; ``edge``, ``ev`` and ``table`` do not."""
        return self.game.restriction

    @property
    def game(self) -> Game:
        return GAMES[self.rules.game]

    @property
    def expected_value(self) -> Fraction:
        """Per unit, to a player who plays as well as can be."""
        return self.edge.expected_value

    @cached_property
    def steps(self) -> tuple[SolvedStep, ...]:
        """The states of every decision as arrays; where hands share a board, of the first: ``on`` has the others."""
        return _steps(self)

    @public
    def on(self, board: str | Hand, chosen: Sequence[str] = ()) -> SolvedStep:
        """The decision when these cards lie on a board that all share: every hand that a player can hold then.

        Where earlier choices can differ, ``chosen`` says what they were.
        """
        return _on_board(self, _cards(board), chosen)

    @property
    def states(self) -> "Numbers":
        """The cards of every state of the first decision."""
        return self.steps[0].cards

    @property
    def weights(self) -> "Numbers":
        return self.steps[0].weights

    @property
    def values(self) -> "Floats":
        return self.steps[0].values

    @property
    def best(self) -> "Numbers":
        return self.steps[0].best

    @property
    def choices(self) -> tuple[str, ...]:
        """The names of the choices at the first decision."""
        return self.steps[0].choices

    @public
    def ev(
        self, cards: str | Hand, up: str | int | None = None, board: str | Hand = (), chosen: Sequence[str] = ()
    ) -> dict[str, Fraction]:
        """What each choice is worth with these cards, per unit; ``board`` has the cards turned up so far.

        Where the game has asked before, ``chosen`` says what was chosen; else it was the best that goes on.
        """
        from pitboss.exact.strategy import HandAnalysis, analyse_hand

        held, turned = (_cards(each) for each in (cards, board))
        seen = () if up is None else _cards(up)
        if up is not None and len(seen) != 1:
            raise UnreadableError(f"One card of the dealer's is seen, such as '7d', not {up!r}.")
        found = analyse_hand(self.game, self.rules, held, seen[0] if seen else None, board=turned, chosen=chosen)
        return dict(found.values if isinstance(found, HandAnalysis) else found.now.values)

    @public
    def evaluate(self, choices: "Player | npt.ArrayLike | Sequence[npt.ArrayLike]") -> Edge:
        """What another way of playing is worth, exactly.

        ``choices`` has a place in ``SolvedStep.choices`` for every state of the first decision, or a list of such
        arrays for all decisions; or it is a function from what a player sees to what they choose. Where hands share a
        board it is the array alone, and later decisions are the best after it.
        """
        from pitboss.api.strategies import played_by

        played = played_by(self, choices)
        reading = self.game.played if self.restriction else self.edge.reading
        return replace(self.edge, play=OWN, result=played.result, reading=reading, restriction=self.restriction)

    @public
    def table(self, path: str | Path, full: bool = False) -> int:
        """Write the strategy as CSV, grouped by hand or (``full``) state by state; how many rows it has."""
        from pitboss.exact.strategy import write_table

        return write_table(path, self.game, self.rules, None if self.game.whole else self.counted, full)

    def __reduce__(self) -> tuple[Callable[[Rules], "Solution"], tuple[Rules]]:
        """A pickle has the rules alone: the counts, half a gigabyte for some games, are found again in the cache."""
        return solve, (self.rules,)

    def __repr__(self) -> str:
        return f"<Solution: {self.rules}, {self.edge}>"


def _cards(given: str | int | Hand) -> Hand:
    if isinstance(given, str):
        return parse_cards(given)
    numbers = (given,) if isinstance(given, int) else tuple(given)
    if not all(isinstance(card, int) and 0 <= card < 52 for card in numbers):
        raise UnreadableError(f"Cards are written like 'As Td', not {given!r}.")
    return numbers  # type: ignore[return-value]


@public
def solve(rules: Rules) -> Solution:
    """The best play of a game, from the cache or counted now (extra ``exact``): seconds to a few minutes, once.

    Where the game lets players draw cards, the arrays are of the part without a draw, and ``restriction`` says so.
    """
    from pitboss.exact.edge import whole_game
    from pitboss.exact.engine import play_of

    variant, game = variant_of(rules, None), GAMES[rules.game]
    counted, whole = play_of(game, rules), whole_game(game, rules)
    result, restriction = (counted.result, "") if whole is None else (whole.result, whole.restriction)
    head = variant.wager, variant.letter, variant.reading, variant.cite, game.course.unit, restriction
    return Solution(rules, Edge(rules, *head, result=result), counted)


def _steps(solution: Solution) -> tuple[SolvedStep, ...]:
    import numpy as np

    from pitboss.exact.board import BoardPlay
    from pitboss.exact.board_lists import opening_classes
    from pitboss.exact.duel import NO_UP
    from pitboss.exact.solo import Play
    from pitboss.exact.strategy import worths
    from pitboss.exact.value import Valued

    counted = solution.counted
    if isinstance(counted, Valued):
        solved, grid = counted.solved, counted.grid
        cards = solved.deck.cards.astype(np.int64)
        up = None if solved.ups[0] == NO_UP else cards[solved.ups]
        values = np.concatenate(list(worths(counted)))
        (step,) = solution.game.course.decides
        hands, weights = cards[solved.hands], solved.weights.astype(np.int64)
        return (SolvedStep(step.name, grid.names, hands, up, weights, values, counted.picked.astype(np.int64)),)
    if isinstance(counted, Play):
        found = []
        for street in counted.streets:
            classes, legal = street.level.classes, street.choosing.legal
            whole = counted.counts.ways(street.choosing.seen) * street.unit
            values = np.where(legal[None], street.worth / whole, np.nan)
            hands = counted.counts.deck.cards.astype(np.int64)[classes.hands]
            best = street.picked.astype(np.int64)
            found.append(SolvedStep(street.step, street.names, hands, None, classes.weights, values, best))
        return tuple(found)
    assert isinstance(counted, BoardPlay), "there are two counters of games that ask more than once"
    classes, numbers = opening_classes(counted)
    return (_solved_step(counted, 0, 0, (), classes.hands, classes.weights, numbers),)


def _on_board(solution: Solution, board: Hand, chosen: Sequence[str]) -> SolvedStep:
    import numpy as np

    from pitboss.exact.board import BoardPlay
    from pitboss.exact.board_classes import every_pair

    play, title = solution.counted, solution.rules.chapter.title
    if not isinstance(play, BoardPlay):
        raise UnreadableError(f"In {title} no board is shared with the dealer: steps has every state.")
    if isinstance(chosen, str) or not all(isinstance(each, str) for each in chosen):
        raise UnreadableError(f"Earlier choices are listed by name, as in ('check',), not {chosen!r}.")
    for at, card in enumerate(board):
        if card in board[:at]:
            raise UnreadableError(f"The card {show_cards((card,))} is named twice; there is only one in the deck.")
    place = next((at for at, each in enumerate(play.plan.steps) if each.seen - play.plan.own == len(board)), None)
    if place is None:
        sizes = listed(str(each.seen - play.plan.own) for each in play.plan.steps)
        raise UnreadableError(f"A player of {title} is asked when {sizes} cards lie, not {len(board)}.")
    ways = {way: at for way, at in play.plan.ways[place].items() if not chosen or way == tuple(chosen)}
    if len(histories := {*ways.values()}) != 1:
        known = listed(map(repr, play.plan.ways[place]))
        raise UnreadableError(f"Say what was chosen before, chosen={known}, not {tuple(chosen)}.")
    pairs, lying = every_pair(play.counts.deck), play.counts.deck.places(board)
    free = np.flatnonzero(~np.isin(pairs, lying).any(axis=1))
    return _solved_step(play, place, histories.pop(), lying, pairs[free], np.ones(len(free), np.int64), free)


def _solved_step(
    play: "BoardPlay", place: int, history: int, board: "Sequence[int]", own: "npt.NDArray[np.uint8]",
    weights: "Numbers", numbers: "Numbers",
) -> SolvedStep:  # fmt: skip
    """One decision on one board, with pairs of cards by number."""
    import numpy as np

    street = play.asked[place]
    open_ = street.choosing.open_in(history)
    worth = street.weighed(board, numbers)[history, open_].T
    lying = np.broadcast_to(np.array(board, np.uint8), (len(own), len(board)))
    cards = play.counts.deck.cards.astype(np.int64)[np.concatenate([own, lying], axis=1)]
    names, whole = tuple(street.names[choice] for choice in open_), play.counts.ways(len(board)) * play.plan.unit
    return SolvedStep(street.step, names, cards, None, weights, worth / whole, worth.argmax(axis=1))
