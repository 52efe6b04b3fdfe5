"""The measures of a felt on the screen. Players see the dealer at the top; the dealer sees everything turned round."""

from dataclasses import dataclass
from typing import Literal

Side = Literal["player", "dealer"]
BOARD = 1200.0
MARGIN = 18.0
SEATS_AT = 214.0
"""Where the outer seats begin; those in the middle lie lower, on the curve of the table."""
DEPTH = 96.0
ROW, GAP = 68.0, 5.0
CARD, CARDS_HIGH, PLATE = 52.0, 78.0, 34.0
CARD_ROW = 50.0
"""How far a second row of cards lies below the first: rank and suit of both are seen."""
FELT, RAIL, BRASS, CREAM, DIM = "#1a5640", "#3b2417", "#e9d9a6", "#fbf6e3", "#123c2d"
NUMBER_HIGH = 78.0
"""The box of one number, where all seats bet on numbers of a wheel."""
CELL, ACROSS, TITLE_HIGH = 96.0, 15, 92.0
"""Areas that all seats share: how high each is, how many stand side by side, and the room above them."""


@dataclass(frozen=True)
class Box:
    """A rectangle on the board."""

    x: float
    y: float
    wide: float
    high: float


@dataclass(frozen=True)
class Board:
    """The measures of one felt."""

    seats: int
    rows: int
    side: Side
    cards: int = 1
    """Rows of cards at a seat; 0 where seats have none."""
    shared: int = 0
    """Rows of areas that all seats share."""

    @property
    def panel(self) -> float:
        return min((BOARD - 2 * MARGIN) / self.seats, 240.0)

    @property
    def panel_high(self) -> float:
        return self.rows * (ROW + GAP) + self.cards_high + PLATE + 8

    @property
    def cards_high(self) -> float:
        return CARDS_HIGH + (self.cards - 1) * CARD_ROW if self.cards else 0.0

    @property
    def seats_at(self) -> float:
        return SEATS_AT + (TITLE_HIGH + self.shared * (CELL + GAP) if self.shared else 0)

    @property
    def high(self) -> float:
        return self.seats_at + DEPTH + self.panel_high + MARGIN + 14

    def drop(self, x: float) -> float:
        """How far the curve lies below the outer seats."""
        return DEPTH * (1 - ((x - BOARD / 2) / (BOARD / 2)) ** 2)

    def seat(self, number: int) -> Box:
        """The panel of a seat; seat 1 is at the dealer's left, which players see at the right."""
        left = BOARD / 2 + self.panel * (self.seats / 2 - number)
        return Box(left, self.seats_at + self.drop(left + self.panel / 2), self.panel, self.panel_high)

    def turned(self, box: Box) -> Box:
        """Where a box lies for this viewer."""
        if self.side == "player":
            return box
        return Box(BOARD - box.x - box.wide, self.high - box.y - box.high, box.wide, box.high)
