"""Mississippi Stud, 58 Pa. Code Chapter 655a. Two cards each and three community cards, a bet before each of them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from pitboss.cards import JACK, RANKS, rank_of
from pitboss.games import five_card_hand
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
    posts,
)
from pitboss.games.facts import COMMUNITY, OWN, Chosen, Holds, Label, Selected, fold_step
from pitboss.games.round import Decision
from pitboss.games.rules import Rules
from pitboss.games.settlement import Pay, forfeit, lose, push
from pitboss.games.shared import by_table, table_line
from pitboss.games.structure import Glimpse, Learned, Maxim
from pitboss.hands import FIVE_CARD, facets
from pitboss.hands.labels import STUD_LABELS

STREETS = {"third_street": "655a.11(b)", "fourth_street": "655a.11(d)", "fifth_street": "655a.11(f)"}
"""The wagers after the cards, each with the paragraph that asks for it and takes the wagers of those who fold."""
RETURNED = ("pair_of_tens", "pair_of_sixes_to_nines")


@dataclass(frozen=True)
class Outcome:
    """A finished round of Mississippi Stud as one seat sees it."""

    folded: Annotated[str, Chosen(fold_step, ("", *STREETS))]
    """The street on which the player folded."""
    hand: Annotated[str, Label(facets.STUD, OWN + COMMUNITY)]
    five_card: Annotated[str, Label(facets.FIVE, OWN + COMMUNITY)]
    community: Annotated[str, Label(facets.THREE, COMMUNITY)]
    six_card: Annotated[str, Label(facets.SIX, (*OWN, "six_card_bonus_cards"))]
    magic_player: Annotated[bool, Holds(OWN + COMMUNITY, 5)]
    lucky_player: Annotated[bool, Selected(dealer=False)]


LINES: Lines[Outcome] = Lines(Outcome)
five_card_hand.register(LINES, "655a.11(i)(3)", "655a.11(i)(3)(iii)", five_card_hand.OWN_HAND)


def _by_hand(rules: Rules, outcome: Outcome) -> Pay:
    """Ante and street wagers alike: lost, returned or paid by the five cards."""
    if outcome.folded:
        return forfeit(STREETS[outcome.folded], "The player folded and forfeits the Ante and the wagers made since.")
    if outcome.hand in RETURNED:
        return push("655a.11(h)(2)", "A pair of sixes to tens: the wager is returned.")
    if STUD_LABELS.index(outcome.hand) > STUD_LABELS.index("pair_of_jacks_or_better"):
        return lose("655a.11(h)(1)", "Less than a pair of sixes.")
    return by_table(rules, "ante", outcome.hand, "655a.11(h)(3)")


for _wager in ("ante", *STREETS):
    LINES.rule(_wager, ["folded", "hand"])(_by_hand)


progressive = table_line(LINES, "progressive", "five_card", "655a.11(i)(1)(iv)", "655a.11(i)(1)")
three_card_bonus = table_line(LINES, "three_card_bonus", "community", "655a.11(i)(2)(i)", "655a.11(i)(2)(ii)")
six_card_bonus = table_line(LINES, "six_card_bonus", "six_card", "655a.11(i)(4)(i)", "655a.11(i)(4)(ii)")


def _asks(street: str) -> Decide:
    """One, two or three Antes, or fold."""

    def options(rules: Rules, sight: Sight | None) -> tuple[Option, ...]:  # noqa: ARG001
        least, most = rules.figure(f"{street}_least_antes"), rules.figure(f"{street}_most_antes")
        return Option("bet", {street: Times(least, most, cite=STREETS[street])}), FOLD

    return Decide(street, STREETS[street], ("bet", "fold"), options)


def _outs(seen: Glimpse, low: int, high: int) -> Any:
    """Unseen cards that would pair a card held of these ranks."""
    return ((seen.held > 0) * seen.left)[:, low:high].sum(axis=1)


def _high(seen: Glimpse) -> Any:
    return _outs(seen, JACK, len(RANKS))


def _paying(seen: Glimpse) -> Any:
    """High and middle outs together."""
    return _outs(seen, _SIX, len(RANKS))


def _made(seen: Glimpse) -> Any:
    """A hand that loses nothing as it is."""
    return (seen.held[:, _SIX:] > 1).any(axis=1) | (seen.held.max(axis=1) > 2) | ((seen.held > 1).sum(axis=1) > 1)


def _small_pair(seen: Glimpse) -> Any:
    return (seen.held[:, :_SIX] > 1).any(axis=1) & ~_made(seen)


def _copies(seen: Glimpse) -> Any:
    """Unseen cards of a pair's rank."""
    return ((seen.held > 1) * seen.left).sum(axis=1)


def _enough(high: int, paying: int) -> Callable[[Glimpse], Any]:
    return lambda seen: (_high(seen) >= high) & (_paying(seen) >= paying)


_SIX = RANKS.index("6")
_MADE = Maxim("Bet 3x on a pair of sixes or better.", "bet 3x", _made)
_FOLD = Maxim("Fold everything else.", "fold", lambda seen: seen.suited | ~seen.suited)
SHARED_LIST = Learned(
    "outs, simplified",
    "seats=6",
    {
        "third_street": (
            _MADE,
            Maxim(
                "Bet 3x on a small pair if nobody else holds that rank.",
                "bet 3x",
                lambda seen: _small_pair(seen) & (_copies(seen) > 1),
            ),
            Maxim(
                "Bet 1x on a small pair if one other card of that rank is seen.",
                "bet 1x",
                lambda seen: _small_pair(seen) & (_copies(seen) > 0),
            ),
            Maxim("Bet 3x with 5 high outs in one suit.", "bet 3x", lambda seen: seen.suited & (_high(seen) >= 5)),
            Maxim("Bet 3x with 6 high outs.", "bet 3x", _enough(6, 6)),
            Maxim(
                "Bet 1x in one suit with 2 high outs or 4 paying outs.",
                "bet 1x",
                lambda seen: seen.suited & ((_high(seen) >= 2) | (_paying(seen) >= 4)),
            ),
            Maxim("Bet 1x with 3 high outs.", "bet 1x", _enough(3, 3)),
            Maxim("Bet 1x with 2 high outs and 4 paying outs.", "bet 1x", _enough(2, 4)),
            Maxim("Bet 1x with 5 paying outs.", "bet 1x", _enough(0, 5)),
            _FOLD,
        ),
        "fourth_street": (
            _MADE,
            Maxim("Bet 1x on a small pair.", "bet 1x", _small_pair),
            Maxim("Bet 3x with 8 high outs in one suit.", "bet 3x", lambda seen: seen.suited & (_high(seen) >= 8)),
            Maxim("Bet 1x on cards of one suit.", "bet 1x", lambda seen: seen.suited),
            Maxim("Bet 1x with 3 high outs and 4 paying outs.", "bet 1x", _enough(3, 4)),
            Maxim("Bet 1x with 2 high outs and 5 paying outs.", "bet 1x", _enough(2, 5)),
            Maxim("Bet 1x with 6 paying outs.", "bet 1x", _enough(0, 6)),
            Maxim(
                "Bet 1x with 5 paying outs and one gap at most.",
                "bet 1x",
                lambda seen: (_paying(seen) >= 5) & (seen.span <= 2),
            ),
            Maxim(
                "Bet 1x with 4 paying outs in sequence.",
                "bet 1x",
                lambda seen: (_paying(seen) >= 4) & (seen.span <= 1),
            ),
            _FOLD,
        ),
        "fifth_street": (
            _MADE,
            Maxim("Bet 3x on four cards of one suit.", "bet 3x", lambda seen: seen.suited),
            Maxim(
                "Bet 3x on a straight open at both ends if none of its 8 cards is seen.",
                "bet 3x",
                lambda seen: seen.straight >= 8,
            ),
            Maxim(
                "Bet 1x on a small pair or any draw to a straight.",
                "bet 1x",
                lambda seen: _small_pair(seen) | (seen.straight > 0),
            ),
            Maxim("Bet 1x with 5 high outs.", "bet 1x", _enough(5, 5)),
            Maxim("Bet 1x with 4 high outs and 6 paying outs.", "bet 1x", _enough(4, 6)),
            Maxim("Bet 1x with 3 high outs and 7 paying outs.", "bet 1x", _enough(3, 7)),
            Maxim("Bet 1x with 2 high outs and 8 paying outs.", "bet 1x", _enough(2, 8)),
            Maxim("Bet 1x with 1 high out and 9 paying outs.", "bet 1x", _enough(1, 9)),
            _FOLD,
        ),
    },
)
"""High outs are unseen cards that would pair a jack or higher; paying outs those that would pair a six or higher."""


class MississippiStud(Game):
    """An Ante and a wager on each street, paid by the player's own hand; nobody plays for the house."""

    name = "mississippi-stud"
    number = "655a"
    lines = LINES
    learned = (SHARED_LIST,)
    plain_wagers: Mapping[str, int] = {"ante": 1000, "progressive": 100, "three_card_bonus": 500, "six_card_bonus": 500}
    course = Course(
        "ante",
        (
            Bets(),
            Deal(),
            _asks("third_street"),
            forfeits("ante", at="third_street"),
            TurnUp("community", 1, "655a.11(c)"),
            _asks("fourth_street"),
            forfeits("ante", "third_street", at="fourth_street"),
            TurnUp("community", 1, "655a.11(e)"),
            _asks("fifth_street"),
            forfeits("ante", "third_street", "fourth_street", at="fifth_street"),
            TurnUp("community", 1, "655a.11(g)"),
            Settle(
                HANDS,
                (
                    *posts("ante", "third_street", "fourth_street", "fifth_street"),
                    Post("progressive", envy="five_card", envy_cite="655a.11(i)(1)(v)"),
                    Post("three_card_bonus"),
                    *five_card_hand.posts(five_card_hand.OWN_HAND),
                    Post("six_card_bonus"),
                ),
            ),
        ),
    )

    def plain_decision(self, rules: Rules, sight: Sight) -> Decision:
        """Bet the most on a hand that is not lost already, once with enough high cards, else fold."""
        street = tuple(STREETS)[len(sight.chosen)]
        cards = sight.cards + sight.up
        ranks = [rank_of(card) for card in cards]
        paired = [rank for rank in ranks if ranks.count(rank) > 1]
        if paired and (len(cards) == 2 or max(paired) >= RANKS.index("6")):
            return Decision("bet", sight.stake * rules.figure(f"{street}_most_antes"))
        points = sum(2 if rank >= JACK else 1 if rank >= RANKS.index("6") else 0 for rank in ranks)
        flush = len({card & 3 for card in cards}) == 1
        if paired or points >= len(cards) or (flush and len(cards) == FIVE_CARD.size - 1):
            return Decision("bet", sight.stake * rules.figure(f"{street}_least_antes"))
        return Decision("fold")
