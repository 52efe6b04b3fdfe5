"""Three Card Poker, 58 Pa. Code Chapter 649a. Three cards to each player and the dealer, who plays with queen high."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated

from pitboss.cards import QUEEN, parse_cards
from pitboss.findings import Finding, refusal
from pitboss.games import five_card_hand
from pitboss.games.contract import Game, Lines
from pitboss.games.course import Post, Sight, against_dealer, asks, posts
from pitboss.games.facts import (
    COMMUNITY,
    DEALER,
    OWN,
    AtLeast,
    Chosen,
    Compare,
    Holds,
    Label,
    Selected,
    Versus,
    folded,
)  # fmt: skip
from pitboss.games.round import Decision, Round, Seat
from pitboss.games.rules import Rules
from pitboss.games.settlement import Pay, forfeit, push
from pitboss.games.shared import UNLESS_BEATEN, bonus, even_money, higher_wins, table_line
from pitboss.games.structure import PRINTED, Learned, Thresholds
from pitboss.hands import THREE_CARD, facets

ONLY_IF_HIGHER = "ante-bonus-only-if-higher"
"""649a.11(c)(3)(ii)(B) by its words: an Ante Bonus only for a hand higher than that of a dealer who plays."""

QUEEN_HIGH = THREE_CARD.at_least("high_card", QUEEN)
"""649a.11(c)(3): the least hand with which the dealer plays."""


@dataclass(frozen=True)
class Outcome:
    """A finished round of Three Card Poker as one seat sees it."""

    folded: Annotated[bool, Chosen(folded)]
    qualifies: Annotated[bool, AtLeast(THREE_CARD, QUEEN_HIGH, DEALER)]
    versus: Annotated[Versus, Compare(THREE_CARD, OWN, DEALER)]
    hand: Annotated[str, Label(facets.THREE, OWN)]
    six_card: Annotated[str, Label(facets.SIX, OWN + DEALER)]
    five_of_six: Annotated[str, Label(facets.FIVE_OF_SIX, OWN + DEALER)]
    five_card: Annotated[str, Label(facets.FIVE, OWN + COMMUNITY)]
    dealer_five_card: Annotated[str, Label(facets.FIVE, DEALER + COMMUNITY)]
    magic_player: Annotated[bool, Holds(OWN + COMMUNITY, 5)]
    magic_dealer: Annotated[bool, Holds(DEALER + COMMUNITY, 5)]
    lucky_player: Annotated[bool, Selected(dealer=False)]
    lucky_dealer: Annotated[bool, Selected(dealer=True)]


LINES: Lines[Outcome] = Lines(Outcome)
five_card_hand.register(LINES, "649a.11(c)(8)", "649a.11(c)(8)(iii)")


def _against_dealer(rules: Rules, outcome: Outcome, wager: str) -> Pay:
    lost, tied, won = "649a.11(c)(3)(ii)(A)", "649a.11(c)(3)(ii)(C)", "649a.11(c)(3)(ii)(B)"
    return higher_wins(rules, wager, outcome.versus, lost, tied, won)


@LINES.rule("ante", ["folded", "qualifies", "versus"])
def ante(rules: Rules, outcome: Outcome) -> Pay:
    if outcome.folded:
        return forfeit("649a.11(b)", "No Play Wager was made, so the Ante is forfeited.")
    if not outcome.qualifies:
        return even_money(rules, "ante", "649a.11(c)(3)(i)", "The dealer has less than queen high; the Ante")
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


NO_PAIR_PLUS = forfeit("649a.11(b)(1)", "Folding forfeits the Pair Plus Wager.")
pair_plus = table_line(LINES, "pair_plus", "hand", "649a.11(c)(4)", folded=NO_PAIR_PLUS)
GIVEN_UP = forfeit("649a.11(b)(2)", "Folding forfeits the Progressive Payout Wager; Envy Bonuses may still be won.")
three_card_progressive = table_line(
    LINES, "three_card_progressive", "hand", "649a.11(c)(5)(iv)", "649a.11(c)(5)", folded=GIVEN_UP
)
six_card_bonus = table_line(LINES, "six_card_bonus", "six_card", "649a.11(c)(6)")
five_card_progressive = table_line(
    LINES, "five_card_progressive", "five_card", "649a.11(c)(7)(iv)", "649a.11(c)(7)", folded=GIVEN_UP
)
five_of_six_progressive = table_line(
    LINES, "five_of_six_progressive", "five_of_six", "649a.11(c)(9)(iv)", "649a.11(c)(9)"
)


class ThreeCardPoker(Game):
    """Ante and Play against the dealer, Pair Plus against a pay table, and the chapter's optional wagers."""

    name = "three-card-poker"
    number = "649a"
    lines = LINES
    plain_wagers: Mapping[str, int] = {
        "ante": 1000,
        "pair_plus": 500,
        "three_card_progressive": 100,
        "six_card_bonus": 500,
    }
    readings = (PRINTED, UNLESS_BEATEN, ONLY_IF_HIGHER)
    paytable = "ante_bonus"
    learned = (
        Learned(
            "9-2 behind the card",
            "dealer=1",
            Thresholds("play", "fold", {"Q": "Qc 9d 2h", "K": "Kc 9d 2h", "A": "Ac 9d 2h"}),
        ),
        Learned(
            "a face card, seen but not which",
            "backs=KQJ/A*1",
            Thresholds("play", "fold", {"KQJ": "Qc Jd 5h", "A": "Ac 9d 2h"}),
        ),
    )
    course = against_dealer(
        asks("decision", "649a.11(b)", "play", "play", "play_antes"),
        ("ante", "pair_plus", "three_card_progressive", "five_card_progressive"),
        "649a.11(c)",
        *posts("ante", "play"),
        Post("ante_bonus", on="ante", needs="play"),
        Post("pair_plus"),
        Post("three_card_progressive", envy="hand", envy_cite="649a.11(c)(5)(v)"),
        Post("six_card_bonus"),
        Post("five_card_progressive", envy="five_card", envy_cite="649a.11(c)(7)(v)"),
        *five_card_hand.posts(),
        Post("five_of_six_progressive", envy="five_of_six", envy_cite="649a.11(c)(9)(v)"),
    )

    def seat_findings(self, rules: Rules, played: Round, seat: Seat) -> Iterator[Finding]:  # noqa: ARG002
        """The versions of 649a.7(e): what the Ante must be before a Pair Plus Wager, or both wagers compulsory."""
        version = rules.option("version")
        if version is None:
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
            sentence = f"The version of 649a.7(e)({version}) is played here: it needs {expected}."
            found, cite = f"ante {ante / 100:g}, pair_plus {plus / 100:g}", f"649a.7(e)({version})"
            yield refusal("version-precondition", expected, found, sentence, cite=cite, seat=seat.number)

    def verify_choices(self, rules: Rules) -> Iterator[Finding]:
        """Under a version of 649a.7(e) some Ante and some Pair Plus Wager within their limits must go together."""
        yield from super().verify_choices(rules)
        version, ante, plus = rules.option("version"), *(rules.choices.limits.get(n) for n in ("ante", "pair_plus"))
        if version is None or ante is None or plus is None:
            return
        name = "version_3_ratio_most" if version == 3 else f"version_{version}_pair_plus_most_antes"
        most, cite = rules.figure(name), rules.figure_cite(name)
        # 7(e)(3) bounds both wagers by each other; (1) and (2) bound the Pair Plus Wager only.
        if plus.minimum > most * ante.maximum or (version == 3 and ante.minimum > most * plus.maximum):
            sentence = f"With these limits no Ante and Pair Plus Wager can ever meet {cite}."
            expected = f"limits within {most} times of each other"
            yield refusal("version-limits", expected, f"version {version}", sentence, "version", cite=cite)

    def plain_decision(self, rules: Rules, sight: Sight) -> Decision:
        """Play queen-six-four or better."""
        if THREE_CARD.score(sight.cards) < THREE_CARD.score(parse_cards("Qc 6d 4h")):
            return Decision("fold")
        return Decision("play", sight.stake * rules.figure("play_antes"))
