"""What the hold'em games share: two cards of one's own, two of the dealer's, and a board of five for both."""

from pitboss.games.facts import COMMUNITY, DEALER, OWN, Compare, Holds, Label, Selected
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
