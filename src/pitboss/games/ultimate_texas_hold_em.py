"""Ultimate Texas Hold 'Em, 58 Pa. Code Chapter 653a. Two cards each and a board of five; the earlier, the more to play.

Of 653a.11 subsections (a) to (e), (g) and (h) are not printed; what they hold is cited to the section.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from pitboss.games import five_card_hand, holdem
from pitboss.games.contract import Game, Lines
from pitboss.games.course import (
    CHECK,
    HANDS,
    Bets,
    Course,
    Deal,
    Decide,
    Option,
    Post,
    Settle,
    Sight,
    Times,
    TurnUp,
    asks,
    forfeits,
    posts,
)
from pitboss.games.facts import AtLeast, Chosen, Versus, folded
from pitboss.games.rules import Rules
from pitboss.games.settlement import Pay, forfeit, lose, push
from pitboss.games.shared import by_table, higher_wins, not_won, table_line
from pitboss.games.structure import Ahead, Learned
from pitboss.hands import FIVE_CARD

SETTLED = "653a.11"
FOLDED = "653a.11(f)(2)"
PROGRESSIVE_FORFEITED = "progressive-forfeited-by-fold"
"""The other reading of 653a.11(f)(2)(ii): who folds and loses the cards has no hand to be paid for."""
BOTH_COLLECTED = "bad-beat-collected-when-both-hold-three-of-a-kind"
"""The other reading of 653a.11(j)(3): the better of two such hands did not lose, so the wager is collected."""
RETURNED_BELOW = "bad-beat-returned-below-three-of-a-kind"
"""The other reading of its gap: where neither hand reaches three-of-a-kind nothing collects the wager."""


@dataclass(frozen=True)
class Outcome:
    """A finished round of Ultimate Texas Hold 'Em as one seat sees it."""

    folded: Annotated[bool, Chosen(folded)]
    qualifies: Annotated[bool, AtLeast(FIVE_CARD, holdem.PAIR, holdem.DEALER_SEVEN)]
    versus: Annotated[Versus, holdem.VERSUS]
    hand: Annotated[str, holdem.HAND]
    dealer_hand: Annotated[str, holdem.DEALER_HAND]
    five_card: Annotated[str, holdem.FLOP_HAND]
    dealer_five_card: Annotated[str, holdem.DEALER_FLOP_HAND]
    six_card: Annotated[str, holdem.SIX_CARD]
    magic_player: Annotated[bool, holdem.MAGIC_PLAYER]
    magic_dealer: Annotated[bool, holdem.MAGIC_DEALER]
    lucky_player: Annotated[bool, holdem.LUCKY_PLAYER]
    lucky_dealer: Annotated[bool, holdem.LUCKY_DEALER]


LINES: Lines[Outcome] = Lines(Outcome)
five_card_hand.register(LINES, "653a.11(l)", "653a.11(l)(3)")


def _given_up(wager: str) -> Pay:
    return forfeit(FOLDED, f"The player folded and forfeits the {wager} Wager.")


@LINES.rule("ante", ["folded", "qualifies", "versus"])
def ante(rules: Rules, outcome: Outcome) -> Pay:
    if outcome.folded:
        return _given_up("Ante")
    if not outcome.qualifies:
        return push("653a.2(b)(10)(i)", "The dealer has less than a pair; the Ante is returned.")
    return higher_wins(rules, "ante", outcome.versus, SETTLED)


@LINES.rule("blind", ["folded", "versus", "hand"])
def blind(rules: Rules, outcome: Outcome) -> Pay:
    """Lost to a higher hand; a winning hand is paid by the table, or returned if the table has no row for it."""
    if outcome.folded:
        return _given_up("Blind")
    if (other := not_won(outcome.versus, SETTLED, what="Blind")) is not None:
        return other
    if rules.odds("blind", outcome.hand) is None:
        return push("653a.2(b)(10)(ii)", "The winning hand is below the pay table; the Blind is returned.")
    return by_table(rules, "blind", outcome.hand, SETTLED)


@LINES.rule("play", ["versus"])
def play(rules: Rules, outcome: Outcome) -> Pay:
    return higher_wins(rules, "play", outcome.versus, SETTLED)


trips = table_line(LINES, "trips", "hand", "653a.11(i)(1)", "653a.11(i)(2)")


@LINES.rule("bad_beat", ["folded", "versus", "hand", "dealer_hand"])
def bad_beat(rules: Rules, outcome: Outcome) -> Pay:
    """Pays by the rank of the losing hand, whichever side lost."""
    if outcome.folded:
        return _given_up("Bad Beat Bonus")
    reached = [hand for hand in (outcome.hand, outcome.dealer_hand) if rules.odds("bad_beat", hand) is not None]
    reading, tied = rules.reading("bad_beat"), outcome.versus == Versus.EQUAL
    if reading == RETURNED_BELOW and not reached and not tied:
        return push("653a.11(j)(3)", "Neither hand has three-of-a-kind, and nothing collects the wager.")
    if tied:
        return lose("653a.11(j)(3)", "The hands tie, so neither was beaten.")
    if reading == BOTH_COLLECTED and len(reached) > 1:
        return lose("653a.11(j)(3)", "A hand of three-of-a-kind or better did not lose.")
    mine = outcome.versus == Versus.LOWER
    loser, cite = (outcome.hand, "653a.11(j)(1)") if mine else (outcome.dealer_hand, "653a.11(j)(2)")
    return by_table(rules, "bad_beat", loser, cite, "653a.11(j)(3)")


@LINES.rule("progressive", ["folded", "five_card"])
def progressive(rules: Rules, outcome: Outcome) -> Pay:
    """On the two cards and the flop, whatever the dealer holds; a fold does not give it up."""
    if outcome.folded and rules.reading("progressive") == PROGRESSIVE_FORFEITED:
        return forfeit("653a.11(f)(2)(ii)", "The cards of the folded hand were collected.")
    return by_table(rules, "progressive", outcome.five_card, "653a.11(k)(4)", "653a.11(k)")


six_card_bonus = table_line(LINES, "six_card_bonus", "six_card", "653a.11(m)(2)", "653a.11(m)(1)")


def _preflop(rules: Rules, sight: Sight | None) -> tuple[Option, ...]:  # noqa: ARG001
    least, most = rules.figure("preflop_least_antes"), rules.figure("preflop_most_antes")
    return Option("play", {"play": Times(least, most, cite=rules.figure_cite("preflop_most_antes"))}, ends=True), CHECK


class UltimateTexasHoldEm(Game):
    """Ante, Blind and one Play Wager against a dealer, and the chapter's optional wagers."""

    name = "ultimate-texas-hold-em"
    number = "653a"
    lines = LINES
    plain_wagers: Mapping[str, int] = {"ante": 1000, "blind": 1000, "trips": 500, "progressive": 100}
    paytable = "blind"
    course = Course(
        "ante",
        (
            Bets(),
            Deal(),
            Decide("preflop", SETTLED, ("play", "check"), _preflop),
            TurnUp("community", 3, SETTLED),
            asks("flop", SETTLED, "play", "play", "flop_antes", CHECK, ends=True),
            TurnUp("community", 2, "653a.11(f)"),
            asks("river", "653a.11(f)", "play", "play", "river_antes", ends=True),
            forfeits("ante", "blind", "bad_beat"),
            TurnUp("dealer", cite=SETTLED),
            Settle(
                HANDS,
                (
                    *posts("ante", "blind", "play", "trips", "bad_beat"),
                    Post("progressive", envy="five_card", envy_cite="653a.11(k)(5)"),
                    *five_card_hand.posts(),
                    Post("six_card_bonus"),
                ),
            ),
        ),
        equal=("blind",),
    )
    plain = holdem.plain_play("play 4x", "play")
    learned = (
        Learned(
            "when ahead",
            "dealer=1,2",
            {
                "preflop": Ahead("play 4x", "check"),
                "flop": Ahead("play", "check"),
                "river": Ahead("play", "fold", level=True),
            },
        ),
    )
