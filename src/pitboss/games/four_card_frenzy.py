"""Four Card Frenzy, 58 Pa. Code Chapter 684a. Five cards each, the best four; Ante, Odds, then a Raise."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from pitboss.cards import ACE, KING, Card, Hand, show_cards
from pitboss.findings import Finding
from pitboss.games.checks import amount_among, ante_decision
from pitboss.games.contract import BOTH, Lines, Versus, View
from pitboss.games.round import Decision, Round, Seat
from pitboss.games.rules import Rules
from pitboss.games.settlement import Book, Pay, Stage, forfeit, lose, push, win
from pitboss.games.shared import by_table, collect_forfeits
from pitboss.games.structure import Duel, Facts, Option, option
from pitboss.hands import FIVE_CARD, FOUR_CARD
from pitboss.hands import facets as hand_facets
from pitboss.hands.labels import (
    COLOR_LABELS,
    FOUR_CARD_LABELS,
    SIX_CARD_LABELS,
    TITLES,
    color_label,
    four_card_label,
    six_card_label,
)
from pitboss.law.loader import chapter
from pitboss.law.model import Chapter
from pitboss.money import show_dollars

FORFEITED = ("ante", "odds")
"""684a.11(b)(2): what a player who folds gives up; the optional wagers stand."""


KING_HIGH = FOUR_CARD.at_least("high_card", KING)
"""684a.11(c)(2): the least hand against which the Ante is settled."""


@dataclass(frozen=True)
class Outcome:
    """A finished round of Four Card Frenzy as one seat sees it."""

    folded: bool
    qualifies: bool
    versus: Versus
    hand: str
    color: str
    six_card: str


LINES: Lines[Outcome] = Lines(
    Outcome,
    {
        "folded": BOTH,
        "qualifies": BOTH,
        "versus": tuple(Versus),
        "hand": FOUR_CARD_LABELS,
        "color": COLOR_LABELS,
        "six_card": SIX_CARD_LABELS,
    },
)


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


def _facts(rules: Rules, cards: Hand) -> Facts:
    return {"hand": four_card_label(cards), "multiples": raise_multiples(rules, cards)}


def _options(rules: Rules, facts: Facts) -> tuple[Option, ...]:  # noqa: ARG001
    before = {"ante": 1, "odds": 1}
    return (
        *(option(f"raise {times}x", {"folded": False}, {**before, "raise": times}) for times in facts["multiples"]),
        option("fold", {"folded": True}, before),
    )


def raise_multiples(rules: Rules, cards: Hand) -> tuple[int, ...]:
    """The multiples of the Ante that the hand may raise; three only with a pair of aces or higher."""
    big = len(cards) >= FOUR_CARD.size and FOUR_CARD.best(cards)[0] >= FOUR_CARD.at_least("pair", ACE)
    return tuple(range(1, 1 + rules.figure("raise_most_antes" if big else "raise_most_antes_below_aces")))


DUEL = Duel(
    order=FOUR_CARD,
    player_cards=5,
    dealer_cards=5,
    up_card=False,
    facts=_facts,
    options=_options,
    required=Fraction(2),
    qualifies=KING_HIGH,
    paytable="odds",
)


class FourCardFrenzy:
    """Ante and Odds before the cards, a Raise after them, and three optional wagers against pay tables."""

    name = "four-card-frenzy"
    decisions = ("raise", "fold")
    lines = LINES
    duel = DUEL
    facets: Mapping[str, hand_facets.Facet] = {
        "hand": hand_facets.FOUR_OF_FIVE,
        "color": hand_facets.COLOR,
        "six_card": hand_facets.SIX,
    }

    @property
    def chapter(self) -> Chapter:
        return chapter("684a")

    def verify(self, rules: Rules, played: Round) -> Iterator[Finding]:
        yield from payout_limit_findings(rules)
        for seat in played.clockwise():
            yield from ante_decision(seat, self.decisions, "684a.11(b)")
            ante, odds_stake = seat.stake("ante"), seat.stake("odds")
            if ante != odds_stake:
                yield Finding(
                    "odds-not-ante",
                    "684a.7(d)(1)",
                    f"an Odds Wager of {show_dollars(ante)}",
                    show_dollars(odds_stake),
                    f"Ante and Odds Wagers must be equal: {show_dollars(ante)} and {show_dollars(odds_stake)}.",
                    f"seat {seat.number}",
                )
            if seat.decision is not None and seat.decision.choice == "raise" and ante:
                yield from amount_among(seat, "raise", raise_multiples(rules, seat.cards), "684a.11(b)(1)")

    def outcome(self, rules: Rules, played: Round, seat: Seat) -> Outcome:  # noqa: ARG002
        player, dealer = FOUR_CARD.best(seat.cards)[0], FOUR_CARD.best(played.dealer)[0]
        return Outcome(
            folded=seat.folded,
            qualifies=dealer >= KING_HIGH,
            versus=Versus.of(player, dealer),
            hand=four_card_label(seat.cards),
            color=color_label(seat.cards),
            six_card=six_card_label(seat.cards + played.extras.get("all_six_card", ())),
        )

    def settle(self, rules: Rules, played: Round, book: Book) -> None:
        """Forfeits as players decide; then, dealer's cards turned up, each player from the dealer's right."""
        collect_forfeits(self, rules, played, FORFEITED, book)
        for seat in played.counterclockwise():
            book.turn(Stage.HANDS, seat.number)
            outcome = self.outcome(rules, played, seat)
            four = FOUR_CARD.show_best(seat.cards)
            if not seat.folded:
                against = f"{four} against {FOUR_CARD.show_best(played.dealer)}"
                raised = self.later_wagers(rules, seat)["raise"]
                for line, stake in (("ante", seat.stake("ante")), ("raise", raised), ("odds", seat.stake("odds"))):
                    book.enter(seat.number, line, stake, LINES.pay(line, rules, outcome), against, limited=True)
            six = seat.cards + played.extras.get("all_six_card", ())
            for line, detail in (
                ("prime", show_cards(seat.cards)),
                ("four_card_bonus", four),
                ("all_six", FIVE_CARD.show_best(six)),
            ):
                if line in seat.wagers:
                    book.enter(seat.number, line, seat.stake(line), LINES.pay(line, rules, outcome), detail)

    def plain_decision(self, rules: Rules, view: View) -> Decision:
        """Raise the most with a pair of aces or higher, once with a pair or an ace or king high, else fold."""
        score = FOUR_CARD.best(view.cards)[0]
        if score < KING_HIGH:
            return Decision("fold")
        return Decision("raise", view.ante * max(raise_multiples(rules, view.cards)))

    def plain_wagers(self) -> Mapping[str, int]:
        return {"ante": 1000, "odds": 1000, "prime": 500, "four_card_bonus": 500, "all_six": 500}

    def later_wagers(self, rules: Rules, seat: Seat) -> Mapping[str, int]:  # noqa: ARG002
        decision = seat.decision
        if decision is None or decision.choice != "raise":
            return {}
        return {"raise": seat.stake("ante") if decision.amount is None else decision.amount}

    def paid_at_once(self, rules: Rules, seat: Seat) -> bool:  # noqa: ARG002
        return False

    def draws(self, decision: Decision) -> int:  # noqa: ARG002
        return 0

    def after_draw(self, rules: Rules, seat: Seat) -> str:  # noqa: ARG002
        return ""

    def draw(self, rules: Rules, seat: Seat, stub: list[Card]) -> Seat:  # noqa: ARG002
        return seat


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


def payout_limit_findings(rules: Rules) -> Iterator[Finding]:
    """An aggregate payout limit that is lower than the law lets it be."""
    limit = rules.choices.payout_limit
    if limit is None:
        return
    least = rules.figure("payout_limit_least") * 100
    floor = max(least, most_won_at_minimum(rules))
    if limit < floor:
        yield Finding(
            "payout-limit-too-low",
            rules.figure_cite("payout_limit_least"),
            f"at least {show_dollars(floor)}",
            show_dollars(limit),
            f"A payout limit must be at least {show_dollars(floor)}: the greater of {show_dollars(least)} "
            "and the most that one player can win in a round at the minimum wager.",
        )


def _odds_outcomes(rules: Rules) -> Iterator[tuple[tuple[Versus, str], Pay | None]]:
    for (folded, versus, hand), pay in LINES.tabulate("odds", rules).items():
        # Four aces cannot be beaten, so no bad beat is ever paid on them.
        if not folded and not (versus == Versus.LOWER and hand == "four_aces"):
            yield (versus, hand), pay
