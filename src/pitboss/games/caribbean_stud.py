"""Caribbean Stud, 58 Pa. Code Chapter 639a. Five cards each, one dealer card up; bet two Antes or fold."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from pitboss.games import five_card_hand
from pitboss.games.contract import Game, Lines
from pitboss.games.course import FOLD, Decide, Option, Post, Sight, against_dealer, exactly
from pitboss.games.facts import DEALER, OWN, AtLeast, Chosen, Compare, Holds, Label, Selected, Versus, folded
from pitboss.games.round import Decision
from pitboss.games.rules import Rules
from pitboss.games.settlement import Pay, forfeit, lose, push, win
from pitboss.games.shared import by_table, table_line
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
    odds, cite = rules.tables["ante"].rows["win"], rules.table_cite("ante")
    if not outcome.qualifies:
        return win(SETTLED, f"The dealer has less than ace-king; the Ante pays {odds}.", odds, cite)
    if outcome.versus == Versus.LOWER:
        return lose(SETTLED, "The dealer's hand is higher.")
    if outcome.versus == Versus.EQUAL:
        return push(SETTLED, "The hands are equal and the Ante is returned.")
    return win(SETTLED, f"The hand is higher than the dealer's and pays {odds}.", odds, cite)


@LINES.rule("bet", ["qualifies", "versus", "hand"])
def bet(rules: Rules, outcome: Outcome) -> Pay:
    if not outcome.qualifies:
        return push(SETTLED, "The dealer has less than ace-king; the Bet is returned.")
    if outcome.versus == Versus.LOWER:
        return lose(SETTLED, "The dealer's hand is higher.")
    if outcome.versus == Versus.EQUAL:
        return push(SETTLED, "The hands are equal and the Bet is returned.")
    return by_table(rules, "bet", outcome.hand if rules.odds("bet", outcome.hand) else "any", SETTLED)


GIVEN_UP = forfeit("639a.11(b)", "Folding forfeits the Progressive Payout Wager; Envy Bonuses may still be won.")
progressive = table_line(LINES, "progressive", "five_card", "639a.11(c)(5)", folded=GIVEN_UP)
"""Paid whatever the dealer holds; forfeited by a fold, as the sibling chapters say."""


def _options(rules: Rules, sight: Sight | None) -> tuple[Option, ...]:  # noqa: ARG001
    return Option("bet", {"bet": exactly(rules, "bet_antes")}), FOLD


class CaribbeanStud(Game):
    """Ante and Bet against a dealer who plays with ace-king, and the chapter's optional wagers."""

    name = "caribbean-stud"
    number = "639a"
    lines = LINES
    course = against_dealer(
        Decide("decision", "639a.11(b)", ("bet", "fold"), _options),
        ("ante", "progressive"),
        SETTLED,
        Post("ante"),
        Post("bet"),
        Post("progressive", envy="five_card", envy_cite="639a.12(d)(6)"),
        *five_card_hand.posts(),
    )

    def plain_decision(self, rules: Rules, sight: Sight) -> Decision:  # noqa: ARG002
        """Bet ace-king or better."""
        return Decision("bet" if STUD_ORDER.score(sight.cards) >= ACE_KING else "fold")

    def plain_wagers(self) -> Mapping[str, int]:
        return {"ante": 1000, "progressive": 100}
