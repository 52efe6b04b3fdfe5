"""What the hold'em games share: two cards of one's own, two of the dealer's, and a board of five for both."""

from pitboss.games.facts import COMMUNITY, DEALER, OWN, Compare, Holds, Label, Selected, Versus
from pitboss.hands import FIVE_CARD, facets

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
SIX_SEEN = Label(facets.FIVE_OF_SIX, PLAYER_SEVEN)
"""Two cards and the first four of the board."""


def improves_flop(hand: str, flop: str) -> bool:
    """Whether five cards are called more than the flop alone makes them."""
    return hand != (flop if flop in ("pair", "three_of_a_kind") else "high_card")


def improves_turn(hand: str, board: str) -> bool:
    """Whether six cards are called more than the first four of the board alone make them."""
    return hand != next((name for name in _GROUPS if name in _BROAD.get(board, board)), "high_card")


def improves_board(hand: str, board: str, versus: Versus) -> bool:
    """Whether a hand is called more than the board, has better cards than a paired board, or the board is made."""
    made = board not in ("high_card", "pair", "two_pair", "three_of_a_kind")
    return made or hand != board or (board != "high_card" and versus == Versus.HIGHER)


_GROUPS = ("four_of_a_kind", "three_of_a_kind", "two_pair", "pair")
_BROAD = {"four_aces": "four_of_a_kind", "three_aces": "three_of_a_kind", "aces_and_queens": "two_pair"}
