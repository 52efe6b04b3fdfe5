"""Four Card Poker, 58 Pa. Code Chapter 641a. Five cards to each player, six to the dealer, the best four of each."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from pitboss.cards import RANKS
from pitboss.games import five_card_hand
from pitboss.games.contract import Game, Lines
from pitboss.games.course import FOLD, Decide, Option, Post, Sight, Times, against_dealer, posts
from pitboss.games.facts import DEALER, OWN, Chosen, Compare, Holds, Label, Selected, Versus, folded
from pitboss.games.round import Decision
from pitboss.games.rules import Rules
from pitboss.games.settlement import Pay, forfeit, lose
from pitboss.games.shared import UNLESS_BEATEN, bonus, by_table, even_money, table_line
from pitboss.games.structure import PRINTED
from pitboss.hands import FOUR_CARD, facets


@dataclass(frozen=True)
class Outcome:
    """A finished round of Four Card Poker as one seat sees it."""

    folded: Annotated[bool, Chosen(folded)]
    versus: Annotated[Versus, Compare(FOUR_CARD, OWN, DEALER)]
    hand: Annotated[str, Label(facets.FOUR_OF_FIVE, OWN)]
    dealer_hand: Annotated[str, Label(facets.FOUR_OF_SIX, DEALER)]
    five_card: Annotated[str, Label(facets.FIVE, OWN)]
    dealer_five_card: Annotated[str, Label(facets.FIVE, DEALER)]
    six_card: Annotated[str, Label(facets.SIX, (*OWN, "six_card_bonus_card"))]
    magic_player: Annotated[bool, Holds(OWN, 5)]
    magic_dealer: Annotated[bool, Holds(DEALER, 5)]
    lucky_player: Annotated[bool, Selected(dealer=False)]
    lucky_dealer: Annotated[bool, Selected(dealer=True)]


LINES: Lines[Outcome] = Lines(Outcome)
five_card_hand.register(LINES, "641a.11(c)(7)", "641a.11(c)(7)(iii)")


def _against_dealer(rules: Rules, outcome: Outcome, wager: str) -> Pay:
    if outcome.versus == Versus.LOWER:
        return lose("641a.11(c)(3)(i)", "The dealer's hand is higher.")
    how = "equal to" if outcome.versus == Versus.EQUAL else "higher than"
    return even_money(rules, wager, "641a.11(c)(3)(ii)", f"The hand is {how} the dealer's and")


@LINES.rule("ante", ["folded", "versus"])
def ante(rules: Rules, outcome: Outcome) -> Pay:
    if outcome.folded:
        return forfeit("641a.11(b)", "No Play Wager was made, so the Ante is forfeited.")
    return _against_dealer(rules, outcome, "ante")


@LINES.rule("play", ["versus"])
def play(rules: Rules, outcome: Outcome) -> Pay:
    return _against_dealer(rules, outcome, "play")


@LINES.rule("ante_bonus", ["versus", "hand"])
def ante_bonus(rules: Rules, outcome: Outcome) -> Pay | None:
    """Paid whenever a Play Wager was made; under the other reading not to a hand that was beaten."""
    if rules.reading("ante_bonus") == UNLESS_BEATEN and outcome.versus == Versus.LOWER:
        return None
    return bonus(rules, "ante_bonus", outcome.hand, "641a.12(b)")


aces_up = table_line(LINES, "aces_up", "hand", "641a.11(c)(4)")


GIVEN_UP = forfeit("641a.11(b)(2)", "Folding forfeits the Progressive Payout Wager; Envy Bonuses may still be won.")
four_card_progressive = table_line(
    LINES, "four_card_progressive", "hand", "641a.11(c)(5)(iv)", "641a.11(c)(5)", folded=GIVEN_UP
)
five_card_progressive = table_line(
    LINES, "five_card_progressive", "five_card", "641a.11(c)(5)(iv)", "641a.11(c)(5)", folded=GIVEN_UP
)


@LINES.rule("bad_beat", ["versus", "hand", "dealer_hand"])
def bad_beat(rules: Rules, outcome: Outcome) -> Pay:
    """Pays by the rank of the losing hand, whichever side lost."""
    if outcome.versus == Versus.LOWER:
        return by_table(rules, "bad_beat", outcome.hand, "641a.11(c)(6)(i)", "641a.11(c)(6)(iii)")
    if outcome.versus == Versus.HIGHER:
        return by_table(rules, "bad_beat", outcome.dealer_hand, "641a.11(c)(6)(ii)", "641a.11(c)(6)(iii)")
    return lose("641a.11(c)(6)(iii)", "The hands tie, so neither was beaten.")


six_card_bonus = table_line(LINES, "six_card_bonus", "six_card", "641a.11(c)(8)(ii)", "641a.11(c)(8)(i)")


def _options(rules: Rules, sight: Sight | None) -> tuple[Option, ...]:  # noqa: ARG001
    """Any amount from one to three Antes may be played."""
    least, most = rules.figure("play_least_antes"), rules.figure("play_most_antes")
    return Option("play", {"play": Times(least, most, whole=False, cite=rules.figure_cite("play_most_antes"))}), FOLD


class FourCardPoker(Game):
    """Ante and Play against the dealer, Aces Up against a pay table, and the chapter's optional wagers."""

    name = "four-card-poker"
    number = "641a"
    lines = LINES
    plain_wagers: Mapping[str, int] = {
        "ante": 1000,
        "aces_up": 500,
        "five_card_progressive": 100,
        "six_card_bonus": 500,
    }
    readings = (PRINTED, UNLESS_BEATEN)
    paytable = "ante_bonus"
    course = against_dealer(
        Decide("decision", "641a.11(b)", ("play", "fold"), _options),
        ("ante", "four_card_progressive", "five_card_progressive"),
        "641a.11(c)",
        *posts("ante", "play"),
        Post("ante_bonus", on="ante", needs="play"),
        Post("aces_up"),
        Post("four_card_progressive", envy="hand", envy_cite="641a.11(c)(5)(v)(A)"),
        Post("five_card_progressive", envy="five_card", envy_cite="641a.11(c)(5)(v)(B)"),
        Post("bad_beat"),
        *five_card_hand.posts(),
        Post("six_card_bonus"),
    )

    def plain_decision(self, rules: Rules, sight: Sight) -> Decision:
        """Fold below a pair, play one Ante up to nines and the most allowed from tens."""
        score = FOUR_CARD.best(sight.cards)[0]
        if score < FOUR_CARD.at_least("pair"):
            return Decision("fold")
        big = score >= FOUR_CARD.at_least("pair", RANKS.index("T"))
        return Decision("play", sight.stake * rules.figure("play_most_antes" if big else "play_least_antes"))
