"""What players at one hold'em table gain who show each other their cards before they choose.

For a class of own cards the play of a seat that knows nothing more is found first, and then each sampled deal to the
other seats is valued on every board against every hand of the dealer: best play with the cards of others known, less
that play on the same deal. No decision is made from a sample, so the gains are exact and only their mean is sampled.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from math import comb, perm
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from pitboss.cards import RANKS
from pitboss.exact import seats_board_kernels as kernels
from pitboss.exact.board import PLAYING_CODE, plan_of
from pitboss.exact.board_classes import PAIR
from pitboss.exact.board_counts import BoardCounts, CommonBoard, looking_up, unranked
from pitboss.exact.board_sums import linear
from pitboss.exact.decks import BINOMIAL, Ints, Places, SmallDeck
from pitboss.exact.facets import NotCountedError
from pitboss.exact.plan import ChoicePlan
from pitboss.exact.seats_stages import Stages, stages_of
from pitboss.games.contract import Game
from pitboss.games.rules import Rules

BOARD_CODE = (*PLAYING_CODE, "exact/seats_board_kernels.py", "exact/seats_board.py")
STAGES: Final = (5, 4, 3, 0)
"""Cards of the board at which something may be decided, from the last."""


@lru_cache(maxsize=1)
def _groups(deck: SmallDeck, cards: int) -> tuple[npt.NDArray[np.int32], Places]:
    """The group of every board, and a board of each group."""
    groups = np.zeros(comb(deck.size, cards), np.int32)
    examples = np.zeros((kernels.GROUPS, cards), np.uint8)
    weights = np.array([[comb(rank + place, place + 1) for rank in range(len(RANKS))] for place in range(cards)])
    kernels.group_boards(deck.size, np.array(deck.ranks, np.int64), weights, BINOMIAL, groups, examples)
    return groups, examples


@dataclass(frozen=True)
class BoardGains:
    """Values the gains of deals to other seats, for one class of own cards at a time."""

    counts: BoardCounts
    plan: ChoicePlan
    stages: Stages
    lines: Ints

    @classmethod
    def of(cls, game: Game, rules: Rules, board: CommonBoard, deck: SmallDeck) -> "BoardGains":
        counts = unranked(board, deck)
        if board.cards != kernels.BOARD or board.order.size != kernels.BOARD:
            raise NotCountedError(f"Other seats' cards are not counted in {game.name}: its board is not five cards.")
        plan = plan_of(game, rules, counts)
        lines = linear(counts, plan)
        lines[:, :, 3] //= counts.dealt
        finals = lines.transpose(1, 0, 2).reshape(len(plan.finals), -1)
        return cls(counts, plan, stages_of(plan, [PAIR + size for size in STAGES], finals), lines)

    @property
    def asked(self) -> object:
        """What the gains depend on besides the structure of the game."""
        stages = self.stages
        return self.lines.tolist(), [part.tolist() for part in (stages.mode, stages.which, stages.ended)]

    def ways(self, known: int) -> int:
        """What the gain of a deal is summed over, where so many cards are known."""
        left = self.counts.deck.size - known
        return comb(left, 3) * perm(left - 3, 2) * comb(left - 5, PAIR) * self.plan.unit

    def of_class(self, own: Places, others: Places) -> tuple[Ints, int]:
        """The gain of each deal to other seats, and what the play of a seat that knows none is worth."""
        ranks, weights, mixed, flush, _, kinds = looking_up(self.counts)
        groups, examples = _groups(self.counts.deck, self.counts.board.cards)
        reaches = self.counts.reaches[kinds]
        least, gains, stages = int(reaches.argmax()), np.zeros(len(others), np.int64), self.stages
        value: Callable[..., Any] = kernels.gains_on_board
        normal = value(
            self.counts.deck.size, own, others, groups, examples, ranks, weights, mixed, flush, kinds, least,
            self.lines, stages.mode, stages.which, stages.columns, stages.legal, stages.follows, stages.ended,
            stages.best_of, stages.usual_of, BINOMIAL, gains,
        )  # fmt: skip
        return gains, int(normal)
