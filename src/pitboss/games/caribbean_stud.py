"""Caribbean Stud, 58 Pa. Code Chapter 639a. Five cards each, one dealer card up; bet two Antes or fold."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from pitboss.games import five_card_hand
from pitboss.games.contract import Game, Lines
from pitboss.games.course import Post, Sight, against_dealer, asks, posts
from pitboss.games.facts import DEALER, OWN, AtLeast, Chosen, Compare, Holds, Label, Selected, Versus, folded
from pitboss.games.round import Decision
from pitboss.games.rules import Rules
from pitboss.games.settlement import Pay, forfeit, push
from pitboss.games.shared import by_table, even_money, higher_wins, not_won, table_line
from pitboss.hands import LUNAR as STUD_ORDER
from pitboss.hands import facets

ACE_KING = STUD_ORDER.at_least("ace_king")
"""The least hand with which the dealer plays."""
SETTLED = "639a.11(c)"


@dataclass(frozen=True)
class Outcome:
    """A finished round of Caribbean Stud as one seat sees it."""

    folded: Annotated[bool, Chosen(folded)]
    qualifies: Annotated[bool, AtLeast(STUD_ORDER, ACE_KING, DEALER)]
    versus: Annotated[Versus, Compare(STUD_ORDER, OWN, DEALER)]
    hand: Annotated[str, Label(facets.LUNAR_FIVE, OWN)]
    five_card: Annotated[str, Label(facets.FIVE, OWN)]
    dealer_five_card: Annotated[str, Label(facets.FIVE, DEALER)]
    magic_player: Annotated[bool, Holds(OWN, 5)]
    magic_dealer: Annotated[bool, Holds(DEALER, 5)]
    lucky_player: Annotated[bool, Selected(dealer=False)]
    lucky_dealer: Annotated[bool, Selected(dealer=True)]


LINES: Lines[Outcome] = Lines(Outcome)
five_card_hand.register(LINES, SETTLED, SETTLED)


@LINES.rule("ante", ["folded", "qualifies", "versus"])
def ante(rules: Rules, outcome: Outcome) -> Pay:
    if outcome.folded:
        return forfeit("639a.11(b)", "No Bet was made, so the Ante is forfeited.")
    if not outcome.qualifies:
        return even_money(rules, "ante", SETTLED, "The dealer has less than ace-king; the Ante")
    return higher_wins(rules, "ante", outcome.versus, SETTLED, what="Ante")


@LINES.rule("bet", ["qualifies", "versus", "hand"])
def bet(rules: Rules, outcome: Outcome) -> Pay:
    if not outcome.qualifies:
        return push(SETTLED, "The dealer has less than ace-king; the Bet is returned.")
    if (other := not_won(outcome.versus, SETTLED, what="Bet")) is not None:
        return other
    return by_table(rules, "bet", outcome.hand if rules.odds("bet", outcome.hand) else "any", SETTLED)


GIVEN_UP = forfeit("639a.11(b)", "Folding forfeits the Progressive Payout Wager; Envy Bonuses may still be won.")
progressive = table_line(LINES, "progressive", "five_card", "639a.11(c)(5)", folded=GIVEN_UP)
"""Paid whatever the dealer holds; forfeited by a fold, as the sibling chapters say."""


class CaribbeanStud(Game):
    """Ante and Bet against a dealer who plays with ace-king, and the chapter's optional wagers."""

    name = "caribbean-stud"
    number = "639a"
    lines = LINES
    plain_wagers: Mapping[str, int] = {"ante": 1000, "progressive": 100}
    course = against_dealer(
        asks("decision", "639a.11(b)", "bet", "bet", "bet_antes"),
        ("ante", "progressive"),
        SETTLED,
        *posts("ante", "bet"),
        Post("progressive", envy="five_card", envy_cite="639a.12(d)(6)"),
        *five_card_hand.posts(),
    )

    def plain_decision(self, rules: Rules, sight: Sight) -> Decision:  # noqa: ARG002
        """Bet ace-king or better."""
        return Decision("bet" if STUD_ORDER.score(sight.cards) >= ACE_KING else "fold")
