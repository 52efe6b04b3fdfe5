"""Four Card Poker, 58 Pa. Code Chapter 641a. Five cards to each player, six to the dealer, the best four of each."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from pitboss.cards import RANKS, Card, Hand
from pitboss.findings import Finding
from pitboss.games import five_card_hand
from pitboss.games.checks import amount_between, ante_decision
from pitboss.games.contract import BOTH, Lines, Versus, View
from pitboss.games.round import Decision, Round, Seat
from pitboss.games.rules import Rules
from pitboss.games.settlement import Book, Pay, Stage, forfeit, lose, win
from pitboss.games.shared import UNLESS_BEATEN, bonus, by_table, collect_forfeits
from pitboss.games.structure import PRINTED, Duel, Facts, Option, option
from pitboss.hands import FIVE_CARD, FOUR_CARD
from pitboss.hands import facets as hand_facets
from pitboss.hands.labels import (
    FIVE_CARD_LABELS,
    FOUR_CARD_LABELS,
    SIX_CARD_LABELS,
    five_card_label,
    four_card_label,
    six_card_label,
)
from pitboss.law.loader import chapter
from pitboss.law.model import Chapter

FORFEITED = ("ante", "four_card_progressive", "five_card_progressive")
"""641a.11(b): what a player who folds gives up; every other wager stands."""


@dataclass(frozen=True)
class Outcome:
    """A finished round of Four Card Poker as one seat sees it."""

    folded: bool
    versus: Versus
    hand: str
    dealer_hand: str
    five_card: str
    dealer_five_card: str
    six_card: str
    magic_player: bool
    magic_dealer: bool
    lucky_player: bool
    lucky_dealer: bool


LINES: Lines[Outcome] = Lines(
    Outcome,
    {
        "folded": BOTH,
        "versus": tuple(Versus),
        "hand": FOUR_CARD_LABELS,
        "dealer_hand": FOUR_CARD_LABELS,
        "five_card": FIVE_CARD_LABELS,
        "dealer_five_card": FIVE_CARD_LABELS,
        "six_card": SIX_CARD_LABELS,
        "magic_player": BOTH,
        "magic_dealer": BOTH,
        "lucky_player": BOTH,
        "lucky_dealer": BOTH,
    },
)
five_card_hand.register(LINES, "641a.11(c)(7)")


def _against_dealer(rules: Rules, outcome: Outcome, wager: str) -> Pay:
    if outcome.versus == Versus.LOWER:
        return lose("641a.11(c)(3)(i)", "The dealer's hand is higher.")
    odds = rules.tables[wager].rows["win"]
    how = "equal to" if outcome.versus == Versus.EQUAL else "higher than"
    return win("641a.11(c)(3)(ii)", f"The hand is {how} the dealer's and pays {odds}.", odds, rules.table_cite(wager))


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


@LINES.rule("aces_up", ["hand"])
def aces_up(rules: Rules, outcome: Outcome) -> Pay:
    return by_table(rules, "aces_up", outcome.hand, "641a.11(c)(4)")


@LINES.rule("four_card_progressive", ["folded", "hand"])
def four_card_progressive(rules: Rules, outcome: Outcome) -> Pay:
    if outcome.folded:
        return _progressive_forfeit()
    return by_table(rules, "four_card_progressive", outcome.hand, "641a.11(c)(5)(iv)", "641a.11(c)(5)")


@LINES.rule("five_card_progressive", ["folded", "five_card"])
def five_card_progressive(rules: Rules, outcome: Outcome) -> Pay:
    if outcome.folded:
        return _progressive_forfeit()
    return by_table(rules, "five_card_progressive", outcome.five_card, "641a.11(c)(5)(iv)", "641a.11(c)(5)")


def _progressive_forfeit() -> Pay:
    return forfeit("641a.11(b)(2)", "Folding forfeits the Progressive Payout Wager; Envy Bonuses may still be won.")


@LINES.rule("bad_beat", ["versus", "hand", "dealer_hand"])
def bad_beat(rules: Rules, outcome: Outcome) -> Pay:
    """Pays by the rank of the losing hand, whichever side lost."""
    if outcome.versus == Versus.LOWER:
        return by_table(rules, "bad_beat", outcome.hand, "641a.11(c)(6)(i)", "641a.11(c)(6)(iii)")
    if outcome.versus == Versus.HIGHER:
        return by_table(rules, "bad_beat", outcome.dealer_hand, "641a.11(c)(6)(ii)", "641a.11(c)(6)(iii)")
    return lose("641a.11(c)(6)(iii)", "The hands tie, so neither was beaten.")


@LINES.rule("six_card_bonus", ["six_card"])
def six_card_bonus(rules: Rules, outcome: Outcome) -> Pay:
    return by_table(rules, "six_card_bonus", outcome.six_card, "641a.11(c)(8)(ii)", "641a.11(c)(8)(i)")


def _facts(rules: Rules, cards: Hand) -> Facts:  # noqa: ARG001
    return {"hand": four_card_label(cards)}


def _options(rules: Rules, facts: Facts) -> tuple[Option, ...]:  # noqa: ARG001
    """Any amount from one to three Antes may be played; what it is worth lies between its whole multiples."""
    least, most = rules.figure("play_least_antes"), rules.figure("play_most_antes")
    return (
        *(
            option(f"play {times}x", {"folded": False}, {"ante": 1, "play": times}, {"ante_bonus": 1})
            for times in range(least, most + 1)
        ),
        option("fold", {"folded": True}, {"ante": 1}),
    )


DUEL = Duel(
    order=FOUR_CARD,
    player_cards=5,
    dealer_cards=6,
    up_card=True,
    facts=_facts,
    options=_options,
    required=Fraction(1),
    readings=(PRINTED, UNLESS_BEATEN),
    paytable="ante_bonus",
)


class FourCardPoker:
    """Ante and Play against the dealer, Aces Up against a pay table, and the chapter's optional wagers."""

    name = "four-card-poker"
    decisions = ("play", "fold")
    lines = LINES
    duel = DUEL
    facets: Mapping[str, hand_facets.Facet] = {
        "hand": hand_facets.FOUR_OF_FIVE,
        "dealer_hand": hand_facets.FOUR_OF_SIX,
        "five_card": hand_facets.FIVE,
        "dealer_five_card": hand_facets.FIVE,
        "six_card": hand_facets.SIX,
    }

    @property
    def chapter(self) -> Chapter:
        return chapter("641a")

    def verify(self, rules: Rules, played: Round) -> Iterator[Finding]:
        for seat in played.clockwise():
            yield from ante_decision(seat, self.decisions, "641a.11(b)")
            if seat.decision is not None and seat.decision.choice == "play" and "ante" in seat.wagers:
                least, most = rules.figure("play_least_antes"), rules.figure("play_most_antes")
                yield from amount_between(seat, "play", least, most, rules.figure_cite("play_most_antes"))

    def outcome(self, rules: Rules, played: Round, seat: Seat) -> Outcome:  # noqa: ARG002
        dealer_five = played.dealer[:5]
        return Outcome(
            folded=seat.folded,
            versus=Versus.of(FOUR_CARD.best(seat.cards)[0], FOUR_CARD.best(played.dealer)[0]),
            hand=four_card_label(seat.cards),
            dealer_hand=four_card_label(played.dealer),
            five_card=five_card_label(seat.cards),
            dealer_five_card=five_card_label(dealer_five),
            six_card=six_card_label(seat.cards + played.extras.get("six_card_bonus_card", ())),
            magic_player=played.magic_card in seat.cards,
            magic_dealer=played.magic_card in dealer_five,
            lucky_player=played.lucky_position == seat.number,
            lucky_dealer=played.lucky_position == "dealer",
        )

    def settle(self, rules: Rules, played: Round, book: Book) -> None:
        """Forfeits first; then, dealer's cards turned up, each player from the dealer's right."""
        collect_forfeits(self, rules, played, FORFEITED, book)
        for seat in played.counterclockwise():
            book.turn(Stage.HANDS, seat.number)
            self._settle_seat(rules, played, seat, book)

    def _settle_seat(self, rules: Rules, played: Round, seat: Seat, book: Book) -> None:
        outcome = self.outcome(rules, played, seat)
        four, five = FOUR_CARD.show_best(seat.cards), FIVE_CARD.show_best(seat.cards)

        def enter(line: str, stake: int, detail: str) -> None:
            book.enter(seat.number, line, stake, LINES.pay(line, rules, outcome), detail)

        against = f"{four} against {FOUR_CARD.show_best(played.dealer)}"
        if "ante" in seat.wagers and not seat.folded:
            enter("ante", seat.stake("ante"), against)
            enter("play", self.later_wagers(rules, seat)["play"], against)
            enter("ante_bonus", seat.stake("ante"), four)
        if "aces_up" in seat.wagers:
            enter("aces_up", seat.stake("aces_up"), four)
        for wager, label, detail, cite in (
            ("four_card_progressive", outcome.hand, four, "641a.11(c)(5)(v)(A)"),
            ("five_card_progressive", outcome.five_card, five, "641a.11(c)(5)(v)(B)"),
        ):
            if wager in seat.wagers and not seat.folded:
                enter(wager, seat.stake(wager), detail)
            self._envy(played, seat, wager, label, cite, detail, book)
        if "bad_beat" in seat.wagers:
            enter("bad_beat", seat.stake("bad_beat"), against)
        details = {"player": five, "dealer": FIVE_CARD.show_best(played.dealer[:5])}
        five_card_hand.settle(LINES, rules, played, seat, outcome, details, book)
        if "six_card_bonus" in seat.wagers:
            six = seat.cards + played.extras["six_card_bonus_card"]
            enter("six_card_bonus", seat.stake("six_card_bonus"), FIVE_CARD.show_best(six))

    def _envy(self, played: Round, seat: Seat, wager: str, label: str, cite: str, detail: str, book: Book) -> None:
        """A hand is held unless it was folded and collected; other wagers that stand keep it on the table."""
        bettors = played.betting(wager)[::-1]
        standing = any(name not in FORFEITED for name in seat.wagers)
        if bettors and (not seat.folded or standing):
            book.envy(seat, wager, label, bettors, cite, detail)

    def plain_decision(self, rules: Rules, view: View) -> Decision:
        """Fold below a pair, play one Ante up to nines and the most allowed from tens."""
        score = FOUR_CARD.best(view.cards)[0]
        if score < FOUR_CARD.at_least("pair"):
            return Decision("fold")
        big = score >= FOUR_CARD.at_least("pair", RANKS.index("T"))
        return Decision("play", view.ante * rules.figure("play_most_antes" if big else "play_least_antes"))

    def plain_wagers(self) -> Mapping[str, int]:
        return {"ante": 1000, "aces_up": 500, "five_card_progressive": 100, "six_card_bonus": 500}

    def later_wagers(self, rules: Rules, seat: Seat) -> Mapping[str, int]:  # noqa: ARG002
        decision = seat.decision
        return {"play": decision.amount or 0} if decision is not None and decision.choice == "play" else {}

    def paid_at_once(self, rules: Rules, seat: Seat) -> bool:  # noqa: ARG002
        return False

    def draws(self, decision: Decision) -> int:  # noqa: ARG002
        return 0

    def after_draw(self, rules: Rules, seat: Seat) -> str:  # noqa: ARG002
        return ""

    def draw(self, rules: Rules, seat: Seat, stub: list[Card]) -> Seat:  # noqa: ARG002
        return seat
