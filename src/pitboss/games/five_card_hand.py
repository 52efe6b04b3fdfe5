"""The Five Card Hand Bonus with its Magic Card and Lucky Bonus, as 641a and 649a both have it."""

from dataclasses import dataclass
from typing import Any

from pitboss.games.contract import Lines
from pitboss.games.course import Post
from pitboss.games.rules import Rules
from pitboss.games.settlement import Pay
from pitboss.games.shared import by_table, matched

PLAYER, DEALER = "five_card_hand_player", "five_card_hand_dealer"


@dataclass(frozen=True)
class FiveCardHand:
    """One of the two hands the bonus may be wagered on, with the facts of the outcome that decide it."""

    wager: str
    whose: str
    hand: str
    magic: str
    lucky: str


HANDS = (
    FiveCardHand(PLAYER, "player", "five_card", "magic_player", "lucky_player"),
    FiveCardHand(DEALER, "dealer", "dealer_five_card", "magic_dealer", "lucky_dealer"),
)


OWN_HAND = (FiveCardHand("five_card_hand", "player", "five_card", "magic_player", "lucky_player"),)
"""Where there is no dealer's hand to wager on."""


def register(lines: Lines[Any], cite: str, paid: str, hands: tuple[FiveCardHand, ...] = HANDS) -> None:
    """Add the lines of the bonus to a game whose outcome carries the facts that the hands name."""
    for hand in hands:
        _register_hand(lines, hand, cite, paid)


def _register_hand(lines: Lines[Any], hand: FiveCardHand, cite: str, paid: str) -> None:
    @lines.rule(hand.wager, [hand.hand])
    def main(rules: Rules, outcome: Any) -> Pay:
        return by_table(rules, "five_card_hand", getattr(outcome, hand.hand), paid, cite)

    @lines.rule(f"magic_card {hand.whose}", [hand.magic])
    def magic_card(rules: Rules, outcome: Any) -> Pay | None:
        why = f"The Magic Card is among the {hand.whose}'s cards."
        return matched(rules, "magic_card", getattr(outcome, hand.magic), paid, why)

    @lines.rule(f"lucky_bonus {hand.whose}", [hand.lucky])
    def lucky_bonus(rules: Rules, outcome: Any) -> Pay | None:
        why = f"The {hand.whose}'s position was selected for the Lucky Bonus."
        return matched(rules, "lucky_bonus", getattr(outcome, hand.lucky), paid, why)


def posts(hands: tuple[FiveCardHand, ...] = HANDS) -> tuple[Post, ...]:
    """The bonus on either hand, each followed by its Magic Card and Lucky Bonus.

    A percentage won on the dealer's hand is divided equally among all who wagered on that hand.
    """
    return tuple(
        post
        for hand in hands
        for post in (
            Post(hand.wager),
            Post(f"magic_card {hand.whose}", on=hand.wager, called="magic_card"),
            Post(f"lucky_bonus {hand.whose}", on=hand.wager, called="lucky_bonus"),
        )
    )
