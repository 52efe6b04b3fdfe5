"""Poker hands: the rank orders of the chapters and the names of their pay-table rows."""

from pitboss.hands.orders import FIVE_CARD, FOUR_CARD, LUNAR, ORDERS, THREE_CARD, RankOrder

__all__ = ["FIVE_CARD", "FOUR_CARD", "LUNAR", "ORDERS", "THREE_CARD", "RankOrder"]
