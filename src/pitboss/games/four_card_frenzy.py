"""Four Card Frenzy, 58 Pa. Code Chapter 684a. Five cards each, the best four; Ante, Odds, then a Raise."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated

from pitboss.cards import ACE, KING, Hand
from pitboss.findings import Finding
from pitboss.games.contract import Game, Lines
from pitboss.games.course import (
    FOLD,
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
    forfeits,
)  # fmt: skip
from pitboss.games.facts import DEALER, OWN, AtLeast, Chosen, Compare, Label, Versus, folded
from pitboss.games.round import Decision, Round
from pitboss.games.rules import Rules
from pitboss.games.settlement import Pay, forfeit, lose, push, win
from pitboss.games.shared import by_table
from pitboss.hands import FOUR_CARD, facets
from pitboss.hands.labels import TITLES
from pitboss.money import show_dollars

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
    odds = rules.tables["ante"].rows["win"]
    return win("684a.11(c)(2)(ii)(A)", f"{_at_least(outcome)} and pays {odds}.", odds, rules.table_cite("ante"))


@LINES.rule("raise", ["versus"])
def raise_wager(rules: Rules, outcome: Outcome) -> Pay:
    if outcome.versus == Versus.LOWER:
        return lose("684a.11(c)(3)(ii)", "The dealer's hand is higher.")
    odds = rules.tables["raise"].rows["win"]
    return win("684a.11(c)(3)(i)", f"{_at_least(outcome)} and pays {odds}.", odds, rules.table_cite("raise"))


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


@LINES.rule("prime", ["color"])
def prime(rules: Rules, outcome: Outcome) -> Pay:
    return by_table(rules, "prime", outcome.color, "684a.11(d)(1)(ii)", "684a.11(d)(1)(i)")


@LINES.rule("four_card_bonus", ["hand"])
def four_card_bonus(rules: Rules, outcome: Outcome) -> Pay:
    return by_table(rules, "four_card_bonus", outcome.hand, "684a.11(d)(2)(ii)", "684a.11(d)(2)(i)")


@LINES.rule("all_six", ["six_card"])
def all_six(rules: Rules, outcome: Outcome) -> Pay:
    return by_table(rules, "all_six", outcome.six_card, "684a.11(d)(3)(ii)", "684a.11(d)(3)(i)")


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
    paytable = "odds"
    course = Course(
        "ante",
        (
            Bets(),
            Deal(),
            Decide("decision", "684a.11(b)", ("raise", "fold"), _options),
            forfeits("ante", "odds"),
            TurnUp("dealer", cite="684a.11(c)"),
            Settle(
                HANDS,
                (
                    Post("ante"),
                    Post("raise"),
                    Post("odds"),
                    Post("prime"),
                    Post("four_card_bonus"),
                    Post("all_six"),
                ),
            ),
        ),
        equal=("odds",),
    )

    def verify(self, rules: Rules, played: Round) -> Iterator[Finding]:
        yield from self._payout_limit(rules)
        yield from super().verify(rules, played)

    def verify_choices(self, rules: Rules) -> Iterator[Finding]:
        """Ante and Odds Wagers are equal, so what one may be the other must be able to be."""
        yield from self._payout_limit(rules)
        if rules.option("payout_limit") is not None and (boxes := rules.choices.adjacent_boxes or 1) > 1:
            sentence = (
                "The payout limit is per player, and a player may hold several boxes here; the law does not say "
                "whether their payouts are added together. They are not: the limit is applied to each box."
            )
            cite, found = rules.figure_cite("payout_limit_least"), f"{boxes} boxes"
            yield Finding("payout-limit-with-boxes", cite, "one box", found, sentence, "payout_limit", "note")
        ante, odds_limits = (rules.choices.limits.get(name) for name in ("ante", "odds"))
        for key in ("minimum", "maximum") if ante and odds_limits else ():
            one, other = getattr(ante, key), getattr(odds_limits, key)
            if one != other:
                sentence = f"Ante and Odds Wagers must be equal, so their {key} must be the same."
                cite, where = str(rules.wagers["odds"].cite), f"wagers.odds.{key}"
                yield Finding("odds-not-ante", cite, show_dollars(one), show_dollars(other), sentence, where)

    def _payout_limit(self, rules: Rules) -> Iterator[Finding]:
        """An aggregate payout limit must leave room for the most that the minimum wagers can win."""
        limit = rules.option("payout_limit")
        if limit is not None and limit < (floor := most_won_at_minimum(rules)):
            expected = f"at least {show_dollars(floor)}"
            sentence = f"A payout limit must be {expected}: the most that one player can win at the minimum wager."
            cite = rules.figure_cite("payout_limit_least")
            yield Finding("payout-limit-too-low", cite, expected, show_dollars(limit), sentence, "payout_limit")

    def plain_decision(self, rules: Rules, sight: Sight) -> Decision:
        """Raise the most with a pair of aces or higher, once with a pair or an ace or king high, else fold."""
        score = FOUR_CARD.best(sight.cards)[0]
        if score < KING_HIGH:
            return Decision("fold")
        return Decision("raise", sight.stake * max(raise_multiples(rules, sight.cards)))

    def plain_wagers(self) -> Mapping[str, int]:
        return {"ante": 1000, "odds": 1000, "prime": 500, "four_card_bonus": 500, "all_six": 500}


def most_won_at_minimum(rules: Rules) -> int:
    """The most that Ante, Raise and Odds can pay one player who bets the minimum, in cents.

    Found by asking the rules themselves for the pay of every outcome, with the largest Raise.
    """
    stake = max(rules.limits("ante").minimum, rules.limits("odds").minimum)
    stakes = {"ante": stake, "raise": stake * rules.figure("raise_most_antes"), "odds": stake}
    best = 0
    for (versus, hand), _ in _odds_outcomes(rules):
        total = sum(
            max(0, int((pay.per_unit() or 0) * stakes[line]))
            for line in stakes
            if (pay := LINES.pay(line, rules, Outcome(False, True, versus, hand, "", ""))) is not None
        )
        best = max(best, total)
    return best


def _odds_outcomes(rules: Rules) -> Iterator[tuple[tuple[Versus, str], Pay | None]]:
    for (given_up, versus, hand), pay in LINES.tabulate("odds", rules).items():
        # Four aces cannot be beaten, so no bad beat is ever paid on them.
        if not given_up and not (versus == Versus.LOWER and hand == "four_aces"):
            yield (versus, hand), pay
