"""World Poker Tour Heads-Up Hold 'Em, 58 Pa. Code Chapter 677a. One Raise, the earlier the more; a bad beat is paid.

Of the chapter only 677a.7(e) and 677a.12(f) are printed; what other sections hold is cited to the section.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated

from pitboss.games import holdem
from pitboss.games.contract import Game, Lines
from pitboss.games.course import (
    FOLD,
    HANDS,
    Bets,
    Course,
    Deal,
    Decide,
    Option,
    Options,
    Settle,
    Sight,
    TurnUp,
    exactly,
    forfeits,
    posts,
)  # fmt: skip
from pitboss.games.facts import OWN, AtLeast, Chosen, Label, Look, Versus, folded
from pitboss.games.rules import Rules
from pitboss.games.settlement import Pay, forfeit, lose, push, win
from pitboss.games.shared import by_table
from pitboss.hands import FIVE_CARD, facets
from pitboss.hands.labels import STRONG_START, TITLES

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


def _even_money(rules: Rules, outcome: Outcome, wager: str) -> Pay:
    if outcome.versus == Versus.LOWER:
        return lose(SETTLED, "The dealer's hand is higher.")
    if outcome.versus == Versus.EQUAL:
        return push(SETTLED, "The hands are equal and the wager is returned.")
    odds = rules.tables[wager].rows["win"]
    return win(SETTLED, f"The hand is higher than the dealer's and pays {odds}.", odds, rules.table_cite(wager))


@LINES.rule("ante", ["folded", "qualifies", "versus"])
def ante(rules: Rules, outcome: Outcome) -> Pay:
    if outcome.folded:
        return _given_up("Ante")
    if not outcome.qualifies:
        return push(SETTLED, "The dealer has less than a pair; the Ante is returned.")
    return _even_money(rules, outcome, "ante")


@LINES.rule("raise", ["versus"])
def raise_wager(rules: Rules, outcome: Outcome) -> Pay:
    return _even_money(rules, outcome, "raise")


@LINES.rule("odds", ["folded", "versus", "hand"])
def odds(rules: Rules, outcome: Outcome) -> Pay:
    """A straight or better is paid either way: by one table if it wins, by that of the Bad Beat Bonus if it loses."""
    if outcome.folded:
        return _given_up("Odds")
    if outcome.versus == Versus.EQUAL:
        return push(SETTLED, "The hands are equal and the Odds Wager is returned.")
    if outcome.versus == Versus.LOWER:
        paid = rules.odds("bad_beat_bonus", outcome.hand)
        if paid is None:
            return lose(SETTLED, "The dealer's hand is higher.")
        why = f"The dealer's hand is higher; {TITLES[paid[0]].lower()} earns the Bad Beat Bonus, {paid[1]}."
        return win(SETTLED, why, paid[1], rules.table_cite("bad_beat_bonus"))
    if rules.odds("odds", outcome.hand) is None:
        return push(SETTLED, "The winning hand is below the pay table; the Odds Wager is returned.")
    return by_table(rules, "odds", outcome.hand, SETTLED)


@LINES.rule("trips_plus", ["hand"])
def trips_plus(rules: Rules, outcome: Outcome) -> Pay:
    return by_table(rules, "trips_plus", outcome.hand, SETTLED)


@LINES.rule("pocket_bonus", ["pocket"])
def pocket_bonus(rules: Rules, outcome: Outcome) -> Pay:
    return by_table(rules, "pocket_bonus", outcome.pocket, SETTLED)


def _raise(step: str, other: Option) -> Options:
    """The one Raise, as large as the step allows, or else what is left to a player who does not raise yet."""

    def options(rules: Rules, sight: Sight | None) -> tuple[Option, ...]:  # noqa: ARG001
        return Option("raise", {"raise": exactly(rules, f"{step}_raise_antes")}, ends=True), other

    return options


def _asks(step: str, other: Option) -> Decide:
    return Decide(step, SETTLED, ("raise", other.name), _raise(step, other))


CHECK = Option("check")


def _strong(start: str) -> str:
    """Raise before the flop with a strong start."""
    return "raise" if start == STRONG_START else "check"


def _after_flop(hand: str, flop: str) -> str:
    return "raise" if holdem.improves_flop(hand, flop) else "check"


def _at_the_end(hand: str, board: str, higher: str) -> str:
    return "raise" if holdem.improves_board(hand, board, higher) else "fold"


class HeadsUpHoldEm(Game):
    """Ante, Odds and one Raise against a dealer who opens with a pair, and two optional wagers."""

    name = "heads-up-hold-em"
    number = "677a"
    lines = LINES
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
    plain: Mapping[str, Look] = MappingProxyType(
        {
            "preflop": Look((holdem.START,), _strong),
            "flop": Look((holdem.FLOP_HAND, holdem.FLOP), _after_flop),
            "river": Look((holdem.HAND, holdem.BOARD, holdem.HIGHER_OWN), _at_the_end),
        }
    )

    def plain_wagers(self) -> Mapping[str, int]:
        return {"ante": 1000, "odds": 1000, "trips_plus": 500, "pocket_bonus": 500}
