"""Three Card Prime, 58 Pa. Code Chapter 679a. Three cards each; a beaten hand may earn a Bad Beat Bonus on its Play."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Annotated

from pitboss.cards import QUEEN, parse_cards
from pitboss.findings import Finding, refusal
from pitboss.games.contract import Game, Lines
from pitboss.games.course import Sight, against_dealer, asks, posts
from pitboss.games.facts import DEALER, OWN, AtLeast, Chosen, Compare, Label, Versus, folded
from pitboss.games.round import Decision
from pitboss.games.rules import Rules
from pitboss.games.settlement import LineResult, Pay, forfeit, push
from pitboss.games.shared import bad_beat_bonus, by_table, higher_wins, table_line
from pitboss.hands import THREE_CARD, facets
from pitboss.hands.labels import A_TWO, NOTHING

QUEEN_HIGH = THREE_CARD.at_least("high_card", QUEEN)
"""The least hand with which the dealer plays."""
PAIR_BONUS_CARD = "pair_bonus_card"
SETTLED = "679a.11"


@dataclass(frozen=True)
class Outcome:
    """A finished round of Three Card Prime as one seat sees it."""

    folded: Annotated[bool, Chosen(folded)]
    qualifies: Annotated[bool, AtLeast(THREE_CARD, QUEEN_HIGH, DEALER)]
    versus: Annotated[Versus, Compare(THREE_CARD, OWN, DEALER)]
    hand: Annotated[str, Label(facets.THREE, OWN)]
    color: Annotated[str, Label(facets.THREE_COLOR, OWN)]
    six_color: Annotated[str, Label(facets.SIX_COLOR, OWN + DEALER)]
    fourth: Annotated[str, Label(facets.TWO, (PAIR_BONUS_CARD,))]
    six_card: Annotated[str, Label(facets.SIX, OWN + DEALER)]


LINES: Lines[Outcome] = Lines(Outcome)


@LINES.rule("ante", ["folded", "qualifies", "versus"])
def ante(rules: Rules, outcome: Outcome) -> Pay:
    if outcome.folded:
        return forfeit(SETTLED, "No Play Wager was made, so the Ante is forfeited.")
    if not outcome.qualifies:
        return push(SETTLED, "The dealer has less than queen high; the Ante is returned.")
    return higher_wins(rules, "ante", outcome.versus, SETTLED, what="Ante")


@LINES.rule("play", ["qualifies", "versus", "hand"])
def play(rules: Rules, outcome: Outcome) -> Pay:
    """Paid by its table unless a dealer who plays has the higher hand; then by that of the Bad Beat Bonus, or lost."""
    if outcome.qualifies and outcome.versus == Versus.LOWER:
        return bad_beat_bonus(rules, outcome.hand, SETTLED, "679a.12")
    return by_table(rules, "play", outcome.hand if rules.odds("play", outcome.hand) else "any", SETTLED)


@LINES.rule("prime", ["color", "six_color"])
def prime(rules: Rules, outcome: Outcome) -> Pay:
    """Won by a player's cards of one color, at better odds where the dealer's have it too."""
    all_six = outcome.color != NOTHING and outcome.six_color != NOTHING
    return by_table(rules, "prime", outcome.six_color if all_six else outcome.color, "679a.11(d)")


@LINES.rule("pair_bonus", ["hand", "fourth"])
def pair_bonus(rules: Rules, outcome: Outcome) -> Pay:
    """The player's three cards alone win; the fourth card, or the one for all, says by which table."""
    two = outcome.fourth == A_TWO
    table, cite = ("pair_bonus_with_two", "(B)") if two else ("pair_bonus", "(A)")
    pay = by_table(rules, table, outcome.hand, f"679a.11(d)(2)(ii){cite}", "679a.11(d)(2)(i)")
    if pay.result == LineResult.LOSE:
        return pay
    return replace(pay, why=f"{pay.why[:-1]}: the Pair Bonus card is {'a 2' if two else 'not a 2'}.")


all_six = table_line(LINES, "all_six", "six_card", "679a.11(d)")


class ThreeCardPrime(Game):
    """Ante and Play against a dealer who plays with queen high, and wagers that stand by a player who folds."""

    name = "three-card-prime"
    number = "679a"
    lines = LINES
    plain_wagers: Mapping[str, int] = {"ante": 1000, "prime": 500, "pair_bonus": 500, "all_six": 500}
    paytable = "play"
    course = against_dealer(
        asks("decision", SETTLED, "play", "play", "play_antes"),
        ("ante",),
        SETTLED,
        *posts("ante", "play", "prime", "pair_bonus", "all_six"),
    )

    def verify_choices(self, rules: Rules) -> Iterator[Finding]:
        """Four cards come from an automated shoe only, and leave no community card to be dealt when all have three."""
        yield from super().verify_choices(rules)
        four, community = rules.option("four_card_stacks"), rules.option("pair_bonus_community")
        if four and (community or rules.choices.device != "automated-shoe"):
            found = "a Pair Bonus community card" if community else rules.choices.device
            sentence = "Four cards to everybody need an automated shoe and a fourth card of each player's own."
            cite, expected = "679a.10(g)", "an automated shoe and no community card"
            yield refusal("four-card-stacks", expected, found, sentence, "four_card_stacks", cite=cite)

    def plain_decision(self, rules: Rules, sight: Sight) -> Decision:
        """Play queen-six-four or better."""
        if THREE_CARD.score(sight.cards) < THREE_CARD.score(parse_cards("Qc 6d 4h")):
            return Decision("fold")
        return Decision("play", sight.stake * rules.figure("play_antes"))
