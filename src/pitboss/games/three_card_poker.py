"""Three Card Poker, 58 Pa. Code Chapter 649a. Three cards to each player and the dealer, who plays with queen high."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from pitboss.cards import QUEEN, Card, Hand, parse_cards
from pitboss.findings import Finding
from pitboss.games import five_card_hand
from pitboss.games.checks import amount_among, ante_decision
from pitboss.games.contract import BOTH, Lines, Versus, View
from pitboss.games.round import Decision, Round, Seat
from pitboss.games.rules import Rules
from pitboss.games.settlement import Book, Pay, Stage, forfeit, lose, push, win
from pitboss.games.shared import UNLESS_BEATEN, bonus, by_table, collect_forfeits
from pitboss.games.structure import PRINTED, Duel, Facts, Option, option
from pitboss.hands import FIVE_CARD, THREE_CARD
from pitboss.hands import facets as hand_facets
from pitboss.hands.labels import (
    FIVE_CARD_LABELS,
    SIX_CARD_LABELS,
    THREE_CARD_LABELS,
    five_card_label,
    six_card_label,
    three_card_label,
)
from pitboss.law.loader import chapter
from pitboss.law.model import VERSION_TABLES, Chapter

FORFEITED = ("ante", "pair_plus", "three_card_progressive", "five_card_progressive")
"""649a.11(b): what a player who folds gives up."""


ONLY_IF_HIGHER = "ante-bonus-only-if-higher"
"""649a.11(c)(3)(ii)(B) by its words: an Ante Bonus only for a hand higher than that of a dealer who plays."""

QUEEN_HIGH = THREE_CARD.at_least("high_card", QUEEN)
"""649a.11(c)(3): the least hand with which the dealer plays."""


@dataclass(frozen=True)
class Outcome:
    """A finished round of Three Card Poker as one seat sees it."""

    folded: bool
    qualifies: bool
    versus: Versus
    hand: str
    six_card: str
    five_of_six: str
    five_card: str
    dealer_five_card: str
    magic_player: bool
    magic_dealer: bool
    lucky_player: bool
    lucky_dealer: bool


LINES: Lines[Outcome] = Lines(
    Outcome,
    {
        "folded": BOTH,
        "qualifies": BOTH,
        "versus": tuple(Versus),
        "hand": THREE_CARD_LABELS,
        "six_card": SIX_CARD_LABELS,
        "five_of_six": FIVE_CARD_LABELS,
        "five_card": FIVE_CARD_LABELS,
        "dealer_five_card": FIVE_CARD_LABELS,
        "magic_player": BOTH,
        "magic_dealer": BOTH,
        "lucky_player": BOTH,
        "lucky_dealer": BOTH,
    },
)
five_card_hand.register(LINES, "649a.11(c)(8)")


def _against_dealer(rules: Rules, outcome: Outcome, wager: str) -> Pay:
    if outcome.versus == Versus.LOWER:
        return lose("649a.11(c)(3)(ii)(A)", "The dealer's hand is higher.")
    if outcome.versus == Versus.EQUAL:
        return push("649a.11(c)(3)(ii)(C)", "The hands are equal and the wager is returned.")
    odds = rules.tables[wager].rows["win"]
    return win(
        "649a.11(c)(3)(ii)(B)", f"The hand is higher than the dealer's and pays {odds}.", odds, rules.table_cite(wager)
    )


@LINES.rule("ante", ["folded", "qualifies", "versus"])
def ante(rules: Rules, outcome: Outcome) -> Pay:
    if outcome.folded:
        return forfeit("649a.11(b)", "No Play Wager was made, so the Ante is forfeited.")
    if not outcome.qualifies:
        odds = rules.tables["ante"].rows["win"]
        return win(
            "649a.11(c)(3)(i)",
            f"The dealer has less than queen high; the Ante pays {odds}.",
            odds,
            rules.table_cite("ante"),
        )
    return _against_dealer(rules, outcome, "ante")


@LINES.rule("play", ["qualifies", "versus"])
def play(rules: Rules, outcome: Outcome) -> Pay:
    if not outcome.qualifies:
        return push("649a.11(c)(3)(i)", "The dealer has less than queen high; the Play Wager is returned.")
    return _against_dealer(rules, outcome, "play")


@LINES.rule("ante_bonus", ["qualifies", "versus", "hand"])
def ante_bonus(rules: Rules, outcome: Outcome) -> Pay | None:
    """Paid whenever a Play Wager was made; read otherwise, not to a hand that a playing dealer beat, or only to one
    that beat a playing dealer."""
    beaten = outcome.qualifies and outcome.versus == Versus.LOWER
    if rules.reading("ante_bonus") == UNLESS_BEATEN and beaten:
        return None
    if rules.reading("ante_bonus") == ONLY_IF_HIGHER and not (outcome.qualifies and outcome.versus == Versus.HIGHER):
        return None
    return bonus(rules, "ante_bonus", outcome.hand, rules.table_cite("ante_bonus"))


@LINES.rule("pair_plus", ["folded", "hand"])
def pair_plus(rules: Rules, outcome: Outcome) -> Pay:
    if outcome.folded:
        return forfeit("649a.11(b)(1)", "Folding forfeits the Pair Plus Wager.")
    return by_table(rules, "pair_plus", outcome.hand, "649a.11(c)(4)")


def _progressive_forfeit() -> Pay:
    return forfeit("649a.11(b)(2)", "Folding forfeits the Progressive Payout Wager; Envy Bonuses may still be won.")


@LINES.rule("three_card_progressive", ["folded", "hand"])
def three_card_progressive(rules: Rules, outcome: Outcome) -> Pay:
    if outcome.folded:
        return _progressive_forfeit()
    return by_table(rules, "three_card_progressive", outcome.hand, "649a.11(c)(5)(iv)", "649a.11(c)(5)")


@LINES.rule("six_card_bonus", ["six_card"])
def six_card_bonus(rules: Rules, outcome: Outcome) -> Pay:
    return by_table(rules, "six_card_bonus", outcome.six_card, "649a.11(c)(6)")


@LINES.rule("five_card_progressive", ["folded", "five_card"])
def five_card_progressive(rules: Rules, outcome: Outcome) -> Pay:
    if outcome.folded:
        return _progressive_forfeit()
    return by_table(rules, "five_card_progressive", outcome.five_card, "649a.11(c)(7)(iv)", "649a.11(c)(7)")


@LINES.rule("five_of_six_progressive", ["five_of_six"])
def five_of_six_progressive(rules: Rules, outcome: Outcome) -> Pay:
    return by_table(rules, "five_of_six_progressive", outcome.five_of_six, "649a.11(c)(9)(iv)", "649a.11(c)(9)")


def _facts(rules: Rules, cards: Hand) -> Facts:  # noqa: ARG001
    return {"hand": three_card_label(cards)}


def _options(rules: Rules, facts: Facts) -> tuple[Option, ...]:  # noqa: ARG001
    play = {"ante": 1, "play": rules.figure("play_antes")}
    return (
        option("play", {"folded": False}, play, {"ante_bonus": 1}),
        option("fold", {"folded": True}, {"ante": 1}),
    )


DUEL = Duel(
    order=THREE_CARD,
    player_cards=3,
    dealer_cards=3,
    up_card=False,
    facts=_facts,
    options=_options,
    required=Fraction(1),
    qualifies=QUEEN_HIGH,
    suit_blind=False,
    readings=(PRINTED, UNLESS_BEATEN, ONLY_IF_HIGHER),
    paytable="ante_bonus",
)


class ThreeCardPoker:
    """Ante and Play against the dealer, Pair Plus against a pay table, and the chapter's optional wagers."""

    name = "three-card-poker"
    decisions = ("play", "fold")
    lines = LINES
    duel = DUEL
    facets: Mapping[str, hand_facets.Facet] = {
        "hand": hand_facets.THREE,
        "six_card": hand_facets.SIX,
        "five_of_six": hand_facets.FIVE_OF_SIX,
        "five_card": hand_facets.FIVE,
        "dealer_five_card": hand_facets.FIVE,
    }

    @property
    def chapter(self) -> Chapter:
        return chapter("649a")

    def verify(self, rules: Rules, played: Round) -> Iterator[Finding]:
        yield from self._version_table(rules)
        for seat in played.clockwise():
            yield from ante_decision(seat, self.decisions, "649a.11(b)")
            if seat.decision is not None and seat.decision.choice == "play" and "ante" in seat.wagers:
                yield from amount_among(seat, "play", [rules.figure("play_antes")], rules.figure_cite("play_antes"))
            yield from self._version(rules, seat)

    def _version_table(self, rules: Rules) -> Iterator[Finding]:
        """The Ante Bonus tables of 649a.12(c) are for the versions of 649a.7(e), and those of (b) for the game."""
        version, letter = rules.choices.version, rules.tables["ante_bonus"].letter
        if version is not None and not letter.startswith(VERSION_TABLES):
            sentence = (
                f"A version of 649a.7(e) pays the Ante Bonus by a table of 649a.12(c), not by table {letter} of (b)."
            )
            yield Finding("version-ante-bonus", "649a.12(c)", "a table of 649a.12(c)", letter, sentence, "paytables")
        if version is None and letter.startswith(VERSION_TABLES):
            sentence = f"Ante Bonus table {letter} is for a version of 649a.7(e) only, and none is chosen."
            yield Finding("version-missing", "649a.12(c)", "version = 1, 2 or 3", "none", sentence, "paytables")

    def _version(self, rules: Rules, seat: Seat) -> Iterator[Finding]:
        """The versions of 649a.7(e): what the Ante must be before a Pair Plus Wager, or both wagers compulsory."""
        version = rules.choices.version
        if version not in (1, 2, 3):
            return
        ante, plus = seat.stake("ante"), seat.stake("pair_plus")
        if version == 3:
            most = rules.figure("version_3_ratio_most")
            fits = ante > 0 and plus > 0 and ante <= most * plus and plus <= most * ante
            expected = f"both an Ante and a Pair Plus Wager, neither more than {most} times the other"
        else:
            most = rules.figure(f"version_{version}_pair_plus_most_antes")
            fits = plus <= most * ante
            expected = "a Pair Plus Wager of at most " + ("the Ante" if most == 1 else f"{most} times the Ante")
        if not fits:
            yield Finding(
                "version-precondition",
                f"649a.7(e)({version})",
                expected,
                f"ante {ante / 100:g}, pair_plus {plus / 100:g}",
                f"The version of 649a.7(e)({version}) is played here: it needs {expected}.",
                f"seat {seat.number}",
            )

    def outcome(self, rules: Rules, played: Round, seat: Seat) -> Outcome:  # noqa: ARG002
        player, dealer = THREE_CARD.score(seat.cards), THREE_CARD.score(played.dealer)
        community = played.extras.get("community", ())
        six = seat.cards + played.dealer
        five, dealer_five = seat.cards + community, played.dealer + community
        return Outcome(
            folded=seat.folded,
            qualifies=dealer >= QUEEN_HIGH,
            versus=Versus.of(player, dealer),
            hand=three_card_label(seat.cards),
            six_card=six_card_label(six),
            five_of_six=five_card_label(six),
            five_card=five_card_label(five) if community else "",
            dealer_five_card=five_card_label(dealer_five) if community else "",
            magic_player=played.magic_card in five,
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
        three = THREE_CARD.show_best(seat.cards)
        community = played.extras.get("community", ())
        six = FIVE_CARD.show_best(seat.cards + played.dealer)
        five = FIVE_CARD.show_best(seat.cards + community) if community else ""

        def enter(line: str, stake: int, detail: str) -> None:
            book.enter(seat.number, line, stake, LINES.pay(line, rules, outcome), detail)

        if "ante" in seat.wagers and not seat.folded:
            against = f"{three} against {THREE_CARD.show_best(played.dealer)}"
            enter("ante", seat.stake("ante"), against)
            enter("play", self.later_wagers(rules, seat)["play"], against)
            enter("ante_bonus", seat.stake("ante"), three)
        if "pair_plus" in seat.wagers and not seat.folded:
            enter("pair_plus", seat.stake("pair_plus"), three)
        self._progressive(played, seat, "three_card_progressive", outcome.hand, "649a.11(c)(5)(v)", three, enter, book)
        if "six_card_bonus" in seat.wagers:
            enter("six_card_bonus", seat.stake("six_card_bonus"), six)
        self._progressive(
            played, seat, "five_card_progressive", outcome.five_card, "649a.11(c)(7)(v)", five, enter, book
        )
        details = {"player": five, "dealer": FIVE_CARD.show_best(played.dealer + community) if community else ""}
        five_card_hand.settle(LINES, rules, played, seat, outcome, details, book)
        self._progressive(
            played, seat, "five_of_six_progressive", outcome.five_of_six, "649a.11(c)(9)(v)", six, enter, book
        )

    def _progressive(
        self,
        played: Round,
        seat: Seat,
        wager: str,
        label: str,
        envy_cite: str,
        detail: str,
        enter: Callable[[str, int, str], None],
        book: Book,
    ) -> None:
        """The seat's own progressive wager, then the Envy Bonuses that its hand earns the others.

        A hand is held unless it was folded and collected; 649a.11(c) leaves it on the table for the wagers that stand.
        """
        forfeited = seat.folded and wager in FORFEITED
        if wager in seat.wagers and not forfeited:
            enter(wager, seat.stake(wager), detail)
        bettors = played.betting(wager)[::-1]
        standing = any(name not in FORFEITED for name in seat.wagers)
        if bettors and (not seat.folded or standing):
            book.envy(seat, wager, label, bettors, envy_cite, detail)

    def plain_decision(self, rules: Rules, view: View) -> Decision:
        """Play queen-six-four or better."""
        if THREE_CARD.score(view.cards) < THREE_CARD.score(parse_cards("Qc 6d 4h")):
            return Decision("fold")
        return Decision("play", view.ante * rules.figure("play_antes"))

    def plain_wagers(self) -> Mapping[str, int]:
        return {"ante": 1000, "pair_plus": 500, "three_card_progressive": 100, "six_card_bonus": 500}

    def later_wagers(self, rules: Rules, seat: Seat) -> Mapping[str, int]:  # noqa: ARG002
        played = seat.decision is not None and seat.decision.choice == "play"
        return {"play": seat.stake("ante")} if played else {}

    def paid_at_once(self, rules: Rules, seat: Seat) -> bool:  # noqa: ARG002
        return False

    def draws(self, decision: Decision) -> int:  # noqa: ARG002
        return 0

    def after_draw(self, rules: Rules, seat: Seat) -> str:  # noqa: ARG002
        return ""

    def draw(self, rules: Rules, seat: Seat, stub: list[Card]) -> Seat:  # noqa: ARG002
        return seat
