"""Ways of looking at cards that yield a label: how many cards, which label, and what the label depends on.

Games name the facet behind each fact of their outcome; counting engines count facets and know no game.
"""

from collections.abc import Callable
from dataclasses import dataclass

from pitboss.cards import ACE, Hand
from pitboss.hands.labels import (
    BEST_FIVE_LABELS,
    COLOR_LABELS,
    FIVE_CARD_LABELS,
    FOUR_CARD_LABELS,
    HIGHER_LABELS,
    LUNAR_LABELS,
    POCKET_LABELS,
    SIX_CARD_LABELS,
    SIX_COLOR_LABELS,
    START_LABELS,
    STUD_LABELS,
    SUPER_LABELS,
    THREE_CARD_LABELS,
    THREE_COLOR_LABELS,
    TWO_LABELS,
    best_five_label,
    color_label,
    five_card_label,
    four_card_label,
    higher_label,
    lunar_label,
    pocket_label,
    six_card_label,
    six_color_label,
    start_label,
    stud_label,
    super_label,
    three_card_label,
    three_color_label,
    two_label,
)
from pitboss.hands.orders import FIVE_CARD, FOUR_CARD, LUNAR, ONE_CARD, THREE_CARD, TWO_CARD, RankOrder


@dataclass(frozen=True)
class Facet:
    """One way of looking at some cards: how many, which label, and what the label depends on."""

    cards: int
    label: Callable[[Hand], str]
    order: RankOrder | None = None
    """The ranking whose score the label depends on; none if it looks at colours alone."""
    colours: bool = False
    suited_from: int | None = None
    """The least score from which the label depends on the suit itself."""
    labels: tuple[str, ...] = ()
    """Every label that there is, the best first."""


_MINI_ROYAL = THREE_CARD.at_least("straight_flush", ACE)
_ROYAL = FIVE_CARD.at_least("royal_flush")
THREE = Facet(3, three_card_label, THREE_CARD, suited_from=_MINI_ROYAL, labels=THREE_CARD_LABELS)
FOUR = Facet(4, four_card_label, FOUR_CARD, labels=FOUR_CARD_LABELS)
FOUR_OF_FIVE = Facet(5, four_card_label, FOUR_CARD, labels=FOUR_CARD_LABELS)
FOUR_OF_SIX = Facet(6, four_card_label, FOUR_CARD, labels=FOUR_CARD_LABELS)
FIVE = Facet(5, five_card_label, FIVE_CARD, suited_from=_ROYAL, labels=FIVE_CARD_LABELS)
FIVE_OF_SIX = Facet(6, five_card_label, FIVE_CARD, suited_from=_ROYAL, labels=FIVE_CARD_LABELS)
FIVE_OF_SEVEN = Facet(7, best_five_label, FIVE_CARD, labels=BEST_FIVE_LABELS)
"""Two cards and a board of five."""
SIX = Facet(6, six_card_label, FIVE_CARD, suited_from=_ROYAL, labels=SIX_CARD_LABELS)
STUD = Facet(5, stud_label, FIVE_CARD, labels=STUD_LABELS)
LUNAR_FIVE = Facet(5, lunar_label, LUNAR, labels=LUNAR_LABELS)
SUPER = Facet(5, super_label, FIVE_CARD, colours=True, labels=SUPER_LABELS)
COLOR = Facet(5, color_label, colours=True, labels=COLOR_LABELS)
THREE_COLOR = Facet(3, three_color_label, colours=True, labels=THREE_COLOR_LABELS)
SIX_COLOR = Facet(6, six_color_label, colours=True, labels=SIX_COLOR_LABELS)
TWO = Facet(1, two_label, ONE_CARD, labels=TWO_LABELS)
POCKET = Facet(2, pocket_label, TWO_CARD, labels=POCKET_LABELS)
START = Facet(2, start_label, TWO_CARD, labels=START_LABELS)
HIGHER_OF_TWO = Facet(2, higher_label, TWO_CARD, labels=HIGHER_LABELS)
