"""Let It Ride, 58 Pa. Code Chapter 643a. Three equal wagers, of which two may be taken back; two community cards."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from pitboss.cards import RANKS, rank_of, suit_of
from pitboss.games import five_card_hand
from pitboss.games.contract import Game, Lines
from pitboss.games.course import HANDS, Bets, Course, Deal, Decide, Option, Options, Post, Settle, Sight, TurnUp, posts
from pitboss.games.facts import COMMUNITY, OWN, Holds, Label, Selected
from pitboss.games.round import Decision
from pitboss.games.rules import Rules
from pitboss.games.settlement import Pay
from pitboss.games.shared import by_table, table_line
from pitboss.hands import facets

RIDE, TAKE_BACK = "ride", "take_back"
TEN = RANKS.index("T")


@dataclass(frozen=True)
class Outcome:
    """A finished round of Let It Ride as one seat sees it."""

    hand: Annotated[str, Label(facets.STUD, OWN + COMMUNITY)]
    three_card: Annotated[str, Label(facets.THREE, OWN)]
    five_card: Annotated[str, Label(facets.FIVE, OWN + COMMUNITY)]
    six_card: Annotated[str, Label(facets.SIX, (*OWN, "six_card_bonus_cards"))]
    magic_player: Annotated[bool, Holds(OWN + COMMUNITY, 5)]
    lucky_player: Annotated[bool, Selected(dealer=False)]


LINES: Lines[Outcome] = Lines(Outcome)
five_card_hand.register(LINES, "643a.11(g)(5)", "643a.11(g)(5)(iii)", five_card_hand.OWN_HAND)


@LINES.rule("bet_1", ["hand"])
@LINES.rule("bet_2", ["hand"])
@LINES.rule("bet_3", ["hand"])
def let_it_ride(rules: Rules, outcome: Outcome) -> Pay:
    """The three wagers alike, as far as they ride."""
    return by_table(rules, "let_it_ride", outcome.hand, "643a.11(f)(2)", "643a.11(f)(1)")


five_card_bonus = table_line(LINES, "five_card_bonus", "hand", "643a.11(g)(1)(i)", "643a.11(g)(1)(ii)")
three_card_bonus = table_line(LINES, "three_card_bonus", "three_card", "643a.11(g)(2)(i)", "643a.11(g)(2)(ii)")
three_card_progressive = table_line(LINES, "three_card_progressive", "three_card", "643a.11(g)(3)(iv)", "643a.11(g)(3)")
five_card_progressive = table_line(LINES, "five_card_progressive", "five_card", "643a.11(g)(4)(iv)", "643a.11(g)(4)")
six_card_bonus = table_line(LINES, "six_card_bonus", "six_card", "643a.11(g)(6)(ii)", "643a.11(g)(6)(i)")


def _ride_or_take(wager: str) -> Options:
    def options(rules: Rules, sight: Sight | None) -> tuple[Option, ...]:  # noqa: ARG001
        return Option(TAKE_BACK, takes_back=(wager,)), Option(RIDE)

    return options


class LetItRide(Game):
    """Nobody folds and nobody plays for the house: each player lets two of three wagers ride or takes them back."""

    name = "let-it-ride"
    number = "643a"
    lines = LINES
    plain_wagers: Mapping[str, int] = {
        "bet_1": 1000,
        "bet_2": 1000,
        "bet_3": 1000,
        "three_card_bonus": 500,
        "five_card_progressive": 100,
    }
    course = Course(
        "bet_3",
        (
            Bets(),
            Deal(),
            Decide("bet_1", "643a.11(b)", (TAKE_BACK, RIDE), _ride_or_take("bet_1")),
            TurnUp("community", 1, "643a.11(c)"),
            Decide("bet_2", "643a.11(d)", (TAKE_BACK, RIDE), _ride_or_take("bet_2")),
            TurnUp("community", 1, "643a.11(e)"),
            Settle(
                HANDS,
                (
                    *posts("bet_1", "bet_2", "bet_3", "five_card_bonus", "three_card_bonus"),
                    Post("three_card_progressive", envy="three_card", envy_cite="643a.11(g)(3)(v)"),
                    Post("five_card_progressive", envy="five_card", envy_cite="643a.11(g)(4)(v)"),
                    *five_card_hand.posts(five_card_hand.OWN_HAND),
                    Post("six_card_bonus"),
                ),
            ),
        ),
        equal=("bet_1", "bet_2"),
    )

    def plain_decision(self, rules: Rules, sight: Sight) -> Decision:  # noqa: ARG002
        """Ride on a pair of tens or better, on cards of one suit that lie close, else take the wager back."""
        cards = sight.cards + sight.up
        ranks = sorted(rank_of(card) for card in cards)
        paid = any(ranks.count(rank) > 1 and rank >= TEN for rank in ranks) or len(set(ranks)) < len(ranks) - 1
        flush = len({suit_of(card) for card in cards}) == 1 and (len(cards) > 3 or ranks[-1] - ranks[0] <= len(cards))
        return Decision(RIDE if paid or flush else TAKE_BACK)
