"""Texas Hold 'Em Bonus Poker, 58 Pa. Code Chapter 647a. Two cards each and a board of five, a wager before each street.

Of 647a.11 subsections (c) to (i) are not printed; by 647a.9(e) the board is turned up under (c), (e) and (f).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated

from pitboss.games import five_card_hand, holdem
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
    Post,
    Settle,
    TurnUp,
    asks,
    forfeits,
    posts,
)
from pitboss.games.facts import DEALER, OWN, Chosen, Label, Look, Versus, folded
from pitboss.games.rules import Rules
from pitboss.games.settlement import Pay, forfeit, lose, push
from pitboss.games.shared import by_table, higher_wins, not_won, table_line
from pitboss.games.structure import PRINTED
from pitboss.hands import facets
from pitboss.hands.labels import WEAK_START

SETTLED = "647a.11(h)"
STREETS = {"flop": "647a.11(b)", "turn": "647a.11(d)", "river": "647a.11(e)"}
"""The wagers after the cards, each with the paragraph that asks for it."""
ACES = "pair_of_aces"
TIE_LOSES = "tie-loses"
"""The other reading of what is not printed: the dealer wins a tie."""


@dataclass(frozen=True)
class Outcome:
    """A finished round of Texas Hold 'Em Bonus Poker as one seat sees it."""

    folded: Annotated[bool, Chosen(folded)]
    versus: Annotated[Versus, holdem.VERSUS]
    hand: Annotated[str, holdem.HAND]
    pocket: Annotated[str, Label(facets.POCKET, OWN)]
    dealer_pocket: Annotated[str, Label(facets.POCKET, DEALER)]
    five_card: Annotated[str, holdem.FLOP_HAND]
    dealer_five_card: Annotated[str, holdem.DEALER_FLOP_HAND]
    six_card: Annotated[str, holdem.SIX_CARD]
    magic_player: Annotated[bool, holdem.MAGIC_PLAYER]
    magic_dealer: Annotated[bool, holdem.MAGIC_DEALER]
    lucky_player: Annotated[bool, holdem.LUCKY_PLAYER]
    lucky_dealer: Annotated[bool, holdem.LUCKY_DEALER]


LINES: Lines[Outcome] = Lines(Outcome)
five_card_hand.register(LINES, "647a.11(j)", "647a.11(j)(3)")


def _not_won(rules: Rules, outcome: Outcome) -> Pay | None:
    if outcome.versus == Versus.EQUAL and rules.reading("ante") == TIE_LOSES:
        return lose(SETTLED, "The hands are equal and the dealer wins.")
    return not_won(outcome.versus, SETTLED)


@LINES.rule("ante", ["folded", "versus", "hand"])
def ante(rules: Rules, outcome: Outcome) -> Pay:
    """Won by a hand of the pay table only; a lesser one that beats the dealer has its Ante returned."""
    if outcome.folded:
        return forfeit("647a.11(b)(2)", "The player folded and forfeits the Ante.")
    if (other := _not_won(rules, outcome)) is not None:
        return other
    if rules.odds("ante", outcome.hand) is None:
        return push("647a.2(b)(10)(i)", "The winning hand is less than the Ante's pay table asks for: it is returned.")
    return by_table(rules, "ante", outcome.hand, SETTLED)


def _street_wager(rules: Rules, outcome: Outcome) -> Pay:
    """Flop, Turn and River Wager alike."""
    return _not_won(rules, outcome) or higher_wins(rules, "flop", outcome.versus, SETTLED)


for _wager in STREETS:
    LINES.rule(_wager, ["versus"])(_street_wager)


@LINES.rule("bonus", ["pocket", "dealer_pocket"])
def bonus(rules: Rules, outcome: Outcome) -> Pay:
    """The player's first two cards, no matter who wins; two aces pay more if the dealer was dealt two aces as well."""
    both = outcome.pocket == outcome.dealer_pocket == ACES
    return by_table(rules, "bonus", "aces_against_aces" if both else outcome.pocket, SETTLED)


@LINES.rule("progressive", ["folded", "five_card"])
def progressive(rules: Rules, outcome: Outcome) -> Pay:
    """The two cards and the Flop, whatever the dealer holds."""
    if outcome.folded:
        why = "Folding forfeits the Progressive Payout Wager; Envy Bonuses may still be won."
        return forfeit("647a.11(b)(2)(i)(B)", why)
    return by_table(rules, "progressive", outcome.five_card, "647a.11(i)")


six_card_bonus = table_line(LINES, "six_card_bonus", "six_card", "647a.11(k)(2)", "647a.11(k)(1)")


def _asks(street: str, other: Option) -> Decide:
    """The wager of a street, or else what is left to a player who does not make it."""
    return asks(street, STREETS[street], "bet", street, f"{street}_antes", other)


def _any_but_weak(start: str) -> str:
    """Bet on all but the weakest starts."""
    return "fold" if start == WEAK_START else "bet"


def _after_flop(hand: str, flop: str) -> str:
    return "bet" if holdem.improves_flop(hand, flop) else "check"


def _after_turn(hand: str, board: str) -> str:
    return "bet" if holdem.improves_turn(hand, board) else "check"


class TexasHoldEmBonus(Game):
    """An Ante and up to three wagers against a dealer who always plays, and the chapter's optional wagers."""

    name = "texas-hold-em-bonus"
    number = "647a"
    lines = LINES
    plain_wagers: Mapping[str, int] = {"ante": 1000, "bonus": 500, "progressive": 100, "six_card_bonus": 500}
    paytable = "ante"
    readings = (PRINTED, TIE_LOSES)
    course = Course(
        "ante",
        (
            Bets(),
            Deal(),
            _asks("flop", FOLD),
            forfeits("ante", "progressive"),
            TurnUp("community", 3, "647a.11(c)"),
            _asks("turn", CHECK),
            TurnUp("community", 1, "647a.11(e)"),
            _asks("river", CHECK),
            TurnUp("community", 1, "647a.11(f)"),
            TurnUp("dealer", cite="647a.11(g)"),
            Settle(
                HANDS,
                (
                    *posts("ante", "flop", "turn", "river", "bonus"),
                    Post("progressive", envy="five_card", envy_cite="647a.11(i)(5)", folded_too=True),
                    *five_card_hand.posts(),
                    Post("six_card_bonus"),
                ),
            ),
        ),
    )
    plain: Mapping[str, Look] = MappingProxyType(
        {
            "flop": Look((holdem.START,), _any_but_weak),
            "turn": Look((holdem.FLOP_HAND, holdem.FLOP), _after_flop),
            "river": Look((holdem.SIX_SEEN, holdem.TURN), _after_turn),
        }
    )
