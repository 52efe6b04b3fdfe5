"""Four Card Frenzy, 58 Pa. Code Chapter 684a. Five cards each, the best four; Ante, Odds, then a Raise."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from pitboss.cards import ACE, KING, Hand
from pitboss.games.contract import Game, Lines
from pitboss.games.course import FOLD, Decide, Option, Sight, Times, against_dealer, posts
from pitboss.games.facts import DEALER, OWN, AtLeast, Chosen, Compare, Label, Versus, folded
from pitboss.games.round import Decision
from pitboss.games.rules import Rules
from pitboss.games.settlement import Pay, forfeit, lose, push, win
from pitboss.games.shared import even_money, table_line
from pitboss.hands import FOUR_CARD, facets
from pitboss.hands.labels import TITLES

KING_HIGH = FOUR_CARD.at_least("high_card", KING)
"""684a.11(c)(2): the least hand against which the Ante is settled."""


@dataclass(frozen=True)
class Outcome:
    """A finished round of Four Card Frenzy as one seat sees it."""

    folded: Annotated[bool, Chosen(folded)]
    qualifies: Annotated[bool, AtLeast(FOUR_CARD, KING_HIGH, DEALER)]
    versus: Annotated[Versus, Compare(FOUR_CARD, OWN, DEALER)]
    hand: Annotated[str, Label(facets.FOUR_OF_FIVE, OWN)]
    color: Annotated[str, Label(facets.COLOR, OWN)]
    six_card: Annotated[str, Label(facets.SIX, (*OWN, "all_six_card"))]


LINES: Lines[Outcome] = Lines(Outcome)


@LINES.rule("ante", ["folded", "qualifies", "versus"])
def ante(rules: Rules, outcome: Outcome) -> Pay:
    if outcome.folded:
        return forfeit("684a.11(b)(2)", "No Raise was made, so the Ante is forfeited.")
    if not outcome.qualifies:
        return push("684a.11(c)(2)(i)", "The dealer has less than king high; the Ante is returned.")
    if outcome.versus == Versus.LOWER:
        return lose("684a.11(c)(2)(ii)(B)", "The dealer's hand is higher.")
    return even_money(rules, "ante", "684a.11(c)(2)(ii)(A)", f"{_at_least(outcome)} and")


@LINES.rule("raise", ["versus"])
def raise_wager(rules: Rules, outcome: Outcome) -> Pay:
    if outcome.versus == Versus.LOWER:
        return lose("684a.11(c)(3)(ii)", "The dealer's hand is higher.")
    return even_money(rules, "raise", "684a.11(c)(3)(i)", f"{_at_least(outcome)} and")


@LINES.rule("odds", ["folded", "versus", "hand"])
def odds(rules: Rules, outcome: Outcome) -> Pay:
    """A straight or higher is paid either way: by one table if it stands up, by the bad-beat table if it is beaten."""
    if outcome.folded:
        return forfeit("684a.11(b)(2)", "No Raise was made, so the Odds Wager is forfeited.")
    beaten = outcome.versus == Versus.LOWER
    paid = rules.odds("odds" if beaten else "odds_win", outcome.hand)
    if paid is not None:
        row, rate = paid
        name = TITLES[row]
        if beaten:
            return win(
                "684a.11(c)(4)(i)(B)", f"{name} was beaten: a bad beat pays {rate}.", rate, rules.table_cite("odds")
            )
        return win("684a.11(c)(4)(i)(A)", f"{name} stands up and pays {rate}.", rate, rules.table_cite("odds_win"))
    if beaten:
        return lose("684a.11(c)(4)(ii)(B)", "Two pair or lower, and the dealer's hand is higher.")
    return push("684a.11(c)(4)(ii)(A)", "Two pair or lower that is not beaten: the Odds Wager is returned.")


prime = table_line(LINES, "prime", "color", "684a.11(d)(1)(ii)", "684a.11(d)(1)(i)")
four_card_bonus = table_line(LINES, "four_card_bonus", "hand", "684a.11(d)(2)(ii)", "684a.11(d)(2)(i)")
all_six = table_line(LINES, "all_six", "six_card", "684a.11(d)(3)(ii)", "684a.11(d)(3)(i)")


def _at_least(outcome: Outcome) -> str:
    return "The hand equals the dealer's" if outcome.versus == Versus.EQUAL else "The hand is higher than the dealer's"


def raise_multiples(rules: Rules, cards: Hand) -> tuple[int, ...]:
    """The multiples of the Ante that the hand may raise; three only with a pair of aces or higher."""
    big = len(cards) >= FOUR_CARD.size and FOUR_CARD.best(cards)[0] >= FOUR_CARD.at_least("pair", ACE)
    return tuple(range(1, 1 + rules.figure("raise_most_antes" if big else "raise_most_antes_below_aces")))


def _options(rules: Rules, sight: Sight | None) -> tuple[Option, ...]:
    most = rules.figure("raise_most_antes") if sight is None else max(raise_multiples(rules, sight.cards))
    return Option("raise", {"raise": Times(1, most, cite="684a.11(b)(1)")}), FOLD


class FourCardFrenzy(Game):
    """Ante and Odds before the cards, a Raise after them, and three optional wagers against pay tables."""

    name = "four-card-frenzy"
    number = "684a"
    lines = LINES
    plain_wagers: Mapping[str, int] = {"ante": 1000, "odds": 1000, "prime": 500, "four_card_bonus": 500, "all_six": 500}
    paytable = "odds"
    course = against_dealer(
        Decide("decision", "684a.11(b)", ("raise", "fold"), _options),
        ("ante", "odds"),
        "684a.11(c)",
        *posts("ante", "raise", "odds", "prime", "four_card_bonus", "all_six"),
        equal=("odds",),
    )

    def plain_decision(self, rules: Rules, sight: Sight) -> Decision:
        """Raise the most with a pair of aces or higher, once with a pair or an ace or king high, else fold."""
        score = FOUR_CARD.best(sight.cards)[0]
        if score < KING_HIGH:
            return Decision("fold")
        return Decision("raise", sight.stake * max(raise_multiples(rules, sight.cards)))
