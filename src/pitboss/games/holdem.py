"""What the hold'em games share: two cards of one's own, two of the dealer's, and a board of five for both."""

from collections.abc import Mapping
from types import MappingProxyType

from pitboss.cards import JACK, KING, QUEEN, RANK_NAMES
from pitboss.games.facts import COMMUNITY, DEALER, OWN, Compare, Holds, Label, Look, Selected
from pitboss.hands import FIVE_CARD, facets
from pitboss.hands.labels import STRONG_START

PLAYER_SEVEN = OWN + COMMUNITY
DEALER_SEVEN = DEALER + COMMUNITY
PAIR = FIVE_CARD.at_least("pair")
"""The least hand with which a dealer plays where one must qualify."""

VERSUS = Compare(FIVE_CARD, PLAYER_SEVEN, DEALER_SEVEN)
HAND, DEALER_HAND = (Label(facets.FIVE_OF_SEVEN, places) for places in (PLAYER_SEVEN, DEALER_SEVEN))
FLOP_HAND, DEALER_FLOP_HAND = (Label(facets.FIVE, places) for places in (PLAYER_SEVEN, DEALER_SEVEN))
"""Two cards and the flop, the first three cards of the board."""
SIX_CARD = Label(facets.SIX, (*OWN, "six_card_bonus_cards"))
MAGIC_PLAYER, MAGIC_DEALER = (Holds(places, FIVE_CARD.size) for places in (PLAYER_SEVEN, DEALER_SEVEN))
LUCKY_PLAYER, LUCKY_DEALER = Selected(dealer=False), Selected(dealer=True)
FLOP, TURN, BOARD = (Label(facet, COMMUNITY) for facet in (facets.THREE, facets.FOUR, facets.FIVE))
"""The first three, four and five cards of the board by themselves."""
START, HIGHER_OWN = Label(facets.START, OWN), Label(facets.HIGHER_OF_TWO, OWN)
SIX_SEEN = Label(facets.FIVE_OF_SIX, PLAYER_SEVEN)
"""Two cards and the first four of the board."""


def improves_flop(hand: str, flop: str) -> bool:
    """Whether five cards are called anything that the flop alone does not make."""
    return hand != (flop if flop in ("pair", "three_of_a_kind") else "high_card")


def improves_turn(hand: str, board: str) -> bool:
    """Whether six cards are called anything that the first four of the board alone do not make."""
    return hand != next((name for name in _GROUPS if _BROAD.get(board, board).startswith(name)), "high_card")


def improves_board(hand: str, board: str, higher: str) -> bool:
    """Whether a hand is of a better category than the board, or has a high card beside it."""
    return hand != board or RANK_NAMES.index(higher) >= _KICKERS.get(board, 0)


def plain_play(start: str, play: str) -> Mapping[str, Look]:
    """How a plain player decides who may bet once: with a strong start, or with what is better than the board."""
    return MappingProxyType(
        {
            "preflop": Look((START,), lambda cards: start if cards == STRONG_START else "check"),
            "flop": Look((FLOP_HAND, FLOP), lambda hand, flop: play if improves_flop(hand, flop) else "check"),
            "river": Look(
                (HAND, BOARD, HIGHER_OWN),
                lambda hand, board, higher: play if improves_board(hand, board, higher) else "fold",
            ),
        }
    )


_GROUPS = ("four_of_a_kind", "three_of_a_kind", "two_pair", "pair")
_BROAD = {"four_aces": "four_of_a_kind", "three_aces": "three_of_a_kind", "aces_and_queens": "two_pair"}
_KICKERS = {"high_card": KING, "pair": QUEEN, "two_pair": JACK, "three_of_a_kind": JACK}
"""The least card of one's own with which to play a board that one does not improve; any with a better board."""
