"""World Poker Tour Heads-Up Hold 'Em, 58 Pa. Code Chapter 677a. One Raise, the earlier the more; a bad beat is paid.

Of the chapter only 677a.7(e) and 677a.12(f) are printed; what other sections hold is cited to the section.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from pitboss.games import holdem
from pitboss.games.contract import Game, Lines
from pitboss.games.course import (
    CHECK,
    FOLD,
    HANDS,
    Bets,
    Course,
    Deal,
    Decide,
    Option,
    Settle,
    TurnUp,
    asks,
    forfeits,
    posts,
)
from pitboss.games.facts import OWN, AtLeast, Chosen, Label, Versus, folded
from pitboss.games.rules import Rules
from pitboss.games.settlement import Pay, forfeit, push
from pitboss.games.shared import bad_beat_bonus, by_table, higher_wins, table_line
from pitboss.hands import FIVE_CARD, facets

SETTLED = "677a.11"


@dataclass(frozen=True)
class Outcome:
    """A finished round of World Poker Tour Heads-Up Hold 'Em as one seat sees it."""

    folded: Annotated[bool, Chosen(folded)]
    qualifies: Annotated[bool, AtLeast(FIVE_CARD, holdem.PAIR, holdem.DEALER_SEVEN)]
    versus: Annotated[Versus, holdem.VERSUS]
    hand: Annotated[str, holdem.HAND]
    pocket: Annotated[str, Label(facets.POCKET, OWN)]


LINES: Lines[Outcome] = Lines(Outcome)


def _given_up(wager: str) -> Pay:
    return forfeit(SETTLED, f"The player folded and forfeits the {wager} Wager.")


@LINES.rule("ante", ["folded", "qualifies", "versus"])
def ante(rules: Rules, outcome: Outcome) -> Pay:
    if outcome.folded:
        return _given_up("Ante")
    if not outcome.qualifies:
        return push(SETTLED, "The dealer has less than a pair; the Ante is returned.")
    return higher_wins(rules, "ante", outcome.versus, SETTLED)


@LINES.rule("raise", ["versus"])
def raise_wager(rules: Rules, outcome: Outcome) -> Pay:
    return higher_wins(rules, "raise", outcome.versus, SETTLED)


@LINES.rule("odds", ["folded", "versus", "hand"])
def odds(rules: Rules, outcome: Outcome) -> Pay:
    """A straight or better is paid either way: by one table if it wins, by that of the Bad Beat Bonus if it loses."""
    if outcome.folded:
        return _given_up("Odds")
    if outcome.versus == Versus.EQUAL:
        return push(SETTLED, "The hands are equal and the Odds Wager is returned.")
    if outcome.versus == Versus.LOWER:
        return bad_beat_bonus(rules, outcome.hand, SETTLED, SETTLED)
    if rules.odds("odds", outcome.hand) is None:
        return push(SETTLED, "The winning hand is below the pay table; the Odds Wager is returned.")
    return by_table(rules, "odds", outcome.hand, SETTLED)


trips_plus = table_line(LINES, "trips_plus", "hand", SETTLED)
pocket_bonus = table_line(LINES, "pocket_bonus", "pocket", SETTLED)


def _asks(step: str, other: Option) -> Decide:
    """The one Raise, as large as the step allows, or else what is left to a player who does not raise yet."""
    return asks(step, SETTLED, "raise", "raise", f"{step}_raise_antes", other, ends=True)


class HeadsUpHoldEm(Game):
    """Ante, Odds and one Raise against a dealer who opens with a pair, and two optional wagers."""

    name = "heads-up-hold-em"
    number = "677a"
    lines = LINES
    plain_wagers: Mapping[str, int] = {"ante": 1000, "odds": 1000, "trips_plus": 500, "pocket_bonus": 500}
    course = Course(
        "ante",
        (
            Bets(),
            Deal(),
            _asks("preflop", CHECK),
            TurnUp("community", 3, SETTLED),
            _asks("flop", CHECK),
            TurnUp("community", 2, SETTLED),
            _asks("river", FOLD),
            forfeits("ante", "odds"),
            TurnUp("dealer", cite=SETTLED),
            Settle(HANDS, posts("ante", "raise", "odds", "trips_plus", "pocket_bonus")),
        ),
        equal=("odds",),
    )
    plain = holdem.plain_play("raise", "raise")
