"""Crazy 4 Poker, 58 Pa. Code Chapter 657a. Five cards each, the best four; Ante and Super Bonus, then Play or fold."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from pitboss.cards import ACE, KING
from pitboss.games import five_card_hand
from pitboss.games.contract import Game, Lines
from pitboss.games.course import FOLD, Decide, Option, Post, Sight, Times, against_dealer, posts
from pitboss.games.facts import DEALER, OWN, AtLeast, Chosen, Compare, Holds, Label, Selected, Versus, folded
from pitboss.games.round import Decision
from pitboss.games.rules import Rules
from pitboss.games.settlement import Pay, forfeit, lose, push
from pitboss.games.shared import by_table, even_money, higher_wins, table_line
from pitboss.hands import FOUR_CARD, facets

KING_HIGH = FOUR_CARD.at_least("high_card", KING)
"""657a.2(b)(7)(ii): the least hand with which the dealer plays."""
PAIR_OF_ACES = FOUR_CARD.at_least("pair", ACE)
LOST_UNQUALIFIED = "super-bonus-lost-unqualified"
"""The other reading of 657a.2(b)(7)(iv): returned only to a hand that beats or ties the dealer, qualified or not."""
SETTLED = "657a.11(c)"


@dataclass(frozen=True)
class Outcome:
    """A finished round of Crazy 4 Poker as one seat sees it."""

    folded: Annotated[bool, Chosen(folded)]
    qualifies: Annotated[bool, AtLeast(FOUR_CARD, KING_HIGH, DEALER)]
    versus: Annotated[Versus, Compare(FOUR_CARD, OWN, DEALER)]
    hand: Annotated[str, Label(facets.FOUR_OF_FIVE, OWN)]
    five_card: Annotated[str, Label(facets.FIVE, OWN)]
    dealer_five_card: Annotated[str, Label(facets.FIVE, DEALER)]
    six_card: Annotated[str, Label(facets.SIX, (*OWN, "six_card_bonus_card"))]
    magic_player: Annotated[bool, Holds(OWN, 5)]
    magic_dealer: Annotated[bool, Holds(DEALER, 5)]
    lucky_player: Annotated[bool, Selected(dealer=False)]
    lucky_dealer: Annotated[bool, Selected(dealer=True)]


LINES: Lines[Outcome] = Lines(Outcome)
five_card_hand.register(LINES, "657a.11(f)", "657a.11(f)(3)")


@LINES.rule("ante", ["folded", "qualifies", "versus"])
def ante(rules: Rules, outcome: Outcome) -> Pay:
    if outcome.folded:
        return forfeit("657a.11(b)", "No Play Wager was made, so the Ante is forfeited.")
    if not outcome.qualifies:
        return push(SETTLED, "The dealer has less than king high; the Ante is returned.")
    return higher_wins(rules, "ante", outcome.versus, SETTLED)


@LINES.rule("play", ["qualifies", "versus"])
def play(rules: Rules, outcome: Outcome) -> Pay:
    if not outcome.qualifies:
        return even_money(rules, "play", SETTLED, "The dealer has less than king high; the Play Wager wins and")
    return higher_wins(rules, "play", outcome.versus, SETTLED)


@LINES.rule("super_bonus", ["folded", "qualifies", "versus", "hand"])
def super_bonus(rules: Rules, outcome: Outcome) -> Pay:
    """Paid from a straight up whatever the dealer holds; below it returned, unless the dealer beat the hand."""
    if outcome.folded:
        return forfeit("657a.11(b)", "No Play Wager was made, so the Super Bonus Wager is forfeited.")
    if rules.odds("super_bonus", outcome.hand) is not None:
        return by_table(rules, "super_bonus", outcome.hand, SETTLED)
    strict = rules.reading("super_bonus") == LOST_UNQUALIFIED
    if outcome.versus == Versus.LOWER and (outcome.qualifies or strict):
        return lose(SETTLED, "Less than a straight, and the dealer's hand is higher.")
    return push("657a.2(b)(7)(iv)", "Less than a straight that the dealer did not beat: the wager is returned.")


queens_up = table_line(
    LINES, "queens_up", "hand", "657a.12(c)", folded=forfeit("657a.11(b)(1)", "Folding forfeits the Queens Up Wager.")
)


GIVEN_UP = forfeit("657a.11(b)(2)", "Folding forfeits the Progressive Payout Wager; Envy Bonuses may still be won.")
four_card_progressive = table_line(LINES, "four_card_progressive", "hand", "657a.11(e)", folded=GIVEN_UP)
five_card_progressive = table_line(LINES, "five_card_progressive", "five_card", "657a.11(e)", folded=GIVEN_UP)
six_card_bonus = table_line(LINES, "six_card_bonus", "six_card", "657a.11(g)(2)", "657a.11(g)(1)")


def _options(rules: Rules, sight: Sight | None) -> tuple[Option, ...]:
    """An Ante's worth, or up to three with a pair of aces or better."""
    big = sight is None or (len(sight.cards) >= FOUR_CARD.size and FOUR_CARD.best(sight.cards)[0] >= PAIR_OF_ACES)
    least = rules.figure("play_antes")
    most = rules.figure("play_most_antes") if big else least
    return Option("play", {"play": Times(least, most, whole=False, cite="657a.11(b)")}), FOLD


class Crazy4Poker(Game):
    """Ante, Super Bonus and Play against a dealer who plays with king high, and the chapter's optional wagers."""

    name = "crazy-4-poker"
    number = "657a"
    lines = LINES
    plain_wagers: Mapping[str, int] = {"ante": 1000, "super_bonus": 1000, "queens_up": 500, "six_card_bonus": 500}
    course = against_dealer(
        Decide("decision", "657a.11(b)", ("play", "fold"), _options),
        ("ante", "super_bonus", "queens_up", "four_card_progressive", "five_card_progressive"),
        SETTLED,
        *posts("ante", "play", "super_bonus", "queens_up"),
        Post("four_card_progressive", envy="hand", envy_cite="657a.12(d)(5)"),
        Post("five_card_progressive", envy="five_card", envy_cite="657a.12(e)(5)"),
        *five_card_hand.posts(),
        Post("six_card_bonus"),
        equal=("super_bonus",),
    )

    def plain_decision(self, rules: Rules, sight: Sight) -> Decision:
        """Play the most with a pair of aces or better, once with a pair or king high, else fold."""
        score = FOUR_CARD.best(sight.cards)[0]
        if score < KING_HIGH:
            return Decision("fold")
        big = score >= PAIR_OF_ACES
        return Decision("play", sight.stake * rules.figure("play_most_antes" if big else "play_antes"))
